#!/usr/bin/env bash
# Instructions a step and node of curtains from 240 to 250,000 nodes, counted by callgrind: the difference
# of two runs of different length, so that building the curtain does not count.
# The last line says how far the counts are from the straight line `instructions = b nodes` that fits them best.
# With an argument `collide`, cloth collides with itself. Needs Rust and valgrind; takes some minutes.
set -euo pipefail
cd "$(dirname "$0")/.."
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/target}"
cargo build --release --quiet -p muslin --example curtain_bench
bench="$CARGO_TARGET_DIR/release/examples/curtain_bench"
more=""
[ "${1:-}" = collide ] && more="--collide"

# Instructions of a run of $2 frames of a curtain of $1 nodes.
count() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null \
        "$bench" --nodes "$1" --frames "$2" $more 2>&1 >/dev/null |
        sed -n 's/.*Collected *: *\([0-9]*\).*/\1/p'
}

echo "| nodes | instructions a step | a step and node |"
echo "|---|---|---|"
for nodes in 240 1000 4000 16000 64000 250000; do
    first=2 last=6
    [ "$nodes" -le 4000 ] && last=42
    real=$("$bench" --nodes "$nodes" --frames 1 $more | sed -n 's/.* \([0-9]*\) nodes.*/\1/p')
    each=$((($(count "$nodes" $last) - $(count "$nodes" $first)) / (last - first)))
    echo "| $real | $each | $((each / real)) |"
    echo "$((each / real))" >&3
done 3> >(awk 'NR == 1 || $1 < low { low = $1 } $1 > high { high = $1 }
    END { printf "off the line by at most %.1f %%\n", 100 * (high - low) / (high + low) }')
wait
