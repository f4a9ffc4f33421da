#include "cluster/search/distributed_search.hpp"

#include <future>
#include <thread>

#include "cluster/comm/packing.hpp"
#include "cluster/search/coordinator.hpp"
#include "cluster/search/worker.hpp"

namespace zermelo::cluster {

using namespace std::chrono_literals;
using nlohmann::json;

namespace {

enum Tag : int {
    order = 200,  // to a worker: a job
    answer,       // to the first process: what came of it
    cut,          // to a worker: end this job
    news,         // to all: results worth sharing
    ended,        // to all: the question is over
    left          // to all: the sender sends nothing more about this question
};

}  // namespace

ClusterSearch::ClusterSearch(Comm& comm, ClusterSearchOptions options)
    : comm_(comm), options_(std::move(options)) {}

ClusterSearch::~ClusterSearch() = default;

void ClusterSearch::exchange() {
    if (worker_ != nullptr) worker_->exchange();
}

Division ClusterSearch::decide(DivisibleSearch& question, const Limits& limits) {
    Worker worker(question, limits, options_);
    worker_ = &worker;
    ending_.reset();
    open_processes_ = comm_.size() - 1;
    std::optional<Coordinator> coordinator;
    if (comm_.first()) {
        if (!checkpoint_)
            checkpoint_ = std::make_unique<SearchCheckpoint>(options_.checkpoint, question.name());
        checkpoint_->open(question.name());
        coordinator.emplace(question, comm_.size(), options_, *checkpoint_, statistics_);
    }
    auto work = std::async(std::launch::async, [&] { worker.run(); });
    // The worker thread ends even where this function throws.
    const std::unique_ptr<Worker, void (*)(Worker*)> until_the_end(&worker,
                                                                   [](Worker* it) { it->dismiss(); });
    while (!ending_) {
        communicate(worker, coordinator ? &*coordinator : nullptr);
        if (coordinator) {
            if (const Stop stop = Limits(limits).reached(); stop != Stop::none) coordinator->stop(stop);
        }
        worker.wait();
    }
    worker.dismiss();
    while (work.wait_for(1ms) != std::future_status::ready) receive(worker, nullptr);
    work.get();
    leave(worker);
    worker_ = nullptr;
    statistics_.idle_seconds += worker.idle_seconds();
    if (checkpoint_ && (ending_->stop != Stop::none || !options_.checkpoint.empty())) checkpoint_->save();
    if (!ending_->failure.empty()) throw Error(ending_->failure);
    if (ending_->stop != Stop::none)
        throw LimitReached(ending_->stop, "while solving the game", "raise the time or memory limit");
    return coordinator ? coordinator->division() : Division{ending_->won, {}, {}};
}

void ClusterSearch::communicate(Worker& worker, Coordinator* coordinator) {
    receive(worker, coordinator);
    worker.check_time();
    for (Report& report : worker.reports()) {
        if (coordinator != nullptr) {
            coordinator->receive(comm_.rank(), std::move(report));
        } else {
            comm_.send(0, answer, packed(to_json(report)));
        }
    }
    constexpr std::size_t most_waiting = 8;  // beyond this the receiver is too slow
    for (const Bytes& message : worker.news()) {
        for (Rank to = 0; to < comm_.size(); ++to) {
            if (to == comm_.rank() || comm_.waiting(to) > most_waiting) continue;
            statistics_.news_bytes += message.size();
            comm_.send(to, news, message);
        }
    }
    if (coordinator == nullptr) return;
    const auto to_worker = [&](Rank to, Tag tag, const json& content, const auto& here) {
        if (to == comm_.rank()) {
            here();
        } else {
            comm_.send(to, tag, packed(content));
        }
    };
    coordinator->assign_jobs(
        [&](Rank to, const Order& job) { to_worker(to, order, to_json(job), [&] { worker.give(job); }); },
        [&](Rank to, SplitTree::Node job) { to_worker(to, cut, job, [&] { worker.cut(job); }); });
    if (options_.progress && seconds_since(last_progress_) > 0.2) {
        options_.progress(statistics_.jobs, coordinator->positions());
        last_progress_ = Clock::now();
    }
    checkpoint_->save_after(options_.seconds_between_saves);
    if (const auto found = coordinator->ending()) {
        ending_ = std::make_unique<Ending>(*found);
        for (Rank to = 1; to < comm_.size(); ++to) {
            comm_.send(to, ended, packed(to_json(*found)));
        }
    }
}

void ClusterSearch::receive(Worker& worker, Coordinator* coordinator) {
    Message message;
    while (comm_.receive(message)) {
        switch (message.tag) {
            case order:
                worker.give(order_from(unpacked(message.bytes)));
                break;
            case answer:
                if (coordinator != nullptr)
                    coordinator->receive(message.from, report_from(unpacked(message.bytes)));
                break;
            case cut:
                worker.cut(unpacked(message.bytes).get<SplitTree::Node>());
                break;
            case news:
                worker.receive_news(std::move(message.bytes));
                break;
            case ended:
                ending_ = std::make_unique<Ending>(ending_from(unpacked(message.bytes)));
                break;
            case left:
                --open_processes_;
                break;
            default:
                throw std::logic_error("a reply without a matching request");
        }
    }
}

// Waits until no message about this question is in flight, or it would be taken for one about the next.
void ClusterSearch::leave(Worker& worker) {
    for (Rank to = 0; to < comm_.size(); ++to) {
        if (to != comm_.rank()) comm_.send(to, left, {});
    }
    while (open_processes_ > 0) {
        receive(worker, nullptr);
        std::this_thread::sleep_for(50us);
    }
    barrier(comm_);
}

ClusterSearchStatistics ClusterSearch::statistics() {
    ClusterSearchStatistics all;
    for (const ClusterSearchStatistics& one : gather_all(comm_, statistics_)) {
        all.jobs += one.jobs;
        all.splits += one.splits;
        all.cancelled += one.cancelled;
        all.recalled += one.recalled;
        all.continued += one.continued;
        all.news_bytes += one.news_bytes;
        all.idle_seconds += one.idle_seconds;
    }
    return all;
}

}  // namespace zermelo::cluster
