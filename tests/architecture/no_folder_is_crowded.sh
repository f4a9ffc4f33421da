#!/usr/bin/env bash
# A folder of src/ or python/src/ that has more than twenty files of C++ wants to be two.
#   no_folder_is_crowded.sh SOURCE_DIR
set -euo pipefail
cd "$1"

find src python/src -name '*.[ch]pp' | sed 's|/[^/]*$||' | sort | uniq -c | awk '
    $1 > 20 { print $2 ": " $1 " files, and 20 are the most; split it into sub-rooms"; bad = 1 }
    END { exit bad }'
