// MAC-UCB and MAC-UCB-SYM: the worked example of the paper, exact values against brute force, prunings that keep the
// best move, exact numbers of simulations, the cache, and propagation in every shipped game.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "mac_ucb_searching.hpp"
#include "play/player_registry.hpp"

namespace zermelo::play {
namespace {

// Section 4 of Koriche et al. (2016): o may mark three cells, worth 0.25, 0 and 0.25.
TEST(MacUcb, FindsTheUtilitiesOfTheWorkedExample) {
    const Loaded loaded("tic-tac-toe-2x2");
    for (const unsigned symmetry : {0U, 1U, 2U}) {
        Searching example(loaded.rules, 0, {.symmetry = symmetry});
        example.run(loaded.rules.machine().initial(), 1000);
        ASSERT_TRUE(example.search.solved()) << symmetry;
        std::map<std::string, double> utilities;
        for (const Estimate& one : example.search.estimates()) {
            EXPECT_TRUE(one.proven);
            utilities[loaded.game.move_text(0, one.move)] = one.mean;
        }
        EXPECT_EQ(utilities,
                  (std::map<std::string, double>{{"(mark 1 2)", 25}, {"(mark 2 1)", 25}, {"(mark 2 2)", 0}}))
            << symmetry;
    }
}

TEST(MacUcbSym, ResolvesTheSymmetricMicroScspOfTheWorkedExampleOnce) {
    const Loaded loaded("tic-tac-toe-2x2");
    const State first = loaded.rules.machine().initial();
    Searching plain(loaded.rules, 0);
    Searching symmetric(loaded.rules, 0, {.symmetry = 1});
    plain.run(first, 1000);
    symmetric.run(first, 1000);
    EXPECT_LT(symmetric.search.counts().resolution.micro_scsps, plain.search.counts().resolution.micro_scsps);
    EXPECT_GT(symmetric.search.counts().symmetric, 0U);
    // Of the solutions (1 2), (2 1), (2 2), the second has the outcome of the first.
    const MicroNode& root = symmetric.search.root();
    ASSERT_EQ(root.solutions.size(), 3U);
    EXPECT_EQ(root.solutions[1].twin_of, 0U);
    EXPECT_EQ(root.outcomes_of(root.solutions[0]).front().child,
              root.outcomes_of(root.solutions[1]).front().child);
    EXPECT_EQ(root.solutions[2].twin_of, 2U);
}

// With a complete cache, values are exact and the best moves are not removed: beside brute force on the machine.
void expect_as_brute_force(const GameContext& rules, Brute& brute, const State& state) {
    const auto value = brute.value(state);
    for (const MacUcbOptions& options : {MacUcbOptions{}, MacUcbOptions{.pruning = 0},
                                         MacUcbOptions{.pruning = 1}, MacUcbOptions{.symmetry = 2}}) {
        Searching tried(rules, rules.seats().front(), options);
        tried.run(state, 60'000);
        ASSERT_TRUE(tried.search.solved());
        const MicroNode& root = tried.search.root();
        for (std::size_t s = 0; s < value.size(); ++s) EXPECT_NEAR(root.value[s], value[s], tolerance);
        if (root.choosers.size() != 1 || options.symmetry > 0) continue;
        const auto& chooser = root.choosers.front();
        bool left = false;  // a best move is still in c_s
        for (std::size_t i = 0; i < root.solutions.size(); ++i) {
            const double worth =
                brute.after(state, rules.seats()[chooser.seat], chooser.arms[i].move)[chooser.seat];
            const bool best = worth >= value[chooser.seat] - tolerance;
            left = left || (best && !root.solutions[i].removed);
            if (!root.solutions[i].exact) continue;
            EXPECT_FALSE(best && root.solutions[i].removed) << i;
            EXPECT_NEAR(tried.tree.exact_value(root, root.solutions[i], chooser.seat), worth, tolerance);
        }
        EXPECT_TRUE(left);
    }
}

TEST(MacUcb, EqualsBruteForceWithACompleteCache) {
    struct Case {
        std::string name;
        std::size_t moves;
    };
    for (const Case& one :
         {Case{"tic-tac-toe", 3}, Case{"tic-tac-toe-2x2", 0}, Case{"subtraction", 2}, Case{"nim", 5}}) {
        const Loaded loaded(one.name);
        Brute brute(loaded.rules);
        for (std::uint64_t seed = 1; seed <= 6; ++seed) {
            SCOPED_TRACE(one.name + " seed " + std::to_string(seed));
            expect_as_brute_force(loaded.rules, brute,
                                  random_state(loaded.rules, seed, one.moves + seed % 3));
        }
    }
}

TEST(MacUcb, EqualsBruteForceOnRandomGamesWithChance) {
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const Loaded loaded(random_coin_game(seed));
        Brute brute(loaded.rules);
        expect_as_brute_force(loaded.rules, brute, loaded.rules.machine().initial());
    }
}

// Before the cache is complete, thresholds are estimates: with many simulations the best move still comes first.
TEST(MacUcb, PrefersTheBestMoveBeforeTheCacheIsComplete) {
    const Loaded loaded("tic-tac-toe");
    Brute brute(loaded.rules);
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        const State state = random_state(loaded.rules, seed, 2);
        InfoState info(loaded.rules);
        info.load(state);
        const std::size_t mover = info.legal(0).size() > 1 ? 0 : 1;
        Searching tried(loaded.rules, mover);
        EXPECT_EQ(tried.search.counts().simulations, 0U);
        tried.run(state, 3000);
        const MoveId move = tried.search.estimates().front().move;
        EXPECT_NEAR(brute.after(state, mover, move)[mover], brute.value(state)[mover], tolerance)
            << "seed " << seed;
        EXPECT_GT(tried.search.threshold(), 0);
    }
}

// The certain pruning: θ rises from 0 and never falls, and a solution that it took out of c_s does not come again.
TEST(MacUcb, WhatIsCertainlyWorseIsNotSampledAgain) {
    std::size_t removed = 0;
    for (const std::string name : {"tic-tac-toe", "subtraction", "nim", "pig"}) {
        const Loaded loaded(name);
        for (std::uint64_t seed = 1; seed <= 5; ++seed) {
            SCOPED_TRACE(name + " seed " + std::to_string(seed));
            const State state = random_state(loaded.rules, seed, 3 + seed % 3);
            InfoState info(loaded.rules);
            info.load(state);
            const std::size_t first = loaded.rules.seats().front();
            const std::size_t mover = info.legal(first).size() > 1 ? first : loaded.rules.seats().back();
            Searching tried(loaded.rules, mover, {.pruning = 1});
            std::map<std::size_t, std::uint32_t> visits;  // of the solutions that were removed
            double threshold = 0;
            for (int i = 0; i < 30 && (i == 0 || !tried.search.solved()); ++i) {
                tried.run(state, 40);
                const MicroNode& root = tried.search.root();
                if (root.choosers.size() != 1 || root.choosers.front().seat != loaded.rules.seat_of(mover))
                    break;
                EXPECT_GE(tried.search.threshold(), threshold - tolerance);
                threshold = tried.search.threshold();
                for (std::size_t s = 0; s < root.solutions.size(); ++s) {
                    const std::uint32_t now = root.choosers.front().arms[s].visits;
                    const auto known = visits.find(s);
                    if (known != visits.end()) {
                        EXPECT_EQ(now, known->second) << s;
                        EXPECT_TRUE(root.solutions[s].removed) << s;
                    } else if (root.solutions[s].removed) {
                        visits[s] = now;
                    }
                }
            }
            removed += visits.size();
        }
    }
    EXPECT_GT(removed, 0U);
}

std::unique_ptr<Player> seated(const std::string& spec, const GameContext& rules, Shared& shared,
                               std::size_t seat = 0, std::uint64_t seed = 1) {
    return make_player(read_spec(spec), rules,
                       {.role = rules.seats()[seat], .seed = seed, .memory = std::size_t{64} << 20}, shared);
}

TEST(MacUcb, MakesExactlySoManySimulations) {
    for (const std::string name : {"connect-four", "breakthrough", "dice-race", "four-in-turn"}) {
        const Loaded loaded(name);
        for (const std::string spec : {"mac-ucb", "mac-ucb-sym:symmetry=1", "mac-ucb:each=20"}) {
            for (const std::uint64_t simulations : {1, 7, 100, 333}) {
                Shared shared;
                const auto player = seated(spec, loaded.rules, shared);
                (void)player->choose({.deadline = {}, .playouts = simulations});
                EXPECT_EQ(player->thought().playouts, simulations) << name << " " << spec;
            }
        }
    }
}

TEST(MacUcb, TheSameSeedGivesTheSameEstimates) {
    const Loaded loaded("connect-four");
    const auto run = [&](std::uint64_t seed) {
        Shared shared;
        const auto player = seated("mac-ucb", loaded.rules, shared, 0, seed);
        (void)player->choose({.deadline = {}, .playouts = 400});
        std::map<MoveId, double> means;
        for (const Estimate& one : player->thought().estimates) means[one.move] = one.mean;
        return means;
    };
    EXPECT_EQ(run(1), run(1));
    EXPECT_NE(run(1), run(2));
}

TEST(MacUcb, ItsCacheGrowsOverTheMovesOfAMatchAndWithKeepOverMatches) {
    const Loaded loaded("connect-four");
    const auto first_move = [&](Shared& shared, const std::string& spec) {
        const auto player = seated(spec, loaded.rules, shared);
        (void)player->choose({.deadline = {}, .playouts = 300});
        const std::uint64_t before = player->thought().positions;
        (void)player->choose({.deadline = {}, .playouts = 300});
        EXPECT_GT(player->thought().positions, before);
        return before;
    };
    for (const std::string spec : {"mac-ucb", "mac-ucb-sym:symmetry=1"}) {
        Shared shared;
        EXPECT_EQ(first_move(shared, spec), first_move(shared, spec));
    }
    for (const std::string spec : {"mac-ucb:keep=1", "mac-ucb-sym:symmetry=1,keep=1"}) {
        Shared shared;
        const std::uint64_t before = first_move(shared, spec);
        EXPECT_GT(first_move(shared, spec), before);
    }
}

TEST(MacUcb, KeepsWithinItsMemory) {
    const Loaded loaded("connect-four");
    Shared shared;
    const auto player = make_player(read_spec("mac-ucb:memory=200K"), loaded.rules, {.role = 0}, shared);
    (void)player->choose({.deadline = {}, .playouts = 20'000});
    EXPECT_EQ(player->thought().playouts, 20'000U);
    EXPECT_LT(player->thought().positions, 2000U);
}

// The counters of one move, by name.
std::map<std::string, double> counters(const Player& player) {
    return {player.thought().counters.begin(), player.thought().counters.end()};
}

TEST(MacUcb, PropagatesInEveryShippedGame) {
    std::size_t games = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::filesystem::path(shipped("")).parent_path())) {
        if (entry.path().extension() != ".kif") continue;
        const std::string name = entry.path().stem().string();
        const Loaded loaded(name);
        Shared shared;
        std::vector<std::unique_ptr<Player>> players;
        for (std::size_t s = 0; s < loaded.rules.seats().size(); ++s) {
            players.push_back(
                seated(s % 2 == 0 ? "mac-ucb" : "mac-ucb-sym:symmetry=1", loaded.rules, shared, s));
            players.back()->start(Deadline::in(0.05));
        }
        InfoState info(loaded.rules);
        Random random(7);
        Position position = info.initial();
        JointMove joint;
        double propagations = 0;
        for (std::size_t step = 0; step < 12 && propagations == 0; ++step) {
            info.load(position.state);
            if (info.terminal()) break;
            random_moves(info, random, joint);
            for (std::size_t s = 0; s < players.size(); ++s) {
                const std::size_t role = loaded.rules.seats()[s];
                joint[role] = players[s]->choose({.deadline = {}, .playouts = 20});
                EXPECT_NE(std::ranges::find(info.legal(role), joint[role]), info.legal(role).end()) << name;
                propagations += counters(*players[s])["propagations"];
            }
            info.play(joint, position);
            tell(players, info, joint);
        }
        EXPECT_GT(propagations, 0) << name;
        ++games;
    }
    EXPECT_GE(games, 30U);
}

// A quarter of the cells after one mark: the corners, or the edges.
TEST(MacUcbSym, CountsSymmetricStates) {
    const Loaded loaded("tic-tac-toe");
    const SymmetricMicros symmetric(loaded.rules.canonical({}), nullptr);
    InfoState info(loaded.rules);
    State state = loaded.rules.machine().initial();
    EXPECT_EQ(symmetric.images(state), 1U);
    info.load(state);
    const auto legal = info.legal(0);
    std::vector<std::size_t> images;
    for (const MoveId move : legal) {
        State next = state;
        info.load(state);
        info.play({move, info.legal(1).front()}, next);
        images.push_back(symmetric.images(next));
    }
    std::ranges::sort(images);
    EXPECT_EQ(images, (std::vector<std::size_t>{1, 4, 4, 4, 4, 4, 4, 4, 4}));
    Shared shared;
    const auto player = seated("mac-ucb-sym:symmetry=1", loaded.rules, shared);
    (void)player->choose({.deadline = {}, .playouts = 2000});
    EXPECT_LT(counters(*player)["classes"], 0.5 * counters(*player)["states"]);
}

// On the empty board a corner, an edge and the centre are left; with a corner that is a nogood, only the diagonal
// through it is still a mirror.
TEST(MacUcbSym, MovesAreSymmetricUnlessOneOfThemIsANogood) {
    const Loaded loaded("tic-tac-toe");
    MacUcbShared shared(loaded.rules);
    SymmetricMicros symmetric(loaded.rules.canonical({}), shared.structure({}));
    const State empty = loaded.rules.machine().initial();
    InfoState info(loaded.rules);
    info.load(empty);
    const std::vector<MoveId> marks = info.legal(0);
    const auto count = [&](const SymmetricMicros::Nogoods& nogoods) {
        const auto least = symmetric.representatives(empty, nogoods, 0, {});
        std::set<MoveId> different;
        for (const MoveId mark : marks) different.insert(least.value()[mark]);
        return different.size();
    };
    EXPECT_EQ(count({}), 3U);
    for (const MoveId mark : marks) {
        if (loaded.game.move_text(0, mark) != "(mark 1 1)") continue;
        EXPECT_EQ(count({{mark, info.legal(1).front()}}), 6U);
    }
}

// Four lamps, of which the first is lit: once the second is, too, these are symmetric, and so are the others. The
// turn was resolved without looking for symmetries, so that its solutions differ.
TEST(MacUcbSym, SymmetricMovesOfTheStateAtHandAreSampledTogether) {
    const Loaded loaded(gdl::parse(R"(
        (role p) (lamp a) (lamp b) (lamp c) (lamp d) (init (on a)) (init (step 0))
        (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
        (<= (legal p (flip ?x)) (lamp ?x))
        (<= (next (on ?x)) (true (on ?x)) (not (does p (flip ?x))))
        (<= (next (on ?x)) (does p (flip ?x)) (not (true (on ?x))))
        (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
        (<= terminal (true (step 4)))
        (<= two (true (on ?x)) (true (on ?y)) (distinct ?x ?y))
        (<= (goal p 30) two) (<= (goal p 80) (not two)))",
                                   "lamps.kif"));
    const State first = loaded.rules.machine().initial();
    InfoState info(loaded.rules);
    info.load(first);
    State state;
    for (const MoveId move : info.legal(0)) {
        if (loaded.game.move_text(0, move) != "(flip b)") continue;
        info.play({move}, state);
        break;
    }
    Searching tried(loaded.rules, 0);
    tried.run(state, 4);
    ASSERT_FALSE(tried.search.solved());
    SymmetricMicros symmetric(loaded.rules.canonical({}), tried.shared.structure({}));
    MacUcbSearch search(loaded.rules, tried.shared.program({}), {.role = 0}, {.symmetry = 2}, tried.tree,
                        &symmetric);
    search.search({{state, 1}}, {.deadline = {}, .playouts = 2000});
    EXPECT_EQ(search.counts().twins, 2U);
    ASSERT_TRUE(search.solved());
    Brute brute(loaded.rules);
    EXPECT_NEAR(search.root().value.front(), brute.value(state).front(), tolerance);
    const MicroNode& root = search.root();
    for (std::size_t i = 0; i < root.solutions.size(); ++i) {
        if (!root.solutions[i].exact) continue;
        EXPECT_NEAR(tried.tree.exact_value(root, root.solutions[i], 0),
                    brute.after(state, 0, root.choosers.front().arms[i].move).front(), tolerance);
    }
}

// Out of the clock of a move, there is time for the first groups of Awale at most.
TEST(MacUcb, FindsAllGroupsWithinALongStartClock) {
    const Loaded loaded("awale");
    MacUcbShared shared(loaded.rules);
    const scsp::TurnProgram& program = shared.program(Deadline::in(600), MacUcbShared::Clock::start);
    EXPECT_EQ(program.mutex_groups().groups.size(),
              scsp::find_mutex_groups(loaded.rules.machine()).groups.size());
    EXPECT_TRUE(program.preparation().complete);
}

TEST(MacUcb, KeysOfTheOtherPlayerAreRefusedWithItsName) {
    for (const std::string spec : {"mac-ucb:filter=1", "mac-ucb-sym:transfer=2", "mac-ucb:adapt=0"}) {
        try {
            (void)read_spec(spec);
            ADD_FAILURE() << spec;
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find("zermelo:"), std::string::npos) << error.what();
        }
    }
}

}  // namespace
}  // namespace zermelo::play
