// Information state: a position of a play with what each role knows of it, and the steps from there.
//
// What a role knows is its view, the key of its information set. In a game where all moves are seen, the view
// is the state. Otherwise it is a hash of what the role did and saw, step by step, from the beginning
// (perfect recall): two plays with the same view are the same to the role. An InfoState belongs to one
// thread.

#pragma once

#include "core/random.hpp"
#include "play/game_context.hpp"

namespace zermelo::play {

using View = Hash128;

struct Position {
    State state;
    std::vector<View> views = {};  // by role; empty where nobody asked for them or all is seen
};

// What a role learns of a step.
struct Observation {
    JointMove joint;                         // all moves, where all is seen
    MoveId own = 0;                          // its own move
    std::vector<gdl::TermId> percepts = {};  // what it sees, sorted; where moves are hidden
};

class InfoState {
public:
    explicit InfoState(const GameContext& rules);

    [[nodiscard]] Position initial() const;
    void load(const State& state);  // the questions below are about it
    [[nodiscard]] bool terminal() const { return runner_.terminal(); }
    [[nodiscard]] int goal(std::size_t role) const;  // 0 where none is stated
    [[nodiscard]] const std::vector<MoveId>& legal(std::size_t role);

    // Makes the moves in `position`, which was loaded; then `position` is the next one, and not loaded.
    void play(const JointMove& joint, Position& position);
    // The same for a bare state, and what a role sees of the step.
    void play(const JointMove& joint, State& state);
    [[nodiscard]] const std::vector<gdl::TermId>& percepts(std::size_t role);  // of the step just made

    // What the role knows in the position: the key of its information set.
    [[nodiscard]] View view(const Position& position, std::size_t role) const {
        return rules_.hidden() ? position.views[role] : gdl::hash(position.state);
    }
    // The view after a step.
    [[nodiscard]] static View after(const View& view, MoveId own, const std::vector<gdl::TermId>& percepts);

    [[nodiscard]] const GameContext& rules() const { return rules_; }

private:
    const GameContext& rules_;
    gdl::Runner runner_;
    std::vector<std::vector<MoveId>> legal_;
    std::vector<bool> listed_;
    std::vector<gdl::TermId> percepts_;
};

// Random legal moves of all roles in the state that the info has loaded. Throws Error where a role has none.
void random_moves(InfoState& info, Random& random, JointMove& joint);

}  // namespace zermelo::play
