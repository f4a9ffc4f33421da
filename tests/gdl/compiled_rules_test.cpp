// Compiled rules against the interpreter of the network: in every game, and on random networks with loops.

#include "gdl/compiled/compiled_rules.hpp"

#include <gtest/gtest.h>

#include <iostream>
#include <map>
#include <set>

#include "core/random.hpp"
#include "gdl/compiled_stepper.hpp"
#include "gdl/game.hpp"
#include "gdl/simulate.hpp"
#include "gdl/stepper.hpp"
#include "support/shipped.hpp"
#include "traces.hpp"

namespace zermelo::gdl {
namespace {

using Events = CompileOptions::Events;
using Instructions = MachineCode::Instructions;

const std::vector<std::pair<std::string, CompileOptions>> ways = {
    {"best instructions, no events", {Instructions::best, Events::never}},
    {"AVX2, no events", {Instructions::avx2, Events::never}},
    {"events", {Instructions::best, Events::always}}};

// Published games that have no finite grounding, or one beyond the budget; the reasoner plays them.
const std::set<std::string> without_network = {"twogenerals.kif", "chess.kif"};

bool compiles() {
    const Game game(ZERMELO_SOURCE_DIR "/games/gdl/tic-tac-toe.kif");
    return CompiledRules::compile(game.machine()) != nullptr;
}

// Along random plays: ends, goals, legal moves, next states and percepts.
void agrees_with_the_interpreter(const Machine& machine, const CompileOptions& options, std::uint64_t seed,
                                 int playouts, int most_moves) {
    const auto rules = CompiledRules::compile(machine, options);
    ASSERT_NE(rules, nullptr);
    CompiledRunner compiled(*rules);
    Runner runner(machine);
    Random random(seed);
    std::vector<MoveId> legal;
    std::vector<MoveId> expected_legal;
    std::vector<TermId> seen;
    std::vector<TermId> expected_seen;
    for (int playout = 0; playout < playouts; ++playout) {
        State state = machine.initial();
        for (int move = 0; move < most_moves; ++move) {
            SCOPED_TRACE("seed " + std::to_string(seed) + ", playout " + std::to_string(playout) + ", move " +
                         std::to_string(move));
            runner.load(state);
            compiled.load(state);
            ASSERT_EQ(compiled.terminal(), runner.terminal());
            JointMove joint;
            for (std::size_t r = 0; r < machine.roles(); ++r) {
                ASSERT_EQ(compiled.goal(r), runner.goal(r)) << "role " << r;
                runner.legal(r, expected_legal);
                compiled.legal(r, legal);
                ASSERT_EQ(legal, expected_legal) << "role " << r;
                if (!legal.empty()) joint.push_back(legal[random.below(legal.size())]);
            }
            if (runner.terminal() || joint.size() < machine.roles()) break;
            runner.play(joint);
            compiled.play(joint);
            for (std::size_t r = 0; r < machine.roles(); ++r) {
                runner.sees(r, expected_seen);
                compiled.sees(r, seen);
                ASSERT_EQ(seen, expected_seen) << "role " << r;
            }
            State next;
            runner.next(state);
            compiled.next(next);
            ASSERT_EQ(next, state);
        }
    }
}

TEST(CompiledRules, SayWhatTheInterpreterSaysInOurGames) {
    if (!compiles()) GTEST_SKIP() << "this build or this processor has no machine code";
    std::size_t turn = 0;
    for (const std::string& name : shipped_names()) {
        if (!published::in_part(turn++)) continue;
        const Game game = shipped_game(name);
        for (const auto& [way, options] : ways) {
            SCOPED_TRACE(name + ", " + way);
            ASSERT_NO_FATAL_FAILURE(agrees_with_the_interpreter(game.machine(), options, 1,
                                                                published::everything() ? 200 : 3,
                                                                published::everything() ? 1000 : 40));
        }
    }
}

TEST(CompiledRules, SayWhatTheInterpreterSaysInPublishedGames) {
    if (!compiles()) GTEST_SKIP() << "this build or this processor has no machine code";
    if (!published::present()) GTEST_SKIP() << "the published games are not here";
    std::size_t turn = 0;
    for (const auto& name : published::games()) {
        if (without_network.contains(name)) continue;
        const Game game(published::path(name));
        if (!published::in_part(turn++)) continue;
        for (std::size_t i = 0; i < ways.size(); ++i) {
            if (!published::everything() && i != turn % ways.size()) continue;
            const auto& [way, options] = ways[i];
            SCOPED_TRACE(name + ", " + way);
            ASSERT_NO_FATAL_FAILURE(agrees_with_the_interpreter(game.machine(), options, 2,
                                                                published::everything() ? 200 : 1,
                                                                published::everything() ? 1000 : 12));
        }
    }
}

TEST(CompiledRules, FollowThePublishedTracesStepByStep) {
    if (!compiles()) GTEST_SKIP() << "this build or this processor has no machine code";
    if (!published::present()) GTEST_SKIP() << "the published games are not here";
    std::size_t turn = 0;
    for (const auto& [name, rows] : published::table("traces.tsv")) {
        if (without_network.contains(name)) continue;
        const Game game(published::path(name));
        ++turn;
        for (std::size_t i = 0; i < ways.size(); ++i) {
            if (!published::everything() && i != turn % ways.size()) continue;
            SCOPED_TRACE(ways[i].first);
            const auto rules = CompiledRules::compile(game.machine(), ways[i].second);
            ASSERT_NE(rules, nullptr) << name;
            CompiledRunner runner(*rules);
            follow_the_traces(game, runner, rows);
        }
        if (testing::Test::HasFailure()) FAIL() << name;
    }
}

TEST(CompiledRules, AgreeWithTheReasonerOnPublishedGames) {
    if (!compiles()) GTEST_SKIP() << "this build or this processor has no machine code";
    if (!published::present()) GTEST_SKIP() << "the published games are not here";
    const bool everything = published::everything();
    std::size_t turn = 0;
    for (const auto& name : published::games()) {
        if (!published::in_part(turn++) || without_network.contains(name)) continue;
        if (name == "ruleDepthExponential.kif" && !everything) continue;
        const Game game(published::path(name));
        const auto rules = CompiledRules::compile(game.machine());
        ASSERT_NE(rules, nullptr) << name;
        CompiledRunner runner(*rules);
        agree_with_the_reasoner(game, runner, everything ? 200 : 1, everything ? 1000 : 4);
        if (testing::Test::HasFailure()) FAIL() << name;
        if (everything) std::cout << name << " agrees" << std::endl;
    }
}

// The stepper is for games in which one role at a time chooses, and knows nothing of percepts.
class SteppingRunner {
public:
    struct SeveralChoose {};

    explicit SteppingRunner(std::shared_ptr<CompiledMoves> moves) : stepper_(std::move(moves)) {}

    void load(const State& state) { stepper_.load(state); }
    [[nodiscard]] bool terminal() const { return stepper_.terminal(); }
    [[nodiscard]] int goal(std::size_t role) const { return stepper_.goal(role); }
    void legal(std::size_t role, std::vector<MoveId>& moves) const { stepper_.legal(role, moves); }
    void play(const JointMove& joint) {
        std::size_t mover = 0;
        std::size_t choosing = 0;
        for (std::size_t r = 0; r < joint.size(); ++r) {
            if (stepper_.choices(r) < 2) continue;
            mover = r;
            ++choosing;
        }
        if (choosing > 1) throw SeveralChoose();
        stepper_.play(mover, joint[mover]);
    }
    void next(State& state) const { state = stepper_.state(); }

private:
    CompiledStepper stepper_;
};

TEST(CompiledStepper, FollowsThePublishedTracesStepByStep) {
    if (!compiles()) GTEST_SKIP() << "this build or this processor has no machine code";
    if (!published::present()) GTEST_SKIP() << "the published games are not here";
    constexpr std::size_t most_inputs = 12'000;  // what moves change in larger networks takes seconds to find
    std::size_t followed = 0;
    for (const auto& [name, rows] : published::table("traces.tsv")) {
        if (without_network.contains(name)) continue;
        const Game game(published::path(name));
        const Network& network = game.machine().network();
        if (!Stepper::supports(network)) continue;
        if (network.inputs.size() > most_inputs && !published::everything()) continue;
        const auto moves = CompiledMoves::make(game);
        if (moves == nullptr) continue;
        SteppingRunner runner(moves);
        try {
            follow_the_traces(game, runner, rows);
        } catch (const TooManyMoves&) {
            continue;  // the Stepper runs these
        } catch (const SteppingRunner::SeveralChoose&) {
            continue;
        }
        if (testing::Test::HasFailure()) FAIL() << name;
        ++followed;
    }
    EXPECT_GT(followed, 10U);
}

// ------------------------------------------------------------------------------------------ random networks

class NetworkGenerator {
public:
    explicit NetworkGenerator(std::uint64_t seed) : random_(seed) {}

    Network run() {
        const auto fluents = static_cast<std::uint32_t>(random_.between(1, 200));
        network_.initial.resize(fluents);
        for (std::size_t f = 0; f < fluents; ++f) network_.initial[f] = random_.chance(0.4);
        network_.fluents.resize(fluents);
        const std::size_t roles = random_.below(3) + 1;
        network_.roles.resize(roles);
        network_.first_move = 1 + fluents;
        std::uint32_t node = network_.first_move;
        network_.moves.resize(roles);
        for (auto& moves : network_.moves) {
            for (auto n = random_.between(1, 90); n > 0; --n) moves.push_back({0, Network::never, node++});
        }
        network_.first_gate = network_.nodes = node;
        for (std::uint32_t n = 0; n < network_.first_move; ++n) readable_.push_back(n);
        gates(random_.between(0, 300));
        if (random_.chance(0.5)) loop();
        gates(random_.between(0, 100));
        const std::vector<std::uint32_t> early = readable_;
        network_.first_late = network_.nodes;
        network_.early_stretches = network_.stretches.size();
        const auto of_state = [&] { return Signal(early[random_.below(early.size())], random_.chance(0.5)); };
        network_.terminal = random_.chance(0.2) ? of_state() : Network::never;
        network_.goals.resize(roles);
        network_.sees.resize(roles);
        for (std::size_t r = 0; r < roles; ++r) {
            for (auto& move : network_.moves[r]) move.legal = of_state();
            for (const int value : {100, 50, 0}) network_.goals[r].push_back({value, of_state()});
        }
        for (std::uint32_t n = network_.first_move; n < network_.first_gate; ++n) readable_.push_back(n);
        gates(random_.between(0, 300));
        if (random_.chance(0.3)) loop();
        gates(random_.between(0, 100));
        for (std::size_t f = 0; f < fluents; ++f) network_.next.push_back(any());
        for (std::size_t r = 0; r < roles; ++r) {
            for (auto n = random_.below(5); n > 0; --n)
                network_.sees[r].push_back({static_cast<TermId>(n), any()});
        }
        network_.start.push_back(static_cast<std::uint32_t>(network_.inputs.size()));
        return std::move(network_);
    }

private:
    Signal any() { return {readable_[random_.below(readable_.size())], random_.chance(0.5)}; }

    // Different nodes, in ascending order.
    std::vector<Signal> some_inputs() {
        std::map<std::uint32_t, bool> chosen;
        const std::uint64_t count = random_.chance(0.1) ? random_.below(60) + 2 : random_.below(4) + 2;
        for (std::uint64_t i = 0; i < count; ++i) {
            const Signal s = any();
            if (s.node() != 0) chosen[s.node()] = s.negated();
        }
        std::vector<Signal> inputs;
        for (const auto& [node, negated] : chosen) inputs.emplace_back(node, negated);
        return inputs;
    }
    std::uint32_t add(const std::vector<Signal>& inputs) {
        network_.start.push_back(static_cast<std::uint32_t>(network_.inputs.size()));
        network_.inputs.insert(network_.inputs.end(), inputs.begin(), inputs.end());
        return network_.nodes++;
    }
    void gates(std::int64_t count) {
        const std::uint32_t first = network_.nodes;
        for (; count > 0; --count) {
            const auto inputs = some_inputs();
            if (inputs.empty()) continue;
            readable_.push_back(add(inputs));
        }
        if (network_.nodes > first) network_.stretches.push_back({first, network_.nodes, false, first});
    }
    // Atoms, as the negations of what they are; each follows from something outside and another atom.
    void loop() {
        const std::uint32_t first = network_.nodes;
        const auto atoms = static_cast<std::uint32_t>(random_.between(2, 90));
        const std::uint32_t rules = first + atoms;
        std::uint32_t next = rules;
        for (std::uint32_t a = 0; a < atoms; ++a) {
            std::vector<Signal> inputs;
            for (int i = 0; i < 2; ++i) inputs.emplace_back(next++, true);
            add(inputs);
        }
        for (std::uint32_t a = 0; a < atoms; ++a) {
            add(some_inputs());  // what starts it
            auto inputs = some_inputs();
            inputs.resize(std::min<std::size_t>(inputs.size(), 2));
            inputs.emplace_back(first + static_cast<std::uint32_t>(random_.below(atoms)), true);
            add(inputs);
        }
        network_.stretches.push_back({first, network_.nodes, true, rules});
        for (std::uint32_t a = 0; a < atoms; ++a) readable_.push_back(first + a);
    }

    Random random_;
    Network network_;
    std::vector<std::uint32_t> readable_;  // nodes that the next gates may read
};

TEST(CompiledRules, SayWhatTheInterpreterSaysOnRandomNetworks) {
    if (!compiles()) GTEST_SKIP() << "this build or this processor has no machine code";
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        const Machine machine(NetworkGenerator(seed).run());
        for (const auto& [name, options] : ways) {
            SCOPED_TRACE("network " + std::to_string(seed) + ", " + name);
            ASSERT_NO_FATAL_FAILURE(agrees_with_the_interpreter(machine, options, seed, 2, 10));
        }
    }
}

TEST(CompiledRules, TakeOverFromTheInterpreterInTheMiddleOfAPlay) {
    if (!compiles()) GTEST_SKIP() << "this build or this processor has no machine code";
    const Game game(ZERMELO_SOURCE_DIR "/games/gdl/othello.kif");
    const Machine& machine = game.machine();
    Runner switching(machine, Runner::Rules::fastest);
    Runner interpreted(machine);
    Random random(3);
    std::vector<MoveId> legal;
    std::vector<MoveId> expected;
    State state = machine.initial();
    int compiled = 0;  // steps since then
    for (int step = 0; step < 2'000'000 && compiled < 300; ++step) {
        if (machine.faster_rules() != nullptr) ++compiled;
        switching.load(state);
        interpreted.load(state);
        ASSERT_EQ(switching.terminal(), interpreted.terminal()) << "step " << step;
        JointMove joint;
        for (std::size_t r = 0; r < machine.roles(); ++r) {
            ASSERT_EQ(switching.goal(r), interpreted.goal(r)) << "step " << step;
            switching.legal(r, legal);
            interpreted.legal(r, expected);
            ASSERT_EQ(legal, expected) << "step " << step;
            if (!legal.empty()) joint.push_back(legal[random.below(legal.size())]);
        }
        if (switching.terminal()) {
            state = machine.initial();
            continue;
        }
        switching.play(joint);
        interpreted.play(joint);
        State next;
        interpreted.next(next);
        switching.next(state);
        ASSERT_EQ(state, next) << "step " << step;
    }
    EXPECT_NE(machine.faster_rules(), nullptr);
}

TEST(CompiledRules, ChooseEveryLegalMoveEquallyOften) {
    const Game game(ZERMELO_SOURCE_DIR "/games/gdl/breakthrough.kif");
    const auto rules = CompiledRules::compile(game.machine());
    if (!rules) GTEST_SKIP() << "this build or this processor has no machine code";
    CompiledRunner runner(*rules);
    runner.load(game.machine().initial());
    std::vector<MoveId> legal;
    std::size_t role = 0;
    for (std::size_t r = 0; r < 2; ++r) {
        runner.legal(r, legal);
        if (legal.size() > 1) role = r;
    }
    runner.legal(role, legal);
    Random random(5);
    std::map<MoveId, int> chosen;
    const int total = 44'000;
    for (int i = 0; i < total; ++i) ++chosen[runner.random_move(role, random)];
    ASSERT_EQ(chosen.size(), legal.size());
    const double expected = static_cast<double>(total) / static_cast<double>(legal.size());
    double chi_square = 0;
    for (const auto& [move, count] : chosen) chi_square += (count - expected) * (count - expected) / expected;
    EXPECT_LT(chi_square, 55.0);  // 21 degrees of freedom: once in ten thousand
}

TEST(CompiledRules, PlayAsLongAndAsWellAsTheInterpreter) {
    for (const std::string name : {"tic-tac-toe", "breakthrough-small", "othello"}) {
        const Game game(std::string(ZERMELO_SOURCE_DIR "/games/gdl/") + name + ".kif");
        SimulateOptions options;
        options.playouts = 600;
        options.engine = Engine::interpreter;
        const Simulation interpreted = simulate(game.machine(), options);
        EXPECT_FALSE(interpreted.compiled);
        options.engine = Engine::scalar;
        const Simulation scalar = simulate(game.machine(), options);
        const auto mean = [](double sum, const Simulation& s) {
            return sum / static_cast<double>(s.tally.playouts);
        };
        const double length = mean(static_cast<double>(interpreted.tally.length), interpreted);
        EXPECT_NEAR(mean(static_cast<double>(scalar.tally.length), scalar), length, 0.1 * length) << name;
        // Five standard errors of a goal between 0 and 100.
        EXPECT_NEAR(mean(scalar.tally.goals[0], scalar), mean(interpreted.tally.goals[0], interpreted), 15)
            << name;
    }
}

}  // namespace
}  // namespace zermelo::gdl
