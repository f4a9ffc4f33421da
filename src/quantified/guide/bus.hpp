// Bus: the mailbox between a search and those who explore beside it (the SIBus of seed 000, section 7.2).
//
// The search posts where it is and what it has decided. Explorers, each on a thread of its own, read that
// when they like and post what they think of positions; before the search branches it looks whether somebody
// has spoken of this one. Everything is bounded: of the trace the latest position is kept, of decisions and
// opinions the youngest.
//
// A search that never waits is deep in a hopeless branch before anybody has looked at the root, so it may
// wait a little for opinions, for a small share of its time (Patience).

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

// Names the position after a play, in whatever order the moves of a block were made.
[[nodiscard]] Hash128 position_after(std::span<const strategy::Move> play);
[[nodiscard]] Hash128 position_after(const Hash128& position, const strategy::Move& move);

// What an explorer thinks of the values of the variable that is chosen next in a position.
struct Opinion {
    struct Promise {
        model::Value value;
        double worth;  // for whoever chooses; the greatest is tried first
    };
    Hash128 position;
    model::VarId variable;
    std::vector<Promise> promises;
};

// Puts the values that promise most first; one of which no number is said goes with the average.
void reorder(std::vector<model::Value>& values, const Opinion& opinion);

class Bus {
public:
    struct Capacity {
        std::size_t decisions = 1 << 10;
        std::size_t opinions = 1 << 18;  // values that somebody has spoken of
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
    // What was said last about this variable in this position, or is said before the time is over.
    [[nodiscard]] std::optional<Opinion> opinion(std::span<const strategy::Move> play, model::VarId variable,
                                                 std::chrono::nanoseconds time = {}) const;

    // ---- from explorers
    // What is new since the bookmark, which moves on; the position stays what it was if there is no later
    // one.
    bool read(Bookmark& bookmark, News& news) const;
    // Until there is something new, or the explorer shall stop.
    void wait(const Bookmark& bookmark, const std::stop_token& stop) const;
    void post(std::vector<Opinion> opinions);

private:
    [[nodiscard]] bool has_news(const Bookmark& bookmark) const {
        return bookmark.positions < positions_ || bookmark.decisions < decisions_;
    }
    void wake_explorers() const;

    const Capacity capacity_;
    mutable std::mutex mutex_;  // of what follows
    mutable std::condition_variable_any posted_;
    mutable std::size_t waiting_ = 0;  // for news
    mutable std::condition_variable spoken_;
    mutable std::size_t listening_ = 0;  // for an opinion
    std::vector<strategy::Move> position_;
    std::uint64_t positions_ = 0;  // posted so far
    std::deque<Decision> latest_decisions_;
    std::uint64_t decisions_ = 0;                                 // posted so far
    std::unordered_map<Hash128, Opinion, LowBitsHash> opinions_;  // by position
    std::deque<Hash128> oldest_opinions_;
    std::size_t promises_ = 0;  // in all opinions
};

// Runs beside a search until it is told to stop.
using Explorer =
    std::function<void(Bus&, const model::Model&, const model::Structure&, const std::stop_token&)>;

// How long the search may wait for opinions.
struct Patience {
    double share = 0.25;                                                 // of the time since it started,
    std::chrono::nanoseconds at_first = std::chrono::milliseconds(100);  // and this from the beginning;
    std::chrono::nanoseconds at_once = std::chrono::milliseconds(10);    // at one question, at most this
};

// A guide that passes on what explorers say, each of which gets a thread. An explorer that throws has left.
class BusGuide : public Guide {
public:
    explicit BusGuide(std::vector<Explorer> explorers, const Patience& patience = {},
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
    Patience patience_;
    Bus::Capacity capacity_;
    Clock::time_point started_;
    std::atomic<Clock::rep> waited_ = 0;  // in the clock's ticks, by all threads of the search
    std::atomic<std::size_t> exploring_ = 0;
    std::unique_ptr<const model::Structure> structure_;
    std::unique_ptr<Bus> bus_;
    std::vector<std::jthread> threads_;
};

}  // namespace zermelo::quantified
