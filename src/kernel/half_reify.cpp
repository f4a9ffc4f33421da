// Half-reification of rules and of the winning condition; see program.hpp.

#include "kernel/program.hpp"

namespace zermelo::kernel {

namespace {

// What reads a variable.
struct Readers {
    int constraints = 0;    // of the cone, its definition among them
    bool positive = false;  // a condition asks for the variable ...
    bool negative = false;  // ... or for its negation
    bool others = false;    // a cut, the objective, or a player who chooses it
};

std::vector<Readers> readers_of(const Program& program) {
    const model::Model& model = program.model;
    std::vector<Readers> readers(model.variables.size());
    for (const int c : program.cone) {
        std::vector<model::VarId> own;
        each_variable(program.constraint(c), [&](model::VarId v) { own.push_back(v); });
        std::sort(own.begin(), own.end());
        own.erase(std::unique(own.begin(), own.end()), own.end());
        for (const model::VarId v : own) ++readers[static_cast<std::size_t>(v)].constraints;
    }
    const auto ask = [&](model::Literal l) {
        Readers& of = readers[static_cast<std::size_t>(l.variable)];
        (l.positive ? of.positive : of.negative) = true;
    };
    const auto other = [&](model::VarId v) { readers[static_cast<std::size_t>(v)].others = true; };
    for (const model::Block& block : program.structure.prefix) {
        if (block.rule) ask(*block.rule);
        for (const model::VarId v : block.variables) other(v);
    }
    for (const model::Literal literal : model.win) ask(literal);
    for (const model::Cut& cut : model.cuts) {
        for (const model::Literal literal : cut.when) other(literal.variable);
        other(cut.claim.variable);
    }
    if (model.objective) other(*model.objective);
    return readers;
}

// The clause that totally defines the variable by reification; none where something else does.
const model::Clause* defining_clause(const Program& program, model::VarId v) {
    const int c = program.structure.definition[static_cast<std::size_t>(v)];
    if (c < 0 || !program.structure.total[static_cast<std::size_t>(c)]) return nullptr;
    const auto* clause = std::get_if<model::Clause>(&program.constraint(c).body);
    return clause != nullptr && clause->reified && clause->reified->variable == v ? clause : nullptr;
}

// n × premise ≤ Σ literals: all n literals hold where the premise does.
model::Linear all_follow(const model::Model& model, model::Literal premise,
                         const std::vector<model::Literal>& literals) {
    std::vector<model::Term> terms;
    model::Value constant = 0;
    const auto add = [&](model::Value factor, model::Literal l) {
        terms.push_back({l.positive ? factor : -factor, l.variable});
        if (!l.positive) constant -= factor;
    };
    add(static_cast<model::Value>(literals.size()), premise);
    for (const model::Literal l : literals) add(-1, l);
    return make_linear(model, std::move(terms), model::Relation::at_most, constant, std::nullopt);
}

}  // namespace

void Program::half_reify() {
    const std::vector<Readers> readers = readers_of(*this);
    const auto of = [&](model::VarId v) -> const Readers& { return readers[static_cast<std::size_t>(v)]; };
    std::vector<bool> gone(model.constraints.size(), false);
    const auto replace = [&](int c, model::Literal by, auto body) {
        replaced_[static_cast<std::size_t>(c)] =
            std::make_unique<model::Constraint>(model::Constraint{std::move(body), constraint(c).place});
        premise[static_cast<std::size_t>(c)] = by;
        consequences[static_cast<std::size_t>(by.variable)].push_back(c);
        // It defines nothing any more, but what it says decides the premise.
        structure.total[static_cast<std::size_t>(c)] = false;
        structure.output[static_cast<std::size_t>(c)] = by.variable;
    };
    // `literal` holds where the premise does, and nothing else reads it.
    const auto expand = [&](auto& self, model::Literal by, model::Literal literal) -> void {
        const model::Clause clause = *defining_clause(*this, literal.variable);
        const int c = std::exchange(structure.definition[static_cast<std::size_t>(literal.variable)], -1);
        if (*clause.reified == literal) {
            model::Clause half{clause.literals, std::nullopt};
            half.literals.push_back(!by);
            replace(c, by, std::move(half));
            return;
        }
        std::vector<model::Literal> others;
        for (const model::Literal l : clause.literals) {
            const Readers& its = of(l.variable);
            const bool only_here =
                its.constraints == 2 && !its.positive && !its.negative && !its.others &&
                std::count_if(clause.literals.begin(), clause.literals.end(),
                              [&](model::Literal other) { return other.variable == l.variable; }) == 1;
            if (only_here && defining_clause(*this, l.variable) != nullptr) {
                self(self, by, !l);
            } else {
                others.push_back(!l);
            }
        }
        if (others.empty()) {
            gone[static_cast<std::size_t>(c)] = true;
        } else {
            replace(c, by, all_follow(model, by, others));
        }
    };
    const auto begin = [&](model::Literal condition) {
        const Readers& its = of(condition.variable);
        const bool one_way = its.constraints == 1 && its.positive != its.negative && !its.others;
        if (one_way && defining_clause(*this, condition.variable) != nullptr)
            expand(expand, condition, condition);
    };
    for (const model::Block& block : structure.prefix) {
        if (block.rule) begin(*block.rule);
    }
    for (const model::Literal literal : model.win) begin(literal);
    std::erase_if(cone, [&](int c) { return gone[static_cast<std::size_t>(c)]; });
}

}  // namespace zermelo::kernel
