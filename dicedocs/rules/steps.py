"""How a rule tells what it does: verbs that compute what they say.

A rule calls ``say.sum("Total", 4, 2, 5)`` and gets 11; when somebody listens the step is kept as
well. So the working cannot disagree with the outcome. A step is data; a table for each kind of
output turns it into a sentence (see :mod:`dicedocs.render`).
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeVar

from dicedocs.rules.record import Faces

if TYPE_CHECKING:
    from fractions import Fraction

T = TypeVar("T")
Term = int | tuple[object, int]
"""A number, or a number with a name: any object, whose text is made only when somebody listens."""
Comparison = Literal["=", "!=", "<", "<=", ">", ">="]

COMPARISONS: Final[Mapping[str, Callable[[int | Fraction, int | Fraction], bool]]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
"""The six comparisons, by how they are written."""


class Face(int):
    """The face of a die that somebody hears of: a number that knows its die.

    The place of the die is counted from 1 in the order thrown.
    """

    die: int
    sides: int

    @classmethod
    def of(cls, face: int, die: int, sides: int) -> Face:
        """Give a face that knows its die."""
        self = cls(face)
        self.die = die
        self.sides = sides
        return self


class Operand(NamedTuple):
    """Something that a step reads or gives.

    Parameters:
        value: the number or word.
        name: what it is called; may be empty.
        die: the place of the die it was read from, from 1 in the order thrown; 0 for none.
        sides: the sides of that die; 0 for none.
    """

    value: object
    name: str = ""
    die: int = 0
    sides: int = 0


class Operation(NamedTuple):
    """A piece of arithmetic: ``left sign right`` gives ``value``."""

    left: int
    sign: str
    right: int
    value: int


class Step(NamedTuple):
    """One thing that a rule did, as data.

    Parameters:
        label: what it is about, such as ``"Total"``.
        verb: the name of the method of :class:`Say`, or ``throw``, ``mark``, ``play`` for what the dice tell.
        terms: what was read.
        value: what came out.
        how: the operator, key or state that the verb needs besides.
        operations: the arithmetic in it, in the order done.
        steps: what the mechanic did that was played.
        idle: whether it changed nothing, so that a text may leave it out.
    """

    label: str
    verb: str
    terms: tuple[Operand, ...] = ()
    value: object = None
    how: str = ""
    operations: tuple[Operation, ...] = ()
    steps: tuple[Step, ...] = ()
    idle: bool = False


class Say:
    """Verbs that compute, with nobody listening; ``bool(say)`` tells whether anybody does.

    Each verb takes a label (what the step is about) and gives what it computed.
    """

    __slots__ = ()

    def __bool__(self) -> bool:
        return False

    def sum(self, label: str, /, *terms: Term, **named: int) -> int:
        """Add numbers; a named 0 is not mentioned.

        >>> Say().sum("Total", 5, 2, ("d8", 6), escalation=1)
        14
        """
        total = sum(named.values()) if named else 0
        for term in terms:
            total += term[1] if type(term) is tuple else term  # type: ignore[operator]
        return total

    def compare(self, label: str, left: int, op: Comparison, right: int) -> bool:
        """Compare two numbers.

        >>> Say().compare("Threshold", 13, ">=", 13)
        True
        """
        return COMPARISONS[op](left, right)

    def bound(self, label: str, number: int, *, low: int | None = None, high: int | None = None) -> int:
        """Raise a number to ``low``, or lower it to ``high``.

        >>> Say().bound("Total", -3, low=0)
        0
        """
        if low is not None and number < low:
            return low
        return high if high is not None and number > high else number

    def scale(self, label: str, number: int, *, times: int = 1, over: int = 1, low: int | None = None) -> int:
        """Multiply, then divide, rounding down; the result is at least ``low``.

        >>> Say().scale("Half", 1, over=2, low=1)
        1
        """
        scaled = number * times // over
        return scaled if low is None or scaled >= low else low

    def look_up(self, label: str, number: int, table: Mapping[int | None, T]) -> T:
        """Read a table of bounds: each row holds from its number up, the row ``None`` below all of them.

        >>> Say().look_up("Degree", -1, {None: "failure", -3: "partial success", 0: "success"})
        'partial success'
        """
        return table[_row(number, table)]

    def move(self, label: str, scale: Sequence[T], at: T, by: int) -> tuple[T, int]:
        """Move along a scale.

        Returns:
            The place reached, and by how many steps its end was passed (negative at the low end).

        >>> Say().move("Step", ["low", "mid", "high"], "mid", 2)
        ('high', 1)
        """
        wanted = scale.index(at) + by
        reached = max(0, min(len(scale) - 1, wanted))
        return scale[reached], wanted - reached

    def pick(self, label: str, options: Mapping[str, T], key: str) -> T:
        """Choose one of several.

        >>> Say().pick("Effect", {"low": 2, "high": 6}, "low")
        2
        """
        return options[key]

    def leaders(self, label: str, standings: Mapping[str, tuple[int, ...]], by: Sequence[str]) -> list[str]:
        """Give the names that stand highest, comparing figure by figure.

        Parameters:
            standings: for each name its figures, the weightiest first.
            by: what the figures are called, so that the step can say which decided.

        >>> Say().leaders("Winner", {"Ann": (2, 1), "Bo": (2, 3)}, by=["result", "training"])
        ['Bo']
        """
        best = max(standings.values())
        return [name for name, figures in standings.items() if figures == best]

    def fact(self, label: str, value: T, *of: object) -> T:
        """Tell what was decided in Python, and give it back.

        Parameters:
            of: what it was decided from, numbers or words.

        >>> Say().fact("Two alike", True, 4, 4)
        True
        """
        return value

    def rewrite(self, label: str, before: str, after: str, *operations: Operation) -> str:
        """Rewrite a text, and give what it becomes.

        Parameters:
            operations: the arithmetic that was done on the way.
        """
        return after


SILENT: Final = Say()
"""The one quiet :class:`Say`: nobody listens while a mechanic is played or its odds are counted."""


class RecordingSay(Say):
    """The same verbs, and each one's step is kept in :attr:`steps`.

    >>> say = RecordingSay()
    >>> say.compare("Threshold", 13, ">=", 13)
    True
    >>> say.steps[0].terms
    (Operand(value=13, name='', die=0, sides=0), Operand(value=13, name='', die=0, sides=0))
    """

    __slots__ = ("steps",)

    def __init__(self) -> None:
        self.steps: list[Step] = []

    def __bool__(self) -> bool:
        return True

    def record(
        self,
        label: str,
        verb: str,
        terms: Sequence[object],
        value: T,
        *,
        how: str = "",
        operations: tuple[Operation, ...] = (),
        steps: Sequence[Step] = (),
        idle: bool = False,
    ) -> T:
        """Keep a step, and give its value back."""
        operands = tuple(map(_operand, terms))
        self.steps.append(Step(label, verb, operands, _plain(value), how, operations, tuple(steps), idle))
        return value

    def record_throw(self, dice: Sequence[Operand], value: object, how: str) -> None:
        """Keep the step of a dice call: each die with its state as the operand's name.

        Parameters:
            value: what the call gave when that is not the faces themselves, else ``None``.
            how: ``"total"`` or ``"tally"`` when it gave a sum or counts, else empty.
        """
        self.steps.append(Step("Dice", "throw", tuple(dice), value, how))

    def sum(self, label: str, /, *terms: Term, **named: int) -> int:
        said = [term for term in terms if type(term) is not tuple or term[1]]
        said += [(name.replace("_", " "), number) for name, number in named.items() if number]
        return self.record(label, "sum", said, super().sum(label, *terms, **named))

    def compare(self, label: str, left: int, op: Comparison, right: int) -> bool:
        return self.record(label, "compare", (left, right), super().compare(label, left, op, right), how=op)

    def bound(self, label: str, number: int, *, low: int | None = None, high: int | None = None) -> int:
        bounded = super().bound(label, number, low=low, high=high)
        how = "raised" if bounded > number else "lowered" if bounded < number else ""
        return self.record(label, "bound", (number,), bounded, how=how, idle=not how)

    def scale(self, label: str, number: int, *, times: int = 1, over: int = 1, low: int | None = None) -> int:
        scaled = super().scale(label, number, times=times, over=over, low=low)
        by = [("times", times)] * (times != 1) + [("over", over)] * (over != 1)
        raised = "" if scaled == number * times // over else "raised"
        return self.record(label, "scale", (number, *by), scaled, how=raised, idle=not by and not raised)

    def look_up(self, label: str, number: int, table: Mapping[int | None, T]) -> T:
        row = _row(number, table)
        above = min((bound for bound in table if bound is not None and bound > number), default=None)
        low = [] if row is None else [("from", row)]
        high = [] if above is None else [("below", above)]
        return self.record(label, "look_up", (number, *low, *high), super().look_up(label, number, table))

    def move(self, label: str, scale: Sequence[T], at: T, by: int) -> tuple[T, int]:
        reached = super().move(label, scale, at, by)
        self.record(label, "move", (at, ("by", by), ("beyond", reached[1])), reached[0], idle=not by)
        return reached

    def pick(self, label: str, options: Mapping[str, T], key: str) -> T:
        return self.record(label, "pick", list(options.items()), super().pick(label, options, key), how=key)

    def leaders(self, label: str, standings: Mapping[str, tuple[int, ...]], by: Sequence[str]) -> list[str]:
        first = super().leaders(label, standings, by)
        self.record(label, "leaders", first, ", ".join(first), how=_decided(standings, by))
        return first

    def fact(self, label: str, value: T, *of: object) -> T:
        return self.record(label, "fact", of, value)

    def rewrite(self, label: str, before: str, after: str, *operations: Operation) -> str:
        return self.record(label, "rewrite", (before,), after, operations=operations, idle=before == after)


def _row(number: int, table: Mapping[int | None, T]) -> int | None:
    return max((bound for bound in table if bound is not None and bound <= number), default=None)


def _decided(standings: Mapping[str, tuple[int, ...]], by: Sequence[str]) -> str:
    """Name the figure by which the leaders left the last of the others behind."""
    best, *others = sorted(set(standings.values()), reverse=True)
    if not others:
        return ""
    return next(name for name, mine, other in zip(by, best, others[0], strict=True) if mine != other)


def _operand(term: object) -> Operand:
    name: object = ""
    value = term
    # A pair of numbers is a value, not a number with a name.
    if type(term) is tuple and len(term) == 2 and type(term[0]) is not int:
        name, value = term
    die = value if isinstance(value, Face) else name if isinstance(name, Face) else None
    if die is None:
        return Operand(_plain(value), str(name))
    # A face that is the name says more than its number, which its term need not have: `1 (d6 6)`.
    called = f"d{die.sides} {die}" if name is die else str(name)
    return Operand(_plain(value), called, die.die, die.sides)


def _plain(value: object) -> object:
    """Give faces as the numbers they are, and lists as tuples, so that a step is plain data."""
    if isinstance(value, Face):
        return int(value)
    if type(value) is tuple or isinstance(value, list | Faces):
        return tuple(map(_plain, value))
    return value
