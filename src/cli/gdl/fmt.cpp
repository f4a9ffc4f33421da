// zermelo gdl fmt: a description in the usual layout.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <fstream>
#include <iostream>
#include <iterator>

#include "cli/gdl/gdl.hpp"
#include "cli/usage/values.hpp"
#include "core/files.hpp"
#include "gdl/syntax/parse.hpp"

namespace zermelo::cli {

namespace {

std::string contents_of(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in || (in.peek() == std::ifstream::traits_type::eof() && in.bad()))
        throw Error({file}, "cannot be read", remedy_for_unreadable(file));
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

int print_formatted(const std::string& file, bool in_place) {
    const std::string formatted = gdl::format(contents_of(file), file);
    if (!in_place) {
        std::cout << formatted;
        return answered;
    }
    replace_file(file, formatted);
    return answered;
}

}  // namespace

Command add_gdl_fmt(CLI::App& gdl) {
    auto* command =
        add_gdl_command(gdl, "fmt", "Format a description", "zermelo gdl fmt games/gdl/tic-tac-toe.kif");
    auto file = std::make_shared<std::string>();
    auto in_place = std::make_shared<bool>(false);
    command->add_option("FILE", *file, "the game description (.kif), or the name of a shipped game")
        ->required()
        ->transform(shipped_game())
        ->check(game_in_gdl());
    command->add_flag("-i,--in-place", *in_place, "rewrite the file instead of printing");
    return {command, [file, in_place] { return print_formatted(*file, *in_place); }};
}

}  // namespace zermelo::cli
