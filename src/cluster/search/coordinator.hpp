// Coordinator: hands the parts of a question out to the processes, and puts together what comes back.

#pragma once

#include "cluster/search/distributed_search.hpp"
#include "cluster/search/search_checkpoint.hpp"

namespace zermelo::cluster {

class Coordinator {
public:
    Coordinator(const DivisibleSearch& question, Rank processes, const ClusterSearchOptions& options,
                SearchCheckpoint& shelf, ClusterSearchStatistics& statistics);

    void take_in(Rank from, Report report);

    // What everybody is to do now: some get a job, and some are to end theirs.
    using Give = std::function<void(Rank, const Order&)>;
    using Cut = std::function<void(Rank, SplitTree::Node)>;
    void hand_out(const Give& give, const Cut& cut);

    [[nodiscard]] std::optional<Ending> ending() const;
    [[nodiscard]] Division division();  // of a question that is decided
    void stop(Stop why) { ending_.stop = why; }
    [[nodiscard]] std::size_t positions() const { return tree_.size(); }

private:
    using Clock = std::chrono::steady_clock;

    struct Running {
        SplitTree::Node job;
        Clock::time_point since;
        bool cut = false;
    };
    [[nodiscard]] double job_seconds() const;
    void settle(SplitTree::Node job, Solved answer);
    void look_on_the_shelf(SplitTree::Node leaf);
    void end_job(Rank rank, const Cut& cut);
    // The job that is nearest to the root, among those that have run for a while. True where one is on its
    // way, and it is worth waiting for.
    bool call_one_back(const Cut& cut);

    SplitTree tree_;
    std::vector<std::optional<Running>> running_;  // by process
    const ClusterSearchOptions& options_;
    SearchCheckpoint& shelf_;
    ClusterSearchStatistics& statistics_;
    Clock::time_point start_ = Clock::now();
    std::vector<Division::Leaf> leaves_;
    Ending ending_;
    bool from_earlier_ = true;  // what is on the shelf
};

}  // namespace zermelo::cluster
