"""reStructuredText read as neutral blocks, by docutils; directives and roles that it does not know are read through."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from copy import copy
from functools import cache
from importlib import import_module
from typing import Any, ClassVar, Final

from docutils import nodes
from docutils.frontend import get_default_settings
from docutils.parsers.rst import Directive, Parser, directives, states
from docutils.parsers.rst.directives.tables import CSVTable
from docutils.parsers.rst.languages import en as english
from docutils.parsers.rst.states import Body, Inliner, NestedStateMachine, RSTState
from docutils.statemachine import StateMachine
from docutils.utils import new_document

from dicedocs.lint.page import Block, Comment, Page, Paragraph, Table
from dicedocs.page_rules.grid import Grid, GridRow
from dicedocs_lint.docutils_grids import read_grid, shown_text, table_rows

_DICE_OPTIONS: Final = ("die", "dice", "roll")
_OPTION: Final = re.compile(r":(?P<name>[\w-]+):(?:\s+(?P<value>.*?))?\s*\Z")
_MAY_HAVE_DICE: Final = re.compile(r"[dwtk](?:\\ )?[0-9%f]|-sided|=\s*[-\u2212]?[0-9]", re.IGNORECASE)
"""What a page has if there is anything to check in it; without it, docutils need not read the page, which is slow."""
_SILENT: Final = 5
"""No level of messages of docutils: what it cannot read is shown as it stands."""


def read_restructured_text(path: str, text: str) -> Page:
    """Return a page in reStructuredText."""
    if not _MAY_HAVE_DICE.search(text):
        return Page(path, [], text.splitlines())
    document = new_document(path, _settings())
    parser = Parser(inliner=_Inliner())
    parser.state_classes = _STATES
    parser.parse(text, document)
    lines = text.splitlines()
    return Page(path, [*_blocks(document, lines)], lines)


@cache
def _settings() -> Any:
    settings = get_default_settings(Parser)
    settings.report_level = settings.halt_level = _SILENT
    settings.file_insertion_enabled = settings.raw_enabled = False
    settings.line_length_limit = 1_000_000
    settings.syntax_highlight = "none"
    return settings


class _Unknown(Directive):
    """A directive that is not known, all of which is read."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        node = nodes.container()
        node.line = self.lineno
        first = next((at for at, line in enumerate(self.content) if _OPTION.match(line)), len(self.content))
        end = next((at for at, line in enumerate(self.content) if not line.strip()), len(self.content))
        above, options = self.content[: min(first, end)], self.content[first:end]
        node["options"] = {match["name"]: match["value"] or "" for line in options if (match := _OPTION.match(line))}
        # One word is a name, and no paragraph between a table and what stands above it.
        if len(" ".join(above).split()) > 1:
            self.state.nested_parse(above, self.content_offset, node)
        self.state.nested_parse(self.content[end:], self.content_offset + end, node)
        return [node]


class _CsvTable(CSVTable):
    """A table of values with commas, of whose place docutils knows nothing."""

    def run(self) -> Sequence[nodes.table | nodes.system_message]:
        found = super().run()
        for table in found:
            table.line = self.lineno
        return found


class _Inliner(Inliner):
    """What reads the text of a paragraph: roles show their text, and bare addresses are left alone."""

    def init_customizations(self, settings: Any) -> None:
        super().init_customizations(settings)
        # The pattern of bare addresses takes a minute for 30,000 slashes.
        self.implicit_dispatch.clear()

    def interpreted(
        self, rawsource: str, text: str, role: str, lineno: int
    ) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        text = nodes.unescape(text, restore_backslashes=role in {"math", "code"})
        return [nodes.Text(text.partition(" <")[0] if role else text)], []


for _name, _pattern in vars(Inliner).items():
    # Docutils looks for them in the class itself.
    if isinstance(_pattern, str) and not _name.startswith("__"):
        setattr(_Inliner, _name, _pattern)


class _Machine(NestedStateMachine):
    """What reads a part of a page, and then the next part: docutils makes a new one for each list and each option."""

    unused: Final[list[_Machine]] = []
    cache: Final[list[StateMachine[Any]]] = []

    def unlink(self) -> None:
        """Keep what is read with."""
        self.unused.append(self)


def _machine(*, state_classes: Any, **settings: Any) -> NestedStateMachine:
    """Return what reads a part of a page."""
    if state_classes is not _STATES:
        return NestedStateMachine(state_classes=state_classes, **settings)
    if not _Machine.unused:
        return _Machine(state_classes=state_classes, **settings)
    machine = _Machine.unused.pop()
    vars(machine).update(settings)
    return machine


_REGISTRY: Final = {
    name: place
    for name, place in vars(directives)["_directive_registry"].items()
    if name not in {"role", "default-role"}  # which change what docutils knows everywhere
}
"""Where docutils has its own directives, whatever Sphinx, if it runs in this process, has in their place."""


def _directive(body: Any, match: re.Match[str], **presets: Any) -> Any:
    """Return what a directive shows, and whether an empty line ends it."""
    module, own = _REGISTRY.get(english.directives.get(match[1].lower(), match[1].lower()), ("", ""))
    found = getattr(import_module(f"{directives.__name__}.{module}"), own) if module else _Unknown
    return body.run_directive(_CsvTable if found is CSVTable else found, match, match[1], presets)


class _State(RSTState):
    """How each state of docutils reads directives, and what is nested in it."""

    nested_sm: Any = staticmethod(_machine)
    directive = _directive
    explicit: ClassVar[Any] = copy(Body.explicit)

    def __init__(self, *settings: Any, **named: Any) -> None:
        super().__init__(*settings, **named)
        self.nested_sm_kwargs["state_classes"] = _STATES
        self.nested_sm_cache = _Machine.cache


_State.explicit.constructs = [
    (_directive if how is Body.directive else how, pattern) for how, pattern in Body.explicit.constructs
]
_STATES: Final = tuple(type(each.__name__, (_State, each), {}) for each in states.state_classes)
"""The states of docutils, which read what they do not know through; nothing of docutils itself is changed."""


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
            case nodes.container() if entries := _entries(child):
                yield entries
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
    start = node.line or 0
    found = [line if line >= start else 0 for line in map(_line, rows)]
    first = start or next(filter(None, found), 0)
    places: list[tuple[str, int]] = []
    at = first
    for row, known in zip(rows, found, strict=True):
        at = known if known and known >= at else _searched(row, at + bool(places), lines)
        places.append(("", at))
    caption = next((shown_text(child) for child in node.children if isinstance(child, nodes.title)), "")
    return Table(read_grid(node, places), first, (places[-1][1] if places else first) + 1, caption)


def _line(row: nodes.Element) -> int:
    own = [row.line] if isinstance(row, nodes.list_item) and row.line else []
    return min([*own, *(each.line for each in row.findall(nodes.Element) if each.line)], default=0)


def _searched(row: nodes.Element, at: int, lines: list[str]) -> int:
    """Return the line of a row that docutils does not know: the next one that has its first text."""
    text = next((part for part in row.astext().split("\n") if part.strip()), "")
    words = re.compile(rf"(?<!\w){re.escape(text)}(?!\w)")
    numbers = range(max(at, 1), min(at + 200, len(lines)) + 1)
    return next((number for number in numbers if words.search(lines[number - 1])), at)


def _entries(node: nodes.container) -> Table | None:
    """Return a table each of whose rows is a directive with its lowest and its highest number as options."""
    own: dict[str, str] = node.get("options", {})
    dice = next((own[name] for name in _DICE_OPTIONS if own.get(name)), "")
    if not dice:
        return None
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
