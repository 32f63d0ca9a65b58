"""Rules: stated under an id, shown by blocks on any page, linked both ways, and never stale."""

import json
import re
from html import unescape

import pytest
from sphinx.util.inventory import InventoryFile

POOL = """
    .. dice:rule:: M7 Roll and *add*

       Throw the dice and add them.

    .. dice:rule:: 3.2.1

       Nobody shows this.
"""
SHOWS = """
    ```{dice:example} A shot
    :name: shot
    :mechanic: methuen/expression
    :expression: 3d6
    :dice: 4 2 5
    :expect: total=11
    :shows: M7 3.2.2, M7

    A story.
    ```

    ```{dice:rule} 3.2.2 Three dice
    Three are thrown.
    ```
"""
OTHERS = """
    .. dice:example::
       :mechanic: methuen/expression
       :expression: 2 + 3
       :expect: total=5
       :shows: M7

    .. dice:table:: A table
       :mechanic: methuen/expression
       :expression: 1d4
       :shows: M7

    .. dice:odds:: A chart
       :mechanic: methuen/expression
       :expression: 1d4
       :shows: M7

    .. dice:claim:: A claim
       :mechanic: methuen/expression
       :expression: 1d4
       :claim: mean = 2.5
       :shows: M7

    See :dice:rule:`M7`, :dice:rule:`three <3.2.2>` and :dice:ref:`M7`.
"""
TREE = "\n    .. toctree::\n\n       rules\n       shows\n       others\n"


def plain(html: str) -> str:
    html = re.sub(r'<a class="headerlink".*?</a>|<details.*?</details>', "", html, flags=re.DOTALL)
    return unescape(" ".join(re.sub(r"<[^>]+>", "", html).split()))


def links(html: str, start: str) -> list[tuple[str, str]]:
    """The addresses and texts of the links in the line that starts so."""
    [line] = re.findall(rf'<p class="dice-shows">({start}.*?)</p>', html)
    return [(url, plain(text)) for url, text in re.findall(r'<a [^>]*href="([^"]*)"[^>]*>(.*?)</a>', line)]


@pytest.fixture
def ruled(book):
    book.write("conf.py", "dicedocs_rule_ids = True")
    book.page(TREE)
    book.page(POOL, "rules.rst")
    book.page(SHOWS, "shows.md")
    book.page(OTHERS, "others.rst")
    return book


@pytest.mark.parametrize("jobs", [1, 2])
def test_rules_and_what_shows_them_link_to_each_other(ruled, jobs):
    built = ruled.build("html", jobs=jobs)
    assert built.log == ""
    rules, shows, others = (built.read(f"{name}.html") for name in ("rules", "shows", "others"))
    assert links(shows, "Shows") == [("rules.html#dice-M7", "M7"), ("#dice-3.2.2", "3.2.2")]
    assert links(shows, "Shown by") == [("#dice-shot", "A shot")]
    shown_by = links(rules, "Shown by")
    assert [text for _, text in shown_by] == ["example-1", "A table", "A chart", "A claim", "A shot"]
    pages = {"others.html": others, "shows.html": shows}
    for url, _ in shown_by:
        page, _, anchor = url.partition("#")
        assert f'id="{anchor}"' in pages[page], url
    assert "M7 Roll and add" in plain(rules)
    assert 'id="dice-M7"' in rules
    assert 'id="dice-3.2.1"' in rules
    assert "See M7, three and M7 Roll and add." in plain(others)
    assert others.count('href="rules.html#dice-M7"') == 6


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.thorough)])
def test_an_edit_on_another_page_is_seen_by_what_links_to_it(ruled, jobs):
    ruled.build("html", jobs=jobs)
    ruled.page(SHOWS.replace("A shot", "The shot").replace("M7 3.2.2, M7", "3.2.2"), "shows.md")
    built = ruled.build("html", jobs=jobs)
    assert built.log == ""
    assert [text for _, text in links(built.read("rules.html"), "Shown by")][3:] == ["A claim"]
    ruled.page(SHOWS.replace(":shows: M7 3.2.2, M7", ":shows: 3.2.1"), "shows.md")
    built = ruled.build("html", jobs=jobs)
    assert built.read("rules.html").count("A shot") == 1
    ruled.page(POOL.replace("M7 Roll", "M8 Roll"), "rules.rst")
    built = ruled.build("html", jobs=jobs)
    assert {(each.file, each.type) for each in built.warnings} == {("others.rst", "dicedocs.reference")}
    missing = "there is no rule 'M7'; known: '3.2.1', '3.2.2', 'M8'"
    assert sum(each.text.endswith(missing) for each in built.warnings) == 5
    assert sum(each.text.startswith("nothing is named 'M7'") for each in built.warnings) == 1


@pytest.mark.parametrize(
    "builder", ["text", "latex", "epub", "singlehtml", "dirhtml", "man", "texinfo", "xml", "gettext"]
)
def test_every_builder_writes_rules_and_the_lists_of_them(ruled, builder):
    ruled.page("\n.. dice:report::\n" + TREE.replace("\n    ", "\n"))
    built = ruled.build(builder, suppress_warnings=["epub"])
    assert built.log == ""
    if builder == "text":
        assert "Shown by example-1, A table, A chart, A claim, A shot" in " ".join(built.read("rules.txt").split())
        assert "Shows M7, 3.2.2" in built.read("shows.txt")
        assert "2 of 3 rules shown" in " ".join(built.read("index.txt").split())
    if builder == "latex":
        tex = built.read("book.tex")
        assert re.search(r"Shows \{\\hyperref\[\\detokenize\{rules:dice-M7\}\]", tex)
        for label in re.findall(r"\\hyperref\[\\detokenize\{([^}]*dice-[^}]*)\}\]", tex):
            assert rf"\label{{\detokenize{{{label}}}}}" in tex, label
    if builder == "singlehtml":
        page = built.read("index.html")
        for _, anchor in re.findall(r'href="#([^"#]*#)?(dice-[^"]*)"', page):
            assert f'id="{anchor}"' in page


def test_mistakes_are_reported_where_they_are_made(book):
    book.page("""
        .. dice:rule::

           No id.

        .. dice:rule:: M7: With a colon

        .. dice:rule:: M9
           :shows: M7

        .. dice:rule:: M9

        .. dice:example:: Example
           :name: one
           :mechanic: methuen/expression
           :expression: 2 + 3
           :expect: total=5
           :shows: one M99

        .. dice:example:: Example
           :mechanic: methuen/expression
           :expression: 2 + 3
           :expect: total=5
           :shows:

        :dice:rule:`one` :dice:fact:`M9.total`
    """)
    found = [(each.line, each.type.removeprefix("dicedocs."), each.text) for each in book.build().warnings]
    hint = "write it after the directive's name, of letters and digits, such as M21"
    assert sorted(found) == sorted(
        [
            (5, "option", f"rule-1: no id is given; {hint}"),
            (9, "option", f"rule-2: 'M7:' is not an id; {hint}"),
            (12, "option", "M9: a rule has no option 'shows'; did you mean 'unshown'?"),
            (14, "duplicate", f"the name 'M9' is taken already at {book.src}/index.rst:11; choose another one"),
            (21, "reference", "one: there is no rule 'one'; known: 'M9'"),
            (21, "reference", "one: there is no rule 'M99'; did you mean 'M9'?"),
            (27, "option", "example-2: no rule is named; write the ids of rules, such as M21 M28"),
            (29, "reference", "there is no rule 'one'; known: 'M9'"),
            (29, "fact", "'M9' is a rule, which has no fact 'total'; name an example that shows it"),
        ]
    )


def rows(html: str) -> list[list[str]]:
    table = re.search(r'<table class="[^"]*dice-report.*?</table>', html, re.DOTALL)[0]
    return [
        [plain(cell) for cell in re.findall(r"<td.*?</td>", row, re.DOTALL)]
        for row in re.findall(r"<tr.*?</tr>", table, re.DOTALL)[1:]
    ]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_report_has_the_state_of_every_rule_and_block_and_is_never_stale(ruled, jobs):
    ruled.page("\n.. dice:report::\n" + TREE.replace("\n    ", "\n"))
    built = ruled.build("html", jobs=jobs)
    assert built.log == ""
    page = built.read("index.html")
    assert "5 statements: 3 verified, 2 without a check; 2 of 3 rules shown" in plain(page)
    assert rows(page) == [
        ["example-1", "dice:example", "verified", "others.rst:5"],
        ["A table", "dice:table", "computed", "others.rst:11"],
        ["A chart", "dice:odds", "computed", "others.rst:16"],
        ["A claim", "dice:claim", "verified", "others.rst:21"],
        ["M7 Roll and add", "dice:rule", "shown", "rules.rst:5"],
        ["3.2.1", "dice:rule", "unshown", "rules.rst:9"],
        ["A shot", "dice:example", "verified", "shows.md:5"],
        ["3.2.2 Three dice", "dice:rule", "shown", "shows.md:16"],
    ]
    for page_name, anchor in re.findall(r'href="(\w+\.html)#(dice-[^"]*)"', page):
        assert f'id="{anchor}"' in built.read(page_name)
    ruled.page(SHOWS.replace("total=11", "total=12"), "shows.md")
    built = ruled.build("html", jobs=jobs)
    page = built.read("index.html")
    assert "5 statements: 2 verified, 2 without a check, 1 wrong; 0 of 3 rules shown" in plain(page)
    assert [row[2] for row in rows(page)][4:] == ["unshown", "unshown", "failed", "unshown"]
    ruled.page("Nothing.", "others.rst")
    built = ruled.build("html", jobs=jobs)
    assert len(rows(built.read("index.html"))) == 4


def test_the_builder_writes_json_and_warns_of_rules_that_nothing_shows(ruled):
    built = ruled.build("dice-report")
    assert [(each.file, each.line, each.type) for each in built.warnings] == [("rules.rst", 9, "dicedocs.rule")]
    data = json.loads(built.read("report.json"))
    assert data["summary"] == "5 statements: 3 verified, 2 without a check; 2 of 3 rules shown"
    counts = {"verified": 3, "failed": 0, "unverified": 0, "says nothing": 0}
    assert data["counts"] == {**counts, "computed": 2, "not compared": 0, "shown": 2, "excused": 0, "unshown": 1}
    assert data["blocks"][6] == {
        "page": "shows",
        "label": "shot",
        "kind": "example",
        "title": "A shot",
        "anchor": "dice-shot",
        "state": "verified",
        "shows": ["M7", "3.2.2"],
        "reason": "",
        "file": "shows.md",
        "line": 5,
    }
    ruled.page(SHOWS.replace("total=11", "total=12"), "shows.md")
    before = ruled.build("dice-report").read("report.json")
    assert ruled.build("dice-report", fresh=True, jobs=2).read("report.json") == before != json.dumps(data)


def test_blocks_are_in_the_inventory_the_search_and_the_general_index(ruled):
    ruled.page(SHOWS.replace("3.2.2 Three dice", "3.2.2 Three dice; and more"), "shows.md")
    built = ruled.build("html")
    inventory = InventoryFile.loads((built.out / "objects.inv").read_bytes(), uri="").data
    assert inventory["dice:rule"]["M7"].uri == "rules.html#dice-M7"
    assert inventory["dice:rule"]["3.2.2"].display_name == "3.2.2 Three dice; and more"
    assert inventory["dice:example"]["shot"].uri == "shows.html#dice-shot"
    search = built.read("searchindex.js")
    assert '"M7 Roll and add"' in search
    assert '"dice-shot"' in search
    general = built.read("genindex.html")
    for url, text in {
        "rules.html#dice-M7": "Roll and add (Page)",
        "shows.html#dice-3.2.2": "Three dice, and more (Page)",
    }.items():
        assert f'<a href="{url}">{text}</a>' in general


def test_another_book_links_to_a_rule(ruled, tmp_path_factory):
    from .conftest import Book

    built = ruled.build("html")
    other = Book(tmp_path_factory.mktemp("other"))
    inventory = built.out / "objects.inv"
    other.write(
        "conf.py",
        f"""
        extensions += ['sphinx.ext.intersphinx']
        intersphinx_mapping = {{'rules': ('https://b/', {str(inventory)!r})}}
        """,
    )
    other.page("See :dice:rule:`M7` and :dice:ref:`shot`.")
    built = other.build("html")
    assert built.log == ""
    assert 'href="https://b/rules.html#dice-M7"' in built.read("index.html")


def test_a_title_stands_in_the_index_once_however_often_its_block_is_checked(book):
    book.page("""
        .. dice:rule:: B1 A blow

           :dice:fact:`kira.Strength`.

        .. dice:rule:: B2 A blow of :dice:fact:`kira.Strength`

           It may change.

        .. toctree::

           kira
    """)
    for values in ("Strength=4", "Strength=4, Health=2"):
        book.page(f".. dice:character:: Kira\n   :name: kira\n   :values: {values}\n", "kira.rst")
        built = book.build("latex")
        assert built.log == ""
        assert re.findall(r"\\index\{(.*?)@", built.read("book.tex")) == ["Blow, a"]


TOGETHER = """
    ```{dice:rule} R1, R3..R6, R8 The dice
    Throw them.
    ```

    ```{dice:rule} R9, R10
    :unshown: It says how to talk, and decides nothing.

    Mind your manners.
    ```

    ```{dice:example} A shot
    :name: shot
    :mechanic: methuen/expression
    :expression: 3d6
    :dice: 4 2 5
    :expect: total=11
    :shows: R1 R3..R5 R9

    A story.
    ```

    See {dice:rule}`R8`.

    ```{dice:rule} R11, R12
    | Die | Sides |
    |---|---|
    | d6 | 6 |
    ```

    ## More
"""


def test_rules_that_are_stated_together_each_have_an_id_a_state_and_a_target(book):
    book.page(TOGETHER, "index.md")
    built = book.build("dice-report")
    assert [(each.line, each.text.partition(":")[0]) for each in built.warnings] == [
        (5, "R6"),
        (5, "R8"),
        (28, "R11"),
        (28, "R12"),
    ]
    data = json.loads(built.read("report.json"))
    assert data["summary"] == "1 statement: 1 verified; 5 of 10 rules shown; 1 rule says why not"
    states = {block["label"]: (block["state"], block["reason"]) for block in data["blocks"] if block["kind"] == "rule"}
    reason = "It says how to talk, and decides nothing."
    assert states == {
        **dict.fromkeys(["R1", "R3", "R4", "R5"], ("shown", "")),
        **dict.fromkeys(["R6", "R8", "R11", "R12"], ("unshown", "")),
        "R9": ("shown", reason),
        "R10": ("excused", reason),
    }


def test_a_link_to_one_of_several_rules_says_only_that_one(book):
    see = "{dice:ref}`R1`, {dice:ref}`R4`, {dice:ref}`R10`, {dice:rule}`R4` and {dice:ref}`that one <R8>`."
    book.page(f"{TOGETHER}\n    Read {see}\n", "index.md")
    book.page(f"There: {see}", "other.md")
    built = book.build("html", dicedocs_rule_ids=True, suppress_warnings=["toc.not_included"])
    assert built.log == ""
    said = "R1 The dice, R4 The dice, R10, R4 and that one."
    assert f"Read {said}" in plain(built.read("index.html"))
    assert f"There: {said}" in plain(built.read("other.html"))
    names = {name: shown for name, shown, *_ in built.app.env.domains["dice"].get_objects()}
    assert (names["R3"], names["R10"]) == ("R3 The dice", "R10")
    book.page(f"{TOGETHER.replace('The dice', 'A throw')}\n    Read {see}\n", "index.md")
    built = book.build("html", dicedocs_rule_ids=True, suppress_warnings=["toc.not_included"])
    assert "There: R1 A throw, R4 A throw, R10, R4" in plain(built.read("other.html"))


@pytest.mark.parametrize("look", ["full", "compact"])
@pytest.mark.parametrize("builder", ["html", "text", "latex", "epub", "man", "singlehtml"])
def test_readers_see_no_ids_unless_the_book_wants_it_but_links_find_the_rules(book, builder, look):
    book.page(f"{TOGETHER}\n    See {{dice:rule}}`R1`, {{dice:rule}}`R10` and {{dice:ref}}`that <R8>`.", "index.md")
    built = book.build(builder, dicedocs_look=look, suppress_warnings=["epub"])
    assert built.log == ""
    name = {"html": "index.html", "text": "index.txt", "latex": "book.tex", "epub": "index.xhtml", "man": "book.1"}
    page = built.read(name.get(builder, "index.html"))
    for seen in ("R3", "R4", "R9", "R11", "Shows", "Shown"):
        assert not re.search(rf"\b(?<!dice-){seen}\b", page), seen
    assert "The dice" in " ".join(page.split())
    # What the author names stands there: by its title, or by its id if it has none.
    if "html" in builder:
        assert "See The dice, R10 and that." in plain(page)
        for rule in (1, 3, 4, 5, 6, 8, 9, 10, 11, 12):
            assert page.count(f'id="dice-R{rule}"') == 1
        assert 'href="#dice-R8"' in page


@pytest.mark.parametrize("look", ["full", "compact"])
def test_the_ids_of_a_rule_stand_behind_it_in_a_compact_book(book, look):
    book.page(TOGETHER, "index.md")
    built = book.build("html", dicedocs_look=look, dicedocs_rule_ids=True)
    assert built.log == ""
    page = built.read("index.html")
    for rule in (1, 3, 4, 5, 6, 8, 9, 10, 11, 12):
        assert page.count(f'id="dice-R{rule}"') == 1
    assert 'href="#dice-R8"' in page
    if look == "full":
        assert "R1, R3–R6, R8 The dice Throw them. Shown by A shot" in plain(page)
        assert "A story. Shows R1, R3–R5, R9" in plain(page)
    else:
        assert "The dice Throw them. R1, R3–R6, R8 Mind your manners. R9, R10" in plain(page)
        assert 'href="#dice-shot" title="Shown by A shot"' in page
        assert "A story. Shows R1, R3–R5, R9" in plain(page)
        assert "dice-in-text" in page


@pytest.mark.parametrize("builder", ["text", "latex", "epub", "man"])
def test_every_builder_writes_the_ids_behind_a_rule(book, builder):
    book.page(TOGETHER, "index.md")
    built = book.build(builder, dicedocs_look="compact", dicedocs_rule_ids=True, suppress_warnings=["epub"])
    assert built.log == ""
    if builder == "text":
        assert "Throw them. R1, R3–R6, R8" in " ".join(built.read("index.txt").split())
    if builder == "latex":
        tex = built.read("book.tex")
        for rule in (1, 3, 4, 5, 6, 8, 9, 10, 11, 12):
            assert rf"\label{{\detokenize{{index:dice-R{rule}}}}}" in tex
