// Random games for two with opposite interests, in GDL or GDL-II, and their values by listing all pure
// strategies.

#pragma once

#include <fmt/format.h>

#include <map>

#include "core/random.hpp"
#include "gdl/reasoner/reasoner.hpp"
#include "gdl/syntax/parse.hpp"
#include "simplex_oracle.hpp"

namespace zermelo::equilibrium {

// Two or three steps; in each, each role has one or two moves. Where moves are hidden, some of them are seen by
// some roles. Every way to the end has a goal of its own.
inline std::string random_game_text(std::uint64_t seed, bool hidden) {
    Random random(seed);
    const auto steps = static_cast<int>(random.between(1, 3));
    std::string text =
        "(role p) (role q) (role random) (player p) (player q) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 "
        "3)\n"
        "(<= (legal ?r ?m) (true (step ?t)) (may ?t ?r ?m))\n"
        "(<= (next (did ?t ?r ?m)) (true (step ?t)) (does ?r ?m))\n"
        "(<= (next (did ?t ?r ?m)) (true (did ?t ?r ?m)))\n"
        "(<= (next (step ?u)) (true (step ?t)) (succ ?t ?u))\n";
    if (hidden) {
        text += "(<= (sees ?r (saw ?o ?m)) (true (step ?t)) (shows ?t ?r ?o) (does ?o ?m)) (shows 9 p q)\n";
        for (int t = 0; t < steps; ++t) {
            for (const char* seen : {"p q", "q p", "p random", "q random"}) {
                if (random.chance(0.4)) text += fmt::format("(shows {} {})\n", t, seen);
            }
        }
    }
    text += fmt::format("(<= terminal (true (step {})))\n", steps);
    std::vector<std::string> ends{""};
    for (int t = 0; t < steps; ++t) {
        for (const std::string role : {"p", "q", "random"}) {
            const bool choice = random.chance(role == "random" ? 0.3 : 0.7);
            std::vector<std::string> longer;
            for (const char* move : {"a", "b"}) {
                if (*move == 'b' && !choice) continue;
                text += fmt::format("(may {} {} {})\n", t, role, move);
                for (const std::string& end : ends)
                    longer.push_back(end + fmt::format(" (true (did {} {} {}))", t, role, move));
            }
            ends = std::move(longer);
        }
    }
    for (const std::string& end : ends) {
        const auto goal = 10 * random.between(0, 10);
        text += fmt::format("(<= (goal p {}) (true (step {})){})\n(<= (goal q {}) (true (step {})){})\n",
                            goal, steps, end, 100 - goal, steps, end);
    }
    return text + fmt::format("(<= (goal random 0) (true (step {})))\n", steps);
}

// All plays, with what each player knew when it had a choice.
class PureStrategies {
public:
    explicit PureStrategies(const gdl::Description& game, bool hidden) : reasoner_(game), hidden_(hidden) {
        walk(reasoner_.initial(), {"", ""}, {}, 1);
    }

    // Nothing where there are too many.
    [[nodiscard]] std::optional<Rational> value(std::size_t most) const {
        std::array<std::size_t, 2> count{1, 1};
        for (std::size_t p = 0; p < 2; ++p) {
            for (const auto& [view, moves] : sets_[p]) count[p] *= moves;
            if (count[p] > most) return std::nullopt;
        }
        std::vector<Rationals> payoffs(count[0], Rationals(count[1]));
        for (std::size_t i = 0; i < count[0]; ++i) {
            const auto first = strategy(0, i);
            for (std::size_t j = 0; j < count[1]; ++j) {
                const auto second = strategy(1, j);
                for (const Play& play : plays_) {
                    if (agrees(play, 0, first) && agrees(play, 1, second))
                        payoffs[i][j] += play.probability * play.goal;
                }
            }
        }
        return oracle_value(payoffs);
    }

private:
    using Choices = std::map<std::string, std::size_t>;  // by view
    struct Play {
        std::array<Choices, 2> choices;
        Rational probability;
        int goal;
    };

    void walk(const gdl::Reasoner::State& state, const std::array<std::string, 2>& views,
              const std::array<Choices, 2>& choices, const Rational& probability) {
        if (reasoner_.terminal(state)) {
            plays_.push_back({choices, probability, reasoner_.goal(state, 0).value()});
            return;
        }
        std::array<std::vector<gdl::Reasoner::Ground>, 3> legal;
        for (std::size_t r = 0; r < 3; ++r) legal[r] = reasoner_.legal(state, r);
        for (std::size_t i = 0; i < legal[0].size(); ++i) {
            for (std::size_t j = 0; j < legal[1].size(); ++j) {
                for (const auto chance : legal[2]) {
                    const gdl::Reasoner::Joint joint{legal[0][i], legal[1][j], chance};
                    auto longer = views;
                    auto more = choices;
                    const std::array<std::size_t, 2> chosen{i, j};
                    for (std::size_t p = 0; p < 2; ++p) {
                        if (legal[p].size() > 1) {
                            sets_[p][views[p]] = legal[p].size();
                            more[p][views[p]] = chosen[p];
                        }
                        longer[p] += reasoner_.text(joint[p]) + "|";
                        if (hidden_) {
                            for (const auto seen : reasoner_.sees(state, joint, p))
                                longer[p] += reasoner_.text(seen);
                        } else {
                            longer[p] += reasoner_.text(joint[1 - p]) + reasoner_.text(chance);
                        }
                        longer[p] += ";";
                    }
                    walk(reasoner_.next(state, joint), longer, more, probability / legal[2].size());
                }
            }
        }
    }

    [[nodiscard]] Choices strategy(std::size_t player, std::size_t number) const {
        Choices all;
        for (const auto& [view, moves] : sets_[player]) {
            all[view] = number % moves;
            number /= moves;
        }
        return all;
    }

    static bool agrees(const Play& play, std::size_t player, const Choices& strategy) {
        for (const auto& [view, choice] : play.choices[player]) {
            if (strategy.at(view) != choice) return false;
        }
        return true;
    }

    gdl::Reasoner reasoner_;
    bool hidden_;
    std::array<std::map<std::string, std::size_t>, 2> sets_;  // views, and how many moves there are
    std::vector<Play> plays_;
};

}  // namespace zermelo::equilibrium
