#include "play/mcts/playout_stream.hpp"

#include <algorithm>

namespace zermelo::play {

namespace {

constexpr std::uint32_t moves_of_endless_play = 2000;  // of a play; longer ones do not count
constexpr std::size_t lanes_of_narrow_word = 128;      // lanes

}  // namespace

PlayoutStream::PlayoutStream(const GameContext& rules, std::uint64_t seed)
    : rules_(rules), seed_(seed), info_(rules), random_(seed) {}

// A machine word that is just wide enough: the narrow one is faster.
void PlayoutStream::clear(std::size_t places) {
    std::size_t lanes = std::clamp<std::size_t>(places, 1, most());
    slices_ = nullptr;
    if (!rules_.machine().initial().empty()) {
        const bool narrow = lanes <= lanes_of_narrow_word;
        auto& machine = narrow ? narrow_ : wide_;
        if (!machine)
            machine = gdl::BitslicedPlayouts::make(rules_.machine(), mixed(seed_, narrow ? 1 : 2).low,
                                                   narrow ? lanes_of_narrow_word : 0);
        slices_ = machine.get();
        slices_->free_lanes();
        lanes = std::min(lanes, slices_->lanes());
    }
    tickets_.assign(lanes, 0);
    lengths_.assign(lanes, 0);
    states_.assign(slices_ == nullptr ? lanes : 0, {});
    free_.clear();
    for (std::size_t lane = lanes; lane-- > 0;) free_.push_back(static_cast<std::uint32_t>(lane));
}

void PlayoutStream::start(const State& state, std::uint32_t ticket) {
    const std::uint32_t lane = free_.back();
    free_.pop_back();
    tickets_[lane] = ticket;
    lengths_[lane] = 1;
    if (slices_ != nullptr)
        slices_->put(lane, state);
    else
        states_[lane] = state;
}

const std::vector<PlayoutStream::Ended>& PlayoutStream::step() {
    if (slices_ != nullptr)
        slices_->step_lanes(over_, goals_);
    else
        step_alone();
    ended_.clear();
    const std::size_t roles = rules_.roles();
    const auto free = [&](std::uint32_t lane) {
        lengths_[lane] = 0;
        free_.push_back(lane);
    };
    for (std::size_t i = 0; i < over_.size(); ++i) {
        // One that was given up before may end later, while its lane is free.
        if (lengths_[over_[i]] == 0) continue;
        ended_.push_back({tickets_[over_[i]], false, std::span(goals_).subspan(i * roles, roles)});
        free(over_[i]);
    }
    for (std::uint32_t lane = 0; lane < lengths_.size(); ++lane) {
        if (lengths_[lane] == 0 || ++lengths_[lane] <= moves_of_endless_play) continue;
        ended_.push_back({tickets_[lane], true, {}});
        free(lane);
    }
    return ended_;
}

void PlayoutStream::step_alone() {
    over_.clear();
    goals_.clear();
    JointMove joint;
    for (std::uint32_t lane = 0; lane < lengths_.size(); ++lane) {
        if (lengths_[lane] == 0) continue;
        info_.load(states_[lane]);
        if (!info_.terminal()) {
            random_moves(info_, random_, joint);
            info_.play(joint, states_[lane]);
            continue;
        }
        over_.push_back(lane);
        for (std::size_t r = 0; r < rules_.roles(); ++r) goals_.push_back(info_.goal(r));
    }
}

}  // namespace zermelo::play
