#include "play/player.hpp"

#include <algorithm>

#include "core/clock.hpp"

namespace zermelo::play {

namespace {

constexpr double least_margin = 0.006;  // seconds
constexpr double margin_share = 0.3;    // of short clocks
constexpr double most_share = 0.75;     // of any clock
constexpr double belief_share = 0.3;    // of the time, for what has been seen

// What is left to the clock when a player stops thinking: time to unwind, and for a busy machine to wake us
// up. Pauses that come while it thinks come at the end, too.
double margin(double clock) {
    return std::min(std::min(least_margin, margin_share * clock) + Deadline::longest_pause(),
                    most_share * clock);
}

}  // namespace

Player::Player(const GameContext& rules, const Settings& settings)
    : rules_(rules),
      settings_(settings),
      belief_(rules, settings.role, {.seed = settings.seed ^ 0x5EE5}),
      random_(settings.seed) {}

void Player::start(const Deadline& deadline) {
    Deadline::begin_polling();
    prepare(deadline);
}

void Player::read(const Deadline& deadline) {
    for (const Observation& seen : unread_) {
        belief_.update(seen, deadline, model());
        learn(seen);
    }
    unread_.clear();
}

MoveId Player::choose(const TimeBudget& allowance) {
    const auto begun = Deadline::Clock::now();
    TimeBudget inside = allowance;
    if (allowance.deadline.set()) {
        inside.deadline = allowance.deadline.less(margin(std::max(0.0, allowance.deadline.left())));
        Deadline::begin_polling();
    }
    safe_ = -1;
    read(inside.deadline.part(belief_share));
    thought_ = {};
    const std::vector<MoveId> legal = belief_.legal();
    if (legal.empty()) throw rules_.stuck(role());
    MoveId move = legal.front();
    safe_ = move;
    if (legal.size() > 1) {
        move = think(legal, inside, thought_);
        if (std::find(legal.begin(), legal.end(), move) == legal.end()) move = legal.front();
    }
    safe_ = -1;
    inside.deadline.end_polling();
    thought_.seconds = seconds_since(begun);
    return move;
}

}  // namespace zermelo::play
