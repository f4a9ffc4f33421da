// A description in GDL or GDL-II as steps with percepts, once on the compiled machine and once on the
// reasoner: what the belief-state game (belief_game.hpp) asks of rules.
//
// Moves of a role are listed bytewise by name, so that whatever is counted along them is the same for both.

#pragma once

#include "game/game.hpp"
#include "gdl/game.hpp"
#include "gdl/reasoner/reasoner.hpp"

namespace zermelo::game {

// By move of the role: how many names stand before its own.
[[nodiscard]] std::vector<std::uint32_t> ranks_by_name(const gdl::Game& game, std::size_t role);

class MachineRules {
public:
    using State = gdl::State;
    explicit MachineRules(const gdl::Game& game);  // which must outlive it

    [[nodiscard]] std::size_t roles() const { return random_.size(); }
    [[nodiscard]] bool random(std::size_t role) const { return random_[role]; }
    [[nodiscard]] bool percepts_stated() const { return percepts_stated_; }  // otherwise all is seen
    [[nodiscard]] const std::string& file() const { return game_.description().file; }
    [[nodiscard]] State initial() const { return game_.machine().initial(); }

    void load(const State& state) { runner_.load(state); }
    [[nodiscard]] bool terminal() const { return runner_.terminal(); }
    [[nodiscard]] int goal(std::size_t role) const { return runner_.goal(role); }  // -1 where none is stated
    void legal(std::size_t role, std::vector<gdl::MoveId>& moves) const;
    void play(const gdl::JointMove& joint) { runner_.play(joint); }
    void next(State& state) const { runner_.next(state); }
    void percepts(std::size_t role, std::vector<gdl::TermId>& seen) const;  // sorted by number

    [[nodiscard]] Hash128 hash(const State& state) const { return gdl::hash(state); }
    [[nodiscard]] std::string role_name(std::size_t role) const;
    [[nodiscard]] std::string move_name(std::size_t role, gdl::MoveId move) const {
        return game_.move_text(role, move);
    }
    [[nodiscard]] std::string percept_name(gdl::TermId percept) const { return game_.text(percept); }
    [[nodiscard]] std::string state_name(const State& state) const;

private:
    const gdl::Game& game_;
    gdl::Runner runner_;
    std::vector<bool> random_;  // by role
    bool percepts_stated_;
    std::vector<std::vector<std::uint32_t>> rank_;  // by role and move
};

// States and terms of different reasoners have nothing to do with each other, so it is not copied.
class ReasonerRules {
public:
    using State = gdl::Reasoner::State;
    ReasonerRules(const gdl::Description& description, gdl::Reasoner& reasoner);  // which must outlive it
    ReasonerRules(const ReasonerRules&) = delete;
    ReasonerRules& operator=(const ReasonerRules&) = delete;

    [[nodiscard]] std::size_t roles() const { return random_.size(); }
    [[nodiscard]] bool random(std::size_t role) const { return random_[role]; }
    [[nodiscard]] bool percepts_stated() const { return percepts_stated_; }
    [[nodiscard]] const std::string& file() const { return description_.file; }
    [[nodiscard]] State initial() const { return reasoner_.initial(); }

    void load(const State& state) { at_ = state; }
    [[nodiscard]] bool terminal() const { return reasoner_.terminal(at_); }
    [[nodiscard]] int goal(std::size_t role) const { return reasoner_.goal(at_, role).value_or(-1); }
    void legal(std::size_t role, std::vector<gdl::MoveId>& moves) const {
        moves = reasoner_.legal(at_, role);
    }
    void play(const gdl::JointMove& joint) { joint_ = joint; }
    void next(State& state) const { state = reasoner_.next(at_, joint_); }
    void percepts(std::size_t role, std::vector<gdl::TermId>& seen) const;

    [[nodiscard]] Hash128 hash(const State& state) const { return gdl::hash(state); }
    [[nodiscard]] std::string role_name(std::size_t role) const {
        return reasoner_.text(reasoner_.roles()[role]);
    }
    [[nodiscard]] std::string move_name(std::size_t, gdl::MoveId move) const { return reasoner_.text(move); }
    [[nodiscard]] std::string percept_name(gdl::TermId percept) const { return reasoner_.text(percept); }
    [[nodiscard]] std::string state_name(const State& state) const;

private:
    const gdl::Description& description_;
    gdl::Reasoner& reasoner_;
    std::vector<bool> random_;
    bool percepts_stated_;
    State at_;
    gdl::JointMove joint_;
};

}  // namespace zermelo::game
