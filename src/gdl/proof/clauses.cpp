#include "gdl/proof/clauses.hpp"

#include <algorithm>

#include "core/limits.hpp"

namespace zermelo::gdl {

namespace {

constexpr const char* summing = "while proving what goals add up to";
constexpr std::uint64_t assignments_between_questions = 1 << 12;

}  // namespace

Literal Clauses::variable() {
    const auto v = static_cast<std::uint32_t>(value_.size());
    value_.push_back(Value::open);
    last_value_.push_back(Value::no);
    level_.push_back(0);
    reason_.push_back(none);
    activity_.push_back(0);
    seen_.push_back(false);
    watched_by_.resize(watched_by_.size() + 2);
    queue_.emplace_back(0, v);
    std::ranges::push_heap(queue_);
    return {v, false};
}

void Clauses::add(std::vector<Literal> clause) {
    back_to(0);
    std::sort(clause.begin(), clause.end(), [](Literal a, Literal b) { return a.code() < b.code(); });
    clause.erase(std::unique(clause.begin(), clause.end()), clause.end());
    for (std::size_t i = 1; i < clause.size(); ++i) {
        if (clause[i] == !clause[i - 1]) return;
    }
    if (std::ranges::any_of(clause, [&](Literal l) { return value(l) == Value::yes; })) return;
    std::erase_if(clause, [&](Literal l) { return value(l) == Value::no; });
    if (clause.empty()) {
        contradictory_ = true;
    } else if (clause.size() == 1) {
        set(clause.front(), none);
        contradictory_ = contradictory_ || propagate() != none;
    } else {
        clauses_.push_back(std::move(clause));
        watch(static_cast<std::uint32_t>(clauses_.size() - 1));
    }
}

void Clauses::watch(std::uint32_t clause) {
    for (std::size_t i = 0; i < 2; ++i) watched_by_[clauses_[clause][i].code()].push_back(clause);
}

void Clauses::set(Literal l, std::uint32_t reason) {
    const std::uint32_t v = l.variable();
    value_[v] = l.negated() ? Value::no : Value::yes;
    level_[v] = static_cast<std::uint32_t>(levels_.size());
    reason_[v] = reason;
    trail_.push_back(l);
}

std::uint32_t Clauses::propagate() {
    while (propagated_ < trail_.size()) {
        const Literal failed = !trail_[propagated_++];
        if (allowed_ > 0) --allowed_;
        if (allowed_ % assignments_between_questions == 0) stay_within_limits(summing);
        auto& watchers = watched_by_[failed.code()];
        std::size_t kept = 0;
        for (std::size_t w = 0; w < watchers.size(); ++w) {
            const std::uint32_t c = watchers[w];
            auto& clause = clauses_[c];
            if (clause[0] == failed) std::swap(clause[0], clause[1]);
            const auto other = value(clause[0]) == Value::yes
                                   ? clause.end()
                                   : std::find_if(clause.begin() + 2, clause.end(),
                                                  [&](Literal l) { return value(l) != Value::no; });
            if (value(clause[0]) != Value::yes && other != clause.end()) {
                std::swap(clause[1], *other);
                watched_by_[clause[1].code()].push_back(c);
                continue;
            }
            watchers[kept++] = c;
            if (value(clause[0]) == Value::yes) continue;
            if (value(clause[0]) == Value::open) {
                set(clause[0], c);
                continue;
            }
            for (++w; w < watchers.size(); ++w) watchers[kept++] = watchers[w];
            watchers.resize(kept);
            return c;
        }
        watchers.resize(kept);
    }
    return none;
}

void Clauses::back_to(std::size_t level) {
    if (levels_.size() <= level) return;
    for (std::size_t i = trail_.size(); i > levels_[level]; --i) {
        const std::uint32_t v = trail_[i - 1].variable();
        last_value_[v] = value_[v];
        value_[v] = Value::open;
        queue_.emplace_back(activity_[v], v);
        std::ranges::push_heap(queue_);
    }
    // Variables come again with another activity; what is out of date is thrown away when it has become much.
    if (queue_.size() > 4 * value_.size()) {
        queue_.clear();
        for (std::uint32_t v = 0; v < value_.size(); ++v) {
            if (value_[v] == Value::open) queue_.emplace_back(activity_[v], v);
        }
        std::ranges::make_heap(queue_);
    }
    trail_.resize(levels_[level]);
    levels_.resize(level);
    propagated_ = trail_.size();
}

void Clauses::bump(std::uint32_t variable) {
    constexpr double most = 1e100;
    activity_[variable] += step_;
    if (activity_[variable] < most) return;
    for (double& activity : activity_) activity /= most;
    step_ /= most;
}

// The first unique implication point: the one assignment of this level that alone, with earlier ones, led to the conflict.
void Clauses::learn(std::uint32_t conflict) {
    std::vector<Literal> learned(1);
    std::vector<std::uint32_t> marked;
    std::size_t of_level = 0;
    std::size_t at = trail_.size();
    std::size_t back = 0;
    for (std::uint32_t c = conflict;;) {
        for (const Literal l : clauses_[c]) {
            const std::uint32_t v = l.variable();
            if (seen_[v] || level_[v] == 0 || value(l) != Value::no) continue;
            seen_[v] = true;
            marked.push_back(v);
            bump(v);
            if (level_[v] == levels_.size()) {
                ++of_level;
            } else {
                learned.push_back(l);
                if (level_[v] > back) {
                    back = level_[v];
                    std::swap(learned[1], learned.back());
                }
            }
        }
        do --at;
        while (!seen_[trail_[at].variable()]);
        if (--of_level == 0) break;
        c = reason_[trail_[at].variable()];
    }
    learned.front() = !trail_[at];
    for (const std::uint32_t v : marked) seen_[v] = false;
    back_to(back);
    if (learned.size() == 1) {
        set(learned.front(), none);
        return;
    }
    learned_ += learned.size();
    clauses_.push_back(learned);
    const auto clause = static_cast<std::uint32_t>(clauses_.size() - 1);
    watch(clause);
    set(learned.front(), clause);
    step_ *= 1.05;
}

std::uint32_t Clauses::next_variable() {
    while (!queue_.empty()) {
        std::ranges::pop_heap(queue_);
        const auto [activity, v] = queue_.back();
        queue_.pop_back();
        if (value_[v] == Value::open) return v;
    }
    return none;
}

Clauses::Answer Clauses::solve(std::span<const Literal> assumptions, std::uint64_t most_conflicts) {
    back_to(0);
    std::uint64_t conflicts = 0;
    stay_within_limits(summing);
    while (!contradictory_) {
        if (const std::uint32_t conflict = propagate(); conflict != none) {
            if (levels_.empty()) {
                contradictory_ = true;
                break;
            }
            if (++conflicts > most_conflicts || allowed_ == 0 || learned_ > most_learned) {
                back_to(0);
                return Answer::unknown;
            }
            learn(conflict);
            continue;
        }
        if (levels_.size() < assumptions.size()) {
            const Literal l = assumptions[levels_.size()];
            if (value(l) == Value::no) {
                back_to(0);
                return Answer::unsatisfiable;
            }
            levels_.push_back(trail_.size());
            if (value(l) == Value::open) set(l, none);
            continue;
        }
        if (allowed_ == 0) {
            back_to(0);
            return Answer::unknown;
        }
        const std::uint32_t v = next_variable();
        if (v == none) {
            back_to(0);
            return Answer::satisfiable;
        }
        levels_.push_back(trail_.size());
        set({v, last_value_[v] == Value::no}, none);
    }
    return Answer::unsatisfiable;
}

}  // namespace zermelo::gdl
