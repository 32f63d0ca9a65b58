"""Rolls and forms as plain data, and back: for the file of a log, and for a worker that goes on for another one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import NoneType, UnionType
from typing import Any, Final, NamedTuple, Union, get_args, get_origin, get_type_hints

from dicedocs.errors import ParameterError, is_text, quoted, wrap_error
from dicedocs.panel.entry import Entry
from dicedocs.render.json_data import facts_data
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.playing import dice_from
from dicedocs.rules.resources import Resources
from dicedocs.scenes.change import Changed

_TEXTS: Final = ("time", "action", "who", "target", "note", "effect", "then", "refused")
_TRUTHS: Final = ("again", "struck", "pending")
_NUMBERS: Final = ("form",)
_CHANGES: Final = ("made", "later")
"""What a roll has beside its own data, if it is not empty or false."""


class SavedForm(NamedTuple):
    """A form as it was left, as plain data.

    Parameters:
        texts, parts: what stood in its fields, as :meth:`.Inputs.state` returns it.
        label: the label of the rolls.
        chosen: who had which slot, by name.
        groups: for whom a roll was made in one press, by slot.
        shown: the number of the roll that was shown; 0 for none.
        cleared: the number of the last roll that was cleared from its history.
        pins: the settings that were pinned, each as the id of its mechanic and its parameters.
        own: what a game, or a dice tray, has beside.
        lock: whether the seed was locked.
        odds_of, odds_show: which odds were shown how; empty without odds.
    """

    texts: Mapping[str, str]
    parts: Mapping[str, Any]
    label: str = ""
    chosen: Mapping[str, str] = {}
    groups: Mapping[str, tuple[str, ...]] = {}
    shown: int = 0
    cleared: int = 0
    pins: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    own: Any = None
    lock: bool = False
    odds_of: str = ""
    odds_show: str = ""


def to_plain(value: object) -> Any:
    """Return a value made of named tuples, tuples and mappings as lists and dictionaries, which JSON can hold.

    >>> to_plain((Changed("orc.HP", "9", "4"),))
    [{'name': 'orc.HP', 'before': '9', 'after': '4', 'by': 0}]
    """
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, Mapping):
        return {name: to_plain(item) for name, item in value.items()}
    return list(map(to_plain, value)) if isinstance(value, list | tuple) else value


def from_plain(kind: Any, data: Any) -> Any:
    """Return the value that :func:`to_plain` wrote.

    Parameters:
        kind: its type.
        data: the data, which may be anything.

    Raises:
        TypeError, ValueError: they are of another type.
        DiceError: they are no resources.

    >>> from_plain(tuple[Changed, ...], [{"name": "orc.HP", "before": "9", "after": "4"}])
    (Changed(name='orc.HP', before='9', after='4', by=0),)
    """
    origin, inner = get_origin(kind), get_args(kind)
    if kind is Any:
        return data
    if origin in {Union, UnionType}:
        fitting = next((one for one in inner if type(data) is one), None) or inner[0]
        return from_plain(fitting, data)
    if origin is tuple and isinstance(data, list):
        kinds = inner[:1] * len(data) if inner[-1] is ... else inner
        return tuple(from_plain(one, item) for one, item in zip(kinds, data, strict=True))
    if origin is Mapping and isinstance(data, dict):
        return {name: from_plain(inner[1], item) for name, item in data.items()}
    if kind is Resources:
        return Resources.from_value(data)
    if isinstance(kind, type) and hasattr(kind, "_fields") and isinstance(data, dict):
        hints = get_type_hints(kind)
        return kind(**{name: from_plain(hints.get(name), item) for name, item in data.items()})
    if type(data) is not (kind or NoneType) or (kind is str and not is_text(data)):
        raise TypeError(f"{quoted(data)} is of another type")
    return data


def entry_data(entry: Entry) -> dict[str, Any]:
    """Return a roll as plain data, from which :func:`read_entry` makes it again."""
    more = {name: getattr(entry, name) for name in (*_TEXTS, *_TRUTHS, *_NUMBERS, "refers")}
    # Rolls are numbered again when they are read, so that of another one is kept as how many rolls ago it was.
    more |= {
        name: [one[:3] if not one.by else (*one[:3], entry.roll - one.by) for one in getattr(entry, name)]
        for name in _CHANGES
    }
    return entry.data() | {name: value for name, value in more.items() if value}


def read_entry(number: int, roll: Mapping[str, Any], mechanic: type[Mechanic]) -> Entry:
    """Return a roll that was kept as plain data, after playing it again.

    Parameters:
        number: its number.
        roll: the data.
        mechanic: what was played.

    Raises:
        ParameterError: it cannot be played again with the same result.
        TypeError, ValueError: the data are something else.

    >>> import dicedocs as dd
    >>> from dicedocs.rules.registry import mechanic
    >>> entry = Entry(2, "Bolt", 61, dd.roll("3d6", seed=61), who="Kira")
    >>> read_entry(2, json.loads(json.dumps(entry_data(entry))), mechanic("dice/roll")) == entry
    True
    """
    try:
        seed = roll["seed"]
        dice = dice_from(seed, roll["dice"] if seed is None else None)
        outcome = mechanic(**roll["parameters"]).play(dice)
        dice.finish()
    except Exception as error:
        # A mechanic of another package may raise anything.
        raise ParameterError(f"cannot be played again: {wrap_error(error).message}") from error
    if json.loads(json.dumps(facts_data(outcome))) != roll.get("facts"):
        raise ParameterError("comes out differently now: its rules have changed")
    more: dict[str, Any] = {name: str(roll.get(name, "")) for name in _TEXTS}
    more |= {name: roll.get(name) is True for name in _TRUTHS}
    more |= {name: value for name in _NUMBERS if type(value := roll.get(name)) is int}
    more |= {name: read_changes(roll.get(name, ()), number) for name in _CHANGES}
    more |= {"refers": {str(name): str(text) for name, text in dict(roll.get("refers", {})).items()}}
    return Entry(number, str(roll.get("label", "")), seed, outcome, **more)


def read_changes(data: Any, roll: int = 0) -> tuple[Changed, ...]:
    """Return changes of values from plain data.

    Parameters:
        data: three texts each, and if a roll did it, how many rolls ago that was.
        roll: the number of the roll that they belong to.

    Raises:
        TypeError: they are something else.
    """
    changes = []
    for each in data:
        name, before, after, *ago = each
        if not all(map(is_text, (name, before, after))) or [type(one) for one in ago] not in ([], [int]):
            raise TypeError("a change of a value is three texts")
        changes.append(Changed(name, before, after, roll - ago[0] if ago else 0))
    return tuple(changes)
