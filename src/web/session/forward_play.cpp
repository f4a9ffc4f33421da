#include "web/session/forward_play.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "game/explain/explain.hpp"
#include "solve/problem/explain.hpp"
#include "solve/solve.hpp"
#include "strategy/follow.hpp"
#include "web/session/position_labels.hpp"

namespace zermelo::web {

namespace {

constexpr double listing_share = 0.4;  // of the time; the rest is for the solver of the model

template <game::Game G>
class WalkOf : public ForwardWalk {
public:
    explicit WalkOf(G game) : game_(std::move(game)), state_(game_.initial()) { look(); }

    [[nodiscard]] std::vector<std::string> players() const override {
        std::vector<std::string> names;
        for (std::size_t p = 0; p < game_.players(); ++p)
            names.push_back(game_.player_name(static_cast<game::Player>(p)));
        return names;
    }
    [[nodiscard]] std::optional<std::size_t> mover() const override {
        const game::Turn turn = game_.turn();
        return turn.over() ? std::nullopt : std::optional<std::size_t>(turn.player);
    }
    [[nodiscard]] std::vector<std::string> moves() const override {
        std::vector<std::string> names;
        for (std::size_t m = 0; m < game_.moves(); ++m) names.push_back(game_.move_name(m));
        return names;
    }
    [[nodiscard]] std::vector<int> payoffs() const override {
        std::vector<int> all;
        for (std::size_t p = 0; p < game_.players(); ++p)
            all.push_back(game_.payoff(static_cast<game::Player>(p)));
        return all;
    }
    [[nodiscard]] std::string state() const override { return game_.state_name(state_); }
    void make(std::size_t move) override {
        typename G::State next = state_;
        game_.successor(move, next);
        state_ = next;
        look();
    }

private:
    void look() {
        game_.look(state_);
        game::require_turns(game_.turn(), "a play");
    }
    G game_;
    typename G::State state_;
};

std::unique_ptr<ForwardWalk> walk_of(const Problem& problem) {
    return problem.with_game([](auto& game) -> std::unique_ptr<ForwardWalk> {
        return std::make_unique<WalkOf<std::remove_cvref_t<decltype(game)>>>(std::move(game));
    });
}

// x[1,2] = 3 as (x 1 2 3).
json fact_of(const std::string& assignment) {
    json term = json::array();
    std::string word;
    for (const char c : assignment) {
        if (c == '[' || c == ']' || c == ',' || c == ' ' || c == '=') {
            if (!word.empty()) term.push_back(std::exchange(word, ""));
        } else {
            word += c;
        }
    }
    if (!word.empty()) term.push_back(word);
    return term;
}

}  // namespace

ForwardPlay::ForwardPlay(std::shared_ptr<const CompiledGame> game, const json& steps, const Limits& limits)
    : game_(std::move(game)), walk_(walk_of(game_->problem)) {
    if (!steps.is_array() || steps.size() > most_steps)
        throw Refusal(400, fmt::format("'steps' must be a list of at most {} steps", most_steps));
    for (const json& step : steps) {
        if (const Stop stop = limits.reached(); stop != Stop::none)
            throw LimitReached(stop, "while replaying the steps", "try again");
        try {
            make(step);
        } catch (const Refusal& problem) {
            throw Refusal(problem.status(), fmt::format("step {}: {}", steps_.size() + 1, problem.what()));
        }
    }
}

std::string ForwardPlay::mover() const {
    const auto mover = walk_->mover();
    return mover ? walk_->players()[*mover] : "";
}

json ForwardPlay::make(const json& moves) {
    if (over()) throw Refusal(422, "the play is over");
    if (!moves.is_object()) throw Refusal(400, "moves are given by role");
    const std::string who = mover();
    const auto legal = walk_->moves();
    std::size_t made = 0;
    if (const auto said = moves.find(who); said != moves.end() && said->is_string()) {
        const auto found = std::ranges::find(legal, said->get<std::string>());
        if (found == legal.end())
            throw Refusal(422, fmt::format("{} cannot play '{}' here", who, said->get<std::string>()));
        made = static_cast<std::size_t>(found - legal.begin());
    } else if (legal.size() > 1) {
        throw Refusal(422, fmt::format("the move of {} is missing", who));
    }
    json step = {{who, legal[made]}};
    line_.push_back(legal[made]);
    walk_->make(made);
    steps_.push_back(step);
    return step;
}

std::string ForwardPlay::find_move(const std::string& text) const {
    for (const std::string& move : walk_->moves()) {
        if (plain(move) == plain(text)) return move;
    }
    throw Refusal(422, fmt::format("{} cannot play '{}' here", mover(), plain(text)));
}

void ForwardPlay::follow(const std::string& text, const Limits& limits) {
    std::string steps = text;
    std::ranges::replace(steps, '\n', ';');
    std::istringstream parts(steps);
    for (std::string part; std::getline(parts, part, ';');) {
        if (plain(part).empty()) continue;
        if (const Stop stop = limits.reached(); stop != Stop::none)
            throw LimitReached(stop, "while replaying the steps", "try again");
        try {
            if (over()) throw Refusal(422, "the play is over");
            if (const auto colon = part.find(':'); colon != std::string::npos) part = part.substr(colon + 1);
            const std::string move = plain(part) == "-" ? walk_->moves().front() : find_move(part);
            make({{mover(), move}});
        } catch (const Refusal& problem) {
            throw Refusal(problem.status(), fmt::format("step {}: {}", steps_.size() + 1, problem.what()));
        }
    }
}

json ForwardPlay::facts() const {
    if (game_->problem.model() == nullptr) return json::array({json::array({"state", walk_->state()})});
    json all = json::array();
    for (const std::string& assignment : line_) all.push_back(fact_of(assignment));
    return all;
}

json ForwardPlay::describe() const {
    const auto players = walk_->players();
    json all = {{"roles", players}, {"chance", json::array()}, {"hidden", false},       {"facts", facts()},
                {"seen", nullptr},  {"legal", json::object()}, {"turn", json::array()}, {"over", over()},
                {"goals", nullptr}, {"acts", nullptr}};
    if (over()) {
        const auto payoffs = walk_->payoffs();
        all["goals"] = json::object();
        for (std::size_t p = 0; p < players.size(); ++p) all["goals"][players[p]] = payoffs[p];
        return all;
    }
    const auto moves = walk_->moves();
    if (moves.size() > 1)
        all["turn"].push_back(mover());
    else
        all["acts"] = mover();
    json& legal = all["legal"][mover()] = json::array();
    for (const std::string& move : moves) legal.push_back({{"text", move}, {"term", move}});
    return all;
}

// The model's own solver knows what cannot be listed.
std::optional<std::string> ForwardPlay::along_strategy() const {
    const auto verdict = game_->verdict();
    const auto* strategy = verdict == nullptr ? nullptr : verdict->certificate.as<strategy::Strategy>();
    if (strategy == nullptr) return std::nullopt;
    const model::Model& model = *game_->problem.model();
    const model::Structure structure = analyse(model);
    strategy::Follower follower(model, structure, *strategy);
    for (const std::string& assignment : line_) {
        const auto variable = follower.turn();
        if (!variable) return std::nullopt;
        follower.play(*variable, value_assigned(model, *variable, assignment));
    }
    const auto variable = follower.turn();
    if (!variable || !follower.owners_turn(*variable)) return std::nullopt;
    return fmt::format("{} = {}", model.name_of(*variable),
                       model.value_text(*variable, follower.move(*variable)));
}

ForwardPlay::Chosen ForwardPlay::choose(double seconds, std::size_t bytes) const {
    game::ExplainOptions listing;
    listing.limits = Limits(listing_share * seconds, bytes);
    listing.line = line_;
    listing.most_moves = 0;
    listing.most_states = 300'000;
    listing.threads = 1;
    const game::Explanation known = explain(game_->problem, listing);
    if (known.asked().solved && !known.asked().moves.empty())
        return {known.asked().moves.front().move, "solved"};
    if (game_->problem.model() != nullptr) {
        game_->solve(Limits((1 - listing_share) * seconds, bytes));
        const auto legal = walk_->moves();
        if (const auto move = along_strategy(); move && std::ranges::count(legal, *move) > 0)
            return {*move, "solved"};
    }
    return {walk_->moves().front(), "not solved in this time"};
}

}  // namespace zermelo::web
