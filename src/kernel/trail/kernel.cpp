#include "kernel/trail/kernel.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kernel/trail/post.hpp"
#include "kernel/trail/reachable.hpp"

namespace zermelo::kernel::trail {

Kernel::Kernel(const Program& program, const KernelOptions& options)
    : program_(program),
      store_(program.model.variables.size(), options.explaining),
      explanation_(store_),
      last_values_(program.model.strategic ? program.model.variables.size() : 0),
      weight_(last_values_.size(), 1) {
    for (std::size_t i = 0; i < program.model.variables.size(); ++i) {
        const auto v = static_cast<model::VarId>(i);
        const model::Domain& domain = program.domain(v);
        if (!program.used[i] && !domain.single()) {
            store_.create(v, model::Domain(domain.low(), domain.low()));
            continue;
        }
        if (domain.low() < -model::largest_value || domain.high() > model::largest_value) {
            throw Error(fmt::format("variable {} can reach {}, which is more than a variable may hold",
                                    program.model.name_of(v),
                                    domain.high() > model::largest_value ? domain.high() : domain.low()),
                        "use smaller coefficients or smaller domains");
        }
        store_.create(v, domain);
        if (program.watched[i] && !program.model.strategic) store_.watch_values(v);
        if (domain.ranges().size() > 1 && !keeps_holes(v)) post(store_, model::Member{v, domain, {}}, -1);
    }
    // In the cone users come before inputs; here inputs come first.
    for (auto c = program.cone.rbegin(); c != program.cone.rend(); ++c) {
        post(store_, program.constraint(*c), program.model.strategic ? program.structure.due[*c] : -1);
    }
    post_reachable_sums(store_, program);
}

KernelStatistics Kernel::statistics() const {
    KernelStatistics result = statistics_;
    result.propagations = store_.propagations();
    result.foreign = store_.foreign();
    return result;
}

// ---- consistency: propagation has not failed; the values of the last solution are tried all at once, because
// successive positions often share it; then a nested search decides.

std::optional<bool> Kernel::consistent(const Limits& limits) {
    open_.clear();
    for (const model::VarId v : program_.structure.state) {
        if (!fixed(v)) open_.push_back(v);
    }
    if (open_.empty() || try_last_values()) return true;
    ++statistics_.by_search;
    return find_values(limits);
}

bool Kernel::try_last_values() {
    push();
    for (const model::VarId v : open_) {
        const auto& last = last_values_[static_cast<std::size_t>(v)];
        if (!store_.assign(v, last && allows(v, *last) ? *last : bounds(v).low)) store_.fail();
    }
    const bool holds = propagate();
    if (holds) {
        ++statistics_.by_values;
        remember();
    }
    pop();
    return holds;
}

// The smallest domain for its weight (Boussemart et al. 2004); -1 when all are fixed.
model::VarId Kernel::next_open() const {
    model::VarId best = -1;
    double least = 0;
    for (const model::VarId v : open_) {
        if (fixed(v)) continue;
        const double cost = static_cast<double>(size(v)) / weight_[static_cast<std::size_t>(v)];
        if (best >= 0 && cost >= least) continue;
        best = v;
        least = cost;
    }
    return best;
}

std::optional<bool> Kernel::find_values(const Limits& limits) {
    if (limits.reached() != Stop::none) return std::nullopt;
    const model::VarId v = next_open();
    if (v < 0) {
        remember();
        return true;
    }
    std::vector<model::Value> values;
    store_.each_value(v, [&](model::Value value) { values.push_back(value); });
    if (const auto& last = last_values_[static_cast<std::size_t>(v)]) {
        const auto at = std::find(values.begin(), values.end(), *last);
        if (at != values.end()) std::rotate(values.begin(), at, at + 1);
    }
    for (const model::Value value : values) {
        ++statistics_.nested_nodes;
        push();
        std::optional<bool> found = false;
        if (store_.assign(v, value) && propagate()) {
            found = find_values(limits);
        } else {
            weight_[static_cast<std::size_t>(v)] += 1;
        }
        pop();
        if (!found || *found) return found;
    }
    return false;
}

void Kernel::remember() {
    for (const model::VarId v : open_) last_values_[static_cast<std::size_t>(v)] = value(v);
}

}  // namespace zermelo::kernel::trail
