// A state of a game as plain text: its boards as the terminal draws them (board_view.hpp), by the hints beside the rules
// (NAME.hints.json), and then the facts that lie on no board.

#pragma once

#include <string>
#include <vector>

#include "catalogue/board_view.hpp"

namespace zermelo::catalogue {

class TextBoard {
public:
    explicit TextBoard(const gdl::Game& game);

    [[nodiscard]] std::string draw(std::vector<std::string> facts) const;

private:
    BoardView boards_;
};

}  // namespace zermelo::catalogue
