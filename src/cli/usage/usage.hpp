// Usage errors: what is wrong with a command line, with the nearest name that there is.

#pragma once

#include <string>
#include <vector>

#include "core/error.hpp"

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace zermelo::cli {

// The command line itself does not make sense; --help tells what does.
class UsageError : public Error {
public:
    using Error::Error;
};

// What CLI11 found, in our words. `app` is the program, which has parsed as far as it got.
[[nodiscard]] UsageError usage_error(const CLI::App& app, const std::vector<std::string>& arguments,
                                     const CLI::ParseError& problem);

}  // namespace zermelo::cli
