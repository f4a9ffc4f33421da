// Clauses and parities. A clause that acts from the start is watched by two of its literals (Moskewicz et al.
// 2001); a reified one is its Tseitin form (1968): an implication for each literal, and one long clause.

#include "kernel/trail/post.hpp"

#include <algorithm>

namespace zermelo::kernel::trail {

namespace {

// A clause that waits for a move: unit propagation by counting.
class WaitingClause final : public Propagator {
public:
    explicit WaitingClause(std::vector<model::Literal> literals) : literals_(std::move(literals)) {}

    bool propagate(Store& store) override {
        const model::Literal* last = nullptr;
        for (const model::Literal& l : literals_) {
            if (store.is_true(l)) return true;
            if (store.is_false(l)) continue;
            if (last != nullptr) return true;
            last = &l;
        }
        return last != nullptr && store.assume(*last);
    }

private:
    std::vector<model::Literal> literals_;
};

void add_clause(Store& store, std::vector<model::Literal> literals, int due) {
    if (due < 0) return store.add_clause(literals);
    std::vector<Store::Watched> watched;
    for (const model::Literal l : literals) watched.push_back({l.variable, fix_event});
    store.add(std::make_unique<WaitingClause>(std::move(literals)), watched, due);
}

// The last open literal gets the value that makes the number of true ones odd.
class OddParity final : public Propagator {
public:
    explicit OddParity(std::vector<model::Literal> literals) : literals_(std::move(literals)) {}

    bool propagate(Store& store) override {
        bool odd = false;
        const model::Literal* last = nullptr;
        for (const model::Literal& l : literals_) {
            if (store.is_true(l)) {
                odd = !odd;
            } else if (!store.is_false(l)) {
                if (last != nullptr) return true;
                last = &l;
            }
        }
        return last == nullptr ? odd : store.assume(odd ? !*last : *last);
    }

private:
    std::vector<model::Literal> literals_;
};

}  // namespace

void post(Store& store, const model::Clause& clause, int due) {
    if (!clause.reified) return add_clause(store, clause.literals, due);
    std::vector<model::Literal> all{!*clause.reified};
    for (const model::Literal l : clause.literals) {
        add_clause(store, {!l, *clause.reified}, due);
        all.push_back(l);
    }
    add_clause(store, std::move(all), due);
}

// A variable that stands in it twice is always open or fixed in both places, so counting them is right once it
// is fixed; until then nothing is concluded.
void post(Store& store, const model::Parity& parity, int due) {
    std::vector<Store::Watched> watched;
    for (const model::Literal l : parity.literals) watched.push_back({l.variable, fix_event});
    store.add(std::make_unique<OddParity>(parity.literals), watched, due);
}

}  // namespace zermelo::kernel::trail
