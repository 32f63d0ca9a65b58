"""The edit that switches the extension on in a ``conf.py``, which is read and never executed."""

from __future__ import annotations

import ast
import re
import warnings
from typing import Final

from dicedocs_sphinx.author.book_reading import CONF
from dicedocs_sphinx.author.option_edit import CannotEdit

EXTENSION: Final = "dicedocs_sphinx"
_NAME: Final = "extensions"
_INDENT: Final = b" " * 4
_BOM: Final = "\ufeff"
_LINE_END: Final = re.compile(rb"\r\n|\r|\n")
_REST: Final = re.compile(rb"\s*(,?)(?:\s|#[^\r\n]*)*\]")
"""What may stand behind the last element of a list."""
_STATEMENTS: Final = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr)


def add_extension(conf: str) -> str:
    """Return the text of a ``conf.py`` with the extension in ``extensions``; the same text if it is there already.

    >>> print(add_extension("extensions = ['myst_parser']"))
    extensions = ['myst_parser', 'dicedocs_sphinx']

    Raises:
        SyntaxError: it is not Python; so do ValueError, RecursionError and MemoryError say.
        CannotEdit: ``extensions`` is not a plain list that is set once; the message is the line to add at the end.
    """
    text = conf.removeprefix(_BOM)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(text, CONF)
    about = [node for node in ast.walk(tree) if isinstance(node, _STATEMENTS) and _names(node)]
    if any(isinstance(part, ast.Constant) and part.value == EXTENSION for node in about for part in ast.walk(node)):
        return conf
    extensions = _plain_list(tree)
    edited = extensions and _append(text.encode(), extensions)
    if not edited:
        known = _names(tree) or any(alias.name in {"*", _NAME} for node in ast.walk(tree) for alias in _imported(node))
        raise CannotEdit(f'{_NAME} = [{f"*{_NAME}, " if known else ""}"{EXTENSION}"]')
    return conf[: len(conf) - len(text)] + edited.decode()


def _names(node: ast.AST) -> list[ast.Name]:
    """Return where a part of a program names the extensions."""
    return [part for part in ast.walk(node) if isinstance(part, ast.Name) and part.id == _NAME]


def _imported(node: ast.AST) -> list[ast.alias]:
    return node.names if isinstance(node, ast.ImportFrom) else []


def _plain_list(tree: ast.Module) -> ast.List | None:
    """Return the list that is the value of ``extensions``, if these are set once, whatever happens."""
    added = [node.target for node in ast.walk(tree) if isinstance(node, ast.AugAssign)]
    targets = [name for name in _names(tree) if isinstance(name.ctx, ast.Store) and name not in added]
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.List):
            own = node.targets if isinstance(node, ast.Assign) else [node.target]
            if own == targets and len(own) == 1:
                return node.value
    return None


def _append(data: bytes, value: ast.List) -> bytes | None:
    """Return a program with the extension as the last element of a list, laid out as the others are.

    It is None if more than a comma and comments stand between the last element and the end of the list.
    """
    line_ends = list(_LINE_END.finditer(data))
    starts = [0, *(each.end() for each in line_ends)]
    last = value.elts[-1] if value.elts else None
    start = starts[value.lineno - 1] + value.col_offset
    # Python says where each expression ends; only trees made by hand don't.
    end = starts[(last.end_lineno or 0) - 1] + (last.end_col_offset or 0) if last else start + 1
    rest = _REST.match(data, end)
    if rest is None:
        return None
    comma = b"," if last and not rest[1] else b""
    style = data[start:end] if last else data
    quote = b"'" if style.count(b"'") > style.count(b'"') else b'"'
    element = quote + EXTENSION.encode() + quote
    before = data[starts[last.lineno - 1] :][: last.col_offset] if last else b""
    if line_end := _LINE_END.search(data, end, rest.end()):
        # The bracket has a line of its own: so does the element.
        indent = before[: len(before) - len(before.lstrip())] or _INDENT
        line = indent + element + (b"" if comma else b",") + line_end[0]
        return data[:end] + comma + data[end : line_end.end()] + line + data[line_end.end() :]
    space = b" " if last else b""
    if last and before and not before.strip():
        # The last element begins a line, without a bracket below: so does this one.
        space = line_ends[last.lineno - 2][0] + before
    return data[:end] + (b"," if last else b"") + space + element + data[end:]
