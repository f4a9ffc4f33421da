#include "kernel/program.hpp"

namespace zermelo::kernel {

namespace {

// Everything that rules, winning condition, cuts and objective are made of.
std::vector<bool> needed_variables(const model::Model& model, const model::Structure& structure) {
    std::vector<bool> needed(model.variables.size(), false);
    const auto need = [&](model::VarId v) { needed[v] = true; };
    for (const model::Block& block : structure.prefix) {
        if (block.rule) need(block.rule->variable);
        for (const model::VarId v : block.variables) need(v);
    }
    for (const model::Literal literal : model.win) need(literal.variable);
    for (const model::Cut& cut : model.cuts) {
        for (const model::Literal literal : cut.when) need(literal.variable);
        need(cut.claim.variable);
    }
    if (model.objective) need(*model.objective);
    for (const int c : structure.winning) each_variable(model.constraints[c], need);
    for (auto c = structure.definitions.rbegin(); c != structure.definitions.rend(); ++c) {
        if (needed[structure.output[*c]]) each_variable(model.constraints[*c], need);
    }
    return needed;
}

}  // namespace

Program::Program(const model::Model& m, Rules rules) : model(m), structure(analyse(m)) {
    const auto count = model.variables.size();
    watched.assign(count, false);
    held_as_boolean.assign(count, false);
    for (const model::Block& block : structure.prefix) {
        first_move.push_back(static_cast<int>(moves.size()));
        moves.insert(moves.end(), block.variables.begin(), block.variables.end());
        if (block.quantifier == model::Quantifier::forall && !block.rule) {
            for (const model::VarId v : block.variables) watched[v] = true;
        }
    }
    first_move.push_back(static_cast<int>(moves.size()));
    for (std::size_t v = 0; v < count; ++v) {
        const model::Domain& d = structure.domain[v];
        held_as_boolean[v] = d.low() >= 0 && d.high() <= 1;
    }

    guard.assign(structure.prefix.size() + 1, blocks());
    for (int b = blocks() - 1; b >= 0; --b) {
        guard[b] = block(b).quantifier == model::Quantifier::forall && block(b).rule ? b : guard[b + 1];
    }

    const auto needed = needed_variables(model, structure);
    cone = structure.winning;
    for (auto c = structure.definitions.rbegin(); c != structure.definitions.rend(); ++c) {
        if (structure.total[*c] && needed[structure.output[*c]]) cone.push_back(*c);
    }
    premise.resize(model.constraints.size());
    consequences.resize(count);
    replaced_.resize(model.constraints.size());
    if (rules == Rules::half_reified && !model.strategic) half_reify();
    variables_of.resize(model.constraints.size());
    for (const int c : cone) {
        auto& own = variables_of[c];
        each_variable(constraint(c), [&](model::VarId v) {
            if (!domain(v).single()) own.push_back(v);
        });
        std::sort(own.begin(), own.end());
        own.erase(std::unique(own.begin(), own.end()), own.end());
    }
    used.assign(count, false);
    for (const model::VarId v : moves) used[v] = true;
    for (const model::Literal literal : model.win) used[literal.variable] = true;
    for (const int c : cone) each_variable(constraint(c), [&](model::VarId v) { used[v] = true; });
    if (model.strategic) sort_by_block();

    for (const model::Cut& cut : model.cuts) {
        std::vector<bool> below(count, false);
        below[cut.claim.variable] = true;
        for (const model::Literal literal : cut.when) below[literal.variable] = true;
        auto& own = cut_cone.emplace_back();
        for (const int c : cone) {
            if (!structure.total[c] || !below[structure.output[c]]) continue;
            own.push_back(c);
            for (const model::VarId v : variables_of[c]) below[v] = true;
        }
        int level = -1;
        for (std::size_t v = 0; v < count; ++v) {
            if (below[v]) level = std::max(level, structure.level[v]);
        }
        cut_level.push_back(level);
    }
}

void Program::sort_by_block() {
    due_at.resize(structure.prefix.size());
    demanded_at.resize(structure.prefix.size());
    for (const int c : cone) {
        // A total definition forbids nothing, so it need not wait; and what it defines is known earlier.
        if (structure.total[c]) structure.due[c] = -1;
        const int due = structure.due[c];
        (due < 0 ? from_the_start : due_at[due]).push_back(c);
    }
    if (structure.prefix.empty()) return;
    for (const model::Literal literal : model.win) {
        demanded_at[std::max(0, structure.level[literal.variable])].push_back(literal);
    }
}

}  // namespace zermelo::kernel
