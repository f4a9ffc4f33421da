#!/usr/bin/env bash
# scripts/include-graph finds what it is there to find: in a copy of the sources, one thing at a time is made wrong.
#   against_the_arrows.sh SOURCE_DIR
set -euo pipefail

source_dir=$1
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -r "$source_dir/src" "$source_dir/include" "$source_dir/CMakeLists.txt" "$copy"
check() { "$source_dir/scripts/include-graph" --check --root "$copy"; }

# The complaint that is expected, after FILE was changed by the sed program PROGRAM.
expect_complaint() {  # FILE PROGRAM COMPLAINT
    cp "$copy/$1" "$copy/before"
    sed -i "$2" "$copy/$1"
    if complaints=$(check); then
        echo "nothing was found after this change of $1: $2"
        exit 1
    fi
    if ! grep -qF -e "$3" <<<"$complaints"; then
        printf 'after this change of %s: %s\nthis was expected: %s\nand this was said:\n%s\n' "$1" "$2" "$3" "$complaints"
        exit 1
    fi
    mv "$copy/before" "$copy/$1"
}

check
expect_complaint src/core/error.hpp '1i #include "cli/command.hpp"' \
    'src/core/error.hpp:1: room core includes cli/command.hpp, which CMakeLists.txt does not let it'
expect_complaint src/model/model.hpp '1i #  include "strategy/strategy.hpp"' \
    'src/model/model.hpp:1: room model includes strategy/strategy.hpp'
expect_complaint include/zermelo/zermelo.hpp '$a #include "cli/command.hpp"' 'room zermelo includes cli/command.hpp'
expect_complaint CMakeLists.txt 's/^zermelo_room(core /&USES model /' 'the rooms go in a circle: core → model → core'
expect_complaint src/game/graph/graph.hpp '1i #include "game/explore/explore.hpp"' \
    'the folders go in a circle: src/game/graph → src/game/explore → src/game/graph'
expect_complaint CMakeLists.txt 's/^zermelo_room(net USES /&gdl /' 'room net names gdl and includes nothing of it'
expect_complaint CMakeLists.txt '/^zermelo_room(catalogue /d' 'src/catalogue: CMakeLists.txt has no room catalogue'
