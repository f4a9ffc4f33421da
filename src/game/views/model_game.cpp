#include "game/views/model_game.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace zermelo::game {

namespace {

bool bytewise(model::Value a, model::Value b) { return std::to_string(a) < std::to_string(b); }

}  // namespace

ModelGame::ModelGame(const model::Model& model)
    : model_(model),
      structure_(std::make_shared<const model::Structure>(analyse(model))),
      referee_(model, *structure_) {
    for (const model::Block& block : structure_->prefix) {
        order_.insert(order_.end(), block.variables.begin(), block.variables.end());
    }
    look({});
}

Player ModelGame::owner(std::size_t block) const {
    return structure_->prefix[block].quantifier == model::Quantifier::exists ? exists : forall;
}

void ModelGame::look(const State& state) {
    go_to(state);
    find_legal_moves();
}

// States that are looked at one after the other usually begin alike.
void ModelGame::go_to(const State& state) {
    const auto common = static_cast<std::size_t>(
        std::mismatch(at_.begin(), at_.end(), state.begin(), state.end()).first - at_.begin());
    for (std::size_t i = at_.size(); i > common; --i) referee_.take_back();
    for (std::size_t i = common; i < state.size(); ++i) referee_.play(order_[i], state[i]);
    at_ = state;
}

void ModelGame::find_legal_moves() {
    legal_.clear();
    turn_ = {};
    const bool all_played = at_.size() == order_.size();
    const model::VarId variable = all_played ? -1 : order_[at_.size()];
    const auto block =
        all_played ? structure_->prefix.size()
                   : static_cast<std::size_t>(structure_->block_of[static_cast<std::size_t>(variable)]);
    for (std::size_t b = 0; b < block; ++b) {
        // Nobody moves in a block without variables, but its rule may be broken.
        if (structure_->prefix[b].variables.empty() && !referee_.can_finish(b)) return lose(owner(b));
    }
    if (all_played) {
        winner_ = referee_.winner() == model::Quantifier::exists ? exists : forall;
        return;
    }
    legal_ = referee_.legal(variable);
    if (legal_.empty()) return lose(owner(block));
    std::sort(legal_.begin(), legal_.end(), bytewise);
    turn_ = {Turn::Kind::player, owner(block)};
}

void ModelGame::successor(std::size_t move, State& out) const {
    out = at_;
    out.push_back(legal_[move]);
}

Hash128 ModelGame::key(const State& state) const {
    Hasher hasher;
    for (const model::Value value : state) hasher.add(static_cast<std::uint64_t>(value));
    hasher.add(state.size());
    return hasher.value();
}

std::string ModelGame::move_name(std::size_t move) const {
    const model::VarId variable = order_[at_.size()];
    return fmt::format("{} = {}", model_.name_of(variable), model_.value_text(variable, legal_[move]));
}

std::string ModelGame::state_name(const State& state) const {
    std::string name;
    for (std::size_t i = 0; i < state.size(); ++i) {
        name += fmt::format("{}{} = {}", i > 0 ? ", " : "", model_.name_of(order_[i]),
                            model_.value_text(order_[i], state[i]));
    }
    return name;
}

}  // namespace zermelo::game
