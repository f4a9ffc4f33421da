#include "quantified/solve.hpp"

#include <algorithm>
#include <chrono>

#include "core/clock.hpp"
#include "quantified/guide/guide.hpp"
#include "quantified/parallel/distributed_search.hpp"
#include "quantified/parallel/parallel_search.hpp"
#include "symmetry/model_symmetry.hpp"

namespace zermelo::quantified {

namespace {

constexpr std::size_t most_symmetries = 47;

// A strategy of a strategic model names its moves in the order of the play, so there moves must stay in
// place.
std::vector<model::Renaming> symmetries_for_keys(const kernel::Program& program, const Limits& limits) {
    auto result = symmetry::symmetries(program.model, program.structure, most_symmetries, limits);
    if (program.model.strategic) {
        std::erase_if(result, [&](const model::Renaming& renaming) {
            return std::any_of(program.moves.begin(), program.moves.end(),
                               [&](model::VarId v) { return renaming.image(v) != v; });
        });
    }
    return result;
}

// A guide knows the model only as long as the search runs, however that ends.
class Guided {
public:
    Guided(Guide* guide, const model::Model& model) : guide_(guide) {
        if (guide_ != nullptr) guide_->start(model);
    }
    ~Guided() {
        if (guide_ != nullptr) guide_->stop();
    }
    Guided(const Guided&) = delete;
    Guided& operator=(const Guided&) = delete;

private:
    Guide* guide_;
};

// Renamings are used only if all partners have found the same.
void agree_on(std::vector<model::Renaming>& renamings, DistributedSearch& partners) {
    Hasher hasher;
    for (const model::Renaming& renaming : renamings) {
        for (const model::VarId image : renaming.variable) hasher.add(static_cast<std::uint64_t>(image));
        for (const auto& [variable, values] : renaming.values) {
            hasher.add(static_cast<std::uint64_t>(variable));
            for (const auto& [value, image] : values) {
                hasher.add(static_cast<std::uint64_t>(value));
                hasher.add(static_cast<std::uint64_t>(image));
            }
        }
    }
    const Hash128 mine = hasher.value();
    const auto raw = std::as_bytes(std::span(&mine, 1));
    for (const Bytes& bytes : partners.gather(raw)) {
        if (!std::ranges::equal(bytes, raw)) renamings.clear();
    }
}

// All partners sum up the statistics of all, and stop if one had to stop.
void share(Answer& answer, DistributedSearch& partners) {
    struct Summary {
        SearchStatistics statistics;
        Stop stop;
    };
    const Summary mine{answer.statistics, answer.stop};
    answer.statistics = {};
    for (const Bytes& bytes : partners.gather(std::as_bytes(std::span(&mine, 1)))) {
        std::span<const std::byte> rest = bytes;
        const auto summary = take<Summary>(rest);
        answer.statistics += summary.statistics;
        answer.stop = std::max(answer.stop, summary.stop);
    }
    answer.statistics.wall_seconds = mine.statistics.wall_seconds;
    if (answer.stop != Stop::none) answer.verdict = Verdict::unknown;
}

template <kernel::Kernel K>
Answer solve_with(const kernel::Program& program, const SolveOptions& options, SharedSearchState& shared) {
    if (options.partners != nullptr) return solve_distributed<K>(program, options, shared);
    return solve_in_parallel<K>(program, options, shared, {});
}

bool has_rules(const model::Model& model) {
    return std::ranges::any_of(model.prefix,
                               [](const model::Block& block) { return block.rule.has_value(); });
}

}  // namespace

Answer solve(const model::Model& model, const SolveOptions& asked) {
    const auto start = Clock::now();
    const double cpu_start = cpu_seconds();
    SolveOptions options = asked;
    // The copying kernel propagates the rules as they stand: the second opinion shares as little as it can. What
    // learns needs to know why a move is legal, which rules in one direction do not tell.
    const bool may_halve = options.half_reified && options.kernel == KernelChoice::trail;
    if (options.learning == Learning::automatic && may_halve && has_rules(model))
        options.learning = Learning::off;
    const bool half = may_halve && options.learning == Learning::off;
    const kernel::Program program(
        model, half ? kernel::Program::Rules::half_reified : kernel::Program::Rules::reified);
    std::vector<model::Renaming> renamings;
    if (options.symmetry) renamings = symmetries_for_keys(program, options.limits);
    if (options.partners != nullptr) agree_on(renamings, *options.partners);
    const auto used = renamings.size();
    const bool alone = options.observer != nullptr || options.check_cuts;
    SharedSearchState shared(alone ? 1 : std::max(1U, options.threads), options.goods_bytes,
                             std::move(renamings));
    Answer answer;
    {
        const Guided guided(options.guide, model);
        answer = options.kernel == KernelChoice::trail
                     ? solve_with<kernel::trail::Kernel>(program, options, shared)
                     : solve_with<kernel::gecode::Kernel>(program, options, shared);
    }
    answer.kernel = options.kernel;
    answer.statistics.symmetries = used;
    answer.statistics.cpu_seconds = cpu_seconds() - cpu_start;
    answer.statistics.wall_seconds = seconds_since(start);
    if (options.partners != nullptr) share(answer, *options.partners);
    return answer;
}

SearchStatistics& SearchStatistics::operator+=(const SearchStatistics& part) {
    nodes += part.nodes;
    choices += part.choices;
    splits += part.splits;
    blocked += part.blocked;
    failures += part.failures;
    successes += part.successes;
    illegal += part.illegal;
    cuts += part.cuts;
    pure += part.pure;
    propagations += part.propagations;
    copies += part.copies;
    for (std::size_t kind = 0; kind < foreign.size(); ++kind)
        foreign[kind] = std::max(foreign[kind], part.foreign[kind]);
    depth = std::max(depth, part.depth);
    goods += part.goods;
    nogoods += part.nogoods;
    lookups += part.lookups;
    stored += part.stored;
    backjumps += part.backjumps;
    learned_hits += part.learned_hits;
    learned += part.learned;
    learned_moves += part.learned_moves;
    collections += part.collections;
    consistency += part.consistency;
    by_propagation += part.by_propagation;
    by_values += part.by_values;
    by_search += part.by_search;
    nested_nodes += part.nested_nodes;
    inconsistent += part.inconsistent;
    deferred += part.deferred;
    symmetries = std::max(symmetries, part.symmetries);
    cpu_seconds += part.cpu_seconds;
    wall_seconds += part.wall_seconds;
    return *this;
}

namespace {

// The model with the further demand that the objective reaches `threshold`.
model::Model demanding(model::Model model, model::Value threshold) {
    const model::VarId objective = *model.objective;
    if (model.domain(objective).single()) {
        if (model.domain(objective).low() < threshold) model.win.push_back(model.literal(false));
        return model;
    }
    model::Linear reached{{{-1, objective}}, model::Relation::at_most, -threshold, std::nullopt};
    if (model.has_universal_rules()) {
        const model::VarId literal = model.add_variable("threshold reached", model::Domain(0, 1), true);
        reached.reified = model::Literal{literal};
        model.constraints.push_back({std::move(reached), {}, literal});
        model.win.push_back({literal});
    } else {
        model.constraints.push_back({std::move(reached)});
    }
    return model;
}

}  // namespace

Answer maximise(const model::Model& model, const SolveOptions& options) {
    if (!model.objective) throw Error({model.name}, "there is nothing to maximise", "name an objective");
    const model::Domain reachable = analyse(model).domain[*model.objective];
    model::Value low = reachable.low();
    model::Value high = reachable.high();

    Answer best = solve(model, options);
    SearchStatistics total = best.statistics;
    if (best.verdict == Verdict::won) best.best = low;
    // ∃ can guarantee `low`, but not more than `high`.
    while (best.verdict == Verdict::won && low < high) {
        const model::Value threshold = low + (high - low + 1) / 2;
        Answer answer = solve(demanding(model, threshold), options);
        total += answer.statistics;
        if (answer.verdict == Verdict::unknown) {
            best.verdict = Verdict::unknown;
            best.stop = answer.stop;
        } else if (answer.verdict == Verdict::won) {
            best = std::move(answer);
            best.best = low = threshold;
        } else {
            high = threshold - 1;
        }
    }
    if (best.best && model.minimises) best.best = -*best.best;
    best.statistics = total;
    return best;
}

const char* name(KernelChoice kernel) { return kernel == KernelChoice::trail ? "trail" : "gecode"; }

const char* name(Verdict verdict) {
    switch (verdict) {
        case Verdict::won:
            return "won";
        case Verdict::lost:
            return "lost";
        case Verdict::unknown:
            break;
    }
    return "unknown";
}

}  // namespace zermelo::quantified
