#include "cluster/retrograde/retrograde.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "cluster/retrograde/folds.hpp"

namespace zermelo::cluster {

namespace {

using game::Graph;
using game::Player;

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
            auto& outcome = values_.outcome.emplace_back(shard.label.size(), unknown_outcome);
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

    // Decides the levels from the last to the first, again and again until nothing changes.
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
                Aim& aim = aims.emplace_back(Aim{player, {}, unknown_outcome});
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
        for (auto& outcome : values_.outcome) std::ranges::replace(outcome, unknown_outcome, number);
    }

    void settle(Forcing& forcing, std::uint8_t outcome) {
        for (std::size_t here = 0; here < explored_.shards.size(); ++here) {
            const auto& rank = forcing.ranks()[here];
            for (std::size_t s = 0; s < rank.size(); ++s) {
                if (values_.outcome[here][s] != unknown_outcome || rank[s] == game::outside()) continue;
                values_.outcome[here][s] = outcome;
                values_.rank[here][s] = rank[s];
            }
        }
    }

    // --- backward induction ---

    void by_induction() {
        Choosing choosing(explored_, values_);
        sweep(choosing);
        bool open = false;
        for (const auto& outcome : values_.outcome)
            open |= std::ranges::find(outcome, unknown_outcome) != outcome.end();
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
