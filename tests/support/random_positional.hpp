// Random positional games as rules: spots that need others, lines of either role, and several ways to pay.

#pragma once

#include <fmt/format.h>

#include <string>

#include "core/random.hpp"

namespace zermelo {

inline std::string random_positional_game(std::uint64_t seed) {
    Random random(seed);
    const std::size_t spots = 4 + random.below(5);
    std::string text = "(role a) (role b) (other a b) (other b a) (init (control a))\n";
    const bool blanks = random.below(2) == 0;
    for (std::size_t i = 1; i <= spots; ++i) {
        text += fmt::format("(spot {})\n", i);
        if (blanks) text += fmt::format("(init (holds {} nobody))\n", i);
        text += fmt::format("(<= (free {0}) (not (claimed {0}))", i);
        for (std::size_t k = 0; i > 2 && k < random.below(3); ++k)
            text += fmt::format(" (claimed {})", 1 + random.below(i - 1));
        text += ")\n";
    }
    const bool maker_breaker = random.below(4) == 0;
    for (const char* role : {"a", "b"}) {
        if (maker_breaker && *role == 'b') continue;
        for (std::size_t line = 0; line < 2 + random.below(5); ++line) {
            const std::size_t first = 1 + random.below(spots - 1);
            const std::size_t second = first + 1 + random.below(spots - first);
            text += fmt::format("(<= (line {0}) (true (holds {1} {0})) (true (holds {2} {0}))", role, first,
                                second);
            if (random.below(3) > 0)
                text += fmt::format(" (true (holds {1} {0}))", role, 1 + random.below(spots));
            text += ")\n";
        }
    }
    text += R"(
        (<= (claimed ?s) (true (holds ?s a)))
        (<= (claimed ?s) (true (holds ?s b)))
        (<= (legal ?p (take ?s)) (true (control ?p)) (free ?s))
        (<= (legal ?p wait) (role ?p) (not (true (control ?p))))
        (<= (next (holds ?s ?p)) (does ?p (take ?s)))
        (<= (next (control ?p)) (true (control ?q)) (other ?q ?p))
        (<= decided (line ?p))
        (<= possible (free ?s))
        (<= terminal decided)
        (<= terminal (not possible))
    )";
    text += blanks ? "(<= (next (holds ?s ?p)) (true (holds ?s ?p)) (not (taken ?s)))\n"
                     "(<= (taken ?s) (does ?p (take ?s)))\n"
                   : "(<= (next (holds ?s ?p)) (true (holds ?s ?p)))\n";
    const char* winner = random.below(4) == 0 ? "(other ?p ?q) (line ?q)" : "(line ?p)";
    const char* loser = *(winner + 1) == 'l' ? "(other ?p ?q) (line ?q)" : "(line ?p)";
    const int first = maker_breaker ? 0 : 10 * static_cast<int>(random.below(11));
    text += fmt::format("(<= (goal ?p 100) {}{})\n", *(winner + 1) == 'l' ? "(role ?p) " : "", winner);
    text += fmt::format("(<= (goal ?p 0) {}{})\n", *(loser + 1) == 'l' ? "(role ?p) " : "", loser);
    text += fmt::format("(<= (goal a {}) (not decided) (not possible))\n", first);
    text += fmt::format("(<= (goal b {}) (not decided) (not possible))\n", 100 - first);
    return text;
}

}  // namespace zermelo
