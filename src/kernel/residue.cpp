#include "kernel/residue.hpp"

namespace zermelo {

namespace {

enum class Truth { no, yes, unknown };

Truth operator!(Truth t) { return t == Truth::unknown ? t : t == Truth::yes ? Truth::no : Truth::yes; }

// What a constraint has come to: settled (nothing more can happen), or open and perhaps still to be violated.
struct Reading {
    bool settled = false;
    bool demands = false;
};

std::uint64_t word(Value value) { return static_cast<std::uint64_t>(value); }

}  // namespace

// Reads one constraint: decides whether it is settled or still demands something, and feeds what is left of
// it to the hash. `output` is the variable that the constraint totally defines, or -1.
struct ReadForm {
    const Position& position;
    const Program& program;
    Hasher& hash;
    VarId output;

    [[nodiscard]] bool all_fixed(const std::vector<VarId>& variables) const {
        return std::all_of(variables.begin(), variables.end(), [&](VarId v) { return position.fixed(v); });
    }
    void add_operand(VarId v) const {
        if (position.fixed(v)) {
            hash.add(1);
            hash.add(word(position.value(v)));
        } else {
            hash.add(word(v) << 1);
        }
    }
    void add_all(const std::vector<VarId>& variables) const {
        for (const VarId v : variables) add_operand(v);
    }

    // A reified form demands something once its literal is fixed before its body is decided.
    Reading reified(const std::optional<Literal>& literal, Truth body) const {
        if (literal && !position.fixed(literal->variable)) {
            hash.add(2);
            hash.add(word(literal->variable));
            return {false, output < 0};
        }
        const bool wanted = !literal || position.is_true(*literal);
        hash.add(wanted ? 1 : 0);
        return {body == (wanted ? Truth::yes : Truth::no), true};
    }

    Reading operator()(const Linear& c) const {
        Value rest = c.constant;
        Value low = 0;
        Value high = 0;
        int open = 0;
        for (const Term& term : c.terms) {
            const Interval x = position.bounds(term.variable);
            if (x.single()) {
                rest -= term.coefficient * x.low;
                continue;
            }
            ++open;
            hash.add(word(term.variable));
            const Value a = term.coefficient * x.low;
            const Value b = term.coefficient * x.high;
            low += std::min(a, b);
            high += std::max(a, b);
        }
        hash.add(word(rest));
        Truth body = Truth::unknown;
        if (c.relation == Relation::at_most) {
            body = high <= rest ? Truth::yes : low > rest ? Truth::no : Truth::unknown;
        } else {
            const Truth equal = open == 0                   ? (rest == 0 ? Truth::yes : Truth::no)
                                : rest < low || rest > high ? Truth::no
                                                            : Truth::unknown;
            body = c.relation == Relation::equal ? equal : !equal;
        }
        if (output >= 0 && !c.reified) return defines_integer(open == 0);
        return reified(c.reified, body);
    }

    Reading operator()(const Clause& c) const {
        Truth body = Truth::no;
        for (const Literal l : c.literals) {
            if (position.is_true(l)) {
                body = Truth::yes;
                break;
            }
            if (!position.fixed(l.variable)) {
                body = Truth::unknown;
                hash.add(word(l.variable) << 1 | (l.positive ? 1 : 0));
            }
        }
        return reified(c.reified, body);
    }

    Reading operator()(const Parity& c) const {
        std::uint64_t odd = 0;
        bool open = false;
        for (const Literal l : c.literals) {
            if (position.fixed(l.variable)) {
                odd ^= position.is_true(l) ? 1 : 0;
            } else {
                open = true;
                hash.add(word(l.variable) << 1 | (l.positive ? 1 : 0));
            }
        }
        hash.add(odd);
        return {!open, output < 0 || position.fixed(output)};
    }

    Reading operator()(const Member& c) const {
        const Interval x = position.bounds(c.variable);
        Truth body = Truth::no;
        for (const auto& range : c.set.ranges()) {
            if (x.inside({range.low, range.high})) body = Truth::yes;
            if (body == Truth::no && x.high >= range.low && x.low <= range.high) body = Truth::unknown;
        }
        add_operand(c.variable);
        return reified(c.reified, body);
    }

    Reading operator()(const Element& c) const {
        add_operand(c.index);
        add_operand(c.result);
        if (scope.size() > 2)
            position.each_range(c.index, [&](Value low, Value high) {
                for (Value i = low; i <= high; ++i) {
                    const VarId entry = c.array[static_cast<std::size_t>(i - 1)];
                    if (!program.domain(entry).single()) add_operand(entry);
                }
            });
        if (output >= 0) return defines_integer(position.fixed(c.index) && position.fixed(c.result));
        const bool done = position.fixed(c.index) && position.fixed(c.result) &&
                          position.fixed(c.array[static_cast<std::size_t>(position.value(c.index) - 1)]);
        return {done, true};
    }

    Reading operator()(const Arithmetic& c) const {
        add_operand(c.left);
        add_operand(c.right);
        add_operand(c.result);
        return function(position.fixed(c.left) && position.fixed(c.right) && position.fixed(c.result));
    }

    Reading operator()(const Extremum& c) const {
        const Interval result = position.bounds(c.result);
        bool attained = false;
        for (const VarId v : c.operands) {
            const Interval x = position.bounds(v);
            // An operand that is certainly not the extremum does not matter any more.
            if (c.maximum ? x.high < result.low : x.low > result.high) continue;
            if (result.single() && x.single() && x.low == result.low) attained = true;
            add_operand(v);
        }
        add_operand(c.result);
        const bool beyond = std::any_of(c.operands.begin(), c.operands.end(), [&](VarId v) {
            const Interval x = position.bounds(v);
            return c.maximum ? x.high > result.low : x.low < result.high;
        });
        return function(attained && !beyond);
    }

    Reading operator()(const Table& c) const {
        add_all(c.variables);
        if (!all_fixed(c.variables)) return reified(c.reified, Truth::unknown);
        return {!c.reified || position.fixed(c.reified->variable), true};
    }

    // Fixed values have left the domains of the others, so only the open variables matter.
    Reading operator()(const AllDifferent& c) const {
        int open = 0;
        for (const VarId v : c.variables) {
            if (position.fixed(v)) continue;
            ++open;
            hash.add(word(v));
        }
        return {open <= 1, true};
    }

    Reading operator()(const Count& c) const {
        if (position.fixed(c.value)) {
            const Value value = position.value(c.value);
            Value found = 0;
            for (const VarId v : c.variables) {
                if (!position.allows(v, value)) continue;
                if (position.fixed(v)) {
                    ++found;
                } else {
                    hash.add(word(v));
                }
            }
            hash.add(word(value));
            hash.add(word(position.fixed(c.result) ? position.value(c.result) - found : found));
            hash.add(position.fixed(c.result) ? 1 : 0);
        } else {
            add_all(c.variables);
            add_operand(c.value);
            add_operand(c.result);
        }
        return function(all_fixed(c.variables) && position.fixed(c.value) && position.fixed(c.result));
    }

    Reading operator()(const Global& c) const {
        bool done = true;
        for (const auto& argument : c.arguments) {
            add_all(argument);
            done = done && all_fixed(argument);
        }
        return {done, true};
    }

    [[nodiscard]] Reading function(bool done) const {
        return output >= 0 ? defines_integer(done) : Reading{done, true};
    }

    // The definition demands nothing while its variable can take all that the inputs can give.
    [[nodiscard]] Reading defines_integer(bool done) const {
        if (done) return {true, false};
        if (position.size(output) == program.domain(output).size()) return {false, false};
        const Interval now = position.bounds(output);
        const auto wide = static_cast<std::uint64_t>(now.high - now.low) + 1;
        if (position.size(output) != wide) return {false, true};
        const auto values = image(*constraint, output, [&](VarId v) { return position.bounds(v); });
        return {false, !values || !values->inside(now)};
    }

    const Constraint* constraint;
    const std::vector<VarId>& scope;  // its variables, constants left out
};

ResidueReader::ResidueReader(const Program& program)
    : program_(program), stamp_(program.model.variables.size(), 0) {}

void ResidueReader::mark(const Position& position, VarId v) {
    if (live(v) || position.fixed(v)) return;
    stamp_[static_cast<std::size_t>(v)] = pass_;
    marked_.push_back(v);
}

Residue ResidueReader::read(Position& position, int next) {
    ++pass_;
    marked_.clear();
    Residue residue;
    Hasher total;
    total.add(word(next));

    for (int b = next; b < program_.blocks(); ++b) {
        if (const auto& rule = program_.block(b).rule) mark(position, rule->variable);
    }
    for (const Literal literal : program_.model.win) mark(position, literal.variable);
    for (const Cut& cut : program_.model.cuts) {
        for (const Literal literal : cut.when) mark(position, literal.variable);
        mark(position, cut.claim.variable);
    }

    auto kept = position.open.begin();
    for (const int c : position.open) {
        const Constraint& constraint = program_.constraint(c);
        const bool definition = program_.structure.total[static_cast<std::size_t>(c)];
        const VarId output = definition ? program_.structure.output[static_cast<std::size_t>(c)] : -1;
        Hasher own;
        const auto& variables = program_.variables_of[static_cast<std::size_t>(c)];
        const Reading reading =
            std::visit(ReadForm{position, program_, own, output, &constraint, variables}, constraint.body);
        // A definition that demands nothing and that nobody asks for stays so in all continuations.
        if (reading.settled || (definition && !reading.demands && !live(output))) continue;
        *kept++ = c;
        residue.demands = residue.demands || reading.demands;
        const Hash128 left = own.value();
        total.add(word(c));
        total.add(left.low);
        total.add(left.high);
        for (const VarId v : variables) mark(position, v);
    }
    position.open.erase(kept, position.open.end());

    const auto add_domain = [&](VarId v) {
        total.add(word(v));
        if (program_.held_as_boolean[v]) return;
        position.each_range(v, [&](Value low, Value high) {
            total.add(word(low));
            total.add(word(high));
        });
        total.add(word(largest_value + 1));  // ends the list
    };
    for (const VarId v : marked_) add_domain(v);
    for (auto m = program_.first_move[static_cast<std::size_t>(next)];
         m < static_cast<int>(program_.moves.size()); ++m) {
        const VarId v = program_.moves[static_cast<std::size_t>(m)];
        if (live(v) || position.size(v) == program_.domain(v).size()) continue;
        if (position.fixed(v)) {
            total.add(word(v));
            total.add(word(position.value(v)));
        } else {
            add_domain(v);
        }
    }
    // Which literals of the future are already decided, and how.
    const auto add_literal = [&](Literal literal) {
        total.add(position.is_true(literal) ? 1 : position.is_false(literal) ? 0 : 2);
    };
    for (int b = next; b < program_.blocks(); ++b) {
        if (const auto& rule = program_.block(b).rule) add_literal(*rule);
    }
    for (const Literal literal : program_.model.win) add_literal(literal);
    for (const Cut& cut : program_.model.cuts) {
        for (const Literal literal : cut.when) add_literal(literal);
        add_literal(cut.claim);
    }
    residue.key = total.value();
    return residue;
}

const ResidueReader::Reach& ResidueReader::reach(VarId variable) {
    const auto [at, added] = reach_.try_emplace(variable);
    Reach& result = at->second;
    if (!added) return result;
    // Whatever constraint the variable is in, what this constraint defines is reached with it.
    std::vector<bool> touched(program_.model.variables.size(), false);
    std::vector<bool> reached(program_.model.constraints.size(), false);
    touched[variable] = true;
    for (bool grown = true; grown;) {
        grown = false;
        for (auto c = program_.cone.rbegin(); c != program_.cone.rend(); ++c) {
            const auto& variables = program_.variables_of[*c];
            if (reached[*c] ||
                std::none_of(variables.begin(), variables.end(), [&](VarId v) { return touched[v]; })) {
                continue;
            }
            grown = reached[*c] = true;
            result.constraints.push_back(*c);
            if (const VarId output = program_.structure.output[*c]; output >= 0) touched[output] = true;
        }
    }
    for (const int c : result.constraints) {
        for (const VarId v : program_.variables_of[c]) {
            if (!touched[v]) result.bystanders.push_back(v);
        }
    }
    const auto judge = [&](Literal literal) { result.judged = result.judged || touched[literal.variable]; };
    for (const Block& block : program_.structure.prefix) {
        if (block.rule) judge(*block.rule);
    }
    for (const Cut& cut : program_.model.cuts) {
        for (const Literal literal : cut.when) judge(literal);
        judge(cut.claim);
    }
    if (program_.structure.universal_rules) {
        for (const Literal literal : program_.model.win) judge(literal);
    }
    return result;
}

bool ResidueReader::satisfied_by(VarId variable, const Position& before, const Position& after) {
    const Reach& reached = reach(variable);
    const bool narrowed = std::any_of(reached.bystanders.begin(), reached.bystanders.end(),
                                      [&](VarId v) { return before.size(v) != after.size(v); });
    return !narrowed && !reached.judged && !demands(after, reached.constraints);
}

bool ResidueReader::demands(const Position& position, const std::vector<int>& constraints) const {
    return std::any_of(constraints.begin(), constraints.end(), [&](int c) {
        const Constraint& constraint = program_.constraint(c);
        const VarId output = program_.structure.total[c] ? program_.structure.output[c] : -1;
        Hasher unused;
        const Reading reading =
            std::visit(ReadForm{position, program_, unused, output, &constraint, program_.variables_of[c]},
                       constraint.body);
        return !reading.settled && reading.demands;
    });
}

}  // namespace zermelo
