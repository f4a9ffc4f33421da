#!/usr/bin/env bash
# Are limits kept? Each engine on each game, once with a time limit and once with a memory limit: how long it took by the clock
# and in CPU seconds, how many CPU seconds it went on when the time was over, and how much memory it used at its peak. On a
# busy machine the clock says little, and what was used after the limit says most.
# usage: bench/limits.sh [--json] [SECONDS] [MEGABYTES] [SECONDS_FOR_MEMORY]     by default 0.5,2 and 300,1000 and 5
#        ENGINES="…" GAMES="…" ZERMELO=… restrict it, or measure another program
# SECONDS and MEGABYTES are lists with commas. ! marks what is out of bounds: more than 10 % over the limit, and more than 50 ms.
set -euo pipefail
cd "$(dirname "$0")/.."
json=
if [ "${1:-}" = --json ]; then
    json=1
    shift
fi
IFS=, read -ra seconds <<<"${1:-0.5,2}"
IFS=, read -ra megabytes <<<"${2:-300,1000}"
longer=${3:-5}
zermelo=${ZERMELO:-build/zermelo}
read -ra engines <<<"${ENGINES:-attractors alpha-beta proof-number quantified strategic value-iteration expectimax equilibrium}"
read -ra games <<<"${GAMES:-chess amazons-torus othello checkers backgammon connect-four breakthrough hex yahtzee quarto}"
published=../shared/gdl/chess.kif
[ -n "${GAMES:-}" ] || [ ! -f $published ] || games+=("$published")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
TIMEFORMAT='%R %U %S'

# Prints: what came out, seconds by the clock, CPU seconds, those after SECONDS, peak in MB.
run() { # FILE ENGINE SECONDS OPTION...
    local file=$1 engine=$2 limit=$3 times stop peak pid
    shift 3
    : >"$work/stat"
    times=$({ time {
        $zermelo solve "$file" --engine "$engine" --no-check --json --time-limit "$limit" "$@" >"$work/out" 2>"$work/err" &
        pid=$!
        (sleep "$limit" && cat "/proc/$pid/stat" >"$work/stat") 2>/dev/null &
        wait $pid || true
    }; } 2>&1)
    stop=$(sed -n 's/^  "stop": "\{0,1\}\([^",]*\).*/\1/p' "$work/out")
    peak=$(sed -n 's/^  "peak_bytes": \([0-9]*\).*/\1/p' "$work/out")
    case $stop in
        '') stop=refused ;;
        null | finished) stop=solved ;;
        time*) stop=time ;;
        memory*) stop=memory ;;
    esac
    echo "$times $(cut -d' ' -f14,15 "$work/stat")" | awk -v stop="$stop" -v peak="${peak:-0}" -v ticks="$(getconf CLK_TCK)" '{
        cpu = $2 + $3
        late = NF < 5 ? 0 : cpu - ($4 + $5) / ticks
        printf "%s %.2f %.2f %.2f %d\n", stop, $1, cpu, late < 0 ? 0 : late, peak / 1048576
    }'
}

# ! where the second is out of the bounds that the first sets, otherwise a blank.
mark() { # LIMIT USED LEAST
    awk -v limit="$1" -v used="$2" -v least="$3" 'BEGIN {
        over = limit / 10 > least ? limit / 10 : least
        print (used > limit + over ? "!" : "_")
    }'
}

if [ -z "$json" ]; then
    printf '%-16s %-16s' game engine
    for s in "${seconds[@]}"; do printf ' | %-8s %7s %7s %7s ' "$s s" clock CPU late; done
    for m in "${megabytes[@]}"; do printf ' | %-8s %7s ' "$m MB" peak; done
    printf '\n'
else
    echo "["
fi
separator=
combinations=0
out_of_bounds=0
for game in "${games[@]}"; do
    file=$game
    [ -f "$file" ] || file=games/gdl/$game.kif
    name=$(basename "$file" .kif)
    [ "$file" != $published ] || name=chess-published
    for engine in "${engines[@]}"; do
        line=$(printf '%-16s %-16s' "$name" "$engine")
        times=
        memories=
        for s in "${seconds[@]}"; do
            read -r stop clock cpu late _ < <(run "$file" "$engine" "$s")
            over=$(mark "$s" "$clock" 0.05)
            combinations=$((combinations + 1))
            [ "$over" = _ ] || out_of_bounds=$((out_of_bounds + 1))
            line+=$(printf ' | %-8s %7s %7s %7s%s' "$stop" "$clock" "$cpu" "$late" "${over/_/ }")
            times+=${times:+,}$(printf '{"limit":%s,"stop":"%s","wall_seconds":%s,"cpu_seconds":%s,"late_cpu_seconds":%s}' \
                "$s" "$stop" "$clock" "$cpu" "$late")
        done
        for m in "${megabytes[@]}"; do
            read -r stop _ _ _ peak < <(run "$file" "$engine" "$longer" --memory-limit "${m}M")
            over=$(mark "$m" "$peak" 0)
            combinations=$((combinations + 1))
            [ "$over" = _ ] || out_of_bounds=$((out_of_bounds + 1))
            line+=$(printf ' | %-8s %7s%s' "$stop" "$peak" "${over/_/ }")
            memories+=${memories:+,}$(printf '{"limit":%s,"stop":"%s","peak_megabytes":%s}' "$m" "$stop" "$peak")
        done
        if [ -z "$json" ]; then
            echo "$line"
        else
            printf '%s{"game":"%s","engine":"%s","time":[%s],"memory":[%s]}' "$separator" "$name" "$engine" "$times" "$memories"
            separator=$',\n'
        fi
    done
done
if [ -n "$json" ]; then
    printf '\n]\n'
else
    echo "$combinations combinations of game, engine and limit, $out_of_bounds out of bounds"
fi
