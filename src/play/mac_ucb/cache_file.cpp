#include "play/mac_ucb/cache_file.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "game/explore/checkpoint.hpp"
#include "game/views/gdl_game.hpp"

namespace zermelo::play {

namespace {

constexpr std::uint32_t cache_version = 1;  // of what a micro-SCSP is stored as
constexpr const char* cache_kind = "mac-ucb cache";
constexpr const char* cache_section = "micro-SCSPs";

game::CheckpointSubject subject_of(const GameContext& rules) {
    return {cache_kind, game::GdlGame(rules.game()).fingerprint()};
}

// Solutions that lead to something unknown are forgotten. The value stays, because solutions that lead here may
// count on it.
void open_again(MicroNode& node) {
    node.resolved = node.exact = false;
    node.choosers.clear();
    node.solutions.clear();
    node.outcomes.clear();
    node.certain.reset();
}

struct Flags {
    static constexpr int over = 1;
    static constexpr int resolved = 2;
    static constexpr int too_wide = 4;
    static constexpr int exact = 8;
    static constexpr int certain = 16;
    static constexpr int value = 32;
};

struct StoredArm {
    std::uint32_t move;
    std::uint32_t visits;
    double sum;
};
struct StoredOutcome {
    std::uint64_t child;
    double probability;
};
struct StoredSolution {
    std::uint32_t first_outcome;
    std::uint32_t outcomes;
    std::uint32_t twin_of;
    std::uint32_t exact;
};

class CacheWriter {
public:
    CacheWriter(const std::string& file, const GameContext& rules) : out_(file, subject_of(rules)) {}

    // `number` tells the place of a child in the file.
    template <class Number>
    void write(const std::vector<MicroNode>& nodes, Number number) {
        out_.section(cache_section);
        out_.put(cache_version);
        out_.put(std::uint64_t{nodes.size()});
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const MicroNode& node = nodes[i];
            put_what_is_known(node);
            if (node.resolved) put_solutions(node, [&](MicroId child) { return number(i, child); });
        }
        out_.commit();
    }

private:
    void put_what_is_known(const MicroNode& node) {
        out_.put(static_cast<std::uint8_t>(
            (node.over ? Flags::over : 0) | (node.resolved ? Flags::resolved : 0) |
            (node.too_wide ? Flags::too_wide : 0) | (node.exact ? Flags::exact : 0) |
            (node.certain ? Flags::certain : 0) | (node.value.empty() ? 0 : Flags::value)));
        out_.put(node.visits);
        out_.put_all(std::span(node.sum));
        out_.put_all(std::span(node.value));
        put_count(node.states.size());
        for (const auto& possible : node.states) {
            out_.put_all(std::span(possible.state));
            out_.put(possible.probability);
        }
    }

    void put_count(std::size_t count) { out_.put(static_cast<std::uint32_t>(count)); }

    template <class Number>
    void put_solutions(const MicroNode& node, Number number) {
        if (node.certain) out_.put(*node.certain);
        put_count(node.choosers.size());
        for (const auto& chooser : node.choosers) {
            put_count(chooser.seat);
            put_count(chooser.arms.size());
            for (const auto& arm : chooser.arms)
                out_.put(StoredArm{static_cast<std::uint32_t>(arm.move), arm.visits, arm.sum});
        }
        put_count(node.solutions.size());
        for (const auto& solution : node.solutions)
            out_.put(StoredSolution{solution.first_outcome, solution.outcomes, solution.twin_of,
                                    solution.exact ? 1U : 0U});
        put_count(node.outcomes.size());
        for (const auto& outcome : node.outcomes)
            out_.put(StoredOutcome{number(outcome.child), outcome.probability});
    }

    game::CheckpointWriter out_;
};

// Reads one micro-SCSP after the other, and believes no number.
class CacheReader {
public:
    CacheReader(const std::string& file, const GameContext& rules)
        : rules_(rules),
          words_(rules.machine().initial().size()),
          fluents_(rules.machine().network().fluents.size()),
          in_(file, subject_of(rules)) {
        in_.section(cache_section);
        if (in_.get<std::uint32_t>() != cache_version) in_.refuse("it was written by another version");
        count_ = in_.get<std::uint64_t>();
        if (count_ > most_nodes) in_.refuse(inconsistent);
    }

    [[nodiscard]] std::uint64_t count() const { return count_; }
    void finish() { in_.finish(); }

    MicroNode next() {
        MicroNode node;
        const auto flags = in_.get<std::uint8_t>();
        node.over = (flags & Flags::over) != 0;
        node.resolved = (flags & Flags::resolved) != 0;
        node.too_wide = (flags & Flags::too_wide) != 0;
        node.exact = (flags & Flags::exact) != 0;
        read_what_is_known(node, (flags & Flags::value) != 0);
        // Over, too wide, resolved: at most one. What is exact is over or resolved, and has a value.
        const int ways = (node.over ? 1 : 0) + (node.resolved ? 1 : 0) + (node.too_wide ? 1 : 0);
        demand(ways <= 1 && (!node.exact || (!node.value.empty() && !node.too_wide && ways == 1)));
        demand(!node.over || node.exact);
        if (node.resolved) read_solutions(node, (flags & Flags::certain) != 0);
        return node;
    }

private:
    static constexpr const char* inconsistent = "its numbers contradict each other";
    static constexpr std::uint64_t most_nodes = std::uint64_t{1} << 31;

    void demand(bool fact) const {
        if (!fact) in_.refuse(inconsistent);
    }
    [[nodiscard]] double share() {  // of 1, and a little more for sums that were rounded
        const auto value = in_.get<double>();
        demand(value >= 0 && value <= 1 + 1e-6);
        return value;
    }

    void read_what_is_known(MicroNode& node, bool has_value) {
        const std::size_t seats = rules_.seats().size();
        node.visits = in_.get<std::uint64_t>();
        for (std::size_t s = 0; s < seats; ++s) node.sum.push_back(in_.get<double>());
        for (const double sum : node.sum)
            demand(sum >= 0 && sum <= 1.000001 * static_cast<double>(node.visits));
        for (std::size_t s = 0; has_value && s < seats; ++s) node.value.push_back(share());
        const auto states = in_.get<std::uint32_t>();
        demand(states > 0);
        for (std::uint32_t i = 0; i < states; ++i) {
            State state;
            in_.append(state, words_);
            demand(fluents_ % 64 == 0 || state.empty() || state.back() >> (fluents_ % 64) == 0);
            node.states.push_back({std::move(state), 0});
            node.states.back().probability = share();
        }
    }

    void read_solutions(MicroNode& node, bool has_certain) {
        if (has_certain) node.certain = in_.get<std::uint32_t>();
        const auto choosers = in_.get<std::uint32_t>();
        demand(choosers <= rules_.seats().size());
        std::uint64_t combinations = 1;
        for (std::uint32_t i = 0; i < choosers; ++i) combinations *= read_chooser(node, combinations);
        read_all_solutions(node, combinations);
        read_outcomes(node);
        for (std::uint32_t i = 0; i < node.solutions.size(); ++i) {
            const auto& solution = node.solutions[i];
            demand(solution.outcomes > 0 && solution.twin_of <= i &&
                   node.solutions[solution.twin_of].twin_of == solution.twin_of);
            demand(std::uint64_t{solution.first_outcome} + solution.outcomes <= node.outcomes.size());
        }
        demand(!node.certain || (choosers == 1 && *node.certain < node.solutions.size() &&
                                 node.solutions[*node.certain].exact));
    }

    // Tells the number of its arms.
    std::uint64_t read_chooser(MicroNode& node, std::uint64_t stride) {
        const auto seat = in_.get<std::uint32_t>();
        const auto arms = in_.get<std::uint32_t>();
        demand(seat < rules_.seats().size() && arms > 0 && stride * arms <= most_nodes);
        demand(std::ranges::find(node.choosers, seat, &MicroNode::Chooser::seat) == node.choosers.end());
        MicroNode::Chooser chooser{seat, static_cast<std::uint32_t>(stride), {}};
        const auto moves = rules_.machine().network().moves[rules_.seats()[seat]].size();
        for (std::uint32_t i = 0; i < arms; ++i) {
            const auto arm = in_.get<StoredArm>();
            demand(arm.move < moves && arm.sum >= 0 && arm.sum <= 1.000001 * arm.visits);
            chooser.arms.push_back({.move = arm.move, .visits = arm.visits, .sum = arm.sum});
        }
        node.choosers.push_back(std::move(chooser));
        return arms;
    }

    void read_all_solutions(MicroNode& node, std::uint64_t expected) {
        const auto count = in_.get<std::uint32_t>();
        demand(count == expected);
        for (std::uint32_t i = 0; i < count; ++i) {
            const auto one = in_.get<StoredSolution>();
            demand(one.exact <= 1);
            node.solutions.push_back({.first_outcome = one.first_outcome,
                                      .outcomes = one.outcomes,
                                      .exact = one.exact == 1,
                                      .twin_of = one.twin_of});
        }
    }

    void read_outcomes(MicroNode& node) {
        const auto count = in_.get<std::uint32_t>();
        for (std::uint32_t i = 0; i < count; ++i) {
            const auto one = in_.get<StoredOutcome>();
            demand(one.child < count_ && one.probability >= 0 && one.probability <= 1 + 1e-6);
            node.outcomes.push_back({static_cast<MicroId>(one.child), one.probability});
        }
    }

    const GameContext& rules_;
    const std::size_t words_;
    const std::size_t fluents_;
    game::CheckpointReader in_;
    std::uint64_t count_ = 0;
};

bool leads_out(const MicroNode& node, std::size_t known) {
    return std::ranges::any_of(node.outcomes, [&](const auto& outcome) { return outcome.child >= known; });
}

// A solution counts as exact only if what it leads to has a value.
bool is_sound(const MicroNode& node, const std::vector<MicroNode>& nodes) {
    return std::ranges::all_of(node.solutions, [&](const MicroNode::Solution& solution) {
        return !solution.exact || std::ranges::all_of(node.outcomes_of(solution), [&](const auto& outcome) {
            return !nodes[outcome.child].value.empty();
        });
    });
}

}  // namespace

MicroTree read_cache(const std::string& file, const GameContext& rules, std::size_t memory) {
    MicroTree tree;
    if (!std::filesystem::exists(file)) return tree;
    CacheReader reader(file, rules);
    std::vector<MicroNode> nodes;
    std::size_t bytes = 0;
    for (std::uint64_t i = 0; i < reader.count(); ++i) {
        MicroNode node = reader.next();
        bytes += MicroTree::bytes_of(node);
        if (bytes <= memory) nodes.push_back(std::move(node));
    }
    reader.finish();
    for (MicroNode& node : nodes) {
        if (leads_out(node, nodes.size())) open_again(node);
    }
    for (MicroNode& node : nodes) {
        if (!is_sound(node, nodes)) throw Error({file}, "the cache contradicts itself", "remove the file");
    }
    for (MicroNode& node : nodes) {
        const Hash128 key = key_of(node.states, rules.hidden());
        tree.add(key, std::move(node));
    }
    return tree;
}

namespace {

// Micro-SCSPs of several caches, each once.
class CacheUnion {
public:
    struct Member {
        const MicroNode* node;
        const MicroTree* tree;
        Hash128 key;
    };

    explicit CacheUnion(bool hidden) : hidden_(hidden) {}

    void add(const MicroTree& tree) {
        for (MicroId id = 0; id < tree.size(); ++id) {
            const MicroNode& node = tree[id];
            const Hash128 key = key_of(node.states, hidden_);
            const auto [at, added] = place_.try_emplace(key, members_.size());
            if (added)
                members_.push_back({&node, &tree, key});
            else if (knows_more(node, *members_[at->second].node))
                members_[at->second] = {&node, &tree, key};
        }
    }

    // The most visited ones that fit.
    [[nodiscard]] std::vector<Member> most_visited(std::size_t memory) {
        std::ranges::stable_sort(members_, std::greater<>(),
                                 [](const Member& one) { return one.node->visits; });
        std::size_t bytes = 0;
        std::size_t kept = 0;
        while (kept < members_.size() && (bytes += MicroTree::bytes_of(*members_[kept].node)) <= memory)
            ++kept;
        members_.resize(kept);
        return std::move(members_);
    }

private:
    static bool knows_more(const MicroNode& a, const MicroNode& b) {
        const auto rank = [](const MicroNode& node) {
            return std::tuple(node.exact, !node.value.empty(), node.resolved, node.visits);
        };
        return rank(a) > rank(b);
    }

    bool hidden_;
    std::vector<Member> members_;
    std::unordered_map<Hash128, std::size_t, LowBitsHash> place_;
};

}  // namespace

void write_cache(const std::string& file, const GameContext& rules, const MicroTree& tree,
                 std::size_t memory) {
    const MicroTree before = read_cache(file, rules, memory);
    CacheUnion all(rules.hidden());
    all.add(before);
    all.add(tree);
    const auto members = all.most_visited(memory);
    std::unordered_map<Hash128, std::uint64_t, LowBitsHash> numbers;
    for (std::size_t i = 0; i < members.size(); ++i) numbers[members[i].key] = i;
    const auto child_key = [&](std::size_t i, MicroId child) {
        return key_of((*members[i].tree)[child].states, rules.hidden());
    };
    std::vector<MicroNode> nodes;
    for (std::size_t i = 0; i < members.size(); ++i) {
        MicroNode& node = nodes.emplace_back(*members[i].node);
        const auto is_unknown = [&](const auto& outcome) {
            return !numbers.contains(child_key(i, outcome.child));
        };
        if (std::ranges::any_of(node.outcomes, is_unknown)) open_again(node);
    }
    CacheWriter(file, rules).write(nodes, [&](std::size_t i, MicroId child) {
        return numbers.at(child_key(i, child));
    });
}

}  // namespace zermelo::play
