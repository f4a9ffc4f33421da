// Pareto fronts and threshold windows: the arithmetic of expected utilities that both engines share.

#pragma once

#include <optional>
#include <vector>

#include "stochastic/policy.hpp"
#include "stochastic/solve.hpp"

namespace zermelo::stochastic {

using Floor = std::vector<std::optional<Rational>>;  // by player: what is needed; nothing: all will do

[[nodiscard]] bool at_least(const Rationals& utilities, const Rationals& others);  // for every player
[[nodiscard]] bool below(const Rationals& utilities, const Floor& floor);          // for some player

// What must be exceeded, and what is enough. A search may leave out every policy below `low`, and stop at one
// that is nowhere below `high`; without `high` it must go on to the end.
struct Window {
    Floor low;
    std::optional<Floor> high;
};

struct Bounds {  // of the expected utilities of all feasible policies from here on
    Rationals least;
    Rationals most;
};

struct Point {
    Rationals utilities;
    NodeId node = leaf;
};

// A Pareto front: no point is dominated by another one; the first of equal ones stays.
class Front {
public:
    void add(Point point);
    [[nodiscard]] bool covers(const Rationals& utilities) const;  // a point is nowhere below
    [[nodiscard]] bool empty() const { return points_.empty(); }
    [[nodiscard]] const std::vector<Point>& points() const { return points_; }
    // A policy that ends the search, or null.
    [[nodiscard]] const Point* enough(const Window& window) const;

private:
    std::vector<Point> points_;
};

// What a decision needs of its next value, given what it has: with one player, something better.
[[nodiscard]] Window narrowed(const Window& window, const Front& found);

// Combines the fronts behind the values of a chance variable, one value after the other.
class Mixture {
public:
    struct Branch {
        model::Value value;
        Rational probability;
        Bounds bounds;
    };
    Mixture(const Window& window, std::vector<Branch> branches);

    [[nodiscard]] bool hopeless() const;                       // even the bounds stay below the window
    [[nodiscard]] Window window_of(std::size_t branch) const;  // all branches before it are added
    // False: nothing is left that reaches the window.
    [[nodiscard]] bool add(std::size_t branch, const Front& front);
    [[nodiscard]] Front result(model::VarId variable, PolicyBuilder& policies) const;

private:
    struct Partial {
        Rationals sum;
        std::vector<PolicyEdge> edges;
    };
    Window window_;
    std::vector<Branch> branches_;
    std::vector<Bounds> rest_;  // by branch: what all later ones can add
    std::vector<Partial> partials_;
};

// Thrown by an engine when a limit is reached.
struct Halt {
    Stop stop;
};

// Counts nodes, reports progress and checks the limits.
class NodeCounter {
public:
    NodeCounter(const SolveOptions& options, Statistics& statistics)
        : options_(options), statistics_(statistics) {}
    void node() {
        constexpr std::uint64_t now_and_then = 4096;
        if (++statistics_.nodes % now_and_then == 0 && options_.progress) options_.progress(statistics_);
        check_limits();
    }
    void check_limits() const {
        if (const Stop stop = options_.limits.reached(); stop != Stop::none) throw Halt{stop};
    }

private:
    const SolveOptions& options_;
    Statistics& statistics_;
};

// The engines. Without a policy: none is feasible, or none reaches the thresholds where the question is for a
// solution.
[[nodiscard]] std::optional<Policy> forward_checking(const StochasticModel& model,
                                                     const SolveOptions& options, Statistics& statistics);
[[nodiscard]] std::optional<Policy> mac(const StochasticModel& model, const SolveOptions& options,
                                        Statistics& statistics);

}  // namespace zermelo::stochastic
