"""Builds of a small generated book are equal; `make equal` compares more ways, more edits and more pages.

`test_staleness.py` compares builds of a book that is written by hand.
"""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).parents[2]
TOOL = ROOT / "tools/equal.py"
EDITS = ["change a character", "swap two names on two pages"]


def compare(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, TOOL, "--pages", "6", *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_builds_are_equal_however_they_came_about():
    done = compare("--ways", "text", "--edited", "text", "--edits", *EDITS)
    lines = done.stdout.splitlines()
    assert done.returncode == 0, done.stdout + done.stderr
    assert [line[:7] for line in lines] == ["equal  "] * (2 + 2 * len(EDITS)) + ["0 diffe"]
