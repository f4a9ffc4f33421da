#include "scsp/mutex_groups.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "scsp/mutex/candidates.hpp"
#include "scsp/mutex/conditions.hpp"
#include "scsp/mutex/induction.hpp"

namespace zermelo::scsp {

using gdl::Network;

namespace {

using Fluents = std::vector<std::uint32_t>;

constexpr std::size_t most_rounds = 100;
constexpr std::size_t most_rounds_with_phases = 12;
constexpr std::size_t most_with_conditions = 200;  // groups
constexpr std::size_t least_with_conditions = 3;   // fluents: of pairs there are many, and they save little

// The groups that are assumed, and what can take the place of those that fail. A group is proven together
// with phases and conditions; its core is what remains without them.
class Fixpoint {
public:
    Fixpoint(const gdl::Machine& machine, const MutexGroupsOptions& options)
        : network_(machine.network()),
          options_(options),
          candidates_(mutex_candidates(machine, options.limits)),
          conditions_(network_, candidates_),
          covers_(network_.fluents.size(), 0) {}

    // First groups by themselves; then, for fluents that none of these has, groups together with phases; and then those
    // that are still not one group, also with conditions.
    MutexGroups run() {
        for (const Fluents& candidate : candidates_.groups) {
            if (!is_part_of_one(candidate)) add(candidate, {});
        }
        found_.tried = found_.groups.size();
        prove(most_rounds);
        extent_ = Extent::phases;
        const auto is_new = [&](std::uint32_t f) { return covers_[f] == 0; };
        std::vector<Fluents> parts;
        for (const Fluents& candidate : candidates_.groups) {
            if (std::ranges::any_of(candidate, is_new)) parts.push_back(candidate);
        }
        for (std::uint32_t f = 0; f < covers_.size(); ++f) {
            if (is_new(f)) parts.push_back({f});
        }
        for (const Fluents& part : parts) {
            const Fluents phases = candidates_.phases_without(part);
            if (!phases.empty() && !is_part_of_one(part)) add(part, phases);
        }
        prove(most_rounds_with_phases);
        extent_ = Extent::conditions;
        add_with_conditions();
        prove(most_rounds_with_phases);
        found_.proven = found_.groups;
        found_.groups = cover();
        return std::move(found_);
    }

private:
    using Pairs = std::set<MutexInduction::Pair>;
    using Groups = std::vector<MutexGroups::Group>;

    // Groups that would take the place of two variables or more, as things are.
    void add_with_conditions() {
        std::vector<std::uint32_t> variable_of(network_.fluents.size());
        std::vector<std::size_t> size(network_.fluents.size(), 1);
        for (std::uint32_t f = 0; f < variable_of.size(); ++f) variable_of[f] = f;
        for (const auto& group : cover()) {
            for (const std::uint32_t f : group.fluents) variable_of[f] = group.fluents.front();
            size[group.fluents.front()] = group.fluents.size();
        }
        std::vector<bool> met(network_.fluents.size(), false);
        std::size_t added = 0;
        for (const Fluents& candidate : candidates_.groups) {
            if (candidate.size() < least_with_conditions) break;  // they are sorted
            std::map<std::uint32_t, std::size_t> parts;
            for (const std::uint32_t f : candidate) ++parts[variable_of[f]];
            const auto whole = std::ranges::count_if(
                parts, [&](const auto& part) { return part.second == size[part.first]; });
            const auto is_met = [&](std::uint32_t f) { return met[f]; };
            if (whole < 2 || is_part_of_one(candidate) || std::ranges::all_of(candidate, is_met)) continue;
            for (const std::uint32_t f : candidate) met[f] = true;
            add(candidate, outside_of(candidate));
            if (++added == most_with_conditions) break;
        }
        if (added == 0) return;
        // Of groups that are proven already, what else is known may matter to the others.
        for (std::size_t g = 0; g < proven_ && added < most_with_conditions; ++g) {
            const Fluents core = cores_[g];
            Fluents outside;
            for (auto& condition : conditions_.without(core, {}))
                outside.push_back(number_of(std::move(condition)));
            if (outside.empty()) continue;
            std::ranges::sort(outside);
            add(core, outside);
            ++added;
        }
        for (const auto& phase : candidates_.phases) {
            for (auto& condition : conditions_.without(phase.fluent))
                add({phase.fluent}, {number_of(std::move(condition))});
        }
    }

    // Proves the groups that are not proven yet, or parts of them. Without a fixpoint they all go.
    void prove(std::size_t rounds) {
        bool failed = found_.groups.size() > proven_;
        for (std::size_t i = 0; failed && i < rounds; ++i) {
            MutexInduction induction(network_, found_, proven_, options_, extent_ == Extent::conditions);
            ++found_.rounds;
            const bool done = induction.run();
            found_.nodes += induction.nodes();
            if (!done) break;
            failed = replace_failed(induction);
        }
        for (std::size_t g = proven_; failed && g < cores_.size(); ++g) remove(cores_[g]);
        if (failed) found_.groups.resize(proven_);
        if (failed) cores_.resize(proven_);
        proven_ = found_.groups.size();
    }

    // The phases and conditions that a group may be proven with.
    [[nodiscard]] Fluents outside_of(const Fluents& core) {
        if (extent_ == Extent::fluents) return {};
        Fluents result = candidates_.phases_without(core);
        if (extent_ == Extent::phases) return result;
        for (auto& condition : conditions_.without(core, result))
            result.push_back(number_of(std::move(condition)));
        std::ranges::sort(result);
        return result;
    }

    [[nodiscard]] std::uint32_t number_of(MutexGroups::Condition&& condition) {
        const auto known = std::ranges::find(found_.conditions, condition);
        const auto number = static_cast<std::size_t>(known - found_.conditions.begin());
        if (known == found_.conditions.end()) found_.conditions.push_back(std::move(condition));
        return static_cast<std::uint32_t>(network_.fluents.size() + number);
    }

    [[nodiscard]] bool holds_first(std::uint32_t member) const {
        const std::size_t fluents = network_.fluents.size();
        if (member < fluents) return network_.initial[member];
        return std::ranges::all_of(found_.conditions[member - fluents], [&](gdl::Signal s) {
            return network_.initial[s.node() - 1] != s.negated();
        });
    }

    void add(const Fluents& core, const Fluents& outside) {
        Fluents fluents;
        std::ranges::set_union(core, outside, std::back_inserter(fluents));
        const auto held = std::ranges::count_if(fluents, [&](std::uint32_t f) { return holds_first(f); });
        if (held > 1) return;
        for (const std::uint32_t f : core) ++covers_[f];
        found_.groups.push_back({std::move(fluents), held == 1});
        cores_.push_back(core);
    }
    void remove(const Fluents& core) {
        for (const std::uint32_t f : core) --covers_[f];
    }
    [[nodiscard]] bool is_part_of_one(const Fluents& fluents) const {
        return std::ranges::any_of(cores_, [&](const Fluents& core) {
            return core.size() >= fluents.size() && std::ranges::includes(core, fluents);
        });
    }

    // Takes the groups out that were not proven, and puts parts in their places.
    bool replace_failed(const MutexInduction& induction) {
        bool failed = false;
        struct Gone {
            Fluents core;
            Fluents fluents;
            const Pairs& unproven;
        };
        std::vector<Gone> gone;
        std::vector<MutexGroups::Group> kept;
        std::vector<Fluents> kept_cores;
        for (std::size_t g = 0; g < found_.groups.size(); ++g) {
            MutexGroups::Group& group = found_.groups[g];
            if (!induction.unproven()[g].empty()) {
                remove(cores_[g]);
                gone.push_back({std::move(cores_[g]), std::move(group.fluents), induction.unproven()[g]});
                continue;
            }
            failed = failed || group.exact != induction.exact()[g];
            group.exact = induction.exact()[g];
            kept.push_back(std::move(group));
            kept_cores.push_back(std::move(cores_[g]));
        }
        found_.groups = std::move(kept);
        cores_ = std::move(kept_cores);
        for (const auto& [core, fluents, unproven] : gone) {
            if (!add_with_fewer_phases(core, fluents, unproven)) add_parts(core, unproven);
        }
        return failed || !gone.empty();
    }

    // Where only phases do not fit, they go.
    bool add_with_fewer_phases(const Fluents& core, const Fluents& fluents, const Pairs& unproven) {
        const auto in_core = [&](std::uint32_t f) { return std::ranges::binary_search(core, f); };
        Fluents phases;
        std::ranges::copy_if(fluents, std::back_inserter(phases), [&](auto f) { return !in_core(f); });
        for (const auto& [f, g] : unproven) {
            if (in_core(f) && in_core(g)) return false;
            std::erase(phases, f);
            std::erase(phases, g);
        }
        if (core.size() > 1 || !phases.empty()) add(core, phases);
        return true;
    }

    // Where no other group has the fluents, parts that have no unproven pair take their place: candidates,
    // then what is left, greedily.
    void add_parts(const Fluents& fluents, const Pairs& unproven) {
        const auto is_new = [&](std::uint32_t f) { return covers_[f] == 0; };
        const auto fits = [&](const Fluents& part, std::uint32_t f) {
            return std::ranges::none_of(
                part, [&](std::uint32_t g) { return unproven.contains(std::minmax(f, g)); });
        };
        for (const Fluents& candidate : candidates_.groups) {
            if (std::ranges::none_of(fluents, is_new)) return;
            if (candidate.size() >= fluents.size() || !std::ranges::includes(fluents, candidate)) continue;
            if (std::ranges::none_of(candidate, is_new) || is_part_of_one(candidate)) continue;
            if (std::ranges::all_of(candidate, [&](std::uint32_t f) { return fits(candidate, f); }))
                add(candidate, outside_of(candidate));
        }
        Fluents rest;
        std::ranges::copy_if(fluents, std::back_inserter(rest), is_new);
        while (rest.size() > 1) {
            Fluents part;
            for (const std::uint32_t f : rest) {
                if (fits(part, f)) part.push_back(f);
            }
            std::erase_if(rest, [&](std::uint32_t f) { return std::ranges::binary_search(part, f); });
            if (part.size() > 1) add(part, outside_of(part));
        }
    }

    // Few groups that cover what all of them cover, each fluent in one of them: the better of two ways.
    [[nodiscard]] Groups cover() const {
        Groups groups = found_.groups;
        for (std::size_t g = 0; g < groups.size(); ++g) {
            groups[g].exact = groups[g].exact && groups[g].fluents == cores_[g];
            groups[g].fluents = cores_[g];
        }
        std::ranges::stable_sort(groups, std::greater<>(),
                                 [](const auto& group) { return group.fluents.size(); });
        Groups needed = without_superfluous(groups, covers_.size());
        Groups greedy = greatest_first(groups, covers_.size());
        return variables(greedy) < variables(needed) ? greedy : needed;
    }

    // Without those, the largest first, that the others make superfluous.
    [[nodiscard]] static Groups without_superfluous(const Groups& groups, std::size_t fluents) {
        std::vector<std::uint32_t> covers(fluents, 0);
        for (const auto& group : groups) {
            for (const std::uint32_t f : group.fluents) ++covers[f];
        }
        Groups chosen;
        std::vector<bool> taken(fluents, false);
        std::vector<const MutexGroups::Group*> needed;
        for (const auto& group : groups) {
            const bool superfluous =
                std::ranges::all_of(group.fluents, [&](std::uint32_t f) { return covers[f] > 1; });
            if (!superfluous) needed.push_back(&group);
            for (const std::uint32_t f : group.fluents) covers[f] -= superfluous ? 1 : 0;
        }
        for (const MutexGroups::Group* group : needed) take(*group, taken, chosen);
        return chosen;
    }

    // Always the one with the most fluents that are not covered yet.
    [[nodiscard]] static Groups greatest_first(const Groups& groups, std::size_t fluents) {
        Groups chosen;
        std::vector<bool> taken(fluents, false);
        std::vector<bool> used(groups.size(), false);
        for (;;) {
            std::size_t best = groups.size();
            std::ptrdiff_t most = 1;
            for (std::size_t g = 0; g < groups.size(); ++g) {
                if (used[g] || static_cast<std::ptrdiff_t>(groups[g].fluents.size()) <= most) continue;
                const auto left =
                    std::ranges::count_if(groups[g].fluents, [&](std::uint32_t f) { return !taken[f]; });
                if (left <= most) continue;
                best = g;
                most = left;
            }
            if (best == groups.size()) return chosen;
            used[best] = true;
            take(groups[best], taken, chosen);
        }
    }

    // What nobody has taken of the group.
    static void take(MutexGroups::Group group, std::vector<bool>& taken, Groups& chosen) {
        const auto before = group.fluents.size();
        std::erase_if(group.fluents, [&](std::uint32_t f) { return taken[f]; });
        for (const std::uint32_t f : group.fluents) taken[f] = true;
        group.exact = group.exact && group.fluents.size() == before;
        if (group.fluents.size() > 1) chosen.push_back(std::move(group));
    }

    // Of a state, less those of fluents in no group.
    [[nodiscard]] static std::ptrdiff_t variables(const Groups& groups) {
        std::ptrdiff_t result = 0;
        for (const auto& group : groups) result += 1 - static_cast<std::ptrdiff_t>(group.fluents.size());
        return result;
    }

    enum class Extent { fluents, phases, conditions };

    const Network& network_;
    const MutexGroupsOptions& options_;
    MutexCandidates candidates_;
    MutexConditions conditions_;
    std::vector<std::uint32_t> covers_;  // by fluent: cores that have it
    MutexGroups found_;
    std::vector<Fluents> cores_;       // by group of `found_`
    std::size_t proven_ = 0;           // groups of `found_` that are; they come first
    Extent extent_ = Extent::fluents;  // of what groups are proven with
};

}  // namespace

bool MutexGroups::holds(std::uint32_t member, const gdl::State& state, std::size_t fluents) const {
    const auto held = [&](std::uint32_t f) { return (state[f / 64] >> (f % 64) & 1) != 0; };
    if (member < fluents) return held(member);
    return std::ranges::all_of(conditions[member - fluents],
                               [&](gdl::Signal s) { return held(s.node() - 1) != s.negated(); });
}

MutexGroups find_mutex_groups(const gdl::Machine& machine, const MutexGroupsOptions& options) {
    return Fixpoint(machine, options).run();
}

}  // namespace zermelo::scsp
