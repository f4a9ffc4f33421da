// Explanations: which moves imply that a position has failed, or that a variable has lost a value?
//
// Lazy explanations (Gent, Miguel and Moore 2010) on the trail of a store, as in conflict analysis of SAT solvers
// (Marques-Silva and Sakallah 1999): a fact is replaced by the facts from before that implied it, the latest
// first, until only moves are left. A clause names its other literals, a propagator names what it needs
// (Propagator::explain). What was known before the first move, and what is demanded, need no reason. So: if the
// moves that come out are played again, whatever the other moves are, and the same is demanded, then the fact
// holds again.
//
// One explanation costs the changes that it walks over, times the logarithm of the facts that wait. Nothing is
// prepared while the store propagates, except for its log of who made which changes.

#pragma once

#include "kernel/trail/store.hpp"
#include "model/simplify/image.hpp"

namespace zermelo::kernel::trail {

class Explanation {
public:
    explicit Explanation(Store& store) : store_(store), last_(store.cells_.size(), none) {}

    // ---- for a search: the variables of the moves, each once, in no order

    // Of a store that has failed.
    [[nodiscard]] const std::vector<VarId>& failure();
    // Of a literal that is true.
    [[nodiscard]] const std::vector<VarId>& truth(model::Literal literal);
    // Of several things together: begin, name them, and ask for the moves.
    void begin();
    void value_gone(VarId v, Number value) { need_gone(v, value); }
    void fixed_value(VarId v) { need_fixed(v); }
    [[nodiscard]] const std::vector<VarId>& moves();

    // ---- for tests: the facts that stand for one change of the trail, or for the failure

    struct Step {
        Fact fact;
        std::vector<Fact> premises;
        bool moved = false;  // a move: it has none
    };
    [[nodiscard]] std::vector<Step> steps_of(std::size_t change);
    [[nodiscard]] Step step_of_failure();

    // ---- for propagators: domains as they were just before the change, and what is needed of them

    [[nodiscard]] Number low(VarId v) const { return before(v).low; }
    [[nodiscard]] Number high(VarId v) const { return before(v).high; }
    [[nodiscard]] bool fixed(VarId v) const {
        const View view = before(v);
        return view.low == view.high;
    }
    [[nodiscard]] bool is_true(model::Literal l) const {
        const View view = before(l.variable);
        return view.low == view.high && (view.low != 0) == l.positive;
    }
    [[nodiscard]] model::Interval root(VarId v) const;  // the bounds before the first move

    void need_low(VarId v, Number least);
    void need_high(VarId v, Number greatest);
    void need_fixed(VarId v) { need_low(v, low(v)), need_high(v, high(v)); }
    void need_gone(VarId v, Number value);
    void need_gone(VarId v, Number first, Number last) {
        for (Number value = first; value <= last; ++value) need_gone(v, value);
    }
    void need_true(model::Literal l) { l.positive ? need_low(l.variable, 1) : need_high(l.variable, 0); }
    void need_domain(VarId v);
    void need_scope();  // the domains of all variables of the propagator

private:
    using Index = std::int32_t;  // of a change
    static constexpr Index none = -1;
    struct Link {  // of a change
        VarId variable;
        Index previous;  // of the same variable
    };
    struct View {  // of a variable before now_
        Number low;
        Number high;
        Index last;  // its last change before now_
    };
    struct Waiting {
        Index change;
        Fact fact;
    };
    static bool sooner(const Waiting& a, const Waiting& b);

    void link();
    [[nodiscard]] Index base() const {
        return store_.marks_.empty() ? static_cast<Index>(store_.changes_.size())
                                     : static_cast<Index>(store_.marks_.front().changes);
    }
    [[nodiscard]] const Store::Change& change(Index i) const {
        return store_.changes_[static_cast<std::size_t>(i)];
    }
    [[nodiscard]] Index previous(Index i) const { return links_[static_cast<std::size_t>(i)].previous; }
    [[nodiscard]] View before(VarId v) const;
    [[nodiscard]] const Store::Origin& origin(Index i) const;
    void wait_for(Index change, const Fact& fact);
    void explain(const Store::Origin& origin, const Fact& fact);
    void explain_failure();
    void contradict(const Fact& refused);
    void walk();
    void add_move(VarId v);

    Store& store_;
    std::vector<Link> links_;  // by change
    std::vector<Index> last_;  // by variable: its last change
    Index now_ = 0;            // facts are from before this change
    Index base_ = 0;
    std::uint32_t propagator_ = 0;  // that explains now
    std::vector<Waiting> waiting_;  // a heap: the latest first
    std::vector<VarId> moves_;
    std::vector<Fact>* premises_ = nullptr;  // where tests want them
};

}  // namespace zermelo::kernel::trail
