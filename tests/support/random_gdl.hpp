// Random games in GDL: two roles that move by a random timetable, a few fluents with random rules, goals of
// all sizes, and ends before the last step.

#pragma once

#include <fmt/format.h>

#include <string>

#include "core/random.hpp"

namespace zermelo {

class RandomGdl {
public:
    explicit RandomGdl(std::uint64_t seed) : random_(seed) {}

    std::string text() {
        steps_ = random_.between(2, 6);
        fluents_ = random_.between(2, 4);
        actions_ = random_.between(1, 3);
        std::string game = "(role a)\n(role b)\n(init (step 0))\n";
        for (std::int64_t s = 0; s < steps_; ++s) {
            game += fmt::format("(succ {} {})\n", s, s + 1);
            // Now and then a step at which nobody has a choice.
            if (!random_.chance(0.1))
                game += fmt::format("(turn {} {})\n", random_.chance(0.5) ? "a" : "b", s);
        }
        for (std::int64_t f = 1; f <= fluents_; ++f) {
            if (random_.chance(0.4)) game += fmt::format("(init (f {}))\n", f);
        }
        game +=
            "(<= (legal ?r pass) (role ?r) (true (step ?s)) (turn ?r ?s))\n"
            "(<= (legal ?r noop) (role ?r) (true (step ?s)) (not (turn ?r ?s)))\n"
            "(<= (next (step ?t)) (true (step ?s)) (succ ?s ?t))\n";
        for (const char* role : {"a", "b"}) {
            for (std::int64_t m = 1; m <= actions_; ++m) {
                game += fmt::format("(<= (legal {0} (act {1})) (true (step ?s)) (turn {0} ?s){2})\n", role, m,
                                    literals(random_.between(0, 2)));
            }
        }
        for (std::int64_t f = 1; f <= fluents_; ++f) {
            game += fmt::format("(<= (next (f {0})) (true (f {0})){1})\n", f, doing(true));
            game += fmt::format("(<= (next (f {})){}{})\n", f, doing(false), literals(random_.between(0, 2)));
        }
        game += fmt::format("(<= terminal (true (step {})))\n", steps_);
        // The rules would let a play go on after such an end, so it matters that it does not.
        if (random_.chance(0.8)) {
            game += fmt::format("(<= terminal (true (step ?s)) (distinct ?s 0){})\n",
                                literals(random_.between(1, 2)));
        }
        return game + goals();
    }

private:
    std::string literal() {
        const std::string fluent = fmt::format("(true (f {}))", random_.between(1, fluents_));
        return random_.chance(0.5) ? " " + fluent : " (not " + fluent + ")";
    }
    std::string literals(std::int64_t count) {
        std::string all;
        for (std::int64_t i = 0; i < count; ++i) all += literal();
        return all;
    }
    std::string doing(bool negated) {
        const char* role = random_.chance(0.5) ? "a" : "b";
        const std::string move =
            random_.chance(0.2) ? "pass" : fmt::format("(act {})", random_.between(1, actions_));
        const std::string made = fmt::format("(does {} {})", role, move);
        return negated ? " (not " + made + ")" : " " + made;
    }

    // A chain of conditions, so that each role has exactly one goal; opposite ones in half of the games.
    std::string goals() {
        std::string text =
            fmt::format("(<= best{0})\n(<= good{1})\n(<= fair{2})\n", literals(2), literals(1), literals(2));
        const bool opposite = random_.chance(0.5);
        const int own[] = {100, 70, 30, 0};
        const int shared[] = {0, 30, 70, 100};
        const int other[] = {30, 100, 0, 70};
        const char* when[] = {"best", "(not best) good", "(not best) (not good) fair",
                              "(not best) (not good) (not fair)"};
        for (int i = 0; i < 4; ++i) {
            text += fmt::format("(<= (goal a {}) {})\n", own[i], when[i]);
            text += fmt::format("(<= (goal b {}) {})\n", opposite ? shared[i] : other[i], when[i]);
        }
        return text;
    }

    Random random_;
    std::int64_t steps_ = 0;
    std::int64_t fluents_ = 0;
    std::int64_t actions_ = 0;
};

[[nodiscard]] inline std::string random_gdl(std::uint64_t seed) { return RandomGdl(seed).text(); }

}  // namespace zermelo
