// zermelo serve: the page, for a browser.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cctype>
#include <fstream>
#include <iostream>
#include <random>

#include "cli/command.hpp"
#include "cli/instances.hpp"
#include "cli/listening.hpp"
#include "core/format/json_text.hpp"
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
    web::Options options;
    std::string token_file;
    std::string memory = "2G";
    bool json = false;

    [[nodiscard]] int run() {
        if (options.games.empty()) options.games = shipped("games");
        if (!token_file.empty()) options.token = read_token(token_file);
        if (options.token.empty() && !web::is_loopback(options.server.address))
            options.token = random_token();
        options.memory = memory_amount("--memory", memory);
        const web::Server server(options);
        if (server.games() == 0)
            std::cerr << options.games
                      << ": this folder has no games; paste a game into the editor, or give --games FOLDER\n";
        announce(server.port());
        wait_for_interruption();
        return answered;
    }

private:
    void announce(std::uint16_t where) const {
        const std::string& address = options.server.address;
        const std::string& secret = options.token;
        const bool anywhere = address == "0.0.0.0" || address == "::";
        const std::string host = !options.hosts.empty() ? options.hosts.front()
                                 : anywhere             ? "127.0.0.1"
                                                        : address;
        const std::string url =
            net::Url{host, where, "/"}.text() + (secret.empty() ? "" : "#token=" + escaped(secret));
        if (json) {
            std::cout << json_text(nlohmann::json{{"url", url}, {"port", where}}) << std::endl;
        } else {
            std::cout << fmt::format("The page is at {}\nCtrl-C ends it.\n", url) << std::flush;
        }
    }
};

}  // namespace

Command add_serve(CLI::App& app) {
    auto* command = app.add_subcommand("serve", "Serve a web page to play, analyse and draw games");
    auto serve = std::make_shared<Serve>();
    web::Options& options = serve->options;
    add_listening(*command, options.server, 8080,
                  "address to listen on; 0.0.0.0: all network interfaces, which requires a token");
    auto* token = command->add_option("--token", options.token,
                                      "the token that clients must send (default: none on 127.0.0.1, "
                                      "otherwise one is generated and printed)");
    command->add_option("--token-file", serve->token_file, "read the token from the first line of this file")
        ->excludes(token);
    command
        ->add_option("--host", options.hosts,
                     "an additional host name under which browsers reach this machine")
        ->allow_extra_args(false);
    command->add_option("--games", options.games, "the folder of the games (default: the shipped games)");
    command->add_option("--memory", serve->memory, "memory for all requests together, for example 2G")
        ->capture_default_str();
    command->add_flag("--json", serve->json, "print one line of JSON when the page is ready");
    command->footer(
        "Examples:\n  zermelo serve\n  zermelo serve --address 0.0.0.0 --port 8000 --host "
        "games.example.org\nCtrl-C stops it. /api/openapi.json describes the API for other programs.");
    return {command, [serve] { return serve->run(); }};
}

}  // namespace zermelo::cli
