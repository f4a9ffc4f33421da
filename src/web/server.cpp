#include "web/server.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "web/api/openapi.hpp"
#include "web/http/access_control.hpp"
#include "web/http/events.hpp"
#include "web/http/page.hpp"
#include "web/session/game_cache.hpp"
#include "zermelo/version.hpp"

namespace zermelo::web {

namespace {

constexpr std::size_t most_body = std::size_t{2} << 20;
constexpr std::size_t most_buffered = std::size_t{64} << 20;  // bodies that are being read
constexpr auto heartbeat_interval = std::chrono::seconds(10);
constexpr std::size_t address_share = 4;  // a remote address gets at most one part in so many of the workers

bool is_call(const std::string& target) { return target == "/api" || target.starts_with("/api/"); }

net::Response error_response(const net::Request& request, const std::exception& problem) {
    const auto [status, body] = error_body(problem, tongue_of(request));
    return json_response(status, body);
}

// What a browser must know so that nothing foreign gets into the page, nor the page into anything foreign.
// The editor of texts sets styles as it measures and pastes, which needs the exception.
void protect(net::Response& response) {
    const auto add = [&](const char* name, const char* value) { response.headers.emplace_back(name, value); };
    add("Content-Security-Policy",
        "default-src 'self'; img-src 'self' blob:; style-src 'self' 'unsafe-inline'; object-src 'none'; "
        "base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'");
    add("X-Content-Type-Options", "nosniff");
    add("Referrer-Policy", "no-referrer");
    add("Cross-Origin-Opener-Policy", "same-origin");
    add("Cross-Origin-Resource-Policy", "same-origin");
    if (response.status == 503) add("Retry-After", "5");
}

}  // namespace

class Server::Implementation {
public:
    explicit Implementation(const Options& options)
        : options_(options),
          access_({options.server.address, options.hosts, options.token, options.requests_per_second}),
          library_(options.games),
          cache_(library_),
          workers_(options.running, options.waiting) {
        add_checking(router_, cache_);
        add_editing(router_, cache_);
        add_playing(router_, cache_);
        add_explaining(router_, cache_);
        add_solving(router_, cache_);
        add_pictures(router_, cache_);
        add_tournaments(router_, cache_);
        router_.quick("GET", "/api/status", [this](const Call&) { return status(); });
        router_.quick("GET", "/api/openapi.json", [](const Call&) { return openapi(); });

        net::ServerOptions listening = options.server;
        listening.most_body = most_body;
        listening.most_buffered = most_buffered;
        server_ = std::make_unique<net::Server>(listening,
                                                [this](net::Request request, net::Server::Respond respond) {
                                                    receive(std::move(request), std::move(respond));
                                                });
        port_ = server_->port();
        heartbeat_ = std::thread([this] { send_heartbeats(); });
    }

    ~Implementation() {
        {
            const std::lock_guard lock(mutex_);
            closing_ = true;
            closed_.notify_all();
        }
        heartbeat_.join();
        server_.reset();
    }
    Implementation(const Implementation&) = delete;
    Implementation& operator=(const Implementation&) = delete;

    [[nodiscard]] std::uint16_t port() const { return port_; }
    [[nodiscard]] std::size_t games() const { return library_.games().size(); }

private:
    // Counts one piece of work of an address.
    class WorkPermit {
    public:
        WorkPermit(Implementation& owner, std::string peer) : owner_(owner), peer_(std::move(peer)) {
            const std::lock_guard lock(owner_.mutex_);
            ++owner_.permits_[peer_];
        }
        ~WorkPermit() {
            const std::lock_guard lock(owner_.mutex_);
            if (--owner_.permits_[peer_] == 0) owner_.permits_.erase(peer_);
        }
        WorkPermit(const WorkPermit&) = delete;
        WorkPermit& operator=(const WorkPermit&) = delete;

    private:
        Implementation& owner_;
        std::string peer_;
    };

    using Send = std::function<void(net::Response)>;

    void receive(net::Request request, net::Server::Respond respond) {
        const bool for_page = !is_call(request.target);
        const Send send = [respond = std::move(respond), for_page](net::Response response) {
            protect(response);
            if (!for_page) response.headers.emplace_back("Cache-Control", "no-store");
            respond(std::move(response), nullptr);
        };
        if (auto refused = access_.refuse(request, net::Clock::now())) return send(std::move(*refused));
        if (for_page) return send(page_response(request));
        if (auto refused = access_.refuse_call(request)) return send(std::move(*refused));
        answer_call(std::move(request), send);
    }

    void answer_call(net::Request request, const Send& send) {
        const std::size_t mark = std::min(request.target.find('?'), request.target.size());
        const std::string path = request.target.substr(0, mark);
        Router::Found found = router_.find(request.method == "HEAD" ? "GET" : request.method, path);
        if (found.route == nullptr) return send(no_route(request, found));

        auto call = std::make_shared<Call>();
        call->path = std::move(found.path);
        call->query = read_query(request.target.substr(std::min(mark + 1, request.target.size())));
        call->budget = options_.memory;
        if (!request.gone) request.gone = std::make_shared<std::atomic<bool>>(false);
        call->request = std::move(request);
        switch (found.route->kind) {
            case Route::Kind::quick:
                return answer(*found.route, *call, send);
            case Route::Kind::work:
                return enqueue(call, send,
                               [this, route = found.route, call, send] { answer(*route, *call, send); });
            case Route::Kind::stream:
                return enqueue(call, send,
                               [this, route = found.route, call, send] { perform(*route, *call, send); });
        }
    }

    static net::Response no_route(const net::Request& request, const Router::Found& found) {
        if (found.methods.empty()) return refusal(request, 404, "unknown path");
        auto response = refusal(request, 405, "this path does not support this method");
        response.headers.emplace_back("Allow", fmt::format("{}", fmt::join(found.methods, ", ")));
        return response;
    }

    void enqueue(const std::shared_ptr<Call>& call, const Send& send, std::function<void()> work) {
        const std::string& peer = call->request.peer;
        if (over_quota(peer))
            return send(refusal(call->request, 503,
                                "too much work is under way for your address; wait for some of it"));
        auto permit = std::make_shared<WorkPermit>(*this, peer);
        if (!workers_.add(call->request.gone,
                          [permit = std::move(permit), work = std::move(work)] { work(); }))
            send(refusal(call->request, 503, "too much work is under way; try again soon"));
    }

    [[nodiscard]] bool over_quota(const std::string& peer) {
        if (is_loopback(peer)) return false;
        const std::lock_guard lock(mutex_);
        const auto found = permits_.find(peer);
        return found != permits_.end() &&
               found->second >= std::max<std::size_t>(1, options_.running / address_share);
    }

    void read(Call& call) const {
        if (call.request.method != "POST") return;
        call.body = read_body(call.request.body);
        call.request.body = {};
        const auto seconds = call.body.find("seconds");
        if (seconds != call.body.end() && seconds->is_number() && seconds->get<double>() > options_.longest)
            *seconds = options_.longest;
    }

    void answer(const Route& route, Call& call, const Send& send) const {
        try {
            read(call);
            send(route.answer(call));
        } catch (const std::exception& problem) {
            send(error_response(call.request, problem));
        }
    }

    void perform(const Route& route, Call& call, const Send& send) {
        EventStream events(send, call.request.gone);
        keep_alive(events.line());
        try {
            read(call);
            route.perform(call, events);
        } catch (const std::exception& problem) {
            if (!events.begun()) return send(error_response(call.request, problem));
            if (!*call.request.gone)
                events.send("error", error_body(problem, tongue_of(call.request)).second);
        }
    }

    void keep_alive(const std::shared_ptr<EventStream::Line>& line) {
        const std::lock_guard lock(mutex_);
        std::erase_if(lines_, [](const auto& other) { return other.expired(); });
        lines_.push_back(line);
    }

    // Sends a comment over all streams from time to time, so that clients that are gone are noticed, and no
    // proxy takes the connection for dead.
    void send_heartbeats() {
        std::unique_lock lock(mutex_);
        while (!closed_.wait_for(lock, heartbeat_interval, [this] { return closing_; })) {
            for (const auto& held : lines_) {
                if (const auto line = held.lock()) line->keep_alive();
            }
        }
    }

    [[nodiscard]] json status() const {
        return {{"version", ZERMELO_VERSION},
                {"running", workers_.running()},
                {"waiting", workers_.waiting()},
                {"memory", resident_bytes()},
                {"budget", options_.memory}};
    }

    const Options options_;
    AccessControl access_;  // of the server's thread
    const Library library_;
    GameCache cache_;
    Router router_;
    std::mutex mutex_;
    std::map<std::string, std::size_t> permits_;  // works by address
    std::vector<std::weak_ptr<EventStream::Line>> lines_;
    std::condition_variable closed_;
    bool closing_ = false;
    WorkerPool workers_;
    std::thread heartbeat_;
    std::uint16_t port_ = 0;
    std::unique_ptr<net::Server> server_;
};

Server::Server(const Options& options) : implementation_(std::make_unique<Implementation>(options)) {}

Server::~Server() = default;

std::uint16_t Server::port() const { return implementation_->port(); }
std::size_t Server::games() const { return implementation_->games(); }

}  // namespace zermelo::web
