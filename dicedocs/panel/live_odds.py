"""Odds that are counted a little at a time, while the page that shows them lives.

>>> from dicedocs.rules.registry import mechanic
>>> odds = LiveOdds(mechanic("methuen/expression")(expression="3d6"), "total")
>>> odds.count(seconds=1)
True
>>> odds.state(None)["mean"]
'10.5'
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Hashable
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, Literal

from dicedocs.errors import LimitError
from dicedocs.rules.dice import SeededDice
from dicedocs.rules.mechanic import Mechanic, Outcome
from dicedocs.rules.params import MISSING

if TYPE_CHECKING:
    from dicedocs.probability.distribution import Distribution

State = Literal["counting", "done", "estimated", "refused"]
SAMPLES: Final = 10_000
"""Rolls that are made instead where counting would take too long: they show the shape, within a percent or so."""
_PAUSE: Final = 32
"""Rolls between two looks at the clock."""


class LiveOdds:
    """The odds of one fact of one rule, as far as they are counted.

    Parameters:
        rule: the mechanic with its parameters; nothing as long as there is none.
        fact: the name of the fact.

    Attributes:
        distribution: the odds, once they are counted.
    """

    def __init__(self, rule: Mechanic | None = None, fact: str = "") -> None:
        self.rule = rule
        self.fact = fact
        self.distribution: Distribution | None = None
        self.error: Exception | None = None
        self._count = None if rule is None else _counting(rule, fact)
        self._progress = 0.0
        self._estimated = False
        self._charts: dict[object, dict[str, Any]] = {}

    def of(self, rule: Mechanic, fact: str) -> bool:
        """Tell whether these are the odds of a fact of a rule."""
        return fact == self.fact and rule == self.rule

    @property
    def counting(self) -> bool:
        """Whether something is left to count."""
        return self._count is not None

    def count(self, seconds: float) -> bool:
        """Count on for so long, and tell whether all is counted."""
        until = perf_counter() + seconds
        while self._count is not None:
            try:
                self._progress = next(self._count)
            except StopIteration as done:
                self.distribution, self._count = done.value, None
            except LimitError as error:
                self._instead(error)
            except Exception as error:  # noqa: BLE001  # whatever a stranger's rule raises is shown, and asking raises it
                self.error, self._count = error, None
            if perf_counter() >= until:
                break
        return self._count is None

    def exactly(self) -> Distribution:
        """Count to the end.

        Raises:
            LimitError: there is too much to count.
            DiceError: the rule cannot be played.
            RuntimeError: there is no rule, or it is no function of its dice.
        """
        while self._count is not None and not self._estimated:
            self.count(1.0)
        if self.error is not None:
            raise self.error
        if self.distribution is None:
            raise RuntimeError("there are no odds of nothing")
        return self.distribution

    def _instead(self, error: LimitError) -> None:
        """Take samples of what cannot be counted; of what cannot even be rolled there is nothing."""
        self.error, self._count = error, None
        if not self._estimated and self.rule is not None:
            self._estimated = True
            self._count = _sampling(self.rule, self.fact)

    def state(self, outcome: Outcome | None) -> dict[str, Any] | None:
        """Give the odds as plain data, with the place of an outcome in them when it is of this rule.

        Returns:
            ``fact``; ``label``; ``state``; ``progress`` from 0 to 1; ``message``, what went wrong or stands in for
            the odds; ``mean``, empty when there is none; ``bars``, each a list of its text, its chance and that
            as a percentage; ``here``, the place of the bar in which the outcome is, -1 for none; ``where``, the same in
            words. Nothing without a rule.
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
        mine = outcome is not None and outcome.rule == self.rule
        label = type(self.rule).result().facts_of[self.fact].label
        return {
            "fact": self.fact,
            "label": label,
            "state": state,
            "progress": round(self._progress, 2),
            "message": message,
            **self._drawn(label, outcome.fact(self.fact) if outcome is not None and mine else MISSING),
        }

    def _drawn(self, label: str, value: object) -> dict[str, Any]:
        """Give mean, bars and the place of a value among them, made once for each value."""
        if self.distribution is None:
            return {"mean": "", "bars": [], "here": -1, "where": ""}
        if value not in self._charts:
            from dicedocs.render.chart import build_chart

            marked = [] if value is MISSING else [value]
            bars = build_chart({label: self.distribution}, marked=marked).data()
            self._charts[value] = {
                "mean": _mean(self.distribution),
                "bars": [[bar["text"], round(bar["p"], 4), bar["percent"]] for bar in bars],
                "here": next((place for place, bar in enumerate(bars) if bar["here"]), -1),
                "where": "" if value is MISSING else _where(self.distribution, value),
            }
        return self._charts[value]


def _counting(rule: Mechanic, fact: str) -> Generator[float, None, Distribution]:
    # What counts is imported when there is something to count.
    from dicedocs.probability.enumeration import enumerate_odds

    return (yield from enumerate_odds(rule, fact))


def _sampling(rule: Mechanic, fact: str) -> Generator[float, None, Distribution]:
    from dicedocs.probability.distribution import Distribution

    dice = SeededDice(0)
    counts: Counter[Hashable] = Counter()
    for made in range(SAMPLES):
        counts[rule.play(dice).fact(fact)] += 1
        if made % _PAUSE == 0:
            yield made / SAMPLES
    return Distribution(counts, (fact,))


def _mean(distribution: Distribution) -> str:
    from dicedocs.render.numbers import decimal

    return decimal(distribution.mean) if _numbers(distribution) else ""


def _numbers(distribution: Distribution) -> bool:
    return all(type(value) is int for value in distribution.values)


def _where(distribution: Distribution, value: Any) -> str:
    from dicedocs.render.chart import value_label
    from dicedocs.render.numbers import percent_column

    if not _numbers(distribution) or type(value) is not int:
        return f"{value_label(value)}: {percent_column([distribution.exactly(value)])[0]}"
    up, down = percent_column([distribution.at_least(value), distribution.at_most(value)])
    return f"{value} or more: {up}, {value} or less: {down}"
