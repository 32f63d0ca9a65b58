"""Odds that are counted a little at a time, so that the panel that shows them stays responsive.

>>> from dicedocs.rules.registry import mechanic
>>> odds = LiveOdds(mechanic("methuen/expression")(expression="3d6"), "total")
>>> odds.count(seconds=1)
True
>>> odds.state(None)["mean"]
'10.5'
"""

from __future__ import annotations

from collections.abc import Generator
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, Literal

from dicedocs.errors import LimitError
from dicedocs.rules.kinds import all_integers
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.params import MISSING

if TYPE_CHECKING:
    from dicedocs.probability.distribution import Distribution

State = Literal["counting", "done", "estimated", "refused"]
SAMPLES: Final = 10_000
"""Rolls that are made instead if there is too much to count; they show the shape within about one percent."""


class LiveOdds:
    """The odds of one fact of one mechanic, as far as they are counted.

    Parameters:
        rule: the mechanic with its parameters, if there is one.
        fact: the name of the fact.

    Attributes:
        distribution: the odds, once they are counted.
    """

    def __init__(self, rule: Mechanic | None = None, fact: str = "") -> None:
        self.rule = rule
        self.fact = fact
        self.distribution: Distribution | None = None
        self.error: Exception | None = None
        self._count = None if rule is None else _enumerate(rule, fact)
        self._progress = 0.0
        self._estimated = False
        self._charts: dict[object, dict[str, Any]] = {}

    def of(self, rule: Mechanic, fact: str) -> bool:
        """Return whether these are the odds of a fact of a mechanic."""
        return fact == self.fact and rule == self.rule

    @property
    def counting(self) -> bool:
        """Whether the counting is not finished."""
        return self._count is not None

    def count(self, seconds: float) -> bool:
        """Continue to count for some time; return whether the counting is finished."""
        deadline = perf_counter() + seconds
        while self._count is not None:
            try:
                self._progress = next(self._count)
            except StopIteration as done:
                self.distribution, self._count = done.value, None
            except LimitError as error:
                self._start_sampling(error)
            except Exception as error:  # noqa: BLE001  # whatever a game's rule raises is shown, and raised by `exactly`
                self.error, self._count = error, None
            if perf_counter() >= deadline:
                break
        return self._count is None

    def exactly(self) -> Distribution:
        """Return the exact distribution, counted to the end.

        Raises:
            LimitError: there is too much to count.
            DiceError: the mechanic cannot be played.
            RuntimeError: there is no mechanic, or it is not a function of its dice.
        """
        while self._count is not None and not self._estimated:
            self.count(1.0)
        if self.error is not None:
            raise self.error
        if self.distribution is None:
            raise RuntimeError("there is no mechanic whose odds could be counted")
        return self.distribution

    def _start_sampling(self, error: LimitError) -> None:
        """Sample what is too much to count, unless it was sampling that passed a limit."""
        self.error, self._count = error, None
        if not self._estimated and self.rule is not None:
            self._estimated = True
            self._count = _sample(self.rule, self.fact)

    def state(self, outcome: Outcome | None) -> dict[str, Any] | None:
        """Return the odds as plain data, marking the value of an outcome if it is of this mechanic.

        Returns:
            ``fact``; ``label``; ``state``; ``progress`` from 0 to 1; ``message``, an error or a note about an estimate;
            ``mean``, empty if there is none; ``bars``, each a list of its text, its probability and its percentage;
            ``here``, the index of the bar with the outcome's value, or -1; ``where``, the position of that value in
            words. ``None`` without a mechanic.
        """
        if self.rule is None:
            return None
        state: State = "counting" if self._count else "done" if not self.error else "refused"
        message = str(self.error or "")
        if self._estimated and self.distribution is not None:
            state = "estimated"
            message = f"There is too much to count: this is how {SAMPLES} rolls fell."
        elif self._estimated and self._count:
            message = ""
        value = outcome.fact(self.fact) if outcome is not None and outcome.rule == self.rule else MISSING
        label = type(self.rule).result().facts_of[self.fact].label
        return {
            "fact": self.fact,
            "label": label,
            "state": state,
            "progress": round(self._progress, 2),
            "message": message,
            **self._chart_data(label, value),
        }

    def _chart_data(self, label: str, value: object) -> dict[str, Any]:
        """Return the mean, the bars and the position of a value among them; computed once for each value."""
        if self.distribution is None:
            return {"mean": "", "bars": [], "here": -1, "where": ""}
        if value not in self._charts:
            from dicedocs.render.chart import build_chart

            marked = [] if value is MISSING else [value]
            bars = build_chart({label: self.distribution}, marked=marked).data()
            self._charts[value] = {
                "mean": _mean(self.distribution),
                "bars": [[bar["text"], round(bar["p"], 4), bar["percent"]] for bar in bars],
                "here": next((index for index, bar in enumerate(bars) if bar["here"]), -1),
                "where": "" if value is MISSING else _position_text(self.distribution, value),
            }
        return self._charts[value]


def _enumerate(rule: Mechanic, fact: str) -> Generator[float, None, Distribution]:
    # Imported when counting begins, since a panel need not show odds.
    from dicedocs.probability.enumeration import enumerate_odds

    return (yield from enumerate_odds(rule, fact))


def _sample(rule: Mechanic, fact: str) -> Generator[float, None, Distribution]:
    from dicedocs.probability.estimation import sample_odds

    return (yield from sample_odds(rule, fact, samples=SAMPLES, seed=0))


def _mean(distribution: Distribution) -> str:
    from dicedocs.render.numbers import decimal

    return decimal(distribution.mean) if _is_numeric(distribution) else ""


def _is_numeric(distribution: Distribution) -> bool:
    return all_integers(distribution.values)


def _position_text(distribution: Distribution, value: Any) -> str:
    from dicedocs.render.chart import value_label
    from dicedocs.render.numbers import percent_column

    if not _is_numeric(distribution) or type(value) is not int:
        return f"{value_label(value)}: {percent_column([distribution.exactly(value)])[0]}"
    up, down = percent_column([distribution.at_least(value), distribution.at_most(value)])
    return f"{value} or more: {up}, {value} or less: {down}"
