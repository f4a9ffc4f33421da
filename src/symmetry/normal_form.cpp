#include "symmetry/normal_form.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "core/hash.hpp"
#include "symmetry/counting.hpp"

namespace zermelo::symmetry {

namespace {

using gdl::Network;
using Term = NormalForm::Term;
using Kind = NormalForm::Kind;

bool by_code(Signal a, Signal b) { return a.code() < b.code(); }

bool by_codes(const Term& a, const Term& b) {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), by_code);
}

// Sorts a conjunction; false when it contradicts itself.
bool tidy(Term& term) {
    std::sort(term.begin(), term.end(), by_code);
    term.erase(std::unique(term.begin(), term.end()), term.end());
    std::erase(term, Network::always);
    for (std::size_t i = 0; i < term.size(); ++i) {
        if (term[i] == Network::never || (i > 0 && term[i].node() == term[i - 1].node())) return false;
    }
    return true;
}

constexpr std::size_t most_absorbed = 1024;  // terms; it takes the square of them

std::uint64_t bits_of(const Term& term) {
    std::uint64_t bits = 0;
    for (const Signal s : term) bits |= std::uint64_t{1} << (mixed(s.code(), 0).low % 64);
    return bits;
}

// Removes every term that contains another one: the other holds whenever it does.
void absorb(std::vector<Term>& terms) {
    if (terms.size() < 2 || terms.size() > most_absorbed) return;
    const auto shorter = [](const Term& a, const Term& b) { return a.size() < b.size(); };
    const auto [least, most] = std::minmax_element(terms.begin(), terms.end(), shorter);
    if (least->size() == most->size()) return;
    std::stable_sort(terms.begin(), terms.end(), shorter);
    std::vector<std::uint64_t> bits;  // of the terms that stay
    std::size_t kept = 0;
    for (std::size_t i = 0; i < terms.size(); ++i) {
        const std::uint64_t own = bits_of(terms[i]);
        bool contains = false;
        for (std::size_t k = 0; k < kept && !contains && terms[k].size() < terms[i].size(); ++k) {
            contains = (bits[k] & ~own) == 0 && std::includes(terms[i].begin(), terms[i].end(),
                                                              terms[k].begin(), terms[k].end(), by_code);
        }
        if (contains) continue;
        bits.push_back(own);
        if (kept != i) terms[kept] = std::move(terms[i]);
        ++kept;
    }
    terms.resize(kept);
    std::sort(terms.begin(), terms.end(), by_codes);
}

Hash128 hash_of(const std::vector<Term>& terms) {
    Hasher hasher;
    for (const Term& term : terms) {
        hasher.add(term.size());
        for (const Signal s : term) hasher.add(s.code());
    }
    return hasher.value();
}

class Expansion {
public:
    Expansion(const Network& network, const NormalFormOptions& options, const Limits& limits)
        : network_(network),
          options_(options),
          limits_(limits),
          gates_(network.gates()),
          counts_(find_counts(network, options.least_counted, limits)) {
        result_.first_or = network.first_gate;
        constant_.resize(network.first_move);
        for (std::uint32_t f = 0; options.constants && f < network.fluents.size(); ++f)
            constant_[1 + f] = keeps_itself(f);
    }

    std::optional<NormalForm> run() {
        for (const auto& stretch : network_.stretches) {
            if (!(stretch.loop ? take_loop(stretch) : take_stretch(stretch))) return std::nullopt;
        }
        take_outputs();
        keep_what_is_needed();
        return std::move(result_);
    }

private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    // What is known of a gate. `negation` is the disjunction that its negation is.
    struct Gate {
        std::vector<Term> negation;
        std::optional<Signal> literal;  // what the gate is called when it is an input
        bool of_moves = false;          // the negation is a disjunction of moves only
        bool as_it_is = false;          // never multiplied out: it is part of a loop, or counts
    };

    [[nodiscard]] bool is_gate(Signal s) const { return s.node() >= network_.first_gate; }
    [[nodiscard]] bool is_move(Signal s) const {
        return s.node() >= network_.first_move && s.node() < network_.first_gate;
    }
    [[nodiscard]] Gate& gate(Signal s) { return gates_[s.node() - network_.first_gate]; }

    // A fluent that holds, and holds next if it holds now; or one that does not, and never begins to.
    [[nodiscard]] bool keeps_itself(std::uint32_t f) const {
        const Signal own(1 + f, false);
        const Signal next = network_.next[f];
        const bool holds = network_.initial[f];
        if (next == own || next == (holds ? Network::always : Network::never)) return true;
        if (next.node() < network_.first_gate || next.negated() != holds) return false;
        const auto inputs = network_.inputs_of(next.node());
        return std::find(inputs.begin(), inputs.end(), holds ? !own : own) != inputs.end();
    }

    // A signal as a literal of the normal form.
    Signal literal(Signal s) {
        if (s.node() < network_.first_move && constant_[s.node()])
            return network_.initial[s.node() - 1] != s.negated() ? Network::always : Network::never;
        if (!is_gate(s)) return s;
        Gate& g = gate(s);
        if (!g.literal) g.literal = !disjunction(g.negation);
        return s.negated() ? !*g.literal : *g.literal;
    }

    Signal disjunction(const std::vector<Term>& terms) {
        if (terms.empty()) return Network::never;
        if (terms.front().empty()) return Network::always;
        if (terms.size() == 1 && terms.front().size() == 1) return terms.front().front();
        const auto [found, added] = known_.try_emplace(hash_of(terms), result_.nodes());
        if (added) result_.ors.push_back({terms, Kind::plain, 0});
        return {found->second, false};
    }

    // Nothing where the things counted are not different ones.
    std::optional<Signal> counter(const Count& count) {
        NormalForm::Or made{{}, Kind::count, 0};
        for (const std::uint32_t node : count.of) made.terms.push_back({literal(Signal(node, false))});
        std::sort(made.terms.begin(), made.terms.end(), by_codes);
        std::uint32_t last = 0;
        for (const Term& term : made.terms) {
            if (std::exchange(last, term.front().node()) == term.front().node()) return std::nullopt;
        }
        // Of a gate and its negation, the one that does not hold for none.
        const bool negated = count.holds.front();
        std::vector<bool> holds = count.holds;
        if (negated) holds.flip();
        made.answers =
            answers_.try_emplace(std::move(holds), static_cast<std::uint32_t>(answers_.size())).first->second;
        Hasher hasher;
        const Hash128 counted = hash_of(made.terms);
        for (const std::uint64_t word : {counted.low, counted.high, std::uint64_t{made.answers}})
            hasher.add(word);
        const auto [found, added] = known_.try_emplace(hasher.value(), result_.nodes());
        if (added) result_.ors.push_back(std::move(made));
        return Signal(found->second, negated);
    }

    // A signal that is a disjunction worth multiplying out; moves that mean the same stay together, because
    // the network has grouped them without regard to their order.
    [[nodiscard]] const std::vector<Term>* alternatives(Signal s) {
        if (!is_gate(s) || !s.negated()) return nullptr;
        const Gate& g = gate(s);
        const bool opaque = g.as_it_is || g.of_moves || g.negation.size() > options_.most_terms;
        return opaque ? nullptr : &g.negation;
    }

    // A gate that is a conjunction of literals and nothing else.
    [[nodiscard]] bool plain_conjunction(Signal s) {
        if (!is_gate(s) || s.negated()) return false;
        const Gate& g = gate(s);
        if (g.as_it_is) return false;
        return std::all_of(g.negation.begin(), g.negation.end(),
                           [](const Term& t) { return t.size() == 1; }) &&
               g.negation.size() <= options_.most_terms;
    }

    bool take_stretch(const Network::Stretch& stretch) {
        for (std::uint32_t at = stretch.first; at < stretch.last; ++at) {
            if (limits_.reached() != Stop::none) return false;
            Gate& g = gates_[at - network_.first_gate];
            if (const auto& count = counts_[at - network_.first_gate]) {
                g.literal = counter(*count);
                g.as_it_is = g.literal.has_value();
                literals_ += count->of.size();
                if (g.as_it_is) continue;
            }
            g.negation = negation(at);
            const auto inputs = network_.inputs_of(at);
            g.of_moves = std::all_of(inputs.begin(), inputs.end(),
                                     [&](Signal s) { return is_move(s) && s.negated(); });
            for (const Term& term : g.negation) literals_ += term.size() + 1;
            if (literals_ > options_.most_literals) return false;
        }
        return true;
    }

    std::vector<Term> negation(std::uint32_t at) {
        std::vector<Term> terms;
        for (const Signal input : network_.inputs_of(at)) append(terms, !input);
        std::sort(terms.begin(), terms.end(), by_codes);
        terms.erase(std::unique(terms.begin(), terms.end()), terms.end());
        if (!terms.empty() && terms.front().empty()) terms.resize(1);
        absorb(terms);
        return terms;
    }

    // Adds the terms of one member of a disjunction.
    void append(std::vector<Term>& terms, Signal member) {
        if (member == Network::never) return;
        if (const auto* nested = alternatives(member)) {
            terms.insert(terms.end(), nested->begin(), nested->end());
        } else if (is_gate(member) && !member.negated() && !gate(member).as_it_is) {
            multiply(terms, member);
        } else {
            terms.push_back({literal(member)});
            if (!tidy(terms.back())) terms.pop_back();
        }
    }

    // Adds the terms of a conjunction.
    void multiply(std::vector<Term>& terms, Signal conjunction) {
        Term fixed;
        std::vector<const std::vector<Term>*> factors;
        std::size_t product = 1;
        for (const Signal input : network_.inputs_of(conjunction.node())) {
            if (const auto* factor = alternatives(input)) {
                factors.push_back(factor);
                product = std::min(product * factor->size(), options_.most_terms + 1);
            } else if (plain_conjunction(input)) {
                for (const Term& term : gate(input).negation) fixed.push_back(!term.front());
            } else {
                fixed.push_back(literal(input));
            }
        }
        if (product > options_.most_terms) {
            terms.push_back({literal(conjunction)});
            if (!tidy(terms.back())) terms.pop_back();
            return;
        }
        if (!tidy(fixed)) return;
        std::vector<Term> partial{std::move(fixed)};
        for (const auto* factor : factors) {
            std::vector<Term> longer;
            for (const Term& left : partial) {
                for (const Term& right : *factor) {
                    Term both = left;
                    both.insert(both.end(), right.begin(), right.end());
                    if (tidy(both)) longer.push_back(std::move(both));
                }
            }
            partial = std::move(longer);
        }
        std::move(partial.begin(), partial.end(), std::back_inserter(terms));
    }

    // The gates of a loop stand for themselves: what they mean is settled together.
    bool take_loop(const Network::Stretch& stretch) {
        for (std::uint32_t at = stretch.first; at < stretch.last; ++at) {
            Gate& g = gates_[at - network_.first_gate];
            g.as_it_is = true;
            g.literal = Signal(result_.nodes(), true);
            result_.ors.push_back({{}, at < stretch.rules ? Kind::loop_atom : Kind::loop_rule, 0});
        }
        for (std::uint32_t at = stretch.first; at < stretch.last; ++at) {
            if (limits_.reached() != Stop::none) return false;
            std::vector<Term> terms;
            for (const Signal input : network_.inputs_of(at)) terms.push_back({literal(!input)});
            literals_ += terms.size();
            const std::uint32_t node = gates_[at - network_.first_gate].literal->node();
            result_.ors[node - result_.first_or].terms = std::move(terms);
        }
        return literals_ <= options_.most_literals;
    }

    void take_outputs() {
        for (const Signal s : network_.next) result_.next.push_back(literal(s));
        for (const auto& role : network_.moves) {
            auto& legal = result_.legal.emplace_back();
            for (const auto& move : role) legal.push_back(literal(move.legal));
        }
        for (const auto& role : network_.goals) {
            auto& goals = result_.goals.emplace_back();
            for (const auto& goal : role) goals.push_back(literal(goal.holds));
        }
        for (const auto& role : network_.sees) {
            auto& sees = result_.sees.emplace_back();
            for (const auto& percept : role) sees.push_back(literal(percept.seen));
        }
        result_.terminal = literal(network_.terminal);
    }

    template <class Visit>
    void each_output(Visit visit) {
        for (Signal& s : result_.next) visit(s);
        for (auto* by_role : {&result_.legal, &result_.goals, &result_.sees}) {
            for (auto& role : *by_role) {
                for (Signal& s : role) visit(s);
            }
        }
        visit(result_.terminal);
    }

    // Disjunctions that were multiplied out wherever they occur go; the others are numbered without gaps.
    void keep_what_is_needed() {
        std::vector<std::uint32_t> number(result_.ors.size(), none);
        std::vector<std::uint32_t> order;
        const auto need = [&](Signal s) {
            if (s.node() < result_.first_or || number[s.node() - result_.first_or] != none) return;
            number[s.node() - result_.first_or] = static_cast<std::uint32_t>(order.size());
            order.push_back(s.node() - result_.first_or);
        };
        each_output(need);
        for (std::size_t i = 0; i < order.size(); ++i) {
            for (const Term& term : result_.ors[order[i]].terms) {
                for (const Signal s : term) need(s);
            }
        }
        const auto renumber = [&](Signal& s) {
            if (s.node() < result_.first_or) return;
            s = Signal(result_.first_or + number[s.node() - result_.first_or], s.negated());
        };
        each_output(renumber);
        std::vector<NormalForm::Or> kept;
        for (const std::uint32_t i : order) {
            auto& terms = kept.emplace_back(std::move(result_.ors[i])).terms;
            for (Term& term : terms) {
                for (Signal& s : term) renumber(s);
                std::sort(term.begin(), term.end(), by_code);
            }
            std::sort(terms.begin(), terms.end(), by_codes);
            terms.erase(std::unique(terms.begin(), terms.end()), terms.end());
        }
        result_.ors = std::move(kept);
    }

    const Network& network_;
    const NormalFormOptions& options_;
    const Limits& limits_;
    NormalForm result_;
    std::vector<Gate> gates_;
    std::vector<bool> constant_;                          // by node, up to the first move
    std::vector<std::optional<Count>> counts_;            // by gate
    std::map<std::vector<bool>, std::uint32_t> answers_;  // numbered as they come
    std::unordered_map<Hash128, std::uint32_t, LowBitsHash> known_;
    std::size_t literals_ = 0;
};

}  // namespace

std::optional<NormalForm> normal_form(const Network& network, const NormalFormOptions& options,
                                      const Limits& limits) {
    return Expansion(network, options, limits).run();
}

}  // namespace zermelo::symmetry
