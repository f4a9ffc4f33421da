// The benchmarks of `zermelo bench`, one a file.

#pragma once

#include "cli/command.hpp"
#include "cli/instances.hpp"
#include "quantified/solve.hpp"

namespace zermelo::cli {

struct BenchQuantified {
    std::string title;
    std::string list;  // of instances
    double seconds = 60;
    bool json = false;
    bool options_too = true;
    bool check = false;  // the strategies

    [[nodiscard]] int run() const;

private:
    [[nodiscard]] static nlohmann::json row(const Instance& instance, const quantified::Answer& answer);
    void print_head() const;
    void print_row(const nlohmann::json& row) const;
    [[nodiscard]] nlohmann::json try_options(const Instance& instance, const model::Model& model,
                                             const quantified::Answer& base) const;
    static void print_effect(const nlohmann::json& effect);
};

struct BenchQbf {
    std::string list;                      // of families
    std::string peer = "depqbf";           // empty: none
    std::string engine = "auto";           // ours
    std::string only;                      // a family; empty: all
    std::string write_to;                  // a folder for the formulas
    std::size_t every = 1;                 // only every so many
    double seconds = 10;                   // for each run of a solver
    double minimax_seconds = 1;            // for the third opinion
    std::optional<bool> pure_values = {};  // pure literals of the engine qcdcl
    bool check = true;                     // the strategies
    bool json = false;

    [[nodiscard]] int run() const;

private:
    [[nodiscard]] nlohmann::json measure(const std::string& file, bool& wrong,
                                         const nlohmann::json& row) const;
    static void print_head();
    static void print_row(const nlohmann::json& row);
    static void print_families(const nlohmann::json& families);
};

struct BenchGdl {
    std::string directory;  // games and speed.tsv
    double seconds = 1;     // for each game
    bool json = false;

    [[nodiscard]] int run() const;
};

struct BenchAttractors {
    std::uint64_t states = 50'000'000;
    std::uint64_t edges_per_state = 4;
    std::uint64_t seed = 1;
    unsigned threads = 0;  // 0: one a core
    bool json = false;

    [[nodiscard]] int run() const;
};

struct BenchSolve {
    std::vector<std::string> files;  // games in GDL
    double seconds = 600;            // for each run
    std::size_t table_megabytes = 2048;
    bool brief = false;  // only the default, with all threads and with one
    bool json = false;

    [[nodiscard]] int run() const;
};

struct BenchPlay {
    std::vector<std::string> files;  // games in GDL
    std::vector<std::string> players = {"uct", "grave", "cfr"};
    double seconds = 1;  // for each run
    bool json = false;

    [[nodiscard]] int run() const;
};

struct BenchSymmetry {
    std::vector<std::string> files;  // games in GDL
    std::uint64_t most_states = 1'000'000;
    bool json = false;

    [[nodiscard]] int run() const;
};

struct BenchScsp {
    std::vector<std::string> files;  // games in GDL
    std::size_t states = 1000;       // of random plays, for each game
    double gecode_seconds = 1;       // for each game; 0: not at all
    bool json = false;

    [[nodiscard]] int run() const;
};

}  // namespace zermelo::cli
