#include "web/session/analysis_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "core/clock.hpp"
#include "equilibrium/solve.hpp"

namespace zermelo::web {

namespace {

constexpr std::size_t most_memory = std::size_t{64} << 20;  // of a player, bytes
constexpr std::size_t least_memory = std::size_t{4} << 20;
constexpr std::size_t shares = 128;  // of the budget, one for each player: half of it is for other things
constexpr double preparing_share = 0.2;
constexpr double most_preparing = 2;   // seconds
constexpr double solving_share = 0.5;  // of the time, for a player who solves the game first
constexpr double first_slice = 0.2;
constexpr double slice_growth = 1.5;
constexpr double longest_slice = 2;
constexpr double early_share = 0.1;  // of the slice: a player that answers sooner has finished

// How far means of playouts lie from values under best play: less than this in 95 of 100 positions of games that can be
// solved (tests/web/intervals_test.cpp). The mean itself is soon known exactly; but it is one over many moves, good and
// bad, and tells the value only where the search has settled.
constexpr double unsettled = 55;

std::pair<double, double> interval_of_value(const play::Estimate& one) {
    if (one.proven) return {one.low, one.high};
    return {std::max({one.least, one.low - unsettled, 0.0}),
            std::min({one.most, one.high + unsettled, double{game::win}})};
}

std::uint64_t fresh_seed() {
    std::random_device device;
    return std::uint64_t{device()} << 32 | device();
}

// The time to solve the game must leave time to think.
play::Spec with_solving_limit(play::Spec spec, double seconds) {
    if (spec.name != "perfect") return spec;
    double solving = solving_share * seconds;
    if (const auto wanted = spec.options.find("solve"); wanted != spec.options.end())
        solving = std::min(solving, std::stod(wanted->second));
    spec.options["solve"] = fmt::format("{}", solving);
    return spec;
}

}  // namespace

play::Spec page_player(const std::string& text) {
    const auto refuse = [&](const std::string& why) {
        throw Refusal(422, fmt::format("the player {}: {}", text, why));
    };
    play::Spec spec = play::read_spec(text);
    if (spec.remote()) refuse("remote players are not allowed here");
    if (spec.options.contains("strategy")) refuse("players may not read files here");
    if (spec.threads.value_or(1) > 1) refuse("players have one thread here");
    if (spec.memory.value_or(0) > most_memory)
        refuse(fmt::format("players have at most {}M of memory here", most_memory >> 20));
    return spec;
}

AnalysisSession::AnalysisSession(const Position& position, std::size_t role, const play::Spec& spec,
                                 double seconds, std::size_t budget)
    : position_(position),
      role_(role),
      most_playouts_(spec.playouts.value_or(0)),
      slice_(most_playouts_ > 0 ? seconds : std::min(first_slice, seconds)),
      bounded_(position.rules().turns() || !equilibrium::calls_for_equilibrium(position.ground().game)) {
    // What players share is kept with the game. A player of unusual options does not fill it, and one who
    // solves the game for a while does not leave a half-finished solution to others.
    play::Shared& shared = spec.options.empty() && spec.name != "perfect" ? position.ground().shared : own_;
    const std::size_t fair = std::clamp(budget / shares, least_memory, usual_memory);
    player_ =
        play::make_player(with_solving_limit(spec, seconds), position.rules(),
                          {.role = role, .seed = fresh_seed(), .memory = spec.memory.value_or(fair)}, shared);
    for (play::Observation& one : position.seen(role)) player_->see(std::move(one));
    player_->start(play::Deadline::in(std::min(preparing_share * seconds, most_preparing)));
}

bool AnalysisSession::run_slice(const play::Deadline& deadline) {
    const double left = std::max(0.0, deadline.left());
    // A short last slice is added to this one, because a search that starts anew gets nowhere in it.
    const bool last = left < 2 * slice_;
    const double allowed = last ? left : slice_;
    slice_ = std::min(slice_growth * slice_, longest_slice);
    move_ = player_->choose({.deadline = play::Deadline::in(allowed), .playouts = most_playouts_});
    const play::Thought& thought = player_->thought();
    thought_ += thought.seconds;
    playouts_ += thought.playouts;
    settled_ = most_playouts_ > 0 || thought.seconds < early_share * allowed;
    return !last;
}

std::string AnalysisSession::move() const { return position_.move_text(role_, move_); }

json AnalysisSession::thought() const {
    const play::Thought& thought = player_->thought();
    json estimates = json::array();
    for (const play::Estimate& one : thought.estimates) {
        const auto [low, high] = interval_of_value(one);
        estimates.push_back({{"move", position_.move_text(role_, one.move)},
                             {"mean", one.mean},
                             {"low", bounded_ || one.proven ? low : 0},
                             {"high", bounded_ || one.proven ? high : game::win},
                             {"visits", one.visits},
                             {"proven", one.proven}});
    }
    json line = json::array();
    for (const play::JointMove& joint : thought.line) line.push_back(position_.step_json(joint));
    return {{"seconds", seconds_since(begun_)},
            {"playouts", playouts_},
            {"playouts_per_second", thought_ > 0 ? static_cast<double>(playouts_) / thought_ : 0.0},
            {"positions", thought.positions},
            {"remark", thought.remark},
            {"recommends", bounded_},
            {"estimates", std::move(estimates)},
            {"line", std::move(line)}};
}

}  // namespace zermelo::web
