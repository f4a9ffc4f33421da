#include "solve/problem/threshold_questions.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/format/text.hpp"
#include "gdl/analysis/ranking.hpp"

namespace zermelo {

ThresholdQuestions::ThresholdQuestions(std::shared_ptr<const gdl::Game> rules,
                                       std::optional<std::size_t> horizon, const Limits& limits)
    : game_(std::move(rules)), numbers_(*game_) {
    const gdl::Game& game = *game_;
    encode::require_perfect_information(game);
    const gdl::State& start = game.machine().initial();
    const auto longest = gdl::longest_play(game.machine(), start, limits);
    if (!horizon && !longest) {
        throw Error({game.description().file}, "it is not known how long a play can be",
                    "say with " + setting("horizon") + " how many moves are looked at");
    }
    encode::UnrollOptions options;
    options.horizon = !horizon ? *longest : !longest ? *horizon : std::min(*horizon, *longest);
    options.limits = limits;
    unrolling_ = encode::unroll(game, start, options);
    complete_ = unrolling_.ends || (longest && *longest <= options.horizon);
}

std::string ThresholdQuestions::within() const {
    return complete_ ? "" : " within " + plural(std::to_string(horizon()), "move");
}

encode::QuantifiedGame ThresholdQuestions::model(const encode::Question& question) const {
    return encode::quantify(*game_, unrolling_, question);
}

std::string ThresholdQuestions::role_name(std::size_t role) const {
    return game_->text(game_->machine().network().roles[role]);
}

std::size_t ThresholdQuestions::role_named(const std::string& wanted) const {
    const std::size_t roles = game_->machine().roles();
    std::vector<std::string> names;
    for (std::size_t r = 0; r < roles; ++r) {
        names.push_back(role_name(r));
        if (names.back() == wanted) return r;
    }
    throw Error({game_->description().file}, fmt::format("there is no role {}", wanted),
                fmt::format("choose from {}", fmt::join(names, ", ")));
}

std::string ThresholdQuestions::move_name(const encode::QuantifiedGame& quantified,
                                          const strategy::Move& move) const {
    const auto* turn = quantified.turn_of(move.variable);
    return turn == nullptr ? std::to_string(move.value) : numbers_.text(turn->role, move.value);
}

std::optional<std::size_t> ThresholdQuestions::first_mover() const {
    const auto first =
        std::ranges::find_if(unrolling_.steps, [](const auto& step) { return step.mover.has_value(); });
    return first == unrolling_.steps.end() ? std::nullopt : first->mover;
}

std::vector<std::string> ThresholdQuestions::first_options() const {
    const auto first =
        std::ranges::find_if(unrolling_.steps, [](const auto& step) { return step.mover.has_value(); });
    std::vector<std::string> names;
    if (first == unrolling_.steps.end()) return names;
    for (const gdl::MoveId move : first->options) names.push_back(game_->move_text(*first->mover, move));
    std::ranges::sort(names);
    return names;
}

std::string ThresholdProof::claim() const {
    return fmt::format("{} {} {}{}", questions->role_name(question().role),
                       forced() ? "gets at least" : "does not get", question().threshold,
                       questions->within());
}

std::vector<std::string> ThresholdProof::move_names(const std::vector<strategy::Move>& play) const {
    std::vector<std::string> names;
    for (const strategy::Move& move : play) names.push_back(questions->move_name(quantified, move));
    return names;
}

}  // namespace zermelo
