// Analysis session: a player that thinks about a position in growing time slices, and reports its thought.
//
// Asked again about the same position, players go on with what they remember: a tree grows, and a table makes
// a search deeper. So clients can be told the state of the analysis between two slices.

#pragma once

#include "web/session/position.hpp"

namespace zermelo::web {

constexpr std::size_t usual_memory = std::size_t{32} << 20;  // of a player, bytes

// Throws Error where there is no such player, Refusal 422 where it may not play on the page: one that is
// remote, reads files, or wants more threads or memory than allowed.
[[nodiscard]] play::Spec page_player(const std::string& text);

class AnalysisSession {
public:
    // The role has a choice. `seconds` are those for everything; a part of them goes into preparation, now.
    // `budget` is that of the process, in bytes.
    AnalysisSession(const Position& position, std::size_t role, const play::Spec& spec, double seconds,
                    std::size_t budget);

    // Runs the next slice, a little longer than the one before; false where it was the last before the
    // deadline.
    [[nodiscard]] bool run_slice(const play::Deadline& deadline);
    [[nodiscard]] bool settled() const { return settled_; }  // the player has nothing more to think about
    [[nodiscard]] std::string move() const;
    [[nodiscard]] json thought() const;  // Thought of web/src/api.ts

private:
    using Clock = play::Deadline::Clock;

    const Position& position_;
    std::size_t role_;
    Clock::time_point begun_ = Clock::now();
    play::Shared own_;
    std::unique_ptr<play::Player> player_;
    std::uint64_t most_playouts_;  // 0: time alone decides
    double slice_;
    // A mean of playouts says nothing about an opponent who moves at the same time, or who knows other things and
    // adapts: there is no interval but the whole one, and the best mean recommends nothing, for a mixture may be better.
    bool bounded_;
    double thought_ = 0;  // seconds
    std::uint64_t playouts_ = 0;
    play::MoveId move_ = 0;
    bool settled_ = false;
};

}  // namespace zermelo::web
