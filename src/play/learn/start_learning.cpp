#include "play/learn/start_learning.hpp"

#include <algorithm>

namespace zermelo::play {

namespace {

constexpr double set_up_share = 0.3;          // of the time, at most
constexpr double trial_share = 0.2;           // after which it must be clear that there will be enough plays
constexpr double memory_share = 0.5;          // for weights, trees and positions together
constexpr std::size_t weight_arrays = 6;      // as large as the weights: Adam's, the average, and what plays
constexpr std::size_t bytes_of_a_gate = 320;  // while features are chosen
constexpr std::size_t least_tree = std::size_t{1} << 20;
constexpr std::size_t most_tree = std::size_t{16} << 20;

}  // namespace

TrainingOptions brief_training() {
    TrainingOptions options;
    options.play.simulations = 32;
    options.play.brief = 12;
    options.play.long_share = 0.5;
    options.play.most_moves = 400;
    options.hidden = 32;
    options.second = 32;
    options.gates = 128;
    options.plays = 16;
    options.first_plays = 16;
    options.batch = 128;
    options.uses = 3;
    options.rate = 5e-3;
    options.last_rate = 1e-3;
    options.first_rate_steps = 1500;
    options.buffer = 30'000;
    options.punctual = true;
    return options;
}

bool StartLearning::supports(const GameContext& rules) {
    return !rules.hidden() && rules.opposed() && rules.seats().size() == 2 &&
           !rules.machine().initial().empty();
}

std::shared_ptr<const learn::Judgement> StartLearning::judgement() const {
    const std::lock_guard lock(mutex_);
    return judgement_;
}

bool StartLearning::done() const {
    const std::lock_guard lock(mutex_);
    return done_;
}

std::uint64_t StartLearning::games() const {
    const std::lock_guard lock(mutex_);
    return games_;
}

// Half of what there may be is for the positions, the other half for the weights and the trees.
std::optional<TrainingOptions> StartLearning::within(std::size_t memory, unsigned threads) const {
    TrainingOptions options = options_.training;
    options.threads = std::max(1U, threads);
    const auto all = static_cast<std::size_t>(memory_share * static_cast<double>(memory));
    const gdl::Network& network = rules_.machine().network();
    if ((network.first_late - network.first_gate) * bytes_of_a_gate > all / 2) options.gates = 0;
    std::size_t rows = 64 * rules_.machine().initial().size() + options.gates + 1;
    for (const auto& moves : network.moves) rows += moves.size();
    const std::size_t weights = rows * options.hidden * sizeof(float) * (weight_arrays + options.threads);
    if (weights > all / 4) return std::nullopt;
    options.play.memory = std::min(all / 4 / options.threads, most_tree);
    if (options.play.memory < least_tree) return std::nullopt;
    options.memory = all / 2;
    return options;
}

void StartLearning::run(const Deadline& deadline, unsigned threads, std::size_t memory) {
    std::unique_lock lock(learning_, std::defer_lock);
    if (!deadline.set())
        lock.lock();
    else if (!lock.try_lock_for(std::chrono::duration<double>(std::max(0.0, deadline.left()))))
        return;
    if (done() || deadline.left() <= 0) return;
    try {
        if (const auto options = within(memory, threads)) train(deadline, *options);
    } catch (const LimitReached&) {
        // There was no time to begin.
    }
    Deadline::begin_polling();  // that was no pause
    const std::lock_guard state(mutex_);
    done_ = true;
}

// One play tells how many there would be.
bool StartLearning::worth_it(const Deadline& deadline, Training& training,
                             const TrainingOptions& options) const {
    if (!deadline.set()) return true;
    const double seconds = deadline.left();
    SearchPlayOptions play = options.play;
    play.deadline = deadline.part(trial_share);
    Deadline::begin_polling();
    (void)search_play(rules_, training.judgement(), nullptr, play, options.seed);
    const double spent = std::max(1e-6, seconds - deadline.left());
    return options.threads * seconds / spent >= static_cast<double>(options_.least_games);
}

void StartLearning::train(const Deadline& deadline, const TrainingOptions& options) {
    const double seconds = deadline.left();
    Training training(rules_, options, deadline.part(set_up_share));
    if (!worth_it(deadline, training, options)) return;
    double begun = 0;  // after the first plays, which are slower
    std::uint64_t first = 0;
    while (training.games() < options_.most_games && training.round(deadline)) {
        {
            const std::lock_guard lock(mutex_);
            games_ = training.games();
        }
        if (!deadline.set()) continue;
        const double left = deadline.left();
        if (first == 0) {
            first = training.games();
            begun = left;
            continue;
        }
        const double expected = static_cast<double>(training.games() - first) * begun / (begun - left);
        if (begun - left > trial_share * seconds && expected < static_cast<double>(options_.least_games))
            return;
    }
    if (training.games() < options_.least_games || Limits().reached() != Stop::none) return;
    const std::lock_guard lock(mutex_);
    judgement_ = training.judgement();
}

}  // namespace zermelo::play
