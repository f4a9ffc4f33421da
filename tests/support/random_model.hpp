// Random small models that use every operator of the builder, for comparing engines with the oracle.
//
// The same seed gives the same model on every machine. Both verdicts are common (the builder's tests count
// them).

#pragma once

#include <string>
#include <vector>

#include "core/random.hpp"
#include "model/builder.hpp"
#include "support/seeds.hpp"

namespace zermelo {

struct Shape {
    enum class Flavour { mixed, booleans, sums, globals };
    Flavour flavour = Flavour::mixed;  // what most atoms are
    int blocks = 5;                    // 2 … blocks
    int variables = 2;                 // 1 … variables in a block
    int values = 4;                    // 2 … values in a domain
    int depth = 4;                     // of the Boolean structure
    bool exists_rules = false;
    bool forall_rules = false;
    bool cuts = false;  // the rules as implications in the winning condition, with the cuts of theorem 1
    bool objective = false;
    bool require = true;  // parts of the winning condition may be said with require

    static Shape plain() { return {}; }
    static Shape with_rules() { return {.exists_rules = true, .forall_rules = true}; }
    static Shape with_cuts() { return {.exists_rules = true, .forall_rules = true, .cuts = true}; }
    static Shape any(std::uint64_t seed) {
        Shape shape = seed % 3 == 0 ? plain() : seed % 3 == 1 ? with_rules() : with_cuts();
        shape.flavour = static_cast<Flavour>(1 + seed / 3 % 3);
        return shape;
    }
};

namespace detail {

class RandomModel {
public:
    RandomModel(std::uint64_t seed, const Shape& shape)
        : random_(seed), shape_(shape), game_("random-" + std::to_string(seed)) {}

    model::ModelBuilder run() {
        const auto blocks = random_.between(2, shape_.blocks);
        bool ours = random_.chance(0.5);
        for (int b = 0; b < blocks; ++b) {
            block(ours, b);
            ours = random_.chance(0.85) ? !ours : ours;
        }
        win();
        if (shape_.objective) game_.maximise(integer(2));
        return std::move(game_);
    }

private:
    struct Rule {
        bool ours;
        model::BoolExpr rule;
    };

    model::Domain domain() {
        const auto size = random_.between(2, shape_.values);
        std::vector<model::Value> values;
        model::Value value = random_.between(-3, 2);
        for (int i = 0; i < size; ++i) {
            values.push_back(value);
            value += random_.chance(0.7) ? 1 : random_.between(2, 3);
        }
        const double booleans = shape_.flavour == Shape::Flavour::booleans ? 0.85 : 0.15;
        return random_.chance(booleans) ? model::Domain{0, 1} : model::Domain(values);
    }

    void block(bool ours, int b) {
        const auto variables = random_.between(1, shape_.variables);
        const std::string name = (ours ? "x" : "y") + std::to_string(b + 1);
        fresh_.clear();
        if (variables > 1 && random_.chance(0.3)) {
            const model::Domain common = domain();
            fresh_ = ours ? game_.exists(name, static_cast<int>(variables), common)
                          : game_.forall(name, static_cast<int>(variables), common);
        } else {
            fresh_.push_back(ours ? game_.exists(name, domain()) : game_.forall(name, domain()));
            for (int i = 1; i < variables; ++i)
                fresh_.push_back(game_.also(name + "." + std::to_string(i), domain()));
        }
        all_.insert(all_.end(), fresh_.begin(), fresh_.end());
        if ((ours ? shape_.exists_rules : shape_.forall_rules) && random_.chance(0.7)) rule(ours);
    }

    void rule(bool ours) {
        // About the new variables, so that a rule seldom forbids or allows everything.
        model::BoolExpr rule = random_.chance(0.5) ? comparison(fresh_.back(), integer(2)) : boolean(2);
        if (random_.chance(0.03)) rule = random_.chance(0.5);
        if (shape_.cuts) {
            rules_.push_back({ours, rule});
            return cut();
        }
        game_.rule(rule);
        if (random_.chance(0.2)) game_.rule(!(fresh_.front() == integer(1)));
    }

    // Theorem 1 for the latest rule: an illegal move of theirs after legal moves only wins for us.
    void cut() {
        if (rules_.back().ours) return;
        model::BoolExprs when;
        for (std::size_t i = 0; i + 1 < rules_.size(); ++i) when.push_back(rules_[i].rule);
        game_.cut(when, rules_.back().rule);
    }

    void win() {
        // Rules narrow what their owner can do, so the condition is made easier or harder to balance them.
        model::BoolExpr condition = boolean(shape_.depth);
        const double easy = 0.45 + (shape_.exists_rules ? 0.4 : 0.0) - (shape_.forall_rules ? 0.4 : 0.0);
        if (shape_.forall_rules && !shape_.exists_rules) condition = condition && boolean(2);
        if (random_.chance(easy)) condition = condition || boolean(shape_.depth - 1);
        if (random_.chance(easy / 2)) condition = condition || (all_.back() != integer(1));
        if (random_.chance(0.02)) condition = random_.chance(0.5);
        for (auto rule = rules_.rbegin(); rule != rules_.rend(); ++rule) {
            condition = rule->ours ? rule->rule && condition : implies(rule->rule, condition);
        }
        if (shape_.require && rules_.empty() && random_.chance(0.5)) {
            game_.require(condition);
            while (random_.chance(0.25)) game_.require(constraint());
        } else {
            game_.win(condition);
            // Behind a cut nothing may be demanded that the rules do not guard: the cut would lie.
            if (!shape_.cuts && random_.chance(0.1)) game_.win(boolean(1));
        }
    }

    // The kinds that are posted without a literal.
    model::BoolExpr constraint() {
        switch (random_.below(5)) {
            case 0:
                return model::all_different(some(2));
            case 1:
                return rows(some(2));
            case 2:
                return !(atom(1) && atom(1));
            case 3:
                return member(integer(2), model::Domain{-3, -1, 0, 1, 2, 5});
            default:
                return comparison(all_.front() + 2 * all_.back(), integer(1));
        }
    }

    model::IntExpr variable() {
        return !fresh_.empty() && random_.chance(0.3) ? fresh_[random_.below(fresh_.size())]
                                                      : all_[random_.below(all_.size())];
    }

    model::IntExprs some(std::int64_t least) {
        model::IntExprs chosen;
        for (auto n = random_.between(least, least + 2); n > 0; --n) {
            chosen.push_back(random_.chance(0.8) ? variable() : integer(1));
        }
        return chosen;
    }

    model::IntExpr integer(int depth) {
        if (depth <= 0 || random_.chance(0.25)) {
            return random_.chance(0.75) ? variable() : model::IntExpr(random_.between(-3, 4));
        }
        // One statement an operand: compilers differ in the order in which they evaluate arguments.
        const model::IntExpr a = integer(depth - 1);
        const model::IntExpr b = integer(depth - 1);
        switch (random_.below(17)) {
            case 0:
            case 1:
                return a + b;
            case 2:
                return a - b;
            case 3:
                return random_.between(-2, 3) * a;
            case 4:
                return a * b;
            case 5:
                return a / b;
            case 6:
                return a % b;
            case 7:
                return -a;
            case 8:
                return abs(a);
            case 9:
                return random_.chance(0.5) ? min(a, b) : max(some(1));
            case 10:
                return random_.chance(0.5) ? max(a, b) : min(some(1));
            case 11:
                return pow(a, random_.chance(0.5) ? model::IntExpr(random_.between(-1, 3)) : b % 3);
            case 12:
                return element(some(2), b);
            case 13:
                return element(std::vector<model::Value>{3, -1, 0, 2}, b);
            case 14:
                return random_.chance(0.7) ? count(some(2), b) : sum(some(0));
            case 15:
                return model::if_then_else(boolean(depth - 1), a, b);
            default:
                return boolean(depth - 1) + b;
        }
    }

    model::BoolExpr comparison(const model::IntExpr& a, const model::IntExpr& b) {
        switch (random_.below(6)) {
            case 0:
                return a == b;
            case 1:
                return a != b;
            case 2:
                return a < b;
            case 3:
                return a <= b;
            case 4:
                return a > b;
            default:
                return a >= b;
        }
    }

    model::BoolExpr rows(const model::IntExprs& columns) {
        std::vector<std::vector<model::Value>> rows(random_.below(9));
        for (auto& row : rows) {
            for (std::size_t c = 0; c < columns.size(); ++c) row.push_back(random_.between(-2, 3));
        }
        return table(columns, rows);
    }

    model::IntExpr weighted_sum() {
        model::IntExpr total = random_.between(-2, 2);
        for (auto n = random_.between(2, 4); n > 0; --n) {
            const auto coefficient = random_.between(-4, 4);
            total = total + coefficient * variable();
        }
        return total;
    }

    model::BoolExpr global_atom() {
        switch (random_.below(4)) {
            case 0:
                return rows(some(2));
            case 1:
                return model::all_different(some(2));
            case 2: {
                const model::IntExpr counted = count(some(3), variable());
                return comparison(counted, integer(1));
            }
            default: {
                const model::IntExpr entry = element(some(3), variable());
                return comparison(entry, integer(1));
            }
        }
    }

    model::BoolExpr atom(int depth) {
        if (shape_.flavour != Shape::Flavour::mixed && random_.chance(0.7)) {
            if (shape_.flavour == Shape::Flavour::globals) return global_atom();
            const model::IntExpr left = weighted_sum();
            return comparison(left,
                              random_.chance(0.3) ? variable() : model::IntExpr(random_.between(-3, 4)));
        }
        switch (random_.below(12)) {
            case 0: {
                const model::IntExpr left = integer(depth);
                return member(left, domain());
            }
            case 1:
                return rows(some(2));
            case 2:
                return model::all_different(some(2));
            case 3:
                return random_.chance(0.3) ? model::BoolExpr(random_.chance(0.5))
                                           : variable() != fresh_.front();
            default: {
                const model::IntExpr left = integer(depth);
                return comparison(left, integer(depth - 1));
            }
        }
    }

    model::BoolExpr boolean(int depth) {
        if (depth <= 1) return remember(atom(depth + 1));
        if (!said_.empty() && random_.chance(0.1)) return said_[random_.below(said_.size())];
        const model::BoolExpr a = boolean(depth - 1);
        const model::BoolExpr b = boolean(depth - 1);
        switch (random_.below(10)) {
            case 0:
            case 1:
                return remember(a && b);
            case 2:
            case 3:
                return remember(a || b);
            case 4:
                return remember(!a);
            case 5:
                return remember(implies(a, b));
            case 6:
                return remember(iff(a, b));
            case 7:
                return remember(model::xor_(a, b));
            case 8:
                return remember(model::if_then_else(boolean(depth - 1), a, b));
            default:
                return remember(model::any_of({a, b, model::all_of({boolean(depth - 1), !a})}));
        }
    }

    model::BoolExpr remember(const model::BoolExpr& e) {
        said_.push_back(e);
        return e;
    }

    Random random_;
    Shape shape_;
    model::ModelBuilder game_;
    model::IntExprs all_;
    model::IntExprs fresh_;  // of the latest block
    model::BoolExprs said_;  // to be said again, so that nodes are shared
    std::vector<Rule> rules_;
};

}  // namespace detail

inline model::ModelBuilder random_model(std::uint64_t seed, const Shape& shape = {}) {
    return detail::RandomModel(seed, shape).run();
}

}  // namespace zermelo
