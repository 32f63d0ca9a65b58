"""Where a number fell: the bands of a scale, such as failure and success, as plain data.

The bands are those that a fact declares, or else those of a step: a number that was looked up has the rows of its
table, and, in its odds, a number that was compared has two bands, at the threshold.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any, Final, NamedTuple

from dicedocs.errors import listed, quoted
from dicedocs.render.numbers import or_less, or_more
from dicedocs.render.sentences import step_label
from dicedocs.render.words import clean, display_text, labelled
from dicedocs.rules.kinds import all_integers
from dicedocs.rules.mechanic import Mechanic
from dicedocs.rules.outcome import Outcome
from dicedocs.rules.seeds import SeededDice
from dicedocs.rules.steps import Step
from dicedocs.translation import gettext as _
from dicedocs.translation import word

_MIN_BANDS: Final = 3
"""The fewest bands of a scale: on which side of a single threshold a number fell is the verdict."""
_MAX_BANDS: Final = 12
"""More bands than these have no room for their words, on a scale or in a chart."""
_LARGEST: Final = 10**12
"""Numbers from this on are not drawn on a scale."""
_PLAYS: Final = 40
"""The plays in which a step must have the same bands, so that they are those of a fact."""
_FEWEST_PLAYS: Final = 4
_DICE: Final = 4_000
"""After so many dice the fewest plays are enough."""
_EVEN: Final = 0.7
"""The part of a scale that all bands share equally, whatever their numbers."""
_OPEN: Final = 5
"""Numbers that are drawn of an open band, at least."""
_HOLDS_FROM: Final[Mapping[str, tuple[bool, int]]] = {
    ">=": (True, 0),
    ">": (True, 1),
    "<": (False, 0),
    "<=": (False, 1),
}
"""Whether the upper band of a comparison is the one in which it holds, and how far above its right side it starts."""


class Band(NamedTuple):
    """Numbers that mean the same.

    Parameters:
        label: what they mean.
        start: the first of them; ``None`` if they have no lower bound.
        stop: the first number after them; ``None`` if they have no upper bound.
    """

    label: str
    start: int | None
    stop: int | None

    def has(self, number: int) -> bool:
        """Return whether a number is in the band."""
        return (self.start is None or self.start <= number) and (self.stop is None or number < self.stop)

    @property
    def numbers(self) -> str:
        """The numbers in words.

        >>> Band("success", 10, 13).numbers, Band("failure", None, 7).numbers, Band("critical", 20, 21).numbers
        ('10 to 12', '6 or less', '20')
        """
        if self.start is None:
            return _("any number") if self.stop is None else or_less(self.stop - 1)
        if self.stop is None:
            return or_more(self.start)
        last = self.stop - 1
        return str(last) if last == self.start else _("{low} to {high}").format(low=self.start, high=last)


class Scale(NamedTuple):
    """A number and the bands that it may fall in.

    Parameters:
        subject: what the number is; may be empty.
        mark: the number.
        bands: the bands from the lowest to the highest, each beginning where the one before it ends.
        moved: the index of the band to which the rule moved the result from there; ``None`` if it moved nothing.
    """

    subject: str
    mark: int
    bands: tuple[Band, ...]
    moved: int | None = None

    @property
    def here(self) -> int:
        """The index of the band of the number; -1 if it is below all."""
        return next((index for index, band in enumerate(self.bands) if band.has(self.mark)), -1)

    @property
    def end(self) -> int:
        """The index of the band that counts in the end."""
        return self.here if self.moved is None else self.moved

    @property
    def edges(self) -> tuple[float, ...]:
        """The edges of the bands, from 0 to 1.

        The width of a band grows with its numbers, but even the narrowest one has room for its words.
        """
        lengths = [last + 1 - first for first, last in self._ends]
        shares = (_EVEN / len(lengths) + (1 - _EVEN) * length / sum(lengths) for length in lengths)
        return (0.0, *accumulate(shares))

    @property
    def position(self) -> float:
        """The position of the number, from 0 to 1; at an end if it is far beyond the drawn numbers."""
        if self.here < 0:
            return 0.0
        (first, last), edges = self._ends[self.here], self.edges
        part = (min(max(self.mark, first), last) - first + 0.5) / (last + 1 - first)
        return edges[self.here] + part * (edges[self.here + 1] - edges[self.here])

    def middle(self, index: int) -> float:
        """Return the middle of a band, from 0 to 1."""
        return sum(self.edges[index : index + 2]) / 2

    @property
    def _ends(self) -> list[tuple[int, int]]:
        """The first and the last number of each band that are drawn: of an open band as many as of the others."""
        inner = [band.stop - band.start for band in self.bands if band.start is not None and band.stop is not None]
        usual = max([_OPEN, *inner])
        reach = 0
        for bound in (self.bands[0].stop, self.bands[-1].start):
            if bound is not None:
                reach = max(reach, abs(self.mark - bound) + 1)
        room = max(usual, min(reach, 2 * usual))
        return [
            (
                band.start if band.start is not None else (band.stop or 0) - room,
                band.stop - 1 if band.stop is not None else (band.start or 0) + room - 1,
            )
            for band in self.bands
        ]

    @property
    def name(self) -> str:
        """The number and its band in words.

        >>> Scale("Total", 13, table_bands({None: "failure", 10: "success"})).name
        'Total 13, in success (10 or more)'
        >>> Scale("Total", 8, table_bands({None: "failure", 10: "success"}), moved=1).name
        'Total 8, in failure (9 or less), moved to success'
        """
        band = self.bands[max(0, self.here)]
        text = _("{number}, in {band} ({numbers})") if self.here >= 0 else _("{number}, below {band} ({numbers})")
        name = text.format(number=f"{self.subject} {self.mark}".strip(), band=band.label, numbers=band.numbers)
        return (
            name
            if self.moved is None
            else _("{place}, moved to {band}").format(place=name, band=self.bands[self.moved].label)
        )


def table_bands(table: Mapping[int | None, object]) -> tuple[Band, ...]:
    """Return the bands of a table of ``Say.look_up``; neighbours with the same meaning are one band.

    Raises:
        TypeError: the bounds are not whole numbers.

    >>> table_bands({None: "failure", 3: "success", 0: "success"})
    (Band(label='failure', start=None, stop=0), Band(label='success', start=0, stop=None))
    """
    bounds = [bound for bound in table if bound is not None]
    if not all_integers(bounds):
        raise TypeError(f"the bounds of bands are whole numbers, and these are {listed(map(quoted, table), 'and')}")
    starts: list[int | None] = [*([None] if None in table else []), *sorted(bounds)]
    bands: list[Band] = []
    for start in starts:
        label = clean(display_text(table[start]))
        if bands and bands[-1].label == label:
            continue
        if bands:
            bands[-1] = bands[-1]._replace(stop=start)
        bands.append(Band(label, start, None))
    return tuple(bands)


def step_bands(step: Step) -> tuple[Band, ...]:
    """Return the bands of the number that a step looked up or compared; none for any other step.

    >>> from dicedocs.rules.steps import RecordingSay
    >>> say = RecordingSay()
    >>> enough = say.compare("Success", 21, ">", 18)
    >>> step_bands(say.steps[0])
    (Band(label='Success: no', start=None, stop=19), Band(label='Success: yes', start=19, stop=None))
    """
    if step.verb == "look_up":
        table = dict(step.table)
        return table_bands(table) if all_integers(bound for bound in table if bound is not None) else ()
    right = step.terms[1].value if step.verb == "compare" else None
    if type(right) is not int or step.how not in _HOLDS_FROM:
        return ()
    upper, above = _HOLDS_FROM[step.how]
    words = [labelled(step_label(step), display_text(each)) for each in (not upper, upper)]
    return Band(words[0], None, right + above), Band(words[1], right + above, None)


def split_by_bands(bands: Sequence[Band], numbers: Sequence[int]) -> list[tuple[str, range]]:
    """Return the bands that have numbers, each with its label and the indexes of its numbers.

    Parameters:
        bands: the bands from the lowest to the highest.
        numbers: the numbers in order.

    >>> split_by_bands(table_bands({None: "failure", 7: "success", 20: "critical"}), [5, 6, 7])
    [('failure', range(0, 2)), ('success', range(2, 3))]
    """
    starts = (0 if band.start is None else bisect_left(numbers, band.start) for band in bands)
    stops = (len(numbers) if band.stop is None else bisect_left(numbers, band.stop) for band in bands)
    return [
        (band.label, range(*each))
        for band, each in zip(bands, zip(starts, stops, strict=True), strict=True)
        if range(*each)
    ]


def outcome_scale(outcome: Outcome, steps: Sequence[Step] = ()) -> Scale | None:
    """Return the scale of an outcome; ``None`` if its rule reads no number on one.

    It is that of the first fact with bands, else of the first step that looks a number up.

    Parameters:
        steps: the steps of the outcome.

    >>> import dicedocs as dd
    >>> outcome = dd.play("mage-in-the-metal/check", skill=14, dice=[4, 5, 4])
    >>> outcome_scale(outcome).name
    'Total 13, in success (6 to 13)'
    """
    scales = (scale for scale in _scales(outcome, steps) if _is_drawable(scale))
    return next(scales, None)


def _scales(outcome: Outcome, steps: Sequence[Step]) -> Iterator[Scale]:
    for name, fact in outcome.facts_of.items():
        bands, number = fact_bands(outcome.rule, outcome, name), outcome.fact(name)
        if bands and type(number) is int:
            yield Scale(clean(word(fact.label)), number, bands)
    for index, step in enumerate(steps):
        if step.verb == "look_up" and type(step.terms[0].value) is int:
            scale = Scale(step_subject(steps[:index], step), step.terms[0].value, step_bands(step))
            yield scale._replace(moved=_moved(scale, step.value, steps[index + 1 :]))


def _moved(scale: Scale, found: object, after: Sequence[Step]) -> int | None:
    """Return the index of the band to which later steps move what was found on a scale; ``None`` without such steps."""
    end = found
    for step in after:
        if step.verb == "move" and step.terms[0].value == end:
            end = step.value
    labels = [band.label for band in scale.bands]
    label = clean(display_text(end))
    return labels.index(label) if end != found and label in labels else None


def step_subject(before: Sequence[Step], step: Step) -> str:
    """Return the name of the number that a step reads: its own, or the label of the last step that gave it.

    Parameters:
        before: the steps before it.
        step: the step.
    """
    number = step.terms[0]
    given = (each.label for each in reversed(before) if type(each.value) is int and each.value == number.value)
    return clean(word(number.name or next(given, "")))


def _is_drawable(scale: Scale) -> bool:
    numbers = [scale.mark, *(band.start or 0 for band in scale.bands)]
    return _MIN_BANDS <= len(scale.bands) <= _MAX_BANDS and max(map(abs, numbers)) < _LARGEST


def fact_bands(rule: Any, outcome: Outcome | type[Outcome], name: str) -> tuple[Band, ...]:
    """Return the bands that a fact declares, for a mechanic with its parameters; none if it declares none.

    Raises:
        TypeError: the declared bands are not a table by whole numbers.
    """
    table = outcome.facts_of[name].bands_for(rule)
    return table_bands(table) if table else ()


def odds_bands(rule: Mechanic, name: str) -> tuple[Band, ...]:
    """Return the bands of a fact of a mechanic, for its odds; none if they are not the same at every throw.

    They are those that the fact declares. Otherwise the mechanic is played a few times, and they are those of the first
    step that reads the value of the fact every time, with the same bands.

    Raises:
        Exception: the mechanic cannot be played.

    >>> from dicedocs.rules.registry import mechanic
    >>> [band.numbers for band in odds_bands(mechanic("total-effect/roll")(threshold=13), "total")]
    ['12 or less', '13 or more']
    >>> odds_bands(mechanic("methuen/check")(check="1d20 > 1d20"), "left")
    ()
    """
    declared = fact_bands(rule, type(rule).result(), name)
    if declared:
        return declared if len(declared) <= _MAX_BANDS else ()
    shared: dict[tuple[str, ...], tuple[Band, ...]] = {}
    numbers, dice = set(), 0
    for seed in range(_PLAYS):
        outcome = rule.play(SeededDice(seed))
        number = outcome.fact(name)
        found = _bands_by_step(outcome.steps(), number) if type(number) is int else {}
        shared = {key: bands for key, bands in found.items() if seed == 0 or shared.get(key) == bands}
        if not shared:
            return ()
        numbers.add(number)
        dice += len(outcome.dice)
        if dice > _DICE and seed + 1 >= _FEWEST_PLAYS:
            break
    return next(iter(shared.values())) if len(numbers) > 1 else ()


def _bands_by_step(steps: Sequence[Step], number: int) -> dict[tuple[str, ...], tuple[Band, ...]]:
    """Return the bands of each step that reads a number, by what names the step in every play."""
    found: dict[tuple[str, ...], tuple[Band, ...]] = {}
    for step in steps:
        if step.verb in {"look_up", "compare"} and step.terms[0].value == number:
            bands = step_bands(step)
            if 1 < len(bands) <= _MAX_BANDS:
                found.setdefault((step.verb, step.label, step.how), bands)
    return found
