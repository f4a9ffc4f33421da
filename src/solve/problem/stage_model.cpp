#include "solve/problem/stage_model.hpp"

#include <algorithm>
#include <sstream>

#include "gdl/analysis/ranking.hpp"

namespace zermelo {

StageModel make_stage_model(const gdl::Game& game, std::optional<std::size_t> horizon, const Limits& limits) {
    const auto& start = game.machine().initial();
    const auto longest = gdl::longest_play(game.machine(), start, limits);
    if (!longest && !horizon) {
        throw Error({game.description().file}, "it is not known how long a play can be",
                    "say with " + setting("horizon") + " how many moves are looked at");
    }
    encode::UnrollOptions steps;
    steps.horizon = !horizon ? *longest : !longest ? *horizon : std::min(*horizon, *longest);
    steps.several = true;
    steps.limits = limits;
    StageModel model{encode::unroll(game, start, steps), false, {}};
    model.complete = model.unrolling.ends || (longest && *longest <= steps.horizon);
    std::ostringstream text;
    encode::write_stages(text, game, model.unrolling, {.limits = limits});
    model.text = text.str();
    return model;
}

}  // namespace zermelo
