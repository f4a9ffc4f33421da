// Bus: the mailbox between a search and concurrent explorers (the SIBus of Barichard and Stéphan 2017,
// section 7.2).
//
// The search posts where it is and what it has decided. Explorers, each on a thread of its own, read that at
// any time and post advice: estimates for the values of a variable at a position. Before the search branches
// it looks for advice on its position. Everything is bounded: of the search's positions the latest is kept,
// of decisions and advice the youngest.
//
// A search that never waits is deep in a hopeless branch before any explorer has looked at the root, so it
// may wait a little for advice, for a small share of its time (WaitBudget).

#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>
#include <unordered_map>

#include "core/hash.hpp"
#include "model/structure.hpp"
#include "quantified/guide/guide.hpp"

namespace zermelo::quantified {

// Hash of the position after a play; the order of the moves does not matter.
[[nodiscard]] Hash128 position_after(std::span<const strategy::Move> play);
[[nodiscard]] Hash128 position_after(const Hash128& position, const strategy::Move& move);

// Estimates of an explorer for the values of the variable that is chosen next in a position.
struct Advice {
    struct Estimate {
        model::Value value;
        double score;  // for whoever chooses; the greatest is tried first
    };
    Hash128 position;
    model::VarId variable;
    std::vector<Estimate> estimates;
};

// Sorts the values by descending score; a value without a score counts as average.
void reorder(std::vector<model::Value>& values, const Advice& advice);

class Bus {
public:
    struct Capacity {
        std::size_t decisions = 1 << 10;
        std::size_t estimates = 1 << 18;  // in all advice together
    };
    struct Decision {
        Hash128 position;
        bool won;  // by ∃
    };
    // How far an explorer has read.
    struct Bookmark {
        std::uint64_t positions = 0;
        std::uint64_t decisions = 0;
    };
    struct News {
        std::vector<strategy::Move> position;  // where the search is
        std::vector<Decision> decisions;
    };

    explicit Bus(const Capacity& capacity) : capacity_(capacity) {}

    // ---- from the search
    void post_position(std::span<const strategy::Move> play);
    void post_decision(std::span<const strategy::Move> play, bool won);
    // The latest advice on this variable in this position; waits for it for the given time at most.
    [[nodiscard]] std::optional<Advice> advice(std::span<const strategy::Move> play, model::VarId variable,
                                               std::chrono::nanoseconds time = {}) const;

    // ---- from explorers
    // What is new since the bookmark, which moves on; the position stays what it was if there is no later
    // one.
    bool read(Bookmark& bookmark, News& news) const;
    // Until there is something new, or the explorer shall stop.
    void wait(const Bookmark& bookmark, const std::stop_token& stop) const;
    void post(std::vector<Advice> advice);

private:
    [[nodiscard]] bool has_news(const Bookmark& bookmark) const {
        return bookmark.positions < positions_ || bookmark.decisions < decisions_;
    }
    void wake_explorers() const;

    const Capacity capacity_;
    mutable std::mutex mutex_;  // of what follows
    mutable std::condition_variable_any news_;
    mutable std::size_t waiting_for_news_ = 0;  // explorers
    mutable std::condition_variable advised_;
    mutable std::size_t waiting_for_advice_ = 0;  // threads of the search
    std::vector<strategy::Move> position_;
    std::uint64_t positions_ = 0;  // posted so far
    std::deque<Decision> latest_decisions_;
    std::uint64_t decisions_ = 0;                              // posted so far
    std::unordered_map<Hash128, Advice, LowBitsHash> advice_;  // by position
    std::deque<Hash128> oldest_;
    std::size_t estimates_ = 0;  // in all advice
};

// Runs beside a search until it is told to stop.
using Explorer =
    std::function<void(Bus&, const model::Model&, const model::Structure&, const std::stop_token&)>;

// How long the search may wait for advice.
struct WaitBudget {
    double share = 0.25;  // of the time since the search started, ...
    std::chrono::nanoseconds initial =
        std::chrono::milliseconds(100);  // ... plus this much from the beginning;
    std::chrono::nanoseconds per_question =
        std::chrono::milliseconds(10);  // but at most this for one question
};

// A guide that passes on the advice of explorers, each of which gets a thread. An explorer that throws is
// dropped.
class BusGuide : public Guide {
public:
    explicit BusGuide(std::vector<Explorer> explorers, const WaitBudget& wait_budget = {},
                      const Bus::Capacity& capacity = {});
    ~BusGuide() override { stop(); }
    BusGuide(const BusGuide&) = delete;
    BusGuide& operator=(const BusGuide&) = delete;

    void start(const model::Model& model) override;
    void now_at(std::span<const strategy::Move> play) override;
    void advise(std::span<const strategy::Move> play, model::VarId variable,
                std::vector<model::Value>& values) override;
    void learn(std::span<const strategy::Move> play, bool won) override;
    void stop() override;

private:
    using Clock = std::chrono::steady_clock;
    [[nodiscard]] std::chrono::nanoseconds time_to_wait() const;

    std::vector<Explorer> explorers_;
    WaitBudget wait_budget_;
    Bus::Capacity capacity_;
    Clock::time_point started_;
    std::atomic<Clock::rep> waited_ = 0;  // in the clock's ticks, by all threads of the search
    std::atomic<std::size_t> exploring_ = 0;
    std::unique_ptr<const model::Structure> structure_;
    std::unique_ptr<Bus> bus_;
    std::vector<std::jthread> threads_;
};

}  // namespace zermelo::quantified
