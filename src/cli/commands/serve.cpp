// zermelo serve: the page, for a browser.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cctype>
#include <fstream>
#include <iostream>
#include <random>
#include <thread>

#include "cli/command.hpp"
#include "cli/instances.hpp"
#include "web/http/access_control.hpp"
#include "web/server.hpp"

namespace zermelo::cli {

namespace {

std::string random_token() {
    std::random_device device;
    std::string token;
    for (int word = 0; word < 4; ++word) token += fmt::format("{:08x}", device());
    return token;
}

std::string read_token(const std::string& file) {
    std::ifstream in(file);
    std::string token;
    if (!std::getline(in, token) || token.empty())
        throw Error({file}, "contains no token", "write one into it");
    return token;
}

std::string escaped(const std::string& text) {
    std::string result;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        result += std::isalnum(byte) != 0 || c == '-' || c == '_' ? std::string(1, c)
                                                                  : fmt::format("%{:02X}", byte);
    }
    return result;
}

struct Serve {
    std::string address = "127.0.0.1";
    std::uint16_t port = 8080;
    std::string token;
    std::string token_file;
    std::vector<std::string> hosts;
    std::string games;
    std::string memory = "2G";
    bool json = false;

    [[nodiscard]] int run() const {
        web::Options options;
        options.server.address = address;
        options.server.port = port;
        options.games = games.empty() ? shipped("games") : games;
        options.token = token_file.empty() ? token : read_token(token_file);
        if (options.token.empty() && !web::is_loopback(address)) options.token = random_token();
        options.hosts = hosts;
        options.memory = memory_amount("--memory", memory);
        const web::Server server(options);
        if (server.games() == 0)
            std::cerr << options.games
                      << ": this folder has no games; paste a game into the editor, or give --games FOLDER\n";
        announce(server.port(), options.token);
        const Limits limits;
        while (limits.reached() == Stop::none) std::this_thread::sleep_for(std::chrono::milliseconds(100));
        return answered;
    }

private:
    void announce(std::uint16_t where, const std::string& secret) const {
        const bool anywhere = address == "0.0.0.0" || address == "::";
        const std::string host = !hosts.empty() ? hosts.front() : anywhere ? "127.0.0.1" : address;
        const std::string url =
            net::Url{host, where, "/"}.text() + (secret.empty() ? "" : "#token=" + escaped(secret));
        if (json) {
            std::cout << nlohmann::json{{"url", url}, {"port", where}}.dump() << std::endl;
        } else {
            std::cout << fmt::format("The page is at {}\nCtrl-C ends it.\n", url) << std::flush;
        }
    }
};

}  // namespace

Command add_serve(CLI::App& app) {
    auto* command = app.add_subcommand("serve", "Serve a web page to play, analyse and draw games");
    auto serve = std::make_shared<Serve>();
    command->add_option("--port", serve->port, "port to listen on; 0: any free port")->capture_default_str();
    command
        ->add_option("--address", serve->address,
                     "address to listen on; 0.0.0.0: all network interfaces, which requires a token")
        ->capture_default_str();
    auto* token = command->add_option("--token", serve->token,
                                      "the token that clients must send (default: none on 127.0.0.1, "
                                      "otherwise one is generated and printed)");
    command->add_option("--token-file", serve->token_file, "read the token from the first line of this file")
        ->excludes(token);
    command
        ->add_option("--host", serve->hosts,
                     "an additional host name under which browsers reach this machine")
        ->allow_extra_args(false);
    command->add_option("--games", serve->games, "the folder of the games (default: the shipped games)");
    command->add_option("--memory", serve->memory, "memory for all requests together, for example 2G")
        ->capture_default_str();
    command->add_flag("--json", serve->json, "print one line of JSON when the page is ready");
    command->footer(
        "Examples:\n  zermelo serve\n  zermelo serve --address 0.0.0.0 --port 8000 --host "
        "games.example.org\nCtrl-C stops it. /api/openapi.json describes the API for other programs.");
    return {command, [serve] { return serve->run(); }};
}

}  // namespace zermelo::cli
