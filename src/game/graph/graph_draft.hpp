// GraphDraft: the intermediate form of a graph that is being read, everything still by name.
//
// The readers of all formats fill a draft; one function checks it and numbers the states. So an error is
// worded the same whatever the format.

#pragma once

#include <functional>
#include <optional>

#include "game/graph/graph.hpp"

namespace zermelo::game {

struct GraphDraft {
    struct Move {
        std::string to;
        std::string name;          // empty: that of its target
        std::uint64_t weight = 1;  // where chance moves
    };
    struct State {
        std::string name;
        std::string player;  // empty where none is given; the same for the winner
        std::string winner;
        std::optional<std::vector<int>> payoffs;
        std::vector<Move> moves;
    };
    std::string description;
    std::vector<std::string> players;
    std::string initial;
    std::vector<State> states;
};

// Where a part of the draft stands in its file, in the terms of its format: a JSON pointer, for example.
struct DraftPlaces {
    std::string players;
    std::string initial;
    std::function<std::string(std::size_t state)> state;
    std::function<std::string(std::size_t state, std::size_t move)> move;
};

// The graph, its moves sorted by name. Throws Error at the first mistake.
[[nodiscard]] Graph finish(GraphDraft draft, const std::string& file, const DraftPlaces& where);

// What a win of `player`, and a draw, pay to each.
[[nodiscard]] std::vector<int> payoffs_of_win(std::size_t players, Player player);
[[nodiscard]] std::vector<int> payoffs_of_draw(std::size_t players);

// The player who wins an outcome, if it is a win in the above sense.
[[nodiscard]] std::optional<Player> winner_of(const std::vector<int>& payoffs);

// The name of whoever moves in a state that is not over.
[[nodiscard]] const std::string& mover(const Graph& graph, StateId s);

}  // namespace zermelo::game
