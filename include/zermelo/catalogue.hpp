// The shipped games: zermelo::catalogue::Library lists a folder of games with their titles, rules in words and tags.
// TextBoard draws a state of a game with its whole boards as plain text.

#pragma once

#include "catalogue/library.hpp"
#include "catalogue/text_board.hpp"
