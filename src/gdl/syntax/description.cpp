#include "gdl/syntax/description.hpp"

#include <algorithm>
#include <array>

namespace zermelo::gdl {

namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

constexpr std::array<const char*, first_free_symbol> keywords = {
    "role",  "init", "true",     "does", "legal", "next", "terminal", "goal",  "base",
    "input", "sees", "distinct", "not",  "or",    "and",  "<=",       "random"};

}  // namespace

std::string Repair::text() const { return place.text() + ": warning: " + message + "; " + remedy; }

Symbols::Symbols() {
    for (const char* keyword : keywords) intern(keyword);
}

Symbol Symbols::intern(std::string_view name) {
    std::string key(name);
    std::transform(key.begin(), key.end(), key.begin(), lower);
    const auto [place, is_new] = index_.try_emplace(std::move(key), static_cast<Symbol>(names_.size()));
    if (is_new) names_.emplace_back(name);
    return place->second;
}

}  // namespace zermelo::gdl
