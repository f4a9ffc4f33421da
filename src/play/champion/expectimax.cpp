#include "play/champion/expectimax.hpp"

#include <algorithm>
#include <cmath>

namespace zermelo::play {

namespace {

constexpr std::uint64_t positions_between_looks = 32;
constexpr std::size_t deepest_path = 400;
constexpr std::size_t few_outcomes = 8;              // not worth a look which of them are equal
constexpr double expectimax_table_a_second = 100e6;  // bytes: a table that doubles must not take long
constexpr std::size_t least_expectimax_table = std::size_t{1} << 20;

}  // namespace

bool Expectimax::supports(const GameContext& rules) {
    const std::size_t seats = rules.seats().size();
    return !rules.hidden() && (seats == 1 || (seats == 2 && rules.opposed())) && rules.steps_fast();
}

Expectimax::Expectimax(const GameContext& rules, std::size_t role, const Options& options)
    : rules_(rules),
      role_(role),
      stepper_(rules.game(), options.symmetries),
      table_(options.table_bytes),
      use_table_(options.table),
      judge_(options.judgement ? std::make_unique<learn::Judge>(options.judgement) : nullptr) {
    for (const auto& moves : rules.machine().network().moves) history_.emplace_back(moves.size(), 0);
}

Expectimax::Result Expectimax::search(const State& root, const ValueNetwork& network,
                                      const Deadline& deadline, std::uint64_t most_positions,
                                      int most_depth) {
    stepper_.load(root);
    network_ = &network;
    deadline_ = &deadline;
    most_positions_ = most_positions;
    result_ = {};
    table_.new_search();
    if (deadline.set())
        table_.limit(
            std::max(least_expectimax_table,
                     static_cast<std::size_t>(expectimax_table_a_second * std::max(0.0, deadline.left()))));
    for (auto& of_role : history_) {
        for (std::uint64_t& count : of_role) count /= 4;
    }
    plies_.resize(deepest_path + 2);
    for (Ply& ply : plies_) ply.killers = {no_move, no_move};
    for (iteration_ = 1; iteration_ <= most_depth; ++iteration_) {
        best_move_ = no_move;
        try {
            const Evaluation found = evaluate(iteration_, 0, worst - 1, best + 1);
            result_.best = best_move_;
            result_.value = static_cast<double>(found.value) / best;
            result_.depth = iteration_;
            result_.exact = found.exact;
            if (found.exact) break;
        } catch (const Stopped&) {
            // The move that was best before is looked at first, so another one is better.
            if (best_move_ != no_move) result_.best = best_move_;
            stepper_.load(root);
            break;
        }
    }
    return result_;
}

void Expectimax::check_limits() {
    if (iteration_ == 1) {
        if (best_move_ != no_move && deadline_->passed()) throw Stopped();
        return;
    }
    if (most_positions_ > 0 && result_.positions >= most_positions_) throw Stopped();
    if (result_.positions % positions_between_looks == 0 && deadline_->passed()) throw Stopped();
}

Expectimax::Value Expectimax::estimate() {
    stepper_.state(state_);
    double payoff = 0;
    if (judge_) {
        payoff = double{judge_->nearby(state_)[rules_.seat_of(role_)]};
    } else {
        payoff = network_->value(state_);
        if (role_ != rules_.seats().front()) payoff = 1 - payoff;
    }
    return std::clamp<Value>(static_cast<Value>(payoff * best), worst + 1, best - 1);
}

bool Expectimax::repeated(std::size_t ply) const {
    for (std::size_t i = ply; i-- > 0 && !plies_[i].chance_node;) {
        if (plies_[i].key == plies_[ply].key) return true;
    }
    return false;
}

Expectimax::Evaluation Expectimax::evaluate(int depth, std::size_t ply, Value low, Value high) {
    ++result_.positions;
    check_limits();
    if (stepper_.terminal()) return {std::max(0, stepper_.goal(role_)) * (best / game::win), true};
    plies_[ply].key = stepper_.exact_key();
    plies_[ply].chance_node = false;
    if (repeated(ply)) return {best / 2, false};
    const std::size_t mover = rules_.mover(stepper_);
    if ((depth <= 0 && ply > 0) || ply >= deepest_path) return {estimate(), false};
    if (mover == rules_.roles()) {
        // Nobody has a choice.
        stepper_.legal(0, plies_[ply].legal);
        return follow(0, plies_[ply].legal.front(), depth, ply, low, high);
    }
    if (rules_.chance(mover)) return average(mover, depth, ply, low, high);

    MoveId hint = no_move;
    const Hash128 key = stepper_.key();
    if (use_table_) {
        if (const ExpectimaxResult* known = table_.find(key)) {
            hint = known->move;
            const bool enough = known->exact || known->depth >= depth;
            const bool decides = known->bound == Bound::exact ||
                                 (known->bound == Bound::lower ? known->value >= high : known->value <= low);
            if (ply > 0 && enough && decides) {
                ++result_.table_hits;
                return {known->value, known->exact};
            }
        }
    }
    if (ply == 0 && result_.best) hint = *result_.best;
    const Evaluation found = choose(mover, depth, ply, low, high, hint);
    if (use_table_) {
        const Bound bound = found.value <= low    ? Bound::upper
                            : found.value >= high ? Bound::lower
                                                  : Bound::exact;
        table_.store(key, {found.value, plies_[ply].choices.front().move,
                           static_cast<std::uint16_t>(std::max(0, depth)), bound, found.exact});
    }
    return found;
}

Expectimax::Evaluation Expectimax::follow(std::size_t mover, MoveId move, int depth, std::size_t ply,
                                          Value low, Value high) {
    stepper_.play(mover, move);
    const Evaluation found = evaluate(depth, ply + 1, low, high);
    stepper_.undo();
    return found;
}

void Expectimax::order(std::size_t mover, std::size_t ply, MoveId hint) {
    Ply& here = plies_[ply];
    stepper_.legal(mover, here.legal);
    here.choices.clear();
    for (const MoveId move : here.legal) {
        std::uint64_t priority = history_[mover][move] + 1;
        if (move == here.killers[0] || move == here.killers[1]) priority = std::uint64_t{1} << 62;
        if (move == hint) priority = std::uint64_t{1} << 63;
        here.choices.push_back({move, priority});
    }
    std::stable_sort(here.choices.begin(), here.choices.end(),
                     [](const Choice& a, const Choice& b) { return a.priority > b.priority; });
}

// What the mover gets is seen from its side: the best is always the greatest. The best move comes first in
// the list of choices afterwards.
Expectimax::Evaluation Expectimax::choose(std::size_t mover, int depth, std::size_t ply, Value low,
                                          Value high, MoveId hint) {
    const bool ours = mover == role_;
    const auto seen = [&](Value value) { return ours ? value : best - value; };
    Value least = ours ? low : best - high;
    const Value enough = ours ? high : best - low;
    order(mover, ply, hint);
    Evaluation top{worst - 1, true};
    bool all_exact = true;
    std::size_t top_at = 0;
    Ply& here = plies_[ply];
    for (std::size_t i = 0; i < here.choices.size(); ++i) {
        const MoveId move = here.choices[i].move;
        const auto ask = [&](Value from, Value to) {
            const Evaluation answer =
                follow(mover, move, depth - 1, ply, ours ? from : best - to, ours ? to : best - from);
            return Evaluation{seen(answer.value), answer.exact};
        };
        Evaluation found;
        if (i > 0 && enough - least > 1) {
            // It only has to be shown not to be better.
            found = ask(least, least + 1);
            if (found.value > least && found.value < enough) found = ask(least, enough);
        } else {
            found = ask(least, enough);
        }
        all_exact = all_exact && found.exact;
        if (found.value > top.value) {
            top = found;
            top_at = i;
            if (ply == 0) best_move_ = move;
        }
        least = std::max(least, found.value);
        if (least >= enough || (top.value >= best && top.exact)) {
            if (least < best || depth > 1) {
                history_[mover][move] +=
                    static_cast<std::uint64_t>(depth) * static_cast<std::uint64_t>(depth);
                if (here.killers[0] != move) here.killers = {move, here.killers[0]};
            }
            // One move that is good enough decides, whatever the others are.
            all_exact = found.exact;
            break;
        }
    }
    std::rotate(here.choices.begin(), here.choices.begin() + static_cast<std::ptrdiff_t>(top_at),
                here.choices.begin() + static_cast<std::ptrdiff_t>(top_at) + 1);
    return {seen(top.value), all_exact};
}

// Outcomes that lead to the same state, or to symmetric ones, are one.
void Expectimax::merge_outcomes(std::size_t chance, std::size_t ply) {
    Ply& here = plies_[ply];
    stepper_.legal(chance, here.legal);
    here.outcomes.clear();
    for (const MoveId move : here.legal) here.outcomes.push_back({move, {}, 1});
    if (here.outcomes.size() <= few_outcomes) return;
    for (Outcome& outcome : here.outcomes) outcome.key = stepper_.peek(chance, outcome.move, role_).key;
    std::sort(here.outcomes.begin(), here.outcomes.end(),
              [](const Outcome& a, const Outcome& b) { return a.key < b.key; });
    std::size_t kept = 0;
    for (const Outcome& outcome : here.outcomes) {
        if (kept > 0 && here.outcomes[kept - 1].key == outcome.key)
            ++here.outcomes[kept - 1].weight;
        else
            here.outcomes[kept++] = outcome;
    }
    here.outcomes.resize(kept);
}

Expectimax::Evaluation Expectimax::average(std::size_t chance, int depth, std::size_t ply, Value low,
                                           Value high) {
    plies_[ply].chance_node = true;
    merge_outcomes(chance, ply);
    std::int64_t all = 0;
    for (const Outcome& outcome : plies_[ply].outcomes) all += outcome.weight;
    std::int64_t sum = 0;
    std::int64_t rest = all;
    bool exact = true;
    const auto down = [](std::int64_t a, std::int64_t b) { return a >= 0 ? a / b : -((-a + b - 1) / b); };
    for (std::size_t i = 0; i < plies_[ply].outcomes.size(); ++i) {
        const Outcome outcome = plies_[ply].outcomes[i];
        rest -= outcome.weight;
        const std::int64_t least = down(all * low - sum - rest * best, outcome.weight);
        const std::int64_t most = -down(-(all * high - sum - rest * worst), outcome.weight);
        const auto from = static_cast<Value>(std::clamp<std::int64_t>(least, worst - 1, best));
        const auto to = static_cast<Value>(std::clamp<std::int64_t>(most, from + 1, best + 1));
        const Evaluation found = follow(chance, outcome.move, depth, ply, from, to);
        sum += outcome.weight * std::int64_t{found.value};
        exact = exact && found.exact;
        // Even the best or the worst rest does not bring the mean into the window.
        if (rest > 0 && found.value <= from && from > worst - 1)
            return {static_cast<Value>(std::min<std::int64_t>(low, (sum + rest * best) / all)), exact};
        if (rest > 0 && found.value >= to && to < best + 1)
            return {static_cast<Value>(std::max<std::int64_t>(high, (sum + rest * worst) / all)), exact};
    }
    return {static_cast<Value>(sum / all), exact};
}

}  // namespace zermelo::play
