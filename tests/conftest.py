"""What all tests share: no test asserts how long anything takes, so hypothesis has no deadline either."""

import gc
import os
import shutil
import sys
from collections.abc import Iterator
from compileall import compile_dir
from contextlib import contextmanager
from pathlib import Path

import pytest

from .command_server import CommandServer, spare_builds
from .examples import many
from .templates import compile_once

ROOT = Path(__file__).parents[1]
collect_ignore = ["ember"]
"""A package of its own, without tests."""
IN_MEMORY = Path("/dev/shm")  # noqa: S108
ROOM = 4 * 2**30
"""So many bytes must be free there: far more than a run has at any time."""


@contextmanager
def keeping_bytecode() -> Iterator[None]:
    """Keep what pytest compiles, even where Python is told to write no bytecode."""
    told, sys.dont_write_bytecode = sys.dont_write_bytecode, False
    try:
        yield
    finally:
        sys.dont_write_bytecode = told


def pytest_configure(config: pytest.Config) -> None:
    """Load hypothesis, and compile our code, which tests start hundreds of times."""
    # pytest compiles it anew, as it does tests, and that takes a second.
    with keeping_bytecode():
        from hypothesis import settings
    # Others at each run.
    settings.register_profile("dicedocs", deadline=None, max_examples=many(50))
    settings.load_profile("dicedocs")
    if not hasattr(config, "workerinput"):
        write_in_memory()
        for name in ("dicedocs", "sphinx_ext", "widgets"):
            compile_dir(ROOT / name, quiet=1)


def write_in_memory() -> None:
    """Let tests write their thousands of small files into memory where there is room: on a disk that takes longer."""
    if not (IN_MEMORY.is_dir() and os.access(IN_MEMORY, os.W_OK)):
        return
    # In a container nothing can be executed there, as some tests do.
    can_execute = not os.statvfs(IN_MEMORY).f_flag & os.ST_NOEXEC
    if can_execute and shutil.disk_usage(IN_MEMORY).free >= ROOM:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(IN_MEMORY))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Keep what is compiled of the tests, which is half of the time in which they are collected."""
    with keeping_bytecode():
        return (yield)


def pytest_collection_finish() -> None:
    """What was loaded and collected stays until the end."""
    spare_builds()


def pytest_sessionfinish() -> None:
    """Leave no garbage to pytest, which collects ten times at the end and would look at every test each time."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def templates(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder of compiled templates."""
    folder = tmp_path_factory.mktemp("templates")
    with pytest.MonkeyPatch.context() as patch:
        compile_once(patch, folder)
        yield folder


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """The folder of this run that all workers share."""
    folder = tmp_path_factory.getbasetemp()
    return folder if worker_id == "master" else folder.parent


@pytest.fixture(scope="session")
def commands(tmp_path_factory: pytest.TempPathFactory, templates: Path) -> Iterator[CommandServer]:
    """A server that runs commands as a user does."""
    with CommandServer(tmp_path_factory.mktemp("outputs"), templates) as server:
        yield server
