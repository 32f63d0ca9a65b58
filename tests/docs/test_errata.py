"""The errata page compared with figures counted in a second way, and the chapter compared with the printed ones."""

import itertools
import json
import re
import warnings
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable, Iterator
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace, patch_docutils

from ..conformance.test_total_effect import DIFFERS, ROWS

RULEBOOK = Path(__file__).resolve().parents[2] / "docs" / "rulebook"
EXTENSIONS = RULEBOOK.parent / "_ext"
PRINTED = json.loads((RULEBOOK / "printed-tables.json").read_text(encoding="utf-8"))
COLUMNS = ("3 Disadv", "2 Disadv", "1 Disadv", "Base Roll", "1 Adv", "2 Adv", "3 Adv")
READ: dict[str, Callable[[tuple[int, ...]], int]] = {
    "total": sum,
    "low": min,
    "mid": lambda dice: sorted(dice)[1],
    "high": max,
}


# The second way: all sequences of faces are sorted, and their first or last three faces kept


@cache
def throws(column: str) -> Counter[tuple[int, ...]]:
    extra, kind = (int(column[0]), column[2:]) if column[0].isdigit() else (0, "")
    kept = slice(-3, None) if kind == "Adv" else slice(0, 3)
    return Counter(tuple(sorted(faces)[kept]) for faces in itertools.product(range(1, 7), repeat=3 + extra))


@cache
def exact(table: str, row: str, column: str) -> Fraction:
    counted = throws(column)
    whole = sum(counted.values())
    if table == "averages":
        fact = row.split()[1].lower()
        return Fraction(sum(READ[fact](dice) * count for dice, count in counted.items()), whole)
    fact, _, way = table.partition(" ")
    at = int(re.sub(r"[+-]", "", row))
    met = sum(n for dice, n in counted.items() if (READ[fact](dice) <= at if "most" in way else READ[fact](dice) >= at))
    return 100 * Fraction(met, whole)


def rounded(number: Fraction | Decimal, places: int) -> Decimal:
    unrounded = Decimal(number.numerator) / Decimal(number.denominator) if isinstance(number, Fraction) else number
    return unrounded.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)


def figures(printed: dict[str, dict[str, dict[str, str]]]) -> Iterator[tuple[str, str, str, str]]:
    for table, rows in printed.items():
        for row, cells in rows.items():
            for column, text in cells.items():
                yield table, row, column, text


def differing(printed: dict[str, Any]) -> tuple[list[list[str]], list[list[str]]]:
    """Return the expected rows of both lists of the page: figures that were rounded twice, and the others."""
    twice, otherwise = [], []
    for table, row, column, text in figures(printed):
        truth = exact(table, row, column)
        should, was, unit = rounded(truth, 1), Decimal(text.removesuffix("%")), "%" if "%" in text else ""
        if was != should:
            short = row[:1] if " at " in table else row
            where = f"{row if unit == '' else f'{table.capitalize()} {short}'}, {column}"
            off = f"{was - should:+.1f}".replace("-", "\N{MINUS SIGN}")
            line = [where, text, f"{should}{unit}", f"{rounded(truth, 3)}{unit}", off]
            (twice if rounded(rounded(truth, 2), 1) == was else otherwise).append(line)
    return twice, otherwise


# The built pages


def build(folder: Path, page: str, printed: dict[str, Any]) -> ET.Element:
    """Build one page of the rulebook with the given figures, without the pages that it links to."""
    book = folder / "rulebook"
    book.mkdir()
    (folder / "index.md").write_text(f"# Book\n\n```{{toctree}}\nrulebook/{page}\n```\n", encoding="utf-8")
    (book / f"{page}.md").write_text((RULEBOOK / f"{page}.md").read_text(encoding="utf-8"), encoding="utf-8")
    (book / "printed-tables.json").write_text(json.dumps(printed), encoding="utf-8")
    settings = {
        "extensions": "myst_parser,dicedocs_sphinx,generated,errata",
        "myst_heading_anchors": 3,
        "suppress_warnings": "myst.xref_missing",
    }
    warned = StringIO()
    with warnings.catch_warnings(), patch_docutils(), docutils_namespace(), pytest.MonkeyPatch.context() as patch:
        warnings.simplefilter("ignore")
        patch.syspath_prepend(str(EXTENSIONS))
        app = Sphinx(folder, None, folder / "_out", folder / "_read", "xml", settings, status=None, warning=warned)
        app.build()
    assert not warned.getvalue()
    return ET.parse(folder / "_out" / "rulebook" / f"{page}.xml").getroot()  # noqa: S314  # we wrote it


def cells(table: ET.Element) -> list[list[str]]:
    return [["".join(entry.itertext()).strip() for entry in row.iter("entry")] for row in table.iter("row")]


@pytest.fixture(scope="module")
def errata(tmp_path_factory: pytest.TempPathFactory) -> ET.Element:
    return build(tmp_path_factory.mktemp("errata"), "errata", PRINTED)


@pytest.fixture(scope="module")
def chapter(tmp_path_factory: pytest.TempPathFactory) -> ET.Element:
    return build(tmp_path_factory.mktemp("chapter"), "total-effect", PRINTED)


def compared(page: ET.Element) -> list[list[list[str]]]:
    return [cells(table) for table in page.iter("table") if "errata" in table.get("classes", "")]


def page_text(page: ET.Element) -> str:
    return " ".join("".join(page.itertext()).split())


def test_what_is_printed_was_carried_over_whole():
    carried = {
        (table, int(re.sub(r"\D", "", row) or 0) or row, COLUMNS.index(column)): Decimal(text.removesuffix("%"))
        for table, row, column, text in figures(PRINTED)
    }
    stated = {}
    for row in ROWS.values():
        way = "" if row.fact == "total" else " at most" if row.at_most else " at least"
        average = f"Avg {row.fact.capitalize()}{'' if row.fact == 'total' else ' Die'}"
        for column, cell in enumerate(row.cells):
            stated["averages" if row.at is None else row.fact + way, row.at or average, column] = Decimal(cell)
    assert carried == stated


def test_the_same_figures_differ_as_by_the_facts():
    from_facts = set()
    for id, column in DIFFERS:
        row = ROWS[id]
        way = "" if row.fact == "total" else " at most" if row.at_most else " at least"
        from_facts.add(("averages" if row.at is None else row.fact + way, row.at, column))
    here = {
        (table, None if table == "averages" else int(re.sub(r"\D", "", row)), COLUMNS.index(column))
        for table, row, column, text in figures(PRINTED)
        if rounded(exact(table, row, column), 1) != Decimal(text.removesuffix("%"))
    }
    assert here == from_facts


def test_the_page_lists_what_differs(errata):
    twice, otherwise = differing(PRINTED)
    first, second, *_ = compared(errata)
    assert first[1:] == twice
    assert second[1:] == otherwise


def test_the_page_counts_what_it_lists(errata):
    twice, otherwise = differing(PRINTED)
    every = len(list(figures(PRINTED)))
    text = page_text(errata)
    assert f"Those have {every} figures" in text
    assert f"{every - len(twice) - len(otherwise)} of them are right" in text
    assert f"Correct the other {len(twice) + len(otherwise)}" in text
    assert f"{len(twice)} were rounded twice" in text
    assert f"{len(otherwise)} are wrong in some other way" in text
    tempting = [
        one
        for one in (exact(*where) for *where, _ in figures(PRINTED))
        if rounded(one, 1) != rounded(rounded(one, 2), 1)
    ]
    assert f"Rounding twice changes {len(tempting)} of the exact figures" in text
    assert f"{len(twice)} of those were printed that way" in text


def test_the_slip_that_needs_no_arithmetic():
    one, other = (PRINTED["mid at most"]["1"]["3 Disadv"], PRINTED["mid at least"]["2+"]["3 Disadv"])
    assert Decimal(one.rstrip("%")) + Decimal(other.rstrip("%")) != 100


def test_the_page_shows_every_figure_beside_the_exact_one(errata):
    _, _, *tables = compared(errata)
    assert len(tables) == len(PRINTED)
    for (table, rows), (head, *body) in zip(PRINTED.items(), tables, strict=True):
        assert head[1:] == list(COLUMNS)
        for (row, printed), line in zip(rows.items(), body, strict=True):
            assert line[0] == row
            for column, cell in zip(COLUMNS, line[1:], strict=True):
                text, number = cell.split()
                assert text == printed[column]
                assert rounded(Decimal(number), 3) == rounded(exact(table, row, column), 3)


def test_the_page_marks_what_differs(errata):
    marked = [
        "".join(strong.itertext())
        for table in errata.iter("table")
        if "errata" in table.get("classes", "")
        for strong in table.iter("strong")
    ]
    assert Counter(marked) == Counter(line[1] for lines in differing(PRINTED) for line in lines)


def test_another_print_has_other_errata(tmp_path):
    other = json.loads(json.dumps(PRINTED))
    other["total"]["9+"]["Base Roll"] = "74.3%"
    other["total"]["5+"]["Base Roll"] = "98.1%"
    other["total"]["8+"]["2 Adv"] = "98.1%"
    first, second, *_ = compared(build(tmp_path, "errata", other))
    twice, otherwise = differing(other)
    assert (first[1:], second[1:]) == (twice, otherwise)
    assert ["Total 9+, Base Roll", "74.3%", "74.1%", "74.074%", "+0.2"] in second
    assert ["Total 8+, 2 Adv", "98.1%", "98.0%", "98.045%", "+0.1"] in first
    assert "Total 5+, Base Roll" not in [line[0] for line in first]


def percentage(number: Fraction) -> str:
    """Return a percentage as in a computed table: only impossible events have 0%, only certain ones 100%."""
    figure = rounded(number, 1)
    if figure in {0, 100}:
        return f"{figure:.0f}%" if figure == number else "<0.1%" if figure == 0 else ">99.9%"
    return f"{figure}%"


def test_the_chapter_has_every_printed_table(chapter):
    tables = {table.get("ids"): cells(table) for table in chapter.iter("table")}
    for name, rows in PRINTED.items():
        head, *body = tables[f"dice-odds-{name.replace(' ', '-')}"]
        assert head[1:] == [f"Disadvantage {n}" for n in (3, 2, 1)] + [f"Advantage {n}" for n in range(4)]
        found = {line[0]: line[1:] for line in body}
        for row in rows:
            label = row.split()[1] if name == "averages" else re.sub(r"\D", "", row)
            by_column = [exact(name, row, column) for column in COLUMNS]
            if name == "averages":
                assert [Decimal(cell) for cell in found[label]] == [rounded(one, 2) for one in by_column]
            else:
                assert found[label] == list(map(percentage, by_column)), f"{name} {row}"
