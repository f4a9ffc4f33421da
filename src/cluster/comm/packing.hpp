// Message format: JSON in its binary form CBOR (RFC 8949), which unlike text keeps every number, infinity
// included, and every byte of a name.

#pragma once

#include <nlohmann/json.hpp>

#include "cluster/comm/comm.hpp"
#include "core/format/json_text.hpp"

namespace zermelo::cluster {

[[nodiscard]] inline Bytes packed(const nlohmann::json& object) {
    const std::vector<std::uint8_t> bytes = cbor_from_json(object);
    const auto view = std::as_bytes(std::span(bytes));
    return {view.begin(), view.end()};
}

[[nodiscard]] inline nlohmann::json unpacked(const Bytes& bytes) {
    return json_from_cbor({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
}

}  // namespace zermelo::cluster
