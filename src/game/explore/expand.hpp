// Parallel expansion of states with results delivered in order.
//
// A batch goes in with some states and comes out with everything the game says about them. Threads work on
// batches, each with a copy of the game, and share nothing else; batches come back in the order in which
// they were given, so the numbering of their states does not depend on the number of threads. The caller is
// one of the threads: it works on a batch when the next one in order is not ready. A game that cannot be
// copied has only the caller.

#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>

#include "core/limits.hpp"
#include "game/explore/state_table.hpp"

namespace zermelo::game {

template <Game G>
struct Batch {
    using Bundle = typename StateTable<G>::Bundle;
    Bundle states;

    // The results, by state.
    std::vector<Turn> turns;
    std::vector<std::uint32_t> degrees;  // its number of successors, which stand one after the other
    Bundle successors;
    std::vector<std::uint64_t> weights;  // by successor, where the game has weights
    std::vector<int> payoffs;            // of the states that are over, by player
    std::exception_ptr failure;          // thrown by the game after the last of `turns`

    enum class Stage : std::uint8_t { waiting, taken, done };
    Stage stage = Stage::waiting;

    void clear() {
        states.clear();
        turns.clear();
        degrees.clear();
        successors.clear();
        weights.clear();
        payoffs.clear();
        failure = nullptr;
        stage = Stage::waiting;
    }
};

// Fills in the results, until `stopped()` says that they are not needed any more.
template <Game G, class Stopped>
void expand(G& game, Batch<G>& batch, Stopped stopped) {
    typename G::State state;
    typename G::State next;
    try {
        for (std::size_t i = 0; i < batch.states.size() && !stopped(); ++i) {
            batch.states.get(game, i, state);
            game.look(state);
            if (game.turn().over()) {
                for (std::size_t p = 0; p < game.players(); ++p) {
                    batch.payoffs.push_back(game.payoff(static_cast<Player>(p)));
                }
            }
            for (std::size_t m = 0; m < game.moves(); ++m) {
                game.successor(m, next);
                batch.successors.add(game, next);
                if constexpr (WeightedGame<G>) {
                    batch.weights.push_back(game.turn().kind == Turn::Kind::chance ? game.weight(m) : 1);
                }
            }
            batch.turns.push_back(game.turn());
            batch.degrees.push_back(static_cast<std::uint32_t>(game.moves()));
        }
    } catch (...) {
        batch.failure = std::current_exception();
    }
}

template <Game G>
class ExpansionPool {
public:
    // `threads` with the caller's; 0 for as many as the machine has.
    ExpansionPool(G& game, unsigned threads, const Limits& limits) : game_(game), limits_(limits) {
        if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
        if constexpr (std::copy_constructible<G>) {
            for (unsigned t = 1; t < threads; ++t) {
                workers_.emplace_back(
                    [this, own = G(game)](const std::stop_token& stop) mutable { work(own, stop); });
            }
        }
    }

    [[nodiscard]] bool wants_more() const { return order_.size() < 4 * (workers_.size() + 1); }

    void submit(std::unique_ptr<Batch<G>> batch) {
        {
            const std::lock_guard lock(mutex_);
            order_.push_back(std::move(batch));
        }
        changed_.notify_one();
    }

    // The oldest batch, expanded; nothing when a limit is reached.
    [[nodiscard]] std::unique_ptr<Batch<G>> take() {
        using namespace std::chrono_literals;
        while (limits_.reached() == Stop::none) {
            std::unique_lock lock(mutex_);
            if (order_.front()->stage == Stage::done) {
                auto batch = std::move(order_.front());
                order_.pop_front();
                return batch;
            }
            if (Batch<G>* batch = next_waiting()) {
                lock.unlock();
                expand(game_, *batch, [&] { return limits_.reached() != Stop::none; });
                lock.lock();
                batch->stage = Stage::done;
            } else {
                changed_.wait_for(lock, 20ms, [&] { return order_.front()->stage == Stage::done; });
            }
        }
        return nullptr;
    }

private:
    using Stage = typename Batch<G>::Stage;

    Batch<G>* next_waiting() {
        for (const auto& batch : order_) {
            if (batch->stage == Stage::waiting) {
                batch->stage = Stage::taken;
                return batch.get();
            }
        }
        return nullptr;
    }

    void work(G& game, const std::stop_token& stop) {
        std::unique_lock lock(mutex_);
        while (true) {
            Batch<G>* batch = nullptr;
            if (!changed_.wait(lock, stop, [&] { return (batch = next_waiting()) != nullptr; })) return;
            lock.unlock();
            expand(game, *batch, [&] { return stop.stop_requested(); });
            lock.lock();
            batch->stage = Stage::done;
            changed_.notify_all();
        }
    }

    G& game_;
    const Limits& limits_;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::deque<std::unique_ptr<Batch<G>>> order_;  // only the caller adds and removes
    std::vector<std::jthread> workers_;  // last, so that they are joined before the rest is destroyed
};

}  // namespace zermelo::game
