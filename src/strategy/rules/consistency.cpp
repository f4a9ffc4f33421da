#include "strategy/rules/consistency.hpp"

#include <algorithm>
#include <stdexcept>

namespace zermelo::strategy {

namespace {

Hash128 hash_of(std::initializer_list<std::uint64_t> words) {
    Hasher hasher;
    for (const std::uint64_t word : words) hasher.add(word);
    return hasher.value();
}

}  // namespace

PossibleStates::PossibleStates(const model::Model& model, const model::Structure& structure,
                               const Limits& limits)
    : model_(model),
      structure_(structure),
      limits_(limits),
      network_(model, structure),
      stale_(network_.steps().size()) {
    played_.assign(model.variables.size(), false);
    wipeouts_.assign(model.variables.size(), 0);
    for (std::size_t v = 0; v < model.variables.size(); ++v) {
        const bool from_above = model.variables[v].preference == model::Preference::greatest;
        last_.push_back(from_above ? structure.domain[v].high() : structure.domain[v].low());
    }
    find_reads();
    network_.enter(-1);
    contradiction_ = !network_.propagate();
    update_parts();
}

PossibleStates::Mark PossibleStates::mark() const {
    return {network_.mark(), moves_.size(), old_parts_.size(), applied_, contradiction_};
}

void PossibleStates::play(model::VarId variable, model::Value value) {
    played_[variable] = true;
    moves_.push_back(variable);
    moves_hash_ = moves_hash_ + hash_of({static_cast<std::uint64_t>(variable)});
    contradiction_ = contradiction_ || !network_.box[variable].contains(value);
    network_.box.set(variable, value);
    if (contradiction_) return;
    network_.enter(structure_.block_of[variable]);
    contradiction_ = !network_.propagate();
}

void PossibleStates::undo(const Mark& mark) {
    for (; moves_.size() > mark.moves; moves_.pop_back()) {
        played_[moves_.back()] = false;
        moves_hash_ = moves_hash_ - hash_of({static_cast<std::uint64_t>(moves_.back())});
    }
    for (; old_parts_.size() > mark.parts; old_parts_.pop_back()) {
        const auto& [step, part] = old_parts_.back();
        exchange_part(step, part);
    }
    network_.undo(mark.network);
    applied_ = mark.applied;
    contradiction_ = mark.contradiction;
}

// ---- the search

bool PossibleStates::exist() {
    constexpr std::uint64_t first_limit = 32;  // failures
    if (contradiction_) return false;
    find_unknowns();
    if (guess()) return true;
    for (std::uint64_t limit = first_limit;; limit *= 2) {
        failures_left_ = limit;
        const Found found = dive();
        if (found != Found::gave_up) return found == Found::one;
    }
}

bool PossibleStates::exist_in(std::size_t block) {
    if (contradiction_) return false;
    const Mark before = mark();
    network_.enter(static_cast<int>(block));
    contradiction_ = !network_.propagate();
    const bool answer = exist();
    undo(before);
    return answer;
}

void PossibleStates::settle() {
    if (!exist()) return;
    for (const model::VarId v : structure_.state) network_.box.set(v, last_[v]);
    contradiction_ = !network_.propagate();
    update_parts();  // computes the definitions that no demand reads
}

// Variables that nothing reads yet are left as they are.
void PossibleStates::find_unknowns() {
    unknowns_.clear();
    const auto add = [&](model::VarId v) {
        const auto& readers = network_.readers(v);
        const bool read = !readers.empty() && readers.front().level <= network_.level();
        if (read && !network_.box[v].single()) unknowns_.push_back(v);
    };
    for (const model::VarId v : structure_.state) add(v);
    for (const model::VarId v : present_block()) add(v);
}

std::span<const model::VarId> PossibleStates::present_block() const {
    if (network_.level() < 0) return {};
    return structure_.prefix[network_.level()].variables;
}

// All variables at once.
bool PossibleStates::guess() {
    const Network::Mark before = network_.mark();
    bool possible = true;
    for (const model::VarId v : unknowns_) {
        const model::Value value = preferred(v);
        possible = possible && network_.box.keep(v, {value, value});
    }
    possible = possible && network_.propagate() && network_.certain();
    if (possible) remember_state();
    network_.undo(before);
    return possible;
}

PossibleStates::Found PossibleStates::dive() {
    if (network_.certain()) {
        remember_state();
        return Found::one;
    }
    const model::VarId v = choose();
    if (v < 0) throw std::logic_error("a state with all its values is still open");
    const model::Value first = preferred(v);
    Found found = try_value(v, first);
    for (const model::Domain::Range& range : structure_.domain[v].ranges()) {
        const model::Interval x = network_.box[v];
        for (model::Value value = std::max(x.low, range.low); value <= std::min(x.high, range.high);
             ++value) {
            if (found != Found::none) return found;
            if (value != first) found = try_value(v, value);
        }
    }
    if (found == Found::none) ++wipeouts_[v];
    return found;
}

PossibleStates::Found PossibleStates::try_value(model::VarId v, model::Value value) {
    const Network::Mark before = network_.mark();
    const bool possible = network_.box.keep(v, {value, value}) && network_.propagate();
    const Found found = possible ? dive() : Found::none;
    network_.undo(before);
    if (found != Found::none) return found;
    if (const Stop stop = limits_.reached(); stop != Stop::none) {
        throw LimitReached(stop, "while searching for a state consistent with the moves",
                           "raise the limit, or use fewer or smaller state variables");
    }
    return --failures_left_ == 0 ? Found::gave_up : Found::none;
}

// dom/wdeg, with wipeouts as weights. There is one as long as something is open, because
// everything that acts is a function of the unknowns and of the moves made.
model::VarId PossibleStates::choose() const {
    model::VarId best = -1;
    double most = -1;
    for (const model::VarId v : unknowns_) {
        const model::Interval x = network_.box[v];
        if (x.single()) continue;
        const double need = (1.0 + wipeouts_[v]) / (static_cast<double>(x.high - x.low) + 1.0);
        if (need > most) {
            most = need;
            best = v;
        }
    }
    return best;
}

model::Value PossibleStates::preferred(model::VarId v) const {
    const model::Interval x = network_.box[v];
    const model::Value near = std::clamp(last_[v], x.low, x.high);
    return structure_.domain[v].contains(near) ? near : x.low;
}

void PossibleStates::remember_state() {
    for (const model::VarId v : structure_.state) last_[v] = preferred(v);
    for (const model::VarId v : unknowns_) last_[v] = preferred(v);
}

// ---- the residue

void PossibleStates::find_reads() {
    const std::size_t steps = network_.steps().size();
    std::vector<int> definition(model_.variables.size(), -1);
    reads_.resize(steps);
    read_by_.assign(steps, 0);
    parts_.resize(steps);
    for (std::size_t s = 0; s < steps; ++s) {
        const Network::Step& step = network_.steps()[s];
        std::vector<int>& reads = reads_[s];
        Network::each_variable_of(step, [&](model::VarId v) {
            if (v != step.output && definition[v] >= 0) reads.push_back(definition[v]);
        });
        std::sort(reads.begin(), reads.end());
        reads.erase(std::unique(reads.begin(), reads.end()), reads.end());
        if (step.output >= 0) definition[step.output] = static_cast<int>(s);
        stale_.add(static_cast<int>(s));
    }
}

// What acts may have narrowed the open moves of the present block, and then be settled: it is the intervals
// that tell what is legal.
Hash128 PossibleStates::residue() {
    update_parts();
    Hasher hasher;
    for (const Hash128& hash : {total_, moves_hash_}) hasher.add(hash);
    for (const model::VarId v : present_block()) {
        if (played_[v]) continue;
        hasher.add(static_cast<std::uint64_t>(network_.box[v].low));
        hasher.add(static_cast<std::uint64_t>(network_.box[v].high));
    }
    return hasher.value();
}

// Brings the parts up to date with the box. Definitions that wait are computed here, forwards only.
void PossibleStates::update_parts() {
    if (contradiction_) return;  // nothing follows
    Box& box = network_.box;
    while (true) {
        for (; applied_ < box.changes(); ++applied_) {
            for (const Network::Reader& reader : network_.readers(box.changed(applied_)))
                stale_.add(reader.step);
        }
        const int step = stale_.take();
        if (step < 0) return;
        set_part(step, part_of(step));
    }
}

// Nothing for a settled step, and for a definition that demands nothing and whose output nothing reads; of
// all others, what is left of the step and of its variables.
Hash128 PossibleStates::part_of(int step) {
    const Network::Step& s = network_.steps()[step];
    Box& box = network_.box;
    if (s.level <= network_.level()) {
        const Network::Status status = network_.status(step);
        if (status == Network::Status::settled) return {};
        if (status == Network::Status::idle && read_by_[step] == 0) return {};
    } else if (s.output >= 0) {
        const model::Interval values = compute(*s.constraint, s.output, box.known()).values;
        if (!box.keep(s.output, values))
            throw std::logic_error("a definition that waits contradicts what acts");
        if (values.single() || read_by_[step] == 0) return {};
    } else {
        const Truth t = network_.truth_of(s);
        if (t == Truth::yes) return {};
        if (t == Truth::no) return hash_of({~std::uint64_t{0}, static_cast<std::uint64_t>(s.level)});
    }
    Hasher hasher;
    hasher.add(static_cast<std::uint64_t>(step));
    if (s.constraint == nullptr) return hasher.value();
    add_residue(hasher, *s.constraint, box.known());
    each_variable(*s.constraint, [&](model::VarId v) {
        if (box[v].single()) return;
        hasher.add(static_cast<std::uint64_t>(box[v].low));
        hasher.add(static_cast<std::uint64_t>(box[v].high));
    });
    return hasher.value();
}

void PossibleStates::set_part(int step, Hash128 part) {
    if (parts_[step] == part) return;
    old_parts_.push_back({step, parts_[step]});
    const bool same_reads = (part == Hash128{}) == (parts_[step] == Hash128{});
    exchange_part(step, part);
    if (same_reads) return;
    for (const int definition : reads_[step]) stale_.add(definition);
}

void PossibleStates::exchange_part(int step, Hash128 part) {
    const int more = (part == Hash128{} ? 0 : 1) - (parts_[step] == Hash128{} ? 0 : 1);
    if (more != 0) {
        for (const int definition : reads_[step]) read_by_[definition] += more;
    }
    total_ = total_ - parts_[step] + part;
    parts_[step] = part;
}

}  // namespace zermelo::strategy
