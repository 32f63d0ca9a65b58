"""The messages of a page, read and typed before anything is done.

``make wire`` makes the interface ``Message`` in ``static/wire.d.ts`` of the widgets from them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias, TypeVar, get_args, get_type_hints

from dicedocs import limits
from dicedocs.errors import ParameterError, quoted
from dicedocs.render.words import whole_characters
from dicedocs.rules.kinds import Parts
from dicedocs.similar_words import near

T = TypeVar("T")
_TIME: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}")


Action: TypeAlias = Literal[
    # Everywhere; to set is to do no more than the message carries.
    "set", "history", "log", "undo", "redo", "recall", "apply", "take-back",
    # In a form.
    "roll", "answer", "clear", "next-seed", "pin-roll", "character",
    # In that of one mechanic.
    "roll-each", "replay", "odds-of", "odds-show", "pin", "unpin", "csv", "picture",
    # In a game's own panel.
    "press", "restart",
    # In a dice tray.
    "add", "mode", "resource", "empty", "keep", "favourite", "forget",
    # At a table.
    "note", "strike", "next-turn", "add-turn", "remove-turn", "move-turn", "correct",
]  # fmt: skip
"""What a page may ask for."""


class Message(NamedTuple):
    """A message of a page.

    Parameters:
        do: the action; what is none is refused by whoever is to carry it out.
        view: the view of the panel that sent it.
        n: its number in that view.
        texts: the changed texts by field.
        parts: the changed parts by field.
        label: the label of the rolls, if it was changed.
        seed: the seed of the next roll, if it was changed.
        lock: whether each roll reuses the seed of the one before, if that was changed.
        faces: those of dice that were thrown by hand, for the next roll, if they were changed; with ``correct`` those
            that the roll should have.
        roll: with ``recall``, ``replay``, ``pin-roll``, ``note``, ``strike``, ``correct`` and ``take-back`` its number;
            with ``apply`` too, or 0 for all.
        fact: with ``odds-of`` the name of a fact.
        die: with ``press``, in a game's own panel, the number of a die, from 1; with ``add`` the sides of the dice.
        play: with ``press`` instead the id of a play.
        name: with ``roll-each`` ``order`` for the order of turns, ``target`` for one attack on several; with
            ``add-turn``, ``remove-turn`` and ``move-turn`` whose turn it is; with ``odds-show``, ``mode`` and
            ``resource`` what is chosen; with ``character`` its slot; with ``correct`` the target.
        item: with ``answer``, ``unpin``, ``character``, ``resource`` (of its character), ``favourite`` and ``forget``
            an index, or -1 for none.
        dice: with ``add`` how many dice of so many sides; without sides, how much is added to the modifier; with
            ``move-turn`` by how many places.
        number: with ``add-turn`` the number that decides its place; empty for none.
        time: the time on the clock of the page, ``2026-11-22T21:04:07``; empty if it is not written like this.
        format: with ``log`` text, csv, markdown or examples; at a table also scene.
        note: with ``note`` what is written about a roll.
        items: with ``roll-each`` the indexes of the characters.
    """

    do: str = "set"
    view: str = ""
    n: int = 0
    texts: Mapping[str, str] = {}
    parts: Mapping[str, Parts] = {}
    label: str | None = None
    seed: str | None = None
    lock: bool | None = None
    faces: str | None = None
    roll: int = 0
    fact: str = ""
    die: int = 0
    play: str | None = None
    name: str = ""
    item: int = -1
    dice: int = 0
    number: str = ""
    time: str = ""
    format: str = ""
    note: str = ""
    items: Sequence[int] = []


def read_message(data: object) -> Message:
    """Return a message that a page has sent.

    Parameters:
        data: what came over the wire; anything.

    Raises:
        ParameterError: it is not an object, or one of its items is unknown or of another type.
        LimitError: it has more than ``ITEMS`` items in one place.

    >>> read_message({"do": "set", "texts": {"expression": "3d6"}}).texts
    {'expression': '3d6'}
    >>> read_message({"do": "recall", "roll": "1"})
    Traceback (most recent call last):
    ...
    dicedocs.errors.ParameterError: a message of the page is malformed: roll is '1'; send a whole number
    """
    if not isinstance(data, Mapping):
        raise _malformed(f"it is {quoted(data)}", "send an object")
    limits.ITEMS.check(len(data))
    items: dict[str, Any] = {}
    for name, value in data.items():
        if not isinstance(name, str) or name not in _READERS:
            raise _malformed(f"there is no {quoted(name)}", near(str(name), _READERS))
        items[name] = _READERS[name](value, name)
    return Message(**items)


def acknowledge(data: object) -> dict[str, int]:
    """Return the number of a message by its view, malformed messages included, for the answer that the page awaits.

    >>> acknowledge({"do": "dance", "view": "left", "n": 7}), acknowledge([])
    ({'left': 7}, {})
    """
    if not isinstance(data, Mapping):
        return {}
    view, n = data.get("view"), data.get("n")
    return {_text(view, "view"): n} if isinstance(view, str) and type(n) is int else {}


def _malformed(what: str, hint: str) -> ParameterError:
    return ParameterError(f"a message of the page is malformed: {what}", hint=hint)


def _text(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise _malformed(f"{name} is {quoted(value)}", "send a text")
    # JSON can hold half of a character, which cannot be sent back.
    return whole_characters(value)


def _integer(value: object, name: str) -> int:
    if type(value) is not int:
        raise _malformed(f"{name} is {quoted(value)}", "send a whole number")
    return value


def _truth(value: object, name: str) -> bool:
    if type(value) is not bool:
        raise _malformed(f"{name} is {quoted(value)}", "send true or false")
    return value


def _time(value: object, name: str) -> str:
    # A wrong clock is no reason not to roll.
    return text if _TIME.fullmatch(text := _text(value, name)) else ""


def _by_field(read: Callable[[object, str], T]) -> Callable[[object, str], dict[str, T]]:
    def by_field(value: object, name: str) -> dict[str, T]:
        if not isinstance(value, Mapping):
            raise _malformed(f"{name} is {quoted(value)}", "send an object")
        limits.ITEMS.check(len(value))
        return {_text(field, name): read(item, f"{name} of {quoted(field)}") for field, item in value.items()}

    return by_field


def _list_of(read: Callable[[object, str], T]) -> Callable[[object, str], list[T]]:
    def list_of(value: object, name: str) -> list[T]:
        if not isinstance(value, list | tuple):
            raise _malformed(f"{name} is {quoted(value)}", "send a list")
        limits.ITEMS.check(len(value))
        return [read(item, name) for item in value]

    return list_of


def _part(value: object, name: str) -> object:
    if isinstance(value, Mapping):
        return _CELLS(value, name)
    return _text(value, name) if isinstance(value, str) else _integer(value, name)


_CELLS: Final = _by_field(_text)
_BY_TYPE: Final[Mapping[Any, Callable[[object, str], Any]]] = {
    str: _text,
    int: _integer,
    bool: _truth,
    Sequence[int]: _list_of(_integer),
    Mapping[str, str]: _by_field(_text),
    Mapping[str, Parts]: _by_field(_list_of(_part)),
}
_READERS: Final = {
    # An item that may be missing is read like any other of its type.
    name: _BY_TYPE[next(one for one in (hint, *get_args(hint)) if one in _BY_TYPE)]
    for name, hint in get_type_hints(Message).items()
} | {"time": _time}
