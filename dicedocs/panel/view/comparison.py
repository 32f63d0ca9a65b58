"""The odds of several settings of a mechanic side by side: those that were pinned, and the present ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from dicedocs.panel.view.live_odds import COUNT_SECONDS, LiveOdds, moments
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


class Comparison(NamedTuple):
    """Odds that were pinned, to be compared with the present ones.

    Parameters:
        pins: those that were pinned.
        now: the present ones, which may be among them.

    >>> from dicedocs.rules.registry import mechanic
    >>> roll = mechanic("total-effect/roll")
    >>> comparison = Comparison([LiveOdds(roll(), "total")], LiveOdds(roll(advantage=1), "total"))
    >>> comparison.count(1), comparison.now.count(1)
    (True, True)
    >>> [series["label"] for series in comparison.state(None, "exactly")["series"]]
    ['Advantage 0', 'Advantage 1']
    """

    pins: Sequence[LiveOdds]
    now: LiveOdds

    @property
    def counting(self) -> bool:
        """Whether odds are left to count."""
        return any(pin.counting for pin in self.pins)

    def count(self, seconds: float = COUNT_SECONDS) -> bool:
        """Count odds for so many seconds, and return whether all are counted."""
        pin = next((pin for pin in self.pins if pin.counting), None)
        if pin is not None:
            pin.count(seconds)
        return not self.counting

    def exactly(self) -> dict[str, Distribution]:
        """Return the distributions by their labels, those pinned first; counted to the end.

        Raises:
            DiceError: a mechanic cannot be played, or a limit was exceeded.
        """
        every = self._every
        labels = setting_labels([odds.rule for odds in every if odds.rule is not None])
        return {label: odds.exactly() for label, odds in zip(labels, every, strict=True)}

    def charted(self) -> dict[str, Distribution]:
        """Return the distributions as they are charted, estimates included; none if not all are counted."""
        every = self._every
        labels = setting_labels([odds.rule for odds in every if odds.rule is not None])
        found = {label: odds.distribution for label, odds in zip(labels, every, strict=True)}
        return {label: each for label, each in found.items() if each is not None} if None not in found.values() else {}

    @property
    def _every(self) -> list[LiveOdds]:
        pinned = self.now.rule is None or any(pin.rule == self.now.rule for pin in self.pins)
        return [*self.pins, *([] if pinned else [self.now])]

    def state(self, outcome: Outcome | None, show: Show) -> dict[str, Any] | None:
        """Return the comparison as plain data; ``None`` if nothing is pinned.

        Parameters:
            outcome: the last outcome, whose value is marked in every setting.
            show: what a bar is, as for :meth:`LiveOdds.state`.

        Returns:
            ``series``, each with its ``label``, ``mean``, ``deviation``, and ``pin``, its index among those pinned, or
            -1; ``bars``, each a list of its text, its probabilities and its percentages; ``here``, the index of the
            bar with the outcome's value, or -1; ``show`` and ``note``.
        """
        if not self.pins:
            return None
        from dicedocs.render.chart import build_chart
        from dicedocs.render.numbers import local_figure
        from dicedocs.render.table import chart_figures, chart_shares

        every = self._every
        labels = setting_labels([odds.rule for odds in every if odds.rule is not None])
        value = next((each for odds in every if (each := odds.value_of(outcome)) is not MISSING), MISSING)
        series = []
        for index, (label, odds) in enumerate(zip(labels, every, strict=True)):
            mean, deviation = ("", "") if odds.distribution is None else moments(odds.distribution)
            pin = index if index < len(self.pins) else -1
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
        notes = [_first(odds.note for odds in every), _first(odds.played_for for odds in every), chart.note]
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
            "note": " ".join(filter(None, notes)),
        }


def _first(texts: Iterable[str]) -> str:
    """Return the first text that is not empty, if there is one."""
    return next(filter(None, texts), "")


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
