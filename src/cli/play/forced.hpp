// Forced moves, as the command line calls them.

#pragma once

#include "gdl/analysis/forced_moves.hpp"

namespace zermelo::cli {

using gdl::Deed;
using gdl::forced_deed;

}  // namespace zermelo::cli
