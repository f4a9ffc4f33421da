#include "game/chance/bounds.hpp"

#include <algorithm>

namespace zermelo::game {

namespace {

constexpr Grid grid_unit = Grid{1} << grid_bits;
constexpr Grid settled_raise = 16;             // a sweep that raises by less ends the iteration
constexpr int most_bound_sweeps = 1'000'000;   // over a component
constexpr int most_guess_corrections = 1'000;  // of a guess
__extension__ using WideSum = __int128;

}  // namespace

LowerBounds::LowerBounds(const Graph& graph, const Components& order, const Limits& limits,
                         std::vector<bool> maximises, bool negated, Grid endless)
    : graph_(graph),
      order_(order),
      limits_(limits),
      maximises_(std::move(maximises)),
      negated_(negated),
      endless_(endless),
      lowest_(endless),
      low_(graph.states(), 0),
      choice_(graph.states(), 0) {
    for (const auto& payoffs : graph.outcomes)
        lowest_ = std::min(lowest_, grid_unit * (negated ? win - payoffs.front() : payoffs.front()));
}

Grid LowerBounds::payoff(StateId s) const {
    const int first = graph_.payoffs(s).front();
    return grid_unit * (negated_ ? win - first : first);
}

LowerBounds::Backup LowerBounds::backed_up(StateId s) const {
    if (graph_.over(s)) return {payoff(s), 0};
    const auto successors = graph_.successors(s);
    const Turn turn = graph_.turn(s);
    if (turn.kind == Turn::Kind::chance) {
        WideSum sum = 0;
        WideSum all = 0;
        for (std::uint64_t move = graph_.start[s]; move < graph_.start[s + 1]; ++move) {
            const auto weight = static_cast<WideSum>(graph_.weight_of(move));
            sum += weight * low_[graph_.to[move]];
            all += weight;
        }
        return {static_cast<Grid>(sum / all), 0};  // rounds down: no value is negative
    }
    Backup best{low_[successors.front()], 0};
    for (std::uint32_t m = 1; m < successors.size(); ++m) {
        const Grid here = low_[successors[m]];
        if (maximises_[turn.player] ? here > best.value : here < best.value) best = {here, m};
    }
    return best;
}

void LowerBounds::solve(std::size_t component) {
    const auto members = order_.members(component);
    if (!has_cycle(graph_, order_, component)) {
        const StateId s = members.front();
        const Backup found = backed_up(s);
        low_[s] = found.value;
        choice_[s] = found.move;
        return;
    }
    for (const StateId s : members) low_[s] = lowest_;
    raise_until_settled(members);
    while (raise_to_endless(members)) raise_until_settled(members);
}

void LowerBounds::raise_until_settled(std::span<const StateId> members) {
    for (int sweep = 0; sweep < most_bound_sweeps; ++sweep) {
        if (const Stop stop = limits_.reached(); stop != Stop::none)
            throw LimitReached(stop, "while the values were computed", "raise the limit");
        ++sweeps_;
        Grid most = 0;
        for (const StateId s : members) {
            const Backup found = backed_up(s);
            if (found.value <= low_[s]) continue;
            most = std::max(most, found.value - low_[s]);
            low_[s] = found.value;
            choice_[s] = found.move;
        }
        if (most < settled_raise) return;
    }
}

// The largest set of states below `endless_` that is sound when raised to it.
bool LowerBounds::raise_to_endless(std::span<const StateId> members) {
    std::vector<std::pair<StateId, Grid>> raised;
    for (const StateId s : members) {
        if (low_[s] >= endless_) continue;
        raised.emplace_back(s, low_[s]);
        low_[s] = endless_;
    }
    for (bool changed = true; changed;) {
        changed = false;
        std::erase_if(raised, [&](const auto& one) {
            if (backed_up(one.first).value >= endless_) return false;
            low_[one.first] = one.second;
            changed = true;
            return true;
        });
    }
    for (const auto& [s, before] : raised) choice_[s] = backed_up(s).move;
    return !raised.empty();
}

// Whether the minimisers can keep the play for ever where the bound is more than that pays.
bool LowerBounds::can_be_held_up(std::span<const StateId> members, std::size_t component) const {
    std::vector<bool> held(graph_.states(), false);
    for (const StateId s : members) held[s] = low_[s] > endless_;
    const auto stays = [&](StateId to) { return order_.of[to] == component && held[to]; };
    bool any = false;
    for (bool changed = true; changed;) {
        changed = false;
        any = false;
        for (const StateId s : members) {
            if (!held[s]) continue;
            const auto successors = graph_.successors(s);
            const Turn turn = graph_.turn(s);
            const bool stay = turn.kind == Turn::Kind::chance ? std::ranges::all_of(successors, stays)
                              : maximises_[turn.player]       ? stays(successors[choice_[s]])
                                                              : std::ranges::any_of(successors, stays);
            any = any || stay;
            changed = changed || !stay;
            held[s] = stay;
        }
    }
    return any;
}

template <class Guess>
bool LowerBounds::try_guess(std::size_t component, const Guess& guess) {
    const auto members = order_.members(component);
    std::vector<std::pair<Grid, std::uint32_t>> before;
    for (const StateId s : members) before.emplace_back(low_[s], choice_[s]);
    for (const Grid margin : {grid_unit >> 34, grid_unit >> 20, grid_unit >> 10}) {
        for (std::size_t i = 0; i < members.size(); ++i)
            low_[members[i]] = std::max(before[i].first, guess(members[i]) - margin);
        bool sound = false;
        for (int round = 0; round < most_guess_corrections && !sound; ++round) {
            sound = true;
            for (const StateId s : members) {
                const Backup found = backed_up(s);
                choice_[s] = found.move;
                if (found.value >= low_[s]) continue;
                low_[s] = found.value;
                sound = false;
            }
        }
        if (sound && !can_be_held_up(members, component)) return true;
    }
    for (std::size_t i = 0; i < members.size(); ++i)
        std::tie(low_[members[i]], choice_[members[i]]) = before[i];
    return false;
}

void find_bounds(const Graph& graph, const Components& order, const ExpectedValueOptions& options,
                 ExpectedValues& values) {
    constexpr Grid wide = grid_unit >> 30;
    const bool shared = values.interests == Interests::shared;
    std::vector<bool> max(graph.players.size(), shared);
    max.front() = true;
    std::vector<bool> min(graph.players.size(), !shared);
    min.front() = false;
    const Grid endless = (grid_unit / 2) * values.twice_endless;
    LowerBounds low(graph, order, options.limits, max, false, endless);
    LowerBounds high(graph, order, options.limits, min, true, grid_unit * win - endless);
    for (std::size_t c = 0; c < order.size(); ++c) {
        low.solve(c);
        high.solve(c);
        const auto members = order.members(c);
        const auto apart = [&](StateId s) { return grid_unit * win - high[s] - low[s] > wide; };
        if (!has_cycle(graph, order, c) || std::ranges::none_of(members, apart)) continue;
        if (high.try_guess(c, [&](StateId s) { return grid_unit * win - low[s]; })) continue;
        (void)low.try_guess(c, [&](StateId s) { return grid_unit * win - high[s]; });
    }
    values.exact = false;
    values.low.resize(graph.states());
    values.high.resize(graph.states());
    values.choice.assign(graph.states(), 0);
    for (StateId s = 0; s < graph.states(); ++s) {
        values.low[s] = low[s];
        values.high[s] = grid_unit * win - high[s];
        const Turn turn = graph.turn(s);
        if (turn.kind == Turn::Kind::player)
            values.choice[s] = max[turn.player] ? low.choice(s) : high.choice(s);
    }
    values.sweeps += low.sweeps() + high.sweeps();
}

}  // namespace zermelo::game
