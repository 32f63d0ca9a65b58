"""The rules of the page with known games are those that have a second statement, and each of them has one example."""

import re
from textwrap import dedent

from ..core.known_rules import KNOWN_RULES
from .test_snippets import DOCS, blocks

PAGE = DOCS / "guide" / "known-games.md"


def test_each_rule_is_one_that_is_compared_with_a_second_statement():
    ids = re.findall(r"^```\{dice:mechanic\} (.+)$", PAGE.read_text("utf-8"), re.MULTILINE)
    written = [block.text.strip() for block in blocks(PAGE) if block.kind == "{dice:mechanic}"]
    known = {rule.id: dedent(rule.text).strip() for rule in KNOWN_RULES}
    assert dict(zip(ids, written, strict=True)) == {id: known[id] for id in ids}


def test_each_rule_has_an_example_and_odds():
    played = {"{dice:example}": [], "{dice:claim}": []}
    for block in blocks(PAGE):
        if block.kind in played:
            played[block.kind] += re.findall(r"^:mechanic: (.+)$", block.text, re.MULTILINE)
    ids = re.findall(r"^```\{dice:mechanic\} (.+)$", PAGE.read_text("utf-8"), re.MULTILINE)
    assert played == dict.fromkeys(played, ids)
