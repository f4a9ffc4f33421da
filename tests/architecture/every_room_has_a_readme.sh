#!/usr/bin/env bash
# README.md of a room says what the room owns and what it may not know.
#   every_room_has_a_readme.sh SOURCE_DIR
set -euo pipefail
cd "$1"

missing=0
for room in src/*/; do
    [ -s "${room}README.md" ] && continue
    echo "${room}README.md is missing; say there what the room owns and what it may not know"
    missing=1
done
exit $missing
