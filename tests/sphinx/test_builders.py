"""Every builder takes every example, without a warning and with no visitor of ours; hostile text stays text."""

import re
import zipfile
from xml.etree import ElementTree as ET

import pytest

from ..pango import has_pango

HOSTILE = "<script>alert('x')</script> & \\input{/etc/passwd} %n $x^2$ #1 ~ _a_ {b} @c @end \"q\""
BOOK = f"""
.. dice:example:: Renna looses a *Power* Shot
   :name: renna-power-shot
   :mechanic: methuen/expression
   :expression: (2d6 + [Intelligence]) * 2 - [Target Defense] + 5
   :actor: Intelligence=4
   :target: Defense=12
   :dice: 3 5
   :expect: total=17

   Renna rolls :dice:fact:`dice` and deals :dice:fact:`total`; see :dice:ref:`crew` or :dice:ref:`it <crew>`.

* In a list

  .. dice:example::
     :mechanic: methuen/check
     :check: 1d20 + 6 >= 12
     :seed: theron
     :hide: call
     :expect: success=false

.. dice:example:: Title {HOSTILE.replace("*", "").replace("_a_", "a")}
   :name: crew
   :mechanic: ember/haul
   :crew: A<b>: skill 2; B\\input&%$#_^~: skill 1, tool 3
   :note: {HOSTILE}
   :dice: 5 6
   :expect: total=17, degree=heaved

   The note :dice:fact:`note`, the crew :dice:fact:`crew`, of :dice:fact:`renna-power-shot.total`.

.. note::

   .. dice:example:: Nested
      :mechanic: ember/blaze
      :trait: 2
      :dice: 10 8 9
      :expect: hits=3
      :class: wide

      .. dice:example:: Inside
         :mechanic: methuen/expression
         :expression: [Strength<i>&] + 1
         :actor: Strength<i>&=-3
         :expect: total=0

      A roll :dice:roll:`3d6 @ 61`.

.. dice:character:: Kira & *the* <b>Fighter</b> \\input{{x}}
   :name: kira
   :system: methuen
   :values: Strength<i>&=4, \\input{{x}} %n=-20

   Her Strength is :dice:fact:`kira.Strength<i>&`, of :dice:ref:`kira`.

.. dice:table:: Hauls & *more* <b>of</b> \\input{{x}}
   :name: hauls
   :mechanic: ember/haul
   :fact: degree
   :crew: A<b>: skill 2
   :vary: note=<script>alert(1)</script>, note=\\input{{x}} %n, weight=4

   One is held :dice:fact:`p(held | weight=4)`, see :numref:`hauls`.

* .. dice:odds:: Blaze & <b>fire</b> \\input{{x}}
     :name: fire
     :mechanic: ember/blaze
     :trait: 1
     :vary: cap=0 2

.. dice:claim:: A claim & <b>a half</b> \\input{{x}}
   :name: claimed
   :mechanic: ember/haul
   :crew: A\\input{{x}}: skill 2
   :claim: p(degree held | note=<script>alert(1)</script>) < 100%, p(degree = held|weight=4)=83.3%

   It is :dice:fact:`exact.2`, chance :dice:odds:`1d20 + 6 >= 12`. :ref:`hauls`, :dice:ref:`claimed`.

.. toctree::

   more
"""
MORE = """
```{dice:example} Used on another page
:name: by-kira
:mechanic: methuen/expression
:expression: 1d6 + [Strength<i>&]
:actor: kira
:dice: 3
:expect: total=7

{dice:fact}`actor` and {dice:fact}`total`.
```

```{dice:example} In *Markdown*
:mechanic: methuen/expression
:expression: 1000d6
:seed: 1

{dice:fact}`total` of many. {dice:ref}`crew`, {dice:fact}`crew.total`, {dice:fact}`claimed.exact.2`, {dice:ref}`fire`.
```
"""
FAILING = """
.. dice:example:: Mismatch \\input{x}
   :name: <script>
   :mechanic: methuen/expression
   :expression: 3d6
   :dice: 4 2 5
   :expect: total=<script>alert(1)</script>
   :\\input: \\input{x}

.. dice:example::
   :mechanic: methuen/expression
   :expression: 3d6 + <script>
   :actor: \\input{x}
   :dice: 4 2 5
   :expect: total=<script>alert(1)</script>

.. dice:example::
   :mechanic: methuen/expression
   :expression: 3d6
   :dice: 4 2 5
   :expect: total=<script>alert(1)</script>

.. dice:table:: \\input{x}
   :mechanic: ember/blaze
   :show: <script>alert(1)</script>

.. dice:claim::
   :mechanic: ember/blaze
   :claim: p(hits = \\input{x}) = 1%

.. dice:odds:: <script>alert(1)</script>
   :mechanic: ember/blaze
   :trait: 1
   :expect: mean = 7

:dice:odds:`<script>alert(1)</script>`

:dice:roll:`<script>@<script>` :dice:fact:`<script>.<script>` :dice:ref:`x<script>`
"""
BUILDERS = [
    "html",
    "dirhtml",
    "singlehtml",
    *(["dicebook"] if has_pango() else []),
    "epub",
    "latex",
    "text",
    "man",
    "texinfo",
    "gettext",
    "xml",
    "pseudoxml",
]
MENDED = {"numfig": True, "latex_documents": [("index", "book.tex", "Book", "N", "manual")], "html_theme": "basic"}


@pytest.fixture(scope="module")
def whole(shared_book):
    shared_book.page(BOOK)
    more = MORE.replace(":seed: 1\n", ":seed: 1\n:expect: dropped=none\n")
    shared_book.page(more, "more.md")
    return shared_book


@pytest.fixture(scope="module")
def built(whole):
    return {builder: whole.build(builder, **MENDED) for builder in BUILDERS}


@pytest.mark.parametrize("builder", BUILDERS)
def test_a_builder_gives_no_warning(built, builder):
    assert built[builder].log == ""


@pytest.mark.parametrize("builder", BUILDERS)
def test_no_node_of_ours_reaches_a_writer(built, builder):
    for path in built[builder].out.rglob("*.*"):
        if path.suffix in {".html", ".xhtml", ".tex", ".txt", ".1", ".texi", ".pot", ".xml", ".pseudoxml"}:
            text = path.read_text("utf-8")
            assert "dice_example" not in text
            assert "dice_working" not in text
            assert "dice_fact" not in text
            assert "dice_character" not in text
            assert "dice_table" not in text
            assert "dice_claim" not in text
            assert "dice_figure" not in text
            assert "dice_counted" not in text
            assert "worked" not in text.replace("working", "")


@pytest.mark.parametrize("builder", ["html", "dirhtml", "singlehtml", "epub"])
def test_hostile_text_is_escaped_in_html(built, builder):
    pages = [*built[builder].out.rglob("*.html"), *built[builder].out.rglob("*.xhtml")]
    assert pages
    for page in pages:
        text = page.read_text("utf-8")
        assert "<script>alert" not in text
        assert "A<b>" not in text
        assert "Strength<i>" not in text
    assert any("&lt;script&gt;alert" in page.read_text("utf-8") for page in pages)


def test_hostile_text_is_escaped_in_latex(built):
    latex = built["latex"].read("book.tex").partition("\\begin{document}")[2]
    assert "\\input" not in latex
    assert "textbackslash{}input" in latex
    assert "\\sphinxsetup" not in latex.partition("\\chapter")[2]


def test_references_between_pages_resolve_in_latex(built):
    latex = built["latex"].read("book.tex")
    refs = set(re.findall(r"\\hyperref\[\\detokenize\{([^}]*)\}\]", latex))
    labels = set(re.findall(r"\\label\{\\detokenize\{([^}]*)\}\}", latex))
    assert {"index:dice-crew", "index:dice-kira", "index:dice-hauls", "index:dice-claimed"} <= refs <= labels


def test_epub_is_wellformed_xml_with_the_stylesheet(built):
    [book] = built["epub"].out.glob("*.epub")
    with zipfile.ZipFile(book) as archive:
        pages = [name for name in archive.namelist() if name.endswith(".xhtml")]
        for name in pages:
            ET.fromstring(archive.read(name))  # noqa: S314
        assert any(name.endswith("_static/dicedocs.css") for name in archive.namelist())
        text = archive.read(next(name for name in pages if name.endswith("index.xhtml"))).decode()
    assert "dicedocs.css" in text
    assert "headerlink" not in text


@pytest.mark.parametrize("builder", ["html", "dirhtml"])
def test_html_is_wellformed_within_the_examples(built, builder):
    for page in built[builder].out.rglob("*.html"):
        text = page.read_text("utf-8")
        start, end = text.find('<div class="dice-example'), text.rfind('class="dice-outcome')
        if start < 0:
            continue
        section = text[text.rindex("<section", 0, start) : text.index("</section>", end) + len("</section>")]
        opened = len(re.findall(r"<section\b", section)) - section.count("</section>")
        ET.fromstring(section + "</section>" * opened)  # noqa: S314


def test_catalogues_hold_the_words_of_the_author_only(built):
    words = set()
    for name in ("index.pot", "more.pot"):
        words |= set(re.findall(r'^msgid "(.+)"$', built["gettext"].read(name), re.MULTILINE))
    assert "Renna looses a *Power* Shot" in words
    assert "A roll :dice:roll:`3d6 @ 61`." in words
    text = " ".join(words)
    for ours in ("Roll", "Dice", "Total", "dd.", "3d6:", "Thrown", "does not hold", "exactly", "Chance", "dropped it"):
        assert ours not in re.sub(r":dice:\w+:`[^`]*`", "", text)


def test_xml_can_be_read(built):
    root = ET.fromstring(built["xml"].read("index.xml"))  # noqa: S314
    assert root.tag == "document"
    titles = ["".join(title.itertext()) for title in root.iter("title")]
    assert "Example 1 Renna looses a Power Shot" in titles


def test_text_shows_dice_working_result_and_call(built):
    text = " ".join(built["text"].read("index.txt").split())
    assert "Renna rolls 3 and 5 and deals 17; see" in text
    assert "2d6: 3 + 5 = 8" in text
    assert "A roll 11 (3d6: 4, 2, 5)." in text
    assert "Her Strength is 4, of *Kira & the <b>Fighter</b> input{x}*. Strength<i>& 4 \\input{x} %n -20" in text
    assert "It is 83.3%, chance 75%." in text
    assert "p(degree = held|weight=4)=83.3%" in text
    assert "Strength<i>&=4, \\input{x} %n=-20 and 7." in " ".join(built["text"].read("more.txt").split())
    man = built["man"].out.joinpath("book.1")
    if man.exists():
        assert "Renna rolls 3 and 5" in man.read_text()


@pytest.mark.parametrize("builder", BUILDERS)
def test_errors_are_escaped_too_and_the_build_goes_on(book, builder):
    book.page(FAILING)
    built = book.build(builder, **MENDED)
    assert {w.type.partition(".")[0] for w in built.warnings} <= {"dicedocs"}
    for path in built.out.rglob("*"):
        if path.suffix in {".html", ".xhtml", ".xml"} and path.name != "toc.ncx":
            assert "<script>alert" not in path.read_text("utf-8")
            assert "<script>.<script>" not in path.read_text("utf-8")
        if path.name == "book.tex":
            assert "\\input" not in path.read_text("utf-8").partition("\\begin{document}")[2]
