#include "kernel/gecode/kernel.hpp"

#include <algorithm>

namespace zermelo::kernel::gecode {

Kernel::Kernel(const Program& program, const KernelOptions& options)
    : recompute_(static_cast<std::size_t>(std::max(1, options.recompute))),
      now_(std::make_unique<Position>(program)),
      consistency_(program) {}

void Kernel::push(bool last) {
    const bool any_copy =
        std::any_of(marks_.begin(), marks_.end(), [](const Mark& m) { return m.copy != nullptr; });
    const bool due = recompute_ == 1 ? !last : !any_copy || ++since_copy_ >= recompute_;
    Mark mark{nullptr, steps_.size(), recompute_ == 1 && last};
    if (due) {
        mark.copy = std::move(now_);
        now_.reset(mark.copy->fork());
        ++copies_;
        since_copy_ = 0;
    }
    marks_.push_back(std::move(mark));
}

void Kernel::pop() {
    Mark mark = std::move(marks_.back());
    marks_.pop_back();
    steps_.erase(steps_.begin() + static_cast<std::ptrdiff_t>(mark.steps), steps_.end());
    if (mark.copy) {
        now_ = std::move(mark.copy);
        since_copy_ = 0;
        return;
    }
    if (mark.last) return;
    const auto kept =
        std::find_if(marks_.rbegin(), marks_.rend(), [](const Mark& m) { return m.copy != nullptr; });
    now_.reset(kept->copy->fork());
    ++copies_;
    // Propagated where it was propagated before: Gecode's fixpoint depends on the order, and a stronger one would
    // find a failure that belongs elsewhere.
    for (std::size_t i = kept->steps; i < steps_.size(); ++i) apply(*now_, steps_[i]);
    since_copy_ = static_cast<std::size_t>(kept - marks_.rbegin());
}

void Kernel::take(const Step& step) {
    steps_.push_back(step);
    apply(*now_, step);
}

void Kernel::apply(Position& position, const Step& step) {
    switch (step.kind) {
        case Step::Kind::play:
            position.play(step.variable, step.value);
            break;
        case Step::Kind::demand:
            position.demand({step.variable, step.value != 0});
            break;
        case Step::Kind::reach:
            position.reach(static_cast<int>(step.value));
            break;
        case Step::Kind::propagate:
            (void)position.propagate(propagation_);
            break;
    }
}

KernelStatistics Kernel::statistics() const {
    KernelStatistics result;
    result.propagations = propagation_.propagate;
    result.copies = copies_;
    result.by_values = consistency_.statistics().by_values;
    result.by_search = consistency_.statistics().by_search;
    result.nested_nodes = consistency_.statistics().nodes;
    return result;
}

}  // namespace zermelo::kernel::gecode
