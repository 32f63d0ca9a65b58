"""The cells of a table of odds: a row for each value of a fact, or one event or average in several settings."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Any, Final, NamedTuple

from dicedocs import DiceError, Distribution, limits
from dicedocs.errors import quoted
from dicedocs.probability.best_odds import figures_note, series_note
from dicedocs.probability.event import Event, event_text, read_number
from dicedocs.probability.sweep import Setting
from dicedocs.render.chart import column_title, merge_values, value_label
from dicedocs.render.numbers import decimal_column, percent_column
from dicedocs.render.scale import split_by_bands
from dicedocs.render.table import RowGroup, Table, heat_steps
from dicedocs.render.words import clean
from dicedocs.rules.kinds import all_integers, as_line
from dicedocs.syntax.value_kinds import YES
from dicedocs.translation import gettext as _
from dicedocs.translation import word
from dicedocs_sphinx.blocks.odds_query import DirectiveError, OddsQuery
from dicedocs_sphinx.diagnostics import Problem

_EXACTLY: Final = "exactly"
_COMPARISONS: Final[Mapping[str, Callable[[Distribution, int], Fraction]]] = {
    _EXACTLY: Distribution.exactly,
    "at least": Distribution.at_least,
    "at most": Distribution.at_most,
}
"""How the rows of a table of values compare, by the option ``show``."""
_AVERAGE: Final = "average"
_ZEROS: Final = re.compile(r"(\.\d*?)0+(?=%?$)")
"""The zeros at the end of a decimal fraction."""
_HYPHEN: Final = re.compile(r"^at-(least|most)\b")


class RowFigures(NamedTuple):
    """The figures of a row: as the table shows them, and exact."""

    shown: tuple[str, ...]
    exact: tuple[Fraction, ...]


class _Cells(NamedTuple):
    """A table before its figures are rounded.

    ``values`` are those of each row that the option ``mark`` may name, ``keys`` what ``expect`` calls the rows.
    ``groups`` are the bands of the rows, each with the number of its rows and the sums of their figures, if any.
    ``note`` says what depends on how ties are broken.
    """

    heads: Sequence[str]
    labels: Sequence[str]
    keys: Sequence[str]
    values: Sequence[Collection[object]]
    figures: Sequence[Sequence[Fraction]]
    groups: Sequence[tuple[str, int, Sequence[Fraction]]] = ()
    note: str = ""


def lay_out_table(query: OddsQuery) -> tuple[Table, dict[str, RowFigures]]:
    """Return a table, and the figures of each row by what the expectation calls it.

    Raises:
        DirectiveError: an option has a value with which there is no table.
    """
    show = _HYPHEN.sub(r"at \1", " ".join(query.block.show.split())) or _EXACTLY
    decimals = _decimals(query.block.decimals)
    if show not in _COMPARISONS:
        cells = _event_cells(query, show)
    elif query.block.rows:
        message = "rows needs the chance of one event, or the average; add show: at least 12, or show: average"
        raise DirectiveError(Problem.OPTION, message, "rows")
    else:
        cells = _value_cells(query, show)
    vary = query.settings("vary")
    columns = groupby([] if any(map(query.is_switch, vary)) else vary, lambda setting: setting.label(query.rule))
    # An average may be too large for a float.
    averages = show == _AVERAGE
    probabilities = () if averages else tuple(tuple(map(float, row)) for row in cells.figures)
    rows, row_groups = _format_cells(cells, decimal_column if averages else percent_column, decimals)
    table = Table(
        tuple(cells.heads),
        rows,
        marked=query.marked(cells.values),
        note=cells.note,
        heat=heat_steps(probabilities),
        row_groups=row_groups,
        head_groups=tuple((clean(name), tuple(map(query.value, each))) for name, each in columns),
        probabilities=probabilities,
    )
    keys = (" ".join(key.split()) for key in cells.keys)
    figures = (RowFigures(tuple(shown), tuple(exact)) for (_, *shown), exact in zip(rows, cells.figures, strict=True))
    return table, dict(zip(keys, figures, strict=True))


def shortest(figure: str) -> str:
    """Return a figure of a table without the zeros that it has because others of its table have decimals.

    >>> shortest("50.0%"), shortest("2.40"), shortest("100%"), shortest("<0.1%")
    ('50%', '2.4', '100%', '<0.1%')
    """
    return _ZEROS.sub(lambda match: match[1].rstrip("."), figure)


def _decimals(text: str) -> int | None:
    if text and text not in {*"0123456789"}:
        message = f"{quoted(text)} is not a number of decimals; write one from 0 to 9"
        raise DirectiveError(Problem.OPTION, message, "decimals")
    return int(text) if text else None


def _value_cells(query: OddsQuery, comparison: str) -> _Cells:
    """Return a table with a row for each value of a fact."""
    series = query.series()
    first = next(iter(series.values()))
    values = merge_values([one.values for one in series.values()])
    with query.option("mechanic"):
        limits.ITEMS.check(len(values), hint="make a dice:odds, which groups them")
    head = column_title(first)
    if comparison != _EXACTLY:
        head = (_("{fact} at least") if comparison == "at least" else _("{fact} at most")).format(fact=head)
        if any(type(value) is not int for value in values):
            fact = quoted(first.names[0])
            message = f"not all values of {fact} are numbers, so they cannot be shown as {quoted(comparison)}"
            raise DirectiveError(Problem.OPTION, message, "show")
    chance = _COMPARISONS[comparison]
    figures = [[chance(one, value) for one in series.values()] for value in values]
    heads = [head, *(name or _("Chance") for name in series)]
    keys = list(map(as_line, values))
    groups = _value_groups(query, values, figures if comparison == _EXACTLY else [[] for _ in values])
    labels, rows = list(map(value_label, values)), [(value,) for value in values]
    return _Cells(heads, labels, keys, rows, figures, groups, series_note(series))


def _value_groups(
    query: OddsQuery, values: Sequence[Any], figures: Sequence[Sequence[Fraction]]
) -> list[tuple[str, int, Sequence[Fraction]]]:
    """Return the bands of values with the sums of their figures; none if they do not hold all values."""
    if not all_integers(values):
        return []
    with query.option("mechanic"):
        runs = split_by_bands(query.bands(), values)
    if sum(len(run) for _label, run in runs) < len(values):
        return []
    columns = [(label, len(run), zip(*figures[run.start : run.stop], strict=True)) for label, run in runs]
    return [(label, count, [sum(column, Fraction()) for column in each]) for label, count, each in columns]


def _event_cells(query: OddsQuery, show: str) -> _Cells:
    """Return a table whose cells are averages, or probabilities of one event."""
    columns: list[tuple[Setting, ...]] = [(each,) for each in query.settings("vary")] or [()]
    with query.option("show"):
        event = None if show == _AVERAGE else query.subject.event(query.facts()[0], show)
    rows: list[tuple[str, str, tuple[Setting, ...]]]
    values: list[Collection[object]]
    known = query.rule.result().facts_of
    fact_label = ""
    if query.block.rows:
        fact = query.fact()
        fact_label = word(known[fact].label)
        settings = query.settings("rows")
        same_parameter = len({each.name for each in settings}) == 1
        head = settings[0].label(query.rule) if same_parameter else _("Setting")
        rows = [(query.value(each) if same_parameter else query.head(each), fact, (each,)) for each in settings]
        keys = [each.text if same_parameter else f"{each.name}={each.text}" for each in settings]
        values = [(_number_or_text(each.text), label) for each, (label, *_) in zip(settings, rows, strict=True)]
    else:
        head = _("Fact")
        rows = [(word(known[each].label), each, ()) for each in query.facts()]
        keys = [fact for _label, fact, _settings in rows]
        values = [(fact, label) for label, fact, _settings in rows]
    with query.option("rows"):
        limits.ITEMS.check(len(rows) * len(columns), hint="name fewer settings")

    query.subject.plan(len(rows) * len(columns))

    def figure(fact: str, *settings: Setting) -> Fraction:
        return query.average(fact, *settings) if event is None else query.chance(show, fact, *settings)

    figures = [[figure(fact, *column, *row) for column in columns] for _label, fact, row in rows]
    with query.option("show"):
        query.subject.check_words()
    only_head = _("Average") if event is None else _event_head(event, fact_label)
    heads = [query.head(*column) if column else only_head for column in columns]
    tied = {}
    for label, fact, row in rows:
        for column_head, column in zip(heads, columns, strict=True):
            with query.option("show"):
                bounds = query.bounds(None if event is None else show, fact, *column, *row)
            if bounds is not None:
                tied[f"{label}, {column_head}" if column else label] = bounds
    note = figures_note(tied, as_percentage=event is not None)
    return _Cells([clean(head), *heads], [clean(label) for label, *_ in rows], keys, values, figures, note=note)


def _number_or_text(text: str) -> int | str:
    try:
        return read_number(text)
    except DiceError:
        return text


def _event_head(event: Event, fact: str) -> str:
    """Return the head of a column of probabilities: the fact, if there is one, and the event."""
    words = event_text(event)
    words = "" if fact and words == word(YES) else words
    return clean(f"{fact} {words}".strip()) if fact else clean(words[:1].upper() + words[1:])


def _format_cells(
    cells: _Cells, format_all: Callable[..., list[str]], decimals: int | None
) -> tuple[tuple[tuple[str, ...], ...], tuple[RowGroup, ...]]:
    """Return the rows of a table, and their groups; all figures have the same decimals."""
    flat = [figure for row in [*cells.figures, *(sums for *_, sums in cells.groups)] for figure in row]
    texts = iter(format_all(flat) if decimals is None else format_all(flat, decimals))
    rows = tuple((label, *(next(texts) for _ in row)) for label, row in zip(cells.labels, cells.figures, strict=True))
    return rows, tuple(RowGroup(label, count, tuple(next(texts) for _ in sums)) for label, count, sums in cells.groups)
