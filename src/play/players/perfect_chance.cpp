#include "play/players/perfect_chance.hpp"

#include <algorithm>

#include "game/explore/explore.hpp"

namespace zermelo::play {

std::shared_ptr<const KnownChance> solve_chance(const GameContext& rules, const Limits& limits,
                                                unsigned threads) {
    game::ChanceGame game(rules.game());
    game::ExploreOptions exploring;
    exploring.limits = limits;
    exploring.threads = threads;
    game::Exploration explored = game::explore(game, exploring);
    if (!explored.complete)
        throw LimitReached(explored.stop, "while the states were listed", "raise the limit");
    game::ExpectedValueOptions valuing;
    valuing.limits = limits;
    valuing.exact = false;
    game::ExpectedValues values = game::find_expected_values(explored.graph, valuing);
    return std::make_shared<const KnownChance>(KnownChance{std::move(explored.graph), std::move(values)});
}

ChanceFollower::ChanceFollower(const GameContext& rules, std::shared_ptr<const KnownChance> known,
                               std::size_t role)
    : rules_(rules),
      known_(std::move(known)),
      role_(role),
      game_(rules.game()),
      belief_(game_.initial()),
      at_(known_->graph.initial) {}

void ChanceFollower::see(const Observation& seen) {
    if (lost_) return;
    game::ChanceGame::Seen learned{role_, !rules_.hidden(), seen.joint, seen.percepts};
    if (rules_.hidden()) {
        learned.joint.assign(rules_.roles(), 0);
        learned.joint[role_] = seen.own;
    }
    game::ChanceGame::State next;
    std::vector<std::size_t> moves;
    lost_ = !game_.follow(belief_, learned, next, moves);
    if (lost_) return;
    belief_ = std::move(next);
    for (const std::size_t move : moves) at_ = known_->graph.successors(at_)[move];
}

std::optional<MoveId> ChanceFollower::choose(const std::vector<MoveId>& legal, Thought& thought) {
    if (lost_) return std::nullopt;
    game_.look(belief_);
    const game::Player seat = static_cast<game::Player>(rules_.seat_of(role_));
    if (game_.turn() != game::Turn{game::Turn::Kind::player, seat}) return legal.front();  // it has no choice
    const auto successors = known_->graph.successors(at_);
    std::optional<MoveId> best;
    for (std::size_t place = 0; place < successors.size(); ++place) {
        const MoveId move = game_.chosen(place);
        if (std::ranges::find(legal, move) == legal.end()) continue;
        const auto low = static_cast<double>(known_->values.lower(successors[place], seat));
        const auto high = static_cast<double>(known_->values.upper(successors[place], seat));
        thought.estimates.push_back({move, (low + high) / 2, low, high, 0, true});
        if (place != known_->values.choice[at_]) continue;
        best = move;
        std::swap(thought.estimates.front(), thought.estimates.back());
    }
    thought.positions = known_->graph.states();
    return best;
}

}  // namespace zermelo::play
