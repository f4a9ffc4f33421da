// The description of the API for other programs, in OpenAPI 3.1.

#pragma once

#include <nlohmann/json.hpp>

namespace zermelo::web {

[[nodiscard]] const nlohmann::json& openapi();

}  // namespace zermelo::web
