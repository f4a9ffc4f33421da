#include "gdl/reasoner/store.hpp"

#include <algorithm>

namespace zermelo::gdl::datalog {

namespace {

std::size_t hash(std::span<const std::uint32_t> row) {
    std::uint64_t h = 0x9E3779B97F4A7C15ULL;
    for (const std::uint32_t word : row) {
        h = (h ^ word) * 0xD6E8FEB86659FD93ULL;
        h ^= h >> 32;
    }
    return h;
}

std::size_t known(const Shape& shape) {
    std::size_t sum = shape.kind == Shape::Kind::known ? 1 : 0;
    for (const Shape& argument : shape.arguments) sum += known(argument);
    return sum;
}

std::size_t known(const std::vector<Shape>& shapes) {
    std::size_t sum = 0;
    for (const Shape& shape : shapes) sum += known(shape);
    return sum;
}

}  // namespace

// Rows

std::size_t Rows::slot(std::span<const std::uint32_t> row) const {
    const std::size_t mask = table_.size() - 1;
    std::size_t at = hash(row) & mask;
    while (table_[at] != nothing && !std::ranges::equal((*this)[table_[at]], row)) at = (at + 1) & mask;
    return at;
}

std::uint32_t Rows::find(std::span<const std::uint32_t> row) const {
    return size_ == 0 ? nothing : table_[slot(row)];
}

std::pair<std::uint32_t, bool> Rows::insert(std::span<const std::uint32_t> row) {
    if (2 * (size_ + 1) > table_.size()) grow();
    std::uint32_t& place = table_[slot(row)];
    if (place != nothing) return {place, false};
    place = static_cast<std::uint32_t>(size_++);
    data_.insert(data_.end(), row.begin(), row.end());
    return {place, true};
}

void Rows::grow() {
    constexpr std::size_t smallest = 8;
    table_.assign(std::max(smallest, 2 * table_.size()), nothing);
    for (std::size_t row = 0; row < size_; ++row)
        table_[slot((*this)[row])] = static_cast<std::uint32_t>(row);
}

void Rows::clear() {
    if (size_ == 0) return;
    size_ = 0;
    data_.clear();
    std::fill(table_.begin(), table_.end(), nothing);
}

// Terms

Ground GroundTerms::make(Symbol function, std::span<const Ground> arguments) {
    auto place =
        by_width_.try_emplace(arguments.size(), Rows(arguments.size() + 1), std::vector<Ground>{}).first;
    auto& [rows, numbers] = place->second;
    std::vector<std::uint32_t> row{function};
    row.insert(row.end(), arguments.begin(), arguments.end());
    const auto [number, is_new] = rows.insert(row);
    if (is_new) {
        std::uint32_t deepest = 0;
        for (const Ground argument : arguments) deepest = std::max(deepest, terms_[argument].depth);
        numbers.push_back(static_cast<Ground>(terms_.size()));
        terms_.push_back({function, number, deepest + 1, &rows});
    }
    return numbers[number];
}

std::optional<Ground> GroundTerms::find(Symbol function, std::span<const Ground> arguments) const {
    const auto place = by_width_.find(arguments.size());
    if (place == by_width_.end()) return std::nullopt;
    std::vector<std::uint32_t> row{function};
    row.insert(row.end(), arguments.begin(), arguments.end());
    const std::uint32_t number = place->second.first.find(row);
    if (number == nothing) return std::nullopt;
    return place->second.second[number];
}

// Patterns

Ground build(GroundTerms& terms, const Pattern& pattern, const Bindings& bindings) {
    if (pattern.kind == Pattern::Kind::ground) return pattern.id;
    if (pattern.kind == Pattern::Kind::variable) return bindings[pattern.id];
    std::vector<Ground> arguments;
    for (const Pattern& argument : pattern.arguments) arguments.push_back(build(terms, argument, bindings));
    return terms.make(pattern.id, arguments);
}

Ground look_up(const GroundTerms& terms, const Pattern& pattern, const Bindings& bindings) {
    if (pattern.kind == Pattern::Kind::ground) return pattern.id;
    if (pattern.kind == Pattern::Kind::variable) return bindings[pattern.id];
    std::vector<Ground> arguments;
    for (const Pattern& argument : pattern.arguments) {
        arguments.push_back(look_up(terms, argument, bindings));
        if (arguments.back() == nothing) return nothing;
    }
    return terms.find(pattern.id, arguments).value_or(nothing);
}

bool match(const GroundTerms& terms, const Pattern& pattern, Ground term, Bindings& bindings,
           std::vector<std::uint32_t>& trail) {
    if (pattern.kind == Pattern::Kind::ground) return pattern.id == term;
    if (pattern.kind == Pattern::Kind::variable) {
        Ground& value = bindings[pattern.id];
        if (value != nothing) return value == term;
        value = term;
        trail.push_back(pattern.id);
        return true;
    }
    const auto arguments = terms.arguments(term);
    if (terms.function(term) != pattern.id || arguments.size() != pattern.arguments.size()) return false;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (!match(terms, pattern.arguments[i], arguments[i], bindings, trail)) return false;
    }
    return true;
}

Shape shape(const Pattern& pattern, const std::vector<bool>& bound) {
    if (pattern.kind == Pattern::Kind::ground) return {Shape::Kind::known};
    if (pattern.kind == Pattern::Kind::variable) {
        return {bound[pattern.id] ? Shape::Kind::known : Shape::Kind::open};
    }
    Shape result{Shape::Kind::compound, pattern.id};
    bool all_known = true;
    for (const Pattern& argument : pattern.arguments) {
        result.arguments.push_back(shape(argument, bound));
        all_known = all_known && result.arguments.back().kind == Shape::Kind::known;
    }
    if (all_known) return {Shape::Kind::known};
    return result;
}

// Indexes

Index::Index(std::vector<Shape> shapes) : shapes_(std::move(shapes)), keys_(known(shapes_)) {}

bool Index::key(const GroundTerms& terms, const Shape& shape, Ground term, std::vector<Ground>& out) {
    if (shape.kind == Shape::Kind::known) out.push_back(term);
    if (shape.kind != Shape::Kind::compound) return true;
    const auto arguments = terms.arguments(term);
    if (terms.function(term) != shape.function || arguments.size() != shape.arguments.size()) return false;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (!key(terms, shape.arguments[i], arguments[i], out)) return false;
    }
    return true;
}

void Index::extend(const GroundTerms& terms, const Rows& rows) {
    for (std::size_t row = before_.size(); row < rows.size(); ++row) {
        before_.push_back(nothing);
        scratch_.clear();
        const auto values = rows[row];
        bool fits = true;
        for (std::size_t i = 0; i < values.size() && fits; ++i)
            fits = key(terms, shapes_[i], values[i], scratch_);
        if (!fits) continue;
        const auto [number, is_new] = keys_.insert(scratch_);
        if (is_new) last_.push_back(nothing);
        before_[row] = last_[number];
        last_[number] = static_cast<std::uint32_t>(row);
    }
}

std::uint32_t Index::last(std::span<const Ground> key) const {
    const std::uint32_t number = keys_.find(key);
    return number == nothing ? nothing : last_[number];
}

void Index::clear() {
    keys_.clear();
    last_.clear();
    before_.clear();
}

// Relations

std::size_t Relation::index(std::vector<Shape> shapes) {
    for (std::size_t i = 0; i < indexes.size(); ++i) {
        if (indexes[i].shapes() == shapes) return i;
    }
    indexes.emplace_back(std::move(shapes));
    return indexes.size() - 1;
}

void Relation::clear() {
    rows.clear();
    for (Index& index : indexes) index.clear();
}

}  // namespace zermelo::gdl::datalog
