#include "equilibrium/backward_induction.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "core/deep_stack.hpp"
#include "equilibrium/check/best_response.hpp"
#include "equilibrium/linear/matrix_game.hpp"

namespace zermelo::equilibrium {

namespace {

constexpr unsigned value_bits = 96;  // of the grid to which longer ones are rounded

class Induction {
public:
    Induction(const gdl::Game& game, const SolveOptions& options, std::size_t most_bits)
        : options_(options), most_bits_(most_bits), rules_(game), meter_(options, "solving") {}

    Solution run() {
        start_ = rules_.initial();
        for (const gdl::JointMove& joint : options_.line) start_ = rules_.step(start_, joint).next;
        const Rational value = value_of(start_, 0);
        Solution solution;
        solution.solved = true;
        solution.method = Method::backward_induction;
        solution.equilibrium.roles = rules_.roles();
        solution.equilibrium.lower = solution.equilibrium.upper = value;
        solution.sum = sum_.value();
        solution.programs = programs_;
        solution.information_sets = sets_;
        find_decisions(solution);
        if (options_.certificate || rounded_) {
            for (std::size_t p = 0; p < 2; ++p) solution.equilibrium.strategies[p] = strategy(p);
        }
        if (rounded_) bound(solution.equilibrium);
        if (!options_.certificate) solution.equilibrium.strategies = {};
        solution.positions = table_.size();
        return solution;
    }

private:
    using State = gdl::State;
    struct Part {
        std::uint32_t move;
        Rational probability;
    };
    struct Entry {
        bool known = false;  // otherwise it is on the way
        Rational value;      // of the first player
        std::array<std::vector<Part>, 2> mixed;
    };

    Rational value_of(const State& state, std::size_t depth) {
        const Hash128 key = rules_.key(state);
        if (const auto [entry, fresh] = table_.try_emplace(key); !fresh) {
            if (!entry->second.known) refuse_endless(rules_.file());
            return entry->second.value;
        }
        if (depth > longest_play) refuse_endless(rules_.file());
        meter_.count();
        Expansion<State> here;
        rules_.expand(state, here);
        Entry found;
        found.known = true;
        if (here.over) {
            sum_.require(here.goals, rules_.roles(), rules_.file());
            found.value = here.goals[0];
        } else {
            fill(found, matrix(here, depth), here);
        }
        Rational value = found.value;
        table_[key] = std::move(found);
        return value;
    }

    MatrixGame matrix(const Expansion<State>& here, std::size_t depth) {
        MatrixGame game{here.moves[0].size(), here.moves[1].size(), {}};
        for (std::size_t i = 0; i < game.rows; ++i) {
            for (std::size_t j = 0; j < game.columns; ++j) {
                Rational sum = 0;
                for (std::size_t c = 0; c < here.chances; ++c)
                    sum += value_of(here.at(i, j, c).next, depth + 1);
                game.payoffs.push_back(sum / here.chances);
            }
        }
        return game;
    }

    void fill(Entry& entry, const MatrixGame& game, const Expansion<State>& here) {
        const MatrixSolution solution = solve(game, options_.limits, most_bits_);
        programs_ += solution.program ? 1 : 0;
        rounded_ = rounded_ || !solution.exact;
        entry.value = solution.value;
        if (msb(denominator(entry.value)) > most_bits_) {
            rounded_ = true;
            const Integer grid = Integer(1) << value_bits;
            entry.value = Rational(Integer(numerator(entry.value) * grid / denominator(entry.value)), grid);
        }
        for (std::size_t p = 0; p < 2; ++p) {
            sets_ += here.choice(p) ? 1 : 0;
            const Rationals& mixed = p == 0 ? solution.row : solution.column;
            for (std::uint32_t m = 0; m < mixed.size(); ++m) {
                if (mixed[m] != 0) entry.mixed[p].push_back({m, mixed[m]});
            }
        }
    }

    // Where something was rounded, all mixtures are put on one grid, so that exact best responses stay short.
    Rationals probabilities(const State& state, std::size_t player, std::size_t moves) const {
        Rationals all(moves);
        for (const Part& part : table_.at(rules_.key(state)).mixed[player]) all[part.move] = part.probability;
        if (!rounded_) return all;
        std::vector<double> weights;
        for (const Rational& one : all) weights.push_back(to_double(one));
        return rounded(weights);
    }

    // The states that the player's strategy allows.
    BehaviourStrategy strategy(std::size_t player) {
        BehaviourStrategy all;
        std::unordered_set<Hash128, LowBitsHash> seen{rules_.key(start_)};
        std::vector<State> open{start_};
        Expansion<State> here;
        while (!open.empty()) {
            const State state = std::move(open.back());
            open.pop_back();
            meter_.count();
            rules_.expand(state, here);
            if (here.over) continue;
            const Rationals weights = probabilities(state, player, here.moves[player].size());
            if (here.choice(player)) all.emplace(rules_.text(state), mixture(here.moves[player], weights));
            for (std::size_t i = 0; i < here.moves[0].size(); ++i) {
                for (std::size_t j = 0; j < here.moves[1].size(); ++j) {
                    if (weights[player == 0 ? i : j] == 0) continue;
                    for (std::size_t c = 0; c < here.chances; ++c) {
                        const State& next = here.at(i, j, c).next;
                        if (seen.insert(rules_.key(next)).second) open.push_back(next);
                    }
                }
            }
        }
        return all;
    }

    // From the position on, through states in which only chance has a choice.
    void find_decisions(Solution& solution) {
        std::vector<std::pair<State, Rational>> open{{start_, 1}};
        for (std::size_t at = 0; at < open.size(); ++at) {
            const auto [state, reach] = open[at];
            meter_.count();
            Expansion<State> here;
            rules_.expand(state, here);
            if (here.over) continue;
            if (here.choice(0) || here.choice(1)) {
                decide(solution, state, reach, here);
                continue;
            }
            for (const auto& step : here.steps) {
                const auto same =
                    std::ranges::find_if(open, [&](const auto& one) { return one.first == step.next; });
                const Rational share = reach / here.chances;
                if (same == open.end()) {
                    open.emplace_back(step.next, share);
                } else {
                    same->second += share;
                }
            }
        }
    }

    void decide(Solution& solution, const State& state, const Rational& reach, const Expansion<State>& here) {
        const MatrixGame game = matrix(here, 0);  // all entries are in the table
        if (here.choice(0) && here.choice(1))
            solution.pairs.push_back({rules_.text(state), here.moves, game.payoffs});
        std::array<Rationals, 2> mixed;
        for (std::size_t p = 0; p < 2; ++p) mixed[p] = probabilities(state, p, here.moves[p].size());
        for (std::size_t p = 0; p < 2; ++p) {
            if (!here.choice(p)) continue;
            Decision& decision = solution.decisions.emplace_back();
            decision.player = p;
            decision.at = rules_.text(state);
            decision.reach = reach;
            for (std::size_t m = 0; m < here.moves[p].size(); ++m) {
                Rational value = 0;
                for (std::size_t o = 0; o < here.moves[1 - p].size(); ++o)
                    value +=
                        mixed[1 - p][o] * (p == 0 ? game.at(m, o) : Rational(sum_.value() - game.at(o, m)));
                decision.moves.push_back({here.moves[p][m], mixed[p][m], value});
            }
        }
    }

    // What rounded strategies guarantee.
    void bound(Equilibrium& equilibrium) {
        const Guarantees found = guarantees(rules_, start_, equilibrium, options_.limits);
        equilibrium.lower = found.lower;
        equilibrium.upper = found.upper;
    }

    const SolveOptions& options_;
    std::size_t most_bits_;
    MachineRules rules_;
    Meter meter_;
    ConstantSum sum_;
    State start_;
    std::unordered_map<Hash128, Entry, LowBitsHash> table_;
    std::uint64_t programs_ = 0;
    std::uint64_t sets_ = 0;
    bool rounded_ = false;
};

}  // namespace

Solution solve_by_backward_induction(const gdl::Game& game, const SolveOptions& options,
                                     std::size_t most_bits) {
    Solution solution;
    with_deep_stack(longest_play, [&] { solution = Induction(game, options, most_bits).run(); });
    return solution;
}

}  // namespace zermelo::equilibrium
