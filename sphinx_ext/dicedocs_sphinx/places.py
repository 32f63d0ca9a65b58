"""Where things stand: the file and the line that a person has to open."""

from __future__ import annotations

import ast
import importlib.util
import os
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

_DOCSTRING = ":docstring of "
_TRANSLATED = re.compile(r"(?P<path>.*):(?P<line>\d+):<translated>")
ROLE_WITHIN = 200
"""Lines below the beginning of its paragraph in which a role or a number is looked for."""


def real_place(source: str | None, line: int | None) -> tuple[str, int]:
    """Give the file and the line that docutils means.

    Parameters:
        source: the source as docutils names it: a path, also relative to the working directory,
            ``path:docstring of object``, or ``path:line:<translated>``.
        line: the line there, from 1; in a docstring that of the docstring.
    """
    path, inside, obj = str(source or "").partition(_DOCSTRING)
    line = line or 1
    translated = _TRANSLATED.fullmatch(path)
    if translated:
        path, line = translated["path"], int(translated["line"])
    if not inside:
        return os.path.abspath(path), line  # noqa: PTH100  # a pure path need not exist
    file = path if Path(path).is_file() else _file_of(path)
    start = _docstring_line(file, obj)
    return os.path.abspath(file), start + line - 1  # noqa: PTH100


def _file_of(module: str) -> str:
    """Give the file of a module that stands where a path should."""
    try:
        spec = importlib.util.find_spec(module)
    except (ImportError, ValueError):
        spec = None
    return spec.origin if spec and spec.origin else module


@lru_cache(maxsize=256)
def _docstring_line(file: str, obj: str) -> int:
    """Give the line in which the text of an object's docstring begins; 1 when it cannot be found."""
    try:
        module = ast.parse(Path(file).read_text("utf-8"))
    except (OSError, SyntaxError, ValueError):
        return 1
    parts = obj.split(".")
    # The dotted name begins with the module's, however long that is.
    for skipped in range(len(parts) + 1):
        node: ast.AST | None = module
        for part in parts[skipped:]:
            inner = getattr(node, "body", ())
            node = next((child for child in inner if getattr(child, "name", None) == part), None)
        if node is module and len(parts) > skipped:
            continue
        body = getattr(node, "body", None)
        if not body or not isinstance(body[0], ast.Expr) or not isinstance(body[0].value, ast.Constant):
            continue
        text = str(body[0].value.value)
        # Sphinx drops the blank lines before the text.
        lead = next((place for place, line in enumerate(text.splitlines()) if line.strip()), 0)
        return body[0].value.lineno + lead
    return 1


def shifted(source: str, lines: Mapping[str, int], written: Mapping[str, str]) -> int | None:
    """Give by how many lines options stand lower than they are believed to.

    docutils forgets where a part of a file that it includes begins, so before a line is printed the
    file is looked into: at the believed lines, else at exactly one other place. What stands nowhere,
    such as a substitution of MyST, gives nothing.

    Parameters:
        source: the path of the file.
        lines: the line of each option, from 1.
        written: its value as the line has it.
    """
    try:
        text = [line.expandtabs() for line in Path(source).read_text("utf-8").splitlines()]
    except (OSError, UnicodeDecodeError):
        return None
    wanted = [
        (line, re.compile(rf"(?:^|.*[\s:]){re.escape(name)}:[ \t]*{re.escape(written[name].expandtabs())}[\s|]*$"))
        for name, line in lines.items()
    ]

    def stands(shift: int) -> bool:
        return all(0 < line + shift <= len(text) and pattern.match(text[line + shift - 1]) for line, pattern in wanted)

    if not wanted or stands(0):
        return 0
    first = min(lines.values())
    found = [place - first for place in range(1, len(text) + 1) if stands(place - first)]
    return found[0] if len(found) == 1 else None


def role_place(source: str | None, line: int | None, text: str) -> tuple[str, int]:
    """Give the place of a role, of which docutils knows only where its paragraph begins.

    Parameters:
        source: the source as docutils names it.
        line: the line of the paragraph.
        text: what stands between the role's backquotes.
    """
    path, first = real_place(source, line)
    try:
        lines = Path(path).read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return path, first
    within = range(first, min(first + ROLE_WITHIN, len(lines)) + 1)
    return path, next((number for number in within if f"`{text}`" in lines[number - 1]), first)
