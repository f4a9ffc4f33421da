#include "gdl/perft.hpp"

#include <unordered_map>
#include <unordered_set>

#include "gdl/stepping.hpp"

namespace zermelo::gdl {

namespace {

template <Stepping S>
Perft count(S& rules, std::size_t roles, const typename S::State& initial, std::size_t depth,
            const Limits& limits) {
    struct Reached {
        typename S::State state;
        std::uint64_t paths;
    };
    using Level = std::unordered_map<Hash128, Reached, LowBitsHash>;
    Perft result;
    Level level;
    std::unordered_set<Hash128, LowBitsHash> ever;
    std::vector<std::vector<MoveId>> legal(roles);
    JointMove joint(roles);
    level.emplace(hash(initial), Reached{initial, 1});
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
            rules.load(reached.state);
            if (rules.terminal()) {
                row.terminal_paths += reached.paths;
                std::vector<int> goals;
                for (std::size_t r = 0; r < roles; ++r) goals.push_back(rules.goal(r));
                row.goals[goals] += reached.paths;
                continue;
            }
            if (d == depth) continue;
            std::size_t joints = 1;
            for (std::size_t r = 0; r < roles; ++r) {
                rules.legal(r, legal[r]);
                joints *= legal[r].size();
            }
            // Joint moves as an odometer over the roles' legal moves.
            std::vector<std::size_t> digit(roles, 0);
            for (std::size_t i = 0; i < joints; ++i) {
                for (std::size_t r = 0; r < roles; ++r) joint[r] = legal[r][digit[r]];
                rules.play(joint);
                rules.next(next);
                auto [at, added] = next_level.try_emplace(hash(next), Reached{next, 0});
                at->second.paths += reached.paths;
                for (std::size_t r = roles; r-- > 0;) {
                    if (++digit[r] < legal[r].size()) break;
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
    Runner runner(machine, Runner::Rules::fastest);
    return count(runner, machine.roles(), machine.initial(), depth, limits);
}

Perft perft(Reasoner& reasoner, std::size_t depth, const Limits& limits) {
    return count(reasoner, reasoner.roles().size(), reasoner.initial(), depth, limits);
}

}  // namespace zermelo::gdl
