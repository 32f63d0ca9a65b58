"""The edit that gives an option of a directive another value: every other byte of the file stays as it is.

The options of a directive are read from the text before and after the edit. They are those of a block if they stand in
the lines where Sphinx has read them, and say there what it has read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from typing import Final, NamedTuple

from dicedocs_sphinx.blocks.base import Block
from dicedocs_sphinx.directive_head import (
    DOCUTILS_ENDS,
    LINE_ENDS,
    FileHead,
    Key,
    Option,
    find_head,
    find_heads,
    folded,
    head_key,
    margin,
)

_WORD: Final = re.compile(r"[^\s,]+|,")
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


def edit_option(head: FileHead, name: str, value: str) -> list[Edit]:
    """Return the edits that give an option of a directive a value, or add the option below the others.

    Parameters:
        head: the head of the directive in its file.
        name: the name of the option.
        value: the value; one of several lines is laid out on as many lines below the option's name.

    Raises:
        CannotEdit: the option cannot have this value there.
    """
    wanted = _values(head) | {name: folded(value)}
    for edits in _possible_edits(head, name, value):
        after = replace(head, text=apply_edits(head.text, edits))
        if not after.parsed.malformed and _values(after) == wanted:
            return edits
    raise CannotEdit(f"{name} cannot be written there as {folded(value)}")


def read_option_heads(text: str) -> list[FileHead]:
    """Return the heads in the text of a file in which an option can be edited or added."""
    heads = [head for ends in (DOCUTILS_ENDS, LINE_ENDS) for head in find_heads(text, ends) if not head.in_table]
    # No line can be added below an option in the first one.
    return [
        each for each in heads if each.parsed.options and each.parsed.options[0].offset and not each.parsed.malformed
    ]


def find_option_head(
    block: Block, heads: Iterable[FileHead], others: Iterable[Block], shown: Callable[[Block], str]
) -> FileHead:
    """Return the head of a block in its file.

    Parameters:
        block: the block.
        heads: what looks like the head of a directive in the file.
        others: all blocks in this file, if it is one that pages include, whose lines Sphinx does not surely know.
        shown: returns what the page of a block shows as code.

    Raises:
        CannotEdit: its lines do not say what Sphinx has read, or others say the same.
    """
    key = _key(block)
    alike = [head for head in heads if head.key == key]
    read = {other.line for other in others if _key(other) == key}
    if read and len(read) < len({head.start for head in alike}):
        raise CannotEdit("this file has others that look the same but that Sphinx does not read")
    head = find_head(alike, block.option_lines)
    # Where another extension parses a part of a page, Sphinx counts from another line.
    if head and (head.option_lines == block.option_lines or not any(_is_in(each, shown(block)) for each in alike)):
        return head
    raise CannotEdit("the options Sphinx read were not found in this file")


def _key(block: Block) -> Key:
    return head_key(block.kind, block.option_texts, block.option_lines)


def _is_in(head: FileHead, shown: str) -> bool:
    return head.line_of(head.parsed.options[0]).strip(" \t>|") in shown


def _values(head: FileHead) -> dict[str, str]:
    return {option.name: folded(option.value) for option in head.parsed.options}


def _possible_edits(head: FileHead, name: str, value: str) -> Iterator[list[Edit]]:
    """Yield edits that may give an option a value, those that change least first."""
    option = next((each for each in head.parsed.options if each.name == name), None)
    if option is None:
        yield [_insertion(head, name, value)]
        return
    words = _words(option)
    # Lines that came or went are laid out again; otherwise the author's lines stay.
    lines = value.count("\n") + 1
    if words and not 1 < len(option.parts) != lines > 1:
        yield _smallest_edits(words, _WORD.findall(value))
    start = option.parts[0].start if option.parts and lines == 1 else option.behind
    yield [Edit(start, option.end, _layout(head, option, value, spaced=start > option.behind))]


def _words(option: Option) -> list[tuple[int, int, str]]:
    """Return where the words of a value stand, without quotes around it; none if these are not plain."""
    words = [
        (part.start + match.start(), part.start + match.end(), match[0])
        for part in option.parts
        for match in _WORD.finditer(part.text)
    ]
    if not words or option.value.startswith(words[0][2]):
        return words
    # The value in the file has quotes around it.
    start, end, text = words[0]
    words[0] = (start + 1, end, text[1:])
    start, end, text = words[-1]
    words[-1] = (start, end - 1, text[:-1])
    return words if all(text for *_, text in words) else []


def _insertion(head: FileHead, name: str, value: str) -> Edit:
    """Return the edit that adds an option in a new line below the others."""
    first, last = head.parsed.options[0], head.parsed.options[-1]
    colon = "" if head.parsed.yaml else ":"
    written = f"{margin(head.line_of(first))}{colon}{name}:{_layout(head, first, value, spaced=False)}"
    end = head.ends.search(head.text, last.end)
    if end is None:
        return Edit(len(head.text), len(head.text), f"{_line_end(head)}{written}")
    return Edit(end.end(), end.end(), f"{written}{end[0]}")


def _line_end(head: FileHead) -> str:
    """Return the end of a line that this file uses."""
    end = head.ends.search(head.text)
    return end[0] if end else "\n"


def _layout(head: FileHead, option: Option, value: str, *, spaced: bool) -> str:
    """Return a value as it is written after the colon of an option, or of one below it."""
    lines = value.splitlines()
    if len(lines) == 1:
        return value if spaced else f" {value}"
    prefix = margin(head.line_of(option)) + _INDENT
    scalar = " >" if head.parsed.yaml else ""
    return "".join([scalar, *(f"{_line_end(head)}{prefix}{each}" for each in lines)])


def _smallest_edits(old: Sequence[tuple[int, int, str]], new: Sequence[str]) -> list[Edit]:
    """Return the edits from some words to others that leave those that stay, and all spaces between them."""
    matcher = SequenceMatcher(None, [word for *_, word in old], new, autojunk=False)
    changes = [opcode for opcode in matcher.get_opcodes() if opcode[0] != "equal"]
    return [_word_edit(old, new[low:high], first, last) for _, first, last, low, high in changes]


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
