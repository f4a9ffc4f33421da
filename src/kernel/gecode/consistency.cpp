#include "kernel/gecode/consistency.hpp"

#include <gecode/search.hh>

#include <memory>

namespace zermelo::kernel::gecode {

namespace {

class StopAtLimits final : public Gecode::Search::Stop {
public:
    explicit StopAtLimits(const Limits& limits) : limits_(limits) {}
    bool stop(const Gecode::Search::Statistics&, const Gecode::Search::Options&) override {
        return limits_.reached() != zermelo::Stop::none;
    }

private:
    const Limits& limits_;
};

}  // namespace

std::optional<bool> Consistency::holds(Position& position, const Limits& limits,
                                       Gecode::StatusStatistics& propagation) {
    open_.clear();
    for (const model::VarId v : program_.structure.state) {
        if (!position.fixed(v)) open_.push_back(v);
    }
    if (open_.empty() || try_values(position, propagation)) return true;
    return search(position, limits, propagation);
}

bool Consistency::try_values(Position& position, Gecode::StatusStatistics& propagation) {
    const std::unique_ptr<Position> trial(position.fork());
    for (const model::VarId v : open_) {
        const auto last = last_values_.find(v);
        const bool again = last != last_values_.end() && position.allows(v, last->second);
        trial->play(v, again ? last->second : position.bounds(v).low);
    }
    if (!trial->propagate(propagation)) return false;
    ++statistics_.by_values;
    remember(*trial);
    return true;
}

std::optional<bool> Consistency::search(Position& position, const Limits& limits,
                                        Gecode::StatusStatistics& propagation) {
    ++statistics_.by_search;
    std::unique_ptr<Position> root(position.fork());
    root->branch_on(open_);
    StopAtLimits stop(limits);
    Gecode::Search::Options options;
    options.stop = &stop;
    options.clone = false;
    Gecode::DFS<Position> engine(root.release(), options);
    const std::unique_ptr<Position> solution(engine.next());
    statistics_.nodes += engine.statistics().node;
    propagation.propagate += engine.statistics().propagate;
    if (engine.stopped()) return std::nullopt;
    if (!solution) return false;
    remember(*solution);
    return true;
}

void Consistency::remember(const Position& solution) {
    for (const model::VarId v : open_) last_values_[v] = solution.value(v);
}

}  // namespace zermelo::kernel::gecode
