#include <nlohmann/json.hpp>

#include "game/explain/explain.hpp"

namespace zermelo::game {

namespace {

using nlohmann::json;

template <class T>
json or_null(const std::optional<T>& value) {
    return value ? json(*value) : json(nullptr);
}

json by_player(const std::vector<std::string>& players, const std::vector<int>& values) {
    json all = json::object();
    for (std::size_t p = 0; p < values.size(); ++p) all[players[p]] = values[p];
    return all;
}

json to_json(const ExplainedMove& move, Player mover, const std::vector<std::string>& players) {
    return {{"move", move.move},
            {"values", by_player(players, move.values)},
            {"verdict", verdict(mover, move.values)},
            {"left", or_null(move.left)},
            {"best", move.best},
            {"chosen", move.chosen},
            {"ends", move.ends},
            {"answer", or_null(move.answer)},
            {"loses_to", or_null(move.loses_to)}};
}

json to_json(const ExplainedPosition& position, const std::vector<std::string>& players) {
    json one = {{"solved", position.solved},
                {"mover", position.mover ? json(players[*position.mover]) : json(nullptr)},
                {"forced", position.forced},
                {"values", position.solved ? by_player(players, position.values) : json(nullptr)},
                {"verdict", nullptr},
                {"left", or_null(position.left)},
                {"choice", position.solved ? json(name(position.choice)) : json(nullptr)},
                {"made", position.made.empty() ? json(nullptr) : json(position.made)},
                {"moves", json::array()},
                {"threats", json::array()}};
    if (!position.solved) return one;
    if (position.mover) one["verdict"] = verdict(*position.mover, position.values);
    for (const ExplainedMove& move : position.moves)
        one["moves"].push_back(to_json(move, *position.mover, players));
    for (const Threat& threat : position.threats)
        one["threats"].push_back({{"move", threat.move}, {"answers", threat.answers}});
    return one;
}

}  // namespace

json to_json(const Explanation& explanation) {
    json all = {{"players", explanation.players},
                {"at", explanation.at},
                {"complete", explanation.complete},
                {"repeats", explanation.repeats},
                {"stop", describe(explanation.stop)},
                {"states", explanation.states},
                {"play", json::array()}};
    for (const ExplainedPosition& position : explanation.play)
        all["play"].push_back(to_json(position, explanation.players));
    return all;
}

}  // namespace zermelo::game
