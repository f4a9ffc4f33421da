// zermelo bench scsp: all solutions of the turns of random plays, by MAC on compact tables, by the machine that
// plays every joint move, and by Gecode on the micro-SCSP as it stands.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "cli/bench/bench.hpp"
#include "core/random.hpp"
#include "gdl/game.hpp"
#include "scsp/network/gecode_micro.hpp"
#include "scsp/turn_solver.hpp"

namespace zermelo::cli {

namespace {

constexpr std::size_t most_moves = 300;       // of one play
constexpr std::uint64_t most_pairs = 20'000;  // joint moves of a state that is measured

// States of random plays in which the game goes on.
std::vector<gdl::State> random_states(const gdl::Machine& machine, std::size_t count) {
    std::vector<gdl::State> states;
    gdl::Runner runner(machine);
    Random random(1);
    std::vector<gdl::MoveId> legal;
    gdl::JointMove joint(machine.roles());
    for (std::size_t plays = 0; states.size() < count && plays < count; ++plays) {
        gdl::State state = machine.initial();
        for (std::size_t move = 0; move < most_moves && states.size() < count; ++move) {
            runner.load(state);
            if (runner.terminal()) break;
            std::uint64_t all = 1;
            for (std::size_t r = 0; r < joint.size(); ++r) {
                runner.legal(r, legal);
                all *= legal.size();
                if (!legal.empty()) joint[r] = legal[random.below(legal.size())];
            }
            if (all == 0) break;
            if (all <= most_pairs) states.push_back(state);
            runner.play(joint);
            runner.next(state);
        }
    }
    return states;
}

// Plays all joint moves; what comes out is added up, so that nothing is left out.
class EveryMove {
public:
    explicit EveryMove(const gdl::Machine& machine) : runner_(machine), legal_(machine.roles()) {}

    void play(const gdl::State& state) {
        runner_.load(state);
        if (runner_.terminal()) return;
        for (std::size_t r = 0; r < legal_.size(); ++r) runner_.legal(r, legal_[r]);
        joint_.assign(legal_.size(), 0);
        play_from(0);
    }
    [[nodiscard]] std::uint64_t sum() const { return sum_; }

private:
    void play_from(std::size_t role) {
        if (role < legal_.size()) {
            for (const gdl::MoveId move : legal_[role]) {
                joint_[role] = move;
                play_from(role + 1);
            }
            return;
        }
        runner_.play(joint_);
        runner_.next(next_);
        sum_ += gdl::hash(next_).low;
    }

    gdl::Runner runner_;
    std::vector<std::vector<gdl::MoveId>> legal_;
    gdl::JointMove joint_;
    gdl::State next_;
    std::uint64_t sum_ = 0;
};

class Measurement {
public:
    explicit Measurement(const std::string& file) : game_(file) {
        const double start = cpu_seconds();
        groups_ = scsp::find_mutex_groups(game_.machine());
        const double proven = cpu_seconds();
        program_ = std::make_unique<scsp::TurnProgram>(game_.machine(), groups_);
        row_["game"] = std::filesystem::path(file).stem().string();
        row_["setup_cpu_seconds"] = game_.set_up().seconds();
        row_["groups_cpu_seconds"] = proven - start;
        row_["program_cpu_seconds"] = cpu_seconds() - proven;
        row_["preparation_cpu_seconds"] = game_.set_up().seconds() + cpu_seconds() - start;
        row_["gates"] = program_->preparation().kept;
    }

    void run(std::size_t count, double gecode_seconds) {
        const auto states = random_states(game_.machine(), count);
        row_["states"] = states.size();
        if (states.empty()) return;
        const auto number = static_cast<double>(states.size());
        scsp::TurnSolver solver(*program_);
        std::uint64_t sum = 0;
        std::uint64_t outcomes = 0;
        const double start = cpu_seconds();
        for (const auto& state : states) {
            solver.solve(state, [&](const auto&, std::span<const scsp::Outcome> results) {
                for (const auto& result : results) sum += gdl::hash(result.next).low;
                outcomes += results.size();
                return true;
            });
        }
        const double solved = cpu_seconds();
        EveryMove machine(game_.machine());
        for (const auto& state : states) machine.play(state);
        const double played = cpu_seconds();
        if (machine.sum() != sum)
            throw Error("MAC and the machine disagree on a turn of " + row_["game"].get<std::string>(),
                        "report this game");
        row_["outcomes"] = static_cast<double>(outcomes) / number;
        row_["propagations"] = solver.counts().propagations;
        row_["microseconds"] = (solved - start) / number * 1e6;
        row_["per_second"] = number / std::max(solved - start, 1e-9);
        row_["machine_ratio"] = (played - solved) / std::max(solved - start, 1e-9);
        // How the atoms of loops are derived would be asked of Gecode in many ways.
        const auto& stretches = game_.machine().network().stretches;
        const bool loops = std::ranges::any_of(stretches, [](const auto& stretch) { return stretch.loop; });
        if (gecode_seconds > 0 && !loops) run_gecode(states, gecode_seconds);
    }

    [[nodiscard]] const nlohmann::json& row() const { return row_; }

private:
    void run_gecode(const std::vector<gdl::State>& states, double seconds) {
        const scsp::MicroScsp whole = scsp::make_micro_scsp(game_, groups_, {.percepts = false});
        scsp::TurnSolver solver(*program_);
        double ours = 0;
        double theirs = 0;
        std::size_t solved = 0;
        for (const auto& state : states) {
            const double start = cpu_seconds();
            scsp::MicroScsp micro = whole;
            micro.load(state);
            scsp::GecodeMicro root(micro, false);
            Gecode::DFS<scsp::GecodeMicro> search(&root);
            std::size_t found = 0;
            while (const std::unique_ptr<scsp::GecodeMicro> solution{search.next()}) ++found;
            const double middle = cpu_seconds();
            std::size_t expected = 0;
            solver.solve(state, [&](const auto&, auto results) {
                expected += results.size();
                return true;
            });
            ours += cpu_seconds() - middle;
            theirs += middle - start;
            if (found != expected)
                throw Error("MAC and Gecode disagree on a turn of " + row_["game"].get<std::string>(),
                            "report this game");
            ++solved;
            if (theirs > seconds) break;
        }
        row_["gecode_states"] = solved;
        row_["gecode_microseconds"] = theirs / static_cast<double>(solved) * 1e6;
        row_["gecode_ratio"] = theirs / std::max(ours, 1e-9);
    }

    gdl::Game game_;
    scsp::MutexGroups groups_;
    std::unique_ptr<scsp::TurnProgram> program_;
    nlohmann::json row_;
};

void print_row(const nlohmann::json& row) {
    const auto number = [&](const char* key, const char* format) {
        return row.contains(key) ? fmt::format(fmt::runtime(format), row[key].get<double>()) : "";
    };
    std::cout << fmt::format("{:<20} {:>9} {:>8} {:>9} {:>9} {:>12} {:>9} {:>9}\n",
                             row["game"].get<std::string>(), number("preparation_cpu_seconds", "{:.2f}"),
                             number("states", "{:.0f}"), number("outcomes", "{:.1f}"),
                             number("microseconds", "{:.1f}"), number("per_second", "{:.0f}"),
                             number("machine_ratio", "{:.2f}"), number("gecode_ratio", "{:.0f}"))
              << std::flush;
}

}  // namespace

int BenchScsp::run() const {
    auto rows = nlohmann::json::array();
    double preparation = 0;
    if (!json) {
        std::cout
            << "Turns as micro-SCSPs: CPU seconds of preparation, outcomes of a turn, time for all its\n"
               "solutions; how many times as long the machine and Gecode take.\n";
        std::cout << fmt::format("{:<20} {:>9} {:>8} {:>9} {:>9} {:>12} {:>9} {:>9}\n", "game", "prepare s",
                                 "states", "outcomes", "us", "a second", "machine", "Gecode");
    }
    for (const std::string& file : files) {
        Measurement measurement(file);
        measurement.run(states, gecode_seconds);
        preparation += measurement.row()["preparation_cpu_seconds"].get<double>();
        rows.push_back(measurement.row());
        if (!json) print_row(rows.back());
    }
    if (json) {
        print({{"rows", rows}, {"preparation_cpu_seconds", preparation}});
    } else {
        std::cout << fmt::format("{:<20} {:>9.2f}\n", "together", preparation);
    }
    return answered;
}

}  // namespace zermelo::cli
