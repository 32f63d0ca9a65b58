"""The rolls of a panel in a file, which keeps them from one evening to the next."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from dicedocs.errors import DiceError, ParameterError, is_text, quoted, wrap_error
from dicedocs.panel.entry import SCHEMA, Entry
from dicedocs.render.json_data import facts_data
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.playing import dice_from
from dicedocs.scenes.change import Changed
from dicedocs.scenes.character import Character
from dicedocs.scenes.scene import Scene

_ANOTHER: Final = "give log the name of another file"
_TEXTS: Final = ("time", "action", "who", "target", "note", "effect", "then")
_TRUTHS: Final = ("again", "struck", "pending")
_NUMBERS: Final = ("order", "turn", "form")
_CHANGES: Final = ("made", "later")
"""What a roll has beside its own data, if it is not empty or false."""


class Beginning(NamedTuple):
    """What a table began with; what its rolls changed since then is kept with them.

    Parameters:
        cast: the values of each character, by its name.
        tracks: the tracks of the scene.
        changes: what changed before the first roll.
    """

    cast: Mapping[str, Mapping[str, str]]
    tracks: Mapping[str, str]
    changes: tuple[Changed, ...] = ()


class LeftForm(NamedTuple):
    """A form as it was left.

    Parameters:
        name: the title of its panel.
        given: its texts and parts as the panel was made.
        inputs: its texts and parts as it was left.
        label: the label of its rolls.
        chosen: who had which slot, by name.
        shown: the number of the roll that was shown; 0 for none.
    """

    name: str
    given: Mapping[str, Any]
    inputs: Mapping[str, Any]
    label: str
    chosen: Mapping[str, str]
    shown: int

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Self:
        """Return a form from plain data.

        Raises:
            TypeError: it is something else.
        """
        form = cls(**data)
        maps = (form.given, form.inputs, form.chosen, form.inputs["texts"], form.inputs["parts"])
        if not (all(isinstance(one, dict) for one in maps) and is_text(form.name) and is_text(form.label)):
            raise TypeError("a form that was left has texts and parts")
        return form


class KeptRolls:
    """A file with the rolls of a panel, as JSON that other programs can read too.

    Several panels may share a file: each adds its own rolls, and reads back those of its own mechanics.

    Parameters:
        path: the path of the file, which need not exist yet.

    Raises:
        ParameterError: its folder does not exist.

    >>> from tempfile import TemporaryDirectory
    >>> from dicedocs.panel.forms.session import Session
    >>> with TemporaryDirectory() as folder:
    ...     file, session = KeptRolls(Path(folder) / "evening.json"), Session("dice/roll", {"notation": "3d6"}, seed=61)
    ...     _ = session.roll()
    ...     file.update(session.entries)
    ...     [entry] = file.read({"dice/roll": session.mechanic})
    >>> entry.roll, entry.seed, entry.outcome.value
    (1, 61, 11)
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        # The folder of the kernel may change during an evening.
        self.path = Path(path).absolute()
        if not self.path.parent.is_dir():
            raise ParameterError(f"there is no folder {quoted(str(self.path.parent))}", hint=_ANOTHER, parameter="log")
        self._written: list[Entry] = []
        self._known: tuple[object, list[str]] = (None, [])
        self._beginning: Beginning | None = None
        self._left: list[Any] = []

    def read(self, mechanics: Mapping[str, type[Mechanic]]) -> list[Entry]:
        """Return the rolls of the file, oldest first, numbered from 1; none if there is no file yet.

        Parameters:
            mechanics: the mechanics whose rolls are read, by id.

        Raises:
            ParameterError: the file is not a log of rolls, or a roll cannot be played again with the same result.
        """
        own = [roll for roll in self._data()["rolls"] if str(roll.get("mechanic")) in mechanics]
        self._written = [self._read(at, roll, mechanics[roll["mechanic"]]) for at, roll in enumerate(own, 1)]
        return list(self._written)

    def read_beginning(self) -> Beginning | None:
        """Return what the table of the file began with; ``None`` if none has written it.

        Raises:
            ParameterError: the file is not a log of rolls.
        """
        kept = self._data().get("beginning")
        if kept is None:
            return None
        try:
            cast = {name: dict(Character(name, sheet).sheet) for name, sheet in dict(kept["cast"]).items()}
            tracks = dict(Scene.from_state(kept["tracks"]).state())
            changes = _read_changes(kept["changes"])
        except Exception as error:
            raise self._failed("is not a log of rolls", wrap_error(error).message) from error
        self._beginning = Beginning(cast, tracks, changes)
        return self._beginning

    def read_left(self) -> list[LeftForm]:
        """Return the forms of the table of the file as they were left; none if there was no table.

        Raises:
            ParameterError: the file is not a log of rolls.
        """
        try:
            return [LeftForm.read(one) for one in self._data().get("left") or ()]
        except (TypeError, KeyError) as error:
            raise self._failed("is not a log of rolls", str(error)) from error

    def update(
        self, entries: Sequence[Entry], beginning: Beginning | None = None, left: Iterable[LeftForm] = ()
    ) -> None:
        """Write the rolls that were made since the last time, and remove those that were undone or cleared.

        Parameters:
            entries: all rolls of the panel.
            beginning: what the table began with; without a table, that of the file stays.
            left: its forms as they are now.

        Raises:
            DiceError: the file cannot be written, or is not a log of rolls any more; it stays as it is.
        """
        before, forms = self._written, json.loads(_json([one._asdict() for one in left]))
        same = 0
        while same < min(len(before), len(entries)) and before[same] is entries[same]:
            same += 1
        unchanged = beginning is None or (beginning == self._beginning and forms == self._left)
        if same == len(before) == len(entries) and unchanged:
            return
        lines = self._lines()
        for entry in before[same:]:
            line = _json(entry_data(entry))
            if line in lines:
                # The last one, since the last rolls are undone.
                del lines[len(lines) - 1 - lines[::-1].index(line)]
        lines += [_json(entry_data(entry)) for entry in entries[same:]]
        kept = {} if forms else self._data()
        self._write(lines, beginning or self.read_beginning(), forms or kept.get("left") or [])
        self._written = list(entries)

    def _lines(self) -> list[str]:
        """Return the rolls as they stand in the file, which another panel may have changed."""
        stamp, lines = self._known
        return list(lines) if stamp and stamp == self._stamp() else list(map(_json, self._data()["rolls"]))

    def _stamp(self) -> object:
        try:
            known = self.path.stat()
        except OSError:
            return None
        return known.st_mtime_ns, known.st_size

    def _data(self) -> dict[str, Any]:
        try:
            data = json.loads(self.path.read_text("utf-8"))
        except FileNotFoundError:
            return {"rolls": []}
        except OSError as error:
            raise self._failed("cannot be read", error.strerror or str(error)) from error
        except (ValueError, RecursionError) as error:
            raise self._failed("is not JSON", str(error)) from error
        rolls = data.get("rolls") if isinstance(data, dict) and data.get("dicedocs") == SCHEMA else None
        if not isinstance(rolls, list) or not all(isinstance(roll, dict) for roll in rolls):
            raise self._failed("is not a log of rolls")
        return {"rolls": rolls, "beginning": data.get("beginning"), "left": data.get("left")}

    def _write(self, lines: list[str], beginning: Beginning | None, left: list[Any]) -> None:
        # First beside it: a crash or a full disk leaves the old file whole.
        target = self.path.resolve()
        draft = target.with_name(f".{target.name}.draft")
        joined = ",\n".join(lines)
        begun = "" if beginning is None else f'"beginning": {_json(beginning._asdict())},\n'
        begun += f'"left": {_json(left)},\n' if left else ""
        text = f'{{"dicedocs": {SCHEMA}, {begun}"rolls": [\n{joined}\n]}}\n'
        try:
            draft.write_text(text, "utf-8", "backslashreplace")
            draft.replace(target)
        except OSError as error:
            draft.unlink(missing_ok=True)
            what = f"the last roll is not in {quoted(self.path.name)}: {error.strerror or error}"
            raise DiceError(what, hint="the next roll tries again") from error
        self._known, self._beginning, self._left = (self._stamp(), lines), beginning, left

    def _read(self, number: int, roll: Mapping[str, Any], mechanic: type[Mechanic]) -> Entry:
        try:
            return read_entry(number, roll, mechanic)
        except ParameterError as error:
            which = f"has roll {number} of {quoted(mechanic.id or mechanic.__name__)}, which"
            raise self._failed(f"{which} {error.message}") from error
        except (TypeError, ValueError) as error:
            raise self._failed("is not a log of rolls", str(error)) from error

    def _failed(self, what: str, why: str = "") -> ParameterError:
        message = f"{quoted(self.path.name)} {what}" + (f": {why}" if why else "")
        return ParameterError(message, hint=_ANOTHER, parameter="log")


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
    if json.loads(_json(facts_data(outcome))) != roll.get("facts"):
        raise ParameterError("comes out differently now: its rules have changed")
    more: dict[str, Any] = {name: str(roll.get(name, "")) for name in _TEXTS}
    more |= {name: roll.get(name) is True for name in _TRUTHS}
    more |= {name: value for name in _NUMBERS if type(value := roll.get(name)) is int}
    more |= {name: _read_changes(roll.get(name, ()), number) for name in _CHANGES}
    more |= {"refers": {str(name): str(text) for name, text in dict(roll.get("refers", {})).items()}}
    return Entry(number, str(roll.get("label", "")), seed, outcome, **more)


def _read_changes(data: Any, roll: int = 0) -> tuple[Changed, ...]:
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


def _json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False)
