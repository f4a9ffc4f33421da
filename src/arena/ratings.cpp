#include "arena/ratings.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace zermelo::arena {

namespace {

constexpr double z95 = 1.959963984540054;  // of a normal distribution, 95 % lie within so many deviations
const double elo_unit = 400.0 / std::log(10.0);  // Elo points in one unit of log-odds

// The virtual games of each player against an opponent of log-odds 0.
constexpr double virtual_games = 0.5;
constexpr double virtual_points = virtual_games / 2;

double logistic(double x) { return 1 / (1 + std::exp(-x)); }
double log_logistic(double x) { return x < 0 ? x - std::log1p(std::exp(x)) : -std::log1p(std::exp(-x)); }

double likelihood(const PairTable& points, const std::vector<double>& strength) {
    double sum = 0;
    for (std::size_t i = 0; i < strength.size(); ++i) {
        sum += virtual_points * (log_logistic(strength[i]) + log_logistic(-strength[i]));
        for (std::size_t j = 0; j < strength.size(); ++j) {
            if (j != i) sum += points[i][j] * log_logistic(strength[i] - strength[j]);
        }
    }
    return sum;
}

std::vector<double> gradient(const PairTable& points, const PairTable& games,
                             const std::vector<double>& strength) {
    std::vector<double> slope(strength.size());
    for (std::size_t i = 0; i < slope.size(); ++i) {
        slope[i] = virtual_points - virtual_games * logistic(strength[i]);
        for (std::size_t j = 0; j < slope.size(); ++j) {
            if (j != i) slope[i] += points[i][j] - games[i][j] * logistic(strength[i] - strength[j]);
        }
    }
    return slope;
}

// The second derivatives of the log-likelihood with their sign changed: positive definite.
PairTable information(const PairTable& games, const std::vector<double>& strength) {
    const std::size_t n = strength.size();
    PairTable result(n, std::vector<double>(n, 0));
    for (std::size_t i = 0; i < n; ++i) {
        const double alone = logistic(strength[i]);
        result[i][i] += virtual_games * alone * (1 - alone);
        for (std::size_t j = 0; j < n; ++j) {
            if (j == i) continue;
            const double share = logistic(strength[i] - strength[j]);
            const double weight = games[i][j] * share * (1 - share);
            result[i][i] += weight;
            result[i][j] -= weight;
        }
    }
    return result;
}

// Cholesky's decomposition of a positive definite matrix, to solve equations with it.
class Cholesky {
public:
    explicit Cholesky(PairTable matrix) : lower_(std::move(matrix)) {
        for (std::size_t i = 0; i < lower_.size(); ++i) {
            for (std::size_t j = 0; j <= i; ++j) {
                double sum = lower_[i][j];
                for (std::size_t k = 0; k < j; ++k) sum -= lower_[i][k] * lower_[j][k];
                lower_[i][j] = i == j ? std::sqrt(std::max(sum, std::numeric_limits<double>::min()))
                                      : sum / lower_[j][j];
            }
        }
    }
    [[nodiscard]] std::vector<double> solve(std::vector<double> x) const {
        for (std::size_t i = 0; i < x.size(); ++i) {
            for (std::size_t k = 0; k < i; ++k) x[i] -= lower_[i][k] * x[k];
            x[i] /= lower_[i][i];
        }
        for (std::size_t i = x.size(); i-- > 0;) {
            for (std::size_t k = i + 1; k < x.size(); ++k) x[i] -= lower_[k][i] * x[k];
            x[i] /= lower_[i][i];
        }
        return x;
    }

private:
    PairTable lower_;
};

double greatest(const std::vector<double>& values) {
    double result = 0;
    for (const double value : values) result = std::max(result, std::abs(value));
    return result;
}

// Newton's method; the log-likelihood is strictly concave, so a step that is halved until it climbs arrives.
std::vector<double> most_likely(const PairTable& points, const PairTable& games) {
    constexpr int most_steps = 200;
    constexpr double close_enough = 1e-11;
    std::vector<double> strength(points.size(), 0);
    double height = likelihood(points, strength);
    for (int step = 0; step < most_steps; ++step) {
        const std::vector<double> move =
            Cholesky(information(games, strength)).solve(gradient(points, games, strength));
        if (greatest(move) < close_enough) break;
        bool climbed = false;
        for (double length = 1; !climbed && length > 1e-9; length /= 2) {
            std::vector<double> next = strength;
            for (std::size_t i = 0; i < next.size(); ++i) next[i] += length * move[i];
            const double there = likelihood(points, next);
            if (!(there > height)) continue;
            climbed = true;
            height = there;
            strength = std::move(next);
        }
        if (!climbed) break;  // as high as the numbers can tell
    }
    return strength;
}

// Which players are connected by games, directly or by others: the number of the group of each.
std::vector<std::size_t> groups(const PairTable& games, std::size_t& count) {
    constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
    std::vector<std::size_t> group(games.size(), none);
    count = 0;
    for (std::size_t first = 0; first < games.size(); ++first) {
        if (group[first] != none) continue;
        std::vector<std::size_t> open = {first};
        group[first] = count;
        while (!open.empty()) {
            const std::size_t i = open.back();
            open.pop_back();
            for (std::size_t j = 0; j < games.size(); ++j) {
                if (group[j] != none || !(games[i][j] > 0)) continue;
                group[j] = count;
                open.push_back(j);
            }
        }
        ++count;
    }
    return group;
}

}  // namespace

Interval wilson(double score, double games) {
    if (!(games > 0)) return {0, 1};
    const double share = std::clamp(score / games, 0.0, 1.0);
    const double square = z95 * z95;
    const double centre = share + square / (2 * games);
    const double spread = z95 * std::sqrt(share * (1 - share) / games + square / (4 * games * games));
    const double scale = 1 + square / games;
    // Without rounding, nothing lost reaches exactly 1 and nothing won exactly 0.
    return {share == 0 ? 0 : std::max(0.0, (centre - spread) / scale),
            share == 1 ? 1 : std::min(1.0, (centre + spread) / scale)};
}

double expected_score(double elo) { return logistic(elo / elo_unit); }

bool Rating::known() const { return std::isfinite(interval.low) && std::isfinite(interval.high); }

std::vector<Rating> ratings(const PairTable& points, const PairTable& games) {
    const std::size_t n = points.size();
    const auto square = [n](const PairTable& table) {
        return table.size() == n && std::ranges::all_of(table, [n](auto& row) { return row.size() == n; });
    };
    if (!square(points) || !square(games)) throw std::invalid_argument("ratings need square tables");

    const std::vector<double> strength = most_likely(points, games);
    const Cholesky factors(information(games, strength));
    PairTable covariance(n);
    for (std::size_t i = 0; i < n; ++i) {
        std::vector<double> unit(n, 0);
        unit[i] = 1;
        covariance[i] = factors.solve(std::move(unit));
    }

    std::size_t count = 0;
    const std::vector<std::size_t> group = groups(games, count);
    std::vector<Rating> result(n);
    for (std::size_t g = 0; g < count; ++g) {
        std::vector<std::size_t> members;
        for (std::size_t i = 0; i < n; ++i) {
            if (group[i] == g) members.push_back(i);
        }
        const auto size = static_cast<double>(members.size());
        double mean = 0;
        double all = 0;  // the sum of all covariances
        for (const std::size_t i : members) {
            mean += strength[i] / size;
            for (const std::size_t j : members) all += covariance[i][j];
        }
        for (const std::size_t i : members) {
            Rating& rating = result[i];
            rating.group = g;
            if (members.size() == 1) {
                constexpr double infinity = std::numeric_limits<double>::infinity();
                rating.interval = {-infinity, infinity};
                continue;
            }
            // The variance of a rating relative to the mean of the group.
            double row = 0;
            for (const std::size_t j : members) row += covariance[i][j];
            const double variance = covariance[i][i] - 2 * row / size + all / (size * size);
            const double spread = z95 * std::sqrt(std::max(variance, 0.0)) * elo_unit;
            rating.elo = (strength[i] - mean) * elo_unit;
            rating.interval = {rating.elo - spread, rating.elo + spread};
        }
    }
    return result;
}

double Sprt::llr(double wins, double draws, double losses) const {
    const double games = wins + draws + losses;
    if (!(games > 0)) return 0;
    // One game of every outcome more, only for the variance: after a few games of one outcome it would be
    // next to nothing, and the test would end at once.
    constexpr double more = 1;
    const double all = games + 3 * more;
    const double centre = (wins + more + (draws + more) / 2) / all;
    const double second = (wins + more + (draws + more) / 4) / all;
    const double variance = second - centre * centre;
    const double mean = (wins + draws / 2) / games;
    const double s0 = expected_score(elo0);
    const double s1 = expected_score(elo1);
    return games * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance);
}

Interval Sprt::bounds() const { return {std::log(beta / (1 - alpha)), std::log((1 - beta) / alpha)}; }

Sprt::Decision Sprt::decide(double wins, double draws, double losses) const {
    const double ratio = llr(wins, draws, losses);
    const Interval between = bounds();
    if (ratio >= between.high) return Decision::accept_h1;
    if (ratio <= between.low) return Decision::accept_h0;
    return Decision::go_on;
}

}  // namespace zermelo::arena
