#!/usr/bin/env bash
# What several processes on this machine take to list and value all positions of Connect-Four, and what the model of
# docs/dev/cluster.md says they should: work per state, bytes per state, and a time for each level.
# usage: bench/cluster.sh [COLUMNS ROWS]     by default 5 4
set -euo pipefail
cd "$(dirname "$0")/.."
columns=${1:-5}
rows=${2:-4}
zermelo=$PWD/build/zermelo
cores=$(nproc)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

number() { sed -n "s/^  \"$1\": \([0-9.e+-]*\),*$/\1/p" "$2"; }
sum() { sed -n "s/^      \"$1\": \([0-9.e+-]*\),*$/\1/p" "$2" | awk '{ s += $1 } END { print s }'; }
levels() { # PROCESSES FILE OUT
    mpirun --oversubscribe -n "$1" "$zermelo" solve "$2" --engine levels --no-check --no-symmetry --json >"$3"
}

# A game of one move at a time, so long that it takes nothing but levels.
length=2000
awk -v n=$length 'BEGIN {
    printf "{\"format\": \"zermelo-graph\", \"version\": 1, \"players\": [\"a\"], \"initial\": \"s0\", \"states\": [\n"
    for (i = 0; i < n; ++i) printf "{\"name\": \"s%d\", \"player\": \"a\", \"moves\": [{\"to\": \"s%d\"}]},\n", i, i + 1
    printf "{\"name\": \"s%d\", \"winner\": \"a\"}]}\n", n
}' >"$work/chain.json"
"$zermelo" generate connect-four --columns "$columns" --rows "$rows" -o "$work/four.kif"

printf '%9s %10s %9s %9s %9s %12s %12s %14s %14s\n' processes states seconds predicted 'CPU s' 'bytes sent' 'a state' \
    'ms a level' 'peak a state'
for n in 1 2 4 8; do
    levels $n "$work/chain.json" "$work/chain.out"
    levels $n "$work/four.kif" "$work/four.out"
    states=$(number states "$work/four.out")
    seconds=$(number wall_seconds "$work/four.out")
    cpu=$(number cpu_seconds "$work/four.out")
    depth=$(number levels "$work/four.out")
    sent=$(sum bytes_sent "$work/four.out")
    peak=$(sum peak_bytes "$work/four.out")
    latency=$(awk -v t="$(number wall_seconds "$work/chain.out")" -v n=$length 'BEGIN { print t / n }')
    # Work is measured by one process, and what sending costs by two; from there on the model predicts.
    [ $n != 1 ] || own=$cpu
    [ $n != 2 ] || sending=$(awk -v c="$cpu" -v o="$own" -v b="$sent" 'BEGIN { print (c - o) / b }')
    awk -v n=$n -v states="$states" -v seconds="$seconds" -v cpu="$cpu" -v sent="$sent" -v peak="$peak" -v depth="$depth" \
        -v latency="$latency" -v own="$own" -v sending="${sending:-0}" -v cores="$cores" 'BEGIN {
        used = n < cores ? n : cores
        predicted = (own + sending * sent) / used + depth * latency
        printf "%9d %10d %9.2f %9.2f %9.2f %12d %12.1f %14.3f %14.1f\n", n, states, seconds, predicted, cpu, sent, sent / states,
            1000 * latency, peak / states }'
done
