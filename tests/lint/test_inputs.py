"""Faults that authors made are found at their lines; what only looks like one is passed over."""

import json
from pathlib import Path

from dicedocs.lint.book import Book, check_page
from dicedocs_lint.files import SUFFIXES, read_text

INPUTS = json.loads(Path(__file__).with_name("inputs.json").read_text(encoding="utf-8"))
UNCERTAIN = {"19-worked-sum.md"}
"""What is said only if everything is asked for."""


def said(name: str, text: str, *, everything: bool = False) -> list[tuple[int, str]]:
    """Return what is said of a page, each with its line."""
    page = read_text(name, text.encode(), SUFFIXES[Path(name).suffix])
    findings = Book((check_page(page),)).findings(everything=everything)
    return [(finding.line, finding.message) for _, finding in findings]


def test_each_input() -> None:
    wrong = []
    for each in INPUTS:
        name, expected = each["name"], each["says"]
        found = said(name, each["text"], everything=name in UNCERTAIN)
        right = len(found) == len(expected) and all(
            line == place and part in message for (line, message), (place, part) in zip(found, expected, strict=True)
        )
        if not right or (name in UNCERTAIN and said(name, each["text"])):
            wrong.append(f"{name}: expected {expected}, got {found}")
    assert len(INPUTS) == 37
    assert wrong == []
