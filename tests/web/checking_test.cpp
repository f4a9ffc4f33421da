// What the editor of the page is told of a text: findings at their lines, in the language of the request.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "web/asking.hpp"
#include "web/server.hpp"
#include "web/session/game_cache.hpp"
#include "web/visitor.hpp"

namespace zermelo::web {
namespace {

namespace fs = std::filesystem;

class Desk {
public:
    explicit Desk(const std::string& languages = "en") {
        add_checking(router_, cache_);
        asker_.languages = languages;
    }
    [[nodiscard]] json check(const std::string& kind, const std::string& text) const {
        return asker_.post("/api/check", {{"kind", kind}, {"text", text}});
    }

private:
    const Library library_{games_folder};
    GameCache cache_{library_};
    Router router_;
    Asker asker_{router_};
};

std::string contents(const fs::path& file) {
    std::stringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

// The first finding with this message.
json finding(const json& check, const std::string& message) {
    for (const json& found : check["findings"]) {
        if (found["message"] == message) return found;
    }
    return {};
}

constexpr const char* unlikely = R"((role a)
(init (on 1))
(<= (legal a go) (true (on 1)))
(<= (legal a (fly up)) (true (on 7)))
(<= (next (on 2)) (does a go))
(<= terminal (true (on 2)))
(<= (goal a 100) (true (on 2)))
(<= (goal a 50) (true (on 1)) (true (on 2)))
(<= (goal a 0) (true (onn 1)))
)";

TEST(Checking, FindsWhatTheCommandLineFinds) {
    const json check = Desk().check("gdl", unlikely);
    EXPECT_EQ(check["playable"], true);
    const json move = finding(check, "the move (fly up) can never be legal");
    EXPECT_EQ(move["line"], 4) << check;
    EXPECT_EQ(move["severity"], "warning");
    EXPECT_EQ(finding(check, "no `init` and no `next` gives `onn`, so it never holds")["line"], 9) << check;
    EXPECT_EQ(finding(check, "the goal 0 of a can never hold")["line"], 9) << check;
}

TEST(Checking, DoesNotPlayWhatIsBroken) {
    const json check = Desk().check("gdl", "(role a)\n(init (on 1))\n(<= (next (on ?x)) (does a ?y))\n");
    EXPECT_EQ(check["playable"], false);
    for (const json& found : check["findings"])
        EXPECT_EQ(found["message"].get<std::string>().find("cannot be played"), std::string::npos);
}

constexpr const char* short_of_a_move =
    "include \"zermelo.mzn\";\nvar 1..2: x;\nvar 1..2: y;\nvar 1..2: z;\n"
    "constraint some(1, x, 1..2) /\\ every(2, y, 1..2);\n"
    "constraint some(3, z, 1..2);\nconstraint rule(3, z > x + y);\n"
    "constraint win(x + y + z > 3);\nsolve satisfy;\n";

TEST(Checking, WarnsOfTheHorizonOfAModel) {
    const json check = Desk().check("minizinc", short_of_a_move);
    ASSERT_EQ(check["findings"].size(), 1U) << check;
    EXPECT_EQ(check["findings"][0]["severity"], "warning");
    EXPECT_EQ(check["findings"][0]["line"], 6) << check;
    EXPECT_EQ(check["playable"], true);
    EXPECT_NE(Desk("fr").check("minizinc", short_of_a_move)["findings"][0]["message"],
              check["findings"][0]["message"]);
}

// ---- languages

TEST(Languages, TheRequestSaysTheLanguage) {
    const auto french = [](const std::string& header) {
        net::Request request;
        if (!header.empty()) request.headers.emplace_back("Accept-Language", header);
        return tongue_of(request) == language::Tongue::french;
    };
    for (const char* asked : {"fr", "fr-CA", "fr, en", "en;q=0.5, fr-CH;q=0.8", "de, fr;q=0.1", "FR;q=1.0"})
        EXPECT_TRUE(french(asked)) << asked;
    for (const char* asked :
         {"", "en", "de", "fro", "en, fr", "fr;q=0.2,en;q=0.3", "fr;q=0", "fr;q=x", "*", ",;"})
        EXPECT_FALSE(french(asked)) << asked;
}

TEST(Languages, FindingsAndRemediesAreInFrench) {
    const json check = Desk("fr").check("gdl", unlikely);
    const json move = finding(check, "le coup (fly up) ne peut jamais être légal");
    EXPECT_EQ(move["line"], 4) << check;
    EXPECT_EQ(move["remedy"], "(true (on 7)) ne devient jamais vrai\u00a0; corrigez-le, ou retirez la règle");
}

// Texts that others made as wrong as they could. What two languages share are names and signs alone.
TEST(Languages, NoFindingOfABrokenTextStaysInEnglish) {
    const fs::path root(ZERMELO_SOURCE_DIR);
    std::vector<std::pair<std::string, std::string>> texts = {
        {"gdl", unlikely},
        {"gdl", "(role a)\n(init (on 1))\n(<= (next (on ?x)) (does a ?y))\n"},
        {"gdl", "(role a) (legal"},
        {"gdl", "(role a)) (legal a go)"},
        {"gdl", "(<= (p ?x) (not (p ?x)))"},
        {"gdl", "(<= () (q))"},
        {"gdl",
         "(role a b)(init (p))(<= (legal a (q 1)) (does a (q 1 2)))(goal a 200)(true x)(<= terminal (or))"},
        {"gdl", "(role random)(random 1)(<= (role x) (y))(next)(<= (does a b) (true c))"},
        {"gdl",
         "(role a)(legal a go)(<= (next ?x) (or ?y (not (true ?z))))(<= (goal a 100) (distinct ?u 1))"},
        {"gdl",
         "(role a)(init (n 1))(legal a go)(<= (next (n (s ?x))) (true (n ?x)))(<= terminal (true (n "
         "0)))(goal a 1)"},
        {"graph", "{"},
        {"graph", "{}"},
        {"graph", "digraph { a -> { b c } }"},
        {"graph", "graph { a -- b }"},
        {"graph", "[]"},
        {"minizinc", "include \"zermelo.mzn\";\nvar 1..2: x;\nconstraint x < ;\n"},
        {"minizinc", "include \"/etc/passwd\";"},
        {"minizinc",
         "include \"zermelo.mzn\";\nint: n;\nvar 1..2: x;\nconstraint some(1, x, 1..n);\nsolve satisfy;\n"}};
    for (const char* folder : {"fuzz/corpus/gdl", "fuzz/corpus/graph"}) {
        for (const auto& entry : fs::directory_iterator(root / folder))
            texts.emplace_back(fs::path(folder).filename().string(), contents(entry.path()));
    }
    const Desk english;
    const Desk french("fr");
    std::size_t findings = 0;
    for (const auto& [kind, text] : texts) {
        SCOPED_TRACE(kind + ": " + text.substr(0, 300));
        json said;
        json told;
        try {
            said = english.check(kind, text)["findings"];
            told = french.check(kind, text)["findings"];
        } catch (const LimitReached&) {
            continue;
        }
        ASSERT_EQ(said.size(), told.size());
        for (std::size_t i = 0; i < said.size(); ++i, ++findings) {
            for (const char* part : {"message", "remedy"}) {
                EXPECT_TRUE(said[i][part] == "" || said[i][part] != told[i][part]) << said[i];
            }
        }
    }
    EXPECT_GT(findings, 30U);
}

// As they stand in the sources, with something in their gaps.
TEST(Languages, EveryRefusalHasItsFrench) {
    static const std::regex refused(
        R"re(Refusal\(\s*\d+,\s*(?:fmt::format\(\s*)?"((?:[^"\\]|\\.)*)"\s*([,)]))re");
    static const std::regex gap(R"(\{[^}]*\})");
    std::size_t found = 0;
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(ZERMELO_SOURCE_DIR) / "src/web")) {
        if (entry.path().extension() != ".cpp") continue;
        const std::string source = contents(entry.path());
        for (std::sregex_iterator at(source.begin(), source.end(), refused), end; at != end; ++at, ++found) {
            const std::string text = std::regex_replace((*at)[1].str(), gap, "7");
            if (text == "'7' 7") continue;  // its second part is a sentence of its own
            EXPECT_NE(language::in_french(text), text) << entry.path();
        }
    }
    EXPECT_GT(found, 40U);
}

TEST(Languages, ErrorsAreSaidInTheLanguageOfTheRequest) {
    const auto said = [](const std::exception& problem) {
        return error_body(problem, language::Tongue::french).second["error"];
    };
    EXPECT_EQ(said(Refusal(422, "step 2: o cannot play 'mark 2 2' here")),
              "étape 2\u00a0: o ne peut pas jouer «\u00a0mark 2 2\u00a0» ici");
    EXPECT_EQ(said(Refusal(400, "'steps' must be a text")), "«\u00a0steps\u00a0» doit être un texte");
    EXPECT_EQ(said(Error("grounding exceeds 9 rule instances", "simplify the rules with most variables")),
              "l'instanciation dépasse 9 instances de règles\u00a0; simplifiez les règles qui ont le plus de "
              "variables");
    Visited server;
    Visit lost{.target = "/api/nowhere"};
    lost.headers.emplace_back("Accept-Language", "fr");
    EXPECT_NE(server.answer(lost).find("chemin inconnu"), std::string::npos);
}

}  // namespace
}  // namespace zermelo::web
