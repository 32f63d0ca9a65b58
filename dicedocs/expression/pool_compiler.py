"""Pools and sets compiled to functions that throw their dice; what is constant is looked up once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeAlias

from dicedocs.errors import DiceError
from dicedocs.expression.merged_dice import Term, is_merged, merged_terms
from dicedocs.expression.modifiers import Handling
from dicedocs.expression.played_dice import Merged, Part, PlayedDice, PlayedThrow, Whole
from dicedocs.expression.pool_dice import PoolDie, PoolRule, keep
from dicedocs.expression.tree import (
    Collection,
    DiceTerm,
    Faces,
    Modifier,
    Node,
    Number,
    Pool,
    Resource,
    format,  # noqa: A004 -- it is to trees what the built-in is to values
)
from dicedocs.rules.dice import check_limits

Run: TypeAlias = Callable[[Any, tuple[int, ...]], int]
"""A function of dice and the values of the references."""
RunOrNumber: TypeAlias = Run | int
"""A compiled node, or its value where that is constant."""


def function(part: RunOrNumber) -> Run:
    """Return a part as a function."""
    return (lambda _dice, _values: part) if isinstance(part, int) else part


class PoolCompiler:
    """The part of the compiler that knows pools and sets.

    Parameters:
        told: whether the working is recorded, so that what stands in it is noted.
    """

    def __init__(self, *, told: bool) -> None:
        self.told = told
        self._shows = told

    def node(self, node: Node, sign: int = 1) -> RunOrNumber:
        """Compile a node to a function, or to a number when its value is constant.

        Parameters:
            sign: -1 where the value is subtracted, for the sums of the labels.
        """
        raise NotImplementedError

    def shown(self, part: RunOrNumber) -> RunOrNumber:
        """Return a part whose value is noted for the working."""
        if not self._shows:
            return part
        run = function(part)

        def show(dice: PlayedDice, values: tuple[int, ...]) -> int:
            value = run(dice, values)
            dice.shown.append(value)
            return value

        return show

    @contextmanager
    def _hidden(self) -> Iterator[None]:
        """Compile what stands in the working as one value."""
        before, self._shows = self._shows, False
        try:
            yield
        finally:
            self._shows = before

    def _throw(self, pool: Pool) -> Callable[[PlayedDice, tuple[int, ...]], tuple[Handling, list[PoolDie]]]:
        """Compile the throw of a pool, with the rerolls and explosions; what is constant is looked up once."""
        modifiers = pool.modifiers
        number = self.node(pool.count)
        sides = pool.sides if isinstance(pool.sides, Faces) else self.node(pool.sides)
        if isinstance(number, int) and isinstance(sides, int | Faces):
            with suppress(DiceError):  # it is raised when the pool is rolled
                rule = _pool_rule(number, sides, modifiers)
                return lambda dice, _values: (rule.handling, dice.throw(rule, number))
        count_dice = function(number)
        count_sides = sides if isinstance(sides, Faces) else function(sides)

        def throw(dice: PlayedDice, values: tuple[int, ...]) -> tuple[Handling, list[PoolDie]]:
            number = count_dice(dice, values)
            size = count_sides if isinstance(count_sides, Faces) else count_sides(dice, values)
            rule = _pool_rule(number, size, modifiers)
            return rule.handling, dice.throw(rule, number)

        return throw

    def pool(self, pool: Pool) -> Run:
        """Return the function that rolls a pool."""
        with self._hidden():
            throw = self._throw(pool)
        whole = Whole(self._label(pool), told=bool(pool.modifiers) or isinstance(pool.sides, Faces))

        def roll(dice: PlayedDice, values: tuple[int, ...]) -> int:
            handling, thrown = throw(dice, values)
            kept = keep(handling, thrown)
            return dice.finish(dice.count(handling, kept), handling, thrown, kept, whole)

        return roll

    def collection(self, collection: Collection) -> Run:
        """Return the function that rolls the members of a set, or all dice of a sum."""
        if is_merged(collection):
            return self._merged(collection)
        members, modifiers = collection
        if not modifiers:
            parts = [function(self.node(member)) for member in members]
            return lambda dice, values: sum([part(dice, values) for part in parts])
        with self._hidden():
            parts = [function(self.node(member)) for member in members]
        handling = Handling.of(modifiers, ())
        whole = Whole(self._label(collection), told=True, of_dice=False)

        def roll(dice: PlayedDice, values: tuple[int, ...]) -> int:
            found = [PoolDie(part(dice, values)) for part in parts]
            kept = keep(handling, found)
            return dice.finish(dice.count(handling, kept), handling, found, kept, whole)

        return roll

    def _merged(self, collection: Collection) -> Run:
        with self._hidden():
            throw = self._merged_throw(collection)
        whole = Whole(self._label(collection), told=True)

        def roll(dice: PlayedDice, values: tuple[int, ...]) -> int:
            merged = throw(dice, values)
            kept = [part.die for part in merged.kept]
            return dice.finish(dice.count_merged(merged), merged.handlings[0], merged.dice, kept, whole)

        return roll

    def _merged_throw(self, collection: Collection) -> PlayedThrow:
        """Compile the throw of all dice of a sum, among which are kept and dropped."""
        own = Handling.of(collection.modifiers, ())
        terms = [(sign, self._term(term)) for sign, term in merged_terms(collection.members[0])]

        def throw(dice: PlayedDice, values: tuple[int, ...]) -> Merged:
            handlings, thrown, parts, constant = [own], list[PoolDie](), list[Part](), 0
            for sign, term in terms:
                merged = term(dice, values)
                constant += sign * merged.constant
                handlings += merged.handlings
                thrown += merged.dice
                parts += [part._replace(sign=sign * part.sign) for part in merged.kept]
            chosen = set(map(id, keep(own, [part.die for part in parts])))
            return Merged(tuple(handlings), thrown, [part for part in parts if id(part.die) in chosen], constant)

        return throw

    def _term(self, term: Term) -> PlayedThrow:
        if isinstance(term, Collection):
            return self._merged_throw(term)
        if isinstance(term, Number | Resource):
            constant = function(self.node(term))
            return lambda dice, values: Merged((), [], [], constant(dice, values))
        throw = self._throw(Pool(*term) if isinstance(term, DiceTerm) else term)

        def throw_alone(dice: PlayedDice, values: tuple[int, ...]) -> Merged:
            handling, thrown = throw(dice, values)
            return Merged((handling,), thrown, [Part(1, handling, die) for die in keep(handling, thrown)])

        return throw_alone

    def _label(self, node: Pool | Collection) -> str:
        """Return the name of a pool or a set in the working."""
        if not self.told:
            return ""
        notation = label = format(node)
        names = {modifier.name for modifier in node.modifiers}
        if "" in names:
            label = f"{notation}, successes less failures" if "f" in names else f"{notation}, successes"
        return label


def _pool_rule(number: int, sides: int | Faces, modifiers: tuple[Modifier, ...]) -> PoolRule:
    """Return the rule of a pool.

    Raises:
        DiceError: no such dice can be thrown, or they would be thrown without end.
    """
    check_limits(0, number, 1 if isinstance(sides, Faces) else sides)
    return PoolRule.of(sides, modifiers)
