"""``dicedocs init``: add dicedocs to an existing Sphinx project."""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from dicedocs.cli.commands import ExitStatus
from dicedocs.errors import listed, quoted
from dicedocs.faults import describe_error
from dicedocs_sphinx.author.acceptance import FileChange, protection, write_change
from dicedocs_sphinx.author.book_reading import CONF, BookError
from dicedocs_sphinx.author.extension_edit import EXTENSION, add_extension
from dicedocs_sphinx.author.option_edit import CannotEdit
from dicedocs_sphinx.commands.accept import print_diff
from dicedocs_sphinx.commands.verify import shown_path

_BELOW: Final = (f"*/{CONF}", f"*/*/{CONF}")
"""Where ``conf.py`` is if not in the folder itself: in ``docs``, or in ``docs/source``."""
_HIDDEN: Final = (".", "_")
_REQUIREMENTS: Final = ("requirements.txt", "pyproject.toml")
_REQUIRED: Final = "dicedocs[sphinx]"
_LINE: Final = f'extensions = [*extensions, "{EXTENSION}"]'


def run(options: argparse.Namespace) -> int:
    """Add the extension to a ``conf.py``, and name the files that should require it.

    Raises:
        BookError: there is no ``conf.py``, or there are several, or it is not Python.
    """
    top: Path = options.folder.resolve()
    if top.name == CONF:
        top = top.parent
    conf = _find(top, options.folder)
    name = shown_path(str(conf))
    reason, line = protection(conf, conf.parent, time.time_ns()), _LINE
    try:
        before = conf.read_bytes().decode("utf-8")
        after = add_extension(before)
    except UnicodeDecodeError:
        pass  # which is the reason
    except CannotEdit as error:
        reason, line = "it has no plain list of extensions", str(error)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise BookError(f"Python cannot read {name}: {describe_error(error)}") from error
    else:
        if after == before:
            print(f"{name}: {EXTENSION} is already there")
            reason = ""
        elif not reason:
            change = FileChange(conf, before, after, [])
            refusal = write_change(change)
            reason = refusal.reason if refusal else ""
            if not reason:
                print(f"{name} written", file=sys.stderr, flush=True)
                print_diff([change])
    if reason:
        print(f"{name}: {reason}; left as it is. Add this line at the end:", file=sys.stderr, flush=True)
        print(f"    {line}")
    for path in _without_requirement(conf.parent, top):
        print(f"{shown_path(str(path))} does not name dicedocs; add {_REQUIRED}", file=sys.stderr)
    return ExitStatus.DOES_NOT_HOLD if reason else ExitStatus.HOLDS


def _find(top: Path, given: Path) -> Path:
    """Return the ``conf.py`` in a folder, or else the only one below.

    Raises:
        BookError: there is none, or several.
    """
    try:
        if (top / CONF).is_file():
            return top / CONF
        found = sorted(path for pattern in _BELOW for path in top.glob(pattern) if not _is_hidden(path, top))
    except (OSError, ValueError):
        # The path is too long, or has a character that no path has.
        found = []
    if not found:
        hint = "name the folder of a Sphinx project, or start a new book: dicedocs new my-game"
        raise BookError(f"there is no {CONF} in {quoted(given)}, nor in the folders below", hint=hint)
    if len(found) > 1:
        folders = [str(path.parent.relative_to(top)) for path in found]
        raise BookError(f"there is a {CONF} in {listed(folders, 'and')}", hint="name one of these folders")
    return found[0]


def _is_hidden(path: Path, top: Path) -> bool:
    return any(part.startswith(_HIDDEN) for part in path.relative_to(top).parts)


def _without_requirement(folder: Path, top: Path) -> Iterator[Path]:
    """Yield the files, from a folder up to another one, that require Sphinx but not dicedocs."""
    folders = [folder, *folder.parents]
    for each in folders[: folders.index(top) + 1]:
        for path in (each / name for name in _REQUIREMENTS):
            text = path.read_text("utf-8", errors="replace") if path.is_file() else ""
            if re.search(r"\bsphinx\b", text, re.IGNORECASE) and "dicedocs" not in text:
                yield path
