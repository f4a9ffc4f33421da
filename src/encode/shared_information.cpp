#include "encode/shared_information.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace zermelo::encode {

using gdl::Signal;

namespace {

using History = SharedInformation::History;
using Mover = Unrolling::Mover;

class PlayListing {
public:
    PlayListing(const gdl::Game& game, const Unrolling& unrolling, const MoveNumbers& numbers,
                std::size_t chance, const SharedInformationOptions& options)
        : game_(game),
          steps_(unrolling.steps),
          circuit_(unrolling.circuit),
          numbers_(numbers),
          chance_(chance),
          options_(options),
          value_(circuit_.nodes(), 0),
          classes_(steps_.size()) {}

    SharedInformation run() {
        found_.steps.resize(steps_.size() - 1);
        for (const auto& step : steps_) {
            for (const Mover& mover : step.movers) {
                if (mover.role == chance_) found_.chance.emplace(mover.choice, found_.chance.size());
            }
        }
        found_.hidden.emplace_back();
        Possible start{{}, 1, false};
        start.over = holds(steps_.front().terminal, start);
        follow(0, {}, {start});
        for (std::size_t t = 0; t < found_.steps.size(); ++t)
            found_.steps[t].classes =
                static_cast<std::uint32_t>(std::max<std::size_t>(1, classes_[t].size()));
        return std::move(found_);
    }

private:
    struct Possible {                        // a play that agrees with what is known
        std::vector<std::uint32_t> options;  // by choice of the circuit
        Rational weight;
        bool over;
    };
    using Seen = std::vector<bool>;  // by percept of a role
    struct Result {
        Possible play;
        std::vector<Seen> seen;  // by role; empty where the game is over
    };
    using Belief = std::vector<Possible>;
    using Options = std::vector<std::uint32_t>;  // one for each mover other than chance

    // ---- the plays

    void follow(std::size_t t, const History& known, const Belief& belief) {
        if (t + 1 == steps_.size()) {
            conclude(known, belief);
            return;
        }
        std::vector<Options> decisions = {{}};
        for (const Mover& mover : steps_[t].movers) {
            if (mover.role != chance_) extend(decisions, legal_options(mover, belief));
        }
        std::vector<std::vector<Result>> results;
        for (const Options& decision : decisions) {
            results.push_back(results_of(t, decision, belief));
            require_same_percepts(results.back());
        }
        require_seen_moves(t, decisions, results);
        for (std::size_t d = 0; d < decisions.size(); ++d) {
            History longer = known;
            longer.insert(longer.end(), decisions[d].begin(), decisions[d].end());
            see(t, longer, results[d]);
        }
    }

    static void extend(std::vector<Options>& decisions, const Options& more) {
        std::vector<Options> longer;
        for (const Options& decision : decisions) {
            for (const std::uint32_t option : more) {
                longer.push_back(decision);
                longer.back().push_back(option);
            }
        }
        decisions = std::move(longer);
    }

    // Once the game is over, a decision has its least value.
    [[nodiscard]] Options legal_options(const Mover& mover, const Belief& belief) {
        Options legal;
        std::uint32_t least = 0;
        for (std::uint32_t i = 0; i < mover.options.size(); ++i) {
            if (numbers_.value(mover.role, mover.options[i]) <
                numbers_.value(mover.role, mover.options[least]))
                least = i;
            if (std::ranges::all_of(belief,
                                    [&](const Possible& play) { return holds(mover.legal[i], play); }))
                legal.push_back(i);
        }
        if (belief.front().over) return {least};
        if (legal.empty())
            throw Error(place(),
                        fmt::format("{} may not know which of its moves are legal", role(mover.role)),
                        "only games in which all players know their moves can be turned into models");
        return legal;
    }

    [[nodiscard]] std::vector<Result> results_of(std::size_t t, const Options& decision,
                                                 const Belief& belief) {
        std::vector<Result> results;
        for (const Possible& play : belief) {
            const auto& movers = steps_[t].movers;
            const auto dice = std::ranges::find(movers, chance_, &Mover::role);
            Options thrown;
            for (std::uint32_t i = 0; dice != movers.end() && !play.over && i < dice->options.size(); ++i) {
                if (holds(dice->legal[i], play)) thrown.push_back(i);
            }
            if (thrown.empty()) thrown = {0};
            for (const std::uint32_t option : thrown) {
                check_limits();
                Possible next = play;
                std::size_t at = 0;
                for (const Mover& mover : movers)
                    next.options.push_back(mover.role == chance_ ? option : decision[at++]);
                next.weight /= thrown.size();
                next.over = play.over || holds(steps_[t + 1].terminal, next);
                results.push_back({std::move(next), {}});
                if (!results.back().play.over) results.back().seen = percepts(t, results.back().play);
            }
        }
        return results;
    }

    [[nodiscard]] std::vector<Seen> percepts(std::size_t t, const Possible& play) {
        std::vector<Seen> seen(steps_[t].sees.size());
        for (std::size_t r = 0; r < seen.size(); ++r) {
            if (r == chance_) continue;  // what chance sees, no player knows
            for (const Signal s : steps_[t].sees[r]) seen[r].push_back(holds(s, play));
        }
        return seen;
    }

    // What is seen of the step tells the results apart.
    void see(std::size_t t, const History& known, const std::vector<Result>& results) {
        std::map<std::uint32_t, Belief> beliefs;
        for (const Result& result : results) {
            const auto next = static_cast<std::uint32_t>(classes_[t].size());
            const std::uint32_t number = classes_[t].try_emplace(result.seen, next).first->second;
            found_.steps[t].seen[known][number] += result.play.weight;
            beliefs[number].push_back(result.play);
        }
        for (const auto& [number, belief] : beliefs) {
            History longer = known;
            longer.push_back(number);
            follow(t + 1, longer, belief);
        }
    }

    void conclude(const History& known, const Belief& belief) {
        for (const Possible& play : belief) {
            std::vector<std::uint32_t> done(found_.chance.size());
            for (const auto& [choice, place] : found_.chance) done[place] = play.options[choice];
            const auto [at, added] =
                hidden_.try_emplace(done, static_cast<std::uint32_t>(found_.hidden.size()));
            if (added) found_.hidden.push_back(std::move(done));
            found_.given_all[known][at->second] += play.weight;
        }
    }

    // ---- the checks

    void require_same_percepts(const std::vector<Result>& results) const {
        const std::size_t roles = game_.machine().roles();
        std::optional<std::size_t> first;
        for (std::size_t r = 0; r < roles; ++r) {
            if (r == chance_) continue;
            if (!first) first = r;
            std::map<Seen, Seen> there;
            std::map<Seen, Seen> back;
            for (const Result& result : results) {
                if (result.play.over) continue;
                const Seen& a = result.seen[*first];
                const Seen& b = result.seen[r];
                if (there.try_emplace(a, b).first->second == b && back.try_emplace(b, a).first->second == a)
                    continue;
                throw Error(place(), fmt::format("{} and {} may see different things", role(*first), role(r)),
                            "only games in which all players know the same can be turned into models");
            }
        }
    }

    void require_seen_moves(std::size_t t, const std::vector<Options>& decisions,
                            const std::vector<std::vector<Result>>& results) const {
        for (std::size_t r = 0; r < game_.machine().roles(); ++r) {
            if (r == chance_) continue;
            std::map<std::pair<std::uint32_t, Seen>, std::size_t> meant;
            for (std::size_t d = 0; d < decisions.size(); ++d) {
                for (const Result& result : results[d]) {
                    if (result.play.over) continue;
                    const std::uint32_t own = own_option(t, r, decisions[d]);
                    if (meant.try_emplace({own, result.seen[r]}, d).first->second == d) continue;
                    throw Error(place(), fmt::format("{} may not see what another player does", role(r)),
                                "only games in which everybody sees every move of the players can be turned "
                                "into models");
                }
            }
        }
    }

    // The player's own option of a decision; 0 where it has none.
    [[nodiscard]] std::uint32_t own_option(std::size_t t, std::size_t player, const Options& decision) const {
        std::size_t at = 0;
        for (const Mover& mover : steps_[t].movers) {
            if (mover.role == player) return decision[at];
            if (mover.role != chance_) ++at;
        }
        return 0;
    }

    void check_limits() {
        if (const Stop stop = options_.limits.reached(); stop != Stop::none)
            throw LimitReached(stop, "while the plays were listed", "give a smaller " + setting("horizon"));
        if (++plays_ <= options_.most_plays) return;
        throw gdl::TooLarge(place(), fmt::format("there are more than {} plays", options_.most_plays),
                            "give a smaller " + setting("horizon") + ", or use another engine");
    }

    // ---- signals

    [[nodiscard]] bool holds(Signal s, const Possible& play) {
        if (++stamp_ > last_stamp) {
            std::ranges::fill(value_, 0);
            stamp_ = 1;
        }
        return evaluate(s, play);
    }
    [[nodiscard]] bool evaluate(Signal s, const Possible& play) {
        const std::uint32_t node = s.node();
        if (node == 0) return !s.negated();
        if (value_[node] / 2 != stamp_) {
            const bool value = circuit_.is_gate(node)
                                   ? std::ranges::all_of(circuit_.inputs_of(node),
                                                         [&](Signal input) { return evaluate(input, play); })
                                   : std::ranges::binary_search(circuit_.options_of(node),
                                                                play.options[circuit_.choice_of(node)]);
            value_[node] = stamp_ * 2 + (value ? 1 : 0);
        }
        return (value_[node] % 2 != 0) != s.negated();
    }

    [[nodiscard]] Place place() const { return {game_.description().file}; }
    [[nodiscard]] std::string role(std::size_t r) const {
        return game_.text(game_.machine().network().roles[r]);
    }

    static constexpr std::uint32_t last_stamp = 0x7FFF'FFFE;
    const gdl::Game& game_;
    const std::vector<Unrolling::Step>& steps_;
    const ChoiceCircuit& circuit_;
    const MoveNumbers& numbers_;
    const std::size_t chance_;
    const SharedInformationOptions& options_;
    std::vector<std::uint32_t> value_;  // by node: the stamp of the evaluation, twice, and the value
    std::uint32_t stamp_ = 0;
    std::size_t plays_ = 0;
    std::vector<std::map<std::vector<Seen>, std::uint32_t>> classes_;  // by step: what may be seen
    std::map<std::vector<std::uint32_t>, std::uint32_t> hidden_;
    SharedInformation found_;
};

}  // namespace

SharedInformation share_information(const gdl::Game& game, const Unrolling& unrolling,
                                    const MoveNumbers& numbers, std::size_t chance,
                                    const SharedInformationOptions& options) {
    return PlayListing(game, unrolling, numbers, chance, options).run();
}

std::vector<std::string> integer_weights(
    const std::map<SharedInformation::History, SharedInformation::Weights>& table,
    const SharedInformation::History& known, std::size_t numbers) {
    using Integer = decltype(numerator(Rational()));
    std::vector<std::string> row(numbers, "0");
    const auto found = table.find(known);
    if (found == table.end()) {
        row.front() = "1";
        return row;
    }
    Integer unit = 1;
    for (const auto& [number, weight] : found->second) unit = lcm(unit, Integer(denominator(weight)));
    Integer common = 0;
    for (const auto& [number, weight] : found->second)
        common = gcd(common, Integer(numerator(Rational(weight * unit))));
    for (const auto& [number, weight] : found->second) {
        const Integer whole = Integer(numerator(Rational(weight * unit))) / common;
        if (whole > std::numeric_limits<std::int32_t>::max())
            throw Error("the probabilities of what is hidden need very large numbers",
                        "give a smaller " + setting("horizon"));
        row[number] = whole.str();
    }
    return row;
}

}  // namespace zermelo::encode
