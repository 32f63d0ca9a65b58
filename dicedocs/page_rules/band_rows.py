"""Rows of a line that compare with names or sums, or mean values: ``up to skill / 5 critical``, ``10+ 2d6``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import product
from math import prod
from typing import Any, Final, NamedTuple

from dicedocs.errors import DiceError, quoted
from dicedocs.page_rules.rule_lines import Banded, BandRow, Line, LookedUp, Repeated
from dicedocs.page_rules.rule_steps import names_in, throws_dice
from dicedocs.page_rules.rule_tables import check_sign, is_rest, no_row, row_items, row_meaning
from dicedocs.rules.kinds import as_text, spaced
from dicedocs.rules.yes_and_no import TYPED_TRUTHS
from dicedocs.syntax.evaluation import compiled
from dicedocs.syntax.names import bound_names
from dicedocs.syntax.parts import Part, node_name, read_part
from dicedocs.syntax.ranges import Range, is_range, read_ranges
from dicedocs.syntax.relations import COMPARE
from dicedocs.syntax.rule_values import parse_rule_value
from dicedocs.syntax.tree import (
    Chain,
    Compared,
    DiceTerm,
    Group,
    Logic,
    Node,
    Number,
    Question,
    Reference,
    Set,
    Words,
    nodes,
)

_CUT: Final = re.compile(r"\s*:\s*|\s+")
_SIGN: Final = re.compile(r"[-+\u2212\u2013](?P<space>\s*)")
_MOST_VALUES: Final = 10_000
"""For how many values of the names in rows it is found out whether one of the rows holds."""
_RELATION: Final = re.compile(rf"{COMPARE}|(?:not|between|from)\b", re.IGNORECASE)
_WHOLE: Final = re.compile(r"[-+\u2212\u2013]?[0-9]+")


def with_bands(lines: Iterable[Line], parameters: Iterable[str], words: Iterable[str]) -> Iterator[Line]:
    """Yield lines, of which those whose rows have names, sums or values are cases.

    Parameters:
        lines: the lines.
        parameters: the names of the parameters.
        words: what these can be.
    """
    names, keys = {name: name for name in parameters}, {word: word for word in words}
    for line in lines:
        if isinstance(line, Repeated):
            yield line._replace(body=tuple(with_bands(line.body, names, keys)))
            names |= {each.label: node_name(each.label) for each in line.body if not isinstance(each, Repeated)}
        else:
            yield (_banded(line, names, keys) or line) if isinstance(line, LookedUp) else line
            names[line.label] = node_name(line.label)


class _Row(NamedTuple):
    """A row that is cut in two.

    Parameters:
        at: where it stands in the line.
        numbers: what stands before what it means.
        test: the condition that this is; ``None`` for the rest.
        means_at: where what it means begins in the line.
        meaning: what it means.
    """

    at: int
    numbers: str
    test: Part | None
    means_at: int
    meaning: str

    @property
    def is_for_numbers(self) -> bool:
        """Whether it is for numbers that stand in it."""
        return self.test is not None and is_range(self.numbers)


def _banded(line: LookedUp, names: Mapping[str, str], words: Mapping[str, str]) -> Banded | None:
    """Return a line as one with cases; ``None`` if its rows are for numbers or words alone, or are none."""
    if not line.bands or len(line.subjects) > 1:
        return None
    (subject,), known, values = line.subjects, bound_names({**words, **names}), bound_names(names)
    cut = [_cut(at, item, line, known) for at, item in row_items(line)]
    rows = [row for row in cut if row is not None]
    compares = any(row.test and not row.is_for_numbers and _compares(row.test, values) for row in rows)
    if not (compares or any(_is_value(row.meaning, values) for row in rows)):
        return None
    for row, (at, item) in zip(cut, row_items(line), strict=True):
        if row is None:
            raise no_row(line, at, item, known)
    if throws_dice(subject.tree):
        hint = f"write roll = {subject.value.strip()} on a line above, and look up roll"
        raise subject.error("the rows compare this more than once, and it throws dice", 0, hint)
    if early := next((row for row in rows[:-1] if row.test is None), None):
        raise line.text.error(f"rows stand behind {early.numbers}", early.at, "let it be the last one")
    return Banded(line.label, subject, tuple(_row(row, line, values) for row in rows), line.text)


def _cut(at: int, item: str, line: LookedUp, names: Mapping[str, str]) -> _Row | None:
    """Return a row, cut behind the longest condition with which it begins; ``None`` if it begins with none."""
    cuts = [found for found in _CUT.finditer(item) if item[found.end() :]]
    if cuts and is_rest(item[: cuts[0].start()]):
        return _Row(at, item[: cuts[0].start()], None, at + cuts[0].end(), item[cuts[0].end() :])
    for cut in reversed(cuts):
        if test := _test(line, at, item[: cut.start()], names):
            return _Row(at, item[: cut.start()], test, at + cut.end(), item[cut.end() :])
    for cut in cuts:
        # What a line above comes to may be such a word.
        word, value = item[: cut.start()], item[cut.end() :]
        words = {each: node_name(each) for each in re.split(r"\s+or\s+", word)}
        test = _test(line, at, word, {**names, **bound_names(words)}) if re.match(r"[^\W\d_]", word) else None
        if test and not _compares(test, {}) and (_WHOLE.fullmatch(value) or _is_value(value, names)):
            return _Row(at, word, test, at + cut.end(), value)
    return None


def _test(line: LookedUp, at: int, written: str, names: Mapping[str, str]) -> Part | None:
    """Return a condition on what is looked up; ``None`` if a text is none, or has a name that nothing has."""
    of, known = line.subjects[0], {*names.values(), *TYPED_TRUTHS}
    subject = of.value.strip() if isinstance(of.tree, Reference) else f"({of.value.strip()})"
    with suppress(DiceError):
        written = " or ".join(each.typed for each in _ranges(written)) if is_range(written) else written
        for before in [f"{subject} is ", *([f"{subject} "] if _RELATION.match(written) else [])]:
            with suppress(DiceError):
                part = read_part(line.text, at - len(before), before + written, names)
                sums = [each for each in nodes(part.tree) if isinstance(each, Chain)]
                is_known = names_in(part.tree) <= known and not any(names_in(each) & {*TYPED_TRUTHS} for each in sums)
                if isinstance(part.tree, Compared | Logic) and is_known:
                    return part
    return None


def _ranges(written: str) -> tuple[Range, ...]:
    """Return the numbers that stand in a row; 00 is 100."""
    return read_ranges(written, zero=100 if re.search(r"\b00\b", written) else 0)


def _compares(test: Part, names: Mapping[str, str]) -> bool:
    """Return whether a condition is more than the words for which a row is."""
    found = [node for node in nodes(test.tree) if isinstance(node, Compared)]
    others = {name for node in found for name in names_in(node.right)}
    return any(node.op != "=" for node in found) or not others.isdisjoint({*names.values(), *TYPED_TRUTHS})


def _row(row: _Row, line: LookedUp, names: Mapping[str, str]) -> BandRow:
    """Return a row with what it means read: a number, a value or words."""
    at, text = row.means_at, row.meaning
    check_sign(line, row.at, row.numbers, text)
    others = set[str]() if row.test is None else names_in(row.test.tree) - names_in(line.subjects[0].tree)
    if (sign := _SIGN.match(text)) and (sign["space"] or not others.isdisjoint(names.values())):
        hint = f"write {row.numbers} ({text}) if it is what the row means"
        raise line.text.error(f"ambiguous: {quoted(text)} behind {quoted(row.numbers)}", at, hint)
    ranges = _ranges(row.numbers) if row.is_for_numbers else ()
    if _WHOLE.fullmatch(text):
        value = Part(line.text, at, Number(int(text.replace("\u2212", "-").replace("\u2013", "-"))), text)
    elif _is_value(text, names):
        value = read_part(line.text, at, text, names)
    else:
        words = row_meaning(text.split(), line, row.at, row.numbers, names)
        value = Part(line.text, at, Words(words, at), text)
    return BandRow(row.at, row.numbers, row.test, ranges, value)


def _is_value(text: str, names: Mapping[str, str]) -> bool:
    """Return whether what a row means is dice or a sum; a name alone, or yes and no, may be a word."""
    try:
        tree = parse_rule_value(text, names)
    except DiceError:
        return False
    if any(isinstance(node, Question) for node in nodes(tree)):
        return True
    is_one = isinstance(tree, Group) or throws_dice(tree) or bool(names_in(tree))
    return is_one and names_in(tree) <= {*names.values()} and not isinstance(tree, Compared | Logic | Reference)


def check_rows(line: Banded, tests: Sequence[Node], values: Mapping[str, Sequence[Any]]) -> None:
    """Refuse rows of which perhaps none holds, and one that never is the first to hold.

    Parameters:
        line: the line.
        tests: the conditions of its rows.
        values: all that each name in them can be; empty if that is unknown.

    Raises:
        RuleError: a number has no row, or a row no number.
    """
    last, is_whole = line.rows[-1], line.rows[-1].test is None
    asks_dice = any(isinstance(node, DiceTerm | Set | Question) for test in tests for node in nodes(test))
    if asks_dice or not 0 < prod(map(len, values.values())) <= _MOST_VALUES:
        if not is_whole:
            start = line.text.joined[: last.at]
            hint = f"write {start}else {last.value.value.strip()}, if this row is for all others"
            raise line.text.error("some numbers may be in no row", last.at, hint)
        return
    places = {name: place for place, name in enumerate(values)}
    hold = [compiled(test, places) for test in tests]
    ever, first = set[int](), set[int]()
    for chosen in product(*values.values()):
        held = [at for at, holds in enumerate(hold) if holds(chosen)]
        if not (held or is_whole):
            said = " and ".join(
                f"{spaced(name)} = {as_text(value)}" for name, value in zip(values, chosen, strict=True)
            )
            raise line.text.error(f"no row is for {said}", last.at, "add one, or end with else")
        ever.update(held)
        first.update(held[:1])
    if hidden := sorted(ever - first):
        row = line.rows[hidden[0]]
        raise line.text.error(
            f"the rows before {quoted(row.written)} leave nothing for it", row.at, "put it before them"
        )
