#include "gdl/move_analysis.hpp"

#include <algorithm>
#include <string>

#include "core/limits.hpp"
#include "core/random.hpp"

namespace zermelo::gdl {

std::vector<std::vector<MoveId>> moves_by_name(const Game& game) {
    const auto& all = game.machine().network().moves;
    std::vector<std::vector<MoveId>> order(all.size());
    for (std::size_t r = 0; r < all.size(); ++r) {
        std::vector<std::pair<std::string, MoveId>> named;
        for (MoveId m = 0; m < all[r].size(); ++m) named.emplace_back(game.move_text(r, m), m);
        std::sort(named.begin(), named.end());
        for (const auto& [name, move] : named) order[r].push_back(move);
    }
    return order;
}

std::vector<std::vector<JointMove>> partners_seen(const Machine& machine) {
    constexpr int playouts = 10;
    constexpr int longest = 500;
    constexpr std::size_t most_partners = 4;
    const std::size_t roles = machine.roles();
    std::vector<std::vector<JointMove>> partners(roles);
    Runner runner(machine);
    Random random(1);
    std::vector<std::vector<MoveId>> legal(roles);
    for (int playout = 0; playout < playouts; ++playout) {
        State state = machine.initial();
        for (int step = 0; step < longest; ++step) {
            stay_within_limits("while playing at random");
            runner.load(state);
            if (runner.terminal()) break;
            JointMove joint(roles);
            std::size_t mover = 0;
            for (std::size_t r = 0; r < roles; ++r) {
                runner.legal(r, legal[r]);
                if (legal[r].empty()) return std::vector<std::vector<JointMove>>(roles);
                joint[r] = legal[r][random.below(legal[r].size())];
                if (legal[r].size() > legal[mover].size()) mover = r;
            }
            runner.play(joint);
            runner.next(state);
            joint[mover] = 0;
            auto& seen = partners[mover];
            if (seen.size() < most_partners && std::ranges::find(seen, joint) == seen.end())
                seen.push_back(joint);
        }
    }
    return partners;
}

std::unordered_map<std::uint32_t, GoalConjunction> goal_conjunctions(const Network& network,
                                                                     const Effects& effects,
                                                                     GoalReachability& reachability) {
    constexpr std::size_t most_roles = 8;
    std::unordered_map<std::uint32_t, GoalConjunction> found;
    const std::uint32_t gates_from = effects.circuit().first_gate();
    for (std::size_t r = 0; r < std::min(network.roles.size(), most_roles); ++r) {
        const auto best = std::ranges::max_element(network.goals[r], {}, &Network::Goal::value);
        if (best == network.goals[r].end()) continue;
        std::vector<Signal> open{effects.of_state(best->holds)};
        std::vector<bool> seen(2 * effects.circuit().nodes(), false);
        while (!open.empty()) {
            const Signal s = open.back();
            open.pop_back();
            if (s.node() < gates_from || seen[s.code()]) continue;
            seen[s.code()] = true;
            for (const Signal input : effects.circuit().inputs_of(s.node())) {
                open.push_back(s.negated() ? !input : input);
            }
            if (s.negated()) continue;
            GoalConjunction& conjunction = found[s.node()];
            conjunction.roles = static_cast<std::uint8_t>(conjunction.roles | 1U << r);
        }
    }
    for (auto& [gate, conjunction] : found) conjunction.refuted = reachability.certain(Signal(gate, true));
    return found;
}

}  // namespace zermelo::gdl
