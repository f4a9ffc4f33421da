#include "core/format/dot.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace zermelo {
namespace {

TEST(Dot, EscapesQuotationMarksAndBackslashes) { EXPECT_EQ(dot_escaped(R"(a "b" \c)"), R"(a \"b\" \\c)"); }

TEST(Dot, DrawsDecisions) {
    std::ostringstream out;
    DotDecisions picture(out, "plan");
    picture.leaf();
    picture.node(1, "x \"1\"", true);
    picture.node(2, DotDecisions::Position{"y", "", "a state"}, false);
    picture.node(3, DotDecisions::Position{"z", "x .\n. o\n", "another"}, false);
    picture.edge(1, 2, "3");
    picture.edge_to_leaf(2, "4");
    picture.edge_to_more(2, 7, "5");
    picture.end("2 of 3");
    EXPECT_EQ(out.str(), R"(digraph plan {
  rankdir=LR;
  node [fontname="Helvetica"];
  edge [fontname="Helvetica", fontsize=11];
  leaf [shape=square, label="", width=0.15, style=filled, fillcolor=black];
  n1 [label="x \"1\"", shape=box, style=filled, fillcolor="#cfe3f7"];
  n2 [label="y", tooltip="a state", shape=ellipse];
  n3 [label="z\nx .\l. o\l", tooltip="another", fontname="monospace", shape=ellipse];
  n1 -> n2 [label="3"];
  n2 -> leaf [label="4"];
  m2_7 [shape=plaintext, label="…"];
  n2 -> m2_7 [label="5"];
  label="2 of 3";
}
)");
}

}  // namespace
}  // namespace zermelo
