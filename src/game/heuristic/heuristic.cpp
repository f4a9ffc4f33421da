#include "game/heuristic/heuristic.hpp"

#include <bit>

namespace zermelo::game {

double Weights::sum(const gdl::State& state) const {
    double total = base;
    for (std::size_t word = 0; word < state.size(); ++word) {
        for (std::uint64_t bits = state[word]; bits != 0; bits &= bits - 1) {
            total += of_fluent[word * 64 + static_cast<std::size_t>(std::countr_zero(bits))];
        }
    }
    return total;
}

}  // namespace zermelo::game
