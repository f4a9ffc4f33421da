#include "arena/referee.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <limits>
#include <thread>

#include "core/clock.hpp"

namespace zermelo::arena {

using play::Deadline;
using play::JointMove;
using play::MoveId;

namespace {

// The play once more, by the reasoner.
class Witness {
public:
    Witness(const play::GameContext& rules, gdl::Reasoner* reasoner) : rules_(rules), reasoner_(reasoner) {
        if (reasoner_ != nullptr) state_ = reasoner_->initial();
    }

    void follow(const JointMove& joint, const play::State& next) {
        if (reasoner_ == nullptr) return;
        gdl::Reasoner::Joint same;
        for (std::size_t r = 0; r < joint.size(); ++r) {
            const std::string text = rules_.game().move_text(r, joint[r]);
            const auto legal = reasoner_->legal(state_, r);
            const auto move = reasoner_->find(text);
            if (!move || std::find(legal.begin(), legal.end(), *move) == legal.end())
                disagree(fmt::format("{} may not play {}", rules_.role_name(r), text));
            same.push_back(*move);
        }
        state_ = reasoner_->next(state_, same);
        std::vector<std::string> facts;
        for (const auto fluent : state_) facts.push_back(reasoner_->text(fluent));
        std::sort(facts.begin(), facts.end());
        if (facts != rules_.game().facts(next)) disagree("the state after a step is another one");
    }
    void finish(const MatchResult& result) {
        if (reasoner_ == nullptr) return;
        if (!reasoner_->terminal(state_)) disagree("the game is not over");
        for (std::size_t i = 0; i < result.seats.size(); ++i) {
            if (reasoner_->goal(state_, rules_.seats()[i]).value_or(0) != result.seats[i].goal)
                disagree(fmt::format("{} gets something else", result.seats[i].role));
        }
    }

private:
    [[noreturn]] void disagree(const std::string& how) const {
        throw Error({rules_.game().description().file}, "the reasoner says: " + how,
                    "this is a bug in Zermelo; please report it with the game description");
    }

    const play::GameContext& rules_;
    gdl::Reasoner* reasoner_;
    gdl::Reasoner::State state_;
};

// A player ponders while this lives.
class Pondering {
public:
    Pondering(play::Player& player, MoveId made)
        : thread_([this, &player, made] {
              const Cancellable scope(stop_);
              player.ponder(made);
          }) {}
    ~Pondering() { stop_ = true; }  // and waits for the thread
    Pondering(const Pondering&) = delete;
    Pondering& operator=(const Pondering&) = delete;

private:
    std::atomic<bool> stop_ = false;
    std::jthread thread_;
};

class Match {
public:
    Match(const play::GameContext& rules, std::span<const Seat> seats, const MatchOptions& options)
        : rules_(rules),
          seats_(seats),
          options_(options),
          info_(rules),
          random_(options.seed),
          witness_(rules, options.witness),
          faults_(rules.roles()) {
        for (std::size_t i = 0; i < seats.size(); ++i)
            result_.seats.push_back({.role = rules.role_name(rules.seats()[i]),
                                     .player = seats[i].label,
                                     .slack_least = std::numeric_limits<double>::infinity()});
    }

    MatchResult run() {
        const auto begun = Deadline::Clock::now();
        start();
        play::State state = rules_.machine().initial();
        for (info_.load(state); !info_.terminal(); info_.load(state)) {
            if (result_.plies == options_.most_moves) {
                result_.error = fmt::format("not over after {} moves", options_.most_moves);
                break;
            }
            step(state);
            check_limits();
            if (options_.watch) options_.watch(state, joint_, faults_);
        }
        for (std::size_t i = 0; i < seats_.size(); ++i) {
            SeatResult& seat = result_.seats[i];
            if (result_.error.empty()) seat.goal = info_.goal(rules_.seats()[i]);
        }
        if (result_.error.empty()) {
            witness_.finish(result_);
            finish_players();
        }
        result_.seconds = seconds_since(begun);
        return result_;
    }

private:
    // What a player cannot keep for later is no fault of the match.
    void finish_players() {
        for (std::size_t i = 0; i < seats_.size(); ++i) {
            try {
                seats_[i].player->finish();
            } catch (const Error&) {
                result_.seats[i].counters["unsaved"] = 1;
            }
        }
    }

    void check_limits() const {
        const Stop stop = options_.limits.reached();
        if (stop != Stop::none) throw LimitReached(stop, "during a match", "start it again");
    }

    void start() {
        // Without a clock nothing depends on time.
        const auto until = [&](const Seat& seat) {
            return seat.seconds > 0 ? Deadline::in(options_.start_seconds) : Deadline();
        };
        for (const Seat& seat : seats_) seat.player->ask_start(until(seat));
        for (std::size_t i = 0; i < seats_.size(); ++i) {
            play::Player& player = *seats_[i].player;
            player.start(until(seats_[i]));
            check_limits();
            if (player.delivery() != nullptr) faults_[rules_.seats()[i]] = player.delivery()->fault;
        }
        if (options_.started) options_.started(faults_);
    }

    [[nodiscard]] static play::TimeBudget allowance(const Seat& seat) {
        play::TimeBudget result{.playouts = seat.playouts};
        if (seat.seconds > 0) result.deadline = Deadline::in(seat.seconds);
        return result;
    }

    void step(play::State& state) {
        play::random_moves(info_, random_,
                           joint_);  // chance, and the default for a seat without a valid move
        for (const Seat& seat : seats_) seat.player->ask(allowance(seat));
        ask_all();
        info_.play(joint_, state);
        ++result_.plies;
        witness_.follow(joint_, state);
        write_down();
        for (std::size_t i = 0; i < seats_.size(); ++i) {
            const std::size_t role = rules_.seats()[i];
            play::Observation seen{.joint = {}, .own = joint_[role]};
            if (rules_.hidden())
                seen.percepts = info_.percepts(role);
            else
                seen.joint = joint_;
            seats_[i].player->see(std::move(seen));
        }
    }

    // Who ponders and has no choice is asked before the others.
    void ask_all() {
        std::vector<std::size_t> thinking;
        std::vector<std::size_t> waiting;
        for (std::size_t i = 0; i < seats_.size(); ++i) {
            const bool waits = seats_[i].ponder && info_.legal(rules_.seats()[i]).size() == 1;
            (waits ? waiting : thinking).push_back(i);
        }
        for (const std::size_t i : waiting) ask(i);
        std::deque<Pondering> pondering;
        if (!thinking.empty()) {
            for (const std::size_t i : waiting)
                pondering.emplace_back(*seats_[i].player, joint_[rules_.seats()[i]]);
        }
        for (const std::size_t i : thinking) ask(i);
    }

    void ask(std::size_t i) {
        const std::size_t role = rules_.seats()[i];
        const Seat& seat = seats_[i];
        SeatResult& result = result_.seats[i];
        const auto begun = Deadline::Clock::now();
        const MoveId move = seat.player->choose(allowance(seat));
        double seconds = seconds_since(begun);
        check_limits();
        const play::Delivery* delivery = seat.player->delivery();
        if (delivery != nullptr) seconds = delivery->seconds;
        ++result.moves;
        result.seconds += seconds;
        result.playouts += seat.player->thought().playouts;
        for (const auto& [name, value] : seat.player->thought().counters) result.counters[name] += value;
        result.longest_move = std::max(result.longest_move, seconds);
        if (seat.seconds > 0) result.slack_least = std::min(result.slack_least, seat.seconds - seconds);
        std::string& fault = faults_[role];
        fault = delivery != nullptr ? delivery->fault : "";
        bool late = false;
        bool illegal = false;
        if (!fault.empty()) {  // there is no move
            illegal = fault.starts_with("IL");
            late = !illegal;
        } else {
            const auto& legal = info_.legal(role);
            late = delivery == nullptr && seat.seconds > 0 && seconds > seat.seconds;
            illegal = std::find(legal.begin(), legal.end(), move) == legal.end();
            if (late)
                fault = "TO";
            else if (illegal)
                fault = "IL " + name(role, move);
        }
        if (late) ++result.late;
        if (illegal) ++result.illegal;
        if (!fault.empty()) ++result.counters["fault " + fault];  // so that the record says why
        if (!late && !illegal) joint_[role] = move;
    }

    [[nodiscard]] std::string name(std::size_t role, MoveId move) const {
        return move < rules_.machine().network().moves[role].size() ? rules_.game().move_text(role, move)
                                                                    : "nil";
    }

    void write_down() {
        if (!result_.moves.empty()) result_.moves += "; ";
        for (std::size_t r = 0; r < joint_.size(); ++r)
            result_.moves += (r == 0 ? "" : " ") + rules_.game().move_text(r, joint_[r]);
    }

    const play::GameContext& rules_;
    std::span<const Seat> seats_;
    const MatchOptions& options_;
    play::InfoState info_;
    Random random_;
    Witness witness_;
    Faults faults_;  // of the last step
    JointMove joint_;
    MatchResult result_;
};

}  // namespace

MatchResult referee(const play::GameContext& rules, std::span<const Seat> seats,
                    const MatchOptions& options) {
    return Match(rules, seats, options).run();
}

}  // namespace zermelo::arena
