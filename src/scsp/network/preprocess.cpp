#include "scsp/preprocess.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "gdl/analysis/forward_analysis.hpp"

namespace zermelo::scsp {

using gdl::Signal;
using gdl::Truth;

namespace {

// Arc consistency on domains of its own.
class Consistency {
public:
    using Domains = std::vector<std::vector<std::uint8_t>>;  // by variable and value: is it left

    explicit Consistency(const MicroScsp& micro)
        : micro_(micro), watching_(micro.variables.size()), queued_(micro.constraints.size(), 0) {
        for (std::uint32_t c = 0; c < micro.constraints.size(); ++c) {
            for (const VariableId v : micro.constraints[c].scope) watching_[v].push_back(c);
        }
        std::size_t largest = 0;
        for (const Variable& variable : micro.variables) {
            auto& left = domains_.emplace_back(variable.values.size(), 0);
            for (const Value value : variable.domain) left[value] = 1;
            left_.push_back(variable.domain.size());
            largest = std::max(largest, variable.values.size());
        }
        supported_.assign(most_scope() * largest, 0);
        stride_ = largest;
        if (micro.network == nullptr) return;
        truth_.assign(micro.network->nodes, Truth::unknown);
        truth_[0] = Truth::yes;
    }

    [[nodiscard]] bool has(VariableId variable, Value value) const { return domains_[variable][value] != 0; }
    [[nodiscard]] std::uint64_t work() const { return work_; }

    // All constraints, or those that read the variable.
    bool filter_all() {
        for (std::uint32_t c = 0; c < micro_.constraints.size(); ++c) enqueue(c);
        return run();
    }
    bool fix(VariableId variable, Value value) {
        for (Value other = 0; other < domains_[variable].size(); ++other) {
            if (other != value) remove(variable, other);
        }
        return run();
    }
    bool exclude(VariableId variable, Value value) {
        remove(variable, value);
        return run();
    }
    [[nodiscard]] std::pair<Domains, std::vector<std::size_t>> save() const { return {domains_, left_}; }
    void restore(const std::pair<Domains, std::vector<std::size_t>>& saved) {
        domains_ = saved.first;
        left_ = saved.second;
        for (const std::uint32_t c : queue_) queued_[c] = 0;
        queue_.clear();
        failed_ = false;
    }

private:
    [[nodiscard]] std::size_t most_scope() const {
        std::size_t most = 1;
        for (const Constraint& constraint : micro_.constraints) {
            if (constraint.table) most = std::max(most, constraint.scope.size());
        }
        return most;
    }

    void enqueue(std::uint32_t c) {
        if (queued_[c] != 0) return;
        queued_[c] = 1;
        queue_.push_back(c);
    }

    void remove(VariableId variable, Value value) {
        if (domains_[variable][value] == 0) return;
        domains_[variable][value] = 0;
        failed_ = --left_[variable] == 0 || failed_;
        for (const std::uint32_t c : watching_[variable]) enqueue(c);
    }

    bool run() {
        while (!queue_.empty() && !failed_) {
            const std::uint32_t c = queue_.back();
            queue_.pop_back();
            queued_[c] = 0;
            const Constraint& constraint = micro_.constraints[c];
            if (constraint.table) {
                filter_table(constraint);
            } else {
                filter_gates(constraint);
            }
        }
        return !failed_;
    }

    // Keeps the values that some allowed tuple of values that are left contains. Tuples are looked at in long
    // steps, because neighbours are alike, and only until everything that is left is found.
    void filter_table(const Constraint& table) {
        const std::size_t arity = table.scope.size();
        const std::size_t count = table.count();
        std::fill(supported_.begin(), supported_.begin() + static_cast<std::ptrdiff_t>(arity * stride_), 0);
        std::size_t missing = 0;
        for (const VariableId v : table.scope) missing += left_[v];
        std::size_t step = count * 5 / 8 + 1;
        while (std::gcd(step, count) != 1) ++step;
        for (std::size_t i = 0, at = 0; i < count && missing > 0; ++i, at = (at + step) % count) {
            const auto tuple = table.tuple(at);
            bool valid = true;
            for (std::size_t k = 0; k < arity && valid; ++k) valid = domains_[table.scope[k]][tuple[k]] != 0;
            ++work_;
            for (std::size_t k = 0; k < arity && valid; ++k) {
                std::uint8_t& found = supported_[k * stride_ + tuple[k]];
                missing -= found == 0 ? 1U : 0U;
                found = 1;
            }
        }
        for (std::size_t k = 0; k < arity && missing > 0; ++k) {
            const VariableId v = table.scope[k];
            for (Value value = 0; value < domains_[v].size(); ++value) {
                if (supported_[k * stride_ + value] == 0) remove(v, value);
            }
        }
    }

    // Forwards only: where the domains decide a signal, its variable follows.
    void filter_gates(const Constraint& constraint) {
        for (const Link& link : constraint.links) {
            const Truth truth = decide(link.signal);
            if (truth == Truth::no) remove(link.variable, link.value);
            if (truth != Truth::yes || link.sense == Link::Sense::only_if) continue;
            for (Value value = 0; value < domains_[link.variable].size(); ++value) {
                const bool fits =
                    value == link.value || (link.sense == Link::Sense::first && value < link.value);
                if (!fits) remove(link.variable, value);
            }
        }
    }

    [[nodiscard]] Truth of(Signal s) const { return s.negated() ? !truth_[s.node()] : truth_[s.node()]; }

    [[nodiscard]] Truth evaluate(std::uint32_t gate) const {
        Truth result = Truth::yes;
        for (const Signal s : micro_.network->inputs_of(gate)) {
            const Truth t = of(s);
            if (t == Truth::no) return Truth::no;
            if (t == Truth::unknown) result = t;
        }
        return result;
    }

    Truth decide(Signal signal) {
        const gdl::Network& network = *micro_.network;
        const auto& nodes = cone(signal.node());
        work_ += nodes.size();
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const std::uint32_t node = nodes[i];
            if (node < network.first_gate) {
                const auto [variable, value] = micro_.literals[node];
                truth_[node] = domains_[variable][value] == 0 ? Truth::no
                               : left_[variable] == 1         ? Truth::yes
                                                              : Truth::unknown;
                continue;
            }
            const auto& stretch = network.stretches[stretch_of(node)];
            if (!stretch.loop) {
                truth_[node] = evaluate(node);
                continue;
            }
            for (std::uint32_t gate = stretch.first; gate < stretch.rules; ++gate) truth_[gate] = Truth::yes;
            for (bool grown = true; grown;) {
                grown = false;
                for (std::uint32_t gate = stretch.rules; gate < stretch.last; ++gate)
                    truth_[gate] = evaluate(gate);
                for (std::uint32_t gate = stretch.first; gate < stretch.rules; ++gate) {
                    const Truth now = evaluate(gate);
                    grown = grown || now != truth_[gate];
                    truth_[gate] = now;
                }
            }
            i += stretch.last - node - 1;
        }
        return of(signal);
    }

    [[nodiscard]] std::size_t stretch_of(std::uint32_t gate) const {
        const auto& stretches = micro_.network->stretches;
        const auto after = std::upper_bound(stretches.begin(), stretches.end(), gate,
                                            [](std::uint32_t g, const auto& s) { return g < s.last; });
        return static_cast<std::size_t>(after - stretches.begin());
    }

    const std::vector<std::uint32_t>& cone(std::uint32_t node) {
        const auto [found, added] = cones_.try_emplace(node);
        if (added) found->second = nodes_below(*micro_.network, node);
        return found->second;
    }

    const MicroScsp& micro_;
    std::vector<std::vector<std::uint32_t>> watching_;  // by variable: constraints
    Domains domains_;
    std::vector<std::size_t> left_;  // by variable
    std::vector<std::uint8_t> queued_;
    std::vector<std::uint32_t> queue_;
    std::vector<std::uint8_t> supported_;  // by place in the scope and value
    std::size_t stride_ = 0;
    bool failed_ = false;
    std::uint64_t work_ = 0;
    std::vector<Truth> truth_;  // by node
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> cones_;
};

class Preprocessing {
public:
    Preprocessing(MicroScsp& micro, const PreprocessOptions& options) : micro_(micro), options_(options) {}

    Preprocessed run() {
        // Each step can make room for another one.
        for (bool changed = true; changed && micro_.consistent;) {
            changed = false;
            if (options_.merge) changed = merge() || changed;
            if (options_.unary) changed = take_in_unary() || changed;
            if (options_.universal) changed = drop_universal() || changed;
            if (!changed && options_.singleton && micro_.consistent) changed = make_singleton_consistent();
        }
        return done_;
    }

private:
    // Tuples with values that are gone are gone as well.
    void restrict_tables() {
        for (Constraint& constraint : micro_.constraints) {
            if (!constraint.table) continue;
            const std::size_t arity = constraint.scope.size();
            std::vector<Value> kept;
            for (std::size_t i = 0; i < constraint.count(); ++i) {
                const auto tuple = constraint.tuple(i);
                bool valid = true;
                for (std::size_t k = 0; k < arity && valid; ++k) {
                    valid =
                        std::ranges::binary_search(micro_.variables[constraint.scope[k]].domain, tuple[k]);
                }
                if (valid) kept.insert(kept.end(), tuple.begin(), tuple.end());
            }
            constraint.tuples = std::move(kept);
            if (constraint.tuples.empty()) micro_.consistent = false;
        }
    }

    bool merge() {
        std::map<std::vector<VariableId>, std::size_t> first;
        std::vector<Constraint> kept;
        bool changed = false;
        for (Constraint& constraint : micro_.constraints) {
            const auto [found, added] = first.try_emplace(constraint.scope, kept.size());
            if (added) {
                kept.push_back(std::move(constraint));
                continue;
            }
            join(kept[found->second], std::move(constraint));
            ++done_.merged;
            changed = true;
        }
        micro_.constraints = std::move(kept);
        return changed;
    }

    void join(Constraint& into, Constraint from) {
        if (!into.table && from.table) std::swap(into, from);
        if (into.rule != from.rule) into.rule = Rule::other;
        if (!into.table) {
            into.links.insert(into.links.end(), from.links.begin(), from.links.end());
            return;
        }
        ConstraintEvaluator evaluator(micro_);
        std::vector<Value> assignment(micro_.variables.size(), 0);
        std::vector<Value> both;
        for (std::size_t i = 0; i < into.count(); ++i) {
            const auto tuple = into.tuple(i);
            for (std::size_t k = 0; k < tuple.size(); ++k) assignment[into.scope[k]] = tuple[k];
            if (evaluator.allows(from, assignment)) both.insert(both.end(), tuple.begin(), tuple.end());
        }
        into.tuples = std::move(both);
        if (into.tuples.empty()) micro_.consistent = false;
    }

    bool take_in_unary() {
        ConstraintEvaluator evaluator(micro_);
        std::vector<Value> assignment(micro_.variables.size(), 0);
        const std::size_t gone = std::erase_if(micro_.constraints, [&](const Constraint& constraint) {
            if (constraint.scope.size() != 1) return false;
            const VariableId v = constraint.scope[0];
            done_.unary_values += std::erase_if(micro_.variables[v].domain, [&](Value value) {
                assignment[v] = value;
                return !evaluator.allows(constraint, assignment);
            });
            if (micro_.variables[v].domain.empty()) micro_.consistent = false;
            return true;
        });
        done_.unary += gone;
        if (gone != 0) restrict_tables();
        return gone != 0;
    }

    bool drop_universal() {
        restrict_tables();
        const std::size_t before = done_.universal + done_.emptied;
        if (!micro_.consistent) return false;
        std::erase_if(micro_.constraints, [&](Constraint& constraint) {
            if (!constraint.table) return false;
            for (std::size_t k = constraint.scope.size(); k-- > 0;) {
                if (!drop_if_universal(constraint, k)) continue;
                ++done_.universal;
                if (!constraint.scope.empty()) continue;
                ++done_.emptied;
                return true;
            }
            return false;
        });
        return done_.universal + done_.emptied != before;
    }

    // Universal: what is allowed of the others goes with each of its values.
    [[nodiscard]] bool drop_if_universal(Constraint& constraint, std::size_t place) const {
        const std::size_t arity = constraint.scope.size();
        const std::size_t values = micro_.variables[constraint.scope[place]].domain.size();
        if (constraint.count() % values != 0) return false;
        std::vector<std::vector<Value>> others;
        for (std::size_t i = 0; i < constraint.count(); ++i) {
            const auto tuple = constraint.tuple(i);
            auto& other = others.emplace_back(tuple.begin(), tuple.end());
            other.erase(other.begin() + static_cast<std::ptrdiff_t>(place));
        }
        std::ranges::sort(others);
        others.erase(std::unique(others.begin(), others.end()), others.end());
        if (others.size() * values != constraint.count()) return false;
        constraint.scope.erase(constraint.scope.begin() + static_cast<std::ptrdiff_t>(place));
        constraint.tuples.clear();
        if (arity > 1) {
            for (const auto& other : others)
                constraint.tuples.insert(constraint.tuples.end(), other.begin(), other.end());
        }
        return true;
    }

    bool make_singleton_consistent() {
        if (!done_.complete) return false;
        Consistency consistency(micro_);
        bool possible = consistency.filter_all();
        for (bool changed = true; changed && possible && done_.complete;) {
            changed = false;
            for (VariableId v = 0; v < micro_.variables.size() && possible && done_.complete; ++v) {
                for (const Value value : micro_.variables[v].domain) {
                    if (!possible || !consistency.has(v, value)) continue;
                    if (work_ + consistency.work() > options_.most_work ||
                        options_.limits.reached() != Stop::none) {
                        done_.complete = false;
                        break;
                    }
                    const auto saved = consistency.save();
                    const bool fits = consistency.fix(v, value);
                    consistency.restore(saved);
                    if (fits) continue;
                    changed = true;
                    possible = consistency.exclude(v, value);
                }
            }
        }
        work_ += consistency.work();
        std::size_t removed = 0;
        for (VariableId v = 0; v < micro_.variables.size(); ++v) {
            removed += std::erase_if(micro_.variables[v].domain,
                                     [&](Value value) { return !possible || !consistency.has(v, value); });
        }
        micro_.consistent = possible;
        done_.singleton_values += removed;
        restrict_tables();
        return removed != 0;
    }

    MicroScsp& micro_;
    const PreprocessOptions& options_;
    Preprocessed done_;
    std::uint64_t work_ = 0;
};

}  // namespace

Preprocessed preprocess(MicroScsp& micro, const PreprocessOptions& options) {
    return Preprocessing(micro, options).run();
}

bool make_arc_consistent(MicroScsp& micro) {
    Consistency consistency(micro);
    const bool possible = consistency.filter_all();
    for (VariableId v = 0; v < micro.variables.size(); ++v) {
        std::erase_if(micro.variables[v].domain, [&](Value value) { return !consistency.has(v, value); });
    }
    micro.consistent = micro.consistent && possible;
    return possible;
}

}  // namespace zermelo::scsp
