#include "symmetry/canonical.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace zermelo::symmetry {

Canonical::Canonical(const gdl::Network& network, const Limits& limits)
    : symmetries_(state_symmetries(network, most_symmetries, limits)) {
    if (symmetries_.empty()) return;
    for (const Symmetry& one : symmetries_) {
        auto& inverse = inverse_.emplace_back();
        for (const auto& moves : one.move) {
            auto& back = inverse.emplace_back(moves.size());
            for (gdl::MoveId move = 0; move < moves.size(); ++move) back[moves[move]] = move;
        }
    }
    constexpr std::uint64_t seed = 0x5EED;
    numbers_.reserve(network.fluents.size() * size());
    for (std::uint32_t f = 0; f < network.fluents.size(); ++f) {
        numbers_.push_back(mixed(f, seed).low);
        for (const Symmetry& one : symmetries_) numbers_.push_back(mixed(one.fluent[f], seed).low);
    }
}

Hash128 Canonical::fingerprint() const {
    Hasher hasher;
    for (const Symmetry& one : symmetries_) {
        for (const std::uint32_t image : one.fluent) hasher.add(image);
    }
    return hasher.value();
}

Canonical::SymmetryId Canonical::canonicalise(gdl::State& state) const {
    if (symmetries_.empty()) return 0;
    const std::size_t images = size();
    std::array<std::uint64_t, most_symmetries> hashes;
    std::fill_n(hashes.begin(), images, std::uint64_t{0});
    for (std::size_t word = 0; word < state.size(); ++word) {
        for (std::uint64_t left = state[word]; left != 0; left &= left - 1) {
            const std::size_t fluent = 64 * word + static_cast<std::size_t>(std::countr_zero(left));
            const std::uint64_t* numbers = numbers_.data() + fluent * images;
            for (std::size_t t = 0; t < images; ++t) hashes[t] += numbers[t];
        }
    }
    std::size_t best = 0;
    for (std::size_t t = 1; t < images; ++t) {
        if (hashes[t] < hashes[best]) best = t;
    }
    gdl::State least = best == 0 ? state : symmetry::image(symmetries_[best - 1], state);
    // Images with the same hash are the same image, unless chance wills otherwise: then the lesser one.
    for (std::size_t t = best + 1; t < images; ++t) {
        if (hashes[t] != hashes[best]) continue;
        gdl::State other = symmetry::image(symmetries_[t - 1], state);
        if (other >= least) continue;
        least = std::move(other);
        best = t;
    }
    state = std::move(least);
    return static_cast<SymmetryId>(best);
}

void Canonical::map_moves(SymmetryId by, std::size_t role, std::vector<gdl::MoveId>& moves) const {
    if (by == 0) return;
    for (gdl::MoveId& move : moves) move = symmetries_[by - 1U].move[role][move];
    std::sort(moves.begin(), moves.end());
}

}  // namespace zermelo::symmetry
