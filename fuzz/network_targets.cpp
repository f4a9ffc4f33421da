// What comes over the network: messages of game managers, moves of players, and requests as bytes. And the journal that a
// player keeps of them.

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "ggp/message.hpp"
#include "ggp/player/journal.hpp"
#include "net/raw.hpp"
#include "net/server.hpp"
#include "targets.hpp"

namespace zermelo::fuzz {

// A message that is understood reads the same when it is written.
void message(const std::string& text) {
    try {
        const ggp::Message read = ggp::read_message(text);
        const std::string written = ggp::write(read);
        promise(ggp::write(ggp::read_message(written)) == written, "the message changes: " + written);
    } catch (const Error&) {
        // what a damaged message deserves
    }
    if (const auto move = ggp::read_move(text))
        promise(ggp::plain(*move) == *move, "the move changes: " + *move);
}

// A journal tells what was put into it; and any bytes may be found in its place, after which it takes entries again.
void journal(const std::string& text) {
    const std::string folder = std::filesystem::path(file_with("")).parent_path() / "journal";
    try {
        const ggp::Journal journal(folder);
        journal.begin("match", text);
        const auto entries = journal.read("match");
        const bool plain =
            std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
        promise(entries.size() == 1 && (!plain || entries.front().text == text),
                "the journal changes what it keeps");
        for (const auto& each : std::filesystem::directory_iterator(folder))
            std::ofstream(each.path(), std::ios::binary | std::ios::trunc) << text;
        const auto found = journal.read("match");
        journal.add("match", {"noop", 7});
        const auto more = journal.read("match");
        promise(found.empty() || (more.size() == found.size() + 1 && more.back().turn == 7U),
                "an answer is lost behind what was found");
        journal.remove("match");
        promise(!journal.has("match"), "the journal is still there");
    } catch (const Error&) {
        // the text is no line of a journal
    }
}

// A server answers, or closes; the program goes on.
void http(const std::string& text) {
    static const net::Server server({}, [](net::Request request, const net::Server::Respond& respond) {
        (void)net::unescape(request.target);
        net::Response response;
        response.body = request.header("x-test") + request.body.substr(0, 10);
        response.headers = {{"x-echo", request.header("x-test")}};
        respond(std::move(response), [](bool) {});
    });
    net::RawClient client(server.port());
    (void)client.send(text);
    client.finish_sending();
    const std::string answer = client.read_all();
    promise(answer.empty() || answer.starts_with("HTTP/1."),
            "the answer is no HTTP: " + answer.substr(0, 100));
    promise(answer.find(" 500 ") != 8, "the server failed: " + answer.substr(0, 100));
    try {
        (void)net::read_url(text);
    } catch (const Error&) {
        // it is no address
    }
}

}  // namespace zermelo::fuzz
