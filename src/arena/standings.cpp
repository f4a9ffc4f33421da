#include "arena/standings.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>

namespace zermelo::arena {

namespace {

// What one seat's goal is worth against another's.
double against(int goal, int other) { return goal > other ? 1 : goal == other ? 0.5 : 0; }

void count(Tally& tally, const MatchResult& match, std::size_t seat, double points) {
    const int goal = match.seats[seat].goal;
    bool greatest = true;
    bool shared = false;
    for (std::size_t other = 0; other < match.seats.size(); ++other) {
        if (other == seat) continue;
        greatest = greatest && goal >= match.seats[other].goal;
        shared = shared || goal == match.seats[other].goal;
    }
    if (match.seats.size() == 1) greatest = goal == 100;
    ++tally.seats;
    tally.points += points;
    tally.goals += goal;
    ++(!greatest ? tally.losses : shared ? tally.draws : tally.wins);
}

struct Times {
    std::vector<double> longest_moves;
    std::vector<double> slacks;
};

void count(PlayerStanding& player, Times& times, const SeatResult& seat) {
    player.moves += seat.moves;
    player.playouts += seat.playouts;
    for (const auto& [name, value] : seat.counters) player.counters[name] += value;
    player.illegal += seat.illegal;
    player.late += seat.late;
    player.seconds += seat.seconds;
    if (seat.moves == 0) return;
    times.longest_moves.push_back(seat.longest_move);
    if (std::isfinite(seat.slack_least)) times.slacks.push_back(seat.slack_least);
}

// All names of something, in order, and the place of each.
class Names {
public:
    void add(const std::string& name) { places_.emplace(name, 0); }
    void number() {
        std::size_t next = 0;
        for (auto& [name, place] : places_) place = next++;
    }
    [[nodiscard]] std::size_t size() const { return places_.size(); }
    [[nodiscard]] std::size_t at(const std::string& name) const { return places_.at(name); }
    [[nodiscard]] std::vector<std::string> all() const {
        std::vector<std::string> names;
        for (const auto& [name, place] : places_) names.push_back(name);
        return names;
    }

private:
    std::map<std::string, std::size_t> places_;
};

template <class T>
std::vector<T> in_order(std::vector<T> values, const std::vector<std::size_t>& order) {
    std::vector<T> result;
    for (const std::size_t i : order) result.push_back(std::move(values[i]));
    return result;
}

// The greatest score first, names where scores are equal.
void sort_players(Standings& result) {
    std::vector<std::size_t> order(result.players.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater{},
                             [&result](std::size_t i) { return result.players[i].total.score(); });
    result.players = in_order(std::move(result.players), order);
    for (PairTable* table : {&result.points, &result.games}) {
        for (std::vector<double>& row : *table) row = in_order(std::move(row), order);
        *table = in_order(std::move(*table), order);
    }
    for (std::vector<Tally>& row : result.by_game) row = in_order(std::move(row), order);
}

}  // namespace

Interval Tally::score_interval() const { return wilson(points, static_cast<double>(seats)); }
Interval Tally::win_rate_interval() const {
    return wilson(static_cast<double>(wins), static_cast<double>(seats));
}

double PlayerStanding::mean_move() const { return moves == 0 ? 0 : seconds / static_cast<double>(moves); }
double PlayerStanding::playouts_per_second() const {
    return seconds > 0 ? static_cast<double>(playouts) / seconds : 0;
}

Spread spread(std::vector<double> values) {
    if (values.empty()) return {};
    std::ranges::sort(values);
    // Between two numbers, in proportion.
    const auto at = [&values](double share) {
        const double place = share * static_cast<double>(values.size() - 1);
        const auto below = static_cast<std::size_t>(place);
        const std::size_t above = std::min(below + 1, values.size() - 1);
        return std::lerp(values[below], values[above], place - static_cast<double>(below));
    };
    return {values.size(), values.front(), at(0.25), at(0.5), at(0.75), values.back()};
}

std::vector<double> seat_points(const MatchResult& match) {
    const std::size_t seats = match.seats.size();
    if (seats == 1) return {match.seats[0].goal / 100.0};
    std::vector<double> points(seats, 0);
    for (std::size_t i = 0; i < seats; ++i) {
        for (std::size_t j = 0; j < seats; ++j) {
            if (j != i) points[i] += against(match.seats[i].goal, match.seats[j].goal);
        }
        points[i] /= static_cast<double>(seats - 1);
    }
    return points;
}

Standings standings(const std::vector<MatchResult>& results) {
    Standings result;
    Names players;
    Names games;
    for (const MatchResult& match : results) {
        if (!match.error.empty()) continue;
        games.add(match.game);
        for (const SeatResult& seat : match.seats) players.add(seat.player);
    }
    players.number();
    games.number();
    result.game_names = games.all();
    for (const std::string& name : players.all()) result.players.emplace_back().player = name;
    result.points.assign(players.size(), std::vector<double>(players.size(), 0));
    result.games = result.points;
    result.by_game.assign(games.size(), std::vector<Tally>(players.size()));

    std::vector<Times> times(players.size());
    for (const MatchResult& match : results) {
        if (!match.error.empty()) {
            result.errors.emplace_back(match.match, match.error);
            continue;
        }
        ++result.matches;
        result.seconds += match.seconds;
        const std::vector<double> points = seat_points(match);
        const double weight = 1 / std::max(1.0, static_cast<double>(match.seats.size()) - 1);
        for (std::size_t s = 0; s < match.seats.size(); ++s) {
            const SeatResult& seat = match.seats[s];
            const std::size_t me = players.at(seat.player);
            count(result.players[me].total, match, s, points[s]);
            count(result.by_game[games.at(match.game)][me], match, s, points[s]);
            count(result.players[me], times[me], seat);
            for (const SeatResult& other : match.seats) {
                const std::size_t them = players.at(other.player);
                if (them == me) continue;
                result.games[me][them] += weight;
                result.points[me][them] += weight * against(seat.goal, other.goal);
            }
        }
    }
    const std::vector<Rating> strength = ratings(result.points, result.games);
    for (std::size_t i = 0; i < players.size(); ++i) {
        result.players[i].rating = strength[i];
        result.players[i].longest_move = spread(std::move(times[i].longest_moves));
        result.players[i].slack = spread(std::move(times[i].slacks));
    }
    sort_players(result);
    return result;
}

}  // namespace zermelo::arena
