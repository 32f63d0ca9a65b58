"""A book on paper: what stands in the PDF, in which order it is read aloud, and what is warned of."""

import base64
import re
import shutil
import sys
import textwrap
from pathlib import Path

import pikepdf
import pytest
from pdfua import Severity, validate
from sphinx.errors import SphinxError

from ..pango import has_pango
from .conftest import Book

if not has_pango():
    pytest.skip("there is no Pango", allow_module_level=True)

from weasyprint import HTML

from dicedocs_sphinx.paper.assembly import assemble
from dicedocs_sphinx.paper.printing import faults

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
)
COVER = {"picture": "art/my cover.png", "subtitle": "50% <embers>", "publisher": "Ash_House", "legal": "CC BY\n#1"}
ONE = r"""
    .. index:: shot

    A :math:`\frac{a}{b}`, and a word [#note]_ with a note. See :dice:ref:`table` and :doc:`appendix`.

    .. [#note] The words *below*.

    .. math::
       :label: sum

       \sum_{i=1}^n i

    See :eq:`sum`.

    Checks
    ------

    .. dice:example:: Renna's *shot*
       :mechanic: total-effect/roll
       :dice: 4 2 5
       :expect: total=11, low=2
       :name: shot

       She shoots.

    .. dice:odds:: Two dice
       :mechanic: dice/roll
       :notation: 2d6

    .. dice:table:: Small dice
       :mechanic: dice/roll
       :vary: notation=1d4, notation=1d6
"""
TWO = """
    .. index:: Shot

    .. dice:example:: On the table
       :mechanic: dungeoneers/action-roll
       :pool: 5 2 -
       :exhausted: 3
       :spend: 1
       :stat: 4
       :difficulty: 10
       :name: table
       :expect: total=9, spent=1

    Checks
    ------

    See :dice:ref:`shot`, and :doc:`elsewhere`.

    .. toctree::

       appendix
"""
FOLDED = ".. raw:: html\n\n   <details open><summary>Secrets</summary><p>It is hollow.</p></details>\n"

INLINE = ("/Span", "/Link", "/NonStruct")


class Pdf:
    """What a PDF has for those who do not see it: its structure, in order."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.file = pikepdf.open(path)
        self._texts = {page.objgen: _marked_texts(page) for page in self.file.pages}
        self.text = self.said(self.file.Root.StructTreeRoot)

    def said(self, element: pikepdf.Object) -> str:
        """Return what is read aloud of an element: its text, or the words that stand for a picture."""
        if "/Alt" in element:
            return f" {element.Alt} "
        parts = []
        for child in _children(element):
            if isinstance(child, int):
                parts.append(self._texts[element.Pg.objgen].get(child, ""))
            elif "/MCID" in child:
                parts.append(self._texts[(child.get("/Pg") or element.Pg).objgen].get(int(child.MCID), ""))
            elif child.get("/Type") != "/OBJR":
                inner = self.said(child)
                parts.append(inner if child.S in INLINE else f" {inner} ")
        return "".join(parts) if element.get("/S") in INLINE else " ".join("".join(parts).split())

    def of(self, kind: str) -> list[str]:
        """Return what is read aloud of each element of a kind."""
        return [self.said(element).strip() for element in self.walk() if f"/{kind}" == element.S]

    def walk(self, element: pikepdf.Object | None = None):
        """Yield all elements in order."""
        for child in _children(self.file.Root.StructTreeRoot if element is None else element):
            if not isinstance(child, int) and "/S" in child:
                yield child
                yield from self.walk(child)


def _children(element):
    kids = element.get("/K", [])
    return list(kids) if isinstance(kids, pikepdf.Array) else [kids]


def _marked_texts(page: pikepdf.Page) -> dict[int, str]:
    """Return the texts of a page by the numbers by which the structure names them."""
    fonts: dict[str, dict[str, str]] = {}
    for name, font in page.Resources.get("/Font", {}).items():
        pairs = re.findall(rb"<(\w{4})> <(\w+)>", font.ToUnicode.read_bytes())
        fonts[name] = {code.decode(): bytes.fromhex(text.decode()).decode("utf-16-be") for code, text in pairs}
    texts: dict[int, str] = {}
    stack, font = [-1], ""
    for operands, operator in pikepdf.parse_content_stream(page):
        match str(operator):
            case "BDC":
                stack.append(int(operands[1].get("/MCID", -1)))
            case "BMC":
                stack.append(-1)
            case "EMC":
                stack.pop()
            case "Tf":
                font = str(operands[0])
            case "TJ" | "Tj":
                parts = operands[0] if isinstance(operands[0], pikepdf.Array) else operands
                codes = [bytes(part).hex() for part in parts if isinstance(part, pikepdf.String)]
                said = "".join(
                    fonts[font].get(code[at : at + 4], "") for code in codes for at in range(0, len(code), 4)
                )
                texts[stack[-1]] = texts.get(stack[-1], "") + said
    return texts


@pytest.fixture(scope="module")
def pdf(tmp_path_factory: pytest.TempPathFactory) -> Pdf:
    book = Book(tmp_path_factory.mktemp("paper"))
    (book.src / "art").mkdir()
    (book.src / "art" / "my cover.png").write_bytes(PIXEL)
    book.page(".. toctree::\n\n   one\n   two\n")
    book.page(ONE, "one.rst", "One: a start")
    book.page(TWO, "two.rst", "Two")
    book.page(f"It ends.\n\nLast\n----\n\nHere.\n\n{FOLDED}", "appendix.rst", "Appendix")
    book.page("Not in the book.", "elsewhere.rst", "Elsewhere")
    settings = {"dicedocs_cover": COVER, "dicedocs_books": [("index", "ash", "Ash & co", "Renna")]}
    # Both want to write into the folder of a site when it is built.
    settings |= {"extensions": ["dicedocs_sphinx", "myst_nb"], "html_theme": "furo"}
    built = book.build("dicebook", suppress_warnings=["toc.not_included"], **settings)
    assert built.warnings == []
    assert [path.name for path in built.out.iterdir() if path.is_file()] == ["ash.pdf"]
    return Pdf(built.out / "ash.pdf")


def test_it_can_be_read_aloud(pdf):
    found = validate(str(pdf.path)).findings
    assert [each.message for each in found if each.severity == Severity.ERROR] == []
    assert str(pdf.file.Root.Lang) == "en"
    assert str(pdf.file.docinfo.Title) == "Ash & co"
    assert str(pdf.file.docinfo.Author) == "Renna"


def test_an_example_is_read_in_the_order_in_which_it_is_told(pdf):
    told = pdf.text.partition("Renna’s shot She")[2].partition("Two dice")[0]
    dice = "d6 showing 4 d6 showing 2 d6 showing 5"
    assert told == f" shoots. {dice} Total 11 Low 2 Dice: 3d6: 4 2 5 Total: 2 + 4 + 5 = 11 "


def test_what_is_drawn_has_words_and_what_is_headed_is_tagged(pdf):
    figures = pdf.of("Figure")
    assert "" not in figures
    assert {r"\frac{a}{b}", r"\sum_{i=1}^n i", "d6 showing 5, spent"} <= set(figures)
    assert "Against the difficulty −1, in partial success (−3 to −1)" in figures
    headings = pdf.of("H1")
    assert headings == ["Ash & co", "Table of Contents", "One: a start", "Two", "Tables and charts", "Index"]
    # The page below the second chapter is a section of it.
    assert pdf.of("H2")[:3] == ["Checks", "Checks", "Appendix"]
    assert pdf.of("H3")[:1] == ["Last"]


def test_it_has_the_pages_of_all_that_is_referred_to(pdf):
    pages = [" ".join("".join(texts.values()).split()) for texts in pdf._texts.values()]
    number = {name: 1 + next(i for i, page in enumerate(pages) if name in page) for name in ("She shoots", "It ends")}
    one = pdf.text.partition("A \\frac{a}{b} , and a word")[2]
    assert "See On the table (p. " in one
    assert f"and Appendix (p. {number['It ends']})." in one
    assert f"See Renna's shot (p. {number['She shoots']}), and Elsewhere." in pdf.text
    assert pdf.text.endswith("Index S Shot One 5 Two 7")
    # No letter stands above the page.
    assert pages[-1] == "IndexSShotOne 5Two 79"


def test_a_figure_of_a_table_names_the_heads_of_its_row_and_its_column(pdf):
    heads = {str(each.ID): pdf.said(each).strip() for each in pdf.walk() if each.S == "/TH"}
    cells = [each for each in pdf.walk() if each.S == "/TD" and pdf.said(each)]
    # Between them is what heads both columns, but not in the second: WeasyPrint names it in the first alone.
    named = [[heads[str(id)] for id in (each.A.Headers[0], each.A.Headers[-1])] + [pdf.said(each)] for each in cells]
    assert named[::2] == [[str(face), "1d4", "25.0%" if face <= 4 else "0%"] for face in range(1, 7)]
    assert named[1::2] == [[str(face), "1d6", "16.7%"] for face in range(1, 7)]


def test_what_a_page_folds_up_is_printed_below_its_name(pdf):
    assert "Secrets It is hollow." in pdf.text


def test_what_a_page_has_at_its_foot_is_at_the_foot_of_its_page(pdf):
    assert pdf.text.count("The words below.") == 1


def test_a_cover_has_a_picture_and_the_next_page_on_the_right_the_texts(pdf):
    cover, inside, title = list(pdf._texts.values())[:3]
    assert "".join(cover.values()) == "".join(inside.values()) == ""
    assert " ".join(title.values()) == "Ash & co 50% <embers> Renna Ash_House CC BY #1"


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        (
            {"dicedocs_cover": {"picture": "none.png"}},
            "'none.png' is not there; write its path from the folder of conf",
        ),
        ({"dicedocs_cover": {"picture": "conf.py"}}, "has a format that cannot be set; write the name of a file that"),
        ({"dicedocs_cover": {"pictur": "a.png"}}, "there is no 'pictur'; did you mean 'picture'?"),
        ({"dicedocs_cover": {"legal": 2026}}, "dicedocs_cover: 'legal' is no text"),
        ({"dicedocs_books": [("none", "a", "b", "c")]}, "dicedocs_books: there is no page 'none'"),
        ({"dicedocs_books": ["index"]}, "dicedocs_books: 'index' is no book; write ('index', 'rulebook', "),
        (
            {"dicedocs_book_paper": "a9"},
            "dicedocs_book_paper: 'a9' is no paper; write a5, a4, letter, or a width and a",
        ),
        ({"dicedocs_book_bleed": "3"}, "dicedocs_book_bleed: '3' is no length; write '3mm'"),
    ],
)
def test_what_is_wrong_with_a_setting_is_a_warning(
    book: Book, monkeypatch: pytest.MonkeyPatch, setting: dict[str, object], message: str
) -> None:
    monkeypatch.setattr("dicedocs_sphinx.paper.printing.print_book", lambda *_: None)
    book.page("Words.")
    [warning] = book.build("dicebook", **setting).warnings
    assert message in warning.text
    assert warning.type == "dicedocs.option"


def test_a_style_that_is_not_there_is_a_warning(book: Book) -> None:
    book.page("Words.")
    [warning] = book.build("dicebook", dicedocs_book_css=["none.css"]).warnings
    assert "none.css" in warning.text
    assert warning.type == "dicedocs.paper"


def test_a_formula_that_cannot_be_read_is_printed_as_it_is_and_two_builds_are_equal(book: Book) -> None:
    book.page("One :math:`x^` more.")
    built = book.build("dicebook")
    again = book.build("dicebook", out="again")
    assert (built.out / "book.pdf").read_bytes() == (again.out / "book.pdf").read_bytes()
    assert "One x^ more." in Pdf(built.out / "book.pdf").text


@pytest.mark.parametrize(
    ("printed", "said"),
    [("full", True), ("compact", True), ("off", False)],
)
def test_the_workings_of_a_book_are_printed_as_it_says(book: Book, printed: str, said: bool) -> None:
    book.page("""
        .. dice:example:: A shot
           :mechanic: dice/roll
           :notation: 2d6 + 1
           :dice: 3 6
           :expect: total=10
    """)
    built = book.build("dicebook", dicedocs_printed_working=printed)
    text = Pdf(built.out / "book.pdf").text
    assert ("3 + 6 = 9" in text) == said
    assert "Total 10" in text


def test_what_it_needs_is_named(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    book.page("Words.")
    monkeypatch.setitem(sys.modules, "ziamath", None)
    with pytest.raises(
        SphinxError, match=r"pip install 'dicedocs\[paper\]'.*apt-get install .*brew install pango on macOS"
    ):
        book.build("dicebook")


def room(height: int) -> str:
    """Return something that fills a page to a height in millimetres."""
    drawing = f'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="{height}mm"></svg>'
    return f".. raw:: html\n\n   <div>{drawing} Room</div>\n\n"


def pages_of(built) -> list[str]:
    """Return the texts of the pages of a book that was built."""
    texts = Pdf(built.out / "book.pdf")._texts.values()
    return [" ".join(" ".join(each.values()).split()) for each in texts]


@pytest.mark.parametrize(
    ("height", "last"), [(62, "Spent:"), pytest.param(92, "Partial success", marks=pytest.mark.thorough)]
)
def test_an_example_goes_on_on_the_next_page_before_a_page_stays_half_empty(book: Book, height: int, last: str) -> None:
    example = textwrap.dedent(TWO).partition("\n\n")[2].partition("\n\n")[0]
    book.page(
        f"Before\n------\n\n{room(height)}{example}\n\n   He pays with the 5.\n\n{room(97)}After\n-----\n\nEnd.\n"
    )
    pages = pages_of(book.build("dicebook", dicedocs_book_paper="a5"))
    number = next(number for number, page in enumerate(pages) if "Room" in page)
    assert last in pages[number]
    assert not re.search("Left in the pool:|continued", pages[number])
    assert "On the table, continued" in pages[number + 1]
    assert "Left in the pool:" in pages[number + 1]
    # After is where it was not as long as the example was whole, and the page begins before it.
    assert "After End." in pages[number + 1]
    assert "Before" in pages[number + 1]
    assert f"After {number + 2}" in pages[number - 1]


@pytest.mark.parametrize(("height", "shown"), [(105, 3), pytest.param(150, 0, marks=pytest.mark.thorough)])
def test_charts_side_by_side_come_apart_between_rows_and_their_title_stays_above(
    book: Book, height: int, shown: int
) -> None:
    odds = "mechanic: total-effect/roll", "fact: effect", "halve: yes", "effect: mid", "vary: effect=low mid high"
    book.page(f"{room(height)}.. dice:odds:: Halves\n" + "".join(f"   :{option}\n" for option in odds))
    pages = pages_of(book.build("dicebook", dicedocs_book_paper="a5"))
    number = next(number for number, page in enumerate(pages) if "Room" in page)
    named = ["Halves", "Effect low", "Effect mid", "Effect high"]
    assert [name for name in named if name in pages[number]] == named[:shown]
    assert [name for name in named[shown:] if name in pages[number + 1]] == named[shown:]


def test_a_bleed_is_beyond_the_edge_at_which_each_page_is_cut(book: Book) -> None:
    book.page("Text.")
    built = book.build("dicebook", dicedocs_book_paper="a5", dicedocs_book_bleed="3mm")
    assert built.warnings == []
    for page in Pdf(built.out / "book.pdf").file.pages:
        trim, bleed = ([float(side) * 25.4 / 72 for side in page[box]] for box in ("/TrimBox", "/BleedBox"))
        assert [trim[2] - trim[0], trim[3] - trim[1]] == pytest.approx([148, 210], abs=0.1)
        assert [a - b for a, b in zip(trim, bleed, strict=True)] == pytest.approx([3, 3, -3, -3], abs=0.1)


@pytest.mark.parametrize(("height", "rows"), [(103, 5), (135, 0)])
def test_a_table_goes_on_too_and_stands_below_what_introduces_it(book: Book, height: int, rows: int) -> None:
    table = "".join(f"   {number}, {number * number}\n" for number in range(1, 10))
    book.page(f"{room(height)}Squares:\n\n.. csv-table::\n   :header: Number, Square\n\n{table}")
    first, second = pages_of(book.build("dicebook", dicedocs_book_paper="a5"))[-2:]
    squares = [f"{number} {number * number}" for number in range(1, 10)]
    assert (" ".join(["Squares: Number Square", *squares[:rows]]) in first) == bool(rows)
    assert ("Squares: " in second) == (not rows)
    assert " ".join(["Number Square", *squares[rows:]]) in second


LANGUAGES = {
    "de": ("Geschwindigkeitsbegrenzungen", {"zungen", "keitsbegrenzungen"}, "„so“", "Gesamtwert:", "(S.\xa05)"),
    "fr": ("intergouvernementalisation", {"nementalisation", "lisation"}, "«\xa0so\xa0»", "Total\xa0:", "(p.\xa05)"),
    "es": ("electroencefalografista", {"lografista", "encefalografista", "grafista"}, "«so»", "Total:", "(pág.\xa05)"),
}
"""For each language a long word, what may begin a line of it, quotes, a label with its sign, and a reference."""


@pytest.mark.parametrize(
    "language", ["de", *(pytest.param(each, marks=pytest.mark.thorough) for each in LANGUAGES if each != "de")]
)
def test_a_book_has_the_hyphens_signs_and_words_of_its_language(book: Book, language: str) -> None:
    word, ends, *said = LANGUAGES[language]
    words = " ".join(f"{'i' * number} {word}" for number in range(1, 16))
    example = textwrap.dedent(ONE).partition(".. dice:example::")[2].partition(".. dice:odds::")[0]
    book.page(f"""
        It is "so": {words}

        .. toctree::

           two
    """)
    book.page(f"See :doc:`index`, :dice:odds:`3d6 >= 13`.\n\n.. dice:example::{example}", "two.rst")
    texts = Pdf(book.build("dicebook", language=language).out / "book.pdf")._texts.values()
    text = "".join("".join(each.values()) for each in texts)
    assert [each for each in (*said, "25,9\N{NARROW NO-BREAK SPACE}%") if each not in text] == []
    broken = re.findall(r"(\w+)\N{HYPHEN}(\w+)", text)
    assert {begin + end for begin, end in broken} == {word}
    assert {end for _begin, end in broken} <= ends


@pytest.mark.thorough
def test_a_german_rulebook_has_no_english_and_no_faults(book: Book) -> None:
    shutil.copytree(Path(__file__).with_name("german_book"), book.src, dirs_exist_ok=True)
    built = book.build("dicebook")
    assert built.warnings == []
    pdf = Pdf(built.out / "glutwacht.pdf")
    assert [each.message for each in validate(str(pdf.path)).findings if each.severity == Severity.ERROR] == []
    pages = " ".join("".join("".join(each.values()) for each in pdf._texts.values()).split())
    said = ["Inhaltsverzeichnis", "„Wer zuerst am Brunnen steht“", "Stichwortverzeichnis", "96,9 %"]
    said += ["Mit der Schulter, Fortsetzung", "Teilerfolg", "2W6: 3 + 5 = 8", "Wasser 12 von 12", "(S. 10)", "Tab. 2"]
    said += ["Tönnes, Erschöpft: keine → 2"]
    english = re.findall(r"(?i)\b(?:of|the|and|or|dice|total|pool|success|failure|continued|chance|none|vs)\b", pages)
    assert [each for each in said if each not in pages] == []
    assert english == []


def test_words_begin_with_the_space_before_them() -> None:
    body = HTML(string="<p>One <em>two</em> <a><b>3</b></a> <code>4</code> five").etree_element.find("body")
    assemble(body)
    texts = [(each.tag, each.text, each.tail) for each in body.find("p")]
    assert texts == [("em", " two", " "), ("a", None, " "), ("code", "4", " five")]
    assert body.find("p").text == "One"


def test_a_span_that_says_nothing_on_paper_is_taken_out() -> None:
    html = (
        '<p><span>One</span><span class="pre">two</span> <em>3</em><span>four <b>5</b><span>six</span></span> '
        '<span class="own">7</span><span id="eight"></span></p>'
    )
    body = HTML(string=html).etree_element.find("body")
    assemble(body)
    assert "".join(body.find("p").itertext()) == "Onetwo 3four 5six 7"
    assert [each.tag for each in body.find("p")] == ["em", "b", "span", "span"]


def test_a_page_is_checked_for_what_stands_where_it_should_not() -> None:
    html = """
        <style>@page { size: 200px 100px; margin: 10px }
        * { margin: 0; font: 20px/20px monospace; break-after: auto; orphans: 1; widows: 1 }</style>
        <article data-page="a"><p>One<p>Two<p>Three<h2>Four</h2><p>Five<p>Abcdefghijklmnopqrstuvwxyz
        <p>Zyxwvutsrqponmlkjihgfedcba</article>
        <article data-page="b"><div class="dice-example" style="padding: 5px"></div></article>
    """
    found = {(fault.number, fault.what, fault.source) for fault in faults(HTML(string=html).render())}
    assert found == {
        (1, "'Four' stands at the foot of the page", "a"),
        (2, "'Abcdefghijklmnopqrstuvwxyz' reaches into the margin", "a"),
        (2, "an example leaves nothing but an empty box", "b"),
    }
