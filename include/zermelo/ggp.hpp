// The protocol of General Game Playing: zermelo::ggp::PlayerServer is a player that game managers can reach,
// RemoteRegistry makes players elsewhere play matches here.

#pragma once

#include "ggp/player/player_server.hpp"
#include "ggp/remote_registry.hpp"
