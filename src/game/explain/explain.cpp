#include "game/explain/explain.hpp"

#include <set>

#include "game/explain/explain-inl.hpp"
#include "game/views/gdl_game.hpp"
#include "game/views/model_game.hpp"
#include "gdl/analysis/forced_moves.hpp"

namespace zermelo::game {

const char* name(Choice choice) {
    switch (choice) {
        case Choice::free:
            return "free";
        case Choice::only_move:
            return "only-move";
        case Choice::only_answer:
            return "only-answer";
        case Choice::only_good:
            return "only-good";
        case Choice::none_holds:
            return "none-holds";
        case Choice::over:
            return "over";
    }
    return "";
}

Explanation explain(const gdl::Game& rules, const ExplainOptions& options) {
    GdlGame game(rules);
    gdl::ForcedMoves forced_moves(rules);
    const auto forced = [&](const gdl::State& state) -> std::optional<Mover> {
        const auto deed = forced_moves.at(state);
        if (!deed) return std::nullopt;
        for (std::size_t p = 0; p < game.players(); ++p) {
            const auto player = static_cast<Player>(p);
            if (game.player_name(player) == deed->role) return Mover{player, deed->move};
        }
        return std::nullopt;
    };
    return Explainer(game, forced, options).explanation([&](const SolveOptions& asked) {
        return solve(rules, asked);
    });
}

Explanation explain(const Graph& graph, const ExplainOptions& options) {
    GraphGame game(graph);
    const auto forced = [](StateId) -> std::optional<Mover> { return std::nullopt; };
    return Explainer(game, forced, options).explanation([&](const SolveOptions& asked) {
        return solve(graph, asked);
    });
}

Explanation explain(const model::Model& model, const ExplainOptions& options) {
    ModelGame game(model);
    const auto forced = [](const ModelGame::State&) -> std::optional<Mover> { return std::nullopt; };
    return Explainer(game, forced, options).explanation([&](const SolveOptions& asked) {
        return solve(model, asked);
    });
}

}  // namespace zermelo::game
