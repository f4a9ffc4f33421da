#include "scsp/turn_solver.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace zermelo::scsp {

using gdl::MoveId;

namespace {

constexpr std::uint64_t most_pairs = 4096;  // of one set of tables
constexpr std::size_t wide = 4;             // words of a place where one is not enough
constexpr double highest_goal = 100;
constexpr double rounding = 1e-7;  // of sums of goals

}  // namespace

TurnSolver::TurnSolver(const TurnProgram& program, TurnSolverOptions options)
    : program_(program),
      options_(std::move(options)),
      runner_(program.early()),
      legal_(program.network().roles.size()),
      joint_(legal_.size(), 0),
      tried_(legal_.size() + 1) {
    set_thresholds(std::move(options_.thresholds));
    for (const auto& group : program.mutex_groups().groups) {
        Masks& masks = groups_.emplace_back();
        for (const std::uint32_t f : group.fluents) {
            if (masks.empty() || masks.back().first != f / 64) masks.emplace_back(f / 64, 0);
            masks.back().second |= std::uint64_t{1} << (f % 64);
        }
    }
    std::size_t rows = program.network().fluents.size() + 1;
    for (const auto& goals : program.goals()) {
        goal_rows_.push_back(rows);
        rows += goals.size();
    }
    goal_rows_.push_back(rows);
}

void TurnSolver::set_thresholds(std::vector<double> thresholds, GoalBound bound) {
    options_.thresholds = std::move(thresholds);
    bound_ = std::move(bound);
    if (has_thresholds() && !program_.has_outcome()) {
        throw Error("thresholds need the outcome of the next state",
                    "compile the turn with TurnProgramOptions::outcome");
    }
}

bool TurnSolver::has_thresholds() const {
    return std::ranges::any_of(options_.thresholds, [](double threshold) { return threshold > 0; });
}

// ------------------------------------------------------------------------------------------ the state

bool TurnSolver::respects_groups(const gdl::State& state) const {
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        int held = 0;
        for (const auto& [word, mask] : groups_[g]) held += std::popcount(state[word] & mask);
        if (held > 1 || (held == 0 && program_.mutex_groups().groups[g].exact)) return false;
    }
    return true;
}

bool TurnSolver::load(const gdl::State& state) {
    ++counts_.states;
    removed_.clear();
    filled_ = false;
    tuples_ = 0;
    runner_.load(state);
    for (auto& moves : legal_) moves.clear();
    chances_.clear();
    if (runner_.terminal() || !respects_groups(state)) return false;
    for (std::size_t r = 0; r < legal_.size(); ++r) {
        runner_.legal(r, legal_[r]);
        if (legal_[r].empty()) return false;
        joint_[r] = legal_[r].front();
    }
    if (program_.chance()) {
        chances_ = legal_[*program_.chance()];
    } else {
        chances_.push_back(0);
    }
    return true;
}

std::uint64_t TurnSolver::decisions() const {
    std::uint64_t product = 1;
    for (std::size_t r = 0; r < legal_.size(); ++r) {
        if (r != program_.chance()) product *= legal_[r].size();
    }
    return product;
}

std::size_t TurnSolver::position(std::size_t role, MoveId move) const {
    const auto& moves = legal_[role];
    const auto found = std::ranges::lower_bound(moves, move);
    if (found == moves.end() || *found != move) {
        throw Error("a move that is not legal cannot be removed", "take moves from TurnSolver::moves");
    }
    return static_cast<std::size_t>(found - moves.begin());
}

void TurnSolver::remove(const gdl::JointMove& joint) {
    std::uint64_t number = 0;
    std::size_t tuple = 0;
    bool here = tuples_ > 0;
    for (std::size_t r = 0; r < legal_.size(); ++r) {
        if (r == program_.chance()) continue;
        const std::size_t at = position(r, joint[r]);
        number = number * legal_[r].size() + at;
        const auto choice = std::ranges::find(choices_, r, &Choice::role);
        if (choice != choices_.end()) {
            tuple += at * choice->stride;
        } else {
            here = here && joint_[r] == joint[r];
        }
    }
    if (!removed_.insert(number).second) return;
    ++counts_.removed;
    if (here) drop(tuple);
}

// Out of the tables at hand, for good.
void TurnSolver::drop(std::size_t tuple) {
    const std::uint64_t one = std::uint64_t{1} << (tuple % 64);
    alive_[tuple / 64] &= ~one;
    gone_[tuple / 64] |= one;
}

// ------------------------------------------------------------------------------------------ the tables

// Players before `from` have their moves.
void TurnSolver::make_tables(std::size_t from) {
    make_choices(from);
    make_alive(from);
    fill_tables();
    if (options_.stochastic_first) solve_stochastic();
}

void TurnSolver::make_choices(std::size_t from) {
    choices_.clear();
    tuples_ = 1;
    for (std::size_t r = legal_.size(); r-- > from;) {
        if (r == program_.chance() || legal_[r].size() < 2) continue;
        choices_.push_back({r, tuples_, {}, false});
        tuples_ *= legal_[r].size();
    }
    std::ranges::reverse(choices_);
    if (choices_.size() < 2) return;  // then each move is a tuple
    const std::size_t words = (tuples_ + 63) / 64;
    for (Choice& choice : choices_) {
        const std::size_t moves = legal_[choice.role].size();
        choice.masks.assign(moves * words, 0);
        for (std::size_t t = 0; t < tuples_; ++t)
            choice.masks[(t / choice.stride % moves) * words + t / 64] |= std::uint64_t{1} << (t % 64);
    }
}

// All combinations that were not removed.
void TurnSolver::make_alive(std::size_t from) {
    alive_.assign((tuples_ + 63) / 64, ~std::uint64_t{0});
    if (tuples_ % 64 != 0) alive_.back() = (std::uint64_t{1} << (tuples_ % 64)) - 1;
    gone_.assign(alive_.size(), 0);
    trail_.clear();
    if (removed_.empty()) return;
    std::uint64_t before = 0;  // the number of the first one here
    for (std::size_t r = 0; r < legal_.size(); ++r) {
        if (r == program_.chance()) continue;
        before = before * legal_[r].size() + (r < from ? position(r, joint_[r]) : 0);
    }
    for (const std::uint64_t number : removed_) {
        if (number >= before && number - before < tuples_) drop(number - before);
    }
}

void TurnSolver::fill_tables() {
    const std::size_t pairs = tuples_ * chances_.size();
    width_ = (pairs + 63) / 64;
    table_.resize(goal_rows_.back() * width_);
    if (pairs <= 64) {
        fill<1>(words_);
    } else {
        fill<wide>(wide_words_);
    }
    find_base();
}

template <int W>
void TurnSolver::fill(std::vector<std::uint64_t>& words) {
    constexpr auto width = static_cast<std::size_t>(W);
    if (words.empty()) {
        words.assign(program_.places() * width, 0);
        std::fill_n(words.begin(), width, ~std::uint64_t{0});
    }
    const auto at = [&](std::size_t place) { return words.data() + place * width; };
    for (const auto& import : program_.imports())
        std::fill_n(at(import.place), width, std::uint64_t{0} - (runner_.holds(import.signal) ? 1 : 0));
    const auto store = [&](std::size_t row, TurnProgram::Operand from, std::size_t first) {
        for (std::size_t w = 0; w < width && first + w < width_; ++w)
            table_[row * width_ + first + w] = at(from.place())[w] ^ from.mask();
    };
    const std::size_t pairs = tuples_ * chances_.size();
    for (std::size_t first = 0; first < pairs; first += 64 * width) {
        const std::size_t count = std::min(pairs - first, 64 * width);
        for (std::size_t r = 0; r < legal_.size(); ++r) {
            const auto choice = std::ranges::find(choices_, r, &Choice::role);
            const bool chance = r == program_.chance();
            for (const MoveId m : legal_[r]) std::fill_n(at(program_.place_of(r, m)), width, 0);
            for (std::size_t p = 0; p < count; ++p) {
                const std::size_t tuple = (first + p) / chances_.size();
                const MoveId move = chance ? chances_[(first + p) % chances_.size()]
                                    : choice == choices_.end()
                                        ? joint_[r]
                                        : legal_[r][tuple / choice->stride % legal_[r].size()];
                at(program_.place_of(r, move))[p / 64] |= std::uint64_t{1} << (p % 64);
            }
        }
        program_.evaluate<W>(words.data());
        std::size_t row = 0;
        for (const auto next : program_.next()) store(row++, next, first / 64);
        if (!program_.has_outcome()) continue;
        store(row++, program_.terminal(), first / 64);
        for (const auto& goals : program_.goals()) {
            for (const auto& goal : goals) store(row++, goal.holds, first / 64);
        }
    }
    for (std::size_t r = 0; r < legal_.size(); ++r) {
        for (const MoveId m : legal_[r]) std::fill_n(at(program_.place_of(r, m)), width, 0);
    }
}

// Fluents that do not depend on the moves are the same in all next states.
void TurnSolver::find_base() {
    const std::size_t pairs = tuples_ * chances_.size();
    const std::uint64_t last = pairs % 64 == 0 ? ~std::uint64_t{0} : (std::uint64_t{1} << (pairs % 64)) - 1;
    base_.assign((program_.network().fluents.size() + 63) / 64, 0);
    varying_.clear();
    for (std::uint32_t f = 0; f < program_.network().fluents.size(); ++f) {
        const std::uint64_t* row = table_.data() + f * width_;
        std::uint64_t any = 0;
        std::uint64_t all = ~std::uint64_t{0};
        for (std::size_t w = 0; w < width_; ++w) {
            const std::uint64_t mask = w + 1 == width_ ? last : ~std::uint64_t{0};
            any |= row[w] & mask;
            all &= row[w] | ~mask;
        }
        if (any == 0) continue;
        if (all == ~std::uint64_t{0}) {
            base_[f / 64] |= std::uint64_t{1} << (f % 64);
        } else {
            varying_.push_back(f);
        }
    }
}

// ------------------------------------------------------------------------------------------ P″

// Forward checking: each combination meets the values of chance until it is clear that it fails.
void TurnSolver::solve_stochastic() {
    if (!has_thresholds()) return;
    ++counts_.propagations;
    for (std::size_t w = 0; w < alive_.size(); ++w) {
        for (std::uint64_t left = alive_[w]; left != 0; left &= left - 1) {
            const std::size_t tuple = w * 64 + static_cast<std::size_t>(std::countr_zero(left));
            if (good_enough(tuple)) continue;
            ++counts_.rejected;
            drop(tuple);
        }
    }
}

int TurnSolver::goal(std::size_t role, std::size_t pair) const {
    const auto& goals = program_.goals()[role];
    for (std::size_t i = 0; i < goals.size(); ++i) {
        if (bit(goal_rows_[role] + i, pair)) return goals[i].value;
    }
    return -1;
}

// What the role may still get after this pair.
double TurnSolver::most(std::size_t role, std::size_t pair) {
    if (bit(program_.network().fluents.size(), pair)) return std::max(goal(role, pair), 0);
    if (!bound_) return highest_goal;
    read_next(pair, bounded_);
    return std::min(highest_goal, bound_(role, bounded_));
}

bool TurnSolver::good_enough(std::size_t tuple) {
    const auto count = static_cast<double>(chances_.size());
    for (std::size_t r = 0; r < options_.thresholds.size(); ++r) {
        if (options_.thresholds[r] <= 0) continue;
        const double least = options_.thresholds[r] * count - rounding;
        double sum = count * highest_goal;
        for (std::size_t y = 0; y < chances_.size(); ++y) {
            sum -= highest_goal - most(r, tuple * chances_.size() + y);
            if (sum < least) return false;
        }
    }
    return true;
}

// ------------------------------------------------------------------------------------------ P′

bool TurnSolver::enumerate(const Visit& visit) {
    if (chances_.empty()) return true;
    if (filled_) {
        make_alive(0);
        if (options_.stochastic_first) solve_stochastic();
        return search(0, visit);
    }
    return assign_outer(0, visit);
}

// Players are assigned until the tables of the others are small enough.
bool TurnSolver::assign_outer(std::size_t role, const Visit& visit) {
    std::uint64_t pairs = chances_.size();
    for (std::size_t r = role; r < legal_.size(); ++r) {
        if (r != program_.chance()) pairs *= legal_[r].size();
    }
    if (pairs <= most_pairs || role == legal_.size()) {
        make_tables(role);
        filled_ = role == 0;
        return search(0, visit);
    }
    if (role == program_.chance() || legal_[role].size() == 1) return assign_outer(role + 1, visit);
    std::vector<MoveId> moves = legal_[role];
    if (options_.order) options_.order(role, moves);
    for (const MoveId move : moves) {
        ++counts_.nodes;
        joint_[role] = move;
        if (!assign_outer(role + 1, visit)) return false;
    }
    return true;
}

bool TurnSolver::is_supported(const Choice& choice, std::size_t move) const {
    if (choice.masks.empty()) return (alive_[move / 64] >> (move % 64) & 1) != 0;
    const std::uint64_t* mask = choice.masks.data() + move * alive_.size();
    for (std::size_t w = 0; w < alive_.size(); ++w) {
        if ((alive_[w] & mask[w]) != 0) return true;
    }
    return false;
}

std::size_t TurnSolver::count_domain(const Choice& choice) {
    ++counts_.propagations;
    std::size_t count = 0;
    for (std::size_t m = 0; m < legal_[choice.role].size(); ++m) count += is_supported(choice, m) ? 1U : 0U;
    return count;
}

// Keeps the tuples with this move. False where none is left.
bool TurnSolver::assign(const Choice& choice, std::size_t move) {
    ++counts_.propagations;
    std::uint64_t any = 0;
    for (std::size_t w = 0; w < alive_.size(); ++w) {
        const std::uint64_t mask = !choice.masks.empty() ? choice.masks[move * alive_.size() + w]
                                   : move / 64 == w      ? std::uint64_t{1} << (move % 64)
                                                         : 0;
        if ((alive_[w] & ~mask) != 0) {
            trail_.emplace_back(static_cast<std::uint32_t>(w), alive_[w]);
            alive_[w] &= mask;
        }
        any |= alive_[w];
    }
    return any != 0;
}

void TurnSolver::undo(std::size_t mark) {
    while (trail_.size() > mark) {
        const auto [word, before] = trail_.back();
        trail_.pop_back();
        alive_[word] = before & ~gone_[word];
    }
}

bool TurnSolver::search(std::size_t depth, const Visit& visit) {
    Choice* next = nullptr;
    std::size_t fewest = 0;
    for (Choice& choice : choices_) {
        if (choice.assigned) continue;
        const std::size_t count = choices_.size() == 1 ? 1 : count_domain(choice);
        if (next == nullptr || count < fewest) {
            next = &choice;
            fewest = count;
        }
    }
    if (next == nullptr) return visit_solution(visit);
    const auto& legal = legal_[next->role];
    auto& moves = tried_[depth];
    moves = legal;
    if (options_.order) options_.order(next->role, moves);
    next->assigned = true;
    bool more = true;
    const std::size_t mark = trail_.size();
    for (std::size_t i = 0; i < moves.size() && more; ++i) {
        const std::size_t at = options_.order ? position(next->role, moves[i]) : i;
        if (!is_supported(*next, at)) {
            ++counts_.failures;
            continue;
        }
        ++counts_.nodes;
        joint_[next->role] = moves[i];
        assign(*next, at);
        more = search(depth + 1, visit);
        undo(mark);
    }
    next->assigned = false;
    return more;
}

// All players have their moves: one tuple is left.
bool TurnSolver::visit_solution(const Visit& visit) {
    std::size_t tuple = 0;
    while (tuple < alive_.size() && alive_[tuple] == 0) ++tuple;
    if (tuple == alive_.size()) return true;  // the visitor has just removed it
    tuple = tuple * 64 + static_cast<std::size_t>(std::countr_zero(alive_[tuple]));
    if (!options_.stochastic_first && !good_enough(tuple)) {
        ++counts_.rejected;
        return true;
    }
    ++counts_.solutions;
    if (results_.size() < chances_.size()) results_.resize(chances_.size());
    for (std::size_t y = 0; y < chances_.size(); ++y) {
        results_[y].chance = chances_[y];
        read(tuple * chances_.size() + y, results_[y]);
    }
    return visit(joint_, {results_.data(), chances_.size()});
}

void TurnSolver::read_next(std::size_t pair, gdl::State& next) const {
    next = base_;
    for (const std::uint32_t f : varying_) {
        if (bit(f, pair)) next[f / 64] |= std::uint64_t{1} << (f % 64);
    }
}

void TurnSolver::read(std::size_t pair, Outcome& outcome) const {
    read_next(pair, outcome.next);
    outcome.over = program_.has_outcome() && bit(program_.network().fluents.size(), pair);
    outcome.goals.assign(joint_.size(), -1);
    if (!outcome.over) return;
    for (std::size_t r = 0; r < joint_.size(); ++r) outcome.goals[r] = goal(r, pair);
}

// ------------------------------------------------------------------------------------------ next variables

bool TurnSolver::any_alive(std::uint32_t fluent, bool holds) {
    if (tuples_ == 0) {
        if (chances_.empty()) return false;
        if (decisions() * chances_.size() > most_pairs) return true;
        make_tables(0);
        filled_ = true;
    }
    for (std::size_t w = 0; w < alive_.size(); ++w) {
        for (std::uint64_t left = alive_[w]; left != 0; left &= left - 1) {
            const std::size_t tuple = w * 64 + static_cast<std::size_t>(std::countr_zero(left));
            for (std::size_t y = 0; y < chances_.size(); ++y) {
                if (bit(fluent, tuple * chances_.size() + y) == holds) return true;
            }
        }
    }
    return false;
}

bool TurnSolver::may_hold_next(std::uint32_t fluent) { return any_alive(fluent, true); }
bool TurnSolver::may_fail_next(std::uint32_t fluent) { return any_alive(fluent, false); }

}  // namespace zermelo::scsp
