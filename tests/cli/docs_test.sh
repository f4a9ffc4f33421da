#!/usr/bin/env bash
# Runs what the documentation tells people to run: every ```sh block, and every ```cpp block as a program.
# usage: docs_test.sh BUILD_DIR SOURCE_DIR
set -euo pipefail
build=$1
source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Lines that are not run: they build, test or install.
skipped='^(sudo |make |apt-get )'

# Seen from here, this directory is the source tree, with the build in its usual place; what commands write stays here.
mkdir "$work/tree"
for entry in "$source"/*; do
    case $(basename "$entry") in
        build*) ;;
        *) ln -s "$entry" "$work/tree/" ;;
    esac
done
ln -s "$build" "$work/tree/build"
export PATH=$build:$PATH
export XDG_STATE_HOME=$work/state
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1  # in a container one often is

# Writes the blocks of a language into files: blocks FILE LANGUAGE PREFIX
blocks() {
    awk -v language="$2" -v prefix="$3" '
        /^```/ { if (inside) inside = 0; else if ($0 == "```" language) { inside = 1; ++count } ; next }
        inside { print > sprintf("%s%02d.%s", prefix, count, language) }' "$1"
}

failed=0
commands=0
for document in "$source"/README.md "$source"/CHANGELOG.md "$source"/docs/*.md; do
    name=$(basename "$document" .md)
    blocks "$document" sh "$work/$name-"
    blocks "$document" cpp "$work/$name-"
    # One shell for a document, because later blocks use what earlier ones have made.
    {
        echo 'set -euo pipefail'
        for block in "$work/$name"-*.sh; do
            [ -e "$block" ] || continue
            grep -Ev "$skipped" "$block" || true
        done
    } >"$work/$name.script"
    [ "$(wc -l <"$work/$name.script")" -gt 1 ] || continue
    if grep -q '^mpirun ' "$work/$name.script" && { ! command -v mpirun >/dev/null || [ ! -e "$build/libzermelo_mpi.so" ]; }; then
        echo "$document: not run, because there is no MPI here"
        continue
    fi
    commands=$((commands + $(wc -l <"$work/$name.script") - 1))
    if ! (cd "$work/tree" && bash -x "$work/$name.script" </dev/null >"$work/log" 2>&1); then
        echo "$document: a command fails:"
        tail -n 20 "$work/log"
        failed=1
    fi
done

programs=0
for program in "$work"/*.cpp; do
    [ -e "$program" ] || continue
    programs=$((programs + 1))
    if ! c++ -std=c++20 -Wall -Wextra -I"$source/include" -I"$source/src" -I"$build/include" -o "$work/program" "$program" \
        -L"$build" -lzermelo_quantified -lzermelo_kernel -lzermelo_strategy -lzermelo_symmetry -lzermelo_gdl -lzermelo_model -lzermelo_core \
        -lgecodeminimodel -lgecodesearch -lgecodeint -lgecodekernel -lgecodesupport -lnauty -lfmt ||
        ! (cd "$work" && ./program); then
        echo "$(basename "$program" .cpp): this program of the documentation fails"
        failed=1
    fi
done

echo "$commands lines of shell, $programs programs"
[ "$commands" -gt 10 ] && [ "$programs" -ge 2 ] || { echo "the documentation has lost its examples"; failed=1; }
exit $failed
