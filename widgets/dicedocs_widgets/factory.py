"""Creating panels: of any mechanic, and the panels of games that packages offer as entry points."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Any, Final

from dicedocs.errors import DiceError, ParameterError, near, quoted
from dicedocs.panel.game import Game, GameSession
from dicedocs.panel.session import Session
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.playing import EXPRESSION, ResourceValues, Seed
from dicedocs.rules.registry import mechanic, mechanics
from dicedocs_widgets.trait_names import parameters_by_trait
from dicedocs_widgets.widget import Panel, panel_class

if TYPE_CHECKING:
    from ipywidgets import Layout

GROUP: Final = "dicedocs.panels"
"""The entry-point group for panels of games; each entry is a :class:`~dicedocs.panel.game.Game`."""

_FAULTY_PACKAGE: Final = "fix or uninstall the package that offers it"


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
    """Return the panel of a mechanic, with a control for each parameter, or a game's own panel.

    Parameters:
        id: the id of a mechanic, its class, or the id of a game with a panel of its own.
        seed: the seed of the first roll.
        lock: whether each roll reuses the seed of the one before; otherwise each draws a new one.
        label: the label of the rolls.
        layout: the layout, as for every widget.
        parameters: initial values, each as itself or as its text, beside the mechanic's example. A parameter whose
            name the panel needs itself is followed by an underscore.

    Raises:
        DiceError: the mechanic does not exist, or a value is not valid.

    >>> panel("methuen/check", check="1d20 + 3 >= 12")
    panel('methuen/check', check="1d20 + 3 >= 12", actor={"Attack": 6}, target={"Defense": 12})
    """
    source = _find(id) if isinstance(id, str) else id
    fields = parameters_by_trait(source)
    values = {fields[name].name if name in fields else name: value for name, value in parameters.items()}
    session: Session
    if isinstance(source, Game):
        session = GameSession(source, values, seed=seed, lock=lock, label=label)
    else:
        session = Session(source, values, seed=seed, lock=lock, label=label)
    return panel_class(source)(session, **({} if layout is None else {"layout": layout}))


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
    """Return a panel that rolls an Expression, with rows for the resources of the actor and the target.

    Parameters:
        expression: such as ``"1d6 + [Strength]"``.
        actor: the resources of the actor.
        target: the resources of the target.
        seed, lock, label, layout: as for :func:`panel`.

    Raises:
        DiceError: a value is not valid.

    >>> roller("1d6 + [Strength]", actor={"Strength": 4}).actor["Strength"]
    4
    """
    if expression is not None:
        # The resources of the example belong to the expression of the example.
        actor, target = actor or {}, target or {}
    values = {"expression": expression, "actor": actor, "target": target}
    chosen = {name: value for name, value in values.items() if value is not None}
    return panel(EXPRESSION, seed=seed, lock=lock, label=label, layout=layout, **chosen)


def _find(id: str) -> type[Mechanic] | Game[Any]:
    entry = offered_panels().get(id)
    if entry is not None:
        return _load(entry)
    try:
        return mechanic(id)
    except ParameterError as error:
        hint = near(id, [*mechanics(), *offered_panels()])
        raise ParameterError(f"there is no panel for {quoted(id)}", hint=hint, parameter="mechanic") from error


@cache
def offered_panels() -> Mapping[str, EntryPoint]:
    """Return the entry points of all panels of games, by id."""
    return {entry.name: entry for entry in entry_points(group=GROUP)}


def _load(entry: EntryPoint) -> Game[Any]:
    try:
        game = entry.load()
    except Exception as error:
        message = f"the panel {quoted(entry.name)} cannot be loaded from {entry.value}: {type(error).__name__}: {error}"
        raise DiceError(message, hint=_FAULTY_PACKAGE) from error
    if not isinstance(game, Game):
        raise DiceError(f"the panel {quoted(entry.name)} is not a Game", hint=_FAULTY_PACKAGE)
    return game
