"""Advice: when it is best to choose what, on a page. Expected values come from a recursion, or by hand."""

import re
from fractions import Fraction
from functools import cache
from html import unescape

import pytest

from dicedocs.probability.advice import Advice, Row, Run
from dicedocs.rules.registry import mechanic
from dicedocs.translation import game_words, language
from dicedocs_sphinx.blocks.advice import lay_out_advice

from ..pig import turn_of_pig
from .conftest import Book

PIG = f"""
```{{dice:mechanic}} pig/turn
{turn_of_pig(30)}```
"""
ADVICE = """
```{{dice:advice}} When to throw again
:name: when
:mechanic: pig/turn
{options}

A turn is worth {{dice:fact}}`mean(score)`.
```
"""


@cache
def worth(score: int) -> Fraction:
    """What a turn is worth, that is played for its mean and ends at 30."""
    return max(Fraction(score), thrown(score)) if score < 30 else Fraction(score)


def thrown(score: int) -> Fraction:
    return sum((worth(score + face) for face in range(2, 7)), Fraction(0)) / 6


@cache
def always(score: int) -> Fraction:
    """What a turn is worth in which the die is always thrown again, until it ends at 30."""
    return sum((always(score + face) for face in range(2, 7)), Fraction(0)) / 6 if score < 30 else Fraction(score)


def page(book: Book, options: str) -> None:
    book.page(PIG + ADVICE.format(options=options), "index.md")


def cells(html: str) -> list[str]:
    (table,) = re.findall(r"<table class=.dice-table.*?</table>", html, re.DOTALL)
    return [unescape(text) for text in re.findall(r"<t[hd](?: [^>]*)?>(.*?)</t[hd]>", table)]


def test_a_page_prints_when_it_is_best_to_go_on(book: Book) -> None:
    scores = range(2, 30)
    again = [score for score in scores if thrown(score) > score]
    (tied,) = (score for score in scores if thrown(score) == score)
    assert again == [*range(2, tied)]
    condition = f"no if score >= {tied + 1}, else yes"
    page(book, f":best: mean(score)\n:expect: yes if score < {tied}, else no")  # as good as the condition
    built = book.build("html")
    assert built.log == ""
    assert "Again: best play for mean(score)." in built.read("index.html")
    rows = [f"2 to {tied - 1}", "yes", f"{tied}", "yes or no", f"{tied + 1} to 29", "no"]
    assert cells(built.read("index.html")) == ["Score", "Again", *rows]
    assert "1 tests" in book.build("doctest").read("output.txt").replace("1 test\n", "1 tests\n")
    text = book.build("text").read("index.txt")
    assert re.search(rf"2 to {tied - 1} +yes\n +{tied} +yes or no\n +{tied + 1} to 29 +no", text)
    assert "yes or no" in book.build("latex").read("book.tex")
    page(book, ":best: mean(score)\n:expect: yes")
    [warning] = book.build("html").warnings
    worths = f"worth {float(always(0)):.2f}; best play is worth {float(worth(0)):.2f}"
    assert warning.text == f"when: expected yes, which is {worths}; write :expect: {condition}"


@pytest.mark.parametrize(
    ("options", "line", "message"),
    [
        ("", 17, "nothing is played for; write it like best: p(success), -mean(hurt)"),
        (":best: median(score)", 18, "best: best play is for p(...) or mean(...), not for median(score)"),
        (":best: mean(score)\n:choice: agan", 19, "choice: 'agan' is not chosen; name again"),
        (":best: mean(score)\n:by: scor", 19, "by: 'scor' is not seen each time that 'again' is chosen"),
    ],
)
def test_what_is_no_advice_is_refused_at_its_line(book: Book, options: str, line: int, message: str) -> None:
    page(book, options)
    [warning] = book.build("html").warnings
    assert warning.text.startswith(f"when: {message}")
    assert warning.line == line


def runs(*parts: tuple[int, int, str]) -> tuple[Run, ...]:
    return tuple(Run(low, high, tuple(ways.split("/")), ways.split("/")[0]) for low, high, ways in parts)


def test_two_names_make_a_matrix_and_one_makes_rows() -> None:
    fights = mechanic("dungeoneers/fights")(stat=3, difficulties=(8, 6))
    always = runs((0, 4, "no"))
    rows = (
        Row((0, True), runs((2, 6, "yes"), (7, 7, "no/yes"), (8, 12, "no"))),
        Row((0, False), always),
        Row((2, True), always),
    )
    matrix = lay_out_advice(fights, Advice("spend", ("spare", "won"), "throw", rows, ""), "p(all_won),\n -mean(spare)")
    assert matrix.note == "Spend: best play for p(all_won), -mean(spare), with Stat 3 and Difficulties 8 and 6."
    assert matrix.heads == ("Spare", "Fights won no", "Fights won yes")
    assert matrix.head_groups == (("Fights won", ("no", "yes")),)
    assert matrix.rows == (("0", "no", "Throw 2 to 6: yes; 7: no or yes; 8 to 12: no"), ("2", "", "no"))
    across = tuple(row._replace(where=row.where[::-1]) for row in (*rows, Row((3, True), always)))
    turned = lay_out_advice(fights, Advice("spend", ("won", "spare"), "throw", across, ""), "p(all_won)")
    assert (turned.heads, turned.rows) == (matrix.heads, (*matrix.rows, ("3", "", "no")))
    one = (
        Row((0,), runs((0, 4, "yes"), (5, 5, "no"))),
        *(Row((sixes,), runs((0, most, "no"))) for sixes, most in ((1, 0), (2, 3), (4, 1))),
        Row((5,), runs((0, 0, "no/yes"))),
    )
    with language("de"):
        rows_of = lay_out_advice(fights, Advice("spend", ("best_two",), "won", one, ""), "p(all_won)").rows
    assert rows_of == (
        ("0", "0 bis 4", "ja"),
        ("0", "5", "nein"),
        ("1 bis 2", "jede Zahl", "nein"),
        ("4", "jede Zahl", "nein"),
        ("5", "0", "nein oder ja"),
    )
    only = Advice("spend", (), "", (Row((), runs((1, 1, "fewest"))),), "")
    assert lay_out_advice(fights, only, "p(all_won)").rows == (("fewest",),)
    with language("de"), game_words(fights):
        assert lay_out_advice(fights, only, "p(all_won)").rows == (("die wenigsten",),)
