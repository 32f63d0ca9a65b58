"""Run commands as a user does, each in a process of its own, but without the second that Sphinx takes to load.

A server process loads Sphinx, pytest and our code; each command runs in a fork of it, which multiprocessing ends
without the second half of such a life: taking all modules apart again. Where a command starts Python once more, to read
a book apart, that is a fork too.
"""

import gc
import io
import json
import logging
import multiprocessing
import os
import runpy
import signal
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import Distribution
from itertools import islice, product
from pathlib import Path
from pkgutil import walk_packages
from types import TracebackType
from typing import IO, Any, Final, Never, Self

from .templates import compile_once, pack_once

ROOT = Path(__file__).resolve().parents[1]
OURS = ("dicedocs", "dicedocs_sphinx")
APART: Final = "dicedocs_sphinx.author.reading_apart.subprocess"
"""What starts a Python that reads a book apart."""
INSTALLED = sys.path[1:]
"""Where every Python of this environment looks for modules, after its own folders."""
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
LINES = (
    "2d6 + a - (b - 1) / 2",
    "count(a >= 5) * 2",
    "max(a - b, 0)",
    "a if a >= 10, b if a is 7-9, else b",
    "not a and b is between 2 and 3 or a = 0",
    "play road/weather with a = b",
    "2d20kh1 if a, else highest(2, b)",
)
"""Lines of rules in pages, in each of which the reader meets something that it has not yet prepared for."""


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
        self, folder: Path, *command: object, merge: bool = False, read: str = "", terminal: str = "", **settings: str
    ) -> subprocess.CompletedProcess[str]:
        """Run a module as ``python -m`` does, or a script, in a folder and with additional environment variables.

        Parameters:
            merge: whether errors are written into the output, as in a terminal.
            read: what it reads from its input.
            terminal: the terminal that it writes to; then nothing of that is returned.
        """
        words = [str(word) for word in command]
        (self._folder / "in").write_text(read, "utf-8")
        outputs = [str(self._folder / name) for name in ("out", "out" if merge else "err")]
        request = {
            "folder": str(folder),
            "command": words,
            "input": str(self._folder / "in"),
            "outputs": [terminal, terminal] if terminal else outputs,
            "environment": {**os.environ, **settings},
        }
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        status = int(self._process.stdout.readline())
        out, err = ("", "") if terminal else (Path(name).read_text("utf-8") for name in outputs)
        return subprocess.CompletedProcess(words, status, out, "" if merge else err)


class Served:
    """A Python that this process starts to read a book apart, run by a server when its output is read."""

    def __init__(self, server: CommandServer, words: list[str], stderr: IO[bytes], env: Mapping[str, str]) -> None:
        self._server, self._words, self._errors, self._env = server, words, stderr, env
        self.stdin = io.StringIO()
        self.stdin.close = lambda: None  # type: ignore[method-assign]  # what was written is still read
        self.stdout = self._run()

    def _run(self) -> Iterator[str]:
        done = self._server.run(Path.cwd(), *self._words, read=self.stdin.getvalue(), **self._env)
        self._errors.write(done.stderr.encode())
        yield from done.stdout.splitlines()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """There is nothing to wait for."""

    def kill(self) -> None:
        """It has ended."""


class Forked:
    """A Python that a command starts to read a book apart, as a fork of the command."""

    def __init__(self, words: list[str], stderr: IO[bytes], env: Mapping[str, str]) -> None:
        read, write = os.pipe()
        told, tell = os.pipe()
        self._process = os.fork()
        if not self._process:
            for number, file in enumerate((read, tell, stderr.fileno())):
                os.dup2(file, number)
            os.closerange(3, 256)
            read_apart(words, env)
        os.close(read)
        os.close(tell)
        self.stdin, self.stdout = os.fdopen(write, "w"), os.fdopen(told)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stdout.close()
        os.waitpid(self._process, 0)

    def kill(self) -> None:
        """End it."""
        os.kill(self._process, signal.SIGKILL)


def read_apart(words: list[str], env: Mapping[str, str]) -> Never:
    """Run a module in this process, which a command has left off, and end."""
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, signal.default_int_handler if each == signal.SIGINT else signal.SIG_DFL)
    os.environ.clear()
    os.environ.update(env)
    sys.stdin, sys.stdout, sys.stderr = (os.fdopen(number, mode) for number, mode in enumerate("rww"))
    sys.path[:] = [*paths(env), *INSTALLED]
    sys.argv = words
    # A new Python has not loaded it, and looks for the folder of temporary files.
    tempfile.tempdir = None
    sys.modules.pop(words[0], None)
    status = 0
    try:
        runpy.run_module(words[0], run_name="__main__", alter_sys=True)
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else bool(end.code)
    except BaseException:  # noqa: BLE001 -- as Python ends
        traceback.print_exc()
        status = 1
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(status)


def paths(env: Mapping[str, str]) -> list[str]:
    """Return the folders in which a Python with this environment looks first."""
    return [path for path in env.get("PYTHONPATH", "").split(os.pathsep) if path]


def is_as_here(env: Mapping[str, str]) -> bool:
    """Return whether a new Python with this environment loads our code from here, and nothing at its start."""
    first = {name: next((path for path in paths(env) if (Path(path) / name).is_dir()), None) for name in OURS}
    return not any((Path(path) / "sitecustomize.py").is_file() for path in paths(env)) and all(
        path is None or Path(path) / name == Path(str(import_module(name).__file__)).parent
        for name, path in first.items()
    )


class Starting:
    """Stands for :mod:`subprocess` where a book is read apart.

    Parameters:
        server: what runs the Python; None for a fork of this process.
    """

    PIPE = subprocess.PIPE

    def __init__(self, server: CommandServer | None = None) -> None:
        self._server = server

    def Popen(self, words: list[str], *, stderr: IO[bytes], env: Mapping[str, str], **more: Any) -> Any:  # noqa: N802
        """Start the module that is named by ``python -P -m``."""
        if not is_as_here(env):
            return subprocess.Popen(words, stderr=stderr, env=env, **more)
        module = words[words.index("-m") + 1 :]
        return Served(self._server, module, stderr, env) if self._server else Forked(module, stderr, env)


def serve() -> None:
    """Run a command for each line of standard input."""
    import pytest
    from sphinx.application import builtin_extensions

    for name in (*builtin_extensions, *LOADED_BY_BUILDS):
        import_module(name)
    if "ours" in sys.argv:
        load_ours()
        pack_once(pytest.MonkeyPatch())
        pytest.MonkeyPatch().setattr(APART, Starting())
    compile_once(pytest.MonkeyPatch(), Path(sys.argv[1]))
    spare_builds()
    forking = multiprocessing.get_context("fork")
    for line in sys.stdin:
        told = json.loads(line)
        if "ours" in sys.argv and told["command"][:2] == ["dicedocs", "new"]:
            keep_wheels()
        child = forking.Process(target=become, kwargs=told)
        child.start()
        child.join()
        print(child.exitcode, flush=True)  # noqa: T201


@cache
def keep_wheels() -> None:
    """Make the wheels that new books bring along, once: to compress them takes longer than all else of a book."""
    command: Any = import_module("dicedocs_sphinx.commands.new")
    wheel_of = command.wheel_of
    here = [each for name in command.PACKAGES for each in islice(Distribution.discover(name=name), 1)]
    kept = {(each.name, each.version): wheel_of(each) for each in here}
    command.wheel_of = lambda each: kept.get((each.name, each.version)) or wheel_of(each)


def spare_builds() -> None:
    """Spare each build most collections of garbage, and what Sphinx logs for its developers."""
    gc.freeze()
    gc.set_threshold(500_000, 50, 100)
    logging.disable(logging.DEBUG)


def load_ours() -> None:
    """Import the modules that do nothing by themselves; build parsers, and patterns of mistakes, as first texts do."""
    for package in OURS:
        for module in walk_packages(import_module(package).__path__, f"{package}."):
            # pytest loads its plugins itself, to read their assertions.
            if module.name.rpartition(".")[2] not in {"__main__", "pytest_plugin"}:
                import_module(module.name)
    import_module("dicedocs.syntax.parser").parse_expression("1")
    import_module("dicedocs.probability.claims.parser").parse_claims("mean = 1")
    for line in LINES:
        import_module("dicedocs.syntax.rule_values").parse_rule_value(line, {"a": "a", "b": "b"})
    diagnosis = import_module("dicedocs.syntax.diagnosis")
    for text, dialect in product(("§", "1 §"), diagnosis.MISTAKES):
        diagnosis.diagnose(diagnosis.IllegalText(text, len(text) - 1, "Check", dialect))
    # Nobody edits what is loaded; its digest is that of all its files.
    import_module("dicedocs_sphinx.output.staleness").extension_version()


def become(folder: str, command: list[str], input: str, outputs: list[str], environment: dict[str, Any]) -> None:
    """Run a command in this process."""
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    for number, name in enumerate([input, *outputs]):
        anew = os.O_CREAT | os.O_TRUNC | os.O_APPEND if number else 0
        os.dup2(os.open(name, os.O_RDWR | anew), number)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    for number, name in enumerate(("stdout", "stderr"), 1):
        if os.isatty(number):
            # Those of the server know that they are none.
            setattr(sys, name, open(number, "w", encoding="utf-8", closefd=False))  # noqa: SIM115
    sys.dont_write_bytecode = bool(environment.get("PYTHONDONTWRITEBYTECODE"))
    program = command[0]
    is_script = os.sep in program
    # The first entry is the folder in which this process was started.
    first = str(Path(program).parent) if is_script else folder
    sys.path[:1] = [first, *paths(environment)]
    sys.argv = command
    if is_script:
        runpy.run_path(program, run_name="__main__")
    else:
        runpy.run_module(program, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    serve()
