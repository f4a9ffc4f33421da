// The games of the repository, and random plays through them.

#pragma once

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "gdl/game.hpp"
#include "scsp/mutex_groups.hpp"

namespace zermelo::scsp {

inline std::vector<std::string> all_games() {
    std::vector<std::string> files;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(ZERMELO_SOURCE_DIR) + "/games/gdl")) {
        if (entry.path().extension() == ".kif") files.push_back(entry.path().string());
    }
    std::ranges::sort(files);
    return files;
}

// The groups that are proven in a moment: of large games perhaps none.
inline MutexGroups quick_mutex_groups(const gdl::Machine& machine) {
    constexpr double moment = 0.5;
    return find_mutex_groups(machine, {.limits = Limits(moment, std::nullopt)});
}

inline std::string game_file(const std::string& name) {
    return std::string(ZERMELO_SOURCE_DIR) + "/games/gdl/" + name + ".kif";
}

// Visits the states of a random play, its end among them; at most `most` of them.
template <class Visit>
void play_at_random(const gdl::Machine& machine, std::uint64_t seed, int most, Visit visit) {
    gdl::Runner runner(machine);
    Random random(seed);
    gdl::State state = machine.initial();
    gdl::JointMove joint(machine.roles());
    std::vector<gdl::MoveId> legal;
    for (int i = 0; i < most; ++i) {
        visit(state);
        runner.load(state);
        if (runner.terminal()) return;
        for (std::size_t r = 0; r < joint.size(); ++r) {
            runner.legal(r, legal);
            if (legal.empty()) return;
            joint[r] = legal[random.below(legal.size())];
        }
        runner.play(joint);
        runner.next(state);
    }
}

// All joint moves that are legal in the state the runner has loaded; none where the game is over.
inline std::vector<gdl::JointMove> legal_joint_moves(const gdl::Machine& machine, const gdl::Runner& runner) {
    std::vector<gdl::JointMove> all;
    if (runner.terminal()) return all;
    all.emplace_back();
    std::vector<gdl::MoveId> legal;
    for (std::size_t r = 0; r < machine.roles(); ++r) {
        runner.legal(r, legal);
        std::vector<gdl::JointMove> longer;
        for (const auto& joint : all) {
            for (const gdl::MoveId m : legal) {
                longer.push_back(joint);
                longer.back().push_back(m);
            }
        }
        all = std::move(longer);
    }
    return all;
}

using Moves = std::map<gdl::JointMove, gdl::State>;  // with the move of chance

// What the machine says: by joint move the next state.
inline Moves by_machine(const gdl::Machine& machine, const gdl::State& state) {
    Moves result;
    gdl::Runner runner(machine);
    runner.load(state);
    for (const auto& joint : legal_joint_moves(machine, runner)) {
        runner.play(joint);
        runner.next(result[joint]);
    }
    return result;
}

}  // namespace zermelo::scsp
