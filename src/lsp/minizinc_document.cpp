#include "lsp/minizinc_document.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>

#include "lsp/minizinc_words.hpp"
#include "model/structure.hpp"
#include "solve/problem/problem.hpp"
#include "strategy/rules/horizon.hpp"

namespace zermelo::lsp {

namespace {

bool begins_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool goes_on_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// One past the end of a string, or of \( inside it; of the line where neither comes.
std::size_t end_of_string(const std::string& text, std::size_t at) {
    while (at < text.size() && text[at] != '"' && text[at] != '\n') {
        if (text[at] == '\\' && at + 1 < text.size() && text[at + 1] == '(') return at + 2;
        at += text[at] == '\\' ? 2U : 1U;
    }
    return std::min(at + 1, text.size());
}

}  // namespace

MiniZincDocument::MiniZincDocument(std::string file, std::string text)
    : Document(std::move(text)), file_(std::move(file)) {
    scan();
    find_declarations();
}

// ---- reading

// Comments and the inside of strings are no tokens, but for what stands in \(…) inside a string.
void MiniZincDocument::scan() {
    const std::string& text = text_.bytes();
    std::size_t item = 0;
    int depth = 0;
    bool new_item = true;
    std::vector<int> strings;  // the depths at which one goes on behind the parenthesis
    for (std::size_t at = 0; at < text.size();) {
        const char c = text[at];
        if (std::isspace(static_cast<unsigned char>(c)) != 0) {
            ++at;
            continue;
        }
        if (c == '%' || text.compare(at, 2, "/*") == 0) {
            const std::size_t close = c == '%' ? text.find('\n', at) : text.find("*/", at + 2);
            at = close == std::string::npos ? text.size() : close + (c == '%' ? 1 : 2);
            continue;
        }
        const bool closes = c == ')' || c == ']' || c == '}';
        const bool string_goes_on = c == ')' && !strings.empty() && depth == strings.back() + 1;
        if (closes) depth = std::max(0, depth - 1);
        std::size_t end = at + 1;
        bool opens = c == '(' || c == '[' || c == '{';
        if (string_goes_on) strings.pop_back();
        if (c == '"' || string_goes_on) {
            end = end_of_string(text, end);
            opens = text[end - 1] == '(';  // of an expression inside
            if (opens) strings.push_back(depth);
        } else if (begins_name(c) || std::isdigit(static_cast<unsigned char>(c)) != 0) {
            while (end < text.size() && goes_on_name(text[end])) ++end;
        } else if (text.compare(at, 2, "::") == 0 || text.compare(at, 2, "..") == 0) {
            ++end;
        }
        if (new_item) item_starts_.push_back(tokens_.size());
        new_item = c == ';' && depth == 0;
        tokens_.push_back({{at, end}, begins_name(c), item, depth});
        if (opens) ++depth;
        if (new_item) ++item;
        at = end;
    }
}

void MiniZincDocument::find_declarations() {
    for (std::size_t t = 0; t < tokens_.size(); ++t) {
        if (!tokens_[t].name || is_minizinc_keyword(word(t))) continue;
        const std::string_view before = t > 0 && tokens_[t - 1].item == tokens_[t].item ? word(t - 1) : "";
        const std::string_view after = t + 1 < tokens_.size() ? word(t + 1) : "";
        const bool declared = before == ":" || before == "enum" || before == "predicate" ||
                              before == "test" || before == "annotation" || before == "type";
        // i in 1..n, and the first of i, j in 1..n
        bool generator = after == "in" &&
                         (before == "(" || before == "[" || before == "," || before == "|" || before == "{");
        if (after == "," && (before == "(" || before == "|" || before == ",")) {
            for (std::size_t next = t + 1;
                 next + 1 < tokens_.size() && word(next) == "," && tokens_[next + 1].name; next += 2)
                generator = generator || (next + 2 < tokens_.size() && word(next + 2) == "in");
        }
        if (declared || generator) declarations_.push_back({t, declared && tokens_[t].depth == 0});
    }
}

// ---- looking up

std::optional<std::size_t> MiniZincDocument::token_at(std::size_t at) const {
    std::optional<std::size_t> touched;
    for (std::size_t t = 0; t < tokens_.size(); ++t) {
        if (!tokens_[t].name) continue;
        if (tokens_[t].range.contains(at)) return t;
        if (tokens_[t].range.touches(at)) touched = t;
    }
    return touched;
}

bool MiniZincDocument::declared_in_item(std::string_view name, std::size_t item) const {
    return std::ranges::any_of(declarations_, [&](const Declaration& declaration) {
        return !declaration.global && tokens_[declaration.token].item == item &&
               word(declaration.token) == name;
    });
}

// All tokens that mean the same as this one.
std::vector<std::size_t> MiniZincDocument::tokens_of(std::size_t token) const {
    const std::string_view name = word(token);
    const bool local = declared_in_item(name, tokens_[token].item);
    std::vector<std::size_t> found;
    for (std::size_t t = 0; t < tokens_.size(); ++t) {
        if (!tokens_[t].name || word(t) != name) continue;
        const bool here = tokens_[t].item == tokens_[token].item;
        if (local ? here : !declared_in_item(name, tokens_[t].item)) found.push_back(t);
    }
    return found;
}

std::vector<Range> MiniZincDocument::occurrences(std::size_t at) const {
    const auto token = token_at(at);
    if (!token) return {};
    std::vector<Range> found;
    for (const std::size_t t : tokens_of(*token)) found.push_back(tokens_[t].range);
    return found;
}

std::vector<Range> MiniZincDocument::definitions(std::size_t at) const {
    const auto token = token_at(at);
    if (!token) return {};
    const auto all = tokens_of(*token);
    std::vector<Range> found;
    for (const Declaration& declaration : declarations_) {
        if (std::ranges::find(all, declaration.token) != all.end())
            found.push_back(tokens_[declaration.token].range);
    }
    return found;
}

std::vector<Range> MiniZincDocument::renaming(std::size_t at, const std::string& name) const {
    const auto token = token_at(at);
    if (!token) throw Error("there is no name here", "put the cursor on one");
    const std::string_view old = word(*token);
    if (is_minizinc_keyword(old))
        throw Error(fmt::format("{} is a word of MiniZinc", old), "choose a name of the model's own");
    if (definitions(at).empty())
        throw Error(fmt::format("{} is not declared in this file", old), "rename it where it is declared");
    if (name.empty() || !begins_name(name[0]) || !std::ranges::all_of(name, goes_on_name) ||
        is_minizinc_keyword(name))
        throw Error(fmt::format("{} is not a name", name), "write letters, digits or _, no word of MiniZinc");
    const bool taken = std::ranges::any_of(tokens_, [&](const Token& other) {
        return other.name && text_.of(other.range) == name && name != old;
    });
    if (taken)
        throw Error(fmt::format("{} is already the name of something else", name), "choose another name");
    const bool local = declared_in_item(old, tokens_[*token].item);
    const bool global = std::ranges::any_of(declarations_, [&](const Declaration& declaration) {
        return declaration.global && word(declaration.token) == old;
    });
    const bool hidden = std::ranges::any_of(declarations_, [&](const Declaration& declaration) {
        return !declaration.global && word(declaration.token) == old;
    });
    if (global && hidden)
        throw Error(fmt::format("{} is declared again in {}", old, local ? "this item" : "another item"),
                    "rename it by hand");
    return occurrences(at);
}

// ---- telling

Range MiniZincDocument::item_range(std::size_t item) const {
    const std::size_t first = item_starts_[item];
    const std::size_t last = (item + 1 < item_starts_.size() ? item_starts_[item + 1] : tokens_.size()) - 1;
    return {tokens_[first].range.begin, tokens_[last].range.end};
}

std::optional<Hover> MiniZincDocument::hover(std::size_t at) const {
    const auto token = token_at(at);
    if (!token) return std::nullopt;
    const std::string_view name = word(*token);
    const Range range = tokens_[*token].range;
    if (const auto given = definitions(at); !given.empty()) {
        const auto declaration = token_at(given.front().begin);
        const bool local = declared_in_item(name, tokens_[*token].item);
        const Range item = item_range(tokens_[*declaration].item);
        const std::size_t uses = occurrences(at).size() - given.size();
        std::string text = fmt::format("**{}** — used {} time{}\n", name, uses, uses == 1 ? "" : "s");
        if (!local) text += fmt::format("\n```minizinc\n{}\n```\n", text_.of(item));
        // A comment behind the declaration says what it is.
        const Range line = text_.line(text_.line_of(item.end));
        const std::string_view behind = text_.of({item.end, std::max(item.end, line.end)});
        if (const std::size_t comment = behind.find('%'); !local && comment != std::string_view::npos)
            text += fmt::format("\n{}\n", behind.substr(std::min(behind.size(), comment + 2)));
        return Hover{range, text};
    }
    const auto& words = minizinc_words();
    const auto known = std::ranges::find(words, name, &MiniZincWord::name);
    if (known == words.end()) return std::nullopt;
    return Hover{range, fmt::format("**{}**\n\n{}\n```minizinc\n{}\n```\n", known->name, known->meaning,
                                    fmt::join(known->forms, "\n"))};
}

Range MiniZincDocument::range_of(const Place& place) const {
    if (place.line == 0 || place.file != file_) return text_.line(0);
    const std::size_t at = text_.offset_of_place(place.line, place.column);
    for (const Token& token : tokens_) {
        if (token.range.contains(at)) return token.range;
    }
    return {at, text_.line(text_.line_of(at)).end};
}

std::vector<Diagnostic> MiniZincDocument::diagnostics(const Limits& limits) const {
    std::vector<Diagnostic> found;
    const auto add = [&](Severity severity, const Place& place, const std::string& problem,
                         const std::string& remedy) {
        found.push_back(
            {range_of(place), severity, worded(remedy.empty() ? problem : problem + "; " + remedy)});
    };
    ReadOptions options;
    options.limits = limits;
    options.minizinc.include_folder = std::filesystem::path(file_).parent_path().string();
    try {
        const Problem problem = read_text(text_.bytes(), Language::minizinc, file_, options);
        if (const model::Model* model = problem.model()) {
            const model::Structure structure = analyse(*model);
            if (const auto warning = strategy::horizon_warning(*model, structure))
                add(Severity::warning, warning->place(), warning->problem(), warning->remedy());
        }
    } catch (const LimitReached&) {
        add(Severity::information, {}, "the model takes too long to compile for a check while it is written",
            "");
    } catch (const Error& problem) {
        // Who edits a model need not have data for it.
        const bool parameter = problem.problem().starts_with("the parameter ");
        add(parameter ? Severity::hint : Severity::error, problem.place(), problem.problem(),
            problem.remedy());
    }
    return found;
}

std::vector<Symbol> MiniZincDocument::symbols() const {
    std::vector<Symbol> found;
    for (const Declaration& declaration : declarations_) {
        if (!declaration.global) continue;
        const std::size_t item = tokens_[declaration.token].item;
        const std::string_view first = word(item_starts_[item]);
        const SymbolKind kind =
            first == "enum"                                                     ? SymbolKind::enumeration
            : first == "predicate" || first == "test" || first == "function"    ? SymbolKind::function
            : text_.of(item_range(item)).find("var ") != std::string_view::npos ? SymbolKind::variable
                                                                                : SymbolKind::constant;
        const Range whole = item_range(item);
        const std::string_view text = text_.of(whole);
        found.push_back({std::string(word(declaration.token)), std::string(text.substr(0, text.find('\n'))),
                         kind, whole, tokens_[declaration.token].range});
    }
    return found;
}

std::vector<Completion> MiniZincDocument::completions(std::size_t at) const {
    std::vector<Completion> found;
    std::set<std::string> seen;
    for (const Declaration& declaration : declarations_) {
        const Token& token = tokens_[declaration.token];
        const std::string name(word(declaration.token));
        const bool known = declaration.global || item_range(token.item).touches(at);
        if (known && !token.range.touches(at) && seen.insert(name).second)
            found.push_back({name, "", CompletionKind::variable});
    }
    for (const MiniZincWord& known : minizinc_words()) {
        if (seen.insert(known.name).second)
            found.push_back({known.name, known.forms.front(), CompletionKind::function});
    }
    for (const std::string& keyword : minizinc_keywords())
        found.push_back({keyword, "", CompletionKind::keyword});
    return found;
}

}  // namespace zermelo::lsp
