#include "strategy/referee.hpp"

#include <algorithm>

namespace zermelo {

Referee::Referee(const Model& model, const Structure& structure)
    : model_(model),
      structure_(structure),
      moves_(model.strategic ? decltype(moves_)(Followed<PossibleStates>{PossibleStates(model, structure)})
                             : decltype(moves_)(Followed<Outlook>{Outlook(model, structure)})) {}

void Referee::play(VarId variable, Value value) {
    std::visit(
        [&](auto& moves) {
            moves.marks.push_back(moves.view.mark());
            moves.view.play(variable, value);
        },
        moves_);
}

void Referee::take_back() {
    std::visit(
        [](auto& moves) {
            moves.view.undo(moves.marks.back());
            moves.marks.pop_back();
        },
        moves_);
}

bool Referee::played(VarId v) const {
    return std::visit([&](const auto& moves) { return moves.view.played(v); }, moves_);
}

const Interval& Referee::operator[](VarId v) const {
    return std::visit([&](const auto& moves) -> const Interval& { return moves.view[v]; }, moves_);
}

Hash128 Referee::residue() {
    return std::visit([](auto& moves) { return moves.view.residue(); }, moves_);
}

Truth Referee::rule(std::size_t block) {
    if (const auto* quantified = std::get_if<Followed<Outlook>>(&moves_)) return quantified->view.rule(block);
    PossibleStates& states = std::get<Followed<PossibleStates>>(moves_).view;
    const bool legal = structure_.prefix[block].variables.empty() || states.exist_in(block);
    return legal ? Truth::yes : Truth::no;
}

bool Referee::can_finish(std::size_t block) {
    const Truth now = rule(block);
    if (now != Truth::unknown) return now == Truth::yes;
    const auto& variables = structure_.prefix[block].variables;
    const auto open = std::find_if(variables.begin(), variables.end(), [&](VarId v) { return !played(v); });
    if (open == variables.end()) return false;
    for (const Domain::Range& range : model_.domain(*open).ranges()) {
        for (Value value = range.low; value <= range.high; ++value) {
            if (legal(*open, value)) return true;
        }
    }
    return false;
}

bool Referee::legal(VarId variable, Value value) {
    play(variable, value);
    const bool answer = can_finish(static_cast<std::size_t>(structure_.block_of[variable]));
    take_back();
    return answer;
}

std::vector<Value> Referee::legal(VarId variable) {
    std::vector<Value> values;
    model_.domain(variable).each([&](Value value) {
        if (legal(variable, value)) values.push_back(value);
    });
    return values;
}

Quantifier Referee::winner() {
    if (const auto* quantified = std::get_if<Followed<Outlook>>(&moves_))
        return quantified->view.win() == Truth::yes ? Quantifier::exists : Quantifier::forall;
    return std::get<Followed<PossibleStates>>(moves_).view.exist() ? Quantifier::exists : Quantifier::forall;
}

void Referee::settle() {
    if (auto* strategic = std::get_if<Followed<PossibleStates>>(&moves_)) strategic->view.settle();
}

}  // namespace zermelo
