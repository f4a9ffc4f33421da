#include "web/http/assets.hpp"

namespace zermelo::web {

#ifdef ZERMELO_PAGE

// The files one after another, as web/embed.mjs leaves them. The assembler takes them as they are: a compiler
// would look at every byte.
asm(".pushsection .rodata\n"
    ".hidden zermelo_page\n"
    ".global zermelo_page\n"
    "zermelo_page: .incbin \"" ZERMELO_PAGE
    "/page.bin\"\n"
    ".popsection\n");
extern "C" const char zermelo_page[];

namespace {

Asset asset(std::string_view path, std::string_view type, std::size_t begin, std::size_t size,
            std::string_view tag) {
    return {path, type, {zermelo_page + begin, size}, tag};
}

}  // namespace

std::span<const Asset> assets() {
    static const Asset all[] = {
#include "page.inc"
    };
    return all;
}

#else

std::span<const Asset> assets() { return {}; }

#endif

}  // namespace zermelo::web
