"""A notebook run by a real kernel: its saved outputs, and the odds that are counted between cells."""

import json
import warnings

import nbformat
import pytest
from nbclient import NotebookClient

from dicedocs_widgets.packing import unpack_data

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
        # The warnings of Jupyter are not about this project.
        warnings.simplefilter("ignore")
        client = NotebookClient(book, timeout=60, kernel_name="python3", allow_errors=True, store_widget_state=True)
        client.execute(cwd=str(tmp_path_factory.mktemp("notebook")))
    return book


def data_of(cells, index):
    [output] = cells.cells[index].outputs
    return output["data"]


def test_the_output_of_a_panel_has_the_outcome_from_when_the_cell_ran(cells):
    data = data_of(cells, 1)
    assert WIDGET in data
    assert "dice-outcome" in data["text/html"]
    assert data["text/latex"].startswith(r"\begin{description}")
    assert "Total 11" in data["text/plain"]


def test_run_without_a_page_it_keeps_the_panel_and_its_rolls_but_no_log_in_the_output(cells):
    # `data_of` accepts a single output: the log would be another one.
    assert "Log: 1 roll" not in data_of(cells, 1)["text/plain"]
    models = cells.metadata["widgets"][STATE]["state"].values()
    [state] = [unpack_data(one["state"]["_state"]) for one in models if "_state" in one["state"]]
    assert [(row["roll"], row["faces"]) for row in state["log"]] == [(1, "4 2 5")]


@pytest.mark.parametrize("index", [2, 3, 4], ids=["outcome", "odds", "example"])
def test_other_objects_show_themselves(cells, index):
    data = data_of(cells, index)
    assert {"text/html", "text/latex", "text/plain"} <= set(data)
    assert WIDGET not in data


def test_odds_were_counted_between_the_cells(cells):
    assert cells.cells[5].outputs[0]["text"].strip() == "done"


def test_an_error_is_one_message_without_a_traceback(cells):
    [output] = cells.cells[6].outputs
    text = output.get("text") or "\n".join(output["traceback"])
    assert "expected" in text
    assert "Traceback" not in text


def test_widget_state_holds_the_module_once(cells):
    state = cells.metadata["widgets"][STATE]["state"]
    frontends = [one for one in state.values() if "packed" in one["state"]]
    assert len(frontends) == 1
    assert len(json.dumps(frontends, indent=1)) <= 20 * 1024
    assert len(state) == 3
    [panel] = [one["state"] for one in state.values() if "_state" in one["state"]]
    assert unpack_data(panel["_state"])["outcome"]["headline"] == "Threshold missed, 11 vs 13"
    assert len(json.dumps(panel)) <= 3_000
