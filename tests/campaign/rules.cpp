// Games step by step: the reasoner, which shares only the parser with the others, the interpreter of the network, compiled
// rules in all their forms, playouts in lock-step, and the steppers of depth-first search.

#include <algorithm>

#include "campaign/campaign.hpp"
#include "core/random.hpp"
#include "gdl/circuit/bitsliced_playouts.hpp"
#include "gdl/compiled/compiled_rules.hpp"
#include "gdl/compiled_stepper.hpp"
#include "gdl/game.hpp"
#include "gdl/reasoner/reasoner.hpp"
#include "gdl/stepper.hpp"
#include "gdl/syntax/check.hpp"
#include "gdl/syntax/parse.hpp"

namespace zermelo::campaign {

namespace {

using namespace gdl;

std::string lines(std::vector<std::string> all) {
    std::ranges::sort(all);
    std::string text;
    for (const std::string& each : all) text += each + "\n";
    return text;
}

class Plays {
public:
    Plays(const Game& game, std::uint64_t seed) : game_(game), machine_(game.machine()), random_(seed) {
        using Instructions = MachineCode::Instructions;
        using Events = CompileOptions::Events;
        for (const CompileOptions& options : {CompileOptions{Instructions::best, Events::never},
                                              CompileOptions{Instructions::avx2, Events::never},
                                              CompileOptions{Instructions::best, Events::always}}) {
            if (auto rules = CompiledRules::compile(machine_, options)) rules_.push_back(std::move(rules));
        }
        for (const auto& rules : rules_) compiled_.push_back(std::make_unique<CompiledRunner>(*rules));
    }

    // Along a random play, which must end; the joint moves of it.
    void play_once(Reasoner& reasoner) {
        Runner runner(machine_);
        State state = machine_.initial();
        Reasoner::State truth = reasoner.initial();
        for (std::size_t step = 0;; ++step) {
            require(step <= 20, "the play does not end");
            runner.load(state);
            for (auto& each : compiled_) each->load(state);
            require(lines(game_.facts(state)) == lines_of(reasoner, truth), "facts differ");
            require(runner.terminal() == reasoner.terminal(truth), "the end differs");
            for (std::size_t r = 0; r < machine_.roles(); ++r) compare_role(runner, reasoner, truth, r);
            for (auto& each : compiled_)
                require(each->terminal() == runner.terminal(), "compiled: the end differs");
            if (runner.terminal()) return;
            JointMove joint;
            Reasoner::Joint same;
            for (std::size_t r = 0; r < machine_.roles(); ++r) {
                std::vector<MoveId> legal;
                runner.legal(r, legal);
                require(!legal.empty(), "a role has no move");
                joint.push_back(legal[random_.below(legal.size())]);
                same.push_back(*reasoner.find(game_.move_text(r, joint.back())));
            }
            runner.play(joint);
            for (auto& each : compiled_) each->play(joint);
            for (std::size_t r = 0; r < machine_.roles(); ++r)
                compare_percepts(runner, reasoner, truth, same, r);
            State next;
            runner.next(next);
            for (auto& each : compiled_) {
                State also;
                each->next(also);
                require(also == next, "compiled: the next state differs");
            }
            compare_lanes(state, joint, next);
            state = std::move(next);
            truth = reasoner.next(truth, same);
        }
    }

    // Playouts in lock-step, every lane of them next to the interpreter.
    void follow_lanes(std::size_t width) {
        const auto lanes = BitslicedPlayouts::make(machine_, random_.next(), width);
        Runner runner(machine_);
        runner.load(machine_.initial());
        if (runner.terminal()) return;
        const State* start[] = {&machine_.initial()};
        lanes->assign_groups(start, 0, false);
        std::vector<State> before(lanes->lanes());
        std::vector<bool> over(lanes->lanes());
        gdl::Tally tally;
        State next;
        for (bool done = false; !done;) {
            for (std::size_t i = 0; i < before.size(); ++i) before[i] = lanes->state(i);
            done = lanes->drain(tally, 1);
            for (std::size_t i = 0; i < before.size(); ++i) {
                if (over[i]) continue;
                const JointMove joint = lanes->moves(i);
                runner.load(before[i]);
                for (std::size_t r = 0; r < joint.size(); ++r) {
                    require(joint[r] < machine_.network().moves[r].size() &&
                                runner.holds(machine_.network().moves[r][joint[r]].legal),
                            "lanes: an illegal move");
                }
                runner.play(joint);
                runner.next(next);
                require(lanes->state(i) == next, "lanes: the next state differs");
                runner.load(next);
                over[i] = runner.terminal();
            }
        }
        require(std::ranges::all_of(over, [](bool each) { return each; }), "lanes: a playout did not end");
    }

    // A stepper goes along a play in which at most one role has a choice, and back.
    template <class S>
    bool step(S stepper) {
        Runner runner(machine_);
        std::vector<State> path;
        for (std::size_t steps = 0; steps <= 20; ++steps) {
            path.push_back(stepper.state());
            runner.load(path.back());
            require(stepper.terminal() == runner.terminal(), "stepper: the end differs");
            std::size_t mover = 0;
            std::size_t choosing = 0;
            std::vector<MoveId> mine;
            std::vector<MoveId> theirs;
            for (std::size_t r = 0; r < machine_.roles(); ++r) {
                require(stepper.goal(r) == runner.goal(r), "stepper: a goal differs");
                stepper.legal(r, mine);
                runner.legal(r, theirs);
                require(mine.size() == stepper.choices(r) && std::ranges::is_permutation(mine, theirs),
                        "stepper: legal moves differ");
                if (mine.size() > 1) {
                    mover = r;
                    ++choosing;
                }
            }
            if (stepper.terminal() || choosing > 1) break;
            stepper.legal(mover, mine);
            const MoveId move = mine[random_.below(mine.size())];
            JointMove joint;
            for (std::size_t r = 0; r < machine_.roles(); ++r) {
                runner.legal(r, theirs);
                joint.push_back(r == mover ? move : theirs.front());
            }
            const auto peek = stepper.peek(mover, move, mover);
            stepper.play(mover, move);
            require(peek.key == stepper.key() && peek.terminal == stepper.terminal(),
                    "stepper: a look differs");
            runner.play(joint);
            State next;
            runner.next(next);
            require(stepper.state() == next, "stepper: the next state differs");
        }
        for (; path.size() > 1; path.pop_back()) {
            require(stepper.state() == path.back(), "stepper: the way back differs");
            stepper.undo();
        }
        require(stepper.state() == path.front(), "stepper: the way back differs");
        return true;
    }

private:
    static std::string lines_of(Reasoner& reasoner, const std::vector<Reasoner::Ground>& terms) {
        std::vector<std::string> all;
        for (const Reasoner::Ground each : terms) all.push_back(reasoner.text(each));
        return lines(std::move(all));
    }

    void compare_role(const Runner& runner, Reasoner& reasoner, const Reasoner::State& truth, std::size_t r) {
        require(runner.goal(r) == reasoner.goal(truth, r).value_or(-1), "a goal differs");
        std::vector<MoveId> legal;
        runner.legal(r, legal);
        std::vector<std::string> names;
        for (const MoveId m : legal) names.push_back(game_.move_text(r, m));
        require(lines(names) == lines_of(reasoner, reasoner.legal(truth, r)), "legal moves differ");
        for (auto& each : compiled_) {
            require(each->goal(r) == runner.goal(r), "compiled: a goal differs");
            std::vector<MoveId> also;
            each->legal(r, also);
            require(also == legal, "compiled: legal moves differ");
        }
    }

    void compare_percepts(const Runner& runner, Reasoner& reasoner, const Reasoner::State& truth,
                          const Reasoner::Joint& joint, std::size_t r) {
        std::vector<TermId> seen;
        runner.sees(r, seen);
        std::vector<std::string> names;
        for (const TermId t : seen) names.push_back(game_.text(t));
        require(lines(names) == lines_of(reasoner, reasoner.sees(truth, joint, r)), "percepts differ");
        for (auto& each : compiled_) {
            std::vector<TermId> also;
            each->sees(r, also);
            require(also == seen, "compiled: percepts differ");
        }
    }

    // A joint move that is given to a group of lanes.
    void compare_lanes(const State& state, const JointMove& joint, const State& next) {
        if (!groups_) groups_ = BitslicedPlayouts::make(machine_, 1, 128);
        const State* states[] = {&state};
        const JointMove* joints[] = {&joint};
        groups_->assign_groups(states, 1, false);
        groups_->play_in_groups(joints);
        std::vector<BitslicedPlayouts::GroupState> found;
        groups_->group_states(found);
        require(found.size() == 1 && found.front().state == next, "lanes: the next state differs");
        Runner runner(machine_);
        runner.load(next);
        require(found.front().terminal == runner.terminal(), "lanes: the end differs");
        for (std::size_t r = 0; r < machine_.roles(); ++r) {
            std::vector<MoveId> legal;
            if (runner.terminal()) {
                require(found.front().goals[r] == runner.goal(r), "lanes: a goal differs");
            } else {
                runner.legal(r, legal);
            }
            require(found.front().legal[r] == legal, "lanes: legal moves differ");
        }
    }

    const Game& game_;
    const Machine& machine_;
    Random random_;
    std::vector<std::unique_ptr<CompiledRules>> rules_;
    std::vector<std::unique_ptr<CompiledRunner>> compiled_;
    std::unique_ptr<BitslicedPlayouts> groups_;
};

}  // namespace

void run_rules(const Case& drawn) {
    const Description description = parse(drawn.text, "drawn.kif");
    for (const Finding& finding : check(description))
        require(finding.severity != Finding::Severity::error, "the generator: " + finding.text());
    require(format(format(drawn.text, "drawn.kif"), "drawn.kif") == format(drawn.text, "drawn.kif"),
            "the layout of a layout differs");
    const Game game(parse(format(drawn.text, "drawn.kif"), "drawn.kif"));
    Reasoner reasoner(description);
    Plays plays(game, drawn.seed);
    const int playouts = 4;
    for (int i = 0; i < playouts; ++i) plays.play_once(reasoner);
    drawn.tally.count("plays", playouts);
    for (const std::size_t width : {128, 256, 512}) plays.follow_lanes(width);
    if (Stepper::supports(game.machine().network())) {
        drawn.tally.count("on the stepper");
        for (int i = 0; i < 2; ++i) plays.step(Stepper(game));
        if (const auto moves = CompiledMoves::make(game)) {
            drawn.tally.count("on the compiled stepper");
            for (int i = 0; i < 2; ++i) plays.step(CompiledStepper(moves));
        }
    }
    if (information(description).is_gdl2()) drawn.tally.count("in GDL-II");
}

}  // namespace zermelo::campaign
