"""What our directives have in common as a page has them: plain data with its place, and what is wrong with it."""

from __future__ import annotations

from typing import TypedDict

from dicedocs_sphinx.places import shifted
from dicedocs_sphinx.problems import Problem


class Found(TypedDict):
    """Something wrong with a directive: the value of a :class:`Problem`, what is wrong, the line, the option."""

    problem: str
    message: str
    line: int
    option: str


class Block(TypedDict):
    """A directive as it was read.

    ``name`` is empty when it has none, and ``shown`` is then made of its order in the page. ``lines``
    and ``written`` hold the place of each option and its text there; ``misread`` is what is wrong
    with how it is written.
    """

    name: str
    shown: str
    anchor: str
    title: str
    source: str
    line: int
    lines: dict[str, int]
    written: dict[str, str]
    colon: str
    misread: list[Found]


def wrong(problem: Problem, message: str, option: str = "") -> Found:
    """Give what is wrong, without its line.

    Parameters:
        problem: its kind.
        message: in a sentence without a full stop.
        option: the option that it is about; empty for the directive itself.
    """
    return Found(problem=problem.value, message=message, line=0, option=option)


def placed(block: Block, found: list[Found]) -> list[Found]:
    """Give each what its line is, as the file has it, in the order of the lines."""
    known: list[Found] = [
        {**each, "line": true_line(block, each["line"] or block["lines"].get(each["option"], 0))} for each in found
    ]
    return sorted(known, key=lambda each: each["line"])


def true_line(block: Block, line: int = 0) -> int:
    """Give a line of a directive as the file has it; that of the directive, when no line is known for sure."""
    lower = shifted(block["source"], block["lines"], block["written"])
    return block["line"] if lower is None else (line or block["line"]) + lower


def put_right(block: Block) -> None:
    """Let the lines of a directive that another file brings in be those of that file."""
    if lower := shifted(block["source"], block["lines"], block["written"]):
        block["line"] += lower
        for name in block["lines"]:
            block["lines"][name] += lower
        for found in block["misread"]:
            found["line"] += lower if found["line"] else 0
