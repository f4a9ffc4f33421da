// Lexer for KIF (Genesereth and Fikes 1992): the tree of parentheses and words of a text, before anything is
// known about rules.
//
// The nodes stand in one array in the order of the text, and each knows where its subtree ends, so that a
// text of many megabytes is one pass and a handful of allocations. Nesting is bounded, because the parser
// recurses.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gdl/syntax/description.hpp"

namespace zermelo::gdl {

inline constexpr int deepest_nesting = 1000;

struct Node {
    bool list;
    std::uint32_t end;     // one past the last node of the subtree: for a child, its next sibling
    std::uint32_t offset;  // in the text
    std::uint32_t length;  // of the text, the closing parenthesis included
    int line;
    int column;
};

struct Comment {
    std::uint32_t offset;  // of its first semicolon
    std::uint32_t length;  // without the line break
    int line;
    bool alone;  // nothing stands before it in its line
};

struct Tree {
    std::string_view text;
    std::vector<Node> nodes;
    std::vector<Comment> comments;
    std::vector<Repair> repairs = {};  // stray quotes

    [[nodiscard]] std::string_view word(const Node& node) const {
        return text.substr(node.offset, node.length);
    }
};

// Throws Error with line and column. The tree refers to `text`.
[[nodiscard]] Tree read_tree(std::string_view text, const std::string& file);

}  // namespace zermelo::gdl
