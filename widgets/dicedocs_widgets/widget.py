"""The panel as a Jupyter widget: a thin layer over a session, with a trait for each parameter."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from operator import attrgetter
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, ClassVar, Final

import ipywidgets as w
import traitlets as t
from ipywidgets.widgets.trait_types import InstanceDict

from dicedocs.errors import DiceError, ParameterError, quoted
from dicedocs.panel.entry import plain_value
from dicedocs.panel.forms.characters import Character, named_character
from dicedocs.panel.forms.form_odds import FormOdds
from dicedocs.panel.forms.form_session import FormSession
from dicedocs.panel.forms.game_session import GameSession
from dicedocs.panel.forms.people import People
from dicedocs.panel.forms.session import Session
from dicedocs.panel.forms.travel import Travel
from dicedocs.panel.game import Game
from dicedocs.panel.kept_rolls import KeptRolls
from dicedocs.panel.view.live_odds import ODDS_SHOWS
from dicedocs.render.words import whole_characters
from dicedocs.rules.description import describe
from dicedocs.rules.kinds import as_code
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.params import Param
from dicedocs.similar_words import near
from dicedocs_widgets.locking import LOCK, acting, locked
from dicedocs_widgets.logged_widget import LoggedWidget
from dicedocs_widgets.traits import PanelStyle, ParameterTrait, SeedTrait, page_value, same_value

if TYPE_CHECKING:
    from dicedocs.probability.distribution import Distribution

_PROGRESS_SECONDS: Final = 0.2
"""The time between two updates of the progress of counting."""

_ALWAYS: Final = """
Every panel also has: seed, lock, label, odds_of, odds_show, character, description, disabled, layout, style; value,
outcome, odds, error, rolls, history, code, directive; roll(), answer(way), undo(), redo(), clear(), recall(n),
replay(n), pin(), unpin()."""


def _page_value(value: object, panel: Panel) -> object:
    return page_value(value, panel._session.mechanic)


class Panel(LoggedWidget, w.ValueWidget):
    """The controls of a mechanic, with a trait for each parameter; created by :func:`~dicedocs_widgets.panel`."""

    _session: FormSession
    _fields: ClassVar[Mapping[str, Param]] = {}
    """The parameters by the names of their traits."""
    _settings: ClassVar[Mapping[str, str]] = {
        "seed": "seed",
        "lock": "lock",
        "label": "label",
        "character": "people.played_name",
    }
    """The other traits that may be set, each with the attribute of the session that it is."""

    _anywidget_id = t.Unicode(f"{__name__}.Panel").tag(sync=True)

    value = t.Any(read_only=True, help="the first fact of the outcome").tag(sync=True, to_json=_page_value)
    outcome = t.Any(read_only=True, help="the outcome of the last roll; None before the first")
    error = t.Any(read_only=True, help="the error that prevents a roll; None if there is none")
    rolls = t.Int(read_only=True, help="a counter that changes at every roll")
    seed = SeedTrait(help="the seed of the outcome; one that is set is used by the next roll")
    lock = t.Bool(help="whether each roll reuses the seed of the one before; else each draws a new one")
    label = t.Unicode(help="the label of the rolls")
    character = t.Unicode(help="the name of the character whose values the panel has; empty if it is nobody's")
    style = InstanceDict(PanelStyle, help="colours; a dictionary of them may be set")
    _accent = t.Unicode().tag(sync=True)

    def __init__(self, session: FormSession, kept_rolls: KeptRolls | None = None, **more: Any) -> None:
        self._published: object = None
        self._at_table: Callable[[], None] | None = None
        super().__init__(session, kept_rolls, **more)
        self.observe(self._trait_changed, [*self._fields, *self._settings])
        self._schedule()

    # Traits

    if TYPE_CHECKING:  # each mechanic has traits of its own

        def __getattr__(self, name: str) -> Any: ...

    def __setattr__(self, name: str, value: Any) -> None:
        if not name.startswith("_") and not hasattr(type(self), name):
            known = [*self._fields, *(name for name in Panel.class_trait_names() if name[0] != "_")]
            hint = near(name, known)
            raise AttributeError(f"this panel has no {quoted(name)}" + (f"; {hint}" if hint else ""))
        super().__setattr__(name, value)

    def set_state(self, sync_data: Any) -> None:
        """Accept what a page has set: not the value, which only a roll changes."""
        super().set_state({name: value for name, value in sync_data.items() if name != "value"})

    @t.validate("label")
    def _validate_label(self, proposal: Any) -> Any:
        return whole_characters(proposal["value"])

    @t.validate("character")
    def _validate_character(self, proposal: Any) -> Any:
        try:
            if proposal["value"]:
                named_character(self._session.people.characters, proposal["value"])
        except DiceError as error:
            raise t.TraitError(str(error)) from None
        return proposal["value"]

    @t.default("style")
    def _default_style(self) -> PanelStyle:
        return self._follow(PanelStyle())

    @t.observe("style")
    def _style_changed(self, change: Any) -> None:
        self._follow(change.new)

    def _follow(self, style: PanelStyle) -> PanelStyle:
        t.dlink((style, "accent_color"), (self, "_accent"), lambda color: color or "")
        return style

    def _set_session_traits(self) -> None:
        self._set_all(self._session_values())

    def _set_all(self, values: Mapping[str, Any]) -> None:
        """Set traits, then call the observers of those that changed, in the order of ``values``."""
        with self.hold_trait_notifications():
            for name, value in values.items():
                if not same_value(getattr(self, name), value):
                    self.set_trait(name, value)

    def _session_values(self) -> dict[str, Any]:
        """Return the value that each trait has according to the session."""
        session, values = self._session, self._session.inputs.values
        outcome = session.outcome
        return {
            **{trait: plain_value(field, values[field.name]) for trait, field in self._fields.items()},
            **{trait: attrgetter(path)(session) for trait, path in self._settings.items()},
            "error": session.error,
            "outcome": outcome,
            "value": None if outcome is None else outcome.value,
            "rolls": session.rolls,
        }

    @locked
    def _trait_changed(self, change: Any) -> None:
        session, name, new = self._session, change["name"], change["new"]
        if same_value(self._session_values()[name], new):
            return
        if name in self._fields:
            session.set_values({self._fields[name].name: new})
        else:
            part, _dot, attribute = self._settings[name].rpartition(".")
            setattr(getattr(session, part) if part else session, attribute, new)
        self._publish()

    @locked
    def _publish(self) -> None:
        """Update the page, then all traits, from the session.

        Raises:
            DiceError: the file of the log cannot be written.
            Exception: what an observer raised.
        """
        try:
            self._publish_own()
        finally:
            if self._at_table is not None:
                self._at_table()

    def _publish_own(self) -> None:
        self._published = self._session.own_state
        # Most odds are counted before a change is answered: sending them separately would take longer.
        self._session.odds.count()
        # The value first: a page has it, where other widgets are linked to it.
        values = self._session_values()
        self._set_all({"_state": self._session.state(), "value": values["value"], **values})
        self._schedule()
        if self._kept_rolls is not None:
            # Last: a roll that cannot be written has been made.
            self._kept_rolls.update(self._session.entries)

    # What a roll does to characters

    @property
    def then(self) -> str:
        """What a roll does to characters when that is applied; it may be set."""
        return self._session.changes.then

    @then.setter
    @locked
    def then(self, then: str) -> None:
        self._session.changes.then = then
        self._publish()

    # At a table

    @locked
    def join(self, changed: Callable[[], None] | None, *, kept: bool = False) -> FormSession:
        """Join a table instead of any other, and return the session that is played at it.

        Parameters:
            changed: called after anything has changed in the panel; ``None`` to be at no table.
            kept: whether a file keeps the rolls made at the table.
        """
        self._at_table = changed
        self._session.kept = kept or self._kept_rolls is not None
        return self._session

    @locked
    def refresh(self) -> None:
        """Show what was changed in the session from elsewhere, if anything was."""
        if self._published != self._session.own_state:
            self._publish_own()

    # Characters

    @property
    def characters(self) -> tuple[Character, ...]:
        """The characters that the panel offers; a list of them may be set."""
        return self._session.people.characters

    @characters.setter
    @locked
    def characters(self, characters: Iterable[Character]) -> None:
        self._session.people.characters = characters
        self._publish()

    choose_character = acting(People.choose_character, "people")

    # Rolling

    roll = acting(FormSession.roll)
    answer = acting(FormSession.answer)
    undo = acting(Travel.undo, "travel")
    redo = acting(Travel.redo, "travel")
    clear = acting(FormSession.clear)
    recall = acting(Travel.recall, "travel")

    # Export

    @property
    def code(self) -> str:
        """Python code that reproduces the outcome; empty before the first roll."""
        return self._session.view.code

    @property
    def directive(self) -> str:
        """The outcome as a worked example in Markdown."""
        return self._session.view.directive

    @property
    def directive_rst(self) -> str:
        """The outcome as a worked example in reStructuredText."""
        return self._session.view.directive_rst

    # The widget

    def __repr__(self) -> str:
        values = self._session.inputs.values
        chosen = {
            trait: field.code(values[field.name])
            for trait, field in self._fields.items()
            if field.required or values[field.name] != field.default
        }
        id, mechanic = self._session.form()["id"], self._session.mechanic
        # A mechanic that has no id is named by its class.
        first = id if not mechanic.id and id == mechanic.__name__ else repr(id)
        return f"panel({', '.join([first, *(f'{name}={code}' for name, code in chosen.items())])})"


class RollPanel(Panel):
    """The panel of one mechanic, with its odds: every panel but those of games."""

    _session: Session
    _settings: ClassVar[Mapping[str, str]] = {**Panel._settings, "odds_of": "odds.fact", "odds_show": "odds.show"}

    odds_of = t.Unicode(help="the fact whose odds are counted")
    odds_show = t.Enum([*ODDS_SHOWS], "exactly", help="what a bar of the chart is: exactly, at least or at most")

    def __init__(self, session: Session, kept_rolls: KeptRolls | None = None, **more: Any) -> None:
        self._counting: asyncio.Task[None] | None = None
        super().__init__(session, kept_rolls, **more)

    @t.validate("odds_of")
    def _validate_odds_of(self, proposal: Any) -> Any:
        known = self._session.odds.facts
        if proposal["value"] not in known:
            raise t.TraitError(f"there is no fact {quoted(proposal['value'])}; {near(proposal['value'], known)}")
        return proposal["value"]

    # Rolling

    replay = acting(Session.replay)
    roll_each = acting(Session.roll_each)

    # Odds

    def _schedule(self) -> None:
        """Let the event loop, if one is running, count the odds and send the history."""
        super()._schedule()
        if self._session.odds.counting and (self._counting is None or self._counting.done()):
            with suppress(RuntimeError):  # no loop is running
                self._counting = asyncio.get_running_loop().create_task(self._count())

    async def _count(self) -> None:
        updated = perf_counter()
        while self.comm is not None and self._session.odds.counting:
            await asyncio.sleep(0)
            with LOCK:
                done = self._session.odds.count()
                if done or perf_counter() - updated > _PROGRESS_SECONDS:
                    updated = perf_counter()
                    self._state = self._session.state()

    def __repr__(self) -> str:
        text = super().__repr__()
        return f"{text[:-1]}, best={as_code(self.best)})" if self.best else text

    @property
    def best(self) -> str:
        """What open choices are played for in the odds; empty if nothing was given."""
        return self._session.odds.best or ""

    @property
    @locked
    def odds(self) -> Distribution:
        """The exact odds of the fact ``odds_of``, counted to the end.

        Raises:
            DiceError: the mechanic cannot be played with these values, or a limit was exceeded.
        """
        try:
            return self._session.odds.exactly()
        finally:
            self._state = self._session.state()

    pin = acting(FormOdds.pin, "odds")
    unpin = acting(FormOdds.unpin, "odds")

    @property
    @locked
    def comparison(self) -> dict[str, Distribution]:
        """The exact odds that were pinned, and the present ones, by what differs in their parameters.

        Raises:
            DiceError: a mechanic cannot be played, or a limit was exceeded.
        """
        return self._session.odds.comparison.exactly()

    @locked
    def save_odds(self, path: str | Path) -> Path:
        """Write the odds that the chart shows, as CSV or as a picture.

        Parameters:
            path: the file, which is replaced; its suffix is ``.csv`` or ``.svg``.

        Returns:
            The path.

        Raises:
            ParameterError: it has another suffix.
            DiceError: the odds cannot be counted.
        """
        path = Path(path)
        kind = {".csv": "csv", ".svg": "picture"}.get(path.suffix)
        if kind is None:
            raise ParameterError(f"odds cannot be written to {quoted(path.name)}", hint="end its name in .csv or .svg")
        self._session.odds.comparison.exactly()
        path.write_text(self._session.odds_file(kind)["text"], encoding="utf-8")
        return path

    # The widget

    @locked
    def _bundle(self, *, logged: bool = False, **kwargs: Any) -> Any:
        if self._session.odds.counting:
            self._session.odds.count()
            self._state = self._session.state()
        return super()._bundle(logged=logged, **kwargs)

    def close(self) -> None:
        """Close the panel and the models that it owns."""
        if self._counting is not None and not self._counting.done():
            self._counting.cancel()
        super().close()


class GamePanel(Panel):
    """A game's own panel: several mechanics that are played in turn on one state."""

    _session: GameSession[Any]

    play = acting(GameSession.play)
    press = acting(GameSession.press)
    restart = acting(GameSession.restart)

    @property
    def state(self) -> Any:
        """The state of the game; it may be set."""
        return self._session.game_state

    @state.setter
    @locked
    def state(self, state: Any) -> None:
        self._session.game_state = state
        self._publish()


_RESERVED: Final = frozenset({*dir(RollPanel), *dir(GamePanel)})
"""The names that a panel needs itself: those of every widget, and its own."""


def trait_name(parameter: str) -> str:
    """Return the name of a parameter's trait, which ends in an underscore if the panel needs the name itself.

    >>> trait_name("advantage"), trait_name("label")
    ('advantage', 'label_')
    """
    return f"{parameter}_" if parameter in _RESERVED else parameter


def parameters_by_trait(source: type[Mechanic] | Game[Any]) -> Mapping[str, Param]:
    """Return the parameters of a mechanic, or the fields of a game, by the names of their traits."""
    fields = source.parameters().values() if isinstance(source, type) else source.fields
    return {trait_name(field.name): field for field in fields}


def panel_doc(source: type[Mechanic] | Game[Any], fields: Mapping[str, Param]) -> str:
    """Return the help of the panels of a mechanic or of a game: what it does, and its parameters.

    Parameters:
        source: the mechanic or the game.
        fields: its parameters by the names of their traits.

    >>> from dicedocs.rules.registry import mechanic
    >>> timer = mechanic("dungeoneers/timer")
    >>> print(panel_doc(timer, timer.parameters()).splitlines()[0])
    The panel of dungeoneers/timer.
    """
    if isinstance(source, type):
        name, help, facts = source.id or source.__name__, describe(source).help, source.result().facts_of.values()
        results = [f"    {fact.name}: {fact.help}" for fact in facts]
    else:
        name, help, results = source.id, source.help, []
    lines = [f"The panel of {name}.", "", help, "", "Parameters, each of which is a trait:"]
    for trait, field in fields.items():
        default = "" if field.required else f"; by default {field.write(field.default)}"
        lines.append(f"    {trait}: {field.help} ({field.kind.expects}{default})")
    if results:
        lines += ["", "Facts of its outcome:", *results]
    return "\n".join([*lines, *_ALWAYS.splitlines()])


_classes: dict[object, type[Panel]] = {}


def panel_class(source: type[Mechanic] | Game[Any]) -> type[Panel]:
    """Return the class of the panels of a mechanic or of a game, created once."""
    key = source if isinstance(source, type) else id(source)
    if key not in _classes:
        base: type[Panel] = RollPanel if isinstance(source, type) else GamePanel
        fields = parameters_by_trait(source)
        traits = {trait: ParameterTrait(field) for trait, field in fields.items()}
        attributes = {"_fields": fields, "__module__": __name__, "__doc__": panel_doc(source, fields), **traits}
        _classes[key] = type("Panel", (base,), attributes)
    return _classes[key]
