// Semi-naive evaluation, one atom at a time: each derived atom is joined with those derived before it.
//
// Atoms are numbered in the order in which they are derived. A rule instance is found when the newest of its
// positive atoms drives the join, and from the first literal that this atom can drive, hence exactly once.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "gdl/ground/grounder.hpp"
#include "gdl/ground/patterns.hpp"

namespace zermelo::gdl {

namespace {

constexpr const char* grounding = "while grounding the rules";

std::uint64_t mix(std::uint64_t h, std::uint64_t word) {
    h = (h ^ word) * 0x9E3779B97F4A7C15ULL;
    return h ^ (h >> 29);
}

}  // namespace

bool Grounder::key(const std::vector<Term>& shape, std::span<const TermId> terms, std::uint64_t& hash) const {
    for (std::size_t i = 0; i < shape.size(); ++i) {
        const Term& s = shape[i];
        if (s.kind == Term::Kind::variable) {
            if (s.id == key_mark) hash = mix(hash, terms[i]);
            continue;
        }
        const TermId t = terms[i];
        if (terms_.symbol(t) != s.id || terms_.arguments(t).size() != s.arguments.size()) return false;
        if (!key(s.arguments, terms_.arguments(t), hash)) return false;
    }
    return true;
}

AtomId Grounder::atom(RelationId r, std::span<const TermId> terms) {
    if (atom_relation_.size() * 2 >= table_.size()) {
        const std::size_t doubled = std::max<std::size_t>(4096, table_.size() * 2);
        stay_within_limits(grounding, doubled * sizeof(std::uint32_t));
        table_.assign(doubled, 0);
        const std::size_t mask = table_.size() - 1;
        for (AtomId a = 0; a < atom_relation_.size(); ++a) {
            std::uint64_t h = mix(0, atom_relation_[a]);
            for (const TermId t : arguments(a)) h = mix(h, t);
            std::size_t at = (h >> 7) & mask;
            while (table_[at] != 0) at = (at + 1) & mask;
            table_[at] = a + 1;
        }
    }
    std::uint64_t h = mix(0, r);
    for (const TermId t : terms) h = mix(h, t);
    const std::size_t mask = table_.size() - 1;
    std::size_t at = (h >> 7) & mask;
    for (; table_[at] != 0; at = (at + 1) & mask) {
        const AtomId a = table_[at] - 1;
        if (atom_relation_[a] == r &&
            std::equal(terms.begin(), terms.end(), atom_arguments_.begin() + atom_first_[a])) {
            return a;
        }
    }
    const auto a = static_cast<AtomId>(atom_relation_.size());
    for (const auto* array : {&atom_relation_, &atom_first_, &atom_arguments_, &order_})
        ask_to_grow(*array, grounding, terms.size() + 1);
    table_[at] = a + 1;
    atom_relation_.push_back(r);
    atom_first_.push_back(static_cast<std::uint32_t>(atom_arguments_.size()));
    atom_arguments_.insert(atom_arguments_.end(), terms.begin(), terms.end());
    order_.push_back(never);
    return a;
}

TermId Grounder::instantiate(const Term& pattern) {
    if (pattern.kind == Term::Kind::variable) return binding_[pattern.id];
    if (pattern.arguments.empty()) return terms_.make(pattern.id, {});
    std::array<TermId, 16> few;
    std::vector<TermId> many;
    TermId* values = few.data();
    if (pattern.arguments.size() > few.size()) {
        many.resize(pattern.arguments.size());
        values = many.data();
    }
    for (std::size_t i = 0; i < pattern.arguments.size(); ++i) values[i] = instantiate(pattern.arguments[i]);
    const TermId made = terms_.make(pattern.id, {values, pattern.arguments.size()});
    if (terms_.depth(made) > options_.most_depth) {
        throw TooLarge({game_.file},
                       fmt::format("terms nested deeper than {} arise, so the grounding is probably infinite",
                                   options_.most_depth),
                       "bound the recursion that builds them");
    }
    return made;
}

AtomId Grounder::instantiate(RelationId r, const Atom& pattern) {
    std::array<TermId, 16> few;
    std::vector<TermId> many;
    TermId* values = few.data();
    if (pattern.arguments.size() > few.size()) {
        many.resize(pattern.arguments.size());
        values = many.data();
    }
    for (std::size_t i = 0; i < pattern.arguments.size(); ++i) values[i] = instantiate(pattern.arguments[i]);
    return atom(r, {values, pattern.arguments.size()});
}

bool Grounder::match(const Term& pattern, TermId term) {
    if (pattern.kind == Term::Kind::variable) {
        TermId& value = binding_[pattern.id];
        if (value != unbound) return value == term;
        value = term;
        trail_.push_back(pattern.id);
        return true;
    }
    if (terms_.symbol(term) != pattern.id || terms_.arguments(term).size() != pattern.arguments.size())
        return false;
    for (std::size_t i = 0; i < pattern.arguments.size(); ++i) {
        if (!match(pattern.arguments[i], terms_.arguments(term)[i])) return false;
    }
    return true;
}

bool Grounder::match(const Atom& pattern, AtomId a) {
    for (std::size_t i = 0; i < pattern.arguments.size(); ++i) {
        if (!match(pattern.arguments[i], arguments(a)[i])) return false;
    }
    return true;
}

void Grounder::derive(AtomId a) {
    if (derived(a)) return;
    order_[a] = static_cast<std::uint32_t>(derived_.size());
    derived_.push_back(a);
    Relation& r = relations_[atom_relation_[a]];
    r.atoms.push_back(a);
    for (Index& index : r.indexes) {
        std::uint64_t hash = 0;
        if (key(index.shape, arguments(a), hash)) index.atoms[hash].push_back(a);
    }
    if (r.symbol == kw_next && r.arity == 1) derive(atom(relation(kw_true, 1), arguments(a)));
    if (r.symbol == kw_legal && r.arity == 2) {
        const std::array<TermId, 2> both = {arguments(a)[0], arguments(a)[1]};
        derive(atom(relation(kw_does, 2), both));
    }
}

void Grounder::check_limits() {
    if (++work_ % 4096 != 0) return;
    if (const Stop stop = options_.limits.reached(); stop != Stop::none) {
        throw LimitReached(stop, fmt::format("while grounding {}", game_.file),
                           "raise the limit, or simplify the rules with most variables");
    }
    if (instance_count_ > options_.most_rules || derived_.size() > options_.most_rules) {
        throw TooLarge({game_.file}, fmt::format("grounding exceeds {} rule instances", options_.most_rules),
                       "simplify the rules with most variables");
    }
    if (recording_ && now_ != never) check_growth();
}

// Where far too many instances are to be expected, they are not waited for: twice in a row, the atoms that wait to be
// joined, with as many instances each as the last ones had, would be many times the budget.
void Grounder::check_growth() {
    constexpr std::size_t between_looks = 1 << 17;
    constexpr std::size_t few = 500'000;
    constexpr std::uint32_t fewest_atoms = 64;  // one alone says nothing about others
    constexpr double many_times = 16;
    if (instance_count_ < growth_.instances + between_looks || now_ < growth_.joined + fewest_atoms) return;
    const double each =
        static_cast<double>(instance_count_ - growth_.instances) / (now_ - growth_.joined + 1.0);
    const auto waiting = static_cast<double>(derived_.size() - now_);
    const bool hopeless =
        instance_count_ > few && waiting * each > many_times * static_cast<double>(options_.most_rules);
    if (hopeless && growth_.hopeless) {
        throw TooLarge({game_.file},
                       fmt::format("grounding would exceed {} rule instances by far", options_.most_rules),
                       "simplify the rules with most variables");
    }
    growth_ = {instance_count_, now_, hopeless};
}

void Grounder::evaluate(Compiled& rule, std::uint32_t driver, AtomId by) {
    current_ = &rule;
    driver_ = driver;
    current_plan_ = &plan(rule, driver);
    matched_.assign(rule.relations.size(), 0);
    if (driver != never) {
        if (match(rule.rule->body[driver].atom, by)) {
            matched_[driver] = by;
            join(0);
        }
    } else {
        join(0);
    }
    for (const std::uint32_t v : trail_) binding_[v] = unbound;
    trail_.clear();
}

void Grounder::join(std::size_t at) {
    if (at == current_plan_->steps.size()) return emit();
    const Step step = current_plan_->steps[at];
    const BodyLiteral& literal = current_->rule->body[step.literal];
    const RelationId r = current_->relations[step.literal];
    // An atom that was derived later is joined when its own turn comes; of the literals that the newest atom
    // can drive, the first one does.
    const auto visible = [&](AtomId a) {
        return order_[a] < now_ || (order_[a] == now_ && step.literal > driver_);
    };
    switch (step.kind) {
        case Step::Kind::distinct:
            if (instantiate(literal.atom.arguments[0]) != instantiate(literal.atom.arguments[1]))
                join(at + 1);
            return;
        case Step::Kind::check_negative:
            if (!derived(instantiate(r, literal.atom))) join(at + 1);
            return;
        case Step::Kind::check_positive: {
            const AtomId a = instantiate(r, literal.atom);
            if (!derived(a) || (now_ != never && !visible(a))) return;
            matched_[step.literal] = a;
            return join(at + 1);
        }
        case Step::Kind::match:
            break;
    }
    check_limits();
    const std::size_t bound_before = trail_.size();
    const auto attempt = [&](const std::vector<AtomId>& candidates) {
        const std::size_t count = candidates.size();  // it may grow while we derive
        for (std::size_t i = 0; i < count; ++i) {
            const AtomId a = candidates[i];
            check_limits();
            if (now_ != never && !visible(a)) {
                if (order_[a] > now_) break;
                continue;
            }
            if (match(literal.atom, a)) {
                matched_[step.literal] = a;
                join(at + 1);
            }
            while (trail_.size() > bound_before) {
                binding_[trail_.back()] = unbound;
                trail_.pop_back();
            }
        }
    };
    if (step.index == never) return attempt(relations_[r].atoms);
    // The key of this step, from what is bound: the shape with the pattern's own values in it.
    std::uint64_t hash = 0;
    const auto feed = [&](const auto& self, const std::vector<Term>& shape,
                          const std::vector<Term>& pattern) -> void {
        for (std::size_t i = 0; i < shape.size(); ++i) {
            if (shape[i].kind == Term::Kind::variable) {
                if (shape[i].id == key_mark) hash = mix(hash, instantiate(pattern[i]));
            } else {
                self(self, shape[i].arguments, pattern[i].arguments);
            }
        }
    };
    feed(feed, relations_[r].indexes[step.index].shape, literal.atom.arguments);
    const auto& atoms = relations_[r].indexes[step.index].atoms;
    if (const auto found = atoms.find(hash); found != atoms.end()) {
        attempt(found->second);
    }
}

// All literals hold: the head is derived, and in the dynamic phase the instance is kept.
void Grounder::emit() {
    check_limits();
    const Compiled& rule = *current_;
    const AtomId head = instantiate(rule.head, rule.rule->head);
    if (recording_) {
        const std::size_t start = instances_.size();
        ask_to_grow(instances_, grounding, 3 + rule.relations.size());
        instances_.insert(instances_.end(), {head, 0, 0});
        const auto add = [&](BodyLiteral::Kind kind, std::size_t counter) {
            for (std::size_t l = 0; l < rule.relations.size(); ++l) {
                if (rule.rule->body[l].kind != kind || !relations_[rule.relations[l]].dynamic) continue;
                instances_.push_back(kind == BodyLiteral::Kind::positive
                                         ? matched_[l]
                                         : instantiate(rule.relations[l], rule.rule->body[l].atom));
                ++instances_[start + counter];
            }
        };
        add(BodyLiteral::Kind::positive, 1);
        add(BodyLiteral::Kind::negative, 2);
        bool fresh = true;
        if (rule.may_repeat) {
            Hasher hasher;
            for (std::size_t i = start; i < instances_.size(); ++i) hasher.add(instances_[i]);
            if (seen_.size() == seen_.bucket_count())
                stay_within_limits(grounding, 2 * seen_.bucket_count() * sizeof(void*));
            fresh = seen_.try_emplace(hasher.value(), true).second;
        }
        if (fresh) {
            ++instance_count_;
        } else {
            instances_.resize(start);
        }
    }
    derive(head);
}

// Joins every atom derived since `done` with what was derived before it, until nothing new comes.
void Grounder::drain(std::size_t& done, const std::vector<bool>& rules) {
    for (; done < derived_.size(); ++done) {
        const AtomId a = derived_[done];
        now_ = static_cast<std::uint32_t>(done);
        const auto uses = relations_[atom_relation_[a]].uses;
        for (const auto& [rule, literal] : uses) {
            if (rules[rule]) evaluate(compiled_[rule], literal, a);
        }
    }
    now_ = never;
}

}  // namespace zermelo::gdl
