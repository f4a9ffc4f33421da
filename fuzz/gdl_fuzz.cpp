// libFuzzer: any bytes as a game description; see gdl_any.hpp.

#include "gdl_any.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    (void)zermelo::gdl::run_any_description(std::string(reinterpret_cast<const char*>(data), size));
    return 0;
}
