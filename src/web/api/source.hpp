// Game references: resolves the games that requests name.

#pragma once

#include "catalogue/library.hpp"
#include "game/graph/graph.hpp"
#include "web/http/router.hpp"

namespace zermelo::web {

using catalogue::Kind;
using catalogue::Library;
using catalogue::Shipped;

// A game that a request names: of the library by its id, or a text. Throws Refusal where the reference is
// invalid, or there is no such game.
struct Source {
    Kind kind = Kind::gdl;
    std::string title;
    std::string file;  // of the library; empty where it is a text
    std::string text;
    std::vector<std::string> definitions;  // name=value, of a model
};
[[nodiscard]] Source source(const Library& library, const json& reference);

// A graph in JSON or, where the text does not begin with a brace, in DOT. Throws Error with the place.
[[nodiscard]] game::Graph read_graph(const Source& source);

}  // namespace zermelo::web
