"""The table or the numbered list that a directive is about, its title, and the die that is named for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from docutils import nodes
from sphinx import addnodes

from dicedocs.lint.rolled_tables import rolled_dice
from dicedocs.page_rules.near_table import (
    ends_in_dice,
    named_dice,
    rolling_sentences,
    rolling_text,
    said_draw,
)
from dicedocs.syntax.ranges import is_range
from dicedocs_lint.docutils_grids import Table, shown_text
from dicedocs_sphinx.blocks.page_mechanic import Said
from dicedocs_sphinx.book.row_lines import page_grid
from dicedocs_sphinx.nodes import TABLE_OF, TITLE, ancestors, dice_block, section_around
from dicedocs_sphinx.source_locations import source_location

_WRAPPERS: Final = nodes.container, nodes.compound, nodes.block_quote, addnodes.only
"""Nodes in which a table may stand as if they were not there; a node of a class of its own is something else."""


class Near(NamedTuple):
    """A paragraph near a table as readers see it, and its line; 0 if that is unknown."""

    shown: str
    line: int = 0


class Found(NamedTuple):
    """A table or a list of a directive.

    Parameters:
        table: the table or the list.
        paragraphs: the paragraphs between both.
        above: the paragraph right above the directive.
        goes_on: the number with which another list begins right below a list, or goes on; 0 if none does.
    """

    table: Table
    paragraphs: tuple[Near, ...]
    above: Near = Near("")
    goes_on: int = 0

    @property
    def dice(self) -> str:
        """The die that is named nearest: in the caption, a paragraph above, or the title of a section."""
        above = rolling_text(self.above.shown)
        between = (each.shown for each in reversed(self.paragraphs))
        around = () if isinstance(self.table, nodes.enumerated_list) else _titles_around(self.table)
        places = (_caption(self.table), *between, above, _section_title(self.table), *around)
        return next(filter(None, map(named_dice, places)), "")

    @property
    def draw(self) -> str:
        """How many rows the text near the table says are drawn, as its option does; empty if it says nothing."""
        near = (each.shown for each in (*reversed(self.paragraphs), self.above))
        return next(filter(None, map(said_draw, (_caption(self.table), *near))), "")

    @property
    def statements(self) -> list[Said]:
        """What is said of the die near the table."""
        sentences = [
            text._replace(shown=each)
            for text in (self.above, *self.paragraphs)
            for each in rolling_sentences(text.shown)
        ]
        section = section_around(self.table)
        is_only = section is not None and sum(1 for each in section.findall() if isinstance(each, Table)) == 1
        places = {
            "the caption": Near(_caption(self.table)),
            "the text above": next((text for text in reversed(sentences) if named_dice(text.shown)), Near("")),
            "the heading": Near(_section_title(self.table) if is_only else ""),
        }
        return [Said(place, dice, text.line) for place, text in places.items() if (dice := named_dice(text.shown))]


def find_table(node: nodes.Element, *, below: bool = True) -> Found | None:
    """Return the first table or numbered list in a directive, or else the next one below it in its section.

    Other text may stand between both, but no heading and no other directive of this kind. Other blocks, bullet lists
    and boxes such as notes are passed over with what is in them.

    Parameters:
        node: the node of the directive.
        below: whether the one below it belongs to it.
    """
    found = _first_table(node.children, node)
    if found or not below:
        return found
    return _first_table(node.parent.children[node.parent.index(node) + 1 :], node)


def _first_table(siblings: Iterable[nodes.Node], directive: nodes.Element) -> Found | None:
    paragraphs: list[Near] = []
    above = _above(directive)
    for each in (found := _unwrapped(siblings)):
        if isinstance(each, Table):
            goes_on = _goes_on(each, found) if isinstance(each, nodes.enumerated_list) else 0
            return Found(each, tuple(paragraphs), above, goes_on)
        if _is_heading(each) or _is_alike(each, directive):
            return None
        if isinstance(each, nodes.paragraph | nodes.rubric) and TITLE not in each["classes"]:
            paragraphs.append(_near(each))
    return None


def _goes_on(first: nodes.enumerated_list, behind: Iterable[nodes.Node]) -> int:
    """Return the number with which a list right behind another one begins, or a later one that goes on; 0 for none."""
    after = first.get("start", 1) + len(first)
    for at, each in enumerate(behind):
        if isinstance(each, nodes.enumerated_list) and (not at or each.get("start", 1) == after):
            return int(each.get("start", 1))
        if not isinstance(each, nodes.paragraph | nodes.comment):
            break
    return 0


def unclaimed_tables(document: nodes.document) -> Iterator[tuple[Table, str]]:
    """Yield the tables and lists to roll on that no directive takes, each with the dice that are rolled."""
    for table in document.findall():
        if not isinstance(table, Table):
            continue
        is_claimed = TABLE_OF in table or any(isinstance(each, dice_block) for each in ancestors(table))
        grid = () if is_claimed else page_grid(table)
        if not grid or not all(is_range(row.cells[0]) for row in grid.rows if any(row.cells)):
            continue
        if named := rolled_dice(grid, _caption(table), _above(table).shown, _section_title(table)):
            yield table, named.dice


def not_taken(dice: str) -> str:
    """Return what is said of a table to roll on that no directive takes."""
    return f"no dice:mechanic takes this table, on which {dice} is rolled"


def _above(node: nodes.Element) -> Near:
    """Return the paragraph right above a node; no text if there is none."""
    at, around = node.parent.index(node), node.parent.children
    return _near(around[at - 1]) if at and isinstance(around[at - 1], nodes.paragraph) else Near("")


def _near(node: nodes.Node) -> Near:
    return Near(shown_text(node), source_location(node.source, node.line)[1])


def _unwrapped(siblings: Iterable[nodes.Node]) -> Iterator[nodes.Node]:
    """Yield nodes, and in place of a wrapper what it holds."""
    for each in siblings:
        if type(each) in _WRAPPERS:
            yield from _unwrapped(each.children)
        else:
            yield each


def _is_heading(node: nodes.Node) -> bool:
    """Return whether a node is what MyST makes of a heading inside a directive."""
    return isinstance(node, nodes.rubric) and "level" in node


def _is_alike(node: nodes.Node, directive: nodes.Element) -> bool:
    """Return whether a node is of a directive of the same kind."""
    if type(node) is not type(directive):
        return False
    return not isinstance(node, dice_block) or node["block"]["kind"] == directive["block"]["kind"]


def title_for_readers(node: nodes.Element) -> str:
    """Return the caption of a table, or else the title of the section of a node; empty if there is neither."""
    return _caption(node) or _section_title(node)


def _caption(node: nodes.Element) -> str:
    return next((shown_text(child) for child in node.children if isinstance(child, nodes.title)), "")


def _section_title(node: nodes.Element) -> str:
    section = section_around(node)
    return _caption(section) if section is not None else ""


def _titles_around(node: nodes.Element) -> Iterator[str]:
    """Yield the titles of the sections around a node, the inner ones first, that end in dice in parentheses."""
    titles = (_caption(each) for each in ancestors(node) if isinstance(each, nodes.section))
    return (title for title in titles if ends_in_dice(title))
