"""The cells of a table of odds: a row for each value of a fact, or one event or average in several settings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Final

from dicedocs import Distribution, limits
from dicedocs.errors import quoted
from dicedocs.probability.event import Event
from dicedocs.probability.sweep import Setting
from dicedocs.render.chart import column_title, merge_values, value_label
from dicedocs.render.numbers import decimal_column, percent_column
from dicedocs.render.words import clean
from dicedocs.rules.kinds import as_text
from dicedocs_sphinx.blocks.odds import Rows
from dicedocs_sphinx.blocks.odds_query import DirectiveError, OddsQuery
from dicedocs_sphinx.diagnostics import Problem

_Head = tuple[str, list[str]]
_EXACTLY: Final = "exactly"
_COMPARISONS: Final[Mapping[str, Callable[[Distribution, int], Fraction]]] = {
    _EXACTLY: Distribution.exactly,
    "at least": Distribution.at_least,
    "at most": Distribution.at_most,
}
"""How the rows of a table of values compare, by the option ``show``."""
_AVERAGE: Final = "average"
_HYPHEN: Final = re.compile(r"^at-(least|most)\b")


def lay_out_table(query: OddsQuery) -> tuple[Rows, list[_Head]]:
    """Return the cells of a table, its heads first, and the heads over several columns with the heads below them.

    Raises:
        DirectiveError: an option has a value with which there is no table.
    """
    show = _HYPHEN.sub(r"at \1", " ".join(query.block["show"].split())) or _EXACTLY
    decimals = _decimals(query.block["decimals"])
    if show not in _COMPARISONS:
        rows = _event_rows(query, show, decimals)
    elif query.block["rows"]:
        message = "rows wants the chance of one event, or the average; add show: at least 12, or show: average"
        raise DirectiveError(Problem.OPTION, message, "rows")
    else:
        rows = _value_rows(query, show, decimals)
    columns = groupby(query.settings("vary"), lambda setting: setting.label(query.rule))
    return rows, [(clean(name), [query.value(setting) for setting in each]) for name, each in columns]


def _decimals(text: str) -> int | None:
    if text and text not in {*"0123456789"}:
        message = f"{quoted(text)} is not a number of decimals; write one from 0 to 9"
        raise DirectiveError(Problem.OPTION, message, "decimals")
    return int(text) if text else None


def _value_rows(query: OddsQuery, comparison: str, decimals: int | None) -> Rows:
    """Return a table with a row for each value of a fact."""
    series = query.series()
    first = next(iter(series.values()))
    values = merge_values([one.values for one in series.values()])
    with query.option("mechanic"):
        limits.ITEMS.check(len(values), hint="make a dice:odds, which groups them")
    head = column_title(first)
    if comparison != _EXACTLY:
        head += f" {comparison}"
        if any(type(value) is not int for value in values):
            fact = quoted(first.names[0])
            message = f"not all values of {fact} are numbers, so they cannot be shown as {quoted(comparison)}"
            raise DirectiveError(Problem.OPTION, message, "show")
    chance = _COMPARISONS[comparison]
    figures = [[chance(one, value) for one in series.values()] for value in values]
    return _format_cells(
        [head, *(name or "Chance" for name in series)],
        map(value_label, values),
        figures,
        percent_column,
        decimals,
    )


def _event_rows(query: OddsQuery, show: str, decimals: int | None) -> Rows:
    """Return a table whose cells are averages, or probabilities of one event."""
    columns: list[tuple[Setting, ...]] = [(each,) for each in query.settings("vary")] or [()]
    with query.option("show"):
        event = None if show == _AVERAGE else Event.read(show)
    rows: list[tuple[str, str, tuple[Setting, ...]]]
    known = query.rule.result().facts_of
    fact_label = ""
    if query.block["rows"]:
        fact = query.fact()
        fact_label = known[fact].label
        settings = query.settings("rows")
        same_parameter = len({each.name for each in settings}) == 1
        head = settings[0].label(query.rule) if same_parameter else "Setting"
        rows = [(query.value(each) if same_parameter else query.head(each), fact, (each,)) for each in settings]
    else:
        head = "Fact"
        rows = [(known[each].label, each, ()) for each in query.facts()]
    with query.option("rows"):
        limits.ITEMS.check(len(rows) * len(columns), hint="name fewer settings")

    query.subject.plan(len(rows) * len(columns))

    def figure(fact: str, *settings: Setting) -> Fraction:
        return query.average(fact, *settings) if event is None else query.chance(event, fact, *settings)

    figures = [[figure(fact, *column, *row) for column in columns] for _, fact, row in rows]
    only_head = "Average" if event is None else _event_head(event, fact_label)
    heads = [clean(head), *(query.head(*column) if column else only_head for column in columns)]
    labels = (clean(name) for name, *_ in rows)
    return _format_cells(heads, labels, figures, decimal_column if event is None else percent_column, decimals)


def _event_head(event: Event, fact: str) -> str:
    """Return the head of a column of probabilities: the fact, if there is one, and the event."""
    words = "" if fact and str(event) == as_text(True) else str(event)
    return clean(f"{fact} {words}".strip()) if fact else clean(words).capitalize()


def _format_cells(
    heads: Sequence[str],
    labels: Iterable[str],
    figures: Sequence[Sequence[Fraction]],
    format_all: Callable[..., list[str]],
    decimals: int | None,
) -> Rows:
    """Return a table, all of whose figures have the same decimals."""
    flat = [figure for row in figures for figure in row]
    texts = iter(format_all(flat) if decimals is None else format_all(flat, decimals))
    rows = tuple((label, *(next(texts) for _ in row)) for label, row in zip(labels, figures, strict=True))
    return (tuple(heads), *rows)
