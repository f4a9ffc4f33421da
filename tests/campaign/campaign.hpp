// Differential campaign: random games before engines that share no code, for as long as one likes (differential testing,
// McKeeman 1998).
//
// A kind draws a case from a seed and asks all that can answer it; an answer that differs is a disagreement, and so is a
// case that crashes or does not end. What disagreed is kept as a file, and `campaign FILE` runs it again.

#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace zermelo::campaign {

struct Disagreement : std::runtime_error {
    using std::runtime_error::runtime_error;
};

inline void require(bool agreed, const std::string& what) {
    if (!agreed) throw Disagreement(what);
}

// What happened in the cases of a kind, by words.
class Tally {
public:
    virtual ~Tally() = default;
    virtual void count(const std::string& what, std::uint64_t times = 1) = 0;
};

struct Case {
    std::uint64_t seed;
    std::string text;  // what was drawn, where it is a text; else the seed tells all
    Tally& tally;
};

struct Kind {
    const char* name;
    const char* what;
    std::string (*draw)(std::uint64_t seed);
    void (*run)(const Case& drawn);
    bool on_purpose =
        false;  // it disagrees, so that the campaign itself can be tested: run only where it is named
};

[[nodiscard]] const std::vector<Kind>& kinds();

// One file each.
void run_rules(const Case& drawn);
void run_games(const Case& drawn);
void run_equilibria(const Case& drawn);
void run_graphs(const Case& drawn);
void run_chance(const Case& drawn);
void run_processes(const Case& drawn);
void run_quantified(const Case& drawn);
void run_strategic(const Case& drawn);
void run_formulas(const Case& drawn);
void run_stochastic(const Case& drawn);

}  // namespace zermelo::campaign
