#include "game/views/belief_game.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>

namespace zermelo::game {

namespace {

__extension__ using WideWeight = unsigned __int128;
constexpr WideWeight most_belief_weight = WideWeight{1} << 62;

std::uint64_t narrow_weight(WideWeight weight, const std::string& file) {
    if (weight < most_belief_weight) return static_cast<std::uint64_t>(weight);
    throw Error({file}, "the probabilities of what may hold are fractions of more than 62 bits",
                "solve a smaller game");
}

}  // namespace

template <class Rules>
BeliefGame<Rules>::BeliefGame(Rules& rules) : rules_(rules), random_(rules.roles()), legal_(rules.roles()) {
    for (std::size_t r = 0; r < rules.roles(); ++r) {
        if (rules.random(r)) {
            random_ = r;
        } else {
            role_of_.push_back(r);
        }
    }
    if (role_of_.empty()) throw broken("the only role is random", "name a player with (role …)");
    start_.all.push_back({rules.initial(), 1});
}

template <class Rules>
void BeliefGame<Rules>::look(const State& state) {
    at_ = state;
    results_.clear();
    after_.clear();
    rules_.load(state.all.front().state);
    if (rules_.terminal()) {
        turn_ = {};
        goals_ = goals(state.all.front().state);
        return;
    }
    list_legal(state);
    std::size_t choosing = 0;
    for (std::size_t p = 0; p < players(); ++p) {
        if (legal_[role_of_[p]].size() == 1) continue;
        ++choosing;
        mover_ = role_of_[p];
        turn_ = {Turn::Kind::player, static_cast<Player>(p)};
    }
    if (choosing > 1) {
        turn_ = {Turn::Kind::simultaneous};
    } else if (choosing == 0 || state.pending != nothing) {
        turn_ = {Turn::Kind::chance};
        if (choosing == 0) mover_ = role_of_.front();
        find_results(state, choosing == 0 ? 0 : state.pending, results_);
    } else if (rules_.percepts_stated()) {
        after_.resize(legal_[mover_].size());
        for (std::uint32_t m = 0; m < after_.size(); ++m) find_results(state, m, after_[m]);
        require_seen_moves();
    }
}

// In the first possible state after `look` has loaded it; the others are loaded here.
template <class Rules>
void BeliefGame<Rules>::list_legal(const State& state) {
    std::vector<gdl::MoveId> here;
    for (std::size_t i = 0; i < state.all.size(); ++i) {
        if (i > 0) rules_.load(state.all[i].state);
        for (const std::size_t role : role_of_) {
            if (i == 0) {
                rules_.legal(role, legal_[role]);
            } else {
                rules_.legal(role, here);
                std::erase_if(legal_[role],
                              [&](auto move) { return std::ranges::find(here, move) == here.end(); });
            }
            if (legal_[role].empty()) {
                throw broken(
                    fmt::format(
                        "{} has no move that is certain to be legal in the state {}, which is not terminal",
                        rules_.role_name(role), rules_.state_name(state.all[i].state)),
                    "give every role a legal move in every state that is not terminal, and let it see what "
                    "is "
                    "legal");
            }
        }
    }
}

template <class Rules>
std::vector<int> BeliefGame<Rules>::goals(const typename Rules::State& state) {
    std::vector<int> all;
    for (const std::size_t role : role_of_) {
        all.push_back(rules_.goal(role));
        if (all.back() >= 0) continue;
        throw broken(fmt::format("the goal of {} has no single value in the terminal state {}",
                                 rules_.role_name(role), rules_.state_name(state)),
                     "state one goal for every role in every terminal state");
    }
    return all;
}

template <class Rules>
void BeliefGame<Rules>::find_results(const State& state, std::uint32_t move, std::vector<Result>& results) {
    results.clear();
    const bool hidden = rules_.percepts_stated();
    gdl::JointMove joint(rules_.roles());
    for (const std::size_t role : role_of_) joint[role] = legal_[role][role == mover_ ? move : 0];

    // A weight is a part of `unit`, which all numbers of moves of chance divide.
    std::vector<std::vector<gdl::MoveId>> chance(state.all.size());
    WideWeight unit = 1;
    for (std::size_t i = 0; i < state.all.size() && random_ < rules_.roles(); ++i) {
        rules_.load(state.all[i].state);
        rules_.legal(random_, chance[i]);
        if (chance[i].empty()) {
            throw broken(fmt::format("random has no legal move in the state {}, which is not terminal",
                                     rules_.state_name(state.all[i].state)),
                         "give random a legal move there");
        }
        const std::uint64_t ways = chance[i].size();
        unit = unit / std::gcd(narrow_weight(unit, rules_.file()), ways) * ways;
    }

    // Results by what tells them apart, and their possible states.
    using Telling = std::vector<std::uint64_t>;
    std::map<Telling, std::size_t> groups;
    std::vector<std::unordered_map<Hash128, std::size_t, LowBitsHash>> places;
    std::vector<std::vector<WideWeight>> weights;
    typename Rules::State next;
    std::vector<std::vector<gdl::TermId>> percepts(players());
    for (std::size_t i = 0; i < state.all.size(); ++i) {
        const std::size_t ways = std::max<std::size_t>(1, chance[i].size());
        const WideWeight weight = state.all[i].weight * (unit / ways);
        for (std::size_t c = 0; c < ways; ++c) {
            rules_.load(state.all[i].state);
            if (!chance[i].empty()) joint[random_] = chance[i][c];
            rules_.play(joint);
            rules_.next(next);
            const Hash128 hash = rules_.hash(next);
            bool over = false;
            std::vector<int> paid;
            Telling telling;
            if (hidden) {
                for (std::size_t p = 0; p < players(); ++p) rules_.percepts(role_of_[p], percepts[p]);
                rules_.load(next);
                over = rules_.terminal();
                if (over) paid = goals(next);
                telling.push_back(over ? 1 : 0);
                if (over) {
                    telling.insert(telling.end(), paid.begin(), paid.end());
                } else {
                    for (const auto& seen : percepts) {
                        telling.push_back(seen.size());
                        telling.insert(telling.end(), seen.begin(), seen.end());
                    }
                }
            } else {
                telling = {hash.low, hash.high};
            }
            const auto [group, fresh] = groups.try_emplace(std::move(telling), results.size());
            if (fresh) {
                Result& result = results.emplace_back();
                result.over = over;
                result.goals = std::move(paid);
                if (hidden && !over) result.percepts = percepts;
                result.chance = chance[i].empty() ? 0 : joint[random_];
                places.emplace_back();
                weights.emplace_back();
            }
            const std::size_t g = group->second;
            // Of results in which the game is over, one state is enough.
            const auto [place, new_state] = over && !weights[g].empty()
                                                ? std::pair(places[g].begin(), false)
                                                : places[g].try_emplace(hash, results[g].state.all.size());
            if (new_state) {
                results[g].state.all.push_back({next, 0});
                weights[g].push_back(0);
                if (weights[g].size() > most_possible_states) {
                    throw broken(fmt::format("more than {} states agree with what the players have seen",
                                             most_possible_states),
                                 "solve a smaller game");
                }
            }
            weights[g][place->second] += weight;
            (void)narrow_weight(weights[g][place->second], rules_.file());
        }
    }
    WideWeight divisor = 0;
    std::vector<WideWeight> sums;
    for (std::size_t g = 0; g < results.size(); ++g) {
        std::uint64_t common = 0;
        WideWeight sum = 0;
        for (const WideWeight weight : weights[g]) {
            common = std::gcd(common, narrow_weight(weight, rules_.file()));
            sum += weight;
        }
        for (std::size_t i = 0; i < weights[g].size(); ++i)
            results[g].state.all[i].weight = static_cast<std::uint64_t>(weights[g][i] / common);
        sums.push_back(sum);
        divisor = std::gcd(static_cast<std::uint64_t>(divisor), narrow_weight(sum, rules_.file()));
    }
    WideWeight total = 0;
    for (std::size_t g = 0; g < results.size(); ++g) {
        results[g].weight = static_cast<std::uint64_t>(sums[g] / divisor);
        total += results[g].weight;
    }
    (void)narrow_weight(total, rules_.file());
    if (hidden && players() > 1) require_same_percepts(results);
}

// Percepts divide the results in the same way for everybody: two results that differ, differ for all.
template <class Rules>
void BeliefGame<Rules>::require_same_percepts(const std::vector<Result>& results) const {
    for (std::size_t p = 0; p < players(); ++p) {
        std::map<std::vector<gdl::TermId>, std::size_t> seen;
        for (std::size_t g = 0; g < results.size(); ++g) {
            if (results[g].over || seen.try_emplace(results[g].percepts[p], g).second) continue;
            throw broken(fmt::format("the players do not see the same: {} cannot tell apart what others can",
                                     rules_.role_name(role_of_[p])),
                         "solve a game in which all players see the same, or play it with cfr");
        }
    }
}

template <class Rules>
void BeliefGame<Rules>::require_seen_moves() {
    if (players() == 1) return;
    for (std::size_t p = 0; p < players(); ++p) {
        if (role_of_[p] == mover_) continue;
        std::map<std::vector<gdl::TermId>, std::size_t> move_of;
        for (std::size_t m = 0; m < after_.size(); ++m) {
            for (const Result& result : after_[m]) {
                if (result.over || move_of.try_emplace(result.percepts[p], m).first->second == m) continue;
                throw broken(fmt::format("{} cannot always see which move {} has made",
                                         rules_.role_name(role_of_[p]), rules_.role_name(mover_)),
                             "solve a game in which all players see the same, or play it with cfr");
            }
        }
    }
}

template <class Rules>
std::size_t BeliefGame<Rules>::moves() const {
    switch (turn_.kind) {
        case Turn::Kind::player:
            return legal_[mover_].size();
        case Turn::Kind::chance:
            return results_.size();
        default:
            return 0;
    }
}

template <class Rules>
void BeliefGame<Rules>::successor(std::size_t move, State& out) {
    if (turn_.kind == Turn::Kind::chance) {
        out = results_[move].state;
        return;
    }
    const auto number = static_cast<std::uint32_t>(move);
    if (after_.empty()) find_results(at_, number, results_);
    const std::vector<Result>& results = after_.empty() ? results_ : after_[move];
    if (results.size() == 1) {
        out = results.front().state;
        return;
    }
    out = at_;
    out.pending = number;
}

template <class Rules>
int BeliefGame<Rules>::payoff(Player player) const {
    return goals_[player];
}

// The same for beliefs that differ in nothing but the order of their states.
template <class Rules>
Hash128 BeliefGame<Rules>::key(const State& state) const {
    Hash128 sum = mixed(state.pending, state.all.size());
    for (const Possible& one : state.all) {
        const Hash128 hash = rules_.hash(one.state);
        sum = sum + mixed(hash.low, one.weight) + mixed(hash.high, one.weight + 1);
    }
    return sum;
}

template <class Rules>
std::string BeliefGame<Rules>::move_name(std::size_t move) const {
    if (turn_.kind == Turn::Kind::player) return rules_.move_name(mover_, legal_[mover_][move]);
    const Result& result = results_[move];
    const bool all_seen = std::ranges::all_of(
        results_, [](const Result& one) { return one.over || one.state.all.size() == 1; });
    if (all_seen && random_ < rules_.roles() && !result.over) return rules_.move_name(random_, result.chance);
    if (result.over && rules_.percepts_stated())
        return fmt::format("the end: {}", fmt::join(result.goals, ", "));
    if (!rules_.percepts_stated())
        return random_ < rules_.roles() ? rules_.move_name(random_, result.chance) : "the next step";
    std::vector<std::string> seen;
    for (const gdl::TermId percept : result.percepts.front()) seen.push_back(rules_.percept_name(percept));
    std::sort(seen.begin(), seen.end());
    return seen.empty() ? "nothing is seen" : fmt::format("seen: {}", fmt::join(seen, " "));
}

template <class Rules>
std::string BeliefGame<Rules>::state_name(const State& state) const {
    std::string name;
    for (const Possible& one : state.all) {
        if (!name.empty()) name += " | ";
        if (state.all.size() > 1) name += fmt::format("{} × ", one.weight);
        name += rules_.state_name(one.state);
    }
    if (state.pending != nothing) name += fmt::format(" | move {} is chosen", state.pending + 1);
    return name;
}

template <class Rules>
bool BeliefGame<Rules>::follow(const State& from, const Seen& seen, State& to,
                               std::vector<std::size_t>& moves) {
    if (seen.all_moves && from.all.size() > 1) return false;
    const auto player = static_cast<std::size_t>(std::ranges::find(role_of_, seen.role) - role_of_.begin());
    Hash128 after = {};
    if (seen.all_moves) {
        typename Rules::State next;
        rules_.load(from.all.front().state);
        rules_.play(seen.joint);
        rules_.next(next);
        after = rules_.hash(next);
    }
    const auto fits = [&](const Result& result) {
        if (seen.all_moves) return rules_.hash(result.state.all.front().state) == after;
        return !result.over && result.percepts[player] == seen.percepts;
    };
    look(from);
    if (turn_.kind == Turn::Kind::chance) {
        for (std::size_t i = 0; i < results_.size(); ++i) {
            if (!fits(results_[i])) continue;
            to = results_[i].state;
            moves = {i};
            return true;
        }
        return false;
    }
    if (turn_.kind != Turn::Kind::player) return false;
    for (std::uint32_t m = 0; m < legal_[mover_].size(); ++m) {
        const bool known = mover_ == seen.role || seen.all_moves;
        if (known && legal_[mover_][m] != seen.joint[mover_]) continue;
        if (after_.empty()) find_results(from, m, results_);
        const std::vector<Result>& results = after_.empty() ? results_ : after_[m];
        for (std::size_t i = 0; i < results.size(); ++i) {
            if (!fits(results[i])) continue;
            to = results[i].state;
            moves = {m};
            if (results.size() > 1) moves.push_back(i);
            return true;
        }
    }
    return false;
}

template class BeliefGame<MachineRules>;
template class BeliefGame<ReasonerRules>;

}  // namespace zermelo::game
