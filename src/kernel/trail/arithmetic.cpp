// left ∘ right = result for ×, ÷, mod and powers, and the extremum of several variables.
//
// Few pairs of values are enumerated: every value that no pair supports is removed. Otherwise the result
// gets the interval that the operands give (Moore 1966), and a product narrows its factors by division.

#include "kernel/trail/post.hpp"

#include <algorithm>

#include "model/simplify/image.hpp"

namespace zermelo::kernel::trail {

namespace {

constexpr std::uint64_t few_pairs = 256;

// Beyond what a variable may hold, any larger number does.
Number power(Number base, Number exponent) {
    if (base == 0 || base == 1) return exponent == 0 ? 1 : base;
    if (base == -1) return exponent % 2 == 0 ? 1 : -1;
    constexpr Number far = Number{1} << 31;
    Number result = 1;
    for (; exponent > 0 && result < far && result > -far; --exponent) result *= base;
    return exponent % 2 != 0 && base < 0 ? -result : result;
}

class Arithmetic final : public Propagator {
public:
    explicit Arithmetic(const model::Arithmetic& arithmetic) : form_(arithmetic) {}

    bool propagate(Store& store) override {
        const std::uint64_t pairs = store.size(form_.left) * store.size(form_.right);
        if (store.size(form_.left) <= few_pairs && pairs <= few_pairs) return enumerate(store);
        const auto image = model::detail::image_of_arithmetic(form_.operation, bounds(store, form_.left),
                                                              bounds(store, form_.right));
        if (image && (!store.raise(form_.result, image->low) || !store.lower(form_.result, image->high)))
            return false;
        return form_.operation != model::Operation::times ||
               (divide(store, form_.left, form_.right) && divide(store, form_.right, form_.left));
    }

private:
    static model::Interval bounds(const Store& store, VarId v) { return {store.low(v), store.high(v)}; }

    // The result for fixed operands; nothing where it is undefined.
    [[nodiscard]] std::optional<Number> apply(Number a, Number b) const {
        switch (form_.operation) {
            case model::Operation::times:
                return a * b;
            case model::Operation::divide:
                return b == 0 ? std::nullopt : std::optional(a / b);
            case model::Operation::modulo:
                return b == 0 ? std::nullopt : std::optional(a % b);
            case model::Operation::power:
                return b < 0 ? std::nullopt : std::optional(power(a, b));
        }
        return std::nullopt;
    }

    [[nodiscard]] bool enumerate(Store& store) {
        lefts_.clear();
        rights_.clear();
        results_.clear();
        store.each_value(form_.left, [&](std::int32_t a) {
            store.each_value(form_.right, [&](std::int32_t b) {
                if (form_.left == form_.right && a != b) return;
                const auto c = apply(a, b);
                if (!c || !store.allows(form_.result, *c)) return;
                if (form_.result == form_.left && *c != a) return;
                if (form_.result == form_.right && *c != b) return;
                lefts_.push_back(a);
                rights_.push_back(b);
                results_.push_back(*c);
            });
        });
        return keep(store, form_.left, lefts_) && keep(store, form_.right, rights_) &&
               keep(store, form_.result, results_);
    }

    // Of this variable only these values are left.
    [[nodiscard]] static bool keep(Store& store, VarId v, std::vector<Number>& values) {
        std::sort(values.begin(), values.end());
        values.erase(std::unique(values.begin(), values.end()), values.end());
        if (values.empty() || !store.raise(v, values.front()) || !store.lower(v, values.back())) return false;
        if (!store.has_holes(v)) return true;
        for (std::size_t i = 1; i < values.size(); ++i) {
            for (Number between = values[i - 1] + 1; between < values[i]; ++between) {
                if (!store.remove(v, between)) return false;
            }
        }
        return true;
    }

    // x · y = result narrows x where zero is neither in y nor needed.
    [[nodiscard]] bool divide(Store& store, VarId x, VarId y) const {
        const Number y_low = store.low(y);
        const Number y_high = store.high(y);
        if (y_low <= 0 && y_high >= 0) return true;
        const Number r_low = store.low(form_.result);
        const Number r_high = store.high(form_.result);
        // x lies between the least and the greatest quotient of the corners, rounded inwards.
        const auto floor = [](Number a, Number b) {
            return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
        };
        const auto ceil = [](Number a, Number b) {
            return a / b + (a % b != 0 && (a < 0) == (b < 0) ? 1 : 0);
        };
        const Number low =
            std::min({ceil(r_low, y_low), ceil(r_low, y_high), ceil(r_high, y_low), ceil(r_high, y_high)});
        const Number high = std::max(
            {floor(r_low, y_low), floor(r_low, y_high), floor(r_high, y_low), floor(r_high, y_high)});
        return store.raise(x, low) && store.lower(x, high);
    }

    model::Arithmetic form_;
    std::vector<Number> lefts_, rights_, results_;
};

// The result lies between the extrema of the bounds; no operand is beyond it; the only one that can attain it
// does.
class Extremum final : public Propagator {
public:
    explicit Extremum(const model::Extremum& extremum) : form_(extremum) {}

    bool propagate(Store& store) override { return form_.maximum ? maximum(store) : minimum(store); }

private:
    [[nodiscard]] bool maximum(Store& store) const {
        Number low = store.low(form_.operands.front());
        Number high = store.high(form_.operands.front());
        for (const VarId v : form_.operands) {
            if (!store.lower(v, store.high(form_.result))) return false;
            low = std::max<Number>(low, store.low(v));
            high = std::max<Number>(high, store.high(v));
        }
        if (!store.raise(form_.result, low) || !store.lower(form_.result, high)) return false;
        VarId attains = -1;
        for (const VarId v : form_.operands) {
            if (store.high(v) < store.low(form_.result)) continue;
            if (attains >= 0 && attains != v) return true;
            attains = v;
        }
        return attains >= 0 && store.raise(attains, store.low(form_.result));
    }
    [[nodiscard]] bool minimum(Store& store) const {
        Number low = store.low(form_.operands.front());
        Number high = store.high(form_.operands.front());
        for (const VarId v : form_.operands) {
            if (!store.raise(v, store.low(form_.result))) return false;
            low = std::min<Number>(low, store.low(v));
            high = std::min<Number>(high, store.high(v));
        }
        if (!store.raise(form_.result, low) || !store.lower(form_.result, high)) return false;
        VarId attains = -1;
        for (const VarId v : form_.operands) {
            if (store.low(v) > store.high(form_.result)) continue;
            if (attains >= 0 && attains != v) return true;
            attains = v;
        }
        return attains >= 0 && store.lower(attains, store.high(form_.result));
    }

    model::Extremum form_;
};

}  // namespace

void post(Store& store, const model::Arithmetic& arithmetic, int due) {
    store.add(std::make_unique<Arithmetic>(arithmetic),
              {{arithmetic.left, any_event}, {arithmetic.right, any_event}, {arithmetic.result, any_event}},
              due);
}

void post(Store& store, const model::Extremum& extremum, int due) {
    std::vector<Store::Watched> watched{{extremum.result, bounds_events}};
    for (const VarId v : extremum.operands) watched.push_back({v, bounds_events});
    store.add(std::make_unique<Extremum>(extremum), watched, due);
}

}  // namespace zermelo::kernel::trail
