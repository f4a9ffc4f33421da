#!/usr/bin/env bash
# MAC-UCB and MAC-UCB-SYM against UCT on the games of the papers: at an equal number of simulated plays, or at equal time.
# Both seats; a pairing ends after ROUNDS matches in each seating, or when a sequential test (0 against 80 Elo, errors of 5 %)
# has decided it after 30 matches. Records go to FOLDER; the same command resumes from them.
# usage: bench/mac-ucb.sh [FOLDER] [ROUNDS] [BUDGET...]     by default mac-ucb.record, 50, --playouts 1000
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-mac-ucb.record}
rounds=${2:-50}
budget=("${@:3}")
[ ${#budget[@]} -gt 0 ] || budget=(--playouts 1000)
zermelo=build/zermelo
mkdir -p "$folder"
name=$(echo "${budget[*]}" | tr -dc '[:alnum:]-.')

# 2015, table 2, without Orchard, which is played together; 2016, table 2, the games in GDL.
first=(awale backgammon bomberman cant-stop checkers chess kaseklau othello pacman pickomino tic-tac-toe yahtzee)
second=(amazons-torus battlebrushes breakthrough-suicide chess connect-four-20x20 connect-four-simultaneous copolymer
    dots-and-boxes-suicide english-draughts free-for-all hex knight-through majorities pentago quarto shmup skirmish
    tic-tac-chess ttcc4 reversi-suicide)

compare() { # PLAYER GAME
    echo "## $1 against uct, $2, ${budget[*]}"
    $zermelo tournament --gauntlet --games "games/gdl/$2.kif" --players "$1" uct --rounds "$rounds" "${budget[@]}" \
        --start-clock 5 --sprt 0 80 --at-least 30 --record "$folder/$1-$2-$name.sqlite"
}
for game in "${first[@]}"; do compare mac-ucb "$game"; done
for game in "${second[@]}"; do compare mac-ucb-sym "$game"; done
echo "## together: orchard"
$zermelo tournament --alone --games games/gdl/orchard.kif --players mac-ucb uct --rounds "$rounds" "${budget[@]}" \
    --start-clock 5 --record "$folder/orchard-$name.sqlite"
