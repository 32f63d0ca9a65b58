#!/bin/sh
# Runs all tests except those in tests/browser with the lowest versions that pyproject.toml allows.  $1: the Python to use.
set -eu
cd "$(dirname "$0")/.."
venv=build/lowest
rm -rf "$venv"
"${1:-python3}" -m venv "$venv"
"$venv/bin/pip" install --quiet --disable-pip-version-check -c tools/lowest.txt hatchling editables
"$venv/bin/pip" install --quiet --disable-pip-version-check -c tools/lowest.txt --no-build-isolation -e ".[all,dev]" -e ./tests/ember
"$venv/bin/pip" check
"$venv/bin/pytest" --numprocesses logical --dist loadfile tests/core tests/sphinx tests/systems tests/conformance tests/widgets tests/notebooks tests/compat
