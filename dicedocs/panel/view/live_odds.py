"""Odds that are counted a little at a time, so that the panel that shows them stays responsive.

>>> from dicedocs.rules.registry import mechanic
>>> odds = LiveOdds(mechanic("methuen/expression")(expression="3d6"), "total")
>>> odds.count(seconds=1)
True
>>> odds.state(None)["mean"]
'10.5'
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Mapping
from contextlib import suppress
from functools import cached_property
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, Literal

from dicedocs import limits
from dicedocs.errors import LimitError, wrap_error
from dicedocs.render.scale import Band, odds_bands
from dicedocs.render.words import labelled
from dicedocs.rules.kinds import Kind, PoolFacesKind, all_integers
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.params import MISSING
from dicedocs.syntax.decisions import Undecided, is_for_best_play
from dicedocs.translation import gettext as _
from dicedocs.translation import mark, ngettext, word

if TYPE_CHECKING:
    from dicedocs.probability.distribution import Distribution
    from dicedocs.render.table import Show

ODDS_SHOWS: Final[Mapping[Show, str]] = {
    "exactly": mark("Exactly"),
    "at least": mark("At least"),
    "at most": mark("At most"),
}
"""What a bar of a chart may be, with its label: the probability of its value, or of this and all higher or lower ones.
"""
_KEPT: Final = 8
"""The odds that a panel keeps: the present ones, those that are compared, and a few before."""
State = Literal["counting", "done", "estimated", "refused"]
COUNT_SECONDS: Final = 0.02
"""How long odds are counted at a time, so that whatever is done meanwhile is answered soon."""
SAMPLES: Final = 10_000
"""Rolls that are made instead if there is too much to count; they show the shape within about one percent."""


class LiveOdds:
    """The odds of one fact of one mechanic, as far as they are counted.

    Parameters:
        rule: the mechanic with its parameters, if there is one.
        fact: the name of the fact.
        best: what open choices are played for; empty if nobody has said it, and ``None`` where nobody can.

    Attributes:
        distribution: the odds, once they are counted.
    """

    def __init__(self, rule: Mechanic | None = None, fact: str = "", best: str | None = None) -> None:
        self.rule = rule
        self.fact = fact
        self._can_say_best = best is not None
        self._best = best if best and rule is not None and is_for_best_play(rule) else ""
        self.distribution: Distribution | None = None
        self.error: BaseException | None = None
        self._count = None if rule is None else _enumerate(rule, fact, self._best)
        self._seconds_left: float = limits.PANEL_SECONDS.maximum
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

    def count(self, seconds: float = COUNT_SECONDS) -> bool:
        """Continue to count for some time; return whether the counting is finished."""
        now = perf_counter()
        deadline = now + seconds
        while self._count is not None:
            before = now
            try:
                self._progress = next(self._count) if self._seconds_left > 0 else self._count.throw(_time_is_up())
            except StopIteration as done:
                self.distribution, self._count = done.value, None
            except LimitError as error:
                self._start_sampling(error)
            except BaseException as error:
                if isinstance(error, Undecided) and self._can_say_best:
                    error.offer_best('best="{}"')
                # Whatever a game's rule raises is shown, and raised by `exactly`.
                self.error, self._count = error, None
                if not isinstance(error, Exception):
                    raise
            now = perf_counter()
            self._seconds_left -= now - before
            if now >= deadline:
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
        """Sample what is too much to count, unless it was sampling that passed a limit, or nobody knows how to play."""
        self.error, self._count = error, None
        if not self._estimated and self.rule is not None and not self._best:
            self._estimated = True
            self._seconds_left = limits.PANEL_SECONDS.maximum
            self._count = _sample(self.rule, self.fact)

    def state(self, outcome: Outcome | None, show: Show = "exactly") -> dict[str, Any] | None:
        """Return the odds as plain data, marking the value of an outcome if it is of this mechanic.

        Parameters:
            outcome: the outcome.
            show: what a bar is: the probability of its numbers, or of these and all higher or lower ones.

        Returns:
            ``fact``; ``label``; ``state``; ``progress`` from 0 to 1; ``message``, an error or a note about the bars;
            ``mean`` and ``deviation``, empty if there are none; ``show``, which is ``exactly`` where nothing is higher
            or lower; ``numeric``, whether something is; ``bars``, each a list of its text, its probability and its
            percentage; ``bands``, each a list of what it means, its first bar, the first bar after it, and its
            percentage; ``here``, the index of the bar with the outcome's value, or -1; ``where``, the position of that
            value in words. ``None`` without a mechanic.
        """
        if self.rule is None:
            return None
        state: State = "counting" if self._count else "done" if not self.error else "refused"
        label = word(type(self.rule).result().facts_of[self.fact].label)
        data = self._chart_data(label, self.value_of(outcome), show)
        message = data["message"] or (str(wrap_error(self.error)) if self.error else "")
        if self.note:
            state = "estimated"
            message = f"{self.note} {data['message']}".strip()
        elif self._best and self.distribution is not None:
            message = f"{self.played_for} {data['message']}".strip()
        elif self._estimated and self._count:
            message = ""
        progress = round(self._progress, 2)
        return {**data, "fact": self.fact, "label": label, "state": state, "progress": progress, "message": message}

    @property
    def played_for(self) -> str:
        """That the odds are of best play, and for what; empty if they are not."""
        return _("Best play for {figures}.").format(figures=self._best) if self._best else ""

    @property
    def note(self) -> str:
        """That the odds are estimated, and from how many rolls; empty if they are not."""
        if not self._estimated:
            return ""
        from dicedocs.probability.estimation import Estimate

        if not isinstance(self.distribution, Estimate):
            return ""
        rolls = self.distribution.samples
        return ngettext(
            "Too much to count: this is how {count} roll came out.",
            "Too much to count: this is how {count} rolls came out.",
            rolls,
        ).format(count=rolls)

    def value_of(self, outcome: Outcome | None) -> object:
        """Return the value of the fact in an outcome, if it is one of this mechanic; else ``MISSING``."""
        return outcome.fact(self.fact) if outcome is not None and outcome.rule == self.rule else MISSING

    @cached_property
    def bands(self) -> tuple[Band, ...]:
        """The bands of the fact; none if the rule fails when it is played to find them."""
        if self.rule is None:
            return ()
        try:
            return odds_bands(self.rule, self.fact)
        except Exception:  # noqa: BLE001  # a game's rule may raise anything; its odds are still shown
            return ()

    @cached_property
    def _is_pool(self) -> bool:
        """Whether the fact is a pool of dice."""
        kinds: Mapping[str, Kind] = {}
        with suppress(TypeError):  # a fact whose type has no text form
            kinds = {} if self.rule is None else type(self.rule).fact_kinds()
        return isinstance(kinds.get(self.fact), PoolFacesKind)

    def _chart_data(self, label: str, value: object, show: Show) -> dict[str, Any]:
        """Return the mean, the bars and the position of a value among them; computed once for each value."""
        if self.distribution is None:
            empty = {"mean": "", "deviation": "", "message": "", "bars": [], "bands": [], "here": -1, "where": ""}
            return {**empty, "show": "exactly", "numeric": False}
        if (value, show) not in self._charts:
            self._charts[value, show] = _chart_data(
                self.distribution, label, value, show, self.bands, pooled=self._is_pool, estimated=bool(self.note)
            )
        return self._charts[value, show]


class OddsCache:
    """The odds that a panel has counted, or began to count.

    Parameters:
        best: as for :class:`LiveOdds`.

    >>> from dicedocs.rules.registry import mechanic
    >>> cache, rule = OddsCache(), mechanic("methuen/expression")(expression="3d6")
    >>> cache.of(rule, "total") is cache.of(rule, "total")
    True
    """

    def __init__(self, best: str | None = None) -> None:
        self._best = best
        self._known: list[LiveOdds] = []

    def of(self, rule: Mechanic, fact: str) -> LiveOdds:
        """Return the odds of a fact of a mechanic."""
        found = next((one for one in self._known if one.of(rule, fact)), None) or LiveOdds(rule, fact, self._best)
        self._known = [found, *(one for one in self._known if one is not found)][:_KEPT]
        return found

    def forget_refused(self, but: Collection[Mechanic] = ()) -> None:
        """Forget what could not be counted, which is tried again: a limit may have been raised since.

        Parameters:
            but: mechanics whose odds are kept.
        """
        self._known = [one for one in self._known if one.error is None or one.rule in but]


def _chart_data(
    distribution: Distribution,
    label: str,
    value: object,
    show: Show,
    bands: tuple[Band, ...],
    *,
    pooled: bool,
    estimated: bool,
) -> dict[str, Any]:
    from dicedocs.render.chart import build_chart, value_label
    from dicedocs.render.numbers import local_figure
    from dicedocs.render.signs import in_print
    from dicedocs.render.table import chart_figures, chart_shares

    where = "" if value is MISSING else _position_text(distribution, value)
    mean, deviation = moments(distribution)
    data = {"mean": in_print(mean), "deviation": deviation, "message": "", "where": in_print(where), "numeric": False}
    if len(distribution) == 1 and not distribution.remainder and not estimated:
        # A single bar would only say that it is certain.
        certain = _("Always {value}.").format(value=value_label(distribution.values[0]))
        same = {"mean": "", "deviation": "", "where": ""}
        return data | same | {"message": certain, "bars": [], "bands": [], "here": -1, "show": "exactly"}
    charted, note = _summed(distribution) if pooled else (distribution, "")
    marked = [] if value is MISSING else [value if charted is distribution else sum(value)]  # type: ignore[call-overload]
    chart = build_chart({label: charted}, marked=marked, bands=bands)
    show = show if chart.numeric else "exactly"
    percents = chart_figures(chart, 0, show)
    return data | {
        "message": note or chart.note,
        "show": show,
        "numeric": chart.numeric,
        "bars": [
            [in_print(bar.label), round(share, 4), local_figure(percent)]
            for bar, share, percent in zip(chart.bars, chart_shares(chart, 0, show), percents, strict=True)
        ],
        "bands": [[label, start, stop, local_figure(percent)] for label, start, stop, percent in chart.bands],
        "here": next((index for index, bar in enumerate(chart.bars) if bar.marked), -1),
    }


def _summed(distribution: Distribution) -> tuple[Distribution, str]:
    """Return the odds of the sums of pools if there are many pools, and a note that says so."""
    from dicedocs.render.chart import MAX_BARS

    pools = distribution.values
    if len(pools) <= MAX_BARS or not all(type(pool) is tuple and all_integers(pool) for pool in pools):
        return distribution, ""
    return distribution.map(sum), _("There are {count} values: these are their sums.").format(count=len(pools))


def _time_is_up() -> LimitError:
    limit = limits.PANEL_SECONDS
    message = f"the odds take longer than {limit.maximum} seconds; the limit {limit.name} is {limit.maximum}"
    return LimitError(message, limit=limit.name, hint=f"make the rule faster, {limits.RAISE}")


def _enumerate(rule: Mechanic, fact: str, best: str) -> Generator[float, None, Distribution]:
    # Imported when counting begins, since a panel need not show odds.
    from dicedocs.probability.enumeration import enumerate_odds

    return (yield from enumerate_odds(rule, fact, best=best))


def _sample(rule: Mechanic, fact: str) -> Generator[float, None, Distribution]:
    from dicedocs.probability.estimation import sample_odds

    return (yield from sample_odds(rule, fact, samples=SAMPLES, seed=0))


def moments(distribution: Distribution) -> tuple[str, str]:
    """Return the mean and the standard deviation as figures for a reader; empty if the values are not numbers."""
    from dicedocs.render.numbers import decimal, local_figure, root

    if not _is_numeric(distribution):
        return "", ""
    return local_figure(decimal(distribution.mean)), local_figure(decimal(root(distribution.variance)))


def _is_numeric(distribution: Distribution) -> bool:
    return all_integers(distribution.values)


def _position_text(distribution: Distribution, value: Any) -> str:
    from dicedocs.render.chart import value_label
    from dicedocs.render.numbers import local_figure, or_less, or_more, percent_column

    if not _is_numeric(distribution) or type(value) is not int:
        return labelled(value_label(value), local_figure(percent_column([distribution.exactly(value)])[0]))
    up, down = map(local_figure, percent_column([distribution.at_least(value), distribution.at_most(value)]))
    return f"{labelled(or_more(value), up)}, {labelled(or_less(value), down)}"
