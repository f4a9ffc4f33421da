// Pairing strategies: what they are said to hold, minimax over all plays confirms.

#include "gdl/positional/pairing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "core/random.hpp"

namespace zermelo::gdl {
namespace {

Spots only(std::size_t spot) { return Spots{1} << spot; }

// Chains of spots, and lines of a few spots each for either role.
PositionalRules random_chains(Random& random) {
    PositionalRules rules;
    const std::size_t chains = 1 + random.below(4);
    const std::size_t longest = 1 + random.below(4);
    for (std::size_t c = 0; c < chains; ++c) {
        const std::size_t length = 1 + random.below(longest);
        for (std::size_t k = 0; k < length; ++k) {
            const Spots needs = k == 0 ? 0 : only(rules.spots.size() - 1);
            rules.spots.push_back({{0, 0}, std::nullopt, {0, 0}, needs});
        }
    }
    for (auto& lines : rules.lines) {
        for (std::size_t n = random.below(9); n > 0; --n) {
            Spots line = 0;
            for (std::size_t k = 2 + random.below(2); k > 0; --k)
                line |= only(random.below(rules.spots.size()));
            lines.push_back(line);
        }
    }
    return rules;
}

struct Position {
    std::array<Spots, 2> held{};
    std::size_t mover = 0;
};

class Referee {
public:
    explicit Referee(const PositionalRules& rules) : rules_(rules) {}

    [[nodiscard]] Spots open(const Position& at) const { return rules_.board() & ~(at.held[0] | at.held[1]); }
    [[nodiscard]] Spots available(const Position& at) const {
        Spots spots = 0;
        each_spot(open(at), [&](std::size_t i) {
            if ((rules_.spots[i].needs & open(at)) == 0) spots |= only(i);
        });
        return spots;
    }
    [[nodiscard]] bool complete(const Position& at, std::size_t role) const {
        return std::ranges::any_of(rules_.lines[role],
                                   [&](Spots line) { return (line & ~at.held[role]) == 0; });
    }
    [[nodiscard]] Spots completing(const Position& at, std::size_t role) const {
        Spots spots = 0;
        each_spot(open(at), [&](std::size_t i) {
            Position then = at;
            then.held[role] |= only(i);
            if (complete(then, role)) spots |= only(i);
        });
        return spots;
    }
    [[nodiscard]] static Position after(Position at, std::size_t spot) {
        at.held[at.mover] |= only(spot);
        at.mover = 1 - at.mover;
        return at;
    }
    // Can the role see to it that the other one completes no line, or, if `completes`, that it completes one itself?
    [[nodiscard]] bool forces(const Position& at, std::size_t role, bool completes) {
        if (complete(at, role)) return true;
        if (complete(at, 1 - role)) return false;
        if (open(at) == 0) return !completes;
        const auto key = std::tuple(at.held[0], at.held[1], at.mover, role, completes);
        if (const auto known = known_.find(key); known != known_.end()) return known->second;
        const bool ours = at.mover == role;
        bool forced = !ours;
        each_spot(available(at), [&](std::size_t i) {
            if (forces(after(at, i), role, completes) == ours) forced = ours;
        });
        return known_[key] = forced;
    }

private:
    const PositionalRules& rules_;
    std::map<std::tuple<Spots, Spots, std::size_t, std::size_t, bool>, bool> known_;
};

bool held(const Pairing& pairing, const std::array<LineTable, 2>& lines, const Referee& referee,
          const Position& at, bool completes) {
    const std::size_t mover = at.mover;
    return pairing.holds({at.held[mover], at.held[1 - mover], referee.completing(at, 1 - mover),
                          referee.completing(at, mover), referee.available(at)},
                         lines[mover], lines[1 - mover], completes);
}

TEST(Pairing, WhoIsHeldIsHeldInAllPlays) {
    std::array<std::size_t, 2> held_so{};  // how often, by `completes`
    std::array<std::size_t, 2> forced{};
    for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
        Random random(seed);
        const PositionalRules rules = random_chains(random);
        const Pairing pairing(rules);
        ASSERT_TRUE(pairing.applies()) << "seed " << seed;
        const std::array lines = {LineTable(rules.lines[0], rules.spots.size()),
                                  LineTable(rules.lines[1], rules.spots.size())};
        Referee referee(rules);
        Position at;
        while (referee.open(at) != 0 && !referee.complete(at, 0) && !referee.complete(at, 1)) {
            for (const bool completes : {false, true}) {
                const bool truly = referee.forces(at, 1 - at.mover, completes);
                const bool said = held(pairing, lines, referee, at, completes);
                ASSERT_LE(said, truly) << "seed " << seed << ", completes " << completes;
                held_so[completes] += said ? 1 : 0;
                forced[completes] += truly ? 1 : 0;
            }
            std::vector<std::size_t> spots;
            each_spot(referee.available(at), [&](std::size_t i) { spots.push_back(i); });
            at = Referee::after(at, spots[random.below(spots.size())]);
        }
    }
    EXPECT_GT(held_so[0] * 4, forced[0]);
    EXPECT_GT(held_so[1] * 20, forced[1]);
}

// Two columns of four: the second player always answers in the same column, so it gets all spots of even height.
TEST(Pairing, TheSecondPlayerGetsTheUpperSpotsOfEvenColumns) {
    PositionalRules rules;
    for (std::size_t i = 0; i < 8; ++i)
        rules.spots.push_back({{0, 0}, std::nullopt, {0, 0}, i % 4 == 0 ? 0 : only(i - 1)});
    const Spots second_row = only(1) | only(5);
    const Spots first_row = only(0) | only(4);
    for (const auto& [line, stopped] : {std::pair{second_row, true}, std::pair{first_row, false}}) {
        rules.lines = {std::vector{line}, {}};
        const Pairing pairing(rules);
        const LineTable firsts(rules.lines[0], 8);
        const LineTable seconds({only(3) | only(7)}, 8);
        const Pairing::Board empty = {0, 0, 0, 0, first_row};
        EXPECT_EQ(pairing.holds(empty, firsts, seconds, false), stopped);
        EXPECT_EQ(pairing.holds(empty, firsts, seconds, true),
                  stopped);  // it completes its own line up there
        EXPECT_FALSE(pairing.holds(empty, firsts, LineTable({only(2) | only(6)}, 8), true));
    }
}

// A spot that needs two others is in no chain.
TEST(Pairing, DoesNotApplyWhereSpotsNeedSeveralOthers) {
    PositionalRules rules;
    for (const Spots needs : {Spots{0}, Spots{0}, only(0) | only(1)})
        rules.spots.push_back({{0, 0}, std::nullopt, {0, 0}, needs});
    EXPECT_FALSE(Pairing(rules).applies());
}

}  // namespace
}  // namespace zermelo::gdl
