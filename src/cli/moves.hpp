// Moves as people write them.

#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "game/game.hpp"

namespace zermelo::cli {

[[nodiscard]] std::string plain(const std::string& text);  // small letters, single blanks, none at the ends

// The move of the state that `game` looks at which is written so, whatever the blanks and the case of
// letters; nothing if there is none, or several differ only in that.
template <game::Game G>
[[nodiscard]] std::optional<std::size_t> find_move(const G& game, const std::string& text) {
    std::optional<std::size_t> found;
    for (std::size_t m = 0; m < game.moves(); ++m) {
        const std::string name = game.move_name(m);
        if (name == text) return m;
        if (plain(name) != plain(text)) continue;
        if (found) return std::nullopt;
        found = m;
    }
    return found;
}

// The names of all moves, with commas between; the first few if there are many.
template <game::Game G>
[[nodiscard]] std::string move_list(const G& game) {
    constexpr std::size_t most = 40;
    std::string names;
    for (std::size_t m = 0; m < std::min<std::size_t>(most, game.moves()); ++m)
        names += (m == 0 ? "" : ", ") + game.move_name(m);
    if (game.moves() > most) names += fmt::format(", and {} more", game.moves() - most);
    return names;
}

// Moves separated by semicolons, one after another from the initial state, by their names. Throws Error about
// `file` where one of them is none. `forced`: what the only move of a state may be called, too.
template <game::Game G>
[[nodiscard]] std::vector<std::string> read_line(
    G& game, const std::string& text, const std::string& file,
    const std::function<std::string(const typename G::State&)>& forced = {}) {
    std::vector<std::string> line;
    typename G::State state = game.initial();
    game.look(state);
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, ';');) {
        if (plain(part).empty()) continue;
        auto move = find_move(game, part);
        if (!move && forced && game.moves() == 1 && plain(forced(state)) == plain(part)) move = 0;
        if (!move) {
            throw Error({file},
                        fmt::format("move {} of --position, {}, is none here", line.size() + 1, plain(part)),
                        game.moves() == 0 ? "the play is over before it" : "choose from " + move_list(game));
        }
        line.push_back(game.move_name(*move));
        typename G::State next = state;
        game.successor(*move, next);
        state = next;
        game.look(state);
    }
    return line;
}

}  // namespace zermelo::cli
