// Judgement of states: gates as the rules have them, sums kept up to date, and files that fit the rules whatever the names.

#include "learn/judgement.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <set>

#include "learn/games.hpp"
#include "learn/net_file.hpp"
#include "support/run.hpp"

namespace zermelo::learn {
namespace {

struct Known {
    gdl::Game game;
    symmetry::RulesForm form;
    explicit Known(gdl::Game its) : game(std::move(its)), form(symmetry::rules_form(game)) {}
};

// States of random plays, by canonical numbers: the same for the same rules.
std::vector<State> states_of(const Known& known, std::size_t count, std::uint64_t seed) {
    const gdl::Machine& machine = known.game.machine();
    gdl::Runner runner(machine);
    Random random(seed);
    std::vector<State> states;
    std::vector<MoveId> legal;
    State state = machine.initial();
    while (states.size() < count) {
        runner.load(state);
        if (runner.terminal()) {
            state = machine.initial();
            continue;
        }
        states.push_back(state);
        gdl::JointMove joint;
        for (std::size_t r = 0; r < machine.roles(); ++r) {
            runner.legal(r, legal);
            std::sort(legal.begin(), legal.end(),
                      [&](auto a, auto b) { return known.form.rank[r][a] < known.form.rank[r][b]; });
            joint.push_back(legal[random.below(legal.size())]);
        }
        runner.play(joint);
        runner.next(state);
    }
    return states;
}

// With random weights.
std::shared_ptr<const Judgement> any_judgement(const Known& known, std::size_t gates, std::uint64_t seed) {
    const gdl::Machine& machine = known.game.machine();
    Features features = Features::choose(machine, known.form, gates);
    Shape shape{.inputs = features.size(), .hidden = 32, .second = 32, .seats = 2, .moves = {}};
    for (const auto& moves : machine.network().moves) shape.moves.push_back(moves.size());
    Network network(shape, seed);
    Random random(seed);
    for (float& w : network.weights()) w += static_cast<float>(0.1 * (random.fraction() - 0.5));
    return std::make_shared<const Judgement>(std::move(features), quantise(network), true);
}

TEST(Features, HoldWhereTheGatesDo) {
    for (const std::string name : {"breakthrough-small", "connect-four", "othello"}) {
        const Known known(shipped_game(name));
        const Features features = Features::choose(known.game.machine(), known.form, 50);
        EXPECT_EQ(features.gates().size(), 50U) << name;
        const auto states = states_of(known, 64, 3);
        std::vector<const State*> some;
        for (const State& state : states) some.push_back(&state);
        std::vector<std::uint64_t> together;
        features.extract(some, together);
        std::vector<std::size_t> holds(features.gates().size(), 0);
        for (std::size_t i = 0; i < states.size(); ++i) {
            std::vector<std::uint64_t> alone;
            features.extract(std::span(some).subspan(i, 1), alone);
            const auto row = std::span(together).subspan(i * features.words(), features.words());
            EXPECT_TRUE(std::equal(row.begin(), row.end(), alone.begin(), alone.end()));
            for (std::size_t w = 0; w < states[i].size(); ++w) EXPECT_EQ(row[w], states[i][w]);
            std::vector<std::uint32_t> numbers;
            list_features(row, numbers);
            for (const std::uint32_t f : numbers) {
                if (f >= features.first_gate()) ++holds[f - features.first_gate()];
            }
        }
        // What was measured in random plays is about what random plays show.
        double difference = 0;
        for (std::size_t g = 0; g < holds.size(); ++g)
            difference +=
                std::abs(static_cast<double>(holds[g]) / 64 - double{features.gates()[g].frequency});
        EXPECT_LT(difference / static_cast<double>(holds.size()), 0.15) << name;
    }
}

TEST(Features, EveryGateIsAGateOfTheNetwork) {
    const Known known(shipped_game("connect-four"));
    const gdl::Network& network = known.game.machine().network();
    const Features features = Features::choose(known.game.machine(), known.form, 40);
    const auto states = states_of(known, 300, 11);
    std::vector<std::vector<bool>> of_gates(2 * (network.first_late - network.first_gate));
    std::vector<std::vector<bool>> of_features(features.gates().size());
    gdl::Runner runner(known.game.machine());
    std::vector<std::uint64_t> row;
    for (const State& state : states) {
        runner.load(state);
        for (std::uint32_t g = network.first_gate; g < network.first_late; ++g) {
            const bool holds = runner.holds({g, false});
            of_gates[2 * (g - network.first_gate)].push_back(holds);
            of_gates[2 * (g - network.first_gate) + 1].push_back(!holds);
        }
        const State* one = &state;
        features.extract({&one, 1}, row);
        for (std::size_t f = 0; f < of_features.size(); ++f) {
            const std::size_t bit = features.first_gate() + f;
            of_features[f].push_back((row[bit / 64] >> (bit % 64) & 1) != 0);
        }
    }
    for (const auto& values : of_features)
        EXPECT_NE(std::find(of_gates.begin(), of_gates.end(), values), of_gates.end());
}

TEST(Judge, SumsKeptUpToDateAreThoseOfAFreshStart) {
    for (const std::string name : {"breakthrough-small", "connect-four"}) {
        const Known known(shipped_game(name));
        const auto judgement = any_judgement(known, 30, 1);
        const auto states = states_of(known, 200, 9);
        Judge walking(judgement);
        Judge fresh(judgement);
        Random random(4);
        std::vector<std::size_t> path{0};
        for (int step = 0; step < 2000; ++step) {
            // Forth along the plays, or back.
            if (path.size() > 1 && random.chance(0.45))
                path.pop_back();
            else
                path.push_back(random.chance(0.1) ? random.below(states.size())
                                                  : (path.back() + 1) % states.size());
            const State& here = states[path.back()];
            const State* one = &here;
            fresh.look_at({&one, 1});
            const auto expected = fresh.values(0);
            const auto found = walking.nearby(here);
            ASSERT_TRUE(std::equal(expected.begin(), expected.end(), found.begin(), found.end())) << name;
        }
    }
}

TEST(Judge, ValuesOfOpponentsAddUpToOneAndPoliciesToo) {
    const Known known(shipped_game("breakthrough-small"));
    const auto judgement = any_judgement(known, 30, 1);
    const auto states = states_of(known, 150, 9);
    std::vector<const State*> some;
    for (const State& state : states) some.push_back(&state);
    Judge judge(judgement);
    judge.look_at(some);
    std::set<float> different;
    for (std::size_t i = 0; i < some.size(); ++i) {
        EXPECT_NEAR(judge.values(i)[0] + judge.values(i)[1], 1, 1e-5);
        different.insert(judge.values(i)[0]);
        std::vector<MoveId> legal{0, 1, 5};
        std::vector<float> shares(3);
        judge.policy(i, 0, legal, shares);
        EXPECT_NEAR(shares[0] + shares[1] + shares[2], 1, 1e-5);
    }
    EXPECT_GT(different.size(), 50U);
}

TEST(NetFile, SaysTheSameUnderOtherNames) {
    const TemporaryDirectory scratch;
    const std::string file = scratch.path("a.net");
    for (const std::string name : {"breakthrough-small", "connect-four"}) {
        const std::string text = text_of_shipped(name);
        const Known own(gdl::Game(gdl::parse(text, "own")));
        const bool reordered = name == "breakthrough-small";
        const Known other(gdl::Game(gdl::parse(scrambled(text, 3, reordered), "other")));
        if (reordered) {
            ASSERT_NE(own.form.fluents, other.form.fluents);
        }
        const auto judgement = any_judgement(own, 30, 1);
        write_net(file, own.form.fingerprint, net_of(*judgement, own.form, 17));
        const NetFile net = read_net(file, other.form.fingerprint);
        EXPECT_EQ(net.games, 17U);
        const auto theirs = judgement_of(net, other.game.machine(), other.form);
        const auto missing = theirs->features().missing();
        EXPECT_EQ(std::count(missing.begin(), missing.end(), true), 0) << name;
        Judge mine(judgement);
        Judge same(theirs);
        const auto a = states_of(own, 100, 2);
        const auto b = states_of(other, 100, 2);
        for (std::size_t i = 0; i < a.size(); ++i) {
            const auto expected = mine.nearby(a[i]);
            const auto found = same.nearby(b[i]);
            ASSERT_TRUE(std::equal(expected.begin(), expected.end(), found.begin(), found.end()))
                << name << i;
            const State* one = &a[i];
            const State* two = &b[i];
            mine.look_at({&one, 1});
            same.look_at({&two, 1});
            std::vector<float> p(3);
            std::vector<float> q(3);
            const auto moves = [](const Known& known) {
                return std::vector<MoveId>(known.form.moves[0].begin(), known.form.moves[0].begin() + 3);
            };
            mine.policy(0, 0, moves(own), p);
            same.policy(0, 0, moves(other), q);
            EXPECT_EQ(p, q);
        }
    }
}

TEST(NetFile, IsRefusedWhereItIsForeignOrDamaged) {
    const TemporaryDirectory scratch;
    const std::string file = scratch.path("a.net");
    const Known known(shipped_game("breakthrough-small"));
    write_net(file, known.form.fingerprint, net_of(*any_judgement(known, 10, 1), known.form, 1));
    EXPECT_NO_THROW((void)read_net(file, known.form.fingerprint));
    EXPECT_THROW((void)read_net(file, symmetry::rules_form(shipped_game("nim")).fingerprint), Error);
    EXPECT_THROW((void)read_net(scratch.path("none.net"), known.form.fingerprint), Error);
    std::ifstream in(file, std::ios::binary);
    const std::string whole((std::istreambuf_iterator<char>(in)), {});
    Random random(1);
    for (int i = 0; i < 200; ++i) {
        std::string other = whole;
        if (i % 4 == 0)
            other.resize(random.below(whole.size()));
        else
            other[random.below(whole.size())] ^= static_cast<char>(1 + random.below(255));
        std::ofstream(file, std::ios::binary | std::ios::trunc) << other;
        EXPECT_THROW((void)read_net(file, known.form.fingerprint), Error) << "mutation " << i;
    }
}

// A gate that this network does not have counts with its mean.
TEST(NetFile, NeedsNotEveryGate) {
    const Known known(shipped_game("breakthrough-small"));
    NetFile net = net_of(*any_judgement(known, 30, 1), known.form, 1);
    const auto states = states_of(known, 100, 2);
    Judge whole(judgement_of(net, known.game.machine(), known.form));
    std::swap(net.gates[3].signature.low, net.gates[3].signature.high);
    const auto without = judgement_of(net, known.game.machine(), known.form);
    EXPECT_TRUE(without->features().missing()[3]);
    Judge partly(without);
    double difference = 0;
    for (const State& state : states)
        difference += std::abs(double{whole.nearby(state)[0] - partly.nearby(state)[0]});
    EXPECT_GT(difference, 0);
    EXPECT_LT(difference / static_cast<double>(states.size()), 0.05);
}

// Numbers that pass the checksum may be forged all the same.
TEST(NetFile, IsRefusedWhereItsNumbersAreForged) {
    const TemporaryDirectory scratch;
    const std::string file = scratch.path("a.net");
    const Known known(shipped_game("breakthrough-small"));
    const NetFile good = net_of(*any_judgement(known, 10, 1), known.form, 1);
    const auto forged = [&](auto change) {
        NetFile net = good;
        change(net);
        write_net(file, known.form.fingerprint, net);
        return judgement_of(read_net(file, known.form.fingerprint), known.game.machine(), known.form);
    };
    EXPECT_NO_THROW((void)forged([](NetFile&) {}));
    EXPECT_THROW((void)forged([](NetFile& net) { net.weights.row_scale = 0; }), Error);
    EXPECT_THROW((void)forged([](NetFile& net) { net.weights.second_scale = -1; }), Error);
    EXPECT_THROW((void)forged([](NetFile& net) {
                     net.weights.value_bias[0] = std::numeric_limits<float>::quiet_NaN();
                 }),
                 Error);
    EXPECT_THROW((void)forged([](NetFile& net) { net.gates[0].frequency = 2; }), Error);
    EXPECT_THROW((void)forged([](NetFile& net) { net.weights.shape.hidden = 33; }), Error);
    EXPECT_THROW((void)forged([](NetFile& net) { net.weights.shape.moves[0] -= 1; }), Error);
    EXPECT_THROW((void)forged([](NetFile& net) { net.weights.shape.seats = 3; }), Error);
}

}  // namespace
}  // namespace zermelo::learn
