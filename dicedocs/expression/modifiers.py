"""What modifiers mean: read from text, and applied to the values of dice."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple, cast

from dicedocs import limits
from dicedocs.errors import DiceError, NotationError, quoted
from dicedocs.expression.tree import Faces, Modifier, format_modifier
from dicedocs.rules.steps import COMPARISONS, Comparison

_CACHE_SIZE: Final = 256
OPERATORS: Final = {"==": "=", "<>": "!="}
"""The usual spelling of comparisons that have several."""
FATE: Final = {"F": ("-1", "0", "1"), "F.2": ("-1", "0", "1"), "F.1": ("-1", "0", "0", "0", "0", "1")}
"""The faces of Fate dice by name."""
TWO_DICE: Final = "66"
"""The name of a die that is thrown as two: one for the tens and one for the ones."""
BLANK: Final = "-"
"""The text of a blank face, which counts 0."""

_PARTS: Final = re.compile(
    r"(?P<name>!{1,2}p?|min|max|[a-z]*?)(?P<op>[<>!]=|<>|==?|[<>])?(?P<number>-?[0-9]+)?(?:x(?P<cap>[0-9]+)|(?P<once>(?<![a-oq-z])o))?"
)
_KEEPS: Final = {"k": "kh", "d": "dl", "kh": "kh", "kl": "kl", "dh": "dh", "dl": "dl", "ph": "dh", "pl": "dl"}
_SPELLINGS: Final = {"rr": "r", "min": "mi", "max": "ma", "e": "!", "sa": "s"}
_OF_SETS: Final = frozenset({"kh", "kl", "dh", "dl", "k", "p", "", "f", "s", "sd"})
"""The modifiers that a set may have; all others throw dice again or change what a die shows."""
RANKED: Final = frozenset({"kh", "kl", "dh", "dl"})
"""The modifiers that keep or drop the highest or the lowest."""
SUCCESSES: Final = "successes"
FAILURES: Final = "failures"
CRITICAL_SUCCESSES: Final = "critical_successes"
CRITICAL_FAILURES: Final = "critical_failures"
COUNTERS: Final = {SUCCESSES: "", FAILURES: "f", CRITICAL_SUCCESSES: "cs", CRITICAL_FAILURES: "cf"}
"""The facts that count dice, each with the name of the modifier that has them counted."""
_COUNTED: Final = (
    (CRITICAL_SUCCESSES, "critical success"),
    (CRITICAL_FAILURES, "critical failure"),
    (SUCCESSES, "counted"),
    (FAILURES, "failed"),
)
"""The facts that count dice, each with the state of a die that is counted; the last state is the one that is shown."""
_ONCE: Final = frozenset({"r", "ro", "mi", "ma", "u", "uo", "", "f", "cs", "cf"})
"""The modifiers that one pool can have only once."""


def read_modifier(text: str) -> Modifier:
    """Return a modifier from its text, in its usual spelling.

    >>> read_modifier("k3"), read_modifier("!=6")
    (Modifier(name='kh', op='', number=3, cap=None), Modifier(name='!', op='=', number=6, cap=None))
    """
    match = cast("re.Match[str]", _PARTS.fullmatch(text))
    name, op = match["name"], match["op"] or ""
    digits, cap = match["number"], match["cap"]
    for number_text in filter(None, (digits, cap)):
        limits.DIGITS.check(len(number_text))
    number = None if digits is None else int(digits)
    op = OPERATORS.get(op, op)
    name = _SPELLINGS.get(name, name)
    if name in _KEEPS and not op:
        return Modifier(_KEEPS[name], "", 1 if number is None else number)
    if name in {"mi", "ma", "s", "sd"}:
        return Modifier(name, "", number)
    if number is not None and not op:
        op = "="
    if match["once"]:
        cap = "1"
    return Modifier(name, op, number, None if cap is None else int(cap))


def check_modifiers(modifiers: Sequence[Modifier], *, of_set: bool) -> None:
    """Check that the last of some modifiers can stand there.

    Raises:
        NotationError: it belongs to dice and stands after a set, or it contradicts another.
    """
    name = modifiers[-1].name
    names = [modifier.name for modifier in modifiers]
    text = format_modifier(modifiers[-1])
    if of_set and name not in _OF_SETS:
        raise NotationError(f"{quoted(text)} belongs to dice, not to a set", hint="write it after the dice in it")
    kind = name.rstrip("p") if name[:1] == "!" else name
    same = [one for one in names if (one[:1] == "!" if kind[:1] == "!" else one == name)]
    if len(same) > 1 and (name in _ONCE or kind[:1] == "!"):
        hint = "write one of them"
        raise NotationError(f"{quoted(text)} is a second modifier of its kind", hint=hint)
    if name == "f" and "" not in names:
        raise NotationError("failures are counted beside successes", hint=f"write both, as in '5d10>=8{text}'")
    if {"r", "ro"} <= set(names) or {"u", "uo"} <= set(names):
        raise NotationError("dice are thrown again once or always, not both", hint="write one of the two")
    if {"u", "uo"} & set(names) and any(one[:1] == "!" or one in {"r", "ro", "mi", "ma"} for one in names):
        hint = "write u alone, with what keeps or counts dice"
        raise NotationError("dice that must differ have no other modifier that changes them", hint=hint)


def read_faces(text: str) -> Faces:
    """Return the faces of a die from what stands after its ``d``.

    Raises:
        NotationError: a face is missing, or is neither a whole number nor a word.

    >>> read_faces("{-, hit, 2}").texts
    ('-', 'hit', '2')
    """
    if text in FATE:
        return Faces(FATE[text], "F" if text == "F.2" else text)
    if text == TWO_DICE:
        return Faces(tuple(f"{tens}{ones}" for tens in range(1, 7) for ones in range(1, 7)), TWO_DICE)
    faces = tuple(" ".join(face.split()) for face in text[1:-1].split(","))
    for face in faces:
        if not re.fullmatch(r"-|-?[0-9]+|[^\W\d_][\w' -]*", face):
            shown = quoted(face) if face else "nothing"
            raise NotationError(
                f"a face is a number, a word or - for a blank, not {shown}", hint="write them as in 'd{1, 1, 2, hit}'"
            )
        if face[-1:].isdigit() and face.lstrip("-").isdigit():
            limits.DIGITS.check(len(face.lstrip("-")))
    return Faces(faces)


class FaceValues(NamedTuple):
    """What the faces of a die count.

    Parameters:
        sides: the number of its sides.
        values: the number that each counts, from the first face on; empty for the numbers from 1 on.
        words: the word on each face that has one; empty when none has.
        texts: what stands on each face; empty for the numbers from 1 on.
    """

    sides: int
    values: tuple[int, ...] = ()
    words: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()

    @classmethod
    @lru_cache(_CACHE_SIZE)
    def of(cls, sides: int | Faces) -> FaceValues:
        """Return what the faces of a die count: numbers themselves, a blank 0, and any other word 1.

        >>> FaceValues.of(Faces(("-", "hit", "3"))).values
        (0, 1, 3)
        """
        if isinstance(sides, int):
            return cls(sides)
        values, words = [], []
        for text in sides.texts:
            number = text.lstrip("-").isdigit()
            values.append(int(text) if number else int(text != BLANK))
            words.append("" if number or text == BLANK else text)
        return cls(len(values), tuple(values), tuple(words) if any(words) else (), sides.texts)

    def value(self, face: int) -> int:
        """Return what a face counts, given by its position from 1."""
        return self.values[face - 1] if self.values else face

    def all(self) -> range | tuple[int, ...]:
        """Return the value of each face."""
        return self.values or range(1, self.sides + 1)


class Counter(NamedTuple):
    """What is counted of a pool.

    Parameters:
        fact: the name of the fact.
        test: tells whether a value is counted.
        state: the state of a die that is.
    """

    fact: str
    test: Callable[[int], bool]
    state: str


class Handling(NamedTuple):
    """The modifiers of a pool or a set, sorted by what they do, in the order in which it is done.

    Each die is settled first: thrown again, then raised to a minimum or lowered to a maximum. A settled die may
    explode, and the new die is settled in the same way. Then dice that must differ are thrown again, dice are kept
    and dropped, and those that are left are counted.

    Parameters:
        changes: whether a die may be settled to something else than it showed first.
        prefers_high: whether of equal dice the first thrown counts as the highest, not as the lowest.
    """

    reroll: Callable[[int], bool] | None
    reroll_once: bool
    low: int | None
    high: int | None
    explode: Callable[[int], bool] | None
    compounding: bool
    penetrating: bool
    cap: int | None
    unique: str
    differs: Callable[[int], bool] | None
    changes: bool
    keeps: tuple[Modifier, ...]
    prefers_high: bool
    filters: tuple[tuple[Callable[[int], bool], bool], ...]
    success: Callable[[int], bool] | None
    failure: Callable[[int], bool] | None
    critical_success: Callable[[int], bool] | None
    critical_failure: Callable[[int], bool] | None
    counters: tuple[Counter, ...]
    order: str

    @classmethod
    @lru_cache(_CACHE_SIZE)
    def of(cls, modifiers: tuple[Modifier, ...], values: range | tuple[int, ...]) -> Handling:
        """Return the handling of dice.

        Parameters:
            modifiers: the modifiers, in any order.
            values: what the faces of each die count; the highest and the lowest are usual faces to act on.

        Raises:
            DiceError: the dice would be thrown without end.
        """
        by_name = {modifier.name: modifier for modifier in modifiers}
        ends = (values[0], values[-1]) if isinstance(values, range) else values
        usual = (min(ends), max(ends)) if values else (0, 0)

        def test(*names: str, high: bool = False) -> Callable[[int], bool] | None:
            found = next((by_name[name] for name in names if name in by_name), None)
            return None if found is None else _test(found, usual[high])

        explosion = next((modifier for modifier in modifiers if modifier.name[:1] == "!"), None)
        reroll = test("r", "ro")
        if reroll is not None and "r" in by_name and all(map(reroll, values)):
            raise DiceError(f"every face is thrown again, by {quoted(format_modifier(by_name['r']))}", hint="spare one")
        low, high = (by_name[name].number if name in by_name else None for name in ("mi", "ma"))
        explode = None if explosion is None else _test(explosion, usual[True])
        if explosion is not None and explosion.cap is None:
            again = reroll if "r" in by_name else None
            spared = (value for value in values if again is None or not again(value))
            if all(cast("Callable[[int], bool]", explode)(bounded(value, low, high)) for value in spared):
                text = format_modifier(explosion)
                raise DiceError(
                    f"every face explodes, by {quoted(text)}", hint=f"spare one, or set a limit, as in {text}x3"
                )
        success, failure, critical_success, critical_failure = test(""), test("f"), test("cs", high=True), test("cf")
        return cls(
            reroll,
            "ro" in by_name,
            low,
            high,
            explode,
            explosion is not None and explosion.name[:2] == "!!",
            explosion is not None and explosion.name[-1] == "p",
            None if explosion is None else explosion.cap,
            "u" if "u" in by_name else "uo" if "uo" in by_name else "",
            next((_test(by_name[name], 0) for name in ("u", "uo") if name in by_name and by_name[name].op), None),
            reroll is not None or explode is not None or low is not None or high is not None,
            tuple(modifier for modifier in modifiers if modifier.name in RANKED),
            not by_name.keys().isdisjoint({"kh", "dl"}),
            tuple((_test(one, 0), one.name == "k") for one in modifiers if one.name in {"k", "p"}),
            success,
            failure,
            critical_success,
            critical_failure,
            tuple(
                Counter(fact, counted, state)
                for (fact, state), counted in zip(
                    _COUNTED, (critical_success, critical_failure, success, failure), strict=True
                )
                if counted is not None
            ),
            "d" if "sd" in by_name else "a" if "s" in by_name else "",
        )

    def ranks(self, number: int) -> Sequence[int]:
        """Return which of some values count, by their rank from 0 for the lowest.

        Each modifier looks at all of the values, so that ``kh1kl1`` keeps the highest and the lowest.

        >>> Handling.of((read_modifier("dh1"), read_modifier("dl1")), range(1, 7)).ranks(4)
        (1, 2)
        """
        return _ranks(self.keeps, number)

    def passes(self, value: int) -> bool:
        """Return whether a value is kept, as far as that depends on it alone."""
        return all(test(value) == kept for test, kept in self.filters)

    def settle(self, value: int) -> int:
        """Return what a die counts after its minimum and maximum."""
        return bounded(value, self.low, self.high)

    def must_differ(self, value: int) -> bool:
        """Return whether a die that shows a value is thrown again when another shows it."""
        return self.differs is None or self.differs(value)

    @property
    def counts(self) -> bool:
        """Whether dice are counted, not added up."""
        return self.success is not None

    def contribution(self, value: int) -> int:
        """Return what a kept value adds to the total."""
        if self.success is None:
            return value
        return int(self.success(value)) - int(self.failure is not None and self.failure(value))


@lru_cache(_CACHE_SIZE)
def _ranks(keeps: tuple[Modifier, ...], number: int) -> tuple[int, ...]:
    kept: set[int] = set()
    dropped: set[int] = set()
    for name, _, count, _ in keeps:
        some = range(min(count or 0, number))
        if name[1] == "h":
            some = range(number - len(some), number)
        (kept if name[0] == "k" else dropped).update(some)
    if not any(modifier.name[0] == "k" for modifier in keeps):
        kept = set(range(number))
    return tuple(sorted(kept - dropped))


def bounded(value: int, low: int | None, high: int | None) -> int:
    """Return a value raised to a minimum, then lowered to a maximum.

    >>> bounded(1, 2, None), bounded(9, None, 5)
    (2, 5)
    """
    if low is not None and value < low:
        value = low
    return high if high is not None and value > high else value


def _test(modifier: Modifier, usual: int) -> Callable[[int], bool]:
    """Return the function that tells whether a modifier acts on a value."""
    if modifier.number is None:
        return usual.__eq__
    compare, number = COMPARISONS[cast("Comparison", modifier.op)], modifier.number
    return lambda value: compare(value, number)
