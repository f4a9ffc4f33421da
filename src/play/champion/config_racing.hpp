// Configuration racing (Maron and Moore 1994): finds by playing which configuration of the player `zermelo`
// wins more in the game at hand.
//
// One setting is changed at a time: the incumbent configuration and a challenger play short matches against
// each other, from positions after some random moves and in both seats, until one of them is ahead with
// confidence or a number of matches is reached; the winner meets the next challenger. The best way to sample
// is found first, then it meets resolution. The matches are played before the first move of a match, as long
// as there is time, and go on before the next match. Any number of threads may take part.

#pragma once

#include <mutex>

#include "play/champion/champion_engine.hpp"

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
    ConfigRacing(const GameContext& rules, const ChampionEngineOptions& options, const ChampionConfig& first,
                 const Changes& may_change);

    // Plays until the deadline, or until all is decided. Needs two seats that are opponents, and a game
    // without hidden moves, where results on a short clock say too little; does nothing otherwise.
    void run(const Deadline& deadline);

    [[nodiscard]] ChampionConfig best() const;  // so far; mostly sampling as long as nothing was played
    [[nodiscard]] bool decided() const;
    [[nodiscard]] std::size_t matches() const;

private:
    enum class Step { transfer, no_transfer, filter, explore, resolve, symmetry, end };
    [[nodiscard]] ChampionConfig challenger() const;
    [[nodiscard]] bool skip(Step step) const;
    void next();
    // What the challenger scored, 0 … 1; nothing where the time was over.
    [[nodiscard]] std::optional<double> play(const ChampionConfig& incumbent, const ChampionConfig& other,
                                             std::size_t seat, const Deadline& deadline,
                                             std::uint64_t seed) const;
    void note(Step step, double score);

    const GameContext& rules_;
    ChampionEngineOptions options_;
    Changes may_change_;
    mutable std::mutex mutex_;
    ChampionConfig incumbent_;
    Step step_ = Step::transfer;
    double score_ = 0;  // of the challenger
    std::size_t played_ = 0;
    std::size_t started_ = 0;
    std::size_t all_ = 0;
};

}  // namespace zermelo::play
