#include "symmetry/counting.hpp"

#include <algorithm>
#include <unordered_map>

#include "core/hash.hpp"

namespace zermelo::symmetry {

namespace {

using gdl::Network;
using gdl::Signal;

constexpr std::size_t most_inputs = 8;  // of a gate that takes part in counting
constexpr std::size_t most_nodes = 1024;
constexpr std::size_t most_functions = 3;  // that are kept of a gate
constexpr std::uint32_t gates_between_questions = 64;

using KindOfNode = std::uint32_t;
constexpr KindOfNode mixed_kinds = ~KindOfNode{0};

// Sets of nodes; equal ones have the same number. Each knows whether its nodes are of one kind.
class Sets {
public:
    using Id = std::uint32_t;

    explicit Sets(std::vector<KindOfNode> kinds) : kinds_(std::move(kinds)) {}
    [[nodiscard]] bool uniform(Id id) const { return sets_[id].kind != mixed_kinds; }
    [[nodiscard]] bool uniform_with(Id id, std::uint32_t node) const {
        return sets_[id].kind == kinds_[node];
    }

    [[nodiscard]] const std::vector<std::uint32_t>& of(Id id) const { return sets_[id].nodes; }
    [[nodiscard]] std::size_t size(Id id) const { return sets_[id].nodes.size(); }
    [[nodiscard]] bool contains(Id id, std::uint32_t node) const {
        return std::binary_search(of(id).begin(), of(id).end(), node);
    }
    Id only(std::uint32_t node) { return known({}, node); }
    Id with(Id id, std::uint32_t node) { return known(sets_[id], node); }

private:
    // The hash of a set is the sum of those of its nodes, so the order in which they come does not matter.
    struct Set {
        Hash128 hash;
        std::vector<std::uint32_t> nodes;
        KindOfNode kind = mixed_kinds;
    };
    Id known(const Set& set, std::uint32_t node) {
        const Hash128 own = mixed(node, 0);
        const Hash128 hash = {set.hash.low + own.low, set.hash.high + own.high};
        const auto [found, added] = ids_.try_emplace(hash, static_cast<Id>(sets_.size()));
        if (added) {
            const bool alike = set.nodes.empty() || set.kind == kinds_[node];
            Set larger{hash, set.nodes, alike ? kinds_[node] : mixed_kinds};
            larger.nodes.insert(std::lower_bound(larger.nodes.begin(), larger.nodes.end(), node), node);
            sets_.push_back(std::move(larger));
        }
        return found->second;
    }

    std::vector<KindOfNode> kinds_;  // by node
    std::vector<Set> sets_;
    std::unordered_map<Hash128, Id, LowBitsHash> ids_;
};

// A function of how many of a set hold and, if there is one, of one more node.
struct Function {
    Sets::Id set;
    std::vector<bool> holds;               // by how many of the set hold; the other node does not
    std::uint32_t node = 0;                // the other one; 0 for none
    std::vector<bool> holds_with_it = {};  // the same where it does
    friend bool operator==(const Function&, const Function&) = default;
};

// What rules count is alike: cells, or gates as far from the inputs and with as many of their own.
std::vector<KindOfNode> kinds_of(const Network& network) {
    constexpr KindOfNode most_inputs_told_apart = 255;
    std::vector<KindOfNode> kinds(network.nodes, 0);
    std::vector<KindOfNode> level(network.nodes, 0);
    for (std::uint32_t node = network.first_move; node < network.first_gate; ++node) kinds[node] = 1;
    for (const auto& stretch : network.stretches) {
        KindOfNode last = 0;  // all gates of a loop are as far as any of them
        for (std::uint32_t gate = stretch.first; gate < stretch.last; ++gate) {
            for (const Signal s : network.inputs_of(gate))
                level[gate] = std::max(level[gate], level[s.node()] + 1);
            last = std::max(last, level[gate]);
        }
        for (std::uint32_t gate = stretch.first; gate < stretch.last; ++gate) {
            if (stretch.loop) level[gate] = last;
            const auto inputs = static_cast<KindOfNode>(network.inputs_of(gate).size());
            kinds[gate] = (level[gate] + 1) << 8 | std::min(inputs, most_inputs_told_apart);
        }
    }
    return kinds;
}

class Finder {
public:
    Finder(const Network& network, std::size_t least, const Limits& limits)
        : network_(network), least_(least), limits_(limits), sets_(kinds_of(network)) {}

    std::vector<std::optional<Count>> run() {
        known_.resize(network_.nodes);
        std::vector<std::optional<Count>> result(network_.gates());
        for (const auto& stretch : network_.stretches) {
            if (stretch.loop) continue;
            for (std::uint32_t gate = stretch.first; gate < stretch.last; ++gate) {
                if (gate % gates_between_questions == 0 && limits_.reached() != Stop::none) return result;
                find(gate);
                for (const Function& function : known_[gate]) {
                    if (function.node != 0 || !is_proper_count(function)) continue;
                    result[gate - network_.first_gate] = {sets_.of(function.set), function.holds};
                    break;
                }
            }
        }
        return result;
    }

private:
    [[nodiscard]] bool is_proper_count(const Function& function) const {
        if (sets_.size(function.set) < least_) return false;
        const auto yes = std::count(function.holds.begin(), function.holds.end(), true);
        const auto all = static_cast<std::ptrdiff_t>(function.holds.size());
        const bool at_an_end = function.holds.front() != function.holds.back();
        return yes != 0 && yes != all && !(at_an_end && (yes == 1 || yes == all - 1));
    }

    // A gate may be a function of one thing or another: of what its inputs count, or of its inputs. Several are
    // kept, since only with one of them the chain may go on.
    void find(std::uint32_t gate) {
        const auto inputs = network_.inputs_of(gate);
        if (inputs.size() < 2 || inputs.size() > most_inputs) return;
        std::vector<Function> found;
        for (std::size_t choice = 0; choice <= known_[inputs.front().node()].size(); ++choice)
            found.push_back(function_of(inputs.front(), choice));
        for (const Signal input : inputs.subspan(1)) {
            std::vector<Function> longer;
            for (const Function& function : found) {
                for (std::size_t choice = 0; choice <= known_[input.node()].size(); ++choice) {
                    Function both = function;
                    if (!add(both, function_of(input, choice))) continue;
                    if (std::find(longer.begin(), longer.end(), both) == longer.end())
                        longer.push_back(std::move(both));
                }
            }
            found = std::move(longer);
            keep_best(found);
            if (found.empty()) return;
        }
        known_[gate] = std::move(found);
    }

    // Rather those of things that are alike, and of many things.
    void keep_best(std::vector<Function>& functions) const {
        if (functions.size() < 2) return;
        std::stable_sort(functions.begin(), functions.end(), [&](const Function& a, const Function& b) {
            if (alike(a) != alike(b)) return alike(a);
            return sets_.size(a.set) > sets_.size(b.set);
        });
        if (functions.size() > most_functions) functions.resize(most_functions);
    }

    [[nodiscard]] bool alike(const Function& function) const {
        return function.node == 0 ? sets_.uniform(function.set)
                                  : sets_.uniform_with(function.set, function.node);
    }

    // What a signal is a function of; in the end, of itself.
    Function function_of(Signal signal, std::size_t choice) {
        const auto& known = known_[signal.node()];
        Function result =
            choice < known.size() ? known[choice] : Function{sets_.only(signal.node()), {false, true}};
        if (signal.negated()) {
            result.holds.flip();
            result.holds_with_it.flip();
        }
        return result;
    }

    static void intersect(std::vector<bool>& a, const std::vector<bool>& b) {
        for (std::size_t i = 0; i < a.size(); ++i) a[i] = a[i] && b[i];
    }

    // The conjunction of the two, if it is a function of this kind.
    bool add(Function& a, Function b) {
        if (b.node != 0 || (a.node == 0 && sets_.size(b.set) > sets_.size(a.set))) std::swap(a, b);
        if (a.set == b.set) {
            if (b.node != 0 && b.node != a.node) return false;
            intersect(a.holds, b.holds);
            if (a.node != 0) intersect(a.holds_with_it, b.node != 0 ? b.holds_with_it : b.holds);
            return absorb_node(a);
        }
        if (b.node != 0 || sets_.size(b.set) != 1) return false;
        const std::uint32_t node = sets_.of(b.set).front();
        if (a.node == 0) {
            if (sets_.contains(a.set, node) || sets_.size(a.set) == most_nodes) return false;
            a.node = node;
            a.holds_with_it = a.holds;
        }
        if (a.node != node) return false;
        if (!b.holds[0]) a.holds.assign(a.holds.size(), false);
        if (!b.holds[1]) a.holds_with_it.assign(a.holds.size(), false);
        return absorb_node(a);
    }

    // Takes the other node into the set where it is like the others.
    bool absorb_node(Function& function) {
        if (function.node == 0) return true;
        const std::size_t size = function.holds.size();
        for (std::size_t i = 1; i < size; ++i) {
            if (function.holds[i] != function.holds_with_it[i - 1]) return true;
        }
        function.holds.push_back(function.holds_with_it.back());
        function.set = sets_.with(function.set, function.node);
        function.node = 0;
        function.holds_with_it.clear();
        return true;
    }

    const Network& network_;
    std::size_t least_;
    const Limits& limits_;
    Sets sets_;
    std::vector<std::vector<Function>> known_;  // by node
};

}  // namespace

std::vector<std::optional<Count>> find_counts(const Network& network, std::size_t least,
                                              const Limits& limits) {
    return Finder(network, least, limits).run();
}

}  // namespace zermelo::symmetry
