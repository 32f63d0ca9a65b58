"""The rules of a page that its quick reference gathers, by the sections in which they stand."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from docutils import nodes
from sphinx import addnodes

from dicedocs.errors import listed, quoted
from dicedocs_sphinx.blocks.page_mechanic import PageMechanicBlock
from dicedocs_sphinx.blocks.rule import RuleBlock
from dicedocs_sphinx.diagnostics import Problem
from dicedocs_sphinx.nodes import STATEMENT, ancestors, dice_block, dice_reference, section_around
from dicedocs_sphinx.source_locations import source_location
from dicedocs_sphinx.statements import misread


class SectionRules(NamedTuple):
    """The rules of a section, without those of the sections in it; of those before all sections it is ``None``."""

    section: nodes.section | None
    rules: list[dice_block]


def gathered_rules(reference: dice_reference) -> list[SectionRules]:
    """Return the rules that a quick reference gathers, in the order of the page."""
    without = set(reference["without"])
    rules = [each for each in _rules_elsewhere(reference) if without.isdisjoint(_ids(each))]
    return [SectionRules(section, list(group)) for section, group in groupby(rules, key=section_around)]


def note_reference_faults(document: nodes.document) -> None:
    """Let each quick reference of a page state what is wrong with it."""
    for reference in document.findall(dice_reference):
        known = {each for rule in _rules_elsewhere(reference) for each in _ids(rule)}
        unknown = [each for each in reference["without"] if each not in known]
        if unknown:
            names = listed(map(quoted, unknown), "and")
            message = f"dice:reference: the other sections of this page have no rule {names}; correct 'without'"
        elif not gathered_rules(reference):
            hint = "state one with dice:rule or dice:mechanic"
            message = f"dice:reference: there is no rule in the other sections of this page; {hint}"
        else:
            continue
        location = source_location(reference.source, reference.line)
        reference[STATEMENT] = misread(Problem.REFERENCE, message, *location).data()


def _rules_elsewhere(reference: dice_reference) -> Iterator[dice_block]:
    """Yield the rules of the page that readers see, but for those of the reference's own section."""
    own, page = section_around(reference), _page(reference)
    for node in page.findall(dice_block):
        block = node.block
        if block.is_hidden or not isinstance(block, RuleBlock | PageMechanicBlock) or not any(_ids(node)):
            continue
        if section_around(node) is not own and _page(node) is page:
            yield node


def _ids(node: dice_block) -> list[str]:
    block = node.block
    return list(block.ids) if isinstance(block, RuleBlock) else [block.name]


def _page(node: nodes.Node) -> nodes.Element:
    """Return the page of a node, in a document that may be made of several."""
    return next(each for each in ancestors(node) if isinstance(each, nodes.document | addnodes.start_of_file))
