// Normalisation of rule bodies (Lloyd and Topor 1984): from arbitrary `and`, `or` and `not` to rules whose
// bodies are plain lists of literals.
//
// Negations are pushed inwards by De Morgan's laws. A disjunction is distributed over the body while that
// makes few rules; a larger one becomes a hidden relation, whose arguments are the variables it shares with
// the rest of the rule. A negated conjunction with variables of its own says that no values exist for them:
// it becomes a hidden relation too, used negatively. Where a hidden rule would leave a variable unbound, the
// surrounding literals that bind it are repeated in it, which changes nothing, because they have to hold
// anyway. `(not (distinct a b))` makes a and b one term in the whole rule.

#pragma once

#include "gdl/syntax/description.hpp"

namespace zermelo::gdl {

struct Formula {
    enum class Kind : std::uint8_t { all, any, negation, literal, equal };
    Kind kind;
    std::vector<Formula> parts = {};
    BodyLiteral literal = {};  // of a literal; `equal` has the arguments of the negated `distinct`
    int line = 0;
    int column = 0;
};

// Makes rules out of `rule`, whose body is empty so far, and `body`, and adds them to the description. Hidden
// relations are named with `prefix` and a number. Throws Error when there would be too many rules.
void normalise(Description& game, Rule rule, const Formula& body, const std::string& prefix);

}  // namespace zermelo::gdl
