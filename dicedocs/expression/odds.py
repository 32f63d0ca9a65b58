"""The exact distribution of an Expression.

The dice of its parts are independent, so each part has a distribution of its own, and the operators
between the parts are arithmetic on distributions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from typing import cast

from dicedocs import limits
from dicedocs.expression.evaluator import Arithmetic
from dicedocs.expression.merged_dice import is_merged, merged_terms
from dicedocs.expression.modifiers import COUNTERS, FaceValues, Handling
from dicedocs.expression.operations import TO_DIVIDE, calculate, power, quotient, rounded
from dicedocs.expression.pool_odds import end_of_ranks, mixture, pool_distribution, ranked_members, ranks_in_turn
from dicedocs.expression.tree import (
    Call,
    CheckTree,
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
    leaves,
)
from dicedocs.probability.convolution import FEWER_DICE, DiceGroup
from dicedocs.probability.distribution import Distribution
from dicedocs.probability.frequency_table import SPARSE
from dicedocs.rules.dice import check_limits
from dicedocs.rules.steps import COMPARISONS, Comparison


class NotCountedError(Exception):
    """The dice of a tree have to be enumerated: what is known of each does not tell the odds of the whole."""


def expression_distribution(tree: Node, values: tuple[int, ...], arithmetic: Arithmetic) -> Distribution:
    """Return the distribution of an Expression, not clamped.

    Parameters:
        tree: the Expression.
        values: the values from :func:`~dicedocs.expression.references.resolve_references`.
        arithmetic: the value of a quotient whose divisor is 0.

    Raises:
        LimitError: there are too many outcomes, or pairs of outcomes.
        NotCountedError: the dice have to be enumerated, which no plain tree needs.

    >>> expression_distribution(DiceTerm(Number(1), Number(4)), (), Arithmetic()).values
    (1, 2, 3, 4)
    """
    return _Calculation(values, arithmetic).node(tree)


def check_distributions(
    tree: CheckTree, values: tuple[int, ...], arithmetic: Arithmetic
) -> tuple[Distribution, Distribution]:
    """Return the distributions of both sides of a Check, not clamped; the sides are independent.

    Raises:
        LimitError: as for :func:`expression_distribution`.
    """
    calculation = _Calculation(values, arithmetic)
    return calculation.node(tree.left), calculation.node(tree.right)


def clamp_distribution(raw: Distribution, arithmetic: Arithmetic) -> Distribution:
    """Return the distribution of a whole Expression, raised to the minimum that the game sets."""
    lowest = arithmetic.lowest
    return raw if lowest is None or not raw.at_most(lowest - 1) else raw.map(arithmetic.clamp)


def fact_distribution(tree: Node, values: tuple[int, ...], arithmetic: Arithmetic, fact: str) -> Distribution:
    """Return the distribution of a fact that counts the dice of all pools; of none, where no pool counts any.

    Raises:
        LimitError: as for :func:`expression_distribution`.
        NotCountedError: the dice have to be enumerated.
    """
    if fact not in COUNTERS:
        raise NotCountedError
    calculation = _Calculation(values, arithmetic, fact)
    calculation.node(tree)
    if not calculation.fact_parts:
        return Distribution({None: 1}, (fact,))
    return reduce(Distribution.__add__, calculation.fact_parts).named(fact)


def counter(handling: Handling, fact: str) -> Callable[[int], int]:
    """Return the function that tells whether a value is counted for a fact, as 0 or 1."""
    test = next(test for name, test, _ in handling.counters if name == fact)
    return lambda value: int(test(value))


def compared_distribution(
    left: Distribution, right: Distribution, op: Comparison, facts: Sequence[str]
) -> Distribution:
    """Return the distribution of facts of a Check: ``success``, ``left`` and ``right``."""
    by_side = {"left": left, "right": right}
    if len(facts) == 1:
        only = facts[0]
        return (by_side[only] if only in by_side else left.compare(right, op)).named(only)
    compare = COMPARISONS[op]
    both = left.combine(right, lambda one, two: (compare(one, two), one, two))
    return both.named("success", "left", "right").marginal(*facts)


class _Calculation:
    """The state of one calculation: the values not yet used, the pairs of outcomes and the dice so far.

    Where a fact is given that counts dice, its distribution for each pool is collected as well.
    """

    def __init__(self, values: tuple[int, ...], arithmetic: Arithmetic, fact: str = "") -> None:
        self.fact = fact
        self.fact_parts: list[Distribution] = []
        self.values: Iterator[int] = iter(values)
        self.arithmetic = arithmetic
        self.pairs = 0
        self.dice_before = 0

    def node(self, node: Node) -> Distribution:
        match node:
            case Number() | Resource():
                return _constant(self.value(node))
            case DiceTerm():
                number, sides, _ = self.dice_term(node)
                return Distribution.dice(number, sides)
            case Group(inner):
                return self.node(inner)
            case Sum(first, rest):
                return self.sum([("+", first), *rest])
            case Product(first, rest):
                product = self.node(first)
                for sign, part in rest:
                    product = self.operation(product, sign, self.node(part))
                return product
            case Negation(operand):
                return -self.node(operand)
            case Labelled(inner, _):
                return self.node(inner)
            case Power(base, exponent):
                left, right = self.node(base), self.node(exponent)
                self.count_pairs(left, right)
                return left.combine(right, power)
            case Call(name, arguments):
                return self.call(name, arguments)
            case Compared(left_side, op, right_side):
                left, right = self.node(left_side), self.node(right_side)
                self.count_pairs(left, right)
                return left.compare(right, op).map(int)
            case Collection(members, modifiers):
                return self.merged(node) if is_merged(node) else self.collection(members, modifiers)
            case Pool():
                return self.pool(node)

    def call(self, name: str, arguments: Sequence[Node]) -> Distribution:
        parts = quotient(arguments[0]) if name in TO_DIVIDE else None
        if parts is not None:
            left, right = map(self.node, parts)
            self.count_pairs(left, right)
            return left.combine(right, lambda one, two: rounded(name, one, two))
        values = [self.node(argument) for argument in arguments]
        if name in {"min", "max"}:
            return reduce(Distribution.min if name == "min" else Distribution.max, values)
        return values[0].map(abs) if name == "abs" else values[0]

    def collection(self, members: Sequence[Node], modifiers: Sequence[Modifier]) -> Distribution:
        facts_before = len(self.fact_parts)
        parts = [self.node(member) for member in members]
        handling = Handling.of(modifiers, ())
        if self.fact in COUNTERS and any(modifier.name == COUNTERS[self.fact] for modifier in modifiers):
            if len(self.fact_parts) > facts_before:
                raise NotCountedError
            self.fact_parts.append(collection_distribution(parts, handling, counter(handling, self.fact)))
        return collection_distribution(parts, handling, handling.contribution)

    def merged(self, whole: Collection) -> Distribution:
        """Return the distribution of a sum whose dice are kept or dropped together: of one pool, or of plain dice."""
        if self.fact in COUNTERS or any(isinstance(leaf, Resource) for leaf in leaves(whole)):
            raise NotCountedError
        constant, handlings, inner = 0, list[Handling](), whole
        while True:
            handlings.insert(0, Handling.of(inner.modifiers, ()))
            terms = list(merged_terms(inner.members[0]))
            constant += sum(sign * term.value for sign, term in terms if isinstance(term, Number))
            signed = [(sign, term) for sign, term in terms if not isinstance(term, Number)]
            if any(sign < 0 for sign, _ in signed):
                raise NotCountedError
            match dice := [term for _, term in signed]:
                case [Collection() as inner]:
                    continue
                case []:
                    return _constant(constant)
                case [Pool(Number(number), Number() | Faces() as sides, modifiers)]:
                    die = sides if isinstance(sides, Faces) else sides.value
                    check_limits(self.dice_before, number, len(die.texts) if isinstance(die, Faces) else die)
                    faces = FaceValues.of(die)
                    handling = Handling.of(modifiers, faces.all())
                    ranks = ranks_in_turn(number, [handling, *handlings])
                    found = pool_distribution(number, faces, handling, ranks=ranks)
                    if found is None:
                        raise NotCountedError
                    return found + constant
                case _:
                    return self.kept_together(dice, handlings) + constant

    def kept_together(self, dice: Sequence[Node], handlings: Sequence[Handling]) -> Distribution:
        """Return the distribution of the highest or the lowest of plain dice of several kinds."""
        sides: list[int] = []
        for term in dice:
            if not isinstance(term, DiceTerm):
                raise NotCountedError
            number, each, _ = self.dice_term(term)
            sides += [each] * number
        keep = end_of_ranks(ranks_in_turn(len(sides), handlings), len(sides))
        if keep is None:
            raise NotCountedError
        return Distribution.pool(*sides, keep=keep)

    def pool(self, pool: Pool) -> Distribution:
        facts_before = len(self.fact_parts)
        numbers = self.node(pool.count)
        own = pool.sides if isinstance(pool.sides, Faces) else None
        sizes = _constant(len(own.texts)) if own else self.node(cast("Node", pool.sides))
        if self.fact in COUNTERS and any(modifier.name == COUNTERS[self.fact] for modifier in pool.modifiers):
            if len(self.fact_parts) > facts_before:
                raise NotCountedError
            before = self.dice_before
            self.fact_parts.append(self.pools(pool.modifiers, numbers, sizes, own, self.fact))
            self.dice_before = before
        return self.pools(pool.modifiers, numbers, sizes, own)

    def pools(
        self,
        modifiers: Sequence[Modifier],
        numbers: Distribution,
        sizes: Distribution,
        own: Faces | None,
        fact: str = "",
    ) -> Distribution:
        """Return the distribution of a pool, or of a fact of it, whose numbers of dice and sides may be random."""
        before, most = self.dice_before, 0
        parts = []
        if len(numbers) * len(sizes) > 1:
            self.count_pairs(numbers, sizes)
            # Each pool is a distribution of its own; the more dice it has, the longer are its counts.
            work = sum(abs(number * size) * (1 + abs(number) // 8) for number in numbers for size in sizes)
            limits.PAIRS.check(work, hint="calculate with fewer dice")
        for number, ways in numbers.items():
            for size, more in sizes.items():
                check_limits(before, number, size)
                faces = FaceValues.of(own or size)
                handling = Handling.of(modifiers, faces.all())
                adds = counter(handling, fact) if fact else None
                found = pool_distribution(number, faces, handling, adds)
                if found is None:
                    raise NotCountedError
                parts.append((ways * more, found))
                most = max(most, number)
        self.dice_before = before + most
        whole = numbers.denominator * sizes.denominator
        return parts[0][1] if len(parts) == 1 and parts[0][0] == whole else mixture(parts, whole)

    def value(self, leaf: Number | Resource) -> int:
        return leaf.value if isinstance(leaf, Number) else next(self.values)

    def sum(self, chain: list[tuple[str, Node]]) -> Distribution:
        """Add up a chain: dice with the same factor in one step, then the smallest distributions first."""
        constant = 0
        by_factor: dict[int, Counter[int]] = {}
        parts: list[Distribution] = []
        for sign, node in chain:
            if isinstance(node, Number | Resource):
                constant += self.value(node) if sign == "+" else -self.value(node)
                continue
            group = self.dice_group(node)
            if group is None:
                part = self.node(node)
                parts.append(part if sign == "+" else -part)
                continue
            number, sides, times = group if sign == "+" else group._replace(times=-group.times)
            by_factor.setdefault(abs(times), Counter())[sides] += number
            # Minus a die is distributed as a die minus (sides + 1).
            constant += number * times * (sides + 1) if times < 0 else 0
        _check_outcomes(by_factor)
        dense: list[DiceGroup] = []
        for times, dice in by_factor.items():
            if 0 < times < SPARSE:
                dense += [DiceGroup(number, sides, times) for sides, number in dice.items()]
            else:
                groups = [DiceGroup(number, sides) for sides, number in dice.items()]
                parts.append(Distribution.from_dice_groups(groups) * times)
        if dense:
            parts.append(Distribution.from_dice_groups(dense))
        while len(parts) > 1:
            parts.sort(key=len, reverse=True)
            one, two = parts.pop(), parts.pop()
            if not (one.dense and two.dense):
                self.count_pairs(one, two)
            parts.append(one + two)
        return parts[0] + constant if parts else _constant(constant)

    def dice_group(self, node: Node) -> DiceGroup | None:
        """Return a node as dice times a factor; ``None`` when it is something else."""
        match node:
            case DiceTerm():
                return self.dice_term(node)
            case Product(DiceTerm() as term, (("*", Number() | Resource() as times),)):
                return self.dice_term(term)._replace(times=self.value(times))
            case Product(Number() | Resource() as times, (("*", DiceTerm() as term),)):
                factor = self.value(times)
                return self.dice_term(term)._replace(times=factor)
        return None

    def dice_term(self, term: DiceTerm) -> DiceGroup:
        number, sides = self.value(term.count), self.value(term.sides)
        check_limits(self.dice_before, number, sides)
        self.dice_before += number
        return DiceGroup(number, sides)

    def operation(self, left: Distribution, sign: str, right: Distribution) -> Distribution:
        self.count_pairs(left, right)
        if sign == "*":
            return left * right
        if sign == "%":
            return left.combine(right, lambda one, two: calculate(self.arithmetic, one, "%", two))
        if right.exactly(0):
            return left.combine(right, lambda one, two: self.arithmetic.calculate(one, "/", two))
        return left // right

    def count_pairs(self, left: Distribution, right: Distribution) -> None:
        """Add the pairs of one operation, and raise an error when the text as a whole has too many."""
        self.pairs += len(left) * len(right)
        limits.PAIRS.check(self.pairs, hint="calculate with fewer dice")


def collection_distribution(
    members: Sequence[Distribution], handling: Handling, adds: Callable[[int], int]
) -> Distribution:
    """Return the distribution of what the members of a set that are kept add."""
    if handling.filters:
        passes, inner = handling.passes, adds
        adds = lambda value: inner(value) if passes(value) else 0  # noqa: E731
    if handling.keeps:
        return ranked_members(members, handling.ranks(len(members)), adds)
    return reduce(Distribution.__add__, [member.map(adds) for member in members])


def _check_outcomes(by_factor: Mapping[int, Mapping[int, int]]) -> None:
    """Refuse a sum of dice that certainly has too many outcomes.

    Where a factor is larger than the range of all that is added to it, no two of the sums are equal.
    """
    outcomes, width = 1, 0
    for times, dice in sorted(by_factor.items()):
        totals = sum(number * (sides - 1) for sides, number in dice.items()) + 1 if times else 1
        outcomes = outcomes * totals if times > width else max(outcomes, totals)
        width += (totals - 1) * times
    limits.OUTCOMES.check(outcomes, hint=FEWER_DICE)


def _constant(number: int) -> Distribution:
    return Distribution({number: 1})
