"""Making panels: of any mechanic, and a game's own, found where packages offer them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Any, Final

from dicedocs.errors import DiceError, ParameterError, near, quoted
from dicedocs.panel.game import Game, Table
from dicedocs.panel.session import Session
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.playing import EXPRESSION, ResourceValues, Seed
from dicedocs.rules.registry import mechanic, mechanics
from dicedocs_widgets.widget import Panel, panel_class

if TYPE_CHECKING:
    from ipywidgets import Layout

GROUP: Final = "dicedocs.panels"
"""The entry-point group in which a package offers a game's own panel, a :class:`~dicedocs.panel.game.Game`."""

_MEND: Final = "mend or uninstall the package that offers it"


def panel(
    id: str | type[Mechanic],
    /,
    *,
    seed: Seed | None = None,
    lock: bool = False,
    label: str = "",
    layout: Layout | Mapping[str, Any] | None = None,
    **parameters: Any,
) -> Panel:
    """Give the controls of a mechanic, made from its fields alone, or a game's own panel.

    Parameters:
        id: the id of a mechanic, its class, or the id of a game that has a panel of its own.
        seed: what decides the dice of the first roll.
        lock: whether each roll has the seed of the one before; otherwise each draws a new one.
        label: what the rolls are called.
        layout: as for every widget.
        parameters: values to begin with, each as itself or as its text, beside the mechanic's example. One
            that has the name of something that the panel has itself is followed by an underscore.

    Raises:
        DiceError: there is no such mechanic, or a value cannot be what it is.

    >>> panel("methuen/check", check="1d20 + 3 >= 12")
    panel('methuen/check', check="1d20 + 3 >= 12", actor={"Attack": 6}, target={"Defense": 12})
    """
    of = _found(id) if isinstance(id, str) else id
    made = panel_class(of)
    values = {made._fields.get(name, name): value for name, value in parameters.items()}
    session: Session
    if isinstance(of, Game):
        session = Table(of, values, seed=seed, lock=lock, label=label)
    else:
        session = Session(of, values, seed=seed, lock=lock, label=label)
    return made(session, **({} if layout is None else {"layout": layout}))


def roller(
    expression: str | None = None,
    actor: ResourceValues | None = None,
    target: ResourceValues | None = None,
    *,
    seed: Seed | None = None,
    lock: bool = False,
    label: str = "",
    layout: Layout | Mapping[str, Any] | None = None,
) -> Panel:
    """Give the roller of Expressions, with rows for what the actor and the target have.

    Parameters:
        expression: such as ``"1d6 + [Strength]"``.
        actor: the resources of whoever acts.
        target: the resources of the target.
        seed, lock, label, layout: as for :func:`panel`.

    Raises:
        DiceError: a value cannot be what it is.

    >>> roller("1d6 + [Strength]", actor={"Strength": 4}).actor["Strength"]
    4
    """
    given = {"expression": expression, "actor": actor, "target": target}
    if expression is not None:
        # An Expression of one's own has none of the example's names.
        given = {"expression": expression, "actor": actor or {}, "target": target or {}}
    chosen = {name: value for name, value in given.items() if value is not None}
    return panel(EXPRESSION, seed=seed, lock=lock, label=label, layout=layout, **chosen)


def _found(id: str) -> type[Mechanic] | Game[Any]:
    offered = _offered().get(id)
    if offered is not None:
        return _game(offered)
    try:
        return mechanic(id)
    except ParameterError as error:
        hint = near(id, [*mechanics(), *_offered()])
        raise ParameterError(f"there is no panel for {quoted(id)}", hint=hint, parameter="mechanic") from error


@cache
def _offered() -> Mapping[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=GROUP)}


def _game(entry: EntryPoint) -> Game[Any]:
    try:
        game = entry.load()
    except Exception as error:
        message = f"the panel {quoted(entry.name)} cannot be loaded from {entry.value}: {type(error).__name__}: {error}"
        raise DiceError(message, hint=_MEND) from error
    if not isinstance(game, Game):
        raise DiceError(f"the panel {quoted(entry.name)} is no Game", hint=_MEND)
    return game
