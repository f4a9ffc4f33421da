// Another project that uses the installed library, for each capability once. usage: consumer GAMES_FOLDER

#include <zermelo/zermelo.hpp>

#include <filesystem>
#include <iostream>

namespace {

using namespace zermelo;

int failures = 0;

void expect(bool holds, const char* what) {
    std::cout << (holds ? "ok    " : "FAILS ") << what << '\n';
    failures += holds ? 0 : 1;
}

void run_a_million_playouts(const std::string& games) {
    const gdl::Game game(games + "/gdl/tic-tac-toe.kif");
    gdl::SimulateOptions options;
    options.playouts = 1'000'000;
    const gdl::Simulation simulation = gdl::simulate(game.machine(), options);
    expect(simulation.tally.playouts >= 1'000'000, "a million playouts of a game in GDL");
}

void step_through_a_game(const std::string& games) {
    const gdl::Game game(games + "/gdl/tic-tac-toe.kif");
    gdl::Runner runner(game.machine());
    gdl::State state = game.machine().initial();
    std::size_t steps = 0;
    for (runner.load(state); !runner.terminal(); runner.load(state), ++steps) {
        gdl::JointMove joint;
        for (std::size_t role = 0; role < game.machine().roles(); ++role) {
            std::vector<gdl::MoveId> legal;
            runner.legal(role, legal);
            joint.push_back(legal.front());
        }
        gdl::State next = state;
        runner.play(joint);
        runner.next(next);
        state = next;
    }
    expect(steps >= 5 && steps <= 9, "a play of tic-tac-toe, step by step");
}

// Solves, checks, saves, loads and checks again.
bool certified(const Problem& problem, Outcome expected) {
    const Verdict verdict = solve(problem);
    const std::string file = (std::filesystem::temp_directory_path() / "zermelo-consumer.json").string();
    save(file, problem, verdict.certificate);
    const bool valid = check(problem, verdict.certificate).valid && check(problem, load(file, problem)).valid;
    std::filesystem::remove(file);
    return verdict.outcome == expected && valid;
}

void solve_everything(const std::string& games) {
    expect(certified(read(games + "/graphs/subtraction-13.json"), Outcome::lost), "a graph");
    expect(certified(read(games + "/gdl/tic-tac-toe.kif"), Outcome::drawn), "a game in GDL");
    model::ModelBuilder builder("consumer");  // ∃x ∀y (x + y ≤ 5) over 1 … 3 is won with x ≤ 2, and only so
    const auto x = builder.exists("x", 1, 3);
    const auto y = builder.forall("y", 1, 3);
    builder.win(x + y <= 5);
    const Problem model = make_problem(builder.build());
    expect(certified(model, Outcome::won), "a quantified model");
    SolveOptions options;
    options.all_first_moves = true;
    expect(solve(model, options).best.size() == 2, "all its winning first moves");
}

// Takes the first move that is legal.
class FirstPlayer : public play::Player {
public:
    using Player::Player;

private:
    play::MoveId think(const std::vector<play::MoveId>& legal, const play::TimeBudget&,
                       play::Thought&) override {
        return legal.front();
    }
};

arena::TournamentResult compete(const std::string& games, const std::vector<std::string>& players) {
    arena::Plan plan;
    plan.games = {games + "/gdl/tic-tac-toe.kif"};
    plan.players = players;
    plan.clock = 0;
    plan.start_clock = 0.1;
    plan.playouts = 200;
    return arena::run(plan, {}, nullptr);
}

void play_matches(const std::string& games) {
    const auto match = compete(games, {"uct", "random"});
    expect(match.matches.size() == 2 && match.matches.front().error.empty(), "a match between two players");
    play::register_player(
        {"first", "the first legal move", {}},
        [](const play::Spec&, const play::GameContext& game, const play::Settings& settings) {
            return std::make_unique<FirstPlayer>(game, settings);
        });
    const auto tournament = compete(games, {"uct", "first", "random"});
    bool clean = tournament.matches.size() == 6;
    for (const arena::MatchResult& one : tournament.matches) clean = clean && one.error.empty();
    expect(clean, "a tournament with a player of our own");
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    std::cout << "zermelo " << ZERMELO_VERSION << '\n';
    try {
        run_a_million_playouts(argv[1]);
        step_through_a_game(argv[1]);
        solve_everything(argv[1]);
        play_matches(argv[1]);
    } catch (const zermelo::Error& error) {
        std::cout << error.what() << '\n';
        return 1;
    }
    return failures == 0 ? 0 : 1;
}
