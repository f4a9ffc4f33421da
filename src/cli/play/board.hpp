// Positions in the terminal: the boards of the catalogue, then dice, cards and score sheets, and the other facts in words.

#pragma once

#include "catalogue/board_view.hpp"

namespace zermelo::cli {

// Whether stdout is a terminal that shows colours, and nobody asked for none (https://no-color.org).
[[nodiscard]] bool terminal_shows_colours();

class BoardView {
public:
    explicit BoardView(const gdl::Game& game, bool colours = terminal_shows_colours());

    // `before`: the facts of the position before; nothing is marked where there are none.
    [[nodiscard]] std::string draw(std::vector<std::string> facts,
                                   const std::vector<std::string>& before = {}) const;

private:
    nlohmann::json hints_;
    catalogue::BoardView boards_;
    std::vector<std::string> roles_;
};

}  // namespace zermelo::cli
