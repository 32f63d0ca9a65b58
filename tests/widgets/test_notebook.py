"""A notebook run by a real kernel: what is kept of it, and what odds are counted meanwhile."""

import json
import warnings

import nbformat
import pytest
from nbclient import NotebookClient

WIDGET = "application/vnd.jupyter.widget-view+json"
STATE = "application/vnd.jupyter.widget-state+json"
CELLS = [
    "%load_ext dicedocs_widgets\nfrom dicedocs_widgets import panel\nimport dicedocs as dd",
    "p = panel('total-effect/roll', seed=61)\np.roll()\np",
    "r = %roll 3d6 --seed 61\nr",
    "dd.odds('methuen/expression', expression='3d6')",
    "dd.Example('methuen/expression', {'expression': '3d6'}, seed=61)",
    "print(p._state['odds']['state'])",
    "%roll 3d6 + * 2",
]


@pytest.fixture(scope="module")
def cells(tmp_path_factory):
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in CELLS])
    with warnings.catch_warnings():
        # What Jupyter warns of is its own.
        warnings.simplefilter("ignore")
        client = NotebookClient(book, timeout=60, kernel_name="python3", allow_errors=True, store_widget_state=True)
        client.execute(cwd=str(tmp_path_factory.mktemp("notebook")))
    return book


def shown(cells, place):
    [output] = cells.cells[place].outputs
    return output["data"]


def test_a_panel_keeps_the_outcome_it_had_when_the_cell_ran(cells):
    data = shown(cells, 1)
    assert WIDGET in data
    assert "dice-outcome" in data["text/html"]
    assert data["text/latex"].startswith(r"\begin{description}")
    assert "Total 11" in data["text/plain"]


@pytest.mark.parametrize("place", [2, 3, 4], ids=["outcome", "odds", "example"])
def test_what_is_no_panel_shows_itself(cells, place):
    data = shown(cells, place)
    assert {"text/html", "text/latex", "text/plain"} <= set(data)
    assert WIDGET not in data


def test_odds_were_counted_between_the_cells(cells):
    assert cells.cells[5].outputs[0]["text"].strip() == "done"


def test_what_is_wrong_is_one_message(cells):
    [output] = cells.cells[6].outputs
    text = output.get("text") or "\n".join(output["traceback"])
    assert "expected" in text
    assert "Traceback" not in text


def test_widget_state_holds_the_module_once(cells):
    state = cells.metadata["widgets"][STATE]["state"]
    fronts = [one for one in state.values() if "packed" in one["state"]]
    assert len(fronts) == 1
    assert len(state) == 3
    [panel] = [one["state"] for one in state.values() if "_state" in one["state"]]
    assert panel["_state"]["outcome"]["headline"] == "Total 11"
    assert len(json.dumps(panel)) <= 5 * 1024
