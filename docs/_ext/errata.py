"""Directive and role that compare printed odds with the exact ones, each time the book is built.

``rulebook/printed-tables.json`` holds the printed figures by table, row and column. ``{errata} twice`` and
``{errata} otherwise`` list the figures that differ, ``{errata} all`` shows every figure above the exact one, and the
role of the same name counts figures.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from enum import Enum
from fractions import Fraction
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import Any, Final, NamedTuple

from docutils import nodes
from generated import WIDEST, table, text
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective, SphinxRole
from sphinx.util.typing import ExtensionMetadata

from dicedocs import Distribution, odds
from dicedocs.render.numbers import decimal, percent

DATA: Final = "rulebook/printed-tables.json"
"""The path of the printed figures, relative to the source directory."""
MECHANIC: Final = "total-effect/roll"
COLUMN: Final = re.compile(r"(?P<instances>\d) (?P<of>Disadv|Adv)")
PARAMETERS: Final = {"Disadv": "disadvantage", "Adv": "advantage"}
AVERAGE: Final = re.compile(r"Avg (?P<fact>\w+)( Die)?")
PERCENT: Final = 100
PRINTED_PLACES: Final = 1
"""Decimals of a printed figure."""
FIRST_PLACES: Final = 2
"""Decimals of the intermediate figure, where a figure was rounded twice."""
SHOWN_PLACES: Final = 3
"""Decimals of a displayed exact figure: enough to see how it must be rounded."""

NARROW: Final = 1
"""The width in characters of a cell with two figures, so that they stand below each other."""


class State(Enum):
    """How a printed figure compares with the exact one; the value is the argument of the directive and the role."""

    RIGHT = "right"
    """It is the exact figure, rounded half up."""
    TWICE = "twice"
    """It is the exact figure rounded to two decimals and then again to one, and not the exact figure rounded once."""
    OTHERWISE = "otherwise"
    """Neither."""


class Printed(NamedTuple):
    """A printed figure and the exact one; of a probability, both are percentages."""

    table: str
    row: str
    column: str
    text: str
    exact: Fraction

    @property
    def number(self) -> Fraction:
        """The printed figure as a number; 0% and 0.0% are one figure."""
        return Fraction(self.text.removesuffix("%"))

    @property
    def state(self) -> State:
        """How the printed figure compares with the exact one."""
        if self.number == half_up(self.exact, PRINTED_PLACES):
            return State.RIGHT
        return State.TWICE if self.number == self.rounded_twice else State.OTHERWISE

    @property
    def rounded_twice(self) -> Fraction:
        """The exact figure rounded to two decimals and then to one."""
        return half_up(half_up(self.exact, FIRST_PLACES), PRINTED_PLACES)

    @property
    def error(self) -> Fraction:
        """The printed figure minus the correctly rounded one."""
        return self.number - half_up(self.exact, PRINTED_PLACES)

    def exact_text(self, places: int) -> str:
        """Return the exact figure with a number of decimals, and with ``%`` if the printed figure has it."""
        if self.text.endswith("%"):
            return percent(self.exact / PERCENT, places, rounded=True)
        return decimal(self.exact, places)


def half_up(number: Fraction, places: int) -> Fraction:
    """Round half up to a number of decimals."""
    return Fraction(decimal(number, places))


def read(path: Path) -> list[Printed]:
    """Read the printed figures and count the exact ones."""
    tables = json.loads(path.read_text(encoding="utf-8"))
    return [
        Printed(table, row, column, figure, exact(table, row, column))
        for table, rows in tables.items()
        for row, cells in rows.items()
        for column, figure in cells.items()
    ]


def exact(table: str, row: str, column: str) -> Fraction:
    """Return the exact figure of a cell."""
    average = AVERAGE.fullmatch(row)
    if average is not None:
        return _odds(average["fact"].lower(), column).mean
    fact, _, relation = table.partition(" ")
    number = int(row.rstrip("+-"))
    distribution = _odds(fact, column)
    return PERCENT * (distribution.at_most(number) if relation == "at most" else distribution.at_least(number))


@cache
def _odds(fact: str, column: str) -> Distribution:
    match = COLUMN.fullmatch(column)
    parameters: dict[str, Any] = {PARAMETERS[match["of"]]: int(match["instances"])} if match else {}
    return odds(MECHANIC, fact, **parameters)


COUNTS: Final[dict[str, Callable[[Printed], bool]]] = {
    "all": lambda _: True,
    "differ": lambda figure: figure.state is not State.RIGHT,
    "tempting": lambda figure: figure.rounded_twice != half_up(figure.exact, PRINTED_PLACES),
    **{state.value: lambda figure, state=state: figure.state is state for state in State},  # type: ignore[misc]
}
"""The figures that the role counts, by its text; ``tempting`` are those that rounding twice changes."""


def listed(figures: Iterable[Printed]) -> nodes.table:
    """Return a table of wrong figures with their errors."""
    rows = []
    for figure in figures:
        correct, exact = figure.exact_text(PRINTED_PLACES), figure.exact_text(SHOWN_PLACES)
        rows.append(tuple(map(text, (location(figure), figure.text, correct, exact, error_text(figure)))))
    return figure_table("Where", "Printed", "Should be", "Exact", "Off by", rows=rows, widest=WIDEST)


def figure_table(*heads: str, rows: Iterable[tuple[list[nodes.Node], ...]], widest: int) -> nodes.table:
    """Return a table of figures whose rows have headings."""
    node = table(*heads, rows=rows, stub=True, widest=widest)
    # On paper it may go on on the next page.
    node["classes"] += ["errata", "longtable"]
    return node


def location(figure: Printed) -> str:
    """Return the table, row and column of a figure; the row of an average needs no table."""
    # The sign of "2-" says again what the title "Low at most" says.
    row = figure.row.rstrip("+-") if " at " in figure.table else figure.row
    row = row if AVERAGE.fullmatch(row) else f"{figure.table.capitalize()} {row}"
    return f"{row}, {figure.column}"


def error_text(figure: Printed) -> str:
    """Return the error of a figure with its sign."""
    return f"{float(figure.error):+.{PRINTED_PLACES}f}".replace("-", "\N{MINUS SIGN}")


def table_section(name: str, figures: list[Printed]) -> nodes.section:
    """Return a printed table as a section: each figure with the exact one below it."""
    rows = group(figures, attrgetter("row"))
    heads = [figure.column for figure in next(iter(rows.values()))]
    section = nodes.section("", nodes.title("", name.capitalize()), ids=[nodes.make_id(f"printed {name}")])
    cells = ((text(row), *map(figure_cell, figures)) for row, figures in rows.items())
    section += figure_table("Row", *heads, rows=cells, widest=NARROW)
    return section


def figure_cell(figure: Printed) -> list[nodes.Node]:
    """Return a printed figure, bold if it is wrong, and the exact one without ``%``."""
    printed = nodes.Text(figure.text) if figure.state is State.RIGHT else nodes.strong("", figure.text)
    exact = decimal(figure.exact, SHOWN_PLACES)
    return [printed, nodes.Text(" "), nodes.inline("", exact, classes=["errata-exact"])]


def group(figures: list[Printed], key: Callable[[Printed], str]) -> dict[str, list[Printed]]:
    """Group figures by a key, in order of its first occurrence."""
    groups: dict[str, list[Printed]] = {}
    for figure in figures:
        groups.setdefault(key(figure), []).append(figure)
    return groups


def page_figures(env: BuildEnvironment) -> list[Printed]:
    """Read the figures for the current page, and have it read again when the figures change, or what reads them."""
    path = Path(env.srcdir, DATA)
    env.note_dependency(str(path))
    env.note_dependency(__file__)
    return read(path)


class Errata(SphinxDirective):
    """The tables of ``all`` figures, or a list of those that differ: ``twice`` or ``otherwise``."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        figures = page_figures(self.env)
        if self.arguments[0] == "all":
            return [table_section(*item) for item in group(figures, attrgetter("table")).items()]
        state = State(self.arguments[0])
        return [listed(figure for figure in figures if figure.state is state)]


class Count(SphinxRole):
    """The number of figures of a kind."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        count = sum(map(COUNTS[self.text], page_figures(self.env)))
        return [nodes.Text(str(count))], []


def setup(app: Sphinx) -> ExtensionMetadata:
    """Add the directive and the role."""
    app.add_directive("errata", Errata)
    app.add_role("errata", Count())
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
