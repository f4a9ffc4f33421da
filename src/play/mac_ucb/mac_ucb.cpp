#include "play/mac_ucb/mac_ucb.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/clock.hpp"

namespace zermelo::play {

namespace {

constexpr double program_seconds = 4;              // at most, out of the clock of a move
constexpr double program_share = 0.4;              // of the clock of a move
constexpr double start_share = 0.5;                // of a start clock
constexpr double groups_share = 0.75;              // of the time for the program
constexpr double structure_seconds = 5;            // at most, before the first move
constexpr std::size_t gates_of_small_game = 5000;  // where there is no clock

constexpr std::size_t most_states_at_hand = 128;  // of a belief; of a larger one, a sample

class MacUcb : public Player {
public:
    MacUcb(const GameContext& rules, const Settings& settings, const MacUcbOptions& options,
           std::shared_ptr<MacUcbShared> shared)
        : Player(rules, settings),
          options_(options),
          shared_(std::move(shared)),
          tree_(options_.keep ? shared_->take(options_.file, this->settings().memory)
                              : std::make_unique<MicroTree>()) {}

    ~MacUcb() override {
        if (options_.keep) shared_->give_back(options_.file, std::move(tree_));
    }
    MacUcb(const MacUcb&) = delete;
    MacUcb& operator=(const MacUcb&) = delete;

    void finish() override {
        if (!options_.file.empty()) shared_->save(options_.file, *tree_, settings().memory);
    }

private:
    void prepare(const Deadline& deadline) override { prepare(deadline, MacUcbShared::Clock::start); }

    void prepare(const Deadline& deadline, MacUcbShared::Clock clock) {
        if (search_) return;
        if (options_.symmetry > 0) {
            const symmetry::Canonical& canonical = rules().canonical(deadline.part(options_.symmetry_time));
            const TurnStructure* structure = nullptr;
            const bool small = rules().machine().network().gates() <= gates_of_small_game;
            if (options_.symmetry > 1 && (small || deadline.set()))
                structure = shared_->structure(deadline.part(options_.symmetry_time));
            symmetric_ = std::make_unique<SymmetricMicros>(canonical, structure);
        }
        search_ = std::make_unique<MacUcbSearch>(rules(), shared_->program(deadline, clock), settings(),
                                                 options_, *tree_, symmetric_.get());
        Deadline::begin_polling();  // that was no pause
    }

    MoveId think(const std::vector<MoveId>& legal, const TimeBudget& allowance, Thought& thought) override {
        prepare(allowance.deadline, MacUcbShared::Clock::move);
        const MacUcbCounts before = search_->counts();
        thought.playouts = search_->search(possible_now(), allowance);
        thought.estimates = search_->estimates();
        thought.positions = tree_->size();
        std::erase_if(thought.estimates,
                      [&](const Estimate& one) { return std::ranges::find(legal, one.move) == legal.end(); });
        if (search_->root().too_wide) sample_moves(legal, allowance, thought);
        if (search_->solved()) thought.remark = "solved";
        report(before, search_->counts(), thought);
        return thought.estimates.empty() ? legal.front() : thought.estimates.front().move;
    }

    // The belief, or a sample of it.
    [[nodiscard]] std::vector<MicroNode::Possible> possible_now() {
        std::vector<MicroNode::Possible> now;
        if (belief().positions().size() <= most_states_at_hand) {
            for (const auto& possible : belief().positions())
                now.push_back({possible.position.state, possible.weight});
            return now;
        }
        constexpr double each = 1.0 / most_states_at_hand;
        for (std::size_t i = 0; i < most_states_at_hand; ++i)
            now.push_back({belief().draw(random()).state, each});
        return now;
    }

    static void report(const MacUcbCounts& before, const MacUcbCounts& now, Thought& thought) {
        const auto add = [&](const char* name, auto from, auto to) {
            thought.counters.emplace_back(name, static_cast<double>(to) - static_cast<double>(from));
        };
        add("micro_scsps", before.resolution.micro_scsps, now.resolution.micro_scsps);
        add("assignments", before.resolution.assignments, now.resolution.assignments);
        add("propagations", before.resolution.propagations, now.resolution.propagations);
        add("solutions", before.resolution.solutions, now.resolution.solutions);
        add("again", before.resolution.again, now.resolution.again);
        add("rejected", before.resolution.rejected, now.resolution.rejected);
        add("nogoods", before.nogoods, now.nogoods);
        add("states", before.states, now.states);
        add("classes", before.micros, now.micros);
        add("analysed", before.analysed, now.analysed);
        add("images", before.images, now.images);
        add("twins", before.twins, now.twins);
    }

    // UCB1 on the role's own moves: for a turn that cannot be resolved.
    void sample_moves(const std::vector<MoveId>& legal, const TimeBudget& allowance, Thought& thought) {
        constexpr std::size_t batch = 16;
        if (!playouts_) playouts_ = std::make_unique<Playouts>(rules(), settings().seed);
        InfoState info(rules());
        std::vector<MicroNode::Arm> arms;
        for (const MoveId move : legal) arms.push_back({.move = move});
        std::uint64_t done = 0;
        const auto enough = [&] {
            return allowance.deadline.passed() ||
                   (allowance.playouts > 0 && thought.playouts >= allowance.playouts);
        };
        while (!enough()) {
            std::vector<State> states;
            std::vector<JointMove> joints;
            std::vector<std::size_t> chosen;
            const std::size_t size =
                allowance.playouts > 0 ? std::min<std::uint64_t>(batch, allowance.playouts - thought.playouts)
                                       : batch;
            for (std::size_t i = 0; i < size; ++i) {
                states.push_back(belief().draw(random()).state);
                info.load(states.back());
                if (info.terminal()) return;
                random_moves(info, random(), joints.emplace_back());
                chosen.push_back(select(arms, done + i));
                joints.back()[role()] = arms[chosen.back()].move;
                ++arms[chosen.back()].pending;
            }
            std::vector<Playouts::Exit> exits;
            for (std::size_t i = 0; i < size; ++i) exits.push_back({&states[i], &joints[i]});
            std::vector<Playouts::Look> looks;
            std::vector<Playouts::Result> results;
            playouts_->run(exits, 1, false, allowance.deadline, looks, results);
            for (std::size_t i = 0; i < size; ++i) {
                MicroNode::Arm& arm = arms[chosen[i]];
                --arm.pending;
                if (looks[i].state.empty()) continue;
                ++arm.visits;
                if (looks[i].terminal)
                    arm.sum += 0.01 * looks[i].goals[role()];
                else if (results[i].playouts > 0)
                    arm.sum += results[i].goals[role()];
            }
            done += size;
            thought.playouts += size;
        }
        thought.estimates.clear();
        for (const MicroNode::Arm& arm : arms) {
            if (arm.visits > 0)
                thought.estimates.push_back(
                    {.move = arm.move, .mean = 100 * arm.mean(), .visits = arm.visits});
        }
        std::ranges::stable_sort(thought.estimates, std::greater<>(), &Estimate::mean);
    }

    [[nodiscard]] std::size_t select(const std::vector<MicroNode::Arm>& arms, std::uint64_t all) const {
        const double log_all = std::log(std::max<double>(1, static_cast<double>(all)));
        const auto bound = [&](const MicroNode::Arm& arm) {
            return arm.tries() == 0 ? 1e9
                                    : arm.mean() + options_.exploration * std::sqrt(log_all / arm.tries());
        };
        return static_cast<std::size_t>(std::ranges::max_element(arms, {}, bound) - arms.begin());
    }

    MacUcbOptions options_;
    std::shared_ptr<MacUcbShared> shared_;
    std::unique_ptr<MicroTree> tree_;
    std::unique_ptr<SymmetricMicros> symmetric_;
    std::unique_ptr<MacUcbSearch> search_;
    std::unique_ptr<Playouts> playouts_;
};

}  // namespace

std::unique_ptr<MicroTree> MacUcbShared::take(const std::string& file, std::size_t memory) {
    const std::lock_guard lock(mutex_);
    auto& idle = idle_[file];
    // Half of the memory stays free for what is new.
    if (idle.empty() && !file.empty())
        return std::make_unique<MicroTree>(read_cache(file, rules_, memory / 2));
    if (idle.empty()) return std::make_unique<MicroTree>();
    auto tree = std::move(idle.back());
    idle.pop_back();
    return tree;
}

void MacUcbShared::give_back(const std::string& file, std::unique_ptr<MicroTree> tree) {
    const std::lock_guard lock(mutex_);
    idle_[file].push_back(std::move(tree));
}

void MacUcbShared::save(const std::string& file, const MicroTree& tree, std::size_t memory) {
    const std::lock_guard lock(mutex_);
    write_cache(file, rules_, tree, memory);
}

const scsp::TurnProgram& MacUcbShared::program(const Deadline& deadline, Clock clock) {
    // Another thread that prepares it is waited for: nothing can be resolved without it.
    return *program_.get(Deadline(), program_seconds, no_program_, [&](double) {
        const auto begun = Deadline::Clock::now();
        const double left = std::max(0.0, deadline.left());
        const double seconds = clock == Clock::start && deadline.set()
                                   ? start_share * left
                                   : std::min(program_seconds, program_share * left);
        const scsp::MutexGroups groups = scsp::find_mutex_groups(
            rules_.machine(), {.limits = Limits(groups_share * seconds, std::nullopt)});
        const Limits rest(std::max(0.0, seconds - seconds_since(begun)), std::nullopt);
        auto made = std::make_unique<const scsp::TurnProgram>(rules_.machine(), groups,
                                                              scsp::TurnProgramOptions{.limits = rest});
        return AnytimeCache<std::unique_ptr<const scsp::TurnProgram>>::Attempt{std::move(made), true};
    });
}

const TurnStructure* MacUcbShared::structure(const Deadline& deadline) {
    return structure_
        .get(
            deadline, structure_seconds, none_,
            [&](double seconds) {
                const Limits limits(std::min(seconds, structure_seconds), std::nullopt);
                auto made = TurnStructure::make(rules_, limits);
                const bool complete = limits.reached() == Stop::none;
                return AnytimeCache<std::unique_ptr<const TurnStructure>>::Attempt{std::move(made), complete};
            })
        .get();
}

std::unique_ptr<Player> make_mac_ucb(const GameContext& rules, const Settings& settings,
                                     const MacUcbOptions& options, std::shared_ptr<MacUcbShared> shared) {
    return std::make_unique<MacUcb>(rules, settings, options, std::move(shared));
}

}  // namespace zermelo::play
