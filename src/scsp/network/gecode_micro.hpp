// A micro network as a model of Gecode, to compare with: tables as extensional constraints, gates as
// conjunctions, and for a loop a level for each of its atoms, so that what holds is derived from below.

#pragma once

#include <gecode/int.hh>
#include <gecode/search.hh>
#include <map>

#include "scsp/micro_scsp.hpp"

namespace zermelo::scsp {

class GecodeMicro : public Gecode::Space {
public:
    // Without `derive` it is not asked how the atoms of loops are derived, so that each solution comes once,
    // but others may come that are none.
    explicit GecodeMicro(const MicroScsp& micro, bool derive = true)
        : values(*this, static_cast<int>(micro.variables.size())) {
        using namespace Gecode;
        std::vector<int> domain;
        for (int v = 0; v < values.size(); ++v) {
            const auto& left = micro.variables[static_cast<std::size_t>(v)].domain;
            domain.assign(left.begin(), left.end());
            if (domain.empty()) {
                fail();
                domain = {0};
            }
            values[v] = IntVar(*this, IntSet(domain.data(), static_cast<int>(domain.size())));
        }
        if (!micro.consistent) fail();
        for (const Constraint& constraint : micro.constraints) {
            if (constraint.table) {
                post_table(constraint);
            } else {
                for (const Link& link : constraint.links) post_link(micro, link);
            }
        }
        for (const Kind kind : {Kind::now, Kind::action, Kind::chance}) branch_on(micro, kind);
        branch(*this, values, INT_VAR_NONE(), INT_VAL_MIN());
        supports_ = BoolVarArray(*this, all_supports_);
        levels_ = IntVarArray(*this, all_levels_);
        if (!derive) return;
        branch(*this, supports_, BOOL_VAR_NONE(), BOOL_VAL_MAX());
        branch(*this, levels_, INT_VAR_NONE(), INT_VAL_MIN());
    }
    GecodeMicro(GecodeMicro& other) : Space(other) {
        values.update(*this, other.values);
        supports_.update(*this, other.supports_);
        levels_.update(*this, other.levels_);
    }
    Space* copy() override { return new GecodeMicro(*this); }

    void fix(VariableId variable, Value value) {
        rel(*this, values[static_cast<int>(variable)], Gecode::IRT_EQ, static_cast<int>(value));
    }
    [[nodiscard]] std::vector<Value> assignment() const {
        std::vector<Value> result;
        for (const auto& value : values) result.push_back(static_cast<Value>(value.val()));
        return result;
    }

    Gecode::IntVarArray values;

private:
    void branch_on(const MicroScsp& micro, Kind kind) {
        Gecode::IntVarArgs chosen;
        for (int v = 0; v < values.size(); ++v) {
            if (micro.variables[static_cast<std::size_t>(v)].kind == kind) chosen << values[v];
        }
        branch(*this, chosen, Gecode::INT_VAR_SIZE_MIN(), Gecode::INT_VAL_MIN());
    }

    void post_table(const Constraint& constraint) {
        using namespace Gecode;
        const int arity = static_cast<int>(constraint.scope.size());
        if (arity == 0) return;
        TupleSet tuples(arity);
        IntVarArgs scope;
        for (const VariableId v : constraint.scope) scope << values[static_cast<int>(v)];
        for (std::size_t i = 0; i < constraint.count(); ++i) {
            IntArgs tuple;
            for (const Value value : constraint.tuple(i)) tuple << static_cast<int>(value);
            tuples.add(tuple);
        }
        tuples.finalize();
        extensional(*this, scope, tuples);
    }

    [[nodiscard]] Gecode::BoolVar has(VariableId variable, Value value) {
        using namespace Gecode;
        const auto [found, added] = has_.try_emplace({variable, value});
        if (added) {
            found->second = BoolVar(*this, 0, 1);
            rel(*this, values[static_cast<int>(variable)], IRT_EQ, static_cast<int>(value), found->second);
        }
        return found->second;
    }

    [[nodiscard]] Gecode::BoolVar of(gdl::Signal s) {
        const Gecode::BoolVar node = nodes_.at(s.node());
        if (!s.negated()) return node;
        const Gecode::BoolVar negation(*this, 0, 1);
        rel(*this, node, Gecode::IRT_NQ, negation);
        return negation;
    }

    void post_conjunction(const gdl::Network& network, std::uint32_t gate) {
        Gecode::BoolVarArgs positive;
        Gecode::BoolVarArgs negative;
        for (const gdl::Signal s : network.inputs_of(gate))
            (s.negated() ? negative : positive) << nodes_.at(s.node());
        clause(*this, Gecode::BOT_AND, positive, negative, nodes_.at(gate));
    }

    void post_nodes(const MicroScsp& micro, std::uint32_t top) {
        using namespace Gecode;
        const gdl::Network& network = *micro.network;
        if (nodes_.empty()) nodes_[0] = BoolVar(*this, 1, 1);
        std::vector<std::uint32_t> fresh;
        for (const std::uint32_t node : top == 0 ? std::vector<std::uint32_t>() : nodes_below(network, top)) {
            if (nodes_.contains(node)) continue;
            nodes_[node] = node < network.first_gate
                               ? has(micro.literals[node].variable, micro.literals[node].value)
                               : BoolVar(*this, 0, 1);
            if (node >= network.first_gate) fresh.push_back(node);
        }
        for (const std::uint32_t gate : fresh) post_conjunction(network, gate);
        for (const auto& stretch : network.stretches) {
            if (stretch.loop && std::ranges::find(fresh, stretch.first) != fresh.end())
                post_levels(network, stretch);
        }
    }

    // An atom that holds has a rule that holds, with atoms of lower levels only.
    void post_levels(const gdl::Network& network, const gdl::Network::Stretch& loop) {
        using namespace Gecode;
        const auto inside = [&](gdl::Signal s) { return s.node() >= loop.first && s.node() < loop.last; };
        std::map<std::uint32_t, IntVar> level;
        for (std::uint32_t atom = loop.first; atom < loop.rules; ++atom) {
            level[atom] = IntVar(*this, 0, static_cast<int>(loop.rules - loop.first));
            all_levels_ << level[atom];
        }
        for (std::uint32_t atom = loop.first; atom < loop.rules; ++atom) {
            BoolVarArgs supports;
            for (const gdl::Signal s : network.inputs_of(atom)) {
                BoolVarArgs all;
                all << of(!s);
                const auto below = [&](std::uint32_t other) {
                    BoolVar lower(*this, 0, 1);
                    rel(*this, level[other], IRT_LE, level[atom], lower);
                    all << lower;
                };
                if (inside(s) && s.node() < loop.rules) below(s.node());
                if (inside(s) && s.node() >= loop.rules) {
                    for (const gdl::Signal body : network.inputs_of(s.node())) {
                        if (inside(body)) below(body.node());
                    }
                }
                BoolVar support(*this, 0, 1);
                rel(*this, BOT_AND, all, support);
                supports << support;
            }
            all_supports_ << supports;
            supports << nodes_.at(atom);  // or it does not hold: its gate does
            rel(*this, BOT_OR, supports, 1);
        }
    }

    void post_link(const MicroScsp& micro, const Link& link) {
        using namespace Gecode;
        post_nodes(micro, link.signal.node());
        const BoolVar signal = of(link.signal);
        const BoolVar chosen = has(link.variable, link.value);
        if (link.sense == Link::Sense::exactly) {
            rel(*this, chosen, IRT_EQ, signal);
            return;
        }
        rel(*this, chosen, IRT_LQ, signal);
        if (link.sense == Link::Sense::only_if) return;
        BoolVar early(*this, 0, 1);
        rel(*this, values[static_cast<int>(link.variable)], IRT_LQ, static_cast<int>(link.value), early);
        rel(*this, signal, IRT_LQ, early);
    }

    std::map<std::pair<VariableId, Value>, Gecode::BoolVar> has_;
    std::map<std::uint32_t, Gecode::BoolVar> nodes_;
    Gecode::BoolVarArgs all_supports_;
    Gecode::IntVarArgs all_levels_;
    Gecode::BoolVarArray supports_;  // a rule derives its atom
    Gecode::IntVarArray levels_;     // of the atoms of loops
};

}  // namespace zermelo::scsp
