// Constraint symmetries (Cohen, Jeavons, Jefferson, Petrie and Smith 2006) of a quantified model: renamings
// of its variables, constraints and values that leave it unchanged, found as graph automorphisms (Puget
// 2005).
//
// A symmetry maps each block's variables to variables of the same block, state variables to state variables,
// rules, cuts, the winning condition and the objective onto themselves, and every constraint to one of the
// same form, with the same coefficients and constants, that acts at the same level and defines the image of
// what it defines. So the position after a play and the position after its image have the same verdict, and
// the strategy of one is, renamed, the strategy of the other.
//
// Values change only of an integer variable about which little is asked (Exchange), and there the constant
// of an image is the image of the constant. Booleans keep their values.
//
// The model becomes a coloured graph, nauty finds automorphisms that generate the group, and each is then
// checked against the model without nauty (model_shape.hpp). Left out are symmetries that do nothing but
// exchange auxiliary variables, which are the same function of the moves, or values that nothing tells
// apart.

#pragma once

#include "core/limits.hpp"
#include "model/renaming.hpp"
#include "model/structure.hpp"

namespace zermelo::symmetry {

using ModelSymmetry = model::Renaming;

// The variables whose values may be exchanged are asked for nothing but
enum class Exchange : std::uint8_t {
    // in which of some sets the value lies (x = c ↔ b, x ≤ c ↔ b, x ∈ S), whether it differs from others
    // (all-different), and which constant of an array it selects;
    sets,
    // and also whether a sum of two is right (x = y, x ≠ y + 1), and which variable of an array it selects.
    // The residue of such a constraint at a position is renamed with its values, too: of two summands the
    // value
    // of the one that is fixed, of an array the indices.
    pairs,
};

// All symmetries but the identity if there are at most `most`, no two of which do the same to moves and
// state; otherwise `most` of them, those first that need fewest generators. The same ones each time. None for
// a model that is too large, or when a limit is reached.
[[nodiscard]] std::vector<ModelSymmetry> symmetries(const model::Model& model,
                                                    const model::Structure& structure, std::size_t most,
                                                    const Limits& limits = {},
                                                    Exchange exchange = Exchange::sets);

}  // namespace zermelo::symmetry
