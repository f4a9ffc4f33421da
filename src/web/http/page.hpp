// Static files of the page as HTTP responses.
//
// They are compressed in the program (assets.hpp) and are sent so to clients that accept it. Files below
// /assets/ have a hash in their name and may be cached for ever; all others are revalidated, and are not sent
// again where they have not changed.

#pragma once

#include "net/http.hpp"

namespace zermelo::web {

// To any request that is not for the API.
[[nodiscard]] net::Response page_response(const net::Request& request);

}  // namespace zermelo::web
