"""Source locations: the file and the line that an author has to open."""

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
PARAGRAPH_LINES = 200
"""The lines from the start of a paragraph that are searched for a role or a number in it."""


def source_location(source: str | None, line: int | None) -> tuple[str, int]:
    """Return the file and the line that docutils means.

    Parameters:
        source: a path, also relative to the working directory, ``path:docstring of object``, or
            ``path:line:<translated>``.
        line: the line from 1, in a docstring the line of the docstring.
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
    """Return the file of a module that is named instead of a path."""
    try:
        spec = importlib.util.find_spec(module)
    except (ImportError, ValueError):
        spec = None
    return spec.origin if spec and spec.origin else module


@lru_cache(maxsize=256)
def _docstring_line(file: str, obj: str) -> int:
    """Return the line in which the text of an object's docstring begins; 1 if it cannot be found."""
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
        lead = next((index for index, line in enumerate(text.splitlines()) if line.strip()), 0)
        return body[0].value.lineno + lead
    return 1


def include_line_offset(source: str, lines: Mapping[str, int], texts: Mapping[str, str]) -> int | None:
    """Return by how many lines the options of a directive are lower in their file than docutils says.

    docutils forgets at which line an included part of a file starts, so the options are searched in the file: at their
    lines, or else at exactly one other position. If they are not found, as in a substitution of MyST, return None.
    """
    try:
        text = [line.expandtabs() for line in Path(source).read_text("utf-8").splitlines()]
    except (OSError, UnicodeDecodeError):
        return None
    wanted = [
        (line, re.compile(rf"(?:^|.*[\s:]){re.escape(name)}:[ \t]*{re.escape(texts[name].expandtabs())}[\s|]*$"))
        for name, line in lines.items()
    ]

    def matches(offset: int) -> bool:
        return all(
            0 < line + offset <= len(text) and pattern.match(text[line + offset - 1]) for line, pattern in wanted
        )

    if not wanted or matches(0):
        return 0
    first = min(lines.values())
    offsets = [line - first for line in range(1, len(text) + 1) if matches(line - first)]
    return offsets[0] if len(offsets) == 1 else None


def role_location(source: str | None, line: int | None, text: str) -> tuple[str, int]:
    """Return the file and the line of a role with this text, given those of its paragraph as docutils knows them."""
    path, first = source_location(source, line)
    try:
        lines = Path(path).read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return path, first
    numbers = range(first, min(first + PARAGRAPH_LINES, len(lines)) + 1)
    return path, next((number for number in numbers if f"`{text}`" in lines[number - 1]), first)
