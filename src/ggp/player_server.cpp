#include "ggp/player_server.hpp"

#include <fmt/format.h>

#include <cctype>
#include <deque>
#include <nlohmann/json.hpp>

#include "core/hash.hpp"
#include "zermelo/version.hpp"

namespace zermelo::ggp {

namespace {

using Clock = Contender::Clock;

constexpr std::size_t workers = 4;         // who read messages
constexpr double patience_turns = 10;      // play-clocks without a word, and then it is abandoned
constexpr double least_patience = 60;      // seconds
constexpr double journal_age = 7 * 86400;  // seconds
constexpr auto rounds = std::chrono::milliseconds(500);  // between looks for what can be cleared away

std::string lower(std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

double seconds_between(Clock::time_point a, Clock::time_point b) {
    return std::chrono::duration<double>(b - a).count();
}

Clock::duration in_seconds(double seconds) {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

std::string escaped_html(const std::string& text) {
    std::string result;
    for (const char c : text) {
        if (c == '&')
            result += "&amp;";
        else if (c == '<')
            result += "&lt;";
        else if (c == '>')
            result += "&gt;";
        else
            result += c;
    }
    return result;
}

std::uint64_t seed_of(const Message& start) {
    Hasher hasher;
    for (const char c : start.match + ' ' + start.role) hasher.add(static_cast<unsigned char>(c));
    return hasher.value().low;
}

}  // namespace

class PlayerServer::Desk {
public:
    explicit Desk(const PlayerOptions& options) : options_(options) {
        for (char& c : options_.name) {
            if (std::isspace(static_cast<unsigned char>(c)) != 0 || c == '(' || c == ')') c = '_';
        }
        if (!options.journal.empty()) {
            journal_.emplace(options.journal);
            journal_->remove_older_than(journal_age);
        }
        server_ = std::make_unique<net::Server>(
            options.server, [this](net::Request request, net::Server::Respond respond) {
                const std::lock_guard lock(queue_mutex_);
                queue_.push_back({std::move(request), std::move(respond)});
                queued_.notify_one();
            });
        for (std::size_t i = 0; i < workers; ++i) threads_.emplace_back([this] { work(); });
        threads_.emplace_back([this] { clear_away(); });
    }

    ~Desk() {
        {
            const std::lock_guard lock(queue_mutex_);
            closing_ = true;
            queued_.notify_all();
            closed_.notify_all();
        }
        threads_.clear();
        std::map<std::string, Match> rest;
        {
            const std::lock_guard lock(mutex_);
            rest.swap(matches_);
        }
        for (auto& [id, match] : rest) match.contender->stop();
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
    struct Job {
        net::Request request;
        net::Server::Respond respond;
    };
    struct Match {
        std::string id;  // as the manager writes it
        std::string role;
        std::string rules;  // of START, to know a repeated one
        double start_clock;
        double play_clock;
        bool played = false;  // a PLAY has come
        Clock::time_point heard;
        std::shared_ptr<Contender> contender;
    };

    void work() {
        while (true) {
            std::unique_lock lock(queue_mutex_);
            queued_.wait(lock, [&] { return closing_ || !queue_.empty(); });
            if (closing_) return;
            const Job job = std::move(queue_.front());
            queue_.pop_front();
            lock.unlock();
            try {
                handle(job);
            } catch (const std::exception& problem) {
                log({{"event", "error"}, {"problem", problem.what()}});
                reply(job, problem.what(), 500);
            }
        }
    }

    void log(const nlohmann::json& event) {
        if (!options_.log) return;
        const std::lock_guard lock(log_mutex_);
        options_.log(event);
    }

    static void reply(const Job& job, const std::string& text, int status = 200,
                      const std::string& type = "text/acl", const std::function<void(bool)>& sent = {}) {
        net::Response response{.status = status, .body = text, .type = type, .headers = {}};
        response.headers = {{"Access-Control-Allow-Origin", "*"},
                            {"Access-Control-Allow-Methods", "POST, GET, OPTIONS"},
                            {"Access-Control-Allow-Headers", "Content-Type"},
                            {"Access-Control-Max-Age", "86400"}};
        job.respond(std::move(response), sent);
    }

    void handle(const Job& job) {
        const net::Request& request = job.request;
        if (request.method == "OPTIONS") return reply(job, "", 204);
        if (request.method == "POST") return read(job, request.body);
        if (request.method != "GET") {
            metrics_.refusal("method");
            return reply(job, "send a message by POST", 405, "text/plain; charset=utf-8");
        }
        const std::string path = net::unescape(request.target).substr(1);
        if (path == "status" || path.empty()) return reply(job, page(), 200, "text/html; charset=utf-8");
        if (path == "status.json") return reply(job, status().dump(2), 200, "application/json");
        if (path == "metrics")
            return reply(job, metrics_.text({matches(), server_->connections()}), 200,
                         "text/plain; version=0.0.4; charset=utf-8");
        if (path.find('(') != std::string::npos) return read(job, path);
        metrics_.refusal("path");
        reply(job, "there is nothing here; send a message by POST, or look at /status", 404,
              "text/plain; charset=utf-8");
    }

    void read(const Job& job, const std::string& text) {
        Message message;
        try {
            message = read_message(text);
        } catch (const Error& problem) {
            metrics_.refusal("malformed");
            log({{"event", "refused"}, {"peer", job.request.peer}, {"problem", problem.what()}});
            return reply(job, problem.what(), 400, "text/plain; charset=utf-8");
        }
        switch (message.verb) {
            case Verb::info:
                metrics_.message("info");
                return reply(job,
                             fmt::format("( ( name {} ) ( status {} ) )", options_.name, availability()));
            case Verb::ping:
                metrics_.message("ping");
                return reply(job, availability());
            case Verb::preview:
                metrics_.message("preview");
                return reply(job, "ready");
            case Verb::start:
                metrics_.message("start");
                return start(job, message, text);
            case Verb::play:
                metrics_.message("play");
                return play(job, message, text);
            case Verb::stop:
                metrics_.message("stop");
                return end(job, message, "done", "stopped");
            case Verb::abort:
                metrics_.message("abort");
                return end(job, message, "aborted", "aborted");
        }
    }

    [[nodiscard]] std::string availability() const {
        return matches() < options_.matches ? "available" : "busy";
    }

    void busy(const Job& job, const Message& message, const std::string& why) {
        metrics_.refusal(why);
        log({{"event", "busy"}, {"match", message.match}, {"reason", why}, {"peer", job.request.peer}});
        reply(job, "busy");
    }

    // When an answer to the question has to be said, of a clock that runs since it came in.
    [[nodiscard]] Clock::time_point due(const Job& job, double clock) const {
        return job.request.accepted + in_seconds(clock - punctuality_.margin(clock, job.request.round_trip));
    }

    // Adds a match and has the lock, or finds no place for it.
    std::shared_ptr<Contender> admit(const Message& start, std::vector<Contender::Past> past) {
        if (matches_.size() >= options_.matches) return nullptr;
        ContenderOptions options = options_.contender;
        options.seed = seed_of(start);
        const bool played = !past.empty();
        auto contender = std::make_shared<Contender>(start, options, std::move(past));
        matches_[lower(start.match)] = {start.match,      start.role, start.rules,  start.start_clock,
                                        start.play_clock, played,     Clock::now(), contender};
        return contender;
    }

    void start(const Job& job, const Message& message, const std::string& text) {
        std::shared_ptr<Contender> contender;
        bool again = false;
        {
            const std::lock_guard lock(mutex_);
            const auto known = matches_.find(lower(message.match));
            if (known != matches_.end())
                again = !known->second.played && known->second.rules == message.rules &&
                        known->second.role == message.role;
            else
                contender = admit(message, {});
        }
        if (again) return reply(job, "ready");
        if (!contender) return busy(job, message, "another match");
        if (journal_) {
            journal_->remove(message.match);
            journal_->add(message.match, {false, text});
        }
        metrics_.match("started");
        log({{"event", "start"},
             {"match", message.match},
             {"role", message.role},
             {"start_clock", message.start_clock},
             {"play_clock", message.play_clock},
             {"bytes", text.size()},
             {"peer", job.request.peer}});
        const auto until = due(job, message.start_clock);
        contender->start(until, [this, job, message](const Contender::Answer& answer) {
            if (answer.refused) {
                metrics_.match("refused");
                log({{"event", "refused"}, {"match", message.match}, {"problem", answer.text}});
                (void)dismiss(message.match);
                if (journal_) journal_->remove(message.match);
                return reply(job, answer.text, 400, "text/plain; charset=utf-8");
            }
            log({{"event", "ready"},
                 {"match", message.match},
                 {"seconds", seconds_between(job.request.accepted, Clock::now())}});
            reply(job, answer.text);
        });
    }

    // A match that is only in the journal.
    std::shared_ptr<Contender> resume(const Message& message) {
        if (!journal_) return nullptr;
        std::optional<Message> start;
        std::vector<Contender::Past> past;
        try {
            for (const Journal::Entry& entry : journal_->read(message.match)) {
                if (entry.ours) {
                    if (!past.empty()) past.back().answer = entry.text;
                    continue;
                }
                Message said = read_message(entry.text);
                if (said.verb == Verb::start)
                    start = std::move(said);
                else if (said.verb == Verb::play)
                    past.push_back({std::move(said), {}});
            }
        } catch (const Error& problem) {
            log({{"event", "journal"}, {"match", message.match}, {"problem", problem.what()}});
            return nullptr;
        }
        if (!start) return nullptr;
        const std::size_t turns = past.size();
        auto contender = admit(*start, std::move(past));
        if (contender) {
            metrics_.match("resumed");
            log({{"event", "resumed"}, {"match", message.match}, {"turns", turns}});
        }
        return contender;
    }

    void play(const Job& job, const Message& message, const std::string& text) {
        std::shared_ptr<Contender> contender;
        double clock = 0;
        {
            const std::lock_guard lock(mutex_);
            const std::string id = lower(message.match);
            if (!matches_.contains(id)) contender = resume(message);
            const auto match = matches_.find(id);
            if (match != matches_.end()) {
                contender = match->second.contender;
                clock = match->second.play_clock;
                match->second.heard = Clock::now();
                match->second.played = true;
            }
        }
        if (!contender) return busy(job, message, "unknown match");
        if (journal_) journal_->add(message.match, {false, text});
        const auto until = due(job, clock);
        contender->play(message, until,
                        [this, job, match = message.match, until, clock](const Contender::Answer& answer) {
                            if (journal_) journal_->add(match, {true, answer.text});
                            const auto said = Clock::now();
                            reply(job, answer.text, 200, "text/acl",
                                  [this, job, match, answer, until, clock, said](bool sent) {
                                      const auto now = Clock::now();
                                      const double left = clock - seconds_between(job.request.accepted, now);
                                      punctuality_.left(seconds_between(std::min(said, until), now));
                                      metrics_.move(left, answer.stopgap);
                                      log({{"event", "move"},
                                           {"match", match},
                                           {"move", answer.text},
                                           {"left", left},
                                           {"stopgap", answer.stopgap},
                                           {"sent", sent},
                                           {"remark", answer.remark}});
                                  });
                        });
    }

    // Takes the match off the list. Its threads end by and by.
    bool dismiss(const std::string& match) {
        const std::lock_guard lock(mutex_);
        const auto known = matches_.find(lower(match));
        if (known == matches_.end()) return false;
        known->second.contender->stop();
        leaving_.push_back(std::move(known->second.contender));
        matches_.erase(known);
        return true;
    }

    void end(const Job& job, const Message& message, const std::string& answer, const std::string& what) {
        const bool known = dismiss(message.match);
        const bool kept = journal_ && !journal_->read(message.match).empty();
        if (!known && !kept) return busy(job, message, "unknown match");
        if (journal_) journal_->remove(message.match);
        metrics_.match(what);
        log({{"event", what}, {"match", message.match}});
        reply(job, answer);
    }

    void clear_away() {
        while (true) {
            {
                std::unique_lock lock(queue_mutex_);
                if (closed_.wait_for(lock, rounds, [&] { return closing_; })) return;
            }
            std::vector<std::string> abandoned;
            std::vector<std::shared_ptr<Contender>> gone;
            {
                const std::lock_guard lock(mutex_);
                for (const auto& [id, match] : matches_) {
                    const double patience = std::max(least_patience, patience_turns * match.play_clock) +
                                            (match.played ? 0 : match.start_clock);
                    if (seconds_between(match.heard, Clock::now()) > patience) abandoned.push_back(match.id);
                }
                gone.swap(leaving_);
            }
            for (const std::string& id : abandoned) {
                (void)dismiss(id);
                metrics_.match("abandoned");
                log({{"event", "abandoned"}, {"match", id}});
            }
            gone.clear();  // waits for their threads
        }
    }

    [[nodiscard]] nlohmann::json status() const {
        nlohmann::json list = nlohmann::json::array();
        {
            const std::lock_guard lock(mutex_);
            for (const auto& [id, match] : matches_) {
                const auto now = match.contender->status();
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
                {"strategy", options_.contender.strategy.text},
                {"status", availability()},
                {"matches", list},
                {"clock_left", left}};
    }

    [[nodiscard]] std::string page() const {
        const nlohmann::json now = status();
        const auto text = [](const nlohmann::json& value) {
            return escaped_html(value.is_string() ? value.get<std::string>() : value.dump());
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
    Punctuality punctuality_;

    mutable std::mutex mutex_;
    std::map<std::string, Match> matches_;             // by id, in lower case
    std::vector<std::shared_ptr<Contender>> leaving_;  // whose threads may still run

    std::mutex log_mutex_;
    std::mutex queue_mutex_;
    std::condition_variable queued_;
    std::condition_variable closed_;
    std::deque<Job> queue_;
    bool closing_ = false;
    std::unique_ptr<net::Server> server_;
    std::vector<std::jthread> threads_;
};

PlayerServer::PlayerServer(const PlayerOptions& options) : desk_(std::make_unique<Desk>(options)) {}
PlayerServer::~PlayerServer() = default;
std::uint16_t PlayerServer::port() const { return desk_->port(); }
std::size_t PlayerServer::matches() const { return desk_->matches(); }

}  // namespace zermelo::ggp
