// The way from MiniZinc text to a model, through the real compiler.

#include "model/flatzinc/minizinc.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "model/holds.hpp"
#include "model/structure.hpp"

namespace zermelo {
namespace {

namespace fs = std::filesystem;

class MiniZinc : public testing::Test {
protected:
    MiniZinc() : directory_(fs::temp_directory_path() / ("zermelo-test-" + std::to_string(getpid()))) {
        fs::create_directories(directory_);
        options_.library = std::string(ZERMELO_SOURCE_DIR) + "/share/minizinc/zermelo";
    }
    ~MiniZinc() override { fs::remove_all(directory_); }

    std::string file(const std::string& name, const std::string& text) const {
        const auto path = (directory_ / name).string();
        std::ofstream(path) << text;
        return path;
    }
    model::Model read(const std::string& text) const {
        return model::read_minizinc(file("m.mzn", text), options_);
    }
    std::string complaint(const std::string& text) const {
        try {
            (void)read(text);
        } catch (const Error& error) {
            std::string said = error.what();
            const std::string prefix = directory_.string() + "/";
            return said.starts_with(prefix) ? said.substr(prefix.size()) : said;
        }
        return "";
    }

    fs::path directory_;
    model::MiniZincOptions options_;
};

const std::string small_game = R"(include "zermelo.mzn";
int: n;
array[1..2] of var 1..n: xs; var 1..3: y; var bool: b;
constraint some(1, xs, 1..n);
constraint every(2, y, 1..3);
constraint every(2, b);
constraint rule(2, y <= 2 * xs[1]);
constraint win(xs[1] + y = 4 \/ b);
)";

TEST_F(MiniZinc, AGameKeepsItsMovesRulesAndNames) {
    options_.definitions = {"n=5"};
    const model::Model model = read(small_game);
    ASSERT_EQ(model.prefix.size(), 2U);
    EXPECT_EQ(model.prefix[0].quantifier, model::Quantifier::exists);
    ASSERT_EQ(model.prefix[0].variables.size(), 2U);
    EXPECT_EQ(model.name_of(model.prefix[0].variables[1]), "xs[2]");
    EXPECT_EQ(model.domain(model.prefix[0].variables[0]), model::Domain(1, 5));
    ASSERT_EQ(model.prefix[1].variables.size(), 2U);
    EXPECT_EQ(model.name_of(model.prefix[1].variables[0]), "y");
    EXPECT_EQ(model.name_of(model.prefix[1].variables[1]), "b");
    EXPECT_TRUE(model.prefix[1].rule);
    EXPECT_FALSE(model.prefix[0].rule);
    EXPECT_EQ(model.win.size(), 1U);
}

TEST_F(MiniZinc, DataFilesAndExtraItemsAreUsed) {
    options_.data = {file("d.dzn", "n = 4;\n")};
    options_.extra = "constraint zermelo_value(xs[2]);";
    const model::Model model = read(small_game);
    EXPECT_EQ(model.domain(model.prefix[0].variables[0]), model::Domain(1, 4));
    EXPECT_EQ(model.objective, model.prefix[0].variables[1]);
}

TEST_F(MiniZinc, AMoveThatMiniZincFixedKeepsItsDomain) {
    const model::Model model =
        read("include \"zermelo.mzn\";\nvar 1..3: y;\nconstraint y > 2;\nconstraint every(2,y,1..3);\n");
    ASSERT_EQ(model.prefix.size(), 1U);
    EXPECT_EQ(model.domain(model.prefix[0].variables.at(0)), model::Domain(1, 3));
    ASSERT_EQ(model.constraints.size(), 1U);
    EXPECT_EQ(std::get<model::Member>(model.constraints[0].body).set, model::Domain(3, 3));
}

TEST_F(MiniZinc, EveryUserPredicateIsUnderstood) {
    const model::Model model = read(R"(include "zermelo.mzn";
var 1..2: x; array[1..2] of var 1..3: xs; array[1..2,1..2] of var 1..3: xss; array[0..1] of var 1..3: ys;
var bool: b; array[1..2] of var bool: bs; array[1..2,1..2] of var bool: bss;
constraint some(1, x, 1..2);
constraint every(2, xs, 1..3);
constraint some(3, xss, 1..3);
constraint every(4, ys, [{1,3}, 1..2]);
constraint some(5, b);
constraint every(6, bs);
constraint some(7, bss);
constraint rule(3, xss[1,1] != x);
constraint cut([b, bs[1]], bss[1,1]);
constraint win(sum(xs) > 2);
)");
    ASSERT_EQ(model.prefix.size(), 7U);
    const std::vector<std::size_t> sizes = {1, 2, 4, 2, 1, 2, 4};
    for (std::size_t i = 0; i < 7; ++i) {
        EXPECT_EQ(model.prefix[i].variables.size(), sizes[i]) << "level " << i + 1;
        EXPECT_EQ(model.prefix[i].quantifier,
                  i % 2 == 0 ? model::Quantifier::exists : model::Quantifier::forall);
    }
    EXPECT_EQ(model.name_of(model.prefix[2].variables[3]), "xss[2,2]");
    EXPECT_EQ(model.name_of(model.prefix[3].variables[0]), "ys[0]");
    EXPECT_EQ(model.domain(model.prefix[3].variables[0]), (model::Domain{1, 3}));
    EXPECT_TRUE(model.prefix[2].rule);
    ASSERT_EQ(model.cuts.size(), 1U);
    EXPECT_EQ(model.cuts[0].when.size(), 2U);
}

template <class Form>
std::size_t count_of(const model::Model& model, const std::string& name = "") {
    std::size_t count = 0;
    for (const model::Constraint& constraint : model.constraints) {
        if (const Form* form = std::get_if<Form>(&constraint.body)) {
            if constexpr (std::is_same_v<Form, model::Global>) {
                count += form->name == name ? 1 : 0;
            } else {
                ++count;
            }
        }
    }
    return count;
}

// Every auxiliary value of a play, found by trying the values of each definition in turn.
Play complete(const model::Model& model, const model::Structure& structure, Play play) {
    for (std::size_t v = 0; v < play.size(); ++v) {
        if (structure.domain[v].single() && structure.block_of[v] < 0) play[v] = structure.domain[v].low();
    }
    for (const int c : structure.definitions) {
        const auto output = static_cast<std::size_t>(structure.output[static_cast<std::size_t>(c)]);
        std::vector<model::Value> fitting;
        structure.domain[output].each([&](model::Value value) {
            play[output] = value;
            if (std::visit(Holds{play}, model.constraints[static_cast<std::size_t>(c)].body))
                fitting.push_back(value);
        });
        EXPECT_EQ(fitting.size(), 1U) << model.variables[output].name;
        if (!fitting.empty()) play[output] = fitting.front();
    }
    return play;
}

TEST_F(MiniZinc, RulesMeanWhatTheModelSaysWhereverTheyArePartial) {
    using Meaning = bool (*)(model::Value, model::Value);
    const std::vector<std::pair<std::string, Meaning>> rules = {
        {"k[y] = 2", [](model::Value, model::Value y) { return y == 1 || y == 3; }},
        {"k[x + y] = 2", [](model::Value x, model::Value y) { return x + y == 1 || x + y == 3; }},
        {"not (k[y] = 2)", [](model::Value, model::Value y) { return y != 1 && y != 3; }},
        {"[x, y, 1][y] = 1", [](model::Value x, model::Value y) { return (y == 1 && x == 1) || y == 3; }},
        {"m[x, y] = 2",
         [](model::Value x, model::Value y) { return x >= 1 && x <= 2 && y >= 1 && y <= 3 && x + y == 2; }},
        {"m[y - 1, x] > 3",
         [](model::Value x, model::Value y) {
             return y >= 2 && y <= 3 && x >= 1 && x <= 3 && y - 1 + x > 3;
         }},
        {"bs[x + 1] \\/ y = 0", [](model::Value x, model::Value y) { return x == 1 || y == 0; }},
        {"if x > y then k[x] else 2 endif = 2",
         [](model::Value x, model::Value y) { return x > y ? x == 1 || x == 3 : true; }},
        {"abs(x - y) = max([x, y, 2]) - 1",
         [](model::Value x, model::Value y) {
             return std::abs(x - y) == std::max({x, y, model::Value{2}}) - 1;
         }},
        {"x mod 3 = y div 2", [](model::Value x, model::Value y) { return x % 3 == y / 2; }},
        {"pow(x, 2) <= y * 3 xor x in {0, 4}",
         [](model::Value x, model::Value y) { return (x * x <= y * 3) != (x == 0 || x == 4); }},
        {"count([x, y, 2], 2) = 2", [](model::Value x, model::Value y) { return (x == 2) + (y == 2) == 1; }},
        {"all_different([x, y, 3])",
         [](model::Value x, model::Value y) { return x != y && x != 3 && y != 3; }},
        {"table([x, y], [|0, 1|4, 4|])",
         [](model::Value x, model::Value y) { return (x == 0 && y == 1) || (x == 4 && y == 4); }},
    };
    for (const auto& [rule, meaning] : rules) {
        const model::Model model = read(
            "include \"zermelo.mzn\"; include \"globals.mzn\";\nvar 0..4: x; var 0..4: y;\n"
            "array[1..3] of int: k = [2, 5, 2]; array[1..3] of bool: bs = [false, true, false];\n"
            "array[1..2,1..3] of int: m = array2d(1..2, 1..3, [i + j | i in 1..2, j in 1..3]);\n"
            "constraint some(1, x, 0..4);\nconstraint every(2, y, 0..4);\n"
            "constraint rule(2, " +
            rule + ");\n");
        SCOPED_TRACE(rule);
        const model::Structure structure = analyse(model);
        ASSERT_TRUE(model.prefix[1].rule) << rule;
        for (model::Value x = 0; x <= 4; ++x) {
            for (model::Value y = 0; y <= 4; ++y) {
                Play play(model.variables.size());
                play[static_cast<std::size_t>(model.prefix[0].variables[0])] = x;
                play[static_cast<std::size_t>(model.prefix[1].variables[0])] = y;
                const Play whole = complete(model, structure, play);
                EXPECT_EQ(Holds{whole}.of(*model.prefix[1].rule), meaning(x, y))
                    << rule << " at x=" << x << " y=" << y;
            }
        }
    }
}

TEST_F(MiniZinc, GlobalsStayNative) {
    const model::Model model = read(R"(include "globals.mzn";
array[1..4] of var 1..4: x; array[1..4] of var 1..4: y; array[0..1] of var 0..9: load; var 0..4: n;
array[1..4] of var 0..1: bin; var bool: b; array[1..2] of var bool: bs;
constraint all_different(x);
constraint circuit(x);
constraint inverse(x, y);
constraint global_cardinality(x, [1,2], [n,n]);
constraint global_cardinality_low_up(x, [1,2], [0,0], [2,2]);
constraint cumulative(x, [2,2,2,2], [1,1,1,1], 2);
constraint lex_less(x, y);
constraint lex_lesseq(x, y);
constraint nvalue(n, y);
constraint sort(x, y);
constraint regular(x, 2, 4, [|1,2,1,2|2,2,2,0|], 1, {1});
constraint bin_packing_load(load, bin, [1,2,3,4]);
constraint value_precede(1, 2, x);
constraint table([x[1],x[2]], [|1,2|2,3|]);
constraint table(bs, [|true,false|false,true|]);
constraint b <-> table([x[3],x[4]], [|1,2|2,3|]);
constraint count(x, n) = 1;
constraint max(x) = n;
constraint pow(x[1], 3) = y[1];
constraint n = if b then x[1] else x[2] endif;
)");
    for (const char* name :
         {"circuit", "inverse", "global_cardinality", "global_cardinality_low_up", "cumulative", "lex_less",
          "lex_lesseq", "nvalue", "sort", "regular", "bin_packing_load", "value_precede"}) {
        EXPECT_EQ(count_of<model::Global>(model, std::string("zermelo_") + name), 1U) << name;
    }
    EXPECT_EQ(count_of<model::AllDifferent>(model), 1U);
    EXPECT_EQ(count_of<model::Table>(model), 3U);
    EXPECT_EQ(count_of<model::Count>(model), 1U);
    EXPECT_EQ(count_of<model::Extremum>(model), 1U);
    EXPECT_EQ(count_of<model::Element>(model), 1U);
}

TEST_F(MiniZinc, OtherGlobalsAndSetVariablesAreDecomposed) {
    const model::Model model = read(R"(include "globals.mzn";
array[1..4] of var 1..4: x; var set of 1..4: s; var 1..4: k;
constraint increasing(x);
constraint at_least(1, x, 2);
constraint among(2, x, {1,2});
constraint subcircuit(x);
constraint alldifferent_except_0(x);
constraint card(s) = 2 /\ k in s;
constraint diffn(x, x, [1,1,1,1], [1,1,1,1]);
constraint member(x, k);
)");
    EXPECT_GT(model.constraints.size(), 4U);
    EXPECT_EQ(count_of<model::Global>(model), 0U);
}

TEST_F(MiniZinc, ErrorsCarryThePlaceThatMiniZincNames) {
    EXPECT_EQ(complaint("var 1..3: x;\nconstraint x > y;\n"),
              "m.mzn:2:16: type error: undefined identifier `y', did you mean `x'?");
    EXPECT_EQ(complaint("var 1..3: x\nconstraint x > 2;\n"),
              "m.mzn:2:1: unexpected item, expecting ';' or end of file");
    EXPECT_EQ(
        complaint("int: n;\n"),
        "m.mzn:1:1: the parameter n has no value; give it one with define = n=VALUE, or in a data file");
    EXPECT_EQ(complaint("include \"nothere.mzn\";\n"),
              "m.mzn:1:1: include error: Cannot open file 'nothere.mzn'.");
    EXPECT_TRUE(complaint("var float: x;\n").find("floats are not supported") != std::string::npos);
}

TEST_F(MiniZinc, AContradictionBetweenPlainConstraintsIsToldWhereThereAreMoves) {
    EXPECT_EQ(
        complaint("include \"zermelo.mzn\";\nvar 1..3: x;\nconstraint every(1,x,1..3);\nconstraint x > 4;\n"),
        "m.mzn:4:12: model inconsistency detected; put conditions on the moves into win(...)");
    const model::Model plain = read("var 1..3: x;\nconstraint x > 4;\n");
    ASSERT_EQ(plain.constraints.size(), 1U);
    EXPECT_TRUE(std::get<model::Clause>(plain.constraints[0].body).literals.empty());
}

TEST_F(MiniZinc, APlaceIsAPlaceInTheModel) {
    options_.definitions = {"n=5"};
    std::string without_rule = small_game;
    without_rule.replace(without_rule.find("constraint rule"), std::string("constraint rule").size(),
                         "constraint win");
    without_rule.replace(without_rule.find("win(2, "), std::string("win(2, ").size(), "win(");
    const model::Model model = read(without_rule + "constraint xs[1] + xs[2] + y > 3;\n");
    const model::Constraint& last =
        *std::find_if(model.constraints.begin(), model.constraints.end(),
                      [](const model::Constraint& c) { return !c.defines && !model::reified_by(c); });
    EXPECT_EQ(last.place.text(), (directory_ / "m.mzn").string() + ":9:12");
    EXPECT_EQ(model.prefix[1].place.line, 5);
}

TEST_F(MiniZinc, AMissingCompilerIsTold) {
    options_.compiler = "no-such-minizinc";
    EXPECT_EQ(complaint("var 1..3: x;\n"),
              "no-such-minizinc cannot be run: No such file or directory; install the minizinc package");
}

TEST_F(MiniZinc, AMissingLibraryOrFileIsTold) {
    EXPECT_THROW((void)model::read_minizinc((directory_ / "none.mzn").string(), options_), Error);
    EXPECT_THROW((void)model::read_model(file("m.txt", "x"), options_), Error);
    EXPECT_THROW((void)model::read_model(directory_.string(), options_), Error);
    options_.library = directory_.string();
    EXPECT_NE(complaint("var 1..3: x;\n").find("the library zermelo.mzn is not found"), std::string::npos);
}

TEST_F(MiniZinc, TheCompilerIsStoppedWhenTheTimeIsUp) {
    const Limits limits(0.3, std::nullopt);
    options_.limits = &limits;
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(
        complaint("var 0..1: x;\nconstraint sum(i in 1..30000, j in 1..30000)(i * j * x) > 3;\n"),
        "time limit reached while MiniZinc compiled the model; raise the limit or take a smaller instance");
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

TEST_F(MiniZinc, NoTemporaryDirectoryIsLeftBehind) {
    setenv("TMPDIR", directory_.c_str(), 1);
    (void)read("var 1..3: x;\n");
    (void)complaint("var 1..3: x\n");
    unsetenv("TMPDIR");
    for (const auto& entry : fs::directory_iterator(directory_))
        EXPECT_FALSE(entry.is_directory()) << entry.path();
}

TEST_F(MiniZinc, TheReaderIsChosenByTheExtension) {
    EXPECT_EQ(model::read_model(file("a.fzn", "var 1..3: x;\nsolve satisfy;\n"), options_).variables.size(),
              1U);
    EXPECT_EQ(model::read_model(file("a.qdimacs", "p cnf 1 1\n1 0\n"), options_).variables.size(), 1U);
    EXPECT_EQ(model::read_model(file("a.cnf", "p cnf 1 1\n1 0\n"), options_).variables.size(), 1U);
    EXPECT_EQ(model::read_model(file("a.mzn", "var 1..3: x;\n"), options_).variables.size(), 1U);
}

}  // namespace
}  // namespace zermelo
