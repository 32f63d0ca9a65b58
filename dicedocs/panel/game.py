"""A game's own table: several mechanics that are played by turns on one state, such as a pool of dice.

A game describes it as data, a :class:`Game`: its boxes, how it begins, and its plays. A :class:`Table` is the
session in which it is played.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from dicedocs.errors import DiceError, ParameterError, near, quoted, wrap_error
from dicedocs.panel.controls import field_data
from dicedocs.panel.history import Entry
from dicedocs.panel.inputs import Boxes
from dicedocs.panel.session import Session
from dicedocs.render.svg import die_shapes
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.params import Param
from dicedocs.rules.playing import Seed
from dicedocs.rules.registry import mechanic as mechanic_of

S = TypeVar("S")
Values = Mapping[str, Any]
"""What stands in the boxes, by field."""


def _always(_state: Any, _values: Values) -> str:
    return ""


class Play(NamedTuple, Generic[S]):
    """Something that can be done at a table.

    Parameters:
        id: what it is called in Python.
        label: what its button says.
        mechanic: the id of the mechanic that is played.
        parameters: gives the parameters, from the state and the boxes.
        after: gives the new state, from the state, the outcome and the boxes.
        why: says why it cannot be done now; empty when it can.
    """

    id: str
    label: str
    mechanic: str
    parameters: Callable[[S, Values], Mapping[str, object]]
    after: Callable[[S, Outcome, Values], S]
    why: Callable[[S, Values], str] = _always


class ShownDie(NamedTuple):
    """A die on the table, that can be pressed.

    Parameters:
        sides: how many it has.
        face: what it shows, or ``"-"`` before it was thrown.
        state: what became of it, such as ``"exhausted"``; such a die is not pressed.
        pressed: what it is pressed for, such as ``"spend"``.
    """

    sides: int
    face: int | str
    state: str = ""
    pressed: str = ""


class Gauge(NamedTuple):
    """A number to keep an eye on, and how much it can be, if that is known."""

    label: str
    value: int
    of: int | None = None


class Laid(NamedTuple):
    """What lies on a table: a note, dice and gauges."""

    note: str
    dice: Sequence[ShownDie] = ()
    gauges: Sequence[Gauge] = ()


class Game(NamedTuple, Generic[S]):
    """A game's own table as data.

    Parameters:
        id: under which it is found, a system or a mechanic.
        title: what it is called.
        help: what is done there, in a sentence.
        fields: the boxes.
        start: the state to begin with.
        plays: what can be done; the first is what Enter does.
        laid: gives what lies on the table in a state.
        press: gives the state when a die is pressed, by its place from 1.
        settle: gives a state that goes with what stands in the boxes.
    """

    id: str
    title: str
    help: str
    fields: Sequence[Param]
    start: S
    plays: Sequence[Play[S]]
    laid: Callable[[S], Laid]
    press: Callable[[S, int], S]
    settle: Callable[[S, Values], S]


class Table(Session, Generic[S]):
    """A session at a game's own table.

    Parameters:
        game: what is played.
        parameters: values of the boxes to begin with.
        seed, lock, label: as for :class:`~dicedocs.panel.session.Session`.

    Raises:
        DiceError: a value cannot be what it is.
    """

    def __init__(
        self,
        game: Game[S],
        parameters: Mapping[str, object] | None = None,
        *,
        seed: Seed | None = None,
        lock: bool = False,
        label: str = "",
    ) -> None:
        self.game = game
        self.mechanic = mechanic_of(game.plays[0].mechanic)
        self._table = game.start
        fields = {field.name: field for field in game.fields}
        boxes = Boxes(fields, {name: field.example for name, field in fields.items()})
        for name, value in (parameters or {}).items():
            boxes.put(name, value)
        self._begin(boxes, seed, lock=lock, label=label)

    def _first_fact(self) -> str:
        # What is played differs from turn to turn, and so would its odds.
        return ""

    @property
    def table(self) -> S:
        """The state of the table; it may be set."""
        return self._table

    @table.setter
    def table(self, state: S) -> None:
        self._table = state
        self.judge()

    def judge(self) -> None:
        """Look what can be played."""
        self._table = self.game.settle(self._table, self.boxes.values)
        self.rule, self._amiss = None, None
        if not self.boxes.errors and not self._why(self.game.plays[0]):
            super().judge()

    def _made(self) -> Mechanic:
        return self._rule(self.game.plays[0])

    def _rule(self, play: Play[S]) -> Mechanic:
        return mechanic_of(play.mechanic)(**play.parameters(self._table, self.boxes.values))

    def _why(self, play: Play[S]) -> str:
        return play.why(self._table, self.boxes.values)

    def roll(self) -> Outcome:
        """Do what comes first."""
        return self.play(self.game.plays[0].id)

    def play(self, id: str) -> Outcome:
        """Do something.

        Parameters:
            id: what.

        Returns:
            The outcome of its mechanic.

        Raises:
            DiceError: it cannot be done; the table stays as it is.
        """
        plays = {play.id: play for play in self.game.plays}
        if id not in plays:
            raise ParameterError(f"there is no play {quoted(id)}", hint=near(str(id), plays))
        if wrong := next(iter(self.boxes.errors.values()), self._seed_error):
            raise wrong
        play = plays[id]
        try:
            if why := self._why(play):
                raise DiceError(why)
            before = self._table, dict(self.boxes.values)
            outcome = self._play(self._rule(play), before)
        except Exception as error:
            self._amiss = wrap_error(error)
            raise
        self.table = play.after(self._table, outcome, self.boxes.values)
        return outcome

    def press(self, die: int) -> None:
        """Press a die.

        Parameters:
            die: its place, from 1.

        Raises:
            ParameterError: there is no such die.
        """
        dice = self.game.laid(self._table).dice
        if type(die) is not int or not 1 <= die <= len(dice):
            raise ParameterError(f"there is no die {quoted(die)}", hint=f"there are {len(dice)}, counted from 1")
        if not dice[die - 1].state:
            self.table = self.game.press(self._table, die)

    def _step_back(self, taken: Entry, last: Entry | None) -> None:
        self._table, values = taken.before
        self.boxes = Boxes(self.boxes.fields, values)
        self.judge()

    def _restore(self, entry: Entry) -> None:
        """Put what was chosen for a roll into the boxes that the mechanic knows; what lies on the table stays."""
        chosen = {name: getattr(entry.outcome.rule, name, value) for name, value in self.boxes.values.items()}
        self.boxes = Boxes(self.boxes.fields, chosen)
        self.judge()

    def form(self) -> dict[str, Any]:
        """Give what never changes, as :meth:`Session.form` does; a table has no odds, and so no facts."""
        return {
            "id": self.game.id,
            "title": self.game.title,
            "help": self.game.help,
            "facts": [],
            "fields": [field_data(field) for field in self.game.fields],
            "shapes": die_shapes(),
        }

    def state(self) -> dict[str, Any]:
        """Give all that changes, as :meth:`Session.state` does, and ``table``.

        That has ``note``; ``dice``, each ``sides``, ``face``, ``state`` and ``pressed``; ``gauges``, each ``label``,
        ``value`` and ``of``; ``plays``, each ``id``, ``label``, ``can``, ``why`` and ``main``.
        """
        laid = self.game.laid(self._table)
        reasons = [(play, self._why(play)) for play in self.game.plays]
        table = {
            "note": laid.note,
            "dice": [die._asdict() for die in laid.dice],
            "gauges": [gauge._asdict() for gauge in laid.gauges],
            "plays": [
                {"id": play.id, "label": play.label, "can": not why, "why": why, "main": place == 0}
                for place, (play, why) in enumerate(reasons)
            ],
        }
        return {**super().state(), "table": table}

    def _deeds(self) -> dict[str, Callable[[Mapping[str, Any]], None]]:
        return {**super()._deeds(), "press": self._pressed}

    def _pressed(self, message: Mapping[str, Any]) -> None:
        if "play" in message:
            self._try(lambda: self.play(message["play"]))
        else:
            self.press(message.get("die", 0))
