// Learning in the start clock: a training (training.hpp) that has seconds.
//
// Self-play with brief searches and a small net that learns fast: there are many short plays rather than few good ones.
// The first plays tell how many there will be. Where these are too few to learn from, it stops at once, and the rest of
// the time is for something else. Whether the net is any good is decided elsewhere (champion/config_racing.hpp).

#pragma once

#include <mutex>

#include "play/learn/training.hpp"

namespace zermelo::play {

// A training for seconds.
[[nodiscard]] TrainingOptions brief_training();

struct StartLearningOptions {
    TrainingOptions training = brief_training();
    std::uint64_t least_games = 160;  // fewer teach too little
    std::uint64_t most_games = 100'000;
};

class StartLearning {
public:
    explicit StartLearning(const GameContext& rules, const StartLearningOptions& options = {})
        : rules_(rules), options_(options) {}

    // Whether a net could help and could be judged by races: everything is seen, and there are two seats that are opponents.
    [[nodiscard]] static bool supports(const GameContext& rules);

    // Learns until the deadline, once; another thread that asks meanwhile waits as long. Uses at most half of the memory,
    // and keeps none of it but the net.
    void run(const Deadline& deadline, unsigned threads, std::size_t memory);

    // It has run; what it had time for is all that there will be.
    [[nodiscard]] bool done() const;
    // Null where nothing was learned.
    [[nodiscard]] std::shared_ptr<const learn::Judgement> judgement() const;
    [[nodiscard]] std::uint64_t games() const;  // that it learned from, or gave up after

private:
    [[nodiscard]] bool worth_it(const Deadline& deadline, Training& training,
                                const TrainingOptions& options) const;
    void train(const Deadline& deadline, const TrainingOptions& options);
    [[nodiscard]] std::optional<TrainingOptions> within(std::size_t memory, unsigned threads) const;

    const GameContext& rules_;
    StartLearningOptions options_;
    std::timed_mutex learning_;
    mutable std::mutex mutex_;
    bool done_ = false;
    std::uint64_t games_ = 0;
    std::shared_ptr<const learn::Judgement> judgement_;
};

}  // namespace zermelo::play
