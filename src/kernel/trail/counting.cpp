// All-different, and how many variables have a value.

#include "kernel/trail/post.hpp"

#include <algorithm>

namespace zermelo::kernel::trail {

namespace {

// A fixed value leaves the domains of the others. It also fails when there are fewer values than variables in
// the hull of all domains (the pigeonhole principle).
class AllDifferent final : public Propagator {
public:
    explicit AllDifferent(std::vector<VarId> variables) : variables_(std::move(variables)) {}

    bool propagate(Store& store) override {
        for (bool again = true; again;) {
            again = false;
            for (std::size_t i = 0; i < variables_.size(); ++i) {
                if (!store.fixed(variables_[i])) continue;
                const std::int32_t value = store.low(variables_[i]);
                for (std::size_t j = 0; j < variables_.size(); ++j) {
                    if (j == i) continue;
                    const VarId other = variables_[j];
                    if (store.fixed(other)) {
                        if (store.low(other) == value) return false;
                    } else if (store.allows(other, value)) {
                        if (!store.remove(other, value)) return false;
                        again = again || store.fixed(other);
                    }
                }
            }
        }
        Number low = store.low(variables_.front());
        Number high = store.high(variables_.front());
        for (const VarId v : variables_) {
            low = std::min<Number>(low, store.low(v));
            high = std::max<Number>(high, store.high(v));
        }
        return high - low + 1 >= static_cast<Number>(variables_.size());
    }

private:
    std::vector<VarId> variables_;
};

// Bounds of the result from those that have the value for certain and those that can have it; where the result
// leaves no choice, the open ones get it or lose it.
class Count final : public Propagator {
public:
    explicit Count(const model::Count& count) : form_(count) {}

    bool propagate(Store& store) override {
        if (!store.fixed(form_.value)) return count_any(store);
        const std::int32_t value = store.low(form_.value);
        const auto [certain, possible] = tally(store, value);
        if (!store.raise(form_.result, certain) || !store.lower(form_.result, possible)) return false;
        if (certain == possible) return true;
        if (store.high(form_.result) == certain) {
            return each_open(store, value, [&](VarId v) { return store.remove(v, value); });
        }
        if (store.low(form_.result) == possible) {
            return each_open(store, value, [&](VarId v) { return store.assign(v, value); });
        }
        return true;
    }

private:
    struct Tally {
        Number certain = 0;   // variables that have the value
        Number possible = 0;  // and those that can have it
    };
    [[nodiscard]] Tally tally(const Store& store, std::int32_t value) const {
        Tally result;
        for (const VarId v : form_.variables) {
            if (!store.allows(v, value)) continue;
            ++result.possible;
            if (store.fixed(v)) ++result.certain;
        }
        return result;
    }

    template <class Change>
    [[nodiscard]] bool each_open(const Store& store, std::int32_t value, Change change) const {
        return std::all_of(form_.variables.begin(), form_.variables.end(),
                           [&](VarId v) { return store.fixed(v) || !store.allows(v, value) || change(v); });
    }

    // The value is open: the result lies between the least certain and the greatest possible number.
    [[nodiscard]] bool count_any(Store& store) const {
        Number least = static_cast<Number>(form_.variables.size());
        Number greatest = 0;
        gone_.clear();
        store.each_value(form_.value, [&](std::int32_t value) {
            const auto [certain, possible] = tally(store, value);
            if (possible < store.low(form_.result) || certain > store.high(form_.result)) {
                gone_.push_back(value);
                return;
            }
            least = std::min(least, certain);
            greatest = std::max(greatest, possible);
        });
        for (const std::int32_t value : gone_) {
            if (!store.remove(form_.value, value)) return false;
        }
        return store.raise(form_.result, least) && store.lower(form_.result, greatest);
    }

    model::Count form_;
    mutable std::vector<std::int32_t> gone_;
};

}  // namespace

void post(Store& store, const model::AllDifferent& all_different, int due) {
    if (all_different.variables.size() < 2) return;
    std::vector<Store::Watched> watched;
    for (const VarId v : all_different.variables) watched.push_back({v, bounds_events});
    store.add(std::make_unique<AllDifferent>(all_different.variables), watched, due, true);
}

void post(Store& store, const model::Count& count, int due) {
    std::vector<Store::Watched> watched{{count.value, any_event}, {count.result, bounds_events}};
    for (const VarId v : count.variables) watched.push_back({v, any_event});
    store.add(std::make_unique<Count>(count), watched, due);
}

}  // namespace zermelo::kernel::trail
