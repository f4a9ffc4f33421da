#!/usr/bin/env bash
# Two players as processes of their own, a manager, and a machine that is busy with something else: matches over the GGP
# protocol in ten games, for one to four players, with open and hidden moves. Prints faults, and what was left on the clocks.
# usage: bench/protocol.sh [ROUNDS]     matches of each game, by default 10
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${1:-10}
zermelo=build/zermelo
work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$work"' EXIT

ports=()
for name in one two; do
    $zermelo player --port 0 --matches 4 --no-journal --name "$name" --log "$work/$name.log" >"$work/$name.out" &
done
for name in one two; do
    until grep -q http "$work/$name.out"; do sleep 0.1; done
    ports+=("$(grep -o '[0-9]*/$' "$work/$name.out" | tr -d /)")
done
for _ in $(seq "$(nproc)"); do (while :; do :; done) & done

a=http://127.0.0.1:${ports[0]}
b=http://127.0.0.1:${ports[1]}
matches=0
faults=0
manage() {
    local game=$1
    shift
    local report="$work/report.json"
    $zermelo manage "games/gdl/$game.kif" "$@" --rounds "$rounds" --startclock 1 --playclock 1 --grace 0 --json >"$report"
    local played wrong
    played=$(grep -c '"match":' "$report")
    wrong=$(grep -c '"fault":' "$report" || true)
    printf '%-22s %4d matches %4d faults\n' "$game" "$played" "$wrong"
    matches=$((matches + played))
    faults=$((faults + wrong))
}
manage tic-tac-toe "$a" "$b"
manage nim "$a" "$b"
manage connect-four "$a" "$b"
manage breakthrough-small "$a" "$b"
manage dice-race "$a" "$b"
manage kuhn-poker "$a" "$b"
manage latent-tic-tac-toe "$a" "$b"
manage rock-paper-scissors "$a" "$b"
manage monty-hall "$a"
manage four-in-turn "$a" "$b" "$a" "$b"
echo "$matches matches, $faults faults"

# What was left on the play-clock, of 1 s, when a move left.
cat "$work"/one.log "$work"/two.log | grep -o '"left":[-0-9.e]*' | cut -d: -f2 | sort -g | awk '
    { left[NR] = $1; if ($1 < 0.1) few++ }
    END {
        printf "%d moves; left on the clock: least %.3f s, 0.1 %% below %.3f s, 1 %% below %.3f s, half below %.3f s\n",
            NR, left[1], left[int(NR / 1000) + 1], left[int(NR / 100) + 1], left[int(NR / 2) + 1]
        printf "with less than 0.1 s: %d\n", few
    }'
[ "$faults" -eq 0 ]
