"""The files of a book: which ones there are, and how each is read."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Final

from dicedocs.errors import DiceError, quoted
from dicedocs.lint.page import Page

_READERS: Final = {
    "markdown": ("dicedocs_lint.markdown", "read_markdown"),
    "rst": ("dicedocs_lint.restructured_text", "read_restructured_text"),
    "html": ("dicedocs_lint.html_blocks", "read_html"),
}
FORMATS: Final = tuple(_READERS)
SUFFIXES: Final = {
    ".md": "markdown", ".markdown": "markdown", ".mdown": "markdown", ".qmd": "markdown", ".txt": "markdown",
    ".rst": "rst", ".rest": "rst", ".html": "html", ".htm": "html", ".xhtml": "html",
}  # fmt: skip
_ONLY_NAMED: Final = frozenset({".txt"})
"""The suffixes of files that may be anything, and are read only if they are named themselves."""
_LEFT_OUT: Final = frozenset({"node_modules", "__pycache__", "_build", "site-packages"})
_LARGEST: Final = 16_000_000
"""The bytes of a file that are read."""
_LONGEST_LINE: Final = 10_000
"""The characters of a line: what reads marks in a text takes four times as long for twice as many."""


def find_files(paths: Iterable[Path]) -> list[Path]:
    """Return the files that are named, and those of books in the folders that are named, without what git ignores.

    Raises:
        DiceError: there is no such file, or none that can be read.
    """
    found: dict[Path, None] = {}
    for path in paths:
        if path.is_dir():
            inside = _in_git(path)
            files = sorted(_in_folder(path) if inside is None else inside)
            found |= dict.fromkeys(file for file in files if _is_book(file))
        elif path.is_file():
            if path.suffix.lower() not in SUFFIXES:
                raise DiceError(f"{path}: unknown kind of file", hint=f"it must end in {', '.join(SUFFIXES)}")
            found[path] = None
        else:
            raise DiceError(f"there is no file or folder {quoted(str(path))}")
    return list(found)


def _is_book(file: Path) -> bool:
    suffix = file.suffix.lower()
    return suffix in SUFFIXES and suffix not in _ONLY_NAMED and file.is_file()


def _in_git(folder: Path) -> list[Path] | None:
    """Return the files of a folder that git does not ignore; ``None`` if git does not know it."""
    git = shutil.which("git")
    if git is None:
        return None
    command = [git, "-C", str(folder), "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    done = subprocess.run(command, capture_output=True, check=False)  # noqa: S603  # the folder is an argument of its own
    if done.returncode:
        return None
    files = [folder / os.fsdecode(name) for name in done.stdout.split(b"\0") if name]
    # A folder that git ignores altogether was named nevertheless.
    return files or None


def _in_folder(folder: Path) -> Iterator[Path]:
    for name, folders, files in os.walk(folder):
        folders[:] = [each for each in folders if not each.startswith(".") and each not in _LEFT_OUT]
        yield from (Path(name, file) for file in files)


def read_file(file: Path) -> Page:
    """Return the page of a file.

    Raises:
        DiceError: it is too large, or what reads its format is not installed.
    """
    if file.stat().st_size > _LARGEST:
        raise DiceError(f"{file} has more than {_LARGEST // 1_000_000} MB", hint="lint its parts")
    return read_text(str(file), file.read_bytes(), SUFFIXES[file.suffix.lower()])


def read_text(name: str, content: bytes, format: str) -> Page:
    """Return the page of a text.

    Raises:
        DiceError: it is too large, or what reads its format is not installed.
    """
    if len(content) > _LARGEST:
        raise DiceError(f"{name} has more than {_LARGEST // 1_000_000} MB", hint="lint its parts")
    module, function = _READERS[format]
    try:
        read: Callable[[str, str], Page] = getattr(import_module(module), function)
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in {"markdown_it", "docutils"}:
            raise
        message = f"reading {name} needs {package}, which is not installed"
        raise DiceError(message, hint="run: pip install 'dicedocs[lint]'") from None
    text = (
        content.decode("utf-8-sig", errors="replace").replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
    )
    longest = max(map(len, text.split("\n")))
    if format != "html" and longest > _LONGEST_LINE:
        raise DiceError(f"{name} has a line of {longest} characters", hint=f"write no more than {_LONGEST_LINE} in one")
    try:
        return read(name, text)
    except RecursionError:
        raise DiceError(f"{name} is nested too deeply to be read") from None
