#include "play/champion/config_racing.hpp"

#include <cmath>

#include "play/champion/champion.hpp"
#include "play/mcts/playouts.hpp"

namespace zermelo::play {

namespace {

constexpr double usual_seconds = 0.021;  // for a move, of which a player leaves 6 ms on the clock
constexpr double least_seconds = 0.012;
constexpr double least_batches = 8;    // of playouts, for a move: fewer say nothing of a search
constexpr double wanted_matches = 16;  // in the time that there is
constexpr double wanted_matches_of_a_net = 8;
constexpr double searched_share = 0.5;   // of the moves; then one of them has proven that it wins
constexpr double counting_share = 0.05;  // of the time, at most
constexpr std::size_t random_plays = 4;  // that tell how long a match is
constexpr std::size_t random_moves_first = 4;
constexpr std::size_t most_race_moves = 400;
constexpr std::size_t least_matches = 8;
constexpr std::size_t least_matches_of_a_net = 6;
constexpr std::size_t most_matches = 40;   // of a pair
constexpr std::size_t give_up_after = 12;  // matches, with a challenger that is not ahead
constexpr std::size_t least_matches_to_give_up = 4;
constexpr double certainty = 2.3;             // standard deviations, on the way
constexpr double certainty_to_give_up = 1.9;  // a challenger that is behind: there are others to try
constexpr double certainty_at_last = 1.5;
constexpr double mostly_resolving = 0.9;
constexpr double mostly_sampling = 0.1;
constexpr double less_exploration = 0.5;
constexpr double half_by_value = 0.5;
constexpr unsigned grave = 3;  // the level of transfer
constexpr std::size_t racing_memory = std::size_t{16} << 20;

// How many moves a match takes, as far as some random plays show.
double moves_of_a_match(const GameContext& rules, const Deadline& deadline) {
    InfoState info(rules);
    Random random(1);
    JointMove joint;
    double moves = 0;
    for (std::size_t play = 0; play < random_plays; ++play) {
        State state = rules.machine().initial();
        for (std::size_t step = 0; step < most_race_moves; ++step) {
            info.load(state);
            if (info.terminal() || deadline.passed()) break;
            random_moves(info, random, joint);
            for (const std::size_t role : rules.seats()) {
                if (info.legal(role).size() > 1) ++moves;
            }
            info.play(joint, state);
        }
    }
    return moves / random_plays;
}

// Of playouts from the first state, in all lanes.
double seconds_of_a_batch(const GameContext& rules, const Deadline& deadline) {
    const State& initial = rules.machine().initial();
    if (initial.empty()) return 0;
    Playouts playouts(rules, 1);
    std::vector<Playouts::Result> results;
    double seconds = 0;
    for (int i = 0; i < 2 && !deadline.passed(); ++i) {  // the first time is slower
        const State* const from = &initial;
        const double before = deadline.left();
        playouts.run({&from, 1}, 0, false, deadline, results);
        seconds = before - deadline.left();
    }
    return seconds;
}

}  // namespace

bool ConfigRacing::supports(const GameContext& rules) {
    return !rules.hidden() && (rules.opposed() || rules.rivals());
}

ConfigRacing::ConfigRacing(const GameContext& rules, const ChampionEngineOptions& options,
                           const ChampionConfig& first, const Changes& may_change)
    : rules_(rules), options_(options), may_change_(may_change), incumbent_(first) {
    options_.tree.threads = 1;
    if (!supports(rules)) {
        step_ = Step::end;
        return;
    }
    // The best way to sample is found first, then resolution has to beat it; as long as nothing is known,
    // too, sampling is the safer way.
    if (may_change.resolve) incumbent_.resolve = mostly_sampling;
    begin_with(Step::net);
}

ConfigRacing::~ConfigRacing() {
    if (kept_ && all_ > taken_up_) kept_->write({incumbent_, static_cast<std::uint32_t>(step_), all_});
}

void ConfigRacing::keep_beside(std::string net_file, const Hash128& subject) {
    net_file_ = std::move(net_file);
    subject_ = subject;
}

// The question that was open is asked anew.
void ConfigRacing::take_up(double clock) {
    const std::lock_guard lock(mutex_);
    if (kept_ || net_file_.empty()) return;
    kept_.emplace(net_file_, subject_, clock);
    const auto kept = kept_->read();
    if (!kept || kept->step > static_cast<std::uint32_t>(Step::end)) return;
    incumbent_ = kept->config;
    all_ = taken_up_ = static_cast<std::size_t>(kept->matches);
    begin_with(static_cast<Step>(kept->step));
}

void ConfigRacing::begin_with(Step step) {
    played_ = 0;
    score_ = 0;
    step_ = step;
    while (step_ != Step::end && skip(step_)) step_ = static_cast<Step>(static_cast<int>(step_) + 1);
}

void ConfigRacing::offer(std::shared_ptr<const learn::Judgement> judgement) {
    const std::lock_guard lock(mutex_);
    if (options_.judgement || !judgement || !supports(rules_)) return;
    options_.judgement = std::move(judgement);
    net_file_.clear();  // this net is gone after the match, and what was found out with it means nothing then
    kept_.reset();
    begin_with(Step::net);
}

std::shared_ptr<const learn::Judgement> ConfigRacing::judgement() const {
    const std::lock_guard lock(mutex_);
    return options_.judgement;
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
    const bool net = may_change_.net && options_.judgement;
    switch (step) {
        case Step::net:
            return !net || (incumbent_.net > 0 && !may_change_.drop_net);
        case Step::net_and_playouts:
            return !net || incumbent_.net == 0;
        case Step::value:
            return !may_change_.value || incumbent_.net > 0 || !ChampionEngine::has_values(rules_);
        case Step::resolve_with_net:
            return !net || incumbent_.net > 0 || !may_change_.resolve || !Expectimax::supports(rules_);
        case Step::resolve:
            return !may_change_.resolve || !Expectimax::supports(rules_);
        case Step::explore:
            // GRAVE has no bonus for exploration.
            return !may_change_.explore || !sampling || incumbent_.transfer == grave;
        case Step::grave:
        case Step::transfer:
            return !may_change_.transfer || !sampling || incumbent_.net > 0;
        case Step::no_transfer:
            return !may_change_.transfer || !sampling || incumbent_.net > 0 || incumbent_.transfer >= 2;
        case Step::filter:
            return !may_change_.filter || incumbent_.filter == 0 || !rules_.opposed();
        case Step::symmetry:
            return !may_change_.symmetry || rules_.canonical(Deadline::in(0)).size() == 1;
        case Step::end:
            return true;
    }
    return true;
}

void ConfigRacing::next() { begin_with(static_cast<Step>(static_cast<int>(step_) + 1)); }

ChampionConfig ConfigRacing::challenger() const {
    ChampionConfig config = incumbent_;
    switch (step_) {
        case Step::net:
            config.net = incumbent_.net > 0 ? 0 : 1;
            break;
        case Step::net_and_playouts:
            config.net = 2;
            break;
        case Step::resolve_with_net:
            config.net = 1;
            config.resolve = mostly_resolving;
            break;
        case Step::resolve:
            config.resolve = mostly_resolving;
            break;
        case Step::explore:
            config.explore = less_exploration;
            break;
        case Step::value:
            config.value = half_by_value;
            break;
        case Step::grave:
            config.transfer = grave;
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

void ConfigRacing::run(const Deadline& deadline, double clock, unsigned threads) {
    if (decided()) return;
    take_up(clock);
    Deadline::begin_polling();
    const double most = clock > 0 ? clock : usual_seconds;
    const double moves = 1 + moves_of_a_match(rules_, deadline.part(counting_share));
    const double least =
        std::max(least_seconds, least_batches * seconds_of_a_batch(rules_, deadline.part(counting_share)));
    // A net is judged by fewer matches with more time: playouts catch up where there is more of it.
    const auto seconds_for = [&](double matches) {
        const double all = matches * searched_share * moves;
        return std::min(most, std::max(least, deadline.left() * std::max(1U, threads) / all));
    };
    const double usual = seconds_for(wanted_matches);
    const double of_a_net = seconds_for(wanted_matches_of_a_net);
    while (!deadline.passed()) {
        Match match;
        {
            const std::lock_guard lock(mutex_);
            if (step_ == Step::end) return;
            match = {options_, incumbent_, challenger(),
                     step_,    started_++, step_ == Step::net ? of_a_net : usual};
        }
        const auto score = play(match, deadline);
        if (!score || Limits().reached() != Stop::none) return;  // an interrupted match says nothing
        note(match.step, *score);
    }
}

void ConfigRacing::note(Step step, double score) {
    const std::lock_guard lock(mutex_);
    ++all_;
    if (step != step_) return;  // another thread has decided it meanwhile
    ++played_;
    score_ += score;
    const bool net = step == Step::net;
    if (played_ < least_matches_to_give_up || played_ % 2 != 0) return;
    const double n = static_cast<double>(played_);
    const double ahead = (score_ / n - 0.5) * 2 * std::sqrt(n);  // in standard deviations, at most
    if (-ahead >= certainty_to_give_up) {
        next();
        return;
    }
    if (played_ < (net ? least_matches_of_a_net : least_matches)) return;
    const bool last = played_ >= most_matches;
    // Two halves of the time are equals before the first match; in all else the challenger must show that it
    // is better; a net in any case by the same certainty.
    const bool equals = step == Step::resolve;
    const double enough_at_last = equals ? 0 : net ? certainty : certainty_at_last;
    if (ahead >= (last ? enough_at_last : certainty)) {
        incumbent_ = challenger();
        next();
    } else if (last || (!equals && played_ >= give_up_after && ahead <= 0)) {
        next();
    }
}

// Of opponents the goal; of rivals, whose goals are of any size, who got more.
double ConfigRacing::outcome(InfoState& info, std::size_t own, std::size_t other) const {
    if (rules_.opposed()) return 0.01 * info.goal(own);
    const int mine = info.goal(own);
    const int others = info.goal(other);
    return mine > others ? 1 : mine == others ? 0.5 : 0;
}

std::optional<double> ConfigRacing::play(const Match& match, const Deadline& deadline) const {
    const auto& seats = rules_.seats();
    // Both seats of a pair begin with the same random moves.
    const std::size_t seat = match.number % 2;
    const std::uint64_t seed = Random(match.number / 2).next();
    std::vector<std::unique_ptr<Player>> players(rules_.roles());
    for (std::size_t s = 0; s < seats.size(); ++s) {
        players[seats[s]] = make_champion(
            rules_, {.role = seats[s], .seed = seed + s, .threads = 1, .memory = racing_memory},
            {.engine = match.options, .config = s == seat ? match.other : match.incumbent, .changes = {}},
            nullptr);
        players[seats[s]]->start(deadline);
    }
    Random random(seed);
    InfoState info(rules_);
    State state = rules_.machine().initial();
    JointMove joint;
    for (std::size_t moves = 0; moves < most_race_moves; ++moves) {
        info.load(state);
        if (info.terminal()) return outcome(info, seats[seat], seats[1 - seat]);
        random_moves(info, random, joint);
        for (std::size_t s = 0; s < seats.size(); ++s) {
            const std::size_t role = seats[s];
            if (moves < random_moves_first || info.legal(role).size() < 2) continue;
            if (deadline.left() < match.seconds) return std::nullopt;
            joint[role] = players[role]->choose({.deadline = Deadline::in(match.seconds)});
            // Who has proven to win need not show it.
            const auto& estimates = players[role]->thought().estimates;
            if (rules_.opposed() && !estimates.empty() && estimates.front().proven &&
                estimates.front().mean >= game::win)
                return s == seat ? 1 : 0;
        }
        info.play(joint, state);
        for (const std::size_t role : seats) {
            players[role]->see({.joint = joint, .own = joint[role]});
        }
    }
    return 0.5;
}

}  // namespace zermelo::play
