#include "play/info_state.hpp"

#include <algorithm>

namespace zermelo::play {

InfoState::InfoState(const GameContext& rules)
    : rules_(rules),
      runner_(rules.machine(), gdl::Runner::Rules::fastest),
      legal_(rules.roles()),
      listed_(rules.roles(), false) {}

Position InfoState::initial() const {
    Position position{rules_.machine().initial()};
    if (rules_.hidden()) position.views.assign(rules_.roles(), View{});
    return position;
}

void InfoState::load(const State& state) {
    runner_.load(state);
    std::fill(listed_.begin(), listed_.end(), false);
}

int InfoState::goal(std::size_t role) const { return std::max(0, runner_.goal(role)); }

const std::vector<MoveId>& InfoState::legal(std::size_t role) {
    if (!listed_[role]) {
        runner_.legal(role, legal_[role]);
        listed_[role] = true;
    }
    return legal_[role];
}

void InfoState::play(const JointMove& joint, State& state) {
    runner_.play(joint);
    runner_.next(state);
}

const std::vector<gdl::TermId>& InfoState::percepts(std::size_t role) {
    runner_.sees(role, percepts_);
    std::sort(percepts_.begin(), percepts_.end());
    return percepts_;
}

View InfoState::after(const View& view, MoveId own, const std::vector<gdl::TermId>& percepts) {
    Hasher hasher;
    hasher.add(view.low);
    hasher.add(view.high);
    hasher.add(own);
    for (const gdl::TermId percept : percepts) hasher.add(percept);
    return hasher.value();
}

void InfoState::play(const JointMove& joint, Position& position) {
    runner_.play(joint);
    for (std::size_t r = 0; r < position.views.size(); ++r) {
        if (!rules_.chance(r)) position.views[r] = after(position.views[r], joint[r], percepts(r));
    }
    runner_.next(position.state);
}

void random_moves(InfoState& info, Random& random, JointMove& joint) {
    const GameContext& rules = info.rules();
    joint.resize(rules.roles());
    for (std::size_t r = 0; r < joint.size(); ++r) {
        const auto& legal = info.legal(r);
        if (legal.empty()) throw rules.stuck(r);
        joint[r] = legal[random.below(legal.size())];
    }
}

}  // namespace zermelo::play
