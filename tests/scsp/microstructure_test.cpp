// Microstructures against the symmetries that are found once a game: two ways to the same group and to the
// same classes of states, which share no more than nauty and, for constraints that are no tables, the normal
// form.

#include "scsp/microstructure.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "core/random.hpp"
#include "gdl/syntax/parse.hpp"
#include "symmetry/canonical.hpp"

namespace zermelo::scsp {
namespace {

using gdl::State;
using symmetry::Symmetry;

struct Subject {
    gdl::Game game;
    MutexGroups mutex_groups;
    MicroScsp micro;
    Microstructure structure;

    explicit Subject(gdl::Game its_game, const MicrostructureOptions& options = {})
        : game(std::move(its_game)),
          mutex_groups(find_mutex_groups(game.machine())),
          micro(make_micro_scsp(game, mutex_groups)),
          structure(micro, options) {}
    explicit Subject(const std::string& name, const MicrostructureOptions& options = {})
        : Subject(gdl::Game(std::string(ZERMELO_SOURCE_DIR) + "/games/gdl/" + name + ".kif"), options) {}
    [[nodiscard]] const gdl::Network& network() const { return game.machine().network(); }
};

using Images = std::pair<std::vector<std::uint32_t>, std::vector<std::vector<gdl::MoveId>>>;

Images identity(const gdl::Network& network) {
    Images result;
    result.first.resize(network.fluents.size());
    std::iota(result.first.begin(), result.first.end(), 0);
    for (const auto& moves : network.moves) {
        result.second.emplace_back(moves.size());
        std::iota(result.second.back().begin(), result.second.back().end(), 0);
    }
    return result;
}

// All products of the generators, if there are not too many.
std::set<Images> generated(const gdl::Network& network, const std::vector<Symmetry>& generators) {
    std::set<Images> group{identity(network)};
    std::vector<Images> todo(group.begin(), group.end());
    while (!todo.empty() && group.size() < 2000) {
        const Images element = todo.back();
        todo.pop_back();
        for (const Symmetry& generator : generators) {
            Images product = element;
            for (auto& fluent : product.first) fluent = generator.fluent[fluent];
            for (std::size_t r = 0; r < product.second.size(); ++r) {
                for (auto& move : product.second[r]) move = generator.move[r][move];
            }
            if (group.insert(product).second) todo.push_back(std::move(product));
        }
    }
    return group;
}

std::set<Images> fast_group(const gdl::Network& network) {
    std::set<Images> group{identity(network)};
    for (const Symmetry& s : symmetry::symmetries(network, 100'000)) group.emplace(s.fluent, s.move);
    return group;
}

TEST(Microstructure, HasTheGroupThatIsFoundOnceAGame) {
    std::size_t largest = 0;
    for (const char* name : {"breakthrough-small",
                             "breakthrough",
                             "checkers",
                             "connect-four",
                             "dice-race",
                             "eight-puzzle",
                             "four-in-turn",
                             "guess-dice",
                             "hex-small",
                             "knight-through",
                             "kuhn-poker",
                             "matching-pennies",
                             "monty-hall",
                             "nim",
                             "othello",
                             "rock-paper-scissors-once",
                             "rock-paper-scissors",
                             "subtraction",
                             "tic-tac-toe-2x2",
                             "tic-tac-toe"}) {
        const Subject subject(name);
        const auto group = generated(subject.network(), subject.structure.generators());
        EXPECT_EQ(group, fast_group(subject.network())) << name;
        largest = std::max(largest, group.size());
    }
    EXPECT_EQ(largest, 720U);
}

TEST(Microstructure, OfGatesAsTheyStandHasNothingMore) {
    for (const char* name : {"connect-four", "four-in-turn", "breakthrough-small", "tic-tac-toe"}) {
        const Subject subject(name, {.normal_form = false});
        const auto all = fast_group(subject.network());
        const auto group = generated(subject.network(), subject.structure.generators());
        EXPECT_TRUE(std::ranges::includes(all, group)) << name;
    }
}

void add_successors(const gdl::Machine& machine, const State& state, std::set<State>& known,
                    std::vector<State>& todo) {
    gdl::Runner runner(machine);
    runner.load(state);
    if (runner.terminal()) return;
    std::vector<std::vector<gdl::MoveId>> legal(machine.roles());
    for (std::size_t r = 0; r < machine.roles(); ++r) runner.legal(r, legal[r]);
    std::vector<std::size_t> at(machine.roles(), 0);
    for (bool more = true; more;) {
        gdl::JointMove joint;
        for (std::size_t r = 0; r < machine.roles(); ++r) joint.push_back(legal[r][at[r]]);
        runner.play(joint);
        State next(state.size());
        runner.next(next);
        if (known.insert(next).second) todo.push_back(next);
        more = false;
        for (std::size_t r = 0; r < machine.roles() && !more; ++r) {
            more = ++at[r] < legal[r].size();
            if (!more) at[r] = 0;
        }
    }
}

std::set<State> all_states(const gdl::Machine& machine) {
    std::set<State> known{machine.initial()};
    std::vector<State> todo{machine.initial()};
    while (!todo.empty()) {
        const State state = todo.back();
        todo.pop_back();
        add_successors(machine, state, known, todo);
    }
    return known;
}

std::set<State> random_states(const gdl::Machine& machine, int plays) {
    std::set<State> known;
    for (int seed = 0; seed < plays; ++seed) {
        Random random(static_cast<std::uint64_t>(seed));
        gdl::Runner runner(machine);
        State state = machine.initial();
        for (int ply = 0; ply < 40; ++ply) {
            known.insert(state);
            runner.load(state);
            if (runner.terminal()) break;
            gdl::JointMove joint;
            std::vector<gdl::MoveId> legal;
            for (std::size_t r = 0; r < machine.roles(); ++r) {
                runner.legal(r, legal);
                joint.push_back(legal[random.below(legal.size())]);
            }
            runner.play(joint);
            runner.next(state);
        }
    }
    return known;
}

// Equal keys exactly where canonical states are equal; returns how many classes there are.
std::size_t expect_same_classes(const Subject& subject, const std::set<State>& states) {
    const symmetry::Canonical canonical(subject.network());
    std::map<State, Hash128> key_of;
    std::map<Hash128, State> state_of;
    for (const State& state : states) {
        const auto key = subject.structure.key(state);
        EXPECT_TRUE(key.has_value());
        State image = state;
        canonical.canonicalise(image);
        EXPECT_EQ(key_of.emplace(image, *key).first->second, *key) << "symmetric states, different keys";
        EXPECT_EQ(state_of.emplace(*key, image).first->second, image) << "one key, states not symmetric";
    }
    return state_of.size();
}

TEST(Microstructure, KeysAreEqualExactlyWhereCanonicalStatesAre) {
    for (const char* name : {"tic-tac-toe-2x2", "monty-hall", "guess-dice", "matching-pennies", "nim",
                             "rock-paper-scissors-once", "subtraction", "kuhn-poker"}) {
        SCOPED_TRACE(name);
        const Subject subject(name);
        std::set<State> states = all_states(subject.game.machine());
        if (states.size() > 500) states = random_states(subject.game.machine(), 40);
        const std::size_t classes = expect_same_classes(subject, states);
        if (!symmetry::symmetries(subject.network(), 1000).empty()) {
            EXPECT_LT(classes, states.size());
        } else {
            EXPECT_EQ(classes, states.size());
        }
    }
}

TEST(Microstructure, KeysAndCanonicalStatesAgreeAlongRandomPlaysAndTheirMirrors) {
    for (const char* name : {"tic-tac-toe", "connect-four", "breakthrough-small", "four-in-turn"}) {
        SCOPED_TRACE(name);
        const Subject subject(name);
        const auto all = symmetry::symmetries(subject.network(), 1000);
        std::set<State> states = random_states(subject.game.machine(), 6);
        Random random(1);
        for (const State& state : std::set<State>(states))
            states.insert(symmetry::image(all[random.below(all.size())], state));
        EXPECT_LT(expect_same_classes(subject, states), states.size());
    }
}

TEST(Microstructure, ImagesAndWhatKeepsAStateMakeUpTheGroup) {
    for (const char* name : {"tic-tac-toe", "monty-hall", "guess-dice"}) {
        const Subject subject(name);
        const auto all = fast_group(subject.network());
        for (const State& state : random_states(subject.game.machine(), 2)) {
            const auto kept = generated(subject.network(), subject.structure.generators(state, {}));
            std::set<State> images;
            std::size_t keeping = 0;
            for (const Images& one : all) {
                const State image = symmetry::image({one.first, one.second}, state);
                images.insert(image);
                if (image != state) continue;
                ++keeping;
                EXPECT_TRUE(kept.contains(one)) << name;
            }
            EXPECT_EQ(kept.size(), keeping) << name;
            EXPECT_EQ(kept.size() * images.size(), all.size()) << name;
        }
    }
}

// Profiles in which x marks the cell and o waits.
Microstructure::Nogoods marking(const gdl::Game& game, const std::vector<std::string>& moves) {
    const auto find = [&](std::size_t role, const std::string& name) {
        gdl::MoveId move = 0;
        while (game.move_text(role, move) != name) ++move;
        return move;
    };
    const gdl::MoveId wait = [&] {
        std::vector<gdl::MoveId> legal;
        gdl::Runner runner(game.machine());
        runner.load(game.machine().initial());
        runner.legal(1, legal);
        return legal.front();
    }();
    Microstructure::Nogoods result;
    for (const std::string& move : moves) result.push_back({find(0, move), wait});
    return result;
}

TEST(Microstructure, NogoodsTellStatesApartUpToSymmetry) {
    const Subject subject("tic-tac-toe");
    const State& start = subject.game.machine().initial();
    const auto key = [&](const std::vector<std::string>& moves) {
        return subject.structure.key(start, marking(subject.game, moves)).value();
    };
    EXPECT_EQ(key({"(mark 1 1)"}), key({"(mark 3 3)"}));
    EXPECT_NE(key({"(mark 1 1)"}), key({}));
    EXPECT_NE(key({"(mark 1 1)"}), key({"(mark 1 2)"}));
    EXPECT_NE(key({"(mark 1 1)"}), key({"(mark 2 2)"}));
    EXPECT_EQ(key({"(mark 1 1)", "(mark 1 2)"}), key({"(mark 3 3)", "(mark 2 3)"}));
    EXPECT_NE(key({"(mark 1 1)", "(mark 1 2)"}), key({"(mark 1 1)", "(mark 2 3)"}));
    const auto kept = subject.structure.generators(start, marking(subject.game, {"(mark 1 1)"}));
    EXPECT_EQ(generated(subject.network(), kept).size(), 2U);  // the diagonal through the corner
}

// A lamp can be lit while the other is dark. The rule for b says once more than needed that b is dark.
TEST(Microstructure, TablesSeeThatRulesInDifferentWordsSayTheSame) {
    const Subject subject(gdl::Game(gdl::parse(R"(
        (role p) (base a) (base b) (input p (light a)) (input p (light b))
        (legal p (light a)) (legal p (light b))
        (<= (next a) (does p (light a)) (not (true b)))
        (<= (next a) (true a))
        (<= (next b) (does p (light b)) (not (true a)) (not (true b)))
        (<= (next b) (true b))
        (<= terminal (true a)) (<= terminal (true b))
        (goal p 100))",
                                               "test.kif")));
    const auto fast = fast_group(subject.network());
    const auto group = generated(subject.network(), subject.structure.generators());
    EXPECT_EQ(fast.size(), 1U);
    EXPECT_EQ(group.size(), 2U);
    EXPECT_TRUE(std::ranges::includes(group, fast));
}

TEST(Microstructure, WithoutTheFirstStateHasMore) {
    for (const bool first_state : {true, false}) {
        const Subject subject(gdl::Game(gdl::parse(R"(
            (role p) (lamp a) (lamp b) (init (lit a))
            (<= (base (lit ?x)) (lamp ?x)) (<= (input p (flip ?x)) (lamp ?x))
            (<= (legal p (flip ?x)) (lamp ?x))
            (<= (next (lit ?x)) (true (lit ?x)) (not (does p (flip ?x))))
            (<= (next (lit ?x)) (does p (flip ?x)) (not (true (lit ?x))))
            (<= terminal (true (lit a)) (true (lit b)))
            (goal p 100))",
                                                   "test.kif")),
                              {.first_state = first_state});
        const auto group = generated(subject.network(), subject.structure.generators());
        EXPECT_EQ(group.size(), first_state ? 1U : 2U);
    }
}

TEST(Microstructure, ALimitThatIsReachedMeansNothing) {
    const Subject subject("tic-tac-toe");
    const Limits now(0.0, std::nullopt);
    EXPECT_TRUE(subject.structure.generators(now).empty());
    EXPECT_FALSE(subject.structure.key(subject.game.machine().initial(), {}, now).has_value());
}

}  // namespace
}  // namespace zermelo::scsp
