"""The head of a directive: its title and its options, whose names depend on the mechanic.

With an ``option_spec`` MyST would parse the values as YAML, which loses a leading ``>`` or quote, and docutils would
refuse unknown names; so the directive reads its own lines, the same way in reStructuredText and in MyST.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from docutils.parsers.rst import Directive

from dicedocs.errors import quoted

_FIELD: Final = re.compile(r"\s*:(?P<name>[^:`\s][^:`]*):(?:[ \t]+(?P<value>.*))?$")
_YAML: Final = re.compile(r"\s*(?P<name>[^:#\s][^:]*):(?:[ \t]+(?P<value>.*))?$")
_YAML_BLOCK: Final = frozenset({"|", ">", "|-", ">-"})
_YAML_QUOTED: Final = re.compile(r"""(?:'(?:[^']|'')*'|"(?:[^"\\]|\\.)*")(?!\S)""")
_YAML_COMMENT: Final = re.compile(r"(?:^|\s)#")
_FENCE: Final = "---"
_OPTION_NAME: Final = re.compile(r"[a-z][a-z_]*")
_DIRECTIVE_FENCE: Final = re.compile(r"\s*(?P<marks>`{3,}|:{3,}|~{3,})(?P<info>\{[^`]*)?\s*$")
_FENCE_LINE: Final = re.compile(r"[\s>]*(?:(?:[-*+]|[0-9]+[.)])\s+)*(?P<marks>`+|~+|:+)")


class Option(NamedTuple):
    """An option, so many lines below the directive's first line.

    Continuation lines of ``value`` are joined by a space; ``written`` is its first line, with any quotes and comment.
    """

    name: str
    value: str
    offset: int
    written: str


class Head(NamedTuple):
    """The part of a directive between its name and its content.

    ``malformed`` are lines among the options that are not options, each with its offset; ``yaml`` is whether the
    options are in a ``---`` block, without colons before their names.
    """

    title: str
    options: list[Option]
    malformed: list[tuple[int, str]]
    yaml: bool = False


def read_head(directive: Directive) -> Head:
    """Read the title and the options of a directive without ``option_spec``; in MyST, remove them from its content."""
    return _from_content(directive) if in_markdown(directive) else _from_argument(directive)


def in_markdown(directive: Directive) -> bool:
    """Return whether a directive stands in a MyST page."""
    return type(directive.state).__module__.startswith("myst_parser.")


def _from_argument(directive: Directive) -> Head:
    """Read the argument of docutils: title lines, then option lines."""
    lines = directive.arguments[0].split("\n") if directive.arguments else []
    count = next((index for index, line in enumerate(lines) if _FIELD.match(line)), len(lines))
    opening = directive.block_text.partition("\n")[0].rstrip()
    first = 0 if lines and opening.endswith(lines[0].rstrip()) else 1
    block = [(first + index, line) for index, line in enumerate(lines)][count:]
    return Head(" ".join(map(str.strip, lines[:count])), *_collect(block, _FIELD))


def _from_content(directive: Directive) -> Head:
    """Read the start of the content: a blank line ends the options."""
    title = directive.arguments[0].strip() if directive.arguments else ""
    lines = list(directive.content) if directive.content_offset == 0 else []
    options, malformed, count, yaml = read_markdown_options(lines)
    directive.content = directive.content[count:]
    directive.content_offset += count
    while directive.content and not directive.content[0].strip():
        directive.content.trim_start()
        directive.content_offset += 1
    return Head(title, options, malformed, yaml)


def missed_option(directive: Directive) -> tuple[int, str] | None:
    """Return what keeps an option from being read, with its offset from the first line; None if all are read.

    Either it is below a blank line, or a line above it, which is the first of the content in MyST, is not an option.
    """
    lines = list(directive.content)
    first = next((index for index, line in enumerate(lines) if line.strip()), len(lines))
    for index, line in enumerate(lines[first : first + 2], first):
        match = _FIELD.match(line)
        if match is None or not _OPTION_NAME.fullmatch(match["name"]):
            continue
        if index > first:
            if not lines[first].lstrip()[:1].isalnum():
                # Another directive, whose options these are.
                return None
            return content_line(directive, first), f"{quoted(lines[first])} is not an option; write :name: value"
        message = f"the option {quoted(match['name'])} is below a blank line"
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


class Options(NamedTuple):
    """The options at the start of some lines, as in :class:`Head`; ``length`` is how many lines they take."""

    options: list[Option]
    malformed: list[tuple[int, str]]
    length: int
    yaml: bool = False


def read_markdown_options(lines: list[str]) -> Options:
    """Read the options in the lines below the fence of a MyST directive."""
    if lines and lines[0].startswith(_FENCE):
        closing = (index for index, line in enumerate(lines) if index and line.startswith(_FENCE))
        count = next(closing, len(lines) - 1) + 1
        block, pattern = lines[1 : count - 1], _YAML
    else:
        count = _field_lines(lines)
        block, pattern = lines[:count], _FIELD
    first = 2 if pattern is _YAML else 1
    options, malformed = _collect([(first + index, line) for index, line in enumerate(block)], pattern)
    return Options([_unquoted(option) for option in options], malformed, count, pattern is _YAML)


def read_rst_options(lines: list[str]) -> Options:
    """Read the options in the lines below the first line of a directive: after its title, up to a blank line."""
    count = next((index for index, line in enumerate(lines) if not line.strip()), len(lines))
    start = next((index for index, line in enumerate(lines[:count]) if _FIELD.match(line)), count)
    block = [(1 + index, line) for index, line in enumerate(lines[:count])][start:]
    return Options(*_collect(block, _FIELD), count)


def _field_lines(lines: list[str]) -> int:
    """Return the number of lines at the start that are options or continue one."""
    base = len(lines[0]) - len(lines[0].lstrip()) if lines else 0
    for index, line in enumerate(lines):
        text = line.lstrip()
        # Three colons open a fence, which is content.
        if text.startswith(":") and not text.startswith(":::"):
            continue
        if not (index and text and len(line) - len(text) > base):
            return index
    return len(lines)


def _collect(lines: Iterable[tuple[int, str]], pattern: re.Pattern[str]) -> tuple[list[Option], list[tuple[int, str]]]:
    options: list[Option] = []
    malformed: list[tuple[int, str]] = []
    base: int | None = None
    for offset, line in lines:
        text = line.strip()
        if not text or (pattern is _YAML and text.startswith("#")):
            continue
        indent = len(line) - len(line.lstrip())
        base = indent if base is None else base
        match = pattern.match(line)
        if options and indent > base:
            last = options[-1]
            scalar = pattern is _YAML and is_block_scalar(last)
            start = "" if scalar and last.value in _YAML_BLOCK else last.value
            more = text if scalar or pattern is not _YAML else without_comment(text)
            options[-1] = last._replace(value=f"{start} {more}".strip())
        elif match:
            written = (match["value"] or "").strip()
            value = written if pattern is not _YAML else without_comment(written)
            options.append(Option(match["name"].strip(), value, offset, written))
        else:
            malformed.append((offset, text))
    return options, malformed


def without_comment(text: str) -> str:
    """Return what stands in a line of a value in YAML, without the comment at its end.

    >>> without_comment("2   # the skill"), without_comment("'2d6 # fire' # the dice"), without_comment("R#1")
    ('2', "'2d6 # fire'", 'R#1')
    """
    quoted_text = _YAML_QUOTED.match(text)
    if text[:1] in {"'", '"'} and quoted_text is None:
        # It is closed in another line, or it only begins with a quote.
        return text
    comment = _YAML_COMMENT.search(text, quoted_text.end() if quoted_text else 0)
    return text[: comment.start()].rstrip() if comment else text


def is_block_scalar(option: Option) -> bool:
    """Return whether the value of an option in YAML is the lines below it as they stand."""
    return without_comment(option.written) in _YAML_BLOCK


def _unquoted(option: Option) -> Option:
    """Remove the quotes around a value, as YAML does; two single quotes between single quotes are one."""
    quote, inner = option.value[:1], option.value[1:-1]
    if len(option.value) > 1 and quote in "'\"" and option.value.endswith(quote):
        if quote not in inner:
            return option._replace(value=inner)
        if quote == "'" and quote not in inner.replace("''", ""):
            return option._replace(value=inner.replace("''", "'"))
    return option
