#include "kernel/gecode/post.hpp"

#include <fmt/format.h>

#include <array>

#include "kernel/gecode/post_globals.hpp"

namespace zermelo::kernel::gecode {

using Gecode::BoolVar;
using Gecode::BoolVarArgs;
using Gecode::IntArgs;
using Gecode::IntRelType;
using Gecode::IntVar;
using Gecode::IntVarArgs;

namespace {

constexpr model::Value gecode_limit = Gecode::Int::Limits::max;

int narrow(model::Value value) {
    if (value < -gecode_limit || value > gecode_limit) throw Gecode::Int::OutOfLimits("zermelo");
    return static_cast<int>(value);
}

Gecode::IntSet to_set(const model::Domain& domain) {
    const auto& ranges = domain.ranges();
    std::vector<std::array<int, 2>> bounds(ranges.size());
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        bounds[i] = {narrow(std::clamp(ranges[i].low, -gecode_limit, gecode_limit)),
                     narrow(std::clamp(ranges[i].high, -gecode_limit, gecode_limit))};
    }
    return Gecode::IntSet(reinterpret_cast<const int(*)[2]>(bounds.data()), static_cast<int>(bounds.size()));
}

IntRelType relation(model::Relation r) {
    switch (r) {
        case model::Relation::equal:
            return Gecode::IRT_EQ;
        case model::Relation::different:
            return Gecode::IRT_NQ;
        case model::Relation::at_most:
            return Gecode::IRT_LQ;
    }
    return Gecode::IRT_EQ;
}

IntRelType negated(IntRelType r) {
    switch (r) {
        case Gecode::IRT_EQ:
            return Gecode::IRT_NQ;
        case Gecode::IRT_NQ:
            return Gecode::IRT_EQ;
        case Gecode::IRT_LQ:
            return Gecode::IRT_GR;
        case Gecode::IRT_GQ:
            return Gecode::IRT_LE;
        default:
            return r;
    }
}

IntRelType mirrored(IntRelType r) {
    switch (r) {
        case Gecode::IRT_LQ:
            return Gecode::IRT_GQ;
        case Gecode::IRT_GQ:
            return Gecode::IRT_LQ;
        case Gecode::IRT_LE:
            return Gecode::IRT_GR;
        case Gecode::IRT_GR:
            return Gecode::IRT_LE;
        default:
            return r;
    }
}

}  // namespace

IntVar make_variable(Gecode::Space& home, const model::Domain& domain, const std::string& name) {
    if (domain.low() < -gecode_limit || domain.high() > gecode_limit) {
        throw Error(fmt::format("variable {} can reach {}, which is more than a variable may hold", name,
                                domain.high() > gecode_limit ? domain.high() : domain.low()),
                    "use smaller coefficients or smaller domains");
    }
    if (domain.ranges().size() == 1) return {home, narrow(domain.low()), narrow(domain.high())};
    return {home, to_set(domain)};
}

IntVar Poster::integer(model::VarId v) {
    const Operand operand = operand_(v);
    if (const auto* x = std::get_if<IntVar>(&operand)) return *x;
    const auto [at, added] = channelled_.try_emplace(v);
    if (added) {
        if (const auto* b = std::get_if<BoolVar>(&operand)) {
            at->second = IntVar(home_, 0, 1);
            Gecode::channel(home_, *b, at->second);
        } else {
            const int value = std::get<int>(operand);
            at->second = IntVar(home_, value, value);
        }
    }
    return at->second;
}

BoolVar Poster::boolean(model::VarId v) {
    const Operand operand = operand_(v);
    if (const auto* b = std::get_if<BoolVar>(&operand)) return *b;
    const int value = std::get<int>(operand);
    return {home_, value, value};
}

IntVarArgs Poster::integers(const std::vector<model::VarId>& variables) {
    IntVarArgs all(static_cast<int>(variables.size()));
    for (std::size_t i = 0; i < variables.size(); ++i) all[static_cast<int>(i)] = integer(variables[i]);
    return all;
}

struct PostForm {
    Poster& poster;
    Gecode::Space& home = poster.home_;

    static constexpr auto equivalent = Gecode::RM_EQV;

    // The relation to post and the Boolean that mirrors it: a negative literal mirrors the opposite relation.
    void operator()(const model::Linear& c) const {
        IntRelType irt = relation(c.relation);
        if (c.reified && !c.reified->positive) irt = negated(irt);
        std::optional<Gecode::Reify> reify;
        if (c.reified) reify.emplace(poster.boolean(c.reified->variable), equivalent);

        model::Value constant = c.constant;
        IntArgs int_factors;
        IntArgs bool_factors;
        IntVarArgs ints;
        BoolVarArgs bools;
        std::vector<model::VarId> bool_ids;
        for (const model::Term& term : c.terms) {
            if (poster.is_constant(term.variable)) {
                constant -= term.coefficient * std::get<int>(poster.operand_(term.variable));
            } else if (poster.is_boolean(term.variable)) {
                bool_factors << narrow(term.coefficient);
                bools << poster.boolean(term.variable);
                bool_ids.push_back(term.variable);
            } else {
                int_factors << narrow(term.coefficient);
                ints << poster.integer(term.variable);
            }
        }
        // Gecode 6.2 takes a disequality of Booleans with coefficients wrongly: 2y ≠ 1 fails. It comes up for ≠,
        // and for a reified = that turns out false.
        const bool differs = irt == Gecode::IRT_NQ || (irt == Gecode::IRT_EQ && reify);
        const bool plain = !differs || std::all_of(bool_factors.begin(), bool_factors.end(),
                                                   [](int factor) { return std::abs(factor) == 1; });
        if (plain && bools.size() > 0 && ints.size() == 1 && std::abs(int_factors[0]) == 1) {
            return booleans_against_integer(bool_factors, bools, irt, int_factors[0], ints[0], constant,
                                            reify);
        }
        if (plain && ints.size() == 0 && bools.size() > 0) {
            if (reify) return Gecode::linear(home, bool_factors, bools, irt, narrow(constant), *reify);
            return Gecode::linear(home, bool_factors, bools, irt, narrow(constant));
        }
        for (std::size_t i = 0; i < bool_ids.size(); ++i) {
            int_factors << bool_factors[static_cast<int>(i)];
            ints << poster.integer(bool_ids[i]);
        }
        integers_only(int_factors, ints, irt, constant, reify);
    }

    // Σ factor × Boolean  ∘  constant - sign × y, with y alone on the right.
    void booleans_against_integer(IntArgs factors, BoolVarArgs bools, IntRelType irt, int sign, IntVar y,
                                  model::Value constant, const std::optional<Gecode::Reify>& reify) const {
        if (sign == 1) {
            for (int& factor : factors) factor = -factor;
            irt = mirrored(irt);
        } else {
            constant = -constant;
        }
        if (constant != 0) {
            factors << narrow(constant);
            bools << BoolVar(home, 1, 1);
        }
        if (reify) {
            Gecode::linear(home, factors, bools, irt, y, *reify);
        } else {
            Gecode::linear(home, factors, bools, irt, y);
        }
    }

    void integers_only(const IntArgs& factors, const IntVarArgs& ints, IntRelType irt, model::Value constant,
                       const std::optional<Gecode::Reify>& reify) const {
        const bool unary = ints.size() == 1 && std::abs(factors[0]) == 1;
        const bool binary = ints.size() == 2 && factors[0] * factors[1] == -1 && constant == 0;
        if (unary) {
            const IntRelType r = factors[0] == 1 ? irt : mirrored(irt);
            const int bound = narrow(factors[0] == 1 ? constant : -constant);
            if (reify) return Gecode::rel(home, ints[0], r, bound, *reify);
            return Gecode::rel(home, ints[0], r, bound);
        }
        if (binary) {
            const IntVar x = factors[0] == 1 ? ints[0] : ints[1];
            const IntVar y = factors[0] == 1 ? ints[1] : ints[0];
            if (reify) return Gecode::rel(home, x, irt, y, *reify);
            return Gecode::rel(home, x, irt, y);
        }
        if (reify) return Gecode::linear(home, factors, ints, irt, narrow(constant), *reify);
        Gecode::linear(home, factors, ints, irt, narrow(constant));
    }

    void operator()(const model::Clause& c) const {
        const bool all = c.reified && !c.reified->positive;  // ¬r ↔ ∨ L is r ↔ ∧ ¬L
        BoolVarArgs positive;
        BoolVarArgs negative;
        for (const model::Literal l : c.literals)
            (l.positive != all ? positive : negative) << poster.boolean(l.variable);
        if (c.reified) {
            const BoolVar r = poster.boolean(c.reified->variable);
            Gecode::clause(home, all ? Gecode::BOT_AND : Gecode::BOT_OR, positive, negative, r);
        } else {
            Gecode::clause(home, Gecode::BOT_OR, positive, negative, 1);
        }
    }

    void operator()(const model::Parity& c) const {
        BoolVarArgs all;
        int odd = 1;
        for (const model::Literal l : c.literals) {
            all << poster.boolean(l.variable);
            if (!l.positive) odd = 1 - odd;
        }
        if (all.size() == 2)
            return Gecode::rel(home, all[0], odd == 1 ? Gecode::IRT_NQ : Gecode::IRT_EQ, all[1]);
        Gecode::rel(home, Gecode::BOT_XOR, all, odd);
    }

    void operator()(const model::Member& c) const {
        const IntVar x = poster.integer(c.variable);
        const Gecode::IntSet set = to_set(c.set);
        if (!c.reified) return Gecode::dom(home, x, set);
        BoolVar r = poster.boolean(c.reified->variable);
        if (!c.reified->positive) r = opposite(r);
        Gecode::dom(home, x, set, Gecode::Reify(r, equivalent));
    }

    BoolVar opposite(BoolVar b) const {
        const BoolVar other(home, 0, 1);
        Gecode::rel(home, b, Gecode::IRT_NQ, other);
        return other;
    }

    // Gecode counts from 0: an entry that no index can reach fills the gap.
    void operator()(const model::Element& c) const {
        const IntVar index = poster.integer(c.index);
        Gecode::rel(home, index, Gecode::IRT_GQ, 1);
        Gecode::rel(home, index, Gecode::IRT_LQ, narrow(static_cast<model::Value>(c.array.size())));
        const auto size = static_cast<int>(c.array.size()) + 1;
        const bool constants = std::all_of(c.array.begin(), c.array.end(),
                                           [&](model::VarId v) { return poster.is_constant(v); });
        if (constants) {
            Gecode::IntSharedArray array(size);
            array[0] = 0;
            for (int i = 1; i < size; ++i) array[i] = std::get<int>(poster.operand_(c.array[i - 1]));
            if (poster.is_boolean(c.result))
                return Gecode::element(home, array, index, poster.boolean(c.result));
            if (poster.is_constant(c.result)) {
                return Gecode::element(home, array, index, std::get<int>(poster.operand_(c.result)));
            }
            return Gecode::element(home, array, index, poster.integer(c.result));
        }
        const auto two_valued = [&](model::VarId v) {
            const auto operand = poster.operand_(v);
            const int* value = std::get_if<int>(&operand);
            return std::holds_alternative<BoolVar>(operand) ||
                   (value != nullptr && (*value == 0 || *value == 1));
        };
        if (two_valued(c.result) && std::all_of(c.array.begin(), c.array.end(), two_valued)) {
            BoolVarArgs array(size);
            array[0] = BoolVar(home, 0, 0);
            for (int i = 1; i < size; ++i) array[i] = poster.boolean(c.array[i - 1]);
            return Gecode::element(home, array, index, poster.boolean(c.result));
        }
        IntVarArgs array(size);
        array[0] = IntVar(home, 0, 0);
        for (int i = 1; i < size; ++i) array[i] = poster.integer(c.array[i - 1]);
        Gecode::element(home, array, index, poster.integer(c.result));
    }

    void operator()(const model::Arithmetic& c) const {
        const IntVar x = poster.integer(c.left);
        const IntVar y = poster.integer(c.right);
        const IntVar z = poster.integer(c.result);
        switch (c.operation) {
            case model::Operation::times:
                return Gecode::mult(home, x, y, z);
            case model::Operation::divide:
                return Gecode::div(home, x, y, z);
            case model::Operation::modulo:
                return Gecode::mod(home, x, y, z);
            case model::Operation::power:
                return power(x, y, z);
        }
    }

    // Gecode raises only to constant powers: one for each exponent, and the exponent picks among them.
    void power(IntVar x, IntVar y, IntVar z) const {
        Gecode::rel(home, y, Gecode::IRT_GQ, 0);
        if (home.failed()) return;
        if (y.assigned()) return Gecode::pow(home, x, y.val(), z);
        IntVarArgs powers;
        for (int exponent = 0; exponent <= y.max(); ++exponent) {
            const IntVar result(home, Gecode::Int::Limits::min, Gecode::Int::Limits::max);
            if (y.in(exponent)) {
                const BoolVar used(home, 0, 1);
                Gecode::rel(home, y, Gecode::IRT_EQ, exponent, used);
                const IntVar same(home, Gecode::Int::Limits::min, Gecode::Int::Limits::max);
                Gecode::pow(home, x, exponent, same);
                Gecode::rel(home, result, Gecode::IRT_EQ, same, Gecode::Reify(used, Gecode::RM_IMP));
            }
            powers << result;
        }
        Gecode::element(home, powers, y, z);
    }

    void operator()(const model::Extremum& c) const {
        const bool two_valued = std::all_of(c.operands.begin(), c.operands.end(),
                                            [&](model::VarId v) { return poster.is_boolean(v); });
        if (two_valued && poster.is_boolean(c.result)) {
            BoolVarArgs operands;
            for (const model::VarId v : c.operands) operands << poster.boolean(v);
            return Gecode::rel(home, c.maximum ? Gecode::BOT_OR : Gecode::BOT_AND, operands,
                               poster.boolean(c.result));
        }
        const IntVarArgs operands = poster.integers(c.operands);
        if (c.maximum) {
            Gecode::max(home, operands, poster.integer(c.result));
        } else {
            Gecode::min(home, operands, poster.integer(c.result));
        }
    }

    void operator()(const model::Table& c) const {
        const auto arity = static_cast<int>(c.variables.size());
        Gecode::TupleSet tuples(arity);
        for (std::size_t at = 0; at + arity <= c.rows.size(); at += arity) {
            IntArgs row(arity);
            for (int i = 0; i < arity; ++i) row[i] = narrow(c.rows[at + i]);
            tuples.add(row);
        }
        tuples.finalize();
        const IntVarArgs variables = poster.integers(c.variables);
        if (!c.reified) return Gecode::extensional(home, variables, tuples);
        Gecode::extensional(home, variables, tuples, c.reified->positive,
                            Gecode::Reify(poster.boolean(c.reified->variable), equivalent));
    }

    void operator()(const model::AllDifferent& c) const {
        Gecode::distinct(home, poster.integers(c.variables));
    }

    void operator()(const model::Count& c) const {
        Gecode::count(home, poster.integers(c.variables), poster.integer(c.value), Gecode::IRT_EQ,
                      poster.integer(c.result));
    }

    void operator()(const model::Global& c) const {
        post_global(
            home, c, [this](model::VarId v) { return poster.integer(v); },
            [this](model::VarId v) -> model::Value { return std::get<int>(poster.operand_(v)); });
    }
};

void Poster::post(const model::Constraint& constraint) {
    try {
        std::visit(PostForm{*this}, constraint.body);
    } catch (const Gecode::Exception& problem) {
        throw Error(
            constraint.place,
            fmt::format("the numbers of this constraint are too large for the solver ({})", problem.what()),
            "use smaller coefficients or smaller domains");
    }
}

}  // namespace zermelo::kernel::gecode
