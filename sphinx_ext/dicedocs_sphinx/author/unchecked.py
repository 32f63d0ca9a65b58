"""What in a book has dice and no check, found by what reads books for ``dicedocs lint``, with the lines to write."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from sphinx.application import Sphinx

from dicedocs import DiceError
from dicedocs.lint.book import Book, PageCheck, check_page
from dicedocs.lint.directive import claim_directive, fact_role, table_directive
from dicedocs.lint.figures import Figure
from dicedocs.lint.page import Page
from dicedocs.page_rules.text_dice import find_dice
from dicedocs.syntax.ranges import is_range
from dicedocs_lint.files import SUFFIXES, read_file
from dicedocs_sphinx.author.book_reading import domain_of
from dicedocs_sphinx.blocks.base import Block
from dicedocs_sphinx.blocks.example import ExampleBlock
from dicedocs_sphinx.blocks.odds import ClaimBlock
from dicedocs_sphinx.blocks.page_mechanic import PageMechanicBlock
from dicedocs_sphinx.book.table_search import not_taken
from dicedocs_sphinx.statements import State, Statement

_TOTAL: Final = "total"


class Unchecked(NamedTuple):
    """Something in a page that nothing checks.

    Parameters:
        file, line: where it begins.
        kind: what it is: ``average``, ``range``, ``percentage`` or ``sum``, ``table``, ``page`` for a file that is not
            read, ``prose``, or ``words`` for a text with words for each outcome, around which nothing is checked.
        text: how it begins, or what is wrong.
        write: the lines that have it checked, or take it off the list; empty if a person must decide.
    """

    file: str
    line: int
    kind: str
    text: str
    write: str = ""


def unchecked_dice(app: Sphinx) -> Iterator[Unchecked]:
    """Yield the figures beside dice and the tables with dice of a book that nothing compares with the dice."""
    domain = domain_of(app)
    statements = [statement for _page, statement in domain.statements()]
    by_file: dict[str, list[Statement]] = {}
    for statement in statements:
        by_file.setdefault(statement.source, []).append(statement)
    books = [each.system for each in statements if isinstance(each, PageMechanicBlock) and "from" not in each.settings]
    files: dict[str, tuple[Page, PageCheck]] = {}
    for file in sorted(_files(app)):
        try:
            page = read_file(Path(file))
        except (DiceError, OSError) as error:
            yield Unchecked(file, 1, "page", str(error))
        else:
            files[file] = page, check_page(page)
    rounds_up = "up" in Book(tuple(check for _page, check in files.values())).ways
    for file, (page, check) in files.items():
        own = by_file.get(file, [])
        yield from _figures(check, own, rounds_up=rounds_up)
        yield from _tables(page, check, own, next(iter(books), "my-book"))
    for each in statements:
        # That of a notebook, or of a docstring.
        if each.state == State.UNCOMPARED.value and each.source not in files:
            yield Unchecked(each.source, each.line, "table", each.label)


def _files(app: Sphinx) -> set[str]:
    """Return the files of a book that can be read, with those that its pages include."""
    paths = {str(app.env.doc2path(page)) for page in app.env.found_docs}
    paths |= {str((app.srcdir / each).resolve()) for found in app.env.dependencies.values() for each in found}
    return {path for path in paths if Path(path).suffix.lower() in SUFFIXES}


def _figures(check: PageCheck, own: Iterable[Statement], *, rounds_up: bool) -> Iterator[Unchecked]:
    blocks = [each for each in own if isinstance(each, Block)]
    claims = {
        (_plain(each.parameters.get("notation", "")), _plain(each.expect))
        for each in blocks
        if isinstance(each, ClaimBlock)
    }
    for figure in check.figures:
        finding, is_up = figure.finding, rounds_up and bool(figure.rounded_up)
        claim = figure.rounded_up if is_up else finding.claim
        if not check.says(finding.line) or (_plain(finding.dice), _plain(claim)) in claims:
            continue
        text = figure.written if figure.is_right or is_up else finding.message
        write = _fact(figure, blocks) or claim_directive(check.page, finding.dice, claim)
        yield Unchecked(check.page, finding.line, finding.kind, text, write)


def _plain(text: str) -> str:
    return "".join(text.split())


def _fact(figure: Figure, blocks: Iterable[Block]) -> str:
    """Return a sum with the total of its own example in place of its number; empty if the example has another total."""
    above = [each for each in blocks if each.line <= figure.finding.line]
    own = max(above, key=lambda each: each.line, default=None)
    if figure.finding.kind != "sum" or not isinstance(own, ExampleBlock):
        return ""
    facts, (terms, is_, number) = own.facts(), figure.written.rpartition("= ")
    if facts is None or not facts.has(_TOTAL) or facts.text(_TOTAL) != number:
        return ""
    return terms + is_ + fact_role(own.source, f"{own.name}.{_TOTAL}" if own.name else _TOTAL)


def _tables(page: Page, check: PageCheck, own: Iterable[Statement], book: str) -> Iterator[Unchecked]:
    taken = {each.table_line for each in own if isinstance(each, PageMechanicBlock)}
    uncompared = {each.line: each.label for each in own if each.state == State.UNCOMPARED.value}
    for placed in page.tables():
        table = placed.table
        lines = range(table.line, table.end + 1)
        if not taken.isdisjoint(lines):
            continue
        said = next((uncompared.pop(line) for line in lines if line in uncompared), "")
        rolled = next((each for each in check.tables if each.line in lines), None)
        cells = sum(bool(find_dice(cell, "cell")) for row in table.grid.rows for cell in row.cells)
        if not said and rolled is not None:
            said = not_taken(rolled.dice)
        elif not said and cells:
            said = f"nothing reads the dice in {cells} cell{'' if cells == 1 else 's'} of this table"
        if said and check.says(table.line):
            dice = rolled.dice if rolled is not None and not rolled.in_head else ""
            write = table_directive(check.page, placed.title, dice, book)
            if rolled is not None and rolled.is_beside:
                said, write = f"{said}; no directive takes tables side by side, so write each by itself", ""
            elif table.is_html:
                said += "; no directive takes a table in HTML, so write it without"
            elif not all(is_range(row.cells[0]) for row in table.grid.rows):
                said, write = f"{said}; no directive takes a table whose rows begin with words", ""
            yield Unchecked(check.page, table.line, "table", said, write)
    for line, label in uncompared.items():
        yield Unchecked(check.page, line, "table", label)
