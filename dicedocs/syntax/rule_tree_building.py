"""The tree that is built from the value of a line of a rule."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias, cast

from lark import Token, v_args

from dicedocs import limits
from dicedocs.errors import NotationError, located, quoted
from dicedocs.rules.steps import Comparison
from dicedocs.rules.yes_and_no import TYPED_TRUTHS
from dicedocs.syntax.binding import BOUND, LONG
from dicedocs.syntax.conditions import (
    TRUTHS_ALONE,
    Contrast,
    Listed,
    Paired,
    WithCommas,
    Within,
    check_quotient,
    rounded_down,
    rounded_quotient,
)
from dicedocs.syntax.modifiers import add_modifier, read_modifier
from dicedocs.syntax.ranges import Range, read_range
from dicedocs.syntax.relations import OPPOSITES, RANGE, TURNED, or_more_at, read_relation
from dicedocs.syntax.tree import (
    ACTOR,
    IT,
    Call,
    Cases,
    Chain,
    Compared,
    DiceTerm,
    Group,
    Increased,
    Logic,
    Negation,
    Node,
    Number,
    Play,
    Question,
    Reference,
    Set,
    Setting,
    Words,
    format_name,
    nodes,
    position,
)
from dicedocs.syntax.tree_building import TreeBuilder

_Ends: TypeAlias = tuple[int | Node | None, int | Node | None]
"""The lowest and the highest value of a range; ``None`` for an open end."""
_Bound: TypeAlias = tuple[Node | None, Node | None]
"""The bounds of a range of values; ``None`` for an open end."""
_OPERATORS: Final = {"plus": "+", "minus": "-", "times": "*", "mod": "%"}


@v_args(inline=True)
class RuleTreeBuilder(TreeBuilder):
    """Builds the tree of a notation, and of what only rules have."""

    def modified(self, whole: DiceTerm | Set | Group, token: Token) -> DiceTerm | Set:
        """Return what a modifier acts on; behind a name it acts on the dice that are thrown under it."""
        dice = whole.members[0] if isinstance(whole, Set) and len(whole.members) == 1 else whole
        if not any(isinstance(node, Reference) for node in _added(dice)):
            return super().modified(whole, token)
        self._check_no_dice_meant(whole, token)
        start = token.start_pos or 0
        before = whole.modifiers if isinstance(whole, Set) else ()
        with located(start):
            return Set((dice,), add_modifier(before, read_modifier(token, start), of_set=False))

    def NAME(self, token: Token) -> Reference:  # noqa: N802
        """Return a name: a known one as it is called in trees, or words that nothing known is called."""
        if token.value.startswith(BOUND):
            return Reference(ACTOR, token.value.removeprefix(BOUND), token.start_pos or 0)
        written = " ".join(token.split())
        return Reference(ACTOR, written, token.start_pos or 0, written)

    def chain(self, left: Node, sign: Token, right: Node) -> Chain:
        """Return a chain with one more operand; ``1/2 * fire`` would be 0, since a quotient is rounded down."""
        if sign in {"*", "/"} and (rounded := rounded_quotient(left)):
            one, other = rounded
            decimal = f"{one / other:g}"
            hint = f"write {decimal} * {format_name(right)}" if _is_short(decimal) else "multiply first, then divide"
            raise rounded_down(left, one, other, hint)
        if sign == "/" and all(isinstance(each, Reference) and each.name in TYPED_TRUTHS for each in (left, right)):
            raise NotationError("yes and no are not divided", at=position(left), hint=TRUTHS_ALONE)
        if sign in {"/", "%"} and isinstance(right, DiceTerm):
            value, dice = format_name(left), format_name(right)
            hint = f"write {dice} if ..., else {value} for one of the two, or {value} {sign} ({dice})"
            raise NotationError(f"{value}{sign}{dice} would divide by dice", at=position(left), hint=hint)
        if sign in {"+", "-"} and (rounded := rounded_quotient(right)):  # 1d6 + 3 / 2
            one, other = rounded
            whole = f"({format_name(left)} {sign} {one}) / {other}"
            raise rounded_down(right, one, other, f"write {one // other}, or {whole} to divide all of it")
        if sign in {"+", "-"} and (rounded := rounded_quotient(left)):
            one, other = rounded
            raise rounded_down(left, one, other, f"write {one // other}, or put what is divided in parentheses")
        return super().chain(left, sign, right)

    def NUMBER(self, token: Token) -> Number:  # noqa: N802
        """Return a number; one in an event may be any outcome."""
        if not token.value.startswith(LONG):
            return super().NUMBER(token)
        digits, at = token.value.removeprefix(LONG), token.start_pos or 0
        with located(at):
            limits.OUTCOME_DIGITS.check(len(digits), hint="write a smaller number")
        return Number(int(digits), at)

    def SIGN(self, token: Token) -> Token:  # noqa: N802
        return Token.new_borrow_pos(token.type, _OPERATORS.get(token.lower(), token), token)

    FACTOR = SIGN

    def WORDS(self, token: Token) -> Words:  # noqa: N802
        return Words(" ".join(token[1:-1].split()), token.start_pos or 0)

    def cases(self, *parts: tuple[Node, Node] | Node) -> Cases:
        """Return values with their conditions; the last part is the value if none of these holds."""
        *cases, otherwise = parts
        match cases[0], otherwise:
            case (Chain(first, rest) as value, condition), Negation() if value.is_sum and len(cases) == 1:
                (*before, (sign, more)), less, test = rest, format_name(otherwise), format_name(condition)
                base = format_name(Chain(first, tuple(before)) if before else first)
                hint = f"write {base}, {sign}{format_name(more)} if {test}, {less} if not ({test}), or else ({less})"
                message = f"ambiguous: {quoted(less)} may be the whole value, or what is added"
                raise NotationError(message, at=position(otherwise), hint=hint)
        if isinstance(otherwise, Cases):  # else 2 if hit, else 3
            return Cases((*cast("tuple[tuple[Node, Node], ...]", tuple(cases)), *otherwise.cases), otherwise.otherwise)
        return Cases(cast("tuple[tuple[Node, Node], ...]", tuple(cases)), cast("Node", otherwise))

    def case(self, value: Node, condition: Node) -> tuple[Node, Node]:
        return value, condition

    def addition(self, sign: Token, value: Node, condition: Node) -> tuple[str, Node]:
        if sign == "-" and isinstance(value, Chain):  # -1d4 - 1 is a value of its own
            sign, value = Token.new_borrow_pos(sign.type, "+", sign), Chain(Negation(value.first), value.rest)
        return str(sign), Group(Cases(((value, condition),), Number(0)))

    def increased(self, value: Node, *additions: tuple[str, Node]) -> Chain:
        if isinstance(value, Chain) and value.is_sum:
            return Chain(value.first, (*value.rest, *additions))
        return Increased(value, additions)

    def any_of(self, left: Node, right: Node) -> Logic:
        if isinstance(left, Paired) and type(right) is Logic and right.name == "all":
            hint = "put what belongs together in parentheses"
            raise NotationError("ambiguous: 'and' beside 'either ... or'", at=position(right), hint=hint)
        left = _first_of(left, "any")
        for each in (left, right):
            if isinstance(each, WithCommas):
                message = "ambiguous: both a comma and 'or'"
                raise NotationError(message, at=position(right), hint="put one of them in parentheses")
        return _logic("any", left, right)

    def all_of(self, left: Node, sign: Token, right: Node) -> Logic:
        if isinstance(left, Paired) and left.name != "all":
            return Paired(left.name, (self.all_of(left.operands[0], sign, right),))
        left = _first_of(left, "all")
        both = _logic("all", left, right)
        if sign.lower() == "but" and not isinstance(left, WithCommas):
            return Contrast(both.name, both.operands)
        return WithCommas(both.name, both.operands) if sign == "," or isinstance(left, WithCommas) else both

    def none_of(self, left: Node, right: Node) -> Logic:
        """Return what ``not hit nor critical`` and ``is neither 7 nor 11`` are."""
        is_list = isinstance(left, Logic) and left.name == "all" and not isinstance(left, Paired | Within)
        *before, last = left.operands if is_list and isinstance(left, Logic) else (left,)
        if isinstance(last, Paired) and last.name == "not":
            last = Logic("not", last.operands)
        if not (isinstance(last, Logic) and last.name == "not") and not (
            isinstance(last, Compared) and last.op == "!="
        ):
            raise NotationError("nothing before 'nor' is denied", at=position(right), hint="write neither ... nor ...")
        return Logic("all", (*before, last, self.negated(right)))

    def paired(self, word: Token, operand: Node) -> Node:
        name: Literal["any", "all", "not"] = "any" if word.lower() == "either" else "not"
        return Paired("all" if word.lower() == "both" else name, (operand,))

    def negated(self, operand: Node) -> Node:
        return operand.operands[0] if isinstance(operand, Logic) and operand.name == "not" else Logic("not", (operand,))

    def open_range(self, value: Node, way: Token) -> _Bound:
        """Return what is no less than a value, or no more."""
        check_quotient(value)
        found = or_more_at(way, 0)
        return (value, None) if way == "+" or (found and found["up"]) else (None, value)

    def closed_range(self, low: Node, high: Node) -> _Bound:
        """Return what lies between two values, or is one of them."""
        check_quotient(low)
        check_quotient(high)
        return (low, high)

    def relation(self, sign: Token, right: Node | Token | _Bound) -> _Relation:
        op, at = read_relation(sign), sign.start_pos or 0
        if not isinstance(right, Token | tuple):
            check_quotient(right)
            if (
                isinstance(right, Set)
                and len(right.members) > 1
                and all(isinstance(each, Number) for each in right.members)
            ):
                several = " or ".join(map(format_name, right.members))
                message = f"{quoted(format_name(right))} is a sum"
                raise NotationError(
                    message, at=at, hint=f"write {op} {several}" if op in {"=", "!="} else "write one number"
                )
            return _Relation(op, right, at, str(sign))
        ends: _Ends = right if isinstance(right, tuple) else _range(right)
        if op not in {"=", "!="}:
            low, high = (None if end is None else format_name(_number(end)) for end in ends)
            written = f"{low} to {high}" if low and high else f"{low or high} or {'more' if low else 'less'}"
            written = str(right) if isinstance(right, Token) else written
            number = str(ends) if isinstance(ends, Range) else written
            message = f"{quoted(sign)} compares with one number, and {quoted(written)} is a range"
            raise NotationError(message, at=at, hint=f"write = {number}, or {op} {low or high}")
        return _Relation(op, ends, at, str(sign))

    def between(self, low: Node, *and_high: Any) -> _Relation:
        check_quotient(low)
        check_quotient(and_high[-1])
        return _Relation("=", (low, and_high[-1]), position(low))

    def within(self, written: Token) -> _Relation:
        return _Relation("=", _range(written), written.start_pos or 0)

    def continued(self, relation: _Relation | Token | _Bound) -> Node:
        """Return a comparison whose left side stands before it, or is what the whole condition is about."""
        if isinstance(relation, _Relation):
            return _compared(IT, relation)
        if isinstance(relation, Token):
            return Listed("all", _bounds(IT, _range(relation), relation.start_pos or 0))
        return Listed("all", _bounds(IT, relation, next(position(end) for end in relation if end is not None)))

    def comparison(self, first: Node, *relations: _Relation) -> Node:
        """Return a comparison, or all comparisons of a chain such as ``1 < x <= 5``."""
        lefts = [first]
        for each in relations[:-1]:
            if isinstance(each.right, tuple):
                raise NotationError("a range ends a comparison", at=each.at, hint="join two of them with and")
            lefts.append(each.right)
        twice = [
            *lefts[1:],
            *(left for left, each in zip(lefts, relations, strict=True) if len(_ends_of(each)) > 1),
        ]
        if any(isinstance(node, DiceTerm) for value in twice for node in nodes(value)):
            # Each comparison would throw its own dice.
            hint = "give them a name on a line above"
            raise NotationError("dice between two comparisons", at=relations[0].at, hint=hint)
        if len(relations) > 1:
            _check_chain(lefts, relations)
        if isinstance(first, Number) and isinstance(relations[0].right, Number):
            hint = "write what is compared, as in total = 7 or 11"
            raise NotationError(
                f"{format_name(first)} and {format_name(relations[0].right)} are two numbers", at=first.at, hint=hint
            )
        compared = [_compared(left, each) for left, each in zip(lefts, relations, strict=True)]
        return compared[0] if len(compared) == 1 else Logic("all", tuple(compared))

    def call(self, function: Token, *arguments: Node) -> Call:
        if (
            function in {"min", "max"}
            and len(arguments) == 1
            and any(isinstance(each, DiceTerm | Reference) for each in nodes(arguments[0]))
        ):
            which = "highest" if function == "max" else "lowest"
            hint = f"write {which}(...) for the {which} die, or {function}(a, b) for two values"
            raise NotationError(f"{function}() of one value is that value", at=function.start_pos or 0, hint=hint)
        return super().call(function, *arguments)

    def question(self, name: Token, *arguments: Node) -> Question:
        return Question(str(name), arguments, name.start_pos or 0)

    def play(self, token: Token, *settings: Setting) -> Play:
        return Play(token.split()[1], settings, token.start_pos or 0)

    def setting(self, name: Reference, value: Node) -> Setting:
        return Setting(name.written or name.name, value, name.at)


def _first_of(node: Node, name: str) -> Node:
    """Return what stands behind a word that goes on here; any other node as it is."""
    return node.operands[0] if isinstance(node, Paired) and node.name == name else node


def _ends_of(relation: _Relation) -> set[Any]:
    """Return the numbers that a value is compared with."""
    return {*relation.right} - {None} if isinstance(relation.right, tuple) else {relation.right}


class _Relation(NamedTuple):
    """A relation and its right side: a value, two of them, or a range."""

    op: Comparison
    right: Node | _Ends
    at: int
    sign: str = ""


def _check_chain(lefts: Sequence[Node], relations: Sequence[_Relation]) -> None:
    """Refuse a chain that is none of signs in one direction: ``is 2 more than luck``, ``over 4 under 9``."""
    in_signs = not any(each.sign[:1].isalpha() for each in relations) and lefts[0] not in nodes(lefts[1])
    if in_signs and any({each.op for each in relations} <= ops for ops in ({"<", "<="}, {">", ">="}, {"="})):
        return
    one, other = relations[0], relations[1]
    if isinstance(other.right, tuple):
        raise NotationError("a range ends a comparison", at=other.at, hint="join two of them with and")
    subject, middle, last = map(format_name, (*lefts[:2], other.right))
    hint = f"write {subject} {one.op} {middle} and {subject} {other.op} {last}"
    if isinstance(lefts[0], Number):  # 5 < total > 9
        hint = f"write {middle} {TURNED[one.op]} {subject} and {middle} {other.op} {last}"
    if isinstance(lefts[1], Number) and not isinstance(other.right, Number) and other.op in {"<", ">"}:
        op = one.op if other.op == ">" else TURNED[one.op]
        hint = f"write {subject} {op} {last} {'+' if other.op == '>' else '-'} {middle}"
    elif (one.op, other.op) == ("=", "<="):  # is 3 up to 5
        hint = f"write {subject} = {middle}-{last}"
    raise NotationError("ambiguous: two comparisons without 'and'", at=other.at, hint=hint)


def _compared(left: Node, relation: _Relation) -> Node:
    op, right, at, sign = relation
    if not isinstance(right, tuple):
        if op not in {"=", "!="} and re.search(r"\bnot\b|n['’]t\b", sign, re.IGNORECASE):
            return Logic("not", (Compared(left, OPPOSITES[op], right, at),))
        return Compared(left, op, right, at)
    whole = Within("all", _bounds(left, right, at))
    return Logic("not", (whole,)) if op == "!=" else whole


def _bounds(left: Node, of: _Ends, at: int) -> tuple[Compared, ...]:
    """Return the comparisons of what is within a range."""
    low, high = (each.value if isinstance(each, Number) else each for each in of)
    if isinstance(low, int) and isinstance(high, int) and low > high:
        hint = f"write {high}-{low}, or ({low} - {high})" if high else f"write {low}-100, if 00 is 100"
        raise NotationError(f"{low}-{high} runs backwards", at=at, hint=hint)
    if low is not None and low == high:
        return (Compared(left, "=", _number(low), at),)
    lowest = [Compared(left, ">=", _number(low), at)] if low is not None else []
    return (*lowest, *([Compared(left, "<=", _number(high), at)] if high is not None else []))


def _range(token: Token) -> Range:
    return read_range(cast("re.Match[str]", RANGE.match(token)))


def _number(value: int | Node) -> Node:
    if not isinstance(value, int):
        return value
    return Number(value) if value >= 0 else Negation(Number(-value))


def _is_short(decimal: str) -> bool:
    return len(decimal) <= len("0.125")


def _added(node: Node) -> Iterator[Node]:
    """Yield the terms of a sum in parentheses, or of a node that is none."""
    match node:
        case Group(inner):
            yield from _added(inner)
        case Chain() if node.is_sum:
            for operand in node.operands:
                yield from _added(operand)
        case _:
            yield node


def _logic(name: str, left: Node, right: Node) -> Logic:
    is_list = isinstance(left, Logic) and left.name == name and not isinstance(left, Within)
    before = left.operands if is_list and isinstance(left, Logic) else (left,)
    return Logic(name, (*before, right))  # type: ignore[arg-type]
