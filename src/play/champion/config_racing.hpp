// Configuration racing (Maron and Moore 1994): finds by playing which configuration of the player `zermelo`
// wins more in the game at hand.
//
// One setting is changed at a time: the incumbent configuration and a challenger play short matches against
// each other, from positions after some random moves and in both seats, until one of them is ahead with
// confidence or a number of matches is reached; the winner meets the next challenger. The best way to sample
// is found first, without and with what was learned about the game, then it meets resolution. The matches are played before the first move of a match, as long
// as there is time, and go on before the next match. Any number of threads may take part.
//
// What was found out is kept on disk, where a place for it is given (kept_racing.hpp), and the next match goes on from there.
//
// Where a net was learned that nobody has judged yet, the first question is whether it wins: a sequential test in pairs of
// matches from the same positions, and as long as it has not been passed the net is not used.

#pragma once

#include <mutex>

#include "play/champion/kept_racing.hpp"

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
        bool value = true;
        bool net = true;
        bool drop_net = true;  // to no net at all
    };
    ConfigRacing(const GameContext& rules, const ChampionEngineOptions& options, const ChampionConfig& first,
                 const Changes& may_change);
    ~ConfigRacing();  // keeps what was found out
    ConfigRacing(const ConfigRacing&) = delete;
    ConfigRacing& operator=(const ConfigRacing&) = delete;

    // Goes on from what was kept for the clock of the first run, and keeps what comes of it. Both beside this file of a net.
    // Before the first run.
    void keep_beside(std::string net_file, const Hash128& subject);

    // Needs two seats that are opponents or rivals, and a game without hidden moves, where results on a short clock say too little;
    // otherwise all is decided from the beginning.
    [[nodiscard]] static bool supports(const GameContext& rules);

    // Plays until the deadline, or until all is decided. A move has as much time as allows for enough matches by so many
    // threads, and not more than `clock` seconds, which it will have in the match (0: not known).
    void run(const Deadline& deadline, double clock = 0, unsigned threads = 1);

    // A net was learned: the next question is whether it is better than none. Nothing changes where there is a net.
    void offer(std::shared_ptr<const learn::Judgement> judgement);
    [[nodiscard]] std::shared_ptr<const learn::Judgement> judgement() const;

    [[nodiscard]] ChampionConfig best() const;  // so far; mostly sampling as long as nothing was played
    [[nodiscard]] bool decided() const;
    [[nodiscard]] std::size_t matches() const;

private:
    enum class Step {
        net,
        net_and_playouts,
        value,
        grave,
        transfer,
        no_transfer,
        filter,
        explore,
        resolve,
        resolve_with_net,
        symmetry,
        end
    };
    [[nodiscard]] ChampionConfig challenger() const;
    [[nodiscard]] bool skip(Step step) const;
    void next();
    // What the challenger scored, 0 … 1; nothing where the time was over.
    struct Match {
        ChampionEngineOptions options;
        ChampionConfig incumbent;
        ChampionConfig other;
        Step step;
        std::size_t number;
        double seconds;  // for a move
    };
    [[nodiscard]] std::optional<double> play(const Match& match, const Deadline& deadline) const;
    [[nodiscard]] double outcome(InfoState& info, std::size_t own, std::size_t other) const;
    void begin_with(Step step);
    void take_up(double clock);
    void note(Step step, double score);

    const GameContext& rules_;
    ChampionEngineOptions options_;
    Changes may_change_;
    mutable std::mutex mutex_;
    ChampionConfig incumbent_;
    Step step_ = Step::net;
    double score_ = 0;  // of the challenger
    std::size_t played_ = 0;
    std::size_t started_ = 0;
    std::size_t all_ = 0;
    std::string net_file_;  // empty: nothing is kept
    Hash128 subject_;
    std::optional<RacingFile> kept_;
    std::size_t taken_up_ = 0;  // matches
};

}  // namespace zermelo::play
