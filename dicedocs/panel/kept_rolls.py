"""The rolls of a panel in a file, which keeps them from one evening to the next."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Final, NamedTuple

from dicedocs.errors import DiceError, ParameterError, quoted, wrap_error
from dicedocs.panel.entry import SCHEMA, Entry
from dicedocs.panel.saved import SavedForm, entry_data, from_plain, read_changes, read_entry, to_plain
from dicedocs.panel.turns import Turns
from dicedocs.rules.mechanic import Mechanic
from dicedocs.scenes.change import Changed
from dicedocs.scenes.character import Character
from dicedocs.scenes.scene import Scene

_ANOTHER: Final = "give log the name of another file"


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
    """A form of a table as it was left.

    Parameters:
        name: the title of its panel.
        given: its texts and parts as the panel was made.
        form: the form.
    """

    name: str
    given: Mapping[str, Mapping[str, Any]]
    form: SavedForm


class Left(NamedTuple):
    """A table as it was left.

    Parameters:
        forms: its forms.
        turns: the order of turns.
    """

    forms: tuple[LeftForm, ...] = ()
    turns: Turns = ()


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
        self._left: object = None

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
            changes = read_changes(kept["changes"])
        except Exception as error:
            raise self._failed("is not a log of rolls", wrap_error(error).message) from error
        self._beginning = Beginning(cast, tracks, changes)
        return self._beginning

    def read_left(self) -> Left:
        """Return the forms and the turns of the table of the file as they were left; none if there was no table.

        Raises:
            ParameterError: the file is not a log of rolls.
        """
        try:
            kept = self._data().get("left") or {}
            left: Left = from_plain(Left, kept if isinstance(kept, dict) else {"forms": kept})
        except Exception as error:
            raise self._failed("is not a log of rolls", str(error)) from error
        return left

    def update(self, entries: Sequence[Entry], beginning: Beginning | None = None, left: Left | None = None) -> None:
        """Write the rolls that were made since the last time, and remove those that were undone or cleared.

        Parameters:
            entries: all rolls of the panel.
            beginning: what the table began with; without a table, that of the file stays.
            left: its forms and its turns as they are now.

        Raises:
            DiceError: the file cannot be written, or is not a log of rolls any more; it stays as it is.
        """
        before, now = self._written, to_plain(left)
        same = 0
        while same < min(len(before), len(entries)) and before[same] is entries[same]:
            same += 1
        unchanged = beginning is None or (beginning == self._beginning and now == self._left)
        if same == len(before) == len(entries) and unchanged:
            return
        lines = self._lines()
        for entry in before[same:]:
            line = _json(entry_data(entry))
            if line in lines:
                # The last one, since the last rolls are undone.
                del lines[len(lines) - 1 - lines[::-1].index(line)]
        lines += [_json(entry_data(entry)) for entry in entries[same:]]
        self._write(lines, beginning or self.read_beginning(), now or self._data().get("left"))
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

    def _write(self, lines: list[str], beginning: Beginning | None, left: object) -> None:
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


def _json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False)
