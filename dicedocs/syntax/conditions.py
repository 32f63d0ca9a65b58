"""Conditions as they are said: in ``total is 7 or 11`` what stands before ``or`` stands behind it, too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple, Protocol

from dicedocs.errors import NotationError, quoted
from dicedocs.rules.kinds import spaced
from dicedocs.rules.steps import Comparison
from dicedocs.rules.yes_and_no import TYPED_TRUTHS
from dicedocs.syntax.relations import OPPOSITES, TURNED
from dicedocs.syntax.tree import (
    IT,
    Call,
    Chain,
    Compared,
    DiceTerm,
    Group,
    Logic,
    Negation,
    Node,
    Number,
    Question,
    Reference,
    Words,
    format_name,
    nodes,
    position,
    rebuild,
    ungrouped,
)


class Names(Protocol):
    """The names of a condition."""

    @property
    def known(self) -> Mapping[str, object]:
        """What the names stand for."""

    def is_truth(self, node: Node) -> bool:
        """Return whether a part of a condition is yes or no by itself."""

    def is_number(self, node: Node) -> bool:
        """Return whether a part of a condition is the name of a number."""

    def may_be(self, subject: Node, node: Node) -> bool:
        """Return whether a value that stands alone may be what a subject is compared with."""


class Within(Logic):
    """A range: what has both its bounds, or one of them."""

    __slots__ = ()


class Listed(Within):
    """A range that stands alone, as a value of a list does."""

    __slots__ = ()


class WithCommas(Logic):
    """What commas join in an event."""

    __slots__ = ()


class Contrast(Logic):
    """What ``but`` joins, at its end."""

    __slots__ = ()


class Paired(Logic):
    """What stands behind ``either``, ``both`` or ``neither``, until what it goes on with is read."""

    __slots__ = ()

    def check(self, *, denied: bool = False) -> None:
        """Refuse it, since it goes on with nothing.

        Parameters:
            denied: whether it stands behind ``not``.
        """
        word, other = {"any": ("either", "or"), "all": ("both", "and"), "not": ("neither", "nor")}[self.name]
        hint = f"write {word} ... {other} ..., or count(pool = 6) for dice"
        if denied and self.name != "not":
            hint = f"write not (... {other} ...)"
        raise NotationError(f"{quoted(word)} goes on with {other}", at=position(self), hint=hint)


class Before(NamedTuple):
    """What stands before a part of a condition.

    Parameters:
        subject: what was compared.
        op: how; a value alone belongs to it after ``=`` and ``!=`` only.
        is_inner: whether it stands in another part than the value, so that ``and`` and ``or`` leave open what is meant.
        denied: what stands behind ``not`` at its end, without a comparison.
    """

    subject: Node
    op: Comparison
    is_inner: bool = False
    denied: str = ""


TRUTHS_ALONE: Final = "write what is yes or no, as in total >= 7, or choose(yes, no) for a player's choice"
"""The hint for yes and no in the place of a condition."""
EVENT = Before(IT, "=")
"""What stands before an event: it is about the value."""


def complete(node: Node, names: Names, before: Before | None = None, *, counted: bool = False) -> Node:
    """Return a value in whose conditions each comparison has both sides.

    Parameters:
        node: the value.
        names: its names.
        before: what stands before it.
        counted: whether it is a condition on each die, which throws none.

    Raises:
        NotationError: it is open what is meant.
    """
    match node:
        case Compared(left, "=" | "!=" as op, Group(Logic("any", values))) if not any(map(names.is_truth, values)):
            subject = Before(before.subject if left == IT and before else left, "=")
            either = Group(Logic("any", tuple(_with_value(each, subject, counted=counted) for each in values)))
            return Logic("not", (either,)) if op == "!=" else either
        case Compared(left, op, right) if left == IT and before is not None:
            return Compared(_subject(before, node.at, counted=counted), op, right, node.at)
        case Within(_, operands):  # a range alone is about what stands before it
            parts = tuple(complete(each, names, before, counted=counted) for each in operands)
            return parts[0] if len(parts) == 1 else Logic("all", parts)
        case Logic("not", (operand,)) if names.is_truth(operand) or before is None or _is_fact(operand, names, before):
            return Logic("not", (complete(operand, names, before, counted=counted),))
        case Logic("not") if before is not None:
            return _with_value(node, before, counted=counted)  # not 7
        case Logic("any" | "all", operands):
            return _joined(node, names, before, counted=counted)
        case Question("count"):
            return rebuild(node, lambda child: complete(child, names, None, counted=True))
        case Group(inner):
            return Group(complete(inner, names, before, counted=counted))
        case Reference() if _is_fact(node, names, before):
            return node
        case Chain() | Negation() | Call() if before == EVENT and any(
            _is_fact(each, names, before) for each in nodes(node)
        ):
            said = format_name(node)
            hint = f"write what it is compared with, as in {said} >= 3"
            raise NotationError(f"{quoted(said)} is a number, and no event", at=position(node), hint=hint)
        case _ if before is not None and not names.is_truth(node):
            return _with_value(node, before, counted=counted)
    return rebuild(node, lambda child: complete(child, names, None, counted=counted))


def _is_fact(node: Node, names: Names, before: Before | None) -> bool:
    """Return whether a part of an event is a fact alone, which has to be yes or no."""
    value = ungrouped(node)
    return before == EVENT and isinstance(value, Reference) and value.name in names.known


def _joined(node: Logic, names: Names, before: Before | None, *, counted: bool) -> Node:
    parts: list[Node] = []
    context = before and before._replace(is_inner=before != EVENT)
    for operand in node.operands:
        value = affirmed(operand)
        is_bare = isinstance(value, Listed) or not (
            isinstance(value, Logic | Compared | Group) or names.is_truth(value)
        )
        is_bare &= not _is_fact(value, names, context)
        is_bare &= context is None or names.may_be(context.subject, value)
        if not is_bare or context is None:
            parts.append(complete(operand, names, context, counted=counted))
            if len(parts) > 1 and _goes_on(value) and not isinstance(node, Contrast):
                _check_denied(parts[-2], parts[-1], node.name, again=value is not operand)
            if len(parts) > 1:
                _check_shared_truth(parts[-2], operand, names, node.name)
        elif context.is_inner:
            raise _open(operand, context)
        elif isinstance(value, Reference) and names.is_number(value) and parts and not counted:
            said, name = format_name(context.subject), format_name(value)
            message = f"ambiguous: {quoted(name)} is a number of its own"
            first = f"{format_name(parts[-1])} and " if (context.op, node.name) == ("!=", "any") else ""
            hint = f"write {first}{said} {context.op} {name}, or {name} > 0"
            raise NotationError(message, at=position(value), hint=hint)
        elif context.op == "=" and node.name == "all" and parts and value is operand:
            if isinstance(operand, Within):
                both = f"{format_name(parts[-1])} and {format_name(complete(operand, names, context))}"
                hint = (
                    "write 'or' between them"
                    if context.subject == IT
                    else f"write 'or' for either, or write {both} for both"
                )
                raise NotationError("'and' stands between two ranges", at=position(operand), hint=hint)
            hint = f"write or {format_name(operand)}"
            message = f"nothing is several values at once: 'and {format_name(operand)}'"
            raise NotationError(message, at=position(operand), hint=hint)
        elif isinstance(node, Contrast) and context.op == "!=" and value is operand is node.operands[-1] and parts:
            said = format_name(context.subject)
            hint = f"write {said} = {format_name(operand)}, or neither ... nor ... for none of them"
            raise NotationError("ambiguous: 'not' goes on behind 'but', or not", at=position(operand), hint=hint)
        else:
            new = _with_value(operand, context, counted=counted)
            if context.op == "!=" and node.name == "any" and parts and value is not operand:
                _check_denied(parts[-1], new, node.name, again=True)
            if context.op == "!=" and node.name == "any" and parts:
                last = parts[-1]
                before_it = last.operands if isinstance(last, Logic) and last.name == "all" else (last,)
                parts[-1] = Logic("all", (*before_it, new))
            else:
                parts.append(new)
        if not (is_bare and context):
            context = _context(operand, context)
        elif value is not operand and context.op == "=":
            context = context._replace(op="!=")
    if node.name == "any":
        _check_mixed(node.operands, parts)
        _check_denied_name(node.operands, parts, names)
    return parts[0] if len(parts) == 1 else Logic(node.name, tuple(parts))


def _check_mixed(operands: Sequence[Node], parts: Sequence[Node]) -> None:
    """Refuse ``over 8 or under 4 but not skilled``: what stands behind ``but`` is said of both, or of the last.

    So is ``and`` where one of its sides goes on with what stands before ``or``, and the other does not.
    """
    for at, (operand, part) in enumerate(zip(operands, parts, strict=False)):
        if not (isinstance(operand, Logic) and operand.name == "all") or isinstance(operand, Within | WithCommas):
            continue
        first, *others = map(affirmed, operand.operands)
        follows = at + 1 < len(operands) and _goes_on(affirmed(operands[at + 1]))
        goes_on = (at > 0 and _goes_on(first)) or follows
        if not isinstance(operand, Contrast) and (not goes_on or all(map(_goes_on, others))):
            continue
        one, *rest = map(format_name, part.operands if isinstance(part, Logic) else (part,))
        before, behind = (" or ".join(map(format_name, each)) for each in (parts[:at], parts[at + 1 :]))
        apart = f"({before} or {one}) and {' and '.join(rest)}" if before else f"{one} and ({rest[0]} or {behind})"
        together = " or ".join(filter(None, (before, f"({' and '.join([one, *rest])})", behind)))
        hint = f"write {apart}, or {together}"
        word = "but" if isinstance(operand, Contrast) else "and"
        raise NotationError(f"ambiguous: '{word}' beside 'or'", at=position(part), hint=hint)


def _check_denied_name(operands: Sequence[Node], parts: Sequence[Node], names: Names) -> None:
    """Refuse ``not hurt or tired``: ``not`` goes on behind ``or``, as in ``not 7 or 11``, or it does not."""
    for one, other, part in zip(operands, operands[1:], parts[1:], strict=False):
        name = affirmed(one)
        if one is not name and isinstance(name, Reference) and names.is_truth(name) and affirmed(other) is other:
            raise _denies_both(name, part, "or")


def _check_shared_truth(one: Node, other: Node, names: Names, name: str) -> None:
    """Refuse ``skilled and lit are no``, which says ``no`` of both, or of the last."""
    match affirmed(one), affirmed(other):
        case Reference() as first, Compared(left, op, Reference(name=word), at) if word in TYPED_TRUTHS:
            is_alike = (one is first) == isinstance(other, Compared)
            denies = (op == "=") != TYPED_TRUTHS[word]
            if is_alike and denies and op in {"=", "!="} and names.is_truth(first) and names.is_truth(left):
                said, join = format_name(first), "or" if name == "any" else "and"
                last = f"{join} {format_name(left)} {op} {word}"
                hint = f"write {said} {op} {word} {last}, or {said} = yes {last}"
                raise NotationError(f"ambiguous: {quoted(word)} is said of both, or of one", at=at, hint=hint)


def affirmed(node: Node) -> Node:
    """Return a condition without the ``not`` before it."""
    return node.operands[0] if isinstance(node, Logic) and node.name == "not" else node


def _goes_on(node: Node) -> bool:
    """Return whether a comparison is about what stands before it."""
    match node:
        case Compared(left) | Within(_, (Compared(left), *_)):
            return left == IT
    return False


def _check_denied(denied: Node, other: Node, name: str, *, again: bool) -> None:
    """Refuse ``not over 9 or under 4``: ``not`` goes on behind ``or``, or it does not.

    Parameters:
        again: whether there is a second ``not``: of ``not 7 or not 11`` one always holds.
    """
    match denied:
        case Logic("not", (Compared() | Logic("all") as inner,)):
            pass
        case Compared(left, "!=", right) if name == "any":
            inner = Compared(left, "=", right)
        case _:
            return
    join = "or" if name == "any" else "and"
    if again and join == "and":
        return
    if again:
        hint = f"write not {format_name(inner)} and {format_name(other)}, or put each in parentheses"
        raise NotationError("ambiguous: 'or not' after 'not'", at=position(other), hint=hint)
    raise _denies_both(inner, other, join)


def _denies_both(one: Node, other: Node, join: str) -> NotationError:
    """Return the error for ``not``, of which it is open whether it denies what stands behind the next word too."""
    first, last = format_name(one), format_name(other)
    hint = f"write not ({first} {join} {last}), or (not {first}) {join} {last}"
    return NotationError(f"ambiguous: 'not' goes on behind '{join}', or not", at=position(other), hint=hint)


def _context(node: Node, before: Before | None) -> Before | None:
    """Return what a part of a condition is for the part behind it."""
    match node:
        case Compared(Number(), op, right) if not isinstance(right, Number):  # 4 < total and < 9
            return Before(right, TURNED[op])
        case Compared(left, op):
            return Before(before.subject if left == IT and before else left, op)
        case Within(_, (Compared(left), *_)):
            return Before(before.subject if left == IT and before else left, "=")
        case Logic("not", (operand,)):
            inner = _context(operand, before)
            return inner and inner._replace(op=OPPOSITES[inner.op])
        case Logic(_, operands):
            inner = next((found for each in reversed(operands) if (found := _context(each, before))), None)
            return inner and inner._replace(is_inner=True, denied=_denied(operands[-1]))
    return None


def _with_value(node: Node, before: Before, *, counted: bool) -> Node:
    """Return the comparison that a value alone is."""
    op = before.op
    if isinstance(node, Logic) and node.name == "not":  # not 6
        node, op = node.operands[0], "!="
    if isinstance(node, Listed):
        subject = _subject(before, 0, counted=counted)
        bounds = tuple(
            Compared(subject, each.op, each.right, each.at) for each in node.operands if isinstance(each, Compared)
        )
        whole: Node = bounds[0] if len(bounds) == 1 else Logic("all", bounds)
        return Logic("not", (whole,)) if op == "!=" else whole
    if op not in {"=", "!="}:
        said = format_name(before.subject)
        hint = f"write {said} = {format_name(node)}, or {said} {before.op} {format_name(node)}"
        message = f"ambiguous: {quoted(format_name(node))} after {quoted(before.op)}"
        raise NotationError(message, at=position(node), hint=hint)
    return Compared(_subject(before, 0, counted=counted), op, node)


def _subject(before: Before, at: int, *, counted: bool) -> Node:
    if not counted and any(isinstance(each, DiceTerm) for each in nodes(before.subject)):
        hint = "give them a name on a line above"
        raise NotationError("the same dice are compared twice", at=at, hint=hint)
    return before.subject


def _open(operand: Node, before: Before) -> NotationError:
    subject, value = format_name(before.subject), format_name(operand)
    whole = f"{subject} = {value}"
    if isinstance(operand, Listed):
        whole = value = format_name(_with_value(operand, before, counted=True))
    message = f"ambiguous: 'and' and 'or' beside {quoted(value)}"
    hint = f"write {whole}, and put what belongs together in parentheses"
    if before.denied:  # at least 7 and not 11 or 12
        hint = f"write neither {before.denied} nor {value}, or {subject} = {value}"
    return NotationError(message, at=position(operand), hint=hint)


def _denied(node: Node) -> str:
    """Return the value that stands alone behind ``not``; empty for any other condition."""
    match node:
        case Logic("not", (Number() | Reference() | Words() as value,)):
            return format_name(value)
        case Compared(_, "!=", Number() as value):
            return format_name(value)
    return ""


def compared_words(tree: Node, name: str) -> Iterator[str]:
    """Yield the words with which a name is compared."""
    for each in nodes(tree):
        if isinstance(each, Compared):
            for side, other in ((each.left, each.right), (each.right, each.left)):
                if isinstance(side, Reference) and side.name == name:
                    if isinstance(other, Words):
                        yield other.text
                    elif isinstance(other, Number):
                        yield str(other.value)
                    elif isinstance(other, Reference):
                        yield other.written or spaced(other.name)


def rounded_quotient(node: Node) -> tuple[int, int] | None:
    """Return the two numbers of a quotient that is not whole; ``None`` for anything else."""
    match node:
        case Chain(Number(one), (("/", Number(other)),)) if other and one % other:
            return one, other
    return None


def rounded_down(node: Node, one: int, other: int, hint: str) -> NotationError:
    """Return the error for a quotient that is rounded down where nobody means that."""
    return NotationError(f"{one}/{other} is rounded down to {one // other}", at=position(node), hint=hint)


def check_quotient(node: Node) -> None:
    """Refuse ``7/11`` where a value is compared: it may be two numbers, and as a quotient it is 0."""
    if rounded := rounded_quotient(node):
        one, other = rounded
        raise rounded_down(node, one, other, f"write {one} or {other} for either, or ({one} / {other})")
