// The copying kernel: a stack of Gecode spaces (Schulte 1999).
//
// `push` copies the position, so that `pop` can return to it. With recomputation a copy is kept only every so
// many levels, and the steps since it are played again.

#pragma once

#include <memory>

#include "kernel/gecode/consistency.hpp"
#include "kernel/gecode/position.hpp"

namespace zermelo::kernel::gecode {

class Kernel {
public:
    explicit Kernel(const Program& program, const KernelOptions& options = {});

    // `last`: after the next `pop` the position will not be looked at, so that no copy is needed.
    void push(bool last = false);
    void pop();

    bool propagate() {
        if (recompute_ > 1) steps_.push_back({Step::Kind::propagate, -1, 0});
        return now_->propagate(propagation_);
    }
    void reach(int b) { take({Step::Kind::reach, -1, b}); }
    [[nodiscard]] int level() const { return now_->level(); }
    void play(model::VarId v, model::Value value) { take({Step::Kind::play, v, value}); }
    void demand(model::Literal l) { take({Step::Kind::demand, l.variable, l.positive ? 1 : 0}); }

    [[nodiscard]] bool fixed(model::VarId v) const { return now_->fixed(v); }
    [[nodiscard]] model::Value value(model::VarId v) const { return now_->value(v); }
    [[nodiscard]] model::Interval bounds(model::VarId v) const { return now_->bounds(v); }
    [[nodiscard]] std::uint64_t size(model::VarId v) const { return now_->size(v); }
    [[nodiscard]] bool allows(model::VarId v, model::Value value) const { return now_->allows(v, value); }
    [[nodiscard]] static bool keeps_holes(model::VarId) { return true; }
    [[nodiscard]] bool is_true(model::Literal l) const { return now_->is_true(l); }
    [[nodiscard]] bool is_false(model::Literal l) const { return now_->is_false(l); }
    template <class Visit>
    void each_range(model::VarId v, Visit visit) const {
        now_->each_range(v, visit);
    }
    [[nodiscard]] Refutation refutation() const { return now_->refutation(); }

    [[nodiscard]] std::optional<bool> consistent(const Limits& limits) {
        return consistency_.holds(*now_, limits, propagation_);
    }
    [[nodiscard]] KernelStatistics statistics() const;

private:
    struct Step {
        enum class Kind { play, demand, reach, propagate };
        Kind kind;
        model::VarId variable;
        model::Value value;
    };
    struct Mark {
        std::unique_ptr<Position> copy;  // none: recomputed from the last one below, or not needed any more
        std::size_t steps;
        bool last;
    };

    void take(const Step& step);
    void apply(Position& position, const Step& step);

    const std::size_t recompute_;
    std::unique_ptr<Position> now_;
    std::vector<Mark> marks_;
    std::vector<Step> steps_;  // since the first position
    std::size_t since_copy_ = 0;
    Consistency consistency_;
    Gecode::StatusStatistics propagation_;
    std::uint64_t copies_ = 0;
};

}  // namespace zermelo::kernel::gecode
