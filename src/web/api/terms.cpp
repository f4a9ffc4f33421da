#include "web/api/terms.hpp"

namespace zermelo::web {

nlohmann::json term(const gdl::Game& game, gdl::TermId id) {
    const gdl::Terms& terms = game.machine().network().terms;
    const std::string& name = game.description().symbols.name(terms.symbol(id));
    if (terms.arguments(id).empty()) return name;
    auto list = nlohmann::json::array({name});
    for (const gdl::TermId argument : terms.arguments(id)) list.push_back(term(game, argument));
    return list;
}

}  // namespace zermelo::web
