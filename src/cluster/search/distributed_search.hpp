// DistributedSearch over processes: one question, answered by all of them.
//
// The first process holds the tree of what was split (split_tree.hpp) and hands out its leaves as jobs, one
// at a time to each process, itself included (foreman.hpp). Nothing is split before somebody has nothing to
// do: then the job nearest to the root is called back and comes split, and so on until there is something
// that is likely to be needed. A job whose answer does not matter any more is called off.
//
// What a process has found it keeps for its next jobs; what took it long it tells the others now and then,
// who learn it when they get to it. If a process does not listen, it is not told.
//
// With a file to keep answers in, the first process writes finished jobs there now and then, and a later run
// begins with them. Jobs then have a time, which grows with the time that the question has taken; who has not
// finished by then returns the job split, so that there is something to keep.
//
// One thread of each process searches (worker.hpp), the one that asks speaks to the others.

#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "cluster/comm/comm.hpp"
#include "core/distributed_search.hpp"

namespace zermelo::cluster {

struct ClusterSearchOptions {
    std::optional<double> first_job_seconds;  // none: 1 where answers are kept, as long as it takes otherwise
    double part_of_time = 0.1;   // that a job with a time may take of the time so far, where this is more
    double likely_enough = 0.5;  // to be needed: before others are begun, jobs that run are split
    double least_job_seconds = 0.02;  // that a job is left alone
    double seconds_between_news = 0.02;
    bool news = true;  // tell others what was found
    std::string kept;  // a file for finished jobs; none: they are not kept
    double seconds_between_saves = 60;
    std::function<void(std::uint64_t jobs, std::size_t positions)> progress = {};  // of the first process
};

struct ClusterSearchStatistics {
    std::uint64_t jobs = 0;  // handed out
    std::uint64_t splits = 0;
    std::uint64_t called_off = 0;
    std::uint64_t called_back = 0;
    std::uint64_t continued = 0;   // answers and splits that were there from an earlier run
    std::uint64_t news_bytes = 0;  // sent by all
    double idle_seconds = 0;       // of all, while the question was open
};

class Worker;
class Coordinator;
class SearchCheckpoint;
struct Ending;

class ClusterSearch : public DistributedSearch {
public:
    ClusterSearch(Comm& comm, ClusterSearchOptions options);
    ~ClusterSearch() override;

    Division decide(DivisibleSearch& question, const Limits& limits) override;
    [[nodiscard]] bool first() const override { return comm_.first(); }
    [[nodiscard]] std::vector<Bytes> gather(std::span<const std::byte> mine) override {
        return comm_.gather(mine);
    }
    void exchange() override;

    // Together: of all questions so far.
    [[nodiscard]] ClusterSearchStatistics statistics();

private:
    void speak(Worker& worker, Coordinator* foreman);
    void hear(Worker& worker, Coordinator* foreman);
    void leave(Worker& worker);

    Comm& comm_;
    ClusterSearchOptions options_;
    ClusterSearchStatistics statistics_;  // of this process
    std::unique_ptr<SearchCheckpoint> shelf_;
    Worker* worker_ = nullptr;  // while a question is open
    std::unique_ptr<Ending> ending_;
    std::chrono::steady_clock::time_point told_ = {};
    Rank still_here_ = 0;  // other processes that have not left the question
};

}  // namespace zermelo::cluster
