"""A book in another language: everything that a block displays is translated, and what is checked is not."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from ..pseudo_language import CODE, escaped_words, write_catalogues

BOOK = """
    .. dice:character:: Kira
       :name: kira
       :system: methuen
       :values: Might=4

    .. dice:example:: A blow of :dice:fact:`total`
       :name: blow
       :mechanic: methuen/expression
       :expression: (1d6 + [Might]) / 2 + 9d6
       :actor: kira
       :dice: 3 1 1 1 1 1 1 1 1 1
       :expect: total=12

       The dice: :dice:fact:`dice`.

    .. dice:example::
       :mechanic: mecha-vs-kaiju/action
       :pool: d20 d4 d10 staggered advantage
       :dice: 11 5 2 3
       :expect: total=14, success=none, can_stress=if it succeeds

       Stress: :dice:fact:`can_stress`, :dice:fact:`success`.

    .. dice:example::
       :mechanic: mage-in-the-metal/contest
       :contestants: Renna: skill 20, training 2, favor with; Rusk: skill 14, penalty 10
       :dice: 3 4 5 5 5
       :expect: winner=Renna

    .. dice:example::
       :mechanic: dungeoneers/group-roll
       :members: Renna: stat 3, die 5; Rusk: stat 4, die 1
       :difficulty: 10
       :expect: total=13

    .. dice:example:: False
       :mechanic: total-effect/roll
       :effect: high
       :dice: 5 2 6
       :expect: total=99

    .. dice:table:: Advantages
       :mechanic: total-effect/roll
       :fact: effect
       :effect: low
       :vary: advantage=0..1, disadvantage=1

    .. dice:table:: Events
       :mechanic: mage-in-the-metal/check
       :fact: total
       :skill: 10
       :rows: favor=with without
       :show: at least 12

    .. dice:table:: Averages
       :mechanic: total-effect/roll
       :fact: total
       :show: average

    .. dice:table:: Shares
       :mechanic: total-effect/roll
       :fact: total
       :show: at-most

    .. dice:odds:: Results
       :mechanic: mage-in-the-metal/check
       :fact: result
       :skill: 10

       Rather: :dice:fact:`p(success)`.

    .. dice:odds:: Many
       :mechanic: methuen/expression
       :expression: 20d6

       On average :dice:fact:`mean`.

    .. dice:odds::
       :mechanic: total-effect/roll
       :vary: advantage=0..1

    .. dice:claim:: Certain
       :mechanic: methuen/expression
       :expression: 3d6
       :claim: p(at least 13) = 25% ± 1%, mean = 10.5

       It is :dice:fact:`exact`.

    .. dice:claim:: Loose
       :mechanic: methuen/expression
       :expression: 3d6
       :claim: p(at least 13) = 30%
       :loose:

    .. dice:odds:: Unknown
       :mechanic: methuen/expression
       :expression: 3d6
       :fact: nothing

    A sentence: :dice:odds:`1d20 + 6 >= 13`, :dice:roll:`3d6 @ 58`, :dice:fact:`blow.dice`, :dice:ref:`blow`.
"""
CANONICAL = """
    import dicedocs as dd play roll expression actor seed dice mechanic pool members contestants favor effect Might
    d d6 expected got write expect total there no fact did you mean known raw low mid high triggered holds Page
    methuen methuen-expression true false Python
"""
"""Words of calls and messages, which are English."""


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    from .conftest import Book

    book = Book(tmp_path_factory.mktemp("book"))
    book.page(BOOK)
    write_catalogues(book.src / "locale")
    book.write("conf.py", f"language = '{CODE}'; locale_dirs = ['locale']; smartquotes = False")
    return book


class Displayed(HTMLParser):
    """The texts of a page that a reader sees or hears, without code and without the issues of blocks."""

    VOID = frozenset({"meta", "link", "br", "hr", "img", "input", "path", "rect", "circle", "col"})

    def __init__(self):
        super().__init__()
        self.texts, self.open, self.skipped = [], [], 0

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if "dice" in (given.get("class") or "") or tag in {"svg", "table"}:
            self.texts += filter(None, (given.get("aria-label"), given.get("title")))
        if tag == "a" and "headerlink" in (given.get("class") or "") and "dice" in (given.get("href") or ""):
            self.texts.append(given["title"])
        if tag not in self.VOID:
            skip = tag in {"pre", "code", "script", "style", "head"} or given.get("role") in {"navigation", "search"}
            skip = skip or (given.get("class") or "") in {"related", "sphinxsidebar", "footer", "headerlink"}
            self.open.append((tag, skip))
            self.skipped += skip

    def handle_endtag(self, tag):
        while self.open and tag not in self.VOID:
            name, skip = self.open.pop()
            self.skipped -= skip
            if name == tag:
                break

    def handle_data(self, data):
        if not self.skipped:
            self.texts.append(data)


def test_no_text_of_a_page_in_html_escapes(book):
    built = book.build("html", html_theme="basic")
    problems = sorted(warning.type for warning in built.warnings if warning.type.startswith("dicedocs"))
    assert problems == ["dicedocs.fact", "dicedocs.mismatch"]
    page = Displayed()
    page.feed('<div class="body"' + built.read("index.html").partition('<div class="body"')[2])
    text = "\n".join(page.texts)
    assert "⟦Dice⟧" in text
    assert "⟦Link to this example⟧" in text
    assert escaped_words(text, f"{BOOK} Page") == set()


def test_no_text_of_a_page_as_text_escapes(book):
    text = book.build("text").read("index.txt")
    assert "⟦Chance⟧" in text
    assert escaped_words(text, BOOK + CANONICAL) == set()


def test_no_text_of_a_page_in_latex_escapes(book):
    latex = next(Path(book.build("latex").out).glob("*.tex")).read_text("utf-8")
    body = latex.partition(r"\label{\detokenize{index::doc}}")[2].partition(r"\renewcommand{\indexname}")[0]
    # What a table says where it goes on on the next page is Sphinx's.
    body = re.sub(r"\\multicolumn\{\d\}\{\w\}\{|\\sphinxtablecontinued.*|\\LT(?:left|right).*", " ", body)
    body = re.sub(
        r"\\DUrole\{[^}]*\}|\\begin\{sphinxVerbatim\}.*?\\end\{sphinxVerbatim\}",
        " ",
        body,
        flags=re.DOTALL,
    )
    body = re.sub(r"\\(?:begin|end|label|detokenize|hyperref|ref|phantomsection)\b"
                  r"(?:\[[^\]]*\]|\{[^{}]*\})*[^;\n]*", " ", body)  # fmt: skip
    body = re.sub(r"\\[A-Za-z@]+\*?|\[[^\]\n]*\]", " ", body)
    assert "⟦Result⟧" in latex
    assert escaped_words(body, BOOK + CANONICAL + "pt em ex svg detokenize tabulary table l r p") == set()


def test_a_german_book(book, tmp_path):
    from .conftest import Book

    german = Book(tmp_path, "language = 'de'")
    german.page(BOOK)
    built = german.build("text")
    text = " ".join(built.read("index.txt").split())
    for part in (
        "Würfel W6: ",
        "Stress: falls es gelingt, keine.",
        "Erfolgsgrad 1 liegt zwischen 0 und 2: Erfolg",
        "A sentence: 70 %, ",
        "es sind **25,9 %**; ungenau ausgedrückt",
        "kritischer Erfolg 4,6 %",
        "mit und ohne 37,5 %",
        "Am wahrscheinlichsten ",
    ):
        assert part in text
    # What is compared, and what the author is told, is canonical.
    [mismatch] = [warning for warning in built.warnings if warning.type == "dicedocs.mismatch"]
    assert "expected total=99, got total=13; write :expect: total=13" in mismatch.text
    # All but the two that are wrong on purpose.
    assert "2 failures in tests" in german.build("doctest").read("output.txt")


def test_another_language_rebuilds_all_pages(tmp_path):
    from .conftest import Book

    book = Book(tmp_path, "language = 'de'")
    book.page(".. dice:example::\n   :mechanic: methuen/expression\n   :expression: 3d6\n   :dice: 4 2 5\n")
    assert "Würfel" in book.build("html").read("index.html")
    book.write("conf.py", "language = 'fr'")
    assert "Dés" in book.build("html").read("index.html")
    book.write("conf.py", "")
    assert "Dice" in book.build("html").read("index.html")


def test_a_change_of_the_books_own_catalogue_rebuilds_its_pages(tmp_path):
    from .conftest import Book

    book = Book(tmp_path, "language = 'de'; locale_dirs = ['locale']")
    book.page(".. dice:example::\n   :mechanic: methuen/expression\n   :expression: 3d6\n   :dice: 4 2 5\n")
    path = book.src / "locale/de/LC_MESSAGES/dicedocs.po"
    path.parent.mkdir(parents=True)
    head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\n'
    for translation in ("Klötze", "Knochen"):
        path.write_text(f'{head}msgid "Dice"\nmsgstr "{translation}"\n', "utf-8")
        page = book.build("text").read("index.txt")
        assert translation in page
        assert "Wurf" in page
