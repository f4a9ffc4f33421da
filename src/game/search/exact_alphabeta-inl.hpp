// The bodies of exact_alphabeta.hpp.

#pragma once

#include <limits>

#include "game/search/exact_alphabeta.hpp"

namespace zermelo::game {

template <Walk W>
ExactAlphaBeta<W>::ExactAlphaBeta(std::vector<W*> walks, Player player, const ExactAlphaBetaOptions& options)
    : player_(player), options_(options), table_(options.table_bytes) {
    for (W* walk : walks) {
        workers_.push_back({*walk, options.limits, workers_.empty(), {}, 0, {}, {}, nowhere, {}});
    }
    history_ = std::vector<std::atomic<std::int32_t>>(walks.front()->players() * effects);
    if (!options_.checkpoint.empty() && std::filesystem::exists(options_.checkpoint)) load();
    outbox_.enable(options_.partners != nullptr);
}

template <Walk W>
int ExactAlphaBeta<W>::value(const std::vector<int>& payoffs) {
    std::size_t low = 0;  // payoffs[low] can be forced, payoffs[high] cannot
    std::size_t high = payoffs.size();
    while (low + 1 < high) {
        const std::size_t middle = (low + high) / 2;
        (at_least(payoffs[middle]) ? low : high) = middle;
    }
    return payoffs[low];
}

template <Walk W>
bool ExactAlphaBeta<W>::at_least(int payoff) {
    try {
        return options_.partners != nullptr ? decide_with_partners(payoff) : decide(payoff);
    } catch (const LimitReached&) {
        save();
        throw;
    }
}

template <Walk W>
bool ExactAlphaBeta<W>::decide(int payoff) {
    W& walk = workers_.front().walk;
    if (walk.turn().over()) return walk.payoff(player_) >= payoff;
    if (const auto known = table_.find(walk.key()); decides(known, payoff)) return known->low >= payoff;
    for (Worker& worker : workers_) worker.limits = options_.limits;
    safepoint_ = std::make_unique<Safepoint>(static_cast<unsigned>(workers_.size()));
    finished_ = false;
    std::optional<bool> answer;
    std::exception_ptr failure;
    std::mutex mutex;
    const auto work = [&](Worker& worker) {
        try {
            const bool reached = run(worker, payoff);
            const std::lock_guard lock(mutex);
            answer = reached;
        } catch (const Finished&) {
        } catch (...) {
            const std::lock_guard lock(mutex);
            if (!failure) failure = std::current_exception();
        }
        finished_ = true;
        safepoint_->leave();
    };
    std::vector<std::thread> others;
    for (std::size_t i = 1; i < workers_.size(); ++i) others.emplace_back(work, std::ref(workers_[i]));
    work(workers_.front());
    for (auto& thread : others) thread.join();
    if (!answer) std::rethrow_exception(failure);
    return *answer;
}

// ------------------------------------------------------------------------------------------ with partners

template <Walk W>
class ExactAlphaBeta<W>::DistributedQuestion final : public DivisibleSearch {
public:
    DistributedQuestion(ExactAlphaBeta& search, int payoff) : search_(search), payoff_(payoff) {
        const Hash128 key = walk().key();
        Hasher hasher;
        for (const std::uint64_t word : {key.low, key.high, std::uint64_t{search.player_}}) hasher.add(word);
        hasher.add(static_cast<std::uint64_t>(payoff));
        name_ = hasher.value();
    }

    [[nodiscard]] Hash128 name() const override { return name_; }
    std::optional<Solved> solve(const Line& line) override {
        const ScopedLine scope(search_, line);
        try {
            return Solved{search_.decide(payoff_), {}};
        } catch (const LimitReached&) {
            return std::nullopt;
        }
    }
    Split split(const Line& line) override {
        const ScopedLine scope(search_, line);
        return search_.split(payoff_);
    }
    Bytes news() override {
        Bytes bytes;
        for (const auto& record : search_.outbox_.take()) put(bytes, record);
        return bytes;
    }
    void learn(std::span<const std::byte> news) override {
        while (!news.empty()) {
            if (search_.table_.add(take<BoundsTable::Record>(news))) ++search_.used_;
        }
    }

private:
    // While it lives, all walks stand after the moves of a line.
    class ScopedLine {
    public:
        ScopedLine(ExactAlphaBeta& search, const Line& line) : search_(search), moves_(line.size()) {
            for (Worker& worker : search.workers_) {
                for (const auto move : line) worker.walk.make(static_cast<std::size_t>(move));
            }
        }
        ~ScopedLine() {
            for (Worker& worker : search_.workers_) {
                for (std::size_t i = 0; i < moves_; ++i) worker.walk.unmake();
            }
        }
        ScopedLine(const ScopedLine&) = delete;
        ScopedLine& operator=(const ScopedLine&) = delete;

    private:
        ExactAlphaBeta& search_;
        std::size_t moves_;
    };
    [[nodiscard]] W& walk() { return search_.workers_.front().walk; }

    ExactAlphaBeta& search_;
    int payoff_;
    Hash128 name_;
};

template <Walk W>
bool ExactAlphaBeta<W>::decide_with_partners(int payoff) {
    DistributedQuestion question(*this, payoff);
    const Division division = options_.partners->decide(question, options_.limits);
    if (!options_.partners->first()) return division.won;
    for (const auto& [key, solved] : division.leaves) {
        if (key == question.name()) continue;
        Bounds bounds;
        (solved.won ? bounds.low : bounds.high) = static_cast<std::uint8_t>(solved.won ? payoff : payoff - 1);
        if (table_.add(BoundsTable::record(key, bounds, std::uint64_t{1} << 40))) ++used_;
    }
    if (decide(payoff) != division.won) throw std::logic_error("partners disagree about a position");
    return division.won;
}

template <Walk W>
Split ExactAlphaBeta<W>::split(int payoff) {
    Worker& worker = workers_.front();
    W& walk = worker.walk;
    Split split;
    const Turn turn = walk.turn();
    if (turn.over()) {
        split.solved = Solved{walk.payoff(player_) >= payoff, {}};
        return split;
    }
    if (const auto known = table_.find(walk.key()); decides(known, payoff)) {
        split.solved = Solved{known->low >= payoff, {}};
        return split;
    }
    require_turns(turn, "alpha-beta");
    split.ours = turn.player == player_;
    std::vector<Candidate> candidates;
    std::size_t move = 0;
    std::optional<bool> answer;
    if constexpr (LooksAhead<W>) answer = walk.look_ahead(player_, payoff);
    if (!answer) answer = generate_candidates(worker, payoff, turn, candidates, move);
    if (!answer && candidates.empty()) answer = !split.ours;
    if (answer) split.solved = Solved{*answer, {}};
    std::ranges::sort(candidates, sooner);
    for (const Candidate& candidate : candidates) split.open.push_back({{candidate.move}, candidate.key});
    return split;
}

// ------------------------------------------------------------------------------------------ the search

template <Walk W>
bool ExactAlphaBeta<W>::run(Worker& worker, int payoff) {
    bool reached = false;
    worker.path.clear();
    worker.return_to = nowhere;
    with_deep_stack(longest_play, [&] { reached = search(worker, payoff, 0); });
    return reached;
}

template <Walk W>
void ExactAlphaBeta<W>::stay_within_limits(Worker& worker) {
    if (const Stop stop = worker.limits.reached(); stop != Stop::none)
        throw LimitReached(stop, "while solving the game", "raise the time or memory limit");
}

// Now and then: limits, progress, checkpoints, and growing the table where the memory budget allows it.
template <Walk W>
void ExactAlphaBeta<W>::do_housekeeping(Worker& worker) {
    positions_.fetch_add(positions_between_housekeeping, std::memory_order_relaxed);
    used_.fetch_add(std::exchange(worker.fresh, 0), std::memory_order_relaxed);
    if (finished_) throw Finished();
    stay_within_limits(worker);
    const auto crowded = [&] {
        return table_.may_grow() && used_ * 3 > table_.capacity() * 2 &&
               worker.limits.allow(table_.bytes_to_grow());
    };
    if (crowded()) {
        safepoint_->stop_the_world([&] {
            if (crowded()) table_.grow([&] { return worker.limits.reached() != Stop::none; });
        });
    }
    if (!worker.first) return;
    if (options_.progress) options_.progress(positions_before_ + positions_);
    if (options_.partners != nullptr) options_.partners->exchange();
    const std::chrono::duration<double> since = Clock::now() - saved_;
    if (saves() && since.count() > options_.seconds_between_saves) {
        safepoint_->stop_the_world([this] { save(); });
    }
}

// Another thread may have decided an ancestor of the current position.
template <Walk W>
void ExactAlphaBeta<W>::check_ancestors(Worker& worker, int payoff) {
    const auto& above = worker.path.keys();
    const auto decided =
        std::ranges::find_if(above, [&](const Hash128& key) { return decides(table_.find(key), payoff); });
    if (decided != above.end()) worker.return_to = static_cast<std::size_t>(decided - above.begin());
}

template <Walk W>
void ExactAlphaBeta<W>::learn_work(Worker& worker, std::size_t depth, std::uint64_t since) const {
    constexpr float weight = 1.0F / 16;
    if (workers_.size() < 2) return;
    float& mean = worker.work[depth];
    mean += (static_cast<float>(worker.statistics.positions - since) - mean) * weight;
}

template <Walk W>
bool ExactAlphaBeta<W>::conclude(Worker& worker, const Hash128& key, Bounds bounds, int payoff, bool reached,
                                 std::size_t move, std::uint64_t since) {
    if (reached) {
        bounds.low = std::max(bounds.low, static_cast<std::uint8_t>(payoff));
    } else {
        bounds.high = std::min(bounds.high, static_cast<std::uint8_t>(payoff - 1));
    }
    bounds.move = static_cast<std::uint8_t>(std::min<std::size_t>(move, Bounds::no_move));
    const std::uint64_t work = worker.statistics.positions - since + 1;
    if (table_.store(key, bounds, work)) ++worker.fresh;
    if (outbox_.accepts(work)) outbox_.push(BoundsTable::record(key, bounds, work));
    return reached;
}

// The moves that do not end the game, with scores. Returns the answer where a terminal successor decides the position;
// `move` is then the move that leads there.
template <Walk W>
std::optional<bool> ExactAlphaBeta<W>::peek_at_moves(Worker& worker, int payoff, const Turn& turn,
                                                     std::vector<Candidate>& candidates, std::size_t& move) {
    W& walk = worker.walk;
    const bool ours = turn.player == player_;
    candidates.clear();
    const std::size_t moves = walk.moves();
    for (std::size_t i = 0; i < moves; ++i) {
        if (++worker.statistics.peeks % peeks_between_questions == 0) stay_within_limits(worker);
        const Peek seen = peek(walk, i, player_);
        if (!seen.over) {
            table_.prefetch(seen.key);
            candidates.push_back({static_cast<std::uint32_t>(i), seen.effect,
                                  threat_bonus * seen.threats + line_bonus * seen.lines, seen.key, 0});
        } else if ((seen.payoff >= payoff) == ours) {
            move = i;
            return ours;
        }
    }
    return std::nullopt;
}

// What the table knows of the successors: it may decide the position, and what it decides need not be searched.
template <Walk W>
std::optional<bool> ExactAlphaBeta<W>::look_up(Worker& worker, int payoff, const Turn& turn,
                                               std::vector<Candidate>& candidates, std::size_t& move) {
    const bool ours = turn.player == player_;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const auto bounds = table_.find(candidates[i].key);
        if (!decides(bounds, payoff)) {
            if (kept != i) candidates[kept] = candidates[i];
            ++kept;
            continue;
        }
        ++worker.statistics.table_hits;
        if ((bounds->low >= payoff) == ours) {
            move = candidates[i].move;
            return ours;
        }
    }
    candidates.resize(kept);
    return std::nullopt;
}

// The moves that remain to be searched, in no order. Returns the answer where a successor decides the position; `move` is
// then the move that leads there. A walk that looks ahead has just done so.
template <Walk W>
std::optional<bool> ExactAlphaBeta<W>::generate_candidates(Worker& worker, int payoff, const Turn& turn,
                                                           std::vector<Candidate>& candidates,
                                                           std::size_t& move) {
    if constexpr (LooksAhead<W>) {
        worker.walk.list(candidates);
        std::uint64_t& peeks = worker.statistics.peeks;
        const std::uint64_t before = std::exchange(peeks, peeks + candidates.size());
        if (before / peeks_between_questions != peeks / peeks_between_questions) stay_within_limits(worker);
        for (const Candidate& candidate : candidates) table_.prefetch(candidate.key);
        worker.walk.weigh(candidates);
    } else if (const auto answer = peek_at_moves(worker, payoff, turn, candidates, move)) {
        return answer;
    }
    if (const auto answer = look_up(worker, payoff, turn, candidates, move)) return answer;
    const std::atomic<std::int32_t>* history = history_.data() + turn.player * effects;
    for (Candidate& candidate : candidates) {
        candidate.effect %= static_cast<std::uint32_t>(effects);
        candidate.score += history[candidate.effect].load(std::memory_order_relaxed);
    }
    return std::nullopt;
}

// A cutoff is worth as much as the moves that were searched before it in vain. What is old fades, so that the history of
// a long search does not outweigh the position. Two threads may lose one another's
// steps; that does no harm, and a locked instruction costs more.
template <Walk W>
void ExactAlphaBeta<W>::credit(Player mover, const std::vector<Candidate>& candidates, std::size_t best) {
    const auto add = [&](std::size_t k, std::int32_t by) {
        auto& of_move = history_[mover * effects + candidates[k].effect];
        const std::int32_t now = of_move.load(std::memory_order_relaxed);
        of_move.store(now + by - now * std::abs(by) / most_history, std::memory_order_relaxed);
    };
    add(best, std::min(static_cast<std::int32_t>(best), most_history));
    for (std::size_t k = 0; k < best; ++k) add(k, -1);
}

template <Walk W>
void ExactAlphaBeta<W>::enter(Worker& worker, const Hash128& key, std::size_t depth) {
    if (depth < longest_play && worker.path.enter(key)) return;
    throw Repetition(depth >= longest_play ? "a play is too long for alpha-beta search"
                                           : "a position can repeat, which alpha-beta search cannot handle",
                     "use " + setting("engine", "attractors"));
}

template <Walk W>
bool ExactAlphaBeta<W>::search(Worker& worker, int payoff, std::size_t depth) {
    W& walk = worker.walk;
    const std::uint64_t since = worker.statistics.positions++;
    if (since % positions_between_housekeeping == positions_between_housekeeping - 1) do_housekeeping(worker);
    safepoint_->poll();
    if (since % positions_between_ancestor_checks == 0 && workers_.size() > 1)
        check_ancestors(worker, payoff);
    if (worker.return_to < depth) return false;

    if constexpr (LooksAhead<W>) {
        if (const auto answer = walk.look_ahead(player_, payoff)) {
            ++worker.statistics.looked_ahead;
            return *answer;
        }
    }
    const Hash128 key = walk.key();
    const Bounds known = table_.find(key).value_or(Bounds{});
    if (decides(known, payoff)) return known.low >= payoff;
    if constexpr (BoundsPayoffs<W> && !LooksAhead<W>) {
        const auto [low, high] = walk.payoff_bounds(player_);
        if (low >= payoff || high < payoff) {
            ++worker.statistics.out_of_reach;
            return conclude(worker, key, known, payoff, low >= payoff, Bounds::no_move, since);
        }
    }
    const Turn turn = walk.turn();
    require_turns(turn, "alpha-beta");
    const bool ours = turn.player == player_;

    if (depth == worker.plies.size()) {
        worker.plies.emplace_back();
        worker.work.push_back(std::numeric_limits<float>::max() / 2);  // until it is known
    }
    auto candidates = std::move(worker.plies[depth]);  // deeper calls move the plies
    const auto give_back = [&] { worker.plies[depth] = std::move(candidates); };
    std::size_t decisive = Bounds::no_move;
    if (const auto answer = generate_candidates(worker, payoff, turn, candidates, decisive)) {
        give_back();
        return conclude(worker, key, known, payoff, *answer, decisive, since);
    }
    const std::size_t kept = candidates.size();

    if (kept > 0) enter(worker, key, depth);
    const bool parallel = shared(worker, depth);
    if (parallel) std::ranges::sort(candidates, sooner);
    const bool defer_first = parallel && !shared(worker, depth + 1);
    std::size_t undeferred = kept;
    for (std::size_t k = 0; k < kept; ++k) {
        // Mostly the first move decides, so the others need no order before it has failed.
        if (!parallel) {
            const auto from = candidates.begin() + static_cast<std::ptrdiff_t>(k);
            std::iter_swap(from, std::min_element(from, candidates.end(), sooner));
        }
        // ABDADA: moves that another thread is searching are deferred; the first one only where the threads would not
        // share it, but do the same twice.
        while (parallel && (k > 0 || defer_first) && k < undeferred &&
               busy(candidates[k].key) == candidates[k].key.high) {
            std::rotate(candidates.begin() + static_cast<std::ptrdiff_t>(k),
                        candidates.begin() + static_cast<std::ptrdiff_t>(k) + 1, candidates.end());
            --undeferred;
        }
        std::optional<Bounds> bounds;
        if ((k > 0 || defer_first) && parallel) bounds = table_.find(candidates[k].key);
        bool reached = false;
        if (decides(bounds, payoff)) {
            reached = bounds->low >= payoff;
        } else {
            const ScopedMove<W> step(walk, made<W>(candidates[k]));
            if (parallel) busy(candidates[k].key) = candidates[k].key.high;
            reached = search(worker, payoff, depth + 1);
            if (parallel) busy(candidates[k].key) = 0;
        }
        if (worker.return_to <= depth) {
            worker.path.leave();
            give_back();
            if (worker.return_to < depth) return false;  // the caller returns as well and ignores this
            worker.return_to = nowhere;
            return search(worker, payoff, depth);
        }
        if (reached != ours) continue;
        if (k > 0) credit(turn.player, candidates, k);
        worker.path.leave();
        const std::size_t move = candidates[k].move;
        give_back();
        learn_work(worker, depth, since);
        return conclude(worker, key, known, payoff, ours, move, since);
    }
    if (kept > 0) worker.path.leave();
    give_back();
    learn_work(worker, depth, since);
    return conclude(worker, key, known, payoff, !ours, Bounds::no_move, since);
}

// The table usually knows the move; what it has lost is searched again.
template <Walk W>
std::size_t ExactAlphaBeta<W>::move_towards(int payoff, bool reached) {
    Worker& worker = workers_.front();
    W& walk = worker.walk;
    const std::size_t moves = walk.moves();
    const auto leads_there = [&](std::size_t move) {
        const Peek seen = peek(walk, move, player_);
        if (seen.over) return (seen.payoff >= payoff) == reached;
        const auto bounds = table_.find(seen.key);
        return decides(bounds, payoff) && (bounds->low >= payoff) == reached;
    };
    const std::size_t proven = table_.find(walk.key()).value_or(Bounds{}).move;
    if (proven < moves && leads_there(proven)) return proven;
    for (std::size_t i = 0; i < moves; ++i) {
        if (leads_there(i)) return i;
    }
    safepoint_ = std::make_unique<Safepoint>(1);
    finished_ = false;
    worker.path.clear();
    worker.return_to = nowhere;
    for (std::size_t i = 0; i < moves; ++i) {
        const ScopedMove<W> step(walk, i);
        if (!walk.turn().over() && search(worker, payoff, 0) == reached) return i;
    }
    throw Error("a position of a plan has lost its value", "report this as a bug");
}

template <Walk W>
ExactAlphaBetaStatistics ExactAlphaBeta<W>::statistics() const {
    ExactAlphaBetaStatistics sum;
    sum.positions = positions_before_;
    sum.entries = used_;
    for (const Worker& worker : workers_) {
        sum += worker.statistics;
        sum.entries += worker.fresh;
    }
    return sum;
}

template <Walk W>
void ExactAlphaBeta<W>::save() {
    if (!saves()) return;
    CheckpointWriter writer(options_.checkpoint, options_.subject);
    writer.section("bounds");
    writer.put(statistics().positions);
    std::uint64_t count = 0;
    table_.each([&](const auto&) { ++count; });
    writer.put(count);
    table_.each([&](const BoundsTable::Record& record) { writer.put(record); });
    writer.commit();
    saved_ = Clock::now();
}

template <Walk W>
void ExactAlphaBeta<W>::load() {
    CheckpointReader reader(options_.checkpoint, options_.subject);
    reader.section("bounds");
    positions_before_ = reader.get<std::uint64_t>();
    const auto count = reader.get<std::uint64_t>();
    // The entries come in the order of their places, so a table that grew as they come would lose most of them.
    while (table_.may_grow() && count > table_.capacity() / 3 * 2 &&
           options_.limits.allow(table_.bytes_to_grow()))
        table_.grow([] { return false; });
    for (std::uint64_t i = 0; i < count; ++i) {
        if (table_.put(reader.get<BoundsTable::Record>())) ++used_;
    }
    reader.finish();
    continued_ = true;
}

}  // namespace zermelo::game
