// ConfigRacing: which way of thinking wins more in the game at hand, measured by playing.
//
// One thing is changed at a time: the present way of thinking and its rival play short matches against each
// other, from positions after some random moves and in both seats, until one of them is ahead for certain or
// there have been enough; the winner meets the next rival. The best way to sample is found first, then it
// meets resolution. Matches are played before a match, as long as there is time, and go on before the next
// one. Any number of threads may take part.

#pragma once

#include <mutex>

#include "play/mac_ucb/mac_ucb_engine.hpp"

namespace zermelo::play {

class ConfigRacing {
public:
    // `may_change` says what may be changed; the rest of `first` stays.
    struct Changes {
        bool resolve = true;
        bool explore = true;
        bool filter = true;
        bool transfer = true;
        bool symmetry = false;
    };
    ConfigRacing(const GameContext& rules, const MacUcbEngineOptions& options, const MacUcbConfig& first,
                 const Changes& may_change);

    // Plays until the deadline, or until all is decided. Needs two seats that are opponents, and a game
    // without hidden moves, in which what wins on a short clock says too little; does nothing otherwise.
    void run(const Deadline& deadline);

    [[nodiscard]] MacUcbConfig best() const;  // so far; sampling as long as nothing was played
    [[nodiscard]] bool decided() const;
    [[nodiscard]] std::size_t matches() const;

private:
    enum class Step { transfer, no_transfer, filter, explore, resolve, symmetry, end };
    [[nodiscard]] MacUcbConfig rival() const;
    [[nodiscard]] bool skip(Step step) const;
    void next();
    // What the rival scored, 0 … 1; nothing where the time was over.
    [[nodiscard]] std::optional<double> play(const MacUcbConfig& present, const MacUcbConfig& other,
                                             std::size_t seat, const Deadline& deadline,
                                             std::uint64_t seed) const;
    void note(Step step, double score);

    const GameContext& rules_;
    MacUcbEngineOptions options_;
    Changes may_change_;
    mutable std::mutex mutex_;
    MacUcbConfig present_;
    Step step_ = Step::transfer;
    double score_ = 0;  // of the rival
    std::size_t played_ = 0;
    std::size_t started_ = 0;
    std::size_t all_ = 0;
};

}  // namespace zermelo::play
