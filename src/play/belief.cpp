#include "play/belief.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace zermelo::play {

namespace {

constexpr std::size_t tries = 64;               // of random moves, until a step agrees
constexpr std::size_t replay_steps = 20'000;    // of a replay, with steps back
constexpr std::size_t expanded_anyway = 16384;  // steps of an exact belief, whatever the time
constexpr std::size_t steps_anyway = 4096;      // of it, whatever the time
constexpr std::size_t replays = 16;             // when a sample has died out
constexpr std::size_t least_positions = 32;     // of a sample, whatever the time
constexpr std::size_t steps_between_looks = 64;
constexpr std::size_t looked_at = 64;  // positions, for what is legal

Hash128 key(const Position& position) {
    Hasher hasher;
    for (const std::uint64_t word : position.state) hasher.add(word);
    for (const View& view : position.views) {
        hasher.add(view.low);
        hasher.add(view.high);
    }
    return hasher.value();
}

// All joint moves in which one role's move is fixed, one after another.
class JointMoves {
public:
    JointMoves(Scene& scene, std::size_t role, MoveId own) : scene_(scene), role_(role) {
        const std::size_t roles = scene.rules().roles();
        place_.assign(roles, 0);
        joint_.resize(roles);
        for (std::size_t r = 0; r < roles; ++r) {
            if (r == role) {
                joint_[r] = own;
                continue;
            }
            if (scene.legal(r).empty()) throw scene.rules().stuck(r);
            joint_[r] = scene.legal(r).front();
            count_ *= static_cast<double>(scene.legal(r).size());
        }
    }
    [[nodiscard]] const JointMove& joint() const { return joint_; }
    [[nodiscard]] double count() const { return count_; }
    [[nodiscard]] bool advance() {
        for (std::size_t r = 0; r < joint_.size(); ++r) {
            if (r == role_) continue;
            const auto& legal = scene_.legal(r);
            place_[r] = place_[r] + 1 == legal.size() ? 0 : place_[r] + 1;
            joint_[r] = legal[place_[r]];
            if (place_[r] != 0) return true;
        }
        return false;
    }

private:
    Scene& scene_;
    std::size_t role_;
    std::vector<std::size_t> place_;
    JointMove joint_;
    double count_ = 1;
};

}  // namespace

Belief::Belief(const Rules& rules, std::size_t role, const BeliefOptions& options)
    : rules_(rules), role_(role), options_(options), scene_(rules), random_(options.seed) {
    positions_.push_back({scene_.initial(), 1.0});
    normalise();
    list_legal();
}

void Belief::update(const Observation& seen, const Deadline& deadline, const Model& model) {
    past_.push_back(seen);
    if (!rules_.hidden()) {
        Position& position = positions_.front().position;
        scene_.load(position.state);
        scene_.play(seen.joint, position);
    } else if (exact_) {
        expand(seen, deadline, model);
    } else {
        sample(seen, deadline, model);
    }
    list_legal();
}

bool Belief::agrees(const Observation& seen) { return scene_.percepts(role_) == seen.percepts; }

double Belief::odds(const Position& position, std::size_t role, MoveId move, const Model& model) {
    const auto& legal = scene_.legal(role);
    if (!model || rules_.chance(role) || legal.size() == 1) return 1.0 / static_cast<double>(legal.size());
    odds_.assign(legal.size(), 0);
    model(position, role, legal, odds_);
    return odds_[static_cast<std::size_t>(std::find(legal.begin(), legal.end(), move) - legal.begin())];
}

void Belief::expand(const Observation& seen, const Deadline& deadline, const Model& model) {
    std::vector<Weighted> next;
    std::unordered_map<Hash128, std::size_t, TakeLowBits> index;
    std::size_t steps = 0;
    Position after;
    for (const Weighted& one : positions_) {
        scene_.load(one.position.state);
        if (scene_.terminal()) continue;  // we were asked to move, so it was not over
        const auto& own = scene_.legal(role_);
        if (std::find(own.begin(), own.end(), seen.own) == own.end()) continue;
        JointMoves moves(scene_, role_, seen.own);
        do {
            const bool too_long =
                ++steps > expanded_anyway && steps % steps_between_looks == 0 && deadline.passed();
            if (too_long || steps > options_.most_steps || next.size() > options_.most_positions) {
                exact_ = false;
                sample(seen, deadline, model);
                return;
            }
            after = one.position;
            double weight = one.weight;
            for (std::size_t r = 0; r < rules_.roles(); ++r) {
                if (r != role_) weight *= odds(one.position, r, moves.joint()[r], model);
            }
            scene_.play(moves.joint(), after);
            if (weight <= 0 || !agrees(seen)) continue;
            const auto [at, fresh] = index.emplace(key(after), next.size());
            if (fresh)
                next.push_back({after, weight});
            else
                next[at->second].weight += weight;
        } while (moves.advance());
    }
    if (next.empty()) {
        // The model thought impossible what happened.
        if (model) return expand(seen, deadline, {});
        exact_ = false;
        return sample(seen, deadline, {});
    }
    positions_ = std::move(next);
    normalise();
}

// A step from `position` that agrees, drawn from some random ones; how likely a step from there agrees, 0 if
// none was found. Unless it has to agree, the step that agrees most and does not end the play.
double Belief::follow(const Observation& seen, const Model& model, bool agreeing, Position& position) {
    scene_.load(position.state);
    if (scene_.terminal()) return 0;
    const auto& own = scene_.legal(role_);
    if (std::find(own.begin(), own.end(), seen.own) == own.end()) return 0;
    JointMove joint;
    Position found;
    std::size_t hits = 0;
    std::size_t most = 0;  // percepts in common, and one
    for (std::size_t i = 0; i < tries; ++i) {
        random_moves(scene_, random_, joint);
        joint[role_] = seen.own;
        if (model) {
            for (const std::size_t r : rules_.seats()) {
                if (r == role_ || scene_.legal(r).size() == 1) continue;
                double rest = static_cast<double>(random_.next() >> 11) * 0x1p-53;
                for (const MoveId move : scene_.legal(r)) {
                    joint[r] = move;
                    rest -= odds(position, r, move, model);
                    if (rest < 0) break;
                }
            }
        }
        Position after = position;
        scene_.play(joint, after);
        if (agreeing && !agrees(seen)) continue;
        if (!agreeing) {
            // As much as possible of what was seen; what is legal often depends on that alone.
            const auto& percepts = scene_.percepts(role_);
            const auto common =
                static_cast<std::size_t>(std::ranges::count_if(percepts, [&](const auto percept) {
                    return std::ranges::find(seen.percepts, percept) != seen.percepts.end();
                }));
            if (common + 1 <= most) continue;
            scene_.load(after.state);
            const bool over = scene_.terminal();
            scene_.load(position.state);
            if (over) continue;  // we shall be asked to move
            most = common + 1;
            hits = 1;
            found = std::move(after);
            continue;
        }
        // Each of those that agree is kept with the same probability.
        if (random_.below(++hits) == 0) found = std::move(after);
    }
    if (hits > 0) position = std::move(found);
    if (!agreeing) return static_cast<double>(most);
    return static_cast<double>(hits) / static_cast<double>(tries);
}

void Belief::sample(const Observation& seen, const Deadline& deadline, const Model& model) {
    std::vector<Weighted> next;
    const std::size_t wanted = options_.sample;
    const std::size_t in_vain = std::max<std::size_t>(1, wanted / 8);
    for (std::size_t i = 0; !lost_ && i < 2 * wanted && next.size() < wanted; ++i) {
        if ((next.size() >= least_positions || i >= 4 * least_positions) && deadline.passed()) break;
        Position position = draw(random_);
        const double weight = follow(seen, model, true, position);
        if (weight > 0) next.push_back({std::move(position), weight});
        if (next.empty() && i > in_vain) break;
    }
    for (std::size_t i = 0; next.empty() && i < replays; ++i) {
        Position position;
        if (replay(deadline, position)) next.push_back({std::move(position), 1.0});
        if (deadline.passed()) break;
    }
    // Nothing that agrees was found in time: some step then, and the next update replays the play.
    lost_ = next.empty();
    double most = 0;
    for (std::size_t i = 0; lost_ && i < tries; ++i) {
        Position position = draw(random_);
        const double agreed = follow(seen, {}, false, position);
        if (agreed < most || agreed <= 0) continue;
        if (agreed > most) next.clear();
        most = agreed;
        next.push_back({std::move(position), 1.0});
    }
    if (next.empty()) return;
    positions_ = std::move(next);
    normalise();
}

// A whole play that agrees with all that was seen: depth first, the others' moves in random order.
bool Belief::replay(const Deadline& deadline, Position& position) {
    struct Ply {
        Position position;
        std::vector<JointMove> left;
    };
    constexpr std::size_t most_branches = 1024;
    std::vector<Ply> path;
    path.push_back({scene_.initial(), {}});
    bool fresh = true;
    for (std::size_t steps = 0; steps < replay_steps;) {
        Ply& ply = path.back();
        if (path.size() > past_.size()) {
            position = std::move(ply.position);
            return true;
        }
        const Observation& seen = past_[path.size() - 1];
        scene_.load(ply.position.state);
        if (fresh) {
            const auto& own = scene_.legal(role_);
            if (!scene_.terminal() && std::find(own.begin(), own.end(), seen.own) != own.end()) {
                JointMoves moves(scene_, role_, seen.own);
                if (moves.count() <= static_cast<double>(most_branches)) {
                    do ply.left.push_back(moves.joint());
                    while (moves.advance());
                } else {
                    ply.left.resize(most_branches);
                    for (JointMove& joint : ply.left) {
                        random_moves(scene_, random_, joint);
                        joint[role_] = seen.own;
                    }
                }
                for (std::size_t i = ply.left.size(); i > 1; --i)
                    std::swap(ply.left[i - 1], ply.left[random_.below(i)]);
            }
            fresh = false;
        }
        if (ply.left.empty()) {
            path.pop_back();
            if (path.empty()) return false;
            continue;
        }
        const JointMove joint = std::move(ply.left.back());
        ply.left.pop_back();
        Position after = ply.position;
        scene_.play(joint, after);
        if (++steps > expanded_anyway && steps % steps_between_looks == 0 && deadline.passed()) return false;
        if (!agrees(seen)) continue;
        path.push_back({std::move(after), {}});
        fresh = true;
    }
    return false;
}

void Belief::normalise() {
    double sum = 0;
    for (const Weighted& one : positions_) sum += one.weight;
    up_to_.clear();
    double so_far = 0;
    for (Weighted& one : positions_) {
        one.weight /= sum;
        up_to_.push_back(so_far += one.weight);
    }
}

void Belief::list_legal() {
    std::unordered_map<MoveId, std::size_t> places;
    legal_.clear();
    std::size_t most = 0;
    const std::size_t stride = positions_.size() / looked_at + 1;
    for (std::size_t i = 0; i < positions_.size(); i += stride) {
        scene_.load(positions_[i].position.state);
        if (scene_.terminal()) continue;
        for (const MoveId move : scene_.legal(role_)) most = std::max(most, ++places[move]);
    }
    for (const auto& [move, count] : places) {
        if (count == most) legal_.push_back(move);
    }
    std::sort(legal_.begin(), legal_.end());
}

const Position& Belief::draw(Random& random) const {
    const double at = static_cast<double>(random.next() >> 11) * 0x1p-53;
    const auto found = std::upper_bound(up_to_.begin(), up_to_.end(), at) - up_to_.begin();
    return positions_[std::min(static_cast<std::size_t>(found), positions_.size() - 1)].position;
}

std::string describe(const Belief& belief) {
    return fmt::format("{} positions agree with what was seen{}", belief.positions().size(),
                       belief.exact() ? "" : ", a sample");
}

}  // namespace zermelo::play
