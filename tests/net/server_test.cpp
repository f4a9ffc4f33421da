// The server on real sockets: good clients get their answers, whatever bad ones do.

#include "net/server.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <mutex>
#include <vector>

#include "core/error.hpp"
#include "net/client.hpp"
#include "net/raw.hpp"

namespace zermelo::net {
namespace {

using namespace std::chrono_literals;

void echo(const Request& request, const Server::Respond& respond) {
    respond({.body = request.method + " " + request.target + " " + request.body}, nullptr);
}

std::string post(const std::string& body) {
    return "POST / HTTP/1.0\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

std::string ask(const Server& server, const std::string& text) {
    RawClient client(server.port());
    client.send(text);
    return client.read_all();
}

// Answers to requests that have come and wait.
class Waiting {
public:
    Server::Handler handler() {
        return [this](const Request& request, Server::Respond respond) {
            const std::lock_guard lock(mutex_);
            waiting_.push_back(std::move(respond));
            gone_.push_back(request.gone);
        };
    }
    [[nodiscard]] bool gone(std::size_t request) const {
        const std::lock_guard lock(mutex_);
        return *gone_.at(request);
    }
    [[nodiscard]] std::size_t count() const {
        const std::lock_guard lock(mutex_);
        return waiting_.size();
    }
    [[nodiscard]] std::vector<Server::Respond> take() {
        const std::lock_guard lock(mutex_);
        return std::exchange(waiting_, {});
    }

private:
    mutable std::mutex mutex_;
    std::vector<Server::Respond> waiting_;
    std::vector<std::shared_ptr<std::atomic<bool>>> gone_;
};

TEST(Server, AnswersAsTheHandlerSays) {
    const Server server({}, [](const Request& request, const Server::Respond& respond) {
        respond({.status = 404,
                 .body = request.header("x-MARK") + request.peer,
                 .type = "text/acl",
                 .headers = {{"X-Two", "a\r\nb"}, {"connection", "keep-alive"}}},
                nullptr);
    });
    EXPECT_EQ(ask(server, "GET / HTTP/1.1\r\nHost: x\r\nX-Mark: 17 \r\n\r\n"),
              "HTTP/1.1 404 Not Found\r\nContent-Type: text/acl\r\nX-Two: a  b\r\nContent-Length: 11\r\n"
              "Connection: close\r\n\r\n17127.0.0.1");
}

TEST(Server, TakesOldAndPlainRequests) {
    const Server server({}, echo);
    const std::string old =
        ask(server, "POST / HTTP/1.0\r\nContent-type: text/acl\r\nContent-length: 6\r\n\r\n(INFO)");
    EXPECT_EQ(old.substr(0, 15), "HTTP/1.0 200 OK");
    EXPECT_EQ(body_of(old), "POST / (INFO)");
    EXPECT_EQ(body_of(ask(server, "POST / HTTP/1.0\nContent-Length: 1\n\nx")), "POST / x");
    EXPECT_EQ(body_of(ask(server, "\r\nOPTIONS * HTTP/1.1\r\n\r\n")), "OPTIONS * ");
    EXPECT_EQ(body_of(ask(server, "POST / HTTP/1.1\r\nContent-Length: 1\r\n\r\nxyz")), "POST / x");
    EXPECT_EQ(status_of(ask(server, "HEAD / HTTP/1.1\r\n\r\n")), 200);
}

TEST(Server, PassesTargetsOnAsTheyAre) {
    const Server server({}, echo);
    for (const std::string target : {"/(INFO)", "/%28PLAY%20m%20nil%29", "/a+b?c=(d)&e", "*"})
        EXPECT_EQ(body_of(ask(server, "GET " + target + " HTTP/1.0\r\n\r\n\r\n")), "GET " + target + " ");
}

TEST(Server, TakesLargeBodiesAndGivesLargeAnswers) {
    const Server server({}, echo);
    std::string body;
    for (int i = 0; body.size() < 5'000'000; i++) body += std::to_string(i) + ' ';
    EXPECT_EQ(body_of(ask(server, post(body))), "POST / " + body);
}

TEST(Server, TakesBodiesInChunks) {
    const Server server({}, echo);
    const std::string head = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
    EXPECT_EQ(body_of(ask(server, head + "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")), "POST / abcde");
    EXPECT_EQ(status_of(ask(server, head + "zz\r\n")), 400);
}

TEST(Server, InvitesABodyThatWaitsToBeAsked) {
    const Server server({}, echo);
    RawClient client(server.port());
    client.send("POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
    EXPECT_EQ(client.read_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
    client.send("ab");
    EXPECT_EQ(body_of(client.read_all()), "POST / ab");
}

TEST(Server, RefusesWhatIsTooLarge) {
    const Server server({.most_body = 1000}, echo);
    EXPECT_EQ(status_of(ask(server, post(std::string(1000, 'x')))), 200);
    EXPECT_EQ(status_of(ask(server, post(std::string(1001, 'x')))), 413);
    EXPECT_EQ(status_of(ask(server, post(std::string(3'000'000, 'x')))), 413);
    // From the length alone.
    EXPECT_EQ(status_of(ask(server, "POST / HTTP/1.1\r\nContent-Length: 1001\r\n\r\n")), 413);
    const std::string chunk = "190\r\n" + std::string(400, 'x') + "\r\n";
    EXPECT_EQ(status_of(ask(server,
                            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk + chunk + chunk)),
              413);
    EXPECT_EQ(status_of(ask(server, "GET / HTTP/1.1\r\nX: " + std::string(100'000, 'x') + "\r\n\r\n")), 431);
    EXPECT_EQ(status_of(ask(server, "GET /" + std::string(100'000, 'x'))), 431);
    EXPECT_EQ(status_of(ask(server, post("x"))), 200);
}

TEST(Server, RefusesWhatIsNoHttp) {
    const Server server({}, echo);
    for (const std::string text :
         {"hello\r\n\r\n", "\x16\x03\x01\x02", "GET / HTTP/2.0\r\n\r\n", "GET /\r\n\r\n",
          "GET / HTTP/1.1\r\nnonsense\r\n\r\n", "POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
          "POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n",
          "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"})
        EXPECT_EQ(status_of(ask(server, text)), 400) << text;
    EXPECT_EQ(status_of(ask(server, post("x"))), 200);
}

TEST(Server, RefusesARequestThatEndsEarly) {
    const Server server({}, echo);
    for (const std::string text : {"GET / HT", "POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nabc"}) {
        RawClient client(server.port());
        client.send(text);
        client.finish_sending();
        EXPECT_EQ(status_of(client.read_all()), 400) << text;
    }
    RawClient silent(server.port());
    silent.finish_sending();
    EXPECT_EQ(silent.read_all(), "");
}

TEST(Server, DoesNotLetSlowClientsGainTime) {
    const Server server({.read_timeout = 0.5}, echo);
    RawClient slow_head(server.port());
    RawClient slow_body(server.port());
    RawClient silent(server.port());
    slow_head.send("GET / HTTP/1.1\r\nX: ");
    slow_body.send("POST / HTTP/1.1\r\nContent-Length: 1000000\r\n\r\n");
    std::atomic<bool> stop{false};
    std::thread dripping([&] {
        while (!stop) {
            slow_head.send("x");
            slow_body.send("x");
            std::this_thread::sleep_for(5ms);
        }
    });
    EXPECT_EQ(status_of(slow_head.read_all()), 408);
    EXPECT_EQ(status_of(slow_body.read_all()), 408);
    EXPECT_EQ(status_of(silent.read_all()), 408);
    stop = true;
    dripping.join();
    EXPECT_TRUE(becomes_true([&] { return server.connections() == 0; }));
}

TEST(Server, AnswersTwoHundredAtOnce) {
    const Server server({}, echo);
    std::vector<RawClient> clients(200);
    for (RawClient& client : clients) client.connect(server.port());
    for (std::size_t i = 0; i < clients.size(); i++) clients[i].send(post(std::to_string(i)));
    for (std::size_t i = 0; i < clients.size(); i++)
        EXPECT_EQ(body_of(clients[i].read_all()), "POST / " + std::to_string(i));
    EXPECT_TRUE(becomes_true([&] { return server.connections() == 0; }));
}

TEST(Server, AnswersWhileOthersAreIdle) {
    const Server server({}, echo);
    std::vector<RawClient> idle(100);
    for (std::size_t i = 0; i < idle.size(); i++) {
        idle[i].connect(server.port());
        if (i % 2 == 0) idle[i].send("POST / HTTP/1.1\r\nContent-Length: 100\r\n\r\nx");
    }
    EXPECT_TRUE(becomes_true([&] { return server.connections() == 100; }));
    EXPECT_EQ(body_of(ask(server, post("now"))), "POST / now");
    EXPECT_EQ(server.connections(), 100U);
}

TEST(Server, TurnsAwayWhoeverIsTooMuch) {
    const Server server({.most_connections = 2}, echo);
    RawClient one(server.port());
    RawClient two(server.port());
    EXPECT_TRUE(becomes_true([&] { return server.connections() == 2; }));
    EXPECT_EQ(status_of(ask(server, post("three"))), 503);
    EXPECT_EQ(status_of(ask(server, post(std::string(2'000'000, 'x')))), 503);
    one.send(post("one"));
    EXPECT_EQ(body_of(one.read_all()), "POST / one");
    EXPECT_EQ(body_of(ask(server, post("four"))), "POST / four");
    two.send(post("two"));
    EXPECT_EQ(body_of(two.read_all()), "POST / two");
}

TEST(Server, TurnsAwayTheLargestWhereBodiesTogetherAreTooLarge) {
    const Server server({.most_buffered = 1'000'000}, echo);
    const std::string head = "POST / HTTP/1.1\r\nContent-Length: 5000000\r\n\r\n";
    RawClient large(server.port());
    large.send(head + std::string(900'000, 'x'));
    EXPECT_EQ(body_of(ask(server, post("small"))), "POST / small");
    RawClient medium(server.port());
    medium.send(head + std::string(300'000, 'x'));
    EXPECT_EQ(status_of(large.read_all()), 503);
    EXPECT_EQ(body_of(ask(server, post("small"))), "POST / small");
    medium.send(std::string(800'000, 'x'));
    EXPECT_EQ(status_of(medium.read_all()), 503);
    EXPECT_EQ(status_of(ask(server, post(std::string(900'000, 'x')))), 200);
}

TEST(Server, LivesOnWhenTheHandlerThrows) {
    const Server server({}, [](const Request& request, const Server::Respond& respond) {
        if (request.body == "error") throw Error("bad");
        if (request.body == "number") throw 17;
        if (request.body == "forget") return;
        respond({.body = "good"}, [](bool) { throw Error("bad"); });
        if (request.body == "after") throw Error("bad");
    });
    EXPECT_EQ(status_of(ask(server, post("error"))), 500);
    EXPECT_EQ(status_of(ask(server, post("number"))), 500);
    EXPECT_EQ(status_of(ask(server, post("forget"))), 500);
    EXPECT_EQ(body_of(ask(server, post("after"))), "good");
    EXPECT_EQ(body_of(ask(server, post(""))), "good");
}

TEST(Server, TakesAnswersLaterFromAnyThread) {
    Waiting waiting;
    std::atomic<int> left{0};
    const Server server({.read_timeout = 0.2}, waiting.handler());
    RawClient client(server.port());
    client.send(post("x"));
    ASSERT_TRUE(becomes_true([&] { return waiting.count() == 1; }));
    std::this_thread::sleep_for(300ms);  // the timeout is for requests, not for answers
    std::thread([&] {
        const auto respond = waiting.take().at(0);
        respond({.body = "first"}, [&](bool sent) { left += sent ? 1 : 100; });
        respond({.body = "second"}, [&](bool) { left += 10'000; });
    }).join();
    EXPECT_EQ(body_of(client.read_all()), "first");
    EXPECT_TRUE(becomes_true([&] { return left != 0; }));
    EXPECT_EQ(left, 1);
}

TEST(Server, AnswersAClientThatHasFinishedSending) {
    Waiting waiting;
    const Server server({}, waiting.handler());
    RawClient client(server.port());
    client.send(post("x"));
    client.finish_sending();
    ASSERT_TRUE(becomes_true([&] { return waiting.count() == 1; }));
    std::this_thread::sleep_for(50ms);
    EXPECT_EQ(server.connections(), 1U);
    waiting.take().at(0)({.body = "still"}, nullptr);
    EXPECT_EQ(body_of(client.read_all()), "still");
}

TEST(Server, NoticesAClientThatHasGone) {
    Waiting waiting;
    const Server server({}, waiting.handler());
    RawClient client(server.port());
    client.send(post("x") + "and more that nobody reads");
    ASSERT_TRUE(becomes_true([&] { return waiting.count() == 1; }));
    EXPECT_EQ(server.connections(), 1U);
    client.reset();
    EXPECT_TRUE(becomes_true([&] { return server.connections() == 0; }));
    std::atomic<int> told{0};
    waiting.take().at(0)({.body = "too late"}, [&](bool sent) { told = sent ? 2 : 1; });
    EXPECT_TRUE(becomes_true([&] { return told != 0; }));
    EXPECT_EQ(told, 1);
}

TEST(Server, SurvivesClientsThatGoWhileTheyAreAnswered) {
    const std::string large(3'000'000, 'x');
    const Server server(
        {}, [&](const Request&, const Server::Respond& respond) { respond({.body = large}, nullptr); });
    for (int i = 0; i < 20; i++) {
        RawClient client(server.port());
        client.send(post("x"));
        const std::string begin = client.read_bytes(i % 3);
        EXPECT_EQ(begin.empty(), i % 3 == 0);
        if (i % 2 == 0) client.reset();
    }
    EXPECT_EQ(body_of(ask(server, post("x"))), large);
    EXPECT_TRUE(becomes_true([&] { return server.connections() == 0; }));
}

TEST(Server, GivesUpOnAClientThatDoesNotRead) {
    std::atomic<int> told{0};
    const std::string large(30'000'000, 'x');
    const Server server({.write_timeout = 0.2}, [&](const Request&, const Server::Respond& respond) {
        respond({.body = large}, [&](bool sent) { told = sent ? 2 : 1; });
    });
    RawClient client(server.port());
    client.send(post("x"));
    EXPECT_TRUE(becomes_true([&] { return told != 0; }));
    EXPECT_EQ(told, 1);
    EXPECT_EQ(server.connections(), 0U);
    EXPECT_LT(client.read_all().size(), large.size());
}

TEST(Server, MayBeGoneWhenTheAnswerComes) {
    Waiting waiting;
    bool told = false;
    RawClient client;
    {
        const Server server({}, waiting.handler());
        client.connect(server.port());
        client.send(post("x"));
        ASSERT_TRUE(becomes_true([&] { return waiting.count() == 1; }));
    }
    waiting.take().at(0)({.body = "too late"}, [&](bool) { told = true; });
    EXPECT_FALSE(told);
    EXPECT_EQ(client.read_all(), "");
}

TEST(Server, FinishesAnswersBeforeItGoes) {
    const std::string large(3'000'000, 'x');
    Waiting waiting;
    std::atomic<int> told{0};
    RawClient client;
    std::thread reading;
    std::string answer;
    {
        const Server server({}, waiting.handler());
        client.connect(server.port());
        client.send(post("x"));
        ASSERT_TRUE(becomes_true([&] { return waiting.count() == 1; }));
        reading = std::thread([&] { answer = client.read_all(); });
        waiting.take().at(0)({.body = large}, [&](bool sent) { told = sent ? 2 : 1; });
    }
    EXPECT_EQ(told, 2);
    reading.join();
    EXPECT_EQ(body_of(answer), large);
}

TEST(Server, StopsWhileManyThreadsAnswer) {
    for (int round = 0; round < 10; round++) {
        Waiting waiting;
        std::vector<RawClient> clients(20);
        std::vector<std::thread> threads;
        {
            const Server server({}, waiting.handler());
            for (RawClient& client : clients) {
                client.connect(server.port());
                client.send(post("x"));
            }
            ASSERT_TRUE(becomes_true([&] { return waiting.count() == clients.size(); }));
            for (auto& respond : waiting.take())
                threads.emplace_back([respond] { respond({.body = "y"}, [](bool) {}); });
        }
        for (std::thread& thread : threads) thread.join();
        for (RawClient& client : clients) {
            const std::string answer = client.read_all();
            EXPECT_TRUE(answer.empty() || body_of(answer) == "y") << answer;
        }
    }
}

// One request after another, each answered by a stream that the test holds.
class Streaming {
public:
    Server::Handler handler() {
        return [this](const Request& request, const Server::Respond& respond) {
            gone_ = request.gone;
            respond({.body = "begin ",
                     .type = "text/event-stream",
                     .stream =
                         [this](std::shared_ptr<Stream> stream) {
                             const std::lock_guard lock(mutex_);
                             stream_ = std::move(stream);
                         }},
                    [this](bool sent) { told = sent ? 2 : 1; });
        };
    }
    // Waits for it.
    [[nodiscard]] std::shared_ptr<Stream> take() {
        std::shared_ptr<Stream> stream;
        EXPECT_TRUE(becomes_true([&] {
            const std::lock_guard lock(mutex_);
            stream = std::move(stream_);
            return stream != nullptr;
        }));
        return stream;
    }
    [[nodiscard]] bool gone() const { return *gone_; }  // after a stream was taken

    std::atomic<int> told{0};  // 1: the stream was cut; 2: it has left as a whole

private:
    std::mutex mutex_;
    std::shared_ptr<std::atomic<bool>> gone_;
    std::shared_ptr<Stream> stream_;
};

const std::string modern = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

TEST(Stream, ArrivesPieceByPiece) {
    Streaming streaming;
    const Server server({.write_timeout = 0.1}, streaming.handler());
    RawClient client(server.port());
    client.send(modern);
    EXPECT_EQ(client.read_until("begin \r\n"),
              "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n"
              "Connection: close\r\n\r\n6\r\nbegin \r\n");
    auto stream = streaming.take();
    EXPECT_EQ(server.connections(), 1U);
    for (const std::string piece : {"one", "two", "three"}) {
        EXPECT_TRUE(stream->write(piece));
        EXPECT_EQ(client.read_until(piece + "\r\n"), std::to_string(piece.size()) + "\r\n" + piece + "\r\n");
    }
    std::this_thread::sleep_for(200ms);  // the timeout is for what is to be sent
    EXPECT_TRUE(stream->write(""));      // and nothing is no end
    EXPECT_TRUE(stream->write("four"));
    EXPECT_FALSE(streaming.gone());
    EXPECT_EQ(streaming.told, 0);
    stream.reset();
    EXPECT_EQ(client.read_all(), "4\r\nfour\r\n0\r\n\r\n");
    EXPECT_TRUE(becomes_true([&] { return streaming.told == 2 && server.connections() == 0; }));
}

TEST(Stream, EndsWithTheConnectionForOldClients) {
    Streaming streaming;
    const Server server({}, streaming.handler());
    RawClient client(server.port());
    client.send("GET / HTTP/1.0\r\n\r\n");
    auto stream = streaming.take();
    EXPECT_TRUE(stream->write("and go on"));
    stream.reset();
    EXPECT_EQ(
        client.read_all(),
        "HTTP/1.0 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\nbegin and go on");
    EXPECT_TRUE(becomes_true([&] { return streaming.told == 2; }));
}

TEST(Stream, TakesPiecesFromManyThreads) {
    Streaming streaming;
    const Server server({}, streaming.handler());
    RawClient client(server.port());
    client.send(modern);
    auto stream = streaming.take();
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; i++) {
        threads.emplace_back([stream] {
            for (int k = 0; k < 1000; k++) EXPECT_TRUE(stream->write("a piece; "));
        });
    }
    stream.reset();
    const std::string text = joined(body_of(client.read_all()));
    for (std::thread& thread : threads) thread.join();
    std::string whole = "begin ";
    for (int i = 0; i < 4000; i++) whole += "a piece; ";
    EXPECT_EQ(text, whole);
}

TEST(Stream, TakesAPieceThatIsLarge) {
    Streaming streaming;
    const Server server({}, streaming.handler());
    RawClient client(server.port());
    client.send(modern);
    const std::string large(20'000'000, 'x');
    EXPECT_TRUE(streaming.take()->write(large));
    EXPECT_EQ(joined(body_of(client.read_all())), "begin " + large);
}

TEST(Stream, MayEndBeforeItHasBegun) {
    const Server server({}, [](const Request& request, const Server::Respond& respond) {
        const bool angry = request.target == "/angry";
        respond({.stream =
                     [angry](const std::shared_ptr<Stream>&) {
                         if (angry) throw Error("bad");
                     }},
                nullptr);
    });
    EXPECT_EQ(body_of(ask(server, modern)), "0\r\n\r\n");
    EXPECT_EQ(body_of(ask(server, "GET /angry HTTP/1.1\r\n\r\n")), "0\r\n\r\n");
    EXPECT_EQ(body_of(ask(server, "GET / HTTP/1.0\r\n\r\n")), "");
}

TEST(Stream, IsCutWhenItsClientGoes) {
    Streaming streaming;
    const Server server({}, streaming.handler());
    for (const bool politely : {true, false}) {
        streaming.told = 0;
        RawClient client(server.port());
        client.send(modern);
        const auto stream = streaming.take();
        EXPECT_TRUE(stream->write("x"));
        EXPECT_FALSE(streaming.gone());
        EXPECT_NE(client.read_until("x\r\n"), "");
        politely ? client.close() : client.reset();
        EXPECT_TRUE(becomes_true([&] { return streaming.gone(); }));
        EXPECT_FALSE(stream->write("y"));
        EXPECT_TRUE(becomes_true([&] { return streaming.told == 1 && server.connections() == 0; }));
    }
}

TEST(Stream, IsCutWhereTooMuchIsUnread) {
    Streaming streaming;
    const Server server({}, streaming.handler());
    RawClient client(server.port());
    client.send(modern);
    const auto stream = streaming.take();
    const std::string piece(100'000, 'x');
    int count = 0;
    while (count < 1000 && stream->write(piece)) count++;
    EXPECT_GE(count, 10);
    EXPECT_LT(count, 1000);
    EXPECT_TRUE(streaming.gone());
    EXPECT_TRUE(becomes_true([&] { return streaming.told == 1 && server.connections() == 0; }));
    EXPECT_EQ(joined(body_of(client.read_all())), "");
}

TEST(Stream, IsCutWhereAPieceDoesNotLeave) {
    Streaming streaming;
    const Server server({.write_timeout = 0.2}, streaming.handler());
    RawClient client(server.port());
    client.send(modern);
    const auto stream = streaming.take();
    EXPECT_TRUE(stream->write(std::string(30'000'000, 'x')));
    EXPECT_TRUE(becomes_true([&] { return streaming.gone(); }));
    EXPECT_FALSE(stream->write("y"));
}

TEST(Stream, EndsAtOnceWhenTheServerGoes) {
    std::vector<std::unique_ptr<RawClient>> clients;
    std::vector<std::shared_ptr<Stream>> streams;
    Streaming streaming;
    const auto begun = [&] {
        const Server server({}, streaming.handler());
        for (int i = 0; i < 10; i++) {
            clients.push_back(std::make_unique<RawClient>(server.port()));
            clients.back()->send(modern);
            streams.push_back(streaming.take());
        }
        return Clock::now();
    }();
    EXPECT_LT(Clock::now() - begun, 500ms);
    EXPECT_TRUE(streaming.gone());
    for (const auto& stream : streams) EXPECT_FALSE(stream->write("too late"));
    for (const auto& client : clients) EXPECT_EQ(joined(body_of(client->read_all())), "");
}

TEST(Stream, LetsTheServerGoWhileManyThreadsWrite) {
    for (int round = 0; round < 10; round++) {
        Streaming streaming;
        std::vector<std::unique_ptr<RawClient>> clients;
        std::vector<std::thread> threads;
        {
            const Server server({}, streaming.handler());
            for (int i = 0; i < 5; i++) {
                clients.push_back(std::make_unique<RawClient>(server.port()));
                clients.back()->send(modern);
                threads.emplace_back([stream = streaming.take(), i] {
                    for (int k = 0; k < 10 * i || i == 4; k++)
                        if (!stream->write("a piece")) return;
                });
            }
        }
        for (std::thread& thread : threads) thread.join();
    }
}

TEST(Stream, IsNotBegunForAClientThatHasFinishedSending) {
    Waiting waiting;
    const Server server({}, waiting.handler());
    RawClient client(server.port());
    client.send(modern);
    client.finish_sending();
    ASSERT_TRUE(becomes_true([&] { return waiting.count() == 1; }));
    ASSERT_TRUE(becomes_true([&] { return waiting.gone(0); }));
    std::atomic<int> told{0};
    std::atomic<bool> begun{false};
    waiting.take().at(0)({.stream = [&](const std::shared_ptr<Stream>&) { begun = true; }},
                         [&](bool sent) { told = sent ? 2 : 1; });
    EXPECT_EQ(client.read_all(), "");
    EXPECT_TRUE(becomes_true([&] { return told == 1; }));
    EXPECT_FALSE(begun);
}

TEST(Server, TellsThatTheClientHasGone) {
    Waiting waiting;
    std::optional<Server> server(std::in_place, ServerOptions{}, waiting.handler());
    std::vector<RawClient> clients(4);
    for (std::size_t i = 0; i < clients.size(); i++) {
        clients[i].connect(server->port());
        clients[i].send(post("x") + "and more that nobody reads");
        ASSERT_TRUE(becomes_true([&] { return waiting.count() == i + 1; }));
    }
    clients[0].close();
    clients[1].reset();
    clients[2].finish_sending();
    for (std::size_t i = 0; i < 3; i++) EXPECT_TRUE(becomes_true([&] { return waiting.gone(i); })) << i;
    std::this_thread::sleep_for(50ms);
    EXPECT_FALSE(waiting.gone(3));
    server.reset();
    EXPECT_TRUE(waiting.gone(3));
}

TEST(Server, LivesOnWhenThereAreNoMoreSockets) {
    const Server server({}, echo);
    EXPECT_EQ(body_of(ask(server, post("before"))), "POST / before");
    rlimit usual{};
    ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &usual), 0);
    const int next = dup(STDERR_FILENO);
    close(next);
    const rlimit one_more{static_cast<rlim_t>(next) + 1, usual.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &one_more), 0);
    RawClient client;
    EXPECT_NO_THROW(client.connect(server.port()));
    client.send(post("after"));
    std::this_thread::sleep_for(150ms);
    EXPECT_EQ(server.connections(), 0U);
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &usual), 0);
    EXPECT_EQ(body_of(client.read_all()), "POST / after");
}

TEST(Server, RefusesAnAddressThatItCannotHave) {
    const Server server({}, echo);
    EXPECT_THROW(Server({.port = server.port()}, echo), Error);
    EXPECT_THROW(Server({.address = "192.0.2.1"}, echo), Error);
    EXPECT_THROW(Server({.address = "nowhere"}, echo), Error);
    try {
        const Server second({.port = server.port()}, echo);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(
            std::string(error.what()),
            "the server cannot use address 127.0.0.1 with port " + std::to_string(server.port()) +
                ": Address already in use; give an IP address of this machine and a port that is free, or "
                "port 0 for any");
    }
}

TEST(Server, ListensWhereItIsTold) {
    const Server named({.address = "localhost"}, echo);
    EXPECT_EQ(body_of(ask(named, post("x"))), "POST / x");
    std::optional<Server> six;
    try {
        six.emplace(ServerOptions{.address = "::1"}, echo);
    } catch (const Error&) {
        GTEST_SKIP() << "there is no IPv6 here";
    }
    const Reply reply = request({.host = "::1", .port = six->port()}, "x");
    EXPECT_EQ(reply.response.body, "POST / x");
}

TEST(Server, CanHaveItsPortAgainAtOnce) {
    std::uint16_t port = 0;
    for (int i = 0; i < 3; i++) {
        const Server server({.port = port}, echo);
        port = server.port();
        EXPECT_EQ(body_of(ask(server, post("x"))), "POST / x");
    }
}

}  // namespace
}  // namespace zermelo::net
