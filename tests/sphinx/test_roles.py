"""Facts, references and rolls in the middle of a sentence."""

import re
from html import unescape

import pytest

import dicedocs as dd


def plain(html: str) -> str:
    html = re.sub(
        r'<a class="headerlink".*?</a>|<div class="no-search">.*?</details></div></div>', "", html, flags=re.DOTALL
    )
    return unescape(" ".join(re.sub(r"<[^>]+>", "", html).split()))


@pytest.fixture(scope="module")
def built(shared_book):
    shared_book.page("""
        .. |sub| replace:: the :dice:fact:`total` of :dice:fact:`haul.total`

        .. dice:example:: It deals :dice:fact:`total`
           :name: renna
           :mechanic: methuen/expression
           :expression: 3d6 + [Health Maximum]
           :actor: Health Maximum=-20, Strength=4
           :dice: 4 2 5
           :expect: total=0, raw=-9

           F1 :dice:fact:`dice`; F2 :dice:fact:`dice.3`; F3 :dice:fact:`total`; F4 :dice:fact:`raw`;
           F5 :dice:fact:`actor.Health Maximum`; F6 :dice:fact:`actor`; F7 :dice:fact:`expression`;
           F8 :dice:fact:`haul.total`; F9 :dice:fact:`haul.dice.1`; F10 |sub|; F11 :dice:fact:`dropped`;
           F12 :dice:fact:`haul.success`.

           * F13 :dice:fact:`total`

           .. note:: F14 :dice:fact:`dice`

           =======================  ==
           F15 :dice:fact:`total`   x
           =======================  ==

           F16 [#one]_

           .. [#one] A footnote, :dice:fact:`dice`.

           .. dice:example:: Inner :dice:fact:`total`
              :mechanic: methuen/expression
              :expression: 2
              :expect: total=2

              F17 :dice:fact:`total`

           F18 :dice:fact:`total`; F19 :dice:fact:`steps.Dice`

        Out: :dice:fact:`renna.raw`, :dice:fact:`renna.actor.Strength`, :dice:fact:`renna.steps.Dice`.

        R1 :dice:ref:`renna`; R2 :dice:ref:`haul`; R3 :dice:ref:`that haul <haul>`; R4 :any:`haul`; R5 :dice:ref:`bare`.

        D1 :dice:roll:`3d6 @ 61`; D2 :dice:roll:`2 * 3`; D3 :dice:roll:`1d20+[x] @ theron`;
        D4 :dice:roll:`100d6 @ 1`; D5 :dice:roll:`1d6`; D6 :dice:roll:`1d @ 3`; D7 :dice:roll:`-3 @ 1`.

        .. toctree::

           more
    """)
    shared_book.page(
        """
        ```{dice:example} A *haul* & more
        :name: haul
        :mechanic: ember/haul
        :crew: Ash: skill 2; Bo: skill 1, tool 3
        :dice: 5 6
        :expect: total=17
        ```

        ```{dice:example}
        :name: bare
        :mechanic: methuen/expression
        :expression: 2
        :expect: total=2
        ```

        M1 {dice:fact}`renna.total`; M2 {dice:ref}`renna`; M3 {dice:ref}`this <renna>`; M4 [](#dice-renna);
        M5 {dice:roll}`3d6 @ 61`.
        """,
        "more.md",
    )
    return shared_book.build("html", html_theme="basic")


@pytest.fixture(scope="module")
def page(built):
    return plain(built.read("index.html"))


@pytest.mark.parametrize(
    "text",
    [
        "It deals 0",
        "F1 4, 2 and 5; F2 5; F3 0; F4 −9;",
        "F5 −20; F6 Health Maximum=-20, Strength=4; F7 3d6 + [Health Maximum];",
        "F8 17; F9 5; F10 the 0 of 17; F11 none; F12 yes.",
        "F13 0",
        "F14 4, 2 and 5",
        "F15 0",
        "A footnote, 4, 2 and 5.",
        "F17 2",
        "F18 0; F19 11",
        "Out: −9, 4, 11.",
    ],
)
def test_a_fact_is_that_of_the_example_around_it_or_of_the_one_named(page, text):
    assert text in page


def test_references_show_the_title_or_their_own_text_on_any_page(built, page):
    assert "R1 It deals 0; R2 A haul & more; R3 that haul; R4 A haul & more; R5 bare." in page
    html = built.read("index.html")
    assert 'href="#dice-renna"' in html
    assert 'href="more.html#dice-haul"' in html
    more = plain(built.read("more.html"))
    assert "M1 0; M2 It deals 0; M3 this;" in more


def test_rolls_show_total_notation_and_faces(page):
    # Seed 61 is the smallest that gives 4, 2 and 5.
    assert dd.find_seed("methuen/expression", expression="3d6", faces=[4, 2, 5]) == 61
    assert "D1 11 (3d6: 4, 2, 5); D2 6 (2 × 3); D3 ? (1d20+[x] @ theron);" in page
    faces = dd.roll("100d6", seed=1).dice
    assert (
        f"D4 {sum(faces)} (100d6: {', '.join(map(str, faces[:20]))}, …); D5 ? (1d6); D6 ? (1d @ 3); D7 −3 (−3)." in page
    )


def test_impossible_rolls_are_warnings(built):
    warned = [(w.line, w.type, w.text) for w in built.warnings if w.type == "dicedocs.value"]
    assert [line for line, *_ in warned] == [45, 46, 46]
    texts = " ".join(text for *_, text in warned)
    assert "1d20+[x] @ theron: " in texts
    assert "1d6: a d6 is thrown, and no dice are given; write 1d6 @ and a seed" in texts
    assert "1d @ 3: " in texts


def test_no_other_warning(built):
    other = [w for w in built.warnings if w.type != "dicedocs.value"]
    # MyST finds no heading of that name; its own way to refer is the role.
    assert [w.type for w in other] == ["myst.xref_missing"] or other == []


@pytest.mark.parametrize(
    ("role", "kind", "text"),
    [
        (":dice:fact:`actor.Strenght`", "fact", "'actor' has no 'Strenght'; did you mean 'Strength'?"),
        (":dice:fact:`one.totl`", "fact", "there is no fact 'totl'; did you mean 'total'?"),
        (":dice:fact:`ome.total`", "reference", "nothing is named 'ome'; did you mean 'one'?"),
        (":dice:ref:`text <ome>`", "reference", "nothing is named 'ome'; did you mean 'one'?"),
    ],
)
def test_an_unknown_name_is_a_warning_with_near_matches(book, role, kind, text):
    book.page(f"""
        .. dice:example::
           :name: one
           :mechanic: methuen/expression
           :expression: 3d6
           :actor: Strength=3
           :dice: 4 2 5
           :expect: total=11

           Two lines of
           prose, {role}.
    """)
    [warning] = book.build("text").warnings
    assert (warning.line, warning.type) == (14, f"dicedocs.{kind}")
    assert warning.text.startswith(text)


def test_headings_show_facts_of_their_page_and_warn_of_others(book):
    book.page(
        """
        .. dice:example::
           :name: one
           :mechanic: methuen/expression
           :expression: 2
           :expect: total=2

        Here :dice:fact:`one.total`
        ---------------------------

        There :dice:fact:`two.total`
        ----------------------------

        .. rubric:: Rubric :dice:fact:`two.total`

        .. toctree::

           more
        """
    )
    two = ".. dice:example::\n   :name: two\n   :mechanic: methuen/expression\n   :expression: 3\n   :expect: total=3\n"
    book.page(two, "more.rst")
    built = book.build("text")
    text = built.read("index.txt")
    assert "Here 2\n=" in text
    assert "There ?\n=" in text
    assert "Rubric 3" in text
    assert [w[:3] for w in built.warnings] == [("index.rst", 14, "dicedocs.fact")]


def test_in_an_example_that_failed_no_fact_warns_again(book):
    book.page("""
        .. dice:example::
           :name: one
           :mechanic: methuen/expression
           :expression: 3d6
           :dice: 4 2

           It is :dice:fact:`total`, :dice:fact:`dice.1`, :dice:fact:`nothing`.

        There it is :dice:fact:`one.total`.
    """)
    built = book.build("text")
    assert len(built.warnings) == 1
    assert "It is ?, ?, ?." in built.read("index.txt")
    assert "There it is ?." in built.read("index.txt")


def test_intersphinx_finds_examples_of_another_project(book, tmp_path):
    from sphinx.util.inventory import InventoryFile

    book.page("""
        .. dice:example:: A Power Shot
           :name: renna
           :mechanic: methuen/expression
           :expression: 2
           :expect: total=2
    """)
    built = book.build("html")
    with (built.out / "objects.inv").open("rb") as file:
        inventory = InventoryFile.load(file, "https://a.test", lambda base, path: f"{base}/{path}")
    entry = dict(inventory.data if hasattr(inventory, "data") else inventory)["dice:example"]["renna"]
    assert "https://a.test/index.html#dice-renna" in (getattr(entry, "uri", None) or entry[2])
    other = type(book)(tmp_path / "other")
    other.write(
        "conf.py",
        f"""
        extensions.append("sphinx.ext.intersphinx")
        intersphinx_mapping = {{"rules": ("https://a.test", {str(built.out / "objects.inv")!r})}}
    """,
    )
    other.page("A :dice:ref:`renna`, B :dice:ref:`this <renna>`, C :dice:ref:`rena`.")
    linked = other.build("html")
    html = linked.read("index.html")
    assert html.count('href="https://a.test/index.html#dice-renna"') == 2
    assert "A Power Shot</span></a>, B" in html
    assert [(w.type, w.text) for w in linked.warnings] == [("dicedocs.reference", "nothing is named 'rena'")]


def test_computed_text_is_not_changed_by_typographers(book):
    book.page("""
        .. dice:example::
           :mechanic: ember/haul
           :crew: O'Neil: skill 2; "Bo": skill 1
           :note: -- 'quoted' ... "twice" --- <b>
           :dice: 4 5
           :expect: total=12

           :dice:fact:`note`
    """)
    built = book.build("html")
    assert built.warnings == []
    assert "<p><span>-- 'quoted' ... &quot;twice&quot; --- &lt;b&gt;</span></p>" in built.read("index.html")


@pytest.mark.parametrize(
    ("text", "shown"),
    [("2d4kh1 - 1 @ dice 4 1", "3 (2d4kh1 - 1: 4, 1)"), ("3d6 @ dice 4, 2, 5", "11 (3d6: 4, 2, 5)")],
)
def test_a_roll_takes_faces(book, text, shown):
    book.page(f"It is :dice:roll:`{text}`.\n")
    built = book.build("text")
    assert not built.warnings
    assert f"It is {shown}." in built.read("index.txt")


def test_several_numbers_are_no_seed(book):
    book.page("It is :dice:roll:`2d4kh1 - 1 @ 4 1`.\n")
    [warning] = book.build("text").warnings
    assert "'4 1' could be a seed or faces" in warning.text
    assert "write 2d4kh1 - 1 @ dice 4 1 for faces, or a seed without spaces" in warning.text


@pytest.mark.parametrize(
    "page",
    [
        "It is :dice:odds:`(2d6+1>=7)+(2d6+1>=10) >= 1`.\n",
        "It is :dice:roll:`(2d6+1>=7)+(2d6+1>=10) @ 3`.\n",
        ".. dice:example:: A\n   :mechanic: dice/roll\n   :notation: (2d6+1>=7)+(2d6+1>=10)\n   :seed: 3\n",
        ".. dice:odds:: A\n   :mechanic: dice/roll\n   :notation: (2d6+1>=7)+(2d6+1>=10)\n   :expect: mean=75%\n",
    ],
)
def test_one_throw_that_is_read_twice_is_a_warning(book, page):
    book.page(page)
    [warning] = book.build("text").warnings
    assert warning.type == "dicedocs.value"
    assert "'2d6' is in two comparisons and would be thrown for each" in warning.text
    # Four lines of the page come before it.
    assert warning.line == 4 + (3 if "notation" in page else 1)


SHOWN_ON_PURPOSE = """
`{dice:odds}` and `{dice:example} E` and ``{dice:odds}`1d20 >= 12` `` are code, and so is
```` ```{dice:example} ```` here. A role is written {dice:odds} here, or 'dice: odds'.

````markdown
```{dice:example} E
{dice:odds} `1d20 >= 12`
```
````

~~~text
```{dice:example} E
```
~~~

```{literalinclude} part.txt
```

```{code-block} python
:caption: A title

text = "{dice:odds}`1d20 >= 12`"
```

- A list

  > ```{dice:example} E
  > :mechanic: dice/roll
  > :notation: 1d6 + 1
  > :dice: 3
  > :expect: total=4
  > ```
"""


def test_what_is_shown_on_purpose_is_no_mistake(book):
    book.write("part.txt", "```{dice:example} E\n:mechanic: dice/roll\n```\n")
    book.page(SHOWN_ON_PURPOSE, "index.md")
    assert book.build().warnings == []


def test_a_fence_of_colons_is_told_what_it_needs(book):
    book.page("Words.\n:::{dice:example} E\n:mechanic: dice/roll\n:::\n", "index.md")
    [warning] = book.build(myst_enable_extensions=[]).warnings
    assert (warning.line, warning.type) == (6, "dicedocs.reference")
    assert warning.text == (
        "':::{dice:example}' is not a fence in this book; add 'colon_fence' to myst_enable_extensions, or write "
        "```{dice:example}"
    )


def test_roles_in_a_heading_and_in_a_part_in_the_other_language(book):
    book.page(
        """
        # The odds are {dice:odds} `1d20 >= 12`

        ```{eval-rst}
        The odds are :dice:odds: `1d20 >= 12` or {dice:odds}`1d20 >= 12`.
        ```

        The odds are :dice:odds: `1d20 >= 12`.
    """,
        "index.md",
    )
    assert [(each.line, each.text) for each in book.build().warnings] == [
        (5, "'{dice:odds}' has a space after it; write {dice:odds}`…`"),
        (8, "':dice:odds:' has a space after it; write :dice:odds:`…`"),
        (8, "'{dice:odds}' is for Markdown; in reStructuredText write :dice:odds:"),
        (11, "':dice:odds:' is for reStructuredText; in Markdown write {dice:odds}"),
    ]
