#include "play/information/cfr.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace zermelo::play {

namespace {

constexpr std::size_t longest_play = 2000;  // steps
constexpr double slowest = 0.005;           // how fast an expectation follows what comes, at least
constexpr double least_likely = 1e-60;
constexpr std::size_t set_bytes = 160;  // of an information set without its choices

std::size_t draw_one(Random& random, const std::vector<double>& odds) {
    double rest = random.fraction();
    std::size_t last = 0;
    for (std::size_t i = 0; i < odds.size(); ++i) {
        if (odds[i] <= 0) continue;
        last = i;
        if ((rest -= odds[i]) < 0) break;
    }
    return last;
}

std::string with_commas(std::uint64_t number) {
    std::string text = std::to_string(number);
    for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
    return text;
}

}  // namespace

// A play, and after it others.
class Cfr::Play {
public:
    Play(Cfr& cfr, InfoState& info, Random& random) : cfr_(cfr), info_(info), random_(random) {}

    // Plays the known part of a play that updates the seat. True where it came to the end of the game;
    // otherwise playouts have to tell what the state is worth where it leaves the known part.
    bool begin(const Start& start, std::size_t updated, const Deadline& deadline) {
        const GameContext& rules = cfr_.rules_;
        position_ = start(random_);
        updated_ = updated;
        decisions_ = 0;
        reach_.assign(rules.seats().size(), 1);
        sampled_ = 1;
        for (std::size_t steps = 0; steps < longest_play && !deadline.passed(); ++steps) {
            info_.load(position_.state);
            if (info_.terminal()) return true;
            random_moves(info_, random_, joint_);
            const bool known = decide(updated);
            info_.play(joint_, position_);
            if (known) continue;
            info_.load(position_.state);
            return info_.terminal();
        }
        return false;
    }
    [[nodiscard]] const State& state() const { return position_.state; }
    // What the role of the updated seat gets where the play ended.
    void end() { end(0.01 * info_.goal(cfr_.rules_.seats()[updated_])); }
    void end(double utility) { teach(updated_, utility); }
    void end(const std::vector<double>& by_role) { end(by_role[cfr_.rules_.seats()[updated_]]); }

private:
    // All seats choose from what they knew before the step. False where the known part ends: one of them did
    // so for the first time, or the play has become so unlikely that its weights would say nothing.
    bool decide(std::size_t updated) {
        const auto& seats = cfr_.rules_.seats();
        const std::size_t first = decisions_;
        bool known = true;
        for (std::size_t s = 0; s < seats.size(); ++s) {
            const auto& legal = info_.legal(seats[s]);
            if (legal.size() == 1) continue;
            if (decisions_ == path_.size()) path_.emplace_back();
            Decision& decision = path_[decisions_];
            bool fresh = false;
            if (!cfr_.find_or_insert(seats[s], info_.view(position_, seats[s]), legal, decision, fresh)) {
                known = false;  // there is no room for it: a random move
                continue;
            }
            known = known && !fresh;
            choose(decision, s, updated);
            joint_[seats[s]] = legal[decision.chosen];
            ++decisions_;
        }
        for (std::size_t d = first; d < decisions_; ++d) {
            double& likely = path_[d].seat == updated ? sampled_ : reach_[path_[d].seat];
            likely *= path_[d].sampled;
            known = known && (likely > least_likely || !cfr_.rules_.hidden());
        }
        return known;
    }

    void choose(Decision& decision, std::size_t seat, std::size_t updated) {
        const std::size_t moves = decision.strategy.size();
        decision.seat = seat;
        if (seat == updated && random_.chance(cfr_.options_.exploration)) {
            decision.chosen = random_.below(moves);
        } else {
            decision.chosen = draw_one(random_, decision.strategy);
        }
        decision.sampled = decision.strategy[decision.chosen];
        if (seat == updated) {
            decision.sampled *= 1 - cfr_.options_.exploration;
            decision.sampled += cfr_.options_.exploration / static_cast<double>(moves);
        }
        // Where all is seen a state is a game of its own, however a play came there, and every visit counts
        // the same: weights by the way there would only add noise.
        decision.weight = 1;
        if (!cfr_.rules_.hidden()) return;
        // Otherwise a play is sampled as often as everybody else's strategies say, so their part cancels out
        // of the regrets. An average counts how likely the seat alone was to come here.
        decision.weight /= sampled_;
        if (seat == updated) return;
        for (std::size_t s = 0; s < reach_.size(); ++s) {
            if (s != seat && s != updated) decision.weight /= reach_[s];
        }
    }

    void teach(std::size_t updated, double utility) {
        const bool alone = reach_.size() == 1;  // then nobody else's plays fill its average
        double value = utility;
        for (std::size_t d = decisions_; d-- > 0;) {
            const Decision& decision = path_[d];
            const std::lock_guard lock(decision.shard->mutex);
            if (decision.seat == updated) {
                if (alone) add_strategy(decision, cfr_.rules_.hidden() ? reach_before(d) : 1);
                value = add_regrets(decision, utility, value);
                if (!cfr_.rules_.hidden()) value = mean_value(*decision.set, value);
            } else {
                add_strategy(decision, decision.weight);
            }
        }
    }

    static void add_strategy(const Decision& decision, double weight) {
        for (std::size_t m = 0; m < decision.strategy.size(); ++m) {
            decision.set->choices[m].average += weight * decision.strategy[m];
        }
    }

    // Of the only seat: its own reach, divided by how likely the play was.
    [[nodiscard]] double reach_before(std::size_t end) const {
        double reach = 1;
        for (std::size_t d = 0; d < end; ++d) reach *= path_[d].strategy[path_[d].chosen] / path_[d].sampled;
        return reach;
    }

    // `value` is that of what followed the choice; returned is that of the information set.
    static double add_regrets(const Decision& decision, double utility, double value) {
        auto& choices = decision.set->choices;
        Choice& chosen = choices[decision.chosen];
        const double surprise = (value - chosen.expected) / decision.sampled;
        double here = decision.strategy[decision.chosen] * surprise;
        for (std::size_t m = 0; m < choices.size(); ++m) here += decision.strategy[m] * choices[m].expected;
        for (std::size_t m = 0; m < choices.size(); ++m) {
            const double there = choices[m].expected + (m == decision.chosen ? surprise : 0);
            choices[m].regret += decision.weight * (there - here);
        }
        ++chosen.visits;
        chosen.sum += utility;
        chosen.squares += utility * utility;
        chosen.expected +=
            std::max(slowest, 1 / static_cast<double>(chosen.visits)) * (value - chosen.expected);
        return here;
    }

    // Strategies go round in circles, of which only the mean settles. Where many ways lead to one state,
    // those before it must not go round with it, so they are told the mean.
    static double mean_value(InformationSet& set, double value) {
        ++set.values;
        set.mean += (value - set.mean) / static_cast<double>(set.values);
        return set.mean;
    }

    Cfr& cfr_;
    InfoState& info_;
    Random& random_;
    std::size_t updated_ = 0;
    Position position_;
    JointMove joint_;
    std::vector<Decision> path_;  // of this play and, behind, of others before
    std::size_t decisions_ = 0;
    std::vector<double> reach_;  // by seat that is not updated: how likely its moves were
    double sampled_ = 1;         // how likely those of the updated seat were, with its exploration
};

struct Cfr::Worker {
    InfoState info;
    Playouts playouts;
    std::vector<const State*> states;
    std::vector<Playouts::Result> results;
    Worker(const GameContext& rules, std::uint64_t seed) : info(rules), playouts(rules, seed) {}
};

Cfr::~Cfr() = default;

Cfr::Cfr(const GameContext& rules, const CfrOptions& options, std::size_t memory, std::uint64_t seed)
    : rules_(rules), options_(options), memory_(memory), seed_(seed) {
    lanes_ = worker_of(0).playouts.lanes();
}

Hash128 Cfr::key(std::size_t role, const View& view) {
    Hasher hasher;
    hasher.add(view.low);
    hasher.add(view.high);
    hasher.add(role);
    return hasher.value();
}

// The information set and its strategy now. False where there is no room for a new one, and where a
// description lets a role meet different moves without a way to know.
bool Cfr::find_or_insert(std::size_t role, const View& view, const std::vector<MoveId>& legal,
                         Decision& decision, bool& fresh) {
    const Hash128 name = key(role, view);
    Shard& here = shard(name);
    const std::lock_guard lock(here.mutex);
    auto at = here.sets.find(name);
    if (at == here.sets.end()) {
        const std::size_t bytes = set_bytes + legal.size() * sizeof(Choice);
        if (bytes_ + bytes > memory_) {
            full_ = true;
            return false;
        }
        bytes_ += bytes;
        at = here.sets.emplace(name, InformationSet{}).first;
        at->second.choices.resize(legal.size());
        for (std::size_t m = 0; m < legal.size(); ++m) {
            at->second.choices[m].move = legal[m];
            at->second.choices[m].expected = 0.5;
        }
        fresh = true;
    }
    InformationSet& set = at->second;
    if (!std::equal(legal.begin(), legal.end(), set.choices.begin(), set.choices.end(),
                    [](MoveId move, const Choice& choice) { return move == choice.move; })) {
        return false;
    }
    set.met = moves_;
    decision.set = &set;
    decision.shard = &here;
    double positive = 0;
    for (const Choice& choice : set.choices) positive += std::max(0.0, choice.regret);
    decision.strategy.resize(legal.size());
    for (std::size_t m = 0; m < legal.size(); ++m) {
        decision.strategy[m] = positive > 0 ? std::max(0.0, set.choices[m].regret) / positive
                                            : 1 / static_cast<double>(legal.size());
    }
    return true;
}

std::uint64_t Cfr::iterate(std::uint64_t plays, const Start& start, const Deadline& deadline,
                           unsigned threads, const Batch& batch) {
    ++rounds_;
    std::atomic<std::uint64_t> begun = 0;
    std::atomic<std::uint64_t> done = 0;
    run_threads(std::max(1U, threads), [&](std::size_t thread) {
        const Deadline own = deadline;
        Worker& worker = worker_of(thread);
        Random random(mixed(seed_ + rounds_, thread).low);
        std::vector<Play> open(batch.leaves, Play(*this, worker.info, random));
        std::size_t waiting = 0;
        const auto play_out = [&] {
            worker.states.clear();
            for (std::size_t i = 0; i < waiting; ++i) worker.states.push_back(&open[i].state());
            worker.playouts.run(worker.states, batch.each, false, own, worker.results);
            for (std::size_t i = 0; i < waiting; ++i) {
                if (worker.results[i].playouts == 0) continue;
                open[i].end(worker.results[i].goals);
                playouts_ += worker.results[i].playouts;
                ++done;
            }
            waiting = 0;
        };
        for (std::uint64_t i = begun++; i < plays && !own.passed(); i = begun++) {
            Play& play = open[waiting];
            if (play.begin(start, i % rules_.seats().size(), own)) {
                play.end();
                ++playouts_;
                ++done;
            } else if (++waiting == open.size()) {
                play_out();
            }
        }
        if (waiting > 0) play_out();
    });
    return done;
}

Cfr::Worker& Cfr::worker_of(std::size_t thread) {
    const std::lock_guard lock(workers_mutex_);
    while (workers_.size() <= thread)
        workers_.push_back(std::make_unique<Worker>(rules_, mixed(seed_, workers_.size() + 1).low));
    return *workers_[thread];
}

// Calls `what(place in legal, choice)` for the moves of an information set that is known.
template <class Visit>
void Cfr::visit(std::size_t role, const View& view, const std::vector<MoveId>& legal, Visit what) const {
    const Hash128 name = key(role, view);
    const Shard& here = shard(name);
    const std::lock_guard lock(here.mutex);
    const auto at = here.sets.find(name);
    if (at == here.sets.end()) return;
    for (const Choice& choice : at->second.choices) {
        const auto place = std::find(legal.begin(), legal.end(), choice.move);
        if (place != legal.end()) what(static_cast<std::size_t>(place - legal.begin()), choice);
    }
}

std::vector<double> Cfr::average(std::size_t role, const View& view, const std::vector<MoveId>& legal) const {
    std::vector<double> odds(legal.size(), 0);
    double sum = 0;
    visit(role, view, legal, [&](std::size_t m, const Choice& choice) { sum += odds[m] = choice.average; });
    for (double& each : odds) each = sum > 0 ? each / sum : 1 / static_cast<double>(odds.size());
    return odds;
}

std::vector<Cfr::Record> Cfr::records(std::size_t role, const View& view,
                                      const std::vector<MoveId>& legal) const {
    std::vector<Record> all(legal.size());
    visit(role, view, legal, [&](std::size_t m, const Choice& choice) {
        if (choice.visits == 0) return;
        const auto visits = static_cast<double>(choice.visits);
        const double mean = choice.sum / visits;
        all[m] = {choice.visits, mean, std::max(0.0, choice.squares / visits - mean * mean)};
    });
    return all;
}

std::size_t Cfr::lanes() const { return lanes_; }

std::size_t Cfr::size() const {
    std::size_t all = 0;
    for (const Shard& each : shards_) {
        const std::lock_guard lock(each.mutex);
        all += each.sets.size();
    }
    return all;
}

void Cfr::next_move() {
    if (full_) {
        for (Shard& each : shards_) {
            const std::lock_guard lock(each.mutex);
            std::erase_if(each.sets, [&](const auto& entry) {
                if (entry.second.met == moves_) return false;
                bytes_ -= set_bytes + entry.second.choices.size() * sizeof(Choice);
                return true;
            });
        }
        full_ = false;
    }
    ++moves_;
}

CfrPlayer::CfrPlayer(const GameContext& rules, const Settings& settings, const CfrOptions& options)
    : Player(rules, settings),
      options_(options),
      cfr_(rules, options, settings.memory, settings.seed),
      info_(rules),
      start_(info_.initial()) {}

void CfrPlayer::prepare(const Deadline& deadline) {
    if (!deadline.set()) return;
    const auto from_start = [this](Random&) -> const Position& { return start_; };
    cfr_.iterate(~std::uint64_t{0}, from_start, deadline, settings().threads, batch({.deadline = deadline}));
}

// As in the trees of UCT.
Batch CfrPlayer::batch(const TimeBudget& allowance) const { return batch_for({}, allowance, cfr_.lanes()); }

Belief::Model CfrPlayer::model() {
    return
        [this](const Position& position, std::size_t role, const std::vector<MoveId>& legal,
               std::vector<double>& odds) { odds = cfr_.average(role, info_.view(position, role), legal); };
}

std::uint64_t CfrPlayer::iterate(const TimeBudget& allowance) {
    const std::uint64_t plays = allowance.playouts != 0 ? allowance.playouts : ~std::uint64_t{0};
    const unsigned threads = settings().threads;
    if (!rules().hidden()) {
        const Position& here = belief().positions().front().position;
        return cfr_.iterate(
            plays, [&](Random&) -> const Position& { return here; }, allowance.deadline, threads,
            batch(allowance));
    }
    // Half of the plays from the beginning come first: the better the strategies there are known, the better
    // is it known which positions are likely now.
    const double ahead = options_.from_start / 2;
    const auto from_start = [this](Random&) -> const Position& { return start_; };
    std::uint64_t done = 0;
    const auto first_plays = static_cast<std::uint64_t>(ahead * static_cast<double>(plays));
    if (!past_.empty() && ahead > 0)
        done =
            cfr_.iterate(first_plays, from_start, allowance.deadline.part(ahead), threads, batch(allowance));
    const Belief* now = &belief();
    Belief anew(rules(), role(), {.seed = settings().seed});
    if (belief().exact()) {
        constexpr double share = 0.2;  // of the time that is left
        const Deadline soon = allowance.deadline.part(share);
        for (const Observation& seen : past_) {
            if (!anew.exact() || soon.passed()) break;
            anew.update(seen, soon, model());
        }
        if (anew.exact() && anew.steps() == past_.size()) now = &anew;
    }
    const auto start = [&](Random& random) -> const Position& {
        const double rest = ahead / (1 - ahead);  // of what is left, so that both together are the share
        return random.chance(rest) ? start_ : now->draw(random);
    };
    return done + cfr_.iterate(plays - done, start, allowance.deadline, threads, batch(allowance));
}

MoveId CfrPlayer::draw(const std::vector<MoveId>& legal, std::vector<double> odds) {
    const double least = std::min(options_.least_share, *std::max_element(odds.begin(), odds.end()));
    double sum = 0;
    for (double& each : odds) {
        if (each < least) each = 0;
        sum += each;
    }
    for (double& each : odds) each /= sum;
    return legal[draw_one(random(), odds)];
}

MoveId CfrPlayer::think(const std::vector<MoveId>& legal, const TimeBudget& allowance, Thought& thought) {
    cfr_.next_move();
    const std::uint64_t before = cfr_.playouts();
    (void)iterate(allowance);
    thought.playouts = cfr_.playouts() - before;
    const View view = info_.view(belief().positions().front().position, role());
    const MoveId move = draw(legal, cfr_.average(role(), view, legal));
    const auto records = cfr_.records(role(), view, legal);
    for (std::size_t m = 0; m < legal.size(); ++m) {
        const Cfr::Record& record = records[m];
        Estimate estimate{legal[m], game::win * record.mean, 0, game::win, record.visits, false};
        if (record.visits > 1) {
            const double margin =
                game::win * 1.96 * std::sqrt(record.variance / static_cast<double>(record.visits - 1));
            estimate.low = std::max(0.0, estimate.mean - margin);
            estimate.high = std::min<double>(game::win, estimate.mean + margin);
        }
        thought.estimates.push_back(estimate);
        if (legal[m] == move) std::swap(thought.estimates.front(), thought.estimates.back());
    }
    thought.positions = cfr_.size();
    thought.remark = with_commas(thought.positions) + " information sets";
    return move;
}

}  // namespace zermelo::play
