// A game, and how it is spoken of.

#pragma once

#include <memory>

#include "ggp/kif_names.hpp"
#include "support/shipped.hpp"

namespace zermelo::ggp {

struct Hall {
    gdl::Game game;
    play::GameContext rules{game};
    std::shared_ptr<const KifNames> names = std::make_shared<KifNames>(rules);

    explicit Hall(const std::string& name) : game(shipped(name)) {}
    explicit Hall(gdl::Description description) : game(std::move(description)) {}
};

}  // namespace zermelo::ggp
