"""The notebooks of the documentation, run as in its build."""

import warnings
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from nbformat import NotebookNode

NOTEBOOKS = Path(__file__).resolve().parents[2] / "docs" / "notebooks"
EXTENSIONS = NOTEBOOKS.parent / "_ext"


@pytest.fixture(scope="session")
def reader() -> ModuleType:
    """Return the module with which the build reads notebooks."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(EXTENSIONS))
        import notebooks
    return notebooks


@pytest.fixture(scope="session")
def executed(reader: ModuleType) -> Callable[[str], NotebookNode]:
    """Return a function that returns a notebook of the documentation with its outputs."""

    def run(name: str) -> NotebookNode:
        with warnings.catch_warnings():
            # The warnings of Jupyter are not about this project.
            warnings.simplefilter("ignore")
            notebook: NotebookNode = reader.executed((NOTEBOOKS / f"{name}.ipynb").read_text("utf-8"))
        return notebook

    return run
