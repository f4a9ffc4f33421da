#include "cluster/retrograde/shard.hpp"

namespace zermelo::cluster {

void Edges::add(const Origin& from, PlaceInShard to) {
    if (runs_.empty() || runs_.back().shard != from.shard) runs_.push_back({from.shard, 0, 0});
    ++runs_.back().count;
    from_.push_back(from.place);
    to_.push_back(to);
    if (with_moves_) move_.push_back(from.move);
}

std::size_t Edges::bytes() const {
    return runs_.capacity() * sizeof(Run) + (from_.capacity() + to_.capacity()) * sizeof(PlaceInShard) +
           move_.capacity() * sizeof(std::uint16_t);
}

void Edges::save(game::CheckpointWriter& writer) const {
    writer.section("edges");
    writer.put<std::uint64_t>(runs_.size());
    writer.put<std::uint64_t>(to_.size());
    writer.put<std::uint64_t>(move_.size());
    writer.put_all(std::span(runs_));
    writer.put_all(std::span(from_));
    writer.put_all(std::span(to_));
    writer.put_all(std::span(move_));
}

void Edges::load(game::CheckpointReader& reader) {
    reader.section("edges");
    const auto runs = reader.get<std::uint64_t>();
    const auto edges = reader.get<std::uint64_t>();
    const auto moves = reader.get<std::uint64_t>();
    if (moves != (with_moves_ ? edges : 0)) reader.refuse("its numbers are inconsistent");
    clear();
    reader.append(runs_, runs);
    reader.append(from_, edges);
    reader.append(to_, edges);
    reader.append(move_, moves);
    std::uint64_t counted = 0;
    for (const Run& run : runs_) counted += run.count;
    if (counted != edges) reader.refuse("its numbers are inconsistent");
}

}  // namespace zermelo::cluster
