// zermelo: finite games. See `zermelo --help`.

#include "cli/command.hpp"

int main(int argc, char** argv) {
    return zermelo::cli::guarded([&] { return zermelo::cli::run_program(argc, argv); },
                                 zermelo::cli::asks_for_json(argc, argv));
}
