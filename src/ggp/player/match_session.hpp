// Match session: our side of one match.
//
// Whatever happens, every request is answered in time, and by a legal move if there is any way to know one.
// Three threads see to that. The engine reads and grounds the rules and then thinks with the configured
// player. The fallback player, which needs no grounding, chooses while the engine is not ready, or where it
// never will be. The watchdog answers with the best move that is known when time is up. In turn-taking games
// without hidden moves, the game or what is left of it is solved where possible and played from the solution.
//
// When it has answered, the engine ponders until the next message comes.

#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "ggp/player/percept_reader.hpp"
#include "play/player_registry.hpp"

namespace zermelo::ggp {

struct MatchSessionOptions {
    play::Spec strategy;
    std::size_t memory = std::size_t{512} << 20;     // bytes, of the player
    std::optional<std::size_t> process_memory = {};  // of the whole process, beyond which rules are too large
    std::uint64_t seed = 1;
    bool ponder = true;     // unless the strategy says otherwise
    double play_clock = 0;  // seconds for a move; 0: not known
    // Makes the player; play::make_player of the strategy unless given.
    std::function<std::unique_ptr<play::Player>(const play::GameContext&, const play::Settings&)> make = {};
};

class MatchSession {
public:
    using Clock = play::Deadline::Clock;
    struct Answer {
        std::string text;  // ready, a move, or nil where none is known; or why the match is refused
        std::size_t turn = 0;
        bool refused = false;
        bool stopgap = false;  // not what the engine chose
        bool lost = false;     // nobody can follow the match any more: there will be no move in it
        std::string remark = {};
    };
    using Say = std::function<void(const Answer&)>;

    // A step that was played before, in a match that goes on: the PLAY, and what we answered to it.
    struct Past {
        Message message;
        std::optional<std::string> answer;
    };

    MatchSession(Message start, MatchSessionOptions options, std::vector<Past> past = {});
    ~MatchSession();  // breaks off whatever is going on, and waits for it
    MatchSession(const MatchSession&) = delete;
    MatchSession& operator=(const MatchSession&) = delete;

    // Both are answered once, by `until` at the latest, from another thread.
    void start(Clock::time_point until, Say say);
    // False where the turn was asked about before.
    bool play(const Message& message, Clock::time_point until, Say say);
    // Answers what is still open, and thinks no more.
    void stop();

    struct Status {
        std::string role;
        std::size_t turn = 0;
        std::string engine;          // a phrase
        std::string remark;          // of the last move
        std::uint64_t pondered = 0;  // playouts made while others thought
    };
    [[nodiscard]] Status status() const;

private:
    struct Question {
        bool is_start = false;
        std::size_t turn = 0;
        Clock::time_point until = {};
        std::vector<Say> say = {};
        Clock::time_point asked = {};

        // A turn may be asked about again, when a step that was told twice has been taken back.
        [[nodiscard]] bool same(const Question& other) const {
            return is_start == other.is_start && (is_start || (turn == other.turn && asked == other.asked));
        }
    };
    class Engine;
    // Steps that a thread has not read yet, and the question.
    struct Backlog {
        Question question;
        std::vector<Message> told;
        std::vector<std::optional<std::string>> answered;  // by message
    };

    void run_engine();
    [[nodiscard]] std::unique_ptr<Engine> make_engine(const Limits& limits);
    void think();
    void ponder(const Answer& chosen, std::size_t next);
    void fail(const std::string& why);
    void decline_if_lost();
    void run_fallback();
    void play_fallback();
    [[nodiscard]] bool wait_until_needed(std::unique_lock<std::mutex>& lock, bool any, std::size_t next);
    void run_watchdog();
    void answer(const Question& question, Answer answer);
    void take(const Message& message);
    void retract(std::size_t step);
    [[nodiscard]] Backlog backlog(std::size_t read_steps) const;
    [[nodiscard]] bool asks(std::size_t turn) const;
    [[nodiscard]] std::optional<std::string> safe_move(std::size_t turn) const;
    static void tell(const std::vector<Say>& all, const Answer& answer);

    const Message start_;
    const MatchSessionOptions options_;
    std::atomic<bool> cancelled_ = false;
    std::atomic<bool> pondering_ends_ = false;

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    bool stopping_ = false;
    std::vector<Message> told_;                        // steps, in order
    std::vector<std::optional<std::string>> answers_;  // by turn, plain()
    std::vector<Answer> full_answers_;                 // by turn
    std::optional<Question> question_;
    std::shared_ptr<const gdl::Description> description_;  // when it has been read
    std::unique_ptr<Engine> engine_;                       // when the game has been grounded
    bool ready_ = false;                                   // the engine, for questions
    bool failed_ = false;                                  // the engine, for good
    bool declined_ = false;                                // a turn, because steps before it were missing
    bool fallback_failed_ = false;                         // the fallback player, too
    std::optional<std::size_t> choosing_;                  // the turn that the engine thinks about
    std::optional<std::size_t> safe_turn_;                 // of the next
    std::string safe_;                                     // a legal move that the fallback player knows
    std::string phase_ = "reading the rules";
    std::string remark_;
    std::vector<std::jthread> threads_;
};

}  // namespace zermelo::ggp
