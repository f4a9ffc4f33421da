// What the rules do not show by their form: playability, goals and who sees what, looked for by playing at
// random.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "core/random.hpp"
#include "gdl/reasoner/reasoner.hpp"
#include "gdl/syntax/check.hpp"
#include "gdl/syntax/parse.hpp"

namespace zermelo::gdl {

namespace {

using Severity = Finding::Severity;

// Plays at random and asks `watch` about each state (moves empty at the end of a play); stops when it says
// no.
template <class Watch>
void play(Reasoner& reasoner, const PlayOptions& options, Watch watch) {
    Random random(options.seed);
    for (int playout = 0; playout < options.playouts; ++playout) {
        Reasoner::State state = reasoner.initial();
        for (int step = 0;; ++step) {
            if (options.limits.reached() != Stop::none) return;
            Reasoner::Joint joint;
            const bool over = reasoner.terminal(state) || step == options.most_steps;
            for (std::size_t role = 0; role < reasoner.roles().size() && !over; ++role) {
                const auto moves = reasoner.legal(state, role);
                if (moves.empty()) break;
                joint.push_back(moves[random.below(moves.size())]);
            }
            const bool complete = joint.size() == reasoner.roles().size();
            if (!watch(state, joint, step, playout)) return;
            if (over || !complete) break;
            state = reasoner.next(state, joint);
        }
    }
}

class PlayChecker {
public:
    PlayChecker(const Description& game, const PlayOptions& options)
        : game_(game), options_(options), reasoner_(game, {.limits = options.limits}) {}

    void run(std::vector<Finding>& findings) {
        findings_ = &findings;
        std::vector<int> last;
        play(reasoner_, options_,
             [&](const Reasoner::State& state, const Reasoner::Joint& joint, int step, int playout) {
                 if (step == 0) last.assign(reasoner_.roles().size(), 0);
                 when_ =
                     fmt::format("after {} moves of random play {} (seed {})", step, playout, options_.seed);
                 const bool ended = reasoner_.terminal(state);
                 goals(state, ended, last);
                 if (!ended && joint.size() < reasoner_.roles().size() && step < options_.most_steps) {
                     tell(Severity::error, fmt::format("{} has no move {}", name(joint.size()), when_),
                          "every role needs a legal move in every state that is not terminal; add one that "
                          "does nothing");
                 }
                 if (!ended && step == options_.most_steps) {
                     tell(Severity::warning, fmt::format("a play is not over {}", when_),
                          "games must end: add a step counter, or allow more steps");
                 }
                 return true;
             });
    }

private:
    [[nodiscard]] const std::string& name(std::size_t role) const {
        return reasoner_.text(reasoner_.roles()[role]);
    }

    void goals(const Reasoner::State& state, bool ended, std::vector<int>& last) {
        for (std::size_t role = 0; role < last.size(); ++role) {
            if (name(role) == game_.symbols.name(kw_random)) continue;
            const auto values = reasoner_.goals(state, role);
            if (values.size() > 1) {
                tell(Severity::error,
                     fmt::format("{} has {} goal values {}", name(role), values.size(), when_),
                     "make the conditions of its goals exclude each other");
                continue;
            }
            if (values.empty()) {
                if (ended) {
                    tell(Severity::error,
                         fmt::format("{} has no goal value {}, where the game is over", name(role), when_),
                         "add a goal for the remaining cases");
                }
                continue;
            }
            const auto value = reasoner_.goal(state, role);
            if (!value || *value < 0 || *value > 100) {
                tell(Severity::error,
                     fmt::format("{} has the goal value {} {}", name(role), reasoner_.text(values.front()),
                                 when_),
                     "goals are whole numbers from 0 to 100");
                continue;
            }
            if (*value < last[role]) {
                tell(Severity::note,
                     fmt::format("the goal of {} goes down, from {} to {}, {}", name(role), last[role],
                                 *value, when_),
                     "only the values of terminal states count; guard the goal with `terminal`");
            }
            last[role] = *value;
        }
    }

    // Each kind once: findings are of one kind if they give the same advice.
    void tell(Severity severity, const std::string& message, const std::string& remedy) {
        if (told_.insert(remedy).second) findings_->push_back({severity, {game_.file}, message, remedy});
    }

    const Description& game_;
    const PlayOptions& options_;
    Reasoner reasoner_;
    std::string when_;
    std::set<std::string> told_;
    std::vector<Finding>* findings_ = nullptr;
};

// Who sees what by a rule, written so that rules that differ only in the observer are equal.
class Observers {
public:
    explicit Observers(const Description& game) : game_(game) {
        for (const Rule& rule : game.rules) {
            if (!rule.body.empty() || rule.head.arguments.size() != 1) continue;
            const Term& subject = rule.head.arguments.front();
            if (subject.kind == Term::Kind::constant) members_[rule.head.relation].insert(subject.id);
        }
        players_ = members_[kw_role];
        players_.erase(kw_random);
    }

    [[nodiscard]] std::size_t players() const { return players_.size(); }

    // True if for every rule all players see by it, or by its like, whatever one of them sees.
    [[nodiscard]] bool symmetric() const {
        std::map<std::string, std::set<Symbol>> seen;
        for (const Rule& rule : game_.rules) {
            if (rule.head.relation != kw_sees) continue;
            const Term& observer = rule.head.arguments.front();
            if (observer.kind == Term::Kind::constant) {
                if (observer.id != kw_random) seen[written(rule)].insert(observer.id);
            } else if (!everyone(rule, observer)) {
                return false;
            }
        }
        return std::all_of(seen.begin(), seen.end(), [&](const auto& rule) {
            return std::includes(rule.second.begin(), rule.second.end(), players_.begin(), players_.end());
        });
    }

private:
    // The observer is a variable that the body uses only to range over all players.
    [[nodiscard]] bool everyone(const Rule& rule, const Term& observer) const {
        const auto mentions = [&](const Term& term, const auto& self) -> bool {
            return term == observer || std::any_of(term.arguments.begin(), term.arguments.end(),
                                                   [&](const Term& t) { return self(t, self); });
        };
        if (mentions(rule.head.arguments.back(), mentions)) return false;
        return std::all_of(rule.body.begin(), rule.body.end(), [&](const BodyLiteral& literal) {
            const auto& terms = literal.atom.arguments;
            if (std::none_of(terms.begin(), terms.end(),
                             [&](const Term& t) { return mentions(t, mentions); }))
                return true;
            if (literal.kind == BodyLiteral::Kind::distinct) {
                const Term& other = terms[0] == observer ? terms[1] : terms[0];
                return other.kind == Term::Kind::constant && !players_.contains(other.id);
            }
            if (literal.kind == BodyLiteral::Kind::negative || terms.size() != 1) return false;
            const auto found = members_.find(literal.atom.relation);
            return found != members_.end() && std::includes(found->second.begin(), found->second.end(),
                                                            players_.begin(), players_.end());
        });
    }

    [[nodiscard]] std::string written(const Rule& rule) const {
        std::vector<std::string> names;
        for (std::size_t v = 0; v < rule.variables.size(); ++v) names.push_back(fmt::format("?{}", v));
        std::vector<std::string> body;
        for (const BodyLiteral& literal : rule.body) {
            body.push_back(fmt::format("{} {}", static_cast<int>(literal.kind),
                                       text(game_.symbols, literal.atom, &names)));
        }
        return fmt::format("{} if {}", text(game_.symbols, rule.head.arguments.back(), &names),
                           fmt::join(body, " "));
    }

    const Description& game_;
    std::map<Symbol, std::set<Symbol>> members_;  // of relations with one argument, as far as facts say
    std::set<Symbol> players_;
};

// A play in which two players see different things.
bool differ_in_play(const Description& game, const PlayOptions& options) {
    Reasoner reasoner(game, {.limits = options.limits});
    bool differ = false;
    play(reasoner, options, [&](const Reasoner::State& state, const Reasoner::Joint& joint, int, int) {
        if (joint.size() < reasoner.roles().size()) return true;
        std::optional<std::vector<Reasoner::Ground>> first;
        for (std::size_t role = 0; role < reasoner.roles().size(); ++role) {
            if (reasoner.text(reasoner.roles()[role]) == game.symbols.name(kw_random)) continue;
            const auto seen = reasoner.sees(state, joint, role);
            if (!first) first = seen;
            differ = differ || *first != seen;
        }
        return !differ;
    });
    return differ;
}

}  // namespace

std::vector<Finding> check_by_playing(const Description& game, const PlayOptions& options) {
    std::vector<Finding> findings;
    std::string problem;
    try {
        PlayChecker(game, options).run(findings);
    } catch (const Error& error) {
        problem = error.what();
    }
    const Stop stop = options.limits.reached();
    if (stop != Stop::none) {
        findings.push_back({Severity::note,
                            {game.file},
                            fmt::format("not played to the end: {}", describe(stop)),
                            "allow more to know more"});
    } else if (!problem.empty()) {
        findings.push_back(
            {Severity::error, {game.file}, fmt::format("cannot be played: {}", problem), "see there"});
    }
    return findings;
}

Information information(const Description& game, const PlayOptions& options) {
    Information result;
    for (const Rule& rule : game.rules) {
        if (rule.head.relation == kw_sees) result.percepts = true;
        if (rule.head.relation != kw_role) continue;
        const Term& role = rule.head.arguments.front();
        if (role.kind == Term::Kind::constant && role.id == kw_random) result.chance = true;
    }
    const Observers observers(game);
    if (!result.percepts || observers.players() < 2 || observers.symmetric()) return result;
    result.sharing = Sharing::unknown;
    try {
        if (differ_in_play(game, options)) result.sharing = Sharing::no;
    } catch (const Error&) {
        // Unknown it remains: check_by_playing tells why the game cannot be played.
    }
    return result;
}

}  // namespace zermelo::gdl
