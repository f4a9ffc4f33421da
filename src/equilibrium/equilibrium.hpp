// Equilibria (Nash 1951) of games for two with opposite interests: a mixed strategy for each role, and the value
// that both guarantee (von Neumann 1928).
//
// Strategies are behaviour strategies (Kuhn 1953): at each information set, the probability of every move.
// Information sets are named by text, so that whoever reads the rules can find them:
//
//     by states   everything is seen: an information set is a state, named by its facts
//     by views    moves are hidden: an information set is what the role did and saw, step by step:
//                 "wait [(card jack)]; check [bet]"
//
// Only information sets that the strategy itself can lead to are listed, and only where there is a choice.

#pragma once

#include <array>
#include <map>

#include "core/format/rational.hpp"
#include "core/hash.hpp"

namespace zermelo::equilibrium {

struct Chosen {
    std::string move;
    Rational probability;  // greater than 0
    friend bool operator==(const Chosen&, const Chosen&) = default;
};
using Mixture = std::vector<Chosen>;                       // sorted by move; the probabilities add up to 1
using BehaviourStrategy = std::map<std::string, Mixture>;  // by information set

struct Equilibrium {
    enum class By : std::uint8_t { states, views };

    By by = By::states;
    std::array<std::string, 2> roles;
    std::array<BehaviourStrategy, 2> strategies;
    // The first role's expected goal: its strategy guarantees `lower`, the other's allows no more than `upper`.
    // Equal where the equilibrium is exact.
    Rational lower;
    Rational upper;

    [[nodiscard]] bool exact() const { return lower == upper; }
    [[nodiscard]] std::size_t size() const { return strategies[0].size() + strategies[1].size(); }
};

// Names it by what it says.
[[nodiscard]] Hash128 fingerprint(const Equilibrium& equilibrium);

}  // namespace zermelo::equilibrium
