#include "gdl/analysis/random_plays.hpp"

#include "core/random.hpp"

namespace zermelo::gdl {

void visit_random_plays(const Machine& machine, const RandomPlays& plays,
                        const std::function<void(const State&)>& visit) {
    Runner runner(machine);
    Random random(plays.seed);
    JointMove joint(machine.roles());
    std::vector<MoveId> legal;
    for (int play = 0; play < plays.plays && plays.limits.reached() == Stop::none; ++play) {
        State state = machine.initial();
        for (int move = 0; move < plays.most_moves; ++move) {
            visit(state);
            runner.load(state);
            if (runner.terminal()) break;
            bool stuck = false;
            for (std::size_t r = 0; r < joint.size() && !stuck; ++r) {
                runner.legal(r, legal);
                stuck = legal.empty();
                if (!stuck) joint[r] = legal[random.below(legal.size())];
            }
            if (stuck) break;
            runner.play(joint);
            runner.next(state);
        }
    }
}

}  // namespace zermelo::gdl
