#include "equilibrium/rules.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace zermelo::equilibrium {

namespace {

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

// joint(first, second, chance) for all of them, in the order of Expansion::at.
template <class State, class Work>
void for_each_joint(const Expansion<State>& out, const Work& work) {
    for (std::size_t i = 0; i < out.moves[0].size(); ++i) {
        for (std::size_t j = 0; j < out.moves[1].size(); ++j) {
            for (std::size_t c = 0; c < out.chances; ++c) work(i, j, c);
        }
    }
}

}  // namespace

bool has_percepts(const gdl::Description& description) {
    return std::ranges::any_of(description.rules,
                               [](const gdl::Rule& rule) { return rule.head.relation == gdl::kw_sees; });
}

Seats::Seats(const std::vector<std::string>& roles, const std::string& file) {
    std::size_t found = 0;
    for (std::size_t r = 0; r < roles.size(); ++r) {
        if (roles[r] == "random") {
            chance = r;
        } else {
            if (found < 2) players[found] = r;
            ++found;
        }
    }
    if (found != 2) {
        throw Error({file}, fmt::format("an equilibrium is for two players, but this game has {}", found),
                    "choose another engine");
    }
}

void ConstantSum::require(const std::array<int, 2>& goals, const std::array<std::string, 2>& roles,
                          const std::string& file) {
    const int sum = goals[0] + goals[1];
    if (!sum_) sum_ = sum;
    if (*sum_ == sum) return;
    throw Error({file},
                fmt::format("the goals of {} and {} add up to {} at one end of play and to {} at another",
                            roles[0], roles[1], *sum_, sum),
                "an equilibrium with a value needs opposite interests");
}

void refuse_endless(const std::string& file) {
    throw Error({file}, "a play can go on for ever", "equilibria need games in which every play ends");
}

std::string percepts_text(std::vector<std::string> percepts) {
    std::ranges::sort(percepts);
    return fmt::format("[{}]", fmt::join(percepts, " "));
}

std::string longer_view(const std::string& view, const std::string& own, const std::string& seen) {
    return view + (view.empty() ? "" : "; ") + own + " " + seen;
}

// ------------------------------------------------------------------------------------------ machine

MachineRules::MachineRules(const gdl::Game& game)
    : game_(game),
      runner_(game.machine()),
      hidden_(has_percepts(game.description())),
      legal_(game.machine().roles()),
      move_names_(game.machine().roles()) {
    const gdl::Network& network = game.machine().network();
    std::vector<std::string> roles;
    for (std::size_t r = 0; r < network.roles.size(); ++r) {
        roles.push_back(game.text(network.roles[r]));
        for (gdl::MoveId m = 0; m < network.moves[r].size(); ++m)
            move_names_[r].push_back(game.move_text(r, m));
    }
    seats_ = Seats(roles, game.description().file);
    for (std::size_t p = 0; p < 2; ++p) names_[p] = roles[seats_.players[p]];
}

std::string MachineRules::text(const State& state) const {
    return fmt::format("{}", fmt::join(game_.facts(state), " "));
}

std::string MachineRules::seen(std::size_t player) {
    if (!hidden_) return {};
    runner_.sees(seats_.players[player], percepts_);
    std::vector<std::string> texts;
    for (const gdl::TermId percept : percepts_) texts.push_back(game_.text(percept));
    return percepts_text(std::move(texts));
}

Step<gdl::State> MachineRules::step(const State& state, const gdl::JointMove& joint) {
    runner_.load(state);
    runner_.play(joint);
    Step<State> step;
    runner_.next(step.next);
    step.seen = {seen(0), seen(1)};
    return step;
}

void MachineRules::expand(const State& state, Expansion<State>& out) {
    out = {};
    runner_.load(state);
    if (runner_.terminal()) {
        out.over = true;
        for (std::size_t p = 0; p < 2; ++p) {
            out.goals[p] = runner_.goal(seats_.players[p]);
            if (out.goals[p] < 0) no_goal(file(), names_[p], text(state));
        }
        return;
    }
    for (std::size_t r = 0; r < legal_.size(); ++r) {
        runner_.legal(r, legal_[r]);
        if (legal_[r].empty())
            no_legal_move(file(), game_.text(game_.machine().network().roles[r]), text(state));
        const auto& name = move_names_[r];
        std::ranges::sort(legal_[r], [&](auto a, auto b) { return name[a] < name[b]; });
    }
    for (std::size_t p = 0; p < 2; ++p) {
        for (const gdl::MoveId move : legal_[seats_.players[p]])
            out.moves[p].push_back(move_names_[seats_.players[p]][move]);
    }
    if (seats_.chance) out.chances = legal_[*seats_.chance].size();
    gdl::JointMove joint(legal_.size());
    for_each_joint(out, [&](std::size_t i, std::size_t j, std::size_t c) {
        joint[seats_.players[0]] = legal_[seats_.players[0]][i];
        joint[seats_.players[1]] = legal_[seats_.players[1]][j];
        if (seats_.chance) joint[*seats_.chance] = legal_[*seats_.chance][c];
        runner_.play(joint);
        Step<State>& step = out.steps.emplace_back();
        runner_.next(step.next);
        step.seen = {seen(0), seen(1)};
    });
}

// ------------------------------------------------------------------------------------------ reasoner

ReasonerRules::ReasonerRules(const gdl::Description& description, gdl::Reasoner& reasoner)
    : description_(description), reasoner_(reasoner), hidden_(has_percepts(description)) {
    std::vector<std::string> roles;
    for (const auto role : reasoner.roles()) roles.push_back(reasoner.text(role));
    seats_ = Seats(roles, description.file);
    for (std::size_t p = 0; p < 2; ++p) names_[p] = roles[seats_.players[p]];
}

std::string ReasonerRules::text(const State& state) const {
    std::vector<std::string> facts;
    for (const auto fluent : state) facts.push_back(reasoner_.text(fluent));
    std::ranges::sort(facts);
    return fmt::format("{}", fmt::join(facts, " "));
}

void ReasonerRules::expand(const State& state, Expansion<State>& out) {
    out = {};
    if (reasoner_.terminal(state)) {
        out.over = true;
        for (std::size_t p = 0; p < 2; ++p) {
            const auto goal = reasoner_.goal(state, seats_.players[p]);
            if (!goal) no_goal(file(), names_[p], text(state));
            out.goals[p] = *goal;
        }
        return;
    }
    std::vector<std::vector<gdl::Reasoner::Ground>> legal;
    for (std::size_t r = 0; r < reasoner_.roles().size(); ++r) {
        legal.push_back(reasoner_.legal(state, r));
        if (legal[r].empty()) no_legal_move(file(), reasoner_.text(reasoner_.roles()[r]), text(state));
    }
    for (std::size_t p = 0; p < 2; ++p) {
        for (const auto move : legal[seats_.players[p]]) out.moves[p].push_back(reasoner_.text(move));
    }
    if (seats_.chance) out.chances = legal[*seats_.chance].size();
    gdl::Reasoner::Joint joint(legal.size());
    for_each_joint(out, [&](std::size_t i, std::size_t j, std::size_t c) {
        joint[seats_.players[0]] = legal[seats_.players[0]][i];
        joint[seats_.players[1]] = legal[seats_.players[1]][j];
        if (seats_.chance) joint[*seats_.chance] = legal[*seats_.chance][c];
        Step<State>& step = out.steps.emplace_back();
        step.next = reasoner_.next(state, joint);
        for (std::size_t p = 0; hidden_ && p < 2; ++p) {
            std::vector<std::string> texts;
            for (const auto percept : reasoner_.sees(state, joint, seats_.players[p]))
                texts.push_back(reasoner_.text(percept));
            step.seen[p] = percepts_text(std::move(texts));
        }
    });
}

}  // namespace zermelo::equilibrium
