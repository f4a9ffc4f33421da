#include "ggp/remote_player.hpp"

#include <algorithm>
#include <thread>

#include "core/clock.hpp"

namespace zermelo::ggp {

using play::Deadline;
using play::MoveId;
using play::TimeBudget;

namespace {

constexpr double connect_seconds = 5;
constexpr double abort_seconds = 1;
constexpr double pause_seconds = 0.2;  // before it is asked again
constexpr std::size_t longest_answer = std::size_t{1} << 20;
constexpr std::size_t longest_quotation = 100;

// What a player said instead of a move, in a form that does no harm.
std::string quotation(std::string_view said) {
    std::string text(said.substr(0, longest_quotation));
    for (char& c : text) {
        if (c < ' ' || c > '~') c = c == '\n' || c == '\r' || c == '\t' ? ' ' : '?';
    }
    while (text.ends_with(' ')) text.pop_back();
    return text;
}

// Again and again, while the player is unreachable.
net::Reply request_again(const net::Url& url, const std::string& text, net::ClientOptions options) {
    const Deadline until = Deadline::in(options.seconds);
    while (true) {
        net::Reply reply = net::request(url, text, options);
        const bool gone =
            reply.kind == net::Reply::Kind::unreachable || reply.kind == net::Reply::Kind::broken;
        if (!gone || until.passed() || until.left() < 2 * pause_seconds) return reply;
        std::this_thread::sleep_for(std::chrono::duration<double>(pause_seconds));
        options.seconds = until.left();
    }
}

}  // namespace

RemotePlayer::RemotePlayer(const play::GameContext& rules, const play::Settings& settings, net::Url url,
                           std::string name, std::shared_ptr<const KifNames> names, RemoteMatch match)
    : Player(rules, settings),
      url_(std::move(url)),
      name_(std::move(name)),
      names_(std::move(names)),
      match_(std::move(match)) {}

RemotePlayer::~RemotePlayer() {
    if (finished_ || !started_) return;  // what is on its way is waited for
    try {
        cancelled_ = true;
        if (reply_.valid()) reply_.wait();
        cancelled_ = false;
        send({.verb = Verb::abort, .match = match_.id}, abort_seconds);
        reply_.wait();
    } catch (...) {
        // It will find out.
    }
}

void RemotePlayer::send(const Message& message, double seconds) {
    net::ClientOptions options;
    options.connect_seconds = std::min(connect_seconds, seconds);
    options.seconds = seconds;
    options.most_body = longest_answer;
    options.headers = {{"Accept", "text/delim"}, {"Sender", "ZERMELO"}, {"Receiver", name_}};
    options.type = "text/acl";
    const bool last = message.verb == Verb::abort;
    const bool again = message.verb == Verb::play && answered_;
    reply_ = std::async(std::launch::async, [this, text = write(message), options, last, again] {
        const Cancellable cancellable(cancelled_);
        std::optional<IgnoreInterrupts> last_words;
        if (last) last_words.emplace();
        const auto begun = net::Clock::now();
        net::Reply reply = again ? request_again(url_, text, options) : net::request(url_, text, options);
        reply.seconds = seconds_since(begun);
        return reply;
    });
}

net::Reply RemotePlayer::receive() {
    net::Reply reply = reply_.get();
    delivery_ = {.seconds = reply.seconds};
    answered_ = reply.kind == net::Reply::Kind::answered;
    switch (reply.kind) {
        case net::Reply::Kind::answered:
            if (reply.response.status / 100 != 2) delivery_.fault = "CE";
            break;
        case net::Reply::Kind::late:
            delivery_.fault = "TO";
            break;
        case net::Reply::Kind::unreachable:
        case net::Reply::Kind::broken:
        case net::Reply::Kind::cancelled:
            delivery_.fault = "CE";
            break;
    }
    return reply;
}

void RemotePlayer::ask_start(const Deadline&) {
    started_ = true;
    send({.verb = Verb::start,
          .match = match_.id,
          .role = names_->role(role()),
          .rules = names_->rules(),
          .start_clock = match_.start_clock,
          .play_clock = match_.play_clock},
         match_.start_clock + match_.grace);
}

void RemotePlayer::start(const Deadline& deadline) {
    if (!reply_.valid()) ask_start(deadline);
    (void)receive();  // whatever it says, as long as it is there
}

// What is said about the last step.
Message RemotePlayer::step(Verb verb) const {
    Message message{.verb = verb, .match = match_.id};
    message.nothing = steps_ == 0;
    message.dated = rules().hidden();
    message.turn = steps_;
    if (message.nothing) return message;
    if (!rules().hidden()) {
        for (std::size_t r = 0; r < last_.joint.size(); ++r)
            message.items.push_back(names_->move(r, last_.joint[r]));
        return message;
    }
    message.own = names_->move(role(), last_.own);
    for (const gdl::TermId percept : last_.percepts)
        message.items.push_back(plain(rules().game().text(percept)));
    return message;
}

void RemotePlayer::ask(const TimeBudget&) { send(step(Verb::play), match_.play_clock + match_.grace); }

MoveId RemotePlayer::choose(const TimeBudget& allowance) {
    if (!reply_.valid()) ask(allowance);
    const net::Reply reply = receive();
    if (!delivery_.fault.empty()) return 0;
    const auto said = read_move(reply.response.body);
    if (const auto move = said ? names_->find(role(), *said) : std::nullopt) return *move;
    delivery_.fault = "IL " + quotation(said ? *said : reply.response.body);
    return 0;
}

void RemotePlayer::see(play::Observation seen) {
    last_ = std::move(seen);
    ++steps_;
}

void RemotePlayer::finish() {
    finished_ = true;
    send(step(Verb::stop), match_.play_clock + match_.grace);
}

MoveId RemotePlayer::think(const std::vector<MoveId>& legal, const TimeBudget&, play::Thought&) {
    return legal.front();  // `choose` does not ask
}

}  // namespace zermelo::ggp
