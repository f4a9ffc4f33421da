#include "lsp/minizinc_words.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

#include "model/flatzinc/minizinc.hpp"

namespace zermelo::lsp {

namespace {

MiniZincWord& entry(std::vector<MiniZincWord>& words, const std::string& name) {
    const auto found = std::ranges::find(words, name, &MiniZincWord::name);
    if (found != words.end()) return *found;
    return words.emplace_back(MiniZincWord{name, {}, ""});
}

// The head of a declaration: up to the parenthesis that closes its parameters.
std::string head_of(const std::string& item) {
    int depth = 0;
    for (std::size_t at = 0; at < item.size(); ++at) {
        if (item[at] == '(') ++depth;
        if (item[at] == ')' && --depth == 0) return item.substr(0, at + 1);
    }
    return item.substr(0, item.find(';'));
}

// With one blank where there were several, or a line ended.
std::string on_one_line(const std::string& text) {
    std::istringstream words(text);
    std::string line;
    for (std::string word; words >> word;) line += (line.empty() ? "" : " ") + word;
    return line;
}

}  // namespace

std::vector<MiniZincWord> read_minizinc_words(std::string_view library) {
    std::vector<MiniZincWord> words;
    std::string comment;
    std::string item;
    std::istringstream lines{std::string(library)};
    for (std::string line; std::getline(lines, line);) {
        if (item.empty() && line.starts_with("%")) {
            comment += line.substr(line.find_first_not_of("% ") == std::string::npos
                                       ? line.size()
                                       : line.find_first_not_of("% ")) +
                       "\n";
            continue;
        }
        if (item.empty() && line.find_first_not_of(" \t") == std::string::npos) {
            comment.clear();
            continue;
        }
        item += line + "\n";
        if (line.find(';') == std::string::npos) continue;
        const std::string head = on_one_line(head_of(item));
        const bool annotation = head.starts_with("annotation ");
        const std::size_t open = head.find('(');
        const std::size_t before = head.find_last_of(" :", open == std::string::npos ? head.size() : open);
        const std::string name =
            before == std::string::npos
                ? ""
                : head.substr(before + 1, open == std::string::npos ? std::string::npos : open - before - 1);
        if (!name.empty() && !name.starts_with("zermelo_") && (annotation || open != std::string::npos)) {
            MiniZincWord& word = entry(words, name);
            word.forms.push_back(head);
            word.meaning += comment;
        }
        comment.clear();
        item.clear();
    }
    return words;
}

const std::vector<MiniZincWord>& minizinc_words() {
    static const std::vector<MiniZincWord> words = [] {
        std::ifstream file(model::installed_minizinc_library() + "/zermelo.mzn", std::ios::binary);
        return read_minizinc_words(
            std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()));
    }();
    return words;
}

const std::vector<std::string>& minizinc_keywords() {
    // In the order of the alphabet.
    static const std::vector<std::string> keywords = {
        "ann",   "annotation", "any",      "array",     "bool",    "case",     "constraint", "default",
        "diff",  "div",        "else",     "elseif",    "endif",   "enum",     "exists",     "false",
        "float", "forall",     "function", "if",        "in",      "include",  "int",        "intersect",
        "let",   "list",       "maximize", "minimize",  "mod",     "not",      "of",         "op",
        "opt",   "output",     "par",      "predicate", "product", "record",   "satisfy",    "set",
        "show",  "solve",      "string",   "subset",    "sum",     "superset", "symdiff",    "test",
        "then",  "true",       "tuple",    "type",      "union",   "var",      "where",      "xor"};
    return keywords;
}

bool is_minizinc_keyword(std::string_view word) {
    return std::ranges::binary_search(minizinc_keywords(), word);
}

}  // namespace zermelo::lsp
