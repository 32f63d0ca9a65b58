"""Tables of odds whose rows are in the bands of their fact."""

import re
from xml.etree import ElementTree as ET

import pytest

import dicedocs as dd
from dicedocs.render.numbers import percent_column

FAVOR = ("with", "none", "without")
CHECK = "mage-in-the-metal/check"
PAGE = f"""
    .. dice:table:: By favor
       :mechanic: {CHECK}
       :skill: 12
       :fact: total
       :vary: favor={" ".join(FAVOR)}
"""


def table_of(html: str, caption: str) -> list[list[str]]:
    """The cells of the table of a figure."""
    (figure,) = [each for each in re.findall(r"<figure.*?</figure>", html, re.DOTALL) if caption in each]
    rows = ET.fromstring(re.findall(r"<table.*</table>", figure, re.DOTALL)[0]).iter("tr")  # noqa: S314
    return [["".join(cell.itertext()) for cell in row] for row in rows]


def sums() -> list[list[str]]:
    """The probability of each result, which the game names by the total: computed in another way."""
    results = ["critical success", "success", "failure", "critical failure"]
    odds = [dd.odds(CHECK, "result", skill=12, favor=favor).to_dict() for favor in FAVOR]
    figures = iter(percent_column([each.get(result, 0) for result in results for each in odds]))
    return [[result, *(next(figures) for _ in FAVOR)] for result in results]


def test_the_rows_of_a_table_are_in_the_bands_of_the_fact_with_a_sum_for_each_column(book):
    book.page(PAGE)
    rows = table_of(book.build("html").read("index.html"), "By favor")
    heads = [row for row in rows if row[0] in {each[0] for each in sums()}]
    assert heads == sums()
    # By hand: at skill 12 a total up to 5 is a critical success; 6 to 11 are a success, and 12 to 15 a failure.
    following = {row[0]: rows[index + 1][0] for index, row in enumerate(rows) if row in heads}
    assert following == {"critical success": "2", "success": "6", "failure": "12", "critical failure": "16"}


@pytest.mark.parametrize(("builder", "page"), [("text", "index.txt"), ("latex", "book.tex")])
def test_other_builders_have_them(book, builder, page):
    book.page(PAGE)
    built = book.build(builder, latex_documents=[("index", "book.tex", "Book", "N", "manual")])
    assert built.log == ""
    written = re.sub(r"\\(?:phantom|sphinxcolwidth)\{.*?\}(?:\{\d\})?", "", built.read(page))
    for label, *figures in sums():
        between = r"[^0-9]*".join(re.escape(figure.removesuffix("%")) for figure in figures)
        assert re.search(rf"{label}[^0-9]*{between}\\?%", written), label


def test_there_are_none_where_they_are_not_the_same_or_do_not_add_up(book):
    book.page(
        f"""
        .. dice:table:: By skill
           :mechanic: {CHECK}
           :fact: total
           :vary: skill=12 13

        .. dice:table:: At most
           :mechanic: {CHECK}
           :skill: 12
           :fact: total
           :show: at most
        """
    )
    html = book.build("html").read("index.html")
    # Another skill is another target number.
    assert "success" not in {row[0] for row in table_of(html, "By skill")}
    # What is at most 11 includes what is at most 5.
    assert [row for row in table_of(html, "At most") if row[0] == "success"] == [["success", ""]]


def test_an_e_book_has_all_rows_of_a_long_table(book):
    book.page(PAGE)
    assert "<summary>All 23 rows" in book.build("html").read("index.html")
    assert "dice-rest" not in book.build("epub").read("index.xhtml")
