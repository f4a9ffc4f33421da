// FlatZinc parser: text in, declarations and constraint calls out, with every name resolved.
//
// FlatZinc is flat: arrays do not nest and expressions have no operators, so the parser is a loop over items
// without recursion. Annotations may nest; those that we do not use are skipped by counting brackets. This
// file knows only the shape of the calls; calls.cpp and reader.hpp know their meaning.

#pragma once

#include <istream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/error.hpp"
#include "model/domain.hpp"

namespace zermelo::model::flatzinc {

struct Atom {
    enum class Kind : std::uint8_t { integer, boolean, variable };
    Kind kind;
    Value value;  // the number, 0 or 1, or the index into Program::variables
};

struct List {
    std::vector<Atom> atoms;
    std::vector<Domain> sets;  // only in an array of sets, which has no atoms
};

struct Argument {
    std::size_t at = 0;  // where it stands in the text
    std::variant<Atom, Domain, std::shared_ptr<const List>> value = Atom{Atom::Kind::integer, 0};
};

// Where something stands: in the FlatZinc text and, when MiniZinc kept its paths, in the model it came from.
struct Origin {
    std::size_t at = 0;
    std::string_view path = {};
};

struct Declaration {
    std::string_view name;
    Origin origin;
    Domain domain;
    bool boolean = false;
    bool introduced = false;  // by MiniZinc, not by the modeller
    bool defined = false;
    bool output = false;
    std::optional<Atom> value = {};
};

struct Array {
    std::string_view name;
    std::shared_ptr<const List> list;
    bool introduced = false;
    bool output = false;
    std::vector<Domain> index_sets = {};
};

struct Call {
    std::string_view name;
    Origin origin;
    std::vector<Argument> arguments = {};
    std::optional<Atom> defines = {};
};

enum class Goal { satisfy, minimize, maximize };

struct Program {
    std::string file;
    std::string full_name;                    // of the file, as MiniZinc calls it in its paths
    std::unique_ptr<const std::string> text;  // on the heap, because the names below point into it
    std::vector<std::size_t> lines;           // where each line starts in the text
    std::vector<Declaration> variables;
    std::vector<Array> arrays;  // of variables; constants live only in the calls that use them
    std::vector<Call> calls;
    bool has_paths = false;  // then line numbers of the FlatZinc itself say nothing to the modeller
    Goal goal = Goal::satisfy;
    Argument objective;
    std::vector<std::pair<Argument, std::string_view>> searches;  // variables, and how to choose their values

    [[nodiscard]] Place place(const Origin& origin) const;
};

[[nodiscard]] Program parse(std::istream& input, const std::string& filename);

// MiniZinc's own names for what the modeller did not name.
[[nodiscard]] inline bool nameless(std::string_view name) { return name.starts_with("X_INTRODUCED_"); }

}  // namespace zermelo::model::flatzinc
