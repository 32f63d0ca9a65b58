"""The odds of several settings of a mechanic side by side: those that were pinned, and the present ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from dicedocs.errors import ParameterError
from dicedocs.panel.live_odds import COUNT_SECONDS, LiveOdds, moments
from dicedocs.render.text import parameter_phrase, parameter_text
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.params import MISSING
from dicedocs.translation import gettext as _

if TYPE_CHECKING:
    from dicedocs.probability.distribution import Distribution
    from dicedocs.render.table import Show

MAX_PINS: Final = 3
"""Settings that can be pinned; with the present ones there are as many as a chart has fills for."""
MAX_BARS: Final = 20
"""Bars of a chart of several settings; more numbers than these are grouped."""
_MAX_LABEL: Final = 40


class Comparison:
    """Odds that were pinned, to be compared with the present ones.

    >>> from dicedocs.rules.registry import mechanic
    >>> roll = mechanic("total-effect/roll")
    >>> comparison, now = Comparison(), LiveOdds(roll(advantage=1), "total")
    >>> comparison.pin(LiveOdds(roll(), "total"))
    >>> comparison.count(1), now.count(1)
    (True, True)
    >>> [series["label"] for series in comparison.state(now, None, "exactly")["series"]]
    ['Advantage 0', 'Advantage 1']
    """

    def __init__(self) -> None:
        self._pins: list[LiveOdds] = []

    def __len__(self) -> int:
        return len(self._pins)

    def pin(self, odds: LiveOdds) -> None:
        """Keep some odds for comparison, once.

        Raises:
            ParameterError: there is no mechanic, or as many are pinned as there may be.
        """
        if odds.rule is None:
            raise ParameterError("there are no odds to compare")
        if self.has(odds):
            return
        if len(self._pins) >= MAX_PINS:
            raise ParameterError(f"{MAX_PINS} settings are pinned already", hint="unpin one of them")
        self._pins.append(odds)

    def has(self, odds: LiveOdds) -> bool:
        """Return whether these odds are pinned."""
        return any(pin.rule == odds.rule for pin in self._pins)

    def unpin(self, index: int) -> None:
        """Remove what was pinned at an index, from 0.

        Raises:
            ParameterError: there is none.
        """
        if not 0 <= index < len(self._pins):
            raise ParameterError(f"nothing is pinned at {index}")
        del self._pins[index]

    def clear(self) -> None:
        """Remove all that was pinned."""
        self._pins.clear()

    @property
    def pins(self) -> tuple[LiveOdds, ...]:
        """What is pinned."""
        return tuple(self._pins)

    def restore(self, pins: Sequence[LiveOdds], fact: str) -> None:
        """Pin again what was pinned at another time.

        Parameters:
            pins: what :attr:`pins` returned.
            fact: the fact that is compared now.
        """
        self._pins = [pin if pin.fact == fact else LiveOdds(pin.rule, fact) for pin in pins]

    def choose_fact(self, fact: str) -> None:
        """Compare the odds of another fact."""
        self.restore(self._pins, fact)

    @property
    def counting(self) -> bool:
        """Whether odds are left to count."""
        return any(pin.counting for pin in self._pins)

    def count(self, seconds: float = COUNT_SECONDS) -> bool:
        """Count odds for so many seconds, and return whether all are counted."""
        pin = next((pin for pin in self._pins if pin.counting), None)
        if pin is not None:
            pin.count(seconds)
        return not self.counting

    def exactly(self, now: LiveOdds) -> dict[str, Distribution]:
        """Return the distributions by their labels, those pinned first; counted to the end.

        Raises:
            DiceError: a mechanic cannot be played, or a limit was exceeded.
        """
        every = self._all(now)
        labels = setting_labels([odds.rule for odds in every if odds.rule is not None])
        return {label: odds.exactly() for label, odds in zip(labels, every, strict=True)}

    def charted(self, now: LiveOdds) -> dict[str, Distribution]:
        """Return the distributions as they are charted, estimates included; none if not all are counted."""
        every = self._all(now)
        labels = setting_labels([odds.rule for odds in every if odds.rule is not None])
        found = {label: odds.distribution for label, odds in zip(labels, every, strict=True)}
        return {label: each for label, each in found.items() if each is not None} if None not in found.values() else {}

    def _all(self, now: LiveOdds) -> list[LiveOdds]:
        return [*self._pins, *([] if now.rule is None or self.has(now) else [now])]

    def state(self, now: LiveOdds, outcome: Outcome | None, show: Show) -> dict[str, Any] | None:
        """Return the comparison as plain data; ``None`` if nothing is pinned.

        Parameters:
            now: the present odds.
            outcome: the last outcome, whose value is marked in every setting.
            show: what a bar is, as for :meth:`LiveOdds.state`.

        Returns:
            ``series``, each with its ``label``, ``mean``, ``deviation``, and ``pin``, its index among those pinned, or
            -1; ``bars``, each a list of its text, its probabilities and its percentages; ``here``, the index of the
            bar with the outcome's value, or -1; ``show`` and ``note``.
        """
        if not self._pins:
            return None
        from dicedocs.render.chart import build_chart
        from dicedocs.render.numbers import local_figure
        from dicedocs.render.table import chart_figures, chart_shares

        every = self._all(now)
        labels = setting_labels([odds.rule for odds in every if odds.rule is not None])
        value = next((each for odds in every if (each := odds.value_of(outcome)) is not MISSING), MISSING)
        series = []
        for index, (label, odds) in enumerate(zip(labels, every, strict=True)):
            mean, deviation = ("", "") if odds.distribution is None else moments(odds.distribution)
            pin = index if index < len(self._pins) else -1
            series.append({"label": label, "mean": mean, "deviation": deviation, "pin": pin})
        counted = [odds.distribution for odds in every if odds.distribution is not None]
        data: dict[str, Any] = {"series": series, "bars": [], "here": -1, "show": "exactly", "note": ""}
        if len(counted) < len(every):
            refused = next((str(odds.error) for odds in every if odds.error and not odds.counting), "")
            return data | {"note": refused or _("The odds are being counted.")}
        marked = [] if value is MISSING else [value]
        chart = build_chart(dict(zip(labels, counted, strict=True)), max_bars=MAX_BARS, marked=marked)
        show = show if chart.numeric else "exactly"
        percents = [chart_figures(chart, index, show) for index in range(len(counted))]
        columns = [chart_shares(chart, index, show) for index in range(len(counted))]
        return data | {
            "bars": [
                [
                    bar.label,
                    [round(column[row], 4) for column in columns],
                    [local_figure(column[row]) for column in percents],
                ]
                for row, bar in enumerate(chart.bars)
            ],
            "here": next((index for index, bar in enumerate(chart.bars) if bar.marked), -1),
            "show": show,
            "note": " ".join(filter(None, [next((odds.note for odds in every if odds.note), ""), chart.note])),
        }


def setting_labels(rules: Sequence[Mechanic]) -> list[str]:
    """Return a label for each of several settings of a mechanic: the parameters in which they differ.

    >>> from dicedocs.rules.registry import mechanic
    >>> roll = mechanic("total-effect/roll")
    >>> setting_labels([roll(), roll(advantage=1, escalation=2)]), setting_labels([roll()])
    (['Advantage 0, Escalation 0', 'Advantage 1, Escalation 2'], ['These settings'])
    """
    if not rules:
        return []
    fields = type(rules[0]).parameters().values()
    differing = [field for field in fields if any(_differ(rules[0], rule, field.name) for rule in rules[1:])]
    labels = []
    for rule in rules:
        parts = []
        for field in differing:
            alone = len(differing) == 1 and field.required
            parts.append((parameter_text if alone else parameter_phrase)(field, getattr(rule, field.name)))
        text = ", ".join(parts) or _("These settings")
        labels.append(text if len(text) <= _MAX_LABEL else f"{text[: _MAX_LABEL - 1]}…")
    # Labels that were shortened may be the same.
    return [label if labels.count(label) == 1 else f"{index}. {label}" for index, label in enumerate(labels, 1)]


def _differ(one: Mechanic, other: Mechanic, name: str) -> bool:
    return bool(getattr(one, name) != getattr(other, name))
