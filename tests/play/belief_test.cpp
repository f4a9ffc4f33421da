// Beliefs against all plays that the reasoner finds: the positions and their weights are what a role may
// conclude from what it did and saw, and a sample holds nothing that cannot be.

#include "play/information/belief.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include <algorithm>
#include <cmath>
#include <map>

#include "games.hpp"
#include "gdl/reasoner/reasoner.hpp"
#include "gdl/syntax/parse.hpp"

namespace zermelo::play {
namespace {

const std::vector<std::string> hidden_games = {"monty-hall", "kuhn-poker", "mastermind"};

// How likely the reasoner thinks a role makes a move in a state, where it has so many.
using Odds = std::function<double(const std::string& state, std::size_t role, const std::string& move,
                                  std::size_t count)>;

// All plays in which a role makes given moves.
class Enumeration {
public:
    using Text = std::string;
    // By state: the weights of the plays that lead there, apart where somebody can tell them apart.
    using Distribution = std::map<Text, std::vector<double>>;

    Enumeration(const GameContext& rules, std::size_t role, Odds odds = {})
        : rules_(rules), role_(role), odds_(std::move(odds)), reasoner_(rules.game().description()) {}

    // `seen`: what the role did, and what it saw, step by step.
    Distribution given(const std::vector<Text>& own, const std::vector<std::vector<Text>>& seen) {
        own_ = own;
        wanted_.clear();
        for (std::size_t i = 0; i < own.size(); ++i) wanted_ += line(own[i], seen[i]);
        by_view_.clear();
        total_ = 0;
        go_on(reasoner_.initial(), 0, std::vector<Text>(rules_.roles()), 1);
        Distribution result;
        for (const auto& [key, weight] : by_view_) result[key.first].push_back(weight / total_);
        for (auto& [state, weights] : result) std::sort(weights.begin(), weights.end());
        return result;
    }

private:
    using State = gdl::Reasoner::State;

    [[nodiscard]] Text text(const State& state) const {
        std::vector<Text> facts;
        for (const auto fluent : state) facts.push_back(reasoner_.text(fluent));
        std::sort(facts.begin(), facts.end());
        Text all;
        for (const Text& fact : facts) all += fact + "\n";
        return all;
    }
    static Text line(const Text& own, const std::vector<Text>& percepts) {
        Text result = own + ":";
        for (const Text& each : percepts) result += " " + each;
        return result + "\n";
    }

    void go_on(const State& state, std::size_t step, const std::vector<Text>& views, double weight) {
        if (step == own_.size()) {
            if (views[role_] != wanted_) return;
            by_view_[{text(state), views}] += weight;
            total_ += weight;
            return;
        }
        if (reasoner_.terminal(state)) return;
        gdl::Reasoner::Joint joint;
        step_on(state, step, views, weight, joint);
    }
    void step_on(const State& state, std::size_t step, const std::vector<Text>& views, double weight,
                 gdl::Reasoner::Joint& joint) {
        const std::size_t r = joint.size();
        if (r == rules_.roles()) {
            std::vector<Text> after = views;
            for (const std::size_t seat : rules_.seats()) {
                std::vector<Text> percepts;
                for (const auto term : reasoner_.sees(state, joint, seat))
                    percepts.push_back(reasoner_.text(term));
                std::sort(percepts.begin(), percepts.end());
                after[seat] += line(reasoner_.text(joint[seat]), percepts);
            }
            // Plays that the role can already tell apart from its own will not come back.
            if (wanted_.compare(0, after[role_].size(), after[role_]) != 0) return;
            go_on(reasoner_.next(state, joint), step + 1, after, weight);
            return;
        }
        const auto legal = reasoner_.legal(state, r);
        for (const auto move : legal) {
            const Text& name = reasoner_.text(move);
            if (r == role_ && name != own_[step]) continue;
            double odds = 1;
            if (r != role_) {
                odds = odds_ && !rules_.chance(r) ? odds_(text(state), r, name, legal.size())
                                                  : 1.0 / static_cast<double>(legal.size());
            }
            if (odds <= 0) continue;
            joint.push_back(move);
            step_on(state, step, views, weight * odds, joint);
            joint.pop_back();
        }
    }

    const GameContext& rules_;
    std::size_t role_;
    Odds odds_;
    gdl::Reasoner reasoner_;
    std::vector<Text> own_;
    Text wanted_;
    std::map<std::pair<Text, std::vector<Text>>, double> by_view_;
    double total_ = 0;
};

std::string text_of(const GameContext& rules, const State& state) {
    std::string text;
    for (const std::string& fact : rules.game().facts(state)) text += fact + "\n";
    return text;
}

Enumeration::Distribution said_by(const GameContext& rules, const Belief& belief) {
    Enumeration::Distribution result;
    for (const auto& [position, weight] : belief.positions())
        result[text_of(rules, position.state)].push_back(weight);
    for (auto& [state, weights] : result) std::sort(weights.begin(), weights.end());
    return result;
}

// What a role did and saw, in words.
struct Memory {
    std::vector<std::string> own = {};
    std::vector<std::vector<std::string>> seen = {};

    void add(const GameContext& rules, std::size_t role, const Observation& observation) {
        own.push_back(rules.game().move_text(role, observation.own));
        seen.emplace_back();
        for (const auto term : observation.percepts) seen.back().push_back(rules.game().text(term));
        std::sort(seen.back().begin(), seen.back().end());
    }
};

// A random play; after every step `look` is told what the role learned, and the state.
void random_play(const GameContext& rules, std::size_t role, std::uint64_t seed,
                 const std::function<void(const Observation&, const State&)>& look) {
    InfoState info(rules);
    Random random(seed);
    State state = rules.machine().initial();
    JointMove joint;
    for (info.load(state); !info.terminal(); info.load(state)) {
        random_moves(info, random, joint);
        info.play(joint, state);
        Observation seen{.joint = {}, .own = joint[role]};
        if (rules.hidden())
            seen.percepts = info.percepts(role);
        else
            seen.joint = joint;
        look(seen, state);
    }
}

void expect_same(const Enumeration::Distribution& said, const Enumeration::Distribution& right) {
    ASSERT_EQ(said.size(), right.size());
    for (const auto& [state, weights] : right) {
        ASSERT_TRUE(said.contains(state)) << state;
        ASSERT_EQ(said.at(state).size(), weights.size()) << state;
        for (std::size_t i = 0; i < weights.size(); ++i)
            EXPECT_NEAR(said.at(state)[i], weights[i], 1e-9) << state;
    }
}

// Unless the game is over, the role knows what is legal.
void expect_to_know_what_is_legal(const GameContext& rules, std::size_t role, const Belief& belief,
                                  const State& state) {
    InfoState info(rules);
    info.load(state);
    if (info.terminal()) return;
    std::vector<MoveId> legal = info.legal(role);
    std::sort(legal.begin(), legal.end());
    EXPECT_EQ(belief.legal(), legal);
}

TEST(Belief, NothingIsHiddenWhereEverybodySeesEveryMove) {
    for (const std::string name : {"dice-race", "tic-tac-toe-2x2", "guess-dice", "tic-tac-toe"})
        EXPECT_FALSE(Loaded(name).rules.hidden()) << name;
}

TEST(Belief, IsWhatAllPlaysSay) {
    for (const std::string& name : hidden_games) {
        const Loaded loaded(name);
        ASSERT_TRUE(loaded.rules.hidden()) << name;
        for (const std::size_t role : loaded.rules.seats()) {
            Enumeration all(loaded.rules, role);
            for (std::uint64_t seed = 1; seed <= 8; ++seed) {
                SCOPED_TRACE(name + ", role " + std::to_string(role) + ", seed " + std::to_string(seed));
                Belief belief(loaded.rules, role);
                Memory memory;
                expect_same(said_by(loaded.rules, belief), all.given({}, {}));
                random_play(loaded.rules, role, seed, [&](const Observation& seen, const State& state) {
                    belief.update(seen);
                    memory.add(loaded.rules, role, seen);
                    EXPECT_TRUE(belief.exact());
                    EXPECT_EQ(belief.steps(), memory.own.size());
                    const auto right = all.given(memory.own, memory.seen);
                    EXPECT_TRUE(right.contains(text_of(loaded.rules, state)));
                    expect_same(said_by(loaded.rules, belief), right);
                    expect_to_know_what_is_legal(loaded.rules, role, belief, state);
                });
            }
        }
    }
}

// Chance draws one of three balls, of which two look the same; then the player, who sees nothing, guesses.
const char* const urn = R"(
(role player) (role random)
(ball red 1) (ball red 2) (ball white 3)
(base start) (base guessing) (<= (base (drawn ?c)) (ball ?c ?n)) (<= (base (guessed ?c)) (ball ?c ?n))
(<= (input random (draw ?n)) (ball ?c ?n)) (<= (input player (guess ?c)) (ball ?c ?n))
(<= (input ?r wait) (role ?r))
(init start)
(<= (legal random (draw ?n)) (true start) (ball ?c ?n))
(<= (legal player wait) (true start))
(<= (legal player (guess ?c)) (true guessing) (ball ?c ?n))
(<= (legal random wait) (true guessing))
(<= (next guessing) (true start))
(<= (next (drawn ?c)) (does random (draw ?n)) (ball ?c ?n))
(<= (next (drawn ?c)) (true (drawn ?c)))
(<= (next (guessed ?c)) (does player (guess ?c)))
(<= (sees player over) (true guessing))
(<= over (true (guessed ?c)))
(<= terminal over)
(<= right (true (guessed ?c)) (true (drawn ?c)))
(<= (goal player 100) over right)
(<= (goal player 0) over (not right))
(<= (goal random 0) over)
)";

TEST(Belief, AddsUpWhatLeadsToTheSamePosition) {
    const Loaded loaded(gdl::parse(urn, "urn.kif"));
    const std::size_t role = loaded.rules.seats()[0];
    Enumeration all(loaded.rules, role);
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        Belief belief(loaded.rules, role);
        Memory memory;
        random_play(loaded.rules, role, seed, [&](const Observation& seen, const State&) {
            belief.update(seen);
            memory.add(loaded.rules, role, seen);
            EXPECT_EQ(belief.positions().size(), 2U);
            expect_same(said_by(loaded.rules, belief), all.given(memory.own, memory.seen));
        });
    }
}

TEST(Belief, IsOnePositionWhereAllIsSeen) {
    for (const std::string name : {"tic-tac-toe", "rock-paper-scissors", "four-in-turn", "eight-puzzle"}) {
        const Loaded loaded(name);
        ASSERT_FALSE(loaded.rules.hidden());
        for (const std::size_t role : loaded.rules.seats()) {
            Belief belief(loaded.rules, role);
            random_play(loaded.rules, role, 5, [&](const Observation& seen, const State& state) {
                belief.update(seen);
                ASSERT_EQ(belief.positions().size(), 1U);
                EXPECT_EQ(belief.positions()[0].position.state, state);
                EXPECT_EQ(belief.positions()[0].weight, 1);
                EXPECT_TRUE(belief.exact());
                expect_to_know_what_is_legal(loaded.rules, role, belief, state);
            });
        }
    }
}

TEST(Belief, DrawsByWeight) {
    // Two times out of three the car is behind the other door.
    const Loaded loaded("monty-hall");
    const std::size_t role = loaded.rules.seats()[0];
    Belief belief(loaded.rules, role);
    std::size_t step = 0;
    Random random(3);
    random_play(loaded.rules, role, 2, [&](const Observation& seen, const State&) {
        belief.update(seen);
        if (++step != 2) return;
        ASSERT_EQ(belief.positions().size(), 2U);
        std::map<std::string, double> drawn;
        for (int i = 0; i < 10000; ++i) ++drawn[text_of(loaded.rules, belief.draw(random).state)];
        for (const auto& [position, weight] : belief.positions()) {
            EXPECT_NEAR(std::min(weight, 1 - weight), 1.0 / 3, 1e-9);
            EXPECT_NEAR(drawn[text_of(loaded.rules, position.state)] / 10000, weight, 0.025);
        }
    });
    EXPECT_GE(step, 2U);
}

// Too little room, no time, or both: whatever is believed can be so.
TEST(Belief, SamplesHoldOnlyWhatCanBe) {
    struct Case {
        BeliefOptions options;
        Deadline deadline;
    };
    const std::vector<Case> cases = {{{.most_positions = 1, .sample = 3}, {}},
                                     {{.most_positions = 2, .sample = 8}, {}},
                                     {{.most_positions = 4, .sample = 1}, {}},
                                     {{.sample = 16, .most_steps = 5}, {}},
                                     {{.most_positions = 2, .sample = 4, .most_steps = 3}, Deadline::in(-1)},
                                     {{.sample = 64}, Deadline::in(-1)}};
    for (const std::string& name : hidden_games) {
        const Loaded loaded(name);
        bool sampled = false;
        bool unsure = false;
        for (const std::size_t role : loaded.rules.seats()) {
            Enumeration all(loaded.rules, role);
            for (std::size_t c = 0; c < cases.size(); ++c) {
                for (std::uint64_t seed = 1; seed <= 5; ++seed) {
                    SCOPED_TRACE(name + ", role " + std::to_string(role) + ", case " + std::to_string(c) +
                                 ", seed " + std::to_string(seed));
                    BeliefOptions options = cases[c].options;
                    options.seed = seed;
                    Belief belief(loaded.rules, role, options);
                    Memory memory;
                    random_play(loaded.rules, role, seed, [&](const Observation& seen, const State& state) {
                        belief.update(seen, cases[c].deadline);
                        memory.add(loaded.rules, role, seen);
                        sampled = sampled || !belief.exact();
                        ASSERT_FALSE(belief.positions().empty());
                        EXPECT_TRUE(belief.exact() || belief.positions().size() <= options.sample);
                        const auto right = all.given(memory.own, memory.seen);
                        unsure = unsure || right.size() > 1;
                        double sum = 0;
                        for (const auto& [position, weight] : belief.positions()) {
                            EXPECT_TRUE(right.contains(text_of(loaded.rules, position.state)));
                            EXPECT_GT(weight, 0);
                            sum += weight;
                        }
                        EXPECT_NEAR(sum, 1, 1e-9);
                        expect_to_know_what_is_legal(loaded.rules, role, belief, state);
                    });
                }
            }
        }
        EXPECT_TRUE(sampled || !unsure) << name;
    }
}

TEST(Belief, SameSeedSameSample) {
    const Loaded loaded("mastermind");
    const auto states = [&](std::uint64_t seed) {
        std::vector<State> all;
        BeliefOptions options{.most_positions = 4, .sample = 5};
        options.seed = seed;
        Belief belief(loaded.rules, loaded.rules.seats()[0], options);
        random_play(loaded.rules, loaded.rules.seats()[0], 1, [&](const Observation& seen, const State&) {
            belief.update(seen);
            for (const auto& [position, weight] : belief.positions()) all.push_back(position.state);
        });
        return all;
    };
    EXPECT_EQ(states(1), states(1));
    EXPECT_NE(states(1), states(2));
}

// Somebody who checks and folds with all cards but the king.
double timid(const std::string& state, const std::string& player, const std::string& move) {
    const bool king = state.find("(holds " + player + " king)") != std::string::npos;
    return (move == "bet" || move == "call") == king ? 0.75 : 0.25;
}

TEST(Belief, WeighsByWhatTheOthersAreThoughtToDo) {
    const Loaded loaded("kuhn-poker");
    const GameContext& rules = loaded.rules;
    const Odds odds = [&](const std::string& state, std::size_t role, const std::string& move,
                          std::size_t count) {
        return count == 1 ? 1.0 : timid(state, rules.role_name(role), move);
    };
    const Belief::Model model = [&](const Position& position, std::size_t role,
                                    const std::vector<MoveId>& legal, std::vector<double>& fill) {
        ASSERT_EQ(fill.size(), legal.size());
        const std::string state = text_of(rules, position.state);
        for (std::size_t i = 0; i < legal.size(); ++i)
            fill[i] = timid(state, rules.role_name(role), rules.game().move_text(role, legal[i]));
    };
    bool uneven = false;
    for (const std::size_t role : rules.seats()) {
        Enumeration all(rules, role, odds);
        for (std::uint64_t seed = 1; seed <= 12; ++seed) {
            SCOPED_TRACE("role " + std::to_string(role) + ", seed " + std::to_string(seed));
            Belief belief(rules, role);
            Memory memory;
            random_play(rules, role, seed, [&](const Observation& seen, const State&) {
                belief.update(seen, {}, model);
                memory.add(rules, role, seen);
                expect_same(said_by(rules, belief), all.given(memory.own, memory.seen));
                const auto& first = belief.positions().front();
                uneven = uneven || std::abs(first.weight - belief.positions().back().weight) > 0.1;
            });
        }
    }
    EXPECT_TRUE(uneven);
}

TEST(Belief, SurvivesAModelThatThinksImpossibleWhatHappens) {
    const Loaded loaded("kuhn-poker");
    const GameContext& rules = loaded.rules;
    // Nobody ever bets or calls, and then, worse, nobody ever does anything.
    const Belief::Model never_bets = [&](const Position&, std::size_t role, const std::vector<MoveId>& legal,
                                         std::vector<double>& fill) {
        for (std::size_t i = 0; i < legal.size(); ++i) {
            const std::string move = rules.game().move_text(role, legal[i]);
            fill[i] = move == "bet" || move == "call" ? 0 : 1;
        }
    };
    const Belief::Model nothing = [](const Position&, std::size_t, const std::vector<MoveId>&,
                                     std::vector<double>& fill) { std::fill(fill.begin(), fill.end(), 0); };
    const std::vector<BeliefOptions> sizes = {{}, {.most_positions = 1, .sample = 4}};
    for (const auto& model : {never_bets, nothing}) {
        for (const BeliefOptions& options : sizes) {
            for (const std::size_t role : rules.seats()) {
                Enumeration all(rules, role);
                for (std::uint64_t seed = 1; seed <= 12; ++seed) {
                    SCOPED_TRACE("role " + std::to_string(role) + ", seed " + std::to_string(seed));
                    Belief belief(rules, role, options);
                    Memory memory;
                    random_play(rules, role, seed, [&](const Observation& seen, const State& state) {
                        belief.update(seen, {}, model);
                        memory.add(rules, role, seen);
                        ASSERT_FALSE(belief.positions().empty());
                        const auto right = all.given(memory.own, memory.seen);
                        for (const auto& [position, weight] : belief.positions()) {
                            EXPECT_TRUE(right.contains(text_of(rules, position.state)));
                            EXPECT_TRUE(std::isfinite(weight));
                        }
                        expect_to_know_what_is_legal(rules, role, belief, state);
                    });
                }
            }
        }
    }
}

// Chance hides one of 64 things. The seeker learns half of it in the third step and the rest in the fourth,
// which a sample of four will not survive by luck.
const char* const needle = R"(
(role seeker) (role random)
(digit 0) (digit 1) (digit 2) (digit 3) (digit 4) (digit 5) (digit 6) (digit 7)
(<= (base (hidden ?x ?y)) (digit ?x) (digit ?y))
(step 0 1) (step 1 2) (step 2 3) (step 3 4)
(base (time 0)) (<= (base (time ?y)) (step ?x ?y))
(<= (input random (hide ?x ?y)) (digit ?x) (digit ?y))
(input random wait)
(input seeker wait) (input seeker look)
(init (time 0))
(<= (legal random (hide ?x ?y)) (true (time 0)) (digit ?x) (digit ?y))
(<= (legal random wait) (not (true (time 0))))
(<= (legal seeker wait) (true (time 0)))
(<= (legal seeker look) (not (true (time 0))))
(<= (next (hidden ?x ?y)) (does random (hide ?x ?y)))
(<= (next (hidden ?x ?y)) (true (hidden ?x ?y)))
(<= (next (time ?y)) (true (time ?x)) (step ?x ?y))
(<= (sees seeker (first ?x)) (true (time 2)) (true (hidden ?x ?y)))
(<= (sees seeker (second ?y)) (true (time 3)) (true (hidden ?x ?y)))
(<= terminal (true (time 4)))
(<= (goal seeker 100) (true (time 4)))
(<= (goal random 0) (true (time 4)))
)";

TEST(Belief, IsDrawnAnewWhereASampleDiesOut) {
    const Loaded loaded(gdl::parse(needle, "needle.kif"));
    const std::size_t role = loaded.rules.seats()[0];
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        BeliefOptions options{.most_positions = 4, .sample = 4};
        options.seed = seed;
        Belief belief(loaded.rules, role, options);
        random_play(loaded.rules, role, seed, [&](const Observation& seen, const State& state) {
            belief.update(seen);
            EXPECT_FALSE(belief.exact());
            if (belief.steps() < 4) return;
            // All is known now.
            for (const auto& [position, weight] : belief.positions()) EXPECT_EQ(position.state, state);
        });
        EXPECT_EQ(belief.steps(), 4U);
    }
}

TEST(Belief, SamplesAreAsLikelyAsAllPlaysSay) {
    const Loaded loaded("monty-hall");
    const std::size_t role = loaded.rules.seats()[0];
    Enumeration all(loaded.rules, role);
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        Belief belief(loaded.rules, role, {.most_positions = 1, .sample = 4000});
        Memory memory;
        random_play(loaded.rules, role, seed, [&](const Observation& seen, const State&) {
            belief.update(seen);
            memory.add(loaded.rules, role, seen);
            EXPECT_FALSE(belief.exact());
            const auto sum = [](const std::vector<double>& weights) {
                return std::accumulate(weights.begin(), weights.end(), 0.0);
            };
            const auto said = said_by(loaded.rules, belief);
            for (const auto& [state, weights] : all.given(memory.own, memory.seen)) {
                ASSERT_TRUE(said.contains(state));
                EXPECT_NEAR(sum(said.at(state)), sum(weights), 0.06) << state;  // six standard errors
            }
        });
    }
}

// One of 4,096 things happens, and the seeker sees which.
const char* const broad = R"(
(role seeker) (role random)
(digit 0) (digit 1) (digit 2) (digit 3) (digit 4) (digit 5) (digit 6) (digit 7)
(digit 8) (digit 9) (digit 10) (digit 11) (digit 12) (digit 13) (digit 14) (digit 15)
(step 0 1) (step 1 2) (base (time 0)) (<= (base (time ?y)) (step ?x ?y))
(<= (base (hidden ?x ?y ?z)) (digit ?x) (digit ?y) (digit ?z))
(<= (input random (hide ?x ?y ?z)) (digit ?x) (digit ?y) (digit ?z))
(input random wait) (input seeker wait) (input seeker look)
(init (time 0))
(<= (legal random (hide ?x ?y ?z)) (true (time 0)) (digit ?x) (digit ?y) (digit ?z))
(<= (legal random wait) (not (true (time 0))))
(<= (legal seeker wait) (true (time 0)))
(<= (legal seeker look) (not (true (time 0))))
(<= (next (hidden ?x ?y ?z)) (does random (hide ?x ?y ?z)))
(<= (next (time ?y)) (true (time ?x)) (step ?x ?y))
(<= (sees seeker (thing ?x ?y ?z)) (does random (hide ?x ?y ?z)))
(<= terminal (true (time 2)))
(<= (goal seeker 100) (true (time 2)))
(<= (goal random 0) (true (time 2)))
)";

// A belief whose positions have all turned out to be wrong, step after step, still follows the play, since it
// knows what is certain; even where what is hidden decides what is legal, as gold that lies here or does not.
TEST(Belief, KnowsWhatIsLegalThoughItIsLost) {
    int lost = 0;
    for (const std::string name : {"treasure-hunt", "latent-five", "latent-tic-tac-toe", "mastermind",
                                   "sheep-and-wolf", "vacuum-cleaner", "war", "wumpus"}) {
        const Loaded loaded(name);
        ASSERT_TRUE(loaded.rules.hidden()) << name;
        for (const std::size_t role : loaded.rules.seats()) {
            for (std::uint64_t seed = 1; seed <= 30; ++seed) {
                SCOPED_TRACE(name + ", role " + std::to_string(role) + ", seed " + std::to_string(seed));
                Belief belief(loaded.rules, role,
                              {.sample = 4, .most_steps = 4, .steps_anyway = 1, .seed = seed});
                random_play(loaded.rules, role, seed, [&](const Observation& seen, const State& state) {
                    belief.update(seen, Deadline::in(-1));
                    expect_to_know_what_is_legal(loaded.rules, role, belief, state);
                    lost += belief.lost() ? 1 : 0;
                    EXPECT_EQ(describe(belief).starts_with("no position"), belief.lost());
                });
            }
        }
    }
    EXPECT_GT(lost, 0);
}

TEST(Belief, KnowsWhatIsLegalWithoutTime) {
    const Loaded loaded(gdl::parse(broad, "broad.kif"));
    const std::size_t role = loaded.rules.seats()[0];
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        BeliefOptions options;
        options.seed = seed;
        Belief belief(loaded.rules, role, options);
        random_play(loaded.rules, role, seed, [&](const Observation& seen, const State& state) {
            belief.update(seen, Deadline::in(-1));
            expect_to_know_what_is_legal(loaded.rules, role, belief, state);
        });
    }
}

// Of 4,096 moves 16 agree with what is seen; a belief that tried all of them would not be exact.
TEST(Belief, TriesOnlyMovesThatAgreeWithWhatWasSeen) {
    std::string rules = broad;
    const std::string all = "(thing ?x ?y ?z)";
    rules.replace(rules.find(all), all.size(), "(thing ?x ?y)");
    const Loaded loaded(gdl::parse(rules, "broad.kif"));
    ASSERT_TRUE(loaded.rules.hidden());
    const std::size_t role = loaded.rules.seats()[0];
    Belief belief(loaded.rules, role, {.most_steps = 100});
    random_play(loaded.rules, role, 1, [&](const Observation& seen, const State&) {
        belief.update(seen);
        EXPECT_TRUE(belief.exact());
        if (belief.steps() == 1) {
            EXPECT_EQ(belief.positions().size(), 16U);
        }
    });
}

}  // namespace
}  // namespace zermelo::play
