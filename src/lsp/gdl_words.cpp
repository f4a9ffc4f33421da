#include "lsp/gdl_words.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace zermelo::lsp {

namespace {

constexpr std::array<GdlWord, 17> known_words = {{
    {"role", "(role PLAYER)", "PLAYER takes part in the game. Roles move in the order of these facts."},
    {"init", "(init FLUENT)", "FLUENT holds in the first position."},
    {"true", "(true FLUENT)", "FLUENT holds in this position. Only in bodies of rules."},
    {"next", "(next FLUENT)", "FLUENT will hold in the next position. What no rule gives will not hold."},
    {"legal", "(legal PLAYER MOVE)",
     "PLAYER may make MOVE in this position. Every player needs a move in every position that does not end "
     "the game."},
    {"does", "(does PLAYER MOVE)", "PLAYER makes MOVE now. Only in bodies of rules for `next` and `sees`."},
    {"terminal", "terminal", "The game is over in this position."},
    {"goal", "(goal PLAYER VALUE)",
     "PLAYER gets VALUE, a whole number from 0 to 100, when the game is over."},
    {"base", "(base FLUENT)", "FLUENT is one of those that may ever hold."},
    {"input", "(input PLAYER MOVE)", "MOVE is one of those that PLAYER may ever make."},
    {"sees", "(sees PLAYER PERCEPT)",
     "PLAYER sees PERCEPT of the moves that are being made (GDL-II). Where a game has rules for it, nothing "
     "else is seen."},
    {"random", "(role random)",
     "The role of chance (GDL-II): it makes each of its legal moves with the same probability."},
    {"distinct", "(distinct A B)",
     "A and B are not the same. Only in bodies of rules, with variables that are bound."},
    {"not", "(not CONDITION)",
     "CONDITION does not hold. Its variables are bound by other conditions of the rule."},
    {"or", "(or CONDITION ...)", "At least one of the conditions holds."},
    {"and", "(and CONDITION ...)", "All of the conditions hold."},
    {"<=", "(<= HEAD CONDITION ...)", "HEAD holds if all conditions do."},
}};

}  // namespace

std::span<const GdlWord> gdl_words() { return known_words; }

const GdlWord* gdl_word(std::string_view name) {
    const auto same = [&](const GdlWord& word) {
        return std::ranges::equal(word.name, name, [](char a, char b) {
            return a == static_cast<char>(std::tolower(static_cast<unsigned char>(b)));
        });
    };
    const auto* found = std::ranges::find_if(known_words, same);
    return found == known_words.end() ? nullptr : found;
}

}  // namespace zermelo::lsp
