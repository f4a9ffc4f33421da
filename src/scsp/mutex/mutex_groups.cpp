#include "scsp/mutex_groups.hpp"

#include <algorithm>
#include <set>

#include "scsp/mutex/candidates.hpp"
#include "scsp/mutex/induction.hpp"

namespace zermelo::scsp {

using gdl::Network;

namespace {

using Fluents = std::vector<std::uint32_t>;

constexpr std::size_t most_rounds = 100;
constexpr std::size_t most_rounds_with_phases = 12;

// The groups that are assumed, and what can take the place of those that fail. A group is proven together
// with phases; its core is what remains without them.
class Fixpoint {
public:
    Fixpoint(const gdl::Machine& machine, const MutexGroupsOptions& options)
        : network_(machine.network()),
          options_(options),
          candidates_(mutex_candidates(machine, options.limits)),
          covers_(network_.fluents.size(), 0) {}

    // First groups by themselves; then, for fluents that none of these has, groups together with phases.
    MutexGroups run() {
        for (const Fluents& candidate : candidates_.groups) {
            if (!is_part_of_one(candidate)) add(candidate, {});
        }
        found_.tried = found_.groups.size();
        prove(most_rounds);
        with_phases_ = true;
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
        found_.proven = found_.groups;
        choose_cover();
        return std::move(found_);
    }

private:
    using Pairs = std::set<MutexInduction::Pair>;

    // Proves the groups that are not proven yet, or parts of them. Without a fixpoint they all go.
    void prove(std::size_t rounds) {
        bool failed = found_.groups.size() > proven_;
        for (std::size_t i = 0; failed && i < rounds; ++i) {
            MutexInduction induction(network_, found_, proven_, options_);
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

    [[nodiscard]] Fluents phases_for(const Fluents& core) const {
        return with_phases_ ? candidates_.phases_without(core) : Fluents();
    }

    void add(const Fluents& core, const Fluents& phases) {
        Fluents fluents;
        std::ranges::set_union(core, phases, std::back_inserter(fluents));
        const auto held =
            std::ranges::count_if(fluents, [&](std::uint32_t f) { return network_.initial[f]; });
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
            std::erase_if(phases, [&](std::uint32_t phase) { return phase == f || phase == g; });
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
                add(candidate, phases_for(candidate));
        }
        Fluents rest;
        std::ranges::copy_if(fluents, std::back_inserter(rest), is_new);
        while (rest.size() > 1) {
            Fluents part;
            for (const std::uint32_t f : rest) {
                if (fits(part, f)) part.push_back(f);
            }
            std::erase_if(rest, [&](std::uint32_t f) { return std::ranges::binary_search(part, f); });
            if (part.size() > 1) add(part, phases_for(part));
        }
    }

    // Few groups that cover what all of them cover: greedily, then without those that the others make
    // superfluous. A fluent stays in one of them.
    void choose_cover() {
        auto& groups = found_.groups;
        for (std::size_t g = 0; g < groups.size(); ++g) {
            groups[g].exact = groups[g].exact && groups[g].fluents == cores_[g];
            groups[g].fluents = std::move(cores_[g]);
        }
        std::ranges::stable_sort(groups, std::greater<>(),
                                 [](const auto& group) { return group.fluents.size(); });
        std::ranges::fill(covers_, 0);
        for (const auto& group : groups) {
            for (const std::uint32_t f : group.fluents) ++covers_[f];
        }
        std::vector<MutexGroups::Group> chosen;
        for (auto& group : groups) {
            if (std::ranges::all_of(group.fluents, [&](std::uint32_t f) { return covers_[f] > 1; })) {
                remove(group.fluents);
            } else {
                chosen.push_back(std::move(group));
            }
        }
        std::vector<bool> taken(covers_.size(), false);
        groups.clear();
        for (auto& group : chosen) {
            const auto before = group.fluents.size();
            std::erase_if(group.fluents, [&](std::uint32_t f) { return taken[f]; });
            for (const std::uint32_t f : group.fluents) taken[f] = true;
            group.exact = group.exact && group.fluents.size() == before;
            if (group.fluents.size() > 1) groups.push_back(std::move(group));
        }
    }

    const Network& network_;
    const MutexGroupsOptions& options_;
    MutexCandidates candidates_;
    std::vector<std::uint32_t> covers_;  // by fluent: cores that have it
    MutexGroups found_;
    std::vector<Fluents> cores_;  // by group of `found_`
    std::size_t proven_ = 0;      // groups of `found_` that are; they come first
    bool with_phases_ = false;
};

}  // namespace

MutexGroups find_mutex_groups(const gdl::Machine& machine, const MutexGroupsOptions& options) {
    return Fixpoint(machine, options).run();
}

}  // namespace zermelo::scsp
