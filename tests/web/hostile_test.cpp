// Requests that nobody should send: each gets the status that it deserves, the server goes on, and nothing is
// written anywhere.

#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "web/visitor.hpp"

namespace zermelo::web {
namespace {

namespace fs = std::filesystem;

constexpr const char* test_token = "a token for tests";

// Every file below a folder, with its size and its time.
std::map<std::string, std::pair<std::uintmax_t, fs::file_time_type>> listing(const fs::path& folder) {
    std::map<std::string, std::pair<std::uintmax_t, fs::file_time_type>> files;
    std::error_code ignored;
    for (const auto& entry : fs::recursive_directory_iterator(folder, ignored)) {
        std::error_code gone;
        files[entry.path().string()] = {entry.is_regular_file(gone) ? entry.file_size(gone) : 0,
                                        entry.last_write_time(gone)};
    }
    return files;
}

// In a folder for temporary files and a working folder of its own, where nothing may be left.
class Hostile : public testing::Test {
protected:
    void SetUp() override {
        folder_ = fs::temp_directory_path() / ("hostile-" + std::to_string(::getpid()));
        fs::create_directories(folder_ / "tmp");
        fs::create_directories(folder_ / "here");
        before_ = fs::current_path();
        fs::current_path(folder_ / "here");
        if (const char* variable = std::getenv("TMPDIR")) temporary_ = variable;
        ::setenv("TMPDIR", (folder_ / "tmp").c_str(), 1);
        games_ = listing(games_folder);
        server_ = std::make_unique<Visited>();
    }
    void TearDown() override {
        EXPECT_EQ(server_->status({.target = "/api/status"}), 200);
        EXPECT_TRUE(net::becomes_true([&] { return server_->get("/api/status")["running"] == 0; }));
        server_.reset();
        EXPECT_EQ(listing(folder_).size(), 2) << "something was written";
        EXPECT_EQ(listing(games_folder), games_);
        if (temporary_)
            ::setenv("TMPDIR", temporary_->c_str(), 1);
        else
            ::unsetenv("TMPDIR");
        fs::current_path(before_);
        fs::remove_all(folder_);
    }

    [[nodiscard]] int status(const Visit& visit) const { return server_->status(visit); }
    [[nodiscard]] int check(const std::string& kind, const std::string& text) const {
        return status(post("/api/check", json{{"kind", kind}, {"text", text}}));
    }

    std::unique_ptr<Visited> server_;

private:
    fs::path folder_;
    fs::path before_;
    std::optional<std::string> temporary_;
    std::map<std::string, std::pair<std::uintmax_t, fs::file_time_type>> games_;
};

TEST_F(Hostile, NoPathLeadsOutOfTheLibrary) {
    for (const char* target : {"/../../../../etc/passwd",
                               "/..%2f..%2fetc/passwd",
                               "/%2e%2e/%2e%2e/etc/passwd",
                               "//etc/passwd",
                               "/etc/passwd",
                               "/assets/../../../etc/passwd",
                               "/assets/..%5c..%5cetc",
                               "/index.html/../../etc/passwd",
                               "/api/games/../../etc/passwd",
                               "/api/games/../../../etc/passwd",
                               "/api/games/%2e%2e/passwd",
                               "/api/games/..%2f..%2f..%2fetc/passwd",
                               "/api/games/gdl/..%2fgdl%2fnim",
                               "/api/games/gdl/nim.kif",
                               "/api/games//etc/passwd",
                               "/api/games/%2fetc/passwd",
                               "/api/games/gdl/nim%00",
                               "/api/games/gdl/nim.hints",
                               "/api/strategies/..%2f..%2fetc%2fpasswd",
                               "/api/strategies/../file",
                               "/api/strategies/%2e%2e/file"}) {
        const std::string answer = server_->answer({.target = target});
        EXPECT_EQ(net::status_of(answer), 404) << target;
        EXPECT_EQ(answer.find("root:"), std::string::npos) << target;
    }
}

TEST_F(Hostile, NoIdIsAFile) {
    for (const char* id : {"../../etc/passwd", "/etc/passwd", "file:///etc/passwd", "gdl/../../../etc/passwd",
                           "gdl/nim.kif", "http://localhost/"}) {
        const json body = {{"game", {{"id", id}}},
                           {"steps", json::array()},
                           {"seconds", 1},
                           {"role", "x"},
                           {"player", "random"}};
        for (const char* path : {"/api/position", "/api/solve", "/api/attractors", "/api/tree", "/api/think"})
            EXPECT_EQ(status(post(path, body)), 404) << path << ' ' << id;
    }
}

TEST_F(Hostile, NoModelReadsFiles) {
    for (const char* text : {"include \"/etc/passwd\";", "include \"../../../etc/passwd\";",
                             "include\n\"/etc/hostname\";", "include \"x/../../etc/passwd.mzn\";"}) {
        const std::string answer =
            server_->answer(post("/api/check", json{{"kind", "minizinc"}, {"text", text}}));
        EXPECT_EQ(net::status_of(answer), 200) << text;
        EXPECT_EQ(json::parse(net::body_of(answer))["playable"], false) << text;
        EXPECT_EQ(answer.find("root:"), std::string::npos);
    }
    const json body = {{"game",
                        {{"kind", "minizinc"},
                         {"text", "include \"zermelo.mzn\";\nint: n;\nvar 0..n: x;\nsolve satisfy;"},
                         {"parameters", {{"n", "1; include \"/etc/passwd\""}}}}},
                       {"seconds", 2}};
    EXPECT_EQ(status(post("/api/tree", body)), 422);
}

TEST_F(Hostile, BodiesHaveALimit) {
    Visit large = post("/api/check", std::string(3 << 20, ' '));
    EXPECT_EQ(status(large), 413);
    const std::string announced =
        "POST /api/check HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        "Content-Length: 99999999999\r\n\r\n";
    EXPECT_EQ(net::status_of(server_->raw(announced)), 413);
    EXPECT_EQ(
        net::status_of(server_->raw("GET / HTTP/1.1\r\nHost: localhost\r\nX: " + std::string(1 << 20, 'x'))),
        431);
    EXPECT_EQ(check("gdl", std::string(1 << 20, ';')), 200);
}

TEST_F(Hostile, BrokenBodiesAreRefused) {
    for (const std::string& body :
         {std::string(), std::string("{"), std::string("[]"), std::string("nonsense"),
          std::string("{\"kind\": \"gdl\""), std::string("{\"kind\": \"gdl\", \"text\": \"\xff\xfe\"}"),
          std::string(100'000, '['),
          "{\"text\":" + std::string(100'000, '[') + std::string(100'000, ']') + "}",
          "{\"a\":" + std::string(100'000, '{')}) {
        EXPECT_EQ(status(post("/api/check", body)), 400) << body.substr(0, 40);
        EXPECT_EQ(status(post("/api/position", body)), 400) << body.substr(0, 40);
        EXPECT_EQ(status(post("/api/think", body)), 400) << body.substr(0, 40);
    }
    EXPECT_EQ(net::status_of(server_->raw("\x16\x03\x01\x02\r\n\r\n")), 400);  // TLS
}

TEST_F(Hostile, MembersOfTheWrongTypeAreRefused) {
    const json good = {{"game", {{"id", "gdl/nim"}}}, {"steps", json::array()},  {"seconds", 1},
                       {"moves", json::object()},     {"role", "alice"},         {"player", "random"},
                       {"games", json::array()},      {"players", json::array()}};
    for (const char* path : {"/api/position", "/api/step", "/api/think", "/api/analyse", "/api/solve",
                             "/api/tree", "/api/attractors", "/api/tournaments"}) {
        for (const char* key : {"game", "steps", "seconds", "moves", "role", "player", "games", "players"}) {
            for (const json& bad : {json(nullptr), json(true), json(-1e300), json("\n\t"), json::array({1}),
                                    json{{"x", json::array()}}}) {
                json body = good;
                body[key] = bad;
                net::RawClient client(server_->port());
                client.send(post(path, body).text());
                const int got = net::status_of(client.read_until("\r\n"));
                EXPECT_TRUE(got == 200 || got == 400 || got == 404 || got == 422)
                    << path << ' ' << body.dump() << ": " << got;
            }
        }
    }
}

TEST_F(Hostile, AGameThatExplodesIsStopped) {
    // Ten arguments of ten values each: ten thousand million facts.
    std::string values;
    std::string variables;
    std::string literals;
    for (int i = 0; i < 10; ++i) {
        values += "(value " + std::to_string(i) + ")\n";
        variables += " ?v" + std::to_string(i);
        literals += " (value ?v" + std::to_string(i) + ")";
    }
    const std::string bomb =
        "(role a)\n" + values + "(<= (init (p" + variables + "))" + literals + ")\n(<= (next (p" + variables +
        ")) (true (p" + variables +
        ")))\n(legal a go)\n(<= terminal (true (p 1 1 1 1 1 1 1 1 1 1)))\n(goal a 100)\n";
    EXPECT_EQ(check("gdl", bomb), 200);
    const json game = {{"kind", "gdl"}, {"text", bomb}};
    const int position = status(post("/api/position", json{{"game", game}, {"steps", json::array()}}));
    EXPECT_TRUE(position == 422 || position == 503) << position;
    // Terms that grow for ever.
    EXPECT_EQ(check("gdl",
                    "(role a)\n(p 0)\n(<= (p (s ?x)) (p ?x))\n(init q)\n(legal a go)\n(<= terminal (p z))\n"
                    "(goal a 100)"),
              200);
    EXPECT_EQ(check("gdl", std::string(500'000, '(')), 200);
    EXPECT_LT(server_->get("/api/status")["memory"], std::size_t{2} << 30);
}

TEST_F(Hostile, AModelThatExplodesIsStopped) {
    for (const char* text : {"include \"zermelo.mzn\";\narray[1..100000000] of var 0..1: x;\nsolve satisfy;",
                             "function int: f(int: n) = f(n + 1);\nint: n = f(1);\nsolve satisfy;"}) {
        const std::string answer =
            server_->answer(post("/api/check", json{{"kind", "minizinc"}, {"text", text}}));
        if (net::status_of(answer) == 503) continue;  // a limit was reached
        EXPECT_EQ(net::status_of(answer), 200) << text;
        EXPECT_EQ(json::parse(net::body_of(answer))["playable"], false) << text;
    }
}

TEST_F(Hostile, OtherPagesMayNotAsk) {
    const auto from = [&](Visit visit, const std::string& header, const std::string& value) {
        visit.headers.emplace_back(header, value);
        return status(visit);
    };
    const Visit reading{.target = "/api/games"};
    const Visit asking = post("/api/check", json{{"kind", "gdl"}, {"text", "(role a)"}});
    for (const Visit& visit : {reading, asking}) {
        EXPECT_EQ(status(visit), 200);
        EXPECT_EQ(from(visit, "Origin", "http://localhost"), 200);
        EXPECT_EQ(from(visit, "Origin", "http://evil.example.org"), 403);
        EXPECT_EQ(from(visit, "Origin", "null"), 403);
        EXPECT_EQ(from(visit, "Sec-Fetch-Site", "cross-site"), 403);
        Visit rebound = visit;
        rebound.host = "evil.example.org";
        EXPECT_EQ(status(rebound), 421);
        rebound.host = "";
        EXPECT_EQ(status(rebound), 400);
    }
    Visit form = asking;  // what a form of another page can send without being asked back
    form.headers = {{"Content-Type", "text/plain"}};
    EXPECT_EQ(status(form), 415);
    EXPECT_EQ(status({.method = "OPTIONS", .target = "/api/check"}), 405);
    Visit page{.target = "/", .host = "evil.example.org"};
    EXPECT_EQ(status(page), 421);
}

TEST_F(Hostile, WithoutTheTokenThereIsNoAnswer) {
    Options options;
    options.token = test_token;
    const Visited guarded(options);
    const auto with = [&](const std::string& token) {
        Visit visit{.target = "/api/games"};
        if (!token.empty()) visit.headers = {{"Authorization", "Bearer " + token}};
        return guarded.answer(visit);
    };
    EXPECT_EQ(net::status_of(with(test_token)), 200);
    for (const char* wrong : {"", "wrong", "a token for test"}) {
        const std::string answer = with(wrong);
        EXPECT_EQ(net::status_of(answer), 401) << wrong;
        EXPECT_EQ(header(answer, "WWW-Authenticate"), "Bearer");
        EXPECT_EQ(answer.find(test_token), std::string::npos);
    }
    EXPECT_EQ(guarded.status({.target = "/api/games?token=" + std::string("a+token+for+tests")}), 401);
    EXPECT_NE(guarded.status({.target = "/"}), 401);  // the page itself is no secret
}

TEST_F(Hostile, WhoAsksTooOftenWaits) {
    Options options;
    options.token = test_token;
    options.requests_per_second = 1;
    const Visited guarded(options);
    std::string last;
    for (int i = 0; i < 10; ++i) last = guarded.answer({.target = "/api/games"});
    EXPECT_EQ(net::status_of(last), 429);
    EXPECT_EQ(header(last, "Retry-After"), "1");
}

TEST_F(Hostile, EnginesElsewhereAndFilesAreNotForThePage) {
    for (const char* player : {"http://localhost:9147", "http://169.254.169.254/",
                               "strategy:file=/etc/passwd", "nobody", "uct:threads=64", "uct:memory=64G"}) {
        const json body = {{"game", {{"id", "gdl/nim"}}},
                           {"steps", json::array()},
                           {"role", "alice"},
                           {"player", player},
                           {"seconds", 1}};
        EXPECT_EQ(status(post("/api/think", body)), 422) << player;
        const json tournament = {{"games", {{{"id", "gdl/nim"}}}},
                                 {"players", {player, "random"}},
                                 {"form", "round-robin"},
                                 {"rounds", 1},
                                 {"clock", 1}};
        EXPECT_EQ(status(post("/api/tournaments", tournament)), 422) << player;
    }
}

}  // namespace
}  // namespace zermelo::web
