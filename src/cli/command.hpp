// Commands: one file a subcommand. Each adds itself to the command line and returns what to run when it is
// chosen.
//
// Exit codes, for all of them: 0 answered, 1 a check failed, 2 bad usage or input, 3 a limit was reached,
// 130 interrupted. With --json, one object goes to stdout and nothing else.

#pragma once

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
[[nodiscard]] Command add_completion(CLI::App& app);

// The program zermelo.
int run_program(int argc, char** argv);
// The other program, fzn-zermelo: FlatZinc in, MiniZinc's conventions out.
int run_flatzinc(int argc, char** argv);

// The line about an error, settings written as options.
[[nodiscard]] std::string line_of(const Error& problem);

// Runs a program; whatever it throws becomes one line on stderr and an exit code.
int guarded(const std::function<int()>& program);

// --- options that several commands share ---

struct ModelOptions {
    std::string file;
    model::MiniZincOptions reading;

    void add_to(CLI::App& app);
    [[nodiscard]] ReadOptions reading_options(const Limits& limits) const;
    [[nodiscard]] Problem read(const Limits& limits = {}) const {
        return zermelo::read(file, reading_options(limits));
    }
};

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

// Throws Error where the file cannot be written.
void write_whole(const std::string& file, const std::string& contents,
                 const std::string& remedy = "choose another file");
// The same, or to stdout where no file is named.
void write_out(const std::string& file, const std::string& contents);
// Throws Error where a file that is named cannot be written later. Leaves what is in it.
void require_writable(const std::string& file);

// A line on stderr that is rewritten in place; silent when stderr is not a terminal.
class ProgressLine {
public:
    ProgressLine();
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;
    void show(const std::string& text);
    void clear();

private:
    bool terminal_;
    bool shown_ = false;
};

}  // namespace zermelo::cli
