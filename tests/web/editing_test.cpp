// What the editor of the page asks of names: the answers of the language server, in the language of the request.

#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "web/asking.hpp"
#include "web/server.hpp"
#include "web/session/game_cache.hpp"
#include "web/visitor.hpp"

namespace zermelo::web {
namespace {

class EditorDesk {
public:
    explicit EditorDesk(const std::string& languages = "en") {
        add_editing(router_, cache_);
        asker_.languages = languages;
    }
    [[nodiscard]] json editor(const std::string& request, json body) const {
        return asker_.post("/api/editor/" + request, std::move(body))["result"];
    }

private:
    const Library library_{games_folder};
    GameCache cache_{library_};
    Router router_;
    Asker asker_{router_};
};

constexpr const char* one_move = R"((role a)
(init (on 1))
(<= (legal a go) (true (on 1)))
(<= (legal a (fly up)) (true (on 7)))
(<= (next (on 2)) (does a go))
(<= terminal (true (on 2)))
(<= (goal a 100) (true (on 2)))
(<= (goal a 50) (true (on 1)) (true (on 2)))
(<= (goal a 0) (true (onn 1)))
)";

json asked_at(const std::string& kind, const std::string& text, std::size_t line, std::size_t character) {
    return {{"kind", kind}, {"text", text}, {"position", {{"line", line}, {"character", character}}}};
}

TEST(Editing, TellsWhatANameIs) {
    const json hover = EditorDesk().editor("hover", asked_at("gdl", one_move, 1, 7));  // on
    const std::string told = hover["contents"]["value"];
    EXPECT_TRUE(told.starts_with("**on** — fluent with 1 argument\n")) << told;
    const std::string french =
        EditorDesk("fr").editor("hover", asked_at("gdl", one_move, 1, 7))["contents"]["value"];
    EXPECT_TRUE(french.starts_with("**on** — fluent à 1 argument\n")) << french;
    EXPECT_NE(french.find("\n```gdl\n(init (on 1))\n```\n"), std::string::npos) << french;
    EXPECT_NE(french.find("\n- argument 1\u00a0: "), std::string::npos) << french;
    const std::string word =
        EditorDesk("fr").editor("hover", asked_at("gdl", one_move, 5, 5))["contents"]["value"];
    EXPECT_NE(word.find("Le jeu est fini dans cette position."), std::string::npos) << word;
    EXPECT_EQ(EditorDesk().editor("hover", asked_at("graph", "{}", 0, 0)), nullptr);
}

// Without code, and without the name itself.
std::set<std::string> sentences(const json& hover) {
    std::istringstream lines(hover["contents"]["value"].get<std::string>());
    std::set<std::string> found;
    bool code = false;
    for (std::string line; std::getline(lines, line);) {
        const bool fence = line.starts_with("```");
        if (fence) code = !code;
        if (!code && !fence && !line.empty() && !line.starts_with("**")) found.insert(line);
    }
    return found;
}

TEST(Editing, ExplainsEveryWordInFrench) {
    const EditorDesk english;
    const EditorDesk french("fr");
    const auto expect_french = [&](const json& asked) {
        const auto said = sentences(english.editor("hover", asked));
        const auto told = sentences(french.editor("hover", asked));
        EXPECT_FALSE(said.empty()) << asked;
        for (const std::string& line : said) EXPECT_FALSE(told.contains(line)) << line;
    };
    for (const char* word : {"role", "init", "true", "next", "legal", "does", "terminal", "goal", "base",
                             "input", "sees", "distinct", "not", "or", "and", "<="})
        expect_french(asked_at("gdl", std::string("(") + word + " x)", 0, 1));
    expect_french(asked_at("gdl", "(role random)", 0, 7));
    for (const char* word :
         {"some", "every", "every_consistent", "state", "rule", "win", "hold", "cut", "chance", "choose",
          "hard", "worth", "satisfied", "threshold", "nvalue", "indomain_impact"})
        expect_french(asked_at("minizinc", std::string("constraint ") + word + "(1);", 0, 12));
}

TEST(Editing, FindsRenamesAndFormats) {
    const EditorDesk desk;
    const json given = desk.editor("definition", asked_at("gdl", one_move, 6, 26));
    ASSERT_FALSE(given.empty());
    EXPECT_EQ(given[0]["range"]["start"], (json{{"line", 1}, {"character", 7}})) << given;
    EXPECT_EQ(desk.editor("references", asked_at("gdl", one_move, 2, 13)).size(), 2U);  // go
    json asked = asked_at("gdl", one_move, 2, 13);
    asked["newName"] = "walk";
    const json edits = desk.editor("rename", asked)["changes"][""];
    ASSERT_EQ(edits.size(), 2U) << edits;
    EXPECT_EQ(edits[1]["newText"], "walk");
    asked["newName"] = "does";
    EXPECT_EQ(refused([&] { (void)desk.editor("rename", asked); }), 422);
    const json layout = desk.editor("formatting", asked_at("gdl", "(role   a)(role b)", 0, 0));
    EXPECT_EQ(layout[0]["newText"], "(role a)\n(role b)\n");
    EXPECT_EQ(refused([&] { (void)desk.editor("completion", asked); }), 404);
    EXPECT_EQ(refused([&] { (void)desk.editor("hover", asked_at("gdl", std::string(1 << 20, ' '), 0, 0)); }),
              413);
}

}  // namespace
}  // namespace zermelo::web
