#include "ggp/player/match_session.hpp"

#include <fmt/format.h>
#include <algorithm>

#include "core/affinity.hpp"
#include "core/memory.hpp"
#include "gdl/syntax/parse.hpp"
#include "ggp/player/fallback_player.hpp"
#include "play/players/perfect.hpp"

namespace zermelo::ggp {

namespace {

constexpr auto slack = std::chrono::milliseconds(10);  // between the players' deadline and the watchdog's
constexpr double solving_share = 0.25;                 // of the start-clock
constexpr double solving_seconds = 30;
constexpr const char* no_move = "nil";

bool has_role(const gdl::Description& description, const std::string& role) {
    return std::ranges::any_of(description.rules, [&](const gdl::Rule& rule) {
        return rule.head.relation == gdl::kw_role && rule.head.arguments.size() == 1 &&
               lower(gdl::text(description.symbols, rule.head.arguments[0])) == role;
    });
}

}  // namespace

// The grounded game, and the player on it.
class MatchSession::Engine {
public:
    Engine(const gdl::Description& description, const std::string& role, const Limits& limits)
        : game_(description, {.limits = limits}),
          rules_(game_),
          role_(place_of(role)),
          percepts_(rules_, role_) {}

    // The player, who may prepare until then.
    void prepare(const MatchSessionOptions& options, const play::Deadline& until) {
        const play::Settings settings{.role = role_,
                                      .seed = options.seed,
                                      .memory = options.memory,
                                      .start_threads = static_cast<unsigned>(cores().size()),
                                      .clock = options.play_clock};
        const auto make = [this, options, settings] {
            if (options.make) return options.make(rules_, settings);
            return play::make_player(options.strategy, rules_, settings, shared_);
        };
        if (rules_.turns()) {
            play::SolutionOptions solving;
            solving.seconds = std::clamp(solving_share * until.left(), 0.0, solving_seconds);
            solving.memory = options.memory;
            player_ = std::make_unique<play::PerfectPlayer>(
                rules_, settings, std::make_shared<play::Solutions>(rules_, solving), make);
        } else {
            player_ = make();
        }
        if (until.left() > 0) player_->start(until);
    }

    void read(const Message& message, const std::optional<std::string>& answered) {
        player_->see(percepts_.read(message, answered));
    }
    [[nodiscard]] Answer choose(const play::Deadline& deadline) {
        made_ = player_->choose({.deadline = deadline});
        return {.text = game_.move_text(role_, made_), .remark = player_->thought().remark};
    }
    // After the move that it chose last, until the thread is cancelled.
    void ponder() { player_->ponder(made_); }
    [[nodiscard]] std::uint64_t pondered() const { return player_ ? player_->pondered() : 0; }
    // While it chooses: a legal move, if one is known already.
    [[nodiscard]] std::optional<std::string> safe() const {
        const auto move = player_ ? player_->safe() : std::nullopt;
        return move ? std::optional(game_.move_text(role_, *move)) : std::nullopt;
    }

private:
    [[nodiscard]] std::size_t place_of(const std::string& role) const {
        std::size_t place = 0;
        while (place < rules_.roles() && lower(rules_.role_name(place)) != role) ++place;
        if (place == rules_.roles())
            throw Error("the rules have no role " + role, "start the match with one of their roles");
        return place;
    }

    gdl::Game game_;
    play::GameContext rules_;
    std::size_t role_;
    PerceptReader percepts_;
    play::Shared shared_;
    std::unique_ptr<play::Player> player_;
    play::MoveId made_ = 0;
};

MatchSession::MatchSession(Message start, MatchSessionOptions options, std::vector<Past> past)
    : start_(std::move(start)), options_(std::move(options)) {
    for (Past& one : past) {
        take(one.message);
        if (!one.answer || *one.answer == no_move) continue;
        answers_.back() = read_move(*one.answer);
        full_answers_.back() = {.text = *one.answer, .turn = told_.size()};
    }
    try {
        threads_.emplace_back([this] { run_engine(); });
        threads_.emplace_back([this] { run_fallback(); });
        threads_.emplace_back([this] { run_watchdog(); });
    } catch (...) {
        stop();
        throw;
    }
}

MatchSession::~MatchSession() {
    stop();
    threads_.clear();  // waits for them
}

void MatchSession::stop() {
    cancelled_ = true;
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    pondering_ends_ = true;
    changed_.notify_all();
}

MatchSession::Status MatchSession::status() const {
    const std::lock_guard lock(mutex_);
    return {start_.role, told_.size(), phase_, remark_, engine_ ? engine_->pondered() : 0};
}

void MatchSession::start(Clock::time_point until, Say say) {
    {
        const std::lock_guard lock(mutex_);
        if (!question_) {
            question_ = Question{
                .is_start = true, .turn = 0, .until = until, .say = {std::move(say)}, .asked = Clock::now()};
            changed_.notify_all();
            return;
        }
    }
    tell({say}, {.text = "ready"});  // it is being played already
}

// A step, and a turn that is to be answered.
void MatchSession::take(const Message& message) {
    const bool first = message.dated ? message.turn == 0 : message.nothing;
    if (!first) told_.push_back(message);
    answers_.resize(told_.size() + 1);
    full_answers_.resize(told_.size() + 1);
}

bool MatchSession::play(const Message& message, Clock::time_point until, Say say) {
    std::unique_lock lock(mutex_);
    const std::size_t last = told_.size();
    const std::size_t turn = message.dated ? message.turn : message.nothing ? 0 : last + 1;
    const bool open = question_ && !question_->is_start;
    // The same question once more, while it is being thought about.
    const bool twice = open && !message.dated && !message.nothing && last > 0 && !told_.back().dated &&
                       message.items == told_.back().items;
    if (twice || (open && turn == question_->turn)) {
        question_->say.push_back(std::move(say));
        return false;
    }
    if (!answers_.empty() && turn <= last && !full_answers_[turn].text.empty()) {
        const Answer known = full_answers_[turn];
        lock.unlock();
        tell({say}, known);
        return false;
    }
    // Something was missed, or nothing is known about that turn.
    if (turn > last + 1 || turn < last) {
        const bool again = turn > last + 1 && std::exchange(declined_, true);
        lock.unlock();
        tell({say}, {.text = again ? "busy" : no_move,
                     .turn = turn,
                     .stopgap = true,
                     .lost = again,
                     .remark = "a step is missing"});
        return false;
    }
    if (failed_ && fallback_failed_) {
        const std::string why = phase_;
        lock.unlock();
        tell({say}, {.text = no_move, .turn = turn, .stopgap = true, .lost = true, .remark = why});
        return false;
    }
    const auto before = std::exchange(question_, std::nullopt);
    const bool fresh = answers_.empty() || turn > last;
    if (fresh) take(message);
    declined_ = false;
    question_ =
        Question{.turn = told_.size(), .until = until, .say = {std::move(say)}, .asked = Clock::now()};
    pondering_ends_ = true;
    changed_.notify_all();
    lock.unlock();
    // A manager that asks the next question does not wait for the answer to the last one any more.
    if (before) {
        tell(before->say, {.text = before->is_start ? "ready" : no_move,
                           .turn = before->turn,
                           .stopgap = true,
                           .remark = "the next question came"});
    }
    return fresh;
}

void MatchSession::tell(const std::vector<Say>& all, const Answer& answer) {
    for (const Say& each : all) {
        try {
            each(answer);
        } catch (const std::exception&) {
            // The other side is gone.
        }
    }
}

bool MatchSession::asks(std::size_t turn) const {
    return question_ && !question_->is_start && question_->turn == turn;
}

void MatchSession::answer(const Question& question, Answer answer) {
    std::vector<Say> say;
    answer.turn = question.turn;
    {
        const std::lock_guard lock(mutex_);
        if (!question_ || !question_->same(question)) return;
        say = std::move(question_->say);
        question_.reset();
        if (!question.is_start) {
            if (answer.text != no_move) answers_[question.turn] = read_move(answer.text);
            full_answers_[question.turn] = answer;
            remark_ = answer.remark;
        }
        changed_.notify_all();
    }
    tell(say, answer);
}

MatchSession::Backlog MatchSession::backlog(std::size_t read_steps) const {
    Backlog backlog{.question = {.turn = question_->turn,
                                 .until = question_->until,
                                 .say = {},
                                 .asked = question_->asked},
                    .told = {},
                    .answered = {}};
    for (std::size_t i = read_steps; i < told_.size(); ++i) {
        backlog.told.push_back(told_[i]);
        backlog.answered.push_back(answers_[i]);
    }
    return backlog;
}

void MatchSession::fail(const std::string& why) {
    bool unreadable = false;
    {
        const std::lock_guard lock(mutex_);
        failed_ = true;
        phase_ = why;
        unreadable = description_ == nullptr;
        changed_.notify_all();
    }
    if (unreadable) answer({.is_start = true}, {.text = why, .refused = true});
    decline_if_lost();
}

// Where neither the engine nor the fallback player can go on, nobody has to wait for the end of the clock.
void MatchSession::decline_if_lost() {
    std::unique_lock lock(mutex_);
    if (!failed_ || !fallback_failed_ || !question_ || question_->is_start) return;
    const Question question{question_->is_start, question_->turn, question_->until, {}, question_->asked};
    const Answer declined{.text = no_move, .stopgap = true, .lost = true, .remark = phase_};
    lock.unlock();
    answer(question, declined);
}

void MatchSession::run_engine() {
    const Cancellable scope(cancelled_);
    // Where the network is too large, the rules as they stand must still find room.
    std::optional<std::size_t> most = options_.process_memory;
    if (most) *most -= *most / 4;
    const Limits limits(std::nullopt, most);
    const LimitScope budget(limits);
    try {
        {
            // A match can be refused only in answer to START.
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [&] { return stopping_ || question_; });
        }
        auto engine = make_engine(limits);
        std::unique_lock lock(mutex_);
        phase_ = "preparing";
        const play::Deadline until(question_ && question_->is_start ? question_->until : Clock::now());
        lock.unlock();
        engine->prepare(options_, until);
        lock.lock();
        engine_ = std::move(engine);
        ready_ = true;
        phase_ = "playing";
        changed_.notify_all();
        lock.unlock();
        answer({.is_start = true}, {.text = "ready"});
        think();
    } catch (const std::exception& problem) {
        return_freed_memory();
        fail(problem.what());
    }
}

std::unique_ptr<MatchSession::Engine> MatchSession::make_engine(const Limits& limits) {
    auto description = std::make_shared<const gdl::Description>(gdl::parse(start_.rules, "rules"));
    if (!has_role(*description, start_.role))
        throw Error("the rules have no role " + start_.role, "start the match with one of their roles");
    {
        const std::lock_guard lock(mutex_);
        description_ = description;
        phase_ = "grounding the rules";
        changed_.notify_all();
    }
    return std::make_unique<Engine>(*description, start_.role, limits);
}

// The step was told twice: it cannot have been made twice. Who asked again gets the answer once more. The
// engine and the fallback player may both find out.
void MatchSession::retract(std::size_t step) {
    std::vector<Say> say;
    Answer known;
    {
        const std::lock_guard lock(mutex_);
        if (step == 0 || step >= told_.size() || told_[step].items != told_[step - 1].items) return;
        told_.erase(told_.begin() + static_cast<std::ptrdiff_t>(step));
        answers_.erase(answers_.begin() + static_cast<std::ptrdiff_t>(step) + 1);
        full_answers_.erase(full_answers_.begin() + static_cast<std::ptrdiff_t>(step) + 1);
        choosing_.reset();
        if (!question_ || question_->is_start) return;
        --question_->turn;
        known = full_answers_[question_->turn];
        if (known.text.empty()) return;  // the turn is still to be answered
        say = std::move(question_->say);
        question_.reset();
        changed_.notify_all();
    }
    tell(say, known);
}

void MatchSession::think() {
    std::size_t read_steps = 0;
    std::vector<std::string> last;  // of the last step read
    for (std::size_t next = 0;;) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] {
            return stopping_ || (question_ && !question_->is_start && question_->turn >= next);
        });
        if (stopping_) return;
        const Backlog now = backlog(read_steps);
        choosing_ = now.question.turn;
        lock.unlock();
        bool repeated = false;
        for (std::size_t i = 0; i < now.told.size() && !repeated; ++i) {
            try {
                engine_->read(now.told[i], now.answered[i]);
                last = now.told[i].items;
                ++read_steps;
            } catch (const InconsistentStep&) {
                repeated = read_steps > 0 && now.told[i].items == last;
                if (!repeated) throw;
            }
        }
        if (repeated) {
            retract(read_steps);
            continue;
        }
        const Answer chosen = engine_->choose(play::Deadline(now.question.until - slack));
        lock.lock();
        choosing_.reset();
        lock.unlock();
        answer(now.question, chosen);
        next = now.question.turn + 1;
        if (options_.strategy.ponder.value_or(options_.ponder)) ponder(chosen, next);
    }
}

// Until the turn comes, if the move was said, and not the watchdog's.
void MatchSession::ponder(const Answer& chosen, std::size_t next) {
    {
        const std::lock_guard lock(mutex_);
        const bool said = full_answers_.size() == next && full_answers_.back().text == chosen.text;
        if (stopping_ || question_ || !said) return;
        pondering_ends_ = false;
    }
    const Cancellable scope(pondering_ends_);
    engine_->ponder();
}

// What the engine knows to be legal while it thinks about the turn.
std::optional<std::string> MatchSession::safe_move(std::size_t turn) const {
    if (ready_ && !failed_ && choosing_ == turn) {
        if (auto move = engine_->safe()) return move;
    }
    if (safe_turn_ == turn) return safe_;
    return std::nullopt;
}

// Until the engine has failed, or half of the time of a question has passed and it knows no move. The
// question is about a turn from `next` on, or START where `any` will do. False where the match is over.
bool MatchSession::wait_until_needed(std::unique_lock<std::mutex>& lock, bool any, std::size_t next) {
    while (!stopping_) {
        if (!question_ || !description_ || (question_->is_start ? !any : question_->turn < next)) {
            changed_.wait(lock);
            continue;
        }
        if (failed_) return true;
        const bool known = question_->is_start ? ready_ : safe_move(question_->turn).has_value();
        const auto half = question_->asked + (question_->until - question_->asked) / 2;
        if (!known && Clock::now() >= half) return true;
        changed_.wait_until(lock, known ? std::max(question_->until, Clock::now() + slack) : half);
    }
    return false;
}

void MatchSession::run_fallback() {
    const Cancellable scope(cancelled_);
    try {
        play_fallback();
    } catch (const std::exception& problem) {
        {
            const std::lock_guard lock(mutex_);
            fallback_failed_ = true;
            if (failed_) phase_ += fmt::format("; {}", problem.what());
        }
        decline_if_lost();
    }
}

void MatchSession::play_fallback() {
    std::unique_lock lock(mutex_);
    if (!wait_until_needed(lock, true, 0)) return;
    const auto description = description_;
    lock.unlock();
    FallbackPlayer fallback(*description, start_.role, options_.seed,
                            Limits(std::nullopt, options_.process_memory));
    lock.lock();
    std::size_t read_steps = 0;
    for (std::size_t next = 0; wait_until_needed(lock, false, next);) {
        const Backlog now = backlog(read_steps);
        lock.unlock();
        const play::Deadline until(now.question.until - slack);
        try {
            for (std::size_t i = 0; i < now.told.size(); ++i, ++read_steps)
                fallback.update(now.told[i], now.answered[i], until);
        } catch (const InconsistentStep&) {
            retract(read_steps);
            lock.lock();
            continue;
        }
        const auto legal = fallback.legal();
        lock.lock();
        if (legal.empty()) throw Error("there is no legal move");
        safe_ = legal.front();
        safe_turn_ = now.question.turn;
        changed_.wait(lock, [&] { return stopping_ || failed_ || !asks(now.question.turn); });
        next = now.question.turn + 1;
        if (stopping_ || !asks(now.question.turn)) continue;
        lock.unlock();
        answer(now.question,
               {.text = fallback.choose(legal, until), .stopgap = true, .remark = "without a network"});
        lock.lock();
    }
}

void MatchSession::run_watchdog() {
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [&] { return stopping_ || question_; });
        if (!question_) return;
        const Question question{question_->is_start, question_->turn, question_->until, {}, question_->asked};
        const auto settled = [&] { return !question_ || !question_->same(question); };
        changed_.wait_until(lock, question.until, [&] { return stopping_ || settled(); });
        if (settled()) continue;
        // Time is up: answer with the best that is known.
        Answer stopgap{.text = "ready", .stopgap = true};
        if (!question.is_start) {
            stopgap.text = safe_move(question.turn).value_or(no_move);
            stopgap.remark = "time was up";
        }
        lock.unlock();
        answer(question, stopgap);
        lock.lock();
    }
}

}  // namespace zermelo::ggp
