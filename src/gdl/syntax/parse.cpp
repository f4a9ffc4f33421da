#include "gdl/syntax/parse.hpp"

#include <fmt/format.h>

#include <array>
#include <fstream>
#include <optional>
#include <sstream>

#include "core/files.hpp"
#include "gdl/syntax/lexer.hpp"
#include "gdl/syntax/normalise.hpp"
#include "gdl/syntax/repair.hpp"

namespace zermelo::gdl {

namespace {

constexpr std::size_t most_variables = 1000;  // in one rule

// How many arguments the relations of the language have.
std::optional<std::size_t> arity(Symbol relation) {
    switch (relation) {
        case kw_terminal:
            return 0;
        case kw_role:
        case kw_init:
        case kw_true:
        case kw_next:
        case kw_base:
            return 1;
        case kw_does:
        case kw_legal:
        case kw_goal:
        case kw_input:
        case kw_sees:
        case kw_distinct:
            return 2;
        default:
            return std::nullopt;
    }
}

bool is_connective(Symbol symbol) { return symbol >= kw_distinct && symbol <= kw_implied; }

class Parser {
public:
    Parser(std::string_view text, const std::string& file) : tree_(read_tree(text, file)), prefix_("or#") {
        game_.file = file;
        while (text.find(prefix_) != std::string_view::npos) prefix_ += '#';
    }

    Description parse() {
        game_.repairs = std::move(tree_.repairs);
        for (std::uint32_t at = 0; at < tree_.nodes.size(); at = node(at).end) statement(at);
        repair(game_, prefix_);
        return std::move(game_);
    }

private:
    [[nodiscard]] const Node& node(std::uint32_t at) const { return tree_.nodes[at]; }
    [[nodiscard]] std::string quote(std::uint32_t at) const {
        constexpr std::size_t longest = 40;
        std::string word(tree_.word(node(at)).substr(0, longest + 1));
        if (word.size() > longest) word.replace(longest, 1, "…");
        for (char& c : word) {
            if (c == '\n' || c == '\r') c = ' ';
        }
        return word;
    }
    [[noreturn]] void fail(std::uint32_t at, const std::string& problem, const std::string& remedy) const {
        throw Error({game_.file, node(at).line, node(at).column}, problem, remedy);
    }
    [[nodiscard]] bool is_variable(std::uint32_t at) const {
        return !node(at).list && tree_.text[node(at).offset] == '?';
    }

    // A rule `(<= head literal …)` or a fact.
    void statement(std::uint32_t at) {
        variables_.clear();
        Rule rule;
        rule.line = node(at).line;
        rule.column = node(at).column;
        const std::uint32_t end = node(at).end;
        const bool implied = node(at).list && end > at + 1 && !node(at + 1).list && !is_variable(at + 1) &&
                             symbol(at + 1) == kw_implied;
        if (end == at + 2 && implied) fail(at, "rule without a head", "write (<= head literal …)");
        if (says_nothing(implied ? at + 2 : at) || several_roles(at)) return;
        if (!implied) {
            rule.head = head(at);
            rule.variables = std::move(names_);
            names_.clear();
            game_.rules.push_back(std::move(rule));
            return;
        }
        rule.head = head(at + 2);
        Formula body{Formula::Kind::all, {}, {}, rule.line, rule.column};
        for (std::uint32_t part = node(at + 2).end; part < end; part = node(part).end) {
            body.parts.push_back(formula(part));
        }
        rule.variables = std::move(names_);
        names_.clear();
        normalise(game_, std::move(rule), body, prefix_);
    }

    // How many arguments the atom has; nothing where there is no atom.
    std::optional<std::size_t> arguments_of(std::uint32_t at, Symbol relation) {
        const bool named =
            node(at).list && node(at).end > at + 1 && !node(at + 1).list && !is_variable(at + 1);
        if (!named || symbol(at + 1) != relation) return std::nullopt;
        std::size_t count = 0;
        for (std::uint32_t part = at + 2; part < node(at).end; part = node(part).end) ++count;
        return count;
    }

    void tell(std::uint32_t at, const std::string& message, const std::string& remedy) {
        game_.repairs.push_back({{game_.file, node(at).line, node(at).column}, message, remedy});
    }

    // `base` and `input` only list what the other rules give as well: one of another form is left out.
    bool says_nothing(std::uint32_t at) {
        for (const Symbol relation : {kw_base, kw_input}) {
            const auto count = arguments_of(at, relation);
            if (!count || count == arity(relation)) continue;
            tell(at,
                 fmt::format("`{}` has {} argument{} here and is left out", game_.symbols.name(relation),
                             *count, *count == 1 ? "" : "s"),
                 fmt::format("it takes {}", *arity(relation)));
            return true;
        }
        return false;
    }

    // (role white black) names both.
    bool several_roles(std::uint32_t at) {
        const auto count = arguments_of(at, kw_role);
        if (!count || *count < 2) return false;
        for (std::uint32_t part = at + 2; part < node(at).end; part = node(part).end) {
            if (node(part).list || is_variable(part)) return false;
        }
        tell(at, fmt::format("`role` has {} arguments here, and each is taken for a role", *count),
             "write one fact for each role");
        for (std::uint32_t part = at + 2; part < node(at).end; ++part) {
            Rule rule{{kw_role, {term(part)}}};
            rule.line = node(part).line;
            rule.column = node(part).column;
            game_.rules.push_back(std::move(rule));
        }
        return true;
    }

    Symbol symbol(std::uint32_t at) { return game_.symbols.intern(tree_.word(node(at))); }

    // The node that names the relation, function or connective: the word itself, or the first of a list.
    std::uint32_t name(std::uint32_t at) const {
        if (!node(at).list) return at;
        if (node(at).end == at + 1) fail(at, "empty parentheses", "write a relation with its arguments");
        if (node(at + 1).list) {
            fail(at + 1, "a list stands where a name is expected",
                 "start with the name of a relation or function");
        }
        if (is_variable(at + 1)) {
            fail(at + 1, fmt::format("variable {} stands where a name is expected", quote(at + 1)),
                 "variables stand for terms, not for relations or functions");
        }
        return at + 1;
    }

    Atom head(std::uint32_t at) {
        if (is_variable(at)) {
            fail(at, fmt::format("variable {} stands where an atom is expected", quote(at)),
                 "variables stand for terms, not for relations");
        }
        const Symbol relation = symbol(name(at));
        if (is_connective(relation)) {
            fail(at, fmt::format("`{}` cannot be the head of a rule", game_.symbols.name(relation)),
                 "a head is one atom; write one rule for each");
        }
        return atom(at);
    }

    Atom atom(std::uint32_t at) {
        Atom result{symbol(name(at))};
        if (node(at).list) result.arguments = arguments(at);
        const auto expected = arity(result.relation);
        if (expected && *expected != result.arguments.size()) {
            fail(at,
                 fmt::format("`{}` has {} argument{} here", game_.symbols.name(result.relation),
                             result.arguments.size(), result.arguments.size() == 1 ? "" : "s"),
                 fmt::format("it takes {}", *expected));
        }
        return result;
    }

    std::vector<Term> arguments(std::uint32_t at) {
        std::vector<Term> result;
        for (std::uint32_t part = at + 2; part < node(at).end; part = node(part).end)
            result.push_back(term(part));
        return result;
    }

    Term term(std::uint32_t at) {
        if (is_variable(at)) return {Term::Kind::variable, variable(at)};
        if (!node(at).list) return {Term::Kind::constant, symbol(at)};
        const Symbol function = symbol(name(at));
        if (node(at).end == at + 2) return {Term::Kind::constant, function};
        return {Term::Kind::compound, function, arguments(at)};
    }

    std::uint32_t variable(std::uint32_t at) {
        if (node(at).length == 1) fail(at, "variable without a name", "write ?x");
        const Symbol name = symbol(at);
        const auto [place, is_new] = variables_.try_emplace(name, static_cast<std::uint32_t>(names_.size()));
        if (is_new) {
            names_.emplace_back(tree_.word(node(at)));
            if (names_.size() > most_variables) {
                fail(at, fmt::format("more than {} variables in one rule", most_variables), "split the rule");
            }
        }
        return place->second;
    }

    Formula formula(std::uint32_t at) {
        if (is_variable(at)) {
            fail(at, fmt::format("variable {} stands where a literal is expected", quote(at)),
                 "variables stand for terms, not for literals");
        }
        const Symbol relation = symbol(name(at));
        Formula result{Formula::Kind::literal, {}, {}, node(at).line, node(at).column};
        // A bare word is a proposition, even if the author forgot the parentheses of `not`; the checks tell.
        if (node(at).list && (relation == kw_and || relation == kw_or || relation == kw_not)) {
            result.kind = relation == kw_and  ? Formula::Kind::all
                          : relation == kw_or ? Formula::Kind::any
                                              : Formula::Kind::negation;
            if (!node(at).list)
                fail(at, fmt::format("`{}` without arguments", quote(at)), "write its literals");
            for (std::uint32_t part = at + 2; part < node(at).end; part = node(part).end) {
                result.parts.push_back(formula(part));
            }
            if (relation == kw_not && result.parts.size() != 1) {
                fail(at, fmt::format("`not` has {} arguments here", result.parts.size()), "it takes 1");
            }
            return result;
        }
        if (relation == kw_implied) fail(at, "a rule cannot stand inside a rule", "close the rule before it");
        result.literal.kind =
            relation == kw_distinct ? BodyLiteral::Kind::distinct : BodyLiteral::Kind::positive;
        result.literal.atom = atom(at);
        result.literal.line = result.line;
        result.literal.column = result.column;
        return result;
    }

    Description game_;
    Tree tree_;
    std::string prefix_;
    std::vector<std::string> names_;                       // of the variables of the current rule
    std::unordered_map<Symbol, std::uint32_t> variables_;  // their numbers
};

void write(std::string& out, const Symbols& symbols, const Term& term,
           const std::vector<std::string>* variables);

void write(std::string& out, const Symbols& symbols, Symbol name, const std::vector<Term>& arguments,
           const std::vector<std::string>* variables) {
    if (arguments.empty()) {
        out += symbols.name(name);
        return;
    }
    out += '(';
    out += symbols.name(name);
    for (const Term& argument : arguments) {
        out += ' ';
        write(out, symbols, argument, variables);
    }
    out += ')';
}

void write(std::string& out, const Symbols& symbols, const Term& term,
           const std::vector<std::string>* variables) {
    if (term.kind == Term::Kind::variable) {
        out += variables ? (*variables)[term.id] : fmt::format("?{}", term.id);
    } else {
        write(out, symbols, term.id, term.arguments, variables);
    }
}

}  // namespace

Description parse(std::string_view text, const std::string& file) { return Parser(text, file).parse(); }

Description read(const std::string& file) {
    std::ifstream input(file, std::ios::binary);
    std::ostringstream content;
    if (!input || (input.peek() == std::ifstream::traits_type::eof() && input.bad()))
        throw Error({file}, "cannot be read", remedy_for_unreadable(file));
    content << input.rdbuf();
    return parse(std::move(content).str(), file);
}

std::string text(const Symbols& symbols, const Term& term, const std::vector<std::string>* variables) {
    std::string out;
    write(out, symbols, term, variables);
    return out;
}

std::string text(const Symbols& symbols, const Atom& atom, const std::vector<std::string>* variables) {
    std::string out;
    write(out, symbols, atom.relation, atom.arguments, variables);
    return out;
}

std::string text(const Description& game, const Rule& rule) {
    std::string head = text(game.symbols, rule.head, &rule.variables);
    if (rule.body.empty()) return head;
    std::string out = "(<= " + head;
    for (const BodyLiteral& literal : rule.body) {
        const std::string atom = text(game.symbols, literal.atom, &rule.variables);
        out += literal.kind == BodyLiteral::Kind::negative ? fmt::format(" (not {})", atom) : " " + atom;
    }
    return out + ")";
}

}  // namespace zermelo::gdl
