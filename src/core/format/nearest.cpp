#include "core/format/nearest.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <vector>

namespace zermelo {

namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

}  // namespace

std::size_t edit_distance(const std::string& a, const std::string& b) {
    // Rows of the table of distances between the beginnings of both words: this one and the two before.
    std::vector<std::size_t> row(b.size() + 1);
    std::vector<std::size_t> before = row;
    std::vector<std::size_t> two_before = row;
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::swap(two_before, before);
        std::swap(before, row);
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t changed = before[j - 1] + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1);
            row[j] = std::min({changed, before[j] + 1, row[j - 1] + 1});
            const bool swapped =
                i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
            if (swapped) row[j] = std::min(row[j], two_before[j - 2] + 1);
        }
    }
    return row[b.size()];
}

std::optional<std::string> nearest(const std::string& word, std::span<const std::string> names) {
    std::optional<std::string> best;
    std::size_t least = std::max<std::size_t>(1, word.size() / 3) + 1;
    for (const std::string& name : names) {
        const std::size_t distance = edit_distance(word, name);
        if (distance >= least) continue;
        least = distance;
        best = name;
    }
    return best;
}

std::string did_you_mean(const std::string& word, std::span<const std::string> names) {
    const auto name = nearest(word, names);
    return name ? "did you mean " + *name + "? " : "";
}

}  // namespace zermelo
