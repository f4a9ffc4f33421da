#include "equilibrium/sequence_form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "core/deep_stack.hpp"
#include "equilibrium/linear/matrix_game.hpp"

namespace zermelo::equilibrium {

namespace {

using Sequence = std::size_t;  // 0 is the empty one

struct Set {  // an information set
    std::string view;
    Sequence before;
    Sequence first;  // the sequences that go on from it, one for each move
    std::vector<std::string> moves;
    Rational by_chance;  // how likely chance alone leads here
};

struct Side {
    std::vector<Set> sets;  // a set comes after those that its sequence passes
    Sequence sequences = 1;
    std::unordered_map<std::string, std::size_t> number;  // by view
};

// What the plays with these two sequences add up to, chance counted.
struct Outcome {
    Rational weight;
    Rational goal;  // of the first player, times the weight
};

// The whole tree, summed up by pairs of sequences.
class Form {
public:
    Form(const gdl::Game& game, const SolveOptions& options)
        : rules_(game), meter_(options, "reading the tree") {
        walk(rules_.initial(), {}, {0, 0}, 1, true, 0);
    }

    [[nodiscard]] MachineRules& rules() { return rules_; }
    [[nodiscard]] const Side& side(std::size_t player) const { return sides_[player]; }
    [[nodiscard]] int sum() const { return sum_.value(); }
    [[nodiscard]] std::uint64_t positions() const { return meter_.positions(); }
    template <class Work>
    void for_each_outcome(const Work& work) const {
        for (const auto& [pair, outcome] : outcomes_)
            work(std::array<Sequence, 2>{pair >> half, pair & ((Sequence{1} << half) - 1)}, outcome);
    }

private:
    static constexpr unsigned half = 32;

    void walk(const gdl::State& state, const std::array<std::string, 2>& views,
              const std::array<Sequence, 2>& sequences, const Rational& weight, bool chance_alone,
              std::size_t depth) {
        if (depth > longest_play) refuse_endless(rules_.file());
        meter_.count();
        Expansion<gdl::State> here;
        rules_.expand(state, here);
        if (here.over) {
            sum_.require(here.goals, rules_.roles(), rules_.file());
            Outcome& outcome = outcomes_[sequences[0] << half | sequences[1]];
            outcome.weight += weight;
            outcome.goal += weight * here.goals[0];
            return;
        }
        std::array<Sequence, 2> first{};
        for (std::size_t p = 0; p < 2; ++p) {
            if (!here.choice(p)) continue;
            Set& set = find_set(p, views[p], sequences[p], here.moves[p]);
            if (chance_alone) set.by_chance += weight;
            first[p] = set.first;
        }
        chance_alone = chance_alone && !here.choice(0) && !here.choice(1);
        const Rational share = weight / here.chances;
        for (std::size_t i = 0; i < here.moves[0].size(); ++i) {
            for (std::size_t j = 0; j < here.moves[1].size(); ++j) {
                for (std::size_t c = 0; c < here.chances; ++c) {
                    const auto& step = here.at(i, j, c);
                    walk(step.next,
                         {longer_view(views[0], here.moves[0][i], step.seen[0]),
                          longer_view(views[1], here.moves[1][j], step.seen[1])},
                         {here.choice(0) ? first[0] + i : sequences[0],
                          here.choice(1) ? first[1] + j : sequences[1]},
                         share, chance_alone, depth + 1);
                }
            }
        }
    }

    Set& find_set(std::size_t player, const std::string& view, Sequence before,
                  const std::vector<std::string>& moves) {
        Side& side = sides_[player];
        const auto [entry, fresh] = side.number.try_emplace(view, side.sets.size());
        if (fresh) {
            side.sets.push_back({view, before, side.sequences, moves, 0});
            side.sequences += moves.size();
        }
        Set& set = side.sets[entry->second];
        if (set.before != before || set.moves != moves) {
            throw Error(
                {rules_.file()},
                fmt::format("{} does not know its legal moves after {}", rules_.roles()[player], view),
                "let each role see enough to know them");
        }
        return set;
    }

    MachineRules rules_;
    Meter meter_;
    ConstantSum sum_;
    std::array<Side, 2> sides_;
    std::unordered_map<std::uint64_t, Outcome> outcomes_;
};

// Columns: the first player's sequences; then what the second leaves at the start and at each of its sets.
// Rows: for each sequence of the second player, it leaves no more than the sequence is worth; then, for the first
// player, the empty sequence weighs 1, and the moves of a set weigh together what leads to it.
LinearProgram program_of(const Form& form) {
    const Side& first = form.side(0);
    const Side& second = form.side(1);
    LinearProgram program;
    program.columns.resize(first.sequences + 1 + second.sets.size());
    for (std::size_t c = first.sequences; c < program.columns.size(); ++c) program.columns[c].free = true;
    const std::size_t start = first.sequences;
    program.columns[start].cost = 1;
    program.rows.resize(second.sequences + 1 + first.sets.size());
    for (std::size_t r = second.sequences; r < program.rows.size(); ++r) program.rows[r].equality = true;
    program.rows[second.sequences].right = 1;

    program.entries.push_back({0, start, 1});
    for (std::size_t i = 0; i < second.sets.size(); ++i) {
        const Set& set = second.sets[i];
        program.entries.push_back({set.before, start + 1 + i, -1});
        for (std::size_t m = 0; m < set.moves.size(); ++m)
            program.entries.push_back({set.first + m, start + 1 + i, 1});
    }
    form.for_each_outcome([&](const std::array<Sequence, 2>& pair, const Outcome& outcome) {
        if (outcome.goal != 0) program.entries.push_back({pair[1], pair[0], -outcome.goal});
    });
    program.entries.push_back({second.sequences, 0, 1});
    for (std::size_t i = 0; i < first.sets.size(); ++i) {
        const Set& set = first.sets[i];
        program.entries.push_back({second.sequences + 1 + i, set.before, -1});
        for (std::size_t m = 0; m < set.moves.size(); ++m)
            program.entries.push_back({second.sequences + 1 + i, set.first + m, 1});
    }
    return program;
}

// Probabilities by sequence: that of its last move at its set. Realisation weights follow.
struct Behaviour {
    Rationals probability;  // by sequence
    Rationals weight;       // by sequence

    explicit Behaviour(const Side& side) : probability(side.sequences), weight(side.sequences) {
        weight[0] = 1;
    }
    void weigh(const Set& set) {
        for (std::size_t m = 0; m < set.moves.size(); ++m)
            weight[set.first + m] = weight[set.before] * probability[set.first + m];
    }
};

// Nothing where these are no realisation weights.
std::optional<Behaviour> behaviour(const Side& side, const Rationals& weights) {
    Behaviour result(side);
    if (weights[0] != 1) return std::nullopt;
    for (const Set& set : side.sets) {
        Rational sum = 0;
        for (std::size_t m = 0; m < set.moves.size(); ++m) {
            const Rational& weight = weights[set.first + m];
            if (weight < 0) return std::nullopt;
            sum += weight;
            if (weight != 0) result.probability[set.first + m] = weight / weights[set.before];
        }
        if (sum != weights[set.before]) return std::nullopt;
        result.weigh(set);
    }
    return result;
}

Behaviour rounded_behaviour(const Side& side, const std::vector<double>& weights) {
    Behaviour result(side);
    for (const Set& set : side.sets) {
        if (result.weight[set.before] == 0) continue;
        std::vector<double> parts;
        for (std::size_t m = 0; m < set.moves.size(); ++m) parts.push_back(std::abs(weights[set.first + m]));
        const Rationals shares = rounded(parts);
        std::ranges::copy(shares, result.probability.begin() + static_cast<std::ptrdiff_t>(set.first));
        result.weigh(set);
    }
    return result;
}

// What the player's sequences are worth against the other's weights, the player's best choices below counted.
struct Response {
    Rationals goal;  // of the first player, by sequence
    Rationals mass;  // how likely the other and chance allow it, by sequence

    Response(const Form& form, std::size_t player, const Rationals& others)
        : goal(form.side(player).sequences), mass(form.side(player).sequences) {
        form.for_each_outcome([&](const std::array<Sequence, 2>& pair, const Outcome& outcome) {
            const Rational& weight = others[pair[1 - player]];
            if (weight == 0) return;
            goal[pair[player]] += weight * outcome.goal;
            mass[pair[player]] += weight * outcome.weight;
        });
        const auto& sets = form.side(player).sets;
        for (auto set = sets.rbegin(); set != sets.rend(); ++set) {
            Rational best = goal[set->first];
            for (std::size_t m = 1; m < set->moves.size(); ++m) {
                const Rational& one = goal[set->first + m];
                if (player == 0 ? one > best : one < best) best = one;
            }
            goal[set->before] += best;
            mass[set->before] += mass[set->first];
        }
    }
};

class Solver {
public:
    Solver(const gdl::Game& game, const SolveOptions& options, std::size_t most_bits)
        : options_(options), most_bits_(most_bits), form_(game, options) {}

    Solution run() {
        const LinearProgram program = program_of(form_);
        if (options_.progress) options_.progress("solving the linear program", form_.positions());
        const LinearOptimum optimum = maximise(program, options_.limits);
        Solution solution;
        solution.solved = true;
        solution.method = Method::sequence_form;
        solution.equilibrium.by = Equilibrium::By::views;
        solution.equilibrium.roles = form_.rules().roles();
        solution.sum = form_.sum();
        solution.positions = form_.positions();
        solution.programs = 1;
        solution.information_sets = form_.side(0).sets.size() + form_.side(1).sets.size();
        if (!take_exact(program, optimum, solution.equilibrium)) {
            const auto second = optimum.dual.begin();
            take({rounded_behaviour(form_.side(0), optimum.primal),
                  rounded_behaviour(form_.side(1),
                                    {second, second + static_cast<std::ptrdiff_t>(form_.side(1).sequences)})},
                 solution.equilibrium);
        }
        find_decisions(solution);
        if (options_.certificate) {
            for (std::size_t p = 0; p < 2; ++p) solution.equilibrium.strategies[p] = strategy(p);
        }
        return solution;
    }

private:
    [[nodiscard]] bool take_exact(const LinearProgram& program, const LinearOptimum& optimum,
                                  Equilibrium& equilibrium) {
        if (options_.progress) options_.progress("making the solution exact", form_.positions());
        const auto found = exact(program, optimum, options_.limits, most_bits_);
        if (!found) return false;
        auto first = behaviour(form_.side(0), found->primal);
        auto second = behaviour(form_.side(1), found->dual);
        if (!first || !second) return false;
        take({*std::move(first), *std::move(second)}, equilibrium);
        return equilibrium.exact();
    }

    void take(std::array<Behaviour, 2> players, Equilibrium& equilibrium) {
        responses_.clear();
        for (std::size_t p = 0; p < 2; ++p) responses_.emplace_back(form_, p, players[1 - p].weight);
        players_ = {std::move(players[0]), std::move(players[1])};
        equilibrium.upper = responses_[0].goal[0];
        equilibrium.lower = responses_[1].goal[0];
    }

    [[nodiscard]] Rationals probabilities(std::size_t player, const Set& set) const {
        const auto from = players_[player].probability.begin() + static_cast<std::ptrdiff_t>(set.first);
        return {from, from + static_cast<std::ptrdiff_t>(set.moves.size())};
    }

    [[nodiscard]] BehaviourStrategy strategy(std::size_t player) const {
        BehaviourStrategy all;
        for (const Set& set : form_.side(player).sets) {
            if (players_[player].weight[set.before] != 0)
                all.emplace(set.view, mixture(set.moves, probabilities(player, set)));
        }
        return all;
    }

    void find_decisions(Solution& solution) {
        std::array<std::string, 2> views;
        gdl::State state = form_.rules().initial();
        MachineRules& rules = form_.rules();
        for (const gdl::JointMove& joint : options_.line) {
            const auto step = rules.step(state, joint);
            for (std::size_t p = 0; p < 2; ++p)
                views[p] =
                    longer_view(views[p], rules.move_text(p, joint[rules.seats().players[p]]), step.seen[p]);
            state = step.next;
        }
        for (std::size_t p = 0; p < 2; ++p) {
            const Side& side = form_.side(p);
            if (!options_.line.empty()) {
                const auto found = side.number.find(views[p]);
                if (found != side.number.end()) decide(solution, p, side.sets[found->second], 1);
                continue;
            }
            for (const Set& set : side.sets) {
                if (set.by_chance != 0) decide(solution, p, set, set.by_chance);
            }
        }
    }

    // Where the player's own strategy never leads: whatever is best against the other's.
    [[nodiscard]] Rationals best_move(std::size_t player, const Set& set) const {
        const auto from = responses_[player].goal.begin() + static_cast<std::ptrdiff_t>(set.first);
        const auto to = from + static_cast<std::ptrdiff_t>(set.moves.size());
        Rationals result(set.moves.size());
        const auto best = player == 0 ? std::max_element(from, to) : std::min_element(from, to);
        result[static_cast<std::size_t>(best - from)] = 1;
        return result;
    }

    void decide(Solution& solution, std::size_t player, const Set& set, const Rational& reach) const {
        Decision& decision = solution.decisions.emplace_back();
        decision.player = player;
        decision.at = set.view;
        decision.reach = reach;
        const Response& response = responses_[player];
        const Rational& mass = response.mass[set.first];
        const Rationals shares =
            players_[player].weight[set.before] != 0 ? probabilities(player, set) : best_move(player, set);
        for (std::size_t m = 0; m < set.moves.size(); ++m) {
            MoveWorth& one = decision.moves.emplace_back(MoveWorth{set.moves[m], shares[m], std::nullopt});
            if (mass == 0) continue;
            const Rational goal = response.goal[set.first + m] / mass;
            one.value = player == 0 ? goal : Rational(solution.sum - goal);
        }
    }

    const SolveOptions& options_;
    std::size_t most_bits_;
    Form form_;
    std::vector<Behaviour> players_;
    std::vector<Response> responses_;  // by player, to the other's weights
};

}  // namespace

Solution solve_by_sequence_form(const gdl::Game& game, const SolveOptions& options, std::size_t most_bits) {
    Solution solution;
    with_deep_stack(longest_play, [&] { solution = Solver(game, options, most_bits).run(); });
    return solution;
}

}  // namespace zermelo::equilibrium
