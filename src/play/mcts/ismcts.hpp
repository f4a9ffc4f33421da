// Information set Monte Carlo tree search with multiple observers, MO-ISMCTS (Cowling, Powley and Whitehouse
// 2012): for games with hidden moves.
//
// Every role has a tree of its own whose nodes are its information sets. A descent starts at a position drawn
// from the belief; in every step each role chooses by its bandit for its own information set, not knowing
// more, and chance draws. So a role learns what its information is worth, and to guess well before it knows.
// At a new information set the descent ends and playouts estimate the position. Selection is UCT or GRAVE, as
// in mcts.hpp.

#pragma once

#include <memory>
#include <mutex>
#include <unordered_map>

#include "play/mcts/bandit.hpp"
#include "play/mcts/playouts.hpp"

namespace zermelo::play {

class Ismcts {
public:
    Ismcts(const GameContext& rules, const MctsOptions& options);
    ~Ismcts();

    // Playouts come from this machine from now on (Playouts::use).
    void use(const gdl::Machine& machine);

    // Searches for a role from what it believes. Returns playouts made.
    std::uint64_t search(const Belief& belief, std::size_t role, const TimeBudget& allowance);

    // Goes on in the same trees, the role having made this move: the others' choices are open. Not more than a part of
    // the memory is used. Returns playouts made.
    std::uint64_t ponder(const Belief& belief, std::size_t role, MoveId made, const TimeBudget& allowance);

    // Of the moves, best first.
    [[nodiscard]] std::vector<Estimate> estimates(const std::vector<MoveId>& legal) const;
    [[nodiscard]] std::size_t sets() const;

private:
    struct Set {
        std::uint32_t era = 0;
        std::uint32_t visits = 0;
        std::uint32_t pending = 0;
        std::vector<Arm> arms;
        std::vector<Count> counts;  // GRAVE: by move of the role
    };
    struct Choice {
        Set* set;
        std::uint32_t role;
        std::uint32_t arm;
    };
    struct Descent {
        Position position;
        std::vector<Choice> path;
        bool known = false;  // it came to the end of the game
        std::vector<double> values;
    };
    struct Worker;

    std::uint64_t run(const Belief& belief, const TimeBudget& allowance);
    void work(Worker& worker, const Belief& belief, const TimeBudget& allowance);
    void descend(Worker& worker, const Belief& belief, Descent& descent);
    [[nodiscard]] std::uint32_t select(Worker& worker, const Set& set, const Set* reference) const;
    void back_up(Descent& descent, const std::vector<double>& values, const Playouts::Result* playouts);
    void make_room();

    const GameContext& rules_;
    MctsOptions options_;
    std::vector<std::unique_ptr<Worker>> workers_;
    mutable std::mutex mutex_;
    std::vector<std::unordered_map<View, Set, LowBitsHash>> sets_;  // by role
    std::size_t bytes_ = 0;
    std::size_t most_bytes_ = 0;  // in this search
    std::uint32_t era_ = 0;
    std::size_t role_ = 0;
    std::optional<MoveId> made_;  // of the role, from every position of the belief
    View root_;
    std::uint64_t playouts_ = 0;
    std::uint64_t wanted_ = 0;
    Batch batch_;
    Transfer transfer_;
};

}  // namespace zermelo::play
