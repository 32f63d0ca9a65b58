"""The odds of what a form rolls: of which fact, how they are charted, and which settings are pinned beside them."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any

from dicedocs.errors import DiceError, ParameterError, quoted
from dicedocs.panel.forms.seat import Seat
from dicedocs.panel.view.comparison import MAX_PINS, Comparison
from dicedocs.panel.view.live_odds import COUNT_SECONDS, ODDS_SHOWS, LiveOdds, OddsCache
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.params import MISSING
from dicedocs.similar_words import near

if TYPE_CHECKING:
    from dicedocs.probability.distribution import Distribution
    from dicedocs.render.table import Show


class FormOdds:
    """The odds of what a form rolls; a game's own form has none.

    Parameters:
        seat: where the form stands.
        result: returns the kind of outcomes whose facts are counted; ``None`` for none.
        rule: returns the mechanic with the present values; ``None`` if they are not valid.
        error: returns the error that prevents a roll, if any.
        best: what open choices are played for; empty if nobody has said it, and ``None`` where nobody can.

    Attributes:
        live: the odds of the present values, or of the last valid ones, counted bit by bit.
    """

    def __init__(
        self,
        seat: Seat,
        result: Callable[[], type[Outcome] | None],
        rule: Callable[[], Mechanic | None],
        error: Callable[[], DiceError | None],
        best: str | None,
    ) -> None:
        self._seat, self._result, self._rule, self._error = seat, result, rule, error
        self.best, self._cache, self.live = best, OddsCache(best), LiveOdds()
        self._fact = self._main_fact
        self._show: Show = "exactly"
        self._count_present()

    @property
    def _main_fact(self) -> str:
        result = self._result()
        return result.main_fact if result else ""

    def follow(self) -> None:
        """Follow the form to other values."""
        if self._fact not in self.facts:
            self._fact = self._main_fact
        self._cache.forget_refused(self._seat.form.pins)
        self._count_present()

    def _count_present(self) -> None:
        """Begin to count the odds of the present values, if they are valid."""
        if self._fact and (rule := self._rule()):
            self.live = self._cache.of(rule, self._fact)

    @property
    def facts(self) -> Collection[str]:
        """The facts whose odds can be counted."""
        result = self._result()
        return result.facts_of if result else ()

    @property
    def fact(self) -> str:
        """The fact whose odds are counted; it may be set."""
        return self._fact

    @fact.setter
    def fact(self, fact: str) -> None:
        if fact not in self.facts:
            raise ParameterError(f"there is no fact {quoted(fact)}", hint=near(str(fact), self.facts))
        self._fact = fact
        self._count_present()

    @property
    def show(self) -> Show:
        """What a bar of the chart is, one of ``ODDS_SHOWS``; it may be set."""
        return self._show

    @show.setter
    def show(self, show: str) -> None:
        known = next((each for each in ODDS_SHOWS if each == show), None)
        if known is None:
            raise ParameterError(f"a chart cannot show {quoted(show)}", hint=near(show, ODDS_SHOWS))
        self._show = known

    # Counting

    @property
    def comparison(self) -> Comparison:
        """The odds that were pinned, and the present ones."""
        return Comparison([self._cache.of(rule, self._fact) for rule in self._seat.form.pins], self.live)

    @property
    def counting(self) -> bool:
        """Whether odds are left to count."""
        return self.live.counting or self.comparison.counting

    def count(self, seconds: float = COUNT_SECONDS) -> bool:
        """Count odds for so many seconds, and return whether all are counted."""
        return self.live.count(seconds) and self.comparison.count(seconds)

    def exactly(self) -> Distribution:
        """Return the odds of the fact, counted to the end.

        Raises:
            DiceError: the mechanic cannot be played, or a limit was exceeded.
        """
        if error := self._error():
            raise error
        if not self._fact:
            raise ParameterError("this panel has no odds", hint="count those of a mechanic: dd.odds(...)")
        return self.live.exactly()

    # Comparing

    def pin(self) -> None:
        """Keep the odds of the present values, to be compared with others; this can be undone.

        Raises:
            DiceError: the values are not valid, there are no odds, or as many are pinned as there may be.
        """
        if error := self._error():
            raise error
        rule, form = self.live.rule, self._seat.form
        if rule is None:
            raise ParameterError("there are no odds to compare")
        if rule in form.pins:
            return
        if len(form.pins) >= MAX_PINS:
            raise ParameterError(f"{MAX_PINS} settings are pinned already", hint="unpin one of them")
        self._seat.put_form(form._replace(pins=(*form.pins, rule)))

    def unpin(self, index: int | None = None) -> None:
        """Remove pinned odds, which can be undone.

        Parameters:
            index: the index among those pinned, from 0; by default all are removed.

        Raises:
            ParameterError: nothing is pinned there.
        """
        form = self._seat.form
        if index is not None and not 0 <= index < len(form.pins):
            raise ParameterError(f"nothing is pinned at {index}")
        kept = () if index is None else (*form.pins[:index], *form.pins[index + 1 :])
        self._seat.put_form(form._replace(pins=kept))

    # Plain data

    def state(self, outcome: Outcome | None) -> dict[str, Any]:
        """Return the ``odds`` as a page shows them, ``None`` if there are none, and a ``comparison`` if there is one.

        Parameters:
            outcome: the outcome whose value is marked.
        """
        odds, comparison = self.live.state(outcome, self._show), self.comparison.state(outcome, self._show)
        if odds is not None:
            # While an input is not valid, the odds are those of the last valid values.
            odds |= {"choices": list(self.facts), "stale": self.live.rule != self._rule()}
        return {"odds": odds, **({} if comparison is None else {"comparison": comparison})}

    def file(self, kind: str, outcome: Outcome | None) -> dict[str, str]:
        """Return the odds that the chart shows, pinned ones included, as a file: its ``name`` and its ``text``.

        Parameters:
            kind: ``csv``, or ``picture`` for the chart as SVG.
            outcome: the outcome whose value is marked.

        Raises:
            ParameterError: there are no odds, or they are not counted.
        """
        from dicedocs.panel.view.odds_file import odds_file

        series = self.comparison.charted()
        if not series:
            raise ParameterError("the odds are not counted yet", hint="wait until the chart is shown")
        if len(series) == 1:
            series = {"": next(iter(series.values()))}
        value = self.live.value_of(outcome)
        marked = [] if value is MISSING else [value]
        bands = self.live.bands if len(series) == 1 else ()
        return odds_file(series, kind, self.live.fact, marked, bands=bands, show=self._show)
