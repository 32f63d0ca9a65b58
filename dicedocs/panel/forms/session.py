"""A mechanic being played on a page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Unpack

from dicedocs.errors import DiceError, listed, quoted
from dicedocs.panel.forms import controls
from dicedocs.panel.forms.characters import TARGET
from dicedocs.panel.forms.form_session import FormOptions, FormSession
from dicedocs.panel.forms.inputs import Inputs, initial_values
from dicedocs.panel.state import FormState
from dicedocs.panel.turns import Turns
from dicedocs.panel.wire import Message
from dicedocs.rules.mechanic import Mechanic, rule_with
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.params import Param
from dicedocs.rules.playing import DiceSource
from dicedocs.rules.registry import mechanic as find_mechanic
from dicedocs.syntax.decisions import OtherPlayError


class Session(FormSession):
    """A mechanic being played on a page.

    Parameters:
        mechanic: the id of a mechanic, or its class.
        parameters: initial values, each as itself or as its text, beside the mechanic's example.
        more: fields beside the parameters, which begin with their defaults.
        others: further mechanics that it may play.
        own: what it has beside its inputs, and keeps in its states.
        options: as for :class:`~dicedocs.panel.forms.form_session.FormOptions`.

    Raises:
        DiceError: the mechanic does not exist, a value is not valid, or nothing can be played for ``best``.

    >>> session = Session("total-effect/roll", {"effect": "low"}, seed=61)
    >>> session.roll().facts("dice", "total", "effect")
    'dice=4 2 5, total=11, effect=2'
    >>> session.state()["outcome"]["sentence"]
    'Roll 1. Threshold missed, 11 vs 13, Low 2, Mid 4, High 5, Effect 2.'
    >>> session.receive({"do": "set", "texts": {"escalation": "much"}})
    >>> session.state()["errors"]["escalation"]["message"]
    "'much' is not a whole number"
    >>> session.travel.undo()
    >>> session.inputs.texts["escalation"], session.outcome.total
    ('0', 11)
    >>> session.travel.undo()
    >>> session.outcome, session.history
    (None, [])
    """

    def __init__(
        self,
        mechanic: str | type[Mechanic],
        parameters: Mapping[str, object] | None = None,
        *,
        more: Mapping[str, Param] = MappingProxyType({}),
        others: Iterable[type[Mechanic]] = (),
        own: Any = None,
        **options: Unpack[FormOptions],
    ) -> None:
        if not (isinstance(mechanic, type) and issubclass(mechanic, Mechanic)):
            mechanic = find_mechanic(mechanic)
        values = initial_values(mechanic, parameters or {}) | {name: field.default for name, field in more.items()}
        inputs = Inputs.of({**mechanic.parameters(), **more}, values)
        if best := options.get("best"):
            from dicedocs.probability.claims.worth import Worth  # as late as odds are counted

            Worth(mechanic, best)
        super().__init__({each.id: each for each in (mechanic, *others)}, inputs, own, **options)

    def _actions(self) -> dict[str, Callable[[Message], None]]:
        return super()._actions() | {
            "roll-each": self._roll_each,
            "replay": self._replay,
            "odds-of": lambda message: setattr(self.odds, "fact", message.fact),
            "odds-show": lambda message: setattr(self.odds, "show", message.name),
            "pin": lambda _message: self.odds.pin(),
            "unpin": lambda message: self.odds.unpin(message.item),
            "csv": self._ask_file,
            "picture": self._ask_file,
        }

    # Rolling

    def roll(
        self,
        dice: DiceSource | None = None,
        chosen: Mapping[str, object] = MappingProxyType({}),
        *,
        again: bool = False,
    ) -> Outcome:
        """Play the mechanic with the current values.

        Parameters:
            dice: the faces of dice that were thrown by hand.
            chosen: what was chosen before, by the names of the choices; if this roll asks for more or less, it counts
                for nothing.
            again: whether its dice are those of an earlier roll, for the log.
        """
        with self.hand_dice.given(dice):
            rule = self._rule_to_play(self.seat.form)
            try:
                return self.play_rule(rule_with(rule, chosen) if chosen else rule, again=again)
            except OtherPlayError:
                if not chosen:
                    raise
                return self.play_rule(self._rule_to_play(self.seat.form), again=again)

    def roll_each(
        self, names: Sequence[str] | None = None, *, order: bool = False, slot: str | None = None
    ) -> list[Outcome]:
        """Play the mechanic for each of several characters, which is one step; then the fields are as before.

        Parameters:
            names: the names of the characters, who take a slot in turn; by default all who can.
            order: whether the rolls decide the order of turns at a table.
            slot: the slot, by default the first: ``target`` for one attack on several, whose dice are thrown once.

        Returns:
            The outcomes.

        Raises:
            DiceError: nobody is named; or a character does not exist, or lacks a value; the rolls of the others stay.
        """
        slot, forms = self.people.slots.own[0] if slot is None else slot, list[tuple[str, FormState]]()
        once = slot == TARGET
        if self.inputs.open_choices:
            message = f"{quoted(self.inputs.open_choices[0])} is chosen during a roll"
            raise DiceError(message, hint="roll for one character, or say beforehand how each chooses")
        if self.hand_dice.text and not once:
            raise DiceError("dice that were rolled by hand are those of one roll", hint="roll for one character")
        for name in [one.name for one in self.people.characters] if names is None else names:
            one = self.people.able(slot, name)
            forms.append((name, self.adjusted(self.people.slots.fill_in(self.seat.form, slot, one))))
        if not forms:
            raise DiceError("nobody is chosen", hint="choose at least one character")
        wrong = {name: error for name, form in forms if (error := self._judge_form(form)[1])}
        able = [(name, form) for name, form in forms if name not in wrong] or forms
        rolled: list[Outcome] = []
        press = ("roll-each", self.seat.store.number)
        for name, form in able:
            turns = self._turns_to_join([name for name, _form in able[len(rolled) :]]) if order and not once else None
            first = self.seat.store.state.log[-1] if once and rolled else None
            if first is not None:
                self.seed = first.seed
            with self.hand_dice.given(rolled[0].dice if first is not None and first.seed is None else None):
                rule, group = self._rule_to_play(form), {slot: tuple(each for each, _form in able)}
                again = first is not None
                rolled.append(self.play_rule(rule, form=form, again=again, groups=group, turns=turns, subject=press))
        if wrong and names is not None:
            who, others = listed([name for name, _form in able], "and"), listed(wrong, "and")
            error = next(iter(wrong.values()))
            raise DiceError(f"{who} rolled; {others} did not: {error.message}", hint=error.hint)
        return rolled

    def _turns_to_join(self, names: Sequence[str]) -> Turns:
        """Return the order of turns that some characters roll for: the present one, or a new one if one is in it."""
        now = self.seat.store.state.turns
        return () if {one.name for one in now} & set(names) else now

    def _rule_to_play(self, form: FormState) -> Mechanic:
        # A roll that failed because of its dice may succeed with others.
        self._failure = None
        self.travel.rest(attempted=True)
        rule, error = self._judge_form(form)
        if error is not None and form is not self.seat.form:
            self._failure = error
        if error := self.input_error or error:
            raise error
        if rule is None:
            raise RuntimeError("there is no rule to play")
        return rule

    def replay(self, roll: int) -> Outcome:
        """Roll the dice of a roll again, with its parameters, its choices and its label; the log says so.

        Parameters:
            roll: the number of the roll.

        Raises:
            ParameterError: the roll does not exist.
        """
        self.travel.recall(roll)
        entry = self.entry(roll)
        self.seed = entry.seed
        chosen = {name: getattr(entry.outcome.rule, name) for name in self.inputs.choices}
        return self.roll(entry.outcome.dice if entry.seed is None else None, chosen, again=True)

    def _roll_each(self, message: Message) -> None:
        names, slot = [self.people.name_at(item) for item in message.items], TARGET if message.name == TARGET else None
        self.roll_each(names, order=message.name == "order", slot=slot)

    def _replay(self, message: Message) -> None:
        self.replay(message.roll)

    def _ask_file(self, message: Message) -> None:
        """Send the odds as a file with the next answer to the page."""
        self.odds.count()
        self._asked_for["file"] = self.odds_file(message.do)

    # Plain data

    def odds_file(self, kind: str) -> dict[str, str]:
        """Return the odds as a file in the language of the session; see :meth:`.FormOdds.file`."""
        with self.display():
            return self.odds.file(kind, self.outcome)

    def form(self) -> dict[str, Any]:
        """Return what never changes: :func:`dicedocs.panel.forms.controls.form_data` and :meth:`page_data`."""
        with self.display():
            return {**controls.form_data(self.mechanic), **self.page_data()}
