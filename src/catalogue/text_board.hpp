// A state of a game as plain text: the boards that are recognised in its facts (recognise.hpp), drawn whole from the
// first move and turned as the page turns them, and then the facts that lie on no board, a line for each relation.
//
// What lies on a place is drawn by the first letters of its words where that tells everything apart that may lie on the
// board, otherwise in full. The hints beside the rules (NAME.hints.json) say how a board stands and what counts as empty.

#pragma once

#include <map>

#include "catalogue/recognise.hpp"

namespace zermelo::catalogue {

class TextBoard {
public:
    explicit TextBoard(const gdl::Game& game);

    [[nodiscard]] std::string draw(const std::vector<std::string>& facts) const;

private:
    using Places = std::map<std::string, std::string>;  // what lies there

    void recognise(const gdl::Game& game);
    void tell_apart();
    [[nodiscard]] bool is_empty(const std::string& thing) const;
    [[nodiscard]] Places lying(const BoardGrid& grid, const std::vector<std::string>& facts) const;
    [[nodiscard]] std::string draw(const BoardGrid& grid, const Places& things) const;

    nlohmann::json hints_;
    std::vector<std::string> roles_;
    std::vector<BoardGrid> grids_;
    std::map<std::string, std::string> letters_;  // by thing that can lie on a board
};

}  // namespace zermelo::catalogue
