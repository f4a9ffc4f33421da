#!/usr/bin/env bash
# A campaign agrees on a few cases of each kind; it counts, keeps and runs again what disagrees or crashes.
#   campaign_test.sh CAMPAIGN
set -uo pipefail
campaign=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "$1" >&2; cat "$folder/out" >&2; exit 1; }

"$campaign" --cases "${ZERMELO_CASES:-12}" --keep "$folder/none" >"$folder/out" 2>&1 || fail "random cases disagree"
[ ! -e "$folder/none" ] || fail "a case was kept though nothing disagreed"

"$campaign" --only disagreeing crashing --cases 4 --keep "$folder/kept" >"$folder/out" 2>&1
[ $? -eq 1 ] || fail "disagreements do not show in the exit code"
grep -q '^all  *8 cases, 4 disagreements' "$folder/out" || fail "wrong counts"
[ "$(ls "$folder/kept" | tr '\n' ' ')" = "crashing-2.txt crashing-4.txt disagreeing-2.txt disagreeing-4.txt " ] ||
    fail "wrong files: $(ls "$folder/kept")"
"$campaign" "$folder/kept/disagreeing-2.txt" >"$folder/out" 2>&1
[ $? -eq 1 ] || fail "a file that was kept does not disagree again"
grep -q 'even seeds disagree on purpose' "$folder/out" || fail "it does not say why"
