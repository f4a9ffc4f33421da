#!/usr/bin/env bash
# MAC-UCB and MAC-UCB-SYM against UCT on the games of the papers: at an equal number of simulated plays, or at equal time.
# Both seats in turn. A pairing ends after ROUNDS matches in each seating, or when a sequential test (0 against 80 Elo,
# errors of 5 %) has decided it after 30 matches. With a bound on its time there is no such test: the matches that are
# finished by then count, however few they are. Records go to FOLDER; the same command resumes from them. At the end
# comes a table of all records in FOLDER, with 95 % intervals.
# usage: [SECONDS_A_PAIRING=60] [GAMES="awale chess"] [PLAYERS=mac-ucb] [OPPONENT=uct] [ZERMELO=build/zermelo] \
#            bench/mac-ucb.sh [FOLDER] [ROUNDS] [BUDGET...]     by default mac-ucb.record, 50, --playouts 1000
# Each folder is for one opponent, by default `uct` with the constant √2 that MAC-UCB has; its own, 0.5, makes it stronger
# (OPPONENT=uct). With leaves=125 it has as many of 1,000 plays at work at the same time as mac-ucb, and is faster.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-mac-ucb.record}
rounds=${2:-50}
budget=("${@:3}")
[ ${#budget[@]} -gt 0 ] || budget=(--playouts 1000)
zermelo=${ZERMELO:-build/zermelo}
opponent=${OPPONENT:-uct:exploration=1.41421}
mkdir -p "$folder"
name=$(echo "${budget[*]}" | tr -dc '[:alnum:]-.')

# 2015, table 2, without Orchard, which is played together; 2016, table 2, the games in GDL.
first=(awale backgammon bomberman cant-stop checkers chess kaseklau othello pacman pickomino tic-tac-toe yahtzee)
second=(amazons-torus battlebrushes breakthrough-suicide chess connect-four-20x20 connect-four-simultaneous copolymer
    dots-and-boxes-suicide english-draughts free-for-all hex knight-through majorities pentago quarto shmup skirmish
    tic-tac-chess ttcc4 reversi-suicide)

ending=(--sprt 0 80 --at-least 30)
bound=()
if [ -n "${SECONDS_A_PAIRING:-}" ]; then
    ending=()
    bound=(timeout --foreground -s INT -k 30 "$SECONDS_A_PAIRING")
fi

compare() { # PLAYER GAME [OPTION...]
    case " ${PLAYERS:-$1} " in *" $1 "*) ;; *) return ;; esac
    case " ${GAMES:-$2} " in *" $2 "*) ;; *) return ;; esac
    echo "## $1 against $opponent, $2, ${budget[*]}"
    local code=0
    "${bound[@]}" "$zermelo" tournament --games "games/gdl/$2.kif" --players "$1" "$opponent" --rounds "$rounds" "${budget[@]}" \
        --start-clock 5 --record "$folder/$1-$2-$name.sqlite" "${@:3}" || code=$?
    # 124, 130: the time was up, or the tournament was interrupted
    [ $code = 0 ] || { [ ${#bound[@]} -gt 0 ] && { [ $code = 124 ] || [ $code = 130 ]; }; } || exit $code
}
for game in "${first[@]}"; do compare mac-ucb "$game" --gauntlet "${ending[@]}"; done
for game in "${second[@]}"; do compare mac-ucb-sym "$game" --gauntlet "${ending[@]}"; done
compare mac-ucb orchard --alone

echo "| player | game | matches | score against $opponent (95 %) |"
echo "|---|---|---:|---:|"
for record in "$folder"/*-"$name".sqlite; do
    "$zermelo" tournament --record "$record" --report-only --json | python3 -c '
import json, os, sys
report = json.load(sys.stdin)
title = lambda one: os.path.splitext(os.path.basename(one["game"]))[0]
for one in report.get("comparisons", []):
    share = {key: round(100 * value) for key, value in one["score"].items()}
    print("| {} | {} | {} | {value} % ({low} to {high} %) |".format(one["player"], title(one), one["matches"], **share))
if "comparisons" not in report:  # played together
    for one in report["games"]:
        goals = ", ".join("{player} {mean_goal:.0f}".format(**player) for player in one["players"])
        print("| mac-ucb | {} | {} | mean goals: {} |".format(title(one), report["matches"], goals))
' || echo "| | $(basename "$record") | 0 | |"
done
