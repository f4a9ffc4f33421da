// Where a state belongs in the cache: its own micro-SCSP, or that of a symmetric state.

#include <algorithm>
#include <map>

#include "core/clock.hpp"
#include "play/mac_ucb/mac_ucb_search.hpp"

namespace zermelo::play {

namespace {

constexpr Hash128 of_microstructures{0x6D6963726F,
                                     0x7374727563};         // sets their keys apart from those of states
constexpr Hash128 of_met_states{0x6D6574, 0x737461746573};  // also those that are no canonical image
constexpr std::size_t most_images = 4096;                   // of a set of states, to find its least key

}  // namespace

Hash128 MacUcbSearch::key_of(const std::vector<MicroNode::Possible>& states) const {
    return play::key_of(states, rules_.hidden());
}

// The keys of all symmetric images of several states.
std::vector<Hash128> MacUcbSearch::keys_of_images(const std::vector<MicroNode::Possible>& states) const {
    std::vector<Hash128> keys = {key_of(states)};
    const auto& group = symmetric_->canonical().symmetries();
    if (group.size() * states.size() > most_images) return keys;
    for (const symmetry::Symmetry& by : group) {
        Hash128 sum;
        for (const auto& one : states)
            sum = sum + weighed(gdl::hash(symmetry::image(by, one.state)), one.probability);
        keys.push_back(sum);
    }
    std::ranges::sort(keys);
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    return keys;
}

// Within the share of the time, or where the network is small.
bool MacUcbSearch::has_time_for_nauty() const {
    if (!symmetric_->by_nauty()) return false;
    if (!deadline_.set()) return symmetric_->small();
    const double all = spent_.resolution + spent_.sampling + spent_.symmetry + key_seconds_;
    return spent_.symmetry + key_seconds_ <= options_.symmetry_time * all;
}

// The joint moves of the solutions that are not in c_s any more.
SymmetricMicros::Nogoods MacUcbSearch::nogoods_of(const MicroNode& node) const {
    gdl::Runner runner(rules_.machine());
    runner.load(node.states.front().state);
    JointMove joint(rules_.roles());
    std::vector<MoveId> dice = {0};
    std::size_t chance = rules_.roles();
    std::vector<MoveId> legal;
    for (std::size_t r = 0; r < rules_.roles(); ++r) {
        runner.legal(r, legal);
        joint[r] = legal.front();
        if (!rules_.chance(r)) continue;
        chance = r;
        dice = legal;
    }
    const auto& chooser = node.choosers.front();
    SymmetricMicros::Nogoods nogoods;
    for (std::size_t i = 0; i < node.solutions.size(); ++i) {
        if (!node.solutions[i].removed) continue;
        joint[rules_.seats()[chooser.seat]] = chooser.arms[i].move;
        for (const MoveId thrown : dice) {
            if (chance < joint.size()) joint[chance] = thrown;
            nogoods.push_back(joint);
        }
    }
    return nogoods;
}

// Symmetric solutions of the micro-SCSP at hand count as one from now on, with the outcomes of one of them: an exact
// one, if there is any. False where there was no time.
bool MacUcbSearch::merge_symmetric_solutions(MicroNode& node) {
    if (!node.resolved || rules_.hidden() || node.choosers.size() != 1) return true;
    if (!has_time_for_nauty()) return !symmetric_->by_nauty();
    const auto begun = Deadline::Clock::now();
    MicroNode::Chooser& chooser = node.choosers.front();
    const auto least =
        symmetric_->representatives(node.states.front().state, nogoods_of(node), rules_.seats()[chooser.seat],
                                    deadline_.part(options_.symmetry_time));
    Deadline::begin_polling();  // that was no pause
    key_seconds_ = seconds_since(begun);
    spent_.symmetry += key_seconds_;
    if (!least) return true;
    std::map<MoveId, std::vector<std::uint32_t>> classes;  // of solutions that differ, by their least move
    for (std::uint32_t i = 0; i < node.solutions.size(); ++i) {
        if (node.solutions[i].twin_of == i) classes[(*least)[chooser.arms[i].move]].push_back(i);
    }
    for (const auto& [move, members] : classes) {
        const std::uint32_t first = members.front();
        const auto exact =
            std::ranges::find_if(members, [&](std::uint32_t i) { return node.solutions[i].exact; });
        const MicroNode::Solution known = node.solutions[exact == members.end() ? first : *exact];
        for (std::size_t i = 1; i < members.size(); ++i) {
            auto& arm = chooser.arms[members[i]];
            chooser.arms[first].visits += arm.visits;
            chooser.arms[first].sum += arm.sum;
            arm.visits = 0;
            arm.sum = 0;
            ++counts_.twins;
        }
        for (auto& solution : node.solutions) {
            if (members.size() == 1 || std::ranges::find(members, solution.twin_of) == members.end())
                continue;
            solution.first_outcome = known.first_outcome;
            solution.outcomes = known.outcomes;
            solution.exact = known.exact;
            solution.twin_of = first;
        }
    }
    return true;
}

std::optional<Hash128> MacUcbSearch::micro_key(const State& state) {
    if (!has_time_for_nauty()) return std::nullopt;
    const auto begun = Deadline::Clock::now();
    const auto found = symmetric_->key(state, deadline_);
    Deadline::begin_polling();  // that was no pause
    key_seconds_ = seconds_since(begun);
    if (!found) return std::nullopt;
    return *found ^ of_microstructures;
}

// Where nothing is hidden.
std::optional<MicroId> MacUcbSearch::met_before(const State& state) const {
    const Hash128 own = gdl::hash(state);
    return tree_.find(symmetric_ != nullptr ? own ^ of_met_states : own);
}

MicroId MacUcbSearch::place(MicroNode&& node) {
    const auto begun = Deadline::Clock::now();
    node.sum.assign(rules_.seats().size(), 0);
    Hash128 own = key_of(node.states);
    if (symmetric_ != nullptr) own = own ^ of_met_states;
    if (const auto met = tree_.find(own)) return *met;
    ++counts_.states;
    if (symmetric_ == nullptr) {
        ++counts_.micros;
        return tree_.add(own, std::move(node));
    }
    const bool single = !rules_.hidden();
    if (single) (void)symmetric_->canonicalise(node.states.front().state);
    const Hash128 canonical = single ? key_of(node.states) : keys_of_images(node.states).front();
    std::optional<Hash128> structure;
    std::optional<MicroId> known = tree_.find(canonical);
    if (!known && single && !node.over) {
        structure = micro_key(node.states.front().state);
        if (structure) known = tree_.find(*structure);
    }
    counts_.symmetric += known ? 1 : 0;
    counts_.micros += known ? 0 : 1;
    const MicroId id = known ? *known : tree_.add(canonical, std::move(node));
    tree_.name(own, id);
    tree_.name(canonical, id);
    if (structure) tree_.name(*structure, id);
    spent_.symmetry += seconds_since(begun);
    return id;
}

MicroId MacUcbSearch::place_root(std::vector<MicroNode::Possible> now) {
    const bool single = !rules_.hidden();
    root_image_ = 0;
    if (symmetric_ != nullptr) {
        ++counts_.analysed;
        counts_.images += single ? symmetric_->images(now.front().state) : keys_of_images(now).size();
        if (single) root_image_ = symmetric_->canonicalise(now.front().state);
    }
    const Hash128 key = key_of(now);
    std::optional<MicroId> known = tree_.find(key);
    // The moves of a state that nauty found to be symmetric have other names.
    if (known && single && tree_[*known].states.front().state != now.front().state) known = std::nullopt;
    if (!known) {
        ++counts_.states;
        ++counts_.micros;
        MicroNode node{.states = std::move(now)};
        node.sum.assign(rules_.seats().size(), 0);
        known = tree_.add(key, std::move(node));
    }
    if (tree_.bytes() < settings_.memory) return *known;
    return tree_.keep_below(*known);
}

}  // namespace zermelo::play
