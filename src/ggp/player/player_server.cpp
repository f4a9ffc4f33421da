#include "ggp/player/player_server.hpp"

#include <fmt/format.h>

#include <cctype>
#include <deque>
#include <future>
#include <nlohmann/json.hpp>

#include "arena/report/layout.hpp"
#include "zermelo/version.hpp"

namespace zermelo::ggp {

namespace {

using Clock = MatchSession::Clock;

constexpr const char* plain_text = "text/plain; charset=utf-8";
constexpr std::size_t large_body = std::size_t{1} << 20;  // bytes
constexpr double most_patience = 3600;
constexpr std::size_t workers = 4;         // who read messages
constexpr double patience_turns = 10;      // play-clocks without a word, and then it is abandoned
constexpr double least_patience = 60;      // seconds
constexpr double journal_age = 7 * 86400;  // seconds
constexpr auto rounds = std::chrono::milliseconds(500);  // between looks for what can be cleared away

double seconds_between(Clock::time_point a, Clock::time_point b) {
    return std::chrono::duration<double>(b - a).count();
}

std::uint64_t hash_of(const std::string& text) { return std::hash<std::string>()(text); }

std::uint64_t seed_of(const Message& start) { return hash_of(start.match + ' ' + start.role); }

}  // namespace

class PlayerServer::Implementation {
public:
    explicit Implementation(const PlayerOptions& options) : options_(options) {
        for (char& c : options_.name) {
            if (std::isspace(static_cast<unsigned char>(c)) != 0 || c == '(' || c == ')') c = '_';
        }
        if (!options.journal.empty()) {
            journal_.emplace(options.journal);
            journal_->remove_older_than(journal_age);
        }
        // What comes before there is somebody to read it waits.
        server_ = std::make_unique<net::Server>(options.server,
                                                [this](net::Request request, net::Server::Respond respond) {
                                                    receive(std::move(request), std::move(respond));
                                                });
        for (std::size_t i = 0; i < workers; ++i) threads_.emplace_back([this] { work(small_); });
        threads_.emplace_back([this] { work(large_); });
        writer_ = std::jthread([this] { write_down(); });
        threads_.emplace_back([this] { clear_away(); });
    }

    ~Implementation() {
        {
            const std::lock_guard lock(queue_mutex_);
            closing_ = true;
            for (auto* each : {&small_.filled, &large_.filled, &closed_}) each->notify_all();
        }
        threads_.clear();
        std::map<std::string, Match> rest;
        {
            const std::lock_guard lock(mutex_);
            rest.swap(matches_);
        }
        for (auto& [id, match] : rest) match.session->stop();
        rest.clear();
        leaving_.clear();
        server_.reset();
        {
            const std::lock_guard lock(queue_mutex_);
            all_said_ = true;
            noted_.notify_all();
        }
        writer_.join();
    }

    [[nodiscard]] std::uint16_t port() const { return server_->port(); }
    [[nodiscard]] std::size_t matches() const {
        const std::lock_guard lock(mutex_);
        return matches_.size();
    }

private:
    // Who asked.
    struct Caller {
        net::Server::Respond respond;
        std::string peer;
        Clock::time_point accepted;
        double round_trip;
    };
    struct Job {
        Caller caller;
        std::string method;
        std::string target;
        std::string body;
    };
    struct Queue {
        std::deque<Job> jobs = {};
        std::condition_variable filled = {};
        std::size_t bytes = 0;
    };
    struct Match {
        std::string id;  // as the manager writes it
        std::string role;
        std::uint64_t rules;  // a hash of START's, to know a repeated one
        double start_clock;
        double play_clock;
        bool played = false;  // a PLAY has come
        Clock::time_point heard;
        std::shared_ptr<MatchSession> session;
    };

    // Megabytes to be read do not stand in the way of a PLAY.
    void receive(net::Request request, net::Server::Respond respond) {
        Queue& queue = request.body.size() > large_body ? large_ : small_;
        Job job{{std::move(respond), request.peer, request.accepted, request.round_trip},
                std::move(request.method),
                std::move(request.target),
                std::move(request.body)};
        const std::lock_guard lock(queue_mutex_);
        if (queue.bytes + job.body.size() > options_.server.most_buffered) {
            metrics_.refusal("too much");
            return reply(job.caller, "the server is busy; try again later", 503, plain_text);
        }
        queue.bytes += job.body.size();
        queue.jobs.push_back(std::move(job));
        queue.filled.notify_one();
    }

    void work(Queue& queue) {
        while (true) {
            std::unique_lock lock(queue_mutex_);
            queue.filled.wait(lock, [&] { return closing_ || !queue.jobs.empty(); });
            if (closing_) return;
            const Job job = std::move(queue.jobs.front());
            queue.jobs.pop_front();
            lock.unlock();
            try {
                handle(job);
            } catch (const std::exception& problem) {
                log({{"event", "error"}, {"problem", problem.what()}});
                reply(job.caller, problem.what(), 500, plain_text);
            }
            lock.lock();
            queue.bytes -= job.body.size();
        }
    }

    // The disk may be slow, so nobody waits for it who has something to say. In the order of the notes.
    void note(std::function<void()> what) {
        const std::lock_guard lock(queue_mutex_);
        notes_.push_back(std::move(what));
        noted_.notify_one();
    }
    void write_down() {
        while (true) {
            std::unique_lock lock(queue_mutex_);
            noted_.wait(lock, [&] { return all_said_ || !notes_.empty(); });
            if (notes_.empty()) return;
            const auto next = std::move(notes_.front());
            notes_.pop_front();
            lock.unlock();
            next();
        }
    }
    // Until all notes are written.
    void settle() {
        std::promise<void> done;
        note([&] { done.set_value(); });
        done.get_future().wait();
    }
    void keep(std::function<void(const Journal&)> what) {
        if (journal_) note([this, what = std::move(what)] { what(*journal_); });
    }

    void log(nlohmann::json event) {
        if (options_.log) note([this, event = std::move(event)] { options_.log(event); });
    }

    static void reply(const Caller& caller, const std::string& text, int status = 200,
                      const std::string& type = "text/acl", const std::function<void(bool)>& sent = {}) {
        net::Response response{.status = status, .body = text, .type = type, .headers = {}};
        response.headers = {{"Access-Control-Allow-Origin", "*"},
                            {"Access-Control-Allow-Methods", "POST, GET, OPTIONS"},
                            {"Access-Control-Allow-Headers", "Content-Type"},
                            {"Access-Control-Max-Age", "86400"}};
        caller.respond(std::move(response), sent);
    }

    void handle(const Job& job) {
        const Caller& caller = job.caller;
        if (job.method == "OPTIONS") return reply(caller, "", 204);
        if (job.method == "POST") return read(caller, job.body);
        if (job.method != "GET") {
            metrics_.refusal("method");
            return reply(caller, "send a message by POST", 405, plain_text);
        }
        const std::string path = net::unescape(job.target).substr(1);
        if (path == "status" || path.empty()) return reply(caller, page(), 200, "text/html; charset=utf-8");
        if (path == "status.json")
            return reply(caller, status().dump(2, ' ', false, nlohmann::json::error_handler_t::replace), 200,
                         "application/json");
        if (path == "metrics")
            return reply(caller, metrics_.text({matches(), server_->connections()}), 200,
                         "text/plain; version=0.0.4; charset=utf-8");
        if (path.find('(') != std::string::npos) return read(caller, path);
        metrics_.refusal("path");
        reply(caller, "unknown path; send a message by POST, or open /status", 404, plain_text);
    }

    void read(const Caller& caller, const std::string& text) {
        Message message;
        try {
            message = read_message(text);
        } catch (const Error& problem) {
            metrics_.refusal("malformed");
            log({{"event", "refused"}, {"peer", caller.peer}, {"problem", problem.what()}});
            return reply(caller, problem.what(), 400, plain_text);
        }
        switch (message.verb) {
            case Verb::info:
                metrics_.message("info");
                return reply(caller,
                             fmt::format("( ( name {} ) ( status {} ) )", options_.name, availability()));
            case Verb::ping:
                metrics_.message("ping");
                return reply(caller, availability());
            case Verb::preview:
                metrics_.message("preview");
                return reply(caller, "ready");
            case Verb::start:
                metrics_.message("start");
                return start(caller, message, text);
            case Verb::play:
                metrics_.message("play");
                return play(caller, message, text);
            case Verb::stop:
                metrics_.message("stop");
                return end(caller, message, "done", "stopped");
            case Verb::abort:
                metrics_.message("abort");
                return end(caller, message, "aborted", "aborted");
        }
    }

    [[nodiscard]] std::string availability() const {
        return matches() < options_.matches ? "available" : "busy";
    }

    void busy(const Caller& caller, const Message& message, const std::string& why) {
        metrics_.refusal(why);
        log({{"event", "busy"}, {"match", message.match}, {"reason", why}, {"peer", caller.peer}});
        reply(caller, "busy");
    }

    // When an answer to the question has to be said, of a clock that runs since it came in.
    [[nodiscard]] Clock::time_point due(const Caller& caller, double clock) const {
        return caller.accepted + net::in_seconds(clock - latency_margin_.margin(clock, caller.round_trip));
    }

    // With the lock. Nothing where there is no place for it.
    std::shared_ptr<MatchSession> admit(const Message& start, std::vector<MatchSession::Past> past) {
        if (matches_.size() >= options_.matches) return nullptr;
        MatchSessionOptions options = options_.session;
        options.seed = seed_of(start);
        const bool played = !past.empty();
        auto session = std::make_shared<MatchSession>(start, options, std::move(past));
        matches_[lower(start.match)] = {start.match,      start.role, hash_of(start.rules), start.start_clock,
                                        start.play_clock, played,     Clock::now(),         session};
        return session;
    }

    void start(const Caller& caller, const Message& message, const std::string& text) {
        std::shared_ptr<MatchSession> session;
        bool again = false;
        {
            const std::lock_guard lock(mutex_);
            const auto known = matches_.find(lower(message.match));
            if (known != matches_.end())
                again = !known->second.played && known->second.rules == hash_of(message.rules) &&
                        known->second.role == message.role;
            else
                session = admit(message, {});
        }
        if (again) return reply(caller, "ready");
        if (!session) return busy(caller, message, "another match");
        metrics_.match("started");
        keep([match = message.match, text](const Journal& journal) { journal.begin(match, text); });
        session->start(due(caller, message.start_clock),
                       [this, caller, match = message.match](const MatchSession::Answer& answer) {
                           started(caller, match, answer);
                       });
        log({{"event", "start"},
             {"match", message.match},
             {"role", message.role},
             {"start_clock", message.start_clock},
             {"play_clock", message.play_clock},
             {"bytes", text.size()},
             {"peer", caller.peer}});
    }

    void started(const Caller& caller, const std::string& match, const MatchSession::Answer& answer) {
        if (answer.refused) {
            (void)dismiss(match);  // before the manager hears of it and starts another one
            reply(caller, answer.text, 400, plain_text);
            metrics_.match("refused");
            log({{"event", "refused"}, {"match", match}, {"problem", answer.text}});
            keep([match](const Journal& journal) { journal.remove(match); });
            return;
        }
        reply(caller, answer.text);
        log({{"event", "ready"},
             {"match", match},
             {"seconds", seconds_between(caller.accepted, Clock::now())}});
    }

    // A match that is only in the journal.
    void resume(const std::string& match) {
        if (!journal_) return;
        const std::lock_guard one(resuming_);
        if (matches() >= options_.matches) return;
        settle();
        std::optional<Message> start;
        std::vector<MatchSession::Past> past;
        std::map<std::size_t, std::string> answers;  // by turn
        try {
            for (const Journal::Entry& entry : journal_->read(match)) {
                if (entry.turn) {
                    answers[*entry.turn] = entry.text;  // perhaps noted before the question
                    continue;
                }
                Message said = read_message(entry.text);
                if (said.verb == Verb::start)
                    start = std::move(said);
                else
                    past.push_back({std::move(said), {}});
            }
        } catch (const Error& problem) {
            log({{"event", "journal"}, {"match", match}, {"problem", problem.what()}});
            return;
        }
        const std::size_t turns = past.size();
        for (const auto& [turn, answer] : answers) {
            if (turn < turns) past[turn].answer = answer;
        }
        const std::lock_guard lock(mutex_);
        if (!start || matches_.contains(lower(match)) || !admit(*start, std::move(past))) return;
        metrics_.match("resumed");
        log({{"event", "resumed"}, {"match", match}, {"turns", turns}});
    }

    // The session of a match, and its play-clock.
    std::pair<std::shared_ptr<MatchSession>, double> find(const std::string& match) {
        const std::lock_guard lock(mutex_);
        const auto known = matches_.find(lower(match));
        if (known == matches_.end()) return {};
        known->second.heard = Clock::now();
        known->second.played = true;
        return {known->second.session, known->second.play_clock};
    }

    void play(const Caller& caller, const Message& message, const std::string& text) {
        auto [session, clock] = find(message.match);
        if (!session) {
            resume(message.match);
            std::tie(session, clock) = find(message.match);
        }
        if (!session) return busy(caller, message, "unknown match");
        const auto until = due(caller, clock);
        const bool fresh = session->play(
            message, until,
            [this, caller, match = message.match, until, seconds = clock](
                const MatchSession::Answer& answer) { move(caller, match, answer, until, seconds); });
        if (fresh)
            keep([match = message.match, text](const Journal& journal) { journal.add(match, {text}); });
    }

    void move(const Caller& caller, const std::string& match, const MatchSession::Answer& answer,
              Clock::time_point until, double clock) {
        const auto said = Clock::now();
        reply(caller, answer.text, 200, "text/acl",
              [this, match, answer, until, clock, said, accepted = caller.accepted](bool sent) {
                  const auto now = Clock::now();
                  const double left = clock - seconds_between(accepted, now);
                  latency_margin_.left(seconds_between(std::min(said, until), now));
                  metrics_.move(left, answer.stopgap);
                  log({{"event", "move"},
                       {"match", match},
                       {"turn", answer.turn},
                       {"move", answer.text},
                       {"left", left},
                       {"stopgap", answer.stopgap},
                       {"sent", sent},
                       {"remark", answer.remark}});
              });
        keep([match, answer](const Journal& journal) { journal.add(match, {answer.text, answer.turn}); });
    }

    // Takes the match off the list. Its threads end by and by.
    bool dismiss(const std::string& match) {
        const std::lock_guard lock(mutex_);
        return dismiss_locked(lower(match));
    }
    bool dismiss_locked(const std::string& id) {
        const auto known = matches_.find(id);
        if (known == matches_.end()) return false;
        known->second.session->stop();
        leaving_.push_back(std::move(known->second.session));
        matches_.erase(known);
        return true;
    }

    void end(const Caller& caller, const Message& message, const std::string& answer,
             const std::string& what) {
        const bool known = dismiss(message.match);
        if (!known && !(journal_ && journal_->has(message.match)))
            return busy(caller, message, "unknown match");
        reply(caller, answer);
        metrics_.match(what);
        keep([match = message.match](const Journal& journal) { journal.remove(match); });
        log({{"event", what}, {"match", message.match}});
    }

    void clear_away() {
        while (true) {
            {
                std::unique_lock lock(queue_mutex_);
                if (closed_.wait_for(lock, rounds, [&] { return closing_; })) return;
            }
            std::vector<std::shared_ptr<MatchSession>> gone;
            {
                const std::lock_guard lock(mutex_);
                for (const std::string& id : abandoned()) {
                    log({{"event", "abandoned"}, {"match", id}});
                    metrics_.match("abandoned");
                    (void)dismiss_locked(id);
                }
                gone.swap(leaving_);
            }
            gone.clear();  // waits for their threads
        }
    }

    // With the lock: matches that nobody asks about any more.
    [[nodiscard]] std::vector<std::string> abandoned() const {
        std::vector<std::string> ids;
        for (const auto& [id, match] : matches_) {
            const double patience = std::max(least_patience, patience_turns * match.play_clock) +
                                    (match.played ? 0 : match.start_clock);
            if (seconds_between(match.heard, Clock::now()) > std::min(patience, most_patience))
                ids.push_back(id);
        }
        return ids;
    }

    [[nodiscard]] nlohmann::json status() const {
        nlohmann::json list = nlohmann::json::array();
        {
            const std::lock_guard lock(mutex_);
            for (const auto& [id, match] : matches_) {
                const auto now = match.session->status();
                list.push_back({{"match", match.id},
                                {"role", now.role},
                                {"turn", now.turn},
                                {"start_clock", match.start_clock},
                                {"play_clock", match.play_clock},
                                {"quiet_seconds", seconds_between(match.heard, Clock::now())},
                                {"engine", now.engine},
                                {"remark", now.remark}});
            }
        }
        nlohmann::json left = nlohmann::json::array();
        for (const auto& [seconds, share] : metrics_.distribution())
            left.push_back({{"at_most_seconds", seconds}, {"share", share}});
        return {{"name", options_.name},
                {"version", ZERMELO_VERSION},
                {"strategy", options_.session.strategy.text},
                {"status", availability()},
                {"matches", list},
                {"clock_left", left}};
    }

    [[nodiscard]] std::string page() const {
        const nlohmann::json now = status();
        const auto text = [](const nlohmann::json& value) {
            return arena::escaped(value.is_string() ? value.get<std::string>() : value.dump());
        };
        std::string rows;
        for (const auto& match : now["matches"]) {
            rows += "<tr>";
            for (const char* key : {"match", "role", "turn", "play_clock", "engine", "remark"})
                rows += fmt::format("<td>{}</td>", text(match[key]));
            rows += "</tr>\n";
        }
        std::string left;
        for (const auto& one : now["clock_left"])
            left += fmt::format("<tr><td>{}</td><td>{:.2f} %</td></tr>\n", text(one["at_most_seconds"]),
                                100 * one["share"].get<double>());
        return fmt::format(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title>\n"
            "<meta name=\"viewport\" content=\"width=device-width\"><meta http-equiv=\"refresh\" "
            "content=\"5\">\n"
            "<style>:root{{color-scheme:light dark}}body{{font:16px sans-serif;margin:2em}}"
            "td,th{{padding:.2em .8em;text-align:left}}</style></head>\n"
            "<body><h1>{0}</h1>\n<p>Zermelo {1}, strategy {2}: {3}.</p>\n"
            "<h2>Matches</h2>\n<table><tr><th>Match</th><th>Role</th><th>Turn</th><th>Play-clock</th>"
            "<th>Engine</th><th>Last move</th></tr>\n{4}</table>\n"
            "<h2>Left on the clock</h2>\n<table><tr><th>At most, "
            "seconds</th><th>Moves</th></tr>\n{5}</table>\n"
            "<p><a href=\"/status.json\">JSON</a>, <a href=\"/metrics\">metrics</a></p></body></html>\n",
            text(now["name"]), ZERMELO_VERSION, text(now["strategy"]), text(now["status"]), rows, left);
    }

    PlayerOptions options_;
    std::optional<Journal> journal_;
    Metrics metrics_;
    LatencyMargin latency_margin_;

    mutable std::mutex mutex_;
    std::map<std::string, Match> matches_;                // by id, in lower case
    std::vector<std::shared_ptr<MatchSession>> leaving_;  // whose threads may still run

    std::mutex resuming_;
    std::mutex queue_mutex_;  // of all that follows
    Queue small_;
    Queue large_;
    std::deque<std::function<void()>> notes_;
    std::condition_variable noted_;
    std::condition_variable closed_;
    bool closing_ = false;
    bool all_said_ = false;

    std::unique_ptr<net::Server> server_;
    std::vector<std::jthread> threads_;
    std::jthread writer_;
};

PlayerServer::PlayerServer(const PlayerOptions& options)
    : server_(std::make_unique<Implementation>(options)) {}
PlayerServer::~PlayerServer() = default;
std::uint16_t PlayerServer::port() const { return server_->port(); }
std::size_t PlayerServer::matches() const { return server_->matches(); }

}  // namespace zermelo::ggp
