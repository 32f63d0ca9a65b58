"""The edit that gives an option of a directive another value: every other byte of the file stays as it is.

The options of a directive are read from the text before and after the edit. They are those of a block if they stand in
the lines where Sphinx has read them, and say there what it has read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from difflib import SequenceMatcher
from functools import cache
from typing import Final, NamedTuple

from dicedocs.errors import quoted
from dicedocs_sphinx.blocks.base import Block
from dicedocs_sphinx.directives.option_block import (
    Option,
    Options,
    is_block_scalar,
    read_markdown_options,
    read_rst_options,
    without_comment,
)

_ENDS: Final = (
    re.compile(r"\r\n|[\n\r\x1c\x1d\x1e\x85\u2028\u2029]"),  # docutils
    re.compile(r"\r\n|[\n\r]"),  # MyST
)
"""The ends of lines, as each parser counts them."""
_PREFIX: Final = re.compile(r"[ \t]*(?:>[ \t]*)*")
"""What may stand before an option: an indent, or the marks of a quotation in Markdown."""
_WORD: Final = re.compile(r"[^\s,]+|,")
_COMMA: Final = re.compile(r"\s*,\s*")
_INDENT: Final = "    "


class CannotEdit(Exception):
    """A file that cannot surely be edited; the message is a sentence without a full stop that says why."""


class Edit(NamedTuple):
    """A part of a text, from ``start`` to ``end``, and what it is replaced by."""

    start: int
    end: int
    text: str


def apply_edits(text: str, edits: Sequence[Edit]) -> str:
    """Return a text after edits, which do not overlap.

    >>> apply_edits("total=12", [Edit(6, 8, "11")])
    'total=11'
    """
    for edit in sorted(edits, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def edit_option(head: OptionHead, option: str, value: str) -> Edit:
    """Return the edit that gives an option of a directive a value, or adds the option below the others.

    Parameters:
        head: the options of the directive.
        option: the name of the option.
        value: the value; one of several lines is laid out on as many lines below the option's name.

    Raises:
        CannotEdit: the option cannot have this value there.
    """
    folded = _folded(value)
    for edit in head.edits(option, value):
        wanted = dict(head.values()) | {option: folded}
        after = OptionHead.read(apply_edits(head.text, [edit]), head.ends, head.line, head.markdown)
        if after is not None and not after.malformed and dict(after.values()) == wanted:
            return edit
    raise CannotEdit(f"{option} cannot be written there as {folded}")


def read_option_heads(text: str, kinds: Iterable[str]) -> list[OptionHead]:
    """Return the options of all that looks like a directive of some kinds in a text, whether it is one or not.

    Parameters:
        text: the text of a file.
        kinds: kinds of blocks.
    """
    heads: list[OptionHead] = []
    openings = [_opening(kind) for kind in sorted(kinds)]
    for ends in _ENDS:
        lines = list(_lines(text, ends))
        for number, line in enumerate(lines, 1):
            for opening in openings:
                match = opening.search(text, line.start, line.stop)
                if match is None:
                    continue
                with suppress(CannotEdit):
                    head = OptionHead(text, ends, number, match["markdown"] is not None, lines)
                    if head.options and not head.malformed:
                        heads.append(head)
    return heads


def find_option_head(
    block: Block, heads: Iterable[OptionHead], others: Iterable[Block], shown: Callable[[Block], str]
) -> OptionHead:
    """Return the options of a block in its file.

    Parameters:
        block: the block.
        heads: what looks like a directive in the file.
        others: all blocks in this file, if it is one that pages include, whose lines Sphinx does not surely know.
        shown: returns what the page of a block shows as code.

    Raises:
        CannotEdit: its lines do not say what Sphinx has read, or others say the same.
    """
    key = option_key(block)
    alike = {(head.options[0].start, head.ends): head for head in heads if head.key == key}
    places = {start for start, _ in alike}
    read = {other.line for other in others if option_key(other) == key}
    if read and len(read) < len(places):
        raise CannotEdit("others in this file look the same, which Sphinx does not read")
    there = [head for head in alike.values() if head.option_lines == block.option_lines]
    if there:
        return there[0]
    # Where another extension parses a part of a page, Sphinx counts from another line.
    if len(places) == 1 and not any(_is_in(head, shown(block)) for head in alike.values()):
        return next(iter(alike.values()))
    raise CannotEdit("the options Sphinx read were not found in this file")


def _is_in(head: OptionHead, shown: str) -> bool:
    first = head.lines[head.options[0].line]
    return head.text[first.start : first.stop].strip(" \t>|") in shown


def option_key(block: Block) -> tuple[tuple[str, str], ...]:
    """Return what the options of a block say in their first lines, as :attr:`OptionHead.key`."""
    return tuple(sorted((name, _folded(text)) for name, text in block.option_texts.items()))


class _Line(NamedTuple):
    """A line of a text without its end: where it starts and stops, and where the next one starts."""

    start: int
    stop: int
    next: int


class _Place(NamedTuple):
    """An option, the number of its first line, the position of its name's line, and the parts of its value."""

    option: Option
    line: int
    start: int
    parts: list[tuple[int, int]]


class OptionHead:
    """The options of what looks like a directive in a text, below a line, counted from 1."""

    def __init__(
        self,
        text: str,
        ends: re.Pattern[str],
        line: int,
        markdown: bool,
        lines: list[_Line],
    ) -> None:
        self.text, self.ends, self.line, self.markdown, self.lines = text, ends, line, markdown, lines
        self.prefix = ""
        if line < len(self.lines):
            below = self.lines[line]
            self.prefix = _prefix(text[below.start : below.stop])
        self._read = self._read_options()
        self.malformed = bool(self._read.malformed)
        self.options = [self._place(each, following) for each, following in self._with_following()]

    @classmethod
    def read(cls, text: str, ends: re.Pattern[str], line: int, markdown: bool) -> OptionHead | None:
        """Return the options below a line, counted from 1; None if there are none."""
        head = cls(text, ends, line, markdown, list(_lines(text, ends)))
        return head if head.options else None

    def values(self) -> Iterator[tuple[str, str]]:
        """Yield each option with its value, in which runs of white space are one space."""
        for place in self.options:
            yield place.option.name, _folded(place.option.value)

    @property
    def key(self) -> tuple[tuple[str, str], ...]:
        """What each option says in its first line, in the order of the names."""
        return tuple(sorted((each.option.name, _folded(each.option.written)) for each in self.options))

    @property
    def option_lines(self) -> dict[str, int]:
        """The line of each option, from 1."""
        return {each.option.name: each.line + 1 for each in self.options}

    def edits(self, name: str, value: str) -> Iterator[Edit]:
        """Yield edits that may give an option a value, the one that changes least first."""
        place = next((each for each in self.options if each.option.name == name), None)
        if place is None:
            yield self._insertion(name, value)
            return
        words = [(*span, self.text[slice(*span)]) for span in self._words(place)]
        # Lines that came or went are laid out again; otherwise the author's lines stay.
        lines = value.count("\n") + 1
        again = 1 < len(place.parts) != lines > 1
        if words and not again:
            yield _smallest_edit(self.text, words, _WORD.findall(value))
        start, end = (place.parts[0][0], place.parts[-1][1]) if place.parts else (place.start, place.start)
        start = place.start if lines > 1 else start
        yield Edit(start, end, self._layout(value, place.start, spaced=start > place.start))

    def _with_following(self) -> Iterator[tuple[Option, int]]:
        """Yield each option with the offset of the line after its last one."""
        options = self._read.options
        end = self._read.length + 1 - self._read.yaml
        for index, option in enumerate(options):
            yield option, options[index + 1].offset if index + 1 < len(options) else end

    def _read_options(self) -> Options:
        """Read the options in the lines below the directive, from which the marks of a quotation are taken away."""
        quotation = self.prefix.rstrip() if ">" in self.prefix else ""
        opening = self.text[slice(*self.lines[self.line - 1][:2])].expandtabs()
        column = -1 if self.markdown else opening.index("..")
        below: list[str] = []
        for line in self.lines[self.line :]:
            text = self.text[line.start : line.stop]
            indent = len(text.expandtabs()) - len(text.expandtabs().lstrip())
            if indent <= column or (quotation and not text.startswith(quotation)):
                break
            below.append(text[len(self.prefix) if quotation else 0 :].expandtabs().rstrip())
        if self.markdown:
            indent = len(below[0]) - len(below[0].lstrip()) if below else 0
            return read_markdown_options([line[indent:] if not line[:indent].strip() else line for line in below])
        return read_rst_options(below)

    def _place(self, option: Option, following: int) -> _Place:
        """Return where an option stands whose next one is so many lines below the directive."""
        number = self.line + option.offset - 1
        line = self.lines[number]
        text = self.text[line.start : line.stop]
        name = re.search(rf"{re.escape(option.name)}\s*:", text)
        if name is None:
            raise CannotEdit(f"the option {quoted(option.name)} does not stand in its line")
        colon = name.end()
        scalar = self._read.yaml and is_block_scalar(option)
        parts = [*self._value_part(line, colon, comments=self._read.yaml)]
        later = self.lines[number + 1 : self.line + following - 1]
        continued = [
            part for each in later for part in self._value_part(each, 0, comments=self._read.yaml and not scalar)
        ]
        if continued and scalar:
            parts = []
        return _Place(option, number, line.start + colon, [*parts, *continued])

    def _value_part(self, line: _Line, start: int, *, comments: bool) -> Iterator[tuple[int, int]]:
        """Yield where the part of a value in a line stands, from a position in the line, if there is any."""
        text = self.text[line.start : line.stop]
        start = start or (len(self.prefix) if ">" in self.prefix else 0)
        core = text[start:].strip()
        first = line.start + start + text[start:].index(core)
        if comments:
            core = without_comment(core)
        # Of lines that begin with a number sign none is read, also below a block scalar.
        if core and not (self._read.yaml and core.startswith("#")):
            yield first, first + len(core)

    def _words(self, place: _Place) -> list[tuple[int, int]]:
        """Return where the words of a value stand, without quotes around it; none if these are not plain."""
        words = [
            (start + match.start(), start + match.end())
            for start, end in place.parts
            for match in _WORD.finditer(self.text[start:end])
        ]
        if not words or place.option.value.startswith(self.text[slice(*words[0])]):
            return words
        # The value in the file has quotes around it.
        words[0] = (words[0][0] + 1, words[0][1])
        words[-1] = (words[-1][0], words[-1][1] - 1)
        return words if all(start < end for start, end in words) else []

    def _insertion(self, name: str, value: str) -> Edit:
        """Return the edit that adds an option in a new line below the others."""
        last = self.options[-1]
        number = max([last.line, *(self._line_of(end) for _, end in last.parts)])
        line = self.lines[number]
        first = self.lines[self.options[0].line]
        prefix = _prefix(self.text[first.start : first.stop])
        colon = "" if self._read.yaml else ":"
        break_ = self._break()
        written = f"{prefix}{colon}{name}:{self._layout(value, first.start, spaced=False)}"
        if line.next == line.stop:
            return Edit(line.stop, line.stop, f"{break_}{written}")
        return Edit(line.next, line.next, f"{written}{self.text[line.stop : line.next]}")

    def _line_of(self, position: int) -> int:
        return max(number for number, line in enumerate(self.lines) if line.start <= position)

    def _break(self) -> str:
        """Return the end of a line that this file uses."""
        return next((self.text[line.stop : line.next] for line in self.lines if line.next > line.stop), "\n")

    def _layout(self, value: str, start: int, *, spaced: bool) -> str:
        """Return a value as it is written after the colon of an option; ``start`` is in the line of the option."""
        lines = value.splitlines()
        if len(lines) == 1:
            return value if spaced else f" {value}"
        line = self.lines[self._line_of(start)]
        prefix = _prefix(self.text[line.start : line.stop]) + _INDENT
        scalar = " >" if self._read.yaml else ""
        return "".join([scalar, *(f"{self._break()}{prefix}{each}" for each in lines)])


@cache
def _opening(kind: str) -> re.Pattern[str]:
    """Return a pattern of the first line of a directive."""
    name = rf"(?:dice:)?{re.escape(kind)}"
    markdown = rf"(?P<markdown>(?:`{{3,}}|~{{3,}}|:{{3,}})[ \t]*\{{{name}\}})"
    return re.compile(rf"{markdown}|\.\.[ \t]+{name}[ \t]?::(?:\s|$)")


def _lines(text: str, ends: re.Pattern[str]) -> Iterator[_Line]:
    start = 0
    for match in ends.finditer(text):
        yield _Line(start, match.start(), match.end())
        start = match.end()
    if start < len(text):
        yield _Line(start, len(text), len(text))


def _folded(text: str) -> str:
    """Return a value on one line, with the spaces around its commas as everybody writes them."""
    return _COMMA.sub(", ", " ".join(text.split()))


def _prefix(line: str) -> str:
    match = _PREFIX.match(line)
    return match[0] if match else ""


def _smallest_edit(text: str, old: Sequence[tuple[int, int, str]], new: Sequence[str]) -> Edit:
    """Return the edit from some words to others that leaves the words at both ends, and all spaces between them."""
    matcher = SequenceMatcher(None, [word for *_, word in old], new, autojunk=False)
    changes = [opcode for opcode in matcher.get_opcodes() if opcode[0] != "equal"]
    edits = [_word_edit(old, new[low:high], first, last) for _, first, last, low, high in changes]
    start, end = edits[0].start, edits[-1].end
    inner = [Edit(edit.start - start, edit.end - start, edit.text) for edit in edits]
    return Edit(start, end, apply_edits(text[start:end], inner))


def _word_edit(old: Sequence[tuple[int, int, str]], new: Sequence[str], first: int, last: int) -> Edit:
    """Return the edit that puts other words in place of those from ``first`` to ``last``."""
    written = " ".join(new).replace(" ,", ",")
    if first < last and new:
        return Edit(old[first][0], old[last - 1][1], written)
    if new:
        end = old[first - 1][1] if first else old[0][0]
        space = "" if new[0] == "," else " "
        return Edit(end, end, f"{space}{written}" if first else f"{written} ")
    start = old[first - 1][1] if first else old[0][0]
    end = old[last - 1][1] if first else old[last][0]
    return Edit(start, end, "")
