#!/usr/bin/env bash
# python/src includes headers of include/zermelo/ and its own, and none of src/.
#   python_includes_public_headers.sh SOURCE_DIR
set -euo pipefail
source_dir=$1
rooms=$(find "$source_dir/src" -mindepth 1 -maxdepth 1 -type d -printf '%f\n' | paste -sd '|')

check() {  # DIR
    if grep -rnE "^[[:space:]]*#[[:space:]]*include[[:space:]]*[\"<](\.\./|src/|($rooms)/)" --include='*.[ch]pp' "$1"; then
        echo "the Python module may include <zermelo/…> only; offer what it needs in a header of include/zermelo/"
        return 1
    fi
}

check "$source_dir/python/src"

# It finds what it is there to find.
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
for include in '"gdl/game.hpp"' '<core/error.hpp>' '"../src/core/error.hpp"'; do
    echo "#include $include" >"$copy/wrong.cpp"
    if check "$copy" >"$copy/complaint"; then
        echo "nothing was found where #include $include was written"
        exit 1
    fi
    grep -q 'wrong.cpp:1:' "$copy/complaint"
done
