#include "catalogue/text_board.hpp"

#include "catalogue/speech.hpp"

namespace zermelo::catalogue {

TextBoard::TextBoard(const gdl::Game& game) : boards_(game, hints_beside(game.description().file)) {}

std::string TextBoard::draw(std::vector<std::string> facts) const {
    const std::string boards = boards_.draw(facts);
    return boards + listed(facts);
}

}  // namespace zermelo::catalogue
