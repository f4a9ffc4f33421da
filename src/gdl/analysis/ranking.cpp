#include "gdl/analysis/ranking.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "gdl/analysis/invariants.hpp"
#include "gdl/circuit/effects.hpp"

namespace zermelo::gdl {

namespace {

// Beyond these the proof would cost more than it is worth, or its bound would be of no use.
constexpr std::size_t most_gate_evaluations = 50'000'000;  // of gates
constexpr std::uint64_t most_rank = 100'000;
constexpr int most_reasons = 3;  // disjunctions that are taken apart, one inside another

// A condition on a state: that none of `fluents` holds (`none`), or that the one fluent does.
struct Condition {
    std::vector<std::uint32_t> fluents;
    bool none;
};

std::vector<Condition> conditions_of(const Network& network) {
    std::vector<Condition> conditions;
    std::map<std::pair<std::size_t, std::vector<TermId>>, std::vector<std::uint32_t>> alike;
    for (std::uint32_t f = 0; f < network.fluents.size(); ++f) {
        conditions.push_back({{f}, false});
        conditions.push_back({{f}, true});
        const TermId term = network.fluents[f];
        const auto arguments = network.terms.arguments(term);
        for (std::size_t place = 0; place < arguments.size(); ++place) {
            std::vector<TermId> rest = {network.terms.symbol(term)};
            rest.insert(rest.end(), arguments.begin(), arguments.end());
            rest[place + 1] = ~TermId{0};
            alike[{place, std::move(rest)}].push_back(f);
        }
    }
    for (auto& [key, fluents] : alike) {
        if (fluents.size() > 1) conditions.push_back({std::move(fluents), true});
    }
    return conditions;
}

using Groups = std::vector<std::vector<std::uint32_t>>;  // of fluents

// What is known of a state, as truth values of the nodes of a circuit. Of each of the groups at most one
// fluent holds.
class Knowledge {
public:
    Knowledge(const Circuit& circuit, const Groups& mutex_groups)
        : circuit_(circuit), mutex_groups_(mutex_groups), truth_(circuit.nodes(), Truth::unknown) {
        truth_[0] = Truth::yes;
    }

    [[nodiscard]] Truth of(Signal s) const { return s.negated() ? !truth_[s.node()] : truth_[s.node()]; }
    [[nodiscard]] Truth of_fluent(std::uint32_t f) const { return truth_[1 + f]; }

    // False where this contradicts what is known.
    bool learn(Signal s) {
        const Truth wanted = s.negated() ? Truth::no : Truth::yes;
        Truth& truth = truth_[s.node()];
        consistent_ = consistent_ && (truth == Truth::unknown || truth == wanted);
        changed_ = changed_ || truth != wanted;
        truth = wanted;
        return consistent_;
    }

    // Unit propagation, up and down the circuit, to its fixpoint.
    bool settle(std::size_t& evaluations) {
        do {
            changed_ = false;
            evaluations += 2 * circuit_.nodes();
            for (const auto& group : mutex_groups_) exclude(group);
            for (std::uint32_t gate = circuit_.first_gate(); gate < circuit_.nodes(); ++gate) upwards(gate);
            for (std::uint32_t gate = circuit_.nodes(); gate-- > circuit_.first_gate();) downwards(gate);
        } while (changed_ && consistent_);
        return consistent_;
    }

private:
    void exclude(const std::vector<std::uint32_t>& group) {
        const auto holding =
            std::ranges::find_if(group, [&](std::uint32_t f) { return of_fluent(f) == Truth::yes; });
        if (holding == group.end()) return;
        for (const std::uint32_t f : group) {
            if (f != *holding) learn(Signal(1 + f, true));
        }
    }

    void upwards(std::uint32_t gate) {
        Truth truth = Truth::yes;
        for (const Signal s : circuit_.inputs_of(gate)) {
            if (of(s) == Truth::no) {
                truth = Truth::no;
                break;
            }
            if (of(s) == Truth::unknown) truth = Truth::unknown;
        }
        if (truth != Truth::unknown) learn(Signal(gate, truth == Truth::no));
    }

    void downwards(std::uint32_t gate) {
        if (truth_[gate] == Truth::yes) {
            for (const Signal s : circuit_.inputs_of(gate)) learn(s);
        } else if (truth_[gate] == Truth::no) {
            std::optional<Signal> open;
            for (const Signal s : circuit_.inputs_of(gate)) {
                if (of(s) == Truth::yes) continue;
                if (of(s) == Truth::no || open) return;
                open = s;
            }
            if (open) learn(!*open);
        }
    }

    const Circuit& circuit_;
    const Groups& mutex_groups_;
    std::vector<Truth> truth_;
    bool consistent_ = true;
    bool changed_ = false;
};

// A legal move in a state of which something is known: the conditions that it certainly ends, and those that
// it may begin.
struct Descent {
    std::vector<std::uint32_t> ends;
    std::vector<std::uint32_t> begins;
    friend auto operator<=>(const Descent&, const Descent&) = default;
};

class Ranking {
public:
    Ranking(const Machine& machine, const Limits& limits)
        : network_(machine.network()),
          limits_(limits),
          effects_(network_),
          conditions_(conditions_of(network_)) {
        mutex_groups_ = find_invariants(machine, 5, limits).mutex_candidates;
        mentioned_in_.resize(network_.fluents.size());
        for (std::uint32_t t = 0; t < conditions_.size(); ++t) {
            for (const std::uint32_t f : conditions_[t].fluents) mentioned_in_[f].push_back(t);
        }
    }

    std::optional<std::size_t> bound(const ForwardAnalysis& analysis, const State& start) {
        for (const JointMove& joint : joint_moves(analysis)) effects_of_moves_.push_back({joint, {}});
        for (MoveEffect& effect : effects_of_moves_) {
            for (const Effects::Change& change : effects_.changes(effect.joint))
                effect.next[change.fluent] = change.next;
        }
        prove_mutex_groups(start);
        for (const MoveEffect& effect : effects_of_moves_) {
            if (!descend(effect)) return std::nullopt;
        }
        // Which weights make the smallest sum is a linear programme; three guesses do well.
        std::optional<std::size_t> best;
        for (const auto eligible : {&any_condition, &is_fluent, &is_none}) {
            const auto rank = rank_by(eligible, start);
            if (rank && (!best || *rank < *best)) best = rank;
        }
        return best;
    }

private:
    struct MoveEffect {
        JointMove joint;
        std::map<std::uint32_t, Signal> next;  // of the fluents that may change
    };

    // Every way in which the roles may move together, as far as one of them at most has a choice.
    static std::set<JointMove> joint_moves(const ForwardAnalysis& analysis) {
        std::set<JointMove> all;
        for (const ForwardAnalysis::Step& step : analysis.steps) {
            if (step.last()) continue;
            JointMove joint;
            std::size_t mover = 0;
            for (std::size_t r = 0; r < step.possible.size(); ++r) {
                joint.push_back(step.possible[r].front());
                if (step.possible[r].size() > 1) mover = r;
            }
            for (const MoveId m : step.possible[mover]) {
                joint[mover] = m;
                all.insert(joint);
            }
        }
        return all;
    }

    // Keeps the groups of which at most one fluent holds at the start, and after every move if so before.
    void prove_mutex_groups(const State& start) {
        std::erase_if(mutex_groups_, [&](const auto& group) {
            return std::ranges::count_if(group, [&](std::uint32_t f) {
                       return holds({{f}, false}, start);
                   }) > 1;
        });
        for (bool changed = true; changed;) {
            changed = std::erase_if(mutex_groups_, [&](const auto& group) {
                          return !std::ranges::all_of(effects_of_moves_, [&](const MoveEffect& effect) {
                              return stays_mutex(group, effect);
                          });
                      }) > 0;
        }
    }

    bool stays_mutex(const std::vector<std::uint32_t>& group, const MoveEffect& effect) {
        if (evaluations_ > most_gate_evaluations) return false;
        const auto next_of = [&](std::uint32_t f) {
            const auto changed = effect.next.find(f);
            return changed == effect.next.end() ? Signal(1 + f, false) : changed->second;
        };
        return std::ranges::all_of(group, [&](std::uint32_t f) {
            if (!effect.next.contains(f)) return true;
            Knowledge known = assume_made(effect);
            if (!known.learn(next_of(f)) || !settle(known)) return true;
            return std::ranges::all_of(
                group, [&](std::uint32_t g) { return g == f || known.of(next_of(g)) == Truth::no; });
        });
    }

    // The moves are legal, and the state is not terminal.
    [[nodiscard]] Knowledge assume_made(const MoveEffect& effect) const {
        Knowledge known(effects_.circuit(), mutex_groups_);
        known.learn(!effects_.of_state(network_.terminal));
        for (const Signal reason : reasons_of(effect)) known.learn(reason);
        return known;
    }

    [[nodiscard]] std::vector<Signal> reasons_of(const MoveEffect& effect) const {
        std::vector<Signal> reasons;
        for (std::size_t r = 0; r < effect.joint.size(); ++r)
            reasons.push_back(effects_.of_state(network_.moves[r][effect.joint[r]].legal));
        return reasons;
    }

    bool settle(Knowledge& known) {
        if (const Stop stop = limits_.reached(); stop != Stop::none)
            throw LimitReached(stop, "while bounding the length of the game", "raise the limit");
        return known.settle(evaluations_);
    }

    bool descend(const MoveEffect& effect) {
        return descend(effect, assume_made(effect), reasons_of(effect), most_reasons);
    }

    // Takes the first disjunction that makes the move legal apart, if there is one.
    bool descend(const MoveEffect& effect, Knowledge known, const std::vector<Signal>& reasons, int depth) {
        if (evaluations_ > most_gate_evaluations) return false;
        if (!settle(known)) return true;
        const auto open = depth > 0 ? open_disjunction(known, reasons) : std::nullopt;
        if (!open) {
            Descent descent = compare(effect, known);
            if (descent.ends.empty()) return false;
            descents_.insert(std::move(descent));
            return true;
        }
        for (const Signal input : effects_.circuit().inputs_of(*open)) {
            Knowledge one = known;
            if (!one.learn(!input)) continue;
            std::vector<Signal> further = reasons;
            further.push_back(!input);
            if (!descend(effect, std::move(one), further, depth - 1)) return false;
        }
        return true;
    }

    // A gate that is false, and not yet because of one of its inputs, on the way down from the reasons.
    [[nodiscard]] std::optional<std::uint32_t> open_disjunction(const Knowledge& known,
                                                                std::vector<Signal> reasons) const {
        const Circuit& circuit = effects_.circuit();
        for (std::size_t i = 0; i < reasons.size(); ++i) {
            const Signal s = reasons[i];
            if (s.node() < circuit.first_gate()) continue;
            const auto inputs = circuit.inputs_of(s.node());
            if (!s.negated()) {
                reasons.insert(reasons.end(), inputs.begin(), inputs.end());
            } else if (std::ranges::none_of(inputs, [&](Signal x) { return known.of(x) == Truth::no; })) {
                return s.node();
            }
        }
        return std::nullopt;
    }

    [[nodiscard]] Descent compare(const MoveEffect& effect, const Knowledge& known) const {
        const auto& next = effect.next;
        std::set<std::uint32_t> touched;
        for (const auto& [fluent, signal] : next)
            touched.insert(mentioned_in_[fluent].begin(), mentioned_in_[fluent].end());
        const auto value = [&](std::uint32_t f) {
            const auto changed = next.find(f);
            return changed == next.end() ? known.of_fluent(f) : known.of(changed->second);
        };
        // Where the next value is `f and ...`, it does not rise; where it is `f or ...`, it does not fall.
        const auto keeps = [&](std::uint32_t f, bool falling) {
            const auto changed = next.find(f);
            if (changed == next.end()) return true;
            const Signal own(1 + f, falling);
            if (changed->second.node() < effects_.circuit().first_gate() ||
                changed->second.negated() != falling)
                return false;
            const auto inputs = effects_.circuit().inputs_of(changed->second.node());
            return std::ranges::find(inputs, own) != inputs.end();
        };
        Descent result;
        for (const std::uint32_t t : touched) {
            const Condition& condition = conditions_[t];
            const Truth now = truth(condition, [&](std::uint32_t f) { return known.of_fluent(f); });
            const Truth then = truth(condition, value);
            if (now == Truth::yes && then == Truth::no) result.ends.push_back(t);
            if (now == Truth::yes || then == Truth::no) continue;
            const bool cannot = std::ranges::all_of(condition.fluents, [&](std::uint32_t f) {
                return condition.none
                           ? known.of_fluent(f) == Truth::no || value(f) == Truth::yes || keeps(f, true)
                           : keeps(f, false);
            });
            if (!cannot) result.begins.push_back(t);
        }
        return result;
    }

    template <class Value>
    static Truth truth(const Condition& condition, Value value) {
        if (!condition.none) return value(condition.fluents.front());
        Truth none = Truth::yes;
        for (const std::uint32_t f : condition.fluents) {
            const Truth t = value(f);
            if (t == Truth::yes) return Truth::no;
            if (t == Truth::unknown) none = t;
        }
        return none;
    }

    static bool holds(const Condition& condition, const State& state) {
        return truth(condition, [&](std::uint32_t f) {
                   return (state[f / 64] >> (f % 64) & 1) != 0 ? Truth::yes : Truth::no;
               }) == Truth::yes;
    }

    static bool any_condition(const Condition&) { return true; }
    static bool is_fluent(const Condition& condition) { return !condition.none; }
    static bool is_none(const Condition& condition) { return condition.none; }

    // The rank of the state, by weights of conditions that are eligible.
    [[nodiscard]] std::optional<std::size_t> rank_by(bool (*eligible)(const Condition&), const State& state) {
        if (!choose_payers(eligible) || !raise_weights()) return std::nullopt;
        std::uint64_t rank = 0;
        for (std::uint32_t t = 0; t < conditions_.size(); ++t) {
            if (holds(conditions_[t], state)) rank += weight_[t];
        }
        return rank <= most_rank ? std::optional<std::size_t>(rank) : std::nullopt;
    }

    // For each descent the condition whose weight pays for it. One that no move begins again costs least, and
    // one that many moves end is shared by them.
    bool choose_payers(bool (*eligible)(const Condition&)) {
        payers_.clear();
        std::vector<std::uint32_t> begun(conditions_.size(), 0);
        for (const Descent& descent : descents_) {
            for (const std::uint32_t t : descent.begins) ++begun[t];
        }
        std::vector<const Descent*> rest;
        for (const Descent& descent : descents_) rest.push_back(&descent);
        while (!rest.empty()) {
            std::vector<std::uint32_t> ended(conditions_.size(), 0);
            for (const Descent* descent : rest) {
                for (const std::uint32_t t : descent->ends) ended[t] += eligible(conditions_[t]) ? 1 : 0;
            }
            std::optional<std::uint32_t> best;
            for (std::uint32_t t = 0; t < conditions_.size(); ++t) {
                if (ended[t] == 0) continue;
                if (!best || std::pair(begun[t], ended[*best]) < std::pair(begun[*best], ended[t])) best = t;
            }
            if (!best) return false;
            std::erase_if(rest, [&](const Descent* descent) {
                if (!std::ranges::binary_search(descent->ends, *best)) return false;
                payers_.emplace_back(*best, descent);
                return true;
            });
        }
        return true;
    }

    bool raise_weights() {
        weight_.assign(conditions_.size(), 0);
        for (bool changed = true; changed;) {
            changed = false;
            for (const auto& [payer, descent] : payers_) {
                std::uint64_t needed = 1;
                for (const std::uint32_t t : descent->begins) needed += weight_[t];
                if (needed > most_rank) return false;
                if (weight_[payer] >= needed) continue;
                weight_[payer] = needed;
                changed = true;
            }
        }
        return true;
    }

    const Network& network_;
    const Limits& limits_;
    Effects effects_;
    std::vector<Condition> conditions_;
    Groups mutex_groups_;
    std::vector<std::vector<std::uint32_t>> mentioned_in_;  // by fluent: the conditions it is part of
    std::vector<MoveEffect> effects_of_moves_;
    std::set<Descent> descents_;
    std::vector<std::pair<std::uint32_t, const Descent*>> payers_;  // a condition for each descent
    std::vector<std::uint64_t> weight_;                             // by condition
    std::size_t evaluations_ = 0;
};

}  // namespace

std::optional<std::size_t> longest_play(const Machine& machine, const State& start, const Limits& limits) {
    const Network& network = machine.network();
    const ForwardAnalysis all = forward_analysis(network, start, limits);
    std::optional<std::size_t> known;
    if (all.ends) known = all.steps.size() - 1;
    const bool in_turn = std::ranges::all_of(
        all.steps, [](const ForwardAnalysis::Step& step) { return step.last() || step.in_turn(); });
    if (!in_turn || (!all.ends && !all.repeats) || !Effects::supports(network)) return known;
    const auto proven = Ranking(machine, limits).bound(all, start);
    return known && proven ? std::min(known, proven) : known ? known : proven;
}

}  // namespace zermelo::gdl
