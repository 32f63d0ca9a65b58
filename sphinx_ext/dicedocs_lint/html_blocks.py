"""HTML read as neutral blocks, by the parser of the standard library; also where it stands in Markdown."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Final

from dicedocs.lint.page import Block, Comment, Page, Paragraph, Table
from dicedocs.page_rules.grid import Cell, Grid, GridRow, spread_cells

_UNSEEN: Final = frozenset({"script", "style", "pre", "template", "textarea", "svg", "head"})
_BLOCKS: Final = frozenset(
    {"address", "article", "aside", "blockquote", "body", "center", "dd", "details", "div", "dl", "dt", "fieldset"}
    | {"figcaption", "figure", "footer", "form", "header", "hr", "html", "li", "main", "nav", "p", "section"}
    | {"summary", "ul"}
)
_HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "legend"})
_WIDEST: Final = 100
"""The columns and rows that a merged cell covers at most."""
_COLUMNS: Final = 1_000
"""The columns of a table that are read."""
_NESTED: Final = 20
"""How deep tables may stand in one another."""
_NUMBER: Final = re.compile(r"[0-9]{1,3}")


def read_html(path: str, text: str) -> Page:
    """Return a page in HTML."""
    reader = HtmlBlocks()
    reader.feed(text)
    reader.close()
    return Page(path, reader.finish(), text.splitlines())


@dataclass
class _Table:
    """A table that is being read.

    Parameters:
        line: its first line.
        rows: its rows, each with its line, whether it is one of heads, and its cells.
    """

    line: int
    rows: list[tuple[int, bool, list[Cell]]] = field(default_factory=list)
    caption: str = ""
    cell: list[str] | None = None
    span: tuple[int, int] = (1, 1)
    is_head: bool = False

    def grid(self) -> Grid:
        """Return the table; its heads are the rows of heads at its top."""
        texts = spread_cells((cells for _, _, cells in self.rows), _COLUMNS)
        rows = [GridRow(cells, line) for cells, (line, _, _) in zip(texts, self.rows, strict=True)]
        heads = 0
        while heads < len(rows) and self.rows[heads][1]:
            heads += 1
        if heads == len(rows) > 2:
            # The end of its heads was forgotten.
            heads = 1
        named = [row for row in rows[:heads] if len(set(row.cells)) > 1 or len(row.cells) == 1] or rows[:heads][-1:]
        return Grid(named[-1] if named else None, tuple(rows[heads:]))


@dataclass
class _List:
    line: int
    number: int
    rows: list[GridRow] = field(default_factory=list)


class HtmlBlocks(HTMLParser):
    """The blocks of a text in HTML, which may come in parts.

    Parameters:
        base: the lines of the file above what is fed.
    """

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.base = 0
        self._blocks: list[Block] = []
        self._parts: list[str] = []
        self._line = 0
        self._unseen: list[str] = []
        self._heading = False
        self._tables: list[_Table] = []
        self._lists: list[_List | None] = []

    @property
    def is_open(self) -> bool:
        """Whether a table or a list has begun and not ended."""
        return bool(self._tables or self._lists)

    def take(self) -> list[Block]:
        """Return the blocks that are complete, and forget them."""
        blocks, self._blocks = self._blocks, []
        return blocks

    def finish(self) -> list[Block]:
        """Return the blocks that are left; what has no end ends here."""
        while self._tables:
            self._end_table()
        self._flush()
        return self.take()

    @property
    def _here(self) -> int:
        return self.getpos()[0] + self.base

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._unseen or tag in _UNSEEN:
            if tag in _UNSEEN:
                self._unseen.append(tag)
            return
        table = self._tables[-1] if self._tables else None
        values = dict(attrs)
        match tag:
            case "br":
                self.handle_data("\n")
            case "table" if len(self._tables) < _NESTED:
                self._flush()
                self._tables.append(_Table(self._here))
            case "tr" if table:
                self._end_cell()
                table.rows.append((self._here, True, []))
            case "td" | "th" if table:
                self._end_cell()
                if not table.rows:
                    table.rows.append((self._here, True, []))
                line, all_heads, cells = table.rows[-1]
                table.rows[-1] = line, all_heads and (tag == "th" or table.is_head), cells
                table.cell = []
                spans = (_NUMBER.fullmatch(values.get(name) or "1") for name in ("colspan", "rowspan"))
                across, down = (min(int(span[0]), _WIDEST) if span else 1 for span in spans)
                table.span = max(1, across), max(1, down)
            case "caption" if table:
                self._end_cell()
                self._parts = []
            case "thead" if table:
                table.is_head = True
            case "ol" if not table:
                self._flush()
                start = _NUMBER.fullmatch(values.get("start") or "1")
                self._lists.append(_List(self._here, int(start[0]) if start else 1))
            case "ul" if not table and self._lists:
                self._lists.append(None)
            case "li" if not table and self._lists:
                self._end_item()
            case _ if tag in _HEADINGS:
                self._flush()
                self._heading = True
            case _ if tag in _BLOCKS:
                self._break()

    def handle_endtag(self, tag: str) -> None:
        if self._unseen:
            if tag == self._unseen[-1]:
                self._unseen.pop()
            return
        table = self._tables[-1] if self._tables else None
        match tag:
            case "table" if table:
                self._end_table()
            case "td" | "th" | "tr" if table:
                self._end_cell()
            case "caption" if table:
                table.caption, self._parts = _plain("".join(self._parts)), []
            case "thead" if table:
                table.is_head = False
            case "ol" | "ul" if not table and self._lists:
                self._end_item()
                ended = self._lists.pop()
                if ended and ended.rows:
                    rows = tuple(ended.rows)
                    self._blocks.append(Table(Grid(None, rows, is_list=True), ended.line, self._here, is_html=True))
            case _ if tag in _HEADINGS:
                self._flush()
            case _ if tag in _BLOCKS:
                self._break()

    def handle_data(self, data: str) -> None:
        if self._unseen:
            return
        cell = self._tables[-1].cell if self._tables else None
        if cell is not None:
            cell.append(data)
        elif data.strip() or self._parts:
            if not self._parts:
                blank = len(data) - len(data.lstrip())
                self._line = self._here + data.count("\n", 0, blank)
                data = data[blank:]
            self._parts.append(data)

    def handle_comment(self, data: str) -> None:
        self._blocks.append(Comment(data.strip(), self._here))

    def _break(self) -> None:
        """End a paragraph, or a line of a cell or of an item."""
        if self._tables or self._lists:
            self.handle_data("\n")
        else:
            self._flush()

    def _flush(self) -> None:
        """End a paragraph or a heading."""
        text, self._parts = "".join(self._parts).strip(), []
        is_heading, self._heading = self._heading, False
        if text:
            line, end = self._line, max(self._line, self._here)
            self._blocks.append(Paragraph(text, line, end, is_heading))

    def _end_item(self) -> None:
        """End an item of the innermost list."""
        text, self._parts = _plain("".join(self._parts)), []
        inner = self._lists[-1]
        if inner and text:
            inner.rows.append(GridRow((str(inner.number), text), self._line))
            inner.number += 1
        elif text:
            self._blocks.append(Paragraph(text, self._line, max(self._line, self._here)))

    def _end_cell(self) -> None:
        table = self._tables[-1]
        if table.cell is None or not table.rows:
            return
        text, table.cell = _plain("".join(table.cell)), None
        table.rows[-1][2].append(Cell(text, *table.span))

    def _end_table(self) -> None:
        self._end_cell()
        table = self._tables.pop()
        outer = self._tables[-1] if self._tables else None
        rows = [row for row in table.rows if row[2]]
        table.rows = rows
        if rows:
            self._blocks.append(Table(table.grid(), table.line, self._here, table.caption, is_html=True))
        if outer is None:
            self._parts = []


def _plain(text: str) -> str:
    return " ".join(text.split())
