"""Characters: defined once, used on any page, and nothing that uses them is ever stale."""

import re
from html import unescape

import pytest

from dicedocs_sphinx.nodes import dice_mechanic

KIRA = """
    .. dice:character:: Kira the *Fighter*
       :name: kira
       :system: methuen
       :values: Strength=4, Health  Maximum=20

       A line of **prose**.
"""
SMITH = """
    ```{dice:character}
    :name: smith-2
    :values: Craft=17, Luck=-3
    ```
"""
DEEDS = """
    .. dice:example:: A blow of :dice:fact:`total`
       :name: blow
       :mechanic: methuen/expression
       :expression: 1d6 + [Strength]
       :actor: kira
       :dice: 3
       :expect: total=7

       Strength :dice:fact:`actor.Strength`, :dice:fact:`dice`, :dice:fact:`total`, :dice:fact:`forge.total`,
       :dice:fact:`plain.total`, :dice:fact:`kira.Health Maximum`.

    .. dice:example:: Plain
       :name: plain
       :mechanic: methuen/expression
       :expression: 2 + 3
       :expect: total=5

       :dice:fact:`total`, :dice:fact:`blow.total`, :dice:fact:`kira.Strength`.

    Out: :dice:fact:`kira.Strength`, :dice:fact:`smith-2.Luck`, :dice:fact:`blow.actor.Strength`; :dice:ref:`kira`,
    :dice:ref:`smith-2`, :dice:ref:`blow`, :any:`kira`.
"""
FORGE = """
    ```{dice:example} At the forge
    :name: forge
    :mechanic: ember/haul
    :crew: Ash: skill 2; Bo: skill 1
    :weight: smith-2.Craft
    :note: "smith-2.Craft"
    :dice: 5 6
    :expect: total=14, success=false

    A weight of {dice:fact}`weight`, with {dice:fact}`total`; {dice:fact}`note`.
    ```
"""
TREE = "\n    .. toctree::\n\n       {}\n"


def plain(html: str) -> str:
    """The text of a page, without what is folded."""
    html = re.sub(r'<a class="headerlink".*?</a>|<details.*?</details>', "", html, flags=re.DOTALL)
    return unescape(" ".join(re.sub(r"<[^>]+>", " ", html).split()))


@pytest.fixture(params=["before", "after"])
def ordered(book, request):
    """A book whose characters stand on pages that are read before, or after, those that use them."""
    first, last = ("a", "z") if request.param == "before" else ("z", "a")
    book.page(DEEDS + TREE.format("\n       ".join(f"{first}1 {first}2 {last}2".split())))
    book.page(KIRA, f"{first}1.rst")
    book.page(SMITH, f"{first}2.md")
    book.page(FORGE, f"{last}2.md")
    return book


@pytest.mark.parametrize("jobs", [1, 2])
def test_examples_take_values_of_characters_on_any_page(ordered, jobs):
    built = ordered.build("html", jobs=jobs, dicedocs_python_calls=True)
    assert built.log == ""
    page = built.read("index.html")
    text = plain(page)
    assert "A blow of 7" in text
    assert "Strength 4 , 3 , 7 , 14 , 5 , 20 ." in text
    assert "5 , 7 , 4 ." in text
    assert "Out: 4 , −3 , 4 ; Kira the Fighter , smith-2 , A blow of 7 , Kira the Fighter ." in text
    assert 'actor={"Strength": 4, "Health Maximum": 20}' in unescape(page)
    objects = {(name, title, kind) for name, title, kind, *_ in built.app.env.domains["dice"].get_objects()}
    assert {("kira", "Kira the Fighter", "character"), ("blow", "A blow of 7", "example")} <= objects
    assert re.search(r'href="[az]1.html#dice-kira" title="Kira the Fighter"', page)
    [forge] = [ordered.src / f"{each}2.md" for each in "az" if "forge" in (ordered.src / f"{each}2.md").read_text()]
    forged = built.read(f"{forge.stem}.html")
    # What is in quotes is no reference.
    assert "A weight of 17 , with 14 ; smith-2.Craft ." in plain(forged)
    assert "weight=17" in unescape(forged)


def test_a_sheet_shows_title_prose_and_values(book):
    book.page(KIRA)
    html = book.build("html", html_theme="basic").read("index.html")
    sheet = html.partition('<div class="dice-character dice-system-methuen docutils container" id="dice-kira">')[
        2
    ].partition("</dl>")[0]
    assert sheet.replace("\n", "") == (
        '<p class="dice-example-title">Kira the <em>Fighter</em>'
        '<a class="headerlink" href="#dice-kira" title="Link to this character">¶</a></p>'
        "<p>A line of <strong>prose</strong>.</p>"
        '<dl class="dice-values simple"><div><dt>Strength</dt><dd>4</dd></div>'
        "<div><dt>Health Maximum</dt><dd>20</dd></div>"
    )
    text = book.build("text").read("index.txt")
    assert "Kira the Fighter: A line of **prose**.\n\nStrength\n   4\n\nHealth Maximum\n   20\n" in text


def test_both_languages_give_the_same_sheet(book):
    book.page(KIRA + TREE.format("md"))
    myst = "```{dice:character} Kira the *Fighter*\n:name: kira-md\n:system: methuen\n"
    book.page(f"{myst}:values: Strength=4, Health  Maximum=20\n\nA line of **prose**.\n```\n", "md.md")
    built = book.build("html", html_theme="basic")
    assert built.log == ""
    first, second = (
        re.search(r'<div class="dice-character.*?</dl>', built.read(f"{page}.html"), re.DOTALL)[0]
        for page in ("index", "md")
    )
    assert first == second.replace("dice-kira-md", "dice-kira")


def test_doctests_and_what_pytest_checks_have_the_values(ordered):
    built = ordered.build("doctest")
    assert "3 tests\n    0 failures in tests" in built.read("output.txt")
    tests = {
        node.block.name: node[-1]["test"]
        for page in built.app.env.found_docs
        for node in built.doctree(page).findall(dice_mechanic)
    }
    call = '>>> import dicedocs as dd; print(dd.play(\n...     "methuen/expression",\n'
    assert f'{call}...     expression="1d6 + [Strength]",\n' in tests["blow"]
    assert '...     actor={"Strength": 4, "Health Maximum": 20},\n' in tests["blow"]
    blocks = [block for page in built.app.env.domains["dice"].tests().values() for block in page]
    issues = {block.name: block.check().issues for block in blocks}
    assert issues == {"blow": [], "plain": [], "forge": []}


def test_a_changed_value_updates_its_uses_in_every_builder_and_nothing_else(book):
    deeds = DEEDS.replace("forge.total", "blow.raw").replace("expect: total=7", "expect: dice=3")
    book.page(deeds + TREE.format("who\n       other\n       smith\n       act"))
    book.page(ACT.format(0, "kira").replace("total=4", "dice=none"), "act.rst")
    book.page(KIRA, "who.rst")
    book.page(SMITH, "smith.md")
    book.page(FORGE, "other.md")
    for builder in ("html", "text"):
        assert book.build(builder, out=f"grown-{builder}").log == ""
    read = (book.folder / "doctrees/other.doctree").stat().st_mtime_ns
    times = {path.name: path.stat().st_mtime_ns for path in (book.folder / "grown-text").glob("*.txt")}
    book.page(KIRA.replace("Strength=4", "Strength=5"), "who.rst")
    # The first of the builders that share doctrees is another one.
    assert book.build("xml").log == ""
    for builder in ("html", "text"):
        grown = book.build(builder, out=f"grown-{builder}")
        assert (book.folder / "doctrees/other.doctree").stat().st_mtime_ns == read
        if builder == "text":
            written = {path.name for path in grown.out.glob("*.txt") if path.stat().st_mtime_ns != times[path.name]}
            assert written == {"index.txt", "who.txt", "act.txt"}
            assert "A blow of 8" in grown.read("index.txt")
            assert "Strength 5, 3, 8, 8, 5, 20." in grown.read("index.txt")
        clean = book.build(builder, out=f"clean-{builder}", doctrees="clean")
        assert grown.log == clean.log == ""
        pages = list(clean.out.glob("*.txt" if builder == "text" else "*.html"))
        assert len(pages) >= 5
        for path in pages:
            assert grown.read(path.name) == path.read_text(), path.name


def test_a_page_that_uses_what_does_not_change_is_left_alone(ordered):
    ordered.build()
    before = {path: path.stat().st_mtime_ns for path in (ordered.folder / "doctrees").glob("*.doctree")}
    assert len(before) == 4
    assert ordered.build().log == ""
    assert {path: path.stat().st_mtime_ns for path in before} == before


def test_a_removed_page_uses_no_characters(book):
    book.page(KIRA + TREE.format("gone"))
    gone = book.page(ACT.format(0, "kira"), "gone.rst")
    book.build()
    gone.unlink()
    book.page(KIRA.replace("Strength=4", "Strength=5"))
    built = book.build()
    assert built.log == ""


def test_late_warnings_come_once_come_back_and_go_when_fixed(book):
    wrong = DEEDS.replace(":actor: kira", ":actor: kria").replace("`actor.Strength`", "`actor.Strenght`")
    book.page(wrong.replace("forge.total", "blow.raw") + TREE.format("who\n       smith"))
    book.page(KIRA, "who.rst")
    book.page(SMITH, "smith.md")
    first = book.build("html").warnings
    assert [(w.line, w.type) for w in first] == [(9, "dicedocs.reference")]
    assert first[0].text == "blow: actor: there is no character 'kria'; did you mean 'kira' (who.rst:5)?"
    assert book.build("html", jobs=4).warnings == first
    assert book.build("html", jobs=4, fresh=True).warnings == first
    # A character of that name comes, on another page.
    book.page(KIRA + KIRA.replace("kira", "kria"), "who.rst")
    [warning] = book.build("html").warnings
    assert (warning.line, warning.type) == (13, "dicedocs.fact")
    assert warning.text == "'actor' has no 'Strenght'; did you mean 'Strength'?"
    # It goes again.
    book.page(KIRA, "who.rst")
    assert book.build("html").warnings == first
    book.page(DEEDS.replace("forge.total", "blow.raw") + TREE.format("who\n       smith"))
    assert book.build("html").log == ""
    assert 'class="dice-error"' not in book.build("html").read("index.html")


def test_what_used_a_character_that_has_another_name_now_fails_on_a_page_that_is_not_read_again(book):
    book.page(ACT.format(0, "kira") + TREE.format("who"))
    book.page(KIRA, "who.rst")
    assert book.build("text").log == ""
    book.page(KIRA.replace(":name: kira", ":name: kyra"), "who.rst")
    built = book.build("text")
    [warning] = built.warnings
    assert (warning.file, warning.type) == ("index.rst", "dicedocs.reference")
    assert warning.text == "use: actor: there is no character 'kira'; did you mean 'kyra' (who.rst:5)?"
    assert "there is no character 'kira'" in built.read("index.txt")


USE = """
    .. dice:example:: Use
       :name: use
       :mechanic: ember/haul
       :crew: Ash: skill 2; Bo: skill 1
       {}
       :dice: 5 6
       :expect: total=14

       :dice:fact:`total`
"""
ACT = """
    .. dice:example:: Act
       :name: use
       :mechanic: methuen/expression
       :expression: [Strength] + {}
       :actor: {}
       :expect: total=4
"""


MISSPELT = [
    (
        USE.format(":weight: kria.Strength"),
        "reference",
        "weight: there is no character or example 'kria'; did you mean 'kira' (index.rst:5)?",
    ),
    (
        USE.format(":weight: kira.Strenght"),
        "fact",
        "weight: 'kira' (index.rst:5) has no 'Strenght'; did you mean 'Strength'?",
    ),
    (USE.format(":weight: 2.5"), "value", "weight: '2.5' is not a whole number, at least 1"),
    (USE.format(":weight: d6.5"), "value", "weight: 'd6.5' is not a whole number, at least 1"),
    (
        USE.format(":weight: kira"),
        "value",
        "weight: 'kira' (index.rst:5) is a character, not a whole number, at least 1; write one of its values, such",
    ),
    (USE.format(":mood: kira.Strength"), "value", "mood: '4' is not 'calm' or 'wild'"),
    (
        ACT.format(0, "Kira"),
        "reference",
        "actor: there is no character 'Kira'; did you mean 'kira' (index.rst:5)?",
    ),
    (ACT.format(0, "Kira the Fighter"), "value", "actor: 'Kira the Fighter' has no value"),
    (
        ACT.format(0, "bosun"),
        "value",
        "actor: 'bosun' is a character of 'ember', and this is 'methuen'; a character",
    ),
]


def test_a_misspelt_name_is_a_warning_with_near_matches_at_the_line_of_the_option(book):
    anywhere = KIRA.replace("       :system: methuen\n", "")
    lost = anywhere.replace("kira", "lost").replace("Strength=4", "Strength")
    bosun = KIRA.replace("kira", "bosun").replace("system: methuen", "system: ember")
    book.page(anywhere + lost + bosun + TREE.format("\n       ".join(f"p{n}" for n in range(len(MISSPELT)))))
    for number, (text, *_) in enumerate(MISSPELT):
        book.page(text.replace("use\n", f"use-{number}\n"), f"p{number}.rst")
    warned = [w for w in book.build("text").warnings if w.file != "index.rst"]
    assert len(warned) == len(MISSPELT)
    for number, (_, kind, message) in enumerate(MISSPELT):
        [warning] = [w for w in warned if w.file == f"p{number}.rst"]
        assert (warning.line, warning.type) == (9, f"dicedocs.{kind}")
        assert warning.text.startswith(f"use-{number}: {message}")


def test_an_expression_still_says_which_resource_is_missing(book):
    book.page(ACT.format("[Strenght]", "kira") + KIRA)
    [warning] = book.build().warnings
    assert (warning.line, warning.type) == (8, "dicedocs.value")
    assert "Strenght" in warning.text
    assert "did you mean 'Strength'?" in warning.text


FAULTS = [
    (":name: kira", ":name: Kira", 6, "option", "character-1: 'Kira' is not a name; write small letters"),
    ("Strength=4", "Strength=", 8, "value", "kira: values: 'Strength' has no value; write Strength=4"),
    ("Strength=4", "Strength", 8, "value", "kira: values: 'Strength' has no value; write name=value, separated by"),
    ("Strength=4", "Strength=4, Strength=5", 8, "value", "kira: values: the value 'Strength' is written twice"),
    (":values:", ":system:", 8, "option", "kira: the option 'system' is written twice; leave one of the two out"),
    (":values:", ":class: -\n       :values:", 8, "option", "kira: '-' is not a class; begin it with a letter"),
]


def test_issues_of_a_character_have_their_source_location(book):
    book.page(TREE.format("\n       ".join(f"p{n}" for n in range(len(FAULTS)))))
    for number, (old, new, *_) in enumerate(FAULTS):
        book.page(KIRA.replace(old, new).replace("name: kira", f"name: kira-{number}"), f"p{number}.rst")
    html, text = book.build("html"), book.build("text")
    assert html.warnings == text.warnings
    assert len(html.warnings) == len(FAULTS)
    for number, (_, _, line, kind, message) in enumerate(FAULTS):
        [warning] = [w for w in html.warnings if w.file == f"p{number}.rst"]
        assert (warning.line, warning.type) == (line, f"dicedocs.{kind}")
        assert warning.text.startswith(message.replace("kira:", f"kira-{number}:"))
        assert html.read(f"p{number}.html").count('class="dice-error"') == 1
        assert "This character cannot be read" in text.read(f"p{number}.txt")


def test_characters_and_examples_share_their_names(book):
    book.page(KIRA + TREE.format("a"))
    book.page(ACT.format(0, "kira").replace("name: use", "name: kira"), "a.rst")
    [warning] = book.build().warnings
    assert (warning.file, warning.line, warning.type) == ("index.rst", 6, "dicedocs.duplicate")
    assert warning.text.endswith("a.rst:6; choose another one")


def test_a_heading_cannot_show_a_late_fact(book):
    heading = "\n    :dice:fact:`{}`\n    ----------------------------------\n"
    book.page(ACT.format(0, "kira") + heading.format("kira.Strength") + heading.format("use.total") + KIRA)
    built = book.build("text")
    assert [w[:3] for w in built.warnings] == [("index.rst", 15, "dicedocs.fact")]
    assert built.warnings[0].text == "a heading cannot show 'use.total', which is known only when all pages are read"
    assert "4\n=" in built.read("index.txt")
    assert "?\n=" in built.read("index.txt")


def test_an_example_within_another_may_be_the_one_that_waits(book):
    inner = ACT.format(0, "kira").replace("\n", "\n   ")
    book.page(
        f"""
    .. dice:example:: Outer
       :name: outer
       :mechanic: methuen/expression
       :expression: 2
       :expect: total=2

       {inner.strip()}

          Inner :dice:fact:`total`, :dice:fact:`outer.total`, :dice:fact:`far.total`.

       Outer :dice:fact:`total`, :dice:fact:`use.total`, :dice:fact:`use.actor.Strength`.
    {TREE.format("far")}"""
    )
    book.page(KIRA + ACT.format(3, "kira").replace("use", "far").replace("total=4", "total=7"), "far.rst")
    built = book.build("text")
    assert built.log == ""
    text = built.read("index.txt")
    assert "Inner 4, 2, 7." in text
    assert "Outer 2, 4, 4." in text


def test_lines_of_an_included_file_are_those_of_the_file(book):
    book.page(".. include:: part.inc\n")
    book.write("part.inc", "Words.\n\n" + ACT.format(0, "kria").replace("\n    ", "\n") + KIRA.replace("\n    ", "\n"))
    [warning] = book.build().warnings
    assert (warning.file, warning.line) == ("part.inc", 8)


LITERALS = """
    .. dice:example:: The title, 99
       :name: lit
       :mechanic: methuen/expression
       :expression: 3d6 + [Strength]
       :actor: {}
       :dice: 4 2 5
       :expect: total=15

       Three dice, 4, 2 and 5, with Strength 4: ``88`` and :dice:fact:`total`, which is 15, not 16.
       Again not 16; 3d6, v7, [#n]_, 1st, :dice:roll:`2 * 30`, :math:`77`, -4 and 2.5 are others, 1,000 too.

       * A list, 15
       * A list, 14

       .. [#n] Note 55.

       .. dice:example:: 66
          :mechanic: methuen/expression
          :expression: 7
          :expect: total=7

          Seven is 7, not 15.

       .. dice:character:: 44
          :name: nobody

          Has 45.
"""


HINT = "; correct it, write it as a word, or take a fact or steps.LABEL by the role dice:fact"


@pytest.mark.parametrize("actor", ["Strength=4", "kira"])
def test_literal_numbers_are_a_warning_if_configured(book, actor):
    book.page(LITERALS.format(actor) + KIRA)
    assert book.build().log == ""
    built = book.build(dicedocs_literal_numbers=True)
    found = {(w.line, w.type, w.text) for w in built.warnings}
    expected = [(13, "16"), (14, "16"), (14, "-4"), (14, "2.5"), (14, "1,000"), (17, "14"), (19, "55")]
    expected = [(*each, "lit") for each in expected] + [(26, "15", "example-2")]
    unknown = "the number {} is not one of this example's values" + HINT
    texts = {(line, "dicedocs.literal", f"{label}: {unknown.format(n)}") for line, n, label in expected}
    assert found == texts
    assert len(built.warnings) == len(texts)
    assert sorted(book.build(dicedocs_literal_numbers=True).warnings) == sorted(built.warnings)


def test_a_fact_is_no_literal_number_after_a_change_either(book):
    deed = ACT.format(0, "kira").replace("expect: total=4", "expect: dice=none")
    book.page(
        deed
        + "\n       It is :dice:fact:`total`, see :dice:ref:`number 88 <kira>`, `66 <https://a.test>`_.\n"
        + TREE.format("who")
    )
    book.page(KIRA, "who.rst")
    assert book.build(dicedocs_literal_numbers=True).log == ""
    book.page(KIRA.replace("Strength=4", "Strength=9"), "who.rst")
    assert book.build(dicedocs_literal_numbers=True).log == ""


def test_a_literal_number_in_markdown_has_its_line_too(book):
    book.page(
        """
        ```{dice:example} Dice
        :mechanic: methuen/expression
        :expression: 3d6 + 2000
        :dice: 4 2 5
        :expect: total=2011

        She rolls {dice:fact}`dice`, and `12` is code: that makes
        2,011, not 12, and `13` is code.
        ```
        """,
        "index.md",
    )
    [warning] = book.build(dicedocs_literal_numbers=True).warnings
    assert (warning.line, warning.type) == (12, "dicedocs.literal")


ASA = """
    .. dice:character:: Asa
       :name: asa
       :values: Armor=5 of 5, Staggered=false
       :words: Staggered = reeling / steady

    Asa stands :dice:fact:`asa.Staggered`.

    The hit
    -------

    .. dice:scene:: The hit
       :cast: asa

    .. dice:example:: A hit
       :name: hit
       :mechanic: dice/check
       :check: 1d20 >= 10
       :dice: 12
       :then: asa.Staggered = success
       :expect: success=true, asa.Staggered=true

       Now :dice:fact:`asa.Staggered`: :dice:words:`asa.Staggered = reeling | she stumbles | she stays`.

    Behind: :dice:fact:`asa.Staggered`, :dice:words:`asa.Staggered | reeling: down | steady: up`.

    .. dice:scene-sheet:: How it went
"""


def test_a_value_that_is_yes_or_no_says_its_words_wherever_readers_see_it(book):
    book.page(ASA)
    built = book.build("text")
    assert not built.warnings
    text = " ".join(built.read("index.txt").split())
    for said in (
        "Staggered steady Asa stands steady.",
        "Now reeling: she stumbles.",
        "Asa, Staggered: steady → reeling",
        "Behind: reeling, down.",
        "Asa, Staggered steady → reeling (A hit)",
    ):
        assert said in text
    assert "false" not in text
    # New words are read everywhere.
    book.page(ASA.replace("reeling", "dizzy"))
    assert "Asa, Staggered steady → dizzy (A hit)" in " ".join(book.build("text").read("index.txt").split())
