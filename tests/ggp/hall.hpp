// A game, and how it is spoken of.

#pragma once

#include <memory>

#include "ggp/wording.hpp"
#include "support/shipped.hpp"

namespace zermelo::ggp {

struct Hall {
    gdl::Game game;
    play::Rules rules{game};
    std::shared_ptr<const Wording> wording = std::make_shared<Wording>(rules);

    explicit Hall(const std::string& name) : game(shipped(name)) {}
    explicit Hall(gdl::Description description) : game(std::move(description)) {}
};

}  // namespace zermelo::ggp
