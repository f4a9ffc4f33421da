// zermelo bench gdl: set-up time and random playouts beside the figures of public engines.

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <iostream>
#include <sstream>

#include "cli/bench/bench.hpp"
#include "gdl/game.hpp"
#include "gdl/simulate.hpp"

namespace zermelo::cli {

namespace {

// The fastest network that others have built of a game.
struct Peer {
    std::string engine;
    double playouts = 0;  // a CPU second
    double set_up = 0;    // CPU seconds: the shortest of all networks
};

// Lines of game, engine, set-up seconds, playouts a second; provers are not in the race.
std::map<std::string, Peer> read_peers(const std::string& file) {
    std::ifstream in(file);
    if (!in) throw Error({file}, "cannot be read", "give a folder that contains games and speed.tsv");
    std::map<std::string, Peer> peers;
    for (std::string line; std::getline(in, line);) {
        std::istringstream fields(line);
        std::string game;
        std::string engine;
        std::string set_up;
        std::string playouts;
        if (!std::getline(fields, game, '\t') || !std::getline(fields, engine, '\t') ||
            !std::getline(fields, set_up, '\t') || !std::getline(fields, playouts, '\t') ||
            !game.ends_with(".kif") || engine.find("prover") != std::string::npos) {
            continue;
        }
        Peer& peer = peers[game];
        if (std::stod(playouts) > peer.playouts) {
            peer.playouts = std::stod(playouts);
            peer.engine = engine;
        }
        peer.set_up = peer.set_up == 0 ? std::stod(set_up) : std::min(peer.set_up, std::stod(set_up));
    }
    return peers;
}

struct Comparison {
    std::string game;
    double set_up = 0;
    double playouts = 0;
    double ratio = 0;
    double set_up_ratio = 0;
    std::size_t inputs = 0;
    std::size_t moves = 0;
    std::string engine;
    double interpreted = 0;  // playouts a CPU second, one state at a time
    double scalar = 0;       // the same by compiled rules, or as interpreted where that is faster
    double scalar_ratio = 0;
};

double playouts_a_second(const gdl::Game& game, gdl::Engine engine, double seconds) {
    gdl::SimulateOptions options;
    options.seconds = seconds;
    options.engine = engine;
    const gdl::Simulation result = simulate(game.machine(), options);
    return static_cast<double>(result.tally.playouts) / std::max(result.cpu_seconds, 1e-9);
}

}  // namespace

int BenchGdl::run() const {
    const auto peers = read_peers(directory + "/speed.tsv");
    std::vector<Comparison> rows;
    if (!json) {
        std::cout << fmt::format("{:<28} {:>8} {:>12} {:>7} {:>9} {:>12} {:>8} {:>8} {:>12} {:>12} {:>7}\n",
                                 "game", "set-up", "playouts/s", "engine", "theirs", "playouts/s", "faster",
                                 "set-up", "interpreted", "one by one", "ratio");
    }
    Stop stop = Stop::none;
    for (const auto& [name, peer] : peers) {
        const gdl::Game game(directory + "/" + name);
        gdl::SimulateOptions options;
        options.seconds = seconds;
        const gdl::Simulation result = simulate(game.machine(), options);
        Comparison row;
        row.game = name;
        row.set_up = game.set_up().seconds();
        row.playouts = static_cast<double>(result.tally.playouts) / result.cpu_seconds;
        row.ratio = row.playouts / peer.playouts;
        row.set_up_ratio = row.set_up / peer.set_up;
        row.inputs = game.machine().network().inputs.size();
        for (const auto& role : game.machine().network().moves) row.moves += role.size();
        row.engine = result.engine == gdl::Engine::sliced ? "sliced" : "scalar";
        row.interpreted = playouts_a_second(game, gdl::Engine::interpreter, seconds);
        row.scalar = playouts_a_second(game, gdl::Engine::scalar, seconds);
        row.scalar_ratio = row.scalar / std::max(row.interpreted, 1e-9);
        if (!json) {
            std::cout << fmt::format(
                             "{:<28} {:>8.3f} {:>12.0f} {:>7} {:>9.2f} {:>12.0f} {:>8.1f} {:>8.4f} {:>12.0f} "
                             "{:>12.0f} {:>7.1f}\n",
                             name, row.set_up, row.playouts, row.engine, peer.set_up, peer.playouts,
                             row.ratio, row.set_up_ratio, row.interpreted, row.scalar, row.scalar_ratio)
                      << std::flush;
        }
        rows.push_back(std::move(row));
        stop = Limits().reached();
        if (stop != Stop::none) break;
    }
    const auto mean = [&](double Comparison::*figure) {
        double sum = 0;
        for (const Comparison& row : rows) sum += std::log(std::max(row.*figure, 1e-9));
        return std::exp(sum / static_cast<double>(std::max<std::size_t>(rows.size(), 1)));
    };
    std::sort(rows.begin(), rows.end(),
              [](const Comparison& a, const Comparison& b) { return a.ratio < b.ratio; });
    if (json) {
        auto list = nlohmann::json::array();
        for (const Comparison& row : rows) {
            list.push_back({{"game", row.game},
                            {"setup_cpu_seconds", row.set_up},
                            {"playouts_per_cpu_second", row.playouts},
                            {"engine", row.engine},
                            {"ratio", row.ratio},
                            {"setup_ratio", row.set_up_ratio},
                            {"interpreted_playouts_per_cpu_second", row.interpreted},
                            {"scalar_playouts_per_cpu_second", row.scalar},
                            {"scalar_ratio", row.scalar_ratio}});
        }
        print({{"games", list},
               {"geometric_mean", mean(&Comparison::ratio)},
               {"setup_geometric_mean", mean(&Comparison::set_up_ratio)},
               {"scalar_geometric_mean", mean(&Comparison::scalar_ratio)}});
        return exit_code(stop);
    }
    std::cout << fmt::format(
        "\ngeometric mean over {} games: {:.1f} times the playouts of the fastest public network, {:.4f} of "
        "the "
        "shortest set-up\n",
        rows.size(), mean(&Comparison::ratio), mean(&Comparison::set_up_ratio));
    std::cout << fmt::format(
        "one state at a time, compiled rules make {:.1f} times the playouts of the interpreter\n",
        mean(&Comparison::scalar_ratio));
    std::cout << "worst three:\n";
    for (std::size_t i = 0; i < std::min<std::size_t>(3, rows.size()); ++i) {
        std::cout << fmt::format(
            "  {:<28} {:.1f} times; {} inputs of gates and {} moves to look at in every step\n", rows[i].game,
            rows[i].ratio, count_text(rows[i].inputs), count_text(rows[i].moves));
    }
    return exit_code(stop);
}

}  // namespace zermelo::cli
