// A game of ten moves, left or right, by two in turn. The last mover has its way, 60 to 40, but after one line of moves in
// a thousand both get something else.

#pragma once

#include <fmt/format.h>

#include <string>

namespace zermelo {

inline std::string rare_end(int first, int second) {
    constexpr int moves = 10;
    const std::string line = "rllrlrrlrl";
    std::string text = "(role a) (role b) (init (step 0)) (init rare)\n";
    for (int step = 0; step < moves; ++step) {
        text += fmt::format("(succ {} {}) (turn {} {}) (line {} {})\n", step, step + 1, step,
                            step % 2 == 0 ? "a" : "b", step, line[static_cast<std::size_t>(step)]);
    }
    text +=
        "(<= (legal ?p l) (true (step ?s)) (turn ?s ?p))\n"
        "(<= (legal ?p r) (true (step ?s)) (turn ?s ?p))\n"
        "(<= (legal ?p wait) (role ?p) (true (step ?s)) (turn ?s ?q) (distinct ?p ?q))\n"
        "(<= (next (step ?t)) (true (step ?s)) (succ ?s ?t))\n"
        "(<= (next rare) (true rare) (true (step ?s)) (turn ?s ?p) (line ?s ?m) (does ?p ?m))\n"
        "(<= (next (last ?m)) (true (step ?s)) (turn ?s ?p) (does ?p ?m))\n";
    text += fmt::format("(<= terminal (true (step {})))\n", moves);
    text += fmt::format("(<= (goal a {}) (true rare)) (<= (goal b {}) (true rare))\n", first, second);
    text +=
        "(<= (goal a 40) (not (true rare)) (true (last l))) (<= (goal b 60) (not (true rare)) (true (last "
        "l)))\n"
        "(<= (goal a 60) (not (true rare)) (true (last r))) (<= (goal b 40) (not (true rare)) (true (last "
        "r)))\n";
    return text;
}

}  // namespace zermelo
