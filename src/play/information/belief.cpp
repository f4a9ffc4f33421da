#include "play/information/belief.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace zermelo::play {

namespace {

constexpr std::size_t tries = 64;             // of joint moves, until a step agrees
constexpr std::size_t replay_steps = 20'000;  // of a replay, with steps back
constexpr std::size_t replays = 16;           // when a sample has died out
constexpr std::size_t least_positions = 64;   // of a sample, whatever the time
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

}  // namespace

// All joint moves that the choices allow, one after another.
class Belief::JointMoves {
public:
    explicit JointMoves(const std::vector<Choice>& choices) : choices_(choices), place_(choices.size(), 0) {
        for (const Choice& choice : choices) {
            joint_.push_back(choice.moves.front());
            count_ *= static_cast<double>(choice.moves.size());
        }
    }
    [[nodiscard]] const JointMove& joint() const { return joint_; }
    [[nodiscard]] double count() const { return count_; }
    [[nodiscard]] double odds() const {
        double product = 1;
        for (std::size_t r = 0; r < choices_.size(); ++r) product *= choices_[r].odds[place_[r]];
        return product;
    }
    [[nodiscard]] bool advance() {
        for (std::size_t r = 0; r < joint_.size(); ++r) {
            const auto& moves = choices_[r].moves;
            place_[r] = place_[r] + 1 == moves.size() ? 0 : place_[r] + 1;
            joint_[r] = moves[place_[r]];
            if (place_[r] != 0) return true;
        }
        return false;
    }
    // One of them, by how likely it is.
    void draw(Random& random) {
        for (std::size_t r = 0; r < joint_.size(); ++r) {
            const Choice& choice = choices_[r];
            double rest = random.fraction() * choice.sum;
            place_[r] = 0;
            while (place_[r] + 1 < choice.moves.size() && (rest -= choice.odds[place_[r]]) >= 0) ++place_[r];
            joint_[r] = choice.moves[place_[r]];
        }
    }

private:
    const std::vector<Choice>& choices_;
    std::vector<std::size_t> place_;
    JointMove joint_;
    double count_ = 1;
};

Belief::Belief(const GameContext& rules, std::size_t role, const BeliefOptions& options)
    : rules_(rules),
      role_(role),
      options_(options),
      info_(rules),
      random_(options.seed),
      choices_(rules.roles()) {
    if (rules.hidden()) {
        turn_ = std::make_unique<scsp::Turn>(rules.machine().network(), scsp::MutexGroups{},
                                             scsp::TurnOptions{.next_outcome = false, .next_legal = true});
        filter_ = std::make_unique<scsp::Filter>(*turn_);
        const auto& initial = rules.machine().network().initial;
        for (std::uint32_t f = 0; f < initial.size(); ++f) certain_.emplace_back(1 + f, !initial[f]);
    }
    positions_.push_back({info_.initial(), 1.0});
    normalise();
    list_legal();
}

Belief::~Belief() = default;

void Belief::update(const Observation& seen, const Deadline& deadline, const Model& model) {
    if (!rules_.hidden()) {
        past_.push_back({seen, {}});
        Position& position = positions_.front().position;
        info_.load(position.state);
        info_.play(seen.joint, position);
    } else {
        past_.push_back({seen, conclude(seen)});
        if (exact_)
            expand(past_.back(), deadline, model);
        else
            sample(past_.back(), deadline, model);
    }
    list_legal();
}

// What follows from what was certain and what was seen, as far as filtering finds: the moves that may have
// been made, and what is certain now. Each move is tried, since what was seen often has several causes, which
// only have the move in common.
std::vector<std::vector<bool>> Belief::conclude(const Observation& seen) {
    const gdl::Network& network = rules_.machine().network();
    certain_.emplace_back(network.moves[role_][seen.own].node, false);
    for (const auto& percept : network.sees[role_]) {
        const bool is_seen = std::ranges::binary_search(seen.percepts, percept.term);
        certain_.push_back(is_seen ? percept.seen : !percept.seen);
    }
    filter_->push();
    bool agrees = filter_->post(certain_);
    std::vector<std::vector<bool>> result;
    for (std::size_t r = 0; r < rules_.roles(); ++r) {
        auto& moves = result.emplace_back(network.moves[r].size());
        for (MoveId m = 0; m < moves.size(); ++m) moves[m] = !agrees || filter_->is_possible(r, m);
        const bool open = std::ranges::count(moves, true) > 1;
        for (MoveId m = 0; agrees && open && m < moves.size(); ++m) {
            if (!moves[m]) continue;
            const gdl::Signal made(network.moves[r][m].node, false);
            const std::size_t level = filter_->level();
            moves[m] = filter_->assume(made);
            filter_->undo(level);
            if (!moves[m]) agrees = filter_->post(!made);
        }
    }
    certain_.clear();
    legality_.assign(network.moves[role_].size(), gdl::Truth::unknown);
    // Nobody is asked for a move when it is over.
    if (agrees && filter_->post(!turn_->next_terminal)) {
        for (std::uint32_t f = 0; f < network.next.size(); ++f) {
            const gdl::Truth holds = filter_->truth(network.next[f]);
            if (holds != gdl::Truth::unknown) certain_.emplace_back(1 + f, holds == gdl::Truth::no);
        }
        for (MoveId m = 0; m < legality_.size(); ++m)
            legality_[m] = filter_->truth(turn_->next_legal[role_][m]);
    }
    filter_->undo(0);
    return result;
}

bool Belief::agrees(const Observation& seen) { return info_.percepts(role_) == seen.percepts; }

// The moves from `position`, which is loaded, that may agree with the step, and how likely they are. False
// where there are none: it is over, or somebody cannot have moved so. Without `agreeing` it must have been so
// all the same.
bool Belief::list_choices(const Step& step, const Position& position, const Model& model, bool agreeing) {
    if (agreeing && info_.terminal()) return false;
    for (std::size_t r = 0; r < rules_.roles(); ++r) {
        const auto& legal = info_.legal(r);
        Choice& choice = choices_[r];
        choice.moves.clear();
        choice.odds.clear();
        const auto add = [&](MoveId move, double odds) {
            if (odds <= 0) return;
            choice.moves.push_back(move);
            choice.odds.push_back(odds);
        };
        if (r == role_) {
            if (agreeing && !std::ranges::binary_search(legal, step.seen.own)) return false;
            add(step.seen.own, 1);
        } else {
            if (agreeing && legal.empty()) throw rules_.stuck(r);
            odds_.assign(legal.size(), 1.0 / static_cast<double>(legal.size()));
            if (model && !rules_.chance(r) && legal.size() > 1) model(position, r, legal, odds_);
            for (std::size_t i = 0; i < legal.size(); ++i) {
                if (step.possible[r][legal[i]]) add(legal[i], odds_[i]);
            }
            if (agreeing && choice.moves.empty()) return false;
            for (MoveId m = 0; choice.moves.empty() && m < step.possible[r].size(); ++m) {
                if (step.possible[r][m]) add(m, 1);
            }
            for (MoveId m = 0; choice.moves.empty() && m < legal.size(); ++m) add(legal[m], 1);
        }
        choice.sum = std::accumulate(choice.odds.begin(), choice.odds.end(), 0.0);
        if (choice.moves.empty()) return false;
    }
    return true;
}

void Belief::expand(const Step& step, const Deadline& deadline, const Model& model) {
    std::vector<Weighted> next;
    std::unordered_map<Hash128, std::size_t, LowBitsHash> index;
    std::size_t steps = 0;
    Position after;
    // In random order, so that those which were reached in time are a fair sample.
    for (std::size_t i = positions_.size(); i > 1; --i)
        std::swap(positions_[i - 1], positions_[random_.below(i)]);
    for (const Weighted& one : positions_) {
        const bool too_long = steps > options_.steps_anyway && deadline.passed();
        if (too_long && next.size() >= least_positions) {
            exact_ = false;
            break;
        }
        info_.load(one.position.state);
        if (!list_choices(step, one.position, model, true)) continue;
        JointMoves moves(choices_);
        do {
            after = one.position;
            info_.play(moves.joint(), after);
            if (agrees(step.seen)) {
                const double weight = one.weight * moves.odds();
                const auto [at, fresh] = index.emplace(key(after), next.size());
                if (fresh)
                    next.push_back({after, weight});
                else
                    next[at->second].weight += weight;
            }
            if (++steps > options_.most_steps || next.size() > options_.most_positions || too_long) {
                exact_ = false;
                normalise();  // in their new order
                return sample(step, deadline, model);
            }
        } while (moves.advance());
    }
    if (next.empty()) {
        // The model thought impossible what happened.
        if (model) return expand(step, deadline, {});
        exact_ = false;
        normalise();
        return sample(step, deadline, {});
    }
    positions_ = std::move(next);
    normalise();
}

// A step from `position` that agrees: all are tried where they are few, and some random ones otherwise. How
// likely a step from there agrees; 0 if none was found. Unless it has to agree, the step that agrees most,
// better one that does not end the play, and how much.
double Belief::follow(const Step& step, const Model& model, bool agreeing, Position& position) {
    info_.load(position.state);
    if (!list_choices(step, position, model, agreeing)) return 0;
    JointMoves moves(choices_);
    const bool all = moves.count() <= static_cast<double>(tries);
    double each = 1.0 / static_cast<double>(tries);
    for (const Choice& choice : choices_) each *= choice.sum;
    Position found;
    double sum = 0;        // of the odds of those that agree
    std::size_t most = 0;  // likeness
    for (std::size_t i = 0; all || i < tries; ++i) {
        if (!all) moves.draw(random_);
        Position after = position;
        info_.play(moves.joint(), after);
        if (!agreeing) {
            // As much as possible of what was seen; what is legal often depends on that alone.
            std::size_t likeness = 1;
            for (const auto percept : info_.percepts(role_))
                likeness += std::ranges::binary_search(step.seen.percepts, percept) ? 2 : 0;
            if (likeness + 1 > most) {
                info_.load(after.state);
                if (!info_.terminal()) ++likeness;  // we shall be asked to move
                info_.load(position.state);
            }
            if (likeness > most) {
                most = likeness;
                found = std::move(after);
            }
        } else if (agrees(step.seen)) {
            // Each of those that agree is kept with a probability by its odds.
            const double odds = all ? moves.odds() : each;
            sum += odds;
            if (random_.fraction() * sum < odds) found = std::move(after);
        }
        if (all && !moves.advance()) break;
    }
    if (sum > 0 || most > 0) position = std::move(found);
    return agreeing ? sum : static_cast<double>(most);
}

void Belief::sample(const Step& step, const Deadline& deadline, const Model& model) {
    std::vector<Weighted> next;
    const std::size_t wanted = options_.sample;
    const std::size_t in_vain = std::max<std::size_t>(1, wanted / 8);
    for (std::size_t i = 0; !lost_ && i < 2 * wanted && next.size() < wanted; ++i) {
        if ((next.size() >= least_positions || i >= 4 * least_positions) && deadline.passed()) break;
        Position position = draw(random_);
        const double weight = follow(step, model, true, position);
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
        const double agreed = follow(step, {}, false, position);
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
    path.push_back({info_.initial(), {}});
    bool fresh = true;
    for (std::size_t steps = 0; steps < replay_steps;) {
        Ply& ply = path.back();
        if (path.size() > past_.size()) {
            position = std::move(ply.position);
            return true;
        }
        const Step& step = past_[path.size() - 1];
        info_.load(ply.position.state);
        if (fresh) {
            if (list_choices(step, ply.position, {}, true)) {
                JointMoves moves(choices_);
                if (moves.count() <= static_cast<double>(most_branches)) {
                    do ply.left.push_back(moves.joint());
                    while (moves.advance());
                } else {
                    for (std::size_t i = 0; i < most_branches; ++i) {
                        moves.draw(random_);
                        ply.left.push_back(moves.joint());
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
        info_.play(joint, after);
        if (++steps > options_.steps_anyway && steps % steps_between_looks == 0 && deadline.passed())
            return false;
        if (!agrees(step.seen)) continue;
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

// Positions that agree with what was seen know best. Those that do not, or in which it is over, speak only
// where nothing is certain.
void Belief::list_legal() {
    std::unordered_map<MoveId, std::size_t> places;
    const auto look = [&](bool over) {
        const std::size_t stride = positions_.size() / looked_at + 1;
        for (std::size_t i = 0; i < positions_.size(); i += stride) {
            info_.load(positions_[i].position.state);
            if (info_.terminal() && !over) continue;
            for (const MoveId move : info_.legal(role_)) {
                if (legality_.empty() || legality_[move] != gdl::Truth::no) ++places[move];
            }
        }
    };
    const auto take = [&](gdl::Truth legal) {
        for (MoveId m = 0; m < legality_.size(); ++m) {
            if (legality_[m] == legal) places[m] = 1;
        }
    };
    if (!lost_) look(false);
    if (places.empty()) take(gdl::Truth::yes);
    if (places.empty()) look(false);
    if (places.empty()) look(true);
    if (places.empty()) take(gdl::Truth::unknown);
    std::size_t most = 0;
    for (const auto& [move, count] : places) most = std::max(most, count);
    legal_.clear();
    for (const auto& [move, count] : places) {
        if (count == most) legal_.push_back(move);
    }
    std::sort(legal_.begin(), legal_.end());
}

const Position& Belief::draw(Random& random) const {
    const auto found = std::upper_bound(up_to_.begin(), up_to_.end(), random.fraction()) - up_to_.begin();
    return positions_[std::min(static_cast<std::size_t>(found), positions_.size() - 1)].position;
}

std::string describe(const Belief& belief) {
    if (belief.lost()) return "no position is known that agrees with what was seen";
    return fmt::format("{} positions agree with what was seen{}", belief.positions().size(),
                       belief.exact() ? "" : ", a sample");
}

}  // namespace zermelo::play
