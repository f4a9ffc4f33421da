#include "play/game_context.hpp"

#include <algorithm>
#include <limits>
#include <unordered_set>

#include "gdl/stepper.hpp"
#include "play/info_state.hpp"
#include "play/learn/self_play.hpp"

namespace zermelo::play {

namespace {

constexpr std::size_t probe_steps = 8192;
constexpr double learning_share = 0.9;  // of the time that there is
constexpr double playing_share = 0.4;   // of this, for random plays
constexpr double learning_seconds = 2;  // at most, where there is a deadline
constexpr double network_seconds = 6;
constexpr double random_share = 0.3;     // of the time to learn a network in, for random plays
constexpr double self_play_share = 0.6;  // and for self-play
constexpr double least_self_play = 0.2;  // seconds; a few matches teach nothing
constexpr std::size_t unhurried_matches = 1000;
constexpr double filter_seconds = 5;
constexpr double symmetry_seconds = 2;
constexpr double unhurried = 60;                    // where there is no deadline
constexpr std::size_t most_stepper_bytes = 262144;  // a stepper copies a block of memory for each move
constexpr double filter_share = 0.5;                // of the time to learn in
constexpr unsigned deepest_filter = 3;

}  // namespace

namespace {

// Every seat sees every move of the others as such, so that it knows the state although there are `sees`
// rules.
bool sees_all(const gdl::Network& network, std::size_t seat) {
    std::unordered_set<std::uint32_t> seen;  // codes of signals
    for (const auto& percept : network.sees[seat]) seen.insert(percept.seen.code());
    for (std::size_t q = 0; q < network.roles.size(); ++q) {
        if (q == seat) continue;
        for (const auto& move : network.moves[q]) {
            if (!seen.contains(gdl::Signal(move.node, false).code())) return false;
        }
    }
    return true;
}

}  // namespace

GameContext::GameContext(const gdl::Game& game) : game_(game) {
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
                          [](const gdl::Rule& rule) { return rule.head.relation == gdl::kw_sees; }) &&
              !std::ranges::all_of(seats_, [&](std::size_t seat) { return sees_all(network, seat); });
    for (std::size_t s = 0; s < seats_.size(); ++s)
        untrained_heuristic_.of_player.push_back({0, std::vector<double>(network.fluents.size(), 0)});
    opposed_ = seats_.size() == 2;
    turns_ = seats_.size() == roles() && !hidden_;
    probe();
}

// Some random plays.
void GameContext::probe() {
    InfoState info(*this);
    Random random(1);
    JointMove joint;
    State state = machine().initial();
    std::size_t ends = 0;
    std::size_t unequal = 0;
    const Limits limits;
    for (std::size_t step = 0; step < probe_steps; ++step) {
        if (const Stop stop = limits.reached(); stop != Stop::none)
            throw LimitReached(stop, "while sampling the game", "try again");
        info.load(state);
        if (info.terminal()) {
            ++ends;
            if (seats_.size() == 2 && info.goal(seats_[0]) != info.goal(seats_[1])) ++unequal;
            if (opposed_ && info.goal(seats_[0]) + info.goal(seats_[1]) != game::win) opposed_ = false;
            state = machine().initial();
            continue;
        }
        random_moves(info, random, joint);
        const auto choosing = std::count_if(seats_.begin(), seats_.end(),
                                            [&](std::size_t r) { return info.legal(r).size() > 1; });
        if (choosing > 1) turns_ = false;
        info.play(joint, state);
    }
    if (ends == 0) opposed_ = false;
    rivals_ = 2 * unequal > ends;
}

std::string GameContext::role_name(std::size_t role) const {
    return game_.text(machine().network().roles[role]);
}

game::Player GameContext::seat_of(std::size_t role) const {
    return static_cast<game::Player>(std::find(seats_.begin(), seats_.end(), role) - seats_.begin());
}

Error GameContext::stuck(std::size_t role) const {
    return Error({game_.description().file},
                 role_name(role) + " has no legal move in a state that is not over",
                 "every role needs a legal move until the game is over; zermelo gdl check finds such states");
}

bool GameContext::steps_fast() const {
    std::call_once(stepper_tried_, [&] {
        steps_fast_ = !machine().initial().empty() && gdl::Stepper::supports(machine().network()) &&
                      gdl::Stepper(game_).block_bytes() <= most_stepper_bytes;
    });
    return steps_fast_;
}

std::size_t GameContext::mover(const gdl::Stepper& stepper) const {
    std::size_t found = roles();
    for (std::size_t r = 0; r < roles(); ++r) {
        if (stepper.choices(r) == 0) throw stuck(r);
        if (stepper.choices(r) == 1) continue;
        if (found != roles()) throw Error("roles move at the same time", "use another player");
        found = r;
    }
    return found;
}

const scsp::WinLossFilter& GameContext::win_loss_filter(unsigned depth, const Deadline& deadline) const {
    return win_loss_filters_.at(depth).get(deadline, filter_seconds, empty_filter_, [&](double seconds) {
        scsp::WinLossFilter found =
            scsp::make_win_loss_filter(machine(), {.depth = depth,
                                                   .opposed = opposed_,
                                                   .chance = chance_,
                                                   .seconds = std::min(seconds, unhurried)});
        const bool complete = found.depth == depth;
        return AnytimeCache<scsp::WinLossFilter>::Attempt{std::move(found), complete};
    });
}

const symmetry::Canonical& GameContext::canonical(const Deadline& deadline) const {
    return canonical_.get(deadline, symmetry_seconds, identity_, [&](double seconds) {
        const Limits limits(std::min(seconds, unhurried), std::nullopt);
        symmetry::Canonical found(machine().network(), limits);
        return AnytimeCache<symmetry::Canonical>::Attempt{std::move(found), limits.reached() == Stop::none};
    });
}

const game::LearnedHeuristic& GameContext::learned(const Deadline& deadline, bool filtered) const {
    const gdl::Machine* plays = &machine();
    if (filtered) {
        const scsp::WinLossFilter& filter = win_loss_filter(deepest_filter, deadline.part(filter_share));
        if (filter.machine) plays = filter.machine.get();
    }
    const auto learn = [&](double seconds) {
        game::LearnOptions options;
        if (deadline.set()) {
            options.playing = Limits(playing_share * learning_share * seconds, std::nullopt);
            options.limits = Limits(learning_share * seconds, std::nullopt);
        }
        return AnytimeCache<game::LearnedHeuristic>::Attempt{game::learn(*plays, options), !deadline.set()};
    };
    return learned_[filtered ? 1 : 0].get(deadline, learning_seconds, untrained_heuristic_, learn);
}

const ValueNetwork& GameContext::value_network(const Deadline& deadline, bool filtered) const {
    const auto make = [&](double seconds) {
        ValueNetwork network(learned(deadline.part(random_share), filtered));
        const bool can_self_play = steps_fast() && !hidden_ && (seats_.size() == 1 || opposed_);
        if (can_self_play && seconds >= least_self_play)
            self_play(*this, network,
                      deadline.set() ? SelfPlayOptions{.seconds = self_play_share * seconds}
                                     : SelfPlayOptions{.most_matches = unhurried_matches});
        return AnytimeCache<ValueNetwork>::Attempt{std::move(network), !deadline.set()};
    };
    return value_networks_[filtered ? 1 : 0].get(deadline, network_seconds, untrained_network_, make);
}

}  // namespace zermelo::play
