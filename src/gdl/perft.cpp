#include "gdl/perft.hpp"

#include <unordered_map>
#include <unordered_set>

namespace zermelo::gdl {

namespace {

template <Stepping S>
Perft count(S& steps, std::size_t depth, const Limits& limits) {
    struct Reached {
        typename S::State state;
        std::uint64_t paths;
    };
    using Level = std::unordered_map<Hash128, Reached, LowBitsHash>;
    Perft result;
    Level level;
    std::unordered_set<Hash128, LowBitsHash> ever;
    const typename S::State initial = steps.initial();
    level.emplace(steps.key(initial), Reached{initial, 1});
    for (std::size_t d = 0; d <= depth && !level.empty(); ++d) {
        PerftLevel& row = result.levels.emplace_back();
        Level next_level;
        typename S::State next;
        for (const auto& [key, reached] : level) {
            if (const Stop stop = limits.reached(); stop != Stop::none) {
                result.levels.pop_back();
                result.stop = stop;
                return result;
            }
            ever.insert(key);
            row.paths += reached.paths;
            ++row.states;
            steps.load(reached.state);
            if (steps.terminal()) {
                row.terminal_paths += reached.paths;
                std::vector<int> goals;
                for (std::size_t r = 0; r < steps.roles(); ++r) goals.push_back(steps.goal(r));
                row.goals[goals] += reached.paths;
                continue;
            }
            if (d == depth) continue;
            std::vector<std::size_t> choices;
            std::size_t joints = 1;
            for (std::size_t r = 0; r < steps.roles(); ++r) {
                choices.push_back(steps.choices(r));
                joints *= choices.back();
            }
            // Joint moves as an odometer over the roles' legal moves.
            std::vector<std::size_t> digit(steps.roles(), 0);
            for (std::size_t i = 0; i < joints; ++i) {
                steps.next(digit, next);
                auto [at, added] = next_level.try_emplace(steps.key(next), Reached{next, 0});
                at->second.paths += reached.paths;
                for (std::size_t r = digit.size(); r-- > 0;) {
                    if (++digit[r] < choices[r]) break;
                    digit[r] = 0;
                }
            }
        }
        level = std::move(next_level);
    }
    result.distinct = ever.size();
    return result;
}

}  // namespace

Perft perft(const Machine& machine, std::size_t depth, const Limits& limits) {
    MachineStepping steps(machine);
    return count(steps, depth, limits);
}

Perft perft(Reasoner& reasoner, std::size_t depth, const Limits& limits) {
    ReasonerStepping steps(reasoner);
    return count(steps, depth, limits);
}

}  // namespace zermelo::gdl
