"""The rules of the page with known games are those that have a second statement, and each of them has one example.

The second statement of the games of the rulebook is their class: see test_core_rolls.py.
"""

import re
from textwrap import dedent

from ..core.known_rules import KNOWN_RULES
from .test_snippets import DOCS, blocks

PAGE = DOCS / "guide" / "known-games.md"
OF_RULEBOOK = "five/"
"""What the ids of the core rolls of the rulebook's games begin with."""


def written_rules() -> dict[str, str]:
    """Return what stands in each rule of the page, by its id, in order."""
    ids = re.findall(r"^```\{dice:mechanic\} (.+)$", PAGE.read_text("utf-8"), re.MULTILINE)
    texts = [block.text.strip() for block in blocks(PAGE) if block.kind == "{dice:mechanic}"]
    return dict(zip(ids, texts, strict=True))


def test_each_rule_is_one_that_is_compared_with_a_second_statement():
    known = {rule.id: dedent(rule.text).strip() for rule in KNOWN_RULES}
    of_others = {id: text for id, text in written_rules().items() if not id.startswith(OF_RULEBOOK)}
    assert of_others == {id: known[id] for id in of_others}


def test_each_rule_has_an_example_and_odds():
    played = {"{dice:example}": [], "{dice:claim}": []}
    for block in blocks(PAGE):
        if block.kind in played:
            played[block.kind] += re.findall(r"^:mechanic: (.+)$", block.text, re.MULTILINE)
    ids = list(written_rules())
    assert played == dict.fromkeys(played, ids)
