// Brute force over strategies of quantified models: whether one is valid, by definition, and a naive one of whoever wins.
//
// The reference plays every assignment in the order of the prefix and evaluates what the modeller wrote
// (support/oracle.hpp); it knows neither the flattened constraints nor intervals nor residues.

#pragma once

#include <functional>

#include "strategy/strategy.hpp"
#include "support/oracle.hpp"

namespace zermelo {

// A model as the reference sees it: moves in the order of `prefix`, and functions that decide finished blocks
// and plays.
struct NaiveModel {
    const model::Model& model;
    std::vector<model::Block> prefix;
    std::function<bool(std::size_t block, const oracle::Assignment&)> legal;
    std::function<bool(const oracle::Assignment&)> wins;
};

class Reference {
public:
    explicit Reference(NaiveModel game) : game_(std::move(game)), play_(game_.model.variables.size(), 0) {
        position_.assign(play_.size(), -1);
        for (std::size_t b = 0; b < game_.prefix.size(); ++b) {
            const auto& variables = game_.prefix[b].variables;
            for (const model::VarId v : variables) {
                position_[static_cast<std::size_t>(v)] = static_cast<int>(turns_.size());
                turns_.push_back({v, b, v == variables.back()});
            }
        }
    }

    // ---- a strategy for whoever wins --------------------------------------------------------------------

    strategy::Strategy winning_strategy() {
        const model::Quantifier owner =
            wins(model::Quantifier::exists, 0) ? model::Quantifier::exists : model::Quantifier::forall;
        strategy::StrategyBuilder builder;
        return builder.extract(build(builder, owner, 0), owner);
    }

    // ---- is a strategy valid, by definition? ------------------------------------------------------------

    bool valid(const strategy::Strategy& strategy) {
        return check(strategy, strategy.root, 0, nobody) == Result::won;
    }
    [[nodiscard]] int position(model::VarId v) const { return position_[static_cast<std::size_t>(v)]; }

private:
    struct Turn {
        model::VarId variable;
        std::size_t block;
        bool completes;
    };
    static constexpr std::size_t nobody = static_cast<std::size_t>(-1);
    enum class Result { won, lost, illegal };

    [[nodiscard]] const model::Domain& domain(const Turn& turn) const {
        return game_.model.domain(turn.variable);
    }
    [[nodiscard]] bool legal(const Turn& turn) const { return game_.legal(turn.block, play_); }
    [[nodiscard]] model::Quantifier player(const Turn& turn) const {
        return game_.prefix[turn.block].quantifier;
    }

    // Does `owner` win from here, and is there a legal way on for whoever moves (for blocks of several
    // variables)?
    bool wins(model::Quantifier owner, std::size_t i) {
        if (i == turns_.size()) return game_.wins(play_) == (owner == model::Quantifier::exists);
        const Turn& turn = turns_[i];
        const bool own = player(turn) == owner;
        for (const model::Value value : domain(turn).values()) {
            play_[static_cast<std::size_t>(turn.variable)] = value;
            const bool won = turn.completes && !legal(turn) ? !own : wins(owner, i + 1);
            if (won == own) return own;
        }
        return !own;
    }

    strategy::NodeId build(strategy::StrategyBuilder& builder, model::Quantifier owner, std::size_t i) {
        if (i == turns_.size()) return strategy::decided;
        const Turn& turn = turns_[i];
        const bool own = player(turn) == owner;
        std::vector<strategy::Edge> edges;
        for (const model::Value value : domain(turn).values()) {
            play_[static_cast<std::size_t>(turn.variable)] = value;
            if (turn.completes && !legal(turn)) continue;
            if (own && !wins(owner, i + 1)) continue;
            play_[static_cast<std::size_t>(turn.variable)] = value;
            if (!own && !turn.completes && !some_legal(i + 1)) continue;
            edges.push_back({{value}, build(builder, owner, i + 1)});
            if (own) break;
        }
        return edges.empty() ? strategy::decided : builder.node(turn.variable, std::move(edges));
    }

    bool some_legal(std::size_t i) {
        const Turn& turn = turns_[i];
        for (const model::Value value : domain(turn).values()) {
            play_[static_cast<std::size_t>(turn.variable)] = value;
            if (turn.completes ? legal(turn) : some_legal(i + 1)) return true;
        }
        return false;
    }

    // `unanswered`: the block up to whose end the opponent must break a rule.
    Result check(const strategy::Strategy& strategy, strategy::NodeId at, std::size_t i,
                 std::size_t unanswered) {
        if (i == turns_.size()) {
            return game_.wins(play_) == (strategy.owner == model::Quantifier::exists) ? Result::won
                                                                                      : Result::lost;
        }
        const Turn& turn = turns_[i];
        const strategy::StrategyNode& node = strategy.nodes[static_cast<std::size_t>(at)];
        const bool here = at != strategy::decided && node.variable == turn.variable;
        const bool own = player(turn) == strategy.owner;
        bool some = false;
        for (const model::Value value : domain(turn).values()) {
            strategy::NodeId next = here ? -1 : at;
            for (const strategy::Edge& edge : node.edges) {
                if (here && std::count(edge.values.begin(), edge.values.end(), value)) next = edge.to;
            }
            if (next < 0 && own) continue;
            play_[static_cast<std::size_t>(turn.variable)] = value;
            const std::size_t end = next < 0 ? turn.block : unanswered;
            const Result result = after(strategy, std::max(next, strategy::decided), i, end);
            if (result == Result::lost) return result;
            if (result == Result::illegal && !own) return Result::lost;
            some |= result == Result::won;
        }
        if (some) return Result::won;
        const bool first = i == 0 || turns_[i - 1].block != turn.block;
        return first ? Result::lost : Result::illegal;
    }

    Result after(const strategy::Strategy& strategy, strategy::NodeId next, std::size_t i,
                 std::size_t unanswered) {
        const Turn& turn = turns_[i];
        if (turn.completes && !legal(turn))
            return player(turn) == strategy.owner ? Result::illegal : Result::won;
        if (turn.completes && turn.block == unanswered) return Result::lost;
        return check(strategy, next, i + 1, unanswered);
    }

    NaiveModel game_;
    oracle::Assignment play_;
    std::vector<Turn> turns_;
    std::vector<int> position_;
};

// What the modeller wrote, as the reference sees it; `model` and `source` must outlive the reference.
[[nodiscard]] inline NaiveModel naive(const model::Model& model, const model::Source& source) {
    return {model, model.prefix,
            [&](std::size_t b, const oracle::Assignment& play) {
                return oracle::holds(source.blocks[b].rules, play);
            },
            [&](const oracle::Assignment& play) { return oracle::wins(source, play); }};
}

}  // namespace zermelo
