"""The tables of the language in the guide: what means the same does, what is refused is, and what to write is read."""

import re
from pathlib import Path

from dicedocs.errors import DiceError
from tests.core.language_places import odds_of, rule_of

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "guide" / "values-and-conditions.md").read_text("utf-8")
LINES = {
    "total": "2d6",
    "face": "1d6",
    "pool": "5d10",
    "best": "highest(pool)",
    "hits": "3d6>=4",
    "wounds": "1d4 - 1",
    "open": "face > 2",
    "lit": "face is 1 or 4",
    "mood": '"calm" if face > 4, "tense" if face > 2, else "grim"',
    "good": "2d{-, hit}",
    "bad": "1d{-, miss}",
}
OPTIONS = {
    "skilled": "yes",
    "rating": "4 (1 to 6)",
    "target": "8",
    "keep": "2",
    "bonus": "2",
    "luck": "2",
    "traits": "d8 d6",
}


def rule_with(value, lines=LINES):
    """Return a rule with a value behind the lines that the page takes for granted."""
    options = {name: text for name, text in OPTIONS.items() if name in value}
    return rule_of(*(f"{name} = {text}" for name, text in lines.items()), f"x = {value}", **options)


def counted(condition):
    """Return the probability of a condition, behind the lines on which it depends: more dice only take longer."""
    lines, text = {}, condition
    for name in reversed(LINES):
        if name in text:
            lines = {name: LINES[name], **lines}
            text += LINES[name]
    return odds_of(rule_with(condition, lines), "x").exactly(True)


def test_what_is_said_shortly_means_what_the_guide_says():
    section = PAGE.partition("### And, or, not")[2].partition("### Events")[0]
    pairs = re.findall(r"^\| `([^`]+)` \| `([^`]+)` \|$", section, re.MULTILINE)
    assert len(pairs) > 7
    odds = [[counted(text) for text in pair] for pair in pairs]
    assert [pair for pair, (short, long) in zip(pairs, odds, strict=True) if short != long or short in (0, 1)] == []


def test_what_the_guide_asks_of_dice_and_adds_is_read():
    section = PAGE.partition("## Something more")[2].partition("## What is refused")[0]
    rows = re.findall(r"^\| (`.*)$", section, re.MULTILINE)
    assert len(rows) > 8
    for text in re.findall("`([^`]+)`", "".join(rows)):
        rule_with(text)


def test_what_the_guide_refuses_is_refused_and_what_it_writes_instead_is_read():
    rows = re.findall(r"^\| `([^`]+)` \| .* \| (.+) \|$", PAGE.partition("| Refused |")[2], re.MULTILINE)
    assert len(rows) > 20
    read, refused = [], []
    for text, instead in rows:
        for each in (text, *re.findall("`([^`]+)`", instead)):
            try:
                rule_with(each)
                read.append(each)
            except DiceError:
                refused.append(each)
    assert (refused, set(read) & set(refused)) == ([text for text, _ in rows], set())
