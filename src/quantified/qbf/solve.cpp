#include "quantified/qbf/solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <deque>
#include <stdexcept>
#include <unordered_map>

#include "core/clock.hpp"
#include "core/deep_stack.hpp"
#include "model/qbf/booleanise.hpp"
#include "model/structure.hpp"
#include "quantified/qbf/qcdcl.hpp"
#include "strategy/rules/partial_assignment.hpp"

namespace zermelo::quantified {

namespace {

using Signal = model::QuantifiedCircuit::Signal;

struct TooLargeForAStrategy {};

class StrategyReader {
public:
    StrategyReader(const model::Model& model, const model::QuantifiedCircuit& circuit, Qcdcl& solver,
                   const SolveOptions& options, bool truth)
        : circuit_(circuit),
          solver_(solver),
          options_(options),
          owner_(truth ? model::Quantifier::exists : model::Quantifier::forall),
          structure_(analyse(model)),
          assignment_(model, structure_),
          known_moves_(circuit.prefix.size()),
          values_(static_cast<std::size_t>(circuit.inputs()) + 1, 0) {}

    strategy::Strategy run() { return builder_.extract(at_block(0), owner_); }

private:
    struct Moves {
        std::vector<Signal> when;
        std::vector<Signal> moves;
    };
    struct KeyHash {
        std::size_t operator()(const Hash128& key) const { return static_cast<std::size_t>(key.low); }
    };

    [[nodiscard]] bool won() const {
        const strategy::Truth truth = assignment_.win();
        return truth == (owner_ == model::Quantifier::exists ? strategy::Truth::yes : strategy::Truth::no);
    }

    strategy::NodeId at_block(std::size_t b) {
        if (won()) return strategy::decided;
        if (b == circuit_.prefix.size()) throw std::logic_error("a play of the winner's strategy is lost");
        if (circuit_.prefix[b].quantifier != owner_) return opponent(b, 0);
        const Hash128 key = assignment_.residue();
        if (const auto found = nodes_.find(key); found != nodes_.end()) return found->second;
        const strategy::NodeId node = own(b);
        nodes_.emplace(key, node);
        return node;
    }

    strategy::NodeId opponent(std::size_t b, std::size_t i) {
        check_limits();
        if (won()) return strategy::decided;
        const auto& variables = circuit_.prefix[b].variables;
        if (i == variables.size()) return at_block(b + 1);
        const Hash128 key = assignment_.residue();
        if (const auto found = nodes_.find(key); found != nodes_.end()) return found->second;
        std::vector<strategy::Edge> edges;
        for (const bool value : {false, true}) {
            const auto mark = play(variables[i], value);
            edges.push_back({{value ? 1 : 0}, opponent(b, i + 1)});
            take_back(variables[i], mark);
        }
        const strategy::NodeId node = builder_.node(origin(variables[i]), std::move(edges));
        nodes_.emplace(key, node);
        return node;
    }

    // All variables of the block; those that do not matter are 0.
    strategy::NodeId own(std::size_t b) {
        check_limits();
        const auto mark = assignment_.mark();
        for (const Signal s : moves(b)) values_[static_cast<std::size_t>(std::abs(s))] = s > 0 ? 1 : -1;
        const auto& variables = circuit_.prefix[b].variables;
        std::size_t played = 0;
        for (; played < variables.size() && !won(); ++played) {
            const int v = variables[played];
            (void)play(v, values_[static_cast<std::size_t>(v)] > 0);
        }
        for (std::size_t i = played; i < variables.size(); ++i)
            values_[static_cast<std::size_t>(variables[i])] = 0;
        strategy::NodeId node = played < variables.size() ? strategy::decided : at_block(b + 1);
        for (std::size_t i = played; i-- > 0;) {
            const int v = variables[i];
            node = builder_.node(origin(v), values_[static_cast<std::size_t>(v)] > 0 ? 1 : 0, node);
            values_[static_cast<std::size_t>(v)] = 0;
        }
        assignment_.undo(mark);
        return node;
    }

    const std::vector<Signal>& moves(std::size_t b) {
        const auto holds = [&](Signal s) {
            return values_[static_cast<std::size_t>(std::abs(s))] == (s > 0 ? 1 : -1);
        };
        for (const Moves& known : known_moves_[b]) {
            if (std::ranges::all_of(known.when, holds)) return known.moves;
        }
        std::vector<Signal> assumptions;
        for (std::size_t before = 0; before < b; ++before) {
            for (const int v : circuit_.prefix[before].variables)
                assumptions.push_back(values_[static_cast<std::size_t>(v)] > 0 ? v : -v);
        }
        Qcdcl::Result result = solver_.solve(assumptions);
        if (!result.truth) throw TooLargeForAStrategy{};
        if (*result.truth != (owner_ == model::Quantifier::exists))
            throw std::logic_error("the answer changes along the winner's play");
        known_moves_[b].push_back({std::move(result.reason), std::move(result.moves)});
        return known_moves_[b].back().moves;
    }

    [[nodiscard]] model::VarId origin(int v) const {
        return circuit_.origin[static_cast<std::size_t>(v - 1)];
    }
    strategy::PartialAssignment::Mark play(int v, bool value) {
        const auto mark = assignment_.mark();
        values_[static_cast<std::size_t>(v)] = value ? 1 : -1;
        assignment_.play(origin(v), value ? 1 : 0);
        return mark;
    }
    void take_back(int v, const strategy::PartialAssignment::Mark& mark) {
        assignment_.undo(mark);
        values_[static_cast<std::size_t>(v)] = 0;
    }

    void check_limits() const {
        if (builder_.size() > options_.strategy_nodes || options_.limits.reached() != Stop::none)
            throw TooLargeForAStrategy{};
    }

    const model::QuantifiedCircuit& circuit_;
    Qcdcl& solver_;
    const SolveOptions& options_;
    const model::Quantifier owner_;
    const model::Structure structure_;
    strategy::PartialAssignment assignment_;
    strategy::StrategyBuilder builder_;
    std::unordered_map<Hash128, strategy::NodeId, KeyHash> nodes_;  // by what is left of the formula
    std::vector<std::deque<Moves>> known_moves_;                    // by block
    std::vector<int> values_;  // by variable of the circuit: 1, -1, or 0 for open
};

struct Misfit {
    Place place;
    std::string why;
};

// Why the model is no quantified Boolean formula.
std::optional<Misfit> misfit(const model::Model& model) {
    if (model.strategic) return Misfit{{model.name}, "the model is strategic"};
    if (model.objective) return Misfit{{model.name}, "there is an objective"};
    if (!model.cuts.empty()) return Misfit{model.cuts.front().place, "there is a cut"};
    for (const model::Block& block : analyse(model).prefix) {
        if (block.rule) return Misfit{block.place, "a block has a rule"};
        for (const model::VarId v : block.variables) {
            if (model.domain(v) != model::Domain(0, 1))
                return Misfit{{model.name}, fmt::format("{} is not Boolean", model.name_of(v))};
        }
    }
    return std::nullopt;
}

void require_formula(const model::Model& model) {
    if (const auto found = misfit(model))
        throw Error(found->place, found->why + ", so this is no quantified Boolean formula",
                    "leave out " + setting("engine", "qcdcl"));
}

void count(SearchStatistics& to, const QcdclStatistics& from) {
    to.nodes = from.decisions;
    to.choices = from.decisions;
    to.failures = from.conflicts;
    to.successes = from.solutions;
    to.propagations = from.propagations;
    to.pure = from.pure;
    to.stored = from.conflicts + from.solutions;
}

void decide_and_certify(Answer& answer, const model::Model& model, const SolveOptions& options) {
    const model::QuantifiedCircuit circuit = booleanise(model, {.limits = options.limits});
    Qcdcl solver(circuit, options.limits, options.pure_values.value_or(false));
    const Qcdcl::Result result = solver.solve({});
    count(answer.statistics, solver.statistics());
    if (!result.truth) {
        answer.stop = options.limits.reached();
        return;
    }
    answer.verdict = *result.truth ? Verdict::won : Verdict::lost;
    answer.uncertified = !options.strategy;
    if (!options.strategy) return;
    with_deep_stack(model.variables.size(), [&] {
        try {
            answer.strategy = StrategyReader(model, circuit, solver, options, *result.truth).run();
        } catch (const TooLargeForAStrategy&) {
            answer.uncertified = true;
        }
    });
}

}  // namespace

// A variable that stands in one clause negated is taken for a gate, too; in a circuit there are more gates than moves.
bool calls_for_learning(const model::Model& model) {
    if (!model.win.empty() || model.constraints.empty() || misfit(model)) return false;
    std::size_t gates = 0;
    for (const model::Constraint& constraint : model.constraints) {
        const auto* clause = std::get_if<model::Clause>(&constraint.body);
        if (!constraint.defines && (clause == nullptr || clause->reified)) return false;
        gates += constraint.defines ? 1 : 0;
    }
    std::size_t moves = 0;
    for (const model::Block& block : model.prefix) moves += block.variables.size();
    return 8 * gates <= moves;
}

Answer solve_by_learning(const model::Model& model, const SolveOptions& options) {
    const auto start = Clock::now();
    const double cpu_start = cpu_seconds();
    require_formula(model);
    Answer answer;
    try {
        decide_and_certify(answer, model, options);
    } catch (const LimitReached& limit) {
        answer.stop = limit.stop();
    }
    answer.statistics.cpu_seconds = cpu_seconds() - cpu_start;
    answer.statistics.wall_seconds = seconds_since(start);
    return answer;
}

}  // namespace zermelo::quantified
