"""Compares the odds that a source prints with the exact ones, figure by figure, whenever the book is built.

What is printed stands in ``rulebook/printed-tables.json``: by table, row and column. ``{errata} twice`` and
``{errata} otherwise`` list the figures that differ, ``{errata} all`` shows every figure with the exact one under
it, and the role of the same name counts them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from docutils import nodes
from generated import WIDEST, table, text
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective, SphinxRole
from sphinx.util.typing import ExtensionMetadata

from dicedocs import Distribution, odds
from dicedocs.render.numbers import decimal, percent

DATA: Final = "rulebook/printed-tables.json"
"""Where the printed figures stand, seen from the source directory."""
MECHANIC: Final = "total-effect/roll"
COLUMN: Final = re.compile(r"(?P<instances>\d) (?P<of>Disadv|Adv)")
PARAMETERS: Final = {"Disadv": "disadvantage", "Adv": "advantage"}
AVERAGE: Final = re.compile(r"Avg (?P<fact>\w+)( Die)?")
SURE: Final = 100
PRINTED_PLACES: Final = 1
"""Decimals of a printed figure."""
FIRST_PLACES: Final = 2
"""Decimals to which a figure was rounded first that was rounded twice."""
SHOWN_PLACES: Final = 3
"""Decimals with which an exact figure is shown: so many that one sees how it must be rounded."""

NARROW: Final = 1
"""Letters on a line of a cell with two figures, where a whole word does not take more: they stand under one another."""


class State(Enum):
    """What a printed figure is, seen from the exact one; the text is what the role asks for."""

    RIGHT = "right"
    """What the exact figure rounds to, half up."""
    TWICE = "twice"
    """It is not; but the exact figure rounded to two decimals, and that figure rounded again, gives it."""
    OTHERWISE = "otherwise"
    """Neither."""


class Printed(NamedTuple):
    """A printed figure and the exact one; of a chance, both are percentages."""

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
        """What it is."""
        if self.number == half_up(self.exact, PRINTED_PLACES):
            return State.RIGHT
        return State.TWICE if self.number == self.rounded_twice else State.OTHERWISE

    @property
    def rounded_twice(self) -> Fraction:
        """What comes of rounding twice."""
        return half_up(half_up(self.exact, FIRST_PLACES), PRINTED_PLACES)

    @property
    def off(self) -> Fraction:
        """How much larger it is than it should be."""
        return self.number - half_up(self.exact, PRINTED_PLACES)

    def said(self, places: int) -> str:
        """Give the exact figure with so many decimals, written as the source writes its own."""
        if self.text.endswith("%"):
            return percent(self.exact / SURE, places, rounded=True)
        return decimal(self.exact, places)


def half_up(number: Fraction, places: int) -> Fraction:
    """Round to so many decimals."""
    return Fraction(decimal(number, places))


def read(path: Path) -> list[Printed]:
    """Read the printed figures, and count the exact ones."""
    found = json.loads(path.read_text(encoding="utf-8"))
    return [
        Printed(of, row, column, printed, exact(of, row, column))
        for of, rows in found.items()
        for row, cells in rows.items()
        for column, printed in cells.items()
    ]


def exact(of: str, row: str, column: str) -> Fraction:
    """Count one figure."""
    average = AVERAGE.fullmatch(row)
    if average is not None:
        return _odds(average["fact"].lower(), column).mean
    fact, _, way = of.partition(" ")
    number = int(row.rstrip("+-"))
    counted = _odds(fact, column)
    return SURE * (counted.at_most(number) if way == "at most" else counted.at_least(number))


@cache
def _odds(fact: str, column: str) -> Distribution:
    found = COLUMN.fullmatch(column)
    chosen = {PARAMETERS[found["of"]]: int(found["instances"])} if found else {}
    return odds(MECHANIC, fact, **chosen)


COUNTS: Final[dict[str, Callable[[Printed], bool]]] = {
    "all": lambda _: True,
    "differ": lambda one: one.state is not State.RIGHT,
    "tempting": lambda one: one.rounded_twice != half_up(one.exact, PRINTED_PLACES),
    **{state.value: lambda one, state=state: one.state is state for state in State},  # type: ignore[misc]
}
"""What the role counts: all figures, those of a state, and those that rounding twice would change."""


def listed(figures: Iterable[Printed]) -> nodes.table:
    """Give a table of figures that are not what they should be, with how far off they are."""
    rows = (
        (text(where(one)), text(one.text), text(one.said(PRINTED_PLACES)), text(one.said(SHOWN_PLACES)), text(off(one)))
        for one in figures
    )
    return compared("Where", "Printed", "Should be", "Exact", "Off by", rows=rows, widest=WIDEST)


def compared(*heads: str, rows: Iterable[tuple[list[nodes.Node], ...]], widest: int) -> nodes.table:
    """Give a table of figures, each row with a head."""
    made = table(*heads, rows=rows, stub=True, widest=widest)
    made["classes"] += ["errata"]
    return made


def where(one: Printed) -> str:
    """Say where a figure stands; the row of an average says all by itself."""
    row = one.row if AVERAGE.fullmatch(one.row) else f"{title(one.table)} {one.row}"
    return f"{row}, {one.column}"


def title(of: str) -> str:
    """Give the title of a printed table."""
    return of.capitalize()


def off(one: Printed) -> str:
    """Say how much larger a figure is than it should be."""
    return f"{float(one.off):+.{PRINTED_PLACES}f}".replace("-", "\N{MINUS SIGN}")


def whole(of: str, figures: Iterable[Printed]) -> nodes.section:
    """Give a printed table as a section of its own: each figure, and under it the exact one."""
    rows: dict[str, list[Printed]] = {}
    for one in figures:
        rows.setdefault(one.row, []).append(one)
    heads = [one.column for one in next(iter(rows.values()))]
    section = nodes.section("", nodes.title("", title(of)), ids=[nodes.make_id(f"printed {of}")])
    cells = ((text(row), *map(both, row_of)) for row, row_of in rows.items())
    section += compared("Row", *heads, rows=cells, widest=NARROW)
    return section


def both(one: Printed) -> list[nodes.Node]:
    """Give a printed figure, bold when it is not what it should be, and the exact one without its %."""
    printed = nodes.Text(one.text) if one.state is State.RIGHT else nodes.strong("", one.text)
    exact = decimal(one.exact, SHOWN_PLACES)
    return [printed, nodes.Text(" "), nodes.inline("", exact, classes=["errata-exact"])]


def tables(figures: Iterable[Printed]) -> Iterator[tuple[str, list[Printed]]]:
    """Give the printed tables, each with its figures."""
    found: dict[str, list[Printed]] = {}
    for one in figures:
        found.setdefault(one.table, []).append(one)
    return iter(found.items())


def figures_of(env: BuildEnvironment) -> list[Printed]:
    """Read the figures for a page, which is read again whenever the rules or the figures may have changed."""
    path = Path(env.srcdir, DATA)
    env.note_dependency(str(path))
    env.note_reread()
    return read(path)


class Errata(SphinxDirective):
    """``all`` figures, or a list of those that differ: ``twice`` or ``otherwise``."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        figures = figures_of(self.env)
        if self.arguments[0] == "all":
            return [whole(of, each) for of, each in tables(figures)]
        wanted = State(self.arguments[0])
        return [listed(one for one in figures if one.state is wanted)]


class Count(SphinxRole):
    """How many figures there are of a kind."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        count = sum(map(COUNTS[self.text], figures_of(self.env)))
        return [nodes.Text(str(count))], []


def setup(app: Sphinx) -> ExtensionMetadata:
    """Add the directive and the role."""
    app.add_directive("errata", Errata)
    app.add_role("errata", Count())
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
