// Fact store of the reasoner: hash-consed ground terms, and relations as tables with indexes.
//
// A relation answers two questions: is this row in it, and which rows match a pattern of which some parts
// are known. For the second it keeps an index for each shape of such a pattern, built when first asked for.
// A row that was once in a relation keeps its number and its keys while it is absent, so that rows come and go
// from one state to the next without being hashed again: an index chains the rows that are present.

#pragma once

#include <deque>
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
    [[nodiscard]] std::uint32_t find(std::span<const std::uint32_t> row) const {  // or nothing
        if (width_ == 1) return row[0] < table_.size() ? table_[row[0]] : nothing;
        return size_ == 0 ? nothing : table_[slot(row)];
    }
    // The row's number, and whether it is new.
    std::pair<std::uint32_t, bool> insert(std::span<const std::uint32_t> row);
    void clear();

private:
    [[nodiscard]] std::size_t slot(std::span<const std::uint32_t> row) const;
    void grow();

    std::size_t width_;
    std::size_t size_ = 0;
    std::vector<std::uint32_t> data_;
    std::vector<std::uint32_t> table_;  // open addressing, `nothing` where empty; of one number, by its value
};

class GroundTerms {
public:
    Ground make(Symbol function, std::span<const Ground> arguments);
    [[nodiscard]] std::optional<Ground> find(Symbol function, std::span<const Ground> arguments) const;
    [[nodiscard]] Symbol function(Ground term) const { return terms_[term].function; }
    [[nodiscard]] std::span<const Ground> arguments(Ground term) const {
        return {arguments_.data() + terms_[term].first, terms_[term].count};
    }
    [[nodiscard]] std::size_t depth(Ground term) const { return terms_[term].depth; }
    [[nodiscard]] std::size_t size() const { return terms_.size(); }

private:
    struct Entry {
        Symbol function;
        std::uint32_t first;
        std::uint32_t count;
        std::uint32_t depth;
    };
    [[nodiscard]] std::size_t slot(Symbol function, std::span<const Ground> arguments) const;
    void grow();

    std::vector<Entry> terms_;
    std::vector<Ground> arguments_;
    std::vector<std::uint32_t> table_;  // open addressing, `nothing` where empty
};

// A term with variables, its ground parts already made. Equal compounds of a rule share an alias: a further
// variable that stands for the whole term once it is known.
struct Pattern {
    enum class Kind : std::uint8_t { ground, variable, compound };
    Kind kind;
    std::uint32_t id;  // the term, the variable, or the function
    std::vector<Pattern> arguments = {};
    std::uint32_t alias = nothing;
    friend bool operator==(const Pattern&, const Pattern&) = default;
};

// Values of a rule's variables, `nothing` where they have none yet.
using Bindings = std::vector<Ground>;

// The term that the pattern stands for; aliases on the way get their values. `build` makes it; `look_up` only
// finds it, and answers `nothing` if nobody ever made it. All variables have values.
[[nodiscard]] Ground build_compound(GroundTerms& terms, const Pattern& pattern, Bindings& bindings);
[[nodiscard]] Ground look_up_compound(const GroundTerms& terms, const Pattern& pattern, Bindings& bindings);

[[nodiscard]] inline Ground build(GroundTerms& terms, const Pattern& pattern, Bindings& bindings) {
    if (pattern.kind == Pattern::Kind::ground) return pattern.id;
    if (pattern.kind == Pattern::Kind::variable) return bindings[pattern.id];
    return build_compound(terms, pattern, bindings);
}
[[nodiscard]] inline Ground look_up(const GroundTerms& terms, const Pattern& pattern, Bindings& bindings) {
    if (pattern.kind == Pattern::Kind::ground) return pattern.id;
    if (pattern.kind == Pattern::Kind::variable) return bindings[pattern.id];
    return look_up_compound(terms, pattern, bindings);
}

// What a step of a join does with a term: it is known already which variables have values there.
struct Match {
    enum class Kind : std::uint8_t { pass, ground, same, bind, compound };
    Kind kind;
    std::uint32_t id = 0;           // the term, the variable, or the function
    std::uint32_t alias = nothing;  // of a compound: gets the term
    std::vector<Match> arguments = {};
};

[[nodiscard]] bool match_compound(const GroundTerms& terms, const Match& match, Ground term,
                                  Bindings& bindings);

[[nodiscard]] inline bool matches(const GroundTerms& terms, const Match& match, Ground term,
                                  Bindings& bindings) {
    switch (match.kind) {
        case Match::Kind::pass:
            return true;
        case Match::Kind::ground:
            return match.id == term;
        case Match::Kind::same:
            return bindings[match.id] == term;
        case Match::Kind::bind:
            bindings[match.id] = term;
            return true;
        default:
            return match_compound(terms, match, term, bindings);
    }
}

// Which parts of an atom's arguments are known when it is looked up: a tree like the pattern's.
struct Shape {
    enum class Kind : std::uint8_t { known, open, compound };
    Kind kind;
    Symbol function = 0;
    std::vector<Shape> arguments = {};
    friend bool operator==(const Shape&, const Shape&) = default;
};

[[nodiscard]] Shape shape(const Pattern& pattern, const std::vector<bool>& bound);
[[nodiscard]] std::size_t known(const std::vector<Shape>& shapes);
// The known parts of a term, in order; false if it does not have the shape.
[[nodiscard]] bool key_of(const GroundTerms& terms, const Shape& shape, Ground term,
                          std::vector<Ground>& out);

class Index {
public:
    explicit Index(std::vector<Shape> shapes);

    void link(const GroundTerms& terms, const Rows& rows, std::uint32_t row);
    void unlink(std::uint32_t row);
    // A row with this key, and after a row another with the same key; `nothing` at the end.
    [[nodiscard]] std::uint32_t first(std::span<const Ground> key) const {
        const std::uint32_t number = width_ == 0 ? 0 : width_ == 1 ? key[0] : keys_.find(key);
        return number < heads_.size() ? heads_[number] : nothing;
    }
    [[nodiscard]] std::uint32_t after(std::uint32_t row) const { return links_[row].after; }
    [[nodiscard]] std::size_t keys() const { return in_use_; }  // with rows
    [[nodiscard]] const std::vector<Shape>& shapes() const { return shapes_; }
    void clear();

private:
    struct Links {
        std::uint32_t
            key;  // `unset` before the row was first linked, `nothing` where it does not have the shape
        std::uint32_t before;
        std::uint32_t after;
    };
    static constexpr std::uint32_t unset = nothing - 1;
    [[nodiscard]] std::uint32_t key_number(const GroundTerms& terms, std::span<const Ground> values);

    std::vector<Shape> shapes_;
    std::size_t width_;  // of keys; those of one number are numbered by it
    Rows keys_;
    std::vector<std::uint32_t> heads_;  // by key
    std::vector<Links> links_;          // by row
    std::size_t in_use_ = 0;
    std::vector<Ground> scratch_;
};

struct Relation {
    Relation(Symbol name, std::size_t width) : symbol(name), rows(width) {}

    [[nodiscard]] bool has(std::uint32_t row) const { return position[row] != nothing; }
    // The row's number, whether it is present or not.
    std::uint32_t number(std::span<const Ground> row);
    void link(const GroundTerms& terms, std::uint32_t row);
    void unlink(std::uint32_t row);
    void unlink_all();
    // Forgets rows that are absent, where they are many. No row may be present.
    void purge();

    // The number of the index with these shapes, made if there is none.
    std::size_t index(const GroundTerms& terms, const std::vector<Shape>& shapes);
    // How many keys of this shape its rows have.
    [[nodiscard]] std::size_t keys(const GroundTerms& terms, const std::vector<Shape>& shapes) const;

    Symbol symbol;
    Rows rows;                            // all that ever were present
    std::vector<std::uint32_t> present;   // in the order in which they came, unless some were taken out
    std::vector<std::uint32_t> position;  // by row: in `present`, or nothing
    std::vector<std::int32_t> count;      // by row: its derivations, where they are counted
    std::vector<std::uint32_t> stamp;     // by row: the evaluation in which it was last derived
    std::deque<Index> indexes;
};

}  // namespace zermelo::gdl::datalog
