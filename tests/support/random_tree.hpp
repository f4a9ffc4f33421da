// Games whose positions are listed by hand or drawn at random: trees, graphs without circles (in layers or
// not), each position with what a heuristic would say about it.

#pragma once

#include <array>
#include <optional>

#include "core/random.hpp"
#include "game/heuristic/heuristic.hpp"

namespace zermelo::game {

struct Listed {
    struct Position {
        Turn turn;
        std::array<int, 3> payoff{};      // when it is over
        std::vector<std::uint32_t> next;  // otherwise
        int judgement = 0;
    };
    std::size_t players = 2;
    std::vector<Position> positions;  // the first is the initial one

    std::uint32_t add_end(int payoff) {
        positions.push_back({{}, {payoff, win - payoff, win - payoff}, {}, 0});
        return static_cast<std::uint32_t>(positions.size() - 1);
    }
    std::uint32_t add(Player player, int judgement = 0) {
        positions.push_back({{Turn::Kind::player, player}, {}, {}, judgement});
        return static_cast<std::uint32_t>(positions.size() - 1);
    }
};

// Counts how often each position is entered.
class ListedGame {
public:
    using State = std::uint32_t;
    explicit ListedGame(const Listed& listed) : listed_(listed), looks(listed.positions.size(), 0) {}

    [[nodiscard]] std::size_t players() const { return listed_.players; }
    [[nodiscard]] State initial() const { return 0; }
    void look(State state) { at_ = state; }
    [[nodiscard]] Turn turn() const { return here().turn; }
    [[nodiscard]] std::size_t moves() const { return here().next.size(); }
    void successor(std::size_t move, State& out) {
        out = here().next[move];
        ++looks[out];
    }
    [[nodiscard]] int payoff(Player player) const { return here().payoff[player]; }
    [[nodiscard]] Hash128 key(State state) const {
        Hasher hasher;
        hasher.add(state);
        return hasher.value();
    }
    [[nodiscard]] std::string player_name(Player player) const { return std::to_string(player); }
    [[nodiscard]] std::string move_name(std::size_t move) const { return std::to_string(move); }
    [[nodiscard]] std::string state_name(State state) const { return std::to_string(state); }

private:
    [[nodiscard]] const Listed::Position& here() const { return listed_.positions[at_]; }

    const Listed& listed_;
    State at_ = 0;

public:
    std::vector<int> looks;  // by position: how often a move led there
};

static_assert(Game<ListedGame>);

using ListedWalk = Walker<ListedGame>;

// What the list says about a position, for the first player; the others think the opposite.
struct Listing {
    const Listed& listed;
    Score operator()(const ListedWalk& walk, Player player) const {
        const Score score(listed.positions[walk.state()].judgement);
        return player == 0 ? score : -score;
    }
};

struct RandomShape {
    std::size_t positions = 60;
    bool tree = false;    // every position has one way to it
    bool layers = false;  // all ways to a position are equally long
    std::vector<int> payoffs{0, 50, 100};
};

// Successors come after their position in the list; the last ones are ends of play.
inline Listed random_listed(std::uint64_t seed, const RandomShape& shape = {}) {
    Random random(seed);
    Listed listed;
    listed.players = 2 + random.below(2);
    const std::size_t n = shape.positions;
    const std::size_t width = 1 + random.below(8);
    const double early_end = 0.02 * static_cast<double>(random.below(10));
    std::size_t child = 1;  // of a tree: the next that has no way to it
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t layer_end = (i / width + 1) * width;
        const std::size_t first = shape.tree ? child : shape.layers ? layer_end : i + 1;
        const std::size_t last = shape.tree || !shape.layers ? n : std::min(n, layer_end + width);
        const bool end = first >= last || (i > 0 && random.chance(early_end));
        if (end) {
            listed.add_end(shape.payoffs[random.below(shape.payoffs.size())]);
            continue;
        }
        const bool in_turn = random.chance(0.8);
        const auto player = in_turn ? i % 2 : random.below(listed.players);
        const std::uint32_t s =
            listed.add(static_cast<Player>(player), static_cast<int>(random.between(-20, 20)));
        const std::size_t count = 1 + random.below(4);
        for (std::size_t m = 0; m < count && (!shape.tree || child < n); ++m) {
            const std::size_t to =
                shape.tree ? child++ : first + random.below(std::min<std::size_t>(last - first, 12));
            listed.positions[s].next.push_back(static_cast<std::uint32_t>(to));
        }
    }
    return listed;
}

// The scores of all positions when `depth` moves are looked ahead, straight from the definition. Without a
// depth, to the ends of all plays; successors must come later in the list.
inline std::vector<Score> scores_by_definition(const Listed& listed, Player player,
                                               std::optional<int> depth = std::nullopt) {
    const auto& positions = listed.positions;
    std::vector<Score> scores(positions.size());
    const auto settle = [&](std::size_t s, const std::vector<Score>& below) {
        const auto& position = positions[s];
        if (position.turn.over()) {
            scores[s] = Score::of_payoff(position.payoff[player]);
            return;
        }
        std::vector<Score> next;
        for (const std::uint32_t to : position.next) next.push_back(below[to]);
        const auto [low, high] = std::minmax_element(next.begin(), next.end());
        scores[s] = position.turn.player == player ? *high : *low;
    };
    if (!depth) {
        for (std::size_t s = positions.size(); s-- > 0;) settle(s, scores);
        return scores;
    }
    for (std::size_t s = 0; s < positions.size(); ++s) {
        const int judgement = positions[s].judgement;
        scores[s] = positions[s].turn.over() ? Score::of_payoff(positions[s].payoff[player])
                                             : Score(player == 0 ? judgement : -judgement);
    }
    for (int round = 0; round < *depth; ++round) {
        const std::vector<Score> below = scores;
        for (std::size_t s = 0; s < positions.size(); ++s) settle(s, below);
    }
    return scores;
}

}  // namespace zermelo::game
