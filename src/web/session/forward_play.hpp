// Play of a model or a graph: the steps that a request carries, on the forward view (game/game.hpp), told in the same
// words as the position of a game in GDL (position.hpp).
//
// Quantified models are played as their prefix says: ∃ and ∀ assign the variables one after the other. What was
// assigned is shown as facts, x[1,2] = 3 as (x 1 2 3), so that arrays become boards.

#pragma once

#include "web/session/game_cache.hpp"

namespace zermelo::web {

// The forward view, whatever the language of the rules.
class ForwardWalk {
public:
    virtual ~ForwardWalk() = default;
    [[nodiscard]] virtual std::vector<std::string> players() const = 0;
    [[nodiscard]] virtual std::optional<std::size_t> mover() const = 0;  // nothing where the play is over
    [[nodiscard]] virtual std::vector<std::string> moves() const = 0;
    [[nodiscard]] virtual std::vector<int> payoffs() const = 0;  // where the play is over
    [[nodiscard]] virtual std::string state() const = 0;         // its name
    virtual void make(std::size_t move) = 0;
};

class ForwardPlay {
public:
    // Throws Refusal 400 where the steps are none, 422 where one of them cannot be made.
    ForwardPlay(std::shared_ptr<const CompiledGame> game, const json& steps, const Limits& limits);

    json make(const json& moves);                                // one more step; returns it
    void follow(const std::string& text, const Limits& limits);  // as Position::follow
    [[nodiscard]] bool over() const { return !walk_->mover(); }
    [[nodiscard]] json describe() const;  // Position of web/src/api.ts
    [[nodiscard]] json facts() const;
    [[nodiscard]] const std::vector<std::string>& line() const { return line_; }
    [[nodiscard]] const std::vector<json>& steps() const { return steps_; }
    [[nodiscard]] const CompiledGame& game() const { return *game_; }
    [[nodiscard]] std::string mover() const;

    // The program's move: by best play where what is left can be listed, along the strategy of a solved model, or
    // the first legal one.
    struct Chosen {
        std::string move;
        std::string remark;
    };
    [[nodiscard]] Chosen choose(double seconds, std::size_t bytes) const;

private:
    [[nodiscard]] std::string find_move(const std::string& text) const;
    [[nodiscard]] std::optional<std::string> along_strategy() const;

    std::shared_ptr<const CompiledGame> game_;
    std::unique_ptr<ForwardWalk> walk_;
    std::vector<std::string> line_;
    std::vector<json> steps_;
};

}  // namespace zermelo::web
