#include "strategy/rules/model_rules.hpp"

#include <algorithm>

namespace zermelo::strategy {

ModelRules::ModelRules(const model::Model& model, const model::Structure& structure)
    : model_(model),
      structure_(structure),
      moves_(model.strategic
                 ? decltype(moves_)(Followed<PossibleStates>{PossibleStates(model, structure)})
                 : decltype(moves_)(Followed<PartialAssignment>{PartialAssignment(model, structure)})) {}

void ModelRules::play(model::VarId variable, model::Value value) {
    std::visit(
        [&](auto& moves) {
            moves.marks.push_back(moves.view.mark());
            moves.view.play(variable, value);
        },
        moves_);
}

void ModelRules::take_back() {
    std::visit(
        [](auto& moves) {
            moves.view.undo(moves.marks.back());
            moves.marks.pop_back();
        },
        moves_);
}

bool ModelRules::played(model::VarId v) const {
    return std::visit([&](const auto& moves) { return moves.view.played(v); }, moves_);
}

const model::Interval& ModelRules::operator[](model::VarId v) const {
    return std::visit([&](const auto& moves) -> const model::Interval& { return moves.view[v]; }, moves_);
}

Hash128 ModelRules::residue() {
    return std::visit([](auto& moves) { return moves.view.residue(); }, moves_);
}

Truth ModelRules::rule(std::size_t block) {
    if (const auto* quantified = std::get_if<Followed<PartialAssignment>>(&moves_))
        return quantified->view.rule(block);
    PossibleStates& states = std::get<Followed<PossibleStates>>(moves_).view;
    const bool legal = structure_.prefix[block].variables.empty() || states.exist_in(block);
    return legal ? Truth::yes : Truth::no;
}

bool ModelRules::can_finish(std::size_t block) {
    const Truth now = rule(block);
    if (now != Truth::unknown) return now == Truth::yes;
    const auto& variables = structure_.prefix[block].variables;
    const auto open =
        std::find_if(variables.begin(), variables.end(), [&](model::VarId v) { return !played(v); });
    if (open == variables.end()) return false;
    for (const model::Domain::Range& range : model_.domain(*open).ranges()) {
        for (model::Value value = range.low; value <= range.high; ++value) {
            if (legal(*open, value)) return true;
        }
    }
    return false;
}

bool ModelRules::legal(model::VarId variable, model::Value value) {
    play(variable, value);
    const bool answer = can_finish(static_cast<std::size_t>(structure_.block_of[variable]));
    take_back();
    return answer;
}

std::vector<model::Value> ModelRules::legal(model::VarId variable) {
    std::vector<model::Value> values;
    model_.domain(variable).each([&](model::Value value) {
        if (legal(variable, value)) values.push_back(value);
    });
    return values;
}

model::Quantifier ModelRules::winner() {
    if (const auto* quantified = std::get_if<Followed<PartialAssignment>>(&moves_))
        return quantified->view.win() == Truth::yes ? model::Quantifier::exists : model::Quantifier::forall;
    return std::get<Followed<PossibleStates>>(moves_).view.exist() ? model::Quantifier::exists
                                                                   : model::Quantifier::forall;
}

void ModelRules::settle() {
    if (auto* strategic = std::get_if<Followed<PossibleStates>>(&moves_)) strategic->view.settle();
}

}  // namespace zermelo::strategy
