"""Texts of the full notation that may mean two things. They are refused, with a spelling for each meaning."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Final, NamedTuple

from dicedocs.errors import quoted
from dicedocs.syntax.faces import UNCLEAR_DIE, DieFaces, DieType
from dicedocs.syntax.joined_dice import is_joined, joined_terms
from dicedocs.syntax.mistakes import Kind
from dicedocs.syntax.modifiers import (
    COMPARE,
    Choose,
    Explode,
    Keep,
    Modifier,
    PoolRules,
    Settle,
    Success,
    written_modifier,
)
from dicedocs.syntax.tree import (
    Chain,
    Compared,
    DiceTerm,
    Group,
    Labelled,
    Negation,
    Node,
    Number,
    Reference,
    Set,
    children,
    nodes,
)

_CONDITION: Final = re.compile(rf"(?P<op>{COMPARE})(?P<number>-?[0-9]*)")
_SIGNED_DIVISOR: Final = re.compile(r"(?<![dD\s])\s*(?P<at>%)\s*[-+]")
_UNCLEAR: Final = Number(UNCLEAR_DIE)
_DICE: Final = re.compile(r"(?P<count>[0-9]+|\[[^\[\]]*\])?[dD](?P<sides>[0-9]+)")


class Ambiguity(NamedTuple):
    """A place of a text that may mean several things.

    Parameters:
        at: its position.
        message: what is wrong.
        spellings: the whole text for each meaning, by what it is for. Those that are not legal are not shown.
        hint: what to write when none is.
    """

    at: int
    message: str
    spellings: Mapping[str, str]
    hint: str


def first_ambiguity(body: str, tree: Node, kind: Kind) -> Ambiguity | None:
    """Return the first place of a text that may mean several things; ``None`` if there is none.

    Parameters:
        body: the text without its comment.
        tree: what it was parsed to.
        kind: what it should be.

    >>> from dicedocs.syntax.tree import DiceTerm, Number
    >>> first_ambiguity("2d36", DiceTerm(Number(2), Number(36)), "Expression").spellings
    {'for one die with 36 sides': '2d(36)', 'for tens and ones': '(2d3 * 10 + 2d6)'}
    """
    found = _ambiguities(body, tree, alone=kind == "Expression", whole=kind == "Check")
    return next(chain(_percentage(body, tree), found), None)


def counts(node: Node) -> bool:
    """Return whether a node is a number of successes, or whether something holds, so that it is often only 1 or 0."""
    return isinstance(node, Compared) or (
        isinstance(node, DiceTerm | Set) and any(isinstance(one, Success) for one in node.modifiers)
    )


def _percentage(body: str, tree: Node) -> Iterator[Ambiguity]:
    """Yield a remainder whose divisor has a sign: ``50% + skill`` means a percentage, to which something is added."""
    has_remainder = any(isinstance(node, Chain) and any(sign == "%" for sign, _ in node.rest) for node in nodes(tree))
    if found := _SIGNED_DIVISOR.search(body) if has_remainder else None:
        added = _SIGNED_DIVISOR.sub(lambda each: f" {each[0][-1]}", body)
        yield Ambiguity(found.start("at"), "'%' is the remainder of a division", {"": added}, "leave the % out")


def _ambiguities(body: str, node: Node, *, alone: bool, whole: bool = False) -> Iterator[Ambiguity]:
    """Yield the ambiguities of a node, from left to right.

    Parameters:
        alone: whether dice that are counted stand alone, so that their comparison compares nothing else.
        whole: whether the node is all of a check, which compares two values.
    """
    if isinstance(node, Compared):
        yield from _attached(body, node)
    elif isinstance(node, DiceTerm) and node.sides == _UNCLEAR:
        yield _unclear_die(body, node)
    if isinstance(node, DiceTerm | Set) and node.modifiers:
        yield from _keeps_or_counts(body, node)
        yield from _leaves_nothing(body, node)
        yield from _counts_nothing(body, node)
        if not alone:
            yield from _counts_or_compares(body, node, whole=whole)
    labelled = isinstance(node, Labelled)
    for child in children(node):
        # The operands of a sum stand beside others; what is labelled stands where its label stands.
        inside = alone if labelled else not isinstance(node, Chain | Negation)
        yield from _ambiguities(body, child, alone=inside, whole=whole and labelled)


def _attached(body: str, node: Compared) -> Iterator[Ambiguity]:
    """Yield a comparison that touches dice, which would count them, and has no number to count by."""
    match = _CONDITION.match(body, node.at)
    if match is None or body[node.at - 1].isspace() or body[match.end("op") :][:1].isspace():
        return
    last = node.left
    while isinstance(last, Chain | Negation):
        last = last.rest[-1][1] if isinstance(last, Chain) else last.operand
    same = isinstance(node.right, Reference) and _is_one_die(node.left)
    if isinstance(last, DiceTerm | Set | Group) and not same:
        message = "a comparison that touches dice counts them, by a number"
        compared = f"{body[: node.at]} {match['op']} {body[match.end('op') :]}"
        yield Ambiguity(node.at, message, {"to compare": compared}, "to compare write spaces around it")


def _counts_or_compares(body: str, node: DiceTerm | Set, *, whole: bool) -> Iterator[Ambiguity]:
    """Yield a comparison that may count dice, or else compare what the dice are part of."""
    last = node.modifiers[-1]
    if not isinstance(last, Success):
        return
    at, end = last.at, last.at + len(written_modifier(body, last.at))
    if whole and _is_one_die(node, last):
        return
    spellings = {}
    if whole:
        # One value that counts is one that compares.
        if isinstance(node, DiceTerm) or len(node.members) > 1:
            spellings["to count dice"] = f"{body} >= 1"
    elif (
        isinstance(node, DiceTerm) and isinstance(node.count, Number | Reference) and not isinstance(node.sides, Group)
    ):
        spellings["to count dice"] = f"{body[: node.at]}({body[node.at : end]}){body[end:]}"
    spellings["to compare"] = f"{body[:at]} {_spaced(body[at:end])}{body[end:]}"
    hint = "put dice that are counted in parentheses, or spaces around a comparison"
    yield Ambiguity(at, "ambiguous: this could count dice or compare", spellings, hint)


def _counts_nothing(body: str, node: DiceTerm | Set) -> Iterator[Ambiguity]:
    """Yield a comparison that no die can meet, as in ``2d6>=7``, or each does: ``2d6<8``; surely the sum should."""
    last, settled = node.modifiers[-1], any(isinstance(one, Settle | Explode) for one in node.modifiers[:-1])
    if not isinstance(last, Success | Explode) or last.test is None or not isinstance(node, DiceTerm) or settled:
        return
    sides = node.sides.value if isinstance(node.sides, Number) else node.sides
    if _is_one_die(node, last) or not isinstance(sides, int | DieFaces):
        return
    die, number = DieType(sides), last.test.number
    met = {last.test(value) for value in die.representatives(number)}
    if met == {False} or (met == {True} and isinstance(last, Success) and number not in die.values):
        at, end = last.at, last.at + len(written_modifier(body, last.at))
        compared = f"{body[:at]} {_spaced(body[at:end])}{body[end:]}"
        said = "each of these dice shows" if True in met else "none of these dice can show"
        yield Ambiguity(at, f"{said} {quoted(body[at:end])}", {"to compare": compared}, "count by what they can show")


def _keeps_or_counts(body: str, node: DiceTerm | Set) -> Iterator[Ambiguity]:
    """Yield ``d<3`` and ``kh=1``: what is kept or dropped may be dice that show it, or so many, that are counted."""
    for before, success in zip(node.modifiers, node.modifiers[1:], strict=False):
        at = success.at
        if not (isinstance(success, Success) and isinstance(before, Keep) and body[at - 1].isalpha()):
            continue
        end = at + len(written_modifier(body, at))
        start, test, rest = body[: before.at], body[at:end], body[end:]
        action, letter, left = ("drop", "p", "left") if before.drops else ("keep", "k", "kept")
        spellings = {f"to {action} dice that show it": f"{start}{letter}{test}{rest}"}
        if number := re.fullmatch("==?([0-9]+)", test):
            spellings[f"to {action} {number[1]}"] = f"{body[:at]}{number[1]}{rest}"
        spellings[f"to count those {left}"] = f"{start}{before}{test}{rest}"
        spellings["to compare"] = f"{start}{before} {_spaced(test)}{rest}"
        message = f"ambiguous: this could {action} dice or count them"
        yield Ambiguity(before.at, message, spellings, "write a number or a comparison")


def _leaves_nothing(body: str, node: DiceTerm | Set) -> Iterator[Ambiguity]:
    """Yield ``d6`` behind dice if it drops all of them: it may be other dice, without an operator before them.

    What is dropped by ``dl6`` or ``dh6`` is no dice term, and means what it says.
    """
    drops = [one for one in node.modifiers if isinstance(one, Keep) and one.drops]
    written = written_modifier(body, drops[-1].at) if drops else ""
    if not re.fullmatch("d[0-9]*", written) or not _thrown(node) or _left(node):
        return
    at = drops[-1].at
    start, dice = body[:at], body[at:]
    spellings = {}
    if len(written) > 1:
        before = [one for one in node.modifiers if one.at < at]
        # In 4d6k4d6 the second 4 may be the number of dice that are kept, or of those that are added.
        if not before or not start[-1].isdigit() or re.search("[a-z]1$", start):
            spellings["to add dice"] = f"{start} + {dice}"
        if not before and isinstance(node, DiceTerm):
            spellings["to throw as many"] = f"{body[: node.at]}({start[node.at :]}){dice}"
    hint = "write an operator between dice, or drop fewer"
    yield Ambiguity(at, f"{quoted(written)} leaves no dice", spellings, hint)


def _unclear_die(body: str, node: DiceTerm) -> Ambiguity:
    """Return the ambiguity of a d36: one die, or two for the digits from 11 to 36."""
    spellings = {}
    if match := _DICE.match(body, node.at):
        start, rest = body[: node.at], body[match.end() :]
        spellings = {"for one die with 36 sides": f"{body[: match.start('sides')]}({match['sides']}){rest}"}
        if not node.modifiers:
            count = match["count"] or "1"
            spellings["for tens and ones"] = f"{start}({count}d3 * 10 + {count}d6){rest}"
    message = "ambiguous: a d36 could be one die, or a d3 for the tens and a d6 for the ones"
    return Ambiguity(node.at, message, spellings, "for one die write d(36), for two 1d3 * 10 + 1d6")


def _is_one_die(node: Node, *modifiers: Modifier) -> bool:
    """Return whether a node is one die, which succeeds where a comparison holds, so that both are the same."""
    return isinstance(node, DiceTerm) and node.count == Number(1) and node.modifiers == modifiers


def _spaced(condition: str) -> str:
    """Return a comparison and its number as they stand between two values."""
    return _CONDITION.sub(r"\g<op> \g<number>", condition)


def _thrown(node: DiceTerm | Set) -> int | None:
    """Return how many dice or members may be kept or dropped; ``None`` if that is not written.

    Dice that explode are one more: what drops even that has no use.
    """
    match node:
        case DiceTerm(Number(count), _, modifiers):
            explodes = any(isinstance(one, Explode) and not one.compound for one in modifiers)
            return count + explodes if count else 0
        case Set(members) if is_joined(node):
            parts = [_left(term) for _, term in joined_terms(members[0]) if isinstance(term, DiceTerm | Set)]
            return None if None in parts else sum(part or 0 for part in parts)
        case Set(members):
            return len(members)
    return None


def _left(node: DiceTerm | Set) -> int | None:
    """Return how many of them are left; ``None`` if it is not known."""
    thrown = _thrown(node)
    choices: list[Modifier] = [one for one in node.modifiers if isinstance(one, Choose)]
    return thrown and len(PoolRules(choices).ranks(thrown))
