// Forward checking for stochastic CSPs (Balafoutis and Stergiou 2006), on plain tables.
//
// Variables are assigned in their order. So a constraint has one open variable exactly when its last but one
// is assigned; then the values of the last one that break a hard constraint are removed. A decision without a
// value is a failure, and so is a chance variable that loses a value of positive probability, since a policy
// must answer all of them.
//
// Utilities are bounded term by term: each term alone is averaged over its chance variables and maximised (or
// minimised) over its decisions, once and for all prefixes of its variables. The constraints that are to be
// satisfied with some probability have the bound of the paper besides: the product, over the chance
// variables, of the probability that is left when the values that break one of them are taken out.

#include <algorithm>

#include "stochastic/search/front.hpp"
#include "stochastic/search/tables.hpp"

namespace zermelo::stochastic {

namespace {

class ForwardChecking {
public:
    ForwardChecking(const StochasticModel& model, const SolveOptions& options, Statistics& statistics)
        : m_(model),
          question_(options.question),
          reading_(model),
          statistics_(statistics),
          counter_(options, statistics) {
        turn_of_.assign(model.model.variables.size(), -1);
        for (std::size_t t = 0; t < turns(); ++t) {
            turn_of_[static_cast<std::size_t>(model.order[t].variable)] = static_cast<int>(t);
            allowed_.emplace_back(reading_.values(static_cast<int>(t)).size(), true);
        }
        chosen_.assign(turns(), 0);
        waiting_for_.resize(turns());
    }

    std::optional<Policy> run() {
        make_terms();
        if (!make_hard()) return std::nullopt;
        if (m_.players() > 1 && question_ == Question::best) {
            const auto point = backward_induction(0);
            if (!point) return std::nullopt;
            return policies_.extract(point->node, point->utilities);
        }
        Window window{Floor(static_cast<std::size_t>(m_.players())), std::nullopt};
        if (question_ == Question::solution) window = {m_.thresholds, m_.thresholds};
        const Front front = search(0, window);
        if (front.empty()) return std::nullopt;
        const Point* enough = front.enough(window);
        const Point& point = enough != nullptr ? *enough : front.points().front();
        return policies_.extract(point.node, point.utilities);
    }

private:
    struct Hard {
        Formula formula;
        bool wanted;              // as it stands, or negated
        std::vector<bool> table;  // empty when it would be too large
    };
    struct Term {  // a utility of a player, or a constraint to be satisfied, which counts 0 or 1
        Formula formula;
        Player player;
        Rational factor;
        std::vector<Rationals> least, most;  // by number of assigned turns, by their values; empty: no table
        Rational lowest, highest;            // where there is no table
    };
    struct Removed {
        std::size_t turn;
        std::size_t index;
    };

    [[nodiscard]] std::size_t turns() const { return m_.order.size(); }
    [[nodiscard]] const Turn& turn(std::size_t t) const { return m_.order[t]; }

    // ---- tables

    void make_terms() {
        for (const UtilityTerm& worth : m_.utility_terms)
            terms_.push_back(term(worth.amount, worth.player, worth.factor));
        for (const model::VarId v : m_.satisfied) satisfied_.push_back(term(v, nobody, 1));
    }

    Term term(model::VarId amount, Player player, const Rational& factor) {
        Term made{reading_.of_variable(amount), player, factor, {}, {}, 0, 0};
        const model::Domain& domain = m_.structure.domain[static_cast<std::size_t>(amount)];
        made.lowest = std::min(factor * domain.low(), factor * domain.high());
        made.highest = std::max(factor * domain.low(), factor * domain.high());
        if (!reading_.entries(made.formula)) return made;
        Rationals exact;
        for (const auto& value : reading_.table(made.formula)) exact.push_back(factor * value.value_or(0));
        made.least.push_back(exact);
        made.most.push_back(std::move(exact));
        for (std::size_t depth = made.formula.turns.size(); depth-- > 0;) {
            made.least.push_back(fold_turn(made.formula, depth, made.least.back(), false));
            made.most.push_back(fold_turn(made.formula, depth, made.most.back(), true));
        }
        std::reverse(made.least.begin(), made.least.end());
        std::reverse(made.most.begin(), made.most.end());
        return made;
    }

    // What is known when one turn less is assigned: the average over chance where the probabilities are known
    // by then, otherwise the extreme.
    Rationals fold_turn(const Formula& formula, std::size_t depth, const Rationals& below,
                        bool greatest) const {
        const auto t = static_cast<std::size_t>(formula.turns[depth]);
        const std::size_t width = reading_.values(formula.turns[depth]).size();
        const Chance* chance = turn(t).decision() ? nullptr : &m_.chance_at(turn(t));
        const auto assigned = [&](model::VarId v) {
            const int where = turn_of_[static_cast<std::size_t>(v)];
            return where < 0 ||
                   std::find(formula.turns.begin(),
                             formula.turns.begin() + static_cast<std::ptrdiff_t>(depth),
                             where) != formula.turns.begin() + static_cast<std::ptrdiff_t>(depth);
        };
        const bool average =
            chance != nullptr && std::all_of(chance->scope.begin(), chance->scope.end(), assigned);
        Rationals result;
        for (std::size_t prefix = 0; prefix < below.size() / width; ++prefix) {
            const auto first = below.begin() + static_cast<std::ptrdiff_t>(prefix * width);
            const auto last = first + static_cast<std::ptrdiff_t>(width);
            if (!average) {
                result.push_back(greatest ? *std::max_element(first, last) : *std::min_element(first, last));
                continue;
            }
            const std::size_t row = row_at(*chance, formula, depth, prefix);
            Rational mean = 0;
            for (std::size_t i = 0; i < width; ++i)
                mean += chance->probability(row, i) * below[prefix * width + i];
            result.push_back(std::move(mean));
        }
        return result;
    }

    std::size_t row_at(const Chance& chance, const Formula& formula, std::size_t depth,
                       std::size_t prefix) const {
        std::vector<model::Value> at(depth);
        for (std::size_t i = depth; i-- > 0;) {
            const auto& values = reading_.values(formula.turns[i]);
            at[i] = values[prefix % values.size()];
            prefix /= values.size();
        }
        return chance.row([&](model::VarId v) {
            for (std::size_t i = 0; i < depth; ++i) {
                if (formula.turns[i] == turn_of_[static_cast<std::size_t>(v)]) return at[i];
            }
            return m_.model.domain(v).low();
        });
    }

    // False: a constraint without variables is broken, or one with a single variable leaves no way.
    bool make_hard() {
        const auto add = [&](const Formula& formula, bool wanted) {
            Hard made{formula, wanted, {}};
            if (reading_.entries(formula)) {
                for (const auto& value : reading_.table(formula))
                    made.table.push_back(value && (*value != 0) == wanted);
            }
            hard_.push_back(std::move(made));
        };
        for (const int c : m_.structure.winning) add(reading_.of_constraint(c), true);
        for (const model::Literal literal : m_.model.win)
            add(reading_.of_variable(literal.variable), literal.positive);
        bool possible = true;
        for (std::size_t h = 0; h < hard_.size(); ++h) {
            const auto& scope = hard_[h].formula.turns;
            if (scope.empty()) {
                possible = possible && holds(h);
            } else if (scope.size() == 1) {
                possible = filter(h) && possible;
            } else {
                waiting_for_[static_cast<std::size_t>(scope[scope.size() - 2])].push_back(h);
            }
        }
        return possible;
    }

    // ---- the state of the search

    [[nodiscard]] model::Value value_at(std::size_t t) const {
        return reading_.values(static_cast<int>(t))[chosen_[t]];
    }

    // By the chosen values of its turns.
    [[nodiscard]] std::size_t entry(const Formula& formula, std::size_t depth) const {
        std::size_t index = 0;
        for (std::size_t i = 0; i < depth; ++i)
            index = index * reading_.values(formula.turns[i]).size() +
                    chosen_[static_cast<std::size_t>(formula.turns[i])];
        return index;
    }

    [[nodiscard]] std::optional<model::Value> evaluated(const Formula& formula) const {
        std::vector<model::Value> at;
        for (const int t : formula.turns) at.push_back(value_at(static_cast<std::size_t>(t)));
        return reading_.value(formula, at);
    }

    [[nodiscard]] bool holds(std::size_t h) const {
        const Hard& hard = hard_[h];
        if (!hard.table.empty()) return hard.table[entry(hard.formula, hard.formula.turns.size())];
        const auto value = evaluated(hard.formula);
        return value && (*value != 0) == hard.wanted;
    }

    [[nodiscard]] std::optional<std::size_t> row_known(const Chance& chance) const {
        for (const model::VarId v : chance.scope) {
            const int where = turn_of_[static_cast<std::size_t>(v)];
            if (where >= static_cast<int>(now_)) return std::nullopt;
        }
        return chance.row([&](model::VarId v) {
            const int where = turn_of_[static_cast<std::size_t>(v)];
            return where < 0 ? m_.model.domain(v).low() : value_at(static_cast<std::size_t>(where));
        });
    }

    // Takes out the values of the last turn that break the constraint; false for a failure.
    bool filter(std::size_t h) {
        const auto t = static_cast<std::size_t>(hard_[h].formula.turns.back());
        const Chance* chance = turn(t).decision() ? nullptr : &m_.chance_at(turn(t));
        const auto row = chance != nullptr ? row_known(*chance) : std::nullopt;
        bool some = false;
        for (std::size_t i = 0; i < allowed_[t].size(); ++i) {
            if (!allowed_[t][i]) continue;
            chosen_[t] = i;
            if (holds(h)) {
                some = true;
                continue;
            }
            allowed_[t][i] = false;
            trail_.push_back({t, i});
            if (row && chance->probability(*row, i) > 0) return false;
        }
        return some;
    }

    bool assign(std::size_t t, std::size_t index) {
        chosen_[t] = index;
        now_ = t + 1;
        for (const std::size_t h : waiting_for_[t]) {
            if (filter(h)) continue;
            ++statistics_.failures;
            return false;
        }
        return true;
    }

    void undo(std::size_t t, std::size_t mark) {
        for (; trail_.size() > mark; trail_.pop_back())
            allowed_[trail_.back().turn][trail_.back().index] = true;
        now_ = t;
    }

    // ---- bounds

    struct Range {
        Rational least, most;
    };

    [[nodiscard]] Range range(const Term& term) const {
        const auto& scope = term.formula.turns;
        std::size_t depth = 0;
        while (depth < scope.size() && scope[depth] < static_cast<int>(now_)) ++depth;
        if (!term.least.empty()) {
            const std::size_t at = entry(term.formula, depth);
            return {term.least[depth][at], term.most[depth][at]};
        }
        if (depth < scope.size()) return {term.lowest, term.highest};
        const Rational exact = term.factor * evaluated(term.formula).value_or(0);
        return {exact, exact};
    }

    [[nodiscard]] Bounds bounds() const {
        const Rationals nothing(static_cast<std::size_t>(m_.players()), 0);
        Bounds result{nothing, nothing};
        for (const Term& term : terms_) {
            const Range part = range(term);
            result.least[static_cast<std::size_t>(term.player)] += part.least;
            result.most[static_cast<std::size_t>(term.player)] += part.most;
        }
        if (satisfied_.empty()) return result;
        const Range part = satisfaction();
        for (std::size_t p = 0; p < nothing.size(); ++p) {
            result.least[p] += part.least;
            result.most[p] += part.most;
        }
        return result;
    }

    // The probability that all of them hold is at most that of each, and at most what chance leaves.
    [[nodiscard]] Range satisfaction() const {
        Range result{1, left_by_chance()};
        for (const Term& term : satisfied_) {
            const Range part = range(term);
            result.least -= 1 - part.least;
            result.most = std::min(result.most, part.most);
        }
        result.least = std::max(result.least, Rational(0));
        return result;
    }

    [[nodiscard]] Rational left_by_chance() const {
        std::vector<std::vector<bool>> broken(turns());
        for (const Term& term : satisfied_) {
            const auto& scope = term.formula.turns;
            if (term.most.empty() || scope.empty()) continue;
            const auto t = static_cast<std::size_t>(scope.back());
            const bool one_open =
                t >= now_ && (scope.size() == 1 || scope[scope.size() - 2] < static_cast<int>(now_));
            if (!one_open || turn(t).decision()) continue;
            const std::size_t width = reading_.values(scope.back()).size();
            const std::size_t at = entry(term.formula, scope.size() - 1) * width;
            broken[t].resize(width, false);
            for (std::size_t i = 0; i < width; ++i) {
                if (term.most.back()[at + i] == 0) broken[t][i] = true;
            }
        }
        Rational result = 1;
        for (std::size_t t = now_; t < turns(); ++t) {
            if (broken[t].empty()) continue;
            const Chance& chance = m_.chance_at(turn(t));
            const auto row = row_known(chance);
            if (!row) continue;
            Rational left = 0;
            for (std::size_t i = 0; i < broken[t].size(); ++i) {
                if (!broken[t][i]) left += chance.probability(*row, i);
            }
            result *= left;
        }
        return result;
    }

    // ---- search

    // The policies from turn `t` on that no other one beats, as far as the window asks for them.
    Front search(std::size_t t, const Window& window) {
        counter_.node();
        const Bounds now = bounds();
        if (below(now.most, window.low)) {
            ++statistics_.pruned;
            return {};
        }
        Front front;
        if (t == turns()) {
            front.add({now.most, leaf});
            return front;
        }
        return turn(t).decision() ? decide(t, window) : mix(t, window);
    }

    Front decide(std::size_t t, const Window& window) {
        Front front;
        for (std::size_t i = 0; i < allowed_[t].size() && front.enough(window) == nullptr; ++i) {
            if (!allowed_[t][i]) continue;
            const std::size_t mark = trail_.size();
            if (assign(t, i)) {
                if (!front.empty() && front.covers(bounds().most)) {
                    ++statistics_.pruned;
                } else {
                    const Front found = search(t + 1, narrowed(window, front));
                    const model::Value value = reading_.values(static_cast<int>(t))[i];
                    for (const Point& point : found.points())
                        front.add({point.utilities, policies_.decision(turn(t).variable, value, point.node)});
                }
            }
            undo(t, mark);
        }
        return front;
    }

    // The values that can come, with bounds of what follows; nothing when one of them breaks a constraint.
    std::optional<std::vector<Mixture::Branch>> branches(std::size_t t) {
        const Chance& chance = m_.chance_at(turn(t));
        const std::size_t row = *row_known(chance);
        std::vector<Mixture::Branch> result;
        for (std::size_t i = 0; i < chance.values.size(); ++i) {
            if (chance.probability(row, i) == 0) continue;
            const std::size_t mark = trail_.size();
            const bool possible = allowed_[t][i] && assign(t, i);
            if (possible) result.push_back({chance.values[i], chance.probability(row, i), bounds()});
            undo(t, mark);
            if (!possible) return std::nullopt;
        }
        return result;
    }

    // What `work` gives after a value that is known to be possible.
    template <class Work>
    auto after(std::size_t t, model::Value value, Work work) {
        const auto& values = reading_.values(static_cast<int>(t));
        const std::size_t mark = trail_.size();
        (void)assign(t, static_cast<std::size_t>(std::lower_bound(values.begin(), values.end(), value) -
                                                 values.begin()));
        auto result = work();
        undo(t, mark);
        return result;
    }

    Front mix(std::size_t t, const Window& window) {
        const auto all = branches(t);
        if (!all) return {};
        Mixture mixture(window, *all);
        if (mixture.hopeless()) {
            ++statistics_.pruned;
            return {};
        }
        for (std::size_t b = 0; b < all->size(); ++b) {
            const Front found =
                after(t, (*all)[b].value, [&] { return search(t + 1, mixture.window_of(b)); });
            if (!mixture.add(b, found)) return {};
        }
        return mixture.result(turn(t).variable, policies_);
    }

    // Backward induction: everybody decides for its own expected utility.
    std::optional<Point> backward_induction(std::size_t t) {
        counter_.node();
        if (t == turns()) return Point{bounds().most, leaf};
        return turn(t).decision() ? choose(t) : expect(t);
    }

    std::optional<Point> choose(std::size_t t) {
        const auto owner = static_cast<std::size_t>(turn(t).owner);
        std::optional<Point> best;
        for (std::size_t i = 0; i < allowed_[t].size(); ++i) {
            if (!allowed_[t][i]) continue;
            const std::size_t mark = trail_.size();
            if (assign(t, i)) {
                if (best && bounds().most[owner] <= best->utilities[owner]) {
                    ++statistics_.pruned;
                } else if (auto found = backward_induction(t + 1);
                           found && (!best || found->utilities[owner] > best->utilities[owner])) {
                    found->node = policies_.decision(turn(t).variable,
                                                     reading_.values(static_cast<int>(t))[i], found->node);
                    best = std::move(found);
                }
            }
            undo(t, mark);
        }
        return best;
    }

    std::optional<Point> expect(std::size_t t) {
        const auto all = branches(t);
        if (!all) return std::nullopt;
        Rationals sum(static_cast<std::size_t>(m_.players()), 0);
        std::vector<PolicyEdge> edges;
        for (const auto& branch : *all) {
            const auto found = after(t, branch.value, [&] { return backward_induction(t + 1); });
            if (!found) return std::nullopt;
            for (std::size_t p = 0; p < sum.size(); ++p) sum[p] += branch.probability * found->utilities[p];
            edges.push_back({{branch.value}, branch.probability, found->node});
        }
        return Point{std::move(sum), policies_.node(turn(t).variable, std::move(edges))};
    }

    const StochasticModel& m_;
    Question question_;
    Reading reading_;
    Statistics& statistics_;
    NodeCounter counter_;
    PolicyBuilder policies_;

    std::vector<int> turn_of_;  // by variable
    std::vector<Term> terms_, satisfied_;
    std::vector<Hard> hard_;
    std::vector<std::vector<std::size_t>>
        waiting_for_;  // by turn: constraints with one open variable after it

    std::vector<std::vector<bool>> allowed_;  // by turn and index of the value
    std::vector<std::size_t> chosen_;         // by turn: index of the value
    std::size_t now_ = 0;                     // turns before it are assigned
    std::vector<Removed> trail_;
};

}  // namespace

std::optional<Policy> forward_checking(const StochasticModel& model, const SolveOptions& options,
                                       Statistics& statistics) {
    return ForwardChecking(model, options, statistics).run();
}

}  // namespace zermelo::stochastic
