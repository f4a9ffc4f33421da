// Training: a network learns a game from its rules, by playing against itself.
//
// In rounds: some plays by the present network (search_play.hpp), on all threads; their positions join a buffer that holds
// the last ones; then the network learns from positions drawn from the buffer, each turned by a symmetry of the game that
// is drawn with it (data augmentation). The first plays rest on random playouts. The plays of a round, their seeds and their
// order do not depend on the number of threads; with one thread, everything is the same for the same seed.
//
// A checkpoint holds all that goes on: a training that is resumed does what it would have done.

#pragma once

#include <deque>

#include "core/random.hpp"

#include "learn/net_file.hpp"
#include "learn/optimiser.hpp"
#include "play/learn/search_play.hpp"

namespace zermelo::play {

struct TrainingOptions {
    SearchPlayOptions play = {};
    std::size_t hidden = 64;
    std::size_t second = 32;
    std::size_t gates = 256;       // at most, as features
    std::size_t plays = 32;        // of a round
    std::size_t first_plays = 64;  // that rest on playouts
    std::size_t batch = 256;
    double uses = 6;                 // of a position, on average
    double rate = 2e-3;              // at first
    double last_rate = 5e-4;         // after many steps
    std::size_t buffer = 150'000;    // positions
    std::size_t memory = 0;          // bytes that they may take; 0: any number
    double first_rate_steps = 4000;  // until the rate has fallen to the last one
    bool punctual = false;           // what a round teaches is left out after its deadline, too
    unsigned threads = 1;
    std::uint64_t seed = 1;
};

class Training {
public:
    // Throws Error where the game cannot be learned, LimitReached where it is interrupted or the deadline passes first.
    Training(const GameContext& rules, const TrainingOptions& options, const Deadline& deadline = {});

    // One round. False where it was interrupted: then it is as if the round had not begun. `deadline` ends the plays, and
    // where the training is punctual, the learning from them.
    bool round(const Deadline& deadline = {});

    [[nodiscard]] std::uint64_t games() const { return games_; }
    [[nodiscard]] std::uint64_t positions() const { return positions_; }
    [[nodiscard]] std::size_t bytes() const { return bytes_; }  // of the positions that are kept
    [[nodiscard]] std::uint64_t steps() { return optimiser_.steps(); }
    [[nodiscard]] std::size_t parameters() const { return network_.weights().size(); }
    [[nodiscard]] std::size_t gates() const { return features_.gates().size(); }
    [[nodiscard]] std::size_t symmetries() const { return symmetries_->size(); }
    [[nodiscard]] learn::Loss loss() const { return loss_; }  // of the last round
    [[nodiscard]] const symmetry::RulesForm& form() const { return form_; }

    // What has been learned so far, to play with.
    [[nodiscard]] std::shared_ptr<const learn::Judgement> judgement();

    void save(const std::string& file);
    // Goes on where the file ends. Throws Error where it is of another game, or of a training with other options.
    void resume(const std::string& file);

private:
    [[nodiscard]] std::vector<std::vector<Lesson>> play(std::size_t count, const Deadline& deadline);
    void keep(Lesson lesson);
    void learn_from(std::size_t fresh, const Deadline& deadline);
    [[nodiscard]] std::vector<learn::Example> draw_batch(Random& random) const;
    [[nodiscard]] double rate();
    [[nodiscard]] Hash128 described() const;

    const GameContext& rules_;
    TrainingOptions options_;
    symmetry::RulesForm form_;
    const symmetry::Canonical* symmetries_;
    const gdl::Machine* filter_ = nullptr;
    learn::Features features_;
    learn::Network network_;
    learn::Optimiser optimiser_;
    std::deque<Lesson> buffer_;
    std::size_t bytes_ = 0;
    std::shared_ptr<const learn::Judgement> judgement_;  // of the present network
    std::uint64_t games_ = 0;
    std::uint64_t positions_ = 0;
    std::uint64_t rounds_ = 0;
    learn::Loss loss_;
};

}  // namespace zermelo::play
