#include "scsp/mutex_groups.hpp"

#include <algorithm>
#include <set>

#include "scsp/mutex_candidates.hpp"
#include "scsp/mutex_induction.hpp"

namespace zermelo::scsp {

using gdl::Network;

namespace {

using Fluents = std::vector<std::uint32_t>;

// The groups that are assumed, and what can take the place of those that fail.
class Fixpoint {
public:
    Fixpoint(const gdl::Machine& machine, const MutexGroupsOptions& options)
        : network_(machine.network()),
          options_(options),
          candidates_(mutex_candidates(machine, options.limits)),
          covers_(network_.fluents.size(), 0) {
        for (const Fluents& candidate : candidates_) {
            if (!is_part_of_one(candidate)) add(candidate);
        }
        found_.tried = found_.groups.size();
    }

    MutexGroups run() {
        for (bool failed = true; failed && !found_.groups.empty();) {
            MutexInduction induction(network_, found_, options_);
            ++found_.rounds;
            const bool done = induction.run();
            found_.nodes += induction.nodes();
            if (!done) {
                found_.groups.clear();
                break;
            }
            failed = replace_failed(induction);
        }
        choose_cover();
        return std::move(found_);
    }

private:
    void add(const Fluents& fluents) {
        const auto held =
            std::ranges::count_if(fluents, [&](std::uint32_t f) { return network_.initial[f]; });
        for (const std::uint32_t f : fluents) ++covers_[f];
        found_.groups.push_back({fluents, held == 1});
    }
    void remove(const Fluents& fluents) {
        for (const std::uint32_t f : fluents) --covers_[f];
    }
    [[nodiscard]] bool is_part_of_one(const Fluents& fluents) const {
        return std::ranges::any_of(found_.groups, [&](const auto& group) {
            return group.fluents.size() >= fluents.size() &&
                   std::ranges::includes(group.fluents, fluents);
        });
    }

    // Takes the groups out that were not proven. Where no other group has their fluents, parts of them that
    // have no unproven pair take their place: candidates, then what is left, greedily.
    bool replace_failed(const MutexInduction& induction) {
        bool failed = false;
        std::vector<std::pair<Fluents, std::set<MutexInduction::Pair>>> gone;
        std::vector<MutexGroups::Group> kept;
        for (std::size_t g = 0; g < found_.groups.size(); ++g) {
            MutexGroups::Group& group = found_.groups[g];
            if (!induction.unproven()[g].empty()) {
                remove(group.fluents);
                gone.emplace_back(std::move(group.fluents), induction.unproven()[g]);
                continue;
            }
            failed = failed || group.exact != induction.exact()[g];
            group.exact = induction.exact()[g];
            kept.push_back(std::move(group));
        }
        found_.groups = std::move(kept);
        for (const auto& [fluents, unproven] : gone) add_parts(fluents, unproven);
        return failed || !gone.empty();
    }

    void add_parts(const Fluents& fluents, const std::set<MutexInduction::Pair>& unproven) {
        const auto is_new = [&](std::uint32_t f) { return covers_[f] == 0; };
        const auto fits = [&](const Fluents& part, std::uint32_t f) {
            return std::ranges::none_of(
                part, [&](std::uint32_t g) { return unproven.contains(std::minmax(f, g)); });
        };
        for (const Fluents& candidate : candidates_) {
            if (std::ranges::none_of(fluents, is_new)) return;
            if (candidate.size() >= fluents.size() || !std::ranges::includes(fluents, candidate)) continue;
            if (std::ranges::none_of(candidate, is_new) || is_part_of_one(candidate)) continue;
            if (std::ranges::all_of(candidate, [&](std::uint32_t f) { return fits(candidate, f); }))
                add(candidate);
        }
        Fluents rest;
        std::ranges::copy_if(fluents, std::back_inserter(rest), is_new);
        while (rest.size() > 1) {
            Fluents part;
            for (const std::uint32_t f : rest) {
                if (fits(part, f)) part.push_back(f);
            }
            std::erase_if(rest, [&](std::uint32_t f) { return std::ranges::binary_search(part, f); });
            if (part.size() > 1) add(part);
        }
    }

    // Few groups that cover what all of them cover: greedily, then without those that the others make
    // superfluous. A fluent stays in one of them.
    void choose_cover() {
        auto& groups = found_.groups;
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
    std::vector<Fluents> candidates_;
    std::vector<std::uint32_t> covers_;  // by fluent: groups of `found_` that have it
    MutexGroups found_;
};

}  // namespace

MutexGroups find_mutex_groups(const gdl::Machine& machine, const MutexGroupsOptions& options) {
    return Fixpoint(machine, options).run();
}

}  // namespace zermelo::scsp
