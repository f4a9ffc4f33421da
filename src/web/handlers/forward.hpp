// The questions about plays, for models and graphs.

#pragma once

#include "web/session/forward_play.hpp"

namespace zermelo::web {

inline constexpr double reading_seconds = 60;  // for a position, its game unread

// Whether the request is about a game in GDL; throws Refusal where it names no game.
[[nodiscard]] bool asks_about_gdl(const Call& call, const GameCache& cache);

[[nodiscard]] ForwardPlay read_forward_play(const Call& call, GameCache& cache);
[[nodiscard]] json forward_position(const Call& call, GameCache& cache);
[[nodiscard]] json forward_step(const Call& call, GameCache& cache);
[[nodiscard]] json forward_output(const Call& call, GameCache& cache);
[[nodiscard]] json forward_replay(const Call& call, GameCache& cache);
void forward_think(const Call& call, Events& events, GameCache& cache, double seconds);
void forward_analyse(const Call& call, Events& events, GameCache& cache, double seconds);

}  // namespace zermelo::web
