// Explicit game graph in compressed sparse row form: states and moves listed one by one.
//
// States are numbers. What a state is takes one byte (whose turn, or which outcome), and its moves are a
// range of one long list of targets, so that a graph of millions of states is two arrays. States and moves
// have names where somebody gave them. Reads and writes JSON and DOT.

#pragma once

#include <cstdint>
#include <iosfwd>
#include <limits>
#include <span>
#include <vector>

#include "game/game.hpp"

namespace zermelo::game {

using StateId = std::uint32_t;

struct Graph {
    // By state: a player below `most_players`, `chance`, `simultaneous`, or `ended` + an outcome.
    using Label = std::uint8_t;
    static constexpr Label most_players = 64;
    static constexpr Label chance = 64;
    static constexpr Label simultaneous = 65;
    static constexpr Label ended = 128;

    std::string description;
    std::vector<std::string> players;
    std::vector<std::vector<int>> outcomes;  // at most 128: payoffs by player
    StateId initial = 0;
    std::vector<Label> label;          // by state
    std::vector<std::uint64_t> start;  // by state: into `to`; one more at the end
    std::vector<StateId> to;
    // By move, positive: how likely chance makes it, in proportion. Empty: all moves of chance are equally likely.
    std::vector<std::uint64_t> weight;
    std::vector<std::string> names;       // by state, or empty
    std::vector<std::string> move_names;  // by move, or empty; an empty name is none

    [[nodiscard]] std::size_t states() const { return label.size(); }
    [[nodiscard]] std::size_t edges() const { return to.size(); }
    [[nodiscard]] std::span<const StateId> successors(StateId s) const {
        return {to.data() + start[s], static_cast<std::size_t>(start[s + 1] - start[s])};
    }
    [[nodiscard]] bool over(StateId s) const { return label[s] >= ended; }
    [[nodiscard]] const std::vector<int>& payoffs(StateId s) const { return outcomes[label[s] - ended]; }
    [[nodiscard]] Turn turn(StateId s) const;
    [[nodiscard]] std::uint64_t weight_of(std::uint64_t move) const {
        return weight.empty() ? 1 : weight[move];
    }
    void set_last_weight(std::uint64_t weight);                     // of the move that was added last
    [[nodiscard]] std::string name(StateId s) const;                // its number where it has no name
    [[nodiscard]] std::string move_name(std::uint64_t move) const;  // that of its target where it has no name
    [[nodiscard]] std::size_t bytes() const;
    friend bool operator==(const Graph&, const Graph&) = default;
};

// Names the rules in plan files.
[[nodiscard]] Hash128 rules_fingerprint(const Graph& graph);

// A graph as a Game.
class GraphGame {
public:
    using State = StateId;
    explicit GraphGame(const Graph& graph) : graph_(graph), start_(graph.initial), at_(graph.initial) {}

    [[nodiscard]] std::size_t players() const { return graph_.players.size(); }
    [[nodiscard]] StateId initial() const { return start_; }
    void start_at(StateId state) { start_ = state; }  // which is initial() from now on
    void look(StateId state) { at_ = state; }
    [[nodiscard]] Turn turn() const { return graph_.turn(at_); }
    [[nodiscard]] std::size_t moves() const { return graph_.successors(at_).size(); }
    void successor(std::size_t move, StateId& out) const { out = graph_.successors(at_)[move]; }
    [[nodiscard]] int payoff(Player player) const { return graph_.payoffs(at_)[player]; }
    [[nodiscard]] std::uint64_t weight(std::size_t move) const {
        return graph_.weight_of(graph_.start[at_] + move);
    }
    [[nodiscard]] Hash128 key(StateId state) const;
    [[nodiscard]] std::string player_name(Player player) const { return graph_.players[player]; }
    [[nodiscard]] std::string move_name(std::size_t move) const {
        return graph_.move_name(graph_.start[at_] + move);
    }
    [[nodiscard]] std::string state_name(StateId state) const { return graph_.name(state); }

    // A state as a row of words, for those who store many.
    [[nodiscard]] static std::size_t row_words() { return 1; }
    static void pack(StateId state, std::span<std::uint64_t> row) { row[0] = state; }
    static void unpack(std::span<const std::uint64_t> row, StateId& state) {
        state = static_cast<StateId>(row[0]);
    }
    [[nodiscard]] Hash128 fingerprint() const { return rules_fingerprint(graph_); }

private:
    const Graph& graph_;
    StateId start_;
    StateId at_;
};

static_assert(Game<GraphGame>);

// Readers throw Error with the place. JSON:
//   { "format": "zermelo-graph", "version": 1, "description": "…", "players": ["Alice", "Bob"],
//     "initial": "A2",
//     "states": [ {"name": "A2", "player": "Alice", "moves": ["B1", {"to": "B1", "name": "take 1"}]},
//                 {"name": "C1", "player": "chance", "moves": ["A2", {"to": "B1", "weight": 2}]},
//                 {"name": "B1", "winner": "Alice"}, {"name": "D", "payoffs": [50, 50]} ] }
// The description may be missing. A state without moves, winner and payoffs is a draw; it may name a player,
// but nothing depends on it. "player": "chance" is a state in which chance moves, "simultaneous" one in which
// several players do. Moves are sorted by name.
//
// DOT: a digraph whose nodes carry the attributes player and winner (or payoffs="70,30"), whose edges are
// named by their labels, and whose graph attributes say initial=…, players="Alice,Bob" and perhaps
// comment="…", the description.
[[nodiscard]] Graph read_graph_json(std::istream& in, const std::string& file);
[[nodiscard]] Graph read_graph_dot(std::istream& in, const std::string& file);
[[nodiscard]] Graph read_graph(const std::string& file);  // by its ending: .json, .dot or .gv
void write_graph_json(std::ostream& out, const Graph& graph);
// Throws Error where a name cannot be written in DOT.
void write_graph_dot(std::ostream& out, const Graph& graph);

}  // namespace zermelo::game
