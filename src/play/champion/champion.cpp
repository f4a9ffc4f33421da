#include "play/champion/champion.hpp"

#include <algorithm>
#include <string>

#include "play/mcts/ismcts.hpp"

namespace zermelo::play {

namespace {

constexpr double preparing_share = 0.5;          // of the time before the first move
constexpr double preparing_for_learning = 0.25;  // the same where learning and racing follow
constexpr double racing_share = 0.9;             // of what is left then
constexpr double share_to_learn_in = 0.5;        // of what is left, to learn; then come races
constexpr double least_learning = 2;             // seconds
constexpr double most_of_the_rest = 0.9;         // of the time before the first move, to look at the opening
constexpr double moves_of_opening = 20;          // as long as so many moves will have, at most

class Champion : public Player {
public:
    Champion(const GameContext& rules, const Settings& settings, const ChampionOptions& options,
             std::shared_ptr<ConfigRacing> racing, std::shared_ptr<StartLearning> learning)
        : Player(rules, settings),
          options_(options),
          racing_(std::move(racing)),
          learning_(std::move(learning)) {}

private:
    void prepare(const Deadline& deadline) override {
        const bool learns =
            deadline.set() && learning_ && !learning_->done() &&
            (1 - preparing_for_learning) * share_to_learn_in * deadline.left() >= least_learning;
        if (deadline.set() && racing_ && (learns || !racing_->decided())) {
            // What all configurations need is computed before the race.
            ChampionConfig all = options_.config;
            if (options_.changes.value) all.value = 1;
            ChampionEngine(rules(), settings(), options_.engine, all)
                .prepare(deadline.part(learns ? preparing_for_learning : preparing_share));
            const unsigned threads = std::max({1U, settings().threads, settings().start_threads});
            if (learns) {
                learning_->run(deadline.part(share_to_learn_in), threads, settings().memory);
                racing_->offer(learning_->judgement());
            }
            const Deadline until = deadline.part(racing_share);
            run_threads(threads, [&](std::size_t) { racing_->run(until, settings().clock, threads); });
        }
        engine().prepare(deadline);
        look_at_opening(deadline);
    }

    // The first moves come from a tree that has grown before the clock runs.
    void look_at_opening(const Deadline& deadline) {
        if (!deadline.set() || settings().clock <= 0 || deadline.left() <= 0) return;
        const double share =
            std::min(most_of_the_rest, moves_of_opening * settings().clock / deadline.left());
        (void)engine().look_ahead(belief().positions().front().position.state,
                                  {.deadline = deadline.part(share).unwatched()});
        Deadline::begin_polling();  // that was no pause
    }

    MoveId think(const std::vector<MoveId>& legal, const TimeBudget& allowance, Thought& thought) override {
        const MoveId move =
            engine().think(belief().positions().front().position.state, legal, allowance, thought);
        if (racing_) count_way(thought);
        return move;
    }

    // So that a record tells what racing chose, and after how many matches.
    void count_way(Thought& thought) {
        const ChampionConfig& way = engine().config();
        const auto count = [&](const std::string& name, double value) {
            if (value > 0) thought.counters.emplace_back(name, value);
        };
        if (!counted_) count("races", static_cast<double>(racing_->matches()));
        counted_ = true;
        count("mostly resolved", way.resolve >= 0.5 ? 1 : 0);
        count("with values", way.value > 0 ? 1 : 0);
        count("by transfer " + std::to_string(way.transfer), 1);
        count("filtered", way.filter > 0 ? 1 : 0);
        count("with a net", way.net > 0 ? 1 : 0);
    }

    std::uint64_t think_ahead(MoveId made, const TimeBudget& allowance) override {
        return engine_ ? engine_->ponder(belief().positions().front().position.state, made, allowance) : 0;
    }

    ChampionEngine& engine() {
        if (engine_) return *engine_;
        ChampionEngineOptions options = options_.engine;
        if (racing_) options.judgement = racing_->judgement();
        engine_ = std::make_unique<ChampionEngine>(rules(), settings(), options,
                                                   racing_ ? racing_->best() : options_.config);
        return *engine_;
    }

    ChampionOptions options_;
    std::shared_ptr<ConfigRacing> racing_;
    std::shared_ptr<StartLearning> learning_;
    std::unique_ptr<ChampionEngine> engine_;
    bool counted_ = false;  // the races
};

// Where moves are hidden.
class HiddenChampion : public Player {
public:
    HiddenChampion(const GameContext& rules, const Settings& settings, const ChampionOptions& options)
        : Player(rules, settings), options_(options), tree_(rules, tree_options(options, settings)) {}

private:
    static MctsOptions tree_options(const ChampionOptions& from, const Settings& settings) {
        MctsOptions options = from.engine.tree;
        transfer(options, from.config.transfer);
        options.threads = settings.threads;
        options.memory = settings.memory;
        options.seed = settings.seed;
        return options;
    }

    void prepare(const Deadline& deadline) override {
        if (prepared_) return;
        prepared_ = true;
        if (options_.config.filter == 0) return;
        const scsp::WinLossFilter& filter = rules().win_loss_filter(options_.config.filter, deadline);
        if (filter.machine) tree_.use(*filter.machine);
    }

    MoveId think(const std::vector<MoveId>& legal, const TimeBudget& allowance, Thought& thought) override {
        prepare(allowance.deadline.part(preparing_share));
        thought.playouts = tree_.search(belief(), role(), allowance);
        thought.estimates = tree_.estimates(legal);
        thought.positions = tree_.sets();
        thought.remark = describe(belief());
        return thought.estimates.front().move;
    }

    std::uint64_t think_ahead(MoveId made, const TimeBudget& allowance) override {
        return prepared_ ? tree_.ponder(belief(), role(), made, allowance) : 0;
    }

    ChampionOptions options_;
    bool prepared_ = false;
    Ismcts tree_;
};

}  // namespace

std::unique_ptr<Player> make_champion(const GameContext& rules, const Settings& settings,
                                      const ChampionOptions& options, std::shared_ptr<ConfigRacing> racing,
                                      std::shared_ptr<StartLearning> learning) {
    if (rules.hidden()) return std::make_unique<HiddenChampion>(rules, settings, options);
    return std::make_unique<Champion>(rules, settings, options, std::move(racing), std::move(learning));
}

}  // namespace zermelo::play
