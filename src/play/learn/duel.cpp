#include "play/learn/duel.hpp"

#include <atomic>

#include "play/mcts/bandit.hpp"

namespace zermelo::play {

namespace {

// What the first player got, 0 … 1.
std::optional<double> one_game(const GameContext& rules, const MakePlayer& first, const MakePlayer& second,
                               const DuelOptions& options, std::size_t number, const Deadline& deadline) {
    const auto& seats = rules.seats();
    const std::size_t own = number % seats.size();
    const std::uint64_t seed = mixed(options.seed, number / seats.size()).low;
    std::vector<std::unique_ptr<Player>> players(rules.roles());
    for (std::size_t s = 0; s < seats.size(); ++s) {
        const Settings settings{.role = seats[s], .seed = seed + s + 1, .memory = std::size_t{32} << 20};
        players[seats[s]] = s == own ? first(settings) : second(settings);
    }
    const std::uint64_t others = options.second_playouts > 0 ? options.second_playouts : options.playouts;
    Random random(seed);
    InfoState info(rules);
    State state = rules.machine().initial();
    JointMove joint;
    for (std::size_t moves = 0; moves < options.most_moves; ++moves) {
        if (deadline.passed()) return std::nullopt;
        info.load(state);
        if (info.terminal()) return 0.01 * info.goal(seats[own]);
        random_moves(info, random, joint);
        for (std::size_t s = 0; s < seats.size(); ++s) {
            if (moves < options.random_moves || info.legal(seats[s]).size() < 2) continue;
            TimeBudget budget{.playouts = s == own ? options.playouts : others};
            if (options.seconds > 0) budget = {.deadline = Deadline::in(options.seconds)};
            joint[seats[s]] = players[seats[s]]->choose(budget);
        }
        info.load(state);
        info.play(joint, state);
        for (const std::size_t role : seats) players[role]->see({.joint = joint, .own = joint[role]});
    }
    return 0.5;
}

}  // namespace

DuelScore duel(const GameContext& rules, const MakePlayer& first, const MakePlayer& second,
               const DuelOptions& options, const Deadline& deadline) {
    std::vector<std::optional<double>> scores(options.games);
    std::atomic<std::size_t> next = 0;
    run_threads(std::max(1U, options.threads), [&](std::size_t) {
        for (std::size_t i = next++; i < options.games; i = next++)
            scores[i] = one_game(rules, first, second, options, i, deadline);
    });
    DuelScore result;
    for (const auto& score : scores) {
        if (!score) continue;
        ++result.games;
        result.score += *score;
    }
    if (result.games > 0) result.score /= static_cast<double>(result.games);
    return result;
}

}  // namespace zermelo::play
