// Web server: a JSON API over HTTP for all that the program can do with games, and the page that uses it.
//
// The API is the one that web/src/api.ts asks for. It is stateless about plays: a request carries the steps
// that were made. Only caches are kept: games that are in use (session/game_cache.hpp) and strategies that
// were found (session/strategy_store.hpp).

#pragma once

#include <memory>

#include "net/server.hpp"
#include "web/http/router.hpp"

namespace zermelo::web {

class GameCache;

struct Options {
    net::ServerOptions server = {};  // limits are set by the constructor below where they are the page's own
    std::string games;               // the library's folder
    std::string token = {};          // empty: none is required, which only loopback may have
    std::vector<std::string> hosts = {};        // names of the server, besides its address
    std::size_t memory = std::size_t{2} << 30;  // budget of the whole process, bytes
    unsigned running = 64;                      // works at once
    std::size_t waiting = 256;
    double requests_per_second = 50;  // of one address, in the long run
    double longest = 600;             // seconds for one piece of work
};

class Server {
public:
    explicit Server(
        const Options& options);  // throws Error where it cannot listen or the library cannot be read
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    [[nodiscard]] std::uint16_t port() const;
    [[nodiscard]] std::size_t games() const;  // of the library

private:
    class Implementation;
    std::unique_ptr<Implementation> implementation_;
};

// The handlers of the API, one file each. `cache` must outlive the router.
void add_playing(Router& router, GameCache& cache);      // position, step, players, think, analyse
void add_explaining(Router& router, GameCache& cache);   // why
void add_checking(Router& router, GameCache& cache);     // games, check
void add_editing(Router& router, GameCache& cache);      // editor
void add_solving(Router& router, GameCache& cache);      // solve, strategies
void add_pictures(Router& router, GameCache& cache);     // attractors, tree
void add_tournaments(Router& router, GameCache& cache);  // tournaments

}  // namespace zermelo::web
