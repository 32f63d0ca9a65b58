"""What all tests share: no test asserts how long anything takes, so hypothesis has no deadline either."""

import gc
import logging
from compileall import compile_dir
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).parents[1]

settings.register_profile("dicedocs", deadline=None)
settings.load_profile("dicedocs")


def pytest_configure(config: pytest.Config) -> None:
    """Compile our code, which tests start hundreds of times, even where Python is told to write no bytecode."""
    if not hasattr(config, "workerinput"):
        for name in ("dicedocs", "sphinx_ext", "widgets"):
            compile_dir(ROOT / name, quiet=1)


def pytest_collection_finish() -> None:
    """Spare each build the collection of garbage among thousands of tests, and what Sphinx logs for its developers."""
    gc.freeze()
    logging.disable(logging.DEBUG)
