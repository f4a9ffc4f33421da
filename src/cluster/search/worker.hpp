// Worker: does one job of a question after the other on a thread of its own.
//
// The thread that speaks to the other processes gives it jobs, ends them and takes what came of them. What
// others have found is learned between jobs, now and then during one, and while there is none.

#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>

#include "cluster/search/distributed_search.hpp"
#include "cluster/search/jobs.hpp"

namespace zermelo::cluster {

class Worker {
public:
    Worker(DivisibleSearch& question, const Limits& limits, const ClusterSearchOptions& options)
        : question_(question), limits_(limits), options_(options) {}

    // The thread that works: until it is dismissed. The question calls exchange() while it searches.
    void run();
    void exchange();

    // The thread that speaks.
    void give(Order order);
    void cut(SplitTree::Node job);  // it ends with what there is, if it is under way
    void look_at_the_clock();       // ends a job whose time is over
    void dismiss();
    void hear(Bytes letter);
    [[nodiscard]] std::vector<Report> reports();
    [[nodiscard]] std::vector<Bytes> news();
    void
    wait();  // until there is something to say, but not for long, and less so where there is nothing to do

    [[nodiscard]] double idle_seconds() const { return idle_seconds_; }

private:
    using Clock = std::chrono::steady_clock;

    [[nodiscard]] std::optional<Order> next();
    [[nodiscard]] Report work(const Order& order);
    void learn();

    DivisibleSearch& question_;
    const Limits& limits_;
    const ClusterSearchOptions& options_;
    Clock::time_point exchanged_ = Clock::now();
    double idle_seconds_ = 0;
    std::mutex mutex_;  // of what follows
    std::condition_variable changed_;
    std::deque<Order> orders_;
    std::optional<SplitTree::Node> running_;
    Clock::time_point ends_;
    std::atomic<bool> cut_ = false;
    std::atomic<bool> dismissed_ = false;
    std::vector<Report> reports_;
    std::vector<Bytes> inbox_;
    std::vector<Bytes> outbox_;
};

}  // namespace zermelo::cluster
