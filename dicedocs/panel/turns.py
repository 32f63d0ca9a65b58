"""The order of turns at a table: who comes when, and whose turn it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import NamedTuple, TypeAlias

from dicedocs.errors import ParameterError, quoted
from dicedocs.panel.entry import Entry
from dicedocs.similar_words import near


class Turn(NamedTuple):
    """The place of somebody in the order of turns.

    Parameters:
        name: who it is: a character, or whatever else happens in turn.
        number: what was rolled for it; ``None`` if nothing was.
        roll: the number of that roll; 0 for none.
        round: the round in which it is the turn of this one, if it is now; else 0.
    """

    name: str
    number: int | None = None
    roll: int = 0
    round: int = 0


Turns: TypeAlias = tuple[Turn, ...]


def turn_number(entry: Entry) -> int:
    """Return the number that a roll is ordered by: its main fact, a truth as 1 or 0, and 0 of anything else."""
    value = entry.outcome.value
    return int(value) if isinstance(value, int) else 0


def joined(turns: Turns, turn: Turn) -> Turns:
    """Return the turns with one more: before all lower numbers; without a number at the end.

    Raises:
        ParameterError: it has a turn already.

    >>> [turn.name for turn in joined((Turn("Kira", 12), Turn("Orc", 9)), Turn("Elf", 10))]
    ['Kira', 'Elf', 'Orc']
    """
    if any(one.name == turn.name for one in turns):
        raise ParameterError(f"{quoted(turn.name)} has a turn already", hint="move it, or remove it first")
    number = -inf if turn.number is None else turn.number
    at = next((at for at, one in enumerate(turns) if one.number is not None and one.number < number), len(turns))
    return (*turns[:at], turn, *turns[at:])


def without(turns: Turns, name: str, here: Callable[[Turn], bool]) -> Turns:
    """Return the turns without one, whose turn the next one gets.

    Parameters:
        turns: the turns.
        name: whose.
        here: whether somebody is at the table.

    Raises:
        ParameterError: nobody of this name has a turn.

    >>> without((Turn("Kira", 12), Turn("Orc", 9, round=2)), "Orc", lambda turn: True)
    (Turn(name='Kira', number=12, roll=0, round=3),)
    """
    at = _index(turns, name)
    turns = following(turns, here) if turns[at].round else turns
    return (*turns[:at], *turns[at + 1 :])


def moved(turns: Turns, name: str, by: int, here: Callable[[Turn], bool]) -> Turns:
    """Return the turns with one elsewhere, so many places among those that are here; no further than the ends.

    >>> [turn.name for turn in moved((Turn("Kira"), Turn("Orc"), Turn("Elf")), "Elf", -2, lambda turn: True)]
    ['Elf', 'Kira', 'Orc']
    """
    at = _index(turns, name)
    others = [*turns[:at], *turns[at + 1 :]]
    shown = [place for place, one in enumerate(others) if here(one)]
    now = sum(here(one) for one in turns[:at])
    place = max(0, min(len(shown), now + by))
    target = shown[place] if place < len(shown) else len(others)
    return (*others[:target], turns[at], *others[target:])


def following(turns: Turns, here: Callable[[Turn], bool]) -> Turns:
    """Return the turns when the next one has it, or the first of a new round; those who are gone are passed over.

    >>> [turn.round for turn in following((Turn("Kira"), Turn("Orc", round=1)), lambda turn: True)]
    [2, 0]
    """
    now = next((at for at, one in enumerate(turns) if one.round), -1)
    round = turns[now].round if now >= 0 else 0
    places = [(at, round) for at in range(now + 1, len(turns))] + [(at, round + 1) for at in range(now + 1)]
    if now < 0:
        places = [(at, 1) for at, _round in places]
    at, round = next(((at, round) for at, round in places if here(turns[at])), (-1, 0))
    return tuple(one._replace(round=round if place == at else 0) for place, one in enumerate(turns))


def _index(turns: Sequence[Turn], name: str) -> int:
    names = [one.name for one in turns]
    if name not in names:
        raise ParameterError(f"{quoted(name)} has no turn", hint=near(name, names))
    return names.index(name)
