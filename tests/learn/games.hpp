// A shipped game with its canonical numbering, and the same game with all names scrambled.

#pragma once

#include <fstream>
#include <map>
#include <sstream>

#include "core/random.hpp"
#include "gdl/syntax/parse.hpp"
#include "support/shipped.hpp"
#include "symmetry/rules_form.hpp"

namespace zermelo::learn {

inline std::string text_of_shipped(const std::string& name) {
    std::ifstream in(shipped(name));
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

// The rules and facts in another order; those about roles stay in theirs, at the beginning.
inline std::string shuffled(const std::string& text, Random& random) {
    std::vector<std::string> roles;
    std::vector<std::string> others;
    std::string one;
    int depth = 0;
    for (const char c : text) {
        if (depth == 0 && c != '(') continue;
        one += c;
        depth += c == '(' ? 1 : c == ')' ? -1 : 0;
        if (depth > 0) continue;
        (one.starts_with("(role ") ? roles : others).push_back(one);
        one.clear();
    }
    for (std::size_t i = others.size(); i > 1; --i) std::swap(others[i - 1], others[random.below(i)]);
    std::string result;
    for (const auto* part : {&roles, &others}) {
        for (const std::string& each : *part) result += each + "\n";
    }
    return result;
}

// Every word that is no keyword becomes another one, variables too. `reordered`: and the rules come in another order.
inline std::string scrambled(const std::string& text, std::uint64_t seed, bool reordered = false) {
    static const std::vector<std::string> keywords = {"role", "init", "true", "does",     "legal", "next",
                                                      "goal", "base", "sees", "terminal", "input", "distinct",
                                                      "not",  "or",   "and",  "random",   "<="};
    Random random(seed);
    std::map<std::string, std::string> names;
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        if (text[i] == ';') {
            while (i < text.size() && text[i] != '\n') ++i;
            continue;
        }
        if (std::isspace(static_cast<unsigned char>(text[i])) != 0 || text[i] == '(' || text[i] == ')') {
            out += text[i++];
            continue;
        }
        std::string word;
        while (i < text.size() && std::isspace(static_cast<unsigned char>(text[i])) == 0 && text[i] != '(' &&
               text[i] != ')' && text[i] != ';')
            word += text[i++];
        // Goals are numbers that mean something; so numbers stay where they are goals.
        const bool keyword = std::find(keywords.begin(), keywords.end(), word) != keywords.end();
        const bool number = word == "0" || word == "50" || word == "100" || word == "25" || word == "75";
        if (keyword || number) {
            out += word;
            continue;
        }
        auto& name = names[word];
        if (name.empty())
            name = (word[0] == '?' ? "?w" : "w") + std::to_string(random.below(1'000'000'000)) + "x" +
                   std::to_string(names.size());
        out += name;
    }
    return reordered ? shuffled(out, random) : out;
}

}  // namespace zermelo::learn
