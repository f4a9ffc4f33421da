// A quantified model in MiniZinc in an editor.
//
// Names come from the tokens: what follows a colon in a declaration is given there, and so is what stands before `in`
// in a comprehension. A name that is declared outside all brackets is global; one that is declared inside them is known
// in its item only. Diagnostics are those of the MiniZinc compiler, of our reader, and of a few random plays.

#pragma once

#include "lsp/document.hpp"

namespace zermelo::lsp {

class MiniZincDocument : public Document {
public:
    MiniZincDocument(std::string file, std::string text);

    [[nodiscard]] std::vector<Diagnostic> diagnostics(const Limits& limits) const override;
    [[nodiscard]] std::optional<Hover> hover(std::size_t at) const override;
    [[nodiscard]] std::vector<Range> definitions(std::size_t at) const override;
    [[nodiscard]] std::vector<Range> occurrences(std::size_t at) const override;
    [[nodiscard]] std::vector<Range> renaming(std::size_t at, const std::string& name) const override;
    [[nodiscard]] std::vector<Symbol> symbols() const override;
    [[nodiscard]] std::vector<Completion> completions(std::size_t at) const override;
    [[nodiscard]] std::optional<std::string> formatted() const override { return std::nullopt; }

private:
    struct Token {
        Range range;
        bool name;  // else a number, a string or a sign
        std::size_t item;
        int depth;  // brackets around it
    };
    struct Declaration {
        std::size_t token;
        bool global;
    };

    void scan();
    void find_declarations();
    [[nodiscard]] std::string_view word(std::size_t token) const { return text_.of(tokens_[token].range); }
    [[nodiscard]] std::optional<std::size_t> token_at(std::size_t at) const;
    [[nodiscard]] bool declared_in_item(std::string_view name, std::size_t item) const;
    [[nodiscard]] std::vector<std::size_t> tokens_of(std::size_t token) const;
    [[nodiscard]] Range item_range(std::size_t item) const;
    [[nodiscard]] Range range_of(const Place& place) const;

    std::string file_;
    std::vector<Token> tokens_;
    std::vector<Declaration> declarations_;
    std::vector<std::size_t> item_starts_;  // their first tokens
};

}  // namespace zermelo::lsp
