"""What stands in a cell: text, dice that are thrown when its row comes up, and other tables that are then rolled on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from dicedocs import limits
from dicedocs.page_rules.layout import DIE
from dicedocs.syntax.parser import parse_expression
from dicedocs.syntax.tree import Node

_DICE: Final = rf"{DIE}(?:k[hl]?[0-9]*|d[hl][0-9]*|!)?(?!(?!x[0-9])\w)"
_MORE: Final = rf"\s?[+\u2212-]\s?{_DICE}|\s?[-+*\u2212×x]\s?[0-9]+(?![\w.])"
_PART: Final = re.compile(rf"\[(?P<table>[^\[\]]+)\]|(?<![\w/.])(?P<dice>{_DICE}(?:{_MORE})*)")
_SIGNS: Final = str.maketrans({"×": "*", "x": "*", "\u2212": "-"})
_ID: Final = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")


class Part(NamedTuple):
    """A part of a cell that has a result.

    Parameters:
        written: the part as it stands in the cell.
        dice: the tree of its dice; ``None`` for a table.
        table: the id of the table; empty for dice.
    """

    written: str
    dice: Node | None = None
    table: str = ""


def find_parts(text: str, system: str) -> tuple[Part, ...]:
    """Return the dice and the tables of a cell, from left to right.

    Parameters:
        text: the cell.
        system: the part before the slash of the ids of tables that are named without it.

    Raises:
        DiceError: dice cannot be thrown.

    >>> [part.written for part in find_parts("2d6 × 10 rats, then [weather]", "road")]
    ['2d6 × 10', '[weather]']
    >>> find_parts("[Old weather], or a +2d6", "road")[0].table
    'road/old-weather'
    """
    parts: list[Part] = []
    for match in _PART.finditer(text):
        limits.ITEMS.check(len(parts), hint="write less in one cell")
        if match["dice"]:
            tree = parse_expression(match["dice"].translate(_SIGNS), "notation")
            parts.append(Part(match["dice"], dice=tree))
        elif table := named_table(match["table"], system):
            parts.append(Part(match[0], table=table))
    return tuple(parts)


def find_mentions(text: str, system: str) -> Iterator[tuple[str, str]]:
    """Yield what a cell names in brackets, each with the id that it may be.

    >>> list(find_mentions("[weather], then [1]", "road"))
    [('[weather]', 'road/weather')]
    """
    for match in _PART.finditer(text):
        if match["table"] and (table := named_table(match["table"], system)):
            yield match[0], table


def named_table(text: str, system: str) -> str:
    """Return the id that a text in brackets may be; empty if it can be none.

    >>> named_table("weather", "road"), named_table("Sea / Old Weather", "road"), named_table("!", "road")
    ('road/weather', 'sea/old-weather', '')
    """
    names = [re.sub(r"[\s_]+", "-", part.strip().lower()) for part in text.split("/")]
    if len(names) > 2 or not all(map(_ID.fullmatch, names)):
        return ""
    return "/".join(names if len(names) == 2 else [system, *names])
