// Wording: a game as it is spoken of on the wire, found once a game.
//
// Everything is in lower case, so that players that mind the case of names hear them as the rules spell them.

#pragma once

#include <unordered_map>

#include "ggp/message.hpp"
#include "play/rules.hpp"

namespace zermelo::ggp {

class Wording {
public:
    explicit Wording(const play::Rules& rules);

    // All rules in one line, without comments, as a START message carries them.
    [[nodiscard]] const std::string& rules() const { return rules_; }
    // Terms, plain().
    [[nodiscard]] const std::string& role(std::size_t role) const { return roles_[role]; }
    [[nodiscard]] const std::string& move(std::size_t role, play::MoveId move) const {
        return moves_[role][move];
    }
    [[nodiscard]] std::optional<play::MoveId> find(std::size_t role, const std::string& move) const;

private:
    std::string rules_;
    std::vector<std::string> roles_;
    std::vector<std::vector<std::string>> moves_;                        // by role
    std::vector<std::unordered_map<std::string, play::MoveId>> places_;  // among them
};

// A plain() term in the spelling of GGP-Base: ( mark 1 1 ).
[[nodiscard]] std::string spaced(std::string_view plain);

}  // namespace zermelo::ggp
