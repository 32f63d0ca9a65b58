"""A tree of the full notation played with dice: its value, what became of each die, and the working in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from dicedocs.expression.evaluator import Arithmetic
from dicedocs.expression.merged_dice import is_merged, merged_terms
from dicedocs.expression.modifiers import TWO_DICE, FaceValues, Handling
from dicedocs.expression.operations import TO_DIVIDE, apply, calculate, power, quotient, rounded
from dicedocs.expression.pool_dice import AgainCount, PoolDie, Table, keep
from dicedocs.expression.tree import (
    Call,
    Collection,
    Compared,
    DiceTerm,
    Faces,
    Group,
    Labelled,
    Modifier,
    Negation,
    Node,
    Number,
    Pool,
    Power,
    Product,
    Resource,
    Sum,
    format,  # noqa: A004 -- it is to trees what the built-in is to values
)
from dicedocs.rules.dice import Dice, check_limits
from dicedocs.rules.steps import COMPARISONS, Say
from dicedocs.translation import mark

SUCCESSES: Final = "successes"
FAILURES: Final = "failures"
CRITICAL_SUCCESSES: Final = "critical_successes"
CRITICAL_FAILURES: Final = "critical_failures"

_COUNTED: Final = (
    (CRITICAL_SUCCESSES, "critical success"),
    (CRITICAL_FAILURES, "critical failure"),
    (SUCCESSES, "counted"),
    (FAILURES, "failed"),
)
"""The facts that count dice, each with the state of a die that is counted."""
COUNTERS: Final = {SUCCESSES: "", FAILURES: "f", CRITICAL_SUCCESSES: "cs", CRITICAL_FAILURES: "cf"}
"""The facts that count dice, each with the name of the modifier that has them counted."""


class Valued(NamedTuple):
    """The value of a node and, while steps are recorded, its text with numbers in place of dice."""

    value: int
    text: str = ""


def counters(handling: Handling) -> Iterator[tuple[str, Callable[[int], bool], str]]:
    """Yield what is counted of a pool: the fact, the test of a value, and the state of a die that passes it."""
    tests = handling.critical_success, handling.critical_failure, handling.success, handling.failure
    for (name, state), test in zip(_COUNTED, tests, strict=True):
        if test is not None:
            yield name, test, state


class _Counted(NamedTuple):
    """A die that is kept, with the sign of what it adds and the modifiers that tell what it adds."""

    sign: int
    handling: Handling
    die: PoolDie


class _Thrown(NamedTuple):
    """Dice on the table.

    Parameters:
        handlings: the modifiers: those of the whole first, then those of its parts.
        dice: all dice that were thrown.
        kept: those that are kept.
        constant: what is added to the dice.
        own: whether the dice have faces of their own, so that their record does not tell what they count.
    """

    handlings: tuple[Handling, ...]
    dice: list[PoolDie]
    kept: list[_Counted]
    constant: int = 0
    own: bool = False


class Interpreter:
    """The playing of one tree.

    Parameters:
        dice: the dice.
        say: where the working goes.
        values: the values of the references.
        arithmetic: the value of a quotient whose divisor is 0.

    Attributes:
        counts: how many dice succeeded, failed, and showed a critical face, by the name of the fact; a fact that
            is not asked for is missing.
        kept: what each die counts that is kept of dice with modifiers; ``None`` where no dice have any.
        labelled: the sum of the values with each label.
    """

    def __init__(self, dice: Dice, say: Say, values: Sequence[int], arithmetic: Arithmetic) -> None:
        self._dice = dice
        self._again = AgainCount()
        self._say = say
        self._values: Iterator[int] = iter(values)
        self._arithmetic = arithmetic
        self._told = False
        self.counts: Counter[str] = Counter()
        self.kept: list[int] | None = None
        self.labelled: Counter[str] = Counter()

    def play(self, tree: Node) -> int:
        """Return the value of a whole tree, and record its working."""
        value, text = self.node(tree)
        if self._say:
            if text != str(value) or not self._told:
                rolled = self._say.rewrite("Roll", format(tree), text)
                self._say.rewrite(mark("Calculate"), rolled, str(value))
            for label, amount in self.labelled.items():
                self._say.fact(label.capitalize(), amount)
        return value

    def node(self, node: Node, sign: int = 1) -> Valued:
        """Return the value of a node.

        Parameters:
            sign: -1 where the value is subtracted, for the sums of the labels.
        """
        match node:
            case Number(value):
                return self._shown(value)
            case Resource():
                return self._shown(next(self._values))
            case DiceTerm(count, sides):
                return self._throw_total(self.node(count).value, self.node(sides).value)
            case Group(inner):
                value, text = self.node(inner, sign)
                return Valued(value, f"({text})")
            case Sum(first, rest):
                return self._chain(first, rest, sign)
            case Product(first, rest):
                return self._chain(first, rest, sign)
            case Negation(operand):
                value, text = self.node(operand, -sign)
                return Valued(-value, f"-{text}")
            case Power(base, exponent):
                left, right = self.node(base), self.node(exponent)
                return Valued(power(left.value, right.value), f"{left.text} ** {right.text}")
            case Call(name, arguments):
                return self._call(name, arguments)
            case Compared(left_side, op, right_side):
                left, right = self.node(left_side), self.node(right_side)
                return Valued(int(COMPARISONS[op](left.value, right.value)), f"{left.text} {op} {right.text}")
            case Labelled(inner, labels):
                value, text = self.node(inner, sign)
                for label in labels:
                    self.labelled[label] += sign * value
                return Valued(value, text + "".join(f" [{label}]" for label in labels) if text else "")
            case Pool():
                return self._pool(node)
            case Collection(members, modifiers):
                return self._collection(node, members, modifiers)

    def _shown(self, value: int) -> Valued:
        return Valued(value, str(value) if self._say else "")

    def _throw_total(self, count: int, sides: int) -> Valued:
        check_limits(0, count, sides)
        return self._shown(self._dice.total(count, sides) if count else 0)

    def _chain(self, first: Node, rest: Sequence[tuple[str, Node]], sign: int) -> Valued:
        value, text = self.node(first, sign)
        for operator, operand in rest:
            right = self.node(operand, -sign if operator == "-" else sign)
            value = calculate(self._arithmetic, value, operator, right.value)
            text = f"{text} {operator} {right.text}"
        return Valued(value, text)

    def _call(self, name: str, arguments: Sequence[Node]) -> Valued:
        if name in TO_DIVIDE:
            parts = quotient(arguments[0])
            if parts is not None:
                left, right = map(self.node, parts)
                return Valued(rounded(name, left.value, right.value), f"{name}({left.text} / {right.text})")
        values = [self.node(argument) for argument in arguments]
        result = apply(name, [value for value, _ in values])
        return Valued(result, f"{name}({', '.join(text for _, text in values)})")

    def _pool(self, pool: Pool) -> Valued:
        return self._finish(self._throw(pool), pool)

    def _throw(self, pool: Pool) -> _Thrown:
        count = self.node(pool.count).value
        sides = pool.sides if isinstance(pool.sides, Faces) else self.node(pool.sides).value
        check_limits(0, count, 1 if isinstance(sides, Faces) else sides)
        faces = FaceValues.of(sides)
        handling = Handling.of(pool.modifiers, faces.all())
        table = Table(self._dice, faces, handling, self._again, two=isinstance(sides, Faces) and sides.name == TWO_DICE)
        dice = table.throw(count)
        if handling.unique:
            table.make_unique(dice)
        kept = [_Counted(1, handling, die) for die in keep(handling, dice)]
        return _Thrown((handling,), dice, kept, own=bool(faces.values))

    def _collection(self, whole: Collection, members: Sequence[Node], modifiers: Sequence[Modifier]) -> Valued:
        if is_merged(whole):
            return self._finish(self._merged(whole), whole)
        handling = Handling.of(modifiers, ())
        values = [self.node(member) for member in members]
        dice = [PoolDie(value, (), "") for value, _ in values]
        kept = keep(handling, dice)
        if not modifiers:
            return Valued(sum(die.value for die in dice), f"({' + '.join(text for _, text in values)})")
        return self._finish(_Thrown((handling,), dice, [_Counted(1, handling, die) for die in kept]), whole)

    def _merged(self, whole: Collection) -> _Thrown:
        """Throw all dice of a sum, then keep and drop among them."""
        own = Handling.of(whole.modifiers, ())
        handlings, dice, parts, constant = [own], list[PoolDie](), list[_Counted](), 0
        for sign, term in merged_terms(whole.members[0]):
            match term:
                case Number() | Resource():
                    thrown = _Thrown((), [], [], self.node(term).value)
                case Collection():
                    thrown = self._merged(term)
                case DiceTerm(count, sides):
                    thrown = self._throw(Pool(count, sides))
                case Pool():
                    thrown = self._throw(term)
            constant += sign * thrown.constant
            handlings += thrown.handlings
            dice += thrown.dice
            parts += [part._replace(sign=sign * part.sign) for part in thrown.kept]
        chosen = set(map(id, keep(own, [part.die for part in parts])))
        return _Thrown(tuple(handlings), dice, [part for part in parts if id(part.die) in chosen], constant)

    def _finish(self, thrown: _Thrown, node: Pool | Collection) -> Valued:
        """Count or add up the dice that are kept, and record what became of each."""
        value = thrown.constant
        for handling in thrown.handlings:
            for name, _, _ in counters(handling):
                self.counts[name] += 0
        for sign, handling, die in thrown.kept:
            value += sign * handling.contribution(die.value)
            self._count(handling, die)
        handling, dice = thrown.handlings[0], thrown.dice
        if self._say and (node.modifiers or thrown.own):
            self._told = True
            shown = [die for die in dice if not die.apart or die.state == "rerolled"]
            if handling.order:
                shown.sort(key=lambda die: die.value, reverse=handling.order == "d")
            notation = label = format(node)
            if handling.counts:
                label = f"{notation}, successes less failures" if handling.failure else f"{notation}, successes"
            self._say.fact(label, value, *((die.state, die.word or die.value) for die in shown))
        if not isinstance(node, Collection) or is_merged(node):
            self.kept = [*(self.kept or ()), *(die.value for _, _, die in thrown.kept)]
        for _, _, die in thrown.kept:
            if die.word:
                self.labelled[die.word] += 1
        return self._shown(value)

    def _count(self, handling: Handling, die: PoolDie) -> None:
        for name, test, state in counters(handling):
            if test(die.value):
                self.counts[name] += 1
                die.mark(state)
