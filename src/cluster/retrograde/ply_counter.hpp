// Ply counter: a linear function of a state's bits that goes up by one with every move.
//
// Where there is one, states of different levels are different, and earlier levels need not be remembered to
// recognise new states: only the level that is being built is in memory. Games with a counter of moves have a
// ply counter, and so have those in which every move sets one more piece. It is found automatically: every
// move gives a linear equation for the weights, random plays give enough of them, and the solution modulo a
// prime is then checked at every single move.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace zermelo::cluster {

class PlyCounter {
public:
    PlyCounter() = default;  // none
    explicit PlyCounter(std::vector<std::uint64_t> weights) : weights_(std::move(weights)) {}

    [[nodiscard]] bool exists() const { return !weights_.empty(); }
    [[nodiscard]] std::uint64_t time(std::span<const std::uint64_t> row) const;
    [[nodiscard]] static std::uint64_t after(std::uint64_t time);  // the next move

private:
    std::vector<std::uint64_t> weights_;  // by bit of a row, modulo the prime
};

// Collects moves until the weights are known.
class PlyCounterBuilder {
public:
    explicit PlyCounterBuilder(std::size_t bits) : bits_(bits) {}

    static constexpr std::size_t most_bits = 768;  // for more, the equations take too long

    // False where no weights can satisfy this move and the earlier ones.
    bool add(std::span<const std::uint64_t> before, std::span<const std::uint64_t> after);
    // Nothing new has been learned from so many moves that more will hardly help.
    [[nodiscard]] bool knows_enough() const { return known_already_ >= enough; }
    [[nodiscard]] PlyCounter make() const;

private:
    struct Equation {
        std::size_t lead;                        // its first bit with a coefficient, which is 1
        std::vector<std::uint64_t> coefficient;  // by bit, and at the end the right side
    };
    static constexpr std::size_t enough = 1000;

    std::size_t bits_;
    std::vector<Equation> equations_;  // by lead, ascending
    std::size_t known_already_ = 0;    // moves since the last new equation
};

}  // namespace zermelo::cluster
