#include "play/mac_ucb.hpp"

#include "play/information_tree.hpp"

namespace zermelo::play {

namespace {

constexpr double preparing_share = 0.5;  // of the time before the first move
constexpr double trying_share = 0.9;     // of what is left then

class MacUcb : public Player {
public:
    MacUcb(const Rules& rules, const Settings& settings, const MacUcbOptions& options,
           std::shared_ptr<Trials> trials)
        : Player(rules, settings), options_(options), trials_(std::move(trials)) {}

private:
    void prepare(const Deadline& deadline) override {
        if (deadline.set() && trials_ && !trials_->decided()) {
            // What all ways of thinking need is found before any of them is tried.
            Mind(rules(), settings(), options_.mind, options_.way).prepare(deadline.part(preparing_share));
            trials_->run(deadline.part(trying_share));
        }
        mind().prepare(deadline);
    }

    MoveId think(const std::vector<MoveId>& legal, const Allowance& allowance, Thought& thought) override {
        return mind().think(belief().positions().front().position.state, legal, allowance, thought);
    }

    Mind& mind() {
        if (!mind_)
            mind_ = std::make_unique<Mind>(rules(), settings(), options_.mind,
                                           trials_ ? trials_->best() : options_.way);
        return *mind_;
    }

    MacUcbOptions options_;
    std::shared_ptr<Trials> trials_;
    std::unique_ptr<Mind> mind_;
};

// Where moves are hidden.
class HiddenMacUcb : public Player {
public:
    HiddenMacUcb(const Rules& rules, const Settings& settings, const MacUcbOptions& options)
        : Player(rules, settings), options_(options), tree_(rules, tree_options(options, settings)) {}

private:
    static TreeOptions tree_options(const MacUcbOptions& from, const Settings& settings) {
        TreeOptions options = from.mind.tree;
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
        const micro::Foresight& sharp = rules().foresight(options_.way.filter, deadline);
        if (sharp.machine) tree_.use(*sharp.machine);
    }

    MoveId think(const std::vector<MoveId>& legal, const Allowance& allowance, Thought& thought) override {
        prepare(allowance.deadline.part(preparing_share));
        thought.playouts = tree_.search(belief(), role(), allowance);
        thought.estimates = tree_.estimates(legal);
        thought.positions = tree_.sets();
        thought.remark = describe(belief());
        return thought.estimates.front().move;
    }

    MacUcbOptions options_;
    bool prepared_ = false;
    InformationTree tree_;
};

}  // namespace

std::unique_ptr<Player> make_mac_ucb(const Rules& rules, const Settings& settings,
                                     const MacUcbOptions& options, std::shared_ptr<Trials> trials) {
    if (rules.hidden()) return std::make_unique<HiddenMacUcb>(rules, settings, options);
    return std::make_unique<MacUcb>(rules, settings, options, std::move(trials));
}

}  // namespace zermelo::play
