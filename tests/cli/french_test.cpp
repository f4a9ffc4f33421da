// Forty mistakes, each with the exact message that it gets: in English, in French, and as an object.

#include <regex>
#include <set>

#include "program.hpp"

namespace zermelo {
namespace {

struct Mistake {
    std::string arguments;
    std::string english;
    std::string french;
    bool object = true;  // the subcommand has --json
};

class French : public Program {
protected:
    void SetUp() override {
        std::filesystem::create_directory_symlink(std::string(ZERMELO_SOURCE_DIR) + "/games", path("games"));
        std::filesystem::create_directory(path("folder.kif"));
        (void)write("empty.mzn", "% nothing\n");
        (void)write("open.kif", "(role x)\n(legal x");
        (void)write("arity.kif", "(role x)\n(legal x)\n");
        (void)write("nim.mzn", read_file(nim));
    }
    // In the scratch directory, so that messages name short paths.
    [[nodiscard]] Ran here(const std::string& language, const std::string& arguments) const {
        return run("cd " + path("") + " && env LC_ALL= LC_MESSAGES= LANG=" + language + " " + binary + " " +
                   arguments);
    }
    [[nodiscard]] static std::string first_line(const Ran& ran) {
        return ran.err.substr(0, ran.err.find('\n'));
    }
    // The line, with a … where the expected one has it instead of a list at the end.
    static std::string cut_as(const std::string& expected, const std::string& line) {
        const std::string dots = "…";
        if (!expected.ends_with(dots)) return line;
        return line.substr(0, expected.size() - dots.size()) + dots;
    }
    // file:line:column: message; remedy
    static std::string line_of(const nlohmann::json& error, const std::string& semicolon) {
        std::string line;
        if (error.contains("file")) line = error["file"];
        for (const char* part : {"line", "column"}) {
            if (error.contains(part)) line += ":" + error[part].dump();
        }
        line += (line.empty() ? "" : ": ") + error["message"].get<std::string>();
        return error.contains("remedy") ? line + semicolon + error["remedy"].get<std::string>() : line;
    }
};

const std::vector<Mistake>& mistakes() {
    static const std::vector<Mistake> all = {
#include "mistakes.inc"
    };
    return all;
}

TEST_F(French, FortyMistakesGetTheirMessageInTwoLanguagesAndAsAnObject) {
    EXPECT_GE(mistakes().size(), 40U);
    for (const Mistake& mistake : mistakes()) {
        SCOPED_TRACE(mistake.arguments);
        const Ran english = here("C.UTF-8", mistake.arguments);
        EXPECT_EQ(english.code, 2);
        EXPECT_EQ(english.out, "");
        EXPECT_EQ(cut_as(mistake.english, first_line(english)), mistake.english);
        const Ran french = here("fr_FR.UTF-8", mistake.arguments);
        EXPECT_EQ(french.code, 2);
        EXPECT_EQ(cut_as(mistake.french, first_line(french)), mistake.french);
        EXPECT_NE(mistake.english, mistake.french);
        if (!mistake.object) continue;
        for (const auto& [language, line] :
             {std::pair("C.UTF-8", mistake.english), std::pair("fr_FR.UTF-8", mistake.french)}) {
            const Ran ran = here(language, mistake.arguments + " --json");
            EXPECT_EQ(ran.code, 2);
            const auto object = json_of(ran);
            ASSERT_TRUE(object.contains("error")) << ran.out;
            const std::string semicolon = line == mistake.english ? "; " : "\u00a0; ";
            EXPECT_EQ(cut_as(line, line_of(object["error"], semicolon)), line);
            EXPECT_TRUE(object["error"].contains("message"));
            EXPECT_TRUE(object["error"].contains("remedy"));
        }
    }
}

// The first of LC_ALL, LC_MESSAGES and LANG that is set says it.
TEST_F(French, TheEnvironmentSaysTheLanguage) {
    const auto said = [&](const std::string& environment) {
        return first_line(
            run("env -u LC_ALL -u LC_MESSAGES -u LANG " + environment + " " + binary + " frobnicate"));
    };
    for (const char* french : {"LANG=fr", "LANG=fr_CA", "LC_MESSAGES=fr_FR.UTF-8 LANG=C",
                               "LC_ALL=fr_FR LANG=de_DE", "LC_ALL= LANG=fr_BE@euro"})
        EXPECT_SAYS(said(french), "il n'y a pas de sous-commande frobnicate");
    for (const char* english : {"", "LANG=C", "LANG=fro", "LC_ALL=C LANG=fr_FR.UTF-8", "LANG=en_GB.UTF-8"})
        EXPECT_SAYS(said(english), "there is no subcommand frobnicate");
}

TEST_F(French, VerdictsAndPlaysAreTold) {
    const auto told = [&](const std::string& arguments) { return here("fr_FR.UTF-8", arguments).out; };
    const std::string drawn = told("solve games/gdl/tic-tac-toe.kif");
    EXPECT_TRUE(drawn.starts_with("partie nulle\u00a0: x 50, o 50 — par attracteurs, 765 états, ")) << drawn;
    const std::string won = told("solve games/quantified/nim-fibonacci.mzn -D n=8");
    EXPECT_TRUE(won.starts_with("perdu par ∃ en ")) << won;
    EXPECT_SAYS(won, "contre-stratégie\u00a0: ");
    // de and que lose their vowel before a name that begins with one.
    EXPECT_SAYS(told("solve games/gdl/nim.kif"), "plan d'alice pour 100\u00a0: ");
    EXPECT_SAYS(told("solve games/graphs/subtraction-13.json"), "plan de Bob pour 100\u00a0: ");
    const std::string played = told("play games/gdl/tic-tac-toe.kif </dev/null");
    EXPECT_SAYS(played, "Vous jouez x. Le programme joue parfaitement, il connaît les ");
    EXPECT_SAYS(played, "\nLa partie n'est pas finie.\n");
    (void)write("begun.kif", "(role alice)\n(init (light on))\n");
    const std::string check = told("gdl check begun.kif");
    EXPECT_SAYS(check,
                "begun.kif: erreur\u00a0: il n'y a pas de règle pour `legal`\u00a0; dites quels coups sont "
                "possibles par (legal rôle coup)\n");
    EXPECT_SAYS(check, "remarque\u00a0: aucune règle ne demande `light` par `true`");
    // What programs read stays as it is.
    const std::string with_json = " --json games/gdl/tic-tac-toe.kif";
    EXPECT_EQ(json_of(here("fr_FR.UTF-8", "solve" + with_json))["verdict"], "drawn");
    EXPECT_EQ(told("gdl fmt games/gdl/nim.kif"), here("C", "gdl fmt games/gdl/nim.kif").out);
}

// What --help says of each option and subcommand, without the examples and the names of options.
std::set<std::string> descriptions(const std::string& help) {
    static const std::regex described(R"(^(?:  ?\S.*?\s{2,}|\s{20,})(\S.*)$)");
    std::set<std::string> found;
    std::istringstream lines(help);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("Ex")) break;
        std::smatch parts;
        if (std::regex_match(line, parts, described)) found.insert(parts[1]);
    }
    return found;
}

TEST_F(French, NetworksOfATurnAreTold) {
    const std::string told = here("fr", "gdl network games/gdl/nim.kif").out;
    for (const char* text :
         {" contraintes\n", "groupes de fluents prouvés", " en portes\n", "sur les mêmes variables",
          "valeurs", "variables avec un choix", "partagée : tous les joueurs", "prétraitement"})
        EXPECT_SAYS(told, text);
}

TEST_F(French, NothingIsLeftInEnglishInTheHelp) {
    const std::set<std::string> same = {"auto, attractors, alpha-beta, proof-number, levels"};
    static const std::regex below(R"(\n  ([a-z-]+)  +)");
    std::vector<std::string> commands = {""};
    for (std::size_t i = 0; i < commands.size(); ++i) {
        SCOPED_TRACE(commands[i]);
        const std::string english = here("C", "help " + commands[i]).out;
        const std::string french = here("fr", "help " + commands[i]).out;
        EXPECT_EQ(here("fr", commands[i] + " --help").out, french);
        const auto told = descriptions(french);
        // Where the name of an option fills its column, one blank is left, and the description is not found.
        EXPECT_GE(told.size() + 3, descriptions(english).size()) << french;
        for (const std::string& text : descriptions(english))
            EXPECT_TRUE(!told.contains(text) || same.contains(text)) << text;
        for (const char* word :
             {"default", "Options:", "Subcommands", "Positionals", "REQUIRED", "Examples", " the ", "stops"})
            EXPECT_EQ(french.find(word), std::string::npos) << word;
        const std::size_t list = english.find("\nSubcommands:");
        if (list == std::string::npos) continue;
        for (std::sregex_iterator
                 at(english.begin() + static_cast<std::ptrdiff_t>(list), english.end(), below),
             end;
             at != end; ++at)
            commands.push_back(commands[i] + (commands[i].empty() ? "" : " ") + (*at)[1].str());
    }
    EXPECT_GE(commands.size(), 35U);
    EXPECT_SAYS(here("fr", "help --man solve").out, ".SH CODE DE SORTIE\n");
}

TEST_F(French, MatchesAndTournamentsAreTold) {
    const std::string told =
        here("fr", "match games/gdl/tic-tac-toe.kif random random --games 2 --playouts 1").out;
    EXPECT_SAYS(told, "2 parties de 1 jeu entre 2 joueurs, ");
    EXPECT_SAYS(told, "\nCoups et temps\n  Joueur ");
    EXPECT_SAYS(told, "Gagnées");
    EXPECT_EQ(told.find("Player"), std::string::npos) << told;
    const Ran tournament = here("fr",
                                "tournament --games games/gdl/nim.kif --games games/gdl/tic-tac-toe.kif "
                                "--gauntlet --rounds 1 --playouts 1 --players random random:label=other");
    EXPECT_EQ(tournament.code, 0) << tournament.err;
    EXPECT_SAYS(tournament.out, "Scores de random contre chacun des autres, avec intervalles à 95\u00a0%\n");
    EXPECT_SAYS(tournament.out, "tous les jeux");
    EXPECT_SAYS(tournament.out, "\nPar jeu\n");
}

TEST_F(French, ExplanationsAreTold) {
    const std::string told = here("fr", "analyse games/gdl/nim.kif --why").out;
    EXPECT_SAYS(told, "1. alice\u00a0: gagné en 11 coups\u00a0; tout autre coup vaut moins\n");
    EXPECT_SAYS(told, "meilleure défense");
    EXPECT_SAYS(told, "\nla fin\u00a0: alice 100, bob 0\n");
    for (const char* word : {" won", " lost", "answered", "moves"})
        EXPECT_EQ(told.find(word), std::string::npos) << told;
}

TEST_F(French, WarningsAreTranslatedToo) {
    const std::string file = write(
        "quote.kif", read_file(std::string(ZERMELO_SOURCE_DIR) + "/games/gdl/nim.kif") + "(heap_name 'd)\n");
    const Ran ran = here("fr_FR.UTF-8", "gdl perft quote.kif --depth 1");
    EXPECT_EQ(ran.code, 0);
    EXPECT_SAYS(first_line(ran), "avertissement : le guillemet ' ne dit rien en GDL");
    EXPECT_SAYS(ran.out, "prof.");
    const std::string with_json = "gdl perft quote.kif --depth 1 --json";
    EXPECT_EQ(json_of(here("fr_FR.UTF-8", with_json))["joint_moves"],
              json_of(here("C", with_json))["joint_moves"]);
}

}  // namespace
}  // namespace zermelo
