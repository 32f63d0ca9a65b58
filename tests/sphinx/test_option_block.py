"""Options go unquoted through both parsers, and the two languages give the same."""

import pytest

import dicedocs as dd
from dicedocs.rules.registry import mechanic
from dicedocs_sphinx.directive_head import find_heads
from dicedocs_sphinx.nodes import dice_mechanic

HOSTILE = [
    "> 5",
    ">",
    "|",
    "| a",
    "[4]",
    "[Strength] + 1d6 >= [Target Defense]",
    "- 3",
    "-3",
    "--- x",
    "---",
    "# no comment",
    "1d6 # no comment either",
    "'begins with a quote",
    '"begins with two',
    '"one" and "two"',
    "'it's'",
    "ends with a quote'",
    "*starred* and **strong**",
    "`ticks` and ``more``",
    ": colon",
    ":name: value",
    "a: b",
    "Freya: stat 3, die 5; Ulfarmi: stat 4, die 1",
    "{braces} {{ and }} more",
    "%d @ ! & ? ~ ^ $",
    "&anchor",
    "!tag",
    "@ 58",
    "back\\slash and \\",
    "<script>alert(1)</script>",
    "\\input{/etc/passwd}",
    "Ünïcödé − ×",
    "x   and   y",
    "1d20 + 6 >= 12",
    "= 3",
    "<= 3",
    "yes",
    "null",
    "~",
    "0x10",
    "1e3",
    "2026-11-21",
    ", a",
    "__under__",
    "|sub|",
    "trailing_",
    "",
]


def forms() -> list[tuple[str, str, str]]:
    """Every documented text form of every parameter of every mechanic that is installed."""
    found = []
    for id in dd.mechanics():
        for name, field in mechanic(id).parameters().items():
            values = [field.example] if field.required else [field.example, field.default]
            found += [(id, name, field.write(value)) for value in values]
    return found


def in_rst(options: dict[str, str], title: str = "", prose: str = "") -> str:
    block = "".join(f"   :{name}: {value}\n" for name, value in options.items())
    return f".. dice:example:: {title}\n{block}\n   {prose}\n"


def in_myst(options: dict[str, str], title: str = "", prose: str = "") -> str:
    block = "".join(f":{name}: {value}\n" for name, value in options.items())
    return f"````{{dice:example}} {title}\n{block}\n{prose}\n````\n"


def in_yaml(options: dict[str, str], title: str = "", prose: str = "") -> str:
    # What stands after a number sign would be a comment.
    texts = {name: f"'{value}'" if "#" in value else value for name, value in options.items()}
    block = "".join(f"{name}: {value}\n" for name, value in texts.items())
    return f"````{{dice:example}} {title}\n---\n{block}---\n\n{prose}\n````\n"


@pytest.fixture(scope="module")
def read(shared_book):
    """What was read of each text, by page."""
    texts = [(id, name, text) for id, name, text in forms()]
    texts += [("methuen/expression", "expression", text) for text in HOSTILE]
    pages = {"index.rst": in_rst, "myst.md": in_myst, "yaml.md": in_yaml}
    for page, write in pages.items():
        examples = [write({"mechanic": id, name: text, "class": "last"}) for id, name, text in texts]
        if page == "index.rst":
            examples.append(".. toctree::\n\n   myst\n   yaml\n")
        shared_book.page("\n".join(examples), page)
    built = shared_book.build()
    return texts, {
        page: [node.block for node in built.doctree(page.partition(".")[0]).findall(dice_mechanic)] for page in pages
    }


@pytest.mark.parametrize("page", ["index.rst", "myst.md", "yaml.md"])
def test_every_text_is_read_as_it_was_written(read, page):
    texts, pages = read
    assert len(pages[page]) == len(texts)
    lost = []
    for (id, name, text), worked in zip(texts, pages[page], strict=True):
        # A tilde and two bars mean something to whoever reads a block of YAML.
        if page == "yaml.md" and text in {">", "|"}:
            continue
        if worked.parameters != {name: text} or worked.mechanic != id or "class" not in worked.option_lines:
            lost.append((text, worked.parameters))
    assert lost == []


@pytest.mark.parametrize("page", ["index.rst", "myst.md", "yaml.md"])
def test_every_documented_form_reads_as_its_value(read, page):
    _, pages = read
    for (id, name, text), worked in zip(forms(), pages[page], strict=False):
        field = mechanic(id).parameters()[name]
        assert field.convert(worked.parameters[name]) == field.convert(text)


@pytest.mark.parametrize("page", ["index.rst", "myst.md", "yaml.md"])
def test_each_option_stands_in_the_file_where_sphinx_has_read_it(read, shared_book, page):
    _, pages = read
    text = (shared_book.src / page).read_text()
    heads = [head for head in find_heads(text) if head.key[0] == "example"]
    assert [head.option_lines for head in heads] == [block.option_lines for block in pages[page]]
    for head, block in zip(heads, pages[page], strict=True):
        assert {option.name: option.written for option in head.parsed.options} == block.option_texts
        assert {option.value for option in head.parsed.options} >= set(block.parameters.values())
        parts = [part for option in head.parsed.options for part in option.parts]
        assert [text[part.start : part.end] for part in parts] == [part.text for part in parts]


def test_myst_takes_one_pair_of_quotes_off_a_value_that_is_quoted_as_a_whole(book):
    book.page(in_myst({"mechanic": "'methuen/expression'", "expression": "\"'3d6'\"", "seed": "1"}), "index.md")
    [example] = book.build().doctree().findall(dice_mechanic)
    assert example.block.mechanic == "methuen/expression"
    assert example.block.parameters == {"expression": "'3d6'"}


def test_continuation_lines_are_joined(book):
    goes_on = "mechanic: methuen/expression\n{0}expression: 3d6\n{1}   + 2\n{1}     + 1\n"
    book.page(".. dice:example::\n   :" + goes_on.format("   :", "   ") + "\n.. toctree::\n\n   a\n   b\n")
    book.page("```{dice:example}\n:" + goes_on.format(":", "") + "```\n", "a.md")
    block = "mechanic: methuen/expression\nexpression: >\n  3d6\n  + 2\n  + 1\n"
    book.page(f"```{{dice:example}}\n---\n{block}---\n```\n", "b.md")
    built = book.build()
    for page in ("index", "a", "b"):
        [example] = built.doctree(page).findall(dice_mechanic)
        assert example.block.parameters == {"expression": "3d6 + 2 + 1"}


def test_a_comment_in_yaml_is_no_part_of_a_value(book):
    book.page(
        """
        ```{dice:example}
        ---
        mechanic: dice/roll   # the rule
        notation: '2d6 [# 1]' # the dice
        actor: Dexterity=2,   # the best
          Luck#1=3  # the other
        seed: >-  # any
          ash # 7
        expect:  # to be filled in
        ---
        ```
    """,
        "index.md",
    )
    [example] = book.build().doctree().findall(dice_mechanic)
    block = example.block
    assert block.mechanic == "dice/roll"
    assert block.parameters == {"notation": "2d6 [# 1]", "actor": "Dexterity=2, Luck#1=3"}
    assert (block.seed, block.expect) == ("ash # 7", "")


def test_a_title_may_go_on_in_rst_and_options_may_stand_alone(book):
    book.page("""
        .. dice:example:: A title
           that goes on: with `ticks` and *stars*
           :mechanic: methuen/expression
           :expression: 2

        .. dice:example::
           A title below
           :mechanic: methuen/expression
           :expression: 2

        .. dice:example::
           :mechanic: methuen/expression
           :expression: 2

        .. dice:example:: Ends in colons::
           :mechanic: methuen/expression
           :expression: 2
    """)
    examples = list(book.build().doctree().findall(dice_mechanic))
    titles = ["A title that goes on: with ticks and stars", "A title below", "", "Ends in colons::"]
    assert [example.block.title for example in examples] == titles
    assert [example.block.option_lines["mechanic"] for example in examples] == [7, 12, 16, 20]


SNIPPETS = {
    "all": (
        {"mechanic": "methuen/expression", "expression": "3d6", "dice": "4 2 5", "expect": "total=11"},
        "A *Power* Shot, and **more**",
        "Renna rolls {0}dice{1} and deals {0}total{1}: {0}dice.1{1} first.",
    ),
    "plain": ({"mechanic": "ember/blaze", "seed": "3", "hide": "call", "class": "a b"}, "Blaze", "**Strong**."),
    "quiet": ({"mechanic": "methuen/expression", "expression": "2 * 3", "hide": "steps, call"}, "", ""),
    "wrong": ({"mechanic": "methuen/expression", "expression": "2 *", "expect": "total=<b>"}, "<b>", "Is {0}total{1}."),
    "mismatch": ({"mechanic": "methuen/expression", "expression": "2 * 3", "expect": "total=7"}, "", "{0}total{1}"),
    "actor": (
        {"mechanic": "methuen/expression", "expression": "[Health  Maximum]", "actor": "Health Maximum=-20"},
        'Smart -- "quotes" aren\'t ...',
        "{0}actor.Health Maximum{1}, {0}actor{1} and {0}expression{1} 'quoted' -- {0}raw{1}.",
    ),
}


def test_both_languages_give_the_same_page(book):
    languages = {"index.rst": (in_rst, ":dice:fact:`", "rst"), "myst.md": (in_myst, "{dice:fact}`", "myst")}
    for page, (write, role, prefix) in languages.items():
        text = [
            write({"name": f"{prefix}-{name}", **options}, title, prose.format(role, "`"))
            for name, (options, title, prose) in SNIPPETS.items()
        ]
        book.page("\n\n".join(text) + ("\n.. toctree::\n\n   myst\n" if page == "index.rst" else ""), page)
    built = book.build("html", html_theme="basic")
    shown = {}
    for page, prefix in (("index", "rst"), ("myst", "myst")):
        html = built.read(f"{page}.html").replace(f"dice-{prefix}-", "dice-")
        start, end = html.index('<div class="dice-example'), html.rindex('class="dice-result')
        shown[page] = html[start:end].splitlines()
    assert shown["index"][0] == '<div class="dice-example dice-system-methuen docutils container" id="dice-all">'
    assert shown["index"] == shown["myst"]
    assert [w.type for w in built.warnings if w.file == "index.rst"] == [
        w.type for w in built.warnings if w.file == "myst.md"
    ]
