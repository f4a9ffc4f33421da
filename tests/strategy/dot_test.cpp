#include "strategy/format/dot.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "games.hpp"

namespace zermelo {

namespace {

std::string dot(const model::Model& model, const strategy::Strategy& strategy, std::size_t most = 300) {
    std::ostringstream out;
    write_dot(out, model, strategy, {.most_nodes = most});
    return out.str();
}

TEST(Dot, LabelsEdgesAsInTheSeed) {
    EXPECT_EQ(strategy::edge_label({1, 2, 3}), "1//2//3");
    EXPECT_EQ(strategy::edge_label({1, 2, 3, 4, 5, 6, 7}), "1..7");
    EXPECT_EQ(strategy::edge_label({-3, 0, 1, 2, 3, 9}), "-3//0..3//9");
}

TEST(Dot, DrawsOwnerOpponentAndLeafDifferently) {
    const model::Model nim = fibonacci_nim_4();
    const std::string text = dot(nim, completed(nim, compact_nim_strategy(nim)));
    EXPECT_NE(text.find("label=\"x1\", shape=box"), std::string::npos) << text;
    EXPECT_NE(text.find("label=\"y1\", shape=ellipse"), std::string::npos) << text;
    EXPECT_NE(text.find("-> leaf [label=\"1//2//3\"]"), std::string::npos) << text;
    EXPECT_EQ(text.find("are drawn"), std::string::npos) << text;
}

TEST(Dot, SaysThatItLeftNodesOut) {
    const model::Model nim = fibonacci_nim_4();
    const std::string text = dot(nim, completed(nim, compact_nim_strategy(nim)), 2);
    EXPECT_NE(text.find("2 of 5 nodes are drawn"), std::string::npos) << text;
}

TEST(Dot, BecomesAnSvgPicture) {
    const model::Model nim = fibonacci_nim_4();
    const std::string picture = svg(nim, compact_nim_strategy(nim));
    EXPECT_NE(picture.find("<svg"), std::string::npos);
    EXPECT_NE(picture.find("x2"), std::string::npos);
    EXPECT_NE(svg(nim, strategy::Strategy{}).find("<svg"), std::string::npos);
}

TEST(Dot, SaysWhatToInstallWhenGraphvizIsMissing) {
    const std::string path = std::getenv("PATH") != nullptr ? std::getenv("PATH") : "";
    setenv("PATH", "/nowhere", 1);
    const model::Model nim = fibonacci_nim_4();
    std::string message;
    try {
        (void)svg(nim, strategy::Strategy{});
    } catch (const Error& error) {
        message = error.what();
    }
    setenv("PATH", path.c_str(), 1);
    EXPECT_NE(message.find("install Graphviz"), std::string::npos) << message;
}

}  // namespace

}  // namespace zermelo
