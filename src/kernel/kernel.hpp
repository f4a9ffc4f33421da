// Kernel: what a quantified search asks of propagation. Two kernels offer it: trail/kernel.hpp, made for this
// search, and gecode/kernel.hpp, which copies Gecode spaces and is the second opinion of the tests.
//
// A kernel stands at one position. `push` remembers it and `pop` returns to it. `play` gives a move its value,
// `demand` requires a literal, `reach` lets act what has waited for a block of a strategic model; after any of
// these, `propagate` says whether the position has failed. Domains may be read at any propagated position.

#pragma once

#include <concepts>
#include <cstdint>
#include <optional>

#include "core/limits.hpp"
#include "model/globals.hpp"
#include "model/model.hpp"
#include "model/simplify/image.hpp"

namespace zermelo::kernel {

struct Program;

// A value of a ∀ variable that propagation has removed; playing it wins for ∀.
struct Refutation {
    model::VarId variable = -1;
    model::Value value = 0;
};

struct KernelOptions {
    int recompute = 1;        // of a copying kernel: copy only every so many levels, and recompute in between
    bool explaining = false;  // of a kernel with a trail: it can say which moves imply what
};

struct KernelStatistics {
    std::uint64_t propagations = 0;
    std::uint64_t copies = 0;          // of a copying kernel
    model::GlobalCounts foreign = {};  // constraints that another kernel propagates
    // How consistency of a strategic model was decided, where propagation did not:
    std::uint64_t by_values = 0;     // the values of the last solution held again
    std::uint64_t by_search = 0;     // a nested search decided ...
    std::uint64_t nested_nodes = 0;  // ... with so many nodes in all
};

// What can be read of a position.
template <class P>
concept PositionView = requires(const P& p, model::VarId v, model::Value value, model::Literal l) {
    { p.fixed(v) } -> std::same_as<bool>;
    { p.value(v) } -> std::convertible_to<model::Value>;
    { p.bounds(v) } -> std::same_as<model::Interval>;
    { p.size(v) } -> std::convertible_to<std::uint64_t>;
    { p.allows(v, value) } -> std::same_as<bool>;
    { p.keeps_holes(v) } -> std::same_as<bool>;
    { p.is_true(l) } -> std::same_as<bool>;
    { p.level() } -> std::same_as<int>;
};

template <class K>
concept Kernel = PositionView<K> &&
    requires(K& k, model::VarId v, model::Value value, model::Literal l, const Limits& limits) {
    k.push(true);
    k.pop();
    k.play(v, value);
    k.demand(l);
    k.reach(0);
    { k.propagate() } -> std::same_as<bool>;
    { k.refutation() } -> std::convertible_to<Refutation>;
    { k.consistent(limits) } -> std::same_as<std::optional<bool>>;
    { k.statistics() } -> std::same_as<KernelStatistics>;
};

}  // namespace zermelo::kernel
