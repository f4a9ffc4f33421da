#include "quantified/learning/learned.hpp"

#include <algorithm>

namespace zermelo::quantified {

LearnedSets::LearnedSets(const kernel::Program& program, std::size_t most)
    : most_(most), depth_(program.moves.size(), 0), value_(program.moves.size(), 0) {
    for (const bool ours : {false, true}) {
        auto& guard = guard_[ours ? 1 : 0];
        guard.assign(static_cast<std::size_t>(program.blocks()) + 1, program.blocks() + 1);
        for (int b = program.blocks() - 1; b >= 0; --b) {
            const auto at = static_cast<std::size_t>(b);
            const bool mine = (program.block(b).quantifier == model::Quantifier::exists) == ours;
            guard[at] = mine && program.block(b).rule ? b : guard[at + 1];
        }
    }
}

void LearnedSets::play(std::size_t place, model::Value value) {
    made_.push_back(place);
    depth_[place] = made_.size();
    value_[place] = value;
    const auto found = watches_.find(key({static_cast<std::uint32_t>(place), value}));
    if (found == watches_.end()) return;
    std::vector<std::uint32_t>& list = found->second;
    std::size_t kept = 0;
    for (const std::uint32_t id : list) {
        const std::vector<Move>& moves = sets_[id].moves;
        const auto open = std::find_if(moves.begin(), moves.end(), [&](const Move& m) { return !made(m); });
        if (open != moves.end()) {
            watches_[key(*open)].push_back(id);
            continue;
        }
        list[kept++] = id;
        complete_.push_back({id, made_.size()});
    }
    list.resize(kept);
}

void LearnedSets::take_back() {
    while (!complete_.empty() && complete_.back().depth == made_.size()) complete_.pop_back();
    depth_[made_.back()] = 0;
    made_.pop_back();
}

// By a move that is not made, or else by the last one, which is taken back first.
void LearnedSets::watch(std::uint32_t id) {
    const Move* best = nullptr;
    for (const Move& move : sets_[id].moves) {
        if (!made(move)) {
            best = &move;
            break;
        }
        if (best == nullptr || depth_[move.place] > depth_[best->place]) best = &move;
    }
    watches_[key(*best)].push_back(id);
}

void LearnedSets::add(const MoveSet& reason, bool won, int level, strategy::NodeId node) {
    if (sets_.size() >= most_) reduce();
    Set set{{}, won, level, node, 0};
    reason.each([&](std::size_t place) {
        set.moves.push_back({static_cast<std::uint32_t>(place), value_[place]});
    });
    if (set.moves.empty()) return;  // the whole problem is decided
    sets_.push_back(std::move(set));
    watch(static_cast<std::uint32_t>(sets_.size() - 1));
}

const LearnedSets::Set* LearnedSets::find(int b, bool inside) {
    for (auto at = complete_.rbegin(); at != complete_.rend(); ++at) {
        Set& set = sets_[at->set];
        if (set.level < b + (inside ? 1 : 0)) continue;
        if (guard_[set.won ? 1 : 0][static_cast<std::size_t>(b)] < set.level) continue;
        ++set.hits;
        return &set;
    }
    return nullptr;
}

// The younger half stays where hits do not decide. Complete sets that have not decided anything yet may be
// missed once.
void LearnedSets::reduce() {
    std::vector<std::uint32_t> order(sets_.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return sets_[a].hits != sets_[b].hits ? sets_[a].hits > sets_[b].hits : a > b;
    });
    order.resize(order.size() / 2);
    std::sort(order.begin(), order.end());
    std::vector<Set> kept;
    for (const std::uint32_t id : order) {
        kept.push_back(std::move(sets_[id]));
        kept.back().hits /= 2;
    }
    sets_ = std::move(kept);
    complete_.clear();
    watches_.clear();
    for (std::uint32_t i = 0; i < sets_.size(); ++i) watch(i);
}

}  // namespace zermelo::quantified
