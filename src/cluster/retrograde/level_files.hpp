// Level files: what processes have explored, level by level, in a folder of compressed files.
//
// The folder serves as external memory for what does not fit into RAM, and as a checkpoint: work that was
// stopped or killed goes on from here, with as many processes as there are then. A file is written once by
// one process and never changed; it holds some levels of all shards of that process. The contents file lists
// the valid files; the first process replaces it when all have written theirs. Files that are not listed are
// from a run that was cut off, and are removed.

#pragma once

#include <functional>
#include <optional>

#include "cluster/retrograde/shard.hpp"

namespace zermelo::cluster {

// One file.
struct Part {
    std::uint32_t number = 0;  // in the order in which the process wrote them
    Rank writer = 0;
    Rank processes = 1;  // of which it was: it holds the shards of this one
    std::uint32_t first_level = 0;
    std::uint32_t last_level = 0;
    std::uint32_t whole =
        0;  // 1: states and moves of these levels; 0: moves only, more of which may be elsewhere
};

// What all processes agree on; see explore.hpp.
struct Contents {
    Hash128 rules;
    ShardId shards = 1;
    std::uint32_t words = 0;  // of a row
    bool with_moves = false;
    bool layered = true;
    bool forgotten = false;
    bool ply_counter_refuted = false;
    std::uint64_t edges = 0;
    std::vector<std::uint64_t> levels;       // states in each; the last one has not been expanded
    std::vector<std::vector<int>> outcomes;  // payoffs by player
    std::vector<Part> parts;
    bool explored = false;
};

class LevelFiles {
public:
    // Makes it if it is not there. Throws Error where that fails; so do all that follow.
    LevelFiles(Comm& comm, std::string path, Hash128 rules);

    // Collective: what was committed, if anything was. Throws Error where it belongs to other rules.
    [[nodiscard]] std::optional<Contents> contents();

    // Collective: whatever was committed is gone.
    void start_anew();

    // Writes levels of the shards into a new file, which belongs to the run with the next commit. Of a level
    // of states, the labels are those of the level before.
    void write(const std::vector<Shard>& shards, std::size_t first_level, std::size_t last_level, bool whole);
    // What was written of later levels is not to belong to the run.
    void take_back_after(std::size_t level);
    // Collective: from now on the folder holds everything that was written.
    void commit(Contents contents);

    // Reads all files that `wanted` asks for; `held` tells which shards are of interest. The shards of a file
    // come one after the other, each with its levels in order.
    struct Piece {
        ShardId shard;
        std::size_t level;
        bool whole;
        std::vector<std::uint64_t> rows;
        std::vector<Label> labels;  // of the level before
        std::vector<std::uint16_t> degrees;
        Edges edges;
    };
    void read(const std::function<bool(const Part&)>& wanted, const std::function<bool(ShardId)>& held,
              std::size_t words, bool with_moves, const std::function<void(Piece&)>& visit) const;

    [[nodiscard]] const std::vector<Part>& parts() const { return parts_; }
    [[nodiscard]] std::uint64_t bytes(const Part& part) const;  // of its file
    [[nodiscard]] std::uint64_t bytes_written() const { return bytes_written_; }

private:
    [[nodiscard]] std::string file_of(const Part& part) const;
    [[nodiscard]] std::string contents_file() const { return path_ + "/contents"; }
    void remove_leftovers() const;

    Comm& comm_;
    std::string path_;
    Hash128 rules_;
    std::vector<Part> parts_;  // committed ones of all processes, and those that this process wrote since
    std::uint32_t next_ = 0;
    std::uint64_t bytes_written_ = 0;
};

}  // namespace zermelo::cluster
