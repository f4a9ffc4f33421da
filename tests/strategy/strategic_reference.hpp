// Brute force over strategies of strategic models, as in reference.hpp.
//
// The reference reads definition 2 of Bessiere and Verger (2006) off what the modeller wrote: it tries all
// values of the state variables, and knows neither the flattened constraints nor intervals nor residues.

#pragma once

#include <map>

#include "strategy/strategy.hpp"
#include "support/oracle.hpp"

namespace zermelo {

class StrategicReference {
public:
    explicit StrategicReference(const model::Source& source)
        : source_(source), values_(source.variables.size(), 0), block_of_(source.variables.size(), -1) {
        for (std::size_t b = 0; b < source.blocks.size(); ++b) {
            for (const model::VarId v : source.blocks[b].variables) {
                block_of_[static_cast<std::size_t>(v)] = static_cast<int>(b);
                turns_.push_back(v);
            }
        }
        for (const model::BoolExprs* conditions : {&source.win, &source.require}) {
            for (const model::BoolExpr& condition : *conditions) {
                conditions_.push_back(condition);
                due_.push_back(last_block(*condition.tree()));
            }
        }
    }

    [[nodiscard]] const std::vector<model::VarId>& turns() const { return turns_; }
    [[nodiscard]] int position(model::VarId v) const {
        return static_cast<int>(std::find(turns_.begin(), turns_.end(), v) - turns_.begin());
    }
    void play(std::size_t i, model::Value value) { values_[static_cast<std::size_t>(turns_[i])] = value; }

    // Are the first `moves` moves consistent, if the rest of the last one's block is chosen well?
    bool legal(std::size_t moves) {
        const int block = moves == 0 ? -1 : block_of(turns_[moves - 1]);
        std::vector<model::Value> key;
        for (std::size_t i = 0; i < moves; ++i) key.push_back(values_[static_cast<std::size_t>(turns_[i])]);
        if (const auto known = legal_.find(key); known != legal_.end()) return known->second;
        const oracle::Assignment before = values_;
        const bool answer = completes(moves, block);
        values_ = before;
        legal_.emplace(key, answer);
        return answer;
    }

    strategy::Strategy winning_strategy() {
        const model::Quantifier owner =
            wins(model::Quantifier::exists, 0) ? model::Quantifier::exists : model::Quantifier::forall;
        strategy::StrategyBuilder builder;
        return builder.extract(build(builder, owner, 0), owner);
    }

    // By definition, from the node and the moves made so far.
    bool valid(const strategy::Strategy& strategy, strategy::NodeId at, std::size_t i) {
        if (i == turns_.size()) return (strategy.owner == model::Quantifier::exists) == legal(i);
        const strategy::StrategyNode& node = strategy.nodes[static_cast<std::size_t>(at)];
        const bool named = at != strategy::decided && node.variable == turns_[i];
        const bool own = owns(strategy.owner, i);
        bool some = false;
        for (const model::Value value : domain(i).values()) {
            strategy::NodeId next = named ? -1 : at;
            for (const strategy::Edge& edge : node.edges) {
                if (named && std::count(edge.values.begin(), edge.values.end(), value) > 0) next = edge.to;
            }
            if (own && next < 0) continue;
            play(i, value);
            if (!legal(i + 1)) continue;
            if (next < 0 || !valid(strategy, next, i + 1)) return false;
            some = true;
        }
        return some || !own;
    }

private:
    [[nodiscard]] int block_of(model::VarId v) const { return block_of_[static_cast<std::size_t>(v)]; }
    [[nodiscard]] const model::Domain& domain(std::size_t i) const {
        return source_.variables[static_cast<std::size_t>(turns_[i])].domain;
    }
    [[nodiscard]] bool owns(model::Quantifier owner, std::size_t i) const {
        return source_.blocks[static_cast<std::size_t>(block_of(turns_[i]))].quantifier == owner;
    }
    [[nodiscard]] int last_block(const model::Expression& e) const {
        int last = e.kind == model::Expression::Kind::variable ? block_of(e.variable) : -1;
        for (const auto& part : e.parts) last = std::max(last, last_block(*part));
        return last;
    }

    bool completes(std::size_t i, int block) {
        if (i == turns_.size() || block_of(turns_[i]) != block) return some_state(0, block);
        const auto values = domain(i).values();
        return std::any_of(values.begin(), values.end(), [&](model::Value value) {
            play(i, value);
            return completes(i + 1, block);
        });
    }

    bool some_state(std::size_t i, int block) {
        if (i < source_.state.size()) {
            const auto v = static_cast<std::size_t>(source_.state[i]);
            const auto values = source_.variables[v].domain.values();
            return std::any_of(values.begin(), values.end(), [&](model::Value value) {
                values_[v] = value;
                return some_state(i + 1, block);
            });
        }
        for (std::size_t c = 0; c < conditions_.size(); ++c) {
            if (due_[c] <= block && !oracle::holds(*conditions_[c].tree(), values_)) return false;
        }
        return true;
    }

    bool wins(model::Quantifier owner, std::size_t i) {
        if (i == turns_.size()) return (owner == model::Quantifier::exists) == legal(i);
        const bool own = owns(owner, i);
        for (const model::Value value : domain(i).values()) {
            play(i, value);
            if (legal(i + 1) && wins(owner, i + 1) == own) return own;
        }
        return !own;
    }

    strategy::NodeId build(strategy::StrategyBuilder& builder, model::Quantifier owner, std::size_t i) {
        if (i == turns_.size()) return strategy::decided;
        std::vector<strategy::Edge> edges;
        for (const model::Value value : domain(i).values()) {
            play(i, value);
            if (!legal(i + 1) || (owns(owner, i) && (!edges.empty() || !wins(owner, i + 1)))) continue;
            play(i, value);
            edges.push_back({{value}, build(builder, owner, i + 1)});
        }
        return edges.empty() ? strategy::decided : builder.node(turns_[i], std::move(edges));
    }

    const model::Source& source_;
    oracle::Assignment values_;
    std::vector<int> block_of_;
    std::vector<model::VarId> turns_;
    model::BoolExprs conditions_;
    std::vector<int> due_;
    std::map<std::vector<model::Value>, bool> legal_;  // by the moves made
};

}  // namespace zermelo
