// The shipped MiniZinc models, through the real compiler.

#pragma once

#include <string>
#include <vector>

#include "model/flatzinc/minizinc.hpp"

namespace zermelo {

// The model games/<path>.mzn.
inline model::Model shipped_model(const std::string& path, std::vector<std::string> definitions = {},
                                  const std::string& extra = "") {
    const std::string root = ZERMELO_SOURCE_DIR;
    model::MiniZincOptions options;
    options.library = root + "/share/minizinc/zermelo";
    options.definitions = std::move(definitions);
    options.extra = extra;
    return model::read_minizinc(root + "/games/" + path + ".mzn", options);
}

}  // namespace zermelo
