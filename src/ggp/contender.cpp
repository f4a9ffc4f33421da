#include "ggp/contender.hpp"

#include <fmt/format.h>
#include <algorithm>

#include <cctype>

#include "gdl/parse.hpp"
#include "ggp/reserve.hpp"
#include "play/perfect.hpp"

namespace zermelo::ggp {

namespace {

constexpr auto slack = std::chrono::milliseconds(10);  // between the players' deadline and the clerk's
constexpr double solving_share = 0.25;                 // of the start-clock
constexpr double solving_seconds = 30;
constexpr const char* no_move = "nil";

std::string lower(std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
    return text;
}

bool has_role(const gdl::Description& description, const std::string& role) {
    return std::ranges::any_of(description.rules, [&](const gdl::Rule& rule) {
        return rule.head.relation == gdl::kw_role && rule.head.arguments.size() == 1 &&
               lower(gdl::text(description.symbols, rule.head.arguments[0])) == role;
    });
}

}  // namespace

// What there is when the game has been grounded.
class Contender::Engine {
public:
    Engine(const gdl::Description& description, const std::string& role)
        : game_(description), rules_(game_), role_(place_of(role)), ear_(rules_, role_) {}

    // The player, who may prepare until then.
    void prepare(const ContenderOptions& options, const play::Deadline& until) {
        const auto make = [this, options] {
            return play::make_player(options.strategy, rules_,
                                     {.role = role_, .seed = options.seed, .memory = options.memory},
                                     shared_);
        };
        if (rules_.turns()) {
            play::SolutionOptions solving;
            solving.seconds = std::clamp(solving_share * until.left(), 0.0, solving_seconds);
            solving.memory = options.memory;
            player_ = std::make_unique<play::PerfectPlayer>(
                rules_, play::Settings{.role = role_, .seed = options.seed, .memory = options.memory},
                std::make_shared<play::Solutions>(rules_, solving), make);
        } else {
            player_ = make();
        }
        if (until.left() > 0) player_->start(until);
    }

    void hear(const Message& message, const std::optional<std::string>& answered) {
        player_->see(ear_.hear(message, answered));
    }
    [[nodiscard]] Answer choose(const play::Deadline& deadline) {
        const play::MoveId move = player_->choose({.deadline = deadline});
        return {.text = game_.move_text(role_, move), .remark = player_->thought().remark};
    }
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
    play::Rules rules_;
    std::size_t role_;
    Ear ear_;
    play::Shared shared_;
    std::unique_ptr<play::Player> player_;
};

Contender::Contender(Message start, ContenderOptions options, std::vector<Past> past)
    : start_(std::move(start)), options_(std::move(options)) {
    for (Past& one : past) {
        take(one.message);
        if (!one.answer) continue;
        answers_.back() = read_move(*one.answer);
        full_answers_.back() = {.text = *one.answer};
    }
    threads_.emplace_back([this] { run_engine(); });
    threads_.emplace_back([this] { run_reserve(); });
    threads_.emplace_back([this] { run_clerk(); });
}

Contender::~Contender() {
    stop();
    threads_.clear();  // waits for them
}

void Contender::stop() {
    cancelled_ = true;
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    changed_.notify_all();
}

Contender::Status Contender::status() const {
    const std::lock_guard lock(mutex_);
    return {start_.role, told_.size(), phase_, remark_};
}

void Contender::start(Clock::time_point until, Say say) {
    const std::lock_guard lock(mutex_);
    question_ = Question{.is_start = true, .turn = 0, .until = until, .say = {std::move(say)}};
    changed_.notify_all();
}

// A step, and a turn that is to be answered.
void Contender::take(const Message& message) {
    const bool first = message.dated ? message.turn == 0 : message.nothing;
    if (!first) told_.push_back(message);
    answers_.resize(told_.size() + 1);
    full_answers_.resize(told_.size() + 1);
}

void Contender::play(const Message& message, Clock::time_point until, Say say) {
    std::optional<Question> before;
    std::optional<Answer> known;
    {
        const std::lock_guard lock(mutex_);
        // Somebody asks again.
        const bool again = !answers_.empty() &&
                           (message.dated ? message.turn <= told_.size() : message.nothing && told_.empty());
        const std::size_t turn = message.dated ? std::min<std::size_t>(message.turn, told_.size()) : 0;
        if (again && question_ && !question_->is_start && question_->turn == turn) {
            question_->say.push_back(std::move(say));
            return;
        }
        if (again && turn < told_.size()) {
            known = full_answers_[turn];
        } else if (again && !full_answers_[turn].text.empty()) {
            known = full_answers_[turn];
        } else {
            before = std::exchange(question_, std::nullopt);
            if (!again) take(message);
            question_ = Question{.turn = told_.size(), .until = until, .say = {say}};
            changed_.notify_all();
        }
    }
    // Who asks the next question does not wait for the answer to the last one any more.
    if (before) {
        for (const Say& each : before->say) each({.text = before->is_start ? "ready" : no_move});
    }
    if (known) {
        if (known->text.empty()) known->text = no_move;
        say(*known);
    }
}

bool Contender::asks(std::size_t turn) const {
    return question_ && !question_->is_start && question_->turn == turn;
}

void Contender::answer(const Question& question, Answer answer) {
    std::vector<Say> say;
    {
        const std::lock_guard lock(mutex_);
        if (!question_ || question_->is_start != question.is_start || question_->turn != question.turn)
            return;
        say = std::move(question_->say);
        question_.reset();
        if (!question.is_start) {
            if (answer.text != no_move) answers_[question.turn] = read_move(answer.text);
            full_answers_[question.turn] = answer;
            remark_ = answer.remark;
        }
        changed_.notify_all();
    }
    for (const Say& each : say) each(answer);
}

void Contender::run_engine() {
    const Cancellable scope(cancelled_);
    Question question{.is_start = true, .turn = 0, .until = {}, .say = {}};
    std::unique_lock lock(mutex_, std::defer_lock);
    try {
        auto description = std::make_shared<const gdl::Description>(gdl::parse(start_.rules, "rules"));
        if (!has_role(*description, start_.role))
            throw Error("the rules have no role " + start_.role, "start the match with one of their roles");
        lock.lock();
        description_ = description;
        phase_ = "grounding the rules";
        changed_.notify_all();
        lock.unlock();
        auto engine = std::make_unique<Engine>(*description, start_.role);
        lock.lock();
        phase_ = "preparing";
        engine_ = std::move(engine);
        const play::Deadline until(question_ && question_->is_start ? question_->until : Clock::now());
        lock.unlock();
        engine_->prepare(options_, until);
        lock.lock();
        ready_ = true;
        phase_ = "playing";
        changed_.notify_all();
        lock.unlock();
        answer(question, {.text = "ready"});

        std::size_t heard = 0;
        for (std::size_t next = 0;; next = question.turn + 1) {
            lock.lock();
            changed_.wait(lock, [&] {
                return stopping_ || (question_ && !question_->is_start && question_->turn >= next);
            });
            if (stopping_) return;
            question = {.turn = question_->turn, .until = question_->until};
            const std::vector<Message> told(told_.begin() + static_cast<std::ptrdiff_t>(heard), told_.end());
            const auto answers = answers_;
            lock.unlock();
            for (const Message& message : told) {
                engine_->hear(message, answers[heard]);
                ++heard;
            }
            answer(question, engine_->choose(play::Deadline(question.until - slack)));
        }
    } catch (const std::exception& problem) {
        if (lock.owns_lock()) lock.unlock();
        lock.lock();
        failed_ = true;
        phase_ = problem.what();
        const bool unreadable = description_ == nullptr;
        changed_.notify_all();
        lock.unlock();
        if (unreadable) answer({.is_start = true}, {.text = problem.what(), .refused = true});
    }
}

void Contender::run_reserve() {
    const Cancellable scope(cancelled_);
    std::unique_lock lock(mutex_);
    try {
        const auto needed = [&] {
            return question_ && !question_->is_start && (failed_ || !ready_) && description_;
        };
        changed_.wait(lock, [&] { return stopping_ || needed(); });
        if (stopping_) return;
        lock.unlock();
        Reserve reserve(*description_, start_.role, options_.seed);
        lock.lock();
        std::size_t heard = 0;
        for (std::size_t next = 0;; ++next) {
            changed_.wait(lock, [&] { return stopping_ || (needed() && question_->turn >= next); });
            if (stopping_) return;
            next = question_->turn;
            const play::Deadline until(question_->until - slack);
            const std::vector<Message> told(told_.begin() + static_cast<std::ptrdiff_t>(heard), told_.end());
            const auto answers = answers_;
            lock.unlock();
            for (const Message& message : told) reserve.hear(message, answers[heard++]);
            const auto legal = reserve.legal();
            lock.lock();
            if (legal.empty()) return;
            safe_ = legal.front();
            safe_turn_ = next;
            changed_.wait(lock, [&] { return stopping_ || ready_ || failed_ || !asks(next); });
            if (!failed_ || !asks(next)) continue;
            lock.unlock();
            const std::string move = reserve.choose(legal, until);
            answer({.turn = next}, {.text = move, .stopgap = true, .remark = "without a network"});
            lock.lock();
        }
    } catch (const std::exception& problem) {
        if (!lock.owns_lock()) lock.lock();
        if (failed_) phase_ += fmt::format("; {}", problem.what());
    }
}

void Contender::run_clerk() {
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [&] { return stopping_ || question_; });
        if (!question_) return;
        const Question question{question_->is_start, question_->turn, question_->until, {}};
        changed_.wait_until(lock, question.until, [&] {
            return stopping_ || !question_ || question_->turn != question.turn ||
                   question_->is_start != question.is_start;
        });
        if (!question_ || question_->turn != question.turn || question_->is_start != question.is_start)
            continue;
        // Time is up: with what there is.
        Answer stopgap{.text = "ready", .stopgap = true};
        if (!question.is_start) {
            const auto safe = engine_ && !failed_ ? engine_->safe() : std::nullopt;
            stopgap.text = safe ? *safe : safe_turn_ == question.turn ? safe_ : no_move;
            stopgap.remark = "time was up";
        }
        lock.unlock();
        answer(question, stopgap);
        lock.lock();
    }
}

}  // namespace zermelo::ggp
