// fzn-zermelo: what MiniZinc runs for `minizinc --solver zermelo`.

#include "cli/command.hpp"

int main(int argc, char** argv) {
    return zermelo::cli::guarded([&] { return zermelo::cli::run_flatzinc(argc, argv); });
}
