#include "ggp/player/percept_reader.hpp"

#include <algorithm>

namespace zermelo::ggp {

using play::JointMove;
using play::MoveId;

namespace {

[[noreturn]] void unknown(const std::string& what) {
    throw Error("the message speaks of " + what, "the manager and the player must have the same rules");
}

}  // namespace

PerceptReader::PerceptReader(const play::GameContext& rules, std::size_t role)
    : rules_(rules), role_(role), names_(rules), info_(rules), state_(rules.machine().initial()) {
    for (const auto& percept : rules.machine().network().sees[role])
        percepts_.emplace(lower(rules.game().text(percept.term)), percept.term);
}

// All moves, if that is what the message lists.
std::optional<JointMove> PerceptReader::as_moves(const Message& message,
                                                 const std::optional<std::string>& answered) const {
    if (message.dated || message.items.size() != rules_.roles() || !state_) return std::nullopt;
    JointMove joint;
    for (std::size_t r = 0; r < rules_.roles(); ++r) {
        const auto move = names_.find(r, message.items[r]);
        if (!move) return std::nullopt;
        joint.push_back(*move);
    }
    // Percepts may look like moves by accident; then hardly like ours.
    const auto is_percept = [&](const std::string& item) { return percepts_.contains(item); };
    if (rules_.hidden() && answered && message.items[role_] != *answered &&
        std::ranges::all_of(message.items, is_percept))
        return std::nullopt;
    return joint;
}

MoveId PerceptReader::own_move(const Message& message, const std::optional<std::string>& answered) const {
    const auto& said = message.own ? message.own : answered;
    if (!said) unknown("a step that lacks our move");
    const auto move = names_.find(role_, *said);
    if (!move) unknown(*said + " as our move, which does not exist");
    return *move;
}

// Where every move is seen as such.
JointMove PerceptReader::moves_seen(const Message& message, MoveId own) const {
    const gdl::Network& network = rules_.machine().network();
    JointMove joint(rules_.roles(), 0);
    for (std::size_t r = 0; r < rules_.roles(); ++r) {
        bool told = r == role_;
        if (told) joint[r] = own;
        for (const std::string& item : message.items) {
            const auto percept = percepts_.find(item);
            if (told || percept == percepts_.end()) continue;
            const auto& seen =
                *std::ranges::find(network.sees[role_], percept->second, &gdl::Network::Percept::term);
            const auto& moves = network.moves[r];
            for (MoveId m = 0; m < moves.size() && !told; ++m) {
                told = seen.seen == gdl::Signal(moves[m].node, false);
                if (told) joint[r] = m;
            }
        }
        // A role with a single move need not be seen.
        if (!told && network.moves[r].size() > 1)
            unknown("a step that lacks the move of " + rules_.role_name(r));
    }
    return joint;
}

play::Observation PerceptReader::read(const Message& message, const std::optional<std::string>& answered) {
    play::Observation seen;
    auto joint = as_moves(message, answered);
    if (!joint && !rules_.hidden()) joint = moves_seen(message, own_move(message, answered));
    if (joint) {
        info_.load(*state_);
        for (std::size_t r = 0; r < rules_.roles(); ++r) {
            if (!std::ranges::binary_search(info_.legal(r), (*joint)[r]))
                throw InconsistentStep(rules_.game().move_text(r, (*joint)[r]) + " is not legal now",
                                       "send every step of the match");
        }
        info_.play(*joint, *state_);
        seen.own = (*joint)[role_];
        if (rules_.hidden())
            seen.percepts = info_.percepts(role_);
        else
            seen.joint = std::move(*joint);
        return seen;
    }
    state_.reset();
    seen.own = own_move(message, answered);
    for (const std::string& item : message.items) {
        const auto percept = percepts_.find(item);
        if (percept == percepts_.end()) unknown(item + ", which is not a percept of this game");
        seen.percepts.push_back(percept->second);
    }
    std::ranges::sort(seen.percepts);
    return seen;
}

}  // namespace zermelo::ggp
