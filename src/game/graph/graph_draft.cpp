#include "game/graph/graph_draft.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace zermelo::game {

namespace {

const std::string chance_word = "chance";
const std::string simultaneous_word = "simultaneous";

class Finisher {
public:
    Finisher(GraphDraft draft, const std::string& file, const DraftPlaces& where)
        : draft_(std::move(draft)), file_(file), where_(where) {}

    Graph run() {
        graph_.description = std::move(draft_.description);
        take_players();
        take_names();
        graph_.initial = target(draft_.initial, where_.initial, "the initial state");
        graph_.start.push_back(0);
        for (at_ = 0; at_ < draft_.states.size(); ++at_) {
            take_label();
            take_moves();
        }
        if (!any_move_name_) graph_.move_names.clear();
        return std::move(graph_);
    }

private:
    [[nodiscard]] Error wrong(const std::string& where, const std::string& problem,
                              const std::string& remedy) const {
        return Error({file_}, where + ": " + problem, remedy);
    }
    [[nodiscard]] Error wrong_state(const std::string& problem, const std::string& remedy) const {
        return wrong(where_.state(at_), problem, remedy);
    }

    void take_players() {
        if (draft_.players.empty()) throw wrong(where_.players, "no player is named", "name at least one");
        if (draft_.players.size() > Graph::most_players) {
            throw wrong(where_.players, "there are too many players",
                        fmt::format("name at most {}", Graph::most_players));
        }
        for (const std::string& name : draft_.players) {
            const bool blank_around = name.starts_with(' ') || name.ends_with(' ');
            if (name.empty() || blank_around || name.find(',') != std::string::npos) {
                throw wrong(where_.players, fmt::format("\"{}\" cannot be the name of a player", name),
                            "a name must not be empty, contain a comma, or begin or end with a blank");
            }
            if (name == chance_word || name == simultaneous_word) {
                throw wrong(where_.players, fmt::format("\"{}\" has a meaning of its own", name),
                            "give the player another name");
            }
            if (!players_.emplace(name, static_cast<Player>(players_.size())).second) {
                throw wrong(where_.players, fmt::format("two players are called {}", name),
                            "give each player a different name");
            }
        }
        graph_.players = std::move(draft_.players);
    }

    void take_names() {
        constexpr std::size_t most_states = std::numeric_limits<StateId>::max();
        if (draft_.states.size() > most_states) throw Error(Place{file_}, "there are too many states");
        for (at_ = 0; at_ < draft_.states.size(); ++at_) {
            const std::string& name = draft_.states[at_].name;
            if (name.empty()) throw wrong_state("this state has no name", "give every state a name");
            if (!states_.emplace(name, static_cast<StateId>(at_)).second) {
                throw wrong_state(fmt::format("two states are called {}", name),
                                  "give each state a different name");
            }
            graph_.names.push_back(name);
        }
    }

    [[nodiscard]] StateId target(const std::string& name, const std::string& where, const char* what) const {
        if (name.empty()) throw wrong(where, fmt::format("{} is missing", what), "name a state");
        const auto found = states_.find(name);
        if (found == states_.end()) {
            throw wrong(where, fmt::format("{} is {}, and there is no such state", what, name),
                        "name one of the states");
        }
        return found->second;
    }

    [[nodiscard]] Player player(const std::string& name) const {
        const auto found = players_.find(name);
        if (found == players_.end()) {
            throw wrong_state(fmt::format("there is no player {}", name),
                              fmt::format("the players are {}", fmt::join(graph_.players, ", ")));
        }
        return found->second;
    }

    // Whose turn it is, or which outcome.
    void take_label() {
        const GraphDraft::State& state = draft_.states[at_];
        const Graph::Label moves = turn_label(state);
        if (state.moves.empty()) {
            graph_.label.push_back(static_cast<Graph::Label>(Graph::ended + outcome(payoffs(state))));
            return;
        }
        if (!state.winner.empty() || state.payoffs) {
            throw wrong_state("this state has an outcome, and moves that go on",
                              "remove its moves, or give the outcome to a later state");
        }
        if (state.player.empty()) {
            throw wrong_state("this state has moves, but it is nobody's turn", "say which player moves");
        }
        graph_.label.push_back(moves);
    }

    [[nodiscard]] Graph::Label turn_label(const GraphDraft::State& state) const {
        if (state.player.empty()) return 0;
        if (state.player == chance_word) return Graph::chance;
        if (state.player == simultaneous_word) return Graph::simultaneous;
        return player(state.player);
    }

    [[nodiscard]] std::vector<int> payoffs(const GraphDraft::State& state) const {
        const std::size_t players = graph_.players.size();
        if (!state.winner.empty() && state.payoffs) {
            throw wrong_state("this state has a winner and payoffs", "give only one of them");
        }
        if (!state.winner.empty()) return payoffs_of_win(players, player(state.winner));
        if (!state.payoffs) return payoffs_of_draw(players);
        if (state.payoffs->size() != players) {
            throw wrong_state(
                fmt::format("there are {} payoffs for {} players", state.payoffs->size(), players),
                "give each player one");
        }
        for (const int payoff : *state.payoffs) {
            if (payoff < loss || payoff > win) {
                throw wrong_state(fmt::format("{} cannot be a payoff", payoff), "payoffs are 0 … 100");
            }
        }
        return *state.payoffs;
    }

    [[nodiscard]] std::size_t outcome(const std::vector<int>& payoffs) {
        constexpr std::size_t most_outcomes = 256 - Graph::ended;
        auto& all = graph_.outcomes;
        const auto place = static_cast<std::size_t>(std::find(all.begin(), all.end(), payoffs) - all.begin());
        if (place == most_outcomes) {
            throw wrong_state(fmt::format("this is outcome number {}", most_outcomes + 1),
                              fmt::format("a graph has at most {} different outcomes", most_outcomes));
        }
        if (place == all.size()) all.push_back(payoffs);
        return place;
    }

    void take_moves() {
        std::vector<GraphDraft::Move>& moves = draft_.states[at_].moves;
        for (std::size_t i = 0; i < moves.size(); ++i) {
            (void)target(moves[i].to, where_.move(at_, i), "the target of this move");
        }
        std::stable_sort(moves.begin(), moves.end(),
                         [](const auto& a, const auto& b) { return shown(a) < shown(b); });
        for (GraphDraft::Move& move : moves) {
            graph_.to.push_back(states_.at(move.to));
            graph_.set_last_weight(move.weight);
            any_move_name_ |= !move.name.empty();
            graph_.move_names.push_back(std::move(move.name));
        }
        graph_.start.push_back(graph_.to.size());
    }

    [[nodiscard]] static const std::string& shown(const GraphDraft::Move& move) {
        return move.name.empty() ? move.to : move.name;
    }

    GraphDraft draft_;
    const std::string& file_;
    const DraftPlaces& where_;
    Graph graph_;
    std::size_t at_ = 0;  // the state in work
    bool any_move_name_ = false;
    std::unordered_map<std::string, Player> players_;
    std::unordered_map<std::string, StateId> states_;
};

}  // namespace

Graph finish(GraphDraft draft, const std::string& file, const DraftPlaces& where) {
    return Finisher(std::move(draft), file, where).run();
}

std::vector<int> payoffs_of_win(std::size_t players, Player player) {
    std::vector<int> payoffs(players, loss);
    payoffs[player] = win;
    return payoffs;
}

std::vector<int> payoffs_of_draw(std::size_t players) {
    return std::vector<int>(players, endless_payoff(players));
}

std::optional<Player> winner_of(const std::vector<int>& payoffs) {
    const auto found = std::find(payoffs.begin(), payoffs.end(), win);
    if (found == payoffs.end()) return std::nullopt;
    const auto player = static_cast<Player>(found - payoffs.begin());
    return payoffs == payoffs_of_win(payoffs.size(), player) ? std::optional(player) : std::nullopt;
}

const std::string& mover(const Graph& graph, StateId s) {
    const Graph::Label label = graph.label[s];
    if (label == Graph::chance) return chance_word;
    if (label == Graph::simultaneous) return simultaneous_word;
    return graph.players[label];
}

}  // namespace zermelo::game
