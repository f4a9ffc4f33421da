#define ZERMELO_WORD_BYTES 16
#include "gdl/circuit/bitsliced/batch-inl.hpp"
#include "gdl/circuit/bitsliced/playouts-inl.hpp"

namespace zermelo::gdl {

std::unique_ptr<BitslicedPlayouts> make_bitsliced_128(const Machine& machine, std::uint64_t seed);
std::unique_ptr<BitslicedBatch> make_batch_128(const Machine& machine, std::size_t states,
                                               std::uint64_t seed);

std::unique_ptr<BitslicedPlayouts> make_bitsliced_128(const Machine& machine, std::uint64_t seed) {
    return std::make_unique<WordPlayouts>(machine, seed);
}

std::unique_ptr<BitslicedBatch> make_batch_128(const Machine& machine, std::size_t states,
                                               std::uint64_t seed) {
    return std::make_unique<WordBatch>(machine, states, seed);
}

}  // namespace zermelo::gdl
