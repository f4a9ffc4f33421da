// The entry of libFuzzer (Serebryany 2016) to the target that this program was compiled for.

#include <cstdint>

#include "targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    zermelo::fuzz::ZERMELO_FUZZ_TARGET(std::string(reinterpret_cast<const char*>(data), size));
    return 0;
}
