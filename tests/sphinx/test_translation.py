"""A translated page has its facts filled in, its titles translated, and no words of ours in a catalogue."""

import re

import pytest
from babel.messages.pofile import read_po, write_po

PAGE = """
    .. dice:example:: A *Power* Shot of :dice:fact:`total`
       :name: renna
       :mechanic: methuen/expression
       :expression: 3d6
       :dice: 4 2 5
       :expect: total=11

       Renna rolls :dice:fact:`dice` and deals :dice:fact:`total` damage.

    See :dice:ref:`renna`: :dice:fact:`renna.total`, :dice:roll:`3d6 @ 61`.

    .. toctree::

       more
"""
MORE = """
    ```{dice:example} A plain title
    :name: plain
    :mechanic: methuen/expression
    :expression: 2 * 3
    :expect: total=6

    It is {dice:fact}`total`.
    ```

    ```{dice:odds} Three *dice*
    :name: bell
    :mechanic: methuen/expression
    :expression: 3d6

    On average {dice:fact}`mean`.
    ```

    ```{dice:claim} A claim
    :mechanic: methuen/expression
    :expression: 3d6
    :claim: p(at least 13) = 25% ± 1%

    Every fourth: {dice:fact}`exact`, see {ref}`bell`.
    ```

    See {dice:ref}`renna` and {dice:fact}`renna.total`.
"""
GERMAN = {
    "A *Power* Shot of :dice:fact:`total`": "Ein *Kraftschuss* von :dice:fact:`total`",
    "Renna rolls :dice:fact:`dice` and deals :dice:fact:`total` damage.": (
        "Renna macht :dice:fact:`total` Schaden, mit :dice:fact:`dice`."
    ),
    "See :dice:ref:`renna`: :dice:fact:`renna.total`, :dice:roll:`3d6 @ 61`.": (
        "Wurf :dice:roll:`3d6 @ 61`, :dice:fact:`renna.total`, siehe :dice:ref:`renna`."
    ),
    "A plain title": "Ein *schlichter* Titel",
    "It is {dice:fact}`total`.": "Es ist {dice:fact}`total`.",
    "Three *dice*": "Drei *Würfel*",
    "On average {dice:fact}`mean`.": "Im Mittel {dice:fact}`mean`.",
    "A claim": "Eine Behauptung",
    "Every fourth: {dice:fact}`exact`, see {ref}`bell`.": "Genau {dice:fact}`exact`, siehe {ref}`bell`.",
    "See {dice:ref}`renna` and {dice:fact}`renna.total`.": "Siehe {dice:fact}`renna.total` und {dice:ref}`renna`.",
}


@pytest.fixture
def translated(book):
    book.page(PAGE)
    book.page(MORE, "more.md")
    catalogues = book.build("gettext", gettext_compact=False)
    assert catalogues.log == ""
    known = set()
    for name in ("index", "more"):
        with (catalogues.out / f"{name}.pot").open("rb") as file:
            catalogue = read_po(file)
        for message in catalogue:
            if message.id:
                known.add(message.id)
                message.string = GERMAN.get(message.id, "")
        path = book.src / f"locale/de/LC_MESSAGES/{name}.po"
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            write_po(file, catalogue, width=0)
    assert known == {*GERMAN, "Page"}
    book.write("conf.py", "language = 'de'; locale_dirs = ['locale']; gettext_compact = False")
    return book


def test_translated_pages_have_facts_references_and_rolls(translated):
    built = translated.build("html", html_theme="basic")
    assert [w for w in built.warnings if w.type.startswith("dicedocs")] == []
    index, more = (" ".join(re.sub(r"<[^>]+>", "", built.read(f"{name}.html")).split()) for name in ("index", "more"))
    assert "Renna macht 11 Schaden, mit 4, 2 und 5." in index
    assert "Wurf 11 (3d6: 4, 2, 5), 11, siehe Ein Kraftschuss von 11." in index
    assert re.search(r"Ein schlichter Titel¶ .*Es ist 6\.", more)
    assert "Im Mittel 10,5." in more
    assert "Drei Würfel¶" in more
    assert "Eine Behauptung Genau 25,9 %, siehe Drei Würfel." in more
    assert "Siehe 11 und Ein Kraftschuss von 11." in more


def test_an_unknown_fact_in_a_translation_has_the_line_of_the_paragraph(translated):
    path = translated.src / "locale/de/LC_MESSAGES/index.po"
    path.write_text(path.read_text("utf-8").replace(":dice:fact:`dice`.", ":dice:fact:`dize`."), "utf-8")
    built = translated.build("html")
    [warning] = [w for w in built.warnings if w.type.startswith("dicedocs")]
    assert (warning.type, warning.file, warning.line) == ("dicedocs.fact", "index.rst", 12)
