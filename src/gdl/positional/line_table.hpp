// The lines of a positional game by the spots that they run through, several of them looked at by one instruction where
// the processor has AVX-512.

#pragma once

#include <array>
#include <span>

#include "gdl/positional/positional_game.hpp"

namespace zermelo::gdl {

class LineTable {
public:
    LineTable(const std::vector<Spots>& lines, std::size_t spots);

    // For each of the candidates, in ascending order: the open spots that would complete a line through it, where
    // `held` and it are held already.
    void completed_by(Spots candidates, Spots held, Spots open, Spots* out) const {
        completed_by_(rest_.data()->line.data(), stride_, candidates, ~held, open, out);
    }
    // Is there a line without any of these spots?
    [[nodiscard]] bool any_without(Spots spots) const {
        return !all_.empty() && any_without_(all_.data()->line.data(), all_.size(), spots);
    }

    // The lines without any of these spots, as far as there is room for them, and how many of them there are; perhaps too
    // few, but more than there is room for, where there are so many.
    [[nodiscard]] std::size_t without(Spots spots, std::span<Spots> out) const {
        return all_.empty() ? 0 : without_(all_.data()->line.data(), all_.size(), spots, out);
    }

    [[nodiscard]] std::size_t lines_through(std::size_t spot) const { return through_[spot]; }

private:
    struct alignas(64) Eight {
        std::array<Spots, 8> line;
    };
    static constexpr Spots no_line = ~Spots{0};  // never complete, and never without a spot that is held

    std::size_t stride_ = 1;
    std::vector<Eight> rest_;  // by spot, `stride_` of them each: lines through it, without it
    std::vector<Eight> all_;
    std::vector<std::size_t> through_;
    // For this processor.
    void (*completed_by_)(const Spots* rest, std::size_t eights, Spots candidates, Spots lacking, Spots open,
                          Spots* out);
    bool (*any_without_)(const Spots* lines, std::size_t eights, Spots spots);
    std::size_t (*without_)(const Spots* lines, std::size_t eights, Spots spots, std::span<Spots> out);
};

}  // namespace zermelo::gdl
