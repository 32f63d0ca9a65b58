"""Highlighted rows, shades and CSV of tables and charts, in every form."""

import csv
import io
import re
from urllib.parse import unquote
from xml.etree import ElementTree as ET

import pytest

TOTALS = """
    .. dice:table:: Totals
       :name: totals
       :mechanic: total-effect/roll
       :vary: advantage=0..1
       :show: at least
       :mark: 17 or over 17
"""
CHART = """
    .. dice:odds:: One die
       :name: die
       :mechanic: methuen/expression
       :expression: 1d4
       :mark: 3
"""
AVERAGES = """
    .. dice:table:: Averages
       :mechanic: total-effect/roll
       :fact: low, total
       :show: average
       :mark: not low
"""
SETTINGS = """
    .. dice:table:: Against
       :mechanic: methuen/check
       :check: 1d20 >= [Target Defense]
       :rows: target.Defense=10 15 20
       :show: true
       :mark: over 10
"""
MAN = {"man_pages": [("index", "book", "Book", ["N"], 1)]}


def tables(html: str) -> list[ET.Element]:
    return [ET.fromstring(text) for text in re.findall(r"<table class=.dice-table.*?</table>", html, re.DOTALL)]  # noqa: S314


def marked_rows(table: ET.Element) -> list[str]:
    return [row.findtext("th") for row in table.iter("tr") if row.get("aria-current") == "true"]


def links(html: str) -> dict[str, list[list[str]]]:
    """The rows of the CSV in each link, by the name of its file."""
    found = re.findall(r'download="([^"]*)" href="data:text/csv;charset=utf-8,([^"]*)"', html)
    return {name: list(csv.reader(io.StringIO(unquote(data)))) for name, data in found}


def test_rows_are_highlighted_by_value_by_event_by_setting_and_by_fact(book):
    book.page(TOTALS + CHART + AVERAGES + SETTINGS)
    built = book.build("html", html_theme="basic")
    assert built.log == ""
    html = built.read("index.html")
    assert list(map(marked_rows, tables(html))) == [["17", "18"], ["3"], ["Total"], ["15", "20"]]
    assert "Marked: 3." in html


@pytest.mark.parametrize("builder", ["text", "man"])
def test_text_points_at_highlighted_rows(book, builder):
    book.page(TOTALS + CHART + AVERAGES + SETTINGS)
    built = book.build(builder, **MAN)
    assert built.log == ""
    lines = built.read("book.1" if builder == "man" else "index.txt").splitlines()
    assert [line.split()[1] for line in lines if line.lstrip().startswith(">")] == [
        "17",
        "18",
        "3",
        "Total",
        "15",
        "20",
    ]


def test_probabilities_are_shaded_and_averages_are_not(book):
    book.page(SETTINGS + AVERAGES)
    against, averages = tables(book.build("html", html_theme="basic").read("index.html"))
    # 11, 6 and 1 of 20 faces, of which 11 has all nine shades.
    assert [cell.get("class") for cell in against.iter("td")] == ["dice-heat-9", "dice-heat-5", "dice-heat-1"]
    assert [cell.get("class") for cell in averages.iter("td")] == [None, None]


def test_csv_has_the_exact_odds(book):
    book.page(CHART + SETTINGS.replace(":show", ":name: against\n       :show") + AVERAGES)
    csv_of = links(book.build("html", html_theme="basic").read("index.html"))
    assert csv_of["die.csv"] == [
        ["total", "count", "of", "chance"],
        *([str(face), "1", "4", "0.25"] for face in range(1, 5)),
    ]
    assert csv_of["against.csv"] == [["Target Defense", "Success"], ["10", "0.55"], ["15", "0.3"], ["20", "0.05"]]
    # The lowest of three dice is on average (6³ + 5³ + 4³ + 3³ + 2³ + 1³) / 6³, and an average is rounded.
    assert csv_of["table-2.csv"] == [["Fact", "Average"], ["Low", "2.04"], ["Total", "10.50"]]


def test_an_e_book_has_no_links_to_data(book):
    book.page(TOTALS + CHART)
    built = book.build("epub")
    assert "data:text" not in built.read("index.xhtml")
    assert [len(list(table.iter("tr"))) for table in tables(built.read("index.xhtml"))] == [2 + 16, 1 + 4]


def test_what_is_long_has_no_csv(book):
    book.page(CHART.replace("1d4", "1d1001").replace(":name: die", ":name: long") + CHART)
    assert list(links(book.build("html", html_theme="basic").read("index.html"))) == ["die.csv"]


@pytest.mark.parametrize(
    ("page", "mark", "message"),
    [
        (TOTALS, "at least 19", "mark: no row is 'at least 19'; name a row, or write 'at least 13'"),
        (CHART, "5", "mark: no row is '5'; name a row, or write 'at least 13'"),
        (AVERAGES, "high", "mark: 'a row' is never 'high'"),
        (SETTINGS, "at least", "mark: expected a value, found the end"),
    ],
)
def test_a_mark_that_is_on_no_row_is_reported(book, page, mark, message):
    book.page(re.sub(r":mark: .*", f":mark: {mark}", page))
    (warned,) = book.build().warnings
    line = (book.src / "index.rst").read_text("utf-8").splitlines().index(f"   :mark: {mark}") + 1
    assert (warned.line, warned.type) == (line, "dicedocs.value")
    assert message in warned.text


def test_an_average_beyond_every_float_is_shown(book):
    book.page(f"""
        .. dice:table:: Large
           :mechanic: methuen/expression
           :expression: {" * ".join(["1" + "0" * 8] * 40)}
           :show: average
    """)
    built = book.build("html", html_theme="basic")
    assert built.log == ""
    assert "1" + "0" * 320 in built.read("index.html")
