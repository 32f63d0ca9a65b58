"""What is left of an evening: a file of rolls, the log in the output of a cell, and a cell that is run again."""

import asyncio
import json
from types import SimpleNamespace

import pytest

from dicedocs import DiceError, ParameterError
from dicedocs_widgets import cells, logged_widget, panel, roller, tray

from .conftest import models, state_of


@pytest.fixture
def evening(tmp_path):
    return tmp_path / "evening.json"


class TestFile:
    @pytest.mark.parametrize(
        "make",
        [lambda **log: roller("3d6", **log), tray, lambda **log: panel("dungeoneers", **log)],
        ids=["roller", "tray", "game"],
    )
    def test_every_roll_of_the_page_is_in_it_and_comes_back(self, make, evening, page):
        first = make(log=evening)
        assert not evening.exists()
        press = {"do": "press", "play": "round"} if first._session.state().get("game") else {"do": "roll"}
        sending = page(first)
        for number in range(1, 4):
            sending.send(**press, time="2026-11-22T21:04:07")
            assert len(json.loads(evening.read_text("utf-8"))["rolls"]) == number
        again = make(log=evening)
        assert again.history == first.history
        assert again.log() == first.log()
        assert (again.rolls, again.outcome) == (3, first.outcome)
        assert len(page(again).send("history")["history"]) == 3
        assert state_of(again)["outcome"]["roll"] == 3

    def test_the_seed_is_that_of_the_first_roll(self, evening):
        assert roller("3d6", seed=61, log=evening).roll().value == 11
        again = roller("3d6", seed=61, log=evening)
        again.roll()
        assert again.history[1]["seed"] != 61

    def test_undo_takes_a_roll_out_of_it(self, evening):
        made = roller("3d6", log=evening)
        made.roll()
        made.undo()
        assert roller("3d6", log=evening).history == []

    def test_without_it_no_file_is_written(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        made = roller("3d6")
        made.roll()
        assert list(tmp_path.iterdir()) == []

    def test_the_page_knows_of_it(self, evening):
        assert ["kept" in state_of(made) for made in (roller("3d6", log=evening), roller("3d6"))] == [True, False]

    def test_a_file_of_something_else_is_refused(self, evening):
        evening.write_text("{}")
        with pytest.raises(ParameterError, match=r"'evening\.json' is not a log of rolls"):
            tray(log=evening)

    def test_a_roll_that_cannot_be_written_is_made_and_told(self, evening, page):
        made = roller("3d6", log=evening)
        evening.mkdir()
        answer = page(made).send("roll")
        assert "evening.json" in answer["failed"]
        assert made.rolls == 1
        with pytest.raises(DiceError, match=r"evening\.json"):
            made.roll()
        assert state_of(made)["outcome"]["roll"] == 2


class Outputs:
    """The outputs of the cells of a notebook; a cell is run by calling it."""

    def __init__(self):
        self.request = {}
        self.shown = []
        self.runs = 0

    def get_parent(self):
        return self.request

    def display(self, data, *, raw, display_id=None, metadata=None):
        assert raw
        self.shown.append(data)
        at = len(self.shown) - 1
        return SimpleNamespace(update=lambda new, **_: self.shown.__setitem__(at, new)) if display_id else None

    def run(self, cell, code):
        """Run a cell, and return the panel that it shows."""
        self.runs += 1
        self.shown = []
        header = {"msg_type": "execute_request", "msg_id": f"run-{self.runs}"}
        self.request = {"header": header, "metadata": {"cellId": cell}}
        made = code()
        made._ipython_display_()
        self.request = {"header": {"msg_type": "comm_msg", "msg_id": "x"}, "metadata": {"cellId": cell}}
        return made


@pytest.fixture
def notebook(monkeypatch):
    outputs = Outputs()
    monkeypatch.setattr(cells, "get_ipython", lambda: outputs)
    monkeypatch.setattr(cells, "display", outputs.display)
    monkeypatch.setattr(logged_widget, "display", outputs.display)
    monkeypatch.setattr(cells, "_runs", {})
    return outputs


class TestOutputOfACell:
    def test_it_has_the_whole_log(self, notebook):
        async def evening():
            made = notebook.run("a", lambda: roller("3d6", label="<b>Kira</b>"))
            [shown, kept] = notebook.shown
            assert "application/vnd.jupyter.widget-view+json" in shown
            assert "No roll yet" not in shown["text/html"]
            assert "No roll yet." in kept["text/html"]
            for _ in range(40):
                made.roll()
            await asyncio.sleep(0)
            return made

        made = asyncio.run(evening())
        kept = notebook.shown[1]
        assert kept["text/plain"] == f"Log: 40 rolls\n{made.log()}"
        assert len(made.log().splitlines()) == 40
        assert "<summary>Log: 40 rolls</summary>" in kept["text/html"]
        assert kept["text/html"].count("&lt;b&gt;Kira") == 40
        assert "<b>" not in kept["text/html"]
        assert len(models()) == 3, "it is no widget"

    def test_outside_of_a_cell_a_panel_shows_itself_as_ever(self):
        with pytest.raises(NotImplementedError):
            roller("3d6")._ipython_display_()

    def test_running_it_again_keeps_the_rolls_above_and_says_so(self, notebook):
        made = notebook.run("a", lambda: roller("3d6"))
        for _ in range(40):
            made.roll()
        again = notebook.run("a", lambda: roller("3d6"))
        [earlier, shown, _kept] = notebook.shown
        assert made.log() in earlier["text/plain"]
        assert earlier["text/plain"].endswith(
            "40 rolls made before this cell was run again are above. The new panel starts fresh; "
            'log="evening.json" would keep its rolls in a file.'
        )
        assert "log=&quot;evening.json&quot;" in earlier["text/html"]
        assert "application/vnd.jupyter.widget-view+json" in shown
        again.roll()
        notebook.run("a", lambda: roller("3d6"))
        assert "41 rolls" in notebook.shown[0]["text/plain"]

    def test_nothing_is_said_of_rolls_that_are_not_lost(self, notebook, evening):
        notebook.run("a", lambda: roller("3d6"))
        notebook.run("b", lambda: roller("3d6", log=evening)).roll()
        notebook.run("c", lambda: roller("3d6")).roll()
        for cell in ("a", "b"):
            notebook.run(cell, lambda: roller("3d6", log=evening))
            assert len(notebook.shown) == 2
        assert "Log: 1 roll" in notebook.shown[1]["text/plain"]
