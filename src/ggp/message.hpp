// Messages of the GGP protocol (Genesereth, Love and Pell 2005): what a game manager sends to a player, in
// KIF, as GGP-Base, Tiltyard and the Dresden server spell it: any case, any white space. `nil` instead of a
// list means that nothing has happened yet.
//
//   (INFO)  (PING)  (PREVIEW rules clock)  (START match role rules start-clock play-clock)
//   (PLAY match moves)  (STOP match moves)  (ABORT match)
//   GDL-II, 2011:  (PLAY match percepts)  (STOP match percepts)
//   GDL-II, 2013:  (PLAY match turn own-last-move percepts)  (STOP match turn own-last-move percepts)

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"

namespace zermelo::ggp {

enum class Verb { info, ping, preview, start, play, stop, abort };

struct Message {
    Verb verb = Verb::info;
    std::string match = {};
    // PREVIEW and START.
    std::string role = {};   // plain()
    std::string rules = {};  // KIF, without the parentheses around all of it
    double start_clock = 0;  // seconds
    double play_clock = 0;
    // PLAY and STOP.
    bool dated = false;                   // with turn and own last move
    std::uint64_t turn = 0;               // where it is dated
    std::optional<std::string> own = {};  // plain(); nothing where it is nil
    bool nothing = false;                 // nil instead of a list
    std::vector<std::string> items = {};  // moves of all roles or percepts, plain()
};

// A step that cannot follow the one before.
class InconsistentStep : public Error {
    using Error::Error;
};

// Throws Error that says what is wrong with it.
[[nodiscard]] Message read_message(std::string_view text);
// As it goes over the wire, in the spelling of GGP-Base.
[[nodiscard]] std::string write(const Message& message);

// A term in one spelling: lower case, one space between arguments, none inside parentheses. Two spellings
// of a term are the same text. Throws Error where it is not one term.
[[nodiscard]] std::string plain(std::string_view term);
// A plain() term in the spelling of GGP-Base: ( mark 1 1 ).
[[nodiscard]] std::string spaced(std::string_view plain);
// In lower case, as in plain().
[[nodiscard]] std::string lower(std::string_view text);
// What a player answered: `plain` of it, or nothing where it is no term.
[[nodiscard]] std::optional<std::string> read_move(std::string_view text);

}  // namespace zermelo::ggp
