"""Tables and numbered lists that are rolled on: whether their rows are for just the numbers that the dice give.

A table is taken for one that is rolled on only if something near it names the dice, and its rows go on from one to the
next for the most part. What is looked up and not rolled is passed over, and so is a table that could be right in
another reading.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from operator import sub
from typing import Final, Literal, NamedTuple

from dicedocs.errors import DiceError, NotationError
from dicedocs.lint.finding import Finding
from dicedocs.lint.page import Page
from dicedocs.lint.words import with_plain_ranges
from dicedocs.page_rules.axis import Axis, find_numbers, read_axis
from dicedocs.page_rules.grid import Grid, GridRow
from dicedocs.page_rules.layout import TableError, read_layout, written_dice
from dicedocs.page_rules.near_table import named_dice
from dicedocs.page_rules.row_faults import Fault, RowRanges, find_faults
from dicedocs.page_rules.text_dice import DIE, with_plain_dice
from dicedocs.syntax.ranges import Range, is_range, read_ranges
from dicedocs.syntax.relations import RANGE
from dicedocs.syntax.tree import DiceTerm

_KEY_AND_TEXT: Final = 2
"""The columns of a table at least: numbers, and what they mean."""
_TENS: Final = (10, 100, 1000)
_NOT_ROLLED: Final = re.compile(
    r"damage|hit di|\bHD\b|\blevel|\bbonus|modifier|\bAC\b|weapon|\bDC\b|hit points|\bHP\b|\bper\b"
    r"|\A\W*#\s*\d*d|\bnumber of\b|schaden|stufe|niveau|nivel",
    re.IGNORECASE,
)
"""What stands in the head of a column of dice, or of numbers, that is looked up."""
_ROLL_HEAD: Final = re.compile(
    r"(?i:\W*(?:(?:die |dice |d%? ?)?(?:rolls?|results?|numbers?|no\.?|die|dice|total|wurf|würfel\w*|ergebnis|tirada"
    r"|resultado|jet|tiro|risultato|résultat|lancio|rzut|slag|#|d%|%|nr\.?))\W*)"
)
"""A head of a column of numbers that names no die."""
_ROLL: Final = re.compile(
    rf"\W*(?:(?:die|dice)\s+)?(?:rolls?|wurf|tirada|jet|tiro|lancio|d%|%)(?:\W*{DIE})?\W*", re.IGNORECASE
)
"""A head of another column of numbers."""
_IN_BRACKETS: Final = re.compile(
    rf"(?:\A|.*[\s(\[*_:,–—-])\(?\[?\s*(?:roll\s+)?(?P<dice>{DIE})\s*[)\]]?[\s:.*_]*\Z", re.IGNORECASE | re.DOTALL
)
"""A title, or the sentence above a table, that ends with its die: ``Scars (1d10)``."""
_LETTER_OF_NAME: Final = re.compile(r"(?<=[^\W\d_]\s)[tTkK]")
"""What begins a number behind a name as well as a Swedish or a Polish die: ``Throughline T4``."""
_TO_ROLL: Final = re.compile(
    r"\b(?:roll|throw|würf\w*|wirf|lance[rz]?|lanza|tira|tire[rz]?|jete[rz]?|role)\b[^.;]{0,30}?"
    rf"\b(?P<dice>{DIE})(?:[^.;]{{0,40}}(?:table|list\b|following|below|tabelle|tabla))?[^.;]{{0,40}}[.:]?\s*\Z",
    re.IGNORECASE,
)
"""A sentence above a table that says to roll on it."""
_SENTENCES: Final = re.compile(r"(?<=[.!?])\s+(?=\S)")
_ADDED: Final = re.compile(rf"(?P<dice>{DIE})\s*(?:\+|plus\b|minus\b)\s*(?![0-9\s]|{DIE})", re.IGNORECASE)
"""Dice to which something is added that is not known: ``1d20 + a relevant ability``."""
_PARTIAL: Final = re.compile(
    r"\b(?:excerpt|partial|sample(?!\s+stat)|extract|continued|auszug|extrait)\b|\bfor example\b[^.]*:\s*\Z",
    re.IGNORECASE,
)
_MARKS: Final = re.compile(r"(?:\\?[*†‡§°¹²³⁴⁵⁶⁷⁸⁹]|\^\[?[0-9a-z]{1,2}\]?\^?|\[[0-9a-z*]{1,2}\]|\s?%)+\s*\Z")
"""What stands behind the number of a row and belongs to a footnote, or to percentile dice."""
_LABEL: Final = re.compile(r"\s*=.*\Z", re.DOTALL)
_HUNDRED: Final = re.compile(r"(?<![0-9])00(?![0-9])")
_WEIGHT: Final = 0.5
"""How many of the rows have to go on from the one before, of all."""
_OF_ONE: Final = 2
"""How many joints between rows one wrong number breaks."""
_REPEATED: Final = 5
"""How many rows a table has at least of which one number, if only one is repeated, was meant to be another."""
_MOST: Final = 4
"""How many faults of one table are told; one wrong number can overlap with all other rows."""


class Named(NamedTuple):
    """Dice that are rolled on a table, and what names them: its head, a title or a sentence above."""

    dice: str
    place: Literal["head", "title", "sentence"]


class _Rolled(NamedTuple):
    """A table to roll on.

    Parameters:
        dice: what is rolled.
        place: what names the dice.
        axis: the dice, read.
        possible: the numbers that they give; ``None`` if those have no end.
        grid: its heads and rows.
        line: its first line.
        title: what it is called.
        is_beside: whether another one stands beside it in the same table.
        added: whether something is added to them that the text above names.
    """

    dice: str
    place: Literal["head", "title", "sentence"]
    axis: Axis
    possible: Sequence[int] | None
    grid: Grid
    line: int
    title: str
    is_beside: bool = False
    added: bool = False


class _Key(NamedTuple):
    """What the first cell of a row says.

    Parameters:
        row: the row.
        ranges: its numbers.
        rest: what stands behind them, if anything does.
    """

    row: GridRow
    ranges: tuple[Range, ...]
    rest: str = ""


class TableCheck(NamedTuple):
    """A table that was read, and what is wrong with it.

    Parameters:
        line: its first line.
        dice: what is rolled on it.
        in_head: whether its head names the dice.
        title: what it is called.
        findings: what is wrong.
        is_beside: whether another one stands beside it in the same table, so that no directive takes it.
    """

    line: int
    dice: str
    in_head: bool
    title: str
    findings: tuple[Finding, ...]
    is_beside: bool = False


def check_tables(page: Page) -> Iterator[TableCheck]:
    """Yield the tables of a page that are rolled on."""
    for tables in _joined([*_rolled_tables(page)]):
        for rolled in tables:
            check = _check(page, rolled)
            if check is not None:
                yield check


# Which tables are rolled on


def _rolled_tables(page: Page) -> Iterator[_Rolled]:
    for placed in page.tables():
        added = {_bare(match["dice"]) for match in _ADDED.finditer(with_plain_dice(placed.above))}
        parts = [part for grid in map(_with_heads, _segments(placed.table.grid)) for part in _beside(grid)]
        for grid, is_beside in parts:
            if (named := rolled_dice(grid, placed.table.caption, placed.above, placed.heading)) is not None:
                line = grid.head.line if named.place == "head" and grid.head else 0
                is_added = _bare(named.dice) in added
                try:
                    axis = read_axis(named.dice)
                    read = (*named, axis, find_numbers(axis.tree, {}))
                except DiceError:
                    continue
                yield _Rolled(*read, grid, line or placed.table.line, placed.title, is_beside, is_added)


def rolled_dice(grid: Grid, caption: str, above: str, heading: str) -> Named | None:
    """Return what is rolled on a table or a list; ``None`` if nothing says that it is rolled on.

    Parameters:
        grid: the table or the list.
        caption: its caption.
        above: the paragraph right above it.
        heading: the last heading above it.
    """
    if not grid.rows or any(map(_PARTIAL.search, (above, heading, caption))):
        return None
    first = grid.head.cells[0] if grid.head and grid.head.cells else ""
    if _NOT_ROLLED.search(first):
        return None
    if dice := written_dice(with_plain_dice(first)):
        return Named(dice, "head")
    if first and not _ROLL_HEAD.fullmatch(first):
        return None
    near = [with_plain_dice(text) for text in (caption, above, heading)]
    for text, written in zip(near, (caption, above, heading), strict=True):
        match = _IN_BRACKETS.match(text)
        if match is None or _LETTER_OF_NAME.match(written, match.start("dice")):
            continue
        if _is_only(match["dice"], text) and not _NOT_ROLLED.search(text):
            return Named(match["dice"].lower(), "title")
    sentence = _SENTENCES.split(near[1].replace("\n", " "))[-1]
    if (match := _TO_ROLL.search(sentence)) and _is_only(match["dice"], sentence) and not _NOT_ROLLED.search(sentence):
        return Named(match["dice"].lower(), "sentence")
    return None


def _is_only(dice: str, text: str) -> bool:
    """Return whether a text names these dice and no others, and nothing that is done with them."""
    return _bare(named_dice(text)) == _bare(dice)


def _bare(dice: str) -> str:
    return dice.lower().removeprefix("1")


def _segments(grid: Grid) -> Iterator[Grid]:
    """Yield the parts of a table in whose body heads stand again; none that has several heads."""
    if grid.is_list:
        yield grid
        return
    head, rows, heads = grid.head, list[GridRow](), 1
    for at, row in enumerate(grid.rows):
        if not _is_head(row, head):
            rows.append(row)
            continue
        if rows and head is not None and row.cells[0] == head.cells[0] and _goes_on_at(rows, grid.rows[at + 1 :]):
            continue
        if rows and heads == 1:
            yield Grid(head, tuple(rows))
        heads = heads + 1 if not rows and head is not None and written_dice(with_plain_dice(head.cells[0])) else 1
        head, rows = row, []
    if rows and heads == 1:
        yield Grid(head, tuple(rows))


def _beside(grid: Grid) -> Iterator[tuple[Grid, bool]]:
    """Yield the tables that stand side by side in one, each with a column of numbers, and whether there are several.

    Halves of one table have the same head, and numbers that go on.
    """
    heads = grid.head.cells if grid.head else ()
    starts = [0, *(at for at, head in enumerate(heads) if at and _names_roll(head))]
    ends = [*starts[1:], len(heads)]
    if grid.head is None or len(starts) == 1 or min(map(sub, ends, starts)) < _KEY_AND_TEXT:
        yield grid, False
        return
    parts: list[Grid] = []
    for start, end in zip(starts, ends, strict=True):
        rows = (row._replace(cells=row.cells[start:end]) for row in grid.rows)
        parts.append(Grid(grid.head._replace(cells=heads[start:end]), tuple(row for row in rows if any(row.cells))))
    keys = ([_read_key(row, 0) for row in part.rows] for part in parts)
    firsts = {next((key.ranges[0].low for key in each if key.ranges), None) for each in keys}
    if len(firsts) == 1 or len({heads[start] for start in starts}) == len(parts):
        yield from ((part, True) for part in parts)
    else:
        yield grid, False


def _with_heads(grid: Grid) -> Grid:
    """Return a table with its heads repeated over empty ones, below which its rows go on."""
    head = grid.head
    if head is None or "" not in head.cells:
        return grid
    cells = head.cells
    named = cells.index("")
    if not named or any(cells[named:]) or len(cells) % named:
        return grid
    beside = [row._replace(cells=row.cells[named:]) for row in grid.rows if row.cells[named:]]
    if not _goes_on_at(grid.rows, beside):
        return grid
    return grid._replace(head=head._replace(cells=cells[:named] * (len(cells) // named)))


def _is_head(row: GridRow, head: GridRow | None) -> bool:
    if head is not None and row.cells == head.cells:
        return True
    first = with_plain_dice(row.cells[0]) if row.cells else ""
    return len(row.cells) > 1 and bool(written_dice(first)) and not RANGE.match(first.strip())


def _joined(tables: Sequence[_Rolled]) -> Iterator[list[_Rolled]]:
    """Yield the tables, those as one of which the second goes on where the first ends."""
    found: list[_Rolled] = []
    for each in tables:
        if found and found[-1].dice == each.dice and _goes_on_at(found[-1].grid.rows, each.grid.rows, each.possible):
            before = found[-1].grid
            found[-1] = found[-1]._replace(grid=before._replace(rows=before.rows + each.grid.rows))
        else:
            found.append(each)
    yield found


def _goes_on_at(rows: Sequence[GridRow], others: Sequence[GridRow], possible: Sequence[int] | None = None) -> bool:
    """Return whether rows go on in others, at the next number that is possible; the last one may be wrong."""
    before = next((key for row in reversed(rows) if (key := _read_key(row, 0)).ranges), None)
    behind = next((key for row in others if (key := _read_key(row, 0)).ranges), None)
    if before is None or behind is None:
        return False
    last, first = before.ranges[-1], behind.ranges[0].low
    if first is None or first <= 1:
        return False
    below = possible[possible.index(first) - 1] if possible and first in possible[1:] else first - 1
    return below in {last.high, (last.low or 0) + 1}


# What is wrong with one


def _check(page: Page, rolled: _Rolled) -> TableCheck | None:
    possible = rolled.possible
    checked = TableCheck(rolled.line, rolled.dice, rolled.place == "head", rolled.title, (), rolled.is_beside)
    try:
        keys = _keys(rolled, possible, page.lines)
    except TableError as error:
        place = rolled.line, page.first_column(rolled.line)
        return checked._replace(findings=(Finding("layout", *place, error.message, rolled.dice, is_certain=False),))
    if keys is None or len(keys) < 2:
        return None
    readable = [key for key in keys if key.ranges]
    if possible:
        readable = _without_nested(readable, possible)
    if possible and (rolled.added or _is_changed(rolled.axis, readable, possible)):
        possible = None
    if not _is_rolled(readable, possible) or len(readable) + 2 < len(keys):
        return None
    findings: list[Finding] = []
    unread = [key for key in keys if key.rest or not key.ranges]
    for key in unread:
        text = key.row.cells[0]
        is_alone = bool(key.ranges) and not any(key.row.cells[1:])
        message = f"{_short(text)!r} is not a number or a range"
        column = page.first_column(key.row.line)
        if key.row.line and text in page.lines[key.row.line - 1]:
            column = page.lines[key.row.line - 1].index(text) + 1
        findings.append(Finding("table", key.row.line, column, message, rolled.dice, is_certain=is_alone))
    if any(not key.ranges for key in unread):
        # A row of words may stand for whatever is missing.
        return checked._replace(findings=tuple(findings))
    # Steps are numbered too, and fewer than the sides of most dice.
    is_steps = 2 * len(keys) < len(possible or ())
    if rolled.grid.is_list and (is_steps or any(key.ranges != (Range(at, at),) for at, key in enumerate(keys, 1))):
        return None
    faults = _faults(readable, possible)
    is_one = _broken(readable, possible) <= _OF_ONE or len(faults) <= max(1, min(_MOST, len(readable) // 2))
    certain = is_one and (rolled.place != "sentence" or len(readable) > 2)
    for fault in faults[:_MOST]:
        line = fault.line or rolled.line
        message = f"{fault.message}; {fault.hint}" if fault.hint else fault.message
        column = page.first_column(line)
        findings.append(Finding("table", line, column, f"{rolled.dice}: {message}", rolled.dice, is_certain=certain))
    return checked._replace(findings=tuple(findings))


def _faults(keys: Sequence[_Key], possible: Sequence[int] | None) -> list[Fault]:
    """Return what is wrong with the rows; of rows with a range that cannot be meant, that alone.

    It runs backwards, or goes on beyond the dice in the midst of the table.
    """
    faults = [*find_faults([RowRanges(key.ranges, key.row.line) for key in keys], possible)]
    most = possible[-1] if possible else None
    unmeant = {key.row.line for key in keys for each in key.ranges if _runs_backwards(each)}
    unmeant |= {one.row.line for one, two in pairwise(keys) if _ends_beyond(one.ranges, most, two.ranges)}
    of_rows = {fault.line: fault for fault in reversed(faults) if fault.line in unmeant}
    return [*reversed(of_rows.values())] or faults


def _without_nested(keys: Sequence[_Key], possible: Sequence[int]) -> list[_Key]:
    """Return rows without those of tables within: in the midst of others, several that cover all that the dice give."""
    kept: list[_Key] = []
    at = 0
    while at < len(keys):
        end = at + 1
        if kept and keys[at].ranges[0].low == possible[0]:
            while end < len(keys) and not _broken(keys[end - 1 : end + 1], possible):
                end += 1
        is_nested = at + 1 < end < len(keys) and keys[end - 1].ranges[-1].high == possible[-1]
        kept += keys[at : at + (not is_nested)]
        at = end if is_nested else at + 1
    return kept


def _runs_backwards(one: Range) -> bool:
    return one.low is not None and one.high is not None and one.low > one.high


def _ends_beyond(one: Sequence[Range], most: int | None, two: Sequence[Range]) -> bool:
    """Return whether ranges end beyond the dice, and those behind them begin within."""
    if most is None or not one or not two or one[-1].high is None or two[0].low is None:
        return False
    return one[-1].high > most >= two[0].low


def _keys(rolled: _Rolled, possible: Sequence[int] | None, lines: Sequence[str]) -> list[_Key] | None:
    """Return what the first cells of the rows say; ``None`` if the table is none to roll on.

    Raises:
        TableError: it has a layout that is not read here.
    """
    zero = possible[-1] if possible and possible[0] == 1 and possible[-1] in _TENS else 0
    rows = [row for row in rolled.grid.rows if any(row.cells) and not _is_label(row)]
    if not rolled.grid.is_list and not _is_plain_layout(rolled.grid, rows):
        try:
            read = read_layout(Grid(rolled.grid.head, tuple(rows)), rolled.dice, names_columns=False)
        except DiceError:
            return None
        is_half = len(read.rows) <= len(rows) and _has_halves(rolled.grid) and _counts_beside(rows)
        if len(read.axes) > 1 or read.across or any(map(_names_roll, read.columns)) or is_half:
            raise TableError(f"{rolled.dice}: the layout of this table is not read")
        rows = [GridRow((*row.keys, *row.cells), read.line(at)) for at, row in enumerate(read.rows)]
    keys = [_read_key(row, zero) for row in rows]
    # A row that goes on in the next one has its numbers there again; one that was pasted twice has all again.
    groups = [[*same] for _, same in groupby(keys, key=lambda key: key.ranges or key.row.cells)]
    is_slip = len(groups) >= _REPEATED and len(keys) == len(groups) + 1
    keys = [key for same in groups for key in (same if is_slip and _are_two(same, lines) else _same_rows(same))]
    bounds = [key.ranges[0].low or 0 for key in keys if key.ranges]
    if len(bounds) > 1 and all(one > two for one, two in pairwise(bounds)):
        keys.reverse()
    return keys


def _same_rows(keys: Sequence[_Key]) -> Iterator[_Key]:
    """Yield the first of rows with the same numbers, and those that say the same as it."""
    first = keys[0]
    yield first
    yield from (each for each in keys[1:] if each.row.cells == first.row.cells and any(first.row.cells[1:]))


def _are_two(keys: Sequence[_Key], lines: Sequence[str]) -> bool:
    """Return whether each of the rows is written with its numbers, and says something in all cells."""
    texts = [(lines[key.row.line - 1] if key.row.line else "", key.row.cells) for key in keys]
    return all(all(cells) and line.lstrip("|*_> ").startswith(cells[0].strip("*_ ")) for line, cells in texts)


def _is_plain_layout(grid: Grid, rows: Sequence[GridRow]) -> bool:
    """Return whether the numbers stand in the first column alone."""
    heads = [with_plain_dice(cell) for cell in grid.head.cells] if grid.head else []
    if sum(map(_names_roll, heads)) > 1 or (len(heads) > _KEY_AND_TEXT and all(map(is_range, heads[1:]))):
        return False
    return not _has_halves(grid) and any(_read_key(row, 0).ranges for row in rows)


def _has_halves(grid: Grid) -> bool:
    """Return whether the second half of the columns has the heads of the first."""
    heads = grid.head.cells if grid.head else ()
    half, odd = divmod(len(heads), 2)
    return half >= _KEY_AND_TEXT and not odd and heads[:half] == heads[half:]


def _counts_beside(rows: Sequence[GridRow]) -> bool:
    """Return whether another column than the first has numbers in most rows."""
    columns = zip(*(row.cells[1:] for row in rows), strict=False)
    return any(2 * sum(map(is_range, cells)) > len(rows) for cells in columns)


def _names_roll(head: str) -> bool:
    """Return whether a head names dice, or says that its column is rolled for."""
    plain = with_plain_dice(head).strip(" ()")
    return bool(_ROLL.fullmatch(head) or plain.lower() == written_dice(plain) != "")


def _is_label(row: GridRow) -> bool:
    """Return whether a row is only a heading inside a table, or its numbers are left out."""
    texts = {cell for cell in row.cells if cell}
    is_merged = row.cells.count(row.cells[0]) > 1
    return not row.cells[0] or (is_merged and len(texts) == 1 and not is_range(*texts))


def _read_key(row: GridRow, zero: int) -> _Key:
    text = _LABEL.sub("", _MARKS.sub("", with_plain_ranges(row.cells[0])).strip())
    text = text.strip("*_ ")
    zero = 100 if _HUNDRED.search(text) else zero
    try:
        return _Key(row, read_ranges(text, zero=zero))
    except NotationError:
        match = RANGE.match(text)
        if match is None or not re.match(r"\s+[^\W\d_]", text[match.end() :]):
            return _Key(row, ())
        try:
            return _Key(row, read_ranges(match[0], zero=zero), text[match.end() :])
        except DiceError:
            return _Key(row, ())
    except DiceError:
        return _Key(row, ())


def _is_rolled(keys: Sequence[_Key], possible: Sequence[int] | None) -> bool:
    """Return whether the rows go on from one to the next for the most part, as far as the dice do."""
    ranges = [each for key in keys for each in key.ranges]
    if len(ranges) < 2:
        return False
    broken = _broken(keys, possible)
    joints = len(ranges) - 1 - broken
    is_joined = joints >= _WEIGHT * (len(ranges) - 1)
    if not possible:
        return is_joined and (not broken or len(ranges) > 3)
    low, high = ranges[0].low, ranges[-1].high
    starts = low is None or low == possible[0]
    ends = high is None or high == possible[-1]
    return (is_joined and (starts or ends or low == 0)) or (starts and ends and joints > 0 and broken <= _OF_ONE)


def _broken(keys: Sequence[_Key], possible: Sequence[int] | None) -> int:
    """Return how often a range does not begin where the one before it ends."""
    index = {number: at for at, number in enumerate(possible)} if possible else {}

    def follows(one: Range, two: Range) -> bool:
        if one.high is None or two.low is None:
            return False
        if one.high in index and two.low in index:
            return index[two.low] == index[one.high] + 1
        return two.low == one.high + 1

    return sum(not follows(one, two) for one, two in pairwise(each for key in keys for each in key.ranges))


def _is_changed(axis: Axis, keys: Sequence[_Key], possible: Sequence[int]) -> bool:
    """Return whether something is added to the roll that the head does not name: rows lie beyond it, with open ends.

    So it is where the dice are part of a sum, of which other rows have other parts.
    """
    ranges = [each for key in keys for each in key.ranges]
    ends = [end for each in ranges for end in each if end is not None]
    is_beyond = bool(ends) and (min(ends) < possible[0] or max(ends) > possible[-1])
    return is_beyond and (any(None in each for each in ranges) or not isinstance(axis.tree, DiceTerm))


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:39]}…"
