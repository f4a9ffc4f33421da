// Folds: how the values of a state's successors become its own, in a sweep over the levels from the last to
// the first.
//
// A fold has a record for what a state tells those that lead to it. For each level, begin() prepares the
// states, add() takes a successor's record, and end() decides the states and says whether something changed.
// Forcing and Layers compute attractors, Choosing is backward induction.

#pragma once

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <vector>

#include "cluster/retrograde/retrograde.hpp"

namespace zermelo::cluster {

inline constexpr std::uint8_t unknown_outcome = 255;

// Ranks in the attractor of a player to some outcomes. Own states take the least of their successors,
// others the greatest, and outside is greater than all.
class Forcing {
public:
    using Record = game::Rank;
    Forcing(const Explored& explored, game::Player player, const std::vector<bool>& goal)
        : explored_(explored), player_(player) {
        for (const Shard& shard : explored.shards) {
            auto& rank = rank_.emplace_back(shard.label.size(), game::outside());
            for (std::size_t s = 0; s < rank.size(); ++s) {
                const Label label = shard.label[s];
                if (label >= game::Graph::ended && goal[label - game::Graph::ended]) rank[s] = 0;
            }
        }
        folded_.resize(rank_.size());
    }

    void begin(std::size_t here, std::size_t level) {
        const Shard& shard = explored_.shards[here];
        first_ = level;
        folded_[here].resize(shard.level_end(level) - shard.level_begin(level));
        for (std::size_t i = 0; i < folded_[here].size(); ++i) {
            folded_[here][i] = shard.label[shard.level_begin(level) + i] == player_ ? game::outside() : 0;
        }
    }
    [[nodiscard]] Record record(std::size_t here, PlaceInShard place, std::uint16_t) const {
        return rank_[here][place];
    }
    void add(std::size_t here, PlaceInShard place, Record successor) {
        const Shard& shard = explored_.shards[here];
        game::Rank& folded = folded_[here][place - shard.level_begin(first_)];
        folded = shard.label[place] == player_ ? std::min(folded, successor) : std::max(folded, successor);
    }
    bool end(std::size_t here, std::size_t level) {
        const Shard& shard = explored_.shards[here];
        bool changed = false;
        for (std::size_t i = 0; i < folded_[here].size(); ++i) {
            const PlaceInShard s = shard.level_begin(level) + static_cast<PlaceInShard>(i);
            if (shard.label[s] >= game::Graph::ended || folded_[here][i] == game::outside()) continue;
            changed |= rank_[here][s] != folded_[here][i] + 1;
            rank_[here][s] = folded_[here][i] + 1;
        }
        return changed;
    }
    [[nodiscard]] std::vector<std::vector<game::Rank>>& ranks() { return rank_; }

private:
    const Explored& explored_;
    game::Player player_;
    std::size_t first_ = 0;                        // level that is being decided
    std::vector<std::vector<game::Rank>> rank_;    // by shard here and place
    std::vector<std::vector<game::Rank>> folded_;  // by shard here and place in the level
};

// What a player may want to force, and what it is worth.
struct Aim {
    game::Player player;
    std::vector<bool> goal;  // by outcome
    std::uint8_t outcome;
};

// As Forcing, where moves lead only to the next level: the ranks of two levels are enough then, and one
// sweep does for several aims.
class Layers {
public:
    static constexpr std::size_t most_aims = 2;
    using Record = std::array<game::Rank, most_aims>;  // by aim

    Layers(const Explored& explored, Values& values, std::span<const Aim> aims)
        : explored_(explored), values_(values), aims_(aims) {
        next_.resize(explored.shards.size());
        folded_.resize(explored.shards.size());
    }
    void begin(std::size_t here, std::size_t level) {
        const Shard& shard = explored_.shards[here];
        level_ = level;
        folded_[here].resize(shard.level_end(level) - shard.level_begin(level));
        for (std::size_t i = 0; i < folded_[here].size(); ++i) {
            const Label label = shard.label[shard.level_begin(level) + i];
            for (std::size_t a = 0; a < aims_.size(); ++a)
                folded_[here][i][a] = label == aims_[a].player ? game::outside() : 0;
        }
    }
    [[nodiscard]] Record record(std::size_t here, PlaceInShard place, std::uint16_t) const {
        return next_[here][place - explored_.shards[here].level_begin(level_ + 1)];
    }
    void add(std::size_t here, PlaceInShard place, const Record& successor) {
        const Shard& shard = explored_.shards[here];
        Record& folded = folded_[here][place - shard.level_begin(level_)];
        for (std::size_t a = 0; a < aims_.size(); ++a) {
            folded[a] = shard.label[place] == aims_[a].player ? std::min(folded[a], successor[a])
                                                              : std::max(folded[a], successor[a]);
        }
    }
    bool end(std::size_t here, std::size_t level) {
        const Shard& shard = explored_.shards[here];
        for (std::size_t i = 0; i < folded_[here].size(); ++i) {
            const std::size_t s = shard.level_begin(level) + i;
            const Label label = shard.label[s];
            for (std::size_t a = 0; a < aims_.size(); ++a) {
                game::Rank& rank = folded_[here][i][a];
                if (label >= game::Graph::ended) {
                    rank = aims_[a].goal[label - game::Graph::ended] ? 0 : game::outside();
                } else if (rank != game::outside()) {
                    ++rank;
                }
                if (values_.outcome[here][s] != unknown_outcome || rank == game::outside()) continue;
                values_.outcome[here][s] = aims_[a].outcome;
                values_.rank[here][s] = rank;
            }
        }
        next_[here] = std::move(folded_[here]);
        return false;
    }

private:
    const Explored& explored_;
    Values& values_;
    std::span<const Aim> aims_;
    std::size_t level_ = 0;                    // that is being decided
    std::vector<std::vector<Record>> next_;    // by shard here and place in the level after it
    std::vector<std::vector<Record>> folded_;  // by shard here and place in the level
};

// Every player takes the best own payoff; among equals what leaves least to the others; among equals the
// first move.
class Choosing {
public:
    struct Record {
        std::uint32_t rank;
        std::uint16_t move;
        std::uint8_t outcome;
        std::uint8_t unused;
    };
    Choosing(const Explored& explored, Values& values) : explored_(explored), values_(values) {
        best_.resize(explored.shards.size());
    }
    void begin(std::size_t here, std::size_t level) {
        const Shard& shard = explored_.shards[here];
        level_ = level;
        best_[here].assign(shard.level_end(level) - shard.level_begin(level), Best{});
    }
    [[nodiscard]] Record record(std::size_t here, PlaceInShard place, std::uint16_t move) const {
        return {values_.rank[here][place], move, values_.outcome[here][place], 0};
    }
    void add(std::size_t here, PlaceInShard place, const Record& record) {
        const Shard& shard = explored_.shards[here];
        Best& best = best_[here][place - shard.level_begin(level_)];
        if (record.outcome == unknown_outcome) best.open = true;
        if (best.open) return;
        if (best.record.outcome != unknown_outcome) {
            const auto [own, others] = score(record.outcome, shard.label[place]);
            const auto [best_own, best_others] = score(best.record.outcome, shard.label[place]);
            if (own < best_own) return;
            if (own == best_own && others > best_others) return;
            if (own == best_own && others == best_others && record.move > best.record.move) return;
        }
        best.record = record;
    }
    bool end(std::size_t here, std::size_t level) {
        const Shard& shard = explored_.shards[here];
        bool changed = false;
        for (std::size_t i = 0; i < best_[here].size(); ++i) {
            const PlaceInShard s = shard.level_begin(level) + static_cast<PlaceInShard>(i);
            const Best& best = best_[here][i];
            if (shard.label[s] >= game::Graph::ended || best.open ||
                values_.outcome[here][s] != unknown_outcome)
                continue;
            values_.outcome[here][s] = best.record.outcome;
            values_.rank[here][s] = best.record.rank + 1;
            changed = true;
        }
        return changed;
    }

private:
    struct Best {
        Record record{0, 0, unknown_outcome, 0};
        bool open = false;  // a successor is not decided
    };
    [[nodiscard]] std::pair<int, int> score(std::uint8_t outcome, game::Player player) const {
        const auto& payoffs = values_.outcomes[outcome];
        return {payoffs[player], std::accumulate(payoffs.begin(), payoffs.end(), 0) - payoffs[player]};
    }
    const Explored& explored_;
    Values& values_;
    std::size_t level_ = 0;
    std::vector<std::vector<Best>> best_;  // by shard here and place in the level
};

}  // namespace zermelo::cluster
