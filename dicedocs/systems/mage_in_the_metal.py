"""The Mage in the Metal: checks, whose total must be under a target number (TN), and contests of checks.

An id such as W24 names a fact of the game's text, and one such as DW2 a decision where the text leaves
something open.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Final, Literal, NamedTuple, Self, TypeAlias

from dicedocs import Dice, Mechanic, Numbers, Outcome, ParameterError, Say, fact, limits, param
from dicedocs.errors import is_text, quoted

DICE: Final = 3
"""A check throws 3d6 (W3, W7)."""
SIDES: Final = 6
BY_FAVOR: Final[Mapping[Literal["with", "without"], int]] = {"with": -1, "without": 1}
"""With favor it is 2d6 (W37), without favor 4d6 (W38)."""
BONUSES: Final = ("equipment", "magical", "circumstance", "fate")
"""The types of bonus (W15)."""
CRITICAL_SUCCESS: Final = 5
"""A total of 5 or less is a critical success (W24)."""
CRITICAL_FAILURE: Final = 16
"""A total of 16 or more is a critical failure (W25)."""
MINIMUM_CONTESTANTS: Final = 2
"""A contest has two contestants or more (W33, DW5)."""
NOT_IN_NAMES: Final = ":;,="
"""The characters that a contestant's name cannot contain (DW5)."""

Favor: TypeAlias = tuple[Literal["with", "without"], ...]
"""With favor, without favor, both (which cancel) or neither (DW6)."""
Critical: TypeAlias = Literal["success", "failure"] | None
CheckResult: TypeAlias = Literal["critical success", "success", "failure", "critical failure"]

RANKS: Final[Mapping[CheckResult, int]] = {"critical success": 3, "success": 2, "failure": 1, "critical failure": 0}
"""The rank of each result of a check in a contest (DW5)."""
SUCCEEDING: Final[tuple[CheckResult, ...]] = ("critical success", "success")
"""The results that are a success."""
MEANINGS: Final[Mapping[CheckResult, Literal["success", "failure"]]] = {
    result: "success" if result in SUCCEEDING else "failure" for result in RANKS
}
"""What each result means for whoever rolled."""


class Penalty(NamedTuple):
    """Points that are subtracted from a TN (W17).

    Parameters:
        points: the number of points, at least 0.
        kind: the type of penalty, for other rules to refer to (W19); may be empty.
    """

    points: int
    kind: str = ""

    def __str__(self) -> str:
        return f"{self.kind} {self.points}" if self.kind else str(self.points)


class Penalties(tuple[Penalty, ...]):
    """The penalties of a check, written ``10, 2`` or ``difficulty 10, wounds 2``; -10 and 10 both subtract 10 (DW3).

    Parameters:
        penalties: each as a number, as text, or as a :class:`Penalty`.

    >>> print(Penalties.from_text("difficulty -10, wounds 2"))
    difficulty 10, wounds 2
    >>> print(Penalties([10, "wounds 2"]))
    10, wounds 2
    """

    __slots__ = ()

    expects: Final = "penalties such as 10, 2 or difficulty 10, wounds 2"

    def __new__(cls, penalties: Iterable[object] = ()) -> Self:
        items = limits.ITEMS.take(penalties)
        self = super().__new__(cls, map(_penalty, items))
        limits.VALUE_TEXT.check(len(str(self)), hint="write less")
        return self

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Parse penalties separated by commas; ``none`` and an empty text mean no penalties."""
        if not is_text(text):
            raise ParameterError(f"{quoted(text)} is not {cls.expects}")
        parts = (part for part in text.split(",") if part.strip())
        return cls() if text.strip().lower() == "none" else cls(parts)

    @classmethod
    def from_value(cls, value: object) -> Self:
        """Return the penalties given as a number, as several penalties, or as numbers by type."""
        if value is None:
            return cls()
        if isinstance(value, Mapping):
            return cls([Penalty(value[kind], kind) for kind in limits.ITEMS.take(value)])
        if isinstance(value, Iterable) and not isinstance(value, Penalty | str | bytes):
            return cls(value)
        return cls([value])

    def __str__(self) -> str:
        return ", ".join(map(str, self)) or "none"


def _penalty(value: object) -> Penalty:
    """Return a penalty from a number, or from its type, if any, and its number; the sign is ignored (DW3)."""
    if isinstance(value, Penalty):
        return Penalty(_penalty(value.points).points, _kind(value.kind))
    if type(value) is int:
        if abs(value) >= 10**limits.DIGITS.maximum:
            limits.DIGITS.check(limits.DIGITS.maximum + 1, hint="give a smaller number")
        return Penalty(abs(value))
    *kind, number = (value.split() if isinstance(value, str) else []) or [""]
    if kind and kind[-1] in {"-", "+"}:
        kind.pop()
    digits = number[1:] if number[:1] in {"-", "+"} else number
    if not (digits.isascii() and digits.isdigit()):
        hint = "write its number, after its type if it has one: 10 or difficulty 10"
        raise ParameterError(f"{quoted(value)} is not a penalty", hint=hint)
    limits.DIGITS.check(len(digits), hint="write a smaller number")
    return Penalty(int(digits), _kind(" ".join(kind)))


def _kind(value: object) -> str:
    """Return the type of a penalty; its words must parse to the same penalty again."""
    words = value.split() if isinstance(value, str) else ["", ""]
    if any(word.strip("+-").isdigit() for word in words):
        raise ParameterError(f"{quoted(value)} is not a type of penalty", hint="put a comma between penalties")
    if "" in words or "," in "".join(words) or words[-1:] in (["-"], ["+"]):
        raise ParameterError(f"{quoted(value)} is not a type of penalty", hint="give it in words, without a comma")
    return " ".join(words)


def _bonuses(kind: str, example: Numbers = ()) -> Numbers:
    return param(default=(), example=example, help=f"{kind} bonuses, of which the largest counts", advanced=not example)


def _needed(result: Check.Result) -> str:
    """Return what the total of a check had to be; empty where a critical result decides, whatever the TN (DW2)."""
    if result.success != result.under:
        return ""
    return "needed {target} or less" if result.rule.at_or_under else "needed under {target}"


class Check(Mechanic, id="mage-in-the-metal/check"):
    """Roll 3d6 and stay under the target number (TN). A total of 5 or less, or of 16 or more, is critical."""

    skill: int = param(example=20, help="the value that the TN starts from")
    equipment: Numbers = _bonuses("equipment", example=(4,))
    magical: Numbers = _bonuses("magical")
    circumstance: Numbers = _bonuses("circumstance")
    fate: Numbers = _bonuses("fate")
    penalties: Penalties = param(default=Penalties(), example="difficulty 10", help="what makes it harder; all count")
    multiply: int = param(
        default=1, low=0, help="what the TN is multiplied by, after bonuses and penalties", advanced=True
    )
    divide: int = param(default=1, low=1, help="what the TN is divided by, last of all, rounded down", advanced=True)
    favor: Favor = param(default=(), help="with favor it is 2d6, without favor 4d6; both cancel")
    margin: int | None = param(default=None, low=1, help="how many points of difference make one degree", advanced=True)
    at_or_under: bool = param(default=False, help="a total equal to the TN succeeds too", advanced=True)

    class Result(Outcome):
        total: int = fact(
            help="what the dice add up to", bands=lambda check: check.result_by_total, against="tn", needed=_needed
        )
        tn: int = fact(help="the target number, with every modifier", label="TN")
        under: bool = fact(help="whether the total is under the TN", label="Under the TN", repeats="success")
        success: bool = fact(help="whether the check succeeds, criticals included", verdict=True)
        critical: Critical = fact(help="which critical result it is, if it is one", verdict="adds")
        difference: int = fact(help="the TN less the total")
        degrees: int | None = fact(
            help="how many whole times the margin goes into the difference", repeats="difference"
        )
        result: CheckResult = fact(help="how the check ends", verdict=MEANINGS)

    def validate(self) -> None:
        for kind in BONUSES:
            for bonus in getattr(self, kind):
                if bonus < 0:
                    message = f"a bonus of {bonus} would lower the TN"
                    raise ParameterError(message, hint=f"write it as a penalty: {-bonus}", parameter=kind)

    @cached_property
    def bonuses(self) -> tuple[tuple[str, Numbers], ...]:
        """The bonuses by type, without the types that have none."""
        return tuple((kind, getattr(self, kind)) for kind in BONUSES if getattr(self, kind))

    @cached_property
    def penalty_terms(self) -> tuple[tuple[str, int], ...]:
        """The terms that the penalties add to the TN: all of them stack, whatever their types (W18, W19)."""
        return tuple((penalty.kind or "penalty", -penalty.points) for penalty in self.penalties)

    @cached_property
    def favor_terms(self) -> tuple[tuple[str, int], ...]:
        """The terms that favor adds to the number of dice; repeating it has no effect (DW6)."""
        return tuple((f"{word} favor", change) for word, change in BY_FAVOR.items() if word in self.favor)

    def target_number(self, say: Say) -> int:
        """Return the TN: skill, bonuses and penalties, then multiplied and divided (W10, W13, DW3)."""
        bonus_terms = []
        for kind, values in self.bonuses:
            # One bonus of each type counts (W16): the largest (DW7).
            best = max(values)
            bonus_terms.append((kind, say.fact(f"Best {kind}", best, *values) if len(values) > 1 else best))
        tn = say.sum("TN", ("skill", self.skill), *bonus_terms, *self.penalty_terms)
        if self.multiply == self.divide == 1:
            return tn
        return say.scale("TN in the end", tn, times=self.multiply, over=self.divide)

    @cached_property
    def tn(self) -> int:
        """The TN, which does not depend on the dice (W11)."""
        return self.target_number(Say())

    def resolve(self, dice: Dice, say: Say) -> Result:
        tn = self.target_number(say) if say else self.tn
        number = say.sum("Number of dice", DICE, *self.favor_terms) if self.favor_terms else DICE
        total = dice.total(number, SIDES)
        label, op = self.comparison
        under = say.compare(label, total, op, tn)
        difference = say.sum("Difference", tn, -total)
        degrees = None if self.margin is None else count_degrees(difference, self.margin, say)
        critical = critical_of(total, say)
        result = result_of(critical, under=under)
        success = result in SUCCEEDING
        # The total alone makes a result critical, and then nothing else decides (DW2).
        say.fact("Result", result, *([] if success == under else ["whatever the TN"]))
        return self.Result(total, tn, under, success, critical, difference, degrees, result)

    @cached_property
    def comparison(self) -> tuple[str, Literal["<", "<="]]:
        """How a total is compared with the TN; equal is not under (W8, DW1), unless the players choose so."""
        return ("At or under the TN", "<=") if self.at_or_under else ("Under the TN", "<")

    @property
    def result_by_total(self) -> dict[int | None, CheckResult]:
        """The result of the check from each total on."""
        say, (label, op) = Say(), self.comparison
        starts = sorted({CRITICAL_SUCCESS + 1, self.tn + self.at_or_under, CRITICAL_FAILURE})
        totals: dict[int | None, int] = {None: starts[0] - 1, **{start: start for start in starts}}
        return {
            start: result_of(critical_of(total, say), under=say.compare(label, total, op, self.tn))
            for start, total in totals.items()
        }


def count_degrees(difference: int, margin: int, say: Say) -> int:
    """Return how many whole times the margin goes into the difference, on either side of the TN (W29 to W31, DW4)."""
    size = abs(difference)
    return say.scale("Degrees", size, over=margin) if margin > 1 else say.sum("Degrees", size)


def critical_of(total: int, say: Say) -> Critical:
    """Return which critical result a total is, if any, whatever the number of dice (W24, W25, W27, DW2)."""
    if total <= CRITICAL_SUCCESS:
        return say.fact("Critical", "success", f"{CRITICAL_SUCCESS} or less")
    if total >= CRITICAL_FAILURE:
        return say.fact("Critical", "failure", f"{CRITICAL_FAILURE} or more")
    return None


def result_of(critical: Critical, *, under: bool) -> CheckResult:
    """Return the result of a check: where its total is critical, whatever the TN (DW2)."""
    if critical is None:
        return "success" if under else "failure"
    return "critical success" if critical == "success" else "critical failure"


class Contestant(NamedTuple):
    """A contestant, with the bonuses and penalties of a check (DW5)."""

    name: str
    skill: int
    training: int = 0
    equipment: Numbers = ()
    magical: Numbers = ()
    circumstance: Numbers = ()
    fate: Numbers = ()
    penalty: Numbers = ()
    favor: Favor = ()

    def check(self) -> Check:
        """Return the check that the contestant makes."""
        bonuses = {kind: getattr(self, kind) for kind in BONUSES}
        return Check(skill=self.skill, **bonuses, penalties=Penalties(self.penalty), favor=self.favor)


class Contest(Mechanic, id="mage-in-the-metal/contest"):
    """Everybody makes a check at once; the best result wins, then the larger difference, then the higher training."""

    contestants: tuple[Contestant, ...] = param(
        example="Whitebeard: skill 20, training 2, favor with; Rusk: skill 14, training 1, penalty 10, penalty 2",
        help="who takes part, two or more, each with a skill",
    )

    class Result(Outcome):
        winner: str | None = fact(help="who wins, if anybody does", verdict=True)
        result: Literal["win", "stalemate"] = fact(help="whether somebody wins", verdict={"stalemate": "partial"})
        totals: tuple[int, ...] = fact(help="what each one's dice add up to, in the order written")

    def validate(self) -> None:
        names = [" ".join(who.name.split()) for who in self.contestants]
        if len(names) < MINIMUM_CONTESTANTS:
            hint = "name them with their skills: Whitebeard: skill 20; Rusk: skill 14"
            raise ParameterError(
                f"a contest needs {MINIMUM_CONTESTANTS} contestants or more", hint=hint, parameter="contestants"
            )
        for index, name in enumerate(names):
            if set(NOT_IN_NAMES) & set(name):
                hint = f"a name cannot contain {' '.join(NOT_IN_NAMES)}"
                raise ParameterError(f"{quoted(name)} is not a name", hint=hint, parameter="contestants")
            if name in names[:index]:
                hint = "give each a name of their own"
                raise ParameterError(f"{quoted(name)} takes part twice", hint=hint, parameter="contestants")
        _ = self.checks

    @cached_property
    def checks(self) -> tuple[Check, ...]:
        """The check of each contestant."""
        checks = []
        for who in self.contestants:
            try:
                checks.append(who.check())
            except ParameterError as error:
                message = f"{error.parameter} of {quoted(who.name)}: {error.message}"
                raise ParameterError(message, hint=error.hint, parameter="contestants") from None
        return tuple(checks)

    def resolve(self, dice: Dice, say: Say) -> Result:
        outcomes = [dice.play(check, who.name) for who, check in zip(self.contestants, self.checks, strict=True)]
        standings = {
            who.name: (RANKS[check.result], check.difference)
            for who, check in zip(self.contestants, outcomes, strict=True)
        }
        ahead = say.leaders("Ahead", standings, by=("result", "difference"))
        if len(ahead) > 1:
            # A tie goes to the higher training (W34).
            training = {who.name: (who.training,) for who in self.contestants if who.name in ahead}
            levels = " to ".join(str(level) for (level,) in sorted(training.values(), reverse=True))
            ahead = say.leaders("Training", training, by=(levels,))
        totals = tuple(check.total for check in outcomes)
        if len(ahead) > 1:
            return self.Result(None, say.fact("Result", "stalemate", "another contest is needed"), totals)  # W35
        return self.Result(say.fact("Winner", ahead[0]), "win", totals)
