// GDL terms as JSON: (cell 1 1 x) is ["cell", "1", "1", "x"].

#pragma once

#include <nlohmann/json.hpp>

#include "gdl/game.hpp"

namespace zermelo::web {

[[nodiscard]] nlohmann::json term(const gdl::Game& game, gdl::TermId id);

}  // namespace zermelo::web
