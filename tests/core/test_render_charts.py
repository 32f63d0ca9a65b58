"""Numbers as text, charts and tables of odds."""

import csv
import io
import re
import sys
import types
import xml.etree.ElementTree as ET
from fractions import Fraction

import pytest

from dicedocs import highest, limits, lowest
from dicedocs.probability.distribution import Distribution
from dicedocs.render.chart import build_chart, list_values, merge_values, summary, summary_sentences
from dicedocs.render.chart_html import odds_html
from dicedocs.render.chart_plot import plot
from dicedocs.render.chart_text import bars_text
from dicedocs.render.latex import table_latex
from dicedocs.render.numbers import decimal, decimal_column, percent, percent_column, share_column
from dicedocs.render.scale import table_bands
from dicedocs.render.table import Table, odds_csv, odds_table, table_html, table_text
from dicedocs.render.words import display_width, fit_width

from ..every import every

HOSTILE = "<script>&\"'%$#_{}~^\\[*\x00\ud800"
BASE = Distribution.dice(3, 6)
ADVANTAGE = Distribution.pool(6, 6, 6, 6, keep=highest(3))
DEGREES = Distribution({"failure": 5, "partial success": 4, "success": 6, None: 1}, names=("degree",))
JOINT = Distribution({(9, True): 1, (10, False): 1, (10, True): 2}, names=("total", "step_up"))


def tree(html: str) -> ET.Element:
    """Parse HTML, which here is also XML."""
    return ET.fromstring(html)  # noqa: S314 - our own


def of_tag(element: ET.Element, name: str) -> list[ET.Element]:
    return [inner for inner in element.iter() if inner.tag.rpartition("}")[2] == name]


def text(element: ET.Element) -> str:
    return "".join(element.itertext())


# Numbers


@every(
    ("probability", "expected"),
    [
        (Fraction(7, 27), "25.9%"),  # 25.926
        (Fraction(1, 8), "12.5%"),
        (Fraction(1, 16), "6.3%"),  # 6.25: a half goes up
        (Fraction(1, 32), "3.1%"),  # 3.125
        (Fraction(3, 4), "75%"),
        (Fraction(7501, 10000), "75.0%"),
        (Fraction(0), "0%"),
        (Fraction(1), "100%"),
        (Fraction(1, 2000), "0.1%"),  # 0.05 is the least that rounds up
        (Fraction(1, 2001), "<0.1%"),
        (Fraction(1, 10**400), "<0.1%"),
        (Fraction(2000, 2001), ">99.9%"),
        (Fraction(1999, 2000), ">99.9%"),  # 99.95 rounds to what only certainty is
        (Fraction(-1, 3), "-33.3%"),
        (0.25, "25%"),
        (1, "100%"),
    ],
)
def test_a_percentage_rounds_half_up_and_is_certain_only_when_exact(probability, expected):
    assert percent(probability) == expected


def test_a_difference_and_a_sum_are_exact_only_without_decimals():
    assert (percent(Fraction(-1, 7776)), percent(Fraction(0))) == ("0.0%", "0%")
    assert (percent(Fraction(7777, 7776)), percent(Fraction(1))) == ("100.0%", "100%")


def test_a_printed_table_rounds_to_0_and_100_percent():
    assert percent(Fraction(7775, 7776), rounded=True) == "100%"
    assert percent(Fraction(1, 7776), rounded=True) == "0%"
    assert percent(Fraction(1, 7776), 2, rounded=True) == "0.01%"
    assert percent(Fraction(1, 3), 0) == "33%"
    assert percent(Fraction(1, 300), 0) == "<1%"
    assert percent(Fraction(299, 300), 0) == ">99%"


def test_the_numbers_of_a_column_share_their_decimals():
    assert percent_column([Fraction(1, 20), Fraction(1)]) == ["5%", "100%"]
    assert percent_column([Fraction(1, 2), Fraction(1, 3), Fraction(0)]) == ["50.0%", "33.3%", "0%"]
    assert share_column([5, 3], 10) == percent_column([Fraction(5, 10), Fraction(3, 10)])
    assert decimal_column([Fraction(7, 2), Fraction(4), Fraction(1, 4)], 1) == ["3.5", "4.0", "0.3"]
    assert decimal_column([3, 4]) == ["3", "4"]


@every(
    ("number", "decimals", "expected"),
    [
        (Fraction(21, 2), 2, "10.5"),
        (Fraction(3), 2, "3"),
        (Fraction(1, 3), 2, "0.33"),
        (Fraction(2999, 1000), 2, "3.00"),
        (Fraction(1, 200), 2, "0.01"),
        (Fraction(-1, 200), 2, "-0.01"),
        (Fraction(-1, 1000), 2, "0.00"),
        (Fraction(5, 2), 0, "3"),
        (2.9580398915498081, 2, "2.96"),
        (-7, 1, "-7"),
    ],
)
def test_a_decimal_rounds_half_away_from_zero(number, decimals, expected):
    assert decimal(number, decimals) == expected


# Charts as data


def test_each_value_has_a_bar_if_there_is_room():
    chart = build_chart({"": BASE}, marked=[13, 18])
    assert [bar.label for bar in chart.bars] == [str(total) for total in range(3, 19)]
    assert [bar.label for bar in chart.bars if bar.marked] == ["13", "18"]
    assert chart.note == ""
    assert chart.numeric
    assert chart.maximum == Fraction(1, 8)
    # 3d6 in 216 ways: 1, 3, 6, 10, 15, 21, 25, 27 and back again.
    assert [bar.counts[0] for bar in chart.bars[:8]] == [1, 3, 6, 10, 15, 21, 25, 27]
    assert [bar.before[0] for bar in chart.bars[:4]] == [0, 1, 4, 10]
    assert (chart.at_least()[10], chart.at_most()[9]) == ("25.9%", "74.1%")


@every("max_bars", [5, 12, 30, 100])
@every(
    "one",
    [
        Distribution.dice(100, 6),
        Distribution.dice(1, 1000),
        -Distribution.dice(20, 20),
        Distribution({10**9 * n: 1 + n for n in range(300)}),
        Distribution({**dict.fromkeys(range(-150, 150), 1), None: 3, "lost": 5}),
        Distribution({f"word {n}": 1 + n for n in range(300)}),
    ],
    ids=["100d6", "d1000", "below 0", "far apart", "mixed", "words"],
)
def test_a_chart_of_any_range_is_complete_and_fits(one, max_bars):
    chart = build_chart({"": one}, max_bars=max_bars, marked=[one.mode])
    assert len(chart.bars) <= max_bars
    assert sum(bar.counts[0] for bar in chart.bars) == one.denominator
    assert sum(bar.marked for bar in chart.bars) == 1
    assert str(len([value for value in one if type(value) is int] or one)) in chart.note


def test_a_long_range_is_grouped_with_a_note():
    chart = build_chart({"": Distribution.dice(100, 6)})
    assert chart.note == "501 values, grouped by 5."
    assert chart.bars[0].label.endswith(" or less")
    assert chart.bars[-1].label.endswith(" or more")
    # What would show as 0.0% is one bar at each end, and no more than that.
    assert Fraction(chart.bars[0].counts[0], chart.denominators[0]) < Fraction(1, 2000)
    assert Fraction(chart.bars[2].before[0], chart.denominators[0]) >= Fraction(1, 2000)
    middle = next(bar for bar in chart.bars if bar.label == "350 to 354")
    oracle = Distribution.dice(100, 6).to_dict()
    assert Fraction(middle.counts[0], chart.denominators[0]) == sum(oracle[total] for total in range(350, 355))


def test_long_tails_are_grouped_first():
    chart = build_chart({"": Distribution.dice(10, 6)}, max_bars=45)
    assert chart.note == "51 values, those at the ends in one bar."
    assert chart.bars[1].label == str(int(chart.bars[0].label.split()[0]) + 1)


def test_many_words_show_the_likeliest():
    chart = build_chart({"": Distribution({f"word {n}": 1 + n for n in range(40)})}, max_bars=4)
    assert [bar.label for bar in chart.bars] == ["word 37", "word 38", "word 39", "37 others"]
    assert chart.note == "The 3 likeliest of 40 values."


def test_many_pairs_are_grouped_by_the_ranges_of_their_numbers():
    pairs = Distribution({(one, two): 1 for one in range(1, 7) for two in range(1, 7)})
    chart = build_chart({"": pairs}, marked=[(2, 5)])
    assert chart.note == "36 values, grouped by 2."
    # 1, then 2 and 3, then 4 and 5, then 6, of each: 16 groups.
    assert [(bar.label, bar.counts) for bar in chart.bars][:5] == [
        ("1, 1", (1,)),
        ("1, 2 to 3", (2,)),
        ("1, 4 to 5", (2,)),
        ("1, 6", (1,)),
        ("2 to 3, 1", (2,)),
    ]
    assert [bar.label for bar in chart.bars if bar.marked] == ["2 to 3, 4 to 5"]
    assert len(chart.bars) == 16
    assert sum(bar.counts[0] for bar in chart.bars) == 36
    many = build_chart({"": Distribution({(n, n, n, n): 1 for n in range(40)})})
    assert many.bars[-1].label == "11 others"


def test_values_of_several_distributions_share_one_order():
    one, two = Distribution({"failure": 1, "success": 1}), Distribution({"failure": 1, "partly": 1, "success": 2})
    chart = build_chart({"one": one, "two": two})
    assert [(bar.label, bar.counts) for bar in chart.bars] == [
        ("failure", (1, 1)),
        ("partly", (0, 1)),
        ("success", (1, 2)),
    ]
    assert chart.exactly(1) == ["25%", "25%", "50%"]
    assert merge_values([(True,), (False,)]) == [False, True]
    assert merge_values([(None,), ("a",), (2, "b")]) == [2, "b", "a", None]
    assert merge_values([(3,), (1, 2)]) == [1, 2, 3]


def test_bars_as_plain_data():
    data = build_chart({"": BASE}, marked=[13]).data()
    assert data[10] == {"text": "13", "p": 21 / 216, "percent": "9.7%", "here": True}
    assert not data[9]["here"]


def test_the_summary_of_a_distribution():
    assert summary(Distribution.dice(1, 20)) == "mean 10.5, standard deviation 5.77"
    assert summary(DEGREES) == "most likely success (37.5%)"
    assert summary(Distribution({True: 1, False: 1})) == ""
    assert summary_sentences({"": BASE})[0].startswith(
        "Mean 10.5, standard deviation 2.96, most likely 10 and 11 (12.5% each)."
    )


# Text


def test_bars_in_text():
    assert bars_text({"": Distribution.dice(2, 3)}, width=30).splitlines() == [
        "2  11.1%  ██████▋",  # 20 places for 1 in 3: 6 2/3, in eighths 6 5/8 (53.3 of 160 eighths)
        "3  22.2%  █████████████▍",
        "4  33.3%  ████████████████████",
        "5  22.2%  █████████████▍",
        "6  11.1%  ██████▋",
        "",
        "Mean 4, standard deviation 1.15, most likely 4 (33.3%).",
    ]


def test_bars_in_ascii_and_with_all_columns():
    shown = bars_text({"": Distribution.dice(2, 2)}, width=50, ascii=True, cumulative=True, marked=[3])
    assert shown.isascii()
    assert shown.splitlines()[:4] == [
        "     exactly  at least  at most",  # which leaves 17 places; half of them is 8 1/2, rounded up
        "  2      25%      100%      25%  #########",
        "> 3      50%       75%      75%  #################",
        "  4      25%       25%     100%  #########",
    ]


def test_an_unlikely_value_has_a_bar_and_an_impossible_one_has_none():
    lines = bars_text({"a": Distribution({1: 1, 2: 10**9}), "b": Distribution({2: 1})}, width=60).splitlines()
    assert lines[1].split() == ["1", "<0.1%", "▏", "0%"]


def _lines_of_bars(series, width):
    return bars_text(series, width=width).partition("\n\n")[0].splitlines()


@every("width", [0, 20, 40, 78, 200])
@every("series", [1, 2, 4])
def test_bars_fit_a_width(width, series):
    labels = ["3 Disadvantages", "Base roll", "骰子骰子", "x" * 500]
    ones = [BASE, ADVANTAGE, Distribution.dice(20, 6), DEGREES]
    drawn = dict(list(zip(labels, ones, strict=True))[:series])
    lines = _lines_of_bars(drawn, width)
    figures = 4 + series * 8  # what there is at least: a short label and the percentages
    assert max(map(display_width, lines)) <= max(width, 20, figures)
    assert len(_lines_of_bars({"x" * 500: Distribution({"y" * 500: 1})}, 40)[1]) <= 40


def test_text_from_data_is_cleaned():
    shown = bars_text({"\x1b[2J": Distribution({"\x1b[31m\n2": 1, "骰": 1})})
    assert "\x1b" not in shown
    assert display_width(fit_width("骰子骰子", 5)) == 5


def test_a_text_as_long_as_a_book_is_shortened_at_once():
    shown = bars_text({"": Distribution({"骰" * limits.FACT_TEXT.maximum: 1, "a": 1})})
    assert "骰…" in shown
    assert max(map(display_width, shown.splitlines())) <= 80


# Tables


def test_a_table_of_numbers_has_three_columns():
    table = odds_table({"": BASE})
    assert table.heads == ("Value", "Exactly", "At least", "At most")
    assert len(table.rows) == 16
    assert table.rows[10] == ("13", "9.7%", "25.9%", "83.8%")


def test_a_table_of_several_distributions_has_a_column_for_each():
    table = odds_table({"Base roll": BASE, "1 Adv": ADVANTAGE}, shows=["at least"])
    assert table.heads == ("Value", "Base roll", "1 Adv")
    # From the table of the source: 13+ is 25.9% on a base roll, 48.8% with one Advantage.
    assert table.rows[10] == ("13", "25.9%", "48.8%")
    assert odds_table({"a": BASE, "b": BASE}, shows=["exactly", "at most"]).heads == (
        *("Value", "a, exactly", "a, at most", "b, exactly", "b, at most"),
    )


def test_a_table_lists_what_a_chart_groups_unless_it_is_cut():
    assert len(odds_table({"": Distribution.dice(100, 6)}).rows) == 501
    cut = odds_table({"": Distribution.dice(100, 6)}, max_rows=10, marked=[101, 300])
    assert (len(cut.rows), cut.marked, cut.note) == (10, (1,), "The first 10 of 501 rows.")


@pytest.mark.parametrize("scale", [1, 999_999_999_999])
def test_very_many_values_are_a_small_chart_and_a_table_that_is_cut(scale):
    odds = Distribution.dice(1, limits.OUTCOMES.maximum) * scale
    html = odds_html({"": odds})
    assert len(html) < 200_000
    assert "100000 values, grouped by " in html
    assert "The first 1000 of 100000 rows." in html
    chart = build_chart({"": odds})
    assert sum(bar.counts[0] for bar in chart.bars) == 100_000
    assert len(chart.bars) <= 30


def test_a_table_of_words():
    assert odds_table({"": DEGREES}).rows == (
        *(("failure", "31.3%"), ("partial success", "25.0%"), ("success", "37.5%"), ("none", "6.3%")),
    )
    assert odds_table({"": DEGREES}).heads == ("Degree", "Chance")


def test_a_joint_distribution_has_a_column_for_each_fact():
    table = odds_table({"": JOINT}, marked=[(10, True)])
    assert table.heads == ("Total", "Step up", "Chance")
    assert table.rows == (("9", "yes", "25%"), ("10", "no", "25%"), ("10", "yes", "50%"))
    assert (table.label_columns, table.marked) == (2, (2,))
    assert table_text(table).splitlines()[1:] == [
        "      9  yes         25%",
        "     10  no          25%",
        ">    10  yes         50%",
    ]
    html = tree(odds_html({"": JOINT}))
    assert of_tag(html, "svg") == []
    assert [text(cell) for cell in of_tag(html, "th")][:5] == ["Total", "Step up", "Chance", "9", "yes"]


def test_a_text_table_fits_a_width():
    table = Table(("A", "B", "Chance"), (("x" * 200, "y" * 200, "100%"),), 2)
    assert max(map(display_width, table_text(table, 50).splitlines())) <= 50


def test_a_table_in_html_has_header_cells_and_can_be_scrolled_by_keyboard():
    frame = tree(table_html(odds_table({"": BASE}, marked=[13]), caption="3d6"))
    assert (frame.get("tabindex"), frame.get("role"), frame.get("aria-label")) == ("0", "group", "3d6")
    assert [(cell.get("scope"), text(cell)) for cell in of_tag(frame, "th")[:5]] == [
        *(("col", head) for head in ("Value", "Exactly", "At least", "At most")),
        ("row", "3"),
    ]
    assert [text(row)[:2] for row in of_tag(frame, "tr") if row.get("aria-current")] == ["13"]
    assert text(of_tag(frame, "caption")[0]) == "3d6"


def test_special_characters_of_latex_are_escaped():
    shown = table_latex(Table((HOSTILE[:-2], "Chance"), (("[1]", "<0.1%"), ("*", ">99.9%"))))
    assert shown.startswith("\\begin{tabular}{lr}\n\\hline\n")
    assert (
        r"\textless{}script\textgreater{}\&\"'\%\$\#\_\{\}\textasciitilde{}\textasciicircum{}\textbackslash{}{[}{*}"
        in (shown.replace('"', '\\"', 1))
    )
    assert "\n{[}1{]} & \\textless{}0.1\\% \\\\\n{*} & \\textgreater{}99.9\\% \\\\\n" in shown
    # Every brace that is no letter is closed.
    bare = re.sub(r"\\[{}]", "", shown)
    assert bare.count("{") == bare.count("}")


def test_csv_is_exact():
    rows = list(csv.reader(io.StringIO(odds_csv(JOINT))))
    assert rows == [
        ["total", "step_up", "count", "of", "chance"],
        ["9", "true", "1", "4", "0.25"],
        ["10", "false", "1", "4", "0.25"],
        ["10", "true", "2", "4", "0.5"],
    ]
    assert odds_csv(Distribution({'a "b", c': 1})) == 'value,count,of,chance\n"a ""b"", c",1,1,1.0\n'


# HTML


def test_a_chart_has_a_name_a_description_and_its_numbers():
    html = tree(odds_html({"": BASE}, name="The Total", marked=[13]))
    (svg,) = of_tag(html, "svg")
    assert svg.get("role") == "img"
    assert [child.tag.rpartition("}")[2] for child in svg][:2] == ["title", "desc"]
    assert text(svg[0]) == "The Total"
    assert text(svg[1]) == "Mean 10.5, standard deviation 2.96, most likely 10 and 11 (12.5% each). Marked: 13."
    texts = [text(each) for each in of_tag(svg, "text")]
    assert texts[:4] == ["3", "0.5%", "4", "1.4%"]
    assert "▸ 13" in texts
    (details,) = of_tag(html, "details")
    assert details.get("open") is None
    assert len(of_tag(details, "tr")) == 17
    assert of_tag(tree(odds_html({"": BASE}, folded=False)), "details") == []


def test_bars_are_as_long_as_their_chances():
    (svg,) = of_tag(tree(odds_html({"": BASE})), "svg")
    widths = [float(rect.get("width").rstrip("%")) for rect in of_tag(svg, "rect")]
    assert widths[7] == max(widths)
    assert widths[4] / widths[7] == pytest.approx(15 / 27, rel=1e-3)
    ends = [float(rect.get("x").rstrip("%")) + float(rect.get("width").rstrip("%")) for rect in of_tag(svg, "rect")]
    assert max(ends) <= 82.1  # the figure beside the longest bar has room on a phone


def test_several_distributions_have_a_chart_each_on_one_scale():
    four = {"1 Dis": Distribution.pool(6, 6, 6, 6, keep=lowest(3)), "Base": BASE, "d20": Distribution.dice(1, 20)}
    html = tree(odds_html(four, name="Three rolls"))
    assert [text(each) for each in of_tag(html, "div") if each.get("class") == "dice-legend"] == list(four)
    charts = of_tag(html, "svg")
    assert [text(chart[0]) for chart in charts] == ["Three rolls: 1 Dis", "Three rolls: Base", "Three rolls: d20"]
    assert text(charts[1][1]) == "Base: mean 10.5, standard deviation 2.96, most likely 10 and 11 (12.5% each)."
    base, d20 = ([float(rect.get("width").rstrip("%")) for rect in of_tag(chart, "rect")] for chart in charts[1:])
    # 27 of 216, beside 1 of 20.
    assert max(base) / max(d20) == pytest.approx(2.5, rel=1e-3)
    assert [text(cell) for cell in of_tag(html, "th")[:4]] == ["Value", *four]


def test_many_bars_have_an_axis_instead_of_figures():
    (svg,) = of_tag(tree(odds_html({"": Distribution.dice(2, 12)})), "svg")
    texts = [text(each) for each in of_tag(svg, "text")]
    # The longest bar is 12 of 144, or 8.3%.
    assert texts == ["0%", "2%", "4%", "6%", "8%", *map(str, range(2, 25))]
    at = {text(each): float(each.get("x").rstrip("%")) for each in of_tag(svg, "text")[:5]}
    end = max(float(bar.get("x").rstrip("%")) + float(bar.get("width").rstrip("%")) for bar in of_tag(svg, "rect"))
    assert (end - at["0%"]) / (at["8%"] - at["0%"]) == pytest.approx(12 / 144 / 0.08, rel=1e-3)


def test_html_is_safe_in_any_host():
    html = odds_html({HOSTILE: Distribution({HOSTILE: 2, "b": 1}, names=(HOSTILE,)), "b": BASE}, name=HOSTILE)
    whole = tree(html)
    html.encode()
    assert "\x00" not in html
    assert {element.tag.rpartition("}")[2] for element in whole.iter()} <= {
        *("div", "ul", "li", "svg", "title", "desc", "rect", "text", "p", "details", "summary"),
        *("table", "thead", "tbody", "tr", "th", "td", "span"),
    }
    assert not re.search(r"\s(id|style|on\w+)=|<script|<style|<h\d", html)
    fitting = HOSTILE.replace("\x00", "\ufffd").replace("\ud800", "\ufffd")
    assert text(of_tag(whole, "title")[0]) == f"{fitting}: {fitting}"


def test_the_html_of_a_long_range_is_small():
    html = odds_html({"": Distribution.dice(1000, 6)}, max_rows=100)
    assert html.count("<rect") <= 30
    assert "5001 values, grouped by" in html
    assert "The first 100 of 5001 rows." in html


# Matplotlib


class Axes:
    """Axes that record the calls of their methods."""

    containers = ()

    def __init__(self):
        self.calls = {}

    def __getattr__(self, name):
        return lambda *given, **named: self.calls.setdefault(name, []).append((given, named))


def test_a_plot_is_drawn_on_axes_that_are_given():
    axes = Axes()
    assert plot({"": Distribution.dice(1, 4)}, axes) is axes
    ((given, _),) = axes.calls["bar"]
    assert given == ([1, 2, 3, 4], [25.0] * 4)
    assert "legend" not in axes.calls
    axes = Axes()
    plot({"a": DEGREES, "b": DEGREES}, axes)
    assert axes.calls["set_xticks"][0][0][1] == ["failure", "partial success", "success", "none"]
    assert "legend" in axes.calls


def test_a_plot_without_matplotlib_names_the_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match="pip install matplotlib"):
        plot({"": BASE})


def test_a_plot_makes_its_own_axes(monkeypatch):
    axes = Axes()
    pyplot = types.ModuleType("matplotlib.pyplot")
    pyplot.subplots = lambda: (None, axes)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "matplotlib", types.ModuleType("matplotlib"))
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", pyplot)
    assert plot({"": BASE}) is axes


def test_decimal_points_in_text_are_aligned():
    lines = table_text(Table(("Name", "Chance"), (("v1.25", "100%"), ("b", "93.8%"), ("c", "<0.1%")))).splitlines()
    assert lines == ["Name   Chance", "v1.25  100%", "b       93.8%", "c       <0.1%"]
    lines = bars_text({"": Distribution({1: 1, 2: 2})}, cumulative=True).splitlines()
    assert [line.partition(" █")[0].rstrip() for line in lines[:3]] == [
        "   exactly  at least  at most",
        "1    33.3%    100%      33.3%",
        "2    66.7%     66.7%   100%",
    ]


RESULTS = table_bands({None: "fumble", 2: "miss", 13: "hit", 20: "hit", 30: "never"})


def test_bands_have_the_probability_of_their_values():
    chart = build_chart({"": BASE}, bands=RESULTS)
    assert [(band.label, band.start, band.stop) for band in chart.bands] == [("miss", 0, 10), ("hit", 10, 16)]
    # 3d6 is 13 or more in 56 of 216 ways.
    assert [band.percent for band in chart.bands] == ["74.1%", "25.9%"]
    counts = [sum(bar.counts[0] for bar in chart.bars[band.start : band.stop]) for band in chart.bands]
    assert Fraction(counts[1], BASE.denominator) == BASE.p("at least 13")
    assert sum(counts) == BASE.denominator


@every("max_bars", [3, 4, 12, 30])
@every("threshold", [101, 280, 347, 350, 512, 600])
def test_no_bar_has_numbers_of_two_bands(max_bars, threshold):
    many = Distribution.dice(100, 6)
    chart = build_chart({"": many}, max_bars=max_bars, bands=table_bands({None: "no", threshold: "yes"}))
    assert [(band.start, band.stop) for band in chart.bands] == [
        (0, chart.bands[0].stop),
        (chart.bands[0].stop, len(chart.bars)),
    ]
    above = sum(bar.counts[0] for bar in chart.bars[chart.bands[1].start :])
    assert Fraction(above, many.denominator) == many.p(f"at least {threshold}")
    assert sum(bar.counts[0] for bar in chart.bars) == many.denominator
    assert len({bar.label for bar in chart.bars}) == len(chart.bars)


def test_a_table_that_is_cut_has_the_bands_of_its_rows():
    chart, _ = list_values({"": BASE}, 4, bands=RESULTS)
    assert [(band.label, band.start, band.stop) for band in chart.bands] == [("miss", 0, 4)]
    assert list_values({"": BASE}, 0, bands=RESULTS)[0].bands == ()


def test_only_a_single_distribution_has_bands():
    assert build_chart({"one": BASE, "two": BASE}, bands=RESULTS).bands == ()
    assert build_chart({"": DEGREES}, bands=RESULTS).bands == ()


def test_bands_are_named_and_their_bars_differ_without_colour():
    html = odds_html({"": BASE}, bands=RESULTS, marked=[13])
    svg = of_tag(tree(html), "svg")[0]
    fills = [bar.get("fill") for bar in of_tag(svg, "rect") if bar.get("class") == "dice-bar"]
    assert fills == ["none"] * 10 + ["currentColor"] * 6
    assert "Bands: miss 74.1%, hit 25.9%. Marked: 13." in html
    texts = [each.text for each in of_tag(svg, "text")]
    assert texts.index("miss 74.1%") < texts.index("3") < texts.index("hit 25.9%") < texts.index("▸ 13")


def test_bands_in_text_are_lines_of_their_own():
    lines = bars_text({"": BASE}, width=40, bands=RESULTS).splitlines()
    assert [index for index, line in enumerate(lines) if line[:4] in {"miss", "hit "}] == [0, 11]
    assert (lines[0], lines[11]) == ("miss  74.1%", "hit  25.9%")
    assert lines[12].split()[:2] == ["13", "9.7%"]
