#include "play/information/determinization.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace zermelo::play {

Determinization::Determinization(const GameContext& rules, std::size_t hero, const play::State& start,
                                 std::uint64_t seed)
    : info_(rules), start_(start), seed_(seed), order_{hero} {
    for (const std::size_t role : rules.seats()) {
        if (role != hero) order_.push_back(role);
    }
}

void Determinization::look(const State& state) {
    const GameContext& rules = info_.rules();
    here_ = state;
    info_.load(state.at);
    turn_ = {};
    if (info_.terminal()) return;
    movers_.clear();
    for (std::size_t r = 0; r < rules.roles(); ++r) {
        if (info_.legal(r).empty()) throw rules.stuck(r);
    }
    for (const std::size_t role : order_) {
        if (info_.legal(role).size() > 1) movers_.push_back(role);
    }
    // Where nobody has a choice the hero goes through the motions.
    if (movers_.empty()) movers_.push_back(order_.front());
    mover_ = movers_[state.chosen.size()];
    turn_ = {game::Turn::Kind::player, rules.seat_of(mover_)};
}

// Chance's moves. What they are depends on the whole step, so the same dice need not come again after other
// moves.
void Determinization::roll(const State& from, JointMove& joint) const {
    const GameContext& rules = info_.rules();
    if (rules.seats().size() == rules.roles()) return;
    Hasher hasher;
    hasher.add(seed_);
    const Hash128 step = key(from);
    hasher.add(step.low);
    hasher.add(step.high);
    Random dice(hasher.value().low);
    for (std::size_t r = 0; r < joint.size(); ++r) {
        if (rules.chance(r)) joint[r] = info_.legal(r)[dice.below(info_.legal(r).size())];
    }
}

void Determinization::successor(std::size_t move, State& out) {
    State step = here_;
    step.chosen.push_back(this->move(move));
    completed_.clear();
    if (step.chosen.size() < movers_.size()) {
        out = std::move(step);
        return;
    }
    JointMove joint(info_.rules().roles());
    for (std::size_t r = 0; r < joint.size(); ++r) joint[r] = info_.legal(r).front();
    for (std::size_t i = 0; i < movers_.size(); ++i) joint[movers_[i]] = step.chosen[i];
    roll(step, joint);
    info_.play(joint, out.at);
    out.chosen.clear();
    completed_ = std::move(joint);
}

Hash128 Determinization::key(const State& state) const {
    Hasher hasher;
    for (const std::uint64_t word : state.at) hasher.add(word);
    for (const MoveId move : state.chosen) hasher.add(move);
    return hasher.value();
}

std::string Determinization::player_name(game::Player player) const {
    return info_.rules().role_name(info_.rules().seats()[player]);
}

std::string Determinization::move_name(std::size_t place) const {
    return info_.rules().game().move_text(mover_, move(place));
}

std::string Determinization::state_name(const State& state) const {
    std::vector<std::string> facts = info_.rules().game().facts(state.at);
    for (const MoveId move : state.chosen) facts.push_back(fmt::format("(chosen {})", move));
    return fmt::format("{}", fmt::join(facts, " "));
}

}  // namespace zermelo::play
