// Searches of MAC-UCB with all that they need, and what they are compared with: exact values by plain recursion.

#pragma once

#include <map>
#include <unordered_map>

#include "games.hpp"
#include "gdl/syntax/parse.hpp"
#include "play/mac_ucb/mac_ucb.hpp"

namespace zermelo::play {

inline constexpr double tolerance = 1e-9;

// A search with all that it needs.
struct Searching {
    explicit Searching(const GameContext& rules, std::size_t role, MacUcbOptions options = {})
        : shared(rules),
          symmetric(rules.canonical({}), options.symmetry > 1 ? shared.structure({}) : nullptr),
          search(rules, shared.program({}), {.role = role}, options, tree,
                 options.symmetry > 0 ? &symmetric : nullptr) {}

    std::uint64_t run(const State& state, std::uint64_t simulations) {
        return search.search({{state, 1}}, {.deadline = {}, .playouts = simulations});
    }

    MicroTree tree;
    MacUcbShared shared;
    SymmetricMicros symmetric;
    MacUcbSearch search;
};

// Values by seat under best play, each seat for itself, by plain recursion on the machine; at most one seat may
// choose in a state.
class Brute {
public:
    explicit Brute(const GameContext& rules) : rules_(rules), info_(rules) {}

    std::vector<double> value(const State& state) {
        const auto known = known_.find(gdl::hash(state));
        if (known != known_.end()) return known->second;
        info_.load(state);
        std::vector<double> best;
        if (info_.terminal()) {
            for (const std::size_t role : rules_.seats()) best.push_back(0.01 * info_.goal(role));
        } else {
            const std::size_t mover = chooser();
            for (const MoveId move : legal(mover)) {
                const auto worth = after(state, mover, move);
                if (best.empty() || worth[seat(mover)] > best[seat(mover)] + tolerance) best = worth;
            }
        }
        known_[gdl::hash(state)] = best;
        return best;
    }

    // The mean over chance after a move.
    std::vector<double> after(const State& state, std::size_t mover, MoveId move) {
        info_.load(state);
        JointMove joint;
        for (std::size_t r = 0; r < rules_.roles(); ++r) joint.push_back(info_.legal(r).front());
        joint[mover] = move;
        std::vector<std::size_t> dice;
        for (std::size_t r = 0; r < rules_.roles(); ++r) {
            if (rules_.chance(r)) dice.push_back(r);
        }
        const std::vector<MoveId> throws =
            dice.empty() ? std::vector<MoveId>{0} : std::vector<MoveId>(info_.legal(dice.front()));
        std::vector<double> sum(rules_.seats().size(), 0);
        for (const MoveId thrown : throws) {
            if (!dice.empty()) joint[dice.front()] = thrown;
            State next = state;
            info_.load(state);
            info_.play(joint, next);
            const auto worth = value(next);
            for (std::size_t s = 0; s < sum.size(); ++s)
                sum[s] += worth[s] / static_cast<double>(throws.size());
        }
        return sum;
    }

    std::size_t chooser() {
        for (const std::size_t role : rules_.seats()) {
            if (info_.legal(role).size() > 1) return role;
        }
        return rules_.seats().front();
    }
    std::vector<MoveId> legal(std::size_t role) { return info_.legal(role); }
    [[nodiscard]] std::size_t seat(std::size_t role) const { return rules_.seat_of(role); }

private:
    const GameContext& rules_;
    InfoState info_;
    std::unordered_map<Hash128, std::vector<double>, LowBitsHash> known_;
};

// The state after some random moves, not the end.
inline State random_state(const GameContext& rules, std::uint64_t seed, std::size_t moves) {
    InfoState info(rules);
    Random random(seed);
    State state = rules.machine().initial();
    JointMove joint;
    for (std::size_t i = 0; i < moves; ++i) {
        info.load(state);
        random_moves(info, random, joint);
        State next = state;
        info.play(joint, next);
        info.load(next);
        if (info.terminal()) break;
        state = next;
    }
    return state;
}

// Three turns of two opponents, a coin falling at each of them; who gets what in the end is random.
inline gdl::Description random_coin_game(std::uint64_t seed) {
    Random random(seed);
    std::string text =
        "(role a) (role b) (role random) (player a) (player b) (init (at 0 c0))"
        "(then 0 1) (then 1 2) (then 2 3) (mover 0 a) (mover 1 b) (mover 2 a) (move left) (move right)"
        "(<= (legal ?r ?m) (true (at ?t ?c)) (mover ?t ?r) (move ?m))"
        "(<= (legal ?r wait) (player ?r) (true (at ?t ?c)) (mover ?t ?s) (distinct ?r ?s))"
        "(legal random heads) (legal random tails)"
        "(<= (next (at ?u ?d)) (true (at ?t ?c)) (then ?t ?u) (mover ?t ?r) (does ?r ?m) (does random ?x)"
        "    (step ?c ?m ?x ?d))"
        "(<= terminal (true (at 3 ?c)))"
        "(<= (goal ?r ?v) (true (at 3 ?c)) (worth ?c ?r ?v))";
    for (int c = 0; c < 16; ++c) {
        int next = 4 * c;
        for (const std::string move : {"left", "right"}) {
            for (const std::string coin : {"heads", "tails"})
                text += "(step c" + std::to_string(c) + " " + move + " " + coin + " c" +
                        std::to_string(next++) + ")";
        }
    }
    for (int c = 0; c < 64; ++c) {
        const auto goal = 25 * random.below(5);
        const std::string end = "(worth c" + std::to_string(c);
        text += end + " a " + std::to_string(goal) + ")" + end + " b " + std::to_string(100 - goal) + ")";
    }
    return gdl::parse(text, "coins");
}

}  // namespace zermelo::play
