#include "ggp/player/player_server.hpp"

#include <fmt/format.h>

#include <cctype>
#include <nlohmann/json.hpp>

#include "core/format/json_text.hpp"
#include "core/memory.hpp"
#include "ggp/player/request_queue.hpp"
#include "ggp/player/status_page.hpp"
#include "ggp/player/write_behind.hpp"
#include "zermelo/version.hpp"

namespace zermelo::ggp {

namespace {

using Clock = MatchSession::Clock;

constexpr const char* plain_text = "text/plain; charset=utf-8";
constexpr double most_patience = 3600;
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
    explicit Implementation(const PlayerOptions& options)
        : options_(options), requests_(options.server.most_buffered) {
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
        requests_.open([this](const PlayerRequest& request) { answer(request); });
        sweeper_ = std::jthread([this] { clear_away(); });
    }

    ~Implementation() {
        {
            const std::lock_guard lock(closing_mutex_);
            closing_ = true;
            closed_.notify_all();
        }
        requests_.close();
        sweeper_.join();
        std::map<std::string, Match> rest;
        {
            const std::lock_guard lock(mutex_);
            rest.swap(matches_);
        }
        for (auto& [id, match] : rest) match.session->stop();
        rest.clear();
        leaving_.clear();
        server_.reset();
    }

    [[nodiscard]] std::uint16_t port() const { return server_->port(); }
    [[nodiscard]] std::size_t matches() const {
        const std::lock_guard lock(mutex_);
        return matches_.size();
    }

private:
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

    void receive(net::Request request, net::Server::Respond respond) {
        PlayerRequest asked{{std::move(respond), request.peer, request.accepted, request.round_trip},
                            std::move(request.method),
                            std::move(request.target),
                            std::move(request.body)};
        if (requests_.add(asked)) return;
        metrics_.refusal("too much");
        reply(asked.caller, "the server is busy; try again later", 503, plain_text);
    }

    void answer(const PlayerRequest& request) {
        try {
            handle(request);
        } catch (const std::exception& problem) {
            log({{"event", "error"}, {"problem", problem.what()}});
            reply(request.caller, problem.what(), 500, plain_text);
        }
    }

    // A match of which something could not be kept is forgotten as a whole: it goes on, but not after a restart.
    void keep(const std::string& match, std::function<void(const Journal&)> what) {
        if (!journal_) return;
        writer_.note([this, match, what = std::move(what)] {
            try {
                what(*journal_);
            } catch (const Error& problem) {
                journal_->remove(match);
                if (options_.log)
                    options_.log({{"event", "journal"}, {"match", match}, {"problem", problem.what()}});
            }
        });
    }

    void log(nlohmann::json event) {
        if (options_.log) writer_.note([this, event = std::move(event)] { options_.log(event); });
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

    void handle(const PlayerRequest& request) {
        const Caller& caller = request.caller;
        if (request.method == "OPTIONS") return reply(caller, "", 204);
        if (request.method == "POST") return read(caller, request.body);
        if (request.method != "GET") {
            metrics_.refusal("method");
            return reply(caller, "send a message by POST", 405, plain_text);
        }
        const std::string path = net::unescape(request.target).substr(1);
        if (path == "status" || path.empty())
            return reply(caller, status_page(status()), 200, "text/html; charset=utf-8");
        if (path == "status.json") return reply(caller, json_text(status(), 2), 200, "application/json");
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
        options.play_clock = start.play_clock;
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
        keep(message.match,
             [match = message.match, text](const Journal& journal) { journal.begin(match, text); });
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
            keep(match, [match](const Journal& journal) { journal.remove(match); });
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
        writer_.settle();
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
            keep(message.match,
                 [match = message.match, text](const Journal& journal) { journal.add(match, {text}); });
    }

    void move(const Caller& caller, const std::string& match, const MatchSession::Answer& answer,
              Clock::time_point until, double clock) {
        if (answer.lost) return decline(caller, match, answer);
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
        keep(match, [match, answer](const Journal& journal) {
            journal.add(match, {answer.text, answer.turn});
        });
    }

    // The match cannot be followed any more. It is declined once, and then nobody's.
    void decline(const Caller& caller, const std::string& match, const MatchSession::Answer& answer) {
        (void)dismiss(match);
        // Before the manager hears of it and asks again.
        keep(match, [match](const Journal& journal) { journal.remove(match); });
        reply(caller, answer.text);
        metrics_.match("lost");
        log({{"event", "lost"}, {"match", match}, {"turn", answer.turn}, {"problem", answer.remark}});
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
        keep(message.match, [match = message.match](const Journal& journal) { journal.remove(match); });
        log({{"event", what}, {"match", message.match}});
    }

    void clear_away() {
        while (true) {
            {
                std::unique_lock lock(closing_mutex_);
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
            if (gone.empty()) continue;
            gone.clear();  // waits for their threads
            return_freed_memory();
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
                                {"remark", now.remark},
                                {"pondered", now.pondered}});
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

    PlayerOptions options_;
    std::optional<Journal> journal_;
    Metrics metrics_;
    LatencyMargin latency_margin_;
    WriteBehind writer_;  // to the journal and the log

    mutable std::mutex mutex_;
    std::map<std::string, Match> matches_;                // by id, in lower case
    std::vector<std::shared_ptr<MatchSession>> leaving_;  // whose threads may still run

    std::mutex resuming_;
    std::mutex closing_mutex_;
    std::condition_variable closed_;
    bool closing_ = false;

    RequestQueue requests_;
    std::unique_ptr<net::Server> server_;
    std::jthread sweeper_;
};

PlayerServer::PlayerServer(const PlayerOptions& options)
    : server_(std::make_unique<Implementation>(options)) {}
PlayerServer::~PlayerServer() = default;
std::uint16_t PlayerServer::port() const { return server_->port(); }
std::size_t PlayerServer::matches() const { return server_->matches(); }

}  // namespace zermelo::ggp
