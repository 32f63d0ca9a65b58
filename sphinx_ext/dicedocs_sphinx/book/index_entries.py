"""The index of a book: each name once, with its chapter, or with an entry for each chapter that has it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import groupby
from typing import Any, Final, TypeAlias

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.transforms import SphinxTransform

from dicedocs.render.words import clean
from dicedocs.translation import pgettext
from dicedocs_sphinx.blocks.page_mechanic import PageMechanicBlock
from dicedocs_sphinx.blocks.rule import RuleBlock
from dicedocs_sphinx.book_language import book_language
from dicedocs_sphinx.nodes import dice_block, dice_fact, section_around, title_of

_ARTICLE: Final = re.compile(r"(\w+’|\w+(?= )) ?(.+)")
"""What may be an article, and the rest of a title; in French it may end with an apostrophe."""

_Links: TypeAlias = list[tuple[str, str]]
"""For each place whether it is the main one, and its address."""
_Entry: TypeAlias = tuple[str, tuple[_Links, list[tuple[str, _Links]], str | None]]
"""The name of an entry, its places, the entries below it, and the letter that it stands under."""
_Index: TypeAlias = list[tuple[str, list[_Entry]]]


def index_entry(title: str) -> str:
    """Return a title as an index has it: with its article behind it.

    >>> index_entry("A clear shot"), index_entry("The bar"), index_entry("Another hat"), index_entry("The")
    ('Clear shot, a', 'Bar, the', 'Another hat', 'The')
    """
    if (parts := _ARTICLE.fullmatch(title)) is None or parts[1].lower() not in _articles():
        return title
    return f"{parts[2][0].upper()}{parts[2][1:]}, {parts[1].lower()}"


def _articles() -> list[str]:
    return pgettext("the articles with which a title may begin", "a an the").split()


def _name(entry: str) -> str:
    """Return what makes two entries the same: the text without its article, in lower case."""
    name, comma, article = entry.rpartition(", ")
    return (name if comma and article in _articles() else entry).casefold()


def note_in_index(node: dice_block) -> None:
    """Put a rule, or a mechanic of the page, into the index by its title, else by the heading of its section."""
    block, title = node.block, title_of(node)
    if block.is_hidden or not isinstance(block, RuleBlock | PageMechanicBlock):
        return
    if isinstance(block, RuleBlock) and not block.title:
        block = node.block = replace(block, heading=_heading(node))
    # What may still change has no place there.
    if title is not None and next(iter(title.findall(dice_fact)), None) is not None:
        return
    name, section = block.title, section_around(node)
    address = block.anchor
    if not name and isinstance(block, RuleBlock) and block.heading and section is not None:
        # What is called as its heading is found there.
        name, address = block.heading, section["ids"][0]
    # A semicolon would make the rest of the title an entry below the first part; TeX has no U+FFFD.
    text = clean(name).replace(";", ",").replace("\ufffd", "").strip()
    if not text:
        return
    position = addnodes.index(entries=[("single", index_entry(text), address, "", None)])
    position.source, position.line = node.source, node.line
    place: nodes.Element = node
    while isinstance(block, PageMechanicBlock) and not isinstance(place.parent, nodes.section | nodes.document):
        # Within a list it would change how the list looks.
        place = place.parent
    place.parent.insert(place.parent.index(place), position)


def _heading(node: dice_block) -> str:
    """Return the heading of the section whose first rule without a title this is; a page's title names no rule."""
    section = section_around(node)
    if section is None or isinstance(section.parent, nodes.document):
        return ""
    rules = (each for each in section.findall(dice_block) if isinstance(each.block, RuleBlock))
    is_first = next(each for each in rules if not each.block.title and not each.block.is_hidden) is node
    return clean(section[0].astext()) if is_first else ""


class TermsGiveWay(SphinxTransform):
    """Leave out of the index each term that a rule, or the author, gives an entry in the same chapter."""

    default_priority = 845  # before the domains read the page, at 850

    def apply(self, **_kwargs: Any) -> None:
        with book_language(self.env):
            all_entries = list(self.document.findall(addnodes.index))
            terms = [node for node in all_entries if isinstance(node.parent, nodes.term)]
            named = {_name(entry[1]) for node in all_entries if node not in terms for entry in node["entries"]}
            for node in terms:
                node["entries"] = [entry for entry in node["entries"] if _name(entry[1]) not in named]


def name_chapters(
    app: Sphinx, page: str, _template: str, context: dict[str, Any], _doctree: nodes.document | None
) -> None:
    """Give each name in the index of a site its chapter."""
    if "genindexentries" in context:
        context["genindexentries"] = with_chapters(
            app.env, lambda chapter: app.builder.get_relative_uri(page, chapter), context["genindexentries"]
        )


def with_chapters(env: BuildEnvironment, address: Callable[[str], str], groups: _Index) -> _Index:
    """Return an index in which each name has its chapter, or an entry below it for each chapter that has it.

    Parameters:
        env: the environment.
        address: returns the address of a page, where the index is.
        groups: the index: letters, each with its entries.
    """
    if len(env.titles) <= 1:
        return groups
    names = _short_titles({each: clean(title.astext()) for each, title in env.titles.items()})
    titles = {address(chapter): name for chapter, name in names.items()}
    return [
        (letter, [_merged(list(same), titles) for _name, same in groupby(entries, lambda entry: entry[0].casefold())])
        for letter, entries in groups
    ]


def _short_titles(titles: Mapping[str, str]) -> dict[str, str]:
    """Return the titles of chapters without what follows a colon, unless another chapter is called that too.

    >>> _short_titles({"one": "Dungeoneers: a pool", "two": "Magic: spells", "three": "Magic: runes"})
    {'one': 'Dungeoneers', 'two': 'Magic: spells', 'three': 'Magic: runes'}
    """
    short = {chapter: title.partition(": ")[0] for chapter, title in titles.items()}
    counts = Counter(short.values())
    return {chapter: title if counts[short[chapter]] > 1 else short[chapter] for chapter, title in titles.items()}


def _merged(same: list[_Entry], titles: Mapping[str, str]) -> _Entry:
    """Return one entry, with its chapters, for those that differ in capitals at most."""
    name, (_links, _below, letter) = same[0]
    links = [link for _name, (links, _below, _letter) in same for link in links]
    below = [entry for _name, (_links, below, _letter) in same for entry in below]
    chapters = _by_chapter(links, titles)
    if len(chapters) > 1:
        return name, ([], [*chapters.items(), *below], letter)
    return " ".join([name, *(f"({chapter})" for chapter in chapters)]), (links, below, letter)


def _by_chapter(links: Iterable[tuple[str, str]], titles: Mapping[str, str]) -> dict[str, _Links]:
    chapters: dict[str, _Links] = {}
    for main, address in links:
        chapters.setdefault(titles[address.partition("#")[0]], []).append((main, address))
    return dict(sorted(chapters.items()))


def setup_index_entries(app: Sphinx) -> None:
    app.add_transform(TermsGiveWay)
    app.connect("html-page-context", name_chapters)
