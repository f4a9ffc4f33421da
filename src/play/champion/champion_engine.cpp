#include "play/champion/champion_engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace zermelo::play {

namespace {

constexpr double network_share = 0.6;          // of the time before the first move, for the value network
constexpr double engine_learning_share = 0.3;  // of the time of a move, where nothing was prepared
constexpr double table_share = 0.5;            // of the memory, where resolution decides
constexpr double small_table_share = 0.1;      // and where sampling does
constexpr double same_estimate = 1e-2;         // of estimates 0 … 100
constexpr double playouts_mixed_in = 0.5;      // of the value of a leaf

}  // namespace

void transfer(MctsOptions& options, unsigned level) {
    constexpr double cautiously = 10;  // own estimates keep improving, transferred ones do not
    constexpr std::array<double, 4> blends = {0, cautiously, 1, 0};
    options.grave = level > 0;
    options.blend = blends.at(level);
}

std::string describe(const ChampionConfig& config) {
    constexpr std::array<const char*, 3> nets = {"no net", "net", "net and playouts"};
    return fmt::format(
        "{:.0f} % resolution, exploration {}, filter {}, transfer {}, {:.0f} % value, {}symmetry, {}",
        100 * config.resolve, config.explore, config.filter, config.transfer, 100 * config.value,
        config.symmetry ? "" : "no ", nets.at(config.net));
}

ChampionEngine::ChampionEngine(const GameContext& rules, const Settings& settings,
                               const ChampionEngineOptions& options, const ChampionConfig& config)
    : rules_(rules),
      settings_(settings),
      options_(options),
      config_(config),
      resolving_(config.resolve > 0 && Expectimax::supports(rules)),
      has_values_(has_values(rules)) {}

bool ChampionEngine::has_values(const GameContext& rules) {
    return rules.opposed() || rules.seats().size() == 1;
}

void ChampionEngine::prepare(const Deadline& deadline) {
    if (prepared_) return;
    prepared_ = true;
    find_symmetries(deadline.part(options_.symmetry_time));
    const scsp::WinLossFilter* filter = nullptr;
    if (config_.filter > 0)
        filter = &rules_.win_loss_filter(config_.filter, deadline.part(engine_learning_share));
    MctsOptions options = options_.tree;
    if (!options_.judgement) config_.net = 0;
    const bool values = has_values_ && config_.value > 0 && config_.net == 0;
    const ValueNetwork* network = nullptr;
    if ((resolving_ || values) && config_.net == 0)
        network = &rules_.value_network(deadline.part(network_share), config_.filter > 0);
    if (values) {
        options.values = [network](const State& at) { return network->value(at); };
        options.values_share = config_.value;
    }
    options.explore = config_.explore;
    transfer(options, config_.net > 0 ? 0 : config_.transfer);
    if (config_.net > 0) {
        options.judgement = options_.judgement;
        options.trust *= config_.explore;
        options.playouts_share = config_.net == 2 ? playouts_mixed_in : 0;
    }
    options.symmetry = config_.symmetry;
    options.canonical = canonical_;
    options.threads = settings_.threads;
    options.seed = settings_.seed;
    options.memory = static_cast<std::size_t>((resolving_ ? 1 - share_of_table() : 1) *
                                              static_cast<double>(settings_.memory));
    tree_ = std::make_unique<Mcts>(rules_, options);
    // What is certain for the mover says something about the others only if they are its opponents.
    const bool opposed = rules_.opposed() || rules_.seats().size() == 1;
    if (filter != nullptr && filter->machine && options.slices && opposed) tree_->use(*filter->machine);
    if (resolving_) make_expectimax();
    Deadline::begin_polling();  // that was no pause
}

double ChampionEngine::share_of_table() const {
    return config_.resolve < 0.5 ? small_table_share : table_share;
}

void ChampionEngine::find_symmetries(const Deadline& deadline) {
    config_.symmetry = config_.symmetry && options_.symmetry_time > 0;
    if (config_.symmetry) canonical_ = &rules_.canonical(deadline);
}

void ChampionEngine::make_expectimax() {
    Expectimax::Options options{
        .symmetries = {},
        .table_bytes = static_cast<std::size_t>(share_of_table() * static_cast<double>(settings_.memory)),
        .table = options_.table,
        .judgement = config_.net > 0 ? options_.judgement : nullptr};
    if (config_.symmetry) {
        for (const symmetry::Symmetry& one : canonical_->symmetries())
            options.symmetries.push_back(one.fluent);
    }
    expectimax_ = std::make_unique<Expectimax>(rules_, settings_.role, options);
}

std::optional<Expectimax::Result> ChampionEngine::resolve(const State& state, const Deadline& deadline,
                                                          std::uint64_t positions) {
    try {
        static const ValueNetwork unused;
        const ValueNetwork& network =
            config_.net > 0 ? unused
                            : rules_.value_network(deadline.part(engine_learning_share), config_.filter > 0);
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

std::uint64_t ChampionEngine::look_ahead(const State& state, const TimeBudget& allowance) {
    const bool resolves_all = resolving_ && config_.resolve >= 1;
    return prepared_ && !resolves_all ? tree_->ponder(state, settings_.role, allowance) : 0;
}

std::uint64_t ChampionEngine::ponder(const State& state, MoveId made, const TimeBudget& allowance) {
    if (!prepared_) return 0;
    const double share = resolving_ ? config_.resolve : 0;
    std::uint64_t work = 0;
    if (share > 0) {
        // One role moves at a time: it is another one's turn now, or after our move.
        InfoState info(rules_);
        info.load(state);
        State next = state;
        if (info.legal(settings_.role).size() > 1) {
            JointMove joint;
            for (std::size_t r = 0; r < rules_.roles(); ++r) joint.push_back(info.legal(r).front());
            joint[settings_.role] = made;
            info.play(joint, next);
        }
        const auto resolved = resolve(next, allowance.deadline.part(share), 0);
        if (resolved && !resolved->exact) work += resolved->positions;
    }
    if (share < 1) work += tree_->ponder(state, settings_.role, made, allowance);
    return work;
}

}  // namespace zermelo::play
