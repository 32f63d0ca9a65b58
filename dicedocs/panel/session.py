"""A mechanic being played: its inputs, outcome, odds, history, code and directive.

All data in and out is plain: a notebook's panel and the worker behind a book's page are thin layers over the same
session. :meth:`Session.state` returns what a page shows; :meth:`Session.receive` takes a page's messages.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from dicedocs import limits
from dicedocs.errors import DiceError, ParameterError, near, quoted, wrap_error
from dicedocs.panel import controls
from dicedocs.panel.history import ROLLS_SHOWN, Entry, History, headline
from dicedocs.panel.inputs import FormInputs, error_data, initial_values
from dicedocs.panel.live_odds import LiveOdds
from dicedocs.panel.messages import Message, read_message
from dicedocs.panel.outcome_view import OutcomeView, outcome_view
from dicedocs.panel.seeds import next_seed, read_seed
from dicedocs.render.svg import die_shapes
from dicedocs.render.words import clean
from dicedocs.rules.dice import SeededDice
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.params import no_such_parameter
from dicedocs.rules.playing import Seed, fresh_seed
from dicedocs.rules.registry import mechanic as find_mechanic

if TYPE_CHECKING:
    from dicedocs.probability.distribution import Distribution


class Session:
    """A mechanic being played.

    A subclass that plays something else overrides ``initial_inputs``, ``default_fact``, ``make_rule``, ``restore``,
    ``step_back``, ``actions``, ``form`` and ``state``.

    Parameters:
        mechanic: the id of a mechanic, or its class.
        parameters: initial values, each as itself or as its text, beside the mechanic's example.
        seed: the seed of the first roll.
        lock: whether each roll reuses the seed of the one before; otherwise each draws a new one.
        label: the label of the rolls.

    Attributes:
        outcome: the outcome of the last roll.
        rule: the mechanic with the current values, or ``None`` if they are not valid.
        rule_error: why the values are not valid together, or why the last roll failed.
        rolls: the number of rolls made, undone ones included.

    Raises:
        DiceError: the mechanic does not exist, or a value is not valid.

    >>> session = Session("total-effect/roll", {"effect": "low"}, seed=61)
    >>> session.roll().facts("dice", "total", "effect")
    'dice=4 2 5, total=11, effect=2'
    >>> session.state()["outcome"]["sentence"]
    'Roll 1. Total 11, Low 2, Mid 4, High 5, Effect 2, Threshold reached no.'
    >>> session.receive({"do": "set", "texts": {"escalation": "much"}})
    >>> session.state()["errors"]["escalation"]["message"]
    "'much' is not a whole number"
    """

    def __init__(
        self,
        mechanic: str | type[Mechanic],
        parameters: Mapping[str, object] | None = None,
        *,
        seed: Seed | None = None,
        lock: bool = False,
        label: str = "",
    ) -> None:
        self.mechanic = _mechanic_class(mechanic)
        self.inputs = self.initial_inputs(parameters or {})
        self.lock = lock
        self.label = label
        self.rolls = 0
        self.outcome: Outcome | None = None
        self.entries: list[Entry] = []
        self.rule: Mechanic | None = None
        self.rule_error: DiceError | None = None
        self._seed_error: DiceError | None = None
        self._seed_text = ""
        self._chosen_seed: Seed | None = None
        self._outcome_seed: Seed | None = None
        self._cached_view: tuple[Outcome | None, OutcomeView] | None = None
        self._odds = LiveOdds()
        self._odds_of = self.default_fact()
        self.seed = seed
        self.validate()

    # Inputs

    def initial_inputs(self, parameters: Mapping[str, object]) -> FormInputs:
        """Return the inputs with their initial values."""
        return FormInputs(self.mechanic.parameters(), initial_values(self.mechanic, parameters))

    def default_fact(self) -> str:
        """Return the fact whose odds are counted first; empty for no odds."""
        return next(iter(self.mechanic.result().facts_of), "")

    def set_values(self, values: Mapping[str, object]) -> None:
        """Set some values, each given as itself or as its text.

        Raises:
            DiceError: a value is not valid, or a field does not exist; nothing has changed then.
        """
        self.inputs.set_values(values)
        self.validate()

    def validate(self) -> None:
        """Check whether the values are valid together: set ``rule`` or ``rule_error``."""
        self.rule = self.rule_error = None
        try:
            rule = self.make_rule()
        except Exception as error:  # noqa: BLE001  # a third-party mechanic may raise anything, and the page shows it
            self.rule_error = wrap_error(error)
        else:
            self.rule = None if self.inputs.errors else rule
        if self.rule is not None and self._odds_of and not self._odds.of(self.rule, self._odds_of):
            self._odds = LiveOdds(self.rule, self._odds_of)

    def make_rule(self) -> Mechanic:
        """Return the mechanic with the current values."""
        return self.mechanic(**self.inputs.values)

    @property
    def input_error(self) -> DiceError | None:
        """The first error of a single input or of the seed."""
        return next(iter(self.inputs.errors.values()), self._seed_error)

    @property
    def error(self) -> DiceError | None:
        """The error that prevents a roll."""
        return self.input_error or self.rule_error

    # Seeds

    @property
    def seed(self) -> Seed | None:
        """The chosen seed of the next roll, if any, else the seed of the outcome; it may be set."""
        return self._outcome_seed if self._chosen_seed is None else self._chosen_seed

    @seed.setter
    def seed(self, seed: Seed | None) -> None:
        self._chosen_seed = read_seed(seed)
        self._seed_error = None

    def advance_seed(self) -> None:
        """Choose the next seed: 7 after 6, ``theron 2`` after ``theron``."""
        self.seed = next_seed(self.seed)

    # Rolling

    def roll(self) -> Outcome:
        """Play the mechanic with the current values.

        Returns:
            The outcome, which is also the last of the history.

        Raises:
            DiceError: it cannot be played; the last outcome stays.
        """
        if self.rule_error is not None:
            # A roll that failed because of its dice may succeed with others.
            self.validate()
        if self.error is not None:
            raise self.error
        if self.rule is None:
            raise RuntimeError("there is no rule to play")
        return self.play_rule(self.rule)

    def play_rule(self, rule: Mechanic, state_before: Any = None) -> Outcome:
        """Play a rule with the next seed, and add the roll to the history.

        Parameters:
            rule: the mechanic with its parameters.
            state_before: kept in the history for :meth:`step_back`.
        """
        seed = self._seed_to_use()
        try:
            outcome = rule.play(SeededDice(seed))
        except Exception as error:
            self.rule_error = wrap_error(error)
            raise
        self.rule_error = None
        self.rolls += 1
        self.outcome, self._outcome_seed, self._chosen_seed = outcome, seed, None
        self.entries.append(Entry(self.rolls, self.label, seed, outcome, state_before))
        return outcome

    def _seed_to_use(self) -> Seed:
        if self._chosen_seed is not None:
            return self._chosen_seed
        return self._outcome_seed if self.lock and self._outcome_seed is not None else fresh_seed()

    def undo(self) -> None:
        """Undo the last roll: restore the outcome, parameters, seed and label of the roll before it."""
        if not self.entries:
            return
        undone = self.entries.pop()
        last = self.entries[-1] if self.entries else None
        if last is None:
            self.outcome = self._outcome_seed = None
            self.seed = undone.seed if self.lock else None
        else:
            self.outcome, self._outcome_seed, self.seed, self.label = last.outcome, last.seed, None, last.label
        self.step_back(undone, last)

    def step_back(self, undone: Entry, last: Entry | None) -> None:
        """Restore the values after an undo; ``last`` is the roll that is now the last one."""
        if last is not None:
            self.restore(last)

    def restore(self, entry: Entry) -> None:
        """Set the values to the parameters of a roll."""
        fields, rule = self.inputs.fields, entry.outcome.rule
        self.inputs = FormInputs(fields, {name: getattr(rule, name) for name in fields})
        self.validate()

    def clear(self) -> None:
        """Clear the history; the outcome stays."""
        self.entries.clear()

    def recall(self, roll: int) -> None:
        """Restore the parameters, the label and the seed of a roll, so that it can be rolled again.

        Parameters:
            roll: the number of the roll.

        Raises:
            ParameterError: the roll does not exist.
        """
        entry = next((entry for entry in self.entries if entry.roll == roll), None)
        if entry is None:
            raise ParameterError(f"there is no roll {roll}")
        self.restore(entry)
        self.label, self.seed = entry.label, entry.seed

    @property
    def history(self) -> History:
        """The rolls, oldest first."""
        return History(self.entries)

    # Odds

    @property
    def odds_of(self) -> str:
        """The fact whose odds are counted; it may be set."""
        return self._odds_of

    @odds_of.setter
    def odds_of(self, fact: str) -> None:
        known = self.mechanic.result().facts_of
        if fact not in known:
            raise ParameterError(f"there is no fact {quoted(fact)}", hint=near(str(fact), known))
        self._odds_of = fact
        self.validate()

    @property
    def counting(self) -> bool:
        """Whether odds are left to count."""
        return self._odds.counting

    def count(self, seconds: float) -> bool:
        """Count odds for at most so many seconds, and return whether all are counted."""
        return self._odds.count(seconds)

    def odds(self) -> Distribution:
        """Return the odds of the fact ``odds_of``, counted to the end.

        Raises:
            DiceError: the mechanic cannot be played, or a limit was exceeded.
        """
        if self.error is not None:
            raise self.error
        if not self._odds_of:
            raise ParameterError("this panel has no odds", hint="count those of a mechanic: dd.odds(...)")
        return self._odds.exactly()

    # Plain data

    @property
    def view(self) -> OutcomeView:
        """The outcome as a page shows it, with its code and directives."""
        if self._cached_view is None or self._cached_view[0] is not self.outcome:
            # The label may have changed since the roll.
            entry = self.entries[-1] if self.entries and self.entries[-1].outcome is self.outcome else None
            label, roll = (entry.label, entry.roll) if entry else (self.label, self.rolls)
            self._cached_view = self.outcome, outcome_view(self.outcome, roll, label, self._outcome_seed)
        return self._cached_view[1]

    def form(self) -> dict[str, Any]:
        """Return what never changes: :func:`dicedocs.panel.controls.form_data`, and ``shapes``, drawings of dice."""
        return {**controls.form_data(self.mechanic), "shapes": die_shapes()}  # type: ignore[arg-type]  # mypy asks for the hash of its instances

    def state(self) -> dict[str, Any]:
        """Return all that changes, except the history.

        Returns:
            ``texts`` and ``parts`` of the inputs; ``errors`` by parameter, ``seed_error``, and ``error``, which is
            about none of them; ``outcome``, ``odds``, ``seed``, ``lock``, ``label``, ``rolls``; ``can``, the actions
            that are possible; ``code``, ``directive`` and ``directive_rst``.
        """
        view = self.view
        errors = {name: error_data(error) for name, error in self.inputs.errors.items()}
        rule_error = self.rule_error
        if rule_error is not None and rule_error.parameter in self.inputs.fields:
            errors.setdefault(rule_error.parameter, error_data(rule_error))
            rule_error = None
        elif errors:
            # It is about the last valid values, and may be gone once the inputs are valid.
            rule_error = None
        seed = self._seed_text if self._seed_error else self.seed
        return {
            **self.inputs.state(),
            "errors": errors,
            "seed_error": error_data(self._seed_error) if self._seed_error else None,
            "error": error_data(rule_error) if rule_error else None,
            "outcome": view.outcome,
            "odds": self._odds_state(),
            "seed": "" if seed is None else str(seed),
            "lock": self.lock,
            "label": self.label,
            "rolls": self.rolls,
            "can": {"undo": bool(self.entries), "clear": bool(self.entries), "roll": self.error is None},
            "code": view.code,
            "directive": view.directive,
            "directive_rst": view.directive_rst,
        }

    def _odds_state(self) -> dict[str, Any] | None:
        state = self._odds.state(self.outcome)
        # While an input is not valid, the odds are those of the last valid values.
        return state if state is None else {**state, "stale": self._odds.rule != self.rule}

    def log(self) -> list[dict[str, Any]]:
        """Return the last rolls for a page, newest first, each with ``roll``, ``label``, ``seed`` and ``headline``."""
        return [
            {"roll": roll, "label": clean(label), "seed": str(seed), "headline": headline(outcome)}
            for roll, label, seed, outcome, _ in self.entries[: -ROLLS_SHOWN - 1 : -1]
        ]

    # Messages

    def receive(self, data: object) -> None:
        """Handle a message of a page: set the inputs that it carries, then carry out its action.

        Parameters:
            data: the message, as :class:`~dicedocs.panel.messages.Message` describes it, or anything else.

        Raises:
            DiceError: the message is malformed, and nothing has changed; or the roll, the fact or the die of its
                action does not exist. An input that is not valid raises nothing; the state shows it.
            Exception: a rule raised something other than a :class:`~dicedocs.errors.DiceError`; the state shows it too.
        """
        message = read_message(data)
        actions = self.actions()
        if message.do not in actions:
            raise ParameterError(f"{quoted(message.do)} is not an action of a panel", hint=near(message.do, actions))
        for name in (*message.texts, *message.parts):
            if name not in self.inputs.fields:
                raise no_such_parameter(name, self.inputs.fields)
        if message.label is not None:
            self.label = message.label[: limits.VALUE_TEXT.maximum]
        if message.lock is not None:
            self.lock = message.lock
        if message.seed is not None:
            self._read_seed(message.seed)
        for name, text in message.texts.items():
            self.inputs.set_text(name, text)
        for name, parts in message.parts.items():
            self.inputs.set_parts(name, parts)
        if message.texts or message.parts:
            self.validate()
        actions[message.do](message)

    def actions(self) -> dict[str, Callable[[Message], None]]:
        """Return the actions that a page may ask for, by name."""
        return {
            "set": lambda _: None,
            "history": lambda _: None,
            "roll": lambda _: self._roll_if_possible(),
            "undo": lambda _: self.undo(),
            "clear": lambda _: self.clear(),
            "recall": lambda message: self.recall(message.roll),
            "next-seed": lambda _: self.advance_seed(),
            "odds-of": lambda message: setattr(self, "odds_of", message.fact),
        }

    def _roll_if_possible(self) -> None:
        with suppress(DiceError):  # the state shows it
            self.roll()

    def _read_seed(self, seed: str) -> None:
        try:
            self.seed = seed
        except DiceError as error:
            self._seed_text, self._seed_error = seed[: limits.VALUE_TEXT.maximum], error


def _mechanic_class(mechanic: str | type[Mechanic]) -> type[Mechanic]:
    """Return a mechanic that is given as its class or by its id."""
    if isinstance(mechanic, type) and issubclass(mechanic, Mechanic):
        return mechanic
    return find_mechanic(mechanic)
