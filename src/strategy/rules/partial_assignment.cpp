#include "strategy/rules/partial_assignment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace zermelo::strategy {

namespace {

Hash128 hash_of_move(model::VarId variable) {
    Hasher hasher;
    hasher.add(static_cast<std::uint64_t>(variable));
    return hasher.value();
}

model::Interval hull(const model::Domain& domain) { return {domain.low(), domain.high()}; }

// Names that flattening invents mean nothing to the modeller.
bool was_named_by_a_modeller(const model::Model& model, model::VarId v) {
    const std::string& name = model.name_of(v);
    return !model.domain(v).single() && !name.starts_with('#') && !name.starts_with("X_INTRODUCED");
}

}  // namespace

PartialAssignment::PartialAssignment(const model::Model& model, const model::Structure& structure)
    : model_(model), structure_(structure) {
    if (model.strategic) throw std::logic_error("what waits in a strategic model must not be looked at");
    readers_.resize(model.variables.size());
    played_.assign(model.variables.size(), false);
    for (std::size_t v = 0; v < model.variables.size(); ++v) known_.push_back(hull(structure.domain[v]));

    const auto step = [&](int constraint) -> Step {
        const auto c = static_cast<std::size_t>(constraint);
        return {.constraint = &model.constraints[c],
                .output = structure.output[c],
                .demand = !structure.total[c]};
    };
    for (const int c : structure.definitions) add_step(step(c));
    for (const int c : structure.winning) {
        if (structure.output[static_cast<std::size_t>(c)] < 0) add_step(step(c));
    }
    for (const model::Literal literal : model.win) add_step({.literal = literal});

    due_.assign(steps_.size() / 64 + 1, 0);
    for (std::size_t s = 0; s < steps_.size(); ++s) evaluate(static_cast<int>(s));
    std::fill(due_.begin(), due_.end(), 0);  // a step was evaluated after everything that it reads
    intervals_.clear();
    changed_.clear();
}

void PartialAssignment::add_step(const Step& step) {
    const auto number = static_cast<int>(steps_.size());
    const auto read = [&](model::VarId v) {
        auto& readers = readers_[static_cast<std::size_t>(v)];
        if (v != step.output && (readers.empty() || readers.back() != number)) readers.push_back(number);
    };
    if (step.constraint != nullptr) {
        each_variable(*step.constraint, read);
    } else {
        read(step.literal.variable);
    }
    steps_.push_back(step);
    status_.emplace_back();
    count(steps_.back(), status_.back(), +1);
}

void PartialAssignment::play(model::VarId variable, model::Value value) {
    played_[static_cast<std::size_t>(variable)] = true;
    moves_.push_back(variable);
    moves_hash_ = moves_hash_ + hash_of_move(variable);
    set(variable, {value, value});
    run();
}

void PartialAssignment::undo(const Mark& mark) {
    while (moves_.size() > mark.moves) {
        played_[static_cast<std::size_t>(moves_.back())] = false;
        moves_hash_ = moves_hash_ - hash_of_move(moves_.back());
        moves_.pop_back();
    }
    while (intervals_.size() > mark.intervals) {
        known_[static_cast<std::size_t>(intervals_.back().variable)] = intervals_.back().interval;
        intervals_.pop_back();
    }
    while (changed_.size() > mark.steps) {
        const auto& [step, old] = changed_.back();
        Status& status = status_[static_cast<std::size_t>(step)];
        count(steps_[static_cast<std::size_t>(step)], status, -1);
        status = old;
        count(steps_[static_cast<std::size_t>(step)], status, +1);
        changed_.pop_back();
    }
}

Truth PartialAssignment::rule(std::size_t block) const {
    const auto& literal = structure_.prefix[block].rule;
    return literal ? truth(*literal, known_) : Truth::yes;
}

Truth PartialAssignment::cut(std::size_t cut) const {
    Truth result = truth(model_.cuts[cut].claim, known_);
    if (result == Truth::yes) return result;
    for (const model::Literal literal : model_.cuts[cut].when) {
        const Truth t = truth(literal, known_);
        if (t == Truth::no) return Truth::yes;
        if (t == Truth::unknown) result = t;
    }
    return result;
}

Truth PartialAssignment::win() const {
    return broken_ > 0 ? Truth::no : open_ > 0 ? Truth::unknown : Truth::yes;
}

Hash128 PartialAssignment::residue() const {
    Hasher hasher;
    for (const Hash128& hash : {residues_, moves_hash_}) hasher.add(hash);
    hasher.add(broken_ > 0 ? 1 : 0);
    for (std::size_t b = 0; b < structure_.prefix.size(); ++b) {
        if (structure_.prefix[b].rule) hasher.add(static_cast<std::uint64_t>(rule(b)));
    }
    for (std::size_t c = 0; c < model_.cuts.size(); ++c) {
        const Truth decision = cut(c);
        hasher.add(static_cast<std::uint64_t>(decision));
        if (decision != Truth::unknown) continue;
        hasher.add(static_cast<std::uint64_t>(truth(model_.cuts[c].claim, known_)));
        for (const model::Literal l : model_.cuts[c].when)
            hasher.add(static_cast<std::uint64_t>(truth(l, known_)));
    }
    return hasher.value();
}

std::string PartialAssignment::broken_demand() const {
    for (std::size_t s = 0; s < steps_.size(); ++s) {
        if (!steps_[s].demand || status_[s].truth != Truth::no) continue;
        const auto& [constraint, literal, output, demand] = steps_[s];
        const model::VarId named = constraint == nullptr ? literal.variable : output;
        if (named >= 0 && !was_named_by_a_modeller(model_, named)) continue;
        if (constraint == nullptr) {
            return fmt::format("{} is {}", model_.name_of(named), literal.positive ? "false" : "true");
        }
        if (output >= 0) {
            return fmt::format("{} has no value in its domain {}", model_.name_of(output),
                               model_.domain(output).text());
        }
        const std::string place = constraint->place.text();
        return place.empty() ? "a constraint is broken" : "the constraint at " + place + " is broken";
    }
    return "";
}

void PartialAssignment::count(const Step& step, const Status& status, int sign) {
    if (step.demand && status.truth == Truth::no) broken_ += sign;
    if (step.demand && status.truth == Truth::unknown) open_ += sign;
    residues_ = sign > 0 ? residues_ + status.residue : residues_ - status.residue;
}

void PartialAssignment::set(model::VarId v, model::Interval interval) {
    model::Interval& known = known_[static_cast<std::size_t>(v)];
    if (known.low == interval.low && known.high == interval.high) return;
    intervals_.push_back({v, known});
    known = interval;
    for (const int step : readers_[static_cast<std::size_t>(v)]) {
        const auto word = static_cast<std::size_t>(step) / 64;
        due_[word] |= std::uint64_t{1} << (step % 64);
        first_due_ = std::min(first_due_, word);
    }
}

void PartialAssignment::set(int step, Status status) {
    Status& old = status_[static_cast<std::size_t>(step)];
    if (old.truth == status.truth && old.residue == status.residue) return;
    changed_.push_back({step, old});
    count(steps_[static_cast<std::size_t>(step)], old, -1);
    old = status;
    count(steps_[static_cast<std::size_t>(step)], old, +1);
}

void PartialAssignment::run() {
    for (; first_due_ < due_.size(); ++first_due_) {
        std::uint64_t& word = due_[first_due_];
        while (word != 0) {
            const auto step = static_cast<int>(first_due_ * 64) + std::countr_zero(word);
            word &= word - 1;
            if (!settled(step)) evaluate(step);
        }
    }
}

bool PartialAssignment::settled(int step) const {
    const Step& s = steps_[static_cast<std::size_t>(step)];
    const Truth truth = status_[static_cast<std::size_t>(step)].truth;
    return truth == Truth::no || (truth == Truth::yes && (s.output < 0 || (*this)[s.output].single()));
}

void PartialAssignment::evaluate(int step) {
    const Step& s = steps_[static_cast<std::size_t>(step)];
    Status status;
    if (s.output >= 0) {
        status.truth = evaluate_definition(s);
    } else {
        status.truth = s.constraint != nullptr ? truth(*s.constraint, known_) : truth(s.literal, known_);
    }
    const bool open = status.truth == Truth::unknown ||
                      (status.truth == Truth::yes && s.output >= 0 && !(*this)[s.output].single());
    if (open) status.residue = residue_of(step);
    set(step, status);
}

Hash128 PartialAssignment::residue_of(int step) const {
    Hasher hasher;
    hasher.add(static_cast<std::uint64_t>(step));
    const model::Constraint* constraint = steps_[static_cast<std::size_t>(step)].constraint;
    if (constraint != nullptr) add_residue(hasher, *constraint, known_);
    return hasher.value();
}

// Narrows the output to what the definition gives; the answer is whether the output has a value in its
// domain.
Truth PartialAssignment::evaluate_definition(const Step& step) {
    const auto [values, exists] = compute(*step.constraint, step.output, known_);
    const model::Domain& domain = structure_.domain[static_cast<std::size_t>(step.output)];
    const model::Interval inside{std::max(values.low, domain.low()), std::min(values.high, domain.high())};
    if (exists == Truth::no || inside.low > inside.high ||
        (values.single() && !domain.contains(values.low))) {
        if (!step.demand)
            throw std::logic_error("a total definition of " + model_.name_of(step.output) + " is not total");
        return Truth::no;
    }
    set(step.output, inside);
    if (!step.demand) return Truth::yes;
    const bool whole = values.inside(hull(domain)) && (domain.ranges().size() == 1 || values.single());
    return exists == Truth::yes && whole ? Truth::yes : Truth::unknown;
}

}  // namespace zermelo::strategy
