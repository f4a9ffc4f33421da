#include "gdl/circuit/bitsliced_playouts.hpp"

namespace zermelo::gdl {

// One source file a width; the wider ones are compiled for the processors that have such words.
std::unique_ptr<BitslicedPlayouts> make_bitsliced_128(const Machine& machine, std::uint64_t seed);
std::unique_ptr<BitslicedPlayouts> make_bitsliced_256(const Machine& machine, std::uint64_t seed);
std::unique_ptr<BitslicedPlayouts> make_bitsliced_512(const Machine& machine, std::uint64_t seed);

std::unique_ptr<BitslicedPlayouts> BitslicedPlayouts::make(const Machine& machine, std::uint64_t seed,
                                                           std::size_t lanes) {
#if defined(__x86_64__)
    const bool has_512 = __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0;
    const bool has_256 = __builtin_cpu_supports("avx2") != 0;
    if (has_512 && (lanes == 0 || lanes == 512)) return make_bitsliced_512(machine, seed);
    if (has_256 && (lanes == 0 || lanes == 256)) return make_bitsliced_256(machine, seed);
#endif
    return make_bitsliced_128(machine, seed);
}

}  // namespace zermelo::gdl
