// Values that options take: numbers in a range, names, games. Others are refused in words that say what is possible.

#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace zermelo::cli {

enum class NumberKind { whole, any };

// What --help shows, and the check.
[[nodiscard]] CLI::Validator number_between(NumberKind kind, double low, double high,
                                            bool low_allowed = true);

template <class Number>
[[nodiscard]] CLI::Validator between(Number low, Number high) {
    constexpr NumberKind kind = std::numeric_limits<Number>::is_integer ? NumberKind::whole : NumberKind::any;
    return number_between(kind, static_cast<double>(low), static_cast<double>(high));
}
[[nodiscard]] inline CLI::Validator at_least(double low) {
    return number_between(NumberKind::any, low, std::numeric_limits<double>::infinity());
}
[[nodiscard]] inline CLI::Validator more_than(double low) {
    return number_between(NumberKind::any, low, std::numeric_limits<double>::infinity(), false);
}

// One of these names.
[[nodiscard]] CLI::Validator one_of(std::vector<std::string> names);
template <class Value>
[[nodiscard]] CLI::Validator one_of(const std::map<std::string, Value>& names) {
    std::vector<std::string> keys;
    for (const auto& [key, value] : names) keys.push_back(key);
    return one_of(std::move(keys));
}

// Takes anything; a shell offers these names.
[[nodiscard]] CLI::Validator suggesting(const std::vector<std::string>& names);
// What a shell may offer as a value of this option; nothing where it is a number, a file of one's own or a text.
[[nodiscard]] std::vector<std::string> suggestions(const CLI::Option& option);
// The players that this program has.
[[nodiscard]] std::vector<std::string> player_names();
// The names of the shipped games, sorted.
[[nodiscard]] std::vector<std::string> shipped_names();

// Replaces the name of a shipped game (tic-tac-toe, quantified/connect-four) by its file, unless there is a file of
// this name.
[[nodiscard]] CLI::Validator shipped_game();
// Refuses files whose names end as those of other languages do.
[[nodiscard]] CLI::Validator game_in_gdl();

}  // namespace zermelo::cli
