"""Faults that authors made are found at their lines; what only looks like one is passed over."""

import json
from pathlib import Path
from typing import Any

from dicedocs.lint.book import Book, check_page
from dicedocs_lint.files import SUFFIXES, read_text

INPUTS = json.loads(Path(__file__).with_name("inputs.json").read_text(encoding="utf-8"))
BOOKS = json.loads(Path(__file__).with_name("books.json").read_text(encoding="utf-8"))
UNCERTAIN = {"19-worked-sum.md"}
"""What is said only if everything is asked for."""


def said(name: str, text: str, *, everything: bool = False) -> list[tuple[int, str]]:
    """Return what is said of a page, each with its line."""
    page = read_text(name, text.encode(), SUFFIXES[Path(name).suffix])
    findings = Book((check_page(page),)).findings(everything=everything)
    return [(finding.line, finding.message) for _, finding in findings]


def differing(inputs: list[dict[str, Any]]) -> list[str]:
    """Return the inputs of which something else is said than expected."""
    wrong = []
    for each in inputs:
        name, expected = each["name"], each["says"]
        found = said(name, each["text"], everything=name in UNCERTAIN)
        right = len(found) == len(expected) and all(
            line == place and part in message for (line, message), (place, part) in zip(found, expected, strict=True)
        )
        if not right or (name in UNCERTAIN and said(name, each["text"])):
            wrong.append(f"{name}: expected {expected}, got {found}")
    return wrong


def test_each_input() -> None:
    assert len(INPUTS) == 37
    assert differing(INPUTS) == []


def test_what_books_had() -> None:
    """Each is made after what a book has: false alarms, and faults that were missed or told several times."""
    assert differing(BOOKS) == []
