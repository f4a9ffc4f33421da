#include "play/champion/config_racing.hpp"

#include <cmath>

#include "play/champion/champion.hpp"

namespace zermelo::play {

namespace {

constexpr double seconds_a_move = 0.021;  // of which a player leaves 6 ms on the clock
constexpr std::size_t random_moves_first = 4;
constexpr std::size_t most_race_moves = 400;
constexpr std::size_t least_matches = 8;
constexpr std::size_t most_matches = 40;   // of a pair
constexpr std::size_t give_up_after = 12;  // matches, with a challenger that is not ahead
constexpr double certainty = 2.3;          // standard deviations, on the way
constexpr double certainty_at_last = 1.5;
constexpr double mostly_resolving = 0.9;
constexpr double mostly_sampling = 0.1;
constexpr double less_exploration = 0.5;
constexpr std::size_t memory = std::size_t{16} << 20;

}  // namespace

ConfigRacing::ConfigRacing(const GameContext& rules, const ChampionEngineOptions& options,
                           const ChampionConfig& first, const Changes& may_change)
    : rules_(rules), options_(options), may_change_(may_change), incumbent_(first) {
    options_.tree.threads = 1;
    if (rules.hidden() || !rules.opposed() || rules.seats().size() != 2) step_ = Step::end;
    // The best way to sample is found first, then resolution has to beat it; as long as nothing is known,
    // too, sampling is the safer way.
    if (step_ != Step::end && may_change.resolve) incumbent_.resolve = mostly_sampling;
    while (step_ != Step::end && skip(step_)) step_ = static_cast<Step>(static_cast<int>(step_) + 1);
}

ChampionConfig ConfigRacing::best() const {
    const std::lock_guard lock(mutex_);
    return incumbent_;
}

bool ConfigRacing::decided() const {
    const std::lock_guard lock(mutex_);
    return step_ == Step::end;
}

std::size_t ConfigRacing::matches() const {
    const std::lock_guard lock(mutex_);
    return all_;
}

// Nothing to change, or nothing that would matter.
bool ConfigRacing::skip(Step step) const {
    const bool sampling = incumbent_.resolve < 0.5;
    switch (step) {
        case Step::resolve:
            return !may_change_.resolve || !Expectimax::supports(rules_);
        case Step::explore:
            return !may_change_.explore || !sampling;
        case Step::transfer:
            return !may_change_.transfer || !sampling;
        case Step::no_transfer:
            return !may_change_.transfer || !sampling || incumbent_.transfer == 2;
        case Step::filter:
            return !may_change_.filter || incumbent_.filter == 0;
        case Step::symmetry:
            return !may_change_.symmetry || rules_.canonical(Deadline::in(0)).size() == 1;
        case Step::end:
            return true;
    }
    return true;
}

void ConfigRacing::next() {
    played_ = 0;
    score_ = 0;
    do {
        step_ = static_cast<Step>(static_cast<int>(step_) + 1);
    } while (step_ != Step::end && skip(step_));
}

ChampionConfig ConfigRacing::challenger() const {
    ChampionConfig config = incumbent_;
    switch (step_) {
        case Step::resolve:
            config.resolve = mostly_resolving;
            break;
        case Step::explore:
            config.explore = less_exploration;
            break;
        case Step::transfer:
            config.transfer = 2;
            break;
        case Step::no_transfer:
            config.transfer = 0;
            break;
        case Step::filter:
            config.filter = 0;
            break;
        case Step::symmetry:
            config.symmetry = !config.symmetry;
            break;
        case Step::end:
            break;
    }
    return config;
}

void ConfigRacing::run(const Deadline& deadline) {
    while (!deadline.passed()) {
        ChampionConfig incumbent;
        ChampionConfig other;
        Step step{};
        std::size_t number = 0;
        {
            const std::lock_guard lock(mutex_);
            if (step_ == Step::end) return;
            incumbent = incumbent_;
            other = challenger();
            step = step_;
            number = started_++;
        }
        // Both seats of a pair begin with the same random moves.
        const auto score = play(incumbent, other, number % 2, deadline, Random(number / 2).next());
        if (!score || Limits().reached() != Stop::none) return;  // an interrupted match says nothing
        note(step, *score);
    }
}

void ConfigRacing::note(Step step, double score) {
    const std::lock_guard lock(mutex_);
    ++all_;
    if (step != step_) return;  // another thread has decided it meanwhile
    ++played_;
    score_ += score;
    if (played_ < least_matches || played_ % 2 != 0) return;
    const double n = static_cast<double>(played_);
    const double ahead = (score_ / n - 0.5) * 2 * std::sqrt(n);  // in standard deviations, at most
    const bool last = played_ >= most_matches;
    // Two halves of the time are equals before the first match; in all else the challenger must show that it
    // is better.
    const bool equals = step == Step::resolve;
    if (ahead >= (last ? equals ? 0 : certainty_at_last : certainty)) {
        incumbent_ = challenger();
        next();
    } else if (last || (equals ? -ahead >= certainty : played_ >= give_up_after && ahead <= 0)) {
        next();
    }
}

std::optional<double> ConfigRacing::play(const ChampionConfig& incumbent, const ChampionConfig& other,
                                         std::size_t seat, const Deadline& deadline,
                                         std::uint64_t seed) const {
    const auto& seats = rules_.seats();
    std::vector<std::unique_ptr<Player>> players(rules_.roles());
    for (std::size_t s = 0; s < seats.size(); ++s) {
        players[seats[s]] = make_champion(
            rules_, {.role = seats[s], .seed = seed + s, .threads = 1, .memory = memory},
            {.engine = options_, .config = s == seat ? other : incumbent, .changes = {}}, nullptr);
        players[seats[s]]->start(deadline);
    }
    Random random(seed);
    InfoState info(rules_);
    State state = rules_.machine().initial();
    JointMove joint;
    for (std::size_t moves = 0; moves < most_race_moves; ++moves) {
        info.load(state);
        if (info.terminal()) return 0.01 * info.goal(seats[seat]);
        random_moves(info, random, joint);
        for (const std::size_t role : seats) {
            if (moves < random_moves_first || info.legal(role).size() < 2) continue;
            if (deadline.left() < seconds_a_move) return std::nullopt;
            joint[role] = players[role]->choose({.deadline = Deadline::in(seconds_a_move)});
        }
        info.play(joint, state);
        for (const std::size_t role : seats) {
            players[role]->see({.joint = joint, .own = joint[role]});
        }
    }
    return 0.5;
}

}  // namespace zermelo::play
