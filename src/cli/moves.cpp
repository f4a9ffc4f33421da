#include "cli/moves.hpp"

namespace zermelo::cli {

std::string plain(const std::string& text) {
    std::istringstream words(text);
    std::string result;
    for (std::string word; words >> word;) {
        for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        result += (result.empty() ? "" : " ") + word;
    }
    return result;
}

}  // namespace zermelo::cli
