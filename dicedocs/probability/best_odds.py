"""The odds of best play, and what in them depends on how ties between equally good ways are broken."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from hashlib import sha256
from operator import itemgetter
from typing import Any, Final, NamedTuple, TypeAlias

from dicedocs.errors import ParameterError
from dicedocs.probability.best_play import Chain, Value
from dicedocs.probability.chains import NeverEnds
from dicedocs.probability.distribution import Distribution
from dicedocs.probability.event import Event
from dicedocs.probability.ordering import ChoiceOrders
from dicedocs.render.chart import fact_title, value_label
from dicedocs.render.numbers import bounds_texts, local_figure
from dicedocs.render.signs import html_text
from dicedocs.render.words import clean, join_words, labelled
from dicedocs.rules.kinds import all_integers, as_line
from dicedocs.translation import gettext as _

Figure: TypeAlias = Callable[[Any], Fraction | int]
"""Takes a value and returns a number, or whether an event holds."""
TIED: Final = "depending on how ties are broken"
"""What an error, or a command, says of a figure with bounds."""
Bounds: TypeAlias = tuple[Fraction, Fraction]
"""The least and the greatest that a figure can be in best play."""

HARDLY: Final = Fraction(1, 10**20)
"""Odds of counted rounds leave out what hardly ever happens, which is worth no more than this."""
_BYTES: Final = 8


class Ties:
    """What is played for, where some ways are equally good.

    Parameters:
        chain: the states of the rule.
        worth: what each end is worth.
        values: the value of each end, of which the odds are.
    """

    def __init__(self, chain: Chain, worth: Mapping[Any, Value], values: Mapping[Any, Any]) -> None:
        self._chain, self._worth, self._values = chain, worth, values
        self.values = tuple(dict.fromkeys(values.values()))
        self._matter: bool | None = None

    def bounds(self, figure: Figure) -> Bounds | None:
        """Return the bounds of the average of a figure; ``None`` if no tie changes it.

        Raises:
            NoBounds: they cannot be computed.
        """
        figures = {value: Fraction(figure(value)) for value in self.values}
        try:
            least, greatest = (self._most(figures, sign) for sign in (-1, 1))
        except (NeverEnds, ParameterError):
            # Somebody may put it off for ever, or each round adds something else.
            raise NoBounds from None
        return (least, greatest) if greatest - least > HARDLY else None

    def _most(self, figures: Mapping[Any, Fraction], sign: int) -> Fraction:
        worth = {end: (*value, sign * figures[self._values[end]]) for end, value in self._worth.items()}
        return sign * self._chain.solve(worth).value[-1]

    @property
    def matter(self) -> bool:
        """Whether they change the odds.

        Different odds have different averages of numbers that have nothing to do with one another, but for about once
        in 2 to the power of 64. Without bounds, ties may change the odds.
        """
        if self._matter is None:
            numbers = {value: _scattered(index) for index, value in enumerate(self.values)}
            self._matter = True
            with suppress(NoBounds):
                self._matter = self.bounds(numbers.__getitem__) is not None
        return self._matter


class NoBounds(ParameterError):
    """Ties may change a figure, and nobody knows by how much."""

    def __init__(self) -> None:
        message = "how ties are broken may change this figure, and it has no known bounds"
        super().__init__(message, hint="add a figure to best that breaks them")


class TiedFigure(NamedTuple):
    """A figure of best play that depends on how ties are broken.

    Parameters:
        fact: the fact that it is of.
        value: the value whose probability it is; ``None`` if it is the mean.
        bounds: what it may be.
    """

    fact: str
    value: bool | str | None
    bounds: Bounds

    @property
    def text(self) -> str:
        """The figure as it is written in a claim."""
        return f"mean({self.fact})" if self.value is None else f"p({self.fact} = {as_line(self.value)})"


class BestOdds(Distribution):
    """The odds of facts in best play, which takes the way that is written first where several are equally good."""

    __slots__ = ("_ties",)

    _ties: Ties | None

    @classmethod
    def of_play(
        cls, counts: dict[Any, int], names: tuple[str, ...], orders: ChoiceOrders, total_ways: int, ties: Ties | None
    ) -> BestOdds:
        """Return the odds of a play, from how often each value comes up; without ties no ways are equally good."""
        self = cls.from_counts(counts, names, orders, total_ways)
        _set_ties(self, ties)
        return self

    @property
    def are_tied(self) -> bool:
        """Whether they depend on how ties are broken."""
        return self._ties is not None and self._ties.matter

    def bounds(self, figure: Figure) -> Bounds | None:
        """Return what the average of a figure may be; ``None`` if it does not depend on how ties are broken.

        Raises:
            NoBounds: they cannot be computed.
        """
        return None if self._ties is None else self._ties.bounds(figure)

    def averaged(self, of: Event | str) -> Figure | None:
        """Return what is averaged for the probability of an event, or for the mean of a fact.

        Parameters:
            of: the event or the fact; ``None`` is returned for a fact that is not always a number.
        """
        if isinstance(of, Event):
            return of.test(self.names)
        part = self._part(of)
        return part if all_integers(map(part, self._possible)) else None

    def tied_figures(self) -> Iterator[TiedFigure]:
        """Yield the means of numbers, and the probabilities of words, that depend on how ties are broken.

        One without known bounds is left out.
        """
        figures: list[tuple[str, bool | str | None, Figure]] = []
        for fact in self.names:
            part = self._part(fact)
            values = dict.fromkeys(map(part, self._possible))
            if all_integers(values):
                figures.append((fact, None, part))
            figures += [(fact, one, _test(part, one)) for one in values if isinstance(one, bool | str)]
        for fact, value, figure in figures:
            bounds = None
            with suppress(NoBounds):
                bounds = self.bounds(figure)
            if bounds is not None:
                yield TiedFigure(fact, value, bounds)

    @property
    def _possible(self) -> tuple[Any, ...]:
        """All that may come up, whatever is chosen; only the values if no ways are equally good."""
        return self.values if self._ties is None else self._ties.values

    def _part(self, fact: str) -> Callable[[Any], Any]:
        return itemgetter(self.names.index(fact)) if len(self.names) > 1 else _itself

    def to_html(self) -> str:
        """Return the odds as HTML, with what depends on how ties are broken."""
        note = series_note({"": self})
        return f'{super().to_html()}<p class="dice-note">{html_text(note)}</p>' if note else super().to_html()

    def __str__(self) -> str:
        return "\n".join(filter(None, (super().__str__(), series_note({"": self}))))


_set_ties = vars(BestOdds)["_ties"].__set__


def _scattered(index: int) -> Fraction:
    """Return a number from 0 to 1 that has nothing to do with others."""
    digest = sha256(str(index).encode()).digest()[:_BYTES]
    return Fraction(int.from_bytes(digest), 256**_BYTES)


def _itself(value: Any) -> Any:
    return value


def _test(part: Callable[[Any], Any], one: bool | str) -> Figure:
    return lambda value: part(value) == one


def figures_note(bounds: Mapping[str, Bounds], *, as_percentage: bool) -> str:
    """Return the sentence about figures, given their bounds by what they are called; empty without any."""
    return _sentence([_figure(name, each, as_percentage=as_percentage) for name, each in bounds.items()])


def series_note(series: Mapping[str, Distribution]) -> str:
    """Return the sentences about distributions, given by their labels; empty if no tie changes them."""
    figures: list[str] = []
    others: list[str] = []
    for label, odds in series.items():
        if not isinstance(odds, BestOdds):
            continue
        tied = list(odds.tied_figures())
        for each in tied:
            is_mean = each.value is None
            of = _("Average") if is_mean else value_label(each.value)
            name = ", ".join(filter(None, (label, fact_title(each.fact) if len(odds.names) > 1 else "", of)))
            figures.append(_figure(name, each.bounds, as_percentage=not is_mean))
        if not tied and odds.are_tied:
            others.append(clean(label or join_words(list(map(fact_title, odds.names)))))
    message = _("The odds depend on how ties are broken: {names}.").format(names=join_words(others)) if others else ""
    return " ".join(filter(None, (_sentence(figures), message)))


def _sentence(figures: Sequence[str]) -> str:
    return _("{figures}, depending on how ties are broken.").format(figures="; ".join(figures)) if figures else ""


def _figure(name: str, bounds: Bounds, *, as_percentage: bool) -> str:
    low, high = map(local_figure, bounds_texts(bounds, as_percentage=as_percentage))
    return labelled(clean(name), _("{low} to {high}").format(low=low, high=high))
