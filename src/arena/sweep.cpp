#include "arena/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/error.hpp"
#include "core/format/numbers.hpp"
#include "play/player_registry.hpp"

namespace zermelo::arena {

namespace {

constexpr const char* how = "write PLAYER:KEY=FROM..TO/STEP, or PLAYER:KEY=A,B,C";

[[noreturn]] void bad(const std::string& text, const std::string& problem, const std::string& remedy) {
    throw Error(fmt::format("the sweep {}: {}", text, problem), remedy);
}

struct Part {
    std::string key;
    std::vector<std::string> values;
};

std::vector<Part> parts_of(const std::string& text, std::size_t from) {
    std::vector<Part> parts;
    while (true) {
        const std::size_t comma = text.find(',', from);
        const std::string one = text.substr(from, comma - from);
        const std::size_t equals = one.find('=');
        if (equals != std::string::npos)
            parts.push_back({one.substr(0, equals), {one.substr(equals + 1)}});
        else if (parts.empty())
            bad(text, "there is no key with values", how);
        else
            parts.back().values.push_back(one);
        if (comma == std::string::npos) return parts;
        from = comma + 1;
    }
}

struct Range {
    std::optional<double> from;
    std::optional<double> to;
    std::optional<double> step;
};

// What looks like a range. Names of files with .. in them do not.
std::optional<Range> read_range(const std::string& value) {
    const std::size_t dots = value.find("..");
    if (dots == std::string::npos) return std::nullopt;
    const std::size_t slash = value.find('/', dots);
    Range range{read_number<double>(value.substr(0, dots)),
                read_number<double>(value.substr(dots + 2, slash - dots - 2)), std::nullopt};
    if (slash != std::string::npos) range.step = read_number<double>(value.substr(slash + 1));
    if (!range.from && !range.to) return std::nullopt;
    return range;
}

std::vector<double> values_of(const std::string& text, const std::string& value, const Range& range) {
    if (!range.from || !range.to || !range.step)
        bad(text, value + " is no range", "write FROM..TO/STEP with three numbers, such as 0..100/10");
    if (!(*range.step > 0)) bad(text, fmt::format("its step is {}", *range.step), "write a step above 0");
    if (*range.to < *range.from) bad(text, "its range ends before it begins", "swap the two numbers");
    // A little more, because a step such as 0.1 is not exact.
    const double steps = std::floor((*range.to - *range.from) / *range.step + 1e-6);
    if (steps < 1) bad(text, "its range holds one value only", "write a smaller step or a wider range");
    if (steps + 1 > static_cast<double>(most_swept_values))
        bad(text, fmt::format("its range holds more than {} values", most_swept_values),
            "write a greater step");
    std::vector<double> values;
    for (int i = 0; i <= static_cast<int>(steps); ++i) {
        const double exact = *range.from + i * *range.step;
        // 0.3 instead of 0.30000000000000004, and 0 instead of what is left of it.
        values.push_back(
            std::abs(exact) < 1e-9 * *range.step ? 0.0 : read_number<double>(value_text(exact)).value());
    }
    return values;
}

std::vector<double> values_of(const std::string& text, const std::vector<std::string>& list) {
    std::vector<double> values;
    for (const std::string& one : list) {
        const auto number = read_number<double>(one);
        if (!number) bad(text, fmt::format("{} is no number", one.empty() ? "nothing" : one), how);
        values.push_back(*number);
    }
    std::ranges::sort(values);
    const auto twice = std::ranges::adjacent_find(values);
    if (twice != values.end()) bad(text, value_text(*twice) + " stands there twice", "leave one out");
    if (values.size() > most_swept_values)
        bad(text, fmt::format("it has more than {} values", most_swept_values), "leave some out");
    return values;
}

}  // namespace

SweptPlayers read_sweep(const std::string& text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos) bad(text, "there is no key with values", how);
    SweptPlayers result;
    Sweep& sweep = result.sweep;
    std::string fixed;
    std::string label;
    for (const Part& part : parts_of(text, colon + 1)) {
        const auto range = part.values.size() == 1 ? read_range(part.values[0]) : std::nullopt;
        if (!range && part.values.size() == 1) {
            if (part.key == "label")
                label = part.values[0];
            else
                fixed += fmt::format(",{}={}", part.key, part.values[0]);
            continue;
        }
        if (!sweep.key.empty())
            bad(text, fmt::format("both {} and {} have several values", sweep.key, part.key),
                "give several values to one key only");
        sweep.key = part.key;
        sweep.values = range ? values_of(text, part.values[0], *range) : values_of(text, part.values);
    }
    if (sweep.values.empty()) bad(text, "no key has several values", how);
    const std::string name = text.substr(0, colon);
    sweep.player = !label.empty() ? label : fixed.empty() ? name : name + ":" + fixed.substr(1);
    for (const double value : sweep.values) {
        const std::string own = fmt::format("{}={}", sweep.key, value_text(value));
        std::string player = fmt::format("{}:{}{}", name, own, fixed);
        if (!label.empty()) player += fmt::format(",label={} {}", label, own);
        (void)play::read_spec(player);  // throws where it is none
        result.players.push_back(std::move(player));
    }
    return result;
}

std::string value_text(double value) { return fmt::format("{:.12g}", value); }

}  // namespace zermelo::arena
