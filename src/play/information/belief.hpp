// Belief state: the positions that agree with all that a role has done and seen, with their probabilities.
//
// Where all moves are seen it is one position. Otherwise it starts with the initial one, and every step adds
// the positions after all moves of the others, weighted by how likely these moves are, and drops those in
// which the role would have seen something else. While they are few this is exact. When they become too many
// the belief goes on as a particle filter (Gordon, Salmond and Smith 1993): each position of a sample is
// followed by random moves, and weighted by how many of them agree. A sample that dies out is drawn anew by
// replaying the game from the start, with backtracking where a play does not agree.
//
// Observations also say which moves of the others are possible, whatever the position: constraint propagation
// (scsp/filter.hpp) finds them, and only these are tried. Where moves are public, this leaves one of them. It
// also finds the facts that are certain after the step, which is all that is left where no position was found
// in time: a role knows its legal moves even then.

#pragma once

#include <functional>
#include <memory>

#include "play/info_state.hpp"
#include "scsp/filter.hpp"

namespace zermelo::play {

struct BeliefOptions {
    std::size_t most_positions = 4096;  // exact up to here
    std::size_t sample = 512;           // positions, beyond
    std::size_t most_steps = 65536;     // moves of the others that are tried exactly at one step
    std::size_t steps_anyway = 4096;    // of these or of a replay, whatever the time
    std::uint64_t seed = 1;
};

class Belief {
public:
    struct Weighted {
        Position position;
        double weight;  // they add up to 1
    };
    // How likely a role (not chance) makes each of its legal moves in a position: fills `odds`, which add up
    // to 1. Without one, all moves are equally likely.
    using Model = std::function<void(const Position& position, std::size_t role,
                                     const std::vector<MoveId>& legal, std::vector<double>& odds)>;

    Belief(const GameContext& rules, std::size_t role, const BeliefOptions& options = {});
    ~Belief();

    // A step has been made. After the deadline it becomes a sample that may be small.
    void update(const Observation& seen, const Deadline& deadline = {}, const Model& model = {});

    [[nodiscard]] const std::vector<Weighted>& positions() const { return positions_; }
    [[nodiscard]] bool exact() const { return exact_; }
    [[nodiscard]] bool lost() const { return lost_; }  // no position is known that agrees with what was seen
    [[nodiscard]] std::size_t steps() const { return past_.size(); }
    // The role's moves that are legal in all positions (some dozens are looked at); if there is none such, in
    // as many as possible. A role that cannot tell what is legal is the fault of a description. Only those
    // that are certain to be legal, if there are such, where no position is known that agrees.
    [[nodiscard]] const std::vector<MoveId>& legal() const { return legal_; }
    [[nodiscard]] const Position& draw(Random& random) const;

private:
    struct Step {
        Observation seen;
        std::vector<std::vector<bool>> possible;  // by role and move; where moves are hidden
    };
    struct Choice {  // of a role
        std::vector<MoveId> moves;
        std::vector<double> odds;  // by place among them
        double sum;                // of the odds
    };
    class JointMoves;

    void normalise();
    [[nodiscard]] std::vector<std::vector<bool>> conclude(const Observation& seen);
    [[nodiscard]] bool list_choices(const Step& step, const Position& position, const Model& model,
                                    bool agreeing);
    void expand(const Step& step, const Deadline& deadline, const Model& model);
    void sample(const Step& step, const Deadline& deadline, const Model& model);
    [[nodiscard]] double follow(const Step& step, const Model& model, bool agreeing, Position& position);
    [[nodiscard]] bool replay(const Deadline& deadline, Position& position);
    void list_legal();
    [[nodiscard]] bool agrees(const Observation& seen);

    const GameContext& rules_;
    std::size_t role_;
    BeliefOptions options_;
    InfoState info_;
    Random random_;
    std::unique_ptr<scsp::Turn> turn_;  // where moves are hidden, and the next
    std::unique_ptr<scsp::Filter> filter_;
    std::vector<gdl::Signal> certain_;  // of the state, where moves are hidden, and the next
    std::vector<gdl::Truth> legality_;  // by move of the role; empty before the first step
    std::vector<Step> past_;
    std::vector<Weighted> positions_;
    std::vector<double> up_to_;  // by position: the weights so far
    bool exact_ = true;
    bool lost_ = false;
    std::vector<MoveId> legal_;
    std::vector<Choice> choices_;  // by role
    std::vector<double> odds_;
};

// A phrase.
[[nodiscard]] std::string describe(const Belief& belief);

}  // namespace zermelo::play
