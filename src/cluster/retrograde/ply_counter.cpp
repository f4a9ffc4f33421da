#include "cluster/retrograde/ply_counter.hpp"

#include <algorithm>
#include <bit>

namespace zermelo::cluster {

namespace {

// Below 2^31, so that products fit; far more than any game has levels.
constexpr std::uint64_t prime = 2'147'483'647;

std::uint64_t times(std::uint64_t a, std::uint64_t b) { return a * b % prime; }
std::uint64_t plus(std::uint64_t a, std::uint64_t b) { return (a + b) % prime; }
std::uint64_t negative(std::uint64_t a) { return a == 0 ? 0 : prime - a; }

std::uint64_t inverse(std::uint64_t a) {
    std::uint64_t result = 1;
    for (std::uint64_t power = prime - 2; power != 0; power >>= 1, a = times(a, a)) {
        if ((power & 1) != 0) result = times(result, a);
    }
    return result;
}

}  // namespace

std::uint64_t PlyCounter::time(std::span<const std::uint64_t> row) const {
    std::uint64_t sum = 0;
    for (std::size_t w = 0; w < row.size(); ++w) {
        for (std::uint64_t rest = row[w]; rest != 0; rest &= rest - 1) {
            sum += weights_[64 * w + static_cast<unsigned>(std::countr_zero(rest))];
        }
    }
    return sum % prime;
}

std::uint64_t PlyCounter::after(std::uint64_t time) { return plus(time, 1); }

bool PlyCounterBuilder::add(std::span<const std::uint64_t> before, std::span<const std::uint64_t> after) {
    std::vector<std::uint64_t> row(bits_ + 1);
    for (std::size_t b = 0; b < bits_; ++b) {
        const auto is = after[b / 64] >> (b % 64) & 1;
        const auto was = before[b / 64] >> (b % 64) & 1;
        row[b] = is == was ? 0 : is > was ? 1 : prime - 1;
    }
    row[bits_] = 1;
    for (const Equation& known : equations_) {
        const std::uint64_t factor = negative(row[known.lead]);
        if (factor == 0) continue;
        for (std::size_t b = known.lead; b <= bits_; ++b) {
            row[b] = plus(row[b], times(factor, known.coefficient[b]));
        }
    }
    const auto lead = static_cast<std::size_t>(
        std::ranges::find_if(row, [](std::uint64_t c) { return c != 0; }) - row.begin());
    ++known_already_;
    if (lead == bits_ + 1) return true;
    if (lead == bits_) return false;  // nothing equals one
    known_already_ = 0;
    const std::uint64_t scale = inverse(row[lead]);
    for (std::uint64_t& c : row) c = times(c, scale);
    const auto place = std::ranges::lower_bound(equations_, lead, {}, &Equation::lead);
    equations_.insert(place, {lead, std::move(row)});
    return true;
}

// From the last equation to the first; weights that no equation leads with are zero.
PlyCounter PlyCounterBuilder::make() const {
    std::vector<std::uint64_t> weights(bits_, 0);
    for (auto equation = equations_.rbegin(); equation != equations_.rend(); ++equation) {
        std::uint64_t value = equation->coefficient[bits_];
        for (std::size_t b = equation->lead + 1; b < bits_; ++b) {
            value = plus(value, negative(times(equation->coefficient[b], weights[b])));
        }
        weights[equation->lead] = value;
    }
    return PlyCounter(std::move(weights));
}

}  // namespace zermelo::cluster
