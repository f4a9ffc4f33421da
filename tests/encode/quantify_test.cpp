// Games in GDL as quantified and as strategic models: what the models say is what the rules say.

#include "encode/quantify.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

#include "game/connect_four.hpp"
#include "game/solve.hpp"
#include "gdl/analysis/ranking.hpp"
#include "gdl/syntax/parse.hpp"
#include "model/flatzinc/minizinc.hpp"
#include "quantified/solve.hpp"
#include "strategy/check/verify.hpp"
#include "support/random_gdl.hpp"
#include "support/run.hpp"
#include "support/shipped.hpp"

namespace zermelo::gdl {
namespace {

const encode::ModelForm forms[] = {encode::ModelForm::quantified, encode::ModelForm::strategic};

Game game_of(const std::string& text) { return Game(parse(text, "test.kif")); }

encode::Unrolling unrolled(const Game& game, std::size_t horizon) {
    encode::UnrollOptions options;
    options.horizon = horizon;
    return encode::unroll(game, game.machine().initial(), options);
}

std::size_t longest(const Game& game) {
    const auto known = longest_play(game.machine(), game.machine().initial());
    EXPECT_TRUE(known.has_value());
    return known.value_or(0);
}

// ------------------------------------------------------------------------------------------ by the rules

// What the rules say, read off the machine state by state.
class Rules {
public:
    explicit Rules(const Game& game) : machine_(game.machine()), runner_(machine_), numbers_(game) {}

    // The greatest goal that the role can force within so many moves; -1 if not even an end.
    int guaranteed(const State& state, std::size_t role, std::size_t moves) {
        const auto [at, added] = guaranteed_.try_emplace({hash(state), role, moves}, 0);
        if (!added) return at->second;
        runner_.load(state);
        int value = -1;
        if (runner_.terminal()) {
            value = runner_.goal(role);
        } else if (moves > 0) {
            const std::size_t mover = who_moves();
            bool first = true;
            for (const State& next : successors(state, mover)) {
                const int after = guaranteed(next, role, moves - 1);
                value = first ? after : mover == role ? std::max(value, after) : std::min(value, after);
                first = false;
            }
        }
        return guaranteed_[{hash(state), role, moves}] = value;
    }

    // Does the owner of the strategy win the question in every play by the rules?
    bool keeps(const encode::QuantifiedGame& quantified, const strategy::Strategy& strategy) {
        kept_.clear();
        return keeps(quantified, strategy, machine_.initial(), 1, strategy.root);
    }

    [[nodiscard]] std::size_t longest(const State& state) {
        if (const auto known = longest_.find(hash(state)); known != longest_.end()) return known->second;
        runner_.load(state);
        std::size_t result = 0;
        if (!runner_.terminal()) {
            for (const State& next : successors(state, who_moves()))
                result = std::max(result, 1 + longest(next));
        }
        return longest_[hash(state)] = result;
    }

private:
    // Of the state that is loaded: the role that has a choice, or the first.
    std::size_t who_moves() {
        std::vector<MoveId> legal;
        for (std::size_t r = 0; r < machine_.roles(); ++r) {
            runner_.legal(r, legal);
            if (legal.size() > 1) return r;
        }
        return 0;
    }

    std::vector<MoveId> legal_moves(const State& state, std::size_t role) {
        std::vector<MoveId> legal;
        runner_.load(state);
        runner_.legal(role, legal);
        return legal;
    }

    State after(const State& state, std::size_t mover, MoveId move) {
        runner_.load(state);
        JointMove joint(machine_.roles());
        std::vector<MoveId> legal;
        for (std::size_t r = 0; r < joint.size(); ++r) {
            runner_.legal(r, legal);
            joint[r] = r == mover ? move : legal.front();
        }
        State next;
        runner_.play(joint);
        runner_.next(next);
        return next;
    }

    std::vector<State> successors(const State& state, std::size_t mover) {
        std::vector<State> all;
        for (const MoveId move : legal_moves(state, mover)) all.push_back(after(state, mover, move));
        return all;
    }

    // A node that does not speak of this step claims to win whatever is played here.
    bool keeps(const encode::QuantifiedGame& quantified, const strategy::Strategy& strategy,
               const State& state, std::size_t step, strategy::NodeId node) {
        const auto key = std::tuple(hash(state), step, node);
        if (const auto known = kept_.find(key); known != kept_.end()) return known->second;
        const bool exists = strategy.owner == model::Quantifier::exists;
        runner_.load(state);
        if (runner_.terminal()) {
            const bool good = runner_.goal(quantified.question.role) >= quantified.question.threshold;
            return good == exists;
        }
        if (step > quantified.horizon) return !exists;
        const auto turn = std::ranges::find(quantified.turns, step, &encode::QuantifiedGame::Turn::step);
        const std::size_t mover = turn == quantified.turns.end() ? who_moves() : turn->role;
        const bool spoken = turn != quantified.turns.end() && strategy.nodes[node].variable == turn->variable;
        const bool owners = (mover == quantified.question.role) == exists;
        std::size_t followed = 0;
        bool kept = true;
        for (const MoveId move : legal_moves(state, mover)) {
            strategy::NodeId to = node;
            if (spoken) {
                const auto& edges = strategy.nodes[node].edges;
                const auto edge = std::ranges::find_if(edges, [&](const strategy::Edge& e) {
                    return std::ranges::binary_search(e.values, numbers_.value(mover, move));
                });
                if (edge == edges.end()) {
                    kept = kept && owners;  // the owner does not play this; every answer of the other counts
                    continue;
                }
                to = edge->to;
            }
            ++followed;
            kept = kept && keeps(quantified, strategy, after(state, mover, move), step + 1, to);
        }
        return kept_[key] = kept && followed > 0;
    }

    const Machine& machine_;
    Runner runner_;
    encode::MoveNumbers numbers_;
    std::map<std::tuple<Hash128, std::size_t, std::size_t>, int> guaranteed_;
    std::map<std::tuple<Hash128, std::size_t, strategy::NodeId>, bool> kept_;
    std::map<Hash128, std::size_t> longest_;
};

// ------------------------------------------------------------------------------------------ agreement

// Every role, every goal, both forms: the verdict is that of the rules, and the strategy is kept.
void expect_agreement(const Game& game, std::size_t horizon, const std::string& name) {
    const Network& network = game.machine().network();
    const encode::Unrolling unrolling = unrolled(game, horizon);
    Rules rules(game);
    for (std::size_t role = 0; role < network.roles.size(); ++role) {
        const int value = rules.guaranteed(game.machine().initial(), role, horizon);
        for (const int threshold : encode::goal_values(network, role)) {
            for (const encode::ModelForm form : forms) {
                const auto what =
                    fmt::format("{}: role {}, at least {}, form {}", name, role, threshold,
                                form == encode::ModelForm::strategic ? "strategic" : "quantified");
                const encode::QuantifiedGame quantified =
                    encode::quantify(game, unrolling, {role, threshold, form});
                const quantified::Answer answer = quantified::solve(quantified.model);
                ASSERT_EQ(answer.verdict,
                          value >= threshold ? quantified::Verdict::won : quantified::Verdict::lost)
                    << what;
                const strategy::Verification check = verify(quantified.model, answer.strategy);
                ASSERT_TRUE(check.valid)
                    << what << ": "
                    << (check.counterexample ? check.counterexample->text(quantified.model) : "");
                ASSERT_TRUE(rules.keeps(quantified, answer.strategy)) << what;
            }
        }
    }
}

// The forward engines say the same of games whose goals are opposite.
void expect_agreement_with_engines(const Game& game, const std::string& name) {
    expect_agreement(game, longest(game), name);
    Rules rules(game);
    const game::Solution solution = game::solve(game);
    for (std::size_t role = 0; role < solution.values.size(); ++role)
        EXPECT_EQ(rules.guaranteed(game.machine().initial(), role, longest(game)), solution.values[role])
            << name;
}

TEST(Quantify, OurSmallGamesHaveTheValuesThatTheEnginesFind) {
    for (const char* name : {"tic-tac-toe", "nim", "subtraction"})
        expect_agreement_with_engines(shipped_game(name), name);
}

TEST(Quantify, SmallConnectFourHasTheValueThatTheEnginesFind) {
    for (const auto& [columns, rows, aligned] :
         std::vector<std::array<int, 3>>{{3, 3, 3}, {4, 3, 3}, {3, 4, 3}, {4, 2, 2}, {3, 2, 3}, {4, 4, 4}}) {
        expect_agreement_with_engines(connect_four(columns, rows, aligned),
                                      fmt::format("{}x{}, {}", columns, rows, aligned));
    }
}

// The shipped board is too large to be unrolled to its end; these are the same rules on smaller ones.
TEST(Quantify, SmallBreakthroughHasTheValueThatTheEnginesFind) {
    std::ifstream file(std::string(ZERMELO_SOURCE_DIR) + "/games/gdl/breakthrough-small.kif");
    const std::string shipped((std::istreambuf_iterator<char>(file)), {});
    const auto changed = [](std::string text, const std::string& from, const std::string& to) {
        const auto at = text.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        return text.replace(at, from.size(), to);
    };
    const std::string three_columns = changed(shipped, "(next_column 3 4)", "");
    const std::string two_columns = changed(three_columns, "(next_column 2 3)", "");
    std::string four_rows = changed(three_columns, "(next_row 4 5)", "");
    four_rows = changed(four_rows, "(starts_in black 5)", "(starts_in black 3)");
    four_rows = changed(four_rows, "(goal_row white 5)", "(goal_row white 4)");
    expect_agreement_with_engines(game_of(four_rows), "3x4");
    expect_agreement_with_engines(game_of(two_columns), "2x5");
}

TEST(Quantify, WithinAHorizonThatIsTooShortTheRulesSayTheSame) {
    expect_agreement(shipped_game("tic-tac-toe"), 6, "tic-tac-toe");
    expect_agreement(shipped_game("nim"), 5, "nim");
    expect_agreement(shipped_game("breakthrough-small"), 5, "breakthrough");
    expect_agreement(shipped_game("eight-puzzle"), 6, "eight-puzzle");
    expect_agreement(shipped_game("othello"), 3, "othello");
    expect_agreement(shipped_game("checkers"), 4, "checkers");
}

// More than two: one role against all others together.
TEST(Quantify, FourInTurnIsOneAgainstThree) {
    expect_agreement(shipped_game("four-in-turn"), 4, "four in turn");
}

TEST(Quantify, RandomGamesAreWhatTheirRulesSay) {
    std::map<int, int> values;
    for (std::uint64_t seed = 1; seed <= 600; ++seed) {
        const std::string text = random_gdl(seed);
        const Game game = game_of(text);
        const auto known = longest_play(game.machine(), game.machine().initial());
        ASSERT_TRUE(known.has_value()) << "seed " << seed << "\n" << text;
        Rules rules(game);
        ASSERT_GE(*known, rules.longest(game.machine().initial())) << "seed " << seed << "\n" << text;
        ++values[rules.guaranteed(game.machine().initial(), 0, *known)];
        expect_agreement(game, *known, fmt::format("seed {}\n{}", seed, text));
        if (HasFatalFailure()) return;
    }
    for (const int value : {0, 30, 70, 100}) EXPECT_GT(values[value], 10) << value;  // no walkovers
}

TEST(Quantify, RandomGamesWithinARandomHorizonAreWhatTheirRulesSay) {
    for (std::uint64_t seed = 1001; seed <= 1100; ++seed) {
        const std::string text = random_gdl(seed);
        expect_agreement(game_of(text), seed % 4, fmt::format("seed {}\n{}", seed, text));
        if (HasFatalFailure()) return;
    }
}

// ------------------------------------------------------------------------------------------ special cases

const std::string two_roles = "(role a)\n(role b)\n";

TEST(Quantify, AGameThatIsOverAtTheStartNeedsNoMove) {
    const Game game = game_of(two_roles +
                              "(init (f 1)) (<= (legal ?r wait) (role ?r)) (<= (next (f 1)) (true (f 1)))"
                              "(<= terminal (true (f 1))) (goal a 70) (goal b 30)");
    EXPECT_EQ(longest(game), 0U);
    expect_agreement(game, 3, "over");
    EXPECT_TRUE(
        encode::quantify(game, unrolled(game, 3), {0, 70, encode::ModelForm::quantified}).turns.empty());
}

// a moves twice, then b: a can take both of what b needs one of.
TEST(Quantify, ARoleMayMoveTwiceInARow) {
    const Game game = game_of(two_roles + R"(
        (init (step 1)) (succ 1 2) (succ 2 3) (succ 3 4)
        (turn a 1) (turn a 2) (turn b 3)
        (thing 1) (thing 2)
        (<= (legal ?r (take ?t)) (true (step ?s)) (turn ?r ?s) (thing ?t) (not (taken ?t)))
        (<= (legal ?r pass) (role ?r) (true (step ?s)) (turn ?r ?s))
        (<= (legal ?r noop) (role ?r) (true (step ?s)) (not (turn ?r ?s)))
        (<= (taken ?t) (true (has ?r ?t)))
        (<= (next (has ?r ?t)) (does ?r (take ?t)))
        (<= (next (has ?r ?t)) (true (has ?r ?t)))
        (<= (next (step ?t)) (true (step ?s)) (succ ?s ?t))
        (<= terminal (true (step 4)))
        (<= something (true (has b ?t)))
        (<= (goal a 100) (not something)) (<= (goal a 0) something)
        (<= (goal b 0) (not something)) (<= (goal b 100) something))");
    EXPECT_EQ(longest(game), 3U);
    expect_agreement(game, 3, "twice in a row");
    const encode::QuantifiedGame quantified =
        encode::quantify(game, unrolled(game, 3), {0, 100, encode::ModelForm::quantified});
    ASSERT_EQ(quantified.turns.size(), 3U);
    EXPECT_EQ(quantified.model.prefix[1].quantifier, model::Quantifier::exists);
    EXPECT_EQ(quantified::solve(quantified.model).verdict, quantified::Verdict::won);
}

// Only at the first step a lamp can be lit, by a. That ends the game, and a wins if the lamp burns then. If
// play went on, it would go out.
TEST(Quantify, NothingThatIsPlayedAfterTheEndCounts) {
    const std::string lamp = R"(
        (init (step 1)) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
        (<= (legal a light) (true (step 1)) (turn a 1))
        (<= (legal ?r pass) (true (step ?s)) (turn ?r ?s))
        (<= (legal ?r rest) (true (step ?s)) (turn ?r ?s))
        (<= (legal ?r noop) (role ?r) (true (step ?s)) (not (turn ?r ?s)))
        (<= (next lamp) (does a light))
        (<= (next over) (does a light)) (<= (next over) (true over))
        (<= (next (step ?t)) (true (step ?s)) (succ ?s ?t))
        (<= terminal (true (step 5))) (<= terminal (true over))
        (<= (goal a 100) (true lamp)) (<= (goal a 0) (not (true lamp)))
        (<= (goal b 0) (true lamp)) (<= (goal b 100) (not (true lamp))))";
    for (int timetable = 0; timetable < 16; ++timetable) {
        std::string turns;
        for (int step = 0; step < 4; ++step)
            turns += fmt::format("(turn {} {})", (timetable >> step & 1) != 0 ? "a" : "b", step + 1);
        const Game game = game_of(two_roles + turns + lamp);
        expect_agreement(game, 4, turns);
        const int value = (timetable & 1) != 0 ? 100 : 0;
        EXPECT_EQ(Rules(game).guaranteed(game.machine().initial(), 0, 4), value) << turns;
    }
}

// Whoever is reached from an end by a path of its own colour: the rules are recursive.
TEST(Quantify, RecursiveRulesAreUnrolledToo) {
    const Game game = game_of(two_roles + R"(
        (cell 1) (cell 2) (cell 3) (cell 4)
        (beside 1 2) (beside 2 3) (beside 3 4) (beside 2 1) (beside 3 2) (beside 4 3) (beside 1 4) (beside 4 1)
        (init (control a))
        (<= (legal ?r (mark ?c)) (true (control ?r)) (cell ?c) (not (marked ?c)))
        (<= (legal ?r wait) (role ?r) (not (true (control ?r))))
        (<= (marked ?c) (true (owns ?r ?c)))
        (<= (next (owns ?r ?c)) (does ?r (mark ?c)))
        (<= (next (owns ?r ?c)) (true (owns ?r ?c)))
        (<= (next (control a)) (true (control b))) (<= (next (control b)) (true (control a)))
        (<= (reach ?r 1) (true (owns ?r 1)))
        (<= (reach ?r ?d) (reach ?r ?c) (beside ?c ?d) (true (owns ?r ?d)))
        (<= (wins ?r) (reach ?r 3))
        (<= full (marked 1) (marked 2) (marked 3) (marked 4))
        (<= terminal (wins ?r)) (<= terminal full)
        (<= (goal ?r 100) (wins ?r))
        (<= (goal ?r 0) (role ?r) (wins ?o) (distinct ?o ?r))
        (<= decided (wins ?r))
        (<= (goal ?r 50) (role ?r) full (not decided)))");
    const auto& stretches = game.machine().network().stretches;
    ASSERT_TRUE(std::ranges::any_of(stretches, [](const auto& stretch) { return stretch.loop; }));
    expect_agreement(game, 4, "paths");
}

TEST(Quantify, GamesThatAreNotInTurnAreRefused) {
    const Game game = shipped_game("rock-paper-scissors");
    EXPECT_THROW((void)unrolled(game, 3), Error);
    for (const char* name : {"dice-race", "tic-tac-toe-2x2"})
        EXPECT_THROW(encode::require_perfect_information(shipped_game(name)), Error) << name;
    EXPECT_THROW(encode::require_perfect_information(shipped_game("mastermind")), Error);
    EXPECT_NO_THROW(encode::require_perfect_information(shipped_game("othello")));
}

TEST(Quantify, OppositeGoalsAreRecognised) {
    EXPECT_TRUE(encode::opposed(shipped_game("tic-tac-toe").machine().network()));
    EXPECT_FALSE(encode::opposed(
        game_of(two_roles + "(init (f 1)) (<= (legal ?r wait) (role ?r)) (<= (next (f 2)) (true (f 1)))"
                            "(<= terminal (true (f 2))) (<= (goal ?r 60) (role ?r) (true (f 2)))")
            .machine()
            .network()));
}

// Rules that are grouped from left to right must not hide that left and right are alike.
TEST(Quantify, AModelHasTheSymmetriesOfItsBoard) {
    const auto symmetries = [](const Game& game, encode::ModelForm form) {
        quantified::SolveOptions options;
        options.symmetry = true;
        const encode::Unrolling unrolling = unrolled(game, longest(game));
        return solve(encode::quantify(game, unrolling, {0, 100, form}).model, options).statistics.symmetries;
    };
    for (const encode::ModelForm form : forms) {
        EXPECT_EQ(symmetries(shipped_game("tic-tac-toe"), form), 7U);  // the identity is not counted
        EXPECT_EQ(symmetries(connect_four(2, 3, 2), form), 1U);
        EXPECT_EQ(symmetries(connect_four(3, 3, 3), form), 1U);
    }
}

// ------------------------------------------------------------------------------------------ as text

TEST(Quantify, TheTextOfAModelReadsBackAsTheSameQuestion) {
    const TemporaryDirectory scratch;
    model::MiniZincOptions reading;
    reading.library = ZERMELO_SOURCE_DIR "/share/minizinc/zermelo";
    const std::vector<std::pair<Game, std::size_t>> games = [] {
        std::vector<std::pair<Game, std::size_t>> all;
        all.emplace_back(connect_four(3, 2, 2), 6);
        all.emplace_back(shipped_game("subtraction"), 13);
        all.emplace_back(shipped_game("tic-tac-toe"), 9);
        all.emplace_back(shipped_game("eight-puzzle"), 3);
        all.emplace_back(game_of(random_gdl(7)), 5);
        all.emplace_back(game_of(random_gdl(8)), 5);
        return all;
    }();
    for (const auto& [game, horizon] : games) {
        const encode::Unrolling unrolling = unrolled(game, horizon);
        for (const int threshold : {50, 100}) {
            for (const encode::ModelForm form : forms) {
                const encode::QuantifiedGame quantified =
                    encode::quantify(game, unrolling, {0, threshold, form});
                std::ostringstream text;
                encode::write_minizinc(text, game, quantified);
                const model::Model again =
                    model::read_minizinc(scratch.write("game.mzn", text.str()), reading);
                const quantified::Answer first = quantified::solve(quantified.model);
                const quantified::Answer second = quantified::solve(again);
                EXPECT_EQ(first.verdict, second.verdict) << game.description().file << " " << threshold;
                ASSERT_EQ(again.prefix.size(), quantified.model.prefix.size());
                for (std::size_t b = 0; b < again.prefix.size(); ++b) {
                    const model::VarId mine = quantified.model.prefix[b].variables.front();
                    const model::VarId read = again.prefix[b].variables.front();
                    EXPECT_EQ(again.name_of(read), quantified.model.name_of(mine));
                    EXPECT_EQ(again.domain(read), quantified.model.domain(mine));
                    EXPECT_EQ(again.prefix[b].quantifier, quantified.model.prefix[b].quantifier);
                }
            }
        }
    }
}

TEST(Quantify, MovesAreNumberedInTheOrderOfTheirNames) {
    const Game game = shipped_game("tic-tac-toe");
    const encode::MoveNumbers numbers(game);
    EXPECT_EQ(numbers.text(0, 1), "(mark 1 1)");
    EXPECT_EQ(numbers.text(0, 9), "(mark 3 3)");
    for (MoveId m = 0; m < game.machine().network().moves[1].size(); ++m)
        EXPECT_EQ(numbers.text(1, numbers.value(1, m)), game.move_text(1, m));
}

}  // namespace
}  // namespace zermelo::gdl
