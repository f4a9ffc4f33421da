#include "gdl/reasoner/store.hpp"

#include <algorithm>
#include <array>

namespace zermelo::gdl::datalog {

namespace {

constexpr std::uint64_t seed = 0x9E3779B97F4A7C15ULL;

std::uint64_t mix(std::uint64_t h, std::uint32_t word) {
    h = (h ^ word) * 0xD6E8FEB86659FD93ULL;
    return h ^ (h >> 32);
}

std::size_t hash(std::span<const std::uint32_t> row) {
    std::uint64_t h = seed;
    for (const std::uint32_t word : row) h = mix(h, word);
    return h;
}

std::size_t known(const Shape& shape) {
    std::size_t sum = shape.kind == Shape::Kind::known ? 1 : 0;
    for (const Shape& argument : shape.arguments) sum += known(argument);
    return sum;
}

// For a few words, where a call would cost more.
bool equal(std::span<const std::uint32_t> a, const std::uint32_t* b) {
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (a[i] != b[i]) return false;
    }
    return true;
}

// The values of a compound's arguments, for a few without the heap.
class Values {
public:
    explicit Values(std::size_t size) : size_(size) {
        if (size > few_.size()) many_.resize(size);
    }
    Ground* data() { return size_ > few_.size() ? many_.data() : few_.data(); }
    std::span<const Ground> all() { return {data(), size_}; }

private:
    std::size_t size_;
    std::array<Ground, 12> few_;
    std::vector<Ground> many_;
};

}  // namespace

// Rows

std::size_t Rows::slot(std::span<const std::uint32_t> row) const {
    const std::size_t mask = table_.size() - 1;
    std::size_t at = hash(row) & mask;
    while (table_[at] != nothing && !equal(row, data_.data() + table_[at] * width_)) at = (at + 1) & mask;
    return at;
}

std::pair<std::uint32_t, bool> Rows::insert(std::span<const std::uint32_t> row) {
    if (width_ == 1) {
        if (row[0] >= table_.size()) table_.resize(row[0] + row[0] / 2 + 8, nothing);
    } else if (2 * (size_ + 1) > table_.size()) {
        grow();
    }
    std::uint32_t& place = table_[width_ == 1 ? row[0] : slot(row)];
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

std::size_t GroundTerms::slot(Symbol function, std::span<const Ground> arguments) const {
    const std::size_t mask = table_.size() - 1;
    std::uint64_t h = mix(seed, function);
    for (const Ground argument : arguments) h = mix(h, argument);
    std::size_t at = h & mask;
    for (; table_[at] != nothing; at = (at + 1) & mask) {
        const Entry& entry = terms_[table_[at]];
        if (entry.function == function && entry.count == arguments.size() &&
            equal(arguments, arguments_.data() + entry.first))
            break;
    }
    return at;
}

Ground GroundTerms::make(Symbol function, std::span<const Ground> arguments) {
    if (2 * (terms_.size() + 1) > table_.size()) grow();
    std::uint32_t& place = table_[slot(function, arguments)];
    if (place != nothing) return place;
    std::uint32_t deepest = 0;
    for (const Ground argument : arguments) deepest = std::max(deepest, terms_[argument].depth);
    place = static_cast<Ground>(terms_.size());
    terms_.push_back({function, static_cast<std::uint32_t>(arguments_.size()),
                      static_cast<std::uint32_t>(arguments.size()), deepest + 1});
    arguments_.insert(arguments_.end(), arguments.begin(), arguments.end());
    return place;
}

std::optional<Ground> GroundTerms::find(Symbol function, std::span<const Ground> arguments) const {
    if (table_.empty()) return std::nullopt;
    const std::uint32_t found = table_[slot(function, arguments)];
    return found == nothing ? std::nullopt : std::optional(found);
}

void GroundTerms::grow() {
    constexpr std::size_t smallest = 64;
    table_.assign(std::max(smallest, 2 * table_.size()), nothing);
    for (Ground term = 0; term < terms_.size(); ++term)
        table_[slot(terms_[term].function, arguments(term))] = term;
}

// Patterns

Ground build_compound(GroundTerms& terms, const Pattern& pattern, Bindings& bindings) {
    Values values(pattern.arguments.size());
    for (std::size_t i = 0; i < pattern.arguments.size(); ++i)
        values.data()[i] = build(terms, pattern.arguments[i], bindings);
    const Ground term = terms.make(pattern.id, values.all());
    if (pattern.alias != nothing) bindings[pattern.alias] = term;
    return term;
}

Ground look_up_compound(const GroundTerms& terms, const Pattern& pattern, Bindings& bindings) {
    Values values(pattern.arguments.size());
    for (std::size_t i = 0; i < pattern.arguments.size(); ++i) {
        values.data()[i] = look_up(terms, pattern.arguments[i], bindings);
        if (values.data()[i] == nothing) return nothing;
    }
    const Ground term = terms.find(pattern.id, values.all()).value_or(nothing);
    if (pattern.alias != nothing) bindings[pattern.alias] = term;
    return term;
}

bool match_compound(const GroundTerms& terms, const Match& match, Ground term, Bindings& bindings) {
    const auto arguments = terms.arguments(term);
    if (terms.function(term) != match.id || arguments.size() != match.arguments.size()) return false;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (!matches(terms, match.arguments[i], arguments[i], bindings)) return false;
    }
    if (match.alias != nothing) bindings[match.alias] = term;
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

std::size_t known(const std::vector<Shape>& shapes) {
    std::size_t sum = 0;
    for (const Shape& shape : shapes) sum += known(shape);
    return sum;
}

bool key_of(const GroundTerms& terms, const Shape& shape, Ground term, std::vector<Ground>& out) {
    if (shape.kind == Shape::Kind::known) out.push_back(term);
    if (shape.kind != Shape::Kind::compound) return true;
    const auto arguments = terms.arguments(term);
    if (terms.function(term) != shape.function || arguments.size() != shape.arguments.size()) return false;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (!key_of(terms, shape.arguments[i], arguments[i], out)) return false;
    }
    return true;
}

// Indexes

Index::Index(std::vector<Shape> shapes) : shapes_(std::move(shapes)), width_(known(shapes_)), keys_(width_) {}

std::uint32_t Index::key_number(const GroundTerms& terms, std::span<const Ground> values) {
    scratch_.clear();
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!key_of(terms, shapes_[i], values[i], scratch_)) return nothing;
    }
    const std::uint32_t number = width_ == 0 ? 0 : width_ == 1 ? scratch_[0] : keys_.insert(scratch_).first;
    if (number >= heads_.size()) heads_.resize(number + number / 2 + 1, nothing);
    return number;
}

void Index::link(const GroundTerms& terms, const Rows& rows, std::uint32_t row) {
    if (row >= links_.size()) links_.resize(row + row / 2 + 1, {unset, nothing, nothing});
    Links& own = links_[row];
    if (own.key == unset) own.key = key_number(terms, rows[row]);
    if (own.key == nothing) return;
    std::uint32_t& head = heads_[own.key];
    own.before = nothing;
    own.after = head;
    if (head == nothing) {
        ++in_use_;
    } else {
        links_[head].before = row;
    }
    head = row;
}

void Index::unlink(std::uint32_t row) {
    const Links& own = links_[row];
    if (own.key == nothing) return;
    if (own.after != nothing) links_[own.after].before = own.before;
    if (own.before != nothing) {
        links_[own.before].after = own.after;
    } else {
        heads_[own.key] = own.after;
        if (own.after == nothing) --in_use_;
    }
}

void Index::clear() {
    keys_.clear();
    heads_.clear();
    links_.clear();
    in_use_ = 0;
}

// Relations

std::uint32_t Relation::number(std::span<const Ground> row) {
    const auto [number, is_new] = rows.insert(row);
    if (is_new) {
        position.push_back(nothing);
        count.push_back(0);
        stamp.push_back(0);
    }
    return number;
}

void Relation::link(const GroundTerms& terms, std::uint32_t row) {
    position[row] = static_cast<std::uint32_t>(present.size());
    present.push_back(row);
    for (Index& index : indexes) index.link(terms, rows, row);
}

void Relation::unlink(std::uint32_t row) {
    const std::uint32_t last = present.back();
    present[position[row]] = last;
    position[last] = position[row];
    present.pop_back();
    position[row] = nothing;
    for (Index& index : indexes) index.unlink(row);
}

void Relation::unlink_all() {
    while (!present.empty()) unlink(present.back());
}

void Relation::purge() {
    rows.clear();
    position.clear();
    count.clear();
    stamp.clear();
    for (Index& index : indexes) index.clear();
}

std::size_t Relation::index(const GroundTerms& terms, const std::vector<Shape>& shapes) {
    for (std::size_t i = 0; i < indexes.size(); ++i) {
        if (indexes[i].shapes() == shapes) return i;
    }
    Index& made = indexes.emplace_back(shapes);
    for (const std::uint32_t row : present) made.link(terms, rows, row);
    return indexes.size() - 1;
}

std::size_t Relation::keys(const GroundTerms& terms, const std::vector<Shape>& shapes) const {
    for (const Index& index : indexes) {
        if (index.shapes() == shapes) return index.keys();
    }
    // From a sample.
    constexpr std::size_t most = 4096;
    Rows found(known(shapes));
    std::vector<Ground> key;
    const std::size_t looked_at = std::min(most, present.size());
    for (std::size_t i = 0; i < looked_at; ++i) {
        const auto values = rows[present[i]];
        key.clear();
        bool fits = true;
        for (std::size_t c = 0; c < values.size() && fits; ++c)
            fits = key_of(terms, shapes[c], values[c], key);
        if (fits) found.insert(key);
    }
    return looked_at == 0 ? 0 : found.size() * present.size() / looked_at;
}

}  // namespace zermelo::gdl::datalog
