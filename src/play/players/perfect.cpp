#include "play/players/perfect.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "equilibrium/solve.hpp"
#include "game/explore/explore.hpp"
#include "game/solve.hpp"
#include "game/strategy/file.hpp"
#include "play/information/determinization.hpp"

namespace zermelo::play {

namespace {

constexpr double exploring_share = 0.5;       // of the time for a solution
constexpr double rest_share = 0.1;            // of the time for a move, for what is left of the game
constexpr std::size_t rest_states = 200'000;  // at most

}  // namespace

Solutions::Solutions(const GameContext& rules, const SolutionOptions& options)
    : rules_(rules), options_(options), game_(rules.game()), plans_(rules.seats().size()) {}

void Solutions::find() {
    std::call_once(once_, [this] { find_first(); });
}

std::string Solutions::reason(std::size_t role) const {
    const bool somebody = std::ranges::any_of(plans_, [](const auto& plan) { return plan != nullptr; });
    return somebody && !solved(role) ? "the plan belongs to another player" : reason_;
}

void Solutions::find_first() {
    if (options_.strategy.empty() && equilibrium::calls_for_equilibrium(rules_.game())) {
        mix();
    } else if (rules_.seats().size() != rules_.roles()) {
        solve_chance();
    } else if (rules_.hidden()) {
        reason_ = "the game is not solved: moves are hidden";
    } else if (!rules_.turns()) {
        reason_ = "the game is not solved: several players move at once";
    } else if (!options_.strategy.empty()) {
        read_strategy();
    } else {
        const Deadline end = Deadline::in(options_.seconds);
        try {
            if (!work_backwards()) prove(end.left());
        } catch (const LimitReached& limit) {
            reason_ = fmt::format("the game is not solved: {}", describe(limit.stop()));
        } catch (const Error& error) {
            reason_ = fmt::format("the game is not solved: {}", error.what());
        }
    }
}

void Solutions::solve_chance() {
    try {
        chance_ = zermelo::play::solve_chance(
            rules_, Limits(options_.seconds, resident_bytes() + options_.memory), options_.threads);
        reason_ = chance_->values.interests == game::Interests::own ? "solved, if all players play optimally"
                                                                    : "solved";
    } catch (const LimitReached& limit) {
        reason_ = fmt::format("the game is not solved: {}", describe(limit.stop()));
    } catch (const Error& error) {
        reason_ = fmt::format("the game is not solved{}: {}", rules_.hidden() ? ", moves are hidden" : "",
                              error.what());
    }
}

void Solutions::mix() {
    equilibrium::SolveOptions options;
    options.limits = Limits(options_.seconds, resident_bytes() + options_.memory);
    try {
        equilibrium::Solution solution = equilibrium::solve(rules_.game(), options);
        if (!solution.solved) {
            reason_ = fmt::format("the game is not solved: {}", describe(solution.stop));
            return;
        }
        mixed_ = std::make_unique<equilibrium::Equilibrium>(std::move(solution.equilibrium));
        reason_ = "solved, with a mixed strategy";
    } catch (const Error& error) {
        reason_ = fmt::format("the game is not solved: {}", error.what());
    }
}

bool Solutions::work_backwards() {
    game::ExploreOptions exploring;
    exploring.limits = Limits(exploring_share * options_.seconds, resident_bytes() + options_.memory);
    exploring.most_states = options_.most_states;
    exploring.threads = options_.threads;
    game::Exploration explored = game::explore(game_, exploring);
    if (!explored.complete) return false;
    const Limits limits((1 - exploring_share) * options_.seconds, resident_bytes() + options_.memory);
    game::Values values = game::find_values(explored.graph, limits, options_.threads);
    const bool sure = values.method == game::Method::attractors;
    reason_ = sure ? "solved" : "solved, if all players play optimally";
    known_ = std::make_unique<Known>(Known{std::move(explored.graph), std::move(values)});
    return true;
}

void Solutions::prove(double seconds) {
    game::SolveOptions options;
    options.limits = Limits(seconds, resident_bytes() + options_.memory);
    options.threads = options_.threads;
    options.table_bytes = options_.memory / 2;
    const game::Solution solution = game::solve(rules_.game(), options);
    if (!solution.solved) throw LimitReached(solution.stop, "while solving the game", "raise the limit");
    if (solution.plans.empty()) {
        reason_ = "the game is not solved: no plan guarantees anything";
        return;
    }
    follow(solution.plans, options.limits);
    reason_ = "solved, with a plan";
}

void Solutions::read_strategy() {
    const auto file =
        game::load_plans(options_.strategy, game_, game::rules_fingerprint(rules_.game().description()));
    follow(file.plans, {});
    reason_ = "solved, with a plan from a file";
}

void Solutions::follow(const std::vector<game::Plan>& plans, const Limits& limits) {
    for (const game::Plan& plan : plans) {
        plans_[plan.owner] = std::make_unique<Planned>(
            Planned{game::PlanFollower<game::GdlGame>(game_, plan, limits), plan.promise});
    }
}

PerfectPlayer::PerfectPlayer(const GameContext& rules, const Settings& settings,
                             std::shared_ptr<Solutions> solutions, Fallback make_fallback)
    : Player(rules, settings),
      solutions_(std::move(solutions)),
      make_fallback_(std::move(make_fallback)),
      game_(rules.game()),
      line_{rules.machine().initial()} {
    solutions_->find();
    if (const auto known = solutions_->chance())
        chance_ = std::make_unique<ChanceFollower>(rules, known, role());
    if (!solutions_->solved(role())) (void)fallback();  // to make it may take longer than a move
}

Player& PerfectPlayer::fallback() {
    if (!fallback_) {
        fallback_ = make_fallback_();
        for (const Observation& seen : past_) fallback_->see(seen);
    }
    return *fallback_;
}

void PerfectPlayer::prepare(const Deadline& deadline) {
    if (!solutions_->solved(role())) fallback().start(deadline);
}

void PerfectPlayer::learn(const Observation& seen) {
    past_.push_back(seen);
    if (chance_) chance_->see(seen);
    if (solutions_->mixed() != nullptr && solutions_->mixed()->by == equilibrium::Equilibrium::By::views) {
        std::vector<std::string> percepts;
        for (const gdl::TermId percept : seen.percepts) percepts.push_back(rules().game().text(percept));
        view_ = equilibrium::longer_view(view_, rules().game().move_text(role(), seen.own),
                                         equilibrium::percepts_text(std::move(percepts)));
    }
    if (!rules().hidden()) line_.push_back(belief().positions().front().position.state);
    if (fallback_) fallback_->see(seen);
}

// The number of the state where the match stands. Moves are told apart by where they lead.
game::StateId PerfectPlayer::catch_up(const game::Graph& graph) {
    if (caught_up_ == 0 && !rest_) at_ = graph.initial;
    State after;
    for (; caught_up_ + 1 < line_.size(); ++caught_up_) {
        game_.look(line_[caught_up_]);
        std::size_t move = 0;
        for (; move + 1 < game_.moves(); ++move) {
            game_.successor(move, after);
            if (after == line_[caught_up_ + 1]) break;
        }
        at_ = graph.successors(at_)[move];
    }
    return at_;
}

// The move at this place of the game's order, in the state that the game looks at.
std::optional<MoveId> PerfectPlayer::move_at(std::size_t place, const std::vector<MoveId>& legal) const {
    const std::string name = game_.move_name(place);
    for (const MoveId move : legal) {
        if (rules().game().move_text(role(), move) == name) return move;
    }
    return std::nullopt;
}

MoveId PerfectPlayer::from_known(const Solutions::Known& known, const std::vector<MoveId>& legal,
                                 Thought& thought) {
    const game::StateId here = catch_up(known.graph);
    game_.look(line_.back());
    const game::Player seat = rules().seat_of(role());
    const auto successors = known.graph.successors(here);
    const std::size_t chosen = game::choose(known.graph, known.values, here);
    const bool sure = known.values.method == game::Method::attractors;
    MoveId move = legal.front();
    for (std::size_t place = 0; place < successors.size(); ++place) {
        const auto each = move_at(place, legal);
        if (!each) continue;
        const double value = known.values.payoffs(successors[place])[seat];
        thought.estimates.push_back(
            {*each, value, sure ? value : game::loss, sure ? value : game::win, 0, sure});
        if (place != chosen) continue;
        move = *each;
        std::swap(thought.estimates.front(), thought.estimates.back());
    }
    thought.positions = known.graph.states();
    return move;
}

bool PerfectPlayer::solve_rest(const Deadline& deadline) {
    if (rest_) return true;
    if (!rules().turns() || !deadline.set()) return false;
    const double seconds = rest_share * deadline.left();
    game::GdlGame game(rules().game());
    game.start_at(line_.back());
    game::ExploreOptions exploring;
    exploring.limits = Limits(exploring_share * seconds, {});
    exploring.most_states = rest_states;
    exploring.threads = 1;
    try {
        game::Exploration explored = game::explore(game, exploring);
        if (!explored.complete) return false;
        game::Values values =
            game::find_values(explored.graph, Limits((1 - exploring_share) * seconds, {}), 1);
        rest_ = std::make_unique<Solutions::Known>(
            Solutions::Known{std::move(explored.graph), std::move(values)});
    } catch (const Error&) {
        return false;  // out of time, or a game that cannot be listed
    }
    at_ = rest_->graph.initial;
    caught_up_ = line_.size() - 1;
    return true;
}

// A move of the mixture at this information set. The estimates are the probabilities' alone: no move of a mixture
// is better than another.
std::optional<MoveId> PerfectPlayer::drawn(const equilibrium::Equilibrium& mixed,
                                           const std::vector<MoveId>& legal, Thought& thought) {
    const bool by_views = mixed.by == equilibrium::Equilibrium::By::views;
    const std::string at =
        by_views ? view_ : fmt::format("{}", fmt::join(rules().game().facts(line_.back()), " "));
    const equilibrium::BehaviourStrategy& strategy = mixed.strategies[rules().seat_of(role())];
    const auto mixture = strategy.find(at);
    if (mixture == strategy.end()) return std::nullopt;
    double left = random().fraction();
    std::string chosen = mixture->second.back().move;
    for (const equilibrium::Chosen& one : mixture->second) {
        left -= static_cast<double>(one.probability);
        if (left >= 0) continue;
        chosen = one.move;
        break;
    }
    std::string remark;
    std::optional<MoveId> found;
    for (const MoveId move : legal) {
        const std::string name = rules().game().move_text(role(), move);
        if (name == chosen) found = move;
        for (const equilibrium::Chosen& one : mixture->second) {
            if (one.move == name)
                remark += fmt::format("{}{} {:.3f}", remark.empty() ? "" : ", ", name,
                                      static_cast<double>(one.probability));
        }
    }
    thought.remark = remark;
    return found;
}

std::optional<MoveId> PerfectPlayer::recall(const std::vector<MoveId>& legal, Thought& thought) {
    if (const equilibrium::Equilibrium* mixed = solutions_->mixed()) return drawn(*mixed, legal, thought);
    if (chance_) return chance_->choose(legal, thought);
    if (const Solutions::Known* known = solutions_->known()) return from_known(*known, legal, thought);
    const Solutions::Planned* plan = solutions_->plan(role());
    if (plan == nullptr) return std::nullopt;
    const auto place = plan->follower.move(line_.back());
    if (!place) return std::nullopt;
    game_.look(line_.back());
    const auto move = move_at(*place, legal);
    const auto promise = static_cast<double>(plan->promise);
    if (move) thought.estimates.push_back({*move, promise, promise, game::win, 0, promise == game::win});
    return move;
}

MoveId PerfectPlayer::think(const std::vector<MoveId>& legal, const TimeBudget& allowance, Thought& thought) {
    if (const auto move = recall(legal, thought)) {
        thought.remark = solutions_->reason(role()) + (thought.remark.empty() ? "" : ": " + thought.remark);
        return *move;
    }
    if (solve_rest(allowance.deadline)) {
        const MoveId best = from_known(*rest_, legal, thought);
        thought.remark = "what is left is solved";
        return best;
    }
    const MoveId move = fallback().choose(allowance);
    thought = fallback().thought();
    thought.remark += (thought.remark.empty() ? "" : "; ") + solutions_->reason(role());
    return move;
}

// What is solved needs no thought.
std::uint64_t PerfectPlayer::think_ahead(MoveId made, const TimeBudget& allowance) {
    return fallback_ && !rest_ ? think_ahead_by(*fallback_, made, allowance) : 0;
}

}  // namespace zermelo::play
