#include "quantified/solve.hpp"

#include <chrono>

#include "core/deep_stack.hpp"
#include "quantified/search.hpp"

namespace zermelo {

Answer solve(const Model& model, const SolveOptions& options) {
    const auto start = std::chrono::steady_clock::now();
    const double cpu_start = cpu_seconds();
    const Program program(model);
    Answer answer;
    with_deep_stack(program.moves.size(), [&] { answer = Search(program, options).run(); });
    answer.statistics.cpu_seconds = cpu_seconds() - cpu_start;
    answer.statistics.wall_seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return answer;
}

namespace {

// The model with the further demand that the objective reaches `threshold`.
Model demanding(Model model, Value threshold) {
    const VarId objective = *model.objective;
    if (model.domain(objective).single()) {
        if (model.domain(objective).low() < threshold) model.win.push_back(model.literal(false));
        return model;
    }
    Linear reached{{{-1, objective}}, Relation::at_most, -threshold, std::nullopt};
    if (model.has_universal_rules()) {
        const VarId literal = model.add_variable("threshold reached", Domain(0, 1), true);
        reached.reified = Literal{literal};
        model.constraints.push_back({std::move(reached), {}, literal});
        model.win.push_back({literal});
    } else {
        model.constraints.push_back({std::move(reached)});
    }
    return model;
}

void add(SearchStatistics& total, const SearchStatistics& part) {
    total.nodes += part.nodes;
    total.failures += part.failures;
    total.successes += part.successes;
    total.illegal += part.illegal;
    total.cuts += part.cuts;
    total.pure += part.pure;
    total.propagations += part.propagations;
    total.copies += part.copies;
    total.depth = std::max(total.depth, part.depth);
    total.goods += part.goods;
    total.nogoods += part.nogoods;
    total.lookups += part.lookups;
    total.stored += part.stored;
    total.collections += part.collections;
    total.cpu_seconds += part.cpu_seconds;
    total.wall_seconds += part.wall_seconds;
}

}  // namespace

Answer maximise(const Model& model, const SolveOptions& options) {
    if (!model.objective) throw Error({model.name}, "there is nothing to maximise", "name an objective");
    const Domain reachable = analyse(model).domain[*model.objective];
    Value low = reachable.low();
    Value high = reachable.high();

    Answer best = solve(model, options);
    SearchStatistics total = best.statistics;
    if (best.verdict == Verdict::won) best.best = low;
    // ∃ can guarantee `low`; nobody knows about more than that, up to `high`.
    while (best.verdict == Verdict::won && low < high) {
        const Value threshold = low + (high - low + 1) / 2;
        Answer answer = solve(demanding(model, threshold), options);
        add(total, answer.statistics);
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
    best.statistics = total;
    return best;
}

}  // namespace zermelo
