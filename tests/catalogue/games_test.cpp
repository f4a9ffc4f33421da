// Every game of games/gdl, whichever there are: a file that is added is tested without a word here.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>
#include <sstream>

#include "catalogue/library.hpp"
#include "gdl/perft.hpp"
#include "gdl/simulate.hpp"
#include "gdl/syntax/check.hpp"
#include "gdl/syntax/parse.hpp"
#include "support/agreement.hpp"

namespace zermelo::gdl {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const std::string folder = ZERMELO_SOURCE_DIR "/games/gdl";

std::vector<std::string> names() {
    std::vector<std::string> all;
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() == ".kif") all.push_back(entry.path().stem().string());
    }
    std::ranges::sort(all);
    return all;
}

std::string content(const std::string& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

class Games : public testing::TestWithParam<std::string> {
protected:
    [[nodiscard]] static std::string file() { return folder + "/" + GetParam() + ".kif"; }
    [[nodiscard]] static std::string beside(const std::string& ending) {
        return folder + "/" + GetParam() + ending;
    }
};

// What is known of a game: NAME.facts.json beside it.
class Facts : public Games {};

TEST_P(Games, HasNoFindings) {
    const Description game = parse(content(file()), file());
    for (const Finding& finding : check(game)) ADD_FAILURE() << finding.text();
    for (const Finding& finding : check_by_playing(game, {.playouts = 5})) ADD_FAILURE() << finding.text();
}

TEST_P(Games, AThousandPlaysEndWithGoals) {
    const Game game(file());
    Runner runner(game.machine());
    Random random(11);
    JointMove joint(game.machine().roles());
    std::vector<MoveId> legal;
    for (int play = 0; play < 1000; ++play) {
        State state = game.machine().initial();
        runner.load(state);
        for (int step = 0; !runner.terminal(); ++step) {
            ASSERT_LT(step, 5000) << "no end";
            for (std::size_t r = 0; r < joint.size(); ++r) {
                runner.legal(r, legal);
                ASSERT_FALSE(legal.empty());
                joint[r] = legal[random.below(legal.size())];
            }
            runner.play(joint);
            runner.next(state);
            runner.load(state);
        }
        for (std::size_t r = 0; r < joint.size(); ++r) {
            ASSERT_GE(runner.goal(r), 0);
            ASSERT_LE(runner.goal(r), 100);
        }
    }
}

TEST_P(Games, TheMachineAgreesWithTheReasoner) {
    const Game game(file());
    const bool everything = std::getenv("ZERMELO_ALL_STEPS") != nullptr;
    // As many steps as small games, fewer of those whose rules take long to be read off.
    const std::size_t gates = game.machine().network().gates();
    const int playouts = gates < 20'000 ? 5 : gates < 100'000 ? 2 : 1;
    agree_with_the_reasoner(game, everything ? 200 : playouts, everything ? 5000 : 40);
}

TEST_P(Games, SayWhatTheyAre) {
    static const catalogue::Library library(ZERMELO_SOURCE_DIR "/games");
    const catalogue::Shipped* game = library.find("gdl/" + GetParam());
    ASSERT_NE(game, nullptr);
    const json& about = game->summary;
    EXPECT_GE(about["words"]["en"].get<std::string>().size(), 100U);
    EXPECT_NE(about["words"]["en"].get<std::string>().find("From:"), std::string::npos) << "no sources";
    EXPECT_TRUE(about["words"].contains("fr")) << "no rules in French";
    EXPECT_FALSE(about["themes"].empty()) << "no tags";
    EXPECT_FALSE(game->hints.empty()) << "no hints for the page";
}

TEST_P(Games, TellWhatChanceDoes) {
    const Description game = parse(content(file()), file());
    const bool told =
        fs::exists(beside(".facts.json")) &&
        !json::parse(std::ifstream(beside(".facts.json"))).value("chance", json::array()).empty();
    EXPECT_EQ(told, information(game).chance)
        << "NAME.facts.json claims what chance does, exactly where it does something";
}

// The fluents of some relations that hold, one after another.
std::string cut_down(const std::vector<std::string>& facts, const std::vector<std::string>& relations) {
    std::string kept;
    for (const std::string& fact : facts) {
        for (const std::string& relation : relations) {
            if (fact == relation || fact.starts_with("(" + relation + " ")) kept += fact;
        }
    }
    return kept;
}

struct Fraction {
    std::uint64_t above = 0;
    std::uint64_t below = 1;
    void add(const Fraction& other) {
        above = above * other.below + other.above * below;
        below *= other.below;
        const std::uint64_t common = std::gcd(above, below);
        above /= common, below /= common;
    }
    [[nodiscard]] std::string text() const { return std::to_string(above) + "/" + std::to_string(below); }
};

// One joint move: `given` by whoever has it, everybody else the first move of all in the alphabet; or, with
// `chance`, that one of chance.
State moved(const Game& game, Runner& runner, const State& state, const std::string& given,
            const std::string& chance) {
    runner.load(state);
    JointMove joint;
    bool used = given.empty();
    for (std::size_t r = 0; r < game.machine().roles(); ++r) {
        auto legal = legal_texts(game, runner, r);
        EXPECT_FALSE(legal.empty());
        std::ranges::sort(legal);
        std::string chosen = legal.front();
        if (!used && std::ranges::find(legal, given) != legal.end()) {
            chosen = given;
            used = true;
        } else if (!chance.empty() && game.text(game.machine().network().roles[r]) == "random") {
            chosen = chance;
        }
        joint.push_back(move_named(game, r, chosen));
    }
    EXPECT_TRUE(used) << given << " is not legal";
    runner.play(joint);
    State next;
    runner.next(next);
    return next;
}

std::vector<std::string> moves_of_chance(const Game& game, Runner& runner, const State& state) {
    runner.load(state);
    for (std::size_t r = 0; r < game.machine().roles(); ++r) {
        if (game.text(game.machine().network().roles[r]) == "random") return legal_texts(game, runner, r);
    }
    ADD_FAILURE() << "chance does not play";
    return {};
}

void check_chance(const Game& game, const json& claim) {
    SCOPED_TRACE(claim.value("what", ""));
    const auto relations = claim.at("fluents").get<std::vector<std::string>>();
    Runner runner(game.machine());
    State state = game.machine().initial();
    for (const std::string given : claim.at("after")) state = moved(game, runner, state, given, "");
    std::map<State, Fraction> likely = {{state, {1, 1}}};
    for (int step = 0; step < claim.at("moves").get<int>(); ++step) {
        std::map<State, Fraction> next;
        for (const auto& [from, probability] : likely) {
            const auto moves = moves_of_chance(game, runner, from);
            for (const std::string& move : moves)
                next[moved(game, runner, from, "", move)].add(
                    {probability.above, probability.below * moves.size()});
        }
        likely = std::move(next);
    }
    std::map<std::string, Fraction> seen;
    for (const auto& [at, probability] : likely) seen[cut_down(game.facts(at), relations)].add(probability);
    std::map<std::string, std::uint64_t> found;
    for (const auto& [facts, probability] : seen) ++found[probability.text()];
    EXPECT_EQ(found, (claim.at("probabilities").get<std::map<std::string, std::uint64_t>>()));
}

TEST_P(Facts, Hold) {
    const json facts = json::parse(std::ifstream(beside(".facts.json")));
    const Game game(file());
    if (facts.contains("perft")) {
        const auto expected = facts["perft"].get<std::vector<std::uint64_t>>();
        const Perft found = perft(game.machine(), expected.size());
        ASSERT_EQ(found.levels.size(), expected.size() + 1);
        for (std::size_t depth = 1; depth <= expected.size(); ++depth)
            EXPECT_EQ(found.levels[depth].paths, expected[depth - 1]) << "depth " << depth;
    }
    for (const json& claim : facts.value("chance", json::array())) check_chance(game, claim);
}

std::vector<std::string> names_with_facts() {
    std::vector<std::string> all;
    for (const std::string& name : names()) {
        if (fs::exists(folder + "/" + name + ".facts.json")) all.push_back(name);
    }
    return all;
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
    std::string name = info.param;
    std::ranges::replace(name, '-', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Library, Games, testing::ValuesIn(names()), test_name);
INSTANTIATE_TEST_SUITE_P(Library, Facts, testing::ValuesIn(names_with_facts()), test_name);

}  // namespace
}  // namespace zermelo::gdl
