#include "quantified/value_order.hpp"

#include <fmt/format.h>

namespace zermelo::quantified {

namespace {

constexpr std::uint64_t most_values_with_history = 4096;
constexpr std::uint64_t most_values = 1 << 24;
constexpr std::size_t few_values = 64;

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
    fixed_.resize(count);
    if (options.values == ValueOrder::history) {
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
    std::vector<model::Value>& fixed = fixed_[variable];
    if (fixed.empty()) fixed = fixed_order(variable);
    values = fixed;
    if (options_.values == ValueOrder::random) {
        for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[random_.below(i)]);
    } else if (options_.values == ValueOrder::history) {
        // The modeller's preference overrides the score.
        const auto& score = score_[variable];
        if (score.empty() || program_.model.variables[variable].preference != model::Preference::none) return;
        const model::Value least = program_.domain(variable).low();
        const auto better = [&](model::Value a, model::Value b) {
            return score[a - least] > score[b - least];
        };
        if (values.size() > few_values) {
            std::stable_sort(values.begin(), values.end(), better);
            return;
        }
        // Insertion is stable too, and takes no memory.
        for (std::size_t i = 1; i < values.size(); ++i) {
            for (std::size_t j = i; j > 0 && better(values[j], values[j - 1]); --j)
                std::swap(values[j], values[j - 1]);
        }
    }
}

// The part of the order that never changes.
std::vector<model::Value> Ordering::fixed_order(model::VarId variable) const {
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
    const bool by_model = options_.values == ValueOrder::history;
    if (options_.values == ValueOrder::descending ||
        (by_model && preference == model::Preference::greatest)) {
        std::reverse(values.begin(), values.end());
    } else if (options_.values == ValueOrder::middle ||
               (by_model &&
                (preference == model::Preference::none || preference == model::Preference::middle))) {
        from_the_middle(values);
    }
    return values;
}

void Ordering::reward(model::VarId variable, model::Value value) {
    if (score_.empty() || score_[variable].empty()) return;
    ++score_[variable][value - program_.domain(variable).low()];
}

}  // namespace zermelo::quantified
