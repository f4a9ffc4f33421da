// Satisfiability of clauses by conflict-driven learning (Marques-Silva and Sakallah 1999; Moskewicz et al. 2001), for
// proofs about a game's network: small formulas, many questions about the same one under assumptions, and a bound on the
// work after which there is no answer.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace zermelo::gdl {

// A variable, perhaps negated.
class Literal {
public:
    Literal() = default;
    Literal(std::uint32_t variable, bool negated) : code_(variable << 1 | (negated ? 1U : 0U)) {}
    [[nodiscard]] std::uint32_t variable() const { return code_ >> 1; }
    [[nodiscard]] bool negated() const { return (code_ & 1) != 0; }
    [[nodiscard]] std::uint32_t code() const { return code_; }
    Literal operator!() const { return {variable(), !negated()}; }
    friend bool operator==(Literal, Literal) = default;

private:
    std::uint32_t code_ = 0;
};

class Clauses {
public:
    enum class Answer : std::uint8_t { satisfiable, unsatisfiable, unknown };

    [[nodiscard]] Literal variable();  // a new one
    void add(std::vector<Literal> clause);
    // From now on all questions together follow so many assignments; then the answer is unknown.
    void allow(std::uint64_t assignments) { allowed_ = assignments; }
    // Can all clauses and assumptions hold at once? Unknown after `most_conflicts`. Throws LimitReached where the
    // LimitScope of the thread says so.
    [[nodiscard]] Answer solve(std::span<const Literal> assumptions, std::uint64_t most_conflicts);

private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    static constexpr std::size_t most_learned = 4'000'000;  // literals
    enum class Value : std::uint8_t { no, yes, open };

    [[nodiscard]] Value value(Literal l) const {
        const Value v = value_[l.variable()];
        if (v == Value::open) return v;
        return (v == Value::yes) != l.negated() ? Value::yes : Value::no;
    }
    void set(Literal l, std::uint32_t reason);
    void watch(std::uint32_t clause);
    [[nodiscard]] std::uint32_t propagate();  // a clause that is violated, or none
    void learn(std::uint32_t conflict);
    void back_to(std::size_t level);
    void bump(std::uint32_t variable);
    [[nodiscard]] std::uint32_t next_variable();

    std::vector<std::vector<Literal>> clauses_;
    std::vector<std::vector<std::uint32_t>> watched_by_;  // by code of a literal: clauses that watch it
    std::vector<Value> value_;                            // by variable, as the next ones
    std::vector<Value> last_value_;
    std::vector<std::uint32_t> level_;
    std::vector<std::uint32_t> reason_;
    std::vector<double> activity_;
    std::vector<bool> seen_;
    std::vector<std::pair<double, std::uint32_t>>
        queue_;  // a heap of variables; those that are set are skipped
    std::vector<Literal> trail_;
    std::vector<std::size_t> levels_;  // where they begin in the trail
    std::size_t propagated_ = 0;
    std::size_t learned_ = 0;  // literals
    std::uint64_t allowed_ = ~std::uint64_t{0};
    double step_ = 1;
    bool contradictory_ = false;
};

}  // namespace zermelo::gdl
