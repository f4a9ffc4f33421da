#include "play/mac_ucb/resolution.hpp"

#include <algorithm>

namespace zermelo::play {

namespace {

constexpr double whole = 1 - 1e-9;  // a sum of probabilities that is 1
constexpr double percent = 0.01;

}  // namespace

Resolution::Resolution(const GameContext& rules, const scsp::TurnProgram& program, std::size_t role,
                       const ResolutionLimits& limits)
    : rules_(rules),
      role_(role),
      limits_(limits),
      chance_(program.chance()),
      info_(rules),
      solver_(program) {}

bool Resolution::resolve(MicroNode& node, const Place& place, const Deadline& deadline) {
    Drafts drafts;
    const bool listed = node.states.size() <= limits_.states && list(node, deadline, drafts);
    count();
    if (!listed && deadline.passed()) return false;
    ++counts_.micro_scsps;
    if (!listed || !list_choosers(node, drafts)) {
        node.choosers.clear();
        node.too_wide = true;
        return true;
    }
    link(node, drafts, place);
    counts_.solutions += node.solutions.size();
    node.resolved = true;
    return true;
}

void Resolution::count() {
    counts_.propagations = solver_.counts().propagations;
    counts_.assignments = solver_.counts().nodes;
    counts_.rejected = solver_.counts().rejected;
}

std::vector<bool> Resolution::resolve_again(const MicroNode& node, const Known& known) {
    const MicroNode::Chooser& chooser = node.choosers.front();
    const std::size_t role = rules_.seats()[chooser.seat];
    std::vector<bool> left(node.solutions.size(), false);
    if (loaded_ != node.states.front().state && !load(node.states.front().state)) return left;
    std::vector<double> thresholds(rules_.roles(), 0);
    thresholds[role] = known.threshold / percent;
    solver_.set_thresholds(std::move(thresholds),
                           [&known](std::size_t, const State& next) { return known.bound(next) / percent; });
    remove(node, known.removed);
    solver_.enumerate([&](const JointMove& joint, auto) {
        const auto arm = std::ranges::lower_bound(chooser.arms, joint[role], {}, &MicroNode::Arm::move);
        left[static_cast<std::size_t>(arm - chooser.arms.begin())] = true;
        return true;
    });
    solver_.set_thresholds({});
    ++counts_.again;
    count();
    return left;
}

// The solutions out of c_s.
void Resolution::remove(const MicroNode& node, const std::vector<bool>& removed) {
    const MicroNode::Chooser& chooser = node.choosers.front();
    JointMove joint;
    for (std::size_t r = 0; r < rules_.roles(); ++r) joint.push_back(solver_.moves(r).front());
    for (std::size_t i = 0; i < removed.size(); ++i) {
        joint[rules_.seats()[chooser.seat]] = chooser.arms[i].move;
        if (removed[i]) solver_.remove(joint);
    }
}

bool Resolution::load(const State& state) {
    loaded_ = state;
    return solver_.load(state);
}

bool Resolution::list(const MicroNode& node, const Deadline& deadline, Drafts& drafts) {
    for (const MicroNode::Possible& now : node.states) {
        if (!load(now.state)) return false;
        const std::uint64_t decisions = solver_.decisions();
        if (decisions > limits_.solutions || decisions * solver_.outcomes() > limits_.outcomes) return false;
        const bool all =
            solver_.enumerate([&](const JointMove& joint, std::span<const scsp::Outcome> outcomes) {
                JointMove moves = joint;
                if (chance_) moves[*chance_] = 0;
                Draft& draft = drafts[moves];
                draft.probability += now.probability;
                const double each = now.probability / static_cast<double>(outcomes.size());
                for (const scsp::Outcome& outcome : outcomes) add(draft, moves, now, outcome, each);
                return !deadline.passed();
            });
        if (!all) return false;
    }
    // The players know what is legal; a move that is legal only perhaps is the fault of a description.
    std::erase_if(drafts, [&](const auto& entry) { return entry.second.probability < whole; });
    return !drafts.empty();
}

// What the role sees of a step: it tells micro-SCSPs apart where states are hidden.
Hash128 Resolution::seen(const JointMove& joint, MoveId chance, const State& state) {
    JointMove moves = joint;
    if (chance_) moves[*chance_] = chance;
    State next = state;
    info_.load(state);
    info_.play(moves, next);
    return InfoState::after({}, 0, info_.percepts(role_));
}

void Resolution::add(Draft& draft, const JointMove& joint, const MicroNode::Possible& now,
                     const scsp::Outcome& outcome, double probability) {
    Group group{rules_.hidden() ? seen(joint, outcome.chance, now.state) : gdl::hash(outcome.next),
                0,
                outcome.over,
                {},
                {}};
    if (outcome.over) {
        for (const std::size_t seat : rules_.seats())
            group.goals.push_back(percent * std::max(0, outcome.goals[seat]));
    }
    auto at = std::ranges::find_if(draft.groups, [&](const Group& other) {
        return other.seen == group.seen && other.over == group.over && other.goals == group.goals;
    });
    if (at == draft.groups.end()) at = draft.groups.insert(at, std::move(group));
    at->probability += probability;
    const auto same = std::ranges::find(at->states, outcome.next, &MicroNode::Possible::state);
    if (same != at->states.end())
        same->probability += probability;
    else
        at->states.push_back({outcome.next, probability});
}

// The moves of each player with a choice; false where they cannot be combined at will.
bool Resolution::list_choosers(MicroNode& node, const Drafts& drafts) const {
    std::size_t combinations = 1;
    for (std::size_t s = rules_.seats().size(); s-- > 0;) {
        const std::size_t role = rules_.seats()[s];
        std::vector<MoveId> moves;
        for (const auto& [joint, draft] : drafts) moves.push_back(joint[role]);
        std::ranges::sort(moves);
        moves.erase(std::unique(moves.begin(), moves.end()), moves.end());
        if (moves.size() == 1) continue;
        MicroNode::Chooser chooser{s, static_cast<std::uint32_t>(combinations), {}};
        for (const MoveId move : moves) chooser.arms.push_back({.move = move});
        node.choosers.push_back(std::move(chooser));
        combinations *= moves.size();
    }
    return combinations == drafts.size();
}

void Resolution::link(MicroNode& node, Drafts& drafts, const Place& place) const {
    for (auto& [joint, draft] : drafts) {
        node.solutions.push_back({.first_outcome = static_cast<std::uint32_t>(node.outcomes.size()),
                                  .outcomes = static_cast<std::uint32_t>(draft.groups.size())});
        for (Group& group : draft.groups) {
            const double probability = group.probability / draft.probability;
            for (auto& possible : group.states) possible.probability /= group.probability;
            MicroNode next{.states = std::move(group.states), .over = group.over, .exact = group.over};
            if (group.over) next.value = std::move(group.goals);
            node.outcomes.push_back({place(std::move(next)), probability});
        }
    }
}

}  // namespace zermelo::play
