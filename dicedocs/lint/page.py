"""A page of any book: its headings, paragraphs and tables, each with its place, whatever format it was read from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from dicedocs.page_rules.grid import Grid

_LONG: Final = 10_000
"""The characters of a text that are read; longer ones are no prose."""


class Paragraph(NamedTuple):
    """A paragraph as readers see it, or a heading.

    Parameters:
        text: what it says.
        line, end: its first and its last line in the file, from 1.
        is_heading: whether it is the title of what follows it.
    """

    text: str
    line: int
    end: int
    is_heading: bool = False


class Table(NamedTuple):
    """A table, or a numbered list.

    Parameters:
        grid: its cells; each row has its line.
        line, end: its first and its last line in the file.
        caption: its caption, or what its directive says is rolled.
        is_html: whether it is written in HTML, where no directive takes it.
    """

    grid: Grid
    line: int
    end: int
    caption: str = ""
    is_html: bool = False


class Comment(NamedTuple):
    """A comment, which readers do not see.

    Parameters:
        text: what it says.
        line: its line in the file.
    """

    text: str
    line: int


Block: TypeAlias = Paragraph | Table | Comment


class Placed(NamedTuple):
    """A table, and what stands above it.

    Parameters:
        table: the table, or the list.
        above: the last paragraph or heading above it, if no other table stands between both.
        heading: the last heading above it.
    """

    table: Table
    above: str
    heading: str

    @property
    def title(self) -> str:
        """What it is called."""
        return self.table.caption or self.heading or self.above


class Passage(NamedTuple):
    """A text that is read by itself: a paragraph, a cell, an item of a list.

    Parameters:
        text: what it says.
        line, end: the lines of the file in which it stands.
        around: what else its row says of it, its heads and its first cell.
    """

    text: str
    line: int
    end: int
    around: str = ""


class Page(NamedTuple):
    """A page.

    Parameters:
        path: its name for people.
        blocks: what it consists of, in the order of the page.
        lines: the lines of its file.
    """

    path: str
    blocks: Sequence[Block]
    lines: Sequence[str]

    def tables(self) -> Iterator[Placed]:
        """Yield the tables and lists of the page."""
        heading = above = ""
        for block in self.blocks:
            if isinstance(block, Paragraph):
                above, heading = block.text, block.text if block.is_heading else heading
            elif isinstance(block, Table):
                yield Placed(block, above, heading)
                above = ""

    def passages(self) -> Iterator[Passage]:
        """Yield all texts of the page."""
        for block in self.blocks:
            if isinstance(block, Paragraph):
                yield Passage(block.text[:_LONG], block.line, block.end)
            elif isinstance(block, Table):
                yield from _cells(block)

    def place(self, passage: Passage, at: int, *texts: str) -> tuple[int, int]:
        """Return the line and the column of a part of a passage.

        Parameters:
            at: where the part begins in the text.
            texts: the part, and then what else it may be known by in a file in which markup stands in it.
        """
        for text in texts:
            skipped = passage.text.count(text, 0, at)
            for number in range(passage.line, min(passage.end, len(self.lines)) + 1):
                line, start = self.lines[number - 1], -1
                while (start := line.find(text, start + 1)) >= 0:
                    if not skipped:
                        return number, start + 1
                    skipped -= 1
        return passage.line, self.first_column(passage.line)

    def first_column(self, line: int) -> int:
        """Return the column of the first character of a line that is no space and no bar of a table."""
        text = self.lines[line - 1] if 0 < line <= len(self.lines) else ""
        return len(text) - len(text.lstrip(" \t>|")) + 1 if text.strip(" \t>|") else 1


def _cells(table: Table) -> Iterator[Passage]:
    grid = table.grid
    rows = grid.rows
    heads = grid.head.cells if grid.head else ()
    for at, row in enumerate(rows):
        end = rows[at + 1].line - 1 if at + 1 < len(rows) else table.end
        for column, cell in enumerate(row.cells):
            head = heads[column] if column < len(heads) else ""
            # A merged cell stands in each column that it covers.
            if cell and (not column or cell != row.cells[column - 1]):
                yield Passage(cell[:_LONG], row.line, max(row.line, end), f"{head} {row.cells[0] if column else ''}")
