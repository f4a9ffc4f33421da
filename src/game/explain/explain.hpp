// Explanations: why a move wins. The play that follows from a position by best play, with what every other move
// would be worth, so that no reply is left out (Zermelo 1913: a won position is won against every defence).
//
// Who can force more than endless play pays hurries, and the other delays: the line is the shortest win against the
// longest defence. At every position of it, and of the play that led there, each move has its value and the moves that
// are then left, and the best answer to it. Two things are read off the rules by looking two moves ahead:
// a *threat* is a move of the other that wins at once after at least half of the replies, and its answers are the
// replies after which it does not; a choice is *forced* where one move is legal, where one alone does not lose at
// once, or where one alone keeps the value.
//
// Where all states of the play can be listed, values and distances are those of attractors (values.hpp). Otherwise each
// position of the line is solved by search (solve.hpp), which tells no distances, until what is left can be listed.

#pragma once

#include <nlohmann/json_fwd.hpp>

#include <memory>

#include "game/graph/values.hpp"
#include "game/solve.hpp"

namespace zermelo::game {

// All states of a game from the initial one, and what they are worth.
struct ListedStates {
    Graph graph;
    Values values;
};

struct ExplainOptions {
    Limits limits = {};
    std::vector<std::string> line =
        {};                // moves by name, from the initial state: explain the position after them
    bool history = false;  // also explain the positions before it
    // With history: the states that an explanation of the same game listed are read off, or are left here for the next.
    std::shared_ptr<const ListedStates>* listing = nullptr;
    std::size_t most_states = 3'000'000;               // that are listed
    std::size_t most_moves = 500;                      // of the line
    unsigned threads = 0;                              // 0: one a core
    std::size_t table_bytes = std::size_t{256} << 20;  // of a search
};

// What leaves a player no choice, or nothing to hope for.
enum class Choice : std::uint8_t { free, only_move, only_answer, only_good, none_holds, over };
[[nodiscard]] const char* name(Choice choice);  // free, only-move, only-answer, only-good, none-holds, over

struct ExplainedMove {
    std::string move;
    std::vector<int> values;        // by player, after it
    std::optional<Rank> left = {};  // moves to the end by best play, this one among them
    bool best = false;              // no move is worth more to who moves
    bool chosen = false;            // by best play: the shortest win, the longest defence
    bool ends = false;              // the play is over after it
    std::optional<std::string> answer =
        {};  // the best one; nothing where the play is over, or it is not known
    std::optional<std::string> loses_to = {};  // a move of the other that wins at once
};

struct Threat {
    std::string move;
    std::vector<std::string> answers;  // the replies that meet it
};

struct ExplainedPosition {
    bool solved = false;
    std::optional<Player> mover = {};  // who really chooses or moves; nothing where the play is over
    bool forced = false;               // nobody has a choice
    std::vector<int> values = {};      // by player
    std::optional<Rank> left = {};     // moves to the end by best play
    Choice choice = Choice::free;
    std::vector<ExplainedMove> moves = {};  // best first
    std::vector<Threat> threats = {};       // of the other, against who moves
    std::string made = {};                  // the move of the play or of the line; empty at its end
};

struct Explanation {
    std::vector<std::string> players;
    std::vector<ExplainedPosition> play;  // position by position
    std::size_t at = 0;                   // the place of the position that was asked about
    bool complete = false;   // the line reaches the end of the play, or comes back to where it was
    bool repeats = false;    // it comes back
    Stop stop = Stop::none;  // why it is not complete, or some position is not solved
    std::size_t states = 0;  // that were listed
    [[nodiscard]] const ExplainedPosition& asked() const { return play[at]; }
};

// Throw Error where players do not take turns, or a move of the line is none.
[[nodiscard]] Explanation explain(const gdl::Game& game, const ExplainOptions& options = {});
[[nodiscard]] Explanation explain(const Graph& graph, const ExplainOptions& options = {});
[[nodiscard]] Explanation explain(const model::Model& model, const ExplainOptions& options = {});

// The same as data; the command line and the page word it.
[[nodiscard]] nlohmann::json to_json(const Explanation& explanation);

}  // namespace zermelo::game
