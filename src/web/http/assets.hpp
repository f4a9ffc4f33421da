// Assets: the files of the page, compressed and embedded in the program.

#pragma once

#include <span>
#include <string_view>

namespace zermelo::web {

struct Asset {
    std::string_view path;  // /index.html, /assets/index-4f1c.js
    std::string_view type;
    std::string_view gzip;  // the content, compressed
    std::string_view tag;   // differs where the content does
};

[[nodiscard]] std::span<const Asset> assets();  // none where the program was built without the page

}  // namespace zermelo::web
