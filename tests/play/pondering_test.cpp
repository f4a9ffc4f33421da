// Pondering: what players find out while others choose is there when they are asked, and nothing else changes.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <numeric>
#include <thread>

#include "games.hpp"
#include "play/mcts/mcts.hpp"
#include "play/player_registry.hpp"

namespace zermelo::play {
namespace {

// Tries of all moves at the root of the last search.
std::uint64_t tries_at_root(const Mcts& tree) {
    std::uint64_t sum = 0;
    for (const auto& choice : tree.root_choices())
        sum += std::accumulate(choice.visits.begin(), choice.visits.end(), std::uint64_t{0});
    return sum;
}

// The state after these moves, by role.
State state_after(const GameContext& rules, State state, const JointMove& joint) {
    InfoState info(rules);
    info.load(state);
    info.play(joint, state);
    return state;
}

JointMove first_moves(const GameContext& rules, const State& state) {
    InfoState info(rules);
    info.load(state);
    JointMove joint;
    for (std::size_t r = 0; r < rules.roles(); ++r) joint.push_back(info.legal(r).front());
    return joint;
}

TEST(Pondering, IsThereWhenTheNextMoveIsAsked) {
    for (const bool symmetry : {false, true}) {
        const Loaded game("connect-four");
        const GameContext& rules = game.rules;
        const State initial = rules.machine().initial();
        std::vector<std::uint64_t> known;
        for (const std::uint64_t playouts : {0, 4000}) {
            Mcts tree(rules, {.symmetry = symmetry});
            (void)tree.search(initial, 0, {.playouts = 200});
            JointMove joint = first_moves(rules, initial);
            joint[0] = tree.estimates().front().move;
            if (playouts > 0) {
                EXPECT_GE(tree.ponder(initial, 0, joint[0], {.playouts = playouts}), playouts);
            }
            const State theirs = state_after(rules, initial, joint);
            // Whatever the reply is.
            std::uint64_t tries = 0;
            JointMove replies = first_moves(rules, theirs);
            InfoState info(rules);
            info.load(theirs);
            for (const MoveId reply : std::vector<MoveId>(info.legal(1))) {
                replies[1] = reply;
                const auto made = tree.search(state_after(rules, theirs, replies), 0, {.playouts = 1});
                tries += tries_at_root(tree) - made;
            }
            known.push_back(tries);
        }
        EXPECT_GT(known[1], known[0] + 3000) << "with symmetry: " << symmetry;
    }
}

// Where nobody but the others has a choice, it is the same node as in a search.
TEST(Pondering, InTheOthersTurnItIsTheSearch) {
    const Loaded game("connect-four");
    const State initial = game.rules.machine().initial();
    Mcts tree(game.rules, {});
    const auto pondered = tree.ponder(initial, 1, first_moves(game.rules, initial)[1], {.playouts = 1000});
    const auto made = tree.search(initial, 1, {.playouts = 1});
    EXPECT_EQ(tries_at_root(tree), pondered + made);
}

// Where both choose at the same time, only our own move is settled.
TEST(Pondering, LeavesTheOthersChoiceOpenWhenAllChooseAtOnce) {
    const Loaded game("connect-four-simultaneous");
    const GameContext& rules = game.rules;
    const State initial = rules.machine().initial();
    InfoState info(rules);
    info.load(initial);
    ASSERT_GT(info.legal(0).size(), 1U);
    ASSERT_GT(info.legal(1).size(), 1U);
    Mcts tree(rules, {.bounds = false});
    const auto begun = tree.search(initial, 0, {.playouts = 20});
    JointMove joint = first_moves(rules, initial);
    (void)tree.ponder(initial, 0, joint[0], {.playouts = 3000});
    const auto made = tree.search(initial, 0, {.playouts = 1});
    EXPECT_EQ(tries_at_root(tree), 2 * (begun + made)) << "the decision itself is not touched";
    info.load(initial);
    const auto replies = info.legal(1);
    const auto others = info.legal(0);
    for (const MoveId reply : replies) {
        joint[1] = reply;
        joint[0] = others.front();
        const auto searched = tree.search(state_after(rules, initial, joint), 0, {.playouts = 1});
        EXPECT_GT(tries_at_root(tree), 2 * searched + 20) << "after " << reply;
        joint[0] = others.back();
        (void)tree.search(state_after(rules, initial, joint), 0, {.playouts = 1});
        EXPECT_LT(tries_at_root(tree), 50U) << "not played, and " << reply;
    }
}

TEST(Pondering, LeavesRoomForTheSearch) {
    constexpr std::size_t memory = std::size_t{1} << 20;
    const Loaded game("connect-four");
    const State initial = game.rules.machine().initial();
    Mcts tree(game.rules, {.memory = memory});
    (void)tree.ponder(initial, 1, first_moves(game.rules, initial)[1], {.playouts = 30'000});
    EXPECT_GT(tree.bytes(), memory / 2);
    EXPECT_LE(tree.bytes(), memory * 4 / 5);
    const std::size_t nodes = tree.nodes();
    (void)tree.search(initial, 0, {.playouts = 2000});
    EXPECT_GT(tree.nodes(), nodes);
}

TEST(Pondering, EndsWhereAllIsProven) {
    const Loaded game("tic-tac-toe");
    const State initial = game.rules.machine().initial();
    Mcts tree(game.rules, {});
    (void)tree.ponder(initial, 1, first_moves(game.rules, initial)[1], {.playouts = 1'000'000});
    EXPECT_EQ(tree.ponder(initial, 1, first_moves(game.rules, initial)[1], {.playouts = 1000}), 0U);
    (void)tree.search(initial, 0, {.playouts = 1});
    EXPECT_EQ(tree.bounds(), (std::pair<double, double>{50, 50}));
}

// A thread ponders until something is true, and is stopped.
void ponder_until(Player& player, MoveId made, const std::function<bool()>& condition) {
    std::atomic<bool> stop = false;
    std::atomic<bool> ended = false;
    std::jthread thread([&] {
        const Cancellable scope(stop);
        player.ponder(made);
        ended = true;
    });
    while (!condition() && !ended) std::this_thread::yield();
    EXPECT_TRUE(condition());
    stop = true;
}

double counted(const Thought& thought) {
    for (const auto& [name, value] : thought.counters)
        if (name == "pondered") return value;
    return 0;
}

// Plays some steps; each player ponders after each of its moves until it has done something.
void play_pondering(const std::string& name, const std::string& spec_text, std::size_t steps) {
    SCOPED_TRACE(name + ": " + spec_text);
    const Loaded game(name);
    const GameContext& rules = game.rules;
    Shared shared;
    const Spec spec = read_spec(spec_text);
    std::vector<std::unique_ptr<Player>> players;
    for (const std::size_t role : rules.seats()) {
        players.push_back(make_player(spec, rules, {.role = role, .seed = 3}, shared));
        players.back()->start(Deadline::in(0.3));
    }
    InfoState info(rules);
    Random random(1);
    Position position = info.initial();
    JointMove joint;
    std::vector<std::uint64_t> pondered(players.size(), 0);
    std::vector<std::uint64_t> told(players.size(), 0);
    for (std::size_t step = 0; step < steps; ++step) {
        info.load(position.state);
        if (info.terminal()) break;
        random_moves(info, random, joint);
        for (std::size_t s = 0; s < players.size(); ++s) {
            const std::size_t role = rules.seats()[s];
            const auto& legal = info.legal(role);
            joint[role] = players[s]->choose({.deadline = Deadline::in(0.02)});
            EXPECT_NE(std::find(legal.begin(), legal.end(), joint[role]), legal.end());
            told[s] += static_cast<std::uint64_t>(counted(players[s]->thought()));
            EXPECT_EQ(told[s], pondered[s]);
        }
        for (std::size_t s = 0; s < players.size(); ++s) {
            ponder_until(*players[s], joint[rules.seats()[s]],
                         [&] { return players[s]->pondered() > pondered[s]; });
            pondered[s] = players[s]->pondered();
        }
        info.play(joint, position);
        tell(players, info, joint);
    }
}

TEST(Pondering, PlayersThatSearchATreeDoIt) {
    for (const std::string spec :
         {"uct", "grave", "uct:threads=3", "zermelo:adapt=0,resolve=10", "zermelo:adapt=0,resolve=100",
          "zermelo:adapt=0,resolve=50,threads=2", "perfect:solve=0,fallback=uct"})
        play_pondering("connect-four", spec, 4);
    for (const std::string spec : {"uct", "zermelo"}) {
        play_pondering("dice-breakthrough", spec, 4);
        play_pondering("connect-four-simultaneous", spec, 3);
        play_pondering("latent-tic-tac-toe", spec, 3);
    }
}

TEST(Pondering, TheOthersDoNothing) {
    const Loaded game("connect-four");
    Shared shared;
    for (const std::string spec : {"random", "greedy", "alpha-beta", "cfr", "mac-ucb"}) {
        const auto player = make_player(read_spec(spec), game.rules, {.role = 0}, shared);
        const MoveId move = player->choose({.deadline = Deadline::in(0.02)});
        player->ponder(move);
        EXPECT_EQ(player->pondered(), 0U) << spec;
    }
}

}  // namespace
}  // namespace zermelo::play
