// The server of the page as a whole: the page's files, the API, streams, and the document that describes it.

#include "web/server.hpp"

#include <gtest/gtest.h>

#include <set>

#include "web/api/openapi.hpp"
#include "web/http/assets.hpp"
#include "web/session/game_cache.hpp"
#include "web/visitor.hpp"

namespace zermelo::web {
namespace {

using net::becomes_true;
using net::body_of;
using net::RawClient;
using net::status_of;

json thinking(double seconds) {
    return {{"game", {{"id", "gdl/connect-four"}}},
            {"steps", json::array()},
            {"role", "yellow"},
            {"player", "uct"},
            {"seconds", seconds}};
}

json in_library(const std::string& kind, const std::string& text) { return {{"kind", kind}, {"text", text}}; }

TEST(WebServer, TellsItsStatus) {
    const Visited server;
    const json status = server.get("/api/status");
    EXPECT_EQ(status["running"], 0);
    EXPECT_EQ(status["waiting"], 0);
    EXPECT_GT(status["memory"], 1'000'000);
    EXPECT_EQ(status["budget"], std::size_t{2} << 30);
    EXPECT_FALSE(status["version"].get<std::string>().empty());
}

TEST(WebServer, ListsGamesAndShowsThem) {
    const Visited server;
    EXPECT_GE(server.get("/api/games")["games"].size(), 50);
    const json game = server.get("/api/games/gdl/tic-tac-toe");
    EXPECT_EQ(game["id"], "gdl/tic-tac-toe");
    EXPECT_EQ(game["hints"]["board"]["fact"], "cell");
    EXPECT_TRUE(game["text"].get<std::string>().starts_with("; Tic-tac-toe"));
    EXPECT_EQ(server.status({.target = "/api/games/gdl/none"}), 404);
}

TEST(WebServer, ChecksTextsOfAllKinds) {
    const Visited server;
    const auto check = [&](const std::string& kind, const std::string& text) {
        return server.ask(post("/api/check", in_library(kind, text)));
    };
    const json nim = check("gdl", server.get("/api/games/gdl/nim")["text"]);
    EXPECT_EQ(nim["findings"], json::array());
    EXPECT_EQ(nim["playable"], true);
    EXPECT_EQ(nim["seats"], (json{"alice", "bob"}));
    EXPECT_EQ(nim["tags"], json{"turns"});

    const json broken = check("gdl", "(role a)\n(<= (next (p ?x))\n    (true q)");
    EXPECT_EQ(broken["playable"], false);
    EXPECT_EQ(broken["findings"][0]["severity"], "error");
    EXPECT_GT(broken["findings"][0]["line"], 0);

    const json unsafe = check("gdl",
                              "(role a)\n(init p)\n(legal a go)\n(<= (next (q ?x)) (true p))\n"
                              "(<= terminal (true (q 1)))\n(goal a 100)");
    EXPECT_EQ(unsafe["playable"], false);
    EXPECT_EQ(unsafe["findings"][0]["line"], 4);

    const json graph = check("graph", server.get("/api/games/graphs/cycle")["text"]);
    EXPECT_EQ(graph["seats"], (json{"Alice", "Bob"}));
    EXPECT_EQ(check("graph", "{\n\"format\": }")["findings"][0]["line"], 2);

    const json model = check("minizinc", server.get("/api/games/quantified/four-variables")["text"]);
    EXPECT_EQ(model["findings"], json::array());
    EXPECT_EQ(model["tags"], json{"quantified"});
    const json wrong = check("minizinc", "include \"zermelo.mzn\";\nvar 0..1: x\nsolve satisfy;");
    EXPECT_EQ(wrong["playable"], false);
    EXPECT_EQ(wrong["findings"][0]["line"], 3);
    EXPECT_EQ(check("minizinc", server.get("/api/games/stochastic/example-1")["text"])["tags"],
              json{"stochastic"});
    EXPECT_EQ(check("minizinc", server.get("/api/games/strategic/tic-tac-toe-2")["text"])["tags"],
              json{"strategic"});
}

TEST(WebServer, RefusesWhatIsNotThere) {
    const Visited server;
    EXPECT_EQ(server.status({.target = "/api/nothing"}), 404);
    EXPECT_EQ(server.status({.target = "/api"}), 404);
    EXPECT_EQ(server.ask({.target = "/api/"})["line"], 0);
    const std::string wrong_method = server.answer({.target = "/api/check"});
    EXPECT_EQ(status_of(wrong_method), 405);
    EXPECT_EQ(header(wrong_method, "Allow"), "POST");
    EXPECT_EQ(server.status({.method = "DELETE", .target = "/"}), 405);
    EXPECT_EQ(server.status({.target = "/none.html"}), 404);
}

TEST(WebServer, ProtectsThePage) {
    const Visited server;
    for (const char* target : {"/", "/api/status", "/api/nothing"}) {
        const std::string answer = server.answer({.target = target});
        EXPECT_TRUE(header(answer, "Content-Security-Policy").starts_with("default-src 'self'")) << target;
        EXPECT_EQ(header(answer, "Content-Security-Policy").find("script"), std::string::npos);
        EXPECT_EQ(header(answer, "X-Content-Type-Options"), "nosniff");
        EXPECT_EQ(header(answer, "Referrer-Policy"), "no-referrer");
        EXPECT_EQ(header(answer, "Cross-Origin-Opener-Policy"), "same-origin");
        EXPECT_EQ(header(answer, "Cross-Origin-Resource-Policy"), "same-origin");
        EXPECT_EQ(header(answer, "Access-Control-Allow-Origin"), "");
    }
    EXPECT_EQ(header(server.answer({.target = "/api/status"}), "Cache-Control"), "no-store");
}

TEST(WebServer, SendsThePageCompressedOrNotAndOnlyOnce) {
    if (assets().empty()) GTEST_SKIP() << "this program was built without its page";
    const Visited server;
    const std::string plain = server.answer({.target = "/"});
    EXPECT_EQ(status_of(plain), 200);
    EXPECT_EQ(header(plain, "Content-Encoding"), "");
    EXPECT_NE(body_of(plain).find("<!doctype html>"), std::string::npos);
    EXPECT_EQ(header(plain, "Cache-Control"), "no-cache");

    const std::string packed =
        server.answer({.target = "/index.html", .headers = {{"Accept-Encoding", "br, gzip"}}});
    EXPECT_EQ(header(packed, "Content-Encoding"), "gzip");
    EXPECT_TRUE(body_of(packed).starts_with("\x1f\x8b"));
    EXPECT_EQ(header(server.answer({.headers = {{"Accept-Encoding", "gzip;q=0"}}}), "Content-Encoding"), "");

    const std::string again = server.answer({.headers = {{"If-None-Match", header(plain, "ETag")}}});
    EXPECT_EQ(status_of(again), 304);
    EXPECT_EQ(body_of(again), "");
    for (const Asset& asset : assets()) {
        const std::string answer = server.answer({.target = std::string(asset.path)});
        EXPECT_EQ(status_of(answer), 200) << asset.path;
        if (!asset.path.starts_with("/assets/")) continue;
        EXPECT_NE(header(answer, "Cache-Control").find("immutable"), std::string::npos) << asset.path;
    }
}

TEST(WebServer, AnswersHeadWithoutABody) {
    const Visited server;
    for (const char* target : {"/", "/api/games"}) {
        const std::string whole = server.answer({.target = target});
        const std::string head = server.answer({.method = "HEAD", .target = target});
        EXPECT_EQ(head, whole.substr(0, whole.find("\r\n\r\n") + 4)) << target;
    }
}

TEST(WebServer, StreamsEvents) {
    const Visited server;
    const std::string answer = server.answer(post("/api/think", thinking(0.5)));
    EXPECT_EQ(status_of(answer), 200);
    EXPECT_EQ(header(answer, "Content-Type"), "text/event-stream");
    EXPECT_EQ(header(answer, "Cache-Control"), "no-store");
    EXPECT_NE(answer.find("event: move\ndata: {"), std::string::npos);
}

TEST(WebServer, AStreamThatFailsBeforeItBeginsHasAStatus) {
    const Visited server;
    json body = thinking(1);
    body["game"]["id"] = "gdl/none";
    EXPECT_EQ(server.status(post("/api/think", body)), 404);
    EXPECT_EQ(server.status(post("/api/think", std::string("{"))), 400);
    EXPECT_EQ(server.status(post("/api/think", json::object())), 400);
}

TEST(WebServer, WorkEndsWhenItsPageHasGone) {
    const Visited server;
    RawClient client(server.port());
    client.send(post("/api/think", thinking(100)).text());
    EXPECT_NE(client.read_until("event: thought").find("event: thought"), std::string::npos);
    EXPECT_EQ(server.get("/api/status")["running"], 1);
    client.close();
    EXPECT_TRUE(becomes_true([&] { return server.get("/api/status")["running"] == 0; }));
}

TEST(WebServer, NoWorkIsLongerThanAllowed) {
    Options options;
    options.longest = 0.3;
    const Visited server(options);
    EXPECT_NE(server.answer(post("/api/think", thinking(100))).find("event: move"), std::string::npos);
}

TEST(WebServer, RefusesWorkWhereThereIsTooMuch) {
    Options options;
    options.running = 1;
    options.waiting = 1;
    const Visited server(options);
    RawClient first(server.port());
    first.send(post("/api/think", thinking(100)).text());
    EXPECT_TRUE(becomes_true([&] { return server.get("/api/status")["running"] == 1; }));
    RawClient second(server.port());
    second.send(post("/api/think", thinking(100)).text());
    EXPECT_TRUE(becomes_true([&] { return server.get("/api/status")["waiting"] == 1; }));
    const std::string third = server.answer(post("/api/think", thinking(100)));
    EXPECT_EQ(status_of(third), 503);
    EXPECT_EQ(header(third, "Retry-After"), "5");
    second.close();
    EXPECT_TRUE(becomes_true([&] { return server.get("/api/status")["waiting"] == 0; }));
    first.close();
    EXPECT_EQ(server.status(post("/api/check", in_library("gdl", "(role a)"))), 200);
}

TEST(WebServer, StopsInTheMiddleOfWork) {
    RawClient client;
    {
        const Visited server;
        client.connect(server.port());
        client.send(post("/api/think", thinking(100)).text());
        EXPECT_NE(client.read_until("event: thought"), "");
    }
    EXPECT_EQ(client.read_all().find("event: move"), std::string::npos);
}

TEST(WebServer, NeedsAFolderOfGamesAndAnAddress) {
    Options options;
    options.games = "/no/such/folder";
    EXPECT_THROW(Server{options}, Error);
    options.games = games_folder;
    options.server.address = "0.0.0.0";
    EXPECT_THROW(Server{options}, Error);  // without a token
}

// What the routes are, and what the document says.
TEST(OpenApi, DescribesEveryRouteAndNoOther) {
    const Library library(games_folder);
    GameCache cache(library);
    Router router;
    add_checking(router, cache);
    add_editing(router, cache);
    add_playing(router, cache);
    add_explaining(router, cache);
    add_solving(router, cache);
    add_pictures(router, cache);
    add_tournaments(router, cache);
    std::set<std::string> routes = {"get /api/status", "get /api/openapi.json"};
    for (const Route& route : router.routes()) {
        routes.insert((route.method == "GET" ? "get " : "post ") + route.pattern);
        const json& said = openapi()["paths"][route.pattern][route.method == "GET" ? "get" : "post"];
        const bool stream = said["responses"]["200"].value("$ref", "") == "#/components/responses/Events";
        EXPECT_EQ(stream, route.kind == Route::Kind::stream) << route.pattern;
    }
    std::set<std::string> described;
    for (const auto& [path, methods] : openapi()["paths"].items()) {
        for (const auto& [method, about] : methods.items()) described.insert(method + " " + path);
    }
    EXPECT_EQ(described, routes);
}

TEST(OpenApi, RefersToWhatIsThere) {
    const std::string text = openapi().dump();
    EXPECT_EQ(openapi()["openapi"], "3.1.0");
    const std::string mark = "\"$ref\":\"#";
    std::size_t count = 0;
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1), ++count) {
        const std::size_t begin = at + mark.size();
        const std::string pointer = text.substr(begin, text.find('"', begin) - begin);
        EXPECT_TRUE(openapi().contains(json::json_pointer(pointer))) << pointer;
    }
    EXPECT_GT(count, 50);
    EXPECT_EQ(Visited().get("/api/openapi.json"), openapi());
}

}  // namespace
}  // namespace zermelo::web
