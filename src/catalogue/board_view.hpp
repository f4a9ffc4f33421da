// Boards as text: a position as a person likes to see it, drawn whole from the first move, with the pieces and colours of
// the hints beside the rules, and as the page turns it. What changed since the position before is marked.

#pragma once

#include <map>

#include "catalogue/recognise.hpp"

namespace zermelo::catalogue {

class BoardView {
public:
    // Colours are those of a terminal.
    BoardView(const gdl::Game& game, nlohmann::json hints, bool colours = false);

    // The facts that lie on boards are taken out; empty where there are no boards. `before`: the facts of the position
    // before; nothing is marked where there are none.
    [[nodiscard]] std::string draw(std::vector<std::string>& facts,
                                   const std::vector<std::string>& before = {}) const;

private:
    struct Piece {
        std::string text;    // with colours
        std::string letter;  // without: no other piece has the same
        std::string colour;
    };
    using Places = std::map<std::string, std::string>;  // what lies there

    [[nodiscard]] Piece look_up(const std::string& thing) const;
    void recognise(const gdl::Game& game);
    void tell_apart();
    [[nodiscard]] bool is_empty(const std::string& thing) const;
    [[nodiscard]] Places lying(const BoardGrid& grid, const std::vector<std::string>& facts) const;
    [[nodiscard]] std::string draw(const BoardGrid& grid, const Places& now, const Places* before) const;
    [[nodiscard]] std::string draw_points(const BoardGrid& grid, const Places& now,
                                          const Places* before) const;
    [[nodiscard]] std::string cell(const BoardGrid& grid, const std::string& place, const Places& now,
                                   bool marked, bool dark, std::size_t width) const;

    bool colours_;
    nlohmann::json hints_;
    std::vector<std::string> roles_;
    std::vector<BoardGrid> grids_;
    std::map<std::string, Piece> pieces_;  // by thing; all that can lie anywhere
};

// Facts that lie on no board: a line for each relation.
[[nodiscard]] std::string listed(const std::vector<std::string>& facts);

}  // namespace zermelo::catalogue
