// QCIR: circuits are read as they are written, and mistakes are found where they are.

#include "model/qcir.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace zermelo {
namespace {

model::Model read(const std::string& text) {
    std::istringstream in(text);
    return model::read_qcir(in, "test.qcir");
}

std::string complaint(const std::string& text) {
    try {
        (void)read(text);
    } catch (const Error& problem) {
        return problem.what();
    }
    return "";
}

TEST(Qcir, BlocksGatesAndTheOutputBecomeAModel) {
    const model::Model model = read(
        "#QCIR-14 3\n# a comment\nexists(a, b)\nexists(c)\nforall(d)\noutput(-top)\n"
        "x = xor(a, -d)\ny = ite(b, c, d)\ntop = and(x, y, -c)\n");
    ASSERT_EQ(model.prefix.size(), 2U);  // neighbours of one kind are one block
    EXPECT_EQ(model.prefix[0].variables.size(), 3U);
    EXPECT_EQ(model.prefix[1].quantifier, model::Quantifier::forall);
    ASSERT_EQ(model.win.size(), 1U);
    EXPECT_EQ(model.constraints.size(), 5U);  // xor, three for ite, and
}

TEST(Qcir, FreeVariablesAreOutermostAndOurs) {
    const model::Model model = read("#QCIR-14\nfree(f)\nforall(d)\noutput(g)\ng = or(f, d)\n");
    ASSERT_EQ(model.prefix.size(), 2U);
    EXPECT_EQ(model.prefix[0].quantifier, model::Quantifier::exists);
    EXPECT_EQ(model.name_of(model.prefix[0].variables.front()), "f");
}

TEST(Qcir, GatesWithoutInputsAreConstants) {
    EXPECT_EQ(read("#QCIR-14\nexists(a)\noutput(g)\ng = and()\n").constraints.size(), 0U);
}

TEST(Qcir, MistakesAreFoundWhereTheyAre) {
    EXPECT_NE(complaint("exists(a)\n").find("test.qcir:1:1: the header is missing"), std::string::npos);
    EXPECT_NE(complaint("#QCIR-14\nexists(a, a)\noutput(a)\n").find(":2:11: variable a is quantified twice"),
              std::string::npos);
    EXPECT_NE(complaint("#QCIR-14\nexists(a)\noutput(g)\ng = or(a, h)\n").find(":4:11: h is neither"),
              std::string::npos);
    EXPECT_NE(complaint("#QCIR-14\nexists(a)\noutput(g)\n").find(":3:8: g is neither"), std::string::npos);
    EXPECT_NE(
        complaint("#QCIR-14\nexists(a)\noutput(g)\ng = nor(a, a)\n").find("`nor` with 2 inputs is no gate"),
        std::string::npos);
    EXPECT_NE(complaint("#QCIR-14\nexists(a)\noutput(g)\ng = exists(a; a)\n").find("quantifier inside"),
              std::string::npos);
    EXPECT_NE(complaint("#QCIR-14\nexists(a\n").find("expected `,`"), std::string::npos);
}

}  // namespace
}  // namespace zermelo
