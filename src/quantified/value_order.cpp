#include "quantified/value_order.hpp"

#include <fmt/format.h>

namespace zermelo::quantified {

namespace {

constexpr std::uint64_t most_values_with_history = 4096;
constexpr std::uint64_t most_values = 1 << 24;

void from_the_middle(std::vector<model::Value>& values) {
    const model::Value twice_middle = values.front() + values.back();
    std::stable_sort(values.begin(), values.end(), [&](model::Value a, model::Value b) {
        return std::abs(2 * a - twice_middle) < std::abs(2 * b - twice_middle);
    });
}

}  // namespace

Ordering::Ordering(const kernel::Program& program, const SolveOptions& options)
    : program_(program), options_(options), random_(options.seed) {
    const std::size_t count = program.model.variables.size();
    order_.resize(count);
    rank_.resize(count);
    if (options.values == ValueOrder::history || options.values == ValueOrder::impact) {
        score_.resize(count);
        for (const model::VarId v : program.moves) {
            const model::Domain& domain = program.domain(v);
            const auto width = static_cast<std::uint64_t>(domain.high() - domain.low()) + 1;
            if (width <= most_values_with_history) score_[v].resize(width);
        }
    }
    degree_.assign(count, 0);
    for (const int c : program.cone) {
        for (const model::VarId v : program.variables_of[c]) ++degree_[v];
    }
}

void Ordering::values(model::VarId variable, std::vector<model::Value>& values) {
    std::vector<model::Value>& order = order_[variable];
    if (order.empty()) {
        order = first_order(variable);
        if (!score_.empty() && !score_[variable].empty()) {
            const model::Value least = program_.domain(variable).low();
            rank_[variable].resize(score_[variable].size());
            for (std::size_t i = 0; i < order.size(); ++i) rank_[variable][order[i] - least] = i;
        }
    }
    values = order;
    if (options_.values == ValueOrder::random) {
        for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[random_.below(i)]);
    }
}

// The order before anything is known of the values.
std::vector<model::Value> Ordering::first_order(model::VarId variable) const {
    if (program_.domain(variable).size() > most_values) {
        const model::Variable& v = program_.model.variables[variable];
        throw Error(v.declared.file.empty() ? program_.block(program_.structure.block_of[variable]).place
                                            : v.declared,
                    fmt::format("{} has {} values, too many to try one by one", v.name,
                                program_.domain(variable).size()),
                    "give it a smaller domain");
    }
    std::vector<model::Value> values = program_.domain(variable).values();
    const model::Preference preference = program_.model.variables[variable].preference;
    const bool by_model = options_.values == ValueOrder::history || options_.values == ValueOrder::impact;
    if (options_.values == ValueOrder::descending ||
        (by_model && preference == model::Preference::greatest)) {
        std::reverse(values.begin(), values.end());
    } else if (options_.values == ValueOrder::middle ||
               (by_model && preference != model::Preference::smallest)) {
        from_the_middle(values);
    }
    return values;
}

void Ordering::reward(model::VarId variable, model::Value value) {
    // The modeller's preference overrides the score.
    if (score_.empty() || rank_[variable].empty() ||
        program_.model.variables[variable].preference != model::Preference::none)
        return;
    const model::Value least = program_.domain(variable).low();
    auto& score = score_[variable];
    const auto& rank = rank_[variable];
    ++score[value - least];
    // Forward past those with a smaller score; equals keep their first order.
    auto& order = order_[variable];
    auto at = std::find(order.begin(), order.end(), value);
    for (; at != order.begin(); --at) {
        const model::Value before = *(at - 1);
        const bool better =
            score[before - least] > score[value - least] ||
            (score[before - least] == score[value - least] && rank[before - least] < rank[value - least]);
        if (better) break;
        std::swap(*at, *(at - 1));
    }
}

}  // namespace zermelo::quantified
