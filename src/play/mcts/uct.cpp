#include "play/mcts/uct.hpp"

#include "play/mcts/ismcts.hpp"

namespace zermelo::play {

namespace {

MctsOptions within(MctsOptions options, const Settings& settings) {
    options.threads = settings.threads;
    options.memory = settings.memory;
    options.seed = settings.seed;
    return options;
}

class MctsPlayer : public Player {
public:
    MctsPlayer(const GameContext& rules, const Settings& settings, const MctsOptions& options)
        : Player(rules, settings), tree_(rules, within(options, settings)) {}

private:
    MoveId think(const std::vector<MoveId>& legal, const TimeBudget& allowance, Thought& thought) override {
        thought.playouts = tree_.search(belief().positions().front().position.state, role(), allowance);
        thought.estimates = tree_.estimates();
        thought.line = tree_.line();
        thought.positions = tree_.nodes();
        if (tree_.solved()) thought.remark = "solved";
        return thought.estimates.empty() ? legal.front() : thought.estimates.front().move;
    }
    std::uint64_t think_ahead(MoveId made, const TimeBudget& allowance) override {
        return tree_.ponder(belief().positions().front().position.state, role(), made, allowance);
    }

    Mcts tree_;
};

class IsmctsPlayer : public Player {
public:
    IsmctsPlayer(const GameContext& rules, const Settings& settings, const MctsOptions& options)
        : Player(rules, settings), tree_(rules, within(options, settings)) {}

private:
    MoveId think(const std::vector<MoveId>& legal, const TimeBudget& allowance, Thought& thought) override {
        thought.playouts = tree_.search(belief(), role(), allowance);
        thought.estimates = tree_.estimates(legal);
        thought.positions = tree_.sets();
        thought.remark = describe(belief());
        return thought.estimates.front().move;
    }
    std::uint64_t think_ahead(MoveId made, const TimeBudget& allowance) override {
        return tree_.ponder(belief(), role(), made, allowance);
    }

    Ismcts tree_;
};

}  // namespace

std::unique_ptr<Player> make_uct(const GameContext& rules, const Settings& settings,
                                 const MctsOptions& options) {
    if (rules.hidden()) return std::make_unique<IsmctsPlayer>(rules, settings, options);
    return std::make_unique<MctsPlayer>(rules, settings, options);
}

}  // namespace zermelo::play
