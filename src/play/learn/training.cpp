#include "play/learn/training.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "play/mcts/bandit.hpp"

namespace zermelo::play {

namespace {

constexpr std::size_t most_policy_weights = std::size_t{1} << 22;
constexpr unsigned filter_depth = 3;
constexpr double form_share = 0.3;  // of the time to set up

enum Seeds : std::uint64_t { for_weights = 1, for_plays, for_batches };

learn::Shape shape_of(const GameContext& rules, const learn::Features& features,
                      const TrainingOptions& options) {
    learn::Shape shape;
    shape.inputs = features.size();
    shape.hidden = options.hidden;
    shape.second = options.second;
    shape.seats = rules.seats().size();
    for (std::size_t r = 0; r < rules.roles(); ++r)
        shape.moves.push_back(rules.chance(r) ? 0 : rules.machine().network().moves[r].size());
    if (shape.all_moves() * shape.hidden > most_policy_weights) shape.moves.assign(rules.roles(), 0);
    return shape;
}

const GameContext& checked(const GameContext& rules) {
    if (rules.hidden())
        throw Error("moves are hidden in this game, and a network judges states that everybody sees",
                    "train for a game without sees rules");
    return rules;
}

Limits set_up_limits(const Deadline& deadline) {
    return {deadline.set() ? std::optional(std::max(0.0, deadline.left())) : std::nullopt, std::nullopt};
}

std::size_t lesson_bytes(const Lesson& lesson) {
    std::size_t bytes =
        sizeof(Lesson) + lesson.state.size() * sizeof(lesson.state[0]) + lesson.values.size() * sizeof(float);
    for (const learn::PolicyTarget& target : lesson.policies)
        bytes += sizeof(target) + target.moves.size() * (sizeof(target.moves[0]) + sizeof(float));
    return bytes;
}

}  // namespace

Training::Training(const GameContext& rules, const TrainingOptions& options, const Deadline& deadline)
    : rules_(checked(rules)),
      options_(options),
      form_(symmetry::rules_form(rules.game(), set_up_limits(deadline.part(form_share)))),
      symmetries_(&rules.canonical(deadline.part(form_share))),
      features_(learn::Features::choose(rules.machine(), form_, options.gates, set_up_limits(deadline))),
      network_(shape_of(rules, features_, options), mixed(options.seed, for_weights).low),
      optimiser_(network_) {
    const scsp::WinLossFilter& filter = rules.win_loss_filter(filter_depth, deadline);
    const bool opposed = rules.opposed() || rules.seats().size() == 1;
    if (filter.machine && opposed) filter_ = filter.machine.get();
}

std::shared_ptr<const learn::Judgement> Training::judgement() {
    if (!judgement_)
        judgement_ = std::make_shared<const learn::Judgement>(
            features_, learn::quantise(optimiser_.average(network_)), rules_.opposed());
    return judgement_;
}

std::vector<std::vector<Lesson>> Training::play(std::size_t count, const Deadline& deadline) {
    std::vector<std::vector<Lesson>> plays(count);
    const auto present = games_ < options_.first_plays ? nullptr : judgement();
    std::atomic<std::size_t> next = 0;
    run_threads(std::max(1U, options_.threads), [&](std::size_t) {
        const Deadline mine = deadline;
        Deadline::begin_polling();
        SearchPlayOptions options = options_.play;
        options.deadline = deadline;
        for (std::size_t i = next++; i < count && !mine.passed(); i = next++) {
            const std::uint64_t seed =
                mixed(options_.seed, for_plays).low ^ mixed(games_ + i, for_plays).high;
            plays[i] = search_play(rules_, present, filter_, options, seed);
        }
    });
    return plays;
}

bool Training::round(const Deadline& deadline) {
    const std::size_t count = games_ < options_.first_plays ? options_.first_plays : options_.plays;
    auto plays = play(count, deadline);
    if (deadline.passed()) return false;
    games_ += count;
    std::size_t fresh = 0;
    for (auto& lessons : plays) {
        fresh += lessons.size();
        for (Lesson& lesson : lessons) keep(std::move(lesson));
    }
    positions_ += fresh;
    ++rounds_;
    learn_from(fresh, options_.punctual ? deadline : Deadline());
    return true;
}

// The oldest ones make room.
void Training::keep(Lesson lesson) {
    bytes_ += lesson_bytes(lesson);
    buffer_.push_back(std::move(lesson));
    while (buffer_.size() > options_.buffer || (options_.memory > 0 && bytes_ > options_.memory)) {
        bytes_ -= lesson_bytes(buffer_.front());
        buffer_.pop_front();
    }
}

double Training::rate() {
    const double done = std::min(1.0, static_cast<double>(optimiser_.steps()) / options_.first_rate_steps);
    return options_.rate * std::pow(options_.last_rate / options_.rate, done);
}

void Training::learn_from(std::size_t fresh, const Deadline& deadline) {
    if (buffer_.empty()) return;
    const auto updates = static_cast<std::size_t>(
        std::ceil(options_.uses * static_cast<double>(fresh) / static_cast<double>(options_.batch)));
    loss_ = {};
    Random random(mixed(options_.seed, for_batches).low ^ mixed(rounds_, for_batches).high);
    std::size_t made = 0;
    for (; made < updates && deadline.left() > 0; ++made)
        loss_ += optimiser_.step(network_, draw_batch(random), rate(), options_.threads);
    loss_.value /= static_cast<double>(std::max<std::size_t>(1, made));
    loss_.policy /= static_cast<double>(std::max<std::size_t>(1, made));
    judgement_ = nullptr;
}

// Positions from the buffer, each turned by one of the symmetries.
std::vector<learn::Example> Training::draw_batch(Random& random) const {
    std::vector<learn::Example> batch(options_.batch);
    std::vector<State> states(batch.size());
    for (std::size_t i = 0; i < batch.size(); ++i) {
        const Lesson& lesson = buffer_[random.below(buffer_.size())];
        batch[i].values = lesson.values;
        batch[i].policies = lesson.policies;
        states[i] = lesson.state;
        const std::size_t turn = random.below(symmetries_->size());
        if (turn == 0) continue;
        const symmetry::Symmetry& symmetry = symmetries_->symmetries()[turn - 1];
        states[i] = symmetry::image(symmetry, states[i]);
        for (learn::PolicyTarget& target : batch[i].policies) {
            for (MoveId& move : target.moves) move = symmetry.move[target.role][move];
        }
    }
    std::vector<const State*> some;
    std::vector<std::uint64_t> rows;
    const std::size_t wide = features_.words();
    for (std::size_t first = 0; first < states.size(); first += learn::Features::lanes) {
        some.clear();
        for (std::size_t i = first; i < std::min(states.size(), first + learn::Features::lanes); ++i)
            some.push_back(&states[i]);
        features_.extract(some, rows);
        for (std::size_t i = 0; i < some.size(); ++i)
            learn::list_features(std::span(rows).subspan(i * wide, wide), batch[first + i].features);
    }
    return batch;
}

}  // namespace zermelo::play
