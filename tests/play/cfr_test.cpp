// The average strategies come close to the equilibria that are known. What they are worth, and what the best
// answer to them gets, is found here by walking through the whole game.

#include "play/information/cfr.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "gdl/syntax/parse.hpp"

namespace zermelo::play {
namespace {

gdl::Game load(const std::string& name) {
    return gdl::Game(ZERMELO_SOURCE_DIR "/games/gdl/" + name + ".kif");
}

// A game and what plays from its beginning have taught.
struct Taught {
    gdl::Game game;
    GameContext rules{game};
    Cfr cfr;
    Position start = InfoState(rules).initial();

    Taught(const std::string& name, std::uint64_t plays, std::uint64_t seed = 7, unsigned threads = 1)
        : game(load(name)), cfr(rules, {}, std::size_t{64} << 20, seed) {
        EXPECT_EQ(cfr.iterate(
                      plays, [this](Random&) -> const Position& { return start; }, {}, threads),
                  plays);
    }

    [[nodiscard]] std::size_t role(const std::string& name) const {
        for (std::size_t r = 0; r < rules.roles(); ++r) {
            if (rules.role_name(r) == name) return r;
        }
        ADD_FAILURE() << name;
        return 0;
    }
};

// A position with how likely it is.
struct Likely {
    Position position;
    double odds;
};

// All ways to go on from a position in which every role but `free` follows its average strategy and chance
// its dice; the free role, if any, makes `own`.
std::vector<Likely> next(const Taught& taught, InfoState& info, const Likely& from,
                         std::optional<std::size_t> free, MoveId own) {
    const GameContext& rules = taught.rules;
    std::vector<std::pair<JointMove, double>> joints{{JointMove(rules.roles()), from.odds}};
    info.load(from.position.state);
    for (std::size_t r = 0; r < rules.roles(); ++r) {
        const auto legal = info.legal(r);
        std::vector<double> odds(legal.size(), 1.0 / static_cast<double>(legal.size()));
        if (!rules.chance(r) && legal.size() > 1)
            odds = taught.cfr.average(r, info.view(from.position, r), legal);
        std::vector<std::pair<JointMove, double>> longer;
        for (const auto& [joint, so_far] : joints) {
            for (std::size_t m = 0; m < legal.size(); ++m) {
                if (r == free && legal[m] != own) continue;
                longer.emplace_back(joint, r == free ? so_far : so_far * odds[m]);
                longer.back().first[r] = legal[m];
            }
        }
        joints = std::move(longer);
    }
    std::vector<Likely> after;
    for (const auto& [joint, odds] : joints) {
        if (odds <= 0) continue;
        info.load(from.position.state);
        after.push_back({from.position, odds});
        info.play(joint, after.back().position);
    }
    return after;
}

double expected_goal(const Taught& taught, InfoState& info, const Likely& from, std::size_t role) {
    info.load(from.position.state);
    if (info.terminal()) return from.odds * info.goal(role);
    double sum = 0;
    for (const Likely& each : next(taught, info, from, std::nullopt, 0))
        sum += expected_goal(taught, info, each, role);
    return sum;
}

// What the role gets who knows the others' strategies, from positions that it cannot tell apart.
double best_answer(const Taught& taught, InfoState& info, const std::vector<Likely>& alike,
                   std::size_t role) {
    double over = 0;
    std::vector<Likely> open;
    for (const Likely& each : alike) {
        info.load(each.position.state);
        if (info.terminal())
            over += each.odds * info.goal(role);
        else
            open.push_back(each);
    }
    if (open.empty()) return over;
    info.load(open.front().position.state);
    const auto legal = info.legal(role);
    double best = 0;
    for (const MoveId own : legal) {
        std::map<View, std::vector<Likely>> by_view;
        for (const Likely& each : open) {
            for (Likely& after : next(taught, info, each, role, own))
                by_view[info.view(after.position, role)].push_back(std::move(after));
        }
        double sum = 0;
        for (const auto& [view, positions] : by_view) sum += best_answer(taught, info, positions, role);
        best = std::max(best, sum);
    }
    return over + best;
}

double value(const Taught& taught, std::size_t role) {
    InfoState info(taught.rules);
    return expected_goal(taught, info, {taught.start, 1}, role);
}

// What the role gets by the best answer to the other's strategy.
double answer(const Taught& taught, std::size_t role) {
    InfoState info(taught.rules);
    return best_answer(taught, info, {{taught.start, 1}}, role);
}

std::vector<double> first_move(const Taught& taught, std::size_t role) {
    InfoState info(taught.rules);
    info.load(taught.start.state);
    return taught.cfr.average(role, info.view(taught.start, role), info.legal(role));
}

void expect_equal_odds(const std::vector<double>& odds, std::size_t moves) {
    ASSERT_EQ(odds.size(), moves);
    for (const double each : odds) EXPECT_NEAR(each, 1.0 / static_cast<double>(moves), 0.02);
}

TEST(Cfr, ShowsBothSidesOfACoinEquallyOften) {
    const Taught taught("matching-pennies", 200'000);
    for (const std::size_t role : taught.rules.seats()) expect_equal_odds(first_move(taught, role), 2);
}

TEST(Cfr, ShowsEverySignEquallyOften) {
    const Taught taught("rock-paper-scissors-once", 200'000);
    for (const std::size_t role : taught.rules.seats()) expect_equal_odds(first_move(taught, role), 3);
}

TEST(Cfr, ShowsEverySignEquallyOftenInARowOfRounds) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const Taught taught("rock-paper-scissors", 400'000, seed);
        for (const std::size_t role : taught.rules.seats()) {
            expect_equal_odds(first_move(taught, role), 3);
            EXPECT_NEAR(value(taught, role), 50, 0.5);
            EXPECT_LT(answer(taught, role), 51.2);
        }
    }
}

TEST(Cfr, FindsTheValueOfKuhnPoker) {
    const Taught taught("kuhn-poker", 1'000'000);
    constexpr double chip = 25;  // in goals
    const std::size_t first = taught.role("first");
    const std::size_t second = taught.role("second");
    EXPECT_EQ(taught.cfr.size(), 12U);
    EXPECT_NEAR((value(taught, first) - 50) / chip, -1.0 / 18, 0.01);
    const double exploitability = (answer(taught, first) + answer(taught, second) - 100) / (2 * chip);
    EXPECT_GE(exploitability, 0);
    EXPECT_LT(exploitability, 0.02);
}

TEST(Cfr, LearnsOnSeveralThreadsToo) {
    const Taught taught("kuhn-poker", 400'000, 7, 3);
    const double exploitability =
        answer(taught, taught.role("first")) + answer(taught, taught.role("second")) - 100;
    EXPECT_LT(exploitability / 50, 0.04);
}

TEST(Cfr, SeedDecidesEverythingOnOneThread) {
    const Taught one("kuhn-poker", 2000);
    const Taught two("kuhn-poker", 2000);
    const std::size_t first = one.role("first");
    EXPECT_EQ(value(one, first), value(two, first));
    EXPECT_EQ(first_move(one, first), first_move(two, first));
}

TEST(Cfr, TeachesThreeRolesAtOnce) {
    // Everybody does better with high, and still better if the next one took low.
    const gdl::Game game(gdl::parse(R"(
        (role ann) (role ben) (role cat)
        (next_one ann ben) (next_one ben cat) (next_one cat ann)
        (<= (base (took ?who ?what)) (input ?who ?what))
        (base over)
        (<= (input ?who low) (role ?who)) (<= (input ?who high) (role ?who))
        (<= (legal ?who low) (role ?who)) (<= (legal ?who high) (role ?who))
        (<= (next (took ?who ?what)) (does ?who ?what))
        (next over)
        (<= terminal (true over))
        (<= (goal ?who 100) (true (took ?who high)) (next_one ?who ?other) (true (took ?other low)))
        (<= (goal ?who 60) (true (took ?who high)) (next_one ?who ?other) (true (took ?other high)))
        (<= (goal ?who 30) (true (took ?who low))))",
                                    "three"));
    const GameContext rules(game);
    Cfr cfr(rules, {}, std::size_t{1} << 20, 1);
    InfoState info(rules);
    const Position start = info.initial();
    cfr.iterate(30'000, [&](Random&) -> const Position& { return start; });
    info.load(start.state);
    for (std::size_t role = 0; role < 3; ++role) {
        const auto& legal = info.legal(role);
        const auto odds = cfr.average(role, info.view(start, role), legal);
        for (std::size_t m = 0; m < legal.size(); ++m) {
            EXPECT_NEAR(odds[m], game.move_text(role, legal[m]) == "high" ? 1 : 0, 0.02);
        }
    }
}

TEST(Cfr, StaysWithinItsMemoryAndForgetsWhatIsOld) {
    const gdl::Game game = load("rock-paper-scissors");
    const GameContext rules(game);
    Cfr cfr(rules, {}, 2000, 1);
    InfoState info(rules);
    const Position start = info.initial();
    cfr.iterate(1000, [&](Random&) -> const Position& { return start; });
    const std::size_t room = cfr.size();
    EXPECT_GE(room, 2U);
    EXPECT_LT(room, 10U);

    Position later = start;
    info.load(later.state);
    info.play({info.legal(0)[0], info.legal(1)[1]}, later);
    info.load(later.state);
    info.play({info.legal(0)[0], info.legal(1)[1]}, later);
    const auto from_later = [&](Random&) -> const Position& { return later; };
    const auto visits = [&] {
        info.load(later.state);
        return cfr.records(0, info.view(later, 0), info.legal(0))[0].visits;
    };
    cfr.next_move();  // all were met just now, so nothing goes
    EXPECT_EQ(cfr.size(), room);
    cfr.iterate(100, from_later);
    EXPECT_EQ(visits(), 0U);
    cfr.next_move();
    EXPECT_LT(cfr.size(), room);
    cfr.iterate(100, from_later);
    EXPECT_GT(visits(), 0U);
    EXPECT_LE(cfr.size(), room);
}

// What the second player of Kuhn poker does with a card after a bet.
std::string answer_to_bet(const GameContext& rules, const std::string& card) {
    const gdl::Game& game = rules.game();
    const std::size_t second = rules.seats()[1];
    Settings settings;
    settings.role = second;
    CfrPlayer player(rules, settings);
    InfoState info(rules);
    Position position = info.initial();
    // The first moves of the list that fit: a deal with this card, then a bet.
    for (int step = 0; step < 2; ++step) {
        info.load(position.state);
        JointMove joint(rules.roles());
        for (std::size_t r = 0; r < rules.roles(); ++r) {
            for (const MoveId move : info.legal(r)) {
                const std::string text = game.move_text(r, move);
                if (info.legal(r).size() == 1 || text == "bet" || text.ends_with(card + ")")) joint[r] = move;
            }
        }
        (void)player.choose({.deadline = {}, .playouts = 5000});
        info.play(joint, position);
        player.see({{}, joint[second], info.percepts(second)});
    }
    const std::string answer = game.move_text(second, player.choose({.deadline = {}, .playouts = 5000}));
    EXPECT_EQ(player.thought().playouts, 5000U);
    EXPECT_EQ(player.thought().estimates.size(), 2U);
    EXPECT_EQ(game.move_text(second, player.thought().estimates.front().move), answer);
    EXPECT_EQ(player.thought().remark, "12 information sets");
    return answer;
}

TEST(CfrPlayer, FoldsTheWorstCardAndCallsWithTheBest) {
    const gdl::Game game = load("kuhn-poker");
    const GameContext rules(game);
    EXPECT_EQ(answer_to_bet(rules, "jack"), "fold");
    EXPECT_EQ(answer_to_bet(rules, "king"), "call");
}

}  // namespace
}  // namespace zermelo::play
