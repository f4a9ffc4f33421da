// Plan walk: visits all states that can arise when one player follows a plan, from the rules alone.
//
// The order is that of positional_strategy.hpp: depth first, a state of an owner by one move, all others by
// every move, none entered twice. A plan has one owner, a policy may have several. The caller gives a visitor:
//
//     bool enter(Number state, const State&, Number from, std::size_t move)
//         A state, for the first time; the game looks at it. The first state comes from `nowhere`.
//     std::optional<std::size_t> choose(Number state)
//         The owner's move, if there is one.
//     bool meet(Number from, std::size_t move, Number to, bool on_path)
//         Every move, when its target has been left, or is on the path: then the play can cycle.
//
// An answer of false ends the walk. Each state is looked at once, and its successors are computed together.

#pragma once

#include <optional>

#include "core/limits.hpp"
#include "game/strategy/positional_strategy.hpp"
#include "game/strategy/table.hpp"

namespace zermelo::game {

template <Game G>
class PlanWalk {
public:
    using State = typename G::State;
    using Number = std::uint32_t;
    static constexpr Number nowhere = ~Number{0};

    enum class End { complete, refused, limit, no_choice, bad_choice };

    PlanWalk(G& game, Player owner, const Limits& limits)
        : PlanWalk(game, std::vector<bool>(game.players(), false), limits) {
        owners_[owner] = true;
    }
    PlanWalk(G& game, std::vector<bool> owners, const Limits& limits)
        : game_(game), owners_(std::move(owners)), limits_(limits) {}

    template <class Visitor>
    End run(Visitor& visitor) {
        states_.assign(1, game_.initial());
        keys_.assign(1, game_.key(states_.front()));
        (void)table_.insert(keys_.front(), 0);
        if (const End end = enter(visitor, 0, nowhere, 0, 0); end != End::complete) return end;
        while (!levels_.empty()) {
            Level& level = levels_.back();
            if (level.at == level.count) {
                leave(visitor);
                if (refused_) return End::refused;
                continue;
            }
            if (!room()) return End::limit;
            const std::size_t child = level.first + level.at;
            const auto number = static_cast<Number>(table_.size());
            const auto met = table_.insert(keys_[child], number);
            if (met.fresh) {
                const End end = enter(visitor, number, level.number, level.move + level.at, child);
                if (end != End::complete) return end;
            } else {
                if (!visitor.meet(level.number, level.move + level.at, met.number, on_path_[met.number])) {
                    return End::refused;
                }
                ++level.at;
            }
        }
        return End::complete;
    }

    [[nodiscard]] std::size_t positions() const { return on_path_.size(); }
    [[nodiscard]] Stop stop() const { return stop_; }
    // The moves from the first state to where the walk is, or ended.
    [[nodiscard]] std::vector<std::size_t> path() const {
        std::vector<std::size_t> moves;
        for (const Level& level : levels_) {
            if (level.at < level.count) moves.push_back(level.move + level.at);
        }
        return moves;
    }

private:
    // A state on the path, and its successors: `count` of them, from `first` on, by the moves from `move` on.
    struct Level {
        Number number;
        std::size_t move;
        std::size_t first;
        std::size_t count;
        std::size_t at;
    };

    template <class Visitor>
    End enter(Visitor& visitor, Number number, Number from, std::size_t move, std::size_t place) {
        game_.look(states_[place]);
        on_path_.push_back(true);
        const Turn turn = game_.turn();
        if (turn.kind == Turn::Kind::simultaneous) require_turns(turn, "a plan");
        if (!visitor.enter(number, states_[place], from, move)) return End::refused;
        Level level{number, 0, used(), game_.moves(), 0};
        if (turn.kind == Turn::Kind::player && owners_[turn.player]) {
            const std::optional<std::size_t> choice = visitor.choose(number);
            if (!choice) return End::no_choice;
            if (*choice >= level.count) return End::bad_choice;
            level.move = *choice;
            level.count = 1;
        }
        levels_.push_back(level);
        if (states_.size() < level.first + level.count) {
            states_.resize(level.first + level.count, game_.initial());
            keys_.resize(states_.size());
        }
        for (std::size_t i = 0; i < level.count; ++i) {
            game_.successor(level.move + i, states_[level.first + i]);
            keys_[level.first + i] = game_.key(states_[level.first + i]);
        }
        return End::complete;
    }

    template <class Visitor>
    void leave(Visitor& visitor) {
        const Number left = levels_.back().number;
        on_path_[left] = false;
        levels_.pop_back();
        if (levels_.empty()) return;
        Level& level = levels_.back();
        refused_ = !visitor.meet(level.number, level.move + level.at, left, false);
        if (!refused_) ++level.at;
    }

    [[nodiscard]] std::size_t used() const {
        return levels_.empty() ? 1 : levels_.back().first + levels_.back().count;
    }

    // Room for one more state: a table that grows takes much memory at once.
    [[nodiscard]] bool room() {
        stop_ = limits_.reached();
        if (stop_ == Stop::none && table_.full() && limits_.memory() &&
            resident_bytes() + table_.grown_bytes() > *limits_.memory()) {
            stop_ = Stop::memory;
        }
        return stop_ == Stop::none;
    }

    G& game_;
    std::vector<bool> owners_;  // by player
    const Limits& limits_;
    PlanTable table_;
    std::vector<bool> on_path_;  // by number
    std::vector<Level> levels_;
    std::vector<State> states_;  // the first state, and the successors of the levels
    std::vector<Hash128> keys_;
    bool refused_ = false;
    Stop stop_ = Stop::none;
};

// What a plan chooses, in its order.
class Choices {
public:
    explicit Choices(const Plan& plan) : plan_(plan) {}
    std::optional<std::size_t> choose(std::uint32_t) {
        if (next_ == plan_.choices.size()) return std::nullopt;
        return plan_.choices[next_++];
    }
    [[nodiscard]] std::size_t left() const { return plan_.choices.size() - next_; }

private:
    const Plan& plan_;
    std::size_t next_ = 0;
};

// The names of moves made one after another from the initial state.
template <Game G>
[[nodiscard]] std::vector<std::string> move_names(G& game, const std::vector<std::size_t>& moves) {
    std::vector<std::string> names;
    typename G::State state = game.initial();
    for (const std::size_t move : moves) {
        game.look(state);
        names.push_back(game.move_name(move));
        typename G::State next = state;
        game.successor(move, next);
        state = next;
    }
    return names;
}

}  // namespace zermelo::game
