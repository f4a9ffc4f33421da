// Tournament record: an SQLite file that holds the plan of a tournament and every match that is finished.
//
// One file is one tournament. A match is written with all its seats in one transaction, which is on the disk
// when add() returns: whenever the process dies, each match is there as a whole or not at all, and the
// tournament goes on with those that are missing. While a tournament runs, no other process may write to its
// record, but all may read it.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/error.hpp"

namespace zermelo::arena {

// What one seat did in a match. Times are in seconds.
struct SeatResult {
    std::string role;
    std::string player;  // the label by which the tournament knows it
    int goal = 0;
    std::uint64_t moves = 0;
    std::uint64_t playouts = 0;
    std::uint64_t illegal = 0;
    std::uint64_t late = 0;
    double seconds = 0;
    double longest_move = 0;
    double slack_least = 0;  // what was left on the clock at the tightest move; means nothing without moves
    std::map<std::string, double> counters =
        {};  // what the player counted, over all its moves (play::Thought)

    bool operator==(const SeatResult&) const = default;
};

struct MatchResult {
    std::uint64_t match = 0;  // its number in the tournament
    std::string game;
    std::uint64_t seed = 0;
    std::uint64_t plies = 0;
    double seconds = 0;
    std::vector<SeatResult> seats;  // in the order of the roles
    std::string moves;              // one line, joint moves as text
    std::string error;              // why the match has no result; empty where it has one

    bool operator==(const MatchResult&) const = default;
};

// All functions throw Error where the file cannot be read or written. They may be called from many threads.
class Record {
public:
    // Opens the record, or makes a new one where there is no file or an empty one. `plan` is the text of what
    // was asked for, a JSON object. Throws Error where the file is no record, holds a tournament with another
    // plan, is damaged, or belongs to a tournament that is running.
    Record(const std::string& file, const std::string& plan);
    ~Record();
    Record(const Record&) = delete;
    Record& operator=(const Record&) = delete;

    // What a record holds that may belong to a running tournament.
    [[nodiscard]] static std::string plan_of(const std::string& file);
    [[nodiscard]] static std::vector<MatchResult> results_of(const std::string& file);

    [[nodiscard]] std::vector<std::uint64_t> finished() const;  // numbers of matches, ascending
    [[nodiscard]] std::vector<MatchResult> results() const;     // by number
    void add(const MatchResult& result);  // throws Error where a match of that number is there already

private:
    class Store;
    std::unique_ptr<Store> store_;
};

}  // namespace zermelo::arena
