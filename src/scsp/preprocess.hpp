// Preprocessing of a micro-SCSP (Koriche, Lagrue, Piette and Tabary 2015, section 3): constraints over the
// same variables are merged, unary constraints go into domains, universal variables (those that a constraint
// does not really restrict) leave its scope, and values that singleton arc consistency (Debruyne and
// Bessière 1997) refutes leave their domains. The solutions stay the same.
//
// Tables are filtered completely. Constraints that are gates are evaluated only forwards, in three-valued
// logic: where the domains decide a signal, its variable follows. A table over the same variables absorbs
// them.

#pragma once

#include "scsp/micro_scsp.hpp"

namespace zermelo::scsp {

struct PreprocessOptions {
    bool merge = true;
    bool unary = true;
    bool universal = true;
    bool singleton = true;
    std::uint64_t most_work = 30'000'000;  // tuples and gates that singleton consistency looks at
    Limits limits = {};
};

struct Preprocessed {
    std::size_t merged = 0;            // constraints that went into another one
    std::size_t unary = 0;             // constraints that went into a domain
    std::size_t unary_values = 0;      // values that these removed
    std::size_t universal = 0;         // variables that left the scope of a constraint
    std::size_t emptied = 0;           // constraints that restricted nothing and are gone
    std::size_t singleton_values = 0;  // values that singleton arc consistency removed
    bool complete = true;              // false where singleton consistency was cut short
};

Preprocessed preprocess(MicroScsp& micro, const PreprocessOptions& options = {});

// Removes the values that are not arc consistent, and does nothing else. False where a domain has become
// empty.
bool make_arc_consistent(MicroScsp& micro);

}  // namespace zermelo::scsp
