#include "play/rules.hpp"

#include <algorithm>
#include <limits>

#include "play/scene.hpp"

namespace zermelo::play {

namespace {

constexpr std::size_t trial_steps = 8192;
constexpr double much_more = 4;         // times the time of the last attempt
constexpr double learning_share = 0.9;  // of the time that there is
constexpr double playing_share = 0.4;   // of this, for random plays
constexpr double learning_seconds = 2;  // at most, where there is a deadline

}  // namespace

Rules::Rules(const gdl::Game& game) : game_(game) {
    const gdl::Network& network = game.machine().network();
    for (std::size_t r = 0; r < network.roles.size(); ++r) {
        const gdl::TermId role = network.roles[r];
        chance_.push_back(network.terms.symbol(role) == gdl::kw_random &&
                          network.terms.arguments(role).empty());
        if (!chance_.back()) seats_.push_back(r);
    }
    if (seats_.empty())
        throw Error({game.description().file}, "there is no role but random", "add a role for a player");
    const auto& rules = game.description().rules;
    hidden_ = std::any_of(rules.begin(), rules.end(),
                          [](const gdl::Rule& rule) { return rule.head.relation == gdl::kw_sees; });
    for (std::size_t s = 0; s < seats_.size(); ++s)
        ignorant_.of_player.push_back({0, std::vector<double>(network.fluents.size(), 0)});
    opposed_ = seats_.size() == 2;
    turns_ = seats_.size() == roles() && !hidden_;
    try_out();
}

// Some random plays.
void Rules::try_out() {
    Scene scene(*this);
    Random random(1);
    JointMove joint;
    State state = machine().initial();
    std::size_t ends = 0;
    for (std::size_t step = 0; step < trial_steps; ++step) {
        scene.load(state);
        if (scene.terminal()) {
            ++ends;
            if (opposed_ && scene.goal(seats_[0]) + scene.goal(seats_[1]) != game::win) opposed_ = false;
            state = machine().initial();
            continue;
        }
        random_moves(scene, random, joint);
        const auto choosing = std::count_if(seats_.begin(), seats_.end(),
                                            [&](std::size_t r) { return scene.legal(r).size() > 1; });
        if (choosing > 1) turns_ = false;
        scene.play(joint, state);
    }
    if (ends == 0) opposed_ = false;
}

std::string Rules::role_name(std::size_t role) const { return game_.text(machine().network().roles[role]); }

game::Player Rules::seat_of(std::size_t role) const {
    return static_cast<game::Player>(std::find(seats_.begin(), seats_.end(), role) - seats_.begin());
}

Error Rules::stuck(std::size_t role) const {
    return Error({game_.description().file},
                 role_name(role) + " has no legal move in a state that is not over",
                 "every role needs a legal move until the game is over; zermelo gdl check finds such states");
}

const game::Learned& Rules::learned(const Deadline& deadline) const {
    std::unique_lock lock(mutex_, std::defer_lock);
    const double left = std::max(0.0, deadline.left());
    if (!deadline.set())
        lock.lock();
    else if (!lock.try_lock_for(std::chrono::duration<double>(left)))
        return ignorant_;  // somebody else is at it
    const double seconds = deadline.set() ? std::min(learning_seconds, learning_share * left)
                                          : std::numeric_limits<double>::infinity();
    if (!learned_.empty() && !(seconds > much_more * learned_in_)) return *learned_.back();
    game::LearnOptions options;
    if (deadline.set()) {
        options.playing = Limits(playing_share * seconds, std::nullopt);
        options.limits = Limits(seconds, std::nullopt);
    }
    learned_.push_back(std::make_unique<game::Learned>(game::learn(machine(), options)));
    learned_in_ = seconds;
    return *learned_.back();
}

}  // namespace zermelo::play
