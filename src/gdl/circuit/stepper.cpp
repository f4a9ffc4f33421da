#include "gdl/circuit/stepper.hpp"

#include <bit>
#include <cstring>
#include <limits>

#include "core/random.hpp"

namespace zermelo::gdl {

namespace {

std::vector<std::vector<MoveId>> moves_by_name(const Game& game) {
    const auto& all = game.machine().network().moves;
    std::vector<std::vector<MoveId>> order(all.size());
    for (std::size_t r = 0; r < all.size(); ++r) {
        std::vector<std::pair<std::string, MoveId>> named;
        for (MoveId m = 0; m < all[r].size(); ++m) named.emplace_back(game.move_text(r, m), m);
        std::sort(named.begin(), named.end());
        for (const auto& [name, move] : named) order[r].push_back(move);
    }
    return order;
}

}  // namespace

bool Stepper::supports(const Network& network) {
    for (std::uint32_t gate = network.first_gate; gate < network.nodes; ++gate) {
        if (network.inputs_of(gate).size() > std::numeric_limits<Counter>::max()) return false;
    }
    return Effects::supports(network);
}

Stepper::Stepper(const Game& game, const std::vector<Permutation>& symmetries)
    : game_(game),
      machine_(game.machine()),
      effects_(machine_.network()),
      outlook_(machine_, effects_),
      order_(moves_by_name(game)),
      symmetries_(1 + symmetries.size()) {
    const std::size_t fluents = machine_.network().fluents.size();
    variants_.resize(roles());
    first_legal_.push_back(0);
    for (std::size_t r = 0; r < roles(); ++r) {
        variants_[r].resize(order_[r].size());
        place_.emplace_back(order_[r].size());
        for (std::uint32_t place = 0; place < order_[r].size(); ++place) place_[r][order_[r][place]] = place;
        first_legal_.push_back(first_legal_.back() + (order_[r].size() + 63) / 64);
    }
    Random random(0x5EED);
    zobrist_.resize(fluents);
    for (Hash128& hash : zobrist_) hash = {random.next(), random.next()};
    for (const Permutation& symmetry : symmetries) {
        for (std::size_t f = 0; f < fluents; ++f) zobrist_.push_back(zobrist_[symmetry[f]]);
    }
    compile_seen_moves();
    find_ways();
    blocks_.resize(1);
    link();
    fill(here_, std::vector<std::uint8_t>(fluents, 0));
    load(machine_.initial());
}

// Which moves of the others go with a move is not said by the rules in one place; random playouts show it.
// What they do not show is compiled when it occurs.
void Stepper::compile_seen_moves() {
    constexpr int playouts = 10;
    constexpr int longest = 500;
    constexpr std::size_t most_partners = 4;
    std::vector<std::vector<JointMove>> partners(roles());
    Runner runner(machine_);
    Random random(1);
    std::vector<std::vector<MoveId>> legal(roles());
    for (int playout = 0; playout < playouts; ++playout) {
        State state = machine_.initial();
        for (int step = 0; step < longest; ++step) {
            runner.load(state);
            if (runner.terminal()) break;
            JointMove joint(roles());
            std::size_t mover = 0;
            for (std::size_t r = 0; r < roles(); ++r) {
                runner.legal(r, legal[r]);
                if (legal[r].empty()) return;
                joint[r] = legal[r][random.below(legal[r].size())];
                if (legal[r].size() > legal[mover].size()) mover = r;
            }
            runner.play(joint);
            runner.next(state);
            joint[mover] = 0;
            auto& seen = partners[mover];
            if (seen.size() < most_partners && std::ranges::find(seen, joint) == seen.end())
                seen.push_back(joint);
        }
    }
    for (std::size_t r = 0; r < roles(); ++r) {
        for (JointMove joint : partners[r]) {
            for (joint[r] = 0; joint[r] < order_[r].size(); ++joint[r]) compile(r, joint);
        }
    }
}

std::uint32_t Stepper::compile(std::size_t role, const JointMove& joint) {
    const auto changes = effects_.changes(joint);
    circuit_changes_.insert(circuit_changes_.end(), changes.begin(), changes.end());
    change_start_.push_back(static_cast<std::uint32_t>(circuit_changes_.size()));
    const auto program = static_cast<std::uint32_t>(change_start_.size() - 2);
    Variant& variant = variants_[role][joint[role]].emplace_back(Variant{joint, program, {}});
    for (std::size_t r = 0; r < roles(); ++r) {
        if (r == role) continue;
        const std::uint32_t place = place_[r][joint[r]];
        variant.others.emplace_back(first_legal_[r] + place / 64, std::uint64_t{1} << (place % 64));
    }
    return program;
}

// The conjunctions that stand for a role's best goal, or for a part of it.
void Stepper::find_ways() {
    const Network& network = machine_.network();
    const std::uint32_t gates_from = effects_.circuit().first_gate();
    for (std::size_t r = 0; r < std::min<std::size_t>(roles(), 8); ++r) {
        const auto best = std::ranges::max_element(network.goals[r], {}, &Network::Goal::value);
        if (best == network.goals[r].end()) continue;
        std::vector<Signal> open{effects_.of_state(best->holds)};
        std::vector<bool> seen(2 * effects_.circuit().nodes(), false);
        while (!open.empty()) {
            const Signal s = open.back();
            open.pop_back();
            if (s.node() < gates_from || seen[s.code()]) continue;
            seen[s.code()] = true;
            for (const Signal input : effects_.circuit().inputs_of(s.node())) {
                open.push_back(s.negated() ? !input : input);
            }
            if (s.negated()) continue;
            Way& way = ways_[s.node()];
            way.roles = static_cast<std::uint8_t>(way.roles | 1U << r);
        }
    }
    for (auto& [gate, way] : ways_) way.closed = outlook_.certain(Signal(gate, true));
}

Signal Stepper::local(Signal s) const { return {local_[s.node()], s.negated()}; }

// Numbers the gates that are needed, those of outcomes first, and wires them up. The blocks are laid out
// anew.
void Stepper::link() {
    const Network& network = machine_.network();
    const Circuit& circuit = effects_.circuit();
    std::vector<std::vector<Network::Goal>> goals;
    std::vector<std::vector<Network::Goal>> impossible;
    for (const auto& of_role : network.goals) {
        goals.emplace_back();
        impossible.emplace_back();
        for (const auto& goal : of_role) {
            const Signal holds = effects_.of_state(goal.holds);
            goals.back().push_back({goal.value, holds});
            impossible.back().push_back({goal.value, outlook_.certain(!holds)});
        }
    }
    enum Need : std::uint8_t { unneeded, needed, outcome };
    std::vector<Need> need(circuit.nodes(), unneeded);
    const auto want = [&](Signal s, Need kind) { need[s.node()] = std::max(need[s.node()], kind); };
    want(effects_.of_state(network.terminal), outcome);
    for (std::size_t r = 0; r < roles(); ++r) {
        for (const auto& goal : goals[r]) want(goal.holds, outcome);
        for (const auto& goal : impossible[r]) want(goal.holds, needed);
        for (const auto& move : network.moves[r]) want(effects_.of_state(move.legal), needed);
    }
    for (const Effects::Change& change : circuit_changes_) want(change.next, needed);
    for (const auto& [gate, way] : ways_) want(way.closed, needed);
    for (std::uint32_t gate = circuit.nodes(); gate-- > circuit.first_gate();) {
        for (const Signal s : circuit.inputs_of(gate)) want(s, need[gate]);
    }

    first_gate_ = circuit.first_gate();
    std::vector<std::uint32_t> gates;
    for (const Need kind : {outcome, needed}) {
        for (std::uint32_t gate = first_gate_; gate < circuit.nodes(); ++gate) {
            if (need[gate] == kind) gates.push_back(gate);
        }
        if (kind == outcome) outcome_gates_ = static_cast<std::uint32_t>(gates.size());
    }
    local_.resize(circuit.nodes());
    for (std::uint32_t node = 0; node < first_gate_; ++node) local_[node] = node;
    for (std::uint32_t i = 0; i < gates.size(); ++i) local_[gates[i]] = first_gate_ + i;
    nodes_ = first_gate_ + static_cast<std::uint32_t>(gates.size());

    terminal_ = local(effects_.of_state(network.terminal));
    goals_ = std::move(goals);
    impossible_ = std::move(impossible);
    for (auto* lists : {&goals_, &impossible_}) {
        for (auto& list : *lists) {
            for (auto& goal : list) goal.holds = local(goal.holds);
        }
    }
    changes_ = circuit_changes_;
    for (auto& change : changes_) change.next = local(change.next);
    way_.assign(outcome_gates_, {});
    for (const auto& [gate, way] : ways_) way_[local_[gate] - first_gate_] = {way.roles, local(way.closed)};
    list_readers(gates);
    list_watches(nodes_);

    const auto words = [](std::size_t bytes) { return (bytes + 7) / 8; };
    block_words_ = 2 * symmetries_ + first_legal_.back() + words(roles() * sizeof(std::uint32_t)) +
                   words(gates.size() * sizeof(Counter)) + words(nodes_);
    scratch_.assign(block_words_, 0);
    aside_ = position_in(scratch_);
    enter(depth_);
}

void Stepper::list_readers(const std::vector<std::uint32_t>& gates) {
    std::vector<std::vector<std::uint32_t>> readers(nodes_);
    inputs_.assign(gates.size(), {});
    fan_start_.assign(1, 0);
    fan_mid_.clear();
    fan_out_.clear();
    for (std::uint32_t i = 0; i < gates.size(); ++i) {
        for (const Signal input : effects_.circuit().inputs_of(gates[i])) {
            const Signal s = local(input);
            inputs_[i].push_back(s);
            readers[s.node()].push_back(i * 2 + (s.negated() ? 1 : 0));
        }
    }
    for (const auto& list : readers) {  // ascending, so those of outcomes come first
        const auto mid = std::ranges::lower_bound(list, outcome_gates_ * 2);
        fan_mid_.push_back(
            static_cast<std::uint32_t>(fan_out_.size() + static_cast<std::size_t>(mid - list.begin())));
        fan_out_.insert(fan_out_.end(), list.begin(), list.end());
        fan_start_.push_back(static_cast<std::uint32_t>(fan_out_.size()));
    }
}

void Stepper::list_watches(std::uint32_t nodes) {
    std::vector<std::vector<Watch>> watches(nodes);
    for (std::uint32_t r = 0; r < roles(); ++r) {
        for (std::uint32_t place = 0; place < order_[r].size(); ++place) {
            const Signal legal =
                local(effects_.of_state(machine_.network().moves[r][order_[r][place]].legal));
            watches[legal.node()].push_back({r, place, legal.negated()});
        }
    }
    watch_start_.assign(1, 0);
    watches_.clear();
    for (const auto& list : watches) {
        watches_.insert(watches_.end(), list.begin(), list.end());
        watch_start_.push_back(static_cast<std::uint32_t>(watches_.size()));
    }
}

Stepper::Position Stepper::position_in(std::vector<std::uint64_t>& block) const {
    const auto words = [](std::size_t bytes) { return (bytes + 7) / 8; };
    Position p{};
    std::uint64_t* at = block.data();
    p.keys = reinterpret_cast<Hash128*>(at);
    p.legal = at += 2 * symmetries_;
    p.choices = reinterpret_cast<std::uint32_t*>(at += first_legal_.back());
    p.open = reinterpret_cast<Counter*>(at += words(roles() * sizeof(std::uint32_t)));
    p.value = reinterpret_cast<std::uint8_t*>(at + words(inputs_.size() * sizeof(Counter)));
    return p;
}

// Everything from the fluents.
void Stepper::fill(const Position& p, const std::vector<std::uint8_t>& fluents) const {
    std::fill(p.keys, p.keys + symmetries_, Hash128{});
    std::fill(p.legal, p.legal + first_legal_.back(), 0);
    std::fill(p.choices, p.choices + roles(), 0);
    p.value[0] = 1;
    for (std::size_t f = 0; f < fluents.size(); ++f) {
        p.value[1 + f] = fluents[f];
        if (fluents[f] == 0) continue;
        for (std::size_t g = 0; g < symmetries_; ++g)
            p.keys[g] = p.keys[g] ^ zobrist_[g * fluents.size() + f];
    }
    // Gates that outcomes depend on read only each other, so this order is one from inputs to readers.
    for (std::size_t gate = 0; gate < inputs_.size(); ++gate) {
        p.open[gate] = static_cast<Counter>(
            std::ranges::count_if(inputs_[gate], [&](Signal s) { return !holds(p, s); }));
        p.value[first_gate_ + gate] = p.open[gate] == 0 ? 1 : 0;
    }
    for (std::uint32_t node = 0; node < nodes_; ++node) {
        for (std::uint32_t w = watch_start_[node]; w < watch_start_[node + 1]; ++w) {
            if ((p.value[node] != 0) != watches_[w].negated) set_legal(p, watches_[w], true);
        }
    }
}

void Stepper::enter(std::size_t depth) {
    if (depth == blocks_.size()) blocks_.emplace_back();
    blocks_[depth].resize(block_words_);
    depth_ = depth;
    here_ = position_in(blocks_[depth]);
}

void Stepper::set_legal(const Position& p, const Watch& watch, bool legal) const {
    const std::uint64_t bit = std::uint64_t{1} << (watch.place % 64);
    std::uint64_t& word = p.legal[first_legal_[watch.role] + watch.place / 64];
    if (legal) {
        word |= bit;
        ++p.choices[watch.role];
    } else {
        word &= ~bit;
        --p.choices[watch.role];
    }
}

// Carries the changes of toggles_ through the gates. A gate that is queued twice and has come back to its
// value is passed over. Returns how many open ways of the mover now lack one thing.
template <bool outcome_only>
int Stepper::toggle(const Position& p, std::uint8_t mover) {
    int threats = 0;
    queue_.clear();
    const auto tell = [&](std::uint32_t node) {
        const bool now = p.value[node] != 0;
        if constexpr (!outcome_only) {
            for (std::uint32_t w = watch_start_[node]; w < watch_start_[node + 1]; ++w) {
                set_legal(p, watches_[w], now != watches_[w].negated);
            }
        }
        const std::uint32_t end = outcome_only ? fan_mid_[node] : fan_start_[node + 1];
        for (std::uint32_t i = fan_start_[node]; i < end; ++i) {
            const std::uint32_t gate = fan_out_[i] >> 1;
            Counter& open = p.open[gate];
            if (now != ((fan_out_[i] & 1) != 0)) {
                if (--open == 0) queue_.push_back(gate);
                if constexpr (outcome_only) {
                    if (open == 1 && (way_[gate].roles & mover) != 0 && !holds(here_, way_[gate].closed))
                        ++threats;
                }
            } else {
                if (open++ == 0) queue_.push_back(gate);
            }
        }
    };
    for (const std::uint32_t f : toggles_) {
        p.value[1 + f] ^= 1;
        tell(1 + f);
    }
    for (std::size_t head = 0; head < queue_.size(); ++head) {
        const std::uint32_t gate = queue_[head];
        const std::uint8_t truth = p.open[gate] == 0 ? 1 : 0;
        if (p.value[first_gate_ + gate] == truth) continue;
        p.value[first_gate_ + gate] = truth;
        tell(first_gate_ + gate);
    }
    return threats;
}

void Stepper::load(const State& state) {
    enter(0);
    std::vector<std::uint8_t> fluents(machine_.network().fluents.size());
    for (std::size_t f = 0; f < fluents.size(); ++f) fluents[f] = state[f / 64] >> (f % 64) & 1;
    fill(here_, fluents);
}

State Stepper::state() const {
    State state;
    this->state(state);
    return state;
}

void Stepper::state(State& out) const {
    constexpr std::uint64_t to_the_top = 0x0102040810204080;  // the lowest bits of eight bytes
    out.assign(machine_.initial().size(), 0);
    const std::size_t fluents = machine_.network().fluents.size();
    std::size_t f = 0;
    if constexpr (std::endian::native == std::endian::little) {
        for (; f + 8 <= fluents; f += 8) {
            std::uint64_t eight = 0;
            std::memcpy(&eight, here_.value + 1 + f, sizeof eight);
            out[f / 64] |= (eight * to_the_top >> 56) << (f % 64);
        }
    }
    for (; f < fluents; ++f) {
        if (here_.value[1 + f] != 0) out[f / 64] |= std::uint64_t{1} << (f % 64);
    }
}

int Stepper::goal(const Position& p, std::size_t role) const {
    for (const auto& goal : goals_[role]) {
        if (holds(p, goal.holds)) return goal.value;
    }
    return -1;
}

std::pair<int, int> Stepper::prospects(std::size_t role) const {
    int low = std::numeric_limits<int>::max();
    int high = -1;
    for (const auto& goal : impossible_[role]) {
        if (holds(here_, goal.holds)) continue;
        low = std::min(low, goal.value);
        high = std::max(high, goal.value);
    }
    return high < 0 ? std::pair(0, 100) : std::pair(low, high);
}

void Stepper::legal(std::size_t role, std::vector<MoveId>& moves) const {
    moves.clear();
    for (std::size_t w = first_legal_[role]; w < first_legal_[role + 1]; ++w) {
        for (std::uint64_t bits = here_.legal[w]; bits != 0; bits &= bits - 1) {
            const std::size_t place =
                (w - first_legal_[role]) * 64 + static_cast<std::size_t>(std::countr_zero(bits));
            moves.push_back(order_[role][place]);
        }
    }
}

std::uint32_t Stepper::program(std::size_t role, MoveId move) {
    for (const Variant& variant : variants_[role][move]) {
        if (std::ranges::all_of(variant.others, [&](const auto& other) {
                return (here_.legal[other.first] & other.second) != 0;
            })) {
            return variant.program;
        }
    }
    joint_.resize(roles());
    for (std::size_t r = 0; r < roles(); ++r) {
        std::size_t w = first_legal_[r];
        while (here_.legal[w] == 0) ++w;
        const std::size_t place =
            (w - first_legal_[r]) * 64 + static_cast<std::size_t>(std::countr_zero(here_.legal[w]));
        joint_[r] = r == role ? move : order_[r][place];
    }
    // The circuit grows, so the blocks of the whole path are made anew.
    const std::uint32_t added = compile(role, joint_);
    std::vector<std::vector<std::uint8_t>> path;
    const std::size_t fluents = machine_.network().fluents.size();
    for (std::size_t d = 0; d <= depth_; ++d) {
        const std::uint8_t* values = position_in(blocks_[d]).value + 1;
        path.emplace_back(values, values + fluents);
    }
    link();
    for (std::size_t d = 0; d < path.size(); ++d) {
        enter(d);
        fill(here_, path[d]);
    }
    return added;
}

void Stepper::find_toggles(std::uint32_t program) {
    toggles_.clear();
    for (std::uint32_t i = change_start_[program]; i < change_start_[program + 1]; ++i) {
        const Effects::Change& change = changes_[i];
        if (holds(here_, change.next) != (here_.value[1 + change.fluent] != 0))
            toggles_.push_back(change.fluent);
    }
}

void Stepper::play(std::size_t role, MoveId move) {
    find_toggles(program(role, move));
    const std::uint64_t* before = blocks_[depth_].data();
    enter(depth_ + 1);
    std::memcpy(blocks_[depth_].data(), before, block_bytes());
    const std::size_t fluents = machine_.network().fluents.size();
    for (std::size_t g = 0; g < symmetries_; ++g) {
        for (const std::uint32_t f : toggles_) here_.keys[g] = here_.keys[g] ^ zobrist_[g * fluents + f];
    }
    toggle<false>(here_, 0);
}

void Stepper::undo() { enter(depth_ - 1); }

Stepper::Peek Stepper::peek(std::size_t role, MoveId move, std::size_t whose_goal) {
    find_toggles(program(role, move));
    Peek peek{};
    const std::size_t fluents = machine_.network().fluents.size();
    for (std::size_t g = 0; g < symmetries_; ++g) {
        Hash128 effect{};
        for (const std::uint32_t f : toggles_) effect = effect ^ zobrist_[g * fluents + f];
        const Hash128 key = here_.keys[g] ^ effect;
        if (g == 0) peek.effect = effect;
        if (g == 0 || key < peek.key) peek.key = key;
    }
    std::memcpy(aside_.open, here_.open, outcome_gates_ * sizeof(Counter));
    std::memcpy(aside_.value, here_.value, first_gate_ + outcome_gates_);
    peek.threats = toggle<true>(aside_, static_cast<std::uint8_t>(role < 8 ? 1U << role : 0U));
    peek.terminal = holds(aside_, terminal_);
    if (!peek.terminal) return peek;
    peek.goal = goal(aside_, whose_goal);
    for (std::size_t r = 0; r < roles(); ++r) peek.goals += goal(aside_, r);
    return peek;
}

}  // namespace zermelo::gdl
