#include "lsp/document.hpp"

#include "lsp/gdl_document.hpp"
#include "lsp/minizinc_document.hpp"
#include "solve/problem/problem.hpp"

namespace zermelo::lsp {

std::unique_ptr<Document> open_document(const std::string& file, const std::string& language,
                                        std::string text) {
    const Language by_name = language_of(file);
    if (by_name == Language::gdl || language == "gdl" || language == "kif")
        return std::make_unique<GdlDocument>(file, std::move(text));
    if (by_name == Language::minizinc || language == "minizinc" || language == "mzn")
        return std::make_unique<MiniZincDocument>(file, std::move(text));
    return nullptr;
}

}  // namespace zermelo::lsp
