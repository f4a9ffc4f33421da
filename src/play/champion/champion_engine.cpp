#include "play/champion/champion_engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace zermelo::play {

namespace {

constexpr double network_share = 0.6;          // of the time before the first move, for the value network
constexpr double engine_learning_share = 0.3;  // of the time of a move, where nothing was prepared
constexpr double table_share = 0.5;            // of the memory
constexpr double same_estimate = 1e-2;         // of estimates 0 … 100

}  // namespace

void transfer(MctsOptions& options, unsigned level) {
    constexpr double cautiously = 10;  // own estimates keep improving, transferred ones do not
    options.grave = level > 0;
    options.blend = level == 0 ? 0 : level == 1 ? cautiously : 1;
}

std::string describe(const ChampionConfig& config) {
    return fmt::format("{:.0f} % resolution, exploration {}, filter {}, transfer {}, {}symmetry",
                       100 * config.resolve, config.explore, config.filter, config.transfer,
                       config.symmetry ? "" : "no ");
}

ChampionEngine::ChampionEngine(const GameContext& rules, const Settings& settings,
                               const ChampionEngineOptions& options, const ChampionConfig& config)
    : rules_(rules),
      settings_(settings),
      options_(options),
      config_(config),
      resolving_(config.resolve > 0 && Expectimax::supports(rules)) {}

void ChampionEngine::prepare(const Deadline& deadline) {
    if (prepared_) return;
    prepared_ = true;
    find_symmetries(deadline.part(options_.symmetry_time));
    const scsp::WinLossFilter* filter = nullptr;
    if (config_.filter > 0)
        filter = &rules_.win_loss_filter(config_.filter, deadline.part(engine_learning_share));
    MctsOptions options = options_.tree;
    if (resolving_) (void)rules_.value_network(deadline.part(network_share), config_.filter > 0);
    options.explore = config_.explore;
    transfer(options, config_.transfer);
    options.symmetry = config_.symmetry;
    options.canonical = canonical_;
    options.threads = settings_.threads;
    options.seed = settings_.seed;
    options.memory =
        static_cast<std::size_t>((resolving_ ? 1 - table_share : 1) * static_cast<double>(settings_.memory));
    tree_ = std::make_unique<Mcts>(rules_, options);
    // What is certain for the mover says something about the others only if they are its opponents.
    const bool opposed = rules_.opposed() || rules_.seats().size() == 1;
    if (filter != nullptr && filter->machine && options.slices && opposed) tree_->use(*filter->machine);
    if (resolving_) make_expectimax();
    Deadline::begin_polling();  // that was no pause
}

void ChampionEngine::find_symmetries(const Deadline& deadline) {
    config_.symmetry = config_.symmetry && options_.symmetry_time > 0;
    if (config_.symmetry) canonical_ = &rules_.canonical(deadline);
}

void ChampionEngine::make_expectimax() {
    Expectimax::Options options{
        .symmetries = {},
        .table_bytes = static_cast<std::size_t>(table_share * static_cast<double>(settings_.memory)),
        .table = options_.table};
    if (config_.symmetry) {
        for (const symmetry::Symmetry& one : canonical_->symmetries())
            options.symmetries.push_back(one.fluent);
    }
    expectimax_ = std::make_unique<Expectimax>(rules_, settings_.role, options);
}

std::optional<Expectimax::Result> ChampionEngine::resolve(const State& state, const Deadline& deadline,
                                                          std::uint64_t positions) {
    try {
        const ValueNetwork& network =
            rules_.value_network(deadline.part(engine_learning_share), config_.filter > 0);
        return expectimax_->search(state, network, deadline, positions);
    } catch (const LimitReached&) {
        throw;
    } catch (const Error&) {
        // Not a game of turns, after all.
        resolving_ = false;
        return std::nullopt;
    }
}

MoveId ChampionEngine::think(const State& state, const std::vector<MoveId>& legal,
                             const TimeBudget& allowance, Thought& thought) {
    prepare(allowance.deadline);
    std::optional<Expectimax::Result> resolved;
    double share = resolving_ ? config_.resolve : 0;
    TimeBudget rest = allowance;
    if (share > 0) {
        const auto positions = static_cast<std::uint64_t>(share * static_cast<double>(allowance.playouts));
        if (allowance.playouts > 0) {
            rest.playouts = allowance.playouts - positions;
        }
        resolved = resolve(state, allowance.deadline.part(share),
                           allowance.playouts > 0 ? std::max<std::uint64_t>(1, positions) : 0);
        if (!resolving_) {
            share = 0;
            rest = allowance;
        }
    }
    std::optional<Estimate> from_resolution;
    if (resolved && resolved->best) {
        const double mean = 100 * resolved->value;
        from_resolution = {
            *resolved->best,     mean,           resolved->exact ? mean : 0, resolved->exact ? mean : 100,
            resolved->positions, resolved->exact};
        thought.playouts = resolved->positions;
        thought.remark = resolved->exact ? "solved" : fmt::format("depth {}", resolved->depth);
        if (resolved->exact) {
            thought.estimates = {*from_resolution};
            return *resolved->best;
        }
    }
    if (share < 1 && (allowance.playouts == 0 || rest.playouts > 0)) {
        thought.playouts += tree_->search(state, settings_.role, rest);
        thought.estimates = tree_->estimates();
        thought.line = tree_->line();
        thought.positions = tree_->nodes();
        if (tree_->solved()) thought.remark = "solved";
    }
    const bool sampled_all = !thought.estimates.empty() && tree_->solved();
    if (from_resolution && share >= 0.5 && !sampled_all) {
        // Sampling may have explored all that follows a move.
        const auto sampled = std::ranges::find(thought.estimates, from_resolution->move, &Estimate::move);
        const bool refuted = sampled != thought.estimates.end() && sampled->proven &&
                             sampled->mean < thought.estimates.front().mean - same_estimate;
        if (!refuted) {
            if (sampled != thought.estimates.end()) thought.estimates.erase(sampled);
            thought.estimates.insert(thought.estimates.begin(), *from_resolution);
            if (!thought.line.empty() && thought.line.front()[settings_.role] != from_resolution->move)
                thought.line.clear();
        }
    }
    return thought.estimates.empty() ? legal.front() : thought.estimates.front().move;
}

}  // namespace zermelo::play
