"""The notebooks of the documentation, run as its build runs them."""

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
    """What reads notebooks for the build."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(EXTENSIONS))
        import notebooks
    return notebooks


@pytest.fixture(scope="session")
def executed(reader: ModuleType) -> Callable[[str], NotebookNode]:
    """Give a notebook of the documentation with its outputs."""

    def run(name: str) -> NotebookNode:
        with warnings.catch_warnings():
            # What Jupyter warns of is its own.
            warnings.simplefilter("ignore")
            made: NotebookNode = reader.executed((NOTEBOOKS / f"{name}.ipynb").read_text("utf-8"))
        return made

    return run
