// The extension for Visual Studio Code: what its manifest names is there, and the colours know what the server knows.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "lsp/gdl_words.hpp"
#include "lsp/minizinc_words.hpp"
#include "support/run.hpp"

namespace zermelo {
namespace {

using nlohmann::json;

const std::string folder = std::string(ZERMELO_SOURCE_DIR) + "/editors/vscode/";

json read_json(const std::string& name) {
    const json object = json::parse(read_file(folder + name), nullptr, false);
    EXPECT_TRUE(object.is_object()) << name;
    return object;
}

TEST(Extension, NamesFilesThatAreThere) {
    const json manifest = read_json("package.json");
    EXPECT_TRUE(std::filesystem::exists(folder + manifest["main"].get<std::string>()));
    for (const json& language : manifest["contributes"]["languages"])
        EXPECT_TRUE(read_json(language["configuration"]).contains("comments"));
    for (const json& grammar : manifest["contributes"]["grammars"])
        EXPECT_EQ(read_json(grammar["path"])["scopeName"], grammar["scopeName"]);
    // What is installed is what the lock file names.
    const json lock = read_json("package-lock.json");
    for (const auto& [name, version] : manifest["dependencies"].items())
        EXPECT_EQ(lock["packages"]["node_modules/" + name]["version"], version) << name;
    if (run("command -v node").code == 0) {
        EXPECT_EQ(run("node --check " + folder + "extension.js").code, 0);
    }
}

// The words that a pattern of a grammar lists in its parentheses.
std::string pattern_of(const std::string& grammar, const std::string& name) {
    const json object = read_json(grammar);
    for (const json& pattern : object["patterns"]) {
        if (pattern.value("name", "") == name) return pattern["match"];
    }
    ADD_FAILURE() << grammar << " has no " << name;
    return "";
}

TEST(Extension, ColoursEveryWordThatTheServerExplains) {
    const std::string gdl = pattern_of("gdl.tmLanguage.json", "keyword.control.gdl");
    const json grammar = read_json("gdl.tmLanguage.json");
    std::string names;
    for (const json& pattern : grammar["patterns"]) {
        if (pattern.contains("captures")) names = pattern["match"];
    }
    EXPECT_NE(names.find("(?!"), std::string::npos) << names;
    for (const lsp::GdlWord& word : lsp::gdl_words()) {
        if (word.name == "<=") continue;
        const std::regex listed("[(|:]" + std::string(word.name) + "[|)]");
        EXPECT_TRUE(std::regex_search(gdl, listed)) << word.name;
        // Behind a parenthesis, where the names of relations are coloured, a word stays a word.
        EXPECT_TRUE(std::regex_search(names, listed)) << word.name;
    }
    const std::string dialect = pattern_of("minizinc.tmLanguage.json", "support.function.zermelo.minizinc");
    const auto words = lsp::read_minizinc_words(
        read_file(std::string(ZERMELO_SOURCE_DIR) + "/share/minizinc/zermelo/zermelo.mzn"));
    EXPECT_GT(words.size(), 12U);
    for (const lsp::MiniZincWord& word : words) {
        if (word.forms.front().starts_with("predicate ")) {
            EXPECT_TRUE(std::regex_search(dialect, std::regex("[(|]" + word.name + "[|)]"))) << word.name;
        }
        EXPECT_FALSE(word.meaning.empty()) << word.name;
    }
}

}  // namespace
}  // namespace zermelo
