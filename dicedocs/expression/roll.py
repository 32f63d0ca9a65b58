"""Rolling a tree: its dice are thrown from left to right, what they come to is computed, and both are explained."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from dicedocs.expression.pool import PoolDie, RerollBudget, ThrownPool, keep, pool_rules, score
from dicedocs.rules.dice import Dice, check_limits
from dicedocs.rules.steps import Say
from dicedocs.syntax.arithmetic import Notes, WholeNumbers, compute
from dicedocs.syntax.faces import DieFaces
from dicedocs.syntax.joined_dice import is_joined, joined_terms
from dicedocs.syntax.modifiers import SUCCESSES, Failure, Modifier, PoolRules, Success
from dicedocs.syntax.tree import (
    Compared,
    DiceTerm,
    Group,
    Labelled,
    Node,
    Number,
    Set,
    format,  # noqa: A004 -- it is to trees what the built-in is to values
    is_leaf,
    replace_leaves,
)
from dicedocs.translation import mark


class Roller:
    """One roll of a notation.

    Parameters:
        dice: where the dice come from.
        say: where the working goes.
        shown: the part of the tree whose dice are noted one by one, for their highest and their lowest; ``None`` for no
            part, which leaves more dice to be added up at once.

    Attributes:
        notes: what is noted beside the value.
    """

    def __init__(self, dice: Dice, say: Say, shown: Node | None = None) -> None:
        self.notes = Notes()
        self._shown = shown
        self._showing = False
        self._dice = dice
        self._say = say
        self._budget = RerollBudget()

    def roll(self, tree: Node, written: Node) -> list[int]:
        """Return what a tree comes to: one number, or both sides of a check.

        Parameters:
            tree: a tree without references.
            written: the tree with them.

        >>> from dicedocs.syntax.parser import parse_expression
        >>> from dicedocs.rules.dice import ScriptedDice
        >>> from dicedocs.rules.steps import SILENT
        >>> tree = parse_expression("4d6kh3", "notation")
        >>> Roller(ScriptedDice([5, 2, 6, 3]), SILENT).roll(tree, tree)
        [14]
        """
        if self._say:
            self._say.rewrite(mark("Substitute"), format(written), format(tree))
        arithmetic, leaves = WholeNumbers(self.notes), list[int]()

        def throw(leaf: Node, sign: int) -> int:
            leaves.append(self._throw(leaf, sign))
            return leaves[-1]

        sides = (tree.left, tree.right) if isinstance(tree, Compared) else (tree,)
        values = [compute(side, throw, arithmetic) for side in sides]
        if self._say:
            self._explain(tree, leaves, values, arithmetic)
        return values

    def _explain(self, tree: Node, leaves: Sequence[int], values: Sequence[int], arithmetic: WholeNumbers) -> None:
        while isinstance(tree, Group | Labelled):
            tree = tree.inner if isinstance(tree, Group) else tree.value
        if not is_leaf(tree):  # else its dice explain it
            numbers = iter(leaves)
            rolled = format(
                replace_leaves(tree, lambda leaf: leaf if isinstance(leaf, Number) else Number(next(numbers)))
            )
            result = f" {tree.op} ".join(map(str, values)) if isinstance(tree, Compared) else str(values[0])
            self._say.rewrite(mark("Roll"), format(tree), rolled)
            self._say.rewrite(mark("Calculate"), rolled, result, *arithmetic.operations)
        for label, amount in self.notes.labels.items():
            self._say.fact(label.capitalize(), amount)

    def _value(self, node: Node, sign: int = 1) -> int:
        # What is computed within a leaf, such as a number of dice, stands in the working as one number.
        return compute(node, self._throw, WholeNumbers(self.notes), sign)

    def _throw(self, leaf: Node, sign: int) -> int:
        """Return what a leaf comes to, after throwing its dice."""
        before, self._showing = self._showing, self._showing or leaf is self._shown
        value = self._thrown_leaf(leaf, sign)
        self._showing = before
        return value

    def _size(self, node: Node) -> int:
        """Return a number of dice or of sides; dice that are thrown for it are none of the result."""
        before, self._showing = self._showing, False
        value = self._value(node)
        self._showing = before
        return value

    def _thrown_leaf(self, leaf: Node, sign: int) -> int:
        match leaf:
            case DiceTerm(_, sides, ()) if not isinstance(sides, DieFaces):
                count, size = self._size(leaf.count), self._size(sides)
                if self._showing and count:
                    faces = self._dice.each(*[size] * count)
                    self.notes.faces += tuple(map(int, faces))
                    return sum(faces)
                return self._dice.total(count, size) if count else 0
            case DiceTerm(modifiers=modifiers):
                rules, thrown = self._thrown(leaf)
                kept = keep(rules, thrown)
                self._note_kept((sign, die) for die in kept)
                return self._explained(leaf, modifiers, score(rules, kept, self.notes.counts), thrown)
            case Set(modifiers=modifiers) if is_joined(leaf):
                joined = self._joined(leaf)
                self._note_kept((sign * one, die) for one, _, die in joined.kept)
                parts = [one * score(rules, (die,), self.notes.counts) for one, rules, die in joined.kept]
                return self._explained(leaf, modifiers, joined.constant + sum(parts), joined.thrown)
            case Set(members, modifiers):
                rules = PoolRules(modifiers)
                together = [self._member(node, sign) for node in members]
                values = [member.die for member in together]
                kept = keep(rules, values)
                for member in together:
                    self._add_member(member, recounted=SUCCESSES if rules.scores else ())
                self.notes.members = (*(self.notes.members or ()), *[die.value for die in values])
                return self._explained(leaf, modifiers, score(rules, kept, self.notes.counts), values)
            case _:
                raise TypeError(f"{leaf} is no leaf that can be thrown")

    def _thrown(self, term: DiceTerm) -> tuple[PoolRules, list[PoolDie]]:
        count = self._size(term.count)
        die, rules = pool_rules(
            term.sides if isinstance(term.sides, DieFaces) else self._size(term.sides), term.modifiers
        )
        check_limits(0, count, die.sides)
        return rules, ThrownPool(die, rules, count, self._dice, self._budget).dice

    def _joined(self, whole: Set) -> JoinedDice:
        """Throw all dice of a sum, among which are kept and dropped."""
        own = PoolRules(whole.modifiers)
        score(own, (), self.notes.counts)
        thrown, kept, constant = list[PoolDie](), list[tuple[int, PoolRules, PoolDie]](), 0
        for sign, term in joined_terms(whole.members[0]):
            if isinstance(term, Set):
                inner = self._joined(term)
                constant += sign * inner.constant
                thrown += inner.thrown
                kept += [(sign * one, rules, die) for one, rules, die in inner.kept]
            elif isinstance(term, DiceTerm):
                rules, dice = self._thrown(term)
                score(rules, (), self.notes.counts)
                thrown += dice
                kept += [(sign, rules, die) for die in keep(rules, dice)]
            else:
                constant += sign * self._value(term)
        chosen = {id(die) for die in keep(own, [die for _, _, die in kept])}
        return JoinedDice(thrown, [part for part in kept if id(part[2]) in chosen], constant)

    def _member(self, node: Node, sign: int) -> SetMember:
        """Return a member of a set after throwing its dice, with notes of its own until it is kept or dropped."""
        outer, self.notes = self.notes, Notes()
        first = self._dice.recorded
        die = PoolDie(self._value(node, sign))
        notes, self.notes = self.notes, outer
        return SetMember(die, notes, range(first, self._dice.recorded))

    def _add_member(self, member: SetMember, *, recounted: Collection[str]) -> None:
        """Add what was noted of a member that is kept, or drop its dice."""
        dropped = member.die.state == "dropped"
        self.notes.add(member.notes, dropped=dropped, recounted=recounted)
        if dropped:
            self._dice.drop(member.dice, spared="rerolled")

    def _note_kept(self, kept: Iterable[tuple[int, PoolDie]]) -> None:
        """Note dice that are kept, each with the sign of what it adds."""
        signed = list(kept)
        self.notes.kept = (*(self.notes.kept or ()), *[die.value for _, die in signed])
        if self._showing:
            self.notes.faces += tuple([die.value for _, die in signed])
        for sign, die in signed:
            for symbol in die.symbols:
                self.notes.label((symbol,), sign)

    def _explained(self, leaf: Node, modifiers: Sequence[Modifier], value: int, dice: Sequence[PoolDie]) -> int:
        """Return what a leaf comes to, after its line of the working."""
        if self._say:
            shown = [die for die in dice if not die.apart or die.state == "rerolled"]
            for modifier in modifiers:
                shown = modifier.shown(shown)
            label = format(leaf)
            if any(isinstance(one, Success) for one in modifiers):
                label += (
                    ", successes less failures" if any(isinstance(one, Failure) for one in modifiers) else ", successes"
                )
            self._say.fact(label, value, *[(die.state, "+".join(die.symbols) or die.value) for die in shown])
        return value


class SetMember(NamedTuple):
    """A member of a set.

    Parameters:
        die: what it comes to, which is kept or dropped as a die is.
        notes: what is noted of it.
        dice: the indexes of its dice in the record.
    """

    die: PoolDie
    notes: Notes
    dice: range


class JoinedDice(NamedTuple):
    """All dice of a sum.

    Parameters:
        thrown: all dice that were thrown.
        kept: those that are kept, each with its sign and with the rules that say what it adds.
        constant: what is added to the dice.
    """

    thrown: list[PoolDie]
    kept: list[tuple[int, PoolRules, PoolDie]]
    constant: int
