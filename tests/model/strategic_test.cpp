// Strategic models as they are written: what the builder and the MiniZinc library make of them, and when each
// constraint acts.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "model/builder.hpp"
#include "model/flat_strategic.hpp"
#include "model/flatzinc/flatzinc.hpp"
#include "model/flatzinc/minizinc.hpp"
#include "support/random_model.hpp"
#include "support/random_strategic.hpp"
#include "support/strategic_oracle.hpp"

namespace zermelo {
namespace {

namespace fs = std::filesystem;

bool flat_won(const model::Model& model) { return FlatStrategicSearch(model).won(); }

template <class Make>
std::string complaint_of(Make make) {
    try {
        make();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

// ---- the oracle

TEST(StrategicOracle, LetsTheOpponentChooseOnlyWhatIsConsistent) {
    model::ModelBuilder game;
    const model::IntExpr x = game.exists("x", 1, 3);
    const model::IntExpr y = game.forall_consistent("y", 1, 3);
    game.require(x != y);
    EXPECT_TRUE(oracle::strategically_won(game.source()));
    model::Source plain = game.source();
    plain.strategic = false;
    EXPECT_FALSE(oracle::won(plain));  // ∀ copies x, and x ≠ y is our fault
}

TEST(StrategicOracle, BindsBothPlayers) {
    // Taken literally, definition 2 would let ∃ choose 3: then no y is consistent, and all of them are fine.
    model::ModelBuilder ours;
    const model::IntExpr x = ours.exists("x", 1, 3);
    ours.forall_consistent("y", 1, 3);
    ours.require(x > 3);
    EXPECT_FALSE(oracle::strategically_won(ours.source()));

    model::ModelBuilder theirs;
    const model::IntExpr y = theirs.forall_consistent("y", 1, 3);
    theirs.exists("x", 1, 3);
    theirs.require(y > 3);
    EXPECT_TRUE(oracle::strategically_won(theirs.source()));
}

TEST(StrategicOracle, AsksForValuesOfTheStateThatFitEverything) {
    model::ModelBuilder game;
    const model::IntExpr s = game.state("s", 0, 1);
    const model::IntExpr y1 = game.forall_consistent("y1", 0, 1);
    const model::IntExpr y2 = game.forall_consistent("y2", 0, 1);
    const model::IntExpr x = game.exists("x", 0, 1);
    game.require(s == y1);
    game.require(s == y2);  // what y1 says about the state, y2 cannot deny
    game.require(x == 0);
    game.require(x != 0 || y1 == y2);
    EXPECT_TRUE(oracle::strategically_won(game.source()));
    game.require(x != 0 || y1 == 0);  // but y1 may be anything
    EXPECT_FALSE(oracle::strategically_won(game.source()));
}

TEST(StrategicOracle, LosesAnExistentialConditionOnlyWhenItIsDue) {
    // The same condition said of the state alone forbids the opponent to break it.
    for (const bool waits : {true, false}) {
        model::ModelBuilder game;
        const model::IntExpr s = game.state("s", 0, 1);
        const model::IntExpr y = game.forall_consistent("y", 0, 1);
        const model::IntExpr f = game.exists("f", 0, 1);
        game.require(s == y);
        game.require(waits ? s == f && f == 0 : s == 0);
        EXPECT_EQ(oracle::strategically_won(game.source()), !waits);
    }
}

TEST(RandomStrategicModel, IsOftenWonAndOftenLostAndSeldomWhatAPlainModelWouldSay) {
    std::size_t won = 0;
    std::size_t as_plain = 0;
    const auto drawn = seeds(1000);
    for (const auto seed : drawn) {
        const model::ModelBuilder game = random_strategic_model(seed);
        const bool verdict = oracle::strategically_won(game.source());
        won += verdict ? 1 : 0;
        model::Source plain = game.source();
        plain.strategic = false;
        plain.blocks.push_back({model::Quantifier::exists, plain.state, {}});
        plain.state.clear();
        as_plain += oracle::won(plain) == verdict ? 1 : 0;
    }
    EXPECT_GT(won, drawn.size() * 4 / 10);
    EXPECT_LT(won, drawn.size() * 6 / 10);
    EXPECT_LT(as_plain, drawn.size() * 8 / 10);
}

// ---- the builder

TEST(StrategicBuilder, SaysTheSameAsTheTreesAndAtTheSameTime) {
    for (const auto seed : seeds(1000)) {
        const model::ModelBuilder game = random_strategic_model(seed);
        ASSERT_EQ(flat_won(game.build()), oracle::strategically_won(game.source())) << "seed " << seed;
    }
}

TEST(StrategicBuilder, DefinesEveryAuxiliaryVariableTotally) {
    for (const auto seed : seeds(1000)) {
        const model::Model model = random_strategic_model(seed).build();
        const model::Structure structure = analyse(model);
        ASSERT_EQ(structure.state, model.state) << "seed " << seed;  // no variable is left free
        for (std::size_t v = 0; v < model.variables.size(); ++v) {
            const int c = structure.definition[v];
            ASSERT_TRUE(c < 0 || structure.total[static_cast<std::size_t>(c)]) << "seed " << seed;
        }
    }
}

// The blocks at which the demands of a model act.
std::vector<int> due(const model::Model& model) {
    const model::Structure structure = analyse(model);
    std::vector<int> blocks;
    for (const model::Literal l : model.win)
        blocks.push_back(structure.level[static_cast<std::size_t>(l.variable)]);
    for (const int c : structure.winning) blocks.push_back(structure.due[static_cast<std::size_t>(c)]);
    return blocks;
}

TEST(StrategicBuilder, KeepsAConditionWaitingForTheLastMoveThatItMentions) {
    model::ModelBuilder game;
    const model::IntExpr s = game.state("s", 0, 3);
    const model::IntExpr x = game.exists("x", 0, 3);
    const model::IntExpr y = game.forall_consistent("y", 0, 3);
    const model::IntExpr only = game.exists("only", 7, 7);
    using Wait = std::pair<model::BoolExpr, int>;
    for (const auto& [condition, block] :
         {Wait{s <= 2, -1}, Wait{x <= s, 0}, Wait{x == 1 && y == 2, 1}, Wait{!(x == 1 || y == 2), 1},
          Wait{x + y - y == s, 1}, Wait{x <= 1 && y <= 9, 1}, Wait{y > 9, 1}, Wait{x <= 1 && only == 7, 2},
          Wait{s / x == y, 1}, Wait{implies(only == 7, s == x), 2},
          Wait{model::all_different({s, x, y - y + 9}), 1}}) {
        model::ModelBuilder one = game;
        one.require(condition);
        const auto blocks = due(one.build());
        ASSERT_FALSE(blocks.empty());
        for (const int each : blocks) EXPECT_EQ(each, block);
    }
}

TEST(StrategicBuilder, PostsConditionsWithoutALiteralWhereItCan) {
    model::ModelBuilder game;
    const model::IntExprs s = game.state("s", 3, 0, 3);
    const model::IntExpr x = game.exists("x", 0, 3);
    game.require(model::all_different(s));
    game.win(s[0] + x <= s[1]);
    const model::Model model = game.build();
    EXPECT_TRUE(model.strategic);
    EXPECT_EQ(model.state.size(), 3U);
    EXPECT_TRUE(model.win.empty());
    EXPECT_EQ(model.constraints.size(), 2U);
    EXPECT_EQ(due(model), (std::vector<int>{0, -1}));
}

TEST(StrategicBuilder, RefusesWhatAStrategicModelCannotHave) {
    const auto with = [](auto change) {
        return complaint_of([&] {
            model::ModelBuilder game;
            game.state("s", 0, 1);
            const model::IntExpr x = game.exists("x", 0, 1);
            change(game, x);
            (void)game.build();
        });
    };
    EXPECT_EQ(with([](model::ModelBuilder& game, const model::IntExpr& x) { game.rule(x == 0); }),
              "a strategic model has a rule; state it with require, which binds both players");
    EXPECT_EQ(with([](model::ModelBuilder& game, const model::IntExpr& x) { game.cut({x == 0}, false); }),
              "a strategic model has a cut; leave it out");
    EXPECT_EQ(
        with([](model::ModelBuilder& game, const model::IntExpr& x) { game.maximise(x); }),
        "a strategic model has an objective; ask for a threshold: require(objective >= threshold) for a "
        "last move of ∃");
    EXPECT_EQ(with([](model::ModelBuilder& game, const model::IntExpr&) { game.forall("y", 0, 1); }),
              "variable y mixes an ordinary forall with a strategic model; use forall_consistent");
    EXPECT_EQ(complaint_of([] {
                  model::ModelBuilder game;
                  game.forall("y", 0, 1);
                  game.state("s", 0, 1);
              }),
              "variable s mixes an ordinary forall with a strategic model; use forall_consistent");
}

TEST(StrategicBuilder, FlattensTheReductionOfTheorem1) {
    for (const auto seed : seeds(200)) {
        Shape shape = Shape::plain();
        shape.blocks = 3;
        shape.variables = 1;
        const model::ModelBuilder qcsp = random_model(seed, shape);
        ASSERT_EQ(flat_won(flatten(oracle::strategic_form(qcsp.source()))), oracle::won(qcsp.source()))
            << "seed " << seed;
    }
}

// ---- MiniZinc

class StrategicMiniZinc : public testing::Test {
protected:
    StrategicMiniZinc()
        : directory_(fs::temp_directory_path() / ("zermelo-test-" + std::to_string(getpid()))) {
        fs::create_directories(directory_);
    }
    ~StrategicMiniZinc() override { fs::remove_all(directory_); }

    model::Model read(const std::string& text) const {
        const auto path = (directory_ / "m.mzn").string();
        std::ofstream(path) << "include \"zermelo.mzn\";\n" << text;
        return read_file(path, {});
    }
    static model::Model read_file(const std::string& path, std::vector<std::string> definitions) {
        model::MiniZincOptions options;
        options.library = std::string(ZERMELO_SOURCE_DIR) + "/share/minizinc/zermelo";
        options.definitions = std::move(definitions);
        return model::read_minizinc(path, options);
    }
    static model::Model game(const std::string& name, std::vector<std::string> definitions) {
        return read_file(std::string(ZERMELO_SOURCE_DIR) + "/games/strategic/" + name + ".mzn",
                         std::move(definitions));
    }
    std::string complaint(const std::string& text) const {
        const std::string said = complaint_of([&] { (void)analyse(read(text)); });
        const std::string prefix = directory_.string() + "/";
        return said.starts_with(prefix) ? said.substr(prefix.size()) : said;
    }

    fs::path directory_;
};

TEST_F(StrategicMiniZinc, KnowsMovesAndStateInAllTheirShapes) {
    const model::Model model = read(R"(
var 1..3: s; array[0..1] of var 1..3: ss; array[1..2,1..2] of var 1..3: sss;
array[1..2] of var 1..3: t; array[1..1,1..2] of var 1..3: tt; var bool: b; array[1..2] of var bool: bs;
array[1..2,1..2] of var bool: bss;
var 1..2: y; array[1..2] of var 1..3: ys; array[1..2,1..2] of var 1..3: yss; array[1..2] of var 1..3: z;
array[1..1,1..2] of var 1..3: zz; var bool: c; array[1..2] of var bool: cs; array[1..2,1..2] of var bool: css;
constraint state(s, 1..3) /\ state(ss, 1..3) /\ state(sss, 1..3) /\ state(t, [{1, 3}, 1..2]);
constraint state(tt, array2d(1..1, 1..2, [{1, 3}, 1..2])) /\ state(b) /\ state(bs) /\ state(bss);
constraint every_consistent(1, y, 1..2) /\ every_consistent(2, ys, 1..3) /\ every_consistent(3, yss, 1..3);
constraint every_consistent(4, z, [{1, 3}, 1..2]);
constraint every_consistent(5, zz, array2d(1..1, 1..2, [{1, 3}, 1..2]));
constraint every_consistent(6, c) /\ every_consistent(7, cs) /\ every_consistent(8, css);
)");
    EXPECT_TRUE(model.strategic);
    ASSERT_EQ(model.state.size(), 18U);
    EXPECT_EQ(model.name_of(model.state[1]), "ss[0]");
    EXPECT_EQ(model.name_of(model.state[6]), "sss[2,2]");
    EXPECT_EQ(model.domain(model.state[7]), (model::Domain{1, 3}));
    EXPECT_EQ(model.domain(model.state[10]), (model::Domain{1, 2}));
    EXPECT_EQ(model.name_of(model.state[11]), "b");
    const std::vector<std::size_t> sizes = {1, 2, 4, 2, 2, 1, 2, 4};
    ASSERT_EQ(model.prefix.size(), sizes.size());
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        EXPECT_EQ(model.prefix[i].variables.size(), sizes[i]) << "level " << i + 1;
        EXPECT_EQ(model.prefix[i].quantifier, model::Quantifier::forall);
    }
    EXPECT_EQ(analyse(model).state, model.state);
}

const std::string board = R"(var 0..2: s; var 1..3: x; var 1..3: y;
constraint state(s, 0..2) /\ some(1, x, 1..3) /\ every_consistent(2, y, 1..3);
)";

TEST_F(StrategicMiniZinc, HoldNarrowsNothingAndWaits) {
    const model::Model model = read(board + R"(constraint hold(s > 1);
constraint hold(x = 2);
constraint hold(s + x < 4 /\ y > s);
constraint win(y != x);
)");
    for (const model::VarId v : model.state) EXPECT_EQ(model.domain(v), model::Domain(0, 2));
    for (const model::Block& block : model.prefix)
        EXPECT_EQ(model.domain(block.variables[0]), model::Domain(1, 3));
    EXPECT_EQ(due(model), (std::vector<int>{-1, 0, 1, 1}));
}

TEST_F(StrategicMiniZinc, PlainConstraintsThatNarrowNothingActAtTheirTime) {
    const model::Model model = read(board + "constraint s != x;\nconstraint x != y;\n");
    EXPECT_EQ(due(model), (std::vector<int>{0, 1}));
}

TEST_F(StrategicMiniZinc, WhatPlainConstraintsNarrowIsRefusedWithItsPlace) {
    const std::string remedy = "; state constraints with hold(...), and say the domain that was declared";
    EXPECT_EQ(complaint(board + "constraint y > 1;\n"), "m.mzn:2:27: a plain constraint narrows y" + remedy);
    EXPECT_EQ(complaint(board + "constraint s > 0;\n"), "m.mzn:2:1: a plain constraint narrows s" + remedy);
    EXPECT_EQ(complaint("array[1..2] of var 0..2: s; var 1..3: x;\n"
                        "constraint state(s, 0..2) /\\ some(1, x, 1..3);\nconstraint s[2] < 2;\n"),
              "m.mzn:2:26: a plain constraint narrows s[2]" + remedy);
    EXPECT_EQ(complaint(board + "constraint s = 2;\n"),
              "m.mzn:3:12: a plain constraint fixes state[1] to 2" + remedy);
    EXPECT_EQ(complaint("var 1..2: x; var 0..1: s;\nconstraint some(1, x, 1..3) /\\ state(s, 0..1);\n"),
              "m.mzn:2:1: a plain constraint narrows x" + remedy);
    EXPECT_EQ(
        complaint(board + "constraint x = y;\n"),
        "m.mzn:3:50: x is declared twice, as a move or as a state variable; declare it once; if a plain "
        "constraint equates two variables, state it with hold(...)");
}

TEST_F(StrategicMiniZinc, WhatAStrategicModelCannotHaveIsRefusedWithItsPlace) {
    EXPECT_EQ(complaint(board + "var 0..1: z; constraint every(3, z, 0..1);\n"),
              "m.mzn:4:25: every(...) stands in a strategic model; use every_consistent(...)");
    EXPECT_EQ(complaint(board + "constraint rule(1, x > 1);\n"),
              "m.mzn:4:12: rule(...) stands in a strategic model; use hold(...), which binds whoever moves");
    EXPECT_EQ(
        complaint(board + "constraint cut([x > 1], y > 1);\n").find("m.mzn:4:12: a strategic model has"), 0U);
    EXPECT_NE(complaint(board + "solve maximize x;\n").find("a strategic model has an objective"),
              std::string::npos);
    EXPECT_EQ(complaint(board + "var 0..1: z; constraint some(2, z, 0..1);\n"),
              "m.mzn:4:25: level 2 belongs to both some and every_consistent; use two levels");
    EXPECT_EQ(
        complaint(board + "constraint state(x, 1..3);\n"),
        "m.mzn:4:12: x is declared twice, as a move or as a state variable; declare it once; if a plain "
        "constraint equates two variables, state it with hold(...)");
    EXPECT_EQ(complaint(board + "var 0..1: z;\n"),
              "m.mzn:4:1: variable z is neither quantified nor a function of the moves; declare it with "
              "state(...), or say who chooses it, or define it");
    EXPECT_NE(complaint(board + "var 1..1: z; constraint some(3, z, 1..1);\n")
                  .find("a move of a strategic model has a single value"),
              std::string::npos);
    EXPECT_EQ(
        complaint(board + "constraint hold(x > 3);\n"),
        "m.mzn:4:12: this condition is false whatever is played, and nothing tells when it acts; let it "
        "depend on the move that it waits for");
}

TEST(StrategicFlatZinc, MalformedDeclarationsAreRefusedWithTheirPlace) {
    const auto complaint = [](const std::string& call) {
        std::istringstream input("var 1..3: x;\nvar bool: b;\nconstraint " + call + ";\nsolve satisfy;\n");
        return complaint_of([&] { (void)model::read_flatzinc(input, "f.fzn"); });
    };
    for (const char* call :
         {"zermelo_state([x])", "zermelo_state([x],[1..3],1)", "zermelo_bool_state([b],[0..1])",
          "zermelo_consistent_block(1,true,[x],[1..3])", "zermelo_bool_consistent_block(1,true,[b])"}) {
        EXPECT_EQ(complaint(call).find("f.fzn:3:12: "), 0U) << call << ": " << complaint(call);
    }
    EXPECT_EQ(complaint("zermelo_state([x,x],[1..3])"),
              "f.fzn:3:12: there are not as many domains as variables; give each variable its domain");
    EXPECT_EQ(complaint("zermelo_state([b],[0..1])"),
              "f.fzn:3:26: argument 1 of zermelo_state must be an array of variables of the right type");
    EXPECT_EQ(complaint("zermelo_state([2],[1..3])"),
              "f.fzn:3:12: a plain constraint fixes state[1] to 2; state constraints with hold(...), and say "
              "the domain that was declared");
}

// ---- the shipped games, as far as brute force gets

model::ModelBuilder tokens(int k) {
    model::ModelBuilder game("tokens");
    model::IntExprs x;
    model::IntExpr ours = 0;
    for (int t = 1; t <= k; ++t) {
        const std::string name = "x" + std::to_string(t);
        x.push_back(t % 2 == 1 ? game.exists(name, 1, k) : game.forall_consistent(name, 1, k));
        for (int s = 1; s < t; ++s) game.require(x[s - 1] != x[t - 1]);
        if (t % 2 == 0) continue;
        ours += x.back();
        game.require(ours % 3 != 0);
    }
    return game;
}

TEST_F(StrategicMiniZinc, TheTokenGameIsTheSameInCppAndInMiniZinc) {
    for (int k = 2; k <= 5; ++k) {
        EXPECT_EQ(flat_won(game("tokens", {"k=" + std::to_string(k)})),
                  oracle::strategically_won(tokens(k).source()))
            << k << " tokens";
    }
}

TEST_F(StrategicMiniZinc, ConnectFourOnTheSmallestGridIsWonWithARankForFreeCells) {
    EXPECT_TRUE(flat_won(game("connect-four", {"size=2", "aligned=2"})));
    EXPECT_FALSE(flat_won(game("connect-four", {"size=2", "aligned=2", "as_printed=true"})));
}

}  // namespace
}  // namespace zermelo
