// zermelo new: a commented start for a game of one's own. What it writes is a whole small game that checks, runs and
// solves, to be changed line by line.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <filesystem>
#include <iostream>
#include <map>

#include "cli/command.hpp"
#include "cli/usage/values.hpp"
#include "core/files.hpp"

namespace zermelo::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char* gdl_start = R"(; {title}
;
; Say the rules in words here. This start is a small game: nine matches lie on the table; in turn, each player takes
; one or two of them. Who takes the last match wins.
;
;     zermelo gdl check {file}          what is wrong, and what looks wrong
;     zermelo play {file}               play against the program
;     zermelo solve {file}              who wins, and by which first moves

; ---- the players, in their order
(role alice)
(role bob)

; ---- the first position: facts that hold when the game begins
(init (matches 9))
(init (control alice))

; ---- numbers are only names: GDL does not know how to count
(before 0 1) (before 1 2) (before 2 3) (before 3 4) (before 4 5)
(before 5 6) (before 6 7) (before 7 8) (before 8 9)
(number 0)
(<= (number ?n) (before ?m ?n))
; (less 1 3 2): three without one leaves two
(<= (less 1 ?n ?rest) (before ?rest ?n))
(<= (less 2 ?n ?rest)
    (before ?middle ?n)
    (before ?rest ?middle))
(other alice bob)
(other bob alice)

; ---- moves: every player needs one in every position, so who is not on turn waits
(<= (legal ?player (take ?some))
    (true (control ?player))
    (true (matches ?n))
    (less ?some ?n ?rest))
(<= (legal ?player wait)
    (true (control ?other))
    (other ?other ?player))

; ---- the next position: a fact that no rule gives is gone
(<= (next (matches ?rest))
    (does ?player (take ?some))
    (true (matches ?n))
    (less ?some ?n ?rest))
(<= (next (control ?player))
    (true (control ?other))
    (other ?other ?player))

; ---- the end: when it comes, and what everybody gets, from 0 to 100
(<= terminal (true (matches 0)))
; Who is to move has been left nothing: the other player has taken the last match.
(<= (goal ?player 0)
    (true (matches 0))
    (true (control ?player)))
(<= (goal ?player 100)
    (true (matches 0))
    (true (control ?other))
    (other ?other ?player))

; ---- all facts and moves that there may ever be, for programs that ask
(<= (base (matches ?n)) (number ?n))
(<= (base (control ?player)) (role ?player))
(<= (input ?player (take ?some))
    (role ?player)
    (less ?some ?n ?rest))
(<= (input ?player wait) (role ?player))
)";

constexpr const char* model_start = R"(% {title}
%
% Say the rules in words here. This start is a small game: n matches lie on the table; in turn, each player takes one
% or two of them. Who takes the last match wins.
%
%     zermelo solve {file} --strategy plan.json     who wins, with a strategy that is checked
%     zermelo play {file}                           play against the program

include "zermelo.mzn";

int: n = 7;  % matches; write `int: n;` to give it by -D n=7

% A level for each move of the longest play: one match at a time.
set of int: Turn = 1..n;
array[Turn] of var 1..2: take;
array[0..n] of var int: left = array1d(0..n, [n - sum(take[1..t]) | t in 0..n]);

% Who moves when: we (∃) on odd turns, they (∀) on even ones. The domain is said again.
constraint forall(t in Turn)(if t mod 2 = 1 then some(t, take[t], 1..2) else every(t, take[t], 1..2) endif);

% What a move must obey. It may speak of moves up to its own level. Who has no move that obeys has lost: here, who is
% left without matches.
constraint forall(t in Turn)(rule(t, take[t] <= left[t - 1]));

% What we want in a play in which all moves are made: then each took one match, and the last turn took the last one.
constraint win(n mod 2 = 1);

solve satisfy;

% What people see of a position. What is not decided yet is shown as a dot.
output ["taken: "] ++ [show(take[t]) ++ " " | t in Turn] ++ ["\n"];
)";

constexpr const char* graph_start = R"({{
  "format": "zermelo-graph",
  "version": 1,
  "description": "{title}. Say the rules in words here. This start is a small game with a circle: who is at the lake may swim back to the fork for ever. Try: zermelo solve {file}; zermelo show --regions {file} -o regions.svg; zermelo play {file}",
  "players": ["Alice", "Bob"],
  "initial": "fork",
  "states": [
    {{"name": "fork", "player": "Alice", "moves": ["lake", {{"to": "hill", "name": "climb"}}]}},
    {{"name": "lake", "player": "Bob", "moves": [{{"to": "fork", "name": "swim"}}, "goal"]}},
    {{"name": "hill", "player": "Bob", "moves": ["goal", "lake"]}},
    {{"name": "goal", "winner": "Alice"}}
  ]
}}
)";

struct Start {
    const char* text;  // with {title} and {file}; its own braces are doubled
    const char* ending;
};

const std::map<std::string, Start>& starts() {
    static const std::map<std::string, Start> all = {
        {"gdl", {gdl_start, ".kif"}}, {"model", {model_start, ".mzn"}}, {"graph", {graph_start, ".json"}}};
    return all;
}

std::string filled(const Start& start, const std::string& title, const std::string& file) {
    return fmt::format(fmt::runtime(start.text), fmt::arg("title", title), fmt::arg("file", file));
}

int write_start(const std::string& kind, const std::string& name) {
    const Start& start = starts().at(kind);
    const bool named = name.ends_with(start.ending);
    const std::string file = named ? name : name + start.ending;
    std::error_code ignored;
    if (fs::exists(file, ignored))
        throw Error({file}, "is there already", "choose another name, or remove the file");
    const std::string title = fs::path(file).stem().string();
    if (title.find_first_of("\"\\\n") != std::string::npos)
        throw Error(fmt::format("{} is not a name for a game", title), "leave quotes and backslashes out");
    replace_file(file, filled(start, title, file));
    const char* check = kind == "gdl" ? "zermelo gdl check {0}, " : "";
    std::cout << fmt::format("{} is written; try ", file) << fmt::format(fmt::runtime(check), file)
              << fmt::format("zermelo solve {0}, zermelo play {0}\n", file);
    return answered;
}

}  // namespace

Command add_new(CLI::App& app) {
    auto* command = app.add_subcommand("new", "Write a commented start for a game of your own");
    auto kind = std::make_shared<std::string>();
    auto name = std::make_shared<std::string>("mine");
    command
        ->add_option("KIND", *kind,
                     "gdl (rules), model (constraints in MiniZinc) or graph (states and moves)")
        ->required()
        ->check(one_of(starts()));
    command->add_option("NAME", *name, "the name of the game, and of the file without its ending")
        ->capture_default_str();
    command->footer("Examples:\n  zermelo new gdl chomp\n  zermelo new model\n  zermelo new graph maze");
    return {command, [kind, name] { return write_start(*kind, *name); }};
}

}  // namespace zermelo::cli
