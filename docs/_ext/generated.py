"""Makes the reference from the code: what it lists is what there is.

``{generated} mechanics`` (or ``limits``, ``warnings``, ``settings``) becomes sections, definition lists
and tables; ``{measured} rolling`` shows what ``make bench`` wrote.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.pycode import ModuleAnalyzer
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import ExtensionMetadata

import dicedocs
from dicedocs import limits
from dicedocs.rules import params
from dicedocs.rules.description import Description, ParameterRow, describe
from dicedocs.rules.registry import GROUP, mechanic, mechanics
from dicedocs_sphinx.diagnostics import TYPE, Problem

WIDEST: Final = 40
"""Letters of a cell that stand on one line of plain text."""

_MARKS: Final[dict[type[nodes.Node], str]] = {nodes.literal: '"', nodes.strong: "**"}


def text(words: str) -> list[nodes.Node]:
    """Give a text whose pieces in backticks are code."""
    pieces = words.split("`")
    return [
        nodes.literal(piece, piece) if place % 2 else nodes.Text(piece) for place, piece in enumerate(pieces) if piece
    ]


def code(words: str) -> list[nodes.Node]:
    return [nodes.literal(words, words)]


def paragraph(*parts: Iterable[nodes.Node]) -> nodes.paragraph:
    return nodes.paragraph("", "", *(node for part in parts for node in part))


def table(
    *head: str, rows: Iterable[tuple[list[nodes.Node], ...]], stub: bool = False, widest: int = WIDEST
) -> nodes.table:
    """Give a table.

    Parameters:
        head: the heads of its columns.
        rows: the cells of each row.
        stub: whether the first cell of a row is its head.
        widest: how many letters of a cell stand on one line, where that is not for the writer to decide.
    """
    made = [row([text(word) for word in head]), *map(row, rows)]
    columns = [
        nodes.colspec(colwidth=_width(cells, widest), stub=int(stub and place == 0))
        for place, cells in enumerate(zip(*made, strict=True))
    ]
    return nodes.table(
        "", nodes.tgroup("", *columns, nodes.thead("", made[0]), nodes.tbody("", *made[1:]), cols=len(head))
    )


def _width(cells: Iterable[nodes.Element], widest: int) -> int:
    """Give the letters that a column has room for: those of its longest cell, and at least of its longest word."""
    texts = [_written(cell) for cell in cells]
    return max(min(max(map(len, texts)), widest), *(len(word) for each in texts for word in each.split()))


def _written(cell: nodes.Element) -> str:
    """Give a cell with marks as long as those that plain text has for code and for what is bold."""
    leaves = cell.findall(nodes.Text)
    return "".join(f"{_MARKS.get(type(leaf.parent), '')}{leaf}{_MARKS.get(type(leaf.parent), '')}" for leaf in leaves)


def row(cells: Iterable[list[nodes.Node]]) -> nodes.row:
    return nodes.row("", *(nodes.entry("", paragraph(cell)) for cell in cells))


def definitions(rows: Iterable[tuple[str, str, list[nodes.paragraph]]]) -> nodes.definition_list:
    """Give a definition list: a name, a word or two beside it, and what it means."""
    items = []
    for name, beside, meaning in rows:
        item = nodes.definition_list_item("", nodes.term("", "", *code(name)))
        if beside:
            item += nodes.classifier(beside, beside)
        item += nodes.definition("", *meaning)
        items.append(item)
    return nodes.definition_list("", *items)


def sentence(words: str) -> list[nodes.Node]:
    """Give a help text as a sentence."""
    said = words[:1].upper() + words[1:]
    return text(said if said.endswith((".", "?")) else said + ".") if words else []


class Generated(SphinxDirective):
    """A part of the reference: its argument is the name of one of the methods below."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        parts = {
            "mechanics": self.mechanics,
            "limits": self.limits,
            "warnings": self.warnings,
            "settings": self.settings,
            "types": self.types,
        }
        if self.arguments[0] not in parts:
            raise self.error(f"there is {', '.join(parts)}")
        # What it lists may change although the page does not.
        self.env.note_reread()
        return parts[self.arguments[0]]()

    def mechanics(self) -> list[nodes.Node]:
        """Every mechanic of ours; a package that happens to be installed does not change the page."""
        ours = [mechanic(id) for id in mechanics()]
        return [self.section(describe(cls)) for cls in ours if cls.__module__.startswith(f"{GROUP}.")]

    def section(self, about: Description) -> nodes.section:
        section = nodes.section("", nodes.title("", "", *code(about.id)), ids=[nodes.make_id(about.id)])
        section += paragraph(text(about.help))
        section += nodes.rubric("", "Parameters")
        section += definitions(
            (row.name, "required" if row.required else "", parameter(row)) for row in about.parameters
        )
        section += nodes.rubric("", "Facts")
        section += definitions((row.name, row.gives, [paragraph(sentence(row.help))]) for row in about.facts)
        return section

    def limits(self) -> list[nodes.Node]:
        rows = ((code(limit.name), text(f"{limit.maximum:,}"), text(limit.unit)) for limit in limits.ALL)
        return [table("Name", "At most", "Of what", rows=rows)]

    def warnings(self) -> list[nodes.Node]:
        rows = ((f"{TYPE}.{problem.value}", "", [paragraph(text(problem.__doc__ or ""))]) for problem in Problem)
        return [definitions(rows)]

    def settings(self) -> list[nodes.Node]:
        """The configuration values that the extension adds, as Sphinx knows them."""
        ours = {name: value for name, value in self.config.values.items() if name.startswith(TYPE)}
        if not ours:
            return [paragraph(text("The extension has no settings of its own. There is nothing to set."))]
        said = {
            name: [*sentence(value.description), *text(f" Default: `{value.default!r}`.")]
            for name, value in ours.items()
        }
        return [definitions((name, "", [paragraph(parts)]) for name, parts in said.items())]

    def types(self) -> list[nodes.Node]:
        return [definitions((name, "", [paragraph(text(said))]) for name, said in types().items())]


def types() -> dict[str, str]:
    """Give the public names of types that have no docstring of their own, with what stands below each."""
    said = ModuleAnalyzer.for_module(params.__name__).find_attr_docs()
    return {name: " ".join(lines).replace("``", "`") for (_, name), lines in said.items() if name in dicedocs.__all__}


def parameter(row: ParameterRow) -> list[nodes.paragraph]:
    """Say what a parameter means, and how it is written."""
    written = text(f"Write {row.expects}.")
    if row.example and row.example != row.default:
        written += [*text(" For example "), *code(row.example), *text(".")]
    if row.default is not None:
        written += [*text(" Left out, it is "), *(code(row.default) if row.default else text("empty")), *text(".")]
    return [paragraph(part) for part in (sentence(row.help), written) if part]


class Measured(SphinxDirective):
    """A table that ``make bench`` wrote, or a line that says how to get it."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        path = Path(self.env.srcdir, "_measured", f"{self.arguments[0]}.md")
        self.env.note_dependency(str(path))
        if not path.is_file():
            return [paragraph(text("Not measured yet: `make bench` writes the table."))]
        return self.parse_text_to_nodes(path.read_text(encoding="utf-8"))


def setup(app: Sphinx) -> ExtensionMetadata:
    """Add the directives, and what reads docstrings."""
    app.setup_extension("sphinx.ext.autodoc")
    app.setup_extension("sphinx.ext.napoleon")
    app.config.autodoc_member_order = "bysource"
    app.config.napoleon_numpy_docstring = False
    app.add_directive("generated", Generated)
    app.add_directive("measured", Measured)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
