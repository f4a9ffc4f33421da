#include "gdl/ground/ground.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "gdl/ground/grounder.hpp"
#include "gdl/syntax/components.hpp"

namespace zermelo::gdl {

namespace {

std::uint64_t mix(std::uint64_t h, std::uint64_t word) {
    h = (h ^ word) * 0x9E3779B97F4A7C15ULL;
    return h ^ (h >> 29);
}

void each_variable(const Term& term, const auto& visit) {
    if (term.kind == Term::Kind::variable) visit(term.id);
    for (const Term& argument : term.arguments) each_variable(argument, visit);
}

void each_variable(const Atom& atom, const auto& visit) {
    for (const Term& argument : atom.arguments) each_variable(argument, visit);
}

bool ground_under(const Term& term, const std::vector<bool>& bound) {
    bool ground = true;
    each_variable(term, [&](std::uint32_t v) { ground = ground && bound[v]; });
    return ground;
}

bool ground_under(const Atom& atom, const std::vector<bool>& bound) {
    return std::all_of(atom.arguments.begin(), atom.arguments.end(),
                       [&](const Term& t) { return ground_under(t, bound); });
}

constexpr std::uint32_t key_mark = 0;
constexpr std::uint32_t open_mark = 1;

// The pattern with what is bound marked as key and what is open marked as such.
Term shape_of(const Term& term, const std::vector<bool>& bound) {
    if (ground_under(term, bound)) return {Term::Kind::variable, key_mark};
    if (term.kind == Term::Kind::variable) return {Term::Kind::variable, open_mark};
    Term shape{term.kind, term.id};
    for (const Term& argument : term.arguments) shape.arguments.push_back(shape_of(argument, bound));
    return shape;
}

}  // namespace

// ------------------------------------------------------------------------------------------ preparation

Grounder::Grounder(const Description& game, const GroundOptions& options) : game_(game), options_(options) {}

RelationId Grounder::relation(Symbol symbol, std::size_t arity) {
    const std::uint64_t name = static_cast<std::uint64_t>(symbol) << 16 | arity;
    const auto [at, added] = relation_index_.try_emplace(name, static_cast<RelationId>(relations_.size()));
    if (added) {
        relations_.emplace_back();
        relations_.back().symbol = symbol;
        relations_.back().arity = arity;
    }
    return at->second;
}

void Grounder::compile_rules() {
    std::size_t most_variables = 0;
    for (std::uint32_t r = 0; r < rules_.size(); ++r) {
        const Rule& rule = rules_[r];
        Compiled compiled{&rule, relation(rule.head.relation, rule.head.arguments.size()), {}, {}};
        for (std::uint32_t l = 0; l < rule.body.size(); ++l) {
            const BodyLiteral& literal = rule.body[l];
            const bool distinct = literal.kind == BodyLiteral::Kind::distinct;
            compiled.relations.push_back(
                distinct ? never : relation(literal.atom.relation, literal.atom.arguments.size()));
            if (literal.kind == BodyLiteral::Kind::positive)
                relations_[compiled.relations.back()].uses.emplace_back(r, l);
        }
        compiled.plans.resize(rule.body.size() + 1);
        compiled_.push_back(std::move(compiled));
        most_variables = std::max(most_variables, rule.variables.size());
    }
    binding_.assign(most_variables, unbound);
}

// Whatever depends on the state or on moves, and what the machine asks for.
void Grounder::find_dynamic() {
    for (Relation& r : relations_) {
        const Symbol s = r.symbol;
        r.dynamic = s == kw_true || s == kw_does || s == kw_legal || s == kw_next || s == kw_terminal ||
                    s == kw_goal || s == kw_sees;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (const Compiled& rule : compiled_) {
            if (relations_[rule.head].dynamic) continue;
            for (const RelationId r : rule.relations) {
                if (r == never || !relations_[r].dynamic) continue;
                relations_[rule.head].dynamic = changed = true;
                if (const Symbol s = rule.rule->head.relation; s == kw_init || s == kw_role) {
                    throw Error(game_.place(*rule.rule),
                                fmt::format("`{}` depends on the state or the moves", game_.symbols.name(s)),
                                "it holds before any state; use only what never changes");
                }
                break;
            }
        }
    }
    for (Compiled& rule : compiled_) {
        // Variables that neither the head nor a dynamic literal fixes may take several values for one
        // instance.
        std::vector<bool> fixed(rule.rule->variables.size(), false);
        each_variable(rule.rule->head, [&](std::uint32_t v) { fixed[v] = true; });
        for (std::size_t l = 0; l < rule.relations.size(); ++l) {
            if (rule.relations[l] == never || !relations_[rule.relations[l]].dynamic) continue;
            each_variable(rule.rule->body[l].atom, [&](std::uint32_t v) { fixed[v] = true; });
        }
        rule.may_repeat = std::find(fixed.begin(), fixed.end(), false) != fixed.end();
    }
}

// Static relations in an order in which every relation comes after those it needs; relations that need each
// other share a stratum. A negation inside a stratum has no meaning and is refused.
void Grounder::find_strata() {
    const auto n = relations_.size();
    std::vector<std::vector<RelationId>> needs(n);
    for (const Compiled& rule : compiled_) {
        if (relations_[rule.head].dynamic) continue;
        for (const RelationId r : rule.relations) {
            if (r != never) needs[rule.head].push_back(r);
        }
    }
    const Components parts = components(needs);  // those that others need have smaller numbers
    for (RelationId r = 0; r < n; ++r) relations_[r].stratum = static_cast<int>(parts.of[r]);
    strata_.assign(parts.members.size(), {});
    for (std::uint32_t c = 0; c < compiled_.size(); ++c) {
        const Compiled& rule = compiled_[c];
        if (relations_[rule.head].dynamic) continue;
        strata_[relations_[rule.head].stratum].push_back(c);
        for (std::size_t l = 0; l < rule.relations.size(); ++l) {
            if (rule.rule->body[l].kind == BodyLiteral::Kind::negative &&
                relations_[rule.relations[l]].stratum == relations_[rule.head].stratum) {
                throw Error(game_.place(*rule.rule),
                            fmt::format("{} depends on its own negation",
                                        game_.symbols.name(rule.rule->head.relation)),
                            "break the loop through `not`");
            }
        }
    }
}

std::uint32_t Grounder::index_for(RelationId r, const Atom& atom, const std::vector<bool>& bound) {
    std::vector<Term> shape;
    bool keyed = false;
    for (const Term& argument : atom.arguments) {
        shape.push_back(shape_of(argument, bound));
        keyed = keyed || !(shape.back().kind == Term::Kind::variable && shape.back().id == open_mark);
    }
    if (!keyed) return never;
    auto& indexes = relations_[r].indexes;
    for (std::uint32_t i = 0; i < indexes.size(); ++i) {
        if (indexes[i].shape == shape) return i;
    }
    indexes.push_back({std::move(shape), {}});
    Index& index = indexes.back();
    for (const AtomId a : relations_[r].atoms) {
        std::uint64_t hash = 0;
        if (key(index.shape, arguments(a), hash)) index.atoms[hash].push_back(a);
    }
    return static_cast<std::uint32_t>(indexes.size()) - 1;
}

// The order of the joins: checks as soon as their variables are bound, then the literal that promises fewest
// matches.
Grounder::Plan& Grounder::plan(Compiled& rule, std::uint32_t driver) {
    const std::size_t slot = driver == never ? rule.relations.size() : driver;
    Plan& result = rule.plans[slot];
    if (result.made) return result;
    result.made = true;
    const Rule& source = *rule.rule;
    std::vector<bool> bound(source.variables.size(), false);
    std::vector<bool> done(source.body.size(), false);
    const auto bind = [&](const Atom& atom) {
        each_variable(atom, [&](std::uint32_t v) { bound[v] = true; });
    };
    if (driver != never) {
        done[driver] = true;
        bind(source.body[driver].atom);
    }
    const auto checks = [&] {
        for (std::uint32_t l = 0; l < source.body.size(); ++l) {
            if (done[l] || !ground_under(source.body[l].atom, bound)) continue;
            const auto kind = source.body[l].kind;
            done[l] = true;
            // A negated dynamic literal becomes part of the instance; nothing can be checked.
            if (kind == BodyLiteral::Kind::negative && relations_[rule.relations[l]].dynamic) continue;
            result.steps.push_back({kind == BodyLiteral::Kind::distinct   ? Step::Kind::distinct
                                    : kind == BodyLiteral::Kind::negative ? Step::Kind::check_negative
                                                                          : Step::Kind::check_positive,
                                    l, never});
        }
    };
    checks();
    while (true) {
        std::uint32_t best = never;
        double least = 0;
        for (std::uint32_t l = 0; l < source.body.size(); ++l) {
            if (done[l] || source.body[l].kind != BodyLiteral::Kind::positive) continue;
            // A guess: every bound argument of a relation divides its size by the number of values it may
            // take.
            const Relation& r = relations_[rule.relations[l]];
            double size = static_cast<double>(r.atoms.size() + (r.dynamic ? 1000 : 0));
            std::size_t places = 0;
            std::size_t keys = 0;
            const auto count = [&](const auto& self, const Term& term) -> void {
                if (term.kind == Term::Kind::compound && !ground_under(term, bound)) {
                    for (const Term& a : term.arguments) self(self, a);
                } else {
                    ++places;
                    if (ground_under(term, bound)) ++keys;
                }
            };
            for (const Term& a : source.body[l].atom.arguments) count(count, a);
            if (keys > 0) {
                const double open = 1.0 - static_cast<double>(keys) / (static_cast<double>(places) + 0.2);
                size = std::pow(std::max(1.0, size), open);
            }
            if (best == never || size < least) {
                best = l;
                least = size;
            }
        }
        if (best == never) break;
        done[best] = true;
        result.steps.push_back(
            {Step::Kind::match, best, index_for(rule.relations[best], source.body[best].atom, bound)});
        bind(source.body[best].atom);
        checks();
    }
    for (std::size_t l = 0; l < source.body.size(); ++l) {
        if (!done[l]) {
            throw Error({game_.file, source.body[l].line, source.body[l].column},
                        "a variable of this literal occurs in no positive literal of the rule",
                        "add a literal that binds it");
        }
    }
    if (!ground_under(source.head, bound)) {
        throw Error(game_.place(source), "a variable of the head occurs in no positive literal of the body",
                    "add a literal that binds it");
    }
    return result;
}

// ------------------------------------------------------------------------------------------ terms and atoms

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
        table_.assign(std::max<std::size_t>(4096, table_.size() * 2), 0);
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

// ------------------------------------------------------------------------------------------ evaluation

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
                           "allow more, or simplify the rules with most variables");
    }
    if (instance_count_ > options_.most_rules || derived_.size() > options_.most_rules) {
        throw TooLarge({game_.file}, fmt::format("grounding exceeds {} rule instances", options_.most_rules),
                       "simplify the rules with most variables");
    }
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

void Grounder::evaluate_static() {
    std::vector<bool> active(compiled_.size(), false);
    for (const auto& stratum : strata_) {
        if (stratum.empty()) continue;
        std::size_t done = derived_.size();
        const auto inside = [&](RelationId r) {
            return r != never && relations_[r].stratum == relations_[compiled_[stratum.front()].head].stratum;
        };
        for (const std::uint32_t c : stratum) {
            active[c] = true;
            Compiled& rule = compiled_[c];
            bool recursive = false;
            for (std::size_t l = 0; l < rule.relations.size(); ++l) {
                recursive = recursive || (rule.rule->body[l].kind == BodyLiteral::Kind::positive &&
                                          inside(rule.relations[l]));
            }
            if (!recursive) evaluate(rule, never, 0);
        }
        drain(done, active);
        for (const std::uint32_t c : stratum) active[c] = false;
    }
}

void Grounder::evaluate_dynamic() {
    recording_ = true;
    std::size_t done = derived_.size();
    std::vector<bool> active(compiled_.size(), false);
    const std::vector<AtomId> init = relations_[relation(kw_init, 1)].atoms;
    for (const AtomId a : init) {
        const TermId fluent = arguments(a)[0];
        derive(atom(relation(kw_true, 1), std::span(&fluent, 1)));
    }
    for (std::uint32_t c = 0; c < compiled_.size(); ++c) {
        Compiled& rule = compiled_[c];
        if (!relations_[rule.head].dynamic) continue;
        active[c] = true;
        bool driven = false;
        for (std::size_t l = 0; l < rule.relations.size(); ++l) {
            driven = driven || (rule.rule->body[l].kind == BodyLiteral::Kind::positive &&
                                relations_[rule.relations[l]].dynamic);
        }
        if (!driven) evaluate(rule, never, 0);
    }
    drain(done, active);
}

Grounding Grounder::run() {
    Symbols symbols = game_.symbols;
    rules_ = options_.split ? split_rules(game_.rules, symbols) : game_.rules;
    compile_rules();
    // Relations that the machine asks for exist even where no rule mentions them.
    for (const auto& [symbol, arity] :
         {std::pair<Symbol, std::size_t>{kw_role, 1}, {kw_init, 1}, {kw_true, 1}, {kw_does, 2}}) {
        (void)relation(symbol, arity);
    }
    find_dynamic();
    find_strata();
    evaluate_static();
    evaluate_dynamic();
    return finish();
}

Grounding Grounder::finish() {
    Grounding result;
    for (const AtomId a : relations_[relation(kw_role, 1)].atoms) result.roles.push_back(arguments(a)[0]);
    if (result.roles.empty()) throw Error({game_.file}, "there are no roles", "state them with (role name)");

    // Atoms that were only mentioned, never derived, stay in the numbering: they are false for ever.
    std::vector<AtomId> number(atom_relation_.size(), Grounding::none);
    const auto role_index = [&](TermId role) -> std::optional<std::uint16_t> {
        const auto at = std::find(result.roles.begin(), result.roles.end(), role);
        if (at == result.roles.end()) return std::nullopt;
        return static_cast<std::uint16_t>(at - result.roles.begin());
    };
    for (AtomId a = 0; a < atom_relation_.size(); ++a) {
        const Relation& r = relations_[atom_relation_[a]];
        if (!r.dynamic) continue;
        AtomKind kind = AtomKind::derived;
        TermId term = 0;
        std::uint16_t role = 0;
        const auto of_role = [&](AtomKind k) {
            if (const auto index = role_index(arguments(a)[0])) {
                kind = k;
                role = *index;
                term = arguments(a)[1];
            }
        };
        switch (r.symbol) {
            case kw_true:
                kind = AtomKind::fluent, term = arguments(a)[0];
                break;
            case kw_next:
                kind = AtomKind::next, term = arguments(a)[0];
                break;
            case kw_does:
                of_role(AtomKind::move);
                break;
            case kw_legal:
                of_role(AtomKind::legal);
                break;
            case kw_goal:
                of_role(AtomKind::goal);
                break;
            case kw_sees:
                of_role(AtomKind::sees);
                break;
            case kw_terminal:
                kind = AtomKind::terminal;
                break;
            default:
                break;
        }
        number[a] = static_cast<AtomId>(result.kind.size());
        result.kind.push_back(kind);
        result.term.push_back(term);
        result.role.push_back(role);
    }
    result.partner.assign(result.kind.size(), Grounding::none);
    const auto pair = [&](Symbol from, Symbol to) {
        const std::size_t arity = from == kw_next ? 1 : 2;
        for (const AtomId a : relations_[relation(from, arity)].atoms) {
            const std::vector<TermId> terms(arguments(a).begin(), arguments(a).end());
            const AtomId other = atom(relation(to, arity), terms);
            result.partner[number[a]] = number[other];
            result.partner[number[other]] = number[a];
        }
    };
    pair(kw_next, kw_true);
    pair(kw_legal, kw_does);
    for (const AtomId a : relations_[relation(kw_init, 1)].atoms) {
        const TermId fluent = arguments(a)[0];
        result.initial.push_back(number[atom(relation(kw_true, 1), std::span(&fluent, 1))]);
    }
    for (std::size_t at = 0; at < instances_.size();) {
        const std::size_t length = 3 + instances_[at + 1] + instances_[at + 2];
        if (length == 3) {
            result.facts.push_back(number[instances_[at]]);
        } else {
            result.rules.push_back(number[instances_[at]]);
            result.rules.push_back(instances_[at + 1]);
            result.rules.push_back(instances_[at + 2]);
            for (std::size_t i = at + 3; i < at + length; ++i) result.rules.push_back(number[instances_[i]]);
            ++result.rule_count;
        }
        at += length;
    }
    result.terms = std::move(terms_);
    return result;
}

Grounding ground(const Description& game, const GroundOptions& options) {
    return Grounder(game, options).run();
}

}  // namespace zermelo::gdl
