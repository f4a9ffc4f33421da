// What the reasoner keeps: ground terms, each once, and relations as tables of them.
//
// A relation answers two questions: is this row in it, and which rows fit a pattern of which some parts are
// known. For the second it keeps an index for each shape of such a pattern, built when first asked for and
// extended as rows are added. Rows are only added, in order, until the relation is cleared: "what is new" is
// a range of rows.

#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gdl/syntax/description.hpp"

namespace zermelo::gdl::datalog {

using Ground = std::uint32_t;
inline constexpr std::uint32_t nothing = ~std::uint32_t{0};

// Rows of numbers, all of one width, each once, numbered in the order they came.
class Rows {
public:
    explicit Rows(std::size_t width) : width_(width) {}

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] std::span<const std::uint32_t> operator[](std::size_t row) const {
        return {data_.data() + row * width_, width_};
    }
    [[nodiscard]] std::uint32_t find(std::span<const std::uint32_t> row) const;  // or nothing
    // The row's number, and whether it is new.
    std::pair<std::uint32_t, bool> insert(std::span<const std::uint32_t> row);
    void clear();

private:
    [[nodiscard]] std::size_t slot(std::span<const std::uint32_t> row) const;
    void grow();

    std::size_t width_;
    std::size_t size_ = 0;
    std::vector<std::uint32_t> data_;
    std::vector<std::uint32_t> table_;  // open addressing, `nothing` where empty
};

class GroundTerms {
public:
    Ground make(Symbol function, std::span<const Ground> arguments);
    [[nodiscard]] std::optional<Ground> find(Symbol function, std::span<const Ground> arguments) const;
    [[nodiscard]] Symbol function(Ground term) const { return terms_[term].function; }
    [[nodiscard]] std::span<const Ground> arguments(Ground term) const {
        return (*terms_[term].rows)[terms_[term].row].subspan(1);
    }
    [[nodiscard]] std::size_t depth(Ground term) const { return terms_[term].depth; }
    [[nodiscard]] std::size_t size() const { return terms_.size(); }

private:
    struct Entry {
        Symbol function;
        std::uint32_t row;
        std::uint32_t depth;
        const Rows* rows;
    };
    // By number of arguments: the rows are the function and its arguments; beside them the term of each row.
    std::map<std::size_t, std::pair<Rows, std::vector<Ground>>> by_width_;
    std::vector<Entry> terms_;
};

// A term with variables, its ground parts already made.
struct Pattern {
    enum class Kind : std::uint8_t { ground, variable, compound };
    Kind kind;
    std::uint32_t id;  // the term, the variable, or the function
    std::vector<Pattern> arguments = {};
};

// Values of a rule's variables, `nothing` where they have none yet.
using Bindings = std::vector<Ground>;

// The term that the pattern stands for. `build` makes it; `look_up` only finds it, and answers `nothing` if
// nobody ever made it. All variables have values.
[[nodiscard]] Ground build(GroundTerms& terms, const Pattern& pattern, const Bindings& bindings);
[[nodiscard]] Ground look_up(const GroundTerms& terms, const Pattern& pattern, const Bindings& bindings);

// Gives the variables of the pattern the values that make it the term; false if there are none. Variables
// that got a value are added to `trail`.
[[nodiscard]] bool match(const GroundTerms& terms, const Pattern& pattern, Ground term, Bindings& bindings,
                         std::vector<std::uint32_t>& trail);

// Which parts of an atom's arguments are known when it is looked up: a tree like the pattern's.
struct Shape {
    enum class Kind : std::uint8_t { known, open, compound };
    Kind kind;
    Symbol function = 0;
    std::vector<Shape> arguments = {};
    friend bool operator==(const Shape&, const Shape&) = default;
};

[[nodiscard]] Shape shape(const Pattern& pattern, const std::vector<bool>& bound);

class Index {
public:
    explicit Index(std::vector<Shape> shapes);

    // Takes in the rows that were added since the last time.
    void extend(const GroundTerms& terms, const Rows& rows);
    // The last row with this key, and before a row the one with the same key; `nothing` at the end.
    [[nodiscard]] std::uint32_t last(std::span<const Ground> key) const;
    [[nodiscard]] std::uint32_t before(std::uint32_t row) const { return before_[row]; }
    [[nodiscard]] std::size_t keys() const { return keys_.size(); }
    [[nodiscard]] const std::vector<Shape>& shapes() const { return shapes_; }
    void clear();

private:
    [[nodiscard]] static bool key(const GroundTerms& terms, const Shape& shape, Ground term,
                                  std::vector<Ground>& out);

    std::vector<Shape> shapes_;
    Rows keys_;
    std::vector<std::uint32_t> last_;    // by key
    std::vector<std::uint32_t> before_;  // by row
    std::vector<Ground> scratch_;
};

struct Relation {
    Relation(Symbol name, std::size_t width) : symbol(name), rows(width) {}

    // The number of the index with these shapes, made if there is none.
    std::size_t index(std::vector<Shape> shapes);
    void clear();

    Symbol symbol;
    Rows rows;
    std::vector<Index> indexes;
};

}  // namespace zermelo::gdl::datalog
