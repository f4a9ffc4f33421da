#include "solve/thresholds.hpp"

namespace zermelo {

namespace {

using Asked = ThresholdSolution::Asked;
using RoleValue = ThresholdSolution::RoleValue;

class Session {
public:
    Session(const Problem& problem, const SolveOptions& options) : problem_(problem), options_(options) {
        const auto game = std::get<std::shared_ptr<const gdl::Game>>(problem.rules());
        solution_.questions = made_by_all(
            options.agree,
            [&] { return std::make_shared<const ThresholdQuestions>(game, options.horizon, options.limits); },
            "while the rules were read");
        solution_.role = options.role.empty() ? 0 : questions().role_named(options.role);
        solution_.threshold = options.threshold;
        solution_.form = options.engine == Engine::strategic ? encode::ModelForm::strategic
                                                             : encode::ModelForm::quantified;
    }

    Verdict run() {
        if (options_.threshold) {
            (void)ask(solution_.role, *options_.threshold);
        } else {
            find_values();
        }
        solution_.needed = needed();
        return verdict();
    }

private:
    [[nodiscard]] const ThresholdQuestions& questions() const { return *solution_.questions; }
    [[nodiscard]] const gdl::Network& network() const { return questions().game().machine().network(); }

    // The number of the answer; nothing where a limit ended the search.
    std::optional<std::size_t> ask(std::size_t role, int threshold) {
        ThresholdProof proof;
        proof.questions = solution_.questions;
        proof.quantified = made_by_all(
            options_.agree,
            [&] {
                return questions().model({role, threshold, solution_.form});
            },
            "while the game was unrolled");
        SolveOptions search = options_;
        search.certificate = true;
        search.all_first_moves = options_.all_first_moves && questions().first_mover() == role;
        Asked asked;
        asked.answer = search_model(proof.quantified.model, search);
        proof.strategy = std::move(asked.answer.strategy);
        asked.proof = std::make_shared<const ThresholdProof>(std::move(proof));
        stop_ = asked.answer.stop;
        solution_.asked.push_back(std::move(asked));
        return stop_ == Stop::none ? std::optional(solution_.asked.size() - 1) : std::nullopt;
    }
    [[nodiscard]] bool won(std::size_t question) const {
        return solution_.asked[question].answer.verdict == quantified::Verdict::won;
    }

    // Where every play ends, the smallest goal is certain and needs no question.
    void find_value(std::size_t role) {
        RoleValue& value = solution_.values.emplace_back();
        value.role = role;
        value.goals = encode::goal_values(network(), role);
        value.at_least = questions().complete() && !value.goals.empty() ? 1 : 0;
        value.at_most = value.goals.size();
        while (!value.known()) {
            const std::size_t middle = (value.at_least + value.at_most + 1) / 2;
            const auto asked = ask(role, value.goals[middle - 1]);
            if (!asked) return;
            if (won(*asked)) {
                value.at_least = middle;
                value.forced = asked;
            } else {
                value.at_most = middle - 1;
                value.refuted = asked;
            }
        }
    }

    // Where goals are opposite and all plays end, one value tells the other.
    void find_values() {
        if (network().roles.size() > 2) {
            throw Error({problem_.file()}, "more than two roles play this game",
                        "ask for one of them with " + setting("role") + " and " + setting("threshold"));
        }
        find_value(solution_.role);
        const bool both =
            network().roles.size() == 2 && !(encode::opposed(network()) && questions().complete());
        if (both && stop_ == Stop::none) find_value(1 - solution_.role);
    }

    [[nodiscard]] std::vector<std::size_t> needed() const {
        std::vector<std::size_t> all;
        if (options_.threshold && stop_ == Stop::none) all.push_back(0);
        for (const RoleValue& value : solution_.values) {
            if (value.forced) all.push_back(*value.forced);
            if (value.refuted) all.push_back(*value.refuted);
        }
        return all;
    }

    // By role, where they are known and belong together: what each can be sure of is what comes out.
    [[nodiscard]] std::vector<int> values() const {
        if (solution_.values.empty()) return {};
        const auto own = solution_.values.front().value();
        if (!own) return {};
        const std::size_t role = solution_.role;
        if (network().roles.size() == 1) return {*own};
        std::vector<int> both(2);
        both[role] = *own;
        both[1 - role] = 100 - *own;
        if (solution_.values.size() == 1) return both;
        const auto other = solution_.values.back().value();
        return other && *own + *other == 100 ? both : std::vector<int>{};
    }

    [[nodiscard]] Outcome outcome(const std::vector<int>& values) const {
        if (stop_ != Stop::none) return Outcome::unknown;
        if (options_.threshold) return won(0) ? Outcome::won : Outcome::lost;
        if (values.empty()) return Outcome::unknown;
        const std::string word = game::verdict(static_cast<game::Player>(solution_.role), values);
        return word == "won" ? Outcome::won : word == "lost" ? Outcome::lost : Outcome::drawn;
    }

    // The first moves of whoever has the first choice, by the proof that this role owns. A role that gets no
    // more than the smallest goal gets it by any move.
    void find_best(Verdict& verdict) const {
        const auto mover = questions().first_mover();
        if (!mover || stop_ != Stop::none) return;
        for (const std::size_t i : solution_.needed) {
            const Asked& asked = solution_.asked[i];
            const encode::QuantifiedGame& quantified = asked.proof->quantified;
            if (!asked.proof->owned_by(*mover)) continue;
            for (const auto& values : asked.answer.first_moves) {
                verdict.best.push_back(
                    questions().move_name(quantified, {quantified.turns.front().variable, values.front()}));
            }
            verdict.all_best = !verdict.best.empty();
            if (verdict.all_best) return;
            if (const auto moves = first_moves(quantified.model, asked.proof->strategy); !moves.empty()) {
                verdict.best = {questions().move_name(quantified, moves.front())};
                return;
            }
        }
        for (const RoleValue& value : solution_.values) {
            if (value.role != *mover || !questions().complete() || !value.known() || value.at_least != 1)
                continue;
            verdict.best = questions().first_options();
            verdict.all_best = true;
            return;
        }
    }

    [[nodiscard]] Verdict verdict() {
        Verdict verdict;
        const std::vector<int> known = values();
        verdict.outcome = outcome(known);
        verdict.stop = stop_;
        verdict.engine = options_.engine;
        for (std::size_t r = 0; r < network().roles.size(); ++r)
            verdict.players.push_back(questions().role_name(r));
        verdict.values.assign(known.begin(), known.end());
        find_best(verdict);
        const quantified::SearchStatistics statistics = solution_.statistics();
        verdict.nodes = statistics.nodes;
        verdict.cpu_seconds = statistics.cpu_seconds;
        verdict.wall_seconds = statistics.wall_seconds;
        ThresholdProofs proofs;
        for (const std::size_t i : solution_.needed) proofs.push_back(solution_.asked[i].proof);
        if (!proofs.empty()) verdict.certificate.proof = std::move(proofs);
        verdict.details = std::move(solution_);
        return verdict;
    }

    const Problem& problem_;
    const SolveOptions& options_;
    ThresholdSolution solution_;
    Stop stop_ = Stop::none;
};

}  // namespace

quantified::SearchStatistics ThresholdSolution::statistics() const {
    quantified::SearchStatistics all;
    for (const Asked& one : asked) all += one.answer.statistics;
    return all;
}

Verdict solve_thresholds(const Problem& problem, const SolveOptions& options) {
    const LimitScope scope(options.limits);
    try {
        return Session(problem, options).run();
    } catch (const LimitReached& limit) {
        Verdict verdict;  // while the game was unrolled: an answer too, if a poor one
        verdict.engine = options.engine;
        verdict.stop = limit.stop();
        return verdict;
    }
}

}  // namespace zermelo
