#include "arena/tournament.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <condition_variable>
#include <deque>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <numeric>
#include <thread>

#include "arena/comparison.hpp"
#include "core/affinity.hpp"
#include "core/format/json_text.hpp"

namespace zermelo::arena {

namespace {

constexpr std::array<const char*, 4> forms = {"round robin", "gauntlet", "together", "seated"};

bool all_at_once(Form form) { return form == Form::together || form == Form::seated; }

std::uint64_t mix(std::uint64_t a, std::uint64_t b) { return mixed(a, b).low; }

// One seat thinks at a time, and those that ponder do so meanwhile.
unsigned threads_of_a_match(const std::vector<play::Spec>& players, std::size_t seats) {
    unsigned thinking = 1;
    unsigned pondering = 0;
    for (const play::Spec& player : players) {
        const unsigned threads = player.threads.value_or(1);
        thinking = std::max(thinking, threads);
        if (player.ponder.value_or(false)) pondering = std::max(pondering, threads);
    }
    return thinking + pondering * (static_cast<unsigned>(std::max<std::size_t>(1, seats)) - 1);
}

// A game that was read from its file.
struct GameFromFile {
    explicit GameFromFile(const std::string& file) : game(file), rules(game) {}
    gdl::Game game;
    play::GameContext rules;
    play::Shared shared;
};

LoadedGame load_game(const std::string& file) {
    const auto loaded = std::make_shared<GameFromFile>(file);
    return {&loaded->rules, &loaded->shared, loaded};
}

// The sequential tests of a tournament: which matches belong to which, and what is decided.
class Tests {
public:
    Tests(const Plan& plan, const std::vector<std::string>& labels, const std::vector<Pairing>& schedule)
        : apart_(plan.form == Form::gauntlet) {
        if (!plan.sprt || (!apart_ && (all_at_once(plan.form) || labels.size() != 2))) return;
        std::map<std::array<std::size_t, 3>, std::size_t> known;
        for (const Pairing& pairing : schedule) {
            if (pairing.players.size() < 2 || plan.alone) continue;
            const auto [a, b] = std::minmax(pairing.players[0], pairing.players[1]);
            const std::array key = {apart_ ? pairing.game : 0, a, b};
            const auto [place, is_new] = known.emplace(key, running_.size());
            if (is_new)
                running_.push_back(
                    {SequentialTest(*plan.sprt, plan.at_least), labels[a], labels[b], {}, 0, {}});
            running_[place->second].matches.push_back(pairing.number);
            test_of_[pairing.number] = place->second;
        }
    }

    void add(const MatchResult& match) {
        const auto found = test_of_.find(match.match);
        if (found == test_of_.end()) return;
        Running& running = running_[found->second];
        running.early[match.match] = share(match, running.player, running.against);
        // What came out of turn waits for those before it.
        for (; running.next < running.matches.size(); ++running.next) {
            const auto turn = running.early.find(running.matches[running.next]);
            if (turn == running.early.end()) return;
            if (turn->second) running.test.add(*turn->second);
            running.early.erase(turn);
        }
    }

    // Whether the match can still change something. A single test decides about everything.
    [[nodiscard]] bool needs(std::uint64_t match) const {
        if (!apart_) return decision() == Sprt::Decision::go_on;
        const auto found = test_of_.find(match);
        return found == test_of_.end() || running_[found->second].test.decision() == Sprt::Decision::go_on;
    }

    // Of a single test.
    [[nodiscard]] Sprt::Decision decision() const {
        return apart_ || running_.empty() ? Sprt::Decision::go_on : running_[0].test.decision();
    }

private:
    struct Running {
        SequentialTest test;
        std::string player;
        std::string against;
        std::vector<std::uint64_t> matches;  // numbers
        std::size_t next;                    // of them
        std::map<std::uint64_t, std::optional<double>> early;
    };
    bool apart_;  // each opponent in each game on its own
    std::vector<Running> running_;
    std::map<std::uint64_t, std::size_t> test_of_;
};

class Tournament {
public:
    Tournament(const Matches& matches, Record* record)
        : options_(matches.options()),
          record_(record),
          matches_(matches),
          tests_(matches.plan(), matches.labels(), matches.schedule()) {
        if (options_.ready) options_.ready(matches_);
        if (record_ != nullptr) results_ = record_->results();
        std::set<std::uint64_t> done;
        for (const MatchResult& result : results_) done.insert(result.match);
        for (const Pairing& pairing : matches_.schedule()) {
            if (!done.contains(pairing.number)) left_.push_back(&pairing);
        }
        for (const MatchResult& result : results_) tests_.add(result);
    }

    TournamentResult run(const std::vector<MatchRunner>& remote) {
        matches_.run_all([this](const MatchRunner& runner) { work(runner); }, remote);
        TournamentResult result;
        result.matches = std::move(results_);
        std::sort(result.matches.begin(), result.matches.end(),
                  [](const MatchResult& a, const MatchResult& b) { return a.match < b.match; });
        result.scheduled = matches_.schedule().size();
        result.stop = stop_;
        result.decision = tests_.decision();
        result.peak_bytes = peak_bytes();
        return result;
    }

private:
    // The next match that is not decided before it is played, and whose players are free; nothing when there
    // is none.
    const Pairing* next_pairing() {
        for (auto at = left_.begin(); at != left_.end();) {
            const Pairing* pairing = *at;
            if (tests_.needs(pairing->number) && !free(*pairing)) {
                ++at;
                continue;
            }
            at = left_.erase(at);
            if (tests_.needs(pairing->number)) return pairing;
        }
        return nullptr;
    }
    [[nodiscard]] bool free(const Pairing& pairing) const {
        return std::ranges::none_of(matches_.engaged(pairing),
                                    [&](const std::string& player) { return busy_.contains(player); });
    }

    // The next match to play, as soon as there is one; nothing when there is none left.
    const Pairing* wait_for_pairing(const Limits& limits) {
        std::unique_lock lock(mutex_);
        while (true) {
            if (stop_ == Stop::none) stop_ = limits.reached();
            if (failed_ || stop_ != Stop::none) return nullptr;
            if (const Pairing* pairing = next_pairing()) {
                busy_.merge(matches_.engaged(*pairing));
                ++running_;
                return pairing;
            }
            if (left_.empty()) return nullptr;
            changed_.wait(lock);
        }
    }

    void work(const MatchRunner& runner) {
        const Limits limits = options_.limits;
        try {
            while (const Pairing* pairing = wait_for_pairing(limits)) {
                const MatchResult result = runner(*pairing, limits);
                const std::lock_guard lock(mutex_);
                if (record_ != nullptr) record_->add(result);
                results_.push_back(result);
                --running_;
                for (const std::string& player : matches_.engaged(*pairing)) busy_.erase(player);
                changed_.notify_all();
                tests_.add(result);
                if (options_.progress)
                    options_.progress({results_.size(), matches_.schedule().size(), running_}, result);
            }
        } catch (const LimitReached& limit) {
            const std::lock_guard lock(mutex_);
            if (stop_ == Stop::none) stop_ = limit.stop();
        } catch (...) {
            const std::lock_guard lock(mutex_);
            failed_ = true;
            changed_.notify_all();
            throw;
        }
        changed_.notify_all();
    }

    const TournamentOptions& options_;
    Record* record_;
    const Matches& matches_;
    std::deque<const Pairing*> left_;

    std::mutex mutex_;
    std::condition_variable changed_;  // a match has ended, or nothing more is played
    std::set<std::string> busy_;       // players that play one match at a time
    std::uint64_t running_ = 0;
    std::vector<MatchResult> results_;
    Stop stop_ = Stop::none;
    bool failed_ = false;
    Tests tests_;
};

}  // namespace

std::string Plan::text() const {
    nlohmann::json json = {
        {"games", games},       {"players", players}, {"form", forms[static_cast<std::size_t>(form)]},
        {"rounds", rounds},     {"clock", clock},     {"start_clock", start_clock},
        {"playouts", playouts}, {"seed", seed},       {"memory", memory},
        {"check", check}};
    if (sprt)
        json["sprt"] = {
            {"elo0", sprt->elo0}, {"elo1", sprt->elo1}, {"alpha", sprt->alpha}, {"beta", sprt->beta}};
    if (at_least > 0) json["at_least"] = at_least;
    if (alone) json["alone"] = true;
    if (cpu_clock) json["cpu_clock"] = true;
    if (sweep) json["sweep"] = {{"player", sweep->player}, {"key", sweep->key}, {"values", sweep->values}};
    return json_text(json);
}

Plan Plan::read(const std::string& text) {
    try {
        const auto json = json_from_text(text);
        Plan plan;
        json.at("games").get_to(plan.games);
        json.at("players").get_to(plan.players);
        const auto form = std::find(forms.begin(), forms.end(), json.at("form").get<std::string>());
        if (form == forms.end()) throw Error("the plan has an unknown form", "give another record");
        plan.form = static_cast<Form>(form - forms.begin());
        json.at("rounds").get_to(plan.rounds);
        json.at("clock").get_to(plan.clock);
        json.at("start_clock").get_to(plan.start_clock);
        json.at("playouts").get_to(plan.playouts);
        json.at("seed").get_to(plan.seed);
        json.at("memory").get_to(plan.memory);
        json.at("check").get_to(plan.check);
        if (json.contains("sprt")) {
            const auto& sprt = json["sprt"];
            plan.sprt = Sprt{sprt.at("elo0"), sprt.at("elo1"), sprt.at("alpha"), sprt.at("beta")};
        }
        if (json.contains("at_least")) json["at_least"].get_to(plan.at_least);
        plan.alone = json.value("alone", false);
        plan.cpu_clock = json.value("cpu_clock", false);
        if (json.contains("sweep")) {
            const auto& sweep = json["sweep"];
            plan.sweep = Sweep{sweep.at("player"), sweep.at("key"), sweep.at("values")};
            if (plan.sweep->values.empty() || plan.sweep->values.size() > plan.players.size())
                throw Error("the plan has a sweep without players", "give another record");
        }
        return plan;
    } catch (const nlohmann::json::exception& problem) {
        throw Error(std::string("the plan of the tournament cannot be read: ") + json_problem(problem),
                    "give a record that zermelo tournament wrote");
    }
}

namespace {

std::vector<play::Spec> specs_of(const Plan& plan) {
    std::vector<play::Spec> specs;
    for (const std::string& text : plan.players) specs.push_back(play::read_spec(text));
    return specs;
}

std::vector<std::string> labels_of(const std::vector<play::Spec>& specs) {
    std::vector<std::string> all;
    for (const play::Spec& spec : specs) {
        std::string label = spec.label;
        for (int n = 2; std::find(all.begin(), all.end(), label) != all.end(); ++n)
            label = fmt::format("{} #{}", spec.label, n);
        all.push_back(label);
    }
    return all;
}

}  // namespace

std::vector<std::string> labels(const Plan& plan) { return labels_of(specs_of(plan)); }

std::vector<Pairing> schedule(const Plan& plan, const std::vector<std::size_t>& seats) {
    std::vector<Pairing> all;
    const std::size_t players = plan.players.size();
    for (std::size_t game = 0; game < plan.games.size(); ++game) {
        if (plan.form == Form::together && players > seats[game])
            throw Error({plan.games[game]},
                        fmt::format("there are {} players for {} seats", players, seats[game]),
                        "name one player for each seat, or two players to share the seats");
        if (plan.form == Form::seated && players != seats[game])
            throw Error({plan.games[game]},
                        fmt::format("the game has seats for {}, and {} {} named", seats[game], players,
                                    players == 1 ? "is" : "are"),
                        "name one player for each role other than random, in the order of the roles");
        if (!all_at_once(plan.form) && !plan.alone && players < 2 && seats[game] > 1)
            throw Error("a tournament needs two players", "name another player");
        if (plan.sweep && players <= plan.challengers()) throw Error("a sweep needs an opponent", "name one");
    }
    for (std::uint64_t round = 0; round < plan.rounds; ++round) {
        for (std::size_t game = 0; game < plan.games.size(); ++game) {
            // Seat after seat, the players one after another from the first named on.
            const auto add = [&](const std::vector<std::size_t>& who, std::size_t first) {
                Pairing pairing{all.size(), game, {}, mix(plan.seed, all.size())};
                for (std::size_t s = 0; s < seats[game]; ++s)
                    pairing.players.push_back(who[(first + s) % who.size()]);
                all.push_back(std::move(pairing));
            };
            if (all_at_once(plan.form)) {
                std::vector<std::size_t> everybody(players);
                std::iota(everybody.begin(), everybody.end(), 0);
                add(everybody, round);
                continue;
            }
            if (seats[game] == 1 || plan.alone) {
                for (std::size_t p = 0; p < players; ++p) add({p}, 0);
                continue;
            }
            const bool gauntlet = plan.form == Form::gauntlet;
            for (std::size_t a = 0; a < (gauntlet ? plan.challengers() : players); ++a) {
                for (std::size_t b = gauntlet ? plan.challengers() : a + 1; b < players; ++b) {
                    for (const std::size_t first : {0, 1}) add({a, b}, first);
                }
            }
        }
    }
    return all;
}

Matches::Matches(const Plan& plan, const TournamentOptions& options)
    : plan_(plan), options_(options), specs_(specs_of(plan)), labels_(labels_of(specs_)) {
    std::vector<std::size_t> seats;
    for (const std::string& file : plan.games) {
        games_.push_back(options.load ? options.load(file) : load_game(file));
        seats.push_back(games_.back().rules->seats().size());
        most_seats_ = std::max(most_seats_, seats.back());
    }
    schedule_ = arena::schedule(plan, seats);
    if (!plan.cpu_clock) return;
    for (const play::Spec& player : specs_) {
        if (player.remote() || player.ponder.value_or(false) || player.threads.value_or(1) > 1)
            throw Error(
                fmt::format("{} does not work on one thread of this process, whose CPU time is the clock",
                            player.label),
                "leave " + setting("cpu-clock") + " out, or the player");
    }
    if (options.parallel > 1)
        throw Error("matches at the same time would share one CPU clock",
                    "leave " + setting("parallel") + " out, or start several tournaments");
}

const play::GameContext& Matches::rules(std::size_t game) const { return *games_[game].rules; }

std::set<std::string> Matches::engaged(const Pairing& pairing) const {
    std::set<std::string> all;
    for (const std::size_t player : pairing.players) {
        if (specs_[player].remote()) all.insert(specs_[player].label);
    }
    return all;
}

unsigned Matches::local_runners() const {
    if (options_.parallel > 0) return options_.parallel;
    if (plan_.cpu_clock) return 1;
    if (std::ranges::any_of(specs_, &play::Spec::remote)) return 1;
    return std::max(1U, static_cast<unsigned>(cores().size()) / threads_of_a_match(specs_, most_seats_));
}

bool Matches::ponder_on_shared_cores() const {
    const bool some =
        std::ranges::any_of(specs_, [](const play::Spec& player) { return player.ponder.value_or(false); });
    return some && std::size_t{local_runners()} * threads_of_a_match(specs_, most_seats_) > cores().size();
}

void Matches::run_all(const std::function<void(const MatchRunner&)>& work,
                      const std::vector<MatchRunner>& remote) const {
    const std::vector<int> all = cores();
    const unsigned here = local_runners();
    const unsigned threads = threads_of_a_match(specs_, most_seats_);
    // Where CPU time is the clock, another process on the same core does no harm, but would leave another core idle.
    const bool own_cores =
        options_.own_cores && !plan_.cpu_clock && std::size_t{here} * threads <= all.size();
    std::mutex mutex;
    std::exception_ptr failure;
    const auto work_with = [&](const MatchRunner& runner, const std::atomic<bool>* cancelled) {
        const Cancellable scope(cancelled);
        try {
            work(runner);
        } catch (...) {
            const std::lock_guard lock(mutex);
            if (!failure) failure = std::current_exception();
        }
    };
    std::vector<std::jthread> workers;
    for (unsigned p = 0; p < here; ++p) {
        workers.emplace_back([&, p, cancelled = Cancellable::flag()] {
            if (own_cores) pin_to(std::span(all).subspan(std::size_t{p} * threads, threads));
            work_with([this](const Pairing& pairing, const Limits& limits) { return play(pairing, limits); },
                      cancelled);
        });
    }
    for (const MatchRunner& runner : remote)
        workers.emplace_back([&, cancelled = Cancellable::flag()] { work_with(runner, cancelled); });
    workers.clear();  // waits for them
    if (failure) std::rethrow_exception(failure);
}

MatchResult Matches::play(const Pairing& pairing, const Limits& limits) const {
    const std::string& file = plan_.games[pairing.game];
    const play::GameContext& rules = *games_[pairing.game].rules;
    play::Shared& shared = *games_[pairing.game].shared;
    Fixture fixture{pairing, rules, shared, file, {}, plan_.start_clock, plan_.clock};
    for (const std::size_t player : pairing.players) fixture.labels.push_back(labels_[player]);
    std::vector<std::unique_ptr<play::Player>> players;
    std::vector<Seat> seats;
    for (std::size_t i = 0; i < pairing.players.size(); ++i) {
        const play::Spec& spec = specs_[pairing.players[i]];
        play::Settings settings;
        settings.role = rules.seats()[i];
        settings.seed = mix(pairing.seed, i + 1);
        settings.memory = plan_.memory;
        settings.clock = plan_.clock;
        players.push_back(options_.make ? options_.make(fixture, spec, settings)
                                        : play::make_player(spec, rules, settings, shared));
        Seat seat{players.back().get(), labels_[pairing.players[i]], plan_.clock, plan_.playouts};
        if (spec.seconds || spec.playouts) {
            seat.seconds = spec.seconds.value_or(0);
            seat.playouts = spec.playouts.value_or(0);
        }
        seat.ponder = spec.ponder.value_or(false);
        seats.push_back(seat);
    }
    std::unique_ptr<gdl::Reasoner> reasoner;
    if (plan_.check) reasoner = std::make_unique<gdl::Reasoner>(rules.game().description());
    MatchOptions options;
    options.start_seconds = plan_.start_clock;
    options.seed = pairing.seed;
    options.witness = reasoner.get();
    options.limits = limits;
    const std::unique_ptr<Spectator> spectator = options_.follow ? options_.follow(fixture) : nullptr;
    if (spectator) {
        options.started = [&](const Faults& faults) { spectator->started(faults); };
        options.watch = [&](const play::State& state, const play::JointMove& joint, const Faults& faults) {
            spectator->step(state, joint, faults);
        };
    }
    MatchResult result;
    try {
        result = referee(rules, seats, options);
    } catch (const LimitReached&) {
        if (spectator) spectator->end(nullptr);
        throw;
    } catch (const Error& problem) {
        result.error = problem.what();
    }
    result.match = pairing.number;
    result.game = file;
    result.seed = pairing.seed;
    if (spectator) spectator->end(&result);
    return result;
}

TournamentResult run(const Plan& plan, const TournamentOptions& options, Record* record) {
    return run(Matches(plan, options), record);
}

TournamentResult run(const Matches& matches, Record* record, const std::vector<MatchRunner>& remote) {
    return Tournament(matches, record).run(remote);
}

}  // namespace zermelo::arena
