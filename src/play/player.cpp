#include "play/player.hpp"

#include <algorithm>

#include "core/clock.hpp"

namespace zermelo::play {

namespace {

constexpr double least_margin = 0.006;  // seconds
constexpr double margin_share = 0.3;    // of short clocks
constexpr double most_share = 0.75;     // of any clock
constexpr double belief_share = 0.3;    // of the time, for what has been seen
constexpr double first_round = 0.02;    // seconds of pondering, until it is looked at how much was done
constexpr double longest_round = 1;

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
    if (const std::uint64_t all = pondered_; all > told_pondered_) {
        thought_.counters.emplace_back("pondered", static_cast<double>(all - told_pondered_));
        told_pondered_ = all;
    }
    return move;
}

// Takes in what was seen. A belief over hidden moves is left for when there is a clock: cancelled half-way, it would be
// a poor one.
bool Player::catch_up() {
    if (!unread_.empty()) {
        if (rules_.hidden()) return false;
        read({});
    }
    return !belief_.lost() && !belief_.positions().empty();
}

std::uint64_t Player::think_ahead_by(Player& other, MoveId made, const TimeBudget& allowance) {
    return other.catch_up() ? other.think_ahead(made, allowance) : 0;
}

void Player::ponder(MoveId made) {
    const Limits cancelled;
    try {
        for (double seconds = first_round; cancelled.reached() == Stop::none;
             seconds = std::min(2 * seconds, longest_round)) {
            const Deadline round = Deadline::in(seconds).unwatched();
            const std::uint64_t done = think_ahead_by(*this, made, {.deadline = round});
            pondered_ += done;
            if (done == 0 && !round.passed()) return;
        }
    } catch (const Error&) {
        // Interrupted, or a game that goes wrong: then it does so when the next move is asked for, too.
    }
}

}  // namespace zermelo::play
