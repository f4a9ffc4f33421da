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
    news,         // to everybody: what was found
    ended,        // to everybody: the question is over
    left          // to everybody: nothing more comes about this question
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
    still_here_ = comm_.size() - 1;
    std::optional<Coordinator> foreman;
    if (comm_.first()) {
        if (!shelf_) shelf_ = std::make_unique<SearchCheckpoint>(options_.kept, question.name());
        shelf_->open(question.name());
        foreman.emplace(question, comm_.size(), options_, *shelf_, statistics_);
    }
    auto work = std::async(std::launch::async, [&] { worker.run(); });
    // However this ends, nobody waits for a job that will not come.
    const std::unique_ptr<Worker, void (*)(Worker*)> until_the_end(&worker,
                                                                   [](Worker* it) { it->dismiss(); });
    while (!ending_) {
        speak(worker, foreman ? &*foreman : nullptr);
        if (foreman) {
            if (const Stop stop = Limits(limits).reached(); stop != Stop::none) foreman->stop(stop);
        }
        worker.wait();
    }
    worker.dismiss();
    while (work.wait_for(1ms) != std::future_status::ready) hear(worker, nullptr);
    work.get();
    leave(worker);
    worker_ = nullptr;
    statistics_.idle_seconds += worker.idle_seconds();
    if (shelf_ && (ending_->stop != Stop::none || !options_.kept.empty())) shelf_->save();
    if (!ending_->failure.empty()) throw Error(ending_->failure);
    if (ending_->stop != Stop::none)
        throw LimitReached(ending_->stop, "while the game was solved", "allow more time or memory");
    return foreman ? foreman->division() : Division{ending_->won, {}, {}};
}

void ClusterSearch::speak(Worker& worker, Coordinator* foreman) {
    hear(worker, foreman);
    worker.look_at_the_clock();
    for (Report& report : worker.reports()) {
        if (foreman != nullptr) {
            foreman->take_in(comm_.rank(), std::move(report));
        } else {
            comm_.send(0, answer, packed(to_json(report)));
        }
    }
    constexpr std::size_t most_waiting = 8;  // beyond this somebody does not listen
    for (const Bytes& letter : worker.news()) {
        for (Rank to = 0; to < comm_.size(); ++to) {
            if (to == comm_.rank() || comm_.waiting(to) > most_waiting) continue;
            statistics_.news_bytes += letter.size();
            comm_.send(to, news, letter);
        }
    }
    if (foreman == nullptr) return;
    const auto to_worker = [&](Rank to, Tag tag, const json& content, const auto& here) {
        if (to == comm_.rank()) {
            here();
        } else {
            comm_.send(to, tag, packed(content));
        }
    };
    foreman->hand_out(
        [&](Rank to, const Order& job) { to_worker(to, order, to_json(job), [&] { worker.give(job); }); },
        [&](Rank to, SplitTree::Node job) { to_worker(to, cut, job, [&] { worker.cut(job); }); });
    if (options_.progress && seconds_since(told_) > 0.2) {
        options_.progress(statistics_.jobs, foreman->positions());
        told_ = std::chrono::steady_clock::now();
    }
    shelf_->save_after(options_.seconds_between_saves);
    if (const auto found = foreman->ending()) {
        ending_ = std::make_unique<Ending>(*found);
        for (Rank to = 1; to < comm_.size(); ++to) {
            comm_.send(to, ended, packed(to_json(*found)));
        }
    }
}

void ClusterSearch::hear(Worker& worker, Coordinator* foreman) {
    Message message;
    while (comm_.receive(message)) {
        switch (message.tag) {
            case order:
                worker.give(order_from(unpacked(message.bytes)));
                break;
            case answer:
                if (foreman != nullptr) foreman->take_in(message.from, report_from(unpacked(message.bytes)));
                break;
            case cut:
                worker.cut(unpacked(message.bytes).get<SplitTree::Node>());
                break;
            case news:
                worker.hear(std::move(message.bytes));
                break;
            case ended:
                ending_ = std::make_unique<Ending>(ending_from(unpacked(message.bytes)));
                break;
            case left:
                --still_here_;
                break;
            default:
                throw std::logic_error("a message that belongs to no question");
        }
    }
}

// Or else what is under way would be taken for something about the next question.
void ClusterSearch::leave(Worker& worker) {
    for (Rank to = 0; to < comm_.size(); ++to) {
        if (to != comm_.rank()) comm_.send(to, left, {});
    }
    while (still_here_ > 0) {
        hear(worker, nullptr);
        std::this_thread::sleep_for(50us);
    }
    meet(comm_);
}

ClusterSearchStatistics ClusterSearch::statistics() {
    ClusterSearchStatistics all;
    for (const ClusterSearchStatistics& one : gather_all(comm_, statistics_)) {
        all.jobs += one.jobs;
        all.splits += one.splits;
        all.called_off += one.called_off;
        all.called_back += one.called_back;
        all.continued += one.continued;
        all.news_bytes += one.news_bytes;
        all.idle_seconds += one.idle_seconds;
    }
    return all;
}

}  // namespace zermelo::cluster
