"""The modifiers of dice: each is one class that says how it is written, what it does, and what that does to the odds.

However it is written, each die is settled first: thrown again, then raised or lowered. A settled die may explode, and
the new die is settled in the same way. Then dice that must differ are thrown again, dice are kept and dropped, and
those that are left are counted. So there is a base class for each of these parts, and what thrown dice and odds need
of a modifier has the same name in both.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import gcd
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple, Self, TypeVar, cast

from dicedocs import limits
from dicedocs.errors import DiceError, NotationError, quoted
from dicedocs.rules.notation_kind import Snippet
from dicedocs.rules.steps import COMPARISONS, Comparison
from dicedocs.translation import mark

if TYPE_CHECKING:
    from dicedocs.expression.pool import PoolDie, ThrownPool
    from dicedocs.syntax.faces import DieType

COMPARE: Final = r"(?:[<>!]=|<>|==?|[<>])"
"""The comparisons, in every spelling."""
SPELLINGS: Final = {"==": "=", "<>": "!="}
"""The usual spelling of comparisons that have several."""
_TEST: Final = rf"{COMPARE}-?[0-9]+"
_SIDES: Final = r"[dD](?:[0-9%(\[{]|[fF](?![0-9<>=!]))"
_NO_DICE: Final = rf"(?![0-9]|{_SIDES})"
"""What follows a number that is not the number of dice."""
_UNEQUAL: Final = rf"!=(?:[0-9]*{_SIDES}|[^-0-9=])"
"""A comparison with something else than a number, which is no explosion on a number."""

T = TypeVar("T")


class FaceCondition(NamedTuple):
    """A comparison with a number, which the value of a die meets or not."""

    op: Comparison
    number: int

    def __call__(self, value: int) -> bool:
        return COMPARISONS[self.op](value, self.number)

    def text(self, *, equals: str = "=") -> str:
        """Return the comparison as text.

        Parameters:
            equals: how equality is written, which most modifiers leave out.
        """
        # An exclamation mark would let dice explode.
        return f"{ {'=': equals, '!=': '<>'}.get(self.op, self.op) }{self.number}"


def read_condition(text: str) -> FaceCondition | None:
    """Return a comparison from its text, in which equality may be left out; ``None`` for no text."""
    if not text:
        return None
    number = text.lstrip("<>!=")
    limits.DIGITS.check(len(number.lstrip("-")))
    op = text[: len(text) - len(number)] or "="
    return FaceCondition(cast("Comparison", SPELLINGS.get(op, op)), int(number))


def read_number(text: str, default: int = 0) -> int:
    """Return a number from its text."""
    limits.DIGITS.check(len(text.lstrip("-")))
    return int(text) if text else default


@dataclass(frozen=True)
class Modifier(ABC):
    """What is done with the dice of a pool or the members of a set.

    Attributes:
        pattern: how it is written, as a regular expression with the groups that :meth:`read` takes.
        examples, meaning: its row of the cheat sheet.
        snippets: what a form offers to insert.
        of_sets: whether a set may have it.
        several: whether a pool may have more than one of its kind.
        at: its position in the text.
    """

    pattern: ClassVar[str]
    examples: ClassVar[tuple[str, ...]]
    meaning: ClassVar[str]
    snippets: ClassVar[tuple[Snippet, ...]] = ()
    of_sets: ClassVar[bool] = False
    several: ClassVar[bool] = False

    at: int = field(default=0, compare=False, repr=False, kw_only=True)

    @classmethod
    @abstractmethod
    def read(cls, groups: Mapping[str, str]) -> Self:
        """Return the modifier from what stands in the groups of its pattern."""

    @abstractmethod
    def __str__(self) -> str:
        """Return the modifier in its usual spelling."""

    def check_beside(self, others: Sequence[Modifier]) -> None:
        """Check that it may stand beside other modifiers.

        Raises:
            NotationError: it contradicts one of them.
        """
        if not self.several and any(type(other) is type(self) for other in others):
            raise NotationError(f"{quoted(self)} is a second modifier of its kind", hint="write one of them")

    @property
    def threshold(self) -> int | None:
        """The number with which it compares what dice show; ``None`` for none."""
        return None

    def on(self, die: DieType) -> Self:
        """Return the modifier for dice of a kind, with the face that is meant where none is written.

        Raises:
            DiceError: the dice would be thrown without end.
        """
        return self

    def shown(self, dice: list[PoolDie]) -> list[PoolDie]:
        """Return the dice of a pool as the working lists them."""
        return dice


class Comparing(Modifier):
    """A modifier of the dice that show something."""

    test: FaceCondition | None

    @property
    def threshold(self) -> int | None:
        return None if self.test is None else self.test.number


class Settle(Modifier):
    """A modifier of a single die, before all others."""

    @abstractmethod
    def settle(self, die: PoolDie, pool: ThrownPool) -> PoolDie:
        """Return the die that counts in place of one that was thrown."""

    @abstractmethod
    def settle_odds(self, weights: Mapping[int, int]) -> Mapping[int, int]:
        """Return the weights of the values of a die after it was settled."""


@dataclass(frozen=True)
class Reroll(Comparing, Settle):
    """Throw a die again: always, or once."""

    pattern = rf"(?P<name>r[ro]?)(?P<test>{_TEST}|[0-9]*)"
    examples = ("4d6r", "4d6r<3", "4d6ro1")
    meaning = "throw again, always or once; `r` alone acts on the lowest face"
    snippets = (Snippet("r1", mark("throw each 1 again")),)

    test: FaceCondition | None
    once: bool = False

    @classmethod
    def read(cls, groups: Mapping[str, str]) -> Self:
        return cls(read_condition(groups["test"]), once=groups["name"] == "ro")

    def __str__(self) -> str:
        return f"r{'o' * self.once}{self.test.text(equals='') if self.test else ''}"

    def check_beside(self, others: Sequence[Modifier]) -> None:
        if any(isinstance(other, Reroll) and other.once != self.once for other in others):
            raise NotationError("dice are thrown again once or always, not both", hint="write one of the two")
        super().check_beside(others)

    def on(self, die: DieType) -> Self:
        found = replace(self, test=self.test or FaceCondition("=", die.lowest))
        if not self.once and all(map(found.again, die.representatives(found.threshold))):
            raise DiceError(f"every face is thrown again, by {quoted(self)}", hint="spare one")
        return found

    def again(self, value: int) -> bool:
        return self.test is not None and self.test(value)

    def settle(self, die: PoolDie, pool: ThrownPool) -> PoolDie:
        while self.again(die.value):
            die = pool.throw_again(die)
            if self.once:
                break
        return die

    def settle_odds(self, weights: Mapping[int, int]) -> Mapping[int, int]:
        return thrown_again(weights, self.again, once=self.once)


@dataclass(frozen=True)
class Bound(Settle):
    """A modifier that lets each die count no less, or no more, than a number."""

    number: int

    @classmethod
    def read(cls, groups: Mapping[str, str]) -> Self:
        return cls(read_number(groups["number"]))

    @property
    def threshold(self) -> int:
        return self.number


@dataclass(frozen=True)
class Minimum(Bound):
    """Count at least so much on each die."""

    pattern = r"min?(?P<number>-?[0-9]+)"
    examples = ("8d6mi2", "8d6min2")
    meaning = "count at least so much on each die"

    def __str__(self) -> str:
        return f"mi{self.number}"

    def settle(self, die: PoolDie, pool: ThrownPool) -> PoolDie:
        die.value = max(die.value, self.number)
        return die

    def settle_odds(self, weights: Mapping[int, int]) -> Mapping[int, int]:
        return added_up((max(value, self.number), weight) for value, weight in weights.items())


@dataclass(frozen=True)
class Maximum(Bound):
    """Count at most so much on each die."""

    pattern = r"max?(?P<number>-?[0-9]+)"
    examples = ("8d6ma5", "8d6max5")
    meaning = "count at most so much on each die"

    def __str__(self) -> str:
        return f"ma{self.number}"

    def settle(self, die: PoolDie, pool: ThrownPool) -> PoolDie:
        die.value = min(die.value, self.number)
        return die

    def settle_odds(self, weights: Mapping[int, int]) -> Mapping[int, int]:
        return added_up((min(value, self.number), weight) for value, weight in weights.items())


@dataclass(frozen=True)
class Explode(Comparing):
    """Throw another die for each that shows a face, and for the new one too.

    Parameters:
        test: which values explode; ``None`` for the highest.
        compound: whether the new die is added to the one that exploded.
        penetrate: whether each new die counts one less.
        cap: how often a die explodes at most; ``None`` for no such limit.
    """

    pattern = (
        rf"(?!{_UNEQUAL})(?:(?P<name>!{{1,2}}p?)(?P<test>{_TEST}|[0-9]*)|e(?P<other>{_TEST}|[0-9]+))"
        r"(?P<cap>x[0-9]+|o(?![a-z]))?"
    )
    examples = ("8d10!", "8d10!>=8", "8d10!>=8x2", "8d10!!", "8d10!p")
    meaning = (
        "explode: each such die throws another one, at most twice for `x2`; "
        "`!!` adds it to the one that exploded, `!p` counts it one less"
    )
    snippets = (Snippet("!", mark("explode on the highest face")),)

    test: FaceCondition | None = None
    compound: bool = False
    penetrate: bool = False
    cap: int | None = None

    @classmethod
    def read(cls, groups: Mapping[str, str]) -> Self:
        name, cap = groups["name"] or "!", groups["cap"]
        times = None if not cap else 1 if cap == "o" else read_number(cap[1:])
        return cls(read_condition(groups["test"] or groups["other"]), name[:2] == "!!", name[-1] == "p", times)

    def __str__(self) -> str:
        test = self.test.text(equals="") if self.test else ""
        cap = "" if self.cap is None else f"x{self.cap}"
        return f"{'!!' if self.compound else '!'}{'p' * self.penetrate}{test}{cap}"

    def on(self, die: DieType) -> Self:
        return replace(self, test=self.test or FaceCondition("=", die.highest))

    def check_end(self, weights: Mapping[int, int]) -> None:
        """Check that the dice do not explode for ever.

        Parameters:
            weights: those of the values of a settled die.

        Raises:
            DiceError: every value explodes.
        """
        if self.cap is None and all(self.explodes(value) for value, weight in weights.items() if weight):
            hint = f"spare one, or set a limit, as in {self}x3"
            raise DiceError(f"every face explodes, by {quoted(self)}", hint=hint)

    def explodes(self, value: int) -> bool:
        return self.test is not None and self.test(value)

    def explode(self, die: PoolDie, pool: ThrownPool) -> None:
        """Throw the dice that a die explodes into."""
        first, shown, times = die, die.value, 0
        while self.explodes(shown) and (self.cap is None or times < self.cap):
            times += 1
            die.mark("exploded")
            die = pool.settle(pool.throw_one())
            shown = die.value
            die.value -= self.penetrate
            if self.compound:
                first.absorb(die)

    @property
    def depth(self) -> int:
        """How many explosions of a die the odds follow."""
        if self.cap is None:
            return limits.EXPLOSIONS.maximum
        limits.DICE_CALLS.check(self.cap, hint="let dice explode less often")
        return self.cap

    def explode_odds(
        self,
        states: Mapping[T, int],
        weights: Mapping[int, int],
        score: Callable[[int], int],
        add: Callable[[T, int], T],
        spend: Callable[[int, int], None],
    ) -> dict[T, int]:
        """Return the weights of the states after one more die and all that it explodes into.

        Parameters:
            states: what there may be before the die, each with its weight.
            weights: those of the values of a settled die.
            score: returns what a value adds.
            add: returns the state after so much was added.
            spend: is told, before more is added, how many pairs of a state and an addition that takes, and how many
                states there are in the end so far.
        """
        depth, whole = self.depth, sum(weights.values())

        def additions(penalty: int) -> tuple[dict[int, int], dict[int, int]]:
            """Return what a die may add that ends, and what one may add that explodes, each with its weight."""
            parts: tuple[dict[int, int], dict[int, int]] = ({}, {})
            for value, weight in weights.items():
                part, amount = parts[self.explodes(value)], score(value - penalty)
                part[amount] = part.get(amount, 0) + weight
            return parts

        live, done = dict(states), dict[T, int]()
        for time, (final, exploding) in enumerate([additions(0), *[additions(self.penetrate)] * depth]):
            spend(len(live) * (len(exploding) + len(final)), len(done))
            following: dict[T, int] = {}
            ended = whole ** (depth - time)
            last = time == depth and self.cap is not None
            parts = [(final, ended, done), (exploding, ended if last else 1, done if last else following)]
            for amounts, factor, target in parts:
                for amount, weight in amounts.items():
                    more = weight * factor
                    for state, ways in live.items():
                        new = add(state, amount)
                        target[new] = target.get(new, 0) + ways * more
            live = following
        return done


@dataclass(frozen=True)
class Differ(Comparing):
    """Throw dice again until all differ, or once.

    Parameters:
        test: which values must differ; ``None`` for all.
    """

    pattern = rf"u(?P<once>o?)(?P<test>(?:{_TEST})?)"
    examples = ("4d6u", "4d6uo", "4d6u<3")
    meaning = "throw dice again until all differ, or once, or only what shows it"

    test: FaceCondition | None = None
    once: bool = False

    @classmethod
    def read(cls, groups: Mapping[str, str]) -> Self:
        return cls(read_condition(groups["test"]), once=bool(groups["once"]))

    def __str__(self) -> str:
        return f"u{'o' * self.once}{self.test.text() if self.test else ''}"

    def check_beside(self, others: Sequence[Modifier]) -> None:
        if any(isinstance(other, Differ) and other.once != self.once for other in others):
            raise NotationError("dice are thrown again once or always, not both", hint="write one of the two")
        super().check_beside(others)

    def must_differ(self, value: int) -> bool:
        """Return whether a die that shows a value is thrown again when another shows it."""
        return self.test is None or self.test(value)

    def make_unique(self, dice: Sequence[PoolDie], pool: ThrownPool) -> None:
        """Throw dice again that show what another shows."""
        distinct, values = pool.die.distinct, pool.die.representatives(self.threshold)
        if not self.once and len(dice) > 1 and len(dice) > distinct and all(map(self.must_differ, values)):
            raise DiceError(f"{len(dice)} dice cannot all differ", hint=f"throw {distinct} or fewer")
        seen: set[int] = set()
        for die in dice:
            last = die
            while last.value in seen and self.must_differ(last.value):
                last = pool.throw_again(last)
                if self.once:
                    break
            seen.add(last.value)

    def differ_odds(self, weights: Mapping[int, int], others: Sequence[int]) -> Mapping[int, int]:
        """Return the weights of what a die shows in the end that is thrown beside others."""
        return thrown_again(weights, lambda value: value in others and self.must_differ(value), once=self.once)


class Choose(Modifier):
    """A modifier that keeps or drops dice by their rank. Each looks at all of them.

    Attributes:
        drops: whether its dice are dropped, not kept.
    """

    of_sets = True
    several = True
    drops: bool = False

    @abstractmethod
    def ranks(self, number: int) -> range:
        """Return the ranks of its dice among a number of dice, from 0 for the lowest."""

    @property
    def ends(self) -> tuple[int, int] | None:
        """How many of the lowest and of the highest dice have to be known; ``None`` for all."""
        return None

    @property
    def prefers_high(self) -> bool:
        """Whether the first thrown of equal dice counts as the highest, not as the lowest."""
        return False


@dataclass(frozen=True)
class Keep(Choose):
    """Keep or drop the highest or the lowest dice."""

    pattern = r"(?P<name>[kd][hl]?|p[hl])(?P<number>[0-9]*)"
    examples = ("4d6kh3", "4d6k3", "2d20kl1", "4d6dl1", "4d6d1", "4d6dh1", "4d6dh1dl1")
    meaning = "keep, or drop, the highest or the lowest; `dh1dl1` keeps those in the middle"
    snippets = (Snippet("kh3", mark("keep the highest 3")), Snippet("dl1", mark("drop the lowest")))

    number: int
    high: bool = True
    drops: bool = False

    @classmethod
    def read(cls, groups: Mapping[str, str]) -> Self:
        name = {"k": "kh", "d": "dl"}.get(groups["name"], groups["name"])
        return cls(read_number(groups["number"], 1), high=name[1] == "h", drops=name[0] != "k")

    def __str__(self) -> str:
        return f"{'d' if self.drops else 'k'}{'h' if self.high else 'l'}{self.number}"

    def ranks(self, number: int) -> range:
        return range(max(0, number - self.number), number) if self.high else range(min(self.number, number))

    @property
    def ends(self) -> tuple[int, int] | None:
        return (0, self.number) if self.high else (self.number, 0)

    @property
    def prefers_high(self) -> bool:
        return self.high != self.drops


def check_kept(modifiers: Sequence[Modifier], dice: int | None = None) -> None:
    """Refuse to drop all dice, or all that are kept.

    Parameters:
        modifiers: those of the dice.
        dice: how many dice there are; ``None`` if that is not written.

    Raises:
        NotationError: nothing is left.
    """
    chosen = [one for one in modifiers if isinstance(one, Keep)]
    for keeps in (one for one in chosen if not one.drops):
        for drops in (one for one in chosen if one.drops and one.high == keeps.high and one.number >= keeps.number):
            hint = f"keep some of those that are left in parentheses, as in (4d20{drops}){keeps}"
            raise NotationError(f"{quoted(drops)} drops all that {quoted(keeps)} keeps", at=drops.at, hint=hint)
    dropped = [one for one in chosen if one.drops]
    if not dice or not dropped or any(isinstance(one, Explode) for one in modifiers):
        return
    kept = [one.ranks(dice) for one in chosen if not one.drops] or [range(dice)]
    if not set[int]().union(*kept).difference(*(one.ranks(dice) for one in dropped)):
        last = dropped[-1]
        message = f"{quoted(''.join(map(str, chosen)))} leaves none of {dice} dice"
        raise NotationError(message, at=last.at, hint="drop fewer, or throw more dice")


_NUMBERLESS: Final = re.compile(
    # Behind a parenthesis, d and a name are dice.
    r"(?:[dD](?:[0-9]+|%|{[^{}]*}|\[[^\[\]]*\])(?P<of_dice>[kd][hl]?|p[hl])|\)(?P<of_set>k[hl]?|[dp][hl]))"
    r"(?P<name>\[[^\[\]]*\])"
)


def check_numbers(text: str, spelling: str = "") -> None:
    """Refuse brackets that stand where a modifier has its number, which is written.

    Parameters:
        text: the notation.
        spelling: how a number that is not written is spelled, with ``{name}`` for its name; empty if it cannot be.

    Raises:
        NotationError: there are such brackets.
    """
    if found := _NUMBERLESS.search(text):
        kind = "of_dice" if found["of_dice"] else "of_set"
        modifier, name = found[kind], found["name"]
        hint = f"write {modifier}3, or {modifier}1 {name} if {name} is a label"
        if spelling:
            hint = spelling.format(name=name[1:-1].strip(), which="lowest" if modifier.endswith("l") else "highest")
        message = f"{quoted(modifier + name)} is not a number: a modifier takes digits"
        raise NotationError(message, text=text, at=found.start(kind), hint=hint)


@dataclass(frozen=True)
class Filter(Modifier):
    """Keep or drop the dice that show something."""

    pattern = rf"(?:(?P<keeps>k)(?P<test>{_TEST})|p(?P<other>{_TEST}|[0-9]+))"
    examples = ("5d10k>5", "5d10p<3")
    meaning = "keep, or drop, the dice that show it"
    of_sets = True
    several = True

    test: FaceCondition
    keeps: bool

    @classmethod
    def read(cls, groups: Mapping[str, str]) -> Self:
        return cls(required(read_condition(groups["test"] or groups["other"])), keeps=bool(groups["keeps"]))

    def __str__(self) -> str:
        return f"{'k' if self.keeps else 'p'}{self.test.text()}"

    def passes(self, value: int) -> bool:
        """Return whether a value is kept, as far as that depends on it alone."""
        return self.test(value) == self.keeps


class Count(Modifier):
    """A modifier that counts dice.

    Attributes:
        fact: the name of the fact that says how many are counted.
        state: the state of a die that is.
        amount: what each adds to the total of the pool.
    """

    fact: ClassVar[str]
    state: ClassVar[str]
    amount: ClassVar[int] = 0

    test: FaceCondition | None

    def counts(self, value: int) -> bool:
        """Return whether a value is counted."""
        return self.test is not None and self.test(value)


@dataclass(frozen=True)
class CriticalSuccess(Count):
    """Mark the dice that are critical successes, which changes no number."""

    pattern = rf"cs(?P<test>{_TEST}|[0-9]*)"
    examples = ("5d20cs>18", "1d20cs")
    meaning = "mark critical successes, which changes no number"
    fact = "critical_successes"
    state = "critical success"

    test: FaceCondition | None

    @classmethod
    def read(cls, groups: Mapping[str, str]) -> Self:
        return cls(read_condition(groups["test"]))

    def __str__(self) -> str:
        return f"cs{self.test.text(equals='') if self.test else ''}"

    def on(self, die: DieType) -> Self:
        return replace(self, test=self.test or FaceCondition("=", die.highest))


@dataclass(frozen=True)
class CriticalFailure(Count):
    """Mark the dice that are critical failures, which changes no number."""

    pattern = rf"cf(?P<test>{_TEST}|[0-9]*)"
    examples = ("5d20cf<3", "1d20cf")
    meaning = "mark critical failures, which changes no number"
    fact = "critical_failures"
    state = "critical failure"

    test: FaceCondition | None

    @classmethod
    def read(cls, groups: Mapping[str, str]) -> Self:
        return cls(read_condition(groups["test"]))

    def __str__(self) -> str:
        return f"cf{self.test.text(equals='') if self.test else ''}"

    def on(self, die: DieType) -> Self:
        return replace(self, test=self.test or FaceCondition("=", die.lowest))


@dataclass(frozen=True)
class Success(Count):
    """Count the dice that succeed, in place of adding dice up."""

    pattern = rf"(?P<test>{_TEST}){_NO_DICE}"
    examples = ("5d10>=8",)
    meaning = "count the dice that succeed"
    snippets = (Snippet(">=8", mark("count the dice that show 8 or more")),)
    of_sets = True
    fact = "successes"
    state = "counted"
    amount = 1

    test: FaceCondition

    @classmethod
    def read(cls, groups: Mapping[str, str]) -> Self:
        return cls(required(read_condition(groups["test"])))

    def __str__(self) -> str:
        return self.test.text()


@dataclass(frozen=True)
class Failure(Count):
    """Count the dice that fail, which are taken from those that succeed."""

    pattern = rf"f(?P<test>{_TEST}|[0-9]+)"
    examples = ("5d10>=8f1",)
    meaning = "count the dice that succeed, less those that fail"
    of_sets = True
    fact = "failures"
    state = "failed"
    amount = -1

    test: FaceCondition

    @classmethod
    def read(cls, groups: Mapping[str, str]) -> Self:
        return cls(required(read_condition(groups["test"])))

    def __str__(self) -> str:
        return f"f{self.test.text(equals='')}"

    def check_beside(self, others: Sequence[Modifier]) -> None:
        super().check_beside(others)
        if not any(isinstance(other, Success) for other in others):
            raise NotationError("failures are counted beside successes", hint=f"write both, as in '5d10>=8{self}'")


SUCCESSES: Final = frozenset({Success.fact, Failure.fact})
"""The facts that a set counts anew which counts its members: members succeed there in place of dice."""


@dataclass(frozen=True)
class Sort(Modifier):
    """List the dice in order of size in the working."""

    pattern = r"s(?P<order>[ad]?)(?![a-z])"
    examples = ("4d6s", "4d6sd")
    meaning = "list the dice in order of size"
    of_sets = True
    several = True

    descending: bool = False

    @classmethod
    def read(cls, groups: Mapping[str, str]) -> Self:
        return cls(groups["order"] == "d")

    def __str__(self) -> str:
        return "sd" if self.descending else "s"

    def shown(self, dice: list[PoolDie]) -> list[PoolDie]:
        return sorted(dice, key=lambda die: die.value, reverse=self.descending)


MODIFIERS: Final[list[type[Modifier]]] = [
    Reroll,
    Minimum,
    Maximum,
    Explode,
    Differ,
    Filter,
    Keep,
    CriticalSuccess,
    CriticalFailure,
    Success,
    Failure,
    Sort,
]
"""All modifiers, in the order in which they act."""


def modifier_pattern() -> str:
    """Return how a modifier is written, as a regular expression without named groups."""
    return "|".join(re.sub(r"\?P<\w+>", "?:", each.pattern) for each in MODIFIERS)


def written_modifier(text: str, at: int) -> str:
    """Return the modifier that stands at a position of a text, as it is written; empty if none does.

    >>> written_modifier("5d10>=8f1", 4)
    '>=8'
    """
    match = re.compile(modifier_pattern()).match(text, at)
    return match[0] if match else ""


def read_modifier(text: str, at: int = 0) -> Modifier:
    """Return a modifier from its text.

    Parameters:
        at: its position in the whole notation.

    >>> str(read_modifier("k3")), str(read_modifier("!=6")), str(read_modifier("!<>4"))
    ('kh3', '!6', '!<>4')
    """
    matches = ((each, re.fullmatch(each.pattern, text)) for each in MODIFIERS)
    each, match = next((each, match) for each, match in matches if match)
    groups = {name: part or "" for name, part in match.groupdict().items()}
    return replace(each.read(groups), at=at)


def add_modifier(modifiers: Sequence[Modifier], new: Modifier, *, of_set: bool) -> tuple[Modifier, ...]:
    """Return some modifiers with another one behind them.

    Raises:
        NotationError: it belongs to dice and stands after a set, or it contradicts another.
    """
    if of_set and not new.of_sets:
        raise NotationError(f"{quoted(new)} applies to dice, not to a set", hint="write it after the dice in it")
    new.check_beside(modifiers)
    both = (*modifiers, new)
    if any(isinstance(one, Differ) for one in both) and any(isinstance(one, Settle | Explode) for one in both):
        hint = "write u alone, or with what keeps or counts dice"
        raise NotationError("unique dice (u) cannot be combined with r, !, mi or ma", hint=hint)
    return both


class PoolRules:
    """What is done with the dice of a pool or the members of a set, in the order in which it is done.

    Parameters:
        modifiers: in any order.
        die: the dice; ``None`` for the members of a set.

    Raises:
        DiceError: the dice would be thrown without end.
    """

    def __init__(self, modifiers: Iterable[Modifier], die: DieType | None = None) -> None:
        in_order = sorted(modifiers, key=lambda one: MODIFIERS.index(type(one)))
        own = [one if die is None else one.on(die) for one in in_order]
        self.die = die
        self.settles = tuple(one for one in own if isinstance(one, Settle))
        self.explode = next((one for one in own if isinstance(one, Explode)), None)
        self.differ = next((one for one in own if isinstance(one, Differ)), None)
        self.filters = tuple(one for one in own if isinstance(one, Filter))
        self.choices = tuple(one for one in own if isinstance(one, Choose))
        self.counts = tuple(one for one in own if isinstance(one, Count))
        self.scores = any(one.amount for one in self.counts)
        self.only_chooses = all(isinstance(one, Choose | Sort) for one in own)
        if self.explode is not None and die is not None:
            values = die.representatives(*[one.threshold for one in (*self.settles, self.explode)])
            self.explode.check_end(self.settled_odds(added_up((value, 1) for value in values)))

    def settled_odds(self, weights: Mapping[int, int]) -> Mapping[int, int]:
        """Return the weights of the values of one die after it was settled.

        >>> from dicedocs.syntax.faces import DieType
        >>> PoolRules([read_modifier("ro1")], DieType(4)).settled_odds({1: 1, 2: 1, 3: 1, 4: 1})
        {1: 1, 2: 5, 3: 5, 4: 5}
        """
        for settle in self.settles:
            weights = settle.settle_odds(weights)
        divisor = gcd(*weights.values())
        return {value: weight // divisor for value, weight in weights.items()}

    def ranks(self, number: int) -> list[int]:
        """Return which of some dice are kept, by their rank from 0 for the lowest.

        >>> PoolRules([read_modifier("dh1"), read_modifier("dl1")]).ranks(4)
        [1, 2]
        """
        kept = set(range(number))
        if any(not choice.drops for choice in self.choices):
            kept &= set[int]().union(*[choice.ranks(number) for choice in self.choices if not choice.drops])
        return sorted(kept.difference(*[choice.ranks(number) for choice in self.choices if choice.drops]))

    @property
    def prefers_high(self) -> bool:
        """Whether the first thrown of equal dice counts as the highest, so that it is the one that is kept."""
        return any(choice.prefers_high for choice in self.choices)

    def passes(self, value: int) -> bool:
        """Return whether a value is kept, as far as that depends on it alone."""
        return all(one.passes(value) for one in self.filters)

    def kept(self, values: Sequence[int]) -> list[int]:
        """Return the indexes of the values that are kept; of equal values the first is kept.

        >>> PoolRules([read_modifier("kh2")]).kept([3, 5, 3, 3])
        [0, 1]
        """
        # The sort is stable, so that of equal values the first is the lowest, or else the highest.
        indexes = range(len(values))
        order = sorted(reversed(indexes) if self.prefers_high else indexes, key=values.__getitem__)
        kept = {order[rank] for rank in self.ranks(len(order))}
        return [index for index, value in enumerate(values) if index in kept and self.passes(value)]

    def score(self, value: int, fact: str = "") -> int:
        """Return what a value adds to the total, or to a fact that counts dice, if its die is not dropped by rank."""
        if not self.passes(value):
            return 0
        if fact:
            return sum(one.counts(value) for one in self.counts if one.fact == fact)
        return sum(one.amount for one in self.counts if one.counts(value)) if self.scores else value


def thrown_again(weights: Mapping[int, int], again: Callable[[int], bool], *, once: bool) -> dict[int, int]:
    """Return the weights of what a die shows in the end that is thrown again, once or always, where it must be.

    >>> thrown_again({1: 1, 2: 1}, lambda value: value == 1, once=True)
    {1: 1, 2: 3}
    """
    spared = {value: weight for value, weight in weights.items() if not again(value)}
    if not once:
        return spared
    whole = sum(weights.values())
    repeated = whole - sum(spared.values())
    return {value: spared.get(value, 0) * whole + repeated * weight for value, weight in weights.items()}


def added_up(weights: Iterable[tuple[int, int]]) -> dict[int, int]:
    """Return the sum of the weights of each value, in the order of the values.

    >>> added_up([(2, 1), (1, 3), (2, 1)])
    {1: 3, 2: 2}
    """
    sums: dict[int, int] = {}
    for value, weight in weights:
        sums[value] = sums.get(value, 0) + weight
    return dict(sorted(sums.items()))


def required(test: FaceCondition | None) -> FaceCondition:
    """Return a comparison that the pattern of a modifier demands."""
    if test is None:
        raise TypeError("the pattern demands a comparison")
    return test
