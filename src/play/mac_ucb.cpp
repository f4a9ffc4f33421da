#include "play/mac_ucb.hpp"

#include "play/uct.hpp"

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
            trials_->run(deadline.part(trying_share), settings().seed);
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

}  // namespace

std::unique_ptr<Player> make_mac_ucb(const Rules& rules, const Settings& settings,
                                     const MacUcbOptions& options, std::shared_ptr<Trials> trials) {
    if (rules.hidden()) return make_uct(rules, settings, options.mind.tree);
    return std::make_unique<MacUcb>(rules, settings, options, std::move(trials));
}

}  // namespace zermelo::play
