// Atoms with variables, as the grounder's joins look at them: which variables occur, and which shape of key
// an index has.

#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "gdl/syntax/description.hpp"

namespace zermelo::gdl {

inline void each_variable(const Term& term, const auto& visit) {
    if (term.kind == Term::Kind::variable) visit(term.id);
    for (const Term& argument : term.arguments) each_variable(argument, visit);
}

inline void each_variable(const Atom& atom, const auto& visit) {
    for (const Term& argument : atom.arguments) each_variable(argument, visit);
}

inline bool ground_under(const Term& term, const std::vector<bool>& bound) {
    bool ground = true;
    each_variable(term, [&](std::uint32_t v) { ground = ground && bound[v]; });
    return ground;
}

inline bool ground_under(const Atom& atom, const std::vector<bool>& bound) {
    return std::all_of(atom.arguments.begin(), atom.arguments.end(),
                       [&](const Term& t) { return ground_under(t, bound); });
}

// Marks in the shape of an index: variable 0 is part of the key, variable 1 is anything.
inline constexpr std::uint32_t key_mark = 0;
inline constexpr std::uint32_t open_mark = 1;

}  // namespace zermelo::gdl
