// KIF names: the roles, moves and rules of a game as they are written in protocol messages, computed once a
// game.
//
// Everything is in lower case, so that players that distinguish the case of names get the names as the rules
// spell them.

#pragma once

#include <mutex>
#include <unordered_map>

#include "ggp/message.hpp"
#include "play/game_context.hpp"

namespace zermelo::ggp {

class KifNames {
public:
    // `rules` must outlive it. Throws LimitReached where it is interrupted.
    explicit KifNames(const play::GameContext& rules);

    // All rules in one line, without comments, as a START message carries them.
    [[nodiscard]] const std::string& rules() const;
    // Terms, plain().
    [[nodiscard]] const std::string& role(std::size_t role) const { return roles_[role]; }
    [[nodiscard]] const std::string& move(std::size_t role, play::MoveId move) const {
        return moves_[role][move];
    }
    [[nodiscard]] std::optional<play::MoveId> find(std::size_t role, const std::string& move) const;

private:
    const gdl::Game& game_;
    mutable std::once_flag written_;
    mutable std::string rules_;
    std::vector<std::string> roles_;
    std::vector<std::vector<std::string>> moves_;                        // by role
    std::vector<std::unordered_map<std::string, play::MoveId>> places_;  // among them
};

}  // namespace zermelo::ggp
