// x ∈ S, required or reified: removes what is outside (or inside), and decides the literal from the values that
// are left.

#include "kernel/trail/post.hpp"

namespace zermelo::kernel::trail {

namespace {

class Member final : public Propagator {
public:
    Member(VarId x, model::Domain set, std::optional<model::Literal> by)
        : x_(x), set_(std::move(set)), by_(by) {}

    bool propagate(Store& store) override {
        if (!by_ || store.is_true(*by_)) return inside(store);
        if (store.is_false(*by_)) return outside(store);
        bool some_inside = false;
        bool some_outside = false;
        // In a wide domain single values are not looked at: a range is taken as a whole.
        store.each_range(x_, [&](Number low, Number high) {
            Number next = low;
            for (const auto& range : set_.ranges()) {
                if (range.high < next || range.low > high) continue;
                some_inside = true;
                some_outside = some_outside || range.low > next;
                next = range.high + 1;
            }
            some_outside = some_outside || next <= high;
        });
        if (some_inside && some_outside) return true;
        return store.assume(some_inside ? *by_ : !*by_);
    }

private:
    [[nodiscard]] bool inside(Store& store) const {
        if (set_.empty() || !store.raise(x_, set_.low()) || !store.lower(x_, set_.high())) return false;
        for (std::size_t i = 1; i < set_.ranges().size(); ++i) {
            if (!clear(store, set_.ranges()[i - 1].high + 1, set_.ranges()[i].low - 1)) return false;
        }
        return true;
    }
    [[nodiscard]] bool outside(Store& store) const {
        for (const auto& range : set_.ranges()) {
            if (!clear(store, range.low, range.high)) return false;
        }
        return true;
    }
    // Removes low … high.
    [[nodiscard]] bool clear(Store& store, Number low, Number high) const {
        if (low > store.high(x_) || high < store.low(x_)) return true;
        if (low <= store.low(x_)) return store.raise(x_, high + 1);
        if (high >= store.high(x_)) return store.lower(x_, low - 1);
        if (!store.has_holes(x_)) return true;
        for (Number value = low; value <= high; ++value) {
            if (!store.remove(x_, value)) return false;
        }
        return true;
    }

    VarId x_;
    model::Domain set_;
    std::optional<model::Literal> by_;
};

}  // namespace

void post(Store& store, const model::Member& member, int due) {
    std::vector<Store::Watched> watched{{member.variable, any_event}};
    if (member.reified) watched.push_back({member.reified->variable, fix_event});
    store.add(std::make_unique<Member>(member.variable, member.set, member.reified), watched, due);
}

}  // namespace zermelo::kernel::trail
