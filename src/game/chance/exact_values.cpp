#include "game/chance/exact_values.hpp"

#include <cmath>
#include <map>
#include <set>

namespace zermelo::game {

namespace {

constexpr double guess_tolerance = 1e-9;  // guesses that are closer are taken to be equal
constexpr int most_guess_sweeps = 20'000;
constexpr int most_strategy_rounds = 1'000;  // of strategy iteration

void require_time(const Limits& limits) {
    if (const Stop stop = limits.reached(); stop != Stop::none)
        throw LimitReached(stop, "while the values were computed", "raise the limit");
}

std::size_t bits(const Rational& number) {
    const auto length = [](const auto& integer) {
        return integer == 0 ? std::size_t{1}
                            : static_cast<std::size_t>(msb(integer < 0 ? -integer : integer)) + 1;
    };
    return length(numerator(number)) + length(denominator(number));
}

// Values of one state a time, from those of its successors.
class Induction {
public:
    Induction(const Graph& graph, ExpectedValues& values)
        : graph_(graph), values_(values), stride_(values.interests == Interests::own ? values.players : 1) {}

    void apply(StateId s) {
        if (graph_.over(s)) {
            for (std::size_t i = 0; i < stride_; ++i) at(s, i) = graph_.payoffs(s)[i];
            return;
        }
        const auto successors = graph_.successors(s);
        const Turn turn = graph_.turn(s);
        if (turn.kind == Turn::Kind::chance) {
            for (std::size_t i = 0; i < stride_; ++i) at(s, i) = mean(s, i);
            return;
        }
        const std::size_t own = stride_ == 1 ? 0 : turn.player;
        const bool most = stride_ > 1 || maximises(values_, turn.player);
        std::uint32_t best = 0;
        for (std::uint32_t m = 1; m < successors.size(); ++m) {
            const Rational& here = at(successors[m], own);
            const Rational& there = at(successors[best], own);
            if (most ? here > there : here < there) best = m;
        }
        values_.choice[s] = best;
        for (std::size_t i = 0; i < stride_; ++i) at(s, i) = at(successors[best], i);
    }
    [[nodiscard]] Rational& at(StateId s, std::size_t i) { return values_.value[s * stride_ + i]; }
    [[nodiscard]] std::size_t stride() const { return stride_; }

private:
    Rational mean(StateId s, std::size_t i) {
        Rational sum = 0;
        Rational all = 0;
        for (std::uint64_t move = graph_.start[s]; move < graph_.start[s + 1]; ++move) {
            sum += graph_.weight_of(move) * at(graph_.to[move], i);
            all += graph_.weight_of(move);
        }
        return sum / all;
    }

    const Graph& graph_;
    ExpectedValues& values_;
    std::size_t stride_;
};

}  // namespace

bool find_exact_values(const Graph& graph, const Components& order, const ExpectedValueOptions& options,
                       ExpectedValues& values) {
    Induction induction(graph, values);
    values.value.assign(graph.states() * induction.stride(), 0);
    values.choice.assign(graph.states(), 0);
    ComponentSolver solver(graph, order, options, values);
    std::uint64_t all_bits = 0;
    for (std::size_t c = 0; c < order.size(); ++c) {
        require_time(options.limits);
        if (!has_cycle(graph, order, c)) {
            induction.apply(order.members(c).front());
        } else if (!solver.solve(c)) {
            return false;
        }
        for (const StateId s : order.members(c)) {
            for (std::size_t i = 0; i < induction.stride(); ++i) {
                const std::size_t length = bits(induction.at(s, i));
                all_bits += length;
                if (length > options.most_bits || all_bits > options.most_bits_in_all) return false;
            }
        }
    }
    return true;
}

ComponentSolver::ComponentSolver(const Graph& graph, const Components& order,
                                 const ExpectedValueOptions& options, ExpectedValues& values)
    : graph_(graph), order_(order), options_(options), values_(values), place_(graph.states()) {
    endless_ = Rational(values.twice_endless) / 2;
}

bool ComponentSolver::solve(std::size_t component) {
    component_ = component;
    members_ = order_.members(component);
    values_.cyclic_states += members_.size();
    for (Place i = 0; i < members_.size(); ++i) place_[members_[i]] = i;
    operations_ = 0;
    guess();
    for (int round = 0; round < most_strategy_rounds; ++round) {
        require_time(options_.limits);
        if (!evaluate()) return false;
        if (!improve()) return true;
    }
    return false;
}

double ComponentSolver::approximate(StateId s) const {
    return inside(s) ? guess_[place(s)] : static_cast<double>(values_.value[s]);
}

double ComponentSolver::backed_up(StateId s) const {
    const Turn turn = graph_.turn(s);
    if (turn.kind == Turn::Kind::chance) {
        double sum = 0;
        double all = 0;
        for (std::uint64_t move = graph_.start[s]; move < graph_.start[s + 1]; ++move) {
            const auto weight = static_cast<double>(graph_.weight_of(move));
            sum += weight * approximate(graph_.to[move]);
            all += weight;
        }
        return sum / all;
    }
    const auto successors = graph_.successors(s);
    double best = approximate(successors.front());
    for (const StateId to : successors) {
        const double here = approximate(to);
        best = maximises(values_, turn.player) ? std::max(best, here) : std::min(best, here);
    }
    return best;
}

// Value iteration from what endless play pays; then moves that keep the value and lead out of the component
// as soon as possible.
void ComponentSolver::guess() {
    guess_.assign(members_.size(), values_.twice_endless / 2.0);
    for (int sweep = 0; sweep < most_guess_sweeps; ++sweep) {
        require_time(options_.limits);
        ++values_.sweeps;
        double change = 0;
        for (const StateId s : members_) {
            const double now = backed_up(s);
            change = std::max(change, std::abs(now - guess_[place(s)]));
            guess_[place(s)] = now;
        }
        if (change < guess_tolerance * guess_tolerance) break;
    }
    const auto far = static_cast<std::uint32_t>(members_.size()) + 1;
    std::vector<std::uint32_t> distance(members_.size(), far);
    const auto steps = [&](StateId s) { return inside(s) ? distance[place(s)] : 0; };
    for (bool changed = true; changed;) {
        changed = false;
        for (const StateId s : members_) {
            const auto successors = graph_.successors(s);
            const bool chance = graph_.turn(s).kind == Turn::Kind::chance;
            const double value = guess_[place(s)];
            std::uint32_t& here = distance[place(s)];
            for (std::uint32_t m = 0; m < successors.size(); ++m) {
                if (!chance && std::abs(approximate(successors[m]) - value) > guess_tolerance) continue;
                const std::uint32_t there = steps(successors[m]);
                if (there + 1 >= here) continue;
                here = there + 1;
                if (!chance) values_.choice[s] = m;
                changed = true;
            }
        }
    }
    for (const StateId s : members_) {
        if (graph_.turn(s).kind == Turn::Kind::chance || distance[place(s)] < far) continue;
        const auto successors = graph_.successors(s);
        for (std::uint32_t m = 0; m < successors.size(); ++m) {
            if (std::abs(approximate(successors[m]) - guess_[place(s)]) > guess_tolerance) continue;
            values_.choice[s] = m;
            break;
        }
    }
}

// The values of the chain that the chosen moves make: what endless play pays where it does not leave the
// component, otherwise the solution of its linear equations, which is unique.
bool ComponentSolver::evaluate() {
    std::vector<bool> leaves(members_.size(), false);
    for (bool changed = true; changed;) {
        changed = false;
        for (const StateId s : members_) {
            if (leaves[place(s)]) continue;
            const auto out = [&](StateId to) { return !inside(to) || leaves[place(to)]; };
            const auto successors = graph_.successors(s);
            const bool chance = graph_.turn(s).kind == Turn::Kind::chance;
            if (chance ? std::ranges::any_of(successors, out) : out(after(s))) {
                leaves[place(s)] = true;
                changed = true;
            }
        }
    }
    std::vector<StateId> chances;
    std::vector<StateId> decisions;
    for (const StateId s : members_) {
        if (!leaves[place(s)]) {
            values_.value[s] = endless_;
        } else if (graph_.turn(s).kind == Turn::Kind::chance) {
            chances.push_back(s);
        } else {
            decisions.push_back(s);
        }
    }
    const bool ends = !chances.empty();
    if (ends && !eliminate(chances)) return false;
    // Decisions that leave the component, or lead to chance, after a few others.
    for (const StateId s : decisions) {
        StateId to = after(s);
        while (inside(to) && leaves[place(to)] && graph_.turn(to).kind != Turn::Kind::chance) to = after(to);
        values_.value[s] = values_.value[to];
    }
    return true;
}

// Gaussian elimination of x = a x + c over the chance states, each written by those that are left.
bool ComponentSolver::eliminate(const std::vector<StateId>& chances) {
    constexpr Place known = ~Place{0};
    std::vector<Place> number(members_.size(), known);
    for (Place i = 0; i < chances.size(); ++i) number[place(chances[i])] = i;
    struct Row {
        std::map<Place, Rational> factor;
        Rational constant = 0;
    };
    std::vector<Row> rows(chances.size());
    std::vector<std::set<Place>> users(chances.size());  // rows in which it occurs
    std::vector<bool> open(members_.size(), false);
    for (const StateId s : chances) open[place(s)] = true;
    for (Place i = 0; i < chances.size(); ++i) {
        const StateId s = chances[i];
        Rational all = 0;
        for (std::uint64_t move = graph_.start[s]; move < graph_.start[s + 1]; ++move)
            all += graph_.weight_of(move);
        for (std::uint64_t move = graph_.start[s]; move < graph_.start[s + 1]; ++move) {
            const Rational probability = graph_.weight_of(move) / all;
            StateId to = graph_.to[move];
            // Along decisions; round in a circle of these only where endless play has been counted already.
            for (std::size_t steps = 0;
                 inside(to) && !open[place(to)] && graph_.turn(to).kind != Turn::Kind::chance &&
                 steps <= members_.size();
                 ++steps)
                to = after(to);
            if (inside(to) && open[place(to)]) {
                rows[i].factor[number[place(to)]] += probability;
            } else {
                rows[i].constant += probability * (inside(to) ? endless_ : values_.value[to]);
            }
        }
        for (const auto& [j, factor] : rows[i].factor) users[j].insert(i);
    }
    for (Place k = 0; k < rows.size(); ++k) {
        Row& row = rows[k];
        if (const auto self = row.factor.find(k); self != row.factor.end()) {
            const Rational rest = 1 - self->second;
            row.factor.erase(self);
            for (auto& [j, factor] : row.factor) factor /= rest;
            row.constant /= rest;
        }
        users[k].erase(k);
        for (const Place i : users[k]) {
            if (i < k) continue;
            const Rational times = rows[i].factor[k];
            rows[i].factor.erase(k);
            rows[i].constant += times * row.constant;
            for (const auto& [j, factor] : row.factor) {
                rows[i].factor[j] += times * factor;
                users[j].insert(i);
            }
            operations_ += 1 + row.factor.size();
            if (operations_ > options_.most_operations || bits(rows[i].constant) > options_.most_bits)
                return false;
        }
        require_time(options_.limits);
    }
    for (Place k = static_cast<Place>(rows.size()); k-- > 0;) {
        Rational value = rows[k].constant;
        for (const auto& [j, factor] : rows[k].factor) value += factor * values_.value[chances[j]];
        if (bits(value) > options_.most_bits) return false;
        values_.value[chances[k]] = std::move(value);
    }
    return true;
}

// Takes better moves for one side; whether there were any.
bool ComponentSolver::switch_moves(bool maximiser) {
    bool switched = false;
    for (const StateId s : members_) {
        const Turn turn = graph_.turn(s);
        if (turn.kind == Turn::Kind::chance || maximises(values_, turn.player) != maximiser) continue;
        const auto successors = graph_.successors(s);
        std::uint32_t best = values_.choice[s];
        for (std::uint32_t m = 0; m < successors.size(); ++m) {
            const Rational& here = values_.value[successors[m]];
            // Against the state's own value: a choice that goes round in a circle is worth endless play.
            const Rational& there =
                best == values_.choice[s] ? values_.value[s] : values_.value[successors[best]];
            if (maximiser ? here > there : here < there) best = m;
        }
        switched = switched || best != values_.choice[s];
        values_.choice[s] = best;
    }
    return switched;
}

// Where one side can play on for ever, whatever the other's chosen moves, among states that are worth less to
// it than that: it does.
bool ComponentSolver::leave_traps(bool maximiser) {
    std::vector<bool> trap(members_.size());
    for (const StateId s : members_)
        trap[place(s)] = maximiser ? values_.value[s] < endless_ : values_.value[s] > endless_;
    const auto stays = [&](StateId to) { return inside(to) && trap[place(to)]; };
    bool any = false;
    for (bool changed = true; changed;) {
        changed = false;
        any = false;
        for (const StateId s : members_) {
            if (!trap[place(s)]) continue;
            const auto successors = graph_.successors(s);
            const Turn turn = graph_.turn(s);
            const bool stay = turn.kind == Turn::Kind::chance ? std::ranges::all_of(successors, stays)
                              : maximises(values_, turn.player) == maximiser
                                  ? std::ranges::any_of(successors, stays)
                                  : stays(after(s));
            if (stay) {
                any = true;
            } else {
                trap[place(s)] = false;
                changed = true;
            }
        }
    }
    if (!any) return false;
    for (const StateId s : members_) {
        const Turn turn = graph_.turn(s);
        if (!trap[place(s)] || turn.kind == Turn::Kind::chance ||
            maximises(values_, turn.player) != maximiser)
            continue;
        const auto successors = graph_.successors(s);
        values_.choice[s] =
            static_cast<std::uint32_t>(std::ranges::find_if(successors, stays) - successors.begin());
    }
    return true;
}

// Hoffman and Karp: the minimiser's best reply first, then better moves of the maximiser.
bool ComponentSolver::improve() {
    return switch_moves(false) || leave_traps(false) || switch_moves(true) || leave_traps(true);
}

}  // namespace zermelo::game
