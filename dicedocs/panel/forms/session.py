"""A mechanic being played on a page: a form with the odds of what it rolls."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Unpack

from dicedocs.errors import DiceError, ParameterError, listed, quoted
from dicedocs.panel.forms import controls
from dicedocs.panel.forms.characters import TARGET
from dicedocs.panel.forms.form_session import FormOptions, FormSession
from dicedocs.panel.forms.inputs import Inputs, initial_values
from dicedocs.panel.saved import SavedForm
from dicedocs.panel.state import FormState, State
from dicedocs.panel.turns import Turns
from dicedocs.panel.view.comparison import MAX_PINS, Comparison
from dicedocs.panel.view.live_odds import COUNT_SECONDS, ODDS_SHOWS, LiveOdds, OddsCache
from dicedocs.panel.wire import Message
from dicedocs.rules.mechanic import Mechanic, rule_with
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.params import MISSING
from dicedocs.rules.playing import DiceSource
from dicedocs.rules.registry import mechanic as find_mechanic
from dicedocs.similar_words import near
from dicedocs.syntax.decisions import OtherPlayError

if TYPE_CHECKING:
    from dicedocs.probability.distribution import Distribution
    from dicedocs.render.table import Show


class RollSession(FormSession):
    """A form whose values are those of one mechanic, which is rolled, and whose odds are counted.

    The parameters are those of :class:`~dicedocs.panel.forms.form_session.FormSession`.

    Attributes:
        live_odds: the odds of the present values, or of the last valid ones, counted bit by bit.
    """

    def __init__(
        self,
        played: Mapping[str, type[Mechanic]],
        inputs: Inputs,
        own: Any = None,
        **options: Unpack[FormOptions],
    ) -> None:
        super().__init__(played, inputs, own, **options)
        self._odds, self.live_odds = OddsCache(), LiveOdds()
        self._odds_show: Show = "exactly"
        self._odds_of = self.mechanic.result().main_fact
        self._count_present()

    def _moved(self, before: State) -> None:
        super()._moved(before)
        form = self.seat.form
        if form is not before.forms[self.seat.index]:
            if self._odds_of not in self.odds_facts:
                self._odds_of = self.mechanic.result().main_fact
            self._odds.forget_refused(form.pins)
            self._count_present()

    def _actions(self) -> dict[str, Callable[[Message], None]]:
        return super()._actions() | {
            "roll-each": self._roll_each,
            "replay": lambda message: self._replay(message.roll),
            "odds-of": lambda message: setattr(self, "odds_of", message.fact),
            "odds-show": lambda message: setattr(self, "odds_show", message.name),
            "pin": lambda _message: self.pin(),
            "unpin": lambda message: self.unpin(message.item),
            "csv": lambda _message: None,
            "picture": lambda _message: None,
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

    def _replay(self, roll: int) -> None:
        self.replay(roll)

    # Odds

    @property
    def odds_facts(self) -> Collection[str]:
        """The facts whose odds can be counted."""
        return self.mechanic.result().facts_of

    @property
    def odds_of(self) -> str:
        """The fact whose odds are counted; it may be set."""
        return self._odds_of

    @odds_of.setter
    def odds_of(self, fact: str) -> None:
        if fact not in self.odds_facts:
            raise ParameterError(f"there is no fact {quoted(fact)}", hint=near(str(fact), self.odds_facts))
        self._odds_of, self._failure = fact, None
        self._count_present()

    @property
    def odds_show(self) -> Show:
        """What a bar of the chart is, one of ``ODDS_SHOWS``; it may be set."""
        return self._odds_show

    @odds_show.setter
    def odds_show(self, show: str) -> None:
        known = next((each for each in ODDS_SHOWS if each == show), None)
        if known is None:
            raise ParameterError(f"a chart cannot show {quoted(show)}", hint=near(show, ODDS_SHOWS))
        self._odds_show = known

    def _count_present(self) -> None:
        """Begin to count the odds of the present values, if they are valid."""
        if self.rule is not None and self._odds_of:
            self.live_odds = self._odds.of(self.rule, self._odds_of)

    @property
    def comparison(self) -> Comparison:
        """The odds that were pinned, and the present ones."""
        return Comparison([self._odds.of(rule, self._odds_of) for rule in self.seat.form.pins], self.live_odds)

    @property
    def counting(self) -> bool:
        """Whether odds are left to count."""
        return self.live_odds.counting or self.comparison.counting

    def count(self, seconds: float = COUNT_SECONDS) -> bool:
        """Count odds for so many seconds, and return whether all are counted."""
        return self.live_odds.count(seconds) and self.comparison.count(seconds)

    def pin(self) -> None:
        """Keep the odds of the present values, to be compared with others; this can be undone.

        Raises:
            ParameterError: there are none, or as many are pinned as there may be.
        """
        if self.error is not None:
            raise self.error
        rule, pins = self.live_odds.rule, self.seat.form.pins
        if rule is None:
            raise ParameterError("there are no odds to compare")
        if rule in pins:
            return
        if len(pins) >= MAX_PINS:
            raise ParameterError(f"{MAX_PINS} settings are pinned already", hint="unpin one of them")
        self.seat.put_form(self.seat.form._replace(pins=(*pins, rule)))

    def unpin(self, index: int | None = None) -> None:
        """Remove pinned odds, which can be undone.

        Parameters:
            index: the index among those pinned, from 0; by default all are removed.

        Raises:
            ParameterError: nothing is pinned there.
        """
        pins = self.seat.form.pins
        if index is not None and not 0 <= index < len(pins):
            raise ParameterError(f"nothing is pinned at {index}")
        kept = () if index is None else (*pins[:index], *pins[index + 1 :])
        self.seat.put_form(self.seat.form._replace(pins=kept))

    def compared_odds(self) -> dict[str, Distribution]:
        """Return the odds that were pinned and the present ones, by their labels, counted to the end.

        Raises:
            DiceError: a mechanic cannot be played, or a limit was exceeded.
        """
        return self.comparison.exactly()

    def odds(self) -> Distribution:
        """Return the odds of the fact ``odds_of``, counted to the end.

        Raises:
            DiceError: the mechanic cannot be played, or a limit was exceeded.
        """
        if self.error is not None:
            raise self.error
        if not self._odds_of:
            raise ParameterError("this panel has no odds", hint="count those of a mechanic: dd.odds(...)")
        return self.live_odds.exactly()

    # Plain data

    def beside(self) -> dict[str, Any]:
        """Return what a session has beside its form, and the odds that are shown."""
        return super().beside() | {"odds_of": self.odds_of, "odds_show": self.odds_show}

    def choose(self, saved: SavedForm) -> None:
        """Choose what a session has beside its form as it was left; facts that it does not have are ignored."""
        super().choose(saved)
        with suppress(DiceError):
            self.odds_show = saved.odds_show
            self.odds_of = saved.odds_of

    def form(self) -> dict[str, Any]:
        """Return what never changes: :func:`dicedocs.panel.forms.controls.form_data` and :meth:`page_data`."""
        with self.display():
            return {**controls.form_data(self.mechanic), **self.page_data()}

    def _own_view(self) -> dict[str, Any]:
        return {"odds": self._odds_state(), **self._comparison_state()}

    def _odds_state(self) -> dict[str, Any] | None:
        state = self.live_odds.state(self.outcome, self.odds_show)
        # While an input is not valid, the odds are those of the last valid values.
        if state is None:
            return None
        return {**state, "choices": list(self.odds_facts), "stale": self.live_odds.rule != self.rule}

    def _comparison_state(self) -> dict[str, Any]:
        state = self.comparison.state(self.outcome, self.odds_show)
        return {} if state is None else {"comparison": state}

    def odds_file(self, kind: str) -> dict[str, str]:
        """Return the odds that the chart shows, pinned ones included, as a file: its ``name`` and its ``text``.

        Parameters:
            kind: ``csv``, or ``picture`` for the chart as SVG.

        Raises:
            ParameterError: there are no odds, or they are not counted.
        """
        from dicedocs.panel.view.odds_file import odds_file

        series = self.comparison.charted()
        if not series:
            raise ParameterError("the odds are not counted yet", hint="wait until the chart is shown")
        if len(series) == 1:
            series = {"": next(iter(series.values()))}
        with self.display():
            value = self.live_odds.value_of(self.outcome)
            marked = [] if value is MISSING else [value]
            bands = self.live_odds.bands if len(series) == 1 else ()
            return odds_file(series, kind, self.live_odds.fact, marked, bands=bands, show=self.odds_show)


class Session(RollSession):
    """A mechanic being played on a page.

    Parameters:
        mechanic: the id of a mechanic, or its class.
        parameters: initial values, each as itself or as its text, beside the mechanic's example.
        options: as for :class:`~dicedocs.panel.forms.form_session.FormOptions`.

    Raises:
        DiceError: the mechanic does not exist, or a value is not valid.

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
        **options: Unpack[FormOptions],
    ) -> None:
        if not (isinstance(mechanic, type) and issubclass(mechanic, Mechanic)):
            mechanic = find_mechanic(mechanic)
        inputs = Inputs.of(mechanic.parameters(), initial_values(mechanic, parameters or {}))
        super().__init__({mechanic.id: mechanic}, inputs, **options)
