"""The panel as a Jupyter widget: a thin cover of a session, whose parameters are traits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from functools import cache, wraps
from itertools import product
from threading import RLock
from time import perf_counter, sleep
from typing import TYPE_CHECKING, Any, ClassVar, Final, ParamSpec, TypeVar

import anywidget
import ipywidgets as w
import traitlets as t

from dicedocs.errors import DiceError, near, quoted, wrap_error
from dicedocs.panel.game import Game, Table
from dicedocs.panel.history import plain
from dicedocs.panel.inputs import error_data
from dicedocs.panel.seeds import read_seed
from dicedocs.panel.session import Session
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.params import Param, panel_name
from dicedocs_widgets.display import bundle
from dicedocs_widgets.front import front, stub
from dicedocs_widgets.log import Log

if TYPE_CHECKING:
    from dicedocs.probability.distribution import Distribution

_SLICE: Final = 0.012
"""Seconds for which odds are counted at a time, so that a roll is answered meanwhile."""
_FIRST: Final = 0.05
"""Seconds for which odds are counted before a change is answered: a second answer would come later than that."""
_TOLD_EVERY: Final = 0.2
"""Seconds between two reports of how far the counting is."""
_REST: Final = 0.0002
"""Seconds that leave the kernel's other thread to send the outcome, which would wait until the history is told too."""

_TURN: Final = RLock()
"""Held by whoever is at work on a panel, since JupyterLab brings what its page says in another thread than a cell's.

One for all panels: two that are linked, each with a lock, would wait for one another.
"""

P = ParamSpec("P")
R = TypeVar("R")


def alone(method: Callable[P, R]) -> Callable[P, R]:
    """Let a method of a panel wait until no other thread is at work on any."""

    @wraps(method)
    def waiting(*args: P.args, **kwargs: P.kwargs) -> R:
        with _TURN:
            return method(*args, **kwargs)

    return waiting


class Parameter(t.TraitType[Any, Any]):
    """A parameter of a mechanic as a trait, which holds only what converts by itself.

    Numbers, truth, text and resources read as themselves, every other kind as its text.

    Parameters:
        field: the parameter.
    """

    def __init__(self, field: Param) -> None:
        super().__init__(default_value=plain(field, field.example), help=field.help)
        self.field = field

    def validate(self, obj: Any, value: Any) -> Any:
        try:
            return plain(self.field, self.field.convert(value))
        except DiceError as error:
            raise t.TraitError(str(error)) from None


class SeedTrait(t.TraitType[Any, Any]):
    """A seed: a whole number, text, or none yet."""

    default_value = None

    def validate(self, obj: Any, value: Any) -> Any:
        try:
            return read_seed(value)
        except DiceError as error:
            raise t.TraitError(str(error)) from None


class Panel(anywidget.AnyWidget, w.ValueWidget):
    """The controls of a mechanic; :func:`~dicedocs_widgets.making.panel` makes them.

    Every parameter of the mechanic is a trait.
    """

    _fields: ClassVar[Mapping[str, str]] = {}
    """The names of the parameters by those of their traits."""

    _esm = t.Unicode().tag(sync=True)
    _anywidget_id = t.Unicode(f"{__name__}.Panel").tag(sync=True)
    _front = t.Instance(w.Widget).tag(sync=True, **w.widget_serialization)
    _form = t.Unicode(help="the key of the form in the front").tag(sync=True)
    _state = t.Dict().tag(sync=True)

    description = t.Unicode(help="what interact calls it")
    value = t.Any(read_only=True, help="the first fact of the outcome")
    outcome = t.Any(read_only=True, help="what the last roll gave; none before the first")
    error = t.Any(read_only=True, help="what keeps the mechanic from being played as it stands; none when nothing does")
    rolls = t.Int(read_only=True, help="a counter that changes at every roll")
    seed = SeedTrait(help="the seed of the outcome; one that is set is used by the next roll")
    lock = t.Bool(help="whether each roll has the seed of the one before; else each draws a new one")
    label = t.Unicode(help="what the rolls are called")
    odds_of = t.Unicode(help="the fact whose odds are counted")

    def __init__(self, session: Session, **more: Any) -> None:
        self._session = session
        self._counts: asyncio.Task[None] | None = None
        self._shown_history: object = None
        self._shown_error: Exception | None = None
        self._own_layout = not isinstance(more.get("layout"), w.Layout)
        shared, key = front(session.form())
        super().__init__(_esm=stub(), _front=shared, _form=key, _state=session.state(), **more)
        for name, value in self._held().items():
            self._trait_values[name] = value
        self.observe(self._heard, [*self._fields, "seed", "lock", "label", "odds_of"])
        self.on_msg(self._received)
        self._count_on()

    # Traits

    def add_traits(self, **traits: t.TraitType[Any, Any]) -> None:
        """Add traits to this panel alone.

        anywidget adds one of its own to every widget, which makes a class for each: as much work as all the rest.

        Parameters:
            traits: by their names; those that the class has already are left out.
        """
        added = {name: trait for name, trait in traits.items() if not self.has_trait(name)}
        if added:
            super().add_traits(**added)

    @t.default("keys")
    def _default_keys(self) -> list[str]:
        """Give the names of the traits that the page has, which ipywidgets would look for anew in every panel."""
        return list(_synced(type(self)))  # type: ignore[arg-type]  # mypy asks for the hash of its instances

    if TYPE_CHECKING:  # each mechanic has traits of its own

        def __getattr__(self, name: str) -> Any: ...

    def __setattr__(self, name: str, value: Any) -> None:
        if not name.startswith("_") and not hasattr(type(self), name):
            known = [*self._fields, *(name for name in Panel.class_trait_names() if name[0] != "_")]
            hint = near(name, known)
            raise AttributeError(f"this panel has no {quoted(name)}" + (f"; {hint}" if hint else ""))
        super().__setattr__(name, value)

    @t.validate("odds_of")
    def _fact(self, proposal: Any) -> Any:
        known = self._session.mechanic.result().facts_of
        if proposal["value"] not in known:
            raise t.TraitError(f"there is no fact {quoted(proposal['value'])}; {near(proposal['value'], known)}")
        return proposal["value"]

    def _held(self) -> dict[str, Any]:
        """Give what each trait is to be, as the session has it."""
        session, boxes = self._session, self._session.boxes
        outcome = session.outcome
        return {
            **{trait: plain(boxes.fields[name], boxes.values[name]) for trait, name in self._fields.items()},
            "seed": session.seed,
            "lock": session.lock,
            "label": session.label,
            "odds_of": session.odds_of,
            "error": session.error,
            "outcome": outcome,
            "value": None if outcome is None else outcome.value,
            "rolls": session.rolls,
        }

    @alone
    def _heard(self, change: Any) -> None:
        """Tell the session of a trait that somebody has set."""
        session, name, new = self._session, change["name"], change["new"]
        if _same(self._held()[name], new):
            return
        if name in self._fields:
            session.put({self._fields[name]: new})
        else:
            setattr(session, name, new)
        self._publish(_FIRST)

    @alone
    def _publish(self, seconds: float = _SLICE) -> None:
        """Tell the page, and then whoever observes, what the session is now.

        Parameters:
            seconds: how long odds may be counted before.

        Raises:
            Exception: what an observer raised; the page shows it too, and all the others were told.
        """
        self._session.count(seconds)
        raised = self._tell()
        self._count_on()
        if raised is not None:
            self._shown_error = raised
            self._state = {**self._state, "error": error_data(wrap_error(raised, "something that observes this panel"))}
            raise raised

    def _tell(self) -> Exception | None:
        """Set all traits, then tell of those that changed, the page first; give the first error of an observer."""
        changes = []
        for name, new in {"_state": self._session.state(), **self._held()}.items():
            old = self._trait_values.get(name)
            self._trait_values[name] = new
            if not _same(old, new):
                changes.append(t.Bunch(name=name, old=old, new=new, owner=self, type="change"))
        raised = None
        for change in changes:
            # An observer may have set it anew, and was told of that.
            if self._trait_values[change.name] is change.new:
                try:
                    self.notify_change(change)
                except Exception as error:  # noqa: BLE001  # a stranger's observer; raised when all are told
                    raised = raised or error
        return raised

    def _notify_observers(self, event: Any) -> None:
        """Tell all who observe a trait, also those after one that raises, which traitlets would leave out.

        Raises:
            Exception: the first that an observer raised.
        """
        raised = None
        for trait, kind in product((event["name"], t.All), (event["type"], t.All)):
            for observer in [*self._trait_notifiers.get(trait, {}).get(kind, ())]:
                # A method that is decorated as an observer is known by its name.
                known = isinstance(observer, t.EventHandler) and observer.name
                tell = getattr(self, known) if known else observer
                try:
                    tell(event)
                except Exception as error:  # noqa: BLE001  # a stranger's observer; raised when all are told
                    raised = raised or error
        if raised is not None:
            raise raised

    # Messages

    @alone
    def _received(self, _: object, message: Mapping[str, Any], _buffers: object) -> None:
        answer: dict[str, Any] = {"for": {}}
        try:
            answer["for"] = {str(message["view"]): message["n"]}
            try:
                self._session.receive(message)
            finally:
                self._publish(_FIRST if message.get("do") == "set" else _SLICE)
        except Exception as error:
            # The page waits for an answer; the notebook shows what it is about.
            if error is not self._shown_error:
                answer["failed"] = str(wrap_error(error))
            raise
        finally:
            sleep(_REST)
            if self._history_changed() or message.get("do") == "history":
                answer["history"] = self._session.log()
            self.send(answer)

    def _history_changed(self) -> bool:
        """Tell whether the history is another than the page was told, and note that it now is told."""
        entries = self._session.entries
        known, self._shown_history = self._shown_history, (len(entries), entries[-1].roll if entries else 0)
        return known != self._shown_history

    def _send_history(self) -> None:
        if self.comm is not None and self._history_changed():
            self.send({"for": {}, "history": self._session.log()})

    # Odds

    def _count_on(self) -> None:
        """Count odds, and tell of the history, when nothing else is to be done."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return  # nobody waits: odds are counted when they are asked for
        if self._session.counting and (self._counts is None or self._counts.done()):
            self._counts = loop.create_task(self._counting())
        loop.call_soon(self._send_history)

    async def _counting(self) -> None:
        told = perf_counter()
        while self.comm is not None and self._session.counting:
            await asyncio.sleep(0)
            with _TURN:
                done = self._session.count(_SLICE)
                if done or perf_counter() - told > _TOLD_EVERY:
                    told = perf_counter()
                    self._state = self._session.state()

    @property
    @alone
    def odds(self) -> Distribution:
        """The exact odds of the fact ``odds_of``, counted to the end.

        Raises:
            DiceError: the mechanic cannot be played as it stands, or there is too much to count.
        """
        try:
            return self._session.odds()
        finally:
            self._state = self._session.state()

    # Rolling

    @alone
    def roll(self) -> Outcome:
        """Play the mechanic as it stands.

        Returns:
            The outcome.

        Raises:
            DiceError: it cannot be played; the last outcome stays, and the panel shows why.
        """
        try:
            return self._session.roll()
        finally:
            self._publish()

    @alone
    def undo(self) -> None:
        """Take the last roll out of the history: outcome, parameters, seed and label are those of the roll before."""
        self._session.undo()
        self._publish()

    @alone
    def clear(self) -> None:
        """Empty the history."""
        self._session.clear()
        self._publish()

    @alone
    def recall(self, roll: int) -> None:
        """Have the parameters, the label and the seed of a roll again, ready to be rolled.

        Parameters:
            roll: its number.

        Raises:
            ParameterError: there is no such roll.
        """
        self._session.recall(roll)
        self._publish()

    # What can be kept

    @property
    def history(self) -> Log:
        """The rolls: a list of dictionaries that shows itself as a table."""
        return Log(self._session.entries)

    def table(self) -> Any:
        """Give the history as a data frame of pandas."""
        return self.history.table()

    def to_json(self, indent: int | None = None) -> str:
        """Give the history as JSON.

        Parameters:
            indent: how deep each level is indented; all in one line when left out.
        """
        return self.history.to_json(indent)

    @property
    def code(self) -> str:
        """Python that stands alone, and whose last line gives the outcome again; empty before the first roll."""
        return self._session.code

    @property
    def directive(self) -> str:
        """The outcome as a worked example of a book in Markdown."""
        return self._session.directive

    @property
    def directive_rst(self) -> str:
        """The outcome as a worked example of a book in reStructuredText."""
        return self._session.directive_rst

    # The widget

    def __repr__(self) -> str:
        boxes = self._session.boxes
        chosen = {
            trait: boxes.fields[name].code(boxes.values[name])
            for trait, name in self._fields.items()
            if boxes.fields[name].required or boxes.values[name] != boxes.fields[name].default
        }
        of = self._session.form()["id"]
        # A mechanic without an id is given as its class.
        of = repr(of) if of != self._session.mechanic.__name__ else of
        return f"panel({', '.join([of, *(f'{name}={code}' for name, code in chosen.items())])})"

    @alone
    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        """Give the widget, and beside it the outcome as it is now, for where no widget can run."""
        if self._session.counting:
            self._session.count(_SLICE)
            self._state = self._session.state()
        shown = super()._repr_mimebundle_(**kwargs)
        if shown is None:
            return None
        data, metadata = shown
        return {**data, **bundle(self._session, repr(self))}, metadata

    def close(self) -> None:
        """Close the panel, and leave no model behind."""
        if self._counts is not None and not self._counts.done():
            self._counts.cancel()
        if self.comm is not None and self._own_layout and self.layout is not None:
            self.layout.close()
        super().close()


class GamePanel(Panel):
    """A game's own panel: several mechanics that are played by turns on one state."""

    _session: Table[Any]

    @alone
    def play(self, id: str) -> Outcome:
        """Do one of the things that its buttons do.

        Parameters:
            id: which, as the game calls it.

        Raises:
            DiceError: it cannot be done; the table stays as it is, and the panel shows why.
        """
        try:
            return self._session.play(id)
        finally:
            self._publish()

    @alone
    def press(self, die: int) -> None:
        """Press a die.

        Parameters:
            die: its place, from 1.

        Raises:
            ParameterError: there is no such die.
        """
        self._session.press(die)
        self._publish()

    @property
    def state(self) -> Any:
        """The state of the table; it may be set."""
        return self._session.table

    @state.setter
    @alone
    def state(self, state: Any) -> None:
        self._session.table = state
        self._publish()

    def _fact(self, proposal: Any) -> Any:
        if proposal["value"]:
            raise t.TraitError("what is played differs from turn to turn, and so would its odds")
        return proposal["value"]


def _same(one: Any, two: Any) -> bool:
    """Tell whether two values of a trait are the same; truth is no number, and errors are what they say."""
    if isinstance(one, Exception) or isinstance(two, Exception):
        return type(one) is type(two) and str(one) == str(two)
    return type(one) is type(two) and bool(one == two)


@cache
def _synced(panel: type[Panel]) -> tuple[str, ...]:
    return tuple(panel.class_traits(sync=True))


_classes: dict[object, type[Panel]] = {}


def panel_class(of: type[Mechanic] | Game[Any]) -> type[Panel]:
    """Give the class of the panels of a mechanic, or of a game, made once."""
    key = of if isinstance(of, type) else id(of)
    if key not in _classes:
        base: type[Panel] = Panel if isinstance(of, type) else GamePanel
        fields: Sequence[Param] = list(of.parameters().values()) if isinstance(of, type) else of.fields
        traits = {panel_name(field.name): Parameter(field) for field in fields}
        names = {panel_name(field.name): field.name for field in fields}
        _classes[key] = type("Panel", (base,), {"_fields": names, "__module__": __name__, **traits})
    return _classes[key]
