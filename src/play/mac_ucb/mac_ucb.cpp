#include "play/mac_ucb/mac_ucb.hpp"

#include "play/mcts/ismcts.hpp"

namespace zermelo::play {

namespace {

constexpr double preparing_share = 0.5;  // of the time before the first move
constexpr double trying_share = 0.9;     // of what is left then

class MacUcb : public Player {
public:
    MacUcb(const GameContext& rules, const Settings& settings, const MacUcbOptions& options,
           std::shared_ptr<ConfigRacing> trials)
        : Player(rules, settings), options_(options), trials_(std::move(trials)) {}

private:
    void prepare(const Deadline& deadline) override {
        if (deadline.set() && trials_ && !trials_->decided()) {
            // What all ways of thinking need is found before any of them is tried.
            MacUcbEngine(rules(), settings(), options_.mind, options_.way)
                .prepare(deadline.part(preparing_share));
            trials_->run(deadline.part(trying_share));
        }
        mind().prepare(deadline);
    }

    MoveId think(const std::vector<MoveId>& legal, const TimeBudget& allowance, Thought& thought) override {
        return mind().think(belief().positions().front().position.state, legal, allowance, thought);
    }

    MacUcbEngine& mind() {
        if (!mind_)
            mind_ = std::make_unique<MacUcbEngine>(rules(), settings(), options_.mind,
                                                   trials_ ? trials_->best() : options_.way);
        return *mind_;
    }

    MacUcbOptions options_;
    std::shared_ptr<ConfigRacing> trials_;
    std::unique_ptr<MacUcbEngine> mind_;
};

// Where moves are hidden.
class HiddenMacUcb : public Player {
public:
    HiddenMacUcb(const GameContext& rules, const Settings& settings, const MacUcbOptions& options)
        : Player(rules, settings), options_(options), tree_(rules, tree_options(options, settings)) {}

private:
    static MctsOptions tree_options(const MacUcbOptions& from, const Settings& settings) {
        MctsOptions options = from.mind.tree;
        transfer(options, from.way.transfer);
        options.threads = settings.threads;
        options.memory = settings.memory;
        options.seed = settings.seed;
        return options;
    }

    void prepare(const Deadline& deadline) override {
        if (prepared_) return;
        prepared_ = true;
        if (options_.way.filter == 0) return;
        const scsp::WinLossFilter& sharp = rules().win_loss_filter(options_.way.filter, deadline);
        if (sharp.machine) tree_.use(*sharp.machine);
    }

    MoveId think(const std::vector<MoveId>& legal, const TimeBudget& allowance, Thought& thought) override {
        prepare(allowance.deadline.part(preparing_share));
        thought.playouts = tree_.search(belief(), role(), allowance);
        thought.estimates = tree_.estimates(legal);
        thought.positions = tree_.sets();
        thought.remark = describe(belief());
        return thought.estimates.front().move;
    }

    MacUcbOptions options_;
    bool prepared_ = false;
    Ismcts tree_;
};

}  // namespace

std::unique_ptr<Player> make_mac_ucb(const GameContext& rules, const Settings& settings,
                                     const MacUcbOptions& options, std::shared_ptr<ConfigRacing> trials) {
    if (rules.hidden()) return std::make_unique<HiddenMacUcb>(rules, settings, options);
    return std::make_unique<MacUcb>(rules, settings, options, std::move(trials));
}

}  // namespace zermelo::play
