// FlatZinc reader: reads the output of the MiniZinc compiler (Nethercote et al. 2007), with the predicates of
// share/minizinc/zermelo/zermelo.mzn for the quantifiers.
//
// MiniZinc may narrow a variable, or replace it by a constant or by another variable, while it flattens. So a
// quantified variable gets the domain that zermelo_block repeats, and what MiniZinc inferred becomes part of
// the winning condition. That is the same problem as long as only the winning condition ends a game: where ∀
// has rules, or there are cuts, the reader refuses such a model instead. It does so for a strategic model
// too, where each constraint acts from a block of its own.

#pragma once

#include <istream>
#include <string>

#include "model/model.hpp"

namespace zermelo::model {

// A model without zermelo_block is a plain problem: one ∃ block of the modeller's variables. Minimising x is
// told as maximising a new variable named -x. Throws Error with the place of whatever is wrong.
[[nodiscard]] Model read_flatzinc(std::istream& input, const std::string& filename);

}  // namespace zermelo::model
