#include "cluster/retrograde/level_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <tuple>

namespace zermelo::cluster {

namespace {

namespace fs = std::filesystem;
using game::CheckpointReader;
using game::CheckpointWriter;

constexpr const char* contents_kind = "cluster-contents";
constexpr const char* part_kind = "cluster-part";
constexpr std::uint64_t most_levels = std::uint64_t{1} << 32;

template <class T>
void put_vector(CheckpointWriter& writer, std::span<const T> values) {
    writer.put<std::uint64_t>(values.size());
    writer.put_all(values);
}

template <class T>
void get_vector(CheckpointReader& reader, std::vector<T>& values, std::uint64_t most) {
    const auto count = reader.get<std::uint64_t>();
    if (count > most) reader.refuse("its numbers are inconsistent");
    values.clear();
    reader.append(values, count);
}

constexpr std::uint64_t any_number = ~std::uint64_t{0};

}  // namespace

LevelFiles::LevelFiles(Comm& comm, std::string path, Hash128 rules)
    : comm_(comm), path_(std::move(path)), rules_(rules) {
    std::error_code problem;
    fs::create_directories(path_, problem);
    if (!fs::is_directory(path_)) {
        throw Error({path_}, "this folder cannot be created",
                    "choose another folder, on a disk that all processes share");
    }
}

std::string LevelFiles::file_of(const Part& part) const {
    return fmt::format("{}/part-{:05}-{:05}", path_, part.writer, part.number);
}

std::optional<Contents> LevelFiles::contents() {
    Contents found;
    const bool there = fs::exists(contents_file());
    if (any_process(comm_, there) != there) {
        throw Error({path_}, "some processes cannot read this folder",
                    "choose a folder on a disk that all processes share");
    }
    if (!there) {
        remove_leftovers();
        return std::nullopt;
    }
    CheckpointReader reader(contents_file(), {contents_kind, rules_});
    reader.section("contents");
    found.rules = rules_;
    found.shards = reader.get<ShardId>();
    found.words = reader.get<std::uint32_t>();
    found.with_moves = reader.get<std::uint8_t>() != 0;
    found.layered = reader.get<std::uint8_t>() != 0;
    found.forgotten = reader.get<std::uint8_t>() != 0;
    found.ply_counter_refuted = reader.get<std::uint8_t>() != 0;
    found.explored = reader.get<std::uint8_t>() != 0;
    found.edges = reader.get<std::uint64_t>();
    get_vector(reader, found.levels, most_levels);
    const auto outcomes = reader.get<std::uint64_t>();
    if (outcomes > 128 || found.shards == 0) reader.refuse("its numbers are inconsistent");
    for (std::uint64_t i = 0; i < outcomes; ++i) get_vector(reader, found.outcomes.emplace_back(), 64);
    get_vector(reader, found.parts, most_levels);
    reader.finish();
    parts_ = found.parts;
    for (const Part& part : parts_) {
        if (part.writer == comm_.rank()) next_ = std::max(next_, part.number + 1);
    }
    remove_leftovers();
    return found;
}

void LevelFiles::start_anew() {
    barrier(comm_);  // all have read what there was
    if (comm_.first()) fs::remove(contents_file());
    parts_.clear();
    remove_leftovers();
}

// Only the first process looks while all wait, so that no new file is taken for an old one.
void LevelFiles::remove_leftovers() const {
    if (comm_.first()) {
        std::error_code ignored;
        for (const auto& entry : fs::directory_iterator(path_, ignored)) {
            const std::string name = entry.path().filename().string();
            if (!name.starts_with("part-")) continue;
            const bool known = std::ranges::any_of(
                parts_, [&](const Part& part) { return file_of(part) == path_ + "/" + name; });
            if (!known) fs::remove(entry.path(), ignored);
        }
    }
    barrier(comm_);
}

void LevelFiles::write(const std::vector<Shard>& shards, std::size_t first_level, std::size_t last_level,
                       bool whole) {
    const Part part{next_++,
                    comm_.rank(),
                    comm_.size(),
                    static_cast<std::uint32_t>(first_level),
                    static_cast<std::uint32_t>(last_level),
                    whole ? 1U : 0U};
    CheckpointWriter writer(file_of(part), {part_kind, rules_});
    writer.section("part");
    writer.put<std::uint64_t>(shards.size());
    for (const Shard& shard : shards) {
        for (std::size_t l = first_level; l <= last_level; ++l) {
            writer.put(shard.id);
            if (whole) {
                writer.put<std::uint64_t>(shard.level_end(l) - shard.level_begin(l));
                for (PlaceInShard s = shard.level_begin(l); s < shard.level_end(l); ++s)
                    writer.put_all(shard.row(s));
                const std::size_t begin = l == 0 ? 0 : shard.level_begin(l - 1);
                const std::size_t end = l == 0 ? 0 : shard.level_end(l - 1);
                put_vector(writer, std::span(shard.label).subspan(begin, end - begin));
                const bool degrees = shard.degree.size() >= end;
                put_vector(writer, degrees ? std::span(shard.degree).subspan(begin, end - begin)
                                           : std::span<const std::uint16_t>{});
            }
            shard.in[l].save(writer);
        }
    }
    writer.commit();
    parts_.push_back(part);
    bytes_written_ += bytes(part);
}

std::uint64_t LevelFiles::bytes(const Part& part) const {
    std::error_code problem;
    const auto size = fs::file_size(file_of(part), problem);
    if (problem) throw Error({file_of(part)}, "the file cannot be read: " + problem.message());
    return size;
}

void LevelFiles::take_back_after(std::size_t level) {
    std::erase_if(parts_, [&](const Part& part) { return part.last_level > level; });
}

void LevelFiles::commit(Contents contents) {
    // The parts of all processes that are not among the committed ones.
    std::vector<Part> mine;
    for (const Part& part : parts_) {
        if (part.writer == comm_.rank()) mine.push_back(part);
    }
    std::vector<Part> all;
    for (const Part& part : parts_) {
        if (part.writer >= comm_.size()) all.push_back(part);  // of a run with more processes
    }
    for (const Bytes& bytes : comm_.gather(std::as_bytes(std::span(mine)))) {
        std::vector<Part> theirs(bytes.size() / sizeof(Part));
        std::copy(bytes.begin(), bytes.end(), std::as_writable_bytes(std::span(theirs)).begin());
        all.insert(all.end(), theirs.begin(), theirs.end());
    }
    std::ranges::sort(
        all, {}, [](const Part& part) { return std::tuple(part.first_level, part.writer, part.number); });
    parts_ = all;
    if (comm_.first()) {
        CheckpointWriter writer(contents_file(), {contents_kind, rules_});
        writer.section("contents");
        writer.put(contents.shards);
        writer.put(contents.words);
        writer.put<std::uint8_t>(contents.with_moves ? 1 : 0);
        writer.put<std::uint8_t>(contents.layered ? 1 : 0);
        writer.put<std::uint8_t>(contents.forgotten ? 1 : 0);
        writer.put<std::uint8_t>(contents.ply_counter_refuted ? 1 : 0);
        writer.put<std::uint8_t>(contents.explored ? 1 : 0);
        writer.put(contents.edges);
        put_vector(writer, std::span<const std::uint64_t>(contents.levels));
        writer.put<std::uint64_t>(contents.outcomes.size());
        for (const auto& payoffs : contents.outcomes) put_vector(writer, std::span<const int>(payoffs));
        put_vector(writer, std::span<const Part>(parts_));
        writer.commit();
    }
    barrier(comm_);
}

void LevelFiles::read(const std::function<bool(const Part&)>& wanted,
                      const std::function<bool(ShardId)>& held, std::size_t words, bool with_moves,
                      const std::function<void(Piece&)>& visit) const {
    // Shards that are both the writer's and of interest come again after so many.
    const auto concerns = [&](const Part& part) {
        for (Rank id = part.writer; id < part.writer + part.processes * comm_.size(); id += part.processes) {
            if (held(static_cast<ShardId>(id))) return true;
        }
        return false;
    };
    for (const Part& part : parts_) {
        if (!wanted(part) || !concerns(part)) continue;
        CheckpointReader reader(file_of(part), {part_kind, rules_});
        reader.section("part");
        const auto shards = reader.get<std::uint64_t>();
        for (std::uint64_t i = 0; i < shards; ++i) {
            for (std::size_t l = part.first_level; l <= part.last_level; ++l) {
                Piece piece{reader.get<ShardId>(), l, part.whole != 0, {}, {}, {}, Edges(with_moves)};
                if (piece.whole) {
                    const auto states = reader.get<std::uint64_t>();
                    reader.append(piece.rows, states * words);
                    get_vector(reader, piece.labels, any_number);
                    get_vector(reader, piece.degrees, any_number);
                }
                piece.edges.load(reader);
                if (held(piece.shard)) visit(piece);
            }
        }
        reader.finish();
    }
}

}  // namespace zermelo::cluster
