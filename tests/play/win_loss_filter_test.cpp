// Filtering moves: the sharpened machine allows exactly what a look two moves ahead on the plain machine
// allows, and the best move is never among those that are left out.

#include "scsp/win_loss_filter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "games.hpp"
#include "gdl/circuit/bitsliced_playouts.hpp"
#include "gdl/syntax/parse.hpp"
#include "play/champion/expectimax.hpp"
#include "play/info_state.hpp"
#include "scsp/mac.hpp"
#include "support/random_gdl.hpp"

namespace zermelo::play {
namespace {

// Questions about states, answered by the plain machine.
class Looker {
public:
    explicit Looker(const GameContext& rules) : rules_(rules), info_(rules) {}

    // The only role with a choice.
    std::optional<std::size_t> mover(const State& state) {
        info_.load(state);
        if (info_.terminal()) return std::nullopt;
        std::optional<std::size_t> found;
        for (std::size_t r = 0; r < rules_.roles(); ++r) {
            if (info_.legal(r).size() < 2) continue;
            if (found) return std::nullopt;
            found = r;
        }
        return found;
    }

    std::vector<MoveId> legal(const State& state, std::size_t role) {
        info_.load(state);
        return info_.legal(role);
    }

    State after(const State& state, std::size_t role, MoveId move) {
        info_.load(state);
        JointMove joint;
        for (std::size_t r = 0; r < rules_.roles(); ++r)
            joint.push_back(r == role ? move : info_.legal(r).front());
        State next = state;
        info_.play(joint, next);
        return next;
    }

    bool over(const State& state) {
        info_.load(state);
        return info_.terminal();
    }

    // The highest and the lowest goal that the rules know.
    int highest(std::size_t role) const {
        return std::ranges::max(rules_.machine().network().goals[role], {}, &gdl::Network::Goal::value).value;
    }
    int lowest(std::size_t role) const {
        return std::ranges::min(rules_.machine().network().goals[role], {}, &gdl::Network::Goal::value).value;
    }

    bool won(const State& state, std::size_t role) {
        if (highest(role) == lowest(role)) return false;
        info_.load(state);
        return info_.terminal() && info_.goal(role) == highest(role);
    }

    // A role with one legal move also wins if this move does; but it has no choice then.
    bool has_win(const State& state, std::size_t role) {
        return std::ranges::any_of(legal(state, role),
                                   [&](MoveId move) { return won(after(state, role, move), role); });
    }

    std::vector<MoveId> sensible(const State& state, std::size_t role, unsigned depth) {
        const std::vector<MoveId> all = legal(state, role);
        std::vector<MoveId> winning;
        std::vector<MoveId> safe;
        for (const MoveId move : all) {
            const State next = after(state, role, move);
            if (won(next, role)) winning.push_back(move);
            if (depth == 1) continue;
            const std::size_t opponent = rules_.seats()[rules_.seats()[0] == role ? 1 : 0];
            const bool lost =
                over(next) ? won(next, opponent) : alone(next, opponent) && has_win(next, opponent);
            if (!lost) safe.push_back(move);
        }
        if (!winning.empty()) return winning;
        return safe.empty() ? all : safe;
    }

    // Chance moves next, and may let the opponent win at once.
    bool risk(const State& state, std::size_t role, MoveId move) {
        const State next = after(state, role, move);
        const auto moving = mover(next);
        if (!moving || !rules_.chance(*moving)) return false;
        const std::size_t opponent = rules_.seats()[rules_.seats()[0] == role ? 1 : 0];
        return std::ranges::any_of(legal(next, *moving), [&](MoveId drawn) {
            const State then = after(next, *moving, drawn);
            return !over(then) && alone(then, opponent) && has_win(then, opponent);
        });
    }

    // What the role can be sure of, 0 … 100, where one moves at a time and few states can follow.
    double worth(const State& state, std::size_t role) {
        if (const auto known = worth_.find({role, state}); known != worth_.end()) return known->second;
        double best = 0;
        double worst = 100;
        double sum = 0;
        const std::size_t moving = mover(state).value_or(0);
        if (over(state)) {
            info_.load(state);
            best = worst = sum = info_.goal(role);
        } else {
            for (const MoveId move : legal(state, moving)) {
                const double one = worth(after(state, moving, move), role);
                best = std::max(best, one);
                worst = std::min(worst, one);
                sum += one;
            }
            sum /= static_cast<double>(legal(state, moving).size());
        }
        return worth_[{role, state}] = rules_.chance(moving) ? sum : moving == role ? best : worst;
    }

private:
    bool alone(const State& state, std::size_t role) {
        info_.load(state);
        for (std::size_t r = 0; r < rules_.roles(); ++r) {
            if (r != role && info_.legal(r).size() != 1) return false;
        }
        return true;
    }

    const GameContext& rules_;
    InfoState info_;
    std::map<std::pair<std::size_t, State>, double> worth_;
};

std::vector<bool> chance(const GameContext& rules) {
    std::vector<bool> all;
    for (std::size_t r = 0; r < rules.roles(); ++r) all.push_back(rules.chance(r));
    return all;
}

scsp::WinLossFilter sharpened(const GameContext& rules, unsigned depth) {
    return scsp::make_win_loss_filter(
        rules.machine(),
        {.depth = depth, .opposed = rules.opposed(), .chance = chance(rules), .growth = 100, .seconds = 100});
}

// Visits so many states of random plays that are not over.
template <class Visit>
void visit_states(const GameContext& rules, std::uint64_t seed, int many, Visit visit) {
    InfoState info(rules);
    Random random(seed);
    JointMove joint;
    State state = rules.machine().initial();
    for (int i = 0; i < many && !testing::Test::HasFailure(); ++i) {
        info.load(state);
        if (info.terminal()) {
            state = rules.machine().initial();
            info.load(state);
            if (info.terminal()) return;
        }
        visit(state);
        info.load(state);
        random_moves(info, random, joint);
        info.play(joint, state);
    }
}

// Nothing, where the text is not one of a game that can be played.
std::unique_ptr<Loaded> random_game(std::uint64_t seed, bool dice) {
    std::string text = random_gdl(seed);
    if (dice) {
        // The second role becomes chance.
        for (std::size_t at = 0; (at = text.find(" b", at)) != std::string::npos; ++at) {
            const char after = text[at + 2];
            if (after == ' ' || after == ')') text.replace(at, 2, " random");
        }
    }
    try {
        return std::make_unique<Loaded>(gdl::parse(text, "random"));
    } catch (const Error&) {
        return nullptr;
    }
}

// How many states it narrowed. Where a role that waits has now one only move and now another, win_loss_filter
// may see less than a look, and leave out less.
enum class Sight { same, less };
std::size_t expect_what_a_look_allows(const GameContext& rules, unsigned depth, int states, Sight sight) {
    const scsp::WinLossFilter sharp = sharpened(rules, depth);
    if (!sharp.machine) return 0;
    EXPECT_LE(sharp.depth, depth);
    Looker looker(rules);
    gdl::Runner runner(*sharp.machine);
    std::size_t narrowed = 0;
    visit_states(rules, 7, states, [&](const State& state) {
        runner.load(state);
        const auto mover = looker.mover(state);
        std::vector<MoveId> moves;
        for (std::size_t r = 0; r < rules.roles(); ++r) {
            runner.legal(r, moves);
            const std::vector<MoveId> all = looker.legal(state, r);
            const bool chooses = mover == r && !rules.chance(r);
            const std::vector<MoveId> allowed = chooses ? looker.sensible(state, r, sharp.depth) : all;
            EXPECT_FALSE(moves.empty());
            if (sight == Sight::same || !chooses) {
                EXPECT_EQ(moves, allowed);
            } else if (allowed.size() < all.size()) {
                EXPECT_TRUE(std::ranges::includes(moves, allowed));
            }
            narrowed += moves.size() < all.size() ? 1 : 0;
        }
    });
    return narrowed;
}

TEST(WinLossFilter, AllowsWhatALookTwoMovesAheadAllows) {
    for (const std::string name : {"connect-four", "tic-tac-toe", "breakthrough-small", "knight-through",
                                   "four-in-turn", "nim", "subtraction", "einstein", "windy-connect-four"}) {
        const Loaded loaded(name);
        for (const unsigned depth : {1U, 2U}) {
            const std::size_t narrowed = expect_what_a_look_allows(loaded.rules, depth, 40, Sight::same);
            // Whoever takes the last match loses, so nobody wins at once.
            EXPECT_EQ(narrowed == 0, name == "subtraction" && depth == 1) << name << " " << depth;
            ASSERT_FALSE(HasFailure()) << name << " " << depth;
        }
    }
}

TEST(WinLossFilter, LeavesOutNothingThatALookAllowsInRandomGamesWithAndWithoutDice) {
    std::size_t narrowed = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        const auto loaded = random_game(seed, seed % 2 == 0);
        if (!loaded) continue;
        for (const unsigned depth : {1U, 2U})
            narrowed += expect_what_a_look_allows(loaded->rules, depth, 20, Sight::less);
        ASSERT_FALSE(HasFailure()) << "seed " << seed;
    }
    EXPECT_GT(narrowed, 100U);
}

// A machine whose legal moves are the likely ones.
gdl::Machine likely_machine(const gdl::Machine& machine) {
    gdl::Network network = machine.network();
    for (std::size_t r = 0; r < network.moves.size(); ++r) {
        for (MoveId m = 0; m < network.moves[r].size(); ++m) network.moves[r][m].legal = network.likely[r][m];
    }
    network.likely.clear();
    return gdl::Machine(network);
}

TEST(WinLossFilter, FindsMovesWithoutRiskWhereThereAreSome) {
    for (const std::string name : {"einstein", "windy-connect-four"}) {
        SCOPED_TRACE(name);
        const Loaded loaded(name);
        const GameContext& rules = loaded.rules;
        const scsp::WinLossFilter sharp = sharpened(rules, 3);
        ASSERT_TRUE(sharp.machine);
        ASSERT_EQ(sharp.depth, 3U);
        const gdl::Machine careful = likely_machine(*sharp.machine);
        gdl::Runner runner(*sharp.machine);
        gdl::Runner careful_runner(careful);
        Looker looker(rules);
        std::size_t narrowed = 0;
        std::size_t nothing_safe = 0;
        visit_states(rules, 11, 600, [&](const State& state) {
            const auto mover = looker.mover(state);
            if (!mover || rules.chance(*mover)) return;
            const std::vector<MoveId> sensible = looker.sensible(state, *mover, 2);
            std::vector<MoveId> safe;
            std::ranges::copy_if(sensible, std::back_inserter(safe),
                                 [&](MoveId move) { return !looker.risk(state, *mover, move); });
            std::vector<MoveId> moves;
            runner.load(state);
            runner.legal(*mover, moves);
            EXPECT_EQ(moves, sensible);  // risks stay legal
            careful_runner.load(state);
            careful_runner.legal(*mover, moves);
            EXPECT_EQ(moves, safe.empty() ? sensible : safe);
            narrowed += !safe.empty() && safe.size() < sensible.size() ? 1 : 0;
            nothing_safe += safe.empty() ? 1 : 0;
        });
        EXPECT_GT(narrowed, 0U);
        EXPECT_GT(nothing_safe, 0U);
    }
}

// Two boards: a line wins, whatever the other one does on the other board, unless that is a line, too.
TEST(WinLossFilter, PrefersLinesAndBlocksWhereBothMoveAtOnce) {
    const Loaded loaded("connect-four-simultaneous");
    const GameContext& rules = loaded.rules;
    const scsp::WinLossFilter sharp = sharpened(rules, 2);
    ASSERT_TRUE(sharp.machine);
    const gdl::Machine careful = likely_machine(*sharp.machine);
    gdl::Runner careful_runner(careful);
    gdl::Runner runner(*sharp.machine);
    InfoState info(rules);
    // Moves with which the role wins, if the other one answers badly.
    const auto winning = [&](const State& state, std::size_t role) {
        std::vector<MoveId> found;
        info.load(state);
        if (info.terminal()) return found;
        const std::vector<MoveId> own = info.legal(role);
        const std::vector<MoveId> others = info.legal(1 - role);
        for (const MoveId move : own) {
            for (const MoveId other : others) {
                JointMove joint(2);
                joint[role] = move;
                joint[1 - role] = other;
                State next = state;
                info.load(state);
                info.play(joint, next);
                info.load(next);
                if (!info.terminal() || info.goal(role) < 100) continue;
                found.push_back(move);
                break;
            }
        }
        return found;
    };
    std::size_t wins = 0;
    std::size_t blocks = 0;
    visit_states(rules, 5, 300, [&](const State& state) {
        for (std::size_t r = 0; r < 2; ++r) {
            std::vector<MoveId> legal;
            std::vector<MoveId> likely;
            info.load(state);
            const std::vector<MoveId> all = info.legal(r);
            const std::vector<MoveId> others = info.legal(1 - r);
            runner.load(state);
            runner.legal(r, legal);
            EXPECT_EQ(legal, all);
            careful_runner.load(state);
            careful_runner.legal(r, likely);
            ASSERT_FALSE(likely.empty());
            if (const auto won = winning(state, r); !won.empty()) {
                EXPECT_EQ(likely, won);
                ++wins;
                continue;
            }
            if (likely.size() == all.size()) continue;
            ++blocks;
            for (const MoveId move : all) {
                const bool kept = std::ranges::find(likely, move) != likely.end();
                for (const MoveId other : others) {
                    JointMove joint(2);
                    joint[r] = move;
                    joint[1 - r] = other;
                    State next = state;
                    info.load(state);
                    info.play(joint, next);
                    info.load(next);
                    if (info.terminal()) continue;
                    EXPECT_EQ(kept, winning(next, 1 - r).empty());
                }
            }
        }
    });
    EXPECT_GT(wins, 10U);
    EXPECT_GT(blocks, 10U);
}

TEST(WinLossFilter, SeesNoRiskWithoutChance) {
    const Loaded loaded("connect-four");
    const scsp::WinLossFilter sharp = sharpened(loaded.rules, 3);
    ASSERT_TRUE(sharp.machine);
    EXPECT_EQ(sharp.depth, 2U);
    EXPECT_TRUE(sharp.machine->network().likely.empty());
}

// After the bold move a coin decides whether the other one can strike.
TEST(WinLossFilter, RandomPlaysAvoidRisks) {
    const Loaded loaded(
        gdl::parse("(role a) (role b) (role random) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3)"
                   "(<= (next (step ?t)) (true (step ?s)) (succ ?s ?t))"
                   "(<= (legal a bold) (true (step 0))) (<= (legal a careful) (true (step 0)))"
                   "(<= (legal a wait) (not (true (step 0))))"
                   "(<= (legal random heads) (true (step 1))) (<= (legal random tails) (true (step 1)))"
                   "(<= (legal random wait) (not (true (step 1))))"
                   "(<= (legal b strike) (true (step 2))) (<= (legal b rest) (true (step 2)))"
                   "(<= (legal b wait) (not (true (step 2))))"
                   "(<= (next open) (does a bold)) (<= (next open) (true open))"
                   "(<= (next up) (does random heads))"
                   "(<= (next struck) (does b strike) (true open) (true up))"
                   "(<= terminal (true (step 3)))"
                   "(<= (goal a 0) (true struck)) (<= (goal a 100) (not (true struck)))"
                   "(<= (goal b 100) (true struck)) (<= (goal b 0) (not (true struck))) (goal random 0)",
                   "coin"));
    const gdl::Machine& plain = loaded.game.machine();
    const scsp::WinLossFilter two = sharpened(loaded.rules, 2);
    const scsp::WinLossFilter three = sharpened(loaded.rules, 3);
    ASSERT_TRUE(two.machine);
    ASSERT_TRUE(three.machine);
    ASSERT_EQ(three.depth, 3U);
    const auto losses = [&](const gdl::Machine& machine) {
        constexpr std::size_t plays = 4096;
        const auto slices = gdl::BitslicedPlayouts::make(machine, 3);
        gdl::Tally tally;
        slices->start(machine.initial());
        while (tally.playouts < plays) slices->step(tally);
        return 1 - tally.goals[0] / (100.0 * static_cast<double>(tally.playouts));
    };
    EXPECT_NEAR(losses(plain), 0.125, 0.03);
    EXPECT_NEAR(losses(*two.machine), 0.25, 0.03);  // who can strike does
    EXPECT_EQ(losses(*three.machine), 0);
}

// The other one may block at step 1, and only wait at the other steps.
TEST(WinLossFilter, ClaimsNothingWhereAnotherRoleHasAChoice) {
    const Loaded loaded(
        gdl::parse("(role a) (role b) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3)"
                   "(legal a go) (legal a stay) (legal b wait) (<= (legal b block) (true (step 1)))"
                   "(<= (next (step ?t)) (true (step ?s)) (succ ?s ?t))"
                   "(<= (next won) (does a go) (does b wait) (not (true (step 0))))"
                   "(<= terminal (true won)) (<= terminal (true (step 3)))"
                   "(<= (goal a 100) (true won)) (<= (goal a 0) (not (true won)))"
                   "(<= (goal b 0) (true won)) (<= (goal b 100) (not (true won)))",
                   "block"));
    const scsp::WinLossFilter sharp = sharpened(loaded.rules, 2);
    ASSERT_TRUE(sharp.machine);
    gdl::Runner runner(*sharp.machine);
    State state = loaded.game.machine().initial();
    const auto named = [&](std::size_t role, const std::string& text) {
        MoveId move = 0;
        while (loaded.game.move_text(role, move) != text) ++move;
        return move;
    };
    const JointMove waiting{named(0, "stay"), named(1, "wait")};
    std::vector<MoveId> moves;
    for (const std::size_t left : {2U, 2U, 1U}) {
        runner.load(state);
        runner.legal(0, moves);
        ASSERT_EQ(moves.size(), left);
        EXPECT_TRUE(left == 2 || loaded.game.move_text(0, moves.front()) == "go");
        runner.play(waiting);
        runner.next(state);
    }
}

// Who stops ends the game with a draw, even if the other one could win by going on.
TEST(WinLossFilter, FearsNothingAfterTheEnd) {
    const Loaded loaded(
        gdl::parse("(role a) (role b) (init (step 0)) (succ 0 1) (succ 1 2)"
                   "(<= (legal a stop) (true (step 0))) (<= (legal a continue) (true (step 0)))"
                   "(<= (legal a wait) (not (true (step 0)))) (<= (legal b wait) (true (step 0)))"
                   "(<= (legal b grab) (not (true (step 0)))) (<= (legal b pass) (not (true (step 0))))"
                   "(<= (next (step ?t)) (true (step ?s)) (succ ?s ?t))"
                   "(<= (next stopped) (does a stop)) (<= (next grabbed) (does b grab))"
                   "(<= terminal (true stopped)) (<= terminal (true (step 2)))"
                   "(<= (goal b 100) (true grabbed)) (<= (goal a 0) (true grabbed))"
                   "(<= (goal ?r 50) (role ?r) (not (true grabbed)) (true stopped))"
                   "(<= (goal a 100) (not (true grabbed)) (not (true stopped)))"
                   "(<= (goal b 0) (not (true grabbed)) (not (true stopped)))",
                   "stop"));
    const scsp::WinLossFilter sharp = sharpened(loaded.rules, 2);
    ASSERT_TRUE(sharp.machine);
    ASSERT_EQ(sharp.depth, 2U);
    gdl::Runner runner(*sharp.machine);
    runner.load(loaded.game.machine().initial());
    std::vector<MoveId> moves;
    runner.legal(0, moves);
    ASSERT_EQ(moves.size(), 1U);
    EXPECT_EQ(loaded.game.move_text(0, moves.front()), "stop");
}

// Nothing that is left out is better than what stays. A slower win may be left out where there is one at
// once.
TEST(WinLossFilter, ABestMoveAlwaysStays) {
    std::size_t narrowed = 0;
    const auto check = [&](const GameContext& rules, int states) {
        const scsp::WinLossFilter sharp = sharpened(rules, 2);
        if (!sharp.machine) return;
        Looker looker(rules);
        gdl::Runner runner(*sharp.machine);
        visit_states(rules, 3, states, [&](const State& state) {
            const auto mover = looker.mover(state);
            if (!mover || rules.chance(*mover)) return;
            runner.load(state);
            std::vector<MoveId> kept;
            runner.legal(*mover, kept);
            const std::vector<MoveId> all = looker.legal(state, *mover);
            if (kept.size() == all.size()) return;
            ++narrowed;
            const double best = looker.worth(state, *mover);
            const bool wins = looker.has_win(state, *mover);
            double best_kept = 0;
            for (const MoveId move : all) {
                const double one = looker.worth(looker.after(state, *mover, move), *mover);
                const bool stays = std::ranges::find(kept, move) != kept.end();
                if (stays) best_kept = std::max(best_kept, one);
                // Where no move wins at once, what is left out is lost.
                EXPECT_TRUE(stays || wins || one == looker.lowest(*mover));
                EXPECT_TRUE(!stays || !wins || one == looker.highest(*mover));
            }
            EXPECT_EQ(best_kept, best);
        });
    };
    for (const std::string name : {"tic-tac-toe", "nim", "subtraction"}) {
        const Loaded loaded(name);
        check(loaded.rules, 100);
        ASSERT_FALSE(HasFailure()) << name;
    }
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        if (const auto loaded = random_game(seed, seed % 2 == 0)) check(loaded->rules, 20);
        ASSERT_FALSE(HasFailure()) << "seed " << seed;
    }
    EXPECT_GT(narrowed, 100U);
}

// In larger games resolution tells what a move is worth (resolver_test.cpp says that it is right).
TEST(WinLossFilter, LeavesOutOnlyWhatResolutionProvesLostOrWhereItProvesAWin) {
    for (const std::string name : {"breakthrough", "connect-four", "knight-through", "einstein",
                                   "dice-breakthrough", "windy-connect-four"}) {
        SCOPED_TRACE(name);
        const Loaded loaded(name);
        const GameContext& rules = loaded.rules;
        const scsp::WinLossFilter sharp = sharpened(rules, 2);
        ASSERT_TRUE(sharp.machine);
        const ValueNetwork network(game::learn(rules.machine(), {.playouts = 20}));
        std::vector<std::unique_ptr<Expectimax>> searches(rules.roles());
        for (const std::size_t role : rules.seats()) {
            searches[role] = std::make_unique<Expectimax>(
                rules, role,
                Expectimax::Options{.symmetries = {}, .table_bytes = std::size_t{1} << 20, .table = true});
        }
        Looker looker(rules);
        gdl::Runner runner(*sharp.machine);
        std::size_t narrowed = 0;
        visit_states(rules, 5, 120, [&](const State& state) {
            const auto mover = looker.mover(state);
            if (!mover || rules.chance(*mover)) return;
            runner.load(state);
            std::vector<MoveId> kept;
            runner.legal(*mover, kept);
            const std::vector<MoveId> all = looker.legal(state, *mover);
            if (kept.size() == all.size()) return;
            ++narrowed;
            const auto found = searches[*mover]->search(state, network, {}, 0, 1);
            if (found.exact && found.value == 1) {
                EXPECT_NE(std::ranges::find(kept, *found.best), kept.end());
                return;
            }
            for (const MoveId move : all) {
                if (std::ranges::find(kept, move) != kept.end()) continue;
                const State next = looker.after(state, *mover, move);
                const auto opponent = looker.mover(next);
                ASSERT_TRUE(opponent && !rules.chance(*opponent));
                const auto answer = searches[*opponent]->search(next, network, {}, 0, 1);
                EXPECT_TRUE(answer.exact);
                EXPECT_EQ(answer.value, 1);
            }
        });
        EXPECT_GT(narrowed, 0U);
        ASSERT_FALSE(HasFailure());
    }
}

// The threshold of a turn is the best goal that the role can have at once.
TEST(Threshold, OfWhatIsReachedAtOnceExcludesNoBestMove) {
    std::size_t excluded = 0;
    for (std::uint64_t seed = 1; seed <= 120; ++seed) {
        const auto loaded = random_game(seed, seed % 2 == 0);
        if (!loaded) continue;
        const GameContext& rules = loaded->rules;
        const scsp::Turn turn(rules.machine().network(), scsp::find_mutex_groups(rules.machine()));
        scsp::Filter filter(turn);
        scsp::MacOptions options;
        for (std::size_t r = 0; r < rules.roles(); ++r) {
            if (rules.chance(r)) options.chance = static_cast<std::uint32_t>(r);
        }
        Looker looker(rules);
        visit_states(rules, seed, 10, [&](const State& state) {
            const auto mover = looker.mover(state);
            if (!mover || rules.chance(*mover)) return;
            const std::vector<MoveId> all = looker.legal(state, *mover);
            double at_once = 0;
            std::map<MoveId, double> worth;
            for (const MoveId move : all) {
                const State next = looker.after(state, *mover, move);
                worth[move] = looker.worth(next, *mover);
                if (looker.over(next)) at_once = std::max(at_once, worth[move]);
            }
            options.thresholds.assign(rules.roles(), 0);
            options.thresholds[*mover] = static_cast<int>(at_once);
            std::vector<MoveId> kept;
            scsp::Mac(filter, options)
                .solve(state, [&](const JointMove& moves, std::span<const scsp::Outcome>) {
                    kept.push_back(moves[*mover]);
                    return true;
                });
            for (const auto& [move, value] : worth) {
                EXPECT_TRUE(value < looker.worth(state, *mover) ||
                            std::ranges::find(kept, move) != kept.end());
            }
            excluded += all.size() - kept.size();
        });
        ASSERT_FALSE(HasFailure()) << "seed " << seed;
    }
    EXPECT_GT(excluded, 20U);
}

}  // namespace
}  // namespace zermelo::play
