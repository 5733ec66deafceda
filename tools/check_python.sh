#!/usr/bin/env bash
# Builds the Python wheel, installs it into an environment of its own and tests it there.
#
#   tools/check_python.sh
#
# WHEEL_DIR=folder      leave the wheel there
# MUSLIN_PYTHON_FRAMES  frames over which memory must stay flat (2000; R9 asks for 10000)
#
# Needs Rust, Python with venv, and a package index. Nothing is skipped: what is missing is an error.
set -euo pipefail
cd "$(dirname "$0")/.."
root="$PWD"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
wheels="${WHEEL_DIR:-$work/wheels}"
mkdir -p "$wheels"
wheels="$(cd "$wheels" && pwd)"
python="${PYTHON:-python3}"
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$root/target}"
export PIP_DISABLE_PIP_VERSION_CHECK=1
# What is tested is the package, not how well it is optimised across crates.
export CARGO_PROFILE_RELEASE_LTO="${CARGO_PROFILE_RELEASE_LTO:-false}"
export CARGO_PROFILE_RELEASE_DEBUG="${CARGO_PROFILE_RELEASE_DEBUG:-0}"

say() { printf -- '-- %s (%d s)\n' "$*" "$SECONDS"; }

say "environments"
"$python" -m venv "$work/build"
"$python" -m venv "$work/clean"
"$work/build/bin/pip" install --quiet "maturin>=1.7,<2"

say "wheel"
"$work/build/bin/maturin" build --release --locked --quiet \
  --interpreter "$work/build/bin/python" --out "$work/wheel"
wheel="$(echo "$work"/wheel/muslin-*.whl)"
test -f "$wheel"
case "$wheel" in *-abi3-*) ;; *) echo "$wheel is no abi3 wheel" >&2; exit 1 ;; esac
cp "$wheel" "$wheels/"

say "a clean environment"
"$work/clean/bin/pip" install --quiet "$wheel" pytest mypy
# From another folder, so that nothing but the wheel is found.
cd "$work"
in_clean() { "$work/clean/bin/python" "$@"; }
in_clean -c 'import muslin; print("muslin", muslin.__version__, "in", muslin.__file__)'
in_clean -c 'import muslin, sys; sys.exit("site-packages" not in muslin.__file__)'
"$work/clean/bin/muslin" gallery --quiet >/dev/null
in_clean -m muslin --version

say "types and docstrings"
in_clean -m mypy --strict --package muslin
in_clean -c 'import doctest, muslin, sys
found = doctest.testmod(muslin)
print(found)
sys.exit(found.failed > 0 or found.attempted == 0)'

say "tests and examples"
in_clean -m pytest --quiet -p no:cacheprovider --durations=5 "$root/crates/muslin-py/tests"

say "overhead and memory"
in_clean "$root/tools/measure_python.py" "${MUSLIN_PYTHON_FRAMES:-2000}"

say "done"
