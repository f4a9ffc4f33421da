// Searches that all processes do together: the same verdicts as one, and certificates that stand.

#include "cluster/search/distributed_search.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <set>
#include <thread>

#include "cluster/processes.hpp"
#include "core/random.hpp"
#include "game/solve-inl.hpp"
#include "game/strategy/verify.hpp"
#include "quantified/solve.hpp"
#include "strategy/check/verify.hpp"
#include "support/nim.hpp"
#include "support/oracle.hpp"
#include "support/random_model.hpp"
#include "support/random_strategic.hpp"
#include "support/search_options.hpp"
#include "support/strategic_oracle.hpp"

namespace zermelo::cluster {
namespace {

// Jobs that are cut at once, so that everything is split; that are cut in the middle; and that are not.
ClusterSearchOptions jobs_number(std::uint64_t k) {
    ClusterSearchOptions options;
    options.first_job_seconds = k % 3 == 0 ? 0 : k % 3 == 1 ? 2e-4 : 1;
    options.part_of_time = 0;
    options.seconds_between_news = k % 2 == 0 ? 0 : 1e-3;
    return options;
}

void expect_right_and_certified(const model::ModelBuilder& builder, bool won, std::uint64_t seed) {
    const model::Model model = builder.build();
    ClusterSearch partners(processes(), jobs_number(seed));
    quantified::SolveOptions options = options_number(seed);
    options.partners = &partners;
    const quantified::Answer answer = quantified::solve(model, options);
    ASSERT_EQ(answer.verdict, won ? quantified::Verdict::won : quantified::Verdict::lost) << "seed " << seed;
    if (!processes().first()) return;
    const strategy::Verification check = verify(model, answer.strategy);
    ASSERT_TRUE(check.valid) << "seed " << seed << ": "
                             << (check.counterexample ? check.counterexample->text(model) : "");
}

TEST(DistributedSearch, SolveRandomModelsRightAndCertified) {
    for (const auto seed : seeds(150)) {
        const Shape shape = seed % 3 == 0   ? Shape::plain()
                            : seed % 3 == 1 ? Shape::with_rules()
                                            : Shape::with_cuts();
        const model::ModelBuilder builder = random_model(seed, shape);
        ASSERT_NO_FATAL_FAILURE(expect_right_and_certified(builder, oracle::won(builder.source()), seed));
    }
}

TEST(DistributedSearch, SolveRandomStrategicModelsRightAndCertified) {
    for (const auto seed : seeds(60)) {
        const model::ModelBuilder builder = random_strategic_model(seed);
        ASSERT_NO_FATAL_FAILURE(
            expect_right_and_certified(builder, oracle::strategically_won(builder.source()), seed));
    }
}

TEST(DistributedSearch, FindTheSameFirstMovesAndTheSameBestValueAsOneProcess) {
    for (const auto seed : seeds(60)) {
        Shape shape = seed % 2 == 0 ? Shape::plain() : Shape::with_rules();
        shape.objective = seed % 4 < 2;
        const model::Model model = random_model(seed, shape).build();
        ClusterSearch partners(processes(), jobs_number(seed));
        quantified::SolveOptions options = options_number(seed);
        options.all_first_moves = model.prefix.front().quantifier == model::Quantifier::exists;
        const quantified::Answer one =
            model.objective ? quantified::maximise(model, options) : quantified::solve(model, options);
        options.partners = &partners;
        const quantified::Answer many =
            model.objective ? quantified::maximise(model, options) : quantified::solve(model, options);
        ASSERT_EQ(many.verdict, one.verdict) << "seed " << seed;
        ASSERT_EQ(many.best, one.best) << "seed " << seed;
        if (!processes().first()) continue;
        using Moves = std::set<std::vector<model::Value>>;
        ASSERT_EQ(Moves(many.first_moves.begin(), many.first_moves.end()),
                  Moves(one.first_moves.begin(), one.first_moves.end()))
            << "seed " << seed;
    }
}

// What others tell is used, and does not change anything.
TEST(DistributedSearch, TellEachOtherWhatTheyHaveFound) {
    const model::Model model = nim_with_rules(60).build();
    ClusterSearchOptions jobs = jobs_number(1);
    jobs.seconds_between_news = 0;
    ClusterSearch partners(processes(), jobs);
    quantified::SolveOptions options;
    options.partners = &partners;
    const quantified::Answer answer = quantified::solve(model, options);
    EXPECT_EQ(answer.verdict, quantified::Verdict::won);
    const ClusterSearchStatistics statistics = partners.statistics();
    EXPECT_GT(statistics.jobs, 1U);
    EXPECT_GT(statistics.splits, 0U);
    if (processes().size() > 1) {
        EXPECT_GT(statistics.news_bytes, 0U);
    }
    if (processes().first()) {
        EXPECT_TRUE(verify(model, answer.strategy).valid);
    }
}

void expect_the_same_values(const std::string& name, double job_seconds, bool plans) {
    const gdl::Game game(ZERMELO_SOURCE_DIR "/games/gdl/" + name + ".kif");
    game::SolveOptions options;
    options.engine = game::Engine::alpha_beta;
    options.threads = 1;
    options.plans = plans;
    const game::Solution one = game::solve(game, options);
    ClusterSearchOptions jobs = jobs_number(0);
    jobs.first_job_seconds = job_seconds;
    ClusterSearch partners(processes(), jobs);
    options.partners = &partners;
    const game::Solution many = game::solve(game, options);
    ASSERT_EQ(many.values, one.values) << name;
    if (!processes().first()) return;
    ASSERT_EQ(many.plans.size(), one.plans.size()) << name;
    game::GdlGame rules(game);
    for (const game::Plan& plan : many.plans) EXPECT_TRUE(game::verify_plan(rules, plan).valid) << name;
}

TEST(DistributedSearch, ProveTheValuesOfGamesAndWritePlans) {
    for (const double seconds : {0.0, 1e-3, 1.0}) {
        expect_the_same_values("tic-tac-toe", seconds, true);
        expect_the_same_values("nim", seconds, true);
    }
    expect_the_same_values("breakthrough-small", 0.05, false);
}

// A run, and another one that has all its answers.
TEST(DistributedSearch, GoOnWithWhatIsKept) {
    const model::Model model = nim_with_rules(30).build();
    const auto file = std::filesystem::temp_directory_path() /
                      ("zermelo-kept-" + std::to_string(processes().size()) + "-" +
                       std::to_string(sum(processes(), processes().first() ? getpid() : 0)));
    ClusterSearchOptions jobs = jobs_number(0);
    jobs.checkpoint = file;
    jobs.seconds_between_saves = 0;
    const auto solve_with = [&](double seconds, std::uint64_t& continued) {
        ClusterSearch partners(processes(), jobs);
        quantified::SolveOptions options;
        options.limits = Limits(seconds, std::nullopt);
        options.partners = &partners;
        const quantified::Answer answer = quantified::solve(model, options);
        continued = partners.statistics().continued;
        return answer;
    };
    std::uint64_t continued = 0;
    const quantified::Answer whole = solve_with(60, continued);
    EXPECT_EQ(whole.verdict, quantified::Verdict::won);
    EXPECT_EQ(continued, 0U);
    const quantified::Answer again = solve_with(60, continued);
    EXPECT_EQ(again.verdict, quantified::Verdict::won);
    EXPECT_GT(continued, 0U);
    if (processes().first()) {
        EXPECT_TRUE(verify(model, again.strategy).valid);
        std::filesystem::remove(file);
    }
}

// A tree whose 64 leaves all have to be looked at, and that stops the run when the first process has seen
// some.
class Grove final : public DivisibleSearch {
public:
    explicit Grove(std::atomic<bool>& stop, std::uint64_t most) : stop_(stop), most_(most) {}
    [[nodiscard]] Hash128 name() const override { return {3, 4}; }
    std::optional<Solved> solve(const Line& line) override {
        if (line.size() < depth) return std::nullopt;
        if (++seen_ == most_ && processes().first()) stop_ = true;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        return Solved{true, {}};
    }
    Split split(const Line& line) override {
        Split split;
        split.ours = false;
        for (std::int64_t i = 0; i < 4; ++i) {
            Hasher hasher;
            for (const std::int64_t move : line) hasher.add(static_cast<std::uint64_t>(move));
            hasher.add(static_cast<std::uint64_t>(i));
            split.open.push_back({{i}, hasher.value()});
        }
        return split;
    }
    Bytes news() override { return {}; }
    void learn(std::span<const std::byte>) override {}
    [[nodiscard]] std::uint64_t seen() const { return seen_; }

    static constexpr std::size_t depth = 3;

private:
    std::atomic<bool>& stop_;
    std::uint64_t most_;
    std::uint64_t seen_ = 0;
};

TEST(DistributedSearch, GoOnAfterTheyWereStopped) {
    const auto file = std::filesystem::temp_directory_path() /
                      ("zermelo-stopped-" + std::to_string(processes().size()) + "-" +
                       std::to_string(sum(processes(), processes().first() ? getpid() : 0)));
    ClusterSearchOptions jobs = jobs_number(0);
    jobs.checkpoint = file;
    std::atomic<bool> stop = false;
    const Cancellable scope(stop);
    {
        Grove grove(stop, 4);
        ClusterSearch partners(processes(), jobs);
        EXPECT_THROW((void)partners.decide(grove, {}), LimitReached);
    }
    stop = false;
    Grove grove(stop, 1000);
    ClusterSearch partners(processes(), jobs);
    const Division division = partners.decide(grove, {});
    EXPECT_TRUE(division.won);
    EXPECT_GT(partners.statistics().continued, 3U) << "answers and splits";
    EXPECT_LE(sum(processes(), grove.seen()), 64U - 3) << "what is kept is not done again";
    if (processes().first()) {
        EXPECT_EQ(division.leaves.size(), 64U);
        std::filesystem::remove(file);
    }
}

TEST(DistributedSearch, ALimitOfOneEndsTheWorkOfAll) {
    const model::Model model = nim_with_rules(60).build();
    ClusterSearch partners(processes(), jobs_number(0));
    quantified::SolveOptions options;
    options.partners = &partners;
    if (processes().rank() + 1 == processes().size()) options.limits = Limits(0, std::nullopt);
    const quantified::Answer answer = quantified::solve(model, options);
    EXPECT_EQ(answer.verdict, quantified::Verdict::unknown);
    EXPECT_EQ(answer.stop, Stop::time);
}

// Whoever cannot go on says why, and everybody hears it.
class Broken final : public DivisibleSearch {
public:
    [[nodiscard]] Hash128 name() const override { return {1, 2}; }
    std::optional<Solved> solve(const Line& line) override {
        if (line.size() == 2) throw Error("this position has no meaning");
        return std::nullopt;
    }
    Split split(const Line& line) override {
        Split split;
        for (std::int64_t i = 0; i < 3; ++i)
            split.open.push_back({{i}, {line.size() * 10 + static_cast<std::uint64_t>(i), 7}});
        return split;
    }
    Bytes news() override { return {}; }
    void learn(std::span<const std::byte>) override {}
};

TEST(DistributedSearch, AFaultOfOneIsToldByAll) {
    Broken question;
    ClusterSearch partners(processes(), jobs_number(0));
    try {
        (void)partners.decide(question, {});
        FAIL() << "nobody complained";
    } catch (const Error& problem) {
        EXPECT_STREQ(problem.what(), "this position has no meaning");
    }
}

}  // namespace
}  // namespace zermelo::cluster
