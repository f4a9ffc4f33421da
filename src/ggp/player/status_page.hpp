// Status page: what a player is doing, for people.

#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace zermelo::ggp {

// HTML of what /status.json says.
[[nodiscard]] std::string status_page(const nlohmann::json& now);

}  // namespace zermelo::ggp
