#include "arena/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace zermelo::arena {

namespace {

// One encounter of two players, which may be two matches that they played alone.
struct Encounter {
    double share = 0;
    double goal = 0;
    double goal_against = 0;
};

double mean_goal(const MatchResult& match, const std::string& player) {
    double sum = 0;
    double seats = 0;
    for (const SeatResult& seat : match.seats) {
        if (seat.player != player) continue;
        sum += seat.goal;
        seats += 1;
    }
    return seats > 0 ? sum / seats : 0;
}

double point(double goal, double other) { return goal > other ? 1 : goal == other ? 0.5 : 0; }

// Collects encounters in the order of the matches, and makes a comparison of them.
class Collector {
public:
    explicit Collector(const Plan& plan) {
        if (plan.sprt && plan.form == Form::gauntlet) test_.emplace(*plan.sprt, plan.at_least);
    }
    void add(const Encounter& encounter) {
        if (test_) test_->add(encounter.share);
        balance_.add(encounter.share);
        goal_ += encounter.goal;
        goal_against_ += encounter.goal_against;
    }
    void finish(Comparison& comparison) const {
        comparison.balance = balance_;
        const double matches = std::max(1.0, static_cast<double>(balance_.matches));
        comparison.goal = goal_ / matches;
        comparison.goal_against = goal_against_ / matches;
        if (test_) comparison.decision = test_->decision();
    }

private:
    Balance balance_;
    double goal_ = 0;
    double goal_against_ = 0;
    std::optional<SequentialTest> test_;
};

const char* verdict(Sprt::Decision decision) {
    switch (decision) {
        case Sprt::Decision::accept_h0:
            return "H0, not so much stronger";
        case Sprt::Decision::accept_h1:
            return "H1, stronger";
        case Sprt::Decision::go_on:
            break;
    }
    return "open";
}

// The comparisons of the first player, by opponent, for each game.
Rows cross_rows(const Plan& plan, const std::vector<Comparison>& all) {
    const auto names = labels(plan);
    const auto games = game_titles(plan.games);
    Rows rows = {{"Game"}};
    std::map<std::size_t, Balance> totals;
    for (std::size_t g = 0; g < games.size(); ++g) {
        auto& row = rows.emplace_back(std::vector{games[g]});
        for (const Comparison& one : all) {
            if (one.game != g || one.player != 0) continue;
            if (g == 0) rows[0].push_back(names[one.against]);
            row.push_back(one.balance.text());
            if (one.alone && one.balance.matches > 0)
                row.back() += fmt::format(", goals {:.1f} : {:.1f}", one.goal, one.goal_against);
            totals[one.against] += one.balance;
        }
    }
    // With tests of their own, hard games have more matches than easy ones, and a sum says little.
    if (games.size() > 1 && !plan.sprt) {
        auto& row = rows.emplace_back(std::vector<std::string>{"all games"});
        for (const auto& [against, total] : totals) row.push_back(total.text());
    }
    return rows;
}

Rows test_rows(const Plan& plan, const std::vector<Comparison>& all) {
    const auto names = labels(plan);
    const auto games = game_titles(plan.games);
    Rows rows = {{"Game", "Against", "Verdict", "Matches", "Won", "Drawn", "Lost", "Score", "95 %"}};
    for (const Comparison& one : all) {
        if (!one.decision || one.player != 0) continue;
        const Balance& balance = one.balance;
        rows.push_back({games[one.game], names[one.against], verdict(*one.decision),
                        fmt::to_string(balance.matches), fmt::to_string(balance.wins),
                        fmt::to_string(balance.draws), fmt::to_string(balance.losses),
                        balance.matches == 0 ? "–" : percent(balance.score()),
                        balance.matches == 0 ? "–" : range(balance.interval())});
    }
    return rows;
}

std::string cross_caption(const Plan& plan) {
    return fmt::format("Scores of {} against each other player, with 95 % intervals", labels(plan)[0]);
}

std::string test_caption(const Plan& plan) {
    return fmt::format(
        "Sequential tests of {}: H0, {} Elo stronger; H1, {} Elo stronger; errors of {} and {} %",
        labels(plan)[0], number(plan.sprt->elo0), number(plan.sprt->elo1), number(100 * plan.sprt->alpha),
        number(100 * plan.sprt->beta));
}

}  // namespace

void Balance::add(double share) {
    ++matches;
    ++(share > 0.5 ? wins : share < 0.5 ? losses : draws);
    points += share;
}

Balance& Balance::operator+=(const Balance& other) {
    matches += other.matches;
    wins += other.wins;
    draws += other.draws;
    losses += other.losses;
    points += other.points;
    return *this;
}

std::string Balance::text() const {
    return matches == 0 ? "–" : fmt::format("{} ({})", percent(score()), range(interval()));
}

void SequentialTest::add(double share) {
    balance_.add(share);
    if (decision_ != Sprt::Decision::go_on || balance_.matches % 2 != 0 || balance_.matches < at_least_)
        return;
    decision_ = sprt_.decide(static_cast<double>(balance_.wins), static_cast<double>(balance_.draws),
                             static_cast<double>(balance_.losses));
}

std::optional<double> share(const MatchResult& match, const std::string& player, const std::string& against) {
    if (!match.error.empty()) return std::nullopt;
    double sum = 0;
    double pairs = 0;
    for (const SeatResult& mine : match.seats) {
        if (mine.player != player) continue;
        for (const SeatResult& theirs : match.seats) {
            if (theirs.player != against) continue;
            sum += point(mine.goal, theirs.goal);
            pairs += 1;
        }
    }
    return pairs > 0 ? std::optional(sum / pairs) : std::nullopt;
}

std::vector<Comparison> comparisons(const Plan& plan, const std::vector<MatchResult>& results) {
    const auto names = labels(plan);
    const std::size_t challengers = plan.challengers();
    std::map<std::string, std::size_t> places;
    for (std::size_t p = 0; p < names.size(); ++p) places[names[p]] = p;

    using Key = std::array<std::size_t, 3>;                 // game, player, against
    std::map<Key, std::map<std::uint64_t, Encounter>> met;  // by number
    // What players did alone: [game][round][player]. The matches of a round follow one another in the order
    // of the players, so the number of the first of them names the round.
    std::map<std::size_t, std::map<std::uint64_t, std::map<std::size_t, double>>> alone;
    for (const MatchResult& match : results) {
        const auto game =
            static_cast<std::size_t>(std::ranges::find(plan.games, match.game) - plan.games.begin());
        if (game == plan.games.size() || match.seats.empty()) continue;
        if (match.seats.size() == 1 || plan.alone) {
            const std::string& player = match.seats[0].player;
            const auto place = places.find(player);
            if (place != places.end() && match.error.empty())
                alone[game][match.match - place->second][place->second] = mean_goal(match, player);
            continue;
        }
        std::set<std::size_t> here;
        for (const SeatResult& seat : match.seats) {
            if (const auto place = places.find(seat.player); place != places.end())
                here.insert(place->second);
        }
        for (const std::size_t a : here) {
            for (const std::size_t b : here) {
                if (a >= challengers || b < challengers) continue;
                if (const auto part = share(match, names[a], names[b]))
                    met[{game, a, b}][match.match] = {*part, mean_goal(match, names[a]),
                                                      mean_goal(match, names[b])};
            }
        }
    }

    std::vector<Comparison> all;
    for (std::size_t game = 0; game < plan.games.size(); ++game) {
        for (std::size_t a = 0; a < challengers; ++a) {
            for (std::size_t b = challengers; b < names.size(); ++b) {
                Collector collector(plan);
                Comparison& one = all.emplace_back(Comparison{game, a, b});
                if (const auto found = met.find({game, a, b}); found != met.end()) {
                    for (const auto& [match, encounter] : found->second) collector.add(encounter);
                }
                if (const auto found = alone.find(game); found != alone.end()) {
                    one.alone = true;
                    for (const auto& [round, goals] : found->second) {
                        const auto mine = goals.find(a);
                        const auto theirs = goals.find(b);
                        if (mine == goals.end() || theirs == goals.end()) continue;
                        collector.add({point(mine->second, theirs->second), mine->second, theirs->second});
                    }
                }
                collector.finish(one);
            }
        }
    }
    return all;
}

std::string text(const Plan& plan, const std::vector<Comparison>& comparisons, const Speak& say) {
    std::string result = cross_caption(plan) + "\n" + aligned(cross_rows(plan, comparisons), 1, say);
    const Rows tests = test_rows(plan, comparisons);
    if (tests.size() > 1) result += "\n" + test_caption(plan) + "\n" + aligned(tests, 3, say);
    return result;
}

std::string markdown(const Plan& plan, const std::vector<Comparison>& comparisons) {
    std::string result = cross_caption(plan) + ":\n\n" + markdown_table(cross_rows(plan, comparisons), 1);
    const Rows tests = test_rows(plan, comparisons);
    if (tests.size() > 1) result += "\n" + test_caption(plan) + ":\n\n" + markdown_table(tests, 3);
    return result;
}

nlohmann::json json(const Plan& plan, const std::vector<Comparison>& comparisons) {
    const auto names = labels(plan);
    auto list = nlohmann::json::array();
    for (const Comparison& one : comparisons) {
        const Balance& balance = one.balance;
        nlohmann::json object = {
            {"game", plan.games[one.game]}, {"player", names[one.player]}, {"against", names[one.against]},
            {"matches", balance.matches},   {"wins", balance.wins},        {"draws", balance.draws},
            {"losses", balance.losses},     {"points", balance.points},    {"score", nullptr},
            {"mean_goals", nullptr}};
        if (balance.matches > 0) {
            object["score"] = json_of(balance.score(), balance.interval());
            object["mean_goals"] = {one.goal, one.goal_against};
        }
        if (one.decision) {
            const Sprt::Decision decision = *one.decision;
            object["sprt"] = {
                {"verdict", decision == Sprt::Decision::go_on       ? "open"
                            : decision == Sprt::Decision::accept_h0 ? "H0"
                                                                    : "H1"},
                {"llr", plan.sprt->llr(static_cast<double>(balance.wins), static_cast<double>(balance.draws),
                                       static_cast<double>(balance.losses))}};
        }
        list.push_back(std::move(object));
    }
    return list;
}

}  // namespace zermelo::arena
