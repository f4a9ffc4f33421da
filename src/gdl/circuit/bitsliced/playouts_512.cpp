#define ZERMELO_WORD_BYTES 64
#include "gdl/circuit/bitsliced/playouts-inl.hpp"

namespace zermelo::gdl {

std::unique_ptr<BitslicedPlayouts> make_bitsliced_512(const Machine& machine, std::uint64_t seed);

std::unique_ptr<BitslicedPlayouts> make_bitsliced_512(const Machine& machine, std::uint64_t seed) {
    return std::make_unique<WordPlayouts>(machine, seed);
}

}  // namespace zermelo::gdl
