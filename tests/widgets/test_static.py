"""The static files of a panel: their size, what the scripts never do, and their types."""

import os
import re
import shutil
import subprocess
from base64 import b64decode
from pathlib import Path

import pytest

from dicedocs.panel.session import Session
from dicedocs_widgets import frontend

ROOT = Path(__file__).resolve().parents[2]
STATIC = ROOT / "widgets" / "dicedocs_widgets" / "static"
BUDGET = 20 * 1024


def test_the_saved_module_and_styles_are_small(monkeypatch):
    # Another test in this process may have shown panels of other mechanics and in other languages.
    monkeypatch.setattr(frontend, "_shared", [])
    shared, _ = frontend.shared_frontend(Session("mecha-vs-kaiju/action").form())
    assert len(b64decode(shared.packed)) <= BUDGET
    # With all that a notebook with one panel saves once, as the text that it is.
    saved = [shared.unpack, shared.packed, *shared.forms.values(), *shared.texts.values()]
    assert sum(map(len, saved)) <= 33 * 1024


def test_the_hash_does_not_depend_on_the_compression(monkeypatch):
    before, _ = frontend.shared_frontend({"shapes": {}, "language": "en", "texts": {}})
    hash = before.hash
    before.close()
    monkeypatch.setattr(frontend, "pack", lambda _text: "packed by another zlib")
    after, _ = frontend.shared_frontend({"shapes": {}, "language": "en", "texts": {}})
    assert (after.hash, after.packed) == (hash, "packed by another zlib")


def test_nothing_but_escaped_html_is_set_as_html():
    text = frontend.joined("panel.mjs")
    assert text.count("innerHTML") == 2  # a drawing, and the working of an outcome
    for never in ("insertAdjacentHTML", "outerHTML", "eval(", "Function(", "http", "import("):
        assert never not in text, never


def declared(name):
    """Return the names that a module declares outside of its functions."""
    return re.findall(r"^(?:export )?(?:const|let) (\w+)", (STATIC / name).read_text("utf-8"), re.MULTILINE)


def test_a_joined_module_has_each_module_once_after_those_that_it_imports():
    order = [*frontend.imports("panel.mjs"), "panel.mjs"]
    for name in order:
        lines = (STATIC / name).read_text("utf-8").splitlines()
        imported = {line.split('"')[1].removeprefix("./") for line in lines if line.startswith("import ")}
        assert imported <= set(order[: order.index(name)]), name
    names = [one for name in order for one in declared(name)]
    assert len(names) == len(set(names)) > len(order)  # they are in one scope
    text = frontend.joined("panel.mjs")
    assert [len(re.findall(f"(?:const|let) {one} =", text)) for one in ("render", "labelled", "texts")] == [1, 1, 1]
    exported = [line for line in lines if line.startswith("export ")]
    assert re.findall(r"^(?:import|export) .*", text, re.MULTILINE) == exported


def test_the_types_hold():
    if shutil.which("npx") is None:
        if os.environ.get("CI"):
            pytest.fail("there is no Node, and in CI the types must be checked")
        pytest.skip("there is no Node")
    command = ["sh", str(ROOT / "tools" / "types.sh")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
