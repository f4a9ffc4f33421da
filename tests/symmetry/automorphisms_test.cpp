// Symmetries: how many a game has, and that playing in the mirror is playing the mirrored game.

#include "symmetry/automorphisms.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "core/random.hpp"
#include "gdl/game.hpp"
#include "gdl/syntax/parse.hpp"
#include "support/shipped.hpp"
#include "symmetry/coloured_graph.hpp"

namespace zermelo::symmetry {
namespace {

using gdl::Network;
using gdl::State;

std::size_t group_size(const Network& network, std::size_t most = 1000) {
    return symmetries(network, most).size() + 1;
}

// Discs fall into columns, and four in a line win: more lines than the network leaves as they are.
std::string connect_four(int columns, int rows) {
    std::string text =
        "(role white) (role black) (other white black) (other black white) (init (control white))\n";
    for (int c = 1; c <= columns; ++c) text += "(init (height " + std::to_string(c) + " 0))\n";
    for (int r = 1; r <= rows; ++r)
        text += "(above " + std::to_string(r - 1) + " " + std::to_string(r) + ")\n";
    const std::vector<std::pair<int, int>> directions{{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    for (int c = 1; c <= columns; ++c) {
        for (int r = 1; r <= rows; ++r) {
            for (const auto& [dc, dr] : directions) {
                if (c + 3 * dc > columns || r + 3 * dr > rows || r + 3 * dr < 1) continue;
                text += "(<= (line ?p) (role ?p)";
                for (int i = 0; i < 4; ++i) {
                    text += " (true (disc " + std::to_string(c + i * dc) + " " + std::to_string(r + i * dr) +
                            " ?p))";
                }
                text += ")\n";
            }
        }
    }
    return text + R"(
        (<= (legal ?p (drop ?c)) (true (control ?p)) (true (height ?c ?r)) (above ?r ?r2))
        (<= (legal ?p wait) (true (control ?q)) (other ?q ?p))
        (<= (next (disc ?c ?r2 ?p)) (does ?p (drop ?c)) (true (height ?c ?r)) (above ?r ?r2))
        (<= (next (disc ?c ?r ?p)) (true (disc ?c ?r ?p)))
        (<= (next (height ?c ?r2)) (does ?p (drop ?c)) (true (height ?c ?r)) (above ?r ?r2))
        (<= (next (height ?c ?r)) (true (height ?c ?r)) (not (chosen ?c)))
        (<= (chosen ?c) (does ?p (drop ?c)))
        (<= (next (control ?p)) (true (control ?q)) (other ?q ?p))
        (<= open (true (height ?c ?r)) (above ?r ?r2))
        (<= terminal (line ?p))
        (<= terminal (not open))
        (<= (goal ?p 100) (line ?p))
        (<= (goal ?p 0) (line ?q) (other ?q ?p))
        (<= (goal ?p 50) (role ?p) (not (line white)) (not (line black)))
    )";
}

gdl::Game game_of(const std::string& text) { return gdl::Game(gdl::parse(text, "test.kif")); }

std::uint32_t fluent_named(const gdl::Game& game, const std::string& name) {
    const auto& fluents = game.machine().network().fluents;
    for (std::uint32_t f = 0; f < fluents.size(); ++f) {
        if (game.text(fluents[f]) == name) return f;
    }
    ADD_FAILURE() << "no fluent " << name;
    return 0;
}

TEST(Symmetries, TicTacToeHasTheEightOfTheSquare) {
    EXPECT_EQ(group_size(shipped_game("tic-tac-toe").machine().network()), 8U);
    EXPECT_EQ(group_size(shipped_game("four-in-turn").machine().network()), 8U);
}

TEST(Symmetries, BreakthroughHasAMirror) {
    EXPECT_EQ(group_size(shipped_game("breakthrough").machine().network()), 2U);
}

TEST(Symmetries, ConnectFourHasAMirrorAlthoughItsNetworkIsTakenApartUnevenly) {
    EXPECT_EQ(group_size(game_of(connect_four(5, 5)).machine().network()), 2U);
    EXPECT_EQ(group_size(game_of(connect_four(7, 6)).machine().network()), 2U);
}

TEST(Symmetries, OthelloHasFourAlthoughItsRulesCountTheDiscsCellByCell) {
    // Both diagonals and the half turn: the others exchange the colours of the first four discs.
    EXPECT_EQ(group_size(shipped_game("othello").machine().network()), 4U);
}

// The half turn of the board would map stones to stones, but the state also remembers which of them are
// linked to the side where their player begins. Of a first stone on this side and its image on the other,
// only one is: so many more fluents hold, and no renaming of fluents maps one state to the other.
TEST(Symmetries, HexHasNoHalfTurnBecauseItsStatesAreNotImagesOfEachOther) {
    for (const auto& [name, last] : std::vector<std::pair<std::string, int>>{{"hex-small", 4}, {"hex", 9}}) {
        const gdl::Game game = shipped_game(name);
        const gdl::Machine& machine = game.machine();
        const auto fluents_after = [&](const std::string& first_move) {
            gdl::Runner runner(machine);
            runner.load(machine.initial());
            gdl::JointMove joint(2);
            std::vector<gdl::MoveId> legal;
            for (std::size_t r = 0; r < 2; ++r) {
                runner.legal(r, legal);
                for (const gdl::MoveId move : legal) {
                    if (legal.size() == 1 || game.move_text(r, move) == first_move) joint[r] = move;
                }
            }
            runner.play(joint);
            State next(machine.initial().size());
            runner.next(next);
            return game.facts(next).size();
        };
        EXPECT_EQ(fluents_after("(place 2 1)"),
                  1 + fluents_after("(place " + std::to_string(last - 1) + " " + std::to_string(last) + ")"))
            << name;
        EXPECT_EQ(group_size(machine.network()), 1U) << name;
    }
}

TEST(Symmetries, AGameOfRisingNumbersHasNone) {
    EXPECT_EQ(group_size(shipped_game("subtraction").machine().network()), 1U);
}

TEST(Symmetries, AChainIsNotReadBackwards) {
    const gdl::Game game = game_of(R"(
        (role p) (init (at 1)) (init (at 3)) (succ 1 2) (succ 2 3)
        (<= (next (at ?y)) (true (at ?x)) (succ ?x ?y))
        (legal p wait) (<= terminal (not (true (at 3)))) (goal p 0))");
    EXPECT_EQ(group_size(game.machine().network()), 1U);
}

TEST(Symmetries, PositiveRecursionKeepsTheMirror) {
    // A ring of four cells; whoever is connected to the marked cell is reached, both ways round.
    const gdl::Game game = game_of(R"(
        (role p) (init (mark 1)) (init (fresh))
        (edge 1 2) (edge 2 3) (edge 3 4) (edge 4 1) (<= (edge ?x ?y) (edge ?y ?x))
        (<= (base (mark ?x)) (edge ?x ?y)) (base (fresh))
        (<= (input p (link ?x)) (edge ?x ?y))
        (<= (legal p (link ?x)) (edge ?x ?y) (not (true (mark ?x))))
        (<= (next (mark ?x)) (does p (link ?x)))
        (<= (next (mark ?x)) (true (mark ?x)))
        (<= (reached 1) (true (mark 1)))
        (<= (reached ?y) (reached ?x) (edge ?x ?y) (true (mark ?y)))
        (<= terminal (reached 3))
        (goal p 100))");
    EXPECT_EQ(group_size(game.machine().network()), 2U);
}

TEST(Symmetries, AGroupThatIsTooLargeIsCutToASubgroup) {
    const gdl::Game game = shipped_game("guess-dice");
    const std::size_t whole = group_size(game.machine().network(), 100'000);
    EXPECT_EQ(whole, 720U);
    for (const std::size_t most : {std::size_t{1}, std::size_t{2}, std::size_t{10}, std::size_t{100}}) {
        const auto some = symmetries(game.machine().network(), most);
        ASSERT_LE(some.size() + 1, most);
        EXPECT_EQ(whole % (some.size() + 1), 0U);  // Lagrange
        EXPECT_TRUE(most == 1 || !some.empty());
    }
}

TEST(Symmetries, OfStatesAreThoseThatDoDifferentThingsToThem) {
    // Rock, paper and scissors can be exchanged in a circle; what a state remembers is who has how many wins.
    const gdl::Game game = shipped_game("rock-paper-scissors");
    EXPECT_EQ(group_size(game.machine().network()), 3U);
    EXPECT_TRUE(state_symmetries(game.machine().network(), 1000).empty());
    for (const char* name : {"tic-tac-toe", "guess-dice", "mastermind", "monty-hall"}) {
        std::set<std::vector<std::uint32_t>> known;
        const auto all = state_symmetries(shipped_game(name).machine().network(), 1000);
        EXPECT_FALSE(all.empty()) << name;
        for (const Symmetry& s : all) {
            EXPECT_TRUE(known.insert(s.fluent).second) << name;
            EXPECT_FALSE(std::is_sorted(s.fluent.begin(), s.fluent.end())) << name;
        }
        for (const Symmetry& a : all) {
            for (const Symmetry& b : all) {
                std::vector<std::uint32_t> c = a.fluent;
                for (auto& f : c) f = b.fluent[f];
                EXPECT_TRUE(std::is_sorted(c.begin(), c.end()) || known.contains(c)) << name;
            }
        }
    }
}

TEST(Symmetries, AFewGenerateAllOfThem) {
    for (const char* name : {"tic-tac-toe", "guess-dice", "connect-four", "subtraction"}) {
        const gdl::Game game = shipped_game(name);
        const Network& network = game.machine().network();
        const auto generators = generating_symmetries(network);
        using Images = std::pair<std::vector<std::uint32_t>, std::vector<std::vector<gdl::MoveId>>>;
        std::set<Images> all;
        for (const Symmetry& s : symmetries(network, 1000)) all.emplace(s.fluent, s.move);
        std::vector<Symmetry> todo = generators;
        std::set<Images> group;
        while (!todo.empty()) {
            const Symmetry one = todo.back();
            todo.pop_back();
            if (!group.emplace(one.fluent, one.move).second) continue;
            for (const Symmetry& generator : generators) {
                Symmetry product = one;
                for (auto& f : product.fluent) f = generator.fluent[f];
                for (std::size_t r = 0; r < product.move.size(); ++r) {
                    for (auto& m : product.move[r]) m = generator.move[r][m];
                }
                todo.push_back(std::move(product));
            }
        }
        if (!group.empty()) {
            EXPECT_EQ(group.size(), all.size() + 1) << name;  // the identity is a product, too
        }
        EXPECT_EQ(group.empty(), all.empty()) << name;
        EXPECT_TRUE(std::includes(group.begin(), group.end(), all.begin(), all.end())) << name;
        EXPECT_LE(generators.size(), 20U) << name;
    }
}

TEST(Symmetries, AreClosedAndTheSameEachTime) {
    for (const char* name : {"tic-tac-toe", "monty-hall", "mastermind", "rock-paper-scissors"}) {
        const gdl::Game game = shipped_game(name);
        const auto all = symmetries(game.machine().network(), 64);
        EXPECT_EQ(all, symmetries(game.machine().network(), 64)) << name;
        std::set<std::pair<std::vector<std::uint32_t>, std::vector<std::vector<gdl::MoveId>>>> known;
        for (const Symmetry& s : all) EXPECT_TRUE(known.emplace(s.fluent, s.move).second) << name;
        for (const Symmetry& a : all) {
            for (const Symmetry& b : all) {
                Symmetry c = a;
                for (auto& f : c.fluent) f = b.fluent[f];
                bool identity = std::is_sorted(c.fluent.begin(), c.fluent.end());
                for (std::size_t r = 0; r < c.move.size(); ++r) {
                    for (auto& m : c.move[r]) m = b.move[r][m];
                    identity = identity && std::is_sorted(c.move[r].begin(), c.move[r].end());
                }
                EXPECT_TRUE(identity || known.contains({c.fluent, c.move})) << name;
            }
        }
    }
}

TEST(Symmetries, ALimitThatIsReachedMeansNone) {
    EXPECT_TRUE(
        symmetries(shipped_game("tic-tac-toe").machine().network(), 100, Limits(0.0, std::nullopt)).empty());
}

TEST(Symmetries, VanishWhereOneCellIsDifferent) {
    const gdl::Game game = shipped_game("tic-tac-toe");
    Network network = game.machine().network();
    const std::uint32_t corner = fluent_named(game, "(cell 1 1 x)");
    network.next[corner] = Network::never;
    const auto rest = symmetries(network, 100);
    ASSERT_EQ(rest.size(), 1U);
    EXPECT_EQ(rest.front().fluent[corner], corner);
    network.initial[fluent_named(game, "(cell 1 2 o)")] = true;
    EXPECT_TRUE(symmetries(network, 100).empty());
}

TEST(Symmetries, VanishWhereOneMoveIsAlwaysLegal) {
    const gdl::Game game = shipped_game("breakthrough");
    Network network = game.machine().network();
    network.moves[0].front().legal = Network::always;
    for (const Symmetry& s : symmetries(network, 100)) EXPECT_EQ(s.move[0].front(), 0U);
    EXPECT_LT(group_size(network), 2U);
}

std::vector<gdl::MoveId> sorted_image(const Symmetry& symmetry, std::size_t role,
                                      std::vector<gdl::MoveId> moves) {
    for (auto& move : moves) move = symmetry.move[role][move];
    std::sort(moves.begin(), moves.end());
    return moves;
}

// Plays at random, and beside each play its image under every symmetry.
void play_in_the_mirror(const gdl::Machine& machine, const std::vector<Symmetry>& all, std::uint64_t seed) {
    Random random(seed);
    gdl::Runner runner(machine);
    gdl::Runner mirrored(machine);
    State state = machine.initial();
    for (const Symmetry& s : all) ASSERT_EQ(image(s, state), state);
    for (int ply = 0; ply < 60; ++ply) {
        runner.load(state);
        const bool over = runner.terminal();
        gdl::JointMove joint;
        std::vector<std::vector<gdl::MoveId>> legal(machine.roles());
        for (std::size_t r = 0; r < machine.roles(); ++r) {
            runner.legal(r, legal[r]);
            if (!over) joint.push_back(legal[r][random.below(legal[r].size())]);
        }
        State next(state.size());
        if (!over) {
            runner.play(joint);
            runner.next(next);
        }
        for (const Symmetry& s : all) {
            mirrored.load(image(s, state));
            ASSERT_EQ(mirrored.terminal(), over);
            for (std::size_t r = 0; r < machine.roles(); ++r) {
                ASSERT_EQ(mirrored.goal(r), runner.goal(r));
                std::vector<gdl::MoveId> there;
                mirrored.legal(r, there);
                std::sort(there.begin(), there.end());
                ASSERT_EQ(there, sorted_image(s, r, legal[r]));
            }
            if (over) continue;
            gdl::JointMove image_joint;
            for (std::size_t r = 0; r < machine.roles(); ++r) image_joint.push_back(s.move[r][joint[r]]);
            mirrored.play(image_joint);
            State image_next(state.size());
            mirrored.next(image_next);
            ASSERT_EQ(image_next, image(s, next));
        }
        if (over) return;
        state = next;
    }
}

TEST(Symmetries, TheImageOfAPlayIsAPlay) {
    std::vector<std::pair<std::string, gdl::Game>> games;
    for (const char* name : {"tic-tac-toe", "tic-tac-toe-2x2", "breakthrough", "four-in-turn", "monty-hall",
                             "mastermind", "guess-dice", "rock-paper-scissors", "othello"}) {
        games.emplace_back(name, shipped_game(name));
    }
    games.emplace_back("connect four 5 x 5", game_of(connect_four(5, 5)));
    for (const auto& [name, game] : games) {
        const auto all = symmetries(game.machine().network(), 32);
        EXPECT_FALSE(all.empty()) << name;
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            SCOPED_TRACE(name + ", seed " + std::to_string(seed));
            play_in_the_mirror(game.machine(), all, seed);
            if (testing::Test::HasFatalFailure()) return;
        }
    }
}

// All permutations of a small graph that keep colours and edges, counted one by one.
std::size_t count_by_hand(const ColouredGraph& graph) {
    Permutation image(graph.colour.size());
    for (Vertex v = 0; v < image.size(); ++v) image[v] = v;
    std::set<std::pair<Vertex, Vertex>> edges;
    for (const auto& [a, b] : graph.edges) edges.insert(std::minmax(a, b));
    std::size_t count = 0;
    do {
        bool kept = true;
        for (Vertex v = 0; v < image.size(); ++v) kept = kept && graph.colour[v] == graph.colour[image[v]];
        for (const auto& [a, b] : edges) kept = kept && edges.contains(std::minmax(image[a], image[b]));
        count += kept ? 1 : 0;
    } while (std::next_permutation(image.begin(), image.end()));
    return count;
}

std::size_t generated(const std::vector<Permutation>& generators, std::size_t vertices) {
    Permutation identity(vertices);
    for (Vertex v = 0; v < vertices; ++v) identity[v] = v;
    std::set<Permutation> group{identity};
    std::vector<Permutation> todo{identity};
    while (!todo.empty()) {
        const Permutation element = todo.back();
        todo.pop_back();
        for (const Permutation& g : generators) {
            Permutation product(vertices);
            for (Vertex v = 0; v < vertices; ++v) product[v] = g[element[v]];
            if (group.insert(product).second) todo.push_back(product);
        }
    }
    return group.size();
}

ColouredGraph random_graph(std::uint64_t seed) {
    Random random(seed);
    ColouredGraph graph;
    const std::size_t vertices = 1 + random.below(6);
    for (std::size_t v = 0; v < vertices; ++v) graph.add(random.below(2));
    for (Vertex a = 0; a < vertices; ++a) {
        for (Vertex b = a + 1; b < vertices; ++b) {
            if (random.chance(0.5)) graph.edges.emplace_back(a, b);
        }
    }
    return graph;
}

TEST(ColouredGraph, HasTheAutomorphismsThatCountingFinds) {
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        const ColouredGraph graph = random_graph(seed);
        const std::size_t vertices = graph.colour.size();
        ASSERT_EQ(generated(generators(graph, {}), vertices), count_by_hand(graph)) << "seed " << seed;
    }
}

// The least of all ways to write down a small graph.
std::pair<std::vector<std::uint64_t>, std::set<std::pair<Vertex, Vertex>>> least_form(
    const ColouredGraph& graph) {
    Permutation image(graph.colour.size());
    for (Vertex v = 0; v < image.size(); ++v) image[v] = v;
    std::optional<std::pair<std::vector<std::uint64_t>, std::set<std::pair<Vertex, Vertex>>>> least;
    do {
        std::vector<std::uint64_t> colours(image.size());
        for (Vertex v = 0; v < image.size(); ++v) colours[image[v]] = graph.colour[v];
        std::set<std::pair<Vertex, Vertex>> edges;
        for (const auto& [a, b] : graph.edges) edges.insert(std::minmax(image[a], image[b]));
        if (!least || std::pair(colours, edges) < *least) least = {colours, edges};
    } while (std::next_permutation(image.begin(), image.end()));
    return *least;
}

TEST(ColouredGraph, KeysAreEqualExactlyForGraphsThatAreTheSameButForTheirNumbers) {
    std::map<Hash128, std::pair<std::vector<std::uint64_t>, std::set<std::pair<Vertex, Vertex>>>> by_key;
    std::set<std::pair<std::vector<std::uint64_t>, std::set<std::pair<Vertex, Vertex>>>> forms;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        const ColouredGraph graph = random_graph(seed);
        const auto form = least_form(graph);
        const auto key = canonical_key(graph, {});
        ASSERT_TRUE(key.has_value());
        forms.insert(form);
        ASSERT_EQ(by_key.emplace(*key, form).first->second, form) << "seed " << seed;
    }
    EXPECT_EQ(by_key.size(), forms.size());
    EXPECT_LT(forms.size(), 390U);  // some come twice
    EXPECT_FALSE(canonical_key(random_graph(1), Limits(0.0, std::nullopt)).has_value());
}

}  // namespace
}  // namespace zermelo::symmetry
