#!/bin/sh
# Runs the tests of what depends on other packages with the lowest versions that pyproject.toml allows: Sphinx, docutils,
# MyST, ipywidgets, and the grammars that lark reads.  $1: the Python to use.
set -eu
cd "$(dirname "$0")/.."
venv=build/lowest
rm -rf "$venv"
"${1:-python3}" -m venv "$venv"
"$venv/bin/pip" install --quiet --disable-pip-version-check -c tools/lowest.txt hatchling editables
"$venv/bin/pip" install --quiet --disable-pip-version-check -c tools/lowest.txt --no-build-isolation -e ".[all]" -e ./tests/ember \
    babel brotli build filelock hypothesis icepool myst-nb pandas pdfua pikepdf pytest pytest-timeout pytest-xdist PyYAML sphinx-copybutton \
    sphinx-design
"$venv/bin/pip" check
cd tests
"../$venv/bin/pytest" -q --numprocesses logical --dist loadfile widgets \
    core/test_claims.py core/test_expression_parser.py core/test_language_places.py core/test_notation_trees.py \
    sphinx/test_builders.py sphinx/test_mistakes.py sphinx/test_odds.py sphinx/test_odds_output.py sphinx/test_paper.py \
    sphinx/test_page_rules.py sphinx/test_pytest_plugin.py sphinx/test_reroll.py sphinx/test_rules.py sphinx/test_scenes.py \
    sphinx/test_source_locations.py sphinx/test_table_output.py
