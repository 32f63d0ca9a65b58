"""Source locations: the file and the line that an author has to open."""

from __future__ import annotations

import ast
import importlib.util
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from pathlib import Path

from docutils import nodes

from dicedocs_sphinx.directive_head import FileHead, Key, find_head, find_heads, head_key

_DOCSTRING = ":docstring of "
_TRANSLATED = re.compile(r"(?P<path>.*):(?P<line>\d+):<translated>")
_PARAGRAPH_LINES = 200
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


def file_lines(path: str) -> list[str]:
    """Return the lines of a file, which is read again only when it has changed; none if it cannot be read."""
    return _file(path)[0]


def _file(path: str) -> tuple[list[str], dict[Key, list[FileHead]]]:
    try:
        status = Path(path).stat()
    except (OSError, ValueError):
        return [], {}
    return _read_file(path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=4)
def _read_file(path: str, _changed: int, _size: int) -> tuple[list[str], dict[Key, list[FileHead]]]:
    """Return the lines of a file in its present state, and its directives by what they say.

    A page with a thousand mistakes is not read for each of them.
    """
    try:
        text = Path(path).read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return [], {}
    heads: dict[Key, list[FileHead]] = {}
    for head in find_heads(text):
        heads.setdefault(head.key, []).append(head)
    # As editors count them: a form feed ends no line.
    return [line.expandtabs() for line in text.split("\n")], heads


def path_in_book(srcdir: str | os.PathLike[str], source: str) -> str:
    """Return the path of a source file, relative to the source directory, with slashes."""
    return Path(os.path.relpath(source, srcdir)).as_posix()


def include_line_offset(source: str, kind: str, lines: Mapping[str, int], texts: Mapping[str, str]) -> int | None:
    """Return by how many lines the options of a directive are lower in their file than docutils says.

    docutils forgets at which line an included part of a file starts, so the directive is searched in the file: in its
    lines, or else as the only one that says the same. If it is not found, as in a substitution of MyST, return None.
    """
    file, heads = _file(source)
    if not lines:
        return 0 if file else None
    head = find_head(heads.get(head_key(kind, texts, lines), []), lines)
    return min(head.option_lines.values()) - min(lines.values()) if head else None


def text_line_offset(path: str, texts: Sequence[tuple[int, str]]) -> int | None:
    """Return by how many lines some texts are lower in their file than the parser says.

    An included part of a file is lower by what comes before it; in some nested directives the parser is a line off. If
    the texts stand nowhere in the file with these distances, or more than once and not where it says, return None.

    Parameters:
        path: the file.
        texts: the line of each text as the parser counts it, and the text, whose white space does not matter.
    """
    lines, sought = file_lines(path), [(line, _as_written(text)) for line, text in texts if text.strip()]
    if not sought or not lines:
        return 0 if lines else None

    def is_offset(offset: int) -> bool:
        return all(
            0 < line + offset <= len(lines) and _has_words(_as_written(lines[line + offset - 1]), text)
            for line, text in sought
        )

    if is_offset(0):
        return 0
    first, text = sought[0]
    offsets = (number - first for number, line in enumerate(lines, 1) if _has_words(_as_written(line), text))
    found = list(islice(filter(is_offset, offsets), 2))
    return found[0] if len(found) == 1 else None


def _as_written(text: str) -> str:
    """Return a text with single white space; a bar in a cell of Markdown is written with a backslash."""
    return " ".join(text.split()).replace("\\|", "|")


def _has_words(line: str, text: str) -> bool:
    """Return whether a text stands in a line, and not in the middle of a word."""
    at = line.find(text)
    while at >= 0:
        around = line[max(at - 1, 0) : at + 1], line[at + len(text) - 1 : at + len(text) + 1]
        if not any(len(pair) == 2 and pair.isalnum() for pair in (around[0] if at else "", around[1])):
            return True
        at = line.find(text, at + 1)
    return False


def paragraph_lines(path: str, first: int) -> Iterator[tuple[int, str]]:
    """Yield the lines of a file from the first one of a paragraph, each with its number, as far as it may go."""
    return enumerate(file_lines(path)[first - 1 : first - 1 + _PARAGRAPH_LINES], first)


def text_line(path: str, first: int, text: str) -> int:
    """Return the line in which a text is written, from the first line of its paragraph, which it is if none has it."""
    return next((number for number, line in paragraph_lines(path, first) if text in line), first)


def node_location(node: nodes.Element, document: nodes.document) -> tuple[str, int]:
    """Return the file and the first line of the paragraph that holds a node."""
    while node.line is None and node.parent is not None:
        node = node.parent
    return source_location(node.source or document["source"], node.line)


def role_location(source: str | None, line: int | None, text: str) -> tuple[str, int]:
    """Return the file and the line of a role with this text, given those of its paragraph as docutils knows them."""
    path, first = source_location(source, line)
    return path, text_line(path, first, f"`{text.expandtabs()}`")


def comment_location(source: str | None, line: int | None, text: str) -> tuple[str, int]:
    """Return the file and the first line of a comment with this text, given its last line, as docutils does."""
    path, last = source_location(source, line)
    lines, opening = file_lines(path), text.partition("\n")[0].expandtabs()
    numbers = range(min(last, len(lines)), 0, -1)
    return path, next((number for number in numbers if opening in lines[number - 1]), last)
