// MAC (Sabin and Freuder 1994) stage by stage: the exact part of MAC-UCB (Piette et al. 2015, section 3), for
// any number of stages.
//
// A stage is divided into two parts. P' are its decisions: all that binds them is kept consistent by Gecode
// while they are enumerated. P'' is its stochastic part: the decisions that share a constraint with chance or
// a utility, the chance variables of the stage, and what binds them. P'' is solved first, one chance variable
// after the other: of the decisions it refutes those that some outcome of positive probability contradicts,
// and those with which the expected utility is bound to stay below what is needed. What is left is a table,
// the constraint c_s of the paper, and is posted to P' before its enumeration begins.
//
// Hard constraints that mention chance variables stay in the network, too. A chance variable of later stages
// that loses a value of positive probability refutes a position at once.

#include <gecode/int.hh>

#include <algorithm>
#include <memory>
#include <set>

#include "kernel/gecode/post.hpp"
#include "kernel/program.hpp"
#include "stochastic/search/front.hpp"

namespace zermelo::stochastic {

namespace {

// The network as Gecode holds it: every variable that matters, as an integer or a Boolean.
class Network final : public Gecode::Space {
public:
    explicit Network(const kernel::Program& program)
        : program_(&program), slot_(program.model.variables.size(), -1) {
        for (std::size_t v = 0; v < slot_.size(); ++v) {
            if (program.structure.domain[v].single() || !program.used[v]) continue;
            if (program.held_as_boolean[v]) {
                slot_[v] = static_cast<int>(booleans_.size());
                booleans_.emplace_back(*this, 0, 1);
            } else {
                slot_[v] = static_cast<int>(integers_.size());
                integers_.push_back(kernel::gecode::make_variable(*this, program.structure.domain[v],
                                                                  program.model.variables[v].name));
            }
        }
        for (auto c = program.cone.rbegin(); c != program.cone.rend(); ++c) post(program.constraint(*c));
        for (const model::Literal literal : program.model.win) demand(literal);
    }
    Network(Network& other) : Space(other), program_(other.program_), slot_(other.slot_) {
        integers_.resize(other.integers_.size());
        booleans_.resize(other.booleans_.size());
        for (std::size_t i = 0; i < integers_.size(); ++i) integers_[i].update(*this, other.integers_[i]);
        for (std::size_t i = 0; i < booleans_.size(); ++i) booleans_[i].update(*this, other.booleans_[i]);
    }
    Gecode::Space* copy() override { return new Network(*this); }
    [[nodiscard]] std::unique_ptr<Network> fork() {
        return std::unique_ptr<Network>(static_cast<Network*>(clone()));
    }

    void post(const model::Constraint& constraint) {
        if (failed()) return;
        kernel::gecode::Poster poster(*this, [this](model::VarId v) -> kernel::gecode::Poster::Operand {
            if (constant(v)) return kernel::gecode::Poster::Operand{static_cast<int>(domain(v).low())};
            if (program_->held_as_boolean[static_cast<std::size_t>(v)]) return booleans_[slot(v)];
            return integers_[slot(v)];
        });
        poster.post(constraint);
    }
    void assign(model::VarId v, model::Value value) {
        if (failed()) return;
        if (constant(v)) {
            if (domain(v).low() != value) fail();
        } else if (program_->held_as_boolean[static_cast<std::size_t>(v)]) {
            Gecode::rel(*this, booleans_[slot(v)], Gecode::IRT_EQ, static_cast<int>(value));
        } else {
            Gecode::rel(*this, integers_[slot(v)], Gecode::IRT_EQ, static_cast<int>(value));
        }
    }
    void demand(model::Literal literal) { assign(literal.variable, literal.positive ? 1 : 0); }

    [[nodiscard]] model::Value low(model::VarId v) const {
        if (constant(v)) return domain(v).low();
        return program_->held_as_boolean[static_cast<std::size_t>(v)] ? booleans_[slot(v)].min()
                                                                      : integers_[slot(v)].min();
    }
    [[nodiscard]] model::Value high(model::VarId v) const {
        if (constant(v)) return domain(v).high();
        return program_->held_as_boolean[static_cast<std::size_t>(v)] ? booleans_[slot(v)].max()
                                                                      : integers_[slot(v)].max();
    }
    [[nodiscard]] bool fixed(model::VarId v) const { return low(v) == high(v); }
    [[nodiscard]] bool allows(model::VarId v, model::Value value) const {
        if (value < low(v) || value > high(v)) return false;
        return constant(v) || program_->held_as_boolean[static_cast<std::size_t>(v)] ||
               integers_[slot(v)].in(static_cast<int>(value));
    }
    [[nodiscard]] std::vector<model::Value> values(model::VarId v) const {
        std::vector<model::Value> result;
        for (model::Value value = low(v); value <= high(v); ++value) {
            if (allows(v, value)) result.push_back(value);
        }
        return result;
    }

private:
    [[nodiscard]] std::size_t slot(model::VarId v) const {
        return static_cast<std::size_t>(slot_[static_cast<std::size_t>(v)]);
    }
    [[nodiscard]] bool constant(model::VarId v) const { return slot_[static_cast<std::size_t>(v)] < 0; }
    [[nodiscard]] const model::Domain& domain(model::VarId v) const {
        return program_->structure.domain[static_cast<std::size_t>(v)];
    }

    const kernel::Program* program_;
    std::vector<int> slot_;  // by variable; -1 where there is a single value, or nothing reads it
    std::vector<Gecode::IntVar> integers_;
    std::vector<Gecode::BoolVar> booleans_;
};

// The model with a demand, always true, on everything that a utility depends on: so it is in the cone.
model::Model with_utilities_in_cone(const StochasticModel& model) {
    model::Model result = model.model;
    const auto ask_for = [&](model::VarId v) {
        result.constraints.push_back(
            {model::Member{v, model.structure.domain[static_cast<std::size_t>(v)], std::nullopt}});
    };
    for (const UtilityTerm& worth : model.utility_terms) ask_for(worth.amount);
    for (const model::VarId v : model.satisfied) ask_for(v);
    return result;
}

class Mac {
public:
    Mac(const StochasticModel& model, const SolveOptions& options, Statistics& statistics)
        : m_(model),
          question_(options.question),
          model_with_utilities_(with_utilities_in_cone(model)),
          program_(model_with_utilities_),
          statistics_(statistics),
          counter_(options, statistics) {
        find_stochastic_decisions();
    }

    std::optional<Policy> run() {
        Network network(program_);
        Floor nothing(static_cast<std::size_t>(m_.players()));
        if (!propagate(network, 0)) return std::nullopt;
        if (m_.players() > 1 && question_ == Question::best) {
            const auto point = backward_induction(network, 0);
            if (!point) return std::nullopt;
            return policies_.extract(point->node, point->utilities);
        }
        Window window{std::move(nothing), std::nullopt};
        if (question_ == Question::solution) window = {m_.thresholds, m_.thresholds};
        const Front front = search(network, 0, window);
        if (front.empty()) return std::nullopt;
        const Point* enough = front.enough(window);
        const Point& point = enough != nullptr ? *enough : front.points().front();
        return policies_.extract(point.node, point.utilities);
    }

private:
    using Pointer = std::unique_ptr<Network>;

    [[nodiscard]] const Turn& turn(std::size_t t) const { return m_.order[t]; }
    [[nodiscard]] bool stage_begins(std::size_t t) const {
        return turn(t).decision() && (t == 0 || turn(t - 1).stage != turn(t).stage);
    }

    // ---- the two parts of a stage

    // Decisions that stand with a chance variable in one constraint or probability table, or in a utility.
    void find_stochastic_decisions() {
        const std::size_t count = model_with_utilities_.variables.size();
        std::vector<std::set<model::VarId>> made_of(
            count);  // by variable: the decisions and chance variables below it
        std::vector<bool> by_chance(count, false);
        for (const Turn& now : m_.order) {
            made_of[static_cast<std::size_t>(now.variable)].insert(now.variable);
            by_chance[static_cast<std::size_t>(now.variable)] = !now.decision();
        }
        const auto below = [&](const model::Constraint& constraint) {
            std::set<model::VarId> all;
            each_variable(constraint, [&](model::VarId v) {
                const auto& part = made_of[static_cast<std::size_t>(v)];
                all.insert(part.begin(), part.end());
            });
            return all;
        };
        for (const int c : program_.structure.definitions)
            made_of[static_cast<std::size_t>(program_.structure.output[static_cast<std::size_t>(c)])] =
                below(program_.constraint(c));
        stochastic_.assign(count, false);
        const auto mark = [&](const std::set<model::VarId>& scope) {
            for (const model::VarId v : scope) stochastic_[static_cast<std::size_t>(v)] = true;
        };
        for (const int c : program_.structure.winning) {
            const auto scope = below(program_.constraint(c));
            if (std::any_of(scope.begin(), scope.end(),
                            [&](model::VarId v) { return by_chance[static_cast<std::size_t>(v)]; }))
                mark(scope);
        }
        for (const UtilityTerm& worth : m_.utility_terms)
            mark(made_of[static_cast<std::size_t>(worth.amount)]);
        for (const model::VarId v : m_.satisfied) mark(made_of[static_cast<std::size_t>(v)]);
        for (const model::Literal literal : m_.model.win)
            mark(made_of[static_cast<std::size_t>(literal.variable)]);
        for (const Chance& chance : m_.chances) mark({chance.scope.begin(), chance.scope.end()});
    }

    // Solves P'' and posts c_s; false when it refutes everything.
    bool post_stochastic_part(Network& network, std::size_t first, const Floor& low) {
        constexpr std::size_t most_tuples = 4096;  // more cost more than they save
        std::vector<model::VarId> scope;
        std::vector<std::vector<model::Value>> values;
        std::size_t tuples = 1;
        std::size_t chance = first;  // the first chance variable of the stage
        for (; chance < m_.order.size() && turn(chance).decision(); ++chance) {
            const model::VarId v = turn(chance).variable;
            if (!stochastic_[static_cast<std::size_t>(v)] || network.fixed(v)) continue;
            scope.push_back(v);
            values.push_back(network.values(v));
            tuples *= values.back().size();
            if (tuples > most_tuples) return true;
        }
        if (scope.empty()) return true;
        model::Table left{scope, {}, std::nullopt};
        std::vector<model::Value> tuple(scope.size());
        solve_stochastic_part(network, chance, low, scope, values, 0, tuple, left.rows);
        if (left.rows.size() == tuples * scope.size()) return true;
        if (left.rows.empty()) return false;
        network.post({std::move(left)});
        return propagate(network, first);
    }

    void solve_stochastic_part(Network& network, std::size_t chance, const Floor& low,
                               const std::vector<model::VarId>& scope,
                               const std::vector<std::vector<model::Value>>& values, std::size_t at,
                               std::vector<model::Value>& tuple, std::vector<model::Value>& rows) {
        if (at == scope.size()) {
            ++statistics_.tuples;
            const auto most = upper_bound(network, chance);
            if (most && !below(*most, low)) {
                rows.insert(rows.end(), tuple.begin(), tuple.end());
            } else {
                ++statistics_.refuted;
            }
            return;
        }
        for (const model::Value value : values[at]) {
            tuple[at] = value;
            const Pointer next = after(network, scope[at], value, chance);
            if (next) {
                solve_stochastic_part(*next, chance, low, scope, values, at + 1, tuple, rows);
            } else {
                ++statistics_.refuted;
            }
        }
    }

    // The most that can be expected behind the chance variables of this stage; nothing when it is infeasible.
    std::optional<Rationals> upper_bound(Network& network, std::size_t t) {
        counter_.check_limits();
        if (t == m_.order.size() || turn(t).decision()) return bounds(network).most;
        const Chance& chance = m_.chance_at(turn(t));
        const auto row = row_known(network, chance);
        if (!row) return bounds(network).most;  // it depends on decisions that P'' leaves open
        Rationals sum(static_cast<std::size_t>(m_.players()), 0);
        for (std::size_t i = 0; i < chance.values.size(); ++i) {
            if (chance.probability(*row, i) == 0) continue;
            const Pointer next = after(network, chance.variable, chance.values[i], t + 1);
            if (!next) return std::nullopt;
            const auto most = upper_bound(*next, t + 1);
            if (!most) return std::nullopt;
            for (std::size_t p = 0; p < sum.size(); ++p) sum[p] += chance.probability(*row, i) * (*most)[p];
        }
        return sum;
    }

    // ---- positions

    bool propagate(Network& network, std::size_t next_turn) {
        Gecode::StatusStatistics propagation;
        const bool consistent =
            network.status(propagation) != Gecode::SS_FAILED && chance_is_intact(network, next_turn);
        statistics_.propagations += propagation.propagate;
        if (!consistent) ++statistics_.failures;
        return consistent;
    }

    [[nodiscard]] bool chance_is_intact(const Network& network, std::size_t from) const {
        for (std::size_t t = from; t < m_.order.size(); ++t) {
            if (turn(t).decision()) continue;
            const Chance& chance = m_.chance_at(turn(t));
            const auto row = row_known(network, chance);
            if (!row) continue;
            for (std::size_t i = 0; i < chance.values.size(); ++i) {
                if (chance.probability(*row, i) > 0 && !network.allows(chance.variable, chance.values[i]))
                    return false;
            }
        }
        return true;
    }

    [[nodiscard]] static std::optional<std::size_t> row_known(const Network& network, const Chance& chance) {
        if (!std::all_of(chance.scope.begin(), chance.scope.end(),
                         [&](model::VarId v) { return network.fixed(v); }))
            return std::nullopt;
        return chance.row([&](model::VarId v) { return network.low(v); });
    }

    // The position after a move, or nothing when it is inconsistent.
    Pointer after(Network& network, model::VarId variable, model::Value value, std::size_t next_turn) {
        if (!network.allows(variable, value)) return nullptr;
        Pointer next = network.fork();
        next->assign(variable, value);
        if (!propagate(*next, next_turn)) return nullptr;
        return next;
    }

    [[nodiscard]] Bounds bounds(const Network& network) const {
        const Rationals nothing(static_cast<std::size_t>(m_.players()), 0);
        Bounds result{nothing, nothing};
        for (const UtilityTerm& worth : m_.utility_terms) {
            const auto p = static_cast<std::size_t>(worth.player);
            const bool rising = worth.factor > 0;
            result.most[p] +=
                worth.factor * (rising ? network.high(worth.amount) : network.low(worth.amount));
            result.least[p] +=
                worth.factor * (rising ? network.low(worth.amount) : network.high(worth.amount));
        }
        if (m_.satisfied.empty()) return result;
        bool all = true;
        bool none = false;
        for (const model::VarId v : m_.satisfied) {
            all = all && network.low(v) == 1;
            none = none || network.high(v) == 0;
        }
        for (std::size_t p = 0; p < nothing.size(); ++p) {
            if (all) result.least[p] += 1;
            if (!none) result.most[p] += 1;
        }
        return result;
    }

    // ---- search

    Front search(Network& network, std::size_t t, const Window& window) {
        counter_.node();
        const Bounds now = bounds(network);
        if (below(now.most, window.low)) {
            ++statistics_.pruned;
            return {};
        }
        if (t == m_.order.size()) {
            Front front;
            front.add({now.most, leaf});
            return front;
        }
        if (stage_begins(t)) {
            const Pointer stage = network.fork();
            return post_stochastic_part(*stage, t, window.low) ? decide(*stage, t, window) : Front();
        }
        return turn(t).decision() ? decide(network, t, window) : mix(network, t, window);
    }

    Front decide(Network& network, std::size_t t, const Window& window) {
        Front front;
        for (const model::Value value : network.values(turn(t).variable)) {
            if (front.enough(window) != nullptr) break;
            const Pointer next = after(network, turn(t).variable, value, t + 1);
            if (!next) continue;
            if (!front.empty() && front.covers(bounds(*next).most)) {
                ++statistics_.pruned;
                continue;
            }
            const Front found = search(*next, t + 1, narrowed(window, front));
            for (const Point& point : found.points())
                front.add({point.utilities, policies_.decision(turn(t).variable, value, point.node)});
        }
        return front;
    }

    struct Outcome {
        Mixture::Branch branch;
        Pointer network;
    };

    // The outcomes of a chance variable; none when one of them is impossible.
    std::vector<Outcome> outcomes(Network& network, std::size_t t) {
        const Chance& chance = m_.chance_at(turn(t));
        const std::size_t row = *row_known(network, chance);
        std::vector<Outcome> result;
        for (std::size_t i = 0; i < chance.values.size(); ++i) {
            const Rational& probability = chance.probability(row, i);
            if (probability == 0) continue;
            Pointer next = after(network, chance.variable, chance.values[i], t + 1);
            if (!next) return {};
            Bounds ahead = bounds(*next);
            result.push_back({{chance.values[i], probability, std::move(ahead)}, std::move(next)});
        }
        return result;
    }

    Front mix(Network& network, std::size_t t, const Window& window) {
        const auto all = outcomes(network, t);
        if (all.empty()) return {};
        std::vector<Mixture::Branch> branches;
        for (const Outcome& outcome : all) branches.push_back(outcome.branch);
        Mixture mixture(window, std::move(branches));
        if (mixture.hopeless()) {
            ++statistics_.pruned;
            return {};
        }
        for (std::size_t b = 0; b < all.size(); ++b) {
            if (!mixture.add(b, search(*all[b].network, t + 1, mixture.window_of(b)))) return {};
        }
        return mixture.result(turn(t).variable, policies_);
    }

    // Backward induction: everybody decides for its own expected utility.
    std::optional<Point> backward_induction(Network& network, std::size_t t) {
        counter_.node();
        if (t == m_.order.size()) return Point{bounds(network).most, leaf};
        if (stage_begins(t)) {
            const Pointer stage = network.fork();
            const Floor nothing(static_cast<std::size_t>(m_.players()));
            if (!post_stochastic_part(*stage, t, nothing)) return std::nullopt;
            return choose(*stage, t);
        }
        return turn(t).decision() ? choose(network, t) : expect(network, t);
    }

    std::optional<Point> choose(Network& network, std::size_t t) {
        const auto owner = static_cast<std::size_t>(turn(t).owner);
        std::optional<Point> best;
        for (const model::Value value : network.values(turn(t).variable)) {
            const Pointer next = after(network, turn(t).variable, value, t + 1);
            if (!next) continue;
            if (best && bounds(*next).most[owner] <= best->utilities[owner]) {
                ++statistics_.pruned;
                continue;
            }
            auto found = backward_induction(*next, t + 1);
            if (!found || (best && found->utilities[owner] <= best->utilities[owner])) continue;
            found->node = policies_.decision(turn(t).variable, value, found->node);
            best = std::move(found);
        }
        return best;
    }

    std::optional<Point> expect(Network& network, std::size_t t) {
        const auto all = outcomes(network, t);
        if (all.empty()) return std::nullopt;
        Rationals sum(static_cast<std::size_t>(m_.players()), 0);
        std::vector<PolicyEdge> edges;
        for (const Outcome& outcome : all) {
            const auto found = backward_induction(*outcome.network, t + 1);
            if (!found) return std::nullopt;
            for (std::size_t p = 0; p < sum.size(); ++p)
                sum[p] += outcome.branch.probability * found->utilities[p];
            edges.push_back({{outcome.branch.value}, outcome.branch.probability, found->node});
        }
        return Point{std::move(sum), policies_.node(turn(t).variable, std::move(edges))};
    }

    const StochasticModel& m_;
    Question question_;
    model::Model model_with_utilities_;
    kernel::Program program_;
    std::vector<bool> stochastic_;  // by variable: a decision of P'', or a chance variable
    Statistics& statistics_;
    NodeCounter counter_;
    PolicyBuilder policies_;
};

}  // namespace

std::optional<Policy> mac(const StochasticModel& model, const SolveOptions& options, Statistics& statistics) {
    return Mac(model, options, statistics).run();
}

}  // namespace zermelo::stochastic
