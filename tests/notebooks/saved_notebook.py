"""A notebook with one panel, run and saved, for the tests of the tools that show it.

The cell of the panel ends with a roll of 11, and a later cell rolls 18. So the output of the cell shows the first, and
the saved panel the second.
"""

from __future__ import annotations

import copy
import warnings
from functools import cache

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

CELLS = (
    "from dicedocs_widgets import roller\np = roller('3d6', seed=61)\np.roll()\np",
    "p.seed = 376\nlast = p.roll()",
    "import dicedocs as dd\ndd.Example('total-effect/roll', {}, dice=(5, 2, 6))",
    "dd.odds('methuen/expression', expression='2d6')",
)
THEN, LAST = "11", "18"
"""The total in the output of the cell, and the total of the panel at the end."""
VIEW = "application/vnd.jupyter.widget-view+json"
STATE = "application/vnd.jupyter.widget-state+json"


@cache
def _run() -> NotebookNode:
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    cells = [nbformat.v4.new_code_cell(text) for text in CELLS]
    book: NotebookNode = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})
    with warnings.catch_warnings():
        # The warnings of Jupyter are not about this project.
        warnings.simplefilter("ignore")
        NotebookClient(book, timeout=60, kernel_name="python3", store_widget_state=True).execute()
    return book


def saved(*, state: bool) -> NotebookNode:
    """Return the saved notebook, with or without the state of its widgets."""
    book: NotebookNode = copy.deepcopy(_run())
    if not state:
        del book.metadata["widgets"]
    return book
