#include "equilibrium/linear/linear_system.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

namespace zermelo::equilibrium {

namespace {

using Word = std::uint64_t;

constexpr unsigned prime_bits = 61;
constexpr Word prime = (Word{1} << prime_bits) - 1;  // a Mersenne prime

Word product(Word a, Word b) {
    __extension__ using Wide = unsigned __int128;
    const Wide wide = static_cast<Wide>(a) * b;
    const Word sum = static_cast<Word>(wide & prime) + static_cast<Word>(wide >> prime_bits);
    return sum >= prime ? sum - prime : sum;
}
Word difference(Word a, Word b) { return a >= b ? a - b : a + prime - b; }
Word inverse(Word a) {
    Word result = 1;
    for (Word exponent = prime - 2; exponent > 0; exponent >>= 1) {
        if ((exponent & 1) != 0) result = product(result, a);
        a = product(a, a);
    }
    return result;
}
Word residue(const Integer& number) {
    const Integer rest = number % prime;  // has the sign of the number
    return static_cast<Word>(rest < 0 ? Integer(rest + prime) : rest);
}

// The same equations with integers, row by row.
struct IntegerSystem {
    struct Entry {
        std::size_t column;
        Integer value;
    };
    std::vector<std::vector<Entry>> rows;
    std::vector<Integer> right;

    explicit IntegerSystem(const LinearSystem& system) : rows(system.rows.size()) {
        for (std::size_t r = 0; r < rows.size(); ++r) {
            Integer multiple = denominator(system.right[r]);
            for (const auto& [column, value] : system.rows[r]) multiple = lcm(multiple, denominator(value));
            const auto scaled = [&](const Rational& value) -> Integer {
                return numerator(value) * (multiple / denominator(value));
            };
            for (const auto& [column, value] : system.rows[r]) rows[r].push_back({column, scaled(value)});
            right.push_back(scaled(system.right[r]));
        }
    }
};

// Gaussian elimination modulo the prime, kept so that any right-hand side can be solved for.
class Factors {
public:
    explicit Factors(const IntegerSystem& system) : rows_(system.rows.size()), columns_(system.rows.size()) {
        for (std::size_t r = 0; r < rows_.size(); ++r) {
            for (const auto& [column, value] : system.rows[r]) {
                const Word word = residue(value);
                if (word == 0) continue;
                rows_[r][column] = word;
                columns_[column].insert(r);
            }
        }
    }

    [[nodiscard]] bool eliminate(const Limits& limits) {
        for (std::size_t r = 0; r < rows_.size(); ++r) by_length_.insert({rows_[r].size(), r});
        for (std::size_t c = 0; c < columns_.size(); ++c) by_height_.insert({columns_[c].size(), c});
        while (!by_length_.empty()) {
            if (limits.reached() != Stop::none) return false;
            const auto [row, column] = choose_pivot();
            if (row == none) return false;
            take_pivot(row, column);
        }
        return true;
    }

    // `values` is the right-hand side by row, and then the solution by column.
    void solve(std::vector<Word>& values) const {
        for (const Pivot& pivot : pivots_) {
            const Word value = values[pivot.row];
            if (value == 0) continue;
            for (const auto& [row, factor] : pivot.below)
                values[row] = difference(values[row], product(factor, value));
        }
        std::vector<Word> solution(values.size());
        for (auto pivot = pivots_.rbegin(); pivot != pivots_.rend(); ++pivot) {
            Word value = values[pivot->row];
            for (const auto& [column, entry] : pivot->right)
                value = difference(value, product(entry, solution[column]));
            solution[pivot->column] = product(value, pivot->inverse);
        }
        values = std::move(solution);
    }

private:
    static constexpr std::size_t none = ~std::size_t{0};
    struct Pivot {
        std::size_t row;
        std::size_t column;
        Word inverse;
        std::vector<std::pair<std::size_t, Word>>
            below;  // rows, and how often the pivot's is taken from them
        std::vector<std::pair<std::size_t, Word>> right;  // the rest of its row
    };

    // Least (length - 1) × (height - 1) among the entries of the shortest rows and of the lowest column.
    [[nodiscard]] std::pair<std::size_t, std::size_t> choose_pivot() const {
        constexpr int rows_looked_at = 4;
        if (by_height_.empty() || by_height_.begin()->first == 0 || by_length_.begin()->first == 0)
            return {none, none};
        if (by_height_.begin()->first == 1) {
            const std::size_t column = by_height_.begin()->second;
            return {*columns_[column].begin(), column};
        }
        std::pair<std::size_t, std::size_t> best{none, none};
        std::size_t least = none;
        auto at = by_length_.begin();
        for (int i = 0; i < rows_looked_at && at != by_length_.end(); ++i, ++at) {
            for (const auto& [column, value] : rows_[at->second]) {
                const std::size_t cost = (at->first - 1) * (columns_[column].size() - 1);
                if (cost >= least) continue;
                least = cost;
                best = {at->second, column};
            }
            if (least == 0) break;
        }
        return best;
    }

    void take_pivot(std::size_t row, std::size_t column) {
        Pivot& pivot = pivots_.emplace_back();
        pivot.row = row;
        pivot.column = column;
        pivot.inverse = inverse(rows_[row].at(column));
        by_length_.erase({rows_[row].size(), row});
        by_height_.erase({columns_[column].size(), column});
        for (const auto& [c, value] : rows_[row]) {
            if (c == column) continue;
            pivot.right.emplace_back(c, value);
            change_height(c, [&](auto& rows) { rows.erase(row); });
        }
        for (const std::size_t other : columns_[column]) {
            if (other == row) continue;
            auto& entries = rows_[other];
            by_length_.erase({entries.size(), other});
            const Word factor = product(entries.at(column), pivot.inverse);
            entries.erase(column);
            for (const auto& [c, value] : pivot.right) {
                const auto [entry, fresh] = entries.try_emplace(c, 0);
                entry->second = difference(entry->second, product(factor, value));
                if (entry->second == 0) {
                    entries.erase(entry);
                    if (!fresh) change_height(c, [&](auto& rows) { rows.erase(other); });
                } else if (fresh) {
                    change_height(c, [&](auto& rows) { rows.insert(other); });
                }
            }
            pivot.below.emplace_back(other, factor);
            by_length_.insert({entries.size(), other});
        }
    }

    template <class Change>
    void change_height(std::size_t column, const Change& change) {
        by_height_.erase({columns_[column].size(), column});
        change(columns_[column]);
        by_height_.insert({columns_[column].size(), column});
    }

    std::vector<std::map<std::size_t, Word>> rows_;
    std::vector<std::set<std::size_t>> columns_;               // the rows that have an entry there
    std::set<std::pair<std::size_t, std::size_t>> by_length_;  // rows that had no pivot yet
    std::set<std::pair<std::size_t, std::size_t>> by_height_;  // columns, the same
    std::vector<Pivot> pivots_;
};

// The fraction n / d with n = value · d modulo the modulus and |n|, d below the root of half the modulus
// (Wang 1981); nothing where there is none.
std::optional<Rational> reconstruct(const Integer& value, const Integer& modulus, const Integer& bound) {
    Integer r0 = modulus;
    Integer r1 = value;
    Integer t0 = 0;
    Integer t1 = 1;
    while (r1 > bound) {
        const Integer quotient = r0 / r1;
        r0 -= quotient * r1;
        std::swap(r0, r1);
        t0 -= quotient * t1;
        std::swap(t0, t1);
    }
    if (t1 == 0 || abs(t1) > bound) return std::nullopt;
    return Rational(t1 < 0 ? Integer(-r1) : r1, abs(t1));
}

class Lifting {
public:
    Lifting(const IntegerSystem& system, const Factors& factors)
        : system_(system), factors_(factors), residue_(system.right), value_(system.rows.size()) {}

    void next_digit() {
        std::vector<Word> digit;
        for (const Integer& number : residue_) digit.push_back(residue(number));
        factors_.solve(digit);
        for (std::size_t r = 0; r < residue_.size(); ++r) {
            for (const auto& [column, entry] : system_.rows[r])
                if (digit[column] != 0) residue_[r] -= entry * digit[column];
            residue_[r] /= prime;  // leaves no rest
        }
        for (std::size_t c = 0; c < value_.size(); ++c) value_[c] += modulus_ * digit[c];
        modulus_ *= prime;
    }

    // A common denominator makes all but a few reconstructions a multiplication.
    [[nodiscard]] std::optional<Rationals> fractions() const {
        const Integer bound = sqrt(Integer(modulus_ / 2));
        Rationals result;
        Integer common = 1;
        for (const Integer& value : value_) {
            Integer scaled = value * common % modulus_;
            if (scaled > modulus_ / 2) scaled -= modulus_;
            if (abs(scaled) <= bound / common) {
                result.emplace_back(scaled, common);
                continue;
            }
            const auto fraction = reconstruct(value, modulus_, bound);
            if (!fraction) return std::nullopt;
            result.push_back(*fraction);
            common = lcm(common, denominator(*fraction));
            if (common > bound) common = 1;
        }
        return result;
    }

private:
    const IntegerSystem& system_;
    const Factors& factors_;
    std::vector<Integer> residue_;  // by row
    std::vector<Integer> value_;    // by column, modulo the modulus
    Integer modulus_ = 1;
};

bool satisfies(const LinearSystem& system, const Rationals& solution) {
    for (std::size_t r = 0; r < system.rows.size(); ++r) {
        Rational sum = 0;
        for (const auto& [column, value] : system.rows[r]) sum += value * solution[column];
        if (sum != system.right[r]) return false;
    }
    return true;
}

}  // namespace

double to_double(const Rational& number) {
    constexpr int bits = 64;
    const Integer scaled = (numerator(number) << bits) / denominator(number);
    return std::ldexp(scaled.convert_to<double>(), -bits);
}

std::optional<Rationals> solve(const LinearSystem& system, const Limits& limits, std::size_t most_bits) {
    const IntegerSystem integers(system);
    Factors factors(integers);
    if (!factors.eliminate(limits)) return std::nullopt;
    Lifting lifting(integers, factors);
    std::size_t next_try = 2;
    const std::size_t most_digits = 2 * most_bits / prime_bits;
    for (std::size_t digits = 1; digits <= most_digits; ++digits) {
        if (limits.reached() != Stop::none) return std::nullopt;
        lifting.next_digit();
        if (digits < next_try && digits < most_digits) continue;
        next_try = digits + digits / 2 + 1;
        auto solution = lifting.fractions();
        if (solution && satisfies(system, *solution)) return solution;
    }
    return std::nullopt;
}

}  // namespace zermelo::equilibrium
