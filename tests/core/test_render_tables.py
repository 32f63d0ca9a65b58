"""Tables of odds: shades, groups of rows, long tables, and links that save them as CSV."""

import csv
import io
import re
from fractions import Fraction
from urllib.parse import unquote
from xml.etree import ElementTree as ET

import pytest

from dicedocs.probability.distribution import Distribution
from dicedocs.render.html import stylesheet
from dicedocs.render.latex import table_latex
from dicedocs.render.scale import table_bands
from dicedocs.render.table import (
    HEAT_STEPS,
    LONG,
    MAX_CSV,
    VISIBLE,
    RowGroup,
    Table,
    csv_link,
    heat_steps,
    odds_table,
    series_csv,
    table_csv,
    table_html,
    table_text,
)
from dicedocs.translation import language

from ..every import every

BANDS = Table(
    ("Total", "Chance"),
    (("2", "10%"), ("3", "20%"), ("4", "70%")),
    marked=(2,),
    row_groups=(RowGroup("weak & slow", 2, ("30%",)), RowGroup("strong", 1, ("70%",))),
)


def parsed(html: str) -> ET.Element:
    return ET.fromstring(f"<div>{html}</div>")  # noqa: S314


# Shades


def test_a_shade_is_in_proportion_to_the_highest_probability_and_only_the_impossible_has_none():
    ninths = [[Fraction(part, 9)] for part in range(10)]
    assert heat_steps(ninths) == tuple((step,) for step in range(10))
    assert heat_steps([[0, 1e-9, 0.0555, 0.056, 0.5]]) == ((0, 1, 1, 2, 9),)
    assert heat_steps([[0.0, 0]]) == ((0, 0),)
    assert heat_steps([]) == ()


def test_columns_that_show_the_same_are_shaded_alike_and_others_by_themselves():
    # 2d2: 1/4, 1/2, 1/4 exactly; 1, 3/4, 1/4 or more; 1/4, 3/4, 1 or less.
    assert odds_table({"": Distribution.dice(2, 2)}).heat == ((5, 9, 3), (9, 7, 7), (5, 3, 9))
    assert odds_table({"coin": Distribution.dice(1, 2), "die": Distribution.dice(1, 6)}).heat[0] == (9, 3)


def test_an_impossible_value_is_not_shaded():
    html = table_html(odds_table({"a": Distribution({1: 1, 2: 1}), "b": Distribution({2: 1})}))
    cells = [cell for row in parsed(html).iter("tr") for cell in row.findall("td")]
    assert [(cell.text, cell.get("class")) for cell in cells] == [
        *(("50%", "dice-heat-5"), ("0%", None), ("50%", "dice-heat-5"), ("100%", "dice-heat-9")),
    ]


def channel(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def luminance(colour: list[float]) -> float:
    """The relative luminance of WCAG 2."""
    return sum(part * channel(value) for part, value in zip((0.2126, 0.7152, 0.0722), colour, strict=True))


def rgb(text: str) -> list[float]:
    return [int(text[start : start + 2], 16) / 255 for start in (1, 3, 5)]


@every(
    ("text", "page", "accent"),
    [
        ("#000000", "#ffffff", "#0a4bff"),  # Furo
        ("#cfd0d0", "#131416", "#3d94ff"),  # Furo in the dark
        ("#3e4349", "#ffffff", "#3e4349"),  # Alabaster, which has no accent: that of the text
        ("#404040", "#fcfcfc", "#404040"),  # Read the Docs
        ("#222832", "#ffffff", "#0a7d91"),  # PyData
        ("#ced6dd", "#14181e", "#3fb1c5"),  # PyData in the dark
        ("#555555", "#ffffff", "#555555"),  # grey text, to which little can be added
        ("#000000", "#ffffff", "#000000"),
        ("#ffffff", "#000000", "#ffffff"),
    ],
)
def test_text_is_legible_on_every_shade(text, page, accent):
    shades = {
        int(step): int(percent) for step, percent in re.findall(r"heat-(\d) \{ --dice-heat: (\d+)%", stylesheet())
    }
    assert sorted(shades) == list(range(1, HEAT_STEPS + 1))
    assert sorted(shades.values()) == [shades[step] for step in sorted(shades)]
    for percent in shades.values():
        mixed = [
            (percent * one + (100 - percent) * other) / 100 for one, other in zip(rgb(accent), rgb(page), strict=True)
        ]
        high, low = sorted((luminance(rgb(text)), luminance(mixed)), reverse=True)
        assert (high + 0.05) / (low + 0.05) >= 4.5


# Groups of rows and of columns


def test_each_group_of_rows_is_a_body_of_the_table_with_a_head():
    bodies = list(parsed(table_html(BANDS)).iter("tbody"))
    rows = [["".join(cell.itertext()) for cell in row] for body in bodies for row in body]
    assert rows == [["weak & slow", "30%"], ["2", "10%"], ["3", "20%"], ["strong", "70%"], ["4", "70%"]]
    assert [len(body) for body in bodies] == [3, 2]
    assert [body[0][0].get("scope") for body in bodies] == ["rowgroup", "rowgroup"]
    assert [row.get("aria-current") for row in bodies[1]] == [None, "true"]


def test_groups_of_rows_are_lines_in_text_and_in_latex():
    assert table_text(BANDS).splitlines() == [
        "        Total  Chance",
        "  weak & slow     30%",
        "            2     10%",
        "            3     20%",
        "  strong          70%",
        ">           4     70%",
    ]
    lines = table_latex(BANDS).splitlines()
    assert lines[4:6] == [r"\multicolumn{1}{l}{weak \& slow} & 30\% \\", r"2 & 10\% \\"]


COLUMNS = BANDS._replace(
    heads=("Total", "One", "Two"),
    rows=(("2", "10%", "<0.1%"), ("3", "20%", "0%"), ("4", "70%", "99.9%")),
    row_groups=(RowGroup("low", 2, ("30%", "<0.1%")), RowGroup("high", 1, ("70%", "99.9%"))),
)


def test_a_group_has_a_sum_for_each_column():
    rows = [["".join(cell.itertext()) for cell in row] for row in parsed(table_html(COLUMNS)).iter("tr")]
    assert rows[1:3] == [["low", "30%", "<0.1%"], ["2", "10%", "<0.1%"]]
    assert table_text(COLUMNS).splitlines()[:3] == ["  Total  One    Two", "  low    30%  <0.1%", "      2  10%  <0.1%"]
    assert r"\multicolumn{1}{l}{low} & 30\% & \textless{}0.1\% \\" in table_latex(COLUMNS)


def test_a_figure_of_several_columns_stands_over_all():
    one = COLUMNS._replace(row_groups=(RowGroup("low", 3, ("100%",)),))
    head = next(row for row in parsed(table_html(one)).iter("tr") if row.get("class") == "dice-band")
    assert [(cell.text, cell.get("colspan")) for cell in head] == [("low", "1"), ("100%", "2")]
    assert r"\multicolumn{1}{l}{low} & \multicolumn{2}{r}{100\%} \\" in table_latex(one)
    assert "low  100%" in table_text(one)


def test_bands_that_do_not_hold_all_values_are_no_groups():
    die = {"": Distribution.dice(1, 6)}
    assert odds_table(die, bands=table_bands({3: "enough", 5: "more"})).row_groups == ()
    assert odds_table(die, bands=table_bands({1: "low", 5: "high"})).row_groups != ()


def test_a_table_that_is_cut_has_no_empty_group():
    die = {"": Distribution.dice(1, 6)}
    table = odds_table(die, max_rows=2, bands=table_bands({None: "low", 4: "high"}))
    assert [group.label for group in table.group_starts.values()] == ["low"]
    assert len(list(parsed(table_html(table)).iter("tbody"))) == 1


def test_groups_of_columns_are_separated():
    table = Table(("Total", "One 1", "Two 1", "Two 2"), (("2", "10%", "20%", "30%"),))
    html = parsed(table_html(table._replace(head_groups=(("One", ("1",)), ("Two", ("1", "2"))))))
    assert [span.get("span") for span in html.iter("colgroup")] == ["1", "1", "2"]
    assert list(parsed(table_html(table)).iter("colgroup")) == []


# Long tables


def rest_of(table: Table) -> list[int]:
    """The indexes of the rows that are folded."""
    rows = list(parsed(table_html(table)).iter("tr"))[1:]
    return [index for index, row in enumerate(rows) if "dice-rest" in (row.get("class") or "").split()]


def test_the_rows_of_a_long_table_after_the_first_ones_are_folded():
    html = parsed(table_html(odds_table({"": Distribution.dice(1, LONG + 1)})))
    (frame,) = html.findall("div")
    fold, scroll = frame
    assert (frame.get("class"), fold.tag, scroll.get("class")) == ("dice-long", "details", "dice-scroll")
    assert "".join(fold.itertext()) == f"All {LONG + 1} rows"
    assert len(list(html.iter("table"))) == 1, "it stays one table"
    assert rest_of(odds_table({"": Distribution.dice(1, LONG + 1)})) == list(range(VISIBLE, LONG + 1))


def test_a_table_is_not_folded_if_it_is_short_or_is_not_to_be():
    assert "<details>" not in table_html(odds_table({"": Distribution.dice(1, LONG)}))
    whole = table_html(odds_table({"": Distribution.dice(1, LONG + 1)}), folded=False)
    assert "<details>" not in whole
    assert "dice-rest" not in whole


def test_a_highlighted_row_is_never_folded_and_the_head_of_folded_rows_is():
    die = {"": Distribution.dice(1, 30)}
    assert 14 not in rest_of(odds_table(die, marked=[15]))
    bands = table_bands({None: "low", 5: "middle", 25: "high"})
    # Three heads; those of the rows 1 and 5 stay visible.
    assert rest_of(odds_table(die, bands=bands)) == list(range(VISIBLE + 2, 33))


def test_what_is_folded_on_the_screen_is_printed():
    hidden = [rule for rule in re.findall(r"[^{}]*\{[^{}]*\}", stylesheet()) if ".dice-rest" in rule]
    assert len(hidden) == 1
    assert f"@media screen {{ {hidden[0].strip()} }}" in stylesheet()


# CSV


def test_the_csv_of_several_distributions_has_a_column_for_each():
    rows = list(csv.reader(io.StringIO(series_csv({"a, b": Distribution({1: 1, 2: 2}), "c": Distribution({2: 1})}))))
    assert rows == [["Value", "a, b", "c"], ["1", str(1 / 3), "0.0"], ["2", str(2 / 3), "1.0"]]


def test_a_link_contains_its_csv_and_cannot_be_left():
    written = table_csv([('"><script>', "100%"), ("骰\n&#?", 1)])
    (link,) = parsed(csv_link(written, '"x"<')).findall("a")
    kind, _, data = link.get("href").partition(",")
    assert kind == "data:text/csv;charset=utf-8"
    assert unquote(data) == written
    assert re.fullmatch(r"[\w.~%-]+", data)
    assert link.get("download") == '"x"<.csv'


@pytest.mark.parametrize("length", [0, MAX_CSV + 1])
def test_there_is_no_link_without_csv_or_with_very_much(length):
    assert csv_link("x" * length, "name") == ""
    assert csv_link("x" * MAX_CSV, "name") != ""


def test_words_stand_on_the_left_and_stay_as_they_are():
    groups = (("Spare", ("1", "2")),)
    table = Table(("Left", "Spare 1", "Spare 2"), (("3", "yes", "yes or 1.5"),), head_groups=groups, words=True)
    with language("de"):
        html, text, latex = table_html(table), table_text(table), table_latex(table)
    assert re.findall(r'<th scope="col"[^>]*>[12]|<td[^>]*>[^<]+', html) == [
        '<th scope="col" class="dice-word">1',
        '<th scope="col" class="dice-word">2',
        '<td class="dice-word">yes',
        '<td class="dice-word">yes or 1.5',
    ]
    assert text.splitlines() == ["Left  Spare 1  Spare 2", "   3  yes      yes or 1.5"]
    assert r"\begin{tabular}{rll}" in latex
