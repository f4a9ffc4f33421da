#include "play/player.hpp"

#include <algorithm>

namespace zermelo::play {

namespace {

// What is left to the clock when a player stops thinking: time to unwind, and for a busy machine to wake us
// up.
constexpr double largest_margin = 0.006;  // seconds
constexpr double margin_share = 0.3;      // of short clocks
constexpr double belief_share = 0.3;      // of the time, for what has been seen

}  // namespace

Player::Player(const Rules& rules, const Settings& settings)
    : rules_(rules),
      settings_(settings),
      belief_(rules, settings.role, {.seed = settings.seed ^ 0x5EE5}),
      random_(settings.seed) {}

void Player::start(const Deadline& deadline) { prepare(deadline); }

void Player::read(const Deadline& deadline) {
    for (const Observation& seen : unread_) {
        belief_.update(seen, deadline, model());
        learn(seen);
    }
    unread_.clear();
}

MoveId Player::choose(const Allowance& allowance) {
    const auto begun = Deadline::Clock::now();
    Allowance inside = allowance;
    if (allowance.deadline.set()) {
        inside.deadline = allowance.deadline.less(
            std::min(largest_margin, margin_share * std::max(0.0, allowance.deadline.left())));
    }
    read(inside.deadline.part(belief_share));
    thought_ = {};
    const std::vector<MoveId> legal = belief_.legal();
    if (legal.empty()) throw rules_.stuck(role());
    MoveId move = legal.front();
    if (legal.size() > 1) {
        move = think(legal, inside, thought_);
        if (std::find(legal.begin(), legal.end(), move) == legal.end()) move = legal.front();
    }
    thought_.seconds = std::chrono::duration<double>(Deadline::Clock::now() - begun).count();
    return move;
}

}  // namespace zermelo::play
