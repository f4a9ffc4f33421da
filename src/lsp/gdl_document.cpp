#include "lsp/gdl_document.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "gdl/analysis/lint.hpp"
#include "gdl/analysis/unreachable.hpp"
#include "gdl/syntax/domains.hpp"
#include "gdl/syntax/parse.hpp"
#include "lsp/gdl_words.hpp"

namespace zermelo::lsp {

namespace {

std::string lower(std::string_view word) {
    std::string result(word);
    for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return result;
}

Diagnostic diagnostic(const Range& range, Severity severity, const std::string& message,
                      const std::string& remedy) {
    return {range, severity, worded(remedy.empty() ? message : message + "; " + remedy)};
}

Severity severity_of(const gdl::Finding& finding) {
    switch (finding.severity) {
        case gdl::Finding::Severity::error:
            return Severity::error;
        case gdl::Finding::Severity::warning:
            return Severity::warning;
        case gdl::Finding::Severity::note:
            return Severity::information;
    }
    return Severity::information;
}

}  // namespace

GdlDocument::GdlDocument(std::string file, std::string text)
    : Document(std::move(text)), file_(std::move(file)) {
    const std::string_view all = text_.bytes();
    try {
        read(all, 0);
    } catch (const Error&) {
        occurrences_.clear();
        statements_.clear();
        std::size_t begin = 0;
        while (begin < all.size()) {
            const std::size_t next = all.find("\n(", begin);
            const std::size_t end = next == std::string_view::npos ? all.size() : next + 1;
            const std::size_t before = occurrences_.size();
            const std::size_t statements = statements_.size();
            try {
                read(all.substr(begin, end - begin), begin);
            } catch (const Error&) {
                occurrences_.resize(before);
                statements_.resize(statements);
            }
            begin = end;
        }
    }
}

// ---- reading

void GdlDocument::read(std::string_view part, std::size_t from) {
    const gdl::Tree tree = gdl::read_tree(part, file_);
    for (std::uint32_t node = 0; node < tree.nodes.size(); node = tree.nodes[node].end)
        read_statement(tree, node, from);
}

void GdlDocument::read_statement(const gdl::Tree& tree, std::uint32_t node, std::size_t from) {
    const std::size_t first = occurrences_.size();
    const gdl::Node& whole = tree.nodes[node];
    statements_.push_back({{from + whole.offset, from + whole.offset + whole.length}, no_head});
    const bool rule = whole.list && node + 1 < whole.end && tree.word(tree.nodes[node + 1]) == "<=";
    if (!rule) {
        read_sentence(tree, node, from, true);
    } else {
        add(tree, node + 1, from, Kind::keyword, false, 0);
        bool head = true;
        for (std::uint32_t part = node + 2; part < whole.end; part = tree.nodes[part].end) {
            read_sentence(tree, part, from, head);
            head = false;
        }
    }
    const std::size_t named = first + (rule ? 1 : 0);
    if (named < occurrences_.size()) statements_.back().head = named;
}

void GdlDocument::read_sentence(const gdl::Tree& tree, std::uint32_t node, std::size_t from, bool head) {
    const gdl::Node& whole = tree.nodes[node];
    if (!whole.list) {
        const std::string_view word = tree.word(whole);
        const Kind kind = word.starts_with('?')       ? Kind::variable
                          : gdl_word(word) != nullptr ? Kind::keyword
                                                      : Kind::relation;
        return add(tree, node, from, kind, head, 0);
    }
    const std::uint32_t name = node + 1;
    if (name == whole.end || tree.nodes[name].list) return;
    std::vector<std::uint32_t> arguments;
    for (std::uint32_t part = name + 1; part < whole.end; part = tree.nodes[part].end)
        arguments.push_back(part);
    const std::string word = lower(tree.word(tree.nodes[name]));
    const GdlWord* keyword = word == "random" ? nullptr : gdl_word(word);
    add(tree, name, from, keyword != nullptr ? Kind::keyword : Kind::relation, head, arguments.size());
    if (word == "not" || word == "or" || word == "and") {
        for (const std::uint32_t part : arguments) read_sentence(tree, part, from, false);
        return;
    }
    const bool fluent = word == "init" || word == "next" || word == "true" || word == "base";
    const bool move = word == "legal" || word == "does" || word == "input";
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const bool last = i + 1 == arguments.size();
        const bool gives = head && (word == "role" || ((fluent || move) && last));
        read_term(tree, arguments[i], from, gives, fluent && last ? "true" : move && last ? "does" : "");
    }
}

void GdlDocument::read_term(const gdl::Tree& tree, std::uint32_t node, std::size_t from, bool gives,
                            std::string_view below) {
    const gdl::Node& whole = tree.nodes[node];
    if (!whole.list) {
        const bool variable = tree.word(whole).starts_with('?');
        return add(tree, node, from, variable ? Kind::variable : Kind::term, gives && !variable, 0, below);
    }
    const std::uint32_t name = node + 1;
    if (name == whole.end || tree.nodes[name].list) return;
    std::size_t arguments = 0;
    for (std::uint32_t part = name + 1; part < whole.end; part = tree.nodes[part].end) ++arguments;
    add(tree, name, from, Kind::term, gives, arguments, below);
    for (std::uint32_t part = name + 1; part < whole.end; part = tree.nodes[part].end)
        read_term(tree, part, from, false, "");
}

void GdlDocument::add(const gdl::Tree& tree, std::uint32_t node, std::size_t from, Kind kind, bool gives,
                      std::size_t arguments, std::string_view below) {
    const gdl::Node& word = tree.nodes[node];
    const Range range{from + word.offset, from + word.offset + word.length};
    occurrences_.push_back(
        {range, lower(tree.word(word)), kind, gives, statements_.size() - 1, arguments, below});
}

// ---- looking up

const GdlDocument::Occurrence* GdlDocument::occurrence_at(std::size_t at) const {
    const Occurrence* touched = nullptr;
    for (const Occurrence& occurrence : occurrences_) {
        if (occurrence.range.contains(at)) return &occurrence;
        if (occurrence.range.touches(at)) touched = &occurrence;
    }
    return touched;
}

bool GdlDocument::same(const Occurrence& a, const Occurrence& b) {
    return a.kind == b.kind && a.name == b.name && (a.kind != Kind::variable || a.statement == b.statement);
}

std::vector<Range> GdlDocument::occurrences(std::size_t at) const {
    std::vector<Range> found;
    if (const Occurrence* wanted = occurrence_at(at)) {
        for (const Occurrence& occurrence : occurrences_) {
            if (same(occurrence, *wanted)) found.push_back(occurrence.range);
        }
    }
    return found;
}

std::vector<Range> GdlDocument::definitions(std::size_t at) const {
    const Occurrence* wanted = occurrence_at(at);
    if (wanted == nullptr || wanted->kind == Kind::keyword) return {};
    std::vector<Range> given;
    for (const Occurrence& occurrence : occurrences_) {
        if (occurrence.gives && same(occurrence, *wanted)) given.push_back(occurrence.range);
    }
    // A constant, or a variable: where it stands first.
    if (given.empty() && wanted->kind != Kind::relation) given.push_back(occurrences(at).front());
    return given;
}

std::vector<Range> GdlDocument::renaming(std::size_t at, const std::string& name) const {
    const Occurrence* wanted = occurrence_at(at);
    if (wanted == nullptr) throw Error("there is no name here", "put the cursor on one");
    if (wanted->kind == Kind::keyword || (wanted->kind == Kind::term && wanted->name == "random"))
        throw Error(fmt::format("{} is a word of GDL", wanted->name), "choose a name of the game's own");
    const bool variable = wanted->kind == Kind::variable;
    const std::string rest = variable && name.starts_with('?') ? name.substr(1) : name;
    if (rest.empty() || rest.find_first_of(" \t\r\n();\"'`|?") != std::string::npos || rest == "<=" ||
        (variable != name.starts_with('?')))
        throw Error(fmt::format("{} is not a name", name),
                    variable ? "write ? and letters, digits or _" : "write letters, digits or _");
    if (gdl_word(name) != nullptr)
        throw Error(fmt::format("{} is a word of GDL", name), "choose another name");
    const std::string word = lower(name);
    for (const Occurrence& occurrence : occurrences_) {
        if (occurrence.kind == wanted->kind && occurrence.name == word && word != wanted->name &&
            (!variable || occurrence.statement == wanted->statement))
            throw Error(fmt::format("{} is already the name of something else", name), "choose another name");
    }
    return occurrences(at);
}

// ---- telling

std::string GdlDocument::comment_above(const Statement& statement) const {
    std::string comment;
    for (std::size_t number = text_.line_of(statement.range.begin); number-- > 0;) {
        const std::string_view line = text_.of(text_.line(number));
        const std::size_t begin = line.find_first_not_of(" \t");
        if (begin == std::string_view::npos || line[begin] != ';') break;
        const std::size_t words = line.find_first_not_of("; \t", begin);
        comment.insert(0, words == std::string_view::npos ? "\n" : std::string(line.substr(words)) + "\n");
    }
    return comment;
}

std::string GdlDocument::domains_of(const Occurrence& name) const {
    if (name.arguments == 0) return "";
    try {
        gdl::Description game = gdl::parse(text_.bytes(), file_);
        gdl::Domains domains(game);
        const gdl::Symbol symbol = game.symbols.intern(name.name);
        std::string text;
        for (std::size_t i = 0; i < name.arguments; ++i) {
            const auto values = name.kind == Kind::relation
                                    ? domains.of_relation(symbol, name.arguments, i)
                                    : domains.of_term(name.below == "does" ? gdl::kw_does : gdl::kw_true,
                                                      symbol, name.arguments, i);
            if (values.empty()) continue;
            constexpr std::size_t most = 12;
            std::vector<std::string> shown;
            for (const gdl::Symbol value : values) {
                if (shown.size() == most) {
                    shown.emplace_back("…");
                    break;
                }
                shown.push_back(game.symbols.name(value));
            }
            text += fmt::format("- argument {}: {}\n", i + 1, fmt::join(shown, ", "));
        }
        return text.empty() ? "" : "\n" + text;
    } catch (const Error&) {
        return "";  // the text is broken at the moment
    }
}

std::string GdlDocument::about(const Occurrence& name) const {
    std::size_t given = 0;
    std::size_t used = 0;
    std::set<std::string_view> below;
    const Statement* first = nullptr;
    for (const Occurrence& occurrence : occurrences_) {
        if (!same(occurrence, name)) continue;
        ++(occurrence.gives ? given : used);
        if (!occurrence.below.empty()) below.insert(occurrence.below);
        if (occurrence.gives && first == nullptr) first = &statements_[occurrence.statement];
    }
    const char* what = name.kind == Kind::variable   ? "variable of this rule"
                       : name.kind == Kind::relation ? "relation"
                       : below.contains("true")      ? "fluent"
                       : below.contains("does")      ? "move"
                                                     : "constant";
    std::string text = fmt::format("**{}** — {}", name.name, what);
    if (name.arguments > 0)
        text += fmt::format(" with {} argument{}", name.arguments, name.arguments == 1 ? "" : "s");
    text += '\n';
    if (first != nullptr) {
        if (const std::string comment = comment_above(*first); !comment.empty()) text += "\n" + comment;
        text += fmt::format("\n```gdl\n{}\n```\n", text_.of(first->range));
    }
    text += fmt::format("\ngiven {} time{}, used {} time{}\n", given, given == 1 ? "" : "s", used,
                        used == 1 ? "" : "s");
    return text + domains_of(name);
}

std::optional<Hover> GdlDocument::hover(std::size_t at) const {
    const Occurrence* name = occurrence_at(at);
    if (name == nullptr) return std::nullopt;
    if (name->kind == Kind::keyword || name->name == "random") {
        const GdlWord* word = gdl_word(name->name);
        return Hover{name->range,
                     fmt::format("**{}** — `{}`\n\n{}\n", word->name, word->form, word->meaning)};
    }
    return Hover{name->range, about(*name)};
}

Range GdlDocument::range_of(const Place& place) const {
    const std::size_t at = text_.offset_of_place(place.line, place.column);
    if (place.line == 0) return text_.line(0);
    for (const Statement& statement : statements_) {
        if (statement.range.begin == at)
            return {at, std::min(statement.range.end, text_.line(text_.line_of(at)).end)};
    }
    const std::size_t end = text_.bytes().find_first_of(" \t\r\n);", at + 1);
    return {at, std::max(at, std::min(end, text_.bytes().size()))};
}

std::vector<Diagnostic> GdlDocument::diagnostics(const Limits& limits) const {
    std::vector<Diagnostic> found;
    try {
        const gdl::Description game = gdl::parse(text_.bytes(), file_);
        auto findings = gdl::check(game);
        const auto unlikely = gdl::lint(game);
        findings.insert(findings.end(), unlikely.begin(), unlikely.end());
        const auto never = gdl::unreachable(game, limits);
        findings.insert(findings.end(), never.begin(), never.end());
        for (const gdl::Finding& finding : findings)
            found.push_back(
                diagnostic(range_of(finding.place), severity_of(finding), finding.message, finding.remedy));
    } catch (const Error& problem) {
        found.push_back(
            diagnostic(range_of(problem.place()), Severity::error, problem.problem(), problem.remedy()));
    }
    return found;
}

std::vector<Symbol> GdlDocument::symbols() const {
    std::vector<Symbol> found;
    for (const Statement& statement : statements_) {
        if (statement.head == no_head) continue;
        const Occurrence& head = occurrences_[statement.head];
        std::string name = head.name;
        std::string detail;
        // What is said: next cell, legal mark.
        for (std::size_t i = statement.head + 1; head.kind == Kind::keyword && i < occurrences_.size(); ++i) {
            const Occurrence& inner = occurrences_[i];
            if (inner.statement != head.statement) break;
            if (!inner.gives || inner.kind != Kind::term) continue;
            name += " " + inner.name;
            break;
        }
        const std::string_view whole = text_.of(statement.range);
        detail = std::string(whole.substr(0, whole.find('\n')));
        const bool fact = !whole.starts_with("(<=");
        found.push_back(
            {name, detail, fact ? SymbolKind::constant : SymbolKind::function, statement.range, head.range});
    }
    return found;
}

std::vector<Completion> GdlDocument::completions(std::size_t at) const {
    std::vector<Completion> found;
    // In a variable: those of the statement.
    std::size_t begin = at;
    while (begin > 0 &&
           std::string_view(" \t\r\n()").find(text_.bytes()[begin - 1]) == std::string_view::npos)
        --begin;
    const bool variable = begin < text_.bytes().size() && text_.bytes()[begin] == '?';
    for (const GdlWord& word : gdl_words()) {
        if (!variable)
            found.push_back({std::string(word.name), std::string(word.form), CompletionKind::keyword});
    }
    std::map<std::string, CompletionKind> names;
    for (const Occurrence& occurrence : occurrences_) {
        if (occurrence.range.touches(at) || occurrence.kind == Kind::keyword) continue;
        const bool near = statements_[occurrence.statement].range.touches(at);
        if (occurrence.kind == Kind::variable) {
            if (near) names.emplace(occurrence.name, CompletionKind::variable);
        } else if (!variable) {
            names.emplace(occurrence.name, occurrence.kind == Kind::relation ? CompletionKind::function
                                                                             : CompletionKind::constant);
        }
    }
    for (const auto& [name, kind] : names) found.push_back({name, "", kind});
    return found;
}

std::optional<std::string> GdlDocument::formatted() const {
    try {
        return gdl::format(text_.bytes(), file_);
    } catch (const Error&) {
        return std::nullopt;
    }
}

}  // namespace zermelo::lsp
