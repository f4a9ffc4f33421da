// Belief-state game: a game with chance, and with hidden facts about which all players know the same, as a
// game of perfect information over what they know (Koriche, Lagrue, Piette and Tabary 2016, theorem 1;
// Åström 1965 for one player).
//
// A state is the set of all states of the rules that agree with what everybody did and saw, each with an
// integer weight that is proportional to its probability. A turn is two moves: a player chooses, then chance
// moves, and the possible results are told apart by what is seen of them. In a game without `sees` rules
// everything is seen, and every belief is a single state. Where a move leaves chance no choice, it leads to
// the next belief at once. Results in which the game is over are told apart by who gets what alone.
//
// That all players know the same is not assumed but checked, in every state that is looked at: percepts must
// divide the results of a turn in the same way for everybody, and show everybody which move was chosen.
// Otherwise Error. A move is legal in a belief if it is in all of its states.
//
// Looking costs a step of the rules for each possible state and each move of chance.

#pragma once

#include <limits>

#include "game/game.hpp"
#include "game/views/stepping_rules.hpp"

namespace zermelo::game {

inline constexpr std::size_t most_possible_states = std::size_t{1} << 16;  // in one belief

template <class Rules>
class BeliefGame {
public:
    static constexpr std::uint32_t nothing = std::numeric_limits<std::uint32_t>::max();
    struct Possible {
        typename Rules::State state;
        std::uint64_t weight;
    };
    struct State {
        std::vector<Possible> all;        // in the order in which a play meets them
        std::uint32_t pending = nothing;  // the move that was chosen, where chance is still to move
    };

    explicit BeliefGame(Rules& rules);  // which must outlive it; one thread uses it

    [[nodiscard]] std::size_t players() const { return role_of_.size(); }
    [[nodiscard]] const State& initial() const { return start_; }
    void start_at(const State& state) { start_ = state; }  // which is initial() from now on
    // Throws Error where the rules are broken, and where players do not know the same.
    void look(const State& state);
    [[nodiscard]] Turn turn() const { return turn_; }
    [[nodiscard]] std::size_t moves() const;
    void successor(std::size_t move, State& out);
    [[nodiscard]] int payoff(Player player) const;
    [[nodiscard]] std::uint64_t weight(std::size_t move) const { return results_[move].weight; }

    [[nodiscard]] Hash128 key(const State& state) const;
    [[nodiscard]] std::string player_name(Player player) const { return rules_.role_name(role_of_[player]); }
    // That of the player's move; of a move of chance where it is seen, otherwise what is seen of it.
    [[nodiscard]] std::string move_name(std::size_t move) const;
    [[nodiscard]] std::string state_name(const State& state) const;

    // What a role learned of a turn: all moves, or its own and its percepts, sorted. `follow` tells where that
    // leads from a state in which nothing is pending, and by which moves of this game; false where it cannot
    // be, and where the game is over.
    struct Seen {
        std::size_t role;
        bool all_moves;
        gdl::JointMove joint;  // where not all moves are seen, only the role's own counts
        std::vector<gdl::TermId> percepts;
    };
    [[nodiscard]] bool follow(const State& from, const Seen& seen, State& to,
                              std::vector<std::size_t>& moves);
    // Of the state that was looked at, where a player is to move.
    [[nodiscard]] gdl::MoveId chosen(std::size_t move) const { return legal_[mover_][move]; }
    [[nodiscard]] std::size_t role_of(Player player) const { return role_of_[player]; }

private:
    // What may come out of a turn, as far as the players can tell.
    struct Result {
        State state;
        std::uint64_t weight = 0;
        bool over = false;
        std::vector<int> goals;                          // where it is over
        std::vector<std::vector<gdl::TermId>> percepts;  // by player, where it is not
        gdl::MoveId chance = 0;                          // the first move of chance that leads here
    };

    void list_legal(const State& state);
    class Collector;
    [[nodiscard]] std::vector<std::vector<gdl::MoveId>> chance_moves(const State& state);
    void find_results(const State& state, std::uint32_t move, std::vector<Result>& results);
    void collect_by_percepts(const typename Rules::State& next, Collector& collector);
    void require_seen_moves();
    void require_same_percepts(const std::vector<Result>& results) const;
    [[nodiscard]] std::vector<int> goals(const typename Rules::State& state);
    [[nodiscard]] Error broken(const std::string& problem, const std::string& remedy) const {
        return Error({rules_.file()}, problem, remedy);
    }

    Rules& rules_;
    std::vector<std::size_t> role_of_;  // by player
    std::size_t random_;                // the role, or as many as there are
    State start_;

    // About the state that was looked at.
    State at_;
    Turn turn_;
    std::size_t mover_ = 0;                        // the role that chooses, if one does
    std::vector<std::vector<gdl::MoveId>> legal_;  // by role: in all possible states
    std::vector<int> goals_;                       // by player, where it is over
    std::vector<Result> results_;                  // of chance
    std::vector<std::vector<Result>> after_;       // by move of the player, where moves may be hidden
};

extern template class BeliefGame<MachineRules>;
extern template class BeliefGame<ReasonerRules>;

// On the machine, with rules of its own: each thread has a copy.
class ChanceGame : public BeliefGame<MachineRules> {
public:
    explicit ChanceGame(const gdl::Game& game) : ChanceGame(game, std::make_unique<MachineRules>(game)) {}
    ChanceGame(const ChanceGame& other) : ChanceGame(other.game_) { start_at(other.initial()); }
    ChanceGame& operator=(const ChanceGame&) = delete;

private:
    ChanceGame(const gdl::Game& game, std::unique_ptr<MachineRules> rules)
        : BeliefGame(*rules), game_(game), own_(std::move(rules)) {}

    const gdl::Game& game_;
    std::unique_ptr<MachineRules> own_;
};

using ReasonerChanceGame = BeliefGame<ReasonerRules>;

static_assert(WeightedGame<ChanceGame> && WeightedGame<ReasonerChanceGame>);

}  // namespace zermelo::game
