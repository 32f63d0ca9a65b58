"""The tables that a rule of a page looks something up in: the rows in a line, or the table below."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from math import inf
from typing import Final

from dicedocs.errors import quoted
from dicedocs.page_rules.layout import TableRow
from dicedocs.page_rules.page_table import PageTable
from dicedocs.page_rules.rule_lines import LookedUp
from dicedocs.page_rules.table_reading import TableReader
from dicedocs.page_rules.table_rule import TableRule, page_mechanics
from dicedocs.rules.truth_words import TYPED_TRUTHS
from dicedocs.syntax.ranges import Range, is_range, read_ranges
from dicedocs.syntax.rule_names import NUMBER, Kind

_SIGNED: Final = re.compile(r"[+\u2212-][0-9]+")


class LookedUpTable:
    """A table that a rule looks something up in.

    Parameters:
        table: the table.

    Attributes:
        reader: the table, read.
        rule: the table as a rule, if dice are thrown in its cells.
        facts: what it gives: each with its head, and its kind.
    """

    def __init__(self, table: PageTable) -> None:
        self.reader = TableReader(table, numbers=True)
        self.rule: type[TableRule] | None = None
        self.facts: list[tuple[str, Kind]] = []
        for column in self.reader.columns:
            words = tuple(dict.fromkeys(value for value in column.values if isinstance(value, str)))
            self.facts.append((column.head, words or NUMBER))
        if any(column.rolled for column in self.reader.columns):
            self.rule = page_mechanics([table])[table.id]
            self.facts += [(column.rolled, NUMBER) for column in self.reader.columns if column.rolled]

    @property
    def facts_of_rule(self) -> list[str]:
        """The names of what it gives among the facts of its rule."""
        columns = self.reader.columns
        return [*(column.name for column in columns), *(column.rolled for column in columns if column.rolled)]

    def ranges(self, axis: int) -> list[list[Range]]:
        """Return the numbers of each of its rows, for axis 0, or of the columns of a matrix, for axis 1."""
        per_row = self.reader.table.cells_per_row
        cells = range(per_row) if axis else range(0, per_row * len(self.reader.table.rows), per_row)
        keys = [self.reader.keys(cell)[axis] for cell in cells]
        return [[each for each in key if isinstance(each, Range)] for key in keys]

    def bands(self) -> dict[int | None, str] | None:
        """Return its first column as a table of ``Say.look_up``; ``None`` if that is more than a number's meaning."""
        return self.reader.bands_of(self.reader.columns[0]) if len(self.reader.axes) == 1 else None


def read_rows(line: LookedUp) -> Iterator[TableRow]:
    """Yield the rows that stand in a line: ``6- miss, 7-9 weak hit``."""
    others: list[Range] = []
    for at, item in row_items(line):
        words = item.split()
        if words[0].casefold() in {"else", "otherwise"} and words[1:] and others:
            label = ", ".join(str(each).replace("\u2013", "-") for each in _rest(others))
            yield TableRow((label,), (_meaning(words[1:]),))
            continue
        cuts = [at for at in range(1, len(words)) if is_range(" ".join(words[:at]))]
        if not cuts:
            hint = "write numbers and what they mean, as in 6- miss, 7-9 weak hit, 10+ strong hit"
            if words[0].casefold() in TYPED_TRUTHS:
                hint = "write what is yes or no behind if, as in 2d8 if critical, else 1d8"
            raise line.text.error(f"{quoted(item)} is not a row", at, hint)
        others += read_ranges(" ".join(words[: cuts[-1]]))
        yield TableRow((" ".join(words[: cuts[-1]]),), (_meaning(words[cuts[-1] :]),))


def _meaning(words: Sequence[str]) -> str:
    """Return what a row in a line means; a number is one, whatever its sign."""
    text = " ".join(words)
    if _SIGNED.fullmatch(text):
        return text.replace("\u2212", "-").lstrip("+")
    return text.strip('"“”')


def _rest(ranges: Iterable[Range]) -> Iterator[Range]:
    """Yield the numbers that are in none of some ranges."""
    behind: int | None = None
    is_first = True
    for each in sorted(ranges, key=lambda one: -inf if one.low is None else one.low):
        if each.low is not None and (is_first or (behind is not None and each.low > behind)):
            yield Range(None if is_first else behind, each.low - 1)
        if each.high is None:
            return
        is_first, behind = False, max(each.high + 1, behind if behind is not None else each.high + 1)
    yield Range(behind, None)


def row_items(line: LookedUp) -> Iterator[tuple[int, str]]:
    """Yield the rows that stand in a line as written, each with its position in the line."""
    at = line.at
    for part in line.bands.split(";" if ";" in line.bands else ","):
        if item := " ".join(part.split()):
            yield at + len(part) - len(part.lstrip()), item
        at += len(part) + 1
