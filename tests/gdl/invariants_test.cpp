#include "gdl/analysis/invariants.hpp"

#include <gtest/gtest.h>

#include <set>

#include "gdl/game.hpp"
#include "gdl/syntax/parse.hpp"

namespace zermelo::gdl {
namespace {

// Lamps that can be switched on and never off, and a light that wanders.
constexpr auto lamps = R"(
    (role switcher)
    (lamp a) (lamp b)
    (step red green) (step green blue) (step blue red)
    (<= (init (dark ?l)) (lamp ?l))
    (init (light red))
    (<= (legal switcher (switch ?l)) (true (dark ?l)))
    (legal switcher wait)
    (<= (next (lit ?l)) (does switcher (switch ?l)))
    (<= (next (lit ?l)) (true (lit ?l)))
    (<= (next (dark ?l)) (true (dark ?l)) (not (does switcher (switch ?l))))
    (<= (next (light ?d)) (true (light ?c)) (step ?c ?d))
    (<= terminal (true (lit a)) (true (lit b)))
    (goal switcher 100)
)";

std::set<std::string> names(const Game& game, const std::vector<std::uint32_t>& fluents) {
    std::set<std::string> result;
    for (const auto f : fluents) result.insert(game.text(game.machine().network().fluents[f]));
    return result;
}

TEST(Invariants, LatchesAreProvenAndExclusiveFluentsAreRecognised) {
    const Game game(parse(lamps, "lamps.kif"));
    const Invariants found = find_invariants(game.machine());
    EXPECT_EQ(names(game, found.stay_true), (std::set<std::string>{"(lit a)", "(lit b)"}));
    EXPECT_EQ(names(game, found.stay_false), (std::set<std::string>{"(dark a)", "(dark b)"}));
    ASSERT_EQ(found.mutex_candidates.size(), 1);
    EXPECT_EQ(names(game, found.mutex_candidates.front()),
              (std::set<std::string>{"(light blue)", "(light green)", "(light red)"}));
}

}  // namespace
}  // namespace zermelo::gdl
