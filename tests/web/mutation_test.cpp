// Requests that are nearly right: whatever a client gets wrong is the client's mistake, and is told without the
// words of a library.

#include <gtest/gtest.h>

#include <algorithm>

#include "core/random.hpp"
#include "support/random_model.hpp"
#include "web/visitor.hpp"

namespace zermelo::web {
namespace {

// One of each question that has a body.
std::vector<std::pair<std::string, json>> good_requests() {
    const json nim = {{"id", "gdl/nim"}};
    const json pasted = {{"kind", "gdl"},
                         {"text",
                          "(role a)(init (on 1))(legal a go)(<= (next (on 2)) (does a go))"
                          "(<= terminal (true (on 2)))(goal a 100)"}};
    const json model = {
        {"kind", "minizinc"},
        {"text",
         "include \"zermelo.mzn\";\nint: n;\nvar 0..1: x;\nvar 0..1: y;\n"
         "constraint some(1, x, 0..1) /\\ every(2, y, 0..1);\nconstraint win(x + y <= n);\nsolve satisfy;"},
        {"parameters", {{"n", "1"}}}};
    const json graph = {{"id", "graphs/subtraction-13"}};
    const json steps = json::array({{{"alice", "(leave a 0)"}, {"bob", "wait"}}});
    return {
        {"/api/check", pasted},
        {"/api/check",
         {{"kind", "graph"}, {"text", R"({"players": ["a", "b"], "initial": "s", "states": []})"}}},
        {"/api/editor/rename",
         {{"kind", "gdl"},
          {"text", "(role a)"},
          {"position", {{"line", 0}, {"character", 7}}},
          {"newName", "b"}}},
        {"/api/editor/hover",
         {{"kind", "minizinc"}, {"text", "int: n;"}, {"position", {{"line", 0}, {"character", 5}}}}},
        {"/api/position", {{"game", nim}, {"steps", steps}, {"as", "alice"}, {"fluents", true}}},
        {"/api/position", {{"game", pasted}, {"steps", json::array()}}},
        {"/api/step", {{"game", nim}, {"steps", json::array()}, {"moves", {{"alice", "(leave a 0)"}}}}},
        {"/api/think",
         {{"game", nim}, {"steps", json::array()}, {"role", "alice"}, {"player", "uct"}, {"seconds", 0.02}}},
        {"/api/analyse",
         {{"game", nim}, {"steps", json::array()}, {"role", "alice"}, {"player", "uct"}, {"seconds", 0.02}}},
        {"/api/solve", {{"game", nim}, {"seconds", 1}, {"engine", "alpha-beta"}}},
        {"/api/solve", {{"game", graph}, {"seconds", 1}}},
        {"/api/solve", {{"game", model}, {"seconds", 1}}},
        {"/api/attractors", {{"game", graph}}},
        {"/api/tree", {{"game", model}, {"seconds", 1}, {"most", 100}}},
        {"/api/tournaments",
         {{"games", json::array({nim})},
          {"players", {"random", "greedy"}},
          {"form", "round-robin"},
          {"rounds", 1},
          {"clock", 0.01},
          {"seconds", 1}}}};
}

json odd_value(Random& random) {
    static const json odd = json::array({nullptr,
                                         true,
                                         -1,
                                         0,
                                         1,
                                         0.5,
                                         -1e300,
                                         1e300,
                                         std::uint64_t{1} << 63,
                                         "",
                                         "x",
                                         "\n\t\\\"",
                                         "../../x",
                                         "\xc3\xa9",
                                         std::string(300, '('),
                                         json::array(),
                                         json::array({1}),
                                         json::array({json::array({json::array()})}),
                                         json::object(),
                                         {{"x", nullptr}},
                                         {{"id", 3}}});
    return odd[random.below(odd.size())];
}

// Any value inside the body, the body itself included.
json& anywhere(json& value, Random& random) {
    json* at = &value;
    while (at->is_structured() && !at->empty() && random.below(4) != 0)
        at = &*std::next(at->begin(), static_cast<std::ptrdiff_t>(random.below(at->size())));
    return *at;
}

json changed_values(json body, Random& random) {
    for (std::uint64_t changes = 1 + random.below(2); changes > 0; --changes) {
        json& at = anywhere(body, random);
        if (at.is_object() && !at.empty() && random.below(2) == 0) {
            const auto member = std::next(at.begin(), static_cast<std::ptrdiff_t>(random.below(at.size())));
            const std::string name = member.key();
            if (random.below(2) == 0) at[name + "s"] = member.value();
            at.erase(name);
        } else if (at.is_array() && random.below(2) == 0) {
            at.push_back(odd_value(random));
        } else {
            at = odd_value(random);
        }
    }
    return body;
}

std::string changed_bytes(std::string text, Random& random) {
    for (std::uint64_t changes = 1 + random.below(3); changes > 0 && !text.empty(); --changes) {
        const auto at = random.below(text.size());
        const auto length = std::min<std::uint64_t>(text.size() - at, 1 + random.below(8));
        switch (random.below(4)) {
            case 0:
                text[at] = static_cast<char>(random.below(256));
                break;
            case 1:
                text.erase(at, length);
                break;
            case 2:
                text.insert(at, text.substr(random.below(text.size()), length));
                break;
            default:
                text.resize(at);
                break;
        }
    }
    return text;
}

TEST(Mutations, AreTheMistakesOfWhoSentThem) {
    const Visited server;
    const auto requests = good_requests();
    for (const auto& [path, body] : requests) {
        const std::string answer = server.answer(post(path, body));
        ASSERT_EQ(net::status_of(answer), 200) << path << ' ' << body.dump() << '\n' << answer;
    }
    for (const auto seed : seeds(1500)) {
        Random random(seed);
        const auto& [path, body] = requests[random.below(requests.size())];
        const std::string text =
            random.below(3) == 0 ? changed_bytes(body.dump(), random) : changed_values(body, random).dump();
        const std::string answer = server.answer(post(path, text));
        const int status = net::status_of(answer);
        ASSERT_TRUE(status == 200 || (status >= 400 && status < 500) || status == 503)
            << "seed " << seed << ": " << path << ' ' << text << '\n'
            << answer;
        for (const char* inner :
             {"json.exception", "the program failed", "std::", "basic_string", "vector::"})
            ASSERT_EQ(answer.find(inner), std::string::npos)
                << "seed " << seed << ": " << path << ' ' << text << '\n'
                << answer;
    }
}

}  // namespace
}  // namespace zermelo::web
