"""Tables of odds: cells as plain data, and the same cells as text, HTML and CSV.

A table never groups values; a caller may cut it after a number of rows.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from html import escape
from itertools import accumulate
from math import ceil
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from dicedocs.render.chart import Chart, Series, column_title, fact_title, list_values, remainder_note, value_label
from dicedocs.render.numbers import Number, local_figure, share_column, whole_text
from dicedocs.render.scale import Band
from dicedocs.render.signs import html_text
from dicedocs.render.words import clean, display_width, fit_width
from dicedocs.rules.kinds import as_line
from dicedocs.translation import gettext as _
from dicedocs.translation import mark

if TYPE_CHECKING:
    from dicedocs.probability.distribution import Distribution

Show = Literal["exactly", "at least", "at most"]
"""The probability that a column shows: of each value, of it or more, of it or less."""
_ALL_SHOWS: Final[tuple[Show, ...]] = ("exactly", "at least", "at most")
_HEADS: Final[Mapping[Show, str]] = {
    "exactly": mark("exactly"),
    "at least": mark("at least"),
    "at most": mark("at most"),
}
"""The head of a column by what it shows."""
_MIN_LABEL: Final = 4
MAX_ROWS: Final = 1_000
"""Rows of a table on a page; the chart beside it shows all values, in groups."""
LONG: Final = 20
"""Rows above which those of a table are folded after the first ones; it stays one table, and is printed whole."""
VISIBLE: Final = 12
"""Rows of a folded table that stay visible, besides those that are highlighted."""
HEAT_STEPS: Final = 9
"""Shades of probabilities above 0."""
MAX_CSV: Final = 65_536
"""Characters of a link that holds a table as CSV; a longer one is left out."""


class RowGroup(NamedTuple):
    """Consecutive rows under a head of their own.

    Parameters:
        label: the head.
        rows: the number of rows, at least 1.
        percents: the probability of all of them together: one, or one for each column of figures; empty if it is not
            shown.
    """

    label: str
    rows: int
    percents: tuple[str, ...] = ()


class Table(NamedTuple):
    """A table.

    Parameters:
        heads: the head of each column.
        rows: the cells of each row.
        label_columns: how many columns from the left label the rows; figures follow, or else words.
        words: whether the cells that follow are words.
        marked: the indices of the highlighted rows.
        note: what stands below it, such as which rows were left out.
        heat: the shade of each figure of each row, from 0 to ``HEAT_STEPS``; empty if nothing is shaded.
        row_groups: the groups of the rows from the first on; empty, or for all rows.
        head_groups: heads that each span several columns, with the heads of these; empty, or for all columns of
            figures.
        probabilities: the unrounded figures of each row; empty if they are not known.
    """

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    label_columns: int = 1
    marked: tuple[int, ...] = ()
    note: str = ""
    heat: tuple[tuple[int, ...], ...] = ()
    row_groups: tuple[RowGroup, ...] = ()
    head_groups: tuple[tuple[str, tuple[str, ...]], ...] = ()
    probabilities: tuple[tuple[float, ...], ...] = ()
    words: bool = False

    @property
    def word_columns(self) -> int:
        """How many columns from the left hold no figures."""
        return len(self.heads) if self.words else self.label_columns

    @property
    def group_starts(self) -> dict[int, RowGroup]:
        """The groups of rows by the index of their first row, without those whose rows were all left out."""
        starts = accumulate((group.rows for group in self.row_groups), initial=0)
        return {start: group for start, group in zip(starts, self.row_groups, strict=False) if start < len(self.rows)}

    @property
    def sums(self) -> dict[int, tuple[str, ...]]:
        """The figures of the groups that have one for each column, by the index of their first row."""
        columns = len(self.heads) - self.label_columns
        return {index: group.percents for index, group in self.group_starts.items() if len(group.percents) == columns}

    def is_numeric(self, column: int) -> bool:
        """Return whether a column holds figures or whole numbers only, and so is aligned to the right."""
        return column >= self.word_columns or all(row[column].removeprefix("-").isdecimal() for row in self.rows)


def heat_steps(probabilities: Sequence[Sequence[Number]]) -> tuple[tuple[int, ...], ...]:
    """Return the shades of probabilities that are compared with each other.

    Parameters:
        probabilities: those of each row.

    Returns:
        For each of them 0 if it is 0, otherwise 1 to ``HEAT_STEPS``, in proportion to the highest.

    >>> heat_steps([[0, 0.001], [0.25, 0.5]])
    ((0, 1), (5, 9))
    """
    maximum = max((part for row in probabilities for part in row), default=0) or 1
    return tuple(tuple(ceil(HEAT_STEPS * part / maximum) for part in row) for row in probabilities)


def odds_table(
    series: Series,
    *,
    shows: Sequence[Show] = (),
    max_rows: int | None = None,
    marked: Collection[object] = (),
    bands: Sequence[Band] = (),
) -> Table:
    """Return a table of distributions, a row for each value.

    Parameters:
        series: distributions by their labels, or a single one of several facts, each of which gets a column.
        shows: the columns of each distribution; by default all three for a single distribution of numbers,
            otherwise ``exactly``.
        max_rows: the rows there is room for; by default all.
        marked: the values to highlight.
        bands: what the numbers of a single distribution mean; the rows of each band are a group.

    >>> from dicedocs.probability.distribution import Distribution
    >>> odds_table({"": Distribution({0: 1, 1: 1})}).rows
    (('0', '50%', '100%', '50%'), ('1', '50%', '50%', '100%'))
    >>> odds_table({"one": Distribution.dice(1, 2), "two": Distribution.dice(2, 2)}, shows=["at least"]).rows[0]
    ('1', '100%', '100%')
    """
    first, *others = series.values()
    if len(first.names) > 1 and not others:
        return _joint_table(first, marked, max_rows)
    chart, number = list_values(series, max_rows, marked=marked, bands=bands)
    shows = shows or (_ALL_SHOWS if chart.numeric and not others else _ALL_SHOWS[:1])
    heads, columns = [column_title(first)], [[bar.label for bar in chart.bars]]
    shares: dict[Show, list[list[float]]] = {show: [] for show in shows}
    for index, name in enumerate(chart.names):
        texts = {"exactly": chart.exactly, "at least": chart.at_least, "at most": chart.at_most}
        for show in shows:
            text = _(_HEADS[show])
            if len(shows) == 1:
                heads.append(name or (_("Chance") if show == "exactly" else text.capitalize()))
            else:
                heads.append(f"{name}, {text}" if others else text.capitalize())
            columns.append(texts[show](index))
            shares[show].append(chart_shares(chart, index, show))
    # What is shown differently is not compared: "at least" begins with 100%.
    heat = {show: iter(heat_steps(each)) for show, each in shares.items()}
    shades = [next(heat[show]) for _ in chart.names for show in shows]
    marked_rows = tuple(index for index, bar in enumerate(chart.bars) if bar.marked)
    return Table(
        tuple(heads),
        tuple(zip(*columns, strict=True)),
        marked=marked_rows,
        note=_note(max_rows, number, series),
        heat=tuple(zip(*shades, strict=True)),
        row_groups=band_groups(chart),
    )


def band_groups(chart: Chart) -> tuple[RowGroup, ...]:
    """Return the groups of the rows of a chart: its bands, if they hold all its values."""
    if not chart.bands or chart.bands[0].start > 0 or chart.bands[-1].stop < len(chart.bars):
        return ()
    return tuple(RowGroup(band.label, band.stop - band.start, (band.percent,)) for band in chart.bands)


def chart_shares(chart: Chart, index: int, show: Show) -> list[float]:
    """Return the probability of each bar of a distribution, or of it and all later or previous ones.

    >>> from dicedocs.probability.distribution import Distribution
    >>> chart, _ = list_values({"": Distribution({0: 1, 1: 3})})
    >>> chart_shares(chart, 0, "exactly"), chart_shares(chart, 0, "at least"), chart_shares(chart, 0, "at most")
    ([0.25, 0.75], [1.0, 0.75], [0.25, 1.0])
    """
    whole, followed = chart.denominators[index], chart.followed_count(index)
    if show == "at least":
        return [(followed - bar.before[index]) / whole for bar in chart.bars]
    return [(bar.counts[index] + (bar.before[index] if show == "at most" else 0)) / whole for bar in chart.bars]


def chart_figures(chart: Chart, index: int, show: Show) -> list[str]:
    """Return the probabilities of :func:`chart_shares` as percentages."""
    return {"exactly": chart.exactly, "at least": chart.at_least, "at most": chart.at_most}[show](index)


def _note(shown: int | None, number: int, series: Series) -> str:
    first = ""
    if shown is not None and number > shown:
        first = _("The first {shown} of {count} rows.").format(shown=shown, count=number)
    return " ".join(filter(None, (first, remainder_note(series))))


def _joint_table(distribution: Distribution, marked: Collection[object], max_rows: int | None) -> Table:
    heads = (*map(fact_title, distribution.names), _("Chance"))
    percents = share_column(distribution.counts[:max_rows], distribution.denominator)
    values = distribution.values[:max_rows]
    rows = tuple((*map(value_label, value), percent) for value, percent in zip(values, percents, strict=True))
    marked_rows = tuple(index for index, value in enumerate(values) if value in marked)
    heat = heat_steps([[count / distribution.denominator] for count in distribution.counts[:max_rows]])
    note = _note(max_rows, len(distribution), {"": distribution})
    return Table(heads, rows, len(distribution.names), marked_rows, note, heat)


def table_text(table: Table, width: int = 78) -> str:
    """Return a table as text, its labels shortened to fit the width.

    >>> print(table_text(Table(("Total", "Chance"), (("9", "12.5%"), ("10", "<0.1%")), marked=(1,))))
      Total  Chance
          9   12.5%
    >    10   <0.1%
    """
    labels, groups, sums = table.word_columns, table.group_starts, table.sums
    above = ((groups[index].label, *[""] * (labels - 1), *figures) for index, figures in sums.items())
    columns = list(zip(*table.rows, *above, strict=True))
    rows = list(zip(*columns[:labels], *map(align_decimals, columns[labels:]), strict=True))
    heads = dict(zip(sums, rows[len(table.rows) :], strict=True))
    widths = [max(map(display_width, column)) for column in zip(table.heads, *rows, strict=True)]
    taken = sum(widths[labels:]) + 2 * (len(widths) - 1) + (2 if table.marked else 0)
    max_label = max((width - taken) // labels, _MIN_LABEL)
    widths[:labels] = [min(label, max_label) for label in widths[:labels]]
    right = list(map(table.is_numeric, range(len(widths))))

    def line(row: Sequence[str], sides: Sequence[bool], pointer: str = " ") -> str:
        cells = (fit_width(text, room, right=side) for text, room, side in zip(row, widths, sides, strict=True))
        return (f"{pointer} " if table.marked else "") + "  ".join(cells).rstrip()

    lines = [line(table.heads, right)]
    for index, row in enumerate(rows[: len(table.rows)]):
        if index in heads:
            lines.append(line(heads[index], [column >= labels for column in range(len(widths))]))
        elif index in groups:
            lines.append("  ".join((groups[index].label, *map(local_figure, groups[index].percents))))
        lines.append(line(row, right, ">" if index in table.marked else " "))
    return "\n".join([*lines, *(["", table.note] if table.note else [])])


def table_html(table: Table, *, caption: str = "", folded: bool = True) -> str:
    """Return a table as HTML with header cells, in a frame that scrolls on a narrow page.

    Parameters:
        caption: the name of the table.
        folded: whether many rows are folded after the first ones; without our stylesheet all are visible.

    >>> table_html(Table(("Total", "Chance"), (("9", "12.5%"),))).count("<th ")
    3
    """
    labels, figures = table.label_columns, len(table.heads) - table.label_columns
    starts, groups = table.group_starts, table.head_groups
    rooms, rooms_of_sums = missing_rooms(table)
    fold = folded and len(table.rows) > LONG
    classes = ["" if table.is_numeric(column) else ' class="dice-word"' for column in range(len(table.heads))]

    def head(column: int, text: str, scope: str, span: str = "") -> str:
        return f'<th {span}scope="{scope}"{classes[column]}>{html_text(text)}</th>'

    def word_cell(name: str, text: str) -> str:
        return f"<td{name}>{html_text(text)}</td>"

    def row(index: int, texts: Sequence[str]) -> str:
        marked = ' class="dice-marked" aria-current="true"' if index in table.marked else rest(index)
        heads = "".join(head(column, text, "row") for column, text in enumerate(texts[:labels]))
        shades = table.heat[index] if table.heat else (0,) * figures
        if table.words:
            return f"<tr{marked}>{heads}{''.join(map(word_cell, classes[labels:], texts[labels:]))}</tr>"
        cells = map(_figure_cell, texts[labels:], rooms[index], shades)
        return f"<tr{marked}>{heads}{''.join(cells)}</tr>"

    def rest(index: int, *classes: str) -> str:
        names = " ".join([*classes, *["dice-rest"] * (fold and index >= VISIBLE)])
        return f' class="{names}"' if names else ""

    def group_head(index: int, group: RowGroup) -> str:
        name = f'<th scope="rowgroup" colspan="{labels}">{html_text(clean(group.label))}</th>'
        cells = "".join(map(_figure_cell, group.percents, rooms_of_sums.get(index, ())))
        if index not in rooms_of_sums:
            cells = f'<td colspan="{figures}">{html_text(local_figure("".join(group.percents)))}</td>'
        return f"<tr{rest(index, 'dice-band')}>{name}{cells}</tr>"

    spans = ""
    if groups:
        beside = "".join(head(column, text, "col", 'rowspan="2" ') for column, text in enumerate(table.heads[:labels]))
        over = "".join(f'<th scope="colgroup" colspan="{len(each)}">{html_text(text)}</th>' for text, each in groups)
        spanned = (text for _, each in groups for text in each)
        below = "".join(head(column, text, "col") for column, text in enumerate(spanned, labels))
        heads = f"{beside}{over}</tr><tr>{below}"
        spans = "".join(f'<colgroup span="{span}"></colgroup>' for span in (labels, *(len(each) for _, each in groups)))
    else:
        heads = "".join(head(column, text, "col") for column, text in enumerate(table.heads))
    body = ""
    for index, texts in enumerate(table.rows):
        if index in starts:
            body += ("</tbody><tbody>" if index else "") + group_head(index, starts[index])
        body += row(index, texts)
    name = html_text(clean(caption))
    title = f"<caption>{name}</caption>" if caption else ""
    below_it = f'<p class="dice-note">{html_text(table.note)}</p>' if table.note else ""
    html = (
        f'<div class="dice-scroll" tabindex="0" role="group" aria-label="{name or escape(_("Odds"))}">'
        f'<table class="dice-table">{title}{spans}<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>'
    )
    if fold:
        all_rows = escape(_("All {count} rows").format(count=len(table.rows)))
        # What is folded is outside: a fold cannot be a part of a table.
        html = f'<div class="dice-long"><details><summary>{all_rows}</summary></details>{html}</div>'
    return html + below_it


def _figure_cell(figure: str, missing: str, shade: int = 0) -> str:
    """Return a shaded cell with room for the decimals that other figures of its column have."""
    room = f'<span class="dice-room" data-room="{local_figure(missing)}"></span>' if missing else ""
    heat = f' class="dice-heat-{shade}"' if shade else ""
    return f"<td{heat}>{html_text(local_figure(figure))}{room}</td>"


def missing_rooms(table: Table) -> tuple[list[tuple[str, ...]], dict[int, tuple[str, ...]]]:
    """Return the decimals that figures lack to be aligned with the others of their column.

    Returns:
        Those of each row, and those of the sums of groups, by the index of their first row.
    """
    lines = [*(row[table.word_columns :] for row in table.rows), *table.sums.values()]
    rooms = list(zip(*map(missing_decimals, zip(*lines, strict=True)), strict=True))
    return rooms[: len(table.rows)], dict(zip(table.sums, rooms[len(table.rows) :], strict=True))


def missing_decimals(column: Sequence[str]) -> list[str]:
    """Return, for each figure of a column, the decimals that it lacks to be aligned with the others.

    >>> missing_decimals(["100%", "93.8%"]), missing_decimals(["2", "3"])
    (['.0', ''], ['', ''])
    """
    counts = [len(figure.rstrip("%").partition(".")[2]) for figure in column]
    maximum = max(counts)
    return ["." * (not count and maximum > 0) + "0" * (maximum - count) for count in counts]


def align_decimals(column: Sequence[str]) -> list[str]:
    """Return the figures of a column as readers see them, padded so that their decimal points are aligned.

    >>> align_decimals(["100%", "93.8%"])
    ['100%  ', '93.8%']
    """
    return [
        local_figure(figure) + " " * len(missing)
        for figure, missing in zip(column, missing_decimals(column), strict=True)
    ]


def odds_csv(distribution: Distribution) -> str:
    r"""Return the exact odds as CSV: each value, its count, the denominator and the probability.

    >>> from dicedocs.probability.distribution import Distribution
    >>> odds_csv(Distribution({0: 1, 1: 3}, names=("hits",)))
    'hits,count,of,chance\n0,1,4,0.25\n1,3,4,0.75\n'
    """
    names = distribution.names or ("value",)
    whole = distribution.denominator
    of = whole_text(whole)
    rows = (
        (*map(as_line, value if len(names) > 1 else (value,)), whole_text(count), of, count / whole)
        for value, count in zip(distribution.values, distribution.counts, strict=True)
    )
    return table_csv([(*names, "count", "of", "chance"), *rows])


def series_csv(series: Series) -> str:
    r"""Return distributions as CSV: a single one as :func:`odds_csv`, of several each value with its probabilities.

    >>> from dicedocs.probability.distribution import Distribution
    >>> series_csv({"coin": Distribution({0: 1, 1: 1}), "die": Distribution.dice(1, 4)}).splitlines()[:3]
    ['Value,coin,die', '0,0.5,0.0', '1,0.5,0.25']
    """
    first, *others = series.values()
    if not others:
        return odds_csv(first)
    chart, _ = list_values(series)
    shares = (
        [count / whole for count, whole in zip(bar.counts, chart.denominators, strict=True)] for bar in chart.bars
    )
    rows = ((bar.label, *row) for bar, row in zip(chart.bars, shares, strict=True))
    return table_csv([(column_title(first), *chart.names), *rows])


def exact_csv(table: Table) -> str:
    r"""Return a table as CSV, with its unrounded figures if they are known.

    >>> exact_csv(Table(("Total", "Chance"), (("9", "33.3%"),), probabilities=((1 / 3,),)))
    'Total,Chance\n9,0.3333333333333333\n'
    """
    exact = [(row[0], *figures) for row, figures in zip(table.rows, table.probabilities, strict=False)]
    return table_csv([table.heads, *(exact or table.rows)])


def table_csv(rows: Iterable[Iterable[object]]) -> str:
    r"""Return rows as CSV, their heads first.

    >>> table_csv([("Total", "Chance"), ("9, or less", 0.125)])
    'Total,Chance\n"9, or less",0.125\n'
    """
    import csv
    from io import StringIO

    text = StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def csv_link(text: str, name: str) -> str:
    """Return a link in HTML that contains CSV and saves it, without a script; empty if the CSV is, or is too long.

    Parameters:
        text: the CSV.
        name: the name of the file, without its suffix.

    >>> csv_link("Total,Chance", "totals").partition("href=")[2]
    '"data:text/csv;charset=utf-8,Total%2CChance">Download CSV</a>'
    """
    from urllib.parse import quote

    data = quote(text, safe="")
    if not 0 < len(data) <= MAX_CSV:
        return ""
    return (
        f'<a class="dice-download" download="{escape(name)}.csv" href="data:text/csv;charset=utf-8,{data}">'
        f"{escape(_('Download CSV'))}</a>"
    )
