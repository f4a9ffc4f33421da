#include "play/mcts/mcts.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace zermelo::play {

namespace {

constexpr std::size_t nodes_looked_at = 256;  // for one that can go
constexpr float tolerance = 1e-5F;
constexpr std::size_t descents_between_comparisons = 16;
constexpr std::size_t descents_between_looks = 16;
constexpr std::uint32_t visits_before_cuts = 256;
constexpr double unknown = 0.5;
constexpr double epsilon = 1e-2;   // of estimates 0 … 100
constexpr std::uint64_t few = 20;  // one visit in so many

}  // namespace

struct Mcts::Worker {
    InfoState scene;
    Playouts playouts;
    Random random;
    std::vector<Descent> descents;
    std::size_t used = 0;  // of them
    std::vector<Playouts::Exit> exits;
    std::vector<Playouts::Look> looks;
    std::vector<Playouts::Result> results;
    std::vector<std::uint32_t> ties;
    std::vector<Turn> turns;  // since the node whose counts are used

    Worker(const GameContext& rules, std::uint64_t seed)
        : scene(rules), playouts(rules, seed ^ 0xB0A7), random(seed) {}
    [[nodiscard]] std::span<Descent> in_use() { return std::span(descents).first(used); }
};

Mcts::Mcts(const GameContext& rules, const MctsOptions& options)
    : rules_(rules), options_(options), bucket_(buckets, none), opposed_(rules.opposed()) {
    std::size_t moves = 0;
    for (std::size_t r = 0; r < rules.roles(); ++r) {
        first_count_.push_back(moves);
        moves += rules.machine().network().moves[r].size();
    }
    first_count_.push_back(moves);
    if (options.symmetry) {
        const symmetry::Canonical* found = options.canonical;
        if (found == nullptr) found = &rules.canonical(Deadline());
        if (found->size() > 1) canonical_ = found;
    }
    for (unsigned t = 0; t < std::max(1U, options.threads); ++t) {
        workers_.push_back(std::make_unique<Worker>(rules, options.seed + 0x9E37 * t));
        if (!options.slices) workers_.back()->playouts.one_by_one();
    }
}

Mcts::~Mcts() = default;

void Mcts::use(const gdl::Machine& machine) {
    for (auto& worker : workers_) worker->playouts.use(machine);
}

// --- nodes ---

Mcts::NodeId Mcts::find(const Hash128& key) const {
    for (NodeId id = bucket_[key.low % buckets]; id != none; id = node(id).next) {
        if (node(id).key == key) return id;
    }
    return none;
}

void Mcts::unlink(NodeId id) {
    NodeId* at = &bucket_[node(id).key.low % buckets];
    while (*at != id) at = &node(*at).next;
    *at = node(id).next;
}

std::size_t Mcts::bytes_of(const Node& node) const {
    std::size_t bytes = sizeof(Node) + node.state.capacity() * sizeof(std::uint64_t) +
                        node.bounds.capacity() * sizeof(Bounds) + node.forced.capacity() * sizeof(MoveId) +
                        node.bandits.capacity() * sizeof(Bandit) + node.edges.capacity() * sizeof(Edge) +
                        node.counts.capacity() * sizeof(Count);
    for (const Bandit& bandit : node.bandits) bytes += bandit.arms.capacity() * sizeof(Arm);
    return bytes;
}

// A free place. When memory is used up, nodes that nobody visited lately go.
Mcts::NodeId Mcts::room(bool anyway) {
    for (std::size_t i = 0; bytes_ >= options_.memory && i < std::min(nodes_looked_at, used_); ++i) {
        hand_ = hand_ + 1 < used_ ? hand_ + 1 : 0;
        Node& old = node(hand_);
        if (old.state.empty() || old.era + 1 >= era_ || old.pending > 0) continue;
        unlink(hand_);
        bytes_ -= bytes_of(old);
        const std::uint32_t generation = old.generation + 1;
        old = Node();
        old.generation = generation;
        free_.push_back(hand_);
    }
    if (bytes_ >= options_.memory && !anyway) return none;
    if (!free_.empty()) {
        const NodeId id = free_.back();
        free_.pop_back();
        return id;
    }
    if (used_ == chunks_.size() * chunk_size) chunks_.push_back(std::make_unique<Node[]>(chunk_size));
    return static_cast<NodeId>(used_++);
}

Mcts::NodeId Mcts::insert(const Hash128& key, const Playouts::Look& look, bool anyway) {
    const NodeId id = room(anyway);
    if (id == none) return none;
    Node& fresh = node(id);
    fresh.key = key;
    fresh.state = look.state;
    fresh.era = era_;
    fresh.terminal = look.terminal;
    fresh.bounds.assign(rules_.roles(), Bounds());
    if (look.terminal) {
        for (std::size_t r = 0; r < fresh.bounds.size(); ++r) {
            const float value = static_cast<float>(std::max(0, look.goals[r])) * 0.01F;
            fresh.bounds[r] = {value, value};
        }
    } else {
        fresh.forced.resize(rules_.roles());
        for (std::size_t r = 0; r < rules_.roles(); ++r) {
            const auto& legal = look.legal[r];
            if (legal.empty()) throw rules_.stuck(r);
            fresh.forced[r] = legal.front();
            if (legal.size() == 1) continue;
            Bandit& bandit = fresh.bandits.emplace_back();
            bandit.role = static_cast<std::uint32_t>(r);
            bandit.arms.reserve(legal.size());
            for (const MoveId move : legal) bandit.arms.push_back({.move = move});
        }
    }
    std::size_t joint = 1;
    for (const Bandit& bandit : fresh.bandits) {
        joint *= bandit.arms.size();
        if (joint > most_edges) break;
    }
    fresh.widely = joint > most_edges;
    if (!fresh.terminal && !fresh.widely) fresh.edges.resize(joint);
    NodeId& head = bucket_[fresh.key.low % buckets];
    fresh.next = head;
    head = id;
    bytes_ += bytes_of(fresh);
    return id;
}

Mcts::NodeId Mcts::child(const Node& parent, std::uint32_t edge) const {
    if (edge >= parent.edges.size()) return none;
    const Edge& to = parent.edges[edge];
    return to.node != none && node(to.node).generation == to.generation ? to.node : none;
}

bool Mcts::certain(const Node& of) const {
    for (const std::size_t r : rules_.seats()) {
        if (of.bounds[r].high - of.bounds[r].low > tolerance) return false;
    }
    return true;
}

// --- a descent ---

// What the best arm is worth with some confidence.
double Mcts::sure_of(const Node& at, const Bandit& bandit, bool alone) const {
    double most = 0;
    for (std::uint32_t a = 0; a < bandit.arms.size(); ++a) {
        double low = bandit.arms[a].range(options_.cut).first;
        const NodeId to = alone ? child(at, a) : none;
        if (to != none) low = std::min<double>(low, node(to).bounds[bandit.role].high);
        most = std::max(most, low);
    }
    return most;
}

// The outcome that came least often so far, from a random one on.
std::uint32_t Mcts::least_drawn(const Bandit& bandit, std::uint32_t from) {
    const auto drawn = [&](std::uint32_t a) { return bandit.arms[a].visits + bandit.arms[a].pending; };
    std::uint32_t least = from;
    for (std::uint32_t i = 1; i < bandit.arms.size(); ++i) {
        const auto a = static_cast<std::uint32_t>((from + i) % bandit.arms.size());
        if (drawn(a) < drawn(least)) least = a;
    }
    return least;
}

std::uint32_t Mcts::select(Worker& worker, const Node& at, std::size_t which, const Node* reference,
                           std::span<const Turn> turns) const {
    const Bandit& bandit = at.bandits[which];
    if (rules_.chance(bandit.role)) {
        const auto drawn = static_cast<std::uint32_t>(worker.random.below(bandit.arms.size()));
        return options_.balance ? least_drawn(bandit, drawn) : drawn;
    }
    const bool alone = at.bandits.size() == 1 && options_.bounds;
    // What one of the arms is sure of.
    float sure = -1;
    if (alone) {
        for (std::uint32_t a = 0; a < bandit.arms.size(); ++a) {
            const NodeId to = child(at, a);
            if (to != none) sure = std::max(sure, node(to).bounds[bandit.role].low);
        }
    }
    const double log_visits = std::log(static_cast<double>(at.visits + at.pending + 1));
    const double floor = options_.cut > 0 && at.visits >= visits_before_cuts ? sure_of(at, bandit, alone) : 0;
    const double bias = options_.blend * transfer_.bias();
    double best = -1;
    double best_cut = -1;
    std::optional<std::uint32_t> cut;  // the best of those that were
    std::uint32_t surest = 0;
    worker.ties.clear();
    for (std::uint32_t a = 0; a < bandit.arms.size(); ++a) {
        if (sure >= 0) {
            const NodeId to = child(at, a);
            if (to != none) {
                const Bounds& bounds = node(to).bounds[bandit.role];
                if (bounds.low >= sure - tolerance) surest = a;
                if (bounds.high <= sure + tolerance) continue;  // cannot be better
            }
        }
        const Arm& arm = bandit.arms[a];
        if (floor > 0 && arm.range(options_.cut).second < floor) {
            if (arm.sum > best_cut * arm.visits) {
                best_cut = arm.sum / arm.visits;
                cut = a;
            }
            continue;
        }
        const Count* count = nullptr;
        if (reference != nullptr) {
            MoveId there = arm.move;
            for (std::size_t t = turns.size(); t-- > 0;)
                there = canonical_->back(turns[t], bandit.role, there);
            count = &reference->counts[first_count_[bandit.role] + there];
        }
        const double value = options_.blend ? blended_worth(batch_.exploration, bias, arm, log_visits, count)
                                            : worth(options_, batch_.exploration, arm, log_visits, count);
        if (value > best) {
            best = value;
            worker.ties.clear();
        }
        if (value == best) worker.ties.push_back(a);
    }
    if (worker.ties.empty()) return cut.value_or(surest);
    return worker.ties[worker.ties.size() == 1 ? 0 : worker.random.below(worker.ties.size())];
}

void Mcts::descend(Worker& worker, Descent& descent) {
    descent.length = 0;
    descent.leaf = none;
    descent.known = false;
    const Node* reference = nullptr;
    worker.turns.clear();
    for (NodeId id = root_;;) {
        Node& at = node(id);
        at.era = era_;
        // What is certain needs no playouts; nor does a play that goes in circles.
        if ((certain(at) && id != root_) || descent.length == longest_path) {
            descent.known = true;
            descent.leaf = id;
            descent.values.resize(rules_.roles());
            for (std::size_t r = 0; r < descent.values.size(); ++r)
                descent.values[r] = 0.5 * (double{at.bounds[r].low} + double{at.bounds[r].high});
            return;
        }
        if (options_.grave && !at.counts.empty() &&
            (reference == nullptr || at.visits >= options_.reference)) {
            reference = &at;
            worker.turns.clear();
        }
        if (descent.path.size() == descent.length) descent.path.emplace_back();
        Step& step = descent.path[descent.length++];
        step.node = id;
        step.edge = 0;
        step.arms.resize(at.bandits.size());
        ++at.pending;
        for (std::size_t b = 0; b < at.bandits.size(); ++b) {
            step.arms[b] = select(worker, at, b, reference, worker.turns);
            ++at.bandits[b].arms[step.arms[b]].pending;
            step.edge = step.edge * static_cast<std::uint32_t>(at.bandits[b].arms.size()) + step.arms[b];
        }
        NodeId to = child(at, step.edge);
        step.turn = to == none ? Turn{0} : at.edges[step.edge].turn;
        if (to == none) {
            descent.joint = at.forced;
            for (std::size_t b = 0; b < at.bandits.size(); ++b)
                descent.joint[at.bandits[b].role] = at.bandits[b].arms[step.arms[b]].move;
            descent.from = &at.state;
            if (!at.widely) return;
            // No edges are kept here: the next state tells which node it is.
            worker.scene.load(at.state);
            State next = at.state;
            worker.scene.play(descent.joint, next);
            if (canonical_) step.turn = canonical_->turn(next);
            to = find(gdl::hash(next));
            if (to == none) return;
        }
        if (step.turn != 0 && reference != nullptr) worker.turns.push_back(step.turn);
        id = to;
    }
}

// Where the descents left the tree, and what it is worth there.
void Mcts::play_out(Worker& worker, const Deadline& deadline) const {
    worker.exits.clear();
    for (const Descent& descent : worker.in_use()) {
        if (!descent.known) worker.exits.push_back({descent.from, &descent.joint});
    }
    worker.playouts.run(worker.exits, batch_.each, options_.grave, deadline, worker.looks, worker.results);
    std::size_t played = 0;
    for (Descent& descent : worker.in_use()) {
        descent.result = nullptr;
        if (descent.known) continue;
        descent.look = &worker.looks[played];
        descent.turn = make_canonical(*descent.look);
        descent.result = &worker.results[played++];
        if (!descent.look->terminal) {
            descent.values = descent.result->goals;
            continue;
        }
        descent.known = true;
        descent.values.clear();
        for (const int goal : descent.look->goals) descent.values.push_back(0.01 * std::max(0, goal));
    }
}

// --- and back ---

void Mcts::tighten(Node& at) {
    if (at.widely || at.terminal) return;
    // One role decides, or chance does.
    const auto known = [&](std::uint32_t edge, std::size_t r) {
        const NodeId to = child(at, edge);
        return to == none ? Bounds() : node(to).bounds[r];
    };
    const bool chance_only = at.bandits.size() == 1 && rules_.chance(at.bandits.front().role);
    const std::size_t mover = at.bandits.size() == 1 ? at.bandits.front().role : rules_.roles();
    const auto edges = static_cast<std::uint32_t>(at.edges.size());
    for (const std::size_t r : rules_.seats()) {
        Bounds now{1, 0};
        if (chance_only) {
            double low = 0;
            double high = 0;
            for (std::uint32_t e = 0; e < edges; ++e) {
                const Bounds one = known(e, r);
                low += double{one.low};
                high += double{one.high};
            }
            now = {static_cast<float>(low / edges), static_cast<float>(high / edges)};
        } else if (r == mover) {
            now = {0, 0};
            for (std::uint32_t e = 0; e < edges; ++e) {
                const Bounds one = known(e, r);
                now.low = std::max(now.low, one.low);
                now.high = std::max(now.high, one.high);
            }
        } else {
            for (std::uint32_t e = 0; e < edges; ++e) {
                const Bounds one = known(e, r);
                now.low = std::min(now.low, one.low);
                now.high = std::max(now.high, one.high);
            }
        }
        at.bounds[r].low = std::max(at.bounds[r].low, now.low);
        at.bounds[r].high = std::max(at.bounds[r].low, std::min(at.bounds[r].high, now.high));
    }
    if (opposed_) {
        Bounds& a = at.bounds[rules_.seats()[0]];
        Bounds& b = at.bounds[rules_.seats()[1]];
        a.low = std::max(a.low, 1 - b.high);
        a.high = std::max(a.low, std::min(a.high, 1 - b.low));
        b.low = 1 - a.high;
        b.high = 1 - a.low;
    }
}

// On the way up a value stays within what is certain of each node.
void Mcts::back_up(Descent& descent, std::vector<double>& values, const Playouts::Result* playouts) {
    made_.clear();
    uses_.clear();
    if (options_.grave && playouts != nullptr) uses_ = playouts->uses;
    for (std::size_t i = descent.length; i-- > 0;) {
        const Step& step = descent.path[i];
        Node& at = node(step.node);
        ++at.visits;
        --at.pending;
        for (std::size_t b = 0; b < at.bandits.size(); ++b) {
            at.bandits[b].arms[step.arms[b]].add(values[at.bandits[b].role]);
        }
        if (options_.bounds) {
            const NodeId to = child(at, step.edge);
            const auto tells = [](const Bounds& one) { return one.low > 0 || one.high < 1; };
            if (to != none && std::any_of(node(to).bounds.begin(), node(to).bounds.end(), tells)) tighten(at);
            for (const std::size_t r : rules_.seats())
                values[r] = std::clamp<double>(values[r], at.bounds[r].low, at.bounds[r].high);
        }
        if (!options_.grave) continue;
        if (i + 1 < descent.length) turn_back(step.turn);
        for (std::size_t b = 0; b < at.bandits.size(); ++b)
            made_.push_back({at.bandits[b].role, at.bandits[b].arms[step.arms[b]].move});
        count(at, values, playouts);
    }
}

// What playouts and moves below a node say about moves, seen from the node above it.
void Mcts::turn_back(Turn turn) {
    if (turn == 0) return;
    for (Playouts::Use& use : uses_) use.move = canonical_->back(turn, use.role, use.move);
    for (Made& made : made_) made.move = canonical_->back(turn, made.role, made.move);
}

void Mcts::count(Node& at, const std::vector<double>& values, const Playouts::Result* playouts) {
    if (at.counts.empty()) {
        // Most leaves are visited once.
        if (at.visits < 2 || bytes_ >= options_.memory) return;
        at.counts.resize(first_count_.back());
        bytes_ += at.counts.capacity() * sizeof(Count);
    }
    const float weight = playouts == nullptr ? 1.0F : static_cast<float>(std::max(1U, playouts->playouts));
    for (const Playouts::Use& use : uses_) {
        Count& one = at.counts[first_count_[use.role] + use.move];
        one.playouts += static_cast<float>(use.playouts) / weight;
        one.sum += static_cast<float>(use.goals) / weight;
    }
    for (const Made& made : made_) {
        Count& one = at.counts[first_count_[made.role] + made.move];
        one.playouts += 1;
        one.sum += static_cast<float>(values[made.role]);
    }
}

// Does what playouts elsewhere say of a move agree with what its own tries say?
void Mcts::compare(const Descent& descent) {
    for (std::size_t i = 0; i < descent.length; ++i) {
        const Node& at = node(descent.path[i].node);
        if (at.counts.empty()) continue;
        for (std::size_t b = 0; b < at.bandits.size(); ++b) {
            const Bandit& bandit = at.bandits[b];
            if (rules_.chance(bandit.role)) continue;
            const Arm& arm = bandit.arms[descent.path[i].arms[b]];
            transfer_.compare(arm, at.counts[first_count_[bandit.role] + arm.move]);
        }
    }
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
    const Turn by = canonical_->turn(look.state);
    for (std::size_t r = 0; r < look.legal.size(); ++r) canonical_->turn(by, r, look.legal[r]);
    return by;
}

// The state where a descent left the tree becomes a node.
void Mcts::attach(Descent& descent) {
    if (descent.look->terminal && opposed_) {
        const double sum = descent.values[rules_.seats()[0]] + descent.values[rules_.seats()[1]];
        if (std::abs(sum - 1) > tolerance) give_up_opposition();
    }
    const Hash128 key = gdl::hash(descent.look->state);
    NodeId id = find(key);
    if (id == none) id = insert(key, *descent.look);
    const Step& last = descent.path[descent.length - 1];
    Node& from = node(last.node);
    if (id != none && !from.widely) from.edges[last.edge] = {id, node(id).generation, descent.turn};
}

// The roles are no opponents after all: what was concluded from that goes.
void Mcts::give_up_opposition() {
    opposed_ = false;
    for (std::size_t i = 0; i < used_; ++i) {
        Node& any = node(static_cast<NodeId>(i));
        if (!any.terminal) any.bounds.assign(rules_.roles(), Bounds());
    }
}

bool Mcts::finished() const { return (wanted_ > 0 && playouts_ >= wanted_) || solved(); }

bool Mcts::solved() const {
    const Bounds& bounds = node(root_).bounds[role_];
    if (bounds.high - bounds.low > tolerance) return false;
    // And a move is known that gets it.
    const Node& root = node(root_);
    if (root.bandits.empty()) return true;
    if (root.bandits.size() != 1 || root.bandits.front().role != role_) return false;
    for (std::uint32_t e = 0; e < root.edges.size(); ++e) {
        const NodeId to = child(root, e);
        if (to != none && node(to).bounds[role_].low >= bounds.high - tolerance) return true;
    }
    return false;
}

std::pair<double, double> Mcts::bounds() const {
    const Bounds& bounds = node(root_).bounds[role_];
    return {100.0 * bounds.low, 100.0 * bounds.high};
}

// --- the search ---

std::uint64_t Mcts::search(const State& root, std::size_t role, const TimeBudget& allowance) {
    ++era_;
    role_ = role;
    playouts_ = 0;
    wanted_ = allowance.playouts;
    batch_ = batch_for(options_, allowance, workers_.front()->playouts.lanes());
    State here = root;
    root_turn_ = canonical_ ? canonical_->turn(here) : Turn{0};
    const Hash128 key = gdl::hash(here);
    root_ = find(key);
    if (root_ == none) {
        InfoState& scene = workers_.front()->scene;
        scene.load(here);
        Playouts::Look look{.state = here, .terminal = scene.terminal(), .goals = {}, .legal = {}};
        for (std::size_t r = 0; r < rules_.roles(); ++r) {
            look.goals.push_back(scene.goal(r));
            look.legal.push_back(scene.legal(r));
        }
        root_ = insert(key, look, true);
    }
    run_together(workers_.size(), [&](std::size_t t) { work(*workers_[t], allowance); });
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
            if (!descent.known && descent.result->playouts == 0) {
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

// --- what came of it ---

std::vector<Estimate> Mcts::estimates() const {
    std::vector<Estimate> all;
    const Node& root = node(root_);
    for (const Bandit& bandit : root.bandits) {
        if (bandit.role != role_) continue;
        const bool alone = root.bandits.size() == 1;
        for (std::uint32_t a = 0; a < bandit.arms.size(); ++a) {
            Estimate estimate = bandit.arms[a].estimate();
            if (canonical_) estimate.move = canonical_->back(root_turn_, role_, estimate.move);
            const NodeId to = alone ? child(root, a) : none;
            if (to != none && options_.bounds) {
                const double least = 100.0 * node(to).bounds[role_].low;
                const double most = 100.0 * node(to).bounds[role_].high;
                for (double* one : {&estimate.mean, &estimate.low, &estimate.high})
                    *one = std::clamp(*one, least, most);
                estimate.proven = most - least <= epsilon;
            }
            all.push_back(estimate);
        }
    }
    if (all.empty() && !root.terminal) {
        // WinLossFilter left one move.
        const auto [least, most] = bounds();
        Estimate only{root.forced[role_], (least + most) / 2,     least, most,
                      root.visits,        most - least <= epsilon};
        if (canonical_) only.move = canonical_->back(root_turn_, role_, only.move);
        all.push_back(only);
    }
    // What is proven as good as anything can be comes first. Then, by visits, what looks better than what is
    // sure and has been looked at closely; then what is sure, and then the rest.
    double sure = -1;
    std::uint64_t visits = 0;
    for (const Estimate& one : all) {
        if (one.proven) sure = std::max(sure, one.mean);
        visits += one.visits;
    }
    const double best_possible = 100.0 * node(root_).bounds[role_].high;
    const auto grade = [&](const Estimate& one) {
        if (one.proven && one.mean >= best_possible - epsilon) return 0;
        if (!one.proven && one.mean > sure + epsilon && one.visits * few >= visits) return 1;
        if (one.proven && one.mean >= sure - epsilon) return 2;
        return one.proven ? 4 : 3;
    };
    std::stable_sort(all.begin(), all.end(), [&](const Estimate& a, const Estimate& b) {
        if (grade(a) != grade(b)) return grade(a) < grade(b);
        return std::pair(a.visits, a.mean) > std::pair(b.visits, b.mean);
    });
    return all;
}

std::vector<JointMove> Mcts::line() const {
    constexpr std::size_t longest = 40;
    std::vector<JointMove> moves;
    std::vector<Turn> turns{root_turn_};  // from the play to the node
    const auto back = [&](std::size_t role, MoveId move) {
        for (std::size_t t = turns.size(); canonical_ && t-- > 0;)
            move = canonical_->back(turns[t], role, move);
        return move;
    };
    NodeId id = root_;
    while (id != none && moves.size() < longest && !node(id).terminal) {
        const Node& at = node(id);
        JointMove joint = at.forced;
        std::uint32_t edge = 0;
        bool visited = true;
        for (const Bandit& bandit : at.bandits) {
            if (rules_.chance(bandit.role)) return moves;
            std::uint32_t best = 0;
            if (id == root_ && moves.empty() && bandit.role == role_) {
                const MoveId move = estimates().front().move;
                while (back(role_, bandit.arms[best].move) != move) ++best;
            } else {
                for (std::uint32_t a = 1; a < bandit.arms.size(); ++a) {
                    if (bandit.arms[a].visits > bandit.arms[best].visits) best = a;
                }
            }
            visited = visited && bandit.arms[best].visits > 0;
            joint[bandit.role] = bandit.arms[best].move;
            edge = edge * static_cast<std::uint32_t>(bandit.arms.size()) + best;
        }
        if (!visited) break;
        for (std::size_t r = 0; r < joint.size(); ++r) joint[r] = back(r, joint[r]);
        moves.push_back(joint);
        id = child(at, edge);
        if (id != none) turns.push_back(at.edges[edge].turn);
    }
    return moves;
}

}  // namespace zermelo::play
