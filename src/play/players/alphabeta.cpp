#include "play/players/alphabeta.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "game/search/alphabeta-inl.hpp"

namespace zermelo::game {
extern template class AlphaBeta<GdlWalk, OnState<LearnedHeuristic>>;  // compiled there
}

namespace zermelo::play {

namespace {

// A stepper copies a block of memory for each move, and is faster than the runner where that is small.
constexpr std::size_t most_block_bytes = 8192;
constexpr std::size_t least_table = std::size_t{1} << 20;  // bytes
constexpr double table_a_second = 100e6;                   // bytes for each second of the clock
constexpr double heuristic_learning_share = 0.3;  // of the time of the first move, if nothing was prepared

Limits limits_until(const Deadline& deadline) {
    return deadline.set() ? Limits(std::max(0.0, deadline.left()), std::nullopt) : Limits();
}

double payoff_of(game::Score score) {
    if (!score.finite()) return score > game::Score() ? game::win : game::loss;
    const double payoff = game::draw + score.number() / double{game::Score::per_point};
    return std::clamp<double>(payoff, game::loss, game::win);
}

Estimate estimate_of(MoveId move, const game::AlphaBetaResult& result, bool opposed) {
    const double payoff = payoff_of(result.score);
    // What is exact is so against hostile others; who has one opponent can have no better.
    const bool sure = result.exact && (opposed || payoff >= game::win);
    if (sure) return {move, payoff, payoff, payoff, result.calls, true};
    return {move, payoff, game::loss, game::win, result.calls, false};
}

// The step in which the moves of a GDL walk's position make one move and the others the only one they have.
JointMove step_of(InfoState& info, const State& state, std::size_t mover, MoveId move) {
    info.load(state);
    JointMove joint;
    for (std::size_t r = 0; r < info.rules().roles(); ++r) joint.push_back(info.legal(r).front());
    joint[mover] = move;
    return joint;
}

// Evaluates the state before the current step.
struct DeterminizedHeuristic {
    const game::LearnedHeuristic& learned;
    game::Score operator()(const game::Walker<Determinization>& walk, game::Player player) const {
        return learned(walk.state().at, player);
    }
};

}  // namespace

AlphaBetaPlayer::AlphaBetaPlayer(const GameContext& rules, const Settings& settings,
                                 const AlphaBetaPlayerOptions& options)
    : Player(rules, settings), options_(options) {
    const bool stepping = gdl::Stepper::supports(rules.machine().network()) && rules.turns() &&
                          gdl::Stepper(rules.game()).block_bytes() <= most_block_bytes;
    if (stepping) walk_ = std::make_unique<game::GdlWalk>(rules.game());
}

game::AlphaBetaOptions AlphaBetaPlayer::options_for(std::uint64_t calls, const Deadline& deadline) const {
    game::AlphaBetaOptions options;
    options.most_calls = calls;
    options.table_bytes = settings().memory;
    // A table that doubles must not take long.
    if (deadline.set())
        options.table_bytes = std::min(
            options.table_bytes,
            std::max(least_table, static_cast<std::size_t>(table_a_second * std::max(0.0, deadline.left()))));
    return options;
}

void AlphaBetaPlayer::prepare(const Deadline& deadline) {
    if (deadline.left() > 0) (void)rules().learned(deadline);
}

MoveId AlphaBetaPlayer::think(const std::vector<MoveId>& legal, const TimeBudget& allowance,
                              Thought& thought) {
    // Learned before, unless this is the first move and nothing was prepared.
    learned_ = &rules().learned(allowance.deadline.part(heuristic_learning_share));
    if (walk_) {
        try {
            return search_game(allowance, thought);
        } catch (const Error&) {
            // Not a game of turns, after all.
            search_.reset();
            walk_.reset();
        }
    }
    return search_determinizations(legal, allowance, thought);
}

MoveId AlphaBetaPlayer::search_game(const TimeBudget& allowance, Thought& thought) {
    walk_->load(belief().positions().front().position.state);
    if (!search_ || calls_ != allowance.playouts) {
        calls_ = allowance.playouts;
        search_ = std::make_unique<Search>(*walk_, seat(), Heuristic{*learned_},
                                           options_for(calls_, allowance.deadline));
    }
    const game::AlphaBetaResult result = search_->search(limits_until(allowance.deadline));
    const MoveId move = walk_->move_id(result.best.value_or(0));
    InfoState info(rules());
    std::size_t made = 0;
    for (const std::size_t place : result.variation) {
        if (walk_->turn().over()) break;
        thought.line.push_back(step_of(info, walk_->state(), walk_->turn().player, walk_->move_id(place)));
        walk_->make(place);
        ++made;
    }
    for (; made > 0; --made) walk_->unmake();
    thought.estimates.push_back(estimate_of(move, result, rules().opposed()));
    thought.playouts = result.calls;
    thought.remark = fmt::format("depth {}", result.depth);
    return move;
}

MoveId AlphaBetaPlayer::search_determinizations(const std::vector<MoveId>& legal, const TimeBudget& allowance,
                                                Thought& thought) {
    struct Vote {
        std::size_t determinizations = 0;
        double payoffs = 0;
        std::vector<JointMove> line = {};
        bool proven = true;
    };
    std::map<MoveId, Vote> votes;
    const bool alike = belief().positions().size() == 1 && rules().seats().size() == rules().roles();
    const std::size_t count = alike ? 1 : std::max<std::size_t>(1, options_.determinizations);
    std::size_t searched = 0;
    int depth = 0;
    for (std::size_t w = 0; w < count && (w == 0 || allowance.deadline.left() > 0); ++w) {
        Determinization determinized(rules(), role(), belief().draw(random()).state, random().next());
        game::Walker<Determinization> walk(determinized);
        if (walk.turn() != game::Turn{game::Turn::Kind::player, seat()}) continue;
        const std::uint64_t calls =
            allowance.playouts == 0 ? 0 : std::max<std::uint64_t>(1, allowance.playouts / count);
        game::AlphaBeta<game::Walker<Determinization>, DeterminizedHeuristic> search(
            walk, seat(), DeterminizedHeuristic{*learned_}, options_for(calls, allowance.deadline));
        const double share = 1 / static_cast<double>(count - w);
        const game::AlphaBetaResult result = search.search(limits_until(allowance.deadline.part(share)));
        thought.playouts += result.calls;
        const MoveId move = determinized.move(result.best.value_or(0));
        if (std::find(legal.begin(), legal.end(), move) == legal.end()) continue;
        depth = searched++ == 0 ? result.depth : std::min(depth, result.depth);
        Vote& vote = votes[move];
        ++vote.determinizations;
        vote.payoffs += payoff_of(result.score);
        vote.proven = vote.proven && result.exact && alike;
        if (vote.determinizations > 1) continue;
        for (const std::size_t place : result.variation) {
            if (walk.turn().over()) break;
            walk.make(place);
            if (!determinized.completed().empty()) vote.line.push_back(determinized.completed());
        }
    }
    if (votes.empty()) return legal[random().below(legal.size())];
    const auto best = std::max_element(votes.begin(), votes.end(), [](const auto& a, const auto& b) {
        return std::pair(a.second.determinizations, a.second.payoffs) <
               std::pair(b.second.determinizations, b.second.payoffs);
    });
    const auto& [move, vote] = *best;
    const double mean = vote.payoffs / static_cast<double>(vote.determinizations);
    // The others choose after us here and at the same time in the game, so a win is certain and a loss not.
    const bool proven = vote.proven && mean >= game::win;
    thought.estimates.push_back(
        {move, mean, proven ? mean : game::loss, game::win, vote.determinizations, proven});
    thought.line = vote.line;
    thought.remark = alike ? fmt::format("depth {}", depth)
                           : fmt::format("depth {}, best in {} of {} determinizations", depth,
                                         vote.determinizations, searched);
    return move;
}

}  // namespace zermelo::play
