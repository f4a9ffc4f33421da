#include "cli/play/play_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <iostream>

#include "core/format/nearest.hpp"
#include "solve/certificate.hpp"
#include "strategy/format/dot.hpp"

namespace zermelo::cli {

namespace {

using model::Quantifier;

constexpr double drawing_seconds = 10;

const model::Model& model_of(const Problem& problem) {
    if (problem.model() == nullptr)
        throw Error({problem.file()}, "models with chance cannot be played in the terminal",
                    "choose a model without chance");
    return *problem.model();
}

Quantifier other(Quantifier side) {
    return side == Quantifier::exists ? Quantifier::forall : Quantifier::exists;
}
const char* sign(Quantifier side) { return side == Quantifier::exists ? "∃" : "∀"; }

Quantifier side_named(const std::string& role) {
    if (role == "exists" || role == "∃") return Quantifier::exists;
    if (role == "forall" || role == "∀") return Quantifier::forall;
    const std::vector<std::string> names = {"exists", "forall"};
    throw Error(fmt::format("--role {}: nobody is called so in a model", role),
                did_you_mean(role, names) + "choose from exists, forall");
}

// Nothing where the line is none of the values.
std::optional<model::Value> value_in(const std::string& line, const model::Model& m, model::VarId variable,
                                     const std::vector<model::Value>& legal) {
    for (const model::Value value : legal) {
        if (m.variables[static_cast<std::size_t>(variable)].value_names != nullptr &&
            line == m.value_text(variable, value))
            return value;
    }
    try {
        std::size_t used = 0;
        const model::Value value = std::stoll(line, &used);
        const bool number = line.find_first_not_of(" \t\r", used) == std::string::npos;
        if (number && std::binary_search(legal.begin(), legal.end(), value)) return value;
    } catch (const std::exception&) {
        // Not a number: the choices are listed, as for an illegal one.
    }
    return std::nullopt;
}

}  // namespace

PlayModel::PlayModel(const Problem& problem, const PlayModelOptions& options,
                     const model::MiniZincOptions& reading)
    : problem_(problem),
      model_(model_of(problem)),
      structure_(analyse(model_)),
      options_(options),
      rules_(model_, structure_),
      view_(model::OutputItem::compile(problem.file(), reading), model_, structure_),
      random_(options.seed) {
    for (const model::Block& block : structure_.prefix)
        order_.insert(order_.end(), block.variables.begin(), block.variables.end());
    if (!options.role.empty()) person_ = side_named(options.role);
    if (options.strategy_file.empty()) return;
    auto plan = std::make_unique<Plan>(
        Plan{std::make_shared<const model::Model>(model_), structure_, load(options.strategy_file, problem)});
    const Quantifier winner = plan->strategy().owner;
    if (options.role.empty()) person_ = other(winner);
    plans_[winner] = std::move(plan);
}

int PlayModel::run() {
    std::signal(SIGINT, SIG_DFL);  // nothing is lost by leaving a game at once
    std::cout << fmt::format(
        "The program plays {}; you play {}. An empty line lists your moves; hint, undo and quit do what they "
        "say.\n",
        sign(other(person_)), sign(person_));
    while (const auto variable = due()) {
        const auto legal = rules_.legal(*variable);
        if (legal.empty()) break;
        const Quantifier side = owner(*variable);
        const std::string name = model_.name_of(*variable);
        if (legal.size() == 1) {
            std::cout << fmt::format("{} = {}, the only move of {}\n", name,
                                     model_.value_text(*variable, legal.front()), sign(side));
            make(*variable, legal.front());
        } else if (side != person_) {
            const auto known = advice(side, *variable);
            const model::Value value = known ? *known : legal[random_.below(legal.size())];
            std::cout << fmt::format("{} = {}\n", name, model_.value_text(*variable, value));
            make(*variable, value);
        } else {
            show_position();
            const std::size_t moves = played_.size();
            const auto value = ask(*variable, legal);
            if (!value && played_.size() == moves) {
                std::cout << "\nThe game is not finished.\n";
                return answered;
            }
            if (!value) continue;  // moves were taken back
            make(*variable, *value);
            chosen_.back() = true;
        }
    }
    show_position();
    const auto stuck = due();
    if (stuck)
        std::cout << fmt::format("{} has no legal value for {}.\n", sign(owner(*stuck)),
                                 model_.name_of(*stuck));
    const Quantifier winner = stuck ? other(owner(*stuck)) : rules_.winner();
    std::cout << (winner == person_ ? "You win.\n" : "The program wins.\n");
    return answered;
}

std::optional<model::VarId> PlayModel::due() {
    if (played_.size() == order_.size()) return std::nullopt;
    return order_[played_.size()];
}

model::Quantifier PlayModel::owner(model::VarId variable) const {
    const auto block = static_cast<std::size_t>(structure_.block_of[static_cast<std::size_t>(variable)]);
    return structure_.prefix[block].quantifier;
}

void PlayModel::make(model::VarId variable, model::Value value) {
    rules_.play(variable, value);
    played_.push_back(value);
    chosen_.push_back(false);
}

std::optional<model::Value> PlayModel::follow(const Plan& plan, model::VarId variable) const {
    strategy::Follower play(*plan.model, plan.structure, plan.strategy());
    try {
        for (std::size_t i = 0; i < played_.size(); ++i) {
            const auto at = play.turn();
            if (!at || *at != order_[i]) return std::nullopt;
            if (play.owners_turn(*at) && play.move(*at) != played_[i]) return std::nullopt;
            play.play(*at, played_[i]);
        }
        const auto at = play.turn();
        if (!at || *at != variable || !play.owners_turn(*at)) return std::nullopt;
        return play.move(*at);
    } catch (const Error&) {
        return std::nullopt;  // the plan is damaged here
    }
}

std::unique_ptr<PlayModel::Plan> PlayModel::solve_here() const {
    model::Model here = model_;
    for (std::size_t i = 0; i < played_.size(); ++i)
        here.variables[static_cast<std::size_t>(order_[i])].domain = model::Domain(played_[i], played_[i]);
    here.objective.reset();
    const auto fixed = std::make_shared<const model::Model>(std::move(here));
    SolveOptions how;
    how.limits = Limits(options_.seconds, std::nullopt);
    const Verdict verdict = zermelo::solve(Problem(problem_.file(), fixed), how);
    const bool known = verdict.outcome == Outcome::won || verdict.outcome == Outcome::lost;
    if (!known || verdict.certificate.as<strategy::Strategy>() == nullptr) return nullptr;
    return std::make_unique<Plan>(Plan{fixed, analyse(*fixed), verdict.certificate});
}

std::optional<model::Value> PlayModel::advice(Quantifier side, model::VarId variable) {
    if (const auto known = plans_.find(side); known != plans_.end()) {
        if (const auto value = follow(*known->second, variable)) return value;
    }
    try {
        auto found = solve_here();
        if (found == nullptr || found->strategy().owner != side) return std::nullopt;
        const auto value = follow(*found, variable);
        plans_[side] = std::move(found);
        return value;
    } catch (const LimitReached&) {
        return std::nullopt;
    }
}

void PlayModel::show_position() {
    if (shown_ == played_.size()) return;
    shown_ = played_.size();
    const std::string picture = view_.draw(played_, Limits(drawing_seconds, std::nullopt));
    if (!picture.empty()) std::cout << '\n' << picture;
}

// To the last move for which the person had a choice.
void PlayModel::take_back() {
    const auto last = std::find(chosen_.rbegin(), chosen_.rend(), true);
    if (last == chosen_.rend()) {
        std::cout << "There is nothing to undo.\n";
        return;
    }
    const auto keep = static_cast<std::size_t>(chosen_.rend() - last) - 1;
    while (played_.size() > keep) {
        rules_.take_back();
        played_.pop_back();
        chosen_.pop_back();
    }
}

// One of the legal values; none when the person ends the game, or has taken moves back.
std::optional<model::Value> PlayModel::ask(model::VarId variable, const std::vector<model::Value>& legal) {
    const bool named = model_.variables[static_cast<std::size_t>(variable)].value_names != nullptr;
    const std::string choices =
        named ? strategy::edge_label(model_, variable, legal) : model::Domain(legal).text();
    const std::size_t moves = played_.size();
    std::string line;
    while (true) {
        std::cout << fmt::format("{} ? ", model_.name_of(variable)) << std::flush;
        if (!std::getline(std::cin, line) || line == "q" || line == "quit") return std::nullopt;
        if (const auto value = value_in(line, model_, variable, legal)) return value;
        if (line == "undo") {
            take_back();
            if (played_.size() != moves) return std::nullopt;
        } else if (line == "hint") {
            const auto best = advice(person_, variable);
            std::cout << (best ? fmt::format("Try {}.\n", model_.value_text(variable, *best))
                               : std::string("No move is known to win.\n"));
        } else {
            std::cout << fmt::format("Your legal moves: {}\n", choices);
        }
    }
}

}  // namespace zermelo::cli
