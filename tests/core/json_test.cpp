#include "core/format/json.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

namespace zermelo {
namespace {

using nlohmann::json;

const JsonFile file{.name = "f.json", .what = "list", .not_json = "write it again", .deepest = 4};

std::string complaint(const std::function<void()>& work) {
    try {
        work();
    } catch (const Error& error) {
        return error.what();
    }
    return "accepted";
}

std::string parsing(const std::string& text) {
    return complaint([&] { (void)parse_json(text, file); });
}

TEST(ParseJson, SaysLineAndColumnOfWhatIsNoJson) {
    EXPECT_EQ(parsing("{\"a\": [1, 2]}"), "accepted");
    EXPECT_TRUE(parsing("{\n  \"a\": ,\n}").starts_with("f.json:2:8: this is not JSON: "))
        << parsing("{\n  \"a\": ,\n}");
    EXPECT_TRUE(parsing("").starts_with("f.json:1:1: this is not JSON: "));
    EXPECT_TRUE(parsing("[1, 2").ends_with("; write it again"));
}

TEST(ParseJson, RefusesWhatIsNestedTooDeeply) {
    EXPECT_EQ(parsing("[[[[1]]]]"), "accepted");
    EXPECT_EQ(parsing("[[[[[1]]]]]"), "f.json: this is nested too deeply for a list; write it again");
    EXPECT_EQ(parsing(std::string(100'000, '[')), parsing("[[[[[1]]]]]"));
}

TEST(ParseJson, LeavesOutWhatWasTaken) {
    std::vector<json> taken;
    const json document =
        parse_json(R"({"keep": [0], "take": [1, 2]})", file,
                   [&, inside = false](int depth, json::parse_event_t event, json& parsed) mutable {
                       if (event == json::parse_event_t::key) inside = parsed == "take";
                       if (!inside || depth != 2 || event != json::parse_event_t::value) return true;
                       taken.push_back(parsed);
                       return false;
                   });
    EXPECT_EQ(taken, (std::vector<json>{1, 2}));
    EXPECT_EQ(document, json({{"keep", {0}}, {"take", json::array()}}));
}

TEST(QuotedJson, ReplacesWhatIsNoText) {
    EXPECT_EQ(quoted_json("a \"b\"\n"), R"("a \"b\"\n")");
    EXPECT_EQ(quoted_json("\xff"), "\"\xef\xbf\xbd\"");
}

class Cursor : public testing::Test {
protected:
    const json document = json::parse(
        R"({"name": "n", "list": [{"a": 1}, {"a": -7}], "large": 9223372036854775808, "half": 0.5})");
    const JsonCursor root{file, document};

    [[nodiscard]] static std::string asking(const std::function<void()>& ask) { return complaint(ask); }
};

TEST_F(Cursor, ReadsValues) {
    EXPECT_EQ(root.member("name").text(), "n");
    EXPECT_EQ(root.member("list").size(), 2U);
    std::vector<std::int64_t> numbers;
    std::vector<std::string> pointers;
    for (const JsonCursor& element : root.member("list").elements()) {
        numbers.push_back(element.member("a").integer());
        pointers.push_back(element.member("a").pointer());
    }
    EXPECT_EQ(numbers, (std::vector<std::int64_t>{1, -7}));
    EXPECT_EQ(pointers, (std::vector<std::string>{"/list/0/a", "/list/1/a"}));
    EXPECT_TRUE(root.find("name"));
    EXPECT_FALSE(root.find("names"));
}

TEST_F(Cursor, SaysWhichValueIsWrong) {
    EXPECT_EQ(asking([&] { (void)root.member("names"); }), "f.json: \"names\" is missing");
    EXPECT_EQ(asking([&] { (void)root.member("list").element(1).member("b"); }),
              "f.json: /list/1: \"b\" is missing");
    EXPECT_EQ(asking([&] { (void)root.member("name").member("b"); }),
              "f.json: /name: this should be an object; put it between { and }");
    EXPECT_EQ(asking([&] { (void)root.member("name").elements(); }),
              "f.json: /name: this should be a list; put it between [ and ]");
    EXPECT_EQ(asking([&] { (void)root.member("list").text(); }),
              "f.json: /list: this should be a text; put it between quotation marks");
    for (const char* name : {"name", "large", "half"}) {
        EXPECT_EQ(asking([&] { (void)root.member(name).integer(); }),
                  "f.json: /" + std::string(name) + ": this should be an integer");
    }
    EXPECT_EQ(asking([&] { (void)root.member("list").element(1).member("a").integer(0, 9); }),
              "f.json: /list/1/a: this should be an integer from 0 to 9");
    EXPECT_EQ(asking([&] { throw root.wrong("this is odd", "mend it"); }), "f.json: this is odd; mend it");
}

TEST_F(Cursor, KnowsWhichMembersAreAllowed) {
    EXPECT_EQ(asking([&] { root.allow_only({"name", "list", "large", "half", "more"}); }), "accepted");
    EXPECT_EQ(asking([&] {
                  root.allow_only({"name", "list", "large"});
              }),
              "f.json: /half: this is unknown here; write one of name, list, large");
}

TEST_F(Cursor, GivesTheRemedyOfItsFileWhereThereIsOne) {
    const JsonFile written{
        .name = "p.json", .what = "plan", .not_json = "", .remedy = "write the plan again"};
    const JsonCursor plan{written, document};
    EXPECT_EQ(asking([&] { (void)plan.member("name").size(); }),
              "p.json: /name: this should be a list; write the plan again");
    EXPECT_EQ(asking([&] { (void)plan.member("x"); }), "p.json: \"x\" is missing; write the plan again");
}

}  // namespace
}  // namespace zermelo
