// Fallback player: plays while the game is still being grounded, or where it cannot be.
//
// The reasoner needs no grounding, so legal moves of any description are known after a moment. The player
// follows the match, as a sample of states where moves are hidden, and chooses by random plays (flat Monte
// Carlo) until it is time to answer. Slow, but legal.
//
// Steps may be missing: a process that was killed hears nothing until it is back. Where the moves of a step are not legal, the
// states are sought that a few moves lead to and in which they are, and the match goes on in a sample of these; what is played
// next leaves fewer of them.

#pragma once

#include "core/random.hpp"
#include "gdl/reasoner/reasoner.hpp"
#include "ggp/message.hpp"
#include "play/deadline.hpp"

namespace zermelo::ggp {

class FallbackPlayer {
public:
    // `role` as plain() writes it. Throws Error where the rules cannot be evaluated or have no such role.
    FallbackPlayer(const gdl::Description& description, const std::string& role, std::uint64_t seed,
                   const Limits& limits = {});

    // The step that a PLAY tells of; `answered` is what we said, plain(), if anything. Throws
    // InconsistentStep where the step before is told again and cannot have been made again, and Error where
    // no state can be found that agrees with it, or not in time.
    void update(const Message& message, const std::optional<std::string>& answered,
                const play::Deadline& deadline);

    // Moves that are legal in most of the states, as the rules spell them.
    [[nodiscard]] std::vector<std::string> legal();
    // One of them, by random plays until the deadline.
    [[nodiscard]] std::string choose(const std::vector<std::string>& legal, const play::Deadline& deadline);

private:
    using State = gdl::Reasoner::State;

    [[nodiscard]] std::string name(gdl::Reasoner::Ground term) const;
    [[nodiscard]] std::optional<gdl::Reasoner::Joint> moves_in(const State& state, const Message& message);
    [[nodiscard]] std::vector<State> step(const std::vector<State>& states, const Message& message);
    [[nodiscard]] std::vector<State> catch_up(const Message& message, const std::optional<std::string>& said,
                                              const play::Deadline& deadline);
    [[nodiscard]] std::vector<State> successors(const State& state, const std::optional<std::string>& own);
    [[nodiscard]] std::optional<State> follow(const State& state, const std::string& own,
                                              const std::vector<std::string>& percepts,
                                              const play::Deadline& deadline);
    [[nodiscard]] std::optional<gdl::Reasoner::Joint> random_joint(const State& state);
    [[nodiscard]] double play_out(State state, const gdl::Reasoner::Ground& own,
                                  const play::Deadline& deadline);

    gdl::Reasoner reasoner_;
    std::size_t role_ = 0;
    bool hidden_ = false;  // there are percepts
    Random random_;
    std::vector<State> states_;
    std::vector<std::string> last_;  // the moves of the last step, where all were told
};

}  // namespace zermelo::ggp
