// Binary form of strategies, for messages between processes of the same program that hold the same model.

#pragma once

#include "core/bytes.hpp"
#include "strategy/strategy.hpp"

namespace zermelo::strategy {

void put(Bytes& bytes, const std::vector<StrategyNode>& nodes);  // children first, the leaf in front
[[nodiscard]] std::vector<StrategyNode> take_nodes(std::span<const std::byte>& bytes);

void put(Bytes& bytes, const Strategy& strategy);
[[nodiscard]] Strategy take_strategy(std::span<const std::byte>& bytes);

}  // namespace zermelo::strategy
