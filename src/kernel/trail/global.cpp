// Global constraints without a propagator of ours: Gecode's own propagates them, in a space that holds this
// constraint alone. The space is made once; each run copies it and gives it the domains as they are now.

#include "kernel/gecode/post.hpp"
#include "kernel/gecode/post_globals.hpp"
#include "kernel/trail/post.hpp"

#include <algorithm>
#include <map>

#include "model/globals.hpp"

namespace zermelo::kernel::trail {

namespace {

class GlobalSpace final : public Gecode::Space {
public:
    GlobalSpace() = default;
    GlobalSpace(GlobalSpace& other) : Space(other) { variables.update(*this, other.variables); }
    Gecode::Space* copy() override { return new GlobalSpace(*this); }
    Gecode::IntVarArray variables;
};

class GecodeGlobal final : public Propagator {
public:
    GecodeGlobal(const Store& store, const model::Global& global)
        : global_(global), root_(std::make_unique<GlobalSpace>()) {
        std::map<VarId, int> place;
        for (const auto& argument : global.arguments) {
            for (const VarId v : argument) {
                if (!store.fixed(v) && place.try_emplace(v, static_cast<int>(place.size())).second)
                    variables_.push_back(v);
            }
        }
        Gecode::IntVarArgs all;
        for (const VarId v : variables_) all << Gecode::IntVar(*root_, store.low(v), store.high(v));
        root_->variables = Gecode::IntVarArray(*root_, all);
        gecode::post_global(
            *root_, global,
            [&](VarId v) {
                const auto found = place.find(v);
                return found != place.end() ? root_->variables[found->second]
                                            : Gecode::IntVar(*root_, store.low(v), store.low(v));
            },
            [&](VarId v) { return model::Value{store.low(v)}; });
    }
    [[nodiscard]] const std::vector<VarId>& variables() const { return variables_; }

    bool propagate(Store& store) override {
        if (std::all_of(variables_.begin(), variables_.end(), [&](VarId v) { return store.fixed(v); })) {
            return model::holds(global_, [&](VarId v) { return model::Value{store.low(v)}; });
        }
        if (root_->status() == Gecode::SS_FAILED) return false;
        const std::unique_ptr<GlobalSpace> now(static_cast<GlobalSpace*>(root_->clone()));
        for (std::size_t i = 0; i < variables_.size(); ++i) {
            ranges_.clear();
            store.each_range(variables_[i], [&](Number low, Number high) {
                ranges_.push_back({static_cast<int>(low), static_cast<int>(high)});
            });
            Gecode::dom(*now, now->variables[static_cast<int>(i)],
                        Gecode::IntSet(reinterpret_cast<const int(*)[2]>(ranges_.data()),
                                       static_cast<int>(ranges_.size())));
        }
        if (now->status() == Gecode::SS_FAILED) return false;
        for (std::size_t i = 0; i < variables_.size(); ++i) {
            const Gecode::IntVar x = now->variables[static_cast<int>(i)];
            if (!store.raise(variables_[i], x.min()) || !store.lower(variables_[i], x.max())) return false;
            if (!store.has_holes(variables_[i])) continue;
            Number last = x.max();
            for (Gecode::IntVarRanges range(x); range(); ++range) {
                for (Number value = last + 1; value < range.min(); ++value) {
                    if (!store.remove(variables_[i], value)) return false;
                }
                last = range.max();
            }
        }
        return true;
    }

private:
    model::Global global_;
    std::vector<VarId> variables_;
    std::unique_ptr<GlobalSpace> root_;
    std::vector<std::array<int, 2>> ranges_;
};

}  // namespace

void post(Store& store, const model::Global& global, int due) {
    auto made = std::make_unique<GecodeGlobal>(store, global);
    std::vector<Store::Watched> watched;
    for (const VarId v : made->variables()) watched.push_back({v, any_event});
    store.add(std::move(made), watched, due, true);
    store.count_foreign(global);
}

}  // namespace zermelo::kernel::trail
