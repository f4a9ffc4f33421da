// Residual form of one constraint at a position: its status, and a hash of what is left of it.
//
// A hash is a sum of terms (Zobrist hashing, 1970, with sums in place of xor), so that the order of a
// constraint's parts does not matter and a change costs one subtraction and one addition. Where the model has
// symmetries, the same pass adds up the hash of every image of the position.

#pragma once

#include <set>
#include <span>

#include "core/hash.hpp"
#include "kernel/kernel.hpp"
#include "kernel/program.hpp"
#include "model/renaming.hpp"

namespace zermelo::kernel {

inline Hash128& operator+=(Hash128& sum, const Hash128& term) {
    sum.low += term.low;
    sum.high += term.high;
    return sum;
}
inline Hash128& operator-=(Hash128& sum, const Hash128& term) {
    sum.low -= term.low;
    sum.high -= term.high;
    return sum;
}

// Sums of terms: one under the names that the variables have, and one under each renaming.
class Terms {
public:
    explicit Terms(std::span<const model::Renaming> renamings = {})
        : renamings_(renamings), sums_(renamings.size() + 1) {
        for (const model::Renaming& renaming : renamings) {
            for (const auto& [v, values] : renaming.values) moving_.insert(v);
        }
    }

    void clear() { std::fill(sums_.begin(), sums_.end(), Hash128{}); }
    void number(std::uint64_t tag, model::Value value) {
        const Hash128 term = mix(tag, static_cast<std::uint64_t>(value));
        for (Hash128& sum : sums_) sum += term;
    }
    void variable(std::uint64_t tag, model::VarId v) {
        sums_[0] += mix(tag, static_cast<std::uint64_t>(v));
        for (std::size_t g = 0; g < renamings_.size(); ++g) {
            sums_[g + 1] += mix(tag, static_cast<std::uint64_t>(renamings_[g].image(v)));
        }
    }
    // Does a renaming move the values of `v`?
    [[nodiscard]] bool moves(model::VarId v) const { return moving_.contains(v); }
    // Low to high, values of `v`.
    void range(std::uint64_t tag, model::VarId v, model::Value low, model::Value high) {
        if (moves(v)) {
            for (model::Value x = low; x <= high; ++x) value(tag, v, x);
        } else {
            word(tag, static_cast<std::uint64_t>(low), static_cast<std::uint64_t>(high));
        }
    }
    // Two numbers that no renaming moves.
    void word(std::uint64_t tag, std::uint64_t place, std::uint64_t content) {
        const Hash128 both = mixed(place, content);
        const Hash128 term = mixed(both.low + tag, both.high);
        for (Hash128& sum : sums_) sum += term;
    }
    // A value of a variable, whose name belongs to the tag or to another term.
    void value(std::uint64_t tag, model::VarId v, model::Value value) {
        sums_[0] += mix(tag, static_cast<std::uint64_t>(value));
        for (std::size_t g = 0; g < renamings_.size(); ++g) {
            sums_[g + 1] += mix(tag, static_cast<std::uint64_t>(renamings_[g].image(v, value)));
        }
    }

    [[nodiscard]] std::span<const Hash128> sums() const { return sums_; }
    // Binds the sums to a thing with these names: its own, and those of its images.
    void bind(std::span<const Hash128> names) {
        for (std::size_t g = 0; g < sums_.size(); ++g)
            sums_[g] = mixed(sums_[g].low ^ names[g].low, sums_[g].high ^ names[g].high);
    }

private:
    static Hash128 mix(std::uint64_t tag, std::uint64_t word) { return mixed(tag, word); }

    std::span<const model::Renaming> renamings_;
    std::set<model::VarId> moving_;  // variables whose values a renaming moves
    std::vector<Hash128> sums_;
};

struct Reading {
    bool settled = false;  // nothing more can happen to it
    bool demands = false;  // it can still be violated
};

// Clears `terms` and fills it with what is left of constraint `c` of the cone, without its name.
template <PositionView Position>
[[nodiscard]] Reading read_constraint(const Program& program, const Position& position, int c, Terms& terms);

// Clears `terms` and fills it with what is known about a variable, without its name: its value, or its
// domain.
template <PositionView Position>
void read_domain(const Program& program, const Position& position, model::VarId v, Terms& terms);

}  // namespace zermelo::kernel
