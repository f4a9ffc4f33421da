// Worker: the thread of a process that does one job of a question after the other.
//
// The thread that communicates gives it jobs, ends them and takes their reports. Results of other processes
// are learned between jobs, from time to time during one, and while there is none.

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

    // The searching thread: until it is dismissed. The question calls exchange() while it searches.
    void run();
    void exchange();

    // The communicating thread.
    void give(Order order);
    void cut(SplitTree::Node job);  // ends the job with what there is, if it is running
    void check_time();              // ends a job whose time is over
    void dismiss();
    void receive_news(Bytes message);
    [[nodiscard]] std::vector<Report> reports();
    [[nodiscard]] std::vector<Bytes> news();
    void wait();  // until there is a report, but not for long, and less so where the worker is idle

    [[nodiscard]] double idle_seconds() const { return idle_seconds_; }

private:
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
