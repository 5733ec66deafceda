#!/usr/bin/env bash
# Builds the Python wheel, installs it into an environment of its own and tests it there.
# With WHEEL_DIR set, the wheel is left there. Needs Rust, Python with venv, and a package index.
set -euo pipefail
cd "$(dirname "$0")/.."
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
wheels="${WHEEL_DIR:-$work/wheels}"
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/target}"

echo "-- lint and format"
cargo fmt --check --manifest-path crates/muslin-py/Cargo.toml
cargo clippy --release --manifest-path crates/muslin-py/Cargo.toml --all-targets -- -D warnings

echo "-- wheel"
python3 -m venv "$work/build"
"$work/build/bin/pip" install --quiet "maturin>=1.7,<2"
"$work/build/bin/maturin" build --release --locked --quiet --out "$wheels"

echo "-- a clean environment"
python3 -m venv "$work/clean"
"$work/clean/bin/pip" install --quiet "$wheels"/muslin-*.whl pytest mypy
# From another folder, so that nothing but the wheel is found.
tests="$PWD/crates/muslin-py/tests" tools="$PWD/tools"
cd "$work"
"$work/clean/bin/python" -c 'import muslin; print("muslin", muslin.__version__, "in", muslin.__file__)'
"$work/clean/bin/muslin" gallery --quiet >/dev/null
"$work/clean/bin/python" -m mypy --strict --package muslin
"$work/clean/bin/python" -m doctest -v "$("$work/clean/bin/python" -c 'import muslin; print(muslin.__file__)')" >/dev/null
"$work/clean/bin/python" -m pytest --quiet -p no:cacheprovider "$tests"

echo "-- overhead and memory"
"$work/clean/bin/python" "$tools/measure_python.py" "${MUSLIN_PYTHON_FRAMES:-2000}"
