"""Numbers that make a page large: the work grows with them, not with their square, and what is too deep is refused."""

from collections import Counter

import pytest

from dicedocs import limits
from dicedocs_sphinx import directive_head, source_locations
from dicedocs_sphinx.blocks import read_block
from dicedocs_sphinx.book import domain
from dicedocs_sphinx.book.domain import DiceDomain

HEAD = """
.. dice:example:: T
   :mechanic: methuen/expression
   :expression: 3d6
   :dice: 4 2 5
   :expect: total=11
"""
BROKEN = HEAD.replace("total=11", "total={0}").replace(":mechanic:", ":name: e{0}\n   :mechanic:")


@pytest.fixture
def work(monkeypatch):
    """How often the costly functions were called."""
    counts = Counter()

    def counted(owner, name):
        original = getattr(owner, name)

        def call(*args, **kwargs):
            counts[name] += 1
            return original(*args, **kwargs)

        monkeypatch.setattr(owner, name, call)

    counted(source_locations, "find_heads")
    counted(directive_head, "_read_options")
    return counts


@pytest.mark.parametrize("line", [":unknown{0}: x", "malformed {0}", ":expect: total={0}"])
def test_all_wrong_options_are_located_in_one_pass(book, work, line):
    book.page(HEAD + "".join(f"   {line.format(number)}\n" for number in range(200)))
    warnings = book.build().warnings
    assert len(warnings) >= 200
    assert [w.line for w in warnings[-2:]] == [208, 209]
    # Once for Sphinx and once in the file, when the issues are located, and not again for each issue.
    assert work == {"find_heads": 1, "_read_options": 2}


def test_the_source_is_read_once_for_all_broken_examples(book, work):
    book.page("\n".join(BROKEN.format(number) for number in range(100, 150)))
    warnings = book.build().warnings
    assert [w.line for w in warnings[:2]] == [10, 18]
    assert len(warnings) == 50
    assert work == {"find_heads": 1, "_read_options": 50 * 2}


def test_an_included_file_is_read_once_for_all_examples_in_it(book, work):
    book.write("part.inc", "Part\n----\n" + "\n".join(BROKEN.format(number) for number in range(100, 150)))
    book.page(".. include:: part.inc\n")
    warnings = book.build().warnings
    assert [(w.file, w.line) for w in warnings[:2]] == [("part.inc", 9), ("part.inc", 17)]
    assert len(warnings) == 50
    assert work == {"find_heads": 1, "_read_options": 50 * 2}


def test_the_blocks_of_a_page_are_not_read_again_for_each_other_page(book, monkeypatch):
    pages = 10
    counts: Counter[str] = Counter()

    def counted(data):
        counts["read"] += 1
        return read_block(data)

    monkeypatch.setattr(domain, "read_block", counted)
    book.cases([HEAD] * pages)
    assert book.build().log == ""
    assert counts["read"] <= 3 * pages


def test_a_file_that_has_changed_is_read_again(tmp_path):
    path = tmp_path / "page.rst"
    path.write_text("one", "utf-8")
    assert source_locations.file_lines(str(path)) == ["one"]
    path.write_text("three", "utf-8")
    assert source_locations.file_lines(str(path)) == ["three"]
    assert source_locations.file_lines(str(tmp_path / "none")) == []


def test_similar_names_are_searched_for_the_first_unknown_names_only(book):
    names = "\n".join(f":dice:ref:`shot-{number}`\n" for number in range(120))
    book.page(HEAD.replace(":mechanic:", ":name: shot\n   :mechanic:") + "\n" + names)
    texts = [w.text for w in book.build("text").warnings]
    assert len(texts) == 120
    assert sum("did you mean 'shot'?" in text for text in texts) == 100
    assert texts[-1] == "nothing is named 'shot-119'"


def test_hundreds_of_uses_are_kept_in_order(book):
    book.page(" ".join(f":dice:fact:`b{number % 50}.total`" for number in range(200)))
    domain: DiceDomain = book.build().app.env.domains["dice"]
    assert [each.path for each in domain.inlines("index")] == [f"b{number % 50}.total" for number in range(200)]


def nested(depth):
    lines = []
    for level in range(depth):
        options = [f".. dice:example:: T{level}", "   :mechanic: methuen/expression", "   :expression: 3"]
        lines += [*("   " * level + line for line in [*options, "   :expect: total=3"]), ""]
    return "\n".join(lines)


def test_blocks_that_are_nested_too_deep_are_refused(book):
    book.page(nested(limits.BLOCKS.maximum))
    assert book.build().log == ""
    book.page(nested(300))
    built = book.build("html")
    [warning] = built.warnings
    assert warning.text.startswith("example-21: 21 levels of blocks within blocks on a page; the limit BLOCKS is 20")
    assert warning.type == "dicedocs.option"
    assert "T20" in built.read("index.html")
    assert "T21" not in built.read("index.html")


@pytest.mark.parametrize("name", ["index.rst", "index.md"])
def test_a_title_of_a_megabyte_is_refused_and_not_parsed(book, name):
    title = "*x* (y) " * 125_000
    text = (
        HEAD if name.endswith(".rst") else "```{dice:example} T\n:mechanic: methuen/expression\n:expression: 3\n```\n"
    )
    book.page(text.replace("T\n", f"{title}\n"), name)
    built = book.build("html")
    warning = built.warnings[0]
    assert warning.text == (
        "example-1: 999999 characters in the title of a block on a page; the limit TITLE is 1000; "
        "move the rest into the body"
    )
    assert len(built.read("index.html")) < 50_000


def test_an_option_of_a_megabyte_is_refused(book):
    book.page(HEAD.replace("3d6", "1+" * 500_000))
    [warning] = book.build().warnings
    assert (warning.line, warning.type) == (7, "dicedocs.value")
    assert "the limit VALUE_TEXT is 10000" in warning.text


def test_a_system_is_known_without_importing_every_game(book, monkeypatch):
    monkeypatch.setattr("dicedocs.rules.registry.mechanics", None)
    book.page(".. dice:character::\n   :name: ash\n   :system: ember\n   :values: S=1\n")
    assert book.build().log == ""
