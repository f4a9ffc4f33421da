// The kernel of quantified search: a model's variables in a store with a trail (store.hpp).
//
// It offers what every kernel does (kernel.hpp): the search goes down by `push`, changes the position by
// `play`, `demand` and `reach`, and comes back by `pop`.
//
// A watched variable (∀, no rule) must keep its whole domain until it is played: when propagation removes a
// value, playing this value wins for ∀, so the position fails at once and `refutation()` names the value.
//
// In a strategic model a constraint acts when its last move is due; until then nothing narrows the variables
// that only waiting constraints mention.

#pragma once

#include "core/limits.hpp"
#include "kernel/kernel.hpp"
#include "kernel/program.hpp"
#include "kernel/trail/explanation.hpp"
#include "model/simplify/image.hpp"

namespace zermelo::kernel::trail {

class Kernel {
public:
    explicit Kernel(const Program& program, const KernelOptions& options = {});

    void push(bool /*last*/ = false) { store_.push(); }
    void pop() { store_.pop(); }

    // Runs propagation to its fixpoint; false when the position has failed.
    bool propagate() { return store_.propagate(); }
    // What has waited for block `b` acts; all that is due before it must act already.
    void reach(int b) { store_.reach(b + 1); }
    // The constraints of all blocks below this one act.
    [[nodiscard]] int level() const {
        return program_.model.strategic ? store_.level() : program_.blocks() + 1;
    }

    void play(model::VarId v, model::Value value) {
        store_.playing(v);
        store_.begin({Store::Origin::Kind::move});
        if (!store_.assign(v, value)) store_.fail();
    }
    void demand(model::Literal literal) {
        store_.begin({Store::Origin::Kind::demand});
        if (!store_.assume(literal)) store_.fail();
    }

    [[nodiscard]] bool fixed(model::VarId v) const { return store_.fixed(v); }
    [[nodiscard]] model::Value value(model::VarId v) const { return store_.low(v); }  // of a fixed variable
    [[nodiscard]] model::Interval bounds(model::VarId v) const { return {store_.low(v), store_.high(v)}; }
    [[nodiscard]] std::uint64_t size(model::VarId v) const { return store_.size(v); }
    [[nodiscard]] bool allows(model::VarId v, model::Value value) const { return store_.allows(v, value); }
    // A value that propagation removes is gone, even between the bounds.
    [[nodiscard]] bool keeps_holes(model::VarId v) const {
        return store_.has_holes(v) || program_.domain(v).size() <= 2;
    }
    [[nodiscard]] bool is_true(model::Literal l) const { return store_.is_true(l); }
    [[nodiscard]] bool is_false(model::Literal l) const { return store_.is_false(l); }
    template <class Visit>
    void each_range(model::VarId v, Visit visit) const {
        store_.each_range(v, visit);
    }
    // A wide domain that may have many holes is read by words, not by ranges.
    [[nodiscard]] bool in_words(model::VarId v) const { return store_.words(v) > 1; }
    template <class Visit>
    void each_word(model::VarId v, Visit visit) const {
        store_.each_word(v, visit);
    }
    // Variables that have changed since the position at which `changes()` was `since`, perhaps several times.
    [[nodiscard]] std::size_t changes() const { return store_.changes().size(); }
    template <class Visit>
    void each_change(std::size_t since, Visit visit) const {
        for (std::size_t i = since; i < store_.changes().size(); ++i) visit(store_.changes()[i].variable);
    }

    [[nodiscard]] Refutation refutation() const { return {store_.refuted(), store_.refuting()}; }

    // Explanations (explanation.hpp), where the kernel was made for them: the variables of the moves that imply
    // that the position has failed, that a literal is true, that these values of a variable are gone, or that it is fixed.
    [[nodiscard]] bool explains() const { return store_.explaining(); }
    void stop_explaining() { store_.stop_explaining(); }
    [[nodiscard]] const std::vector<model::VarId>& why_failed() { return explanation_.failure(); }
    [[nodiscard]] const std::vector<model::VarId>& why_true(model::Literal l) {
        return explanation_.truth(l);
    }
    [[nodiscard]] const std::vector<model::VarId>& why_gone(model::VarId v,
                                                            std::span<const model::Value> values) {
        explanation_.begin();
        for (const model::Value value : values) explanation_.value_gone(v, value);
        return explanation_.moves();
    }

    [[nodiscard]] const std::vector<model::VarId>& why_fixed(model::VarId v) {
        explanation_.begin();
        explanation_.fixed_value(v);
        return explanation_.moves();
    }

    // Legality in a strategic model (Bessiere and Verger 2006, definition 2): do the state variables still
    // have values with which everything that acts holds? Of a propagated position that has not failed;
    // nothing when a limit was reached.
    [[nodiscard]] std::optional<bool> consistent(const Limits& limits);

    [[nodiscard]] KernelStatistics statistics() const;

private:
    [[nodiscard]] bool try_last_values();
    [[nodiscard]] std::optional<bool> find_values(const Limits& limits);
    [[nodiscard]] model::VarId next_open() const;
    void remember();

    const Program& program_;
    Store store_;
    Explanation explanation_;
    std::vector<model::VarId> open_;                        // the state variables that are open
    std::vector<std::optional<model::Value>> last_values_;  // by variable: of the last solution
    std::vector<double> weight_;                            // by variable: failures after giving it a value
    KernelStatistics statistics_;
};

}  // namespace zermelo::kernel::trail
