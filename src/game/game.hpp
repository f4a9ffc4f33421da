// Game: the forward model of a game in extensive form, one concept for explicit graphs, GDL descriptions and
// quantified models.
//
// A game tells whose turn it is in a state, which states the moves lead to, and who gets what when it is
// over. Payoffs are 0 … 100, as the goals of GDL; a game for two in which one wins and one loses pays 100
// and 0, and 50 to each for a draw. A play that never ends is a draw: it pays 50 to each of two players, and
// nothing to a player who is alone.
//
// Chance and simultaneous moves belong to the concept; an engine that cannot handle them calls
// `require_turns` and so refuses with a message.

#pragma once

#include <concepts>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/hash.hpp"

namespace zermelo::game {

using Player = std::uint8_t;

struct Turn {
    enum class Kind : std::uint8_t { over, player, chance, simultaneous };
    Kind kind = Kind::over;
    Player player = 0;  // who moves, when a player does
    [[nodiscard]] bool over() const { return kind == Kind::over; }
    friend bool operator==(const Turn&, const Turn&) = default;
};

inline constexpr int win = 100;
inline constexpr int draw = 50;
inline constexpr int loss = 0;

// What a play that never ends pays to each.
[[nodiscard]] constexpr int endless_payoff(std::size_t players) { return players == 1 ? loss : draw; }

template <class G>
concept Game = requires(G game, const typename G::State& state, typename G::State& out, std::size_t move,
                        Player player) {
    requires std::copyable<typename G::State>;
    { game.players() } -> std::convertible_to<std::size_t>;
    { game.initial() } -> std::convertible_to<typename G::State>;

    // The questions below are about the state that was looked at last.
    game.look(state);
    { game.turn() } -> std::same_as<Turn>;
    // How many moves there are, none when it is over; joint moves where several players move at once. Their
    // order is fixed: bytewise by name.
    { game.moves() } -> std::convertible_to<std::size_t>;
    game.successor(move, out);
    { game.payoff(player) } -> std::same_as<int>;  // when it is over

    { game.key(state) } -> std::same_as<Hash128>;  // different for different states
    { game.player_name(player) } -> std::convertible_to<std::string>;
    { game.move_name(move) } -> std::convertible_to<std::string>;
    { game.state_name(state) } -> std::convertible_to<std::string>;
};

// Games whose chance moves may be more or less likely. In all others they are equally likely.
template <class G>
concept WeightedGame = Game<G> && requires(const G game, std::size_t move) {
    // Of a move of chance in the state that was looked at: its probability is its part of the sum of all.
    { game.weight(move) } -> std::same_as<std::uint64_t>;
};

template <Game G>
[[nodiscard]] std::uint64_t weight_of(const G& game, std::size_t move) {
    if constexpr (WeightedGame<G>) {
        return game.weight(move);
    } else {
        return 1;
    }
}

// A walk goes forth and back in a game, one move at a time: what depth-first search needs. `key` may be the
// same for positions that are symmetric; `exact_key` is not.
template <class W>
concept Walk = requires(W walk, std::size_t move, Player player) {
    { walk.players() } -> std::convertible_to<std::size_t>;
    { walk.turn() } -> std::same_as<Turn>;
    { walk.moves() } -> std::convertible_to<std::size_t>;
    { walk.payoff(player) } -> std::same_as<int>;
    { walk.key() } -> std::same_as<Hash128>;
    { walk.exact_key() } -> std::same_as<Hash128>;
    // Names a move wherever it occurs, from 0: for what is learned about moves across positions.
    { walk.move_id(move) } -> std::convertible_to<std::uint32_t>;
    walk.make(move);
    walk.unmake();
};

// Any game, walked.
template <Game G>
class Walker {
public:
    explicit Walker(G& game) : Walker(game, game.initial()) {}
    Walker(G& game, const typename G::State& start) : game_(game), path_{start} { game_.look(start); }

    [[nodiscard]] std::size_t players() const { return game_.players(); }
    [[nodiscard]] Turn turn() const { return game_.turn(); }
    [[nodiscard]] std::size_t moves() const { return game_.moves(); }
    [[nodiscard]] int payoff(Player player) const { return game_.payoff(player); }
    [[nodiscard]] Hash128 key() const { return game_.key(path_.back()); }
    [[nodiscard]] Hash128 exact_key() const { return key(); }
    [[nodiscard]] std::uint32_t move_id(std::size_t move) const { return static_cast<std::uint32_t>(move); }
    void make(std::size_t move) {
        path_.emplace_back(path_.back());
        game_.successor(move, path_.back());
        game_.look(path_.back());
    }
    void unmake() {
        path_.pop_back();
        game_.look(path_.back());
    }
    [[nodiscard]] const typename G::State& state() const { return path_.back(); }
    [[nodiscard]] const G& game() const { return game_; }  // looks at this state

private:
    G& game_;
    std::vector<typename G::State> path_;
};

// Throws Error where `turn` is not over and not a single player's.
inline void require_turns(Turn turn, const std::string& engine) {
    if (turn.kind == Turn::Kind::chance) {
        throw Error(engine + " cannot handle chance, but this game has chance moves",
                    "choose a game without chance");
    }
    if (turn.kind == Turn::Kind::simultaneous) {
        throw Error(
            engine +
                " cannot handle simultaneous moves, but this game has a state in which several players move",
            "choose a game in which players take turns");
    }
}

}  // namespace zermelo::game
