// zermelo generate: instances of parameterised games, the same for the same seed on every machine.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <sstream>

#include "cli/instances.hpp"
#include "cli/usage/values.hpp"

namespace zermelo::cli {

namespace {

struct ConnectFour {
    int columns = 7;
    int rows = 6;
    int aligned = 4;
};

// A rule for `aligned` discs of one player in a line that goes one column to the right with every disc
// (`right`), or stays in its column, and goes one row up (1), down (-1), or stays in its row (0).
void write_line(std::ostream& out, int aligned, bool right, int up) {
    out << "(<= (line ?player)\n    (role ?player)";
    const auto column = [&](int i) { return right ? fmt::format("?c{}", i) : std::string("?c"); };
    const auto row = [&](int i) { return up != 0 ? fmt::format("?r{}", i) : std::string("?r"); };
    for (int i = 1; i <= aligned; ++i) {
        if (i > 1 && right) out << fmt::format("\n    (right {} {})", column(i - 1), column(i));
        if (i > 1 && up > 0) out << fmt::format("\n    (above {} {})", row(i - 1), row(i));
        if (i > 1 && up < 0) out << fmt::format("\n    (above {} {})", row(i), row(i - 1));
        out << fmt::format("\n    (true (cell {} {} ?player))", column(i), row(i));
    }
    out << ")\n";
}

constexpr const char* connect_four_cells = R"(
(<= (base (cell ?column ?row ?player))
    (column ?column)
    (row ?row)
    (role ?player))
(<= (base (control ?player)) (role ?player))
(<= (input ?player (drop ?column))
    (role ?player)
    (column ?column))
(<= (input ?player wait) (role ?player))

(init (control yellow))

(<= (filled ?column ?row) (true (cell ?column ?row ?player)))

; Where a disc would come to lie.
(<= (open ?column 1)
    (column ?column)
    (not (filled ?column 1)))
)";

constexpr const char* connect_four_open_above = R"((<= (open ?column ?row)
    (above ?below ?row)
    (filled ?column ?below)
    (not (filled ?column ?row)))
)";

constexpr const char* connect_four_moves = R"(
(<= (legal ?player (drop ?column))
    (true (control ?player))
    (open ?column ?row))
(<= (legal ?player wait)
    (role ?player)
    (not (true (control ?player))))

(<= (next (cell ?column ?row ?player))
    (does ?player (drop ?column))
    (open ?column ?row))
(<= (next (cell ?column ?row ?player)) (true (cell ?column ?row ?player)))
(<= (next (control ?player))
    (true (control ?last))
    (other ?last ?player))

)";

constexpr const char* connect_four_ends = R"(
(<= decided (line ?player))
(<= possible (open ?column ?row))

(<= terminal decided)
(<= terminal (not possible))

(<= (goal ?player 100) (line ?player))
(<= (goal ?player 50)
    (role ?player)
    (not decided)
    (not possible))
(<= (goal ?player 0)
    (other ?player ?winner)
    (line ?winner))
)";

void write_title(std::ostream& out, const ConnectFour& board) {
    const auto [columns, rows, aligned] = board;
    out << fmt::format(R"(; Connect-Four: {} columns, {} rows, {} in a line
;
; Yellow and red in turn drop a disc of their colour into a column that is not full; it falls onto the discs
; that lie there. Yellow begins. Who first has {} discs in a line, across, upwards or on a diagonal, wins.
; When the board is full without such a line, it is a draw.
;
; Written by: zermelo generate connect-four --columns {} --rows {} --aligned {}
;
; Tags: alignment, placement

(role yellow)
(role red)
(other yellow red)
(other red yellow)

)",
                       columns, rows, aligned, aligned, columns, rows, aligned);
}

void write_board(std::ostream& out, const ConnectFour& board) {
    for (int c = 1; c <= board.columns; ++c) out << fmt::format("(column {})\n", c);
    for (int c = 1; c < board.columns; ++c) out << fmt::format("(right {} {})\n", c, c + 1);
    for (int r = 1; r <= board.rows; ++r) out << fmt::format("(row {})\n", r);
    for (int r = 1; r < board.rows; ++r) out << fmt::format("(above {} {})\n", r, r + 1);
}

void write_lines(std::ostream& out, const ConnectFour& board) {
    const auto [columns, rows, aligned] = board;
    if (aligned == 1) return write_line(out, aligned, false, 0);
    if (aligned <= columns) write_line(out, aligned, true, 0);
    if (aligned <= rows) write_line(out, aligned, false, 1);
    if (aligned <= columns && aligned <= rows) {
        write_line(out, aligned, true, 1);
        write_line(out, aligned, true, -1);
    }
}

void write_connect_four(std::ostream& out, const ConnectFour& board) {
    const auto [columns, rows, aligned] = board;
    if (aligned > columns && aligned > rows) {
        throw Error(
            fmt::format("no line of {} fits on a board of {} columns and {} rows", aligned, columns, rows),
            "give a smaller --aligned");
    }
    write_title(out, board);
    write_board(out, board);
    out << connect_four_cells;
    if (rows > 1) out << connect_four_open_above;
    out << connect_four_moves;
    write_lines(out, board);
    out << connect_four_ends;
}

struct Generate {
    std::string kind;
    Instance::Matrix matrix{3, 0.5, 1};
    std::string board;
    ConnectFour connect_four;
    std::string out;

    void write(std::ostream& to) const {
        if (kind == "connect-four") {
            write_connect_four(to, connect_four);
        } else if (!board.empty()) {
            write_matrix_game(to, board);
        } else {
            write_matrix_game(to, matrix);
        }
    }

    int run() const {
        std::ostringstream text;
        write(text);
        write_out(out, text.str());
        return answered;
    }
};

}  // namespace

Command add_generate(CLI::App& app) {
    auto* command = app.add_subcommand("generate", "Write an instance of a parameterised game");
    auto generate = std::make_shared<Generate>();
    command->add_option("KIND", generate->kind, "the game: matrix-game or connect-four")
        ->required()
        ->check(one_of(std::vector<std::string>{"matrix-game", "connect-four"}));
    command
        ->add_option("--depth", generate->matrix.depth,
                     "matrix-game: number of rounds; the board has 4^depth cells")
        ->check(between(1, 12))
        ->capture_default_str();
    command->add_option("--density", generate->matrix.density, "matrix-game: probability that a cell is 1")
        ->check(between(0.0, 1.0))
        ->capture_default_str();
    command->add_option("--seed", generate->matrix.seed, "matrix-game: random seed of the board")
        ->capture_default_str();
    command
        ->add_option("--board", generate->board,
                     "matrix-game: a file with the board, a 0 or 1 for each cell row by row, instead of a "
                     "random one")
        ->excludes("--depth")
        ->excludes("--density")
        ->excludes("--seed");
    command->add_option("--columns", generate->connect_four.columns, "connect-four: number of columns")
        ->check(between(1, 50))
        ->capture_default_str();
    command->add_option("--rows", generate->connect_four.rows, "connect-four: number of rows")
        ->check(between(1, 50))
        ->capture_default_str();
    command
        ->add_option("--aligned", generate->connect_four.aligned,
                     "connect-four: number of discs in a winning line")
        ->check(between(1, 50))
        ->capture_default_str();
    command->add_option("-o,--out", generate->out, "output file (default: standard output)");
    command->footer(
        "Example:\n"
        "  zermelo generate matrix-game --depth 5 --density 0.7 --seed 7 -o board.dzn\n"
        "  zermelo solve games/quantified/matrix-game.mzn --data board.dzn\n"
        "  zermelo generate matrix-game --board matrix.txt -o board.dzn\n"
        "  zermelo generate connect-four --columns 5 --rows 4 --aligned 3 -o connect.kif\n"
        "  zermelo gdl simulate connect.kif");
    return {command, [generate] { return generate->run(); }};
}

}  // namespace zermelo::cli
