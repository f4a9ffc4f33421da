// The client against servers of all kinds.

#include "net/client.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <atomic>

#include "net/raw.hpp"
#include "net/server.hpp"

namespace zermelo::net {
namespace {

using namespace std::chrono_literals;

Url here(std::uint16_t port) { return {.host = "127.0.0.1", .port = port}; }

// Takes a request without a body, says this and closes.
Reply told(const std::string& answer, const ClientOptions& options = {}) {
    RawServer server([&](RawSocket& socket) {
        EXPECT_NE(socket.read_until("\r\n\r\n"), "");
        socket.send(answer);
    });
    return request(here(server.port()), std::nullopt, options);
}

TEST(Client, SendsWhatItIsTold) {
    std::string seen;
    RawServer server([&](RawSocket& socket) {
        seen = socket.read_until("(INFO)");
        socket.send("HTTP/1.0 200 OK\r\n\r\n");
    });
    const Url url{.host = "127.0.0.1", .port = server.port(), .path = "/a?b"};
    const std::string host = "Host: 127.0.0.1:" + std::to_string(server.port()) + "\r\n";
    const Reply reply =
        request(url, "(INFO)",
                {.headers = {{"Accept", "text/delim"}, {"Sender", "GAME\r\nSERVER"}}, .type = "text/acl"});
    EXPECT_EQ(reply.kind, Reply::Kind::answered);
    EXPECT_GT(reply.seconds, 0);
    EXPECT_EQ(seen, "POST /a?b HTTP/1.0\r\n" + host +
                        "Accept: text/delim\r\nSender: GAME  SERVER\r\nContent-Type: text/acl\r\n"
                        "Content-Length: 6\r\n\r\n(INFO)");
}

TEST(Client, GetsWhereThereIsNoBody) {
    std::string seen;
    RawServer server([&](RawSocket& socket) {
        seen = socket.read_until("\r\n\r\n");
        socket.send("HTTP/1.0 200 OK\r\n\r\n");
    });
    EXPECT_EQ(request(here(server.port()), std::nullopt).kind, Reply::Kind::answered);
    EXPECT_EQ(seen, "GET / HTTP/1.0\r\nHost: 127.0.0.1:" + std::to_string(server.port()) + "\r\n\r\n");
}

TEST(Client, ReadsAnswersOfAllForms) {
    const Reply full =
        told("HTTP/1.1 404 Not Found\r\nContent-type: text/acl\r\nX-A: b\r\nContent-Length: 3\r\n\r\nabcdef");
    EXPECT_EQ(full.kind, Reply::Kind::answered);
    EXPECT_EQ(full.response.status, 404);
    EXPECT_EQ(full.response.type, "text/acl");
    EXPECT_EQ(full.response.body, "abc");
    EXPECT_EQ(full.response.headers.at(1), (std::pair<std::string, std::string>{"X-A", "b"}));

    EXPECT_EQ(told("HTTP/1.0 200 OK\r\n\r\nuntil the end").response.body, "until the end");
    EXPECT_EQ(told("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n1\r\nd\r\n0\r\n\r\n")
                  .response.body,
              "abcd");
    EXPECT_EQ(told("HTTP/1.0 200 OK\nContent-Length: 2\n\nab").response.body, "ab");
    EXPECT_EQ(told("HTTP/1.0 200\r\n\r\nno phrase").response.body, "no phrase");
    EXPECT_EQ(told("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\n\r\nx").response.status, 201);
    EXPECT_EQ(told("HTTP/1.1 204 No Content\r\n\r\n").response.status, 204);
    EXPECT_EQ(told("HTTP/1.1 500 Oh\r\nContent-Length: 0\r\n\r\n").response.status, 500);
}

TEST(Client, ReadsAnswersInAnyPieces) {
    const std::string answer = "HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello";
    RawServer server([&](RawSocket& socket) {
        EXPECT_NE(socket.read_until("\r\n\r\n"), "");
        for (const char letter : answer) {
            socket.send(std::string(1, letter));
            std::this_thread::sleep_for(1ms);
        }
    });
    EXPECT_EQ(request(here(server.port()), std::nullopt).response.body, "hello");
}

TEST(Client, EndsAnAnswerOfUnknownLengthAtAReset) {
    RawServer server([&](RawSocket& socket) {
        EXPECT_NE(socket.read_until("\r\n\r\n"), "");
        socket.send("HTTP/1.0 200 OK\r\n\r\nabc");
        std::this_thread::sleep_for(50ms);
        socket.reset();
    });
    const Reply reply = request(here(server.port()), std::nullopt);
    EXPECT_EQ(reply.kind, Reply::Kind::answered);
    EXPECT_EQ(reply.response.body, "abc");
}

TEST(Client, SpeaksWithOurServer) {
    const Server server({}, [](const Request& request, const Server::Respond& respond) {
        respond({.status = 202, .body = request.header("content-type") + request.body}, nullptr);
    });
    const std::string large(5'000'000, 'x');
    const Reply reply = request({.host = "localhost", .port = server.port()}, large, {.type = "text/acl"});
    EXPECT_EQ(reply.kind, Reply::Kind::answered);
    EXPECT_EQ(reply.response.status, 202);
    EXPECT_EQ(reply.response.type, "text/plain; charset=utf-8");
    EXPECT_EQ(reply.response.body, "text/acl" + large);
}

TEST(Client, ReadsARefusalThatComesBeforeAllIsSent) {
    const Server server({.most_body = 1000},
                        [](const Request&, const Server::Respond& respond) { respond({}, nullptr); });
    const Reply reply = request(here(server.port()), std::string(5'000'000, 'x'));
    EXPECT_EQ(reply.kind, Reply::Kind::answered);
    EXPECT_EQ(reply.response.status, 413);
}

TEST(Client, SaysWhenNobodyIsThere) {
    std::uint16_t port = 0;
    {
        const RawServer server([](RawSocket&) {});
        port = server.port();
    }
    const Reply reply = request(here(port), "x");
    EXPECT_EQ(reply.kind, Reply::Kind::unreachable);
    EXPECT_EQ(reply.problem, "Connection refused");
    const Reply unknown = request({.host = "no-such-host.invalid", .port = 80}, "x", {.connect_seconds = 2});
    EXPECT_EQ(unknown.kind, Reply::Kind::unreachable);
    EXPECT_NE(unknown.problem, "");
}

TEST(Client, SaysWhenAnAnswerIsLate) {
    std::atomic<bool> over{false};
    RawServer silent([&](RawSocket&) { EXPECT_TRUE(becomes_true([&] { return over.load(); })); });
    const Reply reply = request(here(silent.port()), "x", {.seconds = 0.2});
    EXPECT_EQ(reply.kind, Reply::Kind::late);
    EXPECT_GE(reply.seconds, 0.2);
    EXPECT_EQ(reply.problem, "no whole answer within 0.2 s");
    over = true;

    // Bytes now and then do not help.
    RawServer dripping([&](RawSocket& socket) {
        socket.send("HTTP/1.0 200 OK\r\n\r\n");
        while (socket.send("x")) std::this_thread::sleep_for(5ms);
    });
    EXPECT_EQ(request(here(dripping.port()), "x", {.seconds = 0.2}).kind, Reply::Kind::late);
}

TEST(Client, SaysWhenAnAnswerIsBroken) {
    for (const std::string answer :
         {"", "HTTP/1.0 200 OK\r\n", "HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nabc", "hello\r\n\r\n",
          "HTTP/1.0 abc OK\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
          "(DONE)\n", "HTTP/1.0 200 OK\r\nContent-Length: x\r\n\r\n"}) {
        const Reply reply = told(answer);
        EXPECT_EQ(reply.kind, Reply::Kind::broken) << answer;
        EXPECT_NE(reply.problem, "") << answer;
    }
    RawServer resetting([](RawSocket& socket) { socket.reset(); });
    EXPECT_EQ(request(here(resetting.port()), "x").kind, Reply::Kind::broken);
}

TEST(Client, ReadsNoMoreThanItMay) {
    const ClientOptions options{.most_body = 10};
    EXPECT_EQ(told("HTTP/1.0 200 OK\r\n\r\n" + std::string(10, 'x'), options).kind, Reply::Kind::answered);
    EXPECT_EQ(told("HTTP/1.0 200 OK\r\n\r\n" + std::string(11, 'x'), options).kind, Reply::Kind::broken);
    const Reply reply = told("HTTP/1.0 200 OK\r\nContent-Length: 11\r\n\r\n" + std::string(11, 'x'), options);
    EXPECT_EQ(reply.kind, Reply::Kind::broken);
    EXPECT_EQ(reply.problem, "the answer is larger than 10 bytes");
    EXPECT_EQ(told("HTTP/1.0 200 OK\r\nX: " + std::string(100'000, 'x'), options).kind, Reply::Kind::broken);
}

// In a process of its own, because an interrupt is never forgotten.
TEST(Client, StopsAtCtrlC) {
    std::atomic<bool> over{false};
    std::atomic<bool> connected{false};
    RawServer silent([&](RawSocket& socket) {
        connected = !socket.read_until("\r\n\r\n").empty();
        EXPECT_TRUE(becomes_true([&] { return over.load(); }));
    });
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        catch_interrupts();
        const Reply reply = request(here(silent.port()), "x", {.seconds = 60});
        _exit(reply.kind == Reply::Kind::cancelled ? 0 : 1);
    }
    EXPECT_TRUE(becomes_true([&] { return connected.load(); }));
    kill(child, SIGINT);
    int status = -1;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0);
    over = true;
}

}  // namespace
}  // namespace zermelo::net
