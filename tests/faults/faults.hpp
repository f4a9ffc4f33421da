// What tests of faults share: the program with calls that fail (injector.cpp), and what may never be seen of it.

#pragma once

#include <map>
#include <set>
#include <sstream>

#include "cli/program.hpp"
#include "support/seeds.hpp"

namespace zermelo {

inline std::uint64_t asked_for(const char* name, std::uint64_t otherwise) {
    const char* text = std::getenv(name);
    return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

// How often something of a test is tried: few times, unless the environment asks for more.
inline std::uint64_t runs() { return asked_for("ZERMELO_FAULT_RUNS", 6); }
inline std::uint64_t kills() { return asked_for("ZERMELO_KILLS", 3); }

class Faults : public Program {
protected:
    void SetUp() override {
        if (sanitized) GTEST_SKIP() << "a sanitizer has an allocator of its own";
    }

    // The environment in which calls fail that are about files in the folder of this test.
    [[nodiscard]] std::string with_faults(std::uint64_t seed) const {
        static const std::vector<std::pair<std::string, int>> kinds = {
            {"short", 300},           {"space", 60},    {"eintr", 200}, {"sync", 300},
            {"rename", 500},          {"memory", 2000}, {"clock", 500}, {"short,eintr,clock", 200},
            {"space,sync,memory", 60}};
        const auto& [kind, rate] = kinds[seed % kinds.size()];
        return with_faults(kind, rate, seed, path(""));
    }
    [[nodiscard]] static std::string with_faults(const std::string& kind, int rate, std::uint64_t seed,
                                                 const std::string& folder) {
        return "env LD_PRELOAD=" ZERMELO_FAULTS_LIBRARY " ZERMELO_FAULTS=" + kind +
               " ZERMELO_FAULTS_RATE=" + std::to_string(rate) +
               " ZERMELO_FAULTS_SEED=" + std::to_string(seed) + " ZERMELO_FAULTS_IN=" + folder + " ";
    }
    // A training that saves after every round; the same net for the same number of games, however often it was stopped.
    [[nodiscard]] static std::string training(const std::string& file, int games) {
        return "train " + tic_tac_toe +
               " --threads 1 --matches 0 --simulations 32 --gates 16 --hidden 32 --checkpoint-seconds 0.0001 "
               "-o " +
               file + " --games " + std::to_string(games);
    }
    static inline const std::string tic_tac_toe = ZERMELO_SOURCE_DIR "/games/gdl/tic-tac-toe.kif";

    // It ended well, or said what was wrong in words of its own.
    void expect_told(const Ran& ran, std::uint64_t seed) {
        EXPECT_LT(ran.code, 126) << "seed " << seed << ": " << ran.out << ran.err;
        if (ran.code == 0) return;
        ++failed_;
        EXPECT_FALSE(ran.err.empty()) << "seed " << seed;
        for (const char* inner : {"terminate called", "std::", "bad_alloc", "basic_ios", "iostream error"})
            EXPECT_EQ(ran.err.find(inner), std::string::npos) << "seed " << seed << ": " << ran.err;
    }
    // Only what is named may be in the folder: nothing half written beside it.
    void expect_only(const std::set<std::string>& names, std::uint64_t seed) const {
        for (const auto& entry : std::filesystem::directory_iterator(path(""))) {
            EXPECT_TRUE(names.contains(entry.path().filename().string()))
                << "seed " << seed << " leaves " << entry.path();
        }
    }

    // What a record has of its matches, but for times: by number and seat, the seed, the plies, the player and its goal.
    using Matches = std::map<std::pair<int, int>, std::string>;
    [[nodiscard]] Matches matches_of(const std::string& record) const {
        const TemporaryDirectory scratch;
        const std::string table = scratch.path("table.csv");
        (void)zermelo("tournament --report-only --record " + record + " --csv " + table);
        std::istringstream lines(read_file(table));
        Matches matches;
        std::string line;
        for (std::getline(lines, line); std::getline(lines, line);) {
            std::vector<std::string> fields;
            std::istringstream row(line);
            for (std::string field; std::getline(row, field, ',');) fields.push_back(field);
            matches[{std::stoi(fields.at(0)), std::stoi(fields.at(6))}] =
                fields.at(2) + " " + fields.at(3) + " " + fields.at(8) + " " + fields.at(9);
        }
        return matches;
    }

    std::uint64_t failed_ = 0;  // runs that could not do what was asked
};

}  // namespace zermelo
