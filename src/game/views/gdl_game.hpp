// GDL games as Games: once on the compiled machine, and once on the reasoner, which shares no code with it.
//
// GDL lets every role move in every state. Where at most one of them has more than one legal move, that one
// is on turn; where nobody has a choice, the first player makes the only move. Several roles with a choice
// move simultaneously, in joint moves. The role `random` is chance and no player. Moves are named by the
// mover's move as GDL writes it, joint moves by all of them with blanks between.

#pragma once

#include <algorithm>

#include "game/game.hpp"
#include "gdl/game.hpp"
#include "gdl/reasoner/reasoner.hpp"

namespace zermelo::game {

// The players of a description, and what its roles' choices amount to.
class Roles {
public:
    // By role: is it `random`? Throws Error where nobody else is there.
    Roles(const std::vector<bool>& random, const Place& place);

    [[nodiscard]] std::size_t players() const { return role_of_.size(); }
    [[nodiscard]] std::size_t role_of(Player player) const { return role_of_[player]; }

    void nobody_moves() { turn_ = {}; }
    void may_choose(const std::vector<std::size_t>& legal_moves);  // by role, none of them 0
    [[nodiscard]] Turn turn() const { return turn_; }
    [[nodiscard]] std::size_t moves() const { return turn_.over() ? 0 : moves_; }
    [[nodiscard]] std::size_t mover() const { return mover_; }  // the role whose choice a move is
    // By role, which of its legal moves it makes in a move of the game.
    void choices(std::size_t move, std::vector<std::size_t>& choice) const;

private:
    std::vector<bool> random_;
    std::vector<std::size_t> role_of_;  // by player
    std::vector<std::size_t> legal_moves_;
    Turn turn_;
    std::size_t mover_ = 0;
    std::size_t moves_ = 0;
};

class GdlGame {
public:
    using State = gdl::State;
    explicit GdlGame(const gdl::Game& game);  // which must outlive it

    [[nodiscard]] std::size_t players() const { return roles_.players(); }
    [[nodiscard]] const State& initial() const { return start_; }
    void start_at(const State& state) { start_ = state; }  // which is initial() from now on
    // Throws Error where a role has no legal move though the game is not over.
    void look(const State& state);
    // Whether the game is over in this state; if so, it has been looked at, and otherwise no state has.
    [[nodiscard]] bool ends(const State& state);
    [[nodiscard]] Turn turn() const { return roles_.turn(); }
    [[nodiscard]] std::size_t moves() const { return roles_.moves(); }
    void successor(std::size_t move, State& out);
    [[nodiscard]] const gdl::JointMove& joint() const { return joint_; }  // that led to the last successor
    [[nodiscard]] int payoff(Player player) const;  // throws Error where the rules give no goal

    [[nodiscard]] Hash128 key(const State& state) const { return gdl::hash(state); }
    [[nodiscard]] std::string player_name(Player player) const;
    [[nodiscard]] std::string move_name(std::size_t move) const;
    [[nodiscard]] std::string state_name(const State& state) const;

    // A state as a row of words, for those who store many.
    [[nodiscard]] std::size_t row_words() const { return initial().size(); }
    void pack(const State& state, std::span<std::uint64_t> row) const {
        std::copy(state.begin(), state.end(), row.begin());
    }
    void unpack(std::span<const std::uint64_t> row, State& state) const {
        state.assign(row.begin(), row.end());
    }
    [[nodiscard]] Hash128 fingerprint() const;  // of the rules, and of what the bits of a state mean

    // Where one role moves, by move of the state that was looked at: its place among the moves of the image
    // of the state, `image` being that of a move.
    template <class Image>
    [[nodiscard]] std::vector<std::size_t> places(Image image) const {
        const std::size_t role = roles_.mover();
        std::vector<std::pair<std::uint32_t, std::size_t>> order;
        for (std::size_t i = 0; i < moves(); ++i) {
            order.emplace_back(rank_[role][image(role, legal_[role][i])], i);
        }
        std::sort(order.begin(), order.end());
        std::vector<std::size_t> result(order.size());
        for (std::size_t place = 0; place < order.size(); ++place) result[order[place].second] = place;
        return result;
    }

private:
    [[nodiscard]] std::string role_name(std::size_t role) const;
    [[nodiscard]] gdl::MoveId chosen(std::size_t role) const { return legal_[role][choice_[role]]; }

    const gdl::Game& game_;
    State start_;
    gdl::Runner runner_;
    Roles roles_;
    std::vector<std::vector<std::uint32_t>> rank_;  // by role and move: its place in the order of names
    std::vector<std::vector<gdl::MoveId>> legal_;   // by role, in this order
    std::vector<std::size_t> counts_;
    mutable std::vector<std::size_t> choice_;
    gdl::JointMove joint_;
    State over_;  // the state, when it is over
};

// Slow and trustworthy. States of different reasoners have nothing to do with each other, so it is not
// copied.
class ReasonerGame {
public:
    using State = gdl::Reasoner::State;
    // Both must outlive it.
    ReasonerGame(const gdl::Description& description, gdl::Reasoner& reasoner);
    ReasonerGame(const ReasonerGame&) = delete;
    ReasonerGame& operator=(const ReasonerGame&) = delete;

    [[nodiscard]] std::size_t players() const { return roles_.players(); }
    [[nodiscard]] State initial() const { return reasoner_.initial(); }
    void look(const State& state);
    [[nodiscard]] Turn turn() const { return roles_.turn(); }
    [[nodiscard]] std::size_t moves() const { return roles_.moves(); }
    void successor(std::size_t move, State& out);
    [[nodiscard]] int payoff(Player player) const;

    [[nodiscard]] Hash128 key(const State& state) const { return gdl::hash(state); }
    [[nodiscard]] std::string player_name(Player player) const;
    [[nodiscard]] std::string move_name(std::size_t move) const;
    [[nodiscard]] std::string state_name(const State& state) const;

private:
    [[nodiscard]] gdl::Reasoner::Joint joint(std::size_t move) const;

    const gdl::Description& description_;
    gdl::Reasoner& reasoner_;
    Roles roles_;
    State at_;
    std::vector<std::vector<gdl::Reasoner::Ground>> legal_;  // by role, sorted by text
};

static_assert(Game<GdlGame> && Game<ReasonerGame>);

}  // namespace zermelo::game
