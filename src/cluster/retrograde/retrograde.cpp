#include "cluster/retrograde/retrograde.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <set>

namespace zermelo::cluster {

namespace {

using game::Graph;
using game::Player;

constexpr std::uint8_t unknown = 255;

// Where a value goes.
struct Target {
    PlaceInShard place;
    ShardId shard;
};

class Backward {
public:
    Backward(Explored& explored, Comm& comm, const RetrogradeOptions& options)
        : explored_(explored), comm_(comm), options_(options) {}

    Values run() {
        values_.outcomes = explored_.contents.outcomes;
        for (const Shard& shard : explored_.shards) {
            auto& outcome = values_.outcome.emplace_back(shard.label.size(), unknown);
            auto& rank = values_.rank.emplace_back(shard.label.size(), game::outside());
            for (std::size_t s = 0; s < shard.label.size(); ++s) {
                if (shard.label[s] < Graph::ended) continue;
                outcome[s] = static_cast<std::uint8_t>(shard.label[s] - Graph::ended);
                rank[s] = 0;
            }
        }
        if (game::attractors_suffice(explored_.players.size(), explored_.contents.outcomes)) {
            values_.method = game::Method::attractors;
            by_attractors();
        } else {
            values_.method = game::Method::backward_induction;
            by_induction();
        }
        return std::move(values_);
    }

private:
    // --- what both methods need ---

    [[nodiscard]] std::size_t levels() const { return explored_.contents.levels.size(); }

    void check_limits() {
        const auto budget = options_.limits.memory();
        const Stop mine = budget && resident_bytes() > *budget ? Stop::memory : options_.limits.reached();
        const auto stop = static_cast<Stop>(greatest(comm_, static_cast<std::uint64_t>(mine)));
        if (stop != Stop::none)
            throw LimitReached(stop, "while computing values", "raise the limit, or use more processes");
    }

    void tell(std::size_t level) {
        if (options_.progress) options_.progress({"retrograde analysis", explored_.states(), level});
    }

    // visit(shard here, origin, place) for all moves into this process that lead from the level before.
    template <class Visit>
    void for_edges(std::size_t level, const Visit& visit) {
        if (explored_.stored[level]) {
            const auto wanted = [&](const Part& part) {
                return part.first_level <= level && level <= part.last_level && !loaded_.contains(key(part));
            };
            const auto small = [&](const Part& part) {
                return part.first_level != part.last_level &&
                       explored_.folder->bytes(part) <= options_.most_loaded;
            };
            const auto held = [this](ShardId id) { return explored_.holds(id, comm_.rank()); };
            explored_.folder->read(
                [&](const Part& part) { return wanted(part) && small(part); }, held, explored_.contents.words,
                explored_.contents.with_moves,
                [&](LevelFiles::Piece& piece) {
                    Edges& in = explored_.shard(piece.shard).in[piece.level];
                    piece.edges.for_each([&](const Origin& from, PlaceInShard to) { in.add(from, to); });
                });
            for (const Part& part : explored_.folder->parts()) {
                if (wanted(part) && small(part)) loaded_.insert(key(part));
            }
            explored_.folder->read(
                wanted, held, explored_.contents.words, explored_.contents.with_moves,
                [&](LevelFiles::Piece& piece) {
                    if (piece.level != level) return;
                    const std::size_t here = piece.shard / explored_.division.processes;
                    piece.edges.for_each([&](const Origin& from, PlaceInShard to) { visit(here, from, to); });
                });
        }
        for (std::size_t here = 0; here < explored_.shards.size(); ++here) {
            explored_.shards[here].in[level].for_each(
                [&](const Origin& from, PlaceInShard to) { visit(here, from, to); });
        }
    }
    // The moves of parts that begin with this level are not needed before the next sweep.
    void release(std::size_t level) {
        if (!explored_.stored[level]) return;
        for (const Part& part : explored_.folder->parts()) {
            if (part.first_level != level || loaded_.erase(key(part)) == 0) continue;
            for (Shard& shard : explored_.shards) {
                for (std::size_t l = part.first_level; l <= part.last_level; ++l) shard.in[l].clear();
            }
        }
    }
    static std::pair<Rank, std::uint32_t> key(const Part& part) { return {part.writer, part.number}; }

    // Decides the levels from the last to the first, again and again until nothing changes. A Fold has a
    // record for what a state tells those that lead to it.
    template <class Fold>
    void sweep(Fold& fold) {
        for (Shard& shard : explored_.shards)
            shard.degree = std::vector<std::uint16_t>();  // only counters need it
        using Record = typename Fold::Record;
        struct Sent {
            Target target;
            Record record;
        };
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t level = levels() - 1; level >= 1; --level) {
                check_limits();
                tell(level);
                for (std::size_t here = 0; here < explored_.shards.size(); ++here)
                    fold.begin(here, level - 1);
                Exchange exchange(comm_, [&](Rank, std::span<const std::byte> records) {
                    while (!records.empty()) {
                        const auto sent = take<Sent>(records);
                        fold.add(sent.target.shard / explored_.division.processes, sent.target.place,
                                 sent.record);
                    }
                });
                for_edges(level, [&](std::size_t here, const Origin& from, PlaceInShard to) {
                    exchange.put_value(explored_.division.holder(from.shard),
                                       Sent{{from.place, from.shard}, fold.record(here, to, from.move)});
                });
                exchange.finish();
                for (std::size_t here = 0; here < explored_.shards.size(); ++here)
                    changed |= fold.end(here, level - 1);
                release(level);
            }
            if (explored_.contents.layered) return;
            changed = any_process(comm_, changed);
        }
    }

    // --- attractors ---

    // Ranks in the attractor of a player to some outcomes. Own states take the least of their successors,
    // others the greatest, and outside is greater than all.
    class Forcing {
    public:
        using Record = game::Rank;
        Forcing(const Explored& explored, Player player, const std::vector<bool>& goal)
            : explored_(explored), player_(player) {
            for (const Shard& shard : explored.shards) {
                auto& rank = rank_.emplace_back(shard.label.size(), game::outside());
                for (std::size_t s = 0; s < rank.size(); ++s) {
                    const Label label = shard.label[s];
                    if (label >= Graph::ended && goal[label - Graph::ended]) rank[s] = 0;
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
            folded =
                shard.label[place] == player_ ? std::min(folded, successor) : std::max(folded, successor);
        }
        bool end(std::size_t here, std::size_t level) {
            const Shard& shard = explored_.shards[here];
            bool changed = false;
            for (std::size_t i = 0; i < folded_[here].size(); ++i) {
                const PlaceInShard s = shard.level_begin(level) + static_cast<PlaceInShard>(i);
                if (shard.label[s] >= Graph::ended || folded_[here][i] == game::outside()) continue;
                changed |= rank_[here][s] != folded_[here][i] + 1;
                rank_[here][s] = folded_[here][i] + 1;
            }
            return changed;
        }
        [[nodiscard]] std::vector<std::vector<game::Rank>>& ranks() { return rank_; }

    private:
        const Explored& explored_;
        Player player_;
        std::size_t first_ = 0;                        // level that is being decided
        std::vector<std::vector<game::Rank>> rank_;    // by shard here and place
        std::vector<std::vector<game::Rank>> folded_;  // by shard here and place in the level
    };

    // What a player may want to force, and what it is worth.
    struct Aim {
        Player player;
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
                    if (label >= Graph::ended) {
                        rank = aims_[a].goal[label - Graph::ended] ? 0 : game::outside();
                    } else if (rank != game::outside()) {
                        ++rank;
                    }
                    if (values_.outcome[here][s] != unknown || rank == game::outside()) continue;
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

    // Where a state's predecessors are, by shard here: built once, used by all attractors.
    struct Predecessors {
        std::vector<std::uint64_t> begin;
        std::vector<Target> origin;
    };

    void turn_edges_round() {
        for (const Shard& shard : explored_.shards)
            predecessors_.emplace_back().begin.assign(shard.label.size() + 1, 0);
        for (std::size_t level = 0; level < levels(); ++level) {
            for_edges(level, [&](std::size_t here, const Origin&, PlaceInShard to) {
                ++predecessors_[here].begin[to + 1];
            });
        }
        for (Predecessors& each : predecessors_) {
            std::partial_sum(each.begin.begin(), each.begin.end(), each.begin.begin());
            each.origin.resize(each.begin.back());
        }
        std::vector<std::vector<std::uint64_t>> next;
        for (const Predecessors& each : predecessors_) next.push_back(each.begin);
        for (std::size_t level = 0; level < levels(); ++level) {
            for_edges(level, [&](std::size_t here, const Origin& from, PlaceInShard to) {
                predecessors_[here].origin[next[here][to]++] = {from.place, from.shard};
            });
        }
    }

    // Round by round: a state that has just joined notifies its predecessors, which join when enough have.
    void grow(Forcing& forcing, Player player) {
        struct Joined {
            std::uint32_t here;
            PlaceInShard place;
        };
        auto& rank = forcing.ranks();
        std::vector<std::vector<std::uint32_t>> needs;
        std::vector<Joined> frontier;
        for (std::uint32_t here = 0; here < explored_.shards.size(); ++here) {
            const Shard& shard = explored_.shards[here];
            auto& need = needs.emplace_back(shard.label.size());
            for (PlaceInShard s = 0; s < need.size(); ++s) {
                need[s] = shard.label[s] == player ? 1 : shard.degree[s];
                if (rank[here][s] == 0) frontier.push_back({here, s});
            }
        }
        for (game::Rank round = 1; any_process(comm_, !frontier.empty()); ++round) {
            check_limits();
            tell(round);
            std::vector<Joined> next;
            Exchange exchange(comm_, [&](Rank, std::span<const std::byte> records) {
                while (!records.empty()) {
                    const auto target = take<Target>(records);
                    const auto here = static_cast<std::uint32_t>(target.shard / explored_.division.processes);
                    std::uint32_t& left = needs[here][target.place];
                    if (left == 0 || --left > 0) continue;
                    rank[here][target.place] = round;
                    next.push_back({here, target.place});
                }
            });
            for (const Joined& joined : frontier) {
                const Predecessors& known = predecessors_[joined.here];
                for (std::uint64_t e = known.begin[joined.place]; e < known.begin[joined.place + 1]; ++e) {
                    exchange.put_value(explored_.division.holder(known.origin[e].shard), known.origin[e]);
                }
            }
            exchange.finish();
            frontier = std::move(next);
        }
    }

    void by_attractors() {
        const std::size_t players = explored_.players.size();
        const int endless = game::endless_payoff(players);
        const bool in_memory = std::ranges::none_of(explored_.stored, std::identity());
        const bool counting =
            options_.counters && !explored_.contents.layered && !any_process(comm_, !in_memory);
        if (counting) turn_edges_round();
        std::vector<Aim> aims;
        for (std::size_t p = 0; p < players; ++p) {
            const auto player = static_cast<Player>(p);
            std::set<int, std::greater<>> thresholds;
            for (const auto& payoffs : values_.outcomes) {
                if (payoffs[p] > endless) thresholds.insert(payoffs[p]);
            }
            for (const int threshold : thresholds) {
                Aim& aim = aims.emplace_back(player, std::vector<bool>(), unknown);
                for (std::size_t o = 0; o < explored_.contents.outcomes.size(); ++o) {
                    aim.goal.push_back(values_.outcomes[o][p] >= threshold);
                    if (values_.outcomes[o][p] == threshold) aim.outcome = static_cast<std::uint8_t>(o);
                }
            }
        }
        if (explored_.contents.layered) {
            for (std::span<const Aim> rest = aims; !rest.empty();) {
                const std::size_t count = std::min(rest.size(), Layers::most_aims);
                Layers layers(explored_, values_, rest.first(count));
                sweep(layers);
                rest = rest.subspan(count);
            }
        } else {
            for (const Aim& aim : aims) {
                Forcing forcing(explored_, aim.player, aim.goal);
                if (counting) {
                    grow(forcing, aim.player);
                } else {
                    sweep(forcing);
                }
                settle(forcing, aim.outcome);
            }
        }
        const std::vector<int> drawn(players, endless);
        const auto found = std::ranges::find(values_.outcomes, drawn);
        const auto number = static_cast<std::uint8_t>(found - values_.outcomes.begin());
        if (found == values_.outcomes.end()) values_.outcomes.push_back(drawn);
        for (auto& outcome : values_.outcome) std::ranges::replace(outcome, unknown, number);
    }

    void settle(Forcing& forcing, std::uint8_t outcome) {
        for (std::size_t here = 0; here < explored_.shards.size(); ++here) {
            const auto& rank = forcing.ranks()[here];
            for (std::size_t s = 0; s < rank.size(); ++s) {
                if (values_.outcome[here][s] != unknown || rank[s] == game::outside()) continue;
                values_.outcome[here][s] = outcome;
                values_.rank[here][s] = rank[s];
            }
        }
    }

    // --- backward induction ---

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
            if (record.outcome == unknown) best.open = true;
            if (best.open) return;
            if (best.record.outcome != unknown) {
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
                if (shard.label[s] >= Graph::ended || best.open || values_.outcome[here][s] != unknown)
                    continue;
                values_.outcome[here][s] = best.record.outcome;
                values_.rank[here][s] = best.record.rank + 1;
                changed = true;
            }
            return changed;
        }

    private:
        struct Best {
            Record record{0, 0, unknown, 0};
            bool open = false;  // a successor is not decided
        };
        [[nodiscard]] std::pair<int, int> score(std::uint8_t outcome, Player player) const {
            const auto& payoffs = values_.outcomes[outcome];
            return {payoffs[player], std::accumulate(payoffs.begin(), payoffs.end(), 0) - payoffs[player]};
        }
        const Explored& explored_;
        Values& values_;
        std::size_t level_ = 0;
        std::vector<std::vector<Best>> best_;  // by shard here and place in the level
    };

    void by_induction() {
        Choosing choosing(explored_, values_);
        sweep(choosing);
        bool open = false;
        for (const auto& outcome : values_.outcome)
            open |= std::ranges::find(outcome, unknown) != outcome.end();
        if (any_process(comm_, open)) {
            throw Error("states can come back, and backward induction needs a game that ends",
                        "give a game without cycles, or one for two players whose payoffs add up to 100");
        }
    }

    Explored& explored_;
    Comm& comm_;
    const RetrogradeOptions& options_;
    Values values_;
    std::vector<Predecessors> predecessors_;
    std::set<std::pair<Rank, std::uint32_t>>
        loaded_;  // parts with several levels whose moves are in memory again
};

}  // namespace

Values find_values(Explored& explored, Comm& comm, const RetrogradeOptions& options) {
    return Backward(explored, comm, options).run();
}

}  // namespace zermelo::cluster
