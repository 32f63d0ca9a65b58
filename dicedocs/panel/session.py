"""A mechanic laid out to be played: what stands in its boxes, its outcome, odds, history, code and directive.

All is plain data in and out: a notebook's panel and the worker behind a book's page are thin
covers of the same session. :meth:`Session.state` says what it holds, :meth:`Session.receive` what it hears.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from dicedocs import limits
from dicedocs.errors import DiceError, ParameterError, near, quoted, wrap_error
from dicedocs.panel import controls
from dicedocs.panel.history import SHOWN, Entry, History
from dicedocs.panel.inputs import Boxes, beginning, error_data
from dicedocs.panel.live_odds import LiveOdds
from dicedocs.panel.outcome_view import Shown, shown
from dicedocs.panel.seeds import following, read_seed
from dicedocs.render.svg import die_shapes
from dicedocs.render.words import clean
from dicedocs.rules.dice import SeededDice
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.playing import Seed, fresh_seed
from dicedocs.rules.registry import mechanic as mechanic_of

if TYPE_CHECKING:
    from dicedocs.probability.distribution import Distribution


class Session:
    """A mechanic laid out to be played.

    Parameters:
        mechanic: the id of a mechanic, or its class.
        parameters: values to begin with, each as itself or as its text, beside the mechanic's example.
        seed: what decides the dice of the first roll.
        lock: whether each roll has the seed of the one before; otherwise each draws a new one.
        label: what the rolls are called.

    Attributes:
        outcome: what the last roll gave.
        rule: the mechanic with the parameters as they stand, when they go together.
        rolls: how many rolls were made, those included that were taken back.

    Raises:
        DiceError: there is no such mechanic, or a value cannot be what it is.

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
        self.mechanic = mechanic_of(mechanic) if isinstance(mechanic, str) else mechanic
        fields = self.mechanic.parameters()
        self._begin(Boxes(fields, beginning(self.mechanic, parameters or {})), seed, lock=lock, label=label)

    def _begin(self, boxes: Boxes, seed: Seed | None, *, lock: bool, label: str) -> None:
        self.boxes = boxes
        self.lock = lock
        self.label = label
        self.rolls = 0
        self.outcome: Outcome | None = None
        self.entries: list[Entry] = []
        self.rule: Mechanic | None = None
        self._amiss: DiceError | None = None
        self._seed_text = ""
        self._seed_error: DiceError | None = None
        self._wanted: Seed | None = None
        self._used: Seed | None = None
        self._shown: tuple[Outcome | None, Shown] | None = None
        self._odds = LiveOdds()
        self._odds_of = self._first_fact()
        self.seed = seed
        self.judge()

    def _first_fact(self) -> str:
        return next(iter(self.mechanic.result().facts_of), "")

    # What stands in the boxes

    def put(self, values: Mapping[str, object]) -> None:
        """Put values into their boxes, all or none.

        Parameters:
            values: each as itself or as its text.

        Raises:
            DiceError: one is no value of its field, or there is no such field.
        """
        for name, value in values.items():
            self.boxes.read(name, value)
        for name, value in values.items():
            self.boxes.put(name, value)
        self.judge()

    def judge(self) -> None:
        """Look whether all that stands in the boxes goes together."""
        self.rule = self._amiss = None
        try:
            rule = self._made()
        except Exception as error:  # noqa: BLE001  # a stranger's mechanic may raise what it likes, and it is shown
            self._amiss = wrap_error(error)
        else:
            self.rule = None if self.boxes.errors else rule
        if self.rule is not None and self._odds_of and not self._odds.of(self.rule, self._odds_of):
            self._odds = LiveOdds(self.rule, self._odds_of)

    def _made(self) -> Mechanic:
        return self.mechanic(**self.boxes.values)

    @property
    def error(self) -> DiceError | None:
        """What keeps the mechanic from being played as it stands."""
        return next(iter(self.boxes.errors.values()), self._seed_error or self._amiss)

    # Seeds

    @property
    def seed(self) -> Seed | None:
        """The seed that the next roll will have, if one was chosen, else that of the outcome; it may be set."""
        return self._used if self._wanted is None else self._wanted

    @seed.setter
    def seed(self, seed: Seed | None) -> None:
        self._wanted = read_seed(seed)
        self._seed_error = None

    def next_seed(self) -> None:
        """Choose the seed that follows: 7 after 6, ``theron 2`` after ``theron``."""
        self.seed = following(self.seed)

    def _next(self) -> Seed:
        if self._wanted is not None:
            return self._wanted
        return self._used if self.lock and self._used is not None else fresh_seed()

    # Rolling

    def roll(self) -> Outcome:
        """Play the mechanic as it stands.

        Returns:
            The outcome, which is also the newest of the history.

        Raises:
            DiceError: it cannot be played; the last outcome stays.
        """
        if self._amiss is not None:
            # What failed by the fall of the dice may do better with others.
            self.judge()
        if self.error is not None:
            raise self.error
        if self.rule is None:
            raise RuntimeError("there is nothing to play")
        return self._play(self.rule)

    def _play(self, rule: Mechanic, before: Any = None) -> Outcome:
        seed = self._next()
        try:
            outcome = rule.play(SeededDice(seed))
        except Exception as error:
            self._amiss = wrap_error(error)
            raise
        self._amiss = None
        self.rolls += 1
        self.outcome, self._used, self._wanted = outcome, seed, None
        self.entries.append(Entry(self.rolls, self.label, seed, outcome, before))
        return outcome

    def undo(self) -> None:
        """Take back the last roll: outcome, parameters, seed and label are those of the roll before."""
        if not self.entries:
            return
        taken = self.entries.pop()
        last = self.entries[-1] if self.entries else None
        if last is None:
            self.outcome = self._used = None
            self.seed = taken.seed if self.lock else None
        else:
            self.outcome, self._used, self.seed, self.label = last.outcome, last.seed, None, last.label
        self._step_back(taken, last)

    def _step_back(self, taken: Entry, last: Entry | None) -> None:
        """Let the boxes be as they were for the roll before the one that was taken back."""
        if last is not None:
            self._restore(last)

    def _restore(self, entry: Entry) -> None:
        """Put the parameters of a roll into the boxes."""
        rule = entry.outcome.rule
        self.boxes = Boxes(self.boxes.fields, {name: getattr(rule, name) for name in self.boxes.fields})
        self.judge()

    def clear(self) -> None:
        """Empty the history; the outcome stays."""
        self.entries.clear()

    def recall(self, roll: int) -> None:
        """Have the parameters, the label and the seed of a roll again, ready to be rolled.

        Parameters:
            roll: its number.

        Raises:
            ParameterError: there is no such roll.
        """
        entry = next((entry for entry in self.entries if entry.roll == roll), None)
        if entry is None:
            raise ParameterError(f"there is no roll {roll}")
        self._restore(entry)
        self.label, self.seed = entry.label, entry.seed

    @property
    def history(self) -> History:
        """The rolls, the oldest first."""
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
        self.judge()

    @property
    def counting(self) -> bool:
        """Whether odds are left to count."""
        return self._odds.counting

    def count(self, seconds: float) -> bool:
        """Count odds for so long, and tell whether all are counted."""
        return self._odds.count(seconds)

    def odds(self) -> Distribution:
        """Count the odds of the fact ``odds_of`` to the end.

        Raises:
            DiceError: the mechanic cannot be played, or there is too much to count.
        """
        if self.error is not None:
            raise self.error
        if not self._odds_of:
            raise ParameterError("there are no odds here", hint="ask for those of a mechanic: dd.odds(...)")
        return self._odds.exactly()

    # What can be kept

    @property
    def code(self) -> str:
        """Python that stands alone and gives the outcome again; empty before the first roll."""
        return self._look().code

    @property
    def directive(self) -> str:
        """The outcome as a worked example of a book in Markdown."""
        return self._look().directive

    @property
    def directive_rst(self) -> str:
        """The outcome as a worked example of a book in reStructuredText."""
        return self._look().directive_rst

    def _look(self) -> Shown:
        """Give what is shown of the outcome, made once."""
        if self._shown is None or self._shown[0] is not self.outcome:
            # Its label is the one under which it was rolled.
            rolled = self.entries[-1] if self.entries and self.entries[-1].outcome is self.outcome else None
            label, roll = (rolled.label, rolled.roll) if rolled else (self.label, self.rolls)
            self._shown = self.outcome, shown(self.outcome, roll, label, self._used)
        return self._shown[1]

    # Plain data

    def form(self) -> dict[str, Any]:
        """Give what never changes: all of :func:`dicedocs.panel.controls.form`.

        And ``shapes``, drawings of dice to be filled in (:func:`dicedocs.render.svg.die_shapes`).
        """
        return {**controls.form(self.mechanic), "shapes": die_shapes()}  # type: ignore[arg-type]  # mypy asks for the hash of its instances

    def state(self) -> dict[str, Any]:
        """Give all that changes, but for the history.

        Returns:
            ``texts`` and ``parts`` of the boxes; ``errors`` by parameter, ``seed_error``, and ``error``, which is about
            none of them; ``outcome``, ``odds``, ``seed``, ``lock``, ``label``, ``rolls``; ``can``, what may be done;
            ``code``, ``directive`` and ``directive_rst``.
        """
        look = self._look()
        errors = {name: error_data(error) for name, error in self.boxes.errors.items()}
        whole = self._amiss
        if whole is not None and whole.parameter in self.boxes.fields:
            errors.setdefault(whole.parameter, error_data(whole))
            whole = None
        elif errors:
            # What does not go together may well do so once the boxes are right.
            whole = None
        seed = self._seed_text if self._seed_error else self.seed
        return {
            **self.boxes.state(),
            "errors": errors,
            "seed_error": error_data(self._seed_error) if self._seed_error else None,
            "error": error_data(whole) if whole else None,
            "outcome": look.outcome,
            "odds": self._odds_state(),
            "seed": "" if seed is None else str(seed),
            "lock": self.lock,
            "label": self.label,
            "rolls": self.rolls,
            "can": {"undo": bool(self.entries), "clear": bool(self.entries), "roll": self.error is None},
            "code": look.code,
            "directive": look.directive,
            "directive_rst": look.directive_rst,
        }

    def _odds_state(self) -> dict[str, Any] | None:
        state = self._odds.state(self.outcome)
        # While a box is wrong the odds are of what stood there before.
        return state if state is None else {**state, "stale": self._odds.rule != self.rule}

    def log(self) -> list[dict[str, Any]]:
        """Give the last rolls for a page, the newest first: each its ``roll``, ``label``, ``seed`` and ``headline``."""
        return [
            {
                "roll": entry.roll,
                "label": clean(entry.label),
                "seed": str(entry.seed),
                "headline": entry.headline(),
            }
            for entry in self.entries[: -SHOWN - 1 : -1]
        ]

    def receive(self, message: Mapping[str, Any]) -> None:
        """Do what a page asks for: first set what it carries, then do what it says.

        Parameters:
            message: ``texts`` and ``parts``, by field, as they stand in the boxes; ``label``, ``seed`` and ``lock``,
                where they were changed; and ``do``, one of ``set``, ``roll``, ``undo``, ``clear``, ``recall`` (with
                ``roll``), ``next-seed``, ``odds-of`` (with ``fact``) or ``history``.

        Raises:
            ParameterError: the message says nothing of the kind. What is wrong with a text is no error here:
                the state says it.
            Exception: whatever a rule raised that is no :class:`~dicedocs.errors.DiceError`; the state says it too.
        """
        do = self._deeds().get(message.get("do", "set"))
        if do is None:
            raise ParameterError(f"nobody knows what {quoted(message.get('do'))} is", hint=near("", self._deeds()))
        texts, parts = message.get("texts") or {}, message.get("parts") or {}
        if not isinstance(texts, Mapping) or not isinstance(parts, Mapping):
            raise ParameterError("the texts are not by field")
        if "label" in message:
            self.label = str(message["label"])[: limits.VALUE_TEXT.maximum]
        if "lock" in message:
            self.lock = bool(message["lock"])
        if "seed" in message:
            self._choose_seed(message["seed"])
        for name, text in texts.items():
            self.boxes.write(name, str(text))
        for name, held in parts.items():
            self.boxes.arrange(name, held)
        if texts or parts:
            self.judge()
        do(message)

    def _deeds(self) -> dict[str, Callable[[Mapping[str, Any]], None]]:
        return {
            "set": lambda _: None,
            "history": lambda _: None,
            "roll": lambda _: self._try(self.roll),
            "undo": lambda _: self.undo(),
            "clear": lambda _: self.clear(),
            "recall": lambda message: self.recall(message.get("roll", 0)),
            "next-seed": lambda _: self.next_seed(),
            "odds-of": lambda message: setattr(self, "odds_of", message.get("fact", "")),
        }

    def _try(self, deed: Callable[[], object]) -> None:
        """Do what may not be possible; the state then says why."""
        try:
            deed()
        except DiceError:
            return

    def _choose_seed(self, seed: object) -> None:
        try:
            self.seed = seed  # type: ignore[assignment]  # it is read, whatever it is
        except DiceError as error:
            # It stays in its box as it was written.
            self._seed_text, self._seed_error = str(seed)[: limits.VALUE_TEXT.maximum], error
