// Well-formedness of a game description: safety, stratification, the recursion restriction and the use of
// keywords, as GDL (Love, Hinrichs, Haley, Schkufza and Genesereth 2008) and GDL-II (Thielscher 2010) define
// them.
//
// What the text alone does not show is looked for in random plays: that every player always has a move, that
// plays end, and that goals never decrease. Every finding has a place and a remedy.

#pragma once

#include "core/limits.hpp"
#include "gdl/syntax/description.hpp"

namespace zermelo::gdl {

struct Finding {
    enum class Severity : std::uint8_t {
        error,    // against the specification: programs will disagree about the game, or refuse it
        warning,  // probably not meant
        note      // allowed, but worth knowing
    };
    Severity severity;
    Place place;
    std::string message;
    std::string remedy;

    [[nodiscard]] std::string text() const;  // place: severity: message; remedy
};

// Whether what breaks the specification, but can only mean one thing, is an error or a warning.
enum class Strictness : std::uint8_t { lenient, strict };

// Findings from the text alone, in its order.
[[nodiscard]] std::vector<Finding> check(const Description& game,
                                         Strictness strictness = Strictness::lenient);

struct PlayOptions {
    int playouts = 10;
    int most_steps = 5000;  // in one playout; games that roll dice one by one are long
    std::uint64_t seed = 1;
    Limits limits = {};
};

// Findings from random plays; each kind once. Never throws: a description that cannot be played is a
// finding.
[[nodiscard]] std::vector<Finding> check_by_playing(const Description& game, const PlayOptions& options = {});

enum class Sharing : std::uint8_t { yes, no, unknown };

struct Information {
    bool chance = false;    // there is a role `random`
    bool percepts = false;  // there are rules for `sees`
    // Whether at every turn all players, `random` apart, see the same: the fragment of Koriche,
    // Lagrue, Piette and Tabary (2016). A game without `sees` rules is in it. `yes` is proven from the form
    // of the rules; `no` was seen in a random play.
    Sharing sharing = Sharing::yes;

    [[nodiscard]] bool is_gdl2() const { return chance || percepts; }
};

[[nodiscard]] Information information(const Description& game, const PlayOptions& options = {});

}  // namespace zermelo::gdl
