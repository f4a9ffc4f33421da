#include "kernel/residue.hpp"

#include <bit>
#include <utility>

#include "kernel/gecode/kernel.hpp"
#include "kernel/residue_setup-inl.hpp"
#include "kernel/trail/kernel.hpp"

namespace zermelo::kernel {

// ---- the trail

template <class Position>
typename ResidueReader<Position>::Part& ResidueReader<Position>::change_part(int c) {
    old_parts_.emplace_back(c, parts_[c]);
    return parts_[c];
}

template <class Position>
typename ResidueReader<Position>::Known& ResidueReader<Position>::change_known(model::VarId v) {
    old_known_.emplace_back(v, known_[v]);
    return known_[v];
}

// A level is remembered as a whole when a reading changes it for the first time.
template <class Position>
void ResidueReader<Position>::touch(int level) {
    if (std::exchange(touched_in_[level], reading_) == reading_) return;
    old_levels_.emplace_back(level, level_demands_[level]);
    const auto first = level_totals_.begin() + static_cast<std::ptrdiff_t>(level * images_);
    old_level_totals_.insert(old_level_totals_.end(), first, first + static_cast<std::ptrdiff_t>(images_));
}

template <class Position>
void ResidueReader<Position>::subtract(std::size_t thing) {
    touch(level_[thing]);
    const Hash128* const hashes = &hashes_[thing * images_];
    Hash128* const level = &level_totals_[static_cast<std::size_t>(level_[thing]) * images_];
    for (std::size_t g = 0; g < images_; ++g) {
        totals_[g] -= hashes[g];
        level[g] -= hashes[g];
    }
}

template <class Position>
void ResidueReader<Position>::change_hashes(std::size_t thing, std::span<const Hash128> now) {
    Hash128* const hashes = &hashes_[thing * images_];
    const std::size_t constraints = program_.model.constraints.size();
    const bool counted = thing < constraints || counted_[thing - constraints] != 0;
    if (counted && std::equal(now.begin(), now.end(), hashes)) return;
    old_hashes_.push_back({static_cast<std::uint32_t>(thing), counted, true});
    old_values_.insert(old_values_.end(), hashes, hashes + images_);
    touch(level_[thing]);
    Hash128* const level = &level_totals_[static_cast<std::size_t>(level_[thing]) * images_];
    for (std::size_t g = 0; g < images_; ++g) {
        const Hash128 change = counted ? now[g] - hashes[g] : now[g];
        totals_[g] += change;
        level[g] += change;
        hashes[g] = now[g];
    }
    if (!counted) counted_[thing - constraints] = 1;
}

template <class Position>
void ResidueReader<Position>::drop_variable(model::VarId v) {
    if (counted_[v] == 0) return;
    counted_[v] = 0;
    old_hashes_.push_back({static_cast<std::uint32_t>(thing(v)), true, false});
    subtract(thing(v));
}

template <class Position>
void ResidueReader<Position>::back() {
    const Level level = levels_.back();
    levels_.pop_back();
    for (; old_parts_.size() > level.parts; old_parts_.pop_back()) {
        const auto [c, part] = old_parts_.back();
        if (part.open && !parts_[c].open) {
            for (const model::VarId v : scope(c)) ++users_[v];
        }
        if (flat_[c].premise != none)
            premises_[flat_[c].premise].open +=
                static_cast<int>(part.demands) - static_cast<int>(parts_[c].demands);
        parts_[c] = part;
    }
    for (; old_known_.size() > level.known; old_known_.pop_back()) {
        const auto& [v, known] = old_known_.back();
        known_[v] = known;
        if (known.size != 1) watched_[v / 64] |= std::uint64_t{1} << (v % 64);
    }
    for (; unwatched_.size() > level.unwatched; unwatched_.pop_back()) {
        const model::VarId v = unwatched_.back();
        watched_[v / 64] |= std::uint64_t{1} << (v % 64);
    }
    const std::size_t constraints = program_.model.constraints.size();
    for (; old_hashes_.size() > level.hashes; old_hashes_.pop_back()) {
        const OldHashes old = old_hashes_.back();
        if (old.thing >= constraints) counted_[old.thing - constraints] = old.counted ? 1 : 0;
        if (!old.values) continue;
        const auto kept = old_values_.end() - static_cast<std::ptrdiff_t>(images_);
        std::copy(kept, old_values_.end(), &hashes_[old.thing * images_]);
        old_values_.erase(kept, old_values_.end());
    }
    for (; old_levels_.size() > level.levels; old_levels_.pop_back()) {
        const auto [at, demands] = old_levels_.back();
        level_demands_[at] = demands;
        const auto kept = old_level_totals_.end() - static_cast<std::ptrdiff_t>(images_);
        std::copy(kept, old_level_totals_.end(), &level_totals_[static_cast<std::size_t>(at) * images_]);
        old_level_totals_.erase(kept, old_level_totals_.end());
    }
    for (; fulfilled_.size() > level.premises; fulfilled_.pop_back())
        premises_[fulfilled_.back()].holds = false;
    std::copy(old_totals_.end() - static_cast<std::ptrdiff_t>(images_), old_totals_.end(), totals_.begin());
    old_totals_.resize(old_totals_.size() - images_);
    next_ = level.next;
    demands_ = level.demands;
    acting_ = level.acting;
    first_reading_ = level.first_reading;
    changes_ = level.changes;
}

// ---- one reading

template <class Position>
Residue ResidueReader<Position>::read(const Position& position, int next) {
    levels_.push_back({old_parts_.size(), old_known_.size(), unwatched_.size(), old_hashes_.size(),
                       old_levels_.size(), fulfilled_.size(), next_, demands_, acting_, first_reading_,
                       changes_});
    old_totals_.insert(old_totals_.end(), totals_.begin(), totals_.end());
    ++reading_;
    scheduled_.clear();
    settled_.clear();
    idle_.clear();

    const int before = next_;
    leave_levels(next);
    if (first_reading_) {
        for (const int c : program_.cone) {
            if (level_[c] >= next_) schedule(c);
        }
        for (std::size_t v = 0; v < known_.size(); ++v) {
            watched_[v / 64] |= std::uint64_t{1} << (v % 64);
        }
    }
    detect_changes(position);
    pass_blocks(position, before);
    for (const int c : scheduled_) reread(position, c);
    close_settled(position);

    Residue residue;
    residue.demands = demands_ > 0;
    residue.acts = acting_ > 0;
    const auto least = std::min_element(totals_.begin(), totals_.end());
    residue.image = static_cast<std::size_t>(least - totals_.begin());
    Hasher hasher;
    hasher.add(static_cast<std::uint64_t>(next));
    hasher.add(least->low);
    hasher.add(least->high);
    residue.key = hasher.value();
    return residue;
}

template <class Position>
void ResidueReader<Position>::detect_changes(const Position& position) {
    if constexpr (requires { position.changes(); }) {
        const std::size_t since = std::exchange(changes_, position.changes());
        if (std::exchange(first_reading_, false)) {
            for (std::size_t v = 0; v < known_.size(); ++v) look_at(position, static_cast<model::VarId>(v));
            return;
        }
        position.each_change(since, [&](model::VarId v) {
            if ((watched_[v / 64] >> (v % 64) & 1) != 0) look_at(position, v);
        });
    } else {
        first_reading_ = false;
        for (std::size_t word = 0; word < watched_.size(); ++word) {
            for (std::uint64_t bits = watched_[word]; bits != 0; bits &= bits - 1) {
                const auto v =
                    static_cast<model::VarId>(word * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
                if (program_.held_as_boolean[v] && known_[v].size == 2 && !position.fixed(v)) continue;
                look_at(position, v);
            }
        }
    }
}

template <class Position>
void ResidueReader<Position>::look_at(const Position& position, model::VarId v) {
    const bool fixed = position.fixed(v);
    const std::uint32_t size = fixed ? 1 : static_cast<std::uint32_t>(position.size(v));
    if (size == known_[v].size) return;
    Known& known = change_known(v);
    const model::Interval bounds = position.bounds(v);
    known.size = size;
    known.low = static_cast<std::int32_t>(bounds.low);
    known.high = static_cast<std::int32_t>(bounds.high);
    const auto read_again = [&](int, std::span<const int> constraints) {
        for (const int c : constraints) schedule(c);
    };
    uses_.each_group(v, next_, read_again);
    // While the literal of a sum is open, only what is taken of the sum can change.
    const bool nothing_taken = fixed && bounds.low == 0;
    sums_of_.each_group(v, next_, [&](int, std::span<const int> constraints) {
        for (const int c : constraints) {
            if (!nothing_taken || known_[flat_[c].literal].fixed()) schedule(c);
        }
    });
    if (!fixed) return refresh(position, v);
    watched_[v / 64] &= ~(std::uint64_t{1} << (v % 64));
    const std::size_t value = bounds.low != 0 ? 1 : 0;
    closed_by_[value].each_group(
        v, next_, [&](int level, std::span<const int> clauses) { close_group(position, level, clauses); });
    read_by_[value].each_group(v, next_, read_again);
    for (std::uint32_t p = first_premise_[v]; p < first_premise_[v + 1]; ++p) {
        Premise& premise = premises_[p];
        if (premise.literal.positive != (value == 1)) continue;
        premise.holds = true;
        fulfilled_.push_back(p);
        add_demands(premise.level, premise.open);
    }
    // Once fixed, a variable that nobody chooses and no condition reads is of no interest.
    if (program_.structure.block_of[v] < 0 && known_[v].conditions == 0) {
        if (level_[thing(v)] >= next_) drop_variable(v);
    } else {
        refresh(position, v);
    }
}

template <class Position>
void ResidueReader<Position>::leave_levels(int next) {
    for (; next_ < next; ++next_) {
        const auto level = static_cast<std::size_t>(next_);
        for (std::size_t g = 0; g < images_; ++g) totals_[g] -= level_totals_[level * images_ + g];
        demands_ -= level_demands_[level];
    }
}

// The rules of the blocks that are over read nothing any more, their moves lie in the past, and constraints
// that have waited for them act.
template <class Position>
void ResidueReader<Position>::pass_blocks(const Position& position, int before) {
    for (int b = before; b < next_; ++b) {
        if (const auto& rule = program_.block(b).rule) {
            --change_known(rule->variable).conditions;
            refresh(position, rule->variable);
            const int c = definition_[rule->variable];
            if (c >= 0 && idle(c)) idle_.push_back(c);
        }
        for (const model::VarId v : program_.block(b).variables) refresh(position, v);
        if (!program_.model.strategic) continue;
        for (const int c : program_.due_at[b]) {
            if (parts_[c].open && parts_[c].demands) ++acting_;
        }
    }
}

template <class Position>
void ResidueReader<Position>::schedule(int c) {
    if (!parts_[c].open || scheduled_in_[c] == reading_) return;
    scheduled_in_[c] = reading_;
    scheduled_.push_back(c);
}

template <class Position>
void ResidueReader<Position>::count(int c, bool demands, int sign) {
    if (!demands) return;
    if (const std::uint32_t p = flat_[c].premise; p != none) {
        premises_[p].open += sign;
        if (!premises_[p].holds) return;
    }
    touch(level_[c]);
    demands_ += sign;
    level_demands_[level_[c]] += sign;
    if (flat_[c].due < next_ || !program_.model.strategic) acting_ += sign;
}

// Of a model that is not strategic: so much is demanded of this level.
template <class Position>
void ResidueReader<Position>::add_demands(int level, int demands) {
    if (level < next_ || demands == 0) return;
    touch(level);
    demands_ += demands;
    acting_ += demands;
    level_demands_[level] += demands;
}

template <class Position>
void ResidueReader<Position>::reread(const Position& position, int c) {
    if (!parts_[c].open) return;  // closed in the meantime
    const Flat& flat = flat_[c];
    const auto names = names_of(static_cast<std::size_t>(c));
    bool demands = true;
    if (flat.form == Flat::Form::other) {
        const Reading reading = read_constraint(program_, position, c, terms_);
        if (reading.settled) return settled_.push_back(c);
        terms_.bind(names);
        change_hashes(static_cast<std::size_t>(c), terms_.sums());
        demands = reading.demands;
    } else {
        const FlatReading reading =
            flat.form == Flat::Form::clause ? read_clause(flat) : read_sum(position, flat);
        if (reading.settled) return settled_.push_back(c);
        // Multilinear hashing (Carter and Wegman 1979): the name is the random factor.
        const std::uint64_t factor = (static_cast<std::uint64_t>(reading.number) * 8 + reading.state) * 2 + 1;
        for (std::size_t g = 0; g < images_; ++g) sums_[g] = {names[g].low * factor, names[g].high * factor};
        change_hashes(static_cast<std::size_t>(c), sums_);
        demands = reading.demands;
    }
    if (parts_[c].demands != demands) {
        count(c, parts_[c].demands, -1);
        change_part(c).demands = demands;
        count(c, demands, 1);
    }
    if (idle(c)) idle_.push_back(c);
}

// What ReadForm says about clauses and sums holds here too (reading.cpp).
template <class Position>
typename ResidueReader<Position>::FlatReading ResidueReader<Position>::read_clause(const Flat& flat) const {
    bool open = false;
    for (const auto [positive, variable] : operands(flat)) {
        const Known& known = known_[variable];
        if (!known.fixed()) {
            open = true;
        } else if (known.low == positive) {
            return reified(flat, true, 0);
        }
    }
    return reified(flat, open ? std::nullopt : std::optional(false), 0);
}

template <class Position>
typename ResidueReader<Position>::FlatReading ResidueReader<Position>::read_sum(const Position& position,
                                                                                const Flat& flat) const {
    std::int64_t taken = 0;
    std::int64_t low = 0;
    std::int64_t high = 0;
    int open = 0;
    model::VarId last = -1;
    std::int64_t factor = 1;
    for (const auto [coefficient, variable] : operands(flat)) {
        const Known& known = known_[variable];
        const std::int64_t a = std::int64_t{coefficient} * known.low;
        if (known.fixed()) {
            taken += a;
            continue;
        }
        ++open;
        last = variable;
        factor = coefficient;
        const std::int64_t b = std::int64_t{coefficient} * known.high;
        low += std::min(a, b);
        high += std::max(a, b);
    }
    const std::int64_t left = flat.constant - taken;
    std::optional<bool> body;
    if (flat.form == Flat::Form::at_most) {
        if (high <= left) body = true;
        if (low > left) body = false;
    } else {
        std::optional<bool> equal;
        if (open == 0) {
            equal = left == 0;
        } else if (left < low || left > high ||
                   (open == 1 && (left % factor != 0 || !position.allows(last, left / factor)))) {
            equal = false;
        }
        if (equal) body = *equal == (flat.form == Flat::Form::equal);
    }
    return reified(flat, body, taken);
}

template <class Position>
typename ResidueReader<Position>::FlatReading ResidueReader<Position>::reified(const Flat& flat,
                                                                               std::optional<bool> body,
                                                                               std::int64_t taken) const {
    if (flat.literal >= 0 && !known_[flat.literal].fixed())
        return {false, flat.output < 0, body ? 1U : 2U, body ? static_cast<std::int64_t>(*body) : taken};
    const bool wanted = flat.literal < 0 || (known_[flat.literal].low != 0) == flat.positive;
    if (body == wanted) return {true, true, 0, 0};
    return {false, true, wanted ? 3U : 4U, taken};
}

// A definition that demands nothing and whose output nothing reads: it stays so in all continuations.
template <class Position>
bool ResidueReader<Position>::idle(int c) const {
    if (flat_[c].output < 0 || level_[c] < next_ || !parts_[c].open || parts_[c].demands) return false;
    const Known& output = known_[flat_[c].output];
    return users_[flat_[c].output] <= 1 && output.conditions == 0;
}

template <class Position>
void ResidueReader<Position>::close_settled(const Position& position) {
    for (const int c : settled_) close(position, c);
    while (!idle_.empty()) {
        const int c = idle_.back();
        idle_.pop_back();
        if (idle(c)) close(position, c);
    }
}

template <class Position>
void ResidueReader<Position>::close(const Position& position, int c) {
    if (!parts_[c].open) return;
    count(c, parts_[c].demands, -1);
    change_part(c) = {false, false};
    subtract(static_cast<std::size_t>(c));
    forget(position, c);
}

// Clauses of one level that hold, if they are still open.
template <class Position>
void ResidueReader<Position>::close_group(const Position& position, int level, std::span<const int> clauses) {
    touch(level);
    Hash128* const totals = &level_totals_[static_cast<std::size_t>(level) * images_];
    int demands = 0;
    for (const int c : clauses) {
        Part& part = parts_[c];
        if (!part.open) continue;
        if (part.demands) {
            const std::uint32_t p = flat_[c].premise;
            if (p != none) --premises_[p].open;
            if (p == none || premises_[p].holds) ++demands;
        }
        old_parts_.emplace_back(c, part);
        part = {false, false};
        const Hash128* const hashes = &hashes_[static_cast<std::size_t>(c) * images_];
        for (std::size_t g = 0; g < images_; ++g) {
            totals_[g] -= hashes[g];
            totals[g] -= hashes[g];
        }
        forget(position, c);
    }
    if (demands == 0) return;
    demands_ -= demands;
    acting_ -= demands;
    level_demands_[level] -= demands;
}

template <class Position>
inline void ResidueReader<Position>::forget(const Position& position, int c) {
    for (const model::VarId v : scope(c)) {
        if (--users_[v] <= 1 && !known_[v].fixed()) lose_reader(position, v);
    }
}

// One constraint at most reads the open variable now, perhaps its definition.
template <class Position>
void ResidueReader<Position>::lose_reader(const Position& position, model::VarId v) {
    if (users_[v] == 0) {
        refresh(position, v);
        if (!matters(position, v)) {
            watched_[v / 64] &= ~(std::uint64_t{1} << (v % 64));
            unwatched_.push_back(v);
        }
    }
    const int definition = definition_[v];
    if (definition >= 0 && idle(definition)) idle_.push_back(definition);
}

// Is the value or the domain of this variable a part of the residue? The literal of an open definition is not:
// the definition itself says whether it is open.
template <class Position>
bool ResidueReader<Position>::matters(const Position& position, model::VarId v) const {
    const int block = program_.structure.block_of[v];
    const bool to_come = block >= next_;
    if (position.fixed(v)) return known_[v].conditions > 0 || (to_come && !program_.domain(v).single());
    if (const int c = definition_[v]; c >= 0 && flat_[c].literal == v && parts_[c].open) return false;
    return users_[v] > 0 || known_[v].conditions > 0 ||
           (to_come && position.size(v) < program_.domain(v).size());
}

template <class Position>
void ResidueReader<Position>::refresh(const Position& position, model::VarId v) {
    const std::size_t place = thing(v);
    if (level_[place] < next_) return;
    if (!matters(position, v)) return drop_variable(v);
    read_domain(program_, position, v, terms_);
    terms_.bind(names_of(place));
    change_hashes(place, terms_.sums());
}

template class ResidueReader<trail::Kernel>;
template class ResidueReader<gecode::Kernel>;

}  // namespace zermelo::kernel
