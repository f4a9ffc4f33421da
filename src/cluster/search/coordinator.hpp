// Coordinator: assigns the parts of a question to the processes, and combines their answers.

#pragma once

#include "cluster/search/distributed_search.hpp"
#include "cluster/search/search_checkpoint.hpp"

namespace zermelo::cluster {

class Coordinator {
public:
    Coordinator(const DivisibleSearch& question, Rank processes, const ClusterSearchOptions& options,
                SearchCheckpoint& checkpoint, ClusterSearchStatistics& statistics);

    void receive(Rank from, Report report);

    // Gives jobs to idle processes, and ends jobs that are not needed.
    using Give = std::function<void(Rank, const Order&)>;
    using Cut = std::function<void(Rank, SplitTree::Node)>;
    void assign_jobs(const Give& give, const Cut& cut);

    [[nodiscard]] std::optional<Ending> ending() const;
    [[nodiscard]] Division division();  // of a question that is decided
    void stop(Stop why) { ending_.stop = why; }
    [[nodiscard]] std::size_t positions() const { return tree_.size(); }

private:
    struct Running {
        SplitTree::Node job;
        Clock::time_point since;
        bool cut = false;
    };
    [[nodiscard]] double job_seconds() const;
    void settle(SplitTree::Node job, Solved answer);
    void look_up(SplitTree::Node leaf);
    void end_job(Rank rank, const Cut& cut);
    // Recalls the job nearest to the root, among those that have run for a while. True where one is being
    // recalled already, or now.
    bool recall_one(const Cut& cut);

    SplitTree tree_;
    std::vector<std::optional<Running>> running_;  // by process
    const ClusterSearchOptions& options_;
    SearchCheckpoint& checkpoint_;
    ClusterSearchStatistics& statistics_;
    Clock::time_point start_ = Clock::now();
    std::vector<Division::Leaf> leaves_;
    Ending ending_;
    bool resuming_ = true;  // while the checkpoint of an earlier run is read
};

}  // namespace zermelo::cluster
