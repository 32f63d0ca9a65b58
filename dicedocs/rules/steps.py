"""The working of a rule: verbs that compute a value and record the step.

A rule calls ``say.sum("Total", 4, 2, 5)`` and gets 11; a :class:`RecordingSay` also records the step.
So the working cannot disagree with the outcome. A step is data; :mod:`dicedocs.render` turns it into
a sentence for each output format.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeVar

from dicedocs.errors import is_text, listed, quoted
from dicedocs.rules.record import Faces
from dicedocs.similar_words import near
from dicedocs.translation import mark

if TYPE_CHECKING:
    from fractions import Fraction

T = TypeVar("T")
Term = int | tuple[object, int]
"""A number, or a pair of a name and a number; the name is any object, converted to text only while recording."""
Comparison = Literal["=", "!=", "<", "<=", ">", ">="]

COMPARISONS: Final[Mapping[str, Callable[[int | Fraction, int | Fraction], bool]]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
"""The six comparisons by their operators."""


class Face(int):
    """The face of a die while steps are recorded: a number that knows its die.

    Attributes:
        die: the position of the die in the order thrown, from 1.
        sides: the number of its sides.
    """

    die: int
    sides: int

    @classmethod
    def of(cls, face: int, die: int, sides: int) -> Face:
        self = cls(face)
        self.die = die
        self.sides = sides
        return self


class Operand(NamedTuple):
    """A value that a step reads.

    Parameters:
        value: the number or word.
        name: its name; may be empty.
        die: the position of its die in the order thrown, from 1; 0 for a value that is not a face.
        sides: the sides of that die; 0 for none.
    """

    value: object
    name: str = ""
    die: int = 0
    sides: int = 0


class Operation(NamedTuple):
    """An arithmetic operation: ``left sign right`` is ``value``."""

    left: int
    sign: str
    right: int
    value: int


class Step(NamedTuple):
    """One step of a rule's working, as data.

    Parameters:
        label: its subject, such as ``"Total"``.
        verb: the name of the method of :class:`Say`; for steps of the dice ``throw``, ``mark``, ``choose`` or ``play``.
        terms: the values read.
        value: the result.
        how: the verb's operator, key or state, or the number of a round; may be empty.
        operations: the arithmetic of the step, in the order done.
        steps: the steps of a nested play, or of a round.
        idle: whether the step changed nothing, so that a text may leave it out.
        table: the rows of the table that was looked up: the number from which each applies, ``None`` below all
            others, and its value; none of a table of more than ``MAX_TABLE`` rows.
        uncounted: of a throw whose dice were counted, those in no class, by their positions in the order thrown.
        played: the outcome of a nested play.
    """

    label: str
    verb: str
    terms: tuple[Operand, ...] = ()
    value: object = None
    how: str = ""
    operations: tuple[Operation, ...] = ()
    steps: tuple[Step, ...] = ()
    idle: bool = False
    table: tuple[tuple[int | None, object], ...] = ()
    uncounted: tuple[int, ...] = ()
    played: object = None


class Say:
    """Verbs that compute a value without recording the step; ``bool(say)`` is whether steps are recorded.

    Each verb takes a label, the subject of the step, and returns the value that it computes.

    Raises:
        TypeError: a verb cannot compute with its values; the error names the step.
    """

    __slots__ = ()

    def __bool__(self) -> bool:
        return False

    def throw(self, label: str, thrown: T) -> T:
        """Return what a dice call returned; in the working, its throw has a label in place of ``Dice``.

        Parameters:
            thrown: the dice call, made here: ``say.throw("STR", dice.total(3, 6))``.

        >>> from dicedocs.rules.dice import ScriptedDice
        >>> Say().throw("STR", ScriptedDice([4, 2, 5]).total(3, 6))
        11
        """
        return thrown

    def sum(self, label: str, /, *terms: Term, **named: int) -> int:
        """Return the sum of numbers; a named 0 is left out of the step.

        >>> Say().sum("Total", 5, 2, ("d8", 6), escalation=1)
        14
        """
        try:
            total = sum(named.values()) if named else 0
            for term in terms:
                total += term[1] if type(term) is tuple else term  # type: ignore[operator]
        except Exception:  # noqa: BLE001  # what is not a number may raise anything
            message = "a term of the sum is not a number"
            raise _wrong(label, message, "give numbers, or pairs of a name and a number") from None
        return total

    def compare(self, label: str, left: int, op: Comparison, right: int) -> bool:
        """Return whether a comparison holds.

        >>> Say().compare("Threshold", 13, ">=", 13)
        True
        """
        try:
            return COMPARISONS[op](left, right)
        except Exception:  # noqa: BLE001  # what is not a number may raise anything
            message = f"{quoted(left)} {quoted(op)} {quoted(right)} is not a comparison of numbers"
            raise _wrong(label, message, f"write {listed(map(quoted, COMPARISONS))} between numbers") from None

    def bound(self, label: str, number: int, *, low: int | None = None, high: int | None = None) -> int:
        """Return a number clamped to at least ``low`` and at most ``high``.

        >>> Say().bound("Total", -3, low=0)
        0
        """
        try:
            below, above = low is not None and number < low, high is not None and number > high
        except Exception:  # noqa: BLE001  # what is not a number may raise anything
            raise _wrong(label, f"{quoted(number)} or a bound is not a number", "give whole numbers") from None
        # A bound that does not apply is not returned, so it is not None here.
        return low if below else high if above else number  # type: ignore[return-value]

    def scale(self, label: str, number: int, *, times: int = 1, over: int = 1, low: int | None = None) -> int:
        """Return ``number * times // over``, at least ``low``.

        >>> Say().scale("Half", 1, over=2, low=1)
        1
        """
        try:
            scaled = number * times // over
            raised = low is not None and scaled < low
        except ZeroDivisionError:
            raise
        except Exception:  # noqa: BLE001  # what is not a number may raise anything
            raise _wrong(label, f"{quoted(number)} or a factor is not a number", "give whole numbers") from None
        return low if raised else scaled  # type: ignore[return-value]

    def look_up(self, label: str, number: int, table: Mapping[int | None, T]) -> T:
        """Return the row of a table: each row applies from its number up, the row ``None`` below all others.

        >>> Say().look_up("Degree", -1, {None: "failure", -3: "partial success", 0: "success"})
        'partial success'
        """
        try:
            return table[_table_row(number, table)]
        except KeyError:
            message, hint = f"no row of the table covers {quoted(number)}", "add a row None, for all lower numbers"
        except Exception:  # noqa: BLE001  # what is not a number may raise anything
            message = f"{quoted(number)} cannot be looked up in {quoted(table)}"
            hint = "give a number and a mapping by numbers"
        raise _wrong(label, message, hint)

    def move(self, label: str, scale: Sequence[T], at: T, by: int) -> tuple[T, int]:
        """Move along a scale.

        Returns:
            The new value, and the steps beyond the end of the scale (negative at the low end).

        >>> Say().move("Step", ["low", "mid", "high"], "mid", 2)
        ('high', 1)
        """
        try:
            target = scale.index(at) + by
            index = max(0, min(len(scale) - 1, target))
            return scale[index], target - index
        except Exception:  # noqa: BLE001  # what is not on the scale may raise anything
            message = f"{quoted(at)} cannot be moved by {quoted(by)} along {quoted(scale)}"
            raise _wrong(label, message, "give a list, one of its values and a whole number") from None

    def pick(self, label: str, options: Mapping[str, T], key: str) -> T:
        """Return the option with a key.

        >>> Say().pick("Effect", {"low": 2, "high": 6}, "low")
        2
        """
        try:
            option = options[key]
        except Exception:  # noqa: BLE001  # a key that is not text may raise anything
            raise _wrong(label, f"{quoted(key)} is not an option", near(key, _mapping(options))) from None
        return option

    def leaders(self, label: str, standings: Mapping[str, tuple[int, ...]], by: Sequence[str]) -> list[str]:
        """Return the names with the highest scores.

        Parameters:
            standings: the scores of each name, compared in order.
            by: the names of the scores; the step says which of them decided.

        >>> Say().leaders("Winner", {"Ann": (2, 1), "Bo": (2, 3)}, by=["result", "training"])
        ['Bo']
        """
        try:
            best = max(standings.values())
            return [name for name, scores in standings.items() if scores == best]
        except Exception:  # noqa: BLE001  # what is not a number may raise anything
            message = f"{quoted(standings)} has no highest scores"
            raise _wrong(label, message, "give the scores of each name as a tuple of numbers") from None

    def fact(self, label: str, value: T, *of: object) -> T:
        """Return a value that the rule computed in Python, from the numbers or words ``of``.

        >>> Say().fact("Two alike", True, 4, 4)
        True
        """
        return value

    def rewrite(self, label: str, before: str, after: str, *operations: Operation) -> str:
        """Return the new form of a text; ``operations`` are the arithmetic between the two."""
        return after


UNNAMED_THROW: Final = "Dice"
"""The label of a throw that the rule gave none."""
ROUND: Final = mark("Round")
"""The label of a round that the rule gave no name."""
MAX_TABLE: Final = 100
"""The rows of a table that a step keeps: more would make every record of a play large."""
SILENT: Final = Say()
"""The :class:`Say` that records nothing, for plays and for odds."""


class RecordingSay(Say):
    """The same verbs, which also record their steps in :attr:`steps`.

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
        table: tuple[tuple[int | None, object], ...] = (),
    ) -> T:
        """Record a step and return its value."""
        if not is_text(label):
            raise _wrong(label, "its label is not text", "give a text such as 'Total'")
        try:
            operands, plain = tuple(map(_operand, terms)), _plain(value)
        except Exception:  # noqa: BLE001  # the text of a name is made by its own method
            raise _wrong(label, "a value or its name has no text", "give numbers and words") from None
        self.steps.append(Step(label, verb, operands, plain, how, operations, tuple(steps), idle, table))
        return value

    def record_throw(self, dice: Sequence[Operand], value: object, how: str, uncounted: Iterable[int] = ()) -> None:
        """Record the step of a dice call.

        Parameters:
            dice: the dice thrown, each with its state as its name.
            value: the sum or the counts that the call returned; ``None`` when it returned the faces.
            how: ``"total"`` or ``"tally"``; empty when the call returned the faces.
            uncounted: the positions of the dice that a tally has in no class.
        """
        self.steps.append(Step(UNNAMED_THROW, "throw", tuple(dice), value, how, uncounted=tuple(uncounted)))

    def show_throw(self, texts: Mapping[int, str]) -> None:
        """Put texts in place of the faces in the last step, if that is the throw of these dice.

        Parameters:
            texts: by the position of the die in the order thrown, from 1.
        """
        last = self.steps[-1]
        if last.verb == "throw":
            dice = tuple([die._replace(value=texts.get(die.die, die.value)) for die in last.terms])
            self.steps[-1] = last._replace(terms=dice)

    def throw(self, label: str, thrown: T) -> T:
        if not is_text(label):
            raise _wrong(label, "its label is not text", "give a text such as 'STR'")
        # A call that threw no dice has no step.
        if self.steps and self.steps[-1].verb == "throw" and self.steps[-1].label == UNNAMED_THROW:
            self.steps[-1] = self.steps[-1]._replace(label=label)
        return thrown

    def sum(self, label: str, /, *terms: Term, **named: int) -> int:
        total = super().sum(label, *terms, **named)
        operands = [term for term in terms if type(term) is not tuple or term[1]]
        operands += [(name.replace("_", " "), number) for name, number in named.items() if number]
        return self.record(label, "sum", operands, total)

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
        found = super().look_up(label, number, table)
        row = _table_row(number, table)
        next_row = min((bound for bound in table if bound is not None and bound > number), default=None)
        low = [] if row is None else [("from", row)]
        high = [] if next_row is None else [("below", next_row)]
        bounds = sorted(table, key=lambda bound: (bound is not None, bound or 0)) if len(table) <= MAX_TABLE else ()
        rows = tuple((bound, _plain(table[bound])) for bound in bounds)
        return self.record(label, "look_up", (number, *low, *high), found, table=rows)

    def move(self, label: str, scale: Sequence[T], at: T, by: int) -> tuple[T, int]:
        reached = super().move(label, scale, at, by)
        self.record(label, "move", (at, ("by", by), ("beyond", reached[1])), reached[0], idle=not by)
        return reached

    def pick(self, label: str, options: Mapping[str, T], key: str) -> T:
        picked = super().pick(label, options, key)
        return self.record(label, "pick", list(_mapping(options).items()), picked, how=key)

    def leaders(self, label: str, standings: Mapping[str, tuple[int, ...]], by: Sequence[str]) -> list[str]:
        leaders = super().leaders(label, standings, by)
        try:
            names, how = ", ".join(leaders), _deciding_score(standings, by)
        except Exception:  # noqa: BLE001  # names that are not text, and other numbers of scores
            message = f"{quoted(by)} does not name the scores of {quoted(standings)}"
            raise _wrong(label, message, "give a name for each score") from None
        self.record(label, "leaders", leaders, names, how=how)
        return leaders

    def fact(self, label: str, value: T, *of: object) -> T:
        return self.record(label, "fact", of, value)

    def rewrite(self, label: str, before: str, after: str, *operations: Operation) -> str:
        if not (is_text(before) and is_text(after) and all(isinstance(one, Operation) for one in operations)):
            raise _wrong(label, "it rewrites what is not text", "give two texts, and Operations")
        return self.record(label, "rewrite", (before,), after, operations=operations, idle=before == after)


def _wrong(label: object, message: str, hint: str) -> TypeError:
    """Return the error for values that a step cannot compute with: the fault is the rule's, not its player's."""
    return TypeError(f"the step {quoted(label)}: {message}" + (f"; {hint}" if hint else ""))


def _mapping(options: object) -> Mapping[str, Any]:
    """Return options, or none when they are not a mapping."""
    return options if isinstance(options, Mapping) else {}


def _table_row(number: int, table: Mapping[int | None, T]) -> int | None:
    """Return the row of a number; a ``TypeError`` if a table is not one, since an iterator might have no end."""
    if not hasattr(table, "keys"):
        raise TypeError("not a table")
    return max((bound for bound in table if bound is not None and bound <= number), default=None)


def _deciding_score(standings: Mapping[str, tuple[int, ...]], by: Sequence[str]) -> str:
    """Return the name of the first score in which the leaders differ from the runners-up."""
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
    # A face used as a name is shown as its die, since the value may be another number: `1 (d6 6)`.
    label = f"d{die.sides} {die}" if name is die else str(name)
    return Operand(_plain(value), label, die.die, die.sides)


def _plain(value: object) -> object:
    """Return faces as plain numbers and lists as tuples."""
    if isinstance(value, Face):
        return int(value)
    if type(value) is tuple or isinstance(value, list | Faces):
        return tuple(map(_plain, value))
    return value
