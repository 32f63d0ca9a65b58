"""The static files of a panel: their size, what the scripts never do, and their types."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from dicedocs_widgets import frontend

ROOT = Path(__file__).resolve().parents[2]
STATIC = ROOT / "widgets" / "dicedocs_widgets" / "static"
BUDGET = 24 * 1024


def test_the_saved_module_and_styles_are_small():
    shared, _ = frontend.shared_frontend({"shapes": {}})
    assert len(shared.unpack) + len(shared.packed) <= BUDGET


def test_the_hash_does_not_depend_on_the_compression(monkeypatch):
    before, _ = frontend.shared_frontend({"shapes": {}})
    hash = before.hash
    before.close()
    monkeypatch.setattr(frontend, "packed", lambda: "packed by another zlib")
    after, _ = frontend.shared_frontend({"shapes": {}})
    assert (after.hash, after.packed) == (hash, "packed by another zlib")


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
