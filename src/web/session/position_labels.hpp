// Positions: what the rows of words in a strategy graph say, spelled out on demand.

#pragma once

#include <functional>
#include <memory>
#include <span>

#include "game/graph/graph.hpp"
#include "gdl/game.hpp"
#include "web/http/router.hpp"

namespace zermelo::web {

// What the rows of positions say.
class Positions {
public:
    using Row = std::span<const std::uint64_t>;
    virtual ~Positions() = default;
    [[nodiscard]] virtual json facts(Row row) const = 0;  // Term[] of web/src/api.ts
    // Tells of a row whether one of its facts contains the text, which is plain (see below).
    [[nodiscard]] virtual std::function<bool(Row)> mention(const std::string& text) const = 0;
};

// As people search for facts and moves: small letters, single blanks, no parentheses.
[[nodiscard]] std::string plain(const std::string& text);

[[nodiscard]] std::shared_ptr<const Positions> positions_of(std::shared_ptr<const gdl::Game> game);
[[nodiscard]] std::shared_ptr<const Positions> positions_of(std::shared_ptr<const game::Graph> graph);

}  // namespace zermelo::web
