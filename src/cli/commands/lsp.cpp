// zermelo lsp: the language server of editors, over stdin and stdout.

#include "lsp/server.hpp"

#include <unistd.h>
#include <CLI/CLI.hpp>

#include "cli/command.hpp"

namespace zermelo::cli {

Command add_lsp(CLI::App& app) {
    auto* command = app.add_subcommand("lsp",
                                       "Serve an editor: errors, hints, names and formatting of GDL and "
                                       "MiniZinc (Language Server Protocol)");
    auto stdio = std::make_shared<bool>(false);
    command->add_flag("--stdio", *stdio,
                      "speak over stdin and stdout; it always does, and editors like to say so");
    command->footer(
        "Example, in an editor that starts language servers by a command:\n  zermelo lsp\n"
        "For Visual Studio Code there is an extension in editors/vscode.");
    return {command, [] {
                lsp::MessageStream stream(STDIN_FILENO, STDOUT_FILENO);
                return lsp::Server(stream).run() ? answered : check_failed;
            }};
}

}  // namespace zermelo::cli
