"""What stands in a cell: text, dice that are thrown when its row comes up, and other tables that are then rolled on."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
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
      \b(?:(?P<times>once|twice|thrice)|times?)\s*:?\s*\Z
    | (?:\b(?P<number>once|twice|thrice) | \s+(?:more\s+|additional\s+)?(?:times?|rolls?|results?|draws?|items?)\b)
        (?:\s+(?:more|again))? \s+(?:on|from|upon|using)\s+(?:the\s+)?(?:tables?\s+)?\Z
    | \s*[×x]\s*\Z
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""What stands between a number and the name of the table on which it says to roll so often."""
_TIMES_BEHIND: Final = re.compile(
    rf"\s*[,(]?\s*(?:roll(?:ed)?\s+)?(?:(?P<number>once|twice|thrice|{NUMBER}(?=\s+times\b))\b|[×x]\s*(?P<factor>[0-9]{{1,6}})(?!\w))",
    re.IGNORECASE,
)
_DICE_BEHIND: Final = re.compile(r"\s*(?:,|(?P<open>\())?\s*(?:roll(?:ed)?\s+)?(?P<factor>[×x])?\s*", re.IGNORECASE)
"""What stands between the name of a table and dice that may say how often it is rolled on."""
_UNSAID: Final = re.compile(
    r"\b(?:several|many|some|a\s+few|(?:a\s+)?(?:couple|pair|number)\s+of)\s+(?:more\s+)?"
    r"(?:times|rolls|results|draws)\b[^\[\]]{0,20}\Z",
    re.IGNORECASE,
)
"""What says before the name of a table that it is rolled on several times, and not how often."""
_TIMES_WORD: Final = re.compile(r"times\b", re.IGNORECASE)
_NEAR: Final = 200
"""The characters beside the name of a table in which something can say how often it is rolled on."""
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
    said: list[tuple[int, int]] = []
    for match in _TABLE.finditer(text):
        if (table := named_table(match["table"], system)) in tables:
            limits.ITEMS.check(len(found) + 1, hint="write less in one cell")
            # Only what is near can say how often: a cell may be long.
            low = max(0, match.start() - _NEAR)
            near = text[low : match.end() + _NEAR]
            first, last, part = _how_often(near, match.start() - low, match[0], table)
            found[match.start()] = part
            # The number that says how often a table is rolled on is none by itself.
            said.append((low + first, low + last))
        elif table and (joint := _TIMES.search(text[max(0, match.start() - _NEAR) : match.start()])):
            # So it is before all tables of the book are known.
            said.append((match.start() - len(joint[0]), match.start()))
    without = _blanked(without, said)
    found |= {dice.at: Part(dice.written, dice=_value(dice, text)) for dice in find_dice(without, "cell")}
    limits.ITEMS.check(len(found), hint="write less in one cell")
    return tuple(part for _, part in sorted(found.items()))


def _without_names(text: str, system: str) -> str:
    """Return a text with spaces in place of what stands in brackets and may be the name of a table."""
    return _TABLE.sub(lambda match: " " * len(match[0]) if named_table(match["table"], system) else match[0], text)


def _blanked(text: str, parts: Iterable[tuple[int, int]]) -> str:
    """Return a text with spaces in place of some parts, which are in order."""
    pieces, done = list[str](), 0
    for start, end in parts:
        pieces += [text[done:start], " " * (end - max(start, done))]
        done = max(done, end)
    return "".join([*pieces, text[done:]])


def _how_often(text: str, at: int, written: str, table: str) -> tuple[int, int, Part]:
    """Return where the words that say how often a cell rolls on a table begin and end, and the table with that.

    Parameters:
        text: the cell near the table.
        at: where the table stands in it.
        written: the table as written.
        table: its id.

    Raises:
        NotationError: they say that it is several times, and not how often.
    """
    part, before, begin, end = Part(written, table=table), text[:at], at, at + len(written)
    if behind := _TIMES_BEHIND.match(text, end):
        return begin, end, part._replace(times=read_number(behind["number"] or behind["factor"]))
    for dice in find_dice(text[end:], "cell")[:1]:
        joint, rest = _DICE_BEHIND.fullmatch(text, end, end + dice.at), text[end + dice.end :].lstrip()
        if joint and (joint["factor"] or _TIMES_WORD.match(rest) or (joint["open"] and rest.startswith(")"))):
            return begin, end + dice.end, part._replace(dice=_value(dice, text))
    if unsaid := _UNSAID.search(before):
        hint = f"write 1d4 rolls on {written}, or roll twice on {written}, or name the column in plain"
        raise NotationError(f"{quoted(unsaid[0].strip())} is no number", text=text, at=unsaid.start(), hint=hint)
    if (joint := _TIMES.search(before)) is None:
        return begin, end, part
    at = joint.start()
    if word := joint["number"] or joint["times"]:
        return at, end, part._replace(times=read_number(word))
    every = find_dice(before[:at].rstrip(), "cell")
    if every and every[-1].end == len(before[:at].rstrip()):
        return every[-1].at, end, part._replace(dice=_value(every[-1], text))
    if number := _COUNT.search(before[:at].rstrip()):
        return number.start(), end, part._replace(times=read_number(number[0]))
    return begin, end, part


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
