#include "gdl/proof/constant_sum.hpp"

#include <algorithm>
#include <optional>

#include "gdl/analysis/invariants.hpp"
#include "gdl/proof/clauses.hpp"

namespace zermelo::gdl {

namespace {

constexpr std::uint64_t conflicts_for_a_group = 2'000;
constexpr std::uint64_t conflicts_for_the_goals = 20'000;
constexpr std::uint64_t most_assignments = 100'000'000;  // in the whole proof
constexpr std::size_t most_gates = 200'000;

// The network of a state, of the legal moves in it, and of the state after them, as clauses.
class OneMove {
public:
    explicit OneMove(const Network& network)
        : network_(network),
          loops_(network.nodes, false),
          now_(network.nodes),
          then_(network.nodes),
          goes_on_(clauses_.variable()) {
        const Literal truth = clauses_.variable();
        clauses_.add({truth});
        now_[0] = then_[0] = truth;
        for (const auto& stretch : network.stretches) {
            for (std::uint32_t gate = stretch.first; stretch.loop && gate < stretch.last; ++gate)
                loops_[gate] = true;
        }
        for (std::uint32_t node = 1; node < network.first_gate; ++node) now_[node] = clauses_.variable();
        for (const auto& moves : network.moves) {
            std::vector<Literal> made;
            for (const auto& move : moves) {
                made.push_back(*now_[move.node]);
                clauses_.add({!made.back(), now(move.legal)});
            }
            (void)several(made, true);
            made.push_back(!goes_on_);
            clauses_.add(std::move(made));
        }
    }

    [[nodiscard]] Clauses& clauses() { return clauses_; }
    [[nodiscard]] Literal now(Signal s) { return of(s, now_, false); }
    [[nodiscard]] Literal then(Signal s) { return of(s, then_, true); }
    [[nodiscard]] Literal fluent_now(std::uint32_t f) { return *now_[1 + f]; }
    [[nodiscard]] Literal fluent_then(std::uint32_t f) { return now(network_.next[f]); }

    // That a move is made; terminal states need not have any.
    [[nodiscard]] Literal goes_on() const { return goes_on_; }

    // True if two of these hold; with `never`, they do not.
    [[nodiscard]] Literal several(const std::vector<Literal>& literals, bool never) {
        const Literal two = clauses_.variable();
        if (never) clauses_.add({!two});
        std::vector<Literal> pairs = {!two};
        Literal before = !*now_[0];  // one of those so far
        for (const Literal l : literals) {
            const Literal both = clauses_.variable();
            clauses_.add({!both, l});
            clauses_.add({!both, before});
            clauses_.add({both, !l, !before});
            clauses_.add({!both, two});
            pairs.push_back(both);
            const Literal next = clauses_.variable();
            clauses_.add({!before, next});
            clauses_.add({!l, next});
            clauses_.add({before, l, !next});
            before = next;
        }
        clauses_.add(pairs);
        return two;
    }

private:
    using Frame = std::vector<std::optional<Literal>>;  // by node

    [[nodiscard]] Literal of(Signal s, Frame& frame, bool then) {
        make(s.node(), frame, then);
        const Literal l = *frame[s.node()];
        return s.negated() ? !l : l;
    }

    // The node and all that it depends on.
    void make(std::uint32_t root, Frame& frame, bool then) {
        std::vector<std::uint32_t> open = {root};
        while (!open.empty()) {
            const std::uint32_t node = open.back();
            if (frame[node]) {
                open.pop_back();
                continue;
            }
            if (node < network_.first_gate) {  // of the state after the move
                frame[node] = fluent_then(node - 1);
                continue;
            }
            if (loops_[node]) {
                frame[node] = clauses_.variable();
                continue;
            }
            const std::size_t before = open.size();
            for (const Signal input : network_.inputs_of(node)) {
                if (!frame[input.node()]) open.push_back(input.node());
            }
            if (open.size() > before) continue;
            const Literal gate = clauses_.variable();
            std::vector<Literal> all = {gate};
            for (const Signal input : network_.inputs_of(node)) {
                const Literal l = of(input, frame, then);
                clauses_.add({!gate, l});
                all.push_back(!l);
            }
            clauses_.add(std::move(all));
            frame[node] = gate;
        }
    }

    const Network& network_;
    Clauses clauses_;
    std::vector<bool> loops_;
    Frame now_;
    Frame then_;
    Literal goes_on_;
};

class Proof {
public:
    Proof(const Machine& machine, int sum) : network_(machine.network()), move_(network_), sum_(sum) {
        groups_ = find_invariants(machine).mutex_candidates;
        for (const auto& group : groups_) {
            std::vector<Literal> now;
            std::vector<Literal> then;
            for (const std::uint32_t f : group) {
                now.push_back(move_.fluent_now(f));
                then.push_back(move_.fluent_then(f));
            }
            respected_now_.push_back(!move_.several(now, false));
            broken_then_.push_back(move_.several(then, false));
        }
        kept_.assign(groups_.size(), true);
        move_.clauses().allow(most_assignments);
    }

    [[nodiscard]] bool run() {
        const Literal ends_now = move_.now(network_.terminal);
        keep_inductive_groups({!ends_now, move_.goes_on()});
        std::vector<Literal> assumed = respected();
        assumed.push_back(ends_now);
        assumed.push_back(other_sum([&](Signal s) { return move_.now(s); }));
        if (impossible(assumed, conflicts_for_a_group)) return true;
        assumed = respected();
        assumed.insert(assumed.end(), {!ends_now, move_.goes_on()});
        assumed.push_back(move_.then(network_.terminal));
        assumed.push_back(other_sum([&](Signal s) { return move_.then(s); }));
        return impossible(assumed, conflicts_for_the_goals);
    }

private:
    [[nodiscard]] bool impossible(const std::vector<Literal>& assumed, std::uint64_t most_conflicts) {
        return move_.clauses().solve(assumed, most_conflicts) == Clauses::Answer::unsatisfiable;
    }
    [[nodiscard]] std::vector<Literal> respected() const {
        std::vector<Literal> literals;
        for (std::size_t g = 0; g < groups_.size(); ++g) {
            if (kept_[g]) literals.push_back(respected_now_[g]);
        }
        return literals;
    }
    // Houdini (Flanagan and Leino 2001): what cannot be shown from all is dropped, until all can.
    void keep_inductive_groups(const std::vector<Literal>& step) {
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t g = 0; g < groups_.size(); ++g) {
                if (!kept_[g]) continue;
                std::vector<Literal> assumed = respected();
                assumed.insert(assumed.end(), step.begin(), step.end());
                assumed.push_back(broken_then_[g]);
                if (impossible(assumed, conflicts_for_a_group)) continue;
                kept_[g] = false;
                changed = true;
            }
        }
    }
    // Holds only if two goals hold whose sum is another one; and may hold if this is so.
    template <class Of>
    [[nodiscard]] Literal other_sum(Of of) {
        Clauses& clauses = move_.clauses();
        const Literal any = clauses.variable();
        std::vector<Literal> some = {!any};
        for (const auto& first : network_.goals[0]) {
            const Literal wrong = clauses.variable();
            std::vector<Literal> seconds = {!wrong};
            for (const auto& second : network_.goals[1]) {
                if (first.value + second.value != sum_) seconds.push_back(of(second.holds));
            }
            clauses.add({!wrong, of(first.holds)});
            clauses.add(std::move(seconds));
            some.push_back(wrong);
        }
        clauses.add(std::move(some));
        return any;
    }

    const Network& network_;
    OneMove move_;
    int sum_;
    std::vector<std::vector<std::uint32_t>> groups_;
    std::vector<Literal> respected_now_;  // by group
    std::vector<Literal> broken_then_;
    std::vector<bool> kept_;
};

}  // namespace

bool goals_surely_add_up(const Machine& machine, int sum) {
    const Network& network = machine.network();
    if (network.roles.size() != 2 || network.gates() > most_gates) return false;
    return Proof(machine, sum).run();
}

}  // namespace zermelo::gdl
