// Search: the recursion behind solve(). One object solves one model once.

#pragma once

#include <chrono>
#include <memory>

#include "kernel/residue.hpp"
#include "quantified/goods.hpp"
#include "quantified/order.hpp"
#include "quantified/solve.hpp"

namespace zermelo {

class Search {
public:
    Search(const Program& program, const SolveOptions& options);
    Answer run();

private:
    using PositionPtr = std::unique_ptr<Position>;

    struct Outcome {
        Verdict verdict = Verdict::unknown;
        NodeId node = decided;
    };
    // What has been done to a position since an earlier one: a move, or a literal demanded.
    struct Step {
        VarId variable;
        Value value;
        bool demand;
    };
    // A position that is kept to be copied, and how many steps led to it.
    struct Checkpoint {
        PositionPtr position;
        std::size_t steps;
        std::size_t depth;
    };
    struct Branching;

    // Block b and everything after it. The earlier blocks are played and propagated.
    Outcome enter(PositionPtr position, int b);
    // The rest of block b: its next variable, or the next block when all are played.
    Outcome inside(PositionPtr position, int b);
    // After a move in block b: propagate, and go on.
    Outcome after_move(PositionPtr position, int b);
    Outcome branch(PositionPtr position, int b, VarId variable);
    Outcome forced(PositionPtr position, int b, VarId variable);

    [[nodiscard]] bool activate(Position& position, int b);  // false when a demand fails
    [[nodiscard]] bool is_won(const Position& position, int b, bool demands) const;
    [[nodiscard]] bool is_lost(const Position& position, int b) const;
    [[nodiscard]] const Cut* firing_cut(const Position& position, int b) const;
    Outcome checked_cut(PositionPtr position, int b, const Cut& cut);

    Outcome leaf(bool won, Reason reason, NodeId node = decided);
    void illegal(Value value);
    Outcome failed(const Position& position, int b);
    Outcome won_within(const Position& position, int b, Reason reason);
    NodeId node(VarId variable, std::vector<Edge> edges);

    bool propagate(Position& position);
    void play(Position& position, VarId variable, Value value);
    void demand(Position& position, Literal literal);
    void apply(Position& position, const Step& step);
    [[nodiscard]] bool stopped();
    void throw_away_unused_nodes();

    const Program& program_;
    const SolveOptions& options_;
    Ordering ordering_;
    ResidueReader residues_;
    Goods goods_;
    StrategyBuilder strategies_;
    std::size_t collect_at_;
    std::vector<std::vector<Edge>*> edges_in_use_;  // of the branchings on the stack
    std::vector<bool> played_;                      // by variable
    std::vector<Step> steps_;
    std::vector<Checkpoint> checkpoints_;
    std::size_t depth_ = 0;
    int silent_cuts_ = 0;  // > 0 while a fired cut is being checked
    Stop stop_ = Stop::none;
    Answer answer_;
    Gecode::StatusStatistics propagation_;
    std::chrono::steady_clock::time_point next_progress_;
};

}  // namespace zermelo
