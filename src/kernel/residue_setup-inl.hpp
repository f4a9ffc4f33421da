// Definitions of ResidueReader: what it makes once of a program. Included by residue.cpp.

#pragma once

#include <algorithm>
#include <limits>

#include "kernel/residue.hpp"

namespace zermelo::kernel {

template <class Position>
ResidueReader<Position>::ResidueReader(const Program& program, std::span<const model::Renaming> renamings)
    : program_(program),
      images_(renamings.size() + 1),
      terms_(renamings),
      sums_(images_),
      flat_(program.model.constraints.size()),
      definition_(program.model.variables.size(), -1),
      parts_(program.model.constraints.size(), Part{false, false}),
      known_(program.model.variables.size()),
      users_(program.model.variables.size(), 0),
      watched_((program.model.variables.size() + 63) / 64, 0),
      hashes_((program.model.constraints.size() + program.model.variables.size()) * images_),
      counted_(program.model.variables.size(), 0),
      level_(program.model.constraints.size() + program.model.variables.size(), program.blocks()),
      level_totals_((static_cast<std::size_t>(program.blocks()) + 1) * images_),
      level_demands_(static_cast<std::size_t>(program.blocks()) + 1, 0),
      totals_(images_),
      scheduled_in_(program.model.constraints.size(), 0),
      touched_in_(static_cast<std::size_t>(program.blocks()) + 1, 0) {
    hash_names(renamings);
    for (const int c : program.cone) {
        parts_[c].open = true;
        flatten(c);
        if (flat_[c].output >= 0) definition_[flat_[c].output] = c;
        for (const model::VarId v : program.variables_of[c]) ++users_[v];
    }
    for (const auto& variables : program.variables_of) {
        first_of_scope_.push_back(static_cast<std::uint32_t>(scopes_.size()));
        scopes_.insert(scopes_.end(), variables.begin(), variables.end());
    }
    first_of_scope_.push_back(static_cast<std::uint32_t>(scopes_.size()));
    const auto add_reader = [&](model::Literal literal) { ++known_[literal.variable].conditions; };
    for (const model::Block& block : program.structure.prefix) {
        if (block.rule) add_reader(*block.rule);
    }
    for (const model::Literal literal : program.model.win) add_reader(literal);
    for (const model::Cut& cut : program.model.cuts) {
        for (const model::Literal literal : cut.when) add_reader(literal);
        add_reader(cut.claim);
    }
    find_levels();
    find_premises();
    list_uses();
}

template <class Position>
ResidueReader<Position>::Uses::Uses(std::vector<std::vector<int>> lists, const std::vector<int>& level)
    : first_(lists.size() + 1, 0) {
    for (std::size_t v = 0; v < lists.size(); ++v) {
        std::stable_sort(lists[v].begin(), lists[v].end(), [&](int a, int b) { return level[a] > level[b]; });
        for (const int c : lists[v]) {
            const auto at = static_cast<std::uint32_t>(constraints_.size());
            if (groups_.size() == first_[v] || groups_.back().level != level[c])
                groups_.push_back({level[c], at, at});
            ++groups_.back().end;
            constraints_.push_back(c);
        }
        first_[v + 1] = static_cast<std::uint32_t>(groups_.size());
    }
}

// In a strategic model a constraint may be open when its last move is made. What a condition reads is dropped
// when the condition is over.
template <class Position>
void ResidueReader<Position>::find_levels() {
    if (program_.model.strategic) return;
    for (const int c : program_.cone) {
        if (flat_[c].due >= 0) level_[c] = flat_[c].due;
    }
    for (std::size_t v = 0; v < known_.size(); ++v) {
        const int level = program_.structure.level[v];
        if (level >= 0 && known_[v].conditions == 0) level_[thing(static_cast<model::VarId>(v))] = level;
    }
}

template <class Position>
void ResidueReader<Position>::find_premises() {
    for (std::size_t v = 0; v < known_.size(); ++v) {
        const auto first = static_cast<std::uint32_t>(premises_.size());
        first_premise_.push_back(first);
        for (const int c : program_.consequences[v]) {
            std::uint32_t at = first;
            while (at < premises_.size() && premises_[at].level != level_[c]) ++at;
            if (at == premises_.size()) premises_.push_back({*program_.premise[c], level_[c]});
            flat_[c].premise = at;
        }
    }
    first_premise_.push_back(static_cast<std::uint32_t>(premises_.size()));
}

template <class Position>
void ResidueReader<Position>::list_uses() {
    std::vector<std::vector<int>> any(known_.size());
    std::vector<std::vector<int>> sums_of = any;
    std::array<std::vector<std::vector<int>>, 2> read_by{any, any};
    std::array<std::vector<std::vector<int>>, 2> closed_by{any, any};
    for (const int c : program_.cone) {
        const Flat& flat = flat_[c];
        const bool waits = program_.model.strategic && flat.due >= 0;
        if (flat.form != Flat::Form::other && flat.form != Flat::Form::clause && flat.literal >= 0 &&
            !waits) {
            for (const Operand& operand : operands(flat)) sums_of[operand.variable].push_back(c);
            any[flat.literal].push_back(c);
            continue;
        }
        // While a constraint waits, nothing propagates it.
        if (flat.form != Flat::Form::clause || waits) {
            for (const model::VarId v : program_.variables_of[c]) any[v].push_back(c);
            continue;
        }
        auto& lists = flat.plain_clause() ? closed_by : read_by;
        for (const auto [positive, variable] : operands(flat)) lists[positive][variable].push_back(c);
        if (flat.literal >= 0) any[flat.literal].push_back(c);
    }
    uses_ = Uses(std::move(any), level_);
    sums_of_ = Uses(std::move(sums_of), level_);
    for (const std::size_t value : {0, 1}) {
        read_by_[value] = Uses(std::move(read_by[value]), level_);
        closed_by_[value] = Uses(std::move(closed_by[value]), level_);
    }
}

template <class Position>
void ResidueReader<Position>::hash_names(std::span<const model::Renaming> renamings) {
    names_.reserve(hashes_.size());
    const auto name = [&](std::uint64_t kind, std::size_t count, std::vector<int> model::Renaming::*images) {
        for (std::size_t i = 0; i < count; ++i) {
            names_.push_back(mixed(kind, i));
            for (const model::Renaming& renaming : renamings)
                names_.push_back(mixed(kind, static_cast<std::uint64_t>((renaming.*images)[i])));
        }
    };
    name(1, program_.model.constraints.size(), &model::Renaming::constraint);
    name(2, program_.model.variables.size(), &model::Renaming::variable);
}

template <class Position>
void ResidueReader<Position>::flatten(int c) {
    Flat& flat = flat_[c];
    flat.due = program_.structure.due[c];
    flat.output = program_.structure.total[c] ? program_.structure.output[c] : -1;
    flat.first = static_cast<std::uint32_t>(operands_.size());
    const auto small = [](model::Value value) {
        constexpr model::Value most = std::numeric_limits<std::int32_t>::max() / 2;
        return -most <= value && value <= most;
    };
    std::optional<model::Literal> by;
    const model::Constraint& constraint = program_.constraint(c);
    if (const auto* clause = std::get_if<model::Clause>(&constraint.body)) {
        for (const model::Literal l : clause->literals) operands_.push_back({l.positive ? 1 : 0, l.variable});
        by = clause->reified;
        flat.form = Flat::Form::clause;
    } else if (const auto* linear = std::get_if<model::Linear>(&constraint.body)) {
        const bool fits = small(linear->constant) &&
                          std::all_of(linear->terms.begin(), linear->terms.end(),
                                      [&](const model::Term& term) { return small(term.coefficient); });
        if (!fits || (flat.output >= 0 && !linear->reified)) return;
        for (const model::Term& term : linear->terms)
            operands_.push_back({static_cast<std::int32_t>(term.coefficient), term.variable});
        by = linear->reified;
        flat.constant = static_cast<std::int32_t>(linear->constant);
        flat.form = linear->relation == model::Relation::at_most ? Flat::Form::at_most
                    : linear->relation == model::Relation::equal ? Flat::Form::equal
                                                                 : Flat::Form::different;
    }
    if (by) flat.literal = by->variable, flat.positive = by->positive;
    flat.count = static_cast<std::uint32_t>(operands_.size()) - flat.first;
}

}  // namespace zermelo::kernel
