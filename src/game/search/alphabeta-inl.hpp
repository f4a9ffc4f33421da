// The bodies of alphabeta.hpp.
//
// Positions are searched with windows and return scores of `player_`. Inside a position everything is seen
// from the side that moves (negamax), so that the best is always the greatest.

#pragma once

#include "core/deep_stack.hpp"
#include "game/scoped_move.hpp"
#include "game/search/alphabeta.hpp"

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
        if (result_.stop != Stop::none || (iteration_ > 1 && call_limit_reached())) return;
        plies_.resize(std::max<std::size_t>(plies_.size(), static_cast<std::size_t>(iteration_) + 1));
        try {
            const NodeScore found = search_node(iteration_, 0, {});
            finish(iteration_, found);
            if (found.basis != Basis::heuristic) return;
        } catch (const Stopped&) {
            result_.stop = limits_->reached();
            return;
        }
    }
}

template <Walk W, Evaluates<W> H>
void AlphaBeta<W, H>::finish(int depth, NodeScore found) {
    result_.score = found.score;
    result_.depth = depth;
    result_.exact = found.basis == Basis::settled;
    const bool ours = walk_.turn().player == player_;
    const bool lost = (ours ? found.score : -found.score) == -Score::infinite();
    if (plies_[0].variation.empty() || (lost && result_.best)) return;
    result_.variation = plies_[0].variation;
    result_.best = result_.variation.front();
    if (options_.table) extend_variation(result_.variation, 0);
}

template <Walk W, Evaluates<W> H>
auto AlphaBeta<W, H>::search_node(int depth, std::size_t ply, Window window) -> NodeScore {
    constexpr std::uint64_t calls_per_limit_check = 16;
    if (iteration_ > 1) {
        const bool checks = result_.calls % calls_per_limit_check == 0;
        if (call_limit_reached() || (checks && limits_->reached() != Stop::none)) throw Stopped();
    }
    ++result_.calls;
    plies_[ply].variation.clear();
    const Turn turn = walk_.turn();
    require_turns(turn, "alpha-beta search");
    if (turn.over()) return {Score::of_payoff(walk_.payoff(player_)), Basis::settled};
    if (depth == 0) {
        ++result_.evaluations;
        // A heuristic score is never infinite: only terminal positions are won or lost.
        return {Score(heuristic_(walk_, player_).number()), Basis::heuristic};
    }
    plies_[ply].key = walk_.exact_key();
    if (repeated(ply)) return {Score(), Basis::path};
    if (turn.player == player_) return probe_and_search(depth, ply, window, turn);
    return -probe_and_search(depth, ply, -window, turn);
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
auto AlphaBeta<W, H>::probe_and_search(int depth, std::size_t ply, Window window, Turn turn) -> NodeScore {
    std::uint32_t first = no_move;
    if (const Entry* known = options_.table ? table_.find(plies_[ply].key) : nullptr) {
        first = known->move;
        const bool deep_enough = known->basis == Basis::settled || known->depth >= depth;
        const bool narrow_enough = known->bound == Bound::exact ||
                                   (known->bound == Bound::lower && known->score >= window.beta) ||
                                   (known->bound == Bound::upper && known->score <= window.alpha);
        if (ply > 0 && deep_enough && narrow_enough) {
            ++result_.table_hits;
            return {known->score, known->basis};
        }
    }
    order_moves(ply, turn.player, first);
    return search_moves(depth, ply, window, turn);
}

template <Walk W, Evaluates<W> H>
auto AlphaBeta<W, H>::search_moves(int depth, std::size_t ply, Window window, Turn turn) -> NodeScore {
    const bool ours = turn.player == player_;
    std::vector<Candidate>& candidates = plies_[ply].moves;
    NodeScore best{-Score::infinite(), Basis::settled};
    Basis weakest = Basis::settled;
    std::uint32_t best_move = no_move;
    Score alpha = window.alpha;
    for (auto next = candidates.begin(); next != candidates.end() && best.score < window.beta; ++next) {
        const auto lower = [](const Candidate& a, const Candidate& b) { return a.priority < b.priority; };
        std::iter_swap(next, std::max_element(next, candidates.end(), lower));
        const bool first = next == candidates.begin();
        const Window open{alpha, window.beta};
        const NodeScore child = first || !options_.null_window
                                    ? search_move(next->move, depth, ply, open, ours)
                                    : search_null_window(next->move, depth, ply, open, ours);
        weakest = std::min(weakest, child.basis);
        if (!first && child.score <= best.score) continue;
        best = child;
        best_move = next->move;
        update_variation(ply, best_move);
        alpha = std::max(alpha, best.score);
        if (best.score >= window.beta) {
            ++result_.cuts;
            if (first) ++result_.first_cuts;
            record_cutoff(ply, turn.player, next->id, depth);
        }
    }
    // One move is enough to reach beta; an upper bound rests on all moves.
    const Bound bound = best.score >= window.beta    ? Bound::lower
                        : best.score <= window.alpha ? Bound::upper
                                                     : Bound::exact;
    if (bound != Bound::lower) best.basis = weakest;
    if (options_.table) {
        table_.store(plies_[ply].key,
                     {best.score, best_move, static_cast<std::uint16_t>(depth), bound, best.basis});
    }
    return best;
}

template <Walk W, Evaluates<W> H>
auto AlphaBeta<W, H>::search_move(std::size_t move, int depth, std::size_t ply, Window window, bool ours)
    -> NodeScore {
    const ScopedMove step(walk_, move);
    if (ours) return search_node(depth - 1, ply + 1, window);
    return -search_node(depth - 1, ply + 1, -window);
}

// Principal variation search: a null window asks whether the move is better than alpha; only then is it
// searched with the full window.
template <Walk W, Evaluates<W> H>
auto AlphaBeta<W, H>::search_null_window(std::size_t move, int depth, std::size_t ply, Window window,
                                         bool ours) -> NodeScore {
    const NodeScore quick = search_move(move, depth, ply, {window.alpha, window.alpha.above()}, ours);
    if (quick.score <= window.alpha || quick.score >= window.beta) return quick;
    return search_move(move, depth, ply, window, ours);
}

template <Walk W, Evaluates<W> H>
void AlphaBeta<W, H>::order_moves(std::size_t ply, Player mover, std::uint32_t first) {
    constexpr std::uint64_t most = std::uint64_t{1} << 62;
    Ply& here = plies_[ply];
    const std::size_t moves = walk_.moves();
    here.moves.clear();
    for (std::uint32_t move = 0; move < moves; ++move) {
        const std::uint32_t id = walk_.move_id(move);
        std::uint64_t priority = options_.history ? std::min(history_of(mover, id), most - 2) : 0;
        if (options_.killers && id == here.killers[1]) priority = most - 1;
        if (options_.killers && id == here.killers[0]) priority = most;
        if (move == first) priority = most + 1;
        here.moves.push_back({move, id, priority});
    }
}

template <Walk W, Evaluates<W> H>
void AlphaBeta<W, H>::record_cutoff(std::size_t ply, Player mover, std::uint32_t id, int depth) {
    auto& killers = plies_[ply].killers;
    if (killers[0] != id) killers = {id, killers[0]};
    history_of(mover, id) += static_cast<std::uint64_t>(depth) * static_cast<std::uint64_t>(depth);
}

template <Walk W, Evaluates<W> H>
std::uint64_t& AlphaBeta<W, H>::history_of(Player mover, std::uint32_t id) {
    if (mover >= history_.size()) history_.resize(mover + std::size_t{1});
    auto& counts = history_[mover];
    if (id >= counts.size()) counts.resize(id + std::size_t{1});
    return counts[id];
}

template <Walk W, Evaluates<W> H>
void AlphaBeta<W, H>::update_variation(std::size_t ply, std::size_t move) {
    auto& variation = plies_[ply].variation;
    const auto& rest = plies_[ply + 1].variation;
    variation.assign(1, move);
    variation.insert(variation.end(), rest.begin(), rest.end());
}

// A variation ends where the table answered; the table's moves continue it.
template <Walk W, Evaluates<W> H>
void AlphaBeta<W, H>::extend_variation(std::vector<std::size_t>& variation, std::size_t ply) {
    if (ply == variation.size()) {
        if (walk_.turn().over() || ply >= static_cast<std::size_t>(iteration_)) return;
        const Entry* known = table_.find(walk_.exact_key());
        if (known == nullptr || known->bound != Bound::exact) return;
        variation.push_back(known->move);
    }
    const ScopedMove step(walk_, variation[ply]);
    extend_variation(variation, ply + 1);
}

}  // namespace zermelo::game
