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

// The results of a turn while they are collected, by what tells them apart.
template <class Rules>
class BeliefGame<Rules>::Collector {
public:
    Collector(std::vector<Result>& results, const std::string& file) : results_(results), file_(file) {}

    // The result that is told apart so, and whether it is new.
    std::pair<Result*, bool> result(std::vector<std::uint64_t> telling) {
        const auto [group, fresh] = groups_.try_emplace(std::move(telling), results_.size());
        if (fresh) {
            results_.emplace_back();
            places_.emplace_back();
            weights_.emplace_back();
        }
        at_ = group->second;
        return {&results_[at_], fresh};
    }

    [[nodiscard]] Result& last() { return results_[at_]; }  // the one asked for last
    // Adds a state to it. Where the game is over, one state is enough.
    void add(const typename Rules::State& state, Hash128 hash, WideWeight weight) {
        auto& all = results_[at_].state.all;
        std::size_t place = 0;
        if (!results_[at_].over || all.empty()) {
            const auto [found, fresh] = places_[at_].try_emplace(hash, all.size());
            place = found->second;
            if (fresh) {
                all.push_back({state, 0});
                weights_[at_].push_back(0);
            }
        }
        if (all.size() > most_possible_states) {
            throw Error({file_},
                        fmt::format("more than {} states agree with what the players have seen",
                                    most_possible_states),
                        "solve a smaller game");
        }
        weights_[at_][place] += weight;
        (void)narrow_weight(weights_[at_][place], file_);
    }

    // Weights without common divisors: of the states in each result, and of the results.
    void reduce() {
        std::vector<WideWeight> sums;
        std::uint64_t divisor = 0;
        for (std::size_t g = 0; g < results_.size(); ++g) {
            std::uint64_t common = 0;
            WideWeight sum = 0;
            for (const WideWeight weight : weights_[g]) {
                common = std::gcd(common, static_cast<std::uint64_t>(weight));
                sum += weight;
            }
            for (std::size_t i = 0; i < weights_[g].size(); ++i)
                results_[g].state.all[i].weight = static_cast<std::uint64_t>(weights_[g][i] / common);
            divisor = std::gcd(divisor, narrow_weight(sum, file_));
            sums.push_back(sum);
        }
        WideWeight total = 0;
        for (std::size_t g = 0; g < results_.size(); ++g) {
            results_[g].weight = static_cast<std::uint64_t>(sums[g] / divisor);
            total += results_[g].weight;
        }
        (void)narrow_weight(total, file_);
    }

private:
    std::vector<Result>& results_;
    const std::string& file_;
    std::size_t at_ = 0;
    std::map<std::vector<std::uint64_t>, std::size_t> groups_;
    std::vector<std::unordered_map<Hash128, std::size_t, LowBitsHash>> places_;  // of states in a result
    std::vector<std::vector<WideWeight>> weights_;
};

// By possible state: the moves of chance; none where there is no such role.
template <class Rules>
std::vector<std::vector<gdl::MoveId>> BeliefGame<Rules>::chance_moves(const State& state) {
    std::vector<std::vector<gdl::MoveId>> all(state.all.size());
    if (random_ == rules_.roles()) return all;
    for (std::size_t i = 0; i < state.all.size(); ++i) {
        rules_.load(state.all[i].state);
        rules_.legal(random_, all[i]);
        if (!all[i].empty()) continue;
        throw broken(fmt::format("random has no legal move in the state {}, which is not terminal",
                                 rules_.state_name(state.all[i].state)),
                     "give random a legal move there");
    }
    return all;
}

template <class Rules>
void BeliefGame<Rules>::find_results(const State& state, std::uint32_t move, std::vector<Result>& results) {
    results.clear();
    gdl::JointMove joint(rules_.roles());
    for (const std::size_t role : role_of_) joint[role] = legal_[role][role == mover_ ? move : 0];
    const auto chance = chance_moves(state);
    WideWeight unit = 1;  // a multiple of all numbers of moves
    for (const auto& moves : chance) {
        const std::uint64_t ways = std::max<std::size_t>(1, moves.size());
        unit = unit / std::gcd(narrow_weight(unit, rules_.file()), ways) * ways;
    }
    Collector collector(results, rules_.file());
    typename Rules::State next;
    for (std::size_t i = 0; i < state.all.size(); ++i) {
        const std::size_t ways = std::max<std::size_t>(1, chance[i].size());
        for (std::size_t c = 0; c < ways; ++c) {
            rules_.load(state.all[i].state);
            if (!chance[i].empty()) joint[random_] = chance[i][c];
            rules_.play(joint);
            rules_.next(next);
            const Hash128 hash = rules_.hash(next);
            if (rules_.percepts_stated()) {
                collect_by_percepts(next, collector);
            } else {
                (void)collector.result({hash.low, hash.high});
            }
            Result& result = collector.last();
            if (result.state.all.empty() && !chance[i].empty()) result.chance = joint[random_];
            collector.add(next, hash, state.all[i].weight * (unit / ways));
        }
    }
    collector.reduce();
    if (rules_.percepts_stated() && players() > 1) require_same_percepts(results);
}

// Of the step that was just played: results in which the game is over are told apart by the payoffs, others by
// what is seen.
template <class Rules>
void BeliefGame<Rules>::collect_by_percepts(const typename Rules::State& next, Collector& collector) {
    std::vector<std::vector<gdl::TermId>> percepts(players());
    for (std::size_t p = 0; p < players(); ++p) rules_.percepts(role_of_[p], percepts[p]);
    rules_.load(next);
    const bool over = rules_.terminal();
    std::vector<int> paid;
    if (over) paid = goals(next);
    std::vector<std::uint64_t> telling{over ? 1U : 0U};
    telling.insert(telling.end(), paid.begin(), paid.end());
    for (std::size_t p = 0; p < players() && !over; ++p) {
        telling.push_back(percepts[p].size());
        telling.insert(telling.end(), percepts[p].begin(), percepts[p].end());
    }
    const auto [result, fresh] = collector.result(std::move(telling));
    if (!fresh) return;
    result->over = over;
    result->goals = std::move(paid);
    if (!over) result->percepts = std::move(percepts);
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
    const bool percepts = rules_.percepts_stated();
    if (result.over && percepts) return fmt::format("the end: {}", fmt::join(result.goals, ", "));
    const bool all_seen =
        !percepts || (at_.all.size() == 1 && std::ranges::all_of(results_, [](const Result& one) {
                          return one.over || one.state.all.size() == 1;
                      }));
    if (all_seen)
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
