// The bodies of proof_number.hpp.

#pragma once

#include <algorithm>

#include "core/deep_stack.hpp"
#include "game/scoped_move.hpp"
#include "game/search/proof_number.hpp"

namespace zermelo::game {

template <Walk W>
ProofResult ProofNumberSearch<W>::search() {
    result_ = {};
    path_.clear();
    table_.new_search();
    require_turns(walk_.turn(), "proof-number search");
    if (walk_.turn().over()) {
        result_.answer = walk_.payoff(player_) >= payoff_ ? Answer::proven : Answer::disproven;
        return result_;
    }
    try {
        with_deep_stack(options_.longest_play, [&] {
            const Numbers numbers = solve({infinite, infinite}, 0).numbers;
            result_.answer = numbers.prove == 0 ? Answer::proven : Answer::disproven;
        });
    } catch (const Stopped&) {
        result_.stop = options_.limits.reached();
    }
    return result_;
}

template <Walk W>
void ProofNumberSearch<W>::check(std::size_t ply) {
    if (ply > options_.longest_play) {
        throw Error(
            "proof-number search met a play of more than " + std::to_string(options_.longest_play) + " moves",
            "allow longer plays, or solve the game by attractors");
    }
    result_.longest = std::max(result_.longest, ply);
    ++result_.calls;
}

// Until one of the numbers reaches its limit.
template <Walk W>
auto ProofNumberSearch<W>::solve(Numbers limit, std::size_t ply) -> Entry {
    check(ply);
    const Hash128 key = walk_.key();
    if (!path_.insert(key).second) {
        throw Error("proof-number search met the same position twice in one play, so a play may be infinite",
                    "solve the game by attractors, which can handle cycles");
    }
    const Entry* known = table_.find(key);
    const bool search = ply == 0 || known == nullptr || known->numbers.below(limit);
    const Entry entry = search ? expand(limit, ply) : *known;
    path_.erase(key);
    if (!search) return entry;
    // A table that may not grow forgets what cost least.
    if (const std::size_t more = table_.bytes_to_grow(); more > 0 && !options_.limits.allow(more))
        table_.limit(table_.bytes());
    table_.store(key, entry);
    return entry;
}

template <Walk W>
auto ProofNumberSearch<W>::expand(Numbers limit, std::size_t ply) -> Entry {
    const bool own = ours();
    limit = limit.seen_by(own);
    std::uint64_t work = 1;
    std::vector<Successor> successors = evaluate_successors();
    Numbers here = combine(successors);
    while (here.below(limit)) {
        const auto easiest = std::min_element(
            successors.begin(), successors.end(),
            [](const Successor& a, const Successor& b) { return a.numbers.prove < b.numbers.prove; });
        const auto chosen = static_cast<std::size_t>(easiest - successors.begin());
        Numbers& asked = easiest->asked;
        const Numbers fresh = thresholds(successors, chosen, limit);
        asked = {std::max(asked.prove, fresh.prove), std::max(asked.refute, fresh.refute)};
        const ScopedMove step(walk_, chosen);
        const Entry found = solve(asked.seen_by(own), ply + 1);
        easiest->numbers = found.numbers.seen_by(own);
        work += found.work;
        here = combine(successors);
    }
    if (ply == 0 && here.prove == 0) {
        const auto won = std::find_if(successors.begin(), successors.end(),
                                      [](const Successor& s) { return s.numbers.prove == 0; });
        result_.best = static_cast<std::size_t>(won - successors.begin());
    }
    return {here.seen_by(own), static_cast<std::uint32_t>(std::min<std::uint64_t>(work, infinite))};
}

template <Walk W>
auto ProofNumberSearch<W>::evaluate_successors() -> std::vector<Successor> {
    const bool own = ours();
    std::vector<Successor> successors(walk_.moves());
    for (std::size_t move = 0; move < successors.size(); ++move) {
        if (result_.positions++ % positions_between_questions == 0 && options_.limits.reached() != Stop::none)
            throw Stopped();
        Numbers& numbers = successors[move].numbers;
        numbers = after(move).seen_by(own);
        if (numbers.prove == 0) break;  // one is enough
    }
    return successors;
}

// A move is only made where a look at it does not tell.
template <Walk W>
auto ProofNumberSearch<W>::after(std::size_t move) -> Numbers {
    const auto decided = [&](int payoff) {
        return payoff >= payoff_ ? Numbers{0, infinite} : Numbers{infinite, 0};
    };
    const auto remembered = [&](const Hash128& key) {
        const Entry* known = table_.find(key);
        if (known != nullptr) ++result_.table_hits;
        return known;
    };
    if constexpr (CanPeek<W>) {
        const Peek seen = walk_.peek(move, player_);
        if (seen.over) return decided(seen.payoff);
        if (const Entry* known = remembered(seen.key)) return known->numbers;
    }
    const ScopedMove step(walk_, move);
    const Turn turn = walk_.turn();
    require_turns(turn, "proof-number search");
    if constexpr (!CanPeek<W>) {
        if (turn.over()) return decided(walk_.payoff(player_));
        if (const Entry* known = remembered(walk_.key())) return known->numbers;
    }
    return first_numbers();
}

// All moves of the side that moves have to be refuted.
template <Walk W>
auto ProofNumberSearch<W>::first_numbers() -> Numbers {
    const auto moves = static_cast<Count>(std::min<std::size_t>(walk_.moves(), infinite - 1));
    return Numbers{1, moves}.seen_by(ours());
}

// One successor that gets its way is enough; to refute, all must be dealt with.
template <Walk W>
auto ProofNumberSearch<W>::combine(const std::vector<Successor>& successors) -> Numbers {
    Count prove = infinite;
    Count hardest = 0;
    for (const Successor& s : successors) {
        prove = std::min(prove, s.numbers.prove);
        if (s.numbers.refute != infinite) hardest = std::max(hardest, s.numbers.refute);
    }
    if (prove == 0) return {0, infinite};
    if (hardest == 0) return {infinite, 0};
    return {prove, hardest + other_open(successors)};
}

template <Walk W>
auto ProofNumberSearch<W>::other_open(const std::vector<Successor>& successors) -> Count {
    const auto open = std::count_if(successors.begin(), successors.end(),
                                    [](const Successor& s) { return s.numbers.refute != 0; });
    return static_cast<Count>(open - 1);
}

// When the chosen successor is no longer the easiest to prove, or this position has become too hard to
// refute.
template <Walk W>
auto ProofNumberSearch<W>::thresholds(const std::vector<Successor>& successors, std::size_t chosen,
                                      Numbers limit) -> Numbers {
    Count second = infinite;
    for (std::size_t i = 0; i < successors.size(); ++i) {
        if (i != chosen) second = std::min(second, successors[i].numbers.prove);
    }
    const std::uint64_t with_room = std::uint64_t{second} + second / 4 + 1;
    return {static_cast<Count>(std::min<std::uint64_t>(limit.prove, with_room)),
            limit.refute == infinite ? infinite : limit.refute - other_open(successors)};
}

}  // namespace zermelo::game
