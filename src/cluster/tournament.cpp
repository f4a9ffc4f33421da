#include "cluster/tournament.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <future>
#include <map>
#include <mutex>
#include <thread>

#include "cluster/comm/core_sharing.hpp"
#include "cluster/comm/packing.hpp"

namespace zermelo::arena {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SeatResult, role, player, goal, moves, playouts, illegal, late, seconds,
                                   longest_move, slack_least, counters)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(MatchResult, match, game, seed, plies, seconds, seats, moves, error)

}  // namespace zermelo::arena

namespace zermelo::cluster {

namespace {

using namespace std::chrono_literals;

enum Tag : int {
    wanted = 100,  // to a helper: the number of a match
    played,        // its result
    over,          // to a helper: it shall play no more, and leave
    left           // its last message: why it does not play any more, and its memory
};

// Runs `work` on another thread, and polls `communicate` on this one, seldom enough to leave the core to the
// players.
template <class Work, class Communicate>
auto run_while_communicating(const Work& work, const Communicate& communicate) {
    auto done = std::async(std::launch::async, work);
    while (done.wait_for(1ms) != std::future_status::ready) communicate();
    return done.get();
}

// Collective: no process plays before all are ready, or fast ones would play far ahead of what sequential
// tests need.
std::vector<unsigned> gather_runners(Comm& comm, const arena::Matches& matches) {
    return gather_all(comm, matches.local_runners());
}

// The other processes, as the first one sees them.
class Helpers {
public:
    explicit Helpers(Comm& comm) : comm_(comm), gone_(comm.size()) {}

    // Waits until the helper has played the match.
    [[nodiscard]] arena::MatchResult play(Rank helper, std::uint64_t match, const Limits& limits) {
        std::unique_lock lock(mutex_);
        orders_.emplace_back(helper, match);
        while (true) {
            if (auto result = results_.extract(match)) return std::move(result.mapped());
            const Stop stop = gone_[helper] ? *gone_[helper] : limits.reached();
            if (stop != Stop::none) throw LimitReached(stop, "in a match", "start again to resume");
            changed_.wait_for(lock, 50ms);  // Ctrl-C wakes nobody
        }
    }

    void communicate() {
        const std::lock_guard lock(mutex_);
        for (; !orders_.empty(); orders_.pop_front())
            comm_.send(orders_.front().first, wanted, packed(orders_.front().second));
        Message message;
        while (comm_.receive(message)) {
            const nlohmann::json content = unpacked(message.bytes);
            if (message.tag == played) {
                auto result = content.get<arena::MatchResult>();
                results_.emplace(result.match, std::move(result));
            } else {
                gone_[message.from] = content.at("stop").get<Stop>();
                peak_bytes_ += content.at("peak_bytes").get<std::size_t>();
            }
            changed_.notify_all();
        }
    }

    // Ends their work and waits for their last messages. Returns how much memory they have used.
    [[nodiscard]] std::size_t dismiss() {
        orders_.clear();
        for (Rank helper = 1; helper < comm_.size(); ++helper) comm_.send(helper, over, {});
        while (std::any_of(gone_.begin() + 1, gone_.end(), [](const auto& stop) { return !stop; })) {
            communicate();
            std::this_thread::sleep_for(1ms);
        }
        return peak_bytes_;
    }

private:
    Comm& comm_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::pair<Rank, std::uint64_t>> orders_;    // that have not been sent
    std::map<std::uint64_t, arena::MatchResult> results_;  // not fetched yet, by match
    std::vector<std::optional<Stop>> gone_;                // by process: why it does not play any more
    std::size_t peak_bytes_ = 0;
};

// A worker process: plays the matches that the first one assigns.
class Helper {
public:
    Helper(Comm& comm, const arena::Matches& matches, const Limits& limits)
        : comm_(comm), matches_(matches), limits_(limits) {}

    void run() {
        Stop stop = Stop::none;
        try {
            run_while_communicating(
                [this] {
                    const Cancellable scope(over_);
                    matches_.run_all([this](const arena::MatchRunner& runner) { work(runner); });
                },
                [this] { communicate(); });
        } catch (const LimitReached& limit) {
            stop = limit.stop();
        }
        communicate();  // the results that are still here
        comm_.send(0, left, packed({{"stop", stop}, {"peak_bytes", peak_bytes()}}));
        for (; !over_; std::this_thread::sleep_for(1ms)) communicate();
    }

private:
    void work(const arena::MatchRunner& runner) {
        const Limits limits = limits_;
        try {
            while (const arena::Pairing* pairing = wait_for_order(limits)) {
                arena::MatchResult result = runner(*pairing, limits);
                const std::lock_guard lock(mutex_);
                results_.push_back(std::move(result));
            }
        } catch (...) {
            const std::lock_guard lock(mutex_);
            closed_ = true;
            changed_.notify_all();
            throw;
        }
    }

    [[nodiscard]] const arena::Pairing* wait_for_order(const Limits& limits) {
        std::unique_lock lock(mutex_);
        while (!over_ && !closed_) {
            if (const Stop stop = limits.reached(); stop != Stop::none)
                throw LimitReached(stop, "between matches", "start again to resume");
            if (!orders_.empty()) {
                const std::uint64_t match = orders_.front();
                orders_.pop_front();
                return &matches_.schedule().at(match);
            }
            changed_.wait_for(lock, 50ms);  // Ctrl-C wakes nobody
        }
        return nullptr;
    }

    void communicate() {
        const std::lock_guard lock(mutex_);
        for (; !results_.empty(); results_.pop_front()) comm_.send(0, played, packed(results_.front()));
        Message message;
        while (comm_.receive(message)) {
            if (message.tag == wanted)
                orders_.push_back(unpacked(message.bytes).get<std::uint64_t>());
            else
                over_ = true;
            changed_.notify_all();
        }
    }

    Comm& comm_;
    const arena::Matches& matches_;
    const Limits& limits_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::uint64_t> orders_;        // matches that are not played yet
    std::deque<arena::MatchResult> results_;  // that have not been sent
    bool closed_ = false;                     // one of the runners cannot go on
    std::atomic<bool> over_ = false;
};

}  // namespace

arena::TournamentResult run(Comm& comm, const arena::Plan& plan, const arena::TournamentOptions& options,
                            arena::Record* record) {
    if (comm.size() == 1) return arena::run(plan, options, record);
    pin_to_own_cores(comm);
    (void)from_first(comm, packed(plan.text()));
    const arena::Matches matches(plan, options);
    const std::vector<unsigned> runners = gather_runners(comm, matches);
    Helpers helpers(comm);
    std::vector<arena::MatchRunner> remote;
    for (Rank helper = 1; helper < comm.size(); ++helper) {
        const auto runner = [&helpers, helper](const arena::Pairing& pairing, const Limits& limits) {
            return helpers.play(helper, pairing.number, limits);
        };
        remote.insert(remote.end(), runners[helper], runner);
    }
    auto result = run_while_communicating([&] { return arena::run(matches, record, remote); },
                                          [&] { helpers.communicate(); });
    result.peak_bytes += helpers.dismiss();
    return result;
}

void help(Comm& comm, const arena::TournamentOptions& options) {
    pin_to_own_cores(comm);
    const auto plan = arena::Plan::read(unpacked(from_first(comm, {})).get<std::string>());
    const arena::Matches matches(plan, options);
    (void)gather_runners(comm, matches);
    Helper(comm, matches, options.limits).run();
}

}  // namespace zermelo::cluster
