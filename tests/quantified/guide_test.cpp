// Guides: whatever they say the verdict stays; the bus keeps what it should and no more; random games give
// good advice.

#include "quantified/guide/guide.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <latch>

#include "core/random.hpp"
#include "quantified/guide/monte_carlo.hpp"
#include "quantified/guide/playouts.hpp"
#include "quantified/solve.hpp"
#include "support/oracle.hpp"
#include "support/random_model.hpp"
#include "support/random_strategic.hpp"
#include "support/shipped_model.hpp"
#include "support/strategic_oracle.hpp"

namespace zermelo {
namespace {

using Play = std::vector<strategy::Move>;

// ------------------------------------------------------------------------------------- all kinds of guides

class RandomGuide : public quantified::Guide {
public:
    explicit RandomGuide(std::uint64_t seed) : random_(seed) {}
    void advise(std::span<const strategy::Move>, model::VarId, std::vector<model::Value>& values) override {
        for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[random_.below(i)]);
    }

private:
    Random random_;
};

// Knows the truth and advises against it: what loses for whoever chooses comes first.
class WorstGuide : public quantified::Guide {
public:
    explicit WorstGuide(const model::Source& source) : source_(source) {}
    void advise(std::span<const strategy::Move> play, model::VarId variable,
                std::vector<model::Value>& values) override {
        if (static_cast<std::size_t>(variable) >= source_.variables.size()) return;
        const bool ours = owner(variable) == model::Quantifier::exists;
        std::stable_partition(values.begin(), values.end(), [&](model::Value value) {
            return won_after(play, {variable, value}) != ours;
        });
    }

private:
    [[nodiscard]] model::Quantifier owner(model::VarId variable) const {
        for (const auto& block : source_.blocks) {
            if (std::count(block.variables.begin(), block.variables.end(), variable) > 0)
                return block.quantifier;
        }
        return model::Quantifier::exists;
    }
    [[nodiscard]] bool won_after(std::span<const strategy::Move> play, const strategy::Move& move) const {
        model::Source rest = source_;
        for (const strategy::Move& made : play) {
            if (static_cast<std::size_t>(made.variable) < rest.variables.size())
                rest.variables[static_cast<std::size_t>(made.variable)].domain = model::Domain{made.value};
        }
        rest.variables[static_cast<std::size_t>(move.variable)].domain = model::Domain{move.value};
        return oracle::won(rest);
    }
    const model::Source& source_;
};

// Does to the values what it must not do.
class Meddler : public quantified::Guide {
public:
    void advise(std::span<const strategy::Move>, model::VarId, std::vector<model::Value>& values) override {
        values = {7, 3, 7, 99, 1};
    }
};

quantified::Verdict verdict_with(quantified::Guide& guide, const model::Model& model, unsigned threads = 1) {
    quantified::SolveOptions options;
    options.guide = &guide;
    options.threads = threads;
    return solve(model, options).verdict;
}

TEST(Guides, AMeddlerOnlyOrdersValues) {
    Meddler meddler;
    std::vector<model::Value> values{1, 2, 3, 4};
    consult(meddler, {}, 0, values);
    EXPECT_EQ(values, (std::vector<model::Value>{3, 1, 2, 4}));
}

TEST(Guides, NeverChangeAVerdict) {
    for (const Shape& shape : {Shape::plain(), Shape::with_rules()}) {
        for (const auto seed : seeds(150)) {
            const model::ModelBuilder game = random_model(seed, shape);
            const model::Model model = game.build();
            const quantified::Verdict truth =
                oracle::won(game.source()) ? quantified::Verdict::won : quantified::Verdict::lost;
            RandomGuide random(seed);
            WorstGuide worst(game.source());
            Meddler meddler;
            quantified::MonteCarloGuide few({.playouts_per_question = 3, .seed = seed});
            ASSERT_EQ(verdict_with(random, model), truth) << "seed " << seed;
            ASSERT_EQ(verdict_with(worst, model), truth) << "seed " << seed;
            ASSERT_EQ(verdict_with(meddler, model), truth) << "seed " << seed;
            ASSERT_EQ(verdict_with(few, model), truth) << "seed " << seed;
        }
    }
}

TEST(Guides, NeverChangeAVerdictOfStrategicModels) {
    for (const auto seed : seeds(200)) {
        const model::ModelBuilder game = random_strategic_model(seed);
        const model::Model model = game.build();
        const quantified::Verdict truth = quantified::solve(model).verdict;
        RandomGuide random(seed);
        quantified::MonteCarloGuide few({.playouts_per_question = 3, .seed = seed});
        ASSERT_EQ(verdict_with(random, model), truth) << "seed " << seed;
        ASSERT_EQ(verdict_with(few, model), truth) << "seed " << seed;
    }
}

TEST(Guides, BesideTheSearchNeverChangeAVerdict) {
    quantified::MonteCarloGuide guide({.threads = 2});  // one guide for many searches
    for (const auto seed : seeds(60)) {
        const model::ModelBuilder game = random_model(seed, Shape::with_rules());
        const quantified::Verdict truth =
            oracle::won(game.source()) ? quantified::Verdict::won : quantified::Verdict::lost;
        ASSERT_EQ(verdict_with(guide, game.build(), seed % 3 == 0 ? 2 : 1), truth) << "seed " << seed;
    }
}

TEST(Guides, HelpToFindTheBestGuaranteedValue) {
    for (const auto seed : seeds(40)) {
        Shape shape;
        shape.objective = true;
        const model::Model model = random_model(seed, shape).build();
        quantified::MonteCarloGuide guide({.playouts_per_question = 2});
        quantified::SolveOptions options;
        options.guide = &guide;
        EXPECT_EQ(maximise(model, options).best, quantified::maximise(model).best) << "seed " << seed;
    }
}

// --------------------------------------------------------------------------------------------------- the bus

TEST(Bus, NamesAPositionWhateverTheOrderOfItsMoves) {
    const Play play{{0, 1}, {1, 2}, {2, 1}};
    const Play turned{{2, 1}, {0, 1}, {1, 2}};
    const Play other{{0, 2}, {1, 1}, {2, 1}};
    EXPECT_EQ(quantified::position_after(play), quantified::position_after(turned));
    EXPECT_NE(quantified::position_after(play), quantified::position_after(other));
    EXPECT_NE(quantified::position_after(play), quantified::position_after(std::span(play).first(2)));
    EXPECT_EQ(quantified::position_after(quantified::position_after(std::span(play).first(2)), play[2]),
              quantified::position_after(play));
}

TEST(Bus, HasTheLatestPositionAndTheYoungestDecisions) {
    quantified::Bus bus({.decisions = 3});
    quantified::Bus::Bookmark bookmark;
    quantified::Bus::News news;
    EXPECT_FALSE(bus.read(bookmark, news));
    for (model::Value i = 0; i < 5; ++i) {
        const Play play{{0, i}};
        bus.post_position(play);
        bus.post_decision(play, i % 2 == 0);
    }
    ASSERT_TRUE(bus.read(bookmark, news));
    EXPECT_EQ(news.position, (Play{{0, 4}}));
    ASSERT_EQ(news.decisions.size(), 3U);
    for (model::Value i = 2; i < 5; ++i) {
        const auto& [position, won] = news.decisions[static_cast<std::size_t>(i - 2)];
        EXPECT_EQ(position, quantified::position_after(Play{{0, i}}));
        EXPECT_EQ(won, i % 2 == 0);
    }
    EXPECT_FALSE(bus.read(bookmark, news));
    EXPECT_EQ(news.position, (Play{{0, 4}}));
    bus.post_decision(Play{{0, 9}}, true);
    ASSERT_TRUE(bus.read(bookmark, news));
    EXPECT_EQ(news.decisions.size(), 1U);
    quantified::Bus::Bookmark late;  // another explorer reads for itself
    ASSERT_TRUE(bus.read(late, news));
    EXPECT_EQ(news.decisions.size(), 3U);
}

quantified::Advice advice_on(const Play& play, model::VarId variable,
                             std::vector<quantified::Advice::Estimate> estimates) {
    return {quantified::position_after(play), variable, std::move(estimates)};
}

TEST(Bus, KeepsTheYoungestOpinions) {
    quantified::Bus bus({.estimates = 4});
    for (model::Value i = 0; i < 3; ++i) bus.post({advice_on({{0, i}}, 1, {{1, 0.5}, {2, 0.7}})});
    EXPECT_FALSE(bus.advice(Play{{0, 0}}, 1));
    EXPECT_TRUE(bus.advice(Play{{0, 1}}, 1));
    EXPECT_TRUE(bus.advice(Play{{0, 2}}, 1));
    EXPECT_FALSE(bus.advice(Play{{0, 2}}, 3));  // nobody has spoken of this variable
    bus.post({advice_on({{0, 1}}, 1, {{1, 0.9}, {2, 0.1}})});
    EXPECT_EQ(bus.advice(Play{{0, 1}}, 1)->estimates.front().score, 0.9);
    EXPECT_TRUE(bus.advice(Play{{0, 2}}, 1));  // a second word about a position takes no room
}

TEST(Bus, OrdersByPromise) {
    std::vector<model::Value> values{1, 2, 3, 4, 5};
    reorder(values, advice_on({}, 0, {{1, 0.1}, {3, 0.9}, {4, std::nan("")}, {9, 5.0}, {5, 0.1}}));
    EXPECT_EQ(values, (std::vector<model::Value>{3, 2, 4, 1, 5}));
    reorder(values, advice_on({}, 0, {}));
    EXPECT_EQ(values, (std::vector<model::Value>{3, 2, 4, 1, 5}));
}

TEST(Bus, WakesWhoWaits) {
    quantified::Bus bus({});
    std::latch woken(2);
    std::jthread explorer([&](const std::stop_token& stop) {
        bus.wait({}, stop);
        woken.count_down();
        bus.wait({.positions = 1}, stop);  // nothing comes: it ends because it has to stop
        woken.count_down();
    });
    bus.post_position(Play{{0, 1}});
    while (!woken.try_wait()) {
        quantified::Bus::Bookmark bookmark;
        quantified::Bus::News news;
        if (bus.read(bookmark, news)) explorer.request_stop();
        std::this_thread::yield();
    }
    SUCCEED();
}

TEST(Bus, ServesManyAtOnce) {
    quantified::Bus bus({.decisions = 8, .estimates = 64});
    std::atomic<std::uint64_t> read = 0;
    {
        std::vector<std::jthread> explorers;
        for (int e = 0; e < 3; ++e) {
            explorers.emplace_back([&, e](const std::stop_token& stop) {
                quantified::Bus::Bookmark bookmark;
                quantified::Bus::News news;
                while (!stop.stop_requested()) {
                    bus.wait(bookmark, stop);
                    if (!bus.read(bookmark, news)) continue;
                    ++read;
                    bus.post({advice_on(news.position, 1, {{1, 0.1 * e}, {2, 0.5}})});
                }
            });
        }
        std::vector<std::jthread> searches;
        for (model::Value s = 0; s < 2; ++s) {
            searches.emplace_back([&, s] {
                for (model::Value i = 0; i < 2000; ++i) {
                    const Play play{{0, s}, {2, i % 50}};
                    bus.post_position(play);
                    const auto advice =
                        bus.advice(play, 1, std::chrono::microseconds(i % 100 == 0 ? 200 : 0));
                    EXPECT_TRUE(!advice || advice->position == quantified::position_after(play));
                    bus.post_decision(play, i % 2 == 0);
                }
            });
        }
        searches.clear();
        while (read == 0) std::this_thread::yield();
    }
    EXPECT_GT(read, 0U);
}

// ------------------------------------------------------------------------------------------------- explorers

// ∃ x ∀ y: 3 is the only winning choice.
model::ModelBuilder only_three() {
    model::ModelBuilder game;
    const model::IntExpr x = game.exists("x", 1, 9);
    const model::IntExpr y = game.forall("y", 1, 4);
    game.win(x == 3 || (x != 4 && x + y > 12));
    return game;
}

TEST(Explorers, OfAnyKindCanBeAttached) {
    std::latch spoken(1);
    const quantified::Explorer knows_it = [&](quantified::Bus& bus, const model::Model&,
                                              const model::Structure&, const std::stop_token&) {
        bus.post({advice_on({}, 0, {{3, 1.0}, {5, 0.0}})});
        spoken.count_down();
    };
    const quantified::Explorer throws = [](quantified::Bus&, const model::Model&, const model::Structure&,
                                           const std::stop_token&) {
        throw std::runtime_error("lost my way");
    };
    const model::Model model = only_three().build();
    quantified::BusGuide guide({knows_it, throws});
    guide.start(model);
    spoken.wait();
    std::vector<model::Value> values{1, 2, 3, 4, 5};
    guide.advise({}, 0, values);
    EXPECT_EQ(values, (std::vector<model::Value>{3, 1, 2, 4, 5}));
    guide.stop();
    EXPECT_EQ(verdict_with(guide, model), quantified::Verdict::won);
}

TEST(Explorers, AreWaitedForNoLongerThanPatienceAllows) {
    const quantified::Explorer silent = [](quantified::Bus&, const model::Model&, const model::Structure&,
                                           const std::stop_token& stop) {
        while (!stop.stop_requested()) std::this_thread::yield();
    };
    using namespace std::chrono_literals;
    const model::Model model = only_three().build();
    quantified::BusGuide guide({silent}, {.share = 0.0, .initial = 30ms, .per_question = 10ms});
    guide.start(model);
    const auto question = [&] {
        const auto before = std::chrono::steady_clock::now();
        std::vector<model::Value> values{1, 2, 3};
        guide.advise({}, 0, values);
        EXPECT_EQ(values, (std::vector<model::Value>{1, 2, 3}));
        return std::chrono::steady_clock::now() - before;
    };
    for (int i = 0; i < 3; ++i) question();
    // What it had is used up, so further questions cost next to nothing: a thousand less than one wait.
    std::chrono::nanoseconds shortest = 1s;
    for (int i = 0; i < 1000; ++i) shortest = std::min<std::chrono::nanoseconds>(shortest, question());
    EXPECT_LT(shortest, 1ms);
    guide.stop();
}

TEST(Explorers, AreSilentBeforeTheStartAndAfterTheEnd) {
    quantified::MonteCarloGuide beside;
    quantified::MonteCarloGuide waits({.playouts_per_question = 5});
    for (quantified::Guide* guide :
         {static_cast<quantified::Guide*>(&beside), static_cast<quantified::Guide*>(&waits)}) {
        std::vector<model::Value> values{2, 1};
        guide->now_at({});
        guide->learn({}, true);
        guide->advise({}, 0, values);
        EXPECT_EQ(values, (std::vector<model::Value>{2, 1}));
        guide->stop();
        const model::Model model = only_three().build();
        for (int i = 0; i < 20; ++i) {  // even a game that has just begun ends at once
            guide->start(model);
            guide->stop();
        }
    }
}

// -------------------------------------------------------------------------------------------------- playouts

TEST(Playouts, FindTheOnlyWinningChoice) {
    const model::Model model = only_three().build();
    quantified::MonteCarloGuide guide({.playouts_per_question = 500});
    guide.start(model);
    std::vector<model::Value> values{5, 4, 3, 2, 1};
    guide.advise({}, 0, values);
    EXPECT_EQ(values.front(), 3);
    std::vector<model::Value> replies{1, 2, 3, 4};
    guide.advise(Play{{0, 9}}, 1, replies);  // 9 + y > 12 holds for 4 only
    EXPECT_EQ(replies.back(), 4);
}

TEST(Playouts, BelieveWhatTheSearchHasDecided) {
    model::ModelBuilder game;
    const model::IntExpr x = game.exists("x", 1, 3);
    const model::IntExpr y = game.forall("y", 1, 100);
    game.win(x * y >= 2);  // no playout finds the refutation of 1 soon
    const model::Model model = game.build();
    quantified::MonteCarloGuide guide({.playouts_per_question = 1});
    guide.start(model);
    guide.learn(Play{{0, 1}}, false);
    guide.learn(Play{{0, 3}}, true);
    std::vector<model::Value> values{1, 2, 3};
    guide.advise({}, 0, values);
    EXPECT_EQ(values, (std::vector<model::Value>{3, 2, 1}));
}

TEST(Playouts, KeepToTheRulesAndKnowWhoIsStuck) {
    model::ModelBuilder game;
    const model::IntExpr x = game.exists("x", 1, 4);
    const model::IntExpr y = game.forall("y", 1, 4);
    game.rule(y > x);
    game.win(false);  // 4 leaves them without a move
    const model::Model model = game.build();
    const model::Structure structure = analyse(model);
    quantified::PlayoutBoard board(model, structure);
    ASSERT_TRUE(board.play({0, 3}));
    EXPECT_FALSE(board.play({1, 2}));
    ASSERT_TRUE(board.play({1, 4}));
    ASSERT_TRUE(board.end());
    EXPECT_FALSE(board.end()->won);
    quantified::Playouts playouts(model, structure, {});
    playouts.run({}, -1, 200);
    std::vector<model::Value> values{1, 2, 3, 4};
    reorder(values, playouts.advice({}, 0, 0));
    EXPECT_EQ(values.front(), 4);
    EXPECT_FALSE(playouts.run({}, -1, 1)) << "everything is known";
}

// What is certain after many playouts is the truth, for both players and after every first move.
void expect_certainties_are_true(const model::ModelBuilder& game, std::uint64_t seed, std::size_t& certain) {
    const model::Model model = game.build();
    const model::Structure structure = analyse(model);
    quantified::Playouts playouts(model, structure, {.seed = seed});
    playouts.run({}, -1, 400);
    const model::VarId first = structure.prefix.front().variables.front();
    const bool ours = structure.prefix.front().quantifier == model::Quantifier::exists;
    for (const auto& [value, worth] : playouts.advice({}, first, 0).estimates) {
        if (worth != 2 && worth != -1) continue;
        model::Source rest = game.source();
        rest.variables[static_cast<std::size_t>(first)].domain = model::Domain{value};
        ++certain;
        const bool won = model.strategic ? oracle::strategically_won(rest) : oracle::won(rest);
        ASSERT_EQ(won, (worth == 2) == ours) << "seed " << seed << ", " << value;
    }
}

TEST(Playouts, AreNeverWrongAboutWhatTheyCallCertain) {
    std::size_t certain = 0;
    const auto drawn = seeds(200);
    for (const Shape& shape : {Shape::plain(), Shape::with_rules()}) {
        for (const auto seed : drawn)
            ASSERT_NO_FATAL_FAILURE(expect_certainties_are_true(random_model(seed, shape), seed, certain));
    }
    EXPECT_GT(certain, drawn.size() * 2);
    certain = 0;
    const auto strategic = seeds(300);
    for (const auto seed : strategic)
        ASSERT_NO_FATAL_FAILURE(expect_certainties_are_true(random_strategic_model(seed), seed, certain));
    EXPECT_GT(certain, strategic.size() / 3);
}

TEST(Playouts, ForgetWhatIsOldWhenTheyHaveNoRoom) {
    const model::Model model = random_model(3).build();
    const model::Structure structure = analyse(model);
    quantified::Playouts playouts(model, structure, {.positions = 8});
    for (model::Value i = 0; i < 100; ++i) playouts.learn(quantified::position_after(Play{{0, i}}), true);
    EXPECT_EQ(playouts.remembered(), 8U);
}

// ------------------------------------------------------------------------------------------ what it brings

std::uint64_t nodes(const model::Model& model, quantified::Guide* guide) {
    quantified::SolveOptions options;
    options.values = quantified::ValueOrder::ascending;
    options.guide = guide;
    return solve(model, options).statistics.nodes;
}

TEST(MonteCarlo, NeedsATenthOfTheNodesWhereTheFirstValuesAreBad) {
    const model::Model model =
        shipped_model("quantified/connect-four-rules", {"columns=5", "rows=5", "aligned=3"});
    quantified::MonteCarloGuide guide({.playouts_per_question = 10});
    const std::uint64_t guided = nodes(model, &guide);
    EXPECT_LT(guided, nodes(model, nullptr) / 10);
    EXPECT_EQ(guided, nodes(model, &guide)) << "the same each time";
}

TEST(MonteCarlo, NeedsHalfOfTheNodesOfStrategicTicTacToe) {
    const model::Model model = shipped_model("strategic/tic-tac-toe-2");
    quantified::MonteCarloGuide guide({.playouts_per_question = 10});
    EXPECT_LT(nodes(model, &guide), nodes(model, nullptr) / 2);
}

}  // namespace
}  // namespace zermelo
