// A document in an editor: what a language server can say of it. One class a language; a change of the text makes a
// new document.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/limits.hpp"
#include "lsp/text.hpp"

namespace zermelo::lsp {

// The numbers are those of the protocol.
enum class Severity { error = 1, warning = 2, information = 3, hint = 4 };

struct Diagnostic {
    Range range;
    Severity severity;
    std::string message;
};

struct Hover {
    Range range;
    std::string markdown;
};

enum class SymbolKind { module = 2, function = 12, variable = 13, constant = 14, enumeration = 10 };

struct Symbol {
    std::string name;
    std::string detail;
    SymbolKind kind;
    Range whole;
    Range name_range;
};

enum class CompletionKind { function = 3, variable = 6, keyword = 14, constant = 21 };

struct Completion {
    std::string label;
    std::string detail;
    CompletionKind kind;
};

class Document {
public:
    explicit Document(std::string text) : text_(std::move(text)) {}
    virtual ~Document() = default;
    Document(const Document&) = delete;
    Document& operator=(const Document&) = delete;

    [[nodiscard]] const Text& text() const { return text_; }

    // Never throws: what cannot be found out within the limits is not said.
    [[nodiscard]] virtual std::vector<Diagnostic> diagnostics(const Limits& limits) const = 0;
    [[nodiscard]] virtual std::optional<Hover> hover(std::size_t at) const = 0;
    // Where the name at this place is given, and where it occurs at all; empty where there is no name.
    [[nodiscard]] virtual std::vector<Range> definitions(std::size_t at) const = 0;
    [[nodiscard]] virtual std::vector<Range> occurrences(std::size_t at) const = 0;
    // What is to be replaced by the new name. Throws Error where that would make another game.
    [[nodiscard]] virtual std::vector<Range> renaming(std::size_t at, const std::string& name) const = 0;
    [[nodiscard]] virtual std::vector<Symbol> symbols() const = 0;
    [[nodiscard]] virtual std::vector<Completion> completions(std::size_t at) const = 0;
    // The text in the usual layout; nothing where it is broken, or there is no usual layout.
    [[nodiscard]] virtual std::optional<std::string> formatted() const = 0;

protected:
    Text text_;
};

// `file` is what messages call the document and where it finds what it includes; its ending, or the name of the
// language that the editor gives, says what it is written in. Nothing where that is another language.
[[nodiscard]] std::unique_ptr<Document> open_document(const std::string& file, const std::string& language,
                                                      std::string text);

}  // namespace zermelo::lsp
