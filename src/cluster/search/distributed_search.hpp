// Distributed game-tree search by dynamic tree splitting (young brothers wait concept, Feldmann 1993): one
// question, answered by all processes.
//
// The first process holds the tree of what was split (split_tree.hpp) and assigns its leaves as jobs, one at
// a time to each process, itself included (coordinator.hpp). Nothing is split before a process is idle: then
// the job nearest to the root is recalled and returns split, and so on until there is a job that is likely to
// be needed. A job whose answer does not matter any more is cancelled.
//
// What a process has found it keeps in its tables for its next jobs; expensive results it sends to the others
// from time to time. A process with a full queue is not sent any.
//
// With a checkpoint file, the first process writes finished jobs there from time to time, and a later run
// begins with them. Jobs then have a time limit, which grows with the time that the question has taken; a
// process that has not finished by then returns the job split, so that there is something to save.
//
// One thread of each process searches (worker.hpp), the one that asked communicates.

#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "cluster/comm/comm.hpp"
#include "core/distributed_search.hpp"

namespace zermelo::cluster {

struct ClusterSearchOptions {
    std::optional<double> first_job_seconds;  // none: 1 with a checkpoint, unlimited otherwise
    double part_of_time = 0.1;   // that a job with a time may take of the time so far, where this is more
    double likely_enough = 0.5;  // to be needed: rather than start a less likely job, a running one is split
    double least_job_seconds = 0.02;  // before a job may be recalled
    double seconds_between_news = 0.02;
    bool news = true;        // send expensive results to other processes
    std::string checkpoint;  // a file for finished jobs; empty: none
    double seconds_between_saves = 60;
    std::function<void(std::uint64_t jobs, std::size_t positions)> progress = {};  // of the first process
};

struct ClusterSearchStatistics {
    std::uint64_t jobs = 0;  // handed out
    std::uint64_t splits = 0;
    std::uint64_t cancelled = 0;
    std::uint64_t recalled = 0;
    std::uint64_t continued = 0;   // answers and splits that came from an earlier run
    std::uint64_t news_bytes = 0;  // sent by all processes
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

    // Collective: of all questions so far.
    [[nodiscard]] ClusterSearchStatistics statistics();

private:
    void communicate(Worker& worker, Coordinator* coordinator);
    void receive(Worker& worker, Coordinator* coordinator);
    void leave(Worker& worker);

    Comm& comm_;
    ClusterSearchOptions options_;
    ClusterSearchStatistics statistics_;  // of this process
    std::unique_ptr<SearchCheckpoint> checkpoint_;
    Worker* worker_ = nullptr;  // while a question is open
    std::unique_ptr<Ending> ending_;
    Clock::time_point last_progress_ = {};
    Rank open_processes_ = 0;  // other processes that have not left the question
};

}  // namespace zermelo::cluster
