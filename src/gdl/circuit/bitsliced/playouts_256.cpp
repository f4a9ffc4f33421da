#define ZERMELO_WORD_BYTES 32
#include "gdl/circuit/bitsliced/batch-inl.hpp"
#include "gdl/circuit/bitsliced/playouts-inl.hpp"

namespace zermelo::gdl {

std::unique_ptr<BitslicedPlayouts> make_bitsliced_256(const Machine& machine, std::uint64_t seed);
std::unique_ptr<BitslicedBatch> make_batch_256(const Machine& machine, std::size_t states,
                                               std::uint64_t seed);

std::unique_ptr<BitslicedPlayouts> make_bitsliced_256(const Machine& machine, std::uint64_t seed) {
    return std::make_unique<WordPlayouts>(machine, seed);
}

std::unique_ptr<BitslicedBatch> make_batch_256(const Machine& machine, std::size_t states,
                                               std::uint64_t seed) {
    return std::make_unique<WordBatch>(machine, states, seed);
}

}  // namespace zermelo::gdl
