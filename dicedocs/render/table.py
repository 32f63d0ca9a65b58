"""Tables of odds: cells as plain data, and the same cells as text, HTML, LaTeX and CSV.

A table leaves nothing together: each value has its row, unless a caller says how many there is room for.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from html import escape
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from dicedocs.render.chart import Series, chart, label, title
from dicedocs.render.numbers import shares
from dicedocs.render.words import clean
from dicedocs.rules.kinds import as_line, spaced

if TYPE_CHECKING:
    from dicedocs.probability.distribution import Distribution

Read = Literal["exactly", "at least", "at most"]
"""How a chance is read: of this value, of it or more, of it or less."""
_READS: Final[tuple[Read, ...]] = ("exactly", "at least", "at most")


class Table(NamedTuple):
    """A table.

    Parameters:
        heads: the head of each column.
        rows: the cells of each row.
        labels: how many columns from the left say what a row is about.
        marked: the places of the rows that are pointed at, from 0.
        note: what was left out, as a sentence; empty when nothing was.
    """

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    labels: int = 1
    marked: tuple[int, ...] = ()
    note: str = ""


def odds_table(
    series: Series, *, reads: Sequence[Read] = (), most: int | None = None, marked: Collection[object] = ()
) -> Table:
    """Lay out the odds of distributions as a table.

    Parameters:
        series: distributions by their labels; one that is of several facts has a column for each of them, and
            stands alone.
        reads: how chances are read. For one distribution of numbers all three ways when left out, otherwise
            exactly.
        most: how many rows there is room for; all when left out.
        marked: the values to point at.

    >>> from dicedocs.probability.distribution import Distribution
    >>> odds_table({"": Distribution({0: 1, 1: 1})}).rows
    (('0', '50%', '100%', '50%'), ('1', '50%', '50%', '100%'))
    >>> odds_table({"one": Distribution.dice(1, 2), "two": Distribution.dice(2, 2)}, reads=["at least"]).rows[0]
    ('1', '100%', '100%')
    """
    first, *others = series.values()
    if len(first.names) > 1 and not others:
        return _cut(_joint(first, marked), most)
    drawn = chart(series, most=sum(len(one.values) for one in series.values()) + 3, marked=marked)
    alone = not others
    reads = reads or (_READS if alone and drawn.ordered else _READS[:1])
    heads, columns = [title(first)], [[bar.label for bar in drawn.bars]]
    for place, name in enumerate(drawn.names):
        ways = {"exactly": drawn.exactly, "at least": drawn.at_least, "at most": drawn.at_most}
        for read in reads:
            how = "Chance" if len(reads) == 1 and read == "exactly" else read.capitalize()
            heads.append((name or how) if len(reads) == 1 else how if alone else f"{name}, {read}")
            columns.append(ways[read](place))
    pointed = tuple(place for place, bar in enumerate(drawn.bars) if bar.marked)
    return _cut(Table(tuple(heads), tuple(zip(*columns, strict=True)), 1, pointed), most)


def _joint(distribution: Distribution, marked: Collection[object]) -> Table:
    heads = (*(clean(spaced(name).capitalize()) for name in distribution.names), "Chance")
    chances = shares(distribution.counts, distribution.denominator)
    rows = tuple((*map(label, value), chance) for value, chance in zip(distribution.values, chances, strict=True))
    pointed = tuple(place for place, value in enumerate(distribution.values) if value in marked)
    return Table(heads, rows, len(distribution.names), pointed)


def _cut(table: Table, most: int | None) -> Table:
    if most is None or len(table.rows) <= most:
        return table
    note = f"The first {most} of {len(table.rows)} rows."
    return table._replace(
        rows=table.rows[:most], marked=tuple(place for place in table.marked if place < most), note=note
    )


def table_text(table: Table, width: int = 78) -> str:
    """Give a table as text, its columns no wider than there is room for.

    >>> print(table_text(Table(("Total", "Chance"), (("9", "12.5%"), ("10", "<0.1%")), marked=(1,))))
      Total  Chance
          9   12.5%
    >    10   <0.1%
    """
    columns = list(zip(*table.rows, strict=True))
    figures = map(figures_text, columns[table.labels :])
    rows = list(zip(*columns[: table.labels], *figures, strict=True))
    rooms = [max(map(cells, column)) for column in zip(table.heads, *rows, strict=True)]
    pointer = 2 if table.marked else 0
    taken = sum(rooms[table.labels :]) + 2 * (len(rooms) - 1) + pointer
    most = max((width - taken) // table.labels, 4)
    rooms[: table.labels] = [min(room, most) for room in rooms[: table.labels]]
    right = [place >= table.labels or _numbers(table, place) for place in range(len(rooms))]
    lines = []
    for place, row in enumerate([table.heads, *rows], start=-1):
        parts = [fitted(cell, room, right=side) for cell, room, side in zip(row, rooms, right, strict=True)]
        lines.append((("> " if place in table.marked else "  ") if pointer else "") + "  ".join(parts).rstrip())
    return "\n".join([*lines, *(["", table.note] if table.note else [])])


_TWO_ROWS: Final = '<th rowspan="2" '


def table_html(table: Table, *, caption: str = "", groups: Sequence[tuple[str, Sequence[str]]] = ()) -> str:
    """Give a table as HTML, with header cells, in a frame that scrolls when a page is too narrow.

    Parameters:
        table: the table.
        caption: what it is called.
        groups: heads over several columns each, with the shorter heads that these then have; all columns of
            figures belong to one, or there are none.

    >>> table_html(Table(("Total", "Chance"), (("9", "12.5%"),))).count("<th ")
    3
    """
    words = {place for place in range(table.labels) if not _numbers(table, place)}
    missing = [missing_decimals(column) for column in zip(*table.rows, strict=True)]

    def head(place: int, text: str, scope: str) -> str:
        kind = ' class="dice-word"' if place in words else ""
        return f'<th scope="{scope}"{kind}>{escape(text)}</th>'

    def row(place: int, texts: Sequence[str]) -> str:
        pointed = ' class="dice-marked" aria-current="true"' if place in table.marked else ""
        beside = "".join(head(column, text, "row") for column, text in enumerate(texts[: table.labels]))
        figures = zip(texts[table.labels :], missing[table.labels :], strict=True)
        inside = "".join(f"<td>{_aligned(text, decimals[place])}</td>" for text, decimals in figures)
        return f"<tr{pointed}>{beside}{inside}</tr>"

    heads = "".join(head(place, text, "col") for place, text in enumerate(table.heads))
    if groups:
        beside = "".join(head(place, text, "col") for place, text in enumerate(table.heads[: table.labels]))
        over = "".join(f'<th scope="colgroup" colspan="{len(each)}">{escape(text)}</th>' for text, each in groups)
        below = "".join(f'<th scope="col">{escape(text)}</th>' for _, each in groups for text in each)
        heads = f"{beside.replace('<th ', _TWO_ROWS)}{over}</tr><tr>{below}"
    body = "".join(map(row, range(len(table.rows)), table.rows))
    named = f"<caption>{escape(clean(caption))}</caption>" if caption else ""
    note = f'<p class="dice-note">{escape(table.note)}</p>' if table.note else ""
    name = escape(clean(caption) or "Odds")
    return (
        f'<div class="dice-scroll" tabindex="0" role="group" aria-label="{name}"><table class="dice-table">{named}'
        f"<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>{note}</div>"
    )


def missing_decimals(column: Sequence[str]) -> list[str]:
    """Give, for each figure of a column, the decimals that others have and it has not, for whoever aligns them.

    >>> missing_decimals(["100%", "93.8%"]), missing_decimals(["2", "3"])
    (['.0', ''], ['', ''])
    """
    places = [len(figure.rstrip("%").partition(".")[2]) for figure in column]
    most = max(places)
    return ["." * (not has and most > 0) + "0" * (most - has) for has in places]


def figures_text(column: Sequence[str]) -> list[str]:
    """Give the figures of a column with blanks behind those that have fewer decimals than others.

    >>> figures_text(["100%", "93.8%"])
    ['100%  ', '93.8%']
    """
    return [figure + " " * len(room) for figure, room in zip(column, missing_decimals(column), strict=True)]


def _aligned(figure: str, missing: str) -> str:
    """Give a figure as HTML, with room for the decimals that it has not."""
    return escape(figure) + (f'<span class="dice-room" data-room="{missing}"></span>' if missing else "")


_LATEX: Final = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "[": "{[}",  # after the end of a row it would open an option
        "]": "{]}",
        "*": "{*}",  # and so would this
        **{sign: "\\" + sign for sign in "&%$#_{}"},
    }
)


def table_latex(table: Table) -> str:
    r"""Give a table as LaTeX, a ``tabular`` that needs no package.

    >>> print(table_latex(Table(("Total", "Chance"), (("9", "<0.1%"),))))
    \begin{tabular}{rr}
    \hline
    Total & Chance \\
    \hline
    9 & \textless{}0.1\% \\
    \hline
    \end{tabular}
    """

    def line(row: Sequence[str]) -> str:
        return " & ".join(text.translate(_LATEX) for text in row) + r" \\"

    sides = ("r" if place >= table.labels or _numbers(table, place) else "l" for place in range(len(table.heads)))
    inside = [r"\hline", line(table.heads), r"\hline", *map(line, table.rows), r"\hline"]
    tabular = "\n".join([rf"\begin{{tabular}}{{{''.join(sides)}}}", *inside, r"\end{tabular}"])
    return f"{tabular}\n\n{table.note.translate(_LATEX)}" if table.note else tabular


def odds_csv(distribution: Distribution) -> str:
    r"""Give the exact odds for a spreadsheet: the value of each fact, its count of how many, and the chance.

    >>> from dicedocs.probability.distribution import Distribution
    >>> odds_csv(Distribution({0: 1, 1: 3}, names=("hits",)))
    'hits,count,of,chance\n0,1,4,0.25\n1,3,4,0.75\n'
    """
    import csv
    import io

    names = distribution.names or ("value",)
    out = io.StringIO()
    write = csv.writer(out, lineterminator="\n").writerow
    write([*names, "count", "of", "chance"])
    whole = distribution.denominator
    for value, times in zip(distribution.values, distribution.counts, strict=True):
        write([*map(as_line, value if len(names) > 1 else (value,)), times, whole, times / whole])
    return out.getvalue()


def cells(text: str) -> int:
    """Give how many places of a terminal a text takes: letters of East Asia take two.

    >>> cells("Total"), cells("骰子")
    (5, 4)
    """
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(sign) else 2 if east_asian_width(sign) in "WF" else 1 for sign in text)


def fitted(text: str, room: int, *, right: bool = False) -> str:
    """Fill a text up to a number of places, or cut it there.

    >>> fitted("critical success", 9), fitted("7", 3, right=True)
    ('critical…', '  7')
    """
    if cells(text) > room:
        while text and cells(text) >= room:
            text = text[:-1]
        text += "…" if room else ""
    blank = " " * (room - cells(text))
    return blank + text if right else text + blank


def _numbers(table: Table, place: int) -> bool:
    """Tell whether a column that labels rows holds numbers, which stand at the right."""
    return all(row[place].removeprefix("-").isdecimal() for row in table.rows)
