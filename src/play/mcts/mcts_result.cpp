// What a search found out about its root: the moves by their estimates, the principal variation, and bounds.

#include <algorithm>
#include <utility>

#include "play/mcts/mcts_internal.hpp"

namespace zermelo::play {

namespace {

constexpr double epsilon = 1e-2;   // of estimates 0 … 100
constexpr std::uint64_t few = 20;  // one visit in so many

}  // namespace

bool Mcts::solved() const {
    const Bounds& bounds = node(root_).bounds[role_];
    if (bounds.high - bounds.low > tolerance) return false;
    // And a move is known that gets it.
    const Node& root = node(root_);
    if (root.bandits.empty()) return true;
    if (root.bandits.size() != 1 && !root.saddle) return false;
    for (std::size_t which = 0; which < root.bandits.size(); ++which) {
        if (root.bandits[which].role != role_) continue;
        for (std::uint32_t a = 0; a < root.bandits[which].arms.size(); ++a) {
            if (known_of_arm(root, which, a).low >= bounds.high - tolerance) return true;
        }
    }
    return false;
}

std::pair<double, double> Mcts::bounds() const {
    const Bounds& bounds = node(root_).bounds[role_];
    return {100.0 * bounds.low, 100.0 * bounds.high};
}

std::vector<Estimate> Mcts::estimates() const {
    std::vector<Estimate> all;
    const Node& root = node(root_);
    for (std::size_t which = 0; which < root.bandits.size(); ++which) {
        const Bandit& bandit = root.bandits[which];
        if (bandit.role != role_) continue;
        const bool bounded = (root.bandits.size() == 1 && options_.bounds) || root.saddle;
        for (std::uint32_t a = 0; a < bandit.arms.size(); ++a) {
            Estimate estimate = bandit.arms[a].estimate();
            if (canonical_) estimate.move = canonical_->preimage(root_turn_, role_, estimate.move);
            if (bounded) {
                const Bounds bounds = known_of_arm(root, which, a);
                const double least = 100.0 * bounds.low;
                const double most = 100.0 * bounds.high;
                for (double* one : {&estimate.mean, &estimate.low, &estimate.high})
                    *one = std::clamp(*one, least, most);
                estimate.proven = most - least <= epsilon;
                estimate.least = least;
                estimate.most = most;
                // Against an opponent who knows, there is not more than what is sure.
                if (root.saddle && least >= 100.0 * root.bounds[role_].high - epsilon) {
                    estimate.mean = estimate.low = estimate.high = estimate.most = least;
                    estimate.proven = true;
                }
            }
            all.push_back(estimate);
        }
    }
    if (all.empty() && !root.terminal) {
        // The win/loss filter left one move.
        const auto [least, most] = bounds();
        Estimate only{root.forced[role_], (least + most) / 2,      least, most,
                      root.visits,        most - least <= epsilon, least, most};
        if (canonical_) only.move = canonical_->preimage(root_turn_, role_, only.move);
        all.push_back(only);
    }
    // What is proven as good as anything can be comes first. Then, by visits, what looks better than what is
    // sure and has been looked at closely; then what is sure, and then the rest.
    double sure = -1;
    std::uint64_t visits = 0;
    for (const Estimate& one : all) {
        if (one.proven) sure = std::max(sure, one.mean);
        visits += one.visits;
    }
    const double best_possible = 100.0 * node(root_).bounds[role_].high;
    const auto grade = [&](const Estimate& one) {
        if (one.proven && one.mean >= best_possible - epsilon) return 0;
        if (!one.proven && one.mean > sure + epsilon && one.visits * few >= visits) return 1;
        if (one.proven && one.mean >= sure - epsilon) return 2;
        return one.proven ? 4 : 3;
    };
    std::stable_sort(all.begin(), all.end(), [&](const Estimate& a, const Estimate& b) {
        if (grade(a) != grade(b)) return grade(a) < grade(b);
        return std::pair(a.visits, a.mean) > std::pair(b.visits, b.mean);
    });
    return all;
}

std::vector<JointMove> Mcts::line() const {
    constexpr std::size_t longest = 40;
    std::vector<JointMove> moves;
    std::vector<Turn> turns{root_turn_};  // from the play to the node
    const auto back = [&](std::size_t role, MoveId move) {
        for (std::size_t t = turns.size(); canonical_ && t-- > 0;)
            move = canonical_->preimage(turns[t], role, move);
        return move;
    };
    NodeId id = root_;
    while (id != none && moves.size() < longest && !node(id).terminal) {
        const Node& at = node(id);
        JointMove joint = at.forced;
        std::uint32_t edge = 0;
        bool visited = true;
        for (const Bandit& bandit : at.bandits) {
            if (rules_.chance(bandit.role)) return moves;
            std::uint32_t best = 0;
            if (id == root_ && moves.empty() && bandit.role == role_) {
                const MoveId move = estimates().front().move;
                while (back(role_, bandit.arms[best].move) != move) ++best;
            } else {
                for (std::uint32_t a = 1; a < bandit.arms.size(); ++a) {
                    if (bandit.arms[a].visits > bandit.arms[best].visits) best = a;
                }
            }
            visited = visited && bandit.arms[best].visits > 0;
            joint[bandit.role] = bandit.arms[best].move;
            edge = edge * static_cast<std::uint32_t>(bandit.arms.size()) + best;
        }
        if (!visited) break;
        for (std::size_t r = 0; r < joint.size(); ++r) joint[r] = back(r, joint[r]);
        moves.push_back(joint);
        id = child(at, edge);
        if (id != none) turns.push_back(at.edges[edge].turn);
    }
    return moves;
}

}  // namespace zermelo::play
