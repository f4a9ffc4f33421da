#include "web/http/router.hpp"

#include <gtest/gtest.h>

namespace zermelo::web {
namespace {

Router some_routes() {
    Router router;
    router.quick("GET", "/api/games", [](const Call&) { return json("all"); });
    router.quick("GET", "/api/games/{folder}/{name}", [](const Call& call) { return json(call.path); });
    router.work("POST", "/api/check", [](const Call& call) { return call.body; });
    router.stream("/api/think", [](const Call&, Events& events) { events.send("thought", 1); });
    return router;
}

int status_of_deed(const std::function<void()>& deed) {
    try {
        deed();
    } catch (const std::exception& problem) {
        return error_body(problem).first;
    }
    return 200;
}

TEST(Router, FindsRoutesByMethodAndPath) {
    const Router router = some_routes();
    EXPECT_EQ(router.find("GET", "/api/games").route, &router.routes()[0]);
    EXPECT_EQ(router.find("POST", "/api/think").route->kind, Route::Kind::stream);
    const auto game = router.find("GET", "/api/games/gdl/tic%2Dtac%2dtoe");
    EXPECT_EQ(game.path, (std::vector<std::string>{"gdl", "tic-tac-toe"}));
    Call call;
    call.path = game.path;
    EXPECT_EQ(router.routes()[1].answer(call).body, R"(["gdl","tic-tac-toe"])");
}

TEST(Router, TellsByWhichMethodsAPathIsKnown) {
    const Router router = some_routes();
    EXPECT_EQ(router.find("DELETE", "/api/check").methods, std::vector<std::string>{"POST"});
    for (const char* path :
         {"/api/nothing", "/api/games/", "/api/games/gdl", "/api/games/gdl/a/b", "/api/GAMES"}) {
        const auto found = router.find("GET", path);
        EXPECT_EQ(found.route, nullptr) << path;
        EXPECT_TRUE(found.methods.empty()) << path;
    }
}

TEST(Router, AnEscapedSlashStaysInItsPart) {
    const auto found = some_routes().find("GET", "/api/games/..%2f..%2fetc/passwd");
    EXPECT_EQ(found.path, (std::vector<std::string>{"../../etc", "passwd"}));
}

TEST(Call, MembersHaveTheRightType) {
    Call call;
    call.body = {{"text", "here"}, {"seconds", 3}, {"nothing", nullptr}};
    EXPECT_EQ(call.text("text"), "here");
    EXPECT_EQ(call.text("nothing", "otherwise"), "otherwise");
    EXPECT_EQ(call.number("seconds", 1, 0, 10), 3);
    EXPECT_EQ(call.number("absent", 1, 0, 10), 1);
    EXPECT_EQ(status_of_deed([&] { (void)call.text("absent"); }), 400);
    EXPECT_EQ(status_of_deed([&] { (void)call.text("seconds"); }), 400);
    EXPECT_EQ(status_of_deed([&] { (void)call.number("text", 1, 0, 10); }), 400);
    EXPECT_EQ(status_of_deed([&] { (void)call.number("seconds", 1, 4, 10); }), 400);
}

TEST(Call, CountsAreWholeNumbersWithinBounds) {
    Call call;
    call.query = read_query("most=20&from=-1&text=cell+2%202&empty=&flag&large=99999999999999999999");
    EXPECT_EQ(call.query.at("text"), "cell 2 2");
    EXPECT_EQ(call.query.at("flag"), "");
    EXPECT_EQ(call.count("most", 5, 100), 20);
    EXPECT_EQ(call.count("absent", 5, 100), 5);
    for (const char* key : {"from", "text", "empty", "large"})
        EXPECT_EQ(status_of_deed([&] { (void)call.count(key, 5, 100); }), 400) << key;
    EXPECT_EQ(status_of_deed([&] { (void)call.count("most", 5, 10); }), 400);
}

TEST(Body, MustBeAnObjectThatIsNotTooDeep) {
    EXPECT_EQ(read_body(R"({"a": [1, "[[[["]})")["a"][1], "[[[[");
    for (const char* text : {"", "[]", "1", "null", "{", "{\"a\":}", "{} {}", "\xff", "{\"a\": \"\xff\"}"})
        EXPECT_EQ(status_of_deed([&] { (void)read_body(text); }), 400) << text;
    const std::string deep = "{\"a\":" + std::string(100'000, '[') + std::string(100'000, ']') + "}";
    EXPECT_EQ(status_of_deed([&] { (void)read_body(deep); }), 400);
    EXPECT_EQ(status_of_deed([&] { (void)read_body(std::string(1'000'000, '[')); }), 400);
    EXPECT_EQ(status_of_deed([&] { (void)read_body("{\"a\":1e999}"); }), 400);
}

TEST(ErrorBody, NamesThePlaceAndNotTheFile) {
    const auto [status, said] =
        error_body(Error({"/home/somebody/game.kif", 17, 9}, "a bracket is open", "close it"));
    EXPECT_EQ(status, 422);
    EXPECT_EQ(said, (json{{"error", "a bracket is open; close it"}, {"line", 17}, {"column", 9}}));
}

TEST(ErrorBody, HasAStatusForEachKindOfProblem) {
    EXPECT_EQ(error_body(Refusal(404, "gone")).first, 404);
    EXPECT_EQ(error_body(LimitReached(Stop::memory, "while reading", "")).first, 503);
    EXPECT_EQ(error_body(std::bad_alloc()).first, 503);
    EXPECT_EQ(error_body(std::runtime_error("oh")).first, 500);
}

TEST(Written, ReplacesWhatIsNoText) { EXPECT_EQ(written({{"a", "\xff"}}), "{\"a\":\"\xEF\xBF\xBD\"}"); }

}  // namespace
}  // namespace zermelo::web
