#!/usr/bin/env bash
# Installs into a fresh prefix and uses it from outside: find_package, pkg-config, MiniZinc, the program itself.
# usage: installed.sh BUILD_DIR SOURCE_DIR
set -euo pipefail
build=$1
source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$build" --prefix "$work/prefix" >"$work/install.log"

cmake -S "$source/tests/package/consumer" -B "$work/consumer" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" >"$work/configure.log"
cmake --build "$work/consumer" >"$work/build.log" || { cat "$work/build.log"; exit 1; }
games=$work/prefix/share/zermelo/games
"$work/consumer/consumer" "$games"

PKG_CONFIG_PATH=$(find "$work/prefix" -name pkgconfig -type d) pkg-config --exists --print-errors zermelo
# shellcheck disable=SC2046
g++ -std=c++20 -o "$work/by-pkg-config" "$source/tests/package/consumer/consumer.cpp" \
    $(PKG_CONFIG_PATH=$(find "$work/prefix" -name pkgconfig -type d) pkg-config --cflags --libs zermelo)
"$work/by-pkg-config" "$games"

nim=$games/quantified/nim-fibonacci.mzn
"$work/prefix/bin/zermelo" solve "$nim" -D n=20

for page in zermelo zermelo-solve zermelo-gdl; do
    grep -q '^\.TH ' "$work/prefix/share/man/man1/$page.1"
done

export MZN_SOLVER_PATH=$work/prefix/share/minizinc/solvers
minizinc --solver zermelo "$nim" -D n=20 | tee "$work/won"
grep -q '^----------$' "$work/won"
grep -q '^==========$' "$work/won"
minizinc --solver zermelo "$nim" -D n=21 | grep -q '=====UNSATISFIABLE====='
