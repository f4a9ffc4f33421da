// Playouts one after the other, many at work at the same time: as soon as one has ended, the next one begins.
//
// Batches (playouts.hpp) wait for their longest play, and a search that chooses a few leaves at a time leaves most
// lanes of the bit-sliced machine (gdl/circuit/bitsliced_playouts.hpp) empty. Here a search chooses the next leaf
// whenever a lane is free, knowing all that has ended by then. A step costs the same however many lanes are at work.
// Belongs to one thread.

#pragma once

#include <memory>

#include "gdl/circuit/bitsliced_playouts.hpp"
#include "play/info_state.hpp"

namespace zermelo::play {

class PlayoutStream {
public:
    struct Ended {
        std::uint32_t ticket;
        bool endless;                // it was given up after a long time
        std::span<const int> goals;  // by role, -1 where none is stated; valid until the next step
    };

    PlayoutStream(const GameContext& rules, std::uint64_t seed);

    // Nothing is at work now. At most so many plays may be, up to `most()`.
    void clear(std::size_t places);
    [[nodiscard]] static std::size_t most() { return 512; }
    [[nodiscard]] bool full() const { return free_.empty(); }
    [[nodiscard]] bool idle() const { return free_.size() == lengths_.size(); }
    // A play from a state that is not terminal. Only where it is not full.
    void start(const State& state, std::uint32_t ticket);
    // A move in each play. What has ended has made room.
    [[nodiscard]] const std::vector<Ended>& step();

private:
    void step_alone();

    const GameContext& rules_;
    std::uint64_t seed_;
    InfoState info_;
    Random random_;
    std::unique_ptr<gdl::BitslicedPlayouts> wide_;
    std::unique_ptr<gdl::BitslicedPlayouts> narrow_;
    gdl::BitslicedPlayouts* slices_ = nullptr;  // the one in use; null where states have no fluents
    std::vector<std::uint32_t> free_;           // lanes
    std::vector<std::uint32_t> tickets_;        // by lane
    std::vector<std::uint32_t> lengths_;        // by lane; 0 where it is free
    std::vector<State> states_;                 // by lane, where there are no slices
    std::vector<std::uint32_t> over_;
    std::vector<int> goals_;
    std::vector<Ended> ended_;
};

}  // namespace zermelo::play
