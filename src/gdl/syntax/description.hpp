// Abstract syntax of the Game Description Language: GDL (Love et al. 2008) and GDL-II (Thielscher 2010).
//
// A description is a list of rules `head <= body` over relations; facts have an empty body. The parser has
// already flattened `and`, turned `or` and negated formulas into rules of their own (hidden relations), and
// compared symbols without regard to case. A body consists of atoms, negated atoms, and `distinct`.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/error.hpp"

namespace zermelo::gdl {

using Symbol = std::uint32_t;

// Symbol table. Two spellings that differ only in case are one symbol, printed as first met.
class Symbols {
public:
    Symbols();  // knows the keywords
    Symbol intern(std::string_view name);
    [[nodiscard]] const std::string& name(Symbol symbol) const { return names_[symbol]; }
    [[nodiscard]] std::size_t size() const { return names_.size(); }

private:
    std::vector<std::string> names_;
    std::unordered_map<std::string, Symbol> index_;  // by lower-case name
};

// The keywords have fixed numbers: every Symbols starts with them, in this order.
enum Keyword : Symbol {
    kw_role,
    kw_init,
    kw_true,
    kw_does,
    kw_legal,
    kw_next,
    kw_terminal,
    kw_goal,
    kw_base,
    kw_input,
    kw_sees,
    kw_distinct,
    kw_not,
    kw_or,
    kw_and,
    kw_implied,
    kw_random,
    first_free_symbol
};

struct Term {
    enum class Kind : std::uint8_t { constant, variable, compound };
    Kind kind;
    std::uint32_t
        id;  // the symbol of a constant or of a compound's function; the number of a variable in its rule
    std::vector<Term> arguments = {};

    friend bool operator==(const Term&, const Term&) = default;
};

// relation(arguments): for example legal(?role, move(?x, ?y)). A relation without arguments is a proposition.
struct Atom {
    Symbol relation;
    std::vector<Term> arguments = {};

    friend bool operator==(const Atom&, const Atom&) = default;
};

struct BodyLiteral {
    enum class Kind : std::uint8_t { positive, negative, distinct };
    Kind kind;
    Atom atom;  // for `distinct`, two arguments
    int line = 0;
    int column = 0;
};

struct Rule {
    Atom head;
    std::vector<BodyLiteral> body = {};
    std::vector<std::string> variables = {};  // names with their question mark, by number
    int line = 0;
    int column = 0;
};

// Where the text breaks the specification, but can only mean one thing: what it breaks, and what was read.
struct Repair {
    Place place;
    std::string message;
    std::string remedy;

    [[nodiscard]] std::string text() const;  // place: warning: message; remedy
};

struct Description {
    std::string file;
    Symbols symbols;
    std::vector<Rule> rules;     // in the order of the text; hidden relations right before their use
    std::vector<Symbol> hidden;  // relations made by the parser
    std::vector<Repair> repairs = {};

    [[nodiscard]] Place place(const Rule& rule) const { return {file, rule.line, rule.column}; }
};

}  // namespace zermelo::gdl
