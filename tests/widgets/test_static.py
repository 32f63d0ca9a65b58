"""What is sent to a page: how large it is, what its scripts never do, and whether their types hold."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from dicedocs_widgets import front

ROOT = Path(__file__).resolve().parents[2]
STATIC = ROOT / "widgets" / "dicedocs_widgets" / "static"
BUDGET = 24 * 1024


def test_module_and_styles_are_small_as_they_are_saved():
    shared, _ = front.front({"shapes": {}})
    assert len(shared.unpack) + len(shared.packed) <= BUDGET


def test_the_name_of_what_is_packed_depends_on_no_packing(monkeypatch):
    before, _ = front.front({"shapes": {}})
    name = before.hash
    before.close()
    monkeypatch.setattr(front, "packed", lambda: "packed by another zlib")
    after, _ = front.front({"shapes": {}})
    assert (after.hash, after.packed) == (name, "packed by another zlib")


def test_nothing_but_escaped_html_is_set_as_html():
    text = (STATIC / "panel.mjs").read_text(encoding="utf-8")
    assert text.count("innerHTML") == 2  # a drawing, and the working of an outcome
    for never in ("insertAdjacentHTML", "outerHTML", "eval(", "Function(", "http", "import("):
        assert never not in text, never


def test_the_types_hold():
    if shutil.which("npx") is None:
        if os.environ.get("CI"):
            pytest.fail("there is no Node, and in CI the types must be checked")
        pytest.skip("there is no Node")
    command = ["sh", str(ROOT / "tools" / "types.sh")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
