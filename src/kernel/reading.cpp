#include "kernel/reading.hpp"

#include "kernel/gecode/kernel.hpp"
#include "kernel/trail/kernel.hpp"

namespace zermelo::kernel {

namespace {

enum class Truth { no, yes, unknown };

Truth operator!(Truth t) { return t == Truth::unknown ? t : t == Truth::yes ? Truth::no : Truth::yes; }

// What a term describes. A tag is a number below `tags`, or one of these with a number added in the bits
// above.
enum Tag : std::uint64_t {
    wanted,
    decided_body,
    rest,
    odd,
    fixed_here,
    open_here,
    in_domain,
    in_words,
    tags = 16
};

std::uint64_t at(std::uint64_t tag, model::Value number) {
    return tag + tags * static_cast<std::uint64_t>(number);
}

template <PositionView Position>
struct ReadForm {
    const Program& program;
    const Position& position;
    const model::Constraint& constraint;
    const std::vector<model::VarId>& scope;  // its variables, constants left out
    model::VarId output;                     // what it totally defines, or -1
    bool acts;                               // false while it waits for a later move of a strategic model
    Terms& terms;

    [[nodiscard]] bool all_fixed(const std::vector<model::VarId>& variables) const {
        return std::all_of(variables.begin(), variables.end(),
                           [&](model::VarId v) { return position.fixed(v); });
    }
    void operand(model::Value place, model::VarId v) const {
        if (position.fixed(v)) {
            terms.value(at(fixed_here, place), v, position.value(v));
        } else {
            terms.variable(at(open_here, place), v);
        }
    }
    void operands(model::Value place, const std::vector<model::VarId>& variables) const {
        for (const model::VarId v : variables) operand(place++, v);
    }

    // A reified form demands something once its literal is fixed before its body is decided. `terms_of_body`
    // adds what is left of the body.
    template <class AddTerms>
    Reading reified(const std::optional<model::Literal>& by, Truth body, AddTerms terms_of_body) const {
        if (by && !position.fixed(by->variable)) {
            if (body != Truth::unknown) {
                terms.number(decided_body, body == Truth::yes ? 1 : 0);
            } else {
                terms_of_body();
            }
            return {false, output < 0};
        }
        const bool holds = !by || position.is_true(*by);
        if (body == (holds ? Truth::yes : Truth::no)) return {true, true};
        terms.number(wanted, holds ? 1 : 0);
        terms_of_body();
        return {false, true};
    }

    Reading operator()(const model::Linear& c) const {
        model::Value left = c.constant;
        model::Value low = 0;
        model::Value high = 0;
        int open = 0;
        for (const model::Term& term : c.terms) {
            const model::Interval x = position.bounds(term.variable);
            const model::Value a = term.coefficient * x.low;
            if (x.single()) {
                left -= a;
                continue;
            }
            ++open;
            const model::Value b = term.coefficient * x.high;
            low += std::min(a, b);
            high += std::max(a, b);
        }
        // The constraint's own constant goes with its name, and its open variables are named by their
        // domains; what the fixed ones took of the constant is new.
        const auto what_is_left = [&] { terms.number(rest, c.constant - left); };
        if (output >= 0 && !c.reified) {
            if (open > 0) what_is_left();
            return defines_integer(open == 0);
        }
        Truth body = Truth::unknown;
        if (c.relation == model::Relation::at_most) {
            body = high <= left ? Truth::yes : low > left ? Truth::no : Truth::unknown;
        } else {
            const Truth equal = open == 0                   ? (left == 0 ? Truth::yes : Truth::no)
                                : left < low || left > high ? Truth::no
                                                            : equality_within(c, left);
            body = c.relation == model::Relation::equal ? equal : !equal;
        }
        return reified(c.reified, body, what_is_left);
    }

    // One open variable: its domain may have a hole where the sum would be right.
    [[nodiscard]] Truth equality_within(const model::Linear& c, model::Value left) const {
        if (c.terms.size() != 1) return Truth::unknown;
        const model::Term& term = c.terms.front();
        const bool possible =
            left % term.coefficient == 0 && position.allows(term.variable, left / term.coefficient);
        return possible ? Truth::unknown : Truth::no;
    }

    // The fixed literals of an open clause are false, and the open ones are named by their variables'
    // domains.
    Reading operator()(const model::Clause& c) const {
        Truth body = Truth::no;
        for (const model::Literal l : c.literals) {
            if (position.is_true(l)) {
                body = Truth::yes;
                break;
            }
            if (!position.fixed(l.variable)) body = Truth::unknown;
        }
        return reified(c.reified, body, [] {});
    }

    Reading operator()(const model::Parity& c) const {
        model::Value odd_so_far = 0;
        bool open = false;
        for (const model::Literal l : c.literals) {
            if (position.fixed(l.variable)) {
                odd_so_far ^= position.is_true(l) ? 1 : 0;
            } else {
                open = true;
            }
        }
        terms.number(odd, odd_so_far);
        return {!open, output < 0 || position.fixed(output)};
    }

    Reading operator()(const model::Member& c) const {
        const model::Interval x = position.bounds(c.variable);
        Truth body = Truth::no;
        for (const auto& range : c.set.ranges()) {
            if (x.inside({range.low, range.high})) body = Truth::yes;
            if (body == Truth::no && x.high >= range.low && x.low <= range.high) body = Truth::unknown;
        }
        return reified(c.reified, body, [&] { operand(0, c.variable); });
    }

    Reading operator()(const model::Element& c) const {
        operand(0, c.index);
        operand(1, c.result);
        if (scope.size() > 2)
            position.each_range(c.index, [&](model::Value low, model::Value high) {
                for (model::Value i = low; i <= high; ++i) {
                    const model::VarId entry = c.array[static_cast<std::size_t>(i - 1)];
                    if (!program.domain(entry).single()) operand(1 + i, entry);
                }
            });
        if (output >= 0) return defines_integer(position.fixed(c.index) && position.fixed(c.result));
        const bool done = position.fixed(c.index) && position.fixed(c.result) &&
                          position.fixed(c.array[static_cast<std::size_t>(position.value(c.index) - 1)]);
        return {done, true};
    }

    Reading operator()(const model::Arithmetic& c) const {
        operand(0, c.left);
        operand(1, c.right);
        operand(2, c.result);
        return function(position.fixed(c.left) && position.fixed(c.right) && position.fixed(c.result));
    }

    Reading operator()(const model::Extremum& c) const {
        const model::Interval result = position.bounds(c.result);
        bool attained = false;
        for (const model::VarId v : c.operands) {
            const model::Interval x = position.bounds(v);
            // An operand that is certainly not the extremum does not matter any more.
            if (c.maximum ? x.high < result.low : x.low > result.high) continue;
            if (result.single() && x.single() && x.low == result.low) attained = true;
            operand(0, v);
        }
        operand(1, c.result);
        const bool beyond = std::any_of(c.operands.begin(), c.operands.end(), [&](model::VarId v) {
            const model::Interval x = position.bounds(v);
            return c.maximum ? x.high > result.low : x.low < result.high;
        });
        return function(attained && !beyond);
    }

    Reading operator()(const model::Table& c) const {
        if (!all_fixed(c.variables))
            return reified(c.reified, Truth::unknown, [&] { operands(0, c.variables); });
        operands(0, c.variables);
        return {!c.reified || position.fixed(c.reified->variable), true};
    }

    // Fixed values have left the domains of the others once it acts, so only the open variables matter then,
    // unless one of these keeps no holes.
    Reading operator()(const model::AllDifferent& c) const {
        int open = 0;
        const bool gone = acts && std::all_of(c.variables.begin(), c.variables.end(), [&](model::VarId v) {
                              return position.fixed(v) || position.keeps_holes(v);
                          });
        for (const model::VarId v : c.variables) {
            if (position.fixed(v)) {
                if (!gone) terms.value(fixed_here, v, position.value(v));
                continue;
            }
            ++open;
            terms.variable(open_here, v);
        }
        return {open <= 1 && acts, true};
    }

    Reading operator()(const model::Count& c) const {
        if (position.fixed(c.value)) {
            const model::Value value = position.value(c.value);
            model::Value found = 0;
            for (const model::VarId v : c.variables) {
                if (!position.allows(v, value)) continue;
                if (position.fixed(v)) {
                    ++found;
                } else {
                    terms.variable(open_here, v);
                }
            }
            const bool known = position.fixed(c.result);
            terms.number(at(fixed_here, 1), value);
            terms.number(rest, known ? position.value(c.result) - found : found);
            terms.number(wanted, known ? 1 : 0);
        } else {
            for (const model::VarId v : c.variables) operand(0, v);
            operand(1, c.value);
            operand(2, c.result);
        }
        return function(all_fixed(c.variables) && position.fixed(c.value) && position.fixed(c.result));
    }

    Reading operator()(const model::Global& c) const {
        bool done = true;
        model::Value place = 0;
        for (const auto& argument : c.arguments) {
            operands(place, argument);
            place += static_cast<model::Value>(argument.size());
            done = done && all_fixed(argument);
        }
        return {done, true};
    }

    [[nodiscard]] Reading function(bool done) const {
        return output >= 0 ? defines_integer(done) : Reading{done, true};
    }

    // The definition demands nothing while its variable can take all that the inputs can give.
    [[nodiscard]] Reading defines_integer(bool done) const {
        if (done && position.fixed(output)) return {true, false};
        if (position.size(output) == program.domain(output).size()) return {false, false};
        const model::Interval now = position.bounds(output);
        const auto wide = static_cast<std::uint64_t>(now.high - now.low) + 1;
        if (position.size(output) != wide) return {false, true};
        const auto values = image(constraint, output, [&](model::VarId v) { return position.bounds(v); });
        return {false, !values || !values->inside(now)};
    }
};

}  // namespace

template <PositionView Position>
Reading read_constraint(const Program& program, const Position& position, int c, Terms& terms) {
    terms.clear();
    const model::Constraint& constraint = program.constraint(c);
    const model::VarId output = program.structure.total[c] ? program.structure.output[c] : -1;
    return std::visit(ReadForm<Position>{program, position, constraint, program.variables_of[c], output,
                                         program.structure.due[c] < position.level(), terms},
                      constraint.body);
}

template <PositionView Position>
void read_domain(const Program& program, const Position& position, model::VarId v, Terms& terms) {
    terms.clear();
    if (position.fixed(v)) {
        terms.value(fixed_here, v, position.value(v));
    } else if (program.held_as_boolean[v]) {
        terms.number(open_here, 0);
    } else {
        if constexpr (requires { position.in_words(v); }) {
            if (position.in_words(v) && !terms.moves(v)) {
                position.each_word(
                    v, [&](std::uint32_t place, std::uint64_t word) { terms.word(in_words, place, word); });
                return;
            }
        }
        position.each_range(
            v, [&](model::Value low, model::Value high) { terms.range(in_domain, v, low, high); });
    }
}

template Reading read_constraint(const Program&, const trail::Kernel&, int, Terms&);
template Reading read_constraint(const Program&, const gecode::Kernel&, int, Terms&);
template void read_domain(const Program&, const trail::Kernel&, model::VarId, Terms&);
template void read_domain(const Program&, const gecode::Kernel&, model::VarId, Terms&);

}  // namespace zermelo::kernel
