"""Creating panels: of any mechanic, and the panels of games that packages offer as entry points."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from os import PathLike
from typing import TYPE_CHECKING, Any, Final

from dicedocs.errors import DiceError, ParameterError, listed, quoted
from dicedocs.panel.forms.characters import Character, check_characters, place_characters
from dicedocs.panel.forms.dice_tray import START, TraySession
from dicedocs.panel.forms.form_session import FormOptions, FormSession
from dicedocs.panel.forms.game_session import GameSession
from dicedocs.panel.forms.session import Session
from dicedocs.panel.game import Game
from dicedocs.panel.kept_rolls import KeptRolls
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.playing import DiceSource, ResourceValues, Seed
from dicedocs.rules.registry import ROLL, mechanic, mechanics
from dicedocs.scenes.scene import Scene
from dicedocs.similar_words import near
from dicedocs_widgets.evening_panel import EveningPanel, check_panels
from dicedocs_widgets.tray_panel import TrayPanel
from dicedocs_widgets.widget import Panel, panel_class, parameters_by_trait

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
    dice: DiceSource | None = None,
    lock: bool = False,
    label: str = "",
    log: str | PathLike[str] | None = None,
    characters: Iterable[Character] = (),
    then: str = "",
    best: str = "",
    layout: Layout | Mapping[str, Any] | None = None,
    style: Mapping[str, str] | None = None,
    description: str = "",
    disabled: bool = False,
    **parameters: Any,
) -> Panel:
    """Return the panel of a mechanic, with a control for each parameter, or a game's own panel.

    Parameters:
        id: the id of a mechanic, its class, or the id of a game with a panel of its own.
        seed: the seed of the first roll.
        dice: instead, the faces of real dice for the first roll, in the order thrown.
        lock: whether each roll reuses the seed of the one before; otherwise each draws a new one.
        label: the label of the rolls.
        log: the path of a JSON file that keeps the rolls: each is written to it as it is made, and the panel continues
            after those that are in it, which need no ``seed`` any more. Without it the rolls end with the panel.
        characters: the characters to choose from. A character, or a list of them, may also be given as a parameter
            that takes resources, and as ``actor`` in any panel: there it fills in the parameters that have the names
            of its resources, and is the one who acts even if there are none.
        then: what a roll does to characters, with the facts of its outcome: ``"target.HP -= damage"``. After the roll
            a button applies it. A truth counts 1 or 0: ``damage * (1 + critical)``; so does a
            comparison in parentheses: ``5 * (1 + (highest = 20))``.
        best: what open choices are played for in the odds: ``"p(success), -mean(hurt)"``.
        layout: the layout, as for every widget.
        style: the ``accent_color``.
        description: the title, instead of that of the mechanic.
        disabled: whether the panel on the page is read-only.
        parameters: initial values, each as itself or as its text, beside the mechanic's example. A parameter whose
            name the panel needs itself is followed by an underscore.

    Raises:
        DiceError: the mechanic does not exist, a value is not valid, ``then`` names a fact or a character's value that
            does not exist, ``best`` is no figure to play for, or the file is not the log of such rolls.

    >>> panel("methuen/check", check="1d20 + 3 >= 12")
    panel('methuen/check', check="1d20 + 3 >= 12", actor={"Attack": 6}, target={"Defense": 12})
    """
    source = _find(id) if isinstance(id, str) else id
    fields = parameters_by_trait(source)
    values = {fields[name].name if name in fields else name: value for name, value in parameters.items()}
    values, given, chosen = place_characters({field.name: field for field in fields.values()}, values)
    characters = _joined(given, check_characters(characters))
    if best and isinstance(source, Game):
        hint = "give the mechanic whose odds they are"
        raise ParameterError(f"the panel of {quoted(source.id)} shows no odds", hint=hint, parameter="best")
    options = FormOptions(seed=seed, dice=dice, lock=lock, label=label, characters=characters, then=then, best=best)
    session = GameSession(source, values, **options) if isinstance(source, Game) else Session(source, values, **options)
    session.people.begin_with(chosen)
    appearance = _appearance(layout, style, description, disabled=disabled)
    return panel_class(source)(session, _resumed(session, log), **appearance)


def roller(
    notation: str | None = None,
    actor: ResourceValues | Sequence[Character] | None = None,
    target: ResourceValues | Sequence[Character] | None = None,
    **options: Any,
) -> Panel:
    """Return a panel that rolls dice as they are written, with rows for the resources of the actor and the target.

    Parameters:
        notation: such as ``"4d6kh3 + [Strength]"``.
        actor: the resources of the actor; a character, or a list of characters to choose from.
        target: the same of the target.
        options: as for :func:`panel`: ``seed``, ``dice``, ``lock``, ``label``, ``log``, ``characters``, ``then``,
            ``layout``, ``style``, ``description`` and ``disabled``.

    Raises:
        DiceError: a value is not valid.

    >>> roller("1d6 + [Strength]", actor={"Strength": 4}).actor["Strength"]
    4
    """
    if notation is not None:
        # The resources of the example belong to the notation of the example.
        actor, target = actor or {}, target or {}
    values = {"notation": notation, "actor": actor, "target": target}
    options |= {name: value for name, value in values.items() if value is not None}
    return panel(ROLL, **options)


def tray(
    *characters: Character,
    notation: str = START,
    seed: Seed | None = None,
    dice: DiceSource | None = None,
    lock: bool = False,
    label: str = "",
    log: str | PathLike[str] | None = None,
    then: str = "",
    layout: Layout | Mapping[str, Any] | None = None,
    style: Mapping[str, str] | None = None,
    description: str = "",
    disabled: bool = False,
) -> TrayPanel:
    """Return a dice tray: dice to press, a modifier, advantage, and the rolls of characters as favourites.

    Parameters:
        characters: the characters whose rolls are favourites, and whose resources a notation may read.
        notation: what it rolls at first.
        seed, dice, lock, label, log, then, layout, style, description, disabled: as for :func:`panel`.

    Raises:
        DiceError: a value is not valid.

    >>> mine = tray(seed=7)
    >>> mine.press(6, 2)
    >>> mine.add_modifier(3)
    >>> mine.notation, mine.roll().value
    ('2d6 + 3', 8)
    """
    options = FormOptions(seed=seed, dice=dice, lock=lock, label=label, characters=characters, then=then)
    session = TraySession(notation, **options)
    return TrayPanel(session, _resumed(session, log), **_appearance(layout, style, description, disabled=disabled))


def evening(
    *panels: Panel,
    log: str | PathLike[str] | None = None,
    scene: Scene | None = None,
    then: str = "",
    layout: Layout | Mapping[str, Any] | None = None,
    description: str = "",
    disabled: bool = False,
) -> EveningPanel:
    """Return an evening at the table: several panels with one log, in order of time.

    Each roll of the log can have a note, and can be struck out: it stays there, and can be brought back. Rolls are
    counted from the first one at the table; one that is undone in its panel is struck out too.

    Parameters:
        panels: what :func:`panel`, :func:`roller` and :func:`tray` return.
        log: the path of a JSON file that keeps the log, as for :func:`panel`.
        scene: a :class:`dicedocs.Scene` that is played: its characters have the values that they have there, its tracks
            are counted at the table, and what changes at the table changes in the scene.
        then: what a roll does to characters, as for :func:`panel`, in each panel that says nothing itself. It may name
            facts that only some of the panels have: ``"target.HP -= damage * (1 + critical)"``.
        layout, description, disabled: as for :func:`panel`.

    Raises:
        DiceError: something is no panel, ``then`` names something that nobody at the table has, or the file is not the
            log of such rolls.

    >>> attack, dice = roller("1d20 + 5", seed=1), tray(seed=2)
    >>> tonight = evening(attack, dice)
    >>> attack.roll().value, dice.roll().value
    (10, 2)
    >>> tonight.note(1, "Kira jumps the gap")
    >>> print(tonight.log())
    1. 1d20 + 5: 5. Total 10 (seed 1). Kira jumps the gap
    2. 1d20: 2. Total 2 (seed 2)
    """
    appearance = _appearance(layout, None, description, disabled=disabled)
    if scene is not None and not isinstance(scene, Scene):
        raise ParameterError(f"{quoted(scene)} is not a scene", hint='write dd.Scene(kira, vault="0 of 8")')
    return EveningPanel(check_panels(panels), log, scene, then, **appearance)


def _resumed(session: FormSession, log: str | PathLike[str] | None) -> KeptRolls | None:
    """Return the file that keeps the rolls of a session, if any, after continuing with those that are in it."""
    if log is None:
        return None
    file = KeptRolls(log)
    session.resume(file.read(session.played_mechanics))
    return file


def _appearance(layout: Any, style: Any, description: str, *, disabled: bool) -> dict[str, Any]:
    """Return the traits that every widget has, without those that were not given."""
    given = {"layout": layout, "style": style, "description": description, "disabled": disabled}
    return {name: value for name, value in given.items() if value is not None and value not in ("", False)}


def _joined(*groups: Iterable[Character]) -> list[Character]:
    """Return the characters of several groups, each once."""
    return list({one.name: one for group in groups for one in group}.values())


def _find(id: str) -> type[Mechanic] | Game[Any]:
    entry = offered_panels().get(id)
    if entry is not None:
        return _load(entry)
    try:
        return mechanic(id)
    except ParameterError as error:
        known = sorted({*mechanics(), *offered_panels()})
        hint = near(id, known) or f"known: {listed(map(quoted, known), 'and')}"
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
