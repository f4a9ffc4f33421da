// Global constraints: those beyond the small forms of constraint.hpp, by their FlatZinc name.
//
// Gecode propagates each as it is, for both kernels (kernel/gecode/post_globals.hpp), and it is evaluated here on full
// assignments by simple code that shares nothing with the posting, so that the checker is independent of the solver. Every
// global not in this list is decomposed by MiniZinc's standard library or maps onto a small form.

#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "model/constraint.hpp"

namespace zermelo::model {

struct GlobalSignature {
    std::string_view name;
    std::size_t arguments;
    std::string_view meaning;
};

inline constexpr std::size_t global_kinds = 12;
[[nodiscard]] std::span<const GlobalSignature, global_kinds> global_signatures();
[[nodiscard]] const GlobalSignature* find_global(std::string_view name);

// How many constraints of each signature there are, in the order of the signatures.
using GlobalCounts = std::array<std::uint32_t, global_kinds>;
void count(const Global& global, GlobalCounts& counts);

// Whether the constraint holds where `value` says what each variable is. Throws Error for an unknown name, or
// arguments that do not fit it.
[[nodiscard]] bool holds(const Global& global, const std::function<Value(VarId)>& value);

// What is wrong with the lengths of the arguments or with constants that have to be constants; empty when
// nothing is. `constant` says whether a variable has one value only.
[[nodiscard]] std::string misfit(const Global& global, const std::function<bool(VarId)>& constant);

}  // namespace zermelo::model
