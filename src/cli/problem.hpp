// Problem: the game that a FILE on the command line holds, of whatever kind, told by the ending of its name.
//
//     .kif .gdl         a description in GDL
//     .json .dot .gv    a graph
//     anything else     a quantified model
//
// What is done with games forwards, state by state, is written once for all of them: `with_game` hands out
// the forward view.

#pragma once

#include <variant>

#include "cli/command.hpp"
#include "game/graph/graph.hpp"
#include "game/solve.hpp"
#include "game/views/gdl_game.hpp"
#include "game/views/model_game.hpp"

namespace zermelo::cli {

enum class Kind { gdl, graph, model };

[[nodiscard]] Kind kind_of(const std::string& file);

class Problem {
public:
    // Throws Error where the file cannot be read, LimitReached.
    Problem(ModelOptions& options, const Limits& limits);

    [[nodiscard]] const std::string& file() const { return file_; }
    [[nodiscard]] std::string title() const;  // what plan files call the game
    [[nodiscard]] Hash128 rules() const;      // their fingerprint; throws Error for models

    [[nodiscard]] const gdl::Game* gdl() const { return held<gdl::Game>(); }
    [[nodiscard]] const game::Graph* graph() const { return held<game::Graph>(); }

    // From now on a graph begins in this state. Throws Error where there is none, or the game is no graph.
    void start_at(const std::string& state);

    [[nodiscard]] game::Solution solve(const game::SolveOptions& options) const;

    // work(game), where `game` is a Game that nobody else uses.
    template <class Work>
    auto with_game(Work work) const {
        return std::visit(
            [&](const auto& rules) {
                auto game = forward_view(*rules);
                return work(game);
            },
            rules_);
    }

private:
    template <class T>
    using Held = std::unique_ptr<const T>;  // so that it stays where it is

    template <class T>
    [[nodiscard]] const T* held() const {
        const auto* found = std::get_if<Held<T>>(&rules_);
        return found == nullptr ? nullptr : found->get();
    }
    static game::GdlGame forward_view(const gdl::Game& rules) { return game::GdlGame(rules); }
    static game::GraphGame forward_view(const game::Graph& rules) { return game::GraphGame(rules); }
    static game::ModelGame forward_view(const model::Model& rules) { return game::ModelGame(rules); }

    std::string file_;
    std::variant<Held<gdl::Game>, Held<game::Graph>, Held<model::Model>> rules_;
};

// --- moves as people write them ---

// The move of the state that `game` looks at which is written so, whatever the blanks and the case of
// letters; nothing if there is none, or several differ only in that.
template <game::Game G>
[[nodiscard]] std::optional<std::size_t> find_move(const G& game, const std::string& text);

[[nodiscard]] std::string plain(const std::string& text);  // small letters, single blanks, none at the ends

// The names of all moves, with commas between; the first few if there are many.
template <game::Game G>
[[nodiscard]] std::string move_list(const G& game);

// Moves separated by semicolons, one after another from the initial state, by their names. Throws Error about
// `file` where one of them is none.
template <game::Game G>
[[nodiscard]] std::vector<std::string> read_line(G& game, const std::string& text, const std::string& file);

}  // namespace zermelo::cli

#include "cli/problem-inl.hpp"
