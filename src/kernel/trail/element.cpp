// array[index] = result. The index keeps the places whose entry can still equal the result; the result keeps
// the hull of these entries, and loses the values that none of them has where its domain is small.
//
// Where all entries are constants, places are looked at again only when the result has changed, and each
// value of the result remembers the place that supported it last (residual supports, Lecoutre and Hemery
// 2007).

#include "kernel/trail/post.hpp"

#include <algorithm>
#include <map>

namespace zermelo::kernel::trail {

namespace {

class Element final : public Propagator {
public:
    explicit Element(const model::Element& element) : element_(element) {}

    bool propagate(Store& store) override {
        const auto n = static_cast<Number>(element_.array.size());
        if (!store.raise(element_.index, 1) || !store.lower(element_.index, n)) return false;
        if (store.fixed(element_.index)) return equal(store, entry(store.low(element_.index)));
        return remove_places(store) && narrow_result(store);
    }

private:
    [[nodiscard]] VarId entry(Number place) const {
        return element_.array[static_cast<std::size_t>(place - 1)];
    }

    [[nodiscard]] bool can_be_equal(const Store& store, VarId a, VarId b) const {
        if (store.fixed(a)) return store.allows(b, store.low(a));
        if (store.fixed(b)) return store.allows(a, store.low(b));
        return store.low(a) <= store.high(b) && store.low(b) <= store.high(a);
    }

    [[nodiscard]] bool remove_places(Store& store) {
        places_.clear();
        store.each_value(element_.index, [&](std::int32_t place) {
            if (!can_be_equal(store, entry(place), element_.result)) places_.push_back(place);
        });
        for (const std::int32_t place : places_) {
            if (!store.remove(element_.index, place)) return false;
        }
        return true;
    }

    [[nodiscard]] bool narrow_result(Store& store) {
        if (store.fixed(element_.index)) return equal(store, entry(store.low(element_.index)));
        Number low = store.high(element_.result);
        Number high = store.low(element_.result);
        store.each_value(element_.index, [&](std::int32_t place) {
            low = std::min<Number>(low, store.low(entry(place)));
            high = std::max<Number>(high, store.high(entry(place)));
        });
        if (!store.raise(element_.result, low) || !store.lower(element_.result, high)) return false;
        if (store.fixed(element_.result) || !store.has_holes(element_.result)) return true;
        return remove_values(store);
    }

    // Where all entries are constants, or few values are left.
    [[nodiscard]] bool remove_values(Store& store) {
        constexpr std::uint64_t many = 64;
        if (store.size(element_.result) > many) return true;
        places_.clear();
        store.each_value(element_.result, [&](std::int32_t value) {
            bool supported = false;
            store.each_value(element_.index, [&](std::int32_t place) {
                supported = supported || store.allows(entry(place), value);
            });
            if (!supported) places_.push_back(value);
        });
        for (const std::int32_t value : places_) {
            if (!store.remove(element_.result, value)) return false;
        }
        return true;
    }

    [[nodiscard]] bool equal(Store& store, VarId x) const {
        const VarId y = element_.result;
        return store.raise(x, store.low(y)) && store.lower(x, store.high(y)) &&
               store.raise(y, store.low(x)) && store.lower(y, store.high(x));
    }

    model::Element element_;
    std::vector<std::int32_t> places_;
};

// All entries are constants: the places of each value are known.
class ConstantElement final : public Propagator {
public:
    ConstantElement(const Store& store, const model::Element& element)
        : index_(element.index), result_(element.result) {
        for (const VarId v : element.array) {
            values_.push_back(store.low(v));
            supports_[store.low(v)].places.push_back(static_cast<std::int32_t>(values_.size()));
        }
    }

    bool propagate(Store& store) override {
        // The result is fixed and other places are gone: each that is left supports it.
        if (store.fixed(result_) && seen_ == 1 && store.has_holes(index_)) return true;
        return store.raise(index_, 1) && store.lower(index_, static_cast<Number>(values_.size())) &&
               narrow_result(store) && remove_places(store);
    }

private:
    struct Support {
        std::vector<std::int32_t> places;
        std::size_t last = 0;  // where a place was found that the index allows
    };

    [[nodiscard]] bool supported(const Store& store, Support& support) const {
        const std::size_t n = support.places.size();
        for (std::size_t i = 0; i < n; ++i) {
            const std::size_t at = support.last + i < n ? support.last + i : support.last + i - n;
            if (store.allows(index_, support.places[at])) {
                support.last = at;
                return true;
            }
        }
        return false;
    }

    [[nodiscard]] bool narrow_result(Store& store) {
        std::optional<Number> first;
        Number last = 0;
        gone_.clear();
        for (auto at = supports_.lower_bound(store.low(result_));
             at != supports_.end() && at->first <= store.high(result_); ++at) {
            const Number value = at->first;
            if (!store.allows(result_, value) || !supported(store, at->second)) continue;
            if (first && store.has_holes(result_)) {
                for (Number between = last + 1; between < value; ++between) gone_.push_back(between);
            }
            if (!first) first = value;
            last = value;
        }
        if (!first || !store.raise(result_, *first) || !store.lower(result_, last)) return false;
        return std::all_of(gone_.begin(), gone_.end(), [&](Number v) { return store.remove(result_, v); });
    }

    // Only when the result has lost values since places were looked at.
    [[nodiscard]] bool remove_places(Store& store) {
        const auto left = static_cast<Number>(store.size(result_));
        if (left == seen_) return true;
        store.set(seen_, left);
        gone_.clear();
        store.each_value(index_, [&](std::int32_t place) {
            if (!store.allows(result_, values_[static_cast<std::size_t>(place - 1)])) gone_.push_back(place);
        });
        return std::all_of(gone_.begin(), gone_.end(),
                           [&](Number place) { return store.remove(index_, place); });
    }

    VarId index_;
    VarId result_;
    std::vector<std::int32_t> values_;    // by place, from 0
    std::map<Number, Support> supports_;  // by value
    std::vector<Number> gone_;
    Number seen_ = -1;  // the size of the result then
};

}  // namespace

void post(Store& store, const model::Element& element, int due) {
    std::vector<Store::Watched> watched{{element.index, any_event}, {element.result, any_event}};
    const bool constant =
        std::all_of(element.array.begin(), element.array.end(), [&](VarId v) { return store.fixed(v); });
    if (constant && !element.array.empty()) {
        store.add(std::make_unique<ConstantElement>(store, element), watched, due);
        return;
    }
    for (const VarId v : element.array) watched.push_back({v, any_event});
    store.add(std::make_unique<Element>(element), watched, due);
}

}  // namespace zermelo::kernel::trail
