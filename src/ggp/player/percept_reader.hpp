// Percept reader: translates what a message says about the last step into an observation of a game.
//
// Managers tell it in different ways: all moves, in the order of the roles (GGP-Base, also of games in which
// moves are hidden); or what the role sees (GDL-II), with its own move or without. A role that sees every
// move as such knows all moves. Names are compared without regard to case.

#pragma once

#include <unordered_map>

#include "ggp/kif_names.hpp"
#include "play/info_state.hpp"

namespace zermelo::ggp {

class PerceptReader {
public:
    PerceptReader(const play::GameContext& rules, std::size_t role);  // `rules` must outlive it

    // The step before a PLAY or STOP that does not say nothing. `answered` is what we said, plain(), if
    // anything; a manager may have played something else for us. Steps have to come in their order. Throws
    // InconsistentStep where moves are not legal, and Error where the game does not know what is said.
    [[nodiscard]] play::Observation read(const Message& message, const std::optional<std::string>& answered);

private:
    [[nodiscard]] std::optional<play::JointMove> as_moves(const Message& message,
                                                          const std::optional<std::string>& answered) const;
    [[nodiscard]] play::MoveId own_move(const Message& message,
                                        const std::optional<std::string>& answered) const;
    [[nodiscard]] play::JointMove moves_seen(const Message& message, play::MoveId own) const;

    const play::GameContext& rules_;
    std::size_t role_;
    KifNames names_;
    std::unordered_map<std::string, gdl::TermId> percepts_;  // of the role
    play::InfoState info_;
    std::optional<play::State> state_;  // the state of the match, as long as all moves were told
};

}  // namespace zermelo::ggp
