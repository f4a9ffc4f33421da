// FlatZinc reader: reads the output of the MiniZinc compiler (Nethercote et al. 2007), with the predicates of
// share/minizinc/zermelo/zermelo.mzn for the quantifiers.
//
// MiniZinc may narrow a variable, or replace it by a constant or by another variable, while it flattens. So a
// quantified variable gets the domain that zermelo_block repeats, and what MiniZinc inferred becomes part of
// the winning condition. That is the same problem as long as only the winning condition ends a game. Where a
// block has a rule, a constraint belongs to whoever completes it (see flatten/plain.hpp), and where there are
// cuts, a play may end before. Both need FlatZinc in which MiniZinc has recorded what it inferred instead of
// using it (`minizinc -g`). The reader refuses a strategic model with a narrowed move, too, because each of
// its constraints acts from a block of its own.

#pragma once

#include <istream>
#include <optional>
#include <string>

#include "model/model.hpp"

namespace zermelo::model {

// A model without zermelo_block is a plain problem: one ∃ block of the modeller's variables. Minimising x is
// told as maximising a new variable named -x. Throws Error with the place of whatever is wrong.
[[nodiscard]] Model read_flatzinc(std::istream& input, const std::string& filename);

struct Reading {
    Model model;
    // Why the model may not be what was compiled: it has plain constraints, and MiniZinc may have used them.
    std::optional<Error> doubt = std::nullopt;
};

// `recorded`: MiniZinc has recorded what it inferred. There is no doubt then.
[[nodiscard]] Reading read_flatzinc(std::istream& input, const std::string& filename, bool recorded);

}  // namespace zermelo::model
