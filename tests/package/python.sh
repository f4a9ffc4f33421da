#!/usr/bin/env bash
# The Python module where it is installed: by make install below a prefix, and by pip in a fresh virtual environment
# without a network. Both run the README's program.
# usage: python.sh BUILD_DIR SOURCE_DIR PYTHON
set -euo pipefail
build=$1
source=$2
python=$3
unset PYTHONPATH
export PYTHONDONTWRITEBYTECODE=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
awk '/^```/ { inside = $0 == "```python"; next } inside' "$source/README.md" >"$work/readme.py"
[ -s "$work/readme.py" ]

cmake --install "$build" --prefix "$work/prefix" >"$work/install.log"
packages=$(find "$work/prefix/lib" -type d -path '*-packages/zermelo' -exec dirname {} \;)
cd "$work"
PYTHONPATH=$packages "$python" readme.py
PYTHONPATH=$packages "$python" -c "
import zermelo
assert zermelo.__file__.startswith('$work/prefix')
assert zermelo.solve(zermelo.load('nim-fibonacci', parameters={'n': 8})).outcome == 'lost'"

if ! "$python" -m venv env >venv.log 2>&1; then
    echo "skipped: this Python makes no virtual environments"
    exit 0
fi
env/bin/pip install --quiet --no-index --config-settings build-dir="$build" "$source"
env/bin/python readme.py
env/bin/python -c "
import zermelo
assert zermelo.__file__.startswith('$work/env')
assert zermelo.solve(zermelo.load('nim-fibonacci', parameters={'n': 8})).outcome == 'lost'"
env/bin/pip uninstall --quiet --yes zermelo
