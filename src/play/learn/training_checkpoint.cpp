// The state of a training as a file.

#include <bit>
#include <cmath>

#include "game/views/gdl_game.hpp"
#include "play/learn/training.hpp"

namespace zermelo::play {

namespace {

constexpr const char* training_kind = "training";
constexpr const char* training_section = "training";
constexpr std::uint32_t training_version = 1;
constexpr const char* contradicting = "its numbers contradict each other";

void put_lesson(game::CheckpointWriter& out, const Lesson& lesson) {
    out.put_all(std::span(lesson.state));
    out.put_all(std::span(lesson.values));
    out.put(static_cast<std::uint32_t>(lesson.policies.size()));
    for (const learn::PolicyTarget& target : lesson.policies) {
        out.put(target.role);
        out.put(static_cast<std::uint32_t>(target.moves.size()));
        out.put_all(std::span(target.moves));
        out.put_all(std::span(target.shares));
    }
}

Lesson get_lesson(game::CheckpointReader& in, const GameContext& rules) {
    const auto& network = rules.machine().network();
    const auto demand = [&](bool fact) {
        if (!fact) in.refuse(contradicting);
    };
    Lesson lesson;
    in.append(lesson.state, rules.machine().initial().size());
    const std::size_t last = network.fluents.size() % 64;
    demand(last == 0 || lesson.state.empty() || lesson.state.back() >> last == 0);
    in.append(lesson.values, rules.seats().size());
    for (const float value : lesson.values) demand(value >= 0 && value <= 1);
    const auto policies = in.get<std::uint32_t>();
    demand(policies <= rules.roles());
    for (std::uint32_t i = 0; i < policies; ++i) {
        learn::PolicyTarget& target = lesson.policies.emplace_back();
        target.role = in.get<std::uint32_t>();
        demand(target.role < rules.roles());
        const auto moves = in.get<std::uint32_t>();
        demand(moves <= network.moves[target.role].size());
        in.append(target.moves, moves);
        in.append(target.shares, moves);
        for (const MoveId move : target.moves) demand(move < network.moves[target.role].size());
        for (const float share : target.shares) demand(share >= 0 && share <= 1);
    }
    return lesson;
}

}  // namespace

// What must be the same in a training that goes on.
Hash128 Training::described() const {
    Hasher hasher;
    const SearchPlayOptions& play = options_.play;
    for (const std::uint64_t number :
         {std::uint64_t{training_version}, play.simulations, play.brief, std::uint64_t{play.most_moves},
          std::uint64_t{options_.hidden}, std::uint64_t{options_.second}, std::uint64_t{options_.gates},
          std::uint64_t{options_.plays}, std::uint64_t{options_.first_plays}, std::uint64_t{options_.batch},
          std::uint64_t{options_.buffer}, options_.seed})
        hasher.add(number);
    for (const double number : {play.long_share, play.noise, play.result_share, play.playouts_share,
                                options_.uses, options_.rate, options_.last_rate})
        hasher.add(std::bit_cast<std::uint64_t>(number));
    return hasher.value();
}

void Training::save(const std::string& file) {
    game::CheckpointWriter out(file, {training_kind, game::GdlGame(rules_.game()).fingerprint()});
    out.section(training_section);
    out.put(described());
    for (const std::uint64_t count : {games_, positions_, rounds_, std::uint64_t{buffer_.size()}})
        out.put(count);
    out.put(loss_);
    const auto memory = optimiser_.memory();
    out.put(memory.steps);
    for (const auto* numbers : {&network_.weights(), &memory.means, &memory.squares, &memory.average})
        out.put_all(std::span<const float>(*numbers));
    for (const Lesson& lesson : buffer_) put_lesson(out, lesson);
    out.commit();
}

void Training::resume(const std::string& file) {
    game::CheckpointReader in(file, {training_kind, game::GdlGame(rules_.game()).fingerprint()});
    in.section(training_section);
    if (in.get<Hash128>() != described())
        throw Error({file}, "the checkpoint is of a training with other options",
                    "give the same options, or remove the file");
    Training fresh(*this);
    std::uint64_t lessons = 0;
    for (std::uint64_t* count : {&fresh.games_, &fresh.positions_, &fresh.rounds_, &lessons})
        *count = in.get<std::uint64_t>();
    fresh.loss_ = in.get<learn::Loss>();
    const auto memory = fresh.optimiser_.memory();
    memory.steps = in.get<std::uint64_t>();
    for (auto* numbers : {&fresh.network_.weights(), &memory.means, &memory.squares, &memory.average}) {
        numbers->clear();
        in.append(*numbers, network_.weights().size());
        for (const float x : *numbers) {
            if (!std::isfinite(x)) in.refuse(contradicting);
        }
    }
    if (lessons > options_.buffer) in.refuse(contradicting);
    fresh.buffer_.clear();
    fresh.bytes_ = 0;
    for (std::uint64_t i = 0; i < lessons; ++i) fresh.keep(get_lesson(in, rules_));
    in.finish();
    games_ = fresh.games_;
    positions_ = fresh.positions_;
    rounds_ = fresh.rounds_;
    loss_ = fresh.loss_;
    network_ = std::move(fresh.network_);
    optimiser_ = std::move(fresh.optimiser_);
    buffer_ = std::move(fresh.buffer_);
    bytes_ = fresh.bytes_;
    judgement_ = nullptr;
}

}  // namespace zermelo::play
