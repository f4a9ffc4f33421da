// Any bytes as a game description, all the way: read, lay out, check, ground, build the network, play. The
// only complaint is an Error, and laid out anew a description reads the same.

#pragma once

#include <cstdlib>
#include <iostream>
#include <string>

#include "core/random.hpp"
#include "gdl/game.hpp"
#include "gdl/syntax/check.hpp"
#include "gdl/syntax/parse.hpp"

namespace zermelo::gdl {

// How far a description got.
enum class Reached : std::uint8_t { nothing, read, built, played };

// What a description may cost. Little, where many are tried: nearly all that can go wrong goes wrong in a few rules and moves.
struct Budget {
    double seconds = 0.1;  // of each stage
    int playouts = 2;
    int moves = 20;
    std::size_t rules = 5000;
    std::size_t depth = 20;
    static Budget small() { return {0.003, 1, 6, 300, 8}; }
};

// Throws what is not an Error; ends the process where the layout changes the rules.
inline Reached run_any_description(const std::string& text, const Budget& budget = {}) {
    Reached reached = Reached::nothing;
    try {
        Description description = parse(text, "fuzz.kif");
        reached = Reached::read;
        const std::string laid_out = format(text, "fuzz.kif");
        const Description again = parse(laid_out, "fuzz.kif");
        bool same = again.rules.size() == description.rules.size();
        for (std::size_t i = 0; same && i < again.rules.size(); ++i)
            same = zermelo::gdl::text(again, again.rules[i]) ==
                   zermelo::gdl::text(description, description.rules[i]);
        if (!same || format(laid_out, "fuzz.kif") != laid_out) {
            std::cerr << "the layout changes the description:\n" << text << "\n---\n" << laid_out << '\n';
            std::abort();
        }

        PlayOptions playing;
        playing.playouts = budget.playouts;
        playing.most_steps = budget.moves;
        playing.limits = Limits(budget.seconds, std::nullopt);
        (void)check(description);
        (void)check_by_playing(description, playing);
        (void)information(description, playing);

        GroundOptions grounding;
        grounding.limits = Limits(budget.seconds, std::nullopt);
        grounding.most_rules = budget.rules;
        grounding.most_depth = budget.depth;
        const Game game(std::move(description), grounding);
        reached = Reached::built;
        const Machine& machine = game.machine();
        Runner runner(machine);
        Random random(text.size());
        State state = machine.initial();
        JointMove joint(machine.roles());
        std::vector<MoveId> legal;
        std::vector<TermId> percepts;
        runner.load(state);
        for (int move = 0; move < budget.moves && !runner.terminal(); ++move) {
            for (std::size_t r = 0; r < joint.size(); ++r) {
                (void)runner.goal(r);
                runner.legal(r, legal);
                if (legal.empty()) return reached;
                joint[r] = legal[random.below(legal.size())];
            }
            runner.play(joint);
            for (std::size_t r = 0; r < joint.size(); ++r) runner.sees(r, percepts);
            runner.next(state);
            runner.load(state);
            reached = Reached::played;
        }
    } catch (const Error&) {
        // what damaged text deserves
    }
    return reached;
}

}  // namespace zermelo::gdl
