// Games in GDL as quantified Boolean formulas: they are true where the rules let a role force its goal.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

#include "encode/quantify.hpp"
#include "game/connect_four.hpp"
#include "game/solve.hpp"
#include "gdl/syntax/parse.hpp"
#include "model/qbf/booleanise.hpp"
#include "model/qbf/write.hpp"
#include "model/qcir.hpp"
#include "model/qdimacs.hpp"
#include "quantified/solve.hpp"
#include "strategy/check/verify.hpp"
#include "support/run.hpp"
#include "support/shipped.hpp"

namespace zermelo::gdl {
namespace {

// What the rules say, by the machine and a table of states.
class BoundedPlay {
public:
    explicit BoundedPlay(const Game& game) : machine_(game.machine()), runner_(machine_) {}

    // Can the role reach a goal of at least this within so many moves, whatever the others play?
    bool forces(const State& state, std::size_t role, int threshold, std::size_t moves) {
        runner_.load(state);
        if (runner_.terminal()) return runner_.goal(role) >= threshold;
        if (moves == 0) return false;
        const auto [at, added] = known_.try_emplace({hash(state), moves}, false);
        if (!added) return at->second;
        std::vector<std::vector<MoveId>> legal(machine_.roles());
        std::size_t mover = 0;
        for (std::size_t r = 0; r < legal.size(); ++r) {
            runner_.legal(r, legal[r]);
            if (legal[r].size() > 1) mover = r;
        }
        bool forced = mover != role;
        for (const MoveId move : legal[mover]) {
            JointMove joint;
            for (std::size_t r = 0; r < legal.size(); ++r)
                joint.push_back(r == mover ? move : legal[r].front());
            State next;
            runner_.load(state);
            runner_.play(joint);
            runner_.next(next);
            if (forces(next, role, threshold, moves - 1) == (mover == role)) {
                forced = mover == role;
                break;
            }
        }
        return known_[{hash(state), moves}] = forced;
    }

private:
    const Machine& machine_;
    Runner runner_;
    std::map<std::pair<Hash128, std::size_t>, bool> known_;
};

Game benchmark_game(const std::string& rules, const std::string& facts) {
    std::ifstream file(std::string(ZERMELO_SOURCE_DIR) + "/bench/qbf/" + rules);
    EXPECT_TRUE(file) << rules;
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    return Game(parse(text + facts, rules));
}

struct Named {
    std::string name;
    Game game;
};

std::vector<Named> games_in_turn() {
    std::vector<Named> all;
    for (const char* name : {"tic-tac-toe", "nim", "subtraction"}) all.push_back({name, shipped_game(name)});
    all.push_back({"connect four 3x3", connect_four(3, 3, 3)});
    const std::vector<std::pair<const char*, const char*>> lists = {
        {"hex.kif", "(size 2)"},
        {"hex.kif", "(size 3) (opening 1 1 blue) (opening 3 2 red)"},
        {"lines.kif", "(columns 4) (rows 3) (aligned 3) (obstacle 2 2)"},
        {"lines.kif", "(columns 4) (rows 3) (aligned 3)"},
        {"lines.kif", "(columns 3) (rows 3) (aligned 3) (opening 2 2 o) (opening 1 1 x)"},
        {"lines.kif", "(columns 4) (rows 4) (aligned 3) (gravity marks) (obstacle 3 1)"},
        {"breakthrough.kif", "(columns 3) (rows 4) (starts white 1) (starts black 4)"},
        {"breakthrough.kif", "(columns 2) (rows 5) (starts white 1) (starts black 5) (missing 1 5)"}};
    for (const auto& [rules, facts] : lists)
        all.push_back({std::string(rules) + ' ' + facts, benchmark_game(rules, facts)});
    return all;
}

encode::QuantifiedGame question_within(const Game& game, std::size_t horizon, std::size_t role,
                                       int threshold) {
    encode::UnrollOptions options;
    options.horizon = horizon;
    return quantify(game, unroll(game, game.machine().initial(), options),
                    {role, threshold, encode::ModelForm::quantified});
}

TEST(GamesAsFormulas, AreTrueWhereTheRoleForcesItsGoal) {
    const bool peer_there = run("command -v depqbf").code == 0;
    if (!peer_there) std::cout << "depqbf is not here (packages/test.txt): its answers are not compared\n";
    const TemporaryDirectory scratch;
    std::map<bool, int> answers;
    for (const auto& [name, game] : games_in_turn()) {
        for (const std::size_t horizon : {1U, 3U, 4U, 5U, 7U}) {
            for (const std::size_t role : {0U, 1U}) {
                const auto what = fmt::format("{}, role {}, horizon {}", name, role, horizon);
                const int threshold = horizon == 5 ? 50 : 100;
                const bool truth =
                    BoundedPlay(game).forces(game.machine().initial(), role, threshold, horizon);
                ++answers[truth];
                const model::QuantifiedCircuit circuit =
                    booleanise(question_within(game, horizon, role, threshold).model);
                std::stringstream clauses;
                write_qdimacs(clauses, circuit);
                std::stringstream gates;
                write_qcir(gates, circuit);
                if (peer_there) {
                    const Ran peer = run("depqbf " + scratch.write("game.qdimacs", clauses.str()));
                    ASSERT_EQ(peer.code, truth ? 10 : 20) << what << ' ' << peer.err;
                }
                for (const model::Model& model :
                     {model::read_qdimacs(clauses, "game.qdimacs"), model::read_qcir(gates, "game.qcir")}) {
                    const quantified::Answer answer = quantified::solve(model);
                    ASSERT_EQ(answer.verdict, truth ? quantified::Verdict::won : quantified::Verdict::lost)
                        << what << ", " << model.name;
                    ASSERT_TRUE(verify(model, answer.strategy).valid) << what << ", " << model.name;
                }
            }
        }
    }
    EXPECT_GT(answers[true], 10);
    EXPECT_GT(answers[false], 15);
}

// Hex has no draw and the first player wins it (Nash 1949); alpha-beta and retrograde analysis agree with the formulas.
TEST(GamesAsFormulas, ToTheEndTheyHaveTheAnswerOfTheForwardEngines) {
    for (const auto& [name, game] : games_in_turn()) {
        if (name == "subtraction" || name == "nim") continue;
        const game::Solution solution = game::solve(game);
        for (const std::size_t role : {0U, 1U}) {
            const encode::QuantifiedGame question = question_within(game, 16, role, 100);
            std::stringstream text;
            write_qdimacs(text, booleanise(question.model));
            const quantified::Answer answer = quantified::solve(model::read_qdimacs(text, "game.qdimacs"));
            EXPECT_EQ(answer.verdict == quantified::Verdict::won, solution.values[role] == 100)
                << name << ", role " << role;
        }
    }
}

}  // namespace
}  // namespace zermelo::gdl
