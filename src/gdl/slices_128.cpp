#define ZERMELO_WORD_BYTES 16
#include "gdl/slices_word.hpp"

namespace zermelo::gdl {

std::unique_ptr<Slices> make_slices_128(const Machine& machine, std::uint64_t seed);

std::unique_ptr<Slices> make_slices_128(const Machine& machine, std::uint64_t seed) {
    return std::make_unique<WordSlices>(machine, seed);
}

}  // namespace zermelo::gdl
