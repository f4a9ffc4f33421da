// Moves as people write and read them: by their names, or in the words of the hints beside a game.

#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "catalogue/speech.hpp"
#include "core/error.hpp"
#include "game/game.hpp"

namespace zermelo::cli {

// Small letters, single blanks, none at the ends; - and x for – and ×, which few keyboards have.
[[nodiscard]] std::string plain(const std::string& text);

// How moves of the game in this file are said, in the language of the person.
[[nodiscard]] catalogue::Speech speech_of(const std::string& file);

// Which of the moves is written so, by its name or in words, whatever the blanks and the case of letters; nothing if
// there is none, or several differ only in that.
[[nodiscard]] std::optional<std::size_t> find_move(const std::vector<std::string>& names,
                                                   const std::string& text,
                                                   const catalogue::Speech& speech = {});

template <game::Game G>
[[nodiscard]] std::vector<std::string> move_names(const G& game) {
    std::vector<std::string> names;
    for (std::size_t m = 0; m < game.moves(); ++m) names.push_back(game.move_name(m));
    return names;
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

// Moves separated by semicolons, one after another from the initial state, by their names or in words. Throws Error
// about `file` where one of them is none. `forced`: what the only move of a state may be called, too.
template <game::Game G>
[[nodiscard]] std::vector<std::string> read_line(
    G& game, const std::string& text, const std::string& file,
    const std::function<std::string(const typename G::State&)>& forced = {}) {
    const catalogue::Speech speech = speech_of(file);
    std::vector<std::string> line;
    typename G::State state = game.initial();
    game.look(state);
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, ';');) {
        if (plain(part).empty()) continue;
        auto move = find_move(move_names(game), part, speech);
        if (!move && forced && game.moves() == 1) move = find_move({forced(state)}, part, speech);
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
