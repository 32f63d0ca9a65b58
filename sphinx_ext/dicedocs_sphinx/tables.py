"""The cells of a table of odds: a row for each value of a fact, or one event or average in several situations."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import TYPE_CHECKING, Final

from dicedocs import Distribution, limits
from dicedocs.errors import quoted
from dicedocs.probability.event import Event
from dicedocs.render.chart import column_title, merge_values, value_label
from dicedocs.render.numbers import decimal_column, percent_column
from dicedocs.render.words import clean
from dicedocs.rules.kinds import as_text
from dicedocs_sphinx.inquiry import Unfit
from dicedocs_sphinx.problems import Problem

if TYPE_CHECKING:
    from dicedocs.probability.sweep import Setting
    from dicedocs_sphinx.counted import Rows
    from dicedocs_sphinx.inquiry import Inquiry

_Head = tuple[str, list[str]]
_EXACTLY: Final = "exactly"
_WAYS: Final[Mapping[str, Callable[[Distribution, int], Fraction]]] = {
    _EXACTLY: Distribution.exactly,
    "at least": Distribution.at_least,
    "at most": Distribution.at_most,
}
"""How a row of a table of values is read."""
_AVERAGE: Final = "average"
_HYPHEN: Final = re.compile(r"^at-(least|most)\b")


def laid_out(inquiry: Inquiry) -> tuple[Rows, list[_Head]]:
    """Give the cells of a table, its heads first, and the heads over several columns with what is left of theirs.

    Raises:
        Unfit: it cannot be counted as it is written.
    """
    show = _HYPHEN.sub(r"at \1", " ".join(inquiry.counted["show"].split())) or _EXACTLY
    places = _places(inquiry.counted["decimals"])
    if show not in _WAYS:
        rows = _of_situations(inquiry, show, places)
    elif inquiry.counted["rows"]:
        message = "rows wants the chance of one event, or the average; add show: at least 12, or show: average"
        raise Unfit(Problem.OPTION, message, "rows")
    else:
        rows = _of_values(inquiry, show, places)
    columns = groupby(inquiry.settings("vary"), lambda setting: setting.label(inquiry.rule))
    return rows, [(clean(name), [inquiry.value(setting) for setting in each]) for name, each in columns]


def _places(text: str) -> int | None:
    if text and text not in {*"0123456789"}:
        message = f"{quoted(text)} is no number of decimals; write one from 0 to 9"
        raise Unfit(Problem.OPTION, message, "decimals")
    return int(text) if text else None


def _of_values(inquiry: Inquiry, way: str, places: int | None) -> Rows:
    """Lay out a table with a row for each value of a fact."""
    series = inquiry.series()
    first = next(iter(series.values()))
    values = merge_values([one.values for one in series.values()])
    with inquiry.reading("mechanic"):
        limits.ITEMS.check(len(values), hint="make a dice:odds, which groups them")
    head = column_title(first)
    if way != _EXACTLY:
        head += f" {way}"
        if any(type(value) is not int for value in values):
            fact = quoted(first.names[0])
            message = f"not all values of {fact} are numbers, so they cannot be shown as {quoted(way)}"
            raise Unfit(Problem.OPTION, message, "show")
    chance = _WAYS[way]
    figures = [[chance(one, value) for one in series.values()] for value in values]
    return _filled(
        [head, *(name or "Chance" for name in series)], map(value_label, values), figures, percent_column, places
    )


def _of_situations(inquiry: Inquiry, show: str, places: int | None) -> Rows:
    """Lay out a table whose cells are averages, or chances of one event."""
    columns: list[tuple[Setting, ...]] = [(each,) for each in inquiry.settings("vary")] or [()]
    with inquiry.reading("show"):
        event = None if show == _AVERAGE else Event.read(show)
    rows: list[tuple[str, str, tuple[Setting, ...]]]
    known = inquiry.rule.result().facts_of
    about = ""
    if inquiry.counted["rows"]:
        fact = inquiry.fact()
        about = known[fact].label
        settings = inquiry.settings("rows")
        alike = len({each.name for each in settings}) == 1
        head = settings[0].label(inquiry.rule) if alike else "Setting"
        rows = [(inquiry.value(each) if alike else inquiry.head(each), fact, (each,)) for each in settings]
    else:
        head = "Fact"
        rows = [(known[each].label, each, ()) for each in inquiry.facts()]
    with inquiry.reading("rows"):
        limits.ITEMS.check(len(rows) * len(columns), hint="name fewer settings")

    def figure(fact: str, *chosen: Setting) -> Fraction:
        return inquiry.average(fact, *chosen) if event is None else inquiry.chance(event, fact, *chosen)

    figures = [[figure(fact, *column, *row) for column in columns] for _, fact, row in rows]
    alone = "Average" if event is None else _said(event, about)
    heads = [clean(head), *(inquiry.head(*column) if column else alone for column in columns)]
    return _filled(
        heads, (clean(name) for name, *_ in rows), figures, decimal_column if event is None else percent_column, places
    )


def _said(event: Event, fact: str) -> str:
    """Give the head of a column of chances: the fact, when there is one, and what it has to be."""
    words = "" if fact and str(event) == as_text(True) else str(event)
    return clean(f"{fact} {words}".strip()) if fact else clean(words).capitalize()


def _filled(
    heads: Sequence[str],
    labels: Iterable[str],
    figures: Sequence[Sequence[Fraction]],
    written: Callable[..., list[str]],
    places: int | None,
) -> Rows:
    """Give a table, all of whose figures have the same decimals."""
    flat = [figure for row in figures for figure in row]
    texts = iter(written(flat) if places is None else written(flat, places))
    rows = tuple((label, *(next(texts) for _ in row)) for label, row in zip(labels, figures, strict=True))
    return (tuple(heads), *rows)
