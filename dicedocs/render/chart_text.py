"""A chart of odds as text: bars of block characters, fitted to a width."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from dicedocs.render.chart import MOST, Chart, Series, chart, sentences, title
from dicedocs.render.table import cells, figures_text, fitted

_EIGHTHS: Final = " ▏▎▍▌▋▊▉"
_FULL: Final = "█"
_LEAST_WIDTH: Final = 20
_LEAST_BAR: Final = 3
"""Characters below which a bar tells nothing, and is left out."""
_LEAST_LABEL: Final = 4
_FIGURE: Final = 8
"""Characters of a percentage and of the gap before it."""
_GAP: Final = "  "


def bars_text(
    series: Series,
    *,
    width: int = 78,
    most: int = MOST,
    marked: Collection[object] = (),
    ascii: bool = False,
    cumulative: bool = False,
    summarised: bool = True,
) -> str:
    """Draw distributions as text, several side by side.

    Parameters:
        series: up to four distributions by their labels.
        width: the characters of a line, at least 20.
        most: how many lines of bars there is room for.
        marked: the values to point at, with ``>``.
        ascii: whether to draw with ``#`` alone, for a stream that has no blocks.
        cumulative: whether one distribution of numbers has columns for "at least" and "at most" as well.
        summarised: whether mean, spread and likeliest values stand below.

    >>> from dicedocs.probability.distribution import Distribution
    >>> print(bars_text({"": Distribution({0: 1, 1: 2, 2: 1})}, width=24, marked=[2]))
      0  25%  ███████
      1  50%  ██████████████
    > 2  25%  ███████
    <BLANKLINE>
    Mean 1, standard deviation 0.71, most likely 1 (50%).
    """
    drawn = chart(series, most=most, marked=marked)
    titles = {title(one) if one.names else "" for one in series.values()}
    head = titles.pop() if len(titles) == 1 else ""
    cumulative = cumulative and drawn.ordered and len(series) == 1
    lines = _lines(drawn, head, max(width, _LEAST_WIDTH), ascii=ascii, cumulative=cumulative)
    below = [drawn.note] if drawn.note else []
    if summarised:
        below += sentences(series)
    return "\n".join([*lines, *([""] if below else []), *below])


def _lines(drawn: Chart, head: str, width: int, *, ascii: bool, cumulative: bool) -> list[str]:
    """Put the columns side by side: the labels, then for each distribution its figures and its bars."""
    columns = [_labels(drawn, head, max(min(width // 3, width - _FIGURE * len(drawn.names)), _LEAST_LABEL))]
    each = (width - cells(columns[0][0])) // len(drawn.names)
    for place, name in enumerate(drawn.names):
        figures = [_column("exactly" if cumulative else "", drawn.exactly(place))]
        if cumulative:
            figures += [_column("at least", drawn.at_least()), _column("at most", drawn.at_most())]
        length = each - sum(len(_GAP) + len(column[0]) for column in figures) - len(_GAP)
        if length >= _LEAST_BAR:
            figures.append(_bars(drawn, place, length, ascii=ascii))
        column = list(map(_GAP.join, zip(*figures, strict=True)))
        if not cumulative:
            column[0] = fitted(name, len(column[0]))
        columns.append(column)
    lines = [_GAP.join(parts).rstrip() for parts in zip(*columns, strict=True)]
    return lines if lines[0] else lines[1:]


def _labels(drawn: Chart, head: str, most: int) -> list[str]:
    """Give the column of labels under its head, with a pointer before each that is marked."""
    room = min(max(map(cells, [head, *(bar.label for bar in drawn.bars)])), most)
    pointer = "> " if any(bar.marked for bar in drawn.bars) else ""
    texts = [(head, False), *((bar.label, bar.marked) for bar in drawn.bars)]
    return [
        fitted(pointer if marked else "", len(pointer)) + fitted(text, room, right=drawn.ordered)
        for text, marked in texts
    ]


def _column(head: str, texts: list[str]) -> list[str]:
    """Give a column under its head, its figures one below the other."""
    lines = [head, *figures_text(texts)]
    room = max(map(len, lines))
    return [text.rjust(room) for text in lines]


def _bars(drawn: Chart, place: int, length: int, *, ascii: bool) -> list[str]:
    """Give the column of bars under an empty head; each bar is as long as its chance, the longest as the column."""
    longest = drawn.longest
    part, whole = longest.numerator * drawn.wholes[place], longest.denominator
    unit = 1 if ascii else 8
    bars = [""]
    for bar in drawn.bars:
        steps = (2 * unit * length * bar.counts[place] * whole + part) // (2 * part)
        # What can happen at all has a bar.
        steps = max(steps, 1) if bar.counts[place] else 0
        full, eighths = divmod(steps, unit)
        bars.append("#" * full if ascii else _FULL * full + _EIGHTHS[eighths].strip())
    return [bar.ljust(length) for bar in bars]
