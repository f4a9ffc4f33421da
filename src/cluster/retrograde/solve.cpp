#include "cluster/retrograde/solve.hpp"

#include <unistd.h>

#include <filesystem>
#include <numeric>

#include "core/clock.hpp"
#include "game/solve-inl.hpp"
#include "game/views/quotient_game.hpp"
#include "symmetry/canonical.hpp"

namespace zermelo::cluster {

namespace {

using game::Player;
using Time = Clock;

// Symmetries of more players do not keep the order of moves (see game/solve.cpp).
constexpr std::size_t most_players_of_symmetry = 2;

// A folder that goes when the work is done. All processes share it: the first one makes its name.
class Temporary {
public:
    Temporary(Comm& comm, const std::string& parent) : comm_(comm) {
        const auto number = gather_all(comm, static_cast<std::uint64_t>(getpid())).front();
        path_ = parent + "/zermelo-" + std::to_string(number);
    }
    ~Temporary() {
        if (!comm_.first()) return;
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    Temporary(const Temporary&) = delete;
    Temporary& operator=(const Temporary&) = delete;
    [[nodiscard]] const std::string& path() const { return path_; }

private:
    Comm& comm_;
    std::string path_;
};

// Which move to play, as game::choose.
std::size_t choose(const Values& values, Player player, const std::vector<RankedOutcome>& successors) {
    const auto score = [&](std::size_t i) {
        const auto& payoffs = values.outcomes[successors[i].outcome];
        const int sum = std::accumulate(payoffs.begin(), payoffs.end(), 0);
        return std::pair(payoffs[player], payoffs[player] - sum);
    };
    std::vector<std::size_t> best;
    for (std::size_t i = 0; i < successors.size(); ++i) {
        if (!best.empty() && score(i) < score(best.front())) continue;
        if (!best.empty() && score(i) > score(best.front())) best.clear();
        best.push_back(i);
    }
    if (values.method == game::Method::backward_induction) return best.front();
    const int endless = game::endless_payoff(values.outcomes.front().size());
    const int payoff = score(best.front()).first;
    const auto rank = [&](std::size_t i) { return successors[i].rank; };
    if (payoff > endless) return *std::ranges::min_element(best, {}, rank);
    if (payoff < endless) return *std::ranges::max_element(best, {}, rank);
    return best.front();
}

// G is the game whose states are listed; Plain is the game as it is, whose states `fold` turns into listed
// ones.
template <game::RowGame G, game::Game Plain, class Fold>
class Solver {
public:
    Solver(G& game, Plain plain, Fold fold, Comm& comm, const LevelOptions& options)
        : game_(game), plain_(std::move(plain)), fold_(fold), comm_(comm), options_(options) {}

    LevelsSolution run() {
        const double cpu_start = cpu_seconds();
        solved_.solution = game::describe_position(game_);
        solved_.solution.engine = game::Engine::attractors;
        std::optional<Temporary> temporary;
        ExploreOptions exploring;
        exploring.limits = options_.common.limits;
        exploring.shards = options_.shards;
        exploring.folder = options_.common.checkpoint;
        exploring.keep = !options_.common.checkpoint.empty();
        exploring.seconds_between_saves = options_.common.seconds_between_saves;
        exploring.progress = options_.progress;
        if (!exploring.keep && !options_.spill.empty()) {
            exploring.folder = temporary.emplace(comm_, options_.spill).path();
        }
        const auto begun = Time::now();
        Explored explored = Explorer<G>(game_, comm_, exploring, game_.players() > 2).run();
        if (explored.needs_moves) explored = Explorer<G>(game_, comm_, exploring, true).run();
        solved_.explore_seconds = seconds_since(begun);
        describe(explored);
        if (explored.contents.explored) go_backwards(explored);
        share(explored, cpu_start);
        return std::move(solved_);
    }

private:
    void describe(const Explored& explored) {
        game::Solution& solution = solved_.solution;
        solution.stop = explored.stop;
        solution.continued = explored.continued;
        solution.statistics.nodes = explored.states();
        solution.statistics.edges = explored.contents.edges;
        solution.statistics.threads = comm_.size();
        solved_.levels = explored.contents.levels;
        if (solved_.levels.back() == 0) solved_.levels.pop_back();
        solved_.layered = explored.contents.layered;
        solved_.forgotten = explored.contents.forgotten;
    }

    void go_backwards(Explored& explored) {
        const auto begun = Time::now();
        try {
            RetrogradeOptions backward;
            backward.limits = options_.common.limits;
            backward.counters = options_.counters;
            backward.progress = options_.progress;
            const Values values = find_values(explored, comm_, backward);
            solved_.backward_seconds = seconds_since(begun);
            digest(explored, values);
            read_off(explored, values);
        } catch (const LimitReached& limit) {
            solved_.solution.stop = limit.stop();
        }
    }

    void digest(const Explored& explored, const Values& values) {
        Hash128 mine;
        for_each_state(explored, values, comm_.rank(), [&](auto row, const auto& payoffs, game::Rank rank) {
            Hasher hasher;
            for (const std::uint64_t word : row) hasher.add(word);
            for (const int payoff : payoffs) hasher.add(static_cast<std::uint64_t>(payoff));
            hasher.add(rank);
            mine.low += hasher.value().low;
            mine.high += hasher.value().high;
        });
        for (const Hash128& each : gather_all(comm_, mine)) {
            solved_.digest.low += each.low;
            solved_.digest.high += each.high;
        }
    }

    void read_off(const Explored& explored, const Values& values) {
        ValueLookup lookup(comm_, explored, values, 1);
        if (!comm_.first()) return;
        game::Solution& solution = solved_.solution;
        std::vector<std::uint64_t> root(game_.row_words());
        game_.pack(game_.initial(), root);
        const RankedOutcome worth = lookup.ask(root).front();
        solution.solved = true;
        solution.values = values.outcomes[worth.outcome];
        if (worth.rank != game::outside()) solution.rank = worth.rank;
        solution.all_best = true;
        if (!solution.mover) return;
        plain_.look(plain_.initial());
        const auto successors = ask_about_successors(lookup, plain_);
        const auto& best = values.outcomes[successors[choose(values, *solution.mover, successors)].outcome];
        for (std::size_t i = 0; i < successors.size(); ++i) {
            const auto& payoffs = values.outcomes[successors[i].outcome];
            const bool is_best = equally_good(payoffs, best, *solution.mover);
            if (!is_best && !options_.common.every_move) continue;
            game::MoveReport report{plain_.move_name(i), payoffs, {}, is_best};
            if (successors[i].rank != game::outside()) report.rank = successors[i].rank;
            solution.moves.push_back(std::move(report));
        }
        if (!options_.common.plans || values.method != game::Method::attractors ||
            explored.contents.forgotten)
            return;
        try {
            write_plans(lookup, values);
        } catch (const LimitReached& limit) {
            solution.stop = limit.stop();
            solution.plans.clear();
        }
    }

    static bool equally_good(const std::vector<int>& a, const std::vector<int>& b, Player player) {
        return a[player] == b[player] &&
               std::accumulate(a.begin(), a.end(), 0) == std::accumulate(b.begin(), b.end(), 0);
    }

    // Of the state that `plain` looks at.
    std::vector<RankedOutcome> ask_about_successors(ValueLookup& lookup, Plain& plain) {
        const std::size_t words = game_.row_words();
        std::vector<std::uint64_t> rows(plain.moves() * words);
        typename G::State next;
        for (std::size_t m = 0; m < plain.moves(); ++m) {
            plain.successor(m, next);
            fold_(next);
            game_.pack(next, std::span(rows).subspan(m * words, words));
        }
        return lookup.ask(rows);
    }

    void write_plans(ValueLookup& lookup, const Values& values) {
        const double start = cpu_seconds();
        game::Solution& solution = solved_.solution;
        for (std::size_t p = 0; p < game_.players(); ++p) {
            const auto owner = static_cast<Player>(p);
            const int promise = solution.values[p];
            if (game::guaranteed_by_the_rules(values.outcomes, owner, promise)) continue;
            Plain game = plain_;
            game::Walker<Plain> walk(game);
            const auto best = [&](const game::Walker<Plain>&) {
                return choose(values, owner, ask_about_successors(lookup, game));
            };
            solution.plans.push_back(game::build_plan(walk, owner, promise, best, options_.common.limits));
        }
        solution.statistics.plan_cpu_seconds = cpu_seconds() - start;
    }

    void share(const Explored& explored, double cpu_start) {
        Share mine;
        for (const Shard& shard : explored.shards) mine.states += shard.level.back();
        mine.peak_bytes = peak_bytes();
        mine.bytes_sent = comm_.bytes_sent();
        mine.messages = comm_.messages_sent();
        mine.bytes_stored = explored.folder ? explored.folder->bytes_written() : 0;
        mine.cpu_seconds = cpu_seconds() - cpu_start;
        solved_.shares = gather_all(comm_, mine);
        double peak = 0;
        for (const Share& each : solved_.shares) {
            peak += static_cast<double>(each.peak_bytes);
            solved_.solution.statistics.cpu_seconds += each.cpu_seconds;
        }
        solved_.solution.statistics.bytes_per_state = peak / static_cast<double>(explored.states());
    }

    G& game_;
    Plain plain_;
    Fold fold_;
    Comm& comm_;
    const LevelOptions& options_;
    LevelsSolution solved_;
};

}  // namespace

void for_each_state(const Explored& explored, const Values& values, Rank rank, const VisitState& visit) {
    const std::size_t words = explored.contents.words;
    if (!explored.contents.forgotten) {
        for (std::size_t here = 0; here < explored.shards.size(); ++here) {
            const Shard& shard = explored.shards[here];
            for (PlaceInShard s = 0; s < shard.level.back(); ++s) {
                visit(shard.row(s), values.payoffs(here, s), values.rank[here][s]);
            }
        }
        return;
    }
    explored.folder->read([](const Part& part) { return part.whole != 0; },
                          [&](ShardId id) { return explored.holds(id, rank); }, words,
                          explored.contents.with_moves,
                          [&](LevelFiles::Piece& piece) {
                              const std::size_t here = piece.shard / explored.division.processes;
                              PlaceInShard s = explored.shards[here].level_begin(piece.level);
                              for (std::size_t at = 0; at < piece.rows.size(); at += words, ++s) {
                                  visit(std::span(piece.rows).subspan(at, words), values.payoffs(here, s),
                                        values.rank[here][s]);
                              }
                          });
}

LevelsSolution solve_levels(const gdl::Game& game, Comm& comm, const LevelOptions& options) {
    game::GdlGame plain(game);
    plain.start_at(game::state_after(plain, options.common.line));
    const auto canonical =
        options.common.symmetry && plain.players() <= most_players_of_symmetry
            ? std::make_shared<const symmetry::Canonical>(game.machine().network(), options.common.limits)
            : std::make_shared<const symmetry::Canonical>();
    game::QuotientGame folded(game, canonical);
    folded.start_at(plain.initial());
    const auto fold = [&](gdl::State& state) { canonical->canonicalise(state); };
    Solver solver(folded, plain, fold, comm, options);
    LevelsSolution solved = solver.run();
    solved.solution.statistics.symmetries = canonical->size();
    return solved;
}

LevelsSolution solve_levels(const game::Graph& graph, Comm& comm, const LevelOptions& options) {
    game::GraphGame from(graph);
    from.start_at(game::state_after(from, options.common.line));
    Solver solver(
        from, from, [](game::StateId&) {}, comm, options);
    return solver.run();
}

}  // namespace zermelo::cluster
