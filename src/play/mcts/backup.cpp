// Backup: what a descent was worth, into every node on its path.
//
// Means and visits of the arms, the statistics of GRAVE (all moves as first, Gelly and Silver 2007), and
// score bounds (Cazenave and Saffidine 2010).

#include <algorithm>

#include "play/mcts/mcts_internal.hpp"

namespace zermelo::play {

// What an arm is sure of, and can get, whatever the other role does at the same time.
Mcts::Bounds Mcts::known_against_all(const Node& at, std::size_t which, std::uint32_t arm) const {
    const std::uint32_t role = at.bandits[which].role;
    const auto own = static_cast<std::uint32_t>(which == 0 ? at.bandits[1].arms.size() : 1);
    const auto other = static_cast<std::uint32_t>(which == 0 ? 1 : at.bandits[1].arms.size());
    const std::size_t answers = at.bandits[1 - which].arms.size();
    Bounds all{1, 0};
    for (std::uint32_t b = 0; b < answers; ++b) {
        const Bounds one = known(at, arm * own + b * other, role);
        all = {std::min(all.low, one.low), std::max(all.high, one.high)};
    }
    return all;
}

bool Mcts::has_saddle(const Node& at) const {
    return options_.saddle && opposed_ && at.bandits.size() == 2 && !rules_.chance(at.bandits[0].role) &&
           !rules_.chance(at.bandits[1].role);
}

void Mcts::tighten(Node& at) {
    if (at.widely || at.terminal) return;
    // One role decides, or chance does.
    at.saddle = has_saddle(at);
    const bool chance_only = at.bandits.size() == 1 && rules_.chance(at.bandits.front().role);
    const std::size_t mover = at.bandits.size() == 1 ? at.bandits.front().role : rules_.roles();
    const auto edges = static_cast<std::uint32_t>(at.edges.size());
    for (const std::size_t r : rules_.seats()) {
        Bounds now{1, 0};
        if (chance_only) {
            double low = 0;
            double high = 0;
            for (std::uint32_t e = 0; e < edges; ++e) {
                const Bounds one = known(at, e, r);
                low += double{one.low};
                high += double{one.high};
            }
            now = {static_cast<float>(low / edges), static_cast<float>(high / edges)};
        } else if (r == mover) {
            now = {0, 0};
            for (std::uint32_t e = 0; e < edges; ++e) {
                const Bounds one = known(at, e, r);
                now.low = std::max(now.low, one.low);
                now.high = std::max(now.high, one.high);
            }
        } else {
            for (std::uint32_t e = 0; e < edges; ++e) {
                const Bounds one = known(at, e, r);
                now.low = std::min(now.low, one.low);
                now.high = std::max(now.high, one.high);
            }
        }
        // Opponents move at the same time: the bound from above follows from the other one's from below.
        for (std::size_t b = 0; at.saddle && b < 2; ++b) {
            if (at.bandits[b].role != r) continue;
            for (std::uint32_t a = 0; a < at.bandits[b].arms.size(); ++a)
                now.low = std::max(now.low, known_of_arm(at, b, a).low);
        }
        at.bounds[r].low = std::max(at.bounds[r].low, now.low);
        at.bounds[r].high = std::max(at.bounds[r].low, std::min(at.bounds[r].high, now.high));
    }
    if (opposed_) {
        Bounds& a = at.bounds[rules_.seats()[0]];
        Bounds& b = at.bounds[rules_.seats()[1]];
        a.low = std::max(a.low, 1 - b.high);
        a.high = std::max(a.low, std::min(a.high, 1 - b.low));
        b.low = 1 - a.high;
        b.high = 1 - a.low;
    }
}

// On the way up a value stays within what is certain of each node.
void Mcts::back_up(Descent& descent, std::vector<double>& values, const Playouts::Result* playouts) {
    made_.clear();
    uses_.clear();
    if (options_.grave && playouts != nullptr) uses_ = playouts->uses;
    for (std::size_t i = descent.length; i-- > 0;) {
        const Step& step = descent.path[i];
        Node& at = node(step.node);
        ++at.visits;
        --at.pending;
        for (std::size_t b = 0; b < at.bandits.size(); ++b) {
            at.bandits[b].arms[step.arms[b]].add(values[at.bandits[b].role]);
        }
        if (options_.bounds) {
            const NodeId to = child(at, step.edge);
            const auto tells = [](const Bounds& one) { return one.low > 0 || one.high < 1; };
            if (to != none && std::any_of(node(to).bounds.begin(), node(to).bounds.end(), tells)) tighten(at);
            for (const std::size_t r : rules_.seats())
                values[r] = std::clamp<double>(values[r], at.bounds[r].low, at.bounds[r].high);
        }
        if (!options_.grave) continue;
        if (i + 1 < descent.length) turn_back(step.turn);
        for (std::size_t b = 0; b < at.bandits.size(); ++b)
            made_.push_back({at.bandits[b].role, at.bandits[b].arms[step.arms[b]].move});
        count(at, values, playouts);
    }
}

// What playouts and moves below a node say about moves, seen from the node above it.
void Mcts::turn_back(Turn turn) {
    if (turn == 0) return;
    for (Playouts::Use& use : uses_) use.move = canonical_->preimage(turn, use.role, use.move);
    for (Made& made : made_) made.move = canonical_->preimage(turn, made.role, made.move);
}

void Mcts::count(Node& at, const std::vector<double>& values, const Playouts::Result* playouts) {
    if (at.counts.empty()) {
        // Most leaves are visited once.
        if (at.visits < visits_before_counts_ || bytes_ >= most_bytes_) return;
        at.counts.resize(first_count_.back());
        bytes_ += at.counts.capacity() * sizeof(Count);
    }
    const float weight = playouts == nullptr ? 1.0F : static_cast<float>(std::max(1U, playouts->playouts));
    for (const Playouts::Use& use : uses_) {
        Count& one = at.counts[first_count_[use.role] + use.move];
        one.playouts += static_cast<float>(use.playouts) / weight;
        one.sum += static_cast<float>(use.goals) / weight;
    }
    for (const Made& made : made_) {
        Count& one = at.counts[first_count_[made.role] + made.move];
        one.playouts += 1;
        one.sum += static_cast<float>(values[made.role]);
    }
}

// Does what playouts elsewhere say of a move agree with what its own tries say?
void Mcts::compare(const Descent& descent) {
    for (std::size_t i = 0; i < descent.length; ++i) {
        const Node& at = node(descent.path[i].node);
        if (at.counts.empty()) continue;
        for (std::size_t b = 0; b < at.bandits.size(); ++b) {
            const Bandit& bandit = at.bandits[b];
            if (rules_.chance(bandit.role)) continue;
            const Arm& arm = bandit.arms[descent.path[i].arms[b]];
            transfer_.compare(arm, at.counts[first_count_[bandit.role] + arm.move]);
        }
    }
}

// The roles are no opponents after all: what was concluded from that goes.
void Mcts::give_up_opposition() {
    opposed_ = false;
    for (std::size_t i = 0; i < used_; ++i) {
        Node& any = node(static_cast<NodeId>(i));
        if (!any.terminal) any.bounds.assign(rules_.roles(), Bounds());
        any.saddle = false;
    }
}

}  // namespace zermelo::play
