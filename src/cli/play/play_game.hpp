// zermelo play, for games in GDL and graphs: a person in the terminal against an engine.
//
// Where players take turns and see everything, moves can be undone, and the program may know all states. Any
// other game in GDL, and any other player, is played through the referee (play_match.hpp).

#pragma once

#include "cli/moves.hpp"
#include "cli/net_options.hpp"
#include "cli/play/adviser.hpp"

namespace zermelo::cli {

struct PlayGame {
    std::string role;  // the person's; empty: the first
    AdviserOptions adviser;
    NetOptions net;

    // `source` names a game in GDL, or a graph.
    [[nodiscard]] int run(ModelOptions& source) const;
};

// --- what both sessions share ---

// Whom the person plays, the first if nobody is named. Throws Error about the file if nobody is called so.
[[nodiscard]] std::size_t find_person(const std::vector<std::string>& names, const std::string& role,
                                      const std::string& file);
// A line of the person, without blanks at its end; nothing at the end of the input.
[[nodiscard]] std::optional<std::string> ask_person(const std::string& name);
// Which of the moves is meant by its text, whatever the blanks and the case of letters, or by its number.
[[nodiscard]] std::optional<std::size_t> find_choice(const std::vector<std::string>& moves,
                                                     const std::string& text);
// You win: x 100, o 0
[[nodiscard]] std::string outcome(const std::vector<std::string>& names, const std::vector<int>& payoffs,
                                  std::size_t person);

}  // namespace zermelo::cli
