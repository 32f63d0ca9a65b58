"""The head of a directive as its parser hands it over, what is wrong below it, and the fences of Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from docutils.parsers.rst import Directive

from dicedocs.errors import quoted
from dicedocs_sphinx.directive_head import Head, Line, read_head

_OPTION_NAME: Final = re.compile(r"[a-z][a-z_]*")
_DIRECTIVE_FENCE: Final = re.compile(r"\s*(?P<marks>`{3,}|:{3,}|~{3,})(?P<info>\{[^`]*)?\s*$")
_FENCE_LINE: Final = re.compile(r"[\s>]*(?:(?:[-*+]|[0-9]+[.)])\s+)*(?P<marks>`+|~+|:+)")


def head_of(directive: Directive) -> Head:
    """Read the title and the options of a directive without ``option_spec``; in MyST, remove them from its content."""
    if not in_markdown(directive):
        opening, *below = directive.block_text.split("\n")
        return read_head(map(Line, [opening.partition("::")[2], *below]), markdown=False)
    below = list(directive.content) if directive.content_offset == 0 else []
    head = read_head(map(Line, ["".join(directive.arguments), *below]), markdown=True)
    directive.content = directive.content[head.length - 1 :]
    directive.content_offset += head.length - 1
    while directive.content and not directive.content[0].strip():
        directive.content.trim_start()
        directive.content_offset += 1
    return head


def in_markdown(directive: Directive) -> bool:
    """Return whether a directive stands in a MyST page."""
    return type(directive.state).__module__.startswith("myst_parser.")


def missed_option(directive: Directive) -> tuple[int, str] | None:
    """Return what keeps an option from being read, with its offset from the first line; None if all are read.

    Either it is below a blank line, or a line above it, which is the first of the content in MyST, is not an option.
    """
    lines = list(directive.content)
    first = next((index for index, line in enumerate(lines) if line.strip()), len(lines))
    for index, line in enumerate(lines[first : first + 2], first):
        name = next((option.name for option in read_head([Line(line)], markdown=False).options), "")
        if not _OPTION_NAME.fullmatch(name):
            continue
        if index > first:
            if not lines[first].lstrip()[:1].isalnum():
                # Another directive, whose options these are.
                return None
            return content_line(directive, first), f"{quoted(lines[first])} is not an option; write :name: value"
        message = f"the option {quoted(name)} is below a blank line"
        return content_line(directive, index), f"{message}; write all options directly below the title"
    return None


def content_line(directive: Directive, index: int) -> int:
    """Return by how many lines a line of the content, from 0, is below the first line of a directive."""
    # MyST counts from the first line of the directive, docutils from that of the page.
    return directive.content_offset + index + 1 - (0 if in_markdown(directive) else directive.lineno)


def open_fence(lines: Iterable[str]) -> int | None:
    """Return the index of the first MyST fence that is opened in some lines and not closed; None if all are closed."""
    opened: list[tuple[int, str]] = []
    for index, line in enumerate(lines):
        fence = _DIRECTIVE_FENCE.match(line)
        if fence and fence["info"]:
            opened.append((index, fence["marks"]))
        elif fence and opened and fence["marks"].startswith(opened[-1][1]):
            opened.pop()
    return opened[0][0] if opened else None


class Fence(NamedTuple):
    """The line that opens a fence: its marks, and what stands behind them."""

    marks: str
    info: str


def read_fence(line: str, minimum: int = 3) -> Fence | None:
    """Return the fence that a line of Markdown opens, also in a quotation or a list; None if it opens none.

    >>> read_fence("> - ```{dice:example} A shot")
    Fence(marks='```', info='{dice:example} A shot')
    """
    match = _FENCE_LINE.match(line)
    return Fence(match["marks"], line[match.end() :].strip()) if match and len(match["marks"]) >= minimum else None


def closing_line(lines: Sequence[str], opening: int) -> int | None:
    """Return the number of the line that may close the fence in another line, both from 1; None if there is none."""
    fence = read_fence(lines[opening - 1])
    for number, line in enumerate(lines[opening:], opening + 1):
        other = read_fence(line)
        if fence and other and not other.info and other.marks.startswith(fence.marks):
            return number
    return None
