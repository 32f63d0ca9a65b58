"""The rows that stand in a line of a rule: ``6- miss, 7-9 weak hit``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from math import inf
from typing import Final

from dicedocs.errors import quoted
from dicedocs.page_rules.page_rule import TableRow
from dicedocs.page_rules.rule_lines import LookedUp
from dicedocs.page_rules.text_dice import find_dice
from dicedocs.parsing import QUOTATION, unquoted
from dicedocs.rules.truth_words import TYPED_TRUTHS
from dicedocs.syntax.ranges import Range, is_range, read_ranges

_JOINED: Final = re.compile(r"(?:=+>?|[-\u2013\u2014\u2212]+>?(?=\s)|[→⇒(])\s*|(?:is|means)\s+", re.IGNORECASE)
"""What some write between numbers and what they mean."""
_SIGNED: Final = re.compile(r"[+\u2212-][0-9]+")


def read_rows(line: LookedUp) -> Iterator[TableRow]:
    """Yield the rows that stand in a line: ``6- miss, 7-9 weak hit``."""
    others: list[Range] = []
    items = list(row_items(line))
    for place, (at, item) in enumerate(items, 1):
        words = item.split()
        if words[0].casefold() in {"else", "otherwise"} and words[1:] and others:
            label = ", ".join(str(each).replace("\u2013", "-") for each in _rest(others))
            yield TableRow((label,), (_meaning(words[1:], line, at, words[0]),))
            continue
        cuts = [at for at in range(1, len(words)) if is_range(" ".join(words[:at]))]
        if not cuts and is_range(item) and place < len(items):
            hint = f"write or between numbers, as in {item} or {items[place][1]}"
            raise line.text.error(f"no words stand behind {quoted(item)}", at, hint)
        if not cuts:
            hint = "write numbers and what they mean, as in 6- miss, 7-9 weak hit, 10+ strong hit"
            if words[0].casefold() in TYPED_TRUTHS:
                hint = "write what is yes or no behind if, as in 2d8 if critical, else 1d8"
            raise line.text.error(f"{quoted(item)} is not a row", at, hint)
        numbers = " ".join(words[: cuts[-1]])
        others += read_ranges(numbers)
        yield TableRow((numbers,), (_meaning(words[cuts[-1] :], line, at, numbers),))


def _meaning(words: Sequence[str], line: LookedUp, at: int, numbers: str) -> str:
    """Return what a row in a line means; a number is one, whatever its sign."""
    text = " ".join(words)
    if joined := _JOINED.match(text):
        hint = f'write {numbers} {text[joined.end() :].strip("() ")}, or "{text}" in quotes'
        raise line.text.error(f"{quoted(joined[0].strip())} would be a part of the word", at, hint)
    if [each.written for each in find_dice(text, "cell")] == [text]:
        hint = f"write a case, as in {text} if {line.subjects[0].value.strip()} >= 4, else 0"
        raise line.text.error(f"{quoted(text)} in a row of a line is not thrown", at, hint)
    if _SIGNED.fullmatch(text):
        return text.replace("\u2212", "-").lstrip("+")
    return unquoted(text)


def _rest(ranges: Iterable[Range]) -> Iterator[Range]:
    """Yield the numbers that are in none of some ranges."""
    behind: int | None = None
    is_first = True
    for each in sorted(ranges, key=lambda one: -inf if one.low is None else one.low):
        if each.low is not None and (is_first or (behind is not None and each.low > behind)):
            yield Range(None if is_first else behind, each.low - 1)
        if each.high is None:
            return
        is_first, behind = False, max(each.high + 1, behind if behind is not None else each.high + 1)
    yield Range(behind, None)


def row_items(line: LookedUp) -> Iterator[tuple[int, str]]:
    """Yield the rows that stand in a line as written, each with its position in the line."""
    sign = next((sign for sign in ";|" if sign in line.bands), ",")
    for part in re.finditer(rf"(?!\s)(?:{QUOTATION}|[^{sign}])+", line.bands):
        yield line.at + part.start(), " ".join(part[0].split())
