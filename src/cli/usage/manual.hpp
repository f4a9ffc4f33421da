// The manual: pages for man(1), made from the same descriptions as --help.

#pragma once

#include <map>
#include <string>

namespace CLI {
class App;
}  // namespace CLI

namespace zermelo::cli {

// By the names of their files: zermelo.1, and zermelo-SUBCOMMAND.1 for each subcommand with what is below it.
[[nodiscard]] std::map<std::string, std::string> manual(const CLI::App& app);

}  // namespace zermelo::cli
