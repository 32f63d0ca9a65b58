"""Words for each outcome and cases: a book has those that are true of its dice, and nowhere any other."""

import json
import re
import zipfile
from html import unescape

import pytest

from .conftest import Book, Built
from .test_reroll import ON, write_rolling

KNOT = """
    .. dice:mechanic:: road/knot
       :stat: 1 (-1 to 3)

       total = 2d6 + stat
       result = total: 6- miss, 7-9 weak hit, 10+ strong hit
"""
ROPE = """
    .. dice:example:: At the rope
       :name: rope
       :mechanic: road/knot
       :dice: 4 3
       :expect: total=8, result=weak hit

       With :dice:fact:`total`, :dice:words:`result | strong hit: offhand | weak hit: bywork, "so" | miss: knotty`.

       .. dice:case:: result = miss

          Nobody *crosswise*: :dice:fact:`total`.

       .. dice:case:: total >= 8

          All are *yonder*, :dice:words:`total >= 9 | halcyon | :-( withal`.

       .. dice:case::

          Whatever holds, evermore :dice:fact:`result`.
"""
AFTER = """
    It was :dice:words:`rope.result | strong hit: swiftly | weak hit: sluggard | miss: neverly` at
    :dice:fact:`rope.total`.

    .. dice:case:: rope.result = miss

       Emptyhanded.

    Plain: :dice:fact:`rope.total`.
"""
TRUE = ("bywork", "yonder", "withal", "evermore", "sluggard")
FALSE = ("offhand", "knotty", "crosswise", "halcyon", "swiftly", "neverly", "emptyhanded")


@pytest.fixture(scope="module")
def whole(shared_book: Book) -> Book:
    write_rolling(shared_book)
    shared_book.page(KNOT + ROPE + AFTER)
    return shared_book


@pytest.fixture(scope="module")
def rolling(whole: Book) -> Built:
    built = whole.build("html", doctrees="rolling", **ON)
    assert built.warnings == []
    return built


def words(text: str) -> str:
    """Return the words of a page in HTML."""
    return unescape(" ".join(re.sub(r"<[^>]+>", "", text).split()))


@pytest.mark.parametrize("builder", ["text", "latex", "html", "man", "xml", "singlehtml"])
def test_a_book_has_only_what_is_true_of_its_dice(whole: Book, builder: str) -> None:
    built = whole.build(builder, out=f"words-{builder}")
    assert built.warnings == []
    written = "\n".join(
        path.read_text("utf-8")
        for path in built.out.rglob("*")
        if path.suffix in {".txt", ".tex", ".html", ".1", ".xml"} or path.name == "searchindex.js"
        if "_sources" not in path.parts
    ).lower()
    assert [word for word in TRUE if word not in written] == []
    assert [word for word in FALSE if word in written] == []
    assert "data-dice-words" not in written


def test_an_e_book_has_only_what_is_true_of_its_dice(whole: Book) -> None:
    built = whole.build("epub", **ON)
    (path,) = built.out.glob("*.epub")
    with zipfile.ZipFile(path) as book:
        written = "\n".join(book.read(name).decode("utf-8", "replace") for name in book.namelist()).lower()
    assert [word for word in TRUE if word not in written] == []
    assert [word for word in FALSE if word in written] == []


def test_a_search_on_a_page_that_rolls_finds_only_what_is_true_in_the_book(rolling: Built) -> None:
    index = rolling.read("searchindex.js")
    # The index has the stems of words.
    assert [word for word in ("bywork", "yonder", "sluggard") if word not in index] == []
    assert [word for word in FALSE if word.rstrip("y") in index and word != "knotty"] == []
    assert "knotti" not in index


def test_a_page_that_rolls_has_all_words_and_hides_what_is_not_true(rolling: Built) -> None:
    page = rolling.read("index.html")
    hidden = re.findall(r'<(span|div) data-dice-words="index rope" data-dice-case="([^"]*)" hidden>', page)
    assert {(tag, unescape(condition)) for tag, condition in hidden} == {
        ("span", 'result = "strong hit"'),
        ("span", 'result = "miss"'),
        ("div", "result = miss"),
        ("span", "total >= 9"),
        ("div", "result = miss"),
    }
    (told,) = re.findall(r"<p>With .*?</p>", page)
    assert words(told) == "With 8, offhandbywork, “so”knotty."
    # What has words follows whole, and what has none keeps its rule.
    assert 'With <span data-dice-fact="total" data-dice-words="index rope">' in page
    assert 'at\n<span data-dice-fact="total" data-dice-words="index rope">' in page
    assert re.search(r'evermore <span data-dice-fact="result" data-dice-words="index rope">', page)
    assert re.search(r'Plain: <span data-dice-fact="total" data-dice-of="[^"]*index rope', page)


def test_a_page_tells_python_the_conditions_and_the_facts_that_follow(rolling: Built) -> None:
    page = rolling.read("index.html")
    (data,) = [one for one in map(unescape, re.findall(r' data-dice="([^"]*)"', page)) if '"rope"' in one]
    text = json.loads(data)["text"]
    assert text["conditions"] == [
        'result = "strong hit"',
        'result = "weak hit"',
        'result = "miss"',
        "result = miss",
        "total >= 8",
        "total >= 9",
        "not (total >= 9)",
    ]
    assert (text["shown"], text["followed"]) == (["total"], ["total", "result"])


def test_the_deck_of_a_page_says_what_holds(rolling: Built) -> None:
    (deck,) = (rolling.out / "_static" / "dicedocs" / "decks").glob("index.*.js")
    rolls = json.loads(deck.read_text("utf-8").partition(" = ")[2].rstrip(";\n"))["1"]
    assert len(rolls) == 20
    for roll in rolls:
        assert set(roll["words"]["facts"]) == {"total", "result"}
        total, holds = int(roll["words"]["facts"]["total"]), roll["words"]["holds"]
        held = {name for name in ("strong hit", "weak hit", "miss") if holds[f'result = "{name}"']}
        assert held == {"miss" if total < 7 else "weak hit" if total < 10 else "strong hit"}
        assert holds["result = miss"] is (total < 7)
        assert holds["total >= 8"] is (total >= 8)


def test_only_a_page_with_words_has_their_script(whole: Book, rolling: Built) -> None:
    assert "words.js" in rolling.read("index.html")
    assert "words.js" not in rolling.read("words.html")


def test_words_that_are_always_those_of_the_book_are_not_prepared(book: Book) -> None:
    write_rolling(book).page(KNOT + ROPE.replace(":dice: 4 3", ":dice: 4 3\n       :text: book"))
    page = book.build("html", **ON).read("index.html")
    assert "data-dice-words" not in page
    assert [word for word in FALSE if word in page.lower()] == []


MARKDOWN = """
```{dice:mechanic} road/knot
total = 2d6
result = total: 6- miss, 7-9 weak hit, 10+ strong hit
```

````{dice:example} At the rope
:name: rope
:mechanic: road/knot
:dice: 1 3
:expect: result=miss

So {dice:words}`result | strong hit: quick | weak hit: slow | miss: never`.

:::{dice:case} result = miss
A *fall* of {dice:fact}`total`.
:::

```{dice:case} total >= 5
No *fall*.
```
````

| Rope | End                                          |
|------|----------------------------------------------|
| this | {dice:words}`rope.total >= 5 \\| up \\| down`  |
"""


def test_in_markdown_it_is_the_same(book: Book) -> None:
    book.page(MARKDOWN, "index.md")
    built = book.build("text")
    assert built.warnings == []
    text = built.read("index.txt")
    assert "So never." in text
    assert "A *fall* of 4." in text
    assert "No *fall*" not in text
    assert re.search(r"this +\| down", text)


SCENE = """
    .. dice:character:: Bryn
       :name: bryn
       :values: Stamina=5 of 5, Mood="calm"

    .. dice:scene:: The gate
       :cast: bryn
       :tracks: breach 0 of 6, first-alarm

    .. dice:example:: The bar
       :name: bar
       :mechanic: dice/check
       :check: 1d20 >= 11
       :dice: 4
       :then: breach += 6 - 6 * success; first-alarm += 1; bryn.Stamina -= 1
       :expect: success=false, breach=6

       :dice:words:`success | The bar holds. | The bar breaks at :breach: six.`

       .. dice:case:: breach.full and bryn.Stamina < 5 and first-alarm = 1

          They are inside.

    .. dice:case:: breach.full

       Everybody runs, :dice:fact:`breach`.

    Now :dice:words:`bryn.Stamina | 0-4: she is tired | else: she is fresh`.

    .. dice:change:: breach = 0

       :dice:words:`breach | 0-: It is quiet. | 1+: It is loud.`

    And :dice:words:`bar.success and bar.left > 3 | first | second`.
"""


def test_words_of_a_scene_are_about_its_state_at_their_place(book: Book) -> None:
    write_rolling(book).page(SCENE)
    built = book.build("text")
    assert built.warnings == []
    text = " ".join(built.read("index.txt").split())
    for told in ("The bar breaks at :breach: six.", "They are inside.", "Everybody runs, 6.", "Now she is tired."):
        assert told in text
    assert "It is quiet." in text
    assert "And second." in text
    assert not re.search("The bar holds|she is fresh|It is loud|first", text)
    page = book.build("html", **ON).read("index.html")
    assert len(re.findall(r'data-dice-words="index bar" data-dice-case="[^"]*" hidden', page)) == 3
    assert 'data-dice-words="index change-1" data-dice-case="breach is 1+" hidden' in page


def test_words_can_be_about_an_example_of_another_page(book: Book) -> None:
    write_rolling(book).page(KNOT + ROPE + "\n    .. toctree::\n\n       next\n")
    page = "Next\n====\n\nIt was {}.\n\n.. dice:case:: rope.result = miss\n\n   Emptyhanded.\n"
    words = ":dice:words:`rope.total | 8-: narrow | 9+: wide`"
    book.write("next.rst", page.format(words))
    built = book.build("html", **ON)
    assert built.warnings == []
    assert "It was narrow." in built.read("next.html")
    assert "Emptyhanded" not in built.read("next.html")
    # It follows what changes there, and never the rolls of a reader, who is on another page.
    assert "data-dice-words" not in built.read("next.html")
    book.page(
        KNOT
        + ROPE.replace("4 3", "6 3").replace("total=8, result=weak hit", "total=10, result=strong hit")
        + "\n    .. toctree::\n\n       next\n"
    )
    assert "It was wide." in book.build("html", **ON).read("next.html")


def test_words_in_a_title_are_those_of_the_book(book: Book) -> None:
    title = ":dice:words:`die.total | 3-: Downfall | else: Upswing`"
    book.page(SWIM.partition("    .. dice:case")[0] + f"\n    {title}\n    {'-' * len(title)}\n\n    Words.\n")
    built = book.build("html")
    assert "Upswing" in built.read("index.html")
    assert "Downfall" not in built.read("index.html")


SWIM = """
    .. dice:example::
       :name: die
       :mechanic: dice/roll
       :notation: 1d6
       :dice: 4

    .. dice:case:: die.total > 5

       {}

       She swims.
"""
FOUND_ELSEWHERE = (
    ".. index:: undertow",
    ".. _swimming:\n\n       A label.",
    ".. glossary::\n\n          Undertow\n             It pulls.",
    ".. image:: x.png\n          :name: picture",
)


def test_what_is_found_elsewhere_cannot_stand_where_it_may_not_be_shown(book: Book) -> None:
    for content in FOUND_ELSEWHERE:
        page = SWIM.replace("dice: 4", "dice: 4\n       :expect: total=4").format(content)
        book.page(page)
        found = [each for each in book.build("text").warnings if each.type == "dicedocs.option"]
        assert [each.text.partition(" leads")[0] for each in found] == ["a label, a term or an index entry"], content
        book.page(page.replace(":: die.total > 5", "::"))
        assert [each for each in book.build("text").warnings if each.type == "dicedocs.option"] == [], content
    book.page(SWIM.format("A `link <https://example.com>`_.").replace("4\n", "4\n       :expect: total=4\n"))
    assert book.build("text").warnings == []


def test_an_example_cannot_stand_in_a_case(book: Book) -> None:
    book.page("""
        .. dice:case::

           .. dice:example::
              :mechanic: dice/roll
              :notation: 4
              :expect: total=4
    """)
    (warning,) = book.build("html").warnings
    assert (warning.line, warning.type) == (5, "dicedocs.option")
    assert warning.text == "a dice:example is always played; move it out of this dice:case"


def test_what_an_example_shows_follows_when_its_dice_change(book: Book) -> None:
    book.page(KNOT + ROPE)
    assert "bywork" in book.build("html").read("index.html")
    book.page(KNOT + ROPE.replace("4 3", "6 6").replace("total=8, result=weak hit", "total=13, result=strong hit"))
    page = book.build("html").read("index.html")
    assert "offhand" in page
    assert "bywork" not in page


def test_truth_is_said_in_the_words_of_the_rule_and_in_the_language_of_the_book(book: Book) -> None:
    book.page("""
        .. dice:mechanic:: road/strike
           :words: hit = a hit / a miss
           :hurt: no

           total = 1d20 - hurt
           hit = total >= 11
           late = total >= 5

        .. dice:example:: Strike
           :mechanic: road/strike
           :dice: 7
           :expect: hit=false, late=true

           First :dice:fact:`hit`, second :dice:fact:`late`, third :dice:fact:`hurt`.
    """)
    assert "First a miss, second yes, third no." in book.build("text").read("index.txt")
    assert "First a miss, second ja, third nein." in book.build("text", fresh=True, language="de").read("index.txt")
