"""The rows that stand in a line of a rule: ``6- miss, 7-9 weak hit``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import inf
from types import MappingProxyType
from typing import Final

from dicedocs.errors import DiceError, quoted
from dicedocs.page_rules.meant_rows import meant_line
from dicedocs.page_rules.page_rule import TableRow
from dicedocs.page_rules.rule_lines import LookedUp
from dicedocs.page_rules.text_dice import find_dice
from dicedocs.parsing import QUOTATION, unquoted
from dicedocs.rules.yes_and_no import TYPED_TRUTHS
from dicedocs.similar_words import near
from dicedocs.syntax.foreign_words import spelling_of
from dicedocs.syntax.names import bound_names
from dicedocs.syntax.parts import node_name
from dicedocs.syntax.ranges import JoinedRangesError, Range, is_range, read_ranges
from dicedocs.syntax.relations import CONNECTIVES, DOWNWARDS, UPWARDS
from dicedocs.syntax.rule_values import parse_rule_value
from dicedocs.syntax.tree import Reference, nodes

ELSE: Final = "else"
"""What stands before the words for all other values."""
OTHERWISE: Final = {ELSE, "otherwise"}
"""How it may be written."""
_JOINED: Final = re.compile(
    r"(?:=+>?|[-\u2013\u2014\u2212]+>?(?=\s)(?!\s*[0-9])|[→⇒(])\s*|(?:is|means|then)\s+", re.IGNORECASE
)
"""What some write between numbers and what they mean."""
_SIGNED: Final = re.compile(r"[+\u2212\u2013-]?[0-9]+")
_SPACED_SIGN: Final = re.compile(r"([-+\u2212]?[0-9]+)\s+([-+\u2010-\u2015\u2212])")
_SIGN: Final = re.compile(r"[-+\u2010-\u2015\u2212<>=≤≥≠~&|/*×÷^%:;,]+|[0-9]\S*")
"""A number, or what joins numbers."""
_MARK: Final = re.compile(r'["“”„«»]')
_ROW: Final = re.compile(r"[0-9]+(?:[+]|[-\u2013][0-9]*)")
"""What begins a row as most are written."""
_CASES: Final = frozenset({"if", "unless", "while", "else", "otherwise"})
"""What makes a case of words, as in ``hit if open``."""
_JOINING: Final = frozenset({*CONNECTIVES, *_CASES, "not", "except", "to", "through", "until"})
_RANGE_WORDS: Final[Mapping[str, str]] = {
    **dict.fromkeys((*UPWARDS, "plus", "min", "minimum", "at least"), "or more"),
    **dict.fromkeys((*DOWNWARDS, "minus", "max", "maximum", "at most"), "or less"),
    **dict.fromkeys(("~", "until", "up to"), "to"),
}
"""What stands behind a number for what :func:`spelling_of` does not know as a part of a range."""


def read_rows(
    line: LookedUp, names: Mapping[str, str] = MappingProxyType({}), known: Sequence[str] = ()
) -> Iterator[TableRow]:
    """Yield the rows that stand in a line: ``6- miss, 7-9 weak hit``, or ``small 2, large 5``.

    Parameters:
        line: the line.
        names: the names of the rule so far, by how they are written; none of them is words.
        known: the words that are looked up; none for numbers.
    """
    others: list[Range] = []
    items = list(row_items(line))
    kinds: dict[bool, str] = {}
    left = list(known)
    for place, (at, item) in enumerate(items, 1):
        words = item.split()
        if known:
            keys, words = _word_keys(item, known, left, line, at)
            left = [word for word in left if word not in keys]
            label = numbers = " or ".join(keys)
        elif _is_rest(words[0]) and words[1:] and others:
            numbers, words = words[0].removesuffix(":"), words[1:]
            label = ", ".join(each.typed for each in _rest(others))
        else:
            cuts = [at for at in range(1, len(words)) if is_range(" ".join(words[:at]))]
            if not cuts and is_range(item) and place < len(items):
                hint = f"write or between numbers, as in {item} or {items[place][1]}"
                raise line.text.error(f"no words stand behind {quoted(item)}", at, hint)
            if not cuts:
                meant = _meant(line, names)
                hint = f"write {meant or 'numbers and what they mean, as in 6- miss, 7-9 weak hit, 10+ strong hit'}"
                if words[0].casefold() in CONNECTIVES:
                    hint = 'put words with a comma in quotes, as in 1-3 "no, and"'
                elif words[0].casefold() in TYPED_TRUTHS:
                    hint = "write what is yes or no behind if, as in 2d8 if critical, else 1d8"
                raise line.text.error(f"{quoted(item)} is not a row", at, hint)
            label = numbers = " ".join(words[: cuts[-1]])
            if spaced_sign := _SPACED_SIGN.fullmatch(numbers):
                number, sign = spaced_sign.groups()
                rest = " ".join(words[cuts[-1] :])
                hint = f"write {number}{'+' if sign == '+' else '-'} {rest}, or {number} {rest} for this number alone"
                raise line.text.error(f"ambiguous: {quoted(numbers)} before words", at, hint)
            words = words[cuts[-1] :]
            try:
                others += read_ranges(numbers)
            except JoinedRangesError as error:
                hint = " ".join([error.hint, *words]) if error.shared else error.hint
                raise line.text.error(error.message, at + error.at, hint) from None
        meaning = _meaning(words, line, at, numbers, {**names, **{word: word for word in known}})
        is_number = _SIGNED.fullmatch(" ".join(words)) is not None
        if kinds.setdefault(is_number, meaning) and len(kinds) > 1:
            number = kinds[True]
            message = f"{quoted(number)} is a number, and {quoted(kinds[False])} is not"
            raise line.text.error(message, at, f'write "{number}" in quotes for a word, or only numbers')
        yield TableRow(keys if known else (label,), (meaning,))
    if left:
        raise line.text.error(f"{quoted(left[0])} is in no row", line.at, "add a row for it, or end with else")


def _word_keys(
    item: str, known: Sequence[str], left: Sequence[str], line: LookedUp, at: int
) -> tuple[tuple[str, ...], list[str]]:
    """Return the words that a row is for, and the words behind them; ``else`` is for all that have no row yet."""
    keys, rest = list[str](), item.split()
    if _is_rest(rest[0]) and rest[1:]:
        if not left:
            raise line.text.error(f"each word has a row before {quoted(rest[0])}", at, "leave this one out")
        keys, rest = list(left), rest[1:]
    longest = sorted(known, key=lambda word: len(word.split()), reverse=True)
    while not keys or (rest[0].casefold() == "or" and len(rest) > 1):
        rest = rest[1:] if keys else rest
        key = next((word for word in longest if _begins(rest, word)), None)
        if key is None:
            hint = near(rest[0], known) or "write a word and what it means, as in small 2, large 5"
            raise line.text.error(f"{line.subjects[0].value.strip()} is never {quoted(rest[0])}", at, hint)
        if key not in left or key in keys:
            raise line.text.error(f"{quoted(key)} is in two rows", at, "leave one of them out")
        keys.append(key)
        rest = rest[len(key.split()) :]
        if not rest:
            raise line.text.error(f"nothing stands behind {quoted(item)}", at, f"write what it means, as in {item} 2")
    return tuple(keys), rest


def _meant(line: LookedUp, names: Mapping[str, str]) -> str:
    """Return how a line may be written whose rows are none; empty if that is not known."""
    return meant_line(line.label, line.subjects[0].value.strip(), [item for _, item in row_items(line)], names)


def _begins(words: Sequence[str], known: str) -> bool:
    """Return whether a row begins with a known word, which a colon may follow, as it may follow numbers."""
    parts = known.split()
    return " ".join(words[: len(parts)]).removesuffix(":").casefold() == " ".join(parts).casefold()


def _is_rest(word: str) -> bool:
    return word.removesuffix(":").casefold() in OTHERWISE


def _meaning(words: Sequence[str], line: LookedUp, at: int, numbers: str, names: Mapping[str, str]) -> str:
    """Return what a row in a line means; a number is one, whatever its sign.

    Parameters:
        words: what stands behind its numbers.
        line: the line.
        at: where the row stands in it.
        numbers: its numbers, or the word that it is for.
        names: the names of the rule so far.
    """
    text = " ".join(words)
    if re.fullmatch(QUOTATION, text):
        return unquoted(text)
    if _SIGNED.fullmatch(text):
        return text.replace("\u2212", "-").replace("\u2013", "-").lstrip("+")
    quotes = f'"{text}" in quotes'
    if joined := _JOINED.match(text):
        hint = f"write {numbers} {text[joined.end() :].strip('() ')}, or {quotes}"
        raise line.text.error(f"{quoted(joined[0].strip())} would be a part of the word", at, hint)
    if (stripped := text.rstrip(",;| ")) != text:
        message = f"{quoted(text[len(stripped) :].strip())} would be a part of the word"
        raise line.text.error(message, at, f"write {numbers} {stripped}, or {quotes}")
    if [each.written for each in find_dice(text, "cell")] == [text]:
        subject = line.subjects[0].value.strip()
        hint = f"write {_meant(line, names) or f'a case, as in {text} if {subject} is {numbers}, else 0'}"
        raise line.text.error(f"{quoted(text)} in a row of a line is not thrown", at, hint)
    if _MARK.search(text):
        hint = 'put words between two quotation marks, as in "hit"'
        raise line.text.error(f"{quoted(text)} is partly in quotes", at, hint)
    if found := _not_words(words, numbers, names):
        written, meant, spelling = found
        if not spelling and not meant:
            spelling = _meant(line, names)
        if not spelling:
            test = f"{line.subjects[0].value.strip()} >= 7"
            case = f'"hit" if {test} and open, else "miss"' if meant else f"{text} if {test}, else 0"
            ways = ["numbers as in 7 or 11, 7-9 or 7+"] * bool(meant and meant not in _CASES)
            ways += [f"cases as in {line.label} = {case}"] * (not meant or meant in {*CONNECTIVES, *_CASES})
            spelling = ", ".join(ways)
        hint = f"write {spelling}, or {quotes}"
        raise line.text.error(f"ambiguous: {quoted(written)} could be a word, or part of the rule", at, hint)
    return text


def _not_words(words: Sequence[str], numbers: str, names: Mapping[str, str]) -> tuple[str, str, str] | None:
    """Return what could be more than the words of a row, what that means, and what to write for it.

    A value means nothing else; what to write is empty if it is not known.
    """
    text = " ".join(words)
    is_one = _SIGNED.fullmatch(numbers) is not None
    start = "" if numbers.casefold() in OTHERWISE else numbers
    for end in (3, 2, 1):
        written, rest = " ".join(words[:end]), words[end:]
        spelling = spelling_of(written) or written.casefold()
        spelling = _RANGE_WORDS.get(spelling, spelling)
        if spelling.startswith("or ") and not is_one:
            continue
        if spelling != written.casefold() and (read := _longer(start, [*spelling.split(), *rest])):
            return written, spelling, read
    if _is_value(text, names):
        return text, "", ""
    sign = _SIGN.match(text)
    if read := _longer(start, words) or (_longer(start, ["or", *words]) if sign else ""):
        return words[0], "or", read
    if sign:
        return sign[0], "or", "numbers as in 7 or 11, 7-9 or 7+"
    for at in range(len(words)):
        if at and at < len(words) - 1 and _ROW.fullmatch(words[at]):
            return words[at], "or", f"a comma before {' '.join(words[at:])}"
        written, meant = _joint(words[at:])
        if meant in (_CASES if at else _JOINING) and (at < len(words) - 1 or written == text):
            return written, meant, ""
    return None


def _joint(words: Sequence[str]) -> tuple[str, str]:
    """Return the joining word with which some words begin, and what the language has for it; empty without one."""
    for end in (3, 2, 1):
        written = " ".join(words[:end]).lstrip("(")
        plain = written.casefold()
        spelling = spelling_of(plain)
        if plain in _JOINING:
            return written, plain
        # In English she falls; in German it is "if". A word of another language that stands alone joins nothing.
        if spelling in {*CONNECTIVES, "to"} and words[end:] and plain != "falls":
            return written, spelling
    return "", ""


def _longer(numbers: str, words: Sequence[str]) -> str:
    """Return a row whose numbers go on in its words, as it is to be written; empty if they do not."""
    found = ""
    for end in range(1, len(words)):
        longer = f"{numbers} {' '.join(words[:end])}".strip()
        try:
            read_ranges(longer)
        except DiceError:
            continue
        found = " ".join([longer, *words[end:]])
    return found


def _is_value(text: str, names: Mapping[str, str]) -> bool:
    """Return whether words are a value: arithmetic, or a name of the rule."""
    try:
        parts = list(nodes(parse_rule_value(text, bound_names(names))))
    except DiceError:
        return False
    found = [node_name(each.name) for each in parts if isinstance(each, Reference)]
    return not found or not set(names.values()).isdisjoint(found)


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
