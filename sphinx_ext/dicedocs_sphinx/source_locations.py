"""Source locations: the file and the line that an author has to open."""

from __future__ import annotations

import ast
import importlib.util
import os
import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import islice
from pathlib import Path
from string import whitespace

_DOCSTRING = ":docstring of "
_TRANSLATED = re.compile(r"(?P<path>.*):(?P<line>\d+):<translated>")
PARAGRAPH_LINES = 200
"""The lines from the start of a paragraph that are searched for a role or a number in it."""
_EDGE = f"{whitespace}|"
"""What may follow an option in its line, in a table."""


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


class _File:
    """The lines of a file, and which of them end in a word."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self._by_last_word: dict[str, list[int]] | None = None

    def ending_in(self, word: str) -> list[int]:
        """Return the numbers of the lines whose last word this is, apart from the edge of a table."""
        if self._by_last_word is None:
            self._by_last_word = {}
            for number, line in enumerate(self.lines, 1):
                self._by_last_word.setdefault(_last_word(line), []).append(number)
        return self._by_last_word.get(word, [])

    def has_option(self, number: int, name: str, text: str) -> bool:
        """Return whether a line is an option, or ends in one: within a quotation or a table it has more around it."""
        if not 0 < number <= len(self.lines):
            return False
        line = self.lines[number - 1].rstrip(_EDGE)
        core = text.rstrip(_EDGE)
        if not line.endswith(core):
            return False
        head = line.removesuffix(core).rstrip(" \t")
        before = head.removesuffix(f"{name}:")
        return before != head and (not before or before[-1] == ":" or before[-1].isspace())


def _last_word(text: str) -> str:
    return next(iter(text.rstrip(_EDGE).rsplit(maxsplit=1)[-1:]), "")


def file_lines(path: str) -> list[str]:
    """Return the lines of a file, which is read again only when it has changed; none if it cannot be read."""
    return _file(path).lines


def _file(path: str) -> _File:
    try:
        status = Path(path).stat()
    except (OSError, ValueError):
        return _File([])
    return _read_file(path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=4)
def _read_file(path: str, _changed: int, _size: int) -> _File:
    """Return the lines of a file in its present state: a page with a thousand mistakes is not read for each of them."""
    try:
        text = Path(path).read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return _File([])
    # As editors count them: a form feed ends no line.
    return _File([line.expandtabs() for line in text.split("\n")])


def path_in_book(srcdir: str | os.PathLike[str], source: str) -> str:
    """Return the path of a source file, relative to the source directory, with slashes."""
    return Path(os.path.relpath(source, srcdir)).as_posix()


def include_line_offset(source: str, lines: Mapping[str, int], texts: Mapping[str, str]) -> int | None:
    """Return by how many lines the options of a directive are lower in their file than docutils says.

    docutils forgets at which line an included part of a file starts, so the options are searched in the file: at their
    lines, or else at exactly one other position. If they are not found, as in a substitution of MyST, return None.
    """
    file = _file(source)
    if not file.lines:
        return None
    wanted = [(line, name, texts[name].expandtabs()) for name, line in lines.items()]

    def matches(offset: int) -> bool:
        return all(file.has_option(line + offset, name, text) for line, name, text in wanted)

    if not wanted or matches(0):
        return 0

    def candidates(line: int, name: str, text: str) -> list[int]:
        words = {_last_word(text)} if text.rstrip(_EDGE) else {f"{name}:", f":{name}:"}
        return [number - line for word in words for number in file.ending_in(word)]

    fewest = min((candidates(*option) for option in wanted), key=len)
    offsets = list(islice(filter(matches, fewest), 2))
    return offsets[0] if len(offsets) == 1 else None


def role_location(source: str | None, line: int | None, text: str) -> tuple[str, int]:
    """Return the file and the line of a role with this text, given those of its paragraph as docutils knows them."""
    path, first = source_location(source, line)
    lines = file_lines(path)
    role = f"`{text.expandtabs()}`"
    numbers = range(first, min(first + PARAGRAPH_LINES, len(lines)) + 1)
    return path, next((number for number in numbers if role in lines[number - 1]), first)


def comment_location(source: str | None, line: int | None, text: str) -> tuple[str, int]:
    """Return the file and the first line of a comment with this text, given its last line, as docutils does."""
    path, last = source_location(source, line)
    lines, opening = file_lines(path), text.partition("\n")[0].expandtabs()
    numbers = range(min(last, len(lines)), 0, -1)
    return path, next((number for number in numbers if opening in lines[number - 1]), last)
