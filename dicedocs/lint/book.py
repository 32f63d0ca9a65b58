"""A whole book, checked page by page: what is wrong, and what was looked at."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from dicedocs.lint.figures import WAYS, Figure, find_figures
from dicedocs.lint.finding import Finding
from dicedocs.lint.page import Comment, Page
from dicedocs.lint.rolled_tables import TableCheck, check_tables

_SILENCE: Final = re.compile(r"dicedocs:\s*ignore(?:\s+(?P<what>line|file))?\s*", re.IGNORECASE)
_FEW: Final = 3
"""How many averages a book takes in another way at least, and how many times as many, if it does so on purpose."""


class PageCheck(NamedTuple):
    """A page that was checked.

    Parameters:
        page: the page.
        tables: the tables that are rolled on.
        figures: the averages, ranges, percentages and sums, right or wrong.
        silenced: the lines, from one to another, of which nothing is said.
    """

    page: str
    tables: tuple[TableCheck, ...]
    figures: tuple[Figure, ...]
    silenced: tuple[tuple[int, int], ...]

    def says(self, line: int) -> bool:
        """Return whether no comment silences a line."""
        return not any(low <= line <= high for low, high in self.silenced)


class Book(NamedTuple):
    """The pages of a book that were checked."""

    pages: tuple[PageCheck, ...]

    @property
    def averages(self) -> int:
        """How many averages it has, right or wrong."""
        return sum(each.is_average for page in self.pages for each in page.figures)

    @property
    def ways(self) -> list[str]:
        """How its averages are taken if they are not rounded down: those of ``WAYS`` that it keeps to.

        Characters have their first die in full where monsters have not; it is enough that most others are so.
        """
        figures = [each for page in self.pages for each in page.figures]
        averages = [each for each in figures if each.is_average and each.finding.is_certain]
        others = [each for each in averages if not each.is_right]
        kept: list[str] = []
        for way in WAYS:
            by = sum(way in each.ways for each in others)
            against = sum(each.is_right and way not in each.ways for each in averages)
            is_usual = 2 * by > len(others) if way == "first die in full" else by > _FEW * against
            if by >= _FEW and is_usual:
                kept.append(way)
        return kept

    def findings(self, *, everything: bool = False) -> Iterator[tuple[str, Finding]]:
        """Yield what is wrong, by page and line.

        Parameters:
            everything: whether what is uncertain is wanted too.
        """
        ways = frozenset(self.ways)
        for page in self.pages:
            found = [finding for table in page.tables for finding in table.findings]
            wrong = (each for each in page.figures if not (each.is_right or each.is_full))
            found += [each.finding for each in wrong if ways.isdisjoint(each.ways)]
            kept = (each for each in found if (everything or each.is_certain) and page.says(each.line))
            for finding in sorted(dict.fromkeys(kept), key=lambda each: (each.line, each.column)):
                yield page.page, finding


def check_page(page: Page) -> PageCheck:
    """Return what was looked at in a page, and what is wrong with it."""
    return PageCheck(page.path, tuple(check_tables(page)), tuple(find_figures(page)), tuple({*_silenced(page)}))


def check_book(pages: Iterable[Page]) -> Book:
    """Return the check of a whole book."""
    return Book(tuple(map(check_page, pages)))


def _silenced(page: Page) -> Iterator[tuple[int, int]]:
    """Yield the lines of which a comment says that nothing is to be said."""
    end = 0
    for block in reversed(page.blocks):
        if not isinstance(block, Comment):
            end = block.end
        elif match := _SILENCE.fullmatch(block.text):
            if match["what"] == "file":
                yield 0, len(page.lines) + 1
            elif match["what"] == "line":
                yield block.line, block.line + 1
            else:
                yield block.line, max(block.line, end)
