// Commands: one file a subcommand. Each adds itself to the command line and returns what to run when it is
// chosen.
//
// Exit codes, for all of them: 0 answered, 1 a check failed, 2 bad usage or input, 3 a limit was reached,
// 130 interrupted. With --json, one object goes to stdout and nothing else.

#pragma once

#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "core/format/text.hpp"
#include "core/limits.hpp"
#include "solve/problem/problem.hpp"

namespace CLI {
class App;  // whoever adds options includes <CLI/CLI.hpp>, which takes seconds to compile
}

namespace zermelo::cli {

enum Exit { answered = 0, check_failed = 1, bad_input = 2, limit_reached = 3, interrupted = 130 };

struct Command {
    CLI::App* app;
    std::function<int()> run;
    bool together = false;  // it knows what to do when mpirun starts several processes
};

[[nodiscard]] Command add_solve(CLI::App& app);
[[nodiscard]] Command add_verify(CLI::App& app);
[[nodiscard]] Command add_show(CLI::App& app);
[[nodiscard]] Command add_play(CLI::App& app);
[[nodiscard]] Command add_analyse(CLI::App& app);
[[nodiscard]] Command add_match(CLI::App& app);
[[nodiscard]] Command add_tournament(CLI::App& app);
[[nodiscard]] Command add_train(CLI::App& app);
[[nodiscard]] Command add_manage(CLI::App& app);
[[nodiscard]] Command add_player(CLI::App& app);
[[nodiscard]] Command add_serve(CLI::App& app);
[[nodiscard]] Command add_gdl(CLI::App& app);
[[nodiscard]] Command add_examples(CLI::App& app);
[[nodiscard]] Command add_games(CLI::App& app);
[[nodiscard]] Command add_reproduce(CLI::App& app);
[[nodiscard]] Command add_bench(CLI::App& app);
[[nodiscard]] Command add_generate(CLI::App& app);
[[nodiscard]] Command add_qbf(CLI::App& app);
[[nodiscard]] Command add_new(CLI::App& app);
[[nodiscard]] Command add_lsp(CLI::App& app);
[[nodiscard]] Command add_help(CLI::App& app);
[[nodiscard]] Command add_completion(CLI::App& app);

// The program zermelo.
int run_program(int argc, char** argv);
// The other program, fzn-zermelo: FlatZinc in, MiniZinc's conventions out.
int run_flatzinc(int argc, char** argv);

// The line about an error, settings written as options.
[[nodiscard]] std::string line_of(const Error& problem);

// Does the command line ask for JSON?
[[nodiscard]] bool asks_for_json(int argc, char** argv);
// The same as an object: file, line and column where they are known, message and remedy.
[[nodiscard]] nlohmann::json json_of(const Error& problem);

// Runs a program; whatever it throws becomes one line on stderr and an exit code, and with `json` also one object on
// stdout.
int guarded(const std::function<int()>& program, bool json = false);

// --- options that several commands share ---

struct ModelOptions {
    std::string file;
    model::MiniZincOptions reading;

    void add_to(CLI::App& app);
    [[nodiscard]] ReadOptions reading_options(const Limits& limits) const;
    [[nodiscard]] Problem read(const Limits& limits = {}) const;  // with warnings
};

// Says on stderr where plays of a model end before its levels do (strategy/rules/horizon.hpp).
void warn_of_horizon(const model::Model& model);
// What the rules break without being refused, on stderr: the first places, and how many more there are.
void warn_of_repairs(const gdl::Description& game);

struct LimitOptions {
    std::optional<double> seconds;
    std::string memory;

    void add_to(CLI::App& app);
    [[nodiscard]] Limits start() const;  // the clock runs from here
};

[[nodiscard]] int exit_code(Stop stop);

// 512M, 2G, or bytes (core/format/numbers.hpp); throws Error about the option.
[[nodiscard]] std::size_t memory_amount(const std::string& option, const std::string& text);

// Options that only some kinds of file or some engines understand: a group of their own in --help.
inline constexpr const char* for_models = "quantified models";
inline constexpr const char* for_quantified_search = "quantified models solved by the engine quantified";
inline constexpr const char* for_forward_engines = "GDL, graphs, and models solved by a forward engine";

// Runs `add`, and puts the options that it adds to the command into the group.
void in_group(CLI::App& app, const std::string& group, const std::function<void()>& add);
// Throws Error where an option of the group was given for this file, which cannot use it.
void refuse_group(const CLI::App& app, const std::string& group, const std::string& file);
// The same for one option.
void refuse_option(const CLI::App& app, const std::string& option, const std::string& file,
                   const std::string& why);

// --- printing ---

void print(const nlohmann::json& object);

// What of a known amount of work is done.
struct Share {
    std::uint64_t done = 0;
    std::uint64_t of = 0;  // 0: nobody knows
};

// 12 s, or 12 s, about 3 min left; nothing during the first second.
[[nodiscard]] std::string clock_text(double seconds, const Share& share = {});

// To the file as a whole (core/files.hpp), or to stdout where none is named. Throws Error where it cannot be written.
void write_out(const std::string& file, const std::string& contents);
// Throws Error where a file that is named cannot be written later. Leaves what is in it.
void require_writable(const std::string& file);

// A line on stderr that is rewritten in place, with the time since it was made, and what remains where the share of the
// work that is done is known. Silent when stderr is not a terminal.
class ProgressLine {
public:
    ProgressLine();
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;
    void show(const std::string& text, const Share& share = {});
    void clear();

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    bool terminal_;
    bool shown_ = false;
};

}  // namespace zermelo::cli
