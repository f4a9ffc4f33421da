#include "kernel/trail/reachable.hpp"

#include "kernel/trail/explanation.hpp"

#include <algorithm>

namespace zermelo::kernel::trail {

namespace {

constexpr std::uint64_t few_values = 64;  // of a term
constexpr Number widest_sum = 1 << 14;    // in values between the least and the greatest
constexpr std::size_t fewest_terms = 2;   // besides ∀'s: with one, bounds and holes do as much

class ReachableSum final : public Propagator {
public:
    struct Part {  // coefficient · variable, or coefficient · left · right where it is their product
        Number coefficient;
        VarId variable;
        VarId left = -1;
        VarId right = -1;
    };

    // y = constant + Σ parts
    ReachableSum(VarId y, Number constant, std::vector<Part> parts)
        : y_(y), constant_(constant), parts_(std::move(parts)) {}

    bool propagate(Store& store) override {
        if (store.fixed(y_)) return true;
        Number least = constant_;
        Number width = 1;
        values_.clear();
        ends_.clear();
        for (const Part& part : parts_) {
            const std::size_t from = values_.size();
            if (!add_values(store, part)) return true;
            const auto [low, high] = std::minmax_element(values_.begin() + from, values_.end());
            least += *low;
            width += *high - *low;
            if (width > widest_sum) return true;
            const Number smallest = *low;
            for (std::size_t i = from; i < values_.size(); ++i) values_[i] -= smallest;
            ends_.push_back(values_.size());
        }
        add_up(static_cast<std::size_t>(width));
        return keep(store, least, width);
    }

    void explain(const Fact&, Explanation& why) const override {
        why.need_domain(y_);
        for (const Part& part : parts_) {
            for (const VarId v : {part.variable, part.left, part.right}) {
                if (v >= 0) why.need_domain(v);
            }
        }
    }

private:
    // False where the term has many values, or nobody knows them yet.
    [[nodiscard]] bool add_values(const Store& store, const Part& part) {
        if (store.fixed(part.variable)) {
            values_.push_back(part.coefficient * store.low(part.variable));
            return true;
        }
        Number factor = part.coefficient;
        VarId open = part.variable;
        if (part.left >= 0) {
            const bool left = store.fixed(part.left);
            if (!left && !store.fixed(part.right)) return false;
            factor *= store.low(left ? part.left : part.right);
            open = left ? part.right : part.left;
        }
        if (store.size(open) > few_values) return false;
        store.each_value(open, [&](std::int32_t value) { values_.push_back(factor * value); });
        return true;
    }

    // The sums as distances from the least one.
    void add_up(std::size_t width) {
        const std::size_t words = (width + 63) / 64;
        sums_.assign(words, 0);
        sums_[0] = 1;
        std::size_t from = 0;
        for (const std::size_t end : ends_) {
            next_.assign(words, 0);
            for (; from < end; ++from) shift_into_next(static_cast<std::size_t>(values_[from]), words);
            sums_.swap(next_);
        }
    }

    void shift_into_next(std::size_t distance, std::size_t words) {
        const std::size_t whole = distance / 64;
        const std::size_t rest = distance % 64;
        for (std::size_t w = whole; w < words; ++w) {
            next_[w] |= sums_[w - whole] << rest;
            if (rest > 0 && w > whole) next_[w] |= sums_[w - whole - 1] >> (64 - rest);
        }
    }

    // A value that is lost ends the play, so the first one is enough.
    [[nodiscard]] bool keep(Store& store, Number least, Number width) {
        for (Number value = store.low(y_); value <= store.high(y_); ++value) {
            const Number at = value - least;
            const bool reached =
                at >= 0 && at < width && (sums_[static_cast<std::size_t>(at) / 64] >> (at % 64) & 1) != 0;
            if (!reached && store.allows(y_, value) && !store.remove(y_, value)) return false;
        }
        return true;
    }

    VarId y_;
    Number constant_;
    std::vector<Part> parts_;
    std::vector<Number> values_;  // of all parts, one after the other
    std::vector<std::size_t> ends_;
    std::vector<std::uint64_t> sums_;
    std::vector<std::uint64_t> next_;
};

const model::Arithmetic* product_of(const Program& program, VarId v) {
    const int definition = program.structure.definition[static_cast<std::size_t>(v)];
    if (definition < 0) return nullptr;
    const auto* arithmetic = std::get_if<model::Arithmetic>(&program.constraint(definition).body);
    const bool product = arithmetic != nullptr && arithmetic->operation == model::Operation::times &&
                         arithmetic->result == v && arithmetic->left != arithmetic->right;
    return product ? arithmetic : nullptr;
}

void post_reachable_sum(Store& store, const Program& program, const model::Linear& linear,
                        const model::Term& universal) {
    // Σ c·x + d·y = k with d = ±1 is y = d·k - Σ d·c·x.
    std::vector<ReachableSum::Part> parts;
    std::vector<Store::Watched> watched;
    for (const model::Term& term : linear.terms) {
        if (term.variable == universal.variable) continue;
        ReachableSum::Part part{-universal.coefficient * term.coefficient, term.variable};
        if (const model::Arithmetic* product = product_of(program, term.variable)) {
            part.left = product->left;
            part.right = product->right;
            watched.push_back({part.left, fix_event});
            watched.push_back({part.right, fix_event});
        } else {
            watched.push_back({term.variable, any_event});
        }
        parts.push_back(part);
    }
    if (parts.size() < fewest_terms) return;
    store.add(std::make_unique<ReachableSum>(universal.variable, universal.coefficient * linear.constant,
                                             std::move(parts)),
              watched, -1, true);
}

}  // namespace

void post_reachable_sums(Store& store, const Program& program) {
    if (program.model.strategic) return;
    for (const int c : program.cone) {
        const auto* linear = std::get_if<model::Linear>(&program.constraint(c).body);
        if (linear == nullptr || linear->relation != model::Relation::equal || linear->reified) continue;
        for (const model::Term& term : linear->terms) {
            const bool unit = term.coefficient == 1 || term.coefficient == -1;
            if (unit && program.watched[static_cast<std::size_t>(term.variable)])
                post_reachable_sum(store, program, *linear, term);
        }
    }
}

}  // namespace zermelo::kernel::trail
