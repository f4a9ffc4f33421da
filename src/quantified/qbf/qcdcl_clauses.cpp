// The clauses of both players: how they are made from the circuit, watched and forgotten.

#include "quantified/qbf/qcdcl.hpp"

#include <algorithm>
#include <cstdlib>

namespace zermelo::quantified {

// ------------------------------------------------------------------------------------------ both formulas

// Plaisted and Greenbaum's clauses that make one signal true, with gates that belong to one player.
class Qcdcl::Encoder {
public:
    Encoder(Qcdcl& solver, bool player)
        : solver_(solver),
          player_(player),
          gates_(solver.circuit_.gates().size(), no_literal),
          wanted_(2 * solver.circuit_.gates().size(), false) {}

    void run(Signal root) {
        demand(root);
        while (!open_.empty()) {
            const Signal s = open_.back();
            open_.pop_back();
            define(s);
        }
    }

private:
    [[nodiscard]] std::size_t gate(Signal s) const {
        return static_cast<std::size_t>(std::abs(s) - solver_.circuit_.inputs() - 1);
    }
    void clause(const std::vector<Lit>& literals) { (void)solver_.add_clause(player_, literals, false); }

    void demand(Signal root) {
        std::vector<Signal> all = {root};
        while (!all.empty()) {
            const Signal s = all.back();
            all.pop_back();
            if (s == model::QuantifiedCircuit::always) continue;
            const auto* g = s == model::QuantifiedCircuit::never ? nullptr : solver_.circuit_.gate(s);
            if (s == model::QuantifiedCircuit::never) {
                clause({});
            } else if (g == nullptr || g->parity) {
                clause({literal(s)});
            } else if (s > 0) {
                all.insert(all.end(), g->inputs.begin(), g->inputs.end());
            } else {
                std::vector<Lit> some;
                for (const Signal input : g->inputs) some.push_back(literal(-input));
                clause(some);
            }
        }
    }

    Lit literal(Signal s) {
        if (solver_.circuit_.gate(s) == nullptr)
            return static_cast<Lit>(2 * (std::abs(s) - 1) + (s < 0 ? 1 : 0));
        Lit& known = gates_[gate(s)];
        if (known == no_literal) {
            const int innermost = static_cast<int>(solver_.circuit_.prefix.size());
            known = static_cast<Lit>(2 * solver_.add_variable(player_, innermost));
        }
        const std::size_t code = 2 * gate(s) + (s < 0 ? 1 : 0);
        if (!wanted_[code]) open_.push_back(s);
        wanted_[code] = true;
        return s < 0 ? known ^ 1U : known;
    }

    // Only the direction that is wanted: the literal implies what it stands for.
    void define(Signal s) {
        const auto& g = *solver_.circuit_.gate(s);
        const Lit not_it = literal(s) ^ 1U;
        if (g.parity) {
            const Signal a = g.inputs[0];
            const Signal b = s > 0 ? g.inputs[1] : -g.inputs[1];
            clause({not_it, literal(a), literal(b)});
            clause({not_it, literal(-a), literal(-b)});
        } else if (s > 0) {
            for (const Signal input : g.inputs) clause({not_it, literal(input)});
        } else {
            std::vector<Lit> some = {not_it};
            for (const Signal input : g.inputs) some.push_back(literal(-input));
            clause(some);
        }
    }

    Qcdcl& solver_;
    const bool player_;
    std::vector<Lit> gates_;
    std::vector<bool> wanted_;  // by gate and sign
    std::vector<Signal> open_;
};

Qcdcl::Qcdcl(const model::QuantifiedCircuit& circuit, const Limits& limits, bool pure_literals)
    : circuit_(circuit),
      limits_(limits),
      inputs_(static_cast<std::size_t>(circuit.inputs())),
      with_pure_(pure_literals) {
    std::vector<std::pair<bool, int>> prefix(inputs_);
    for (std::size_t b = 0; b < circuit.prefix.size(); ++b) {
        const auto& block = circuit.prefix[b];
        for (const int v : block.variables)
            prefix[static_cast<std::size_t>(v - 1)] = {block.quantifier == model::Quantifier::forall,
                                                       static_cast<int>(b)};
    }
    heaps_.resize(circuit.prefix.size());
    for (const auto& [universal, block] : prefix) (void)add_variable(universal, block);
    Encoder(*this, false).run(circuit.output);
    Encoder(*this, true).run(-circuit.output);
    most_learned_ = std::max<std::size_t>(20'000, clauses_.size() / 2);
    for (std::size_t v = 0; v < inputs_; ++v) insert(v);
}

std::size_t Qcdcl::add_variable(bool universal, int block) {
    universal_.push_back(universal);
    block_.push_back(block);
    values_.push_back(0);
    levels_.push_back(0);
    positions_.push_back(0);
    reasons_.push_back(no_clause);
    activity_.push_back(0);
    phase_.push_back(!universal);
    heap_index_.push_back(-1);
    assumed_.push_back(false);
    watches_.resize(watches_.size() + 2);
    place_.resize(place_.size() + 2, -1);
    return universal_.size() - 1;
}

// ------------------------------------------------------------------------------------------ clauses

Qcdcl::ClauseId Qcdcl::add_clause(bool owner, const std::vector<Lit>& literals, bool learned) {
    Clause c;
    c.first = static_cast<std::uint32_t>(arena_.size());
    c.size = static_cast<std::uint32_t>(literals.size());
    c.owner = owner;
    c.learned = learned;
    c.activity = clause_step_;
    arena_.insert(arena_.end(), literals.begin(), literals.end());
    clauses_.push_back(c);
    const auto id = static_cast<ClauseId>(clauses_.size() - 1);
    if (learned) return id;
    if (with_pure_) {
        pure_literals_.add(literals, [&](Lit l) { return owns(owner, l) && var(l) < inputs_; });
    }
    attach(id);
    return id;
}

// A pair to watch: the owner's literal of the latest block, and another of the owner or one of an earlier block of the
// opponent. Where there is no such pair, the clause says something at once.
void Qcdcl::attach(ClauseId id) {
    const Clause& c = clauses_[id];
    if (c.size == 0) return units_.push_back(id);
    Lit* const lits = this->literals(c);
    Lit* const end = lits + c.size;
    const auto rank = [&](Lit l) { return owns(c.owner, l) ? block_[var(l)] : -1; };
    std::iter_swap(lits, std::max_element(lits, end, [&](Lit a, Lit b) { return rank(a) < rank(b); }));
    if (c.size < 2 || rank(lits[0]) < 0) return units_.push_back(id);
    Lit* const second = std::find_if(
        lits + 1, end, [&](Lit l) { return owns(c.owner, l) || block_[var(l)] < block_[var(lits[0])]; });
    if (second == end) return units_.push_back(id);
    std::iter_swap(lits + 1, second);
    watch(lits[0], id, lits[1]);
    watch(lits[1], id, lits[0]);
}

void Qcdcl::bump_clause(ClauseId id) {
    if (!clauses_[id].learned) return;
    if ((clauses_[id].activity += clause_step_) < 1e20F) return;
    for (Clause& c : clauses_) c.activity *= 1e-20F;
    clause_step_ *= 1e-20F;
}

// The less active half of the learned clauses that are no reason. Short ones stay.
void Qcdcl::forget() {
    std::vector<ClauseId> candidates;
    for (ClauseId id = 0; id < clauses_.size(); ++id) {
        const Clause& c = clauses_[id];
        if (!c.learned || c.gone || c.size <= 2) continue;
        bool reason = false;
        for (std::uint32_t i = 0; i < c.size && !reason; ++i) {
            const Lit l = arena_[c.first + i];
            reason = value(l) > 0 && reasons_[var(l)] == id;
        }
        if (!reason) candidates.push_back(id);
    }
    std::ranges::sort(candidates, {}, [&](ClauseId id) { return clauses_[id].activity; });
    candidates.resize(candidates.size() / 2);
    for (const ClauseId id : candidates) clauses_[id].gone = true;
    statistics_.forgotten += candidates.size();
    learned_ -= candidates.size();
    for (auto& list : watches_) std::erase_if(list, [&](const Watch& w) { return clauses_[w.clause].gone; });
    // Their literals are moved together; the numbers of clauses stay.
    std::vector<Lit> kept;
    for (Clause& c : clauses_) {
        if (c.gone) c.size = 0;
        const auto first = static_cast<std::uint32_t>(kept.size());
        kept.insert(kept.end(), arena_.begin() + c.first, arena_.begin() + c.first + c.size);
        c.first = first;
    }
    arena_ = std::move(kept);
    most_learned_ += most_learned_ / 20;
}

}  // namespace zermelo::quantified
