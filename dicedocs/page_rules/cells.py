"""What stands in a cell: text, dice that are thrown when its row comes up, and other tables that are then rolled on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from operator import itemgetter
from typing import Final, NamedTuple

from dicedocs import limits
from dicedocs.errors import NotationError, quoted
from dicedocs.page_rules.text_dice import TextDice, almost_dice, find_dice
from dicedocs.syntax.rule_values import parse_rule_value
from dicedocs.syntax.tree import Node, Reference, nodes

_TABLE: Final = re.compile(r"\[(?P<table>[^\[\]]+)\]")
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
    without = _TABLE.sub(lambda match: " " * len(match[0]), text)
    for at, written, meant in almost_dice(without):
        raise NotationError(f"{quoted(written)} is almost dice", text=text, at=at, hint=f"write {meant}")
    found = [(dice.at, Part(dice.written, dice=_value(dice, text))) for dice in find_dice(without, "cell")]
    found += [
        (match.start(), Part(match[0], table=table))
        for match in _TABLE.finditer(text)
        if (table := named_table(match["table"], system))
    ]
    limits.ITEMS.check(len(found), hint="write less in one cell")
    return tuple(part for _, part in sorted(found, key=itemgetter(0)))


def _value(dice: TextDice, text: str) -> Node:
    """Return the value of dice in a cell.

    Raises:
        NotationError: it is none, or has a name.
    """
    try:
        tree = parse_rule_value(dice.value)
    except NotationError as error:
        hint = f"{error.hint}, or name the column in plain"
        raise NotationError(error.message, text=text, at=dice.at, hint=hint) from None
    name = next((each for each in nodes(tree) if isinstance(each, Reference)), None)
    if name is not None:
        hint = f"write a number for {name.name}, or name the column in plain"
        message = f"{quoted(name.name)} is a name, and a cell adds numbers"
        raise NotationError(message, text=text, at=dice.at, hint=hint)
    return tree


def find_mentions(text: str, system: str) -> Iterator[tuple[str, str]]:
    """Yield what a cell names in brackets, each with the id that it may be.

    >>> list(find_mentions("[weather], then [1]", "road"))
    [('[weather]', 'road/weather')]
    """
    for match in _TABLE.finditer(text):
        if table := named_table(match["table"], system):
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
