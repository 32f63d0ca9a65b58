"""Markdown read as neutral blocks, by markdown-it-py, with the HTML in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from dicedocs.lint.page import Block, Comment, Page, Paragraph, Table
from dicedocs.page_rules.grid import Grid, GridRow
from dicedocs.syntax.ranges import is_range
from dicedocs_lint.html_blocks import HtmlBlocks

_MARKUP: Final = re.compile(r"[*_`\\\[<&!~]")
_COMMENT: Final = re.compile(r"<!--(.*?)-->", re.DOTALL)
_DIRECTIVE: Final = re.compile(r"\{(?P<name>[\w:-]+)\}")
_NOT_PROSE: Final = re.compile(r"code|math|literal|raw|mermaid|toctree|eval-rst", re.IGNORECASE)
_OPTIONS: Final = re.compile(r"(?::[\w-]+:.*\n)+")
_NESTED: Final = 4
"""How deep directives are read in one another."""


def read_markdown(path: str, text: str) -> Page:
    """Return a page in Markdown."""
    lines = text.splitlines()
    reader = _Reader(lines)
    reader.read(text, 0)
    return Page(path, reader.finish(), lines)


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    # Only texts with markup are parsed any further.
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


_PARSER: Final = _parser()


class _Reader:
    """The blocks of a page, as far as it was read."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self._blocks: list[Block] = []
        self._html = HtmlBlocks()
        self._env: dict[str, Any] = {}

    def finish(self) -> Sequence[Block]:
        """Return all blocks."""
        return [*self._blocks, *self._html.finish()]

    def read(self, text: str, above: int, depth: int = 0) -> None:
        """Read a text below some lines of the file."""
        tokens = _PARSER.parse(text, self._env)
        at = 0
        while at < len(tokens):
            at = self._token(tokens, at, above, depth)

    def _token(self, tokens: Sequence[Token], at: int, above: int, depth: int) -> int:
        """Read a block, and return the index of the token behind it."""
        token = tokens[at]
        line, end = _place(token, above)
        match token.type:
            case "html_block":
                self._html.base = line - self._html.getpos()[0]
                self._html.feed(token.content)
                self._blocks += self._html.take()
            case "inline":
                is_heading = tokens[at - 1].type == "heading_open"
                text = self._text(token.content, line)
                if self._html.is_open:
                    self._html.handle_data(text)
                else:
                    self._blocks.append(Paragraph(text, line, end, is_heading))
            case "fence" if (match := _DIRECTIVE.match(token.info.strip())) and depth < _NESTED:
                if not _NOT_PROSE.search(match["name"]):
                    options = _OPTIONS.match(token.content)
                    skipped = options.end() if options else 0
                    lines = token.content.count("\n", 0, skipped)
                    self.read(token.content[skipped:], line + lines, depth + 1)
            case "table_open":
                return self._table(tokens, at, above)
            case "ordered_list_open":
                return self._list(tokens, at, above, depth)
        return at + 1

    def _table(self, tokens: Sequence[Token], at: int, above: int) -> int:
        line, end = _place(tokens[at], above)
        rows: list[GridRow] = []
        cells: list[str] = []
        for index in range(at + 1, len(tokens)):
            token = tokens[index]
            if token.type == "tr_open":
                cells, row_line = [], _place(token, above)[0]
            elif token.type == "inline":
                cells.append(" ".join(self._text(token.content, row_line).split()))
            elif token.type == "tr_close":
                rows.append(GridRow(tuple(cells), row_line))
            elif token.type == "table_close":
                break
        below = len(rows)
        while below > 1 and self._is_text(rows[below - 1]):
            below -= 1
        if rows:
            self._blocks.append(Table(Grid(rows[0], tuple(rows[1:below])), line, end - len(rows[below:])))
        self._blocks += [Paragraph(row.cells[0], row.line, row.line) for row in rows[below:]]
        return index + 1

    def _is_text(self, row: GridRow) -> bool:
        """Return whether a row is text right below a table, which takes it in, or a mark of Obsidian: no pipe."""
        return not (any(row.cells[1:]) or "|" in self._lines[row.line - 1] or is_range(row.cells[0]))

    def _list(self, tokens: Sequence[Token], at: int, above: int, depth: int) -> int:
        """Read a numbered list, and then what stands in its items beside their first paragraphs."""
        line, end = _place(tokens[at], above)
        level, number = tokens[at].level, int(tokens[at].attrGet("start") or 1)
        rows: list[GridRow] = []
        inner: list[int] = []
        index = at + 1
        while tokens[index].level != level:
            token = tokens[index]
            if token.type == "list_item_open" and token.level == level + 1:
                first = tokens[index + 2] if tokens[index + 1].type == "paragraph_open" else None
                text = self._text(first.content, _place(token, above)[0]) if first else ""
                rows.append(GridRow((str(number + len(rows)), " ".join(text.split())), _place(token, above)[0]))
                index += 3 if first else 0
            else:
                inner.append(index)
            index += 1
        self._blocks.append(Table(Grid(None, tuple(rows), is_list=True), line, end))
        behind = at
        for each in inner:
            if each >= behind:
                behind = self._token(tokens, each, above, depth)
        return index + 1

    def _text(self, content: str, line: int) -> str:
        """Return a text as readers see it; its comments become blocks."""
        if not _MARKUP.search(content):
            return content
        if "<!--" in content:
            for match in _COMMENT.finditer(content):
                self._blocks.append(Comment(match[1].strip(), line + content.count("\n", 0, match.start())))
        tokens: list[Token] = []
        _PARSER.inline.parse(content, _PARSER, self._env, tokens)
        return "".join(_shown(tokens))


def _place(token: Token, above: int) -> tuple[int, int]:
    first, behind = token.map or [0, 1]
    return first + 1 + above, behind + above


def _shown(tokens: Sequence[Token]) -> Iterator[str]:
    for token in tokens:
        match token.type:
            case "softbreak" | "hardbreak":
                yield "\n"
            case "html_inline":
                yield " " if token.content.lower().startswith(("<br", "</p", "<p")) else ""
            case "image":
                yield token.content
            case _:
                yield token.content
