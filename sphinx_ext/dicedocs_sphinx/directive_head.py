"""The head of a directive: its title and its options, and where each of them stands.

With an ``option_spec`` MyST would parse the values as YAML, which loses a leading ``>`` or quote, and docutils would
refuse unknown names; so we read the lines ourselves, the same way in reStructuredText and in MyST, whether a parser
hands them over or they stand in a file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

_FIELD: Final = re.compile(r"\s*:(?P<name>[^:`\s][^:`]*):(?:[ \t].*)?$")
_YAML: Final = re.compile(r"\s*(?P<name>[^:#\s][^:]*):(?:[ \t].*)?$")
_YAML_BLOCK: Final = frozenset({"|", ">", "|-", ">-"})
_YAML_QUOTED: Final = re.compile(r"""(?:'(?:[^']|'')*'|"(?:[^"\\]|\\.)*")(?!\S)""")
_YAML_COMMENT: Final = re.compile(r"(?:^|\s)#")
_YAML_MARK: Final = "---"

DOCUTILS_ENDS: Final = re.compile(r"\r\n|[\n\r\x1c\x1d\x1e\x85\u2028\u2029]")
"""The ends of lines, as docutils counts them."""
LINE_ENDS: Final = re.compile(r"\r\n|[\n\r]")
"""The ends of lines, as MyST and editors count them."""
_MARGIN: Final = re.compile(r"[ \t]*(?:(?:>|#:)[ \t]*)*")
"""What may stand before an option: an indent, or the marks of a quotation in Markdown or of a comment in Python."""
_OPENING: Final = re.compile(
    r"(?:(?<![`~:])(?P<fence>`{3,}|~{3,}|:{3,})[ \t]*\{(?:dice:)?(?P<markdown>[\w.+-]+)\}"
    r"|\.\.[ \t]+(?:dice:)?(?P<rst>[\w.+-]+)[ \t]?::(?=\s|\Z))"
)
"""What looks like the start of a directive."""
_COMMA: Final = re.compile(r"\s*,\s*")


class Line(NamedTuple):
    """The text of a line, and where it starts in its file, if it stands in one."""

    text: str
    start: int = 0


class Part(NamedTuple):
    """The part of a value in one line, so many lines below the directive's first line, and where it starts."""

    offset: int
    start: int
    text: str

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.start + len(self.text)


class Option(NamedTuple):
    """An option, so many lines below the directive's first line; ``behind`` is where its name ends, with the colon.

    ``value`` joins its parts by a space, without quotes; ``written`` is its first line, with any quotes and comment.
    """

    name: str
    value: str
    offset: int
    written: str
    behind: int
    parts: list[Part]

    @property
    def end(self) -> int:
        """Where it ends, without a comment."""
        return self.parts[-1].end if self.parts else self.behind


class Head(NamedTuple):
    """The part of a directive between its name and its content, which begins so many lines below as ``length`` says.

    ``malformed`` are lines among the options that are not options, each with its offset; ``yaml`` is whether the
    options are in a ``---`` block, without colons before their names.
    """

    title: str
    options: list[Option]
    malformed: list[tuple[int, str]]
    length: int
    yaml: bool


def read_head(lines: Iterable[Line], *, markdown: bool) -> Head:
    """Return the head of a directive.

    Parameters:
        lines: what stands behind its name, and the lines below, without what surrounds the directive.
        markdown: whether it is in Markdown, where its title has one line.

    >>> read_head([Line("A shot"), Line(":dice: 4 2 5"), Line(""), Line("Prose.")], markdown=True).options[0].value
    '4 2 5'
    """
    head, yaml = _head_lines(iter(lines), markdown)
    end = len(head) - yaml
    first = next((index for index, line in enumerate(head) if _FIELD.match(line.text)), end)
    first = 1 + yaml if markdown else first
    title = " ".join(line.text.strip() for line in head[: 1 if markdown else first]).strip()
    options, malformed = _read_options(head, first, end, yaml)
    for index, option in enumerate(options):
        value = " ".join(part.text for part in option.parts)
        options[index] = option._replace(value=_unquoted(value) if markdown else value)
    return Head(title, options, malformed, len(head), yaml)


def _head_lines(lines: Iterator[Line], markdown: bool) -> tuple[list[Line], bool]:
    """Return the lines of a head, and whether it has a ``---`` block; other options end at a blank line."""
    head = [next(lines)]
    yaml = False
    for line in lines:
        marked = markdown and line.text.startswith(_YAML_MARK)
        yaml = yaml or (marked and len(head) == 1)
        core = line.text.lstrip()
        # Three colons open a fence, which is content.
        is_field = core.startswith(":") and not core.startswith(":::")
        goes_on = len(head) > 1 and _indent(line.text) > _indent(head[1].text)
        if not yaml and not (core and (is_field or goes_on or not markdown)):
            break
        head.append(line)
        if marked and yaml and len(head) > 2:
            break
    return head, yaml


def _read_options(
    lines: Sequence[Line], first: int, end: int, yaml: bool
) -> tuple[list[Option], list[tuple[int, str]]]:
    """Read the lines from one to another, in which an option goes on if it is indented more than the first."""
    options: list[Option] = []
    malformed: list[tuple[int, str]] = []
    base: int | None = None
    for offset in range(first, end):
        line = lines[offset]
        text = line.text.strip()
        if not text or (yaml and text.startswith("#")):
            continue
        # An option in the first line of reStructuredText stands as if it were below.
        indent = _indent(line.text) if offset else min((_indent(each.text) for each in lines[1:]), default=0)
        base = indent if base is None else base
        match = (_YAML if yaml else _FIELD).match(line.text)
        if options and indent > base:
            last = options[-1]
            scalar = yaml and _without_comment(last.written) in _YAML_BLOCK
            if scalar and last.parts[0].offset == last.offset:
                last.parts.clear()
            last.parts.extend(_part(line, offset, 0, comments=yaml and not scalar))
        elif match:
            behind = match.end("name") + 1
            parts = list(_part(line, offset, behind, comments=yaml))
            written = line.text[behind:].strip()
            options.append(Option(match["name"].strip(), "", offset, written, line.start + behind, parts))
        else:
            malformed.append((offset, text))
    return options, malformed


def _part(line: Line, offset: int, begin: int, *, comments: bool) -> Iterator[Part]:
    """Yield the part of a value in a line, from a position in the line, if there is any."""
    rest = line.text[begin:]
    text = _without_comment(rest.strip()) if comments else rest.strip()
    if text:
        yield Part(offset, line.start + begin + _indent(rest), text)


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())


def _without_comment(text: str) -> str:
    """Return what stands in a line of a value in YAML, without the comment at its end.

    >>> _without_comment("2   # the skill"), _without_comment("'2d6 # fire' # the dice"), _without_comment("R#1")
    ('2', "'2d6 # fire'", 'R#1')
    """
    quoted_text = _YAML_QUOTED.match(text)
    if text[:1] in {"'", '"'} and quoted_text is None:
        # It is closed in another line, or it only begins with a quote.
        return text
    comment = _YAML_COMMENT.search(text, quoted_text.end() if quoted_text else 0)
    return text[: comment.start()].rstrip() if comment else text


def _unquoted(value: str) -> str:
    """Remove the quotes around a value, as YAML does; two single quotes between single quotes are one."""
    quote, inner = value[:1], value[1:-1]
    if len(value) > 1 and quote in "'\"" and value.endswith(quote):
        if quote not in inner:
            return inner
        if quote == "'" and quote not in inner.replace("''", ""):
            return inner.replace("''", "'")
    return value


Key = tuple[str, frozenset[tuple[str, str, int]]]
"""What a directive says: its kind, and of each option its name, its first line, and how far it is below the first."""


@dataclass(frozen=True)
class FileHead:
    """The head of what looks like a directive in the text of a file, whether it is one or not.

    ``line`` is the number of its first line, as ``ends`` count them, which begins at ``start`` and has the ``opening``.
    """

    text: str
    ends: re.Pattern[str]
    line: int
    start: int
    opening: re.Match[str]

    @cached_property
    def parsed(self) -> Head:
        """What stands in it, and where."""
        return read_head(self._inner_lines(), markdown=self.opening["fence"] is not None)

    @cached_property
    def key(self) -> Key:
        """What it says."""
        kind = self.opening["markdown"] or self.opening["rst"]
        texts = {option.name: option.written for option in reversed(self.parsed.options)}
        return head_key(kind, texts, self.option_lines)

    @cached_property
    def option_lines(self) -> dict[str, int]:
        """The line of each option, from 1."""
        return {option.name: self.line + option.offset for option in reversed(self.parsed.options)}

    @property
    def in_table(self) -> bool:
        """Whether it stands in a cell of a table."""
        return "|" in self._before

    @property
    def _before(self) -> str:
        return self.opening.string[: self.opening.start()]

    def line_of(self, option: Option) -> str:
        """Return the first line of an option as it stands in the file."""
        return self.ends.split(self.text[self.start :], option.offset + 1)[option.offset]

    def _inner_lines(self) -> Iterator[Line]:
        """Yield its lines from behind its name up to the end of the directive, without what surrounds them."""
        lines = _lines(self.text, self.ends, self.start)
        first = next(lines)
        edge = " \t|" if self.in_table else None
        yield Line(first.text[self.opening.end() :].rstrip(edge), first.start + self.opening.end())
        fence = self.opening["fence"]
        marks: str | None = None
        dedent: int | None = None if fence else 0
        for line in lines:
            # A cell of a table begins in the same column of each line; a quotation has the same marks.
            marks = ("" if self.in_table else margin(line.text).rstrip()) if marks is None else marks
            cut = len(self._before if self.in_table else marks)
            text = line.text[cut:].rstrip(edge)
            core = text.lstrip()
            lead = text[: len(text) - len(core)]
            indent = len(lead.expandtabs())
            column = -1 if fence else len(self._before[cut:].expandtabs())
            is_closing = fence and core.startswith(fence) and not core.strip(fence[0])
            # The next directive is in no head, so that each line is read once.
            if is_closing or indent <= column or not line.text.startswith(marks) or _OPENING.search(core):
                return
            dedent = indent if dedent is None else dedent
            indent = max(indent - dedent, 0)
            yield Line(" " * indent + core, line.start + cut + len(lead) - indent)


def head_key(kind: str, texts: Mapping[str, str], lines: Mapping[str, int]) -> Key:
    """Return what a directive of a kind says, given the text of the first line of each option, and its number."""
    first = min(lines.values(), default=0)
    return kind, frozenset((name, folded(text), lines[name] - first) for name, text in texts.items())


def folded(text: str) -> str:
    """Return a value on one line, with the spaces around its commas as everybody writes them.

    >>> folded("total=12 ,  raw=11")
    'total=12, raw=11'
    """
    return _COMMA.sub(", ", " ".join(text.split()))


def margin(line: str) -> str:
    """Return the indent of a line, with the marks of a quotation in it.

    >>> margin("> > :dice: 4 2 5")
    '> > '
    """
    match = _MARGIN.match(line)
    return match[0] if match else ""


def find_heads(text: str, ends: re.Pattern[str] = LINE_ENDS) -> Iterator[FileHead]:
    """Yield the heads in the text of a file.

    Parameters:
        text: the text.
        ends: the ends of its lines.
    """
    for number, line in enumerate(_lines(text, ends, 0), 1):
        # Before it, in a table, another cell may begin with a directive.
        for opening in list(_OPENING.finditer(line.text))[-1:]:
            yield FileHead(text, ends, number, line.start, opening)


def find_head(alike: Sequence[FileHead], option_lines: Mapping[str, int]) -> FileHead | None:
    """Return the head that has its options in some lines, or else the only one; None if several say the same.

    Parameters:
        alike: the heads of a file that say the same.
        option_lines: the lines as the parser counts them, from another line where it reads a part of a file.
    """
    there = next((head for head in alike if head.option_lines == option_lines), None)
    return there or (alike[0] if len({head.start for head in alike}) == 1 else None)


def _lines(text: str, ends: re.Pattern[str], start: int) -> Iterator[Line]:
    """Yield the lines of a text, from a position on."""
    for match in ends.finditer(text, start):
        yield Line(text[start : match.start()], start)
        start = match.end()
    if start < len(text):
        yield Line(text[start:], start)
