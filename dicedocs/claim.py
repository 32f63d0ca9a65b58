"""Claims about odds, counted and compared: ``p(total at least 13 | advantage=1) = 50% ± 2%``.

A claim compares two figures with ``=``, ``!=``, ``<``, ``<=``, ``>`` or ``>=``. A figure is a number, ``12.5`` or
``25.9%``; the chance ``p(...)`` of an event; the ``mean(...)`` or ``median(...)`` of a fact; or arithmetic of these
with ``+ - * /`` and parentheses. After ``|`` stand settings of parameters, beside those that the rule has already.

With ``± number`` behind it ``=`` means no further away than that; ``+-`` will do. Without it, a single number is
what the exact figure rounds to, with the decimals that are written; anything else must be equal exactly.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, TypeGuard

from dicedocs import limits
from dicedocs.errors import ExpectationError, NotationError, ParameterError, near, quoted
from dicedocs.event import Event
from dicedocs.kinds import as_line, given
from dicedocs.registry import mechanic
from dicedocs.render.figures import decimal, percent
from dicedocs.settings import Setting, settings, with_settings

if TYPE_CHECKING:
    from dicedocs.distribution import Distribution
    from dicedocs.mechanic import Mechanic

_TOKEN: Final = re.compile(
    r"\s*(?:(?P<number>[0-9]+(?:\.[0-9]+)?\s*%?)|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<within>±|\+/?-)|(?P<relation>[<>!]=|[<>=≤≥≠])|(?P<sign>[-+*/(),−])|(?P<end>$))"
)
_RELATIONS: Final[Mapping[str, Callable[[Fraction, Fraction], bool]]] = {
    "=": lambda left, right: left == right,
    "!=": lambda left, right: left != right,
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
    ">": lambda left, right: left > right,
    ">=": lambda left, right: left >= right,
}
_SAME: Final = {"≤": "<=", "≥": ">=", "≠": "!=", "−": "-"}
_OF_FACTS: Final = ("mean", "median")
_CHANCE: Final = "p"
NAMES: Final = (*_OF_FACTS, _CHANCE)
"""The figures that are counted."""
_MORE: Final = 4
"""Decimals more than usual with which a figure is shown, until it can be told from what was claimed."""
_REMEMBERED: Final = 64
"""Distributions that are kept, since claims ask for the same ones again and again."""


class Subject(NamedTuple):
    """What figures are of.

    Parameters:
        mechanic: the id of a mechanic.
        parameters: its parameters, each as itself or as its text.
        fact: the fact that is meant where none is named; when empty, the mechanic's first.
    """

    mechanic: str
    parameters: Mapping[str, Any]
    fact: str = ""

    def odds(self, fact: str = "", chosen: Iterable[Setting] = ()) -> Distribution:
        """Count the exact odds of a fact.

        Parameters:
            fact: its name; empty for that of the subject.
            chosen: settings beside the parameters.

        Raises:
            DiceError: there is no such fact, or it cannot be counted.
        """
        return _odds(with_settings(mechanic(self.mechanic), self.parameters, chosen), self.known(fact))

    def chance(self, event: str, fact: str = "", chosen: Iterable[Setting] = ()) -> Fraction:
        """Count the exact chance of an event.

        Parameters:
            event: as :meth:`dicedocs.event.Event.read` takes it.
            fact, chosen: as for :meth:`odds`.

        Raises:
            DiceError: there is no such fact, it cannot be counted, or it never has the value that the event names.

        >>> Subject("total-effect/roll", {}).chance("at least 13")
        Fraction(7, 27)
        """
        fact, read = self.known(fact), Event.read(event)
        if not read.ordered:
            kind = mechanic(self.mechanic).fact_kinds()[fact]
            read = read._replace(text=as_line(given(kind, read.text)))
        return self.odds(fact, chosen).p(read)

    def known(self, fact: str = "") -> str:
        """Give the name of a fact, the subject's when it is empty.

        Raises:
            ParameterError: there is no such fact.
        """
        facts = mechanic(self.mechanic).result().facts_of
        name = fact or self.fact or next(iter(facts))
        if name not in facts:
            raise ParameterError(f"there is no fact {quoted(name)}", hint=near(name, facts))
        return name


@lru_cache(_REMEMBERED)
def _odds(rule: Mechanic, fact: str) -> Distribution:
    import dicedocs

    return dicedocs.odds(rule, fact)


class Figure(Protocol):
    """A part of a claim that has a value."""

    @property
    def chance(self) -> bool:
        """Whether it is shown as a percentage."""

    def value(self, subject: Subject) -> Fraction:
        """Give the exact value, or raise a :class:`DiceError`."""


class Number(NamedTuple):
    """A number as it is written; ``places`` are the decimals it has there."""

    written: Fraction
    places: int
    chance: bool

    def value(self, subject: Subject) -> Fraction:
        """Give the number."""
        return self.written

    def rounds(self, exact: Fraction) -> bool:
        """Tell whether this is what an exact figure rounds to."""
        scale = 100 if self.chance else 1
        return Fraction(decimal(exact * scale, self.places)) == self.written * scale


class Asked(NamedTuple):
    """What is counted: ``p``, ``mean`` or ``median``, of what, with which settings."""

    name: str
    of: str
    settings: str

    @property
    def chance(self) -> bool:
        """Whether it is a chance."""
        return self.name == _CHANCE

    def value(self, subject: Subject) -> Fraction:
        """Count it."""
        chosen = settings(mechanic(subject.mechanic), self.settings)
        if self.name in _OF_FACTS:
            found = getattr(subject.odds(self.of, chosen), self.name)
            if type(found) is not int and not isinstance(found, Fraction):
                raise ParameterError(f"the {self.name} of {quoted(subject.known(self.of))} is no number")
            return Fraction(found)
        fact, event = self._event(subject)
        return subject.chance(event, fact, chosen)

    def _event(self, subject: Subject) -> tuple[str, str]:
        """Give the fact and its event; a fact alone is true."""
        first = re.match(r"\w*", self.of)
        fact = first[0] if first and first[0] in mechanic(subject.mechanic).result().facts_of else ""
        return fact, self.of[len(fact) :].strip() or "= true"


class Chain(NamedTuple):
    """Figures that are added and taken away, or multiplied and divided, from left to right."""

    first: Figure
    rest: tuple[tuple[str, Figure], ...]

    @property
    def chance(self) -> bool:
        """Whether it is a chance, as the sum of chances is, and a chance by a number."""
        if self.rest[0][0] in "+-":
            return self.first.chance or any(figure.chance for _, figure in self.rest)
        over = any(sign == "/" and figure.chance for sign, figure in self.rest)
        return not over and (self.first.chance or any(figure.chance for _, figure in self.rest))

    def value(self, subject: Subject) -> Fraction:
        """Work it out."""
        total = self.first.value(subject)
        for sign, figure in self.rest:
            operand = figure.value(subject)
            if sign == "/" and not operand:
                raise ParameterError("a figure is divided by 0")
            total = (
                total + operand
                if sign == "+"
                else total - operand
                if sign == "-"
                else total * operand
                if sign == "*"
                else total / operand
            )
        return total


class Verdict(NamedTuple):
    """What counting a claim gave.

    Parameters:
        holds: whether it is true.
        exact: the exact figure of its left side.
        figure: that figure as it is shown; where two figures are compared, both.
        actual: the claim as it is true, which is as written when it holds.
    """

    holds: bool
    exact: Fraction
    figure: str
    actual: str


class Claim(NamedTuple):
    """A claim, which :meth:`read` makes.

    >>> claim = Claim.read("mean(total | advantage=1) - mean(total) = 2 ± 0.5")
    >>> claim.exact(Subject("total-effect/roll", {}))
    Fraction(2261, 1296)
    >>> claim.verify(Subject("total-effect/roll", {})).figure
    '1.74'
    """

    text: str
    left: Figure
    relation: str
    right: Figure
    within: Number | None
    sides: tuple[str, str, str]
    """What is written on the left, between, with the blanks there, and on the right."""

    @classmethod
    def read(cls, text: str) -> Claim:
        """Read a claim.

        Raises:
            NotationError: it is none; the error knows the place.
            LimitError: it is too long, or nested too deeply.
        """
        claim, *more = read_claims(text)
        if more:
            raise NotationError("expected one claim, found several", text=text, at=text.index(",", len(claim.text) - 1))
        return claim

    def exact(self, subject: Subject) -> Fraction:
        """Give the exact figure of the left side.

        Raises:
            DiceError: it cannot be counted.
        """
        return self.left.value(subject)

    def judge(self, subject: Subject) -> Verdict:
        """Count both sides, and compare them.

        Raises:
            DiceError: one of them cannot be counted.
        """
        left, right = self.left.value(subject), self.right.value(subject)
        holds = self._holds(left, right)
        chance = self.left.chance or self.right.chance
        first = max([1 if chance else 2, *(number.places for number in (self.right, self.within) if _plain(number))])
        for places in range(first, first + _MORE):
            figure, other = (shown(side, chance=chance, places=places) for side in (left, right))
            # Rounded, a figure must not seem to hold when the exact one does not.
            if (
                self._holds(_read_back(figure, left), right if _plain(self.right) else _read_back(other, right))
                == holds
            ):
                break
        before, relation, after = self.sides
        if _plain(self.right):
            actual = f"{before}{relation.replace(relation.strip(), '=')}{figure}"
        else:
            sign = "<" if left < right else ">" if left > right else "="
            figure = f"{figure} {sign} {other}"
            actual = f"{before}{relation.replace(relation.strip(), sign)}{after}"
        return Verdict(holds, left, figure, self.text if holds else actual)

    def verify(self, subject: Subject, *, loose: bool = False) -> Verdict:
        """Count both sides, and see that the claim holds.

        Parameters:
            subject: what it is about.
            loose: whether it is known not to hold, as when a source is quoted; then it must not.

        Raises:
            ExpectationError: it does not hold; or it is loose, and holds.
            DiceError: one of the sides cannot be counted.
        """
        verdict = self.judge(subject)
        if verdict.holds == loose:
            but = "is loose, and holds exactly" if loose else "does not hold"
            message = f"{quoted(self.text)} {but}: it is {verdict.figure}"
            raise ExpectationError(message, expected=self.text, actual=verdict.actual)
        return verdict

    def _holds(self, left: Fraction, right: Fraction) -> bool:
        if self.within is not None:
            return abs(left - right) <= self.within.written
        if self.relation in {"=", "!="} and isinstance(self.right, Number):
            return self.right.rounds(left) == (self.relation == "=")
        return _RELATIONS[self.relation](left, right)


def read_claims(text: str) -> tuple[Claim, ...]:
    """Read claims that are separated by commas.

    Raises:
        NotationError: something is no claim; the error knows the place.
        LimitError: the text is too long, or nested too deeply.

    >>> [claim.text for claim in read_claims("mean=10.5,  p(at least 13) = 25.9%")]
    ['mean=10.5', 'p(at least 13) = 25.9%']
    """
    limits.TEXT.check(len(text), hint="write less")
    return _Reader(text).claims()


def read_figure(text: str) -> Figure:
    """Read a figure by itself, such as ``mean(total)`` or ``p(at least 13 | advantage=1)``.

    Raises:
        NotationError: it is none; the error knows the place.
        LimitError: the text is too long, or nested too deeply.
    """
    limits.TEXT.check(len(text), hint="write less")
    reader = _Reader(text)
    figure = reader.sum()
    reader.end()
    return figure


def told(text: str, mechanic: str, /, *fact: str, **parameters: Any) -> str:
    """Give claims as they are true: each as it is written when it holds, otherwise with the exact figure.

    Parameters:
        text: claims, separated by commas.
        mechanic: the id of the mechanic that they are about.
        fact: the fact that is meant where none is named; the mechanic's first when left out.
        parameters: the mechanic's parameters.

    Raises:
        DiceError: something is no claim, or cannot be counted.

    >>> told("mean=10.5, p(at least 13)=26.4%", "methuen/expression", expression="3d6")
    'mean=10.5, p(at least 13)=25.9%'
    """
    subject = Subject(mechanic, parameters, *fact)
    return ", ".join(claim.judge(subject).actual for claim in read_claims(text))


def shown(value: Fraction, *, chance: bool, places: int | None = None) -> str:
    """Give an exact figure as it is shown: a chance as a percentage.

    >>> shown(Fraction(7, 27), chance=True), shown(Fraction(21, 2), chance=False)
    ('25.9%', '10.5')
    """
    if chance:
        return percent(value, 1 if places is None else places)
    return decimal(value, 2 if places is None else places)


def _plain(figure: Figure | None) -> TypeGuard[Number]:
    return isinstance(figure, Number)


def _read_back(figure: str, exact: Fraction) -> Fraction:
    """Give the number that a figure shows; the exact one where it only shows a bound."""
    if figure[0] in "<>":
        return exact
    return Fraction(figure[:-1]) / 100 if figure.endswith("%") else Fraction(figure)


class _Reader:
    """Reads a text from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.depth = 0

    def claims(self) -> tuple[Claim, ...]:
        found = [self.claim()]
        while self.sign(","):
            found.append(self.claim())
        self.end()
        return tuple(found)

    def claim(self) -> Claim:
        start = self.skip()
        left = self.sum()
        middle = self.at
        relation = self.token("relation")
        if relation is None:
            raise self.expected("a comparison such as = or >=")
        second = self.skip()
        right = self.sum()
        after = self.at
        within = None
        if self.token("within"):
            within = self.number()
            if within is None:
                raise self.expected("a number")
            if relation != "=":
                raise self.wrong("± goes with = alone", at=after)
        self.fit((left, start), (right, second), (within, after))
        fold = " ".join(self.text[start : self.at].split())
        sides = [" ".join(part.split()) for part in (self.text[start:middle], self.text[second:after])]
        around = " " if self.text[middle:second].strip() != self.text[middle:second] else ""
        return Claim(fold, left, relation, right, within, (sides[0], f"{around}{relation}{around}", sides[1]))

    def fit(self, *sides: tuple[Figure | None, int]) -> None:
        """Refuse a number without its ``%`` beside a chance: the claim would always hold, or never."""
        if not any(figure is not None and figure.chance for figure, _ in sides):
            return
        for place, (number, at) in enumerate(sides):
            if _plain(number) and not number.chance and (number.written > 1 or place == len(sides) - 1):
                hint = f"write {decimal(number.written, number.places)}%"
                raise self.wrong("a chance is compared with a number without %", at=at, hint=hint)

    def sum(self) -> Figure:
        return self.chain(self.product, "+", "-")

    def product(self) -> Figure:
        return self.chain(self.factor, "*", "/")

    def chain(self, part: Callable[[], Figure], *signs: str) -> Figure:
        first = part()
        rest = []
        while sign := self.sign(*signs):
            rest.append((sign, part()))
        return Chain(first, tuple(rest)) if rest else first

    def factor(self) -> Figure:
        negative = False
        while self.sign("-"):
            negative = not negative
        number = self.number()
        if number is not None:
            return number._replace(written=-number.written) if negative else number
        if negative:
            return Chain(Number(Fraction(-1), 0, chance=False), (("*", self.factor()),))
        if self.sign("("):
            self.depth += 1
            limits.NESTING.check(self.depth)
            inner = self.sum()
            if not self.sign(")"):
                raise self.expected("')'")
            self.depth -= 1
            return inner
        at = self.skip()
        name = self.token("name")
        if name is None:
            raise self.expected("a number, p(...), mean(...) or median(...)")
        if name not in NAMES:
            raise self.wrong(f"there is no figure {quoted(name)}", at=at, hint=near(name, NAMES))
        of, chosen = self.brackets()
        if name == _CHANCE and not of:
            raise self.wrong("p wants an event", at=at, hint="write it like p(at least 13)")
        return Asked(name, of, chosen)

    def brackets(self) -> tuple[str, str]:
        """Read what stands in parentheses, before and after the first ``|``; nothing where there are none."""
        start = self.skip()
        if not self.sign("("):
            return "", ""
        depth, bar = 1, 0
        for place in range(self.at, len(self.text)):
            character = self.text[place]
            depth += (character == "(") - (character == ")")
            if character == "|" and depth == 1 and not bar:
                bar = place
            if not depth:
                of, chosen = self.text[self.at : bar or place], self.text[bar + 1 : place] if bar else ""
                self.at = place + 1
                return " ".join(of.split()), " ".join(chosen.split())
        raise self.wrong("this parenthesis is not closed", at=start)

    def number(self) -> Number | None:
        found = self.token("number")
        if found is None:
            return None
        digits = found.rstrip(" %")
        limits.DIGITS.check(len(digits.replace(".", "")), hint="write a smaller number")
        chance = found.endswith("%")
        places = len(digits.partition(".")[2])
        return Number(Fraction(digits) / (100 if chance else 1), places, chance)

    def sign(self, *signs: str) -> str:
        """Give the next sign when it is one of these, and go past it."""
        found = self.peek()
        sign = _SAME.get(found["sign"] or "", found["sign"] or "")
        if sign not in signs:
            return ""
        self.at = found.end()
        return sign

    def token(self, kind: str) -> str | None:
        """Give the next token when it is of this kind, and go past it."""
        found = self.peek()
        if found[kind] is None:
            return None
        self.at = found.end()
        return _SAME.get(found[kind], found[kind])

    def peek(self) -> re.Match[str]:
        found = _TOKEN.match(self.text, self.at)
        if found is None:
            raise self.expected("a claim such as p(at least 13) = 25.9%")
        return found

    def skip(self) -> int:
        """Give the place of what comes next."""
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1
        return self.at

    def end(self) -> None:
        if self.peek()["end"] is None:
            raise self.expected("the end")

    def expected(self, what: str) -> NotationError:
        at = self.skip()
        found = quoted(self.text[at]) if at < len(self.text) else "the end"
        return self.wrong(f"expected {what}, found {found}", at=at)

    def wrong(self, message: str, *, at: int, hint: str = "") -> NotationError:
        return NotationError(message, text=self.text, at=at, hint=hint)
