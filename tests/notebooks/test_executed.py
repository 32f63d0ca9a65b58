"""The three notebooks of the documentation: each runs from top to bottom, with the results that its text states."""

import json
import re
import warnings
from base64 import b64decode
from fractions import Fraction
from io import StringIO

import nbformat
import pytest
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace, patch_docutils
from traitlets.log import get_logger

import dicedocs as dd
from dicedocs_widgets.packing import unpack_data

from .conftest import NOTEBOOKS
from .saved_notebook import STATE, VIEW

pytestmark = pytest.mark.thorough
NAMES = ["first-session", "game-masters-evening", "designers-afternoon"]


@pytest.fixture(params=NAMES)
def name(request):
    return request.param


class Executed:
    """An executed notebook; cells are found by an excerpt of their source."""

    def __init__(self, notebook):
        self.notebook = notebook
        self.cells = [cell for cell in notebook.cells if cell.cell_type == "code"]

    def outputs(self, excerpt, index=0):
        return [cell.outputs for cell in self.cells if excerpt in cell.source][index]

    def data(self, excerpt, index=0):
        [output] = self.outputs(excerpt, index)
        return output["data"]

    def text(self, excerpt, index=0):
        """Return what a cell printed, or the text of its result."""
        [output] = self.outputs(excerpt, index)
        return output["text"].rstrip() if output.output_type == "stream" else output["data"]["text/plain"]

    def panel(self, excerpt, index=0):
        """Return the state of a panel at the end of the notebook."""
        models = self.notebook.metadata["widgets"][STATE]["state"]
        return unpack_data(models[self.data(excerpt, index)[VIEW]["model_id"]]["state"]["_state"])


@pytest.fixture
def player(executed):
    return Executed(executed("first-session"))


@pytest.fixture
def master(executed):
    return Executed(executed("game-masters-evening"))


@pytest.fixture
def designer(executed):
    return Executed(executed("designers-afternoon"))


def built(text, folder):
    """Build a page, and return its warnings and its text."""
    book = folder / "book"
    book.mkdir()
    (book / "index.md").write_text(f"# A page\n\n{text}\n", "utf-8")
    warning = StringIO()
    settings = {"extensions": ["myst_parser", "dicedocs_sphinx"]}
    with warnings.catch_warnings(), patch_docutils(), docutils_namespace():
        warnings.simplefilter("ignore")
        Sphinx(book, None, folder / "out", folder / "read", "text", settings, status=None, warning=warning).build()
    return warning.getvalue(), (folder / "out" / "index.txt").read_text("utf-8")


# All of them


def test_all_notebooks_are_tested():
    assert sorted(path.stem for path in NOTEBOOKS.glob("*.ipynb")) == sorted(NAMES)


def test_it_is_saved_without_outputs(name):
    notebook = nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4)
    assert set(notebook.metadata) == {"kernelspec", "language_info"}
    for cell in notebook.cells:
        assert not cell.metadata
        if cell.cell_type == "code":
            assert (cell.outputs, cell.execution_count) == ([], None)


def test_every_cell_runs_without_errors(executed, name):
    for cell in Executed(executed(name)).cells:
        errors = [one for one in cell.outputs if one.output_type == "error" or one.get("name") == "stderr"]
        assert errors == [], cell.source


def test_no_cell_is_long(name):
    notebook = nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4)
    assert notebook.cells[0].source.startswith("# ")
    for cell in notebook.cells:
        assert len(cell.source.splitlines()) <= 20, cell.source
        assert max(map(len, cell.source.splitlines())) <= 100 or cell.cell_type == "markdown", cell.source


def test_every_panel_shows_a_last_outcome(executed, name):
    models = executed(name).metadata["widgets"][STATE]["state"]
    panels = [unpack_data(one["state"]["_state"]) for one in models.values() if "_state" in one["state"]]
    assert len(panels) >= 2
    for panel in panels:
        assert panel["outcome"] is not None
        assert panel.get("errors", {}) == {}  # a table has no fields, and no odds
        assert panel.get("error") is None
        assert panel.get("odds") is None or panel["odds"]["state"] == "done"


def test_the_outputs_are_reproducible(reader):
    text = (NOTEBOOKS / "first-session.ipynb").read_text("utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        again = reader.reproducible(reader.run(nbformat.reads(text, as_version=4)))
        assert nbformat.writes(again) == nbformat.writes(reader.executed(text))


def test_the_log_of_other_widgets_is_left_alone(reader):
    before = get_logger().level
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("6 * 7")])
    [cell] = reader.run(notebook).cells
    assert (cell.outputs[0]["data"]["text/plain"], get_logger().level) == ("42", before)


def test_printed_text_is_joined(reader):
    stream = nbformat.v4.new_output
    cut = [stream("stream", text="a"), stream("stream", text="b\n"), stream("stream", name="stderr", text="c")]
    assert [(one.name, one.text) for one in reader.joined(cut)] == [("stdout", "ab\n"), ("stderr", "c")]


# For a player


def test_three_dice_have_the_faces_of_their_seed(player):
    [output] = player.outputs("dice.roll()")
    assert output["data"]["text/plain"] == "Dice: 3d6: 4 + 2 + 5 = 11"
    assert player.panel("dice = roller")["outcome"]["dice"] == [[6, 4, "", 1], [6, 2, "", 1], [6, 5, "", 1]]


def test_a_level_adds_two_on_the_same_dice(player):
    before, after = (player.text("renna.roll()", index) for index in (0, 1))
    totals = [int(re.search(r"Calculate: (\d+)", text)[1]) for text in (before, after)]
    assert totals[1] == totals[0] + 2


def test_the_probability_of_a_hit_is_exact(player):
    # Defense 14 is reached with Aim 4 by a 10 or more: 11 faces of 20.
    assert player.text("shot.odds.p") == repr(Fraction(11, 20))


def test_the_invalid_expression_is_shown_and_corrected(player):
    assert "'[' is never closed" in player.text("print(renna.error)", 0)
    assert player.text("print(renna.error)", 0).splitlines()[-1].strip() == "^"
    assert player.text("print(renna.error)", 1) == "None"


def test_undo_takes_a_roll_out_of_the_history(player):
    rows = [player.data("renna.history", index)["text/html"].count("<tr>") for index in (0, 1)]
    assert rows[0] == rows[1] + 1


def test_the_code_reproduces_the_outcome_of_the_panel(player):
    code = player.text("print(renna.code)")
    *_, call = code.splitlines()
    names = {"dd": dd}
    exec(f"it = {call}", names)  # noqa: S102  # what a reader copies is run
    assert names["it"].facts("total") == player.panel("renna = roller")["outcome"]["headline"].replace(
        "Total ", "total="
    )


def test_the_directive_of_the_player_builds(player, tmp_path):
    issues, text = built(player.text("print(renna.directive)"), tmp_path)
    assert issues == ""
    assert "Renna, Power Shot" in text


def test_the_magics_return_the_same_as_python(player):
    assert player.text("%roll") == str(dd.roll("4d6kh3", seed=5))
    assert player.text("%odds").splitlines()[-1].startswith("Mean 12.24, ")


# For a game master


def test_linked_values_change_together(master):
    # The slider is set to 15, and so both panels.
    assert master.text("bolt.target, staff.target").count("'Defense': 15") == 2
    for excerpt in ("bolt = roller", "staff = panel"):
        assert {"name": "Defense", "value": "15"} in master.panel(excerpt)["parts"]["target"]


def test_the_pool_goes_through_three_rounds(master):
    rounds = [master.text('freya.play("round")', index) for index in range(3)]
    first, second, third = ([int(face) for face in re.findall(r"\d", text.partition("Pool:")[2])] for text in rounds)
    assert [len(pool) for pool in (first, second, third)] == [5, 5, 5]
    # The 6 and the 1 with a stat of 3; the other dice, unless marked, stay.
    assert (first[0], first[3]) == (6, 1)
    for line in ("Total: 6 (die 1) + 1 (die 4) + 3 (stat) = 10", "Degree: 0 is 0 to 2: success"):
        assert line in master.text('freya.play("roll")', 0)
    assert (second[2], second[4]) == (first[2], first[4])
    assert "to 2: success" in master.text('freya.play("roll")', 1)
    assert third[1:4] == second[1:4]
    last = master.text('freya.play("roll")', 2)
    assert f"3 (stat) = {sum(third) + 3}\n" in last
    assert "Critical: yes" in last
    assert {die["state"] for die in master.panel("freya = panel")["game"]["dice"]} == {"exhausted"}


def test_the_favourite_of_the_odds_wins_the_duel(master):
    assert master.text("duel.roll()").endswith("Winner: Rusk")
    assert "Rusk" in master.data("duel.odds")["text/html"]


def test_the_log_has_every_roll_of_the_evening(master):
    table = master.data("rolls = ")["text/html"]
    assert table.count("<tr") == 1 + 10
    for label in ("Theron, Arcane Bolt", "Theron, staff", "Freya", "The idol"):
        assert label in table


def test_the_long_fight_is_plotted_beside_the_odds(master):
    assert "count    200.0" in master.text("totals.describe")
    assert b64decode(master.data("axes.legend")["image/png"]).startswith(b"\x89PNG")


# For a designer


def test_the_two_rules_are_compared(designer):
    text = designer.text("rules = {")
    # 3d6 is 10.5; the mean of the highest three of four is 15869/1296.
    assert f"'no Advantage': 10.5, 'one more die': {round(15869 / 1296, 2)}, 'a flat 2': 12.5" in text
    table = designer.text("table = pd.DataFrame")
    # 13+: 79/162 with a die, and 11+ on three dice, which is even, with a flat 2.
    assert re.search(r"^13\+ +25\.9% +48\.8% +50\.0%", table, re.MULTILINE)
    assert re.search(r"^19\+ +0\.0% +0\.0% +1\.9%", table, re.MULTILINE)
    assert "image/png" in designer.data("plot.bar")


def test_the_new_rule_explains_itself(designer):
    text = designer.data("Flat(advantage=1).play")["text/html"]
    assert "advantage" in text
    assert "trial" in designer.cells[3].source


def test_a_flat_2_comes_closest(designer):
    gaps = [float(gap) for gap in re.findall(r"([-+][\d.]+)%", designer.text("for bonus"))]
    assert len(gaps) == 3
    assert min(gaps, key=abs) == gaps[1]


def test_table_and_example_build_in_a_book(designer, tmp_path):
    [table] = [cell.source for cell in designer.notebook.cells if cell.source.startswith("```{dice:table}")]
    issues, text = built(f"{table}\n\n{designer.text('print(example.directive)')}", tmp_path)
    assert issues == ""
    assert re.search(r"13 +25\.9% +48\.8%", text)


# The notebooks for MyST-NB


def test_a_page_has_each_panel_with_a_fallback_without_scripts(reader, executed):
    text = (NOTEBOOKS / "first-session.ipynb").read_text("utf-8")
    outputs = [one for cell in reader.read(text).cells for one in cell.get("outputs", ())]
    panels = [
        one["data"]["text/html"] for one in outputs if "data-unscripted" in one.get("data", {}).get("text/html", "")
    ]
    assert len(panels) == 3
    for html in panels:
        assert re.search(r'<div data-unscripted="">.+</div><script type="' + re.escape(VIEW), html, re.DOTALL)
    assert not any(VIEW in one.get("data", {}) for one in outputs)


def test_notebooks_run_again_when_the_code_changes(reader, monkeypatch, tmp_path):
    (tmp_path / "rules.py").write_text("six = 6\n")
    monkeypatch.setattr(reader, "ROOT", tmp_path)
    monkeypatch.setattr(reader, "CODE", ("rules.py",))
    before = reader.digest.__wrapped__()
    assert reader.digest.__wrapped__() == before
    (tmp_path / "rules.py").write_text("six = 7\n")
    assert reader.digest.__wrapped__() != before


def test_widgets_that_are_not_shown_are_not_saved(executed, name):
    models = executed(name).metadata["widgets"][STATE]["state"]
    named = set(re.findall(r"IPY_MODEL_(\w+)", json.dumps(models)))
    views = {output["data"][VIEW]["model_id"] for output in _widgets(executed(name))}
    assert set(models) == named | views


def _widgets(notebook):
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    return [output for output in outputs if VIEW in output.get("data", {})]
