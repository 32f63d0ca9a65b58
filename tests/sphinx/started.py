"""Commands as a person runs them, each in a process of its own, but without the second that Sphinx takes to load.

A process loads Sphinx and pytest, and nothing of ours; each command is run by a fork of it.
"""

import json
import os
import runpy
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from .templates import compiled_once

ROOT = Path(__file__).resolve().parents[2]


def alone(folder: Path, *command: object, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run a module as :meth:`Started.run` does, in a Python that has nothing loaded and hashes otherwise."""
    words, environment = [sys.executable, "-m", *map(str, command)], {**os.environ, **settings}
    return subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False)


class Started:
    """The process that has all loaded."""

    def __init__(self, folder: Path, templates: Path) -> None:
        self._folder = folder
        command = [sys.executable, "-m", "tests.sphinx.started", str(templates)]
        self._process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._process.communicate()

    def run(self, folder: Path, *command: object, **settings: str) -> subprocess.CompletedProcess[str]:
        """Run a module, as ``python -m`` does, in a folder and with these environment variables besides."""
        words = [str(word) for word in command]
        said = [str(self._folder / name) for name in ("out", "err")]
        asked = {"folder": str(folder), "command": words, "said": said, "environment": {**os.environ, **settings}}
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(asked) + "\n")
        self._process.stdin.flush()
        status = int(self._process.stdout.readline())
        return subprocess.CompletedProcess(words, status, *(Path(name).read_text("utf-8") for name in said))


def serve() -> None:
    """Run what is asked for, line by line."""
    from jinja2 import Environment
    from sphinx.application import builtin_extensions

    for name in (*builtin_extensions, "sphinx.cmd.build", "sphinx.ext.doctest", "myst_parser.sphinx_ext.main"):
        import_module(name)
    import_module("sphinx_design")
    import_module("pytest")
    Environment.__init__ = compiled_once(Path(sys.argv[1]))  # type: ignore[method-assign, assignment]
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            become(**json.loads(line))
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)  # noqa: T201


def become(folder: str, command: list[str], said: list[str], environment: dict[str, Any]) -> None:
    """Be the process that runs a command: this one ends with it."""
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    for number, name in enumerate([os.devnull, *said]):
        os.dup2(os.open(name, os.O_RDWR | os.O_CREAT | os.O_TRUNC), number)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.dont_write_bytecode = bool(environment.get("PYTHONDONTWRITEBYTECODE"))
    # Where this process was started comes first of what is looked through.
    sys.path[:1] = [folder, *filter(None, environment.get("PYTHONPATH", "").split(os.pathsep))]
    sys.argv = command
    runpy.run_module(command[0], run_name="__main__", alter_sys=True)
    sys.exit()


if __name__ == "__main__":
    serve()
