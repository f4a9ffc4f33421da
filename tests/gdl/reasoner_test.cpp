// The reasoner against what a reference prover published, and against small descriptions with known answers.
//
// ZERMELO_ALL_STEPS=1 checks every published step instead of the first ones of each game.

#include "gdl/reasoner.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <set>

#include "gdl/parse.hpp"
#include "support/md5.hpp"
#include "support/published.hpp"

namespace zermelo::gdl {
namespace {

using published::split;

constexpr double seconds_per_game = 0.6;

bool everything() { return std::getenv("ZERMELO_ALL_STEPS") != nullptr; }

class Patience {
public:
    [[nodiscard]] bool over(double factor = 1) const {
        return !everything() && std::chrono::steady_clock::now() - start_ >
                                    std::chrono::duration<double>(factor * seconds_per_game);
    }
    [[nodiscard]] double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    }

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

class Published : public testing::TestWithParam<std::string> {
protected:
    void SetUp() override {
        if (!published::present()) GTEST_SKIP() << "no published games beside the source";
    }
};

std::string digest(const Reasoner& reasoner, const std::vector<Reasoner::Ground>& terms) {
    return md5(reasoner.text(terms), 16);
}

std::string goals(Reasoner& reasoner, const Reasoner::State& state) {
    std::vector<int> values;
    for (std::size_t role = 0; role < reasoner.roles().size(); ++role) {
        values.push_back(reasoner.goal(state, role).value_or(-1));
    }
    return fmt::format("{}", fmt::join(values, ","));
}

Reasoner::Joint joint_move(Reasoner& reasoner, const Reasoner::State& state, const std::string& text) {
    Reasoner::Joint joint;
    (void)reasoner.legal(state, 0);  // makes the terms known
    for (const std::string& move : split(text, " | ")) {
        const auto found = reasoner.find(move);
        if (!found) throw Error("no such move: " + move);
        joint.push_back(*found);
    }
    return joint;
}

TEST_P(Published, TracesAreReproduced) {
    const Patience patience;
    auto lines = published::table("traces.tsv")[GetParam()];
    if (lines.empty()) GTEST_SKIP() << "no trace of this game";
    Reasoner reasoner(read(published::path(GetParam())));
    Reasoner::State state;
    std::size_t steps = 0;
    for (const auto& line : lines) {
        if (line.size() < 8) continue;  // the reference prover failed
        if (patience.over()) break;
        const std::string where = fmt::format("playout {} step {}", line[1], line[2]);
        if (line[2] == "0") state = reasoner.initial();
        ++steps;
        ASSERT_EQ(std::to_string(state.size()), line[3]) << where;
        ASSERT_EQ(digest(reasoner, state), line[4]) << where << "\n" << reasoner.text(state);
        ASSERT_EQ(reasoner.terminal(state), line[5] == "TERMINAL") << where;
        if (line[5] == "TERMINAL") {
            ASSERT_EQ(goals(reasoner, state), line[7]) << where;
            continue;
        }
        if (line[5] == "CUT") continue;
        std::vector<std::string> counts;
        std::vector<std::string> digests;
        for (std::size_t role = 0; role < reasoner.roles().size(); ++role) {
            const auto moves = reasoner.legal(state, role);
            counts.push_back(std::to_string(moves.size()));
            digests.push_back(digest(reasoner, moves));
        }
        ASSERT_EQ(fmt::format("{}", fmt::join(counts, ",")), line[5]) << where;
        ASSERT_EQ(fmt::format("{}", fmt::join(digests, ",")), line[6]) << where;
        state = reasoner.next(state, joint_move(reasoner, state, line[7]));
    }
    fmt::print("{}: {} of {} steps, {:.2f} s\n", GetParam(), steps, lines.size(), patience.seconds());
}

TEST_P(Published, PerceptsAreReproduced) {
    auto lines = published::table("percepts.tsv")[GetParam()];
    if (lines.empty()) GTEST_SKIP() << "no percepts of this game";
    Reasoner reasoner(read(published::path(GetParam())));
    Reasoner::State state;
    for (const auto& line : lines) {
        if (line.size() < 6) continue;
        if (line[2] == "0") state = reasoner.initial();
        if (line[3] == "TERMINAL") continue;
        const auto joint = joint_move(reasoner, state, line[4]);
        std::vector<std::string> all;
        for (std::size_t role = 0; role < reasoner.roles().size(); ++role) {
            std::vector<std::string> seen;
            for (const auto percept : reasoner.sees(state, joint, role))
                seen.push_back(reasoner.text(percept));
            all.push_back(
                fmt::format("{}=[{}]", reasoner.text(reasoner.roles()[role]), fmt::join(seen, " ; ")));
        }
        ASSERT_EQ(fmt::format("{}", fmt::join(all, " ")), line[5])
            << "playout " << line[1] << " step " << line[2];
        state = reasoner.next(state, joint);
    }
}

// All states at one depth with the number of paths to each.
using Layer = std::map<Reasoner::State, std::uint64_t>;

struct Counts {
    std::uint64_t paths = 0;
    std::uint64_t ended = 0;
    std::map<std::string, std::uint64_t> goals;
};

Counts count(Reasoner& reasoner, const Layer& layer) {
    Counts counts;
    for (const auto& [state, paths] : layer) {
        counts.paths += paths;
        if (!reasoner.terminal(state)) continue;
        counts.ended += paths;
        std::string values = goals(reasoner, state);
        std::replace(values.begin(), values.end(), ',', '/');
        counts.goals[values] += paths;
    }
    return counts;
}

// False if patience was lost on the way.
bool advance(Reasoner& reasoner, Layer& layer, const Patience& patience) {
    Layer result;
    for (const auto& [state, paths] : layer) {
        if (patience.over()) return false;
        if (reasoner.terminal(state)) continue;
        std::vector<Reasoner::Joint> joints{{}};
        for (std::size_t role = 0; role < reasoner.roles().size(); ++role) {
            std::vector<Reasoner::Joint> longer;
            for (const auto move : reasoner.legal(state, role)) {
                for (auto joint : joints) {
                    joint.push_back(move);
                    longer.push_back(std::move(joint));
                }
            }
            joints = std::move(longer);
        }
        for (const auto& joint : joints) {
            if (patience.over()) return false;
            result[reasoner.next(state, joint)] += paths;
        }
    }
    layer = std::move(result);
    return true;
}

TEST_P(Published, CountsAtSmallDepthsAreReproduced) {
    const Patience patience;
    const auto lines = published::table("facts.tsv")[GetParam()];
    if (lines.empty()) GTEST_SKIP() << "no counts of this game";
    Reasoner reasoner(read(published::path(GetParam())));
    Layer layer{{reasoner.initial(), 1}};
    constexpr std::uint64_t most_paths = 20'000;
    for (const auto& line : lines) {
        if (line.size() < 7) continue;
        const std::string where = "depth " + line[1];
        if (std::stoull(line[2]) > most_paths) break;
        if (line[1] != "0" && !advance(reasoner, layer, patience)) break;
        const Counts counts = count(reasoner, layer);
        ASSERT_EQ(std::to_string(counts.paths), line[2]) << where;
        if (line[3] != "-") {
            ASSERT_EQ(std::to_string(layer.size()), line[3]) << where;
        }
        ASSERT_EQ(std::to_string(counts.ended), line[4]) << where;
        if (line[5] != "-") {
            std::set<std::string> expected;
            for (const auto& part : split(line[5], ";")) expected.insert(part);
            std::set<std::string> found;
            for (const auto& [values, paths] : counts.goals)
                found.insert(fmt::format("{}:{}", values, paths));
            EXPECT_EQ(found, expected) << where;
        }
        if (line[6] != "-") {
            std::vector<std::string> moves;
            for (std::size_t role = 0; role < reasoner.roles().size(); ++role) {
                moves.push_back(fmt::format("{}={}", reasoner.text(reasoner.roles()[role]),
                                            reasoner.legal(reasoner.initial(), role).size()));
            }
            EXPECT_EQ(fmt::format("{}", fmt::join(moves, ",")), line[6]);
        }
    }
}

std::vector<std::string> games_or_none() {
    return published::present() ? published::games() : std::vector<std::string>{"none"};
}

INSTANTIATE_TEST_SUITE_P(Reasoner, Published, testing::ValuesIn(games_or_none()), [](const auto& test) {
    std::string name = test.param;
    for (char& c : name) {
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    }
    return name;
});

}  // namespace
}  // namespace zermelo::gdl
