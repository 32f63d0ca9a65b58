"""Tables, charts and claims of odds: what they show in every form, and what is said of those that are wrong."""

import re
from html import unescape
from itertools import product
from xml.etree import ElementTree as ET

import pytest
import sphinx

from dicedocs import Distribution
from dicedocs.render.scale import Band
from dicedocs.render.table import RowGroup, Table
from dicedocs_sphinx.blocks.odds_figures import ChartedOdds, CheckedClaim
from dicedocs_sphinx.nodes import dice_mechanic

from .conftest import Book

TABLE = """
    .. dice:table:: Chance of a *total* of at least
       :name: totals
       :mechanic: total-effect/roll
       :fact: total
       :vary: disadvantage=1, advantage=0..1
       :show: at-least

       One lifts it from :dice:fact:`p(at least 13)` to :dice:fact:`p(at least 13 | advantage=1)`.
"""
CHART = """
    .. dice:odds:: The total of 3d6
       :name: bell
       :mechanic: total-effect/roll
       :expect: mean=10.5, p(at least 13)=25.9%

       It is :dice:fact:`mean` on the average, the second is :dice:fact:`exact.2`.
"""
CLAIM = """
    .. dice:claim:: About half
       :name: about-half
       :mechanic: total-effect/roll
       :claim: p(total at least 13 | advantage=1) = 50% ± 2%

       One instance takes it to about half, :dice:fact:`exact`.
"""
KIRA = """
    .. dice:character:: Kira
       :name: kira
       :values: Attack=4
"""
BY_KIRA = """
    .. dice:table::
       :name: by-kira
       :mechanic: methuen/check
       :check: 1d20 + [Attack] >= [Target Defense]
       :actor: kira
       :rows: target.Defense=5..10
       :show: true

    Against ten: :dice:fact:`by-kira.p(true | target.Defense=10)`.
"""


def table(html: str, name: str = "") -> list[list[str]]:
    """The cells of a table, row by row, groups of heads left out."""
    start = html.index(f'id="dice-{name}"') if name else 0
    found = re.search(r"<table class=\"dice-table\">.*?</table>", html[start:], re.DOTALL)[0]
    rows = ET.fromstring(found).iter("tr")  # noqa: S314
    return [["".join(cell.itertext()) for cell in row if cell.get("scope") != "colgroup"] for row in rows]


def text(html: str) -> str:
    """The words of a page, without what is folded."""
    html = re.sub(r'<a class="headerlink".*?</a>|<details.*?</details>', "", html, flags=re.DOTALL)
    html = re.sub(r"</?(?:a|code|em|span|strong)\b[^>]*>", "", html)
    return unescape(" ".join(re.sub(r"<[^>]+>", " ", html).split()))


def totals(advantage: int) -> list[int]:
    """Every total of three d6, the best or worst three of more."""
    thrown = product(range(1, 7), repeat=3 + abs(advantage))
    return [sum(sorted(faces)[-3:] if advantage >= 0 else sorted(faces)[:3]) for faces in thrown]


def percent(part: int, whole: int) -> str:
    """Half up, to one decimal; never 0% or 100% unless it is."""
    figure = (2000 * part + whole) // (2 * whole)
    if figure in {0, 1000} and part not in {0, whole}:
        return "<0.1%" if figure == 0 else ">99.9%"
    return f"{figure // 10}.{figure % 10}%" if 0 < figure < 1000 else f"{figure // 10}%"


def test_a_table_of_values_is_that_of_brute_force(book):
    book.page(TABLE)
    built = book.build("html", html_theme="basic")
    assert built.log == ""
    html = built.read("index.html")
    heads, below, *rows = table(html)
    assert (heads, below) == (["Total at least"], ["1", "0", "1"])
    assert re.findall(r'<th scope="colgroup" colspan="(\d)">([^<]*)', html) == [
        ("1", "Disadvantage"),
        ("2", "Advantage"),
    ]
    expected = []
    for total in range(3, 19):
        row = [totals(each) for each in (-1, 0, 1)]
        expected.append([str(total), *(percent(sum(one >= total for one in all), len(all)) for all in row)])
    assert rows == expected
    assert "One lifts it from 25.9% to 48.8%." in text(html)


SHOWN = [
    # Exactly is the default, and the first fact.
    (
        ":mechanic: ember/blaze\n:trait: 1\n:cap: 0",
        [["Hits", "Chance"], ["0", "70%"], ["1", "30%"]],
    ),
    (
        ":mechanic: ember/blaze\n:trait: 2\n:cap: 0\n:show: at most",
        [["Hits at most", "Chance"], ["0", "49%"], ["1", "91%"], ["2", "100%"]],
    ),
    (
        ":mechanic: ember/blaze\n:cap: 0\n:fact: hits, blaze\n:show: average\n:vary: trait=1 3",
        [["Fact"], ["1", "3"], ["Hits", "0.3", "0.9"], ["Blaze", "0.0", "0.0"]],
    ),
    (
        ":mechanic: ember/blaze\n:trait: 2\n:cap: 0\n:show: average\n:decimals: 0",
        [["Fact", "Average"], ["Hits", "1"]],
    ),
    (
        ":mechanic: ember/blaze\n:cap: 0\n:rows: trait=1..2\n:show: between 1 and 2\n:mark: between 2 and 3",
        [["Trait", "Hits between 1 and 2"], ["1", "30%"], ["2", "51%"]],
    ),
    (
        ":mechanic: ember/blaze\n:cap: 0\n:rows: trait=0..2\n:show: at least 1",
        [["Trait", "Hits at least 1"], ["0", "0%"], ["1", "30%"], ["2", "51%"]],
    ),
    (
        ":mechanic: ember/blaze\n:cap: 0\n:rows: trait=1..2\n:show: 0 or 2\n:mark: not 1",
        [["Trait", "Hits 0 or 2"], ["1", "70%"], ["2", "58%"]],
    ),
    (
        ":mechanic: ember/blaze\n:rows: trait=1, cap=1\n:trait: 2\n:show: average\n:vary: cap=0",
        [["Setting"], ["0"], ["Trait 1", "0.30"], ["Cap 1", "0.66"]],
    ),
    (
        (
            ":mechanic: methuen/check\n:check: 1d4 + [A] >= [Target B]\n:actor: A=1\n:rows: target.B=3..6\n"
            ":show: true\n:vary: actor.A=0 2, target.C=1"
        ),
        [
            ["Target B"],
            ["0", "2", "1"],
            ["3", "50%", "100%", "75%"],
            ["4", "25%", "75%", "50%"],
            ["5", "0%", "50%", "25%"],
            ["6", "0%", "25%", "0%"],
        ],
    ),
    (
        ":mechanic: ember/haul\n:crew: Ash: skill 2\n:fact: degree\n:weight: 4",
        [["Degree", "Chance"], ["dropped it", "16.7%"], ["held", "83.3%"]],
    ),
    (
        ":mechanic: ember/haul\n:crew: Ash: skill 2\n:weight: 4\n:fact: success\n:decimals: 2\n:show: = true",
        [["Fact", "Yes"], ["Success", "83.33%"]],
    ),
]


def test_what_a_table_can_show(book):
    names = book.cases(".. dice:table::\n   " + options.replace("\n", "\n   ") for options, _ in SHOWN)
    pages = {options: name for name, (options, _) in zip(names, SHOWN, strict=True)}
    for options, name in pages.items():
        book.page(f"```{{dice:table}}\n{options}\n```\n", f"{name}-md.md")
    built = book.build("html", html_theme="basic", suppress_warnings=["toc.not_included"])
    assert built.log == ""
    for suffix in ("", "-md"):
        assert {options: table(built.read(f"{name}{suffix}.html")) for options, name in pages.items()} == dict(SHOWN)


def test_a_chart_has_its_numbers_as_a_table_a_name_and_a_description(book):
    book.page(CHART)
    built = book.build("html", html_theme="basic")
    assert built.log == ""
    html = built.read("index.html")
    drawing = ET.fromstring(re.search(r"<svg.*?</svg>", html, re.DOTALL)[0])  # noqa: S314
    names = {element.tag.rpartition("}")[2]: element.text for element in drawing}
    assert (names["title"], names["desc"][:10]) == ("The total of 3d6", "Mean 10.5,")
    rows = {row[0]: row[1] for row in table(html)}
    assert rows["18"] == percent(1, 216)
    assert "It is 10.5 on the average, the second is 25.9%." in text(html)


def test_charts_side_by_side(book):
    book.page(".. dice:odds::\n   :mechanic: ember/blaze\n   :cap: 0\n   :vary: trait=1..2\n")
    assert table(book.build("html", html_theme="basic").read("index.html")) == [
        ["Hits", "Trait 1", "Trait 2"],
        ["0", "70%", "49%"],
        ["1", "30%", "42%"],
        ["2", "0%", "9%"],
    ]
    book.page(".. dice:odds::\n   :mechanic: ember/blaze\n   :vary: trait=1..5\n")
    [warning] = book.build("html", html_theme="basic").warnings
    assert (warning.line, warning.type) == (7, "dicedocs.option")
    assert "up to 4 distributions, and these are 5; vary less, or make a dice:table" in warning.text


def test_a_claim_shows_its_exact_figure(book):
    book.page(
        CLAIM
        + """
    .. dice:claim::
       :mechanic: total-effect/roll
       :claim: mean(high | advantage=1) - mean(high) > mean(low | advantage=1) - mean(low)
       :loose:

       So they say: :dice:fact:`exact`.

    .. dice:claim::
       :mechanic: total-effect/roll
       :claim: p(at least 13) = 7 / 27, p(18) = 1 in 216, p(between 9 and 12) = 48% rounded down

       Or :dice:fact:`exact`, :dice:fact:`exact.2` and :dice:fact:`exact.3`.
    """
        + f"""
    .. dice:claim::
       :mechanic: total-effect/roll
       :claim: {", ".join(["p(total at least 13 | advantage=1) = 48.8%"] * 30)}

       The last of many is :dice:fact:`exact.30`.
    """
    )
    page = book.build("html", html_theme="basic").read("index.html")
    shown = text(page)
    formula = "p(total at least 13 | advantage=1) = 50% ± 2% it is 48.8%"
    assert "Or 25.9%, 0.5% and 48.1%." in shown
    assert "The last of many is 48.8%." in shown
    assert "One instance takes it to about half, 48.8%. So they say: 0.29 < 0.86." in shown
    true, loose, *_ = (text(each) for each in re.findall(r"<details>(.*?)</details>", page, re.DOTALL))
    assert true == f"The exact figures {formula}"
    assert loose.startswith("Loosely put: the exact figures mean(high | advantage=1)")
    assert loose.endswith("it is 0.29 < 0.86; loosely put")
    assert formula in text(book.build("epub", suppress_warnings=["epub"]).read("index.xhtml")).replace("\xa0", " ")
    assert "So they say: 0.29 < 0.86." in shown


def test_a_claim_about_a_fact_that_may_be_none_says_that_it_leaves_none_out(book):
    # Two of three dice reach 12 in 16 of 216 ways, all three in 65: 2.80 dice on average, and in 135 ways none do.
    book.page(
        """
    .. dice:claim::
       :mechanic: dungeoneers/fresh-pool
       :size: 3
       :stat: 4
       :difficulty: 16
       :claim: mean(fewest) = 2.80

       The mean is :dice:fact:`exact`, and :dice:fact:`p(fewest = none or fewest = 3)` take all three or fail.

    .. dice:claim::
       :mechanic: dungeoneers/fresh-pool
       :size: 3
       :stat: 4
       :difficulty: 16
       :claim: mean(fewest) = 2
       :loose:

       Two.

    .. dice:odds::
       :mechanic: dungeoneers/fresh-pool
       :size: 3
       :stat: 4
       :difficulty: 16
       :expect: mean(fewest) = 2
    """
    )
    built = book.build("html", html_theme="basic")
    [warning] = built.warnings
    assert warning.text == (
        "odds-1: expected mean(fewest) = 2, got 2.80 (not counting 'none'); write :expect: mean(fewest) = 2.80"
    )
    page = built.read("index.html")
    shown = text(page)
    assert "The mean is 2.80, and 92.6% take" in shown  # 200 of 216
    true, loose, *_ = (text(each) for each in re.findall(r"<details>(.*?)</details>", page, re.DOTALL))
    assert true.endswith("mean(fewest) = 2.80 it is 2.80 (not counting 'none')")
    assert loose.endswith("it is 2.80 (not counting 'none'); loosely put")
    assert "Mean 2.80 (not counting 'none'), most likely" in shown
    german = book.build("html", html_theme="basic", language="de", fresh=True).read("index.html")
    assert text(german).count("2,80 (ohne „keine“)") == 2


def test_text_has_bars_and_tables_that_fit(book):
    book.page(TABLE.replace("disadvantage=1", "disadvantage=3..1") + CHART + CLAIM)
    built = book.build("text")
    assert built.log == ""
    shown = built.read("index.txt")
    assert max(map(len, shown.splitlines())) <= 76
    assert re.search(r"^ +18 +0\.5%  ██", shown, re.MULTILINE)
    assert re.search(r"^ +13 +1\.6% +4\.1% +10\.5%$", shown, re.MULTILINE)
    assert re.search(r"^ +Total at least +Advantage 0 +Advantage 1$", shown, re.MULTILINE)
    assert "it is **48.8%**" in shown


@pytest.mark.skipif(sphinx.version_info < (9,), reason="Sphinx 8 lays out tables in another way")
def test_latex_and_texinfo_have_tables_with_captions(book):
    book.page(TABLE + CHART)
    latex = book.build("latex", latex_documents=[("index", "book.tex", "Book", "N", "manual")]).read("book.tex")
    assert "\\sphinxcaption{The total of 3d6}\\label{\\detokenize{index:dice-bell}}" in latex
    assert "{lrrr}" in latex
    assert "48.8\\%" in latex
    info = next(book.build("texinfo").out.glob("*.texi")).read_text()
    assert "@multitable" in info
    assert "Disadvantage 1" in info


@pytest.mark.parametrize("builder", ["html", "latex", "text", "man", "texinfo", "epub", "xml"])
def test_a_table_can_be_referred_to(book, builder):
    book.page(
        TABLE
        + CHART
        + CLAIM
        + "\n    :ref:`totals`, :numref:`bell`, :dice:ref:`totals`, :dice:ref:`bell`, :any:`about-half`."
    )
    built = book.build(builder, numfig=True, **({"html_theme": "basic"} if builder == "html" else {}))
    assert built.log == ""
    if builder == "html":
        html = built.read("index.html")
        assert (
            "Chance of a total of at least, Table 2, Chance of a total of at least, The total of 3d6, About half."
            in (text(html).replace(" ,", ",").replace(" .", "."))
        )
        assert html.count('href="#dice-totals"') >= 2
        assert '<span class="caption-number">Table 2 </span>' in html
        objects = {name: kind for name, _, kind, *_ in built.app.env.domains["dice"].get_objects()}
        assert objects == {"about-half": "claim", "bell": "odds", "totals": "table"}


@pytest.mark.parametrize("place", ["before", "after"])
def test_odds_use_values_of_characters(book, place):
    first, last = (KIRA, BY_KIRA) if place == "before" else (BY_KIRA, KIRA)
    book.page("Seen from here: :dice:fact:`by-kira.p(true | target.Defense=9)`.\n\n.. toctree::\n\n   a\n   b\n")
    book.page(first, "a.rst")
    book.page(last, "b.rst")
    page = "b" if place == "before" else "a"
    built = book.build("html", html_theme="basic")
    assert built.log == ""
    shown = built.read(f"{page}.html")
    # Five and more of a d20 with 4: all faces; ten wants a six.
    assert table(shown)[1:] == [[str(number), f"{5 * (25 - number)}%"] for number in range(5, 11)]
    assert "Against ten: 75%." in text(shown)
    assert "Seen from here: 80%." in text(built.read("index.html"))
    book.page(KIRA.replace("Attack=4", "Attack=3"), "a.rst" if place == "before" else "b.rst")
    built = book.build("html", html_theme="basic")
    assert built.log == ""
    assert table(built.read(f"{page}.html"))[-1] == ["10", "70%"]
    assert "Against ten: 70%." in text(built.read(f"{page}.html"))
    assert "Seen from here: 75%." in text(built.read("index.html"))


WRONG = [
    ("table\n:mechanic: total-effect/rol", 6, "mechanic", "did you mean 'total-effect/roll'?"),
    ("table\n:fact: total", 5, "mechanic", "no mechanic is named"),
    (
        "table\n:roll\n:advantag: 1",
        7,
        "option",
        "there is no parameter 'advantag' of total-effect/roll; did you mean 'advantage' or 'disadvantage'?",
    ),
    ("table\n:roll\n:advantage: x", 7, "value", "advantage: 'x' is not a whole number"),
    ("table\n:roll\n:loose: yes", 7, "option", "there is no parameter 'loose' of total-effect/roll"),
    ("table\n:roll\n:fact: dice", 7, "fact", "there is no fact 'dice'"),
    ("table\n:roll\n:vary: effect=hi", 7, "value", "did you mean 'high'?"),
    ("table\n:roll\n:vary: advantage=0..99999", 7, "value", "the limit ITEMS is 1000"),
    (
        "table\n:roll\n:rows: advantage=0..1",
        7,
        "option",
        "rows needs the chance of one event",
    ),
    ("table\n:roll\n:show: at least x", 7, "value", "show: nothing is called 'x'"),
    ("table\n:roll\n:fact: holds\n:show: yess", 8, "value", "show: 'holds' is never 'yess'; did you mean 'yes'?"),
    ("table\n:roll\n:show: between 8 and 6", 7, "value", "show: 8-6 runs backwards; write 6-8"),
    (
        "table\n:mechanic: mage-in-the-metal/contest\n:contestants: Ash: skill 9; Bo: skill 7\n:show: Ahs",
        8,
        "value",
        "show: 'Ahs' is not a value of winner; did you mean 'Ash'?",
    ),
    ("table\n:roll\n:fact: holds\n:show: at-most", 8, "option", "are numbers"),
    ("table\n:roll\n:fact: holds\n:show: average", 8, "value", "cannot be averaged"),
    (
        "table\n:roll\n:fact: total low",
        7,
        "option",
        "odds are shown for one fact at a time",
    ),
    ("odds\n:roll\n:expect: mean = 11", 7, "mismatch", "expected mean = 11, got 10.5; write :expect: mean = 10.5"),
    ("odds\n:roll\n:expect: mean", 7, "value", "expected a comparison"),
    ("odds\n:mechanic: methuen/expression\n:expression: 999d999*999d999", 6, "value", "the limit"),
    ("odds\n:mechanic: methuen/expression\n:expression: 3d6 + [A]", 7, "value", "A"),
    ("odds\n:mechanic: methuen/expression\n:expression: 3d", 7, "value", "(line 1, column 3)"),
    ("claim\n:roll", 5, "option", "nothing is claimed"),
    (
        "claim\n:roll\n:claim: mean(total) = 12, p(18)=0.4%",
        7,
        "mismatch",
        "claim-1: expected mean(total) = 12, p(18)=0.4%, got 10.5, 0.5%",
    ),
    (
        "claim\n:roll\n:claim: mean(total)=10.5\n:loose:",
        7,
        "mismatch",
        "claim-1: mean(total)=10.5 is marked as loose, but it holds: it is 10.5; take :loose: away",
    ),
    ("claim\n:roll\n:claim: mean=1, mean=2\n:loose:", 8, "option", "must be the only one"),
    (
        "claim\n:roll\n:claim: mean=1\n:loose: maybe",
        8,
        "option",
        "'maybe' is not true or false",
    ),
    ("claim\n:roll\n:claim: mean(totl)=1", 7, "value", "there is no fact 'totl'"),
    (
        "claim\n:roll\n:claim: p(18 | advantage=x)=1%",
        7,
        "value",
        "'x' is not a whole number",
    ),
]


@pytest.fixture(scope="module", params=["rst", "md"])
def faulty(request, tmp_path_factory):
    """A book with each of them on a page of its own: its language, and what two builders made of it."""
    book = Book(
        tmp_path_factory.mktemp(request.param), "suppress_warnings = ['toc.not_included']\nhtml_theme = 'basic'\n"
    )
    book.page("Nothing.")
    for number, (option, *_) in enumerate(WRONG):
        sort, *options = option.replace(":roll", ":mechanic: total-effect/roll").split("\n")
        if request.param == "rst":
            block = "\n".join([f".. dice:{sort}::", *(f"   {each}" for each in options)])
        else:
            block = "\n".join([f"```{{dice:{sort}}}", *options, "```"])
        book.page(f"{block}\n\nRead on.\n", f"page{number}.{request.param}")
    html = book.build("html")
    again = book.build("html")
    return request.param, html, again, book.build("text")


@pytest.mark.parametrize("number", range(len(WRONG)), ids=[" ".join(case[0].split("\n")[1:]) for case in WRONG])
def test_issues_have_their_source_location_and_are_shown(faulty, number):
    language, html, again, letters = faulty
    _, line, kind, message = WRONG[number]
    [warning] = [each for each in html.warnings if each.file == f"page{number}.{language}"]
    assert (warning.line, warning.type) == (line, f"dicedocs.{kind}")
    assert message in warning.text
    assert warning in again.warnings
    shown = html.read(f"page{number}.html")
    assert 'class="dice-error"' in shown
    assert "Read on." in shown
    shown = letters.read(f"page{number}.txt")
    assert "Read on." in shown
    assert ("This does not hold" if kind == "mismatch" else "This cannot be counted") in shown


def test_a_rule_that_fails_is_reported_and_the_build_goes_on(book):
    book.write(
        "lantern.py",
        """
        import random
        from dicedocs import Dice, Mechanic, Outcome, Say, param

        class Light(Mechanic, id="lantern/light"):
            "Roll a d6."
            oil: int = param(default=1)
            class Result(Outcome):
                lit: int
            def resolve(self, dice: Dice, say: Say) -> Result:
                return self.Result(dice.roll(6) // self.oil)
        """,
    )
    book.write("conf.py", "import sys; sys.modules.pop('lantern', None); import lantern")
    book.page(".. dice:table::\n   :mechanic: lantern/light\n   :vary: oil=1 0\n")
    [warning] = book.build("html").warnings
    assert (warning.line, warning.type) == (6, "dicedocs.engine")
    assert "ZeroDivisionError" in warning.text


def test_figures_of_odds_in_prose(book):
    book.page(
        TABLE
        + """
    .. dice:example:: Around
       :mechanic: methuen/expression
       :expression: 2 + 3
       :expect: total=5

       :dice:fact:`total`

       .. dice:claim::
          :name: inner
          :mechanic: ember/blaze
          :cap: 0
          :claim: p(hits at least 1)=83.2%, mean(hits | trait=2) = 0.6

          :dice:fact:`exact` :dice:fact:`exact.2` :dice:fact:`median(hits)` :dice:fact:`totals.mean`

    Out: :dice:fact:`inner.exact`, :dice:fact:`inner.mean - 1`, :dice:fact:`totals.p(total at least 13)`.

    .. toctree::

       far
    """
    )
    book.page("Far: {dice:fact}`inner.exact.2`, {dice:fact}`totals.p(18 | advantage=1)`.\n", "far.md")
    built = book.build("html", html_theme="basic")
    assert built.log == ""
    shown = text(built.read("index.html"))
    assert "83.2% 0.6 1 10.5" in shown
    assert "Out: 83.2%, 0.5, 25.9%." in shown
    assert "Far: 0.6, 1.6%." in text(built.read("far.html"))


UNKNOWN = [
    (":dice:fact:`totals.total`", "fact", "there is no figure 'total'"),
    (":dice:fact:`totals.exact`", "fact", "there is no 'exact': 0 claims are made here"),
    (":dice:fact:`totals.p(at least x)`", "fact", "nothing is called 'x'; the facts are "),
    (":dice:fact:`totals.mean(`", "fact", "this parenthesis is not closed"),
    (":dice:fact:`mean`", "fact", "the fact 'mean' is outside an example"),
    (":dice:fact:`total.mean`", "reference", "nothing is named 'total'; did you mean 'totals'?"),
    (":dice:odds:`1d20 + 6`", "value", "1d20 + 6: "),
    (":dice:odds:`1d20 + [A] >= 3`", "value", "A"),
    (":dice:odds:`999d999*999d999 > 3`", "value", "the limit"),
]


def test_unknown_figures_are_warnings(book):
    path = book.page(TABLE + "".join(f"\n    Here\n    {role}.\n" for role, _, _ in UNKNOWN))
    built = book.build("text")
    lines = path.read_text("utf-8").splitlines()
    messages = {role: message for role, _, message in UNKNOWN}
    found = []
    for each in built.warnings:
        role = lines[each.line - 1].removesuffix(".")
        found.append((role, each.type, messages.get(role, "") in each.text or each.text))
    assert sorted(found) == sorted((role, f"dicedocs.{kind}", True) for role, kind, _ in UNKNOWN)
    shown = [text for text in built.read("index.txt").split("\n\n") if text.startswith("Here")]
    assert ["?" in text for text in shown] == [True] * len(UNKNOWN)
    assert book.build("text").warnings == built.warnings


def test_the_role_gives_the_chance_of_a_check(book):
    book.page("It is :dice:odds:`1d20 + 6 >= 12` and :dice:odds:`3d6 >= 13`, :dice:odds:`2 > 3`.\n")
    built = book.build("text")
    assert (built.log, built.read("index.txt").splitlines()[-1]) == ("", "It is 75% and 25.9%, 0%.")


def test_nothing_of_a_game_is_stored(book):
    """A doctree holds plain data, and tables and distributions of it, which can be read whatever became of a game."""
    book.write(
        "lantern.py",
        """
        from enum import IntEnum
        from dicedocs import Dice, Mechanic, Outcome, Say

        class Size(IntEnum):
            SMALL = 1
            LARGE = 2

        class Light(Mechanic, id="beacon/size"):
            "Roll a d2."
            class Result(Outcome):
                size: int
            def resolve(self, dice: Dice, say: Say) -> Result:
                return self.Result(Size(dice.roll(2)))
        """,
    )
    book.write("conf.py", "import sys; sys.modules.pop('lantern', None); import lantern")
    of_size = "\n    .. dice:odds::\n       :mechanic: beacon/size\n       :mark: at least 2\n"
    book.page(TABLE + CHART + CLAIM + of_size)
    built = book.build()
    assert built.log == ""

    def plain(value) -> bool:
        match value:
            case dict():
                return all(type(key) is str and plain(held) for key, held in value.items())
            case Distribution():
                return plain(value.values) and plain(value.names)
            case list() | tuple() | frozenset():
                ours = {Band, ChartedOdds, CheckedClaim, RowGroup, Table}
                return type(value) in {list, tuple, frozenset, *ours} and all(map(plain, value))
        return value is None or type(value) in {str, int, float, bool}

    nodes = list(built.doctree().findall(dice_mechanic))
    assert [type(node["computed"]) for node in nodes] == [Table, ChartedOdds, list, ChartedOdds]
    for node in nodes:
        assert plain(node["block"])
        assert plain(node["computed"])
    assert plain(built.app.env.domains["dice"].data["blocks"])
