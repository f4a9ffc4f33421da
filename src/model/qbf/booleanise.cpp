#include "model/qbf/booleanise.hpp"

#include <fmt/format.h>

#include <bit>
#include <map>

#include "model/structure.hpp"

namespace zermelo::model {

namespace {

using Signal = QuantifiedCircuit::Signal;

class Booleaniser {
public:
    Booleaniser(const Model& model, const BooleaniseOptions& options)
        : model_(model), options_(options), structure_(analyse(model)), values_(model.variables.size()) {
        if (model.strategic) {
            throw Error({model.name}, "a strategic model is not written as a QBF",
                        "state its rules with rule(...), which bind one player each");
        }
    }

    QuantifiedCircuit run() {
        for (const Block& block : structure_.prefix) {
            for (const VarId v : block.variables) quantify(v, block.quantifier);
        }
        for (std::size_t v = 0; v < values_.size(); ++v) {
            const Domain& domain = structure_.domain[v];
            if (domain.single() && values_[v].empty()) values_[v][domain.low()] = QuantifiedCircuit::always;
        }
        for (const int c : structure_.definitions) define(static_cast<std::size_t>(c));
        Signal rest = winning();
        for (std::size_t b = structure_.prefix.size(); b-- > 0;) rest = obeyed(structure_.prefix[b], rest);
        circuit_.output = circuit_.conjunction({exactly_one_, rest});
        circuit_.keep_reachable();
        return std::move(circuit_);
    }

private:
    // ---- variables

    void quantify(VarId v, Quantifier quantifier) {
        const std::vector<Value> all = model_.domain(v).values();
        auto& values = values_[static_cast<std::size_t>(v)];
        if (all.size() == 1) {
            values[all.front()] = QuantifiedCircuit::always;
        } else if (all.size() == 2) {
            const Signal bit = circuit_.add_variable(quantifier, v);
            values[all[0]] = -bit;
            values[all[1]] = bit;
        } else if (quantifier == Quantifier::exists) {
            for (const Value value : all) values[value] = circuit_.add_variable(quantifier, v);
            one_hot_.push_back(v);
        } else {
            std::vector<Signal> bits;
            for (std::size_t i = 1; i < all.size(); i *= 2)
                bits.push_back(circuit_.add_variable(quantifier, v));
            codes_.emplace_back(v, std::move(bits));
        }
    }

    // After all variables of the prefix, because these are gates.
    void complete_prefix() {
        for (const auto& [v, bits] : codes_) {
            const std::vector<Value> all = model_.domain(v).values();
            const std::size_t shorter = (std::size_t{1} << bits.size()) - all.size();
            for (std::size_t i = 0; i < all.size(); ++i) {
                const bool is_short = i < shorter;
                const std::size_t code = is_short ? i : i + shorter;
                const std::size_t length = bits.size() - (is_short ? 1 : 0);
                std::vector<Signal> literals;
                for (std::size_t b = 0; b < length; ++b)
                    literals.push_back((code >> (length - 1 - b) & 1) != 0 ? bits[b] : -bits[b]);
                values_[static_cast<std::size_t>(v)][all[i]] = circuit_.conjunction(std::move(literals));
            }
        }
        std::vector<Signal> demands;
        for (const VarId v : one_hot_) {
            std::vector<Signal> some;
            for (const auto& [value, signal] : values_[static_cast<std::size_t>(v)]) {
                for (const Signal before : some) demands.push_back(circuit_.disjunction({-before, -signal}));
                some.push_back(signal);
            }
            demands.push_back(circuit_.disjunction(std::move(some)));
        }
        exactly_one_ = circuit_.conjunction(std::move(demands));
    }

    [[nodiscard]] Signal is(VarId v, Value value) const {
        const auto& values = values_[static_cast<std::size_t>(v)];
        const auto found = values.find(value);
        return found == values.end() ? QuantifiedCircuit::never : found->second;
    }
    [[nodiscard]] Signal of(Literal literal) const {
        const Signal s = is(literal.variable, 1);
        return literal.positive ? s : -s;
    }
    [[nodiscard]] const std::map<Value, Signal>& values(VarId v) const {
        return values_[static_cast<std::size_t>(v)];
    }

    // A definition gives its variable a value if and only if it holds with that value.
    void define(std::size_t c) {
        if (!started_) complete_prefix();
        started_ = true;
        check_limits();
        const Constraint& constraint = model_.constraints[c];
        const VarId v = structure_.output[c];
        auto& values = values_[static_cast<std::size_t>(v)];
        std::map<Value, Signal> found;
        const auto reified = reified_by(constraint);
        if (reified && reified->variable == v) {
            const Signal body = body_of(constraint);
            found = {{0, reified->positive ? -body : body}, {1, reified->positive ? body : -body}};
        } else {
            structure_.domain[static_cast<std::size_t>(v)].each([&](Value value) {
                values = {{value, QuantifiedCircuit::always}};
                found[value] = holds(constraint);
            });
        }
        std::erase_if(found, [](const auto& entry) { return entry.second == QuantifiedCircuit::never; });
        values = std::move(found);
    }

    // ---- the matrix

    Signal winning() {
        if (!started_) complete_prefix();
        started_ = true;
        std::vector<Signal> demands;
        for (const int c : structure_.winning) {
            check_limits();
            demands.push_back(holds(model_.constraints[static_cast<std::size_t>(c)]));
        }
        for (const Literal literal : model_.win) demands.push_back(of(literal));
        return circuit_.conjunction(std::move(demands));
    }

    Signal obeyed(const Block& block, Signal rest) {
        if (!block.rule) return rest;
        const Signal rule = of(*block.rule);
        return block.quantifier == Quantifier::exists ? circuit_.conjunction({rule, rest})
                                                      : circuit_.disjunction({-rule, rest});
    }

    void check_limits() const {
        if (const Stop stop = options_.limits.reached(); stop != Stop::none)
            throw LimitReached(stop, "while writing the model as a QBF", "");
        if (static_cast<int>(circuit_.gates().size()) > options_.most_gates) {
            throw Error({model_.name}, fmt::format("its QBF has more than {} gates", options_.most_gates),
                        "write a smaller instance");
        }
    }

    // ---- constraints

    Signal holds(const Constraint& constraint) {
        const Signal body = body_of(constraint);
        const auto reified = reified_by(constraint);
        return reified ? circuit_.equivalent(body, of(*reified)) : body;
    }
    Signal body_of(const Constraint& constraint) {
        place_ = &constraint.place;
        return std::visit([this](const auto& c) { return body(c); }, constraint.body);
    }

    Signal body(const Clause& c) {
        std::vector<Signal> literals;
        for (const Literal literal : c.literals) literals.push_back(of(literal));
        return circuit_.disjunction(std::move(literals));
    }
    Signal body(const Parity& c) {
        Signal odd = QuantifiedCircuit::never;
        for (const Literal literal : c.literals) odd = circuit_.exclusive(odd, of(literal));
        return odd;
    }
    Signal body(const Member& c) {
        std::vector<Signal> among;
        for (const auto& [value, signal] : values(c.variable)) {
            if (c.set.contains(value)) among.push_back(signal);
        }
        return circuit_.disjunction(std::move(among));
    }
    Signal body(const Linear& c) {
        std::map<std::pair<std::size_t, Value>, Signal> known;
        return linear(c, 0, 0, known);
    }
    Signal linear(const Linear& c, std::size_t term, Value sum,
                  std::map<std::pair<std::size_t, Value>, Signal>& known) {
        if (term == c.terms.size()) {
            const bool kept = c.relation == Relation::equal       ? sum == c.constant
                              : c.relation == Relation::different ? sum != c.constant
                                                                  : sum <= c.constant;
            return kept ? QuantifiedCircuit::always : QuantifiedCircuit::never;
        }
        if (const auto found = known.find({term, sum}); found != known.end()) return found->second;
        check_limits();
        // Values with the same sum of the rest are decided together.
        std::map<Signal, std::vector<Signal>> by_rest;
        for (const auto& [value, signal] : values(c.terms[term].variable)) {
            const Signal rest = linear(c, term + 1, sum + c.terms[term].coefficient * value, known);
            by_rest[rest].push_back(signal);
        }
        std::vector<Signal> ways;
        for (auto& [rest, signals] : by_rest)
            ways.push_back(circuit_.conjunction({rest, circuit_.disjunction(std::move(signals))}));
        return known[{term, sum}] = circuit_.disjunction(std::move(ways));
    }
    Signal body(const Element& c) {
        std::vector<Signal> ways;
        for (const auto& [index, signal] : values(c.index)) {
            if (index < 1 || index > static_cast<Value>(c.array.size())) continue;
            ways.push_back(
                circuit_.conjunction({signal, same(c.array[static_cast<std::size_t>(index - 1)], c.result)}));
        }
        return circuit_.disjunction(std::move(ways));
    }
    Signal body(const Arithmetic& c) {
        std::vector<Signal> ways;
        for (const auto& [left, first] : values(c.left)) {
            for (const auto& [right, second] : values(c.right)) {
                const auto result = computed(c.operation, left, right);
                if (result) ways.push_back(circuit_.conjunction({first, second, is(c.result, *result)}));
            }
        }
        return circuit_.disjunction(std::move(ways));
    }
    static std::optional<Value> computed(Operation operation, Value left, Value right) {
        switch (operation) {
            case Operation::times:
                return left * right;
            case Operation::divide:
                return right == 0 ? std::nullopt : std::optional(left / right);
            case Operation::modulo:
                return right == 0 ? std::nullopt : std::optional(left % right);
            case Operation::power:
                break;
        }
        if (right < 0) return std::nullopt;
        Value result = 1;
        for (Value i = 0; i < right; ++i) {
            result *= left;
            if (result > largest_value || result < -largest_value) return std::nullopt;
            if (result == 0 || (result == 1 && left == 1)) break;
        }
        return result;
    }
    Signal body(const Extremum& c) {
        std::vector<Signal> ways;
        for (const auto& [best, signal] : values(c.result)) {
            std::vector<Signal> all = {signal};
            std::vector<Signal> reached;
            for (const VarId operand : c.operands) {
                reached.push_back(is(operand, best));
                for (const auto& [value, beyond] : values(operand)) {
                    if (c.maximum ? value > best : value < best) all.push_back(-beyond);
                }
            }
            all.push_back(circuit_.disjunction(std::move(reached)));
            ways.push_back(circuit_.conjunction(std::move(all)));
        }
        return circuit_.disjunction(std::move(ways));
    }
    Signal body(const Table& c) {
        std::vector<Signal> rows;
        for (std::size_t row = 0; row < c.rows.size(); row += c.variables.size()) {
            std::vector<Signal> all;
            for (std::size_t i = 0; i < c.variables.size(); ++i)
                all.push_back(is(c.variables[i], c.rows[row + i]));
            rows.push_back(circuit_.conjunction(std::move(all)));
        }
        return circuit_.disjunction(std::move(rows));
    }
    Signal body(const AllDifferent& c) {
        std::vector<Signal> all;
        for (std::size_t i = 0; i < c.variables.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) all.push_back(-same(c.variables[i], c.variables[j]));
        }
        return circuit_.conjunction(std::move(all));
    }
    Signal body(const Count& c) {
        std::vector<Signal> exactly = {QuantifiedCircuit::always};  // by number of those seen so far
        for (const VarId v : c.variables) {
            const Signal hit = same(v, c.value);
            exactly.push_back(QuantifiedCircuit::never);
            for (std::size_t n = exactly.size(); n-- > 0;) {
                const Signal more =
                    n > 0 ? circuit_.conjunction({hit, exactly[n - 1]}) : QuantifiedCircuit::never;
                exactly[n] = circuit_.disjunction({more, circuit_.conjunction({-hit, exactly[n]})});
            }
        }
        std::vector<Signal> ways;
        for (std::size_t n = 0; n < exactly.size(); ++n)
            ways.push_back(circuit_.conjunction({exactly[n], is(c.result, static_cast<Value>(n))}));
        return circuit_.disjunction(std::move(ways));
    }
    Signal body(const Global& c) const {
        throw Error(*place_, fmt::format("the constraint {} is not written as a QBF", c.name),
                    "state it by simpler constraints");
    }

    Signal same(VarId a, VarId b) {
        std::vector<Signal> ways;
        for (const auto& [value, signal] : values(a))
            ways.push_back(circuit_.conjunction({signal, is(b, value)}));
        return circuit_.disjunction(std::move(ways));
    }

    const Model& model_;
    const BooleaniseOptions& options_;
    const Structure structure_;
    QuantifiedCircuit circuit_;
    std::vector<std::map<Value, Signal>> values_;  // by variable: when it has which value
    std::vector<VarId> one_hot_;
    std::vector<std::pair<VarId, std::vector<Signal>>> codes_;
    Signal exactly_one_ = QuantifiedCircuit::always;
    bool started_ = false;
    const Place* place_ = nullptr;
};

}  // namespace

QuantifiedCircuit booleanise(const Model& model, const BooleaniseOptions& options) {
    return Booleaniser(model, options).run();
}

}  // namespace zermelo::model
