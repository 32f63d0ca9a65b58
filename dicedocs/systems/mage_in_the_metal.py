"""The Mage in the Metal: checks, whose dice should stay under a target number, and contests of checks.

A number such as W24 or DW2 is the id of the fact or the decision that a line follows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import islice
from typing import Final, Literal, NamedTuple, Self, TypeAlias

from dicedocs import Dice, Mechanic, Numbers, Outcome, ParameterError, Say, fact, limits, param
from dicedocs.errors import quoted

DICE: Final = 3
"""A check throws 3d6 (W3, W7)."""
SIDES: Final = 6
BY_FAVOR: Final[Mapping[Literal["with", "without"], int]] = {"with": -1, "without": 1}
"""With favor it is 2d6 (W37), without favor 4d6 (W38)."""
BONUSES: Final = ("equipment", "magical", "circumstance", "fate")
"""The types of bonus (W15)."""
CRITICAL_SUCCESS: Final = 5
"""A total of so much or less is a critical success (W24)."""
CRITICAL_FAILURE: Final = 16
"""A total of so much or more is a critical failure (W25)."""
FEWEST: Final = 2
"""A contest has several contestants (W33, DW5)."""
NOT_IN_NAMES: Final = ":;,="
"""What no contestant's name holds (DW5)."""

Favor: TypeAlias = tuple[Literal["with", "without"], ...]
"""What a roll is made with; both of them cancel (DW6)."""
Critical: TypeAlias = Literal["success", "failure"] | None
CheckResult: TypeAlias = Literal["critical success", "success", "failure", "critical failure"]

RANKS: Final[Mapping[CheckResult, int]] = {"critical success": 3, "success": 2, "failure": 1, "critical failure": 0}
"""How the results of a check rank in a contest (DW5)."""


class Penalty(NamedTuple):
    """Points that are taken off a TN (W17).

    Parameters:
        points: how many, at least 0.
        kind: its type, for other rules to refer to (W19); may be empty.
    """

    points: int
    kind: str = ""

    def __str__(self) -> str:
        return f"{self.kind} {self.points}" if self.kind else str(self.points)


class Penalties(tuple[Penalty, ...]):
    """The penalties of a check, written ``10, 2`` or ``difficulty 10, wounds 2``; -10 and 10 both take 10 off (DW3).

    Parameters:
        penalties: each as a number, as text, or as itself.

    >>> print(Penalties.from_text("difficulty -10, wounds 2"))
    difficulty 10, wounds 2
    >>> print(Penalties([10, "wounds 2"]))
    10, wounds 2
    """

    __slots__ = ()

    expects: Final = "penalties such as 10, 2 or difficulty 10, wounds 2"

    def __new__(cls, penalties: Iterable[object] = ()) -> Self:
        some = tuple(islice(penalties, limits.ITEMS.maximum + 1))
        limits.ITEMS.check(len(some))
        made = super().__new__(cls, map(_penalty, some))
        limits.VALUE_TEXT.check(len(str(made)), hint="write less")
        return made

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read penalties separated by commas; ``none`` and an empty text have none."""
        parts = (part for part in text.split(",") if part.strip())
        return cls() if text.strip().lower() == "none" else cls(parts)

    @classmethod
    def from_value(cls, value: object) -> Self:
        """Take a number, several penalties, or numbers by the type of penalty."""
        if value is None:
            return cls()
        if isinstance(value, Mapping):
            return cls(Penalty(points, kind) for kind, points in value.items())
        if isinstance(value, Iterable) and not isinstance(value, Penalty):
            return cls(value)
        return cls([value])

    def __str__(self) -> str:
        return ", ".join(map(str, self)) or "none"


def _penalty(given: object) -> Penalty:
    """Read a penalty: its type if it has one, then its number, the sign of which means nothing (DW3)."""
    if isinstance(given, Penalty):
        return Penalty(_penalty(given.points).points, _kind(given.kind))
    if type(given) is int:
        if abs(given) >= 10**limits.DIGITS.maximum:
            limits.DIGITS.check(limits.DIGITS.maximum + 1, hint="give a smaller number")
        return Penalty(abs(given))
    *kind, number = (given.split() if isinstance(given, str) else []) or [""]
    if kind and kind[-1] in {"-", "+"}:
        kind.pop()
    digits = number[1:] if number[:1] in {"-", "+"} else number
    if not (digits.isascii() and digits.isdigit()):
        hint = "write its number, after its type if it has one: 10 or difficulty 10"
        raise ParameterError(f"{quoted(given)} is not a penalty", hint=hint)
    limits.DIGITS.check(len(digits), hint="write a smaller number")
    return Penalty(int(digits), _kind(" ".join(kind)))


def _kind(given: object) -> str:
    """Read the type of a penalty, in words, so that its text is read as the same again."""
    words = given.split() if isinstance(given, str) else ["", ""]
    if any(word.strip("+-").isdigit() for word in words):
        raise ParameterError(f"{quoted(given)} is not a type of penalty", hint="put a comma between penalties")
    if "" in words or "," in "".join(words) or words[-1:] in (["-"], ["+"]):
        raise ParameterError(f"{quoted(given)} is not a type of penalty", hint="give it in words, without a comma")
    return " ".join(words)


def _bonuses(kind: str, example: Numbers = ()) -> Numbers:
    return param(default=(), example=example, help=f"{kind} bonuses, of which the largest counts")


class Check(Mechanic, id="mage-in-the-metal/check"):
    """Roll 3d6 and stay under the target number (TN). A total of 5 or less, or of 16 or more, is critical."""

    skill: int = param(example=20, help="the value that the TN starts from")
    equipment: Numbers = _bonuses("equipment", example=(4,))
    magical: Numbers = _bonuses("magical")
    circumstance: Numbers = _bonuses("circumstance")
    fate: Numbers = _bonuses("fate")
    penalties: Penalties = param(default=Penalties(), example="difficulty 10", help="what makes it harder; all count")
    multiply: int = param(default=1, low=0, help="what the TN is multiplied by, after bonuses and penalties")
    divide: int = param(default=1, low=1, help="what the TN is divided by, last of all, rounded down")
    favor: Favor = param(default=(), help="with favor it is 2d6, without favor 4d6; both cancel")
    margin: int | None = param(default=None, low=1, help="how many points of difference make one degree")
    at_or_under: bool = param(default=False, help="a total equal to the TN succeeds too")

    class Result(Outcome):
        total: int = fact(help="what the dice add up to")
        tn: int = fact(help="the target number, with every modifier", label="TN")
        under: bool = fact(help="whether the total is under the TN", label="Under the TN")
        success: bool = fact(help="whether the check succeeds, criticals included")
        critical: Critical = fact(help="which critical result it is, if it is one")
        difference: int = fact(help="the TN less the total")
        degrees: int | None = fact(help="how many whole times the margin goes into the difference")
        result: CheckResult = fact(help="how the check ends")

    def validate(self) -> None:
        for kind in BONUSES:
            for bonus in getattr(self, kind):
                if bonus < 0:
                    message = f"a bonus of {bonus} would lower the TN"
                    raise ParameterError(message, hint=f"write it as a penalty: {-bonus}", parameter=kind)

    @cached_property
    def bonuses(self) -> tuple[tuple[str, Numbers], ...]:
        """The bonuses by type, of those types that there are."""
        return tuple((kind, getattr(self, kind)) for kind in BONUSES if getattr(self, kind))

    @cached_property
    def taken_off(self) -> tuple[tuple[str, int], ...]:
        """What the penalties add to the TN: all of them stack, of one type or not (W18, W19)."""
        return tuple((penalty.kind or "penalty", -penalty.points) for penalty in self.penalties)

    @cached_property
    def favors(self) -> tuple[tuple[str, int], ...]:
        """What favor does to the number of dice; naming it twice does no more (DW6)."""
        return tuple((f"{word} favor", change) for word, change in BY_FAVOR.items() if word in self.favor)

    def target_number(self, say: Say) -> int:
        """Work out the TN: skill, bonuses, penalties, then multiplication and division (W10, W13, DW3)."""
        counting = []
        for kind, given in self.bonuses:
            # One of each type counts (W16): the largest (DW7).
            best = max(given)
            counting.append((kind, say.fact(f"Best {kind}", best, *given) if len(given) > 1 else best))
        tn = say.sum("TN", ("skill", self.skill), *counting, *self.taken_off)
        if self.multiply == self.divide == 1:
            return tn
        return say.scale("TN in the end", tn, times=self.multiply, over=self.divide)

    @cached_property
    def tn(self) -> int:
        """The TN, which no die changes (W11)."""
        return self.target_number(Say())

    def resolve(self, dice: Dice, say: Say) -> Result:
        tn = self.target_number(say) if say else self.tn
        number = say.sum("Number of dice", DICE, *self.favors) if self.favors else DICE
        total = dice.total(number, SIDES)
        # Equal is not under (W8, DW1), unless the table plays it so.
        if self.at_or_under:
            under = say.compare("At or under the TN", total, "<=", tn)
        else:
            under = say.compare("Under the TN", total, "<", tn)
        difference = say.sum("Difference", tn, -total)
        degrees = None if self.margin is None else degrees_of(difference, self.margin, say)
        critical = critical_of(total, say)
        success = under if critical is None else critical == "success"
        result = result_of(success, critical)
        # The total alone makes a result critical, and then nothing else decides (DW2).
        say.fact("Result", result, *([] if success == under else ["whatever the TN"]))
        return self.Result(total, tn, under, success, critical, difference, degrees, result)


def degrees_of(difference: int, margin: int, say: Say) -> int:
    """Count how many whole times the margin goes into the difference, on either side of the TN (W29 to W31, DW4)."""
    size = abs(difference)
    return say.scale("Degrees", size, over=margin) if margin > 1 else say.sum("Degrees", size)


def critical_of(total: int, say: Say) -> Critical:
    """Tell whether a total is critical, with any number of dice (W24, W25, W27, DW2)."""
    if total <= CRITICAL_SUCCESS:
        return say.fact("Critical", "success", f"{CRITICAL_SUCCESS} or less")
    if total >= CRITICAL_FAILURE:
        return say.fact("Critical", "failure", f"{CRITICAL_FAILURE} or more")
    return None


def result_of(success: bool, critical: Critical) -> CheckResult:
    """Give the word for how a check ends."""
    if success:
        return "success" if critical is None else "critical success"
    return "failure" if critical is None else "critical failure"


class Contestant(NamedTuple):
    """One who takes part in a contest, with the bonuses and penalties of a check (DW5)."""

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
        """Give the check that the contestant makes."""
        bonuses = {kind: getattr(self, kind) for kind in BONUSES}
        return Check(skill=self.skill, **bonuses, penalties=Penalties(self.penalty), favor=self.favor)


class Contest(Mechanic, id="mage-in-the-metal/contest"):
    """Everybody makes a check at once; the best result wins, then the larger difference, then the higher training."""

    contestants: tuple[Contestant, ...] = param(
        example="Whitebeard: skill 20, training 2, favor with; Rusk: skill 14, training 1, penalty 10, penalty 2",
        help="who takes part, two or more, each with a skill",
    )

    class Result(Outcome):
        winner: str | None = fact(help="who wins, if anybody does")
        result: Literal["win", "stalemate"] = fact(help="whether somebody wins")
        totals: tuple[int, ...] = fact(help="what each one's dice add up to, in the order written")

    def validate(self) -> None:
        names = [" ".join(who.name.split()) for who in self.contestants]
        if len(names) < FEWEST:
            hint = "name them with their skills: Whitebeard: skill 20; Rusk: skill 14"
            raise ParameterError(f"a contest needs {FEWEST} contestants or more", hint=hint, parameter="contestants")
        for place, name in enumerate(names):
            if set(NOT_IN_NAMES) & set(name):
                hint = f"names hold no {' '.join(NOT_IN_NAMES)}"
                raise ParameterError(f"{quoted(name)} is not a name", hint=hint, parameter="contestants")
            if name in names[:place]:
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
        made = [dice.play(check, who.name) for who, check in zip(self.contestants, self.checks, strict=True)]
        standings = {
            who.name: (RANKS[check.result], check.difference) for who, check in zip(self.contestants, made, strict=True)
        }
        ahead = say.leaders("Ahead", standings, by=("result", "difference"))
        if len(ahead) > 1:
            # A tie goes to the higher training (W34).
            training = {who.name: (who.training,) for who in self.contestants if who.name in ahead}
            said = " to ".join(str(level) for (level,) in sorted(training.values(), reverse=True))
            ahead = say.leaders("Training", training, by=(said,))
        totals = tuple(check.total for check in made)
        if len(ahead) > 1:
            return self.Result(None, say.fact("Result", "stalemate", "another contest is needed"), totals)  # W35
        return self.Result(say.fact("Winner", ahead[0]), "win", totals)
