// Expectimax (Michie 1966) with a transposition table, in rationals: the expected payoff of every player under
// best play, depth first, each state once.
//
// Everybody maximises the own expected payoff; with opposite interests this is minimax over means, with the
// same interests it is the common maximum. Among equal moves the first is played. No state may come back in a
// play. It shares no code with value iteration (expected_values.hpp), which it is compared with.

#pragma once

#include <functional>
#include <unordered_map>

#include "core/deep_stack.hpp"
#include "core/format/rational.hpp"
#include "core/limits.hpp"
#include "game/game.hpp"

namespace zermelo::game {

template <Game G>
class Expectimax {
public:
    struct Entry {
        Rationals values;  // by player; empty while the state is on the path
        std::uint32_t choice = 0;
    };

    explicit Expectimax(G& game, const Limits& limits = {}, std::function<void(std::uint64_t)> progress = {})
        : game_(game), limits_(limits), progress_(std::move(progress)) {}

    // Throws Error where a state comes back in a play, or several players move at once; LimitReached.
    const Entry& solve(const typename G::State& state) {
        constexpr std::size_t longest_play = 200'000;
        with_deep_stack(longest_play, [&] { (void)search(state, longest_play); });
        return table_.at(game_.key(state));
    }
    [[nodiscard]] const Entry* find(const typename G::State& state) const {
        const auto found = table_.find(game_.key(state));
        return found == table_.end() ? nullptr : &found->second;
    }
    [[nodiscard]] std::size_t states() const { return table_.size(); }
    [[nodiscard]] std::uint64_t edges() const { return edges_; }
    // The payoffs of all ends that were met.
    [[nodiscard]] const std::vector<std::vector<int>>& outcomes() const { return outcomes_; }

private:
    const Entry& search(const typename G::State& state, std::size_t depth) {
        const Hash128 key = game_.key(state);
        if (const auto known = table_.find(key); known != table_.end()) {
            if (!known->second.values.empty()) return known->second;
            throw Error("expectimax cannot handle plays that come back to a state",
                        "use " + setting("engine", "value-iteration"));
        }
        if (const Stop stop = limits_.reached(); stop != Stop::none)
            throw LimitReached(stop, "during expectimax", "raise the limit");
        if (depth == 0) throw Error("a play of this game is too long for expectimax", "use another engine");
        Entry& entry = table_[key];  // stays where it is
        if (progress_ && table_.size() % 4096 == 0) progress_(table_.size());
        game_.look(state);
        const Turn turn = game_.turn();
        if (turn.kind == Turn::Kind::simultaneous) require_turns(turn, "expectimax");
        if (turn.over()) {
            entry.values = payoffs();
            return entry;
        }
        std::vector<typename G::State> next(game_.moves(), state);
        std::vector<std::uint64_t> weights;
        Rational all = 0;
        for (std::size_t m = 0; m < next.size(); ++m) {
            weights.push_back(turn.kind == Turn::Kind::chance ? weight_of(game_, m) : 1);
            all += weights.back();
        }
        for (std::size_t m = 0; m < next.size(); ++m) game_.successor(m, next[m]);
        edges_ += next.size();
        Rationals values(game_.players(), 0);
        for (std::size_t m = 0; m < next.size(); ++m) {
            const Rationals& after = search(next[m], depth - 1).values;
            if (turn.kind == Turn::Kind::chance) {
                for (std::size_t p = 0; p < values.size(); ++p) values[p] += weights[m] / all * after[p];
            } else if (m == 0 || after[turn.player] > values[turn.player]) {
                values = after;
                entry.choice = static_cast<std::uint32_t>(m);
            }
        }
        entry.values = std::move(values);
        return entry;
    }

    Rationals payoffs() {
        std::vector<int> paid;
        for (std::size_t p = 0; p < game_.players(); ++p)
            paid.push_back(game_.payoff(static_cast<Player>(p)));
        if (std::ranges::find(outcomes_, paid) == outcomes_.end()) outcomes_.push_back(paid);
        return {paid.begin(), paid.end()};
    }

    G& game_;
    const Limits& limits_;
    std::function<void(std::uint64_t)> progress_;
    std::unordered_map<Hash128, Entry, LowBitsHash> table_;
    std::vector<std::vector<int>> outcomes_;
    std::uint64_t edges_ = 0;
};

}  // namespace zermelo::game
