"""What a page shows of an example."""

import re

import pytest
import sphinx

RENNA = """
    .. dice:example:: Renna looses a *Power* Shot
       :name: renna-power-shot
       :mechanic: methuen/expression
       :expression: 3d6
       :dice: 4 2 5
       :expect: total=11, dice=4 2 5

       Renna rolls :dice:fact:`dice` and deals :dice:fact:`total` damage.
"""


def plain(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def test_html_has_title_prose_dice_working_result_and_the_folded_call(book):
    book.page(RENNA)
    built = book.build("html", html_theme="basic", dicedocs_python_calls=True)
    html = built.read("index.html")
    assert built.warnings == []
    assert '<div class="dice-example dice-system-methuen docutils container" id="dice-renna-power-shot">' in html
    assert (
        '<p class="dice-example-title">Renna looses a <em>Power</em> Shot'
        '<a class="headerlink" href="#dice-renna-power-shot" title="Link to this example">¶</a></p>'
    ) in html
    assert "<p>Renna rolls <span>4, 2 and 5</span> and deals <span>11</span> damage.</p>" in html
    order = ["dice-example-title", "dice-given", "Renna rolls", "dice-thrown", "dice-result", "dice-working"]
    order.append("dice-call")
    assert sorted(order, key=html.index) == order
    assert 'aria-label="d6 showing 4"' in html
    assert "dd.play(&quot;methuen/expression&quot;, expression=&quot;3d6&quot;, dice=[4, 2, 5])" in html
    assert "<h2" not in html.partition("dice-example")[2].partition("</section>")[0]
    assert "<script" not in html.partition("dice-example")[2].partition("</section>")[0]


def test_text_has_each_paragraph_by_itself(book):
    book.page(RENNA + "\n       She nods.\n")
    text = book.build("text").read("index.txt")
    assert "Renna looses a Power Shot: Renna rolls 4, 2 and 5 and deals 11 damage.\n\nShe nods.\n\n" in text


def test_the_stylesheet_has_a_checksum_and_is_written_for_html_only(book):
    book.page(RENNA)
    html = book.build("html").read("index.html")
    assert re.search(r'href="_static/dicedocs\.css\?v=[0-9a-f]{8}"', html)
    assert (book.folder / "out-html/_static/dicedocs.css").read_text().count(".dice-example")
    assert not (book.build("text").out / "_static").exists()


HIDDEN = """
    It deals :dice:fact:`first.total`, in 25.9% of all cases 13 or more; see :dice:ref:`the first <first>`.

    .. dice:example:: Secret A
       :name: first
       :mechanic: methuen/expression
       :expression: 3d6
       :dice: 4 2 5
       :expect: total={total}
       :hide: all

       It says :dice:fact:`dice`.

    .. dice:claim::
       :mechanic: methuen/expression
       :expression: 3d6
       :claim: p(at least 13) = 25.9%
       :hide: all

       Secret words.

    .. dice:table:: Secret B
       :mechanic: methuen/expression
       :expression: 3d6
       :hide: all

    .. dice:odds:: Secret C
       :mechanic: methuen/expression
       :expression: 3d6
       :hide: all

    .. dice:example:: Shown
       :name: second
       :mechanic: methuen/expression
       :expression: 2
"""


@pytest.mark.parametrize("builder", ["html", "text", "latex", "epub", "singlehtml", "man", "texinfo"])
def test_a_hidden_block_is_checked_and_not_seen(book, builder):
    book.write("conf.py", "numfig = True\nmaster_doc = 'index'\nsuppress_warnings = ['dicedocs.unverified']\n")
    book.page(HIDDEN.format(total=11))
    built = book.build(builder, version="1")
    assert built.log == ""
    kinds = {".html", ".js", ".txt", ".tex", ".xhtml", ".1", ".texi"}
    pages = [path for path in built.out.rglob("*") if path.suffix in kinds and path.parent.name != "_sources"]
    texts = [path.read_text("utf-8") for path in pages]
    assert any("Shown" in text and "It deals" in text for text in texts)
    assert not any("Secret" in text or "It says" in text for text in texts)
    # Nothing that is not seen has a number, or a place in an index.
    assert not any("Example 2" in text for text in texts)
    if builder == "html":
        assert 'id="dice-first"' in built.read("index.html")
        assert 'href="#dice-first"' in built.read("index.html")


def test_a_hidden_block_that_is_wrong_is_shown(book):
    book.page(HIDDEN.format(total=12))
    built = book.build("html")
    assert [warning.line for warning in built.warnings if warning.type == "dicedocs.mismatch"] == [12]
    html = built.read("index.html")
    assert "expected total=12, got total=11" in html
    assert "Secret A" in html
    assert "Secret B" not in html


def test_parts_can_be_hidden(book):
    for hidden in ("steps", "call", "steps, call"):
        book.page(RENNA.replace(":dice:", f":hide: {hidden}\n       :dice:", 1))
        html = book.build("html", dicedocs_python_calls=True).read("index.html")
        assert ("dice-working" not in html) == ("steps" in hidden)
        assert ("dice-call" not in html) == ("call" in hidden)
        text = book.build("text", dicedocs_python_calls=True).read("index.txt")
        assert ("3d6: 4 + 2 + 5" not in text) == ("steps" in hidden)
        assert ("dd.play" not in text) == ("call" in hidden)
        assert "dice-result" in html


def test_readers_see_no_python_unless_the_book_wants_it(book):
    book.page(RENNA)
    for builder, name in {"html": "index.html", "text": "index.txt", "man": "book.1", "epub": "index.xhtml"}.items():
        page = book.build(builder, suppress_warnings=["epub"]).read(name)
        assert "3d6" in page
        assert "dd.play" not in page
        assert "dice-call" not in page


def test_text_reads_well(book):
    book.page(RENNA)
    assert book.build("text", dicedocs_python_calls=True).read("index.txt") == (
        "Page\n****\n\n"
        "Renna looses a Power Shot: Renna rolls 4, 2 and 5 and deals 11 damage.\n\n"
        'Expression\n   "3d6"\n\n'
        "Dice\n   3d6: 4 + 2 + 5 = 11\n\n"
        "Roll\n   11\n\n"
        "Total\n   11\n\n"
        '   dd.play("methuen/expression", expression="3d6", dice=[4, 2, 5])\n'
    )


def test_class_is_added_and_an_unnamed_example_has_an_anchor_and_no_permalink(book):
    book.page(RENNA.replace(":name: renna-power-shot", ":class: wide Extra"))
    html = book.build("html").read("index.html")
    classes = "dice-example dice-system-methuen wide extra docutils container"
    assert f'<div class="{classes}" id="dice-example-1">' in html
    assert "Link to this example" not in html


def test_permalinks_follow_the_configuration(book):
    book.page(RENNA)
    assert "Link to this example" not in book.build("html", html_permalinks=False).read("index.html")
    assert ">#</a></p>" in book.build("html", fresh=True, html_permalinks_icon="#").read("index.html")


def test_a_section_of_the_same_name_keeps_its_anchor(book):
    book.page(RENNA + "\n    Dice Renna Power Shot\n    =====================\n\n    Text.\n")
    html = book.build("html").read("index.html")
    assert '<div class="dice-example dice-system-methuen docutils container" id="dice-renna-power-shot">' in html
    assert len(re.findall(r'id="dice-renna-power-shot"', html)) == 1


def test_nothing_thrown_needs_no_dice(book):
    book.page("""
        .. dice:example:: No dice
           :mechanic: methuen/expression
           :expression: 2 * 3
           :expect: total=6, dice=none

           It is :dice:fact:`total`, of :dice:fact:`dice`.
    """)
    built = book.build("html")
    assert built.warnings == []
    assert "It is 6 , of none ." in plain(built.read("index.html"))


@pytest.mark.skipif(sphinx.version_info < (8, 2), reason="Sphinx indexes everything")
def test_search_finds_the_words_of_the_author_and_not_the_numbers(book):
    book.page(RENNA)
    index = book.build("html").read("searchindex.js")
    assert "damag" in index
    assert "listitem" not in index.partition('"terms"')[2]
    assert '"3d6"' not in index


@pytest.mark.parametrize("builder", ["html", "text"])
def test_an_example_that_does_not_hold_shows_what_is_wrong_and_what_it_is(book, builder):
    book.page(RENNA.replace("total=11", "total=12"))
    built = book.build(builder)
    shown = plain(built.read("index.html")) if builder == "html" else " ".join(built.read("index.txt").split())
    line = "expected total=12, dice=4 2 5, got total=11, dice=4 2 5; write :expect: total=11, dice=4 2 5"
    assert line in shown
    assert [warning.text for warning in built.warnings] == [f"renna-power-shot: {line}"]
    assert "3d6" in shown
    assert "deals 11" in shown


def test_what_cannot_be_played_shows_question_marks_and_warns_once(book):
    book.page(RENNA.replace("3d6", "3d"))
    built = book.build("html")
    html = built.read("index.html")
    assert "Renna rolls ? and deals ? damage" in plain(html)
    assert 'class="dice-error"' in html
    assert "dice-outcome" not in html
    [warning] = built.warnings
    assert (warning.file, warning.line, warning.type) == ("index.rst", 8, "dicedocs.value")
