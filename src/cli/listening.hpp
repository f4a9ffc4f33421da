// What player and serve share: where a server listens, and that it runs until somebody ends it.

#pragma once

#include <CLI/CLI.hpp>

#include "net/server.hpp"

namespace zermelo::cli {

// Adds --port and --address, which are `port` and that of the options unless given.
void add_listening(CLI::App& app, net::ServerOptions& server, std::uint16_t port,
                   const std::string& address_help);

// Returns when the program is interrupted.
void wait_for_interruption();

}  // namespace zermelo::cli
