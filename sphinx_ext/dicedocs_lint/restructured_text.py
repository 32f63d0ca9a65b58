"""reStructuredText read as neutral blocks, by docutils; directives and roles that it does not know are read through."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final
from unittest.mock import patch

from docutils import nodes
from docutils.frontend import get_default_settings
from docutils.parsers.rst import Directive, Parser, directives, roles
from docutils.parsers.rst.states import Inliner
from docutils.utils import new_document

from dicedocs.lint.page import Block, Comment, Page, Paragraph, Table
from dicedocs.page_rules.grid import Grid, GridRow
from dicedocs_lint.docutils_grids import read_grid, shown_text, table_rows

_DICE_OPTIONS: Final = ("die", "dice", "roll")
_SILENT: Final = 5
"""No level of messages of docutils: what it cannot read is shown as it stands."""


def read_restructured_text(path: str, text: str) -> Page:
    """Return a page in reStructuredText."""
    settings = get_default_settings(Parser)
    settings.report_level = settings.halt_level = _SILENT
    settings.file_insertion_enabled = settings.raw_enabled = False
    settings.line_length_limit = 1_000_000
    settings.syntax_highlight = "none"
    document = new_document(path, settings)
    with _read_through():
        Parser().parse(text, document)
    return Page(path, [*_blocks(document, text.splitlines())], text.splitlines())


class _Options(dict[str, Any]):
    """The options of a directive that is not known: all that are written."""

    def __missing__(self, name: str) -> Any:
        return directives.unchanged


class _Unknown(Directive):
    """A directive that is not known, of which everything is read."""

    has_content = True
    optional_arguments = 1
    final_argument_whitespace = True
    option_spec = _Options({"class": directives.unchanged})  # a class of docutils has it so

    def run(self) -> list[nodes.Node]:
        node = nodes.container(options=self.options, argument=" ".join(self.arguments))
        node.line = self.lineno
        self.state.nested_parse(self.content, self.content_offset, node)
        return [node]


def _role(*arguments: Any, **_: Any) -> tuple[list[nodes.Node], list[nodes.system_message]]:
    """Return what a role that is not known shows: its text."""
    return [nodes.Text(arguments[2].partition(" <")[0])], []


@contextmanager
def _read_through() -> Iterator[None]:
    """Let docutils know every directive and every role, as Sphinx lets it know its own."""
    known, known_role = directives.directive, roles.role

    def directive(name: str, *rest: Any) -> tuple[type[Directive] | None, list[nodes.system_message]]:
        found, messages = known(name, *rest)
        return (found, messages) if found else (_Unknown, [])

    def role(name: str, *rest: Any) -> Any:
        found, messages = known_role(name, *rest)
        return (found, messages) if found else (_role, [])

    with (
        patch.object(directives, "directive", directive),
        patch.object(roles, "role", role),
        # The pattern of bare addresses takes a minute for 30,000 slashes.
        patch.object(Inliner, "implicit_inline", lambda _self, text, _line: [nodes.Text(text)]),
    ):
        yield


def _blocks(node: nodes.Element, lines: list[str]) -> Iterator[Block]:
    for child in node.children:
        match child:
            case nodes.comment():
                yield Comment(child.astext(), child.line or 0)
            case nodes.table() | nodes.enumerated_list():
                yield _table(child, lines)
                if isinstance(child, nodes.enumerated_list):
                    inner = (each for item in child.children for each in item.children[1:])
                    yield from _blocks(nodes.container("", *(each.deepcopy() for each in inner)), lines)
            case nodes.container() if dice := _dice(child):
                yield _entries(child, dice) or Paragraph("", 0, 0)
            case nodes.literal_block() | nodes.doctest_block() | nodes.math_block() | nodes.system_message():
                pass
            case nodes.TextElement():
                if text := _shown(child):
                    line = child.line or 0
                    end = line + max(child.rawsource, text, key=len).count("\n")
                    yield Paragraph(text, line, end, isinstance(child, nodes.title | nodes.rubric))
            case nodes.Element():
                yield from _blocks(child, lines)


def _shown(node: nodes.TextElement) -> str:
    return node.astext().strip()


def _table(node: nodes.table | nodes.enumerated_list, lines: list[str]) -> Table:
    rows = table_rows(node)
    found = [_line(row) for row in rows]
    first = next((line for line in found if line), node.line or 0)
    places: list[tuple[str, int]] = []
    at = first
    for row, known in zip(rows, found, strict=True):
        at = known if known and known >= at else _searched(row, at, lines)
        places.append(("", at))
    caption = next((shown_text(child) for child in node.children if isinstance(child, nodes.title)), "")
    return Table(read_grid(node, places), first, (places[-1][1] if places else first) + 1, caption)


def _line(row: nodes.Element) -> int:
    own = [row.line] if isinstance(row, nodes.list_item) and row.line else []
    return min([*own, *(each.line for each in row.findall(nodes.Element) if each.line)], default=0)


def _searched(row: nodes.Element, at: int, lines: list[str]) -> int:
    """Return the line of a row that docutils does not know: the next one that has its first text."""
    text = next((part for part in row.astext().split("\n") if part.strip()), "")
    return next(
        (number for number in range(at, min(at + 200, len(lines)) + 1) if number and text in lines[number - 1]), at
    )


def _dice(node: nodes.container) -> str:
    options: dict[str, str] = node.get("options", {})
    return next((options[name] for name in _DICE_OPTIONS if options.get(name)), "")


def _entries(node: nodes.container, dice: str) -> Table | None:
    """Return a table each of whose rows is a directive with its lowest and its highest number as options."""
    rows: list[GridRow] = []
    for child in node.findall(nodes.container):
        options: dict[str, str] = child.get("options", {})
        if child is not node and {"min", "max"} <= options.keys():
            low, high = options["min"], options["max"]
            key = low if low == high else f"{low}-{high}"
            rows.append(GridRow((key, shown_text(child)), child.line or 0))
    line = node.line or 0
    if not rows:
        return None
    return Table(Grid(GridRow((dice, "result"), line), tuple(rows)), line, max(row.line for row in rows))
