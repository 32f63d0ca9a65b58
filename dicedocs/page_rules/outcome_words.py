"""Words for each outcome: ``result | strong hit: off it comes | else: it holds``.

Each of the words becomes a condition, so that whoever has another outcome needs nothing but conditions to know which
words are true.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from math import inf
from types import MappingProxyType
from typing import Final, NamedTuple

from dicedocs import limits
from dicedocs.errors import NotationError, quoted
from dicedocs.page_rules.axis import Reach
from dicedocs.page_rules.outcome_conditions import Case, ConditionText, OutcomeValues, holds, without_owner
from dicedocs.page_rules.row_faults import Span, find_gaps, within
from dicedocs.page_rules.rule_tables import ELSE, OTHERWISE
from dicedocs.rules.kinds import spaced
from dicedocs.rules.yes_and_no import TYPED_TRUTHS
from dicedocs.similar_words import near
from dicedocs.syntax.foreign_words import spelling_of
from dicedocs.syntax.notation_errors import suggestion
from dicedocs.syntax.parts import node_name
from dicedocs.syntax.ranges import OPEN, read_ranges
from dicedocs.syntax.relations import RANGE
from dicedocs.syntax.rule_names import TRUTH
from dicedocs.syntax.tree import Reference
from dicedocs.syntax.value_kinds import NO, YES

_ROLE: Final = re.compile(r"\{\w[\w:-]*\}|:dice:\w+:")
"""A role, in either markup."""


def read_words(text: str, values: OutcomeValues, owner: str = "") -> tuple[Case, ...]:
    """Return words and when they are true: exactly one of them for each outcome.

    Parameters:
        text: ``result | strong hit: off it comes | else: it holds``, ``total | 6-: far too low | 7+: enough``,
            ``total >= 8 | Well done | A pity``.
        values: those of an outcome.
        owner: as for :func:`read_case`.

    Raises:
        NotationError: it cannot be read, or some value has no words, or words twice; the error holds the position.

    >>> import dicedocs as dd
    >>> climb = OutcomeValues(dd.check("1d20 + 4 >= 15", dice=[12]))
    >>> [case.words for case in read_words("success | Up she goes. | She slips.", climb) if case.holds]
    ['Up she goes.']
    >>> for case in read_words("left | 14-: not quite | 15-16: just | 17+: with ease", climb):
    ...     print(case)
    Case(condition='left is 14 or less', words='not quite', holds=False)
    Case(condition='left is 15–16', words='just', holds=True)
    Case(condition='left is 17+', words='with ease', holds=False)
    """
    limits.VALUE_TEXT.check(len(text), hint="write a dice:case for each")
    if role := _ROLE.search(text):
        hint = "write a dice:case for each, which may contain roles"
        raise NotationError(f"{quoted(role[0])} cannot be used in words", text=text, at=role.start(), hint=hint)
    starts = [0, *(match.end() for match in re.finditer(r"\|", text))]
    pieces = [
        _Piece(text[start : end - 1], start) for start, end in zip(starts, [*starts[1:], len(text) + 1], strict=True)
    ]
    subject, *rest = pieces
    if not rest:
        said = suggestion(text, len(text), lambda way: None if "|" in way else 0, lambda *_: True, "words")
        hint = said or "write it like result | hit: it opens | miss: it holds"
        raise NotationError("no words follow it", text=text, at=len(text), hint=hint)
    limits.ITEMS.check(len(rest), hint="write fewer words")
    reader = ConditionText(text, values, owner)
    if not subject.stripped:
        raise NotationError(
            "there is no fact before the words", text=text, at=0, hint="write it like result | hit: ..."
        )
    if subject.label and '"' not in subject.text:
        hint = f"write {subject.label} | {subject.words} | {rest[0].stripped}"
        raise NotationError("a fact alone stands before the first bar", text=text, at=subject.first, hint=hint)
    part, kind = reader.read(subject.stripped, subject.first, is_subject=True)
    name = without_owner(subject.stripped, owner)
    if kind == TRUTH:
        path = reader.path(part.tree.name) if isinstance(part.tree, Reference) else ""
        cases = _words_of_truth(text, name, rest, values.truth_words(path))
    elif not isinstance(part.tree, Reference):
        hint = f"write {name} >= 8 | enough | too little"
        raise NotationError(f"{quoted(name)} is neither a fact nor a condition", text=text, at=subject.first, hint=hint)
    else:
        kind, complete = reader.kind(part.tree.name)
        if isinstance(kind, tuple):
            cases = _words_of_words(text, name, rest, kind, complete=complete)
        else:
            reach = values.reach(reader.path(part.tree.name))
            cases = _words_of_number(text, name, rest, reach, optional=not complete)
    return tuple([case._replace(holds=holds(case.condition, values)) for case in cases])


class _Piece(NamedTuple):
    """A part of a text between two bars, and where it begins."""

    text: str
    at: int

    @property
    def stripped(self) -> str:
        return self.text.strip()

    @property
    def first(self) -> int:
        """Where its first letter is."""
        return self.at + len(self.text) - len(self.text.lstrip())

    @property
    def label(self) -> str:
        """What stands before its colon; empty without one."""
        label, colon, _ = self.text.partition(":")
        return " ".join(label.split()) if colon else ""

    @property
    def words(self) -> str:
        """What stands behind its colon, or all of it."""
        _, colon, words = self.text.partition(":")
        return words.strip() if colon else self.stripped


def _words_of_truth(text: str, name: str, pieces: Sequence[_Piece], declared: Sequence[str]) -> list[Case]:
    opposite = f"not ({name})"
    labels = [each.label.casefold() for each in pieces]
    if all(label in {*TYPED_TRUTHS, *OTHERWISE, *map(str.casefold, declared)} for label in labels):
        conditions = {YES: name, NO: opposite, **dict(zip(declared, (name, opposite), strict=False))}
        of_declared = any(label in map(str.casefold, declared) for label in labels)
        known = declared if of_declared else [YES, NO]
        return _words_of_words(text, name, pieces, known, complete=True, conditions=conditions)
    if spelled := next((each for each in pieces if spelling_of(each.label) in {YES, NO}), None):
        hint = f"write {spelling_of(spelled.label)}: {spelled.words}"
        raise NotationError(
            f"{quoted(spelled.label)} is no word of the language", text=text, at=spelled.first, hint=hint
        )
    if len(pieces) > 2:
        hint = f"write {name} | if it holds | if not"
        raise NotationError("a condition is yes or no", text=text, at=pieces[2].first, hint=hint)
    if label := next((each for each in pieces if each.label.casefold() in {*OTHERWISE, *TYPED_TRUTHS}), None):
        hint = f"write {' | '.join([name, *(each.words for each in pieces)])}, or yes: and no: before both"
        raise NotationError(f"{quoted(label.label)} would be a part of the words", text=text, at=label.first, hint=hint)
    yes, no = pieces[0].stripped, pieces[1].stripped if len(pieces) == 2 else ""
    return [Case(name, yes, holds=False), Case(opposite, no, holds=False)]


def _words_of_words(
    text: str,
    name: str,
    pieces: Sequence[_Piece],
    values: Sequence[str],
    *,
    complete: bool,
    conditions: Mapping[str, str] = MappingProxyType({}),
) -> list[Case]:
    by_name = {node_name(value): value for value in values}
    if YES in by_name:
        by_name |= {word: YES if truth else NO for word, truth in TYPED_TRUTHS.items()}
    found: dict[str, Case] = {}
    otherwise: str | None = None
    of_several = [(piece, label) for piece in pieces for label in _labels(piece.label, by_name)]
    for piece, label in of_several:
        if not label:
            value, _, words = map(str.strip, re.sub("->|→|=>", "=", piece.stripped).partition("="))
            if node_name(value) not in by_name:
                value, words = next(iter(values), "hit"), piece.stripped
            raise NotationError(
                f"these words lack the {spaced(name)} that they are for",
                text=text,
                at=piece.first,
                hint=f"write {value}: {words or '...'}",
            )
        if label.casefold() in OTHERWISE and ELSE not in by_name:
            otherwise = _note_else(text, piece, pieces, otherwise)
            continue
        known = by_name.get(node_name(label))
        if known is None and complete:
            message = f"{quoted(name)} is never {quoted(label)}"
            raise NotationError(message, text=text, at=piece.first, hint=near(label, [*values]))
        value = known or label
        if '"' in value:
            raise NotationError("words with a quotation mark are ambiguous", text=text, at=piece.first)
        if value in found:
            raise NotationError(
                f"{quoted(value)} has words already", text=text, at=piece.first, hint="leave out one of the two"
            )
        found[value] = Case(conditions.get(value, f'{name} = "{value}"'), piece.words, holds=False)
    return _with_else(text, list(found.values()), otherwise, _missing(name, values, found, complete=complete))


def _labels(label: str, known: Collection[str]) -> list[str]:
    """Return what words are for: one value, or several that are known, as in ``hit or critical``."""
    several = re.split(r"\s*,\s*(?:or\s+)?|\s+or\s+", label)
    return several if node_name(label) not in known and all(node_name(each) in known for each in several) else [label]


def _missing(name: str, values: Sequence[str], found: Mapping[str, Case], *, complete: bool) -> str:
    """Return what is missing; empty if all values have words."""
    if not complete:
        return f"it is not known what else {quoted(name)} can be"
    return next((f"{quoted(value)} has no words" for value in values if value not in found), "")


def _note_else(text: str, piece: _Piece, pieces: Sequence[_Piece], before: str | None) -> str:
    if before is not None or piece is not pieces[-1]:
        raise NotationError("'else' is not the last", text=text, at=piece.first, hint="write it once, at the end")
    return piece.words


def _with_else(text: str, cases: list[Case], otherwise: str | None, missing: str) -> list[Case]:
    """Return words with those for all other values.

    Raises:
        NotationError: there are none, and some value has no words.
    """
    if otherwise is None:
        if missing:
            raise NotationError(
                missing, text=text, at=len(text), hint="add its words, or end with else: and words for all others"
            )
        return cases
    if not cases:
        raise NotationError("'else' stands alone", text=text, at=0, hint="write the words of a value before it")
    others = " or ".join(f"({case.condition})" for case in cases)
    return [*cases, Case(f"not ({others})", otherwise, holds=False)]


def _words_of_number(text: str, name: str, pieces: Sequence[_Piece], reach: Reach, *, optional: bool) -> list[Case]:
    cases: list[Case] = []
    otherwise: str | None = None
    spans: list[Span] = []
    for piece in pieces:
        if piece.label.casefold() in OTHERWISE:
            otherwise = _note_else(text, piece, pieces, otherwise)
            continue
        if not piece.label:
            numbers, words = _split(piece.stripped)
            hint = f"write {numbers}: {words or '...'}, or a condition: {name} >= 8 | enough | too little"
            raise NotationError(
                f"these words lack the {spaced(name)} that they are for", text=text, at=piece.first, hint=hint
            )
        try:
            ranges = read_ranges(piece.label)
        except NotationError as error:
            hint = f"write else: {piece.words}" if piece is pieces[-1] and piece.label.isalpha() else error.hint
            raise NotationError(error.message, text=text, at=piece.first + error.at, hint=hint) from None
        for one in ranges:
            span = Span.of(one)
            if span.low > span.high:
                raise NotationError(
                    f"{one} runs backwards", text=text, at=piece.first, hint="begin with the lower number"
                )
            if within(*span[:2], reach) is None:
                whole = within(-inf, inf, reach) or OPEN
                beyond = "" if within(*span[:2], whole) else f": it is {whole}"
                message = f"{quoted(name)} is never {one}{beyond}"
                raise NotationError(message, text=text, at=piece.first, hint="leave it out")
            if other := next((each for each in spans if span.low <= each.high and each.low <= span.high), None):
                hint = "let one end before the other begins"
                raise NotationError(f"{one} and {other.numbers} overlap", text=text, at=piece.first, hint=hint)
            spans.append(span)
        cases.append(Case(f"{name} is {' or '.join(map(str, ranges))}", piece.words, holds=False))
    missing = f"{quoted(name)} can be none, which has no words" if optional else ""
    gap = next((f"{numbers} has no words" for _, numbers in find_gaps(sorted(spans), reach)), "")
    return _with_else(text, cases, otherwise, gap or missing)


def _split(text: str) -> tuple[str, str]:
    """Return the numbers at the beginning of a text, and its words."""
    found = RANGE.match(text)
    return (found[0].strip(), text[found.end() :].strip()) if found else ("6-", text)
