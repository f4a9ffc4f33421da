// Search checkpoint: the finished jobs of a distributed search, in a file for later runs.
//
// Entries are kept apart by question. How a position was split is saved, too, because otherwise answers about
// the positions behind it would not be found again.

#pragma once

#include <unordered_map>

#include "cluster/search/jobs.hpp"
#include "game/explore/checkpoint.hpp"

namespace zermelo::cluster {

class SearchCheckpoint {
public:
    // Reads the file if there is one; without a name nothing is saved. Throws Error where it is about another
    // question.
    SearchCheckpoint(std::string file, const Hash128& first_question);

    void open(const Hash128& question) { question_ = question; }  // that all the others are about
    [[nodiscard]] const Solved* find(const Hash128& key) const;
    [[nodiscard]] const Split* find_split(const Hash128& key) const;
    void put(const Hash128& key, const Split& split);
    void put(const Hash128& key, const Solved& answer);
    void save_after(double seconds);  // since it was last saved
    void save();

private:
    [[nodiscard]] Hash128 place(const Hash128& key) const;

    std::string file_;
    game::CheckpointSubject work_;
    Hash128 question_;
    std::unordered_map<Hash128, Solved, LowBitsHash> answers_;
    std::unordered_map<Hash128, Split, LowBitsHash> splits_;
    Clock::time_point saved_ = Clock::now();
};

}  // namespace zermelo::cluster
