#include "gdl/compiled_stepper.hpp"

#include <bit>
#include <limits>

namespace zermelo::gdl {

CompiledStepper::CompiledStepper(std::shared_ptr<CompiledMoves> moves)
    : moves_(std::move(moves)), state_words_(moves_->game_.machine().initial().size()), aside_(state_words_) {
    for (const auto& of_role : moves_->sets_) {
        auto& known = sets_.emplace_back();
        for (const auto& set : of_role) known.push_back(set.get());
    }
    load(moves_->game_.machine().initial());
}

void CompiledStepper::enter(std::size_t depth) {
    depth_ = depth;
    if (depth < plies_.size()) return;
    Ply& ply = plies_.emplace_back();
    ply.state.resize(state_words_);
    ply.keys.resize(moves_->symmetries_);
    ply.position.resize(moves_->position_words_);
    ply.choices.resize(roles());
}

void CompiledStepper::load(const State& state) {
    enter(0);
    Ply& ply = here();
    ply.state = state;
    ply.known = false;
    std::ranges::fill(ply.keys, Hash128{});
    const std::size_t fluents = moves_->network_.fluents.size();
    for (std::size_t f = 0; f < fluents; ++f) {
        if ((state[f / 64] >> (f % 64) & 1) == 0) continue;
        for (std::size_t g = 0; g < ply.keys.size(); ++g)
            ply.keys[g] = ply.keys[g] ^ moves_->zobrist_[g * fluents + f];
    }
    ply.terminal = over(ply.state);
}

State CompiledStepper::state() const { return here().state; }

bool CompiledStepper::over(const std::vector<std::uint64_t>& state) const {
    return (*moves_->outcome_->run(state.data(), words_) & 1) != 0;
}

namespace {

bool bit(const std::uint64_t* words, std::size_t lane) { return (words[lane / 64] >> (lane % 64) & 1) != 0; }

}  // namespace

int CompiledStepper::goal(std::size_t role) const {
    const std::uint64_t* answers = moves_->outcome_->run(here().state.data(), words_);
    for (const auto& goal : moves_->goals_[role]) {
        if (bit(answers, goal.lane)) return goal.value;
    }
    return -1;
}

auto CompiledStepper::known() const -> Ply& {
    Ply& ply = here();
    if (ply.known) return ply;
    const std::uint64_t* answers = moves_->position_->run(ply.state.data(), words_);
    std::copy_n(answers, ply.position.size(), ply.position.data());
    for (std::size_t r = 0; r < ply.choices.size(); ++r) {
        int count = 0;
        for (std::uint32_t w = moves_->first_legal_[r]; w < moves_->first_legal_[r + 1]; ++w)
            count += std::popcount(ply.position[w]);
        ply.choices[r] = static_cast<std::uint32_t>(count);
    }
    ply.set = nullptr;
    ply.known = true;
    return ply;
}

void CompiledStepper::legal(std::size_t role, std::vector<MoveId>& moves) const {
    const Ply& ply = known();
    moves.clear();
    const MoveId* order = moves_->order_[role].data();
    for (std::uint32_t w = moves_->first_legal_[role]; w < moves_->first_legal_[role + 1]; ++w, order += 64) {
        for (std::uint64_t bits = ply.position[w]; bits != 0; bits &= bits - 1)
            moves.push_back(order[std::countr_zero(bits)]);
    }
}

std::pair<int, int> CompiledStepper::goal_bounds(std::size_t role) const {
    const Ply& ply = known();
    int low = std::numeric_limits<int>::max();
    int high = -1;
    for (const auto& goal : moves_->impossible_[role]) {
        if (bit(ply.position.data(), goal.lane)) continue;
        low = std::min(low, goal.value);
        high = std::max(high, goal.value);
    }
    return high < 0 ? std::pair(0, 100) : std::pair(low, high);
}

auto CompiledStepper::find_set(Ply& ply, std::size_t role) -> const MoveSet& {
    for (const MoveSet* set : sets_[role]) {
        bool same = true;
        for (std::size_t r = 0; r < roles() && same; ++r) {
            same = r == role ||
                   bit(ply.position.data() + moves_->first_legal_[r], moves_->place_[r][set->joint[r]]);
        }
        if (same) return *set;
    }
    return add_set(role);
}

auto CompiledStepper::add_set(std::size_t role) -> const MoveSet& {
    JointMove joint(roles(), 0);
    std::vector<MoveId> moves;
    for (std::size_t r = 0; r < roles(); ++r) {
        if (r == role) continue;
        legal(r, moves);
        joint[r] = moves.front();
    }
    return *sets_[role].emplace_back(&moves_->find_or_compile(role, joint));
}

void CompiledStepper::find_changes(Ply& ply, std::size_t role) {
    const MoveSet& set = find_set(ply, role);
    if (ply.set == &set) return;
    ply.set = &set;
    const std::uint64_t* answers = set.query->run(ply.state.data(), words_);
    ply.nexts.assign(answers, answers + set.change_words);
    answers += set.change_words;
    ply.flips.resize(set.change_words);
    for (std::uint32_t w = 0; w < set.change_words; ++w) ply.flips[w] = ply.nexts[w] ^ answers[w];
    answers += set.change_words;
    ply.ends.assign(answers, answers + set.end_words);
    find_threats(ply, role);
}

void CompiledStepper::find_threats(Ply& ply, std::size_t role) {
    const auto& pairs = moves_->threats_[role].pairs;
    const auto& query = moves_->threats_[role].query;
    ply.threats.clear();
    if (query == nullptr) return;
    ply.threats.resize(moves_->network_.fluents.size());
    const std::uint64_t* answers = query->run(ply.state.data(), words_);
    for (std::size_t first = 0; first < pairs.size(); first += 64) {
        for (std::uint64_t bits = answers[first / 64]; bits != 0; bits &= bits - 1) {
            const auto& [one, other] = pairs[first + static_cast<std::size_t>(std::countr_zero(bits))];
            ++ply.threats[one];
            ++ply.threats[other];
        }
    }
}

template <class Visit>
inline void CompiledStepper::each_change(const Ply& ply, const CompiledMoves::Span& span, Visit visit) {
    for (std::uint32_t w = span.word; w < span.word + span.words; ++w) {
        for (std::uint64_t bits = ply.flips[w] & span.mask; bits != 0; bits &= bits - 1)
            visit(w * 64 + static_cast<std::uint32_t>(std::countr_zero(bits)));
    }
}

void CompiledStepper::play(std::size_t role, MoveId move) {
    find_changes(known(), role);
    enter(depth_ + 1);
    const Ply& from = plies_[depth_ - 1];
    const MoveSet& set = *from.set;
    Ply& to = here();
    const std::uint32_t place = moves_->place_[role][move];
    std::copy_n(from.state.data(), state_words_, to.state.data());
    std::copy_n(from.keys.data(), from.keys.size(), to.keys.data());
    each_change(from, set.spans[place], [&](std::uint32_t lane) {
        const std::uint32_t f = set.fluents[lane];
        to.state[f / 64] ^= std::uint64_t{1} << (f % 64);
        const Hash128* keys = set.keys.data() + std::size_t{lane} * to.keys.size();
        for (std::size_t g = 0; g < to.keys.size(); ++g) to.keys[g] = to.keys[g] ^ keys[g];
    });
    to.terminal = set.end_words > 0 ? bit(from.ends.data(), place) : over(to.state);
    to.known = false;
}

CompiledStepper::Peek CompiledStepper::peek(std::size_t role, MoveId move, std::size_t whose_goal) {
    Ply& ply = known();
    find_changes(ply, role);
    const MoveSet& set = *ply.set;
    const std::uint32_t place = moves_->place_[role][move];
    const CompiledMoves::Span& span = set.spans[place];
    Peek peek{};
    const std::size_t symmetries = ply.keys.size();
    for (std::size_t g = 0; g < symmetries; ++g) {
        Hash128 effect{};
        each_change(ply, span, [&](std::uint32_t lane) {
            effect = effect ^ set.keys[std::size_t{lane} * symmetries + g];
        });
        const Hash128 key = ply.keys[g] ^ effect;
        if (g == 0) peek.effect = effect;
        if (g == 0 || key < peek.key) peek.key = key;
    }
    if (!ply.threats.empty()) {
        each_change(ply, span, [&](std::uint32_t lane) {
            if (!bit(ply.nexts.data(), lane)) return;
            peek.threats += ply.threats[set.fluents[lane]];
            peek.lines += moves_->threats_[role].lines[set.fluents[lane]];
        });
    }
    if (set.end_words > 0 && !bit(ply.ends.data(), place)) return peek;
    aside_ = ply.state;
    each_change(ply, span, [&](std::uint32_t lane) {
        const std::uint32_t f = set.fluents[lane];
        aside_[f / 64] ^= std::uint64_t{1} << (f % 64);
    });
    const std::uint64_t* answers = moves_->outcome_->run(aside_.data(), words_);
    peek.terminal = (*answers & 1) != 0;
    if (!peek.terminal) return peek;
    for (std::size_t r = 0; r < roles(); ++r) {
        int goal = -1;
        for (auto stated = moves_->goals_[r].rbegin(); stated != moves_->goals_[r].rend(); ++stated) {
            if (bit(answers, stated->lane)) goal = stated->value;
        }
        peek.goals += goal;
        if (r == whose_goal) peek.goal = goal;
    }
    return peek;
}

}  // namespace zermelo::gdl
