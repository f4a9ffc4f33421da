#include "cli/play/board.hpp"

#include <unistd.h>

#include <cstdlib>

#include "catalogue/speech.hpp"
#include "cli/play/specials.hpp"

namespace zermelo::cli {

bool terminal_shows_colours() {
    const char* refused = std::getenv("NO_COLOR");
    const char* kind = std::getenv("TERM");
    return isatty(STDOUT_FILENO) == 1 && (refused == nullptr || *refused == '\0') &&
           (kind == nullptr || std::string(kind) != "dumb");
}

BoardView::BoardView(const gdl::Game& game, bool colours)
    : hints_(catalogue::hints_beside(game.description().file)), boards_(game, hints_, colours) {
    for (const gdl::TermId role : game.machine().network().roles) roles_.push_back(game.text(role));
}

std::string BoardView::draw(std::vector<std::string> facts, const std::vector<std::string>& before) const {
    std::string text = boards_.draw(facts, before);
    text += draw_specials(facts, hints_, roles_);
    return text + catalogue::listed(facts);
}

}  // namespace zermelo::cli
