// Random quantified Boolean formulas: the verdict is DepQBF's.

#include <gtest/gtest.h>

#include <sstream>

#include "core/random.hpp"
#include "model/qcir.hpp"
#include "model/qdimacs.hpp"
#include "quantified/solve.hpp"
#include "strategy/check/verify.hpp"
#include "support/random_model.hpp"
#include "support/run.hpp"

namespace zermelo {
namespace {

// Blocks of one to four variables; clauses with at least two literals of the last three blocks, as in model B
// of random QBFs, so that they are not false for trivial reasons.
std::string random_qbf(std::uint64_t seed) {
    Random random(seed);
    const auto blocks = random.between(2, 5);
    std::ostringstream prefix;
    std::vector<int> existential;
    std::vector<int> universal;
    int variables = 0;
    bool ours = random.chance(0.5);
    for (int b = 0; b < blocks; ++b, ours = !ours) {
        prefix << (ours ? "e" : "a");
        for (auto size = random.between(1, 4); size > 0; --size) {
            prefix << ' ' << ++variables;
            (ours ? existential : universal).push_back(variables);
        }
        prefix << " 0\n";
    }
    const auto clauses = random.between(2, 2 * variables);
    std::ostringstream matrix;
    const auto literal = [&](const std::vector<int>& among) {
        matrix << (random.chance(0.5) ? "" : "-") << among[random.below(among.size())] << ' ';
    };
    for (int c = 0; c < clauses; ++c) {
        for (auto size = random.between(1, 3); size > 0; --size) literal(existential);
        if (random.chance(0.6)) literal(universal);
        matrix << "0\n";
    }
    std::ostringstream text;
    text << "p cnf " << variables << ' ' << clauses << '\n' << prefix.str() << matrix.str();
    return text.str();
}

TEST(RandomFormulas, AreDecidedAsDepQbfDecidesThemAndCertified) {
    const TemporaryDirectory scratch;
    std::size_t won = 0;
    const auto drawn = seeds(500);
    for (const auto seed : drawn) {
        const std::string text = random_qbf(seed);
        const Ran peer = run("depqbf " + scratch.write("formula.qdimacs", text));
        ASSERT_TRUE(peer.code == 10 || peer.code == 20) << "depqbf: " << peer.code << ' ' << peer.err;
        std::istringstream in(text);
        const model::Model model = model::read_qdimacs(in, "formula.qdimacs");
        quantified::SolveOptions options;
        options.goods = seed % 2 == 0;
        const quantified::Answer answer = solve(model, options);
        ASSERT_EQ(answer.verdict, peer.code == 10 ? quantified::Verdict::won : quantified::Verdict::lost)
            << "seed " << seed << '\n'
            << text;
        ASSERT_TRUE(verify(model, answer.strategy).valid) << "seed " << seed << '\n' << text;
        won += answer.verdict == quantified::Verdict::won ? 1 : 0;
    }
    EXPECT_GT(won, drawn.size() / 5);
    EXPECT_LT(won, drawn.size() * 4 / 5);
}

// The same formula as a circuit: a gate for each clause, and one for all of them.
std::string as_circuit(const std::string& qdimacs) {
    std::istringstream in(qdimacs);
    std::ostringstream prefix;
    std::ostringstream gates;
    std::string all;
    int clauses = 0;
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        std::string word;
        words >> word;
        if (word == "p") continue;
        const bool block = word == "e" || word == "a";
        std::ostringstream list;
        if (!block) words = std::istringstream(line);
        for (int literal = 0; words >> literal && literal != 0;)
            list << (list.str().empty() ? "" : ", ") << (literal < 0 ? "-v" : "v") << std::abs(literal);
        if (block) {
            prefix << (word == "e" ? "exists(" : "forall(") << list.str() << ")\n";
        } else {
            gates << "g" << ++clauses << " = or(" << list.str() << ")\n";
            all += (all.empty() ? "g" : ", g") + std::to_string(clauses);
        }
    }
    return "#QCIR-14\n" + prefix.str() + "output(-none)\n" + gates.str() + "every = and(" + all +
           ")\nnone = xor(every, -never)\n";
}

TEST(RandomFormulas, ComeOutTheSameAsCircuits) {
    for (const auto seed : seeds(300)) {
        const std::string text = random_qbf(seed);
        std::istringstream clauses(text);
        std::string circuit = as_circuit(text);
        circuit.insert(circuit.find("g1 ="), "never = or()\n");
        std::istringstream gates(circuit);
        const model::Model first = model::read_qdimacs(clauses, "formula.qdimacs");
        const model::Model second = model::read_qcir(gates, "formula.qcir");
        const quantified::Answer answer = quantified::solve(second);
        ASSERT_EQ(quantified::solve(first).verdict, answer.verdict) << "seed " << seed;
        ASSERT_TRUE(verify(second, answer.strategy).valid) << "seed " << seed;
    }
}

}  // namespace
}  // namespace zermelo
