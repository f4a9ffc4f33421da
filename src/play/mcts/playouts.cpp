#include "play/mcts/playouts.hpp"

#include <algorithm>

#include "core/clock.hpp"

namespace zermelo::play {

namespace {

constexpr std::uint64_t most_moves = 2000;  // of a play; longer ones do not count
constexpr std::uint64_t moves_between_looks = 8;
constexpr std::size_t narrowest = 128;  // lanes
constexpr std::size_t few_plays = 2;    // plays that are not worth a batch
constexpr double forgetting = 0.95;
constexpr double caution = 1.3;  // a batch may take so much longer than the last ones

void clear(std::vector<Playouts::Result>& out, std::size_t size) {
    out.resize(size);
    for (Playouts::Result& result : out) {
        result.playouts = 0;
        result.uses.clear();
    }
}

}  // namespace

Playouts::Playouts(const GameContext& rules, std::uint64_t seed, std::size_t lanes)
    : rules_(rules), info_(rules), random_(seed), seed_(seed), lanes_(lanes) {
    use(rules.machine());
}

void Playouts::use(const gdl::Machine& machine) {
    if (machine.initial().empty()) {
        lanes_ = 1;
        return;
    }
    wide_ = gdl::BitslicedPlayouts::make(machine, seed_, lanes_);
    lanes_ = wide_->lanes();
    if (lanes_ > narrowest)
        narrow_ = gdl::BitslicedPlayouts::make(machine, mixed(seed_, narrowest).low, narrowest);
    slices_ = wide_.get();
}

void Playouts::one_by_one() {
    wide_ = nullptr;
    narrow_ = nullptr;
    slices_ = nullptr;
    lanes_ = 1;
}

// A machine word that is just wide enough: the narrow one is faster.
void Playouts::deal(std::span<const State* const> states, std::size_t each, bool record_moves) {
    const bool narrow = narrow_ && each > 0 && states.size() * each <= narrowest;
    slices_ = narrow ? narrow_.get() : wide_.get();
    slices_->assign_groups(states, each, record_moves);
}

void Playouts::run(std::span<const State* const> states, std::size_t each, bool record_moves,
                   const Deadline& deadline, std::vector<Result>& out) {
    clear(out, states.size());
    const std::size_t most = lanes() / std::max<std::size_t>(1, each);
    for (std::size_t first = 0; first < states.size();) {
        if (worth_a_batch(states.size(), each, deadline)) {
            const std::size_t count = std::min(most, states.size() - first);
            const auto begun = Deadline::Clock::now();
            deal(states.subspan(first, count), each, record_moves);
            if (!finish(begun, deadline, record_moves, std::span(out).subspan(first, count))) return;
            first += count;
        } else {
            if (deadline.passed()) return;
            run_one(*states[first], record_moves, deadline, out[first]);
            ++first;
        }
    }
}

void Playouts::run(std::span<const Exit> exits, std::size_t each, bool record_moves, const Deadline& deadline,
                   std::vector<Look>& looks, std::vector<Result>& out) {
    clear(out, exits.size());
    looks.resize(exits.size());
    if (exits.empty()) return;
    if (worth_a_batch(exits.size(), each, deadline)) {
        states_.clear();
        joints_.clear();
        for (const Exit& exit : exits) {
            states_.push_back(exit.state);
            joints_.push_back(exit.joint);
        }
        const auto begun = Deadline::Clock::now();
        deal(states_, each, record_moves);
        slices_->play_in_groups(joints_);
        slices_->group_states(looks);
        (void)finish(begun, deadline, record_moves, out);
        return;
    }
    for (std::size_t i = 0; i < exits.size(); ++i) {
        looks[i].terminal = false;
        looks[i].state.clear();
        if (deadline.passed()) continue;
        look(exits[i], looks[i]);
        if (!looks[i].terminal) run_one(looks[i].state, record_moves, deadline, out[i]);
    }
}

void Playouts::look(std::span<const Exit> exits, const Deadline& deadline, std::vector<Look>& looks,
                    std::vector<Result>& out) {
    clear(out, exits.size());
    looks.resize(exits.size());
    if (slices_ != nullptr && exits.size() > few_plays) {
        states_.clear();
        joints_.clear();
        for (const Exit& exit : exits) {
            states_.push_back(exit.state);
            joints_.push_back(exit.joint);
        }
        deal(states_, 1, false);
        slices_->play_in_groups(joints_);
        slices_->group_states(looks);
        return;
    }
    for (std::size_t i = 0; i < exits.size(); ++i) {
        looks[i].terminal = false;
        looks[i].state.clear();
        if (!deadline.passed()) look(exits[i], looks[i]);
    }
}

// One exit by the plain machine.
void Playouts::look(const Exit& exit, Look& out) {
    out.state = *exit.state;
    info_.load(out.state);
    info_.play(*exit.joint, out.state);
    info_.load(out.state);
    out.terminal = info_.terminal();
    out.goals.clear();
    out.legal.resize(rules_.roles());
    for (std::size_t r = 0; r < rules_.roles(); ++r) {
        out.legal[r].clear();
        if (out.terminal)
            out.goals.push_back(info_.goal(r));
        else
            out.legal[r] = info_.legal(r);
    }
}

bool Playouts::worth_a_batch(std::size_t states, std::size_t each, const Deadline& deadline) {
    if (slices_ == nullptr || (each == 1 && states <= few_plays)) return false;
    if (!deadline.set() || batch_seconds_ * caution < deadline.left()) return true;
    batch_seconds_ *= forgetting;  // it may have been a pause
    return false;
}

// Plays the lanes that were dealt out to the end; false where the deadline came before.
bool Playouts::finish(Deadline::Clock::time_point begun, const Deadline& deadline, bool record_moves,
                      std::span<Result> out) {
    for (std::uint64_t moves = 0; moves < most_moves; moves += moves_between_looks) {
        if (slices_->drain(tally_, moves_between_looks)) break;
        if (deadline.passed()) {
            batch_seconds_ = std::max(batch_seconds_, seconds_since(begun));
            return false;
        }
    }
    for (std::size_t i = 0; i < out.size(); ++i) {
        slices_->group_result(i, yield_);
        out[i].playouts = yield_.playouts;
        out[i].goals = yield_.goals;
        const double scale = 0.01 / std::max<double>(1, yield_.playouts);
        for (double& goal : out[i].goals) goal *= scale;
        if (!record_moves) continue;
        slices_->move_statistics(i, out[i].uses);
        for (Use& use : out[i].uses) use.goals *= 0.01;
    }
    batch_seconds_ = 0.7 * batch_seconds_ + 0.3 * seconds_since(begun);
    return true;
}

void Playouts::run_one(const State& state, bool record_moves, const Deadline& deadline, Result& out) {
    State at = state;
    JointMove joint;
    for (std::uint64_t moves = 0; moves < most_moves; ++moves) {
        info_.load(at);
        if (info_.terminal()) {
            out.playouts = 1;
            out.goals.resize(rules_.roles());
            for (std::size_t r = 0; r < out.goals.size(); ++r) out.goals[r] = 0.01 * info_.goal(r);
            for (Use& use : out.uses) use.goals = out.goals[use.role];
            return;
        }
        if (moves % moves_between_looks == 0 && deadline.passed()) break;
        random_moves(info_, random_, joint);
        if (record_moves) {
            for (std::uint32_t r = 0; r < joint.size(); ++r) {
                const auto same = [&](const Use& use) { return use.role == r && use.move == joint[r]; };
                if (std::none_of(out.uses.begin(), out.uses.end(), same))
                    out.uses.push_back({r, joint[r], 1, 0});
            }
        }
        info_.play(joint, at);
    }
    out.uses.clear();
}

}  // namespace zermelo::play
