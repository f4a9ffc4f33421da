// Rules of a game in GDL or GDL-II as an extensive-form game for two (Kuhn 1953): what may happen next in a
// state, and what each role sees of it.
//
// `random` is chance; all its legal moves are equally likely. Where the description has no `sees` rules, all
// moves are seen by everybody. Otherwise a role learns of a step its own move and what it sees (Thielscher
// 2010), so it remembers everything it ever knew: perfect recall.
//
// MachineRules run on the network of the game, ReasonerRules on the rules as they stand. What is written for
// both uses names, never numbers, where it compares positions or moves.

#pragma once

#include <array>

#include "gdl/game.hpp"
#include "gdl/reasoner/reasoner.hpp"

namespace zermelo::equilibrium {

// Some moves are hidden: there are `sees` rules.
[[nodiscard]] bool has_percepts(const gdl::Description& description);

// The two players and chance. Throws Error where there are not exactly two players.
struct Seats {
    std::array<std::size_t, 2> players{};  // roles
    std::optional<std::size_t> chance;     // a role

    Seats() = default;
    Seats(const std::vector<std::string>& roles, const std::string& file);
};

// One step that may follow a state.
template <class State>
struct Step {
    State next;
    std::array<std::string, 2> seen;  // by player, where moves are hidden: "[(card jack)]"
};

// A state with all that may follow.
template <class State>
struct Expansion {
    bool over = false;
    std::array<int, 2> goals{};                     // by player, where it is over
    std::array<std::vector<std::string>, 2> moves;  // by player, sorted; one where there is no choice
    std::size_t chances = 1;                        // moves of chance, all equally likely
    std::vector<Step<State>> steps;

    [[nodiscard]] const Step<State>& at(std::size_t first, std::size_t second, std::size_t chance) const {
        return steps[(first * moves[1].size() + second) * chances + chance];
    }
    [[nodiscard]] bool choice(std::size_t player) const { return moves[player].size() > 1; }
};

// Both goals add up to the same at every end of play.
class ConstantSum {
public:
    // Throws Error where they do not.
    void require(const std::array<int, 2>& goals, const std::array<std::string, 2>& roles,
                 const std::string& file);
    [[nodiscard]] int value() const { return sum_.value_or(100); }

private:
    std::optional<int> sum_;
};

inline constexpr std::size_t longest_play = 10'000;  // steps; a longer one is taken for endless
[[noreturn]] void refuse_endless(const std::string& file);

class MachineRules {
public:
    using State = gdl::State;

    explicit MachineRules(const gdl::Game& game);

    [[nodiscard]] const std::string& file() const { return game_.description().file; }
    [[nodiscard]] bool hidden() const { return hidden_; }
    [[nodiscard]] const std::array<std::string, 2>& roles() const { return names_; }
    [[nodiscard]] State initial() const { return game_.machine().initial(); }
    [[nodiscard]] Hash128 key(const State& state) const { return gdl::hash(state); }
    [[nodiscard]] std::string text(const State& state) const;
    // Throws Error where a role has no legal move, or no goal at the end.
    void expand(const State& state, Expansion<State>& out);
    // The state after a joint move, given by role, and what the players see.
    [[nodiscard]] Step<State> step(const State& state, const gdl::JointMove& joint);
    [[nodiscard]] std::string move_text(std::size_t player, gdl::MoveId move) const {
        return game_.move_text(seats_.players[player], move);
    }
    [[nodiscard]] const Seats& seats() const { return seats_; }

private:
    [[nodiscard]] std::string seen(std::size_t player);

    const gdl::Game& game_;
    gdl::Runner runner_;
    Seats seats_;
    std::array<std::string, 2> names_;
    bool hidden_;
    std::vector<std::vector<gdl::MoveId>> legal_;       // by role
    std::vector<std::vector<std::string>> move_names_;  // by role and move
    std::vector<gdl::TermId> percepts_;
};

class ReasonerRules {
public:
    using State = gdl::Reasoner::State;

    ReasonerRules(const gdl::Description& description, gdl::Reasoner& reasoner);

    [[nodiscard]] const std::string& file() const { return description_.file; }
    [[nodiscard]] bool hidden() const { return hidden_; }
    [[nodiscard]] const std::array<std::string, 2>& roles() const { return names_; }
    [[nodiscard]] State initial() { return reasoner_.initial(); }
    [[nodiscard]] Hash128 key(const State& state) const { return gdl::hash(state); }
    [[nodiscard]] std::string text(const State& state) const;
    void expand(const State& state, Expansion<State>& out);

private:
    const gdl::Description& description_;
    gdl::Reasoner& reasoner_;
    Seats seats_;
    std::array<std::string, 2> names_;
    bool hidden_;
};

// What a role sees of a step: [(card jack)], sorted. What it did and saw, with one step more.
[[nodiscard]] std::string percepts_text(std::vector<std::string> percepts);
[[nodiscard]] std::string longer_view(const std::string& view, const std::string& own,
                                      const std::string& seen);

}  // namespace zermelo::equilibrium
