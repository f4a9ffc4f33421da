#include "gdl/circuit/bitsliced_batch.hpp"

namespace zermelo::gdl {

// One source file a width; the wider ones are compiled for the processors that have such words.
std::unique_ptr<BitslicedBatch> make_batch_128(const Machine& machine, std::size_t states,
                                               std::uint64_t seed);
std::unique_ptr<BitslicedBatch> make_batch_256(const Machine& machine, std::size_t states,
                                               std::uint64_t seed);
std::unique_ptr<BitslicedBatch> make_batch_512(const Machine& machine, std::size_t states,
                                               std::uint64_t seed);

std::unique_ptr<BitslicedBatch> BitslicedBatch::make(const Machine& machine, std::size_t states,
                                                     std::uint64_t seed, std::size_t lanes) {
    if (states == 0) throw Error("a batch has no states", "ask for at least one");
#if defined(__x86_64__)
    const bool has_512 = __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0;
    const bool has_256 = __builtin_cpu_supports("avx2") != 0;
    // Words that would stay mostly empty cost as much as full ones.
    const auto fits = [&](std::size_t width) { return lanes == width || (lanes == 0 && states > width / 2); };
    if (has_512 && fits(512)) return make_batch_512(machine, states, seed);
    if (has_256 && fits(256)) return make_batch_256(machine, states, seed);
#endif
    return make_batch_128(machine, states, seed);
}

}  // namespace zermelo::gdl
