"""Run commands as a user does, each in a process of its own, but without the second that Sphinx takes to load.

A server process loads Sphinx, pytest and our code; each command runs in a fork of it, which multiprocessing ends
without the second half of such a life: taking all modules apart again.
"""

import gc
import json
import logging
import multiprocessing
import os
import runpy
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from types import TracebackType
from typing import Any, Self

from .templates import compile_once

ROOT = Path(__file__).resolve().parents[1]
OURS = ("dicedocs", "dicedocs_sphinx")
LOADED_BY_BUILDS = (
    "sphinx.cmd.build",
    "sphinx.ext.doctest",
    "docutils.languages.en",
    "myst_parser.sphinx_ext.main",
    "myst_parser.parsers.sphinx_",
    "myst_parser.sphinx_ext.directives",
    "myst_parser.sphinx_ext.mathjax",
    "myst_parser.sphinx_ext.myst_refs",
    "sphinx_design.extension",
)
"""What the packages of others load only when a command or a book uses it."""


def run_alone(folder: Path, *command: object, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run a module as :meth:`CommandServer.run` does, in a new Python, whose hash seed differs."""
    words, environment = [sys.executable, "-m", *map(str, command)], {**os.environ, **settings}
    return subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False)


class CommandServer:
    """The process that has loaded everything.

    Parameters:
        folder: where it may write what the commands say.
        templates: the folder of compiled templates.
        ours: whether it loads our code, which may not be if the commands run another copy of that.
    """

    def __init__(self, folder: Path, templates: Path, *, ours: bool = True) -> None:
        self._folder = folder
        command = [sys.executable, "-m", "tests.command_server", str(templates), *(["ours"] if ours else [])]
        self._process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._process.communicate()

    def run(
        self, folder: Path, *command: object, merge: bool = False, **settings: str
    ) -> subprocess.CompletedProcess[str]:
        """Run a module as ``python -m`` does, or a script, in a folder and with additional environment variables.

        Parameters:
            merge: whether errors are written into the output, as in a terminal.
        """
        words = [str(word) for word in command]
        outputs = [str(self._folder / name) for name in ("out", "out" if merge else "err")]
        request = {
            "folder": str(folder),
            "command": words,
            "outputs": outputs,
            "environment": {**os.environ, **settings},
        }
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        status = int(self._process.stdout.readline())
        out, err = (Path(name).read_text("utf-8") for name in outputs)
        return subprocess.CompletedProcess(words, status, out, "" if merge else err)


def serve() -> None:
    """Run a command for each line of standard input."""
    import pytest
    from sphinx.application import builtin_extensions

    for name in (*builtin_extensions, *LOADED_BY_BUILDS):
        import_module(name)
    if "ours" in sys.argv:
        load_ours()
    compile_once(pytest.MonkeyPatch(), Path(sys.argv[1]))
    spare_builds()
    forking = multiprocessing.get_context("fork")
    for line in sys.stdin:
        child = forking.Process(target=become, kwargs=json.loads(line))
        child.start()
        child.join()
        print(child.exitcode, flush=True)  # noqa: T201


def spare_builds() -> None:
    """Spare each build most collections of garbage, and what Sphinx logs for its developers."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    logging.disable(logging.DEBUG)


def load_ours() -> None:
    """Import the modules that do nothing by themselves, and have the parsers built, as the first texts do."""
    for package in OURS:
        for module in walk_packages(import_module(package).__path__, f"{package}."):
            # pytest loads its plugins itself, to read their assertions.
            if module.name.rpartition(".")[2] not in {"__main__", "pytest_plugin"}:
                import_module(module.name)
    import_module("dicedocs.expression.parser").parse_expression("1")
    import_module("dicedocs.probability.claims.parser").parse_claims("mean = 1")


def become(folder: str, command: list[str], outputs: list[str], environment: dict[str, Any]) -> None:
    """Run a command in this process."""
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    for number, name in enumerate([os.devnull, *outputs]):
        os.dup2(os.open(name, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND), number)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.dont_write_bytecode = bool(environment.get("PYTHONDONTWRITEBYTECODE"))
    program = command[0]
    is_script = os.sep in program
    # The first entry is the folder in which this process was started.
    first = str(Path(program).parent) if is_script else folder
    sys.path[:1] = [first, *filter(None, environment.get("PYTHONPATH", "").split(os.pathsep))]
    sys.argv = command
    if is_script:
        runpy.run_path(program, run_name="__main__")
    else:
        runpy.run_module(program, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    serve()
