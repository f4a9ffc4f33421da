// Damaged inputs, all the way: read, analyse, solve, verify. Whatever a text says, the only complaint is an
// Error, and whatever still makes sense gets a verdict whose certificate stands.

#include <gtest/gtest.h>

#include <sstream>

#include "core/random.hpp"
#include "model/flatzinc/flatzinc.hpp"
#include "model/qdimacs.hpp"
#include "quantified/solve.hpp"
#include "strategy/check/verify.hpp"
#include "strategy/follow.hpp"
#include "strategy/format/json.hpp"
#include "support/nim.hpp"

namespace zermelo {
namespace {

// Changes a text here and there: mostly words for words, so that many a mutant still makes sense.
class Mutator {
public:
    explicit Mutator(std::uint64_t seed) : random_(seed) {}

    std::string operator()(std::string text) {
        for (auto n = random_.between(1, 3); n > 0; --n) text = once(text);
        return text;
    }

private:
    static bool in_word(char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
    }

    std::string once(std::string text) {
        if (text.empty()) return text;
        const std::size_t at = random_.below(text.size());
        switch (random_.below(10)) {
            case 0:
                text[at] = static_cast<char>(random_.below(256));
                return text;
            case 1:
                text.erase(at, random_.below(4));
                return text;
            case 2:
                return text.substr(0, at);
            case 3:
                return line(text, at, false);
            case 4:
                return line(text, at, true);
            default:
                return word(text, at);
        }
    }

    // Drops the line around `at`, or says it twice.
    static std::string line(std::string text, std::size_t at, bool twice) {
        const auto before = text.rfind('\n', at);
        const std::size_t start = before == std::string::npos ? 0 : before + 1;
        const std::size_t end = std::min(text.find('\n', start), text.size() - 1) + 1;
        const std::string content = text.substr(start, end - start);
        return twice ? text.insert(start, content) : text.erase(start, end - start);
    }

    // Another word of the text, or a number, in place of the one at `at`.
    std::string word(std::string text, std::size_t at) {
        const auto [start, end] = around(text, at);
        if (start == end) return text;
        static const std::vector<std::string> numbers = {
            "0", "1", "2", "3", "-1", "5", "7", "20", "1000000", "2147483646", "-9223372036854775808"};
        std::string other = numbers[random_.below(random_.chance(0.85) ? 8 : numbers.size())];
        if (random_.chance(0.5)) {
            const auto [from, to] = around(text, random_.below(text.size()));
            other = text.substr(from, to - from);
        }
        return text.replace(start, end - start, other);
    }
    static std::pair<std::size_t, std::size_t> around(const std::string& text, std::size_t at) {
        std::size_t start = at;
        std::size_t end = at;
        while (start > 0 && in_word(text[start - 1])) --start;
        while (end < text.size() && in_word(text[end])) ++end;
        return {start, end};
    }

    Random random_;
};

const std::vector<std::string> flatzinc_texts = {
    // ∃x ∃y ∀z ∃t (x = y·z + t ∧ t ≤ x)
    R"(array [1..2] of set of int: d2 = [0..2,0..2];
var 0..2: x :: output_var;
var 0..2: y :: output_var;
var 0..2: z;
var 0..2: t;
var 0..4: p :: var_is_introduced :: is_defined_var;
constraint zermelo_block(1,false,[x,y],d2);
constraint zermelo_block(2,true,[z],[0..2]);
constraint zermelo_block(3,false,[t],[0..2]);
constraint int_times(y,z,p) :: defines_var(p);
constraint int_lin_eq([1,-1,-1],[x,p,t],0);
constraint int_le(t,x);
solve satisfy;
)",
    // rules and a winning condition
    R"(var 1..3: a;
var 1..3: b;
var 1..3: c;
var bool: r2 :: is_defined_var;
var bool: r3 :: is_defined_var;
var bool: w :: is_defined_var;
constraint zermelo_block(1,false,[a],[1..3]);
constraint zermelo_block(2,true,[b],[1..3]);
constraint zermelo_block(3,false,[c],[1..3]);
constraint int_lin_le_reif([1,-2],[b,a],0,r2) :: defines_var(r2);
constraint int_le_reif(c,b,r3) :: defines_var(r3);
constraint int_lin_eq_reif([1,1,1],[a,b,c],6,w) :: defines_var(w);
constraint zermelo_rule(2,r2);
constraint zermelo_rule(3,r3);
constraint zermelo_win(w);
solve satisfy;
)",
    // elements, tables, all-different, count, extrema, Booleans
    R"(array [1..4] of int: k = [2,0,3,1];
var 1..4: i;
var 1..4: j;
var 0..3: e :: is_defined_var;
var 0..4: n :: is_defined_var;
var 1..4: m :: is_defined_var;
var bool: p;
var bool: q;
var bool: s :: is_defined_var;
constraint zermelo_block(1,true,[i],[1..4]);
constraint zermelo_block(2,false,[j],[1..4]);
constraint zermelo_bool_block(3,true,[p]);
constraint zermelo_bool_block(4,false,[q]);
constraint array_int_element(i,k,e) :: defines_var(e);
constraint array_int_maximum(m,[i,j]) :: defines_var(m);
constraint fzn_count_eq([i,j,2],2,n) :: defines_var(n);
constraint array_bool_or([p,q],s) :: defines_var(s);
constraint bool_xor(p,q,true);
constraint int_ne(i,j);
constraint int_lin_le([1,1,-1],[e,n,m],3);
solve maximize j;
)",
    // a cut
    R"(var 1..4: x;
var 1..4: y;
var bool: c :: is_defined_var;
var bool: w :: is_defined_var;
constraint zermelo_block(1,false,[x],[1..4]);
constraint zermelo_block(2,true,[y],[1..4]);
constraint int_le_reif(y,2,c) :: defines_var(c);
constraint int_lin_le_reif([1,1],[x,y],5,w) :: defines_var(w);
constraint zermelo_cut([],c);
constraint zermelo_win(w);
solve satisfy;
)"};

const std::vector<std::string> qdimacs_texts = {"p cnf 2 2\na 1 0\ne 2 0\n1 -2 0\n-1 2 0\n",
                                                "c three blocks\np cnf 6 6\ne 1 2 0\na 3 4 0\ne 5 6 0\n1 3 "
                                                "-5 0\n-1 -3 5 0\n2 4 6 0\n-2 -6 0\n-4 5 6 0\n1 -5 -6 0\n"};

struct Tally {
    int read = 0;
    int solved = 0;
    int won = 0;
};

const Limits short_time() { return Limits(0.03, std::nullopt); }

// Solves in two ways; the verdicts agree, and each certificate passes the check.
void expect_certified(model::Model model, std::uint64_t seed, Tally& tally) {
    model.cuts.clear();  // a damaged cut lies, and nobody promised anything else
    model.objective.reset();
    std::vector<quantified::Verdict> verdicts;
    for (const bool plain : {true, false}) {
        quantified::SolveOptions options;
        options.limits = short_time();
        if (plain) {
            options.goods = false;
            options.success = quantified::Success::assigned;
            options.values = quantified::ValueOrder::ascending;
        }
        const quantified::Answer answer = solve(model, options);
        if (answer.verdict == quantified::Verdict::unknown) continue;
        verdicts.push_back(answer.verdict);
        strategy::VerifyOptions checking;
        checking.limits = short_time();
        const strategy::Verification check = verify(model, answer.strategy, checking);
        ASSERT_TRUE(check.valid || check.stop != Stop::none)
            << "seed " << seed << ": " << (check.counterexample ? check.counterexample->text(model) : "");
        ASSERT_EQ(answer.strategy.owner, answer.verdict == quantified::Verdict::won
                                             ? model::Quantifier::exists
                                             : model::Quantifier::forall);
    }
    if (verdicts.empty()) return;
    ++tally.solved;
    tally.won += verdicts.front() == quantified::Verdict::won ? 1 : 0;
    ASSERT_EQ(verdicts.front(), verdicts.back()) << "seed " << seed;
}

template <class Read>
Tally expect_errors_or_certificates(const std::vector<std::string>& texts, int count, Read read) {
    Tally tally;
    for (int seed = 0; seed < count && !testing::Test::HasFatalFailure(); ++seed) {
        const std::string text =
            Mutator(static_cast<std::uint64_t>(seed))(texts[static_cast<std::size_t>(seed) % texts.size()]);
        try {
            std::istringstream in(text);
            const model::Model model = read(in);
            (void)analyse(model);
            ++tally.read;
            expect_certified(model, static_cast<std::uint64_t>(seed), tally);
        } catch (const Error&) {
            // a complaint with a place: what damaged text deserves
        } catch (const std::exception& other) {
            ADD_FAILURE() << "seed " << seed << ": " << other.what() << "\n" << text;
        }
    }
    return tally;
}

TEST(Fuzz, DamagedFlatZincGetsAnErrorOrACertifiedVerdict) {
    const Tally tally = expect_errors_or_certificates(
        flatzinc_texts, 40000, [](std::istream& in) { return model::read_flatzinc(in, "fuzz.fzn"); });
    EXPECT_GT(tally.solved, 1000) << "of " << tally.read << " that could be read";
    EXPECT_GT(tally.won, 100);
    EXPECT_GT(tally.solved - tally.won, 100);
}

TEST(Fuzz, DamagedQdimacsGetsAnErrorOrACertifiedVerdict) {
    const Tally tally = expect_errors_or_certificates(
        qdimacs_texts, 8000, [](std::istream& in) { return model::read_qdimacs(in, "fuzz.qdimacs"); });
    EXPECT_GT(tally.won, 100);
    EXPECT_GT(tally.solved - tally.won, 100);
}

TEST(Fuzz, AMaximisedMutantGuaranteesWhatItSays) {
    int found = 0;
    for (std::uint64_t seed = 0; seed < 6000; ++seed) {
        try {
            std::istringstream in(Mutator(seed)(flatzinc_texts[2]));
            const model::Model model = model::read_flatzinc(in, "fuzz.fzn");
            if (!model.objective) continue;
            quantified::SolveOptions options;
            options.limits = short_time();
            const quantified::Answer answer = maximise(model, options);
            if (answer.verdict != quantified::Verdict::won) continue;
            ++found;
            ASSERT_TRUE(verify(model, answer.strategy).valid) << "seed " << seed;
            ASSERT_TRUE(answer.best) << "seed " << seed;
        } catch (const Error&) {
        }
    }
    EXPECT_GT(found, 50);
}

// A damaged strategy may still win; it must never be accepted for the player who loses.
TEST(Fuzz, DamagedStrategiesNeverWinForTheLoser) {
    int read = 0;
    int refuted = 0;
    std::vector<model::Model> games = {nim_with_rules(4).build(), nim_with_rules(8).build(),
                                       nim_with_rules(10).build()};
    for (const std::string& text : flatzinc_texts) {
        std::istringstream in(text);
        games.push_back(model::read_flatzinc(in, "game.fzn"));
    }
    for (std::size_t i = 0; i < games.size(); ++i) {
        model::Model& model = games[i];
        model.cuts.clear();
        const model::Structure structure = analyse(model);
        const quantified::Answer answer = quantified::solve(model);
        std::ostringstream text;
        write_json(text, model, answer.strategy);
        for (std::uint64_t seed = 0; seed < 2500; ++seed) {
            // The header is worth a few mutations only: it says again what the model says.
            const std::string whole = text.str();
            const std::size_t body = seed % 10 == 0 ? 0 : whole.find("\"root\"");
            const std::string damaged = whole.substr(0, body) + Mutator(seed)(whole.substr(body));
            try {
                std::istringstream file(damaged);
                const strategy::Strategy strategy = strategy::read_json(file, model, "fuzz.json");
                ++read;
                const strategy::Verification check = verify(model, strategy);
                ASSERT_EQ(check.stop, Stop::none);
                ASSERT_TRUE(check.valid || check.counterexample) << "game " << i << ", seed " << seed;
                refuted += check.valid ? 0 : 1;
                ASSERT_TRUE(!check.valid || strategy.owner == answer.strategy.owner)
                    << "game " << i << ", seed " << seed << "\n"
                    << damaged;

                // Whoever plays by it comes to an end, and by a valid one its owner wins.
                strategy::Follower game(model, structure, strategy);
                Random random(seed);
                while (const auto v = game.turn()) {
                    const auto legal = game.legal(*v);
                    game.play(*v, game.owners_turn(*v) ? game.move(*v) : legal[random.below(legal.size())]);
                }
                ASSERT_TRUE(!check.valid || game.winner() == strategy.owner)
                    << "game " << i << ", seed " << seed;
            } catch (const Error&) {
            } catch (const std::exception& other) {
                ADD_FAILURE() << "game " << i << ", seed " << seed << ": " << other.what() << "\n" << damaged;
            }
        }
    }
    EXPECT_GT(read, 500);
    EXPECT_GT(refuted, 50);
}

}  // namespace
}  // namespace zermelo
