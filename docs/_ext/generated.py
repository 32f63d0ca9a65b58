"""Directives for the parts of the reference that are generated from the code.

``{generated} mechanics`` (or ``limits``, ``warnings``, ``settings``, ``types``, ``modifiers``, ``relations``,
``ranges``, ``reserved``, ``mistakes``) inserts sections, definition lists and tables; ``{measured} rolling`` inserts a
table that ``make bench`` wrote. Besides, Python is kept out of the index.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

import mistakes
from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.pycode import ModuleAnalyzer
from sphinx.transforms import SphinxTransform
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import ExtensionMetadata

import dicedocs
from dicedocs import limits
from dicedocs.probability.event import Event
from dicedocs.rules import params, reserved
from dicedocs.rules.description import Description, ParameterRow, describe
from dicedocs.rules.registry import mechanic, mechanics
from dicedocs.syntax import decisions
from dicedocs.syntax.modifiers import MODIFIERS
from dicedocs.syntax.relations import DOWNWARDS, SIGNS, UPWARDS
from dicedocs_sphinx.diagnostics import TYPE, Problem
from dicedocs_sphinx.settings import SETTINGS

WIDEST: Final = 40
"""The maximum number of characters on one line of a cell in plain text."""

_EIGHT: Final = 8
"""The number with which relations are shown."""
_ORDER: Final = ("=", "!=", ">=", "<=", ">", "<")
"""The order of the relations in their table."""
_NUMBERS: Final = range(2 * _EIGHT)
"""All numbers, where the table of a relation asks which it holds for."""
_MARKS: Final[dict[type[nodes.Node], str]] = {nodes.literal: '"', nodes.strong: "**"}


def text(source: str) -> list[nodes.Node]:
    """Return a text as nodes; its parts in backticks are code."""
    pieces = source.split("`")
    return [
        nodes.literal(piece, piece) if index % 2 else nodes.Text(piece) for index, piece in enumerate(pieces) if piece
    ]


def code(source: str) -> list[nodes.Node]:
    return [nodes.literal(source, source)]


def paragraph(*parts: Iterable[nodes.Node]) -> nodes.paragraph:
    return nodes.paragraph("", "", *(node for part in parts for node in part))


def table(
    *head: str, rows: Iterable[tuple[list[nodes.Node], ...]], stub: bool = False, widest: int = WIDEST
) -> nodes.table:
    """Return a table.

    Parameters:
        head: the headings of the columns.
        rows: the cells of each row.
        stub: whether the first cell of each row is a heading.
        widest: the maximum number of characters on one line of a cell in plain text.
    """
    table_rows = [row([text(heading) for heading in head]), *map(row, rows)]
    columns = [
        nodes.colspec(colwidth=_width(cells, widest), stub=int(stub and index == 0))
        for index, cells in enumerate(zip(*table_rows, strict=True))
    ]
    return nodes.table(
        "", nodes.tgroup("", *columns, nodes.thead("", table_rows[0]), nodes.tbody("", *table_rows[1:]), cols=len(head))
    )


def _width(cells: Iterable[nodes.Element], widest: int) -> int:
    """Return a column's width in characters: that of its longest cell, up to a maximum, but not less than a word."""
    texts = [_plain_text(cell) for cell in cells]
    return max(min(max(map(len, texts)), widest), *(len(word) for cell in texts for word in cell.split()))


def _plain_text(cell: nodes.Element) -> str:
    """Return the text of a cell, with the marks that the text builder puts around code and bold text."""
    leaves = cell.findall(nodes.Text)
    return "".join(f"{_MARKS.get(type(leaf.parent), '')}{leaf}{_MARKS.get(type(leaf.parent), '')}" for leaf in leaves)


def row(cells: Iterable[list[nodes.Node]]) -> nodes.row:
    return nodes.row("", *(nodes.entry("", paragraph(cell)) for cell in cells))


def definitions(rows: Iterable[tuple[str, str, list[nodes.paragraph]]]) -> nodes.definition_list:
    """Return a definition list of names, classifiers (which may be empty) and definitions."""
    items = []
    for name, classifier, definition in rows:
        item = nodes.definition_list_item("", nodes.term("", "", *code(name)))
        if classifier:
            item += nodes.classifier(classifier, classifier)
        item += nodes.definition("", *definition)
        items.append(item)
    return nodes.definition_list("", *items)


def sentence(help: str) -> list[nodes.Node]:
    """Return a help text as a sentence, with a capital letter and a full stop."""
    capitalized = help[:1].upper() + help[1:]
    return text(capitalized if help.endswith((".", "?")) else capitalized + ".") if help else []


class Generated(SphinxDirective):
    """A generated part of the reference; its argument is the name of one of the methods below."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        parts = {
            "mechanics": self.mechanics,
            "limits": self.limits,
            "warnings": self.warnings,
            "settings": self.settings,
            "types": self.types,
            "modifiers": self.modifiers,
            "relations": self.relations,
            "ranges": self.ranges,
            "reserved": self.reserved,
            "mistakes": self.mistakes,
        }
        if self.arguments[0] not in parts:
            raise self.error(f"{self.arguments[0]!r} is not a part of the reference; known: {', '.join(parts)}")
        # A change of dicedocs has all pages read again.
        for file in (__file__, mistakes.__file__, str(mistakes.FILE)):
            self.env.note_dependency(file)
        return parts[self.arguments[0]]()

    def mechanics(self) -> list[nodes.Node]:
        """Return a section for each mechanic of dicedocs; other installed packages do not change the page."""
        installed = [mechanic(id) for id in mechanics()]
        return [self.section(describe(cls)) for cls in installed if cls.__module__.startswith("dicedocs.")]

    def section(self, description: Description) -> nodes.section:
        section = nodes.section("", nodes.title("", "", *code(description.id)), ids=[nodes.make_id(description.id)])
        section += paragraph(text(description.help))
        section += nodes.rubric("", "Parameters")
        section += definitions(
            (row.name, "required" if row.required else "", parameter(row)) for row in description.parameters
        )
        section += nodes.rubric("", "Facts")
        section += definitions((row.name, row.gives, [paragraph(sentence(row.help))]) for row in description.facts)
        return section

    def limits(self) -> list[nodes.Node]:
        rows = ((code(limit.name), text(f"{limit.default:,}"), text(limit.unit)) for limit in limits.ALL)
        return [table("Name", "Maximum", "Unit", rows=rows)]

    def warnings(self) -> list[nodes.Node]:
        rows = ((f"{TYPE}.{problem.value}", "", [paragraph(text(problem.__doc__ or ""))]) for problem in Problem)
        return [definitions(rows)]

    def settings(self) -> list[nodes.Node]:
        rows = (
            (name, "", [paragraph(sentence(setting.help), text(f" Default: `{setting.default!r}`."))])
            for name, setting in SETTINGS.items()
        )
        return [definitions(rows)]

    def modifiers(self) -> list[nodes.Node]:
        """Return a table of the modifiers, in the order in which they act."""
        rows = [(text(", ".join(f"`{one}`" for one in each.examples)), text(each.meaning)) for each in MODIFIERS]
        return [table("Write", "It means", rows=rows)]

    def relations(self) -> list[nodes.Node]:
        """Return a table of the spellings of each relation."""
        rows = []
        for sign in sorted(SIGNS, key=_ORDER.index):
            spellings = SIGNS[sign]
            (numbers,) = {_numbers(f"{spelling} {_EIGHT}") for spelling in spellings}
            signs = sorted((each for each in spellings if not each[0].isalpha()), key=len)
            words = [each for each in spellings if each[0].isalpha() and each.isascii()]
            rows.append((_listed(signs), _listed(words), text(_said(numbers))))
        return [table("Signs", "Words", f"With {_EIGHT}, it holds for", rows=rows)]

    def ranges(self) -> list[nodes.Node]:
        """Return a table of the spellings of each range."""
        written = (
            ("5-8", "5–8", "5 to 8", "from 5 to 8", "5 through 8", "5..8", "between 5 and 8"),
            ("8+", *(f"8 or {word}" for word in UPWARDS)),
            ("8-", *(f"8 or {word}" for word in DOWNWARDS)),
        )
        rows = []
        for spellings in written:
            (numbers,) = {_numbers(spelling) for spelling in spellings}
            rows.append((_listed(spellings), text(_said(numbers))))
        return [table("Write", "It holds for", rows=rows)]

    def reserved(self) -> list[nodes.Node]:
        """Return the names that neither a parameter nor a fact can have, by what they belong to."""
        groups: dict[str, Sequence[str]] = {
            "several directives, now or one day": reserved.RESERVED_OPTIONS,
            "functions such as `dd.play`": reserved.PYTHON_ARGUMENTS,
        }
        groups["every mechanic, so no parameter can have them"] = _attributes(dicedocs.Mechanic)
        groups["every outcome, so no fact can have them"] = _attributes(dicedocs.Outcome)
        rows = [(text(owner), text(", ".join(f"`{name}`" for name in names))) for owner, names in groups.items()]
        return [table("They belong to", "Names", rows=rows)]

    def mistakes(self) -> list[nodes.Node]:
        """Return a section for each group of mistakes."""
        self.env.note_dependency(str(mistakes.FILE))
        return self.parse_text_to_nodes(mistakes.guide(), allow_section_headings=True)

    def types(self) -> list[nodes.Node]:
        return [definitions((name, "", [paragraph(text(docstring))]) for name, docstring in types().items())]


def _numbers(event: str) -> tuple[int, ...]:
    """Return the numbers for which an event holds."""
    return tuple(filter(Event.read(event).test(), _NUMBERS))


def _said(numbers: tuple[int, ...]) -> str:
    """Return some of all numbers in words, such as ``8``, ``all but 8``, ``8 or more`` or ``5 to 8``."""
    if numbers not in (tuple(range(numbers[0], numbers[-1] + 1)), _NUMBERS):
        return f"all but {', '.join(str(each) for each in _NUMBERS if each not in numbers)}"
    if numbers[-1] == _NUMBERS[-1]:
        return f"{numbers[0]} or more"
    if numbers[0] == _NUMBERS[0]:
        return f"{numbers[-1]} or less"
    return f"{numbers[0]} to {numbers[-1]}" if len(numbers) > 1 else str(numbers[0])


def _listed(spellings: Iterable[str]) -> list[nodes.Node]:
    return text(", ".join(f"`{spelling}`" for spelling in spellings))


def _attributes(cls: type) -> list[str]:
    return [name for name in dir(cls) if not name.startswith("_")]


def types() -> dict[str, str]:
    """Return the docstrings of the public type aliases, which stand below their assignments, by name."""
    found = [ModuleAnalyzer.for_module(each.__name__).find_attr_docs() for each in (params, decisions)]
    return {
        name: " ".join(lines).replace("``", "`")
        for docstrings in found
        for (_, name), lines in docstrings.items()
        if name in dicedocs.__all__
    }


def parameter(row: ParameterRow) -> list[nodes.paragraph]:
    """Return paragraphs that say what a parameter means and how it is written."""
    syntax = text(f"Write {row.expects}.")
    if row.example and row.example != row.default:
        syntax += [*text(" For example "), *code(row.example), *text(".")]
    if row.default is not None:
        syntax += [*text(" Default: "), *(code(row.default) if row.default else text("empty")), *text(".")]
    return [paragraph(part) for part in (sentence(row.help), syntax) if part]


class Measured(SphinxDirective):
    """A table that ``make bench`` wrote, or a hint if it was never run."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        path = Path(self.env.srcdir, "_measured", f"{self.arguments[0]}.md")
        self.env.note_dependency(str(path))
        if not path.is_file():
            return [paragraph(text("Not measured yet: `make bench` writes the table."))]
        parsed = self.parse_text_to_nodes(path.read_text(encoding="utf-8"))
        for table in (table for node in parsed for table in node.findall(nodes.table)):
            # On paper it may go on on the next page.
            table["classes"].append("longtable")
        return parsed


class RulebookInIndex(SphinxTransform):
    """Keep the index to the rulebook's rules and terms: Python and the words of authors have pages that list them."""

    default_priority = 840  # the domains read the page at 850

    def apply(self, **_kwargs: Any) -> None:
        if not self.env.docname.startswith("rulebook/"):
            for node in self.document.findall(addnodes.index):
                node["entries"] = []


def setup(app: Sphinx) -> ExtensionMetadata:
    """Add the directives and set autodoc up."""
    app.setup_extension("sphinx.ext.autodoc")
    app.setup_extension("sphinx.ext.napoleon")
    app.config.autodoc_member_order = "bysource"
    app.config.napoleon_numpy_docstring = False
    app.add_directive("generated", Generated)
    app.add_directive("measured", Measured)
    app.add_transform(RulebookInIndex)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
