#include "gdl/analysis/forward_analysis.hpp"

#include <algorithm>
#include <set>

namespace zermelo::gdl {

namespace {

constexpr std::size_t most_steps = 10'000;

class ThreeValued {
public:
    explicit ThreeValued(const Network& network) : network_(network), truth_(network.nodes, Truth::unknown) {
        truth_[0] = Truth::yes;
    }

    [[nodiscard]] Truth of(Signal s) const { return s.negated() ? !truth_[s.node()] : truth_[s.node()]; }

    ForwardAnalysis::Step look(const std::vector<Truth>& state) {
        std::copy(state.begin(), state.end(), truth_.begin() + 1);
        run(0, network_.early_stretches);
        ForwardAnalysis::Step step;
        step.terminal = of(network_.terminal);
        for (const auto& moves : network_.moves) {
            auto& possible = step.possible.emplace_back();
            for (MoveId m = 0; m < moves.size(); ++m) {
                if (of(moves[m].legal) != Truth::no) possible.push_back(m);
            }
        }
        return step;
    }

    [[nodiscard]] std::vector<Truth> next(const ForwardAnalysis::Step& step) {
        for (std::size_t r = 0; r < step.possible.size(); ++r) {
            for (const auto& move : network_.moves[r]) truth_[move.node] = Truth::no;
            const Truth made = step.possible[r].size() == 1 ? Truth::yes : Truth::unknown;
            for (const MoveId m : step.possible[r]) truth_[network_.moves[r][m].node] = made;
        }
        run(network_.early_stretches, network_.stretches.size());
        std::vector<Truth> state;
        for (const Signal s : network_.next) state.push_back(of(s));
        return state;
    }

private:
    void run(std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) {
            const auto& stretch = network_.stretches[i];
            if (stretch.loop) {
                run_loop(stretch);
            } else {
                for (std::uint32_t gate = stretch.first; gate < stretch.last; ++gate)
                    truth_[gate] = evaluate(gate);
            }
        }
    }

    // From false upwards: what is false until nothing changes is false, what was never more than unknown may
    // be either.
    void run_loop(const Network::Stretch& loop) {
        for (std::uint32_t gate = loop.first; gate < loop.rules; ++gate) truth_[gate] = Truth::yes;
        for (bool grown = true; grown;) {
            grown = false;
            for (std::uint32_t gate = loop.rules; gate < loop.last; ++gate) truth_[gate] = evaluate(gate);
            for (std::uint32_t gate = loop.first; gate < loop.rules; ++gate) {
                const Truth now = evaluate(gate);
                grown = grown || now != truth_[gate];
                truth_[gate] = now;
            }
        }
    }

    [[nodiscard]] Truth evaluate(std::uint32_t gate) const {
        Truth result = Truth::yes;
        for (const Signal s : network_.inputs_of(gate)) {
            const Truth t = of(s);
            if (t == Truth::no) return Truth::no;
            if (t == Truth::unknown) result = t;
        }
        return result;
    }

    const Network& network_;
    std::vector<Truth> truth_;
};

}  // namespace

bool ForwardAnalysis::Step::last() const {
    return terminal == Truth::yes ||
           std::ranges::any_of(possible, [](const auto& moves) { return moves.empty(); });
}

bool ForwardAnalysis::Step::in_turn() const {
    return std::ranges::count_if(possible, [](const auto& moves) { return moves.size() > 1; }) <= 1;
}

ForwardAnalysis forward_analysis(const Network& network, const State& start, const Limits& limits) {
    ThreeValued logic(network);
    std::vector<Truth> state;
    for (std::size_t f = 0; f < network.fluents.size(); ++f)
        state.push_back((start[f / 64] >> (f % 64) & 1) != 0 ? Truth::yes : Truth::no);
    ForwardAnalysis result;
    std::set<std::vector<Truth>> seen;
    while (!result.ends && !result.repeats && result.steps.size() < most_steps) {
        if (const Stop stop = limits.reached(); stop != Stop::none)
            throw LimitReached(stop, "during the forward analysis of the game", "raise the limit");
        result.steps.push_back(logic.look(state));
        result.ends = result.steps.back().last();
        if (result.ends) break;
        seen.insert(state);
        state = logic.next(result.steps.back());
        result.repeats = seen.contains(state);
    }
    return result;
}

}  // namespace zermelo::gdl
