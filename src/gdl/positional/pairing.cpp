#include "gdl/positional/pairing.hpp"

#include <optional>

namespace zermelo::gdl {

namespace {

constexpr std::size_t none = PositionalRules::most_spots;
constexpr std::size_t most_lines = 8;  // that pairs of available spots may have to stop

Spots only(std::size_t spot) { return Spots{1} << spot; }

// Can these spots be paired so that each line contains a pair?
bool pair_up(std::span<const Spots> lines, Spots free) {
    if (lines.empty()) return true;
    const Spots candidates = lines.front() & free;
    for (Spots first = candidates; first != 0; first &= first - 1) {
        for (Spots second = first & (first - 1); second != 0; second &= second - 1) {
            const Spots pair = (first & -first) | (second & -second);
            std::array<Spots, most_lines> rest;
            std::size_t kept = 0;
            for (const Spots line : lines) {
                if ((line & pair) != pair) rest[kept++] = line;
            }
            if (pair_up(std::span(rest).first(kept), free & ~pair)) return true;
        }
    }
    return false;
}

}  // namespace

Pairing::Pairing(const PositionalRules& rules)
    : upper_(rules.spots.size()), from_(rules.spots.size(), 0), height_(rules.spots.size(), 0) {
    const std::size_t spots = rules.spots.size();
    std::vector<std::size_t> opens(spots, none);
    for (std::size_t i = 0; i < spots; ++i) {
        const Spots needs = rules.spots[i].needs;
        if (needs == 0) continue;
        const auto below = static_cast<std::size_t>(std::countr_zero(needs));
        if (std::popcount(needs) > 1 || opens[below] != none) applies_ = false;
        opens[below] = i;
        deep_ = true;
    }
    if (!applies_) return;
    for (std::size_t i = 0; i < spots; ++i) {
        std::size_t distance = 0;
        for (std::size_t at = i; at != none; at = opens[at], ++distance) {
            from_[i] |= only(at);
            if (distance > 0) {
                if (rules.spots[i].needs == 0) height_[at] = static_cast<std::uint8_t>(distance);
                upper_[i][(distance + 1) % 2] |= only(at);
            }
        }
        if (distance % 2 != 0) odd_ |= only(i);
    }
}

bool Pairing::works(const Treatment& treatment, const Board& board, const LineTable& lines_of_mover,
                    const LineTable& lines_of_responder, bool completes) const {
    const Spots denied = board.responder | treatment.denied;
    if ((board.threatening & ~denied) != 0) return false;
    // All spots that are denied are the responder's in the end, where nobody loses before.
    if (completes && !treatment.wins && !lines_of_responder.any_without(~denied)) return false;
    std::array<Spots, most_lines> lines;
    const std::size_t count = lines_of_mover.without(denied, lines);
    if (count > lines.size()) return false;
    return pair_up(std::span(lines).first(count), treatment.bases);
}

bool Pairing::holds(const Board& board, const LineTable& lines_of_mover, const LineTable& lines_of_responder,
                    bool completes) const {
    Treatment treatment;
    if ((board.completing & ~board.available) != 0)
        return holds_by_zugzwang(treatment, board, lines_of_mover, lines_of_responder, completes);
    // A spot without a partner does no harm only where an additional claim never does: where no spot opens another.
    treatment.bases = board.available & odd_;
    Spots parity = treatment.bases;
    for (int shift = 32; shift > 0; shift /= 2) parity ^= parity >> shift;
    if (deep_ && (parity & 1) != 0) return false;
    each_spot(board.available, [&](std::size_t i) { treatment.denied |= upper_[i][odd_ >> i & 1]; });
    return works(treatment, board, lines_of_mover, lines_of_responder, completes);
}

// In a chain with a spot that would complete a line, there may be two ways: with its base paired with its second spot, and
// with that of another chain. At most one chain is treated otherwise than seems best.
bool Pairing::holds_by_zugzwang(Treatment treatment, const Board& board, const LineTable& lines_of_mover,
                                const LineTable& lines_of_responder, bool completes) const {
    struct Choice {
        Treatment best;
        Treatment other;
    };
    std::array<Choice, PositionalRules::most_spots> choices;
    std::size_t count = 0;
    const auto add = [](Treatment& to, const Treatment& part) {
        to.bases ^= part.bases;
        to.denied |= part.denied;
        to.wins |= part.wins;
    };
    each_spot(board.available, [&](std::size_t base) {
        const std::size_t odd = odd_ >> base & 1;
        const auto treated = [&](std::size_t paired_base, Spots further, bool wins) {
            return Treatment{paired_base != 0 ? only(base) : 0, upper_[base][paired_base] | further, wins};
        };
        std::array<std::size_t, 2> lowest = {none, none};
        each_spot(board.completing & from_[base] & ~only(base), [&](std::size_t i) {
            std::size_t& least = lowest[static_cast<std::size_t>(height_[i] - height_[base] - 1) % 2];
            if (least == none || height_[i] < height_[least]) least = i;
        });
        std::array<std::optional<Treatment>, 2> ways;
        ways[odd] = treated(odd, 0, false);
        for (std::size_t way = 0; way < 2; ++way) {
            if (lowest[way] != none) ways[way] = treated(way, from_[lowest[way]], true);
        }
        if (!ways[0] || !ways[1]) {
            add(treatment, ways[0] ? *ways[0] : *ways[1]);
            return;
        }
        const std::size_t best = ways[1]->wins && !ways[0]->wins ? 1 : 0;
        choices[count++] = {*ways[best], *ways[1 - best]};
    });
    for (std::size_t otherwise = 0; otherwise <= count; ++otherwise) {  // the last: none of them
        Treatment whole = treatment;
        for (std::size_t k = 0; k < count; ++k)
            add(whole, k == otherwise ? choices[k].other : choices[k].best);
        if (deep_ && std::popcount(whole.bases) % 2 != 0) continue;
        if (works(whole, board, lines_of_mover, lines_of_responder, completes)) return true;
    }
    return false;
}

}  // namespace zermelo::gdl
