// zermelo serve, as it is started and ended. What it answers is tested in tests/web.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/run.hpp"

namespace zermelo {
namespace {

// Ctrl-C comes after a second or two.
Ran serve(const std::string& options) {
    return run("timeout --preserve-status -s INT 2 " + std::string(ZERMELO_BINARY) + " serve --port 0 " +
               options);
}

TEST(Serve, SaysWhereThePageIsAndEndsWithCtrlC) {
    const Ran ran = serve("");
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_TRUE(ran.out.starts_with("The page is at http://127.0.0.1:")) << ran.out;
    EXPECT_EQ(ran.out.find("token"), std::string::npos);
}

TEST(Serve, SaysItInJson) {
    const auto said = nlohmann::json::parse(serve("--json").out);
    EXPECT_EQ(said["url"], "http://127.0.0.1:" + std::to_string(said["port"].get<int>()) + "/");
}

TEST(Serve, MakesATokenWhereOthersCanConnect) {
    const auto one = nlohmann::json::parse(serve("--json --address 0.0.0.0").out);
    const auto other = nlohmann::json::parse(serve("--json --address 0.0.0.0 --host games.example.org").out);
    const auto token = [](const nlohmann::json& said) {
        const std::string url = said["url"];
        return url.substr(url.find("#token=") + 7);
    };
    EXPECT_EQ(token(one).size(), 32);
    EXPECT_NE(token(one), token(other));
    EXPECT_TRUE(other["url"].get<std::string>().starts_with("http://games.example.org:"));
}

TEST(Serve, TakesItsTokenFromAFile) {
    const TemporaryDirectory folder;
    const std::string file = folder.write("token", "this is the token\n");
    const auto said = nlohmann::json::parse(serve("--json --address 0.0.0.0 --token-file " + file).out);
    EXPECT_TRUE(said["url"].get<std::string>().ends_with("#token=this%20is%20the%20token"));
    EXPECT_EQ(serve("--token-file " + folder.path("none")).code, 2);
}

TEST(Serve, RefusesWhatItCannotDo) {
    for (const char* options : {"--address nowhere", "--address 0.0.0.0 --token short",
                                "--games /no/such/folder", "--memory lots", "--token a --token-file b"})
        EXPECT_EQ(serve(options).code, 2) << options;
}

}  // namespace
}  // namespace zermelo
