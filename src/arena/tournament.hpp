// Tournaments: round robins, gauntlets and sweeps; many matches between players that take turns at the seats.
//
// A plan is everything that was asked for; from it follows the schedule, a numbered list of matches, each
// with a seed of its own. In a round robin every two players meet in every game, in a gauntlet the first one
// meets every other, and in a sweep, which is a gauntlet too, every value of the swept key does; in games
// with more than two seats the two take seats alternately, and in games with one seat, or where the plan says
// so, every player plays alone. Every seating is played `rounds` times.
//
// Matches run in parallel, each on cores of its own, so that they do not take time from each other; but a
// remote player plays one match at a time. Finished matches go into the record, and a tournament that was
// stopped or killed goes on with what is missing.
//
// Sequential tests may end comparisons early: in a gauntlet each opponent in each game has its own, in a
// round robin of two there is one for all games together. A test is told the matches in the order of their
// numbers, so when it ends depends neither on how many run at once nor on interruptions.

#pragma once

#include <functional>
#include <optional>
#include <set>

#include "arena/ratings.hpp"
#include "arena/referee.hpp"
#include "arena/sweep.hpp"
#include "play/player_registry.hpp"

namespace zermelo::arena {

enum class Form {
    round_robin,
    gauntlet,
    together,  // all in each match; they take seats in turns
    seated     // the same, with a player for each seat
};

struct Plan {
    std::vector<std::string> games;    // files
    std::vector<std::string> players;  // as play/player_registry.hpp reads them
    Form form = Form::round_robin;
    std::uint64_t rounds = 1;
    double clock = 1;            // seconds for a move; 0: none, then playouts must be given
    double start_clock = 1;      // seconds for preparation
    std::uint64_t playouts = 0;  // for a move
    std::uint64_t seed = 1;
    std::size_t memory = std::size_t{64} << 20;  // of each player
    bool check = false;                          // by the reasoner
    bool cpu_clock = false;  // seconds are those of the process on a CPU; one match at a time
    std::optional<Sprt> sprt = {};
    bool alone = false;          // every player takes all seats of its matches, as where all win together
    std::uint64_t at_least = 0;  // matches before a sequential test may end a comparison
    // A sweep: the first players are those of its values, in their order, the others are the opponents, and
    // the form is a gauntlet.
    std::optional<Sweep> sweep = {};

    // How many of the first players meet all others, but not each other, in a gauntlet.
    [[nodiscard]] std::size_t challengers() const { return sweep ? sweep->values.size() : 1; }

    [[nodiscard]] std::string text() const;  // JSON
    [[nodiscard]] static Plan read(const std::string& text);
};

// How the players are called in results: by their labels, told apart by numbers where these are equal.
[[nodiscard]] std::vector<std::string> labels(const Plan& plan);

struct Pairing {
    std::uint64_t number;
    std::size_t game;                  // of the plan
    std::vector<std::size_t> players;  // of the plan, by seat
    std::uint64_t seed;
};

// `seats`: by game of the plan, how many. Throws Error where there are too few or too many players.
[[nodiscard]] std::vector<Pairing> schedule(const Plan& plan, const std::vector<std::size_t>& seats);

struct Progress {
    std::uint64_t finished = 0;
    std::uint64_t scheduled = 0;
    std::uint64_t running = 0;
};

// A match that is about to be played.
struct Fixture {
    const Pairing& pairing;
    const play::GameContext& rules;
    play::Shared& shared;
    const std::string& file;
    std::vector<std::string> labels;  // by seat
    double start_clock;               // seconds
    double clock;                     // for a move, of players that have none of their own
};

// Follows one match, on the thread that plays it.
class Spectator {
public:
    virtual ~Spectator() = default;
    virtual void started(const Faults& faults) = 0;
    virtual void step(const play::State& state, const play::JointMove& joint, const Faults& faults) = 0;
    virtual void end(const MatchResult* result) = 0;  // none where the match was broken off
};

// A game that is ready to be played.
struct LoadedGame {
    const play::GameContext* rules = nullptr;
    play::Shared* shared = nullptr;
    std::shared_ptr<const void> owner = {};  // of both
};

// Plays a match; called for one match after another. Throws LimitReached where it has to stop.
using MatchRunner = std::function<MatchResult(const Pairing&, const Limits&)>;

class Matches;

struct TournamentOptions {
    // Matches at once; 0: as many as the cores and the players' threads allow, or one where a player is
    // remote.
    unsigned parallel = 0;
    bool own_cores = true;  // matches stay on cores of their own, if there are enough
    Limits limits = {};
    // Loads a game of the plan; reads it from its file unless given.
    std::function<LoadedGame(const std::string& game)> load = {};
    // Makes a player; play::make_player unless given.
    std::function<std::unique_ptr<play::Player>(const Fixture&, const play::Spec&, const play::Settings&)>
        make = {};
    std::function<std::unique_ptr<Spectator>(const Fixture&)> follow = {};
    std::function<void(const Matches&)> ready = {};  // once, when the games are read, before the first match
    std::function<void(const Progress&, const MatchResult&)> progress = {};  // after every match
};

struct TournamentResult {
    std::vector<MatchResult> matches;  // by number
    std::uint64_t scheduled = 0;
    Stop stop = Stop::none;                           // why it is not complete, if it is not
    Sprt::Decision decision = Sprt::Decision::go_on;  // of the sequential test of a round robin
    std::size_t peak_bytes = 0;                       // of memory, of all processes
};

// The matches of a plan, ready to be played; every process that plays some of them needs it. Throws Error for
// an unknown game or player. The plan and the options must outlive it.
class Matches {
public:
    Matches(const Plan& plan, const TournamentOptions& options);

    [[nodiscard]] const Plan& plan() const { return plan_; }
    [[nodiscard]] const TournamentOptions& options() const { return options_; }
    [[nodiscard]] const std::vector<play::Spec>& players() const { return specs_; }
    [[nodiscard]] const std::vector<std::string>& labels() const { return labels_; }  // by player
    [[nodiscard]] const play::GameContext& rules(std::size_t game) const;             // of the plan
    [[nodiscard]] const std::vector<Pairing>& schedule() const { return schedule_; }  // by number
    // The players of a match that play only one at a time.
    [[nodiscard]] std::set<std::string> engaged(const Pairing& pairing) const;

    // How many matches this process plays at once.
    [[nodiscard]] unsigned local_runners() const;
    // Players that ponder take time from others.
    [[nodiscard]] bool ponder_on_shared_cores() const;
    // Calls `work` concurrently for all runners, those of this process and the remote ones, and returns when
    // all calls have ended; the first exception is thrown again.
    void run_all(const std::function<void(const MatchRunner&)>& work,
                 const std::vector<MatchRunner>& remote = {}) const;

private:
    [[nodiscard]] MatchResult play(const Pairing& pairing, const Limits& limits) const;

    const Plan& plan_;
    const TournamentOptions& options_;
    std::vector<play::Spec> specs_;
    std::vector<std::string> labels_;
    std::vector<LoadedGame> games_;  // by game of the plan
    std::size_t most_seats_ = 1;     // of a game
    std::vector<Pairing> schedule_;
};

// With a record, goes on from there. Throws Error for an unknown game or player.
[[nodiscard]] TournamentResult run(const Plan& plan, const TournamentOptions& options, Record* record);
// The same with matches that are ready, and with further runners beside those of this process.
[[nodiscard]] TournamentResult run(const Matches& matches, Record* record,
                                   const std::vector<MatchRunner>& remote = {});

}  // namespace zermelo::arena
