#include "quantified/order.hpp"

#include <fmt/format.h>

namespace zermelo {

namespace {

constexpr std::uint64_t most_values_with_history = 4096;
constexpr std::uint64_t most_values = 1 << 24;

void from_the_middle(std::vector<Value>& values) {
    const Value twice_middle = values.front() + values.back();
    std::stable_sort(values.begin(), values.end(), [&](Value a, Value b) {
        return std::abs(2 * a - twice_middle) < std::abs(2 * b - twice_middle);
    });
}

}  // namespace

Ordering::Ordering(const Program& program, const SolveOptions& options)
    : program_(program), options_(options), random_(options.seed) {
    const std::size_t count = program.model.variables.size();
    standing_.resize(count);
    if (options.values == ValueOrder::history) {
        score_.resize(count);
        for (const VarId v : program.moves) {
            const Domain& domain = program.domain(v);
            const auto width = static_cast<std::uint64_t>(domain.high() - domain.low()) + 1;
            if (width <= most_values_with_history) score_[v].resize(width);
        }
    }
    degree_.assign(count, 0);
    for (const int c : program.cone) {
        for (const VarId v : program.variables_of[c]) ++degree_[v];
    }
}

std::vector<Value> Ordering::values(VarId variable) {
    std::vector<Value>& standing = standing_[variable];
    if (standing.empty()) standing = standing_order(variable);
    std::vector<Value> values = standing;
    if (options_.values == ValueOrder::random) {
        for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[random_.below(i)]);
    } else if (options_.values == ValueOrder::history) {
        // The modeller knows better than a score.
        const auto& score = score_[variable];
        if (score.empty() || program_.model.variables[variable].preference != Preference::none) return values;
        const Value least = program_.domain(variable).low();
        std::stable_sort(values.begin(), values.end(),
                         [&](Value a, Value b) { return score[a - least] > score[b - least]; });
    }
    return values;
}

// The order as far as it is always the same.
std::vector<Value> Ordering::standing_order(VarId variable) const {
    if (program_.domain(variable).size() > most_values) {
        const Variable& v = program_.model.variables[variable];
        throw Error(v.declared.file.empty() ? program_.block(program_.structure.block_of[variable]).place
                                            : v.declared,
                    fmt::format("{} has {} values, too many to try one by one", v.name,
                                program_.domain(variable).size()),
                    "give it a smaller domain");
    }
    std::vector<Value> values = program_.domain(variable).values();
    const Preference preference = program_.model.variables[variable].preference;
    const bool by_model = options_.values == ValueOrder::history;
    if (options_.values == ValueOrder::descending || (by_model && preference == Preference::greatest)) {
        std::reverse(values.begin(), values.end());
    } else if (options_.values == ValueOrder::middle ||
               (by_model && (preference == Preference::none || preference == Preference::middle))) {
        from_the_middle(values);
    }
    return values;
}

VarId Ordering::next(const Position& position, int b, const std::vector<bool>& played) const {
    VarId best = -1;
    for (const VarId v : program_.block(b).variables) {
        if (played[v]) continue;
        // A strategic strategy names the moves in the order of the prefix.
        if (options_.variables == VariableOrder::input || program_.model.strategic) return v;
        const bool better = best < 0 || (options_.variables == VariableOrder::smallest_domain
                                             ? position.size(v) < position.size(best)
                                             : degree_[v] > degree_[best]);
        if (better) best = v;
    }
    return best;
}

void Ordering::reward(VarId variable, Value value) {
    if (score_.empty() || score_[variable].empty()) return;
    ++score_[variable][value - program_.domain(variable).low()];
}

}  // namespace zermelo
