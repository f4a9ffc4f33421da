// Remote player: a player on another machine, as the referee sees it.
//
// It is sent START, PLAY and STOP over HTTP, one connection a message, in the spelling of GGP-Base. Where
// moves are hidden a message has the number of the turn, the player's own last move and what it sees, as the
// Dresden servers of 2013 write it; otherwise it has all moves. Requests are sent as soon as they are
// announced (`ask_start`, `ask`), so that all players think at the same time. A player that is destroyed
// without `finish` was in a match that was broken off, and sends ABORT.
//
// A player that has answered before and cannot be reached now is asked again as long as there is time: it may
// be restarting.
//
// The player is not trusted: an answer that comes late, not at all, or is no move is a fault in the delivery.

#pragma once

#include <atomic>
#include <future>

#include "ggp/kif_names.hpp"
#include "net/client.hpp"
#include "play/player.hpp"

namespace zermelo::ggp {

struct RemoteMatch {
    std::string id = {};
    double start_clock = 1;  // seconds
    double play_clock = 1;
    double grace = 1;  // seconds that the wire may take beyond the clocks
};

class RemotePlayer : public play::Player {
public:
    // `name` is how it is addressed. `rules` must outlive it.
    RemotePlayer(const play::GameContext& rules, const play::Settings& settings, net::Url url,
                 std::string name, std::shared_ptr<const KifNames> names, RemoteMatch match);
    ~RemotePlayer() override;

    void ask_start(const play::Deadline& deadline) override;
    void start(const play::Deadline& deadline) override;
    void ask(const play::TimeBudget& allowance) override;
    [[nodiscard]] play::MoveId choose(const play::TimeBudget& allowance) override;
    void see(play::Observation seen) override;
    void finish() override;
    [[nodiscard]] const play::Delivery* delivery() const override { return &delivery_; }

private:
    [[nodiscard]] play::MoveId think(const std::vector<play::MoveId>& legal,
                                     const play::TimeBudget& allowance, play::Thought& thought) override;
    void send(const Message& message, double seconds);
    [[nodiscard]] net::Reply receive();  // fills the delivery
    [[nodiscard]] Message step(Verb verb) const;

    net::Url url_;
    std::string name_;
    std::shared_ptr<const KifNames> names_;
    RemoteMatch match_;
    std::uint64_t steps_ = 0;  // that were seen
    play::Observation last_;
    play::Delivery delivery_;
    bool answered_ = false;  // the last question
    bool started_ = false;
    bool finished_ = false;
    std::atomic<bool> cancelled_ = false;
    std::future<net::Reply> reply_;
};

}  // namespace zermelo::ggp
