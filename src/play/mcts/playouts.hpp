// Playouts: random plays from the leaves of a search, many at once.
//
// Leaves are played out on the bit-sliced machine (gdl/circuit/bitsliced_playouts.hpp), which takes little
// longer for hundreds of plays than for one. Where only one or two are wanted, or the time that is left does
// not suffice for a batch, plays go one by one on the scalar machine. Belongs to one thread.

#pragma once

#include <memory>
#include <span>

#include "gdl/circuit/bitsliced_playouts.hpp"
#include "play/info_state.hpp"

namespace zermelo::play {

class Playouts {
public:
    using Use = gdl::BitslicedPlayouts::MoveStatistics;
    struct Result {
        std::uint32_t playouts = 0;  // that came to an end
        std::vector<double> goals;   // by role, the mean over them, 0 … 1
        std::vector<Use> uses;       // moves in them, where asked for; goals 0 … 1, added up
    };

    // `lanes`: the width of a batch, as the processor offers it; 0: the widest.
    Playouts(const GameContext& rules, std::uint64_t seed, std::size_t lanes = 0);

    // From now on plays run on this machine, which has the same states and moves as that of the rules and
    // perhaps fewer legal moves (scsp/win_loss_filter.hpp). It must outlive this.
    void use(const gdl::Machine& machine);
    // From now on there are no batches, to see what they are worth.
    void one_by_one();

    [[nodiscard]] std::size_t lanes() const { return lanes_; }

    // From each of the states, which are not terminal: `each` plays, at most as many as there are lanes; or
    // as many as fit into a batch if it is 0. Where there is too little time for a batch, one each; after the
    // deadline the rest is left out, and has no playouts.
    void run(std::span<const State* const> states, std::size_t each, bool record_moves,
             const Deadline& deadline, std::vector<Result>& out);

    // Where a search leaves its tree: a state, and the moves that lead out of it.
    struct Exit {
        const State* state;
        const JointMove* joint;
    };
    using Look = gdl::BitslicedPlayouts::GroupState;
    // Makes the moves, tells where they lead, and plays on from there unless that is the end: the same as
    // `run` from the states behind the exits, at hardly more cost. At most as many exits as there are lanes.
    // What the deadline leaves out has no state.
    void run(std::span<const Exit> exits, std::size_t each, bool record_moves, const Deadline& deadline,
             std::vector<Look>& looks, std::vector<Result>& out);

    // Only where they lead; no playouts.
    void look(std::span<const Exit> exits, const Deadline& deadline, std::vector<Look>& looks,
              std::vector<Result>& out);

private:
    void look(const Exit& exit, Look& out);
    void deal(std::span<const State* const> states, std::size_t each, bool record_moves);
    [[nodiscard]] bool worth_a_batch(std::size_t states, std::size_t each, const Deadline& deadline);
    [[nodiscard]] bool finish(Deadline::Clock::time_point begun, const Deadline& deadline, bool record_moves,
                              std::span<Result> out);
    void run_one(const State& state, bool record_moves, const Deadline& deadline, Result& out);

    const GameContext& rules_;
    InfoState info_;
    Random random_;
    std::uint64_t seed_;
    std::unique_ptr<gdl::BitslicedPlayouts> wide_;
    std::unique_ptr<gdl::BitslicedPlayouts> narrow_;
    gdl::BitslicedPlayouts* slices_ = nullptr;  // the one in use
    std::size_t lanes_ = 1;
    double batch_seconds_ = 0;  // lately
    gdl::Tally tally_;
    gdl::BitslicedPlayouts::GroupResult yield_;
    std::vector<const State*> states_;
    std::vector<const JointMove*> joints_;
};

}  // namespace zermelo::play
