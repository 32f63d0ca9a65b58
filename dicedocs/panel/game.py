"""A game's own panel: several mechanics that are played in turn on one game state, such as a pool of dice.

A game is described as data, a :class:`Game`: its fields, its initial state and its plays. It is played in a
:class:`~dicedocs.panel.forms.game_session.GameSession`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from dicedocs.rules.outcome import Outcome
from dicedocs.rules.params import Param

S = TypeVar("S")
Values = Mapping[str, Any]
"""The values of the inputs, by field."""


def _no_obstacle(_state: Any, _values: Values) -> str:
    return ""


def _no_preview(_state: Any, _values: Values) -> Sequence[str]:
    return ()


class Play(NamedTuple, Generic[S]):
    """A play of a game, with a button of its own.

    Parameters:
        id: its name in Python.
        label: the label of its button.
        mechanic: the id of the mechanic that is played.
        parameters: returns the mechanic's parameters, from the state and the input values.
        next_state: returns the new state, from the state, the outcome and the input values.
        obstacle: returns why the play is not possible now, from the state and the input values; empty if it is.
        fields: the names of the fields that this play alone reads: Enter in one of them makes this play.
    """

    id: str
    label: str
    mechanic: str
    parameters: Callable[[S, Values], Mapping[str, object]]
    next_state: Callable[[S, Outcome, Values], S]
    obstacle: Callable[[S, Values], str] = _no_obstacle
    fields: Sequence[str] = ()


class DieView(NamedTuple):
    """A die on the table, which can be pressed.

    Parameters:
        sides: the number of sides.
        face: the face that it shows, or ``"-"`` before it is thrown.
        state: its state, such as ``"exhausted"``; a die with a state cannot be pressed.
        pressed: what it is marked for, such as ``"spend"``.
    """

    sides: int
    face: int | str
    state: str = ""
    pressed: str = ""


class Meter(NamedTuple):
    """A number to keep an eye on, and its maximum, if there is one."""

    label: str
    value: int
    maximum: int | None = None


class GameView(NamedTuple):
    """A game state as a page shows it: a note, dice and meters."""

    note: str
    dice: Sequence[DieView] = ()
    meters: Sequence[Meter] = ()


class Game(NamedTuple, Generic[S]):
    """A game with a panel of its own, as data.

    Parameters:
        id: the name that :func:`dicedocs_widgets.panel` takes: the id of a system or of a mechanic.
        title: its title.
        help: what a player does in it, in a sentence.
        fields: its input fields.
        start: the initial state; a named tuple of numbers, texts and tuples of them is kept in the file of an evening.
        plays: its plays, the one made most often first.
        view: returns what a page shows of a state.
        press: returns the new state after a press on a die, given by its number from 1.
        adjust: returns a state adjusted to the input values.
        preview: returns what a decision would lead to, from the state and the input values, as sentences in the
            language of the reader; none where that is not known.
    """

    id: str
    title: str
    help: str
    fields: Sequence[Param]
    start: S
    plays: Sequence[Play[S]]
    view: Callable[[S], GameView]
    press: Callable[[S, int], S]
    adjust: Callable[[S, Values], S]
    preview: Callable[[S, Values], Sequence[str]] = _no_preview
