// Verification of strategies for strategic CSPs (Bessiere and Verger 2006).
//
// The walk follows the prefix. At every move consistency.hpp finds the legal values: those with which there
// is a state, where constraints that wait for a later move are ignored. The owner's move must be legal, and
// every legal value of the opponent must be answered. Where the strategy skips a variable of the owner, and
// behind the leaf, every legal value has to win, and there has to be one. A player without a legal value has
// lost; when all moves are made, ∃ has won.

#include <fmt/format.h>

#include <algorithm>

#include "strategy/check/checking.hpp"
#include "strategy/rules/consistency.hpp"

namespace zermelo::strategy {

namespace {

class StrategicChecker {
public:
    StrategicChecker(const model::Model& model, const model::Structure& structure, const Strategy& strategy,
                     const VerifyOptions& options)
        : model_(model),
          strategy_(strategy),
          states_(model, structure, options.limits),
          won_(strategy, options.remembered),
          monitor_(options) {
        for (const model::Block& block : structure.prefix) {
            for (const model::VarId v : block.variables)
                turns_.push_back({v, block.quantifier == strategy.owner});
        }
    }

    Verification run() {
        bool valid = false;
        try {
            valid = walk(strategy_.root) == Answer::won;
        } catch (const LimitReached& limit) {
            monitor_.stop(limit.stop());
        }
        return monitor_.report(valid, std::move(counterexample_));
    }

private:
    enum class Answer { won, lost, stopped };
    struct Turn {
        model::VarId variable;
        bool own;
    };

    Answer walk(NodeId at) {
        if (monitor_.stopped()) return Answer::stopped;
        if (play_.size() == turns_.size()) return end_of_play();
        const bool cacheable = won_.worth_caching(at);
        const Hash128 key = cacheable ? key_of(at) : Hash128{};
        if (cacheable && won_.contains(key)) return Answer::won;
        const Answer answer = take_turn(at);
        if (cacheable && answer == Answer::won) won_.insert(key);
        return answer;
    }

    // Everything that acts holds with the last move, so there is a question only where nobody had a move.
    Answer end_of_play() {
        const model::Quantifier winner =
            states_.exist() ? model::Quantifier::exists : model::Quantifier::forall;
        if (winner == strategy_.owner) return Answer::won;
        return refute(winner == model::Quantifier::exists
                          ? "all moves are made, so ∃ wins"
                          : "no state agrees with the constraints, so ∀ wins");
    }

    Answer take_turn(NodeId at) {
        const auto [variable, own] = turns_[play_.size()];
        const StrategyNode& node = strategy_.nodes[static_cast<std::size_t>(at)];
        const bool named = node.variable == variable;
        if (named && own) return chosen_move(node);
        bool legal = false;
        for (const model::Domain::Range& range : model_.domain(variable).ranges()) {
            for (model::Value value = range.low; value <= range.high; ++value) {
                const Answer answer = after({variable, value}, [&] {
                    if (!states_.exist()) return Answer::won;  // a choice that is not open
                    legal = true;
                    return named ? answer_to(node, value) : walk(at);
                });
                if (answer != Answer::won) return answer;
            }
        }
        if (legal || !own) return Answer::won;
        return refute(
            fmt::format("{} has no legal value for {}", symbol(strategy_.owner), model_.name_of(variable)));
    }

    Answer chosen_move(const StrategyNode& node) {
        const Edge& edge = node.edges.front();
        const Move move{node.variable, edge.values.front()};
        return after(move, [&] {
            if (states_.exist()) return walk(edge.to);
            return refute(fmt::format("{} = {} is not legal: no state agrees with it",
                                      model_.name_of(move.variable), move.value));
        });
    }

    Answer answer_to(const StrategyNode& node, model::Value value) {
        for (const Edge& edge : node.edges) {
            if (std::binary_search(edge.values.begin(), edge.values.end(), value)) return walk(edge.to);
        }
        return refute(fmt::format("{} = {} is legal, but the strategy has no answer to it",
                                  model_.name_of(node.variable), value));
    }

    template <class Then>
    Answer after(Move move, Then then) {
        const PossibleStates::Mark mark = states_.mark();
        states_.play(move.variable, move.value);
        play_.push_back(move);
        const Answer answer = then();
        play_.pop_back();
        states_.undo(mark);
        return answer;
    }

    [[nodiscard]] Hash128 key_of(NodeId id) {
        const Hash128 residue = states_.residue();
        Hasher hasher;
        hasher.add(residue);
        hasher.add(static_cast<std::uint64_t>(id));
        return hasher.value();
    }

    Answer refute(std::string reason) {
        counterexample_ = Counterexample{play_, std::move(reason)};
        return Answer::lost;
    }

    const model::Model& model_;
    const Strategy& strategy_;
    PossibleStates states_;
    WonPositions won_;
    LimitMonitor monitor_;
    std::vector<Turn> turns_;
    std::vector<Move> play_;
    std::optional<Counterexample> counterexample_;
};

}  // namespace

Verification verify_strategic(const model::Model& model, const model::Structure& structure,
                              const Strategy& strategy, const VerifyOptions& options) {
    return StrategicChecker(model, structure, strategy, options).run();
}

}  // namespace zermelo::strategy
