// Perfect player: plays a game that has been solved.
//
// The solution is found once and shared by all who play the game (Solutions). First all states are enumerated
// and solved by backward induction; then every move is known, and among the best ones the player takes the
// fastest win and the slowest loss. Where there are too many states, exact alpha-beta proves the value, with
// a positional strategy for a player who can force something; its owner follows the strategy. A strategy may
// also come from a file. A game with chance is solved by value iteration on what the players know
// (perfect_chance.hpp). A player that has neither leaves the match to a fallback player, but checks before
// every move whether the rest of the game has become small enough to enumerate and solve in a part of the
// time.
//
// Where players move at the same time or see different things, the solution is an equilibrium
// (equilibrium/solve.hpp), and the player draws its moves with the probabilities of its mixed strategy.

#pragma once

#include "equilibrium/equilibrium.hpp"
#include "game/graph/values.hpp"
#include "game/strategy/follow.hpp"
#include "game/views/gdl_game.hpp"
#include "play/player.hpp"
#include "play/players/perfect_chance.hpp"

namespace zermelo::play {

struct SolutionOptions {
    double seconds = 10;                  // for the whole attempt
    std::size_t most_states = 3'000'000;  // that are listed; if there are more, a search proves the value
    std::size_t memory = std::size_t{1} << 30;
    unsigned threads = 1;
    std::string strategy = {};  // a file of plans to follow instead of solving
};

// What is known about best play: found by the first who calls `find`, and then only read, by any number of
// threads.
class Solutions {
public:
    Solutions(const GameContext& rules, const SolutionOptions& options = {});  // `rules` must outlive it

    // Solves the game unless that has been tried; the questions below may be asked afterwards. Throws Error
    // where a file of plans cannot be read.
    void find();
    [[nodiscard]] bool solved(std::size_t role) const {
        return known_ != nullptr || chance_ != nullptr || mixed_ != nullptr || plan(role) != nullptr;
    }
    [[nodiscard]] std::string reason(std::size_t role) const;  // how, or why not; a phrase

    // All states, if they are known.
    struct Known {
        game::Graph graph;
        game::Values values;
    };
    [[nodiscard]] const Known* known() const { return known_.get(); }
    [[nodiscard]] std::shared_ptr<const KnownChance> chance() const { return chance_; }
    // The role's plan and what it promises, if it has one.
    struct Planned {
        game::PlanFollower<game::GdlGame> follower;
        int promise;
    };
    [[nodiscard]] const Planned* plan(std::size_t role) const {
        return rules_.chance(role) ? nullptr : plans_[rules_.seat_of(role)].get();
    }

    // Mixed strategies, if they are what was found.
    [[nodiscard]] const equilibrium::Equilibrium* mixed() const { return mixed_.get(); }

private:
    void find_first();
    void mix();
    [[nodiscard]] bool work_backwards();
    void solve_chance();
    void prove(double seconds);
    void read_strategy();
    void follow(const std::vector<game::Plan>& plans, const Limits& limits);

    const GameContext& rules_;
    SolutionOptions options_;
    std::once_flag once_;
    game::GdlGame game_;
    std::string reason_;
    std::unique_ptr<Known> known_;
    std::shared_ptr<const KnownChance> chance_;
    std::vector<std::unique_ptr<Planned>> plans_;  // by seat
    std::unique_ptr<equilibrium::Equilibrium> mixed_;
};

class PerfectPlayer : public Player {
public:
    using Fallback = std::function<std::unique_ptr<Player>()>;

    // Solves the game unless that was done before, and plays what the fallback plays where that failed.
    PerfectPlayer(const GameContext& rules, const Settings& settings, std::shared_ptr<Solutions> solutions,
                  Fallback make_fallback);

private:
    void prepare(const Deadline& deadline) override;
    void learn(const Observation& seen) override;
    [[nodiscard]] MoveId think(const std::vector<MoveId>& legal, const TimeBudget& allowance,
                               Thought& thought) override;
    [[nodiscard]] std::uint64_t think_ahead(MoveId made, const TimeBudget& allowance) override;
    [[nodiscard]] std::optional<MoveId> recall(const std::vector<MoveId>& legal, Thought& thought);
    [[nodiscard]] MoveId from_known(const Solutions::Known& known, const std::vector<MoveId>& legal,
                                    Thought& thought);
    [[nodiscard]] std::optional<MoveId> drawn(const equilibrium::Equilibrium& mixed,
                                              const std::vector<MoveId>& legal, Thought& thought);
    [[nodiscard]] Player& fallback();
    [[nodiscard]] bool solve_rest(const Deadline& deadline);
    [[nodiscard]] game::StateId catch_up(const game::Graph& graph);
    [[nodiscard]] std::optional<MoveId> move_at(std::size_t place, const std::vector<MoveId>& legal) const;

    std::shared_ptr<Solutions> solutions_;
    Fallback make_fallback_;
    std::unique_ptr<Player> fallback_;
    std::vector<Observation> past_;
    game::GdlGame game_;
    std::vector<State> line_;  // the states of the match
    std::string view_;         // what was done and seen, as equilibria name it
    game::StateId at_ = 0;     // the number of one of them in the graph
    std::size_t caught_up_ = 0;
    std::unique_ptr<ChanceFollower> chance_;  // where the game has chance and is solved
    std::unique_ptr<Solutions::Known> rest_;  // the game from some state of the match on
};

}  // namespace zermelo::play
