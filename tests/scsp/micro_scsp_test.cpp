#include "scsp/micro_scsp.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <sstream>

#include "all_games.hpp"
#include "assignment.hpp"
#include "gdl/syntax/parse.hpp"
#include "scsp/filter.hpp"
#include "scsp/network/gecode_micro.hpp"
#include "scsp/preprocess.hpp"
#include "support/random_gdl.hpp"

namespace zermelo::scsp {
namespace {

using gdl::Signal;

std::size_t count(const MicroScsp& micro, Kind kind) {
    return static_cast<std::size_t>(
        std::ranges::count_if(micro.variables, [&](const Variable& v) { return v.kind == kind; }));
}

TEST(MicroScsp, TicTacToeIsCellsControlMovesAndGoals) {
    const gdl::Game game(game_file("tic-tac-toe"));
    const MicroScsp micro = make_micro_scsp(game, find_mutex_groups(game.machine()));
    EXPECT_EQ(count(micro, Kind::terminal), 1U);
    EXPECT_EQ(count(micro, Kind::now), 10U);
    EXPECT_EQ(count(micro, Kind::next), 10U);
    EXPECT_EQ(count(micro, Kind::action), 2U);
    EXPECT_EQ(count(micro, Kind::chance), 0U);
    EXPECT_EQ(count(micro, Kind::goal), 2U);
    EXPECT_EQ(micro.variables.size(), 25U);
    EXPECT_EQ(micro.largest_domain(), 10U);  // nine cells to mark, and to wait
    std::ostringstream text;
    print(text, micro, 10);
    EXPECT_NE(text.str().find("now      (cell 1 1 ?) in {"), std::string::npos) << text.str();
    EXPECT_NE(text.str().find("goes on: [terminal] 1 tuple\n  no\n"), std::string::npos) << text.str();
}

TEST(MicroScsp, ChanceAndPerceptsAreVariables) {
    const gdl::Game game(game_file("guess-dice"));
    const MicroScsp micro = make_micro_scsp(game, find_mutex_groups(game.machine()));
    EXPECT_EQ(count(micro, Kind::chance), 1U);
    EXPECT_EQ(count(micro, Kind::action), 1U);
    EXPECT_GT(count(micro, Kind::percept), 0U);
    EXPECT_EQ(count(make_micro_scsp(game, {}, {.percepts = false}), Kind::percept), 0U);
}

TEST(MicroScsp, AStateThatNoPlayReachesIsRefused) {
    const gdl::Game game(game_file("tic-tac-toe"));
    MicroScsp micro = make_micro_scsp(game, find_mutex_groups(game.machine()));
    gdl::State nothing(game.machine().initial().size(), 0);
    EXPECT_THROW(micro.load(nothing), Error);
    gdl::State everything(game.machine().initial().size(), ~std::uint64_t{0});
    EXPECT_THROW(micro.load(everything), Error);
}

// All solutions of a network, by Gecode.
std::set<Assignment> solutions_by_gecode(const MicroScsp& micro) {
    std::set<Assignment> result;
    GecodeMicro root(micro, false);
    GecodeMicro derived(micro);
    if (derived.status() == Gecode::SS_FAILED) return result;
    Gecode::DFS<GecodeMicro> search(&root);
    while (std::unique_ptr<GecodeMicro> found{search.next()}) {
        const Assignment assignment = found->assignment();
        const std::unique_ptr<GecodeMicro> copy(static_cast<GecodeMicro*>(derived.clone()));
        for (VariableId v = 0; v < assignment.size(); ++v) copy->fix(v, assignment[v]);
        Gecode::DFS<GecodeMicro> again(copy.get());
        const std::unique_ptr<GecodeMicro> same(again.next());
        if (same) result.insert(assignment);
    }
    return result;
}

// For a given state the solutions are the turns of the machine, and preprocessing does not change them.
TEST(MicroScsp, SolutionsOfAStateAreTheTurnsOfEveryGame) {
    for (const std::string& file : all_games()) {
        const gdl::Game game(file);
        const gdl::Machine& machine = game.machine();
        if (machine.network().gates() > 3000) continue;
        const MicroScsp general = make_micro_scsp(game, quick_mutex_groups(machine), {.most_tuples = 512});
        gdl::Runner runner(machine);
        int looked = 0;
        play_at_random(machine, 5, 60, [&](const gdl::State& state) {
            runner.load(state);
            const auto joints = legal_joint_moves(machine, runner);
            if (looked >= 3 || joints.size() > 200) return;
            ++looked;
            MicroScsp micro = general;
            micro.load(state);
            std::set<Assignment> turns;
            for (const auto& joint : joints) turns.insert(*assignment_of(micro, machine, state, joint));
            ASSERT_EQ(solutions_by_gecode(micro), turns) << file;
            preprocess(micro, {.most_work = 3'000'000});
            ASSERT_EQ(solutions_by_gecode(micro), turns) << file << " after preprocessing";
        });
        EXPECT_GT(looked, 0) << file;
    }
}

// What the filter excludes is in no solution that Gecode finds. Parts of the state are left open, so that
// there is something to conclude; what Gecode cannot decide soon is passed over.
TEST(MicroScsp, TheFilterExcludesNothingThatGecodeFinds) {
    std::size_t compared = 0;
    std::size_t contradictions = 0;
    for (const std::string& file : all_games()) {
        const gdl::Game game(file);
        const gdl::Machine& machine = game.machine();
        const gdl::Network& network = machine.network();
        if (network.gates() > 5000) continue;
        const MutexGroups mutex_groups = quick_mutex_groups(machine);
        const Turn turn(network, mutex_groups);
        Filter filter(turn);
        const MicroScsp general = make_micro_scsp(game, mutex_groups, {.most_tuples = 256});
        Random random(7);
        int looked = 0;
        play_at_random(machine, 9, 40, [&](const gdl::State& state) {
            if (random.chance(0.5) || looked >= 4) return;
            ++looked;
            MicroScsp known = general;
            known.load(state);
            filter.undo(0);
            filter.push();
            bool fits = filter.consistent();
            const auto signal = [&](const Variable& variable, Value value) {
                const std::uint32_t f = variable.meaning[value];
                return variable.kind == Kind::now ? Signal(1 + f, false) : network.next[f];
            };
            // The value of a state variable, told to the filter.
            const auto tell = [&](const Variable& variable, Value value) {
                if (variable.meaning[value] != Variable::nothing) {
                    fits = fits && filter.post(signal(variable, value));
                    return;
                }
                for (Value other = 0; other < variable.values.size(); ++other) {
                    if (other != value) fits = fits && filter.post(!signal(variable, other));
                }
            };
            const double share = random.chance(0.5) ? 0.0 : 0.15;
            for (VariableId v = 0; v < known.variables.size(); ++v) {
                Variable& variable = known.variables[v];
                if (variable.kind != Kind::now) continue;
                if (random.chance(share)) {
                    variable.domain = general.variables[v].domain;
                } else {
                    tell(variable, variable.domain.front());
                }
            }
            for (int i = 0; i < 2; ++i) {
                const VariableId v = static_cast<VariableId>(random.below(known.variables.size()));
                Variable& variable = known.variables[v];
                if (variable.kind != Kind::next || variable.domain.size() == 1) continue;
                const Value value = static_cast<Value>(random.below(variable.values.size()));
                known.fix(v, value);
                tell(variable, value);
            }
            const auto root = std::make_unique<GecodeMicro>(known);
            const auto solvable = [&](VariableId v, std::optional<Value> value) -> std::optional<bool> {
                if (root->status() == Gecode::SS_FAILED) return false;
                const std::unique_ptr<GecodeMicro> copy(static_cast<GecodeMicro*>(root->clone()));
                if (value) copy->fix(v, *value);
                Gecode::Search::FailStop few(3000);
                Gecode::Search::Options options;
                options.stop = &few;
                Gecode::DFS<GecodeMicro> search(copy.get(), options);
                const std::unique_ptr<GecodeMicro> found(search.next());
                if (!found && search.stopped()) return std::nullopt;
                return found != nullptr;
            };
            if (!fits) {
                ++contradictions;
                ASSERT_NE(solvable(0, std::nullopt), true) << file;
                return;
            }
            int asked = 0;
            for (VariableId v = 0; v < known.variables.size() && asked < 60; ++v) {
                const Variable& variable = known.variables[v];
                if (variable.kind != Kind::next && variable.kind != Kind::now &&
                    variable.kind != Kind::action)
                    continue;
                for (const Value value : variable.domain) {
                    if (variable.meaning[value] == Variable::nothing) continue;
                    const bool excluded = variable.kind == Kind::action
                                              ? !filter.is_possible(variable.role, value)
                                              : filter.truth(signal(variable, value)) == gdl::Truth::no;
                    if (!excluded || random.chance(0.8)) continue;
                    ++asked;
                    const auto answer = solvable(v, value);
                    compared += answer ? 1U : 0U;
                    ASSERT_NE(answer, true)
                        << file << ": " << variable.name << " = " << variable.values[value];
                }
            }
        });
    }
    EXPECT_GT(compared, 500U);
    EXPECT_GT(contradictions, 5U);
}

bool respects(const gdl::State& state, const MutexGroups& groups, std::size_t fluents) {
    return std::ranges::all_of(groups.proven, [&](const MutexGroups::Group& group) {
        const auto held = std::ranges::count_if(
            group.fluents, [&](std::uint32_t f) { return groups.holds(f, state, fluents); });
        return held == 1 || (held == 0 && !group.exact);
    });
}

// On complete assignments the network agrees with the machine, as tables and as gates, before and after
// preprocessing, and a change of one variable of a solution makes it none.
TEST(MicroScsp, PreprocessingKeepsTheTurnsOfRandomGames) {
    std::size_t turns = 0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        const gdl::Game game(gdl::parse(random_gdl(seed), "random.kif"));
        const gdl::Machine& machine = game.machine();
        const MutexGroups mutex_groups = find_mutex_groups(machine);
        Random random(seed);
        for (const std::size_t most : {0, 30, 4096}) {
            const MicroScsp plain = make_micro_scsp(game, mutex_groups, {.most_tuples = most});
            MicroScsp changed = plain;
            preprocess(changed, {.merge = random.chance(0.7),
                                 .unary = random.chance(0.7),
                                 .universal = random.chance(0.7),
                                 .singleton = random.chance(0.7)});
            ConstraintEvaluator evaluator(plain);
            ConstraintEvaluator evaluator_changed(changed);
            for (int i = 0; i < 200; ++i) {
                gdl::State state = machine.initial();
                if (i > 0) {
                    // Any state that respects all that was proven, reached or not.
                    for (auto& word : state) word = 0;
                    for (std::uint32_t f = 0; f < machine.network().fluents.size(); ++f) {
                        if (random.chance(0.3)) state[f / 64] |= std::uint64_t{1} << (f % 64);
                    }
                    for (const auto& group : mutex_groups.groups) {
                        for (const auto f : group.fluents) state[f / 64] &= ~(std::uint64_t{1} << (f % 64));
                        const auto f = group.fluents[random.below(group.fluents.size())];
                        state[f / 64] |= std::uint64_t{1} << (f % 64);
                    }
                    if (!respects(state, mutex_groups, machine.network().fluents.size())) continue;
                }
                gdl::JointMove joint;
                for (const auto& moves : machine.network().moves)
                    joint.push_back(static_cast<gdl::MoveId>(random.below(moves.size())));
                gdl::Runner runner(machine);
                runner.load(state);
                const auto legal = legal_joint_moves(machine, runner);
                const bool is_turn = std::ranges::find(legal, joint) != legal.end();
                auto assignment = assignment_of(plain, machine, state, joint);
                if (!assignment) {
                    ASSERT_FALSE(is_turn) << "seed " << seed;
                    continue;
                }
                turns += is_turn ? 1U : 0U;
                ASSERT_EQ(is_solution(plain, evaluator, *assignment), is_turn) << "seed " << seed;
                ASSERT_EQ(is_solution(changed, evaluator_changed, *assignment), is_turn) << "seed " << seed;
                const auto v = random.below(assignment->size());
                const Variable& variable = plain.variables[v];
                const Value other = static_cast<Value>(random.below(variable.values.size()));
                const bool determined = variable.kind != Kind::now && variable.kind != Kind::action;
                if (!determined || other == (*assignment)[v]) continue;
                (*assignment)[v] = other;
                ASSERT_FALSE(is_solution(plain, evaluator, *assignment)) << "seed " << seed;
                ASSERT_FALSE(is_solution(changed, evaluator_changed, *assignment)) << "seed " << seed;
            }
        }
    }
    EXPECT_GT(turns, 1000U);
}

// The same along plays of all games, with loops among them; constraints stay gates.
TEST(MicroScsp, GatesAgreeWithTheMachineOnEveryGame) {
    for (const std::string& file : all_games()) {
        const gdl::Game game(file);
        const gdl::Machine& machine = game.machine();
        const MicroScsp micro = make_micro_scsp(game, quick_mutex_groups(machine), {.most_tuples = 0});
        EXPECT_EQ(micro.tables(), 1U) << file;  // that the game goes on
        ConstraintEvaluator evaluator(micro);
        Random random(3);
        gdl::Runner runner(machine);
        play_at_random(machine, 3, 12, [&](const gdl::State& state) {
            runner.load(state);
            const auto joints = legal_joint_moves(machine, runner);
            if (joints.empty()) return;
            auto assignment = *assignment_of(micro, machine, state, joints[random.below(joints.size())]);
            ASSERT_TRUE(is_solution(micro, evaluator, assignment)) << file;
            for (int i = 0; i < 5; ++i) {
                const auto v = random.below(assignment.size());
                const Variable& variable = micro.variables[v];
                if (variable.kind == Kind::now || variable.kind == Kind::action ||
                    variable.kind == Kind::chance)
                    continue;
                const Value right = assignment[v];
                assignment[v] = static_cast<Value>((right + 1) % variable.values.size());
                ASSERT_EQ(is_solution(micro, evaluator, assignment), assignment[v] == right) << file;
                assignment[v] = right;
            }
        });
    }
}

// Light spreads along a corridor whose doors are open: a loop, because it may come from both ends.
TEST(MicroScsp, FollowsALoopToItsEnd) {
    std::string rules = R"((role r) (init (door 1)) (init (door 2)) (init (door 3)) (init (door 5))
        (<= (near ?m ?n) (near ?n ?m)) (near 0 1) (near 1 2) (near 2 3) (near 3 4) (near 4 5) (near 5 6)
        (<= (room ?n) (near ?n ?m))
        (<= (legal r (open ?n)) (room ?n)) (legal r wait)
        (<= (next (door ?n)) (true (door ?n))) (<= (next (door ?n)) (does r (open ?n)))
        (<= (reached 1) (true (door 1)))
        (<= (reached ?m) (reached ?n) (near ?n ?m) (true (door ?m)))
        (<= (next (lit ?n)) (reached ?n))
        (<= terminal (true (lit 6))) (goal r 100))";
    const gdl::Game game(gdl::parse(rules, "corridor.kif"));
    ASSERT_TRUE(
        std::ranges::any_of(game.machine().network().stretches, [](const auto& s) { return s.loop; }));
    for (const std::size_t most : {0, 4096}) {
        MicroScsp micro = make_micro_scsp(game, {}, {.most_tuples = most});
        micro.load(game.machine().initial());
        preprocess(micro);
        std::set<std::string> lit;
        for (const Variable& variable : micro.variables) {
            if (variable.kind != Kind::next || !variable.name.starts_with("(lit")) continue;
            ASSERT_EQ(variable.domain.size(), 1U) << variable.name;
            if (variable.values[variable.domain[0]] == "yes") lit.insert(variable.name);
        }
        EXPECT_EQ(lit, (std::set<std::string>{"(lit 1)", "(lit 2)", "(lit 3)"}));
        EXPECT_EQ(solutions_by_gecode(micro).size(), 8U);
    }
}

// Not a sound game, but the machine reads it, and takes the goal that is stated first.
TEST(MicroScsp, OfSeveralGoalsTheFirstCounts) {
    const gdl::Game game(gdl::parse(R"(
        (role r) (init (lamp a)) (init (lamp b))
        (legal r wait) (<= (legal r (switch ?l)) (true (lamp ?l)))
        (<= (next (lamp ?l)) (true (lamp ?l)) (not (does r (switch ?l))))
        (<= terminal (true (lamp c)))
        (<= (goal r 30) (true (lamp a))) (<= (goal r 70) (true (lamp b)))
    )",
                                    "goals.kif"));
    for (const std::size_t most : {0, 4096}) {
        MicroScsp micro = make_micro_scsp(game, {}, {.most_tuples = most});
        micro.load(game.machine().initial());
        preprocess(micro);
        const auto goal = std::ranges::find_if(
            micro.variables, [](const Variable& variable) { return variable.kind == Kind::goal; });
        ASSERT_EQ(goal->domain.size(), 1U);
        gdl::Runner runner(game.machine());
        runner.load(game.machine().initial());
        EXPECT_EQ(goal->values[goal->domain[0]], std::to_string(runner.goal(0)));
        const auto found = solutions_by_gecode(micro);
        ASSERT_EQ(found.size(), 3U);  // wait, or switch one of two
    }
}

TEST(MicroScsp, DrawsItsConstraintGraph) {
    const gdl::Game game(game_file("tic-tac-toe-2x2"));
    const MicroScsp micro = make_micro_scsp(game, find_mutex_groups(game.machine()));
    std::ostringstream out;
    write_dot(out, micro);
    std::size_t edges = 0;
    for (std::size_t at = 0; (at = out.str().find(" -- ", at)) != std::string::npos; ++at) ++edges;
    std::size_t places = 0;
    for (const Constraint& constraint : micro.constraints) places += constraint.scope.size();
    EXPECT_EQ(edges, places);
}

}  // namespace
}  // namespace zermelo::scsp
