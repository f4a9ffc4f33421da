#include <filesystem>
#include <thread>

#include "web/api/include_policy.hpp"
#include "web/server_fixture.hpp"

namespace zermelo::web {
namespace {

json shipped(const std::string& name) { return {{"id", "gdl/" + name}}; }

TEST(GameCache, AGameIsReadOnce) {
    GameCache cache(shipped_games());
    const auto first = cache.gdl(shipped("nim"), {});
    EXPECT_EQ(cache.gdl(shipped("nim"), {}), first);
    EXPECT_EQ(first->rules.seats().size(), 2U);
}

TEST(GameCache, TheSameTextIsTheSameGame) {
    GameCache cache(shipped_games());
    const json pasted = {{"kind", "gdl"}, {"text", shipped_games().find("gdl/nim")->text}};
    const auto first = cache.gdl(pasted, {});
    EXPECT_EQ(cache.gdl(pasted, {}), first);
    EXPECT_NE(cache.gdl(shipped("nim"), {}), first);
}

TEST(GameCache, WhatWasNotAskedForLongestMakesRoom) {
    GameCache cache(shipped_games(), 2);
    const auto nim = cache.gdl(shipped("nim"), {});
    const std::weak_ptr<const GroundedGame> dropped = cache.gdl(shipped("tic-tac-toe"), {});
    EXPECT_EQ(cache.gdl(shipped("nim"), {}), nim);
    (void)cache.gdl(shipped("subtraction"), {});
    EXPECT_TRUE(dropped.expired());
    EXPECT_EQ(cache.gdl(shipped("nim"), {}), nim);
    EXPECT_EQ(nim->rules.role_name(0), "alice");
}

TEST(GameCache, ManyWhoAskAtOnceGetTheSameGame) {
    GameCache cache(shipped_games());
    std::vector<std::shared_ptr<const GroundedGame>> got(8);
    {
        std::vector<std::jthread> threads;
        for (auto& one : got) threads.emplace_back([&] { one = cache.gdl(shipped("othello"), {}); });
    }
    for (const auto& one : got) EXPECT_EQ(one, got.front());
}

TEST(GameCache, WhoWaitsForAnotherReaderStopsWhenTheTimeIsUp) {
    GameCache cache(shipped_games());
    std::jthread reader([&] { (void)cache.gdl(shipped("checkers"), {}); });
    std::atomic<bool> gone = true;
    const Cancellable scope(gone);
    EXPECT_THROW((void)cache.gdl(shipped("checkers"), Limits()), LimitReached);
}

TEST(GameCache, AFailedReadingIsNotKept) {
    GameCache cache(shipped_games());
    EXPECT_THROW((void)cache.gdl(shipped("othello"), Limits(0.0, std::nullopt)), LimitReached);
    EXPECT_NE(cache.gdl(shipped("othello"), {}), nullptr);
}

TEST(GameCache, ABrokenTextIsToldWithItsPlace) {
    GameCache cache(shipped_games());
    try {
        (void)cache.gdl({{"kind", "gdl"}, {"text", "(role x)\n(init (a)"}}, {});
        FAIL();
    } catch (const Error& problem) {
        EXPECT_EQ(problem.place().line, 2);
    }
}

TEST(GameCache, OtherKindsAreRefused) {
    GameCache cache(shipped_games());
    EXPECT_THROW((void)cache.gdl({{"id", "quantified/baker"}}, {}), Refusal);
    EXPECT_THROW((void)cache.gdl({{"id", "gdl/no-such-game"}}, {}), Refusal);
    EXPECT_THROW((void)cache.gdl(nullptr, {}), Refusal);
}

model::Model pasted_model(const std::string& text, std::vector<std::string> definitions = {}) {
    return *web::read_model({Kind::minizinc, "pasted", "", text, std::move(definitions)},
                            Limits(30, std::nullopt))
                .model();
}

// line:column of the complaint; nothing where there is none.
std::string place_of_complaint(const std::string& text) {
    try {
        (void)pasted_model(text);
    } catch (const Error& problem) {
        EXPECT_EQ(problem.place().file, "pasted");
        return std::to_string(problem.place().line) + ":" + std::to_string(problem.place().column);
    }
    return "";
}

const std::string model_text =
    "include \"zermelo.mzn\";\nint: n;\nvar 1..n: x;\nvar 1..n: y;\n"
    "constraint some(1, x, 1..n);\nconstraint every(2, y, 1..n);\nconstraint win(x >= y);\n";

TEST(ReadModel, AShippedModelAndAPastedOne) {
    const Source shipped_model =
        source(shipped_games(), {{"id", "quantified/nim-fibonacci"}, {"parameters", {{"n", "5"}}}});
    EXPECT_FALSE(web::read_model(shipped_model, Limits(30, std::nullopt)).model()->variables.empty());
    EXPECT_EQ(pasted_model(model_text, {"n=3"}).prefix.size(), 2U);
}

TEST(ReadModel, AMistakeIsToldWithItsPlace) {
    EXPECT_EQ(place_of_complaint("var 1..3: x;\nconstraint x < z;\n"), "2:16");
    EXPECT_EQ(place_of_complaint("var 1..3: x\nconstraint x < 3;\n").substr(0, 2), "2:");
}

TEST(ReadModel, NothingIsLeftBehind) {
    const auto directory =
        std::filesystem::temp_directory_path() / ("zermelo-shelf-" + std::to_string(getpid()));
    std::filesystem::create_directory(directory);
    setenv("TMPDIR", directory.c_str(), 1);
    (void)pasted_model(model_text, {"n=3"});
    (void)place_of_complaint("constraint;");
    unsetenv("TMPDIR");
    EXPECT_TRUE(std::filesystem::is_empty(directory));
    std::filesystem::remove_all(directory);
}

TEST(ReadModel, APathCannotBeIncluded) {
    for (const char* path : {"/etc/passwd", "/etc/passwd.mzn", "../secret.mzn", "./secret.mzn", "a/b.mzn",
                             "\\x2fetc.mzn", "secret.dzn", ".mzn", "\\(\"/etc/x\").mzn", "~.mzn", "a..mzn"}) {
        EXPECT_EQ(place_of_complaint("var 1..3: x;\n  include \"" + std::string(path) + "\";\n"), "2:3")
            << path;
    }
}

TEST(ReadModel, AnIncludeCannotBeHidden) {
    for (const char* text : {
             "include\"/etc/a.mzn\";",
             "include % why\n \"/etc/a.mzn\";",
             "include /* \" */ \"/etc/a.mzn\";",
             "int: a = 1;include\t\"/etc/a.mzn\";",
             "/* % */ include \"/etc/a.mzn\";",
             "string: s = \"\\( 1 % \" \n)\"; include \"/etc/a.mzn\";",
             "string: s = \"\\\\\"; include \"/etc/a.mzn\";",
             "int: a = 1include \"/etc/a.mzn\";",
         }) {
        EXPECT_THROW(require_plain_includes(text, "pasted"), Error) << text;
    }
}

TEST(ReadModel, WhatOnlySoundsLikeAnIncludeIsAllowed) {
    for (const char* text : {"include \"globals.mzn\";", "var 1..2: include_it;", "% these include the first",
                             "", "string: included = \"a/b\";", "var bool: xinclude;"}) {
        EXPECT_NO_THROW(require_plain_includes(text, "pasted")) << text;
    }
}

TEST(ReadModel, ParametersAreValuesAndNothingElse) {
    for (const char* plain : {"n=5", "n=-5", "x=1.5", "b=true", "s=\"a b\"", "a=[1, 2, 3]",
                              "a=[| 1, 2 | 3, 4 |]", "a={1, 3}", "a=1..5", "a_1=[\"x\", \"y\"]"}) {
        EXPECT_NO_THROW(require_plain(plain)) << plain;
    }
    for (const char* other :
         {"n", "n=", "n= ", "=5", "n=5; constraint false", "n=f(5)", "n=x", "n m=5", "5=5", "n=\"\\(x)\"",
          "n=\"a", "n=[i | i in 1..9]", "n=5 % ", "n=include", "n==5", "n=5\nm=6=7"}) {
        EXPECT_THROW(require_plain(other), Refusal) << other;
    }
}

TEST(ReadModel, AModelThatTakesTooMuchMemoryIsStopped) {
    const Source greedy{Kind::minizinc,
                        "pasted",
                        "",
                        "array[1..200000000] of int: a = [i * 7 | i in 1..200000000];\n"
                        "var 1..3: x;\nconstraint x < a[1];\n",
                        {}};
    EXPECT_THROW((void)web::read_model(greedy, Limits(60, std::size_t{2} << 30)), LimitReached);
}

TEST(ReadModel, ACompilerThatNobodyWaitsForIsStopped) {
    const Source slow{Kind::minizinc,
                      "pasted",
                      "",
                      "var 0..1: x;\nconstraint sum(i in 1..30000, j in 1..30000)(i * j * x) > 3;\n",
                      {}};
    std::atomic<bool> gone = false;
    std::jthread client([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        gone = true;
    });
    const Cancellable scope(gone);
    EXPECT_THROW((void)web::read_model(slow, Limits(60, std::nullopt)), LimitReached);
}

}  // namespace
}  // namespace zermelo::web
