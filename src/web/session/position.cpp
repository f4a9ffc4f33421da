#include "web/session/position.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "play/information/belief.hpp"
#include "web/api/terms.hpp"
#include "web/session/position_labels.hpp"

namespace zermelo::web {

namespace {

constexpr std::size_t enough_positions = 64;  // of a sample
constexpr double guessing_seconds = 0.5;      // to find out what a role can know

std::vector<std::unordered_map<std::string, play::MoveId>> names_of_moves(const play::GameContext& rules) {
    std::vector<std::unordered_map<std::string, play::MoveId>> names(rules.roles());
    for (std::size_t r = 0; r < rules.roles(); ++r) {
        const std::size_t moves = rules.machine().network().moves[r].size();
        for (play::MoveId m = 0; m < moves; ++m) names[r].emplace(rules.game().move_text(r, m), m);
    }
    return names;
}

}  // namespace

Position::Position(std::shared_ptr<const GroundedGame> its_ground, const json& steps, const Limits& limits)
    : ground_(std::move(its_ground)),
      names_(std::static_pointer_cast<const Names>(ground_->shared.kept(
          "names of moves", [&] { return std::make_shared<Names>(names_of_moves(ground_->rules)); }))),
      info_(ground_->rules),
      state_(ground_->rules.machine().initial()) {
    if (!steps.is_array() || steps.size() > most_steps)
        throw Refusal(400, fmt::format("'steps' must be a list of at most {} steps", most_steps));
    info_.load(state_);
    play::JointMove joint(rules().roles());
    for (const json& step : steps) {
        if (const Stop stop = limits.reached(); stop != Stop::none)
            throw LimitReached(stop, "while replaying the steps", "try again");
        try {
            if (over()) throw Refusal(422, "the play is over");
            require_roles(step);
            for (std::size_t r = 0; r < joint.size(); ++r) joint[r] = find_move(r, step);
        } catch (const Refusal& problem) {
            throw Refusal(problem.status(), fmt::format("step {}: {}", steps_.size() + 1, problem.what()));
        }
        play(joint);
    }
}

std::size_t Position::seat(const std::string& name) const {
    for (const std::size_t role : rules().seats()) {
        if (rules().role_name(role) == name) return role;
    }
    throw Refusal(422, fmt::format("this game has no role '{}'", name));
}

void Position::require_roles(const json& moves) const {
    if (!moves.is_object()) throw Refusal(400, "moves are given by role");
    for (const auto& [name, move] : moves.items()) {
        bool known = false;
        for (std::size_t r = 0; r < rules().roles(); ++r) known = known || rules().role_name(r) == name;
        if (!known) throw Refusal(422, fmt::format("there is no role '{}'", name));
        if (!move.is_string()) throw Refusal(400, fmt::format("the move of {} must be a text", name));
    }
}

play::MoveId Position::find_move(std::size_t role, const json& moves) {
    const std::string name = rules().role_name(role);
    const auto said = moves.find(name);
    if (said == moves.end()) throw Refusal(422, fmt::format("the move of {} is missing", name));
    const auto found = (*names_)[role].find(said->get_ref<const std::string&>());
    if (found == (*names_)[role].end() || !std::ranges::count(info_.legal(role), found->second))
        throw Refusal(422, fmt::format("{} cannot play '{}' here", name, said->get<std::string>()));
    return found->second;
}

json Position::make(const json& moves, Random& random) {
    if (over()) throw Refusal(422, "the play is over");
    require_roles(moves);
    play::JointMove joint(rules().roles());
    for (std::size_t r = 0; r < joint.size(); ++r) {
        const auto& own = info_.legal(r);
        if (own.empty()) throw rules().stuck(r);
        const bool told = moves.contains(rules().role_name(r));
        const bool drawn = !told && (own.size() == 1 || rules().chance(r));
        joint[r] = drawn ? own[random.below(own.size())] : find_move(r, moves);
    }
    json step = step_json(joint);
    play(joint);
    return step;
}

std::optional<gdl::Deed> Position::forced() const { return gdl::forced_deed(ground_->game, state_); }

std::vector<std::string> Position::choosing() {
    std::vector<std::string> roles;
    for (std::size_t r = 0; r < rules().roles() && !over(); ++r) {
        if (has_choice(r)) roles.push_back(rules().role_name(r));
    }
    return roles;
}

// The moves of one step that a person wrote.
json Position::moves_from(const std::string& step) {
    json moves = json::object();
    const std::vector<std::string> choosing = this->choosing();
    std::size_t next = 0;
    std::istringstream parts(step);
    for (std::string part; std::getline(parts, part, '&');) {
        std::string role;
        if (const auto colon = part.find(':'); colon != std::string::npos) {
            role = plain(part.substr(0, colon));
            part = part.substr(colon + 1);
        } else if (next < choosing.size()) {
            role = choosing[next++];
        } else {
            throw Refusal(422, fmt::format("nobody has a choice left, but '{}' is to be played", part));
        }
        std::size_t r = 0;
        while (r < rules().roles() && plain(rules().role_name(r)) != plain(role)) ++r;
        if (r == rules().roles()) throw Refusal(422, fmt::format("there is no role '{}'", role));
        std::string found;
        for (const play::MoveId move : info_.legal(r)) {
            if (plain(move_text(r, move)) == plain(part)) found = move_text(r, move);
        }
        if (found.empty())
            throw Refusal(422, fmt::format("{} cannot play '{}' here", rules().role_name(r), plain(part)));
        moves[rules().role_name(r)] = found;
    }
    return moves;
}

void Position::follow(const std::string& text, const Limits& limits) {
    std::string steps = text;
    std::ranges::replace(steps, '\n', ';');
    std::istringstream parts(steps);
    Random unused(1);
    for (std::string part; std::getline(parts, part, ';');) {
        const std::string said = plain(part);
        if (said.empty()) continue;
        if (const Stop stop = limits.reached(); stop != Stop::none)
            throw LimitReached(stop, "while replaying the steps", "try again");
        if (steps_.size() >= most_steps)
            throw Refusal(400, fmt::format("a play has at most {} steps", most_steps));
        try {
            while (said != "-" && !over() && choosing().empty()) make(json::object(), unused);
            const json moves = said == "-" ? json::object() : moves_from(said);
            // Nothing of a play that was played is left to chance.
            for (const std::string& role : choosing()) {
                if (!moves.contains(role)) throw Refusal(422, fmt::format("the move of {} is missing", role));
            }
            make(moves, unused);
        } catch (const Refusal& problem) {
            throw Refusal(problem.status(), fmt::format("step {}: {}", steps_.size() + 1, problem.what()));
        }
    }
}

void Position::play(const play::JointMove& joint) {
    std::size_t mover = rules().seats().front();  // the first seat, where no role has a choice
    for (std::size_t r = 0; r < joint.size(); ++r) {
        if (has_choice(r)) mover = r;
    }
    line_.push_back(move_text(mover, joint[mover]));
    info_.play(joint, state_);
    if (rules().hidden()) {
        auto& of_step = percepts_.emplace_back();
        for (std::size_t r = 0; r < joint.size(); ++r) of_step.push_back(info_.percepts(r));
    }
    steps_.push_back(joint);
    info_.load(state_);
}

std::vector<play::Observation> Position::seen(std::size_t role) const {
    std::vector<play::Observation> all;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        play::Observation& one = all.emplace_back();
        one.own = steps_[i][role];
        if (rules().hidden())
            one.percepts = percepts_[i][role];
        else
            one.joint = steps_[i];
    }
    return all;
}

// The facts that hold in all positions in which the role may be. Where these are too many, a sample speaks
// for them, and of what it has in common only what is true is told; nothing where the sample is small.
std::optional<play::State> Position::known(std::size_t role) const {
    play::Belief belief(rules(), role);
    const auto deadline = play::Deadline::in(guessing_seconds);
    for (const play::Observation& one : seen(role)) {
        belief.update(one, deadline);
    }
    if (!belief.exact() && belief.positions().size() < enough_positions) return std::nullopt;
    play::InfoState info(rules());
    std::optional<play::State> common;
    for (const auto& possible : belief.positions()) {
        const play::State& state = possible.position.state;
        info.load(state);
        if (info.terminal()) continue;  // everybody knows that it is not over
        if (!common) common = state;
        for (std::size_t i = 0; i < state.size(); ++i) (*common)[i] &= state[i];
    }
    if (common && !belief.exact()) {
        for (std::size_t i = 0; i < common->size(); ++i) (*common)[i] &= state_[i];
    }
    return common;
}

json Position::term(gdl::TermId id) const { return web::term(rules().game(), id); }

json Position::fluents() const {
    json all = json::array();
    for (const gdl::TermId fluent : rules().machine().network().fluents) all.push_back(term(fluent));
    std::sort(all.begin(), all.end());
    return all;
}

json Position::facts(const play::State& state) const {
    json all = json::array();
    const auto& fluents = rules().machine().network().fluents;
    for (std::size_t i = 0; i < fluents.size(); ++i) {
        if ((state[i / 64] >> (i % 64) & 1) != 0) all.push_back(term(fluents[i]));
    }
    std::sort(all.begin(), all.end());
    return all;
}

json Position::legal(std::size_t role) {
    std::vector<std::pair<std::string, play::MoveId>> moves;
    for (const play::MoveId move : info_.legal(role)) moves.emplace_back(move_text(role, move), move);
    std::sort(moves.begin(), moves.end());
    json all = json::array();
    for (const auto& [text, move] : moves) {
        all.push_back({{"text", text}, {"term", term(rules().machine().network().moves[role][move].term)}});
    }
    return all;
}

json Position::goals() const {
    json all = json::object();
    for (const std::size_t role : rules().seats()) all[rules().role_name(role)] = info_.goal(role);
    return all;
}

json Position::step_json(const play::JointMove& joint) const {
    json step = json::object();
    for (std::size_t r = 0; r < joint.size(); ++r) step[rules().role_name(r)] = move_text(r, joint[r]);
    return step;
}

json Position::describe(std::optional<std::size_t> as) {
    if (!rules().hidden()) as.reset();
    json all = {{"roles", json::array()}, {"chance", json::array()}, {"hidden", rules().hidden()},
                {"facts", nullptr},       {"seen", nullptr},         {"legal", json::object()},
                {"turn", json::array()},  {"over", over()},          {"goals", nullptr},
                {"acts", nullptr}};
    if (const auto deed = forced()) all["acts"] = deed->role;
    for (std::size_t r = 0; r < rules().roles(); ++r) {
        const std::string name = rules().role_name(r);
        all["roles"].push_back(name);
        if (rules().chance(r)) all["chance"].push_back(name);
        if (over()) continue;
        if (has_choice(r)) all["turn"].push_back(name);
        if (!as || *as == r) all["legal"][name] = legal(r);
    }
    if (over()) all["goals"] = goals();
    // When the game is over, everything is shown.
    const std::optional<play::State> shown = as && !over() ? known(*as) : state_;
    if (shown) all["facts"] = facts(*shown);
    if (as) {
        all["seen"] = json::array();
        for (const play::Observation& one : seen(*as)) {
            json percepts = json::array();
            for (const gdl::TermId percept : one.percepts) percepts.push_back(term(percept));
            all["seen"].push_back({{"own", move_text(*as, one.own)}, {"percepts", percepts}});
        }
    }
    return all;
}

}  // namespace zermelo::web
