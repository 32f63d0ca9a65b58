"""The static files of a panel: their size, what the scripts never do, and their types."""

import gzip
import json
import re
from pathlib import Path

import pytest

from dicedocs.panel.forms.session import Session
from dicedocs_widgets import frontend

ROOT = Path(__file__).resolve().parents[2]
STATIC = ROOT / "widgets" / "dicedocs_widgets" / "static"
BUDGET = 20 * 1024
SENT = 22 * 1024
"""What plays is sent once, and not saved."""


def test_what_a_notebook_saves_once_is_small(monkeypatch):
    # Another test in this process may have shown panels of other mechanics and in other languages.
    monkeypatch.setattr(frontend, "_shared", [])
    shared, _ = frontend.shared_frontend(Session("mecha-vs-kaiju/action").form())
    # With all that a notebook with one panel saves once, as the text that it is.
    assert len(json.dumps(shared.get_state(), indent=1)) <= BUDGET


def test_what_python_sends_to_play_is_small_and_not_saved(monkeypatch):
    monkeypatch.setattr(frontend, "_shared", [])
    shared, _ = frontend.shared_frontend(Session("mecha-vs-kaiju/action").form())
    before, sent = shared.get_state(), []
    monkeypatch.setattr(shared, "send", lambda content, buffers: sent.append((content, buffers)))
    shared._handle_custom_msg({"do": "module"}, [])
    [(content, [packed])] = sent
    assert content == {"module": shared.hash}
    assert len(packed) <= SENT
    module, _, styles = gzip.decompress(packed).decode().partition("\0")
    assert "export const render =" in module
    assert ".dd-count" in styles
    assert shared.get_state() == before


def test_what_is_only_shown_needs_no_styles_of_controls():
    shown = frontend.joined("start.mjs")
    names = set(re.findall(r"\bdd-[\w-]+", shown)) - {"dd-main"}
    styled = (STATIC / "panel.css").read_text("utf-8")
    only_controls = set(re.findall(r"\.(dd-[\w-]+)", (STATIC / "controls.css").read_text("utf-8")))
    assert {"dd-chosen", "dd-odds", "dd-past"} <= names
    assert not {name for name in names & only_controls if f".{name}" not in styled}


def test_the_hash_does_not_depend_on_the_compression(monkeypatch):
    before, _ = frontend.shared_frontend({"shapes": {}, "language": "en", "texts": {}})
    hash = before.hash
    before.close()
    monkeypatch.setattr(frontend, "pack", lambda _text: "packed by another zlib")
    after, _ = frontend.shared_frontend({"shapes": {}, "language": "en", "texts": {}})
    assert (after.hash, after.packed) == (hash, "packed by another zlib")


def test_a_model_that_the_page_has_lost_is_replaced_by_one_with_its_forms():
    """As in marimo, which closes only the comm."""
    before, _ = frontend.shared_frontend({"id": "a", "shapes": {}, "language": "en", "texts": {}})
    before.comm.close()
    after, key = frontend.shared_frontend({"id": "b", "shapes": {}, "language": "en", "texts": {}})
    assert after is not before
    assert set(after.forms) == {*before.forms, key}
    assert after is frontend.shared_frontend({"id": "b", "shapes": {}, "language": "en", "texts": {}})[0]


def test_nothing_but_escaped_html_is_set_as_html():
    for name in ("panel.mjs", "start.mjs"):
        text = frontend.joined(name)
        assert text.count("innerHTML") == 2  # a drawing, and the working of an outcome
        for never in ("insertAdjacentHTML", "outerHTML", "eval(", "Function(", "http", "import("):
            assert never not in text, never


def declared(name):
    """Return the names that a module declares outside of its functions."""
    return re.findall(r"^(?:export )?(?:const|let) (\w+)", (STATIC / name).read_text("utf-8"), re.MULTILINE)


@pytest.mark.parametrize(("joined", "once"), [("panel.mjs", "labelled"), ("start.mjs", "shownPanel")])
def test_a_joined_module_has_each_module_once_after_those_that_it_imports(joined, once):
    order = [*frontend.imports(joined), joined]
    for name in order:
        lines = (STATIC / name).read_text("utf-8").splitlines()
        imported = {line.split('"')[1].removeprefix("./") for line in lines if line.startswith("import ")}
        assert imported <= set(order[: order.index(name)]), name
    names = [one for name in order for one in declared(name)]
    assert len(names) == len(set(names)) > len(order)  # they are in one scope
    text = frontend.joined(joined)
    assert [len(re.findall(f"(?:const|let) {one} =", text)) for one in (once, "lastRoll", "say")] == [1, 1, 1]
    exported = [line for line in lines if line.startswith("export ")]
    assert re.findall(r"^(?:import|export) .*", text, re.MULTILINE) == exported
