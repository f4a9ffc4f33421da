#include "ggp/player/fallback_player.hpp"

#include <algorithm>
#include <map>

#include "core/error.hpp"

namespace zermelo::ggp {

using gdl::Reasoner;

namespace {

constexpr std::size_t most_states = 16;
constexpr std::size_t tries = 256;             // of random moves, until a step agrees with what was seen
constexpr std::size_t longest_play = 10'000;   // steps
constexpr std::size_t most_missed = 4;         // steps that were not told
constexpr std::size_t most_sought = 500;       // states after a step that was not told
constexpr std::size_t most_joint_moves = 200;  // of a state, that are tried there
constexpr double middling = 50;                // the goal of a play that was not finished

}  // namespace

FallbackPlayer::FallbackPlayer(const gdl::Description& description, const std::string& role,
                               std::uint64_t seed, const Limits& limits)
    : reasoner_(description, {.limits = limits}),
      hidden_(std::ranges::any_of(description.rules,
                                  [](const gdl::Rule& rule) { return rule.head.relation == gdl::kw_sees; })),
      random_(seed) {
    const auto& roles = reasoner_.roles();
    while (role_ < roles.size() && name(roles[role_]) != role) ++role_;
    if (role_ == roles.size())
        throw Error("the rules have no role " + role, "start the match with one of their roles");
    states_.push_back(reasoner_.initial());
}

std::string FallbackPlayer::name(Reasoner::Ground term) const { return lower(reasoner_.text(term)); }

// All moves, if that is what the message lists and they are legal.
std::optional<Reasoner::Joint> FallbackPlayer::moves_in(const State& state, const Message& message) {
    const std::size_t roles = reasoner_.roles().size();
    if (message.dated || message.items.size() != roles || reasoner_.terminal(state)) return std::nullopt;
    Reasoner::Joint joint;
    for (std::size_t r = 0; r < roles; ++r) {
        const auto legal = reasoner_.legal(state, r);
        const auto found =
            std::ranges::find_if(legal, [&](const auto move) { return name(move) == message.items[r]; });
        if (found == legal.end()) return std::nullopt;
        joint.push_back(*found);
    }
    return joint;
}

// Those after the moves that the message lists, where they are legal.
std::vector<FallbackPlayer::State> FallbackPlayer::step(const std::vector<State>& states,
                                                        const Message& message) {
    std::vector<State> after;
    for (const State& state : states) {
        if (const auto joint = moves_in(state, message)) after.push_back(reasoner_.next(state, *joint));
    }
    std::ranges::sort(after);
    after.erase(std::unique(after.begin(), after.end()), after.end());
    return after;
}

// After all joint moves, or after some where there are many; only those with our own move where it is given.
std::vector<FallbackPlayer::State> FallbackPlayer::successors(const State& state,
                                                              const std::optional<std::string>& own) {
    std::vector<State> after;
    if (reasoner_.terminal(state)) return after;
    std::vector<std::vector<Reasoner::Ground>> legal;
    std::size_t joints = 1;
    for (std::size_t r = 0; r < reasoner_.roles().size(); ++r) {
        legal.push_back(reasoner_.legal(state, r));
        if (own && r == role_)
            std::erase_if(legal.back(), [&](const auto move) { return name(move) != *own; });
        joints = std::min(joints * legal.back().size(), most_joint_moves + 1);
    }
    if (joints > most_joint_moves) {
        for (std::size_t i = 0; i < most_joint_moves; ++i) {
            Reasoner::Joint joint;
            for (const auto& moves : legal) joint.push_back(moves[random_.below(moves.size())]);
            after.push_back(reasoner_.next(state, joint));
        }
        return after;
    }
    for (std::size_t number = 0; number < joints; ++number) {
        Reasoner::Joint joint;
        std::size_t rest = number;
        for (const auto& moves : legal) {
            joint.push_back(moves[rest % moves.size()]);
            rest /= moves.size();
        }
        after.push_back(reasoner_.next(state, joint));
    }
    return after;
}

// Breadth first over the steps that were not told; a sample of the states after the step that was. What we said last was
// probably played in the first of them.
std::vector<FallbackPlayer::State> FallbackPlayer::catch_up(const Message& message,
                                                            const std::optional<std::string>& said,
                                                            const play::Deadline& deadline) {
    std::vector<State> level = states_;
    for (std::size_t missed = 1; missed <= most_missed && !deadline.passed(); ++missed) {
        std::vector<State> next;
        for (const State& state : level) {
            if (deadline.passed() || next.size() >= most_sought) break;
            for (State& each : successors(state, missed == 1 ? said : std::nullopt))
                next.push_back(std::move(each));
        }
        std::ranges::sort(next);
        next.erase(std::unique(next.begin(), next.end()), next.end());
        std::vector<State> after = step(next, message);
        if (!after.empty()) {
            for (std::size_t i = 0; i < std::min(most_states, after.size()); ++i)
                std::swap(after[i], after[i + random_.below(after.size() - i)]);
            after.resize(std::min(most_states, after.size()));
            return after;
        }
        level = std::move(next);
    }
    return {};
}

std::optional<Reasoner::Joint> FallbackPlayer::random_joint(const State& state) {
    Reasoner::Joint joint;
    for (std::size_t r = 0; r < reasoner_.roles().size(); ++r) {
        const auto legal = reasoner_.legal(state, r);
        if (legal.empty()) return std::nullopt;
        joint.push_back(legal[random_.below(legal.size())]);
    }
    return joint;
}

std::optional<FallbackPlayer::State> FallbackPlayer::follow(const State& state, const std::string& own,
                                                            const std::vector<std::string>& percepts,
                                                            const play::Deadline& deadline) {
    const auto legal = reasoner_.legal(state, role_);
    const auto mine = std::ranges::find_if(legal, [&](const auto move) { return name(move) == own; });
    if (mine == legal.end() || reasoner_.terminal(state)) return std::nullopt;
    for (std::size_t i = 0; i < tries && !deadline.passed(); ++i) {
        auto joint = random_joint(state);
        if (!joint) return std::nullopt;
        (*joint)[role_] = *mine;
        std::vector<std::string> seen;
        for (const auto percept : reasoner_.sees(state, *joint, role_)) seen.push_back(name(percept));
        std::ranges::sort(seen);
        if (seen == percepts) return reasoner_.next(state, *joint);
    }
    return std::nullopt;
}

void FallbackPlayer::update(const Message& message, const std::optional<std::string>& answered,
                            const play::Deadline& deadline) {
    std::vector<State> after = step(states_, message);
    if (after.empty() && !message.dated && !last_.empty() && message.items == last_)
        throw InconsistentStep("the moves are not legal now", "send every step of the match");
    if (after.empty() && !hidden_ && !message.dated) {
        if (answered) after = catch_up(message, answered, deadline);
        if (after.empty()) after = catch_up(message, std::nullopt, deadline);
        if (after.empty()) throw Error("no moves lead to a state in which those of the message are legal");
    }
    if (!after.empty()) {
        states_ = std::move(after);
        last_ = message.items;
        return;
    }
    const auto& own = message.own ? message.own : answered;
    if (!own)
        throw Error("the message does not say what our move was",
                    "send it in the 2013 format of the protocol");
    std::vector<std::string> percepts = message.items;
    std::ranges::sort(percepts);
    std::vector<State> next;
    for (std::size_t i = 0; i < 4 * most_states && next.size() < most_states; ++i) {
        auto state = follow(states_[random_.below(states_.size())], *own, percepts, deadline);
        if (state) next.push_back(std::move(*state));
        if ((next.empty() && i >= most_states) || deadline.passed()) break;
    }
    if (next.empty()) throw Error("no sequence of moves explains the message");
    states_ = std::move(next);
    last_.clear();
}

std::vector<std::string> FallbackPlayer::legal() {
    std::map<std::string, std::size_t> counts;
    std::size_t most = 0;
    for (const State& state : states_) {
        for (const auto move : reasoner_.legal(state, role_))
            most = std::max(most, ++counts[reasoner_.text(move)]);
    }
    std::vector<std::string> moves;
    for (const auto& [move, count] : counts) {
        if (count == most) moves.push_back(move);
    }
    return moves;
}

double FallbackPlayer::play_out(State state, const Reasoner::Ground& own, const play::Deadline& deadline) {
    for (std::size_t step = 0; step < longest_play; ++step) {
        if (reasoner_.terminal(state)) return reasoner_.goal(state, role_).value_or(0);
        auto joint = random_joint(state);
        if (!joint || deadline.passed()) return middling;
        if (step == 0) (*joint)[role_] = own;
        state = reasoner_.next(state, *joint);
    }
    return middling;
}

std::string FallbackPlayer::choose(const std::vector<std::string>& legal, const play::Deadline& deadline) {
    if (legal.empty()) throw Error("there is no legal move");
    std::vector<double> sums(legal.size(), 0);
    std::vector<std::size_t> plays(legal.size(), 0);
    std::size_t next = random_.below(legal.size());
    while (legal.size() > 1 && !deadline.passed()) {
        const State& state = states_[random_.below(states_.size())];
        for (const auto move : reasoner_.legal(state, role_)) {
            if (reasoner_.text(move) != legal[next]) continue;
            sums[next] += play_out(state, move, deadline);
            ++plays[next];
            break;
        }
        next = (next + 1) % legal.size();
    }
    std::size_t best = next;
    const auto mean = [&](std::size_t i) {
        return plays[i] == 0 ? 0 : sums[i] / static_cast<double>(plays[i]);
    };
    for (std::size_t i = 0; i < legal.size(); ++i) {
        if (mean(i) > mean(best)) best = i;
    }
    return legal[best];
}

}  // namespace zermelo::ggp
