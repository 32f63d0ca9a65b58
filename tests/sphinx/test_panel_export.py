"""What a panel gives to be pasted into a book builds there, and holds."""

from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import dicedocs as dd
from dicedocs.panel.forms.session import Session
from dicedocs.panel.view.outcome_source import directive, directive_rst
from dicedocs.render.words import clean
from dicedocs.rules.example import Example
from dicedocs_sphinx.nodes import dice_mechanic

from ..core.drawing import of_any_mechanic
from .conftest import Book

NUMBER = count()


def pasted(book, kept):
    """The examples of a book into which some outcomes were pasted in both languages, as they were read."""
    pages = {"index.rst": directive_rst, "more.md": directive}
    for name, write in pages.items():
        toc = ".. toctree::\n   more\n\n" if name == "index.rst" else ""
        book.page(toc + "\n\n".join(write(*one) for one in kept), name)
    built = book.build(fresh=True)
    assert built.log == ""
    for name in ("index", "more"):
        examples = [node.block for node in built.doctree(name).findall(dice_mechanic)]
        yield from zip(examples, kept, strict=True)


def test_the_example_of_every_mechanic(book):
    kept = []
    for id in dd.mechanics():
        session = Session(id, seed=61, label=f"One of {id}")
        kept.append((session.roll(), 61, session.label))
    for block, (outcome, seed, label) in pasted(book, kept):
        assert (block.title, block.issues) == (label, [])
        assert Example(block.mechanic, block.parameters, block.seed).play() == outcome
        assert block.seed == str(seed)


@given(st.lists(of_any_mechanic(), min_size=8, max_size=20))
@settings(max_examples=2, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_parameters_of_any_mechanic(tmp_path_factory, kept):
    book = Book(tmp_path_factory.mktemp(f"kept{next(NUMBER)}"))
    for block, (outcome, seed, label) in pasted(book, kept):
        assert block.issues == []
        assert block.title == " ".join(clean(label).split())
        assert block.seed == str(seed)
        assert block.expect
        again = Example(block.mechanic, block.parameters, block.seed).play()
        assert again.facts() == outcome.facts()
        assert again.dice == outcome.dice


@pytest.mark.parametrize("text", ["'quoted'", '"quoted"', "'it''s' so'", "''", "'", "> less", "# none", "[a]", "a: b"])
def test_a_text_that_markdown_would_read_as_more(book, text):
    session = Session("ember/haul", {"note": text}, seed=1)
    for block, (outcome, _, _) in pasted(book, [(session.roll(), 1, "")]):
        assert block.parameters.get("note", "") == text
        assert Example(block.mechanic, block.parameters, 1).play() == outcome


def test_titles_are_no_markup(book):
    outcome = dd.roll("3d6", seed=61)
    labels = ["*a* `b` |c| d_ [e](f) <g> {dice:roll}`3d6`", ":seed: 5", "``` ~~~", "http://x.org a@b.c $x$ #h"]
    for block, (_, _, label) in pasted(book, [(outcome, 61, label) for label in labels]):
        assert block.title == label


@pytest.mark.parametrize("label", ["\x1b", ";", "\u200b ;\x00"])
def test_a_title_without_a_letter_builds_without_a_complaint(book, label):
    # `pasted` asserts an empty log.
    assert len(list(pasted(book, [(dd.roll("3d6", seed=61), 61, label)]))) == 2
