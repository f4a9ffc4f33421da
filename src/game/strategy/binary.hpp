// Binary file format of plans.
//
//     magic            8 bytes
//     version          all numbers are varints: seven bits a byte, the lowest first
//     rules            16 bytes, the fingerprint of the rules
//     game             its length, its bytes
//     plans            how many; then for each
//       owner, promise, number of choices, length of what follows
//       the choices, compressed with zstd
//     checksum         16 bytes over everything before
//
// A file that was cut off or altered is refused. The sizes that a file claims are not trusted: memory grows
// with what has been read.

#pragma once

#include <span>

#include "core/limits.hpp"
#include "game/strategy/positional_strategy.hpp"

namespace zermelo::game {

struct PlanFile {
    std::string game;
    Hash128 rules;
    std::vector<Plan> plans;
    friend bool operator==(const PlanFile&, const PlanFile&) = default;
};

[[nodiscard]] std::string encode_plans(const PlanFile& file);
[[nodiscard]] bool is_compact_plan(const std::string& bytes);  // or the beginning of one
// Throws Error about `name`, LimitReached.
[[nodiscard]] PlanFile decode_plans(const std::string& bytes, const std::string& name,
                                    const Limits& limits = {});

}  // namespace zermelo::game
