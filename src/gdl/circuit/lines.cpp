#include "gdl/circuit/lines.hpp"

#include <algorithm>

#include "core/limits.hpp"

namespace zermelo::gdl {

namespace {

constexpr const char* multiplying = "while multiplying out goals";
constexpr std::size_t most_lines = 1'000;
constexpr std::size_t most_literals_of_lines = 20'000;

// Lines that hold together with one of the others; contradictions are left out.
std::vector<Line> products(const std::vector<Line>& left, const std::vector<Line>& right) {
    std::vector<Line> all;
    for (const Line& a : left) {
        stay_within_limits(multiplying);
        for (const Line& b : right) {
            Line both = a;
            both.insert(both.end(), b.begin(), b.end());
            std::ranges::sort(both, [](Signal x, Signal y) { return x.code() < y.code(); });
            both.erase(std::unique(both.begin(), both.end()), both.end());
            const auto opposite = [](Signal x, Signal y) { return x.node() == y.node(); };
            if (std::ranges::adjacent_find(both, opposite) == both.end()) all.push_back(std::move(both));
        }
    }
    return all;
}

std::size_t literals_of(const std::vector<Line>& lines) {
    std::size_t sum = lines.size();
    for (const Line& line : lines) sum += line.size();
    return sum;
}

}  // namespace

const std::vector<Line>* Lines::of(Signal s) {
    auto found = known_.find(s.code());
    if (found == known_.end()) {
        stay_within_limits(multiplying);
        auto lines = multiplied_out(s);
        found = known_.insert_or_assign(s.code(), std::move(lines)).first;
    }
    return found->second ? &*found->second : nullptr;
}

std::optional<std::vector<Line>> Lines::multiplied_out(Signal s) {
    if (s == Network::always) return std::vector<Line>{{}};
    if (s == Network::never) return std::vector<Line>{};
    if (s.node() < circuit_.first_gate()) return std::vector<Line>{{s}};
    const auto span = circuit_.inputs_of(s.node());
    std::vector<Line> all = s.negated() ? std::vector<Line>{} : std::vector<Line>{{}};
    for (const Signal input : span) {
        const auto* part = of(s.negated() ? !input : input);
        if (part == nullptr) return std::nullopt;
        if (s.negated()) {
            all.insert(all.end(), part->begin(), part->end());
        } else if (all.size() * part->size() <= most_lines) {
            all = products(all, *part);
        } else {
            return std::nullopt;
        }
        if (all.size() > most_lines || literals_of(all) > most_literals_of_lines) return std::nullopt;
    }
    return all;
}

std::size_t Lines::inputs_below(Signal s) const {
    std::vector<bool> needed(s.node() + std::size_t{1}, false);
    needed[s.node()] = true;
    std::size_t inputs = 0;
    for (std::uint32_t gate = s.node() + 1; gate-- > circuit_.first_gate();) {
        if (!needed[gate]) continue;
        for (const Signal input : circuit_.inputs_of(gate)) needed[input.node()] = true;
        inputs += circuit_.inputs_of(gate).size();
    }
    return inputs;
}

// Nothing where the lines are too many, or much longer than what there is.
std::optional<Signal> Lines::disjunction_of(Signal s) {
    constexpr std::size_t longer = 2;
    const auto* lines = of(s);
    if (lines == nullptr || literals_of(*lines) > longer * inputs_below(s)) return std::nullopt;
    std::vector<Signal> none;
    for (const Line& line : *lines) none.push_back(!circuit_.conjunction(line));
    return !circuit_.conjunction(std::move(none));
}

Signal Lines::flat(Signal s) {
    if (s.node() < circuit_.first_gate()) return s;
    if (const auto found = flat_.find(s.node()); found != flat_.end())
        return s.negated() ? !found->second : found->second;
    stay_within_limits(multiplying);
    const Signal plain(s.node(), false);
    std::optional<Signal> result = disjunction_of(!plain);
    if (result) result = !*result;
    if (!result) result = disjunction_of(plain);
    if (!result) {
        const auto span = circuit_.inputs_of(s.node());
        std::vector<Signal> inputs(span.begin(), span.end());  // the circuit grows
        for (Signal& input : inputs) input = flat(input);
        result = circuit_.conjunction(std::move(inputs));
    }
    flat_[s.node()] = *result;
    return s.negated() ? !*result : *result;
}

}  // namespace zermelo::gdl
