"""What stands in a cell: text, dice that are thrown when its row comes up, and other tables that are then rolled on."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Final, NamedTuple

from dicedocs import limits
from dicedocs.errors import NotationError, quoted
from dicedocs.page_rules.text_dice import TextDice, almost_dice, find_dice
from dicedocs.syntax.relations import NUMBER_WORDS
from dicedocs.syntax.rule_values import parse_rule_value
from dicedocs.syntax.tree import Node, Reference, nodes

_TABLE: Final = re.compile(r"\[(?P<table>[^\[\]]+)\]")
_NUMBERS: Final = {word: number for number, word in enumerate(NUMBER_WORDS)} | {"once": 1, "twice": 2, "thrice": 3}
NUMBER: Final = rf"(?:[0-9]{{1,6}}|{'|'.join(_NUMBERS)})"
"""A number in text, or how often something is done."""
_COUNT: Final = re.compile(rf"(?<![\w.,]){NUMBER}\Z", re.IGNORECASE)
_TIMES: Final = re.compile(
    r"""
      (?:\b(?P<number>once|twice|thrice) | \s+(?:more\s+|additional\s+)?(?:times?|rolls?|results?|draws?|items?)\b)
        (?:\s+(?:more|again))? \s+(?:on|from|upon|using)\s+(?:the\s+)?(?:tables?\s+)?\Z
    | \s*[×x]\s*\Z
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""What stands between a number and the name of the table on which it says to roll so often."""
_TIMES_BEHIND: Final = re.compile(
    rf"\s*[,(]?\s*(?:roll(?:ed)?\s+)?(?:(?P<number>once|twice|thrice|{NUMBER}(?=\s+times\b))\b|[×x]\s*(?P<factor>[0-9]{{1,6}})\b)",
    re.IGNORECASE,
)
_ID: Final = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")


class Part(NamedTuple):
    """A part of a cell that has a result.

    Parameters:
        written: the part as it stands in the cell.
        dice: the tree of its dice; of a table, what is thrown for how often it is rolled on; ``None`` for neither.
        table: the id of the table; empty for dice.
        times: how often a table is rolled on, unless dice say it.
    """

    written: str
    dice: Node | None = None
    table: str = ""
    times: int = 1

    @property
    def is_repeated(self) -> bool:
        """Whether it may have several results."""
        return self.times > 1 or bool(self.table and self.dice)


def find_parts(text: str, system: str, tables: Collection[str]) -> tuple[Part, ...]:
    """Return the dice and the tables of a cell, from left to right.

    Parameters:
        text: the cell.
        system: the part before the slash of the ids of tables that are named without it.
        tables: the ids of all tables of the book.

    Raises:
        DiceError: dice cannot be thrown.

    >>> [part.written for part in find_parts("2d6 × 10 rats, then [weather]", "road", ["road/weather"])]
    ['2d6 × 10', '[weather]']
    >>> [part.times for part in find_parts("a +2d6, or roll twice on [Old weather]", "road", ["road/old-weather"])]
    [1, 2]
    """
    without = _without_names(text, system)
    for at, written, meant in almost_dice(without):
        hint = f"write {meant}, or name the column in plain"
        raise NotationError(f"{quoted(written)} is almost dice", text=text, at=at, hint=hint)
    found: dict[int, Part] = {}
    for match in _TABLE.finditer(text):
        if (table := named_table(match["table"], system)) in tables:
            end, part = _how_often(text, match, table)
            found[match.start()] = part
            # The number that says how often a table is rolled on is none by itself.
            without = without[:end] + " " * (match.start() - end) + without[match.start() :]
    found |= {dice.at: Part(dice.written, dice=_value(dice, text)) for dice in find_dice(without, "cell")}
    limits.ITEMS.check(len(found), hint="write less in one cell")
    return tuple(part for _, part in sorted(found.items()))


def _without_names(text: str, system: str) -> str:
    """Return a text with spaces in place of what stands in brackets and may be the name of a table."""
    return _TABLE.sub(lambda match: " " * len(match[0]) if named_table(match["table"], system) else match[0], text)


def _how_often(text: str, match: re.Match[str], table: str) -> tuple[int, Part]:
    """Return a table on which a cell rolls, and where the words begin that say how often."""
    part, before = Part(match[0], table=table), text[: match.start()]
    if behind := _TIMES_BEHIND.match(text, match.end()):
        return match.start(), part._replace(times=read_number(behind["number"] or behind["factor"]))
    if (joint := _TIMES.search(before)) is None:
        return match.start(), part
    at = joint.start()
    if joint["number"]:
        return at, part._replace(times=read_number(joint["number"]))
    dice = find_dice(before[:at], "cell")
    if dice and dice[-1].end == at:
        return dice[-1].at, part._replace(dice=_value(dice[-1], text))
    if number := _COUNT.search(before[:at]):
        return number.start(), part._replace(times=read_number(number[0]))
    return match.start(), part


def read_number(word: str) -> int:
    """Return the number that a word says, limited as any list is.

    >>> read_number("twice"), read_number("Six"), read_number("4")
    (2, 6, 4)
    """
    plain = word.casefold()
    number = int(plain) if plain.isdecimal() else _NUMBERS[plain]
    limits.ITEMS.check(number, hint="roll less often")
    return number


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
