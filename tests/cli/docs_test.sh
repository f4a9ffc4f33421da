#!/usr/bin/env bash
# Runs what the documentation tells people to run: every ```sh block, and every ```cpp block as a program. Also follows
# every link, and looks for every path of this repository that a page names in `backticks`.
# usage: docs_test.sh BUILD_DIR SOURCE_DIR
set -euo pipefail
build=$1
source=$(cd "$2" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Lines that are not run: they build, test, install or set up a clone.
skipped='^(sudo |make |apt-get |git )'

# Seen from here, this directory is the source tree, with the build in its usual place; what commands write stays here.
mkdir "$work/tree"
for entry in "$source"/*; do
    case $(basename "$entry") in
        build*) ;;
        *) ln -s "$entry" "$work/tree/" ;;
    esac
done
build=$(cd "$build" && pwd)
ln -s "$build" "$work/tree/build"
export PATH=$build:$PATH
export XDG_STATE_HOME=$work/state XDG_CACHE_HOME=$work/cache
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1  # in a container one often is

# All pages, by their path in the source tree.
pages=$(cd "$source" && ls README.md CHANGELOG.md CONTRIBUTING.md && find docs -name '*.md' | sort)

# Writes the blocks of a language into files: blocks FILE LANGUAGE FOLDER
blocks() {
    awk -v language="$2" -v folder="$3" '
        /^```/ { if (inside) inside = 0; else if ($0 == "```" language) { inside = 1; ++count } ; next }
        inside { print > sprintf("%s/%02d.%s", folder, count, language) }' "$1"
}

# The headings of a page as links name them.
anchors() {
    awk '/^```/ { inside = !inside; next } !inside && /^#+ / { sub(/^#+ /, ""); print tolower($0) }' "$1" |
        sed -e 's/[^a-z0-9 _-]//g' -e 's/ /-/g'
}

failed=0
complain() {
    echo "$1"
    failed=1
}

# --- links and paths

for page in $pages; do
    folder=$(dirname "$source/$page")
    while read -r link; do
        file=${link%%#*}
        anchor=
        [ "$file" = "$link" ] || anchor=${link#*#}
        target=$source/$page
        [ -z "$file" ] || target=$folder/$file
        if [ ! -e "$target" ]; then
            complain "$page: there is no $link"
        elif [ -n "$anchor" ] && ! anchors "$target" | grep -qxF -- "$anchor"; then
            complain "$page: $link names no heading"
        fi
    done < <(grep -oE '\]\([^) ]+\)' "$source/$page" | sed -e 's/^](//' -e 's/)$//' | grep -vE '^(https?|mailto):' || true)
    while read -r path; do
        (cd "$source" && compgen -G "$path" >/dev/null) || complain "$page: there is no $path"
    done < <(grep -oE '`(src|games|tests|docs|bench|share|scripts|web|include|cmake|fuzz|python)/[^` …<A-Z]*`' "$source/$page" |
        tr -d '`' || true)
    if grep -nE 'seed ?00[0-9]' "$source/$page"; then complain "$page: cite an author and a year"; fi
done

# --- lessons in two languages: the same commands

for page in "$source"/docs/tutorial/*.md; do
    translated=$source/docs/tutorial/fr/$(basename "$page")
    mkdir -p "$work/en" "$work/fr"
    rm -f "$work"/en/* "$work"/fr/*
    blocks "$page" sh "$work/en"
    blocks "$translated" sh "$work/fr"
    diff -r "$work/en" "$work/fr" || complain "$translated: the commands are not those of $page"
done

# --- commands

commands=0
for page in $pages; do
    name=$work/blocks/$page
    mkdir -p "$name"
    blocks "$source/$page" sh "$name"
    blocks "$source/$page" cpp "$name"
    # One shell for a page, because later blocks use what earlier ones have made.
    {
        echo 'set -euo pipefail'
        for block in "$name"/*.sh; do
            [ -e "$block" ] || continue
            grep -Ev "$skipped" "$block" || true
        done
    } >"$name/script"
    [ "$(wc -l <"$name/script")" -gt 1 ] || continue
    if grep -q '^mpirun ' "$name/script" && { ! command -v mpirun >/dev/null || [ ! -e "$build/libzermelo_mpi.so" ]; }; then
        echo "$page: not run, because there is no MPI here"
        continue
    fi
    commands=$((commands + $(wc -l <"$name/script") - 1))
    if ! (cd "$work/tree" && bash -x "$name/script" </dev/null >"$work/log" 2>&1); then
        complain "$page: a command fails:"
        tail -n 20 "$work/log"
    fi
done

# --- programs

programs=0
for page in $pages; do
    for program in "$work/blocks/$page"/*.cpp; do
        [ -e "$program" ] || continue
        programs=$((programs + 1))
        if ! c++ -std=c++20 -Wall -Wextra -I"$source/include" -I"$source/src" -I"$build/include" -o "$work/program" "$program" \
            -L"$build" $(PKG_CONFIG_PATH="$build" pkg-config --libs zermelo) ||
            ! (cd "$work/tree" && ../program); then
            complain "$page: program $(basename "$program" .cpp) fails"
        fi
    done
done

echo "$(wc -w <<<"$pages") pages, $commands lines of shell, $programs programs"
[ "$commands" -gt 200 ] && [ "$programs" -ge 8 ] || complain "the documentation has lost its examples"
exit $failed
