// Machine and Runner: event-driven evaluation of the network (as in logic simulation, Ulrich 1969), one
// state at a time.
//
// A state is a bit set over the fluents. A Runner holds the value of every node for the state it was given
// last; moving to another state or trying another joint move evaluates only the gates whose inputs changed,
// in topological order, so that no gate is evaluated twice. A Machine is immutable and shared by any number
// of threads; each thread has a Runner of its own.
//
// A machine may know how to make faster rules of its network (compiled/compiled_rules.hpp). When a Runner that may
// use them has loaded many states, they are made in a thread of their own, and such Runners switch over when they
// are ready.

#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "core/hash.hpp"
#include "gdl/circuit/network.hpp"

namespace zermelo::gdl {

using State = std::vector<std::uint64_t>;  // bit i: fluent i
using MoveId = std::uint32_t;              // index into Network::moves of the role
using JointMove = std::vector<MoveId>;     // by role

[[nodiscard]] Hash128 hash(const State& state);

// What a Runner answers, from other rules than the interpreter's.
class FasterRunner {
public:
    virtual ~FasterRunner() = default;
    [[nodiscard]] virtual std::unique_ptr<FasterRunner> clone() const = 0;
    virtual void load(const State& state) = 0;
    [[nodiscard]] virtual bool terminal() const = 0;
    [[nodiscard]] virtual int goal(std::size_t role) const = 0;
    virtual void legal(std::size_t role, std::vector<MoveId>& moves) = 0;
    virtual void play(const JointMove& moves) = 0;
    virtual void next(State& state) const = 0;
    virtual void sees(std::size_t role, std::vector<TermId>& percepts) const = 0;
};

class FasterRules {
public:
    virtual ~FasterRules() = default;
    [[nodiscard]] virtual std::unique_ptr<FasterRunner> make_runner() const = 0;
};

class Machine {
public:
    // Null where there are none; it is called once at most, in a thread of its own.
    using MakeFasterRules = std::function<std::unique_ptr<FasterRules>(const Machine&)>;

    explicit Machine(Network network, MakeFasterRules make_faster_rules = {});
    ~Machine();
    Machine(const Machine&) = delete;
    Machine& operator=(const Machine&) = delete;

    [[nodiscard]] const Network& network() const { return network_; }
    [[nodiscard]] const State& initial() const { return initial_; }
    [[nodiscard]] std::size_t roles() const { return network_.roles.size(); }

    // Null until they are ready.
    [[nodiscard]] const FasterRules* faster_rules() const { return faster_.load(std::memory_order_acquire); }
    void prepare_faster_rules() const;  // they are ready some time later, if there are any

private:
    friend class Runner;
    Network network_;
    MakeFasterRules make_faster_rules_;
    mutable std::once_flag asked_for_faster_;
    mutable std::unique_ptr<FasterRules> made_;
    mutable std::atomic<const FasterRules*> faster_ = nullptr;
    std::atomic<bool> not_needed_ = false;  // ends their making
    mutable std::thread maker_;
    State initial_;
    std::vector<std::uint32_t> fan_start_;  // by node: into fan_out_; one more at the end
    std::vector<std::uint32_t> fan_out_;    // the gates that read it
    std::vector<std::uint32_t> loop_of_;    // by gate: its stretch when this is a loop, or none
};

class Runner {
public:
    using State = gdl::State;

    enum class Rules { interpreted, fastest };  // fastest: switches over to faster rules when they are ready

    explicit Runner(const Machine& machine, Rules rules = Rules::interpreted);
    Runner(const Runner& other);

    void load(const State& state);
    [[nodiscard]] bool terminal() const {
        return faster_ != nullptr ? faster_->terminal() : holds(network_.terminal);
    }
    [[nodiscard]] int goal(std::size_t role) const;  // -1 where none is stated
    void legal(std::size_t role, std::vector<MoveId>& moves) const;
    void play(const JointMove& moves);  // then next() and sees() may be asked
    void next(State& state) const;
    void sees(std::size_t role, std::vector<TermId>& percepts) const;
    // Any signal of the network; only where the rules are interpreted.
    [[nodiscard]] bool holds(Signal s) const { return (value_[s.node()] != 0) != s.negated(); }

private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    static constexpr std::uint32_t loads_before_compiling = 500;

    void consider_switching();

    void set(std::uint32_t node, bool value);
    void settle();
    void settle_loop(const Network::Stretch& loop);
    [[nodiscard]] bool evaluate(std::uint32_t gate) const;
    void changed(std::uint32_t node);

    const Machine& machine_;
    const Network& network_;
    std::vector<std::uint8_t> value_;  // by node
    std::vector<std::uint64_t> dirty_;
    std::size_t first_dirty_ = 0;
    State state_;
    JointMove played_;
    std::uint32_t loads_ = 0;
    std::unique_ptr<FasterRunner> faster_;  // all questions go there once it is set
};

}  // namespace zermelo::gdl
