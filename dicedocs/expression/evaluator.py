"""The values of resources, and a tree compiled to a closure that rolls it."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import count
from typing import Final, NamedTuple, TypeAlias, overload

from dicedocs import limits
from dicedocs.errors import DiceError, LimitError, ResourceError, listed, near, quoted
from dicedocs.expression.tree import (
    ACTOR,
    TARGET,
    WORDS,
    CheckTree,
    DiceTerm,
    Group,
    Node,
    Number,
    Product,
    Resource,
    Sum,
    Tree,
    format,  # noqa: A004 -- it is to trees what the built-in is to values
    leaves,
)
from dicedocs.rules.dice import Dice

Run: TypeAlias = Callable[[Dice, tuple[int, ...]], int]
"""Rolls an Expression: dice and the values of its references in, its value out, not clamped."""
RunBoth: TypeAlias = Callable[[Dice, tuple[int, ...]], tuple[int, int]]
"""Rolls both sides of a Check, the left one first."""

_REMEMBERED = 1024
"""Trees whose closures are kept."""
_VALUE_END: Final = 10**limits.DIGITS.maximum


class Arithmetic(NamedTuple):
    """What a game may choose about the arithmetic of its Expressions.

    Parameters:
        lowest: what the value of the whole is raised to when it is lower; ``None`` leaves it alone.
        by_zero: the value of a quotient whose divisor is 0; ``None`` makes it an error.
    """

    lowest: int | None = 0
    by_zero: int | None = 0

    def clamp(self, raw: int) -> int:
        """Raise the value of a whole Expression to the lowest there is.

        >>> Arithmetic().clamp(-3), Arithmetic(lowest=None).clamp(-3)
        (0, -3)
        """
        return raw if self.lowest is None or raw >= self.lowest else self.lowest

    def calculate(self, left: int, sign: str, right: int) -> int:
        """Do one piece of arithmetic; a division rounds down.

        Raises:
            DiceError: the divisor is 0 and that has no value.

        >>> Arithmetic().calculate(-3, "/", 2), Arithmetic().calculate(10, "/", 0)
        (-2, 0)
        """
        if sign != "/":
            return _SIGNS[sign](left, right)
        if right:
            return left // right
        if self.by_zero is None:
            raise DiceError(f"{left} / 0 has no value", hint="let the divisor be another number than 0")
        return self.by_zero


_SIGNS: Final[Mapping[str, Callable[[int, int], int]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
}
STANDARD: Final = Arithmetic()
"""A value is at least 0, and so is a quotient with the divisor 0."""


@lru_cache(_REMEMBERED)
def references(tree: Tree) -> tuple[Resource, ...]:
    """Give the references of a tree, in the order in which they stand there, each as often as it does.

    >>> references(DiceTerm(Number(2), Resource("actor", "Size")))
    (Resource(scope='actor', name='Size'),)
    """
    found: list[Resource] = []
    for leaf in leaves(tree):
        parts = leaf if type(leaf) is DiceTerm else (leaf,)
        found += [part for part in parts if type(part) is Resource]
    return tuple(found)


def substitution(tree: Tree, actor: Mapping[str, int], target: Mapping[str, int] | None = None) -> tuple[int, ...]:
    """Look up the values of a tree's references, before any die is thrown.

    Parameters:
        actor: the resources of whoever acts.
        target: those of the target; ``None`` when there is no target.

    Returns:
        A value for each of :func:`references`, in the same order.

    Raises:
        ResourceError: a resource is missing, or is a count of dice below 0 or of sides below 1.
        LimitError: a value has too many digits, or makes too many dice or sides.

    >>> substitution(DiceTerm(Number(2), Resource("actor", "Size")), {"Size": 8})
    (8,)
    """
    wanted = references(tree)
    if not wanted:
        return ()
    sources = {ACTOR: actor, TARGET: target or {}}
    missing = [resource for resource in wanted if resource.name not in sources[resource.scope]]
    if missing:
        raise _missing(tuple(dict.fromkeys(missing)), actor, target)
    values = tuple([sources[scope][name] for scope, name in wanted])
    for resource, value in zip(wanted, values, strict=True):
        if not -_VALUE_END < value < _VALUE_END:
            message = f"{_whose(resource)} has more than {limits.DIGITS.maximum} digits, the limit DIGITS"
            raise LimitError(message, limit=limits.DIGITS.name)
    if _depends(tree):
        _judge(tree, iter(values))
    return values


@lru_cache(_REMEMBERED)
def _depends(tree: Tree) -> bool:
    """Tell whether resources decide which dice there are."""
    return any(type(leaf) is DiceTerm and Resource in map(type, leaf) for leaf in leaves(tree))


def _judge(tree: Tree, values: Iterator[int]) -> None:
    """Refuse dice that cannot be, or are too many, once the values are known."""
    dice = 0
    for leaf in leaves(tree):
        if type(leaf) is Resource:
            next(values)
        elif type(leaf) is DiceTerm:
            number = leaf.count.value if isinstance(leaf.count, Number) else next(values)
            sides = leaf.sides.value if isinstance(leaf.sides, Number) else next(values)
            if sides < 1:
                raise _impossible(leaf.sides, f"a die cannot have {sides} sides", "it has 1 or more")
            if number < 0:
                raise _impossible(leaf.count, f"{number} dice cannot be thrown", "throw 0 or more")
            limits.SIDES.check(sides, hint=f"{format(leaf.sides)} is too large for sides")
            dice += number
            limits.DICE.check(dice, hint="throw fewer dice")


def _impossible(part: Number | Resource, message: str, hint: str) -> DiceError:
    if isinstance(part, Number):
        return DiceError(message, hint=hint)
    message = f"{message}, which is what {format(part)} gives"
    return ResourceError(message, scope=part.scope, name=part.name, hint=hint)


def _whose(resource: Resource) -> str:
    return f"the {resource.scope}'s {quoted(resource.name)}"


def _missing(
    missing: tuple[Resource, ...], actor: Mapping[str, int], target: Mapping[str, int] | None
) -> ResourceError:
    first = missing[0]
    if first.scope == TARGET and target is None:
        names = [quoted(name) for scope, name in missing if scope == TARGET]
        message = f"there is no target to have {listed(names, 'and')}"
        hint = "give the target's resources"
        if first.name in actor:
            hint += f", or write {format(Resource(ACTOR, first.name))} for the actor's own"
    else:
        parts = [f"the {resource.scope} has no {quoted(resource.name)}" for resource in missing]
        message = listed(parts, "and")
        hint = _instead(first, {ACTOR: actor, TARGET: target or {}})
    return ResourceError(message, scope=first.scope, name=first.name, hint=hint)


def _instead(missing: Resource, sources: Mapping[str, Mapping[str, int]]) -> str:
    """Give the hint for a resource that is missing: the other's, the scope's word in another case, a near one."""
    scope, name = missing
    other = TARGET if scope == ACTOR else ACTOR
    if name in sources[other]:
        return f"the {other} has one: write {format(Resource(other, name))}"
    word, _, rest = name.partition(" ")
    meant = WORDS.get(word.capitalize())
    if meant and rest in sources[meant]:
        return f"write {format(Resource(meant, rest))}"
    return near(name, sources[scope]) or ("" if sources[scope] else f"give the {scope}'s resources, as in {name}=4")


@overload
def compiled(tree: Node, arithmetic: Arithmetic = STANDARD) -> Run: ...
@overload
def compiled(tree: CheckTree, arithmetic: Arithmetic = STANDARD) -> RunBoth: ...
@lru_cache(_REMEMBERED)
def compiled(tree: Tree, arithmetic: Arithmetic = STANDARD) -> Run | RunBoth:
    """Compile a tree to a closure that rolls it.

    Returns:
        A function of dice and the values that :func:`substitution` gave. It gives the value, not
        clamped; for a Check those of both sides. Dice are thrown from left to right.

    >>> from dicedocs.rules.dice import ScriptedDice
    >>> compiled(DiceTerm(Number(2), Number(6)))(ScriptedDice([3, 5]), ())
    8
    """
    places = count()
    if isinstance(tree, CheckTree):
        left = _run(_compiled(tree.left, places, arithmetic))
        right = _run(_compiled(tree.right, places, arithmetic))
        return lambda dice, values: (left(dice, values), right(dice, values))
    return _run(_compiled(tree, places, arithmetic))


def _run(part: Run | int) -> Run:
    return (lambda _dice, _values: part) if isinstance(part, int) else part


def _compiled(node: Node, places: Iterator[int], arithmetic: Arithmetic) -> Run | int:
    """Compile a part; one that is the same each time is its value.

    Parameters:
        places: gives each reference, as it is met, its place among the values.
    """
    match node:
        case Number(value):
            return value
        case Resource():
            place = next(places)
            return lambda _dice, values: values[place]
        case DiceTerm():
            return _dice(node, places)
        case Group(inner):
            return _compiled(inner, places, arithmetic)
        case Sum(first, rest):
            return _sum([("+", first), *rest], places, arithmetic)
        case Product(first, rest):
            return _product(first, rest, places, arithmetic)


def _dice(term: DiceTerm, places: Iterator[int]) -> Run | int:
    number, sides = term
    if isinstance(number, Number) and isinstance(sides, Number):
        dice_count, dice_sides = number.value, sides.value
        return (lambda dice, _values: dice.total(dice_count, dice_sides)) if dice_count else 0
    if isinstance(sides, Number):
        place, dice_sides = next(places), sides.value
        return lambda dice, values: dice.total(values[place], dice_sides) if values[place] else 0
    if isinstance(number, Number):
        place, dice_count = next(places), number.value
        return (lambda dice, values: dice.total(dice_count, values[place])) if dice_count else 0
    place, place_sides = next(places), next(places)
    return lambda dice, values: dice.total(values[place], values[place_sides]) if values[place] else 0


def _sum(chain: list[tuple[str, Node]], places: Iterator[int], arithmetic: Arithmetic) -> Run | int:
    """Compile a chain of terms: those that are numbers are added up beforehand, which changes no sum."""
    constant = 0
    parts: list[Run] = []
    for sign, node in chain:
        part = _compiled(node, places, arithmetic)
        if isinstance(part, int):
            constant += part if sign == "+" else -part
        else:
            parts.append(part if sign == "+" else _negative(part))
    if not parts:
        return constant
    if len(parts) == 1:
        return _plus(parts[0], constant) if constant else parts[0]
    if len(parts) == 2:
        one, two = parts
        return lambda dice, values: one(dice, values) + two(dice, values) + constant

    def add(dice: Dice, values: tuple[int, ...]) -> int:
        total = constant
        for part in parts:
            total += part(dice, values)
        return total

    return add


def _plus(part: Run, constant: int) -> Run:
    return lambda dice, values: part(dice, values) + constant


def _negative(part: Run) -> Run:
    return lambda dice, values: -part(dice, values)


def _product(
    first: Node, rest: tuple[tuple[str, Node], ...], places: Iterator[int], arithmetic: Arithmetic
) -> Run | int:
    """Compile a chain of factors: each division rounds down where it stands, so their order is kept."""
    start = _compiled(first, places, arithmetic)
    steps: list[tuple[str, Run | int]] = []
    for sign, node in rest:
        part = _compiled(node, places, arithmetic)
        if isinstance(start, int) and isinstance(part, int) and not steps and _known(sign, part, arithmetic):
            start = arithmetic.calculate(start, sign, part)
        else:
            steps.append((sign, part))
    if not steps:
        return start
    if len(steps) == 1:
        return _one_step(_run(start), *steps[0], arithmetic)
    return _steps(_run(start), [(sign, _run(part)) for sign, part in steps], arithmetic)


def _known(sign: str, right: int, arithmetic: Arithmetic) -> bool:
    """Tell whether a piece of arithmetic has a value; one that has none must fail when it is rolled."""
    return sign == "*" or right != 0 or arithmetic.by_zero is not None


def _one_step(left: Run, sign: str, right: Run | int, arithmetic: Arithmetic) -> Run:
    """Compile a product of two, much the commonest."""
    if isinstance(right, int):
        if sign == "*":
            return lambda dice, values: left(dice, values) * right
        if right:
            return lambda dice, values: left(dice, values) // right
    part = _run(right)
    if sign == "*":
        return lambda dice, values: left(dice, values) * part(dice, values)
    divide = arithmetic.calculate
    return lambda dice, values: divide(left(dice, values), "/", part(dice, values))


def _steps(left: Run, steps: list[tuple[str, Run]], arithmetic: Arithmetic) -> Run:
    calculate = arithmetic.calculate

    def multiply(dice: Dice, values: tuple[int, ...]) -> int:
        product = left(dice, values)
        for sign, part in steps:
            product = calculate(product, sign, part(dice, values))
        return product

    return multiply
