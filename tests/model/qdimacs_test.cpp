// The QDIMACS reader: prefix, free variables, and where each mistake is found.

#include "model/qdimacs.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "core/random.hpp"

namespace zermelo {
namespace {

model::Model from_qdimacs(const std::string& text) {
    std::istringstream input(text);
    return model::read_qdimacs(input, "q.qdimacs");
}

std::string qdimacs_complaint(const std::string& text) {
    try {
        from_qdimacs(text);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(Qdimacs, BlocksAndClausesAreRead) {
    const model::Model model =
        from_qdimacs("c a comment\np cnf 5 2\ne 1 0\ne 2 0\na 3 0\ne 4 0 \na 5 0\n1 -3 4 0\n-2 3\n-4 0\n");
    ASSERT_EQ(model.prefix.size(), 4U);
    EXPECT_EQ(model.prefix[0].variables.size(), 2U);
    EXPECT_EQ(model.prefix[1].quantifier, model::Quantifier::forall);
    EXPECT_EQ(model.name_of(model.prefix[2].variables[0]), "4");
    ASSERT_EQ(model.constraints.size(), 2U);
    EXPECT_EQ(std::get<model::Clause>(model.constraints[0].body).literals,
              (std::vector<model::Literal>{{0, true}, {2, false}, {3, true}}));
    EXPECT_EQ(model.constraints[1].place.line, 9);
}

TEST(Qdimacs, FreeVariablesAreOutermostExistential) {
    const model::Model outer = from_qdimacs("p cnf 3 1\na 1 0\n1 2 0\n");
    ASSERT_EQ(outer.prefix.size(), 2U);
    EXPECT_EQ(outer.prefix[0].quantifier, model::Quantifier::exists);
    EXPECT_EQ(outer.name_of(outer.prefix[0].variables.at(0)), "2");
    EXPECT_EQ(from_qdimacs("p cnf 2 1\ne 1 0\n1 2 0\n").prefix.size(), 1U);
}

TEST(Qdimacs, AnEmptyClauseIsADemandThatFails) {
    const model::Model model = from_qdimacs("p cnf 1 1\ne 1 0\n0\n");
    ASSERT_EQ(model.constraints.size(), 1U);
    EXPECT_TRUE(std::get<model::Clause>(model.constraints[0].body).literals.empty());
}

TEST(Qdimacs, AClauseWithALiteralAndItsOppositeSaysNothing) {
    EXPECT_TRUE(from_qdimacs("p cnf 2 1\ne 1 2 0\n1 2 -1 0\n").constraints.empty());
}

TEST(Qdimacs, TheNumberOfClausesIsNotEnforced) {
    EXPECT_EQ(from_qdimacs("p cnf 1 7\n1 0\n").constraints.size(), 1U);
}

TEST(Qdimacs, EveryMistakeIsFoundAtItsPlace) {
    const std::vector<std::pair<std::string, std::string>> mistakes = {
        {"", "q.qdimacs:1:1: the header is missing"},
        {"e 1 0\n1 0\n", "q.qdimacs:1:1: the header is missing; start with `p cnf"},
        {"c x\np dnf 1 1\n", "q.qdimacs:2:1: the header is missing"},
        {"p cnf 1\n1 0\n", "q.qdimacs:1:8: the header is cut off"},
        {"p cnf 1 1 1\n1 0\n", "q.qdimacs:1:11: something follows the header"},
        {"p cnf 1 1\n1 -2 0\n", "q.qdimacs:2:3: variable 2 is out of range; the header promises 1 variables"},
        {"p cnf 1 1\na 2 0\n", "q.qdimacs:2:3: variable 2 is out of range"},
        {"p cnf 2 1\ne 1 0\na 2 1 0\n", "q.qdimacs:3:5: variable 1 is quantified twice"},
        {"p cnf 2 1\ne 1 2\n1 2 0\n", "q.qdimacs:2:6: this quantifier line has no 0"},
        {"p cnf 2 1\ne -1 0\n", "q.qdimacs:2:3: a negative number cannot be quantified"},
        {"p cnf 2 1\n1 2", "q.qdimacs:2:4: this clause has no 0"},
        {"p cnf 2 2\n1 2 0\ne 1 0\n", "q.qdimacs:3:1: a quantifier follows a clause"},
        {"p cnf 2 2\n1 x 0\n", "q.qdimacs:2:3: expected a literal but found `x`"},
        {"p cnf 2 2\n1 99999999999 0\n", "q.qdimacs:2:3: expected a literal but found `99999999999`"},
        {"p cnf 2 1\ne 1 0 2\n", "q.qdimacs:2:7: something follows the 0"},
    };
    for (const auto& [text, expected] : mistakes) {
        EXPECT_EQ(qdimacs_complaint(text).substr(0, expected.size()), expected) << text;
    }
}

TEST(Qdimacs, DamagedFilesAreRefusedPolitely) {
    const std::string sample = "c sample\np cnf 4 3\ne 1 2 0\na 3 0\ne 4 0\n1 -3 4 0\n-2 3 -4 0\n2 0\n";
    for (std::uint64_t seed = 1; seed <= 4000; ++seed) {
        Random random(seed);
        std::string text = sample;
        for (std::uint64_t changes = 1 + random.below(4); changes > 0 && !text.empty(); --changes) {
            const auto at = random.below(text.size());
            if (random.chance(0.3)) {
                text.erase(at, 1 + random.below(5));
            } else {
                text[at] = random.chance(0.2) ? static_cast<char>(random.below(256))
                                              : "0123456789-eacp \n"[random.below(17)];
            }
        }
        try {
            from_qdimacs(text);
        } catch (const Error&) {
        } catch (const std::exception& other) {
            FAIL() << "seed " << seed << ": " << other.what() << "\n" << text;
        }
    }
}

}  // namespace
}  // namespace zermelo
