// Players of games in GDL: zermelo::play::make_player makes one by name, and a class derived from Player that is given to
// register_player() becomes one that matches and tournaments know by name.

#pragma once

#include "play/game_context.hpp"
#include "play/player.hpp"
#include "play/player_registry.hpp"
