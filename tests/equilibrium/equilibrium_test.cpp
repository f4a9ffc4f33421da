// Equilibria of games with simultaneous and hidden moves: their values, their certificates, and what is no
// certificate.

#include <gtest/gtest.h>

#include <functional>
#include <sstream>

#include "equilibrium/backward_induction.hpp"
#include "equilibrium/check/best_response.hpp"
#include "equilibrium/file.hpp"
#include "equilibrium/sequence_form.hpp"
#include "equilibrium/solve.hpp"
#include "random_game.hpp"
#include "support/shipped.hpp"

namespace zermelo::equilibrium {
namespace {

Verification checked(const gdl::Game& game, const Equilibrium& equilibrium) {
    MachineRules rules(game);
    return verify(rules, equilibrium);
}

Verification checked_by_reasoner(const gdl::Game& game, const Equilibrium& equilibrium) {
    gdl::Reasoner reasoner(game.description());
    ReasonerRules rules(game.description(), reasoner);
    return verify(rules, equilibrium);
}

TEST(Equilibrium, OfRandomGamesHasTheValueOfAllPureStrategies) {
    int compared = 0;
    int mixed = 0;
    for (std::uint64_t seed = 1; seed <= 160; ++seed) {
        for (const bool hidden : {false, true}) {
            SCOPED_TRACE(fmt::format("seed {}, {}", seed, hidden ? "hidden" : "seen"));
            const std::string text = random_game_text(seed, hidden);
            const gdl::Game game(gdl::parse(text, "game.kif"));
            const auto expected = PureStrategies(game.description(), hidden).value(32);
            if (!expected) continue;
            ++compared;
            const Solution solution = solve(game);
            ASSERT_TRUE(solution.solved);
            ASSERT_TRUE(solution.equilibrium.exact());
            ASSERT_EQ(solution.equilibrium.lower, *expected) << text;
            const Verification machine = checked(game, solution.equilibrium);
            ASSERT_TRUE(machine.valid) << machine.fault->text();
            const Verification reasoner = checked_by_reasoner(game, solution.equilibrium);
            ASSERT_TRUE(reasoner.valid) << reasoner.fault->text();
            for (const BehaviourStrategy& strategy : solution.equilibrium.strategies) {
                for (const auto& [at, mixture] : strategy) mixed += mixture.size() > 1 ? 1 : 0;
            }
        }
    }
    EXPECT_GT(compared, 100);
    EXPECT_GT(mixed, 50);
}

// What long fractions are rounded to is still certified: the bounds hold, and they are close.
TEST(Equilibrium, OfRoundedProbabilitiesHasCertifiedBounds) {
    int rounded = 0;
    const auto expect_bounds = [&](const gdl::Game& game, const Equilibrium& found, const Rational& value) {
        EXPECT_LE(found.lower, value);
        EXPECT_GE(found.upper, value);
        EXPECT_LT(found.upper - found.lower, Rational(1, 10'000'000));
        const Verification verification = checked(game, found);
        EXPECT_TRUE(verification.valid) << verification.fault->text();
        rounded += found.exact() ? 0 : 1;
    };
    for (std::uint64_t seed = 1; seed <= 80; ++seed) {
        SCOPED_TRACE(fmt::format("seed {}", seed));
        const gdl::Game hidden(gdl::parse(random_game_text(seed, true), "game.kif"));
        expect_bounds(hidden, solve_by_sequence_form(hidden, {}, 0).equilibrium,
                      solve(hidden).equilibrium.lower);
        const gdl::Game seen(gdl::parse(random_game_text(seed, false), "game.kif"));
        expect_bounds(seen, solve_by_backward_induction(seen, {}, 0).equilibrium,
                      solve(seen).equilibrium.lower);
    }
    EXPECT_GT(rounded, 20);
    const gdl::Game leduc = shipped_game("leduc-poker");
    expect_bounds(leduc, solve_by_sequence_form(leduc, {}, 0).equilibrium, solve(leduc).equilibrium.lower);
    const gdl::Game goofspiel = shipped_game("goofspiel-4");
    expect_bounds(goofspiel, solve_by_backward_induction(goofspiel, {}, 0).equilibrium, 50);
}

// Against the other's strategy every move that is played is worth the value, and no move is worth more.
TEST(Equilibrium, PlaysOnlyMovesThatAreWorthTheValue) {
    for (const std::string name : {"matching-pennies", "rock-paper-scissors-once", "rock-paper-scissors"}) {
        const Solution solution = solve(shipped_game(name));
        ASSERT_EQ(solution.decisions.size(), 2U) << name;
        for (const Decision& decision : solution.decisions) {
            for (const MoveWorth& move : decision.moves) {
                ASSERT_LE(*move.value, 50) << name << ": " << move.move;
                if (move.probability == 0) continue;
                ASSERT_EQ(*move.value, 50) << name << ": " << move.move;
            }
        }
    }
}

TEST(Equilibrium, OfMatchingPenniesIsHalfAndHalf) {
    const Solution solution = solve(shipped_game("matching-pennies"));
    const Mixture half{{"heads", Rational(1, 2)}, {"tails", Rational(1, 2)}};
    for (const BehaviourStrategy& strategy : solution.equilibrium.strategies) {
        ASSERT_EQ(strategy.size(), 1U);
        EXPECT_EQ(strategy.begin()->second, half);
    }
}

// 25 goals are one chip: 50 - 25/18.
TEST(Equilibrium, OfKuhnPokerCostsTheFirstPlayerAnEighteenth) {
    const gdl::Game game = shipped_game("kuhn-poker");
    const Solution solution = solve(game);
    EXPECT_EQ(solution.method, Method::sequence_form);
    EXPECT_EQ(solution.equilibrium.lower, 50 - Rational(25, 18));
    EXPECT_EQ(solution.equilibrium.upper, 50 - Rational(25, 18));
    EXPECT_EQ(solution.information_sets, 12U);
    EXPECT_EQ(solution.decisions.size(), 3U);
    EXPECT_TRUE(checked_by_reasoner(game, solution.equilibrium).valid);
}

// 3 goals are one chip. The value in chips as OpenSpiel's documentation and Lanctot and others (2019) have it.
TEST(Equilibrium, OfLeducHoldemIsThePublishedValue) {
    const gdl::Game game = shipped_game("leduc-poker");
    const Solution solution = solve(game);
    ASSERT_TRUE(solution.solved);
    EXPECT_EQ(solution.information_sets, 288U);
    const Equilibrium& found = solution.equilibrium;
    EXPECT_LT(found.upper - found.lower, Rational(1, 10'000'000));
    EXPECT_NEAR((static_cast<double>(found.lower) - 50) / 3, -0.085606424078, 1e-9);
    const Verification verification = checked(game, found);
    EXPECT_TRUE(verification.valid) << verification.fault->text();
}

// The cards left, the prizes left, and the lead of the first player, written without GDL.
class Goofspiel {
public:
    using Cards = unsigned;  // bit i: card i

    // Before a prize is turned up.
    Rational value(Cards first, Cards second, Cards prizes, int lead) {
        if (prizes == 0) return lead > 0 ? 100 : lead < 0 ? 0 : 50;
        const auto [entry, fresh] = known_.try_emplace({first, second, prizes, lead});
        if (!fresh) return entry->second;
        Rational sum = 0;
        int count = 0;
        for (int prize = 1; prize <= most; ++prize) {
            if ((prizes >> prize & 1) == 0) continue;
            sum += bidding(first, second, prizes & ~(1U << prize), lead, prize);
            ++count;
        }
        return known_[{first, second, prizes, lead}] = sum / count;
    }

    Rational bidding(Cards first, Cards second, Cards prizes, int lead, int prize) {
        std::vector<Rationals> payoffs;
        for (int own = 1; own <= most; ++own) {
            if ((first >> own & 1) == 0) continue;
            payoffs.emplace_back();
            for (int other = 1; other <= most; ++other) {
                if ((second >> other & 1) == 0) continue;
                payoffs.back().push_back(after(first, second, prizes, lead, prize, own, other));
            }
        }
        return oracle_value(payoffs);
    }

    Rational after(Cards first, Cards second, Cards prizes, int lead, int prize, int own, int other) {
        const int won = own > other ? prize : own < other ? -prize : 0;
        return value(first & ~(1U << own), second & ~(1U << other), prizes, lead + won);
    }

private:
    static constexpr int most = 5;
    std::map<std::tuple<Cards, Cards, Cards, int>, Rational> known_;
};

// The number in (bid 3) or (turn 3).
int card_of(const gdl::Game& game, std::size_t role, gdl::MoveId move) {
    const std::string text = game.move_text(role, move);
    return text.size() < 2 ? 0 : text[text.size() - 2] - '0';
}

TEST(Equilibrium, OfGoofspielIsThatOfAProgramForIt) {
    for (const int cards : {3, 4}) {
        const gdl::Game game = shipped_game(fmt::format("goofspiel-{}", cards));
        gdl::Runner runner(game.machine());
        Goofspiel program;
        const Goofspiel::Cards all = (2U << cards) - 2;
        std::array<std::vector<gdl::MoveId>, 3> legal;
        const auto look = [&](const gdl::State& state) {
            runner.load(state);
            for (std::size_t r = 0; r < 3; ++r) runner.legal(r, legal[r]);
        };
        look(game.machine().initial());
        const auto begins = legal;
        for (const gdl::MoveId turned : begins[2]) {
            SolveOptions options;
            options.certificate = false;
            options.line = {{begins[0][0], begins[1][0], turned}};
            const int prize = card_of(game, 2, turned);
            const Goofspiel::Cards rest = all & ~(1U << prize);
            EXPECT_EQ(solve(game, options).equilibrium.lower, program.bidding(all, all, rest, 0, prize));
            runner.load(game.machine().initial());
            runner.play(options.line[0]);
            gdl::State state;
            runner.next(state);
            look(state);
            const auto bids = legal;
            for (const gdl::MoveId own : bids[0]) {
                for (const gdl::MoveId other : bids[1]) {
                    if (own < other) continue;  // the others are their mirror images
                    options.line.resize(1);
                    options.line.push_back({own, other, bids[2][0]});
                    const int first = card_of(game, 0, own);
                    const int second = card_of(game, 1, other);
                    EXPECT_EQ(solve(game, options).equilibrium.lower,
                              program.after(all, all, rest, 0, prize, first, second))
                        << cards << " cards, prize " << prize << ", bids " << first << " and " << second;
                }
            }
        }
    }
}

TEST(Equilibrium, OfGoofspielIsCertified) {
    for (const int cards : {3, 4, 5}) {
        const gdl::Game game = shipped_game(fmt::format("goofspiel-{}", cards));
        const Solution solution = solve(game);
        EXPECT_EQ(solution.method, Method::backward_induction);
        EXPECT_EQ(solution.equilibrium.lower, 50);
        EXPECT_EQ(solution.equilibrium.upper, 50);
        const Verification verification = checked(game, solution.equilibrium);
        EXPECT_TRUE(verification.valid) << verification.fault->text();
    }
}

TEST(Equilibrium, IsReadAsItWasWritten) {
    for (const std::string name : {"matching-pennies", "kuhn-poker", "goofspiel-3"}) {
        const gdl::Game game = shipped_game(name);
        const Equilibrium made = solve(game).equilibrium;
        std::ostringstream file;
        write_json(file, made, name, {1, 2});
        const Equilibrium read = read_json(file.str(), name, {1, 2});
        EXPECT_EQ(fingerprint(read), fingerprint(made)) << name;
        EXPECT_TRUE(checked(game, read).valid) << name;
        EXPECT_THROW((void)read_json(file.str(), name, {1, 3}), Error);
    }
}

// A tenth of a probability is moved to another legal move of the set, or to its only other mixture.
void disturb(Mixture& mixture, const std::vector<std::string>& moves) {
    const Rational part = mixture.front().probability / 10;
    mixture.front().probability -= part;
    for (Chosen& one : mixture) {
        if (&one == &mixture.front()) continue;
        one.probability += part;
        return;
    }
    for (const std::string& move : moves) {
        if (move == mixture.front().move) continue;
        mixture.push_back({move, part});
        return;
    }
}

TEST(Equilibrium, IsRejectedWhereAnythingInItIsChanged) {
    const gdl::Game game = shipped_game("kuhn-poker");
    const Equilibrium good = solve(game).equilibrium;
    ASSERT_TRUE(checked(game, good).valid);
    const auto refused = [&](const std::function<void(Equilibrium&)>& change) {
        Equilibrium bad = good;
        change(bad);
        const bool machine = checked(game, bad).valid;
        EXPECT_EQ(machine, checked_by_reasoner(game, bad).valid);
        return !machine;
    };
    EXPECT_TRUE(refused([](Equilibrium& e) { e.lower += Rational(1, 1'000'000); }));
    EXPECT_TRUE(refused([](Equilibrium& e) { e.lower -= Rational(1, 1'000'000); }));
    EXPECT_TRUE(refused([](Equilibrium& e) { e.upper -= Rational(1, 1'000'000); }));
    EXPECT_TRUE(refused([](Equilibrium& e) { e.upper += 1; }));
    EXPECT_TRUE(refused([](Equilibrium& e) { e.by = Equilibrium::By::states; }));
    EXPECT_TRUE(refused([](Equilibrium& e) { std::swap(e.roles[0], e.roles[1]); }));
    EXPECT_TRUE(refused([](Equilibrium& e) { std::swap(e.strategies[0], e.strategies[1]); }));
    const std::vector<std::string> moves{"bet", "call", "check", "fold"};
    for (std::size_t p = 0; p < 2; ++p) {
        for (const auto& [at, mixture] : good.strategies[p]) {
            SCOPED_TRACE(good.roles[p] + " at " + at);
            const auto entry = [&, p, at = at](Equilibrium& e) -> Mixture& { return e.strategies[p].at(at); };
            EXPECT_TRUE(refused([&](Equilibrium& e) { e.strategies[p].erase(at); }));
            EXPECT_TRUE(refused([&](Equilibrium& e) { e.strategies[p]["wait [(card ace)]"] = entry(e); }));
            EXPECT_TRUE(refused([&](Equilibrium& e) { entry(e).front().move = "raise"; }));
            EXPECT_TRUE(refused([&](Equilibrium& e) { entry(e).front().probability /= 2; }));
            EXPECT_TRUE(refused([&](Equilibrium& e) {
                const bool betting = entry(e).front().move == "bet" || entry(e).front().move == "check";
                disturb(entry(e), betting ? std::vector<std::string>{"bet", "check"}
                                          : std::vector<std::string>{"call", "fold"});
            }));
        }
    }
}

// Where an equilibrium has this entry: what is no strategy of the game any more.
std::vector<std::function<void(Equilibrium&)>> broken(std::size_t player, const std::string& at) {
    const auto entry = [=](Equilibrium& e) -> Mixture& { return e.strategies[player].at(at); };
    return {[=](Equilibrium& e) { e.strategies[player].erase(at); },
            [=](Equilibrium& e) { e.strategies[player][at + " "] = entry(e); },
            [=](Equilibrium& e) { entry(e).front().move = "(bid 9)"; },
            [=](Equilibrium& e) {
                entry(e).push_back({"(bid 9)", Rational(0)});
            },
            [=](Equilibrium& e) { entry(e).front().probability /= 2; },
            [=](Equilibrium& e) { entry(e).front().probability += Rational(1, 1'000'000'000); }};
}

TEST(Equilibrium, IsRejectedWhereAnyEntryOfGoofspielIsBroken) {
    const gdl::Game game = shipped_game("goofspiel-3");
    const Equilibrium good = solve(game).equilibrium;
    std::size_t entries = 0;
    for (std::size_t p = 0; p < good.strategies.size(); ++p) {
        for (const auto& [at, mixture] : good.strategies[p]) {
            SCOPED_TRACE(good.roles[p] + " at " + at);
            ++entries;
            for (const auto& change : broken(p, at)) {
                Equilibrium bad = good;
                change(bad);
                EXPECT_FALSE(checked(game, bad).valid);
                EXPECT_FALSE(checked_by_reasoner(game, bad).valid);
            }
        }
    }
    EXPECT_GT(entries, 20U);
    for (const Rational& by : {Rational(1, 1'000'000), Rational(-1, 1'000'000)}) {
        Equilibrium bad = good;
        bad.lower += by;
        EXPECT_FALSE(checked(game, bad).valid);
        bad = good;
        bad.upper += by;
        EXPECT_FALSE(checked(game, bad).valid);
    }
}

TEST(Equilibrium, IsRejectedWhereAnEntryOfLeducIsBroken) {
    const gdl::Game game = shipped_game("leduc-poker");
    const Equilibrium good = solve(game).equilibrium;
    Random random(11);
    for (int i = 0; i < 6; ++i) {
        const std::size_t p = random.below(good.strategies.size());
        const auto at = std::next(good.strategies[p].begin(),
                                  static_cast<std::ptrdiff_t>(random.below(good.strategies[p].size())));
        SCOPED_TRACE(good.roles[p] + " at " + at->first);
        for (const auto& change : broken(p, at->first)) {
            Equilibrium bad = good;
            change(bad);
            EXPECT_FALSE(checked(game, bad).valid);
        }
    }
    // Someone who plays otherwise gets less, or is punished: the certified bounds are too narrow then.
    Equilibrium bad = good;
    std::swap(bad.strategies[0], bad.strategies[1]);
    EXPECT_FALSE(checked(game, bad).valid);
    for (std::size_t p = 0; p < good.strategies.size(); ++p) {
        bad = good;
        for (auto& [at, mixture] : bad.strategies[p]) {
            if (mixture.size() > 1) std::swap(mixture.front().probability, mixture.back().probability);
        }
        EXPECT_FALSE(checked(game, bad).valid);
    }
}

TEST(Equilibrium, OfAFileThatIsNoneIsRefusedWithItsPlace) {
    const std::string good = [&] {
        std::ostringstream out;
        write_json(out, solve(shipped_game("matching-pennies")).equilibrium, "matching-pennies", {});
        return out.str();
    }();
    const auto changed = [&](const std::string& from, const std::string& to) {
        std::string text = good;
        const auto at = text.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        text.replace(at, from.size(), to);
        return text;
    };
    const std::string half = R"("heads": "1/2")";
    for (const auto& [from, to, said] : std::vector<std::tuple<std::string, std::string, std::string>>{
             {half, R"("heads": "1/3")", "add up to 5/6"},
             {half, R"("heads": "-1/2")", "not positive"},
             {half, R"("heads": "one half")", "no fraction"},
             {half, R"("heads": 0.5)", "/strategies/0/choices/0/moves/heads"},
             {R"("by": "states")", R"("by": "guesses")", "neither states nor views"},
             {R"("lower": "50")", R"("lower": "51")", "above the upper"},
             {R"("version": 1)", R"("version": 2)", "version 1 can be read"},
             {R"("kind")", R"("kinds")", "kinds"},
             {"{\n", "{\n,", "2:1"}}) {
        try {
            (void)read_json(changed(from, to), "mine.json", {});
            FAIL() << "accepted: " << to;
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find(said), std::string::npos) << error.what();
        }
    }
}

// ------------------------------------------------------------------------------------------ what is refused

gdl::Game game_of(const std::string& text) { return gdl::Game(gdl::parse(text, "game.kif")); }

TEST(Equilibrium, NeedsTwoPlayersWithOppositeInterestsAndAnEnd) {
    const std::string both =
        "(role p) (role q) (init s) (<= (legal ?r a) (role ?r)) (<= (legal ?r b) (role ?r))\n";
    const auto message = [](const std::string& text) -> std::string {
        try {
            (void)solve(game_of(text));
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_NE(
        message("(role p) (init s) (legal p a) (legal p b) (<= (next t) (does p a)) (<= terminal (true t))"
                "(<= (goal p 100) (true t))")
            .find("for two players, but this game has 1"),
        std::string::npos);
    EXPECT_NE(message(both + "(next t) (<= terminal (true t)) (<= (next u) (does p a)) (goal q 50)"
                             "(<= (goal p 100) (true u)) (<= (goal p 0) (not (true u)))")
                  .find("opposite interests"),
              std::string::npos);
    EXPECT_NE(message(both + "(<= (next s) (true s)) (<= terminal (true t)) (goal p 50) (goal q 50)"
                             "(<= (next t) (does p a) (does q b))")
                  .find("go on for ever"),
              std::string::npos);
}

TEST(Equilibrium, ARoleMustKnowItsMoves) {
    const std::string text =
        "(role p) (role q) (role random) (init (step 0)) (succ 0 1) (succ 1 2)\n"
        "(<= (legal p wait) (true (step 0))) (legal q wait)\n"
        "(<= (legal random heads) (true (step 0))) (<= (legal random tails) (true (step 0)))\n"
        "(<= (legal random wait) (true (step 1)))\n"
        "(<= (legal p a) (true (step 1))) (<= (legal p b) (true (step 1)))\n"
        "(<= (legal p c) (true (step 1)) (true heads))\n"
        "(<= (next heads) (does random heads)) (<= (next (step ?u)) (true (step ?t)) (succ ?t ?u))\n"
        "(<= (sees q (saw ?m)) (does random ?m))\n"
        "(<= terminal (true (step 2))) (goal p 50) (goal q 50) (goal random 0)\n";
    try {
        (void)solve(game_of(text));
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("p does not know its legal moves"), std::string::npos)
            << error.what();
    }
}

TEST(Equilibrium, StopsAtALimit) {
    SolveOptions options;
    options.limits = Limits(0.0, std::nullopt);
    for (const std::string name : {"goofspiel-5", "leduc-poker"}) {
        const Solution solution = solve(shipped_game(name), options);
        EXPECT_FALSE(solution.solved);
        EXPECT_EQ(solution.stop, Stop::time);
    }
    const gdl::Game game = shipped_game("kuhn-poker");
    MachineRules rules(game);
    EXPECT_EQ(verify(rules, solve(game).equilibrium, Limits(0.0, std::nullopt)).stop, Stop::time);
}

TEST(Equilibrium, IsCalledForWhereMovesAreSimultaneousOrHidden) {
    for (const std::string name :
         {"matching-pennies", "kuhn-poker", "goofspiel-4", "connect-four-simultaneous"})
        EXPECT_TRUE(calls_for_equilibrium(shipped_game(name))) << name;
    for (const std::string name : {"tic-tac-toe", "dice-race", "monty-hall", "nim"})
        EXPECT_FALSE(calls_for_equilibrium(shipped_game(name))) << name;
}

}  // namespace
}  // namespace zermelo::equilibrium
