#include "web/api/source.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "gdl/game.hpp"
#include "gdl/syntax/parse.hpp"
#include "play/game_context.hpp"
#include "web/asking.hpp"
#include "web/server.hpp"
#include "web/session/game_cache.hpp"
#include "web/session/position_labels.hpp"
#include "web/visitor.hpp"

namespace zermelo::web {
namespace {

namespace fs = std::filesystem;

const Library& library() {
    static const Library shipped(games_folder);
    return shipped;
}

json summary(const std::string& id) {
    const Shipped* game = library().find(id);
    return game == nullptr ? json() : game->summary;
}

int status_of_source(const json& reference) {
    try {
        (void)source(library(), reference);
    } catch (const std::exception& problem) {
        return error_body(problem).first;
    }
    return 200;
}

// A folder of games that goes when the test is over.
class OwnFolder {
public:
    OwnFolder() {
        folder_ = fs::path(testing::TempDir()) / ("games-" + std::to_string(::getpid()));
        fs::create_directories(folder_ / "gdl");
        fs::create_directories(folder_ / "quantified");
    }
    ~OwnFolder() { fs::remove_all(folder_); }
    OwnFolder(const OwnFolder&) = delete;
    OwnFolder& operator=(const OwnFolder&) = delete;

    void write(const std::string& file, const std::string& text) const {
        std::ofstream(folder_ / file) << text;
    }
    [[nodiscard]] Library read() const { return Library(folder_.string()); }

private:
    fs::path folder_;
};

TEST(Library, HasEveryShippedGame) {
    std::set<std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(games_folder)) {
        const std::string name = entry.path().filename().string();
        if (!entry.is_regular_file() || name.ends_with(".hints.json") || name.ends_with(".facts.json") ||
            name == "examples.json" || entry.path().parent_path().filename() == "papers")
            continue;
        files.insert(entry.path().string());
    }
    std::set<std::string> found;
    for (const Shipped& game : library().games()) found.insert(game.file);
    EXPECT_EQ(found, files);
}

TEST(Library, ReadsTitlesAndRulesInWords) {
    const json game = summary("gdl/tic-tac-toe");
    EXPECT_EQ(game["kind"], "gdl");
    EXPECT_EQ(game["title"], (json{{"en", "Tic-tac-toe"}, {"fr", "Morpion"}}));
    EXPECT_TRUE(
        game["words"]["en"].get<std::string>().starts_with("x and o write their mark in turn into an empty"));
    EXPECT_NE(game["words"]["en"].get<std::string>().find("\n\nFrom: the traditional game."),
              std::string::npos);
    EXPECT_EQ(game["seats"], (json{"x", "o"}));
    EXPECT_EQ(game["solved"], "drawn");
    EXPECT_EQ(game["parameters"], json::array());
    EXPECT_EQ(summary("gdl/connect-four")["words"]["en"].get<std::string>().find("Written by"),
              std::string::npos);
    EXPECT_NE(summary("strategic/robot")["words"]["en"].get<std::string>().find("\n    / / # / # # .\n"),
              std::string::npos);
}

TEST(Library, EveryGameHasWordsInBothLanguages) {
    for (const Shipped& game : library().games()) {
        for (const char* key : {"title", "words"}) {
            for (const char* language : {"en", "fr"}) {
                ASSERT_TRUE(game.summary[key].contains(language)) << game.id << ' ' << key << ' ' << language;
                EXPECT_FALSE(game.summary[key][language].get<std::string>().empty()) << game.id;
            }
        }
        EXPECT_FALSE(game.summary["seats"].empty()) << game.id;
        EXPECT_FALSE(game.summary["tags"].empty()) << game.id;
    }
}

TEST(Library, TellsModelsParametersWithWhatToBeginWith) {
    const json expected = {{{"name", "n"}, {"value", "13"}},
                           {{"name", "most"}, {"value", ""}},
                           {{"name", "last_taker_wins"}, {"value", ""}}};
    EXPECT_EQ(summary("quantified/subtraction")["parameters"], expected);
    EXPECT_EQ(summary("quantified/four-variables")["parameters"], json::array());
    for (const Shipped& game : library().games()) {
        if (game.kind != Kind::minizinc) continue;
        Source model = source(library(), {{"id", game.id}});
        for (const json& parameter : game.summary["parameters"]) {
            const std::string value = parameter["value"];
            if (!value.empty())
                model.definitions.push_back(parameter["name"].get<std::string>() + "=" + value);
        }
        EXPECT_NO_THROW((void)web::read_model(model, Limits(60, std::nullopt))) << game.id;
    }
}

TEST(Library, FindsParametersWhereverTheyAreDeclared) {
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("zermelo-library-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder / "quantified");
    std::ofstream(folder / "quantified/many.mzn")
        << "% Many parameters\n%\n% A model.\n\ninclude \"zermelo.mzn\"; int: n; int: m; % int: no;\n"
           "/* int: neither; */ enum COLOUR; COLOUR: favourite;\n  1..9:k;array[1..n] of\n  int: board;\n"
           "int: fixed = 3; var 1..n: x; set of int: S = 1..n; string: s = \"; int: not;\";\n"
           "constraint some(1, x, 1..n); solve satisfy;\n";
    json names = json::array();
    const Library many(folder.string());
    for (const json& parameter : many.find("quantified/many")->summary["parameters"])
        names.push_back(parameter["name"]);
    std::filesystem::remove_all(folder);
    EXPECT_EQ(names, (json{"n", "m", "favourite", "k", "board"}));
}

// The tags of games in GDL are found by looking at their rules and a few moves; here by playing them.
TEST(Library, TagsAreTrue) {
    for (const Shipped& shipped : library().games()) {
        if (shipped.kind != Kind::gdl) continue;
        const gdl::Game game(gdl::parse(shipped.text, shipped.file));
        const play::GameContext rules(game);
        const json& tags = shipped.summary["tags"];
        const auto tagged = [&](const char* tag) {
            return std::find(tags.begin(), tags.end(), tag) != tags.end();
        };
        EXPECT_EQ(tagged("hidden"), rules.hidden()) << shipped.id;
        EXPECT_EQ(tagged("dice"), rules.seats().size() < rules.roles()) << shipped.id;
        EXPECT_EQ(tagged("puzzle"), rules.seats().size() == 1) << shipped.id;
        EXPECT_EQ(shipped.summary["seats"].size(), rules.seats().size()) << shipped.id;
        EXPECT_TRUE(!rules.turns() || rules.seats().size() == 1 || tagged("turns")) << shipped.id;
        EXPECT_FALSE(tagged("simultaneous") && rules.turns()) << shipped.id;
    }
}

TEST(Library, HintsAreOfShippedGamesAndNameWhatIsThere) {
    for (const auto& entry : fs::recursive_directory_iterator(games_folder)) {
        const std::string file = entry.path().string();
        if (!file.ends_with(".hints.json")) continue;
        std::ifstream in(file);
        const json hints = json::parse(in);
        const std::string name = entry.path().filename().string();
        const Shipped* game = library().find(entry.path().parent_path().filename().string() + "/" +
                                             name.substr(0, name.size() - std::string(".hints.json").size()));
        ASSERT_NE(game, nullptr) << file << " is of no game";
        for (const auto& [key, value] : hints.items()) {
            static const std::set<std::string> known = {"title",  "words", "solved", "parameters", "board",
                                                        "pieces", "roles", "moves",  "facts",      "dice",
                                                        "cards",  "sheet", "numbers"};
            EXPECT_TRUE(known.contains(key)) << file << ": " << key;
        }
        if (hints.contains("solved")) {
            static const std::set<std::string> verdicts = {"won", "lost", "drawn"};
            EXPECT_TRUE(verdicts.contains(hints["solved"])) << file;
        }
        const json moves = hints.value("moves", json::object());
        for (const auto& [move, said] : moves.items())
            EXPECT_NE(game->text.find(move), std::string::npos) << file << ": " << move;
        for (const char* key : {"dice", "cards", "sheet", "numbers"}) {
            for (const json& one : hints.value(key, json::array())) {
                EXPECT_NE(game->text.find("(base (" + one["fact"].get<std::string>()), std::string::npos)
                    << file << ": " << one["fact"];
            }
        }
        const json roles = hints.value("roles", json::object());
        const json pieces = hints.value("pieces", json::object());
        const json parameters = hints.value("parameters", json::object());
        for (const auto& [role, about] : roles.items()) {
            const json& seats = game->summary["seats"];
            EXPECT_NE(std::find(seats.begin(), seats.end(), role), seats.end()) << file << ": " << role;
        }
        for (const auto& [piece, about] : pieces.items()) {
            std::istringstream words(piece);
            for (std::string word; words >> word;)
                EXPECT_NE(game->text.find(word), std::string::npos) << file << ": " << piece;
        }
        for (const auto& [parameter, value] : parameters.items()) {
            const json& open = game->summary["parameters"];
            EXPECT_TRUE(std::any_of(
                open.begin(), open.end(),
                [&](const json& one) { return one["name"] == parameter && one["value"] == value; }))
                << file << ": " << parameter;
        }
    }
}

TEST(Library, BoardsAreMadeOfFactsOfTheGame) {
    for (const Shipped& shipped : library().games()) {
        if (!shipped.hints.contains("board")) continue;
        const json& board = shipped.hints["board"];
        const gdl::Game game(gdl::parse(shipped.text, shipped.file));
        const auto& network = game.machine().network();
        std::set<std::string> columns;
        std::set<std::string> rows;
        for (const gdl::TermId fluent : network.fluents) {
            std::istringstream text(game.text(fluent));
            std::vector<std::string> words;
            for (std::string word; text >> word;) {
                std::erase_if(word, [](char c) { return c == '(' || c == ')'; });
                words.push_back(word);
            }
            if (words[0] != board["fact"]) continue;
            ASSERT_LT(board["x"].get<std::size_t>(), words.size()) << shipped.id;
            ASSERT_LT(board["y"].get<std::size_t>(), words.size()) << shipped.id;
            columns.insert(words[board["x"].get<std::size_t>()]);
            rows.insert(words[board["y"].get<std::size_t>()]);
        }
        EXPECT_GE(columns.size(), 2) << shipped.id;
        EXPECT_GE(rows.size(), 2) << shipped.id;
    }
}

TEST(Library, TheFirstBoardOfAGameIsToldWithoutGrounding) {
    GameCache cache(library());
    Router router;
    add_checking(router, cache);
    add_playing(router, cache);
    for (const char* id : {"gdl/tic-tac-toe", "gdl/checkers", "gdl/othello", "gdl/hex"}) {
        const json first = Asker(router).get(std::string("/api/games/") + id + "/first");
        std::set<std::string> told;
        for (const json& fact : first["facts"]) told.insert(plain(fact.get<std::string>()));
        std::set<std::string> facts;
        const json position =
            Asker(router).post("/api/position", {{"game", {{"id", id}}}, {"steps", json::array()}});
        for (const json& fact : position["facts"]) {
            if (fact[0] != first["hints"]["board"]["fact"]) continue;
            std::string text;
            for (const json& part : fact) text += (text.empty() ? "" : " ") + part.get<std::string>();
            facts.insert(text);
        }
        EXPECT_EQ(told, facts) << id;
        EXPECT_EQ(first.dump().find("title"), std::string::npos) << "pictures need no words";
    }
    EXPECT_EQ(Asker(router).get("/api/games/quantified/baker/first")["facts"], json::array());
}

// Of those that are solved in a second or two.
TEST(Library, VerdictsAreTrue) {
    GameCache cache(library());
    Router router;
    add_solving(router, cache);
    int checked = 0;
    for (const Shipped& shipped : library().games()) {
        if (shipped.summary["solved"].is_null()) continue;
        json game = {{"id", shipped.id}, {"parameters", json::object()}};
        for (const json& one : shipped.summary["parameters"]) game["parameters"][one["name"]] = one["value"];
        Heard heard;
        try {
            const int seconds = shipped.kind == Kind::minizinc ? 60 : 2;  // MiniZinc takes most of it
            Asker(router).stream("/api/solve", {{"game", game}, {"seconds", seconds}}, heard);
        } catch (const LimitReached&) {  // not even read in time
            continue;
        }
        const auto solved = heard.all("solved");
        ASSERT_EQ(solved.size(), 1) << shipped.id;
        if (solved[0]["verdict"] == "unknown") continue;
        EXPECT_EQ(shipped.summary["solved"], solved[0]["verdict"]) << shipped.id;
        ++checked;
    }
    EXPECT_GE(checked, 20);
}

TEST(Library, FindsNothingButItsGames) {
    for (const char* id : {"", "gdl", "gdl/", "gdl/none", "../games/gdl/nim", "gdl/../gdl/nim", "gdl/nim.kif",
                           "gdl//nim", "/etc/passwd", "gdl/nim.hints", "examples"})
        EXPECT_EQ(library().find(id), nullptr) << id;
}

TEST(Library, IsReadFromAnyFolder) {
    const OwnFolder folder;
    EXPECT_TRUE(folder.read().games().empty());
    folder.write("gdl/mine.kif",
                 "; Mine\n;\n; One move.\n(role a)\n(legal a go)\n(<= (next done) (does a go))\n"
                 "(<= terminal (true done))\n(goal a 100)\n");
    folder.write("gdl/notes.txt", "nothing");
    folder.write("quantified/model.mzn",
                 "int: n;\nint: m = 3;\narray[1..2] of var 0..1: x;\nopt bool: b; % c\n");
    const Library own = folder.read();
    ASSERT_EQ(own.games().size(), 2);
    EXPECT_EQ(own.games()[0].summary["title"], json({{"en", "Mine"}}));
    EXPECT_EQ(own.games()[0].summary["tags"], json({"puzzle"}));
    EXPECT_EQ(own.games()[1].summary["title"], json({{"en", "model"}}));
    EXPECT_EQ(own.games()[1].summary["parameters"],
              json({{{"name", "n"}, {"value", ""}}, {{"name", "b"}, {"value", ""}}}));

    folder.write("gdl/mine.hints.json", "{");
    EXPECT_THROW((void)folder.read(), Error);
    folder.write("gdl/mine.hints.json", "[]");
    EXPECT_THROW((void)folder.read(), Error);
    EXPECT_THROW(Library("/no/such/folder"), Error);
}

TEST(Source, IsAGameOfTheLibraryOrAText) {
    const Source nim = source(library(), {{"id", "gdl/nim"}});
    EXPECT_EQ(nim.title, "Nim");
    EXPECT_FALSE(nim.file.empty());
    const Source text = source(
        library(), {{"kind", "minizinc"}, {"text", "int: n;"}, {"parameters", {{"n", "5"}, {"empty", ""}}}});
    EXPECT_TRUE(text.file.empty());
    EXPECT_EQ(text.definitions, std::vector<std::string>{"n=5"});
}

TEST(Source, RefusesWhatIsNone) {
    EXPECT_EQ(status_of_source({{"id", "gdl/none"}}), 404);
    EXPECT_EQ(status_of_source({{"id", "../../etc/passwd"}}), 404);
    for (const json& bad :
         {json(), json(1), json::array(), json::object(), json{{"id", 5}}, json{{"text", "x"}},
          json{{"kind", "gdl"}}, json{{"kind", "gdl"}, {"text", 5}}, json{{"kind", "prolog"}, {"text", "x"}},
          json{{"kind", 5}, {"text", "x"}}, json{{"id", "gdl/nim"}, {"parameters", 5}},
          json{{"id", "gdl/nim"}, {"parameters", {{"n", 5}}}}})
        EXPECT_EQ(status_of_source(bad), 400) << bad;
}

TEST(Source, GraphsAreReadFromBothFormats) {
    const auto read = [](const std::string& text) {
        return read_graph(source(library(), {{"kind", "graph"}, {"text", text}}));
    };
    EXPECT_EQ(read("digraph { players=\"A,B\"; initial=a; a [player=A]; b [winner=B]; a -> b; }").states(),
              2);
    EXPECT_EQ(read(library().find("graphs/cycle")->text).states(), 5);
    EXPECT_EQ(read(library().find("graphs/three-regions")->text).states(), 10);
    EXPECT_THROW((void)read("digraph {"), Error);
    EXPECT_THROW((void)read("{"), Error);
    EXPECT_THROW((void)read(""), Error);
}

// Two groups of ten thousand states each would be a hundred million edges.
TEST(Source, GroupsOfStatesAreNotMultiplied) {
    std::string bomb = "digraph { {";
    for (int i = 0; i < 10'000; ++i) bomb += "a" + std::to_string(i) + " ";
    bomb += "} -> {";
    for (int i = 0; i < 10'000; ++i) bomb += "b" + std::to_string(i) + " ";
    bomb += "} }";
    EXPECT_THROW((void)read_graph(source(library(), {{"kind", "graph"}, {"text", bomb}})), Error);
}

}  // namespace
}  // namespace zermelo::web
