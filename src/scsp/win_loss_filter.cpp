#include "scsp/win_loss_filter.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <queue>

#include "core/limits.hpp"
#include "core/random.hpp"
#include "gdl/circuit/effects.hpp"

namespace zermelo::scsp {

namespace {

using gdl::Circuit;
using gdl::Effects;
using gdl::JointMove;
using gdl::Machine;
using gdl::MoveId;
using gdl::Network;
using gdl::Signal;

constexpr std::size_t sampled_steps = 4096;
constexpr std::size_t free_gates = 4096;  // a small network may grow by so many, whatever its size

// The gates that some signals depend on, to ask what becomes of the signals when fluents change.
class Cone {
public:
    Cone(const Circuit& circuit, std::vector<Signal> roots) : roots_(std::move(roots)) {
        std::vector<std::uint32_t> open;
        image_.assign(circuit.nodes(), Signal());
        inside_.assign(circuit.nodes(), false);
        readers_.resize(circuit.nodes());
        const auto enter = [&](Signal s) {
            if (inside_[s.node()]) return;
            inside_[s.node()] = true;
            image_[s.node()] = Signal(s.node(), false);
            open.push_back(s.node());
        };
        for (const Signal s : roots_) enter(s);
        while (!open.empty()) {
            const std::uint32_t node = open.back();
            open.pop_back();
            if (node < circuit.first_gate()) continue;
            for (const Signal s : circuit.inputs_of(node)) {
                enter(s);
                readers_[s.node()].push_back(node);
            }
        }
    }

    // The roots as functions of the state before the changes.
    std::vector<Signal> after(Circuit& circuit, const std::vector<Effects::Change>& changes) {
        std::vector<std::uint32_t> touched;
        std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> reached;
        const auto set = [&](std::uint32_t node, Signal to) {
            image_[node] = to;
            touched.push_back(node);
            for (const std::uint32_t reader : readers_[node]) reached.push(reader);
        };
        for (const Effects::Change& change : changes) {
            if (inside_[1 + change.fluent]) set(1 + change.fluent, change.next);
        }
        while (!reached.empty()) {
            const std::uint32_t gate = reached.top();
            while (!reached.empty() && reached.top() == gate) reached.pop();
            std::vector<Signal> inputs;
            for (const Signal s : circuit.inputs_of(gate)) inputs.push_back(translate(s));
            set(gate, circuit.conjunction(std::move(inputs)));
        }
        std::vector<Signal> result;
        for (const Signal s : roots_) result.push_back(translate(s));
        for (const std::uint32_t node : touched) image_[node] = Signal(node, false);
        return result;
    }

private:
    [[nodiscard]] Signal translate(Signal s) const {
        const Signal image = image_[s.node()];
        return s.negated() ? !image : image;
    }

    std::vector<Signal> roots_;
    std::vector<Signal> image_;
    std::vector<bool> inside_;
    std::vector<std::vector<std::uint32_t>> readers_;
};

class Builder {
public:
    Builder(const Machine& machine, const WinLossFilterOptions& options)
        : machine_(machine),
          network_(machine.network()),
          options_(options),
          limits_(options.seconds, std::nullopt),
          effects_(network_),
          circuit_(effects_.circuit()),
          most_gates_(circuit_.nodes() + free_gates +
                      static_cast<std::size_t>(options.growth * static_cast<double>(network_.gates()))) {}

    WinLossFilter run() {
        guess_moves_of_others();
        simultaneous_ = options_.opposed && network_.roles.size() == 2 && is_player(0) && is_player(1) &&
                        together_ > alone_;
        if (simultaneous_) moves_of_others_.assign(2, JointMove(2, Effects::no_move));
        legal_.resize(network_.roles.size());
        WinLossFilter result;
        if (!find_wins()) return result;
        result.depth = 1;
        const bool two = options_.depth > 1 && options_.opposed;
        if (two && find_losses())
            result.depth = 2;
        else
            losses_.clear();
        if (options_.depth > 2 && result.depth == 2 && !simultaneous_ && find_risks())
            result.depth = 3;
        else
            risks_.clear();
        restrict_moves();
        const Network filtered = rebuilt();
        result.gates = filtered.gates() - network_.gates();
        result.machine = std::make_unique<Machine>(filtered);
        return result;
    }

private:
    [[nodiscard]] Signal all(std::vector<Signal> signals) { return circuit_.conjunction(std::move(signals)); }
    [[nodiscard]] Signal any(std::vector<Signal> signals) {
        for (Signal& s : signals) s = !s;
        return !circuit_.conjunction(std::move(signals));
    }
    [[nodiscard]] bool is_player(std::size_t role) const { return !options_.chance[role]; }
    [[nodiscard]] bool over_budget() const {
        return circuit_.nodes() > most_gates_ || limits_.reached() != Stop::none;
    }

    // Guesses from random play what the other roles do while one has a choice: mostly their only move then.
    void guess_moves_of_others() {
        const std::size_t roles = network_.roles.size();
        std::vector<std::vector<std::map<MoveId, std::size_t>>> seen(
            roles, std::vector<std::map<MoveId, std::size_t>>(roles));
        gdl::Runner runner(machine_);
        Random random(1);
        gdl::State state = machine_.initial();
        std::vector<std::vector<MoveId>> legal(roles);
        JointMove joint(roles);
        for (std::size_t step = 0; step < sampled_steps && limits_.reached() == Stop::none; ++step) {
            runner.load(state);
            bool over = runner.terminal();
            for (std::size_t r = 0; r < roles && !over; ++r) {
                runner.legal(r, legal[r]);
                over = legal[r].empty();
                if (!over) joint[r] = legal[r][random.below(legal[r].size())];
            }
            if (over) {
                state = machine_.initial();
                continue;
            }
            const auto choosing =
                std::ranges::count_if(legal, [](const auto& moves) { return moves.size() > 1; });
            together_ += choosing > 1 ? 1 : 0;
            alone_ += choosing == 1 ? 1 : 0;
            for (std::size_t r = 0; r < roles; ++r) {
                if (legal[r].size() < 2) continue;
                for (std::size_t q = 0; q < roles; ++q) {
                    if (q != r && legal[q].size() == 1) ++seen[r][q][legal[q].front()];
                }
            }
            runner.play(joint);
            runner.next(state);
        }
        moves_of_others_.resize(roles);
        moves_during_chance_.resize(roles);
        for (std::size_t r = 0; r < roles; ++r) {
            JointMove joint_of(roles, 0);
            bool known = true;
            for (std::size_t q = 0; q < roles && known; ++q) {
                if (q == r) continue;
                const auto most = std::ranges::max_element(
                    seen[r][q], [](const auto& a, const auto& b) { return a.second < b.second; });
                known = most != seen[r][q].end();
                if (known) joint_of[q] = most->first;
            }
            if (known) (is_player(r) ? moves_of_others_ : moves_during_chance_)[r] = joint_of;
        }
    }

    // The others have only the move that is expected of them.
    [[nodiscard]] Signal has_only_choice(std::size_t role) {
        const JointMove& expected = is_player(role) ? *moves_of_others_[role] : *moves_during_chance_[role];
        std::vector<Signal> inputs;
        for (std::size_t q = 0; q < network_.roles.size(); ++q) {
            if (q == role) continue;
            for (MoveId m = 0; m < network_.moves[q].size(); ++m) {
                const Signal legal = effects_.of_state(network_.moves[q][m].legal);
                inputs.push_back(m == expected[q] ? legal : !legal);
            }
        }
        return all(std::move(inputs));
    }

    [[nodiscard]] Signal best_end(std::size_t role) {
        const auto& goals = network_.goals[role];
        if (goals.size() < 2) return Network::never;
        const auto best = std::ranges::max_element(goals, {}, &Network::Goal::value);
        std::vector<Signal> end{effects_.of_state(network_.terminal), effects_.of_state(best->holds)};
        if (options_.opposed) {
            // That they are opponents may be a guess: here it is checked.
            for (std::size_t q = 0; q < network_.roles.size(); ++q) {
                if (q == role || !is_player(q) || network_.goals[q].empty()) continue;
                const auto worst = std::ranges::min_element(network_.goals[q], {}, &Network::Goal::value);
                end.push_back(effects_.of_state(worst->holds));
            }
        }
        return all(std::move(end));
    }

    bool find_wins() {
        bool some = false;
        wins_.resize(network_.roles.size());
        changes_.resize(network_.roles.size());
        to_move_.assign(network_.roles.size(), Network::never);
        has_win_.assign(network_.roles.size(), Network::never);
        for (std::size_t r = 0; r < network_.roles.size(); ++r) {
            if (!moves_of_others_[r]) continue;
            to_move_[r] = simultaneous_ ? !effects_.of_state(network_.terminal) : has_only_choice(r);
            Cone end(circuit_, {best_end(r)});
            JointMove joint = *moves_of_others_[r];
            for (MoveId m = 0; m < network_.moves[r].size(); ++m) {
                joint[r] = m;
                changes_[r].push_back(effects_.changes(joint));
                const Signal wins = end.after(circuit_, changes_[r].back()).front();
                const Signal legal = effects_.of_state(network_.moves[r][m].legal);
                wins_[r].push_back(all({wins, legal, to_move_[r]}));
                some = some || wins_[r].back() != Network::never;
                if (over_budget()) return false;
            }
            has_win_[r] = any(wins_[r]);
        }
        return some;
    }

    // The other one of two players.
    [[nodiscard]] std::size_t opponent_of(std::size_t role) const {
        std::size_t other = 0;
        while (other == role || !is_player(other)) ++other;
        return other;
    }

    // A move is lost if the opponent has won after it, or wins with the next move.
    bool find_losses() {
        losses_.resize(network_.roles.size());
        for (std::size_t r = 0; r < network_.roles.size(); ++r) {
            if (!moves_of_others_[r]) continue;
            const std::size_t opponent = opponent_of(r);
            const Signal over = effects_.of_state(network_.terminal);
            Cone threat(circuit_, {best_end(opponent), all({!over, has_win_[opponent]})});
            for (MoveId m = 0; m < network_.moves[r].size(); ++m) {
                losses_[r].push_back(any(threat.after(circuit_, changes_[r][m])));
                if (over_budget()) return false;
            }
        }
        return true;
    }

    // A move is a risk if chance moves next and may let the opponent win with the move after that.
    bool find_risks() {
        risks_.resize(network_.roles.size());
        bool some = false;
        for (std::size_t r = 0; r < network_.roles.size(); ++r) {
            if (losses_[r].empty()) continue;
            const Signal risk = risk_of_win(opponent_of(r));
            if (over_budget()) return false;
            Cone threat(circuit_, {risk});
            for (MoveId m = 0; m < network_.moves[r].size(); ++m) {
                risks_[r].push_back(threat.after(circuit_, changes_[r][m]).front());
                some = some || risks_[r].back() != Network::never;
                if (over_budget()) return false;
            }
        }
        return some;
    }

    // Chance is to move, and after one of its moves the role wins at once.
    [[nodiscard]] Signal risk_of_win(std::size_t role) {
        const Signal going_on = !effects_.of_state(network_.terminal);
        Cone win(circuit_, {all({going_on, has_win_[role]})});
        std::vector<Signal> risks;
        for (std::size_t q = 0; q < network_.roles.size(); ++q) {
            if (is_player(q) || !moves_during_chance_[q]) continue;
            const Signal draws = all({going_on, has_only_choice(q)});
            JointMove joint = *moves_during_chance_[q];
            for (MoveId m = 0; m < network_.moves[q].size() && !over_budget(); ++m) {
                joint[q] = m;
                const Signal wins = win.after(circuit_, effects_.changes(joint)).front();
                risks.push_back(all({draws, effects_.of_state(network_.moves[q][m].legal), wins}));
            }
        }
        return any(std::move(risks));
    }

    void restrict_moves() {
        for (std::size_t r = 0; r < network_.roles.size(); ++r) {
            const auto& moves = network_.moves[r];
            for (MoveId m = 0; m < moves.size(); ++m) legal_[r].push_back(effects_.of_state(moves[m].legal));
            if (!moves_of_others_[r]) continue;
            std::vector<Signal> safe;
            if (!losses_.empty() && !losses_[r].empty()) {
                for (MoveId m = 0; m < moves.size(); ++m) safe.push_back(all({legal_[r][m], !losses_[r][m]}));
            }
            const Signal choice = all({to_move_[r], any(safe)});  // some move does not lose
            for (MoveId m = 0; m < moves.size(); ++m) {
                std::vector<Signal> kept{legal_[r][m], !has_win_[r]};
                if (!safe.empty()) kept.push_back(!all({choice, losses_[r][m]}));
                legal_[r][m] = any({wins_[r][m], all(std::move(kept))});
            }
        }
        if (simultaneous_) {
            likely_ = legal_;
            for (std::size_t r = 0; r < network_.roles.size(); ++r) {
                for (MoveId m = 0; m < network_.moves[r].size(); ++m)
                    legal_[r][m] = effects_.of_state(network_.moves[r][m].legal);
            }
        }
        if (risks_.empty()) return;
        likely_ = legal_;
        for (std::size_t r = 0; r < network_.roles.size(); ++r) {
            if (risks_[r].empty()) continue;
            std::vector<Signal> safe;
            for (MoveId m = 0; m < risks_[r].size(); ++m) safe.push_back(all({legal_[r][m], !risks_[r][m]}));
            const Signal choice = all({to_move_[r], any(safe)});
            for (MoveId m = 0; m < risks_[r].size(); ++m)
                likely_[r][m] = all({legal_[r][m], !all({choice, risks_[r][m]})});
        }
    }

    // The network with the new legal signals. Gates that it has already are not made again; new ones stand
    // behind the old ones that depend on the state alone.
    [[nodiscard]] Network rebuilt() {
        std::vector<Signal> old(circuit_.nodes(), Network::never);
        std::vector<bool> known(circuit_.nodes(), false);
        for (std::uint32_t node = 0; node < network_.first_move; ++node) {
            old[node] = Signal(node, false);
            known[node] = true;
        }
        for (std::uint32_t gate = network_.first_gate; gate < network_.first_late; ++gate) {
            const Signal image = effects_.of_state(Signal(gate, false));
            if (known[image.node()]) continue;
            known[image.node()] = true;
            old[image.node()] = Signal(gate, image.negated());
        }
        std::vector<bool> wanted(circuit_.nodes(), false);
        for (const auto* signals : {&legal_, &likely_}) {
            for (const auto& role : *signals) {
                for (const Signal s : role) wanted[s.node()] = true;
            }
        }
        std::size_t added = 0;
        for (std::uint32_t node = circuit_.nodes(); node-- > circuit_.first_gate();) {
            if (!wanted[node] || known[node]) continue;
            ++added;
            for (const Signal s : circuit_.inputs_of(node)) wanted[s.node()] = true;
        }

        Network net = network_;
        const std::uint32_t first = network_.first_late;
        const auto shift = static_cast<std::uint32_t>(added);
        const auto moved = [&](Signal s) {
            return s.node() < first ? s : Signal(s.node() + shift, s.negated());
        };
        std::vector<std::uint32_t> start(network_.start.begin(),
                                         network_.start.begin() + (first - network_.first_gate));
        start.push_back(network_.start[first - network_.first_gate]);
        std::vector<Signal> inputs(network_.inputs.begin(), network_.inputs.begin() + start.back());
        std::uint32_t next = first;
        for (std::uint32_t node = circuit_.first_gate(); node < circuit_.nodes(); ++node) {
            if (!wanted[node] || known[node]) continue;
            for (const Signal s : circuit_.inputs_of(node))
                inputs.push_back(s.negated() ? !old[s.node()] : old[s.node()]);
            start.push_back(static_cast<std::uint32_t>(inputs.size()));
            old[node] = Signal(next++, false);
        }
        for (std::uint32_t gate = first; gate < network_.nodes; ++gate) {
            for (const Signal s : network_.inputs_of(gate)) inputs.push_back(moved(s));
            start.push_back(static_cast<std::uint32_t>(inputs.size()));
        }
        net.start = std::move(start);
        net.inputs = std::move(inputs);
        net.first_late = first + shift;
        net.nodes = network_.nodes + shift;
        for (auto& stretch : net.stretches) {
            if (stretch.first < first) continue;
            stretch.first += shift;
            stretch.last += shift;
            stretch.rules += shift;
        }
        if (added > 0) {
            net.stretches.insert(net.stretches.begin() + static_cast<std::ptrdiff_t>(net.early_stretches),
                                 {first, first + shift, false, first});
            ++net.early_stretches;
        }
        for (Signal& s : net.next) s = moved(s);
        for (auto& role : net.sees) {
            for (auto& percept : role) percept.seen = moved(percept.seen);
        }
        const auto translated = [&](Signal s) { return s.negated() ? !old[s.node()] : old[s.node()]; };
        for (std::size_t r = 0; r < net.moves.size(); ++r) {
            for (MoveId m = 0; m < net.moves[r].size(); ++m) net.moves[r][m].legal = translated(legal_[r][m]);
        }
        net.likely = std::move(likely_);
        for (auto& role : net.likely) {
            for (Signal& s : role) s = translated(s);
        }
        return net;
    }

    const Machine& machine_;
    const Network& network_;
    const WinLossFilterOptions& options_;
    Limits limits_;
    Effects effects_;
    Circuit& circuit_;
    std::size_t most_gates_;
    std::size_t together_ = 0;   // steps of random play in which several roles had a choice
    std::size_t alone_ = 0;      // and in which one had
    bool simultaneous_ = false;  // two opponents mostly choose at the same time
    std::vector<std::optional<JointMove>> moves_of_others_;           // by role that has a choice: a guess
    std::vector<Signal> to_move_;                                     // by role: it alone has a choice
    std::vector<std::vector<std::vector<Effects::Change>>> changes_;  // by role and move
    std::vector<std::vector<Signal>> wins_;                           // by role and move
    std::vector<Signal> has_win_;                                     // by role
    std::vector<std::vector<Signal>> losses_;                         // by role and move
    std::vector<std::vector<Signal>> risks_;                          // by role and move
    std::vector<std::vector<Signal>> legal_;                          // by role and move
    std::vector<std::vector<Signal>> likely_;                         // by role and move
    std::vector<std::optional<JointMove>> moves_during_chance_;       // the same for chance
};

}  // namespace

WinLossFilter make_win_loss_filter(const gdl::Machine& machine, const WinLossFilterOptions& options) {
    if (options.depth == 0 || !Effects::supports(machine.network())) return {};
    return Builder(machine, options).run();
}

}  // namespace zermelo::scsp
