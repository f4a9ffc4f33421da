// The oracle: brute force over the trees that the modeller wrote.
//
// It tries every value of every variable and evaluates every condition only when all its variables have
// values. It knows neither the flattened model nor propagation, so what it says about a small model can be
// trusted to judge everything else. Semantics: QCSP+ (Barichard and Stéphan 2017, section 2), undefined expressions as in
// expression.hpp.
//
// A cut acts at the end of the block that completes its variables, after the rule of this block.

#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "model/builder.hpp"

namespace zermelo::oracle {

using Assignment =
    std::vector<model::Value>;  // by variable; only the variables that are asked for must be there

inline bool holds(const model::Expression& e, const Assignment& play);

// The value of an integer expression; none where it is undefined.
inline std::optional<model::Value> value(const model::Expression& e, const Assignment& play) {
    using Kind = model::Expression::Kind;
    if (e.kind == Kind::constant) return e.value;
    if (e.kind == Kind::variable) return play[static_cast<std::size_t>(e.variable)];
    if (e.kind >= Kind::truth) return holds(e, play) ? 1 : 0;
    if (e.kind == Kind::choose) return value(*e.parts[holds(*e.parts[0], play) ? 1 : 2], play);

    std::vector<model::Value> v;
    for (const auto& part : e.parts) {
        const auto each = value(*part, play);
        if (!each) return std::nullopt;
        v.push_back(*each);
    }
    switch (e.kind) {
        case Kind::sum: {
            model::Value total = 0;
            for (const model::Value each : v) total += each;
            return total;
        }
        case Kind::subtract:
            return v[0] - v[1];
        case Kind::negate:
            return -v[0];
        case Kind::multiply:
            return v[0] * v[1];
        case Kind::divide:
            return v[1] == 0 ? std::nullopt : std::optional(v[0] / v[1]);
        case Kind::modulo:
            return v[1] == 0 ? std::nullopt : std::optional(v[0] % v[1]);
        case Kind::power: {
            if (v[1] < 0) return std::nullopt;
            model::Value result = 1;
            for (model::Value i = 0; i < v[1]; ++i) result *= v[0];
            return result;
        }
        case Kind::absolute:
            return v[0] < 0 ? -v[0] : v[0];
        case Kind::minimum:
            return *std::min_element(v.begin(), v.end());
        case Kind::maximum:
            return *std::max_element(v.begin(), v.end());
        case Kind::element:
            if (v[0] < 1 || v[0] >= static_cast<model::Value>(v.size())) return std::nullopt;
            return v[static_cast<std::size_t>(v[0])];
        case Kind::count:
            return std::count(v.begin() + 1, v.end(), v[0]);
        default:
            throw std::logic_error("the oracle does not know this integer expression");
    }
}

inline bool holds(const model::Expression& e, const Assignment& play) {
    using Kind = model::Expression::Kind;
    const auto part = [&](std::size_t i) { return holds(*e.parts[i], play); };
    const auto is_true = [&](const auto& each) { return holds(*each, play); };
    switch (e.kind) {
        case Kind::truth:
            return e.value != 0;
        case Kind::conjunction:
            return std::all_of(e.parts.begin(), e.parts.end(), is_true);
        case Kind::disjunction:
            return std::any_of(e.parts.begin(), e.parts.end(), is_true);
        case Kind::negation:
            return !part(0);
        case Kind::equivalent:
            return part(0) == part(1);
        case Kind::exclusive:
            return part(0) != part(1);
        default:
            break;
    }
    std::vector<model::Value> v;
    for (const auto& each : e.parts) {
        const auto operand = value(*each, play);
        if (!operand) return false;
        v.push_back(*operand);
    }
    switch (e.kind) {
        case Kind::equal:
            return v[0] == v[1];
        case Kind::different:
            return v[0] != v[1];
        case Kind::less:
            return v[0] < v[1];
        case Kind::at_most:
            return v[0] <= v[1];
        case Kind::member:
            return e.set.contains(v[0]);
        case Kind::table:
            if (v.empty()) return e.value != 0;
            for (auto row = e.rows.begin(); row != e.rows.end();
                 row += static_cast<std::ptrdiff_t>(v.size())) {
                if (std::equal(v.begin(), v.end(), row)) return true;
            }
            return false;
        case Kind::all_different:
            std::sort(v.begin(), v.end());
            return std::adjacent_find(v.begin(), v.end()) == v.end();
        default:
            throw std::logic_error("the oracle does not know this Boolean expression");
    }
}

inline bool holds(const model::BoolExpr& e, const Assignment& play) { return holds(*e.tree(), play); }
inline std::optional<model::Value> value(const model::IntExpr& e, const Assignment& play) {
    return value(*e.tree(), play);
}
inline bool holds(const model::BoolExprs& all, const Assignment& play) {
    return std::all_of(all.begin(), all.end(), [&](const model::BoolExpr& e) { return holds(e, play); });
}
// The winning condition of a finished play.
inline bool wins(const model::Source& source, const Assignment& play) {
    return holds(source.win, play) && holds(source.require, play);
}

// Values beyond all numbers: ∃ cannot avoid losing, or ∀ cannot avoid running out of legal moves.
inline constexpr model::Value nothing = std::numeric_limits<model::Value>::min();
inline constexpr model::Value everything = std::numeric_limits<model::Value>::max();

// Minimax over the prefix: the leaf says what a finished play is worth, `nothing` where it is lost.
template <class Leaf>
class Search {
public:
    Search(const model::Source& source, Leaf leaf)
        : source_(source), leaf_(leaf), play_(source.variables.size(), 0) {
        for (const auto& cut : source.cuts) {
            int last = last_block(*cut.claim.tree());
            for (const model::BoolExpr& each : cut.when) last = std::max(last, last_block(*each.tree()));
            complete_.push_back(last);
        }
    }

    model::Value run() { return cut_off(-1) ? everything : block(0); }

private:
    [[nodiscard]] int last_block(const model::Expression& e) const {
        int last = -1;
        for (std::size_t b = 0; b < source_.blocks.size(); ++b) {
            const auto& variables = source_.blocks[b].variables;
            if (e.kind == model::Expression::Kind::variable &&
                std::count(variables.begin(), variables.end(), e.variable)) {
                last = static_cast<int>(b);
            }
        }
        for (const auto& part : e.parts) last = std::max(last, last_block(*part));
        return last;
    }

    [[nodiscard]] bool cut_off(int block) const {
        for (std::size_t c = 0; c < source_.cuts.size(); ++c) {
            const auto& cut = source_.cuts[c];
            if (complete_[c] == block && holds(cut.when, play_) && !holds(cut.claim, play_)) return true;
        }
        return false;
    }

    model::Value block(std::size_t b) {
        if (b == source_.blocks.size()) return leaf_(play_);
        return source_.blocks[b].quantifier == model::Quantifier::exists ? choice(b, 0, nothing)
                                                                         : choice(b, 0, everything);
    }

    // The best for the owner of block b, whose variables before i have values; `best` is what he has already.
    model::Value choice(std::size_t b, std::size_t i, model::Value best) {
        const auto& block = source_.blocks[b];
        const bool ours = block.quantifier == model::Quantifier::exists;
        if (i == block.variables.size()) {
            if (!holds(block.rules, play_)) return best;
            const model::Value value = cut_off(static_cast<int>(b)) ? everything : this->block(b + 1);
            return ours ? std::max(best, value) : std::min(best, value);
        }
        const auto v = static_cast<std::size_t>(block.variables[i]);
        for (const model::Value value : source_.variables[v].domain.values()) {
            play_[v] = value;
            best = choice(b, i + 1, best);
            if (best == (ours ? everything : nothing)) break;
        }
        return best;
    }

    const model::Source& source_;
    Leaf leaf_;
    Assignment play_;
    std::vector<int> complete_;  // by cut: the block that completes its variables, -1 for none
};

inline bool won(const model::Source& source) {
    return Search(source, [&](const Assignment& play) {
               return wins(source, play) ? everything : nothing;
           }).run() == everything;
}

// The best value of the objective that ∃ can guarantee while winning. A play without a value for it is lost.
inline model::Value best_guaranteed(const model::Source& source) {
    const auto worth = [&](const Assignment& play) {
        return wins(source, play) ? value(*source.objective, play).value_or(nothing) : nothing;
    };
    return Search(source, worth).run();
}

}  // namespace zermelo::oracle
