// Linear sums: Σ a·x (=, ≠, ≤) c, required or reified; bounds consistency for = and ≤, and ≠ once one variable
// is open. A sum of one term is a comparison with a constant and sees holes too.
//
// A long sum keeps its least and greatest activity up to date and sleeps while these can neither decide it
// nor narrow anything (Achterberg 2007, section 7.1); a short one is added up when it runs. A short sum of
// Booleans is its prime implicates (Quine 1952) where these are few: unit propagation on them finds all that
// follows.

#include "kernel/trail/explanation.hpp"
#include "kernel/trail/post.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

namespace zermelo::kernel::trail {

namespace {

constexpr std::size_t longest_short_sum = 4;

enum class Decided : std::uint8_t { no, yes, open };

Number floor_div(Number a, Number b) { return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0); }
Number ceil_div(Number a, Number b) { return a / b + (a % b != 0 && (a < 0) == (b < 0) ? 1 : 0); }

// What the literal says about the body; `yes` where there is none.
Decided wanted(const Store& store, const std::optional<model::Literal>& by) {
    if (!by || store.is_true(*by)) return Decided::yes;
    return store.is_false(*by) ? Decided::no : Decided::open;
}

// x ≤ c, x = c, or one of them reified.
class Comparison final : public Propagator {
public:
    // Without a literal it holds or not, as `positive` says.
    Comparison(VarId x, model::Relation relation, Number constant, std::optional<model::Literal> by,
               bool positive)
        : x_(x), relation_(relation), constant_(constant), by_(by), positive_(positive) {}

    bool propagate(Store& store) override {
        if (!by_) return impose(store, positive_);
        const Decided want = wanted(store, by_);
        if (want != Decided::open) return impose(store, want == Decided::yes);
        const Decided body = decide(store);
        return body == Decided::open || store.assume(body == Decided::yes ? *by_ : !*by_);
    }

    void explain(const Fact& fact, Explanation& why) const override {
        if (by_ && by_->variable == x_) return why.need_scope();
        if (by_ && fact.variable == by_->variable) {
            const bool holds = fact.says_true() == by_->positive;
            if (relation_ == model::Relation::at_most) {
                return holds ? why.need_high(x_, constant_) : why.need_low(x_, constant_ + 1);
            }
            if (holds != (relation_ == model::Relation::equal)) return why.need_gone(x_, constant_);
            why.need_low(x_, constant_);
            return why.need_high(x_, constant_);
        }
        const bool holds = by_ ? why.is_true(*by_) : positive_;
        if (by_) why.need_true(holds ? *by_ : !*by_);
        // What is said about x alone; the holes of its domain may have done the rest.
        const bool forbids =
            relation_ != model::Relation::at_most && holds != (relation_ == model::Relation::equal);
        if (forbids && fact.kind != Fact::Kind::high) {
            if (fact.kind == Fact::Kind::gone) return;
            why.need_low(x_, constant_);
            if (fact.kind == Fact::Kind::failure) return why.need_high(x_, constant_);
            return why.need_gone(x_, constant_ + 1, fact.value - 1);
        }
        if (forbids) {
            why.need_high(x_, constant_);
            return why.need_gone(x_, fact.value + 1, constant_ - 1);
        }
        const Number least = relation_ == model::Relation::at_most ? constant_ + 1 : constant_;
        if (fact.kind == Fact::Kind::low) why.need_gone(x_, least, fact.value - 1);
        if (fact.kind == Fact::Kind::high) why.need_gone(x_, fact.value + 1, constant_);
    }

private:
    [[nodiscard]] bool impose(Store& store, bool holds) const {
        switch (relation_) {
            case model::Relation::at_most:
                return holds ? store.lower(x_, constant_) : store.raise(x_, constant_ + 1);
            case model::Relation::equal:
            case model::Relation::different:
                if (holds == (relation_ == model::Relation::equal)) return store.assign(x_, constant_);
                return store.fixed(x_) ? store.low(x_) != constant_ : store.remove(x_, constant_);
        }
        return true;
    }
    [[nodiscard]] Decided decide(const Store& store) const {
        if (relation_ == model::Relation::at_most) {
            if (store.high(x_) <= constant_) return Decided::yes;
            return store.low(x_) > constant_ ? Decided::no : Decided::open;
        }
        const bool equal = relation_ == model::Relation::equal;
        if (!store.allows(x_, constant_)) return equal ? Decided::no : Decided::yes;
        if (store.fixed(x_)) return equal ? Decided::yes : Decided::no;
        return Decided::open;
    }

    VarId x_;
    model::Relation relation_;
    Number constant_;
    std::optional<model::Literal> by_;
    bool positive_;
};

// The terms of a short sum, beside the rest of it.
class FewTerms {
public:
    explicit FewTerms(const std::vector<model::Term>& terms) : count_(terms.size()) {
        std::copy(terms.begin(), terms.end(), terms_.begin());
    }
    [[nodiscard]] const model::Term* begin() const { return terms_.data(); }
    [[nodiscard]] const model::Term* end() const { return terms_.data() + count_; }

private:
    std::array<model::Term, longest_short_sum> terms_ = {};
    std::size_t count_;
};

template <class Terms>
class Sum final : public Propagator {
public:
    Sum(const std::vector<model::Term>& terms, model::Relation relation, Number constant,
        std::optional<model::Literal> by)
        : relation_(relation), by_(by), constant_(constant), terms_(terms) {}

    // Kept up to date by the store from now on. `reach` is the widest term.
    void keep(std::uint32_t activity, Number reach) {
        kept_ = true;
        activity_ = activity;
        reach_ = reach;
    }
    // While the body is open, only deciding it is of interest.
    void sleep(Store& store) const {
        constexpr Number never = std::numeric_limits<Number>::max();
        Store::Activity& activity = store.activity(activity_);
        Number least = never;
        Number greatest = -never;
        const Decided want = wanted(store, by_);
        if (relation_ == model::Relation::at_most) {
            if (want != Decided::no) least = want == Decided::open ? constant_ : constant_ - reach_;
            if (want != Decided::yes)
                greatest = want == Decided::open ? constant_ + 1 : constant_ + 1 + reach_;
        } else if (want != Decided::open && (want == Decided::yes) == (relation_ == model::Relation::equal)) {
            least = constant_ - reach_;
            greatest = constant_ + reach_;
        } else {
            // Different, or open: decided when the constant is outside, or when all terms but one are fixed,
            // which shows in a spread of at most the widest term.
            least = -never;
        }
        store.set(activity.least_limit, least);
        store.set(activity.greatest_limit, greatest);
    }

    bool propagate(Store& store) override {
        if (kept_) {
            sleep(store);
            const Store::Activity& activity = store.activity(activity_);
            least_ = activity.least;
            greatest_ = activity.greatest;
        } else {
            add_up(store);
        }
        const Decided want = wanted(store, by_);
        if (want == Decided::open) {
            const Decided body = decide();
            return body == Decided::open || store.assume(body == Decided::yes ? *by_ : !*by_);
        }
        const bool holds = want == Decided::yes;
        if (relation_ == model::Relation::at_most) {
            return holds ? narrow(store, 1, constant_) : narrow(store, -1, constant_ + 1);
        }
        if (holds == (relation_ == model::Relation::equal)) {
            return narrow(store, 1, constant_) && narrow(store, -1, constant_);
        }
        return different(store);
    }

    void explain(const Fact& fact, Explanation& why) const override {
        if (!explain_tightly(fact, why)) need_all(why);
    }

private:
    void need_all(Explanation& why) const {
        for (const model::Term& term : terms_) why.need_domain(term.variable);
        if (by_) why.need_domain(by_->variable);
    }

    // The least that sign · coefficient · variable can be.
    static Number least_of(const model::Term& term, Number sign, const model::Interval& bounds) {
        return std::min(sign * term.coefficient * bounds.low, sign * term.coefficient * bounds.high);
    }
    static model::Interval bounds_of(const model::Term& term, const Explanation& why) {
        return {why.low(term.variable), why.high(term.variable)};
    }

    // sign · Σ, without the term of `v`, is at least `target`: bounds that are better than needed are weakened,
    // as far as the slack allows.
    [[nodiscard]] bool need_least(Number sign, Number target, Explanation& why, VarId v = -1) const {
        Number slack = -target;
        for (const model::Term& term : terms_) {
            if (term.variable != v) slack += least_of(term, sign, bounds_of(term, why));
        }
        if (slack < 0) return false;
        for (const model::Term& term : terms_) {
            if (term.variable == v) continue;
            const Number now = least_of(term, sign, bounds_of(term, why));
            const Number at_root = least_of(term, sign, why.root(term.variable));
            if (now - at_root <= slack) {
                slack -= now - at_root;
                continue;
            }
            const Number a = sign * term.coefficient;
            const Number bound = a > 0 ? ceil_div(now - slack, a) : floor_div(now - slack, a);
            if (a > 0) {
                why.need_low(term.variable, bound);
            } else {
                why.need_high(term.variable, bound);
            }
            slack -= now - a * bound;
        }
        return true;
    }

    // sign · Σ ≤ bound gives the variable of a term, whose coefficient times the sign is positive, a greatest
    // value, and otherwise a least one.
    [[nodiscard]] bool need_for_bound(const model::Term& term, Number sign, Number bound, Number value,
                                      Explanation& why) const {
        const Number a = sign * term.coefficient;
        Number rest = 0;
        for (const model::Term& other : terms_) {
            if (other.variable != term.variable) rest += least_of(other, sign, bounds_of(other, why));
        }
        if (a > 0) {
            const Number given = floor_div(bound - rest, a);
            if (given > value) why.need_gone(term.variable, value + 1, given);
            return need_least(sign, bound - a * (std::max(given, value) + 1) + 1, why, term.variable);
        }
        const Number given = ceil_div(rest - bound, -a);
        if (given < value) why.need_gone(term.variable, given, value - 1);
        return need_least(sign, bound - a * (std::min(given, value) - 1) + 1, why, term.variable);
    }

    [[nodiscard]] const model::Term* term_of(VarId v) const {
        const auto found = std::find_if(terms_.begin(), terms_.end(),
                                        [&](const model::Term& term) { return term.variable == v; });
        return found == terms_.end() ? nullptr : &*found;
    }

    // False where it is not known how; what has been needed until then does no harm.
    [[nodiscard]] bool explain_tightly(const Fact& fact, Explanation& why) const {
        if (by_ && term_of(by_->variable) != nullptr) return false;
        if (by_ && fact.variable == by_->variable) {
            return explain_body(fact.says_true() == by_->positive, why);
        }
        const bool holds = !by_ || why.is_true(*by_);
        if (by_) why.need_true(holds ? *by_ : !*by_);
        if (fact.kind == Fact::Kind::failure) return explain_body(!holds, why);
        const model::Term& term = *term_of(fact.variable);
        if (relation_ == model::Relation::at_most) {
            return explain_bound(term, holds ? 1 : -1, holds ? constant_ : -constant_ - 1, fact, why);
        }
        if (holds == (relation_ == model::Relation::equal)) {
            return explain_bound(term, 1, constant_, fact, why) ||
                   explain_bound(term, -1, -constant_, fact, why);
        }
        return explain_different(term, fact, why);
    }

    // Bounds decide the body.
    [[nodiscard]] bool explain_body(bool holds, Explanation& why) const {
        if (relation_ == model::Relation::at_most) {
            return holds ? need_least(-1, -constant_, why) : need_least(1, constant_ + 1, why);
        }
        if (holds != (relation_ == model::Relation::equal)) {
            if (need_least(1, constant_ + 1, why) || need_least(-1, 1 - constant_, why)) return true;
        }
        for (const model::Term& term : terms_) {
            if (!why.fixed(term.variable)) return false;
            why.need_fixed(term.variable);
        }
        return true;
    }

    // False where this inequality does not say it.
    [[nodiscard]] bool explain_bound(const model::Term& term, Number sign, Number bound, const Fact& fact,
                                     Explanation& why) const {
        const bool greatest = sign * term.coefficient > 0;
        if (fact.kind == (greatest ? Fact::Kind::high : Fact::Kind::low))
            return need_for_bound(term, sign, bound, fact.value, why);
        if (fact.kind != Fact::Kind::gone) return false;
        const Number a = sign * term.coefficient;
        return need_least(sign, bound - a * fact.value + 1, why, term.variable);
    }

    [[nodiscard]] bool explain_different(const model::Term& term, const Fact& fact, Explanation& why) const {
        Number left = constant_;
        for (const model::Term& other : terms_) {
            if (other.variable == term.variable) continue;
            if (!why.fixed(other.variable)) return false;
            left -= other.coefficient * why.low(other.variable);
        }
        if (left % term.coefficient != 0) return false;
        const Number value = left / term.coefficient;
        for (const model::Term& other : terms_) {
            if (other.variable != term.variable) why.need_fixed(other.variable);
        }
        if (fact.kind == Fact::Kind::gone) return fact.value == value;
        if (fact.kind == Fact::Kind::low) {
            why.need_low(term.variable, value);
            why.need_gone(term.variable, value + 1, fact.value - 1);
        } else {
            why.need_high(term.variable, value);
            why.need_gone(term.variable, fact.value + 1, value - 1);
        }
        return true;
    }

    void add_up(const Store& store) {
        least_ = 0;
        greatest_ = 0;
        for (const model::Term& term : terms_) {
            const Number a = term.coefficient * store.low(term.variable);
            const Number b = term.coefficient * store.high(term.variable);
            least_ += std::min(a, b);
            greatest_ += std::max(a, b);
        }
    }

    [[nodiscard]] Decided decide() const {
        if (relation_ == model::Relation::at_most) {
            if (greatest_ <= constant_) return Decided::yes;
            return least_ > constant_ ? Decided::no : Decided::open;
        }
        const bool equal = relation_ == model::Relation::equal;
        if (least_ > constant_ || greatest_ < constant_) return equal ? Decided::no : Decided::yes;
        if (least_ == greatest_) return equal ? Decided::yes : Decided::no;
        return Decided::open;
    }

    // Σ ≤ bound, or with sign -1: Σ ≥ bound.
    [[nodiscard]] bool narrow(Store& store, Number sign, Number bound) const {
        const Number slack = sign > 0 ? bound - least_ : greatest_ - bound;
        if (slack < 0) return false;
        if (sign > 0 ? greatest_ <= bound : least_ >= bound) return true;
        for (const model::Term& term : terms_) {
            const Number low = store.low(term.variable);
            const Number high = store.high(term.variable);
            const Number a = sign * term.coefficient;
            if (a > 0) {
                if (a * (high - low) > slack && !store.lower(term.variable, low + slack / a)) return false;
            } else if (-a * (high - low) > slack) {
                if (!store.raise(term.variable, high - slack / -a)) return false;
            }
        }
        return true;
    }

    [[nodiscard]] bool different(Store& store) const {
        if (least_ > constant_ || greatest_ < constant_) return true;
        const model::Term* open = nullptr;
        Number left = constant_;
        for (const model::Term& term : terms_) {
            if (store.fixed(term.variable)) {
                left -= term.coefficient * store.low(term.variable);
            } else if (open != nullptr) {
                return true;
            } else {
                open = &term;
            }
        }
        if (open == nullptr) return left != 0;
        return left % open->coefficient != 0 || store.remove(open->variable, left / open->coefficient);
    }

    model::Relation relation_;
    std::optional<model::Literal> by_;
    Number constant_;
    Terms terms_;
    bool kept_ = false;
    std::uint32_t activity_ = 0;
    Number reach_ = 0;
    Number least_ = 0;
    Number greatest_ = 0;
};

// a·x (=, ≠, ≤) c without the coefficient. An equality that no integer satisfies is x = (below its domain).
void post_comparison(Store& store, const model::Linear& linear, int due) {
    const auto [a, x] = linear.terms.front();
    model::Relation relation = linear.relation;
    Number constant = 0;
    std::optional<model::Literal> by = linear.reified;
    if (relation == model::Relation::at_most) {
        constant = a > 0 ? floor_div(linear.constant, a) : ceil_div(linear.constant, a) - 1;
    } else {
        constant = linear.constant % a == 0 ? linear.constant / a : Number{store.low(x)} - 1;
    }
    std::vector<Store::Watched> watched{
        {x, relation == model::Relation::at_most ? bounds_events : any_event}};
    if (by) watched.push_back({by->variable, fix_event});
    bool positive = true;
    if (relation == model::Relation::at_most && a < 0) {  // x ≥ constant + 1: the comparison does not hold
        if (by) {
            by = !*by;
        } else {
            positive = false;
        }
    }
    if (!by) watched.clear();  // once is enough, except where a wide domain keeps no holes
    if (!by && relation == model::Relation::different) watched = {{x, fix_event}};
    store.add(std::make_unique<Comparison>(x, relation, constant, by, positive), watched, due);
}

// ---- short sums of Booleans as clauses

constexpr std::size_t longest_boolean_sum = 3;
constexpr std::size_t most_implicates = 8;

// A clause over a few variables: bit i of `positive` or `negative` says that literal i is in it.
struct Implicate {
    unsigned positive;
    unsigned negative;
    [[nodiscard]] bool inside(const Implicate& other) const {
        return (positive & ~other.positive) == 0 && (negative & ~other.negative) == 0;
    }
};

// By increasing length; `holds(bits)` says which assignments satisfy the constraint.
template <class Holds>
std::vector<Implicate> prime_implicates(unsigned variables, Holds holds) {
    std::vector<Implicate> all;
    const unsigned assignments = 1U << variables;
    for (unsigned positive = 0; positive < assignments; ++positive) {
        for (unsigned negative = 0; negative < assignments; ++negative) {
            if ((positive & negative) == 0) all.push_back({positive, negative});
        }
    }
    std::stable_sort(all.begin(), all.end(), [](const Implicate& a, const Implicate& b) {
        return std::popcount(a.positive | a.negative) < std::popcount(b.positive | b.negative);
    });
    std::vector<Implicate> prime;
    for (const Implicate& clause : all) {
        bool follows = true;
        for (unsigned bits = 0; bits < assignments && follows; ++bits) {
            const bool satisfied = (bits & clause.positive) != 0 || (~bits & clause.negative) != 0;
            follows = satisfied || !holds(bits);
        }
        const bool minimal = std::none_of(prime.begin(), prime.end(),
                                          [&](const Implicate& shorter) { return shorter.inside(clause); });
        if (follows && minimal) prime.push_back(clause);
    }
    return prime;
}

// False where the sum is not one that clauses say well.
bool post_as_clauses(Store& store, const model::Linear& linear) {
    const auto& terms = linear.terms;
    const auto boolean = [&](VarId v) { return store.low(v) == 0 && store.high(v) == 1; };
    if (terms.size() > longest_boolean_sum ||
        !std::all_of(terms.begin(), terms.end(),
                     [&](const model::Term& term) { return boolean(term.variable); }))
        return false;
    std::vector<VarId> variables;
    for (const model::Term& term : terms) variables.push_back(term.variable);
    if (linear.reified) {
        const VarId literal = linear.reified->variable;
        if (!boolean(literal) || std::find(variables.begin(), variables.end(), literal) != variables.end())
            return false;
        variables.push_back(literal);
    }
    const auto holds = [&](unsigned bits) {
        Number sum = 0;
        for (std::size_t i = 0; i < terms.size(); ++i) sum += (bits >> i & 1) != 0 ? terms[i].coefficient : 0;
        const bool body = linear.relation == model::Relation::at_most ? sum <= linear.constant
                          : linear.relation == model::Relation::equal ? sum == linear.constant
                                                                      : sum != linear.constant;
        return body == (!linear.reified || ((bits >> terms.size() & 1) != 0) == linear.reified->positive);
    };
    const auto clauses = prime_implicates(static_cast<unsigned>(variables.size()), holds);
    if (clauses.size() > most_implicates) return false;
    for (const Implicate& clause : clauses) {
        std::vector<model::Literal> literals;
        for (std::size_t i = 0; i < variables.size(); ++i) {
            if ((clause.positive >> i & 1) != 0) literals.push_back({variables[i], true});
            if ((clause.negative >> i & 1) != 0) literals.push_back({variables[i], false});
        }
        store.add_clause(literals);
    }
    return true;
}

// A sum of nothing.
void post_truth(Store& store, bool holds, const std::optional<model::Literal>& by, int due) {
    std::vector<model::Literal> literals;
    if (by) literals.push_back(holds ? *by : !*by);
    if (by || !holds) post(store, model::Clause{literals, std::nullopt}, due);
}

}  // namespace

void post(Store& store, const model::Linear& linear, int due) {
    model::Linear left = linear;
    std::erase_if(left.terms, [&](const model::Term& term) {
        if (!store.fixed(term.variable)) return false;
        left.constant -= term.coefficient * store.low(term.variable);
        return true;
    });
    if (left.terms.empty()) {
        const bool equal = left.constant == 0;
        const bool holds = left.relation == model::Relation::equal       ? equal
                           : left.relation == model::Relation::different ? !equal
                                                                         : left.constant >= 0;
        return post_truth(store, holds, left.reified, due);
    }
    if (left.terms.size() == 1) return post_comparison(store, left, due);
    if (due < 0 && post_as_clauses(store, left)) return;

    std::vector<Store::Watched> watched;
    if (left.reified) watched.push_back({left.reified->variable, fix_event});
    if (left.terms.size() <= longest_short_sum) {
        for (const model::Term& term : left.terms) watched.push_back({term.variable, bounds_events});
        store.add(std::make_unique<Sum<FewTerms>>(left.terms, left.relation, left.constant, left.reified),
                  watched, due);
        return;
    }
    auto made = std::make_unique<Sum<std::vector<model::Term>>>(left.terms, left.relation, left.constant,
                                                                left.reified);
    auto& sum = *made;
    const std::uint32_t id = store.add(std::move(made), watched, due);
    Number reach = 0;
    for (const model::Term& term : left.terms) {
        const Number width = Number{store.high(term.variable)} - store.low(term.variable);
        reach = std::max(reach, (term.coefficient < 0 ? -term.coefficient : term.coefficient) * width);
    }
    sum.keep(store.add_sum(left.terms, id), reach);
}

}  // namespace zermelo::kernel::trail
