// A description in GDL in an editor.
//
// The names of a text are its occurrences: what stands for a relation, for a term (a fluent, a move, a constant), or for
// a variable of one rule. Occurrences come from the tree of parentheses. While that is broken, each statement that
// begins a line is read on its own, so that the rest of the text keeps its names.

#pragma once

#include "gdl/syntax/lexer.hpp"
#include "lsp/document.hpp"

namespace zermelo::lsp {

class GdlDocument : public Document {
public:
    GdlDocument(std::string file, std::string text);

    [[nodiscard]] std::vector<Diagnostic> diagnostics(const Limits& limits) const override;
    [[nodiscard]] std::optional<Hover> hover(std::size_t at) const override;
    [[nodiscard]] std::vector<Range> definitions(std::size_t at) const override;
    [[nodiscard]] std::vector<Range> occurrences(std::size_t at) const override;
    [[nodiscard]] std::vector<Range> renaming(std::size_t at, const std::string& name) const override;
    [[nodiscard]] std::vector<Symbol> symbols() const override;
    [[nodiscard]] std::vector<Completion> completions(std::size_t at) const override;
    [[nodiscard]] std::optional<std::string> formatted() const override;

private:
    enum class Kind : std::uint8_t { keyword, relation, term, variable };
    struct Occurrence {
        Range range;
        std::string name;  // in lower case
        Kind kind;
        bool gives;             // in the head of a rule, or in a fact
        std::size_t statement;  // its number
        std::size_t arguments;
        std::string_view below;  // of a fluent true, of a move does: what it is an argument of
    };
    struct Statement {
        Range range;
        std::size_t head;  // the occurrence that names it; none: no_head
    };
    static constexpr std::size_t no_head = ~std::size_t{0};

    void read(std::string_view part, std::size_t from);
    void read_statement(const gdl::Tree& tree, std::uint32_t node, std::size_t from);
    void read_sentence(const gdl::Tree& tree, std::uint32_t node, std::size_t from, bool head);
    void read_term(const gdl::Tree& tree, std::uint32_t node, std::size_t from, bool gives,
                   std::string_view below);
    void add(const gdl::Tree& tree, std::uint32_t node, std::size_t from, Kind kind, bool gives,
             std::size_t arguments, std::string_view below = "");

    [[nodiscard]] const Occurrence* occurrence_at(std::size_t at) const;
    [[nodiscard]] static bool same(const Occurrence& a, const Occurrence& b);
    [[nodiscard]] Range range_of(const Place& place) const;
    [[nodiscard]] std::string comment_above(const Statement& statement) const;
    [[nodiscard]] std::string domains_of(const Occurrence& name) const;
    [[nodiscard]] std::string about(const Occurrence& name) const;

    std::string file_;
    std::vector<Occurrence> occurrences_;  // in the order of the text
    std::vector<Statement> statements_;
};

}  // namespace zermelo::lsp
