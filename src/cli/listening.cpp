#include "cli/listening.hpp"

#include <chrono>
#include <thread>

#include "cli/usage/values.hpp"
#include "core/limits.hpp"

namespace zermelo::cli {

void add_listening(CLI::App& app, net::ServerOptions& server, std::uint16_t port,
                   const std::string& address_help) {
    server.port = port;
    constexpr std::uint16_t last_port = 65'535;
    app.add_option("--port", server.port, "port to listen on; 0: any free port")
        ->check(between<std::uint16_t>(0, last_port))
        ->capture_default_str();
    app.add_option("--address", server.address, address_help)->capture_default_str();
}

void wait_for_interruption() {
    const Limits limits;
    while (limits.reached() == Stop::none) std::this_thread::sleep_for(std::chrono::milliseconds(100));
}

}  // namespace zermelo::cli
