#include "play/learn/self_play.hpp"

#include "core/random.hpp"
#include "gdl/stepper.hpp"

namespace zermelo::play {

namespace {

constexpr double random_move = 0.2;
constexpr std::size_t most_random_at_first = 5;
constexpr std::size_t most_learning_moves = 1000;  // a match that is longer is left out
constexpr double lambda = 0.3;                     // λ

// One player takes all seats; estimates are for the first of them.
class SelfPlay {
public:
    SelfPlay(const GameContext& rules, const ValueNetwork& before, std::uint64_t seed)
        : rules_(rules), stepper_(rules.game()), random_(seed), network_(before) {
        network_.begin(random_.next());
    }

    void match() {
        visited_.clear();
        stepper_.load(rules_.machine().initial());
        const std::size_t random_at_first = random_.below(most_random_at_first + 1);
        double outcome = 0;
        for (std::size_t moves = 0;; ++moves) {
            if (stepper_.terminal()) {
                outcome = 0.01 * std::max(0, stepper_.goal(rules_.seats().front()));
                break;
            }
            if (moves == most_learning_moves) return;
            const bool random = moves < random_at_first || random_.chance(random_move);
            const auto [mover, move, chosen] = choose(random);
            visited_.push_back({stepper_.state(), chosen});
            stepper_.play(mover, move);
        }
        learn(outcome);
    }

    [[nodiscard]] const ValueNetwork& network() const { return network_; }

private:
    struct Choice {
        std::size_t mover;
        MoveId move;
        bool chosen;  // not at random, where that says something
    };
    struct Visited {
        State state;
        bool chosen;
    };

    Choice choose(bool random) {
        std::size_t mover = rules_.mover(stepper_);
        const bool forced = mover == rules_.roles();
        if (forced) mover = 0;
        stepper_.legal(mover, legal_);
        if (forced || rules_.chance(mover)) return {mover, legal_[random_.below(legal_.size())], true};
        if (random) return {mover, legal_[random_.below(legal_.size())], false};
        const std::size_t first = rules_.seats().front();
        double best = -1;
        MoveId taken = legal_.front();
        for (const MoveId move : legal_) {
            stepper_.play(mover, move);
            double value = 0;
            if (stepper_.terminal()) {
                value = 0.01 * std::max(0, stepper_.goal(first));
            } else {
                stepper_.state(state_);
                value = network_.value(state_);
            }
            stepper_.undo();
            if (mover != first) value = 1 - value;
            if (value > best) {
                best = value;
                taken = move;
            }
        }
        return {mover, taken, true};
    }

    void learn(double outcome) {
        double target = outcome;
        for (std::size_t i = visited_.size(); i-- > 0;) {
            const Visited& at = visited_[i];
            // Where the move was random, what came later tells nothing.
            const double value = at.chosen ? network_.learn(at.state, target) : network_.value(at.state);
            if (!at.chosen) target = value;
            target = (1 - lambda) * value + lambda * target;
        }
    }

    const GameContext& rules_;
    gdl::Stepper stepper_;
    Random random_;
    ValueNetwork network_;
    State state_;
    std::vector<MoveId> legal_;
    std::vector<Visited> visited_;
};

}  // namespace

std::size_t self_play(const GameContext& rules, ValueNetwork& network, const SelfPlayOptions& options) {
    std::size_t matches = 0;
    const Limits limits(options.seconds, std::nullopt);
    try {
        SelfPlay playing(rules, network, options.seed);
        for (; matches < options.most_matches && limits.reached() == Stop::none; ++matches) playing.match();
        if (matches > 0) network = playing.network();
    } catch (const LimitReached&) {
        throw;
    } catch (const Error&) {
        return 0;  // not a game of turns, after all
    }
    return matches;
}

}  // namespace zermelo::play
