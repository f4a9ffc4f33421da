#include "gdl/positional/positional_game.hpp"

#include <algorithm>
#include <map>

#include "core/limits.hpp"
#include "gdl/analysis/invariants.hpp"
#include "gdl/circuit/lines.hpp"
#include "gdl/positional/three_valued.hpp"

namespace zermelo::gdl {

namespace {

constexpr const char* proving = "while proving what a board is";
constexpr std::size_t most_other_fluents = 64;
constexpr std::size_t most_support = 12;  // spots whose patterns are tried one by one

using Spot = PositionalRules::Spot;
using Phase = PositionalRules::Phase;

Spots bit_of(std::size_t spot) { return Spots{1} << spot; }

class Recogniser {
public:
    explicit Recogniser(const Game& game)
        : machine_(game.machine()),
          network_(machine_.network()),
          effects_(network_),
          lines_(effects_.circuit()),
          value_(effects_.circuit(), rules_.spots) {}

    [[nodiscard]] std::optional<PositionalRules> run() {
        if (find_phases() && find_spots() && find_lines() && prove_spots_are_kept() && find_needs() &&
            prove_one_spot_a_move() && prove_ends() && prove_start())
            return std::move(rules_);
        return std::nullopt;
    }

private:
    [[nodiscard]] Signal legal(std::size_t role, MoveId move) const {
        return effects_.of_state(network_.moves[role][move].legal);
    }
    [[nodiscard]] const std::vector<Effects::Change>& changes(std::size_t role, MoveId move, MoveId pass) {
        JointMove joint(2);
        joint[role] = move;
        joint[1 - role] = pass;
        const auto found = changes_.find(joint);
        if (found != changes_.end()) return found->second;
        stay_within_limits(proving);
        return changes_.emplace(joint, effects_.changes(joint)).first->second;
    }
    [[nodiscard]] const std::vector<Effects::Change>& changes(std::size_t role, MoveId move) {
        return changes(role, move, phase_of(role).pass);
    }
    [[nodiscard]] const Phase& phase_of(std::size_t role) const {
        return rules_.phases[rules_.phases[0].mover == role ? 0 : 1];
    }

    // --- whose turn it is, and what depends on nothing else ---

    // Who can move where these fluents are known; nothing where not exactly one role has but one legal move.
    [[nodiscard]] std::optional<Phase> phase_with(std::vector<std::pair<std::uint32_t, bool>> fixed) {
        value_.start(fixed);
        std::array<std::vector<MoveId>, 2> possible;
        for (std::size_t r = 0; r < 2; ++r) {
            for (MoveId m = 0; m < network_.moves[r].size(); ++m) {
                if (value_.of(legal(r, m)) != Truth::no) possible[r].push_back(m);
            }
        }
        for (std::size_t r = 0; r < 2; ++r) {
            if (possible[r].size() != 1 || possible[1 - r].size() < 2) continue;
            if (value_.of(legal(r, possible[r].front())) != Truth::yes) continue;
            possible_[1 - r] = possible[1 - r];
            return Phase{1 - r, possible[r].front(), std::move(fixed)};
        }
        return std::nullopt;
    }

    // The fluents of the phase that have the same value after all moves, with these values.
    [[nodiscard]] std::vector<std::pair<std::uint32_t, bool>> after(const Phase& phase) {
        std::vector<std::pair<std::uint32_t, bool>> next;
        std::vector<Truth> values(network_.fluents.size(), Truth::unknown);
        std::vector<bool> differs(network_.fluents.size(), false);
        for (const MoveId m : possible_[phase.mover]) {
            const auto& all = changes(phase.mover, m, phase.pass);
            value_.start(phase.fixed);
            std::map<std::uint32_t, Truth> changed;
            for (const auto& change : all) changed[change.fluent] = value_.of(change.next);
            for (const auto& [f, now] : phase.fixed) {
                const auto found = changed.find(f);
                const Truth then = found == changed.end() ? truth(now) : found->second;
                if (m != possible_[phase.mover].front() && values[f] != then) differs[f] = true;
                values[f] = then;
            }
        }
        for (const auto& [f, now] : phase.fixed) {
            if (!differs[f] && values[f] != Truth::unknown) next.emplace_back(f, values[f] == Truth::yes);
        }
        return next;
    }

    // The largest set of fluents that two moves bring back to where they were, whatever the others are.
    [[nodiscard]] bool find_phases() {
        std::vector<std::pair<std::uint32_t, bool>> fixed;
        for (std::uint32_t f = 0; f < network_.fluents.size(); ++f)
            fixed.emplace_back(f, network_.initial[f]);
        while (true) {
            stay_within_limits(proving);
            const auto first = phase_with(fixed);
            if (!first) return false;
            const auto second = phase_with(after(*first));
            if (!second || second->mover == first->mover) return false;
            const auto again = after(*second);
            std::vector<std::pair<std::uint32_t, bool>> kept;
            std::ranges::set_intersection(fixed, again, std::back_inserter(kept));
            if (kept == fixed) {
                rules_.phases = {*first, *second};
                in_phase_.assign(network_.fluents.size(), false);
                for (const auto& [f, value] : fixed) in_phase_[f] = true;
                return true;
            }
            fixed = std::move(kept);
        }
    }

    // --- what fluents mean: a guess, proven below ---

    [[nodiscard]] bool find_spots() {
        const std::size_t fluents = network_.fluents.size();
        std::vector<std::vector<std::pair<std::size_t, MoveId>>> makers(fluents);  // who may make it true
        for (std::size_t r = 0; r < 2; ++r) {
            for (const MoveId m : possible_[r]) {
                for (const auto& change : changes(r, m)) {
                    if (in_phase_[change.fluent]) continue;
                    value_.start(phase_of(r).fixed);
                    value_.set_fluent(change.fluent, false);
                    if (value_.of(change.next) != Truth::no) makers[change.fluent].emplace_back(r, m);
                }
            }
        }
        std::size_t found = 0;
        for (const auto& group : find_invariants(machine_).mutex_candidates) {
            if (std::ranges::all_of(group, [&](std::uint32_t f) { return bool(in_phase_[f]); })) continue;
            Spot spot{{none, none}, {}, {0, 0}, 0};
            for (const std::uint32_t f : group) {
                if (in_phase_[f] || makers[f].size() > 1) return false;
                if (makers[f].empty()) {
                    if (spot.empty) return false;
                    spot.empty = f;
                    continue;
                }
                const auto [role, move] = makers[f].front();
                if (spot.stone[role] != none) return false;
                spot.stone[role] = f;
                spot.move[role] = move;
            }
            if (spot.stone[0] == none || spot.stone[1] == none) return false;
            found += group.size();
            rules_.spots.push_back(spot);
        }
        const auto others = static_cast<std::size_t>(std::count(in_phase_.begin(), in_phase_.end(), true));
        if (rules_.spots.size() > PositionalRules::most_spots || found + others != fluents) return false;
        std::ranges::sort(rules_.spots, {}, [](const Spot& spot) { return spot.stone[0]; });
        spot_of_.assign(fluents, none);
        for (std::uint32_t i = 0; i < rules_.spots.size(); ++i) {
            for (const std::uint32_t f : fluents_of(i)) spot_of_[f] = i;
        }
        return true;
    }

    [[nodiscard]] std::vector<std::uint32_t> fluents_of(std::size_t spot) const {
        const Spot& s = rules_.spots[spot];
        std::vector<std::uint32_t> all(s.stone.begin(), s.stone.end());
        if (s.empty) all.push_back(*s.empty);
        return all;
    }

    // A goal that is a disjunction of lines of one role's stones tells what its lines are.
    [[nodiscard]] bool find_lines() {
        for (std::size_t r = 0; r < 2; ++r) {
            for (const auto& goal : network_.goals[r]) {
                const Signal holds = effects_.of_state(goal.holds);
                if (holds.node() < effects_.circuit().first_gate() || holds == completed_[0] ||
                    holds == completed_[1])
                    continue;
                const auto found = lines_.of(holds);
                if (found == nullptr || found->empty()) continue;
                const auto owner = owner_of(*found);
                if (!owner) continue;
                if (completed_[*owner]) return false;
                completed_[*owner] = holds;
                for (const Line& line : *found) {
                    Spots spots = 0;
                    for (const Signal s : line) spots |= bit_of(spot_of_[s.node() - 1]);
                    rules_.lines[*owner].push_back(spots);
                }
            }
        }
        return completed_[0] || completed_[1];
    }

    // Whose stones all of these are; nothing where something else is among them, or a line is but one stone.
    [[nodiscard]] std::optional<std::size_t> owner_of(const std::vector<Line>& lines) const {
        std::optional<std::size_t> owner;
        for (const Line& line : lines) {
            if (line.size() < 2) return std::nullopt;
            for (const Signal s : line) {
                const std::uint32_t spot = spot_of_[s.node() - 1];
                if (s.negated() || spot == none) return std::nullopt;
                const auto& stones = rules_.spots[spot].stone;
                const auto at = std::ranges::find(stones, s.node() - 1);
                if (at == stones.end()) return std::nullopt;
                const auto role = static_cast<std::size_t>(at - stones.begin());
                if (owner.value_or(role) != role) return std::nullopt;
                owner = role;
            }
        }
        return owner;
    }

    // --- proofs ---

    // A spot that is held stays so, and one that is empty is claimed by its own move alone.
    [[nodiscard]] bool prove_spots_are_kept() {
        for (std::size_t r = 0; r < 2; ++r) {
            for (const MoveId m : possible_[r]) {
                for (const auto& change : changes(r, m)) {
                    if (in_phase_[change.fluent]) continue;
                    const std::uint32_t i = spot_of_[change.fluent];
                    const Spot& spot = rules_.spots[i];
                    const auto kept = [&](bool now) {
                        return value_.of(legal(r, m)) == Truth::no || value_.of(change.next) == truth(now);
                    };
                    for (std::size_t holder = 0; holder < 2; ++holder) {
                        value_.start(phase_of(r).fixed);
                        value_.set_held(i, holder);
                        if (!kept(spot.stone[holder] == change.fluent)) return false;
                    }
                    if (spot.move[r] == m) continue;
                    value_.start(phase_of(r).fixed);
                    value_.set_empty(i);
                    if (!kept(spot.empty == change.fluent)) return false;
                }
            }
        }
        return true;
    }

    [[nodiscard]] Spots spots_below(Signal s) const {
        Spots spots = 0;
        for (const std::uint32_t f : value_.fluents_below(s)) {
            if (spot_of_[f] != none) spots |= bit_of(spot_of_[f]);
        }
        return spots;
    }

    // Calls visit(claimed) for each pattern of the spots, the phase and the pattern being known; false where there are
    // too many, or where visit says so.
    template <class Visit>
    [[nodiscard]] bool each_pattern(Spots spots, const Phase& phase, Visit visit) {
        if (std::popcount(spots) > static_cast<int>(most_support)) return false;
        Spots claimed = 0;
        do {
            stay_within_limits(proving);
            value_.start(phase.fixed);
            each_spot(spots, [&](std::size_t i) {
                if ((claimed & bit_of(i)) != 0) {
                    value_.set_claimed(i);
                } else {
                    value_.set_empty(i);
                }
            });
            if (!visit(claimed)) return false;
            claimed = (claimed - spots) & spots;  // the next subset
        } while (claimed != 0);
        return true;
    }

    // A spot is claimed by its move if and only if a set of others has been claimed: where the move is legal, or whether it
    // is or not.
    [[nodiscard]] bool find_needs() {
        for (std::size_t i = 0; i < rules_.spots.size(); ++i) {
            std::optional<Spots> needs;
            for (const bool where_legal : {true, false}) {
                const auto first = needs_for(i, 0, where_legal);
                if (!needs && first && first == needs_for(i, 1, where_legal)) needs = first;
            }
            if (!needs) return false;
            all_needs_.push_back(*needs);
        }
        // Needs of needs: if that takes in a spot itself, it can never be claimed.
        for (std::size_t k = 0; k < all_needs_.size(); ++k) {
            for (Spots& needs : all_needs_) {
                if ((needs & bit_of(k)) != 0) needs |= all_needs_[k];
            }
        }
        for (std::size_t i = 0; i < all_needs_.size(); ++i) {
            if ((all_needs_[i] & bit_of(i)) != 0) return false;
            Spots indirect = 0;
            each_spot(all_needs_[i], [&](std::size_t k) { indirect |= all_needs_[k]; });
            rules_.spots[i].needs = all_needs_[i] & ~indirect;
        }
        return true;
    }

    [[nodiscard]] std::optional<Spots> needs_for(std::size_t i, std::size_t role, bool where_legal) {
        const Spot& spot = rules_.spots[i];
        const Signal may = legal(role, spot.move[role]);
        std::vector<Effects::Change> of_spot;
        Spots support = where_legal ? spots_below(may) : 0;
        for (const auto& change : changes(role, spot.move[role])) {
            if (spot_of_[change.fluent] != i) continue;
            of_spot.push_back(change);
            support |= spots_below(change.next);
        }
        support &= ~bit_of(i);
        Spots needs = support;
        std::size_t patterns = 0;
        const bool told = each_pattern(support, phase_of(role), [&](Spots claimed) {
            value_.set_empty(i);
            const Truth made = where_legal ? value_.of(may) : Truth::yes;
            if (made != Truth::yes) return made == Truth::no;
            std::array<Truth, 2> stones{Truth::no, Truth::no};
            Truth empty = Truth::yes;
            for (const auto& change : of_spot) {
                const Truth next = value_.of(change.next);
                (spot.empty == change.fluent ? empty : stones[spot.stone[0] == change.fluent ? 0 : 1]) = next;
            }
            if (stones[role] == Truth::unknown || stones[1 - role] != Truth::no) return false;
            if (spot.empty && empty != !stones[role]) return false;
            if (stones[role] == Truth::yes) {
                needs &= claimed;
                ++patterns;
            }
            return true;
        });
        const int free = std::popcount(support) - std::popcount(needs);
        if (!told || patterns != std::size_t{1} << free) return std::nullopt;
        return needs;
    }

    // A move is legal if and only if one of its spots is available, and no two of them ever are.
    [[nodiscard]] bool prove_one_spot_a_move() {
        for (std::size_t r = 0; r < 2; ++r) {
            for (const MoveId m : possible_[r]) {
                Spots own = 0;
                Spots around = spots_below(legal(r, m));
                for (std::size_t i = 0; i < rules_.spots.size(); ++i) {
                    if (rules_.spots[i].move[r] != m) continue;
                    own |= bit_of(i);
                    around |= bit_of(i) | all_needs_[i];
                }
                const bool proven = each_pattern(around, phase_of(r), [&](Spots claimed) {
                    Spots unfounded = 0;
                    each_spot(claimed, [&](std::size_t i) { unfounded |= all_needs_[i] & ~claimed; });
                    if (unfounded != 0) return true;  // cannot come about
                    std::size_t available = 0;
                    each_spot(own & ~claimed, [&](std::size_t i) {
                        if ((all_needs_[i] & ~claimed) == 0) ++available;
                    });
                    return available < 2 && value_.of(legal(r, m)) == truth(available == 1);
                });
                if (own == 0 || !proven) return false;
            }
        }
        return true;
    }

    // What everybody gets where exactly these goals hold; nothing where it is not known or no zero-sum.
    [[nodiscard]] std::optional<PositionalRules::Payoffs> payoffs() {
        PositionalRules::Payoffs result{-1, -1};
        for (std::size_t r = 0; r < 2; ++r) {
            for (const auto& goal : network_.goals[r]) {
                const Truth holds = value_.of(effects_.of_state(goal.holds));
                if (holds == Truth::unknown || (holds == Truth::yes && result[r] >= 0)) return std::nullopt;
                if (holds == Truth::yes) result[r] = goal.value;
            }
        }
        constexpr int everything = 100;
        if (result[0] < 0 || result[1] < 0 || result[0] + result[1] != everything) return std::nullopt;
        return result;
    }

    void start_with_lines(const Phase& phase, std::optional<std::size_t> complete) {
        value_.start(phase.fixed);
        for (std::size_t r = 0; r < 2; ++r) {
            if (completed_[r]) value_.force(*completed_[r], complete == r);
        }
    }

    [[nodiscard]] bool prove_ends() {
        const Signal terminal = effects_.of_state(network_.terminal);
        for (std::size_t r = 0; r < 2; ++r) {
            if (!completed_[r]) continue;
            start_with_lines(phase_of(1 - r), r);  // the one who did not move is on turn
            const auto by_line = payoffs();
            if (value_.of(terminal) != Truth::yes || !by_line) return false;
            rules_.line_payoffs[r] = *by_line;
        }
        for (std::size_t k = 0; k < 2; ++k) {
            start_with_lines(rules_.phases[k], std::nullopt);
            for (std::size_t i = 0; i < rules_.spots.size(); ++i) value_.set_claimed(i);
            const auto full = payoffs();
            if (value_.of(terminal) != Truth::yes || !full) return false;
            if (k > 0 && *full != rules_.full_payoffs) return false;
            rules_.full_payoffs = *full;
            for (std::size_t i = 0; i < rules_.spots.size(); ++i) {
                start_with_lines(rules_.phases[k], std::nullopt);
                value_.set_empty(i);
                for (std::size_t other = 0; other < rules_.spots.size(); ++other) {
                    if ((all_needs_[i] & bit_of(other)) != 0) value_.set_claimed(other);
                    if ((all_needs_[other] & bit_of(i)) != 0) value_.set_empty(other);
                }
                if (value_.of(terminal) != Truth::no) return false;
            }
        }
        for (std::size_t r = 0; r < 2; ++r) {
            if (!completed_[r]) rules_.line_payoffs[r] = rules_.full_payoffs;
        }
        return true;
    }

    [[nodiscard]] bool prove_start() {
        std::array<Spots, 2> held{0, 0};
        for (std::size_t i = 0; i < rules_.spots.size(); ++i) {
            int states = 0;
            for (const std::uint32_t f : fluents_of(i)) states += network_.initial[f] ? 1 : 0;
            if (states > 1 || (rules_.spots[i].empty && states == 0)) return false;
            for (std::size_t r = 0; r < 2; ++r) {
                if (network_.initial[rules_.spots[i].stone[r]]) held[r] |= bit_of(i);
            }
        }
        const Spots claimed = held[0] | held[1];
        bool founded = claimed != rules_.board();
        each_spot(claimed, [&](std::size_t i) { founded = founded && (all_needs_[i] & ~claimed) == 0; });
        for (std::size_t r = 0; r < 2; ++r) {
            for (const Spots line : rules_.lines[r]) founded = founded && (line & ~held[r]) != 0;
        }
        return founded;
    }

    static constexpr std::uint32_t none = ~std::uint32_t{0};

    const Machine& machine_;
    const Network& network_;
    Effects effects_;
    Lines lines_;
    PositionalRules rules_;
    ThreeValued value_;
    std::array<std::vector<MoveId>, 2> possible_;  // by role: moves that may be legal when it is on turn
    std::map<JointMove, std::vector<Effects::Change>> changes_;
    std::vector<bool> in_phase_;                      // by fluent
    std::vector<std::uint32_t> spot_of_;              // by fluent
    std::array<std::optional<Signal>, 2> completed_;  // by role: a line of its stones is complete
    std::vector<Spots> all_needs_;                    // by spot: with the needs of needs
};

}  // namespace

std::optional<PositionalRules> recognise_positional_game(const Game& game) {
    const Network& network = game.machine().network();
    constexpr std::size_t most_fluents = 3 * PositionalRules::most_spots + most_other_fluents;
    if (network.roles.size() != 2 || network.fluents.size() > most_fluents || !Effects::supports(network))
        return std::nullopt;
    return Recogniser(game).run();
}

}  // namespace zermelo::gdl
