// The queries behind compiled_stepper.hpp: which signals are asked for, and where their answers lie.

#include <algorithm>

#include "core/limits.hpp"
#include "core/random.hpp"
#include "gdl/compiled_stepper.hpp"

namespace zermelo::gdl {

namespace {

constexpr const char* asking = "while compiling what moves do";
constexpr std::size_t most_moves_of_a_role = 4'000;  // of a role
constexpr std::size_t most_cofactors = 4'000'000;    // gates looked at for the ends after all moves of a role
constexpr std::size_t longest_line = 12;             // that is looked at for threats
constexpr std::size_t most_pairs = 64 * 64;

void fill_word(std::vector<Signal>& outputs) {
    while (outputs.size() % 64 != 0) outputs.push_back(Network::never);
}

}  // namespace

CompiledMoves::CompiledMoves(const Game& game, const std::vector<Permutation>& symmetries)
    : game_(game),
      network_(game.machine().network()),
      effects_(network_),
      reachability_(game.machine(), effects_),
      lines_(effects_.circuit()),
      order_(moves_by_name(game)),
      symmetries_(1 + symmetries.size()),
      threats_(order_.size()),
      sets_(order_.size()) {
    for (const auto& order : order_) {
        auto& place = place_.emplace_back(order.size());
        for (std::uint32_t i = 0; i < order.size(); ++i) place[order[i]] = i;
    }
    Random random(0x5EED);  // as the Stepper, so that keys agree
    const std::size_t fluents = network_.fluents.size();
    zobrist_.resize(fluents);
    for (Hash128& hash : zobrist_) hash = {random.next(), random.next()};
    for (const Permutation& symmetry : symmetries) {
        for (std::size_t f = 0; f < fluents; ++f) zobrist_.push_back(zobrist_[symmetry[f]]);
    }
}

std::shared_ptr<CompiledMoves> CompiledMoves::make(const Game& game,
                                                   const std::vector<Permutation>& symmetries) {
    const Network& network = game.machine().network();
    const auto too_many = [](const auto& moves) { return moves.size() > most_moves_of_a_role; };
    if (!Effects::supports(network) || std::ranges::any_of(network.moves, too_many)) return nullptr;
    std::shared_ptr<CompiledMoves> made(new CompiledMoves(game, symmetries));
    if (!made->ask_position() || !made->ask_outcome()) return nullptr;
    const auto partners = partners_seen(game.machine());
    for (std::size_t r = 0; r < made->sets_.size(); ++r) {
        for (const JointMove& joint : partners[r]) {
            auto set = made->compile(r, joint);
            if (!set) return nullptr;
            made->sets_[r].push_back(std::move(set));
        }
    }
    made->ask_threats();
    return made;
}

bool CompiledMoves::ask_position() {
    std::vector<Signal> outputs;
    for (std::size_t r = 0; r < order_.size(); ++r) {
        first_legal_.push_back(static_cast<std::uint32_t>(outputs.size() / 64));
        for (const MoveId m : order_[r]) outputs.push_back(effects_.of_state(network_.moves[r][m].legal));
        fill_word(outputs);
    }
    first_legal_.push_back(static_cast<std::uint32_t>(outputs.size() / 64));
    for (const auto& goals : network_.goals) {
        auto& impossible = impossible_.emplace_back();
        for (const auto& goal : goals) {
            impossible.push_back({goal.value, outputs.size()});
            outputs.push_back(reachability_.certain(!lines_.flat(effects_.of_state(goal.holds))));
        }
    }
    fill_word(outputs);
    position_words_ = static_cast<std::uint32_t>(outputs.size() / 64);
    position_ = StateQuery::compile(network_, effects_.circuit(), outputs);
    return position_ != nullptr;
}

bool CompiledMoves::ask_outcome() {
    const Signal terminal = lines_.flat(effects_.of_state(network_.terminal));
    std::vector<Signal> outputs = {terminal};
    for (const auto& goals : network_.goals) {
        auto& answers = goals_.emplace_back();
        for (const auto& goal : goals) {
            answers.push_back({goal.value, outputs.size()});
            outputs.push_back(lines_.flat(effects_.of_state(goal.holds)));
        }
    }
    const Circuit& circuit = effects_.circuit();
    if (terminal.negated() && terminal.node() >= circuit.first_gate()) {
        for (const Signal s : circuit.inputs_of(terminal.node())) ends_.push_back(!s);
    } else {
        ends_.push_back(terminal);
    }
    std::vector<bool> needed(circuit.nodes(), false);
    for (const Signal s : ends_) needed[s.node()] = true;
    for (std::uint32_t gate = circuit.nodes(); gate-- > circuit.first_gate();) {
        if (!needed[gate]) continue;
        ends_cone_.push_back(gate);
        for (const Signal s : circuit.inputs_of(gate)) needed[s.node()] = true;
    }
    std::ranges::reverse(ends_cone_);
    fill_word(outputs);
    outcome_ = StateQuery::compile(network_, circuit, outputs);
    return outcome_ != nullptr;
}

// Every two facts of a line that are all it lacks. Where that cannot be told, moves are ordered without it.
void CompiledMoves::ask_threats() {
    Circuit& circuit = effects_.circuit();
    for (std::size_t r = 0; r < order_.size(); ++r) {
        const auto best = std::ranges::max_element(network_.goals[r], {}, &Network::Goal::value);
        if (best == network_.goals[r].end()) continue;
        const auto* found = lines_.of(effects_.of_state(best->holds));
        if (found == nullptr) continue;
        const std::vector<Line> lines = *found;  // the circuit grows
        std::vector<Signal> outputs;
        auto& pairs = threats_[r].pairs;
        threats_[r].lines.assign(network_.fluents.size(), 0);
        for (const Line& line : lines) {
            if (line.size() > longest_line) continue;
            for (std::size_t i = 0; i < line.size(); ++i) {
                if (!line[i].negated()) ++threats_[r].lines[line[i].node() - 1];
                for (std::size_t j = i + 1; j < line.size(); ++j) {
                    if (line[i].negated() || line[j].negated()) continue;
                    Line lacking = line;
                    for (const std::size_t k : {i, j}) {
                        lacking[k] = !line[k];
                        lacking.push_back(!reachability_.certain(!line[k]));
                    }
                    pairs.emplace_back(line[i].node() - 1, line[j].node() - 1);
                    outputs.push_back(circuit.conjunction(std::move(lacking)));
                }
            }
        }
        if (outputs.empty() || outputs.size() > most_pairs) continue;
        fill_word(outputs);
        threats_[r].query = StateQuery::compile(network_, circuit, outputs);
    }
}

// The changes of a move lie in one word, or begin one.
void CompiledMoves::lay_out(const std::vector<std::vector<Effects::Change>>& changes, MoveSet& set,
                            std::vector<Signal>& outputs) const {
    for (const auto& of_move : changes) {
        const std::size_t size = of_move.size();
        if (outputs.size() % 64 + size > 64) fill_word(outputs);
        const std::size_t first = outputs.size();
        for (const Effects::Change& change : of_move) outputs.push_back(change.next);
        const auto word = static_cast<std::uint32_t>(first / 64);
        if (size > 64) {
            fill_word(outputs);
            set.spans.push_back({word, static_cast<std::uint32_t>((size + 63) / 64), ~std::uint64_t{0}});
        } else {
            const std::uint64_t ones = size == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << size) - 1;
            set.spans.push_back({word, size > 0 ? 1U : 0U, ones << (first % 64)});
        }
        set.fluents.resize(first, 0);
        for (const Effects::Change& change : of_move) set.fluents.push_back(change.fluent);
    }
    fill_word(outputs);
    set.fluents.resize(outputs.size(), 0);
    set.change_words = static_cast<std::uint32_t>(outputs.size() / 64);
    const std::size_t lanes = outputs.size();
    std::vector<bool> used(lanes, false);
    for (std::size_t m = 0; m < changes.size(); ++m) {
        const std::size_t first = std::size_t{set.spans[m].word} * 64 +
                                  static_cast<std::size_t>(std::countr_zero(set.spans[m].mask));
        for (std::size_t i = 0; i < changes[m].size(); ++i) used[first + i] = true;
    }
    for (std::size_t lane = 0; lane < lanes; ++lane)
        outputs.push_back(used[lane] ? Signal(1 + set.fluents[lane], false) : Network::never);
    const std::size_t fluents = network_.fluents.size();
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        for (std::size_t g = 0; g < symmetries_; ++g)
            set.keys.push_back(zobrist_[g * fluents + set.fluents[lane]]);
    }
}

// The terminal condition with the next values of a move in place of the fluents. The game is not over where moves are
// made, so what a move does not touch does not end it. False where it would take too long.
bool CompiledMoves::ask_ends(const std::vector<std::vector<Effects::Change>>& changes,
                             std::vector<Signal>& outputs) {
    if (changes.size() * ends_cone_.size() > most_cofactors) return false;
    Circuit& circuit = effects_.circuit();
    std::vector<Signal> image(circuit.nodes());
    for (std::uint32_t node = 0; node < image.size(); ++node) image[node] = Signal(node, false);
    const auto of = [&](Signal s) { return s.negated() ? !image[s.node()] : image[s.node()]; };
    for (const auto& of_move : changes) {
        stay_within_limits(asking);
        for (const Effects::Change& change : of_move) image[1 + change.fluent] = change.next;
        for (const std::uint32_t gate : ends_cone_) {
            const auto span = circuit.inputs_of(gate);
            image[gate] = Signal(gate, false);
            if (std::ranges::all_of(span, [&](Signal s) { return of(s) == s; })) continue;
            std::vector<Signal> inputs;
            for (const Signal s : span) inputs.push_back(of(s));
            image[gate] = circuit.conjunction(std::move(inputs));
        }
        std::vector<Signal> none;
        for (const Signal end : ends_) {
            if (of(end) != end) none.push_back(!of(end));
        }
        outputs.push_back(!circuit.conjunction(std::move(none)));
        for (const Effects::Change& change : of_move)
            image[1 + change.fluent] = Signal(1 + change.fluent, false);
    }
    fill_word(outputs);
    return true;
}

auto CompiledMoves::compile(std::size_t role, const JointMove& joint) -> std::unique_ptr<MoveSet> {
    auto set = std::make_unique<MoveSet>();
    set->joint = joint;
    std::vector<std::vector<Effects::Change>> changes;
    JointMove all = joint;
    for (const MoveId m : order_[role]) {
        all[role] = m;
        changes.push_back(effects_.changes(all));
    }
    std::vector<Signal> outputs;
    lay_out(changes, *set, outputs);
    std::vector<Signal> with_ends = outputs;
    if (ask_ends(changes, with_ends)) {
        set->query = StateQuery::compile(network_, effects_.circuit(), with_ends);
        if (set->query) set->end_words = static_cast<std::uint32_t>((with_ends.size() - outputs.size()) / 64);
    }
    if (!set->query) set->query = StateQuery::compile(network_, effects_.circuit(), outputs);
    if (!set->query) return nullptr;
    return set;
}

auto CompiledMoves::find_or_compile(std::size_t role, const JointMove& joint) -> const MoveSet& {
    const std::lock_guard lock(mutex_);
    for (const auto& known : sets_[role]) {
        if (known->joint == joint) return *known;
    }
    // A set covers all moves of the role beside one combination of forced moves of the others.
    constexpr std::size_t most_moves = 4096;
    const bool few = sets_[role].size() * order_[role].size() < most_moves;
    auto set = few ? compile(role, joint) : nullptr;
    if (!set) throw TooManyMoves("the moves of this game are too many to compile", "use another engine");
    sets_[role].push_back(std::move(set));
    return *sets_[role].back();
}

}  // namespace zermelo::gdl
