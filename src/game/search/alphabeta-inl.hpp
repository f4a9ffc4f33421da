// The bodies of alphabeta.hpp.
//
// Positions are asked with windows and answer with scores of `player_`. Inside a position everything is seen
// from the side that moves, so that the best is always the greatest.

#pragma once

#include "core/deep_stack.hpp"
#include "game/search/alphabeta.hpp"
#include "game/search/scoped_move.hpp"

namespace zermelo::game {

template <Walk W, Evaluates<W> H>
AlphaBetaResult AlphaBeta<W, H>::search(const Limits& limits) {
    limits_ = &limits;
    result_ = {};
    table_.new_search();
    for (auto& of_player : history_) {
        for (std::uint64_t& count : of_player) count /= 2;
    }
    for (Ply& ply : plies_) ply.killers = {no_move, no_move};
    if (options_.most_depth <= fits_any_stack) {
        iterate();
    } else {
        with_deep_stack(options_.most_depth, [this] { iterate(); });
    }
    return std::move(result_);
}

template <Walk W, Evaluates<W> H>
void AlphaBeta<W, H>::iterate() {
    for (iteration_ = options_.deepen ? 1 : options_.most_depth; iteration_ <= options_.most_depth;
         ++iteration_) {
        result_.stop = iteration_ > 1 ? limits_->reached() : Stop::none;
        if (result_.stop != Stop::none || (iteration_ > 1 && called_enough())) return;
        plies_.resize(std::max<std::size_t>(plies_.size(), static_cast<std::size_t>(iteration_) + 1));
        try {
            const Judgement judgement = judge(iteration_, 0, {});
            finish(iteration_, judgement);
            if (judgement.ground != Ground::heuristic) return;
        } catch (const Stopped&) {
            result_.stop = limits_->reached();
            return;
        }
    }
}

template <Walk W, Evaluates<W> H>
void AlphaBeta<W, H>::finish(int depth, Judgement judgement) {
    result_.score = judgement.score;
    result_.depth = depth;
    result_.exact = judgement.ground == Ground::settled;
    const bool ours = walk_.turn().player == player_;
    const bool lost = (ours ? judgement.score : -judgement.score) == -Score::infinite();
    if (plies_[0].variation.empty() || (lost && result_.best)) return;
    result_.variation = plies_[0].variation;
    result_.best = result_.variation.front();
    if (options_.table) lengthen(result_.variation, 0);
}

template <Walk W, Evaluates<W> H>
auto AlphaBeta<W, H>::judge(int depth, std::size_t ply, Window window) -> Judgement {
    constexpr std::uint64_t calls_per_question = 16;
    if (iteration_ > 1) {
        const bool asks = result_.calls % calls_per_question == 0;
        if (called_enough() || (asks && limits_->reached() != Stop::none)) throw Stopped();
    }
    ++result_.calls;
    plies_[ply].variation.clear();
    const Turn turn = walk_.turn();
    require_turns(turn, "alpha-beta search");
    if (turn.over()) return {Score::of_payoff(walk_.payoff(player_)), Ground::settled};
    if (depth == 0) {
        ++result_.evaluations;
        // A heuristic may not claim to be certain.
        return {Score(heuristic_(walk_, player_).number()), Ground::heuristic};
    }
    plies_[ply].key = walk_.exact_key();
    if (repeated(ply)) return {Score(), Ground::path};
    if (turn.player == player_) return expand(depth, ply, window, turn);
    return -expand(depth, ply, -window, turn);
}

template <Walk W, Evaluates<W> H>
bool AlphaBeta<W, H>::repeated(std::size_t ply) const {
    for (std::size_t before = 0; before < ply; ++before) {
        if (plies_[before].key == plies_[ply].key) return true;
    }
    return false;
}

// From here on scores are seen from the side that moves.
template <Walk W, Evaluates<W> H>
auto AlphaBeta<W, H>::expand(int depth, std::size_t ply, Window window, Turn turn) -> Judgement {
    std::uint32_t first = no_move;
    if (const Entry* known = options_.table ? table_.find(plies_[ply].key) : nullptr) {
        first = known->move;
        const bool deep_enough = known->ground == Ground::settled || known->depth >= depth;
        const bool narrow_enough = known->bound == Bound::exact ||
                                   (known->bound == Bound::lower && known->score >= window.beta) ||
                                   (known->bound == Bound::upper && known->score <= window.alpha);
        if (ply > 0 && deep_enough && narrow_enough) {
            ++result_.table_hits;
            return {known->score, known->ground};
        }
    }
    order(ply, turn.player, first);
    return choose(depth, ply, window, turn);
}

template <Walk W, Evaluates<W> H>
auto AlphaBeta<W, H>::choose(int depth, std::size_t ply, Window window, Turn turn) -> Judgement {
    const bool ours = turn.player == player_;
    std::vector<Candidate>& candidates = plies_[ply].moves;
    Judgement best{-Score::infinite(), Ground::settled};
    Ground weakest = Ground::settled;
    std::uint32_t best_move = no_move;
    Score alpha = window.alpha;
    for (auto next = candidates.begin(); next != candidates.end() && best.score < window.beta; ++next) {
        const auto promising = [](const Candidate& a, const Candidate& b) { return a.promise < b.promise; };
        std::iter_swap(next, std::max_element(next, candidates.end(), promising));
        const bool first = next == candidates.begin();
        const Window open{alpha, window.beta};
        const Judgement child = first || !options_.null_window ? follow(next->move, depth, ply, open, ours)
                                                               : compare(next->move, depth, ply, open, ours);
        weakest = std::min(weakest, child.ground);
        if (!first && child.score <= best.score) continue;
        best = child;
        best_move = next->move;
        lead(ply, best_move);
        alpha = std::max(alpha, best.score);
        if (best.score >= window.beta) {
            ++result_.cuts;
            if (first) ++result_.first_cuts;
            praise(ply, turn.player, next->id, depth);
        }
    }
    // One move is enough to reach beta; that nothing is better rests on all of them.
    const Bound bound = best.score >= window.beta    ? Bound::lower
                        : best.score <= window.alpha ? Bound::upper
                                                     : Bound::exact;
    if (bound != Bound::lower) best.ground = weakest;
    if (options_.table) {
        table_.store(plies_[ply].key,
                     {best.score, best_move, static_cast<std::uint16_t>(depth), bound, best.ground});
    }
    return best;
}

template <Walk W, Evaluates<W> H>
auto AlphaBeta<W, H>::follow(std::size_t move, int depth, std::size_t ply, Window window, bool ours)
    -> Judgement {
    const ScopedMove step(walk_, move);
    if (ours) return judge(depth - 1, ply + 1, window);
    return -judge(depth - 1, ply + 1, -window);
}

// Is the move better than alpha at all? Only then is it asked how much.
template <Walk W, Evaluates<W> H>
auto AlphaBeta<W, H>::compare(std::size_t move, int depth, std::size_t ply, Window window, bool ours)
    -> Judgement {
    const Judgement quick = follow(move, depth, ply, {window.alpha, window.alpha.above()}, ours);
    if (quick.score <= window.alpha || quick.score >= window.beta) return quick;
    return follow(move, depth, ply, window, ours);
}

template <Walk W, Evaluates<W> H>
void AlphaBeta<W, H>::order(std::size_t ply, Player mover, std::uint32_t first) {
    constexpr std::uint64_t most = std::uint64_t{1} << 62;
    Ply& here = plies_[ply];
    const std::size_t moves = walk_.moves();
    here.moves.clear();
    for (std::uint32_t move = 0; move < moves; ++move) {
        const std::uint32_t id = walk_.move_id(move);
        std::uint64_t promise = options_.history ? std::min(past(mover, id), most - 2) : 0;
        if (options_.killers && id == here.killers[1]) promise = most - 1;
        if (options_.killers && id == here.killers[0]) promise = most;
        if (move == first) promise = most + 1;
        here.moves.push_back({move, id, promise});
    }
}

template <Walk W, Evaluates<W> H>
void AlphaBeta<W, H>::praise(std::size_t ply, Player mover, std::uint32_t id, int depth) {
    auto& killers = plies_[ply].killers;
    if (killers[0] != id) killers = {id, killers[0]};
    past(mover, id) += static_cast<std::uint64_t>(depth) * static_cast<std::uint64_t>(depth);
}

template <Walk W, Evaluates<W> H>
std::uint64_t& AlphaBeta<W, H>::past(Player mover, std::uint32_t id) {
    if (mover >= history_.size()) history_.resize(mover + std::size_t{1});
    auto& counts = history_[mover];
    if (id >= counts.size()) counts.resize(id + std::size_t{1});
    return counts[id];
}

template <Walk W, Evaluates<W> H>
void AlphaBeta<W, H>::lead(std::size_t ply, std::size_t move) {
    auto& variation = plies_[ply].variation;
    const auto& rest = plies_[ply + 1].variation;
    variation.assign(1, move);
    variation.insert(variation.end(), rest.begin(), rest.end());
}

// A variation ends where the table answered; the table knows how it goes on.
template <Walk W, Evaluates<W> H>
void AlphaBeta<W, H>::lengthen(std::vector<std::size_t>& variation, std::size_t ply) {
    if (ply == variation.size()) {
        if (walk_.turn().over() || ply >= static_cast<std::size_t>(iteration_)) return;
        const Entry* known = table_.find(walk_.exact_key());
        if (known == nullptr || known->bound != Bound::exact) return;
        variation.push_back(known->move);
    }
    const ScopedMove step(walk_, variation[ply]);
    lengthen(variation, ply + 1);
}

}  // namespace zermelo::game
