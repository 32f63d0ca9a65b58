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
from dicedocs.cli.commands import ExitStatus
from dicedocs_sphinx.books import check_folder

_SERVER: Final = "sphinx_autobuild"


def run(options: argparse.Namespace) -> int:
    """Run sphinx-autobuild until it is interrupted, and return its exit status.

    Raises:
        DiceError: it is not installed.
    """
    folder = check_folder(options.book)
    if find_spec(_SERVER) is None:
        raise DiceError("'dicedocs watch' needs sphinx-autobuild", hint="run: pip install sphinx-autobuild")
    with TemporaryDirectory() as out:
        command = [sys.executable, "-m", _SERVER, str(folder), out, "--port", str(options.port)]
        for path in [*_module_files(folder), *options.also]:
            command += ["--watch", str(path)]
        command += ["--open-browser"] if options.open else []
        try:
            return subprocess.run(command, check=False).returncode  # noqa: S603  # the server that was found
        except KeyboardInterrupt:
            return ExitStatus.INTERRUPTED


def _module_files(book: Path) -> Iterator[Path]:
    """Yield the modules and packages of the project that a book is in, which may be those of its game."""
    project = next((folder for folder in book.parents if (folder / "pyproject.toml").is_file()), None)
    for folder in () if project is None else (project / "src", project):
        yield from sorted(folder.glob("*.py"))
        yield from sorted(path.parent for path in folder.glob("*/__init__.py"))
