#include <bit>

#include "gdl/ground/ground.hpp"

namespace zermelo::gdl {

namespace {

std::uint64_t mix(std::uint64_t h) {
    h ^= h >> 32;
    h *= 0xD6E8FEB86659FD93ULL;
    h ^= h >> 32;
    return h;
}

std::uint64_t hash_of(Symbol symbol, std::span<const TermId> arguments) {
    std::uint64_t h = mix(symbol + 0x9E3779B97F4A7C15ULL);
    for (const TermId a : arguments) h = mix(h * 31 + a + 1);
    return h;
}

}  // namespace

TermId Terms::make(Symbol symbol, std::span<const TermId> arguments) {
    if (nodes_.size() * 2 >= table_.size()) grow();
    const std::size_t mask = table_.size() - 1;
    std::size_t at = hash_of(symbol, arguments) & mask;
    for (; table_[at] != 0; at = (at + 1) & mask) {
        const Node& node = nodes_[table_[at] - 1];
        if (node.symbol == symbol && node.count == arguments.size() &&
            std::equal(arguments.begin(), arguments.end(), arguments_.begin() + node.first)) {
            return table_[at] - 1;
        }
    }
    std::size_t depth = 0;
    for (const TermId a : arguments) depth = std::max<std::size_t>(depth, nodes_[a].depth);
    const auto first = static_cast<std::uint32_t>(arguments_.size());
    // `arguments` may point into arguments_ itself.
    const std::vector<TermId> copy(arguments.begin(), arguments.end());
    arguments_.insert(arguments_.end(), copy.begin(), copy.end());
    nodes_.push_back(
        {symbol, first, static_cast<std::uint16_t>(copy.size()), static_cast<std::uint16_t>(depth + 1)});
    table_[at] = static_cast<std::uint32_t>(nodes_.size());
    return table_[at] - 1;
}

void Terms::grow() {
    const std::size_t doubled = std::max<std::size_t>(1024, table_.size() * 2);
    constexpr std::size_t large = 1 << 18;
    if (doubled >= large) stay_within_limits("while grounding the rules", doubled * sizeof(std::uint32_t));
    table_.assign(doubled, 0);
    const std::size_t mask = table_.size() - 1;
    for (TermId t = 0; t < nodes_.size(); ++t) {
        std::size_t at = hash_of(symbol(t), arguments(t)) & mask;
        while (table_[at] != 0) at = (at + 1) & mask;
        table_[at] = t + 1;
    }
}

std::string Terms::text(const Symbols& symbols, TermId t) const {
    if (arguments(t).empty()) return symbols.name(symbol(t));
    std::string result = "(" + symbols.name(symbol(t));
    for (const TermId a : arguments(t)) result += " " + text(symbols, a);
    return result + ")";
}

}  // namespace zermelo::gdl
