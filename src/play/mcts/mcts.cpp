#include "play/mcts/mcts.hpp"

#include <algorithm>
#include <cmath>

#include "play/mcts/mcts_internal.hpp"

namespace zermelo::play {

namespace {

constexpr std::size_t descents_between_comparisons = 16;
constexpr std::size_t descents_between_looks = 16;
constexpr double unknown = 0.5;
constexpr std::size_t bytes_worth_a_visit = 512;  // of statistics about moves
constexpr std::size_t fewest_visits = 2;
constexpr std::size_t most_visits = 16;
constexpr std::size_t abundance = 2;  // as long as no more than one part in so many of the memory is used

}  // namespace

Mcts::Mcts(const GameContext& rules, const MctsOptions& options)
    : rules_(rules), options_(options), bucket_(buckets, none), opposed_(rules.opposed()) {
    std::size_t moves = 0;
    for (std::size_t r = 0; r < rules.roles(); ++r) {
        first_count_.push_back(moves);
        moves += rules.machine().network().moves[r].size();
    }
    first_count_.push_back(moves);
    if (options.thrifty)
        visits_before_counts_ = static_cast<std::uint32_t>(
            std::clamp(moves * sizeof(Count) / bytes_worth_a_visit, fewest_visits, most_visits));
    if (options.symmetry) {
        const symmetry::Canonical* found = options.canonical;
        if (found == nullptr) found = &rules.canonical(Deadline());
        if (found->size() > 1) canonical_ = found;
    }
    for (unsigned t = 0; t < std::max(1U, options.threads); ++t) {
        workers_.push_back(std::make_unique<Worker>(rules, options.seed + 0x9E37 * t));
        if (!options.slices) workers_.back()->playouts.one_by_one();
        if (options.judgement) workers_.back()->judge = std::make_unique<learn::Judge>(options.judgement);
    }
}

Mcts::~Mcts() = default;

void Mcts::use(const gdl::Machine& machine) {
    for (auto& worker : workers_) worker->playouts.use(machine);
}

// A descent whose value did not come in time.
void Mcts::withdraw(Descent& descent) {
    for (std::size_t i = 0; i < descent.length; ++i) {
        Node& at = node(descent.path[i].node);
        --at.pending;
        for (std::size_t b = 0; b < at.bandits.size(); ++b)
            --at.bandits[b].arms[descent.path[i].arms[b]].pending;
    }
}

void Mcts::withdraw_from(Worker& worker, std::size_t first) {
    for (Descent& descent : worker.in_use().subspan(first)) withdraw(descent);
}

Mcts::Turn Mcts::make_canonical(Playouts::Look& look) const {
    if (!canonical_ || look.state.empty()) return 0;
    const Turn by = canonical_->canonicalise(look.state);
    for (std::size_t r = 0; r < look.legal.size(); ++r) canonical_->map_moves(by, r, look.legal[r]);
    return by;
}

// Memory is short, and this is the first visit. Where roles move at the same time, their arms do not tell.
bool Mcts::too_early_for(const Descent& descent) const {
    if (!options_.thrifty || descent.judged || descent.look->terminal || bytes_ < most_bytes_ / abundance)
        return false;
    const Step& last = descent.path[descent.length - 1];
    const Node& from = node(last.node);
    return from.bandits.size() == 1 && from.bandits.front().arms[last.arms.front()].visits == 0;
}

// The state where a descent left the tree becomes a node.
void Mcts::attach(Descent& descent) {
    if (descent.look->terminal && opposed_) {
        const double sum = descent.values[rules_.seats()[0]] + descent.values[rules_.seats()[1]];
        if (std::abs(sum - 1) > tolerance) give_up_opposition();
    }
    const Hash128 key = gdl::hash(descent.look->state);
    NodeId id = find(key);
    if (id == none && !too_early_for(descent)) {
        id = insert(key, *descent.look);
        if (id != none && descent.judged) set_priors(node(id), *descent.judge, descent.place);
    }
    const Step& last = descent.path[descent.length - 1];
    Node& from = node(last.node);
    if (id != none && !from.widely) from.edges[last.edge] = {id, node(id).generation, descent.turn};
}

bool Mcts::finished() const {
    if (wanted_ > 0 && playouts_ >= wanted_) return true;
    return pondering_ ? certain(node(root_)) : solved();
}

// To the node of the state. Where the role has made one of several moves already, the state has another node for each
// of them, on which only the others have a choice.
void Mcts::enter(const State& root, std::size_t role, std::optional<MoveId> made) {
    role_ = role;
    State here = root;
    root_turn_ = canonical_ ? canonical_->canonicalise(here) : Turn{0};
    Hash128 key = gdl::hash(here);
    InfoState& info_state = workers_.front()->info_state;
    std::vector<MoveId> chosen;  // where there was a choice
    if (made) {
        info_state.load(here);
        if (info_state.legal(role).size() > 1)
            chosen.push_back(canonical_ ? canonical_->image(root_turn_, role, *made) : *made);
        if (!chosen.empty()) key = key + mixed(role + 1, chosen.front() + 1);
    }
    root_ = find(key);
    if (root_ != none) return;
    info_state.load(here);
    Playouts::Look look{.state = here, .terminal = info_state.terminal(), .goals = {}, .legal = {}};
    for (std::size_t r = 0; r < rules_.roles(); ++r) {
        look.goals.push_back(info_state.goal(r));
        look.legal.push_back(info_state.legal(r));
    }
    if (!chosen.empty()) look.legal[role] = chosen;
    root_ = insert(key, look, true);
    if (options_.judgement && !look.terminal) judge_root(*workers_.front());
}

std::uint64_t Mcts::search(const State& root, std::size_t role, const TimeBudget& allowance) {
    ++era_;
    pondering_ = false;
    most_bytes_ = options_.memory;
    enter(root, role, {});
    if (options_.root_noise > 0) add_root_noise();
    return run(allowance);
}

std::uint64_t Mcts::ponder(const State& root, std::size_t role, MoveId made, const TimeBudget& allowance) {
    pondering_ = true;
    most_bytes_ = static_cast<std::size_t>(pondering_share * static_cast<double>(options_.memory));
    enter(root, role, made);
    return run(allowance);
}

std::uint64_t Mcts::ponder(const State& root, std::size_t role, const TimeBudget& allowance) {
    pondering_ = true;
    most_bytes_ = static_cast<std::size_t>(pondering_share * static_cast<double>(options_.memory));
    enter(root, role, {});
    return run(allowance);
}

std::uint64_t Mcts::run(const TimeBudget& allowance) {
    playouts_ = 0;
    wanted_ = allowance.playouts;
    batch_ = batch_for(options_, allowance, workers_.front()->playouts.lanes());
    run_threads(workers_.size(), [&](std::size_t t) { work(*workers_[t], allowance); });
    return playouts_;
}

void Mcts::work(Worker& worker, const TimeBudget& allowance) {
    const Deadline deadline = allowance.deadline;  // a copy of our own
    worker.descents.resize(batch_.leaves);
    while (!deadline.passed()) {
        {
            const std::lock_guard lock(mutex_);
            if (finished()) return;
            worker.used = 0;
            while (worker.used < worker.descents.size() && (worker.used == 0 || !deadline.passed()))
                descend(worker, worker.descents[worker.used++]);
        }
        play_out(worker, deadline);
        bool late = deadline.passed();
        const std::lock_guard lock(mutex_);
        std::size_t done = 0;
        for (Descent& descent : worker.in_use()) {
            if (++done % descents_between_looks == 0) {
                late = late || deadline.passed();
                if (late) {
                    withdraw_from(worker, done - 1);
                    return;
                }
            }
            if (!descent.known && !descent.judged && descent.result->playouts == 0) {
                const bool left_out = descent.look->state.empty() && !rules_.machine().initial().empty();
                if (late || left_out) {
                    withdraw(descent);
                    continue;
                }
                descent.values.assign(rules_.roles(), unknown);  // plays without an end
            }
            playouts_ += descent.known ? 1 : std::max(1U, descent.result->playouts);
            if (descent.leaf == none) attach(descent);
            back_up(descent, descent.values, descent.known ? nullptr : descent.result);
        }
        if (options_.blend > 0) {
            for (std::size_t i = 0; i < worker.used; i += descents_between_comparisons)
                compare(worker.descents[i]);
        }
    }
}

}  // namespace zermelo::play
