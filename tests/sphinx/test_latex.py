"""Examples and charts in LaTeX."""

import base64
import os
import re
import shutil
import subprocess
import zlib
from pathlib import Path
from textwrap import indent

import pytest
import sphinx

from dicedocs import Dice, Mechanic, Outcome, Say, ScriptedDice
from dicedocs_sphinx.output.latex import outcome_lines

from .conftest import Book, Built

FONT = "{DejaVuSans}[Extension=.ttf, UprightFont=*, BoldFont=*-Bold, ItalicFont=*, BoldItalicFont=*-Bold]"
FONTS = {"fontpkg": "".join(rf"\set{family}font{FONT}" for family in ("main", "sans", "mono"))}
DOCUMENT = {
    "latex_documents": [("index", "book.tex", "Book", "N", "manual")],
    "latex_engine": "lualatex",
    "latex_elements": FONTS,
}
ON_THE_TABLE = """
    .. dice:example:: On the table
       :mechanic: dungeoneers/action-roll
       :pool: 5 2 -
       :exhausted: 3
       :spend: 1
       :stat: 4
       :difficulty: 10
       :expect: total=9, spent=1
"""
PAGE = f"""
    .. dice:example:: Renna's *shot*
       :mechanic: total-effect/roll
       :dice: 4 2 5
       :expect: total=11, low=2
       :name: shot

       She shoots.

    See :dice:ref:`shot`.

    .. dice:example:: With a table
       :mechanic: methuen/expression
       :expression: 10 - 3 - 2
       :expect: total=5

       ==  ==
       a   b
       ==  ==

    .. dice:odds:: Two ways
       :mechanic: total-effect/roll
       :vary: advantage=0..1

{ON_THE_TABLE}
    .. dice:odds:: Against a target number
       :mechanic: mage-in-the-metal/check
       :skill: 12

    .. dice:example:: Below nothing
       :mechanic: dice/roll
       :notation: 1d4 - 4
       :dice: 1
       :expect: total=-3

       Only :dice:fact:`total` is left.

    .. dice:example:: Renna\u202e shoots
       :mechanic: methuen/expression
       :expression: 1d6 + [Str\u202e]
       :actor: Str\u202e=1
       :dice: 4
       :expect: total=5

       She \ufffd shoots.

    .. dice:table:: Odds\u202e
       :mechanic: ember/haul
       :crew: Ash\u202e: skill 2
       :weight: 4
       :vary: note=a\u202e
"""


@pytest.fixture(scope="module")
def latex(shared_book):
    shared_book.page(PAGE)
    built = shared_book.build("latex", **DOCUMENT)
    [warning] = built.warnings
    assert "'Str\ufffd' has a character that cannot be printed" in warning.text
    return built


def test_an_example_has_its_title_its_dice_and_a_line_for_each_step(latex):
    text = latex.read("book.tex")
    example = text.partition(r"\begin{diceexample}")[2].partition(r"\end{diceexample}")[0]
    assert re.search(r"\\dicetitle\{\s*Renna’s \\sphinxstyleemphasis\{shot\}\s*\}", example)
    assert "She shoots." in example
    assert re.findall(r"\\diceface\{.*?\}\{.*?\}\{.*?\}\{(\d)\}", example) == ["4", "2", "5"]
    assert r"\diceline{0}{Total}{2 + 4 + 5 = 11}" in example
    parts = ["She shoots.", r"\dicerow{", r"\diceresult{Total}{11}", r"\diceresult{Low}{2}", r"\diceline{0}"]
    assert [example.index(part) for part in parts] == sorted(example.index(part) for part in parts)
    assert "dd.play" not in text, "who reads on paper cannot call anything"
    assert r"\label{\detokenize{index:dice-shot}}" in text


def test_what_cannot_stand_in_a_box_does_not(latex):
    starred = latex.read("book.tex").partition(r"\begin{diceexample*}")[2].partition(r"\end{diceexample*}")[0]
    assert r"\begin{tabular" in starred
    assert r"\diceresult{Total}{5}" in starred


def test_a_chart_has_a_bar_for_each_figure(latex):
    chart = latex.read("book.tex").partition("Two ways")[2].partition("On the table")[0]
    lengths = [float(length) for length in re.findall(r"\\dicebar(?:light|dark)\{([\d.]+)\}", chart)]
    # The likeliest total, 10 or 11 of 3d6, has 27 ways of 216; with Advantage 13 has the most, 1/7.4.
    assert max(lengths) == 1
    assert len(lengths) == 2 * 16


def test_the_dice_of_labelled_throws_have_lines_of_their_own():
    class Hero(Mechanic):
        class Result(Outcome):
            wits: int

        def resolve(self, dice: Dice, say: Say) -> Result:
            say.throw("STR & more", dice.total(3, 6))
            return self.Result(say.throw("WIT", dice.total(3, 6)))

    text = outcome_lines(Hero().play(ScriptedDice([4, 2, 5, 6, 1, 3])), (), "off").astext()
    assert re.findall(r"\\dicepool\{([^{}]*)\}", text) == [r"STR \& more", "WIT"]
    assert text.count(r"\dicedrawing") == 6
    assert r"\dicethrown" not in text


def test_a_pool_on_the_table_and_a_scale_are_drawn(latex):
    example = latex.read("book.tex").partition("On the table")[2].partition(r"\end{diceexample}")[0]
    before, after = example.partition(r"\dicepool{Pool before}")[2].split(r"\dicepool{Pool after}")
    # A spent die has its strokes, an exhausted one its bar and a dashed outline.
    assert [part.count(r"\dicedrawing") for part in (before, after)] == [3, 3]
    assert [part.count("line width=1.3pt") for part in (before, after)] == [1, 2]
    assert [part.count("dash pattern") for part in (before, after)] == [1, 1]
    assert r"\dicebanner{dicepartial}{\diceverdict{\dicehalf}{Partial success}{9 vs 10}" in after
    assert after.index(r"\dicebanner") < after.index(r"\dicescale{Against the difficulty") < after.index(r"\diceline")
    words = re.findall(r"\\dice(?:line\{0\}|result)\{(.*?)\}", before + after)
    assert not {"Pool", "Exhausted dice", "Dice spent"} & set(words), "what is drawn is not repeated in words"
    assert re.findall(r"\\dicebandhere\{[\d.]+\}\{[\d.]+\}\{(.*?)\}", after) == ["partial success"]


def test_computed_numbers_have_a_minus_and_notation_can_be_typed(latex, shared_book):
    example = latex.read("book.tex").partition("Below nothing")[2].partition(r"\end{diceexample}")[0]
    assert "Only \N{MINUS SIGN}3 is left." in example
    assert r"\diceresult{Total}{\N{MINUS SIGN}3}".replace(r"\N{MINUS SIGN}", "\N{MINUS SIGN}") in example
    assert r"\sphinxcode{\sphinxupquote{1d4 \sphinxhyphen{} 4}}" in example
    page = shared_book.build("html").read("index.html").partition("Below nothing")[2]
    assert "Only <span>\N{MINUS SIGN}3</span> is left." in page
    assert '<strong class="dice-value">\N{MINUS SIGN}3</strong>' in page
    assert "<code>1d4 - 4</code>" in page
    # Not every console has the sign.
    assert "Only -3 is left." in shared_book.build("text").read("index.txt")


def test_a_chart_in_bands_has_a_row_for_each(latex):
    chart = latex.read("book.tex").partition("Against a target number")[2]
    rows = [re.sub(r"\\(?:sphinxAtStartPar|sphinxstyle\w+|phantom\{.*?\})", "", row) for row in chart.split(r"\\")]
    assert [row for row in rows if "57.9" in row and "success" in row]
    # Neighbouring bands have bars of different shades: 3, 6, 4 and 3 bars.
    shades = re.findall(r"\\dicebar(light|dark|hollow|pale)\{", chart)
    assert shades == ["pale"] * 3 + ["hollow"] * 6 + ["dark"] * 4 + ["light"] * 3


def test_the_style_is_beside_the_document(latex):
    style = latex.read("dicedocs.sty")
    assert r"\usepackage[en]{dicedocs}" in latex.read("book.tex")
    used = set(re.findall(r"\\(dice[a-z]+)", latex.read("book.tex").partition(r"\begin{document}")[2]))
    assert {name for name in used if rf"\{name}" not in style and name != "diceexample"} == set()


@pytest.fixture(scope="session")
def lualatex():
    """The path of LuaLaTeX; without it tests are skipped, but fail in CI."""
    path = shutil.which("lualatex")
    if path is None:
        if os.environ.get("CI"):
            pytest.fail("there is no LuaLaTeX, and in CI what it makes must be seen")
        pytest.skip("there is no LuaLaTeX")
    return path


def compiled(lualatex: str, folder: Path) -> str:
    """Compile the book, and return the log."""
    done = subprocess.run(
        [lualatex, "-interaction=nonstopmode", "book.tex"], cwd=folder, capture_output=True, check=False
    )
    log = (folder / "book.log").read_text(encoding="utf-8", errors="replace")
    assert done.returncode == 0, log[-2000:]
    return log


@pytest.mark.thorough
def test_it_compiles(latex, lualatex):
    log = compiled(lualatex, latex.out)
    assert "Overfull" not in log
    assert re.findall("^!.*", log, re.MULTILINE) == []


def in_a_cell(*blocks: str, above: str = "", options: str = "") -> str:
    """Return a table with each block in a cell of its second column."""
    rows = "".join(
        f"\n   * - {number}\n     - {indent(block, ' ' * 7).strip()}\n" for number, block in enumerate(blocks)
    )
    return f"{above}\n.. list-table::\n{options}{rows}\n"


CHART = ".. dice:odds:: Two dice\n   :mechanic: dice/roll\n   :notation: 2d6\n"
CHANCES = (
    ".. dice:table:: Chances\n   :mechanic: mage-in-the-metal/check\n   :fact: success\n   :vary: favor=with none\n"
    "   :rows: skill=1..14\n   :show: true\n"
)
SHOT = ".. dice:example:: A shot\n   :mechanic: dice/roll\n   :notation: 2d6\n   :dice: 2 5\n   :expect: total=7\n"
FEW = ".. dice:table:: Few\n   :mechanic: dice/roll\n   :vary: notation=1d4, notation=1d6\n"


@pytest.mark.thorough
@pytest.mark.skipif(sphinx.version_info < (9,), reason="Sphinx 8 lays out tables in another way")
@pytest.mark.parametrize("engine", ["lualatex", "pdflatex"])
def test_blocks_in_the_cells_of_tables_are_printed(book: Book, engine: str, lualatex: str) -> None:
    program = Path(lualatex).with_name(engine)
    if not program.exists():
        pytest.skip(f"there is no {engine}")
    # Each in a table of its own, since what makes one compile would help the others.
    cells = (CHART, CHANCES, FEW, SHOT, ".. dice:report::\n", f".. note::\n\n{indent(CHART, '   ')}")
    book.page("\n".join(map(in_a_cell, cells)))
    fonts = FONTS if engine == "lualatex" else {"fontpkg": r"\usepackage{lmodern}"}
    built = book.build("latex", **DOCUMENT | {"latex_engine": engine, "latex_elements": fonts, "language": "de"})
    assert built.warnings == []
    assert re.findall("^!.*", compiled(str(program), built.out), re.MULTILINE) == []
    data = (built.out / "book.pdf").read_bytes()
    streams = re.findall(rb"stream\r?\n(.*?)endstream", data, re.DOTALL)
    assert any(b"/Lang(de)" in part for part in (data, *map(decompressed, streams)))
    text = " ".join(page_texts(built.out / "book.pdf"))
    assert "W6 zeigt 2" in text
    assert "ActualText" not in text


def decompressed(stream: bytes) -> bytes:
    """Return what a stream of a PDF holds; nothing if it is not compressed."""
    try:
        return zlib.decompress(stream)
    except zlib.error:
        return b""


REFUSED_BY_SPHINX = pytest.mark.skipif(sphinx.version_info < (9,), reason="Sphinx 8 ends with an error of its own")


@pytest.mark.parametrize(
    ("above", "options"),
    [
        pytest.param("", "   :class: longtable\n", marks=REFUSED_BY_SPHINX),
        (".. tabularcolumns:: lL", ""),
        ("", "   :header-rows: 1\n"),
    ],
)
def test_what_cannot_be_printed_in_a_cell_is_named(book: Book, above: str, options: str) -> None:
    count = 1 if above or "class" in options else 31
    text = in_a_cell(CHART, ".. dice:report::\n", *["Words."] * count, above=above, options=options)
    lines = book.page(text).read_text("utf-8").splitlines()
    built = book.build("latex", **DOCUMENT)
    named = {(warning.type, lines[warning.line - 1].strip(), warning.text.split()[0]) for warning in built.warnings}
    assert named == {
        ("dicedocs.option", "- .. dice:odds:: Two dice", "odds-1:"),
        ("dicedocs.option", "- .. dice:report::", "dice:report:"),
    }
    assert "in a cell of a table that goes on over pages" in built.warnings[0].text
    assert book.build("html").warnings == []


def test_a_character_that_cannot_be_printed_is_a_question_mark(latex):
    """A direction of text that is turned round, which is shown as U+FFFD, and that character itself."""
    text = latex.read("book.tex")
    assert "\ufffd" not in text
    assert "She ? shoots." in text


@pytest.mark.parametrize(("printed", "lines", "paragraphs"), [("full", 3, 0), ("compact", 0, 1), ("off", 0, 0)])
def test_the_workings_of_a_book_are_printed_as_it_says(book: Book, printed: str, lines: int, paragraphs: int) -> None:
    book.page("""
        .. dice:example:: A shot
           :mechanic: dice/roll
           :notation: 2d6 + 1
           :dice: 3 6
           :expect: total=10
    """)
    tex = book.build("latex", dicedocs_printed_working=printed).read("book.tex")
    assert tex.count(r"\diceline{") == lines
    assert tex.count(r"\dicesteps{") == paragraphs
    assert ("3 + 6 = 9" in tex) == (printed != "off")
    assert r"\diceresult{Total}{10}" in tex


PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
)
COVER = {"picture": "art/my cover.png", "subtitle": "50% embers", "publisher": "Ash_House", "legal": "CC BY\n#1"}


def page_texts(pdf: Path) -> list[str]:
    path = shutil.which("pdftotext") or "pdftotext"
    shown = subprocess.run([path, "-layout", str(pdf), "-"], capture_output=True, check=True, text=True).stdout
    return [" ".join(page.split()) for page in shown.split("\f")]


@pytest.fixture(scope="module")
def small_paper(tmp_path_factory: pytest.TempPathFactory, lualatex: str) -> tuple[Built, str]:
    """A book on small paper that begins with a cover and a page two thirds full, and the log of LuaLaTeX."""
    book = Book(tmp_path_factory.mktemp("small"))
    (book.src / "art").mkdir()
    (book.src / "art" / "my cover.png").write_bytes(PIXEL)
    room = r"""
    .. raw:: latex

       \vspace*{0.65\textheight}
    """
    charts = "".join(
        f"""
    .. dice:odds:: {count} ways
       :mechanic: total-effect/roll
       :vary: disadvantage=1..{count}
       :mark: 3
    """
        for count in (1, 2, 3)
    )
    book.page(
        f"{room}{ON_THE_TABLE}\n       He pays with the 5.\n"
        f"{charts}\n    * In a list\n\n      .. dice:odds:: A word\n         :mechanic: ember/haul\n"
        "         :crew: Ash: skill 2\n         :weight: 4\n         :vary: note=one, note=another\n"
    )
    elements = FONTS | {
        "extraclassoptions": "openany,oneside",
        "papersize": "a5paper",
        "sphinxsetup": "hmargin={16mm,14mm},vmargin={18mm,18mm}",
    }
    built = book.build("latex", **DOCUMENT | {"latex_elements": elements, "dicedocs_cover": COVER})
    assert built.log == ""
    return built, compiled(lualatex, built.out)


@pytest.mark.thorough
@pytest.mark.skipif(sphinx.version_info < (9,), reason="Sphinx 8 lays out tables in another way")
def test_bars_have_the_room_that_long_heads_leave_on_small_paper(small_paper: tuple[Built, str]) -> None:
    assert "Overfull" not in small_paper[1]


@pytest.mark.thorough
@pytest.mark.skipif(shutil.which("pdftotext") is None and not os.environ.get("CI"), reason="needs pdftotext")
def test_a_pdf_has_its_cover_its_drawings_in_words_and_no_page_half_empty(small_paper: tuple[Built, str]) -> None:
    built, log = small_paper
    assert "dicedocs-cover.png" in log
    pages = page_texts(built.out / "book.pdf")
    # A picture stands alone on its page, and the texts are on the next.
    assert pages[0] == ""
    assert "50% embers" in pages[1]
    assert pages[1].endswith("Ash_House CC BY #1")
    number = next(number for number, page in enumerate(pages) if "Partial success" in page)
    assert "He pays with the 5." in pages[number]
    assert "Left in the pool" not in pages[number]
    assert "Left in the pool" in pages[number + 1]
    text = " ".join(pages)
    assert text.count("d6 showing 5, spent") == text.count("Against the difficulty −1, in partial success") == 1


@pytest.mark.parametrize(
    ("cover", "message"),
    [
        ({"picture": "none.png"}, "the picture 'none.png' is not there; write its path from the folder of conf.py"),
        (
            {"picture": "conf.py"},
            "has a format that LaTeX cannot read; write the name of a file that ends in .png, .jpg",
        ),
        ({"pictur": "a.png"}, "there is no 'pictur'; did you mean 'picture'?"),
        ({"legal": 2026}, "dicedocs_cover: 'legal' is no text"),
    ],
)
def test_what_is_wrong_with_a_cover_is_a_warning_and_the_dice_stand_in_for_it(book: Book, cover: object, message: str):
    book.page("Nothing.")
    built = book.build("latex", dicedocs_cover=cover, latex_documents=[("index", "book.tex", "Book", "N", "manual")])
    [warning] = built.warnings
    assert message in warning.text
    assert warning.type == "dicedocs.option"
    assert r"\dicecover{}{\dicedrawing{d4 showing 2}" in built.read("book.tex")
