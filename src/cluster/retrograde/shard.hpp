// Shards: the states of a game, partitioned by their hash.
//
// There are more shards than processes, and a process holds every n-th of them; so the number of processes
// may change between two runs on the same data, and nothing has to be renamed. A state is identified by its
// shard and its place there, which is the order in which the states of the shard were found: level by level.
//
// A shard also keeps the moves that lead into it, level by level, each with the state it comes from. That is
// all that backward induction needs: values go from a state to its predecessors. Moves come in runs from one
// shard, and take eight bytes each (ten where it matters which of its moves a state made).

#pragma once

#include "cluster/comm/comm.hpp"
#include "game/explore/state_table.hpp"
#include "game/graph/retrograde.hpp"

namespace zermelo::cluster {

using ShardId = std::uint16_t;
using PlaceInShard = game::StateId;
using Label = game::Graph::Label;

// Which shards a process holds, and which of them a state is in.
struct ShardLayout {
    ShardId shards = 1;
    Rank processes = 1;

    [[nodiscard]] ShardId shard_of(std::uint64_t hash) const {
        return static_cast<ShardId>((hash >> 32) % shards);  // tables use the low bits
    }
    [[nodiscard]] Rank holder(ShardId shard) const { return shard % processes; }
};

// A state that leads somewhere, and by which of its moves.
struct Origin {
    PlaceInShard place = 0;
    ShardId shard = 0;
    std::uint16_t move = 0;
};
static_assert(sizeof(Origin) == 8);

class Edges {
public:
    explicit Edges(bool with_moves = false) : with_moves_(with_moves) {}

    void add(const Origin& from, PlaceInShard to);
    [[nodiscard]] std::size_t size() const { return to_.size(); }
    [[nodiscard]] std::size_t bytes() const;
    void clear() { *this = Edges(with_moves_); }

    // visit(origin, to), in the order in which they were added.
    template <class Visit>
    void for_each(const Visit& visit) const {
        std::size_t e = 0;
        for (const Run& run : runs_) {
            for (const std::size_t end = e + run.count; e < end; ++e) {
                visit(Origin{from_[e], run.shard, with_moves_ ? move_[e] : std::uint16_t{0}}, to_[e]);
            }
        }
    }

    void save(game::CheckpointWriter& writer) const;
    void load(game::CheckpointReader& reader);
    friend bool operator==(const Edges&, const Edges&) = default;

private:
    struct Run {
        ShardId shard;
        std::uint16_t unused = 0;
        std::uint32_t count;
        friend bool operator==(const Run&, const Run&) = default;
    };
    bool with_moves_;
    std::vector<Run> runs_;
    std::vector<PlaceInShard> from_;
    std::vector<PlaceInShard> to_;
    std::vector<std::uint16_t> move_;
};

struct Shard {
    ShardId id = 0;
    game::RowTable table;
    PlaceInShard base = 0;            // place of the first state of the table
    std::vector<PlaceInShard> level;  // by level: place of its first state; one more at the end
    std::vector<Label> label;         // by place, of the states whose moves are known
    std::vector<std::uint16_t> degree;
    std::vector<Edges> in;  // by level: the moves of the level before that lead here

    Shard(ShardId number, std::size_t words) : id(number), table(words), level{0} {}

    [[nodiscard]] PlaceInShard states() const { return base + static_cast<PlaceInShard>(table.size()); }
    [[nodiscard]] std::size_t levels() const { return level.size() - 1; }
    [[nodiscard]] PlaceInShard level_begin(std::size_t l) const { return level[l]; }
    [[nodiscard]] PlaceInShard level_end(std::size_t l) const { return level[l + 1]; }
    [[nodiscard]] std::span<const std::uint64_t> row(PlaceInShard place) const {
        return table.row(place - base);
    }
};

}  // namespace zermelo::cluster
