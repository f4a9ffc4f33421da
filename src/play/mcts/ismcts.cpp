#include "play/mcts/ismcts.hpp"

#include <algorithm>
#include <cmath>

namespace zermelo::play {

namespace {

constexpr std::size_t longest_path = 512;
constexpr double unvisited_value = 0.5;
constexpr std::size_t set_overhead = 64;  // bytes of the map

}  // namespace

struct Ismcts::Worker {
    InfoState info;
    Playouts playouts;
    Random random;
    std::vector<Descent> descents;
    std::vector<const State*> states;
    std::vector<Playouts::Result> results;
    std::vector<std::uint32_t> ties;
    JointMove joint;
    std::vector<const Set*> reference;  // by role

    Worker(const GameContext& rules, std::uint64_t seed)
        : info(rules), playouts(rules, seed ^ 0xB0A7), random(seed) {}
};

Ismcts::Ismcts(const GameContext& rules, const MctsOptions& options)
    : rules_(rules), options_(options), sets_(rules.roles()) {
    for (unsigned t = 0; t < std::max(1U, options.threads); ++t)
        workers_.push_back(std::make_unique<Worker>(rules, options.seed + 0x9E37 * t));
}

Ismcts::~Ismcts() = default;

std::size_t Ismcts::sets() const {
    std::size_t sum = 0;
    for (const auto& of_role : sets_) sum += of_role.size();
    return sum;
}

void Ismcts::use(const gdl::Machine& machine) {
    for (auto& worker : workers_) worker->playouts.use(machine);
}

// Evicts information sets that the last search did not visit, when memory runs out.
void Ismcts::make_room() {
    if (bytes_ < options_.memory) return;
    bytes_ = 0;
    for (auto& of_role : sets_) {
        std::erase_if(of_role, [&](const auto& one) { return one.second.era + 1 < era_; });
        for (const auto& [view, set] : of_role)
            bytes_ += set_overhead + sizeof(Set) + set.arms.capacity() * sizeof(Arm) +
                      set.counts.capacity() * sizeof(Count);
    }
}

std::uint32_t Ismcts::select(Worker& worker, const Set& set, const Set* reference) const {
    const double log_visits = std::log(static_cast<double>(set.visits + set.pending + 1));
    const double bias = options_.blend * transfer_.bias();
    double best = -1;
    worker.ties.clear();
    for (std::uint32_t a = 0; a < set.arms.size(); ++a) {
        const Arm& arm = set.arms[a];
        const Count* count = options_.grave && reference != nullptr ? &reference->counts[arm.move] : nullptr;
        const double value = options_.blend ? blended_worth(batch_.exploration, bias, arm, log_visits, count)
                                            : worth(options_, batch_.exploration, arm, log_visits, count);
        if (value > best) {
            best = value;
            worker.ties.clear();
        }
        if (value == best) worker.ties.push_back(a);
    }
    return worker.ties[worker.ties.size() == 1 ? 0 : worker.random.below(worker.ties.size())];
}

void Ismcts::descend(Worker& worker, const Belief& belief, Descent& descent) {
    descent.path.clear();
    descent.known = false;
    descent.position = belief.draw(worker.random);
    worker.reference.assign(rules_.roles(), nullptr);
    InfoState& info = worker.info;
    for (std::size_t steps = 0; steps < longest_path; ++steps) {
        info.load(descent.position.state);
        if (info.terminal()) {
            descent.known = true;
            descent.values.resize(rules_.roles());
            for (std::size_t r = 0; r < descent.values.size(); ++r) descent.values[r] = 0.01 * info.goal(r);
            return;
        }
        random_moves(info, worker.random, worker.joint);
        bool fresh = false;
        {
            const std::lock_guard lock(mutex_);
            const std::size_t before = descent.path.size();
            for (const std::size_t r : rules_.seats()) {
                const auto& legal = info.legal(r);
                if (legal.size() == 1) continue;
                if (steps == 0 && r == role_ && made_) {
                    if (std::find(legal.begin(), legal.end(), *made_) != legal.end())
                        worker.joint[r] = *made_;
                    continue;
                }
                const View view = info.view(descent.position, r);
                auto at = sets_[r].find(view);
                if (at == sets_[r].end()) {
                    fresh = true;
                    if (bytes_ >= most_bytes_) continue;
                    Set& set = sets_[r][view];
                    set.era = era_;
                    for (const MoveId move : legal) set.arms.push_back({.move = move});
                    bytes_ += set_overhead + sizeof(Set) + set.arms.capacity() * sizeof(Arm);
                    continue;
                }
                Set& set = at->second;
                set.era = era_;
                if (!set.counts.empty() &&
                    (worker.reference[r] == nullptr || set.visits >= options_.reference))
                    worker.reference[r] = &set;
                const std::uint32_t arm = select(worker, set, worker.reference[r]);
                // A role that cannot tell what is legal: the random move stands.
                if (std::find(legal.begin(), legal.end(), set.arms[arm].move) == legal.end()) continue;
                worker.joint[r] = set.arms[arm].move;
                descent.path.push_back({&set, static_cast<std::uint32_t>(r), arm});
            }
            if (fresh) {
                descent.path.resize(before);
            } else {
                for (std::size_t i = before; i < descent.path.size(); ++i) {
                    ++descent.path[i].set->pending;
                    ++descent.path[i].set->arms[descent.path[i].arm].pending;
                }
            }
        }
        if (fresh) return;
        info.play(worker.joint, descent.position);
    }
}

void Ismcts::back_up(Descent& descent, const std::vector<double>& values, const Playouts::Result* playouts) {
    for (std::size_t i = descent.path.size(); i-- > 0;) {
        const Choice& choice = descent.path[i];
        Set& set = *choice.set;
        const double value = values[choice.role];
        --set.pending;
        ++set.visits;
        set.arms[choice.arm].add(value);
        if (!options_.grave) continue;
        if (options_.blend > 0 && !set.counts.empty())
            transfer_.compare(set.arms[choice.arm], set.counts[set.arms[choice.arm].move]);
        if (set.counts.empty()) {
            if (set.visits < 2 || bytes_ >= most_bytes_) continue;
            set.counts.resize(rules_.machine().network().moves[choice.role].size());
            bytes_ += set.counts.capacity() * sizeof(Count);
        }
        if (playouts != nullptr) {
            const auto weight = static_cast<float>(std::max(1U, playouts->playouts));
            for (const Playouts::Use& use : playouts->uses) {
                if (use.role != choice.role) continue;
                set.counts[use.move].playouts += static_cast<float>(use.playouts) / weight;
                set.counts[use.move].sum += static_cast<float>(use.goals) / weight;
            }
        }
        for (std::size_t j = i; j < descent.path.size(); ++j) {
            const Choice& below = descent.path[j];
            if (below.role != choice.role) continue;
            Count& count = set.counts[below.set->arms[below.arm].move];
            count.playouts += 1;
            count.sum += static_cast<float>(value);
        }
    }
}

std::uint64_t Ismcts::search(const Belief& belief, std::size_t role, const TimeBudget& allowance) {
    ++era_;
    role_ = role;
    made_.reset();
    most_bytes_ = options_.memory;
    root_ = workers_.front()->info.view(belief.positions().front().position, role);
    make_room();
    return run(belief, allowance);
}

std::uint64_t Ismcts::ponder(const Belief& belief, std::size_t role, MoveId made,
                             const TimeBudget& allowance) {
    role_ = role;
    made_ = made;
    most_bytes_ = static_cast<std::size_t>(pondering_share * static_cast<double>(options_.memory));
    return run(belief, allowance);
}

std::uint64_t Ismcts::run(const Belief& belief, const TimeBudget& allowance) {
    playouts_ = 0;
    wanted_ = allowance.playouts;
    batch_ = batch_for(options_, allowance, workers_.front()->playouts.lanes());
    run_threads(workers_.size(), [&](std::size_t t) { work(*workers_[t], belief, allowance); });
    return playouts_;
}

void Ismcts::work(Worker& worker, const Belief& belief, const TimeBudget& allowance) {
    const Deadline deadline = allowance.deadline;  // a copy of our own
    worker.descents.resize(batch_.leaves);
    while (!deadline.passed()) {
        {
            const std::lock_guard lock(mutex_);
            if (wanted_ > 0 && playouts_ >= wanted_) return;
        }
        worker.states.clear();
        std::size_t used = 0;
        while (used < worker.descents.size() && (used == 0 || !deadline.passed())) {
            Descent& descent = worker.descents[used++];
            descend(worker, belief, descent);
            if (!descent.known) worker.states.push_back(&descent.position.state);
        }
        worker.playouts.run(worker.states, batch_.each, options_.grave, deadline, worker.results);
        const bool late = deadline.passed();
        const std::lock_guard lock(mutex_);
        std::size_t played = 0;
        for (Descent& descent : std::span(worker.descents).first(used)) {
            const Playouts::Result* result = descent.known ? nullptr : &worker.results[played++];
            if (result != nullptr && result->playouts == 0 && late) {
                for (const Choice& choice : descent.path) {
                    --choice.set->pending;
                    --choice.set->arms[choice.arm].pending;
                }
                continue;
            }
            playouts_ += result == nullptr ? 1 : std::max(1U, result->playouts);
            if (result != nullptr && result->playouts == 0)
                descent.values.assign(rules_.roles(), unvisited_value);  // plays without an end
            else if (result != nullptr)
                descent.values = result->goals;
            back_up(descent, descent.values, result);
        }
    }
}

std::vector<Estimate> Ismcts::estimates(const std::vector<MoveId>& legal) const {
    std::vector<Estimate> all;
    const auto root = sets_[role_].find(root_);
    for (const MoveId move : legal) {
        Estimate& estimate = all.emplace_back(Estimate{.move = move});
        if (root == sets_[role_].end()) continue;
        for (const Arm& arm : root->second.arms) {
            if (arm.move == move) estimate = arm.estimate();
        }
    }
    std::stable_sort(all.begin(), all.end(), [](const Estimate& a, const Estimate& b) {
        return std::pair(a.visits, a.mean) > std::pair(b.visits, b.mean);
    });
    return all;
}

}  // namespace zermelo::play
