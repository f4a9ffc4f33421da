#include "game/views/gdl_game.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "game/views/stepping_rules.hpp"

namespace zermelo::game {

namespace {

std::vector<bool> random_roles(const gdl::Network& network) {
    std::vector<bool> random;
    for (const gdl::TermId role : network.roles) {
        random.push_back(network.terms.symbol(role) == gdl::kw_random &&
                         network.terms.arguments(role).empty());
    }
    return random;
}

std::vector<bool> random_roles(const gdl::Reasoner& reasoner) {
    std::vector<bool> random;
    for (const auto role : reasoner.roles()) random.push_back(reasoner.text(role) == "random");
    return random;
}

[[noreturn]] void no_legal_move(const std::string& file, const std::string& role, const std::string& state) {
    throw Error({file},
                fmt::format("{} has no legal move in the state {}, which is not terminal", role, state),
                "give every role a legal move in every state that is not terminal");
}

[[noreturn]] void no_goal(const std::string& file, const std::string& role, const std::string& state) {
    throw Error({file},
                fmt::format("the goal of {} has no single value in the terminal state {}", role, state),
                "state one goal for every role in every terminal state");
}

}  // namespace

Roles::Roles(const std::vector<bool>& random, const Place& place) : random_(random) {
    for (std::size_t r = 0; r < random.size(); ++r) {
        if (!random[r]) role_of_.push_back(r);
    }
    if (role_of_.empty()) throw Error(place, "the only role is random", "name a player with (role …)");
}

void Roles::may_choose(const std::vector<std::size_t>& legal_moves) {
    legal_moves_ = legal_moves;
    std::size_t with_a_choice = 0;
    mover_ = role_of_.front();
    moves_ = 1;
    for (std::size_t r = 0; r < legal_moves.size(); ++r) {
        if (legal_moves[r] == 1) continue;
        ++with_a_choice;
        mover_ = r;
        moves_ *= legal_moves[r];
    }
    if (with_a_choice > 1) {
        turn_ = {Turn::Kind::simultaneous};
    } else if (random_[mover_]) {
        turn_ = {Turn::Kind::chance};
    } else {
        const auto player = std::find(role_of_.begin(), role_of_.end(), mover_) - role_of_.begin();
        turn_ = {Turn::Kind::player, static_cast<Player>(player)};
    }
}

// All characters of a name come after the blank that ends it, so joint moves in the order of their names are
// an odometer that turns fastest at the last role.
void Roles::choices(std::size_t move, std::vector<std::size_t>& choice) const {
    choice.assign(legal_moves_.size(), 0);
    for (std::size_t r = legal_moves_.size(); r-- > 0;) {
        choice[r] = move % legal_moves_[r];
        move /= legal_moves_[r];
    }
}

GdlGame::GdlGame(const gdl::Game& game)
    : game_(game),
      start_(game.machine().initial()),
      runner_(game.machine(), gdl::Runner::Rules::fastest),
      roles_(random_roles(game.machine().network()), {game.description().file}),
      legal_(game.machine().roles()),
      counts_(game.machine().roles()),
      joint_(game.machine().roles()) {
    for (std::size_t r = 0; r < legal_.size(); ++r) rank_.push_back(ranks_by_name(game, r));
}

bool GdlGame::ends(const State& state) {
    runner_.load(state);
    if (!runner_.terminal()) return false;
    roles_.nobody_moves();
    over_ = state;
    return true;
}

void GdlGame::look(const State& state) {
    if (ends(state)) return;
    for (std::size_t r = 0; r < legal_.size(); ++r) {
        runner_.legal(r, legal_[r]);
        counts_[r] = legal_[r].size();
        if (counts_[r] == 0) no_legal_move(game_.description().file, role_name(r), state_name(state));
        const auto& rank = rank_[r];
        std::sort(legal_[r].begin(), legal_[r].end(), [&](auto a, auto b) { return rank[a] < rank[b]; });
    }
    roles_.may_choose(counts_);
}

void GdlGame::successor(std::size_t move, State& out) {
    roles_.choices(move, choice_);
    for (std::size_t r = 0; r < joint_.size(); ++r) joint_[r] = chosen(r);
    runner_.play(joint_);
    runner_.next(out);
}

int GdlGame::payoff(Player player) const {
    const std::size_t role = roles_.role_of(player);
    const int goal = runner_.goal(role);
    if (goal < 0) no_goal(game_.description().file, role_name(role), state_name(over_));
    return goal;
}

std::string GdlGame::role_name(std::size_t role) const {
    return game_.text(game_.machine().network().roles[role]);
}

std::string GdlGame::player_name(Player player) const { return role_name(roles_.role_of(player)); }

std::string GdlGame::move_name(std::size_t move) const {
    roles_.choices(move, choice_);
    if (turn().kind != Turn::Kind::simultaneous)
        return game_.move_text(roles_.mover(), chosen(roles_.mover()));
    std::vector<std::string> all;
    for (std::size_t r = 0; r < legal_.size(); ++r) all.push_back(game_.move_text(r, chosen(r)));
    return fmt::format("{}", fmt::join(all, " "));
}

std::string GdlGame::state_name(const State& state) const {
    return fmt::format("{}", fmt::join(game_.facts(state), " "));
}

Hash128 GdlGame::fingerprint() const {
    const gdl::Network& network = game_.machine().network();
    Hasher hasher;
    const auto add_term = [&](gdl::TermId term) {
        const std::string name = game_.text(term);
        hasher.add(name.size());
        hasher.add(name);
    };
    hasher.add(network.roles.size());
    for (const gdl::TermId role : network.roles) add_term(role);
    hasher.add(network.fluents.size());
    for (std::size_t i = 0; i < network.fluents.size(); ++i) {
        add_term(network.fluents[i]);
        hasher.add(network.initial[i] ? 1 : 0);
        hasher.add(network.next[i].code());
    }
    for (std::size_t r = 0; r < network.roles.size(); ++r) {
        hasher.add(network.moves[r].size());
        for (const auto& move : network.moves[r]) {
            add_term(move.term);
            hasher.add(move.legal.code());
            hasher.add(move.node);
        }
        hasher.add(network.goals[r].size());
        for (const auto& goal : network.goals[r]) {
            hasher.add(static_cast<std::uint64_t>(goal.value));
            hasher.add(goal.holds.code());
        }
    }
    hasher.add(network.terminal.code());
    hasher.add(network.gates());
    for (const std::uint32_t start : network.start) hasher.add(start);
    for (const gdl::Signal input : network.inputs) hasher.add(input.code());
    for (const auto& stretch : network.stretches) {
        hasher.add(stretch.first);
        hasher.add(stretch.loop ? stretch.rules : 0);
    }
    return hasher.value();
}

ReasonerGame::ReasonerGame(const gdl::Description& description, gdl::Reasoner& reasoner)
    : description_(description),
      reasoner_(reasoner),
      roles_(random_roles(reasoner), {description.file}),
      legal_(reasoner.roles().size()) {}

void ReasonerGame::look(const State& state) {
    at_ = state;
    if (reasoner_.terminal(state)) return roles_.nobody_moves();
    std::vector<std::size_t> counts;
    for (std::size_t r = 0; r < legal_.size(); ++r) {
        legal_[r] = reasoner_.legal(state, r);
        counts.push_back(legal_[r].size());
        if (legal_[r].empty()) {
            no_legal_move(description_.file, reasoner_.text(reasoner_.roles()[r]), state_name(state));
        }
    }
    roles_.may_choose(counts);
}

gdl::Reasoner::Joint ReasonerGame::joint(std::size_t move) const {
    std::vector<std::size_t> choice;
    roles_.choices(move, choice);
    gdl::Reasoner::Joint joint;
    for (std::size_t r = 0; r < choice.size(); ++r) joint.push_back(legal_[r][choice[r]]);
    return joint;
}

void ReasonerGame::successor(std::size_t move, State& out) { out = reasoner_.next(at_, joint(move)); }

int ReasonerGame::payoff(Player player) const {
    const auto goal = reasoner_.goal(at_, roles_.role_of(player));
    if (!goal) no_goal(description_.file, player_name(player), state_name(at_));
    return *goal;
}

std::string ReasonerGame::player_name(Player player) const {
    return reasoner_.text(reasoner_.roles()[roles_.role_of(player)]);
}

std::string ReasonerGame::move_name(std::size_t move) const {
    const auto moves = joint(move);
    if (turn().kind != Turn::Kind::simultaneous) return reasoner_.text(moves[roles_.mover()]);
    std::vector<std::string> all;
    for (const auto each : moves) all.push_back(reasoner_.text(each));
    return fmt::format("{}", fmt::join(all, " "));
}

std::string ReasonerGame::state_name(const State& state) const {
    std::vector<std::string> facts;
    for (const auto fluent : state) facts.push_back(reasoner_.text(fluent));
    std::sort(facts.begin(), facts.end());
    return fmt::format("{}", fmt::join(facts, " "));
}

}  // namespace zermelo::game
