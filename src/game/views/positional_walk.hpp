// A positional game (gdl/positional/positional_game.hpp) as a Walk that looks ahead: lines that can be completed now, and
// those that a move would hand to the opponent, are known without making a move.

#pragma once

#include "game/peek.hpp"
#include "gdl/positional/positional_stepper.hpp"

namespace zermelo::game {

class PositionalWalk {
public:
    PositionalWalk(const gdl::Game&, std::shared_ptr<const gdl::PositionalGame> game)
        : stepper_(std::move(game)) {}

    void load(const gdl::State& state) { stepper_.load(state); }

    [[nodiscard]] std::size_t players() const { return 2; }
    // As for all games in GDL, the first player makes the only move.
    [[nodiscard]] Turn turn() const {
        if (stepper_.end() != End::none) return {Turn::Kind::over, 0};
        const bool choice = std::popcount(stepper_.available()) > 1;
        return {Turn::Kind::player, static_cast<Player>(choice ? stepper_.mover() : 0)};
    }
    [[nodiscard]] std::size_t moves() const {
        return stepper_.end() != End::none ? 0
                                           : static_cast<std::size_t>(std::popcount(stepper_.available()));
    }
    [[nodiscard]] int payoff(Player player) const { return stepper_.payoff(player); }
    [[nodiscard]] Hash128 key() const { return stepper_.key(); }
    [[nodiscard]] Hash128 exact_key() const { return stepper_.exact_key(); }
    [[nodiscard]] std::uint32_t move_id(std::size_t move) const {
        return static_cast<std::uint32_t>(stepper_.spot_at(move));
    }
    void make(std::size_t move) { stepper_.claim(stepper_.spot_at(move)); }
    void unmake() { stepper_.undo(); }
    [[nodiscard]] Peek peek(std::size_t move, Player whose);
    [[nodiscard]] std::pair<int, int> payoff_bounds(Player player) const;
    [[nodiscard]] gdl::State state() const { return stepper_.state(); }

    // As LooksAhead asks for (game/peek.hpp).
    [[nodiscard]] std::optional<bool> look_ahead(Player player, int payoff);
    void list(std::vector<Candidate>& candidates) const;
    void weigh(std::vector<Candidate>& candidates) const;
    void make(const Candidate& candidate) { stepper_.claim(candidate.effect, candidate.note); }

private:
    using End = gdl::PositionalStepper::End;

    gdl::PositionalStepper stepper_;
    // Of the last look ahead: moves that it did not decide, and by spot, where the mover would complete lines after them.
    gdl::Spots worthwhile_ = 0;
    std::array<gdl::Spots, gdl::PositionalRules::most_spots> completed_;
};

static_assert(Walk<PositionalWalk> && LooksAhead<PositionalWalk>);

}  // namespace zermelo::game
