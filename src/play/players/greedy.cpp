#include "play/players/greedy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace zermelo::play {

namespace {

constexpr std::size_t most_positions = 32;
constexpr std::size_t most_answers = 64;  // of the others, to one move

}  // namespace

// The goals after one move, each with its weight.
struct GreedyPlayer::Tally {
    double weight = 0;
    double sum = 0;
    double squares = 0;
    std::uint64_t steps = 0;

    void add(double goal, double its_weight) {
        weight += its_weight;
        sum += its_weight * goal;
        squares += its_weight * goal * goal;
        ++steps;
    }
    [[nodiscard]] double mean() const { return weight > 0 ? sum / weight : 0; }
    [[nodiscard]] double margin() const {  // of a 95 % interval
        if (steps < 2) return game::win;
        const double variance = std::max(0.0, squares / weight - mean() * mean());
        return 1.96 * std::sqrt(variance / static_cast<double>(steps - 1));
    }
};

// All that the others may do where that is little, otherwise a sample of it.
void GreedyPlayer::list_others() {
    others_.clear();
    double count = 1;
    JointMove joint(rules().roles());
    for (std::size_t r = 0; r < joint.size(); ++r) {
        if (r == role()) continue;
        if (info_.legal(r).empty()) throw rules().stuck(r);
        count *= static_cast<double>(info_.legal(r).size());
    }
    if (count > static_cast<double>(most_answers)) {
        sampled_ = true;
        for (std::size_t i = 0; i < most_answers; ++i) random_moves(info_, random(), others_.emplace_back());
        return;
    }
    others_.push_back(joint);
    for (std::size_t r = 0; r < joint.size(); ++r) {
        if (r == role()) continue;
        std::vector<JointMove> longer;
        for (const JointMove& before : others_) {
            for (const MoveId move : info_.legal(r)) {
                longer.push_back(before);
                longer.back()[r] = move;
            }
        }
        others_ = std::move(longer);
    }
}

// False where the deadline came first.
bool GreedyPlayer::look_ahead(const Position& position, double weight, const std::vector<MoveId>& legal,
                              const Deadline& deadline, std::vector<Tally>& tallies) {
    info_.load(position.state);
    if (info_.terminal()) return true;
    list_others();
    const std::vector<MoveId> own = info_.legal(role());
    const double share = weight / static_cast<double>(others_.size());
    State after;
    for (JointMove& joint : others_) {
        for (std::size_t m = 0; m < legal.size(); ++m) {
            if (std::find(own.begin(), own.end(), legal[m]) == own.end()) continue;
            if (deadline.passed()) return false;
            joint[role()] = legal[m];
            info_.load(position.state);
            info_.play(joint, after);
            info_.load(after);
            tallies[m].add(info_.goal(role()), share);
        }
    }
    return true;
}

MoveId GreedyPlayer::think(const std::vector<MoveId>& legal, const TimeBudget& allowance, Thought& thought) {
    std::vector<Tally> tallies(legal.size());
    const auto& positions = belief().positions();
    sampled_ = positions.size() > most_positions || !belief().exact();
    bool complete = true;
    for (std::size_t i = 0; complete && i < std::min(positions.size(), most_positions); ++i) {
        const bool drawn = positions.size() > most_positions;
        const Position& position = drawn ? belief().draw(random()) : positions[i].position;
        complete = look_ahead(position, drawn ? 1 : positions[i].weight, legal, allowance.deadline, tallies);
    }
    sampled_ = sampled_ || !complete;

    double best = -1;
    for (const Tally& tally : tallies) {
        if (tally.steps > 0) best = std::max(best, tally.mean());
    }
    std::vector<std::size_t> equals;
    for (std::size_t m = 0; m < legal.size(); ++m) {
        // Not quite the same sums may be meant to be the same.
        constexpr double same = 1e-9;
        if (best < 0 || (tallies[m].steps > 0 && tallies[m].mean() > best - same)) equals.push_back(m);
    }
    const std::size_t chosen = equals[random().below(equals.size())];
    for (std::size_t m = 0; m < legal.size(); ++m) {
        const Tally& tally = tallies[m];
        if (tally.steps == 0) continue;
        const double margin = sampled_ ? tally.margin() : 0;
        thought.estimates.push_back({legal[m], tally.mean(), std::max(0.0, tally.mean() - margin),
                                     std::min<double>(game::win, tally.mean() + margin), tally.steps, false});
        thought.playouts += tally.steps;
        if (m == chosen) std::swap(thought.estimates.front(), thought.estimates.back());
    }
    thought.remark = "one step ahead";
    return legal[chosen];
}

}  // namespace zermelo::play
