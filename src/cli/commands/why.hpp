// Why a move wins, in words: an explanation (game/explain/explain.hpp) as text.

#pragma once

#include "catalogue/speech.hpp"
#include "game/explain/explain.hpp"

namespace zermelo::cli {

// One paragraph a position: who moves and how it stands, threats, what is forced, and what every reply leads to.
// Before it stands its picture, where there are some: the first one is of the position that was asked about.
void print_explanation(game::Explanation explanation, const catalogue::Speech& speech,
                       const std::vector<std::string>& pictures);

}  // namespace zermelo::cli
