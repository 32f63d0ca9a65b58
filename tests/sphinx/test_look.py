"""How much room an example takes: the option ``look``, the setting ``dicedocs_look``, and what each look has."""

import re

import pytest

BLOW = """
    .. dice:example:: A blow
       :name: blow
       :mechanic: methuen/expression
       :expression: 2d6 + 3
       :dice: 5 2
       :expect: total=10

       Ten.
"""


def with_options(*options: str) -> str:
    lines = "".join(f"       {option}\n" for option in options)
    return BLOW.replace("       :dice:", f"{lines}       :dice:", 1)


def look(html: str) -> list[str]:
    return re.findall(r'class="dice-outcome dice-([a-z]+)"', html)


def test_an_example_is_as_the_book_says_or_as_it_says_itself(book):
    book.page(
        BLOW + with_options(":look: line").replace("blow", "b2") + with_options(":look: full").replace("blow", "c")
    )
    assert look(book.build("html").read("index.html")) == ["full", "line", "full"]
    assert look(book.build("html", dicedocs_look="compact").read("index.html")) == ["compact", "line", "full"]


def test_another_setting_writes_the_pages_again_without_reading_them(book):
    book.page(BLOW)
    first = book.build("html")
    assert look(first.read("index.html")) == ["full"]
    read = (book.folder / "doctrees/index.doctree").stat().st_mtime_ns
    again = book.build("html", dicedocs_look="compact")
    assert look(again.read("index.html")) == ["compact"]
    assert (book.folder / "doctrees/index.doctree").stat().st_mtime_ns == read
    clean = book.build("html", dicedocs_look="compact", out="clean", doctrees="clean-trees")
    assert again.read("index.html") == clean.read("index.html")
    book.build("text", dicedocs_look="compact")
    text = book.build("text", dicedocs_look="line")
    assert "2d6: 5 + 2 = 7" in text.read("index.txt")


def test_the_title_names_what_is_folded(book):
    book.page(with_options(":look: compact"))
    assert '<details class="dice-how"><summary aria-label="How? A blow">How?</summary>' in book.build("html").read(
        "index.html"
    )


def test_a_line_comes_before_the_text_and_the_row_after_it(book):
    book.page(with_options(":look: line"))
    html = book.build("html").read("index.html")
    assert html.index("A blow") < html.index("dice-line") < html.index("Ten.")
    book.page(with_options(":look: compact"))
    html = book.build("html").read("index.html")
    assert html.index("A blow") < html.index("Ten.") < html.index("dice-compact")


def test_without_steps_a_row_folds_the_call_alone(book):
    book.page(with_options(":look: compact", ":hide: steps"))
    html = book.build("html", dicedocs_python_calls=True).read("index.html")
    assert look(html) == ["compact"]
    assert "How?" not in html
    assert '<summary aria-label="Python A blow">Python</summary>' in html
    book.page(with_options(":look: compact", ":hide: steps, call"))
    assert (
        "<summary"
        not in book.build("html", dicedocs_python_calls=True)
        .read("index.html")
        .partition("dice-outcome")[2]
        .partition("</section>")[0]
    )


@pytest.mark.parametrize("builder", ["text", "latex", "epub"])
def test_nothing_is_folded_elsewhere(book, builder):
    book.page(with_options(":look: line"))
    built = book.build(builder, latex_documents=[("index", "book.tex", "Book", "", "howto")])
    if builder == "epub":
        assert '<details class="dice-outcome dice-line" open="">' in built.read("index.xhtml")
    else:
        assert "5 + 2" in built.read("index.txt" if builder == "text" else "book.tex")


@pytest.mark.parametrize(
    ("written", "hint"),
    [
        ("", "known: 'compact', 'full', 'line'"),
        ("7", "known: 'compact', 'full', 'line'"),
    ],
)
def test_a_wrong_look_is_an_issue_of_the_option(book, written, hint):
    book.page(with_options(f":look: {written}".rstrip()))
    [warning] = book.build().warnings
    assert (warning.file, warning.line, warning.type) == ("index.rst", 9, "dicedocs.option")
    assert warning.text.startswith(f"blow: '{written}' is not a look; ")
    assert hint in warning.text


def test_a_wrong_setting_is_a_warning_and_the_default_is_used(book):
    book.page(BLOW)
    built = book.build("html", dicedocs_look="lien")
    [warning] = built.warnings
    assert (warning.file, warning.type) == ("conf.py", "dicedocs.option")
    assert warning.text == "dicedocs_look: 'lien' is not a look; did you mean 'line'?"
    assert look(built.read("index.html")) == ["full"]


def test_every_block_has_a_class_for_its_game(book):
    book.page(
        BLOW
        + """
    .. dice:odds:: Chart
       :mechanic: ember/haul
       :crew: Ash: skill 2
       :weight: 3

    .. dice:character:: Any
       :name: any
       :values: Strength=4
"""
    )
    html = book.build("html").read("index.html")
    assert 'class="dice-example dice-system-methuen' in html
    assert re.search(r'class="[^"]*dice-counted dice-system-ember', html)
    assert 'class="dice-character docutils' in html
