// The intervals of an analysis, before the values of positions that can be solved.

#include <cstdio>
#include <map>

#include "core/random.hpp"
#include "web/server_fixture.hpp"

namespace zermelo::web {
namespace {

constexpr int positions = 12;  // of each game
constexpr std::uint64_t seed = 7;

struct Tally {
    int all = 0;
    int held = 0;
    int informative = 0;  // not from 0 to 100
};

// A position after some random moves, in which one role has a choice; null where the play ended before.
json random_steps(const Implementation& desk, const json& game, std::uint64_t least, Random& random) {
    json steps = json::array();
    for (std::uint64_t left = least + random.below(6);; --left) {
        const json position = desk.ask("/api/position", {{"game", game}, {"steps", steps}});
        if (position["over"] || position["turn"].size() != 1) return nullptr;
        if (left == 0) return steps;
        const std::string mover = position["turn"][0];
        const json& legal = position["legal"][mover];
        const json moves = {{mover, legal[random.below(legal.size())]["text"]}};
        steps.push_back(desk.ask("/api/step", {{"game", game}, {"steps", steps}, {"moves", moves}})["step"]);
    }
}

// Of the moves that are not proven: whether the interval holds the value.
void look(const Implementation& desk, const json& game, const json& steps, const std::string& player,
          Tally& tally) {
    const json why =
        desk.ask("/api/why", {{"game", game}, {"steps", steps}, {"seconds", 60}, {"history", false}});
    const json& here = why["play"][why["at"].get<std::size_t>()];
    if (!here["solved"]) return;
    const std::string mover = here["mover"];
    const json thought =
        desk.listen("/api/think",
                    {{"game", game}, {"steps", steps}, {"role", mover}, {"player", player}, {"seconds", 1}})
            .last("move")["thought"];
    std::map<std::string, double> values;
    for (const json& move : here["moves"]) values[move["move"]] = move["values"][mover];
    for (const json& estimate : thought["estimates"]) {
        const auto value = values.find(estimate["move"]);
        if (estimate["proven"] || value == values.end()) continue;
        const double low = estimate["low"];
        const double high = estimate["high"];
        ++tally.all;
        tally.held += low <= value->second && value->second <= high ? 1 : 0;
        tally.informative += low > 0 || high < 100 ? 1 : 0;
    }
}

class Intervals : public testing::TestWithParam<const char*> {};

TEST_P(Intervals, HoldTheValueInNinetyThreeOfAHundredMoves) {
    const Implementation desk;
    Random random(seed);
    Tally tally;
    // From positions that are solved in a moment: breakthrough only after some moves.
    const std::map<std::string, std::uint64_t> games = {
        {"gdl/tic-tac-toe", 0}, {"gdl/nim", 0}, {"gdl/breakthrough-small", 8}};
    for (const auto& [id, least] : games) {
        const json game = {{"id", id}};
        for (int done = 0; done < positions;) {
            const json steps = random_steps(desk, game, least, random);
            if (steps.is_null()) continue;
            look(desk, game, steps, GetParam(), tally);
            ++done;
        }
    }
    EXPECT_GE(tally.all, 50) << "moves whose value is not proven";
    EXPECT_GE(tally.held, 0.93 * tally.all);
    EXPECT_GE(tally.informative, 0.1 * tally.all) << "an interval from 0 to 100 always holds";
    RecordProperty("moves", tally.all);
    RecordProperty("held", tally.held);
    printf("%s: %d of %d moves, %d intervals smaller than 0 to 100\n", GetParam(), tally.held, tally.all,
           tally.informative);
}

INSTANTIATE_TEST_SUITE_P(Players, Intervals,
                         testing::Values("zermelo:playouts=200", "uct:playouts=500", "grave:playouts=500"),
                         [](const auto& one) {
                             const std::string name = one.param;
                             return name.substr(0, name.find(':'));
                         });

}  // namespace
}  // namespace zermelo::web
