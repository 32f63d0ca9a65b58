"""A Markdown page as reStructuredText, so that the text of a new book stands once.

It knows the forms that the templates of ``dicedocs new`` use: headings, blocks in backticks, roles, and tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import Final

_UNDERLINES: Final = "=-~"
_INDENT: Final = " " * 3
_ROLE: Final = re.compile(r"\{([\w:-]+)\}(?=`)")


def as_restructured_text(markdown: str) -> str:
    r"""Return a page in reStructuredText.

    >>> print(as_restructured_text("# Ash\n\n```{dice:example} A hit\n:dice: 5\n\nA {dice:fact}`total`.\n```"))
    Ash
    ===
    <BLANKLINE>
    .. dice:example:: A hit
       :dice: 5
    <BLANKLINE>
       A :dice:fact:`total`.
    """
    return "\n".join(_lines(_ROLE.sub(r":\1:", markdown).split("\n")))


def _lines(lines: list[str]) -> Iterator[str]:
    indent = ""
    for is_table, group in groupby(lines, lambda line: line.startswith("|")):
        if is_table:
            yield from _table([[cell.strip() for cell in line.strip("|").split("|")] for line in group])
            continue
        for line in group:
            if block := re.fullmatch(r"```\{(.+)\} ?(.*)", line):
                yield f".. {block[1]}:: {block[2]}".rstrip()
                indent = _INDENT
            elif line == "```":
                indent = ""
            elif heading := re.fullmatch(r"(#+) (.+)", line):
                yield heading[2]
                yield _UNDERLINES[len(heading[1]) - 1] * len(heading[2])
            else:
                yield f"{indent}{line}".rstrip()


def _table(rows: list[list[str]]) -> Iterator[str]:
    """Yield the lines of a simple table; its second row is the one that Markdown puts below the head."""
    head, _, *body = rows
    widths = [max(map(len, column)) for column in zip(head, *body, strict=True)]
    border = "  ".join("=" * width for width in widths)
    yield border
    yield _row(head, widths)
    yield border
    yield from (_row(row, widths) for row in body)
    yield border


def _row(cells: list[str], widths: list[int]) -> str:
    return "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()
