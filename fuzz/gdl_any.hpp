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

// Throws what is not an Error; ends the process where the layout changes the rules.
inline Reached run_any_description(const std::string& text) {
    constexpr double seconds = 0.1;
    constexpr int moves = 20;
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
        playing.playouts = 2;
        playing.most_steps = moves;
        playing.limits = Limits(seconds, std::nullopt);
        (void)check(description);
        (void)check_by_playing(description, playing);
        (void)information(description, playing);

        GroundOptions grounding;
        grounding.limits = Limits(seconds, std::nullopt);
        grounding.most_rules = 5000;
        grounding.most_depth = 20;
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
        for (int move = 0; move < moves && !runner.terminal(); ++move) {
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
