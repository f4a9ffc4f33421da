// games and reproduce, as a person or a script runs them; on the shipped library and on one of its own.

#include <filesystem>
#include <set>

#include "program.hpp"

namespace zermelo {
namespace {

namespace fs = std::filesystem;

constexpr const char* rules = R"((role alice)
(role bob)
(<= (legal ?p (take 1)) (role ?p))
(<= (legal ?p (take 2)) (role ?p))
(init start)
(<= terminal (not (true start)))
(<= (next (took ?p ?n)) (does ?p (take ?n)))
(<= (goal ?p 100) (true (took ?p 2)) (true (took ?q 1)))
(<= (goal ?p 0) (true (took ?p 1)) (true (took ?q 2)))
(<= (goal ?p 50) (true (took alice ?n)) (true (took bob ?n)) (role ?p))
(<= (goal ?p 50) (role ?p) (true start))
)";

class Games : public Program {
protected:
    // A library with one game, and an experiment on it.
    [[nodiscard]] std::string library() const {
        fs::create_directories(path("library/gdl"));
        fs::create_directories(path("library/papers"));
        (void)write("library/gdl/take-two.kif",
                    std::string("; Take two\n;\n; Both take one or two; more wins.\n;\n; From: here.\n;\n"
                                "; Tags: counting, tiny\n\n") +
                        rules);
        (void)write("library/papers/mine.json",
                    R"({"title": "Mine", "from": "nowhere", "what": "matches", "parts": [
                        {"title": "Wins", "player": "uct:playouts=20", "columns": [
                            {"title": "Random", "ours": "random"}, {"title": "Absent", "ours": null}],
                         "rows": [{"title": "Take two", "game": "gdl/take-two", "published": [75, 12.5]}]},
                        {"title": "Alone", "alone": true, "columns": [{"title": "Random", "ours": "random"}],
                         "rows": [{"title": "Take two", "game": "gdl/take-two", "published": [50]}]}]})");
        return "--folder " + path("library");
    }
};

TEST_F(Games, AreListedByWhatTheyAre) {
    const auto all = json_of(zermelo("games --json"))["games"];
    const auto dice = json_of(zermelo("games --json --tag dice --players 2 --kind gdl"))["games"];
    EXPECT_GT(dice.size(), 3U);
    EXPECT_LT(dice.size(), all.size());
    for (const auto& game : dice) {
        EXPECT_EQ(game["seats"].size(), 2U);
        EXPECT_NE(std::find(game["tags"].begin(), game["tags"].end(), "dice"), game["tags"].end());
        EXPECT_TRUE(fs::exists(game["file"].get<std::string>()));
    }
    const Ran found = zermelo("games --search \"flood the\" --search Hasegawa");
    EXPECT_EQ(found.code, 2);
    const Ran othello = zermelo("games --search hasegawa");
    EXPECT_EQ(othello.code, 0);
    EXPECT_SAYS(othello.out, "gdl/othello");
    EXPECT_SAYS(zermelo("games --search nothing-has-this").out, "0 games");
}

TEST_F(Games, TellTheirRules) {
    const Ran english = zermelo("games othello");
    EXPECT_SAYS(english.out, "Othello\n\nEight rows and eight columns");
    EXPECT_SAYS(english.out, "othello.kif");
    EXPECT_SAYS(zermelo("games gdl/tic-tac-toe --language fr").out, "Morpion");
    EXPECT_EQ(zermelo("games othello --text").out,
              read_file(std::string(ZERMELO_SOURCE_DIR) + "/games/gdl/othello.kif"));
    expect_one_line_about(zermelo("games no-such-game"), "has no game no-such-game");
    expect_one_line_about(zermelo("games connect-four"), "choose one of gdl/connect-four, quantified/");
}

TEST_F(Games, ANewFileIsANewGame) {
    const std::string where = library();
    const auto all = json_of(zermelo("games --json " + where))["games"];
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0]["id"], "gdl/take-two");
    EXPECT_EQ(all[0]["themes"], nlohmann::json({"counting", "tiny"}));
    EXPECT_EQ(all[0]["words"]["en"], "Both take one or two; more wins.\n\nFrom: here.");
    EXPECT_SAYS(zermelo("games --tag tiny " + where).out, "1 game.");
    EXPECT_SAYS(zermelo("games --tag dice " + where).out, "0 games.");
}

TEST_F(Games, ExperimentsAreListed) {
    const Ran ran = zermelo("reproduce");
    for (const char* name : {"quacode-table1", "quacode-figures", "strategic-csp-table1",
                             "mac-ucb-sym-table2", "mac-ucb-table1", "mac-ucb-table2", "mac-ucb-figures"})
        EXPECT_SAYS(ran.out, name);
    expect_one_line_about(zermelo("reproduce seed999"), "there is no experiment seed999");
    expect_one_line_about(zermelo("reproduce mac-ucb-table1 --games go"), "has no game go");
}

TEST_F(Games, ExperimentsAnswerToTheirFormerNamesWithoutListingThem) {
    for (const char* form : {"reproduce", "reproduce --json", "reproduce --help"})
        EXPECT_EQ(zermelo(form).out.find("seed0"), std::string::npos) << form;
    for (const auto& entry : fs::directory_iterator(std::string(ZERMELO_SOURCE_DIR) + "/games/papers")) {
        const std::string name = entry.path().stem().string();
        const auto experiment = nlohmann::json::parse(read_file(entry.path().string()));
        for (const std::string alias : experiment["aliases"])
            expect_one_line_about(zermelo("reproduce " + alias + " --games go"), name + " has no game go");
    }
    const auto former = json_of(zermelo("reproduce seed003-table1 --games tic-tac-toe --json"));
    EXPECT_EQ(former["experiment"], "mac-ucb-table1");
    EXPECT_EQ(former["parts"][0]["rows"][0]["title"], "Tic-tac-toe");
}

TEST_F(Games, EveryExperimentNamesGamesThatAreThere) {
    const auto all = json_of(zermelo("games --json"))["games"];
    std::set<std::string> ids;
    for (const auto& game : all) ids.insert(game["id"]);
    int rows = 0;
    for (const auto& entry : fs::directory_iterator(std::string(ZERMELO_SOURCE_DIR) + "/games/papers")) {
        const auto experiment = nlohmann::json::parse(read_file(entry.path().string()));
        for (const auto& part : experiment["parts"]) {
            for (const auto& row : part["rows"]) {
                EXPECT_TRUE(ids.contains(row["game"].get<std::string>())) << row;
                EXPECT_EQ(row["published"].size(), part["columns"].size()) << row;
                ++rows;
            }
        }
    }
    EXPECT_EQ(rows, 15 + (14 + 54) + 24 + 13 + 13 + 35 + 38);
}

TEST_F(Games, NetworksStandBesideThePublishedOnes) {
    const Ran ran = zermelo("reproduce mac-ucb-table1 --games tic-tac-toe othello --json");
    EXPECT_EQ(ran.code, 0) << ran.err;
    const auto rows = json_of(ran)["parts"][0]["rows"];
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[1]["title"], "Tic-tac-toe");
    EXPECT_EQ(rows[1]["published"]["variables"], 19);
    EXPECT_EQ(rows[1]["ours"]["variables"],
              json_of(zermelo("gdl network --json " + std::string(ZERMELO_SOURCE_DIR) +
                              "/games/gdl/tic-tac-toe.kif"))["variables"]);
    EXPECT_SAYS(zermelo("reproduce mac-ucb-table1 --games tic-tac-toe").out, "All together:");
}

TEST_F(Games, ModelsStandBesideThePublishedOnes) {
    const Ran ran = zermelo("reproduce strategic-csp-table1 --seconds 2 --json");
    EXPECT_EQ(ran.code, 0) << ran.err;
    const auto parts = json_of(ran)["parts"];
    ASSERT_EQ(parts.size(), 2U);
    ASSERT_EQ(parts[0]["rows"].size(), 12U);
    ASSERT_EQ(parts[1]["rows"].size(), 12U);
    auto rows = parts[0]["rows"];
    rows.insert(rows.end(), parts[1]["rows"].begin(), parts[1]["rows"].end());
    int solved = 0;
    for (const auto& row : rows) {
        const auto& published = row["published"]["verdict"];
        const auto& ours = row["ours"]["verdict"];
        if (published.is_null() || ours == "unknown") continue;
        EXPECT_EQ(ours, published) << row;
        const bool checked = row["ours"]["strategy"] == "checked";
        EXPECT_TRUE(checked || row["ours"]["strategy"] == "check not finished") << row;
        if (checked) ++solved;
    }
    EXPECT_GE(solved, 7);
}

TEST_F(Games, ModelsAreSearchedAsThePaperDoes) {
    fs::create_directories(path("library/quantified"));
    fs::create_directories(path("library/papers"));
    fs::copy_file(nim, path("library/quantified/nim.mzn"));
    (void)write("library/papers/mine.json", R"({
        "title": "Nim", "from": "here", "what": "models", "parts": [
            {"title": "nodes", "figure": {"x": "matches", "y": "nodes"}, "remarks": ["Only a test."],
             "columns": [
                {"title": "no cuts", "ours": "nodes", "how": {"search": "algorithm 1", "as_qcsp": true, "cuts": false}},
                {"title": "cuts", "ours": "nodes", "how": {"search": "algorithm 1", "as_qcsp": true}},
                {"title": "rules", "ours": "nodes", "how": {"search": "algorithm 1"}},
                {"title": "ours", "ours": "nodes"}],
             "rows": [
                {"title": "4", "game": "quantified/nim", "define": ["n=4"], "published": [null, 9, null, null]},
                {"title": "7", "game": "quantified/nim", "define": ["n=7"], "published": [null, null, null, null]}]}]})");
    const std::string where = "--folder " + path("library");
    const Ran ran = zermelo("reproduce mine --json --pictures " + path("pictures") + " " + where);
    ASSERT_EQ(ran.code, 0) << ran.err;
    const auto part = json_of(ran)["parts"][0];
    EXPECT_EQ(part["remarks"][0], "Only a test.");
    for (const auto& row : part["rows"]) {
        const auto& figures = row["figures"];
        EXPECT_EQ(figures["cuts"], figures["rules"]) << row;
        EXPECT_LT(figures["cuts"], figures["no cuts"]) << row;
        EXPECT_EQ(row["ours"]["strategy"], "checked") << row;
    }
    EXPECT_EQ(part["rows"][0]["figures"]["cuts"], 9);  // figure 3 of Barichard and Stéphan (2017)
    EXPECT_EQ(part["rows"][0]["published"]["cuts"], 9);
    const std::string picture = read_file(path("pictures/mine-1.svg"));
    EXPECT_SAYS(picture, "<title>no cuts, 7: ");
    EXPECT_SAYS(picture, ">matches</text>");
    const std::string table = zermelo("reproduce mine " + where).out;
    EXPECT_SAYS(table, "cuts, paper");
    EXPECT_EQ(table.find("rules, paper"), std::string::npos) << table;
    // In no time nothing is solved, and there is nothing to draw but the axes.
    EXPECT_EQ(zermelo("reproduce mine --seconds 0.001 --pictures " + path("empty") + " " + where).code, 0);
    EXPECT_SAYS(read_file(path("empty/mine-1.svg")), "</svg>");
    expect_one_line_about(zermelo("reproduce mac-ucb-table1 --games tic-tac-toe --pictures " + path("none")),
                          "has no figures to draw");
}

TEST_F(Games, MatchesAreKeptAndGoneOnWith) {
    const std::string where = library() + " --record " + path("kept") + " --playouts 20 --start-clock 0";
    const Ran first =
        zermelo("reproduce mine --matches 6 --json --markdown " + path("table.md") + " " + where);
    EXPECT_EQ(first.code, 0) << first.err;
    const auto parts = json_of(first)["parts"];
    ASSERT_EQ(parts.size(), 2U);
    const auto figures = parts[0]["rows"][0]["figures"];
    EXPECT_EQ(figures[0]["published"], 75);
    EXPECT_EQ(figures[0]["matches"], 6);
    EXPECT_EQ(figures[1]["published"], 12.5);
    EXPECT_TRUE(figures[1]["ours"].is_null());
    EXPECT_EQ(parts[1]["rows"][0]["figures"][0]["matches"], 6);
    EXPECT_SAYS(read_file(path("table.md")), "| Take two | 75 |");
    // Again: nothing is left to play, and nothing changes.
    EXPECT_EQ(json_of(zermelo("reproduce mine --matches 6 --json " + where))["parts"], parts);
    EXPECT_EQ(json_of(zermelo("reproduce mine --report-only --json --matches 6 " + where))["parts"], parts);
    // A part of it, as if the rest had been lost with a crash.
    fs::remove(path("kept/2-take-two.sqlite"));
    const auto again = json_of(zermelo("reproduce mine --matches 6 --json " + where))["parts"];
    EXPECT_EQ(again[0], parts[0]);
    EXPECT_EQ(again[1]["rows"][0]["figures"][0]["matches"], 6);
    // Another number of matches is another experiment.
    const Ran other = zermelo("reproduce mine --matches 8 " + where);
    EXPECT_EQ(other.code, 2);
    EXPECT_SAYS(other.err, "another plan");
}

}  // namespace
}  // namespace zermelo
