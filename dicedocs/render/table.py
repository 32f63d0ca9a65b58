"""Tables of odds: cells as plain data, and the same cells as text, HTML and CSV.

A table never groups values; a caller may cut it after a number of rows.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence, Sized
from html import escape
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from dicedocs import limits
from dicedocs.render.chart import Series, column_title, list_values, value_label
from dicedocs.render.numbers import share_column, whole_text
from dicedocs.render.words import clean, display_width, fit_width
from dicedocs.rules.kinds import as_line, spaced

if TYPE_CHECKING:
    from dicedocs.probability.distribution import Distribution

Show = Literal["exactly", "at least", "at most"]
"""The probability that a column shows: of each value, of it or more, of it or less."""
_ALL_SHOWS: Final[tuple[Show, ...]] = ("exactly", "at least", "at most")
_MIN_LABEL: Final = 4
MAX_ROWS: Final = 1_000
"""Rows of a table on a page; the chart beside it shows all values, in groups."""


class Table(NamedTuple):
    """A table.

    Parameters:
        heads: the head of each column.
        rows: the cells of each row.
        label_columns: how many columns from the left label the rows; figures follow.
        marked: the indices of the highlighted rows.
        note: which rows were left out, as a sentence; empty if none was.
    """

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    label_columns: int = 1
    marked: tuple[int, ...] = ()
    note: str = ""

    def is_numeric(self, column: int) -> bool:
        """Return whether a column holds figures or whole numbers only, and so is aligned to the right."""
        return column >= self.label_columns or all(row[column].removeprefix("-").isdecimal() for row in self.rows)


def odds_table(
    series: Series, *, shows: Sequence[Show] = (), max_rows: int | None = None, marked: Collection[object] = ()
) -> Table:
    """Return a table of distributions, a row for each value.

    Parameters:
        series: distributions by their labels, or a single one of several facts, each of which gets a column.
        shows: the columns of each distribution; by default all three for a single distribution of numbers,
            otherwise ``exactly``.
        max_rows: the rows there is room for; by default all.
        marked: the values to highlight.

    >>> from dicedocs.probability.distribution import Distribution
    >>> odds_table({"": Distribution({0: 1, 1: 1})}).rows
    (('0', '50%', '100%', '50%'), ('1', '50%', '50%', '100%'))
    >>> odds_table({"one": Distribution.dice(1, 2), "two": Distribution.dice(2, 2)}, shows=["at least"]).rows[0]
    ('1', '100%', '100%')
    """
    first, *others = series.values()
    if len(first.names) > 1 and not others:
        return _joint_table(first, marked, max_rows)
    chart, number = list_values(series, max_rows, marked=marked)
    shows = shows or (_ALL_SHOWS if chart.numeric and not others else _ALL_SHOWS[:1])
    heads, columns = [column_title(first)], [[bar.label for bar in chart.bars]]
    for index, name in enumerate(chart.names):
        texts = {"exactly": chart.exactly, "at least": chart.at_least, "at most": chart.at_most}
        for show in shows:
            if len(shows) == 1:
                heads.append(name or ("Chance" if show == "exactly" else show.capitalize()))
            else:
                heads.append(f"{name}, {show}" if others else show.capitalize())
            columns.append(texts[show](index))
    marked_rows = tuple(index for index, bar in enumerate(chart.bars) if bar.marked)
    return Table(tuple(heads), tuple(zip(*columns, strict=True)), 1, marked_rows, _note(max_rows, number))


def _note(shown: int | None, number: int) -> str:
    return "" if shown is None or number <= shown else f"The first {shown} of {number} rows."


def _joint_table(distribution: Distribution, marked: Collection[object], max_rows: int | None) -> Table:
    heads = (*(clean(spaced(name).capitalize()) for name in distribution.names), "Chance")
    percents = share_column(distribution.counts[:max_rows], distribution.denominator)
    values = distribution.values[:max_rows]
    rows = tuple((*map(value_label, value), percent) for value, percent in zip(values, percents, strict=True))
    marked_rows = tuple(index for index, value in enumerate(values) if value in marked)
    return Table(heads, rows, len(distribution.names), marked_rows, _note(max_rows, len(distribution)))


def table_text(table: Table, width: int = 78) -> str:
    """Return a table as text, its labels shortened to fit the width.

    >>> print(table_text(Table(("Total", "Chance"), (("9", "12.5%"), ("10", "<0.1%")), marked=(1,))))
      Total  Chance
          9   12.5%
    >    10   <0.1%
    """
    labels = table.label_columns
    columns = list(zip(*table.rows, strict=True))
    rows = list(zip(*columns[:labels], *map(align_decimals, columns[labels:]), strict=True))
    widths = [max(map(display_width, column)) for column in zip(table.heads, *rows, strict=True)]
    taken = sum(widths[labels:]) + 2 * (len(widths) - 1) + (2 if table.marked else 0)
    max_label = max((width - taken) // labels, _MIN_LABEL)
    widths[:labels] = [min(label, max_label) for label in widths[:labels]]
    right = list(map(table.is_numeric, range(len(widths))))
    lines = []
    for index, row in enumerate([table.heads, *rows], start=-1):
        pointer = ("> " if index in table.marked else "  ") if table.marked else ""
        cells = (fit_width(text, room, right=side) for text, room, side in zip(row, widths, right, strict=True))
        lines.append(pointer + "  ".join(cells).rstrip())
    return "\n".join([*lines, *(["", table.note] if table.note else [])])


def table_html(table: Table, *, caption: str = "", groups: Sequence[tuple[str, Sequence[str]]] = ()) -> str:
    """Return a table as HTML with header cells, in a frame that scrolls on a narrow page.

    Parameters:
        caption: the name of the table.
        groups: heads that each span several columns, with the heads of these columns; empty, or for all columns
            of figures.

    >>> table_html(Table(("Total", "Chance"), (("9", "12.5%"),))).count("<th ")
    3
    """
    labels = table.label_columns
    missing = [missing_decimals(column) for column in zip(*table.rows, strict=True)]
    classes = ["" if table.is_numeric(column) else ' class="dice-word"' for column in range(len(table.heads))]

    def head(column: int, text: str, scope: str, span: str = "") -> str:
        return f'<th {span}scope="{scope}"{classes[column]}>{escape(text)}</th>'

    def row(index: int, texts: Sequence[str]) -> str:
        marked = ' class="dice-marked" aria-current="true"' if index in table.marked else ""
        heads = "".join(head(column, text, "row") for column, text in enumerate(texts[:labels]))
        figures = zip(texts[labels:], missing[labels:], strict=True)
        return f"<tr{marked}>{heads}{''.join(_figure_cell(text, decimals[index]) for text, decimals in figures)}</tr>"

    if groups:
        beside = "".join(head(column, text, "col", 'rowspan="2" ') for column, text in enumerate(table.heads[:labels]))
        over = "".join(f'<th scope="colgroup" colspan="{len(each)}">{escape(text)}</th>' for text, each in groups)
        below = "".join(f'<th scope="col">{escape(text)}</th>' for _, each in groups for text in each)
        heads = f"{beside}{over}</tr><tr>{below}"
    else:
        heads = "".join(head(column, text, "col") for column, text in enumerate(table.heads))
    body = "".join(map(row, range(len(table.rows)), table.rows))
    name = escape(clean(caption))
    title = f"<caption>{name}</caption>" if caption else ""
    note = f'<p class="dice-note">{escape(table.note)}</p>' if table.note else ""
    return (
        f'<div class="dice-scroll" tabindex="0" role="group" aria-label="{name or "Odds"}"><table class="dice-table">'
        f"{title}<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>{note}</div>"
    )


def _figure_cell(figure: str, missing: str) -> str:
    """Return a cell with room for the decimals that other figures of its column have."""
    room = f'<span class="dice-room" data-room="{missing}"></span>' if missing else ""
    return f"<td>{escape(figure)}{room}</td>"


def missing_decimals(column: Sequence[str]) -> list[str]:
    """Return, for each figure of a column, the decimals that it lacks to be aligned with the others.

    >>> missing_decimals(["100%", "93.8%"]), missing_decimals(["2", "3"])
    (['.0', ''], ['', ''])
    """
    counts = [len(figure.rstrip("%").partition(".")[2]) for figure in column]
    maximum = max(counts)
    return ["." * (not count and maximum > 0) + "0" * (maximum - count) for count in counts]


def align_decimals(column: Sequence[str]) -> list[str]:
    """Return the figures of a column, padded at the right so that their decimal points are aligned.

    >>> align_decimals(["100%", "93.8%"])
    ['100%  ', '93.8%']
    """
    return [figure + " " * len(missing) for figure, missing in zip(column, missing_decimals(column), strict=True)]


def check_rows(distribution: Sized) -> None:
    """Raise a ``LimitError`` when a distribution has more outcomes than are written as JSON or CSV."""
    limits.ROWS.check(len(distribution), hint="group them first, as in odds.map(lambda value: value // 10)")


def odds_csv(distribution: Distribution) -> str:
    r"""Return the exact odds as CSV: each value, its count, the denominator and the probability.

    >>> from dicedocs.probability.distribution import Distribution
    >>> odds_csv(Distribution({0: 1, 1: 3}, names=("hits",)))
    'hits,count,of,chance\n0,1,4,0.25\n1,3,4,0.75\n'

    Raises:
        LimitError: there are more than ``ROWS`` values.
    """
    check_rows(distribution)
    import csv
    import io

    names = distribution.names or ("value",)
    file = io.StringIO()
    write = csv.writer(file, lineterminator="\n").writerow
    write([*names, "count", "of", "chance"])
    whole = distribution.denominator
    for value, count in zip(distribution.values, distribution.counts, strict=True):
        cells = map(as_line, value if len(names) > 1 else (value,))
        write([*cells, whole_text(count), whole_text(whole), count / whole])
    return file.getvalue()
