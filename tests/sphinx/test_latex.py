"""Examples and charts in LaTeX."""

import re
import shutil
import subprocess

import pytest

FONT = "{DejaVuSans}[Extension=.ttf, UprightFont=*, BoldFont=*-Bold, ItalicFont=*, BoldItalicFont=*-Bold]"
DOCUMENT = {
    "latex_documents": [("index", "book.tex", "Book", "N", "manual")],
    "latex_engine": "lualatex",
    "latex_elements": {"fontpkg": "".join(rf"\set{family}font{FONT}" for family in ("main", "sans", "mono"))},
}
PAGE = """
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
"""


@pytest.fixture
def latex(book):
    book.page(PAGE)
    built = book.build("latex", **DOCUMENT)
    assert built.log == ""
    return built


def test_an_example_has_its_title_its_dice_and_a_line_for_each_step(latex):
    text = latex.read("book.tex")
    example = text.partition(r"\begin{diceexample}")[2].partition(r"\end{diceexample}")[0]
    assert re.search(r"\\dicetitle\{\s*Renna’s \\sphinxstyleemphasis\{shot\}\s*\}", example)
    assert "She shoots." in example
    assert re.findall(r"\\diceface\{.*?\}\{.*?\}\{.*?\}\{(\d)\}", example) == ["4", "2", "5"]
    assert r"\diceline{0}{Total}{2 + 4 + 5 = 11}" in example
    assert (
        example.rindex(r"\diceline") < example.index(r"\diceresult{Total}{11}") < example.index(r"\diceresult{Low}{2}")
    )
    assert "dd.play" not in text, "who reads on paper cannot call anything"
    assert r"\label{\detokenize{index:dice-shot}}" in text


def test_what_cannot_stand_in_a_box_does_not(latex):
    starred = latex.read("book.tex").partition(r"\begin{diceexample*}")[2].partition(r"\end{diceexample*}")[0]
    assert r"\begin{tabular" in starred
    assert r"\diceresult{Total}{5}" in starred


def test_a_chart_has_a_bar_for_each_figure(latex):
    chart = latex.read("book.tex").partition("Two ways")[2]
    lengths = [float(length) for length in re.findall(r"\\dicebar(?:light|dark)\{([\d.]+)\}", chart)]
    # The likeliest total, 10 or 11 of 3d6, has 27 ways of 216; with Advantage 13 has the most, 1/7.4.
    assert max(lengths) == 1
    assert len(lengths) == 2 * 16


def test_the_style_is_beside_the_document(latex):
    style = latex.read("dicedocs.sty")
    assert r"\usepackage{dicedocs}" in latex.read("book.tex")
    used = set(re.findall(r"\\(dice[a-z]+)", latex.read("book.tex").partition(r"\begin{document}")[2]))
    assert {name for name in used if rf"\{name}" not in style and name != "diceexample"} == set()


LUALATEX = shutil.which("lualatex") or ""


@pytest.mark.skipif(not LUALATEX, reason="there is no TeX here")
def test_it_compiles(latex):
    done = subprocess.run(
        [LUALATEX, "-interaction=nonstopmode", "-halt-on-error", "book.tex"],
        cwd=latex.out,
        capture_output=True,
        check=False,
    )
    log = (latex.out / "book.log").read_text(encoding="utf-8", errors="replace")
    assert done.returncode == 0, log[-2000:]
    assert "Overfull" not in log
