"""``dicedocs watch``: build a book whenever it or its game changes, and show it in a browser."""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from dicedocs import DiceError
from dicedocs_sphinx.author.book_reading import check_folders

_SERVER: Final = "sphinx_autobuild"
_PATIENCE: Final = 10.0
"""Seconds in which the server may end by itself."""


def run(options: argparse.Namespace) -> int:
    """Run sphinx-autobuild until it is interrupted, and return its exit status.

    Raises:
        DiceError: it is not installed.
    """
    folder, conf = check_folders(options.book, options.conf)
    if find_spec(_SERVER) is None:
        raise DiceError("'dicedocs watch' needs sphinx-autobuild", hint="run: pip install sphinx-autobuild")
    # Everything in the folder of the site is served; the doctrees stand beside it.
    with TemporaryDirectory() as site, TemporaryDirectory() as doctrees:
        command = [sys.executable, "-m", _SERVER, str(folder), site, "-d", doctrees, "--port", str(options.port)]
        command += ["-c", str(conf), "--watch", str(conf)] if conf != folder else []
        for path in [*_module_files(conf), *options.also]:
            command += ["--watch", str(path)]
        command += ["--open-browser"] if options.open else []
        server = subprocess.Popen(command)  # noqa: S603  # the server that was found
        try:
            return server.wait()
        finally:
            _end(server)


def _end(server: subprocess.Popen[bytes]) -> None:
    """End the server, if it still runs, before its folder is deleted."""
    server.terminate()
    try:
        server.wait(_PATIENCE)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


def _module_files(book: Path) -> Iterator[Path]:
    """Yield the modules and packages of the project that a book is in, which may be those of its game."""
    project = next((folder for folder in book.parents if (folder / "pyproject.toml").is_file()), None)
    for folder in () if project is None else (project / "src", project):
        yield from sorted(folder.glob("*.py"))
        yield from sorted(path.parent for path in folder.glob("*/__init__.py"))
