// Player: a program that takes a role in a game; one file each.
//
// A player is told what its role learns of each step and asked for a move with a time budget: a deadline, a
// number of playouts, or both. The base class is the same for all of them: it keeps the belief, leaves a
// margin before the deadline, answers at once where there is no choice, and lets nothing but a legal move
// out. A derived player implements `think`.
//
// Pondering: a player may think on while the others choose, from the position after its own move. A player that can
// implements `think_ahead`; what it found out is there when the next move is asked for.

#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include "play/information/belief.hpp"

namespace zermelo::play {

struct Settings {
    std::size_t role = 0;
    std::uint64_t seed = 1;
    unsigned threads = 1;
    std::size_t memory = std::size_t{256} << 20;  // bytes
    unsigned start_threads = 0;                   // before the first move; 0: as many as `threads`
    double clock = 0;                             // seconds that a move will have; 0: not known
};

// How long a player may think about one move.
struct TimeBudget {
    Deadline deadline = {};
    std::uint64_t playouts = 0;  // stop after so many, or after as much other work; 0: the deadline decides
};

// What a move is worth, in goals 0 … 100, as far as the player knows.
struct Estimate {
    MoveId move = 0;
    double mean = 0;
    double low = 0;  // of the mean, a 95 % interval; where the value is proven, both are the value
    double high = 100;
    std::uint64_t visits = 0;
    bool proven = false;
    double least = 0;  // what is proven of the value under best play
    double most = 100;
};

// What a player thought about its last move.
struct Thought {
    std::vector<Estimate> estimates = {};  // the move it made first; empty where it has no estimates
    std::vector<JointMove> line = {};      // how it thinks the play will go, from its own move on
    std::uint64_t playouts = 0;
    std::uint64_t positions = 0;  // in its memory
    double seconds = 0;
    std::string remark = {};                                    // a phrase, such as "solved" or "depth 9"
    std::vector<std::pair<std::string, double>> counters = {};  // the player's own; they add up over moves
};

// How a request to a remote player was answered.
struct Delivery {
    double seconds = 0;  // from the question to the answer
    // Empty, or as in GGP-Base: "TO", too late; "CE", no connection; "IL" and what was said, which is no
    // move.
    std::string fault = {};
};

class Player {
public:
    Player(const GameContext& rules, const Settings& settings);
    virtual ~Player() = default;
    Player(const Player&) = delete;
    Player& operator=(const Player&) = delete;

    // Before the first move, for at most this long: what can be prepared.
    virtual void start(const Deadline& deadline);
    // A legal move of the role; never after the deadline.
    [[nodiscard]] virtual MoveId choose(const TimeBudget& allowance);
    // The role has made this move, and what follows has not been seen yet. Thinks on until the thread is cancelled
    // (Cancellable), or there is nothing to gain; at once where the player cannot.
    void ponder(MoveId made);
    // Playouts made by pondering so far. Other threads may ask.
    [[nodiscard]] std::uint64_t pondered() const { return pondered_; }
    virtual void see(Observation seen) { unread_.push_back(std::move(seen)); }
    // `start` or `choose` is about to come: a remote player may begin while others are asked.
    virtual void ask_start(const Deadline&) {}
    virtual void ask(const TimeBudget&) {}
    // The match is over, after the last step was seen. A player that dies without this was in a match that
    // was broken off.
    virtual void finish() {}
    // What became of the last `start` or `choose` of a remote player; nothing where the player is local.
    [[nodiscard]] virtual const Delivery* delivery() const { return nullptr; }
    [[nodiscard]] const Thought& thought() const { return thought_; }
    // A legal move, known before the player has thought, while `choose` runs; nothing before. Other threads
    // may ask.
    [[nodiscard]] std::optional<MoveId> safe() const {
        const std::int64_t move = safe_;
        return move < 0 ? std::nullopt : std::optional(static_cast<MoveId>(move));
    }

protected:
    // One of `legal`, which are at least two. Must return soon after the deadline of the allowance, which is
    // set or comes with a number of playouts; may look at `belief()`. Fills the thought.
    [[nodiscard]] virtual MoveId think(const std::vector<MoveId>& legal, const TimeBudget& allowance,
                                       Thought& thought) = 0;
    virtual void prepare(const Deadline&) {}
    // Ponders for so long; tells how much, in playouts or as much other work, and 0 where there is nothing to gain.
    // Must return soon after the deadline, and at once when the thread is cancelled. Estimates need not survive.
    [[nodiscard]] virtual std::uint64_t think_ahead(MoveId, const TimeBudget&) { return 0; }
    // The same of another player, which plays for this one.
    [[nodiscard]] static std::uint64_t think_ahead_by(Player& other, MoveId made,
                                                      const TimeBudget& allowance);
    // A step has been taken into the belief: the place for players that keep something between moves.
    virtual void learn(const Observation&) {}
    // How likely the others' moves are, for the belief.
    [[nodiscard]] virtual Belief::Model model() { return {}; }

    [[nodiscard]] const GameContext& rules() const { return rules_; }
    [[nodiscard]] const Settings& settings() const { return settings_; }
    [[nodiscard]] std::size_t role() const { return settings_.role; }
    [[nodiscard]] const Belief& belief() const { return belief_; }
    [[nodiscard]] Random& random() { return random_; }

private:
    void read(const Deadline& deadline);
    [[nodiscard]] bool catch_up();

    const GameContext& rules_;
    Settings settings_;
    Belief belief_;
    Random random_;
    std::vector<Observation> unread_;
    Thought thought_;
    std::atomic<std::int64_t> safe_ = -1;
    std::atomic<std::uint64_t> pondered_ = 0;
    std::uint64_t told_pondered_ = 0;  // in thoughts
};

}  // namespace zermelo::play
