"""The rules that the chapters state: those of the facts, each of which something shows, or says why nothing does."""

import re
from pathlib import Path

import pytest

from dicedocs_sphinx.blocks.rule_ids import expand_ids

from ..conformance.facts import read_facts

ROOT = Path(__file__).resolve().parents[2]
FACTS = ROOT / "tests" / "conformance"
UNSTATED = {"M101": "It is about what the source leaves out of its summary."}
RULE = re.compile(r"^```\{dice:rule\} (?P<ids>.+)\n(?P<unshown>:unshown: \S.*\n)?", re.MULTILINE)
SHOWS = re.compile(r"^:shows: (.+)$", re.MULTILINE)
CHAPTERS = ["methuen", "total-effect", "mecha-vs-kaiju", "dungeoneers", "mage-in-the-metal"]


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_chapter_states_each_fact_once_and_shows_it(chapter):
    page = (ROOT / "docs" / "rulebook" / f"{chapter}.md").read_text("utf-8")
    blocks = [(expand_ids(each["ids"]), each["unshown"]) for each in RULE.finditer(page)]
    stated = [rule for ids, _ in blocks for rule in ids]
    excused = {rule for ids, unshown in blocks if unshown for rule in ids}
    shown = {rule for ids in SHOWS.findall(page) for rule in expand_ids(ids)}
    # The decisions, whose ids have two letters, are the rulings of the chapter.
    facts = {rule for rule in read_facts(FACTS / f"{chapter}.md") if re.fullmatch("[A-Z][0-9]+", rule)}
    assert len(stated) == len(set(stated))
    assert set(stated) == facts - UNSTATED.keys()
    assert shown <= set(stated)
    assert set(stated) - shown <= excused
