// OpenAPI 3.1 description of the API, for other programs.

#pragma once

#include <nlohmann/json.hpp>

namespace zermelo::web {

[[nodiscard]] const nlohmann::json& openapi();

}  // namespace zermelo::web
