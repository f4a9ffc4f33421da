#include "play/champion/champion.hpp"

#include "play/mcts/ismcts.hpp"

namespace zermelo::play {

namespace {

constexpr double preparing_share = 0.5;  // of the time before the first move
constexpr double racing_share = 0.9;     // of what is left then

class Champion : public Player {
public:
    Champion(const GameContext& rules, const Settings& settings, const ChampionOptions& options,
             std::shared_ptr<ConfigRacing> racing)
        : Player(rules, settings), options_(options), racing_(std::move(racing)) {}

private:
    void prepare(const Deadline& deadline) override {
        if (deadline.set() && racing_ && !racing_->decided()) {
            // What all configurations need is computed before the race.
            ChampionEngine(rules(), settings(), options_.engine, options_.config)
                .prepare(deadline.part(preparing_share));
            racing_->run(deadline.part(racing_share));
        }
        engine().prepare(deadline);
    }

    MoveId think(const std::vector<MoveId>& legal, const TimeBudget& allowance, Thought& thought) override {
        return engine().think(belief().positions().front().position.state, legal, allowance, thought);
    }

    ChampionEngine& engine() {
        if (!engine_)
            engine_ = std::make_unique<ChampionEngine>(rules(), settings(), options_.engine,
                                                       racing_ ? racing_->best() : options_.config);
        return *engine_;
    }

    ChampionOptions options_;
    std::shared_ptr<ConfigRacing> racing_;
    std::unique_ptr<ChampionEngine> engine_;
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

    ChampionOptions options_;
    bool prepared_ = false;
    Ismcts tree_;
};

}  // namespace

std::unique_ptr<Player> make_champion(const GameContext& rules, const Settings& settings,
                                      const ChampionOptions& options, std::shared_ptr<ConfigRacing> racing) {
    if (rules.hidden()) return std::make_unique<HiddenChampion>(rules, settings, options);
    return std::make_unique<Champion>(rules, settings, options, std::move(racing));
}

}  // namespace zermelo::play
