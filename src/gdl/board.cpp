#include "gdl/board.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <sstream>

namespace zermelo::gdl {

namespace {

struct Fact {
    std::string text;
    std::vector<std::string> words;
};

Fact read_fact(const std::string& text) {
    Fact fact{text, {}};
    if (!text.starts_with("(")) return fact;
    if (text.find('(', 1) != std::string::npos) return fact;  // nested terms are no board
    std::istringstream words(text.substr(1, text.size() - 2));
    for (std::string word; words >> word;) fact.words.push_back(word);
    return fact;
}

std::optional<int> small_number(const std::string& word) {
    if (word.empty() || word.size() > 2 || word.find_first_not_of("0123456789") != std::string::npos)
        return std::nullopt;
    return std::stoi(word);
}

using Cells = std::map<int, std::map<int, std::string>>;  // by row and column

std::optional<Cells> cells(const std::vector<Fact>& facts) {
    Cells board;
    for (const Fact& fact : facts) {
        if (fact.words.size() != 4) return std::nullopt;
        const auto first = small_number(fact.words[1]);
        const auto second = small_number(fact.words[2]);
        if (!first || !second) return std::nullopt;
        if (!board[*second].try_emplace(*first, fact.words[3]).second) return std::nullopt;
    }
    return board.size() > 1 ? std::optional(board) : std::nullopt;
}

std::string lined_up(const Cells& board) {
    std::map<int, std::size_t> width;  // by column
    for (const auto& [row, columns] : board) {
        for (const auto& [column, thing] : columns) {
            const std::size_t needed = std::max(thing.size(), std::to_string(column).size());
            width[column] = std::max(width[column], needed);
        }
    }
    std::string text;
    for (auto row = board.rbegin(); row != board.rend(); ++row) {
        text += fmt::format("{:>4} |", row->first);
        for (const auto& [column, wide] : width) {
            const auto thing = row->second.find(column);
            text += fmt::format(" {:<{}}", thing == row->second.end() ? "." : thing->second, wide);
        }
        text += '\n';
    }
    text += "      ";
    for (const auto& [column, wide] : width) text += fmt::format(" {:<{}}", column, wide);
    return text + '\n';
}

}  // namespace

std::string board(const std::vector<std::string>& facts) {
    std::map<std::string, std::vector<Fact>> by_relation;
    for (const std::string& text : facts) {
        Fact fact = read_fact(text);
        by_relation[fact.words.empty() ? "" : fact.words.front()].push_back(std::move(fact));
    }
    std::string result;
    for (const auto& [relation, group] : by_relation) {
        if (const auto found = cells(group)) {
            result += fmt::format("{}, first number across, second upwards:\n{}", relation, lined_up(*found));
            continue;
        }
        std::string line;
        for (const Fact& fact : group) line += (line.empty() ? "" : " ") + fact.text;
        result += line + '\n';
    }
    return result;
}

}  // namespace zermelo::gdl
