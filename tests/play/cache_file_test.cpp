// The cache of MAC-UCB as a file: what is read is what was written, as far as there is memory; it grows from match to
// match; a file that was damaged or belongs to another game is refused.

#include "play/mac_ucb/cache_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "games.hpp"
#include "play/mac_ucb/mac_ucb.hpp"
#include "play/player_registry.hpp"
#include "support/run.hpp"

namespace zermelo::play {
namespace {

constexpr std::size_t plenty = std::size_t{1} << 30;

// What a search knows after so many simulations from the start.
void fill(MicroTree& tree, const GameContext& rules, std::uint64_t simulations, std::uint64_t seed = 1) {
    MacUcbShared shared(rules);
    MacUcbSearch search(rules, shared.program({}), {.role = rules.seats().front(), .seed = seed}, {}, tree,
                        nullptr);
    search.search({{rules.machine().initial(), 1}}, {.deadline = {}, .playouts = simulations});
}

const MicroNode& node_of(const MicroTree& tree, const GameContext& rules, const State& state) {
    return tree[tree.find(key_of({{state, 1}}, rules.hidden())).value()];
}

// Both know the same of each state, whatever its number.
void expect_same(const MicroTree& a, const MicroTree& b, const GameContext& rules) {
    ASSERT_EQ(a.size(), b.size());
    for (MicroId id = 0; id < a.size(); ++id) {
        const MicroNode& one = a[id];
        const MicroNode& other = node_of(b, rules, one.states.front().state);
        EXPECT_EQ(one.visits, other.visits);
        EXPECT_EQ(one.sum, other.sum);
        EXPECT_EQ(one.value, other.value);
        EXPECT_EQ(one.certain, other.certain);
        EXPECT_EQ(std::tuple(one.over, one.resolved, one.exact),
                  std::tuple(other.over, other.resolved, other.exact));
        ASSERT_EQ(one.solutions.size(), other.solutions.size());
        for (std::size_t s = 0; s < one.solutions.size(); ++s) {
            const auto& mine = one.solutions[s];
            const auto& theirs = other.solutions[s];
            EXPECT_EQ(std::tuple(mine.exact, mine.twin_of), std::tuple(theirs.exact, theirs.twin_of));
            const auto from = one.outcomes_of(mine);
            const auto to = other.outcomes_of(theirs);
            ASSERT_EQ(from.size(), to.size());
            for (std::size_t o = 0; o < from.size(); ++o) {
                EXPECT_EQ(a[from[o].child].states.front().state, b[to[o].child].states.front().state);
                EXPECT_EQ(from[o].probability, to[o].probability);
            }
        }
        ASSERT_EQ(one.choosers.size(), other.choosers.size());
        for (std::size_t c = 0; c < one.choosers.size(); ++c) {
            EXPECT_EQ(one.choosers[c].seat, other.choosers[c].seat);
            ASSERT_EQ(one.choosers[c].arms.size(), other.choosers[c].arms.size());
            for (std::size_t m = 0; m < one.choosers[c].arms.size(); ++m) {
                const auto& mine = one.choosers[c].arms[m];
                const auto& theirs = other.choosers[c].arms[m];
                EXPECT_EQ(std::tuple(mine.move, mine.visits, mine.sum),
                          std::tuple(theirs.move, theirs.visits, theirs.sum));
            }
        }
    }
}

TEST(CacheFile, HoldsWhatTheCacheKnows) {
    const TemporaryDirectory scratch;
    for (const std::string name : {"tic-tac-toe-2x2", "connect-four", "dice-race", "four-in-turn"}) {
        SCOPED_TRACE(name);
        const Loaded loaded(name);
        const std::string file = scratch.path(name);
        MicroTree tree;
        fill(tree, loaded.rules, 500);
        ASSERT_GT(tree.size(), 5U);
        write_cache(file, loaded.rules, tree, plenty);
        expect_same(tree, read_cache(file, loaded.rules, plenty), loaded.rules);
        // Once more changes nothing.
        write_cache(file, loaded.rules, tree, plenty);
        expect_same(tree, read_cache(file, loaded.rules, plenty), loaded.rules);
    }
}

TEST(CacheFile, NoFileIsAnEmptyCache) {
    const TemporaryDirectory scratch;
    const Loaded loaded("nim");
    EXPECT_EQ(read_cache(scratch.path("none"), loaded.rules, plenty).size(), 0U);
}

TEST(CacheFile, KnowsWhatTwoCachesKnow) {
    const TemporaryDirectory scratch;
    const Loaded loaded("connect-four");
    const std::string file = scratch.path("cache");
    MicroTree one;
    MicroTree other;
    fill(one, loaded.rules, 300, 1);
    fill(other, loaded.rules, 600, 2);
    write_cache(file, loaded.rules, one, plenty);
    write_cache(file, loaded.rules, other, plenty);
    const MicroTree both = read_cache(file, loaded.rules, plenty);
    EXPECT_GT(both.size(), std::max(one.size(), other.size()));
    for (const MicroTree* tree : {&one, &other}) {
        for (MicroId id = 0; id < tree->size(); ++id) {
            const MicroNode& node = (*tree)[id];
            EXPECT_GE(node_of(both, loaded.rules, node.states.front().state).visits, node.visits);
        }
    }
    EXPECT_EQ(node_of(both, loaded.rules, loaded.rules.machine().initial()).visits, 600U);
}

// What was visited most stays, and the search goes on from it to the same values.
TEST(CacheFile, KeepsWithinTheMemory) {
    const TemporaryDirectory scratch;
    for (const std::string name : {"tic-tac-toe-2x2", "nim"}) {
        const Loaded loaded(name);
        const State first = loaded.rules.machine().initial();
        MicroTree tree;
        fill(tree, loaded.rules, 100'000);
        const MicroNode& root = node_of(tree, loaded.rules, first);
        ASSERT_TRUE(root.exact) << name;
        for (const std::size_t part : {2U, 3U, 5U, 9U, 20U}) {
            const std::string at_writing = scratch.path(name + std::to_string(part));
            write_cache(at_writing, loaded.rules, tree, tree.bytes() / part);
            MicroTree small = read_cache(at_writing, loaded.rules, plenty);
            EXPECT_LE(small.bytes(), tree.bytes() / part) << name;
            EXPECT_TRUE(small.size() > 0 || part >= 9) << name;
            const std::string whole = scratch.path(name);
            write_cache(whole, loaded.rules, tree, plenty);
            MicroTree at_reading = read_cache(whole, loaded.rules, tree.bytes() / part);
            EXPECT_LE(at_reading.bytes(), tree.bytes() / part) << name;
            for (MicroTree* part_of_it : {&small, &at_reading}) {
                fill(*part_of_it, loaded.rules, 100'000);
                const MicroNode& again = node_of(*part_of_it, loaded.rules, first);
                ASSERT_TRUE(again.exact) << name << " " << part;
                EXPECT_EQ(again.value, root.value) << name << " " << part;
            }
        }
    }
}

// A match that ends after the first move, and the cache that it leaves.
std::uint64_t positions_after_a_move(const GameContext& rules, const std::string& spec) {
    Shared shared;
    const auto player = make_player(read_spec(spec), rules, {.role = rules.seats().front()}, shared);
    (void)player->choose({.deadline = {}, .playouts = 200});
    player->finish();
    return player->thought().positions;
}

TEST(CacheFile, GrowsFromMatchToMatch) {
    const TemporaryDirectory scratch;
    const Loaded loaded("connect-four");
    for (const std::string name : {"mac-ucb", "mac-ucb-sym"}) {
        const std::string spec = name + ":cache=" + scratch.path(name);
        std::uint64_t before = 0;
        for (int match = 0; match < 3; ++match) {
            const std::uint64_t positions = positions_after_a_move(loaded.rules, spec);
            EXPECT_GT(positions, before) << name;
            before = positions;
        }
        EXPECT_EQ(read_cache(scratch.path(name), loaded.rules, plenty).size(), before) << name;
    }
}

// A game that is solved stays so: the next match needs no simulation.
TEST(CacheFile, RemembersASolution) {
    const TemporaryDirectory scratch;
    const Loaded loaded("monty-hall");
    const std::string spec = "mac-ucb:cache=" + scratch.path("cache");
    for (const bool known : {false, true}) {
        Shared shared;
        const auto player =
            make_player(read_spec(spec), loaded.rules, {.role = loaded.rules.seats().front()}, shared);
        (void)player->choose({.deadline = {}, .playouts = 5000});
        EXPECT_EQ(player->thought().remark, "solved");
        EXPECT_EQ(player->thought().playouts == 0, known);
        EXPECT_TRUE(player->thought().estimates.front().proven);
        player->finish();
    }
}

std::string refusal(const std::string& file, const GameContext& rules) {
    try {
        (void)read_cache(file, rules, plenty);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(CacheFile, RefusesWhatIsDamagedOrOfAnotherGame) {
    const TemporaryDirectory scratch;
    const Loaded loaded("dice-race");
    const std::string file = scratch.path("cache");
    MicroTree tree;
    fill(tree, loaded.rules, 200);
    write_cache(file, loaded.rules, tree, plenty);
    const std::string whole = read_file(file);
    const auto expect_refused = [&](const std::string& bytes, const std::string& why) {
        std::ofstream(file, std::ios::binary) << bytes;
        const std::string told = refusal(file, loaded.rules);
        EXPECT_NE(told.find(why), std::string::npos) << told;
        EXPECT_NE(told.find("remove this one"), std::string::npos) << told;
        EXPECT_THROW(write_cache(file, loaded.rules, tree, plenty), Error);
        EXPECT_EQ(read_file(file), bytes) << "was overwritten";
        EXPECT_THROW((void)positions_after_a_move(loaded.rules, "mac-ucb:cache=" + file), Error);
    };
    expect_refused(whole.substr(0, whole.size() / 2), "damaged");
    expect_refused("", "not a checkpoint");
    for (const std::size_t at : {std::size_t{70}, whole.size() / 2, whole.size() - 1}) {
        std::string altered = whole;
        altered[at] = static_cast<char>(altered[at] ^ 1);
        expect_refused(altered, "damaged");
    }
    std::ofstream(file, std::ios::binary) << whole;
    EXPECT_EQ(refusal(file, loaded.rules), "");
    const Loaded other("nim");
    EXPECT_NE(refusal(file, other.rules).find("another game"), std::string::npos);
}

}  // namespace
}  // namespace zermelo::play
